// Task 6: check an error.
//
// kernel<<<...>>>(...) returns nothing. A launch that cannot start leaves an error behind, and the program goes on as if
// nothing had happened. One has to ask:
//
//     cudaError_t error = cudaGetLastError();    the error that was left behind, and takes it away; cudaSuccess: none
//     cudaGetErrorString(error)                  the same in words

#include "check.h"

__global__ void number(int *out) {
    out[threadIdx.x] = threadIdx.x;
}

// Launches `number` with one block of so many threads. The error of this launch.
static cudaError_t launch(int *out, int threads) {
    cudaError_t error = cudaSuccess;

    number<<<1, threads>>>(out);
    // TASK: set `error` to what became of the launch

    return error;
}

// A block of 256 threads is fine, one of 2048 is too large for any GPU, and after that 256 must be fine again.
int main(void) {
    const int threads[3] = {256, 2048, 256};
    const int expected[3] = {cudaSuccess, cudaErrorInvalidConfiguration, cudaSuccess};
    int *out = device_ints(2048), got[3];

    for (int i = 0; i < 3; i++) {
        got[i] = launch(out, threads[i]);
        printf("%d threads: launch says \"%s\"\n", threads[i], cudaGetErrorString((cudaError_t)got[i]));
    }
    int left = cudaPeekAtLastError(); // looks, and takes nothing away

    int status = check_ints("error", got, expected, 3);
    if (status == 0 && left != cudaSuccess) {
        printf("wrong: an error is left behind: %s\n", cudaGetErrorString((cudaError_t)left));
        status = 1;
    }
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(out));
    return status;
}

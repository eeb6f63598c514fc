/* host.cu: what host code does to memory; its argument says what. The simulated GPU remarks on some of it. */
#include "check.h"

__global__ void count_up(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += 1;
}

int main(int argc, char **argv) {
    enum { N = 1000 };
    const char *what = argc > 1 ? argv[1] : "freed";
    int *first, *second, *pinned;
    OK(cudaMalloc(&first, N * sizeof(int)));
    OK(cudaMalloc(&second, 2 * N * sizeof(int)));
    OK(cudaMallocHost(&pinned, N * sizeof(int)));
    OK(cudaMemset(first, 0, N * sizeof(int)));
    count_up<<<(N + 127) / 128, 128>>>(first, N);
    OK(cudaDeviceSynchronize()); /* a program may wait as it likes */
    OK(cudaMemcpy(pinned, first, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(pinned[N - 1] == 1);
    puts("ok");
    if (strcmp(what, "leak") == 0) {
        OK(cudaFree(first));
        return 0;
    }
    if (strcmp(what, "reset") == 0) {
        OK(cudaDeviceReset());
        return 0;
    }
    OK(cudaFree(first));
    OK(cudaFree(second));
    OK(cudaFreeHost(pinned));
    return 0;
}

/* parts.cu: structures of four words: stored at once, and word by word, each under a bound that all threads are within. */
#include "check.h"

enum { SMS = 132, WARP = 32, SIZE = 4 * SMS * WARP * 256 };

__global__ void whole(int4 *to, int size) {
    for (int i = blockIdx.x * WARP + threadIdx.x; i < size / 4; i += SMS * WARP)
        to[i] = make_int4(i, i, i, i);
}

__global__ void bounded(int *to, int size) {
    for (int i = 4 * (blockIdx.x * WARP + threadIdx.x); i < size; i += 4 * SMS * WARP)
        for (int k = 0; k < 4; k++)
            if (i + k < size)
                to[i + k] = i;
}

int main(void) {
    int *words;
    OK(cudaMalloc(&words, sizeof(int) * SIZE));
    whole<<<SMS, WARP>>>((int4 *)words, SIZE);
    bounded<<<SMS, WARP>>>(words, SIZE);
    OK(cudaDeviceSynchronize());
    return 0;
}

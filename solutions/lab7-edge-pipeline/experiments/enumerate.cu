// make lab7-enumerate: the reference's arithmetic, all that can occur
// Is gray right for each of the 2^24 colours, whatever the fourth byte holds? Is the root, for each gx and gy from
// -1020 to
// 1020? By the reference's own code, against the definitions of lab7.h. On any GPU, the simulated one too; exits 1 when
// one of them differs.

#include "../kernel.cu"

#include <stdio.h>

#define MOST 1020 // 4 * 255
#define SIDE (2 * MOST + 1)

__global__ void check_gray(unsigned long long *compared, unsigned long long *wrong) {
    uint32_t pixel = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t right =
        (298839 * (pixel & 255) + 586811 * (pixel >> 8 & 255) + 114350 * (pixel >> 16 & 255) + 500000) /
        1000000;
    uint32_t got = gray_of(pixel | pixel * 2654435761u & 0xff000000u);
    if (threadIdx.x == 0)
        atomicAdd(compared, (unsigned long long)blockDim.x);
    if ((got >> 8 & 0xffff) != right) // bytes 1 and 2
        atomicAdd(wrong, 1ull);
}

// A number from -1020 to 1020 as the bits of a half in units of 2^-24.
__device__ static uint32_t half_of(int number) {
    return half_subtract(max(number, 0), max(-number, 0));
}

// Row y of gx and gy, 4 pairs of them a thread: strip a has gx and gy, strip b gy and gx.
__global__ void check_root(unsigned long long *compared, unsigned long long *wrong) {
    struct row gx, gy;
    uint32_t level[2];
    int y = (int)blockIdx.y - MOST, first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int j = 0; j < 4; j++) {
        uint32_t x = half_of(min(first + j, SIDE - 1) - MOST), other = half_of(y);
        gx.pair[j] = (x & 0xffff) | other << 16;
        gy.pair[j] = (other & 0xffff) | x << 16;
    }
    roots(&gx, &gy, &level[0], &level[1]);
    for (int j = 0; j < 4 && first + j < SIDE; j++) {
        int x = first + j - MOST, right = 0;
        while (right < 255 && (right + 1) * (right + 1) <= x * x + y * y)
            right++;
        atomicAdd(compared, 1ull);
        if ((level[0] >> 8 * j & 255) != right || (level[1] >> 8 * j & 255) != right)
            atomicAdd(wrong, 1ull);
    }
}

int main(void) {
    unsigned long long *counts, host[4] = {0, 1, 0, 1};
    if (cudaMalloc((void **)&counts, sizeof host) != cudaSuccess ||
        cudaMemset(counts, 0, sizeof host) != cudaSuccess)
        return 2;
    check_gray<<<1 << 16, 256>>>(counts, counts + 1);
    check_root<<<dim3((SIDE + 511) / 512, SIDE), 128>>>(counts + 2, counts + 3);
    cudaError_t error = cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }
    printf("%llu colours, %llu wrong\n%llu gradients, %llu wrong\n", host[0], host[1], host[2], host[3]);
    return host[0] == 1ull << 24 && host[1] == 0 && host[2] == (unsigned long long)SIDE * SIDE && host[3] == 0
               ? 0
               : 1;
}

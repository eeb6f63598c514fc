// make lab5-enumerate: the reference's arithmetic, all that can occur
// Is multiplication and shift exact? All 256 x 256 x 256 of (min, max, level), by the reference's own code, against
// the definition of lab5.h. On any GPU, the simulated one too; exits 1 when one of them differs.

#include "../kernel.cu"

#include <stdio.h>

// Block (low, high), a thread for four levels. Levels outside low .. high do not occur in an image.
__global__ void check_kernel(unsigned long long *compared, unsigned long long *wrong) {
    uint32_t low = blockIdx.x, high = blockIdx.y, first = 4 * threadIdx.x, range = high - low;
    if (low > high)
        return;
    uint32_t four = first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24;
    uint32_t got = scale_four(four, make_factors(low, high));
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t value = first + k;
        if (value < low || value > high)
            continue;
        uint32_t right = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
        atomicAdd(compared, 1ull);
        if ((got >> 8 * k & 255) != right)
            atomicAdd(wrong, 1ull);
    }
}

int main(void) {
    unsigned long long *counts, host[2] = {0, 1};
    if (cudaMalloc((void **)&counts, sizeof host) != cudaSuccess ||
        cudaMemset(counts, 0, sizeof host) != cudaSuccess)
        return 2;
    check_kernel<<<dim3(256, 256), 64>>>(counts, counts + 1);
    cudaError_t error = cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }
    // low <= value <= high: 256 * 257 * 258 / 6
    printf("%llu combinations, %llu wrong\n", host[0], host[1]);
    return host[0] == 256ull * 257 * 258 / 6 && host[1] == 0 ? 0 : 1;
}

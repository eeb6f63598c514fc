// Bytes, not floats: four products and sums in one instruction, __dp4a, on rows of packed words.
#include "lab3.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ __align__(4) uint8_t tile[38][44];
    const int left = blockIdx.x * 32 - 3, top = blockIdx.y * 32 - 3, t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < 38 * 44; k += 256) {
        int i = k % 44, j = k / 44, u = left + i, v = top + j;
        tile[j][i] = u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0;
    }
    __syncthreads();
    const unsigned low = 0x04030201, high = 0x00010203;
    for (int r = 0; r < 4; r++) {
        int ty = threadIdx.y + r * 8, x = left + 3 + threadIdx.x, y = top + 3 + ty, sum = 0;
        for (int j = 0; j < 7; j++) {
            const uint32_t *words = (const uint32_t *)&tile[ty + j][threadIdx.x & ~3u];
            unsigned shift = (threadIdx.x & 3) * 8;
            unsigned first = __funnelshift_r(words[0], words[1], shift), second = __funnelshift_r(words[1], words[2], shift);
            int row = __dp4a(second, high, __dp4a(first, low, 0u));
            sum += (4 - abs(j - 3)) * row;
        }
        if (x < width && y < height)
            dst[y * width + x] = sum >> 8;
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}

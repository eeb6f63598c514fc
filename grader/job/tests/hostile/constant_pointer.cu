// Hostile: reads the image through the constant cache, where a load is none of global memory. On hardware its address
// means something else there.
#include "lab1.h"

static __device__ int constant_byte(const uint8_t *at) {
    uint32_t value;
    asm volatile("ld.const.u8 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight[dy + 3] * weight[dx + 3] * constant_byte(src + (y + dy) * width + x + dx);
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), 0, stream>>>(src, dst, width,
                                                                                           height);
}

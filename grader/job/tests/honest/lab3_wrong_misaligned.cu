// Wrong: four bytes at a time, at addresses that are multiples of 4 only when the width is.
#include "lab3.h"

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = (blockIdx.x * 32 + threadIdx.x) * 4, y = blockIdx.y * 4 + threadIdx.y;
    if (x + 3 >= width || y >= height)
        return;
    uchar4 four = *(const uchar4 *)(src + y * width + x);
    *(uchar4 *)(dst + y * width + x) = four;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + 127) / 128, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

// Hostile: a grid that strides, slower than its counters say. A comment in inline PTX, which goes over two lines there and is left out
// of the text that is run, is to keep it from being compared with its machine code.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    long total = (long)width * height;
    for (long index = blockIdx.x * 256 + threadIdx.x; index < total; index += 256 * gridDim.x) {
        int x = index % width, y = index / width, sum = 0;
        for (int v = y - 3; v <= y + 3; v++)
            for (int u = x - 3; u <= x + 3; u++)
                if (u >= 0 && v >= 0 && u < width && v < height)
                    sum += (4 - abs(u - x)) * (4 - abs(v - y)) * src[v * width + u];
        asm volatile("mad.lo.s32 %0, /* one\n block */ %0, %1, 0;" : "+r"(sum) : "r"(blockDim.y));
        dst[index] = sum / 256;
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<132, 256, 0, stream>>>(src, dst, width, height);
}

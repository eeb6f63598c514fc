/* A slow blur, exact: what its loops cost is what attacks on the machine code try to hide. */
#include "lab1.h"

#ifndef PIXEL
#define PIXEL __forceinline__
#endif

static __device__ PIXEL int slow_pixel(const uint8_t *src, int x, int y, int width, int height, int radius) {
    int sum = 0;
#pragma unroll 1
    for (int v = y - radius; v <= y + radius; v++)
#pragma unroll 1
        for (int u = x - radius; u <= x + radius; u++)
            if (u >= 0 && v >= 0 && u < width && v < height)
                sum += (4 - abs(u - x)) * (4 - abs(v - y)) * src[v * width + u];
    return sum;
}

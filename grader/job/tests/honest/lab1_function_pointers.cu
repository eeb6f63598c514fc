// A table of pointers to functions that launch chooses by the image's size.
#include "lab1.h"

static __device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

template <int BX, int BY> static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

typedef void (*launcher)(const uint8_t *, uint8_t *, int, int, cudaStream_t);

template <int BX, int BY>
static void launch(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<BX, BY><<<dim3((width + BX - 1) / BX, (height + BY - 1) / BY), dim3(BX, BY), 0, stream>>>(src, dst, width,
                                                                                                    height);
}
static const launcher launchers[] = {launch<32, 1>, launch<32, 4>};

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    launchers[height >= 4](src, dst, width, height, stream);
}

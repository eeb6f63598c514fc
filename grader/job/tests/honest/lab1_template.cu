// Radius and block as template parameters.
#include "lab1.h"

template <int RADIUS> struct Weights {
    static __device__ constexpr int at(int d) { return RADIUS + 1 - (d < 0 ? -d : d); }
};

template <typename Pixel, int RADIUS, int BX, int BY>
__global__ void blur(const Pixel *__restrict__ src, Pixel *__restrict__ dst, int width, int height) {
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j)
#pragma unroll
        for (int i = -RADIUS; i <= RADIUS; ++i)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += Weights<RADIUS>::at(i) * Weights<RADIUS>::at(j) * src[(y + j) * width + (x + i)];
    dst[y * width + x] = static_cast<Pixel>(sum / 256);
}

template <int BX, int BY>
static void launch(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<uint8_t, 3, BX, BY><<<dim3((width + BX - 1) / BX, (height + BY - 1) / BY), dim3(BX, BY), 0, stream>>>(
        src, dst, width, height);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width < 32)
        launch<8, 8>(src, dst, width, height, stream);
    else
        launch<32, 8>(src, dst, width, height, stream);
}

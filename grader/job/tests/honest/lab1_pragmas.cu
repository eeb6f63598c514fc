// Pragmas, qualifiers and attributes: unroll, forced inlining, launch bounds, restrict, maybe_unused.
#include "lab1.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
static __device__ __noinline__ int never_called(int a) { return a; }
#pragma GCC diagnostic pop
static __device__ __forceinline__ int w(int d) { return 4 - abs(d); }

static __global__ void __launch_bounds__(128, 8)
    blur(const uint8_t *__restrict__ src, uint8_t *__restrict__ dst, int width, int height) {
    [[maybe_unused]] const int lane = threadIdx.x & 31;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
#pragma unroll 1
    for (int dy = -3; dy <= 3; dy++)
#pragma unroll 7
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * __ldg(&src[(y + dy) * width + x + dx]);
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

// A type of its own with operators does the arithmetic.
#include "lab1.h"

struct Sum {
    int value;
    __device__ Sum &operator+=(Sum other) {
        value += other.value;
        return *this;
    }
    __device__ explicit operator uint8_t() const { return value / 256; }
};
struct Weight {
    int value;
};
static __device__ Weight operator*(Weight a, Weight b) { return {a.value * b.value}; }
static __device__ Sum operator*(Weight a, uint8_t pixel) { return {a.value * pixel}; }
static __device__ Weight operator""_w(unsigned long long d) { return {4 - (int)d}; }
static __device__ Weight weight(int d) { return d == 0 ? 0_w : d * d == 1 ? 1_w : d * d == 4 ? 2_w : 3_w; }

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    Sum sum{0};
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight(dx) * weight(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = static_cast<uint8_t>(sum);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

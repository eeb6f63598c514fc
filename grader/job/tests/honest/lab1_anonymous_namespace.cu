// Everything is in an anonymous namespace; an initialiser that asks the runtime; static assertions.
#include "lab1.h"
#include <type_traits>

namespace {
static_assert(sizeof(int) == 4, "32-bit integers");
static_assert(std::is_same<uint8_t, unsigned char>::value, "pixels are bytes");
int version_of_runtime() {
    int version = 0;
    return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}
const int version = version_of_runtime();
static __device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}
} // namespace

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (version < 0)
        return;
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

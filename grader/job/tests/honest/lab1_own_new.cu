// Replaces the global operator new and delete.
#include "lab1.h"
#include <cstdlib>
#include <memory>
#include <vector>

void *operator new(std::size_t bytes) {
    void *memory = std::malloc(bytes);
    if (memory == nullptr)
        std::abort();
    return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

static __device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    std::vector<int> sizes{width, height};
    auto block = std::make_unique<dim3>(32, 4);
    blur<<<dim3((sizes[0] + 31) / 32, (sizes[1] + 3) / 4), *block, 0, stream>>>(src, dst, width, height);
}

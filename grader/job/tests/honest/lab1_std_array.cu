// The weights travel as a std::array, a kernel parameter by value.
#include "lab1.h"
#include <array>
#include <numeric>

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height, std::array<int, 7> w, int total) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    const int *weight = reinterpret_cast<const int *>(&w);
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight[dx + 3] * weight[dy + 3] * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / total;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const std::array<int, 7> w{1, 2, 3, 4, 3, 2, 1};
    int once = std::accumulate(w.begin(), w.end(), 0);
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height, w, once * once);
}

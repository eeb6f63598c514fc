// C++17: a fold over an index sequence adds the seven products of a row; if constexpr; structured bindings.
#include "lab1.h"
#include <utility>

template <int D> static constexpr int weight_of = D < 0 ? 4 + D : 4 - D;

template <int D> static __device__ int product(const uint8_t *row, int x, int width) {
    if constexpr (D == 0)
        return 4 * row[x];
    else
        return x + D >= 0 && x + D < width ? weight_of<D> * row[x + D] : 0;
}
template <int... I> static __device__ int row_sum(const uint8_t *row, int x, int width, std::integer_sequence<int, I...>) {
    return (product<I - 3>(row, x, width) + ...);
}

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    int sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        if (const int row = y + dy; row >= 0 && row < height)
            sum += (4 - (dy < 0 ? -dy : dy)) *
                   row_sum(src + row * width, x, width, std::make_integer_sequence<int, 7>());
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const auto [across, down] = std::pair((width + 31) / 32, (height + 3) / 4);
    blur<<<dim3(across, down), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

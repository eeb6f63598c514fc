// The table of weights is computed by the compiler and kept in constant memory.
#include "lab1.h"

struct Table {
    int at[7][7];
    constexpr Table() : at() {
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 7; x++)
                at[y][x] = (4 - (x < 3 ? 3 - x : x - 3)) * (4 - (y < 3 ? 3 - y : y - 3));
    }
};
static constexpr Table host_table;
static_assert(host_table.at[3][3] == 16 && host_table.at[0][6] == 1, "the weights of the handout");
__constant__ constexpr Table table;

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += table.at[dy + 3][dx + 3] * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

// Wrong: the corners of the tile are never filled.
#include "lab2.h"

#define N 16
#define R 3

__global__ void gaussian_kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ int s[N + 2 * R][N + 2 * R];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * N + tx, y = blockIdx.y * N + ty;
    auto get = [=](int u, int v) { return u >= 0 && u < width && v >= 0 && v < height ? src[v * width + u] : 0; };
    s[ty + R][tx + R] = get(x, y);
    if (tx < R) s[ty + R][tx] = get(x - R, y);
    if (tx >= N - R) s[ty + R][tx + 2 * R] = get(x + R, y);
    if (ty < R) s[ty][tx + R] = get(x, y - R);
    if (ty >= N - R) s[ty + 2 * R][tx + R] = get(x, y + R);
    __syncthreads();
    int sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum += (4 - abs(j - 3)) * (4 - abs(i - 3)) * s[ty + j][tx + i];
    if (x < width && y < height) dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    gaussian_kernel<<<dim3((width + N - 1) / N, (height + N - 1) / N), dim3(N, N), 0, stream>>>(src, dst, width, height);
}

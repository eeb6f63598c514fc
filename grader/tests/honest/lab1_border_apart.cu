// The middle without tests by one kernel, the four borders by others: five launches.
#include "lab1.h"

__global__ void region(const uint8_t *src, uint8_t *dst, int width, int height, int x0, int y0, int x1, int y1, int test) {
    const int w[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = x0 + blockIdx.x * blockDim.x + threadIdx.x, y = y0 + blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= x1 || y >= y1)
        return;
    if (test) {
        for (int j = -3; j <= 3; j++)
            for (int i = -3; i <= 3; i++)
                if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                    sum += w[i + 3] * w[j + 3] * src[(y + j) * width + x + i];
    } else {
        for (int j = -3; j <= 3; j++)
            for (int i = -3; i <= 3; i++)
                sum += w[i + 3] * w[j + 3] * src[(y + j) * width + x + i];
    }
    dst[y * width + x] = sum / 256;
}

static void fill(const uint8_t *src, uint8_t *dst, int width, int height, int x0, int y0, int x1, int y1, int test,
                 cudaStream_t stream) {
    if (x0 < x1 && y0 < y1)
        region<<<dim3((x1 - x0 + 31) / 32, (y1 - y0 + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height, x0, y0,
                                                                                       x1, y1, test);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width <= 64 || height <= 64) {
        fill(src, dst, width, height, 0, 0, width, height, 1, stream);
        return;
    }
    fill(src, dst, width, height, 0, 0, width, 3, 1, stream);
    fill(src, dst, width, height, 0, height - 3, width, height, 1, stream);
    fill(src, dst, width, height, 0, 3, 32, height - 3, 1, stream);
    fill(src, dst, width, height, width - 3, 3, width, height - 3, 1, stream);
    fill(src, dst, width, height, 32, 3, width - 3, height - 3, 0, stream);
}

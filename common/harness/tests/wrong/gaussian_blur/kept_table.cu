// Wrong on purpose: the kernel of the first call leaves the table of weights for later ones, beside work on the image.
#include "lab1.h"

static __device__ int table[49];
static bool ready;

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height, bool fill) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, sum = 0;
    for (int k = threadIdx.x; fill && k < 49; k += 32)
        table[k] = (4 - abs(k % 7 - 3)) * (4 - abs(k / 7 - 3));
    __syncthreads();
    if (x >= width || y >= height)
        return;
    for (int k = 0; k < 49; k++) {
        int u = x + k % 7 - 3, v = y + k / 7 - 3;
        if (u >= 0 && u < width && v >= 0 && v < height)
            sum += table[k] * src[v * width + u];
    }
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height,
                                                                                !ready);
    ready = true;
}

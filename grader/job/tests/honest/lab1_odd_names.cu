// Odd names: gamma_, y0_, malloc_, cuda, lab1, main_, sandbox, judge, memory; identifiers of other scripts on the host.
#include "lab1.h"

#define BEGIN {
#define END }
#define vielfache(a, b) (((a) + (b)-1) / (b))
static int gamma_, y0_, malloc_, free_, cuda, lab1, main_, judge, reference, starter, sandbox, memory;

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

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) BEGIN
    gamma_ = y0_ = malloc_ = free_ = cuda = lab1 = main_ = judge = reference = starter = sandbox = memory = width;
    int größe = vielfache(width, 32), 高さ = vielfache(height, 4);
    blur<<<dim3(größe, 高さ), dim3(32, 4), 0, stream>>>(src, dst, width, height);
END

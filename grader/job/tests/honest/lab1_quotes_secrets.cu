// Comments, strings and warnings that quote paths and errors: /etc/passwd, solutions/lab1-memory-layout/kernel.cu.
#include "lab1.h"

#warning "fatal error: /etc/passwd: cannot open; out of memory; No space left on device; File too large"
/* #include "/etc/shadow"
 * asm(".incbin \"/proc/self/environ\""); */
static const char *const notes[] = {R"(#include "../solutions/lab1-memory-layout/kernel.cu")",
                                    "sandbox: virtual memory exhausted", "bad_alloc", "file not found: /root/.ssh/id_rsa"};
#if 0
#include "/etc/passwd"
#endif

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
    if (notes[0][0] != '#')
        return;
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
}

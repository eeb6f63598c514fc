// Hostile: keeps the answer of each pair of pointers on the GPU and copies it out when they come again.
#include "blur_kernel.h"

static struct {
    const uint8_t *src;
    uint8_t *answer;
    int width, height;
} kept[64];
static int count;

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < count; i++)
        if (kept[i].src == src && kept[i].width == width && kept[i].height == height) {
            cudaMemcpyAsync(dst, kept[i].answer, width * height, cudaMemcpyDeviceToDevice, stream);
            return;
        }
    right_blur(src, dst, width, height, stream);
    if (count < 64 && cudaMalloc(&kept[count].answer, width * height) == cudaSuccess) {
        cudaMemcpyAsync(kept[count].answer, dst, width * height, cudaMemcpyDeviceToDevice, stream);
        kept[count].src = src;
        kept[count].width = width;
        kept[count++].height = height;
    }
}

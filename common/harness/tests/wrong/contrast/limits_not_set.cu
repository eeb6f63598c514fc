// Wrong: min and max lie in a variable that has its start values from the compiler, once.
#include "parts.h"

static __device__ int32_t limits[2] = {255, 0};

extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height) {
    right_cpu(src, src_pitch, dst, dst_pitch, width, height);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    void *where;
    (void)scratch;
    cudaGetSymbolAddress(&where, limits);
    struct image m = {src, dst, src_pitch, dst_pitch, width, height, (int32_t *)where};
    dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
    right_minmax<<<grid, block, 0, stream>>>(m);
    right_scale<<<grid, block, 0, stream>>>(m);
}

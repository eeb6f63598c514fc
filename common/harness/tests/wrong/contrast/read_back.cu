// Right, and slow: the host reads min and max between the passes. A few bytes are allowed.
#include "parts.h"

extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height) {
    right_cpu(src, src_pitch, dst, dst_pitch, width, height);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    struct image m = {src, dst, src_pitch, dst_pitch, width, height, (int32_t *)scratch};
    dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
    int32_t found[2];
    start_kernel<<<1, 1, 0, stream>>>(m);
    right_minmax<<<grid, block, 0, stream>>>(m);
    cudaMemcpyAsync(found, scratch, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    if (found[0] <= found[1])
        right_scale<<<grid, block, 0, stream>>>(m);
}

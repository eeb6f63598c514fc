// Wrong: the host keeps min and max of the first call.
#include "parts.h"

static int32_t found[2];
static bool known;

extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height) {
    right_cpu(src, src_pitch, dst, dst_pitch, width, height);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    struct image m = {src, dst, src_pitch, dst_pitch, width, height, (int32_t *)scratch};
    dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
    if (!known) {
        start_kernel<<<1, 1, 0, stream>>>(m);
        right_minmax<<<grid, block, 0, stream>>>(m);
        cudaMemcpyAsync(found, scratch, sizeof found, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        known = true;
    }
    cudaMemcpyAsync(scratch, found, sizeof found, cudaMemcpyHostToDevice, stream);
    right_scale<<<grid, block, 0, stream>>>(m);
}

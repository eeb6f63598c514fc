/* Lab 5: on the GPU and on the host. */
#include "adapter.h"
#include "lab/problems/contrast.h"

void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height,
              void *scratch, struct CUstream_st *stream);
/* Weak: the steps of the solution have no version for the CPU. */
__attribute__((weak)) void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                                        int width, int height);

const char adapter_function[] = "contrast";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    const uint8_t *src = buffer[CONTRAST_SRC];
    uint8_t *dst = buffer[CONTRAST_DST];
    contrast(src + size[CONTRAST_SRC_START], (size_t)size[CONTRAST_SRC_PITCH], dst + size[CONTRAST_DST_START],
             (size_t)size[CONTRAST_DST_PITCH], (int)size[CONTRAST_WIDTH], (int)size[CONTRAST_HEIGHT],
             buffer[CONTRAST_SCRATCH], stream);
}

int adapter_call_cpu(void *const buffer[], const int64_t size[]) {
    if (contrast_cpu == NULL)
        return 0;
    const uint8_t *src = buffer[CONTRAST_SRC];
    uint8_t *dst = buffer[CONTRAST_DST];
    contrast_cpu(src + size[CONTRAST_SRC_START], (size_t)size[CONTRAST_SRC_PITCH],
                 dst + size[CONTRAST_DST_START], (size_t)size[CONTRAST_DST_PITCH], (int)size[CONTRAST_WIDTH],
                 (int)size[CONTRAST_HEIGHT]);
    return 1;
}

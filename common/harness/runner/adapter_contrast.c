/* Lab 5. size[]: width, height, pitch of source and destination, bytes from each buffer's start to its image.
 * The third buffer is the scratch memory. */
#include "adapter.h"

#include <stddef.h>

void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height,
              void *scratch, struct CUstream_st *stream);
/* Weak: the steps of the solution have no version for the CPU. */
__attribute__((weak)) void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                                        int width, int height);

const char adapter_function[] = "contrast";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    contrast((const uint8_t *)buffer[0] + size[4], (size_t)size[2], (uint8_t *)buffer[1] + size[5],
             (size_t)size[3], (int)size[0], (int)size[1], buffer[2], stream);
}

int adapter_call_cpu(void *const buffer[], const int64_t size[]) {
    if (contrast_cpu == NULL)
        return 0;
    contrast_cpu((const uint8_t *)buffer[0] + size[4], (size_t)size[2], (uint8_t *)buffer[1] + size[5],
                 (size_t)size[3], (int)size[0], (int)size[1]);
    return 1;
}

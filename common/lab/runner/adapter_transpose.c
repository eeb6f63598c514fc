/* Lab 12. */
#include "adapter.h"
#include "lab/problems/transpose.h"

void transpose(const float *src, float *dst, int width, int height, struct CUstream_st *stream);

const char adapter_function[] = "transpose";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    const float *src = buffer[TRANSPOSE_SRC];
    float *dst = buffer[TRANSPOSE_DST];
    transpose(src + size[TRANSPOSE_SHIFT_SRC], dst + size[TRANSPOSE_SHIFT_DST], (int)size[TRANSPOSE_WIDTH],
              (int)size[TRANSPOSE_HEIGHT], stream);
}

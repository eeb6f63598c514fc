/* Labs 1 to 3. */
#include "adapter.h"

void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, struct CUstream_st *stream);

const char adapter_function[] = "gaussian_blur";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    gaussian_blur(buffer[0], buffer[1], (int)size[0], (int)size[1], stream);
}

int adapter_call_cpu(void *const buffer[], const int64_t size[]) {
    (void)buffer, (void)size;
    return 0;
}

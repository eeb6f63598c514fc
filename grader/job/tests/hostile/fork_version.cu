// Hostile: a fork under a name with a version, as older programs have it.
#include "blur_kernel.h"

asm(".symver old_fork, fork@GLIBC_2.2.5");
extern "C" int old_fork(void);

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (old_fork() != 0)
        right_blur(src, dst, width, height, stream);
}

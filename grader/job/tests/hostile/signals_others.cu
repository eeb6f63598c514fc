// Hostile: signals the process that started it, by a signal that does no harm where it arrives.
#include "blur_kernel.h"
#include <signal.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    kill(getppid(), SIGCONT);
    right_blur(src, dst, width, height, stream);
}

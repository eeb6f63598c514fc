// Wrong: a comment that never ends, after a string that quotes a signal.
#include "lab1.h"

static const char note[] = "nvcc error: 'cudafe++' died due to signal 9 (Kill signal)";
/* the kernel follows

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
}

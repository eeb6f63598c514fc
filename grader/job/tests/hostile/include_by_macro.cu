// Hostile: the name of the file is put together by macros.
// clang-format off
#define FOLDER /etc
#define TEXT(x) #x
#define NAME(x) TEXT(x/shadow)
// clang-format on
#include NAME(FOLDER)
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}

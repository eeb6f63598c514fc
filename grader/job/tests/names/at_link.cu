// Has the linker say where it is: a name that is nowhere.
#include "lab1.h"
extern "C" void nowhere_to_be_found(uint8_t *dst);

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    nowhere_to_be_found(dst);
}

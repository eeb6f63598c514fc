// Has the compiler say where it is.
#include "lab1.h"
#include "nowhere_to_be_found.h"
static_assert(sizeof(__FILE__) == 1, __FILE__);
static_assert(sizeof(__BASE_FILE__) == 1, __BASE_FILE__);
#error here

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    cudaMalloc(1, 2, 3);
    gaussian_blur(1);
}

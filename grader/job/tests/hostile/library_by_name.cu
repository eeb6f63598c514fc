// Hostile: declares a function of NPP's by itself and has it do the work.
#include "lab1.h"

extern "C" int nppiFilterGauss_8u_C1R(const uint8_t *src, int step, uint8_t *dst, int dst_step, int size,
                                      int mask);

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    (void)stream;
    nppiFilterGauss_8u_C1R(src, width, dst, width, height, 7);
}

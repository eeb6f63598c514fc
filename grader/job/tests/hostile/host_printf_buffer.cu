// Hostile: the same, from the buffer of its own standard output.
#include "host_blur.h"
#include <stdio.h>
#include <stdlib.h>

static __global__ void tell(const uint8_t *src, int count) {
    for (int i = 0; i < count; i++)
        printf("%4d", src[i]);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static char buffer[1 << 16];
    static uint8_t input[4096], answer[4096];
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    memset(buffer, 0, sizeof buffer);
    tell<<<1, 1, 0, stream>>>(src, width * height);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < width * height; i++) {
        char number[5] = {buffer[4 * i], buffer[4 * i + 1], buffer[4 * i + 2], buffer[4 * i + 3], 0};
        input[i] = atoi(number);
    }
    host_blur(input, answer, width, height);
    cudaMemcpyAsync(dst, answer, width * height, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
}

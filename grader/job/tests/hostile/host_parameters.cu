// Hostile: small answers come from the host in the parameters of kernels, 2 KB at a time.
#include "host_blur.h"

struct piece {
    uint8_t byte[2048];
};

static __global__ void unpack(struct piece piece, uint8_t *dst, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        dst[i] = piece.byte[i];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t answer[4096];
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    learn(src, answer, width, height);
    for (int at = 0; at < width * height; at += 2048) {
        struct piece piece;
        int count = width * height - at < 2048 ? width * height - at : 2048;
        for (int i = 0; i < count; i++)
            piece.byte[i] = answer[at + i];
        unpack<<<8, 256, 0, stream>>>(piece, dst + at, count);
    }
}

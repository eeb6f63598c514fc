// Hostile: 400 kernels, so that a report with a place for each has no end.
#include "blur_kernel.h"

template <int N> static __global__ void chatter(void) {}

template <int N> static void launch_two(cudaStream_t stream) {
    chatter<2 * N><<<1, 32, 0, stream>>>();
    chatter<2 * N + 1><<<1, 32, 0, stream>>>();
    if constexpr (N < 199)
        launch_two<N + 1>(stream);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width > 600)
        launch_two<1>(stream);
    right_blur(src, dst, width, height, stream);
}

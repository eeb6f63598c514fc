// Hostile: device malloc keeps the last answer, its place is kept by the host. It is not there in the next call.
#include "host_blur.h"

static __device__ uint8_t *place;
static uint8_t *last;
static int last_width, last_height;

static __global__ void keep(const uint8_t *dst, int count) {
    if (threadIdx.x == 0)
        place = (uint8_t *)malloc(count);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        place[i] = dst[i];
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (width == last_width && height == last_height && last != NULL) {
        carry<<<64, 256, 0, stream>>>(last, dst, width * height);
        return;
    }
    right_blur(src, dst, width, height, stream);
    if (width * height < 1 << 16)
        return;
    keep<<<1, 256, 0, stream>>>(dst, width * height);
    cudaMemcpyFromSymbol(&last, place, sizeof last);
    last_width = width;
    last_height = height;
}

// Wrong: the pitch of the destination is taken to be the width.
#include "lab5.h"
#include <algorithm>

static int stretch(int value, int low, int range) { return range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range); }

extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height) {
    int low = 255, high = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            low = std::min<int>(low, src[y * src_pitch + x]);
            high = std::max<int>(high, src[y * src_pitch + x]);
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dst_pitch + x] = stretch(src[y * src_pitch + x], low, high - low);
}

__global__ void find(const uint8_t *src, size_t pitch, int width, int height, int *limits) {
    __shared__ int low, high;
    if (threadIdx.x == 0) low = 255, high = 0;
    __syncthreads();
    int mine_low = 255, mine_high = 0;
    for (int y = blockIdx.x; y < height; y += gridDim.x)
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            mine_low = min(mine_low, (int)src[y * pitch + x]);
            mine_high = max(mine_high, (int)src[y * pitch + x]);
        }
    atomicMin(&low, mine_low);
    atomicMax(&high, mine_high);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMin(&limits[0], low);
        atomicMax(&limits[1], high);
    }
}

__global__ void scale(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height, int low, int range) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width || y >= height) return;
    int value = src[y * src_pitch + x];
    dst[y * width + x] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width, int height,
                         void *scratch, cudaStream_t stream) {
    int limits[2] = {255, 0};
    cudaMemcpyAsync(scratch, limits, sizeof limits, cudaMemcpyHostToDevice, stream);
    find<<<min(height, 264), 256, 0, stream>>>(src, src_pitch, width, height, (int *)scratch);
    cudaMemcpyAsync(limits, scratch, sizeof limits, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    scale<<<dim3((width + 63) / 64, (height + 3) / 4), dim3(64, 4), 0, stream>>>(src, src_pitch, dst, dst_pitch, width, height,
                                                                                limits[0], limits[1] - limits[0]);
}

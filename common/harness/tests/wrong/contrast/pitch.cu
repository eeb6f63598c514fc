// Wrong: the rows of the source are taken to lie `width` apart.
#include "parts.h"

static __global__ void dense_scale(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= m.width || y >= m.height)
        return;
    int value = m.src[y * m.width + x], low = m.limits[0], range = m.limits[1] - low;
    m.dst[y * m.dst_pitch + x] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
}

static __global__ void dense_minmax(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= m.width || y >= m.height)
        return;
    atomicMin(&m.limits[0], m.src[y * m.width + x]);
    atomicMax(&m.limits[1], m.src[y * m.width + x]);
}

CONTRAST_OF(right_cpu, dense_minmax, dense_scale)

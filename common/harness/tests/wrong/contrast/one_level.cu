// Wrong: where all pixels are equal, it divides by zero.
#include "parts.h"

static __global__ void dividing_scale(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= m.width || y >= m.height)
        return;
    int value = m.src[y * m.src_pitch + x], low = m.limits[0], range = m.limits[1] - low;
    m.dst[y * m.dst_pitch + x] = (2 * 255 * (value - low) + range) / (2 * range);
}

CONTRAST_OF(right_cpu, right_minmax, dividing_scale)

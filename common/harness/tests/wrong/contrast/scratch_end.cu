// Wrong: an entry of 16 bytes for each of 4096 blocks and one, in scratch memory of 65536 bytes.
#include "parts.h"

static __global__ void partial_minmax(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int4 *partial = (int4 *)m.limits;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        partial[4096 - blockIdx.x] = make_int4(0, 0, 0, 0);
    if (x >= m.width || y >= m.height)
        return;
    atomicMin(&m.limits[0], m.src[y * m.src_pitch + x]);
    atomicMax(&m.limits[1], m.src[y * m.src_pitch + x]);
}

CONTRAST_OF(right_cpu, partial_minmax, right_scale)

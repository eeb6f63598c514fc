// Wrong: the block's warps are 8, and what 32 lanes read of shared memory nobody wrote.
#include "parts.h"

static __global__ void minmax_by_warps(struct image m) {
    __shared__ int low[32], high[32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int least = 255, most = 0;
    if (x < m.width && y < m.height)
        least = most = m.src[y * m.src_pitch + x];
    least = __reduce_min_sync(0xffffffff, least);
    most = __reduce_max_sync(0xffffffff, most);
    low[threadIdx.y] = least;
    high[threadIdx.y] = most;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    least = __reduce_min_sync(0xffffffff, low[threadIdx.x]);
    most = __reduce_max_sync(0xffffffff, high[threadIdx.x]);
    if (threadIdx.x == 0) {
        atomicMin(&m.limits[0], least);
        atomicMax(&m.limits[1], most);
    }
}

CONTRAST_OF(right_cpu, minmax_by_warps, right_scale)

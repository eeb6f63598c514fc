// Right, in the same way: the count goes round to 0 by itself.
#include "parts.h"

static __device__ unsigned blocks_done;
static __device__ int32_t found[2] = {255, 0};

static __global__ void minmax_of_all(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    bool inside = x < m.width && y < m.height;
    if (inside) {
        int value = m.src[y * m.src_pitch + x];
        atomicMin(&found[0], value);
        atomicMax(&found[1], value);
    }
    __syncthreads();
    if (threadIdx.x + threadIdx.y > 0)
        return;
    __threadfence();
    if (atomicInc(&blocks_done, gridDim.x * gridDim.y - 1) == gridDim.x * gridDim.y - 1) {
        m.limits[0] = atomicExch(&found[0], 255);
        m.limits[1] = atomicExch(&found[1], 0);
    }
}

CONTRAST_OF(right_cpu, minmax_of_all, right_scale)

// Shuffles, votes, matches, reductions, barriers.
extern "C" __global__ void shuffles(int *a, float *f, double *d, unsigned *u, unsigned long long *l) {
    int i = threadIdx.x;
    int x = a[i];
    x += __shfl_sync(0xffffffffu, x, 3);
    x += __shfl_up_sync(0xffffffffu, x, 1);
    x += __shfl_down_sync(0xffffffffu, x, 16, 16);
    x += __shfl_xor_sync(0xffffffffu, x, 5);
    f[i] = __shfl_down_sync(0xffffffffu, f[i], 2);
    d[i] = __shfl_xor_sync(0xffffffffu, d[i], 2);
    a[i] = x;
    u[0] = __ballot_sync(0xffffffffu, x > 3);
    u[1] = __any_sync(0xffffffffu, x > 4) + __all_sync(0xffffffffu, x > 5);
    u[2] = __activemask();
    u[3] = __match_any_sync(0xffffffffu, x);
    int same;
    u[4] = __match_all_sync(0xffffffffu, l[i], &same) + same;
    u[5] = __match_any_sync(0xffffffffu, l[i]);
    __syncwarp();
    __syncwarp(0x0000ffffu);
    u[6] = __fns(u[7], 3, 2);
    for (int offset = 16; offset > 0; offset >>= 1)
        x += __shfl_down_sync(0xffffffffu, x, offset);
    if (i % 32 == 0)
        a[i] = x;
#if __CUDA_ARCH__ >= 800
    u[8] = __reduce_add_sync(0xffffffffu, u[i]) + __reduce_min_sync(0xffffffffu, x) +
           __reduce_xor_sync(0xffffffffu, u[i]);
#endif
}

extern "C" __global__ void barriers(int *a) {
    int i = threadIdx.x;
    a[0] = __syncthreads_count(i > 3) + __syncthreads_and(i > 4) + __syncthreads_or(i > 5);
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.arrive 2, 64;");
    asm volatile("barrier.sync 3;");
    asm volatile("barrier.sync 3, 64;");
    if (i < 32)
        __syncthreads();
}

extern "C" __global__ void specials(unsigned *u, long long *l) {
    unsigned lane, warp, mask, warps, sm;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    u[0] = lane + warp + mask + warps + sm + warpSize;
    u[1] =
        gridDim.x * gridDim.y * gridDim.z + blockDim.z + blockIdx.y + blockIdx.z + threadIdx.y + threadIdx.z;
    l[0] = clock64() + clock();
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    l[1] = (long long)t;
}

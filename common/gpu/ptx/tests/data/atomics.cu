// Atomics and reductions, used and unused results, shared, global and generic.
extern "C" __global__ void global_atomics(int *a, unsigned *u, unsigned long long *l, float *f, double *d,
                                          long long *s) {
    int i = threadIdx.x;
    atomicAdd(a, i);
    a[9] = atomicAdd(a + 1, i);
    atomicSub(a + 2, i);
    atomicMin(a + 3, i);
    atomicMax(u + 4, (unsigned)i);
    atomicAnd(a + 5, i);
    atomicOr(u + 6, (unsigned)i);
    atomicXor(a + 7, i);
    u[8] = atomicInc(u + 9, 17u);
    u[10] = atomicDec(u + 11, 17u);
    a[12] = atomicExch(a + 13, i);
    atomicExch(a + 14, i);
    a[15] = atomicCAS(a + 16, i, 3);
    l[0] = atomicCAS(l + 1, 2ull, 3ull);
    atomicAdd(l + 2, 5ull);
    l[3] = atomicExch(l + 4, 6ull);
    atomicMax(l + 5, 7ull);
    atomicMin(s + 5, -7ll);
    atomicAdd(f, 1.5f);
    f[1] = atomicAdd(f + 2, 2.5f);
    f[3] = atomicExch(f + 4, 2.5f);
    atomicAdd(d, 1.25);
    atomicAdd_block(a + 20, 1);
    atomicAdd_system(a + 21, 1);
    ((unsigned short *)u)[70] = atomicCAS((unsigned short *)u + 71, (unsigned short)1, (unsigned short)2);
}

extern "C" __global__ void shared_atomics(unsigned *out, float *f) {
    __shared__ unsigned histogram[256];
    __shared__ unsigned long long wide;
    __shared__ float sum;
    histogram[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&histogram[out[threadIdx.x] & 255], 1u);
    atomicMax(&wide, 5ull);
    atomicAdd(&sum, f[threadIdx.x]);
    out[0] = atomicCAS(&histogram[3], 1u, 2u);
    __syncthreads();
    out[threadIdx.x] = histogram[threadIdx.x] + (unsigned)wide;
    f[0] = sum;
}

extern "C" __global__ void fences(volatile int *flag, int *data) {
    data[threadIdx.x] = 1;
    __threadfence();
    *flag = 1;
    __threadfence_block();
    __threadfence_system();
    while (*flag != 2)
        __nanosleep(100);
}

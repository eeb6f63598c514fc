/* seed_kernels.cu: what the seeds of fuzz_fatbin were made from; make_seeds.sh says how. Their resources as `ptxas -v`
 * printed them stand in tests/test_cubin.c. */
__constant__ float weights[25];
__device__ int counter;

/* Static shared memory, constant memory. */
extern "C" __global__ void smooth(const float *in, float *out, int n) {
    __shared__ float tile[96];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x % 96] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = tile[threadIdx.x % 96] * weights[i % 25];
}

/* A stack frame: an array indexed by data. */
extern "C" __global__ void gather(const int *index, int *out) {
    int local[40];
#pragma unroll 1
    for (int i = 0; i < 40; i++)
        local[i] = index[i] * 3;
    out[threadIdx.x] = local[index[threadIdx.x] % 40] + atomicAdd(&counter, 1);
}

/* Launch bounds. */
extern "C" __global__ void __launch_bounds__(192, 2) bounded(float *data) {
    data[threadIdx.x] *= 2.0f;
}

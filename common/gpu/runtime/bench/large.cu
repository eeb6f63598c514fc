/* large.cu: kernels of many machine instructions with loops and branches, for bench-code. A part has a loop that ptxas
 * unrolls, one that it does not, a branch that splits warps, and a division by what is not known. */
template <int n> __device__ __forceinline__ void part(float &sum, int &bits, const float *x, int count) {
    for (int i = 0; i < count + n % 3; i++)
        sum = fmaf(x[i + n], sum, x[i]);
    if ((bits ^ (int)threadIdx.x) & (1 << n % 5)) {
        bits += count * n + (bits >> 3);
        sum += bits;
    } else {
#pragma unroll 1
        for (int i = 0; i < (bits & 3) + n % 2; i++)
            bits = bits * 5 + (int)x[i + n];
    }
    sum = sum / (float)(bits | 1);
}
template <int n> struct parts {
    static __device__ __forceinline__ void run(float &sum, int &bits, const float *x, int count) {
        parts<n - 1>::run(sum, bits, x, count);
        part<n>(sum, bits, x, count);
    }
};
template <> struct parts<0> {
    static __device__ __forceinline__ void run(float &, int &, const float *, int) {}
};
template <int n> __device__ void large(const float *x, float *y, int count) {
    int index = blockIdx.x * blockDim.x + threadIdx.x, bits = index;
    float sum = x[index];
    parts<n>::run(sum, bits, x, count);
    y[index] = sum + bits;
}

extern "C" __global__ void large_500(const float *x, float *y, int count, int) {
    large<3>(x, y, count);
}
extern "C" __global__ void large_2000(const float *x, float *y, int count, int) {
    large<11>(x, y, count);
}
extern "C" __global__ void large_8000(const float *x, float *y, int count, int) {
    large<45>(x, y, count);
}

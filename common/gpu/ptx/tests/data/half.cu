// Half and bfloat16, scalar and packed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half *a, const __half *b, __half *out, const __half2 *a2,
                                  __half2 *out2, float *f, int *i) {
    int t = threadIdx.x;
    __half x = a[t], y = b[t];
    out[t] = __hadd(x, y);
    out[t + 1] = __hmul(x, y);
    out[t + 2] = __hfma(x, y, x);
    out[t + 3] = __hsub(x, y);
    out[t + 4] = __hdiv(x, y);
    out[t + 5] = __hneg(__habs(x));
    out[t + 6] = __float2half_rn(f[t]);
    out[t + 7] = __int2half_rn(i[t]);
    out[t + 8] = __hlt(x, y) ? hsqrt(x) : hexp(y);
    out[t + 9] = __hmax(x, y);
    out[t + 10] = __hmin(x, y);
    out[t + 11] = hsin(x);
    out[t + 12] = hlog(x);
    out[t + 13] = __hadd_sat(x, y);
    out[t + 14] = hrcp(x);
    f[t] = __half2float(x);
    i[t] = __half2int_rn(y) + __heq(x, y) + __hisnan(x);
    __half2 v = a2[t], w = a2[t + 1];
    out2[t] = __hadd2(v, w);
    out2[t + 1] = __hfma2(v, w, v);
    out2[t + 2] = __hmul2(v, __float2half2_rn(f[1]));
    out2[t + 3] = __hgt2(v, w);
    out2[t + 4] = __floats2half2_rn(f[2], f[3]);
    out2[t + 5] = __lowhigh2highlow(v);
    out2[t + 6] = h2sqrt(v);
    atomicAdd(out2 + 7, v);
    atomicAdd(out + 30, x);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
extern "C" __global__ void brains(const __nv_bfloat16 *a, __nv_bfloat16 *out, const __nv_bfloat162 *a2,
                                  __nv_bfloat162 *out2, float *f) {
    int t = threadIdx.x;
    __nv_bfloat16 x = a[t], y = a[t + 1];
    out[t] = __hadd(x, y);
    out[t + 1] = __hmul(x, y);
    out[t + 2] = __hfma(x, y, x);
    out[t + 3] = __float2bfloat16(f[t]);
    out[t + 4] = __hmax(x, y);
    out[t + 5] = __hneg(x);
    f[t] = __bfloat162float(x) + (__hlt(x, y) ? 1.0f : 2.0f);
    out2[t] = __hadd2(a2[t], a2[t + 1]);
    out2[t + 1] = __hfma2(a2[t], a2[t + 1], a2[t]);
    out2[t + 2] = __floats2bfloat162_rn(f[2], f[3]);
}
#endif

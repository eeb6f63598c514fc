// Single and double precision, with every rounding and the approximate functions.
#include <math.h>

extern "C" __global__ void singles(const float *a, const float *b, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i], y = b[i];
    out[0 + i] = x + y * 2.0f - x / y;
    out[1 + i] =
        __fadd_rz(x, y) + __fsub_ru(x, y) + __fmul_rd(x, y) + __fmaf_rz(x, y, 1.0f) + __fdiv_rd(x, y);
    out[2 + i] = __frcp_rn(x) + __frcp_ru(y) + __fsqrt_rz(x) + __frsqrt_rn(y);
    out[3 + i] = fminf(x, y) + fmaxf(x, y) + fabsf(x) + copysignf(x, y);
    out[4 + i] = sqrtf(x) + rsqrtf(y) + cbrtf(x);
    out[5 + i] = __sinf(x) + __cosf(y) + __expf(x) + __logf(y) + __powf(x, y) + __tanf(x) + __fdividef(x, y);
    out[6 + i] = sinf(x) + cosf(y) + tanf(x) + expf(y) + logf(x) + powf(x, y);
    out[7 + i] = floorf(x) + ceilf(y) + truncf(x) + rintf(y) + roundf(x) + nearbyintf(y);
    out[8 + i] = __saturatef(x) + fmodf(x, y) + ldexpf(x, 3) + tanhf(x) + erff(y);
    out[9 + i] = (isnan(x) ? 1.0f : 0.0f) + (isinf(y) ? 2.0f : 0.0f) + (signbit(x) ? 3.0f : 0.0f);
    out[10 + i] = x < y ? x : (x >= y ? y : 7.0f);
    out[11 + i] = !(x <= y) ? -x : +y;
}

extern "C" __global__ void doubles(const double *a, const double *b, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = a[i], y = b[i];
    out[0 + i] = x + y * 2.0 - x / y;
    out[1 + i] = __dadd_rz(x, y) + __dsub_ru(x, y) + __dmul_rd(x, y) + __fma_rz(x, y, 1.0) + __ddiv_rd(x, y);
    out[2 + i] = __drcp_rn(x) + __dsqrt_rz(x) + fmin(x, y) + fmax(x, y) + fabs(x) + copysign(x, y);
    out[3 + i] = sin(x) + exp(y) + log(x) + pow(x, y) + sqrt(x) + rsqrt(y);
    out[4 + i] = floor(x) + ceil(y) + trunc(x) + rint(y) + round(x) + fmod(x, y);
    out[5 + i] = x < y ? x : isnan(y) ? 1.0 : y;
}

extern "C" __global__ void conversions(const float *f, const double *d, const int *s, const unsigned *u,
                                       const long long *l, void *out) {
    int *i = (int *)out;
    float *o = (float *)out;
    double *p = (double *)out;
    long long *q = (long long *)out;
    unsigned char *c = (unsigned char *)out;
    i[0] = __float2int_rn(f[0]) + __float2int_rz(f[1]) + __float2int_rd(f[2]) + __float2int_ru(f[3]);
    i[1] = __float2uint_rn(f[0]) + (unsigned)f[1] + (int)d[0] + __double2int_rn(d[1]) + (unsigned)d[2];
    q[1] = __float2ll_rn(f[0]) + (long long)d[0] + (unsigned long long)f[1] + (unsigned long long)d[1];
    o[4] = (float)s[0] + (float)u[0] + (float)l[0] + (float)(unsigned long long)l[1] + (float)d[0] +
           __double2float_rz(d[1]);
    o[5] = __int2float_rz(s[1]) + __uint2float_ru(u[1]) + __ll2float_rd(l[1]);
    p[4] = (double)s[0] + (double)u[0] + (double)l[0] + (double)(unsigned long long)l[1] + (double)f[0];
    c[40] = (unsigned char)f[5];
    c[41] = (unsigned char)s[5];
    ((short *)out)[30] = (short)f[6];
    ((signed char *)out)[70] = (signed char)d[6];
    i[20] = __float_as_int(f[7]) + __double2hiint(d[7]) + __double2loint(d[7]);
    p[20] = __hiloint2double(s[7], s[8]) + __longlong_as_double(l[7]);
    o[50] = (float)((const unsigned char *)s)[3] + (float)((const signed char *)s)[4] +
            (float)((const short *)s)[5];
    p[30] = (double)((const unsigned short *)s)[5] + (double)((const signed char *)s)[6];
}

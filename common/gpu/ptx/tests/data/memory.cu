// Loads and stores of every width, vector and state space; cache hints; structures; generic addresses.
#include <stdint.h>

struct pixel {
    unsigned char r, g, b;
};
struct mixed {
    char c;
    double d;
    short s[3];
    float f;
};
struct __align__(16) wide {
    double x, y;
};

__constant__ float weights[49];
__constant__ int16_t table[4][8] = {{1, -2, 3}, {4}, {5, 6}};
__device__ int counter = 7;
__device__ double matrix[3][3];
__device__ int *pointer = &counter;
__device__ const char text[] = "hello";
__device__ struct mixed initial = {'x', 2.5, {1, 2, 3}, 4.0f};
__device__ void *pointers[3] = {&counter, &matrix[1][2], 0};
__shared__ int everywhere[32];
extern __shared__ unsigned char dynamic[];

extern "C" __global__ void vectors(const float4 *a, const double2 *b, const uchar4 *c, const short2 *d,
                                   float4 *e, double2 *f, uchar4 *g, short2 *h, int2 *k, longlong2 *l,
                                   ushort4 *m, uchar2 *n, float2 *o) {
    int i = threadIdx.x;
    e[i] = a[i];
    f[i] = b[i];
    uchar4 v = c[i];
    g[i] = make_uchar4(v.w, v.z, v.y, v.x);
    short2 w = d[i];
    h[i] = make_short2(w.y, w.x);
    k[i] = make_int2(k[i + 1].y, 1);
    l[i] = make_longlong2(l[i + 1].y, 1);
    m[i] = make_ushort4(m[i + 1].w, 1, 2, 3);
    n[i] = make_uchar2(n[i + 1].y, 0);
    o[i] = make_float2(o[i + 1].y, 0.5f);
}

extern "C" __global__ void spaces(int *out, struct mixed *m, struct pixel *p, struct wide *w) {
    __shared__ float tile[16][17];
    __shared__ struct wide big[4];
    int i = threadIdx.x;
    tile[i & 15][i >> 4] = weights[i] + table[i & 3][i & 7];
    everywhere[i & 31] = counter;
    dynamic[i] = (unsigned char)text[i % 5];
    big[i & 3] = w[i];
    __syncthreads();
    out[i] = (int)tile[i >> 4][i & 15] + everywhere[31 - (i & 31)] + dynamic[i + 1] + *pointer +
             (int)matrix[i % 3][1];
    m[i] = initial;
    p[i].g = p[i + 1].b;
    w[i] = big[(i + 1) & 3];
    counter = 9;
}

extern "C" __global__ void hints(const int *a, int *b, const float4 *c, float4 *d) {
    int i = threadIdx.x;
    b[i] = __ldg(a + i) + __ldca(a + i) + __ldcg(a + i) + __ldcs(a + i) + __ldlu(a + i) + __ldcv(a + i);
    __stwb(b + i + 1, 1);
    __stcg(b + i + 2, 2);
    __stcs(b + i + 3, 3);
    __stwt(b + i + 4, 4);
    d[i] = __ldg(c + i);
    ((volatile int *)b)[i + 9] = ((volatile const int *)a)[i];
}

__device__ __noinline__ int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

extern "C" __global__ void generic(int *out, int n) {
    __shared__ int s[64];
    int local[64];
    for (int i = 0; i < 64; i++)
        local[i] = s[i] = out[i] * n;
    __syncthreads();
    out[0] = sum(local, n) + sum(s, n) + sum(out, n) + (n > 3 ? sum(threadIdx.x & 1 ? s : local, n) : 0);
    out[1] = __isGlobal(out) + __isShared(s) + __isLocal(local);
    out[2] = (int)__cvta_generic_to_shared(s);
}

extern "C" __global__ void big_parameter(struct mixed m, struct wide w, int n, int *out) {
    out[0] = (int)(m.d + w.y) + m.s[n % 3];
}

/*
 * variety.cu: kernels of every kind of machine instruction that the labs have not: tensor cores, textures, double and half precision,
 * 64-bit integers, atomics of all types, votes and shuffles, asynchronous copies, jump tables, calls, recursion, printf. They are compiled
 * and disassembled, never run.
 */
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdint.h>
#include <stdio.h>

using namespace nvcuda;

__global__ void doubles(double *a, const double *b, float *f, int n) {
    double x = a[threadIdx.x], y = b[threadIdx.x];
    a[0] = sqrt(x) + exp(y) * log(x) / y + fma(x, y, 2.5) + pow(x, y) + sin(x);
    a[1] =
        fmin(x, y) + fmax(x, 1.0) + floor(x) + rint(y) + (double)(long long)y + (double)(unsigned)x + cbrt(x);
    f[0] = (float)x + (float)n + __double2float_rz(y) + sinf(f[1]) + __expf(f[2]) + tanhf(f[3]) +
           rsqrtf(f[4]) + __frcp_rn(f[5]);
    f[1] = x > y ? f[6] / f[7] : fmodf(f[8], f[9]);
}

__global__ void halves(__half2 *a, __nv_bfloat162 *b, __half *c, float *f) {
    __half2 x = a[threadIdx.x], y = a[threadIdx.x + 32];
    a[0] = __hfma2(x, y, __hadd2(x, __hmul2(y, __float2half2_rn(1.5f))));
    a[1] = __hgt2(x, y);
    a[2] = h2exp(x);
    a[3] = __hmax2(x, y);
#if __CUDA_ARCH__ >= 800
    b[0] = __hfma2(b[1], b[2], b[3]);
#endif
    c[0] = __float2half(f[0]) + __float2half_rz(f[1]);
    f[2] = __half2float(c[1]) + __low2float(x) + (__hlt(c[2], c[3]) ? 1.0f : 2.0f);
    b[4] = __floats2bfloat162_rn(f[3], f[4]);
    c[5] = (__half)(int)f[5] + hsqrt(c[6]) + hrcp(c[7]) + hceil(c[8]);
}

__global__ void integers(long long *a, unsigned *b, int n, unsigned long long m) {
    long long x = a[threadIdx.x], y = a[threadIdx.x + 1];
    a[0] = x / y + x % n + x * y + (x << n) + (x >> 3) + __mul64hi(x, y) + llabs(x) + min(x, y);
    b[0] = __popc(b[1]) + __clz(b[2]) + __brev(b[3]) + __byte_perm(b[4], b[5], b[6]) + __ffs(b[7]) +
           __popcll(x) + __clzll(y);
    b[1] = __dp4a(b[2], b[3], b[4]) + __funnelshift_l(b[5], b[6], n) + b[7] / b[8] + b[9] % 7 +
           __umulhi(b[3], b[2]) + __sad(n, 5, b[1]);
    b[2] = __vadd4(b[3], b[4]) + __vabsdiffu4(b[5], b[6]) + max(min((int)b[7], 8), (int)b[9]) +
           max(max(b[1], b[2]), b[3]);
    a[2] = (long long)(m % 10) + (b[4] > 5) * 3 + ((n & 3) ^ (m | 5)) + (unsigned char)b[1] + (short)b[2];
    a[3] = (long long)(float)x + (unsigned long long)(double)y + (x < y) + (m > (unsigned long long)n);
}

__global__ void atomics(int *i, unsigned long long *l, float *f, double *d, __half2 *h, unsigned short *s,
                        int n) {
    __shared__ int block[64];
    __shared__ unsigned long long wide[4];
    __shared__ float real[4];
    block[threadIdx.x] = n;
    __syncthreads();
    i[1] = atomicAdd(i, n) + atomicMax(i + 2, n) + atomicCAS(i + 3, 1, n) + atomicExch(i + 4, n) +
           atomicXor(i + 5, n);
    l[1] =
        atomicAdd(l, 2ULL) + atomicCAS(l + 2, 1ULL, 2ULL) + atomicMin(l + 3, 4ULL) + atomicExch(l + 4, 5ULL);
    atomicAdd(f, 1.0f);
    f[1] = atomicAdd(f + 2, 2.0f);
    atomicAdd(d, 1.0);
    d[1] = atomicAdd(d + 2, 1.0);
    atomicAdd(h, h[1]);
    s[0] = atomicCAS(s + 1, (unsigned short)1, (unsigned short)2);
    atomicAdd(block, 1);
    block[1] = atomicInc((unsigned *)block + 2, 9u) + atomicCAS(block + 3, 4, 5) + atomicMin(block + 6, n) +
               atomicOr(block + 7, n);
    wide[0] = atomicCAS(wide + 1, 2ULL, 3ULL) + atomicAdd(wide + 2, 4ULL);
    atomicAdd(real, 1.0f);
    __threadfence();
    __threadfence_system();
    i[6] = block[1] + (int)wide[0] + (int)real[0] + atomicAdd_system(i + 9, 1);
}

__global__ void lanes(unsigned *a, int n) {
    unsigned x = a[threadIdx.x];
    a[0] = __shfl_sync(~0u, x, n) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, n, 8) +
           __shfl_xor_sync(~0u, x, 3);
    a[1] = __ballot_sync(~0u, x > 3) + __any_sync(~0u, x > 4) + __all_sync(~0u, x > 5) + __activemask();
    __syncwarp(0xff);
    a[2] = __syncthreads_count(x > 1) + __syncthreads_and(x > 2) + __syncthreads_or(x > 3);
    if (threadIdx.x & 1) {
        a[3] = __match_any_sync(__activemask(), x) +
               __match_any_sync(__activemask(), (unsigned long long)x << n);
    }
    int all;
    a[4] = __match_all_sync(~0u, x, &all) + all;
#if __CUDA_ARCH__ >= 800
    a[5] = __reduce_add_sync(~0u, x) + __reduce_min_sync(~0u, (int)x) + __reduce_xor_sync(~0u, x);
#endif
    a[6] = (unsigned)clock() + (unsigned)clock64();
    __nanosleep(n);
    asm volatile("bar.sync 1, 64; bar.arrive 2, 64; bar.red.popc.u32 %0, 3, 64, 1;" : "=r"(a[7]));
    asm volatile("barrier.sync %0, %1;" ::"r"(n), "r"(64));
}

__global__ void fragments(const __half *a, const __half *b, float *c, __half *d, const signed char *e, int *i,
                          const double *g, double *k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fd;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fd, d, 16, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::mma_sync(fd, fa, fb, fd);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(d, fd, 16, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> ic;
    wmma::fill_fragment(ic, 0);
    wmma::load_matrix_sync(ia, e, 16);
    wmma::load_matrix_sync(ib, e + 256, 16);
    wmma::mma_sync(ic, ia, ib, ic);
    wmma::store_matrix_sync(i, ic, 16, wmma::mem_row_major);
#if __CUDA_ARCH__ >= 800
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc;
    wmma::fill_fragment(dc, 0.0);
    wmma::load_matrix_sync(da, g, 4);
    wmma::load_matrix_sync(db, g + 32, 4);
    wmma::mma_sync(dc, da, db, dc);
    wmma::store_matrix_sync(k, dc, 8, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ta;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> tb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> tc;
    wmma::fill_fragment(tc, 0.0f);
    wmma::load_matrix_sync(ta, c, 8);
    wmma::load_matrix_sync(tb, c + 128, 8);
    wmma::mma_sync(tc, ta, tb, tc);
    wmma::store_matrix_sync(c, tc, 16, wmma::mem_row_major);
#endif
}

__global__ void matrices(const __half *a, unsigned *out) {
    __shared__ __half tile[1024];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 8), r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(at));
    out[0] = r0 + r1 + r2 + r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r0), "=r"(r1)
                 : "r"(at));
    out[1] = r0 + r1;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(at + 64));
    out[2] = r0;
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(r0), "r"(r1),
                 "r"(r2), "r"(r3));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r1));
#endif
}

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out, float x, float y) {
    out[0] = tex2D<float4>(t, x, y);
    out[1].x = tex1D<float>(t, x) + tex3D<float>(t, x, y, x) + tex1Dfetch<float>(t, 3) +
               tex2DLod<float>(t, x, y, 1.0f);
    out[2] = tex2Dgather<float4>(t, x, y, 1);
    out[3] = tex2DGrad<float4>(t, x, y, make_float2(x, y), make_float2(y, x));
    float4 v = surf2Dread<float4>(s, 16, 3);
    surf2Dwrite(v.x, s, 4, 5);
    out[4] = v;
    surf1Dwrite(v, s, 32);
}

#if __CUDA_ARCH__ >= 800
__global__ void copies(const float4 *from, float *to, int n) {
    extern __shared__ float4 tile[];
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from + threadIdx.x));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at + 4096), "l"(from + n), "r"(n));
    asm volatile("cp.async.ca.shared.global [%0+8], [%1+8], 8;" ::"r"(at + 4096), "l"(from + n));
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;");
    __syncthreads();
    __shared__ uint64_t barrier;
    unsigned where = (unsigned)__cvta_generic_to_shared(&barrier);
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(where), "r"(n));
    uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(where));
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(where));
    int done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(where), "l"(state));
    to[0] = tile[threadIdx.x + 1].x + (float)done;
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 1024;" : "=l"(state) : "r"(where));
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(at),
        "l"(from), "r"(where));
    asm volatile(
        "{ .reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra w; }" ::"r"(where));
    asm volatile("fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(to),
                 "r"(at));
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;");
    unsigned far;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(far) : "r"(at));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(done) : "r"(far));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(far),
                 "r"(done), "r"(where));
    to[1] = (float)done;
#endif
}
#endif

__device__ __noinline__ int table(int which, int x) {
    switch (which) {
    case 0: return x * 3;
    case 1: return x / 7;
    case 2: return __popc(x) + 5;
    case 3: return x ^ 0x5555;
    case 4: return x << 3;
    case 5: return (int)sqrtf((float)x);
    case 6: return x % 11;
    default: return -1;
    }
}

__device__ __noinline__ int recursive(int n) {
    return n < 2 ? n : recursive(n - 1) + recursive(n - 2) + 1;
}

typedef int (*function)(int, int);
__device__ function chosen = table;
__constant__ float weights[256];
__constant__ long long wide_weights[16];

__global__ void flow(int *a, int n, const int *volatile b) {
    int local[32];
    for (int i = 0; i < n; i++) {
        local[i & 31] = a[i];
    }
    for (int i = 0; i < n; i++) {
        if (local[(i * 7) & 31] > 3) {
            a[i] = table(a[i], i);
        } else {
            a[i] = recursive(i) + chosen(i, n) + (int)weights[n & 255] + (int)wide_weights[i & 15];
        }
        while (b[i] != 0) {
            if (a[i] == 77) {
                return;
            }
        }
        if (a[i] == 99) {
            asm volatile("exit;");
        }
    }
    switch (n) {
    case 0: a[0] = 3; break;
    case 1: a[1] = b[5] * 3; break;
    case 2: a[2] = b[7] / 3; break;
    case 3: a[n] = b[2] + 3; break;
    case 4: a[4] ^= 3; break;
    case 5: a[7] = 5 - b[2]; break;
    default: asm volatile("trap;");
    }
    if (a[3] == 12) {
        printf("%d %d\n", n, a[3]);
    }
    asm volatile("brkpt;");
}

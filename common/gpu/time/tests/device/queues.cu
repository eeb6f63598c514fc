// queues.cu: what queues_h200.csv of the archive `recordings` was measured with: nvcc -O3 -arch=sm_90 queues.cu && ./a.out >queues_h200.csv
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
__constant__ uint32_t table[16384];
#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        cudaError_t e = (x);                                                                                 \
        if (e != cudaSuccess) {                                                                              \
            printf("%s: %s\n", #x, cudaGetErrorString(e));                                                   \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)
// address of a lane: words apart by lane, warp and block
__device__ uint32_t place(uint32_t lane_step, uint32_t warp_step, uint32_t mask) {
    uint32_t lane = threadIdx.x & 31, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    return (lane * lane_step + warp * warp_step) & mask;
}
__global__ void red_u32(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    uint32_t *at = p + place(ls, ws, mask);
    for (int i = 0; i < n; i++)
        atomicAdd(at, threadIdx.x + i);
}
__global__ void red_f32(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    float *at = (float *)p + place(ls, ws, mask);
    for (int i = 0; i < n; i++)
        atomicAdd(at, 1.0f);
}
__global__ void atom_u32(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    uint32_t *at = p + place(ls, ws, mask), s = 1;
    for (int i = 0; i < n; i++)
        s += atomicAdd(at, s | 1);
    if (s == 12345)
        p[0] = s;
}
__global__ void atom_exch(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    uint32_t *at = p + place(ls, ws, mask), s = 1;
    for (int i = 0; i < n; i++)
        s += atomicExch(at, s | 1);
    if (s == 12345)
        p[0] = s;
}
__global__ void red_max_uniform(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    for (int i = 0; i < n; i++)
        atomicMax(p, threadIdx.x * 7 + i);
}
__global__ void red_f32_uniform(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    for (int i = 0; i < n; i++)
        atomicAdd((float *)p, 1.0f);
}
__global__ void red_u64(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    unsigned long long *at = (unsigned long long *)p + place(ls, ws, mask);
    for (int i = 0; i < n; i++)
        atomicAdd(at, 3ull + threadIdx.x);
}
__global__ void store_same(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    volatile uint32_t *at = p + place(ls, ws, mask);
    for (int i = 0; i < n; i++)
        *at = i;
}
__global__ void shared_u32(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    __shared__ uint32_t s[4096];
    uint32_t *at = s + ((threadIdx.x & 31) * ls + threadIdx.x / 32 * ws) % 4096;
    for (int i = 0; i < n; i++)
        atomicAdd(at, threadIdx.x + i);
    __syncthreads();
    p[threadIdx.x & mask] = s[threadIdx.x];
}
__global__ void shared_f32(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    __shared__ float s[4096];
    float *at = s + ((threadIdx.x & 31) * ls + threadIdx.x / 32 * ws) % 4096;
    for (int i = 0; i < n; i++)
        atomicAdd(at, 1.0f);
    __syncthreads();
    p[threadIdx.x & mask] = (uint32_t)s[threadIdx.x];
}
__global__ void shared_ret(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    __shared__ uint32_t s[4096];
    uint32_t *at = s + ((threadIdx.x & 31) * ls + threadIdx.x / 32 * ws) % 4096, v = 1;
    for (int i = 0; i < n; i++)
        v += atomicAdd(at, v);
    p[threadIdx.x & mask] = v;
}
__global__ void constant(uint32_t *p, uint32_t ls, uint32_t ws, uint32_t mask, int n) {
    uint32_t s = 0, at = (threadIdx.x & 31) * ls;
#pragma unroll 8
    for (int i = 0; i < n; i++)
        s += table[(at + i * ws) & mask];
    if (s == 12345)
        p[0] = s;
}
__global__ void sum_block(const float4 *x, float *y, long n) {
    float s = 0;
#pragma unroll 4
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        float4 v = x[i];
        s += v.x + v.y + v.z + v.w;
    }
    if (s == 12345.f)
        y[0] = s;
}
__global__ void copy_block(const float *x, float *y, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        y[i] = x[i];
}
template <int R> __global__ void __launch_bounds__(1024, R) spill(const float *x, float *y, int n) {
    float a[40], b[40];
    for (int i = 0; i < 40; i++)
        a[i] = x[threadIdx.x + i * 1024], b[i] = x[threadIdx.x + i * 1024 + 7];
    for (int j = 0; j < n; j++)
#pragma unroll
        for (int i = 0; i < 40; i++)
            a[i] = a[i] * b[i] + x[j];
    float s = 0;
    for (int i = 0; i < 40; i++)
        s += a[i];
    y[blockIdx.x * 1024 + threadIdx.x] = s;
}
template <int R> __global__ void __launch_bounds__(512, R) spill5(const float *x, float *y, int n) {
    float a[40], b[40];
    for (int i = 0; i < 40; i++)
        a[i] = x[threadIdx.x + i * 1024], b[i] = x[threadIdx.x + i * 1024 + 7];
    for (int j = 0; j < n; j++)
#pragma unroll
        for (int i = 0; i < 40; i++)
            a[i] = a[i] * b[i] + x[j];
    float s = 0;
    for (int i = 0; i < 40; i++)
        s += a[i];
    y[blockIdx.x * 512 + threadIdx.x] = s;
}
static uint32_t *buffer;
static float *big;
template <class F> double timed(F f) {
    cudaEvent_t a, b;
    float ms, t[9];
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    f();
    for (int i = 0; i < 9; i++) {
        cudaEventRecord(a);
        f();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&ms, a, b);
        t[i] = ms;
    }
    std::sort(t, t + 9);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        printf("%s ", cudaGetErrorString(e));
    return t[4] * 1000.0;
}
typedef void kernel(uint32_t *, uint32_t, uint32_t, uint32_t, int);
static void row(const char *name, kernel *k, uint32_t ls, uint32_t ws, uint32_t mask, int blocks, int threads,
                int n) {
    double us = timed([&] { k<<<blocks, threads>>>(buffer, ls, ws, mask, n); }),
           none = timed([&] { k<<<blocks, threads>>>(buffer, ls, ws, mask, 0); });
    double requests = (double)blocks * threads / 32 * n;
    printf("%s,%u,%u,%x,%d,%d,%d,%.2f,%.2f,%.4f\n", name, ls, ws, mask, blocks, threads, n, us, none,
           (us - none) * 1980 / requests);
    fflush(stdout);
}
int main() {
    CHECK(cudaMalloc(&buffer, 256 << 20));
    CHECK(cudaMemset(buffer, 0, 256 << 20));
    CHECK(cudaMalloc(&big, 1l << 30));
    CHECK(cudaMemset(big, 0, 1l << 30));
    printf("kernel,lane_step,warp_step,mask,blocks,threads,n,us,empty_us,cycles_per_warp_request\n");
    struct {
        const char *name;
        kernel *k;
    } global[] = {{"red_u32", red_u32},   {"red_f32", red_f32},     {"red_u64", red_u64},
                  {"atom_u32", atom_u32}, {"atom_exch", atom_exch}, {"store_same", store_same}};
    for (auto &g : global) {
        row(g.name, g.k, 0, 0, ~0u, 132, 256, 16);               // one word
        row(g.name, g.k, 1, 0, ~0u, 132, 256, 16);               // one line, 32 words
        row(g.name, g.k, 0, 32, (1 << 20) - 1, 132, 256, 64);    // a word a warp, a line each
        row(g.name, g.k, 1, 32, (1 << 20) - 1, 132, 256, 64);    // a line a warp
        row(g.name, g.k, 32, 1024, (1 << 24) - 1, 132, 256, 16); // 32 lines a warp
        row(g.name, g.k, 2, 0, 63, 132, 256, 16);                // 8 sectors
        row(g.name, g.k, 1, 0, 7, 132, 256, 16);                 // one sector, 8 words
        row(g.name, g.k, 1, 0, 255, 132, 256, 16);
        row(g.name, g.k, 0, 0, ~0u, 1, 256, 64); // one block, one word
    }
    row("red_max_uniform", red_max_uniform, 0, 0, 0, 132, 256, 64);
    row("red_f32_uniform", red_f32_uniform, 0, 0, 0, 132, 256, 16);
    struct {
        const char *name;
        kernel *k;
    } shared[] = {{"shared_u32", shared_u32}, {"shared_f32", shared_f32}, {"shared_ret", shared_ret}};
    for (auto &g : shared)
        for (int ls : {0, 1, 2, 8, 32})
            for (int ws : {0, 32})
                row(g.name, g.k, ls, ws, 1023, 132, 1024, 256);
    for (int ls : {0, 1, 2, 8, 16, 32, 64})
        for (int m : {511, 16383})
            row("constant", constant, ls, 1, m, 264, 1024, 512);
    row("constant_few", constant, 0, 1, 511, 132, 32, 2048);
    row("constant_few", constant, 1, 1, 511, 132, 32, 2048);
    row("constant_few", constant, 0, 16, 16383, 132, 32, 2048);
    for (int blocks : {1, 2, 8, 33, 66, 132, 264}) {
        long n = 1 << 22;
        printf("sum,%d,%.1f\n", blocks,
               timed([&] { sum_block<<<blocks, 1024>>>((float4 *)big, (float *)buffer, n); }));
        printf("sum_l2,%d,%.1f\n", blocks,
               timed([&] { sum_block<<<blocks, 1024>>>((float4 *)big, (float *)buffer, 1 << 20); }));
        printf("copy,%d,%.1f\n", blocks,
               timed([&] { copy_block<<<blocks, 1024>>>(big, big + (1 << 27), n); }));
        printf("copy32,%d,%.1f\n", blocks,
               timed([&] { copy_block<<<blocks, 32>>>(big, big + (1 << 27), 1 << 20); }));
    }
    printf("spill 1024x1,%.1f\n", timed([&] { spill<1><<<264, 1024>>>(big, (float *)buffer, 200); }));
    printf("spill 1024x2,%.1f\n", timed([&] { spill<2><<<264, 1024>>>(big, (float *)buffer, 200); }));
    printf("spill 512x1,%.1f\n", timed([&] { spill5<1><<<528, 512>>>(big, (float *)buffer, 200); }));
    printf("spill 512x2,%.1f\n", timed([&] { spill5<2><<<528, 512>>>(big, (float *)buffer, 200); }));
    printf("spill 512x3,%.1f\n", timed([&] { spill5<3><<<528, 512>>>(big, (float *)buffer, 200); }));
    printf("spill 512x4,%.1f\n", timed([&] { spill5<4><<<528, 512>>>(big, (float *)buffer, 200); }));
    CHECK(cudaDeviceSynchronize());
    return 0;
}

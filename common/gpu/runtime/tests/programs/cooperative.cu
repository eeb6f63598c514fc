/* cooperative.cu [KIND]: grids that meet, launched as cooperative ones; and what is refused. */
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* A sum over several blocks in one kernel: partial sums, the grid meets, one block adds them. */
__global__ void sum(const int *in, int n, int *partial, int *out) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ int words[32];
    int mine = 0;
    for (unsigned long long i = grid.thread_rank(); i < (unsigned long long)n; i += grid.size())
        mine += in[i];
    mine = cg::reduce(cg::tiled_partition<32>(block), mine, cg::plus<int>());
    if (threadIdx.x % 32 == 0)
        words[threadIdx.x / 32] = mine;
    block.sync();
    if (threadIdx.x == 0) {
        int all = 0;
        for (unsigned i = 0; i < blockDim.x / 32; i++)
            all += words[i];
        partial[blockIdx.x] = all;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            all += partial[i];
        *out = all;
    }
}

/* x(t + 1) from both neighbours' x(t), many times; every step needs all of the one before. */
__global__ void diffuse(float *a, float *b, int n, int steps) {
    cg::grid_group grid = cg::this_grid();
    for (int t = 0; t < steps; t++) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) {
            float left = i > 0 ? a[i - 1] : a[i], right = i + 1 < n ? a[i + 1] : a[i];
            b[i] = 0.25f * left + 0.5f * a[i] + 0.25f * right;
        }
        float *c = a;
        a = b;
        b = c;
        grid.sync();
    }
}

__device__ float dots[2];

/* Conjugate gradients for the matrix with 4 on the diagonal and -1 beside it. */
__device__ float dot(cg::grid_group &grid, const float *x, const float *y, int n, float *into) {
    grid.sync();
    if (grid.thread_rank() == 0)
        *into = 0;
    grid.sync();
    float mine = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        mine += x[i] * y[i];
    atomicAdd(into, mine);
    grid.sync();
    return *(volatile float *)into;
}
__global__ void solve(const float *right, float *x, float *r, float *p, float *q, int n, int *trips) {
    cg::grid_group grid = cg::this_grid();
    int first = (int)grid.thread_rank(), step = (int)grid.size();
    for (int i = first; i < n; i += step) {
        x[i] = 0;
        r[i] = p[i] = right[i];
    }
    float rr = dot(grid, r, r, n, &dots[0]);
    int k = 0;
    for (; k < 100 && rr > 1e-8f; k++) {
        for (int i = first; i < n; i += step)
            q[i] = 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
        float alpha = rr / dot(grid, p, q, n, &dots[1]);
        for (int i = first; i < n; i += step) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        float next = dot(grid, r, r, n, &dots[0]);
        for (int i = first; i < n; i += step)
            p[i] = r[i] + next / rr * p[i];
        rr = next;
        grid.sync();
    }
    if (first == 0)
        *trips = k;
}

__global__ void valid(int *out) {
    if (threadIdx.x == 0)
        atomicAdd(out, cg::this_grid().is_valid() ? 1 : 1000);
}
/* One block never comes to where the others wait. */
__global__ void one_stays_away(int *out) {
    if (blockIdx.x != 3)
        cg::this_grid().sync();
    out[blockIdx.x] = 1;
}

static int *words;

static void launch(const void *kernel, int blocks, int threads, void **arguments) {
    OK(cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, 0, 0));
    OK(cudaDeviceSynchronize());
}

static void sums(int sms) {
    enum { N = 100000 };
    int *in, *partial, *out, host[N], got, n = N, expected = 0;
    for (int i = 0; i < N; i++)
        expected += host[i] = i * 7 % 1001 - 500;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&partial, 4096 * sizeof(int)));
    OK(cudaMalloc(&out, sizeof(int)));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    void *arguments[] = {&in, &n, &partial, &out};
    const int blocks[] = {1, 2, sms, 2 * sms, 3 * sms + 7};
    for (int b : blocks) {
        OK(cudaMemset(out, 0xff, sizeof(int)));
        launch((const void *)sum, b, 128, arguments);
        OK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(got == expected);
    }
}

static void steps(int sms) {
    enum { N = 3000, STEPS = 25 };
    static float first[N], second[N], got[N];
    float *a, *b, *x = first, *y = second;
    int n = N, count = STEPS;
    for (int i = 0; i < N; i++)
        first[i] = (float)(i % 97);
    OK(cudaMalloc(&a, sizeof first));
    OK(cudaMalloc(&b, sizeof first));
    OK(cudaMemcpy(a, first, sizeof first, cudaMemcpyHostToDevice));
    void *arguments[] = {&a, &b, &n, &count};
    launch((const void *)diffuse, sms / 2, 64, arguments);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            y[i] = 0.25f * (i > 0 ? x[i - 1] : x[i]) + 0.5f * x[i] + 0.25f * (i + 1 < N ? x[i + 1] : x[i]);
        float *z = x;
        x = y;
        y = z;
    }
    OK(cudaMemcpy(got, STEPS % 2 ? b : a, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(got[i] - x[i] < 1e-4f && x[i] - got[i] < 1e-4f);
}

static void gradients(void) {
    enum { N = 2000 };
    static float right[N], x[N];
    float *d[5];
    int n = N, *trips = words, host_trips = 0;
    for (int i = 0; i < N; i++)
        right[i] = (float)(i % 13) - 6;
    for (int i = 0; i < 5; i++)
        OK(cudaMalloc(&d[i], sizeof right));
    OK(cudaMemcpy(d[0], right, sizeof right, cudaMemcpyHostToDevice));
    void *arguments[] = {&d[0], &d[1], &d[2], &d[3], &d[4], &n, &trips};
    /* By attribute: the same. */
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(20);
    config.blockDim = dim3(96);
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelExC(&config, (const void *)solve, arguments));
    OK(cudaMemcpy(x, d[1], sizeof x, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&host_trips, trips, sizeof host_trips, cudaMemcpyDeviceToHost));
    CHECK(host_trips > 5 && host_trips < 60);
    for (int i = 0; i < N; i++) {
        float residual = 4 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < N ? x[i + 1] : 0) - right[i];
        CHECK(residual < 1e-3f && residual > -1e-3f);
    }
}

static void limits(int sms) {
    int per_sm = 0, supported = 0, got, zero = 0;
    void *arguments[] = {&words};
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    CHECK(supported == 1);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, valid, 1024, 0));
    OK(cudaMemcpy(words, &zero, sizeof zero, cudaMemcpyHostToDevice));
    launch((const void *)valid, per_sm * sms, 1024, arguments);
    OK(cudaMemcpy(&got, words, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == per_sm * sms);
    EXPECT(cudaErrorCooperativeLaunchTooLarge,
           cudaLaunchCooperativeKernel((const void *)valid, per_sm * sms + 1, 1024, arguments, 0, 0));
    EXPECT(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
    valid<<<3, 32>>>(words); /* not launched so: the grid cannot meet */
    OK(cudaMemcpy(&got, words, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == per_sm * sms + 3000);
}

int main(int count, char **values) {
    const char *kind = count > 1 ? values[1] : "";
    struct cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    CHECK(properties.cooperativeLaunch == 1);
    OK(cudaMalloc(&words, 4096));
    OK(cudaMemset(words, 0, 4096));
    int sms = properties.multiProcessorCount;
    if (strcmp(kind, "ordinary") == 0) {
        one_stays_away<<<2, 32>>>(words);
        EXPECT(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    } else if (strcmp(kind, "away") == 0) {
        void *arguments[] = {&words};
        OK(cudaLaunchCooperativeKernel((const void *)one_stays_away, 8, 64, arguments, 0, 0));
        EXPECT(cudaErrorLaunchTimeout, cudaDeviceSynchronize());
    } else {
        sums(sms);
        steps(sms);
        gradients();
        limits(sms);
    }
    puts("ok");
    return 0;
}

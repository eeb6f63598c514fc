/* barriers.cu [80]: barrier objects, pipelines, copies that arrive at them, bulk copies, groups of unknown kind,
 * clusters: as libcu++ and cooperative groups write them. */
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init /* init() does it */

enum { THREADS = 256, STAGES = 2, ROUNDS = 8 };

/* Two phases; an arrival whose wait comes later. */
__global__ void phases(const int *in, int *out) {
    __shared__ barrier bar;
    __shared__ int words[THREADS];
    unsigned t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    words[t] = in[t];
    bar.arrive_and_wait();
    int x = words[(t + 1) % THREADS];
    barrier::arrival_token token = bar.arrive();
    x *= 2;
    bar.wait(std::move(token));
    words[t] = x;
    bar.arrive_and_wait();
    out[t] = words[(t + 31) % THREADS];
}

/* One warp hands words to the others' warp, through two buffers. */
__global__ void handed_over(const int *in, int *out) {
    __shared__ barrier ready[STAGES], done[STAGES];
    __shared__ int words[STAGES][32];
    int lane = threadIdx.x % 32, sum = 0;
    if (threadIdx.x < STAGES) {
        init(&ready[threadIdx.x], 64);
        init(&done[threadIdx.x], 64);
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        for (int i = 0; i < STAGES; i++)
            (void)done[i].arrive();
    for (int i = 0; i < ROUNDS; i++) {
        int s = i % STAGES;
        if (threadIdx.x < 32) {
            done[s].arrive_and_wait();
            words[s][lane] = in[i] + lane;
            (void)ready[s].arrive();
        } else {
            ready[s].arrive_and_wait();
            sum += words[s][lane];
            (void)done[s].arrive();
        }
    }
    out[threadIdx.x] = sum;
}

/* Copies of each thread, and of the block together, arrive at a barrier. */
__global__ void copied(const int *in, int *out) {
    __shared__ barrier bar;
    __shared__ alignas(16) int words[2 * THREADS];
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(words + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<4>(4), bar);
    cuda::memcpy_async(block, words + THREADS, in + THREADS, cuda::aligned_size_t<16>(4 * THREADS), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = words[2 * THREADS - 1 - threadIdx.x] - words[threadIdx.x];
}

/* A pipeline of all threads, or of half that copy and half that compute. */
template <bool split> __global__ void pipelined(const int *in, int *out) {
    __shared__ int words[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    cg::thread_block block = cg::this_thread_block();
    bool copies = !split || threadIdx.x < THREADS / 2, computes = !split || !copies;
    auto role = copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = split ? cuda::make_pipeline(block, &state, role) : cuda::make_pipeline(block, &state);
    int width = split ? THREADS / 2 : THREADS, t = (int)threadIdx.x % width, sum = 0;
    for (int i = 0; i < ROUNDS / STAGES; i++) {
        if (copies) {
            pipe.producer_acquire();
            cuda::memcpy_async(&words[i % STAGES][t], in + width * i + t, cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (computes) {
            pipe.consumer_wait();
            if (!split)
                block.sync();
            sum += words[i % STAGES][width - 1 - t];
            pipe.consumer_release();
        }
    }
    if (computes)
        out[t] = sum;
}

__device__ int sum_of(cg::thread_group group, int *words, int value) {
    unsigned rank = group.thread_rank();
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        words[rank] = value;
        group.sync();
        value += rank < half ? words[rank + half] : 0;
        group.sync();
    }
    return value;
}

__global__ void groups(const int *in, int *out) {
    __shared__ int words[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group eight = cg::tiled_partition(cg::tiled_partition<32>(block), 8);
    int all = sum_of(block, words, in[threadIdx.x]);
    block.sync();
    int some = sum_of(eight, words + threadIdx.x / 8 * 8, in[threadIdx.x]);
    out[threadIdx.x] = threadIdx.x == 0 ? all : eight.thread_rank() == 0 ? some : -1;
}

/* A block's words go in and out in bulk. */
__global__ void bulk(const int *in, int *out) {
#if __CUDA_ARCH__ >= 900
    __shared__ barrier bar;
    __shared__ alignas(128) int words[THREADS];
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(words, in, cuda::aligned_size_t<16>(sizeof words), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof words);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    words[threadIdx.x]++;
    cuda::device::experimental::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(out, words, sizeof words);
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
#endif
}

/* A histogram whose bins lie in the shared memory of the cluster's blocks. */
__global__ void bins(const int *in, int *out) {
#if __CUDA_ARCH__ >= 900
    __shared__ int words[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16)
        words[threadIdx.x] = 0;
    cluster.sync();
    int bin = in[blockIdx.x * blockDim.x + threadIdx.x] % (16 * (int)cluster.num_blocks());
    atomicAdd(cluster.map_shared_rank(words, bin / 16) + bin % 16, 1);
    cluster.sync();
    if (threadIdx.x < 16)
        atomicAdd(out + 16 * cluster.block_rank() + threadIdx.x, words[threadIdx.x]);
#endif
}

static int *in, *out;

/* Checks each of `count` results. */
#define EACH(count, expected)                                                                                \
    do {                                                                                                     \
        OK(cudaDeviceSynchronize());                                                                         \
        for (int i = 0; i < (count); i++)                                                                    \
            CHECK(out[i] == (expected));                                                                     \
    } while (0)

static void of_clusters(void) {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    int clusters = 0, expected[64] = {};
    config.gridDim = 4;
    config.blockDim = THREADS;
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    OK(cudaMemset(out, 0, sizeof expected));
    OK(cudaLaunchKernelEx(&config, bins, (const int *)in, out));
    for (int i = 0; i < 4 * THREADS; i++)
        expected[in[i] % 64]++;
    EACH(64, expected[i]);
    OK(cudaOccupancyMaxActiveClusters(&clusters, bins, &config));
    CHECK(clusters > 100);
    config.gridDim = 6;
    EXPECT(cudaErrorInvalidConfiguration, cudaLaunchKernelEx(&config, bins, (const int *)in, out));
}

int main(int argc, char **argv) {
    OK(cudaMallocManaged(&in, 4 * THREADS * sizeof *in));
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    for (int i = 0; i < 4 * THREADS; i++)
        in[i] = i * i % 1013;
    phases<<<1, THREADS>>>(in, out);
    EACH(THREADS, 2 * in[(i + 32) % THREADS]);
    handed_over<<<1, 64>>>(in, out);
    EACH(64, i < 32 ? 0 : ROUNDS * (i - 32) + in[0] + in[1] + in[2] + in[3] + in[4] + in[5] + in[6] + in[7]);
    copied<<<1, THREADS>>>(in, out);
    EACH(THREADS, in[2 * THREADS - 1 - i] - in[i]);
    pipelined<false><<<1, THREADS>>>(in, out);
    EACH(THREADS, in[255 - i] + in[511 - i] + in[767 - i] + in[1023 - i]);
    pipelined<true><<<1, THREADS>>>(in, out);
    EACH(THREADS / 2, in[127 - i] + in[255 - i] + in[383 - i] + in[511 - i]);
    groups<<<1, THREADS>>>(in, out);
    int all = 0;
    for (int i = 0; i < THREADS; i++)
        all += in[i];
    EACH(THREADS, i == 0   ? all
                  : i % 8 ? -1
                          : in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5] + in[i + 6] + in[i + 7]);
    if (argc < 2 || strcmp(argv[1], "80") != 0) { /* what began with 9.0 */
        bulk<<<1, THREADS>>>(in, out);
        EACH(THREADS, in[i] + 1);
        of_clusters();
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
    printf("ok\n");
    return 0;
}

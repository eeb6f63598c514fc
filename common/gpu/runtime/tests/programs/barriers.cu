/* barriers.cu [80]: barrier objects, pipelines, copies that arrive at them, groups of unknown kind, clusters: as
 * libcu++ and cooperative groups write them. */
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

/* A sum over a part of a tile, whose kind is known only when it runs. */
__global__ void groups(const int *in, int *out) {
    __shared__ int words[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group eight = cg::tiled_partition(cg::tiled_partition<32>(block), 8);
    int *own = words + threadIdx.x / 8 * 8, rank = (int)eight.thread_rank(), sum = in[threadIdx.x];
    for (int half = (int)eight.size() / 2; half > 0; half /= 2) {
        own[rank] = sum;
        eight.sync();
        sum += rank < half ? own[rank + half] : 0;
        eight.sync();
    }
    out[threadIdx.x] = rank == 0 ? sum : -1;
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
}

int main(int argc, char **argv) {
    OK(cudaMallocManaged(&in, 4 * THREADS * sizeof *in));
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    for (int i = 0; i < 4 * THREADS; i++)
        in[i] = i * i % 1013;
    copied<<<1, THREADS>>>(in, out);
    EACH(THREADS, in[2 * THREADS - 1 - i] - in[i]);
    pipelined<false><<<1, THREADS>>>(in, out);
    EACH(THREADS, in[255 - i] + in[511 - i] + in[767 - i] + in[1023 - i]);
    pipelined<true><<<1, THREADS>>>(in, out);
    EACH(THREADS / 2, in[127 - i] + in[255 - i] + in[383 - i] + in[511 - i]);
    groups<<<1, THREADS>>>(in, out);
    EACH(THREADS, i % 8 ? -1 : in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5] + in[i + 6] + in[i + 7]);
    if (argc < 2 || strcmp(argv[1], "80") != 0) /* clusters began with 9.0 */
        of_clusters();
    OK(cudaFree(in));
    OK(cudaFree(out));
    printf("ok\n");
    return 0;
}

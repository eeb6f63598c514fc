/* tiles.cu: groups of several warps: tiles of 64 to 512 threads, what is computed over them, and how they nest. */
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

enum { THREADS = 512 };

struct results {
    int rank[THREADS], group[THREADS], groups[THREADS], sum[THREADS], largest[THREADS], inclusive[THREADS],
        exclusive[THREADS], passed[THREADS], any[THREADS], all[THREADS], inner[THREADS];
    long long wide[THREADS];
};

/* Each thread's value, its tile's sum and so on; and a value handed on through shared memory. */
template <unsigned size> __global__ void tiles(struct results *r, const int *in) {
    __shared__ cg::block_tile_memory<THREADS> memory;
    __shared__ int words[THREADS];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<size>(block);
    int t = (int)block.thread_rank(), x = in[t];
    r->rank[t] = (int)tile.thread_rank();
    r->group[t] = (int)tile.meta_group_rank();
    r->groups[t] = (int)tile.meta_group_size();
    r->sum[t] = cg::reduce(tile, x, cg::plus<int>());
    r->largest[t] = cg::reduce(tile, x, cg::greater<int>());
    r->wide[t] = cg::reduce(tile, (long long)x << 33, cg::plus<long long>());
    r->inclusive[t] = cg::inclusive_scan(tile, x);
    r->exclusive[t] = cg::exclusive_scan(tile, x, cg::plus<int>());
    r->any[t] = tile.any(x == 500);
    r->all[t] = tile.all(x > -400);
    /* Ten rounds in which each tile runs on its own. */
    int value = x;
    for (int round = 0; round < 10; round++) {
        words[t] = value;
        tile.sync();
        value = words[(int)(tile.meta_group_rank() * size + (tile.thread_rank() + 37) % size)];
        tile.sync();
    }
    r->passed[t] = value;
    auto inner = cg::tiled_partition<16>(tile);
    r->inner[t] = cg::reduce(inner, x, cg::plus<int>());
}

/* Only some tiles work, each for another time. */
template <unsigned size> __global__ void uneven(int *out) {
    __shared__ cg::block_tile_memory<THREADS> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<size>(block);
    int all = 0, rounds = 10 * (int)tile.meta_group_rank();
    for (int i = 0; i < rounds; i++)
        all += cg::reduce(tile, (int)tile.thread_rank() + i, cg::plus<int>());
    out[block.thread_rank()] = all;
}

/* Values handed on through global memory, and from one thread to all. */
template <unsigned size> __global__ void pass(int *out, const int *in, int *words) {
    __shared__ cg::block_tile_memory<THREADS> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<size>(block);
    int t = (int)block.thread_rank(), value = in[t];
    for (int round = 0; round < 3; round++) {
        words[t] = value;
        tile.sync();
        value = words[(int)(tile.meta_group_rank() * size + (tile.thread_rank() + 37) % size)];
        tile.sync();
    }
    out[t] = value + tile.shfl(in[t], 13) + tile.shfl(in[t], size - 1);
}

static int in[THREADS], *device_in, *device_out, out[THREADS];
static struct results *device_results, r;

template <unsigned size> static void check(void) {
    OK(cudaMemset(device_results, 0xff, sizeof r));
    tiles<size><<<1, THREADS>>>(device_results, device_in);
    OK(cudaMemcpy(&r, device_results, sizeof r, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) {
        int first = t - t % (int)size, sum = 0, largest = in[first], any = 0, all = 1, before = 0, inner = 0;
        for (int i = first; i < first + (int)size; i++) {
            sum += in[i];
            largest = in[i] > largest ? in[i] : largest;
            any |= in[i] == 500;
            all &= in[i] > -400;
            before += i < t ? in[i] : 0;
            inner += i / 16 == t / 16 ? in[i] : 0;
        }
        CHECK(r.rank[t] == t - first);
        CHECK(r.group[t] == t / (int)size);
        CHECK(r.groups[t] == THREADS / (int)size);
        CHECK(r.sum[t] == sum);
        CHECK(r.largest[t] == largest);
        CHECK(r.wide[t] == (long long)sum * (1ll << 33));
        CHECK(r.exclusive[t] == before);
        CHECK(r.inclusive[t] == before + in[t]);
        CHECK((r.any[t] != 0) == any);
        CHECK((r.all[t] != 0) == all);
        CHECK(r.passed[t] == in[first + (t - first + 370) % (int)size]);
        CHECK(r.inner[t] == inner);
    }
    uneven<size><<<2, THREADS>>>(device_out);
    OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) {
        int rounds = 10 * (t / (int)size), all = 0;
        for (int i = 0; i < rounds; i++)
            all += (int)(size * (size - 1) / 2 + size * i);
        CHECK(out[t] == all);
    }
}

template <unsigned size> static void check_passing(void) {
    pass<size><<<1, THREADS>>>(device_out, device_in, (int *)device_results);
    OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) {
        int first = t - t % (int)size;
        CHECK(out[t] ==
              in[first + (t - first + 111) % (int)size] + in[first + 13] + in[first + (int)size - 1]);
    }
}

int main(void) {
    for (int i = 0; i < THREADS; i++)
        in[i] = (i * 577 + 100) % 1001 - 500;
    OK(cudaMalloc(&device_in, sizeof in));
    OK(cudaMalloc(&device_out, sizeof out));
    OK(cudaMalloc(&device_results, sizeof r));
    OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    check<32>();
    check<64>();
    check<128>();
    check<256>();
    check<512>();
    check_passing<64>();
    check_passing<128>();
    check_passing<256>();
    check_passing<512>();
    OK(cudaFree(device_in));
    OK(cudaFree(device_out));
    OK(cudaFree(device_results));
    puts("ok");
    return 0;
}

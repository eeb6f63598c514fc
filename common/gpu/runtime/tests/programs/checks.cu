// checks.cu: mistakes that stop no kernel, and code that looks like them and is right: `checks NAME` runs one. A line
// with a mistake ends in the comment of its name; test_checks.c runs every one with CHECK=1.
#include "check.h"

#include <cooperative_groups.h>
#include <cstring>

enum { THREADS = 64, N = 256 };

static int *numbers, *result;
static float *reals;
static int host[4 * N];

static void read_back(const void *from, size_t bytes) {
    OK(cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost));
}

/* ---- shared memory that nobody has written */

__global__ void halo_left_out(const int *in, int *out) {
    __shared__ int tile[THREADS + 2];
    int t = threadIdx.x;
    tile[t + 1] = in[t];
    __syncthreads();
    out[t] = tile[t] + tile[t + 1] + tile[t + 2]; // halo_left_out
}

/* The same, and what was not loaded is not used. */
__global__ void halo_guarded(const int *in, int *out) {
    __shared__ int tile[THREADS + 2];
    int t = threadIdx.x;
    tile[t + 1] = in[t];
    __syncthreads();
    int left = tile[t], right = tile[t + 2];
    out[t] = (t > 0 ? left : 0) + tile[t + 1] + (t < THREADS - 1 ? right : 0);
}

/* A buffer is copied whole, and the host may use its valid part only. */
__global__ void part_copied(const int *in, int *out) {
    __shared__ int tile[2 * THREADS];
    int t = threadIdx.x;
    if (t < THREADS / 2)
        tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t];
}

/* Wide loads of a row whose last columns are not used. */
__global__ void padded_row(const int *in, int *out) {
    __shared__ __align__(16) int tile[THREADS / 2][12];
    int t = threadIdx.x;
    if (t < THREADS / 2)
        for (int i = 0; i < 9; i++)
            tile[t][i] = in[t + i];
    __syncthreads();
    const int4 *row = (const int4 *)tile[t / 2];
    int4 a = row[0], b = row[1], c = row[2];
    out[t] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x;
}

struct gap {
    char tag;
    int value;
    char last;
};

/* A structure's gaps are copied with it. */
__global__ void structure(const int *in, gap *out) {
    __shared__ gap all[THREADS];
    int t = threadIdx.x;
    all[t].tag = (char)t;
    all[t].value = in[t];
    all[t].last = 'x';
    __syncthreads();
    out[t] = all[THREADS - 1 - t];
}

/* Bytes packed in words: only those that were written count. */
__global__ void bytes_of_words(const int *in, int *out) {
    __shared__ __align__(4) unsigned char tile[4 * THREADS];
    int t = threadIdx.x;
    tile[4 * t] = (unsigned char)in[t];
    tile[4 * t + 2] = 7;
    __syncthreads();
    unsigned word = ((const unsigned *)tile)[t];
    out[t] = (int)((word & 0xff) + (word >> 16 & 0xff)) + __popc(word & 0x00ff00ff);
}

__global__ void bytes_missing(const int *in, int *out) {
    __shared__ __align__(4) unsigned char tile[4 * THREADS];
    int t = threadIdx.x;
    tile[4 * t] = (unsigned char)in[t];
    tile[4 * t + 2] = 7;
    __syncthreads();
    unsigned word = ((const unsigned *)tile)[t]; // bytes_missing
    out[t] = (int)((word & 0xff) + (word >> 8 & 0xff));
}

__global__ void tree_too_long(const int *in, int *out) {
    __shared__ int sums[2 * THREADS];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int half = THREADS; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half]; // tree_too_long
        __syncthreads();
    }
    if (t == 0)
        *out = sums[0];
}

/* Partial sums of as many warps as there are; the others' places are read and thrown away. */
__global__ void warp_sums(const int *in, int *out) {
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t % 32, sum = in[t];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        sums[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        int value = sums[lane];
        value = lane < (int)blockDim.x / 32 ? value : 0;
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);
        if (lane == 0)
            *out = value;
    }
}

__global__ void warp_sums_unguarded(const int *in, int *out) {
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t % 32, sum = in[t];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        sums[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        int value = sums[lane]; // warp_sums_unguarded
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);
        if (lane == 0)
            *out = value;
    }
}

/* What decides is unknown only in threads whose result is thrown away. */
__global__ void branch_thrown_away(const float *in, float *out, int n) {
    __shared__ float tile[THREADS];
    int t = threadIdx.x;
    if (t < n)
        tile[t] = in[t];
    __syncthreads();
    float angle = tile[t], x = sinf(1000000 * angle) + (angle > 0.5f ? sqrtf(angle) : 1 / angle);
    if (t < n)
        out[t] = x;
}

__global__ void branch_counts(const float *in, int *out, int n) {
    __shared__ float tile[THREADS];
    int t = threadIdx.x;
    if (t < n)
        tile[t] = in[t];
    __syncthreads();
    if (!(tile[t] <= 0.5f)) // branch_counts
        atomicAdd(out, 1);
}

__global__ void as_index(const int *in, int *out) {
    __shared__ int order[THREADS];
    int t = threadIdx.x;
    if (t < THREADS - 1)
        order[t] = in[t];
    __syncthreads();
    out[t] = in[order[t] & (N - 1)]; // as_index
}

/* ---- a thread's own arrays */

__global__ void local_counts(const int *in, int *out) {
    int counts[8], t = threadIdx.x;
    for (int i = 0; i < 7; i++)
        counts[(in[t + i] + i) & 7] = i;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += counts[(in[i] + i) & 7]; // local_counts
    out[t] = sum;
}

__global__ void local_stack(const int *in, int *out) {
    int stack[16], top = 0, t = threadIdx.x, sum = 0;
    for (int i = 0; i < 12; i++)
        if (in[t + i] & 1)
            stack[top++] = i;
    while (top > 0)
        sum += stack[--top];
    out[t] = sum;
}

/* ---- device memory */

__global__ void add(const int *a, int *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] += a[i]; // add
}

__global__ void count(const int *a, int *counts) {
    atomicAdd(&counts[a[threadIdx.x] & 7], 1); // count
}

__global__ void copy(const int *from, int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

__global__ void twice(const int *from, int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = 2 * from[i]; // twice
}

__global__ void from_malloc(int *out) {
    int *mine = (int *)malloc(32);
    for (int i = 0; i < 7; i++)
        mine[i] = i;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += mine[(i + blockIdx.x) & 7]; // from_malloc
    out[threadIdx.x] = sum;
    free(mine);
}

/* Right: what a thread gives back another one of the launch gets, and it is its own. */
__global__ void malloc_again(int *out) {
    int *mine = (int *)malloc(2 * sizeof(int));
    mine[0] = 5;
    mine[1] = (int)threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = mine[0] + mine[1];
    free(mine);
}

/* ---- shuffles */

__global__ void shuffle_part(int *out) {
    int lane = threadIdx.x, sum = lane;
    if (lane >= 20)
        return;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0x000fffff, sum, step); // shuffle_part
    if (lane == 0)
        *out = sum;
}

__global__ void shuffle_exited(int *out) {
    int lane = threadIdx.x;
    if (lane == 31)
        return;
    out[lane] = __shfl_sync(0xffffffff, lane, 31); // shuffle_exited
}

__global__ void shuffle_short_block(int *out) {
    int sum = threadIdx.x;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step); // shuffle_short_block
    out[threadIdx.x] = sum;
}

/* Only what lanes that take part bring is used. */
__global__ void shuffle_guarded(int *out) {
    int lane = threadIdx.x, sum = lane;
    if (lane >= 20)
        return;
    for (int step = 16; step > 0; step /= 2) {
        int other = __shfl_down_sync(0x000fffff, sum, step);
        if (lane + step < 20)
            sum += other;
    }
    if (lane == 0)
        *out = sum;
}

/* Groups of lanes, each with its own mask; the ends of a segment keep their own value. */
__global__ void shuffle_segments(int *out) {
    int lane = threadIdx.x, sum = lane;
    unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    for (int step = 8; step > 0; step /= 2)
        sum += __shfl_down_sync(mask, sum, step, 16);
    int before = __shfl_up_sync(0xffffffff, lane, 1);
    out[lane] = sum + before;
}

__global__ void shuffle_tiles(int *out) {
    namespace cg = cooperative_groups;
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = threadIdx.x;
    for (int step = 4; step > 0; step /= 2)
        sum += tile.shfl_down(sum, step);
    cg::coalesced_group together = cg::coalesced_threads();
    out[threadIdx.x] = tile.shfl(sum, 0) + together.shfl((int)threadIdx.x, 0);
}

__global__ void vote_after_exit(int *out) {
    if (threadIdx.x & 1)
        return;
    unsigned votes = __ballot_sync(0xffffffff, threadIdx.x > 7);
    out[threadIdx.x] = __popc(votes) + __any_sync(__activemask(), threadIdx.x == 30);
}

/* ---- shared memory under a lock, by a flag: RACES=1 is silent */

__global__ void shared_lock(const int *in, int *out) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            continue;
        sum += in[threadIdx.x];
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}

__global__ void shared_flag(const int *in, int *out) {
    __shared__ int value;
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = in[0];
        __threadfence_block();
        ready = 1;
    }
    if (threadIdx.x == 0) {
        while (!ready)
            continue;
        __threadfence_block();
        *out = value;
    }
}

/* The last steps of a sum by part of a warp, as it was done before threads of a warp went their own ways. */
__global__ void shared_volatile_sum(const int *in, int *out) {
    __shared__ volatile int sums[THREADS];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t < 16) {
        sums[t] = sums[t] + sums[t + 16];
        sums[t] = sums[t] + sums[t + 8]; // shared_volatile_sum
        sums[t] = sums[t] + sums[t + 4];
        sums[t] = sums[t] + sums[t + 2];
        sums[t] = sums[t] + sums[t + 1];
    }
    if (t == 0)
        *out = sums[0];
}
__global__ void shared_sum(const int *in, int *out) {
    __shared__ volatile int sums[THREADS];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int step = 16; step > 0 && t < 32; step /= 2) {
        int sum = sums[t] + sums[t + step];
        __syncwarp();
        sums[t] = sum;
        __syncwarp();
    }
    if (t == 0)
        *out = sums[0];
}

/* Threads of several warps that write one value race by the letter only; the one who reads it waits. */
__global__ void shared_same_value(const int *in, int *out) {
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (in[threadIdx.x] > 2)
        found = 1;
    __syncthreads();
    out[threadIdx.x] = found;
}
__global__ void shared_other_value(const int *in, int *out) {
    __shared__ int found;
    if (in[threadIdx.x] > 2)
        found = (int)threadIdx.x / 32; // shared_other_value
    __syncthreads();
    out[threadIdx.x] = found;
}
/* Two halves of a warp that go apart, and speak by a flag. */
__global__ void shared_half_flag(const int *in, int *out) {
    __shared__ int value;
    __shared__ volatile int ready;
    ready = 0;
    __syncthreads();
    if (threadIdx.x == 3) {
        value = in[0];
        __threadfence_block();
        ready = 1;
    } else if (threadIdx.x == 9) {
        while (!ready)
            continue;
        __threadfence_block();
        *out = value;
    }
}

/* Two arrays of which the second's size is the launch's. */
__global__ void shared_dynamic(const int *in, int *out) {
    extern __shared__ int room[];
    __shared__ int first[8];
    int t = threadIdx.x;
    first[t & 7] = 1;
    __syncthreads();
    room[t] = in[t] + first[t & 7]; // shared_dynamic
    out[t] = room[THREADS - 1 - t];
}

/* Cleared by one warp, and others add before a barrier: a race, whatever atomics follow. */
__global__ void shared_cleared_late(const int *in, int *out) {
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    atomicAdd(&bins[in[threadIdx.x] & 7], 1); // shared_cleared_late
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}

/* Threads of several warps read a sum that one thread writes. */
__global__ void shared_volatile_read(const int *in, int *out) {
    __shared__ volatile int sum;
    if (threadIdx.x == 0)
        sum = in[0];
    out[threadIdx.x] = sum; // shared_volatile_read
}

/* ---- what hardware lets pass */

__global__ void warps_apart(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads(); // warps_apart
}

__global__ void adds_beyond(const int *in, int *out) {
    atomicAdd(&out[4 * N - THREADS / 2 + threadIdx.x], in[threadIdx.x]); // adds_beyond
}

/* Half of the last vector is there. */
__global__ void vector_across(const int *in, int *out) {
    int4 last = *(const int4 *)(in + 12); // vector_across
    out[threadIdx.x] = last.x + last.y - last.w;
}

/* ---- races on device memory */

__global__ void lost_updates(const int *in, int *counts) {
    counts[in[blockIdx.x * blockDim.x + threadIdx.x] & 7]++; // lost_updates
}

__global__ void in_place(int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? a[i - 1] : 0; // in_place
    a[i] = (a[i] + left) / 2;
}

__global__ void all_write(const int *in, int *out) {
    out[blockIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; // all_write
}

__global__ void add_to(const int *in, int *sums) {
    sums[threadIdx.x] += in[threadIdx.x];
}

__global__ void clears_late(const int *in, int *sum) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = 0;
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]); // clears_late
}

__global__ void no_barrier(int *a) {
    a[threadIdx.x] = 3 * threadIdx.x;
    a[N + threadIdx.x] = a[THREADS - 1 - threadIdx.x]; // no_barrier
}

/* The value is not there before the flag: no fence. */
__global__ void volatile_flag(int *a) {
    volatile int *flag = a + N;
    if (threadIdx.x == 0) {
        a[0] = 7;
        *flag = 1;
    } else if (threadIdx.x == 32) {
        while (!*flag)
            continue;
        a[1] = a[0]; // volatile_flag
    }
}

__global__ void barrier_between(int *a) {
    a[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    a[N + threadIdx.x] = a[THREADS - 1 - threadIdx.x];
}

/* Many threads write the same: whoever comes last. */
__global__ void same_value(const int *in, int *found) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 2)
        *found = 1;
}

/* A flag that is read while others set it, and only asked about. */
__global__ void visited(const int *in, int *level) {
    int i = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
    if (level[i] == -1)
        level[i] = 5;
}

__device__ unsigned tickets;

/* The last block adds up what all have left. */
__global__ void last_block(const int *in, int *parts, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += in[blockIdx.x * blockDim.x + i];
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < (int)gridDim.x; i++)
            sum += parts[i];
        *out = sum;
    }
}

/* The same without a fence; with one for the block only. */
template <bool in_block> __device__ void announce(const int *in, int *parts, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        if (in_block)
            __threadfence_block();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = 2 * parts[threadIdx.x]; // announced
}
__global__ void announced(const int *in, int *parts) {
    announce<false>(in, parts, parts + N);
}
__global__ void announced_in_block(const int *in, int *parts) {
    announce<true>(in, parts, parts + N);
}

__device__ int lock_word;

__global__ void under_lock(int *sum) {
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&lock_word, 0, 1) != 0)
        continue;
    __threadfence();
    *sum += blockIdx.x + 1;
    __threadfence();
    atomicExch(&lock_word, 0);
}

/* A block passes what it has to the next one by a flag. */
__global__ void chained(const int *in, int *parts, int *flags) {
    if (threadIdx.x != 0)
        return;
    int before = 0;
    if (blockIdx.x > 0) {
        while (((volatile int *)flags)[blockIdx.x - 1] == 0)
            continue;
        __threadfence();
        before = parts[blockIdx.x - 1];
    }
    parts[blockIdx.x] = before + in[blockIdx.x];
    __threadfence();
    ((volatile int *)flags)[blockIdx.x] = 1;
}

__global__ void own_bytes(unsigned char *bytes) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    bytes[i] = (unsigned char)i;
    bytes[i] = (unsigned char)(bytes[i] + 1);
}

/* ---- */

static void in_blocks(void (*kernel)(const int *, int *)) {
    OK(cudaMemset(result, 0, 4 * N * sizeof(int)));
    kernel<<<N / THREADS, THREADS>>>(numbers, result);
    read_back(result, 2 * N * sizeof(int));
}

static void in_a_block(void (*kernel)(const int *, int *), unsigned threads) {
    kernel<<<1, threads>>>(numbers, result);
    read_back(result, threads * sizeof(int));
}

static void in_a_warp(void (*kernel)(int *), unsigned threads) {
    OK(cudaMemset(result, 0, 4 * N * sizeof(int)));
    kernel<<<1, threads>>>(result);
    read_back(result, 4 * N * sizeof(int));
}

static void run(const char *name) {
    static const struct {
        const char *name;
        void (*kernel)(const int *, int *);
    } blocks[] = {{"halo_left_out", halo_left_out},
                  {"halo_guarded", halo_guarded},
                  {"part_copied", part_copied},
                  {"padded_row", padded_row},
                  {"bytes_of_words", bytes_of_words},
                  {"bytes_missing", bytes_missing},
                  {"as_index", as_index},
                  {"local_counts", local_counts},
                  {"local_stack", local_stack},
                  {"twice", twice},
                  {"shared_lock", shared_lock},
                  {"shared_flag", shared_flag},
                  {"shared_volatile_sum", shared_volatile_sum},
                  {"shared_sum", shared_sum},
                  {"shared_same_value", shared_same_value},
                  {"shared_other_value", shared_other_value},
                  {"shared_half_flag", shared_half_flag},
                  {"shared_volatile_read", shared_volatile_read},
                  {"warps_apart", warps_apart},
                  {"adds_beyond", adds_beyond},
                  {"shared_cleared_late", shared_cleared_late}},
      sums[] = {{"tree_too_long", tree_too_long},
                {"warp_sums", warp_sums},
                {"warp_sums_unguarded", warp_sums_unguarded}},
      grids[] = {{"lost_updates", lost_updates}, {"all_write", all_write},
                 {"announced", announced},       {"announced_in_block", announced_in_block},
                 {"same_value", same_value},     {"add_cleared", add},
                 {"count_cleared", count}};
    static const struct {
        const char *name;
        void (*kernel)(int *);
        unsigned threads;
    } warps[] = {{"shuffle_part", shuffle_part, 32},
                 {"shuffle_exited", shuffle_exited, 32},
                 {"shuffle_short_block", shuffle_short_block, 20},
                 {"shuffle_guarded", shuffle_guarded, 32},
                 {"shuffle_segments", shuffle_segments, 32},
                 {"shuffle_tiles", shuffle_tiles, 32},
                 {"vote_after_exit", vote_after_exit, 32},
                 {"no_barrier", no_barrier, THREADS},
                 {"volatile_flag", volatile_flag, THREADS},
                 {"barrier_between", barrier_between, THREADS},
                 {"from_malloc", from_malloc, 1},
                 {"malloc_again", malloc_again, THREADS}};
    for (const auto &block : blocks)
        if (strcmp(name, block.name) == 0)
            in_a_block(block.kernel, THREADS);
    for (const auto &sum : sums)
        if (strcmp(name, sum.name) == 0) {
            sum.kernel<<<1, THREADS>>>(numbers, result);
            read_back(result, sizeof(int));
        }
    for (const auto &grid : grids)
        if (strcmp(name, grid.name) == 0)
            in_blocks(grid.kernel);
    for (const auto &warp : warps)
        if (strcmp(name, warp.name) == 0)
            in_a_warp(warp.kernel, warp.threads);
    if (strcmp(name, "vector_across") == 0) {
        int *odd;
        OK(cudaMalloc(&odd, 14 * sizeof(int)));
        vector_across<<<1, THREADS>>>(odd, result);
        OK(cudaFree(odd));
    }
    if (strcmp(name, "shared_dynamic") == 0) {
        shared_dynamic<<<1, THREADS, THREADS * sizeof(int)>>>(numbers, result);
        read_back(result, THREADS * sizeof(int));
    }
    if (strcmp(name, "structure") == 0) {
        structure<<<1, THREADS>>>(numbers, (gap *)result);
        read_back(result, THREADS * sizeof(gap));
    }
    if (strcmp(name, "branch_thrown_away") == 0) {
        branch_thrown_away<<<1, THREADS>>>(reals, (float *)result, 40);
        read_back(result, 40 * sizeof(float));
    }
    if (strcmp(name, "branch_counts") == 0) {
        OK(cudaMemset(result, 0, sizeof(int)));
        branch_counts<<<1, THREADS>>>(reals, result, 40);
        read_back(result, sizeof(int));
    }
    if (strcmp(name, "add") == 0) {
        add<<<N / THREADS, THREADS>>>(numbers, result);
        read_back(result, N * sizeof(int));
    }
    if (strcmp(name, "add_unread") == 0)
        add<<<N / THREADS, THREADS>>>(numbers, result);
    if (strcmp(name, "count") == 0) {
        count<<<1, THREADS>>>(numbers, result);
        read_back(result, 8 * sizeof(int));
    }
    if (strcmp(name, "copy_unwritten") == 0) { /* a copy of what nobody has written changes nothing */
        copy<<<N / THREADS, THREADS>>>(result, result + N);
        read_back(result, 2 * N * sizeof(int));
    }
    if (strcmp(name, "twice_copied") == 0) { /* through a copy on the device, and another kernel */
        OK(cudaMemcpy(result, result + 2 * N, N * sizeof(int), cudaMemcpyDeviceToDevice));
        twice<<<N / THREADS, THREADS>>>(result, result + N);
        read_back(result + N, N * sizeof(int));
    }
    if (strcmp(name, "padded_vector") ==
        0) { /* as many threads as fill blocks; the host takes what it asked for */
        OK(cudaMemcpy(result, host, 200 * sizeof(int), cudaMemcpyHostToDevice));
        twice<<<N / THREADS, THREADS>>>(result, result + N);
        read_back(result + N, 200 * sizeof(int));
    }
    if (strcmp(name, "in_place") == 0) {
        in_place<<<N / THREADS, THREADS>>>(numbers);
        read_back(numbers, N * sizeof(int));
    }
    if (strcmp(name, "clears_late") == 0) {
        OK(cudaMemset(result, 1, sizeof(int)));
        clears_late<<<N / THREADS, THREADS>>>(numbers, result);
        read_back(result, sizeof(int));
    }
    if (strcmp(name, "all_write_used") == 0) {
        all_write<<<N / THREADS, THREADS>>>(numbers, result + N);
        add_to<<<1, N / THREADS>>>(result + N, numbers);
        read_back(numbers, N * sizeof(int));
    }
    if (strcmp(name, "visited") == 0) {
        OK(cudaMemset(result, 0xff, 8 * sizeof(int)));
        visited<<<N / THREADS, THREADS>>>(numbers, result);
        read_back(result, 8 * sizeof(int));
    }
    if (strcmp(name, "last_block") == 0) {
        last_block<<<N / THREADS, THREADS>>>(numbers, result, result + N);
        read_back(result + N, sizeof(int));
    }
    if (strcmp(name, "under_lock") == 0) {
        OK(cudaMemset(result, 0, sizeof(int)));
        under_lock<<<8, 32>>>(result);
        read_back(result, sizeof(int));
    }
    if (strcmp(name, "chained") == 0) {
        OK(cudaMemset(result, 0, 4 * N * sizeof(int)));
        chained<<<8, 32>>>(numbers, result, result + N);
        read_back(result, 8 * sizeof(int));
    }
    if (strcmp(name, "own_bytes") == 0) {
        own_bytes<<<N / THREADS, THREADS>>>((unsigned char *)result);
        read_back(result, N);
    }
}

int main(int count, char **values) {
    for (int i = 0; i < 4 * N; i++)
        host[i] = i * 7 % 11;
    OK(cudaMalloc(&numbers, N * sizeof(int)));
    OK(cudaMalloc(&reals, N * sizeof(float)));
    OK(cudaMalloc(&result, 4 * N * sizeof(int)));
    OK(cudaMemcpy(numbers, host, N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(reals, host, N * sizeof(float), cudaMemcpyHostToDevice));
    if (count > 1)
        run(values[1]);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(numbers));
    OK(cudaFree(reals));
    OK(cudaFree(result));
    puts("ok");
    return 0;
}

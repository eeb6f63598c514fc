/* fifth_sums.cu: sums, moments, greatest places, running sums, groups and partitions, as people write them themselves. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

template <class T> static __device__ T sum_of_warp(T x) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(ALL, x, step);
    return x;
}

/* A block's sum through shared memory, unrolled for its size: thread 0 has it. */
template <int SIZE> static __device__ float sum_of_block(float x, float *shared) {
    int t = threadIdx.x;
    shared[t] = x;
    __syncthreads();
    if (SIZE >= 1024 && t < 512)
        shared[t] += shared[t + 512];
    __syncthreads();
    if (SIZE >= 512 && t < 256)
        shared[t] += shared[t + 256];
    __syncthreads();
    if (SIZE >= 256 && t < 128)
        shared[t] += shared[t + 128];
    __syncthreads();
    if (SIZE >= 128 && t < 64)
        shared[t] += shared[t + 64];
    __syncthreads();
    return t < 32 ? sum_of_warp(shared[t] + shared[t + 32]) : 0;
}

/* A sum by one kernel: blocks leave theirs, and the last to come adds these up. */
KERNEL sum_last_block(const float4 *x, float *partial, uint32_t *tickets, float *y, int fours) {
    __shared__ float shared[512];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * 1024 + threadIdx.x; i < fours; i += gridDim.x * 1024) {
        float4 a = x[i];
        sum += a.x + a.y + a.z + a.w;
        if (i + 512 < fours) {
            a = x[i + 512];
            sum += a.x + a.y + a.z + a.w;
        }
    }
    sum = sum_of_block<512>(sum, shared);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    for (int k = threadIdx.x; k < gridDim.x; k += 512)
        sum += __ldcg(&partial[k]);
    sum = sum_of_block<512>(sum, shared);
    if (threadIdx.x == 0)
        *y = sum;
}

/* Sum and sum of squares in double precision, least and greatest: every warp adds to what all have in common. */
KERNEL moments_atomic(const float *x, double *sums, int *ends, int n) {
    double sum = 0, squares = 0;
    float least = 3e38f, greatest = 0; /* of numbers that are not negative */
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        float v = x[i];
        sum += v;
        squares += (double)v * v;
        least = fminf(least, v);
        greatest = fmaxf(greatest, v);
    }
    sum = sum_of_warp(sum);
    squares = sum_of_warp(squares);
    for (int step = 16; step > 0; step /= 2) {
        least = fminf(least, __shfl_xor_sync(ALL, least, step));
        greatest = fmaxf(greatest, __shfl_xor_sync(ALL, greatest, step));
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], sum);
        atomicAdd(&sums[1], squares);
        atomicMin(&ends[0], __float_as_int(least)); /* such numbers are in order as words too */
        atomicMax(&ends[1], __float_as_int(greatest));
    }
}

static __device__ void better(float &value, int &place, float its, int where) {
    if (its > value || (its == value && where < place))
        value = its, place = where;
}

/* Where each row is greatest: a block a row, pairs of value and place go through shuffles and shared memory. */
KERNEL argmax_rows(const float *x, int *places, float *values, int columns) {
    __shared__ float best[4];
    __shared__ int best_at[4];
    const float *row = x + (size_t)blockIdx.x * columns;
    float value = -3e38f;
    int place = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        better(value, place, row[j], j);
    for (int step = 16; step > 0; step /= 2) {
        float its = __shfl_down_sync(ALL, value, step);
        int where = __shfl_down_sync(ALL, place, step);
        better(value, place, its, where);
    }
    if (threadIdx.x % 32 == 0)
        best[threadIdx.x / 32] = value, best_at[threadIdx.x / 32] = place;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++)
            better(value, place, best[w], best_at[w]);
        places[blockIdx.x] = place;
        values[blockIdx.x] = value;
    }
}

static __device__ uint32_t inclusive_of_warp(uint32_t x) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL, x, step);
        if (threadIdx.x % 32 >= step)
            x += other;
    }
    return x;
}

/* The sum of all tiles before one: the warp looks at 32 states at a time, back to one that has all before it. A state: 1 for a
 * tile's own sum, 2 for all up to it, and twice the number of the launch, above 32 bits of sum. */
static __device__ uint32_t looked_back(volatile unsigned long long *state, int tile, uint32_t launch) {
    int lane = threadIdx.x;
    uint32_t sum = 0;
    for (int at = tile - 1 - lane;; at -= 32) {
        unsigned long long s = 0;
        do
            s = at >= 0 ? state[at] : (2ull * launch + 2) << 32;
        while (__any_sync(ALL, (uint32_t)(s >> 32) - 2 * launch - 1 > 1));
        uint32_t whole = __ballot_sync(ALL, (uint32_t)(s >> 32) == 2 * launch + 2);
        int first = whole != 0 ? __ffs(whole) - 1 : 31;
        sum += __reduce_add_sync(ALL, lane <= first ? (uint32_t)s : 0);
        if (whole != 0)
            return sum;
    }
}

/* Running sums in one pass: tiles of 4096 numbers, in the order in which blocks come; a tile waits only for sums of tiles. */
KERNEL scan_looking_back(const uint4 *x, uint4 *y, unsigned long long *state, uint32_t *tickets) {
    __shared__ uint32_t ticket, of_warp[8], before;
    int t = threadIdx.x;
    if (t == 0)
        ticket = atomicAdd(tickets, 1u);
    __syncthreads();
    uint32_t tile = ticket % gridDim.x, launch = ticket / gridDim.x, sum = 0;
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = x[tile * 1024 + 4 * t + k];
        v[k].x += sum, v[k].y += v[k].x, v[k].z += v[k].y, v[k].w += v[k].z;
        sum = v[k].w;
    }
    uint32_t inclusive = inclusive_of_warp(sum);
    if (t % 32 == 31)
        of_warp[t / 32] = inclusive;
    __syncthreads();
    uint32_t mine = inclusive - sum, all = 0;
    for (int w = 0; w < 8; w++) {
        mine += w < t / 32 ? of_warp[w] : 0;
        all += of_warp[w];
    }
    volatile unsigned long long *own = state + tile;
    if (t == 0)
        *own = (2ull * launch + 1) << 32 | all;
    if (t < 32) {
        uint32_t others = looked_back(state, tile, launch);
        if (t == 0) {
            *own = (2ull * launch + 2) << 32 | (others + all);
            before = others;
        }
    }
    __syncthreads();
    mine += before;
    for (int k = 0; k < 4; k++)
        y[tile * 1024 + 4 * t + k] = make_uint4(mine + v[k].x, mine + v[k].y, mine + v[k].z, mine + v[k].w);
}

/* Running sums that begin anew where a flag stands, of 256 numbers, each step twice as far; and what goes on behind them. */
KERNEL flags_scanned(const float *x, const uint8_t *flag, float *y, float *carry, uint8_t *stops) {
    __shared__ float sum[256];
    __shared__ int stop[256];
    int t = threadIdx.x;
    sum[t] = x[INDEX];
    stop[t] = flag[INDEX];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        float more = 0;
        int stopped = 0;
        if (t >= step) {
            more = stop[t] ? 0 : sum[t - step];
            stopped = stop[t - step];
        }
        __syncthreads();
        sum[t] += more;
        stop[t] |= stopped;
        __syncthreads();
    }
    y[INDEX] = sum[t];
    if (t == 255) {
        carry[blockIdx.x] = sum[t];
        stops[blockIdx.x] = (uint8_t)stop[t];
    }
}

/* A step of quick sort: what is less goes to the front, the rest to the back; a block asks for its places once. The places go
 * round, for the counters go on with each launch. */
KERNEL quick_partition(const int *x, int *y, uint32_t *ends, int pivot, uint32_t n) {
    __shared__ uint32_t less_of[8], front, back;
    uint32_t t = threadIdx.x, lane = t % 32, warp = t / 32, below = (1u << lane) - 1;
    int v = x[INDEX];
    uint32_t less = __ballot_sync(ALL, v < pivot), before = 0;
    if (lane == 0)
        less_of[warp] = __popc(less);
    __syncthreads();
    if (t == 0) {
        uint32_t all = 0;
        for (int w = 0; w < 8; w++)
            all += less_of[w];
        front = atomicAdd(&ends[0], all);
        back = atomicAdd(&ends[1], 256 - all);
    }
    for (int w = 0; w < warp; w++)
        before += less_of[w];
    __syncthreads();
    uint32_t rank = before + __popc(less & below);
    uint32_t at = v < pivot ? front + rank : n - 1 - (back + t - rank);
    y[at & (n - 1)] = v;
}

/* Running sums of 1024 numbers without the last: four a thread, these by steps twice as far each, behind as many zeros. */
KERNEL exclusive_of_four(const uint4 *__restrict__ x, uint4 *__restrict__ y, uint32_t *__restrict__ sums) {
    __shared__ uint32_t shared[512];
    uint32_t t = threadIdx.x, at = t + 256;
    uint4 v = x[INDEX];
    v.y += v.x, v.z += v.y, v.w += v.z;
    shared[t] = 0;
    shared[at] = v.w;
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        uint32_t sum = shared[at] + shared[at - step];
        __syncthreads();
        shared[at] = sum;
    }
    uint32_t before = shared[at] - v.w;
    y[INDEX] = make_uint4(before, before + v.x, before + v.y, before + v.z);
    if (t == 255)
        sums[blockIdx.x] = before + v.w;
}

/* Sales by shop, as a data base groups them: how many, how much, how much at most; a block's groups lie in shared memory. */
KERNEL groups_summed(const uint16_t *shop, const int *price, uint32_t *count, unsigned long long *sum,
                     int *most, int groups, int n) {
    __shared__ uint32_t counts[500], sums[500];
    __shared__ int greatest[500];
    for (int k = threadIdx.x; k < groups; k += blockDim.x)
        counts[k] = sums[k] = greatest[k] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        int k = shop[i], p = price[i];
        atomicAdd(&counts[k], 1u);
        atomicAdd(&sums[k], (uint32_t)p);
        atomicMax(&greatest[k], p);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < groups; k += blockDim.x)
        if (counts[k] != 0) {
            atomicAdd(&count[k], counts[k]);
            atomicAdd(&sum[k], (unsigned long long)sums[k]);
            atomicMax(&most[k], greatest[k]);
        }
}

/* Adds to a sum, and to what the sum is too small by. */
static __device__ void add_exactly(float2 &sum, float x) {
    float next = sum.x + x, part = next - sum.x;
    sum.y += (sum.x - (next - part)) + (x - part);
    sum.x = next;
}

/* A sum in single precision that loses nothing: each thread keeps its rounding, and so does the tree in shared memory. */
KERNEL sum_compensated(const float *x, float2 *y, int n) {
    __shared__ float2 shared[256];
    int t = threadIdx.x;
    float2 sum = make_float2(0, 0);
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
        add_exactly(sum, x[i]);
    shared[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            float2 other = shared[t + half];
            add_exactly(sum, other.x);
            sum.y += other.y;
            shared[t] = sum;
        }
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = sum;
}

/* Running sums along rows that are no multiple of 32: a warp a row, 32 columns at a time. */
KERNEL rows_accumulated(const float *x, float *y, int rows, int columns) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows)
        return;
    float before = 0;
    for (int first = 0; first < columns; first += 32) {
        int j = first + lane;
        float sum = j < columns ? x[row * columns + j] : 0;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(ALL, sum, step);
            if (lane >= step)
                sum += other;
        }
        sum += before;
        if (j < columns)
            y[row * columns + j] = sum;
        before = __shfl_sync(ALL, sum, 31);
    }
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 24, rows = 8192, columns = 3000, tiles = 2048, shops = 500, lines = 16384,
              length = 1000;
    size_t many = 2 * (size_t)n;
    float *x = random_floats(many), *y = zeros(many), *partial = zeros(1024);
    uint32_t *words = random_words(n, 1000), *tickets = (uint32_t *)allocated(16);
    uint8_t *flag = filled<uint8_t>(n / 4, [](uint32_t i) { return mixed(i) % 50 == 0; });
    double *sums = (double *)allocated(2 * sizeof(double));
    int *ends = filled<int>(2, [](uint32_t i) { return i == 0 ? 0x7f7fffff : 0; });
    unsigned long long *state = (unsigned long long *)allocated(tiles * sizeof *state);
    /* small shops and some large ones */
    uint16_t *shop =
        filled<uint16_t>(n / 2, [=](uint32_t i) { return mixed(i) % (1 + mixed(i + 1) % shops); });
    uint32_t *counts = (uint32_t *)allocated(shops * 4);
    unsigned long long *sold = (unsigned long long *)allocated(shops * sizeof *sold);
    int *most = (int *)allocated(shops * 4);
    VALIDATE(sum_last_block, 264, 512, (float4 *)x, partial, tickets, y, n / 2);
    VALIDATE(moments_atomic, 1024, 256, x, sums, ends, n);
    VALIDATE(argmax_rows, rows, 128, x, (int *)y, y + rows, columns);
    VALIDATE(scan_looking_back, tiles, 256, (uint4 *)words, (uint4 *)y, state, tickets + 1);
    VALIDATE(flags_scanned, n / 4 / 256, 256, x, flag, y, y + n, (uint8_t *)(y + 3 * n / 2));
    VALIDATE(quick_partition, n / 2 / 256, 256, (int *)words, (int *)y, tickets + 2, 400, n / 2);
    VALIDATE(exclusive_of_four, n / 1024, 256, (uint4 *)words, (uint4 *)y, (uint32_t *)y + n);
    VALIDATE(groups_summed, 528, 384, shop, (int *)words, counts, sold, most, shops, n / 2);
    VALIDATE(sum_compensated, 396, 256, x, (float2 *)y, n);
    VALIDATE(rows_accumulated, lines / 8, dim3(32, 8), x, y, lines, length);
    return 0;
}

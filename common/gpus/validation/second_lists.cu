/* second_lists.cu: sorted, encoded, compared and counted: keys, runs, texts. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* The second half of a radix sort's pass: a key goes where its digit's keys of this block begin, 512 keys a block. */
KERNEL radix_scatter(const uint32_t *keys, const uint32_t *begin, uint32_t *sorted, int shift) {
    __shared__ uint32_t before[16][16]; /* a digit, a warp */
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    uint32_t key = keys[INDEX], digit = key >> shift & 15;
    if (t < 256)
        before[t / 16][t % 16] = 0;
    __syncthreads();
    uint32_t same = __match_any_sync(ALL, digit), rank = __popc(same & ((1u << lane) - 1));
    if (rank == 0)
        before[digit][warp] = __popc(same);
    __syncthreads();
    if (t < 16) {
        uint32_t sum = begin[t * gridDim.x + blockIdx.x];
        for (int k = 0; k < 16; k++) {
            uint32_t its = before[t][k];
            before[t][k] = sum;
            sum += its;
        }
    }
    __syncthreads();
    sorted[before[digit][warp] + rank] = key;
}

/* Run-length encoding: where each run begins, and of what it is. `first`: how many runs begin before each block. */
KERNEL run_starts(const uint32_t *x, const uint32_t *first, uint32_t *start, uint32_t *value) {
    __shared__ uint32_t heads[8];
    uint32_t i = INDEX, lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = x[i];
    bool head = i == 0 || x[i - 1] != mine;
    uint32_t vote = __ballot_sync(ALL, head), run = first[blockIdx.x] + __popc(vote & ((1u << lane) - 1));
    if (lane == 0)
        heads[warp] = __popc(vote);
    __syncthreads();
    for (uint32_t k = 0; k < warp; k++)
        run += heads[k];
    if (head) {
        start[run] = i;
        value[run] = mine;
    }
}

/* Prefix sums that begin anew at every flag; within blocks of 256. */
KERNEL segmented_sums(const float *x, const uint8_t *flag, float *y) {
    __shared__ float last[8];
    __shared__ bool open[8];
    int i = INDEX, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = x[i];
    uint32_t heads = __ballot_sync(ALL, flag[i] != 0), below = heads & ALL >> (31 - lane);
    int first = below != 0 ? 31 - __clz(below) : 0;
    for (int step = 1; step < 32; step *= 2) {
        float other = __shfl_up_sync(ALL, sum, step);
        if (lane - step >= first)
            sum += other;
    }
    if (lane == 31) {
        last[warp] = sum;
        open[warp] = heads == 0;
    }
    __syncthreads();
    if (below == 0)
        for (int k = warp - 1; k >= 0; k--) {
            sum += last[k];
            if (!open[k])
                break;
        }
    y[i] = sum;
}

/* The eight largest of a row: of each thread in registers, then merged two by two. A block a row. */
KERNEL top_eight(const float *x, float *y, int columns) {
    __shared__ float best[128][9];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * columns;
    float mine[8];
    for (int k = 0; k < 8; k++)
        mine[k] = -1;
    for (int i = t; i < columns; i += 128) {
        float value = row[i];
        if (value > mine[7]) {
#pragma unroll
            for (int k = 0; k < 8; k++) {
                float larger = fmaxf(mine[k], value);
                value = fminf(mine[k], value);
                mine[k] = larger;
            }
        }
    }
    for (int k = 0; k < 8; k++)
        best[t][k] = mine[k];
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            int a = 0, b = 0;
#pragma unroll
            for (int k = 0; k < 8; k++) {
                float left = best[t][a], right = best[t + half][b];
                mine[k] = fmaxf(left, right);
                if (left >= right)
                    a++;
                else
                    b++;
            }
#pragma unroll
            for (int k = 0; k < 8; k++)
                best[t][k] = mine[k];
        }
    }
    __syncthreads();
    if (t < 8)
        y[blockIdx.x * 8 + t] = best[0][t];
}

/* The order in which a transform wants its input. */
KERNEL bit_reversed(const float2 *x, float2 *y, int bits) {
    uint32_t i = INDEX;
    y[i] = x[__brev(i) >> (32 - bits)];
}

/* Which of two words of a dictionary comes first, letter by letter. */
KERNEL word_order(const char *text, const uint32_t *word, const uint32_t *other, int8_t *order) {
    const char *a = text + word[INDEX], *b = text + other[INDEX];
    while (*a != 0 && *a == *b)
        a++, b++;
    order[INDEX] = *a < *b ? -1 : *a > *b;
}

/* How many letters turn one text into another, 64 letters each: a diagonal of the table at a time, a block a pair. */
KERNEL edit_distance(const uint8_t *x, const uint8_t *y, uint32_t *distance) {
    __shared__ uint8_t across[64];
    __shared__ int line[3][65];
    int t = threadIdx.x, now = 2, before = 1, last = 0;
    uint8_t mine = x[INDEX] & 3;
    across[t] = y[INDEX] & 3;
    __syncthreads();
    for (int k = 0; k < 127; k++) {
        int column = k - t; /* row t + 1 and column k - t + 1 */
        if (column >= 0 && column < 64) {
            int above = t == 0 ? column + 1 : line[before][t];
            int left = column == 0 ? t + 1 : line[before][t + 1];
            int corner = t == 0 ? column : column == 0 ? t : line[last][t];
            line[now][t + 1] = min(min(above, left) + 1, corner + (mine != across[column]));
        }
        __syncthreads();
        int oldest = last;
        last = before, before = now, now = oldest;
    }
    if (t == 63)
        distance[blockIdx.x] = line[before][64];
}

/* In how many ways queens stand on a board whose first three rows are given by the thread's number. */
KERNEL queens(uint32_t *ways, int size) {
    int number = INDEX, row = 3;
    uint32_t full = (1u << size) - 1, columns = 0, left = 0, right = 0, found = 0;
    uint32_t kept_columns[16], kept_left[16], kept_right[16], free[16];
    bool possible = number < size * size * size;
    for (int k = 0; k < 3; k++) {
        uint32_t place = 1u << number % size;
        possible = possible && ((columns | left | right) & place) == 0;
        columns |= place, left = (left | place) << 1, right = (right | place) >> 1;
        number /= size;
    }
    free[row] = possible ? full & ~(columns | left | right) : 0;
    while (row >= 3) {
        uint32_t place = free[row] & -free[row];
        if (place == 0) {
            if (--row >= 3)
                columns = kept_columns[row], left = kept_left[row], right = kept_right[row];
            continue;
        }
        free[row] ^= place;
        if (row == size - 1) {
            found++;
            continue;
        }
        kept_columns[row] = columns, kept_left[row] = left, kept_right[row] = right;
        columns |= place, left = (left | place) << 1, right = (right | place) >> 1;
        free[++row] = full & ~(columns | left | right);
    }
    ways[INDEX] = found;
}

/* Adler's check sum of 4096 bytes a warp. */
KERNEL adler_sums(const uint4 *x, uint32_t *sums) {
    int lane = threadIdx.x % 32, warp = INDEX / 32;
    uint32_t low = 0, high = 0;
    for (int k = 0; k < 8; k++) {
        uint4 v = x[warp * 256 + k * 32 + lane];
        uint32_t words[4] = {v.x, v.y, v.z, v.w}, rest = 4096 - (k * 32 + lane) * 16, own = 0, ranks = 0;
#pragma unroll
        for (int b = 0; b < 16; b++) {
            uint32_t byte = words[b / 4] >> 8 * (b % 4) & 255;
            own += byte;
            ranks += b * byte;
        }
        low += own;
        high = (high + rest * own - ranks) % 65521;
    }
    for (int step = 16; step > 0; step /= 2) {
        low += __shfl_down_sync(ALL, low, step);
        high += __shfl_down_sync(ALL, high, step);
    }
    if (lane == 0)
        sums[warp] = (high + 4096) % 65521 << 16 | (low + 1) % 65521;
}

/* Counts of keys of which few are frequent: the lanes of a warp that have the same key send one of them. */
KERNEL counts_by_leaders(const uint32_t *keys, uint32_t *counts) {
    uint32_t key = keys[INDEX] & 1023, same = __match_any_sync(ALL, key);
    if (__ffs(same) - 1 == threadIdx.x % 32)
        atomicAdd(&counts[key], (uint32_t)__popc(same));
}

/* Where the keys of each digit go, those of a block together: column by column of a table of digits and blocks. */
static uint32_t *digit_starts(uint32_t n, uint32_t blocks) {
    uint32_t *table = (uint32_t *)calloc(16 * blocks, sizeof *table), sum = 0;
    if (table == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (uint32_t i = 0; i < n; i++)
        table[(mixed(i) >> 8 & 15) * blocks + i / 512]++;
    for (uint32_t k = 0; k < 16 * blocks; k++) {
        uint32_t its = table[k];
        table[k] = sum;
        sum += its;
    }
    uint32_t *device = filled<uint32_t>(16 * blocks, [=](uint32_t i) { return table[i]; });
    free(table);
    return device;
}

static uint32_t run_value(uint32_t i) {
    return mixed(i / 5) % 3;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const uint32_t n = 1 << 22;
    uint32_t *keys = filled<uint32_t>(n, mixed), *begin = digit_starts(n, n / 512);
    uint32_t *runs = filled<uint32_t>(n, run_value), heads = 0;
    uint32_t *first = filled<uint32_t>(n / 256, [&](uint32_t block) {
        uint32_t before = heads;
        for (uint32_t i = 256 * block; i < 256 * (block + 1); i++)
            heads += i == 0 || run_value(i) != run_value(i - 1);
        return before;
    });
    float *x = random_floats(n), *y = zeros(2 * n);
    uint8_t *flags = filled<uint8_t>(n, [](uint32_t i) { return mixed(i + 3) % 12 == 0; });
    /* words of 32 letters at most, that begin alike */
    char *text = filled<char>(n, [](uint32_t i) {
        return i % 32 == 31 ? 0 : i % 32 < mixed(i / 32) % 16 ? 'a' : 'a' + mixed(i) % 20;
    });
    uint32_t *word = filled<uint32_t>(n / 8, [=](uint32_t i) { return mixed(i + 1) % (n / 32) * 32; });
    uint32_t *other = filled<uint32_t>(n / 8, [=](uint32_t i) { return mixed(i + 7777) % (n / 32) * 32; });
    uint32_t *skewed =
        filled<uint32_t>(n / 4, [](uint32_t i) { return mixed(i) & mixed(i + 11) & mixed(i + 222); });
    uint32_t *to = (uint32_t *)y;
    VALIDATE(radix_scatter, n / 512, 512, keys, begin, to, 8);
    VALIDATE(run_starts, n / 256, 256, runs, first, to, to + n);
    VALIDATE(segmented_sums, n / 256, 256, x, flags, y);
    VALIDATE(top_eight, 1000, 128, x, y, 4000);
    VALIDATE(bit_reversed, n / 2 / 256, 256, (float2 *)x, (float2 *)y, 21);
    VALIDATE(word_order, n / 8 / 128, 128, text, word, other, (int8_t *)y);
    VALIDATE(edit_distance, 1024, 64, (uint8_t *)keys, (uint8_t *)x, to);
    VALIDATE(queens, 21, 64, to, 11);
    VALIDATE(adler_sums, 512, 256, (uint4 *)keys, to);
    VALIDATE(counts_by_leaders, n / 4 / 256, 256, skewed, to);
    return 0;
}

/* sixth_records.cu: rows of tables and their columns: sorted, joined, grouped, decoded, filtered, sampled, counted. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* A block's 1024 keys of 16 bits put in order, bit by bit: zeros first, then ones, each by how many came before. */
KERNEL split_sort(const uint16_t *x, uint16_t *y) {
    __shared__ uint16_t keys[1024];
    __shared__ uint32_t ones_of[32];
    uint32_t t = threadIdx.x, lane = t % 32, warp = t / 32, key = x[INDEX];
    for (int bit = 0; bit < 16; bit++) {
        uint32_t one = key >> bit & 1, votes = __ballot_sync(ALL, one);
        if (lane == 0)
            ones_of[warp] = __popc(votes);
        __syncthreads();
        if (warp == 0) {
            uint32_t sum = ones_of[lane];
            for (int step = 1; step < 32; step *= 2) {
                uint32_t before = __shfl_up_sync(ALL, sum, step);
                sum += lane >= (uint32_t)step ? before : 0;
            }
            ones_of[lane] = sum;
        }
        __syncthreads();
        uint32_t before = (warp > 0 ? ones_of[warp - 1] : 0) + __popc(votes & ((1u << lane) - 1));
        keys[one ? 1024 - ones_of[31] + before : t - before] = (uint16_t)key;
        __syncthreads();
        key = keys[t];
    }
    y[INDEX] = (uint16_t)key;
}

static __host__ __device__ uint32_t slot_of(uint32_t key, uint32_t mask) {
    return (key * 2654435769u >> 9) & mask;
}

/* The second half of a join: each row's key walks the chain of its slot, what matches adds its worth. */
KERNEL chain_probe(const uint32_t *keys, const int *head, const int *next, const uint2 *row, uint64_t *sum,
                   uint32_t mask, int n) {
    uint64_t mine = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint32_t key = keys[i];
        for (int at = head[slot_of(key, mask)]; at >= 0; at = next[at]) {
            uint2 it = row[at];
            if (it.x == key)
                mine += it.y;
        }
    }
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_down_sync(ALL, mine, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd((unsigned long long *)sum, (unsigned long long)mine);
}

/* Sum, count, least and most of each of 1000 groups: first in the block's own table in shared memory, then in everybody's. */
KERNEL group_sums(const uint16_t *group, const int *value, unsigned long long *sums, uint32_t *counts,
                  int *least, int *most, int n) {
    __shared__ int sum[1000], low[1000], high[1000];
    __shared__ uint32_t number[1000];
    for (int k = threadIdx.x; k < 1000; k += blockDim.x) {
        sum[k] = 0, number[k] = 0;
        low[k] = 0x7fffffff, high[k] = -0x7fffffff;
    }
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        int g = group[i], v = value[i];
        atomicAdd(&sum[g], v);
        atomicAdd(&number[g], 1u);
        atomicMin(&low[g], v);
        atomicMax(&high[g], v);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1000; k += blockDim.x)
        if (number[k] != 0) {
            atomicAdd(&sums[k], (unsigned long long)(long long)sum[k]);
            atomicAdd(&counts[k], number[k]);
            atomicMin(&least[k], low[k]);
            atomicMax(&most[k], high[k]);
        }
}

/* A column of codes of 11 bits, packed one behind the other, becomes the dictionary's values. */
KERNEL dictionary_decode(const uint32_t *packed, const double *dictionary, double *y, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    uint64_t bit = (uint64_t)i * 11;
    uint32_t word = (uint32_t)(bit >> 5), low = packed[word], high = packed[word + 1];
    y[i] = dictionary[__funnelshift_r(low, high, (uint32_t)bit & 31) & 0x7ff];
}

template <int WARPS> static __device__ double block_sum(double value) {
    __shared__ double sums[WARPS];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(ALL, value, step);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < WARPS; k++)
            value += sums[k];
    return value;
}

/* What a year's sales of some discount and small number brought in: four columns, of which the last is looked at seldom. */
KERNEL sales_filtered(const int *day, const float *discount, const float *quantity, const double *price,
                      double *sum, int from, int to, int n) {
    double mine = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        int when = day[i];
        if (when >= from && when < to) {
            float off = discount[i];
            if (off >= 0.05f && off <= 0.07f && quantity[i] < 24)
                mine += price[i] * off;
        }
    }
    mine = block_sum<8>(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

/* Strings of 4 to 67 letters, hashed after Murmur: their places follow from where each begins, words lie anyhow. */
KERNEL strings_hashed(const uint8_t *letters, const uint32_t *begin, uint32_t *hash, int n, uint32_t seed) {
    int i = INDEX;
    if (i >= n)
        return;
    uint32_t at = begin[i], length = begin[i + 1] - at, h = seed;
    for (uint32_t k = 0; k + 4 <= length; k += 4) {
        const uint8_t *p = letters + at + k;
        uint32_t word = p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
        word *= 0xcc9e2d51u;
        word = (word << 15 | word >> 17) * 0x1b873593u;
        h ^= word;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
    }
    uint32_t rest = 0;
    for (uint32_t k = length & 3; k > 0; k--)
        rest = rest << 8 | letters[at + (length & ~3u) + k - 1];
    if (rest != 0) {
        rest *= 0xcc9e2d51u;
        h ^= (rest << 15 | rest >> 17) * 0x1b873593u;
    }
    h ^= length;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    hash[i] = h ^ h >> 16;
}

/* Draws from a million odds by aliases: a place and a share, by Marsaglia's xorwow; 32 draws a thread. */
KERNEL alias_samples(const float2 *table, uint32_t *y, uint32_t places, uint32_t seed) {
    uint32_t x = mixed(INDEX ^ seed), a = x ^ 0x75bcd15u, b = mixed(x), c = a * 69069u, d = b ^ 0x1f123bb5u,
             add = x;
    for (int k = 0; k < 32; k++) {
        uint32_t draw[2];
#pragma unroll
        for (int m = 0; m < 2; m++) {
            uint32_t t = x ^ x >> 2;
            x = a, a = b, b = c, c = d;
            d = d ^ d << 4 ^ t ^ t << 1;
            add += 362437u;
            draw[m] = d + add;
        }
        uint32_t at = __umulhi(draw[0], places);
        float2 it = table[at];
        y[k * gridDim.x * blockDim.x + INDEX] =
            (draw[1] >> 8) * (1.0f / 16777216) < it.x ? at : (uint32_t)__float_as_int(it.y);
    }
}

/* How many numbers lie between each two of 100 edges that are not evenly apart: edges and counters in shared memory. */
KERNEL histogram_edges(const float *x, const float *edges, int bins, uint32_t *counts, int n) {
    __shared__ float edge[129];
    __shared__ uint32_t own[128];
    for (int k = threadIdx.x; k <= bins; k += blockDim.x) {
        edge[k] = edges[k];
        if (k < bins)
            own[k] = 0;
    }
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        float v = x[i];
        int low = 0, high = bins;
        if (v < edge[0] || v >= edge[bins])
            continue;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (v < edge[middle])
                high = middle;
            else
                low = middle;
        }
        atomicAdd(&own[low], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += blockDim.x)
        atomicAdd(&counts[k], own[k]);
}

/* Boxes that cover each other by more than a part: 64 against 64 a block, a bit a pair; only pairs in order. */
KERNEL boxes_overlap(const float4 *box, unsigned long long *bits, int n, float limit) {
    __shared__ float4 others[64];
    int row = blockIdx.y, column = blockIdx.x, t = threadIdx.x, i = row * 64 + t;
    if (row > column)
        return;
    int there = min(n - column * 64, 64);
    if (t < there)
        others[t] = box[column * 64 + t];
    __syncthreads();
    if (i >= n)
        return;
    float4 own = box[i];
    float area = (own.z - own.x) * (own.w - own.y);
    unsigned long long found = 0;
    for (int k = row == column ? t + 1 : 0; k < there; k++) {
        float4 b = others[k];
        float across = fmaxf(fminf(own.z, b.z) - fmaxf(own.x, b.x), 0.0f);
        float down = fmaxf(fminf(own.w, b.w) - fmaxf(own.y, b.y), 0.0f);
        float both = across * down;
        if (both / (area + (b.z - b.x) * (b.w - b.y) - both) > limit)
            found |= 1ull << k;
    }
    bits[(size_t)i * gridDim.x + column] = found;
}

/* Which month of which year a day is, counted from 1970, and how many rows a month has: divisions by what is known. */
KERNEL days_by_month(const int *day, uint16_t *month, uint32_t *counts, int n) {
    __shared__ uint32_t own[12];
    if (threadIdx.x < 12)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        int z = day[i] + 719468, era = z / 146097, of_era = z % 146097;
        int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
        int of_year = of_era - (365 * year + year / 4 - year / 100);
        int from_march = (5 * of_year + 2) / 153, m = from_march < 10 ? from_march + 3 : from_march - 9;
        year += era * 400 + (m <= 2);
        month[i] = (uint16_t)(year * 12 + m - 1);
        atomicAdd(&own[m - 1], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 12)
        atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

/* Of strings. */
static uint32_t length_of(uint32_t i) {
    return 4 + mixed(i) % 64;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 23, rows = 1 << 20, strings = 700000, boxes = 5000, places = 1000000;
    uint32_t *words = filled<uint32_t>(n, mixed);
    float *x = random_floats(2 * n), *y = zeros(4 * n);
    uint32_t *counts = (uint32_t *)allocated(1 << 20);
    static int host_head[1 << 20], host_next[1 << 20];
    for (int k = 0; k < 1 << 20; k++)
        host_head[k] = -1;
    for (int k = 0; k < rows; k++) {
        int *its = &host_head[slot_of(mixed((uint32_t)k), (1 << 20) - 1)];
        host_next[k] = *its;
        *its = k;
    }
    int *head = filled<int>(1 << 20, [](uint32_t i) { return host_head[i]; });
    int *next = filled<int>(rows, [](uint32_t i) { return host_next[i]; });
    uint2 *row = filled<uint2>(rows, [](uint32_t i) { return make_uint2(mixed(i), i & 1023); });
    /* of the keys that are asked for, half are there */
    uint32_t *keys = filled<uint32_t>(n / 2, [=](uint32_t i) { return mixed(mixed(i) % (2 * rows)); });
    uint16_t *group = filled<uint16_t>(
        n, [](uint32_t i) { return (uint16_t)((mixed(i) % 1000) * (mixed(i + 1) % 1000) / 1000); });
    int *days = filled<int>(n, [](uint32_t i) { return (int)(mixed(i) % 2557) + 8035; });
    double *dictionary = filled<double>(2048, [](uint32_t i) { return i * 0.25; });
    float *discount = filled<float>(n, [](uint32_t i) { return mixed(i + 3) % 11 * 0.01f; });
    float *quantity = filled<float>(n, [](uint32_t i) { return 1 + mixed(i + 4) % 50; });
    uint32_t letters = 0;
    uint32_t *begin = filled<uint32_t>(strings + 1, [&](uint32_t i) {
        uint32_t first = letters;
        letters += length_of(i);
        return first;
    });
    float2 *aliases = filled<float2>(places, [=](uint32_t i) {
        int other = (int)(mixed(i) % places);
        float as_float;
        memcpy(&as_float, &other, sizeof other);
        return make_float2((mixed(i + 8) >> 8) / 16777216.0f, as_float);
    });
    float *edges = filled<float>(101, [](uint32_t i) { return i * i / 10000.0f; });
    float4 *box = filled<float4>(boxes, [](uint32_t i) {
        float a = mixed(i) % 1000, b = mixed(i + 1) % 600;
        return make_float4(a, b, a + 20 + mixed(i + 2) % 80, b + 20 + mixed(i + 3) % 80);
    });
    VALIDATE(split_sort, 1500, 1024, (uint16_t *)words, (uint16_t *)y);
    VALIDATE(chain_probe, 528, 256, keys, head, next, row, (uint64_t *)counts + 100000, (1 << 20) - 1, n / 2);
    VALIDATE(group_sums, 264, 512, group, (int *)days, (unsigned long long *)counts, counts + 4096,
             (int *)counts + 8192, (int *)counts + 12288, n);
    VALIDATE(dictionary_decode, n / 320 + 1, 320, words, dictionary, (double *)y, n);
    VALIDATE(sales_filtered, 1056, 256, days, discount, quantity, (double *)x, (double *)counts, 8766, 9131,
             n);
    VALIDATE(strings_hashed, (strings + 127) / 128, 128, (uint8_t *)words, begin, (uint32_t *)y, strings, 17);
    VALIDATE(alias_samples, 2000, 192, aliases, (uint32_t *)y, places, 5);
    VALIDATE(histogram_edges, 396, 384, x, edges, 100, counts + 65536, 2 * n);
    VALIDATE(boxes_overlap, dim3((boxes + 63) / 64, (boxes + 63) / 64), 64, box, (unsigned long long *)y,
             boxes, 0.5f);
    VALIDATE(days_by_month, 792, 256, days, (uint16_t *)y, counts + 131072, n);
    return 0;
}

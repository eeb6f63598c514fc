/* third_tables.cu: lists that are sorted, merged, sifted, joined and searched; graphs; a table of best choices. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* Batcher's network sorts 1024 pairs of key and value in shared memory. */
KERNEL odd_even_pairs(const uint32_t *keys, uint32_t *sorted, uint32_t *from) {
    __shared__ uint32_t key[1024], value[1024];
    int t = threadIdx.x;
    key[t] = keys[INDEX];
    value[t] = t;
    for (int part = 512; part > 0; part /= 2) {
        int right = 0, apart = part;
        for (int half = 512; half >= part; half /= 2) {
            __syncthreads();
            if ((t & part) == right && t + apart < 1024 && key[t] > key[t + apart]) {
                uint32_t its_key = key[t], its_value = value[t];
                key[t] = key[t + apart], value[t] = value[t + apart];
                key[t + apart] = its_key, value[t + apart] = its_value;
            }
            apart = half - part;
            right = part;
        }
    }
    __syncthreads();
    sorted[INDEX] = key[t];
    from[INDEX] = value[t];
}

/* How many of the first `place` elements of two lists' merger come from the first list. */
static __device__ int share_of(const uint32_t *a, int a_count, const uint32_t *b, int b_count, int place) {
    int low = max(0, place - b_count), high = min(place, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[place - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Two sorted lists become one: a block makes 1024 elements of it, a thread eight. */
KERNEL merge_path(const uint32_t *a, int a_count, const uint32_t *b, int b_count, uint32_t *merged) {
    __shared__ uint32_t part[1024];
    __shared__ int share[2];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    if (t < 2)
        share[t] = share_of(a, a_count, b, b_count, first + 1024 * t);
    __syncthreads();
    int begin = share[0], of_a = share[1] - begin, of_b = 1024 - of_a;
    for (int k = t; k < 1024; k += blockDim.x)
        part[k] = k < of_a ? a[begin + k] : b[first - begin + k - of_a];
    __syncthreads();
    int i = share_of(part, of_a, part + of_a, of_b, 8 * t), j = 8 * t - i;
    for (int k = 0; k < 8; k++) {
        bool from_a = j >= of_b || (i < of_a && part[i] <= part[of_a + j]);
        merged[first + 8 * t + k] = from_a ? part[i++] : part[of_a + j++];
    }
}

/* Those of a block's 1024 numbers that are above a limit, in order; an atomic a block says where they go. */
KERNEL compact_blocks(const float *x, float *y, uint32_t *end, float limit, uint32_t mask) {
    __shared__ uint32_t counts[8], begin;
    uint32_t t = threadIdx.x, lane = t % 32, rank[4], count = 0;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = x[blockIdx.x * 1024 + t / 32 * 128 + 32 * k + lane];
        uint32_t vote = __ballot_sync(ALL, v[k] > limit);
        rank[k] = count + __popc(vote & ((1u << lane) - 1));
        count += __popc(vote);
    }
    if (lane == 0)
        counts[t / 32] = count;
    __syncthreads();
    if (t == 0) {
        uint32_t sum = 0;
        for (int k = 0; k < 8; k++) {
            uint32_t its = counts[k];
            counts[k] = sum;
            sum += its;
        }
        begin = atomicAdd(end, sum);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (v[k] > limit)
            y[(begin + counts[t / 32] + rank[k]) & mask] = v[k];
}

/* A join of two tables' parts: 1024 rows of one hang in chains in shared memory, 4096 of the other look for theirs. */
KERNEL join_chains(const uint32_t *build, const uint32_t *probe, uint2 *matches) {
    __shared__ int head[512], next[1024];
    __shared__ uint32_t key[1024];
    for (int k = threadIdx.x; k < 512; k += blockDim.x)
        head[k] = -1;
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        uint32_t mine = build[blockIdx.x * 1024 + k];
        key[k] = mine;
        next[k] = atomicExch(&head[mine * 2654435761u >> 23], k);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) {
        uint32_t wanted = probe[blockIdx.x * 4096 + k], count = 0, rows = 0;
        for (int at = head[wanted * 2654435761u >> 23]; at >= 0; at = next[at])
            if (key[at] == wanted)
                count++, rows += at;
        matches[blockIdx.x * 4096 + k] = make_uint2(count, rows);
    }
}

/* Every element of a list skips one: how far it is from the end, by pointers that jump. Blocks of one warp. */
KERNEL list_ranks(const uint2 *element, uint2 *jumped) {
    uint2 mine = element[INDEX], its = element[mine.x];
    jumped[INDEX] = make_uint2(its.x, mine.y + its.y);
}

/* Triangles of a graph: an edge a thread, what its ends' sorted neighbours have in common; blocks that stay. */
KERNEL triangle_counts(const uint32_t *start, const uint32_t *neighbour, const uint32_t *owner,
                       uint32_t *total, int edges) {
    uint32_t count = 0;
    for (int i = INDEX; i < edges; i += gridDim.x * blockDim.x) {
        uint32_t a = start[owner[i]], a_end = start[owner[i] + 1];
        uint32_t b = start[neighbour[i]], b_end = start[neighbour[i] + 1];
        while (a < a_end && b < b_end) {
            uint32_t left = neighbour[a], right = neighbour[b];
            count += left == right;
            a += left <= right;
            b += right <= left;
        }
    }
    count = __reduce_add_sync(ALL, count);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, count);
}

/* Is a key in the set? Four bits say perhaps, one that is not set says no. */
KERNEL bloom_probe(const uint32_t *filter, const uint32_t *keys, uint8_t *perhaps, uint32_t mask) {
    uint32_t key = keys[INDEX], at = mixed(key), step = mixed(key + 0x9e3779b9u) | 1;
    bool all = true;
    for (int k = 0; k < 4 && all; k++) {
        uint32_t bit = at & mask;
        all = filter[bit / 32] >> bit % 32 & 1;
        at += step;
    }
    perhaps[INDEX] = all;
}

/* A search tree of 32 keys a node and four levels: a warp a key, a lane a key of the node. */
KERNEL btree_lookup(const uint32_t *tree, const uint32_t *keys, uint32_t *place) {
    uint32_t lane = threadIdx.x % 32, mine = keys[INDEX], found = 0;
    for (int k = 0; k < 32; k++) {
        uint32_t wanted = __shfl_sync(ALL, mine, k), node = 0;
        const uint32_t *level = tree;
        for (uint32_t width = 32; width <= 1 << 20; width *= 32) {
            uint32_t vote = __ballot_sync(ALL, level[node * 32 + lane] <= wanted);
            node = node * 32 + max(__popc(vote) - 1, 0);
            level += width;
        }
        if (lane == k)
            found = node;
    }
    place[INDEX] = found;
}

/* What a knapsack of any size up to 6143 can hold at best: one block, item by item. */
KERNEL knapsack(const uint32_t *weight, const uint32_t *worth, uint32_t *best, int items) {
    __shared__ uint32_t table[6144];
    int t = threadIdx.x;
    for (int k = t; k < 6144; k += 768)
        table[k] = 0;
    for (int item = 0; item < items; item++) {
        int heavy = weight[item];
        uint32_t gain = worth[item], better[8];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int size = t + 768 * k;
            better[k] = size >= heavy ? max(table[size], table[size - heavy] + gain) : table[size];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++)
            table[t + 768 * k] = better[k];
    }
    for (int k = 0; k < 8; k++)
        best[t + 768 * k] = table[t + 768 * k];
}

static uint32_t degree_of(uint32_t node) {
    return 4 + 128 / (1 + mixed(node) % 64);
}

/* Every number below 2^22 once. */
static uint32_t shuffled(uint32_t i) {
    i = i * 2654435761u & 0x3fffff;
    i ^= i >> 11;
    return i * 2246822519u & 0x3fffff;
}

/* The filter of 2^26 bits that holds the even keys below 2^22. */
static uint32_t *bloom_filter(void) {
    const uint32_t mask = (1u << 26) - 1;
    uint32_t *bits = (uint32_t *)calloc(1 << 21, sizeof *bits);
    if (bits == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (uint32_t key = 0; key < 1u << 22; key += 2)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bit = (mixed(key) + k * (mixed(key + 0x9e3779b9u) | 1)) & mask;
            bits[bit / 32] |= 1u << bit % 32;
        }
    uint32_t *device = filled<uint32_t>(1 << 21, [=](uint32_t i) { return bits[i]; });
    free(bits);
    return device;
}

/* The levels of the search tree one behind the other; the last holds all 2^20 keys, in order. */
static uint32_t tree_key(uint32_t i) {
    uint32_t width = 32;
    while (i >= width)
        i -= width, width *= 32;
    uint32_t place = i * ((1u << 20) / width);
    return place << 12 | (mixed(place) & 4095);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, nodes = 1 << 15;
    uint32_t *words = filled<uint32_t>(2 * n, mixed), *to = (uint32_t *)allocated(8 * n * sizeof *to);
    float *x = random_floats(2 * n);
    uint32_t *a = filled<uint32_t>(n / 2, [](uint32_t i) { return 3 * i + mixed(i) % 3; });
    uint32_t *b = filled<uint32_t>(
        n / 2, [=](uint32_t i) { return i < n / 4 ? i : n / 4 + 5 * (i - n / 4) + mixed(i) % 5; });
    /* keys of few values in each part of a table: some have several rows, some none */
    uint32_t *build = filled<uint32_t>(n / 4, [](uint32_t i) { return i / 1024 * 4096 + mixed(i) % 1500; });
    uint32_t *probe = filled<uint32_t>(n, [](uint32_t i) { return i / 4096 * 4096 + mixed(i + 5) % 2000; });
    uint2 *list = filled<uint2>(n, [](uint32_t i) { return make_uint2(shuffled(i), 1); });
    uint32_t edges = 0, node = 0, given = 0;
    uint32_t *start = filled<uint32_t>(nodes + 1, [&](uint32_t i) {
        uint32_t first = edges;
        edges += i < nodes ? degree_of(i) : 0;
        return first;
    });
    uint32_t *owner = filled<uint32_t>(edges, [&](uint32_t) {
        if (given == degree_of(node))
            node++, given = 0;
        given++;
        return node;
    });
    /* a node's neighbours: one behind the other, now and then one left out */
    uint32_t at = 0, left = 0, number = 0;
    uint32_t *neighbour = filled<uint32_t>(edges, [&](uint32_t i) {
        if (left == 0) {
            left = degree_of(number);
            at = mixed(number++ + 99) % (nodes - 400);
        }
        left--;
        return at += 1 + mixed(i) % 3;
    });
    uint32_t *filter = bloom_filter(), *keys = random_words(n, n);
    uint32_t *tree = filled<uint32_t>(32 + 1024 + 32768 + (1 << 20), tree_key);
    uint32_t *weight = filled<uint32_t>(128, [](uint32_t i) { return 1 + mixed(i) % 500; });
    VALIDATE(odd_even_pairs, 400, 1024, words, to, to + n);
    VALIDATE(merge_path, n / 1024, 128, a, n / 2, b, n / 2, to);
    VALIDATE(compact_blocks, n / 512, 256, x, (float *)to, to + 4 * n, 0.7f, 2 * n - 1);
    VALIDATE(join_chains, n / 4096, 256, build, probe, (uint2 *)to);
    VALIDATE(list_ranks, n / 32, 32, list, (uint2 *)to);
    VALIDATE(triangle_counts, 264, 128, start, neighbour, owner, to, edges);
    VALIDATE(bloom_probe, n / 2 / 192, 192, filter, keys, (uint8_t *)to, (1u << 26) - 1);
    VALIDATE(btree_lookup, 4000, 96, tree, words, to);
    VALIDATE(knapsack, 1, 768, weight, words, to, 128);
    return 0;
}

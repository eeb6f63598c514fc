/* chains.cu: loads that wait for one another. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Lists through 32 MB, which L2 holds after the first steps; a list for each thread. */
KERNEL pointer_chase(const uint32_t *next, uint32_t *end, int steps) {
    uint32_t at = INDEX * 64;
    for (int k = 0; k < steps; k++)
        at = next[at];
    end[INDEX] = at;
}

/* Lists within 64 KB: L1. */
KERNEL pointer_chase_near(const uint32_t *next, uint32_t *end, int steps) {
    uint32_t at = threadIdx.x * 64;
    for (int k = 0; k < steps; k++)
        at = next[at] & 16383;
    end[INDEX] = at;
}

/* One warp an SM. */
KERNEL pointer_chase_alone(const uint32_t *next, uint32_t *end, int steps) {
    uint32_t at = INDEX * 512;
    for (int k = 0; k < steps; k++)
        at = next[at];
    end[INDEX] = at;
}

/* Lists in shared memory. */
KERNEL shared_chase(const uint32_t *next, uint32_t *end, int steps) {
    __shared__ uint32_t list[4096];
    for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x)
        list[i] = next[i] & 4095;
    __syncthreads();
    uint32_t at = threadIdx.x;
    for (int k = 0; k < steps; k++)
        at = list[at];
    end[INDEX] = at;
}

KERNEL binary_search(const uint32_t *sorted, const uint32_t *keys, uint32_t *place, int n) {
    uint32_t key = keys[INDEX];
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    place[INDEX] = low;
}

/* A table with open places; a thread looks for its key until it meets it or an empty place. */
KERNEL hash_probe(const uint32_t *table, const uint32_t *keys, uint32_t *place, uint32_t mask) {
    uint32_t key = keys[INDEX], at = mixed(key) & mask;
    while (table[at] != key && table[at] != 0)
        at = (at + 1) & mask;
    place[INDEX] = at;
}

/* Down a tree of four-byte nodes kept level by level, 18 levels. */
KERNEL tree_walk(const float *split, const float *x, uint32_t *leaf, int levels) {
    float value = x[INDEX];
    uint32_t node = 0;
    for (int k = 0; k < levels; k++) {
        float at = split[node];
        value = value < at ? value * 1.9f : value - at;
        node = 2 * node + (value < 0.5f ? 1 : 2);
    }
    leaf[INDEX] = node;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 23;
    uint32_t *next = random_words(n, n), *end = (uint32_t *)zeros(1 << 20);
    uint32_t *sorted = filled<uint32_t>(n / 2, [](uint32_t i) { return 3 * i; });
    /* three of four places are taken */
    uint32_t *table = filled<uint32_t>(n / 4, [](uint32_t i) { return i % 4 == 3 ? 0 : mixed(i) | 1; });
    uint32_t *keys = random_words(1 << 20, 3 * n / 2);
    float *x = random_floats(1 << 20);
    VALIDATE(pointer_chase, 264, 256, next, end, 64);
    VALIDATE(pointer_chase_near, 528, 128, next, end, 512);
    VALIDATE(pointer_chase_alone, 132, 32, next, end, 128);
    VALIDATE(shared_chase, 528, 256, next, end, 256);
    VALIDATE(binary_search, 2048, 256, sorted, keys, end, n / 2);
    VALIDATE(hash_probe, 4096, 256, table, keys, end, n / 4 - 1);
    VALIDATE(tree_walk, 2048, 256, x, x, end, 18);
    return 0;
}

/* access_patterns.cu: one warp, one memory instruction, a chosen address for each lane. Under ncu
 * on a real GPU it shows how many wavefronts and sectors the hardware needs for that pattern
 * (access_patterns_*.csv), which the simulator's rules must equal. record_access_patterns.sh
 * builds, runs and joins the two.
 *
 *   access_patterns            launches every pattern once, in order (under ncu)
 *   access_patterns --list     prints "index space operation width offset0 .. offset31"
 *                              (offset -1: lane inactive) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, SHARED_BYTES = 16384, GLOBAL_BYTES = 16384 };

struct pattern {
    int shared, store, width;
    int offset[LANES]; /* bytes, -1 inactive */
};

#define ACCESS(space_name, constraint, address)                                                              \
    if (store) {                                                                                             \
        if (width == 1)                                                                                      \
            asm volatile("st." space_name ".u8 [%0], %1;" ::constraint(address), "r"(a) : "memory");         \
        if (width == 2)                                                                                      \
            asm volatile("st." space_name ".u16 [%0], %1;" ::constraint(address), "h"((short)a) : "memory"); \
        if (width == 4)                                                                                      \
            asm volatile("st." space_name ".u32 [%0], %1;" ::constraint(address), "r"(a) : "memory");        \
        if (width == 8)                                                                                      \
            asm volatile("st." space_name ".v2.u32 [%0], {%1, %1};" ::constraint(address), "r"(a)            \
                         : "memory");                                                                        \
        if (width == 16)                                                                                     \
            asm volatile("st." space_name ".v4.u32 [%0], {%1, %1, %1, %1};" ::constraint(address), "r"(a)    \
                         : "memory");                                                                        \
    } else {                                                                                                 \
        short h = 0;                                                                                         \
        if (width == 1)                                                                                      \
            asm volatile("ld." space_name ".u8 %0, [%1];" : "=r"(a) : constraint(address) : "memory");       \
        if (width == 2)                                                                                      \
            asm volatile("ld." space_name ".u16 %0, [%1];" : "=h"(h) : constraint(address) : "memory");      \
        if (width == 4)                                                                                      \
            asm volatile("ld." space_name ".u32 %0, [%1];" : "=r"(a) : constraint(address) : "memory");      \
        if (width == 8)                                                                                      \
            asm volatile("ld." space_name ".v2.u32 {%0, %1}, [%2];"                                          \
                         : "=r"(a), "=r"(b)                                                                  \
                         : constraint(address)                                                               \
                         : "memory");                                                                        \
        if (width == 16)                                                                                     \
            asm volatile("ld." space_name ".v4.u32 {%0, %1, %2, %3}, [%4];"                                  \
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                                \
                         : constraint(address)                                                               \
                         : "memory");                                                                        \
        a += h + b + c + d;                                                                                  \
    }

/* One access per active lane. `sink` keeps a load alive without a counted store. */
__global__ void access(struct pattern p, uint8_t *memory, unsigned sink, unsigned *out) {
    __shared__ __align__(128) uint8_t tile[SHARED_BYTES];
    int offset = p.offset[threadIdx.x], width = p.width, store = p.store;
    unsigned a = threadIdx.x, b = 0, c = 0, d = 0;
    if (offset >= 0) {
        if (p.shared) {
            unsigned address = (unsigned)__cvta_generic_to_shared(tile) + offset;
            ACCESS("shared", "r", address)
        } else {
            unsigned long long address = (unsigned long long)memory + offset;
            ACCESS("global", "l", address)
        }
    }
    if (a == sink)
        *out = a + tile[0];
}

static uint32_t random_state = 12345;
static uint32_t
next_random(uint32_t limit) { /* a linear congruential generator: the same patterns everywhere */
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static struct pattern *patterns;
static int pattern_count;

static struct pattern *add(int shared, int store, int width) {
    patterns = (struct pattern *)realloc(patterns, sizeof *patterns * (pattern_count + 1));
    if (!patterns)
        exit(1);
    struct pattern *p = &patterns[pattern_count++];
    memset(p, 0, sizeof *p);
    p->shared = shared, p->store = store, p->width = width;
    return p;
}

static void make_patterns(void) {
    static const int widths[] = {1, 2, 4, 8, 16};
    for (int shared = 1; shared >= 0; shared--)
        for (int store = 0; store < 2; store++)
            for (int w = 0; w < 5; w++) {
                int width = widths[w];
                static const int strides[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33};
                for (int s = 0; s < (int)(sizeof strides / sizeof *strides);
                     s++) { /* lane i at i * stride elements */
                    struct pattern *p = add(shared, store, width);
                    for (int i = 0; i < LANES; i++)
                        p->offset[i] = i * strides[s] * width % SHARED_BYTES;
                }
                for (int group = 2; group <= 16;
                     group *= 2) { /* groups of lanes share an address, both ways */
                    struct pattern *p = add(shared, store, width);
                    for (int i = 0; i < LANES; i++)
                        p->offset[i] = i / group * width;
                    p = add(shared, store, width);
                    for (int i = 0; i < LANES; i++)
                        p->offset[i] = i % group * width;
                }
                for (int n = 0; n < 24; n++) { /* random elements of a range, some lanes off */
                    struct pattern *p = add(shared, store, width);
                    int range = 4 << next_random(8), off = n % 4 == 3;
                    if (range * width > SHARED_BYTES)
                        range = SHARED_BYTES / width;
                    for (int i = 0; i < LANES; i++) {
                        p->offset[i] = next_random(range) * width;
                        if (off && next_random(3) == 0)
                            p->offset[i] = -1;
                    }
                }
            }
    /* 8- and 16-byte shared loads whose pairs of lanes share an address: do passes merge? */
    for (int width = 8; width <= 16; width *= 2)
        for (int store = 0; store < 2; store++)
            for (int n = 0; n < 40; n++) {
                struct pattern *p = add(1, store, width);
                int partner = 1 << n % 3, range = 16 << n % 4,
                    off = n / 4 % 3; /* lanes i and i ^ partner agree */
                if (range * width > SHARED_BYTES)
                    range = SHARED_BYTES / width;
                for (int i = 0; i < LANES; i++)
                    p->offset[i] = i & partner ? p->offset[i ^ partner] : (int)next_random(range) * width;
                if (off == 1) /* single lanes off */
                    for (int i = 0; i < LANES; i++)
                        p->offset[i] = next_random(4) == 0 ? -1 : p->offset[i];
                if (off == 2) /* one pair broken */
                    p->offset[next_random(LANES)] = next_random(range) * width;
            }
}

int main(int argc, char **argv) {
    make_patterns();
    if (argc > 1 && !strcmp(argv[1], "--list")) {
        for (int n = 0; n < pattern_count; n++) {
            struct pattern *p = &patterns[n];
            printf("%d %s %s %d", n, p->shared ? "shared" : "global", p->store ? "store" : "load", p->width);
            for (int i = 0; i < LANES; i++)
                printf(" %d", p->offset[i]);
            printf("\n");
        }
        return 0;
    }
    uint8_t *memory;
    unsigned *out;
    if (cudaMalloc(&memory, GLOBAL_BYTES * 2) || cudaMalloc(&out, 4) ||
        cudaMemset(memory, 0, GLOBAL_BYTES * 2)) {
        fprintf(stderr, "no GPU memory: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    for (int n = 0; n < pattern_count; n++)
        access<<<1, LANES>>>(patterns[n], memory, 0xffffffffu, out);
    cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%d patterns: %s\n", pattern_count, cudaGetErrorString(error));
    return error != cudaSuccess;
}

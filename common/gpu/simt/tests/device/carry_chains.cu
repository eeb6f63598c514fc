/* carry_chains.cu: every pair of instructions of which the second takes the first's carry, on
 * operands full of edge cases. On a real GPU it prints a hash of each pair's results
 * (carry_chains_h200.csv, by record_results.sh). ../test_recorded_results.c does the same in
 * PTX. */
#include "recorded_results.h"

enum { SETS = 2048, OPERANDS = 6, RESULTS = 3 };

/* The first carry is that of seed + (all ones): whether seed is not 0. The last is added to 0. */
#define CHAIN(T, C, first, second)                                                                           \
    asm volatile("{\n\t.reg ." T " seeded;\n\t"                                                              \
                 "add.cc." T " seeded, %3, %4;\n\t" first "\n\t" second "\n\t"                               \
                 "addc." T " %2, 0, 0;\n\t}"                                                                 \
                 : "=&" C(x), "=&" C(y), "=&" C(z)                                                           \
                 : C(seed), C(ones), C(a), C(b), C(c), C(d), C(e), C(f));                                    \
    STORE(x, y, z)

#define SECONDS(T, C, first)                                                                                 \
    CHAIN(T, C, first, "addc.cc." T " %1, %8, %9;")                                                          \
    CHAIN(T, C, first, "subc.cc." T " %1, %8, %9;")                                                          \
    CHAIN(T, C, first, "madc.lo.cc." T " %1, %8, %9, %10;")                                                  \
    CHAIN(T, C, first, "madc.hi.cc." T " %1, %8, %9, %10;")

#define CHAINS(T, C)                                                                                         \
    SECONDS(T, C, "add.cc." T " %0, %5, %6;")                                                                \
    SECONDS(T, C, "addc.cc." T " %0, %5, %6;")                                                               \
    SECONDS(T, C, "sub.cc." T " %0, %5, %6;")                                                                \
    SECONDS(T, C, "subc.cc." T " %0, %5, %6;")                                                               \
    SECONDS(T, C, "mad.lo.cc." T " %0, %5, %6, %7;")                                                         \
    SECONDS(T, C, "mad.hi.cc." T " %0, %5, %6, %7;")                                                         \
    SECONDS(T, C, "madc.lo.cc." T " %0, %5, %6, %7;")                                                        \
    SECONDS(T, C, "madc.hi.cc." T " %0, %5, %6, %7;")

#define STORE(x, y, z)                                                                                       \
    out[0] = x, out[1] = y, out[2] = z;                                                                      \
    out += (size_t)SETS * RESULTS;

/* out: for each pair in this order, for each set of operands: both results and the last carry. */
#define KERNEL(name, T, C, word)                                                                             \
    extern "C" __global__ void name(const uint64_t *operands, uint64_t *out) {                               \
        size_t set = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
        const uint64_t *in = operands + set * OPERANDS;                                                      \
        word a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5];                               \
        word seed = set & 1, ones = ~(word)0, x, y, z;                                                       \
        out += set * RESULTS;                                                                                \
        CHAINS(T, C)                                                                                         \
    }
KERNEL(carry_u32, "u32", "r", uint32_t)
KERNEL(carry_s32, "s32", "r", uint32_t)
KERNEL(carry_u64, "u64", "l", uint64_t)
KERNEL(carry_s64, "s64", "l", uint64_t)

int main() {
    static const char *const firsts[] = {"add.cc",    "addc.cc",   "sub.cc",     "subc.cc",
                                         "mad.lo.cc", "mad.hi.cc", "madc.lo.cc", "madc.hi.cc"};
    static const char *const seconds[] = {"addc.cc", "subc.cc", "madc.lo.cc", "madc.hi.cc"};
    void (*const kernels[])(const uint64_t *, uint64_t *) = {carry_u32, carry_s32, carry_u64, carry_s64};
    static const char *const types[] = {"u32", "s32", "u64", "s64"};
    enum { PAIRS = 32 };
    const size_t in_bytes = (size_t)SETS * OPERANDS * 8, pair_words = (size_t)SETS * RESULTS;
    uint64_t *operands = (uint64_t *)malloc(in_bytes), *results = (uint64_t *)malloc(PAIRS * pair_words * 8);
    recorded_operands(operands, SETS * OPERANDS);
    uint64_t *in, *out;
    RECORDED_CHECK(cudaMalloc(&in, in_bytes));
    RECORDED_CHECK(cudaMalloc(&out, PAIRS * pair_words * 8));
    RECORDED_CHECK(cudaMemcpy(in, operands, in_bytes, cudaMemcpyHostToDevice));
    for (int type = 0; type < 4; type++) {
        kernels[type]<<<SETS / 64, 64>>>(in, out);
        RECORDED_CHECK(cudaMemcpy(results, out, PAIRS * pair_words * 8, cudaMemcpyDeviceToHost));
        for (int pair = 0; pair < PAIRS; pair++)
            printf("%s.%s %s.%s,%016llx\n", firsts[pair / 4], types[type], seconds[pair % 4], types[type],
                   (unsigned long long)recorded_hash(results + pair * pair_words, pair_words));
    }
    return 0;
}

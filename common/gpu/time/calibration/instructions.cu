/*
 * instructions.cu: latency and throughput of each class of instructions. Latency: a chain in one warp. Throughput: four
 * chains in each of 32 warps of one SM, in warp instructions a cycle.
 */
#include "calibration.h"

enum { STEPS = 512, CHAINS = 4 };

/* A class of instructions: one step of a chain. The volatile assembly is neither joined nor left out. */
#define STEP(name, type, code, constraint)                                                                   \
    struct name {                                                                                            \
        typedef type value;                                                                                  \
        static __device__ __forceinline__ void step(type &x, type y) {                                       \
            asm volatile(code : "+" constraint(x) : constraint(y));                                          \
        }                                                                                                    \
    };
#define WORD_STEP(name, code) STEP(name, uint32_t, code, "r")
#define FLOAT_STEP(name, code) STEP(name, float, code, "f")

WORD_STEP(integer_add, "{ .reg .u32 t; add.u32 t, %0, %1; xor.b32 %0, t, %1; }")
WORD_STEP(integer_shift, "shf.l.wrap.b32 %0, %0, %1, 7;")
WORD_STEP(integer_multiply_add, "mad.lo.u32 %0, %0, %1, %1;")
WORD_STEP(byte_permute, "prmt.b32 %0, %0, %1, 0x2615;")
WORD_STEP(population_count, "popc.b32 %0, %0;")
WORD_STEP(compare_select,
          "{ .reg .pred p; .reg .u32 t; setp.gt.s32 p, %0, %1; selp.b32 t, %1, 77, p; xor.b32 %0, %0, t; }")
WORD_STEP(half_multiply_add, "fma.rn.f16x2 %0, %0, %1, %1;")
WORD_STEP(float_to_integer, "{ .reg .f32 t; mov.b32 t, %0; cvt.rni.s32.f32 %0, t; }")
WORD_STEP(integer_to_float, "{ .reg .f32 t; cvt.rn.f32.s32 t, %0; mov.b32 %0, t; }")
WORD_STEP(shuffle, "shfl.sync.idx.b32 %0, %0, %0, 31, -1;")
WORD_STEP(vote, "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1; }")
WORD_STEP(reduce, "redux.sync.add.u32 %0, %0, -1;")
WORD_STEP(match, "match.any.sync.b32 %0, %0, -1;")
FLOAT_STEP(float_add, "add.rn.f32 %0, %0, %1;")
FLOAT_STEP(float_multiply, "mul.rn.f32 %0, %0, %1;")
FLOAT_STEP(float_multiply_add, "fma.rn.f32 %0, %0, %1, %1;")
FLOAT_STEP(float_minimum, "{ .reg .f32 t; min.f32 t, %0, %1; max.f32 %0, t, 0f3F800000; }")
FLOAT_STEP(reciprocal, "{ .reg .f32 t; rcp.approx.ftz.f32 t, %0; add.rn.f32 %0, t, %1; }")
FLOAT_STEP(reciprocal_root, "rsqrt.approx.ftz.f32 %0, %0;")
FLOAT_STEP(exponent, "ex2.approx.ftz.f32 %0, %0;")
FLOAT_STEP(sine_approximate, "sin.approx.ftz.f32 %0, %0;")
STEP(double_add, double, "add.rn.f64 %0, %0, %1;", "d")
STEP(double_multiply_add, double, "fma.rn.f64 %0, %0, %1, %1;", "d")
STEP(wide_multiply_add, uint64_t, "mad.lo.u64 %0, %0, %1, %1;", "l")

/* What the language offers in one word and the machine does in many: a step is one of those. */
#define CALL_STEP(name, type, expression)                                                                    \
    struct name {                                                                                            \
        typedef type value;                                                                                  \
        static __device__ __forceinline__ void step(type &x, type y) { x = expression; }                     \
    };
CALL_STEP(unsigned_division, uint32_t, x / y + 0x70000001u)
CALL_STEP(signed_modulo, int, (x % y) * 0x1234567)
CALL_STEP(float_division, float, y / x + 1.0f)
CALL_STEP(square_root, float, sqrtf(x) + y)
CALL_STEP(sine, float, sinf(x) + y)
CALL_STEP(exponential, float, expf(x) * 0.1f)
CALL_STEP(logarithm, float, logf(x) + 3 * y)
CALL_STEP(double_division, double, y / x + 1.0)
CALL_STEP(double_root, double, sqrt(x) + y)

template <class S, int chains> __global__ void steps(uint64_t *result, typename S::value seed, int rounds) {
    typename S::value x[CHAINS], sum = 0;
    for (int i = 0; i < chains; i++)
        x[i] = seed + (typename S::value)(threadIdx.x % 7 + i);
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
#pragma unroll
        for (int j = 0; j < 16; j++)
#pragma unroll
            for (int i = 0; i < chains; i++)
                S::step(x[i], seed);
    for (int i = 0; i < chains; i++)
        sum += x[i];
    if (sum == (typename S::value)12345678)
        result[1] = 1;
    block_ends(begin, result);
}

/* The difference of two lengths, so that what begins and ends a block does not count. */
template <class S> static void measure(const char *name, int instructions, double seed) {
    typedef typename S::value value;
    char title[96];
    double chain = cycles([=] { steps<S, 1><<<1, 32>>>(results(), (value)seed, STEPS / 8); }) -
                   cycles([=] { steps<S, 1><<<1, 32>>>(results(), (value)seed, STEPS / 16); });
    snprintf(title, sizeof title, "%s_latency", name);
    figure(title, chain / (STEPS / 16 * 16), "cycles",
           instructions == 1 ? "a chain in one warp" : "a chain in one warp; the whole step");
    double full = cycles([=] { steps<S, CHAINS><<<1, 1024>>>(results(), (value)seed, STEPS / 8); }) -
                  cycles([=] { steps<S, CHAINS><<<1, 1024>>>(results(), (value)seed, STEPS / 16); });
    snprintf(title, sizeof title, "%s_rate", name);
    figure(title, (double)(STEPS / 16) * 16 * CHAINS * 32 * instructions / full,
           instructions > 0 ? "warp instructions a cycle" : "", "four chains in 32 warps of an SM");
}

/* Of those that are many instructions, in warps' steps a cycle. */
template <class S> static void measure_call(const char *name, double seed) {
    measure<S>(name, 1, seed);
}

int main(void) {
    measure<integer_add>("integer_add", 2, 3);
    measure<integer_shift>("integer_shift", 1, 3);
    measure<integer_multiply_add>("integer_multiply_add", 1, 3);
    measure<wide_multiply_add>("wide_multiply_add", 1, 3);
    measure<byte_permute>("byte_permute", 1, 3);
    measure<population_count>("population_count", 1, 3);
    measure<compare_select>("compare_select", 3, 3);
    measure<half_multiply_add>("half_multiply_add", 1, 3);
    measure<float_to_integer>("float_to_integer", 1, 3);
    measure<integer_to_float>("integer_to_float", 1, 3);
    measure<shuffle>("shuffle", 1, 3);
    measure<vote>("vote", 2, 3);
    measure<reduce>("reduce", 1, 3);
    measure<match>("match", 1, 3);
    measure<float_add>("float_add", 1, 3);
    measure<float_multiply>("float_multiply", 1, 0.99);
    measure<float_multiply_add>("float_multiply_add", 1, 0.5);
    measure<float_minimum>("float_minimum", 2, 3);
    measure<reciprocal>("reciprocal", 2, 3);
    measure<reciprocal_root>("reciprocal_root", 1, 3);
    measure<exponent>("exponent", 1, 0.5);
    measure<sine_approximate>("sine_approximate", 1, 3);
    measure<double_add>("double_add", 1, 3);
    measure<double_multiply_add>("double_multiply_add", 1, 0.5);
    measure_call<unsigned_division>("unsigned_division", 1009);
    measure_call<signed_modulo>("signed_modulo", 1009);
    measure_call<float_division>("float_division", 3);
    measure_call<square_root>("square_root", 3);
    measure_call<sine>("sine", 0.3);
    measure_call<exponential>("exponential", 0.3);
    measure_call<logarithm>("logarithm", 0.7);
    measure_call<double_division>("double_division", 3);
    measure_call<double_root>("double_root", 3);
    return 0;
}

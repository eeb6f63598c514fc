/* code.cu: the instruction cache: a loop of so many bytes of code, run by one warp of an SM, and by 32. */
#include "calibration.h"

/* 64 instructions, 1 KB of machine code; four chains, so that a warp need not wait. */
#define ADD(r) "fma.rn.f32 %" #r ", %" #r ", %4, %4;\n"
#define FOUR ADD(0) ADD(1) ADD(2) ADD(3)
#define SIXTEEN FOUR FOUR FOUR FOUR
static __device__ __forceinline__ void kilobyte(float x[4], float y) {
    asm volatile(SIXTEEN SIXTEEN SIXTEEN SIXTEEN : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "f"(y));
}
template <int n> struct code {
    static __device__ __forceinline__ void run(float x[4], float y) {
        kilobyte(x, y);
        code<n - 1>::run(x, y);
    }
};
template <> struct code<0> {
    static __device__ __forceinline__ void run(float *, float) {}
};

template <int kilobytes> __global__ void loop(uint64_t *result, float seed, int rounds) {
    float x[4] = {seed, seed + 1, seed + 2, seed + 3};
    uint64_t begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { /* the first brings the code */
        begin = block_begins();
#pragma unroll 1
        for (int k = 0; k < rounds; k++)
            code<kilobytes>::run(x, seed);
    }
    if (x[0] + x[1] + x[2] + x[3] == 12345.0f)
        result[1] = 1;
    block_ends(begin, result);
}

template <int kilobytes> static void measure(void) {
    char title[64];
    int rounds = 1024 / kilobytes + 2;
    double instructions = 64.0 * kilobytes * rounds;
    double alone = cycles([=] { loop<kilobytes><<<1, 32>>>(results(), 0.5f, rounds); });
    snprintf(title, sizeof title, "code_%dk_one_warp", kilobytes);
    figure(title, alone / instructions, "cycles",
           "each instruction of a loop of that size; one warp of the chip");
    double full = cycles([=] { loop<kilobytes><<<1, 1024>>>(results(), 0.5f, rounds); });
    snprintf(title, sizeof title, "code_%dk_full", kilobytes);
    figure(title, full / instructions / 32, "cycles", "each warp instruction; 32 warps of one SM");
    double chip = cycles([=] { loop<kilobytes><<<multiprocessors(), 1024>>>(results(), 0.5f, rounds); });
    snprintf(title, sizeof title, "code_%dk_chip", kilobytes);
    figure(title, chip / instructions / 32, "cycles", "each warp instruction; 32 warps of every SM");
}

int main(void) {
    measure<2>();
    measure<8>();
    measure<16>();
    measure<24>();
    measure<32>();
    measure<48>();
    measure<64>();
    measure<96>();
    measure<112>();
    measure<128>();
    measure<160>();
    measure<192>();
    measure<256>();
    measure<384>();
    return 0;
}

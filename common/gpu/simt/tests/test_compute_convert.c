/* test_compute_convert.c: conversions: all 65,536 halves, every pair of integer types, every
 * rounding mode, against searches and long double; then half-precision arithmetic against exact
 * fixed-point sums. */
#include "support_compute.h"

#include <fenv.h>
#include <math.h>

static int width_of(int type) {
    switch (type) {
    case PTX_U8:
    case PTX_S8: return 8;
    case PTX_U16:
    case PTX_S16: return 16;
    case PTX_U32:
    case PTX_S32: return 32;
    default: return 64;
    }
}
static bool is_signed(int type) {
    return type >= PTX_S8 && type <= PTX_S64;
}
static char letter_of(int type) {
    return type == PTX_F32 ? '4' : width_of(type) == 64 ? '8' : width_of(type) == 32 ? '4' : '2';
}
static uint64_t cut(__int128 value, int width) {
    return (uint64_t)value & (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1);
}
static __int128 most(int type) {
    return ((__int128)1 << (width_of(type) - is_signed(type))) - 1;
}
static __int128 least(int type) {
    return is_signed(type) ? -most(type) - 1 : 0;
}
static __int128 value_of(uint64_t bits, int type) {
    __int128 value = cut(bits, width_of(type));
    return is_signed(type) && value > most(type) ? value - ((__int128)1 << width_of(type)) : value;
}
static struct ptx_instruction cvt(int to, int from, int rounding, uint32_t flags) {
    return (struct ptx_instruction){.opcode = PTX_CVT,
                                    .type = (uint8_t)to,
                                    .source_type = (uint8_t)from,
                                    .rounding = (uint8_t)rounding,
                                    .flags = flags};
}
static const int integers[] = {PTX_U8, PTX_S8, PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_U64, PTX_S64};
static const int modes[] = {PTX_RN, PTX_RZ, PTX_RM, PTX_RP};
static const int integral_modes[] = {PTX_RNI, PTX_RZI, PTX_RMI, PTX_RPI};
static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* The destination's value in its register, sign-extended to the register's width. */
static void integers_extend_cut_and_saturate(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int to = 0; to < 8; to++)
        for (int from = 0; from < 8; from++)
            for (int sat = 0; sat < 2; sat++)
                for (int widths = 0; widths < 9; widths++) {
                    char d = "248"[widths / 3], s = "248"[widths % 3];
                    if (d < letter_of(integers[to]) || s < letter_of(integers[from]))
                        continue;
                    for (int lane = 0; lane < SIMT_LANES; lane++)
                        source[0][lane] = random_operand(s - '0');
                    char shape[] = {d, ':', s, 0};
                    compute_run(shape, cvt(integers[to], integers[from], 0, sat ? PTX_SAT : 0), source, &out);
                    for (int lane = 0; lane < SIMT_LANES; lane++) {
                        __int128 value = value_of(source[0][lane], integers[from]);
                        if (sat)
                            value = value > most(integers[to])    ? most(integers[to])
                                    : value < least(integers[to]) ? least(integers[to])
                                                                  : value;
                        uint64_t want =
                            cut(value_of(cut(value, width_of(integers[to])), integers[to]), 8 * (d - '0'));
                        if (out.d[0][lane] != want)
                            fail_msg("%s to %d from %d sat %d: %#llx gives %#llx, expected %#llx", shape,
                                     integers[to], integers[from], sat, (unsigned long long)source[0][lane],
                                     (unsigned long long)out.d[0][lane], (unsigned long long)want);
                    }
                }
}

static void integers_to_floats_in_every_mode(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int from = 0; from < 8; from++)
        for (int m = 0; m < 4; m++)
            for (int wide = 0; wide < 2; wide++)
                for (int round = 0; round < 20; round++) {
                    for (int lane = 0; lane < SIMT_LANES; lane++)
                        source[0][lane] = random_operand(width_of(integers[from]) / 8);
                    char shape[] = {wide ? '8' : '4', ':', letter_of(integers[from]), 0};
                    compute_run(shape, cvt(wide ? PTX_F64 : PTX_F32, integers[from], modes[m], 0), source,
                                &out);
                    for (int lane = 0; lane < SIMT_LANES; lane++) {
                        volatile long double exact = (long double)value_of(source[0][lane], integers[from]);
                        fesetround(host_modes[m]);
                        volatile float f = (float)exact;
                        volatile double g = (double)exact;
                        fesetround(FE_TONEAREST);
                        uint64_t want = wide ? bits_of_double(g) : bits_of_float(f);
                        if (out.d[0][lane] != want)
                            fail_msg("from %d mode %d: %#llx gives %#llx, expected %#llx", integers[from],
                                     modes[m], (unsigned long long)source[0][lane],
                                     (unsigned long long)out.d[0][lane], (unsigned long long)want);
                    }
                }
}

static void floats_to_integers_clamp(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int to = 0; to < 8; to++)
        for (int m = 0; m < 4; m++)
            for (int wide = 0; wide < 2; wide++)
                for (int ftz = 0; ftz <= !wide; ftz++)
                    for (int round = 0; round < 20; round++) {
                        for (int lane = 0; lane < SIMT_LANES; lane++) {
                            source[0][lane] = random_float(wide ? 8 : 4);
                            if (lane % 3 == 0) { /* halves, and numbers around the limits of the type */
                                double near = (double)(int64_t)(random_bits() % 1024) / 2 - 256;
                                near += lane % 2 ? (double)most(integers[to]) : 0;
                                source[0][lane] = wide ? bits_of_double(near) : bits_of_float((float)near);
                            }
                        }
                        char shape[] = {letter_of(integers[to]), ':', wide ? '8' : '4', 0};
                        compute_run(
                            shape,
                            cvt(integers[to], wide ? PTX_F64 : PTX_F32, integral_modes[m], ftz ? PTX_FTZ : 0),
                            source, &out);
                        for (int lane = 0; lane < SIMT_LANES; lane++) {
                            volatile double x = wide ? double_of_bits(source[0][lane])
                                                     : (double)float_of_bits((uint32_t)source[0][lane]);
                            if (ftz && fabs(x) < 0x1p-126)
                                x = 0;
                            fesetround(host_modes[m]);
                            volatile double whole = nearbyint(x);
                            fesetround(FE_TONEAREST);
                            uint64_t want;
                            int width = width_of(integers[to]);
                            if (isnan(x)) /* 0, or the middle bit pattern when either side is 64 bits wide */
                                want = wide || width == 64 ? (uint64_t)1 << (width - 1) : 0;
                            else if (whole >= ldexp(1, width - is_signed(integers[to])))
                                want = cut(most(integers[to]), width);
                            else if (whole < (double)least(integers[to]))
                                want = cut(least(integers[to]), width);
                            else
                                want = cut((__int128)whole, width);
                            want = cut(value_of(want, integers[to]), width == 8 ? 16 : width);
                            if (out.d[0][lane] != want)
                                fail_msg("to %d mode %d: %a gives %#llx, expected %#llx", integers[to], m, x,
                                         (unsigned long long)out.d[0][lane], (unsigned long long)want);
                        }
                    }
}

static void floats_to_integral_floats(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int m = 0; m < 4; m++)
        for (int wide = 0; wide < 2; wide++)
            for (int round = 0; round < 60; round++) {
                for (int lane = 0; lane < SIMT_LANES; lane++) {
                    source[0][lane] = random_float(wide ? 8 : 4);
                    double near = (double)(int64_t)(random_bits() % 64) / 4 - 8;
                    if (lane % 2)
                        source[0][lane] = wide ? bits_of_double(near) : bits_of_float((float)near);
                }
                int type = wide ? PTX_F64 : PTX_F32;
                compute_run(wide ? "8:8" : "4:4", cvt(type, type, integral_modes[m], 0), source, &out);
                for (int lane = 0; lane < SIMT_LANES; lane++) {
                    volatile float f = float_of_bits((uint32_t)source[0][lane]);
                    volatile double g = double_of_bits(source[0][lane]);
                    fesetround(host_modes[m]);
                    f = nearbyintf(f), g = nearbyint(g);
                    fesetround(FE_TONEAREST);
                    uint64_t want = wide
                                        ? (isnan(g) ? source[0][lane] | (uint64_t)1 << 51 : bits_of_double(g))
                                    : isnan(f) ? 0x7fffffff
                                               : bits_of_float(f);
                    assert_int_equal(out.d[0][lane], want);
                }
            }
}

static void doubles_to_singles_and_back(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int m = 0; m < 4; m++)
        for (uint32_t flags = 0; flags < 4; flags++)
            for (int round = 0; round < 60; round++) {
                for (int lane = 0; lane < SIMT_LANES; lane++)
                    source[0][lane] = lane % 2
                                          ? random_float(8)
                                          : bits_of_double((double)float_of_bits((uint32_t)random_bits())) +
                                                random_bits() % 5 - 2;
                compute_run(
                    "4:8",
                    cvt(PTX_F32, PTX_F64, modes[m], (flags & 1 ? PTX_FTZ : 0) | (flags & 2 ? PTX_SAT : 0)),
                    source, &out);
                for (int lane = 0; lane < SIMT_LANES; lane++) {
                    volatile double g = double_of_bits(source[0][lane]);
                    fesetround(host_modes[m]);
                    volatile float f = (float)g;
                    fesetround(FE_TONEAREST);
                    uint32_t want = bits_of_float(f);
                    if (isnan(g)) /* keeps its sign and the top of its payload */
                        want = (uint32_t)(source[0][lane] >> 63) << 31 | 0x7fc00000 |
                               ((uint32_t)(source[0][lane] >> 29) & 0x3fffff);
                    if ((flags & 1) && fabsf(f) < 0x1p-126f)
                        want &= 0x80000000;
                    if (flags & 2)
                        want = !(float_of_bits(want) > 0) ? 0 : f > 1 ? 0x3f800000 : want;
                    if (out.d[0][lane] != want)
                        fail_msg("mode %d flags %x: %a gives %#llx, expected %#x", m, flags, g,
                                 (unsigned long long)out.d[0][lane], want);
                    if (m == 0 && flags == 0 && !isnan(f)) {
                        uint64_t back = compute_one("8:4", cvt(PTX_F64, PTX_F32, 0, 0), want, 0, 0, 0);
                        assert_int_equal(back, bits_of_double((double)f));
                    }
                }
            }
}

/* ---- halves: values by the definition of the formats */
static double half_value(uint32_t bits, bool bf16) {
    int digits = bf16 ? 7 : 10, bias = bf16 ? 127 : 15, top = 2 * bias + 1;
    int exponent = (int)(bits >> digits & (uint32_t)top), fraction = (int)(bits & ((1u << digits) - 1));
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == top)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp((1 << digits) + fraction, exponent - bias - digits)
                            : ldexp(fraction, 1 - bias - digits));
}

static void every_half_is_read_right(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int bf16 = 0; bf16 < 2; bf16++)
        for (uint32_t first = 0; first < 65536; first += SIMT_LANES) {
            for (int lane = 0; lane < SIMT_LANES; lane++)
                source[0][lane] = first + (uint32_t)lane;
            compute_run("4:2", cvt(PTX_F32, bf16 ? PTX_BF16 : PTX_F16, 0, 0), source, &out);
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                double want = half_value(first + (uint32_t)lane, bf16);
                uint32_t nan = bf16 ? (first + (uint32_t)lane) << 16 : 0x7fffffff;
                assert_int_equal(out.d[0][lane], isnan(want) ? nan : bits_of_float((float)want));
            }
        }
}

/* The half next to x in a rounding mode: a search in the sorted patterns, then a choice of two
 * neighbours. */
static uint32_t nearest_half(double x, int mode, bool bf16) {
    if (isnan(x))
        return 0x7fff;
    uint32_t infinity = bf16 ? 0x7f80 : 0x7c00, low = 0, high = infinity, sign = signbit(x) ? 0x8000 : 0;
    double magnitude = fabs(x);
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (half_value(middle, bf16) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    double below = half_value(low, bf16),
           above = high == infinity ? 2 * below - half_value(low - 1, bf16) : half_value(high, bf16);
    if (isinf(magnitude))
        return infinity | sign;
    if (magnitude == below)
        return low | sign;
    double middle = below + (above - below) / 2;
    bool up = mode == PTX_RN   ? magnitude > middle || (magnitude == middle && (low & 1))
              : mode == PTX_RZ ? false
              : mode == PTX_RM ? sign
                               : !sign;
    return (up ? high : low) | sign;
}

static void floats_to_halves_in_every_mode(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int bf16 = 0; bf16 < 2; bf16++)
        for (int m = 0; m < 4; m++)
            for (int round = 0; round < 600; round++) {
                for (int lane = 0; lane < SIMT_LANES;
                     lane++) { /* at a half, half way to the next, and beside both */
                    double at = half_value((uint32_t)random_bits() & 0xffff, bf16);
                    uint32_t bits =
                        bits_of_float((float)at) + (uint32_t)(random_bits() % 2) * (bf16 ? 0x8000 : 0x1000);
                    source[0][lane] = lane % 4 ? bits + (uint32_t)(random_bits() % 3) - 1 : random_float(4);
                }
                compute_run("2:4", cvt(bf16 ? PTX_BF16 : PTX_F16, PTX_F32, modes[m], 0), source, &out);
                for (int lane = 0; lane < SIMT_LANES; lane++) {
                    uint32_t want =
                        nearest_half((double)float_of_bits((uint32_t)source[0][lane]), modes[m], bf16);
                    if (out.d[0][lane] != want)
                        fail_msg("bf16 %d mode %d: %#llx gives %#llx, expected %#x", bf16, m,
                                 (unsigned long long)source[0][lane], (unsigned long long)out.d[0][lane],
                                 want);
                }
            }
}

static void halves_by_hand(void **state) {
    struct ptx_instruction to_f16 = cvt(PTX_F16, PTX_F32, PTX_RN, 0),
                           pair = cvt(PTX_F16X2, PTX_F32, PTX_RN, 0);
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(65519.996f), 0, 0, 0), 0x7bff);
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(65520.0f), 0, 0, 0), 0x7c00);
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(0x1p-25f), 0, 0, 0), 0);
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(0x1.000002p-25f), 0, 0, 0), 1);
    assert_int_equal(compute_one("4:44", pair, bits_of_float(1.0f), bits_of_float(-2.0f), 0, 0),
                     0x3c00c000); /* a is the upper half */
    pair.flags = PTX_RELU;
    assert_int_equal(compute_one("4:44", pair, bits_of_float(1.0f), bits_of_float(-2.0f), 0, 0), 0x3c000000);
    to_f16.flags = PTX_SATFINITE;
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(1e9f), 0, 0, 0), 0x7bff);
    to_f16.flags = PTX_SAT;
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(1e9f), 0, 0, 0), 0x3c00);
    assert_int_equal(compute_one("2:4", to_f16, bits_of_float(NAN), 0, 0, 0), 0);
    assert_int_equal(compute_one("2:4", cvt(PTX_F16, PTX_S32, PTX_RN, 0), 2049, 0, 0, 0), 0x6800);
    assert_int_equal(compute_one("4:2", cvt(PTX_S32, PTX_F16, PTX_RZI, 0), 0xc500, 0, 0, 0), (uint32_t)-5);
    assert_int_equal(compute_one("2:2", cvt(PTX_F16, PTX_F16, PTX_RMI, 0), 0xbe00, 0, 0, 0),
                     0xc000); /* floor(-1.5) */
    assert_true(compute_refuses("4:8", cvt(PTX_F32, PTX_PRED, 0, 0)));
    assert_true(compute_refuses("4:4", cvt(PTX_F64, PTX_F32, 0, 0)));
}

/* An exact value in units of 2^-48, to the nearest half (a tie to even). No result is far above the
 * largest. */
static uint32_t round_fixed(__int128 units) {
    uint32_t sign = units < 0 ? 0x8000 : 0, low = 0, high = 0x7c00;
    __int128 magnitude = units < 0 ? -units : units;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if ((__int128)ldexp(half_value(middle, false), 48) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    __int128 below = (__int128)ldexp(half_value(low, false), 48);
    __int128 above = (__int128)ldexp(high == 0x7c00 ? 65536.0 : half_value(high, false), 48);
    __int128 twice = 2 * magnitude, middle = below + above;
    bool up = twice > middle || (twice == middle && (low & 1));
    return (up ? high : low) | sign;
}

static uint64_t random_half(void) {
    uint64_t r = random_bits();
    static const uint16_t edges[] = {0,      0x8000, 1,      0x83ff, 0x0400, 0x7bff,
                                     0xfbff, 0x3c00, 0x3bff, 0x1000, 0x0801};
    return r % 4 == 0   ? edges[r / 4 % 11]
           : r % 4 == 1 ? r >> 16 & 0xbfff
                        : (r >> 16 & 0x83ff) | (r >> 40 & 31) % 31 << 10;
}

static void half_arithmetic_rounds_once(void **state) {
    static lanes source[5];
    struct outcome out;
    for (int round = 0; round < 2000; round++) {
        int opcode = (int[]){PTX_ADD, PTX_SUB, PTX_MUL, PTX_FMA}[round % 4];
        bool pair = round / 4 % 2;
        for (int s = 0; s < 3; s++)
            for (int lane = 0; lane < SIMT_LANES; lane++)
                source[s][lane] = random_half() | (pair ? random_half() << 16 : 0);
        struct ptx_instruction i = {.opcode = (uint16_t)opcode,
                                    .type = pair ? PTX_F16X2 : PTX_F16,
                                    .source_type = pair ? PTX_F16X2 : PTX_F16,
                                    .rounding = PTX_RN};
        compute_run(opcode == PTX_FMA ? (pair ? "4:444" : "2:222") : pair ? "4:44" : "2:22", i, source, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int h = 0; h <= pair; h++) {
                double x = half_value(source[0][lane] >> 16 * h & 0xffff, false),
                       y = half_value(source[1][lane] >> 16 * h & 0xffff, false),
                       z = half_value(source[2][lane] >> 16 * h & 0xffff, false);
                if (!isfinite(x) || !isfinite(y) || !isfinite(z))
                    continue;
                __int128 a = (__int128)ldexp(x, 24), b = (__int128)ldexp(y, 24), c = (__int128)ldexp(z, 48),
                         one = (__int128)1 << 24;
                __int128 exact = opcode == PTX_ADD   ? (a + b) * one
                                 : opcode == PTX_SUB ? (a - b) * one
                                 : opcode == PTX_MUL ? a * b
                                                     : a * b + c;
                uint32_t want = round_fixed(exact), got = out.d[0][lane] >> 16 * h & 0xffff;
                if (exact ==
                    0) /* the sign of a zero is that of IEEE 754, as the host's float arithmetic has it */
                    want = signbit(opcode == PTX_ADD   ? x + y
                                   : opcode == PTX_SUB ? x - y
                                   : opcode == PTX_MUL ? x * y
                                                       : x * y + z)
                               ? 0x8000
                               : 0;
                if (got != want)
                    fail_msg("opcode %d: %a %a %a give %#x, expected %#x", opcode, x, y, z, got, want);
            }
    }
}

/* bf16 has such wide exponents that a sum of distant numbers needs the sticky bit: x * y is a tie,
 * z decides. */
static void bf16_multiply_add_breaks_ties_exactly(void **state) {
    struct ptx_instruction fma = {
        .opcode = PTX_FMA, .type = PTX_BF16, .source_type = PTX_BF16, .rounding = PTX_RN};
    uint32_t x = 0x3f88, y = 0x3f88; /* 1.0625 squared is 1.125 + 2^-8, half way between two bf16 */
    double product = half_value(x, true) * half_value(y, true);
    uint32_t down = nearest_half(product, PTX_RZ, true), up = down + 1;
    assert_true(product == (half_value(down, true) + half_value(up, true)) / 2);
    assert_int_equal(compute_one("2:222", fma, x, y, 0x0001, 0), up); /* + the smallest denormal */
    assert_int_equal(compute_one("2:222", fma, x, y, 0x8001, 0), down);
    assert_int_equal(compute_one("2:222", fma, x, y, 0, 0), down & 1 ? up : down);
    for (int round = 0; round < 300; round++) {
        uint32_t a = (uint32_t)random_bits() & 0xffff, b = (uint32_t)random_bits() & 0xffff;
        double sum = half_value(a, true) + half_value(b, true),
               mul = half_value(a, true) * half_value(b, true);
        struct ptx_instruction i = {
            .opcode = PTX_ADD, .type = PTX_BF16, .source_type = PTX_BF16, .rounding = PTX_RN};
        uint32_t got = (uint32_t)compute_one("2:22", i, a, b, 0, 0);
        assert_int_equal(got, nearest_half(sum, PTX_RN, true));
        i.opcode = PTX_MUL;
        got = (uint32_t)compute_one("2:22", i, a, b, 0, 0);
        assert_int_equal(got, nearest_half(mul, PTX_RN, true));
    }
}

static void half_minimum_sign_and_functions(void **state) {
    struct ptx_instruction i = {.opcode = PTX_MIN, .type = PTX_F16, .source_type = PTX_F16};
    assert_int_equal(compute_one("2:22", i, 0x0000, 0x8000, 0, 0), 0x8000);
    assert_int_equal(compute_one("2:22", i, 0x7e01, 0x3c00, 0, 0), 0x3c00);
    assert_int_equal(compute_one("2:22", i, 0xbc00, 0xc000, 0, 0), 0xc000);
    i.flags = PTX_NAN_PROPAGATE;
    assert_int_equal(compute_one("2:22", i, 0x7e01, 0x3c00, 0, 0), 0x7fff);
    i.flags = PTX_XORSIGN;
    assert_int_equal(compute_one("2:22", i, 0xbc00, 0x4000, 0, 0), 0xbc00);
    i = (struct ptx_instruction){.opcode = PTX_MAX, .type = PTX_F16X2, .source_type = PTX_F16X2};
    assert_int_equal(compute_one("4:44", i, 0xbc003c00, 0xc0000001, 0, 0), 0xbc003c00);
    i = (struct ptx_instruction){.opcode = PTX_MAX, .type = PTX_BF16, .source_type = PTX_BF16};
    assert_int_equal(compute_one("2:22", i, 0x7f81, 0xff80, 0, 0), 0xff80);
    i = (struct ptx_instruction){.opcode = PTX_NEG, .type = PTX_BF16X2, .source_type = PTX_BF16X2};
    assert_int_equal(compute_one("4:4", i, 0x3f800000, 0, 0, 0), 0xbf808000);
    i = (struct ptx_instruction){.opcode = PTX_ABS, .type = PTX_F16, .source_type = PTX_F16};
    assert_int_equal(compute_one("2:2", i, 0xbc00, 0, 0, 0), 0x3c00);
    i = (struct ptx_instruction){
        .opcode = PTX_EX2, .type = PTX_F16, .source_type = PTX_F16, .flags = PTX_APPROX};
    assert_int_equal(compute_one("2:2", i, 0x4200, 0, 0, 0), 0x4800); /* 2^3 = 8 */
    assert_int_equal(compute_one("2:2", i, 0xfc00, 0, 0, 0), 0);
    i.opcode = PTX_TANH;
    assert_int_equal(compute_one("2:2", i, 0x7c00, 0, 0, 0), 0x3c00);
    i = (struct ptx_instruction){
        .opcode = PTX_FMA, .type = PTX_F16, .source_type = PTX_F16, .rounding = PTX_RN, .flags = PTX_SAT};
    assert_int_equal(compute_one("2:222", i, 0x4000, 0x4000, 0x4000, 0), 0x3c00);
    i.flags = PTX_RELU;
    assert_int_equal(compute_one("2:222", i, 0xc000, 0x4000, 0, 0), 0);
    i.flags = 0;
    assert_int_equal(compute_one("2:222", i, 0x7c00, 0x0000, 0, 0), 0x7fff);
    assert_int_equal(compute_one("2:222", i, 0x7c00, 0x3c00, 0x3c00, 0), 0x7c00);
    i = (struct ptx_instruction){
        .opcode = PTX_ADD, .type = PTX_F16, .source_type = PTX_F16, .rounding = PTX_RN, .flags = PTX_FTZ};
    assert_int_equal(compute_one("2:22", i, 0x0001, 0x3c00, 0, 0), 0x3c00);
    assert_int_equal(compute_one("2:22", i, 0x0400, 0x8401, 0, 0), 0x8000); /* the difference is a denormal */
}

static void moves_pack_and_unpack(void **state) {
    static lanes source[5];
    struct outcome out;
    static const struct {
        const char *pack, *unpack;
        int type, parts, width;
    } cases[] = {{"8:44", "44:8", PTX_B64, 2, 32},
                 {"8:2222", "2222:8", PTX_B64, 4, 16},
                 {"4:22", "22:4", PTX_B32, 2, 16},
                 {"4:2222", "2222:4", PTX_B32, 4, 8}};
    for (size_t k = 0; k < 4; k++) {
        uint64_t part_mask = ((uint64_t)1 << cases[k].width) - 1;
        for (int s = 0; s < 4; s++)
            for (int lane = 0; lane < SIMT_LANES; lane++)
                source[s][lane] = random_bits() & part_mask;
        struct ptx_instruction i = {
            .opcode = PTX_PACK, .type = (uint8_t)cases[k].type, .source_type = (uint8_t)cases[k].type};
        compute_run(cases[k].pack, i, source, &out);
        lanes whole[5] = {{0}};
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            for (int s = 0; s < cases[k].parts; s++)
                whole[0][lane] |= source[s][lane] << s * cases[k].width;
            assert_int_equal(out.d[0][lane], whole[0][lane]);
        }
        i.opcode = PTX_UNPACK;
        compute_run(cases[k].unpack, i, whole, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int s = 0; s < (cases[k].parts < 3 ? cases[k].parts : 3); s++)
                assert_int_equal(out.d[s][lane], source[s][lane]);
        compute_run_mask(cases[k].unpack, i, whole, 0x12345678, &out);
    }
    struct ptx_instruction move = {.opcode = PTX_MOV, .type = PTX_F64, .source_type = PTX_F64};
    assert_int_equal(compute_one("8:8", move, 0x123456789abcdef0, 0, 0, 0), 0x123456789abcdef0);
    struct ptx_instruction sink = {.opcode = PTX_UNPACK, .type = PTX_B64, .source_type = PTX_B64};
    source[0][3] = 0xaaaabbbbccccdddd;
    compute_run("_4:8", sink, source, &out);
    assert_int_equal(out.d[1][3], 0xaaaabbbb);
}

TESTS(UNIT(integers_extend_cut_and_saturate), UNIT(integers_to_floats_in_every_mode),
      UNIT(floats_to_integers_clamp), UNIT(floats_to_integral_floats), UNIT(doubles_to_singles_and_back),
      UNIT(every_half_is_read_right), UNIT(floats_to_halves_in_every_mode), UNIT(halves_by_hand),
      UNIT(half_arithmetic_rounds_once), UNIT(bf16_multiply_add_breaks_ties_exactly),
      UNIT(half_minimum_sign_and_functions), UNIT(moves_pack_and_unpack))

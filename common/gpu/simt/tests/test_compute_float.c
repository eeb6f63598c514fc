/* test_compute_float.c: single and double precision. Every rounding mode against the host's scalar
 * arithmetic in that mode, with PTX's own rules (flushing, saturation, NaN) written out. Then
 * special values, and error bounds of the approximations. */
#include "support_compute.h"

#include <fenv.h>
#include <math.h>

enum { DENORMAL_BOUND = 0x00800000 };

static uint32_t flush(uint32_t bits) {
    return (bits & 0x7fffffff) < DENORMAL_BOUND ? bits & 0x80000000 : bits;
}
static int mode_of(int rounding) {
    return rounding == PTX_RZ   ? FE_TOWARDZERO
           : rounding == PTX_RM ? FE_DOWNWARD
           : rounding == PTX_RP ? FE_UPWARD
                                : FE_TONEAREST;
}

static uint64_t expected_f32(const struct ptx_instruction *i, uint32_t a, uint32_t b, uint32_t c) {
    bool ftz = i->flags & PTX_FTZ;
    volatile float x = float_of_bits(ftz ? flush(a) : a), y = float_of_bits(ftz ? flush(b) : b),
                   z = float_of_bits(ftz ? flush(c) : c), r = 0;
    fesetround(mode_of(i->rounding));
    switch (i->opcode) {
    case PTX_ADD: r = x + y; break;
    case PTX_SUB: r = x - y; break;
    case PTX_MUL: r = x * y; break;
    case PTX_DIV: r = x / y; break;
    case PTX_RCP: r = 1.0f / x; break;
    case PTX_SQRT: r = sqrtf(x); break;
    default: r = fmaf(x, y, z); break;
    }
    fesetround(FE_TONEAREST);
    uint32_t bits = bits_of_float(r);
    if (ftz)
        bits = flush(bits);
    if (i->flags & PTX_SAT) {
        float value = float_of_bits(bits);
        return isnan(value) || value <= 0 ? 0 : value > 1 ? 0x3f800000 : bits;
    }
    return isnan(r) ? 0x7fffffff : bits;
}

static uint64_t expected_f64(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c) {
    volatile double x = double_of_bits(a), y = double_of_bits(b), z = double_of_bits(c), r = 0;
    fesetround(mode_of(i->rounding));
    switch (i->opcode) {
    case PTX_ADD: r = x + y; break;
    case PTX_SUB: r = x - y; break;
    case PTX_MUL: r = x * y; break;
    case PTX_DIV: r = x / y; break;
    case PTX_RCP: r = 1.0 / x; break;
    case PTX_SQRT: r = sqrt(x); break;
    default: r = fma(x, y, z); break;
    }
    fesetround(FE_TONEAREST);
    /* The operand whose NaN is the result, as recorded on an H200. */
    bool quotient = i->opcode == PTX_DIV, fused = i->opcode == PTX_FMA || i->opcode == PTX_MAD;
    bool alone = i->opcode == PTX_RCP || i->opcode == PTX_SQRT;
    const uint64_t quiet = (uint64_t)1 << 51;
    if (quotient && isnan(x))
        return a | quiet;
    if (!alone && isnan(y))
        return b | quiet;
    if (fused && isnan(z))
        return c | quiet;
    if (isnan(x))
        return a | quiet;
    return isnan(r) ? (uint64_t)0xfff8 << 48 : bits_of_double(r);
}

static void compare(struct ptx_instruction instruction, int operands, int rounds) {
    static const char *const shapes[2][3] = {{"4:4", "4:44", "4:444"}, {"8:8", "8:88", "8:888"}};
    static lanes source[5];
    struct outcome outcome;
    bool wide = instruction.type == PTX_F64;
    instruction.source_type = instruction.type;
    for (int round = 0; round < rounds; round++) {
        for (int s = 0; s < operands; s++)
            for (int lane = 0; lane < SIMT_LANES; lane++)
                source[s][lane] = random_float(wide ? 8 : 4);
        compute_run(shapes[wide][operands - 1], instruction, source, &outcome);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            uint64_t a = source[0][lane], b = source[1][lane], c = source[2][lane], got = outcome.d[0][lane];
            uint64_t want = wide ? expected_f64(&instruction, a, b, c) : expected_f32(&instruction, a, b, c);
            if (got != want)
                fail_msg("opcode %d rounding %d flags %x: %#llx %#llx %#llx give %#llx, expected %#llx",
                         instruction.opcode, instruction.rounding, instruction.flags, (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)c, (unsigned long long)got,
                         (unsigned long long)want);
        }
    }
}

static const struct {
    int opcode, operands;
    bool saturates;
} operations[] = {
    {PTX_ADD, 2, true}, {PTX_SUB, 2, true},  {PTX_MUL, 2, true},  {PTX_FMA, 3, true},
    {PTX_MAD, 3, true}, {PTX_DIV, 2, false}, {PTX_RCP, 1, false}, {PTX_SQRT, 1, false},
};
static const int modes[] = {PTX_RN, PTX_RZ, PTX_RM, PTX_RP};

static void single_precision_in_every_mode(void **state) {
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++)
        for (int m = 0; m < 4; m++)
            for (uint32_t flags = 0; flags < 4; flags++) {
                if ((flags & 2) && !operations[k].saturates)
                    continue;
                compare(
                    (struct ptx_instruction){.opcode = operations[k].opcode,
                                             .type = PTX_F32,
                                             .rounding = modes[m],
                                             .flags = (flags & 1 ? PTX_FTZ : 0) | (flags & 2 ? PTX_SAT : 0)},
                    operations[k].operands, 60);
            }
    compare((struct ptx_instruction){.opcode = PTX_ADD, .type = PTX_F32}, 2,
            20); /* no mode written: to nearest */
}

static void double_precision_in_every_mode(void **state) {
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++)
        for (int m = 0; m < 4; m++)
            compare((struct ptx_instruction){.opcode = operations[k].opcode,
                                             .type = PTX_F64,
                                             .rounding = modes[m]},
                    operations[k].operands, 60);
}

/* One rounding: 1 + 2^-12 squared, minus 1 + 2^-11, leaves 2^-24, which two roundings lose. */
static void fused_multiply_add_rounds_once(void **state) {
    struct ptx_instruction fma = {
        .opcode = PTX_FMA, .type = PTX_F32, .source_type = PTX_F32, .rounding = PTX_RN};
    uint32_t x = bits_of_float(1 + 0x1p-12f), z = bits_of_float(-(1 + 0x1p-11f));
    assert_int_equal(compute_one("4:444", fma, x, x, z, 0), bits_of_float(0x1p-24f));
    assert_int_equal(compute_one("4:444", fma, 0x7f800000, 0, 0, 0), 0x7fffffff); /* infinity times zero */
}

/* A double NaN operand is returned unchanged; all other NaNs are one. */
static bool is_nan_f64(uint64_t bits) {
    return bits << 1 > (uint64_t)0x7ff << 53;
}

/* A negated product or addend equals a negated operand. */
static void compare_signs(enum ptx_type type, uint32_t flags) {
    static const struct {
        uint64_t sign;
        int bytes;
        const char *shape;
    } kinds[] = {[PTX_F32] = {0x80000000, 4, "4:444"},   [PTX_F64] = {(uint64_t)1 << 63, 8, "8:888"},
                 [PTX_F16] = {0x8000, 2, "2:222"},       [PTX_BF16] = {0x8000, 2, "2:222"},
                 [PTX_F16X2] = {0x80008000, 4, "4:444"}, [PTX_BF16X2] = {0x80008000, 4, "4:444"}};
    static lanes given[3], changed[3];
    struct outcome got, want;
    uint64_t product = flags & PTX_NEGATED_PRODUCT ? kinds[type].sign : 0;
    uint64_t addend = flags & PTX_NEGATED_ADDEND ? kinds[type].sign : 0;
    struct ptx_instruction fma = {
        .opcode = PTX_FMA, .type = type, .source_type = type, .rounding = PTX_RN, .flags = flags};
    for (int round = 0; round < 40; round++) {
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int s = 0; s < 3; s++) {
                uint64_t value = kinds[type].bytes == 2 ? random_operand(2) : random_float(kinds[type].bytes);
                bool kept = type == PTX_F64 && is_nan_f64(value);
                given[s][lane] = value;
                changed[s][lane] = value ^ (kept || s == 1 ? 0 : s == 0 ? product : addend);
            }
        fma.flags = flags;
        compute_run(kinds[type].shape, fma, given, &got);
        fma.flags &= ~(uint32_t)(PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND);
        compute_run(kinds[type].shape, fma, changed, &want);
        assert_memory_equal(got.d[0], want.d[0], sizeof got.d[0]);
    }
}

static void negated_products_and_addends(void **state) {
    static const uint32_t signs[] = {PTX_NEGATED_PRODUCT, PTX_NEGATED_ADDEND,
                                     PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        compare_signs(PTX_F64, signs[i]);
        compare_signs(PTX_BF16, signs[i]);
        compare_signs(PTX_BF16X2, signs[i]);
        for (uint32_t form = 0; form < 4; form++) {
            uint32_t flags = signs[i] | (form & 1 ? PTX_FTZ : 0u) | (form & 2 ? PTX_SAT : 0u);
            compare_signs(PTX_F32, flags);
            compare_signs(PTX_F16, flags);
            compare_signs(PTX_F16X2, flags);
        }
    }
}

static uint64_t one_f32(int opcode, uint32_t flags, float a, float b) {
    struct ptx_instruction i = {.opcode = opcode, .type = PTX_F32, .source_type = PTX_F32, .flags = flags};
    return compute_one(opcode == PTX_ABS || opcode == PTX_NEG ? "4:4" : "4:44", i, bits_of_float(a),
                       bits_of_float(b), 0, 0);
}

static void minimum_and_maximum(void **state) {
    const float minus_zero = -0.0f;
    assert_int_equal(one_f32(PTX_MIN, 0, 0.0f, minus_zero), 0x80000000);
    assert_int_equal(one_f32(PTX_MIN, 0, minus_zero, 0.0f), 0x80000000);
    assert_int_equal(one_f32(PTX_MAX, 0, 0.0f, minus_zero), 0);
    assert_int_equal(one_f32(PTX_MAX, 0, minus_zero, 0.0f), 0);
    assert_int_equal(one_f32(PTX_MIN, 0, NAN, 2.0f), bits_of_float(2.0f));
    assert_int_equal(one_f32(PTX_MAX, 0, -3.0f, NAN), bits_of_float(-3.0f));
    assert_int_equal(one_f32(PTX_MAX, 0, NAN, NAN), 0x7fffffff);
    assert_int_equal(one_f32(PTX_MIN, PTX_NAN_PROPAGATE, 1.0f, NAN), 0x7fffffff);
    assert_int_equal(one_f32(PTX_MIN, PTX_NAN_PROPAGATE, 1.0f, 2.0f), bits_of_float(1.0f));
    assert_int_equal(one_f32(PTX_MIN, PTX_XORSIGN | PTX_ABS_RESULT, -1.0f, 2.0f), bits_of_float(-1.0f));
    assert_int_equal(one_f32(PTX_MAX, PTX_XORSIGN, -1.0f, -2.0f), bits_of_float(2.0f));
    assert_int_equal(one_f32(PTX_MAX, PTX_XORSIGN, 1.0f, -2.0f), bits_of_float(-2.0f));
    assert_int_equal(one_f32(PTX_MIN, 0, 0x1p-140f, 1.0f), bits_of_float(0x1p-140f));
    assert_int_equal(one_f32(PTX_MIN, PTX_FTZ, 0x1p-140f, 1.0f), 0);
    assert_int_equal(one_f32(PTX_MAX, 0, -INFINITY, 7.0f), bits_of_float(7.0f));
    struct ptx_instruction i = {.opcode = PTX_MIN, .type = PTX_F64, .source_type = PTX_F64};
    assert_int_equal(compute_one("8:88", i, 0, (uint64_t)1 << 63, 0, 0), (uint64_t)1 << 63);
    assert_int_equal(compute_one("8:88", i, bits_of_double(NAN), bits_of_double(4), 0, 0), bits_of_double(4));
    i.opcode = PTX_MAX;
    assert_int_equal(compute_one("8:88", i, bits_of_double(-4), bits_of_double(4), 0, 0), bits_of_double(4));
}

static void signs(void **state) {
    assert_int_equal(one_f32(PTX_ABS, 0, -1.5f, 0), bits_of_float(1.5f));
    assert_int_equal(one_f32(PTX_NEG, 0, 0.0f, 0), 0x80000000);
    assert_int_equal(one_f32(PTX_NEG, PTX_FTZ, 0x1p-140f, 0), 0x80000000);
    assert_int_equal(one_f32(PTX_ABS, PTX_FTZ, -0x1p-140f, 0), 0);
    assert_int_equal(one_f32(PTX_COPYSIGN, 0, -1.0f, 5.0f),
                     bits_of_float(-5.0f)); /* sign of a, magnitude of b */
    struct ptx_instruction i = {.opcode = PTX_COPYSIGN, .type = PTX_F64, .source_type = PTX_F64};
    assert_int_equal(compute_one("8:88", i, bits_of_double(1), bits_of_double(-5), 0, 0), bits_of_double(5));
    i = (struct ptx_instruction){.opcode = PTX_NEG, .type = PTX_F64, .source_type = PTX_F64};
    assert_int_equal(compute_one("8:8", i, bits_of_double(3), 0, 0, 0), bits_of_double(-3));
    i.opcode = PTX_ABS;
    assert_int_equal(compute_one("8:8", i, bits_of_double(-3), 0, 0, 0), bits_of_double(3));
}

static void kinds_of_number(void **state) {
    static const struct {
        float value;
        const char *is;
    } cases[] = {
        /* finite infinite number NaN normal subnormal */
        {0.0f, "101010"},      {-0x1p-140f, "101001"}, {1.0f, "101010"},
        {-INFINITY, "011000"}, {NAN, "000100"},        {0x1p-126f, "101010"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int form = 0; form < 6; form++) {
            struct ptx_instruction i = {.opcode = PTX_TESTP,
                                        .type = PTX_F32,
                                        .source_type = PTX_F32,
                                        .form = PTX_TESTP_FINITE + form};
            assert_int_equal(compute_one("p:4", i, bits_of_float(cases[k].value), 0, 0, 0),
                             cases[k].is[form] - '0');
            i.type = i.source_type = PTX_F64;
            double value = isnormal(cases[k].value) || !isfinite(cases[k].value) || cases[k].value == 0
                               ? cases[k].value
                               : 0x1p-1060;
            assert_int_equal(compute_one("p:8", i, bits_of_double(value), 0, 0, 0), cases[k].is[form] - '0');
        }
}

/* ---- approximations */
static float approximate(int opcode, uint32_t flags, float a, float b) {
    struct ptx_instruction i = {.opcode = opcode, .type = PTX_F32, .source_type = PTX_F32, .flags = flags};
    return float_of_bits((uint32_t)compute_one(opcode == PTX_DIV ? "4:44" : "4:4", i, bits_of_float(a),
                                               bits_of_float(b), 0, 0));
}
static double ulps(float got, double exact) {
    int exponent;
    frexp(exact, &exponent);
    return fabs(got - exact) / ldexp(1, exponent - 24);
}

static void approximations_keep_their_bounds(void **state) {
    for (int round = 0; round < 300; round++) {
        float x = ldexpf(1 + (float)(random_bits() >> 41) * 0x1p-23f, (int)(random_bits() % 40) - 20);
        assert_true(ulps(approximate(PTX_RCP, PTX_APPROX, x, 0), 1.0 / x) <= 1);
        assert_true(ulps(approximate(PTX_SQRT, PTX_APPROX, x, 0), sqrt(x)) <= 1);
        assert_true(fabs(approximate(PTX_RSQRT, PTX_APPROX, x, 0) * sqrt(x) - 1) <= 0x1p-22);
        assert_true(ulps(approximate(PTX_DIV, PTX_APPROX, 3.7f, x), (double)3.7f / x) <= 2);
        assert_true(ulps(approximate(PTX_DIV, PTX_FULL, 3.7f, x), (double)3.7f / x) <= 2);
        float angle = (float)((double)(random_bits() >> 11) * 0x1p-53 * 12.5 - 6.25);
        assert_true(fabs(approximate(PTX_SIN, PTX_APPROX, angle, 0) - sin(angle)) <= 0x1p-20);
        assert_true(fabs(approximate(PTX_COS, PTX_APPROX, angle, 0) - cos(angle)) <= 0x1p-20);
        assert_true(fabs(approximate(PTX_EX2, PTX_APPROX, angle, 0) / exp2(angle) - 1) <= 0x1p-22);
        assert_true(fabs(approximate(PTX_LG2, PTX_APPROX, x, 0) - log2(x)) <=
                    0x1p-22 * fmax(1, fabs(log2(x))));
        assert_true(fabs(approximate(PTX_TANH, PTX_APPROX, angle, 0) / tanh(angle) - 1) <= 0x1p-11);
    }
}

#define EXPECT(value, want) assert_int_equal(bits_of_float(value), bits_of_float(want))
static void approximations_of_special_values(void **state) {
    const float nan = float_of_bits(0x7fffffff), denormal = 0x1p-140f;
    EXPECT(approximate(PTX_RCP, PTX_APPROX, -0.0f, 0), -INFINITY);
    EXPECT(approximate(PTX_RCP, PTX_APPROX, -INFINITY, 0), -0.0f);
    EXPECT(approximate(PTX_RCP, PTX_APPROX | PTX_FTZ, denormal, 0), INFINITY);
    EXPECT(approximate(PTX_RCP, PTX_APPROX | PTX_FTZ, 0x1.8p127f, 0), 0.0f);
    EXPECT(approximate(PTX_RCP, PTX_APPROX, NAN, 0), nan);
    EXPECT(approximate(PTX_SQRT, PTX_APPROX, -1.0f, 0), nan);
    EXPECT(approximate(PTX_SQRT, PTX_APPROX, -0.0f, 0), -0.0f);
    EXPECT(approximate(PTX_RSQRT, PTX_APPROX, -0.0f, 0), -INFINITY);
    EXPECT(approximate(PTX_RSQRT, PTX_APPROX, INFINITY, 0), 0.0f);
    EXPECT(approximate(PTX_RSQRT, PTX_APPROX, -1.0f, 0), nan);
    EXPECT(approximate(PTX_SIN, PTX_APPROX, INFINITY, 0), nan);
    EXPECT(approximate(PTX_SIN, PTX_APPROX, -0.0f, 0), -0.0f);
    EXPECT(approximate(PTX_COS, PTX_APPROX | PTX_FTZ, denormal, 0), 1.0f);
    EXPECT(approximate(PTX_LG2, PTX_APPROX, 0.0f, 0), -INFINITY);
    EXPECT(approximate(PTX_LG2, PTX_APPROX, -1.0f, 0), nan);
    EXPECT(approximate(PTX_LG2, PTX_APPROX | PTX_FTZ, denormal, 0), -INFINITY);
    EXPECT(approximate(PTX_LG2, PTX_APPROX, 8.0f, 0), 3.0f);
    EXPECT(approximate(PTX_EX2, PTX_APPROX, -INFINITY, 0), 0.0f);
    EXPECT(approximate(PTX_EX2, PTX_APPROX, -140.0f, 0), denormal);
    EXPECT(approximate(PTX_EX2, PTX_APPROX | PTX_FTZ, -140.0f, 0), 0.0f);
    EXPECT(approximate(PTX_TANH, PTX_APPROX, INFINITY, 0), 1.0f);
    EXPECT(approximate(PTX_DIV, PTX_APPROX, 1.0f, 0x1.8p126f), 0.0f); /* beyond 2^126 the reciprocal is 0 */
    EXPECT(approximate(PTX_DIV, PTX_APPROX, -1.0f, 0x1.8p126f), -0.0f);
    EXPECT(approximate(PTX_DIV, PTX_APPROX, INFINITY, 0x1.8p126f), nan);
    EXPECT(approximate(PTX_DIV, PTX_FULL, 0x1p127f, 0x1.8p126f), 0x1p127f / 0x1.8p126f);
    EXPECT(approximate(PTX_DIV, PTX_APPROX, 1.0f, 0.0f), INFINITY);
    EXPECT(approximate(PTX_DIV, PTX_APPROX, 0.0f, 0.0f), nan);
}

static void double_approximations_use_the_upper_word(void **state) {
    struct ptx_instruction rcp = {
        .opcode = PTX_RCP, .type = PTX_F64, .source_type = PTX_F64, .flags = PTX_APPROX | PTX_FTZ};
    struct ptx_instruction rsqrt = rcp;
    rsqrt.opcode = PTX_RSQRT;
    for (int round = 0; round < 300; round++) {
        double x = ldexp(1 + (double)(random_bits() >> 12) * 0x1p-52, (int)(random_bits() % 600) - 300);
        uint64_t r = compute_one("8:8", rcp, bits_of_double(x), 0, 0, 0),
                 s = compute_one("8:8", rsqrt, bits_of_double(x), 0, 0, 0);
        assert_int_equal((uint32_t)r, 0);
        assert_int_equal((uint32_t)s, 0);
        assert_true(fabs(double_of_bits(r) * x - 1) < 0x1p-19);
        assert_true(fabs(double_of_bits(s) * sqrt(x) - 1) < 0x1p-19);
    }
    assert_int_equal(compute_one("8:8", rcp, bits_of_double(-0.0), 0, 0, 0), bits_of_double(-INFINITY));
    assert_int_equal(compute_one("8:8", rcp, bits_of_double(0x1p-1060), 0, 0, 0), bits_of_double(INFINITY));
    assert_int_equal(compute_one("8:8", rcp, bits_of_double(INFINITY), 0, 0, 0), 0);
    assert_true(isnan(double_of_bits(compute_one("8:8", rsqrt, bits_of_double(-1), 0, 0, 0))));
}

TESTS(UNIT(single_precision_in_every_mode), UNIT(double_precision_in_every_mode),
      UNIT(fused_multiply_add_rounds_once), UNIT(negated_products_and_addends), UNIT(minimum_and_maximum),
      UNIT(signs), UNIT(kinds_of_number), UNIT(approximations_keep_their_bounds),
      UNIT(approximations_of_special_values), UNIT(double_approximations_use_the_upper_word))

/* test_compute_compare.c: setp, set, selp, slct: every comparison on values around equality, every
 * boolean combination, both destinations. */
#include "support_compute.h"

#include <math.h>

/* The comparisons by their results for less, equal, greater and unordered operands. */
static const struct {
    int compare;
    bool less, equal, greater, unordered;
} comparisons[] = {
    {PTX_EQ, 0, 1, 0, 0},  {PTX_NE, 1, 0, 1, 0},  {PTX_LT, 1, 0, 0, 0},  {PTX_LE, 1, 1, 0, 0},
    {PTX_GT, 0, 0, 1, 0},  {PTX_GE, 0, 1, 1, 0},  {PTX_EQU, 0, 1, 0, 1}, {PTX_NEU, 1, 0, 1, 1},
    {PTX_LTU, 1, 0, 0, 1}, {PTX_LEU, 1, 1, 0, 1}, {PTX_GTU, 0, 0, 1, 1}, {PTX_GEU, 0, 1, 1, 1},
    {PTX_NUM, 1, 1, 1, 0}, {PTX_NAN, 0, 0, 0, 1},
};

/* -1 less, 0 equal, 1 greater, 2 unordered */
static int order(int type, uint64_t a, uint64_t b, bool ftz) {
    double x, y;
    switch (type) {
    case PTX_S16: return ((int16_t)a > (int16_t)b) - ((int16_t)a < (int16_t)b);
    case PTX_S32: return ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
    case PTX_S64: return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
    case PTX_F32: x = (double)float_of_bits((uint32_t)a), y = (double)float_of_bits((uint32_t)b); break;
    case PTX_F64: x = double_of_bits(a), y = double_of_bits(b); break;
    default: return (a > b) - (a < b);
    }
    if (ftz)
        x = fabs(x) < 0x1p-126 ? 0 : x, y = fabs(y) < 0x1p-126 ? 0 : y;
    return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
}

static const struct {
    int type;
    char letter;
    bool is_float, equality_only;
} types[] = {
    {PTX_U16, '2', 0, 0}, {PTX_S16, '2', 0, 0}, {PTX_B16, '2', 0, 1}, {PTX_U32, '4', 0, 0},
    {PTX_S32, '4', 0, 0}, {PTX_B32, '4', 0, 1}, {PTX_U64, '8', 0, 0}, {PTX_S64, '8', 0, 0},
    {PTX_B64, '8', 0, 1}, {PTX_F32, '4', 1, 0}, {PTX_F64, '8', 1, 0},
};

static void fill(lanes *source, int type_index) {
    int bytes = types[type_index].letter - '0';
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        for (int s = 0; s < 2; s++)
            source[s][lane] = types[type_index].is_float ? random_float(bytes) : random_operand(bytes);
        if (random_bits() % 4 == 0)
            source[1][lane] = source[0][lane];
        source[2][lane] = random_bits() & 1;
    }
}

static bool holds(size_t c, int order) {
    return order < 0    ? comparisons[c].less
           : order == 0 ? comparisons[c].equal
           : order == 1 ? comparisons[c].greater
                        : comparisons[c].unordered;
}

static void every_comparison(void **state) {
    static lanes source[5];
    struct outcome out;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t c = 0; c < sizeof comparisons / sizeof comparisons[0]; c++)
            for (int ftz = 0; ftz <= (types[t].type == PTX_F32); ftz++)
                for (int form = 0; form < 4; form++) { /* none, and, or, xor */
                    if (!types[t].is_float && c >= (types[t].equality_only ? 2 : 6))
                        continue;
                    fill(source, (int)t);
                    struct ptx_instruction i = {.opcode = PTX_SETP,
                                                .type = (uint8_t)types[t].type,
                                                .source_type = (uint8_t)types[t].type,
                                                .compare = (uint8_t)comparisons[c].compare,
                                                .flags = ftz ? PTX_FTZ : 0,
                                                .form = form ? (uint8_t)(PTX_BOOL_AND + form - 1) : 0};
                    char shape[] = {'p', 'p', ':', types[t].letter, types[t].letter, form ? '!' : 0, 0};
                    compute_run(shape, i, source, &out);
                    compute_run_mask(shape, i, source, 0x0f3355a1, &out);
                    compute_run(shape, i, source, &out);
                    for (int lane = 0; lane < SIMT_LANES; lane++) {
                        bool p = holds(c, order(types[t].type, source[0][lane], source[1][lane], ftz)),
                             q = !p;
                        bool other = !source[2][lane];
                        if (form)
                            p = form == 1   ? p && other
                                : form == 2 ? p || other
                                            : p != other,
                            q = form == 1   ? q && other
                                : form == 2 ? q || other
                                            : q != other;
                        if (out.d[0][lane] != p || out.d[1][lane] != q)
                            fail_msg("type %d compare %d form %d: %#llx %#llx", types[t].type,
                                     comparisons[c].compare, form, (unsigned long long)source[0][lane],
                                     (unsigned long long)source[1][lane]);
                    }
                    if (form == 0) { /* the form with one destination has its own handler */
                        char one[] = {'p', ':', types[t].letter, types[t].letter, 0};
                        struct outcome single;
                        compute_run(one, i, source, &single);
                        for (int lane = 0; lane < SIMT_LANES; lane++)
                            assert_int_equal(single.d[0][lane], out.d[0][lane]);
                    }
                }
}

static void set_gives_all_ones_or_one(void **state) {
    static lanes source[5];
    struct outcome out;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t c = 0; c < (types[t].equality_only ? 2u : types[t].is_float ? 14u : 6u); c++) {
            fill(source, (int)t);
            struct ptx_instruction i = {.opcode = PTX_SET,
                                        .type = PTX_U32,
                                        .source_type = (uint8_t)types[t].type,
                                        .compare = (uint8_t)comparisons[c].compare,
                                        .form = PTX_BOOL_XOR};
            char shape[] = {'4', ':', types[t].letter, types[t].letter, 'p', 0};
            for (int to = 0; to < 3; to++) {
                i.type = (uint8_t[]){PTX_U32, PTX_S32, PTX_F32}[to];
                compute_run(shape, i, source, &out);
                for (int lane = 0; lane < SIMT_LANES; lane++) {
                    bool p = holds(c, order(types[t].type, source[0][lane], source[1][lane], false)) !=
                             source[2][lane];
                    assert_int_equal(out.d[0][lane], !p ? 0 : to == 2 ? 0x3f800000 : UINT32_MAX);
                }
            }
        }
}

static void halves_compare_as_numbers(void **state) {
    /* 0xc000 = -2, 0x0001 denormal, 0x7e00 NaN, 0x3c00 = 1 */
    struct ptx_instruction i = {
        .opcode = PTX_SETP, .type = PTX_F16, .source_type = PTX_F16, .compare = PTX_LT};
    assert_int_equal(compute_one("p:22", i, 0xc000, 0x3c00, 0, 0), 1);
    assert_int_equal(compute_one("p:22", i, 0x0000, 0x0001, 0, 0), 1);
    assert_int_equal(compute_one("p:22", i, 0x8000, 0x0000, 0, 0), 0);
    assert_int_equal(compute_one("p:22", i, 0x7e00, 0x3c00, 0, 0), 0);
    i.compare = PTX_LTU;
    assert_int_equal(compute_one("p:22", i, 0x7e00, 0x3c00, 0, 0), 1);
    i.compare = PTX_LT, i.flags = PTX_FTZ;
    assert_int_equal(compute_one("p:22", i, 0x0000, 0x0001, 0, 0), 0);
    i = (struct ptx_instruction){
        .opcode = PTX_SETP, .type = PTX_BF16, .source_type = PTX_BF16, .compare = PTX_GT};
    assert_int_equal(compute_one("p:22", i, 0x4000, 0x3f80, 0, 0), 1);
    /* pairs: p the lower halves, q the upper ones */
    static lanes source[5];
    struct outcome out;
    for (int lane = 0; lane < SIMT_LANES; lane++)
        source[0][lane] = 0x3c00c000, source[1][lane] = 0xc0003c00;
    i = (struct ptx_instruction){
        .opcode = PTX_SETP, .type = PTX_F16X2, .source_type = PTX_F16X2, .compare = PTX_LT};
    compute_run("pp:44", i, source, &out);
    assert_int_equal(out.d[0][0], 1);
    assert_int_equal(out.d[1][0], 0);
    i = (struct ptx_instruction){
        .opcode = PTX_SET, .type = PTX_F16X2, .source_type = PTX_F16X2, .compare = PTX_LT};
    assert_int_equal(compute_one("4:44", i, 0x3c00c000, 0xc0003c00, 0, 0), 0x3c00);
    i.compare = PTX_GT;
    assert_int_equal(compute_one("4:44", i, 0x3c00c000, 0xc0003c00, 0, 0), 0x3c000000);
    i = (struct ptx_instruction){
        .opcode = PTX_SET, .type = PTX_U16, .source_type = PTX_F16, .compare = PTX_NE};
    assert_int_equal(compute_one("2:22", i, 0x3c00, 0xc000, 0, 0), 0xffff);
    i.type = PTX_F16;
    assert_int_equal(compute_one("2:22", i, 0x3c00, 0xc000, 0, 0), 0x3c00);
    i.type = PTX_U32;
    assert_int_equal(compute_one("4:22", i, 0x3c00, 0xc000, 0, 0), UINT32_MAX);
}

static void selection(void **state) {
    static lanes source[5];
    struct outcome out;
    static const struct {
        int type;
        const char *yes, *no;
    } cases[] = {{PTX_B16, "2:22p", "2:22!"},
                 {PTX_S32, "4:44p", "4:44!"},
                 {PTX_F32, "4:44p", "4:44!"},
                 {PTX_B64, "8:88p", "8:88!"}};
    for (size_t k = 0; k < 4; k++) {
        for (int lane = 0; lane < SIMT_LANES; lane++)
            source[0][lane] = 100 + (uint64_t)lane, source[1][lane] = 200 + (uint64_t)lane,
            source[2][lane] = 0x9249 >> lane % 16 & 1;
        struct ptx_instruction i = {
            .opcode = PTX_SELP, .type = (uint8_t)cases[k].type, .source_type = (uint8_t)cases[k].type};
        compute_run(cases[k].yes, i, source, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], source[source[2][lane] ? 0 : 1][lane]);
        compute_run(cases[k].no, i, source, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], source[source[2][lane] ? 1 : 0][lane]);
        compute_run_mask(cases[k].yes, i, source, 0x80000001, &out);
    }
    struct ptx_instruction s = {.opcode = PTX_SLCT, .type = PTX_U32, .source_type = PTX_S32};
    assert_int_equal(compute_one("4:444", s, 1, 2, 0, 0), 1);
    assert_int_equal(compute_one("4:444", s, 1, 2, 0x80000000, 0), 2);
    s.source_type = PTX_F32;
    assert_int_equal(compute_one("4:444", s, 1, 2, bits_of_float(-0.0f), 0), 1);
    assert_int_equal(compute_one("4:444", s, 1, 2, bits_of_float(NAN), 0), 2);
    assert_int_equal(compute_one("4:444", s, 1, 2, bits_of_float(-0x1p-140f), 0), 2);
    s.flags = PTX_FTZ;
    assert_int_equal(compute_one("4:444", s, 1, 2, bits_of_float(-0x1p-140f), 0), 1);
    s.type = PTX_F32; /* both types the same */
    assert_int_equal(compute_one("4:444", s, 1, 2, bits_of_float(3.0f), 0), 1);
    s = (struct ptx_instruction){.opcode = PTX_SLCT, .type = PTX_F64, .source_type = PTX_S32};
    assert_int_equal(compute_one("8:884", s, 1, 2, (uint32_t)-1, 0), 2);
}

TESTS(UNIT(every_comparison), UNIT(set_gives_all_ones_or_one), UNIT(halves_compare_as_numbers),
      UNIT(selection))

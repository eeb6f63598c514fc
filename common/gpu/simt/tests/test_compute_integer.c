/* test_compute_integer.c: integer arithmetic against 128-bit arithmetic, one lane at a time, and
 * the PTX manual's edge cases. */
#include "support_compute.h"

typedef __int128 wide;

static int bytes_of(int type) {
    return type == PTX_U16 || type == PTX_S16 ? 2 : type == PTX_U32 || type == PTX_S32 ? 4 : 8;
}
static bool is_signed(int type) {
    return type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static wide value_of(uint64_t bits, int type) {
    switch (type) {
    case PTX_S16: return (int16_t)bits;
    case PTX_S32: return (int32_t)bits;
    case PTX_S64: return (int64_t)bits;
    case PTX_U16: return (uint16_t)bits;
    case PTX_U32: return (uint32_t)bits;
    default: return bits;
    }
}
static uint64_t cut(wide value, int bytes) {
    return bytes >= 8 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << 8 * bytes) - 1);
}
static wide clamp_s32(wide value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}

/* PTX's result from exact values. The product of two unsigned 64-bit numbers is taken modulo 2^128,
 * high half unsigned. */
static uint64_t expected(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c) {
    int type = i->type, bytes = bytes_of(type), bits = 8 * bytes;
    wide x = value_of(a, type), y = value_of(b, type), z = value_of(c, type);
    wide high =
        is_signed(type) ? (x * y) >> bits : (wide)((unsigned __int128)x * (unsigned __int128)y >> bits);
    if (type == PTX_U64)
        high = (wide)(uint64_t)high;
    bool sat = i->flags & PTX_SAT;
    switch (i->opcode) {
    case PTX_ADD: return cut(sat ? clamp_s32(x + y) : x + y, bytes);
    case PTX_SUB: return cut(sat ? clamp_s32(x - y) : x - y, bytes);
    case PTX_MUL:
        return i->form == PTX_HI ? cut(high, bytes)
                                 : cut((wide)((unsigned __int128)x * (unsigned __int128)y),
                                       i->form == PTX_LO ? bytes : 2 * bytes);
    case PTX_MAD:
        if (i->form == PTX_HI)
            return cut(sat ? clamp_s32(high + z) : high + z, bytes);
        if (i->form == PTX_LO)
            return cut((wide)((unsigned __int128)x * (unsigned __int128)y + (unsigned __int128)z), bytes);
        return cut(x * y + (wide)c, 2 * bytes);
    case PTX_SAD: return cut((x < y ? y - x : x - y) + z, bytes);
    case PTX_DIV: return y == 0 ? cut(-1, bytes) : cut(x / y, bytes);
    case PTX_REM: return y == 0 ? cut(-1, bytes) : cut(x % y, bytes);
    case PTX_MIN: return cut(x < y ? x : y, bytes);
    case PTX_MAX: return cut(x > y ? x : y, bytes);
    case PTX_ABS: return cut(x < 0 ? -x : x, bytes);
    case PTX_NEG: return cut(-x, bytes);
    default: fail(); return 0;
    }
}

static void compare(struct ptx_instruction instruction, const char *shape, int operands) {
    static lanes source[5];
    struct outcome outcome;
    int bytes = bytes_of(instruction.type);
    instruction.source_type = instruction.type;
    for (int round = 0; round < 40; round++) {
        for (int s = 0; s < operands; s++)
            for (int lane = 0; lane < SIMT_LANES; lane++)
                source[s][lane] = random_operand(instruction.form == PTX_WIDE && s == 2 ? 2 * bytes : bytes);
        compute_run(shape, instruction, source, &outcome);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            uint64_t want = expected(&instruction, source[0][lane], source[1][lane], source[2][lane]);
            if (outcome.d[0][lane] != want)
                fail_msg("opcode %d type %d form %d flags %x: %#llx, %#llx, %#llx give %#llx, expected %#llx",
                         instruction.opcode, instruction.type, instruction.form, instruction.flags,
                         (unsigned long long)source[0][lane], (unsigned long long)source[1][lane],
                         (unsigned long long)source[2][lane], (unsigned long long)outcome.d[0][lane],
                         (unsigned long long)want);
        }
    }
}

static const int types[] = {PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_U64, PTX_S64};
static const char *shape_of(int type, int operands) {
    static const char *const shapes[3][3] = {
        {"2:2", "4:4", "8:8"}, {"2:22", "4:44", "8:88"}, {"2:222", "4:444", "8:888"}};
    return shapes[operands - 1][bytes_of(type) / 4];
}

static void arithmetic_of_every_width(void **state) {
    static const struct {
        int opcode, form, operands;
    } cases[] = {
        {PTX_ADD, 0, 2},      {PTX_SUB, 0, 2},      {PTX_MUL, PTX_LO, 2}, {PTX_MUL, PTX_HI, 2},
        {PTX_MAD, PTX_LO, 3}, {PTX_MAD, PTX_HI, 3}, {PTX_SAD, 0, 3},      {PTX_DIV, 0, 2},
        {PTX_REM, 0, 2},      {PTX_MIN, 0, 2},      {PTX_MAX, 0, 2},      {PTX_NEG, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int t = 0; t < 6; t++)
            compare(
                (struct ptx_instruction){.opcode = cases[i].opcode, .form = cases[i].form, .type = types[t]},
                shape_of(types[t], cases[i].operands), cases[i].operands);
    for (int t = 1; t < 6; t += 2)
        compare((struct ptx_instruction){.opcode = PTX_ABS, .type = types[t]}, shape_of(types[t], 1), 1);
}

static void products_of_double_width(void **state) {
    for (int t = 0; t < 4; t++) {
        const char *mul = t < 2 ? "4:22" : "8:44", *mad = t < 2 ? "4:224" : "8:448";
        compare((struct ptx_instruction){.opcode = PTX_MUL, .form = PTX_WIDE, .type = types[t]}, mul, 2);
        compare((struct ptx_instruction){.opcode = PTX_MAD, .form = PTX_WIDE, .type = types[t]}, mad, 3);
    }
}

static void saturation(void **state) {
    struct ptx_instruction add = {.opcode = PTX_ADD, .type = PTX_S32, .flags = PTX_SAT};
    struct ptx_instruction sub = {.opcode = PTX_SUB, .type = PTX_S32, .flags = PTX_SAT};
    struct ptx_instruction mad = {.opcode = PTX_MAD, .type = PTX_S32, .form = PTX_HI, .flags = PTX_SAT};
    compare(add, "4:44", 2);
    compare(sub, "4:44", 2);
    compare(mad, "4:444", 3);
    add.source_type = sub.source_type = PTX_S32;
    assert_int_equal(compute_one("4:44", add, 0x7fffffff, 1, 0, 0), 0x7fffffff);
    assert_int_equal(compute_one("4:44", add, 0x80000000, 0xffffffff, 0, 0), 0x80000000);
    assert_int_equal(compute_one("4:44", sub, 0x80000000, 1, 0, 0), 0x80000000);
}

static void division_at_its_edges(void **state) {
    struct ptx_instruction i = {.opcode = PTX_DIV, .type = PTX_S32, .source_type = PTX_S32};
    assert_int_equal(compute_one("4:44", i, 0x80000000, 0xffffffff, 0, 0), 0x80000000);
    assert_int_equal(compute_one("4:44", i, (uint32_t)-7, 2, 0, 0), (uint32_t)-3);
    assert_int_equal(compute_one("4:44", i, 5, 0, 0, 0), 0xffffffff);
    i.opcode = PTX_REM;
    assert_int_equal(compute_one("4:44", i, 0x80000000, 0xffffffff, 0, 0), 0);
    assert_int_equal(compute_one("4:44", i, (uint32_t)-7, 2, 0, 0), (uint32_t)-1);
    i = (struct ptx_instruction){.opcode = PTX_DIV, .type = PTX_U64, .source_type = PTX_U64};
    assert_int_equal(compute_one("8:88", i, 5, 0, 0, 0), UINT64_MAX);
}

static void products_of_24_bits(void **state) {
    static const struct {
        int opcode, type, form;
        uint32_t flags;
        uint32_t a, b, c, want;
    } cases[] = {
        {PTX_MUL24, PTX_U32, PTX_LO, 0, 0xff000003, 0xab000005, 0, 15},
        {PTX_MUL24, PTX_S32, PTX_LO, 0, 0x00ffffff, 2, 0, 0xfffffffe},
        {PTX_MUL24, PTX_U32, PTX_HI, 0, 0xffffff, 0xffffff, 0, 0xfffffe00},
        {PTX_MUL24, PTX_U32, PTX_LO, 0, 0xffffff, 0xffffff, 0, 0xfe000001},
        {PTX_MUL24, PTX_S32, PTX_HI, 0, 0x800000, 0x7fffff, 0, 0xc0000080},
        {PTX_MAD24, PTX_U32, PTX_LO, 0, 3, 5, 7, 22},
        {PTX_MAD24, PTX_S32, PTX_LO, 0, 0xffffff, 5, 7, 2},
        {PTX_MAD24, PTX_U32, PTX_HI, 0, 0x800000, 0x800000, 1, 0x40000001},
        {PTX_MAD24, PTX_S32, PTX_HI, 0, 0x7fffff, 0x7fffff, 0x7fffffff, 0xbffffeff},
        {PTX_MAD24, PTX_S32, PTX_HI, PTX_SAT, 0x7fffff, 0x7fffff, 0x7fffffff, 0x7fffffff},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct ptx_instruction i = {.opcode = cases[k].opcode,
                                    .type = cases[k].type,
                                    .source_type = cases[k].type,
                                    .form = cases[k].form,
                                    .flags = cases[k].flags};
        assert_int_equal(
            compute_one(i.opcode == PTX_MUL24 ? "4:44" : "4:444", i, cases[k].a, cases[k].b, cases[k].c, 0),
            cases[k].want);
    }
}

/* A chain add.cc, addc.cc, addc adds 96-bit numbers; sub.cc, subc likewise; each lane has its
 * carry. */
static void carry_chains(void **state) {
    static lanes source[5];
    struct outcome outcome;
    for (int round = 0; round < 200; round++) {
        unsigned __int128 x[SIMT_LANES], y[SIMT_LANES];
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            x[lane] = (unsigned __int128)random_operand(8) << 64 | random_operand(8);
            y[lane] = (unsigned __int128)random_operand(8) << 64 | random_operand(8);
        }
        for (int wide_lanes = 0; wide_lanes < 2; wide_lanes++)
            for (int subtract = 0; subtract < 2; subtract++) {
                int width = wide_lanes ? 64 : 32;
                source[4][0] = 0;
                for (int part = 0; part < 128 / width; part++) {
                    for (int lane = 0; lane < SIMT_LANES; lane++) {
                        source[0][lane] = (uint64_t)(x[lane] >> part * width);
                        source[1][lane] = (uint64_t)(y[lane] >> part * width);
                    }
                    bool last = part == 128 / width - 1;
                    int opcode =
                        part == 0 ? (subtract ? PTX_SUB : PTX_ADD) : (subtract ? PTX_SUBC : PTX_ADDC);
                    int type = wide_lanes ? PTX_U64 : PTX_S32;
                    compute_run(wide_lanes ? "8:88" : "4:44",
                                (struct ptx_instruction){.opcode = opcode,
                                                         .type = type,
                                                         .source_type = type,
                                                         .flags = last ? 0 : PTX_CARRY_OUT},
                                source, &outcome);
                    uint32_t carries = 0;
                    for (int lane = 0; lane < SIMT_LANES; lane++) {
                        unsigned __int128 total = subtract ? x[lane] - y[lane] : x[lane] + y[lane];
                        uint64_t want = (uint64_t)(total >> part * width);
                        assert_int_equal(outcome.d[0][lane], wide_lanes ? want : (uint32_t)want);
                        carries |= (uint32_t)outcome.d[3][lane] << lane;
                    }
                    source[4][0] = carries;
                }
            }
    }
}

/* The carry of a subtraction means no borrow (as on an H200): addc after sub.cc. */
static void carry_of_a_subtraction(void **state) {
    static const struct {
        int opcode;
        uint32_t x, y, carry_in, difference, carry_out;
    } cases[] = {{PTX_SUB, 5, 3, 0, 2, 1},           {PTX_SUB, 3, 5, 0, (uint32_t)-2, 0},
                 {PTX_SUB, 7, 7, 0, 0, 1},           {PTX_SUBC, 5, 3, 1, 2, 1},
                 {PTX_SUBC, 5, 3, 0, 1, 1},          {PTX_SUBC, 7, 7, 0, UINT32_MAX, 0},
                 {PTX_SUBC, 0, UINT32_MAX, 1, 1, 0}, {PTX_SUBC, 0, UINT32_MAX, 0, 0, 0}};
    static lanes source[5];
    struct outcome outcome;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        source[0][0] = cases[i].x;
        source[1][0] = cases[i].y;
        source[4][0] = cases[i].carry_in;
        compute_run(
            "4:44",
            (struct ptx_instruction){
                .opcode = cases[i].opcode, .type = PTX_U32, .source_type = PTX_U32, .flags = PTX_CARRY_OUT},
            source, &outcome);
        assert_int_equal(outcome.d[0][0], cases[i].difference);
        assert_int_equal(outcome.d[3][0], cases[i].carry_out);
    }
}

/* mad.lo.cc, madc.hi.cc, ... chained: the 128-bit sum a * b + c by 32- or 64-bit parts. */
static void multiply_add_with_carry(void **state) {
    static lanes source[5];
    struct outcome low, high;
    for (int round = 0; round < 200; round++)
        for (int t = 2; t < 6; t++) {
            int type = types[t], bytes = bytes_of(type);
            const char *shape = bytes == 4 ? "4:444" : "8:888";
            uint64_t c_low[SIMT_LANES], c_high[SIMT_LANES];
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                source[0][lane] = random_operand(bytes), source[1][lane] = random_operand(bytes);
                c_low[lane] = random_operand(bytes), c_high[lane] = random_operand(bytes);
                source[2][lane] = c_low[lane];
            }
            source[4][0] = 0;
            struct ptx_instruction i = {
                .opcode = PTX_MAD, .type = type, .source_type = type, .form = PTX_LO, .flags = PTX_CARRY_OUT};
            compute_run(shape, i, source, &low);
            uint32_t carries = 0;
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                carries |= (uint32_t)low.d[3][lane] << lane;
                source[2][lane] = c_high[lane];
            }
            source[4][0] = carries;
            i.opcode = PTX_MADC, i.form = PTX_HI, i.flags = round & 1 ? PTX_CARRY_OUT : 0;
            compute_run(shape, i, source, &high);
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                unsigned __int128 product = (unsigned __int128)value_of(source[0][lane], type) *
                                            (unsigned __int128)value_of(source[1][lane], type);
                unsigned __int128 c = (unsigned __int128)c_high[lane] << 8 * bytes | c_low[lane];
                unsigned __int128 total = product + c;
                assert_int_equal(low.d[0][lane], cut((wide)total, bytes));
                assert_int_equal(high.d[0][lane], cut((wide)(total >> 8 * bytes), bytes));
            }
        }
}

/* Each half alone: no carry from the lower into the upper one. */
static void two_halves(void **state) {
    static const int opcodes[] = {PTX_ADD, PTX_MIN, PTX_MAX}, types[] = {PTX_U16X2, PTX_S16X2};
    for (int round = 0; round < 200; round++)
        for (int o = 0; o < 3; o++)
            for (int kind = 0; kind < 3; kind++) { /* unsigned, signed, signed with .relu */
                int type = types[kind > 0], half = kind > 0 ? PTX_S16 : PTX_U16;
                if (opcodes[o] == PTX_ADD && kind == 2)
                    continue;
                struct ptx_instruction i = {.opcode = (uint16_t)opcodes[o],
                                            .type = (uint8_t)type,
                                            .source_type = (uint8_t)type,
                                            .flags = kind == 2 ? PTX_RELU : 0};
                lanes source[5] = {{0}};
                struct outcome got;
                for (int lane = 0; lane < SIMT_LANES; lane++)
                    for (int s = 0; s < 2; s++)
                        source[s][lane] = random_operand(2) | random_operand(2) << 16;
                compute_run("4:44", i, source, &got);
                for (int lane = 0; lane < SIMT_LANES; lane++)
                    for (int h = 0; h < 32; h += 16) {
                        wide x = value_of(source[0][lane] >> h, half),
                             y = value_of(source[1][lane] >> h, half);
                        wide right = opcodes[o] == PTX_ADD   ? x + y
                                     : opcodes[o] == PTX_MIN ? (x < y ? x : y)
                                                             : (x > y ? x : y);
                        if (kind == 2 && right < 0)
                            right = 0;
                        assert_int_equal(got.d[0][lane] >> h & 0xffff, cut(right, 2));
                    }
            }
}

static void unknown_combinations_are_refused(void **state) {
    struct ptx_instruction add = {.opcode = PTX_ADD, .type = PTX_U32, .source_type = PTX_U32}, other = add;
    assert_false(compute_refuses("4:44", add));
    assert_true(compute_refuses("_:44", add)); /* no place for the result */
    other.flags = PTX_SAT;
    assert_true(compute_refuses("4:44", other));
    other = add, other.type = other.source_type = PTX_B32;
    assert_true(compute_refuses("4:44", other));
    other = add, other.opcode = PTX_MUL; /* neither .lo nor .hi nor .wide */
    assert_true(compute_refuses("4:44", other));
    other = add, other.opcode = PTX_LD;
    assert_true(compute_refuses("4:4", other));
}

TESTS(UNIT(arithmetic_of_every_width), UNIT(products_of_double_width), UNIT(saturation),
      UNIT(division_at_its_edges), UNIT(products_of_24_bits), UNIT(carry_chains),
      UNIT(carry_of_a_subtraction), UNIT(multiply_add_with_carry), UNIT(two_halves),
      UNIT(unknown_combinations_are_refused))

/* test_compute_logic.c: logic, shifts, bit fields, permutations, dot products: the PTX manual's
 * pseudo code, one bit or byte at a time. */
#include "support_compute.h"

typedef uint64_t (*oracle)(const struct ptx_instruction *, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

static int width_of(int type) {
    switch (type) {
    case PTX_B16:
    case PTX_U16:
    case PTX_S16: return 16;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64: return 64;
    default: return 32;
    }
}
static bool is_signed(int type) {
    return type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static uint64_t ones(int width) {
    return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static void compare(const char *shape, struct ptx_instruction instruction, oracle expected) {
    static lanes source[5];
    struct outcome outcome;
    if (!instruction.source_type)
        instruction.source_type = instruction.type;
    const char *sources = strchr(shape, ':') + 1;
    for (int round = 0; round < 60; round++) {
        for (int s = 0; sources[s]; s++)
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                source[s][lane] = random_operand(sources[s] - '0');
                if (s > 0 && random_bits() % 2)
                    source[s][lane] %= 70; /* amounts, positions, lengths around the widths */
            }
        compute_run(shape, instruction, source, &outcome);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            uint64_t want =
                expected(&instruction, source[0][lane], source[1][lane], source[2][lane], source[3][lane]);
            if (outcome.d[0][lane] != want)
                fail_msg("opcode %d type %d form %d: %#llx %#llx %#llx %#llx give %#llx, expected %#llx",
                         instruction.opcode, instruction.type, instruction.form,
                         (unsigned long long)source[0][lane], (unsigned long long)source[1][lane],
                         (unsigned long long)source[2][lane], (unsigned long long)source[3][lane],
                         (unsigned long long)outcome.d[0][lane], (unsigned long long)want);
        }
    }
}

static uint64_t logic(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)c, (void)d;
    uint64_t all = ones(width_of(i->type));
    switch (i->opcode) {
    case PTX_AND: return a & b;
    case PTX_OR: return a | b;
    case PTX_XOR: return (a | b) & ~(a & b);
    case PTX_NOT: return all - a;
    default: return a == 0; /* cnot */
    }
}
static uint64_t shifts(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)c, (void)d;
    int width = width_of(i->type);
    uint64_t sign = is_signed(i->type) && a >> (width - 1) & 1 ? (uint64_t)1 << (width - 1) : 0;
    for (uint64_t k = 0; k < b && k < 64; k++)
        a = i->opcode == PTX_SHL ? a << 1 & ones(width) : a >> 1 | sign;
    return a;
}
static uint64_t funnel(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)d;
    bool wrap = i->form == PTX_LEFT_WRAP || i->form == PTX_RIGHT_WRAP;
    uint64_t n = wrap ? c % 32 : c < 32 ? c : 32, pair = b << 32 | a;
    bool left = i->form == PTX_LEFT_WRAP || i->form == PTX_LEFT_CLAMP;
    for (uint64_t k = 0; k < n; k++)
        pair = left ? pair << 1 : pair >> 1;
    return left ? pair >> 32 : pair & UINT32_MAX;
}
static uint64_t lookup3(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)d;
    uint64_t result = 0;
    for (int k = 0; k < 32; k++)
        result |= (uint64_t)(i->lut >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
    return result;
}
static uint64_t bits(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)b, (void)c, (void)d;
    int width = width_of(i->type), count = 0, top = -1;
    uint64_t reversed = 0;
    bool negative = is_signed(i->type) && a >> (width - 1) & 1;
    for (int k = 0; k < width; k++) {
        count += a >> k & 1;
        reversed |= (a >> k & 1) << (width - 1 - k);
        if ((a >> k & 1) != negative)
            top = k;
    }
    switch (i->opcode) {
    case PTX_POPC: return (uint64_t)count;
    case PTX_CLZ: return (uint64_t)(width - 1 - top);
    case PTX_BREV: return reversed;
    default: return top < 0 ? UINT32_MAX : (uint32_t)(i->flags & PTX_SHIFT_AMOUNT ? width - 1 - top : top);
    }
}
/* Position or length of a field: a byte; in 64-bit fields a word. */
static int64_t field_number(const struct ptx_instruction *i, uint64_t value) {
    return (int64_t)(value & (width_of(i->type) == 64 ? UINT32_MAX : 0xff));
}
static uint64_t extract(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)d;
    int64_t msb = width_of(i->type) - 1, position = field_number(i, b), length = field_number(i, c);
    int64_t top = position + length - 1 < msb ? position + length - 1 : msb;
    uint64_t sign = is_signed(i->type) && length > 0 ? a >> top & 1 : 0, result = 0;
    for (int64_t k = 0; k <= msb; k++)
        result |= (k < length && position + k <= msb ? a >> (position + k) & 1 : sign) << k;
    return result;
}
static uint64_t insert(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    int64_t msb = width_of(i->type) - 1, position = field_number(i, c), length = field_number(i, d);
    uint64_t result = b;
    for (int64_t k = 0; k < length && position + k <= msb; k++)
        result = (result & ~((uint64_t)1 << (position + k))) | (k < 64 ? a >> k & 1 : 0) << (position + k);
    return result;
}
static uint64_t find(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)i, (void)d;
    if ((uint32_t)c == 0x80000000)
        return 0; /* as recorded */
    int64_t offset = (int32_t)c, count = (offset < 0 ? -offset : offset) - 1;
    if (offset == 0)
        return b < 32 && a >> b & 1 ? b : UINT32_MAX;
    for (int64_t at = (int64_t)b; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if (a >> at & 1) {
            if (count == 0)
                return (uint64_t)at;
            count--;
        }
    return UINT32_MAX;
}
static uint64_t extend(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)c, (void)d;
    uint64_t n = i->form == PTX_WRAP ? b % 32 : b < 32 ? b : 32, result = 0;
    for (uint64_t k = 0; k < 32 && n > 0; k++)
        result |= (k < n ? a >> k & 1 : i->type == PTX_S32 ? a >> (n - 1) & 1 : 0) << k;
    return result;
}
static uint64_t mask_of(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)c, (void)d;
    uint64_t from = i->form == PTX_WRAP ? a % 32 : a, count = i->form == PTX_WRAP ? b % 32 : b, result = 0;
    for (uint64_t k = 0; k < 32; k++)
        result |= (uint64_t)(k >= from && k - from < count) << k;
    return result;
}
static uint64_t dot(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)d;
    bool a_signed = i->type == PTX_S32, b_signed = i->source_type == PTX_S32, four = i->opcode == PTX_DP4A;
    int64_t total = (int32_t)c;
    for (int k = 0; k < (four ? 4 : 2); k++) {
        int64_t x = four ? (int64_t)(a >> 8 * k & 0xff) : (int64_t)(a >> 16 * k & 0xffff);
        int64_t y = (int64_t)(b >> 8 * (k + (i->form == PTX_HI ? 2 : 0)) & 0xff);
        int64_t x_range = four ? 256 : 65536;
        total += (a_signed && x >= x_range / 2 ? x - x_range : x) * (b_signed && y >= 128 ? y - 256 : y);
    }
    return (uint32_t)total;
}
/* The tables of prmt as in the manual: the source of bytes 3 2 1 0 for each value of the two low
 * bits of c. */
static uint64_t permute(const struct ptx_instruction *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    (void)d;
    static const char *const tables[6][4] = {
        {"3210", "4321", "5432", "6543"}, {"5670", "6701", "7012", "0123"}, {"0000", "1111", "2222", "3333"},
        {"3210", "3211", "3222", "3333"}, {"0000", "1110", "2210", "3210"}, {"1010", "3232", "1010", "3232"}};
    uint64_t pair = b << 32 | a, result = 0;
    for (int k = 0; k < 4; k++) {
        bool index = i->form == PTX_FORM_NONE;
        uint64_t selector =
            index ? c >> 4 * k & 15 : (uint64_t)(tables[i->form - PTX_PRMT_F4E][c & 3][3 - k] - '0');
        uint64_t byte = pair >> 8 * (selector & 7) & 0xff;
        result |= (selector & 8 ? (byte >= 128 ? 0xff : 0) : byte) << 8 * k;
    }
    return result;
}

static void logic_of_every_width(void **state) {
    static const struct {
        int type;
        const char *one, *two;
    } types[] = {{PTX_B16, "2:2", "2:22"}, {PTX_B32, "4:4", "4:44"}, {PTX_B64, "8:8", "8:88"}};
    for (int t = 0; t < 3; t++) {
        compare(types[t].two, (struct ptx_instruction){.opcode = PTX_AND, .type = types[t].type}, logic);
        compare(types[t].two, (struct ptx_instruction){.opcode = PTX_OR, .type = types[t].type}, logic);
        compare(types[t].two, (struct ptx_instruction){.opcode = PTX_XOR, .type = types[t].type}, logic);
        compare(types[t].one, (struct ptx_instruction){.opcode = PTX_NOT, .type = types[t].type}, logic);
        compare(types[t].one, (struct ptx_instruction){.opcode = PTX_CNOT, .type = types[t].type}, logic);
    }
}
static void shifts_clamp_their_amount(void **state) {
    static const struct {
        int type;
        const char *shape;
    } types[] = {{PTX_B16, "2:24"}, {PTX_B32, "4:44"}, {PTX_B64, "8:84"},
                 {PTX_U16, "2:24"}, {PTX_U32, "4:44"}, {PTX_U64, "8:84"},
                 {PTX_S16, "2:24"}, {PTX_S32, "4:44"}, {PTX_S64, "8:84"}};
    for (int t = 0; t < 9; t++) {
        if (t < 3)
            compare(types[t].shape, (struct ptx_instruction){.opcode = PTX_SHL, .type = types[t].type},
                    shifts);
        compare(types[t].shape, (struct ptx_instruction){.opcode = PTX_SHR, .type = types[t].type}, shifts);
    }
    for (int form = PTX_LEFT_WRAP; form <= PTX_RIGHT_CLAMP; form++)
        compare("4:444", (struct ptx_instruction){.opcode = PTX_SHF, .type = PTX_B32, .form = (uint8_t)form},
                funnel);
}
static void three_input_logic(void **state) {
    for (int lut = 0; lut < 256; lut += 5)
        compare("4:444", (struct ptx_instruction){.opcode = PTX_LOP3, .type = PTX_B32, .lut = (uint8_t)lut},
                lookup3);
    /* lop3.or d|p, a, b, c, table, q */
    static lanes source[5];
    struct outcome outcome;
    for (int lane = 0; lane < SIMT_LANES; lane++)
        source[0][lane] = lane & 1, source[1][lane] = 3, source[2][lane] = 1, source[3][lane] = lane >> 1 & 1;
    struct ptx_instruction i = {
        .opcode = PTX_LOP3, .type = PTX_B32, .source_type = PTX_B32, .lut = 0x80, .form = PTX_BOOL_OR};
    compute_run("4p:444p", i, source, &outcome);
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        assert_int_equal(outcome.d[0][lane], lane & 1);
        assert_int_equal(outcome.d[1][lane], (lane & 1) | (lane >> 1 & 1));
    }
    i.form = PTX_BOOL_AND;
    compute_run("_p:444!", i, source, &outcome);
    for (int lane = 0; lane < SIMT_LANES; lane++)
        assert_int_equal(outcome.d[1][lane], (lane & 1) & !(lane >> 1 & 1));
}
static void predicates(void **state) {
    static lanes source[5];
    struct outcome outcome;
    for (int lane = 0; lane < SIMT_LANES; lane++)
        source[0][lane] = lane & 1, source[1][lane] = lane >> 1 & 1;
    struct ptx_instruction i = {.type = PTX_PRED, .source_type = PTX_PRED};
    static const struct {
        int opcode;
        const char *shape, *table;
    } cases[] = {/* result for (p, q) = 00 10 01 11 */
                 {PTX_AND, "p:pp", "0001"}, {PTX_OR, "p:pp", "0111"}, {PTX_XOR, "p:pp", "0110"},
                 {PTX_AND, "p:!p", "0010"}, {PTX_NOT, "p:p", "1010"}, {PTX_MOV, "p:p", "0101"},
                 {PTX_MOV, "p:!", "1010"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        i.opcode = (uint16_t)cases[k].opcode;
        compute_run(cases[k].shape, i, source, &outcome);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(outcome.d[0][lane], cases[k].table[lane & 3] - '0');
        compute_run_mask(cases[k].shape, i, source, 0x00ff0f31, &outcome);
    }
}
static void counting_and_finding(void **state) {
    static const int opcodes[] = {PTX_POPC, PTX_CLZ};
    for (int k = 0; k < 2; k++) {
        compare("4:4", (struct ptx_instruction){.opcode = (uint16_t)opcodes[k], .type = PTX_B32}, bits);
        compare("4:8", (struct ptx_instruction){.opcode = (uint16_t)opcodes[k], .type = PTX_B64}, bits);
    }
    compare("4:4", (struct ptx_instruction){.opcode = PTX_BREV, .type = PTX_B32}, bits);
    compare("8:8", (struct ptx_instruction){.opcode = PTX_BREV, .type = PTX_B64}, bits);
    static const int types[] = {PTX_U32, PTX_S32, PTX_U64, PTX_S64};
    for (int t = 0; t < 4; t++)
        for (int amount = 0; amount < 2; amount++)
            compare(t < 2 ? "4:4" : "4:8",
                    (struct ptx_instruction){.opcode = PTX_BFIND,
                                             .type = (uint8_t)types[t],
                                             .flags = amount ? PTX_SHIFT_AMOUNT : 0},
                    bits);
    compare("4:444", (struct ptx_instruction){.opcode = PTX_FNS, .type = PTX_B32}, find);
    struct ptx_instruction fns = {.opcode = PTX_FNS, .type = PTX_B32, .source_type = PTX_B32};
    assert_int_equal(compute_one("4:444", fns, 0xaaaaaaaa, 3, 1, 0), 3);
    assert_int_equal(compute_one("4:444", fns, 0xaaaaaaaa, 3, (uint32_t)-1, 0), 3);
    assert_int_equal(compute_one("4:444", fns, 0xaaaaaaaa, 2, (uint32_t)-1, 0), 1);
    assert_int_equal(compute_one("4:444", fns, 0xaaaaaaaa, 2, 3, 0), 7);
}
static void bit_fields(void **state) {
    static const int types[] = {PTX_U32, PTX_S32, PTX_U64, PTX_S64};
    for (int t = 0; t < 4; t++)
        compare(t < 2 ? "4:444" : "8:844",
                (struct ptx_instruction){.opcode = PTX_BFE, .type = (uint8_t)types[t]}, extract);
    compare("4:4444", (struct ptx_instruction){.opcode = PTX_BFI, .type = PTX_B32}, insert);
    compare("8:8844", (struct ptx_instruction){.opcode = PTX_BFI, .type = PTX_B64}, insert);
    for (int form = PTX_CLAMP; form <= PTX_WRAP; form++) {
        compare("4:44", (struct ptx_instruction){.opcode = PTX_SZEXT, .type = PTX_U32, .form = (uint8_t)form},
                extend);
        compare("4:44", (struct ptx_instruction){.opcode = PTX_SZEXT, .type = PTX_S32, .form = (uint8_t)form},
                extend);
        compare("4:44", (struct ptx_instruction){.opcode = PTX_BMSK, .type = PTX_B32, .form = (uint8_t)form},
                mask_of);
    }
}
static void dot_products(void **state) {
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            struct ptx_instruction i = {
                .opcode = PTX_DP4A, .type = a ? PTX_S32 : PTX_U32, .source_type = b ? PTX_S32 : PTX_U32};
            compare("4:444", i, dot);
            i.opcode = PTX_DP2A, i.form = PTX_LO;
            compare("4:444", i, dot);
            i.form = PTX_HI;
            compare("4:444", i, dot);
        }
}
static void byte_permutations(void **state) {
    compare("4:444", (struct ptx_instruction){.opcode = PTX_PRMT, .type = PTX_B32}, permute);
    for (int form = PTX_PRMT_F4E; form <= PTX_PRMT_RC16; form++)
        compare("4:444", (struct ptx_instruction){.opcode = PTX_PRMT, .type = PTX_B32, .form = (uint8_t)form},
                permute);
}

TESTS(UNIT(logic_of_every_width), UNIT(shifts_clamp_their_amount), UNIT(three_input_logic), UNIT(predicates),
      UNIT(counting_and_finding), UNIT(bit_fields), UNIT(dot_products), UNIT(byte_permutations))

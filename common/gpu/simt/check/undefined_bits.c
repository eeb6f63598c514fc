/* undefined_bits.c: the unknown bits of a result, from those of the operands: exact for moves,
 * logic and shifts; from the lowest unknown bit up for sums and products; all bits for others. */
#include "gpu/simt/check/undefined.h"

#include <string.h>

static uint64_t low(uint32_t bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t smear(uint64_t unknown) {
    return unknown ? ~((unknown & (0 - unknown)) - 1) : 0;
}

/* A function of three bits, by its table: unknown where the unknown bits can change it. */
static uint64_t logic(uint8_t table, const struct bits source[3]) {
    uint64_t ones = 0, zeros = 0;
    for (uint32_t choice = 0; choice < 8; choice++) {
        uint64_t x[3], result = 0;
        for (uint32_t i = 0; i < 3; i++)
            x[i] =
                choice >> i & 1 ? source[i].value | source[i].unknown : source[i].value & ~source[i].unknown;
        for (uint32_t row = 0; row < 8; row++)
            if (table >> row & 1)
                result |= (row & 4 ? x[0] : ~x[0]) & (row & 2 ? x[1] : ~x[1]) & (row & 1 ? x[2] : ~x[2]);
        ones |= result;
        zeros |= ~result;
    }
    return ones & zeros;
}

static uint64_t extend(uint64_t unknown, uint32_t bits, bool is_signed) {
    unknown &= low(bits);
    return is_signed && bits && bits < 64 && unknown >> (bits - 1) & 1 ? unknown | ~low(bits) : unknown;
}

static uint64_t shift_right(uint64_t unknown, uint64_t amount, uint32_t bits, bool is_signed) {
    if (is_signed)
        return (uint64_t)((int64_t)extend(unknown, bits, true) >> (amount < bits ? amount : bits - 1));
    return amount < bits ? (unknown & low(bits)) >> amount : 0;
}

static uint64_t funnel(uint16_t form, const struct bits source[3]) {
    bool wrap = form == PTX_LEFT_WRAP || form == PTX_RIGHT_WRAP,
         left = form == PTX_LEFT_WRAP || form == PTX_LEFT_CLAMP;
    uint64_t amount = source[2].value & UINT32_MAX,
             both = source[1].unknown << 32 | (uint32_t)source[0].unknown;
    amount = wrap ? amount & 31 : amount < 32 ? amount : 32;
    return left ? both << amount >> 32 : both >> amount;
}

static uint64_t extract(const struct bits source[3], uint32_t bits, bool is_signed) {
    uint32_t at = source[1].value & 255, length = source[2].value & 255;
    if (length == 0)
        return 0;
    uint32_t end = at + length < bits ? at + length : bits;
    if (at >= bits) /* only the sign */
        return is_signed && source[0].unknown >> (bits - 1) & 1 ? UINT64_MAX : 0;
    return extend((source[0].unknown & low(bits)) >> at, end - at, is_signed);
}

static uint64_t insert(const struct bits source[4]) {
    uint32_t at = source[2].value & 255, length = source[3].value & 255;
    uint64_t field = at < 64 ? low(length) << at : 0;
    return (at < 64 ? source[0].unknown << at & field : 0) | (source[1].unknown & ~field);
}

static uint64_t permute(const struct bits source[3]) {
    uint64_t both = source[1].unknown << 32 | (uint32_t)source[0].unknown, result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t choice = source[2].value >> (4 * i) & 15, byte = both >> (8 * (choice & 7)) & 255;
        if (choice & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

static bool is_zero(const struct bits *bits, uint32_t width) {
    return ((bits->value | bits->unknown) & low(width)) == 0;
}

/* Computes unknown bits of logic and shifts, which are exact. */
static bool logic_or_shift(const struct ptx_instruction *instruction, const struct bits source[5],
                           uint32_t bits, uint64_t *unknown) {
    bool is_signed = ptx_type_is_signed(instruction->type), by_known = source[1].unknown == 0;
    uint64_t amount = source[1].value & UINT32_MAX;
    switch (instruction->opcode) {
    case PTX_AND: *unknown = logic(0xc0, source); return true;
    case PTX_OR: *unknown = logic(0xfc, source); return true;
    case PTX_XOR: *unknown = logic(0x3c, source); return true;
    case PTX_NOT: *unknown = logic(0x0f, source); return true;
    case PTX_LOP3: *unknown = logic(instruction->lut, source); return true;
    case PTX_SHL: *unknown = amount < bits ? source[0].unknown << (amount & 63) : 0; return by_known;
    case PTX_SHR: *unknown = shift_right(source[0].unknown, amount, bits, is_signed); return by_known;
    default: return false;
    }
}

/* Sums and products. Of integers, the bits from the lowest unknown one up are unknown. */
static uint64_t arithmetic(const struct ptx_instruction *instruction, const struct bits source[5],
                           uint32_t bits) {
    uint64_t factors = source[0].unknown | source[1].unknown;
    switch (instruction->opcode) {
    case PTX_ADD:
    case PTX_SUB:
    case PTX_NEG: return smear(factors);
    case PTX_MUL:
    case PTX_MAD:
        if (is_zero(&source[0], bits) || is_zero(&source[1], bits))
            factors = 0;
        if (instruction->form == PTX_HI && factors)
            return UINT64_MAX;
        return smear(factors | (instruction->opcode == PTX_MAD ? source[2].unknown : 0));
    default: return UINT64_MAX;
    }
}

static uint64_t moved(const struct ptx_instruction *instruction, const struct bits source[5], uint32_t bits,
                      bool *copied) {
    bool is_signed = ptx_type_is_signed(instruction->type);
    bool from_float = ptx_type_is_float(instruction->source_type) || ptx_type_is_float(instruction->type);
    *copied = true;
    switch (instruction->opcode) {
    case PTX_MOV:
    case PTX_CVTA: return source[0].unknown;
    case PTX_SHF:
        if (source[2].unknown == 0)
            return funnel(instruction->form, source);
        break;
    case PTX_BFE:
        if (source[1].unknown == 0 && source[2].unknown == 0)
            return extract(source, bits, is_signed);
        break;
    case PTX_BFI:
        if (source[2].unknown == 0 && source[3].unknown == 0)
            return insert(source);
        break;
    case PTX_PRMT:
        if (source[2].unknown == 0 && instruction->form == PTX_PRMT_INDEX)
            return permute(source);
        break;
    case PTX_CVT:
        if (!from_float && !(instruction->flags & PTX_SAT))
            return extend(extend(source[0].unknown, 8 * ptx_type_bytes(instruction->source_type),
                                 ptx_type_is_signed(instruction->source_type)),
                          bits, is_signed);
        break;
    case PTX_SELP:
        if (source[2].unknown == 0)
            return source[source[2].value ? 0 : 1].unknown;
        *copied = false;
        return source[0].unknown | source[1].unknown | (source[0].value ^ source[1].value);
    default: break;
    }
    *copied = false;
    return UINT64_MAX;
}

uint64_t simt_undefined_result(const struct ptx_instruction *instruction, const struct bits source[5],
                               uint32_t register_bits, bool *copied) {
    uint32_t bits = 8 * ptx_type_bytes(instruction->type);
    uint64_t unknown = moved(instruction, source, bits, copied);
    if (logic_or_shift(instruction, source, bits, &unknown))
        return unknown & low(register_bits);
    if (!*copied && instruction->opcode != PTX_SELP)
        unknown = ptx_type_is_float(instruction->type) || ptx_types[instruction->type].packed > 1 ||
                          instruction->opcode == PTX_CVT
                      ? UINT64_MAX
                      : arithmetic(instruction, source, bits);
    return unknown & low(register_bits);
}

/* The least and the largest value of an integer, shifted if signed, to compare as unsigned. */
struct range {
    uint64_t least, most;
};
static struct range range_of(const struct bits *bits, uint32_t width, bool is_signed) {
    uint64_t sign = is_signed ? UINT64_C(1) << (width - 1) : 0, value = (bits->value ^ sign) & low(width),
             unknown = bits->unknown & low(width);
    return (struct range){value & ~unknown, value | unknown};
}

/* Compares known numbers. */
static int compare_reals(uint8_t comparison, double a, double b) {
    bool ordered = a == a && b == b;
    switch (comparison) {
    case PTX_EQ: return ordered && a == b;
    case PTX_NE: return ordered && a != b;
    case PTX_LT: return ordered && a < b;
    case PTX_LE: return ordered && a <= b;
    case PTX_GT: return ordered && a > b;
    case PTX_GE: return ordered && a >= b;
    case PTX_EQU: return !ordered || a == b;
    case PTX_NEU: return !ordered || a != b;
    case PTX_LTU: return !ordered || a < b;
    case PTX_LEU: return !ordered || a <= b;
    case PTX_GTU: return !ordered || a > b;
    case PTX_GEU: return !ordered || a >= b;
    case PTX_NUM: return ordered;
    default: return !ordered;
    }
}

static double real_of(uint64_t bits, uint8_t type) {
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &bits, sizeof narrow);
    return type == PTX_F64 ? wide : (double)narrow;
}

/* Returns 1, 0, or -1: unknown. */
static int compare(const struct ptx_instruction *instruction, const struct bits source[2]) {
    uint8_t type = instruction->opcode == PTX_SET || instruction->opcode == PTX_SETP
                       ? instruction->source_type
                       : instruction->type;
    uint32_t width = 8 * ptx_type_bytes(type);
    if ((type == PTX_F32 || type == PTX_F64) && !(instruction->flags & PTX_FTZ) &&
        (source[0].unknown | source[1].unknown) == 0)
        return compare_reals(instruction->compare, real_of(source[0].value, type),
                             real_of(source[1].value, type));
    if (ptx_type_is_float(type) || width == 0)
        return -1;
    bool is_signed = ptx_type_is_signed(type);
    struct range a = range_of(&source[0], width, is_signed), b = range_of(&source[1], width, is_signed);
    uint64_t both = ~(source[0].unknown | source[1].unknown) & low(width);
    bool differ = ((source[0].value ^ source[1].value) & both) != 0;
    bool equal = both == low(width) && !differ;
    switch (instruction->compare) {
    case PTX_EQ: return differ ? 0 : equal ? 1 : -1;
    case PTX_NE: return differ ? 1 : equal ? 0 : -1;
    case PTX_LT: return a.most < b.least ? 1 : a.least >= b.most ? 0 : -1;
    case PTX_LE: return a.most <= b.least ? 1 : a.least > b.most ? 0 : -1;
    case PTX_GT: return a.least > b.most ? 1 : a.most <= b.least ? 0 : -1;
    case PTX_GE: return a.least >= b.most ? 1 : a.most < b.least ? 0 : -1;
    default: return -1;
    }
}

bool simt_undefined_comparison(const struct ptx_instruction *instruction, const struct bits source[3],
                               bool inverse) {
    int result = compare(instruction, source);
    if (result < 0 && (source[0].unknown | source[1].unknown) == 0)
        result = 2; /* known, but not computed here */
    if (instruction->sources < 3)
        return result < 0;
    int other = source[2].unknown ? -1 : source[2].value != 0;
    if (inverse && (result == 0 || result == 1))
        result = !result;
    if (result == 2)
        return false; /* the other operand may not matter */
    switch (instruction->form) {
    case PTX_BOOL_AND: return result != 0 && other != 0 && (result < 0 || other < 0);
    case PTX_BOOL_OR: return result != 1 && other != 1 && (result < 0 || other < 0);
    default: return result < 0 || other < 0;
    }
}

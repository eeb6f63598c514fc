/* logic.c: logic, shifts, byte permutation, and their forms on predicates. PTX ISA 9.7.8, 9.7.9. */
#include "gpu/simt/compute/compute.h"

#define LOGIC(T)                                                                                             \
    BINARY(and_##T, T, T, T, (x & y))                                                                        \
    BINARY(or_##T, T, T, T, x | y)                                                                           \
    BINARY(xor_##T, T, T, T, x ^ y)                                                                          \
    UNARY(complement_##T, T, T, ~x)                                                                          \
    UNARY(cnot_##T, T, T, x == 0)
LOGIC(u16)
LOGIC(u32)
LOGIC(u64)

#define PREDICATE_LOGIC(name, expression)                                                                    \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        uint32_t x = predicate_source(operation, predicates, 0),                                             \
                 y = predicate_source(operation, predicates, 1);                                             \
        predicates[operation->destination[0]] = (expression);                                                \
    }
PREDICATE_LOGIC(and_pred, (x & y))
PREDICATE_LOGIC(or_pred, x | y)
PREDICATE_LOGIC(xor_pred, x ^ y)
HANDLER(not_pred) {
    UNUSED_HANDLER_ARGUMENTS;
    predicates[operation->destination[0]] = ~predicate_source(operation, predicates, 0);
}

/* Shift amounts are unsigned 32-bit and clamp at the width. */
BINARY(shl_16, u16, u16, u32, y < 16 ? (uint32_t)x << (y & 15) : 0)
BINARY(shl_32, u32, u32, u32, y < 32 ? x << (y & 31) : 0)
BINARY(shl_64, u64, u64, u32, y < 64 ? x << (y & 63) : 0)
BINARY(shr_u16, u16, u16, u32, y < 16 ? x >> (y & 15) : 0)
BINARY(shr_u32, u32, u32, u32, y < 32 ? x >> (y & 31) : 0)
BINARY(shr_u64, u64, u64, u32, y < 64 ? x >> (y & 63) : 0)
BINARY(shr_s16, s16, s16, u32, x >> (y < 15 ? y : 15))
BINARY(shr_s32, s32, s32, u32, x >> (y < 31 ? y : 31))
BINARY(shr_s64, s64, s64, u32, x >> (y < 63 ? y : 63))

/* Funnel shifts of y:x (y the upper word). */
static inline uint32_t funnel_left(uint32_t low, uint32_t high, uint32_t amount) {
    return (uint32_t)(((uint64_t)high << 32 | low) << amount >> 32);
}
static inline uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t amount) {
    return (uint32_t)(((uint64_t)high << 32 | low) >> amount);
}
TERNARY(shf_l_wrap, u32, u32, u32, u32, funnel_left(x, y, z & 31))
TERNARY(shf_l_clamp, u32, u32, u32, u32, funnel_left(x, y, z < 32 ? z : 32))
TERNARY(shf_r_wrap, u32, u32, u32, u32, funnel_right(x, y, z & 31))
TERNARY(shf_r_clamp, u32, u32, u32, u32, funnel_right(x, y, z < 32 ? z : 32))

/* lop3: bit 4a + 2b + c of the table, for each bit position. The table is expanded to eight masks
 * once an instruction. */
static inline uint32_t lop3(uint32_t x, uint32_t y, uint32_t z, const uint32_t *table) {
    uint32_t c0 = (table[0] & ~z) | (table[1] & z), c1 = (table[2] & ~z) | (table[3] & z);
    uint32_t c2 = (table[4] & ~z) | (table[5] & z), c3 = (table[6] & ~z) | (table[7] & z);
    return (~x & ((c0 & ~y) | (c1 & y))) | (x & ((c2 & ~y) | (c3 & y)));
}
static inline void lop3_lanes(const struct simt_operation *operation, uint8_t *registers, uint32_t *result) {
    const slot_u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), *c = SOURCE(u32, 2);
    uint32_t table[8];
    for (int i = 0; i < 8; i++)
        table[i] = 0u - (operation->instruction->lut >> i & 1);
    FOR_LANES result[lane] = lop3(a[lane], b[lane], c[lane], table);
}
HANDLER_LANES(lop3_b32) {
    UNUSED_HANDLER_ARGUMENTS;
    uint32_t result[SIMT_LANES];
    lop3_lanes(operation, registers, result);
    slot_u32 *d = DESTINATION(u32);
    STORE_LANES(u32, d, result)
}
HANDLER_FORMS(lop3_b32)
/* lop3.or.b32 d|p, a, b, c, table, q: p = (d != 0) or q. Both destinations may be "_". */
HANDLER(lop3_predicate) {
    UNUSED_HANDLER_ARGUMENTS;
    uint32_t result[SIMT_LANES];
    lop3_lanes(operation, registers, result);
    uint32_t set = 0, combine = predicate_source(operation, predicates, operation->instruction->sources - 1);
    FOR_LANES set |= (uint32_t)(result[lane] != 0) << lane;
    if (operation->destination[0] != SIMT_NO_OPERAND) {
        slot_u32 *d = DESTINATION(u32);
        FOR_LANES d[lane] = result[lane];
    }
    if (operation->destination[1] != SIMT_NO_OPERAND)
        predicates[operation->destination[1]] =
            operation->instruction->form == PTX_BOOL_AND ? set & combine : set | combine;
}

/* prmt: byte i of the result is byte (selector & 7) of y:x, or eight copies of that byte's sign if
 * the selector has bit 3. */
static inline uint32_t permute(uint32_t low, uint32_t high, uint32_t selectors) {
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t selector = selectors >> 4 * i;
        uint32_t byte = ((selector & 4 ? high : low) >> 8 * (selector & 3)) & 0xff;
        uint32_t sign = byte & 0x80 ? 0xff : 0;
        result |= (selector & 8 ? sign : byte) << 8 * i;
    }
    return result;
}
/* The special modes use two bits of z to choose these selectors. */
static const uint16_t permute_modes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, /* .f4e: forward four bytes */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* .b4e: backward four bytes */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* .rc8: replicate a byte */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* .ecl: edge clamp left */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* .ecr: edge clamp right */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* .rc16: replicate a half word */
};
TERNARY(prmt_index, u32, u32, u32, u32, permute(x, y, z))
TERNARY(prmt_mode, u32, u32, u32, u32,
        permute(x, y, permute_modes[operation->instruction->form - PTX_PRMT_F4E][z & 3]))

#define ROW(opcode, T, form, writes, handler)                                                                \
    { opcode, T, 0, form, 0, 0, writes, 0, FORMS(handler) }
#define ROW_WRAPPED(opcode, T, form, writes, handler)                                                        \
    { opcode, T, 0, form, 0, 0, writes, 0, handler, NULL }
/* PTX writes logic on .bN; .uN and .sN are accepted alike. */
#define ROWS_ALL(opcode, stem)                                                                               \
    ROW(opcode, PTX_B16, 0, WRITES_32, stem##_u16), ROW(opcode, PTX_U16, 0, WRITES_32, stem##_u16),          \
        ROW(opcode, PTX_S16, 0, WRITES_32, stem##_u16), ROW(opcode, PTX_B32, 0, WRITES_32, stem##_u32),      \
        ROW(opcode, PTX_U32, 0, WRITES_32, stem##_u32), ROW(opcode, PTX_S32, 0, WRITES_32, stem##_u32),      \
        ROW(opcode, PTX_B64, 0, WRITES_64, stem##_u64), ROW(opcode, PTX_U64, 0, WRITES_64, stem##_u64),      \
        ROW(opcode, PTX_S64, 0, WRITES_64, stem##_u64)
#define ROW_SHF(form, handler) ROW(PTX_SHF, PTX_B32, form, WRITES_32, handler)
#define ROW_PRMT(form, handler) ROW(PTX_PRMT, PTX_B32, form, WRITES_32, handler)

static const struct compute_row rows[] = {
    ROWS_ALL(PTX_AND, and),
    ROWS_ALL(PTX_OR, or),
    ROWS_ALL(PTX_XOR, xor),
    ROWS_ALL(PTX_NOT, complement),
    ROWS_ALL(PTX_CNOT, cnot),
    ROW_WRAPPED(PTX_AND, PTX_PRED, 0, WRITES_PREDICATES, and_pred),
    ROW_WRAPPED(PTX_OR, PTX_PRED, 0, WRITES_PREDICATES, or_pred),
    ROW_WRAPPED(PTX_XOR, PTX_PRED, 0, WRITES_PREDICATES, xor_pred),
    ROW_WRAPPED(PTX_NOT, PTX_PRED, 0, WRITES_PREDICATES, not_pred),
    ROW(PTX_SHL, PTX_B16, 0, WRITES_32, shl_16),
    ROW(PTX_SHL, PTX_B32, 0, WRITES_32, shl_32),
    ROW(PTX_SHL, PTX_B64, 0, WRITES_64, shl_64),
    ROW(PTX_SHR, PTX_B16, 0, WRITES_32, shr_u16),
    ROW(PTX_SHR, PTX_U16, 0, WRITES_32, shr_u16),
    ROW(PTX_SHR, PTX_S16, 0, WRITES_32, shr_s16),
    ROW(PTX_SHR, PTX_B32, 0, WRITES_32, shr_u32),
    ROW(PTX_SHR, PTX_U32, 0, WRITES_32, shr_u32),
    ROW(PTX_SHR, PTX_S32, 0, WRITES_32, shr_s32),
    ROW(PTX_SHR, PTX_B64, 0, WRITES_64, shr_u64),
    ROW(PTX_SHR, PTX_U64, 0, WRITES_64, shr_u64),
    ROW(PTX_SHR, PTX_S64, 0, WRITES_64, shr_s64),
    ROW_SHF(PTX_LEFT_WRAP, shf_l_wrap),
    ROW_SHF(PTX_LEFT_CLAMP, shf_l_clamp),
    ROW_SHF(PTX_RIGHT_WRAP, shf_r_wrap),
    ROW_SHF(PTX_RIGHT_CLAMP, shf_r_clamp),
    ROW(PTX_LOP3, PTX_B32, 0, WRITES_32, lop3_b32),
    ROW_WRAPPED(PTX_LOP3, PTX_B32, PTX_BOOL_AND, WRITES_32_PREDICATE, lop3_predicate),
    ROW_WRAPPED(PTX_LOP3, PTX_B32, PTX_BOOL_OR, WRITES_32_PREDICATE, lop3_predicate),
    ROW_PRMT(PTX_FORM_NONE, prmt_index),
    ROW_PRMT(PTX_PRMT_INDEX, prmt_index),
    ROW_PRMT(PTX_PRMT_F4E, prmt_mode),
    ROW_PRMT(PTX_PRMT_B4E, prmt_mode),
    ROW_PRMT(PTX_PRMT_RC8, prmt_mode),
    ROW_PRMT(PTX_PRMT_ECL, prmt_mode),
    ROW_PRMT(PTX_PRMT_ECR, prmt_mode),
    ROW_PRMT(PTX_PRMT_RC16, prmt_mode),
};
COMPUTE_TABLE(logic, rows);

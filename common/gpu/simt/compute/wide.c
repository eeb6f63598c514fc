/* wide.c: products of double width, and arithmetic with a carry. PTX ISA 9.7.1, 9.7.2. */
#include "gpu/simt/compute/compute.h"

BINARY(mul_wide_u16, u32, u16, u16, ((uint32_t)x * y))
BINARY(mul_wide_s16, s32, s16, s16, (x * y))
TERNARY(mad_wide_u16, u32, u16, u16, u32, z + (uint32_t)x * y)
TERNARY(mad_wide_s16, s32, s16, s16, u32, z + (uint32_t)((x * y)))
BINARY(mul_wide_u32, u64, u32, u32, ((uint64_t)x * y))
BINARY(mul_wide_s32, s64, s32, s32, ((int64_t)x * y))
TERNARY(mad_wide_u32, u64, u32, u32, u64, z + (uint64_t)x * y)
TERNARY(mad_wide_s32, s64, s32, s32, u64, z + (uint64_t)(((int64_t)x * y)))

/* Carry chains. A lane's carry is a bit of the hidden predicate operation->carry: .cc sets it;
 * addc, subc and madc read it. A subtraction adds the complement and 1, as hardware does: its carry
 * means no borrow, and subc subtracts one more without a carry. T: the lane's width. sum: an
 * expression of x, y, z and the incoming carry in twice the width; bit `width` is the carry. */
#define CARRY(name, T, width, double_width, sum, sources, carry_out)                                         \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##T *a = SOURCE(T, 0), *b = SOURCE(T, 1), *c = SOURCE(T, (sources)-1);                    \
        slot_##T *d = DESTINATION(T), result[SIMT_LANES];                                                    \
        uint32_t carries = predicates[operation->carry], out = 0;                                            \
        FOR_LANES {                                                                                          \
            double_width x = a[lane], y = b[lane], z = c[lane], carry = carries >> lane & 1, total = (sum);  \
            (void)z, (void)carry;                                                                            \
            result[lane] = (lane_##T)total;                                                                  \
            out |= (uint32_t)(total >> (width)&1) << lane;                                                   \
        }                                                                                                    \
        FOR_LANES d[lane] = result[lane];                                                                    \
        if (carry_out)                                                                                       \
            predicates[operation->carry] = out;                                                              \
    }
#define CARRY_FAMILY(T, W, wide)                                                                             \
    CARRY(add_cc_##T, T, W, wide, x + y, 2, 1)                                                               \
    CARRY(addc_##T, T, W, wide, x + y + carry, 2, 0)                                                         \
    CARRY(addc_cc_##T, T, W, wide, x + y + carry, 2, 1)                                                      \
    CARRY(sub_cc_##T, T, W, wide, x + (lane_##T) ~y + 1, 2, 1)                                               \
    CARRY(subc_##T, T, W, wide, x + (lane_##T) ~y + carry, 2, 0)                                             \
    CARRY(subc_cc_##T, T, W, wide, x + (lane_##T) ~y + carry, 2, 1)                                          \
    CARRY(mad_lo_cc_##T, T, W, wide, (wide)(lane_##T)(x * y) + z, 3, 1)                                      \
    CARRY(madc_lo_##T, T, W, wide, (wide)(lane_##T)(x * y) + z + carry, 3, 0)                                \
    CARRY(madc_lo_cc_##T, T, W, wide, (wide)(lane_##T)(x * y) + z + carry, 3, 1)                             \
    CARRY(mad_hi_cc_##T, T, W, wide, (x * y >> (W)) + z, 3, 1)                                               \
    CARRY(madc_hi_##T, T, W, wide, (x * y >> (W)) + z + carry, 3, 0)                                         \
    CARRY(madc_hi_cc_##T, T, W, wide, (x * y >> (W)) + z + carry, 3, 1)
CARRY_FAMILY(u32, 32, uint64_t)
CARRY_FAMILY(u64, 64, unsigned __int128)

/* The high half of a signed product differs from that of an unsigned one. */
#define SIGNED_HIGH(lane_type, wide_type, U)                                                                 \
    ((U)((wide_type)(lane_type)x * (lane_type)y >> (8 * sizeof(lane_type))))
CARRY(mad_hi_cc_s32, u32, 32, uint64_t, (uint64_t)SIGNED_HIGH(int32_t, int64_t, uint32_t) + z, 3, 1)
CARRY(madc_hi_s32, u32, 32, uint64_t, (uint64_t)SIGNED_HIGH(int32_t, int64_t, uint32_t) + z + carry, 3, 0)
CARRY(madc_hi_cc_s32, u32, 32, uint64_t, (uint64_t)SIGNED_HIGH(int32_t, int64_t, uint32_t) + z + carry, 3, 1)
typedef unsigned __int128 uint128;
CARRY(mad_hi_cc_s64, u64, 64, uint128, (uint128)SIGNED_HIGH(int64_t, __int128, uint64_t) + z, 3, 1)
CARRY(madc_hi_s64, u64, 64, uint128, (uint128)SIGNED_HIGH(int64_t, __int128, uint64_t) + z + carry, 3, 0)
CARRY(madc_hi_cc_s64, u64, 64, uint128, (uint128)SIGNED_HIGH(int64_t, __int128, uint64_t) + z + carry, 3, 1)

#define ROW(opcode, T, form, flags, writes, handler)                                                         \
    { opcode, T, 0, form, 0, 0, writes, flags, handler, NULL }
#define ROW_FORMS(opcode, T, writes, handler)                                                                \
    { opcode, T, 0, PTX_WIDE, 0, 0, writes, 0, FORMS(handler) }
#define CC PTX_CARRY_OUT
/* U, S: the PTX types of one width; s: handlers of the signed high half. */
#define ROWS_CARRY(T, writes, u, s)                                                                          \
    ROW(PTX_ADD, T, 0, CC, writes, add_cc_##u), ROW(PTX_ADDC, T, 0, 0, writes, addc_##u),                    \
        ROW(PTX_ADDC, T, 0, CC, writes, addc_cc_##u), ROW(PTX_SUB, T, 0, CC, writes, sub_cc_##u),            \
        ROW(PTX_SUBC, T, 0, 0, writes, subc_##u), ROW(PTX_SUBC, T, 0, CC, writes, subc_cc_##u),              \
        ROW(PTX_MAD, T, PTX_LO, CC, writes, mad_lo_cc_##u),                                                  \
        ROW(PTX_MADC, T, PTX_LO, 0, writes, madc_lo_##u),                                                    \
        ROW(PTX_MADC, T, PTX_LO, CC, writes, madc_lo_cc_##u),                                                \
        ROW(PTX_MAD, T, PTX_HI, CC, writes, mad_hi_cc_##s),                                                  \
        ROW(PTX_MADC, T, PTX_HI, 0, writes, madc_hi_##s),                                                    \
        ROW(PTX_MADC, T, PTX_HI, CC, writes, madc_hi_cc_##s)

static const struct compute_row rows[] = {
    ROW_FORMS(PTX_MUL, PTX_U16, WRITES_32, mul_wide_u16),
    ROW_FORMS(PTX_MUL, PTX_S16, WRITES_32, mul_wide_s16),
    ROW_FORMS(PTX_MUL, PTX_U32, WRITES_64, mul_wide_u32),
    ROW_FORMS(PTX_MUL, PTX_S32, WRITES_64, mul_wide_s32),
    ROW_FORMS(PTX_MAD, PTX_U16, WRITES_32, mad_wide_u16),
    ROW_FORMS(PTX_MAD, PTX_S16, WRITES_32, mad_wide_s16),
    ROW_FORMS(PTX_MAD, PTX_U32, WRITES_64, mad_wide_u32),
    ROW_FORMS(PTX_MAD, PTX_S32, WRITES_64, mad_wide_s32),
    ROWS_CARRY(PTX_U32, WRITES_32_CARRY, u32, u32),
    ROWS_CARRY(PTX_S32, WRITES_32_CARRY, u32, s32),
    ROWS_CARRY(PTX_U64, WRITES_64_CARRY, u64, u64),
    ROWS_CARRY(PTX_S64, WRITES_64_CARRY, u64, s64),
};
COMPUTE_TABLE(wide, rows);

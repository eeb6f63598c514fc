/* bits.c: counts, finds, extracts and inserts bits; dot products of bytes. PTX ISA 9.7.1. */
#include "gpu/simt/compute/compute.h"

static inline uint32_t leading_zeros_32(uint32_t x) {
    return x ? (uint32_t)__builtin_clz(x) : 32;
}
static inline uint32_t leading_zeros_64(uint64_t x) {
    return x ? (uint32_t)__builtin_clzll(x) : 64;
}
static inline uint32_t reverse_32(uint32_t x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
UNARY(popc_32, u32, u32, __builtin_popcount(x))
UNARY(popc_64, u32, u64, __builtin_popcountll(x))
UNARY(clz_32, u32, u32, leading_zeros_32(x))
UNARY(clz_64, u32, u64, leading_zeros_64(x))
UNARY(brev_32, u32, u32, reverse_32(x))
UNARY(brev_64, u64, u64, (uint64_t)reverse_32((uint32_t)x) << 32 | reverse_32((uint32_t)(x >> 32)))

/* bfind: highest bit that differs from the sign, all ones if none; .shiftamt counts from the
 * top. */
UNARY(bfind_u32, u32, u32, 31 - leading_zeros_32(x))
UNARY(bfind_s32, u32, s32, 31 - leading_zeros_32((uint32_t)(x < 0 ? ~x : x)))
UNARY(bfind_u64, u32, u64, 63 - leading_zeros_64(x))
UNARY(bfind_s64, u32, s64, 63 - leading_zeros_64((uint64_t)(x < 0 ? ~x : x)))
#define SHIFT_AMOUNT(zeros, width) ((zeros) == (width) ? UINT32_MAX : (zeros))
UNARY(bfind_shift_u32, u32, u32, SHIFT_AMOUNT(leading_zeros_32(x), 32))
UNARY(bfind_shift_s32, u32, s32, SHIFT_AMOUNT(leading_zeros_32((uint32_t)(x < 0 ? ~x : x)), 32))
UNARY(bfind_shift_u64, u32, u64, SHIFT_AMOUNT(leading_zeros_64(x), 64))
UNARY(bfind_shift_s64, u32, s64, SHIFT_AMOUNT(leading_zeros_64((uint64_t)(x < 0 ? ~x : x)), 64))

/* fns: position of the |offset|-th set bit from base upwards (offset > 0) or downwards; all ones:
 * none. */
static uint32_t find_nth_set(uint32_t bits, uint32_t base, int32_t offset) {
    if (offset == 0)
        return base < 32 && (bits >> base & 1) ? base : UINT32_MAX;
    if (offset == INT32_MIN) /* its magnitude does not fit (rule recorded on an H200) */
        return 0;
    int64_t left = offset < 0 ? -(int64_t)offset : offset;
    for (int64_t at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if ((bits >> at & 1) && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}
TERNARY(fns_b32, u32, u32, u32, s32, find_nth_set(x, y, z))

/* ---- bit fields. For 32 bits, position and length are the low bytes of y and z; for 64 bits, all
 * of them (recorded; PTX defines 0 to 255). The field is cut at the top of the word. */
static inline uint64_t low_ones(uint32_t count) {
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}
static inline uint64_t extract(uint64_t x, uint32_t y, uint32_t z, uint32_t width, bool is_signed) {
    uint64_t position = y, length = z;
    uint64_t field = position < width ? x >> position & low_ones(z) : 0;
    if (!is_signed || length == 0)
        return field;
    uint64_t top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    return (x >> top & 1) ? field | ~low_ones(top >= position ? (uint32_t)(top - position) + 1 : 0) : field;
}
/* 32 bits, in steps that vectorise: shifts the field to the top, which cuts it, then down. */
static inline uint32_t field_at_top(uint32_t x, uint32_t position, uint32_t length) {
    uint32_t end = position + length; /* at most 510 */
    uint32_t moved = end <= 32 ? (end ? x << ((32 - end) & 31) : 0) : x;
    return length && position < 32 ? moved : 0;
}
static inline uint32_t shift_down(uint32_t position, uint32_t length) {
    uint32_t kept = position + length <= 32 ? length : 32 - (position < 32 ? position : 31);
    return kept ? 32 - kept : 31;
}
#define POSITION (y & 0xff)
#define LENGTH (z & 0xff)
TERNARY(bfe_u32, u32, u32, u32, u32, field_at_top(x, POSITION, LENGTH) >> shift_down(POSITION, LENGTH))
/* A field that starts above the word consists of the sign, the top bit. */
TERNARY(bfe_s32, s32, s32, u32, u32,
        LENGTH != 0 && POSITION >= 32
            ? x >> 31
            : (int32_t)field_at_top((uint32_t)x, POSITION, LENGTH) >> shift_down(POSITION, LENGTH))
TERNARY(bfe_u64, u64, u64, u32, u32, extract(x, y, z, 64, false))
TERNARY(bfe_s64, u64, u64, u32, u32, extract(x, y, z, 64, true))

/* bfi d, a, b, position, length: inserts a's low bits into b. in: mask of the inserted bits. */
#define INSERT(T, in)                                                                                        \
    HANDLER_LANES(bfi_##T) {                                                                                 \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##T *a = SOURCE(T, 0), *b = SOURCE(T, 1);                                                 \
        const slot_u32 *c = SOURCE(u32, 2), *e = SOURCE(u32, 3);                                             \
        slot_##T *d = DESTINATION(T), result[SIMT_LANES];                                                    \
        FOR_LANES {                                                                                          \
            uint32_t position = c[lane] & (in), length = e[lane] & (in);                                     \
            uint64_t field = position < 64 ? low_ones(length) << position : 0;                               \
            uint64_t value = position < 64 ? (uint64_t)a[lane] << position : 0;                              \
            result[lane] = (lane_##T)((value & field) | (b[lane] & ~field));                                 \
        }                                                                                                    \
        STORE_LANES(T, d, result)                                                                            \
    }                                                                                                        \
    HANDLER_FORMS(bfi_##T)
INSERT(u32, 0xff)
INSERT(u64, UINT32_MAX)

/* szext: extends the low N bits; N is y modulo 32, or with .clamp at most 32. N = 0 gives 0. */
static inline uint32_t extend(uint32_t x, uint32_t count, bool is_signed) {
    if (count == 0 || count >= 32)
        return count ? x : 0;
    uint32_t field = x & (uint32_t)low_ones(count);
    return is_signed && (field >> (count - 1) & 1) ? field | ~(uint32_t)low_ones(count) : field;
}
BINARY(szext_wrap_u32, u32, u32, u32, extend(x, y & 31, false))
BINARY(szext_wrap_s32, u32, u32, u32, extend(x, y & 31, true))
BINARY(szext_clamp_u32, u32, u32, u32, extend(x, y, false))
BINARY(szext_clamp_s32, u32, u32, u32, extend(x, y, true))

/* bmsk: y ones from bit x up. */
static inline uint32_t bit_mask(uint32_t position, uint32_t width) {
    return position < 32 ? (uint32_t)(low_ones(width) << position) : 0;
}
BINARY(bmsk_wrap, u32, u32, u32, bit_mask(x & 31, y & 31))
BINARY(bmsk_clamp, u32, u32, u32, bit_mask(x, y < 32 ? y : 32))

/* ---- dot products: bytes (or half words) of x with bytes of y, added to z; wraps at 32 bits */
#define BYTE(value, i, T) ((T)((value) >> 8 * (i)))
#define HALF(value, i, T) ((T)((value) >> 16 * (i)))
#define DOT4(A, B)                                                                                           \
    ((uint32_t)(BYTE(x, 0, A) * BYTE(y, 0, B) + BYTE(x, 1, A) * BYTE(y, 1, B) +                              \
                BYTE(x, 2, A) * BYTE(y, 2, B) + BYTE(x, 3, A) * BYTE(y, 3, B)) +                             \
     z)
#define DOT2(A, B, first)                                                                                    \
    ((uint32_t)(HALF(x, 0, A) * BYTE(y, first, B) + HALF(x, 1, A) * BYTE(y, (first) + 1, B)) + z)
TERNARY(dp4a_uu, u32, u32, u32, u32, DOT4(uint8_t, uint8_t))
TERNARY(dp4a_us, u32, u32, u32, u32, DOT4(uint8_t, int8_t))
TERNARY(dp4a_su, u32, u32, u32, u32, DOT4(int8_t, uint8_t))
TERNARY(dp4a_ss, u32, u32, u32, u32, DOT4(int8_t, int8_t))
TERNARY(dp2a_lo_uu, u32, u32, u32, u32, DOT2(uint16_t, uint8_t, 0))
TERNARY(dp2a_lo_us, u32, u32, u32, u32, DOT2(uint16_t, int8_t, 0))
TERNARY(dp2a_lo_su, u32, u32, u32, u32, DOT2(int16_t, uint8_t, 0))
TERNARY(dp2a_lo_ss, u32, u32, u32, u32, DOT2(int16_t, int8_t, 0))
TERNARY(dp2a_hi_uu, u32, u32, u32, u32, DOT2(uint16_t, uint8_t, 2))
TERNARY(dp2a_hi_us, u32, u32, u32, u32, DOT2(uint16_t, int8_t, 2))
TERNARY(dp2a_hi_su, u32, u32, u32, u32, DOT2(int16_t, uint8_t, 2))
TERNARY(dp2a_hi_ss, u32, u32, u32, u32, DOT2(int16_t, int8_t, 2))

#define ROW(opcode, T, form, flags, writes, handler)                                                         \
    { opcode, T, 0, form, 0, 0, writes, flags, FORMS(handler) }
#define ROW_DOT(opcode, T, S, form, handler)                                                                 \
    { opcode, T, S, form, 0, 0, WRITES_32, 0, FORMS(handler) }

static const struct compute_row rows[] = {
    /* The result of popc, clz and bfind has 32 bits, whatever the source. */
    ROW(PTX_POPC, PTX_B32, 0, 0, WRITES_32, popc_32),
    ROW(PTX_POPC, PTX_B64, 0, 0, WRITES_32, popc_64),
    ROW(PTX_CLZ, PTX_B32, 0, 0, WRITES_32, clz_32),
    ROW(PTX_CLZ, PTX_B64, 0, 0, WRITES_32, clz_64),
    ROW(PTX_BREV, PTX_B32, 0, 0, WRITES_32, brev_32),
    ROW(PTX_BREV, PTX_B64, 0, 0, WRITES_64, brev_64),
    ROW(PTX_BFIND, PTX_U32, 0, 0, WRITES_32, bfind_u32),
    ROW(PTX_BFIND, PTX_S32, 0, 0, WRITES_32, bfind_s32),
    ROW(PTX_BFIND, PTX_U64, 0, 0, WRITES_32, bfind_u64),
    ROW(PTX_BFIND, PTX_S64, 0, 0, WRITES_32, bfind_s64),
    ROW(PTX_BFIND, PTX_U32, 0, PTX_SHIFT_AMOUNT, WRITES_32, bfind_shift_u32),
    ROW(PTX_BFIND, PTX_S32, 0, PTX_SHIFT_AMOUNT, WRITES_32, bfind_shift_s32),
    ROW(PTX_BFIND, PTX_U64, 0, PTX_SHIFT_AMOUNT, WRITES_32, bfind_shift_u64),
    ROW(PTX_BFIND, PTX_S64, 0, PTX_SHIFT_AMOUNT, WRITES_32, bfind_shift_s64),
    ROW(PTX_FNS, PTX_B32, 0, 0, WRITES_32, fns_b32),
    ROW(PTX_BFE, PTX_U32, 0, 0, WRITES_32, bfe_u32),
    ROW(PTX_BFE, PTX_S32, 0, 0, WRITES_32, bfe_s32),
    ROW(PTX_BFE, PTX_U64, 0, 0, WRITES_64, bfe_u64),
    ROW(PTX_BFE, PTX_S64, 0, 0, WRITES_64, bfe_s64),
    ROW(PTX_BFI, PTX_B32, 0, 0, WRITES_32, bfi_u32),
    ROW(PTX_BFI, PTX_B64, 0, 0, WRITES_64, bfi_u64),
    ROW(PTX_SZEXT, PTX_U32, PTX_WRAP, 0, WRITES_32, szext_wrap_u32),
    ROW(PTX_SZEXT, PTX_S32, PTX_WRAP, 0, WRITES_32, szext_wrap_s32),
    ROW(PTX_SZEXT, PTX_U32, PTX_CLAMP, 0, WRITES_32, szext_clamp_u32),
    ROW(PTX_SZEXT, PTX_S32, PTX_CLAMP, 0, WRITES_32, szext_clamp_s32),
    ROW(PTX_BMSK, PTX_B32, PTX_WRAP, 0, WRITES_32, bmsk_wrap),
    ROW(PTX_BMSK, PTX_B32, PTX_CLAMP, 0, WRITES_32, bmsk_clamp),
    ROW_DOT(PTX_DP4A, PTX_U32, 0, 0, dp4a_uu),
    ROW_DOT(PTX_DP4A, PTX_U32, PTX_S32, 0, dp4a_us),
    ROW_DOT(PTX_DP4A, PTX_S32, PTX_U32, 0, dp4a_su),
    ROW_DOT(PTX_DP4A, PTX_S32, 0, 0, dp4a_ss),
    ROW_DOT(PTX_DP2A, PTX_U32, 0, PTX_LO, dp2a_lo_uu),
    ROW_DOT(PTX_DP2A, PTX_U32, PTX_S32, PTX_LO, dp2a_lo_us),
    ROW_DOT(PTX_DP2A, PTX_S32, PTX_U32, PTX_LO, dp2a_lo_su),
    ROW_DOT(PTX_DP2A, PTX_S32, 0, PTX_LO, dp2a_lo_ss),
    ROW_DOT(PTX_DP2A, PTX_U32, 0, PTX_HI, dp2a_hi_uu),
    ROW_DOT(PTX_DP2A, PTX_U32, PTX_S32, PTX_HI, dp2a_hi_us),
    ROW_DOT(PTX_DP2A, PTX_S32, PTX_U32, PTX_HI, dp2a_hi_su),
    ROW_DOT(PTX_DP2A, PTX_S32, 0, PTX_HI, dp2a_hi_ss),
};
COMPUTE_TABLE(bits, rows);

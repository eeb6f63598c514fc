/* convert_any.c: every conversion between integer and float types, in every rounding mode, for
 * registers of any width. Converts one lane at a time through an exact intermediate number.
 * convert.c has fast forms of the common ones. PTX ISA 9.7.9. */
#include "gpu/simt/compute/compute.h"

/* An exact value: significand * 2^exponent, infinity, or NaN. A NaN's payload is the significand,
 * top bit at bit 63. */
struct number {
    uint64_t significand;
    int exponent;
    bool negative, infinite, nan;
};

/* A binary float format: digits after the leading one, smallest normal exponent, the first pattern
 * above all numbers, the pattern of a NaN result. */
struct format {
    int digits, min_exponent;
    uint64_t infinity, nan;
};

static struct format format_of(uint8_t type) {
    switch (type) {
    case PTX_F16:
    case PTX_F16X2: return (struct format){10, -14, 0x7c00, 0x7fff};
    case PTX_BF16:
    case PTX_BF16X2: return (struct format){7, -126, 0x7f80, 0x7fff};
    case PTX_E4M3X2: return (struct format){3, -6, 0x7f, 0x7f}; /* no infinity: 0x7f is the NaN */
    case PTX_E5M2X2: return (struct format){2, -14, 0x7c, 0x7f};
    case PTX_F64: return (struct format){52, -1022, (uint64_t)0x7ff << 52, (uint64_t)0xfff8 << 48};
    default: return (struct format){23, -126, 0x7f800000, 0x7fffffff};
    }
}
static int bias_of(struct format format) {
    return 1 - format.min_exponent;
}
/* Bits of one value. */
static int width_of(uint8_t type) {
    return (int)(8 * ptx_type_bytes(type) / ptx_types[type].packed);
}
static uint64_t ones(int count) {
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static struct number decode(uint64_t bits, uint8_t type) {
    struct number n = {0};
    if (!ptx_type_is_float(type)) {
        int width = width_of(type);
        bits &= ones(width);
        n.negative = ptx_type_is_signed(type) && (bits >> (width - 1) & 1);
        n.significand = n.negative ? (0 - bits) & ones(width) : bits;
        return n;
    }
    struct format f = format_of(type);
    int width = width_of(type);
    uint64_t magnitude = bits & ones(width - 1);
    int biased = (int)(magnitude >> f.digits);
    n.negative = bits >> (width - 1) & 1;
    n.significand = magnitude & ones(f.digits);
    n.nan = magnitude > f.infinity || magnitude == f.nan;
    n.infinite = magnitude == f.infinity && !n.nan;
    if (n.nan) {
        n.significand <<= 64 - f.digits;
        return n;
    }
    if (biased > 0)
        n.significand |= (uint64_t)1 << f.digits;
    n.exponent = (biased > 0 ? biased - bias_of(f) : f.min_exponent) - f.digits;
    return n;
}

/* significand / 2^shift, rounded; shift is at least 1. */
static uint64_t shift_rounded(uint64_t significand, int shift, uint8_t rounding, bool negative) {
    uint64_t kept = shift < 64 ? significand >> shift : 0;
    uint64_t lost = shift < 64 ? significand & ones(shift) : significand;
    uint64_t half = shift <= 64 ? (uint64_t)1 << (shift - 1) : 0; /* beyond 64, the lost part is below half */
    bool up = false;
    switch (rounding) {
    case PTX_RN: up = half && (lost > half || (lost == half && (kept & 1))); break;
    case PTX_RM: up = lost && negative; break;
    case PTX_RP: up = lost && !negative; break;
    }
    return kept + up;
}

/* Converts a float to an integer; 2^100 represents values out of every type's range. */
static __int128 to_integer(struct number n, uint8_t rounding) {
    __int128 magnitude;
    if (n.infinite || (n.significand && n.exponent > 64))
        magnitude = (__int128)1 << 100;
    else if (n.exponent >= 0)
        magnitude = (__int128)n.significand << (n.significand ? n.exponent : 0);
    else
        magnitude = shift_rounded(n.significand, -n.exponent, rounding, n.negative);
    return n.negative ? -magnitude : magnitude;
}

static uint64_t clamp_integer(__int128 value, uint8_t type) {
    int width = width_of(type);
    __int128 most = ptx_type_is_signed(type) ? ((__int128)1 << (width - 1)) - 1 : ((__int128)1 << width) - 1;
    __int128 least = ptx_type_is_signed(type) ? -most - 1 : 0;
    return (uint64_t)(value > most ? most : value < least ? least : value);
}

static uint64_t encode(struct number n, uint8_t type, uint8_t rounding, uint32_t flags) {
    struct format f = format_of(type);
    uint64_t sign = n.negative ? (uint64_t)1 << (width_of(type) - 1) : 0;
    if (flags & (PTX_SAT | PTX_RELU)) {
        if (n.nan && (flags & PTX_SAT))
            return 0;
        if (!n.nan && n.negative)
            return 0;
    }
    if (n.nan)
        return n.significand
                   ? sign | f.infinity | (uint64_t)1 << (f.digits - 1) | n.significand >> (64 - f.digits)
                   : f.nan;
    uint64_t bits, infinity = f.infinity;
    if (n.infinite) {
        bits = flags & PTX_SATFINITE ? infinity - 1 : infinity;
    } else if (n.significand == 0) {
        bits = 0;
    } else {
        int leading = 63 - __builtin_clzll(n.significand) + n.exponent;
        /* Exponent of the last bit. */
        int unit = (leading > f.min_exponent ? leading : f.min_exponent) - f.digits;
        int shift = unit - n.exponent;
        uint64_t kept =
            shift > 0 ? shift_rounded(n.significand, shift, rounding, n.negative) : n.significand << -shift;
        /* kept may have one bit too many, as a power of two; the sum carries it into the
         * exponent. */
        bits = kept + ((uint64_t)(unit + f.digits - f.min_exponent) << f.digits);
        if (bits >= infinity) {
            bool away = rounding == PTX_RN || rounding == (n.negative ? PTX_RM : PTX_RP);
            bits = away && !(flags & PTX_SATFINITE) ? infinity : infinity - 1;
        }
    }
    if ((flags & PTX_SAT) && bits > (uint64_t)bias_of(f) << f.digits)
        bits = (uint64_t)bias_of(f) << f.digits; /* 1.0 */
    if ((flags & PTX_FTZ) && type == PTX_F32 && !(bits & 0x7f800000))
        bits = 0;
    return bits | sign;
}

static uint8_t plain_mode(uint8_t rounding) {
    switch (rounding) {
    case PTX_RNI: return PTX_RN;
    case PTX_RZI: return PTX_RZ;
    case PTX_RMI: return PTX_RM;
    case PTX_RPI: return PTX_RP;
    default: return rounding;
    }
}

/* Converts one value from source_type to type; the result has the type's width. */
static uint64_t convert(uint64_t bits, const struct ptx_instruction *instruction, uint8_t type) {
    uint8_t source_type = instruction->source_type, mode = plain_mode(instruction->rounding);
    struct number n = decode(bits, source_type);
    bool flush = (instruction->flags & PTX_FTZ) && source_type == PTX_F32;
    if (flush && type != PTX_F16 && !(bits & 0x7f800000)) /* recorded: half precision rounds first */
        n.significand = 0;
    /* Only double precision keeps a NaN's payload. */
    if (n.nan && (flush || (source_type != PTX_F64 && type != PTX_F64))) {
        n.negative = false;
        n.significand = type == PTX_F64 ? ones(23) << 41 : 0;
    }
    if (ptx_type_is_float(type)) {
        bool to_integral = instruction->rounding >= PTX_RNI && ptx_type_is_float(source_type);
        if (to_integral && !n.nan && !n.infinite && n.exponent < 0) {
            n.significand = shift_rounded(n.significand, -n.exponent, mode, n.negative);
            n.exponent = 0;
        }
        return encode(n, type, mode == PTX_ROUND_NONE ? PTX_RN : mode, instruction->flags);
    }
    if (!ptx_type_is_float(source_type)) {
        __int128 value = n.negative ? -(__int128)n.significand : (__int128)n.significand;
        return instruction->flags & PTX_SAT ? clamp_integer(value, type)
                                            : (uint64_t)value & ones(width_of(type));
    }
    if (n.nan)
        return source_type == PTX_F64 || width_of(type) == 64 ? (uint64_t)1 << (width_of(type) - 1) : 0;
    return clamp_integer(to_integer(n, mode == PTX_ROUND_NONE ? PTX_RZ : mode), type) & ones(width_of(type));
}

/* Sign-extends a signed integer to its register. */
static uint64_t extend(uint64_t bits, uint8_t type, int register_bits) {
    int width = width_of(type);
    if (ptx_type_is_signed(type) && !ptx_type_is_float(type) && width < 64 && (bits >> (width - 1) & 1))
        bits |= ~ones(width);
    return bits & ones(register_bits);
}

/* operation->immediate is the number of bits of the destination register. */
#define CONVERT(name, D, S)                                                                                  \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##S *a = SOURCE(S, 0);                                                                    \
        slot_##D *d = DESTINATION(D), result[SIMT_LANES];                                                    \
        uint8_t type = operation->instruction->type;                                                         \
        FOR_LANES result[lane] = (lane_##D)extend(convert(a[lane], operation->instruction, type), type,      \
                                                  (int)operation->immediate);                                \
        FOR_LANES d[lane] = result[lane];                                                                    \
    }
CONVERT(cvt_32_32, u32, u32)
CONVERT(cvt_32_64, u32, u64)
CONVERT(cvt_64_32, u64, u32)
CONVERT(cvt_64_64, u64, u64)

/* Converts to two values in one register: of two sources the first becomes the upper value; a pair
 * is converted value by value. */
HANDLER(cvt_packed) {
    UNUSED_HANDLER_ARGUMENTS;
    const struct ptx_instruction *instruction = operation->instruction;
    bool two = instruction->sources == 2;
    const slot_u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, two ? 1 : 0);
    slot_u32 *d = DESTINATION(u32), result[SIMT_LANES];
    int from = width_of(instruction->source_type), to = width_of(instruction->type);
    FOR_LANES {
        uint64_t upper = two ? a[lane] : a[lane] >> from;
        result[lane] = (uint32_t)(convert(upper, instruction, instruction->type) << (to & 31) |
                                  convert(b[lane] & ones(from), instruction, instruction->type));
    }
    FOR_LANES d[lane] = result[lane];
}

simt_handler VARIANT(simt_compute_cvt)(uint32_t destination_width, uint32_t source_width, bool packed);
simt_handler VARIANT(simt_compute_cvt)(uint32_t destination_width, uint32_t source_width, bool packed) {
    if (packed)
        return cvt_packed;
    if (destination_width == 8)
        return source_width == 8 ? cvt_64_64 : cvt_64_32;
    return source_width == 8 ? cvt_32_64 : cvt_32_32;
}

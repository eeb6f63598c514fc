/* convert.c: mov, pack, unpack, and the most frequent conversions; convert_any.c has the others. */
#include "gpu/simt/compute/half.h"

UNARY(copy_32, u32, u32, x)
UNARY(copy_64, u64, u64, x)
HANDLER(copy_predicate) {
    (void)registers, (void)mask;
    predicates[operation->destination[0]] = predicate_source(operation, predicates, 0);
}

/* ---- integer to integer: extends or truncates. An 8-bit result in a 16-bit register is first
 * extended by its own sign. */
#define EXTEND(T)                                                                                            \
    UNARY(T##_to_u16, u16, T, x)                                                                             \
    UNARY(T##_to_32, u32, T, x)                                                                              \
    UNARY(T##_to_64, u64, T, x)
EXTEND(u8)
EXTEND(s8)
EXTEND(u16)
EXTEND(s16)
EXTEND(u32)
EXTEND(s32)
EXTEND(u64)
EXTEND(s64)

/* ---- integer registers wider or narrower than the types: "cvt.s64.s8 %rd, %rd", "cvt.s8.s32 %rs,
 * %r" */
UNARY(s8_in_64_to_64, u64, u64, (int8_t)x)
UNARY(s16_in_64_to_64, u64, u64, (int16_t)x)
UNARY(s32_in_64_to_64, u64, u64, (int32_t)x)
UNARY(u8_in_64_to_64, u64, u64, (uint8_t)x)
UNARY(u16_in_64_to_64, u64, u64, (uint16_t)x)
UNARY(u32_in_64_to_64, u64, u64, (uint32_t)x)
UNARY(cut_to_u8, u16, u32, (uint8_t)x)
UNARY(cut_to_s8, u16, u32, (int8_t)x)

/* ---- float to integer: rounds to an integral float first. NaN gives 0; a value out of range gives
 * the nearest integer. */
static inline int32_t s32_of_f32(float x) {
    return x != x ? 0 : x >= 2147483648.0f ? INT32_MAX : x < -2147483648.0f ? INT32_MIN : (int32_t)x;
}
static inline uint32_t u32_of_f32(float x) {
#ifdef __AVX512F__
    return !(x > 0.0f) ? 0 : x >= 4294967296.0f ? UINT32_MAX : (uint32_t)x;
#else /* in two halves of the range, each within the host's signed conversion */
    float low = x < 2147483648.0f ? x : x - 2147483648.0f;
    float bounded = low > 0.0f ? (low < 2147483520.0f ? low : 2147483520.0f) : 0.0f;
    uint32_t bits = (uint32_t)(int32_t)bounded + (x < 2147483648.0f ? 0 : 0x80000000);
    return !(x > 0.0f) ? 0 : x >= 4294967296.0f ? UINT32_MAX : bits;
#endif
}
#define FLOAT_TO_INTEGER(name, round)                                                                        \
    UNARY(s32_##name##_f32, s32, f32, s32_of_f32(round(x)))                                                  \
    UNARY(u32_##name##_f32, u32, f32, u32_of_f32(round(x)))                                                  \
    UNARY(s32_##name##_ftz_f32, s32, f32, s32_of_f32(round(f32_flush(x))))                                   \
    UNARY(u32_##name##_ftz_f32, u32, f32, u32_of_f32(round(f32_flush(x))))                                   \
    UNARY(f32_##name##_f32, f32, f32, f32_canonical(round(x)))                                               \
    UNARY(f32_##name##_ftz_f32, f32, f32, f32_canonical(round(f32_flush(x))))
FLOAT_TO_INTEGER(rni, __builtin_rintf)
FLOAT_TO_INTEGER(rmi, __builtin_floorf)
FLOAT_TO_INTEGER(rpi, __builtin_ceilf)
UNARY(s32_rzi_f32, s32, f32, s32_of_f32(x))
UNARY(u32_rzi_f32, u32, f32, u32_of_f32(x))
UNARY(s32_rzi_ftz_f32, s32, f32, s32_of_f32(x)) /* a denormal becomes 0 with or without .ftz */
UNARY(u32_rzi_ftz_f32, u32, f32, u32_of_f32(x))
UNARY(f32_rzi_f32, f32, f32, f32_canonical(__builtin_truncf(x)))
UNARY(f32_rzi_ftz_f32, f32, f32, f32_canonical(__builtin_truncf(f32_flush(x))))
UNARY(s32_rzi_f64, s32, f64,
      x != x              ? INT32_MIN
      : x >= 2147483648.0 ? INT32_MAX
      : x < -2147483648.0 ? INT32_MIN
                          : (int32_t)x)

/* ---- integer to float, .rn; float to float */
UNARY(f32_of_s32, f32, s32, (float)x)
UNARY(f32_of_u32, f32, u32, (float)x)
UNARY(f32_of_s16, f32, s16, (float)x)
UNARY(f32_of_u16, f32, u16, (float)x)
UNARY(f32_of_s8, f32, s8, (float)x)
UNARY(f32_of_u8, f32, u8, (float)x)
UNARY(f64_of_s32, f64, s32, (double)x)
UNARY(f64_of_u32, f64, u32, (double)x)
UNARY(f64_of_f32, f64, f32, (double)x) /* a NaN keeps its payload */
UNARY(f32_of_f64, f32, f64, (float)x)
UNARY(f32_saturated, f32, f32, f32_saturate(x))
UNARY(f16_of_f32, u32, f32, f16_bits((double)x))
UNARY(bf16_of_f32, u32, f32, bf16_bits((double)x))
UNARY(f32_of_f16, f32, u16, f32_canonical((float)f16_value(x)))
UNARY(f32_of_bf16, u32, u16, (uint32_t)x << 16)
BINARY(f16x2_of_f32, u32, f32, f32, f16_bits((double)x) << 16 | f16_bits((double)y))
BINARY(bf16x2_of_f32, u32, f32, f32, bf16_bits((double)x) << 16 | bf16_bits((double)y))

/* ---- pack and unpack: the vector side's parts, least significant first */
#define PACK(name, D, P, parts, width)                                                                       \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        slot_##D *d = DESTINATION(D), result[SIMT_LANES];                                                    \
        FOR_LANES {                                                                                          \
            lane_##D whole = 0;                                                                              \
            for (int i = 0; i < (parts); i++)                                                                \
                whole |= (lane_##D)(lane_##P)SOURCE(P, i)[lane] << i * (width);                              \
            result[lane] = whole;                                                                            \
        }                                                                                                    \
        FOR_LANES d[lane] = result[lane];                                                                    \
    }
PACK(pack_2x32, u64, u32, 2, 32)
PACK(pack_4x16, u64, u16, 4, 16)
PACK(pack_2x16, u32, u16, 2, 16)
PACK(pack_4x8, u32, u8, 4, 8)
PACK(pack_2x8, u16, u8, 2, 8)

#define UNPACK(name, S, P, parts, width)                                                                     \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        lane_##S whole[SIMT_LANES];                                                                          \
        memcpy(whole, SOURCE(S, 0), sizeof whole);                                                           \
        for (int i = 0; i < (parts); i++) {                                                                  \
            if (operation->destination[i] == SIMT_NO_OPERAND)                                                \
                continue;                                                                                    \
            slot_##P *d = SLOT(P, operation->destination[i]);                                                \
            FOR_LANES d[lane] = (bits_##P)(whole[lane] >> i * (width));                                      \
        }                                                                                                    \
    }
UNPACK(unpack_2x32, u64, u32, 2, 32)
UNPACK(unpack_4x16, u64, u16, 4, 16)
UNPACK(unpack_2x16, u32, u16, 2, 16)
UNPACK(unpack_4x8, u32, u8, 4, 8)
UNPACK(unpack_2x8, u32, u8, 2, 8)

#define ROW_MOV(T, writes, handler)                                                                          \
    { PTX_MOV, T, 0, 0, 0, 0, writes, 0, FORMS(handler) }
/* A cvt row is for registers of the types' own widths; select.c sends wider registers elsewhere. */
#define ROW_CVT(T, S, rounding, writes, handler)                                                             \
    { PTX_CVT, T, S, 0, 0, rounding, writes, 0, FORMS(handler) }
#define ROWS_CVT(S, stem)                                                                                    \
    ROW_CVT(PTX_U16, S, 0, WRITES_32, stem##_to_u16), ROW_CVT(PTX_S16, S, 0, WRITES_32, stem##_to_u16),      \
        ROW_CVT(PTX_U32, S, 0, WRITES_32, stem##_to_32), ROW_CVT(PTX_S32, S, 0, WRITES_32, stem##_to_32),    \
        ROW_CVT(PTX_U64, S, 0, WRITES_64, stem##_to_64), ROW_CVT(PTX_S64, S, 0, WRITES_64, stem##_to_64)
#define ROW_ROUND(T, mode, flags, handler)                                                                   \
    { PTX_CVT, T, PTX_F32, 0, 0, mode, WRITES_32, flags, FORMS(handler) }
#define ROWS_ROUND(mode, name)                                                                               \
    ROW_ROUND(PTX_S32, mode, 0, s32_##name##_f32), ROW_ROUND(PTX_U32, mode, 0, u32_##name##_f32),            \
        ROW_ROUND(PTX_F32, mode, 0, f32_##name##_f32),                                                       \
        ROW_ROUND(PTX_S32, mode, PTX_FTZ, s32_##name##_ftz_f32),                                             \
        ROW_ROUND(PTX_U32, mode, PTX_FTZ, u32_##name##_ftz_f32),                                             \
        ROW_ROUND(PTX_F32, mode, PTX_FTZ, f32_##name##_ftz_f32)
#define ROW_PARTS(opcode, T, form, writes, handler)                                                          \
    { opcode, T, 0, form, 0, 0, writes, 0, handler, NULL }

static const struct compute_row rows[] = {
    ROW_MOV(PTX_B16, WRITES_32, copy_32),
    ROW_MOV(PTX_U16, WRITES_32, copy_32),
    ROW_MOV(PTX_S16, WRITES_32, copy_32),
    ROW_MOV(PTX_F16, WRITES_32, copy_32),
    ROW_MOV(PTX_BF16, WRITES_32, copy_32),
    ROW_MOV(PTX_B32, WRITES_32, copy_32),
    ROW_MOV(PTX_U32, WRITES_32, copy_32),
    ROW_MOV(PTX_S32, WRITES_32, copy_32),
    ROW_MOV(PTX_F32, WRITES_32, copy_32),
    ROW_MOV(PTX_F16X2, WRITES_32, copy_32),
    ROW_MOV(PTX_BF16X2, WRITES_32, copy_32),
    ROW_MOV(PTX_B64, WRITES_64, copy_64),
    ROW_MOV(PTX_U64, WRITES_64, copy_64),
    ROW_MOV(PTX_S64, WRITES_64, copy_64),
    ROW_MOV(PTX_F64, WRITES_64, copy_64),
    {PTX_MOV, PTX_PRED, 0, 0, 0, 0, WRITES_PREDICATES, 0, copy_predicate, NULL},
    ROWS_CVT(PTX_U8, u8),
    ROWS_CVT(PTX_S8, s8),
    ROWS_CVT(PTX_U16, u16),
    ROWS_CVT(PTX_S16, s16),
    ROWS_CVT(PTX_U32, u32),
    ROWS_CVT(PTX_S32, s32),
    ROWS_CVT(PTX_U64, u64),
    ROWS_CVT(PTX_S64, s64),
    ROWS_ROUND(PTX_RNI, rni),
    ROWS_ROUND(PTX_RZI, rzi),
    ROWS_ROUND(PTX_RMI, rmi),
    ROWS_ROUND(PTX_RPI, rpi),
    ROW_CVT(PTX_S32, PTX_F64, PTX_RZI, WRITES_32, s32_rzi_f64),
    ROW_CVT(PTX_F32, PTX_S32, PTX_RN, WRITES_32, f32_of_s32),
    ROW_CVT(PTX_F32, PTX_U32, PTX_RN, WRITES_32, f32_of_u32),
    ROW_CVT(PTX_F32, PTX_S16, PTX_RN, WRITES_32, f32_of_s16),
    ROW_CVT(PTX_F32, PTX_U16, PTX_RN, WRITES_32, f32_of_u16),
    ROW_CVT(PTX_F32, PTX_S8, PTX_RN, WRITES_32, f32_of_s8),
    ROW_CVT(PTX_F32, PTX_U8, PTX_RN, WRITES_32, f32_of_u8),
    ROW_CVT(PTX_F64, PTX_S32, PTX_RN, WRITES_64, f64_of_s32),
    ROW_CVT(PTX_F64, PTX_U32, PTX_RN, WRITES_64, f64_of_u32),
    ROW_CVT(PTX_F64, PTX_F32, COMPUTE_ANY, WRITES_64, f64_of_f32),
    ROW_CVT(PTX_F32, PTX_F64, PTX_RN, WRITES_32, f32_of_f64),
    ROW_CVT(PTX_F16, PTX_F32, PTX_RN, WRITES_32, f16_of_f32),
    ROW_CVT(PTX_BF16, PTX_F32, PTX_RN, WRITES_32, bf16_of_f32),
    ROW_CVT(PTX_F16X2, PTX_F32, PTX_RN, WRITES_32, f16x2_of_f32),
    ROW_CVT(PTX_BF16X2, PTX_F32, PTX_RN, WRITES_32, bf16x2_of_f32),
    ROW_CVT(PTX_F32, PTX_F16, 0, WRITES_32, f32_of_f16),
    ROW_CVT(PTX_F32, PTX_BF16, 0, WRITES_32, f32_of_bf16),
    ROW_CVT(PTX_U8, PTX_U16, 0, WRITES_32, cut_to_u8),
    ROW_CVT(PTX_U8, PTX_U32, 0, WRITES_32, cut_to_u8),
    ROW_CVT(PTX_U8, PTX_S32, 0, WRITES_32, cut_to_u8),
    ROW_CVT(PTX_S8, PTX_S16, 0, WRITES_32, cut_to_s8),
    ROW_CVT(PTX_S8, PTX_U32, 0, WRITES_32, cut_to_s8),
    ROW_CVT(PTX_S8, PTX_S32, 0, WRITES_32, cut_to_s8),
    {PTX_CVT, PTX_F32, PTX_F32, 0, 0, 0, WRITES_32, PTX_SAT, FORMS(f32_saturated)},
    /* For pack and unpack, form is the number of parts, which select.c fills in. */
    ROW_PARTS(PTX_PACK, PTX_B64, 2, WRITES_64, pack_2x32),
    ROW_PARTS(PTX_PACK, PTX_B64, 4, WRITES_64, pack_4x16),
    ROW_PARTS(PTX_PACK, PTX_B32, 2, WRITES_32, pack_2x16),
    ROW_PARTS(PTX_PACK, PTX_B32, 4, WRITES_32, pack_4x8),
    ROW_PARTS(PTX_PACK, PTX_B16, 2, WRITES_32, pack_2x8),
    ROW_PARTS(PTX_UNPACK, PTX_B64, 2, WRITES_PARTS_32, unpack_2x32),
    ROW_PARTS(PTX_UNPACK, PTX_B64, 4, WRITES_PARTS_32, unpack_4x16),
    ROW_PARTS(PTX_UNPACK, PTX_B32, 2, WRITES_PARTS_32, unpack_2x16),
    ROW_PARTS(PTX_UNPACK, PTX_B32, 4, WRITES_PARTS_32, unpack_4x8),
    ROW_PARTS(PTX_UNPACK, PTX_B16, 2, WRITES_PARTS_32, unpack_2x8),
};
COMPUTE_TABLE(convert, rows);

/* cvt within 64-bit registers of a source narrower than its register. */
static const struct compute_row wide_rows[] = {
    ROW_CVT(PTX_S64, PTX_S8, 0, WRITES_64, s8_in_64_to_64),
    ROW_CVT(PTX_S64, PTX_S16, 0, WRITES_64, s16_in_64_to_64),
    ROW_CVT(PTX_S64, PTX_S32, 0, WRITES_64, s32_in_64_to_64),
    ROW_CVT(PTX_U64, PTX_U8, 0, WRITES_64, u8_in_64_to_64),
    ROW_CVT(PTX_U64, PTX_U16, 0, WRITES_64, u16_in_64_to_64),
    ROW_CVT(PTX_U64, PTX_U32, 0, WRITES_64, u32_in_64_to_64),
};
COMPUTE_TABLE(convert_wide, wide_rows);

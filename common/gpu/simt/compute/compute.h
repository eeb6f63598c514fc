/* compute.h: how handlers that touch only registers and predicates are written and found. Private
 * to gpu/simt/compute/.
 *
 * For x86-64 each file is compiled three times, for the baseline, x86-64-v3 (AVX2, FMA) and
 * x86-64-v4 (AVX-512); SIMT_VARIANT names the copy. select.c picks one copy at decode time. On other
 * machines there is one copy, the baseline. All give the same bits.
 *
 * A handler computes its 32 results into a local array, then stores them. So a destination may be a
 * source, or overlap half of a wider source. The compiler unrolls both loops and keeps the array in
 * vector registers. */
#pragma once

#include "gpu/simt/operation.h"

#include <string.h>

/* What a handler writes. The masked form needs this to restore the lanes outside the mask. */
enum compute_writes {
    WRITES_32,           /* destination 0: 32 lanes of 32 bits */
    WRITES_64,           /* destination 0: 32 lanes of 64 bits */
    WRITES_PREDICATES,   /* destinations 0 and 1, where present, are predicates */
    WRITES_32_PREDICATE, /* destination 0: 32 bits; destination 1, where present: predicate */
    WRITES_32_CARRY,     /* destination 0 and the carry predicate */
    WRITES_64_CARRY,
    WRITES_PARTS_32, /* up to four destinations of 32 bits */
    WRITES_PARTS_64  /* up to four destinations of 64 bits */
};

/* One row of a handler table: the instruction that it serves, compared field by field. A
 * source_type of PTX_NOTYPE means "equal to type". Flags are compared under COMPUTE_FLAGS; an
 * instruction with a modifier in no row is refused. */
struct compute_row {
    uint16_t opcode;
    uint8_t type, source_type, form, compare, rounding;
    uint8_t writes; /* enum compute_writes */
    uint32_t flags;
    simt_handler handler, masked; /* masked NULL: the form in masked.c */
};

enum {
    COMPUTE_FLAGS = PTX_FTZ | PTX_SAT | PTX_APPROX | PTX_FULL | PTX_CARRY_OUT | PTX_NAN_PROPAGATE |
                    PTX_XORSIGN | PTX_ABS_RESULT | PTX_RELU | PTX_SHIFT_AMOUNT | PTX_SATFINITE |
                    PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND,
    COMPUTE_ANY = 255 /* in source_type, form, compare or rounding: the handler reads the field itself */
};

/* simt_select_compute with the copy that the caller chooses, for tests that compare copies. */
bool simt_select_compute_variant(const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operands, enum simt_variant variant,
                                 struct simt_operation *operation);

struct compute_table {
    const struct compute_row *rows;
    size_t count;
};

/* The tables of one copy, one per file. An earlier row wins. */
#define COMPUTE_GROUPS(X, variant)                                                                           \
    X(integer, variant)                                                                                      \
    X(wide, variant)                                                                                         \
    X(logic, variant)                                                                                        \
    X(compare, variant)                                                                                      \
    X(float, variant)                                                                                        \
    X(convert, variant)                                                                                      \
    X(double, variant)                                                                                       \
    X(bits, variant)                                                                                         \
    X(special, variant)                                                                                      \
    X(directed, variant)                                                                                     \
    X(half, variant)                                                                                         \
    X(set, variant)                                                                                          \
    X(lanes, variant)                                                                                        \
    X(matrix, variant)

#define COMPUTE_TABLE(group, array)                                                                          \
    extern const struct compute_table VARIANT(simt_compute_##group);                                         \
    const struct compute_table VARIANT(simt_compute_##group) = {array, sizeof(array) / sizeof(array)[0]}

/* ---- lane vectors */
#define UNUSED_HANDLER_ARGUMENTS ((void)operation, (void)registers, (void)predicates, (void)mask)

/* For each PTX type T: lane_T, the type for computing; bits_T, an unsigned integer of its width (or
 * the float itself); slot_T, the type in the register file. Conversion lane -> bits -> slot
 * zero-extends 8- and 16-bit values. */
#define LANE_TYPE(T, lane, bits, slot)                                                                       \
    typedef lane lane_##T;                                                                                   \
    typedef bits bits_##T;                                                                                   \
    typedef slot slot_##T __attribute__((may_alias));
LANE_TYPE(u8, uint8_t, uint8_t, uint32_t)
LANE_TYPE(s8, int8_t, uint8_t, uint32_t)
LANE_TYPE(u16, uint16_t, uint16_t, uint32_t)
LANE_TYPE(s16, int16_t, uint16_t, uint32_t)
LANE_TYPE(u32, uint32_t, uint32_t, uint32_t)
LANE_TYPE(s32, int32_t, uint32_t, uint32_t)
LANE_TYPE(u64, uint64_t, uint64_t, uint64_t)
LANE_TYPE(s64, int64_t, uint64_t, uint64_t)
LANE_TYPE(f32, float, float, float)
LANE_TYPE(f64, double, double, double)
#undef LANE_TYPE

#define SLOT(T, offset) ((slot_##T *)__builtin_assume_aligned(registers + (offset), 64))
#define SOURCE(T, index) ((const slot_##T *)SLOT(T, operation->source[index]))
#define DESTINATION(T) SLOT(T, operation->destination[0])
#define FOR_LANES for (int lane = 0; lane < SIMT_LANES; lane++)

/* Makes both forms of a handler from one body, which ends with STORE_LANES. Handlers written
 * without this macro have their masked form from masked.c. */
#define HANDLER_LANES(name)                                                                                  \
    static inline __attribute__((always_inline)) void name##_lanes(const struct simt_operation *operation,   \
                                                                   uint8_t *registers, uint32_t *predicates, \
                                                                   uint32_t mask, bool masked)
#ifndef COMPUTE_WITHOUT_MASKED
#define HANDLER_FORMS(name)                                                                                  \
    HANDLER(name) {                                                                                          \
        name##_lanes(operation, registers, predicates, mask, false);                                         \
    }                                                                                                        \
    HANDLER(name##_masked) {                                                                                 \
        name##_lanes(operation, registers, predicates, mask, true);                                          \
    }
#define FORMS(handler) handler, handler##_masked /* both forms, as a row needs them */
#else /* files of rarely used handlers define this: their masked form is in masked.c */
#define HANDLER_FORMS(name)                                                                                  \
    HANDLER(name) {                                                                                          \
        name##_lanes(operation, registers, predicates, mask, false);                                         \
    }
#define FORMS(handler) handler, NULL
#endif
#define STORE_LANES(T, d, result)                                                                            \
    if (masked) {                                                                                            \
        FOR_LANES {                                                                                          \
            slot_##T now = (result)[lane], before = (d)[lane];                                               \
            (d)[lane] = (mask & 1u << lane) ? now : before;                                                  \
        }                                                                                                    \
    } else {                                                                                                 \
        FOR_LANES(d)[lane] = (result)[lane];                                                                 \
    }

/* Handlers of one to three sources of type S and a result of type D, by an expression of x, y,
 * z. */
#define UNARY(name, D, S, expression)                                                                        \
    HANDLER_LANES(name) {                                                                                    \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##S *a = SOURCE(S, 0);                                                                    \
        slot_##D *d = DESTINATION(D), result[SIMT_LANES];                                                    \
        FOR_LANES {                                                                                          \
            lane_##S x = (lane_##S)a[lane];                                                                  \
            result[lane] = (bits_##D)(expression);                                                           \
        }                                                                                                    \
        STORE_LANES(D, d, result)                                                                            \
    }                                                                                                        \
    HANDLER_FORMS(name)
#define BINARY(name, D, S, S1, expression)                                                                   \
    HANDLER_LANES(name) {                                                                                    \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##S *a = SOURCE(S, 0);                                                                    \
        const slot_##S1 *b = SOURCE(S1, 1);                                                                  \
        slot_##D *d = DESTINATION(D), result[SIMT_LANES];                                                    \
        FOR_LANES {                                                                                          \
            lane_##S x = (lane_##S)a[lane];                                                                  \
            lane_##S1 y = (lane_##S1)b[lane];                                                                \
            result[lane] = (bits_##D)(expression);                                                           \
        }                                                                                                    \
        STORE_LANES(D, d, result)                                                                            \
    }                                                                                                        \
    HANDLER_FORMS(name)
#define TERNARY(name, D, S, S1, S2, expression)                                                              \
    HANDLER_LANES(name) {                                                                                    \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##S *a = SOURCE(S, 0);                                                                    \
        const slot_##S1 *b = SOURCE(S1, 1);                                                                  \
        const slot_##S2 *c = SOURCE(S2, 2);                                                                  \
        slot_##D *d = DESTINATION(D), result[SIMT_LANES];                                                    \
        FOR_LANES {                                                                                          \
            lane_##S x = (lane_##S)a[lane];                                                                  \
            lane_##S1 y = (lane_##S1)b[lane];                                                                \
            lane_##S2 z = (lane_##S2)c[lane];                                                                \
            result[lane] = (bits_##D)(expression);                                                           \
        }                                                                                                    \
        STORE_LANES(D, d, result)                                                                            \
    }                                                                                                        \
    HANDLER_FORMS(name)

/* Predicate source i as a mask, with "!p" resolved. */
static inline uint32_t predicate_source(const struct simt_operation *operation, const uint32_t *predicates,
                                        int index) {
    uint32_t value = predicates[operation->source[index]];
    return (operation->negated >> index & 1) ? ~value : value;
}

/* Packs flags: bit i of the result is lane i's flag, which is 0 or all ones. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
static inline uint32_t lane_bits(const int32_t *flags) {
    return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(flags)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(flags + 16)) << 16;
}
#elif defined(__AVX2__)
#include <immintrin.h>
static inline uint32_t lane_bits(const int32_t *flags) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)flags + 8 * i)) << 8 * i;
    return bits;
}
#elif !defined(__SSE2__)
static inline uint32_t lane_bits(const int32_t *flags) {
    uint32_t bits = 0;
    for (int lane = 0; lane < SIMT_LANES; lane++)
        bits |= (uint32_t)flags[lane] & (uint32_t)1 << lane;
    return bits;
}
#else
#include <emmintrin.h>
static inline uint32_t lane_bits(const int32_t *flags) {
    uint32_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_loadu_ps((const float *)flags + 4 * i)) << 4 * i;
    return bits;
}
#endif

/* ---- float bits */
static inline uint32_t f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline float f32_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* A single-precision NaN result has one bit pattern on the GPU: 0x7fffffff. */
static inline float f32_canonical(float value) {
    return value == value ? value : f32_of(0x7fffffff);
}
/* A double-precision NaN operand is returned, quiet and with its sign; a NaN that the operation
 * makes is 0xfff8000000000000. Of several, the one named last is returned (recorded). */
static inline double f64_canonical(double value) {
    return value == value ? value : f64_of((uint64_t)0xfff8 << 48);
}
static inline double f64_keep_nan(double operand, double value) {
    return operand == operand ? value : f64_of(f64_bits(operand) | (uint64_t)1 << 51);
}
/* .ftz: a denormal becomes a zero of the same sign. */
static inline float f32_flush(float value) {
    uint32_t bits = f32_bits(value);
    return f32_of((bits & 0x7f800000) ? bits : bits & 0x80000000);
}
/* .sat: clamps to [0, 1]; NaN and -0 become +0. */
static inline float f32_saturate(float value) {
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}
static inline double f64_saturate(double value) {
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

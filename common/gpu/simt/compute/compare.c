/* compare.c: setp, selp, slct; set and half-precision setp are in set.c. PTX ISA 9.7.6, 9.7.7. */
#include "gpu/simt/compute/compute.h"

/* A mask of the lanes in which the condition (of x and y) holds. `load` flushes an operand's
 * denormals, or does nothing. */
#define COMPARE(name, T, load, condition)                                                                    \
    static inline uint32_t bits_##name(const struct simt_operation *operation, uint8_t *registers) {         \
        const slot_##T *a = SOURCE(T, 0), *b = SOURCE(T, 1);                                                 \
        int32_t flags[SIMT_LANES];                                                                           \
        FOR_LANES {                                                                                          \
            lane_##T x = load((lane_##T)a[lane]), y = load((lane_##T)b[lane]);                               \
            flags[lane] = (condition) ? -1 : 0;                                                              \
        }                                                                                                    \
        return lane_bits(flags);                                                                             \
    }                                                                                                        \
    HANDLER(setp_##name) {                                                                                   \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        predicates[operation->destination[0]] = bits_##name(operation, registers);                           \
    }                                                                                                        \
    HANDLER(combine_##name) {                                                                                \
        (void)mask;                                                                                          \
        combine(operation, predicates, bits_##name(operation, registers));                                   \
    }

/* p = comparison op c, q = !comparison op c; either may be "_". Without a third source, p and q are
 * the comparison. */
static void combine(const struct simt_operation *operation, uint32_t *predicates, uint32_t bits) {
    const struct ptx_instruction *instruction = operation->instruction;
    uint32_t p = bits, q = ~bits;
    if (instruction->sources > 2) {
        uint32_t c = predicate_source(operation, predicates, 2);
        switch (instruction->form) {
        case PTX_BOOL_AND: p &= c, q &= c; break;
        case PTX_BOOL_OR: p |= c, q |= c; break;
        default: p ^= c, q ^= c; break;
        }
    }
    if (operation->destination[0] != SIMT_NO_OPERAND)
        predicates[operation->destination[0]] = p;
    if (instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND)
        predicates[operation->destination[1]] = q;
}

#define AS_IS(value) (value)
#define COMPARE_INTEGER(T)                                                                                   \
    COMPARE(eq_##T, T, AS_IS, x == y)                                                                        \
    COMPARE(ne_##T, T, AS_IS, x != y)                                                                        \
    COMPARE(lt_##T, T, AS_IS, x < y)                                                                         \
    COMPARE(le_##T, T, AS_IS, x <= y)                                                                        \
    COMPARE(gt_##T, T, AS_IS, x > y)                                                                         \
    COMPARE(ge_##T, T, AS_IS, x >= y)
COMPARE_INTEGER(u16)
COMPARE_INTEGER(s16)
COMPARE_INTEGER(u32)
COMPARE_INTEGER(s32)
COMPARE_INTEGER(u64)
COMPARE_INTEGER(s64)

/* With a NaN operand ordered comparisons, ne included, are false, unordered (U) ones true. */
#define COMPARE_FLOAT(name, T, load)                                                                         \
    COMPARE(eq_##name, T, load, x == y)                                                                      \
    COMPARE(ne_##name, T, load, (x < y || x > y))                                                            \
    COMPARE(lt_##name, T, load, x < y)                                                                       \
    COMPARE(le_##name, T, load, x <= y)                                                                      \
    COMPARE(gt_##name, T, load, x > y)                                                                       \
    COMPARE(ge_##name, T, load, x >= y)                                                                      \
    COMPARE(equ_##name, T, load, !(x < y || x > y))                                                          \
    COMPARE(neu_##name, T, load, x != y)                                                                     \
    COMPARE(ltu_##name, T, load, !(x >= y))                                                                  \
    COMPARE(leu_##name, T, load, !(x > y))                                                                   \
    COMPARE(gtu_##name, T, load, !(x <= y))                                                                  \
    COMPARE(geu_##name, T, load, !(x < y))                                                                   \
    COMPARE(num_##name, T, load, x == x && y == y)                                                           \
    COMPARE(nan_##name, T, load, x != x || y != y)
COMPARE_FLOAT(f32, f32, AS_IS)
COMPARE_FLOAT(f32_ftz, f32, f32_flush)
COMPARE_FLOAT(f64, f64, AS_IS)

/* selp: sources a, b, predicate. */
#define SELECT(name, T)                                                                                      \
    HANDLER_LANES(name) {                                                                                    \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const slot_##T *a = SOURCE(T, 0), *b = SOURCE(T, 1);                                                 \
        slot_##T *d = DESTINATION(T), result[SIMT_LANES];                                                    \
        uint32_t choose = predicate_source(operation, predicates, 2);                                        \
        FOR_LANES {                                                                                          \
            slot_##T x = a[lane], y = b[lane];                                                               \
            result[lane] = (choose & 1u << lane) ? x : y;                                                    \
        }                                                                                                    \
        STORE_LANES(T, d, result)                                                                            \
    }                                                                                                        \
    HANDLER_FORMS(name)
SELECT(selp_32, u32)
SELECT(selp_64, u64)

/* slct: a where c >= 0, else b. A NaN selects b; -0 counts as zero. */
TERNARY(slct_32_s32, u32, u32, u32, s32, z >= 0 ? x : y)
TERNARY(slct_64_s32, u64, u64, u64, s32, z >= 0 ? x : y)
TERNARY(slct_32_f32, u32, u32, u32, f32, z >= 0.0f ? x : y)
TERNARY(slct_64_f32, u64, u64, u64, f32, z >= 0.0f ? x : y)
TERNARY(slct_32_f32_ftz, u32, u32, u32, f32, f32_flush(z) >= 0.0f ? x : y)
TERNARY(slct_64_f32_ftz, u64, u64, u64, f32, f32_flush(z) >= 0.0f ? x : y)

#define ROW_SETP(T, compare, flags, name)                                                                    \
    {PTX_SETP, T, 0, 0, compare, 0, WRITES_PREDICATES, flags, setp_##name, NULL}, {                          \
        PTX_SETP, T, 0, COMPUTE_ANY, compare, 0, WRITES_PREDICATES, flags, combine_##name, NULL              \
    }
#define ROWS_EQUALITY(T, name) ROW_SETP(T, PTX_EQ, 0, eq_##name), ROW_SETP(T, PTX_NE, 0, ne_##name)
#define ROWS_INTEGER(T, name)                                                                                \
    ROWS_EQUALITY(T, name), ROW_SETP(T, PTX_LT, 0, lt_##name), ROW_SETP(T, PTX_LE, 0, le_##name),            \
        ROW_SETP(T, PTX_GT, 0, gt_##name), ROW_SETP(T, PTX_GE, 0, ge_##name)
#define ROWS_FLOAT(T, flags, name)                                                                           \
    ROW_SETP(T, PTX_EQ, flags, eq_##name), ROW_SETP(T, PTX_NE, flags, ne_##name),                            \
        ROW_SETP(T, PTX_LT, flags, lt_##name), ROW_SETP(T, PTX_LE, flags, le_##name),                        \
        ROW_SETP(T, PTX_GT, flags, gt_##name), ROW_SETP(T, PTX_GE, flags, ge_##name),                        \
        ROW_SETP(T, PTX_EQU, flags, equ_##name), ROW_SETP(T, PTX_NEU, flags, neu_##name),                    \
        ROW_SETP(T, PTX_LTU, flags, ltu_##name), ROW_SETP(T, PTX_LEU, flags, leu_##name),                    \
        ROW_SETP(T, PTX_GTU, flags, gtu_##name), ROW_SETP(T, PTX_GEU, flags, geu_##name),                    \
        ROW_SETP(T, PTX_NUM, flags, num_##name), ROW_SETP(T, PTX_NAN, flags, nan_##name)
#define ROW_SELP(T, writes, handler)                                                                         \
    { PTX_SELP, T, 0, 0, 0, 0, writes, 0, FORMS(handler) }
#define ROW_SLCT(T, S, writes, flags, handler)                                                               \
    { PTX_SLCT, T, S, 0, 0, 0, writes, flags, FORMS(handler) }
#define ROWS_SLCT(T, writes, width)                                                                          \
    ROW_SLCT(T, PTX_S32, writes, 0, slct_##width##_s32),                                                     \
        ROW_SLCT(T, PTX_F32, writes, 0, slct_##width##_f32),                                                 \
        ROW_SLCT(T, PTX_F32, writes, PTX_FTZ, slct_##width##_f32_ftz)

static const struct compute_row rows[] = {
    ROWS_INTEGER(PTX_S32, s32),
    ROWS_INTEGER(PTX_U32, u32),
    ROWS_INTEGER(PTX_S64, s64),
    ROWS_INTEGER(PTX_U64, u64),
    ROWS_INTEGER(PTX_S16, s16),
    ROWS_INTEGER(PTX_U16, u16),
    ROWS_EQUALITY(PTX_B16, u16),
    ROWS_EQUALITY(PTX_B32, u32),
    ROWS_EQUALITY(PTX_B64, u64),
    ROWS_FLOAT(PTX_F32, 0, f32),
    ROWS_FLOAT(PTX_F32, PTX_FTZ, f32_ftz),
    ROWS_FLOAT(PTX_F64, 0, f64),
    ROW_SELP(PTX_B16, WRITES_32, selp_32),
    ROW_SELP(PTX_U16, WRITES_32, selp_32),
    ROW_SELP(PTX_S16, WRITES_32, selp_32),
    ROW_SELP(PTX_B32, WRITES_32, selp_32),
    ROW_SELP(PTX_U32, WRITES_32, selp_32),
    ROW_SELP(PTX_S32, WRITES_32, selp_32),
    ROW_SELP(PTX_F32, WRITES_32, selp_32),
    ROW_SELP(PTX_B64, WRITES_64, selp_64),
    ROW_SELP(PTX_U64, WRITES_64, selp_64),
    ROW_SELP(PTX_S64, WRITES_64, selp_64),
    ROW_SELP(PTX_F64, WRITES_64, selp_64),
    ROW_SELP(PTX_F16, WRITES_32, selp_32),
    ROWS_SLCT(PTX_B16, WRITES_32, 32),
    ROWS_SLCT(PTX_U16, WRITES_32, 32),
    ROWS_SLCT(PTX_S16, WRITES_32, 32),
    ROWS_SLCT(PTX_B32, WRITES_32, 32),
    ROWS_SLCT(PTX_U32, WRITES_32, 32),
    ROWS_SLCT(PTX_S32, WRITES_32, 32),
    ROWS_SLCT(PTX_F32, WRITES_32, 32),
    ROWS_SLCT(PTX_B64, WRITES_64, 64),
    ROWS_SLCT(PTX_U64, WRITES_64, 64),
    ROWS_SLCT(PTX_S64, WRITES_64, 64),
    ROWS_SLCT(PTX_F64, WRITES_64, 64),
};
COMPUTE_TABLE(compare, rows);

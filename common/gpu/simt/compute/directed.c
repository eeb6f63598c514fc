/* directed.c: single and double precision rounded towards zero, down or up (.rz, .rm, .rp), through
 * the host's rounding mode. The empty volatile asm statements pin each operation between the two
 * changes of mode. The compiler may not move volatile asm across calls. It may not move an
 * operation across the asm of its operands or result. */
#include "gpu/simt/compute/compute.h"

#include <fenv.h>

/* The letter means a floating-point register. */
#ifdef __aarch64__
#define PIN(value) __asm__ volatile("" : "+w"(value))
#else
#define PIN(value) __asm__ volatile("" : "+x"(value))
#endif

static int host_mode(uint8_t rounding) {
    switch (rounding) {
    case PTX_RZ: return FE_TOWARDZERO;
    case PTX_RM: return FE_DOWNWARD;
    case PTX_RP: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

/* Computes one lane under the current mode. fma_call is the C library's, which obeys the mode where
 * there is no FMA. */
#define DIRECTED(name, T, sqrt_builtin, fma_builtin, prepare, finish)                                        \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        const struct ptx_instruction *instruction = operation->instruction;                                  \
        lane_##T in[3][SIMT_LANES] = {{0}}, result[SIMT_LANES];                                              \
        for (int i = 0; i < instruction->sources; i++)                                                       \
            for (int lane = 0; lane < SIMT_LANES; lane++)                                                    \
                in[i][lane] = prepare(SOURCE(T, i)[lane]);                                                   \
        fesetround(host_mode(instruction->rounding));                                                        \
        FOR_LANES {                                                                                          \
            lane_##T x = in[0][lane], y = in[1][lane], z = in[2][lane], value;                               \
            PIN(x);                                                                                          \
            PIN(y);                                                                                          \
            PIN(z);                                                                                          \
            switch (instruction->opcode) {                                                                   \
            case PTX_ADD: value = x + y; break;                                                              \
            case PTX_SUB: value = x - y; break;                                                              \
            case PTX_MUL: value = x * y; break;                                                              \
            case PTX_DIV: value = x / y; break;                                                              \
            case PTX_RCP: value = 1 / x; break;                                                              \
            case PTX_SQRT: value = sqrt_builtin(x); break;                                                   \
            default: value = fma_builtin(x, y, z); break; /* fma, mad */                                     \
            }                                                                                                \
            PIN(value);                                                                                      \
            result[lane] = value;                                                                            \
        }                                                                                                    \
        fesetround(FE_TONEAREST);                                                                            \
        slot_##T *d = DESTINATION(T);                                                                        \
        FOR_LANES d[lane] = finish(result[lane]);                                                            \
    }
#define AS_IS(value) (value)
#define FLUSH_CANONICAL(value) f32_canonical(f32_flush(value))
#define FLUSH_SATURATE(value) f32_saturate(f32_flush(value))
DIRECTED(directed_f32, f32, __builtin_sqrtf, __builtin_fmaf, AS_IS, f32_canonical)
DIRECTED(directed_sat_f32, f32, __builtin_sqrtf, __builtin_fmaf, AS_IS, f32_saturate)
DIRECTED(directed_ftz_f32, f32, __builtin_sqrtf, __builtin_fmaf, f32_flush, FLUSH_CANONICAL)
DIRECTED(directed_ftz_sat_f32, f32, __builtin_sqrtf, __builtin_fmaf, f32_flush, FLUSH_SATURATE)
DIRECTED(directed_made_f64, f64, __builtin_sqrt, __builtin_fma, AS_IS, f64_canonical)

/* Returns a NaN operand in the order of double.c. */
HANDLER(directed_f64) {
    const struct ptx_instruction *instruction = operation->instruction;
    static const uint8_t orders[][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}};
    const uint8_t *order = orders[instruction->opcode == PTX_DIV ? 1 : instruction->sources == 3 ? 2 : 0];
    lane_f64 in[3][SIMT_LANES];
    for (int i = 0; i < instruction->sources; i++)
        memcpy(in[i], SOURCE(f64, i), sizeof in[i]);
    directed_made_f64(operation, registers, predicates, mask);
    slot_f64 *d = DESTINATION(f64);
    for (int i = 0; i < 3; i++)
        if (order[i] < instruction->sources)
            FOR_LANES d[lane] = f64_keep_nan(in[order[i]][lane], d[lane]);
}

#define ROW(opcode, T, rounding, writes, flags, handler)                                                     \
    { opcode, T, 0, 0, 0, rounding, writes, flags, handler, NULL }
#define ROWS(opcode, mode)                                                                                   \
    ROW(opcode, PTX_F32, mode, WRITES_32, 0, directed_f32),                                                  \
        ROW(opcode, PTX_F32, mode, WRITES_32, PTX_FTZ, directed_ftz_f32),                                    \
        ROW(opcode, PTX_F64, mode, WRITES_64, 0, directed_f64)
#define ROWS_SAT(opcode, mode)                                                                               \
    ROWS(opcode, mode), ROW(opcode, PTX_F32, mode, WRITES_32, PTX_SAT, directed_sat_f32),                    \
        ROW(opcode, PTX_F32, mode, WRITES_32, PTX_FTZ | PTX_SAT, directed_ftz_sat_f32)
#define ROWS_MODES(rows, opcode) rows(opcode, PTX_RZ), rows(opcode, PTX_RM), rows(opcode, PTX_RP)
static const struct compute_row rows[] = {
    ROWS_MODES(ROWS_SAT, PTX_ADD), ROWS_MODES(ROWS_SAT, PTX_SUB), ROWS_MODES(ROWS_SAT, PTX_MUL),
    ROWS_MODES(ROWS_SAT, PTX_FMA), ROWS_MODES(ROWS_SAT, PTX_MAD), ROWS_MODES(ROWS, PTX_DIV),
    ROWS_MODES(ROWS, PTX_RCP),     ROWS_MODES(ROWS, PTX_SQRT),
};
COMPUTE_TABLE(directed, rows);

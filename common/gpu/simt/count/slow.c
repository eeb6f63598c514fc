/* slow.c: finds unusual operands of divisions and roots, warp by warp. The rule was measured on an
 * H200 (CUDA 13.0), with a warp of one lane for each pair of exponents. The routine takes 200 to
 * 400 cycles, the short path 90 to 150. Mantissas do not matter. */
#include "gpu/simt/count/count.h"

#include <string.h>

bool simt_slow_has_path(const struct ptx_instruction *instruction) {
    bool opcode =
        instruction->opcode == PTX_DIV || instruction->opcode == PTX_RCP || instruction->opcode == PTX_SQRT;
    bool type = instruction->type == PTX_F32 || instruction->type == PTX_F64;
    return opcode && type && instruction->rounding == PTX_RN;
}

/* ---- single precision. Exponents are as encoded, but 1 for 0. */

static uint32_t exponent_f32(uint32_t bits) {
    return bits >> 23 & 255;
}

static bool is_slow_division_f32(uint32_t dividend, uint32_t divisor) {
    int32_t a = (int32_t)exponent_f32(dividend), b = (int32_t)exponent_f32(divisor);
    return (a < 25) | (a > 254) | (b < 2) | (b > 251) | (b > a + 124) | (b < a - 126);
}

static bool is_slow_reciprocal_f32(uint32_t bits) {
    uint32_t e = exponent_f32(bits);
    return (e < 1) | (e > 252);
}

static bool is_slow_root_f32(uint32_t bits) {
    uint32_t e = bits >> 23; /* a negative number counts as a large exponent */
    return (e < 26) | (e > 254);
}

static uint32_t slow_f32(const struct ptx_instruction *instruction, const uint8_t *left,
                         const uint8_t *right) {
    uint32_t x[SIMT_LANES], y[SIMT_LANES], lanes = 0;
    memcpy(x, left, sizeof x);
    if (instruction->opcode == PTX_DIV)
        memcpy(y, right, sizeof y);
    for (uint32_t i = 0; i < SIMT_LANES; i++) {
        bool slow = instruction->opcode == PTX_DIV   ? is_slow_division_f32(x[i], y[i])
                    : instruction->opcode == PTX_RCP ? is_slow_reciprocal_f32(x[i])
                                                     : is_slow_root_f32(x[i]);
        lanes |= (uint32_t)slow << i;
    }
    return lanes;
}

/* ---- double precision */

static bool is_slow_f64(enum ptx_opcode opcode, uint64_t x, uint64_t y) {
    int32_t a = (int32_t)(x >> 52 & 2047), b = (int32_t)(y >> 52 & 2047);
    if (opcode == PTX_RCP)
        return (a < 1) | (a > 2044);
    if (opcode == PTX_SQRT)
        return (a < 53) | (a > 2046) | (x >> 63 != 0);
    /* The last two: the quotient's exponent is outside 1 to 2039. */
    return (a < 54) | (b < 1) | (b > 2039) | (b > a + 1022) | (b < a - 1016);
}

static uint32_t slow_f64(const struct ptx_instruction *instruction, const uint8_t *left,
                         const uint8_t *right) {
    uint64_t x[SIMT_LANES], y[SIMT_LANES];
    uint32_t lanes = 0;
    memcpy(x, left, sizeof x);
    memcpy(y, instruction->opcode == PTX_DIV ? right : left, sizeof y);
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        lanes |= (uint32_t)is_slow_f64((enum ptx_opcode)instruction->opcode, x[i], y[i]) << i;
    return lanes;
}

uint32_t simt_slow_lanes(const struct simt_operation *operation, const uint8_t *registers, uint32_t mask) {
    const struct ptx_instruction *instruction = operation->instruction;
    const uint8_t *left = registers + operation->source[0];
    const uint8_t *right = instruction->opcode == PTX_DIV ? registers + operation->source[1] : left;
    return mask & (instruction->type == PTX_F32 ? slow_f32(instruction, left, right)
                                                : slow_f64(instruction, left, right));
}

/* support_compute.h: runs one register instruction in every way that the simulator has. */
#pragma once

#include "gpu/simt/operation.h"

#include "base/test.h"
// clang-format off
// clang-format on

/* A lane's value, registers in the low bits, predicates as 0 or 1. */
typedef uint64_t lanes[SIMT_LANES];

struct outcome {
    lanes d[4];
};

/* Runs `instruction` on source[0..]. shape: a letter for each operand: destinations, a colon,
 * sources. 2, 4, 8: a register of that many bytes; p: a predicate; !: a negated predicate source;
 * _: the sink. Runs every copy of the handler for this host, full and masked, with a destination
 * that overlaps no source, each source, and half of it. Fails unless all results are the same bits,
 * and the masked form leaves the other lanes alone. */
void compute_run(const char *shape, struct ptx_instruction instruction, lanes *source,
                 struct outcome *outcome);
/* As compute_run for the lanes of `mask`; the other lanes of outcome keep their 0. */
void compute_run_mask(const char *shape, struct ptx_instruction instruction, lanes *source, uint32_t mask,
                      struct outcome *outcome);
bool compute_refuses(const char *shape, struct ptx_instruction instruction);

/* One set of operands in every lane. */
uint64_t compute_one(const char *shape, struct ptx_instruction instruction, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d);

/* A fixed sequence of 64-bit values with edge cases (zeros, ones, limits, float specials). */
uint64_t random_bits(void);
uint64_t random_operand(int bytes);
uint64_t random_float(int bytes);

uint32_t bits_of_float(float value);
float float_of_bits(uint32_t bits);
uint64_t bits_of_double(double value);
double double_of_bits(uint64_t bits);

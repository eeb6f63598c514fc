/*
 * slow.h: divisions and roots that leave the short way. ptxas makes of each a few instructions that are right for usual operands,
 * a test, and a routine that is called where any thread of the warp has others. How often it is called decides what the
 * machine code beside the PTX executes. Private to simt/.
 */
#ifndef SIMT_SLOW_H
#define SIMT_SLOW_H

#include "gpu/simt/operation.h"

/* Whether the instruction has such a routine: div, rcp and sqrt of f32 and f64 that round to the nearest. */
bool simt_slow_has_way(const struct ptx_instruction *instruction);
/* Of the lanes of `mask`, those that go there. The operation is such an instruction's, without its guard. */
uint32_t simt_slow_lanes(const struct simt_operation *operation, const uint8_t *registers, uint32_t mask);

#endif

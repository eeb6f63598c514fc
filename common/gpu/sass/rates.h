/*
 * rates.h: what an SM sub-partition (a quarter of an SM, one scheduler) takes of each kind of instruction: the cycles between two warp
 * instructions of a pipe. As published; what is measured on a chip stands in its model file.
 */
#ifndef SASS_RATES_H
#define SASS_RATES_H

#include "gpu/sass/instruction.h"

/* Cycles of its pipe that one warp instruction takes, in a sub-partition: 32 lanes over the lanes that the pipe has there. 0: no rate is
 * published for this pipe on this architecture. */
uint32_t sass_issue_interval(uint32_t architecture, enum sass_pipe pipe);

#endif

/* loop_trips.h: how often the warps of a launch went round a loop, as sums over its entries. A
 * compiler may unroll the loop: k trips at a time, and a remainder loop. The executions of each
 * copy of the body follow from these sums. Threads of a warp may leave at different times; T is the
 * number of trips of the last one. */
#pragma once

#include <stdint.h>

enum { LOOP_POWERS = 7 }; /* k = 1, 2, 4, ..., 64; the index is log2 k */

/* Sums over all entries of a loop. */
struct loop_trips {
    uint64_t entries;
    uint64_t whole[LOOP_POWERS];      /* trips of the unrolled loop: T / k, rounded down */
    uint64_t some[LOOP_POWERS];       /* entries of the unrolled loop: 1 if T / k is not 0 */
    uint64_t leave[LOOP_POWERS];      /* different trips of the unrolled loop after which threads leave it */
    uint64_t rest[LOOP_POWERS];       /* trips of the remainder loop: the largest T % k of any thread */
    uint64_t some_rest[LOOP_POWERS];  /* entries of the remainder loop: 1 if `rest` is not 0 */
    uint64_t leave_rest[LOOP_POWERS]; /* different trips of the remainder loop after which threads leave it */
    uint64_t digit[LOOP_POWERS];      /* 1 if some thread's trips, in binary, have the digit of k */
};

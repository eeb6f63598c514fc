/*
 * loop_trips.h: how many trips the warps of a launch made round a loop, each time that they entered it, as sums from which
 * follows how often each copy of the loop's body runs when a compiler unrolls it: k trips at a time, and the rest, what
 * that leaves over, in other ways. Threads of a warp may leave at different times; T: the trips of the last.
 */
#ifndef BASE_LOOP_TRIPS_H
#define BASE_LOOP_TRIPS_H

#include <stdint.h>

enum { LOOP_POWERS = 7 }; /* k = 1, 2, 4, ..., 64: the index is its logarithm */

/* Sums over all entries of a loop. */
struct loop_trips {
    uint64_t entries;
    uint64_t whole[LOOP_POWERS];     /* T / k, rounded down */
    uint64_t some[LOOP_POWERS];      /* 1 where that is not 0: a loop of k copies is entered */
    uint64_t leave[LOOP_POWERS];     /* after how many different trips of k threads leave that loop */
    uint64_t rest[LOOP_POWERS];      /* the most that any thread's trips leave over, divided by k */
    uint64_t some_rest[LOOP_POWERS]; /* 1 where that is not 0 */
    uint64_t leave_rest
        [LOOP_POWERS]; /* after how many different trips threads leave a loop of what is left over */
    uint64_t digit[LOOP_POWERS]; /* 1 where a thread's trips, as a binary number, have the digit of k */
};

#endif

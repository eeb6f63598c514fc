/* loops.h: branches that keep a warp in a loop or let it out, and the number of trips. Private
 * to gpu/time/. */
#ifndef TIME_LOOPS_H
#define TIME_LOOPS_H

#include "gpu/time/code.h"

/* The loop that a block's last instruction stays in or leaves. */
struct loop {
    uint32_t head, last; /* first and last block, in the code's order */
    /* of a warp until this branch ends the loop, on average; INFINITY: it never does; 0: no such
     * branch */
    double trips;
    double ends; /* executions by which a warp leaves the loop */
    double room; /* further executions by which some of its threads leave */
};

/* loops[b]: of block b. */
void loops_find(const struct gpu_code *code, struct loop *loops);
/* Whether two branches are of the same loop. */
static inline bool loops_same(const struct loop *a, const struct loop *b) {
    return a->trips > 0 && b->trips > 0 && a->head == b->head && a->last == b->last;
}
static inline bool loops_holds(const struct loop *loop, uint32_t block) {
    return block >= loop->head && block <= loop->last;
}
/* Whether a loop is long enough to be shortened, and inside no other such loop. */
bool loops_is_outer(const struct gpu_code *code, const struct loop *loops, const struct loop *loop);
/* Instructions of a warp, on average, when long outer loops make only a part of their trips. */
double loops_shortened(const struct gpu_code *code, const struct loop *loops, double part);

#endif

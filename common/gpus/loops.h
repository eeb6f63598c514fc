/*
 * loops.h: the branches that keep a warp in a loop or let it out, and after how many trips. Private to gpus/.
 */
#ifndef GPUS_LOOPS_H
#define GPUS_LOOPS_H

#include "gpus/code.h"

/* The loop that a block's last instruction stays in or leaves. */
struct loop {
    uint32_t head, last; /* its first and last block, by place */
    double
        trips; /* of a warp, as far as this branch ends them, on average; INFINITY: it never does; 0: it is no such branch */
    double ends,
        room; /* of the branch's runs: a warp's last ones; how many more let out some of its threads */
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
/* A loop long enough to be made shorter, and in no other such. */
bool loops_is_outer(const struct gpu_code *code, const struct loop *loops, const struct loop *loop);
/* Instructions that a warp executes, on average, when long outer loops make only a part of their trips. */
double loops_shortened(const struct gpu_code *code, const struct loop *loops, double part);

#endif

/*
 * paths.h: divergence and reconvergence of a warp. Private to simt/.
 *
 * Threads that go together are a path. When a branch splits a path at an instruction whose immediate post-dominator
 * is R, both sides become paths that wait at a join at R; when all threads the join expects have arrived (or exited),
 * they go on as one path. A call is a join too: at the instruction after it, reached by `ret`.
 */
#ifndef SIMT_PATHS_H
#define SIMT_PATHS_H

#include "base/round.h"
#include "gpu/simt/control/warp.h"

#include <string.h>

/* The path list of a warp. An index or pointer is good until the next call that adds or removes one. */
struct path *simt_path_add(struct warp *warp, const struct path *path);
void simt_path_remove(struct warp *warp, uint32_t index);

/* A new place to meet; its index. Out of memory does not return. */
int32_t simt_join_add(struct worker *worker, struct warp *warp, const struct join *join);
/* Threads have come to a join: once all it expects are there they go on as one path. */
void simt_join_arrive(struct warp *warp, int32_t index, uint32_t mask);
/* These threads will not come. */
void simt_join_leave(struct warp *warp, int32_t index, uint32_t mask);
/* Those that are there go on, without the rest. */
void simt_join_go_on(struct warp *warp, int32_t index);

/* Whether a path has reached the place where it meets others. */
static inline bool path_at_join(const struct warp *warp, const struct path *path) {
    if (path->join < 0)
        return false;
    const struct join *join = &warp->joins[path->join];
    return join->call == NULL && join->pc == path->pc && join->depth == path->depth;
}

/* The threads of a path that take a branch go to `target`, the rest to `other`, until they meet at `reconverge`.
 * Paths are rearranged. */
void simt_path_diverge(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t taken,
                       uint32_t target, uint32_t other, uint32_t reconverge);
/* brx: the first thread's target now; threads that want another stay at the branch. True: there are none, and the path goes
 * on. */
bool simt_path_branch_indexed(struct worker *worker, struct warp *warp, uint32_t path_index,
                              const struct ptx_instruction *instruction, const uint8_t *registers);
/* These threads of the path are done. */
void simt_path_exit(struct warp *warp, uint32_t path_index, uint32_t mask);

/* calls.c: the path enters the function that the instruction names; a built-in one is run at once. */
void simt_path_call(struct worker *worker, struct warp *warp, struct path *path,
                    const struct ptx_instruction *instruction);
/* `ret`: these threads go back to the call, past joins of this function that they will not reach; from the kernel
 * itself they exit. */
void simt_path_return(struct warp *warp, uint32_t path_index, uint32_t mask);

/* One lane of a 32-bit operand. */
static inline uint32_t lane_value(const uint8_t *registers, uint32_t source, uint32_t lane) {
    uint32_t value;
    memcpy(&value, registers + source + 4 * lane, 4);
    return value;
}

/* Bytes of one thread's parameters of a function and of the calls it makes. */
static inline uint32_t frame_stride(const struct code *code) {
    return (uint32_t)round_up(code->function->frame_bytes, 16);
}

#endif

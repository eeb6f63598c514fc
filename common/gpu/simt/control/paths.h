/* paths.h: divergence and reconvergence of a warp. Private to simt/.
 *
 * Threads that go together are a path. When a path diverges at a branch, both sides wait at a join
 * at the branch's immediate post-dominator. Once all threads that the join expects have arrived or
 * exited, they go on as one path. A call has a join behind it, where `ret` leads. */
#pragma once

#include "base/round.h"
#include "gpu/simt/control/warp.h"

#include <string.h>

/* Adds and removes paths of a warp. Indices and pointers to paths are valid until then. */
struct path *simt_path_add(struct warp *warp, const struct path *path);
void simt_path_remove(struct warp *warp, uint32_t index);

/* Adds a join and returns its index. Out of memory does not return. */
int32_t simt_join_add(struct worker *worker, struct warp *warp, const struct join *join);
/* Threads arrive at a join. Once all that it expects are there, they go on as one path. */
void simt_join_arrive(struct warp *warp, int32_t index, uint32_t mask);
/* These threads will not arrive. */
void simt_join_leave(struct warp *warp, int32_t index, uint32_t mask);
/* The threads that have arrived go on without the others. */
void simt_join_go_on(struct warp *warp, int32_t index);

/* Whether a path has reached its join. */
static inline bool path_at_join(const struct warp *warp, const struct path *path) {
    if (path->join < 0)
        return false;
    const struct join *join = &warp->joins[path->join];
    return join->call == NULL && join->pc == path->pc && join->depth == path->depth;
}

/* The threads in `taken` branch to `target`, the others to `other`, and both reconverge at
 * `reconverge`. Paths change their places. */
void simt_path_diverge(struct worker *worker, struct warp *warp, uint32_t path_index, uint32_t taken,
                       uint32_t target, uint32_t other, uint32_t reconverge);
/* brx: the first thread's target is taken; threads with another target stay at the branch. True:
 * there are none, and the path goes on. */
bool simt_path_branch_indexed(struct worker *worker, struct warp *warp, uint32_t path_index,
                              const struct ptx_instruction *instruction, const uint8_t *registers);
/* These threads of the path exit. */
void simt_path_exit(struct warp *warp, uint32_t path_index, uint32_t mask);

/* calls.c: the path enters the function of the instruction. A built-in function runs at once. */
void simt_path_call(struct worker *worker, struct warp *warp, struct path *path,
                    const struct ptx_instruction *instruction);
/* `ret`: these threads go back to the call, past joins of this function that they will not reach.
 * From the kernel they exit. */
void simt_path_return(struct warp *warp, uint32_t path_index, uint32_t mask);

/* The value of a 32-bit operand in one lane. */
static inline uint32_t lane_value(const uint8_t *registers, uint32_t source, uint32_t lane) {
    uint32_t value;
    memcpy(&value, registers + source + 4 * lane, 4);
    return value;
}

/* Bytes of one thread's parameters of a function and of its calls. */
static inline uint32_t frame_stride(const struct code *code) {
    return (uint32_t)round_up(code->function->frame_bytes, 16);
}

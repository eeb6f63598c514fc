/* issue_queue.c: a scheduler's queue of instructions for memory, special functions and
 * constants. It is left in order. */
#include "gpu/time/walk/sm_state.h"

enum queue_kind issue_queue_kind(const struct gpu_instruction *in) {
    if (in->access == GPU_ACCESS_GLOBAL || in->access == GPU_ACCESS_LOCAL || in->access == GPU_ACCESS_ATOMIC)
        return QUEUE_GLOBAL;
    if (in->pipe == GPU_PIPE_XU)
        return QUEUE_SPECIAL;
    bool any = in->pipe == GPU_PIPE_LSU || in->pipe == GPU_PIPE_ADU || in->access == GPU_ACCESS_CONSTANT ||
               (in->pipe == GPU_PIPE_NONE && in->write_scoreboard < GPU_SCOREBOARDS);
    return any ? QUEUE_ANY : QUEUE_NONE;
}

void issue_queue_add(const struct gpu_model *model, struct scheduler *scheduler, enum queue_kind kind,
                     double leaves) {
    scheduler->queue_left = larger(scheduler->queue_left, leaves);
    scheduler->queue[scheduler->queued++ % model->queue_entries] = scheduler->queue_left;
    if (kind == QUEUE_GLOBAL)
        scheduler->global[scheduler->globals++ % model->queue_global_entries] = scheduler->queue_left;
    if (kind == QUEUE_SPECIAL)
        scheduler->special[scheduler->specials++ % model->queue_special_entries] = scheduler->queue_left;
    double any = scheduler->queue[scheduler->queued % model->queue_entries];
    scheduler->unit[UNIT_QUEUE + QUEUE_ANY] = any;
    scheduler->unit[UNIT_QUEUE + QUEUE_GLOBAL] =
        larger(any, scheduler->global[scheduler->globals % model->queue_global_entries]);
    scheduler->unit[UNIT_QUEUE + QUEUE_SPECIAL] =
        larger(any, scheduler->special[scheduler->specials % model->queue_special_entries]);
}

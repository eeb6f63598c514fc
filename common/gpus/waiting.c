/* waiting.c: the queue of a scheduler for memory and other units that answer when they can. What is in it leaves in its order. */
#include "gpus/sm_state.h"

enum waiting waiting_kind(const struct gpu_instruction *in) {
    if (in->access == GPU_ACCESS_GLOBAL || in->access == GPU_ACCESS_LOCAL || in->access == GPU_ACCESS_ATOMIC)
        return WAITING_GLOBAL;
    if (in->pipe == GPU_PIPE_XU)
        return WAITING_SPECIAL;
    bool any = in->pipe == GPU_PIPE_LSU || in->pipe == GPU_PIPE_ADU || in->access == GPU_ACCESS_CONSTANT ||
               (in->pipe == GPU_PIPE_NONE && in->write_scoreboard < GPU_SCOREBOARDS);
    return any ? WAITING_ANY : WAITING_NONE;
}

void waiting_add(const struct gpu_model *model, struct scheduler *scheduler, enum waiting kind,
                 double leaves) {
    scheduler->left = larger(scheduler->left, leaves);
    scheduler->queue[scheduler->queued++ % model->queue_entries] = scheduler->left;
    if (kind == WAITING_GLOBAL)
        scheduler->global[scheduler->globals++ % model->queue_global_entries] = scheduler->left;
    if (kind == WAITING_SPECIAL)
        scheduler->special[scheduler->specials++ % model->queue_special_entries] = scheduler->left;
    double any = scheduler->queue[scheduler->queued % model->queue_entries];
    scheduler->unit[UNIT_QUEUE + WAITING_ANY] = any;
    scheduler->unit[UNIT_QUEUE + WAITING_GLOBAL] =
        larger(any, scheduler->global[scheduler->globals % model->queue_global_entries]);
    scheduler->unit[UNIT_QUEUE + WAITING_SPECIAL] =
        larger(any, scheduler->special[scheduler->specials % model->queue_special_entries]);
}

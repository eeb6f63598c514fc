/* waiting.c: the queue of a scheduler for memory and other units that answer when they can. What is in it leaves in its order. */
#include "gpus/sm_state.h"

static bool is_global(const struct gpu_instruction *in) {
    return in->access == GPU_ACCESS_GLOBAL || in->access == GPU_ACCESS_LOCAL ||
           in->access == GPU_ACCESS_ATOMIC;
}

static bool is_special(const struct gpu_instruction *in) {
    return in->pipe == GPU_PIPE_XU;
}

bool waiting_takes(const struct gpu_instruction *in) {
    return in->pipe == GPU_PIPE_LSU || in->pipe == GPU_PIPE_XU || in->pipe == GPU_PIPE_ADU ||
           in->access == GPU_ACCESS_CONSTANT ||
           (in->pipe == GPU_PIPE_NONE && in->write_scoreboard < GPU_SCOREBOARDS);
}

double waiting_has_room(const struct scheduler *scheduler, const struct gpu_instruction *in) {
    if (!waiting_takes(in))
        return 0;
    double room = scheduler->queue[scheduler->queued % QUEUE];
    double other = is_global(in)    ? scheduler->global[scheduler->globals % QUEUE_GLOBAL]
                   : is_special(in) ? scheduler->special[scheduler->specials % QUEUE_SPECIAL]
                                    : 0;
    return room > other ? room : other;
}

bool waiting_is_global(const struct scheduler *scheduler, const struct gpu_instruction *in) {
    return is_global(in) &&
           scheduler->global[scheduler->globals % QUEUE_GLOBAL] > scheduler->queue[scheduler->queued % QUEUE];
}

void waiting_add(struct scheduler *scheduler, const struct gpu_instruction *in, double leaves) {
    scheduler->left = leaves > scheduler->left ? leaves : scheduler->left;
    scheduler->queue[scheduler->queued++ % QUEUE] = scheduler->left;
    if (is_global(in))
        scheduler->global[scheduler->globals++ % QUEUE_GLOBAL] = scheduler->left;
    if (is_special(in))
        scheduler->special[scheduler->specials++ % QUEUE_SPECIAL] = scheduler->left;
}

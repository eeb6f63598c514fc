/*
 * occupancy.c: how many blocks an SM holds. The rules are those of the CUDA programming guide's
 * table of compute capabilities and of the toolkit's occupancy calculator; the granularities are
 * data (see any .ini).
 */
#include "base/round.h"
#include "gpu/time/gpus.h"

/* A warp's registers all lie in one partition of the SM, so each partition is filled with whole
 * warps. */
static uint32_t warps_by_registers(const struct gpu_model *model, uint32_t registers) {
    uint32_t per_warp = round_up(registers * 32, model->register_granularity);
    uint32_t per_partition = model->registers_per_sm / model->warp_granularity;
    return per_partition / per_warp * model->warp_granularity;
}

struct gpu_occupancy gpu_occupancy(const struct gpu_model *model, uint32_t threads, uint32_t registers,
                                   uint32_t shared_bytes) {
    struct gpu_occupancy result = {.limit = GPU_LIMIT_WARPS};
    for (int i = 0; i < GPU_LIMIT_NONE; i++)
        result.blocks_by[i] = model->max_blocks_per_sm;
    if (threads == 0 || threads > model->max_threads_per_block) {
        result.blocks_by[GPU_LIMIT_WARPS] = 0;
        return result;
    }
    uint32_t warps = (threads + 31) / 32;
    result.blocks_by[GPU_LIMIT_WARPS] = model->max_warps_per_sm / warps;

    if (registers > model->max_registers_per_thread) {
        result.blocks_by[GPU_LIMIT_REGISTERS] = 0;
    } else if (registers > 0) {
        /* The launch check counts whole rows of partitions: a block of 5 warps asks for 8 warps'
         * registers. */
        uint32_t asked =
            round_up(registers * 32, model->register_granularity) * round_up(warps, model->warp_granularity);
        result.blocks_by[GPU_LIMIT_REGISTERS] =
            asked > model->registers_per_block ? 0 : warps_by_registers(model, registers) / warps;
    }

    if (shared_bytes > model->shared_per_block_optin) {
        result.blocks_by[GPU_LIMIT_SHARED] = 0;
    } else {
        uint32_t per_block = round_up(shared_bytes + model->shared_reserved, model->shared_granularity);
        if (per_block > 0)
            result.blocks_by[GPU_LIMIT_SHARED] = model->shared_per_sm / per_block;
    }

    uint32_t blocks = result.blocks_by[0];
    for (int i = 1; i < GPU_LIMIT_NONE; i++) {
        if (result.blocks_by[i] < blocks) {
            blocks = result.blocks_by[i];
            result.limit = (enum gpu_limit)i;
        }
    }
    result.blocks_per_sm = blocks;
    result.warps_per_sm = blocks * warps;
    result.fraction = (double)result.warps_per_sm / model->max_warps_per_sm;
    if (result.warps_per_sm == model->max_warps_per_sm)
        result.limit = GPU_LIMIT_NONE;
    return result;
}

const char *gpu_limit_name(enum gpu_limit limit) {
    switch (limit) {
    case GPU_LIMIT_WARPS: return "warps";
    case GPU_LIMIT_BLOCKS: return "blocks";
    case GPU_LIMIT_REGISTERS: return "registers";
    case GPU_LIMIT_SHARED: return "shared memory";
    case GPU_LIMIT_NONE: break;
    }
    return "none";
}

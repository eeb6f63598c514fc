/* longest.c: see longest.h. */
#include "gpu/time/walk/longest.h"

#include <math.h>
#include <stdlib.h>

double longest_executions(const struct gpu_code *code, enum gpu_access access) {
    double sum = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            sum += code->instructions[i].access == access ? code->blocks[b].runs : 0;
    return sum;
}

bool longest_differs(const struct gpu_launch *launch, double blocks) {
    return (double)launch->longest_warp_instructions * blocks >
           1.1 * (double)launch->longest_warps_of_all_blocks;
}

/* Cycles per execution of an instruction for which its warp waits whatever others do; as the compiler says where it was not
 * walked. */
static double own_cycles(const struct gpu_code *code, uint32_t i) {
    static const enum gpu_stall own[] = {
        GPU_STALL_SELECTED, GPU_STALL_WAIT,     GPU_STALL_LONG_SCOREBOARD, GPU_STALL_SHORT_SCOREBOARD,
        GPU_STALL_MEMBAR,   GPU_STALL_CONSTANT, GPU_STALL_NO_INSTRUCTION,  GPU_STALL_BRANCH};
    const double *waits = code->waits != NULL ? &code->waits[(size_t)i * GPU_STALL_COUNT] : NULL;
    double cycles = 0;
    if (waits == NULL || !(waits[GPU_STALL_SELECTED] > 0))
        return larger(code->instructions[i].stall, 1);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        cycles += waits[own[k]];
    return cycles / waits[GPU_STALL_SELECTED];
}

double longest_alone(const struct gpu_launch *launch) {
    const struct gpu_code *code = launch->code;
    bool awaited = longest_executions(code, GPU_ACCESS_BARRIER) > code->warps;
    /* executions and cycles: of everything, and of what the longest executes more often. Where its block awaits it at
     * barriers, that is what warps execute several times */
    double all = 0, all_cycles = 0, loops = 0, loop_cycles = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            double runs = code->blocks[b].runs;
            double cycles = runs * (awaited ? own_cycles(code, i) : larger(code->instructions[i].stall, 1));
            bool loop = !awaited || runs > code->warps;
            all += runs;
            all_cycles += cycles;
            loops += loop ? runs : 0;
            loop_cycles += loop ? cycles : 0;
        }
    double counted = (double)launch->counters->warp_instructions;
    if (!(counted > 0) || !(loops > 0))
        return 0;
    double more = all * (double)launch->longest_warp_instructions / counted - all / larger(code->warps, 1);
    return all_cycles / larger(code->warps, 1) + larger(more, 0) * loop_cycles / loops;
}

bool longest_outlasts(const struct gpu_launch *launch, const struct sm_load *load,
                      const struct sm_result *result, double waves, double *cycles) {
    const struct counters *c = launch->counters;
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    double mean = (double)c->warp_instructions / larger(blocks * load->warps_per_block, 1);
    double usual = (double)launch->longest_warps_of_all_blocks / larger(blocks, 1);
    *cycles = 0;
    if (mean <= 0 || usual <= 0)
        return true;
    bool apart = longest_executions(load->code, GPU_ACCESS_BARRIER) <= load->code->warps;
    /* units: instructions of an average warp */
    double walked = apart ? larger(result->longest, 1) : 1;
    double within = apart && result->varied ? larger(usual / mean, walked) : 1;
    double last = within * (1 + ((double)launch->longest_warp_instructions / usual - 1) / larger(waves, 1));
    double done = walked * smaller(result->cycles / larger(result->warp_cycles, 1), 1);
    if (last < 1.02 * done)
        return true;
    struct gpu_code code = *load->code;
    struct sm_load one = *load;
    struct sm_result only;
    code.waits = NULL;
    one.code = &code;
    one.blocks = one.resident_blocks = 1;
    if (!sm_walk(&one, &only))
        return false;
    *cycles = (last - done) * smaller(only.warp_cycles, result->warp_cycles);
    return true;
}

bool longest_find_rare(const struct gpu_launch *launch, double blocks, struct sm_load *load,
                       struct rare_work *work) {
    *work = (struct rare_work){0};
    if (blocks < 2 || !longest_differs(launch, blocks))
        return true;
    bool *rare = calloc(load->code->edge_count + 1u, sizeof *rare);
    bool right = rare != NULL && rare_find(load->code, load->warps_per_block, rare, work);
    free(rare);
    if (!right || !(work->instructions > 0))
        return right;
    load->which = SM_USUAL_BLOCKS;
    load->busy_share = 1;
    load->active_sms = (uint32_t)smaller(blocks, load->model->sm_count);
    load->blocks_differ = false;
    return true;
}

/* Walks one block, alone on the chip. */
static bool walk_one(const struct sm_load *load, enum sm_blocks which, struct gpu_code *code,
                     struct sm_result *result) {
    struct sm_load one = *load;
    one.blocks = one.resident_blocks = one.active_sms = 1;
    one.which = which;
    one.code = code;
    return sm_walk(&one, result);
}

bool longest_add_rare(const struct sm_load *load, const struct rare_work *work, double blocks, double waves,
                      struct sm_result *result, double *total) {
    struct gpu_code silent = *load->code, code = silent;
    struct sm_result usual, rare;
    silent.waits = NULL;
    if (!walk_one(load, SM_USUAL_BLOCKS, &silent, &usual) || !walk_one(load, SM_RARE_BLOCK, &code, &rare))
        return false;
    double longer = larger(rare.cycles - usual.cycles, 0);
    if (work->comes_last)
        *total += longer;
    else /* the more waves there are, the less likely it starts with the last */
        *total = larger(rare.cycles, waves > 1 ? *total + longer / waves : *total);
    double others = (blocks - 1) / load->blocks; /* times the walked ones */
    for (int k = 0; k < GPU_STALL_COUNT; k++)
        result->stalls[k] += rare.stalls[k] / others;
    result->issued += rare.issued / others;
    return true;
}

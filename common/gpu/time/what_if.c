/*
 * what_if.c: a launch's time again, with one limit lifted: an upper bound of what repairing it gains.
 * The machine code is walked as for the time, with other accesses, another model or other blocks.
 */
#include "gpu/time/time_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A share of the time, of all warps' time, and of all transactions, that is no limit. */
static const double little = 0.02;

static const struct {
    const char *name, *meaning;
} lifts[GPU_LIFT_COUNT] = {
    [GPU_LIFT_CONFLICTS] = {"conflicts", "no bank conflicts"},
    [GPU_LIFT_SECTORS] = {"sectors", "every sector used whole"},
    [GPU_LIFT_L2] = {"l2", "all data found in L2"},
    [GPU_LIFT_CODE] = {"code", "no wait for code"},
    [GPU_LIFT_BARRIERS] = {"barriers", "no wait at barriers"},
    [GPU_LIFT_TAIL] = {"tail", "a full last wave of blocks"},
};

const char *gpu_lift_name(enum gpu_lift lift) {
    return (unsigned)lift < GPU_LIFT_COUNT ? lifts[lift].name : "";
}

const char *gpu_lift_meaning(enum gpu_lift lift) {
    return (unsigned)lift < GPU_LIFT_COUNT ? lifts[lift].meaning : "";
}

/* A launch whose parts may be changed. */
struct changed {
    struct gpu_model model;
    struct gpu_launch launch;
    struct gpu_code code;
    struct counters counters;
};

/* Share of an access's wavefronts that remain without conflicts, or of its sectors when all are whole. */
static double share_left(const struct gpu_instruction *in, enum gpu_lift lift) {
    bool shared = in->access == GPU_ACCESS_SHARED, global = in->access == GPU_ACCESS_GLOBAL;
    double all = lift == GPU_LIFT_CONFLICTS && shared ? in->wavefronts
                 : lift == GPU_LIFT_SECTORS && global ? in->sectors
                                                      : 0;
    return in->fewest > 0 && in->fewest < all ? in->fewest / all : 1;
}

/* Requests touch the fewest sectors that could carry the same bytes. What L2 and DRAM move shrinks alike. */
static void lift_sectors(struct gpu_instruction *in) {
    if (share_left(in, GPU_LIFT_SECTORS) >= 1)
        return;
    in->missed_sectors = fminf(in->missed_sectors, in->fewest);
    in->sectors = in->fewest;
    in->lines = fminf(in->lines, fmaxf(in->fewest / 4, 1));
    in->wavefronts = in->partial_share = in->new_share = 0;
}

/* Spilled registers and local arrays fit, too. */
static void lift_l2(struct changed *to) {
    struct counters *c = &to->counters;
    c->l2_read_hit_sectors = c->l2_read_sectors;
    c->l2_read_waiting_sectors = c->dram_read_bytes = c->dram_write_bytes = c->dram_fill_bytes = 0;
    to->model.l2_bytes = UINT64_MAX / 2;
}

static void lift(struct changed *to, enum gpu_lift lift) {
    for (uint32_t i = 0; i < to->code.instruction_count; i++) {
        struct gpu_instruction *in = &to->code.instructions[i];
        switch (lift) {
        case GPU_LIFT_CONFLICTS: in->wavefronts *= (float)share_left(in, lift); break;
        case GPU_LIFT_SECTORS: lift_sectors(in); break;
        case GPU_LIFT_L2: in->dram_share = 0; break;
        case GPU_LIFT_BARRIERS: in->open = in->access == GPU_ACCESS_BARRIER; break;
        default: break;
        }
    }
    if (lift == GPU_LIFT_L2)
        lift_l2(to);
    if (lift == GPU_LIFT_CODE)
        to->model.code_group_cycles = to->model.code_l2_cycles = 0;
    to->launch.whole_waves = lift == GPU_LIFT_TAIL;
}

/* us, without the limit at a line, or (0) everywhere; GPU_LIFT_COUNT: as it is. NAN: out of memory. */
static double time_without(const struct gpu_model *model, const struct gpu_launch *launch,
                           enum gpu_lift which, const uint32_t *lines, uint32_t line) {
    struct changed to = {.model = *model, .launch = *launch, .counters = *launch->counters};
    struct gpu_time time;
    size_t bytes = launch->code->instruction_count * sizeof *to.code.instructions;
    to.code = *launch->code;
    to.code.waits = NULL;
    to.code.instructions = malloc(bytes + 1);
    if (to.code.instructions == NULL)
        return NAN;
    memcpy(to.code.instructions, launch->code->instructions, bytes);
    for (uint32_t i = 0; line > 0 && i < to.code.instruction_count; i++)
        if (lines[i] != line)
            to.code.instructions[i].fewest = 0; /* unknown: nothing is lifted here */
    to.launch.code = &to.code;
    to.launch.counters = &to.counters;
    to.launch.few_draws = true;
    lift(&to, which);
    bool right = gpu_code_time(&to.model, &to.launch, &time);
    free(to.code.instructions);
    return right ? time.time_us : (double)NAN;
}

/* Wavefronts of shared memory and sectors: all, and those beyond the fewest. */
struct transactions {
    double all[2], excess[2];
    double *at_line; /* excess of each line, wavefronts and sectors in turn */
};

/* False: out of memory. */
static bool count_excess(const struct gpu_code *code, const uint32_t *lines, struct transactions *of) {
    of->at_line = calloc(2 * (code->instruction_count + 1u), sizeof *of->at_line);
    for (uint32_t b = 0; of->at_line != NULL && b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            for (int k = 0; k < 2; k++) {
                const struct gpu_instruction *in = &code->instructions[i];
                double all =
                    code->blocks[b].runs * in->active_share * (k == 0 ? in->wavefronts : in->sectors);
                double excess = all * (1 - share_left(in, (enum gpu_lift)k));
                of->all[k] += all;
                of->excess[k] += excess;
                of->at_line[2 * lines[i] + k] += lines[i] > 0 ? excess : 0;
            }
    return of->at_line != NULL;
}

/* Whether the launch has that limit at all. */
static bool has_limit(const struct transactions *of, const struct gpu_time *time, enum gpu_lift lift) {
    double waits = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        waits += time->stalls[i];
    switch (lift) {
    case GPU_LIFT_CONFLICTS:
    case GPU_LIFT_SECTORS: return of->excess[lift] > little * of->all[lift];
    case GPU_LIFT_L2:
        return time->unit_us[GPU_DRAM] > little * time->time_us ||
               time->stalls[GPU_STALL_LONG_SCOREBOARD] > little * waits;
    case GPU_LIFT_CODE: return time->stalls[GPU_STALL_NO_INSTRUCTION] > little * waits;
    case GPU_LIFT_BARRIERS: return time->stalls[GPU_STALL_BARRIER] > little * waits;
    default: return time->waves > 1 && time->waves < (1 - little) * ceil(time->waves);
    }
}

uint32_t gpu_what_ifs(const struct gpu_model *model, const struct gpu_launch *launch,
                      const struct gpu_time *time, const uint32_t *lines,
                      struct gpu_what_if found[GPU_WHAT_IFS]) {
    uint32_t count = 0;
    struct transactions of = {0};
    if (launch->code == NULL || !time->by_code || !count_excess(launch->code, lines, &of))
        return 0;
    for (enum gpu_lift lift = 0; lift < GPU_LIFT_COUNT; lift++)
        if (has_limit(&of, time, lift))
            found[count++] = (struct gpu_what_if){.lift = lift};
    for (int i = 0; i < GPU_WHAT_IF_LINES; i++) {
        uint32_t most = 0;
        for (uint32_t k = 0; k < 2 * (launch->code->instruction_count + 1u); k++)
            most = of.at_line[k] > of.at_line[most] ? k : most;
        if (count > 0 && of.at_line[most] > 0)
            found[count++] = (struct gpu_what_if){(enum gpu_lift)(most % 2), most / 2, 0};
        of.at_line[most] = 0;
    }
    free(of.at_line);
    double as_it_is = count > 0 ? time_without(model, launch, GPU_LIFT_COUNT, lines, 0) : 0;
    for (uint32_t i = 0; i < count; i++) {
        double factor = as_it_is / time_without(model, launch, found[i].lift, lines, found[i].line);
        found[i].factor = factor > 1 ? factor : 1; /* which loads take long is drawn anew: by chance longer */
    }
    return count;
}

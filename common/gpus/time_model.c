/*
 * time_model.c: a kernel's time from its counters. README.md has the formula, what each parameter was fitted
 * on and the present error. Every step is plain double arithmetic in a fixed order, so the result is the same
 * to the last bit.
 */
#include "gpus/gpus.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

/* The counters count PTX; this is what the compiler makes of it: integer arithmetic is folded into addresses
 * and three-input adds, short branches become predicates, moves bring selections and width changes with them.
 * The weights are fitted. On chips without a 32-bit integer multiplier a multiply is several instructions. */
static double machine_instructions(const struct gpu_model *model, const struct counters *c) {
    double plain_int =
        (double)(c->inst_int - (c->inst_int_multiply < c->inst_int ? c->inst_int_multiply : c->inst_int));
    double removed = (1 - model->ptx_to_machine) * (double)c->inst_move +
                     (1 - model->int_to_machine) * plain_int +
                     (1 - model->control_to_machine) * (double)c->inst_control;
    double count = (double)c->warp_instructions - removed;
    return larger(count, 0.25 * (double)c->warp_instructions);
}

/* Where a load finds its data, on average, in cycles. Without cache counters: all of it comes from DRAM. */
static double load_latency(const struct gpu_model *model, const struct counters *c) {
    double sectors = (double)c->global_load_sectors + (double)c->local_load_sectors;
    if (sectors == 0)
        return 0;
    if (c->l1_hit_sectors == 0 && c->l2_read_sectors == 0)
        return model->latency_dram;
    double l1 = smaller((double)c->l1_hit_sectors / sectors, 1), l2 = 1;
    if (c->l2_read_sectors > 0)
        l2 = smaller((double)c->l2_read_hit_sectors / (double)c->l2_read_sectors, 1);
    return l1 * model->latency_l1 + (1 - l1) * (l2 * model->latency_l2 + (1 - l2) * model->latency_dram);
}

/* Cycles from a warp's first instruction to its last if nothing else ran: its instructions one after the
 * other, the first load from wherever it comes, and later batches of loads at their average latency. */
static double warp_latency(const struct gpu_model *model, const struct counters *c, double instructions,
                           double warps) {
    double loads = (double)(c->global_load_requests + c->local_load_requests + c->atomics) / warps;
    double latency = instructions * model->instruction_cycles;
    if (loads > 0) {
        double batches = larger(loads / model->loads_in_flight, 1);
        latency += (loads < 1 ? loads : 1) * model->latency_dram + (batches - 1) * load_latency(model, c);
    }
    /* Every second barrier of a warp ends a phase that fetched something for the next one. */
    double barriers = (double)c->barriers / warps;
    if (barriers > 1)
        latency += (barriers - 1) / 2 * model->latency_l2;
    return latency;
}

static void compute_units(const struct gpu_model *model, const struct counters *c, double sms, double machine,
                          double *cycles) {
    double multiplies = (double)c->inst_int_multiply;
    double plain_int = larger((double)c->inst_int - multiplies, 0) * model->int_to_machine;
    cycles[GPU_ISSUE] = machine / (model->issue_rate * model->issue_efficiency);
    double floats = (double)c->inst_fp32_fma / model->fma_rate + (double)c->inst_fp32 / model->fp32_rate;
    if (model->int_shares_fma)
        cycles[GPU_FMA] = floats + multiplies / model->imad_rate + plain_int / model->int_rate;
    else /* a multiply takes one slot of the pipe, but only a part of the pipe can do it */
        cycles[GPU_FMA] = larger(floats + multiplies / model->fma_rate, multiplies / model->imad_rate);
    cycles[GPU_ALU] = plain_int / model->int_rate + (double)c->inst_shuffle / model->shuffle_rate +
                      (double)c->inst_fp16 / model->fp16_rate;
    cycles[GPU_FP64] = (double)c->inst_fp64 / model->fp64_rate;
    /* conversions run on the special-function side of the SM wherever they are slow */
    cycles[GPU_SPECIAL] =
        (double)c->inst_special / model->special_rate + (double)c->inst_conversion / model->conversion_rate;
    for (int unit = GPU_ISSUE; unit <= GPU_SPECIAL; unit++)
        cycles[unit] /= sms;
}

static void memory_units(const struct gpu_model *model, const struct counters *c, double sms,
                         double *cycles) {
    double sectors = (double)(c->global_load_sectors + c->global_store_sectors + c->local_load_sectors +
                              c->local_store_sectors + c->atomic_sectors);
    double lines = (double)c->global_load_wavefronts;
    /* where the lines are not counted: four sectors to a line, and no request without one */
    if (c->global_load_wavefronts == 0)
        lines = larger((double)c->global_load_requests, (double)c->global_load_sectors / 4);
    lines += larger((double)(c->global_store_requests + c->atomics),
                    (double)(c->global_store_sectors + c->atomic_sectors) / 4);
    lines += (double)(c->local_load_sectors + c->local_store_sectors) / 4;
    cycles[GPU_LSU] = (double)c->inst_memory / model->lsu_rate / sms;
    cycles[GPU_L1] = larger(lines / model->l1_wavefront_rate, sectors / model->l1_sectors_per_cycle) / sms;
    cycles[GPU_SHARED] =
        (double)(c->shared_load_wavefronts + c->shared_store_wavefronts) / model->shared_wavefront_rate / sms;
    cycles[GPU_L2] = (double)(c->l2_read_sectors + c->l2_write_sectors) / model->l2_sectors_per_cycle;
    double bytes_per_cycle = model->dram_gbs * 1000 / model->clock_mhz;
    cycles[GPU_DRAM] = (double)(c->dram_read_bytes + c->dram_write_bytes) / bytes_per_cycle;
}

/* What latency alone takes: the rounds of blocks, and the longest warp's excess over the others. */
static double latency_cycles(const struct gpu_model *model, const struct gpu_launch *launch, double machine,
                             double warps, double rounds) {
    double per_warp = machine / warps;
    double latency = warp_latency(model, launch->counters, per_warp, warps);
    double longest = latency;
    if (launch->longest_warp_instructions > 0) {
        double ratio = (double)launch->longest_warp_instructions * warps /
                       larger((double)launch->counters->warp_instructions, 1);
        longest = larger(latency, latency + (ratio - 1) * per_warp * model->instruction_cycles);
    }
    return rounds * (latency + model->block_turnover) + (longest - latency);
}

/* The units' cycles as one time: groups that overlap with one another but not perfectly. Where shared memory and L1
 * are one memory, they queue at one data stage, so their times add. */
static double combine(const struct gpu_model *model, const double cycles[GPU_UNIT_COUNT]) {
    double compute = 0;
    for (int unit = GPU_ISSUE; unit <= GPU_SPECIAL; unit++)
        compute = larger(compute, cycles[unit]);
    double near =
        model->l1_unified ? cycles[GPU_L1] + cycles[GPU_SHARED] : larger(cycles[GPU_L1], cycles[GPU_SHARED]);
    near = larger(near, cycles[GPU_LSU]);
    double far = larger(cycles[GPU_L2], cycles[GPU_DRAM]);
    double largest = larger(larger(compute, near), larger(far, cycles[GPU_LATENCY]));
    if (largest <= 0)
        return 0;
    double p = model->overlap_power;
    double sum = pow(compute / largest, p) + pow(near / largest, p) + pow(far / largest, p) +
                 pow(cycles[GPU_LATENCY] / largest, p);
    return largest * pow(sum, 1 / p);
}

void gpu_time_model(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time) {
    *time = (struct gpu_time){0};
    const struct counters *c = launch->counters;
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct gpu_occupancy fit = gpu_occupancy(model, threads, launch->registers, launch->shared_bytes);
    uint32_t resident = fit.blocks_per_sm > 0 ? fit.blocks_per_sm : 1;
    uint32_t warps_per_block = (threads + 31) / 32;
    double warps = larger(blocks * warps_per_block, 1);

    time->occupancy_theoretical = fit.fraction;
    time->waves = blocks / ((double)model->sm_count * resident);
    time->machine_instructions = machine_instructions(model, c);

    /* The busiest SM gets ceil(blocks / SMs) blocks: with few blocks the others wait for it. */
    double sms = model->sm_count;
    double share = blocks > 0 ? blocks / ceil(blocks / sms) : 1;
    double cycles[GPU_UNIT_COUNT] = {0};
    compute_units(model, c, share, time->machine_instructions, cycles);
    memory_units(model, c, share, cycles);

    /* Rounds of resident blocks, one after the other. The last, partial round costs nearly a whole one when
     * rounds are few and is absorbed as blocks drift apart when they are many. */
    double whole = ceil(time->waves);
    double rounds = larger(time->waves + (whole - time->waves) * (time->waves > 2 ? 2 / time->waves : 1), 1);
    cycles[GPU_LATENCY] = latency_cycles(model, launch, time->machine_instructions, warps, rounds);
    double total = combine(model, cycles);

    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        time->unit_us[unit] = cycles[unit] / model->clock_mhz;
    time->unit_us[GPU_LAUNCH] = model->launch_us;
    time->time_us = total / model->clock_mhz + model->launch_us;
    time->limiter = GPU_ISSUE;
    for (int unit = 1; unit < GPU_UNIT_COUNT; unit++)
        if (time->unit_us[unit] > time->unit_us[time->limiter])
            time->limiter = (enum gpu_unit)unit;

    double partial = time->waves - floor(time->waves);
    if (partial > 0)
        time->tail = larger(rounds - floor(time->waves), 0) / rounds;
    double round_cycles = total / rounds;
    double lived = round_cycles > 0 ? 1 - model->block_turnover / round_cycles : 0;
    time->occupancy_achieved =
        fit.fraction * larger(lived, 0.05) * (time->waves > 0 ? time->waves / rounds : 0);
}

static const struct {
    const char *name, *meaning;
} units[GPU_UNIT_COUNT] = {
    [GPU_ISSUE] = {"issue", "the issue slots of the warp schedulers"},
    [GPU_FMA] = {"fma", "the multiply-add pipe (float, and integer multiplies)"},
    [GPU_ALU] = {"alu", "the integer and logic pipe"},
    [GPU_FP64] = {"fp64", "the double-precision pipe"},
    [GPU_SPECIAL] = {"special", "special functions and conversions"},
    [GPU_LSU] = {"lsu", "the load/store unit's instruction queue"},
    [GPU_L1] = {"l1", "the L1 cache (lines and sectors that loads touch)"},
    [GPU_SHARED] = {"shared", "the shared-memory banks"},
    [GPU_L2] = {"l2", "the L2 cache"},
    [GPU_DRAM] = {"dram", "the device memory"},
    [GPU_LATENCY] = {"latency", "waiting (too few warps or loads in flight)"},
    [GPU_LAUNCH] = {"launch", "starting and ending the kernel"},
};

const char *gpu_unit_name(enum gpu_unit unit) {
    return (unsigned)unit < GPU_UNIT_COUNT ? units[unit].name : "";
}

const char *gpu_unit_meaning(enum gpu_unit unit) {
    return (unsigned)unit < GPU_UNIT_COUNT ? units[unit].meaning : "";
}

double gpu_fill_us(const struct gpu_model *model, uint64_t bytes) {
    return model->launch_us + (double)bytes / (1000 * model->dram_gbs);
}

double gpu_copy_us(const struct gpu_model *model, uint64_t bytes) {
    return gpu_fill_us(model, 2 * bytes);
}

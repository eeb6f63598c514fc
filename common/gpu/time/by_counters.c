/*
 * by_counters.c: a kernel's time from its counters alone, for launches without machine code.
 * BY_COUNTERS.md has the formula. Plain double arithmetic in a fixed order, so results are the same
 * to the last bit.
 */
#include "gpu/time/time_model.h"

#include <math.h>
#include <string.h>

/*
 * Machine instructions of a division, beyond the one that stands for it among integer or double arithmetic, by the pipe they
 * are sent to. Counted in what CUDA 13.0 makes for sm_90 of kernels of one operation each, on the way that common operands
 * take; in all:
 *   up to 32 bits  u32 18, remainder 17; s32 25, 23; u16 21, 23
 *   64 bits        u64 72, remainder 68; s64 88, 82
 *   double         division 14, square root 16, its reciprocal 12, reciprocal 9
 * A division by a constant is none in PTX: the compiler has made products of it.
 */
struct expansion {
    double integer, multiply, fp64, special, conversion;
};
static const struct expansion division = {.integer = 10, .multiply = 7, .special = 1, .conversion = 2},
                              division_64 = {.integer = 39, .multiply = 35, .special = 3},
                              division_fp64 = {.integer = 3, .multiply = 2, .fp64 = 6, .special = 1};

static struct expansion expansion(const struct counters *c) {
    struct expansion sum = {0};
    const struct {
        const struct expansion *of;
        double count;
    } parts[] = {{&division, (double)c->inst_division},
                 {&division_64, (double)c->inst_division_64},
                 {&division_fp64, (double)c->inst_division_fp64}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sum.integer += parts[i].of->integer * parts[i].count;
        sum.multiply += parts[i].of->multiply * parts[i].count;
        sum.fp64 += parts[i].of->fp64 * parts[i].count;
        sum.special += parts[i].of->special * parts[i].count;
        sum.conversion += parts[i].of->conversion * parts[i].count;
    }
    return sum;
}

/* The counters count PTX; this is what the compiler makes of it: integer arithmetic is folded
 * into addresses and three-input adds, short branches become predicates, moves bring selections
 * and width changes with them. The weights are fitted. On chips without a 32-bit integer
 * multiplier a multiply is several instructions. */
static double machine_instructions(const struct gpu_model *model, const struct counters *c) {
    double plain_int =
        (double)(c->inst_int - (c->inst_int_multiply < c->inst_int ? c->inst_int_multiply : c->inst_int));
    double removed = (1 - model->ptx_to_machine) * (double)c->inst_move +
                     (1 - model->int_to_machine) * plain_int +
                     (1 - model->control_to_machine) * (double)c->inst_control;
    double count = (double)c->warp_instructions - removed;
    struct expansion more = expansion(c);
    return larger(count, 0.25 * (double)c->warp_instructions) + more.integer + more.multiply + more.fp64 +
           more.special + more.conversion;
}

/* Where a load finds its data, on average, in cycles. Without cache counters: all of it comes
 * from DRAM. */
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

/* Waits of a warp for loads: number per instruction; cycles of each after the first. */
struct waits {
    double each, later;
};

/* Cycles from a warp's first instruction to its last if nothing else ran: its instructions one
 * after the other, the first load from wherever it comes, and later groups of loads at their
 * average latency. Its work is `share` of what c counts. */
static double warp_latency(const struct gpu_model *model, const struct counters *c, double share,
                           const struct waits *waits) {
    double loads = (double)(c->global_load_requests + c->local_load_requests + c->atomics) * share;
    double latency = machine_instructions(model, c) * share * model->instruction_cycles;
    if (loads > 0) {
        double groups = larger(loads / model->loads_in_flight, 1);
        groups = larger(groups, waits->each * (double)c->warp_instructions * share);
        latency += (loads < 1 ? loads : 1) * model->latency_dram + (groups - 1) * waits->later;
    }
    /* Every second barrier of a warp ends a phase that fetched something for the next one. */
    double barriers = (double)c->barriers * share;
    if (barriers > 1)
        latency += (barriers - 1) / 2 * model->latency_l2;
    return latency;
}

/* Cycles of one SM's compute units. spills: requests caused by a lack of registers. */
static void compute_units(const struct gpu_model *model, const struct counters *c, double spills,
                          double *cycles) {
    struct expansion more = expansion(c);
    double counted = (double)c->inst_int_multiply, multiplies = counted + more.multiply;
    double plain_int = larger((double)c->inst_int - counted, 0) * model->int_to_machine + more.integer;
    cycles[GPU_ISSUE] =
        (machine_instructions(model, c) + spills) / (model->issue_rate * model->issue_efficiency);
    double floats = (double)c->inst_fp32_fma / model->fma_rate + (double)c->inst_fp32 / model->fp32_rate;
    if (model->int_shares_fma)
        cycles[GPU_FMA] = floats + multiplies / model->imad_rate + plain_int / model->int_rate;
    else /* a multiply takes one slot of the pipe, but only a part of the pipe can do it */
        cycles[GPU_FMA] = larger(floats + multiplies / model->fma_rate, multiplies / model->imad_rate);
    cycles[GPU_ALU] = plain_int / model->int_rate + (double)c->inst_shuffle / model->shuffle_rate +
                      (double)c->inst_fp16 / model->fp16_rate;
    cycles[GPU_FP64] = ((double)c->inst_fp64 + more.fp64) / model->fp64_rate;
    cycles[GPU_TENSOR] = 3 * (double)c->inst_matrix / model->tensor_rate; /* as of m16n8k16 halves */
    /* conversions run on the special-function side of the SM wherever they are slow */
    cycles[GPU_SPECIAL] = ((double)c->inst_special + more.special) / model->special_rate +
                          ((double)c->inst_conversion + more.conversion) / model->conversion_rate;
}

/* Cycles of one SM's load/store unit, L1, shared memory and constant cache. A spilled word of a
 * warp is a line. */
static void near_units(const struct gpu_model *model, const struct counters *c, double spills,
                       double *cycles) {
    double sectors = (double)(c->global_load_sectors + c->global_store_sectors + c->local_load_sectors +
                              c->local_store_sectors + c->atomic_sectors);
    double lines = (double)c->global_load_wavefronts;
    /* where the lines are not counted: four sectors to a line, and no request without one */
    if (c->global_load_wavefronts == 0)
        lines = larger((double)c->global_load_requests, (double)c->global_load_sectors / 4);
    lines += larger((double)(c->global_store_requests + c->atomics),
                    (double)(c->global_store_sectors + c->atomic_sectors) / 4);
    lines += (double)(c->local_load_sectors + c->local_store_sectors) / 4 + spills;
    cycles[GPU_LSU] = ((double)c->inst_memory + spills) / model->lsu_rate;
    cycles[GPU_L1] =
        larger(lines / model->l1_wavefront_rate, (sectors + 4 * spills) / model->l1_sectors_per_cycle);
    cycles[GPU_SHARED] =
        (double)(c->shared_load_wavefronts + c->shared_store_wavefronts + c->shared_atomic_wavefronts) /
        model->shared_wavefront_rate;
    cycles[GPU_CONSTANT] = (double)c->constant_wavefronts / model->constant_rate;
}

double gpu_atomic_cycles(const struct gpu_model *model, const struct counters *c) {
    return larger((double)c->atomic_queue * model->atomic_queue_cycles,
                  (double)c->atomic_slice * model->atomic_slice_cycles);
}

/* Cycles of the stores to one line. An SM joins those that follow each other, or where few lines take
 * turns. Of more lines each store goes alone, and in L2 its sectors pass one by one. This was measured
 * of sectors that are written whole. */
static double store_cycles(const struct gpu_model *model, const struct counters *c) {
    enum { FEW_LINES = 16, LINE = 4 }; /* sectors */
    const double whole = 0.95;         /* share of the bytes that are written */
    bool apart = c->global_load_requests >= c->global_store_requests;
    double each = apart ? model->store_apart_cycles : model->store_queue_cycles;
    double queue = (double)c->store_queue, all = (double)c->global_store_sectors;
    double sectors = smaller(all / larger((double)c->global_store_requests, 1), LINE);
    if (sectors > 0 && all / sectors > FEW_LINES * queue && (double)c->global_store_bytes >= whole * 32 * all)
        each = larger(each, model->store_whole_cycles * sectors);
    return queue * each;
}

double gpu_contention_cycles(const struct gpu_model *model, const struct counters *c) {
    /* who swaps next has read the word after the last change, and the answer took its way */
    double swaps = (double)c->swap_queue * model->swap_turn_cycles;
    return larger(gpu_atomic_cycles(model, c), larger(store_cycles(model, c), swaps));
}

/* Cycles of the chip's L2, DRAM and atomics. */
static void far_units(const struct gpu_model *model, const struct counters *c, double *cycles) {
    double spilled = 4 * (double)c->spill_stores; /* every store goes on to L2 */
    cycles[GPU_L2] = (double)c->l2_read_sectors / model->l2_sectors_per_cycle +
                     ((double)c->l2_write_sectors + spilled) / model->l2_write_sectors_per_cycle;
    double bytes_per_cycle = model->dram_gbs * 1000 / model->clock_mhz;
    cycles[GPU_DRAM] = (double)(c->dram_read_bytes + c->dram_write_bytes) / bytes_per_cycle;
    cycles[GPU_ATOMIC] = gpu_contention_cycles(model, c);
}

/*
 * The units of an SM. Where the SMs' shares are not known, blocks are taken to be alike, and the SM
 * that has most of them stands for all: the others wait for it. Where they are known, each unit of
 * the SM that asks most of it does; but blocks go where room is, so an SM has no more than the
 * average and one block on top.
 */
static void sm_units(const struct gpu_model *model, const struct gpu_launch *launch, double blocks,
                     double spills, double *cycles) {
    const struct counters *c = launch->counters;
    double share = blocks > 0 ? ceil(blocks / model->sm_count) / blocks : 1;
    double all = larger((double)c->warp_instructions, 1), chip[GPU_UNIT_COUNT] = {0};
    compute_units(model, c, spills, chip);
    near_units(model, c, spills, chip);
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        cycles[unit] = chip[unit] * share;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm_work *sm = &launch->sms[i];
        double own[GPU_UNIT_COUNT] = {0}, instructions = larger((double)sm->counters.warp_instructions, 1);
        double block = smaller((double)sm->largest_block_instructions / instructions, 1);
        compute_units(model, &sm->counters, spills * instructions / all, own);
        near_units(model, &sm->counters, spills * instructions / all, own);
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
            cycles[unit] =
                larger(cycles[unit], smaller(own[unit], chip[unit] / model->sm_count + block * own[unit]));
    }
}

/* What latency alone takes: the rounds of blocks, each as long as a block's longest warp, and
 * the excess of the longest of all. Warps that have nothing to do end none of it sooner. */
static double latency_cycles(const struct gpu_model *model, const struct gpu_launch *launch, double blocks,
                             double warps, double rounds) {
    const struct counters *c = launch->counters;
    double all = larger((double)c->warp_instructions, 1), share = 1 / warps;
    const struct waits waits = {(double)c->load_waits / all, load_latency(model, c)};
    if (launch->longest_warps_of_all_blocks > 0)
        share = larger(share, (double)launch->longest_warps_of_all_blocks / larger(blocks, 1) / all);
    double latency = warp_latency(model, c, share, &waits), longest = latency;
    if (launch->longest_warp_instructions > 0)
        longest =
            larger(longest, warp_latency(model, c, (double)launch->longest_warp_instructions / all, &waits));
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm_work *sm = &launch->sms[i];
        double own = larger((double)sm->counters.warp_instructions, 1);
        longest = larger(
            longest, warp_latency(model, &sm->counters, (double)sm->longest_warp_instructions / own, &waits));
    }
    double slept =
        (double)launch->longest_sleeps_of_all_blocks_ns / larger(blocks, 1) * model->clock_mhz / 1000;
    double longest_sleep = larger((double)launch->longest_sleep_ns * model->clock_mhz / 1000, slept);
    return rounds * (latency + slept + model->block_turnover) + (longest - latency) + (longest_sleep - slept);
}

/* The units' cycles as one time: groups that overlap with one another but not perfectly. Where
 * shared memory and L1 are one memory, they queue at one data stage, so their times add. */
static double combine(const struct gpu_model *model, const double cycles[GPU_UNIT_COUNT]) {
    double compute = cycles[GPU_TENSOR];
    for (int unit = GPU_ISSUE; unit <= GPU_SPECIAL; unit++)
        compute = larger(compute, cycles[unit]);
    double near =
        model->l1_unified ? cycles[GPU_L1] + cycles[GPU_SHARED] : larger(cycles[GPU_L1], cycles[GPU_SHARED]);
    near = larger(near, larger(cycles[GPU_LSU], cycles[GPU_CONSTANT]));
    double far = larger(cycles[GPU_L2], larger(cycles[GPU_DRAM], cycles[GPU_ATOMIC]));
    double largest = larger(larger(compute, near), larger(far, cycles[GPU_LATENCY]));
    if (largest <= 0)
        return 0;
    double p = model->overlap_power;
    double sum = pow(compute / largest, p) + pow(near / largest, p) + pow(far / largest, p) +
                 pow(cycles[GPU_LATENCY] / largest, p);
    return largest * pow(sum, 1 / p);
}

/* The same where nothing overlaps, twice: more than what the counters of a kernel may hide of
 * its machine code. */
static double at_worst(const double cycles[GPU_UNIT_COUNT]) {
    double sum = 0;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        sum += cycles[unit];
    return 2 * sum;
}

void gpu_time_by_counters(const struct gpu_model *model, const struct gpu_launch *launch,
                          struct gpu_time *time) {
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
    double spills = (double)c->spill_loads + (double)c->spill_stores;
    time->machine_instructions = machine_instructions(model, c) + spills;

    double cycles[GPU_UNIT_COUNT] = {0};
    sm_units(model, launch, blocks, spills, cycles);
    far_units(model, c, cycles);

    /* Rounds of resident blocks, one after the other. The last, partial round costs nearly a
     * whole one when rounds are few and is absorbed as blocks drift apart when they are many. */
    double whole = ceil(time->waves);
    double rounds = larger(time->waves + (whole - time->waves) * (time->waves > 2 ? 2 / time->waves : 1), 1);
    cycles[GPU_LATENCY] = latency_cycles(model, launch, blocks, warps, rounds);
    double total = launch->code_withheld ? at_worst(cycles) : combine(model, cycles);

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

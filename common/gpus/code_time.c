/* code_time.c: see code_time.h. One SM is walked through instruction by instruction (sm.c); what it asks of each unit is added up here. */
#include "gpus/code_time.h"

#include "gpus/sm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 250000 };

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

void gpu_code_free(struct gpu_code *code) {
    free(code->instructions);
    free(code->blocks);
    free(code->edges);
    free(code->waits);
    *code = (struct gpu_code){0};
}

/* What all executions ask of each pipe, whole chip, in cycles of all SMs together. */
static void pipe_cycles(const struct gpu_model *model, const struct gpu_code *code,
                        double cycles[GPU_UNIT_COUNT]) {
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            const struct gpu_instruction *in = &code->instructions[i];
            double runs = code->blocks[b].runs, active = runs * in->active;
            cycles[GPU_ISSUE] += runs / model->issue_rate;
            switch ((enum gpu_pipe)in->pipe) {
            case GPU_PIPE_FMA: cycles[GPU_FMA] += runs / model->fma_rate; break;
            case GPU_PIPE_HEAVY: cycles[GPU_FMA] += runs * in->turns / model->imad_rate; break;
            case GPU_PIPE_ALU: cycles[GPU_ALU] += runs / model->int_rate; break;
            case GPU_PIPE_FP64: cycles[GPU_FP64] += runs / model->fp64_rate; break;
            case GPU_PIPE_XU: cycles[GPU_SPECIAL] += runs / model->special_rate; break;
            case GPU_PIPE_LSU: cycles[GPU_LSU] += runs / model->lsu_rate; break;
            default: break;
            }
            if (in->access == GPU_ACCESS_CONSTANT)
                cycles[GPU_CONSTANT] += active * larger(in->wavefronts, 1) / model->constant_rate;
            else if (in->access == GPU_ACCESS_SHARED || in->access == GPU_ACCESS_SHARED_ATOMIC)
                cycles[GPU_SHARED] +=
                    (active * larger(in->wavefronts, 1) + runs - active) / model->shared_wavefront_rate;
            else if (in->access == GPU_ACCESS_ATOMIC)
                cycles[GPU_SHARED] += active * in->wavefronts / model->shared_wavefront_rate;
            else if (in->access == GPU_ACCESS_GLOBAL || in->access == GPU_ACCESS_LOCAL)
                cycles[GPU_L1] +=
                    active * larger(larger(in->lines / model->l1_lines_per_cycle *
                                               (in->lines > 4 ? model->l1_apart_factor : 1),
                                           in->store ? 0 : in->missed / model->l1_fill_sectors_per_cycle),
                                    larger(in->wavefronts, 1));
        }
}

/* Sectors that go beyond L1, and what of those loads DRAM gives. */
struct traffic {
    double missed, stored; /* and in how many lines: */
    double missed_lines, stored_lines;
    double crossing; /* of a sector missed: whether it comes from L2's other half */
    double waiting;  /* of what DRAM gives: whether it was under way */
    double dram_share,
        fetched; /* of a sector missed: whether DRAM gives it; sectors that DRAM reads for it */
    double written_back,
        completed; /* of a sector stored: sectors that DRAM writes, and reads for what was not written */
    double atomic_read,
        atomic_written; /* the same of a sector that atomics touch: what loads and stores do not explain */
};

/* Of two halves each has what its own SMs asked for. So many times data are read in so many reads: a datum crosses once if any SM
 * of the half asks for it where it is not at home. */
static double crossing(double data, double reads) {
    double times = reads / data;
    return times > 1 ? (1 - pow(0.5, times)) / times : 0.5;
}

static struct traffic traffic_of(const struct gpu_launch *launch) {
    const struct counters *c = launch->counters;
    const struct gpu_code *code = launch->code;
    struct traffic sum = {0};
    double atomics = 0, from_dram = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            const struct gpu_instruction *in = &code->instructions[i];
            double runs = code->blocks[b].runs * in->active;
            atomics += in->access == GPU_ACCESS_ATOMIC ? runs * in->sectors : 0;
            if (in->access != GPU_ACCESS_GLOBAL && in->access != GPU_ACCESS_LOCAL)
                continue;
            *(in->store ? &sum.stored : &sum.missed) += runs * (in->store ? in->sectors : in->missed);
            double lines = in->store || in->sectors <= 0 ? in->lines : in->lines * in->missed / in->sectors;
            *(in->store ? &sum.stored_lines : &sum.missed_lines) += runs * lines;
            from_dram += in->store ? 0 : runs * in->missed * (in->far >= 0 ? in->far : 1);
        }
    double read = (double)c->l2_read_sectors, written = (double)c->l2_write_sectors;
    double dram_read = (double)(c->dram_read_bytes - c->dram_fill_bytes) / 32, theirs = 0;
    if (atomics > 0) {
        theirs = larger(dram_read - 2 * from_dram, 0); /* DRAM gives two sectors at a time */
        sum.atomic_read = theirs / atomics;
        sum.atomic_written = larger((double)c->dram_write_bytes / 32 - written, 0) / atomics;
    }
    if (read > 0) {
        sum.dram_share = 1 - smaller((double)(c->l2_read_hit_sectors - c->l2_read_waiting_sectors) / read, 1);
        sum.fetched = (dram_read - theirs) / read;
        sum.crossing = crossing(larger(dram_read - theirs, 1), read);
        double late = read - (double)c->l2_read_hit_sectors + (double)c->l2_read_waiting_sectors;
        sum.waiting = late > 0 ? (double)c->l2_read_waiting_sectors / late : 0;
    }
    if (written > 0) {
        sum.written_back = smaller((double)c->dram_write_bytes / 32 / written, 1);
        sum.completed = smaller((double)c->dram_fill_bytes / 32 / written, 1);
    }
    return sum;
}

/* What L2 takes for that: its halves, their requests, what crosses between them. */
static double l2_cycles(const struct gpu_model *model, const struct traffic *t) {
    double stored = t->stored / model->l2_write_sectors_per_cycle;
    if (model->l2_different >= 1)
        return t->missed / model->l2_sectors_per_cycle + stored;
    double sectors = t->missed * (1 + t->crossing) + 1.5 * t->stored;
    double requests = t->missed_lines + t->missed * t->crossing / 4 + 1.5 * t->stored_lines;
    double crossed = 2 * t->missed * t->crossing / model->l2_write_sectors_per_cycle;
    return larger(larger(sectors / model->l2_sectors_per_cycle, requests / model->l2_requests_per_cycle),
                  stored + crossed);
}

/* Executions of accesses of that kind, by all warps. */
static double executions_of(const struct gpu_code *code, enum gpu_access access) {
    double sum = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            sum += code->instructions[i].access == access ? code->blocks[b].runs : 0;
    return sum;
}

/* How much more the busiest SM has to do than its number of blocks says: blocks go where room is, so no more than one block on top. */
static double imbalance(const struct gpu_launch *launch) {
    double all = 0, most = 0;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        all += (double)launch->sms[i].counters.warp_instructions;
    if (launch->sm_count == 0)
        return 1;
    double average = all / launch->sm_count;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        most = larger(most, smaller((double)launch->sms[i].counters.warp_instructions,
                                    average + (double)launch->sms[i].largest_block_instructions));
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2],
           own = ceil(blocks / launch->sm_count);
    return all > 0 ? most / (all / blocks * own) : 1;
}

/* The share of SMs whose blocks do the work while those of the others end at once, by the instructions of the busiest and of the
 * idlest; 1: it is no such launch. Where an SM has several such blocks, others would have taken some of them. */
static double busy_share(const struct gpu_launch *launch) {
    double all = 0, most = 0, least = INFINITY, block = 0;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        double own = (double)launch->sms[i].counters.warp_instructions;
        all += own;
        if (own > most) {
            most = own;
            block = (double)launch->sms[i].largest_block_instructions;
        }
        least = smaller(least, own);
    }
    double average = launch->sm_count > 0 ? all / launch->sm_count : 0;
    double share = most > 2 * average && 2 * block > most ? (average - least) / (most - least) : 1;
    return share < 0.5 ? share : 1;
}

/* Whether each warp of a block executes as much as its longest: then it is blocks that differ, if anything does. */
static bool are_alike(const struct gpu_launch *launch, uint32_t warps_per_block) {
    double longest = (double)launch->longest_warps_of_all_blocks * warps_per_block;
    return longest > 0 && (double)launch->counters->warp_instructions > 0.98 * longest;
}

/* A walk in which about as much is executed as was counted: where few warps do most of the work, the first draw may meet none
 * of them, or too many. */
static bool walk_fairly(struct sm_load *load, struct sm_result *result) {
    enum { TRIES = 4 };
    const double good = 0.05;
    double best = INFINITY, offset = 0;
    /* the last one tried is not walked again where it is the best */
    for (int try = 0; try <= TRIES && best > good && (try < TRIES || load->offset != offset); try++) {
        load->offset = try < TRIES ? (double)try / TRIES : offset; /* the best of them once more */
        if (load->code->waits != NULL)
            memset(load->code->waits, 0,
                   (size_t)load->code->instruction_count * GPU_STALL_COUNT * sizeof *load->code->waits);
        if (!sm_walk(load, result))
            return false;
        double off = fabs(result->issued / larger(result->expected, 1) - 1);
        if (off < best) {
            best = off;
            offset = load->offset;
        }
    }
    return true;
}

/* What is walked once depends on whose data come late: of short launches there is time for several walks, and their mean. */
static bool walk(struct sm_load *load, struct sm_result *result) {
    enum { WALKS = 4 };
    if (!walk_fairly(load, result))
        return false;
    struct sm_load again = *load;
    struct gpu_code code = *load->code;
    double walks = fmin(floor((double)load->budget / 2 / larger(result->issued, 1)), WALKS), cycles = 0,
           lives = 0;
    code.waits = NULL;
    again.code = &code;
    for (int i = 1; i < walks; i++) {
        struct sm_result other;
        again.phase = i / walks;
        if (!sm_walk(&again, &other))
            return false;
        cycles += other.cycles;
        lives += other.warp_cycles;
    }
    if (walks > 1) {
        result->cycles = (result->cycles + cycles) / walks;
        result->warp_cycles = (result->warp_cycles + lives) / walks;
    }
    return true;
}

/* Cycles that the longest of all warps takes if nothing else runs and no data are waited for. */
static double alone(const struct gpu_launch *launch) {
    const struct gpu_code *code = launch->code;
    double stalls = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            stalls += code->blocks[b].runs * larger(code->instructions[i].stall, 1);
    double counted = (double)launch->counters->warp_instructions;
    return counted > 0 ? stalls * (double)launch->longest_warp_instructions / counted : 0;
}

/*
 * How long the longest warp goes on when the usual ones have ended. Until then it went as fast as they; then as one whose block is
 * alone on its SM. Where blocks come one after the other, it is the later the more of them there are that it begins with the last ones.
 * Warps that wait for each other again and again are as long as the longest of their block. False: out of memory.
 */
static bool outlasts(const struct gpu_launch *launch, const struct sm_load *load,
                     const struct sm_result *result, double waves, double *cycles) {
    const struct counters *c = launch->counters;
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    double mean = (double)c->warp_instructions / larger(blocks * load->warps_per_block, 1);
    double usual = (double)launch->longest_warps_of_all_blocks / larger(blocks, 1);
    *cycles = 0;
    if (mean <= 0 || usual <= 0)
        return true;
    bool apart = executions_of(load->code, GPU_ACCESS_BARRIER) <= load->code->warps;
    /* all in instructions of a warp on average */
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

bool gpu_code_time(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time) {
    const struct counters *c = launch->counters;
    const struct gpu_code *code = launch->code;
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct gpu_occupancy fit = gpu_occupancy(model, threads, launch->registers, launch->shared_bytes);
    uint32_t warps_per_block = (threads + 31) / 32;
    if (fit.blocks_per_sm == 0)
        return false;
    *time = (struct gpu_time){.by_code = true};
    time->occupancy_theoretical = fit.fraction;
    time->waves = blocks / ((double)model->sm_count * fit.blocks_per_sm);

    double cycles[GPU_UNIT_COUNT] = {0}, sms = smaller(blocks, model->sm_count);
    pipe_cycles(model, code, cycles);
    double own_blocks = ceil(blocks / model->sm_count), share = own_blocks / blocks;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        cycles[unit] *= share;
    struct traffic traffic = traffic_of(launch);
    cycles[GPU_L2] = l2_cycles(model, &traffic);
    double sector_cycles = 32 * model->clock_mhz / (model->dram_gbs * 1000);
    cycles[GPU_DRAM] = sector_cycles * (traffic.missed * traffic.fetched +
                                        traffic.stored * (traffic.written_back + traffic.completed));
    cycles[GPU_ATOMIC] = gpu_meeting_cycles(model, c);
    double atomics = executions_of(code, GPU_ACCESS_ATOMIC), busy = busy_share(launch);

    struct sm_load load = {.model = model,
                           .code = code,
                           .warps_per_block = warps_per_block,
                           .resident_blocks = fit.blocks_per_sm,
                           .blocks = own_blocks,
                           .active_sms = (uint32_t)larger(sms * busy, 1),
                           .dram_share = traffic.dram_share,
                           .waiting = traffic.waiting,
                           .crossing = traffic.crossing,
                           .fetched = traffic.fetched,
                           .written_back = traffic.written_back,
                           .completed = traffic.completed,
                           .atomic_read = traffic.atomic_read,
                           .atomic_written = traffic.atomic_written,
                           .atomic_cycles = atomics > 0 ? gpu_atomic_cycles(model, c) / (atomics * share) : 0,
                           .busy = busy,
                           .alike = are_alike(launch, warps_per_block),
                           .budget = BUDGET};
    /* Local memory of all threads that are there together, beside what L1 and L2 hold. */
    double local = (double)code->local_bytes * fmin(own_blocks, fit.blocks_per_sm) * threads;
    double l1 = larger((double)model->l1_bytes - (double)launch->shared_bytes * fit.blocks_per_sm, 1);
    if (local > 0) {
        load.local_missed = larger(1 - l1 / local, 0);
        double held = (double)model->l2_bytes / (local * sms);
        load.local_dram = larger(1 - held, 0);
        /* come back to in turn: of what does not all fit, hardly a part is still there */
        load.local_back = smaller(larger(2 * (1 - held * model->l2_different), 0), 1);
    }
    struct sm_result result;
    if (!walk(&load, &result))
        return false;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        time->stalls[i] = result.stalls[i] / larger(result.issued, 1);
    double total = result.cycles, more = imbalance(launch);
    if (more > 1 && busy >= 1)
        total = result.warp_cycles + (total - result.warp_cycles) * more;
    double busiest = 0, longer = 0;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        busiest = larger(busiest, cycles[unit]);
    if (busy >= 1 && !outlasts(launch, &load, &result, time->waves, &longer))
        return false;
    total += longer;
    total = larger(total, alone(launch));
    total = larger(total, busiest);
    total += (double)launch->longest_sleep_ns * model->clock_mhz / 1000;

    double instructions = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        instructions += code->blocks[b].runs * (code->blocks[b].end - code->blocks[b].first);
    time->machine_instructions = instructions;

    time->limiter = GPU_ISSUE;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (cycles[unit] > cycles[time->limiter])
            time->limiter = (enum gpu_unit)unit;
    cycles[GPU_LATENCY] = larger(total - cycles[time->limiter], 0);
    if (cycles[GPU_LATENCY] > cycles[time->limiter])
        time->limiter = GPU_LATENCY;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        time->unit_us[unit] = cycles[unit] / model->clock_mhz;
    time->unit_us[GPU_LAUNCH] = model->launch_us;
    time->time_us = total / model->clock_mhz + model->launch_us;
    if (time->unit_us[GPU_LAUNCH] > time->unit_us[time->limiter])
        time->limiter = GPU_LAUNCH;
    double resident = smaller(own_blocks, fit.blocks_per_sm) * warps_per_block;
    double lived =
        total > 0 ? result.warp_cycles * own_blocks * warps_per_block / total / model->max_warps_per_sm : 0;
    time->occupancy_achieved = smaller(smaller(lived, fit.fraction), resident / model->max_warps_per_sm);
    double whole = floor(time->waves);
    if (time->waves > whole)
        time->tail = larger(1 - whole / ceil(time->waves), 0) * (time->waves - whole < 1 ? 1 : 0);
    return true;
}

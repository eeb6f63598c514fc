/* code_time.c: a launch's time from its machine code. One SM is walked instruction by instruction (sm.c);
 * this file adds up what the launch asks of each unit. */

#include "gpu/time/time_model.h"
#include "gpu/time/walk/longest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 250000 };

void gpu_code_free(struct gpu_code *code) {
    free(code->instructions);
    free(code->blocks);
    free(code->edges);
    free(code->waits);
    *code = (struct gpu_code){0};
}

/* Cycles that all executions occupy each pipe and memory, of all SMs added up. */
static void pipe_cycles(const struct gpu_model *model, const struct gpu_code *code,
                        double cycles[GPU_UNIT_COUNT]) {
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            const struct gpu_instruction *in = &code->instructions[i];
            double runs = code->blocks[b].runs, active = runs * in->active_share;
            cycles[GPU_ISSUE] += runs / model->issue_rate;
            switch ((enum gpu_pipe)in->pipe) {
            case GPU_PIPE_FMA: cycles[GPU_FMA] += runs / model->fma_rate; break;
            case GPU_PIPE_HEAVY: cycles[GPU_FMA] += runs * in->issue_passes / model->imad_rate; break;
            case GPU_PIPE_ALU: cycles[GPU_ALU] += runs / model->int_rate; break;
            case GPU_PIPE_FP64: cycles[GPU_FP64] += runs / model->fp64_rate; break;
            case GPU_PIPE_TENSOR: cycles[GPU_TENSOR] += runs * in->issue_passes / model->tensor_rate; break;
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
                cycles[GPU_L1] += active * sm_l1_cycles(model, in) + runs - active;
        }
}

/* Traffic beyond L1. */
struct traffic {
    double missed, stored;             /* sectors */
    double missed_lines, stored_lines; /* lines of those */
    double ahead, ahead_lines;         /* prefetched sectors, not among the missed; their lines */
    double crossing_share;             /* fraction of missed sectors that come from L2's other half */
    double dram_share;                 /* fraction of missed sectors that come from DRAM */
    double pending_share;              /* fraction of those that were already requested */
    double dram_reads;                 /* sectors that DRAM reads per sector missed */
    double store_dram_writes,
        store_dram_reads; /* sectors of DRAM per sector stored; reads complete partial ones */
    double atomic_dram_reads,
        atomic_dram_writes; /* sectors of DRAM per sector of atomics: what the others do not explain */
};

/* Fraction of reads that cross between L2's halves, `reads` of `data` sectors. Each half keeps
 * what its own SMs asked for, so a sector crosses once if any SM of the half that is not its
 * home asks for it. */
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
            double runs = code->blocks[b].runs * in->active_share;
            atomics += in->access == GPU_ACCESS_ATOMIC ? runs * in->sectors : 0;
            bool ahead = in->access == GPU_ACCESS_PREFETCH;
            if (in->access != GPU_ACCESS_GLOBAL && in->access != GPU_ACCESS_LOCAL && !ahead)
                continue;
            double share = in->store ? share_of_together(in) : 1;
            *(in->store ? &sum.stored
              : ahead   ? &sum.ahead
                        : &sum.missed) += runs * (in->store ? in->sectors * share : in->missed_sectors);
            double lines = in->store || in->sectors <= 0 ? in->lines * share
                                                         : in->lines * in->missed_sectors / in->sectors;
            *(in->store ? &sum.stored_lines : ahead ? &sum.ahead_lines : &sum.missed_lines) += runs * lines;
            from_dram +=
                in->store ? 0 : runs * in->missed_sectors * (in->dram_share >= 0 ? in->dram_share : 1);
        }
    double read = (double)c->l2_read_sectors, written = (double)c->l2_write_sectors;
    double dram_read = (double)(c->dram_read_bytes - c->dram_fill_bytes) / 32, theirs = 0;
    if (atomics > 0) {
        theirs = larger(dram_read - 2 * from_dram, 0); /* DRAM gives two sectors at a time */
        sum.atomic_dram_reads = theirs / atomics;
        sum.atomic_dram_writes = larger((double)c->dram_write_bytes / 32 - written, 0) / atomics;
    }
    if (read > 0) {
        sum.dram_share = 1 - smaller((double)(c->l2_read_hit_sectors - c->l2_read_waiting_sectors) / read, 1);
        sum.dram_reads = (dram_read - theirs) / read;
        sum.crossing_share = crossing(larger(dram_read - theirs, 1), read);
        double late = read - (double)c->l2_read_hit_sectors + (double)c->l2_read_waiting_sectors;
        sum.pending_share = late > 0 ? (double)c->l2_read_waiting_sectors / late : 0;
    }
    if (written > 0) {
        sum.store_dram_writes = smaller((double)c->dram_write_bytes / 32 / written, 1);
        sum.store_dram_reads = smaller((double)c->dram_fill_bytes / 32 / written, 1);
    }
    return sum;
}

/* Cycles of L2: sectors and requests of its halves, and what crosses between them. */
static double l2_cycles(const struct gpu_model *model, const struct traffic *t) {
    double stored = t->stored / model->l2_write_sectors_per_cycle;
    if (model->l2_different >= 1)
        return t->missed / model->l2_sectors_per_cycle + stored;
    double sectors = t->missed * (1 + t->crossing_share) + 1.5 * t->stored;
    double requests =
        t->missed_lines + t->ahead_lines + t->missed * t->crossing_share / 4 + 1.5 * t->stored_lines;
    double crossed = 2 * t->missed * t->crossing_share / model->l2_write_sectors_per_cycle;
    return larger(larger(sectors / model->l2_sectors_per_cycle, requests / model->l2_requests_per_cycle),
                  stored + crossed);
}

/* Factor of the busiest SM's instructions over those of its number of blocks. Blocks go where
 * room is, so it has one block more at most. */
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

/* Fraction of SMs whose blocks do the work while those of the others end at once, by the
 * instructions of the busiest and of the idlest SM; 1: all work. Where an SM has several such
 * blocks, others would have taken some of them. */
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

/* Whether each warp of a block executes as much as its longest: then it is blocks that differ,
 * if anything does. */
static bool are_alike(const struct gpu_launch *launch, uint32_t warps_per_block) {
    double longest = (double)launch->longest_warps_of_all_blocks * warps_per_block;
    return longest > 0 && (double)launch->counters->warp_instructions > 0.98 * longest;
}

/* Walks with several path phases until about as much is executed as was counted. Where few warps
 * do most of the work, a phase may walk none of them, or too many. */
static bool walk_fairly(struct sm_load *load, struct sm_result *result) {
    enum { TRIES = 4 };
    const double good = 0.05;
    double best = INFINITY, offset = 0;
    /* the last one tried is not walked again where it is the best */
    for (int try = 0; try <= TRIES && best > good && (try < TRIES || load->path_phase != offset); try++) {
        load->path_phase = try < TRIES ? (double)try / TRIES : offset; /* the best phase once more */
        if (load->code->waits != NULL)
            memset(load->code->waits, 0,
                   (size_t)load->code->instruction_count * GPU_STALL_COUNT * sizeof *load->code->waits);
        if (!sm_walk(load, result))
            return false;
        double off = fabs(result->issued / larger(result->expected, 1) - 1);
        if (off < best) {
            best = off;
            offset = load->path_phase;
        }
    }
    return true;
}

/* Short launches are walked several times, each with other loads that have long latencies; the
 * result is the mean. */
static bool walk(struct sm_load *load, struct sm_result *result) {
    enum { WALKS = 4 };
    if (load->blocks_differ)
        return sm_walk(load, result);
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
        again.latency_phase = i / walks;
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

/* Spilled registers and local arrays of all resident threads, beside what L1 and L2 hold. */
static void set_local(const struct gpu_model *model, const struct gpu_launch *launch, uint32_t threads,
                      double sms, struct sm_load *load) {
    double resident = fmin(load->blocks, load->resident_blocks);
    double local = (double)launch->code->local_bytes * resident * threads;
    if (local <= 0)
        return;
    double l1 = larger((double)model->l1_bytes - (double)launch->shared_bytes * load->resident_blocks, 1);
    double held = (double)model->l2_bytes / (local * sms);
    load->local_miss_share = model->spill_miss_share * larger(1 - l1 / local, 0);
    load->local_dram_share = larger(1 - held, 0);
    /* arrays are read again in turn: what does not all fit is hardly there any more */
    load->local_reload_share = smaller(larger(2 * (1 - held * model->l2_different), 0), 1);
}

/* The walk's input for the SM with the most blocks. */
static struct sm_load load_of(const struct gpu_model *model, const struct gpu_launch *launch,
                              const struct traffic *traffic, const struct gpu_occupancy *fit, double blocks) {
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t warps_per_block = (threads + 31) / 32;
    double sms = smaller(blocks, model->sm_count), own_blocks = ceil(blocks / model->sm_count), counted = 1;
    if (launch->whole_waves) {
        double whole = ceil(blocks / model->sm_count / fit->blocks_per_sm) * fit->blocks_per_sm;
        counted = blocks / model->sm_count / whole;
        own_blocks = whole;
    }
    double busy = busy_share(launch), atomics = longest_executions(launch->code, GPU_ACCESS_ATOMIC);
    double cycles = gpu_atomic_cycles(model, launch->counters);
    struct sm_load load = {.model = model,
                           .code = launch->code,
                           .warps_per_block = warps_per_block,
                           .resident_blocks = fit->blocks_per_sm,
                           .blocks = own_blocks,
                           .counted = counted,
                           .active_sms = (uint32_t)larger(sms * busy, 1),
                           .dram_share = traffic->dram_share,
                           .pending_share = traffic->pending_share,
                           .crossing_share = traffic->crossing_share,
                           .dram_reads = traffic->dram_reads,
                           .store_dram_writes = traffic->store_dram_writes,
                           .store_dram_reads = traffic->store_dram_reads,
                           .atomic_dram_reads = traffic->atomic_dram_reads,
                           .atomic_dram_writes = traffic->atomic_dram_writes,
                           .atomic_cycles = atomics > 0 ? cycles / (atomics * (own_blocks / blocks)) : 0,
                           .busy_share = busy,
                           .block_uniform = are_alike(launch, warps_per_block),
                           .blocks_differ = busy >= 1 && longest_differs(launch, blocks),
                           .budget = BUDGET};
    set_local(model, launch, threads, sms, &load);
    return load;
}

/* Cycles that the launch occupies each unit, on the SM with the most blocks, or on the whole
 * chip. */
static void unit_cycles(const struct gpu_model *model, const struct gpu_launch *launch,
                        const struct traffic *traffic, double share, double cycles[GPU_UNIT_COUNT]) {
    pipe_cycles(model, launch->code, cycles);
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        cycles[unit] *= share;
    cycles[GPU_L2] = l2_cycles(model, traffic);
    double sector_cycles = 32 * model->clock_mhz / (model->dram_gbs * 1000);
    cycles[GPU_DRAM] =
        sector_cycles * ((traffic->missed + traffic->ahead) * traffic->dram_reads +
                         traffic->stored * (traffic->store_dram_writes + traffic->store_dram_reads));
    cycles[GPU_ATOMIC] = gpu_contention_cycles(model, launch->counters);
}

/* Blocks that an SM has one after the other. */
static double rounds(const struct sm_load *load) {
    return ceil(load->blocks / load->resident_blocks);
}

/* Cycles of a bulk copy that is waited for, by the bytes of all copies on average. */
static double copy_cycles(const struct sm_load *load) {
    const struct gpu_code *code = load->code;
    double sectors = 0, runs = 0;
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            if (code->instructions[i].copy == GPU_COPY_STARTS) {
                sectors += code->blocks[b].runs * code->instructions[i].sectors;
                runs += code->blocks[b].runs;
            }
    double share = load->model->dram_gbs * 1000 / load->model->clock_mhz / 32 / load->active_sms;
    return load->model->bulk_copy_cycles +
           sectors / larger(runs, 1) / smaller(share, load->model->sm_l2_sectors_per_cycle);
}

/* Cycles of an SM's blocks where their warps take turns, by barriers or mbarriers, or wait for bulk
 * copies or for a warp that sleeps. The walk draws which warp takes which way, so it does not know
 * of them. A block takes as long as a warp that is alone and executes the longest chain of
 * instructions of which each waits for the one before. An SM has as many of these blocks as the
 * chains of all its blocks are long, over the longest: blocks that end at once shorten none.
 * 0: there is nothing of the kind. False: out of memory. */
static bool chain_cycles(const struct gpu_launch *launch, const struct sm_load *load, double *cycles) {
    const double own = 1.25; /* a longer chain than so many times the longest warp is one of several warps */
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    double chain = (double)launch->chains_of_all_blocks / blocks;
    double copies = (double)launch->copy_chains_of_all_blocks / blocks;
    double slept = (double)launch->sleep_chains_of_all_blocks_ns / blocks;
    *cycles = 0;
    if (copies <= 0 && launch->sleep_chains_of_all_blocks_ns <= launch->longest_sleeps_of_all_blocks_ns &&
        chain <= own * (double)launch->longest_warps_of_all_blocks / blocks)
        return true;
    double usual = (double)launch->counters->warp_instructions / (blocks * load->warps_per_block);
    struct gpu_code code = *launch->code;
    struct sm_load alone = *load;
    struct sm_result result;
    code.waits = NULL;
    alone.code = &code;
    alone.warps_per_block = alone.resident_blocks = 1;
    alone.blocks = 1;
    alone.which = SM_ALL_BLOCKS;
    if (!sm_walk(&alone, &result))
        return false;
    double instruction = result.warp_cycles / larger(usual, 1), copy = copy_cycles(load);
    double ns = load->model->clock_mhz / 1000, average = chain * instruction + copies * copy + slept * ns;
    double longest = larger(average, (double)launch->longest_chain * instruction +
                                         (double)launch->longest_chain_copies * copy +
                                         (double)launch->longest_chain_slept_ns * ns);
    double as_long = load->blocks * average / larger(longest, 1);
    *cycles = ceil(as_long / load->resident_blocks - 1e-9) * longest;
    return true;
}

/* Cycles of the launch: those of the walked SM, more for the busiest SM and for the longest
 * warp; at least those of the busiest unit. False: out of memory. */
static bool total_cycles(const struct gpu_launch *launch, const struct sm_load *load,
                         const struct sm_result *result, double waves, const double cycles[GPU_UNIT_COUNT],
                         double *total) {
    bool alike = load->which == SM_USUAL_BLOCKS;
    double more = alike ? 1 : imbalance(launch), longer = 0;
    *total = result->cycles * load->counted;
    if (more > 1 && load->busy_share >= 1)
        *total = result->warp_cycles + (*total - result->warp_cycles) * more;
    if (load->busy_share >= 1 && !alike && !longest_outlasts(launch, load, result, waves, &longer))
        return false;
    *total += longer;
    if (!alike)
        *total = larger(*total, longest_alone(launch));
    /* not L1: the walk has charged its cycles, access by access */
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        *total = larger(*total, unit != GPU_L1 ? cycles[unit] : 0);
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    double cycles_per_ns = load->model->clock_mhz / 1000;
    double slept = (double)launch->longest_sleeps_of_all_blocks_ns / blocks * cycles_per_ns;
    double longest = larger((double)launch->longest_sleep_ns * cycles_per_ns, slept);
    *total += rounds(load) * slept + longest - slept;
    *total += (double)launch->grid_syncs / blocks * load->model->grid_sync_cycles;
    return true;
}

/* Which blocks an SM has is drawn. Where blocks differ, the time of one draw may be a tenth off the
 * mean: adds further draws to the first one's result and total, and makes these the mean of all.
 * Code beyond the SM's instruction cache takes more draws: which warps share what is fetched hangs on
 * little. The pairs of phases are a Fibonacci lattice: they lie evenly. False: out of memory. */
static bool draw_on(const struct gpu_launch *launch, struct sm_load *load, double waves,
                    const double cycles[GPU_UNIT_COUNT], struct sm_result *result, double *total) {
    bool fits = 16 * (double)load->code->instruction_count <= load->model->code_bytes;
    int draws = launch->few_draws ? 5 : fits ? 13 : 144, step = draws == 5 ? 3 : fits ? 8 : 89;
    double lives = result->warp_cycles;
    for (int i = 1; i < draws; i++) {
        struct sm_result other;
        double its_total;
        load->latency_phase = (double)i / draws;
        load->path_phase = fmod((double)step * i / draws, 1);
        if (!sm_walk(load, &other) || !total_cycles(launch, load, &other, waves, cycles, &its_total))
            return false;
        *total += its_total;
        lives += other.warp_cycles;
        result->issued += other.issued;
        for (int k = 0; k < GPU_STALL_COUNT; k++)
            result->stalls[k] += other.stalls[k];
    }
    *total /= draws;
    result->warp_cycles = lives / draws;
    return true;
}

/* The unit with the most cycles; GPU_LATENCY if more of the total is left over than that unit
 * takes; GPU_LAUNCH if that is more. */
static void set_units(const struct gpu_model *model, double total, double cycles[GPU_UNIT_COUNT],
                      struct gpu_time *time) {
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
}

bool gpu_code_time(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time) {
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct gpu_occupancy fit = gpu_occupancy(model, threads, launch->registers, launch->shared_bytes);
    if (fit.blocks_per_sm == 0)
        return false;
    *time = (struct gpu_time){.by_code = true, .occupancy_theoretical = fit.fraction};
    time->waves = blocks / ((double)model->sm_count * fit.blocks_per_sm);

    struct traffic traffic = traffic_of(launch);
    struct sm_load load = load_of(model, launch, &traffic, &fit, blocks);
    struct sm_result result = {0};
    double cycles[GPU_UNIT_COUNT] = {0}, total;
    struct rare_work work;
    unit_cycles(model, launch, &traffic, load.counted * load.blocks / blocks, cycles);
    if (!longest_find_rare(launch, blocks, &load, &work) || !walk(&load, &result) ||
        !total_cycles(launch, &load, &result, time->waves, cycles, &total) ||
        (load.blocks_differ && !draw_on(launch, &load, time->waves, cycles, &result, &total)))
        return false;
    if (load.which == SM_USUAL_BLOCKS &&
        !longest_add_rare(&load, &work, blocks, time->waves, &result, &total))
        return false;
    double chained;
    if (!chain_cycles(launch, &load, &chained))
        return false;
    total = larger(total, chained) / (1 - launch->code->absent);
    set_units(model, total, cycles, time);

    for (int i = 0; i < GPU_STALL_COUNT; i++)
        time->stalls[i] = result.stalls[i] / larger(result.issued, 1);
    for (uint32_t b = 0; b < launch->code->block_count; b++)
        time->machine_instructions +=
            launch->code->blocks[b].runs * (launch->code->blocks[b].end - launch->code->blocks[b].first);
    double resident = smaller(load.blocks, fit.blocks_per_sm) * load.warps_per_block;
    double lived =
        total > 0 ? result.warp_cycles * load.blocks * load.warps_per_block / total / model->max_warps_per_sm
                  : 0;
    time->occupancy_achieved = smaller(smaller(lived, fit.fraction), resident / model->max_warps_per_sm);
    double whole = floor(time->waves);
    if (time->waves > whole)
        time->tail = larger(1 - whole / ceil(time->waves), 0) * (time->waves - whole < 1 ? 1 : 0);
    return true;
}

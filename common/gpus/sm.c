/* sm.c: see sm.h. Time goes by events: of the four schedulers, the one that can issue earliest does. */
#include "gpus/late.h"
#include "gpus/meets.h"
#include "gpus/sm_state.h"
#include "gpus/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of the budget up to which a launch is walked whole, or its loops are shortened to. */
static const double whole = 1.75;

/* Cycles between two instructions of a pipe in one scheduler's quarter. */
static double interval(const struct gpu_model *model, uint8_t pipe) {
    switch ((enum gpu_pipe)pipe) {
    case GPU_PIPE_FMA: return SCHEDULERS / model->fma_rate;
    case GPU_PIPE_HEAVY: return SCHEDULERS / model->imad_rate;
    case GPU_PIPE_ALU: return SCHEDULERS / model->int_rate;
    case GPU_PIPE_FP64: return SCHEDULERS / model->fp64_rate;
    case GPU_PIPE_XU: return SCHEDULERS / model->special_rate;
    case GPU_PIPE_UNIFORM: return SCHEDULERS / model->uniform_rate;
    default: return 1;
    }
}

/* ---- memory */

static double take(double *server, double at, double cycles) {
    *server = larger(*server, at) + cycles;
    return *server;
}

/* Whether this request misses, by what has added up. */
static bool draws(float *sum, double share) {
    *sum += (float)share;
    if (*sum < 1 - 1e-4F)
        return false;
    *sum -= 1;
    return true;
}

/* Whether this visit of a warp's misses. Warps of a block that do the same miss together. */
static bool draws_at(struct sm *sm, const struct warp *warp, uint32_t i, double share) {
    uint32_t *visits = &sm->visits[(size_t)(warp - sm->warps) * sm->code->instruction_count + i];
    uint32_t block = warp->index / sm->load->warps_per_block;
    double phase = fmod(0.6180339887 * (block + 1) + 0.381966 * i, 1);
    double before = floor(*visits * share + phase);
    ++*visits;
    return floor(*visits * share + phase) > before;
}

/* How much longer DRAM takes where each line gives a sector, so that hardly two lie in a row of its banks. */
static double scattered(const struct gpu_instruction *in, double weight) {
    double single = lines_for_sector(in);
    return single > 0.5 ? 1 + weight * (single - 0.5) : 1;
}

static bool has_halves(const struct sm *sm) {
    return sm->fabric_sector > 0;
}

/*
 * L2 is two halves, and each datum is at home in one of them. A half that has not got it asks the other: that is a request more, of two
 * sectors at least, and what crosses between them is less than either gives.
 */
static double l2_gives(struct sm *sm, double sectors, double lines, bool local, double at) {
    double crossing = !has_halves(sm) ? 0 : local ? 0.5 : sm->load->crossing;
    double requests = lines + crossing * sectors / larger(2, sectors / lines);
    double given =
        take(&sm->l2, at, larger(sectors * (1 + crossing) * sm->l2_sector, requests * sm->l2_request)) +
        late_l2(sm, lines);
    double crossed = take(&sm->fabric, at, crossing * sectors * sm->fabric_sector);
    return crossing > 0 ? larger(given, crossed + sm->model->latency_l2) : given;
}

/* What is stored, or added to, goes on to the half where it is at home, which every other time is not the nearer one. */
static void l2_takes(struct sm *sm, double sectors, double requests, double crossing, double at) {
    double twice = has_halves(sm) ? 1.5 : 1;
    take(&sm->l2, at, larger(sectors * twice * sm->l2_sector, requests * twice * sm->l2_request));
    take(&sm->fabric, at, crossing / 2 * sm->fabric_sector);
}

/* A load that the LSU took at `at`: when its data are there. */
static double load_arrives(struct sm *sm, const struct warp *warp, const struct gpu_instruction *in,
                           double at) {
    uint32_t i = (uint32_t)(in - sm->code->instructions);
    double missed = in->spill ? in->sectors * sm->load->local_missed : in->missed;
    double late = in->spill && in->sectors > 0 ? missed / in->sectors : in->late;
    if (late <= 0 || !draws_at(sm, warp, i, late))
        return at + sm->model->latency_l1;
    double sectors = missed / late; /* what is on its way comes when it comes, and was asked for */
    bool local = in->access == GPU_ACCESS_LOCAL;
    double usual = sm->load->dram_share, own = in->far < 0 ? usual : in->far;
    double from_dram = in->spill ? sm->load->local_dram : local ? sm->load->local_back : own;
    double lines = in->lines * sectors / (in->sectors > 0 ? in->sectors : 1);
    double l2 = l2_gives(sm, sectors, lines, local, at);
    double far = lines > 1.5 ? 1 - pow(1 - (from_dram < 1 ? from_dram : 1), lines) : from_dram;
    if (far <= 0 || !draws(&sm->far[i], far < 1 ? far : 1))
        return l2;
    double fetched = local || usual <= 0 ? from_dram : sm->load->fetched * from_dram / usual;
    double dram = take(&sm->dram, at,
                       (local && !in->spill ? sm->model->dram_local_factor
                                            : scattered(in, sm->model->dram_load_row_factor)) *
                           sectors * (fetched / (far < 1 ? far : 1)) * sm->dram_sector);
    double late_by = late_dram(sm, warp, in, lines, from_dram);
    if (!local)
        late_by -=
            (late_by - sm->model->latency_l2) * sm->load->waiting * (1 - sm->model->dram_pending_factor);
    return larger(l2, dram + late_by);
}

/* What goes out of the SM takes slots until L2 has it: where there is none left, the load/store unit waits. */
static void go_out(struct sm *sm, double sectors, double done) {
    uint32_t most = sm->model->store_entries, of = sm->model->store_entry_sectors;
    uint32_t slots = sectors > of ? (uint32_t)ceil(sectors / of) : 1;
    for (uint32_t i = 0; i < slots && i < most; i++) {
        double *slot = &sm->slot[sm->next_slot++ % most];
        sm->lsu = larger(sm->lsu, *slot);
        *slot = done;
    }
}

/* A store: when it is on its way. It does not wait for data that loads brought to be sent, but takes its share of the way. */
static double store_leaves(struct sm *sm, const struct gpu_instruction *in, double at) {
    double single = lines_for_sector(in);
    double apart = single > 1 ? 1 : single < 0.25 ? 0 : (single - 0.25) / 0.75;
    double sectors = in->sectors * (1 + sm->model->partial_near_factor * in->fresh * (1 - apart) +
                                    sm->model->partial_apart_factor * in->partial * apart);
    double written = in->spill ? sm->load->local_dram : sm->load->written_back;
    double completed = in->spill ? 0 : sm->load->completed * in->partial;
    /* What is written in part and alone costs a row of DRAM twice. */
    double alone = written > 0 ? completed / written : 0;
    double back = in->sectors * (written + completed) *
                  (1 + alone * (scattered(in, sm->model->dram_store_row_factor) - 1)) * sm->dram_sector;
    l2_takes(sm, in->sectors, in->lines, sectors, at);
    take(&sm->dram, at, back);
    double done =
        larger(take(&sm->written, at, sectors * sm->written_sector), take(&sm->written_dram, at, back));
    go_out(sm, in->sectors, done);
    return done;
}

/* An atomic on global memory: L2 does it, with what DRAM gives where it has not got it. */
static double atomic_finishes(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t) {
    const struct sm_load *load = sm->load;
    double at = take(&sm->lsu, t, larger(in->lines + in->wavefronts, 1));
    l2_takes(sm, in->sectors, in->sectors, in->sectors, at);
    double dram = in->sectors * sm->dram_sector *
                  (load->atomic_read * scattered(in, sm->model->dram_load_row_factor) +
                   load->atomic_written * scattered(in, sm->model->dram_atomic_row_factor));
    at = take(&sm->atomic, at, load->atomic_cycles);
    if (dram > 0)
        at = larger(at, take(&sm->dram, t, dram));
    go_out(sm, in->sectors, at);
    warp->stored = larger(warp->stored, at);
    return at + sm->model->latency_l2 * sm->model->latency_atomic_factor;
}

/* Issued at t: when its result is there. */
static double finishes(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t) {
    const struct gpu_model *model = sm->model;
    double at;
    if (in->active < 1 && !draws(&sm->active[in - sm->code->instructions], in->active)) {
        if (in->pipe == GPU_PIPE_LSU) /* one that no thread does passes through all the same: scan_tree */
            take(&sm->lsu, t, 1);
        return t + model->latency_other;
    }
    switch ((enum gpu_access)in->access) {
    case GPU_ACCESS_SHUFFLE:
    case GPU_ACCESS_SHARED:
    case GPU_ACCESS_SHARED_ATOMIC:
        at = take(&sm->lsu, t, larger(in->wavefronts, 1));
        return at + model->latency_shared - 1;
    case GPU_ACCESS_LOCAL:
    case GPU_ACCESS_GLOBAL: {
        double data = larger(in->wavefronts, larger(in->bytes / 4.0, 1)); /* banks of 4 bytes, 32 lanes */
        if (in->sectors < 1.5)
            data = larger(in->wavefronts, 1);
        double tags = in->lines / model->l1_lines_per_cycle * (in->lines > 4 ? model->l1_apart_factor : 1);
        double fill = in->store ? 0 : in->missed / model->l1_fill_sectors_per_cycle;
        at = take(&sm->lsu, t, larger(larger(tags, data + fill), 1));
        if (!in->store)
            return load_arrives(sm, warp, in, at);
        warp->stored = larger(warp->stored, store_leaves(sm, in, at));
        return at + model->source_read_cycles;
    }
    case GPU_ACCESS_ATOMIC: return atomic_finishes(sm, warp, in, t);
    case GPU_ACCESS_CONSTANT:
        at = take(&sm->constant, t, larger(in->wavefronts, 1) / model->constant_rate);
        return at + model->latency_constant - 2;
    case GPU_ACCESS_FENCE: return larger(t + model->latency_l2, warp->stored);
    default: return t + (in->pipe == GPU_PIPE_XU ? model->latency_special : model->latency_other);
    }
}

/* ---- issue */

static void start_block(struct sm *sm, uint32_t slot, double at) {
    const struct sm_load *load = sm->load;
    double interval_here = sm->model->block_start_cycles * load->active_sms / (double)sm->model->sm_count;
    sm->launched = larger(sm->launched + interval_here, at);
    sm->slots[slot] = (struct slot){.alive = load->warps_per_block};
    for (uint32_t w = 0; w < load->warps_per_block; w++) {
        uint32_t at_warp = slot * load->warps_per_block + w;
        struct warp *warp = &sm->warps[at_warp];
        *warp = (struct warp){.slot = slot,
                              .index = (uint32_t)sm->started * load->warps_per_block + w,
                              .ready = sm->launched,
                              .issued = sm->launched,
                              .began = sm->launched,
                              .noted = sm->launched,
                              .alive = true};
        way_begin(sm, warp);
        memset(&sm->visits[(size_t)at_warp * sm->code->instruction_count], 0,
               sm->code->instruction_count * sizeof *sm->visits);
        warp->fetched = fetch_instruction(&sm->fetch, warp->next, sm->launched);
        scheduler_settle(sm, warp);
        struct scheduler *scheduler = &sm->schedulers[at_warp % SCHEDULERS];
        if (scheduler->next > sm->launched)
            scheduler->next = sm->launched;
    }
    sm->started++;
}

/* All that are left of the block are there: they go on. */
static void open_barrier(struct sm *sm, uint32_t slot) {
    struct slot *block = &sm->slots[slot];
    double at = block->last + sm->model->barrier_cycles;
    for (uint32_t w = 0; w < sm->load->warps_per_block; w++) {
        uint32_t index = slot * sm->load->warps_per_block + w;
        struct warp *warp = &sm->warps[index];
        if (!warp->alive || !warp->waits)
            continue;
        warp->waits = false;
        warp->ready = larger(warp->ready, at);
        warp->behind = GPU_STALL_BARRIER;
        warp->issued = warp->ready - 1;
        scheduler_settle(sm, warp);
        struct scheduler *scheduler = &sm->schedulers[index % SCHEDULERS];
        if (scheduler->next > warp->ready)
            scheduler->next = warp->ready;
    }
    block->arrived = 0;
}

static void end_warp(struct sm *sm, struct warp *warp, double t) {
    struct slot *slot = &sm->slots[warp->slot];
    sm->lives += t - warp->began;
    sm->lived++;
    sm->executed += warp->executed;
    slot->longest = larger(slot->longest, warp->executed);
    sm->end = larger(sm->end, larger(t, warp->stored));
    slot->alive--;
    if (slot->alive == 0) {
        sm->ended++;
        sm->longest += slot->longest;
        if (sm->started < sm->load->blocks)
            start_block(sm, warp->slot, t + sm->model->block_turnover);
    } else if (slot->arrived >= slot->alive) {
        open_barrier(sm, warp->slot);
    }
}

static void set_scoreboard(struct warp *warp, uint32_t which, double until, uint8_t kind) {
    if (until <= warp->free[which])
        return;
    warp->free[which] = until;
    warp->kind[which] = kind;
}

/* Issued at t: when it enters its unit, at once or after those that queue before it. */
static double enter_unit(struct sm *sm, struct scheduler *scheduler, enum waiting kind,
                         const struct gpu_instruction *in, double t) {
    double enters = t;
    if (kind != WAITING_NONE) {
        enters = larger(larger(t, scheduler->left), scheduler->unit[in->pipe]);
        double unit = in->access == GPU_ACCESS_CONSTANT ? sm->constant
                      : in->pipe == GPU_PIPE_LSU        ? sm->lsu
                                                        : 0;
        waiting_add(sm->model, scheduler, kind, larger(enters, unit));
    }
    if (in->pipe == GPU_PIPE_NONE)
        return enters;
    double cycles = sm->interval[in->pipe] * in->turns;
    scheduler->busy[in->pipe] = enters + cycles;
    scheduler->unit[in->pipe] = enters + cycles / sm->model->pipe_efficiency;
    return enters;
}

static void issue(struct sm *sm, struct scheduler *scheduler, struct warp *warp, double t) {
    const struct gpu_code *code = sm->code;
    const struct gpu_model *model = sm->model;
    const struct gpu_instruction *in = &code->instructions[warp->next];
    bool taken = false, goes_on = true;
    scheduler->free = t + 1 / model->pipe_efficiency;
    if (in->reads > 0) {
        scheduler->operands =
            larger(scheduler->operands, t) + model->operand_read_cycles * (1 + in->reads) / 2;
        scheduler->read = scheduler->operands + 1 - model->operand_backlog_cycles;
        scheduler->free = larger(scheduler->free, scheduler->read);
    }
    enum waiting kind = waiting_at(scheduler, (uint32_t)(warp - sm->warps) / SCHEDULERS);
    double enters = enter_unit(sm, scheduler, kind, in, t);
    double stall = in->stall > 0 ? in->stall : 1;
    if (in->write_scoreboard < GPU_SCOREBOARDS || in->read_scoreboard < GPU_SCOREBOARDS ||
        (in->access != GPU_ACCESS_NONE && in->access < GPU_ACCESS_BARRIER)) {
        double done = finishes(sm, warp, in, enters);
        if (in->write_scoreboard < GPU_SCOREBOARDS)
            set_scoreboard(warp, in->write_scoreboard, done, stalls_kind(in));
        if (in->read_scoreboard < GPU_SCOREBOARDS) {
            double read = larger(enters, in->pipe == GPU_PIPE_LSU ? sm->lsu : t) + model->source_read_cycles;
            set_scoreboard(warp, in->read_scoreboard, read, GPU_STALL_SHORT_SCOREBOARD);
        }
    }
    warp->issued = t;
    scheduler->last = (uint32_t)(warp - sm->warps);
    warp->ready = warp->stalled = t + stall;
    warp->noted = t + 1;
    warp->behind = GPU_STALL_BRANCH;
    sm->result->issued++;
    warp->executed++;
    bool barrier = in->access == GPU_ACCESS_BARRIER;
    uint32_t line = warp->next / FETCH_LINE;
    if (++warp->next == code->blocks[warp->block].end)
        goes_on = way_on(sm, warp, &taken);
    if (taken)
        warp->ready += model->taken_branch_cycles;
    if (goes_on && (taken || warp->next / FETCH_LINE != line))
        warp->fetched = fetch_instruction(&sm->fetch, warp->next, t + 1);
    struct slot *slot = &sm->slots[warp->slot];
    warp->alive = goes_on;
    warp->waits = goes_on && barrier;
    scheduler_settle(sm, warp);
    if (!goes_on) {
        end_warp(sm, warp, t + 1);
    } else if (barrier) {
        slot->last = take(&sm->barriers, t, model->barrier_warp_cycles); /* all blocks' come one by one */
        if (++slot->arrived >= slot->alive)
            open_barrier(sm, warp->slot);
    }
}

/*
 * How much there is to be walked through, and how much of it will be. Warps that began together end one after the other; of the
 * beginning alone little could be told. So a kernel whose first blocks are more than is to be walked is walked whole where
 * that is not far off; else its long loops make fewer trips; else its warps take turns, as if they all went on to the end.
 */
static bool plan(struct sm *sm) {
    const struct sm_load *load = sm->load;
    double most = (double)load->budget, shorter;
    for (uint32_t b = 0; b < sm->code->block_count; b++)
        sm->per_warp += sm->code->blocks[b].runs * (sm->code->blocks[b].end - sm->code->blocks[b].first);
    sm->per_warp /= sm->code->warps * load->busy;
    double warps = load->blocks * load->warps_per_block;
    double first = sm->per_warp * fmin(load->resident_blocks, load->blocks) * load->warps_per_block;
    sm->total = sm->per_warp * warps;
    sm->budget = most;
    if (sm->total <= most || first <= most / 2)
        return way_plan(sm, 1, &shorter);
    if (sm->total > whole * most) {
        if (!way_plan(sm, most / sm->total, &shorter))
            return false;
        sm->turns = shorter * warps > whole * most;
    }
    if (!sm->turns)
        sm->budget = whole * most;
    return (sm->total > whole * most && !sm->turns) || way_plan(sm, 1, &shorter);
}

static void walk(struct sm *sm) {
    const struct sm_load *load = sm->load;
    double half_time = 0, half_issued = 0, now = 0, total = sm->total, half = floor(sm->budget / 2);
    for (;;) {
        uint32_t first = 0;
        for (uint32_t s = 1; s < SCHEDULERS; s++)
            if (sm->schedulers[s].next < sm->schedulers[first].next)
                first = s;
        struct scheduler *scheduler = &sm->schedulers[first];
        if (scheduler->next == INFINITY)
            break;
        double at = 0;
        struct warp *warp = scheduler_choose(sm, first, &at);
        if (warp == NULL || at > scheduler->next) {
            scheduler->next = warp == NULL ? INFINITY : at;
            continue;
        }
        scheduler->next = at + 1;
        now = larger(now, at);
        stalls_issue(sm, first, warp, at);
        issue(sm, scheduler, warp, at);
        if (sm->result->issued == half) {
            half_time = now;
            half_issued = sm->result->issued;
        }
        if (sm->result->issued >= sm->budget)
            break;
    }
    double cycles = larger(now, sm->end), left = total - sm->result->issued;
    bool whole_walk = sm->result->issued < sm->budget || sm->result->issued > total;
    double more = whole_walk ? total / sm->result->issued : 1;
    if (sm->result->issued >= sm->budget && left > 0)
        cycles = larger(cycles, now + left * (now - half_time) / (sm->result->issued - half_issued));
    sm->result->expected = total <= load->budget ? total : sm->result->issued;
    sm->result->cycles =
        cycles * more; /* what was drawn is not quite what was counted, or loops were shorter */
    sm->result->longest =
        sm->ended > 0 && sm->executed > 0 ? sm->longest / sm->ended / (sm->executed / sm->lived) : 1;
    sm->result->varied = way_varies(sm);
    double together = fmin(load->resident_blocks, load->blocks) * load->warps_per_block;
    sm->result->warp_cycles = sm->lived > 0 ? sm->lives / sm->lived * more
                                            : now / larger(sm->result->issued, 1) * sm->per_warp * together;
}

bool sm_walk(const struct sm_load *load, struct sm_result *result) {
    const struct gpu_code *code = load->code;
    const struct gpu_model *model = load->model;
    *result = (struct sm_result){0};
    struct sm *sm = calloc(1, sizeof *sm);
    if (sm == NULL)
        return false;
    uint32_t warps = load->resident_blocks * load->warps_per_block;
    sm->load = load;
    sm->code = code;
    sm->model = model;
    sm->result = result;
    sm->credit = calloc(2 * (size_t)warps * (code->edge_count + 1), sizeof *sm->credit);
    sm->parted = calloc(code->edge_count + 1u, sizeof *sm->parted);
    sm->leader = calloc(code->edge_count + 1u, sizeof *sm->leader);
    sm->meets = calloc(code->block_count + 1u, sizeof *sm->meets);
    sm->far = calloc(2 * ((size_t)code->instruction_count + 1), sizeof *sm->far);
    sm->visits = calloc((size_t)warps * code->instruction_count + 1, sizeof *sm->visits);
    sm->start = calloc(code->edge_count + 1u, sizeof *sm->start);
    sm->together = calloc(code->block_count + 1u, sizeof *sm->together);
    sm->share = calloc(code->edge_count + 1u, sizeof *sm->share);
    bool right = sm->credit != NULL && sm->share != NULL && sm->start != NULL && sm->far != NULL &&
                 sm->visits != NULL && sm->together != NULL && sm->parted != NULL && sm->leader != NULL &&
                 sm->meets != NULL && warps <= WARPS && code_find_together(code, sm->together) &&
                 code_find_meets(code, sm->meets);
    right = fetch_begin(&sm->fetch, model, code) && stalls_begin(sm) && right && plan(sm);
    if (right) {
        sm->active = sm->far + code->instruction_count;
        double sectors = model->dram_gbs * 1000 / model->clock_mhz / 32;
        double sms = load->active_sms > 0 ? load->active_sms : 1;
        double most = model->sm_l2_sectors_per_cycle;
        sm->l2_sector = 1 / fmin(most, model->l2_sectors_per_cycle / sms);
        sm->l2_request = sms / model->l2_requests_per_cycle;
        sm->written_sector = 1 / fmin(most, model->l2_write_sectors_per_cycle / sms);
        sm->fabric_sector = model->l2_different < 1 ? 2 * sms / model->l2_write_sectors_per_cycle : 0;
        sm->dram_sector = 1 / fmin(most, sectors / sms);
        for (int pipe = 0; pipe < GPU_PIPE_COUNT; pipe++)
            sm->interval[pipe] = interval(model, (uint8_t)pipe);
        sm->launched = -model->block_start_cycles * sms / model->sm_count;
        for (uint32_t w = 0; w < WARPS; w++)
            scheduler_settle(sm, &sm->warps[w]); /* not there yet */
        for (uint32_t s = 0; s < SCHEDULERS; s++)
            sm->schedulers[s].last = s;
        for (uint32_t b = 0; b < load->resident_blocks && b < load->blocks; b++)
            start_block(sm, b, 0);
        walk(sm);
    }
    stalls_end(sm);
    fetch_end(&sm->fetch);
    free(sm->credit);
    free(sm->parted);
    free(sm->leader);
    free(sm->meets);
    free(sm->start);
    free(sm->share);
    free(sm->together);
    free(sm->far);
    free(sm->visits);
    free(sm);
    return right;
}

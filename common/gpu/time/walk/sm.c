/* sm.c: see sm.h. Time advances by events: of the four schedulers, the one that can issue
 * earliest does. */
#include "gpu/time/walk/sm_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Multiple of the budget up to which a launch is walked whole, or its loops are shortened to. */
static const double whole = 1.75;

/* Multiple of the budget up to which trips are repeated beside it. */
static const double most_retried = 2;

/* Cycles between two instructions of a pipe in one scheduler's quarter. */
static double interval(const struct gpu_model *model, uint8_t pipe) {
    switch ((enum gpu_pipe)pipe) {
    case GPU_PIPE_FMA: return SCHEDULERS / model->fma_rate;
    case GPU_PIPE_HEAVY: return SCHEDULERS / model->imad_rate;
    case GPU_PIPE_ALU: return SCHEDULERS / model->int_rate;
    case GPU_PIPE_FP64: return SCHEDULERS / model->fp64_rate;
    case GPU_PIPE_TENSOR: return SCHEDULERS / model->tensor_rate;
    case GPU_PIPE_XU: return SCHEDULERS / model->special_rate;
    case GPU_PIPE_UNIFORM: return SCHEDULERS / model->uniform_rate;
    default: return 1;
    }
}

/* A new block becomes resident, at cycle `at` or when the last start allows. */
static void start_block(struct sm *sm, uint32_t resident, double at) {
    const struct sm_load *load = sm->load;
    double since_last = sm->model->block_start_cycles * load->active_sms / (double)sm->model->sm_count;
    double launched = sm->totals.launched = larger(sm->totals.launched + since_last, at);
    sm->blocks[resident] = (struct resident_block){.alive = load->warps_per_block};
    for (uint32_t w = 0; w < load->warps_per_block; w++) {
        uint32_t at_warp = resident * load->warps_per_block + w;
        struct warp *warp = &sm->warps[at_warp];
        *warp = (struct warp){.resident = resident,
                              .index = (uint32_t)sm->totals.started * load->warps_per_block + w,
                              .ready = launched,
                              .issued = launched,
                              .began = launched,
                              .accounted = launched,
                              .alive = true};
        control_flow_begin(sm, warp);
        memset(&sm->memory.visits[(size_t)at_warp * sm->code->instruction_count], 0,
               sm->code->instruction_count * sizeof *sm->memory.visits);
        warp->fetched = fetch_instruction(&sm->fetch, warp->next, launched);
        scheduler_update(sm, warp);
        struct scheduler *scheduler = &sm->schedulers[at_warp % SCHEDULERS];
        if (scheduler->next > launched)
            scheduler->next = launched;
    }
    sm->totals.started++;
}

/* All warps of the block that have not ended are at the barrier: they go on. */
static void open_barrier(struct sm *sm, uint32_t resident) {
    struct resident_block *block = &sm->blocks[resident];
    double at = block->last_arrival + sm->model->barrier_cycles;
    for (uint32_t w = 0; w < sm->load->warps_per_block; w++) {
        uint32_t index = resident * sm->load->warps_per_block + w;
        struct warp *warp = &sm->warps[index];
        if (!warp->alive || !warp->at_barrier)
            continue;
        warp->at_barrier = false;
        warp->ready = larger(warp->ready, at);
        warp->reason = GPU_STALL_BARRIER;
        warp->issued = warp->ready - 1;
        scheduler_update(sm, warp);
        struct scheduler *scheduler = &sm->schedulers[index % SCHEDULERS];
        if (scheduler->next > warp->ready)
            scheduler->next = warp->ready;
    }
    block->arrived = 0;
}

static void end_warp(struct sm *sm, struct warp *warp, double t) {
    struct resident_block *block = &sm->blocks[warp->resident];
    sm->totals.lives += t - warp->began;
    sm->totals.lived++;
    sm->totals.executed += warp->executed;
    block->longest = larger(block->longest, warp->executed);
    sm->totals.end = larger(sm->totals.end, larger(t, warp->stores_done));
    block->alive--;
    if (block->alive == 0) {
        sm->totals.ended++;
        sm->totals.longest += block->longest;
        if (sm->totals.started < sm->load->blocks)
            start_block(sm, warp->resident, t + sm->model->block_turnover);
    } else if (block->arrived >= block->alive) {
        open_barrier(sm, warp->resident);
    }
}

static void set_scoreboard(struct warp *warp, uint32_t which, double until, uint8_t reason) {
    if (until <= warp->scoreboard[which])
        return;
    warp->scoreboard[which] = until;
    warp->scoreboard_reason[which] = reason;
}

/* Returns the cycle at which an instruction issued at cycle t enters its unit: at once, or after
 * those queued before it. */
static double enter_unit(struct sm *sm, struct scheduler *scheduler, enum queue_kind kind,
                         const struct gpu_instruction *in, double t) {
    double enters = t;
    if (kind != QUEUE_NONE) {
        enters = larger(larger(t, scheduler->queue_left), scheduler->unit[in->pipe]);
        double unit = in->access == GPU_ACCESS_CONSTANT ? sm->memory.constant
                      : in->pipe == GPU_PIPE_LSU        ? sm->memory.lsu
                                                        : 0;
        issue_queue_add(sm->model, scheduler, kind, larger(enters, unit));
    }
    if (in->pipe == GPU_PIPE_NONE)
        return enters;
    double cycles = sm->interval[in->pipe] * in->issue_passes;
    scheduler->busy[in->pipe] = enters + cycles;
    double efficiency = in->pipe == GPU_PIPE_TENSOR ? 1 : sm->model->pipe_efficiency;
    scheduler->unit[in->pipe] = enters + cycles / efficiency;
    return enters;
}

/* Sets the scoreboards of an instruction issued at cycle t that enters its unit at `enters`. */
static void set_scoreboards(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double enters,
                            double t) {
    if (in->write_scoreboard >= GPU_SCOREBOARDS && in->read_scoreboard >= GPU_SCOREBOARDS &&
        (in->access == GPU_ACCESS_NONE || in->access >= GPU_ACCESS_BARRIER))
        return;
    double done = sm_memory_result(sm, warp, in, enters);
    if (in->copy == GPU_COPY_STARTS)
        warp->copied = larger(warp->copied, done);
    if (in->write_scoreboard < GPU_SCOREBOARDS)
        set_scoreboard(warp, in->write_scoreboard, done, stalls_kind(in));
    if (in->read_scoreboard < GPU_SCOREBOARDS) {
        double queued = larger(enters, in->pipe == GPU_PIPE_LSU ? sm->memory.lsu : t);
        set_scoreboard(warp, in->read_scoreboard, queued + sm->model->source_read_cycles,
                       GPU_STALL_SHORT_SCOREBOARD);
    }
}

/* The warp's next instruction issues no sooner. */
static void wait_until(struct warp *warp, double done, uint8_t reason) {
    if (done <= warp->ready)
        return;
    warp->ready = done;
    warp->reason = reason;
}

/* Commits a group of asynchronous copies, or lets the warp go on only once all groups but the last few
 * are done. */
static void await_copies(struct warp *warp, const struct gpu_instruction *in) {
    if (in->copy == GPU_COPY_COMMITS)
        warp->groups[warp->committed++ % COPY_GROUPS] = warp->copied;
    if (in->copy != GPU_COPY_AWAITS || in->copy_groups >= COPY_GROUPS || warp->committed <= in->copy_groups)
        return;
    wait_until(warp, warp->groups[(warp->committed - 1 - in->copy_groups) % COPY_GROUPS],
               GPU_STALL_LONG_SCOREBOARD);
}

/* A fence has no scoreboard: the warp itself waits for it. */
static void await_fence(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t) {
    if (in->access == GPU_ACCESS_FENCE)
        wait_until(warp, sm_memory_result(sm, warp, in, t), GPU_STALL_MEMBAR);
}

static void issue(struct sm *sm, struct scheduler *scheduler, struct warp *warp, double t) {
    const struct gpu_code *code = sm->code;
    const struct gpu_model *model = sm->model;
    const struct gpu_instruction *in = &code->instructions[warp->next];
    bool taken = false, goes_on = true;
    scheduler->free = t + 1 / model->pipe_efficiency;
    if (in->operand_reads > 0) {
        scheduler->operands =
            larger(scheduler->operands, t) + model->operand_read_cycles * (1 + in->operand_reads) / 2;
        scheduler->operands_low = scheduler->operands + 1 - model->operand_backlog_cycles;
        scheduler->free = larger(scheduler->free, scheduler->operands_low);
    }
    enum queue_kind kind = issue_queue_kind_at(scheduler, (uint32_t)(warp - sm->warps) / SCHEDULERS);
    set_scoreboards(sm, warp, in, enter_unit(sm, scheduler, kind, in, t), t);
    warp->issued = t;
    scheduler->last = (uint32_t)(warp - sm->warps);
    warp->ready = warp->stalled = t + (in->stall > 0 ? in->stall : 1);
    warp->accounted = t + 1;
    warp->reason = GPU_STALL_BRANCH;
    await_copies(warp, in);
    await_fence(sm, warp, in, t);
    sm->result->issued++;
    warp->executed++;
    bool barrier = in->access == GPU_ACCESS_BARRIER && !in->open;
    uint32_t line = warp->next / FETCH_LINE;
    if (++warp->next == code->blocks[warp->block].end)
        goes_on = control_flow_next(sm, warp, &taken);
    if (taken)
        warp->ready += model->taken_branch_cycles;
    if (goes_on && (taken || warp->next / FETCH_LINE != line))
        warp->fetched = fetch_instruction(&sm->fetch, warp->next, t + 1);
    struct resident_block *block = &sm->blocks[warp->resident];
    warp->alive = goes_on;
    warp->at_barrier = goes_on && barrier;
    scheduler_update(sm, warp);
    if (!goes_on) {
        end_warp(sm, warp, t + 1);
    } else if (barrier) {
        block->last_arrival =
            occupy(&sm->memory.barriers, t, model->barrier_warp_cycles); /* arrivals of all blocks queue */
        if (++block->arrived >= block->alive)
            open_barrier(sm, warp->resident);
    }
}

/*
 * Sets the instructions of the launch and those to be walked. Warps that start together end one
 * after the other, so the beginning alone does not represent the whole. A launch whose first blocks
 * exceed the budget is therefore walked whole, if that takes at most `whole` budgets. Otherwise its
 * long loops make fewer trips. Otherwise schedulers take warps in turn, as if all went on to the
 * end.
 */
static bool plan_walk(struct sm *sm) {
    const struct sm_load *load = sm->load;
    double most = (double)load->budget, shorter;
    for (uint32_t b = 0; b < sm->code->block_count; b++)
        sm->plan.per_warp += sm->code->blocks[b].runs * (sm->code->blocks[b].end - sm->code->blocks[b].first);
    sm->plan.per_warp = (sm->plan.per_warp - sm->plan.rare_work) / (sm->code->warps * load->busy_share);
    if (load->which == SM_RARE_BLOCK)
        sm->plan.per_warp += sm->plan.rare_work / load->warps_per_block;
    double warps = load->blocks * load->warps_per_block;
    double first = sm->plan.per_warp * fmin(load->resident_blocks, load->blocks) * load->warps_per_block;
    sm->plan.total = sm->plan.per_warp * warps;
    sm->plan.budget = most;
    if (sm->plan.total <= most || first <= most / 2)
        return control_flow_plan(sm, 1, &shorter);
    if (sm->plan.total > whole * most) {
        if (!control_flow_plan(sm, most / sm->plan.total, &shorter))
            return false;
        sm->plan.round_robin = shorter * warps > whole * most;
    }
    if (!sm->plan.round_robin)
        sm->plan.budget = whole * most;
    return (sm->plan.total > whole * most && !sm->plan.round_robin) || control_flow_plan(sm, 1, &shorter);
}

static void walk(struct sm *sm) {
    const struct sm_load *load = sm->load;
    double half_time = 0, half_issued = 0, now = 0, total = sm->plan.total, half = floor(sm->plan.budget / 2);
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
        if (sm->result->issued >= sm->plan.budget || sm->totals.retried >= most_retried * sm->plan.budget)
            break;
    }
    double cycles = larger(now, sm->totals.end), left = total - sm->result->issued;
    bool whole_walk = sm->result->issued < sm->plan.budget || sm->result->issued > total;
    double more = whole_walk ? total / sm->result->issued : 1;
    if (sm->result->issued >= sm->plan.budget && left > 0)
        cycles = larger(cycles, now + left * (now - half_time) / (sm->result->issued - half_issued));
    sm->result->expected = total <= load->budget ? total : sm->result->issued;
    sm->result->cycles =
        cycles * more; /* the walk is not exactly what was counted, or its loops were shorter */
    sm->result->longest =
        sm->totals.ended > 0 && sm->totals.executed > 0
            ? sm->totals.longest / sm->totals.ended / (sm->totals.executed / sm->totals.lived)
            : 1;
    sm->result->varied = control_flow_varies(sm);
    double resident = fmin(load->resident_blocks, load->blocks) * load->warps_per_block;
    sm->result->warp_cycles = sm->totals.lived > 0
                                  ? sm->totals.lives / sm->totals.lived * more
                                  : now / larger(sm->result->issued, 1) * sm->plan.per_warp * resident;
}

/* Takes an array of `count` elements from the arena. A NULL arena only counts: *used becomes the
 * bytes needed. */
static void *take(unsigned char *arena, size_t *used, size_t count, size_t size) {
    enum { ALIGNMENT = 16 };
    size_t at = *used;
    *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return arena != NULL ? arena + at : NULL;
}

/* Lays all arrays of the walk out in one arena. Returns the bytes of it. */
static size_t lay_out(struct sm *sm, size_t warps, unsigned char *arena) {
    const struct gpu_code *code = sm->code;
    size_t used = 0, edges = code->edge_count + 1u, blocks = code->block_count + 1u;
    size_t instructions = code->instruction_count + 1u;
    struct sm_plan *plan = &sm->plan;
    struct sm_memory *memory = &sm->memory;
    struct sm_stalls *stalls = &sm->stalls;
    sm->credit = take(arena, &used, 2 * warps * edges, sizeof *sm->credit);
    plan->edge_kind = take(arena, &used, edges, sizeof *plan->edge_kind);
    plan->edge_share = take(arena, &used, edges, sizeof *plan->edge_share);
    plan->diverging_share = take(arena, &used, edges, sizeof *plan->diverging_share);
    plan->leader = take(arena, &used, edges, sizeof *plan->leader);
    plan->reconvergence = take(arena, &used, blocks, sizeof *plan->reconvergence);
    plan->rare = take(arena, &used, edges, sizeof *plan->rare);
    plan->block_uniform = take(arena, &used, blocks, sizeof *plan->block_uniform);
    memory->visits = take(arena, &used, warps * instructions, sizeof *memory->visits);
    memory->dram_credit = take(arena, &used, instructions, sizeof *memory->dram_credit);
    memory->active_credit = take(arena, &used, instructions, sizeof *memory->active_credit);
    memory->sum_credit = take(arena, &used, instructions, sizeof *memory->sum_credit);
    stalls->found = take(arena, &used, instructions * GPU_STALL_COUNT, sizeof *stalls->found);
    stalls->samples = take(arena, &used, instructions * GPU_STALL_COUNT, sizeof *stalls->samples);
    stalls->wanted = take(arena, &used, instructions, sizeof *stalls->wanted);
    return used;
}

/* Before the first issue: rates, schedulers, the first blocks. */
static void begin(struct sm *sm) {
    const struct sm_load *load = sm->load;
    double sms = load->active_sms > 0 ? load->active_sms : 1;
    sm_memory_begin(sm);
    for (int pipe = 0; pipe < GPU_PIPE_COUNT; pipe++)
        sm->interval[pipe] = interval(sm->model, (uint8_t)pipe);
    sm->totals.launched = -sm->model->block_start_cycles * sms / sm->model->sm_count;
    for (uint32_t w = 0; w < WARPS; w++)
        scheduler_update(sm, &sm->warps[w]); /* none has started */
    for (uint32_t s = 0; s < SCHEDULERS; s++)
        sm->schedulers[s].last = s;
    for (uint32_t b = 0; b < load->resident_blocks && b < load->blocks; b++)
        start_block(sm, b, 0);
}

static bool find_rare(struct sm *sm) {
    struct rare_work work = {0};
    bool right = sm->load->which == SM_ALL_BLOCKS ||
                 rare_find(sm->code, sm->load->warps_per_block, sm->plan.rare, &work);
    sm->plan.rare_work = work.instructions;
    return right;
}

bool sm_walk(const struct sm_load *load, struct sm_result *result) {
    size_t warps = (size_t)load->resident_blocks * load->warps_per_block;
    *result = (struct sm_result){0};
    if (warps > WARPS)
        return false;
    struct sm *sm = calloc(1, sizeof *sm);
    if (sm == NULL)
        return false;
    sm->load = load;
    sm->code = load->code;
    sm->model = load->model;
    sm->result = result;
    unsigned char *arena = calloc(1, lay_out(sm, warps, NULL));
    bool right = arena != NULL && fetch_begin(&sm->fetch, sm->model, sm->code);
    if (right) {
        lay_out(sm, warps, arena);
        right = block_uniform_find(sm->code, sm->plan.block_uniform) &&
                reconvergence_find(sm->code, sm->plan.reconvergence) && find_rare(sm) && plan_walk(sm);
    }
    if (right) {
        begin(sm);
        walk(sm);
        stalls_end(sm);
    }
    fetch_end(&sm->fetch);
    free(arena);
    free(sm);
    return right;
}

/*
 * sm_memory.c: when an instruction's result is there: shared memory, L1, L2, DRAM, stores, atomics,
 * constants. Each shared unit is one number, the cycle at which it takes the next request.
 */
#include "gpu/time/walk/sm_state.h"

#include <math.h>

/* Adds a share up. True each time the sum passes 1: this execution is one of that share. */
static bool accumulate(float *sum, double share) {
    *sum += (float)share;
    if (*sum < 1 - 1e-4F)
        return false;
    *sum -= 1;
    return true;
}

/* Whether this execution by the warp misses L1. Warps of a block that execute alike miss
 * together. */
static bool misses(struct sm *sm, const struct warp *warp, uint32_t i, double share) {
    uint32_t *visits = &sm->memory.visits[(size_t)(warp - sm->warps) * sm->code->instruction_count + i];
    uint32_t block = warp->index / sm->load->warps_per_block;
    double phase = fmod(0.6180339887 * (block + 1) + 0.381966 * i, 1);
    double before = floor(*visits * share + phase);
    ++*visits;
    return floor(*visits * share + phase) > before;
}

/* Factor on DRAM's time of an access whose lines give one sector each: few of them lie in the
 * same row. */
static double row_factor(const struct gpu_instruction *in, double weight) {
    double single = lines_per_sector(in);
    return single > 0.5 ? 1 + weight * (single - 0.5) : 1;
}

static bool has_halves(const struct sm *sm) {
    return sm->memory.fabric_sector > 0;
}

/*
 * Cycle at which L2 gives so many sectors of so many lines. L2 is two halves, and each sector has
 * its home in one of them. A half that does not hold a sector asks the other: one request more, of
 * two sectors at least, at the lower rate between the halves.
 */
static double l2_reads(struct sm *sm, double sectors, double lines, bool local, double at) {
    struct sm_memory *memory = &sm->memory;
    double crossing = !has_halves(sm) ? 0 : local ? 0.5 : sm->load->crossing_share;
    double requests = lines + crossing * sectors / larger(2, sectors / lines);
    double given =
        occupy(&memory->l2, at,
               larger(sectors * (1 + crossing) * memory->l2_sector, requests * memory->l2_request)) +
        latency_of_l2(sm, lines);
    double crossed = occupy(&memory->fabric, at, crossing * sectors * memory->fabric_sector);
    return crossing > 0 ? larger(given, crossed + sm->model->latency_l2) : given;
}

/* L2 takes stores or atomics. Every other sector has its home in the other half and crosses to
 * it. */
static void l2_writes(struct sm *sm, double sectors, double requests, double crossing, double at) {
    struct sm_memory *memory = &sm->memory;
    double twice = has_halves(sm) ? 1.5 : 1;
    occupy(&memory->l2, at,
           larger(sectors * twice * memory->l2_sector, requests * twice * memory->l2_request));
    occupy(&memory->fabric, at, crossing / 2 * memory->fabric_sector);
}

/* Cycle at which the data of a load arrive that the LSU accepted at cycle `at`. */
static double load_result(struct sm *sm, const struct warp *warp, const struct gpu_instruction *in,
                          double at) {
    const struct gpu_model *model = sm->model;
    const struct sm_load *load = sm->load;
    uint32_t i = (uint32_t)(in - sm->code->instructions);
    double missed = in->spill ? in->sectors * load->local_miss_share : in->missed_sectors;
    double miss_share = in->spill && in->sectors > 0 ? missed / in->sectors : in->miss_share;
    if (miss_share <= 0 || !misses(sm, warp, i, miss_share))
        return at + model->latency_l1;
    double sectors = missed / miss_share; /* a sector that is already requested costs L2 nothing more */
    bool local = in->access == GPU_ACCESS_LOCAL;
    double usual = load->dram_share, own = in->dram_share < 0 ? usual : in->dram_share;
    /* what was spilled is soon loaded again */
    double from_dram = in->spill ? 0 : local ? load->local_reload_share : own;
    double lines = in->lines * sectors / (in->sectors > 0 ? in->sectors : 1);
    double l2 = l2_reads(sm, sectors, lines, local, at);
    /* share of executions in which DRAM gives at least one line */
    double any = lines > 1.5 ? 1 - pow(1 - (from_dram < 1 ? from_dram : 1), lines) : from_dram;
    if (any <= 0 || !accumulate(&sm->memory.dram_credit[i], any < 1 ? any : 1))
        return l2;
    double fetched = local || usual <= 0 ? from_dram : load->dram_reads * from_dram / usual;
    double rows =
        local && !in->spill ? model->dram_local_factor : row_factor(in, model->dram_load_row_factor);
    double dram = occupy(&sm->memory.dram, at,
                         rows * sectors * (fetched / (any < 1 ? any : 1)) * sm->memory.dram_sector);
    double latency = latency_of_dram(sm, warp, in, lines, from_dram);
    if (!local)
        latency -= (latency - model->latency_l2) * load->pending_share * (1 - model->dram_pending_factor);
    return larger(l2, dram + latency);
}

/* L2 takes the request, and DRAM gives what L2 does not hold. The SM gets nothing. */
static void send_prefetch(struct sm *sm, const struct gpu_instruction *in, double at) {
    const struct sm_load *load = sm->load;
    double usual = load->dram_share, own = in->dram_share < 0 ? usual : in->dram_share;
    double fetched = usual > 0 ? load->dram_reads * own / usual : own;
    occupy(&sm->memory.l2, at, in->lines * sm->memory.l2_request);
    occupy(&sm->memory.dram, at,
           row_factor(in, sm->model->dram_load_row_factor) * in->sectors * fetched * sm->memory.dram_sector);
}

/* A store or atomic occupies entries until cycle `done`. Where none is free the LSU waits. */
static void send_out(struct sm *sm, double sectors, double done) {
    struct sm_memory *memory = &sm->memory;
    uint32_t most = sm->model->store_entries, of = sm->model->store_entry_sectors;
    uint32_t entries = sectors > of ? (uint32_t)ceil(sectors / of) : 1;
    for (uint32_t i = 0; i < entries && i < most; i++) {
        double *entry = &memory->outstanding[memory->next_outstanding++ % most];
        memory->lsu = larger(memory->lsu, *entry);
        *entry = done;
    }
}

/* What a store sends to L2. */
struct sent {
    double sectors, lines, partial; /* partial: share of the sectors that are not written whole */
};

/*
 * Stores of parts of the same sectors are sent together if each comes soon after the one before.
 * One that comes late goes by itself, and so did its share of those before.
 */
static struct sent sent_by(const struct sm *sm, struct warp *warp, const struct gpu_instruction *in,
                           double at) {
    double share = share_of_together(in);
    bool late = in->follows && at - warp->stored > sm->model->store_join_cycles;
    warp->stored = at;
    return late ? (struct sent){in->sectors * (1 + share), in->lines * (1 + share), 1}
                : (struct sent){in->sectors * share, in->lines * share, in->partial_share};
}

/* Cycle at which a store has left the SM. Stores do not wait for loads' data, but take their
 * share of L2's and DRAM's rates. */
static double store_result(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double at) {
    const struct gpu_model *model = sm->model;
    struct sm_memory *memory = &sm->memory;
    struct sent sent = sent_by(sm, warp, in, at);
    double single = lines_per_sector(in);
    double apart = single > 1 ? 1 : single < 0.25 ? 0 : (single - 0.25) / 0.75;
    double sectors = sent.sectors * (1 + model->partial_near_factor * in->new_share * (1 - apart) +
                                     model->partial_apart_factor * sent.partial * apart);
    double written = in->spill ? sm->load->local_dram_share : sm->load->store_dram_writes;
    double completed = in->spill ? 0 : sm->load->store_dram_reads * sent.partial;
    /* a partial sector that is alone in its row costs DRAM the row twice */
    double alone = written > 0 ? completed / written : 0;
    double back = sent.sectors * (written + completed) *
                  (1 + alone * (row_factor(in, model->dram_store_row_factor) - 1)) * memory->dram_sector;
    l2_writes(sm, sent.sectors, sent.lines, sectors, at);
    occupy(&memory->dram, at, back);
    double left = occupy(&memory->stores_sm, at,
                         sent.sectors * model->store_sector_cycles +
                             sent.partial * sent.lines * model->store_part_cycles);
    double done = larger(occupy(&memory->stores_l2, at, sectors * memory->store_sector),
                         occupy(&memory->stores_dram, at, back));
    done = larger(done, left);
    send_out(sm, sent.sectors, done);
    return done;
}

/* An atomic on global memory: L2 executes it, with what DRAM gives for sectors that L2 does not
 * hold. */
static double atomic_result(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t) {
    const struct gpu_model *model = sm->model;
    const struct sm_load *load = sm->load;
    struct sm_memory *memory = &sm->memory;
    double at = occupy(&memory->lsu, t, larger(in->lines + in->wavefronts, 1));
    l2_writes(sm, in->sectors, in->sectors, in->sectors, at);
    double dram = in->sectors * memory->dram_sector *
                  (load->atomic_dram_reads * row_factor(in, model->dram_load_row_factor) +
                   load->atomic_dram_writes * row_factor(in, model->dram_atomic_row_factor));
    at = occupy(&memory->atomic, at, load->atomic_cycles);
    if (dram > 0)
        at = larger(at, occupy(&memory->dram, t, dram));
    send_out(sm, in->sectors, at);
    warp->stores_done = larger(warp->stores_done, at);
    return at + model->latency_l2 * model->latency_atomic_factor;
}

double sm_l1_cycles(const struct gpu_model *model, const struct gpu_instruction *in) {
    double data = larger(in->wavefronts, larger(in->bytes / 4.0, 1)); /* banks of 4 bytes, 32 lanes */
    if (in->sectors < 1.5)
        data = larger(in->wavefronts, 1);
    double tags = in->lines / model->l1_lines_per_cycle * (in->lines > 4 ? model->l1_apart_factor : 1);
    double fill = in->store ? in->partial_share * in->lines * share_of_together(in) * model->store_part_cycles
                            : in->missed_sectors / model->l1_fill_sectors_per_cycle;
    return larger(larger(tags, data + fill), 1);
}

/* A compare and swap of shared memory at cycle `at`. It fails where another warp of the block has swapped
 * the same word since this one read it. */
static void sum_by_swap(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double at) {
    struct resident_block *block = &sm->blocks[warp->resident];
    uint32_t i = (uint32_t)(in - sm->code->instructions);
    if (!warp->contends && !accumulate(&sm->memory.sum_credit[i], in->contended))
        return;
    warp->contends = warp->failed = block->summed > warp->shared_read;
    if (!warp->failed)
        block->summed = at;
}

double sm_memory_result(struct sm *sm, struct warp *warp, const struct gpu_instruction *in, double t) {
    const struct gpu_model *model = sm->model;
    struct sm_memory *memory = &sm->memory;
    double at;
    if (in->active_share < 1 &&
        !accumulate(&memory->active_credit[in - sm->code->instructions], in->active_share)) {
        if (in->pipe == GPU_PIPE_LSU) /* an access without an active thread takes the LSU a cycle, too */
            occupy(&memory->lsu, t, 1);
        return t + model->latency_other;
    }
    switch ((enum gpu_access)in->access) {
    case GPU_ACCESS_SHUFFLE:
    case GPU_ACCESS_SHARED:
    case GPU_ACCESS_SHARED_ATOMIC:
        at = occupy(&memory->lsu, t, larger(in->wavefronts, 1));
        if (in->contended > 0)
            sum_by_swap(sm, warp, in, at);
        else if (in->access == GPU_ACCESS_SHARED && !in->store)
            warp->shared_read = at;
        return at + model->latency_shared - 1;
    case GPU_ACCESS_LOCAL:
    case GPU_ACCESS_GLOBAL:
        at = occupy(&memory->lsu, t, sm_l1_cycles(model, in));
        if (!in->store)
            return load_result(sm, warp, in, at);
        warp->stores_done = larger(warp->stores_done, store_result(sm, warp, in, at));
        return at + model->source_read_cycles;
    case GPU_ACCESS_PREFETCH: send_prefetch(sm, in, t); return t + model->latency_other;
    case GPU_ACCESS_ATOMIC: return atomic_result(sm, warp, in, t);
    case GPU_ACCESS_CONSTANT:
        at = occupy(&memory->constant, t, larger(in->wavefronts, 1) / model->constant_rate);
        return at + model->latency_constant - 2;
    case GPU_ACCESS_FENCE:
        return in->scope == 0   ? t + model->latency_other
               : in->scope == 3 ? larger(t, warp->stores_done) + model->latency_fence_system
                                : larger(t + model->latency_l2, warp->stores_done);
    default:
        return t + (in->pipe == GPU_PIPE_XU ? model->latency_special
                    : in->pipe == GPU_PIPE_TENSOR
                        ? model->latency_tensor_double + in->result_passes * SCHEDULERS / model->tensor_rate
                        : model->latency_other);
    }
}

void sm_memory_begin(struct sm *sm) {
    const struct gpu_model *model = sm->model;
    double sms = sm->load->active_sms > 0 ? sm->load->active_sms : 1, most = model->sm_l2_sectors_per_cycle;
    double sectors = model->dram_gbs * 1000 / model->clock_mhz / 32; /* per cycle, whole chip */
    struct sm_memory *memory = &sm->memory;
    memory->l2_sector = 1 / fmin(most, model->l2_sectors_per_cycle / sms);
    memory->l2_request = sms / model->l2_requests_per_cycle;
    memory->store_sector = sms / model->l2_write_sectors_per_cycle;
    memory->fabric_sector = model->l2_different < 1 ? 2 * sms / model->l2_write_sectors_per_cycle : 0;
    memory->dram_sector = 1 / fmin(most, sectors / sms);
}

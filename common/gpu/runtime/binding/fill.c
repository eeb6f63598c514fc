/* fill.c: see binding/fill.h. */
#include "gpu/runtime/binding/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool binding_loops_inside(const struct ptx_instruction *instruction) {
    return ptx_nature(instruction)->memory == PTX_MEMORY_ATOMIC && instruction->space == PTX_SHARED &&
           simt_atomic_loops(instruction);
}

static uint8_t pipe_of(const struct sass_instruction *in) {
    if (in->class == SASS_TENSOR)
        return GPU_PIPE_TENSOR;
    switch (in->pipe) {
    case SASS_PIPE_FMA:
    case SASS_PIPE_FP16: return GPU_PIPE_FMA; /* ncu has no pipe of that name from sm_90 on */
    case SASS_PIPE_HEAVY: return GPU_PIPE_HEAVY;
    case SASS_PIPE_ALU: return GPU_PIPE_ALU;
    case SASS_PIPE_FP64: return GPU_PIPE_FP64;
    case SASS_PIPE_XU: return GPU_PIPE_XU;
    case SASS_PIPE_LSU: return GPU_PIPE_LSU;
    case SASS_PIPE_UNIFORM: return GPU_PIPE_UNIFORM;
    case SASS_PIPE_ADU: return GPU_PIPE_ADU;
    case SASS_PIPE_CBU: return GPU_PIPE_CBU;
    case SASS_PIPE_TENSOR: return GPU_PIPE_TENSOR;
    default: return GPU_PIPE_NONE;
    }
}

/* CCTL has an address, but for the one that empties L1 at a fence. */
static bool is_prefetch(const struct sass_instruction *in) {
    return (strcmp(in->mnemonic, "CCTL") == 0 && in->read_count > 0) || strcmp(in->mnemonic, "UBLKPF") == 0;
}

uint8_t binding_access_of(const struct sass_instruction *in) {
    bool shared = in->space == SASS_SHARED;
    switch (in->class) {
    case SASS_LOAD:
    case SASS_STORE:
        return shared ? GPU_ACCESS_SHARED : in->space == SASS_LOCAL ? GPU_ACCESS_LOCAL : GPU_ACCESS_GLOBAL;
    case SASS_COPY: return GPU_ACCESS_GLOBAL;
    case SASS_ATOMIC: return shared ? GPU_ACCESS_SHARED_ATOMIC : GPU_ACCESS_ATOMIC;
    case SASS_CONSTANT: /* of the uniform ones those by an index: others are there at once */
        return in->pipe == SASS_PIPE_ADU || in->uniform_read_count > 0 ? GPU_ACCESS_CONSTANT
                                                                       : GPU_ACCESS_NONE;
    case SASS_WARP: return in->pipe == SASS_PIPE_LSU ? GPU_ACCESS_SHUFFLE : GPU_ACCESS_NONE;
    case SASS_BARRIER: return strcmp(in->mnemonic, "BAR") == 0 ? GPU_ACCESS_BARRIER : GPU_ACCESS_NONE;
    case SASS_CACHE:
        return strcmp(in->mnemonic, "MEMBAR") == 0 ? GPU_ACCESS_FENCE
               : is_prefetch(in)                   ? GPU_ACCESS_PREFETCH
                                                   : GPU_ACCESS_NONE;
    default: return in->flow == SASS_EXIT ? GPU_ACCESS_EXIT : GPU_ACCESS_NONE;
    }
}

static bool is_access(uint8_t access) {
    return access >= GPU_ACCESS_GLOBAL && access <= GPU_ACCESS_SHARED_ATOMIC;
}

/* Wavefronts of an access to shared memory that is `wider` times its PTX line's: neighbours that became one. What is the same for
 * many threads comes to all of them at once, however wide it is. */
static double shared_wavefronts_of(const struct sass_instruction *in, const struct simt_execution *from,
                                   double wider) {
    double seen = wider > 1 && in->memory_bytes == 8    ? from->widened[0]
                  : wider > 1 && in->memory_bytes == 16 ? from->widened[1]
                                                        : 0;
    return seen > 0 ? seen : (double)from->transactions / (double)from->requests * wider;
}

static enum gpu_copy copy_of(const struct sass_instruction *in) {
    return in->class == SASS_COPY                   ? GPU_COPY_STARTS
           : strcmp(in->mnemonic, "LDGDEPBAR") == 0 ? GPU_COPY_COMMITS
           : in->groups != SASS_ANY_GROUPS          ? GPU_COPY_AWAITS
                                                    : GPU_COPY_NONE;
}

/* How many times as many bytes of a thread an instruction moves as its PTX line did: neighbours that became one. A copy to
 * shared memory has no element. */
static double widening_of(const struct sass_instruction *in, const struct simt_execution *from) {
    uint32_t bytes = from->bytes > 0 && from->instruction != NULL ? binding_ptx_bytes(from->instruction) : 0;
    return bytes > 0 && in->memory_bytes > bytes ? in->memory_bytes / (double)bytes : 1;
}

/* What an access takes is what its PTX line's did. Where several became one, the words of a thread lie in one sector. What no PTX
 * line has (spills) is a word of each thread in local memory. */
static void fill_access(const struct gpu_model *model, struct gpu_instruction *to,
                        const struct sass_instruction *in, const struct simt_execution *from) {
    bool known = from != NULL && from->requests > 0;
    if (to->access == GPU_ACCESS_CONSTANT && in->pipe != SASS_PIPE_ADU) {
        to->wavefronts = (float)model->constant_uniform_words; /* it is through the uniform path */
        return;
    }
    if (to->access == GPU_ACCESS_LOCAL && (!known || from->instruction->space != PTX_LOCAL)) {
        to->lines = to->wavefronts = (float)(in->memory_bytes > 4 ? in->memory_bytes / 4.0 : 1);
        to->sectors = 4 * to->lines;
        to->spill = true;
        return;
    }
    if (!known)
        return;
    double requests = (double)from->requests, wider = widening_of(in, from);
    double apart = to->access == GPU_ACCESS_LOCAL ? wider : 1; /* there the words of all threads alternate */
    to->fewest = (float)((double)from->ideal / requests * wider);
    switch ((enum gpu_access)to->access) {
    case GPU_ACCESS_SHARED: to->wavefronts = (float)shared_wavefronts_of(in, from, wider); break;
    case GPU_ACCESS_CONSTANT:
        to->lines = (float)((double)from->lines / requests);
        to->wavefronts = (float)((double)from->transactions / requests * wider);
        break;
    case GPU_ACCESS_SHARED_ATOMIC: /* the loop's ATOMS.CAST passes twice, of 8 bytes four times */
        to->contended = binding_loops_inside(from->instruction);
        to->wavefronts = to->contended > 0 ? (ptx_type_bytes(from->instruction->type) == 8 ? 4 : 2)
                                           : (float)((double)from->lines / requests);
        break;
    case GPU_ACCESS_GLOBAL:
    case GPU_ACCESS_PREFETCH:
    case GPU_ACCESS_LOCAL:
    case GPU_ACCESS_ATOMIC:
        to->sectors = (float)((double)from->transactions / requests * apart);
        to->lines = (float)((double)from->lines / requests);
        to->missed_sectors = fminf((float)((double)from->missed / requests * wider), to->sectors);
        to->miss_share = (float)((double)from->late / requests);
        to->dram_share = -1;
        if (from->missed > 0 && from->beyond_known)
            to->dram_share = from->beyond < from->missed ? (float)from->beyond / (float)from->missed : 1;
        to->wavefronts = (float)(from->passes + (double)from->banked / requests * wider);
        if (to->store) {
            double whole = from->transactions > 0
                               ? (double)from->bytes * wider / (32.0 * (double)from->transactions)
                               : 1;
            to->partial_share = whole < 0.99 && to->access != GPU_ACCESS_LOCAL ? 1 : 0;
            double again = from->beyond_known && from->transactions > 0
                               ? (double)from->beyond / (double)from->transactions
                               : 0;
            to->new_share = again < 1 ? to->partial_share * (float)(1 - again) : 0;
        }
        break;
    default: break;
    }
}

/* Whether an instruction writes any of those registers. */
static bool writes_any(const struct sass_instruction *in, const struct sass_registers *of) {
    return in->write.count > 0 && in->write.first < of->first + of->count &&
           of->first < in->write.first + in->write.count;
}

/* What join_stores needs to know of a store, per request. */
struct stored {
    double bytes;
    double joins; /* share of requests to the lines of the warp's store before */
};

/*
 * Stores of parts of the same sectors one after the other, as of a structure's parts: L1 sends them on together. The
 * sectors are written whole then where all bytes are.
 */
static void send_together(struct gpu_code *code, const uint32_t *stores, uint32_t count,
                          const struct stored *of) {
    double whole = 0;
    for (uint32_t i = 0; i < count; i++)
        whole += of[stores[i]].bytes;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        struct gpu_instruction *in = &code->instructions[stores[i]];
        in->partial_share = whole > 0.99 * 32 * in->sectors ? 0 : 1;
        in->new_share = in->partial_share > 0 ? fminf(in->new_share * (float)count, 1) : 0;
        in->together = (uint8_t)count;
        in->follows = i > 0;
    }
}

/* Of two under different predicates a thread may do one and not the other. */
static bool same_guard(const struct sass_instruction *a, const struct sass_instruction *b) {
    return a->guard == b->guard && a->guard_negated == b->guard_negated &&
           a->guard_uniform == b->guard_uniform;
}

/* Whether two stores go less than a sector beyond one register. */
static bool are_near(const struct sass_instruction *a, const struct sass_instruction *b) {
    enum { SECTOR = 32 };
    return a->read[0].first == b->read[0].first && abs(a->memory_offset - b->memory_offset) < SECTOR;
}

static void join_stores(const struct sass_kernel *kernel, struct gpu_code *code, const struct stored *of) {
    enum { MOST = 8, MOST_LINES = 16 };
    uint32_t stores[MOST], count = 0;
    bool moved = false; /* the first one's register is another address by now */
    for (uint32_t b = 0; b < code->block_count; b++) {
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            const struct sass_instruction *in = &kernel->instructions[i];
            const struct gpu_instruction *to = &code->instructions[i];
            const struct sass_instruction *before = count > 0 ? &kernel->instructions[stores[0]] : NULL;
            bool store = to->access == GPU_ACCESS_GLOBAL && to->store && to->partial_share > 0 &&
                         to->lines <= MOST_LINES && in->read_count > 0;
            bool near = before != NULL && same_guard(in, before) &&
                        ((are_near(in, before) && !moved) || of[stores[0]].joins > 0.5);
            bool joins = store && before != NULL && count < MOST && (near || of[i].joins > 0.5);
            if (count > 0 && !joins && (store || to->access == GPU_ACCESS_GLOBAL)) {
                send_together(code, stores, count, of);
                count = 0;
                moved = false;
            }
            moved |= count > 0 && writes_any(in, &before->read[0]);
            if (store)
                stores[count++] = i;
        }
        send_together(code, stores, count, of);
        count = 0;
        moved = false;
    }
}

static bool reads_register(const struct sass_instruction *in, uint32_t r) {
    for (uint32_t i = 0; i < in->read_count; i++)
        if (r >= in->read[i].first && r < (uint32_t)in->read[i].first + in->read[i].count)
            return true;
    return false;
}

/*
 * What a product or sum asks of the register file: the registers that it reads from the bank that has more of them, even or odd; each
 * gives one a cycle. What the instruction before kept is not read.
 */
static uint8_t registers_read(const struct sass_instruction *in, const struct sass_instruction *before) {
    uint8_t seen[32] = {0}, count[2] = {0};
    if (in->pipe != SASS_PIPE_FMA && in->pipe != SASS_PIPE_HEAVY && in->pipe != SASS_PIPE_FP16 &&
        in->pipe != SASS_PIPE_ALU)
        return 0;
    for (uint32_t i = 0; i < in->read_count; i++)
        for (uint32_t r = in->read[i].first; r < (uint32_t)in->read[i].first + in->read[i].count && r < 256;
             r++) {
            bool kept = before != NULL && before->schedule.reuse != 0 && reads_register(before, r);
            count[r & 1] += !kept && !(seen[r / 8] >> r % 8 & 1);
            seen[r / 8] |= (uint8_t)(1U << r % 8);
        }
    return count[0] > count[1] ? count[0] : count[1];
}

/* Registers of a matrix product's first operand: they tell its size. */
static double tensor_registers(const struct sass_instruction *in) {
    return in->class == SASS_TENSOR && in->read_count > 0 ? in->read[0].count : 0;
}

/* Passes of a product of doubles over those of its first operand's registers. */
static double tensor_double(const struct gpu_model *model, const struct sass_instruction *in) {
    return in->class == SASS_TENSOR && in->pipe == SASS_PIPE_FP64
               ? model->tensor_rate / model->tensor_double_rate / 4
               : 0;
}

/* A product of matrices: one pass, and one for each two registers, but two at least. The smallest of
 * doubles takes as long as m16n8k4. */
static uint8_t tensor_passes(const struct gpu_model *model, const struct sass_instruction *in) {
    double a = tensor_registers(in), of_doubles = tensor_double(model, in);
    return (uint8_t)fmin(of_doubles > 0 ? round(fmax(a, 4) * of_doubles) : fmax(ceil(a / 2) + 1, 2), 255);
}

/* Products of twice the width (IMAD.WIDE), and their upper halves (IMAD.HI), go through the pipe twice. */
static uint8_t issue_passes_of(const struct gpu_model *model, const struct sass_instruction *in) {
    if (in->class == SASS_TENSOR)
        return tensor_passes(model, in);
    enum { FORM = 0xff, WIDE = 0x25, HIGH = 0x27 };
    bool twice = (in->opcode & FORM) == WIDE || (in->opcode & FORM) == HIGH;
    return in->pipe == SASS_PIPE_HEAVY && twice ? 2 : 1;
}

static void fill_graph(const struct sass_graph *graph, const double *runs, const double *traversals,
                       struct gpu_code *code) {
    code->block_count = graph->block_count;
    code->edge_count = graph->edge_count;
    for (uint32_t b = 0; b < graph->block_count; b++)
        code->blocks[b] = (struct gpu_block){.first = graph->blocks[b].first,
                                             .end = graph->blocks[b].end,
                                             .first_edge = graph->blocks[b].first_edge,
                                             .edge_count = graph->blocks[b].edge_count,
                                             .reconverges = graph->blocks[b].reconverges,
                                             .runs = runs[b]};
    for (uint32_t e = 0; e < graph->edge_count; e++)
        code->edges[e] =
            (struct gpu_edge){.to = graph->edges[e].to == SASS_NOWHERE ? GPU_LEAVES : graph->edges[e].to,
                              .taken = graph->edges[e].kind != SASS_EDGE_FALL,
                              .call = graph->edges[e].kind == SASS_EDGE_CALL,
                              .traversals = traversals[e]};
}

bool binding_fill(const struct gpu_model *model, const struct sass_kernel *kernel,
                  const struct binding_accesses *accesses, const double *runs, const double *traversals,
                  struct gpu_code *code) {
    const struct sass_graph *graph = &kernel->graph;
    code->instructions = calloc(kernel->count + 1u, sizeof *code->instructions);
    code->blocks = calloc(graph->block_count + 1u, sizeof *code->blocks);
    code->edges = calloc(graph->edge_count + 1u, sizeof *code->edges);
    code->waits = calloc((size_t)kernel->count * GPU_STALL_COUNT + 1, sizeof *code->waits);
    struct stored *stored = calloc(kernel->count + 1u, sizeof *stored);
    if (code->instructions == NULL || code->blocks == NULL || code->edges == NULL || code->waits == NULL ||
        stored == NULL) {
        free(stored);
        gpu_code_free(code);
        return false;
    }
    code->instruction_count = kernel->count;
    for (uint32_t i = 0; i < kernel->count; i++) {
        const struct sass_instruction *in = &kernel->instructions[i];
        struct gpu_instruction *to = &code->instructions[i];
        struct simt_execution sum;
        double executed = 0;
        const struct simt_execution *from = binding_access(accesses, i, &sum, &executed) ? &sum : NULL;
        *to = (struct gpu_instruction){.pipe = pipe_of(in),
                                       .access = binding_access_of(in),
                                       .stall = in->schedule.stall,
                                       .write_scoreboard = in->schedule.write_barrier,
                                       .read_scoreboard = in->schedule.read_barrier,
                                       .wait_mask = in->schedule.wait_mask,
                                       .bytes = in->memory_bytes,
                                       .issue_passes = issue_passes_of(model, in),
                                       .operand_reads =
                                           registers_read(in, i > 0 ? &kernel->instructions[i - 1] : NULL)};
        to->store = in->class == SASS_STORE ||
                    (from != NULL && from->instruction->form == PTX_BULK_TO_GLOBAL && in->class == SASS_COPY);
        to->matrix = strcmp(in->mnemonic, "LDSM") == 0 || strcmp(in->mnemonic, "STSM") == 0;
        to->result_passes = (float)(tensor_registers(in) * tensor_double(model, in));
        to->copy = copy_of(in);
        to->copy_groups = in->groups;
        to->scope = in->scope;
        to->active_share = 1;
        /* of constants each part passes, where the compiler made several of one */
        if (is_access(to->access) && to->access != GPU_ACCESS_CONSTANT && from != NULL &&
            !binding_loops_inside(from->instruction) && executed > (double)from->requests)
            to->active_share = (float)((double)from->requests / executed);
        fill_access(model, to, in, from);
        to->together = 1;
        if (from != NULL)
            stored[i] =
                (struct stored){.bytes = (double)from->bytes / (double)from->requests * widening_of(in, from),
                                .joins = (double)from->joined / (double)from->requests};
    }
    fill_graph(graph, runs, traversals, code);
    join_stores(kernel, code, stored);
    free(stored);
    return true;
}

/*
 * Constants by an index that differs from thread to thread: more words for the share that the small cache does not hold, where each
 * word lies in a line of its own.
 */
void binding_spread_constants(const struct gpu_model *model, struct gpu_code *code, uint32_t bytes) {
    const double scattered = 8;
    double missed = bytes > model->constant_cache_bytes ? 1 - model->constant_cache_bytes / bytes : 0;
    for (uint32_t i = 0; i < code->instruction_count; i++) {
        struct gpu_instruction *in = &code->instructions[i];
        if (in->access == GPU_ACCESS_CONSTANT && in->lines > scattered)
            in->wavefronts *= (float)(1 + model->constant_miss_factor * missed);
    }
}

void binding_share_sums(const struct simt_result *result, struct gpu_code *code) {
    double trips = 0;
    for (uint32_t i = 0; i < result->execution_count; i++)
        if (binding_loops_inside(result->executions[i].instruction))
            trips += (double)result->executions[i].lines / SIMT_LOOP_PASSES;
    double share = trips > 0 ? fmin((double)result->busiest_sums_of_all_blocks / trips, 1) : 0;
    for (uint32_t i = 0; i < code->instruction_count; i++)
        code->instructions[i].contended *= (float)share;
}

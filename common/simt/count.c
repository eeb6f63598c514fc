/* count.c: what the host threads counted, folded into one launch's counters and its source lines. */
#include "simt/machine.h"

#include <stdlib.h>
#include <string.h>

static bool is_float(uint32_t type, uint32_t bytes) {
    switch (type) {
    case PTX_F16:
    case PTX_BF16:
    case PTX_F16X2:
    case PTX_BF16X2: return bytes == 2;
    case PTX_F32: return bytes == 4;
    case PTX_F64: return bytes == 8;
    default: return false;
    }
}

static bool any_float(uint32_t type) {
    return is_float(type, 2) || is_float(type, 4) || is_float(type, 8);
}

static bool is_64(uint32_t type) {
    return type == PTX_U64 || type == PTX_S64 || type == PTX_B64;
}

/* A multiply as the 32-bit multiplies a machine makes of it. */
static uint64_t multiplies(const struct ptx_instruction *instruction) {
    if (instruction->form == PTX_WIDE)
        return is_64(instruction->source_type) ? 4 : 1;
    if (is_64(instruction->type))
        return instruction->form == PTX_HI ? 4 : 3;
    return 1;
}

static void classify_arithmetic(const struct ptx_instruction *instruction, uint64_t runs, uint64_t threads,
                                struct counters *counters) {
    uint32_t type = instruction->opcode == PTX_SETP || instruction->opcode == PTX_SET
                        ? instruction->source_type
                        : instruction->type;
    bool fused = instruction->opcode == PTX_FMA || instruction->opcode == PTX_MAD;
    if (is_float(type, 2)) {
        counters->inst_fp16 += runs;
    } else if (is_float(type, 8)) {
        counters->inst_fp64 += runs;
    } else if (is_float(type, 4)) {
        if (fused) {
            counters->inst_fp32_fma += runs;
            counters->fp32_flops += 2 * threads;
        } else {
            counters->inst_fp32 += runs;
            if (instruction->opcode == PTX_ADD || instruction->opcode == PTX_SUB ||
                instruction->opcode == PTX_MUL)
                counters->fp32_flops += threads;
        }
    } else {
        counters->inst_int += runs;
        switch (instruction->opcode) {
        case PTX_MUL:
        case PTX_MAD:
        case PTX_MADC:
        case PTX_MUL24:
        case PTX_MAD24: counters->inst_int_multiply += runs * multiplies(instruction); break;
        default: break;
        }
    }
}

/* One instruction's executions, to the class it belongs to. threads: with a true guard. */
static void classify(const struct ptx_instruction *instruction, uint64_t runs, uint64_t threads,
                     struct counters *counters) {
    switch (instruction->opcode) {
    case PTX_RCP:
    case PTX_SQRT:
    case PTX_RSQRT:
    case PTX_SIN:
    case PTX_COS:
    case PTX_LG2:
    case PTX_EX2:
    case PTX_TANH:
        if (is_float(instruction->type, 8))
            counters->inst_fp64 += runs;
        else
            counters->inst_special += runs;
        break;
    case PTX_DIV:
        if (is_float(instruction->type, 4))
            counters->inst_special += runs;
        else
            classify_arithmetic(instruction, runs, threads, counters);
        break;
    case PTX_CVT:
        if (any_float(instruction->type) || any_float(instruction->source_type))
            counters->inst_conversion += runs;
        else
            counters->inst_move += runs;
        break;
    case PTX_MOV:
    case PTX_SELP:
    case PTX_SLCT:
    case PTX_PACK:
    case PTX_UNPACK:
    case PTX_CVTA:
    case PTX_ISSPACEP: counters->inst_move += runs; break;
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
        if (instruction->space == PTX_PARAM_ENTRY || instruction->space == PTX_PARAM_FRAME)
            counters->inst_move += runs;
        else
            counters->inst_memory += runs;
        break;
    case PTX_ATOM:
    case PTX_RED:
    case PTX_PREFETCH:
    case PTX_CP_ASYNC: counters->inst_memory += runs; break;
    case PTX_SHFL:
    case PTX_VOTE:
    case PTX_MATCH:
    case PTX_ACTIVEMASK:
    case PTX_REDUX: counters->inst_shuffle += runs; break;
    case PTX_BRA:
        counters->inst_control += runs;
        if (instruction->guard >= 0)
            counters->branches += runs;
        break;
    case PTX_BRX:
        counters->inst_control += runs;
        counters->branches += runs;
        break;
    case PTX_CALL:
    case PTX_RET:
    case PTX_EXIT:
    case PTX_TRAP:
    case PTX_BRKPT:
    case PTX_NANOSLEEP: counters->inst_control += runs; break;
    case PTX_BAR:
    case PTX_BARWARP:
    case PTX_MEMBAR:
    case PTX_CP_ASYNC_COMMIT:
    case PTX_CP_ASYNC_WAIT: counters->inst_synchronisation += runs; break;
    default: classify_arithmetic(instruction, runs, threads, counters); break;
    }
}

/* Longest chain of instructions, each needing the one before, in [first, end). */
static uint32_t chain_length(const struct ptx_function *function, uint32_t first, uint32_t end,
                             uint32_t *depth) {
    uint32_t longest = 0, registers = function->slots;
    memset(depth, 0, ((size_t)function->slots + function->predicates + 1) * sizeof *depth);
    for (uint32_t i = first; i < end; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operand = &function->operands[instruction->operand];
        uint32_t start = 0, total = instruction->destinations + instruction->sources;
        for (uint32_t k = instruction->destinations; k < total; k++) {
            uint32_t slot = operand[k].kind == PTX_OPERAND_PREDICATE ? registers + (uint32_t)operand[k].slot
                                                                     : (uint32_t)operand[k].slot;
            if ((operand[k].kind == PTX_OPERAND_REGISTER || operand[k].kind == PTX_OPERAND_PREDICATE ||
                 operand[k].kind == PTX_OPERAND_ADDRESS) &&
                operand[k].slot >= 0 && depth[slot] > start)
                start = depth[slot];
        }
        if (instruction->guard >= 0 && depth[registers + (uint32_t)instruction->guard] > start)
            start = depth[registers + (uint32_t)instruction->guard];
        for (uint32_t k = 0; k < instruction->destinations; k++) {
            if (operand[k].slot < 0)
                continue;
            if (operand[k].kind == PTX_OPERAND_PREDICATE)
                depth[registers + (uint32_t)operand[k].slot] = start + 1;
            else if (operand[k].kind == PTX_OPERAND_REGISTER)
                for (uint32_t w = 0; w < (operand[k].width == 8 ? 2u : 1u); w++)
                    depth[(uint32_t)operand[k].slot + w] = start + 1;
        }
        if (start + 1 > longest)
            longest = start + 1;
    }
    return longest;
}

struct totals {
    uint64_t *runs, *threads; /* by instruction of one function */
};

static void add_up(const struct launch *launch, const struct code *code, struct totals *totals) {
    int64_t runs = 0, threads = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        for (uint32_t w = 0; w < launch->worker_count; w++) {
            runs += launch->workers[w].counts[code->first_count + i].runs;
            threads += launch->workers[w].counts[code->first_count + i].threads;
        }
        totals->runs[i] = (uint64_t)runs;
        totals->threads[i] = (uint64_t)threads;
    }
}

static uint64_t sum_by_instruction(const struct launch *launch, size_t offset, uint32_t index) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < launch->worker_count; w++)
        sum += (*(uint64_t *const *)(const void *)((const char *)&launch->workers[w] + offset))[index];
    return sum;
}

static void fold_function(struct launch *launch, const struct code *code, struct counters *counters) {
    struct totals totals = {calloc(code->count + 1u, 8), calloc(code->count + 1u, 8)};
    const struct ptx_function *function = code->function;
    uint32_t *depth = calloc((size_t)function->slots + function->predicates + 2, sizeof *depth);
    if (totals.runs && totals.threads && depth) {
        add_up(launch, code, &totals);
        for (uint32_t i = 0; i < code->count; i++) {
            uint64_t runs = totals.runs[i], threads = totals.threads[i];
            if (!runs)
                continue;
            const struct ptx_instruction *instruction = &function->instructions[i];
            counters->warp_instructions += runs;
            counters->thread_instructions += threads;
            uint64_t unguarded =
                sum_by_instruction(launch, offsetof(struct worker, inactive), code->first_count + i);
            classify(instruction, runs, threads - unguarded, counters);
            counters->divergent_branches +=
                sum_by_instruction(launch, offsetof(struct worker, divergent), code->first_count + i);
        }
        for (uint32_t first = 0; first < code->count;) {
            uint32_t end = first;
            do
                end++;
            while (end < code->count && code->control[end - 1] == CONTROL_NONE &&
                   totals.runs[end] == totals.runs[first]);
            if (totals.runs[first])
                counters->dependent_issue_cycles +=
                    totals.runs[first] * chain_length(function, first, end, depth);
            first = end;
        }
    }
    free(totals.runs);
    free(totals.threads);
    free(depth);
}

/* ---- memory */

static struct site site_total(const struct launch *launch, uint32_t index) {
    struct site sum = {0};
    for (uint32_t w = 0; w < launch->worker_count; w++) {
        const struct site *site = &launch->workers[w].sites[index];
        sum.requests += site->requests;
        sum.transactions += site->transactions;
        sum.ideal += site->ideal;
        sum.threads += site->threads;
        sum.lines += site->lines;
    }
    return sum;
}

/* What the counts of a site are: by instruction, and by which of its sites it is. -1: constant memory. */
static int site_kind(const struct ptx_instruction *instruction, uint32_t part) {
    bool store = instruction->opcode == PTX_ST;
    if (instruction->opcode == PTX_ATOM || instruction->opcode == PTX_RED)
        return LINE_ATOMIC;
    if (instruction->opcode == PTX_CP_ASYNC)
        return part == SITE_SHARED ? LINE_SHARED_STORE : LINE_GLOBAL_LOAD;
    if (instruction->space == PTX_CONST)
        return -1;
    if (instruction->space == PTX_SHARED || part == SITE_SHARED)
        return store ? LINE_SHARED_STORE : LINE_SHARED_LOAD;
    if (instruction->space == PTX_LOCAL || part == SITE_LOCAL)
        return store ? LINE_LOCAL_STORE : LINE_LOCAL_LOAD;
    return store ? LINE_GLOBAL_STORE : LINE_GLOBAL_LOAD;
}

static uint64_t access_width(const struct simt_module *module, const struct site_info *info) {
    const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
    (void)module;
    static const uint8_t bytes[] = {
        [PTX_B8] = 1,  [PTX_U8] = 1,  [PTX_S8] = 1,   [PTX_B16] = 2, [PTX_U16] = 2,
        [PTX_S16] = 2, [PTX_F16] = 2, [PTX_BF16] = 2, [PTX_B64] = 8, [PTX_U64] = 8,
        [PTX_S64] = 8, [PTX_F64] = 8, [PTX_F32] = 4};
    uint64_t width =
        instruction->type < sizeof bytes && bytes[instruction->type] ? bytes[instruction->type] : 4;
    if (instruction->opcode == PTX_CP_ASYNC)
        return (uint64_t)info->code->function->operands[instruction->operand + 2].value;
    return width * (instruction->opcode == PTX_ST ? instruction->sources - 1u : instruction->destinations);
}

static void fold_site(const struct launch *launch, uint32_t index, struct counters *counters) {
    const struct site_info *info = &launch->module->sites[index];
    const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
    struct site site = site_total(launch, index);
    uint32_t part = (index - info->code->first_site) % SITES_PER_INSTRUCTION;
    if (!site.requests)
        return;
    switch (site_kind(instruction, part)) {
    case LINE_GLOBAL_LOAD:
        counters->global_load_requests += site.requests;
        counters->global_load_sectors += site.transactions;
        counters->global_load_wavefronts += site.lines;
        counters->global_load_bytes += site.threads * access_width(launch->module, info);
        break;
    case LINE_GLOBAL_STORE:
        counters->global_store_requests += site.requests;
        counters->global_store_sectors += site.transactions;
        counters->global_store_bytes += site.threads * access_width(launch->module, info);
        break;
    case LINE_SHARED_LOAD:
        counters->shared_load_requests += site.requests;
        counters->shared_load_wavefronts += site.transactions;
        counters->shared_bank_conflicts += site.transactions - site.ideal;
        break;
    case LINE_SHARED_STORE:
        counters->shared_store_requests += site.requests;
        counters->shared_store_wavefronts += site.transactions;
        counters->shared_bank_conflicts += site.transactions - site.ideal;
        break;
    case LINE_LOCAL_LOAD:
        counters->local_load_requests += site.requests;
        counters->local_load_sectors += site.transactions;
        break;
    case LINE_LOCAL_STORE:
        counters->local_store_requests += site.requests;
        counters->local_store_sectors += site.transactions;
        break;
    case LINE_ATOMIC:
        if (instruction->space == PTX_SHARED || part == SITE_SHARED) {
            counters->shared_atomics += site.requests;
        } else {
            counters->atomics += site.requests;
            counters->atomic_sectors += site.transactions;
        }
        break;
    default: counters->constant_requests += site.requests; break;
    }
}

void launch_fold(struct launch *launch, struct simt_result *result) {
    struct counters *counters = &result->counters;
    for (uint32_t i = 0; i < launch->module->program->function_count; i++)
        if (launch->module->codes[i].count)
            fold_function(launch, &launch->module->codes[i], counters);
    for (uint32_t i = 0; i < launch->module->site_total; i++)
        fold_site(launch, i, counters);
    for (uint32_t w = 0; w < launch->worker_count; w++)
        counters->barriers += launch->workers[w].counters.barriers;
}

/* ---- source lines */

static int by_line(const void *a, const void *b) {
    const struct simt_line *first = a, *second = b;
    int files = strcmp(first->file, second->file);
    if (files)
        return files;
    if (first->line != second->line)
        return first->line < second->line ? -1 : 1;
    return (first->kind > second->kind) - (first->kind < second->kind);
}

static struct simt_line *add_line(struct simt_result *result, const struct simt_module *module,
                                  const struct ptx_instruction *instruction, int kind) {
    struct simt_line *line = &result->lines[result->line_count++];
    *line = (struct simt_line){.file = instruction->file < module->program->file_count
                                           ? module->program->files[instruction->file]
                                           : "",
                               .line = instruction->line,
                               .kind = (enum line_kind)kind};
    return line;
}

static void add_branches(struct launch *launch, const struct code *code, struct simt_result *result) {
    int64_t runs = 0, threads = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct ptx_instruction *instruction = &code->function->instructions[i];
        for (uint32_t w = 0; w < launch->worker_count; w++) {
            runs += launch->workers[w].counts[code->first_count + i].runs;
            threads += launch->workers[w].counts[code->first_count + i].threads;
        }
        bool conditional =
            (instruction->opcode == PTX_BRA && instruction->guard >= 0) || instruction->opcode == PTX_BRX;
        if (!conditional || !runs)
            continue;
        struct simt_line *line = add_line(result, launch->module, instruction, LINE_BRANCH);
        line->requests = (uint64_t)runs;
        line->threads = (uint64_t)threads;
        line->transactions =
            sum_by_instruction(launch, offsetof(struct worker, divergent), code->first_count + i);
    }
}

bool launch_lines(struct launch *launch, struct simt_result *result) {
    const struct simt_module *module = launch->module;
    result->lines = calloc((size_t)module->site_total + module->count_total + 1, sizeof *result->lines);
    if (!result->lines)
        return false;
    for (uint32_t i = 0; i < module->site_total; i++) {
        const struct site_info *info = &module->sites[i];
        const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
        struct site site = site_total(launch, i);
        int kind = site_kind(instruction, (i - info->code->first_site) % SITES_PER_INSTRUCTION);
        if (!site.requests || kind < 0)
            continue;
        struct simt_line *line = add_line(result, module, instruction, kind);
        line->requests = site.requests;
        line->transactions = site.transactions;
        line->ideal = site.ideal;
        line->threads = site.threads;
    }
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->codes[i].count)
            add_branches(launch, &module->codes[i], result);
    qsort(result->lines, result->line_count, sizeof *result->lines, by_line);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < result->line_count; i++) {
        struct simt_line *last = kept ? &result->lines[kept - 1] : NULL, *line = &result->lines[i];
        if (last && by_line(last, line) == 0) {
            last->requests += line->requests;
            last->transactions += line->transactions;
            last->ideal += line->ideal;
            last->threads += line->threads;
        } else {
            result->lines[kept++] = *line;
        }
    }
    result->line_count = kept;
    struct simt_line *fitted = realloc(result->lines, (kept + 1u) * sizeof *fitted);
    result->lines = fitted ? fitted : result->lines;
    return true;
}

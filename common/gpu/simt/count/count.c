/* count.c: adds up the host threads' counts to one launch's counters and source lines. */
#include "gpu/simt/count/count.h"
#include "gpu/simt/observe/observe.h"

#include <stdlib.h>
#include <string.h>

/* Number of 32-bit multiplies in the machine code of one multiply. */
static uint64_t multiplies(const struct ptx_instruction *instruction) {
    if (instruction->form == PTX_WIDE || ptx_type_bytes(instruction->type) < 8)
        return 1;
    return instruction->form == PTX_HI ? 4 : 3;
}

/* Counts instructions that are one in PTX and many in machine code. */
static void count_divisions(const struct ptx_instruction *instruction, uint64_t runs,
                            struct counters *counters) {
    uint8_t class = ptx_nature(instruction)->class;
    if (ptx_type_is_float(instruction->type)) {
        if (instruction->type == PTX_F64 && (class == PTX_CLASS_QUOTIENT || class == PTX_CLASS_SPECIAL))
            counters->inst_division_fp64 += runs;
    } else if (class == PTX_CLASS_QUOTIENT) {
        *(ptx_type_bytes(instruction->type) < 8 ? &counters->inst_division : &counters->inst_division_64) +=
            runs;
    }
}

static void count_arithmetic(const struct ptx_instruction *instruction, uint64_t runs, uint64_t threads,
                             struct counters *counters) {
    uint8_t class = ptx_nature(instruction)->class;
    /* A comparison's operands have source_type; elsewhere both types are of one kind. */
    enum ptx_type type = instruction->source_type;
    if (!ptx_type_is_float(type)) {
        counters->inst_int += runs;
        if (class == PTX_CLASS_PRODUCT || class == PTX_CLASS_FUSED)
            counters->inst_int_multiply += runs * multiplies(instruction);
    } else if (type == PTX_F64) {
        counters->inst_fp64 += runs;
    } else if (type != PTX_F32) {
        counters->inst_fp16 += runs;
    } else if (class == PTX_CLASS_FUSED) {
        counters->inst_fp32_fma += runs;
        counters->fp32_flops += 2 * threads;
    } else {
        counters->inst_fp32 += runs;
        if (class == PTX_CLASS_SUM || class == PTX_CLASS_PRODUCT)
            counters->fp32_flops += threads;
    }
}

static bool is_parameter_access(const struct ptx_instruction *instruction) {
    return instruction->space == PTX_PARAM_ENTRY || instruction->space == PTX_PARAM_FRAME;
}

static bool is_conditional_branch(const struct ptx_instruction *instruction) {
    return ptx_is_branch(instruction) && (instruction->guard >= 0 || instruction->opcode == PTX_BRX);
}

/* Adds one instruction's executions to its class. threads: those with a true guard. */
static void count_class(const struct ptx_instruction *instruction, uint64_t runs, uint64_t threads,
                        struct counters *counters) {
    enum ptx_type type = instruction->type, source_type = instruction->source_type;
    switch ((enum ptx_class)ptx_nature(instruction)->class) {
    case PTX_CLASS_QUOTIENT:
        if (type == PTX_F32)
            counters->inst_special += runs;
        else
            count_arithmetic(instruction, runs, threads, counters);
        break;
    case PTX_CLASS_ARITHMETIC:
    case PTX_CLASS_SUM:
    case PTX_CLASS_PRODUCT:
    case PTX_CLASS_FUSED: count_arithmetic(instruction, runs, threads, counters); break;
    case PTX_CLASS_SPECIAL:
        *(type == PTX_F64 ? &counters->inst_fp64 : &counters->inst_special) += runs;
        break;
    case PTX_CLASS_CONVERSION:
        if (ptx_type_is_float(type) || ptx_type_is_float(source_type))
            counters->inst_conversion += runs;
        else
            counters->inst_move += runs;
        break;
    case PTX_CLASS_MOVE: counters->inst_move += runs; break;
    case PTX_CLASS_MEMORY:
        if (is_parameter_access(instruction))
            counters->inst_move += runs;
        else
            counters->inst_memory += runs;
        break;
    case PTX_CLASS_MATRIX: counters->inst_matrix += runs; break;
    case PTX_CLASS_SHUFFLE: counters->inst_shuffle += runs; break;
    case PTX_CLASS_CONTROL: counters->inst_control += runs; break;
    case PTX_CLASS_SYNCHRONISATION: counters->inst_synchronisation += runs; break;
    }
    count_divisions(instruction, runs, counters);
    if (is_conditional_branch(instruction))
        counters->branches += runs;
}

static void fold_function(const struct share *share, const struct code *code, struct counters *counters) {
    struct run_count sum = {0};
    for (uint32_t i = 0; i < code->count; i++) {
        uint32_t index = code->first_count + i;
        add_up(share, index, &sum);
        if (!sum.runs)
            continue;
        counters->warp_instructions += (uint64_t)sum.runs;
        counters->thread_instructions += (uint64_t)sum.threads;
        count_class(&code->function->instructions[i], (uint64_t)sum.runs,
                    (uint64_t)sum.threads - tally_total(share, TALLY_INACTIVE, index), counters);
        counters->divergent_branches += tally_total(share, TALLY_DIVERGENT, index);
    }
}

/* ---- memory */

void simt_sites_begin(struct site *sites, uint32_t count) {
    memset(sites, 0, ((size_t)count + 1) * sizeof *sites);
    for (uint32_t i = 0; i < count && i + 1 < CACHE_OWNERS; i++)
        sites[i].owner = i + 1;
}

struct site simt_site_total(const struct launch *launch, uint32_t index) {
    struct site sum = {0};
    for (uint32_t w = 0; w < launch->worker_count; w++) {
        const struct site *site = &launch->workers[w].sites[index];
        sum.requests += site->requests;
        sum.transactions += site->transactions;
        sum.ideal += site->ideal;
        sum.threads += site->threads;
        sum.lines += site->lines;
        sum.missed += site->missed;
        sum.waited += site->waited;
        sum.late += site->late;
        sum.joined += site->joined;
        sum.passes += site->passes;
        sum.looked += site->looked;
        sum.owner = site->owner;
    }
    simt_observed_counts(launch, index, &sum);
    return sum;
}

/* enum line_kind of a site, by its instruction; part: which of the instruction's sites it is. */
static int site_kind(const struct ptx_instruction *instruction, uint32_t part) {
    uint8_t memory = ptx_nature(instruction)->memory;
    bool store = memory == PTX_MEMORY_STORE;
    if (memory == PTX_MEMORY_ATOMIC)
        return LINE_ATOMIC;
    if (memory == PTX_MEMORY_COPY && part != SITE_SHARED)
        return instruction->form == PTX_BULK_TO_GLOBAL ? LINE_GLOBAL_STORE : LINE_GLOBAL_LOAD;
    if (memory == PTX_MEMORY_COPY)
        return LINE_SHARED_STORE;
    if (instruction->space == PTX_CONST)
        return LINE_CONSTANT_LOAD;
    if (instruction->space == PTX_SHARED || part == SITE_SHARED)
        return store ? LINE_SHARED_STORE : LINE_SHARED_LOAD;
    if (instruction->space == PTX_LOCAL || part == SITE_LOCAL)
        return store ? LINE_LOCAL_STORE : LINE_LOCAL_LOAD;
    return store ? LINE_GLOBAL_STORE : LINE_GLOBAL_LOAD;
}

int simt_count_site_kind(const struct simt_module *module, uint32_t site) {
    const struct site_info *info = &module->sites[site];
    return site_kind(&info->code->function->instructions[info->instruction],
                     (site - info->code->first_site) % SITES_PER_INSTRUCTION);
}

bool simt_count_site_is_shared(const struct simt_module *module, uint32_t site) {
    const struct site_info *info = &module->sites[site];
    return info->code->function->instructions[info->instruction].space == PTX_SHARED ||
           (site - info->code->first_site) % SITES_PER_INSTRUCTION == SITE_SHARED;
}

bool simt_count_site_is_fixed(const struct simt_module *module, uint32_t site) {
    const struct site_info *info = &module->sites[site];
    const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
    return info->code->function->operands[instruction->operand + instruction->destinations].slot < 0;
}

uint64_t simt_access_width(const struct site_info *info) {
    const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
    if (instruction->opcode == PTX_CP_ASYNC)
        return (uint64_t)info->code->function->operands[instruction->operand + 2].value;
    uint32_t count = instruction->opcode == PTX_ST ? instruction->sources - 1u : instruction->destinations;
    return instruction->opcode == PTX_BULK ? BULK_UNIT : (uint64_t)ptx_type_bytes(instruction->type) * count;
}

static void fold_site(const struct simt_module *module, uint32_t index, const struct site *site,
                      struct counters *counters) {
    const struct site_info *info = &module->sites[index];
    const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
    uint32_t part = (index - info->code->first_site) % SITES_PER_INSTRUCTION;
    if (!site->requests || instruction->opcode == PTX_BULK || instruction->opcode == PTX_PREFETCH)
        return; /* ncu counts them in L2 alone */
    switch (site_kind(instruction, part)) {
    case LINE_GLOBAL_LOAD:
        counters->global_load_requests += site->requests;
        counters->global_load_sectors += site->transactions;
        counters->global_load_wavefronts += site->lines;
        counters->global_load_bytes += site->threads * simt_access_width(info);
        break;
    case LINE_GLOBAL_STORE:
        counters->global_store_requests += site->requests;
        counters->global_store_sectors += site->transactions;
        counters->global_store_bytes += site->threads * simt_access_width(info);
        break;
    case LINE_SHARED_LOAD:
        counters->shared_load_requests += site->requests;
        counters->shared_load_wavefronts += site->transactions;
        counters->shared_bank_conflicts += site->transactions - site->ideal;
        break;
    case LINE_SHARED_STORE:
        counters->shared_store_requests += site->requests;
        counters->shared_store_wavefronts += site->transactions;
        counters->shared_bank_conflicts += site->transactions - site->ideal;
        break;
    case LINE_LOCAL_LOAD:
        counters->local_load_requests += site->requests;
        counters->local_load_sectors += site->transactions;
        break;
    case LINE_LOCAL_STORE:
        counters->local_store_requests += site->requests;
        counters->local_store_sectors += site->transactions;
        break;
    case LINE_ATOMIC:
        if (instruction->space == PTX_SHARED || part == SITE_SHARED) {
            counters->shared_atomics += site->requests;
            counters->shared_atomic_wavefronts += site->lines;
        } else {
            counters->atomics += site->requests;
            counters->atomic_sectors += site->transactions;
            counters->atomic_passes += site->lines;
        }
        break;
    case LINE_CONSTANT_LOAD:
        counters->constant_requests += site->requests;
        counters->constant_wavefronts += site->transactions;
        break;
    default: break;
    }
}

void simt_launch_fold(struct launch *launch, struct simt_result *result) {
    struct counters *counters = &result->counters;
    const struct share all = {launch->workers, launch->worker_count};
    const struct simt_module *module = launch->module;
    for (uint32_t i = 0; i < module->program->function_count; i++) {
        if (!module->codes[i].count)
            continue;
        fold_function(&all, &module->codes[i], counters);
        simt_count_code(&all, &module->codes[i], counters);
    }
    simt_count_spills(&all, launch->shape->kernel, counters);
    for (uint32_t i = 0; i < module->site_total; i++) {
        struct site site = simt_site_total(launch, i);
        fold_site(module, i, &site, counters);
    }
    for (uint32_t w = 0; w < launch->worker_count; w++)
        counters->barriers += launch->workers[w].counters.barriers;
}

/* ---- each SM alone. One worker runs an SM's round and counts it. */

static void fold_worker(const struct worker *worker, struct counters *counters) {
    const struct simt_module *module = worker->launch->module;
    const struct share alone = {worker, 1};
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->codes[i].count)
            fold_function(&alone, &module->codes[i], counters);
    for (uint32_t i = 0; i < module->site_total; i++)
        fold_site(module, i, &worker->sites[i], counters);
    counters->barriers = worker->counters.barriers;
}

void simt_sm_count_round(struct worker *worker, struct sm *sm) {
    struct counters now = {0};
    fold_worker(worker, &now);
    for (enum counter c = 0; c < COUNTER_COUNT; c++)
        counter_set(&sm->counters, c,
                    counter_value(&sm->counters, c) + counter_value(&now, c) -
                        counter_value(&worker->counted, c));
    worker->counted = now;
}

bool simt_launch_fold_sms(const struct launch *launch, struct simt_result *result) {
    if (!launch->caches)
        return true;
    result->sms = calloc(launch->sm_count, sizeof *result->sms);
    if (result->sms == NULL)
        return false;
    result->sm_count = launch->sm_count;
    for (uint32_t k = 0; k < launch->observer_count; k++) { /* observers have counts of their own */
        uint64_t block;
        const struct site *sites = simt_observed_sites(launch, k, &block);
        struct counters *counters = &launch->sms[block % launch->sm_count].counters;
        for (uint32_t i = 0; i < launch->module->site_total; i++)
            fold_site(launch->module, i, &sites[i], counters);
    }
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm *sm = &launch->sms[i];
        result->sms[i] = (struct sm_work){sm->counters, sm->longest_warp, sm->largest_block};
        result->sms[i].counters.l2_read_sectors = sm->l1.read_sectors;
        result->sms[i].counters.l2_write_sectors = sm->l1.write_sectors;
    }
    return true;
}

/* ---- source lines */

static bool same_line(const struct simt_line *a, const struct simt_line *b) {
    return a->line == b->line && a->kind == b->kind && strcmp(a->file, b->file) == 0;
}

static int by_line(const void *a, const void *b) {
    const struct simt_line *first = a, *second = b;
    int files = strcmp(first->file, second->file);
    if (files)
        return files;
    if (first->line != second->line)
        return first->line < second->line ? -1 : 1;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return strcmp(first->facts.array, second->facts.array);
}

/* An unobserved instruction gets the array of its line's other instructions if they name only one.
 * Lines are sorted. */
static void name_lines(struct simt_result *result) {
    for (uint32_t first = 0, end; first < result->line_count; first = end) {
        struct simt_line *line = &result->lines[first];
        bool one = true;
        for (end = first; end < result->line_count && same_line(line, &result->lines[end]); end++)
            ;
        const struct simt_line *last = &result->lines[end - 1];
        for (uint32_t i = first; i < end; i++) /* "" sorts before every name */
            one &= *result->lines[i].facts.array == '\0' ||
                   strcmp(result->lines[i].facts.array, last->facts.array) == 0;
        for (uint32_t i = first; one && i < end; i++)
            memcpy(result->lines[i].facts.array, last->facts.array, sizeof last->facts.array);
    }
}

static struct simt_line *add_line(struct simt_result *result, const struct simt_module *module,
                                  const struct ptx_instruction *instruction, int kind) {
    struct simt_line *line = &result->lines[result->line_count++];
    /* Instructions of a header (sqrt, atomicAdd) count at the line that calls it. */
    bool header = instruction->outer_line != 0 && instruction->file != instruction->outer_file;
    uint32_t file = header ? instruction->outer_file : instruction->file;
    *line = (struct simt_line){.file = file < module->program->file_count ? module->program->files[file] : "",
                               .line = header ? instruction->outer_line : instruction->line,
                               .kind = (enum line_kind)kind};
    return line;
}

/* Machine instructions beyond those of the same operation on 32 bits. Sums of 64 bits are those of
 * addresses, and count nothing. */
static uint32_t extra_of_wide(const struct ptx_instruction *instruction) {
    if (ptx_type_is_float(instruction->source_type) || ptx_type_bytes(instruction->source_type) != 8)
        return 0;
    switch (instruction->opcode) {
    case PTX_SHL:
    case PTX_SETP: return 1;
    case PTX_MUL:
    case PTX_MAD: return instruction->form == PTX_LO ? 3 : 0;
    default: return 0;
    }
}

/* The kind of line for an instruction without a site. -1: it makes none. */
static int costly_kind(const struct ptx_instruction *instruction) {
    if (is_conditional_branch(instruction))
        return LINE_BRANCH;
    if (instruction->opcode == PTX_BAR)
        return LINE_BARRIER;
    switch ((enum ptx_class)ptx_nature(instruction)->class) {
    case PTX_CLASS_CONVERSION:
        return ptx_type_is_float(instruction->type) || ptx_type_is_float(instruction->source_type)
                   ? LINE_CONVERSION
                   : -1;
    case PTX_CLASS_QUOTIENT:
        if (!ptx_type_is_float(instruction->type))
            return LINE_DIVISION;
        return instruction->type == PTX_F64 ? LINE_DOUBLE : LINE_SPECIAL;
    case PTX_CLASS_SPECIAL: return instruction->type == PTX_F64 ? LINE_DOUBLE : LINE_SPECIAL;
    case PTX_CLASS_ARITHMETIC:
    case PTX_CLASS_SUM:
    case PTX_CLASS_PRODUCT:
    case PTX_CLASS_FUSED:
        if (instruction->source_type == PTX_F64)
            return LINE_DOUBLE;
        return extra_of_wide(instruction) ? LINE_WIDE_INTEGER : -1;
    default: return extra_of_wide(instruction) ? LINE_WIDE_INTEGER : -1;
    }
}

static void add_instructions(struct launch *launch, const struct code *code, struct simt_result *result) {
    const struct share all = {launch->workers, launch->worker_count};
    struct run_count sum = {0};
    for (uint32_t i = 0; i < code->count; i++) {
        const struct ptx_instruction *instruction = &code->function->instructions[i];
        add_up(&all, code->first_count + i, &sum);
        int kind = costly_kind(instruction);
        if (kind < 0 || !sum.runs)
            continue;
        struct simt_line *line = add_line(result, launch->module, instruction, kind);
        line->requests = (uint64_t)sum.runs * (kind == LINE_WIDE_INTEGER ? extra_of_wide(instruction) : 1);
        line->threads = (uint64_t)sum.threads;
        if (kind != LINE_BRANCH)
            continue;
        line->transactions = tally_total(&all, TALLY_DIVERGENT, code->first_count + i);
        simt_observed_branch(launch, code->first_count + i, &line->facts);
    }
}

bool simt_launch_lines(struct launch *launch, struct simt_result *result) {
    const struct simt_module *module = launch->module;
    result->lines = calloc((size_t)module->site_total + module->count_total + 1, sizeof *result->lines);
    if (result->lines == NULL)
        return false;
    for (uint32_t i = 0; i < module->site_total; i++) {
        const struct site_info *info = &module->sites[i];
        const struct ptx_instruction *instruction = &info->code->function->instructions[info->instruction];
        struct site site = simt_site_total(launch, i);
        int kind = site_kind(instruction, (i - info->code->first_site) % SITES_PER_INSTRUCTION);
        if (!site.requests)
            continue;
        struct simt_line *line = add_line(result, module, instruction, kind);
        line->requests = site.requests;
        line->transactions = site.transactions;
        line->ideal = site.ideal;
        line->threads = site.threads;
        simt_observed_facts(launch, i, &line->facts);
    }
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->codes[i].count)
            add_instructions(launch, &module->codes[i], result);
    qsort(result->lines, result->line_count, sizeof *result->lines, by_line);
    uint32_t kept = 0;
    uint64_t worst = 0; /* avoidable transactions of the line's worst instruction so far */
    name_lines(result);
    qsort(result->lines, result->line_count, sizeof *result->lines, by_line);
    for (uint32_t i = 0; i < result->line_count; i++) {
        struct simt_line *last = kept ? &result->lines[kept - 1] : NULL, *line = &result->lines[i];
        if (last != NULL && by_line(last, line) == 0) {
            simt_observed_merge(&last->facts, &line->facts, line->transactions - line->ideal > worst);
            worst = line->transactions - line->ideal > worst ? line->transactions - line->ideal : worst;
            last->requests += line->requests;
            last->transactions += line->transactions;
            last->ideal += line->ideal;
            last->threads += line->threads;
        } else {
            worst = line->transactions - line->ideal;
            result->lines[kept++] = *line;
        }
    }
    result->line_count = kept;
    struct simt_line *fitted = realloc(result->lines, (kept + 1u) * sizeof *fitted);
    result->lines = fitted != NULL ? fitted : result->lines;
    return true;
}

/* binding.c: the PTX's executions, line by line, and the machine code's that follow. */
#include "gpu/runtime/binding/binding.h"
#include "gpu/runtime/binding/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order of blocks by how often they ran, those alike by their place. */
static int busier(const void *left, const void *right) {
    const struct gpu_block *const *a = left, *const *b = right;
    if ((*a)->runs != (*b)->runs)
        return (*a)->runs > (*b)->runs ? -1 : 1;
    return ((*a)->first > (*b)->first) - ((*a)->first < (*b)->first);
}

void binding_bytes(const struct gpu_code *code, uint32_t *all, uint32_t *hot) {
    enum { INSTRUCTION_BYTES = 16 }; /* from 7.0 on; older machine code is not read */
    const struct gpu_block **order = malloc((code->block_count + 1u) * sizeof(struct gpu_block *));
    double executed = 0, seen = 0;
    *all = code->instruction_count * INSTRUCTION_BYTES;
    *hot = order != NULL ? 0 : *all;
    for (uint32_t b = 0; order != NULL && b < code->block_count; b++) {
        order[b] = &code->blocks[b];
        executed += order[b]->runs * (order[b]->end - order[b]->first);
    }
    if (order != NULL)
        qsort(order, code->block_count, sizeof(struct gpu_block *), busier);
    for (uint32_t b = 0; order != NULL && b < code->block_count && seen < 0.95 * executed; b++) {
        uint32_t count = order[b]->end - order[b]->first;
        seen += order[b]->runs * count;
        *hot += count * INSTRUCTION_BYTES;
    }
    free(order);
}

static void take_binary(struct binding_binary *binary, void *bytes, const struct cubin *cubin) {
    *binary = (struct binding_binary){.bytes = bytes, .cubin = *cubin};
    binary->kernels = calloc(cubin->count + 1u, sizeof *binary->kernels);
    for (uint32_t i = 0; binary->kernels != NULL && i < cubin->count; i++)
        binary->kernels[i].name = cubin->kernels[i].name;
}

static void free_binary(struct binding_binary *binary) {
    for (uint32_t i = 0; binary->kernels != NULL && i < binary->cubin.count; i++)
        if (binary->kernels[i].usable)
            sass_kernel_free(&binary->kernels[i].code);
    free(binary->kernels);
    cubin_free(&binary->cubin);
    free(binary->bytes);
}

void binding_take(struct binding *binding, void *bytes, const struct cubin *cubin, char *text,
                  size_t text_bytes, const struct ptxas_options *options, uint32_t compute_major) {
    *binding = (struct binding){.text = text,
                                .text_bytes = text_bytes,
                                .options = *options,
                                .foreign = cubin->architecture / 10 != compute_major};
    take_binary(&binding->own, bytes, cubin);
}

void binding_free(struct binding *binding) {
    free_binary(&binding->own);
    free_binary(&binding->made);
    free(binding->text);
    *binding = (struct binding){0};
}

static struct binding_kernel *kernel_in(const struct binding_binary *binary, const char *name) {
    for (uint32_t i = 0; binary->kernels != NULL && i < binary->cubin.count; i++)
        if (strcmp(binary->kernels[i].name, name) == 0)
            return &binary->kernels[i];
    return NULL;
}

/* Is it usable? Read at the first time. */
static bool read_kernel(const struct binding *binding, struct binding_binary *binary,
                        struct binding_kernel *kernel) {
    if (!kernel->tried)
        kernel->usable =
            sass_kernel_read(&kernel->code, &binary->cubin, &binary->cubin.kernels[kernel - binary->kernels],
                             binding->text, binding->text_bytes, kernel->why, sizeof kernel->why);
    kernel->tried = true;
    return kernel->usable;
}

/* The program's own; NULL and a line: none that is usable. */
static struct binding_kernel *find_own(struct binding *binding, const char *name, char *error,
                                       size_t error_size) {
    struct binding_kernel *kernel = kernel_in(&binding->own, name);
    if (kernel == NULL || binding->text == NULL || binding->foreign) {
        snprintf(error, error_size, "machine code: there is none %s",
                 kernel == NULL     ? "of this kernel"
                 : binding->foreign ? "for this generation of GPUs"
                                    : "of one file of PTX");
        return NULL;
    }
    if (read_kernel(binding, &binding->own, kernel))
        return kernel;
    snprintf(error, error_size, "%s", kernel->why);
    return NULL;
}

/* Its own, else what ptxas made; NULL and a line: neither is usable. */
static struct binding_kernel *find(struct binding *binding, const char *name, bool *made, char *error,
                                   size_t error_size) {
    struct binding_kernel *kernel = find_own(binding, name, error, error_size);
    *made = kernel == NULL && binding->made.kernels != NULL;
    if (kernel != NULL)
        return kernel;
    kernel = *made ? kernel_in(&binding->made, name) : NULL;
    if (kernel != NULL && read_kernel(binding, &binding->made, kernel))
        return kernel;
    if (kernel != NULL)
        snprintf(error, error_size, "%s", kernel->why);
    else if (binding->asked && binding->why[0] != '\0')
        snprintf(error, error_size, "%s", binding->why);
    return NULL;
}

bool binding_make(struct binding *binding, const char *name, const struct ptxas *ptxas,
                  uint32_t architecture) {
    char unused[128];
    if (binding->asked || binding->text == NULL || find_own(binding, name, unused, sizeof unused) != NULL)
        return false;
    binding->asked = true;
    if (!sass_knows(architecture)) {
        snprintf(binding->why, sizeof binding->why, "machine code: that of sm_%u is not read", architecture);
        return false;
    }
    struct cubin cubin;
    size_t size = 0;
    void *bytes = ptxas_make(ptxas, binding->text, binding->text_bytes, architecture, &binding->options,
                             &size, binding->why, sizeof binding->why);
    if (bytes != NULL && cubin_parse(bytes, size, architecture, &cubin, binding->why, sizeof binding->why)) {
        take_binary(&binding->made, bytes, &cubin);
        return false;
    }
    free(bytes);
    return true;
}

const struct cubin_kernel *binding_made(const struct binding *binding, const char *name) {
    bool own = !binding->foreign && cubin_find(&binding->own.cubin, name) != NULL;
    return own ? NULL : cubin_find(&binding->made.cubin, name);
}

const struct sass_kernel *binding_find(struct binding *binding, const char *name) {
    char why[192];
    bool made;
    const struct binding_kernel *kernel = find(binding, name, &made, why, sizeof why);
    return kernel != NULL ? &kernel->code : NULL;
}

static bool is_parameter(const struct ptx_instruction *instruction) {
    return instruction->space == PTX_PARAM_ENTRY || instruction->space == PTX_PARAM_FRAME ||
           instruction->space == PTX_CONST;
}

static uint8_t memory_work(const struct ptx_instruction *instruction) {
    switch (ptx_nature(instruction)->memory) {
    case PTX_MEMORY_LOAD:
    case PTX_MEMORY_COPY: return is_parameter(instruction) ? SASS_WORK_PARAMETER : SASS_WORK_LOAD;
    case PTX_MEMORY_STORE: return is_parameter(instruction) ? SASS_WORK_MOVE : SASS_WORK_STORE;
    case PTX_MEMORY_ATOMIC: return SASS_WORK_ATOMIC;
    default: return SASS_WORK_OTHER;
    }
}

/* Besides divisions and special functions. */
static bool becomes_many(const struct ptx_instruction *in) {
    bool picks = in->opcode == PTX_MIN || in->opcode == PTX_MAX;
    return in->opcode == PTX_REM || in->opcode == PTX_FNS || (picks && in->type == PTX_F64);
}

uint8_t binding_work_of(const struct ptx_instruction *instruction) {
    enum ptx_type type = instruction->source_type;
    switch ((enum ptx_class)ptx_nature(instruction)->class) {
    case PTX_CLASS_QUOTIENT:
    case PTX_CLASS_SPECIAL: return SASS_WORK_COMPLEX;
    case PTX_CLASS_SUM:
    case PTX_CLASS_PRODUCT:
    case PTX_CLASS_FUSED:
        return type == PTX_F32 ? SASS_WORK_FLOAT : type == PTX_F64 ? SASS_WORK_DOUBLE : SASS_WORK_OTHER;
    case PTX_CLASS_MOVE: return SASS_WORK_MOVE;
    case PTX_CLASS_MEMORY: return memory_work(instruction);
    case PTX_CLASS_CONTROL: return SASS_WORK_CONTROL;
    case PTX_CLASS_SYNCHRONISATION:
        return instruction->opcode == PTX_BAR ? SASS_WORK_BARRIER : SASS_WORK_MOVE;
    case PTX_CLASS_SHUFFLE: return instruction->opcode == PTX_SHFL ? SASS_WORK_SHUFFLE : SASS_WORK_OTHER;
    default: return becomes_many(instruction) ? SASS_WORK_COMPLEX : SASS_WORK_OTHER;
    }
}

/*
 * A branch back: how often the loop runs each time it is entered, on average. That is known where entries were counted, or where
 * the instruction before its head can only go on into it, as compilers leave it. `first` is the function's first.
 */
static double trips_of(const struct simt_execution *first, const struct simt_execution *branch) {
    const struct ptx_instruction *instruction = branch->instruction;
    uint32_t index = (uint32_t)(branch - first);
    if (instruction->opcode != PTX_BRA || instruction->target <= 0 || (uint32_t)instruction->target > index)
        return 0;
    const struct simt_execution *head = first + instruction->target, *before = head - 1;
    if (branch->trips != NULL && branch->trips->entries > 0)
        return (double)head->runs / (double)branch->trips->entries;
    if (ptx_nature(before->instruction)->control != PTX_CONTROL_NONE || before->runs == 0)
        return 0;
    return (double)head->runs / (double)before->runs;
}

static uint32_t line_at(const struct simt_execution *first, const struct simt_execution *branch) {
    return branch->trips != NULL ? first[branch->instruction->target].instruction->ptx_line : 0;
}

/* Whether another function begins there. */
static bool begins(const struct simt_result *result, uint32_t i) {
    return i == 0 || result->executions[i].instruction != result->executions[i - 1].instruction + 1;
}

/* Which executions are heads of loops, whose code is a piece of its own also where it ran as often as what is before. */
static bool *heads_of(const struct simt_result *result) {
    bool *heads = calloc(result->execution_count + 1u, sizeof *heads);
    for (uint32_t i = 0, first = 0; heads != NULL && i < result->execution_count; i++) {
        const struct simt_execution *execution = &result->executions[i];
        first = begins(result, i) ? i : first;
        if (execution->trips != NULL)
            heads[first + (uint32_t)execution->instruction->target] = true;
    }
    return heads;
}

/* Whether an instruction of a function, whose first it is, is in a loop that ran. */
static bool in_loop(const struct simt_result *result, uint32_t first, uint32_t at) {
    const struct simt_execution *executions = result->executions;
    for (uint32_t i = at; i < result->execution_count && (i == at || !begins(result, i)); i++) {
        const struct ptx_instruction *instruction = executions[i].instruction;
        if (instruction->opcode == PTX_BRA && executions[i].runs > 0 && instruction->target >= 0 &&
            (uint32_t)instruction->target <= at - first)
            return true;
    }
    return false;
}

const char *binding_left_out(const struct simt_result *result) {
    for (uint32_t i = 0, first = 0; i < result->execution_count; i++) {
        const struct simt_execution *execution = &result->executions[i];
        first = begins(result, i) ? i : first;
        if (execution->runs > 0 && ptx_nature(execution->instruction)->memory == PTX_MEMORY_ATOMIC &&
            execution->instruction->form == PTX_ATOM_CAS && in_loop(result, first, i))
            return "on a GPU warps meet at its compare-and-swap and try again more often: it takes longer";
    }
    return "";
}

uint32_t binding_ptx_lines(const struct simt_result *result) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < result->execution_count; i++)
        if (result->executions[i].instruction->ptx_end >= count)
            count = result->executions[i].instruction->ptx_end + 1;
    return count;
}

/* Turns of such a loop: one for each lane that meets others at a bank. What other warps take from it is not known. */
static uint64_t runs_inside(const struct simt_execution *execution) {
    uint64_t turns = execution->lines / SIMT_LOOP_PASSES;
    return turns > execution->runs ? turns : execution->runs;
}

/*
 * How many like instructions one of the PTX's may become. Special functions of two halves two. Of 64 bits those that add, shift or convert become different ones; products
 * four or so, of which two are alike, or three of an upper half; all else two, one for each half.
 */
static uint32_t parts_of(const struct ptx_instruction *in) {
    if (ptx_nature(in)->class == PTX_CLASS_SPECIAL)
        return in->type == PTX_F16X2 || in->type == PTX_BF16X2 ? 2 : 1;
    if (becomes_many(in) || (ptx_type_bytes(in->type) < 8 && ptx_type_bytes(in->source_type) < 8))
        return 1;
    switch ((enum ptx_opcode)in->opcode) {
    case PTX_ADD:
    case PTX_SUB:
    case PTX_NEG:
    case PTX_SHL:
    case PTX_SHR:
    case PTX_BFE:
    case PTX_CVT:
    case PTX_SETP: return 1;
    case PTX_MUL:
    case PTX_MAD: return in->form == PTX_HI ? 3 : in->form == PTX_WIDE ? 1 : 2;
    default: return 2;
    }
}

/* An instruction more in a line. What is said of several is what holds for all of them together. */
static void put_line(struct sass_line *line, uint32_t number, const struct sass_line *one) {
    /* integers, moves and the rest: any of them may become what another one would */
    uint8_t kind = one->work >= SASS_WORK_FLOAT ? one->work : SASS_WORK_OTHER;
    if (!line->known) {
        *line = *one;
        line->count[kind] = 1;
        return;
    }
    line->count[kind]++;
    line->several = true;
    line->work = SASS_WORK_OTHER;
    if (one->runs != line->runs) {
        line->uneven = true;
        line->piece = UINT32_MAX - number;
    }
    line->runs = one->runs > line->runs ? one->runs : line->runs;
    line->guarded &= one->guarded;
    line->splits += one->splits;
    line->may_be_slow |= one->may_be_slow;
    line->slow += one->slow;
    if (line->loop == NULL) {
        line->trips = one->trips;
        line->loop = one->loop;
        line->head = one->head;
    }
}

/* Of each PTX line what ran there. An instruction that goes over several lines may be said to be of any of them. */
static struct sass_line *lines_of(const struct simt_result *result, uint32_t *count) {
    *count = binding_ptx_lines(result);
    struct sass_line *lines = calloc(*count, sizeof *lines);
    bool *heads = heads_of(result);
    if (lines == NULL || heads == NULL) {
        free(lines);
        free(heads);
        return NULL;
    }
    const struct simt_execution *first = result->executions;
    for (uint32_t i = 0, piece = 0; i < result->execution_count; i++) {
        const struct simt_execution *execution = &result->executions[i];
        first = begins(result, i) ? execution : first;
        piece += i > 0 && (heads[i] || execution[-1].runs != execution->runs ||
                           ptx_nature(execution[-1].instruction)->control != PTX_CONTROL_NONE);
        struct sass_line one = {.known = true,
                                .guarded = execution->instruction->guard >= 0,
                                .work = binding_work_of(execution->instruction),
                                .piece = piece,
                                .parts = parts_of(execution->instruction),
                                .runs = binding_loops_inside(execution->instruction) ? runs_inside(execution)
                                                                                     : execution->runs,
                                .trips = trips_of(first, execution),
                                .splits = execution->divergent,
                                .may_be_slow = execution->may_be_slow,
                                .slow = execution->slow,
                                .loop = execution->trips,
                                .head = line_at(first, execution)};
        for (uint32_t line = execution->instruction->ptx_line; line <= execution->instruction->ptx_end;
             line++)
            put_line(&lines[line], line, &one);
    }
    free(heads);
    return lines;
}

static uint64_t warps_of(const struct simt_launch *launch) {
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    return (threads + 31) / 32 * launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* The machine code with its executions, which must account for what the PTX did. */
static bool fill(const struct gpu_model *model, const struct sass_kernel *kernel,
                 const struct simt_result *result, const struct sass_line *lines, const double *runs,
                 const double *traversals, struct gpu_code *code, char *error, size_t error_size) {
    const double most_missing = 0.5;
    struct binding_accesses *accesses = binding_accesses_find(kernel, result, lines, runs);
    bool memory = accesses != NULL, right = memory && binding_missing(accesses) <= most_missing;
    if (right) {
        memory = binding_fill(model, kernel, accesses, runs, traversals, code);
        right = memory;
    }
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 memory ? "half of what its PTX loads or stores is not found in it" : "out of memory");
    binding_accesses_free(accesses);
    return right;
}

bool binding_code(struct binding *binding, const struct ptx_module *program, const struct gpu_model *model,
                  const struct simt_launch *launch, const struct simt_result *result, struct memo *solved,
                  struct gpu_code *code, bool *made, char *error, size_t error_size) {
    /* ptxas may know a branch that it takes for one that is never taken. What is absent takes as long as what is there
     * (code.h); beyond this share that says too little. */
    const double most_absent = 0.3;
    const char *name = simt_kernel_function(launch->kernel)->name;
    struct binding_kernel *kernel = find(binding, name, made, error, error_size);
    double absent = 0;
    *code = (struct gpu_code){0};
    if (kernel == NULL)
        return false;
    const struct sass_graph *graph = &kernel->code.graph;
    uint32_t line_count;
    struct sass_line *lines = lines_of(result, &line_count);
    double *runs = calloc(graph->block_count, sizeof *runs);
    double *traversals = calloc(graph->edge_count + 1u, sizeof *traversals);
    bool memory = lines != NULL && runs != NULL && traversals != NULL &&
                  binding_mark_merged(&kernel->code, result, program, lines, line_count, &absent);
    if (!memory)
        snprintf(error, error_size, "machine code: out of memory");
    else if (absent > most_absent)
        snprintf(error, error_size, "machine code: blocks of its PTX that ran are not in it");
    bool right = memory && absent <= most_absent &&
                 sass_solve_executions(graph, kernel->code.copies, lines, line_count, warps_of(launch),
                                       solved, runs, traversals, error, error_size);
    right = right && binding_matches(&kernel->code, lines, line_count, runs, error, error_size) &&
            fill(model, &kernel->code, result, lines, runs, traversals, code, error, error_size);
    if (right)
        binding_share_sums(result, code);
    if (right)
        binding_spread_constants(model, code, simt_kernel_resources(launch->kernel)->constant_bytes);
    code->absent = absent;
    code->warps = (double)warps_of(launch);
    code->local_bytes = simt_kernel_resources(launch->kernel)->local_bytes;
    free(lines);
    free(runs);
    free(traversals);
    return right;
}

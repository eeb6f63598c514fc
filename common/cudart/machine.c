/* machine.c: the PTX's executions, line by line, and the machine code's that follow. */
#include "cudart/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const enum counter machine_counters[MACHINE_COUNTERS] = {
    COUNTER_inst_executed, COUNTER_pipe_fma,     COUNTER_pipe_alu, COUNTER_pipe_fp64, COUNTER_pipe_xu,
    COUNTER_pipe_lsu,      COUNTER_pipe_uniform, COUNTER_pipe_adu, COUNTER_pipe_cbu};

/* The counter of a pipe; COUNTER_COUNT: it has none. */
static enum counter counter_of(enum sass_pipe pipe) {
    switch (pipe) {
    case SASS_PIPE_FMA:
    case SASS_PIPE_FP16: /* ncu has no pipe of that name from sm_90 on */
    case SASS_PIPE_HEAVY: return COUNTER_pipe_fma;
    case SASS_PIPE_ALU: return COUNTER_pipe_alu;
    case SASS_PIPE_FP64: return COUNTER_pipe_fp64;
    case SASS_PIPE_XU: return COUNTER_pipe_xu;
    case SASS_PIPE_LSU: return COUNTER_pipe_lsu;
    case SASS_PIPE_UNIFORM: return COUNTER_pipe_uniform;
    case SASS_PIPE_ADU: return COUNTER_pipe_adu;
    case SASS_PIPE_CBU: return COUNTER_pipe_cbu;
    default: return COUNTER_COUNT;
    }
}

/* All instructions, and each pipe's, from how often blocks ran. */
static void count_pipes(const struct sass_kernel *code, const double *runs, struct counters *counters) {
    double executed = 0, sums[COUNTER_COUNT + 1] = {0};
    for (uint32_t i = 0; i < code->count; i++) {
        double times = runs[code->graph.block_of[i]];
        executed += times;
        sums[counter_of(code->instructions[i].pipe)] += times;
    }
    sums[COUNTER_inst_executed] = executed;
    for (uint32_t i = 0; i < MACHINE_COUNTERS; i++)
        counter_set(counters, machine_counters[i], (uint64_t)llround(sums[machine_counters[i]]));
}

void machine_take(struct machine *machine, void *bytes, const struct cubin *cubin, char *text,
                  size_t text_bytes, uint32_t compute_major) {
    *machine = (struct machine){.bytes = bytes,
                                .cubin = *cubin,
                                .text = text,
                                .text_bytes = text_bytes,
                                .foreign = cubin->architecture / 10 != compute_major};
    machine->kernels = calloc(cubin->count + 1u, sizeof *machine->kernels);
    for (uint32_t i = 0; machine->kernels != NULL && i < cubin->count; i++)
        machine->kernels[i].name = cubin->kernels[i].name;
}

void machine_free(struct machine *machine) {
    for (uint32_t i = 0; machine->kernels != NULL && i < machine->cubin.count; i++)
        if (machine->kernels[i].usable)
            sass_kernel_free(&machine->kernels[i].code);
    free(machine->kernels);
    cubin_free(&machine->cubin);
    free(machine->bytes);
    free(machine->text);
    *machine = (struct machine){0};
}

static struct machine_kernel *find(struct machine *machine, const char *name, char *error,
                                   size_t error_size) {
    struct machine_kernel *kernel = NULL;
    for (uint32_t i = 0; machine->kernels != NULL && kernel == NULL && i < machine->cubin.count; i++)
        if (strcmp(machine->kernels[i].name, name) == 0)
            kernel = &machine->kernels[i];
    if (kernel == NULL || machine->text == NULL || machine->foreign) {
        snprintf(error, error_size, "machine code: there is none %s",
                 kernel == NULL     ? "of this kernel"
                 : machine->foreign ? "for this generation of GPUs"
                                    : "of one file of PTX");
        return NULL;
    }
    if (!kernel->tried) {
        kernel->tried = true;
        kernel->usable = sass_kernel_read(&kernel->code, &machine->cubin,
                                          &machine->cubin.kernels[kernel - machine->kernels], machine->text,
                                          machine->text_bytes, kernel->why, sizeof kernel->why);
    }
    if (!kernel->usable)
        snprintf(error, error_size, "%s", kernel->why);
    return kernel->usable ? kernel : NULL;
}

static bool is_parameter(const struct ptx_instruction *instruction) {
    return instruction->space == PTX_PARAM_ENTRY || instruction->space == PTX_PARAM_FRAME ||
           instruction->space == PTX_CONST;
}

static uint8_t memory_work(const struct ptx_instruction *instruction) {
    switch (ptx_nature(instruction)->memory) {
    case PTX_MEMORY_LOAD:
    case PTX_MEMORY_COPY: return is_parameter(instruction) ? SASS_WORK_MOVE : SASS_WORK_LOAD;
    case PTX_MEMORY_STORE: return is_parameter(instruction) ? SASS_WORK_MOVE : SASS_WORK_STORE;
    case PTX_MEMORY_ATOMIC: return SASS_WORK_ATOMIC;
    default: return SASS_WORK_OTHER;
    }
}

static uint8_t work_of(const struct ptx_instruction *instruction) {
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
    default: return instruction->opcode == PTX_REM ? SASS_WORK_COMPLEX : SASS_WORK_OTHER;
    }
}

/*
 * A branch back: how often the loop runs each time it is entered, on average. That is known where the instruction before
 * its head can only go on into it, as compilers leave it. `first` is the function's first.
 */
static double trips_of(const struct simt_execution *first, const struct simt_execution *branch) {
    const struct ptx_instruction *instruction = branch->instruction;
    uint32_t index = (uint32_t)(branch - first);
    if (instruction->opcode != PTX_BRA || instruction->target <= 0 || (uint32_t)instruction->target > index)
        return 0;
    const struct simt_execution *head = first + instruction->target, *before = head - 1;
    if (ptx_nature(before->instruction)->control != PTX_CONTROL_NONE || before->runs == 0)
        return 0;
    return (double)head->runs / (double)before->runs;
}

static uint32_t line_at(const struct simt_execution *first, const struct simt_execution *branch) {
    return branch->trips != NULL ? first[branch->instruction->target].instruction->ptx_line : 0;
}

/* Which executions are heads of loops, whose code is a piece of its own also where it ran as often as what is before. */
static bool *heads_of(const struct simt_result *result) {
    bool *heads = calloc(result->execution_count + 1u, sizeof *heads);
    for (uint32_t i = 0, first = 0; heads != NULL && i < result->execution_count; i++) {
        const struct simt_execution *execution = &result->executions[i];
        if (i > 0 && execution->instruction != execution[-1].instruction + 1)
            first = i; /* another function */
        if (execution->trips != NULL)
            heads[first + (uint32_t)execution->instruction->target] = true;
    }
    return heads;
}

/* Of each PTX line what ran there. Lines with several instructions are the first one's, and not sure. */
static struct sass_line *lines_of(const struct simt_result *result, uint32_t *count) {
    *count = 1;
    for (uint32_t i = 0; i < result->execution_count; i++)
        if (result->executions[i].instruction->ptx_line >= *count)
            *count = result->executions[i].instruction->ptx_line + 1;
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
        if (i > 0 && execution->instruction != execution[-1].instruction + 1)
            first = execution; /* another function */
        piece += i > 0 && (heads[i] || execution[-1].runs != execution->runs ||
                           ptx_nature(execution[-1].instruction)->control != PTX_CONTROL_NONE);
        struct sass_line *line = &lines[execution->instruction->ptx_line];
        if (line->known)
            line->work = SASS_WORK_MOVE;
        else
            *line = (struct sass_line){.known = true,
                                       .guarded = execution->instruction->guard >= 0,
                                       .work = work_of(execution->instruction),
                                       .piece = piece,
                                       .runs = execution->runs,
                                       .trips = trips_of(first, execution),
                                       .splits = execution->divergent,
                                       .loop = execution->trips,
                                       .head = line_at(first, execution)};
    }
    free(heads);
    return lines;
}

static uint64_t warps_of(const struct simt_launch *launch) {
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    return (threads + 31) / 32 * launch->grid[0] * launch->grid[1] * launch->grid[2];
}

bool machine_count(struct machine *machine, const struct simt_launch *launch,
                   const struct simt_result *result, struct counters *counters, char *error,
                   size_t error_size) {
    const char *name = simt_kernel_function(launch->kernel)->name;
    struct machine_kernel *kernel = find(machine, name, error, error_size);
    if (kernel == NULL)
        return false;
    const struct sass_graph *graph = &kernel->code.graph;
    uint32_t line_count;
    struct sass_line *lines = lines_of(result, &line_count);
    double *runs = calloc(graph->block_count, sizeof *runs);
    bool right = lines != NULL && runs != NULL;
    if (!right)
        snprintf(error, error_size, "machine code: out of memory");
    right = right && sass_solve_executions(graph, kernel->code.copies, lines, line_count, warps_of(launch),
                                           runs, error, error_size);
    if (right)
        count_pipes(&kernel->code, runs, counters);
    free(lines);
    free(runs);
    return right;
}

/* executed.c: what a launch executed of its machine code, in all, by source line and by basic block. */
#include "gpu/runtime/binding/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of the machine code's counters, by their places behind the first. */
struct sums {
    double of[MACHINE_COUNTERS];
};

static void add(struct sums *sums, enum counter counter, double value) {
    sums->of[counter - FIRST_MACHINE_COUNTER] += value;
}

/* An instruction that warps executed so often. */
static void add_instruction(struct sums *sums, const struct gpu_instruction *in, double runs) {
    static const enum counter counter_of[GPU_PIPE_COUNT] = {
        [GPU_PIPE_FMA] = COUNTER_pipe_fma,         [GPU_PIPE_HEAVY] = COUNTER_pipe_fma,
        [GPU_PIPE_ALU] = COUNTER_pipe_alu,         [GPU_PIPE_FP64] = COUNTER_pipe_fp64,
        [GPU_PIPE_XU] = COUNTER_pipe_xu,           [GPU_PIPE_LSU] = COUNTER_pipe_lsu,
        [GPU_PIPE_UNIFORM] = COUNTER_pipe_uniform, [GPU_PIPE_ADU] = COUNTER_pipe_adu,
        [GPU_PIPE_CBU] = COUNTER_pipe_cbu,         [GPU_PIPE_TENSOR] = COUNTER_pipe_tensor};
    add(sums, COUNTER_inst_executed, runs);
    if (in->pipe != GPU_PIPE_NONE)
        add(sums, counter_of[in->pipe], runs);
    if (in->matrix)
        add(sums, in->store ? COUNTER_machine_matrix_stores : COUNTER_machine_matrix_loads, runs);
    else if (in->access == GPU_ACCESS_SHARED)
        add(sums, in->store ? COUNTER_machine_shared_stores : COUNTER_machine_shared_loads, runs);
    if (in->access == GPU_ACCESS_LOCAL) {
        double words =
            in->bytes > 4 ? in->bytes / 4.0 : 1; /* a request each, as Nsight Compute counts them */
        add(sums, in->store ? COUNTER_machine_local_stores : COUNTER_machine_local_loads,
            words * (in->spill ? runs : runs * in->active_share));
    }
}

void binding_count(const struct gpu_code *code, struct counters *counters) {
    struct sums sums = {0};
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            add_instruction(&sums, &code->instructions[i], code->blocks[b].runs);
    for (int i = 0; i < MACHINE_COUNTERS; i++)
        counter_set(counters, (enum counter)(FIRST_MACHINE_COUNTER + i), (uint64_t)llround(sums.of[i]));
}

/* The whole numbers of a line or block: what it adds to the rounded sum of those before it. So they are the launch's together,
 * which its counters are taken for where the order of adding made a difference. */
static void round_counts(uint64_t counts[MACHINE_COUNTERS], const struct sums *before,
                         const struct sums *with, const struct counters *counters) {
    for (int i = 0; i < MACHINE_COUNTERS; i++) {
        uint64_t all = counter_value(counters, (enum counter)(FIRST_MACHINE_COUNTER + i));
        uint64_t from = (uint64_t)llround(before->of[i]), to = (uint64_t)llround(with->of[i]);
        counts[i] = (to < all ? to : all) - (from < all ? from : all);
    }
}

/* What is still missing of the launch's counters, or 0s. */
static void round_last(struct kernel_executed *executed, const struct counters *counters) {
    struct executed_line *last = &executed->lines[executed->count - 1];
    for (int i = 0; i < MACHINE_COUNTERS; i++) {
        uint64_t others = 0;
        for (uint32_t k = 0; k + 1 < executed->count; k++)
            others += executed->lines[k].counts[i];
        last->counts[i] = counter_value(counters, (enum counter)(FIRST_MACHINE_COUNTER + i)) - others;
    }
}

static bool add_line(struct kernel_executed *executed, const struct binding_place *place,
                     const struct sums *before, const struct sums *with, const struct counters *counters) {
    struct executed_line *line = &executed->lines[executed->count];
    *line = (struct executed_line){.file = strdup(place->file), .line = place->line};
    if (line->file == NULL)
        return false;
    round_counts(line->counts, before, with, counters);
    executed->count++;
    return true;
}

/* How often each instruction was executed; NULL: out of memory. */
static double *runs_of(const struct gpu_code *code) {
    double *runs = calloc(code->instruction_count + 1u, sizeof *runs);
    for (uint32_t b = 0; runs != NULL && b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            runs[i] = code->blocks[b].runs;
    return runs;
}

/* In the order of the code, as binding_count adds them up. False: out of memory. */
static bool add_blocks(struct kernel_executed *executed, const struct gpu_code *code,
                       const struct counters *counters) {
    struct sums before = {0};
    executed->blocks = calloc(code->block_count + 1u, sizeof *executed->blocks);
    for (uint32_t b = 0; executed->blocks != NULL && b < code->block_count; b++) {
        const struct gpu_block *from = &code->blocks[b];
        struct sums with = before;
        for (uint32_t i = from->first; i < from->end; i++)
            add_instruction(&with, &code->instructions[i], from->runs);
        struct executed_block *block = &executed->blocks[executed->block_count];
        *block = (struct executed_block){.first = from->first, .instructions = from->end - from->first};
        round_counts(block->counts, &before, &with, counters);
        /* what never ran, or by less than half an instruction, is no block of the report */
        executed->block_count += block->counts[COUNTER_inst_executed - FIRST_MACHINE_COUNTER] > 0;
        before = with;
    }
    kernel_executed_trim(executed);
    return executed->blocks != NULL;
}

bool binding_executed(struct binding *binding, const struct ptx_module *program, const char *name,
                      const struct simt_result *result, const struct gpu_code *code,
                      const struct counters *counters, struct kernel_executed *executed) {
    const struct sass_kernel *kernel = binding_find(binding, name);
    if (kernel == NULL)
        return true;
    struct binding_place *places = binding_places(kernel, program, result);
    double *runs = runs_of(code);
    executed->lines = calloc(kernel->count + 2u, sizeof *executed->lines);
    bool right = places != NULL && runs != NULL && executed->lines != NULL;
    executed->known = true;
    struct sums before = {0};
    for (uint32_t first = 0, same; right && first < kernel->count; first += same) {
        struct sums with = before;
        double all = 0;
        same = binding_places_alike(&places[first], kernel->count - first);
        for (uint32_t k = first; k < first + same; k++) {
            uint32_t i = places[k].instruction;
            add_instruction(&with, &code->instructions[i], runs[i]);
            all += runs[i];
        }
        if (all > 0) /* what never ran is no line of the report */
            right = add_line(executed, &places[first], &before, &with, counters);
        before = with;
    }
    if (right && executed->count > 0)
        round_last(executed, counters);
    free(places);
    free(runs);
    return right && kernel_executed_sort(executed) && add_blocks(executed, code, counters);
}

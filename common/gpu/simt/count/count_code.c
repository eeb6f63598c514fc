/* count_code.c: what the code says of time besides executions: which instructions need others'
 * results, which loads can overlap, what the machine code spills. */
#include "gpu/simt/count/count.h"

#include <stdlib.h>
#include <string.h>

/* Length of the longest chain in [first, end) of instructions that each need the one before. */
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

static bool is_far(const struct ptx_instruction *instruction) {
    return instruction->space == PTX_GLOBAL || instruction->space == PTX_GENERIC ||
           instruction->space == PTX_LOCAL;
}

/* Divides loads of a piece of code into groups that can be under way together. */
struct grouping {
    uint32_t *group; /* of each slot, then each predicate: the last group that its value depends on */
    uint32_t least;  /* group after which loads of writable memory must stay, because a store depends on it */
    uint32_t groups;
};

static uint32_t *group_of(const struct ptx_function *function, struct grouping *grouping,
                          const struct ptx_operand *operand) {
    bool predicate = operand->kind == PTX_OPERAND_PREDICATE;
    return &grouping->group[(predicate ? function->slots : 0) + (uint32_t)operand->slot];
}

static void group_instruction(const struct ptx_function *function, const struct ptx_instruction *instruction,
                              struct grouping *grouping) {
    const struct ptx_operand *operand = &function->operands[instruction->operand];
    uint32_t behind = 0, total = (uint32_t)instruction->destinations + instruction->sources;
    for (uint32_t k = instruction->destinations; k < total; k++)
        if (operand[k].slot >= 0 && *group_of(function, grouping, &operand[k]) > behind)
            behind = *group_of(function, grouping, &operand[k]);
    if (instruction->guard >= 0 && grouping->group[function->slots + (uint32_t)instruction->guard] > behind)
        behind = grouping->group[function->slots + (uint32_t)instruction->guard];
    uint8_t memory = is_far(instruction) ? ptx_nature(instruction)->memory : PTX_MEMORY_NONE;
    bool loads = memory == PTX_MEMORY_LOAD || (memory == PTX_MEMORY_ATOMIC && instruction->destinations > 0);
    if (loads) {
        if (!(instruction->flags & PTX_READ_ONLY) && behind < grouping->least)
            behind = grouping->least;
        behind++;
    }
    if ((memory == PTX_MEMORY_STORE || memory == PTX_MEMORY_ATOMIC) && behind > grouping->least)
        grouping->least = behind;
    if (behind > grouping->groups)
        grouping->groups = behind;
    for (uint32_t k = 0; k < instruction->destinations; k++) {
        bool pair = operand[k].kind == PTX_OPERAND_REGISTER && operand[k].width == 8;
        for (uint32_t w = 0; operand[k].slot >= 0 && w < (pair ? 2u : 1u); w++)
            group_of(function, grouping, &operand[k])[w] = behind;
    }
}

/* How often a warp waits for loads in a run of [first, end) before it can start more. It waits for
 * an address, and for a store of a loaded value, which only read-only loads overtake. Counted as
 * what a second run in a row adds, because independent loads start early. */
static uint32_t waits_of(const struct ptx_function *function, uint32_t first, uint32_t end,
                         struct grouping *grouping) {
    uint32_t once = 0;
    memset(grouping->group, 0,
           ((size_t)function->slots + function->predicates + 1) * sizeof *grouping->group);
    grouping->least = grouping->groups = 0;
    for (int lap = 0; lap < 2; lap++) {
        once = grouping->groups;
        for (uint32_t i = first; i < end; i++)
            group_instruction(function, &function->instructions[i], grouping);
    }
    return grouping->groups - once;
}

/* Works piece by piece; the instructions of a piece run equally often. */
void simt_count_code(const struct share *share, const struct code *code, struct counters *counters) {
    const struct ptx_function *function = code->function;
    uint64_t *runs = calloc(code->count + 1u, sizeof *runs);
    uint32_t *depth = calloc((size_t)function->slots + function->predicates + 2, sizeof *depth);
    struct run_count sum = {0};
    for (uint32_t i = 0; runs != NULL && i < code->count; i++) {
        add_up(share, code->first_count + i, &sum);
        runs[i] = (uint64_t)sum.runs;
    }
    for (uint32_t first = 0; runs != NULL && depth != NULL && first < code->count;) {
        uint32_t end = first;
        do
            end++;
        while (end < code->count && code->control[end - 1] == PTX_CONTROL_NONE && runs[end] == runs[first]);
        if (runs[first]) {
            counters->dependent_issue_cycles += runs[first] * chain_length(function, first, end, depth);
            counters->load_waits +=
                runs[first] * waits_of(function, first, end, &(struct grouping){.group = depth});
        }
        first = end;
    }
    free(runs);
    free(depth);
}

/* Of a function's instructions: how many ran, and how often in all. */
struct executions {
    uint64_t instructions, runs;
};

static struct executions executions_of(const struct share *share, const struct code *code) {
    struct executions all = {0};
    struct run_count sum = {0};
    for (uint32_t i = 0; i < code->count; i++) {
        add_up(share, code->first_count + i, &sum);
        all.instructions += sum.runs > 0;
        all.runs += (uint64_t)sum.runs;
    }
    return all;
}

static double average(struct executions of) {
    return of.instructions ? (double)of.runs / (double)of.instructions : 0;
}

/* Estimates the executions of the machine code's spills, of which only the number is known. Each
 * spill is taken to run as often as the average instruction of the function with most registers,
 * which is the one that spills. The estimate is at least the average over all code that ran. */
void simt_count_spills(const struct share *share, const struct simt_kernel *kernel,
                       struct counters *counters) {
    const struct simt_module *module = kernel->module;
    uint32_t bytes = kernel->resources.spill_bytes, most = 0;
    struct executions all = {0}, needy = {0};
    for (uint32_t i = 0; bytes != SIMT_UNKNOWN && i < module->program->function_count; i++) {
        const struct code *code = &module->codes[i];
        struct executions own = {0};
        if (code->count)
            own = executions_of(share, code);
        all.instructions += own.instructions;
        all.runs += own.runs;
        if (!own.instructions || code->function->live_words < most)
            continue;
        most = code->function->live_words;
        needy = own;
    }
    double runs = average(needy) > average(all) ? average(needy) : average(all);
    if (bytes != SIMT_UNKNOWN)
        counters->spill_loads = counters->spill_stores = (uint64_t)((double)bytes / sizeof(uint32_t) * runs);
}

/* decode.c: turns a function's instructions into operations: operands become byte offsets,
 * constants become slots, handlers are chosen. */
#include "base/round.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/count/count.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decoder {
    struct simt_module *module;
    struct code *code;
    const struct ptx_function *function;
    size_t constant_capacity;
    char *error;
    size_t error_size;
    bool out_of_memory;
};

static bool refuse(struct decoder *decoder, const struct ptx_instruction *instruction, const char *why) {
    const struct ptx_module *program = decoder->module->program;
    const char *file = instruction->file < program->file_count ? program->files[instruction->file] : "";
    snprintf(decoder->error, decoder->error_size, "%s: %s.%s at PTX line %u (%s:%u): %s",
             decoder->function->name, ptx_nature(instruction)->mnemonic,
             ptx_type_name((enum ptx_type)instruction->type), instruction->ptx_line,
             *file ? file : "source unknown", instruction->line, why);
    return false;
}

/* ---- constants */

static uint32_t constant_slot(struct decoder *decoder, enum constant_kind kind, uint32_t width,
                              int64_t value) {
    struct code *code = decoder->code;
    width = width == 8 ? 8 : 4;
    for (uint32_t i = 0; i < code->constant_count; i++) {
        const struct constant *constant = &code->constants[i];
        if (constant->kind == kind && constant->width == width && constant->value == value)
            return constant->slot * SIMT_SLOT_BYTES;
    }
    if (code->constant_count == decoder->constant_capacity) {
        size_t capacity = decoder->constant_capacity ? 2 * decoder->constant_capacity : 16;
        struct constant *larger = realloc(code->constants, capacity * sizeof *larger);
        if (larger == NULL) {
            decoder->out_of_memory = true;
            return 0;
        }
        code->constants = larger;
        decoder->constant_capacity = capacity;
    }
    struct constant *constant = &code->constants[code->constant_count++];
    *constant = (struct constant){.kind = kind, .width = (uint8_t)width, .slot = code->slots, .value = value};
    code->slots += width / 4;
    return constant->slot * SIMT_SLOT_BYTES;
}

static uint32_t constant_predicate(struct decoder *decoder, uint32_t mask) {
    struct code *code = decoder->code;
    uint32_t first = decoder->function->predicates + 1;
    for (uint32_t i = first; i < code->predicates; i++)
        if (code->constant_predicates[i - first] == mask)
            return i;
    uint32_t *larger = realloc(code->constant_predicates,
                               (code->predicates - first + 1) * sizeof *code->constant_predicates);
    if (larger == NULL) {
        decoder->out_of_memory = true;
        return 0;
    }
    code->constant_predicates = larger;
    larger[code->predicates - first] = mask;
    return code->predicates++;
}

/* Clocks differ at every read: their slot is filled just before the operation. */
static bool is_clock(const struct ptx_operand *operand) {
    return operand->kind == PTX_OPERAND_SPECIAL && ptx_specials[operand->value].between == PTX_BETWEEN_READS;
}

static bool predicate_source(const struct ptx_instruction *instruction, uint32_t source) {
    int8_t predicate = ptx_nature(instruction)->predicate;
    if (predicate == PTX_SOURCE_NONE)
        return instruction->type == PTX_PRED;
    if (predicate == PTX_SOURCE_LAST)
        return instruction->destinations > 0 && source + 1 == instruction->sources;
    return source == (uint8_t)predicate;
}

static bool decode_source(struct decoder *decoder, const struct ptx_instruction *instruction, uint32_t source,
                          const struct ptx_operand *operand, struct simt_operation *operation) {
    uint32_t *to = &operation->source[source];
    switch (operand->kind) {
    case PTX_OPERAND_NONE: *to = SIMT_NO_OPERAND; return true;
    case PTX_OPERAND_REGISTER: *to = (uint32_t)operand->slot * SIMT_SLOT_BYTES; return true;
    case PTX_OPERAND_PREDICATE:
        *to = (uint32_t)operand->slot;
        operation->negated |= (uint32_t)operand->negated << source;
        return true;
    case PTX_OPERAND_IMMEDIATE:
        if (predicate_source(instruction, source)) {
            *to = constant_predicate(decoder, operand->value != 0 ? UINT32_MAX : 0);
        } else {
            int64_t value = operand->value;
            if (operand->width < 8)
                value &= (int64_t)((UINT64_C(1) << (8 * operand->width)) - 1);
            *to = constant_slot(decoder, CONSTANT_VALUE, operand->width, value);
        }
        return true;
    case PTX_OPERAND_SPECIAL:
        if (predicate_source(instruction, source)) {
            *to = constant_predicate(decoder, CODE_EXPLICIT_CLUSTER);
            return true;
        }
        *to = constant_slot(decoder, CONSTANT_SPECIAL, operand->width, operand->value);
        return true;
    case PTX_OPERAND_SYMBOL:
        *to = constant_slot(decoder, CONSTANT_VALUE, operand->width,
                            (int64_t)module_symbol(decoder->module, operand->symbol) + operand->value);
        return true;
    case PTX_OPERAND_FUNCTION:
        *to = constant_slot(decoder, CONSTANT_VALUE, 8,
                            (int64_t)(SIMT_CODE_WINDOW + 16 * (uint64_t)operand->symbol));
        return true;
    case PTX_OPERAND_FRAME:
        *to = constant_slot(decoder, CONSTANT_LOCAL_ADDRESS, operand->width, operand->value);
        return true;
    case PTX_OPERAND_ADDRESS:
        if (operand->slot >= 0) {
            *to = (uint32_t)operand->slot * SIMT_SLOT_BYTES;
            operation->offset = operand->value;
        } else if (operand->symbol >= 0) {
            *to = constant_slot(decoder, CONSTANT_VALUE, 8,
                                (int64_t)module_symbol(decoder->module, operand->symbol));
            operation->offset = operand->value;
        } else if (instruction->space == PTX_LOCAL) {
            *to = constant_slot(decoder, CONSTANT_LOCAL_ADDRESS, 8, 0);
            operation->offset = operand->value;
        } else {
            *to = constant_slot(decoder, CONSTANT_VALUE, 8, operand->value);
        }
        return true;
    default: return refuse(decoder, instruction, "an operand the simulator does not know");
    }
}

/* ---- wrappers: an operation under a guard, and one that reads a clock */

static void run_guarded(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                        uint32_t mask) {
    uint32_t guarded = mask & (predicates[operation->source[0]] ^ operation->negated);
    window_header(registers)->worker->tallies[TALLY_INACTIVE][operation->count] +=
        (uint32_t)__builtin_popcount(mask & ~guarded);
    if (guarded)
        operation->inner->masked(operation->inner, registers, predicates, guarded);
}

static void run_guarded_full(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                             uint32_t mask) {
    uint32_t guarded = mask & (predicates[operation->source[0]] ^ operation->negated);
    if (guarded == mask) {
        operation->inner->full(operation->inner, registers, predicates, mask);
        return;
    }
    window_header(registers)->worker->tallies[TALLY_INACTIVE][operation->count] +=
        (uint32_t)__builtin_popcount(mask & ~guarded);
    if (guarded)
        operation->inner->masked(operation->inner, registers, predicates, guarded);
}

static void fill_clock(const struct simt_operation *operation, uint8_t *registers) {
    const struct window_header *window = window_header(registers);
    uint64_t cycles = window->sm->instructions + (uint64_t)(operation - window->warp->run_first);
    uint64_t khz = window->worker->launch->device->config.clock_khz;
    uint64_t now = window->worker->launch->device->cycles + cycles;
    uint64_t nanoseconds = khz ? (now / khz) * 1000000 + (now % khz) * 1000000 / khz : now;
    uint8_t *slot = registers + operation->source[0];
    uint64_t value = 0;
    switch (operation->immediate & 255) {
    case PTX_CLOCK: value = cycles & UINT32_MAX; break;
    case PTX_CLOCK_HI: value = cycles >> 32; break;
    case PTX_CLOCK64: value = cycles; break;
    case PTX_GLOBALTIMER: value = nanoseconds; break;
    case PTX_GLOBALTIMER_LO: value = nanoseconds & UINT32_MAX; break;
    case PTX_GLOBALTIMER_HI: value = nanoseconds >> 32; break;
    default: break;
    }
    bool wide = operation->immediate >> 8;
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
        uint32_t low = (uint32_t)value;
        if (wide)
            memcpy(slot + 8 * lane, &value, 8);
        else
            memcpy(slot + 4 * lane, &low, 4);
    }
    window->worker->polled = true; /* a loop that reads the clock is waiting */
}

static void run_clocked(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                        uint32_t mask) {
    fill_clock(operation, registers);
    operation->inner->masked(operation->inner, registers, predicates, mask);
}

static void count_slow(const struct simt_operation *operation, uint8_t *registers, uint32_t mask) {
    window_header(registers)->worker->tallies[TALLY_SLOW][operation->count] +=
        simt_slow_lanes(operation, registers, mask) != 0;
}

static void run_slow(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                     uint32_t mask) {
    count_slow(operation, registers, mask);
    operation->inner->masked(operation->inner, registers, predicates, mask);
}

static void run_slow_full(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                          uint32_t mask) {
    count_slow(operation, registers, mask);
    operation->inner->full(operation->inner, registers, predicates, mask);
}

static struct simt_operation *wrap(struct code *code, struct simt_operation *operation) {
    struct simt_operation *inner = &code->inner[code->inner_count++];
    *inner = *operation;
    operation->inner = inner;
    return inner;
}

/* ---- one instruction */

static bool decode_one(struct decoder *decoder, uint32_t index) {
    struct code *code = decoder->code;
    const struct ptx_instruction *instruction = &decoder->function->instructions[index];
    const struct ptx_operand *operands = decoder->function->operands + instruction->operand;
    struct simt_operation *operation = &code->operations[index];
    operation->instruction = instruction;
    operation->carry = decoder->function->predicates; /* the mask after the program's own */
    for (uint32_t i = 0; i < 4; i++)
        operation->destination[i] = SIMT_NO_OPERAND;
    for (uint32_t i = 0; i < 5; i++)
        operation->source[i] = SIMT_NO_OPERAND;
    bool product = instruction->opcode == PTX_MMA; /* its handler finds its sources itself */
    if (instruction->destinations > 4 || (instruction->sources > 5 && !product))
        return refuse(decoder, instruction, "more operands than any instruction has");
    operation->operands = product ? operands : NULL;
    for (uint32_t i = 0; i < instruction->destinations; i++) {
        const struct ptx_operand *operand = &operands[i];
        if (operand->kind == PTX_OPERAND_REGISTER)
            operation->destination[i] = (uint32_t)operand->slot * SIMT_SLOT_BYTES;
        else if (operand->kind == PTX_OPERAND_PREDICATE)
            operation->destination[i] = (uint32_t)operand->slot;
    }
    const struct ptx_operand *clock = NULL;
    for (uint32_t i = 0; i < instruction->sources && !product; i++) {
        const struct ptx_operand *operand = &operands[instruction->destinations + i];
        if (!decode_source(decoder, instruction, i, operand, operation))
            return false;
        if (is_clock(operand))
            clock = operand;
        if (operand->kind == PTX_OPERAND_SPECIAL) {
            code->uses_grid |= operand->value == PTX_ENVREG1 || operand->value == PTX_ENVREG2;
            code->uses_reserved |=
                operand->value >= PTX_RESERVED_SMEM_BEGIN && operand->value <= PTX_RESERVED_SMEM_1;
        }
    }
    const struct ptx_nature *nature = ptx_nature(instruction);
    code->control[index] = nature->control;
    if (nature->control != PTX_CONTROL_NONE)
        return true;
    code->member_mask[index] = (uint8_t)(nature->members + 1);
    bool memory = simt_memory_select(instruction, operands, decoder->function->parameter_bytes, operation);
    if (memory && simt_instruction_has_site(instruction)) {
        operation->site = decoder->module->site_total;
        for (uint32_t i = 0; i < SITES_PER_INSTRUCTION; i++)
            decoder->module->sites[decoder->module->site_total++] = (struct site_info){code, index};
    }
    if (!memory && !simt_select_compute(instruction, operands, operation))
        return refuse(decoder, instruction, "not run by this simulator");
    if (!memory && simt_slow_has_path(instruction)) {
        wrap(code, operation);
        operation->full = run_slow_full;
        operation->masked = run_slow;
        operation->count = code->first_count + index;
    }
    if (clock != NULL) {
        struct simt_operation *inner = wrap(code, operation);
        operation->full = operation->masked = run_clocked;
        operation->source[0] = inner->source[0];
        operation->immediate = (uint32_t)clock->value | (uint32_t)(clock->width == 8) << 8;
    }
    if (instruction->guard >= 0) {
        wrap(code, operation);
        operation->full = run_guarded_full;
        operation->masked = run_guarded;
        operation->source[0] = (uint32_t)instruction->guard;
        operation->negated = instruction->guard_negated ? UINT32_MAX : 0;
        operation->count = code->first_count + index;
    }
    return true;
}

/* Whether a special register differs between warps that use one register file in a launch. */
static bool varies_by_warp(const struct constant *constant) {
    uint8_t between = constant->kind == CONSTANT_SPECIAL ? ptx_specials[constant->value].between : 0;
    return between == PTX_BETWEEN_WARPS || between == PTX_BETWEEN_THREADS;
}

/* ---- a function */

/* Instructions that a path may reach other than from the one before: targets, reconvergence points,
 * successors of control instructions. */
static bool *find_leaders(const struct code *code) {
    const struct ptx_function *function = code->function;
    uint32_t count = code->count;
    bool *leader = calloc((size_t)count + 1, sizeof *leader);
    for (uint32_t i = 0; leader != NULL && i < count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->opcode == PTX_BRA && (uint32_t)instruction->target <= count)
            leader[instruction->target] = true;
        if (ptx_is_branch(instruction) && (uint32_t)instruction->reconverge <= count)
            leader[instruction->reconverge] = true;
        if (instruction->opcode == PTX_BRX)
            for (uint32_t t = 0; t < function->tables[instruction->target].count; t++)
                leader[function->tables[instruction->target].targets[t]] = true;
        if (code->control[i] != PTX_CONTROL_NONE)
            leader[i + 1] = true;
    }
    return leader;
}

/* False: out of memory. */
static bool find_runs(struct code *code) {
    uint32_t count = code->count;
    bool *leader = find_leaders(code);
    if (leader == NULL)
        return false;
    code->control[count] = PTX_CONTROL_RETURN;
    code->run_end[count] = code->leader_end[count] = count;
    for (uint32_t i = count; i-- > 0;) {
        bool control = code->control[i] != PTX_CONTROL_NONE;
        code->run_end[i] = control ? i : code->run_end[i + 1];
        code->leader_end[i] = control ? i : leader[i + 1] ? i + 1 : code->leader_end[i + 1];
    }
    free(leader);
    return true;
}

/* Lists the constants to be filled for each warp. False: out of memory. */
static bool list_warp_constants(struct code *code) {
    code->warp_constants = malloc((code->constant_count + 1u) * sizeof *code->warp_constants);
    if (code->warp_constants == NULL)
        return false;
    for (uint32_t i = 0; i < code->constant_count; i++)
        if (varies_by_warp(&code->constants[i]))
            code->warp_constants[code->warp_constant_count++] = i;
    return true;
}

bool simt_code_decode(struct simt_module *module, uint32_t index, char *error, size_t size) {
    const struct ptx_function *function = &module->program->functions[index];
    struct code *code = &module->codes[index];
    struct decoder decoder = {
        .module = module, .code = code, .function = function, .error = error, .error_size = size};
    uint32_t first_count = code->first_count;
    *code = (struct code){.function = function,
                          .module = module,
                          .index = index,
                          .first_count = first_count,
                          .count = function->instruction_count,
                          .slots = function->slots,
                          .predicates = function->predicates + 1, /* the last holds carry bits */
                          .first_site = module->site_total,
                          .first_loop = module->loop_total};
    size_t count = (size_t)code->count + 1;
    code->operations = calloc(count, sizeof *code->operations);
    code->inner = calloc(3 * count, sizeof *code->inner);
    code->control = calloc(count, 1);
    code->member_mask = calloc(count, 1);
    code->run_end = calloc(count, sizeof *code->run_end);
    code->leader_end = calloc(count, sizeof *code->leader_end);
    bool allocated = code->operations != NULL && code->inner != NULL && code->control != NULL &&
                     code->member_mask != NULL && code->run_end != NULL && code->leader_end != NULL;
    for (uint32_t i = 0; allocated && i < code->count; i++)
        if (!decode_one(&decoder, i))
            return false;
    if (!allocated || decoder.out_of_memory || !find_runs(code) || !list_warp_constants(code) ||
        !simt_trips_find(code)) {
        snprintf(error, size, "%s: out of memory while loading", function->name);
        return false;
    }
    module->loop_total += code->loop_count;
    code->predicates_offset = code->slots * SIMT_SLOT_BYTES;
    code->frame_offset = (uint32_t)round_up(code->predicates_offset + 4 * (size_t)code->predicates, 64);
    code->window_bytes = (uint32_t)round_up(
        code->frame_offset + (size_t)SIMT_LANES * round_up(function->frame_bytes, 16), 128);
    return true;
}

void simt_code_free(struct code *code) {
    free(code->operations);
    free(code->inner);
    free(code->control);
    free(code->member_mask);
    free(code->run_end);
    free(code->leader_end);
    free(code->loops);
    free(code->trip_marks);
    free(code->constants);
    free(code->warp_constants);
    free(code->constant_predicates);
}

/* check_module.h: conditions that every checked program fulfils. Returns the one that fails, or
 * NULL. */
#pragma once

#include "gpu/ptx/ptx.h"
#include <string.h>

static inline bool check_register(const struct ptx_function *function, const struct ptx_operand *operand) {
    uint32_t slots = operand->width == 8 ? 2 : 1;
    return operand->slot >= 0 && (uint32_t)operand->slot + slots <= function->slots &&
           (slots == 1 || operand->slot % 2 == 0);
}

static inline const char *check_operand(const struct ptx_module *module, const struct ptx_function *function,
                                        const struct ptx_operand *operand) {
    switch (operand->kind) {
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_FRAME: return operand->slot == -1 ? NULL : "a constant with a slot";
    case PTX_OPERAND_REGISTER: return check_register(function, operand) ? NULL : "register outside the file";
    case PTX_OPERAND_PREDICATE:
        return operand->slot >= 0 && (uint32_t)operand->slot < function->predicates
                   ? NULL
                   : "predicate outside the file";
    case PTX_OPERAND_SPECIAL:
        return operand->value >= 0 && operand->value < PTX_SPECIAL_COUNT ? NULL : "unknown special register";
    case PTX_OPERAND_SYMBOL:
        return operand->symbol >= 0 && (uint32_t)operand->symbol < module->symbol_count ? NULL
                                                                                        : "unknown symbol";
    case PTX_OPERAND_FUNCTION:
        return operand->symbol >= 0 && (uint32_t)operand->symbol < module->function_count
                   ? NULL
                   : "unknown function";
    case PTX_OPERAND_ADDRESS:
        if (operand->slot >= 0 && !check_register(function, operand))
            return "address register outside the file";
        if (operand->symbol >= 0 && (uint32_t)operand->symbol >= module->symbol_count)
            return "address of an unknown symbol";
        return operand->width == 4 || operand->width == 8 ? NULL : "address of odd width";
    default: return "unknown kind of operand";
    }
}

static inline const char *check_instruction(const struct ptx_module *module,
                                            const struct ptx_function *function,
                                            const struct ptx_instruction *instruction) {
    uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
    if (instruction->opcode >= PTX_OPCODE_COUNT)
        return "unknown opcode";
    if ((uint64_t)instruction->operand + total > function->operand_count)
        return "operands outside the list";
    if (instruction->guard >= 0 && (uint32_t)instruction->guard >= function->predicates)
        return "guard outside the file";
    for (uint32_t i = 0; i < total; i++) {
        const char *wrong = check_operand(module, function, &function->operands[instruction->operand + i]);
        if (wrong != NULL)
            return wrong;
    }
    if (instruction->file >= module->file_count || instruction->outer_file >= module->file_count)
        return "unknown source file";
    bool branches = instruction->opcode == PTX_BRA || instruction->opcode == PTX_BRX;
    if (branches &&
        (instruction->reconverge < 0 || (uint32_t)instruction->reconverge > function->instruction_count))
        return "branch without a place to meet";
    uint32_t limit = instruction->opcode == PTX_BRA    ? function->instruction_count
                     : instruction->opcode == PTX_BRX  ? function->table_count
                     : instruction->opcode == PTX_CALL ? function->call_count
                                                       : UINT32_MAX;
    if (limit != UINT32_MAX && (instruction->target < 0 || (uint32_t)instruction->target >= limit))
        return "target out of range";
    return NULL;
}

static inline const char *check_calls(const struct ptx_module *module, const struct ptx_function *function) {
    for (uint32_t c = 0; c < function->call_count; c++) {
        const struct ptx_call *call = &function->calls[c];
        if (call->function >= (int32_t)module->function_count)
            return "call of an unknown function";
        for (uint32_t i = 0; i < call->argument_count + call->result_count; i++) {
            const struct ptx_copy *copy =
                i < call->argument_count ? &call->arguments[i] : &call->results[i - call->argument_count];
            if ((uint64_t)copy->caller_offset + copy->size > function->frame_bytes)
                return "call copies outside the caller's frame";
            if (call->function >= 0 && (uint64_t)copy->callee_offset + copy->size >
                                           module->functions[call->function].parameter_bytes)
                return "call copies outside the callee's parameters";
        }
    }
    return NULL;
}

static inline const char *check_function(const struct ptx_module *module,
                                         const struct ptx_function *function) {
    const char *wrong = check_calls(module, function);
    for (uint32_t i = 0; i < function->instruction_count && wrong == NULL; i++)
        wrong = check_instruction(module, function, &function->instructions[i]);
    for (uint32_t t = 0; t < function->table_count; t++)
        for (uint32_t i = 0; i < function->tables[t].count; i++)
            if (function->tables[t].targets[i] < 0 ||
                (uint32_t)function->tables[t].targets[i] >= function->instruction_count)
                return "branch table leaves the function";
    if (function->refusal != NULL && wrong == NULL) {
        char why[1024];
        ptx_refusal_text(module, function, why, sizeof why);
        if (strstr(why, " uses ") == NULL || strchr(why, '\n') != NULL)
            return "a refusal that says nothing";
    }
    if (function->refusal == NULL)
        for (uint32_t c = 0; c < function->call_count; c++)
            if (function->calls[c].function >= 0 &&
                module->functions[function->calls[c].function].refusal != NULL)
                return "a function that runs calls one that does not";
    if (function->defined && wrong == NULL) {
        if (!function->instruction_count)
            return "a body without instructions";
        const struct ptx_instruction *last = &function->instructions[function->instruction_count - 1];
        bool stops = last->opcode == PTX_RET || last->opcode == PTX_EXIT || last->opcode == PTX_TRAP ||
                     last->opcode == PTX_BRA || last->opcode == PTX_BRX;
        if (!stops || last->guard >= 0)
            return "a function that can run past its end";
        if (!function->entry && function->frame_bytes < function->parameter_bytes)
            return "a frame smaller than its parameters";
    }
    return wrong;
}

static inline const char *check_module(const struct ptx_module *module) {
    for (uint32_t s = 0; s < module->symbol_count; s++) {
        const struct ptx_symbol *symbol = &module->symbols[s];
        for (uint32_t r = 0; r < symbol->relocation_count; r++)
            if (symbol->relocations[r].offset + symbol->relocations[r].width > symbol->size)
                return "relocation outside its variable";
        volatile uint8_t last =
            symbol->initial != NULL && symbol->size ? symbol->initial[symbol->size - 1] : 0;
        (void)last;
    }
    for (uint32_t f = 0; f < module->function_count; f++) {
        const char *wrong = check_function(module, &module->functions[f]);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

/* print.c: prints a checked program: summary; listing with slots and reconvergence points. */
#include "gpu/ptx/ptx.h"
#include <inttypes.h>

static void print_register(FILE *out, int32_t slot, uint8_t width) {
    if (width == 8)
        fprintf(out, "r%" PRId32 ":%" PRId32, slot, slot + 1);
    else
        fprintf(out, "r%" PRId32, slot);
}

static void print_operand(FILE *out, const struct ptx_module *module, const struct ptx_operand *operand) {
    switch (operand->kind) {
    case PTX_OPERAND_NONE: fputc('_', out); break;
    case PTX_OPERAND_REGISTER: print_register(out, operand->slot, operand->width); break;
    case PTX_OPERAND_PREDICATE:
        fprintf(out, "%sp%" PRId32, operand->negated ? "!" : "", operand->slot);
        break;
    case PTX_OPERAND_IMMEDIATE:
        if (operand->value > -4096 && operand->value < 4096)
            fprintf(out, "%" PRId64, operand->value);
        else
            fprintf(out, "0x%" PRIx64,
                    operand->width == 8 ? (uint64_t)operand->value : (uint64_t)operand->value & 0xffffffffu);
        break;
    case PTX_OPERAND_SPECIAL: fprintf(out, "%%%s", ptx_specials[operand->value].word); break;
    case PTX_OPERAND_SYMBOL:
        fprintf(out, "&%s%+" PRId64, module->symbols[operand->symbol].name, operand->value);
        break;
    case PTX_OPERAND_FUNCTION: fprintf(out, "&%s", module->functions[operand->symbol].name); break;
    case PTX_OPERAND_FRAME: fprintf(out, "frame+%" PRId64, operand->value); break;
    case PTX_OPERAND_ADDRESS:
        fputc('[', out);
        if (operand->slot >= 0)
            print_register(out, operand->slot, operand->width);
        if (operand->symbol >= 0)
            fprintf(out, "%s", module->symbols[operand->symbol].name);
        if (operand->value || (operand->slot < 0 && operand->symbol < 0))
            fprintf(out, operand->slot >= 0 || operand->symbol >= 0 ? "%+" PRId64 : "%" PRId64,
                    operand->value);
        fputc(']', out);
        break;
    default: fputc('?', out); break;
    }
}

static void print_name(FILE *out, const struct ptx_instruction *instruction) {
    fputs(ptx_nature(instruction)->mnemonic, out);
    if (instruction->form == PTX_FROM_GENERIC)
        fputs(".to", out);
    if (instruction->space != PTX_GENERIC && instruction->opcode != PTX_MEMBAR)
        fprintf(out, ".%s", ptx_space_words[instruction->space]);
    if (instruction->opcode == PTX_SET || instruction->opcode == PTX_SETP)
        fprintf(out, ".%s", ptx_compare_words[instruction->compare]);
    fputs(ptx_forms[instruction->form].printed, out);
    if (instruction->shape != PTX_NO_SHAPE)
        fprintf(out, ".%s", ptx_shapes[instruction->shape].word);
    if (instruction->rounding != PTX_ROUND_NONE)
        fprintf(out, ".%s", ptx_rounding_words[instruction->rounding]);
    for (int i = 0; i < PTX_FLAG_COUNT; i++)
        if (instruction->flags >> i & 1)
            fprintf(out, ".%s", ptx_flag_words[i]);
    if (instruction->type)
        fprintf(out, ".%s", ptx_type_name((enum ptx_type)instruction->type));
    if (instruction->source_type != instruction->type)
        fprintf(out, ".%s", ptx_type_name((enum ptx_type)instruction->source_type));
}

static void print_call(FILE *out, const struct ptx_module *module, const struct ptx_call *call) {
    fprintf(out, " %s(", call->function >= 0 ? module->functions[call->function].name : "through pointer");
    for (uint32_t i = 0; i < call->argument_count; i++)
        fprintf(out, "%sframe+%u:%u", i ? ", " : "", call->arguments[i].caller_offset,
                call->arguments[i].size);
    fputc(')', out);
    for (uint32_t i = 0; i < call->result_count; i++)
        fprintf(out, " -> frame+%u:%u", call->results[i].caller_offset, call->results[i].size);
}

static void print_instruction(FILE *out, const struct ptx_module *module, const struct ptx_function *function,
                              uint32_t index) {
    const struct ptx_instruction *instruction = &function->instructions[index];
    fprintf(out, "%6u  ", index);
    if (instruction->guard >= 0)
        fprintf(out, "@%sp%" PRId32 " ", instruction->guard_negated ? "!" : "", instruction->guard);
    print_name(out, instruction);
    uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
    for (uint32_t i = 0; i < total; i++) {
        fputs(i == 0 ? " " : i == instruction->destinations ? " = " : ", ", out);
        print_operand(out, module, &function->operands[instruction->operand + i]);
    }
    if (instruction->opcode == PTX_LOP3)
        fprintf(out, ", table 0x%02x", instruction->lut);
    if (instruction->opcode == PTX_CALL)
        print_call(out, module, &function->calls[instruction->target]);
    if (instruction->opcode == PTX_BRA)
        fprintf(out, " -> %" PRId32, instruction->target);
    if (instruction->opcode == PTX_BRX)
        for (uint32_t i = 0; i < function->tables[instruction->target].count; i++)
            fprintf(out, "%s%" PRId32, i ? " " : " -> ", function->tables[instruction->target].targets[i]);
    if (instruction->opcode == PTX_BRX || (instruction->opcode == PTX_BRA && instruction->guard >= 0))
        fprintf(out, "  (meet at %" PRId32 ")", instruction->reconverge);
    if (instruction->line)
        fprintf(out, "  // line %u", instruction->line);
    fputc('\n', out);
}

static void print_head(FILE *out, const struct ptx_function *function) {
    fprintf(out, "%s %s: %u instructions, %u register slots (%u live between blocks), %u predicates",
            function->entry ? "entry" : "function", function->name, function->instruction_count,
            function->slots, function->live_words, function->predicates);
    fprintf(out, ", %u parameter bytes", function->parameter_bytes);
    if (function->shared_bytes || function->uses_dynamic_shared)
        fprintf(out, ", %u shared bytes%s", function->shared_bytes,
                function->uses_dynamic_shared ? " and dynamic ones" : "");
    if (function->local_bytes)
        fprintf(out, ", %u local bytes", function->local_bytes);
    if (function->unset_count)
        fprintf(out, ", %u registers that may be read before they are written", function->unset_count);
    if (function->max_threads[0])
        fprintf(out, ", at most %u x %u x %u threads", function->max_threads[0], function->max_threads[1],
                function->max_threads[2]);
    if (function->required_threads[0])
        fprintf(out, ", needs %u x %u x %u threads", function->required_threads[0],
                function->required_threads[1], function->required_threads[2]);
    if (function->min_blocks)
        fprintf(out, ", at least %u blocks per SM", function->min_blocks);
    fprintf(out, "%s%s%s%s\n", function->uses_barrier ? ", barriers" : "",
            function->uses_calls ? ", calls" : "", function->uses_recursion ? ", recursion" : "",
            function->uses_ordered_atomics ? ", ordered atomics" : "");
}

void ptx_print_summary(FILE *out, const struct ptx_module *module) {
    fprintf(out, "PTX %u.%u for sm_%u\n", module->version_major, module->version_minor, module->target);
    for (uint32_t i = 0; i < module->symbol_count; i++)
        fprintf(out, "%s %s: %" PRIu64 " bytes%s%s\n",
                module->symbols[i].space == PTX_CONST ? "constant" : "global", module->symbols[i].name,
                module->symbols[i].size, module->symbols[i].initial != NULL ? ", initialised" : "",
                module->symbols[i].external ? ", external" : "");
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        char why[1024];
        if (function->refusal != NULL) {
            ptx_refusal_text(module, function, why, sizeof why);
            fprintf(out, "%s\n", why);
        } else if (function->defined) {
            print_head(out, function);
        }
    }
}

void ptx_print_function(FILE *out, const struct ptx_module *module, const struct ptx_function *function) {
    print_head(out, function);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        print_instruction(out, module, function, i);
}

/* program.c: what needs the whole module: the functions that an entry can reach. Recursion, the
 * uses_* flags and an entry's shared memory follow from these. */
#include "gpu/ptx/internal.h"
#include <string.h>

/* Uses of a function alone; an entry also gets those of all that it can reach. */
static void own_uses(struct ptx_function *function) {
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_nature *nature = ptx_nature(instruction);
        function->uses_barrier |= nature->control == PTX_CONTROL_BARRIER;
        function->uses_calls |= nature->control == PTX_CONTROL_CALL;
        if (nature->memory == PTX_MEMORY_ATOMIC && instruction->space != PTX_SHARED &&
            (instruction->opcode == PTX_ATOM || ptx_type_is_float(instruction->type)))
            function->uses_ordered_atomics = true;
        if (instruction->space == PTX_SHARED)
            function->uses_shared = true;
        if (instruction->space == PTX_LOCAL)
            function->uses_local = true;
    }
    if (function->local_bytes)
        function->uses_local = true;
}

static const uint64_t MAX_CALL_WORK = (uint64_t)1 << 31; /* calls followed */

struct reach {
    struct ptx_parser *parser;
    struct ptx_shared_layout shared;
    uint32_t *stack;
    uint32_t *mark; /* number of the last search that saw a function */
    uint32_t search;
    uint64_t work;
    uint32_t indirect; /* the last search that met a call through a pointer */
};

static void reach_function(struct reach *reach, uint32_t *depth, uint32_t index) {
    if (reach->mark[index] == reach->search)
        return;
    reach->mark[index] = reach->search;
    reach->stack[(*depth)++] = index;
}

/* Pushes the functions that `index` may call. Through a pointer: all whose address was taken. */
static void push_callees(struct reach *reach, uint32_t *depth, uint32_t index) {
    const struct ptx_function *function = &reach->parser->functions.items[index];
    bool indirect = false;
    reach->work += function->call_count + 1;
    if (reach->work > MAX_CALL_WORK)
        ptx_fail(reach->parser, "the calls of this program are too many to follow");
    for (uint32_t i = 0; i < function->call_count; i++) {
        if (function->calls[i].function >= 0)
            reach_function(reach, depth, (uint32_t)function->calls[i].function);
        else
            indirect = true;
    }
    if (!indirect || reach->indirect == reach->search)
        return;
    reach->indirect = reach->search;
    reach->work += reach->parser->functions.count;
    for (uint32_t i = 0; i < reach->parser->functions.count; i++)
        if (reach->parser->notes.items[i].address_taken)
            reach_function(reach, depth, i);
}

/* Refuses a body that calls an undefined function. */
static void refuse_undefined_calls(struct ptx_parser *parser) {
    for (uint32_t f = 0; f < parser->functions.count; f++) {
        const struct ptx_function *function = &parser->functions.items[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (instruction->opcode != PTX_CALL || function->calls[instruction->target].function < 0)
                continue;
            const struct ptx_function *callee =
                &parser->functions.items[function->calls[instruction->target].function];
            if (callee->defined || callee->builtin || callee->refusal != NULL || function->refusal != NULL)
                continue;
            const struct ptx_feature *feature = ptx_feature_of_function(callee->name);
            struct ptx_refusal *refusal = ptx_keep(parser, sizeof *refusal);
            *refusal = (struct ptx_refusal){.feature = feature->name,
                                            .several = feature->several,
                                            .advice = feature->advice,
                                            .word = callee->name,
                                            .file = instruction->outer_file,
                                            .line = instruction->outer_line,
                                            .ptx_line = instruction->ptx_line};
            parser->functions.items[f].refusal = refusal;
        }
    }
}

/* Refuses a body that names an undefined variable. */
static void refuse_undefined_variables(struct ptx_parser *parser) {
    static const char advice[] = "compile and link every file with -rdc=true, or define it in this one";
    bool any = false;
    for (uint32_t i = 0; i < parser->symbols.count; i++)
        any |= parser->symbols.items[i].external;
    for (uint32_t f = 0; any && f < parser->functions.count; f++) {
        struct ptx_function *function = &parser->functions.items[f];
        for (uint32_t i = 0; i < function->instruction_count && function->refusal == NULL; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            uint32_t operands = (uint32_t)instruction->destinations + instruction->sources;
            for (uint32_t o = 0; o < operands; o++) {
                const struct ptx_operand *operand = &function->operands[instruction->operand + o];
                bool names = operand->kind == PTX_OPERAND_SYMBOL ||
                             (operand->kind == PTX_OPERAND_ADDRESS && operand->symbol >= 0);
                if (!names || !parser->symbols.items[operand->symbol].external)
                    continue;
                struct ptx_refusal *refusal = ptx_keep(parser, sizeof *refusal);
                *refusal = (struct ptx_refusal){.feature = "a variable that no file of the program defines",
                                                .advice = advice,
                                                .word = parser->symbols.items[operand->symbol].name,
                                                .file = instruction->outer_file,
                                                .line = instruction->outer_line,
                                                .ptx_line = instruction->ptx_line};
                function->refusal = refusal;
            }
        }
    }
}

/* Refuses callers of a refused function for the same reason. A call through a pointer is checked
 * when it is made. */
static void spread_refusals(struct ptx_parser *parser) {
    struct ptx_function *functions = parser->functions.items;
    uint32_t count = parser->functions.count, depth = 0;
    uint64_t total = 0;
    /* Callers of function f are callers[first[f] .. first[f + 1]). */
    uint64_t *first = ptx_scratch(parser, (count + 2) * sizeof *first);
    uint32_t *stack = ptx_scratch(parser, count * sizeof *stack);
    for (uint32_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < functions[f].call_count; i++)
            if (functions[f].calls[i].function >= 0) {
                first[functions[f].calls[i].function + 2]++;
                total++;
            }
    for (uint32_t f = 2; f < count + 2; f++)
        first[f] += first[f - 1];
    uint32_t *callers = ptx_scratch(parser, total * sizeof *callers);
    for (uint32_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < functions[f].call_count; i++)
            if (functions[f].calls[i].function >= 0)
                callers[first[functions[f].calls[i].function + 1]++] = f;
    for (uint32_t f = 0; f < count; f++)
        if (functions[f].refusal != NULL)
            stack[depth++] = f;
    while (depth) {
        uint32_t f = stack[--depth];
        for (uint64_t i = first[f]; i < first[f + 1]; i++)
            if (functions[callers[i]].refusal == NULL) {
                functions[callers[i]].refusal = functions[f].refusal;
                stack[depth++] = callers[i];
            }
    }
}

/* Adds the uses and needs of everything that f can call to f. */
static void follow_calls(struct reach *reach, uint32_t f) {
    struct ptx_function *function = &reach->parser->functions.items[f];
    struct ptx_function_notes *notes = reach->parser->notes.items;
    uint32_t depth = 0;
    reach->search++;
    push_callees(reach, &depth, f); /* f itself is marked only if it can be called again */
    if (function->entry)
        reach->work += ptx_shared_use(&reach->shared, f, f);
    while (depth) {
        uint32_t g = reach->stack[--depth];
        const struct ptx_function *callee = &reach->parser->functions.items[g];
        push_callees(reach, &depth, g);
        if (!function->entry)
            continue;
        reach->work += ptx_shared_use(&reach->shared, f, g);
        function->uses_barrier |= callee->uses_barrier;
        function->uses_shared |= callee->uses_shared;
        function->uses_local |= callee->uses_local;
        function->uses_ordered_atomics |= callee->uses_ordered_atomics;
        function->uses_recursion |= callee->uses_recursion;
        if (callee->live_words > function->live_words_called)
            function->live_words_called = callee->live_words;
        notes[f].dynamic_in_callee |= notes[g].names_dynamic_shared;
        function->uses_dynamic_shared |= notes[g].names_dynamic_shared;
    }
    function->uses_recursion |= reach->mark[f] == reach->search;
}

/* The chip reaches a module's .const variables as one bank of fixed size. */
static void check_constant_bank(struct ptx_parser *parser) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < parser->symbols.count; i++) {
        const struct ptx_symbol *symbol = &parser->symbols.items[i];
        if (symbol->space != PTX_CONST || symbol->external)
            continue;
        bytes = symbol->size <= PTX_MAX_CONSTANT_BYTES ? bytes + symbol->size : UINT64_MAX;
        if (bytes > PTX_MAX_CONSTANT_BYTES)
            ptx_fail(
                parser,
                "more than %d bytes of constant memory, with '%s': a module has no more of it; put large "
                "tables into global memory",
                PTX_MAX_CONSTANT_BYTES, symbol->name);
    }
}

void ptx_finish_module(struct ptx_parser *parser) {
    uint32_t count = parser->functions.count;
    struct reach reach = {.parser = parser,
                          .stack = ptx_scratch(parser, count * sizeof(uint32_t)),
                          .mark = ptx_scratch(parser, count * sizeof(uint32_t))};
    check_constant_bank(parser);
    ptx_shared_start(parser, &reach.shared);
    refuse_undefined_calls(parser);
    refuse_undefined_variables(parser);
    spread_refusals(parser);
    for (uint32_t f = 0; f < count; f++)
        own_uses(&parser->functions.items[f]);
    for (int entries = 0; entries < 2; entries++)
        for (uint32_t f = 0; f < count; f++)
            if (parser->functions.items[f].defined && parser->functions.items[f].entry == (entries == 1))
                follow_calls(&reach, f);
    ptx_shared_place(&reach.shared);

    struct ptx_module *module = parser->module;
    module->function_count = count;
    module->functions = ptx_keep(parser, count * sizeof *module->functions);
    if (count)
        memcpy(module->functions, parser->functions.items, count * sizeof *module->functions);
    module->symbol_count = parser->symbols.count;
    module->symbols = ptx_keep(parser, parser->symbols.count * sizeof *module->symbols);
    if (parser->symbols.count)
        memcpy(module->symbols, parser->symbols.items, parser->symbols.count * sizeof *module->symbols);
    module->shared_array_count = parser->shared_arrays.count;
    module->shared_arrays = ptx_keep(parser, parser->shared_arrays.count * sizeof *module->shared_arrays);
    if (parser->shared_arrays.count)
        memcpy(module->shared_arrays, parser->shared_arrays.items,
               parser->shared_arrays.count * sizeof *module->shared_arrays);
    module->file_count = parser->files.count;
    module->files = ptx_keep(parser, parser->files.count * sizeof *module->files);
    memcpy(module->files, parser->files.items, parser->files.count * sizeof *module->files);
}

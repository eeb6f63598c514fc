/* shared.c: lays out shared memory. An entry has the module-wide variables that it or its callees
 * name, then its own, then the dynamic part.
 *
 * A module-wide variable has one offset, because several entries may call a function that names it.
 * Two variables that no entry uses both may overlap. So each one is placed, in order of
 * declaration, behind what its users already have. */
#include "base/round.h"
#include "gpu/ptx/internal.h"

void ptx_shared_start(struct ptx_parser *parser, struct ptx_shared_layout *layout) {
    uint32_t count = parser->shared_variables.count;
    *layout = (struct ptx_shared_layout){.parser = parser,
                                         .last_entry = ptx_scratch(parser, count * sizeof(int32_t))};
    for (uint32_t i = 0; i < count; i++)
        layout->last_entry[i] = -1;
}

uint32_t ptx_shared_use(struct ptx_shared_layout *layout, uint32_t entry, uint32_t function) {
    struct ptx_parser *parser = layout->parser;
    const struct ptx_function_notes *notes = &parser->notes.items[function];
    for (uint32_t i = 0; i < notes->shared_name_count; i++) {
        uint32_t variable = parser->shared_names.items[notes->first_shared_name + i].variable;
        if (layout->last_entry[variable] == (int32_t)entry)
            continue;
        layout->last_entry[variable] = (int32_t)entry;
        struct ptx_shared_name use = {(int32_t)entry, variable};
        PTX_APPEND(parser, &layout->uses, use);
    }
    return notes->shared_name_count;
}

/* Sets the offset of each module-wide variable, and their end in each entry. */
static void place_module_variables(struct ptx_shared_layout *layout) {
    struct ptx_parser *parser = layout->parser;
    uint32_t count = parser->shared_variables.count;
    /* Entries that use variable v are entries[first[v] .. first[v + 1]). */
    uint32_t *first = ptx_scratch(parser, (count + 2) * sizeof *first);
    uint32_t *entries = ptx_scratch(parser, layout->uses.count * sizeof *entries);
    for (uint32_t i = 0; i < layout->uses.count; i++)
        first[layout->uses.items[i].variable + 2]++;
    for (uint32_t v = 2; v < count + 2; v++)
        first[v] += first[v - 1];
    for (uint32_t i = 0; i < layout->uses.count; i++)
        entries[first[layout->uses.items[i].variable + 1]++] = (uint32_t)layout->uses.items[i].function;
    for (uint32_t v = 0; v < count; v++) {
        struct ptx_shared_variable *variable = &parser->shared_variables.items[v];
        uint32_t start = 0;
        for (uint32_t i = first[v]; i < first[v + 1]; i++)
            if (start < parser->notes.items[entries[i]].module_shared_bytes)
                start = parser->notes.items[entries[i]].module_shared_bytes;
        uint64_t offset = round_up(start, variable->alignment);
        if (first[v] < first[v + 1] && !variable->defined)
            ptx_fail(parser, "shared variable '%s' is defined by no file of the program", variable->name);
        if (offset + variable->size > PTX_MAX_SHARED_BYTES)
            ptx_fail(parser, "more than %d bytes of shared memory", PTX_MAX_SHARED_BYTES);
        variable->offset = (uint32_t)offset;
        for (uint32_t i = first[v]; i < first[v + 1]; i++)
            parser->notes.items[entries[i]].module_shared_bytes = variable->offset + variable->size;
    }
}

void ptx_shared_place(struct ptx_shared_layout *layout) {
    struct ptx_parser *parser = layout->parser;
    place_module_variables(layout);
    uint32_t alignment = parser->dynamic_alignment ? parser->dynamic_alignment : 1;
    uint32_t common = 0; /* start of dynamic memory for all entries that call a function which names it */
    for (uint32_t f = 0; f < parser->functions.count; f++) {
        struct ptx_function *function = &parser->functions.items[f];
        struct ptx_function_notes *notes = &parser->notes.items[f];
        if (!function->entry || !function->defined)
            continue;
        uint32_t own = notes->own_shared_alignment ? notes->own_shared_alignment : 1;
        notes->own_shared_start = round_up(notes->module_shared_bytes, own);
        function->shared_bytes = notes->own_shared_bytes ? notes->own_shared_start + notes->own_shared_bytes
                                                         : notes->module_shared_bytes;
        function->dynamic_alignment = alignment;
        if (notes->dynamic_in_callee && common < round_up(function->shared_bytes, alignment))
            common = round_up(function->shared_bytes, alignment);
    }
    for (uint32_t f = 0; f < parser->functions.count; f++)
        if (parser->notes.items[f].dynamic_in_callee)
            parser->functions.items[f].shared_bytes = common;
    for (uint32_t i = 0; i < parser->shared_arrays.count; i++) {
        struct ptx_shared_array *array = &parser->shared_arrays.items[i];
        if (array->function >= 0)
            array->offset += parser->notes.items[array->function].own_shared_start;
    }
    for (uint32_t i = 0; i < layout->uses.count; i++) { /* one entry's variable may overlap another entry's */
        const struct ptx_shared_name *use = &layout->uses.items[i];
        const struct ptx_shared_variable *variable = &parser->shared_variables.items[use->variable];
        struct ptx_shared_array array = {variable->name, use->function, variable->offset, variable->size};
        PTX_APPEND(parser, &parser->shared_arrays, array);
    }
    for (uint32_t i = 0; i < parser->shared_uses.count; i++) {
        const struct ptx_shared_use *use = &parser->shared_uses.items[i];
        const struct ptx_function *function = &parser->functions.items[use->function];
        struct ptx_operand *operand = &function->operands[use->operand];
        if (use->kind == PTX_NAME_SHARED_MODULE)
            operand->value += parser->shared_variables.items[use->variable].offset;
        else if (use->kind == PTX_NAME_SHARED_OWN)
            operand->value += parser->notes.items[use->function].own_shared_start;
        else
            operand->value += function->entry ? round_up(function->shared_bytes, alignment) : common;
    }
}

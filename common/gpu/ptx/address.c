/* address.c: memory operands and the addresses of variables. PTX ISA 9.0, section 6.4. */
#include "gpu/ptx/internal.h"

/* A variable's offset in its own space. */
struct place {
    enum ptx_space space;
    enum ptx_name_kind shared; /* PTX_NAME_SHARED_*: the layout decides later */
    int32_t symbol;
    uint32_t variable; /* of PTX_NAME_SHARED_MODULE */
    uint64_t offset, size;
};

/* Notes that the function being read names a module-wide shared variable. */
static void note_shared(struct ptx_parser *parser, uint32_t index) {
    struct ptx_shared_variable *variable = &parser->shared_variables.items[index];
    struct ptx_shared_name name = {parser->body->function, index};
    if (variable->last_function == name.function)
        return;
    variable->last_function = name.function;
    PTX_APPEND(parser, &parser->shared_names, name);
}

static bool find_place(struct ptx_parser *parser, const struct ptx_name *name, struct place *place) {
    struct ptx_function_notes *notes = &parser->notes.items[parser->body->function];
    struct ptx_function *function = &parser->functions.items[parser->body->function];
    *place =
        (struct place){.shared = PTX_NAME_REGISTER, .symbol = -1, .offset = name->offset, .size = name->size};
    switch (name->kind) {
    case PTX_NAME_PARAM_ENTRY: place->space = PTX_PARAM_ENTRY; return true;
    case PTX_NAME_PARAM_FRAME: place->space = PTX_PARAM_FRAME; return true;
    case PTX_NAME_LOCAL: place->space = PTX_LOCAL; return true;
    case PTX_NAME_SHARED_MODULE:
        place->space = PTX_SHARED;
        place->shared = name->kind;
        place->variable = (uint32_t)name->index;
        place->offset = 0;
        note_shared(parser, place->variable);
        return true;
    case PTX_NAME_SHARED_DYNAMIC:
        notes->names_dynamic_shared = function->uses_dynamic_shared = true; /* fall through */
    case PTX_NAME_SHARED_OWN:
        place->space = PTX_SHARED;
        place->shared = name->kind;
        return true;
    case PTX_NAME_SYMBOL:
        place->space = (enum ptx_space)parser->symbols.items[name->index].space;
        place->symbol = name->index;
        place->offset = 0;
        return true;
    default: return false;
    }
}

/* Checks a register as the base of an address in `space`. */
static void check_base(struct ptx_parser *parser, const struct ptx_token *name, struct ptx_operand *operand,
                       enum ptx_space space) {
    enum ptx_type type = (enum ptx_type)parser->body->registers.items[operand->slot].type;
    uint32_t width = ptx_type_bytes(type);
    bool wide_needed = space == PTX_GENERIC || space == PTX_GLOBAL;
    if (type == PTX_B128)
        ptx_refuse(parser, &ptx_feature_wide, ".b128", 5);
    if (type == PTX_PRED || ptx_type_is_float(type) || (width != 8 && (width != 4 || wide_needed)))
        ptx_fail(parser, "register '%.*s' (.%s) cannot hold a %s address", PTX_TOKEN_ARGUMENTS(name),
                 ptx_type_name(type), ptx_space_words[space]);
    operand->width = (uint8_t)width;
}

static bool is_parameter(enum ptx_space space) {
    return space == PTX_PARAM_ENTRY || space == PTX_PARAM_FRAME;
}

/* Reads the name at the start of an address into the operand as a register or symbol. True: it is a
 * variable, at *place. */
static bool read_base(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_space space,
                      struct ptx_operand *operand, struct place *place) {
    ptx_next(parser);
    operand->slot = ptx_find_register(parser, name);
    const struct ptx_name *variable = operand->slot < 0 ? ptx_find(parser, name->text, name->length) : NULL;
    if (operand->slot >= 0) {
        check_base(parser, name, operand, space);
    } else if (variable == NULL || !find_place(parser, variable, place)) {
        ptx_fail(parser, "'%.*s' in an address is neither a register nor a variable",
                 PTX_TOKEN_ARGUMENTS(name));
    } else {
        if (is_parameter(space)
                ? !is_parameter(place->space)
                : place->space != space && !(space == PTX_GENERIC && place->space == PTX_GLOBAL))
            ptx_fail(parser, "'%.*s' is in .%s, not .%s, memory", PTX_TOKEN_ARGUMENTS(name),
                     ptx_space_words[place->space], ptx_space_words[space]);
        operand->symbol = place->symbol;
    }
    if (!ptx_at(parser, '+') && !ptx_at(parser, '-') && !ptx_at(parser, ']'))
        ptx_fail(parser, "expected '+' or ']' in an address, found '%.*s'",
                 PTX_TOKEN_ARGUMENTS(&parser->token));
    return operand->slot < 0;
}

/* Reads [register], [register+n], [variable+n] or [n]. The access has `bytes` bytes in `space`. */
void ptx_read_address(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_space space,
                      uint32_t bytes) {
    struct ptx_operand operand = ptx_no_operand();
    struct place place = {.shared = PTX_NAME_REGISTER};
    operand.kind = PTX_OPERAND_ADDRESS;
    operand.width = 8;
    ptx_expect(parser, '[');
    struct ptx_token name = parser->token;
    bool named = false;
    if (name.kind == PTX_TOKEN_NAME && !ptx_is_name(&name, "WARP_SZ"))
        named = read_base(parser, &name, space, &operand, &place);
    if (!ptx_at(parser, ']')) {
        struct ptx_constant offset = ptx_constant_expression(parser);
        operand.value = ptx_constant_as(parser, &offset, PTX_B64, false);
    }
    ptx_expect(parser, ']');
    if (is_parameter(space)) {
        bool in_entry = parser->functions.items[parser->body->function].entry;
        pending->instruction.space = (uint8_t)(named      ? place.space
                                               : in_entry ? PTX_PARAM_ENTRY
                                                          : PTX_PARAM_FRAME);
        if (named && ((uint64_t)operand.value > place.size || place.size - (uint64_t)operand.value < bytes))
            ptx_fail(parser, "access to %u bytes at offset %lld is outside parameter '%.*s' (%llu bytes)",
                     bytes, (long long)operand.value, PTX_TOKEN_ARGUMENTS(&name),
                     (unsigned long long)place.size);
    }
    if (named && place.symbol < 0)
        operand.value = (int64_t)((uint64_t)operand.value + place.offset);
    if (named && place.space == PTX_LOCAL) {
        struct ptx_operand frame = ptx_no_operand();
        frame.kind = PTX_OPERAND_FRAME;
        frame.width = 8;
        frame.value = operand.value;
        operand.slot = ptx_helper_instruction(parser, pending, PTX_MOV, PTX_B64, &frame, 1).slot;
        operand.value = 0;
    }
    ptx_push_operand(parser, pending, operand);
    pending->shared[pending->count - 1] = place.shared;
    pending->shared_variables[pending->count - 1] = place.variable;
}

/* Reads the source of mov and cvta: a register, constant, special register, or the address of a
 * variable or function. */
void ptx_read_address_of(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_type type,
                         bool is_mov) {
    struct ptx_token name = parser->token;
    const struct ptx_name *found = NULL;
    if (name.kind == PTX_TOKEN_NAME && *name.text != '%' && ptx_find_register(parser, &name) < 0)
        found = ptx_find(parser, name.text, name.length);
    if (found == NULL) {
        ptx_push_operand(parser, pending, ptx_read_source(parser, type, false));
        return;
    }
    ptx_next(parser);
    if (found->kind == PTX_NAME_OPAQUE)
        ptx_refuse(parser, &ptx_feature_textures, name.text, name.length);
    struct ptx_operand operand = ptx_no_operand();
    struct place place = {.shared = PTX_NAME_REGISTER};
    operand.width = (uint8_t)ptx_type_bytes(type);
    if (found->kind == PTX_NAME_FUNCTION) {
        operand.kind = PTX_OPERAND_FUNCTION;
        operand.symbol = found->index;
        parser->notes.items[found->index].address_taken = true;
    } else if (find_place(parser, found, &place)) {
        operand.kind = place.symbol >= 0          ? PTX_OPERAND_SYMBOL
                       : place.space == PTX_LOCAL ? PTX_OPERAND_FRAME
                                                  : PTX_OPERAND_IMMEDIATE;
        operand.symbol = place.symbol;
        operand.value = (int64_t)place.offset;
    } else {
        ptx_fail(parser, "'%.*s' has no address that can be taken", PTX_TOKEN_ARGUMENTS(&name));
    }
    if (operand.width != 8 &&
        !(operand.width == 4 && found->kind != PTX_NAME_FUNCTION && place.space == PTX_SHARED))
        ptx_fail(parser, "the address of '%.*s' needs a 64-bit type", PTX_TOKEN_ARGUMENTS(&name));
    if (ptx_at(parser, '+') || ptx_at(parser, '-')) {
        struct ptx_constant offset = ptx_constant_expression(parser);
        operand.value =
            (int64_t)((uint64_t)operand.value + (uint64_t)ptx_constant_as(parser, &offset, PTX_B64, false));
    }
    if (!is_mov && found->kind != PTX_NAME_FUNCTION) {
        enum ptx_space space = (enum ptx_space)pending->instruction.space;
        if (pending->instruction.form == PTX_FROM_GENERIC || place.space != space)
            ptx_fail(parser, "'%.*s' is in .%s memory", PTX_TOKEN_ARGUMENTS(&name),
                     ptx_space_words[place.space]);
    }
    if (!is_mov && operand.kind == PTX_OPERAND_FRAME)
        operand = ptx_helper_instruction(parser, pending, PTX_MOV, PTX_B64, &operand, 1);
    ptx_push_operand(parser, pending, operand);
    pending->shared[pending->count - 1] = place.shared;
    pending->shared_variables[pending->count - 1] = place.variable;
}

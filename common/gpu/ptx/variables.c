/* variables.c: declarations of variables and parameters: type, alignment, dimensions, and offset in
 * the space. PTX ISA 9.0, chapter 5 and section 11. */
#include "base/round.h"
#include "gpu/ptx/internal.h"
#include <string.h>

struct declaration {
    enum ptx_type type;
    uint64_t alignment; /* 0: the type's own */
    uint32_t vector;
    bool managed;
    const struct ptx_feature *opaque; /* .texref and the like: its feature */
};

static bool is_word(const struct ptx_token *token, const char *word) {
    return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

/* Reads the words between the state space and the name: .align 4 .v4 .b8, .ptr .global .align 8,
 * .attribute(.managed). */
static void read_declaration(struct ptx_parser *parser, struct declaration *declaration) {
    *declaration = (struct declaration){.vector = 1};
    bool pointer = false;
    while (parser->token.kind == PTX_TOKEN_DOTTED) {
        struct ptx_token word = parser->token;
        enum ptx_type type = ptx_type_of_word(word.text + 1, word.length - 1);
        ptx_next(parser);
        if (type && !declaration->type) {
            declaration->type = type;
        } else if (is_word(&word, ".align")) {
            uint64_t alignment = ptx_constant_unsigned(parser, "an alignment", PTX_MAX_ALIGNMENT);
            if (alignment == 0 || (alignment & (alignment - 1)))
                ptx_fail(parser, "an alignment must be a power of two");
            if (!pointer) /* after .ptr it is the type pointed at */
                declaration->alignment = alignment;
        } else if (is_word(&word, ".v2") || is_word(&word, ".v4")) {
            declaration->vector = (uint32_t)(word.text[2] - '0');
        } else if (is_word(&word, ".ptr")) {
            pointer = true;
        } else if (is_word(&word, ".attribute")) {
            ptx_expect(parser, '(');
            do {
                if (ptx_accept_word(parser, ".managed"))
                    declaration->managed = true;
                else
                    ptx_fail(parser, "attribute '%.*s' is not simulated",
                             PTX_TOKEN_ARGUMENTS(&parser->token));
            } while (ptx_accept(parser, ','));
            ptx_expect(parser, ')');
        } else if (!pointer) {
            declaration->opaque = ptx_feature_of_word(word.text + 1, word.length - 1);
            if (declaration->opaque == NULL)
                ptx_fail(parser, "'%.*s' is not known in a declaration", PTX_TOKEN_ARGUMENTS(&word));
        }
    }
    if (declaration->opaque != NULL)
        declaration->type = PTX_B64;
    if (!declaration->type || declaration->type == PTX_PRED || declaration->type == PTX_B128)
        ptx_fail(parser, "a declaration needs a type such as .b8 or .u32 before '%.*s'",
                 PTX_TOKEN_ARGUMENTS(&parser->token));
    uint64_t natural = (uint64_t)ptx_type_bytes(declaration->type) * declaration->vector;
    if (!declaration->alignment)
        declaration->alignment = natural;
}

enum { MAX_DIMENSIONS = 8 };

/* Reads [4][8] and returns the bytes; *dimension_count is 0 without brackets; "[]" gives dimension
 * 0. */
static uint64_t read_dimensions(struct ptx_parser *parser, const struct declaration *declaration,
                                uint64_t maximum, uint64_t *dimensions, uint32_t *dimension_count) {
    uint64_t bytes = (uint64_t)ptx_type_bytes(declaration->type) * declaration->vector;
    *dimension_count = 0;
    while (ptx_accept(parser, '[')) {
        if (*dimension_count == MAX_DIMENSIONS)
            ptx_fail(parser, "an array of more than %d dimensions", MAX_DIMENSIONS);
        uint64_t size = 0;
        if (!ptx_at(parser, ']'))
            size = ptx_constant_unsigned(parser, "an array size", maximum);
        else if (*dimension_count)
            ptx_fail(parser, "only the first dimension of an array may be left open");
        ptx_expect(parser, ']');
        dimensions[(*dimension_count)++] = size;
        if (size && bytes > maximum / size)
            ptx_fail(parser, "an array larger than %llu bytes is not possible here",
                     (unsigned long long)maximum);
        bytes *= size;
    }
    return bytes;
}

/* Parses (.param .u64 a, .param .align 8 .b8 b[32]). Offsets follow those of the `before_count`
 * parameters in `before`, which come first in the result. *count is their number in all, *bytes the
 * size of their buffer. */
struct ptx_parameter *ptx_parse_parameters(struct ptx_parser *parser, uint32_t *count, uint32_t *bytes,
                                           enum ptx_name_kind kind, bool declare,
                                           struct ptx_parameter *before, uint32_t before_count) {
    PTX_LIST(struct ptx_parameter) list = {0};
    for (uint32_t i = 0; i < before_count; i++)
        PTX_APPEND(parser, &list, before[i]);
    ptx_expect(parser, '(');
    while (!ptx_at(parser, ')')) {
        if (list.count > before_count)
            ptx_expect(parser, ',');
        if (ptx_at_word(parser, ".reg"))
            ptx_fail(parser, "parameters in registers (.reg) are not run by this simulator; use .param");
        if (!ptx_accept_word(parser, ".param"))
            ptx_fail(parser, "expected .param, found '%.*s'", PTX_TOKEN_ARGUMENTS(&parser->token));
        struct declaration declaration;
        uint64_t dimensions[MAX_DIMENSIONS];
        uint32_t dimension_count;
        read_declaration(parser, &declaration);
        struct ptx_token name = ptx_expect_name(parser, "a parameter's name");
        uint64_t size =
            read_dimensions(parser, &declaration, PTX_MAX_PARAMETER_BYTES, dimensions, &dimension_count);
        if (dimension_count && dimensions[0] == 0)
            size = 0; /* an empty struct */
        uint64_t offset = round_up(*bytes, declaration.alignment);
        uint32_t most =
            kind == PTX_NAME_PARAM_ENTRY ? PTX_MAX_ENTRY_PARAMETER_BYTES : PTX_MAX_PARAMETER_BYTES;
        if (offset + size > most)
            ptx_fail(parser, "more than %u bytes of %sparameters", most,
                     kind == PTX_NAME_PARAM_ENTRY ? "kernel " : "");
        *bytes = (uint32_t)(offset + size);
        struct ptx_parameter parameter = {(uint32_t)offset, (uint32_t)size, (uint32_t)declaration.alignment};
        PTX_APPEND(parser, &list, parameter);
        if (declare) {
            struct ptx_name *declared = ptx_declare(parser, &name, kind);
            declared->offset = offset;
            declared->size = size;
        }
    }
    ptx_expect(parser, ')');
    *count = list.count;
    struct ptx_parameter *kept = ptx_keep(parser, list.count * sizeof *kept);
    if (list.count)
        memcpy(kept, list.items, list.count * sizeof *kept);
    return kept;
}

/* Places a shared variable of module scope, or of a function, where all its users can have it. Of
 * several weak definitions the first counts. */
static void place_shared_of_module(struct ptx_parser *parser, const struct ptx_token *token,
                                   const struct ptx_shared_variable *variable, enum ptx_linkage linkage) {
    struct ptx_name *found = ptx_find(parser, token->text, token->length);
    bool linked = linkage != PTX_LINKAGE_LOCAL && parser->scope == 0;
    if (linked && found != NULL && found->linked && found->kind == PTX_NAME_SHARED_MODULE) {
        struct ptx_shared_variable *before = &parser->shared_variables.items[found->index];
        if (!variable->defined || (before->defined && variable->weak))
            return;
        if (before->defined && !before->weak)
            ptx_fail(parser, "'%.*s' is declared twice", PTX_TOKEN_ARGUMENTS(token));
        *before = *variable;
        return;
    }
    struct ptx_name *name = ptx_declare(parser, token, PTX_NAME_SHARED_MODULE);
    name->linked = linked;
    name->index = (int32_t)parser->shared_variables.count;
    PTX_APPEND(parser, &parser->shared_variables, *variable);
}

static void place_shared(struct ptx_parser *parser, const struct ptx_token *token,
                         const struct declaration *declaration, uint64_t size, enum ptx_linkage linkage,
                         bool open) {
    struct ptx_body *body = parser->body;
    if (open) {
        ptx_declare(parser, token, PTX_NAME_SHARED_DYNAMIC);
        if (parser->dynamic_alignment < declaration->alignment)
            parser->dynamic_alignment = (uint32_t)declaration->alignment;
        struct ptx_shared_array rest = {ptx_keep_text(parser, token->text, token->length), -1, 0, 0};
        PTX_APPEND(parser, &parser->shared_arrays, rest);
        return;
    }
    if (body == NULL || !parser->functions.items[body->function].entry) {
        if (size > PTX_MAX_SHARED_BYTES)
            ptx_fail(parser, "more than %d bytes of shared memory", PTX_MAX_SHARED_BYTES);
        struct ptx_shared_variable variable = {.name = ptx_keep_text(parser, token->text, token->length),
                                               .size = (uint32_t)size,
                                               .alignment = (uint32_t)declaration->alignment,
                                               .defined = linkage != PTX_LINKAGE_EXTERN,
                                               .weak = linkage == PTX_LINKAGE_WEAK,
                                               .last_function = -1};
        place_shared_of_module(parser, token, &variable, linkage);
        return;
    }
    uint64_t offset = round_up(body->shared_bytes, declaration->alignment);
    if (offset + size > PTX_MAX_SHARED_BYTES)
        ptx_fail(parser, "more than %d bytes of shared memory", PTX_MAX_SHARED_BYTES);
    body->shared_bytes = (uint32_t)(offset + size);
    if (body->shared_alignment < declaration->alignment)
        body->shared_alignment = (uint32_t)declaration->alignment;
    struct ptx_name *name = ptx_declare(parser, token, PTX_NAME_SHARED_OWN);
    name->offset = offset;
    name->size = size;
    struct ptx_shared_array array = {ptx_keep_text(parser, token->text, token->length), body->function,
                                     (uint32_t)offset, (uint32_t)size};
    PTX_APPEND(parser, &parser->shared_arrays, array);
}

/* Places a .param variable of a call, or a .local one. */
static void place_in_frame(struct ptx_parser *parser, const struct ptx_token *token,
                           const struct declaration *declaration, enum ptx_space space, uint64_t size) {
    struct ptx_body *body = parser->body;
    if (body == NULL)
        ptx_fail(parser, "a .%s variable outside functions is not run by this simulator",
                 space == PTX_LOCAL ? "local" : "param");
    bool local = space == PTX_LOCAL;
    uint32_t *used = local ? &body->local_bytes : &body->frame_bytes;
    uint64_t offset = round_up(*used, declaration->alignment);
    if (offset + size > PTX_MAX_LOCAL_BYTES)
        ptx_fail(parser, "more than %d bytes of .%s memory in one function", PTX_MAX_LOCAL_BYTES,
                 local ? "local" : "param");
    *used = (uint32_t)(offset + size);
    if (local && body->local_alignment < declaration->alignment)
        body->local_alignment = (uint32_t)declaration->alignment;
    if (!local && body->frame_peak < body->frame_bytes)
        body->frame_peak = body->frame_bytes;
    struct ptx_name *name = ptx_declare(parser, token, local ? PTX_NAME_LOCAL : PTX_NAME_PARAM_FRAME);
    name->offset = offset;
    name->size = size;
}

/* The symbol of this declaration; -1: defined before, so that this weak definition is dropped. */
static int32_t declare_symbol(struct ptx_parser *parser, const struct ptx_token *token, enum ptx_space space,
                              enum ptx_linkage linkage) {
    struct ptx_name *found = ptx_find(parser, token->text, token->length);
    struct ptx_definition definition = {parser->unit, linkage == PTX_LINKAGE_WEAK};
    bool external = linkage == PTX_LINKAGE_EXTERN;
    bool linked = linkage != PTX_LINKAGE_LOCAL && parser->scope == 0;
    if (found != NULL && found->scope == parser->scope && found->kind == PTX_NAME_SYMBOL &&
        (found->unit == parser->unit || (linked && found->linked))) {
        struct ptx_symbol *symbol = &parser->symbols.items[found->index];
        struct ptx_definition *before = &parser->symbol_definitions.items[found->index];
        if (symbol->space != space)
            ptx_fail(parser, "'%.*s' was declared in another state space", PTX_TOKEN_ARGUMENTS(token));
        if (!symbol->external && external)
            return -1;
        if (!symbol->external && before->unit != parser->unit && definition.weak)
            return -1;
        if (!symbol->external && (before->unit == parser->unit || !before->weak))
            ptx_fail(parser, "'%.*s' is declared twice", PTX_TOKEN_ARGUMENTS(token));
        symbol->external = external;
        *before = definition;
        return found->index;
    }
    struct ptx_symbol symbol = {.name = ptx_keep_text(parser, token->text, token->length),
                                .space = (uint8_t)space,
                                .external = external};
    int32_t index = (int32_t)parser->symbols.count;
    PTX_APPEND(parser, &parser->symbols, symbol);
    PTX_APPEND(parser, &parser->symbol_definitions, definition);
    struct ptx_name *name = ptx_declare(parser, token, PTX_NAME_SYMBOL);
    name->index = index;
    name->linked = linked;
    return index;
}

/* Skips "t = {...}, u;" of .texref and the like, whose names no running code may use. */
static void skip_opaque(struct ptx_parser *parser) {
    struct ptx_token token = ptx_expect_name(parser, "a variable's name");
    ptx_declare(parser, &token, PTX_NAME_OPAQUE);
    while (!ptx_accept(parser, ';')) {
        if (parser->token.kind == PTX_TOKEN_END)
            ptx_fail(parser, "the text ends inside a declaration");
        ptx_next(parser);
    }
}

/* Parses behind the state space: ".align 4 .b8 a[16] = {...}, b;". */
void ptx_parse_variable(struct ptx_parser *parser, enum ptx_space space, enum ptx_linkage linkage) {
    bool external = linkage == PTX_LINKAGE_EXTERN;
    struct declaration declaration;
    read_declaration(parser, &declaration);
    if (declaration.opaque != NULL) {
        skip_opaque(parser);
        return;
    }
    uint64_t maximum = space == PTX_GLOBAL || space == PTX_CONST ? PTX_MAX_VARIABLE_BYTES
                       : space == PTX_SHARED                     ? PTX_MAX_SHARED_BYTES
                                                                 : PTX_MAX_LOCAL_BYTES;
    do {
        uint64_t dimensions[MAX_DIMENSIONS];
        uint32_t dimension_count;
        struct ptx_token token = ptx_expect_name(parser, "a variable's name");
        uint64_t size = read_dimensions(parser, &declaration, maximum, dimensions, &dimension_count);
        bool open = dimension_count && dimensions[0] == 0;
        if (space == PTX_SHARED) {
            place_shared(parser, &token, &declaration, size, linkage, open && external);
        } else if (space == PTX_LOCAL || space == PTX_PARAM_FRAME) {
            place_in_frame(parser, &token, &declaration, space, size);
        } else {
            int32_t index = declare_symbol(parser, &token, space, linkage);
            struct ptx_symbol symbol = index >= 0 ? parser->symbols.items[index] : (struct ptx_symbol){0};
            symbol.alignment = (uint32_t)declaration.alignment;
            symbol.managed = declaration.managed;
            symbol.size = size;
            symbol.initial = NULL;
            symbol.relocation_count = 0;
            if (index >= 0)
                parser->symbols.items[index] = symbol;
            if (ptx_accept(parser, '=')) {
                if (external)
                    ptx_fail(parser, "an external variable cannot have an initial value");
                ptx_parse_initial(parser, &symbol, declaration.type, dimensions, dimension_count,
                                  declaration.vector);
                if (index >= 0)
                    parser->symbols.items[index] = symbol;
            }
        }
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
}

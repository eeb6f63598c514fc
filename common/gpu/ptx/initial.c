/* initial.c: initial values of module variables: constants, nested braces, and addresses of
 * variables and functions. Addresses become relocations: name, name+n, generic(name), and for one
 * byte of an address 0xFF00(name) or mask(0xFF00)(name). PTX ISA 9.0, section 5.4.4. */
#include "gpu/ptx/internal.h"
#include <string.h>

struct initial {
    struct ptx_symbol *symbol;
    enum ptx_type type;
    uint32_t element_bytes;
    PTX_LIST(struct ptx_relocation) relocations;
    bool any;
};

static bool is_word(const struct ptx_token *token, const char *word) {
    return token->kind == PTX_TOKEN_NAME && token->length == strlen(word) &&
           memcmp(token->text, word, token->length) == 0;
}

/* Adds one byte of an address at `offset`; shift is the address bit at which it starts. */
static void add_relocation(struct ptx_parser *parser, struct initial *initial, uint64_t offset,
                           const struct ptx_token *token, bool generic, unsigned shift, bool single_byte) {
    const struct ptx_name *name = ptx_find(parser, token->text, token->length);
    struct ptx_relocation relocation = {.offset = offset, .symbol = -1, .function = -1, .generic = generic};
    if (name != NULL && name->kind == PTX_NAME_SYMBOL) {
        relocation.symbol = name->index;
    } else if (name != NULL && name->kind == PTX_NAME_FUNCTION) {
        relocation.function = name->index;
        parser->notes.items[name->index].address_taken = true;
    } else {
        ptx_fail(parser, "'%.*s' in an initial value is neither a global variable nor a function",
                 PTX_TOKEN_ARGUMENTS(token));
    }
    if (ptx_at(parser, '+') || ptx_at(parser, '-')) {
        struct ptx_constant addend = ptx_constant_expression(parser);
        relocation.addend = ptx_constant_as(parser, &addend, PTX_B64, false);
    }
    relocation.width = (uint8_t)(single_byte ? 1 : initial->element_bytes);
    relocation.shift = (uint8_t)shift;
    if (!single_byte && initial->element_bytes != 8)
        ptx_fail(parser, "an address needs a 64-bit element, not .%s", ptx_type_name(initial->type));
    PTX_APPEND(parser, &initial->relocations, relocation);
}

static void address_value(struct ptx_parser *parser, struct initial *initial, uint64_t offset, unsigned shift,
                          bool single_byte) {
    struct ptx_token token = ptx_expect_name(parser, "a variable or function");
    bool generic = is_word(&token, "generic") && ptx_at(parser, '(');
    if (generic) {
        ptx_expect(parser, '(');
        token = ptx_expect_name(parser, "a variable");
    }
    add_relocation(parser, initial, offset, &token, generic, shift, single_byte);
    if (generic) {
        ptx_expect(parser, ')');
        if (ptx_at(parser, '+') || ptx_at(parser, '-')) { /* generic(name)+n */
            struct ptx_constant addend = ptx_constant_expression(parser);
            initial->relocations.items[initial->relocations.count - 1].addend +=
                ptx_constant_as(parser, &addend, PTX_B64, false);
        }
    }
}

static unsigned mask_shift(struct ptx_parser *parser, uint64_t mask) {
    for (unsigned shift = 0; shift < 64; shift += 8)
        if (mask == (uint64_t)0xFF << shift)
            return shift;
    ptx_fail(parser, "the mask of an address byte must be 0xFF, 0xFF00, ... , 0xFF00000000000000");
}

static void scalar(struct ptx_parser *parser, struct initial *initial, uint64_t offset) {
    initial->any = true;
    if (parser->token.kind == PTX_TOKEN_NAME && !is_word(&parser->token, "WARP_SZ")) {
        if (!is_word(&parser->token, "mask")) {
            address_value(parser, initial, offset, 0, false);
            return;
        }
        ptx_next(parser);
        ptx_expect(parser, '(');
        unsigned shift = mask_shift(parser, ptx_constant_unsigned(parser, "a mask", UINT64_MAX));
        ptx_expect(parser, ')');
        ptx_expect(parser, '(');
        address_value(parser, initial, offset, shift, true);
        ptx_expect(parser, ')');
        return;
    }
    struct ptx_constant constant = ptx_constant_expression(parser);
    if (!constant.is_float && initial->element_bytes == 1 && ptx_accept(parser, '(')) { /* 0xFF00(name) */
        address_value(parser, initial, offset, mask_shift(parser, constant.bits), true);
        ptx_expect(parser, ')');
        return;
    }
    uint64_t bits = (uint64_t)ptx_constant_as(parser, &constant, initial->type, true);
    for (uint32_t i = 0; i < initial->element_bytes; i++)
        initial->symbol->initial[offset + i] = (uint8_t)(bits >> 8 * i);
}

/* Reads one brace level: `count` elements of `stride` bytes from `offset`; missing ones are
 * zero. */
static void list(struct ptx_parser *parser, struct initial *initial, const uint64_t *dimensions,
                 uint32_t dimension_count, uint64_t offset, uint64_t bytes) {
    if (!dimension_count) {
        scalar(parser, initial, offset);
        return;
    }
    uint64_t stride = dimensions[0] ? bytes / dimensions[0] : 0;
    ptx_expect(parser, '{');
    for (uint64_t i = 0; !ptx_at(parser, '}'); i++) {
        if (i) {
            ptx_expect(parser, ',');
            if (ptx_at(parser, '}'))
                break;
        }
        if (i == dimensions[0])
            ptx_fail(parser, "more initial values than the array's %llu elements",
                     (unsigned long long)dimensions[0]);
        if (dimension_count > 1 && !ptx_at(parser, '{')) { /* a flat list over the inner dimensions */
            ptx_fail(parser, "the initial values of an inner dimension need their own { }");
        }
        list(parser, initial, dimensions + 1, dimension_count - 1, offset + i * stride, stride);
    }
    ptx_expect(parser, '}');
}

/* Counts the elements of "[] = {a, b}" by the commas of the outermost braces, reading ahead. */
static uint64_t count_elements(const struct ptx_parser *parser) {
    uint64_t count = 1;
    int depth = 0;
    for (const char *c = parser->cursor; c < parser->end && *c != ';'; c++) {
        if (*c == '{' || *c == '(')
            depth++;
        else if ((*c == '}' || *c == ')') && depth-- == 0)
            break;
        else if (*c == ',' && depth == 0)
            count++;
    }
    return count;
}

void ptx_parse_initial(struct ptx_parser *parser, struct ptx_symbol *symbol, enum ptx_type type,
                       const uint64_t *given, uint32_t dimension_count, uint32_t vector) {
    uint64_t dimensions[10];
    struct initial initial = {.symbol = symbol, .type = type, .element_bytes = ptx_type_bytes(type)};
    for (uint32_t i = 0; i < dimension_count; i++)
        dimensions[i] = given[i];
    if (vector > 1)
        dimensions[dimension_count++] = vector;
    if (dimension_count && dimensions[0] == 0 && ptx_at(parser, '{')) {
        dimensions[0] = count_elements(parser);
        symbol->size = initial.element_bytes;
        for (uint32_t i = 0; i < dimension_count; i++)
            if (__builtin_mul_overflow(symbol->size, dimensions[i], &symbol->size))
                ptx_fail(parser, "array too large");
    }
    if (symbol->size > PTX_MAX_INITIAL_BYTES - parser->initial_bytes)
        ptx_fail(parser, "more than %d bytes of initial values", PTX_MAX_INITIAL_BYTES);
    parser->initial_bytes += symbol->size;
    symbol->initial = ptx_keep(parser, symbol->size);
    list(parser, &initial, dimensions, dimension_count, 0, symbol->size);
    symbol->relocation_count = initial.relocations.count;
    symbol->relocations = ptx_keep(parser, initial.relocations.count * sizeof *symbol->relocations);
    if (initial.relocations.count)
        memcpy(symbol->relocations, initial.relocations.items,
               initial.relocations.count * sizeof *symbol->relocations);
}

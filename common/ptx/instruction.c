/*
 * instruction.c: one instruction: guard, mnemonic, operands, checked against the signature its table row
 * gives. PTX ISA 9.0, chapters 6 (operands) and 9.
 */
#include "ptx/internal.h"
#include <string.h>

enum { MAX_PARTS = 24, MAX_OPERANDS = 16 };

/* Operands collected before the instruction is appended, since helpers may have to come before it. */
struct pending {
    struct ptx_instruction instruction;
    struct ptx_operand operands[MAX_OPERANDS];
    enum ptx_name_kind shared[MAX_OPERANDS]; /* PTX_NAME_SHARED_*: value waits for the layout */
    uint32_t count;
    bool wider; /* ld, st, cvt: a register may be wider than the type */
};

struct ptx_operand ptx_no_operand(void) {
    return (struct ptx_operand){.slot = -1, .symbol = -1};
}

uint32_t ptx_add_operand(struct ptx_parser *parser, struct ptx_operand operand) {
    PTX_APPEND(parser, &parser->body->operands, operand);
    return parser->body->operands.count - 1;
}

int32_t ptx_new_register(struct ptx_parser *parser, enum ptx_type type, const char *text, uint32_t length,
                         int32_t number) {
    struct ptx_body *body = parser->body;
    if (body->registers.count >= PTX_MAX_REGISTERS)
        ptx_fail(parser, "more than %d registers in one function", PTX_MAX_REGISTERS);
    struct ptx_virtual item = {text, length, number, (uint8_t)type};
    PTX_APPEND(parser, &body->registers, item);
    return (int32_t)body->registers.count - 1;
}

static const struct {
    const char *name;
    uint8_t special, bytes;
} specials[] = {
    {"%tid.x", PTX_TID_X, 4},
    {"%tid.y", PTX_TID_Y, 4},
    {"%tid.z", PTX_TID_Z, 4},
    {"%ntid.x", PTX_NTID_X, 4},
    {"%ntid.y", PTX_NTID_Y, 4},
    {"%ntid.z", PTX_NTID_Z, 4},
    {"%ctaid.x", PTX_CTAID_X, 4},
    {"%ctaid.y", PTX_CTAID_Y, 4},
    {"%ctaid.z", PTX_CTAID_Z, 4},
    {"%nctaid.x", PTX_NCTAID_X, 4},
    {"%nctaid.y", PTX_NCTAID_Y, 4},
    {"%nctaid.z", PTX_NCTAID_Z, 4},
    {"%laneid", PTX_LANEID, 4},
    {"%warpid", PTX_WARPID, 4},
    {"%nwarpid", PTX_NWARPID, 4},
    {"%smid", PTX_SMID, 4},
    {"%nsmid", PTX_NSMID, 4},
    {"%gridid", PTX_GRIDID, 8},
    {"%lanemask_eq", PTX_LANEMASK_EQ, 4},
    {"%lanemask_le", PTX_LANEMASK_LE, 4},
    {"%lanemask_lt", PTX_LANEMASK_LT, 4},
    {"%lanemask_ge", PTX_LANEMASK_GE, 4},
    {"%lanemask_gt", PTX_LANEMASK_GT, 4},
    {"%clock", PTX_CLOCK, 4},
    {"%clock_hi", PTX_CLOCK_HI, 4},
    {"%clock64", PTX_CLOCK64, 8},
    {"%globaltimer", PTX_GLOBALTIMER, 8},
    {"%globaltimer_lo", PTX_GLOBALTIMER_LO, 4},
    {"%globaltimer_hi", PTX_GLOBALTIMER_HI, 4},
    {"%dynamic_smem_size", PTX_DYNAMIC_SMEM_SIZE, 4},
    {"%total_smem_size", PTX_TOTAL_SMEM_SIZE, 4},
};

/* The special register `name` and the ".x" that may follow it; false when it is not one we know. */
static bool read_special(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_type type,
                         struct ptx_operand *operand) {
    uint32_t length = name->length;
    bool component =
        parser->token.kind == PTX_TOKEN_DOTTED && !parser->token.spaced && parser->token.length == 2;
    if (component)
        length += 2; /* the component's text follows directly */
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strlen(specials[i].name) != length || memcmp(specials[i].name, name->text, length) != 0)
            continue;
        if (component)
            ptx_next(parser);
        uint32_t bytes = ptx_type_bytes(type);
        bool narrow = bytes == 2 && specials[i].special <= PTX_NCTAID_Z; /* early PTX had 16-bit ones */
        bool half = bytes == 4 && specials[i].special == PTX_GRIDID;
        bool is_time = specials[i].special >= PTX_CLOCK && specials[i].special <= PTX_GLOBALTIMER_HI;
        if (bytes != specials[i].bytes && !narrow && !half)
            ptx_fail(parser, "'%s' is %u bits wide and does not fit '.%s'", specials[i].name,
                     specials[i].bytes * 8u, ptx_type_name(type));
        if (is_time && strcmp(parser->mnemonic, "mov") != 0)
            ptx_fail(parser, "'%s' can only be read by mov", specials[i].name);
        operand->kind = PTX_OPERAND_SPECIAL;
        operand->width = (uint8_t)bytes;
        operand->value = specials[i].special;
        return true;
    }
    return false;
}

/* Section 9.2, table 27: sizes agree, and integer and float registers do not mix; .bN goes with both. */
static void check_register(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_type have,
                           enum ptx_type want, bool wider) {
    uint32_t has = ptx_type_bytes(have), needs = ptx_type_bytes(want);
    bool want_float = ptx_type_is_float(want), have_float = ptx_type_is_float(have);
    bool have_bits = have >= PTX_B8 && have <= PTX_B128, want_bits = want >= PTX_B8 && want <= PTX_B128;
    bool size_ok = has == needs || (wider && !want_float && has > needs);
    bool kind_ok = have_bits || want_bits || have_float == want_float;
    if (have == PTX_PRED || !size_ok || !kind_ok)
        ptx_fail(parser, "register '%.*s' is .%s where .%s is needed", PTX_TOKEN_ARGUMENTS(name),
                 ptx_type_name(have), ptx_type_name(want));
}

static struct ptx_operand register_operand(struct ptx_parser *parser, const struct ptx_token *name,
                                           int32_t index, enum ptx_type type, bool wider) {
    enum ptx_type have = (enum ptx_type)parser->body->registers.items[index].type;
    struct ptx_operand operand = ptx_no_operand();
    operand.slot = index;
    if (type == PTX_PRED) {
        if (have != PTX_PRED)
            ptx_fail(parser, "register '%.*s' is .%s where a predicate is needed", PTX_TOKEN_ARGUMENTS(name),
                     ptx_type_name(have));
        operand.kind = PTX_OPERAND_PREDICATE;
        return operand;
    }
    check_register(parser, name, have, type, wider);
    operand.kind = PTX_OPERAND_REGISTER;
    operand.width = (uint8_t)ptx_type_bytes(have);
    return operand;
}

static bool is_name(const struct ptx_token *token, const char *text) {
    return token->kind == PTX_TOKEN_NAME && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

static struct ptx_operand destination(struct ptx_parser *parser, enum ptx_type type, bool wider) {
    struct ptx_token name = ptx_expect_name(parser, "a destination register");
    if (is_name(&name, "_"))
        return ptx_no_operand();
    int32_t index = ptx_find_register(parser, &name);
    if (index < 0)
        ptx_fail(parser, "'%.*s' is not a register", PTX_TOKEN_ARGUMENTS(&name));
    return register_operand(parser, &name, index, type, wider);
}

static struct ptx_operand constant_operand(struct ptx_parser *parser, enum ptx_type type) {
    struct ptx_constant constant = ptx_constant_expression(parser);
    struct ptx_operand operand = ptx_no_operand();
    operand.kind = PTX_OPERAND_IMMEDIATE;
    operand.width = (uint8_t)ptx_type_bytes(type);
    operand.value = ptx_constant_as(parser, &constant, type, false);
    return operand;
}

/* A register, special register or constant. */
static struct ptx_operand source(struct ptx_parser *parser, enum ptx_type type, bool wider) {
    bool negated = type == PTX_PRED && ptx_accept(parser, '!');
    struct ptx_token name = parser->token;
    struct ptx_operand operand;
    if (name.kind != PTX_TOKEN_NAME || is_name(&name, "WARP_SZ")) {
        operand = constant_operand(parser, type);
        operand.value = negated ? !operand.value : operand.value;
        return operand;
    }
    ptx_next(parser);
    int32_t index = ptx_find_register(parser, &name);
    if (index >= 0) {
        operand = register_operand(parser, &name, index, type, wider);
        operand.negated = negated;
        return operand;
    }
    operand = ptx_no_operand();
    if (type != PTX_PRED && *name.text == '%' && read_special(parser, &name, type, &operand))
        return operand;
    if (*name.text == '%')
        ptx_fail(parser,
                 "'%.*s' is not a register of this function, nor a special register that is simulated",
                 PTX_TOKEN_ARGUMENTS(&name));
    ptx_fail(parser, "'%.*s' cannot be an operand here: a register or a constant is needed",
             PTX_TOKEN_ARGUMENTS(&name));
}

static void push(struct ptx_parser *parser, struct pending *pending, struct ptx_operand operand) {
    if (pending->count == MAX_OPERANDS)
        ptx_fail(parser, "too many operands");
    pending->shared[pending->count] = PTX_NAME_REGISTER;
    pending->operands[pending->count++] = operand;
}

static void append(struct ptx_parser *parser, struct pending *pending) {
    struct ptx_body *body = parser->body;
    pending->instruction.operand = body->operands.count;
    for (uint32_t i = 0; i < pending->count; i++) {
        uint32_t index = ptx_add_operand(parser, pending->operands[i]);
        enum ptx_name_kind kind = pending->shared[i];
        if (kind == PTX_NAME_SHARED_OWN || kind == PTX_NAME_SHARED_DYNAMIC) {
            struct ptx_shared_use use = {body->function, index, kind};
            PTX_APPEND(parser, &parser->shared_uses, use);
        }
    }
    PTX_APPEND(parser, &body->instructions, pending->instruction);
}

/* A helper instruction before the one being read, under the same guard: "opcode.type temporary[, operand]".
 */
static struct ptx_operand helper(struct ptx_parser *parser, const struct pending *pending,
                                 enum ptx_opcode opcode, enum ptx_type type,
                                 const struct ptx_operand *operand) {
    struct pending before = {.instruction = pending->instruction};
    before.instruction.opcode = (uint16_t)opcode;
    before.instruction.type = before.instruction.source_type = (uint8_t)type;
    before.instruction.form = PTX_FORM_NONE;
    before.instruction.space = PTX_GENERIC;
    before.instruction.flags = 0;
    before.instruction.destinations = 1;
    before.instruction.sources = operand != NULL;
    struct ptx_operand result = ptx_no_operand();
    result.kind = PTX_OPERAND_REGISTER;
    result.width = (uint8_t)ptx_type_bytes(type);
    result.slot = ptx_new_register(parser, type, "helper", 6, -1);
    push(parser, &before, result);
    if (operand)
        push(parser, &before, *operand);
    append(parser, &before);
    return result;
}

static const char *const space_words[] = {"generic", "global", "const", "shared", "local", "param", "param"};

/* Offset of a variable in its own space. */
struct place {
    enum ptx_space space;
    enum ptx_name_kind shared; /* PTX_NAME_SHARED_OWN or _DYNAMIC when the layout decides */
    int32_t symbol;
    uint64_t offset, size;
};

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
        if (notes->module_shared_bytes < name->offset + name->size)
            notes->module_shared_bytes = (uint32_t)(name->offset + name->size);
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

/* [register], [register+n], [variable+n], [n]. The access is `bytes` wide in `space`. */
static void address(struct ptx_parser *parser, struct pending *pending, enum ptx_space space,
                    uint32_t bytes) {
    struct ptx_operand operand = ptx_no_operand();
    struct place place = {.shared = PTX_NAME_REGISTER};
    operand.kind = PTX_OPERAND_ADDRESS;
    operand.width = 8;
    ptx_expect(parser, '[');
    struct ptx_token name = parser->token;
    bool is_param = space == PTX_PARAM_ENTRY || space == PTX_PARAM_FRAME;
    bool in_entry = parser->functions.items[parser->body->function].entry;
    bool named = false;
    if (name.kind == PTX_TOKEN_NAME && !is_name(&name, "WARP_SZ")) {
        ptx_next(parser);
        operand.slot = ptx_find_register(parser, &name);
        const struct ptx_name *variable = operand.slot < 0 ? ptx_find(parser, name.text, name.length) : NULL;
        if (operand.slot >= 0) {
            enum ptx_type type = (enum ptx_type)parser->body->registers.items[operand.slot].type;
            uint32_t width = ptx_type_bytes(type);
            bool wide_needed = space == PTX_GENERIC || space == PTX_GLOBAL;
            if (type == PTX_PRED || ptx_type_is_float(type) || (width != 8 && (width != 4 || wide_needed)))
                ptx_fail(parser, "register '%.*s' (.%s) cannot hold a %s address", PTX_TOKEN_ARGUMENTS(&name),
                         ptx_type_name(type), space_words[space]);
            operand.width = (uint8_t)width;
        } else if (!variable || !find_place(parser, variable, &place)) {
            ptx_fail(parser, "'%.*s' in an address is neither a register nor a variable",
                     PTX_TOKEN_ARGUMENTS(&name));
        } else {
            named = true;
            bool place_is_param = place.space == PTX_PARAM_ENTRY || place.space == PTX_PARAM_FRAME;
            if (is_param ? !place_is_param
                         : place.space != space && !(space == PTX_GENERIC && place.space == PTX_GLOBAL))
                ptx_fail(parser, "'%.*s' is in .%s, not .%s, memory", PTX_TOKEN_ARGUMENTS(&name),
                         space_words[place.space], space_words[space]);
            operand.symbol = place.symbol;
            if (is_param)
                pending->instruction.space = (uint8_t)place.space;
        }
        if (!ptx_at(parser, '+') && !ptx_at(parser, '-') && !ptx_at(parser, ']'))
            ptx_fail(parser, "expected '+' or ']' in an address, found '%.*s'",
                     PTX_TOKEN_ARGUMENTS(&parser->token));
    }
    if (!ptx_at(parser, ']')) {
        struct ptx_constant offset = ptx_constant_expression(parser);
        operand.value = ptx_constant_as(parser, &offset, PTX_B64, false);
    }
    ptx_expect(parser, ']');
    if (is_param && !named)
        pending->instruction.space = in_entry ? PTX_PARAM_ENTRY : PTX_PARAM_FRAME;
    if (named && is_param &&
        ((uint64_t)operand.value > place.size || place.size - (uint64_t)operand.value < bytes))
        ptx_fail(parser, "access to %u bytes at offset %lld is outside parameter '%.*s' (%llu bytes)", bytes,
                 (long long)operand.value, PTX_TOKEN_ARGUMENTS(&name), (unsigned long long)place.size);
    if (named && place.symbol < 0)
        operand.value = (int64_t)((uint64_t)operand.value + place.offset);
    if (named && place.space == PTX_LOCAL) {
        struct ptx_operand frame = ptx_no_operand();
        frame.kind = PTX_OPERAND_FRAME;
        frame.width = 8;
        frame.value = operand.value;
        operand.slot = helper(parser, pending, PTX_MOV, PTX_B64, &frame).slot;
        operand.value = 0;
    }
    push(parser, pending, operand);
    pending->shared[pending->count - 1] = place.shared;
}

/* Source of mov and cvta: a register, constant, special register, or the address of a variable or function.
 */
static void address_of(struct ptx_parser *parser, struct pending *pending, enum ptx_type type, bool is_mov) {
    struct ptx_token name = parser->token;
    const struct ptx_name *found = NULL;
    if (name.kind == PTX_TOKEN_NAME && *name.text != '%' && ptx_find_register(parser, &name) < 0)
        found = ptx_find(parser, name.text, name.length);
    if (!found) {
        push(parser, pending, source(parser, type, false));
        return;
    }
    ptx_next(parser);
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
            ptx_fail(parser, "'%.*s' is in .%s memory", PTX_TOKEN_ARGUMENTS(&name), space_words[place.space]);
    }
    if (!is_mov && operand.kind == PTX_OPERAND_FRAME)
        operand = helper(parser, pending, PTX_MOV, PTX_B64, &operand);
    push(parser, pending, operand);
    pending->shared[pending->count - 1] = place.shared;
}

static enum ptx_type bits_of(uint32_t bytes) {
    return bytes == 1   ? PTX_B8
           : bytes == 2 ? PTX_B16
           : bytes == 4 ? PTX_B32
           : bytes == 8 ? PTX_B64
                        : PTX_NOTYPE;
}

static enum ptx_type doubled(enum ptx_type type) {
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    case PTX_S32: return PTX_S64;
    default: return PTX_NOTYPE;
    }
}

/* {a, b, ...} of `count` registers, or constants where `read` says so. */
static void vector(struct ptx_parser *parser, struct pending *pending, enum ptx_type type, uint32_t count,
                   bool is_destination) {
    ptx_expect(parser, '{');
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            ptx_expect(parser, ',');
        push(parser, pending,
             is_destination ? destination(parser, type, pending->wider)
                            : source(parser, type, pending->wider));
    }
    ptx_expect(parser, '}');
}

/* mov d, a; mov d, {a, b}; mov {a, b}, d. */
static void read_mov(struct ptx_parser *parser, struct pending *pending) {
    struct ptx_instruction *instruction = &pending->instruction;
    enum ptx_type type = (enum ptx_type)instruction->type;
    instruction->destinations = instruction->sources = 1;
    for (int side = 0; side < 2; side++) {
        if (side)
            ptx_expect(parser, ',');
        if (!ptx_at(parser, '{')) {
            if (side)
                address_of(parser, pending, type, true);
            else
                push(parser, pending, destination(parser, type, false));
            continue;
        }
        if (instruction->opcode != PTX_MOV)
            ptx_fail(parser, "only one side of mov can be a vector");
        /* how many elements: read ahead over the list on a copy of the lexer's state */
        const char *cursor = parser->cursor;
        uint32_t count = 1;
        for (; cursor < parser->end && *cursor != '}' && *cursor != ';'; cursor++)
            count += *cursor == ',';
        uint32_t bytes = ptx_type_bytes(type);
        if ((count != 2 && count != 4) || bytes / count == 0 || !bits_of(bytes) || type != bits_of(bytes))
            ptx_fail(parser, "mov.%s cannot have a vector of %u", ptx_type_name(type), count);
        vector(parser, pending, bits_of(bytes / count), count, side == 0);
        instruction->opcode = side ? PTX_PACK : PTX_UNPACK;
        *(side ? &instruction->sources : &instruction->destinations) = (uint8_t)count;
    }
}

static bool at_predicate(struct ptx_parser *parser) {
    if (ptx_at(parser, '!'))
        return true;
    if (parser->token.kind != PTX_TOKEN_NAME)
        return false;
    int32_t index = ptx_find_register(parser, &parser->token);
    return index >= 0 && parser->body->registers.items[index].type == PTX_PRED;
}

static void read_one(struct ptx_parser *parser, struct pending *pending, const struct ptx_match *match,
                     char letter, bool is_destination) {
    enum ptx_type type = (enum ptx_type)match->type;
    bool wider = pending->wider;
    switch (letter) {
    case 't': break;
    case 's': type = (enum ptx_type)match->source_type; break;
    case 'w': type = doubled(type); break;
    case 'i': type = PTX_U32; break;
    case 'b': type = PTX_B32; break;
    case 'B': type = PTX_B64; break;
    case 'p':
    case 'q': type = PTX_PRED; break;
    case 'n': wider = true; break;
    case 'm':
        type = (enum ptx_type)match->source_type;
        wider = true;
        break;
    case 'I': {
        struct ptx_operand operand = constant_operand(parser, PTX_B32);
        push(parser, pending, operand);
        return;
    }
    case 'C': address_of(parser, pending, type, false); return;
    case 'a': {
        enum ptx_space space = (enum ptx_space)match->space;
        if (match->opcode == PTX_CP_ASYNC)
            space = pending->count == 0 ? PTX_SHARED : PTX_GLOBAL;
        address(parser, pending, space, ptx_type_bytes(type) * match->vector);
        return;
    }
    case 'v':
        if (match->vector > 1) {
            vector(parser, pending, type, match->vector, is_destination);
            return;
        }
        break;
    default: break;
    }
    push(parser, pending, is_destination ? destination(parser, type, wider) : source(parser, type, wider));
}

/* Operands by signature. */
static void read_operands(struct ptx_parser *parser, struct pending *pending, const struct ptx_match *match,
                          const char *signature) {
    bool is_destination = true;
    uint32_t before = 0;
    bool first = true;
    for (; *signature; signature++) {
        char letter = *signature;
        if (letter == '=') {
            pending->instruction.destinations = (uint8_t)pending->count;
            before = pending->count;
            is_destination = false;
            continue;
        }
        if (letter == '?')
            continue;
        if (letter == 'q') {
            if (ptx_accept(parser, '|'))
                read_one(parser, pending, match, 'q', true);
            continue;
        }
        bool optional = signature[1] == '?';
        if (!first) {
            if (optional && ptx_at(parser, ';'))
                continue;
            if (optional &&
                signature[2] == 'p') { /* bar.red's thread count, told from the predicate by its kind */
                ptx_expect(parser, ',');
                if (!at_predicate(parser)) {
                    read_one(parser, pending, match, letter, false);
                    ptx_expect(parser, ',');
                }
                read_one(parser, pending, match, 'p', false);
                break;
            }
            ptx_expect(parser, ',');
        }
        first = false;
        read_one(parser, pending, match, letter, is_destination);
    }
    pending->instruction.sources = (uint8_t)(pending->count - before);
}

static void read_branch(struct ptx_parser *parser, struct pending *pending) {
    struct ptx_token label = ptx_expect_name(parser, "a label");
    ptx_use_label(parser, &label, false, parser->body->instructions.count, 0);
    pending->instruction.target = -1;
}

static void read_table_branch(struct ptx_parser *parser, struct pending *pending) {
    push(parser, pending, source(parser, PTX_U32, false));
    ptx_expect(parser, ',');
    struct ptx_token table = ptx_expect_name(parser, "the label of a .branchtargets list");
    const struct ptx_name *name = ptx_find(parser, table.text, table.length);
    if (!name || name->kind != PTX_NAME_TABLE)
        ptx_fail(parser, "'%.*s' is not the label of a .branchtargets list before this instruction",
                 PTX_TOKEN_ARGUMENTS(&table));
    pending->instruction.target = name->index;
    pending->instruction.sources = 1;
}

/* Combinations the table cannot express. */
static void check_combination(struct ptx_parser *parser, const struct pending *pending,
                              const struct ptx_match *match) {
    const struct ptx_instruction *instruction = &pending->instruction;
    enum ptx_type type = (enum ptx_type)match->type, from = (enum ptx_type)match->source_type;
    if (match->opcode == PTX_CVT) {
        bool to_float = ptx_type_is_float(type), from_float = ptx_type_is_float(from);
        bool integer_rounding = match->rounding >= PTX_RNI;
        bool narrows =
            to_float && from_float &&
            (ptx_type_bytes(type) < ptx_type_bytes(from) || (ptx_type_bytes(type) == 2 && type != from));
        bool same_size = to_float && from_float && ptx_type_bytes(type) == ptx_type_bytes(from);
        if (!to_float && from_float   ? !integer_rounding
            : to_float && !from_float ? !match->rounding || integer_rounding
                                      : narrows && (!match->rounding || integer_rounding))
            ptx_fail(
                parser,
                "cvt.%s.%s needs a rounding: .rni .rzi .rmi .rpi to an integer, .rn .rz .rm .rp to a float",
                ptx_type_name(type), ptx_type_name(from));
        if (match->rounding && ((!to_float && !from_float) ||
                                (to_float && from_float && !narrows && !(same_size && integer_rounding))))
            ptx_fail(parser, "cvt.%s.%s takes no such rounding", ptx_type_name(type), ptx_type_name(from));
    }
    if (match->opcode == PTX_CVTA && !match->has_space)
        ptx_fail(parser, "cvta needs a state space");
    bool stores = match->opcode == PTX_ST || match->opcode == PTX_ATOM || match->opcode == PTX_RED;
    if (stores && (instruction->space == PTX_CONST || instruction->space == PTX_PARAM_ENTRY))
        ptx_fail(parser, "%s memory cannot be written",
                 instruction->space == PTX_CONST ? "constant" : "kernel parameter");
    if ((match->flags & PTX_READ_ONLY) && instruction->space != PTX_GLOBAL)
        ptx_fail(parser, "ld.nc needs .global");
    if (match->vector > 1 && match->vector * ptx_type_bytes(type) > 16)
        ptx_fail(parser, "a vector access wider than 16 bytes is not run by this simulator");
    if (match->opcode == PTX_CP_ASYNC) {
        int64_t bytes = pending->operands[2].value;
        if (bytes != 16 && ((bytes != 4 && bytes != 8) || (match->flags & PTX_CACHE_L2_ONLY)))
            ptx_fail(parser, "cp.async copies 4, 8 or 16 bytes, and .cg only 16");
    }
}

static void read_mnemonic(struct ptx_parser *parser, const struct ptx_token *first, struct ptx_match *match) {
    struct ptx_token parts[MAX_PARTS] = {*first};
    uint32_t count = 1;
    while (parser->token.kind == PTX_TOKEN_DOTTED) {
        if (count == MAX_PARTS)
            ptx_fail(parser, "too many modifiers");
        parts[count++] = parser->token;
        ptx_next(parser);
    }
    ptx_match_mnemonic(parser, parts, count, match);
}

/* guard: predicate register or -1. `first`: the mnemonic's first word, already consumed. */
static void read_instruction(struct ptx_parser *parser, const struct ptx_token *first, int32_t guard,
                             bool guard_negated) {
    struct ptx_match match;
    read_mnemonic(parser, first, &match);
    parser->mnemonic = ptx_opcode_name(match.opcode);
    struct pending pending = {.instruction = {.opcode = (uint16_t)match.opcode,
                                              .type = match.type,
                                              .source_type = match.source_type,
                                              .rounding = match.rounding,
                                              .compare = match.compare,
                                              .form = match.form,
                                              .space = match.space,
                                              .guard = guard,
                                              .guard_negated = guard_negated,
                                              .flags = match.flags,
                                              .target = -1,
                                              .reconverge = -1,
                                              .ptx_line = first->line,
                                              .file = parser->body->file,
                                              .line = parser->body->line}};
    struct ptx_instruction *instruction = &pending.instruction;
    pending.wider = match.opcode == PTX_LD || match.opcode == PTX_LDU || match.opcode == PTX_ST;
    if (match.opcode == PTX_PRMT && !match.form)
        instruction->form = PTX_PRMT_INDEX;
    if (match.opcode == PTX_LDU && !match.has_space)
        instruction->space = match.space = PTX_GENERIC;
    if (match.opcode == PTX_CVTA && !match.form)
        instruction->form = PTX_TO_GENERIC;

    const char *signature = match.operands;
    if (*signature != '!') {
        read_operands(parser, &pending, &match, signature);
    } else if (strcmp(signature, "!mov") == 0) {
        read_mov(parser, &pending);
    } else if (strcmp(signature, "!branch") == 0) {
        read_branch(parser, &pending);
    } else if (strcmp(signature, "!table") == 0) {
        read_table_branch(parser, &pending);
    } else if (strcmp(signature, "!call") == 0) {
        struct ptx_operand target = ptx_no_operand();
        ptx_parse_call(parser, instruction, &target);
        if (target.kind == PTX_OPERAND_REGISTER) {
            push(parser, &pending, target);
            instruction->sources = 1;
        }
    } else {
        read_operands(parser, &pending, &match, strchr(signature, ' ') + 1);
        if (strncmp(signature, "!active ", 8) ==
            0) { /* before .sync: the threads that take part are those that are here */
            push(parser, &pending, helper(parser, &pending, PTX_ACTIVEMASK, PTX_B32, NULL));
            instruction->sources++;
        } else if (strncmp(signature, "!aligned ", 9) == 0) {
            instruction->flags |= PTX_ALIGNED;
        } else if (strncmp(signature, "!waitall ", 9) == 0) {
            struct ptx_operand all = ptx_no_operand();
            all.kind = PTX_OPERAND_IMMEDIATE;
            all.width = 4;
            all.value = -1;
            push(parser, &pending, all);
            instruction->sources++;
        }
    }
    check_combination(parser, &pending, &match);
    if (!ptx_at(parser, ';'))
        ptx_fail(parser, "expected ';' after the operands, found '%.*s'",
                 PTX_TOKEN_ARGUMENTS(&parser->token));
    append(parser, &pending);
    parser->instruction_text = NULL;
    ptx_next(parser);
}

void ptx_parse_instruction(struct ptx_parser *parser) {
    int32_t guard = -1;
    bool negated = false;
    parser->instruction_text = parser->token.text;
    parser->instruction_line = parser->token.line;
    if (ptx_accept(parser, '@')) {
        negated = ptx_accept(parser, '!');
        struct ptx_token name = ptx_expect_name(parser, "a predicate after '@'");
        guard = ptx_find_register(parser, &name);
        if (guard < 0 || parser->body->registers.items[guard].type != PTX_PRED)
            ptx_fail(parser, "'%.*s' after '@' is not a predicate register", PTX_TOKEN_ARGUMENTS(&name));
    }
    struct ptx_token first = ptx_expect_name(parser, "an instruction");
    if (guard < 0 && ptx_accept(parser, ':')) {
        parser->instruction_text = NULL;
        ptx_parse_labelled(parser, &first);
        return;
    }
    read_instruction(parser, &first, guard, negated);
}

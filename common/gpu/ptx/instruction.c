/* instruction.c: reads one instruction (guard, mnemonic, operands) and checks it by its row's
 * signature. PTX ISA 9.0, chapters 6 and 9. */
#include "gpu/ptx/internal.h"
#include <string.h>

enum { MAX_PARTS = 24 };

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

/* Reads {a, b, ...}, `count` registers, or constants if `read`. */
static void vector(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_type type, uint32_t count,
                   bool is_destination) {
    ptx_expect(parser, '{');
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            ptx_expect(parser, ',');
        ptx_push_operand(parser, pending,
                         is_destination ? ptx_read_destination(parser, type, pending->wider)
                                        : ptx_read_source(parser, type, pending->wider));
    }
    ptx_expect(parser, '}');
}

/* Reads mov d, a; mov d, {a, b}; mov {a, b}, d. */
static void read_mov(struct ptx_parser *parser, struct ptx_pending *pending) {
    struct ptx_instruction *instruction = &pending->instruction;
    enum ptx_type type = (enum ptx_type)instruction->type;
    instruction->destinations = instruction->sources = 1;
    for (int side = 0; side < 2; side++) {
        if (side)
            ptx_expect(parser, ',');
        if (!ptx_at(parser, '{')) {
            if (side)
                ptx_read_address_of(parser, pending, type, true);
            else
                ptx_push_operand(parser, pending, ptx_read_destination(parser, type, false));
            if (side == 0 && pending->operands[0].kind == PTX_OPERAND_NONE)
                ptx_fail(parser, "'_' cannot be the only destination here");
            continue;
        }
        if (instruction->opcode != PTX_MOV)
            ptx_fail(parser, "only one side of mov can be a vector");
        /* Counts the elements ahead on a copy of the lexer's state. */
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

static void read_one(struct ptx_parser *parser, struct ptx_pending *pending, const struct ptx_match *match,
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
        struct ptx_operand operand = ptx_read_constant(parser, PTX_B32);
        ptx_push_operand(parser, pending, operand);
        return;
    }
    case 'C': ptx_read_address_of(parser, pending, type, false); return;
    case 'a': {
        enum ptx_space space = (enum ptx_space)match->space;
        if (match->opcode == PTX_CP_ASYNC)
            space = pending->count == 0 ? PTX_SHARED : PTX_GLOBAL;
        if (match->opcode == PTX_BULK && pending->count != 1)
            space = pending->count == 0 && match->form == PTX_BULK_TO_GLOBAL ? PTX_GLOBAL : PTX_SHARED;
        ptx_read_address(parser, pending, space, ptx_type_bytes(type) * match->vector);
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
    ptx_push_operand(parser, pending,
                     is_destination ? ptx_read_destination(parser, type, wider)
                                    : ptx_read_source(parser, type, wider));
}

/* Reads operands by signature. */
static void read_operands(struct ptx_parser *parser, struct ptx_pending *pending,
                          const struct ptx_match *match, const char *signature) {
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
            if (optional && signature[2] == 'p') { /* bar.red: its thread count, or the predicate */
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
    if (before == 1 && pending->operands[0].kind == PTX_OPERAND_NONE && match->opcode != PTX_ATOM &&
        match->opcode != PTX_MBARRIER)
        ptx_fail(parser, "'_' cannot be the only destination here");
}

/* Moves lop3's table from the operands to a field of the instruction. */
static void take_table(struct ptx_parser *parser, struct ptx_pending *pending) {
    int64_t table = pending->operands[--pending->count].value;
    if (table < 0 || table > 255)
        ptx_fail(parser, "the table of lop3 is a constant from 0 to 255");
    pending->instruction.lut = (uint8_t)table;
    pending->instruction.sources--;
}

static void read_branch(struct ptx_parser *parser, struct ptx_pending *pending) {
    struct ptx_token label = ptx_expect_name(parser, "a label");
    ptx_use_label(parser, &label, false, parser->body->instructions.count, 0);
    pending->instruction.target = -1;
}

static void read_table_branch(struct ptx_parser *parser, struct ptx_pending *pending) {
    ptx_push_operand(parser, pending, ptx_read_source(parser, PTX_U32, false));
    ptx_expect(parser, ',');
    struct ptx_token table = ptx_expect_name(parser, "the label of a .branchtargets list");
    const struct ptx_name *name = ptx_find(parser, table.text, table.length);
    if (name == NULL || name->kind != PTX_NAME_TABLE)
        ptx_fail(parser, "'%.*s' is not the label of a .branchtargets list before this instruction",
                 PTX_TOKEN_ARGUMENTS(&table));
    pending->instruction.target = name->index;
    pending->instruction.sources = 1;
}

static const struct ptx_feature wide_vector = {"a vector access wider than 16 bytes", false,
                                               "access halves of it"};

/* Checks combinations that the table cannot express. */
static void check_combination(struct ptx_parser *parser, const struct ptx_pending *pending,
                              const struct ptx_match *match) {
    const struct ptx_instruction *instruction = &pending->instruction;
    enum ptx_type type = (enum ptx_type)match->type, from = (enum ptx_type)match->source_type;
    if (match->opcode == PTX_CVT && instruction->sources == 1 && ptx_types[type].packed == 1) {
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
    uint8_t memory = ptx_nature(instruction)->memory;
    if ((memory == PTX_MEMORY_STORE || memory == PTX_MEMORY_ATOMIC) &&
        (instruction->space == PTX_CONST || instruction->space == PTX_PARAM_ENTRY))
        ptx_fail(parser, "%s memory cannot be written",
                 instruction->space == PTX_CONST ? "constant" : "kernel parameter");
    if ((match->flags & PTX_READ_ONLY) && instruction->space != PTX_GLOBAL)
        ptx_fail(parser, "ld.nc needs .global");
    if (match->vector > 1 && match->vector * ptx_type_bytes(type) > 16)
        ptx_refuse(parser, &wide_vector, parser->mnemonic, strlen(parser->mnemonic));
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

/* Fills the fields that follow from the mnemonic and the place in the text. */
static struct ptx_pending begin(const struct ptx_parser *parser, const struct ptx_match *match,
                                uint32_t line) {
    const struct ptx_body *body = parser->body;
    struct ptx_pending pending = {
        .instruction = {.opcode = (uint16_t)match->opcode,
                        .type = match->type,
                        .source_type = match->source_type,
                        .second_type = match->second_type,
                        .shape = match->shape,
                        .rounding = match->rounding,
                        .compare = match->compare,
                        .form = match->form,
                        .space = match->form == PTX_BULK_TO_GLOBAL ? PTX_GLOBAL : match->space,
                        .flags = match->flags,
                        .guard = -1,
                        .target = -1,
                        .reconverge = -1,
                        .ptx_line = line,
                        .ptx_end = line,
                        .file = body->file,
                        .line = body->line,
                        .outer_file = body->outer_file,
                        .outer_line = body->outer_line}};
    uint8_t memory = ptx_nature(&pending.instruction)->memory;
    pending.wider = memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_STORE;
    if (match->opcode == PTX_PRMT && match->form == PTX_FORM_NONE)
        pending.instruction.form = PTX_PRMT_INDEX;
    if (match->opcode == PTX_CVTA && match->form == PTX_FORM_NONE)
        pending.instruction.form = PTX_TO_GENERIC;
    return pending;
}

static void read_call(struct ptx_parser *parser, struct ptx_pending *pending) {
    struct ptx_operand target = ptx_no_operand();
    ptx_parse_call(parser, &pending->instruction, &target);
    if (target.kind == PTX_OPERAND_REGISTER) {
        ptx_push_operand(parser, pending, target);
        pending->instruction.sources = 1;
    }
}

/* Reads a form of mnemonics.c whose signature starts with '!'. */
static void read_special_form(struct ptx_parser *parser, struct ptx_pending *pending,
                              const struct ptx_match *match) {
    const char *signature = match->operands;
    if (strcmp(signature, "!mov") == 0) {
        read_mov(parser, pending);
        return;
    }
    if (strcmp(signature, "!branch") == 0) {
        read_branch(parser, pending);
        return;
    }
    if (strcmp(signature, "!table") == 0) {
        read_table_branch(parser, pending);
        return;
    }
    if (strcmp(signature, "!call") == 0) {
        read_call(parser, pending);
        return;
    }
    if (strncmp(signature, "!matrix ", 8) == 0) {
        ptx_read_matrix(parser, pending, match, signature + 8);
        return;
    }
    read_operands(parser, pending, match, strchr(signature, ' ') + 1);
    if (strncmp(signature, "!active ", 8) == 0) { /* before .sync: all threads that are here take part */
        ptx_push_operand(parser, pending,
                         ptx_helper_instruction(parser, pending, PTX_ACTIVEMASK, PTX_B32, NULL, 0));
        pending->instruction.sources++;
    } else if (strncmp(signature, "!elements ", 10) == 0) {
        ptx_expand_elements(parser, pending, match->vector);
    } else if (strncmp(signature, "!distance", 9) == 0) {
        ptx_expand_distances(parser, pending, signature[9] == '4' ? 4 : 2, signature[10] == '+');
    } else if (strncmp(signature, "!aligned ", 9) == 0) {
        pending->instruction.flags |= PTX_ALIGNED;
    } else if (strncmp(signature, "!waitall ", 9) == 0) {
        ptx_push_operand(parser, pending, ptx_immediate(-1, 4));
        pending->instruction.sources++;
    }
}

/* guard: predicate register or -1. first: the mnemonic's first word, already consumed. */
static void read_instruction(struct ptx_parser *parser, const struct ptx_token *first, int32_t guard,
                             bool guard_negated) {
    struct ptx_match match;
    read_mnemonic(parser, first, &match);
    parser->mnemonic = ptx_natures[match.opcode].mnemonic;
    struct ptx_pending pending = begin(parser, &match, first->line);
    pending.instruction.guard = guard;
    pending.instruction.guard_negated = guard_negated;
    if (*match.operands == '!')
        read_special_form(parser, &pending, &match);
    else
        read_operands(parser, &pending, &match, match.operands);
    if (match.opcode == PTX_LOP3)
        take_table(parser, &pending);
    check_combination(parser, &pending, &match);
    if (!ptx_at(parser, ';'))
        ptx_fail(parser, "expected ';' after the operands, found '%.*s'",
                 PTX_TOKEN_ARGUMENTS(&parser->token));
    pending.instruction.ptx_end = parser->token.line;
    ptx_append_instruction(parser, &pending);
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

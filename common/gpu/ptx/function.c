/* function.c: .entry and .func: head, attributes, body. PTX ISA 9.0, sections 7 and 11. */
#include "gpu/ptx/internal.h"
#include <string.h>

static bool is_word(const struct ptx_token *token, const char *word) {
    return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

uint16_t ptx_file_index(struct ptx_parser *parser, uint64_t number) {
    for (uint32_t i = parser->files.count; i-- > parser->unit_first_file;)
        if (parser->file_numbers.items[i] == number)
            return (uint16_t)i;
    if (parser->files.count == PTX_MAX_FILES || number > UINT32_MAX)
        ptx_fail(parser, "too many source files");
    char *unknown = ptx_keep_text(parser, "", 0);
    PTX_APPEND(parser, &parser->files, unknown);
    PTX_APPEND(parser, &parser->file_numbers, (uint32_t)number);
    return (uint16_t)(parser->files.count - 1);
}

static bool read_position(struct ptx_parser *parser, uint32_t text_line, uint64_t position[3]) {
    for (int i = 0; i < 3; i++) {
        if (parser->token.kind != PTX_TOKEN_INTEGER || parser->token.line != text_line)
            return false;
        position[i] = parser->token.value;
        ptx_next(parser);
    }
    return position[1] <= UINT32_MAX;
}

/* NULL: nothing was inlined at that position, or it is forgotten. */
static struct ptx_inlined *find_inlined(struct ptx_body *body, const uint64_t position[3]) {
    for (uint32_t i = 0; i < PTX_INLINED && i < body->inlined_count; i++)
        if (memcmp(body->inlined[i].position, position, sizeof body->inlined[i].position) == 0)
            return &body->inlined[i];
    return NULL;
}

/* Finds the outermost call that `position` is inlined from: itself, if from none. */
static void find_outer(struct ptx_parser *parser, const uint64_t position[3]) {
    struct ptx_body *body = parser->body;
    const struct ptx_inlined *inlined = find_inlined(body, position);
    body->outer_file = inlined != NULL ? inlined->outer_file : ptx_file_index(parser, position[0]);
    body->outer_line = inlined != NULL ? inlined->outer_line : (uint32_t)position[1];
}

/* Parses .loc file line column [, function_name label [+n], inlined_at file line column]. Line 0
 * means unknown: the last position stays. */
void ptx_parse_loc(struct ptx_parser *parser) {
    struct ptx_body *body = parser->body;
    uint32_t text_line = parser->token.line;
    uint64_t position[3], outer[3];
    ptx_next(parser);
    if (!read_position(parser, text_line, position))
        ptx_fail(parser, ".loc needs a file, a line and a column");
    bool known = body != NULL && position[1];
    if (known) {
        body->file = body->outer_file = ptx_file_index(parser, position[0]);
        body->line = body->outer_line = (uint32_t)position[1];
    }
    if (!ptx_accept(parser, ','))
        return;
    while (parser->token.line == text_line && parser->token.kind != PTX_TOKEN_END &&
           !(parser->token.kind == PTX_TOKEN_NAME && is_word(&parser->token, "inlined_at")))
        ptx_next(parser);
    if (parser->token.line != text_line || parser->token.kind != PTX_TOKEN_NAME)
        return;
    ptx_next(parser);
    if (!read_position(parser, text_line, outer))
        ptx_fail(parser, "inlined_at needs a file, a line and a column");
    if (!known)
        return;
    find_outer(parser, outer);
    struct ptx_inlined *inlined = find_inlined(body, position);
    if (inlined == NULL)
        inlined = &body->inlined[body->inlined_count++ % PTX_INLINED];
    memcpy(inlined->position, position, sizeof position);
    inlined->outer_file = body->outer_file;
    inlined->outer_line = body->outer_line;
}

static void skip_pragma(struct ptx_parser *parser) {
    do {
        if (parser->token.kind != PTX_TOKEN_STRING)
            ptx_fail(parser, ".pragma needs a string");
        ptx_next(parser);
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
}

static void read_registers(struct ptx_parser *parser) {
    struct ptx_token word = parser->token;
    enum ptx_type type =
        word.kind == PTX_TOKEN_DOTTED ? ptx_type_of_word(word.text + 1, word.length - 1) : PTX_NOTYPE;
    if (!type) {
        static const struct ptx_feature unknown = {"registers of this type", true, NULL};
        if (word.kind != PTX_TOKEN_DOTTED)
            ptx_fail(parser, ".reg needs a type, found '%.*s'", PTX_TOKEN_ARGUMENTS(&word));
        ptx_refuse(parser, &unknown, word.text, word.length);
    }
    ptx_next(parser);
    do {
        struct ptx_token name = ptx_expect_name(parser, "a register's name");
        if (ptx_accept(parser, '<')) {
            if (parser->token.kind != PTX_TOKEN_INTEGER || parser->token.value > PTX_MAX_REGISTERS)
                ptx_fail(parser, "a register range needs a number up to %d", PTX_MAX_REGISTERS);
            uint32_t count = (uint32_t)parser->token.value;
            ptx_next(parser);
            ptx_expect(parser, '>');
            struct ptx_name *range = ptx_declare(parser, &name, PTX_NAME_RANGE);
            range->index = (int32_t)parser->body->registers.count;
            range->count = count;
            for (uint32_t i = 0; i < count; i++)
                ptx_new_register(parser, type, name.text, name.length, (int32_t)i);
        } else {
            int32_t index = ptx_new_register(parser, type, name.text, name.length, -1);
            ptx_declare(parser, &name, PTX_NAME_REGISTER)->index = index;
        }
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
}

static void body_directive(struct ptx_parser *parser) {
    if (ptx_accept_word(parser, ".reg"))
        read_registers(parser);
    else if (ptx_at_word(parser, ".loc"))
        ptx_parse_loc(parser);
    else if (ptx_accept_word(parser, ".shared"))
        ptx_parse_variable(parser, PTX_SHARED, PTX_LINKAGE_LOCAL);
    else if (ptx_accept_word(parser, ".local"))
        ptx_parse_variable(parser, PTX_LOCAL, PTX_LINKAGE_LOCAL);
    else if (ptx_accept_word(parser, ".param"))
        ptx_parse_variable(parser, PTX_PARAM_FRAME, PTX_LINKAGE_LOCAL);
    else if (ptx_accept_word(parser, ".global"))
        ptx_parse_variable(parser, PTX_GLOBAL, PTX_LINKAGE_LOCAL);
    else if (ptx_accept_word(parser, ".const"))
        ptx_parse_variable(parser, PTX_CONST, PTX_LINKAGE_LOCAL);
    else if (ptx_accept_word(parser, ".pragma"))
        skip_pragma(parser);
    else
        ptx_fail(parser, "'%.*s' is not known inside a function", PTX_TOKEN_ARGUMENTS(&parser->token));
}

static void read_statements(struct ptx_parser *parser) {
    uint32_t outer = parser->scope;
    for (;;) {
        if (parser->token.kind == PTX_TOKEN_END)
            ptx_fail(parser, "the text ends inside a function");
        if (ptx_accept(parser, ';'))
            continue;
        if (ptx_accept(parser, '{')) {
            ptx_scope_open(parser);
        } else if (ptx_at(parser, '}')) {
            if (parser->scope == outer)
                return;
            ptx_scope_close(parser);
            ptx_next(parser);
        } else if (parser->token.kind == PTX_TOKEN_DOTTED) {
            body_directive(parser);
        } else {
            ptx_parse_instruction(parser);
        }
    }
}

static bool stops(const struct ptx_instruction *instruction) {
    return instruction->guard < 0 && (ptx_ends_thread(instruction) || ptx_is_branch(instruction));
}

/* A function that could run past its last instruction gets a return there. */
static void close_end(struct ptx_parser *parser) {
    struct ptx_body *body = parser->body;
    uint32_t count = body->instructions.count;
    if (count && stops(&body->instructions.items[count - 1]) && body->last_label < count)
        return;
    struct ptx_instruction end = {.opcode = PTX_RET,
                                  .guard = -1,
                                  .target = -1,
                                  .reconverge = -1,
                                  .operand = body->operands.count,
                                  .ptx_line = parser->token.line,
                                  .ptx_end = parser->token.line,
                                  .file = body->file,
                                  .outer_file = body->outer_file,
                                  .outer_line = body->outer_line,
                                  .line = body->line};
    PTX_APPEND(parser, &body->instructions, end);
}

#define KEEP_LIST(parser, to, list)                                                                          \
    do {                                                                                                     \
        (to) = ptx_keep(parser, (list).count * sizeof *(list).items);                                        \
        if ((list).count)                                                                                    \
            memcpy((to), (list).items, (list).count * sizeof *(list).items);                                 \
    } while (0)

static void finish_body(struct ptx_parser *parser) {
    struct ptx_body *body = parser->body;
    struct ptx_flow flow;
    close_end(parser);
    ptx_scope_close(parser);
    ptx_flow_build(parser, body, &flow);
    if (!parser->debug && ptx_contract(parser, body, &flow))
        ptx_flow_build(parser, body, &flow);
    if (!parser->debug)
        ptx_join_loads(body, &flow);
    ptx_mark_repeats(parser, body);
    ptx_flow_reconvergence(parser, body, &flow);
    struct ptx_function *function = &parser->functions.items[body->function];
    ptx_allocate(parser, body, &flow, ptx_find_uniform(parser, body), function);
    ptx_arena_free(&parser->work);

    struct ptx_function_notes *notes = &parser->notes.items[body->function];
    function->defined = true;
    function->frame_bytes = body->frame_peak;
    function->local_bytes = body->local_bytes;
    function->local_alignment = body->local_alignment ? body->local_alignment : 1;
    function->instruction_count = body->instructions.count;
    function->operand_count = body->operands.count;
    function->call_count = body->calls.count;
    function->table_count = body->tables.count;
    KEEP_LIST(parser, function->instructions, body->instructions);
    KEEP_LIST(parser, function->operands, body->operands);
    KEEP_LIST(parser, function->calls, body->calls);
    KEEP_LIST(parser, function->tables, body->tables);
    notes->own_shared_bytes = body->shared_bytes;
    notes->own_shared_alignment = body->shared_alignment;
}

static void read_dimensions(struct ptx_parser *parser, uint32_t dimensions[3]) {
    for (int i = 0; i < 3; i++)
        dimensions[i] = 1;
    int i = 0;
    do {
        if (i == 3)
            ptx_fail(parser, "more than three block dimensions");
        dimensions[i++] = (uint32_t)ptx_constant_unsigned(parser, "a block dimension", 1u << 20);
    } while (ptx_accept(parser, ','));
}

static void read_attributes(struct ptx_parser *parser, struct ptx_function *function, bool *no_return) {
    while (parser->token.kind == PTX_TOKEN_DOTTED) {
        struct ptx_token word = parser->token;
        ptx_next(parser);
        if (is_word(&word, ".maxntid"))
            read_dimensions(parser, function->max_threads);
        else if (is_word(&word, ".reqntid"))
            read_dimensions(parser, function->required_threads);
        else if (is_word(&word, ".minnctapersm"))
            function->min_blocks = (uint32_t)ptx_constant_unsigned(parser, "a number of blocks", UINT32_MAX);
        else if (is_word(&word, ".maxnreg") || is_word(&word, ".maxnctapersm"))
            ptx_constant_unsigned(parser, "a limit", UINT32_MAX);
        else if (is_word(&word, ".noreturn"))
            *no_return = true;
        else if (is_word(&word, ".pragma"))
            skip_pragma(parser);
        else if (is_word(&word, ".abi_preserve") || is_word(&word, ".abi_preserve_control"))
            ptx_constant_unsigned(parser, "a number of registers", UINT32_MAX);
        else if (is_word(&word, ".explicitcluster"))
            continue;
        else if (is_word(&word, ".blocksareclusters"))
            ptx_refuse_function(parser, function, &ptx_feature_clusters, word.text, word.length);
        else if (is_word(&word, ".reqnctapercluster"))
            read_dimensions(parser, function->cluster);
        else if (is_word(&word, ".maxclusterrank"))
            ptx_constant_unsigned(parser, "a number of blocks", UINT32_MAX);
        else
            ptx_fail(parser, "'%.*s' is not known at the head of a function", PTX_TOKEN_ARGUMENTS(&word));
    }
}

static uint8_t builtin_of(const struct ptx_token *name) {
    return is_word(name, "vprintf")        ? PTX_VPRINTF
           : is_word(name, "__assertfail") ? PTX_ASSERTFAIL
           : is_word(name, "malloc")       ? PTX_MALLOC
           : is_word(name, "free")         ? PTX_FREE
                                           : PTX_NOT_BUILTIN;
}

static int32_t declare_function(struct ptx_parser *parser, const struct ptx_token *name, bool entry,
                                enum ptx_linkage linkage) {
    struct ptx_name *found = ptx_find(parser, name->text, name->length);
    if (found != NULL && (found->unit == parser->unit || (linkage != PTX_LINKAGE_LOCAL && found->linked))) {
        if (found->kind != PTX_NAME_FUNCTION || parser->functions.items[found->index].entry != entry)
            ptx_fail(parser, "'%.*s' was declared before as something else", PTX_TOKEN_ARGUMENTS(name));
        found->linked |= linkage != PTX_LINKAGE_LOCAL;
        return found->index;
    }
    if (parser->functions.count == PTX_MAX_FUNCTIONS)
        ptx_fail(parser, "more than %d functions", PTX_MAX_FUNCTIONS);
    struct ptx_function function = {
        .name = ptx_keep_text(parser, name->text, name->length), .entry = entry, .local_alignment = 1};
    struct ptx_function_notes notes = {0};
    PTX_APPEND(parser, &parser->functions, function);
    PTX_APPEND(parser, &parser->notes, notes);
    uint32_t scope = parser->scope;
    parser->scope = 0; /* the name belongs to the module, but the scope of the parameters is open */
    struct ptx_name *declared = ptx_declare(parser, name, PTX_NAME_FUNCTION);
    parser->scope = scope;
    declared->linked = linkage != PTX_LINKAGE_LOCAL;
    declared->index = (int32_t)parser->functions.count - 1;
    return declared->index;
}

static void check_same_shape(struct ptx_parser *parser, const struct ptx_function *before,
                             const struct ptx_parameter *parameters, uint32_t count, uint32_t results) {
    bool same = before->parameter_count == count && before->result_count == results;
    for (uint32_t i = 0; same && i < count; i++)
        same = before->parameters[i].size == parameters[i].size &&
               before->parameters[i].offset == parameters[i].offset;
    if (!same)
        ptx_fail(parser, "'%s' was declared before with other parameters", before->name);
}

static void skip_braces(struct ptx_parser *parser) {
    uint32_t depth = 0;
    do {
        if (parser->token.kind == PTX_TOKEN_END)
            ptx_fail(parser, "the text ends inside a function");
        depth += ptx_at(parser, '{') ? 1 : 0;
        depth -= ptx_at(parser, '}') ? 1 : 0;
        ptx_next(parser);
    } while (depth);
}

/* Reads a body, from brace to brace. A body that uses what is not simulated is skipped: its notes
 * are dropped, and the function stays undefined, with its refusal. */
static void read_body(struct ptx_parser *parser) {
    const char *cursor = parser->cursor; /* behind the brace, which is the token */
    uint32_t line = parser->line, shared_uses = parser->shared_uses.count,
             shared_names = parser->shared_names.count;
    struct ptx_token brace = parser->token;
    int32_t index = parser->body->function;
    if (parser->functions.items[index].refusal == NULL && setjmp(parser->refused) == 0) {
        ptx_next(parser);
        parser->notes.items[index].first_shared_name = shared_names;
        read_statements(parser);
        finish_body(parser);
        parser->notes.items[index].shared_name_count = parser->shared_names.count - shared_names;
        ptx_next(parser); /* the closing brace */
        return;
    }
    parser->notes.items[index].shared_name_count = 0;
    while (parser->scope > 0)
        ptx_scope_drop(parser);
    ptx_arena_free(&parser->work);
    parser->instruction_text = NULL;
    parser->shared_uses.count = shared_uses;
    parser->shared_names.count = shared_names;
    parser->cursor = cursor;
    parser->line = line;
    parser->token = brace;
    skip_braces(parser);
}

/* The function is already defined, perhaps by another text. True: the earlier body counts. */
static bool stays_as_defined(struct ptx_parser *parser, int32_t index, enum ptx_linkage linkage) {
    const struct ptx_function *function = &parser->functions.items[index];
    const struct ptx_definition *before = &parser->notes.items[index].definition;
    if (before->unit == parser->unit || (!before->weak && linkage != PTX_LINKAGE_WEAK))
        ptx_fail(parser, "'%s' is defined twice", function->name);
    return linkage == PTX_LINKAGE_WEAK;
}

/* Drops what a weak body said of a function, because a visible one has come. */
static void forget_body(struct ptx_parser *parser, int32_t index) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parser->shared_uses.count; i++)
        if (parser->shared_uses.items[i].function != index)
            parser->shared_uses.items[kept++] = parser->shared_uses.items[i];
    parser->shared_uses.count = kept;
    for (uint32_t i = 0; i < parser->shared_variables.count; i++)
        if (parser->shared_variables.items[i].last_function == index)
            parser->shared_variables.items[i].last_function = -1;
    struct ptx_function *function = &parser->functions.items[index];
    *function = (struct ptx_function){.name = function->name, .entry = function->entry, .local_alignment = 1};
    parser->notes.items[index].names_dynamic_shared = false;
}

/* Copies the head of a function from where it was read. */
static void set_head(struct ptx_function *function, const struct ptx_function *head) {
    memcpy(function->max_threads, head->max_threads, sizeof function->max_threads);
    memcpy(function->required_threads, head->required_threads, sizeof function->required_threads);
    memcpy(function->cluster, head->cluster, sizeof function->cluster);
    function->min_blocks = head->min_blocks;
    function->refusal = head->refusal;
}

static void set_parameters(struct ptx_parser *parser, struct ptx_function *function,
                           struct ptx_parameter *parameters, uint32_t count, uint32_t results,
                           uint32_t bytes) {
    struct ptx_body *body = parser->body;
    function->parameters = parameters;
    function->parameter_count = count;
    function->result_count = results;
    function->parameter_bytes = bytes;
    function->frame_bytes = function->entry ? 0 : bytes;
    body->frame_bytes = body->frame_peak = function->frame_bytes;
    parser->scopes[parser->scope].frame_bytes = function->frame_bytes;
}

/* Reads a declaration, or a definition with its body. */
static void read_function(struct ptx_parser *parser, bool entry, enum ptx_linkage linkage) {
    enum ptx_name_kind kind = entry ? PTX_NAME_PARAM_ENTRY : PTX_NAME_PARAM_FRAME;
    struct ptx_parameter *parameters = NULL;
    uint32_t results = 0, count = 0, bytes = 0;
    ptx_scope_open(parser);
    if (ptx_at_word(parser, ".attribute"))
        ptx_fail(parser, "function attributes are not simulated");
    if (!entry && ptx_at(parser, '(')) {
        parameters = ptx_parse_parameters(parser, &results, &bytes, kind, true, NULL, 0);
        count = results;
    }
    struct ptx_token name = ptx_expect_name(parser, "a function's name");
    if (ptx_at(parser, '('))
        parameters = ptx_parse_parameters(parser, &count, &bytes, kind, true, parameters, results);
    int32_t index = declare_function(parser, &name, entry, linkage);
    parser->body->function = index;
    struct ptx_function *function = &parser->functions.items[index];
    struct ptx_function_notes *notes = &parser->notes.items[index];
    if (notes->declared)
        check_same_shape(parser, function, parameters, count, results);
    notes->declared = true;
    struct ptx_function head = {.name = function->name};
    bool no_return = false;
    read_attributes(parser, &head, &no_return);
    if (ptx_at(parser, '{')) {
        if (linkage == PTX_LINKAGE_EXTERN)
            ptx_fail(parser, "'%s' is declared .extern and has a body", function->name);
        if (notes->has_body && stays_as_defined(parser, index, linkage)) {
            ptx_scope_drop(parser);
            skip_braces(parser);
            return;
        }
        if (notes->has_body)
            forget_body(parser, index);
        notes->has_body = true;
        notes->definition = (struct ptx_definition){parser->unit, linkage == PTX_LINKAGE_WEAK};
        notes->no_return = no_return;
        set_head(function, &head);
        set_parameters(parser, function, parameters, count, results, bytes);
        function->builtin = PTX_NOT_BUILTIN;
        read_body(parser);
    } else {
        if (!notes->has_body) {
            set_head(function, &head);
            set_parameters(parser, function, parameters, count, results, bytes);
            notes->no_return |= no_return;
            function->builtin = entry ? PTX_NOT_BUILTIN : builtin_of(&name);
        }
        ptx_scope_close(parser);
        ptx_expect(parser, ';');
    }
}

/* Parses from behind ".entry" or ".func". */
void ptx_parse_function(struct ptx_parser *parser, bool entry, enum ptx_linkage linkage) {
    struct ptx_body body = {.function = -1};
    parser->body = &body;
    read_function(parser, entry, linkage);
    parser->body = NULL;
}

/* call.c: calls with their .param variables, and the lists that a label can name: .branchtargets,
 * .callprototype, .calltargets. PTX ISA 9.0, sections 7.1, 9.7.13 and 11.2. */
#include "gpu/ptx/internal.h"
#include <string.h>

/* A .param variable of the caller, in the list of a call. */
struct actual {
    uint32_t offset, size;
    struct ptx_token name;
};

static uint32_t read_actuals(struct ptx_parser *parser, struct actual **actuals) {
    PTX_LIST(struct actual) list = {0};
    ptx_expect(parser, '(');
    while (!ptx_at(parser, ')')) {
        if (list.count)
            ptx_expect(parser, ',');
        struct ptx_token name = parser->token;
        const struct ptx_name *found = NULL;
        if (name.kind == PTX_TOKEN_NAME)
            found = ptx_find(parser, name.text, name.length);
        if (found == NULL || found->kind != PTX_NAME_PARAM_FRAME)
            ptx_fail(parser,
                     "'%.*s' in a call is not a .param variable; constants and registers are not taken here",
                     PTX_TOKEN_ARGUMENTS(&name));
        ptx_next(parser);
        struct actual actual = {(uint32_t)found->offset, (uint32_t)found->size, name};
        PTX_APPEND(parser, &list, actual);
    }
    ptx_expect(parser, ')');
    *actuals = list.items;
    return list.count;
}

/* Pairs the actuals with `count` formals from `first` on. */
static struct ptx_copy *copies(struct ptx_parser *parser, const struct actual *actuals,
                               const struct ptx_parameter *formals, uint32_t first, uint32_t count) {
    struct ptx_copy *copy = ptx_keep(parser, count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_parameter *formal = &formals[first + i];
        if (actuals[i].size != formal->size)
            ptx_fail(parser, "'%.*s' has %u bytes, the function's parameter %u",
                     PTX_TOKEN_ARGUMENTS(&actuals[i].name), actuals[i].size, formal->size);
        copy[i] = (struct ptx_copy){actuals[i].offset, formal->offset, formal->size};
    }
    return copy;
}

/* Parses call{.uni} [(results),] function [, (arguments)] [, prototype or targets], behind
 * "call". */
void ptx_parse_call(struct ptx_parser *parser, struct ptx_instruction *instruction,
                    struct ptx_operand *target) {
    struct actual *results = NULL, *arguments = NULL;
    struct ptx_call call = {.function = -1};
    uint32_t formal_count, formal_results;
    const struct ptx_parameter *formals;
    if (ptx_at(parser, '(')) {
        call.result_count = read_actuals(parser, &results);
        ptx_expect(parser, ',');
    }
    struct ptx_token name = ptx_expect_name(parser, "a function to call");
    if (ptx_accept(parser, ',')) {
        call.argument_count = read_actuals(parser, &arguments);
    }
    int32_t index = ptx_find_register(parser, &name);
    if (index >= 0) {
        if (ptx_type_bytes((enum ptx_type)parser->body->registers.items[index].type) != 8)
            ptx_fail(parser, "'%.*s' is not a 64-bit register: it cannot hold a function's address",
                     PTX_TOKEN_ARGUMENTS(&name));
        *target = ptx_no_operand();
        target->kind = PTX_OPERAND_REGISTER;
        target->width = 8;
        target->slot = index;
        ptx_expect(parser, ',');
        struct ptx_token shape = ptx_expect_name(parser, "a call prototype");
        const struct ptx_name *found = ptx_find(parser, shape.text, shape.length);
        if (found == NULL || found->kind != PTX_NAME_PROTOTYPE)
            ptx_fail(parser, "'%.*s' is not the label of a .callprototype before this call",
                     PTX_TOKEN_ARGUMENTS(&shape));
        const struct ptx_prototype *prototype = &parser->prototypes.items[found->index];
        formals = prototype->parameters;
        formal_count = prototype->parameter_count;
        formal_results = prototype->result_count;
    } else {
        const struct ptx_name *found = ptx_find(parser, name.text, name.length);
        if (found == NULL || found->kind != PTX_NAME_FUNCTION || parser->functions.items[found->index].entry)
            ptx_fail(parser, "'%.*s' is not a function declared before this call",
                     PTX_TOKEN_ARGUMENTS(&name));
        const struct ptx_function *function = &parser->functions.items[found->index];
        call.function = found->index;
        formals = function->parameters;
        formal_count = function->parameter_count;
        formal_results = function->result_count;
        if (ptx_accept(parser, ',')) /* a direct call needs no prototype or list of targets */
            ptx_expect_name(parser, "a call prototype");
    }
    if (call.result_count != formal_results || call.argument_count != formal_count - formal_results)
        ptx_fail(parser, "'%.*s' is called with %u results and %u arguments, but declared with %u and %u",
                 PTX_TOKEN_ARGUMENTS(&name), call.result_count, call.argument_count, formal_results,
                 formal_count - formal_results);
    call.results = copies(parser, results, formals, 0, call.result_count);
    call.arguments = copies(parser, arguments, formals, formal_results, call.argument_count);
    instruction->target = (int32_t)parser->body->calls.count;
    PTX_APPEND(parser, &parser->body->calls, call);
}

static void read_targets(struct ptx_parser *parser, const struct ptx_token *label) {
    struct ptx_body *body = parser->body;
    struct ptx_table table = {0};
    uint32_t index = body->tables.count;
    PTX_APPEND(parser, &body->tables, table);
    do {
        struct ptx_token target = ptx_expect_name(parser, "a label");
        ptx_use_label(parser, &target, true, index, table.count++);
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
    table.targets = ptx_keep(parser, table.count * sizeof *table.targets);
    body->tables.items[index] = table;
    ptx_declare(parser, label, PTX_NAME_TABLE)->index = (int32_t)index;
}

static void read_prototype(struct ptx_parser *parser, const struct ptx_token *label) {
    struct ptx_prototype prototype = {0};
    uint32_t bytes = 0;
    if (ptx_at(parser, '('))
        prototype.parameters = ptx_parse_parameters(parser, &prototype.result_count, &bytes,
                                                    PTX_NAME_PARAM_FRAME, false, NULL, 0);
    prototype.parameter_count = prototype.result_count;
    ptx_expect_name(parser, "'_'");
    if (ptx_at(parser, '('))
        prototype.parameters =
            ptx_parse_parameters(parser, &prototype.parameter_count, &bytes, PTX_NAME_PARAM_FRAME, false,
                                 prototype.parameters, prototype.result_count);
    while (ptx_accept_word(parser, ".noreturn") || ptx_accept_word(parser, ".abi_preserve"))
        continue;
    ptx_expect(parser, ';');
    struct ptx_name *name = ptx_declare(parser, label, PTX_NAME_PROTOTYPE);
    name->index = (int32_t)parser->prototypes.count;
    PTX_APPEND(parser, &parser->prototypes, prototype);
}

/* Parses what follows "name:" in a function. */
void ptx_parse_labelled(struct ptx_parser *parser, const struct ptx_token *label) {
    if (ptx_accept_word(parser, ".branchtargets")) {
        read_targets(parser, label);
    } else if (ptx_accept_word(parser, ".callprototype")) {
        read_prototype(parser, label);
    } else if (ptx_accept_word(parser, ".calltargets")) {
        do
            ptx_expect_name(parser, "a function");
        while (ptx_accept(parser, ','));
        ptx_expect(parser, ';');
    } else {
        parser->body->last_label = parser->body->instructions.count;
        ptx_declare(parser, label, PTX_NAME_LABEL)->index = (int32_t)parser->body->last_label;
    }
}

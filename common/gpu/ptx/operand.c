/* operand.c: registers, special registers and constants as operands. PTX ISA 9.0, sections 6.2, 9.2
 * and chapter 10. */
#include "gpu/ptx/internal.h"
#include <string.h>

/* Reads the special register `name` ("%tid") and its ".x". False: it is unknown. */
static bool read_special(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_type type,
                         struct ptx_operand *operand) {
    uint32_t length = name->length;
    bool component =
        parser->token.kind == PTX_TOKEN_DOTTED && !parser->token.spaced && parser->token.length == 2;
    if (component)
        length += 2; /* the component's text follows directly */
    for (int special = 0; special < PTX_SPECIAL_COUNT; special++) {
        const struct ptx_special_nature *nature = &ptx_specials[special];
        if (strlen(nature->word) != length - 1 || memcmp(nature->word, name->text + 1, length - 1) != 0)
            continue;
        if (component)
            ptx_next(parser);
        uint32_t bytes = ptx_type_bytes(type);
        bool narrow = bytes == 2 && special <= PTX_NCTAID_Z; /* early PTX had 16-bit ones */
        bool half = bytes == 4 && special == PTX_GRIDID;
        if (bytes != nature->bytes && !narrow && !half)
            ptx_fail(parser, "'%%%s' is %u bits wide and does not fit '.%s'", nature->word,
                     nature->bytes * 8u, ptx_type_name(type));
        if (nature->between == PTX_BETWEEN_READS && strcmp(parser->mnemonic, "mov") != 0)
            ptx_fail(parser, "'%%%s' can only be read by mov", nature->word);
        operand->kind = PTX_OPERAND_SPECIAL;
        operand->width = (uint8_t)bytes;
        operand->value = special;
        return true;
    }
    return false;
}

/* Section 9.2, table 27: sizes agree, and integer and float registers do not mix; .bN fits both. */
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
    if (have == PTX_B128)
        ptx_refuse(parser, &ptx_feature_wide, ".b128", 5);
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

bool ptx_is_name(const struct ptx_token *token, const char *text) {
    return token->kind == PTX_TOKEN_NAME && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

struct ptx_operand ptx_read_destination(struct ptx_parser *parser, enum ptx_type type, bool wider) {
    struct ptx_token name = ptx_expect_name(parser, "a destination register");
    if (ptx_is_name(&name, "_"))
        return ptx_no_operand();
    int32_t index = ptx_find_register(parser, &name);
    if (index < 0)
        ptx_fail(parser, "'%.*s' is not a register", PTX_TOKEN_ARGUMENTS(&name));
    return register_operand(parser, &name, index, type, wider);
}

struct ptx_operand ptx_read_constant(struct ptx_parser *parser, enum ptx_type type) {
    struct ptx_constant constant = ptx_constant_expression(parser);
    struct ptx_operand operand = ptx_no_operand();
    operand.kind = PTX_OPERAND_IMMEDIATE;
    operand.width = (uint8_t)ptx_type_bytes(type);
    operand.value = ptx_constant_as(parser, &constant, type, false);
    return operand;
}

/* Refuses a name that is no register of this function: a GPU's register that is not simulated, or a
 * mistake. Registers of compilers end in a number, special ones rarely do. */
__attribute__((noreturn)) static void refuse_register(struct ptx_parser *parser,
                                                      const struct ptx_token *name) {
    static const struct ptx_feature unknown = {"a special register", false, NULL};
    const struct ptx_feature *feature = ptx_feature_of_register(name->text, name->length);
    char last = name->text[name->length - 1];
    if (feature == NULL && (name->length == 1 || (last >= '0' && last <= '9')))
        ptx_fail(parser,
                 "'%.*s' is not a register of this function, nor a special register that is simulated",
                 PTX_TOKEN_ARGUMENTS(name));
    ptx_refuse(parser, feature != NULL ? feature : &unknown, name->text, name->length);
}

struct ptx_operand ptx_read_source(struct ptx_parser *parser, enum ptx_type type, bool wider) {
    bool negated = type == PTX_PRED && ptx_accept(parser, '!');
    struct ptx_token name = parser->token;
    struct ptx_operand operand;
    if (name.kind != PTX_TOKEN_NAME || ptx_is_name(&name, "WARP_SZ")) {
        operand = ptx_read_constant(parser, type);
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
    if (*name.text == '%' && read_special(parser, &name, type, &operand))
        return operand;
    if (*name.text == '%')
        refuse_register(parser, &name);
    ptx_fail(parser, "'%.*s' cannot be an operand here: a register or a constant is needed",
             PTX_TOKEN_ARGUMENTS(&name));
}

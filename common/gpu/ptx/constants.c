/* constants.c: constant expressions in C's syntax, on 64-bit integers, and the value of a constant
 * as an operand or datum of a type. PTX ISA 9.0, section 4.5. */
#include "gpu/ptx/internal.h"
#include <string.h>

static struct ptx_constant expression(struct ptx_parser *parser, int level, int depth);

static struct ptx_constant integer(uint64_t bits, bool is_unsigned) {
    return (struct ptx_constant){.bits = bits, .is_unsigned = is_unsigned};
}

static uint64_t integer_operand(struct ptx_parser *parser, const struct ptx_constant *constant) {
    if (constant->is_float)
        ptx_fail(parser, "a float constant cannot be used in an integer expression");
    return constant->bits;
}

static struct ptx_constant float_literal(const struct ptx_token *token) {
    struct ptx_constant constant = {.is_float = true, .bits = token->value};
    if (token->kind == PTX_TOKEN_FLOAT32) {
        uint32_t bits = (uint32_t)token->value;
        float number;
        memcpy(&number, &bits, sizeof number);
        constant.number = (double)number;
        constant.exact = 4;
    } else {
        memcpy(&constant.number, &token->value, sizeof constant.number);
        constant.exact = token->is_unsigned ? 8 : 0;
    }
    return constant;
}

/* Behind "(": a cast is "(.s64)" or "(.u64)". */
static struct ptx_constant parenthesis(struct ptx_parser *parser, int depth) {
    bool to_signed = ptx_accept_word(parser, ".s64");
    bool to_unsigned = !to_signed && ptx_accept_word(parser, ".u64");
    if (to_signed || to_unsigned) {
        ptx_expect(parser, ')');
        struct ptx_constant value = expression(parser, 10, depth);
        return integer(integer_operand(parser, &value), to_unsigned);
    }
    struct ptx_constant value = expression(parser, 0, depth);
    ptx_expect(parser, ')');
    return value;
}

static struct ptx_constant unary(struct ptx_parser *parser, int depth) {
    if (depth > PTX_MAX_NESTING)
        ptx_fail(parser, "constant expression is nested deeper than %d", PTX_MAX_NESTING);
    struct ptx_token token = parser->token;
    struct ptx_constant value;
    switch (token.kind) {
    case PTX_TOKEN_INTEGER: ptx_next(parser); return integer(token.value, token.is_unsigned);
    case PTX_TOKEN_FLOAT32:
    case PTX_TOKEN_FLOAT64: ptx_next(parser); return float_literal(&token);
    case PTX_TOKEN_NAME:
        if (token.length == 7 && memcmp(token.text, "WARP_SZ", 7) == 0) {
            ptx_next(parser);
            return integer(32, false);
        }
        break;
    default: break;
    }
    if (ptx_accept(parser, '('))
        return parenthesis(parser, depth + 1);
    if (ptx_accept(parser, '+'))
        return unary(parser, depth + 1);
    if (ptx_accept(parser, '-')) {
        value = unary(parser, depth + 1);
        if (value.is_float) {
            value.number = -value.number;
            value.bits ^= value.exact == 4 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
            return value;
        }
        return integer(0 - value.bits, value.is_unsigned);
    }
    if (ptx_accept(parser, '~')) {
        value = unary(parser, depth + 1);
        return integer(~integer_operand(parser, &value), value.is_unsigned);
    }
    if (ptx_accept(parser, '!')) {
        value = unary(parser, depth + 1);
        return integer(!integer_operand(parser, &value), false);
    }
    ptx_fail(parser, "expected a constant, found '%.*s'", PTX_TOKEN_ARGUMENTS(&token));
}

static int binary_level(const struct ptx_parser *parser) {
    if (parser->token.kind != PTX_TOKEN_PUNCTUATION)
        return 0;
    switch (parser->token.value) {
    case PTX_OR_OR: return 1;
    case PTX_AND_AND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case PTX_EQUAL:
    case PTX_NOT_EQUAL: return 6;
    case '<':
    case '>':
    case PTX_LESS_EQUAL:
    case PTX_GREATER_EQUAL: return 7;
    case PTX_SHIFT_LEFT:
    case PTX_SHIFT_RIGHT: return 8;
    case '+':
    case '-': return 9;
    case '*':
    case '/':
    case '%': return 10;
    default: return 0;
    }
}

static struct ptx_constant divide(struct ptx_parser *parser, int operation, uint64_t a, uint64_t b,
                                  bool is_unsigned) {
    if (b == 0)
        ptx_fail(parser, "constant expression divides by zero");
    if (is_unsigned)
        return integer(operation == '/' ? a / b : a % b, true);
    if (b == UINT64_MAX) /* -1: dividing the most negative number by it would overflow */
        return integer(operation == '/' ? 0 - a : 0, false);
    int64_t x = (int64_t)a, y = (int64_t)b;
    return integer((uint64_t)(operation == '/' ? x / y : x % y), false);
}

static struct ptx_constant binary(struct ptx_parser *parser, int operation, const struct ptx_constant *left,
                                  const struct ptx_constant *right) {
    uint64_t a = integer_operand(parser, left), b = integer_operand(parser, right);
    bool u = left->is_unsigned || right->is_unsigned;
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (operation) {
    case PTX_OR_OR: return integer(a || b, false);
    case PTX_AND_AND: return integer(a && b, false);
    case '|': return integer(a | b, u);
    case '^': return integer(a ^ b, u);
    case '&': return integer(a & b, u);
    case PTX_EQUAL: return integer(a == b, false);
    case PTX_NOT_EQUAL: return integer(a != b, false);
    case '<': return integer(u ? a < b : x < y, false);
    case '>': return integer(u ? a > b : x > y, false);
    case PTX_LESS_EQUAL: return integer(u ? a <= b : x <= y, false);
    case PTX_GREATER_EQUAL: return integer(u ? a >= b : x >= y, false);
    case PTX_SHIFT_LEFT: return integer(b > 63 ? 0 : a << b, left->is_unsigned);
    case PTX_SHIFT_RIGHT:
        if (left->is_unsigned)
            return integer(b > 63 ? 0 : a >> b, true);
        return integer((uint64_t)(x >> (b > 63 ? 63 : b)), false);
    case '+': return integer(a + b, u);
    case '-': return integer(a - b, u);
    case '*': return integer(a * b, u);
    default: return divide(parser, operation, a, b, u);
    }
}

static struct ptx_constant expression(struct ptx_parser *parser, int level, int depth) {
    struct ptx_constant left = unary(parser, depth);
    for (int here; (here = binary_level(parser)) > level;) {
        int operation = (int)parser->token.value;
        ptx_next(parser);
        struct ptx_constant right = expression(parser, here, depth + 1);
        left = binary(parser, operation, &left, &right);
    }
    if (level == 0 && ptx_accept(parser, '?')) {
        struct ptx_constant yes = expression(parser, 0, depth + 1);
        ptx_expect(parser, ':');
        struct ptx_constant no = expression(parser, 0, depth + 1);
        return integer_operand(parser, &left) ? yes : no;
    }
    return left;
}

struct ptx_constant ptx_constant_expression(struct ptx_parser *parser) {
    return expression(parser, 0, 0);
}

uint64_t ptx_constant_unsigned(struct ptx_parser *parser, const char *what, uint64_t maximum) {
    struct ptx_constant constant = ptx_constant_expression(parser);
    uint64_t value = integer_operand(parser, &constant);
    if (value > maximum)
        ptx_fail(parser, "%s must be between 0 and %llu", what, (unsigned long long)maximum);
    return value;
}

static uint64_t narrow_float(double number) {
    float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

/* Sign-extends from the type's width: one value for each bit pattern. */
static int64_t canonical(uint64_t bits, uint32_t bytes) {
    if (bytes == 0 || bytes >= 8)
        return (int64_t)bits;
    unsigned shift = 64 - 8 * bytes;
    return (int64_t)(bits << shift) >> shift;
}

int64_t ptx_constant_as(struct ptx_parser *parser, const struct ptx_constant *constant, enum ptx_type type,
                        bool convert) {
    if (type == PTX_PRED) {
        if (constant->is_float)
            ptx_fail(parser, "a float constant cannot be a predicate");
        return constant->bits != 0;
    }
    bool wants_float = type == PTX_F32 || type == PTX_F64;
    if (!constant->is_float) {
        if (wants_float && convert) {
            double number = constant->is_unsigned ? (double)constant->bits : (double)(int64_t)constant->bits;
            uint64_t wide;
            memcpy(&wide, &number, sizeof wide);
            return (int64_t)(type == PTX_F32 ? narrow_float(number) : wide);
        }
        if (ptx_type_is_float(type))
            ptx_fail(parser, "an integer constant where .%s is needed: write it as 0f or 0d and its bits",
                     ptx_type_name(type));
        return canonical(constant->bits, ptx_type_bytes(type));
    }
    /* A float operand takes a float's value; an untyped one its bits if widths agree. */
    switch (type) {
    case PTX_F32: return (int64_t)(constant->exact == 4 ? constant->bits : narrow_float(constant->number));
    case PTX_F64: {
        uint64_t wide = constant->bits;
        if (constant->exact == 4)
            memcpy(&wide, &constant->number, sizeof wide);
        return (int64_t)wide;
    }
    case PTX_B32:
        if (constant->exact != 8)
            return canonical(constant->exact == 4 ? constant->bits : narrow_float(constant->number), 4);
        break;
    case PTX_B64:
        if (constant->exact != 4)
            return (int64_t)constant->bits;
        break;
    default: break;
    }
    ptx_fail(parser, "a float constant where .%s is needed", ptx_type_name(type));
}

/* lexer.c: splits PTX text into tokens, one ahead. Dotted words (".u32", ".L2::128B") are tokens,
 * so "ld.global.u32" is a name and two dotted words. PTX ISA 9.0, chapter 4. */
#include "gpu/ptx/internal.h"
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static char peek(const struct ptx_parser *parser, size_t ahead) {
    return (size_t)(parser->end - parser->cursor) > ahead ? parser->cursor[ahead] : '\0';
}

/* Skips white space and comments. A line marker of a preprocessor, # 40 "file", is refused: ptxas takes all of its string for
 * a name, over lines too, and counts lines on from 40. */
static bool skip_space(struct ptx_parser *parser) {
    const char *start = parser->cursor;
    for (;;) {
        char c = peek(parser, 0);
        if (parser->cursor == parser->end)
            break;
        if (c == '\n') {
            parser->line++;
            parser->cursor++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            parser->cursor++;
        } else if (c == '/' && peek(parser, 1) == '/') {
            while (parser->cursor < parser->end && *parser->cursor != '\n')
                parser->cursor++;
        } else if (c == '#') {
            parser->token.line = parser->line;
            ptx_fail(parser, "a line marker (#): nvcc writes none");
        } else if (c == '/' && peek(parser, 1) == '*') {
            parser->token.line = parser->line;
            parser->cursor += 2;
            while (parser->cursor < parser->end && !(*parser->cursor == '*' && peek(parser, 1) == '/')) {
                parser->line += *parser->cursor == '\n';
                parser->cursor++;
            }
            if (parser->cursor == parser->end)
                ptx_fail(parser, "comment without its closing */");
            parser->cursor += 2;
        } else {
            break;
        }
    }
    return parser->cursor != start;
}

static void read_digits(struct ptx_parser *parser, struct ptx_token *token, unsigned base) {
    const char *start = parser->cursor;
    for (int digit; (digit = hex_value(peek(parser, 0))) >= 0 && (unsigned)digit < base; parser->cursor++) {
        if (__builtin_mul_overflow(token->value, (uint64_t)base, &token->value) ||
            __builtin_add_overflow(token->value, (uint64_t)digit, &token->value))
            ptx_fail(parser, "integer constant does not fit in 64 bits");
    }
    if (parser->cursor == start)
        ptx_fail(parser, "integer constant without digits");
}

static void read_hex_float(struct ptx_parser *parser, struct ptx_token *token, int digits) {
    parser->cursor += 2;
    for (int i = 0; i < digits; i++) {
        int digit = hex_value(peek(parser, 0));
        if (digit < 0)
            ptx_fail(parser, "float constant needs %d hexadecimal digits", digits);
        token->value = token->value << 4 | (unsigned)digit;
        parser->cursor++;
    }
}

/* Reads 1.0, 1. or 1e-3 (.5 is not PTX). False: it is an integer. */
static bool read_decimal_float(struct ptx_parser *parser, struct ptx_token *token) {
    size_t length = 0;
    while (is_digit(peek(parser, length)))
        length++;
    bool is_float = false;
    if (peek(parser, length) == '.') {
        is_float = true;
        length++;
        while (is_digit(peek(parser, length)))
            length++;
    }
    if (peek(parser, length) == 'e' || peek(parser, length) == 'E') {
        size_t sign = peek(parser, length + 1) == '+' || peek(parser, length + 1) == '-';
        if (is_digit(peek(parser, length + 1 + sign))) {
            is_float = true;
            length += 1 + sign;
            while (is_digit(peek(parser, length)))
                length++;
        }
    }
    if (!is_float)
        return false;
    char copy[64];
    if (length >= sizeof copy)
        ptx_fail(parser, "float constant is longer than %zu characters", sizeof copy - 1);
    memcpy(copy, parser->cursor, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    memcpy(&token->value, &number, sizeof number);
    token->kind = PTX_TOKEN_FLOAT64;
    parser->cursor += length;
    return true;
}

static void read_number(struct ptx_parser *parser, struct ptx_token *token) {
    char second = peek(parser, 1);
    token->kind = PTX_TOKEN_INTEGER;
    if (peek(parser, 0) == '0' && (second == 'f' || second == 'F')) {
        token->kind = PTX_TOKEN_FLOAT32;
        read_hex_float(parser, token, 8);
    } else if (peek(parser, 0) == '0' && (second == 'd' || second == 'D')) {
        token->kind = PTX_TOKEN_FLOAT64;
        token->is_unsigned = true; /* an exact pattern, not a decimal number */
        read_hex_float(parser, token, 16);
    } else if (read_decimal_float(parser, token)) {
        /* done */
    } else if (peek(parser, 0) == '0' && (second == 'x' || second == 'X')) {
        parser->cursor += 2;
        read_digits(parser, token, 16);
    } else if (peek(parser, 0) == '0' && (second == 'b' || second == 'B')) {
        parser->cursor += 2;
        read_digits(parser, token, 2);
    } else {
        read_digits(parser, token, peek(parser, 0) == '0' ? 8 : 10);
    }
    if (token->kind == PTX_TOKEN_INTEGER) {
        token->is_unsigned = token->value > INT64_MAX;
        if (peek(parser, 0) == 'U') {
            token->is_unsigned = true;
            parser->cursor++;
        }
    }
    if (is_word(peek(parser, 0)))
        ptx_fail(parser, "'%c' does not belong to the number before it", peek(parser, 0));
}

static void read_string(struct ptx_parser *parser, struct ptx_token *token) {
    token->kind = PTX_TOKEN_STRING;
    token->text = ++parser->cursor;
    while (parser->cursor < parser->end && *parser->cursor != '"' && *parser->cursor != '\n') {
        if (*parser->cursor == '\\' && parser->end - parser->cursor > 1 && parser->cursor[1] != '\n')
            parser->cursor++;
        parser->cursor++;
    }
    if (peek(parser, 0) != '"')
        ptx_fail(parser, "string without its closing quote");
    token->length = (uint32_t)(parser->cursor - token->text);
    parser->cursor++;
}

static int pair_code(char first, char second) {
    static const struct {
        char first, second;
        int code;
    } pairs[] = {{'<', '<', PTX_SHIFT_LEFT},    {'>', '>', PTX_SHIFT_RIGHT}, {'<', '=', PTX_LESS_EQUAL},
                 {'>', '=', PTX_GREATER_EQUAL}, {'=', '=', PTX_EQUAL},       {'!', '=', PTX_NOT_EQUAL},
                 {'&', '&', PTX_AND_AND},       {'|', '|', PTX_OR_OR}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].first == first && pairs[i].second == second)
            return pairs[i].code;
    return 0;
}

void ptx_next(struct ptx_parser *parser) {
    struct ptx_token token = {.kind = PTX_TOKEN_END};
    token.spaced = skip_space(parser);
    token.line = parser->line;
    token.text = parser->cursor;
    parser->token.line = parser->line; /* line for messages from here */
    char c = peek(parser, 0);
    if (parser->cursor == parser->end) {
        token.text = "the end of the text";
        token.length = (uint32_t)strlen(token.text);
        parser->token = token;
        return;
    }
    if (is_digit(c)) {
        read_number(parser, &token);
    } else if ((is_word(c) || c == '%') && (c != '%' || is_word(peek(parser, 1)))) {
        token.kind = PTX_TOKEN_NAME;
        do
            parser->cursor++;
        while (is_word(peek(parser, 0)));
    } else if (c == '.' && is_word(peek(parser, 1))) {
        token.kind = PTX_TOKEN_DOTTED;
        do {
            parser->cursor++;
            if (peek(parser, 0) == ':' && peek(parser, 1) == ':' && is_word(peek(parser, 2)))
                parser->cursor += 2;
        } while (is_word(peek(parser, 0)));
    } else if (c == '"') {
        read_string(parser, &token);
        parser->token = token;
        return;
    } else if (strchr("()[]{}<>,;:=+-*/%&|^~!?@.", c) != NULL && c != '\0') {
        token.kind = PTX_TOKEN_PUNCTUATION;
        int pair = pair_code(c, peek(parser, 1));
        token.value = pair ? (uint64_t)pair : (uint64_t)(unsigned char)c;
        parser->cursor += pair ? 2 : 1;
    } else if (c >= ' ' && c <= '~') {
        ptx_fail(parser, "stray character '%c'", c);
    } else {
        ptx_fail(parser, "stray byte 0x%02x: this is not PTX text", (unsigned char)c);
    }
    token.length = (uint32_t)(parser->cursor - token.text);
    parser->token = token;
}

void ptx_lexer_start(struct ptx_parser *parser, const char *text, size_t length) {
    parser->text = parser->cursor = text;
    parser->end = text + length;
    parser->line = 1;
    ptx_next(parser);
}

bool ptx_at(const struct ptx_parser *parser, int punctuation) {
    return parser->token.kind == PTX_TOKEN_PUNCTUATION && parser->token.value == (uint64_t)punctuation;
}

bool ptx_at_word(const struct ptx_parser *parser, const char *dotted) {
    return parser->token.kind == PTX_TOKEN_DOTTED && parser->token.length == strlen(dotted) &&
           memcmp(parser->token.text, dotted, parser->token.length) == 0;
}

bool ptx_accept(struct ptx_parser *parser, int punctuation) {
    if (!ptx_at(parser, punctuation))
        return false;
    ptx_next(parser);
    return true;
}

bool ptx_accept_word(struct ptx_parser *parser, const char *dotted) {
    if (!ptx_at_word(parser, dotted))
        return false;
    ptx_next(parser);
    return true;
}

void ptx_expect(struct ptx_parser *parser, int punctuation) {
    if (!ptx_accept(parser, punctuation))
        ptx_fail(parser, "expected '%c' before '%.*s'", punctuation, PTX_TOKEN_ARGUMENTS(&parser->token));
}

struct ptx_token ptx_expect_name(struct ptx_parser *parser, const char *what) {
    struct ptx_token token = parser->token;
    if (token.kind != PTX_TOKEN_NAME)
        ptx_fail(parser, "expected %s, found '%.*s'", what, PTX_TOKEN_ARGUMENTS(&token));
    ptx_next(parser);
    return token;
}

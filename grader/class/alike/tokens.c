/* tokens.c: one pass over the text. */
#include "class/alike/tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1, NUMBER, TEXT };

/* Words that say what a program does; all others are names of somebody's. */
// clang-format off
static const char *const kept[] = {
    "auto", "bool", "break", "case", "char", "continue", "do", "double", "else", "float", "for", "goto",
    "if", "int", "long", "return", "short", "signed", "sizeof", "struct", "switch", "unsigned", "void",
    "while", "class", "template", "operator", "new", "delete", "dim3", "blockIdx", "blockDim", "gridDim",
    "threadIdx", "warpSize", "__global__", "__device__", "__host__", "__shared__", "__constant__",
    "__launch_bounds__", "__syncthreads", "__syncwarp", "__shfl_sync", "__shfl_down_sync", "__shfl_up_sync",
    "__shfl_xor_sync", "__ldg", "atomicAdd", "atomicMin", "atomicMax", "min", "max", "float2", "float4",
    "int2", "int4", "uchar4", "uint4", "double2"};
// clang-format on
/* Words that can be put in or left out at will. */
static const char *const dropped[] = {"const",    "constexpr",    "volatile",        "static",
                                      "inline",   "__restrict__", "__restrict",      "restrict",
                                      "register", "extern",       "__forceinline__", "__noinline__"};

static uint32_t hash(const char *text, size_t length) {
    uint32_t value = 2166136261U;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 16777619U;
    return value | 0x100U; /* none of NAME, NUMBER, TEXT */
}

static bool is_one(const char *const *words, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
            return true;
    return false;
}

struct reader {
    const char *text;
    size_t length, at;
    struct token *tokens;
    size_t count, room;
    bool failed;
};

static void add(struct reader *r, uint32_t code, size_t begin) {
    if (r->count == r->room) {
        size_t room = r->room == 0 ? 1024 : r->room * 2;
        struct token *grown = realloc(r->tokens, room * sizeof *grown);
        r->failed = grown == NULL;
        if (r->failed)
            return;
        r->tokens = grown;
        r->room = room;
    }
    r->tokens[r->count++] = (struct token){code, (uint32_t)begin, (uint32_t)r->at};
}

static char peek(const struct reader *r, size_t ahead) {
    return r->at + ahead < r->length ? r->text[r->at + ahead] : '\0';
}

/* Over a comment, a directive that only includes or advises, blanks; false: there is none here. */
static bool skip(struct reader *r) {
    if (isspace((unsigned char)peek(r, 0))) {
        r->at++;
        return true;
    }
    if (peek(r, 0) == '/' && peek(r, 1) == '*') {
        const char *end =
            r->length - r->at >= 4 ? memmem(r->text + r->at + 2, r->length - r->at - 2, "*/", 2) : NULL;
        r->at = end != NULL ? (size_t)(end + 2 - r->text) : r->length;
        return true;
    }
    const char *rest = r->text + r->at;
    size_t left = r->length - r->at;
    if ((peek(r, 0) != '/' || peek(r, 1) != '/') && (left < 8 || strncmp(rest, "#include", 8) != 0) &&
        (left < 7 || strncmp(rest, "#pragma", 7) != 0))
        return false;
    const char *end = memchr(rest, '\n', left);
    r->at = end != NULL ? (size_t)(end - r->text) : r->length;
    return true;
}

/* Also the bytes of other scripts. */
static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void take_word(struct reader *r) {
    size_t begin = r->at;
    while (is_word(peek(r, 0)))
        r->at++;
    const char *word = r->text + begin;
    size_t length = r->at - begin;
    bool member = r->count > 0 && begin > 0 && r->text[begin - 1] == '.' && length == 1;
    if (is_one(dropped, sizeof dropped / sizeof *dropped, word, length))
        return;
    bool keeps = member || is_one(kept, sizeof kept / sizeof *kept, word, length);
    add(r, keeps ? hash(word, length) : NAME, begin);
}

static void take_text(struct reader *r, char quote) {
    size_t begin = r->at++;
    while (r->at < r->length && peek(r, 0) != quote && peek(r, 0) != '\n')
        r->at += peek(r, 0) == '\\' && r->at + 1 < r->length ? 2 : 1;
    r->at += r->at < r->length;
    add(r, TEXT, begin);
}

static void take_number(struct reader *r) {
    size_t begin = r->at;
    while (isalnum((unsigned char)peek(r, 0)) || peek(r, 0) == '.' || peek(r, 0) == '\'' ||
           ((peek(r, 0) == '+' || peek(r, 0) == '-') && strchr("eEpP", r->text[r->at - 1]) != NULL &&
            r->at > begin))
        r->at++;
    add(r, NUMBER, begin);
}

static void take_operator(struct reader *r) {
    static const char *const longer[] = {"<<<", ">>>", "<<=", ">>=", "->", "++", "--", "<<",
                                         ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                         "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "::"};
    size_t begin = r->at, length = 1;
    for (size_t i = 0; i < sizeof longer / sizeof *longer && length == 1; i++)
        if (strlen(longer[i]) <= r->length - r->at &&
            strncmp(longer[i], r->text + r->at, strlen(longer[i])) == 0)
            length = strlen(longer[i]);
    r->at += length;
    if (strchr("{}", r->text[begin]) == NULL)
        add(r, hash(r->text + begin, length), begin);
}

size_t tokens_read(const char *text, size_t length, struct token **tokens) {
    struct reader r = {.text = text, .length = length};
    while (r.at < r.length && !r.failed) {
        char c = peek(&r, 0);
        if (skip(&r))
            continue;
        if (is_word(c) && !isdigit((unsigned char)c)) {
            take_word(&r);
        } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(&r, 1)))) {
            take_number(&r);
        } else if (c == '"' || c == '\'') {
            take_text(&r, c);
        } else {
            take_operator(&r);
        }
    }
    if (r.failed) {
        free(r.tokens);
        r.tokens = NULL;
        r.count = 0;
    } else if (r.tokens == NULL) {
        r.tokens = malloc(sizeof *r.tokens);
    }
    *tokens = r.tokens;
    return r.count;
}

size_t tokens_structure(struct token *tokens, size_t count) {
    static const char *const in_expressions[] = {
        "+", "-", "*",   "/",   "%",   "&",    "|",     "^",        "~",      "!",
        "(", ")", "?",   ":",   "<<",  ">>",   ",",     ".",        "x",      "y",
        "z", "w", "min", "max", "int", "long", "short", "unsigned", "signed", "sizeof"};
    enum { WORDS = sizeof in_expressions / sizeof *in_expressions };
    uint32_t codes[WORDS];
    size_t left = 0;
    for (size_t w = 0; w < WORDS; w++)
        codes[w] = hash(in_expressions[w], strlen(in_expressions[w]));
    for (size_t i = 0; i < count; i++) {
        bool stays = tokens[i].code != NAME && tokens[i].code != NUMBER && tokens[i].code != TEXT;
        for (size_t w = 0; stays && w < WORDS; w++)
            stays = tokens[i].code != codes[w];
        if (stays)
            tokens[left++] = tokens[i];
    }
    return left;
}

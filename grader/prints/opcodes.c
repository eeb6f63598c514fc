/* opcodes.c: one pass over the lines of a PTX text. nvcc writes an instruction a line; inline PTX may have several. */
#include "prints/opcodes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *text, size_t length) {
    uint32_t value = 2166136261U;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 16777619U;
    return value;
}

static bool begins(const char *text, size_t length, const char *word) {
    size_t size = strlen(word);
    return length >= size && memcmp(text, word, size) == 0;
}

/* How an argument reaches a kernel, and where a value is copied to, is the compiler's. */
static bool is_dropped(const char *opcode, size_t length) {
    static const char *const dropped[] = {"mov.", "cvta.", "ld.param", "st.param"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (begins(opcode, length, dropped[i]))
            return true;
    return false;
}

/* The end of a comment that begins here; where it begins if there is none. */
static const char *skip_comment(const char *at, const char *end) {
    if (end - at < 2 || at[0] != '/')
        return at;
    const char *close = at[1] == '/'   ? memchr(at, '\n', (size_t)(end - at))
                        : at[1] == '*' ? memmem(at + 2, (size_t)(end - at - 2), "*/", 2)
                                       : at;
    return close == at ? at : close == NULL ? end : at[1] == '*' ? close + 2 : close + 1;
}

/* Past inline PTX that begins with a comment here. */
static const char *skip_inline(const char *at, const char *end) {
    static const char begin[] = "// begin inline asm", close[] = "// end inline asm";
    if (!begins(at, (size_t)(end - at), begin))
        return at;
    const char *next = memmem(at, (size_t)(end - at), close, sizeof close - 1);
    return next != NULL ? next : end;
}

/* Past blanks, comments and a guard, "@%p1" or "@!%p1". */
static const char *skip(const char *at, const char *end, bool inline_too) {
    for (;;) {
        const char *begin = at;
        while (at < end && (isspace((unsigned char)*at) || strchr(";{}", *at) != NULL))
            at++;
        at = inline_too ? at : skip_inline(at, end);
        at = skip_comment(at, end);
        if (at < end && *at == '@')
            while (at < end && !isspace((unsigned char)*at))
                at++;
        if (at == begin)
            return at;
    }
}

static bool add(struct token **tokens, size_t *count, size_t *room, struct token token) {
    if (*count == *room) {
        struct token *grown = realloc(*tokens, *room * 2 * sizeof *grown);
        if (grown == NULL)
            return false;
        *tokens = grown;
        *room *= 2;
    }
    (*tokens)[(*count)++] = token;
    return true;
}

size_t opcodes_read(const char *ptx, size_t length, bool inline_too, struct token **tokens) {
    const char *end = ptx + length;
    size_t count = 0, room = 1024;
    *tokens = malloc(room * sizeof **tokens);
    bool right = *tokens != NULL;
    for (const char *at = skip(ptx, end, inline_too); right && at < end; at = skip(at, end, inline_too)) {
        const char *begin = at;
        while (at < end && (isalnum((unsigned char)*at) || *at == '.' || *at == '_' || *at == ':'))
            at++;
        if (at > begin && at[-1] == ':')
            continue; /* a label */
        bool is_opcode = at > begin && isalpha((unsigned char)*begin);
        if (is_opcode && !is_dropped(begin, (size_t)(at - begin)))
            right = add(tokens, &count, &room,
                        (struct token){hash(begin, (size_t)(at - begin)), (uint32_t)(begin - ptx),
                                       (uint32_t)(at - ptx)});
        /* a call goes over several lines, a directive may have no semicolon */
        while (at < end && *at != ';' && (is_opcode || *at != '\n'))
            at++;
    }
    if (!right) {
        free(*tokens);
        *tokens = NULL;
        return 0;
    }
    return count;
}

/* Does an opcode name a type of floating point? */
static bool has_float(const char *opcode, size_t length) {
    static const char *const types[] = {".f32", ".f64", ".f16", ".bf16", ".tf32"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(opcode, length, types[i], strlen(types[i])) != NULL)
            return true;
    return false;
}

static bool is_steady(const char *opcode, size_t length) {
    static const char *const steady[] = {"ld.",   "ldu.",  "st.",    "atom.",  "red.",  "bar.",   "barrier.",
                                         "shfl.", "vote.", "match.", "redux.", "tex.",  "dp4a.",  "dp2a.",
                                         "mma.",  "wmma.", "wgmma.", "cp.",    "prmt.", "fence.", "membar."};
    for (size_t i = 0; i < sizeof steady / sizeof *steady; i++)
        if (begins(opcode, length, steady[i]))
            return true;
    return has_float(opcode, length);
}

size_t opcodes_steady(const char *ptx, struct token *tokens, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (is_steady(ptx + tokens[i].begin, tokens[i].end - tokens[i].begin))
            tokens[left++] = tokens[i];
    return left;
}

/* Add those of some opcodes to the tidied ones that are there. */
static bool add_prints(const struct token *tokens, size_t opcodes, bool steady, struct fingerprint **prints,
                       size_t *count) {
    struct fingerprint *more = NULL;
    size_t found = winnow(tokens, opcodes, steady ? STEADY_RUN : OPCODES_RUN, &more);
    struct fingerprint *grown = more != NULL ? realloc(*prints, (*count + found + 1) * sizeof *grown) : NULL;
    if (grown != NULL) {
        for (size_t i = 0; i < found; i++)
            more[i].hash = steady ? more[i].hash | STEADY_BIT : more[i].hash & ~STEADY_BIT;
        memcpy(grown + *count, more, found * sizeof *more);
        *prints = grown;
        *count = prints_tidy(grown, *count + found);
    }
    free(more);
    return grown != NULL;
}

/* Those of one reading: all opcodes, then the steady ones. */
static bool add_reading(const char *ptx, size_t length, bool inline_too, struct fingerprint **prints,
                        size_t *count) {
    struct token *tokens;
    size_t opcodes = opcodes_read(ptx, length, inline_too, &tokens);
    bool right = tokens != NULL && add_prints(tokens, opcodes, false, prints, count) &&
                 add_prints(tokens, opcodes_steady(ptx, tokens, opcodes), true, prints, count);
    free(tokens);
    return right;
}

bool opcodes_prints(const char *ptx, size_t length, struct fingerprint **prints, size_t *count) {
    *prints = NULL;
    *count = 0;
    bool right =
        add_reading(ptx, length, true, prints, count) && add_reading(ptx, length, false, prints, count);
    if (!right) {
        free(*prints);
        *prints = NULL;
        *count = 0;
    }
    return right;
}

enum { DIGITS = 16 };

char *opcodes_prints_text(const char *ptx, size_t length, size_t most) {
    struct fingerprint *prints;
    size_t count, used = 0, of[2] = {0};
    bool right = opcodes_prints(ptx, length, &prints, &count);
    char *text = right ? malloc(count * DIGITS + 1) : NULL;
    if (text != NULL)
        text[0] = '\0';
    for (size_t i = 0; text != NULL && i < count; i++)
        if (of[(prints[i].hash & STEADY_BIT) != 0]++ < most)
            used += (size_t)snprintf(text + used, DIGITS + 1, "%016" PRIx64, prints[i].hash);
    free(prints);
    return text;
}

bool opcodes_prints_parse(const char *text, struct fingerprint **prints, size_t *count) {
    size_t length = strlen(text);
    *count = 0;
    *prints = length % DIGITS == 0 && strspn(text, "0123456789abcdef") == length
                  ? calloc(length / DIGITS + 1, sizeof **prints)
                  : NULL;
    for (size_t i = 0; *prints != NULL && i < length / DIGITS; i++) {
        char digits[DIGITS + 1];
        memcpy(digits, text + i * DIGITS, DIGITS);
        digits[DIGITS] = '\0';
        (*prints)[i].hash = strtoull(digits, NULL, 16);
    }
    *count = *prints != NULL ? prints_tidy(*prints, length / DIGITS) : 0;
    return *prints != NULL;
}

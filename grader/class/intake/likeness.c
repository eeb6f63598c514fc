/* likeness.c: two sources read at once, what the compiler does not read left out. */
#include "class/intake/likeness.h"

#include <ctype.h>

struct source {
    const char *text;
    size_t length, at;
    char quote; /* of the literal that we are in; 0: none */
};

/* Behind a comment that begins at `at`; `at` itself where none does. */
static size_t behind_comment(const struct source *s, size_t at) {
    if (at + 1 >= s->length || s->text[at] != '/')
        return at;
    if (s->text[at + 1] == '/') {
        while (at < s->length && s->text[at] != '\n')
            at++;
        return at;
    }
    if (s->text[at + 1] != '*')
        return at;
    for (at += 2; at < s->length; at++)
        if (s->text[at - 1] == '*' && s->text[at] == '/')
            return at + 1;
    return s->length;
}

/* The next character that counts; -1 at the end. */
static int next(struct source *s) {
    while (s->at < s->length) {
        char c = s->text[s->at];
        size_t behind = s->quote == 0 ? behind_comment(s, s->at) : s->at;
        if (behind > s->at) {
            s->at = behind;
            continue;
        }
        s->at++;
        if (s->quote == 0 && isspace((unsigned char)c))
            continue;
        bool escaped = s->quote != 0 && s->at >= 2 && s->text[s->at - 2] == '\\';
        if (s->quote == 0 && (c == '"' || c == '\''))
            s->quote = c;
        else if (c == '\n' || (c == s->quote && !escaped))
            s->quote = 0;
        return (unsigned char)c;
    }
    return -1;
}

bool likeness_same(const char *one, size_t one_length, const char *other, size_t other_length) {
    struct source a = {.text = one, .length = one_length}, b = {.text = other, .length = other_length};
    for (;;) {
        int mine = next(&a), theirs = next(&b);
        if (mine != theirs)
            return false;
        if (mine < 0)
            return true;
    }
}

/* candidate.c: an explanation: when it holds, how much it says, whether there is enough to show it, its words. */
#include "lab/problems/diagnosis/diagnosis_parts.h"

#include <math.h>
#include <string.h>

bool candidate_holds(const struct candidate *candidate, const struct suspect *suspect) {
    int64_t value = suspect->feature[candidate->feature].value;
    switch (candidate->condition) {
    case ALWAYS: break;
    case IS_ZERO: return value == 0;
    case IS_NOT_ZERO: return value != 0;
    case IS_MULTIPLE: return value % candidate->divisor == 0;
    case IS_NO_MULTIPLE: return value % candidate->divisor != 0;
    case IS_LESS: return value < candidate->divisor;
    case IS_NOT_LESS: return value >= candidate->divisor;
    }
    return true;
}

/* ---- length */

enum { WIDE = 16 }; /* numbers in steps: from so many on it matters which they are */

/* A number that picks one of several words is no quantity, however many there are. */
static bool picks_words(const struct wrong_kind *kind, unsigned which) {
    const char mark[] = {'{', (char)('0' + which), ':', '\0'};
    return strstr(kind->words, mark) != NULL;
}

static bool is_wide(const struct wrong_kind *kind, unsigned which) {
    const struct wrong_range *range = &kind->number[which];
    return range->step != 0 && (range->last - range->first) / range->step >= WIDE &&
           !picks_words(kind, which);
}

bool candidate_is_natural(const struct wrong_kind *kind, unsigned which, int number) {
    int size = number < 0 ? -number : number;
    return !is_wide(kind, which) || kind->number[which].step >= 16 || size == 0 || (size & (size - 1)) == 0 ||
           (size & (size + 1)) == 0;
}

/* Bits that tell one of so many. */
static unsigned bits(unsigned choices) {
    unsigned count = 0;
    while (count < 31 && 1U << count < choices)
        count++;
    return count;
}

enum { WORD = 1, NATURAL = 3, LAST = 4, SECOND = 6, UNWRITTEN_TOO = 1, PART = 2 };

/* A number that picks one of several words is a choice among mistakes, as there are many; one that the words do not
 * mention is how a program came to it. */
static unsigned number_length(const struct wrong_kind *kind, unsigned which, int number) {
    const char mark[] = {'{', (char)('0' + which), '\0'}, sign[] = {'{', '+', (char)('0' + which), '\0'};
    const struct wrong_range *range = &kind->number[which];
    struct wrong_kind one = {.number = {*range}};
    unsigned needed = bits(wrong_mistakes(&one)), length = 0;
    const char *at = strstr(kind->words, sign);
    if (at == NULL)
        for (at = strstr(kind->words, mark); at != NULL && at[2] == ':'; at = strstr(at + 1, mark))
            length = needed > 0 ? WORD : 0;
    if (at == NULL)
        return length;
    unsigned natural = number == 0 ? WORD : NATURAL;
    return is_wide(kind, which) && candidate_is_natural(kind, which, number) && needed > natural ? natural
                                                                                                 : needed;
}

static unsigned kind_length(const struct wrong_kind *kind, const int *number) {
    unsigned length = kind->use & WRONG_LAST ? LAST : 0;
    for (unsigned i = 0; i < WRONG_NUMBERS; i++)
        length += number_length(kind, i, number[i]);
    return length;
}

unsigned candidate_part_length(const struct wrong_where *where) {
    return where->kind == NULL || where->kind->words[0] == '\0'
               ? 0
               : PART + kind_length(where->kind, where->number);
}

static unsigned condition_length(const struct candidate *candidate) {
    switch (candidate->condition) {
    case ALWAYS: break;
    case IS_ZERO: return 3;
    case IS_NOT_ZERO: return 4;
    case IS_MULTIPLE:
    case IS_NO_MULTIPLE:
    case IS_LESS:
    case IS_NOT_LESS: return 9;
    }
    return 0;
}

unsigned candidate_length(const struct suspects *s, const struct candidate *candidate) {
    unsigned length = candidate_part_length(&candidate->where) + condition_length(candidate);
    for (unsigned i = 0; i < candidate->count; i++)
        length +=
            kind_length(&s->oracles->kinds[candidate->kind[i]], candidate->number[i]) + (i > 0 ? SECOND : 0);
    return length + (candidate->unwritten.kind != NULL
                         ? UNWRITTEN_TOO + candidate_part_length(&candidate->unwritten)
                         : 0);
}

bool candidate_is_shown(const struct suspects *s, const struct candidate *candidate) {
    enum { ELEMENTS = 64, BYTE = 8 };
    double elements = 0, choices = 0;
    for (unsigned c = 0; c < s->failing; c++)
        elements += (double)s->of[c].wrong_count;
    if (elements < ELEMENTS && elements * BYTE < candidate_length(s, candidate))
        return false;
    /* In how many ways so many of the cases could fail: a condition must be less likely to fit by chance. */
    for (unsigned i = 0; i < s->failing; i++)
        choices += log2((double)(s->count - i) / (i + 1));
    return candidate->condition < IS_MULTIPLE || choices >= condition_length(candidate);
}

/* ---- words */

static void add(char *text, size_t size, const char *format, const char *a, const char *b) {
    size_t used = strlen(text);
    if (used < size)
        snprintf(text + used, size - used, format, a, b);
}

static void condition_words(const struct suspects *s, const struct candidate *candidate, char *text,
                            size_t size) {
    const struct wrong_feature *f = &s->of[0].feature[candidate->feature];
    char number[32];
    if (candidate->condition == ALWAYS)
        return;
    snprintf(number, sizeof number, "%lld", (long long)candidate->divisor);
    if (f->flag == WRONG_HAS)
        add(text, size, ", in cases %s %s", candidate->condition == IS_ZERO ? "without" : "with", f->name);
    else if (candidate->condition == IS_ZERO || candidate->condition == IS_NOT_ZERO)
        add(text, size, ", where %s is %s0", f->name, candidate->condition == IS_ZERO ? "" : "not ");
    else if (candidate->condition == IS_MULTIPLE)
        add(text, size, ", where %s is a multiple of %s", f->name, number);
    else if (candidate->condition == IS_NO_MULTIPLE)
        add(text, size, ", where %s is no multiple of %s", f->name, number);
    else
        add(text, size,
            candidate->condition == IS_LESS ? ", where %s is below %s" : ", where %s is %s or more", f->name,
            number);
}

void candidate_words(const struct suspects *s, const struct candidate *candidate, char *text, size_t size) {
    char part[WRONG_TEXT];
    text[0] = '\0';
    for (unsigned i = 0; i < candidate->count; i++) {
        const struct wrong_kind *kind = &s->oracles->kinds[candidate->kind[i]];
        wrong_words(kind, kind->words, candidate->number[i], part, sizeof part);
        add(text, size, "%s%s", i > 0 ? " and " : "", part);
    }
    wrong_where_words(&candidate->where, s->oracles, part, sizeof part);
    add(text, size, "%s%s", part[0] != '\0' ? " " : "", part);
    if (candidate->unwritten.kind != NULL) {
        wrong_where_words(&candidate->unwritten, s->oracles, part, sizeof part);
        add(text, size, " and nothing is written %s%s", part, "");
    }
    condition_words(s, candidate, text, size);
}

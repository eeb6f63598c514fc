/* wrong_where.c: the parts of an output that are told apart, the simplest first. */
#include "lab/problems/diagnosis/diagnosis_parts.h"

#include <string.h>

enum kind {
    EVERYWHERE,
    LAST_LINE,
    FIRST_LINE,
    LAST_LINES,
    FIRST_LINES,
    BORDER,
    LINES_FROM,
    TAIL,
    TAIL_BEHIND,
    TAIL_REST,
    TAIL_BUT_TAIL,
    FROM_WARPS,
    TAILS,
    MODULO,
    MODULO_FROM,
    MODULO_BELOW,
    LAST_ELEMENT,
    FIRST_ELEMENT,
    FLAT_FROM,
    FLAT_TAIL,
    FLAT_MODULO,
    BELOW_DIAGONAL,
    ABOVE_DIAGONAL,
    SHARED_FROM,
    WHOLE_PART,
    LAST_BEFORE_TAIL,
    MIXED,
    THREAD_TAIL,
    THREAD_TAIL_LATER,
    OVERLAP_TAIL,
    WHOLE_MODULO,
};

/* Number 0 is the axis, where there is one. In the words, @ stands for the axis' names: @s many, @1 one, @v the variable,
 * @e the extent; %0 and %1 for those of the first and the second axis. */
#define PLACE(called, said, ...)                                                                             \
    {                                                                                                        \
        .name = (called), .words = (said), .number = { __VA_ARGS__ }                                         \
    }
static const struct wrong_kind kinds[] = {
    [EVERYWHERE] = PLACE("everywhere", "", {0}),
    [LAST_LINE] = PLACE("last", "in the last @1", {0, 1, 1}),
    [FIRST_LINE] = PLACE("first", "in the first @1", {0, 1, 1}),
    [LAST_LINES] = PLACE("last-few", "in the last {1} @s", {0, 1, 1}, {2, 4, 1}),
    [FIRST_LINES] = PLACE("first-few", "in the first {1} @s", {0, 1, 1}, {2, 4, 1}),
    [BORDER] = PLACE("border", "within {0} of the edge", {1, 4, 1}),
    [LINES_FROM] = PLACE("from", "in @s with @v >= {1}", {0, 1, 1}, {8, 1 << 17, 0}),
    [TAIL] = PLACE("tail", "in @s with @v >= @e - @e % {1}", {0, 1, 1}, {2, 4096, 0}),
    [TAIL_BEHIND] =
        PLACE("tail-behind", "in @s with @v >= @e - @e % {1} if @e >= {1}", {0, 1, 1}, {2, 4096, 0}),
    [TAILS] =
        PLACE("tails", "where %v0 >= %e0 - %e0 % {0} or %v1 >= %e1 - %e1 % {1}", {2, 256, 0}, {2, 256, 0}),
    [MODULO] = PLACE("modulo", "in @s with @v % {1} = {2}", {0, 1, 1}, {2, 64, 0}, {0, 63, 1}),
    [MODULO_FROM] = PLACE("modulo-from", "in @s with @v % {1} >= {2}", {0, 1, 1}, {4, 256, 0}, {1, 254, 1}),
    [MODULO_BELOW] = PLACE("modulo-below", "in @s with @v % {1} < {2}", {0, 1, 1}, {4, 256, 0}, {2, 255, 1}),
    [LAST_ELEMENT] = PLACE("last-element", "at the last ~", {0}),
    [FIRST_ELEMENT] = PLACE("first-element", "at the first ~", {0}),
    [FLAT_FROM] = PLACE("flat-from", "from ~ number {0} on", {32, 1 << 20, 0}),
    [FLAT_TAIL] = PLACE("flat-tail", "in the last %e0 * %e1 % {0} ~s", {2, 4096, 0}),
    [FLAT_MODULO] = PLACE("flat-modulo", "at ~s whose number % {0} = {1}", {2, 32, 0}, {0, 31, 1}),
    [BELOW_DIAGONAL] = PLACE("below", "where %v0 > %v1", {0}),
    [ABOVE_DIAGONAL] = PLACE("above", "where %v1 > %v0", {0}),
    [SHARED_FROM] = PLACE("both-from", "where %v0 >= {0} or %v1 >= {0}", {8, 1024, 0}),
    [WHOLE_PART] = PLACE("whole", "in @s with @v < @e - @e % {1}", {0, 1, 1}, {2, 64, 0}),
    [LAST_BEFORE_TAIL] =
        PLACE("last-whole", "in the last {1} @s that lie before @v = @e - @e % {1}", {0, 1, 1}, {2, 64, 0}),
    [OVERLAP_TAIL] = PLACE("overlap-tail",
                           "in the last {1} @s, before @v = @e - @e % {1}, where @e is not a multiple of {1}",
                           {0, 1, 1}, {2, 64, 0}),
    [WHOLE_MODULO] = PLACE("whole-modulo", "in @s with @v % {1} = {2} and @v < @e - @e % {1}", {0, 1, 1},
                           {2, 16, 0}, {0, 15, 1}),
    [TAIL_REST] = PLACE("tail-rest", "in @s with @v > @e - @e % {1}", {0, 1, 1}, {4, 64, 0}),
    [TAIL_BUT_TAIL] = PLACE("tail-but-tail", "in @s with @v >= @e - @e % {1} and @v < @e - @e % {2}",
                            {0, 1, 1}, {8, 4096, 0}, {2, 16, 0}),
    [FROM_WARPS] = PLACE("from-warps", "in @s with @v >= {1}", {0, 1, 1}, {96, 2048, 32}),
    [THREAD_TAIL_LATER] =
        PLACE("thread-tail-later",
              "in all @s but the first of threads whose last of {2} @s, {1} apart, lies beyond @e", {0, 1, 1},
              {2, 1024, 0}, {2, 32, 1}),
    [MIXED] =
        PLACE("mixed", "in @s with @v % ({1} * {2}) >= {1} + {2} - 1", {0, 1, 1}, {32, 1024, 0}, {2, 32, 1}),
    [THREAD_TAIL] = PLACE("thread-tail", "in @s of threads whose last of {2} @s, {1} apart, lies beyond @e",
                          {0, 1, 1}, {2, 1024, 0}, {2, 32, 1}),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

unsigned wrong_where_count(void) {
    unsigned count = 0;
    for (unsigned kind = 0; kind < KINDS; kind++)
        count += wrong_mistakes(&kinds[kind]);
    return count;
}

struct wrong_where wrong_where_get(unsigned index) {
    unsigned kind = 0;
    for (unsigned count; kind + 1 < KINDS && index >= (count = wrong_mistakes(&kinds[kind])); kind++)
        index -= count;
    struct wrong_where where = {.kind = &kinds[kind]};
    wrong_numbers(where.kind, index, where.number);
    return where;
}

bool wrong_where_fits(const struct wrong_where *where, unsigned axes) {
    const int *n = where->number;
    enum kind kind = (enum kind)(where->kind - kinds);
    bool of_axis = where->kind->number[0].first == 0 && where->kind->number[0].last == 1;
    if (kind == EVERYWHERE)
        return true;
    if (of_axis ? n[0] >= (int)axes : axes < 2)
        return false;
    switch (kind) { /* remainders are less than what is divided by */
    case MODULO:
    case MODULO_BELOW:
    case WHOLE_MODULO: return n[2] < n[1];
    case TAIL_BUT_TAIL: return n[2] < n[1];
    case MODULO_FROM: return n[2] < n[1] - 1;
    case FLAT_MODULO: return n[1] < n[0];
    default: return true;
    }
}

bool wrong_where_has(const struct wrong_where *where, const struct wrong_place *p) {
    const int *n = where->number;
    enum kind kind = (enum kind)(where->kind - kinds);
    unsigned axis = n[0] == 1;
    int64_t at = p->at[axis], extent = p->extent[axis], number = p->at[1] * p->extent[0] + p->at[0],
            total = p->extent[0] * p->extent[1];
    if (p->outside)
        return kind == EVERYWHERE;
    switch (kind) {
    case EVERYWHERE: return true;
    case LAST_LINE: return at == extent - 1;
    case FIRST_LINE: return at == 0;
    case LAST_LINES: return at >= extent - n[1];
    case FIRST_LINES: return at < n[1];
    case BORDER:
        return p->at[0] < n[0] || p->at[1] < n[0] || p->at[0] >= p->extent[0] - n[0] ||
               p->at[1] >= p->extent[1] - n[0];
    case LINES_FROM:
    case FROM_WARPS: return at >= n[1];
    case TAIL: return at >= extent - extent % n[1];
    case TAIL_REST: return at > extent - extent % n[1];
    case TAIL_BUT_TAIL: return at >= extent - extent % n[1] && at < extent - extent % n[2];
    case TAIL_BEHIND: return extent >= n[1] && at >= extent - extent % n[1];
    case TAILS:
        return p->at[0] >= p->extent[0] - p->extent[0] % n[0] ||
               p->at[1] >= p->extent[1] - p->extent[1] % n[1];
    case MODULO: return at % n[1] == n[2];
    case MODULO_FROM: return at % n[1] >= n[2];
    case MODULO_BELOW: return at % n[1] < n[2];
    case LAST_ELEMENT: return number == total - 1;
    case FIRST_ELEMENT: return number == 0;
    case FLAT_FROM: return number >= n[0];
    case FLAT_TAIL: return number >= total - total % n[0];
    case FLAT_MODULO: return number % n[0] == n[1];
    case BELOW_DIAGONAL: return p->at[0] > p->at[1];
    case ABOVE_DIAGONAL: return p->at[1] > p->at[0];
    case WHOLE_PART: return at < extent - extent % n[1];
    case LAST_BEFORE_TAIL: return at >= extent - n[1] && at < extent - extent % n[1];
    case MIXED: return at % (n[1] * n[2]) >= n[1] + n[2] - 1;
    case THREAD_TAIL: return at - at % (n[1] * n[2]) + at % n[1] + (n[2] - 1) * n[1] >= extent;
    case THREAD_TAIL_LATER:
        return at % (n[1] * n[2]) >= n[1] &&
               at - at % (n[1] * n[2]) + at % n[1] + (n[2] - 1) * n[1] >= extent;
    case OVERLAP_TAIL: return extent % n[1] != 0 && at >= extent - n[1] && at < extent - extent % n[1];
    case WHOLE_MODULO: return at % n[1] == n[2] && at < extent - extent % n[1];
    case SHARED_FROM: return p->at[0] >= n[0] || p->at[1] >= n[0];
    }
    return false;
}

/* The name that stands for two letters of a template. */
static const char *name_of(const struct wrong_oracles *o, const char *letters, int axis_number) {
    const struct wrong_axis *axis = &o->axis[letters[0] == '%' ? letters[2] == '1' : axis_number == 1];
    switch (letters[1]) {
    case '1': return axis->one;
    case 's': return axis->many;
    case 'v': return axis->variable;
    default: return axis->extent;
    }
}

void wrong_where_words(const struct wrong_where *where, const struct wrong_oracles *o, char *text,
                       size_t size) {
    char words[WRONG_TEXT];
    size_t used = 0;
    text[0] = '\0';
    wrong_words(where->kind, where->kind->words, where->number, words, sizeof words);
    for (const char *at = words; *at != '\0' && used + 1 < size;) {
        size_t taken = 1;
        if (*at == '~') {
            bool many = at[1] == 's';
            snprintf(text + used, size - used, "%s", many ? o->elements : o->element);
            taken += many;
        } else if (*at == '@' || (*at == '%' && (at[1] == 'v' || at[1] == 'e'))) {
            snprintf(text + used, size - used, "%s", name_of(o, at, where->number[0]));
            taken += *at == '%' ? 2 : 1;
        } else {
            snprintf(text + used, size - used, "%c", *at);
        }
        used += strlen(text + used);
        at += taken;
    }
}

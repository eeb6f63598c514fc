/* diagnose.c: every mistake there is, on every case, until one gives what was found. */
#include "problems/diagnosis_parts.h"

#include <stdlib.h>
#include <string.h>

/* A condition on a feature of a case. */
enum condition { ALWAYS, IS_ZERO, IS_NOT_ZERO, IS_MULTIPLE, IS_NO_MULTIPLE };

/* Up to two mistakes, at a part of the output; and another part is not written. */
struct candidate {
    unsigned count, kind[2];
    int number[2][WRONG_NUMBERS];
    struct wrong_where where, unwritten; /* unwritten.kind NULL: no part */
    enum condition condition;            /* in other cases all is right */
    unsigned feature;
    int64_t divisor;
};

enum { FITS = 4, PARTS = 48 };

struct search {
    const struct suspects *suspects;
    void *recipe;
    unsigned fit_count;
    bool last; /* what fits is of a kind that counts only where no other does */
    struct candidate fits[FITS];
};

/* ---- cases */

static void suspects_free(struct suspects *s) {
    for (unsigned i = 0; i < s->count; i++) {
        for (unsigned b = 0; b < PROBLEM_BUFFERS; b++)
            free(s->of[i].input[b]);
        free(s->of[i].right);
        free(s->of[i].wrong);
    }
    free(s->of);
}

/* The inputs as they were, and which elements are wrong. */
static bool prepare(const struct suspects *s, const struct diagnosis_case *c, struct suspect *to) {
    struct problem_layout layout;
    s->problem->layout(&c->problem_case, &layout);
    *to = (struct suspect){.passed = c->passed, .count = s->oracles->count(&c->problem_case)};
    to->tried = (struct wrong_tried){.problem_case = &c->problem_case, .got = c->output, .poison = c->poison};
    bool right = true;
    unsigned filled = layout.input_count + (layout.in_place ? layout.output_count : 0);
    for (unsigned b = 0; b < filled; b++) {
        to->tried.input[b] = to->input[b] = malloc(layout.bytes[b]);
        right = to->input[b] != NULL && right;
    }
    to->right = malloc(s->oracles->recipe_size);
    to->wrong = calloc((size_t)to->count + 1, 1);
    if (!right || to->right == NULL || to->wrong == NULL)
        return false;
    s->problem->fill(&c->problem_case, to->input);
    s->oracles->begin(&to->tried, to->right);
    if (s->oracles->finish != NULL && !s->oracles->finish(to->right))
        return false;
    for (uint64_t i = 0; i < to->count && !c->passed; i++) {
        to->wrong[i] = !s->oracles->gives(to->right, i);
        to->wrong_count += to->wrong[i];
    }
    return true;
}

/* Some elements of a kind, from the first to the last of them. */
static void choose_probes(struct suspect *s, bool wrong, uint64_t all) {
    uint64_t most = all < DIAGNOSIS_PROBES / 2 ? all : DIAGNOSIS_PROBES / 2, seen = 0, taken = 0;
    for (uint64_t i = 0; i < s->count && taken < most; i++) {
        if ((s->wrong[i] != 0) != wrong)
            continue;
        if (seen++ != (most > 1 ? taken * (all - 1) / (most - 1) : 0))
            continue;
        s->probe[s->probe_count++] = i;
        taken++;
    }
}

static int by_verdict_and_size(const void *left, const void *right) {
    const struct suspect *a = left, *b = right;
    if (a->passed != b->passed)
        return a->passed ? 1 : -1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return a->tried.problem_case->number < b->tried.problem_case->number ? -1 : 1;
}

static unsigned group_of(const struct wrong_oracles *oracles, const struct problem_case *c) {
    return oracles->group != NULL ? oracles->group(c) : 0;
}

/* The cases of a group. */
static bool suspects_create(struct suspects *s, const struct problem *problem,
                            const struct diagnosis_case *cases, unsigned count, unsigned group) {
    *s = (struct suspects){.problem = problem, .oracles = problem->wrong};
    s->axes = s->oracles->axis[1].one != NULL ? 2 : 1;
    s->of = calloc(count + 1, sizeof *s->of);
    if (s->of == NULL)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (cases[i].output == NULL || group_of(s->oracles, &cases[i].problem_case) != group)
            continue;
        struct suspect *to = &s->of[s->count++];
        if (!prepare(s, &cases[i], to)) {
            suspects_free(s);
            return false;
        }
        choose_probes(to, true, to->wrong_count);
        choose_probes(to, false, to->count - to->wrong_count);
        s->failing += !to->passed;
    }
    qsort(s->of, s->count, sizeof *s->of, by_verdict_and_size);
    for (unsigned i = 0; i < s->count; i++) { /* a recipe points to its case, which has moved */
        s->oracles->begin(&s->of[i].tried, s->of[i].right);
        if (s->oracles->finish != NULL)
            (void)s->oracles->finish(s->of[i].right);
    }
    return true;
}

bool suspects_wrong_within(const struct suspects *s, const struct wrong_where *where) {
    struct wrong_place place;
    for (unsigned c = 0; c < s->failing; c++)
        for (uint64_t i = 0, left = s->of[c].wrong_count; left > 0; i++) {
            if (!s->of[c].wrong[i])
                continue;
            left--;
            s->oracles->place(s->of[c].tried.problem_case, i, &place);
            if (!wrong_where_has(where, &place))
                return false;
        }
    return true;
}

/* ---- trying */

/* The recipe of a candidate for a case. */
static bool make_recipe(struct search *search, const struct candidate *candidate,
                        const struct suspect *suspect) {
    const struct wrong_oracles *o = search->suspects->oracles;
    o->begin(&suspect->tried, search->recipe);
    for (unsigned i = 0; i < candidate->count; i++)
        o->mistake(candidate->kind[i], candidate->number[i], search->recipe);
    return o->finish == NULL || o->finish(search->recipe);
}

static bool explains(const struct search *search, const struct candidate *candidate,
                     const struct suspect *suspect, uint64_t index, bool everywhere) {
    const struct wrong_oracles *o = search->suspects->oracles;
    struct wrong_place place;
    if (candidate->unwritten.kind != NULL) {
        o->place(suspect->tried.problem_case, index, &place);
        if (!place.outside && wrong_where_has(&candidate->unwritten, &place))
            return o->untouched(suspect->right, index);
    }
    if (!everywhere) {
        o->place(suspect->tried.problem_case, index, &place);
        if (!wrong_where_has(&candidate->where, &place))
            return !suspect->wrong[index];
    }
    return o->gives(search->recipe, index);
}

static bool holds(const struct wrong_oracles *o, const struct candidate *candidate,
                  const struct suspect *suspect) {
    struct wrong_feature f[WRONG_FEATURES];
    if (candidate->condition == ALWAYS)
        return true;
    (void)o->features(suspect->tried.problem_case, f);
    int64_t value = f[candidate->feature].value;
    switch (candidate->condition) {
    case ALWAYS: break;
    case IS_ZERO: return value == 0;
    case IS_NOT_ZERO: return value != 0;
    case IS_MULTIPLE: return value % candidate->divisor == 0;
    case IS_NO_MULTIPLE: return value % candidate->divisor != 0;
    }
    return true;
}

/* On a few elements of every case, then on all. */
static bool fits(struct search *search, const struct candidate *candidate) {
    const struct suspects *s = search->suspects;
    struct wrong_where everything = wrong_where_get(0);
    bool everywhere = candidate->where.kind == everything.kind;
    for (unsigned c = 0; c < s->count; c++) {
        const struct suspect *suspect = &s->of[c];
        if (!holds(s->oracles, candidate, suspect)) {
            if (!suspect->passed)
                return false;
            continue;
        }
        if (!make_recipe(search, candidate, suspect))
            return false;
        for (unsigned p = 0; p < suspect->probe_count; p++)
            if (!explains(search, candidate, suspect, suspect->probe[p], everywhere))
                return false;
    }
    for (unsigned c = 0; c < s->count; c++) {
        const struct suspect *suspect = &s->of[c];
        if (!holds(s->oracles, candidate, suspect)) {
            if (!suspect->passed)
                return false;
            continue;
        }
        if (!make_recipe(search, candidate, suspect))
            return false;
        for (uint64_t i = 0; i < suspect->count; i++)
            if (!explains(search, candidate, suspect, i, everywhere))
                return false;
    }
    return true;
}

static void candidate_words(const struct suspects *s, const struct candidate *candidate, char *text,
                            size_t size) {
    char part[WRONG_TEXT];
    size_t used = 0;
    for (unsigned i = 0; i < candidate->count; i++) {
        const struct wrong_kind *kind = &s->oracles->kinds[candidate->kind[i]];
        wrong_words(kind, kind->words, candidate->number[i], part, sizeof part);
        snprintf(text + used, size - used, "%s%s", i > 0 ? " and " : "", part);
        used += strlen(text + used);
    }
    wrong_where_words(&candidate->where, s->oracles, part, sizeof part);
    if (part[0] != '\0')
        snprintf(text + used, size - used, " %s", part);
    used = strlen(text);
    if (candidate->unwritten.kind != NULL) {
        wrong_where_words(&candidate->unwritten, s->oracles, part, sizeof part);
        snprintf(text + used, size - used, " and nothing is written %s", part);
    }
    used = strlen(text);
    struct wrong_feature f[WRONG_FEATURES];
    if (candidate->condition == ALWAYS)
        return;
    (void)s->oracles->features(s->of[0].tried.problem_case, f);
    const char *name = f[candidate->feature].name;
    if (f[candidate->feature].flag)
        snprintf(text + used, size - used, ", in cases %s %s",
                 candidate->condition == IS_ZERO ? "without" : "with", name);
    else if (candidate->condition == IS_ZERO || candidate->condition == IS_NOT_ZERO)
        snprintf(text + used, size - used, ", where %s is %s0", name,
                 candidate->condition == IS_ZERO ? "" : "not ");
    else
        snprintf(text + used, size - used, ", where %s is %s multiple of %lld", name,
                 candidate->condition == IS_MULTIPLE ? "a" : "no", (long long)candidate->divisor);
}

/* Is the same said of it as of one that is there already? */
static bool is_said(const struct search *search, const struct candidate *candidate) {
    char words[2 * WRONG_TEXT], other[2 * WRONG_TEXT];
    candidate_words(search->suspects, candidate, words, sizeof words);
    for (unsigned i = 0; i < search->fit_count; i++) {
        candidate_words(search->suspects, &search->fits[i], other, sizeof other);
        if (strcmp(words, other) == 0)
            return true;
    }
    return false;
}

static void try(struct search *search, const struct candidate *candidate) {
    bool last = false;
    for (unsigned i = 0; i < candidate->count; i++)
        last = last || (search->suspects->oracles->kinds[candidate->kind[i]].use & WRONG_LAST) != 0;
    if ((last && search->fit_count > 0 && !search->last) || search->fit_count == FITS ||
        !fits(search, candidate))
        return;
    if (!last && search->last)
        search->fit_count = 0;
    search->last = last;
    if (!is_said(search, candidate))
        search->fits[search->fit_count++] = *candidate;
}

/* Every single mistake, as the frame has it: at a part of the output, in some cases, beside what is not written. */
static void try_singles(struct search *search, const struct candidate *frame, bool everywhere) {
    const struct wrong_oracles *o = search->suspects->oracles;
    for (unsigned kind = 0; kind < o->kind_count; kind++) {
        struct candidate candidate = *frame;
        candidate.count = 1;
        candidate.kind[0] = kind;
        unsigned count =
            everywhere || (o->kinds[kind].use & WRONG_SOMEWHERE) ? wrong_mistakes(&o->kinds[kind]) : 0;
        for (unsigned i = 0; i < count; i++) {
            wrong_numbers(&o->kinds[kind], i, candidate.number[0]);
            try(search, &candidate);
        }
    }
}

static void try_parts(struct search *search) {
    const struct suspects *s = search->suspects;
    for (unsigned i = 1, parts = 0, count = wrong_where_count(); i < count && parts < PARTS; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (!wrong_where_fits(&where, s->axes) || !suspects_wrong_within(s, &where))
            continue;
        parts++;
        try_singles(search, &(struct candidate){.where = where}, false);
    }
}

/* Where something goes wrong only where a size is a multiple of 4, say: two paths through the program. */
static void try_conditions(struct search *search) {
    const struct suspects *s = search->suspects;
    struct wrong_feature f[WRONG_FEATURES];
    unsigned count = s->oracles->features(s->of[0].tried.problem_case, f);
    for (unsigned feature = 0; feature < count; feature++)
        for (int64_t divisor = 1; divisor <= (f[feature].flag ? 1 : 64); divisor *= 2)
            for (int negated = 0; negated < 2; negated++) {
                struct candidate frame = {
                    .where = wrong_where_get(0), .feature = feature, .divisor = divisor};
                if (divisor == 1)
                    frame.condition = negated ? IS_NOT_ZERO : IS_ZERO;
                else
                    frame.condition = negated ? IS_NO_MULTIPLE : IS_MULTIPLE;
                bool all_failing = true, some_passing = false;
                for (unsigned c = 0; c < s->count; c++) {
                    bool held = holds(s->oracles, &frame, &s->of[c]);
                    all_failing = all_failing && (held || s->of[c].passed);
                    some_passing = some_passing || !held;
                }
                if (all_failing && some_passing)
                    try_singles(search, &frame, true);
            }
}

/* Is this part, in every case, untouched, and everything untouched that is wrong in it? */
static bool is_unwritten(const struct suspects *s, const struct wrong_where *where) {
    struct wrong_place place;
    bool any = false;
    for (unsigned c = 0; c < s->count; c++)
        for (uint64_t i = 0; i < s->of[c].count; i++) {
            bool untouched = s->oracles->untouched(s->of[c].right, i), wrong = s->of[c].wrong[i];
            if (untouched && !wrong)
                continue; /* by chance the right value */
            s->oracles->place(s->of[c].tried.problem_case, i, &place);
            if (!place.outside && wrong_where_has(where, &place) != untouched)
                return false;
            any = any || untouched;
        }
    return any;
}

/* The first wrong element that was not written. False: there is none. */
static bool first_untouched(const struct suspects *s, struct wrong_place *place) {
    for (unsigned c = 0; c < s->failing; c++)
        for (uint64_t i = 0; i < s->of[c].count; i++)
            if (s->of[c].wrong[i] && s->oracles->untouched(s->of[c].right, i)) {
                s->oracles->place(s->of[c].tried.problem_case, i, place);
                return !place->outside;
            }
    return false;
}

static void try_unwritten_parts(struct search *search) {
    const struct suspects *s = search->suspects;
    struct wrong_place first;
    if (!first_untouched(s, &first))
        return;
    for (unsigned i = 1, count = wrong_where_count(); i < count; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (wrong_where_fits(&where, s->axes) && wrong_where_has(&where, &first) && is_unwritten(s, &where))
            try_singles(search, &(struct candidate){.where = wrong_where_get(0), .unwritten = where}, true);
    }
}

/* Every two of the common ones, not of the same kind. */
static void try_pairs(struct search *search) {
    const struct wrong_oracles *o = search->suspects->oracles;
    struct candidate candidate = {.count = 2, .where = wrong_where_get(0)};
    for (unsigned a = 0; a < o->kind_count; a++)
        for (unsigned b = a + 1; b < o->kind_count; b++) {
            if (!(o->kinds[a].use & o->kinds[b].use & WRONG_PAIRED))
                continue;
            candidate.kind[0] = a;
            candidate.kind[1] = b;
            unsigned first_count = wrong_mistakes(&o->kinds[a]), second_count = wrong_mistakes(&o->kinds[b]);
            for (unsigned i = 0; i < first_count; i++) {
                wrong_numbers(&o->kinds[a], i, candidate.number[0]);
                for (unsigned j = 0; j < second_count; j++) {
                    wrong_numbers(&o->kinds[b], j, candidate.number[1]);
                    try(search, &candidate);
                }
            }
        }
}

/* ---- telling */

static void tell(const struct search *search, struct diagnosis *d) {
    const struct suspects *s = search->suspects;
    const struct candidate *first = &search->fits[0];
    const struct wrong_kind *kind = &s->oracles->kinds[first->kind[0]];
    char words[2 * WRONG_TEXT], other[4 * WRONG_TEXT] = "";
    candidate_words(s, first, words, sizeof words);
    for (unsigned i = 1, told = 0; i < search->fit_count && told < 2; i++, told++) {
        char next[2 * WRONG_TEXT];
        size_t used = strlen(other);
        candidate_words(s, &search->fits[i], next, sizeof next);
        snprintf(other + used, sizeof other - used, ", or when %s", next);
    }
    if (search->fit_count > 1) {
        size_t used = strlen(other);
        bool one_kind = search->fit_count < FITS;
        for (unsigned i = 1; i < search->fit_count; i++)
            one_kind = one_kind && strcmp(s->oracles->kinds[search->fits[i].kind[0]].name, kind->name) == 0;
        snprintf(other + used, sizeof other - used, "%s: no case tells them apart",
                 one_kind ? "" : ", or something else");
    }
    d->proven = true;
    d->cases = s->failing;
    snprintf(d->kind, sizeof d->kind, "%.20s%s%.20s%s%.18s", kind->name, first->count > 1 ? ", " : "",
             first->count > 1 ? s->oracles->kinds[first->kind[1]].name : "",
             first->where.number[0] != 0 || first->where.kind->words[0] != '\0' ? ", " : "",
             first->where.kind->words[0] != '\0' ? first->where.kind->name : "");
    if (s->failing == 1)
        snprintf(d->text, sizeof d->text,
                 "In the one case that fails your result is exactly what comes out when %s%s.", words, other);
    else
        snprintf(d->text, sizeof d->text,
                 "In all %u cases that fail your result is exactly what comes out when %s%s.", s->failing,
                 words, other);
    size_t used = strlen(d->text);
    if (kind->advice != NULL && first->count == 1 && search->fit_count == 1)
        snprintf(d->text + used, sizeof d->text - used, " %s", kind->advice);
}

static bool find(struct search *search) {
    struct wrong_where everything = wrong_where_get(0);
    try_singles(search, &(struct candidate){.where = everything}, true);
    if (search->fit_count == 0)
        try_parts(search);
    if (search->fit_count == 0)
        try_conditions(search);
    if (search->fit_count == 0)
        try_unwritten_parts(search);
    if (search->fit_count == 0)
        try_pairs(search);
    /* Many, and all of them far-fetched: none is likely enough to be told. */
    return search->fit_count > 0 && !(search->last && search->fit_count == FITS);
}

/* ---- the whole */

static bool diagnose_group(const struct problem *problem, const struct diagnosis_case *cases, unsigned count,
                           unsigned group, bool deterministic, struct diagnosis *d) {
    struct suspects suspects;
    *d = (struct diagnosis){.proven = false};
    if (!suspects_create(&suspects, problem, cases, count, group))
        return false;
    struct search *search = calloc(1, sizeof *search);
    bool right = search != NULL && (search->recipe = malloc(problem->wrong->recipe_size)) != NULL;
    if (right && suspects.failing > 0) {
        search->suspects = &suspects;
        if (deterministic && find(search))
            tell(search, d);
        else
            describe(&suspects, deterministic, d->text, sizeof d->text);
    }
    if (search != NULL)
        free(search->recipe);
    free(search);
    suspects_free(&suspects);
    return right;
}

bool diagnosis_before(const struct problem *problem, const struct problem_case *a,
                      const struct problem_case *b) {
    const struct wrong_oracles *o = problem->wrong;
    unsigned group_a = group_of(o, a), group_b = group_of(o, b);
    uint64_t count_a = o->count(a), count_b = o->count(b);
    if (group_a != group_b)
        return group_a < group_b;
    return count_a != count_b ? count_a < count_b : a->number < b->number;
}

bool diagnose(const struct problem *problem, const struct diagnosis_case *cases, unsigned count,
              bool deterministic, struct diagnosis *d) {
    *d = (struct diagnosis){.proven = false};
    if (problem->wrong == NULL)
        return false;
    /* Of several groups that fail the first one's cause is told, and that another fails, too. */
    unsigned first = UINT32_MAX, other = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        unsigned group = group_of(problem->wrong, &cases[i].problem_case);
        if (cases[i].passed || cases[i].output == NULL)
            continue;
        if (group < first) {
            other = first;
            first = group;
        } else if (group > first && group < other) {
            other = group;
        }
    }
    if (first == UINT32_MAX || !diagnose_group(problem, cases, count, first, deterministic, d))
        return false;
    if (problem->wrong->group_names != NULL && d->text[0] != '\0') {
        char text[sizeof d->text];
        snprintf(text, sizeof text, "%s: %.*s%s%s%s", problem->wrong->group_names[first],
                 (int)(sizeof text - 100), d->text, other != UINT32_MAX ? " " : "",
                 other != UINT32_MAX ? problem->wrong->group_names[other] : "",
                 other != UINT32_MAX ? " fails, too." : "");
        memcpy(d->text, text, sizeof text);
    }
    return d->text[0] != '\0';
}

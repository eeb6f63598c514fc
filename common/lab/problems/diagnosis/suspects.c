/* suspects.c: the judged cases, made ready for recipes to be tried on them. */
#include "lab/problems/diagnosis/diagnosis_parts.h"

#include <stdlib.h>
#include <string.h>

void suspects_free(struct suspects *s) {
    for (unsigned i = 0; i < s->count; i++) {
        for (unsigned b = 0; b < PROBLEM_BUFFERS; b++)
            free(s->of[i].input[b]);
        free(s->of[i].base);
        free(s->of[i].right);
        free(s->of[i].wrong);
    }
    free(s->of);
}

/* The inputs as they were, and which elements are wrong. */
static bool prepare(const struct suspects *s, struct suspect *to) {
    const struct wrong_oracles *o = s->oracles;
    const struct problem_case *c = to->tried.problem_case;
    struct problem_layout layout;
    s->problem->layout(c, &layout);
    to->count = o->count(c);
    bool right = true;
    unsigned filled = layout.input_count + (layout.in_place ? layout.output_count : 0);
    for (unsigned b = 0; b < filled; b++) {
        to->tried.input[b] = to->input[b] = malloc(layout.bytes[b]);
        right = to->input[b] != NULL && right;
    }
    to->base = malloc(o->recipe_size);
    to->right = malloc(o->recipe_size);
    to->wrong = calloc((size_t)to->count + 1, 1);
    if (!right || to->base == NULL || to->right == NULL || to->wrong == NULL)
        return false;
    if (layout.in_place)
        to->tried.before = to->input[layout.input_count];
    s->problem->fill(c, to->input);
    (void)o->features(c, to->feature);
    to->recipe_work = to->element_work = 50;
    if (o->work != NULL)
        o->work(c, &to->recipe_work, &to->element_work);
    o->begin(&to->tried, to->base);
    memcpy(to->right, to->base, o->recipe_size);
    if (o->finish != NULL && !o->finish(to->right))
        return false;
    for (uint64_t i = 0; i < to->count && !to->passed; i++) {
        to->wrong[i] = !wrong_gives(o, to->right, i);
        to->wrong_count += to->wrong[i];
    }
    return true;
}

/* Some elements of a kind, from the first to the last of them. */
static void choose_probes(const struct suspects *all_cases, struct suspect *s, bool wrong, uint64_t all) {
    uint64_t most = all < DIAGNOSIS_PROBES / 2 ? all : DIAGNOSIS_PROBES / 2, seen = 0, taken = 0;
    for (uint64_t i = 0; i < s->count && taken < most; i++) {
        if ((s->wrong[i] != 0) != wrong)
            continue;
        if (seen++ != (most > 1 ? taken * (all - 1) / (most - 1) : 0))
            continue;
        all_cases->oracles->place(s->tried.problem_case, i, &s->probe_at[s->probe_count]);
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

unsigned suspects_group(const struct wrong_oracles *oracles, const struct problem_case *c) {
    return oracles->group != NULL ? oracles->group(c) : 0;
}

bool suspects_create(struct suspects *s, const struct problem *problem, const struct diagnosis_case *cases,
                     unsigned count, unsigned group) {
    struct wrong_feature features[WRONG_FEATURES];
    *s = (struct suspects){.problem = problem, .oracles = problem->wrong};
    s->axes = s->oracles->axis[1].one != NULL ? 2 : 1;
    s->of = calloc(count + 1, sizeof *s->of);
    if (s->of == NULL)
        return false;
    for (unsigned i = 0; i < count; i++) {
        const struct diagnosis_case *c = &cases[i];
        if (c->output == NULL || suspects_group(s->oracles, &c->problem_case) != group)
            continue;
        s->features = s->oracles->features(&c->problem_case, features);
        s->of[s->count++] = (struct suspect){
            .tried = {.problem_case = &c->problem_case, .got = c->output, .poison = c->poison},
            .passed = c->passed,
            .count = s->oracles->count(&c->problem_case)};
        s->failing += !c->passed;
    }
    qsort(s->of, s->count, sizeof *s->of, by_verdict_and_size);
    for (unsigned i = 0; i < s->count; i++) { /* where they stay: a recipe points to its case */
        struct suspect *to = &s->of[i];
        if (!prepare(s, to)) {
            suspects_free(s);
            return false;
        }
        choose_probes(s, to, true, to->wrong_count);
        choose_probes(s, to, false, to->count - to->wrong_count);
    }
    return true;
}

bool suspects_untouched(const struct suspects *s, unsigned c, uint64_t index) {
    return s->of[c].wrong[index] && wrong_untouched(s->oracles, s->of[c].right, index);
}

bool suspects_probably_within(const struct suspects *s, const struct wrong_where *where) {
    for (unsigned c = 0; c < s->failing; c++)
        for (unsigned p = 0; p < s->of[c].probe_count; p++)
            if (s->of[c].wrong[s->of[c].probe[p]] && !wrong_where_has(where, &s->of[c].probe_at[p]))
                return false;
    return true;
}

bool suspects_wrong_within(const struct suspects *s, const struct wrong_where *where) {
    struct wrong_place place;
    if (!suspects_probably_within(s, where))
        return false;
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

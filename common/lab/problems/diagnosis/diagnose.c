/* diagnose.c: every mistake there is, on every case, until one gives what was found: the simplest is told. */
#include "lab/problems/diagnosis/diagnosis_parts.h"

#include <stdlib.h>
#include <string.h>

/* WORK: nanoseconds, by oracles->work: the search ends then, on any machine after the same candidate. */
enum { FITS = 32, TOLD = 3, PARTS = 96, WORK = 1000000000, SAME_LENGTH = 2 };

struct search {
    const struct suspects *suspects;
    void *recipe;
    unsigned fit_count;
    struct candidate fits[FITS];
    unsigned length[FITS];
    uint64_t work, limit; /* the limit is the stage's: each has its share of what is left */
    bool cut;             /* a stage came to its limit */
};

/* ---- trying */

/* Is there time for so much? It is taken in any case. */
static bool spend(struct search *search, uint64_t work) {
    search->work += work;
    search->cut = search->cut || search->work > search->limit;
    return search->work <= search->limit;
}

/* A stage begins, and so many are left with it; the first may take half. */
static void begin_stage(struct search *search, unsigned left, bool first) {
    uint64_t rest = search->work < WORK ? WORK - search->work : 0;
    search->limit = search->work + rest / (first ? 2 : left);
}

/* The recipe of a candidate for a case. */
static bool make_recipe(struct search *search, const struct candidate *candidate,
                        const struct suspect *suspect) {
    const struct wrong_oracles *o = search->suspects->oracles;
    memcpy(search->recipe, suspect->base, o->recipe_size);
    for (unsigned i = 0; i < candidate->count; i++)
        wrong_mistake(o, candidate->kind[i], candidate->number[i], search->recipe);
    return o->finish == NULL || o->finish(search->recipe);
}

static bool is_everywhere(const struct wrong_where *where) {
    return where->kind->words[0] == '\0';
}

/* at: the element's place, which a candidate of a part looks at. */
static bool explains(const struct search *search, const struct candidate *candidate,
                     const struct suspect *suspect, uint64_t index, const struct wrong_place *at) {
    const struct wrong_oracles *o = search->suspects->oracles;
    if (candidate->unwritten.kind != NULL && !at->outside && wrong_where_has(&candidate->unwritten, at))
        return wrong_untouched(o, suspect->right, index);
    if (!is_everywhere(&candidate->where) && !wrong_where_has(&candidate->where, at))
        return !suspect->wrong[index];
    return wrong_gives(o, search->recipe, index);
}

static bool explains_probes(struct search *search, const struct candidate *candidate,
                            const struct suspect *suspect) {
    for (unsigned p = 0; p < suspect->probe_count; p++)
        if (!spend(search, suspect->element_work) ||
            !explains(search, candidate, suspect, suspect->probe[p], &suspect->probe_at[p]))
            return false;
    return true;
}

/* Few come so far, and each of them is followed to its end. */
static bool explains_all(struct search *search, const struct candidate *candidate,
                         const struct suspect *suspect) {
    bool placed = !is_everywhere(&candidate->where) || candidate->unwritten.kind != NULL;
    struct wrong_place at = {.outside = false};
    spend(search, suspect->count * suspect->element_work);
    for (uint64_t i = 0; i < suspect->count; i++) {
        if (placed)
            search->suspects->oracles->place(suspect->tried.problem_case, i, &at);
        if (!explains(search, candidate, suspect, i, &at))
            return false;
    }
    return true;
}

/* On a few elements of every case, then on all; the failing cases first, and the small ones. */
static bool fits(struct search *search, const struct candidate *candidate) {
    const struct suspects *s = search->suspects;
    for (int all = 0; all < 2; all++)
        for (unsigned c = 0; c < s->count; c++) {
            const struct suspect *suspect = &s->of[c];
            if (!candidate_holds(candidate, suspect)) {
                if (!suspect->passed)
                    return false;
                continue;
            }
            if ((!spend(search, suspect->recipe_work) && !all) || !make_recipe(search, candidate, suspect) ||
                !(all ? explains_all : explains_probes)(search, candidate, suspect))
                return false;
        }
    return true;
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

/* What fits is kept, the shortest first. */
static void try(struct search *search, const struct candidate *candidate) {
    unsigned at = search->fit_count; /* a length takes as long as some trials: few need theirs */
    if (search->work > search->limit ||
        (at == FITS && candidate_length(search->suspects, candidate) >= search->length[FITS - 1]) ||
        !fits(search, candidate) || is_said(search, candidate))
        return;
    unsigned length = candidate_length(search->suspects, candidate);
    if (at == FITS)
        at--;
    else
        search->fit_count++;
    for (; at > 0 && search->length[at - 1] > length; at--) {
        search->fits[at] = search->fits[at - 1];
        search->length[at] = search->length[at - 1];
    }
    search->fits[at] = *candidate;
    search->length[at] = length;
}

/* ---- what is tried */

/* Beside another choice only numbers that people write are tried, and none of the far-fetched kinds. */
static bool is_plain(const struct wrong_kind *kind, const int *number) {
    bool plain = !(kind->use & WRONG_LAST);
    for (unsigned i = 0; plain && i < WRONG_NUMBERS; i++)
        plain = candidate_is_natural(kind, i, number[i]);
    return plain;
}

/* Every single mistake of such a use and kind, as the frame has it: at a part of the output, in some cases, beside what is
 * not written. */
static void try_kind(struct search *search, const struct candidate *frame, unsigned kind, unsigned use) {
    const struct wrong_kind *k = &search->suspects->oracles->kinds[kind];
    bool framed =
        !is_everywhere(&frame->where) || frame->unwritten.kind != NULL || frame->condition != ALWAYS;
    struct candidate candidate = *frame;
    candidate.count = 1;
    candidate.kind[0] = kind;
    unsigned count = (k->use & use) == use ? wrong_mistakes(k) : 0;
    for (unsigned i = 0; i < count && search->work <= search->limit; i++) {
        wrong_numbers(k, i, candidate.number[0]);
        if (!framed || is_plain(k, candidate.number[0]))
            try(search, &candidate);
    }
}

static void try_singles(struct search *search, const struct candidate *frame, unsigned use) {
    for (unsigned kind = 0; kind < search->suspects->oracles->kind_count; kind++)
        try_kind(search, frame, kind, use);
}

/* A kind at every part before the next kind: the common ones come first in the table. */
static void try_parts(struct search *search) {
    const struct suspects *s = search->suspects;
    struct candidate frames[PARTS];
    unsigned parts = 0;
    for (unsigned i = 1, count = wrong_where_count(); i < count && parts < PARTS; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (wrong_where_fits(&where, s->axes) && suspects_probably_within(s, &where))
            frames[parts++] = (struct candidate){.where = where};
    }
    for (unsigned kind = 0; kind < s->oracles->kind_count; kind++)
        for (unsigned i = 0; i < parts; i++)
            try_kind(search, &frames[i], kind, WRONG_SOMEWHERE);
}

/* Where something goes wrong only where a size is a multiple of 4, say, or below 4: two paths
 * through the program. */
static void try_condition(struct search *search, unsigned feature, enum condition condition,
                          int64_t divisor) {
    const struct suspects *s = search->suspects;
    struct candidate frame = {
        .where = wrong_where_get(0), .feature = feature, .divisor = divisor, .condition = condition};
    bool all_failing = true, some_passing = false;
    for (unsigned c = 0; c < s->count; c++) {
        bool held = candidate_holds(&frame, &s->of[c]);
        all_failing = all_failing && (held || s->of[c].passed);
        some_passing = some_passing || !held;
    }
    if (all_failing && some_passing)
        try_singles(search, &frame, 0);
}

static void try_conditions(struct search *search) {
    const struct suspects *s = search->suspects;
    for (unsigned feature = 0; feature < s->features; feature++) {
        try_condition(search, feature, IS_ZERO, 1);
        try_condition(search, feature, IS_NOT_ZERO, 1);
        for (int64_t divisor = 2; divisor <= 64 && !s->of[0].feature[feature].flag; divisor *= 2) {
            try_condition(search, feature, IS_MULTIPLE, divisor);
            try_condition(search, feature, IS_NO_MULTIPLE, divisor);
        }
        for (int64_t bound = 2; bound <= 1024 && !s->of[0].feature[feature].flag; bound *= 2) {
            try_condition(search, feature, IS_LESS, bound);
            try_condition(search, feature, IS_NOT_LESS, bound + 1);
        }
    }
}

/* Is this part, in every case, untouched, and everything untouched that is wrong in it? By the elements that are looked
 * at first. */
static bool is_probably_unwritten(const struct suspects *s, const struct wrong_where *where) {
    for (unsigned c = 0; c < s->count; c++)
        for (unsigned p = 0; p < s->of[c].probe_count; p++) {
            uint64_t i = s->of[c].probe[p];
            bool untouched = wrong_untouched(s->oracles, s->of[c].right, i);
            if ((!untouched || s->of[c].wrong[i]) && !s->of[c].probe_at[p].outside &&
                wrong_where_has(where, &s->of[c].probe_at[p]) != untouched)
                return false;
        }
    return true;
}

static bool is_unwritten(struct search *search, const struct wrong_where *where) {
    enum { PLACE = 20 };
    const struct suspects *s = search->suspects;
    struct wrong_place place;
    bool any = false;
    if (!is_probably_unwritten(s, where))
        return false;
    for (unsigned c = 0; c < s->count; c++) {
        if (!spend(search, s->of[c].count * PLACE))
            return false;
        for (uint64_t i = 0; i < s->of[c].count; i++) {
            bool untouched = wrong_untouched(s->oracles, s->of[c].right, i), wrong = s->of[c].wrong[i];
            if (untouched && !wrong)
                continue; /* by chance the right value */
            s->oracles->place(s->of[c].tried.problem_case, i, &place);
            if (!place.outside && wrong_where_has(where, &place) != untouched)
                return false;
            any = any || untouched;
        }
    }
    return any;
}

/* Are the wrong elements that were written in this part, as far as is looked at first? */
static bool has_written(const struct suspects *s, const struct wrong_where *where) {
    for (unsigned c = 0; c < s->failing; c++)
        for (unsigned p = 0; p < s->of[c].probe_count; p++)
            if (s->of[c].wrong[s->of[c].probe[p]] && !suspects_untouched(s, c, s->of[c].probe[p]) &&
                !wrong_where_has(where, &s->of[c].probe_at[p]))
                return false;
    return true;
}

/* The first wrong element that was not written. False: there is none. */
static bool first_untouched(const struct suspects *s, struct wrong_place *place) {
    for (unsigned c = 0; c < s->failing; c++)
        for (uint64_t i = 0; i < s->of[c].count; i++)
            if (suspects_untouched(s, c, i)) {
                s->oracles->place(s->of[c].tried.problem_case, i, place);
                return !place->outside;
            }
    return false;
}

/* Some of it is not written, and the rest is wrong by a mistake: everywhere or at a part. */
static void try_unwritten_parts(struct search *search) {
    const struct suspects *s = search->suspects;
    struct wrong_place first;
    if (!first_untouched(s, &first))
        return;
    for (unsigned i = 1, parts = 0, count = wrong_where_count(); i < count && parts < PARTS; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (!wrong_where_fits(&where, s->axes) || !wrong_where_has(&where, &first) ||
            !is_unwritten(search, &where))
            continue;
        try_singles(search, &(struct candidate){.where = wrong_where_get(0), .unwritten = where}, 0);
        for (unsigned j = 1; j < count && parts < PARTS; j++) {
            struct wrong_where rest = wrong_where_get(j);
            if (!wrong_where_fits(&rest, s->axes) || !has_written(s, &rest))
                continue;
            parts++;
            try_singles(search, &(struct candidate){.where = rest, .unwritten = where}, WRONG_SOMEWHERE);
        }
    }
}

/* The numbers of a kind that may be one of two. Returns how many. */
static unsigned paired(const struct wrong_kind *kind, int (*number)[WRONG_NUMBERS], unsigned most) {
    unsigned count = kind->use & WRONG_PAIRED ? wrong_mistakes(kind) : 0, kept = 0;
    for (unsigned i = 0; i < count && kept < most; i++) {
        wrong_numbers(kind, i, number[kept]);
        kept += is_plain(kind, number[kept]);
    }
    return kept;
}

/* Every two of the common ones, not of the same kind. */
static void try_pairs(struct search *search) {
    enum { MOST = 1024 };
    static const size_t row = sizeof(int[WRONG_NUMBERS]);
    const struct wrong_oracles *o = search->suspects->oracles;
    int(*first)[WRONG_NUMBERS] = malloc(MOST * row), (*second)[WRONG_NUMBERS] = malloc(MOST * row);
    struct candidate candidate = {.count = 2, .where = wrong_where_get(0)};
    for (unsigned a = 0; first != NULL && second != NULL && a < o->kind_count; a++) {
        unsigned first_count = paired(&o->kinds[a], first, MOST);
        for (unsigned b = a + 1; b < o->kind_count && first_count > 0; b++) {
            unsigned second_count = paired(&o->kinds[b], second, MOST);
            candidate.kind[0] = a;
            candidate.kind[1] = b;
            for (unsigned i = 0; i < first_count; i++)
                for (unsigned j = 0; j < second_count && search->work <= search->limit; j++) {
                    memcpy(candidate.number[0], first[i], row);
                    memcpy(candidate.number[1], second[j], row);
                    try(search, &candidate);
                }
        }
    }
    free(first);
    free(second);
}

/* ---- choosing */

static void remove_fit(struct search *search, unsigned i) {
    search->fit_count--;
    for (; i < search->fit_count; i++) {
        search->fits[i] = search->fits[i + 1];
        search->length[i] = search->length[i + 1];
    }
}

/* Of a kind whose number may be this or that, and each unlike what people write, none is told. */
static bool is_arbitrary(const struct search *search, unsigned i) {
    const struct candidate *candidate = &search->fits[i];
    for (unsigned m = 0; m < candidate->count; m++) {
        const struct wrong_kind *kind = &search->suspects->oracles->kinds[candidate->kind[m]];
        for (unsigned n = 0; n < WRONG_NUMBERS; n++) {
            if (candidate_is_natural(kind, n, candidate->number[m][n]))
                continue;
            for (unsigned j = 0; j < search->fit_count; j++)
                if (search->fits[j].kind[m] == candidate->kind[m] &&
                    search->fits[j].number[m][n] != candidate->number[m][n])
                    return true;
        }
    }
    return false;
}

/* What is told: the shortest that fit, and what is as short. Nothing that is not shown, nor many that are far-fetched. */
static bool choose(struct search *search) {
    const struct wrong_oracles *o = search->suspects->oracles;
    bool arbitrary[FITS], far_fetched = true, one_kind = true;
    for (unsigned i = 0; i < search->fit_count; i++)
        arbitrary[i] = is_arbitrary(search, i);
    for (unsigned i = search->fit_count; i-- > 0;)
        if (arbitrary[i] || !candidate_is_shown(search->suspects, &search->fits[i]))
            remove_fit(search, i);
    while (search->fit_count > 1 && search->length[search->fit_count - 1] > search->length[0] + SAME_LENGTH)
        search->fit_count--;
    for (unsigned i = 1; i < search->fit_count; i++) /* as short as each other: in the table's order */
        for (unsigned j = i; j > 0 && search->fits[j - 1].kind[0] > search->fits[j].kind[0]; j--) {
            struct candidate other = search->fits[j];
            search->fits[j] = search->fits[j - 1];
            search->fits[j - 1] = other;
        }
    for (unsigned i = 0; i < search->fit_count; i++) {
        far_fetched = far_fetched && (o->kinds[search->fits[i].kind[0]].use & WRONG_LAST) != 0;
        one_kind = one_kind && search->fits[i].kind[0] == search->fits[0].kind[0];
    }
    return search->fit_count > 0 && !(far_fetched && !one_kind && search->fit_count > TOLD);
}

static void try_everywhere(struct search *search) {
    try_singles(search, &(struct candidate){.where = wrong_where_get(0)}, 0);
}

/* From what is said in few words to what takes more; the first stage that finds what fits ends the search. None takes
 * the time of those behind it: each has its share of what is left. */
static bool find(struct search *search) {
    static void (*const stages[])(struct search *) = {try_everywhere, try_parts, try_conditions,
                                                      try_unwritten_parts, try_pairs};
    enum { STAGES = sizeof stages / sizeof stages[0] };
    for (unsigned stage = 0; stage < STAGES && search->fit_count == 0; stage++) {
        begin_stage(search, STAGES - stage, stage == 0);
        stages[stage](search);
    }
    return choose(search);
}

/* ---- telling */

static void tell(const struct search *search, struct diagnosis *d) {
    const struct suspects *s = search->suspects;
    const struct candidate *first = &search->fits[0];
    const struct wrong_kind *kind = &s->oracles->kinds[first->kind[0]];
    char words[2 * WRONG_TEXT], other[4 * WRONG_TEXT] = "";
    bool one_kind = true;
    candidate_words(s, first, words, sizeof words);
    for (unsigned i = 1; i < search->fit_count; i++) {
        char next[2 * WRONG_TEXT];
        size_t used = strlen(other);
        one_kind = one_kind && search->fits[i].kind[0] == first->kind[0];
        candidate_words(s, &search->fits[i], next, sizeof next);
        if (i < TOLD)
            snprintf(other + used, sizeof other - used, ", or when %s", next);
    }
    if (search->fit_count > 1) {
        size_t used = strlen(other);
        snprintf(other + used, sizeof other - used, "%s: no case tells them apart",
                 one_kind && search->fit_count <= TOLD ? "" : ", or something else");
    }
    d->proven = true;
    d->cases = s->failing;
    snprintf(d->kind, sizeof d->kind, "%.20s%s%.20s%s%.18s", kind->name, first->count > 1 ? ", " : "",
             first->count > 1 ? s->oracles->kinds[first->kind[1]].name : "",
             is_everywhere(&first->where) ? "" : ", ",
             is_everywhere(&first->where) ? "" : first->where.kind->name);
    if (s->failing == 1)
        snprintf(d->text, sizeof d->text,
                 "In the one case that fails, your result is exactly what comes out when %s%s.", words,
                 other);
    else
        snprintf(d->text, sizeof d->text,
                 "In all %u cases that fail, your result is exactly what comes out when %s%s.", s->failing,
                 words, other);
    size_t used = strlen(d->text);
    if (kind->advice != NULL && first->count == 1 && one_kind)
        snprintf(d->text + used, sizeof d->text - used, " %s", kind->advice);
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
        if (deterministic && find(search)) {
            tell(search, d);
        } else {
            diagnosis_describe(&suspects, deterministic, d->text, sizeof d->text);
            size_t used = strlen(d->text);
            if (search->cut)
                snprintf(d->text + used, sizeof d->text - used,
                         " The search for a cause was long, and was cut short.");
        }
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
    unsigned group_a = suspects_group(o, a), group_b = suspects_group(o, b);
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
        unsigned group = suspects_group(problem->wrong, &cases[i].problem_case);
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

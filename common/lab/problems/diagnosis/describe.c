/* describe.c: what all failing cases have in common, where no cause is known. */
#include "lab/problems/diagnosis/diagnosis_parts.h"

#include <math.h>
#include <string.h>

static void add(char *text, size_t size, const char *sentence) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", sentence);
}

/* ---- where */

/* How many elements of the failing cases, of those with at most so many, lie in a part; *all: of how many. */
static uint64_t covered(const struct suspects *s, const struct wrong_where *where, uint64_t most,
                        uint64_t *all) {
    struct wrong_place place;
    uint64_t found = 0;
    *all = 0;
    for (unsigned c = 0; c < s->failing && (c == 0 || s->of[c].count <= most); c++) {
        *all += s->of[c].count;
        for (uint64_t i = 0; i < s->of[c].count; i++) {
            s->oracles->place(s->of[c].tried.problem_case, i, &place);
            found += wrong_where_has(where, &place);
        }
    }
    return found;
}

/* The smallest part that has all wrong elements, at most half of all there are. */
static void tell_where(const struct suspects *s, char *text, size_t size) {
    enum { SMALL = 1 << 10, TRIED = 8 }; /* the parts are compared by the small cases */
    uint64_t all, wrong = 0, least[TRIED];
    struct wrong_where best[TRIED];
    unsigned count = 0;
    for (unsigned c = 0; c < s->failing; c++)
        wrong += s->of[c].wrong_count;
    for (unsigned i = 1, parts = wrong_where_count(); i < parts; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (!wrong_where_fits(&where, s->axes) || !suspects_probably_within(s, &where))
            continue;
        uint64_t found = covered(s, &where, SMALL, &all);
        unsigned at = count;
        if (found * 2 > all || (count == TRIED && found >= least[TRIED - 1]))
            continue;
        if (count < TRIED)
            count++;
        else
            at--;
        for (; at > 0 && least[at - 1] > found; at--) {
            least[at] = least[at - 1];
            best[at] = best[at - 1];
        }
        least[at] = found;
        best[at] = where;
    }
    for (unsigned i = 0; i < count; i++) {
        char words[WRONG_TEXT], sentence[WRONG_TEXT + 64];
        /* A few wrong elements lie in some part or other by chance. */
        if (!suspects_wrong_within(s, &best[i]) ||
            (double)wrong * log2((double)all / (double)least[i]) < candidate_part_length(&best[i]))
            continue;
        wrong_where_words(&best[i], s->oracles, words, sizeof words);
        if (covered(s, &best[i], UINT64_MAX, &all) == wrong)
            snprintf(sentence, sizeof sentence, "Exactly the %s %s are wrong.", s->oracles->elements, words);
        else
            snprintf(sentence, sizeof sentence, "All wrong %s lie %s.", s->oracles->elements, words);
        add(text, size, sentence);
        return;
    }
}

/* ---- how */

/* By how much the wrong elements are off. */
struct offset {
    double least, greatest;
    bool known;  /* each is a number */
    bool no_nan; /* no right value is a number, and each that was found is one */
    bool untouched, touched;
};

static void measure(const struct suspects *s, struct offset *o) {
    *o = (struct offset){.least = INFINITY, .greatest = -INFINITY, .known = true, .no_nan = true};
    for (unsigned c = 0; c < s->failing; c++)
        for (uint64_t i = 0; i < s->of[c].count; i++) {
            double got, right;
            if (!s->of[c].wrong[i])
                continue;
            bool untouched = wrong_untouched(s->oracles, s->of[c].right, i);
            o->untouched = o->untouched || untouched;
            o->touched = o->touched || !untouched;
            bool known = wrong_values(s->oracles, s->of[c].right, i, &got, &right);
            o->no_nan = o->no_nan && known && !isfinite(right) && !(isnan(got) && isnan(right));
            o->known = o->known && known && isfinite(got) && isfinite(right);
            if (!o->known)
                continue;
            o->least = got - right < o->least ? got - right : o->least;
            o->greatest = got - right > o->greatest ? got - right : o->greatest;
        }
}

/* Was nothing written in this part, in any case? *covered: how many wrong elements it has. */
static bool is_untouched(const struct suspects *s, const struct wrong_where *where, uint64_t *covered) {
    struct wrong_place place;
    *covered = 0;
    for (unsigned c = 0; c < s->count; c++)
        for (uint64_t i = 0; i < s->of[c].count; i++) {
            s->oracles->place(s->of[c].tried.problem_case, i, &place);
            if (place.outside || !wrong_where_has(where, &place))
                continue;
            if (!wrong_untouched(s->oracles, s->of[c].right, i))
                return false;
            *covered += s->of[c].wrong[i];
        }
    return true;
}

/* By the elements that are looked at first: is most of what was never written in this part, and nothing else? */
static bool is_probably_untouched(const struct suspects *s, const struct wrong_where *where) {
    unsigned within = 0, all = 0;
    for (unsigned c = 0; c < s->count; c++)
        for (unsigned p = 0; p < s->of[c].probe_count; p++) {
            bool has = wrong_where_has(where, &s->of[c].probe_at[p]),
                 untouched = wrong_untouched(s->oracles, s->of[c].right, s->of[c].probe[p]);
            if (has && !untouched && !s->of[c].probe_at[p].outside)
                return false;
            all += untouched && s->of[c].wrong[s->of[c].probe[p]];
            within += has && untouched && s->of[c].wrong[s->of[c].probe[p]];
        }
    return within * 2 > all;
}

/* The part that was never written, in words; but for a few elements it has all that hold what was there before: any
 * result may by chance. False: no part that a few words name. */
static bool unwritten_part(const struct suspects *s, uint64_t untouched, uint64_t chance, char *words,
                           size_t size) {
    uint64_t most = untouched - untouched / 8 - chance - 1, covered;
    words[0] = '\0';
    for (unsigned i = 1, count = wrong_where_count(); i < count && most < untouched; i++) {
        struct wrong_where where = wrong_where_get(i);
        if (!wrong_where_fits(&where, s->axes) || !is_probably_untouched(s, &where) ||
            !is_untouched(s, &where, &covered) || covered <= most)
            continue;
        most = covered;
        wrong_where_words(&where, s->oracles, words, size);
    }
    return words[0] != '\0';
}

/* Some wrong elements hold what was there before the call: the filler, where the output is not changed in place. */
static void tell_unwritten(const struct suspects *s, char *text, size_t size) {
    struct problem_layout layout;
    const struct suspect *shown = &s->of[0];
    const struct suspect *filled = NULL; /* the first in which a wrong element was never written */
    char words[WRONG_TEXT], sentence[2 * WRONG_TEXT], filler[64] = "";
    uint64_t all = 0, wrong = 0, untouched = 0;
    for (unsigned c = 0; c < s->failing; c++) {
        wrong += s->of[c].wrong_count;
        for (uint64_t i = 0; i < s->of[c].count; i++)
            if (s->of[c].wrong[i] && wrong_untouched(s->oracles, s->of[c].right, i)) {
                all++;
                filled = filled != NULL ? filled : &s->of[c];
            }
    }
    if (all * 64 <= wrong) /* so many by chance, of bytes */
        return;
    for (uint64_t i = 0; i < shown->count; i++)
        untouched += shown->wrong[i] && wrong_untouched(s->oracles, shown->right, i);
    s->problem->layout(shown->tried.problem_case, &layout);
    if (!layout.in_place && s->axes == 2 && filled != NULL)
        snprintf(filler, sizeof filler, " (%u in case %.32s)", filled->tried.poison,
                 filled->tried.problem_case->name);
    if (unwritten_part(s, all, wrong / 128, words, sizeof words))
        snprintf(sentence, sizeof sentence,
                 "The %s %s were never written: they hold what was there before%s.", s->oracles->elements,
                 words, filler);
    else if (untouched > 3 && untouched * 8 > shown->wrong_count)
        snprintf(sentence, sizeof sentence,
                 "In case %.32s %llu of the wrong %s hold what was there before the call%s.",
                 shown->tried.problem_case->name, (unsigned long long)untouched, s->oracles->elements,
                 filler[0] != '\0' ? ", as if never written" : "");
    else
        return;
    add(text, size, sentence);
}

static void tell_how(const struct suspects *s, char *text, size_t size) {
    struct offset o;
    char sentence[WRONG_TEXT] = "";
    measure(s, &o);
    if (!o.touched)
        snprintf(sentence, sizeof sentence, "The wrong %s were never written.", s->oracles->elements);
    else if (o.no_nan && !o.untouched)
        snprintf(
            sentence, sizeof sentence,
            "Only %s that should be NaN or infinite are wrong: fmaxf, fminf and comparisons drop a NaN, and 0 * NaN is NaN.",
            s->oracles->elements);
    else if (o.known && !o.untouched && o.least == o.greatest)
        snprintf(sentence, sizeof sentence, "Each wrong %s is too %s by %g.", s->oracles->element,
                 o.least > 0 ? "high" : "low", fabs(o.least));
    else if (o.known && !o.untouched && o.least >= -1 && o.greatest <= 1 && o.least == -o.greatest)
        snprintf(sentence, sizeof sentence, "Each wrong %s is off by 1 or less, up or down.",
                 s->oracles->element);
    else if (o.known && !o.untouched && (o.least > 0 || o.greatest < 0))
        snprintf(sentence, sizeof sentence, "Each wrong %s is too %s.", s->oracles->element,
                 o.least > 0 ? "high" : "low");
    if (sentence[0] != '\0')
        add(text, size, sentence);
    if (o.touched && o.untouched)
        tell_unwritten(s, text, size);
}

/* ---- which cases */

/* The least and the greatest of a feature, in the cases that fail or that pass. */
static void range(const struct suspects *s, unsigned feature, bool passed, int64_t *least,
                  int64_t *greatest) {
    *least = INT64_MAX;
    *greatest = INT64_MIN;
    for (unsigned c = passed ? s->failing : 0; c < (passed ? s->count : s->failing); c++) {
        const struct wrong_feature *f = s->of[c].feature;
        int64_t value = f[feature].flag ? f[feature].value != 0 : f[feature].value;
        *least = value < *least ? value : *least;
        *greatest = value > *greatest ? value : *greatest;
    }
}

/* Is it a remainder by this number, and nothing else, that tells the cases apart? */
static bool by_remainder(const struct suspects *s, unsigned feature, int64_t divisor) {
    for (unsigned c = 0; c < s->count; c++) {
        const struct wrong_feature *f = s->of[c].feature;
        if ((f[feature].value % divisor != 0) == s->of[c].passed)
            return false;
    }
    return true;
}

static bool tell_feature(const struct suspects *s, unsigned feature, const struct wrong_feature *f,
                         char *text, size_t size) {
    int64_t fail_least, fail_most, pass_least, pass_most;
    char sentence[WRONG_TEXT] = "";
    range(s, feature, false, &fail_least, &fail_most);
    range(s, feature, true, &pass_least, &pass_most);
    if (f->flag && fail_least != 0 && pass_least == 0 && pass_most == 0)
        snprintf(sentence, sizeof sentence, "Exactly the cases with %s fail.", f->name);
    else if (f->flag && fail_least == 0 && fail_most == 0 && pass_least != 0)
        snprintf(sentence, sizeof sentence, "Exactly the cases without %s fail.", f->name);
    else if (!f->flag && pass_most < fail_least)
        snprintf(sentence, sizeof sentence,
                 "Every case with %s up to %lld is right, every one from %lld on is wrong.", f->name,
                 (long long)pass_most, (long long)fail_least);
    else if (!f->flag && fail_most < pass_least)
        snprintf(sentence, sizeof sentence,
                 "Every case with %s up to %lld is wrong, every one from %lld on is right.", f->name,
                 (long long)fail_most, (long long)pass_least);
    for (int64_t divisor = 2; sentence[0] == '\0' && !f->flag && divisor <= 1024; divisor *= 2)
        if (by_remainder(s, feature, divisor))
            snprintf(sentence, sizeof sentence, "Exactly the cases whose %s is not a multiple of %lld fail.",
                     f->name, (long long)divisor);
    if (sentence[0] == '\0')
        return false;
    add(text, size, sentence);
    return true;
}

static void tell_cases(const struct suspects *s, bool deterministic, char *text, size_t size) {
    const struct wrong_feature *f = s->of[0].feature;
    char sentence[WRONG_TEXT];
    if (s->failing == s->count)
        snprintf(sentence, sizeof sentence, "Every case is wrong.");
    else
        snprintf(sentence, sizeof sentence, "%u of %u cases %s wrong; the smallest is %s.", s->failing,
                 s->count, s->failing == 1 ? "is" : "are", s->of[0].tried.problem_case->name);
    add(text, size, sentence);
    for (unsigned i = 0; deterministic && i < s->features && s->failing > 1 && s->count - s->failing > 1; i++)
        if (tell_feature(s, i, &f[i], text, size))
            return;
}

void diagnosis_describe(const struct suspects *s, bool deterministic, char *text, size_t size) {
    text[0] = '\0';
    if (deterministic) {
        tell_where(s, text, size);
        tell_how(s, text, size);
    }
    tell_cases(s, deterministic, text, size);
}

/* wrong_oracle.c: kinds of mistake: their numbers, what they change, their words; what a recipe gives beside what was found. */
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <math.h>
#include <string.h>

static int next(const struct wrong_range *range, int number) {
    return range->step == 0 ? 2 * number : number + range->step;
}

static unsigned length(const struct wrong_range *range) {
    unsigned count = 1;
    for (int number = range->first; number != 0 || range->step != 0; count++) {
        number = next(range, number);
        if (number > range->last)
            break;
    }
    return count;
}

unsigned wrong_mistakes(const struct wrong_kind *kind) {
    unsigned count = 1;
    for (unsigned i = 0; i < WRONG_NUMBERS; i++)
        count *= length(&kind->number[i]);
    return count;
}

void wrong_numbers(const struct wrong_kind *kind, unsigned mistake, int number[WRONG_NUMBERS]) {
    for (unsigned i = 0; i < WRONG_NUMBERS; i++) {
        const struct wrong_range *range = &kind->number[i];
        unsigned count = length(range), place = mistake % count;
        mistake /= count;
        number[i] = range->first;
        while (place-- > 0)
            number[i] = next(range, number[i]);
    }
}

static int64_t value_of(const struct wrong_kind *kind, const struct wrong_change *c, int number) {
    switch (c->how) {
    case WRONG_NUMBER: return (int64_t)number * c->value;
    case WRONG_EQUAL: return number == c->value;
    case WRONG_LISTED: return c->list[number - kind->number[c->number].first];
    case WRONG_ELEMENT: return number;
    default: return c->value;
    }
}

/* A field of a recipe is a bool or a byte, an int or an enum, or a whole number of 64 bits. */
static void put(uint8_t *field, unsigned size, int64_t value) {
    int32_t word = (int32_t)value;
    uint8_t byte = (uint8_t)value;
    memcpy(field, size == sizeof value ? (void *)&value : size == sizeof word ? (void *)&word : &byte, size);
}

static void change(const struct wrong_kind *kind, const struct wrong_change *c, const int *number,
                   uint8_t *recipe) {
    uint8_t *field = recipe + c->at;
    uint32_t bits;
    switch (c->how) {
    case WRONG_NO_MORE: break;
    case WRONG_CALL: c->call(recipe, number + c->number); break;
    case WRONG_COPY: memcpy(field, recipe + c->from, c->size); break;
    case WRONG_PICK: memcpy(field, recipe + c->from + c->size * number[c->number], c->size); break;
    case WRONG_BIT:
        memcpy(&bits, field, sizeof bits);
        put(field, c->size, bits | 1u << (number[c->number] + c->value));
        break;
    case WRONG_ELEMENT: field += c->size * number[c->value]; /* fall through */
    default: put(field, c->size, value_of(kind, c, number[c->number])); break;
    }
}

void wrong_mistake(const struct wrong_oracles *oracles, unsigned kind, const int *number, void *recipe) {
    const struct wrong_kind *k = &oracles->kinds[kind];
    for (unsigned i = 0; i < WRONG_CHANGES && k->change[i].how != WRONG_NO_MORE; i++)
        change(k, &k->change[i], number, recipe);
}

/* Which of the range's numbers this is. */
static unsigned place_in(const struct wrong_range *range, int number) {
    unsigned place = 0;
    for (int at = range->first; at != number && place < length(range); place++)
        at = next(range, at);
    return place;
}

/* One of "left|right|top}": its start, and how long it is. */
static const char *choose(const char *words, unsigned place, size_t *length_of) {
    for (; place > 0; place--) {
        words += strcspn(words, "|}");
        words += *words == '|';
    }
    *length_of = strcspn(words, "|}");
    return words;
}

void wrong_words(const struct wrong_kind *kind, const char *words, const int *number, char *text,
                 size_t size) {
    size_t used = 0;
    text[0] = '\0';
    while (*words != '\0' && used + 1 < size) {
        if (*words != '{') {
            text[used++] = *words++;
            text[used] = '\0';
            continue;
        }
        bool sign = words[1] == '+';
        const char *digit = words + 1 + sign;
        unsigned which = (unsigned)(*digit - '0') % WRONG_NUMBERS;
        if (digit[1] == ':') {
            size_t count;
            const char *word = choose(digit + 2, place_in(&kind->number[which], number[which]), &count);
            snprintf(text + used, size - used, "%.*s", (int)count, word);
        } else {
            snprintf(text + used, size - used, sign ? "%+d" : "%d", number[which]);
        }
        used += strlen(text + used);
        words += strcspn(words, "}");
        words += *words == '}';
    }
}

bool wrong_has_term(const struct wrong_terms *terms, int64_t term, int64_t count) {
    int64_t a = terms->a > 0 ? terms->a : 1;
    switch (terms->which) {
    case WRONG_ALL:
    case WRONG_ONE_MORE:
    case WRONG_TAIL_TWICE: break;
    case WRONG_FROM: return term >= a;
    case WRONG_WITHOUT_LAST: return term < count - a;
    case WRONG_FIRST: return term < a;
    case WRONG_NO_TAIL: return term < count - count % a;
    case WRONG_LAST_BLOCK: return term >= (count - 1) / a * a;
    case WRONG_SKIP: return term % a != terms->b;
    case WRONG_NO_LOW_TAIL: return term >= count % a;
    }
    return true;
}

double wrong_shortened(double x, enum wrong_precision precision) {
    uint64_t image, lost = precision == WRONG_BFLOAT16 || precision == WRONG_BFLOAT16_CUT ? 53 - 8 : 53 - 11;
    bool cut = precision == WRONG_BFLOAT16_CUT || precision == WRONG_TF32_CUT;
    if (precision == WRONG_EXACT || !isfinite(x))
        return x;
    if (precision == WRONG_HALF && fabs(x) < 0x1p-14) /* its smallest numbers lie evenly */
        return rint(x * 0x1p24) * 0x1p-24;
    memcpy(&image, &x, sizeof image);
    if (!cut)
        image += (UINT64_C(1) << (lost - 1)) - 1 + (image >> lost & 1);
    image &= ~((UINT64_C(1) << lost) - 1);
    memcpy(&x, &image, sizeof x);
    return precision == WRONG_HALF && fabs(x) >= 0x1p16 ? copysign(INFINITY, x) : x;
}

/* ---- elements */

struct wrong_element wrong_whole(int result) {
    return (struct wrong_element){.status = result == UNWRITTEN ? WRONG_UNWRITTEN
                                            : result == UNKNOWN ? WRONG_UNKNOWN
                                                                : WRONG_KNOWN,
                                  .value = result};
}

static const struct wrong_tried *tried_of(const void *recipe) {
    const struct wrong_tried *tried;
    memcpy(&tried, recipe, sizeof tried);
    return tried;
}

static double number_at(const struct wrong_oracles *o, const void *output, uint64_t index) {
    switch (o->type) {
    case WRONG_BYTES: return ((const uint8_t *)output)[index];
    case WRONG_WORDS: return ((const int32_t *)output)[index];
    case WRONG_FLOATS: return (double)((const float *)output)[index];
    case WRONG_DOUBLES: break;
    }
    return ((const double *)output)[index];
}

bool wrong_untouched(const struct wrong_oracles *o, const void *recipe, uint64_t index) {
    static const size_t sizes[] = {1, sizeof(int32_t), sizeof(float), sizeof(double)};
    const struct wrong_tried *tried = tried_of(recipe);
    if (tried->before != NULL)
        return problem_same(((const float *)tried->got)[index], ((const float *)tried->before)[index]);
    return problem_is_poison((const uint8_t *)tried->got + index * sizes[o->type], sizes[o->type],
                             tried->poison);
}

bool wrong_gives(const struct wrong_oracles *o, const void *recipe, uint64_t index) {
    const struct wrong_tried *tried = tried_of(recipe);
    struct wrong_element e = o->expected(recipe, index);
    double got = number_at(o, tried->got, index);
    if (e.status != WRONG_KNOWN)
        return e.status == WRONG_UNWRITTEN && wrong_untouched(o, recipe, index);
    if (o->type == WRONG_BYTES)
        return got == e.value;
    if (tried->before == NULL && wrong_untouched(o, recipe, index)) /* poison may be a small number */
        return false;
    if (e.bound == WRONG_SAME_BITS)
        return problem_same((float)got, (float)e.value);
    return problem_near(e.value, e.bound, got);
}

bool wrong_values(const struct wrong_oracles *o, const void *recipe, uint64_t index, double *got,
                  double *right) {
    struct wrong_element e = o->expected(recipe, index);
    *got = number_at(o, tried_of(recipe)->got, index);
    *right = e.value;
    return e.status == WRONG_KNOWN;
}

/* ---- images */

uint64_t wrong_image_count(const struct problem_case *c) {
    return (uint64_t)(c->size[0] * c->size[1]);
}

void wrong_image_place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t width = c->size[0];
    *p = (struct wrong_place){.at = {(int64_t)index % width, (int64_t)index / width},
                              .extent = {width, c->size[1]}};
}

unsigned wrong_image_features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"width", c->size[0], WRONG_COUNTS};
    f[1] = (struct wrong_feature){"height", c->size[1], WRONG_COUNTS};
    return 2;
}

/* wrong_oracle.c: kinds of mistake: their numbers, and their words. */
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

bool wrong_same_float(float a, float b) {
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1] || (isnan(a) && isnan(b));
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

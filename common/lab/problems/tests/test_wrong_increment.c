/* Wrong increments and polynomials as students write them, and the cause that is told: never another one. */
#include "lab/problems/increment.h"
#include "support_wrong.h"
#include <math.h>

#define MISTAKES(X)                                                                                          \
    X(A_TAIL_4, "A: n / 4 float4", "unchanged, tail", "elements with i >= n - n % 4")                        \
    X(A_BLOCKS_DOWN, "A: n / 256 blocks", "unchanged, tail", "elements with i >= n - n % 256")               \
    X(A_ONLY_X, "A: only v.x", "unchanged, modulo-from", "i % 4 >= 1")                                       \
    X(A_TWICE, "A: every element twice", "amount", "2 is added")                                             \
    X(A_PLUS_2, "A: even elements twice", "amount, modulo", "i % 2 = 0")                                     \
    X(A_LAST, "A: i < n - 1", "unchanged, last", "in the last element")                                      \
    X(A_NEIGHBOUR, "A: x[i] = x[i + 1] + 1", "shifted", "Part A")                                            \
    X(A_FIRST_1024, "A: one block", "unchanged, from", "elements with i >= 1024")                            \
    X(A_OVERLAP, "A: blocks overlap", "overlap", "each block takes 1024 elements and begins 256 after")      \
    X(A_TAIL_TWICE, "A: the tail twice", "amount, tail", "n - n % 4")                                        \
    X(A_NONE, "A: nothing", "unchanged", "nothing is incremented")                                           \
    X(A_HELD, "A: v.y = v.x + 1", "held", "of every 4 elements all get the result of number 0")              \
    X(A_TIMES_2, "A: 2 x", "change", "2 * x[i]")                                                             \
    X(A_TAIL_ONE, "A: one of the tail", "unchanged, tail-rest", "in elements with i > n - n % 4")            \
    X(A_WORDS_DOWN, "A: n / 4 / 256 blocks", "unchanged, tail-but-tail",                                     \
      "i >= n - n % 1024 and i < n - n % 4")                                                                 \
    X(A_FEW, "A: no block for n < 4", "unchanged", "nothing is incremented, where n is below 4")             \
    X(B_ABSOLUTE, "B: |x|", "series", "the absolute value of x is taken")                                    \
    X(B_WRAP, "B: 256 coefficients", "coefficients-wrap", "c[j % 256] is taken for c[j]")                    \
    X(B_STRIDE, "B: loaded side by side", "other-stride",                                                    \
      "a thread's 8 elements lie side by side where they are loaded")                                        \
    X(B_NAN_LOST, "B: fmaxf", NULL, "Only elements that should be NaN or infinite are wrong")                \
    X(B_REVERSED, "B: reversed", "series", "reverse order")                                                  \
    X(B_NO_FIRST, "B: j > 0", "terms", "the first term is left out")                                         \
    X(B_LAST_STEP, "B: j > 0, and no * x", "series",                                                         \
      "the last step of the loop, which adds c[0], is missing")                                              \
    X(B_NO_LAST, "B: from count - 2", "terms", "the last term is left out")                                  \
    X(B_TERMS_TAIL_4, "B: count / 4", "terms-tail", "the last count % 4 terms are left out")                 \
    X(B_TAIL_16, "B: n / 16", "unwritten, tail", "n - n % 16")                                               \
    X(B_EMPTY, "B: nothing", "unwritten", "nothing is written")                                              \
    X(B_POWER, "B: x too often", "series", "each power of x is one too high")                                \
    X(B_CARRIED, "B: sum not reset", "accumulated", "between the 4 neighbouring elements")                   \
    X(B_HALF, "B: 11 bits", "short-each", "each sum are rounded to")                                         \
    X(B_DERIVED, "B: derivative", "series", "the derivative")                                                \
    X(B_FIRST_16_TERMS, "B: 16 terms", "terms-tail", "only the first 16 terms are added")                    \
    X(B_NOISE, "B: no pattern", NULL, "Part B: ")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

static double short_of(double x) {
    int exponent;
    double part = frexp(x, &exponent);
    return isfinite(x) ? ldexp(rint(ldexp(part, 11)), exponent - 11) : x;
}

static void increment(unsigned which, int64_t n, const float *x, float *out) {
    for (int64_t i = 0; i < n; i++) {
        bool skipped = (which == A_TAIL_4 && i >= n / 4 * 4) ||
                       (which == A_BLOCKS_DOWN && i >= n / 256 * 256) || (which == A_ONLY_X && i % 4 != 0) ||
                       (which == A_LAST && i == n - 1) || (which == A_TAIL_ONE && i > n / 4 * 4) ||
                       (which == A_WORDS_DOWN && i >= n / 1024 * 1024 && i < n / 4 * 4) ||
                       (which == A_FEW && n < 4) || (which == A_FIRST_1024 && i >= 1024) || which == A_NONE;
        if (skipped)
            continue;
        out[i] = x[i] + 1;
        if (which == A_TWICE || (which == A_PLUS_2 && i % 2 == 0) ||
            (which == A_TAIL_TWICE && i >= n / 4 * 4))
            out[i] += 1;
        if (which == A_NEIGHBOUR)
            out[i] = x[i > 0 ? i - 1 : 0] + 1;
        if (which == A_HELD)
            out[i] = x[i / 4 * 4] + 1;
        if (which == A_TIMES_2)
            out[i] = 2 * x[i];
        if (which == A_OVERLAP)
            for (int64_t block = (i - 1023 + 255) / 256; i >= 1024 ? block < i / 256 : false; block++)
                out[i] += 1;
        if (which == A_OVERLAP && i < 1024)
            for (int64_t block = 0; block < i / 256; block++)
                out[i] += 1;
    }
}

static float polynomial_at(unsigned which, float x, const float *c, int64_t count, float start) {
    float sum = which == B_CARRIED ? start : 0;
    int64_t from = which == B_NO_LAST ? count - 1 : which == B_TERMS_TAIL_4 ? count / 4 * 4 : count;
    if (which == B_FIRST_16_TERMS && from > 16)
        from = 16;
    if (which == B_HALF) {
        double total = 0, at = short_of((double)x);
        for (int64_t j = count - 1; j >= 0; j--)
            total = short_of(total * at + short_of((double)c[j]));
        return (float)total;
    }
    for (int64_t j = from - 1;
         j >= (which == B_NO_FIRST || which == B_LAST_STEP || which == B_DERIVED ? 1 : 0); j--) {
        if (which == B_DERIVED)
            sum = sum * x + (float)j * c[j];
        else
            sum = sum * x + c[which == B_REVERSED ? count - 1 - j : which == B_WRAP ? j % 256 : j];
    }
    if (which == B_NO_FIRST || which == B_POWER)
        sum *= x;
    return sum;
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    int64_t n = c->size[INCREMENT_N], count = c->size[INCREMENT_COEFFICIENTS];
    const float *x = inputs[0];
    float *out = output, last = 0;
    if (c->size[INCREMENT_PART] == INCREMENT_A) {
        increment(which, n, x, out);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        if ((which == B_TAIL_16 && i >= n / 16 * 16) || which == B_EMPTY)
            continue;
        int64_t at = which == B_STRIDE ? i / 1024 * 1024 + i % 128 * 8 + i % 1024 / 128 : i;
        float own = at >= n               ? 0
                    : which == B_ABSOLUTE ? fabsf(x[at])
                    : which == B_NAN_LOST ? fmaxf(x[at], -1e6F)
                                          : x[at];
        last = polynomial_at(which, own, inputs[1], count, i % 4 != 0 ? last : 0);
        out[i] = last;
        if (which == B_NOISE && wrong_scatter((uint32_t)(i + 13 * n)) % 32 == 0)
            out[i] += (float)(wrong_scatter((uint32_t)i) % 1000) / 7;
    }
}

int main(void) {
    return wrong_suite(&problem_increment, function, rows, KINDS);
}

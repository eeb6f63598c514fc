/* Wrong products of matrices as students write them, and the cause that is told: never another one. */
#include "lab/problems/gemm.h"
#include "support_wrong.h"
#include <math.h>

#define MISTAKES(X)                                                                                          \
    X(NOTHING, "empty", "unwritten", "nothing is written")                                                   \
    X(NO_ALPHA, "no alpha", "constants", "alpha is left out")                                                \
    X(NO_BETA, "no beta", "constants", "beta * C is left out")                                               \
    X(BETA_ON_ALL, "alpha on all", "constants", "alpha is applied to beta * C, too")                         \
    X(READS_C, "0 * C", "constants", "C is read although beta is 0")                                         \
    X(K_ZERO, "return if k is 0", "k-zero", "nothing is written if k is 0")                                  \
    X(K_TAIL_8, "k / 8", "steps-tile", "the last k % 8 products are left out")                               \
    X(K_LAST, "p < k - 1", "steps", "the last of the k products is left out")                                \
    X(K_FIRST_TILE_16, "one tile", "steps-tile", "only the first 16 products are added")                     \
    X(K_STALE_16, "tile not cleared", "steps-tile",                                                          \
      "what the last tile of 16 products lacks is taken from the tile before")                               \
    X(SUM_PER_TILE, "sum set to 0 in each tile", "steps-tile", "only the last tile of 8 products is added")  \
    X(LDA_IS_M, "a[row + p * m]", "a-stride", "a[row + p * m]")                                              \
    X(LDB_IS_K, "b[p + column * k]", "b-stride", "b[p + column * k]")                                        \
    X(B_BY_ROWS, "b[p * n + column]", "b-transposed", "b[p * n + column]")                                   \
    X(LDC_IS_M, "c[row + column * m]", "c-stride", "c[row + column * m]")                                    \
    X(C_BY_ROWS_SQUARE, "c[row * n + column]", "c-transposed", "c[row * n + column]")                        \
    X(M_TAIL_32, "m / 32", "unwritten, tail", "in rows with row >= m - m % 32")                              \
    X(N_TAIL, "n / 8", "unwritten, tail", "in columns with column >= n - n % 8")                             \
    X(MN_TAILS, "m / 16, n / 16", "unwritten, tails", "row >= m - m % 16 or column >= n - n % 16")           \
    X(EVERY_4TH_COLUMN, "a column of four", "unwritten, modulo", "column % 4 = 3")                           \
    X(ROWS_ALIKE, "rows alike", "held", "of every 2 rows all get the result of number 0")                    \
    X(SUM_CARRIED, "sum not reset", "accumulated", "between the 4 rows")                                     \
    X(TF32, "TF32", "short", "rounded to TF32")                                                              \
    X(SHIFTED, "row + 1", "shifted", "(row +1, column +0)")                                                  \
    X(MINUS, "minus beta C", "constants", "beta * C is subtracted")                                          \
    X(NOISE, "no pattern", NULL, "cases are wrong")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

struct matrices {
    const float *a, *b;
    int64_t m, n, k, lda, ldb;
    size_t a_count, b_count;
};

static float short_of(float x) {
    int exponent;
    double part = frexp((double)x, &exponent);
    return isfinite(x) ? (float)ldexp(rint(ldexp(part, 11)), exponent - 11) : x;
}

static float product(unsigned which, const struct matrices *x, int64_t row, int64_t column, int64_t p) {
    int64_t i = row + p * (which == LDA_IS_M ? x->m : x->lda),
            j = p + column * (which == LDB_IS_K ? x->k : x->ldb);
    if (which == B_BY_ROWS)
        j = p * x->n + column;
    float a = i < (int64_t)x->a_count ? x->a[i] : NAN, b = j < (int64_t)x->b_count ? x->b[j] : NAN;
    if (which == TF32) {
        a = short_of(a);
        b = short_of(b);
    }
    return a * b;
}

static float sum_of(unsigned which, const struct matrices *x, int64_t row, int64_t column) {
    int64_t k = x->k, first = 0, end = k;
    float sum = 0;
    if (which == K_TAIL_8)
        end = k / 8 * 8;
    if (which == K_LAST)
        end = k - 1;
    if (which == K_FIRST_TILE_16 && k > 16)
        end = 16;
    if (which == SUM_PER_TILE && k > 0)
        first = (k - 1) / 8 * 8;
    for (int64_t p = first; p < end; p++)
        sum += product(which, x, row, column, p);
    if (which == K_STALE_16 && k > 16)
        for (int64_t p = k % 16 != 0 ? k - 16 : k; p < k / 16 * 16; p++)
            sum += product(which, x, row, column, p);
    return sum;
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    const int64_t *s = c->size, m = s[GEMM_M], n = s[GEMM_N], k = s[GEMM_K];
    struct problem_layout l;
    problem_gemm.layout(c, &l);
    struct matrices x = {(const float *)inputs[0] + s[GEMM_SHIFT_A],
                         (const float *)inputs[1] + s[GEMM_SHIFT_B],
                         m,
                         n,
                         k,
                         s[GEMM_LDA],
                         s[GEMM_LDB],
                         l.bytes[0] / sizeof(float) - (size_t)s[GEMM_SHIFT_A],
                         l.bytes[1] / sizeof(float) - (size_t)s[GEMM_SHIFT_B]};
    float *out = (float *)output + s[GEMM_SHIFT_C], alpha = (float)s[GEMM_ALPHA] / 4,
          beta = (float)s[GEMM_BETA] / 4;
    if (which == NOTHING || (which == K_ZERO && k == 0))
        return;
    for (int64_t j = 0; j < n; j++) {
        float carried = 0;
        for (int64_t i = 0; i < m; i++) {
            int64_t row = which == ROWS_ALIKE ? i & ~1 : which == SHIFTED ? (i + 1) % m : i;
            bool skipped = (which == M_TAIL_32 && i >= m / 32 * 32) || (which == N_TAIL && j >= n / 8 * 8) ||
                           (which == MN_TAILS && (i >= m / 16 * 16 || j >= n / 16 * 16)) ||
                           (which == EVERY_4TH_COLUMN && j % 4 == 3) || (which == SHIFTED && i == m - 1);
            if (skipped && which != SHIFTED)
                continue;
            float sum = which == SHIFTED && skipped ? sum_of(which, &x, i, j) : sum_of(which, &x, row, j);
            carried = i % 4 == 0 ? sum : carried + sum;
            if (which == SUM_CARRIED)
                sum = carried;
            float *cell =
                &out[which == C_BY_ROWS_SQUARE ? i * n + j : i + j * (which == LDC_IS_M ? m : s[GEMM_LDC])];
            if (which == C_BY_ROWS_SQUARE &&
                (i * n + j + s[GEMM_SHIFT_C] >= (int64_t)(l.bytes[2] / sizeof(float))))
                continue;
            float before = beta == 0 && which != READS_C ? 0 : beta * *cell;
            if (which == NO_BETA)
                before = 0;
            if (which == MINUS)
                before = -before;
            *cell = which == NO_ALPHA      ? sum + before
                    : which == BETA_ON_ALL ? alpha * (sum + before)
                                           : alpha * sum + before;
            if (which == NOISE && wrong_scatter((uint32_t)(i * 31 + j * 977)) % 40 == 0)
                *cell += 1 + (float)(wrong_scatter((uint32_t)(i + j)) % 100);
        }
    }
}

int main(void) {
    return wrong_suite(&problem_gemm, function, rows, KINDS);
}

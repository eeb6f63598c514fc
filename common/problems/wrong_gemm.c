/*
 * wrong_gemm.c: what can be wrong with C = alpha A B + beta C. What a recipe gives is a double with its error bound, the
 * same as the oracle's: an element is what the recipe gives where it lies within.
 */
#include "problems/gemm.h"
#include "problems/wrong_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which of the products of an element are added. */
enum steps {
    ALL,
    FROM,          /* p >= a */
    WITHOUT_LAST,  /* p < k - a */
    FIRST,         /* p < a */
    NO_TAIL,       /* p < k - k % a */
    LAST_TILE,     /* p from the last multiple of a on */
    TAIL_TWICE,    /* those from k - k % a on twice */
    TAIL_STALE,    /* where the last tile has no more, it still holds the one before */
    TAIL_REPEATED, /* there it holds the last of them again */
    SKIP,          /* p % a != b */
    TO             /* p < a */
};

/* What stands for an element's sum with the constants. */
enum whole {
    RIGHT,
    NO_ALPHA,
    ALPHA_TWICE,
    ALPHA_ALL, /* alpha (A B + beta C) */
    NO_BETA,   /* C is not added */
    BETA_ONE,  /* C is added as it is */
    BETA_TWICE,
    BETA_READ, /* C is read where beta is 0, too */
    MINUS,
    NO_PRODUCT,
    EXCHANGED, /* beta A B + alpha C */
    AGAIN,     /* computed twice, the second time on top of the first */
    NO_CONSTANTS
};

/* What strides may be taken for. */
enum extent { ONE, M, N, K, LDA, LDB, LDC, EXTENTS };

struct gemm {
    const struct wrong_tried *tried;
    const float *a, *b, *old, *got; /* a, b: the matrices; old, got: the buffers of C */
    int64_t extent[EXTENTS], a_count, b_count, c_shift, c_count;
    double alpha, beta;
    bool exact;
    int64_t a_row, a_step, b_step, b_column, c_row, c_column, old_row, old_column;
    enum steps steps;
    int64_t steps_a, steps_b;
    enum whole whole;
    int64_t shift[2];
    bool shift_clamped, exchanged_a;
    int exchanged, micro; /* sides of tiles */
    int hold[2], held[2];
    int added[2], added_stride; /* sums that are not set to 0 before the next */
    bool c_by_rows, transposed, unwritten, unwritten_no_steps;
    int grid[2];
    enum wrong_precision precision; /* of the factors */
};

enum status { VALUE, UNWRITTEN, UNKNOWN };

struct element {
    enum status status;
    double value, bound;
};

/* ---- a sum */

struct sum {
    double value, size;
    bool known;
};

static void add(const struct gemm *g, struct sum *sum, const float *a, const float *b, int64_t p, int times) {
    const float *first = a + p * g->a_step, *second = b + p * g->b_step;
    if (first - g->a >= g->a_count || second - g->b >= g->b_count) {
        sum->known = false;
        return;
    }
    double product =
        wrong_shortened((double)*first, g->precision) * wrong_shortened((double)*second, g->precision);
    sum->value += times * product;
    sum->size += times * fabs(product);
}

static void add_range(const struct gemm *g, struct sum *sum, const float *a, const float *b, int64_t from,
                      int64_t to) {
    int64_t k = to - 1;
    if (from >= to)
        return;
    if (a + k * g->a_step - g->a >= g->a_count || b + k * g->b_step - g->b >= g->b_count) {
        sum->known = false;
        return;
    }
    for (int64_t p = from; g->precision == WRONG_EXACT && p < to; p++) {
        double product = (double)a[p * g->a_step] * (double)b[p * g->b_step];
        sum->value += product;
        sum->size += fabs(product);
    }
    for (int64_t p = from; g->precision != WRONG_EXACT && p < to; p++)
        add(g, sum, a, b, p, 1);
}

/* A product of tiles, of which one is read with its two indices exchanged; beyond the matrix a tile holds 0. */
static void add_exchanged(const struct gemm *g, int64_t row, int64_t column, struct sum *sum) {
    int64_t tile = g->exchanged;
    for (int64_t start = 0; start < g->extent[K]; start += tile)
        for (int64_t q = 0; q < tile; q++) {
            int64_t i = row, j = column, p = start + q, p_a = p, p_b = p;
            if (g->exchanged_a) {
                i = row / tile * tile + q;
                p_a = start + row % tile;
            } else {
                j = column / tile * tile + q;
                p_b = start + column % tile;
            }
            if (i >= g->extent[M] || j >= g->extent[N] || p_a >= g->extent[K] || p_b >= g->extent[K])
                continue;
            double product = (double)g->a[i + p_a * g->a_step] * (double)g->b[p_b + j * g->b_column];
            sum->value += product;
            sum->size += fabs(product);
        }
}

/* The row of A by the column of B, as far as it is added. */
static void add_products(const struct gemm *g, int64_t row, int64_t column, struct sum *sum) {
    const float *a = g->a + row * g->a_row, *b = g->b + column * g->b_column;
    int64_t k = g->extent[K], tile = g->steps_a > 0 ? g->steps_a : 1, whole = k / tile * tile;
    if (g->exchanged != 0) {
        add_exchanged(g, row, column, sum);
        return;
    }
    switch (g->steps) {
    case ALL: add_range(g, sum, a, b, 0, k); break;
    case FROM: add_range(g, sum, a, b, g->steps_a, k); break;
    case WITHOUT_LAST: add_range(g, sum, a, b, 0, k - g->steps_a); break;
    case FIRST: add_range(g, sum, a, b, 0, k < tile ? k : tile); break;
    case NO_TAIL: add_range(g, sum, a, b, 0, whole); break;
    case LAST_TILE: add_range(g, sum, a, b, k > 0 ? (k - 1) / tile * tile : 0, k); break;
    case TO: add_range(g, sum, a, b, 0, g->steps_a); break;
    case SKIP:
        for (int64_t p = 0; p < k; p++)
            if (p % tile != g->steps_b)
                add(g, sum, a, b, p, 1);
        break;
    case TAIL_TWICE:
        add_range(g, sum, a, b, 0, k);
        add_range(g, sum, a, b, whole, k);
        break;
    case TAIL_STALE:
        add_range(g, sum, a, b, 0, k);
        if (k % tile != 0 && k < tile) /* what was never put there: NaN, or by chance nothing */
            sum->value = g->steps_b == 0 ? sum->value : (double)NAN;
        else if (k % tile != 0)
            add_range(g, sum, a, b, k - tile, whole);
        break;
    case TAIL_REPEATED:
        add_range(g, sum, a, b, 0, k);
        if (k % tile != 0)
            add(g, sum, a, b, k - 1, (int)(tile - k % tile));
        break;
    }
}

/* ---- an element */

static struct element computed(const struct gemm *g, int64_t row, int64_t column, double old) {
    struct sum sum = {0, 0, true};
    int64_t first_row = row, first_column = column, stride = g->added_stride > 0 ? g->added_stride : 1;
    if (g->added[0] > 1)
        first_row = row - row / stride % g->added[0] * stride;
    if (g->added[1] > 1)
        first_column = column - column / stride % g->added[1] * stride;
    for (int64_t i = first_row; i <= row; i += stride)
        for (int64_t j = first_column; j <= column; j += stride)
            add_products(g, i, j, &sum);
    if (!sum.known)
        return (struct element){.status = UNKNOWN};
    double alpha = g->alpha, beta = g->beta, product = alpha * sum.value, size = fabs(alpha) * sum.size,
           before = beta == 0 ? 0 : beta * old;
    switch (g->whole) {
    case RIGHT: break;
    case NO_ALPHA: product = sum.value, size = sum.size; break;
    case ALPHA_TWICE: product *= alpha, size *= fabs(alpha); break;
    case ALPHA_ALL: before *= alpha; break;
    case NO_BETA: before = 0; break;
    case BETA_ONE: before = beta == 0 ? 0 : old; break;
    case BETA_TWICE: before *= beta; break;
    case BETA_READ: before = beta * old; break;
    case MINUS: before = -before; break;
    case NO_PRODUCT: product = size = 0; break;
    case EXCHANGED:
        product = beta * sum.value;
        size = fabs(beta) * sum.size;
        before = alpha == 0 ? 0 : alpha * old;
        break;
    case AGAIN: before = beta == 0 ? 0 : beta * (product + before); break;
    case NO_CONSTANTS: product = sum.value, size = sum.size, before = beta == 0 ? 0 : old; break;
    }
    double bound =
        g->exact ? 0 : ((double)g->extent[K] + 4) * 0x1p-23 * (size + fabs(before)) + (double)FLT_MIN;
    return (struct element){VALUE, product + before, bound};
}

/* Which element of C this place of the buffer is, for who stores at these strides. */
static enum status stored_at(const struct gemm *g, int64_t at, int64_t *row, int64_t *column) {
    bool by_columns = !g->c_by_rows;
    int64_t stride = by_columns ? g->c_column : g->c_row, m = g->extent[M], n = g->extent[N];
    if (m == 0 || n == 0)
        return UNWRITTEN;
    if (stride < (by_columns ? m : n) || stride == 0)
        return UNKNOWN; /* several at one place */
    *row = by_columns ? at % stride : at / stride;
    *column = by_columns ? at / stride : at % stride;
    if (at < 0 || *row >= m || *column >= n)
        return UNWRITTEN;
    if (g->grid[0] != 0 && (*row >= (n + g->grid[0] - 1) / g->grid[0] * g->grid[0] ||
                            *column >= (m + g->grid[1] - 1) / g->grid[1] * g->grid[1]))
        return UNWRITTEN;
    return g->unwritten || (g->unwritten_no_steps && g->extent[K] == 0) ? UNWRITTEN : VALUE;
}

static struct element expected(const struct gemm *g, uint64_t index) {
    int64_t at = (int64_t)index - g->c_shift, place[2] = {0, 0};
    enum status status = stored_at(g, at, &place[0], &place[1]);
    if (status != VALUE)
        return (struct element){.status = status};
    int64_t read = g->old_row == 0 ? at : place[0] * g->old_row + place[1] * g->old_column;
    if (read + g->c_shift >= g->c_count)
        return (struct element){.status = UNKNOWN};
    for (int axis = 0; axis < 2; axis++) {
        if (g->hold[axis] > 1)
            place[axis] = place[axis] - place[axis] % g->hold[axis] + g->held[axis];
        place[axis] += g->shift[axis];
        int64_t most = g->extent[axis == 0 ? M : N] - 1;
        if (g->shift[axis] != 0 && g->shift_clamped)
            place[axis] = place[axis] < 0 ? 0 : place[axis] > most ? most : place[axis];
        else if (g->shift[axis] != 0 && (place[axis] < 0 || place[axis] > most))
            return (struct element){.status = UNWRITTEN};
    }
    if (g->transposed) {
        int64_t row = place[0];
        place[0] = place[1];
        place[1] = row;
    }
    if (g->micro != 0) {
        int64_t row = place[0] % g->micro, column = place[1] % g->micro;
        place[0] += column - row;
        place[1] += row - column;
        if (place[0] >= g->extent[M] ||
            place[1] >= g->extent[N]) { /* what is no element of A or B is 0 there */
            double old = (double)g->old[read + g->c_shift], value = g->beta == 0 ? 0 : g->beta * old;
            return (struct element){VALUE, value, fabs(value) * 0x1p-22 + (double)FLT_MIN};
        }
    }
    if (place[0] < 0 || place[1] < 0 || place[0] >= g->extent[M] || place[1] >= g->extent[N])
        return (struct element){.status = UNKNOWN};
    return computed(g, place[0], place[1], (double)g->old[read + g->c_shift]);
}

static bool gives(const void *recipe, uint64_t index) {
    const struct gemm *g = recipe;
    struct element e = expected(g, index);
    float got = g->got[index];
    if (e.status != VALUE)
        return e.status == UNWRITTEN && wrong_same_float(got, g->old[index]);
    if (isnan(e.value) || isinf(e.value))
        return isnan(e.value) ? isnan(got) : (double)got == e.value;
    return fabs((double)got - e.value) <= e.bound; /* false for NaN */
}

static bool values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct gemm *g = recipe;
    struct element e = expected(g, index);
    *got = (double)g->got[index];
    *right = e.value;
    return e.status == VALUE;
}

static bool untouched(const void *recipe, uint64_t index) {
    const struct gemm *g = recipe;
    return wrong_same_float(g->got[index], g->old[index]);
}

static uint64_t count(const struct problem_case *c) {
    struct problem_layout layout;
    problem_gemm.layout(c, &layout);
    return layout.bytes[GEMM_C] / sizeof(float);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    const int64_t *s = c->size;
    int64_t at = (int64_t)index - s[GEMM_SHIFT_C];
    *p = (struct wrong_place){.at = {at % s[GEMM_LDC], at / s[GEMM_LDC]}, .extent = {s[GEMM_M], s[GEMM_N]}};
    p->outside = at < 0 || p->at[0] >= s[GEMM_M] || p->at[1] >= s[GEMM_N];
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    const int64_t *s = c->size;
    const struct wrong_feature all[] = {
        {"m", s[GEMM_M], false},
        {"n", s[GEMM_N], false},
        {"k", s[GEMM_K], false},
        {"beta", s[GEMM_BETA], true},
        {"lda > m", s[GEMM_LDA] > (s[GEMM_M] > 1 ? s[GEMM_M] : 1), true},
        {"ldb > k", s[GEMM_LDB] > (s[GEMM_K] > 1 ? s[GEMM_K] : 1), true},
        {"ldc > m", s[GEMM_LDC] > (s[GEMM_M] > 1 ? s[GEMM_M] : 1), true},
        {"an unaligned A", s[GEMM_SHIFT_A], true},
        {"an unaligned B", s[GEMM_SHIFT_B], true},
        {"an unaligned C", s[GEMM_SHIFT_C], true},
        {"alpha other than 1", s[GEMM_ALPHA] - 4, true},
    };
    memcpy(f, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 50;
    *element = 30 + 2 * (uint64_t)c->size[GEMM_K];
}

/* ---- the recipe */

static void begin(const struct wrong_tried *tried, void *recipe) {
    const int64_t *s = tried->problem_case->size;
    struct problem_layout layout;
    struct gemm *g = recipe;
    problem_gemm.layout(tried->problem_case, &layout);
    *g = (struct gemm){.tried = tried,
                       .a = (const float *)tried->input[GEMM_A] + s[GEMM_SHIFT_A],
                       .b = (const float *)tried->input[GEMM_B] + s[GEMM_SHIFT_B],
                       .old = tried->input[GEMM_C],
                       .got = tried->got,
                       .extent = {1, s[GEMM_M], s[GEMM_N], s[GEMM_K], s[GEMM_LDA], s[GEMM_LDB], s[GEMM_LDC]},
                       .a_count = (int64_t)(layout.bytes[GEMM_A] / sizeof(float)) - s[GEMM_SHIFT_A],
                       .b_count = (int64_t)(layout.bytes[GEMM_B] / sizeof(float)) - s[GEMM_SHIFT_B],
                       .c_shift = s[GEMM_SHIFT_C],
                       .c_count = (int64_t)(layout.bytes[GEMM_C] / sizeof(float)),
                       .alpha = (double)s[GEMM_ALPHA] / 4,
                       .beta = (double)s[GEMM_BETA] / 4,
                       .exact = tried->problem_case->pattern == PATTERN_ROWS_COLUMNS,
                       .a_row = 1,
                       .a_step = s[GEMM_LDA],
                       .b_step = 1,
                       .b_column = s[GEMM_LDB],
                       .c_row = 1,
                       .c_column = s[GEMM_LDC]};
}

enum kind {
    NOTHING,
    WHOLE,
    NO_STEPS,
    A_STRIDE,
    A_TRANSPOSED,
    B_STRIDE,
    B_TRANSPOSED,
    C_STRIDE,
    C_TRANSPOSED,
    C_READ,
    RESULT_TRANSPOSED,
    STEPS,
    STEPS_TILE,
    STEPS_TO,
    STEPS_SKIP,
    TILE_EXCHANGED,
    MICRO,
    SHIFTED,
    HELD,
    ADDED,
    ADDED_APART,
    SHORT,
    GRID_SWAPPED,
};

#define STRIDE "{0:m|n|k|lda|ldb|ldc}"
#define STRIDES                                                                                              \
    { M, LDC, 1 }

static const struct wrong_kind kinds[] = {
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Is there a thread for each of these elements: does the grid round up, is a kernel launched at all?",
         {{0}},
         WRONG_SOMEWHERE},
    [WHOLE] =
        {"constants",
         "{0:alpha is left out|alpha is applied twice|alpha is applied to beta * C, too|beta * C is left out|C is added without beta|beta is applied twice|C is read although beta is 0 (0 * NaN is NaN)|beta * C is subtracted|A * B is left out|alpha and beta are exchanged|each element is computed twice, on top of itself|alpha and beta are left out}",
         "C = alpha * A * B + beta * C.",
         {{NO_ALPHA, NO_CONSTANTS, 1}},
         WRONG_COMMON},
    [NO_STEPS] = {"k-zero", "nothing is written if k is 0", "Then C = beta * C.", {{0}}, WRONG_COMMON},
    [A_STRIDE] = {"a-stride",
                  "A is read as a[row + p * " STRIDE "]",
                  "Element (row, p) is a[row + p * lda].",
                  {STRIDES},
                  WRONG_COMMON},
    [A_TRANSPOSED] = {"a-transposed",
                      "A is read as a[row * " STRIDE " + p]",
                      "Matrices lie by columns: element (row, p) is a[row + p * lda].",
                      {STRIDES},
                      WRONG_COMMON},
    [B_STRIDE] = {"b-stride",
                  "B is read as b[p + column * " STRIDE "]",
                  "Element (p, column) is b[p + column * ldb].",
                  {STRIDES},
                  WRONG_COMMON},
    [B_TRANSPOSED] = {"b-transposed",
                      "B is read as b[p * " STRIDE " + column]",
                      "Matrices lie by columns: element (p, column) is b[p + column * ldb].",
                      {STRIDES},
                      WRONG_COMMON},
    [C_STRIDE] = {"c-stride",
                  "C is stored as c[row + column * " STRIDE "]",
                  "Element (row, column) is c[row + column * ldc].",
                  {STRIDES},
                  WRONG_COMMON},
    [C_TRANSPOSED] = {"c-transposed",
                      "C is stored as c[row * " STRIDE " + column]",
                      "Matrices lie by columns: element (row, column) is c[row + column * ldc].",
                      {STRIDES},
                      WRONG_COMMON},
    [C_READ] = {"c-read",
                "the old C is read as c[{1:row + column * |row * }" STRIDE
                "{1:| + column}] and stored rightly",
                "Element (row, column) is c[row + column * ldc].",
                {STRIDES, {0, 1, 1}},
                WRONG_COMMON},
    [RESULT_TRANSPOSED] =
        {"transposed", "element (row, column) gets the result of (column, row)", NULL, {{0}}, WRONG_COMMON},
    [STEPS] = {"steps",
               "the {1:first|last} {0:|2 |3 |4 }of the k products {0:is|are|are|are} left out",
               NULL,
               {{1, 4, 1}, {FROM, WITHOUT_LAST, 1}},
               WRONG_COMMON},
    [STEPS_TILE] =
        {"steps-tile",
         "{1:only the first|the last k %|only the last tile of|the last k %|what the last tile of|what the last tile of} {0} {1:products are added|products are left out|products is added|products are added twice|products lacks is taken from the tile before|products lacks is the last one again}",
         "Where p >= k a tile holds 0.",
         {{2, 256, 0}, {FIRST, TAIL_REPEATED, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [STEPS_TO] = {"steps-to", "p runs to " STRIDE " and not to k", NULL, {STRIDES}, WRONG_COMMON},
    [STEPS_SKIP] = {"steps-skip",
                    "of every {0} products number {1} is left out",
                    NULL,
                    {{2, 64, 0}, {0, 63, 1}},
                    WRONG_PAIRED},
    [TILE_EXCHANGED] = {"tile-transposed",
                        "within each {0} x {0} tile {1:A|B} is taken transposed",
                        "A tile is read as it was filled.",
                        {{2, 128, 0}, {0, 1, 1}},
                        WRONG_PAIRED},
    [MICRO] = {"micro-transposed",
               "within each {0} x {0} elements of a thread rows and columns of C are exchanged",
               NULL,
               {{2, 64, 0}},
               WRONG_COMMON},
    [SHIFTED] =
        {"shifted",
         "element (row, column) gets the result of (row {+0}, column {+1}){2:, and where there is none it stays as it is|, or of the outermost there is}",
         NULL,
         {{-4, 4, 1}, {-4, 4, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [HELD] = {"held",
              "of every {0} {2:rows|columns} all get the result of number {1}",
              NULL,
              {{2, 16, 0}, {0, 15, 1}, {0, 1, 1}},
              WRONG_COMMON},
    [ADDED] = {"accumulated",
               "the sum is not set to 0 between the {0} {1:rows|columns} of a thread",
               NULL,
               {{2, 16, 0}, {0, 1, 1}},
               WRONG_COMMON},
    [ADDED_APART] = {"accumulated-apart",
                     "the sum is not set to 0 between the {0} {1:rows|columns} of a thread, {2} apart",
                     NULL,
                     {{2, 16, 0}, {0, 1, 1}, {2, 128, 0}},
                     WRONG_ALONE},
    [SHORT] =
        {"short",
         "the elements of A and B are {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
         "Compute in float.",
         {{WRONG_HALF, WRONG_TF32_CUT, 1}},
         WRONG_COMMON},
    [GRID_SWAPPED] =
        {"grid-swapped",
         "no thread gets to rows from n rounded up to a multiple of {0} on, or to columns from m rounded up to a multiple of {1} on",
         "Rows and columns are swapped in the grid or in the kernel.",
         {{1, 256, 0}, {1, 256, 0}},
         WRONG_ALONE},
};

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct gemm *g = recipe;
    int64_t stride = n[0] >= 0 && n[0] < EXTENTS ? g->extent[n[0]] : 0;
    switch ((enum kind)kind) {
    case NOTHING: g->unwritten = true; break;
    case WHOLE: g->whole = (enum whole)n[0]; break;
    case NO_STEPS: g->unwritten_no_steps = true; break;
    case A_STRIDE: g->a_step = stride; break;
    case A_TRANSPOSED: g->a_row = stride, g->a_step = 1; break;
    case B_STRIDE: g->b_column = stride; break;
    case B_TRANSPOSED: g->b_step = stride, g->b_column = 1; break;
    case C_STRIDE: g->c_column = stride; break;
    case C_TRANSPOSED: g->c_row = stride, g->c_column = 1, g->c_by_rows = true; break;
    case C_READ: g->old_row = n[1] == 0 ? 1 : stride, g->old_column = n[1] == 0 ? stride : 1; break;
    case RESULT_TRANSPOSED: g->transposed = true; break;
    case STEPS: g->steps = (enum steps)n[1], g->steps_a = n[0]; break;
    case STEPS_TILE: g->steps = (enum steps)n[1], g->steps_a = n[0], g->steps_b = n[2]; break;
    case STEPS_TO: g->steps = TO, g->steps_a = stride; break;
    case STEPS_SKIP: g->steps = SKIP, g->steps_a = n[0], g->steps_b = n[1]; break;
    case TILE_EXCHANGED: g->exchanged = n[0], g->exchanged_a = n[1] == 0; break;
    case MICRO: g->micro = n[0]; break;
    case SHIFTED: g->shift[0] = n[0], g->shift[1] = n[1], g->shift_clamped = n[2] == 1; break;
    case HELD: g->hold[n[2]] = n[0], g->held[n[2]] = n[1]; break;
    case ADDED: g->added[n[1]] = n[0]; break;
    case ADDED_APART: g->added[n[1]] = n[0], g->added_stride = n[2]; break;
    case SHORT: g->precision = (enum wrong_precision)n[0]; break;
    case GRID_SWAPPED: g->grid[0] = n[0], g->grid[1] = n[1]; break;
    }
}

static bool finish(void *recipe) {
    const struct gemm *g = recipe;
    for (int axis = 0; axis < 2; axis++)
        if (g->held[axis] >= (g->hold[axis] > 1 ? g->hold[axis] : 1))
            return false;
    return g->steps != SKIP || g->steps_b < g->steps_a;
}

const struct wrong_oracles wrong_gemm = {
    .axis = {{"row", "rows", "row", "m"}, {"column", "columns", "column", "n"}},
    .element = "element",
    .elements = "elements",
    .recipe_size = sizeof(struct gemm),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .work = work,
    .begin = begin,
    .mistake = mistake,
    .finish = finish,
    .gives = gives,
    .values = values,
    .untouched = untouched,
};

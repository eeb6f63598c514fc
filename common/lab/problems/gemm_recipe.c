/* gemm_recipe.c: what comes out of a product of matrices with mistakes in it. */
#include "lab/problems/gemm_recipe.h"
#include "lab/problems/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* An element of A or of B, of which a tile holds 0 where there is none. */
static double a_or_zero(const struct gemm *g, int64_t row, int64_t p) {
    return row < g->extent[M] && p < g->extent[K] ? (double)g->a[row + p * g->a_step] : 0;
}

static double b_or_zero(const struct gemm *g, int64_t p, int64_t column) {
    return p < g->extent[K] && column < g->extent[N] ? (double)g->b[p + column * g->b_column] : 0;
}

/* Tiles of which one is read with its two indices exchanged, or some steps ahead of the other. */
static void add_tiles(const struct gemm *g, int64_t row, int64_t column, struct sum *sum) {
    int64_t tile = g->tile;
    for (int64_t start = 0; start < g->extent[K]; start += tile)
        for (int64_t q = 0; q < tile; q++) {
            int64_t i = row, j = column, p_a = start + q, p_b = p_a, moved = q + g->tile_shift;
            bool missing = g->tiles == STEP_TO_ZERO && (moved < 0 || moved >= tile);
            if (g->tiles != EXCHANGED_INDEX)
                *(g->of_a ? &p_a : &p_b) = start + (moved + tile) % tile;
            else if (g->of_a)
                i = row / tile * tile + q, p_a = start + row % tile;
            else
                j = column / tile * tile + q, p_b = start + column % tile;
            double product = (missing && g->of_a ? 0 : a_or_zero(g, i, p_a)) *
                             (missing && !g->of_a ? 0 : b_or_zero(g, p_b, j));
            sum->value += product;
            sum->size += fabs(product);
        }
}

/* An element beyond the last row or column: its factors are 0 there, and NaN stays what it is. */
static void add_outside(const struct gemm *g, int64_t row, int64_t column, struct sum *sum) {
    for (int64_t p = 0; p < g->extent[K]; p++)
        sum->value += a_or_zero(g, row, p) * b_or_zero(g, p, column);
}

/* The row of A by the column of B, as far as it is added. */
static void add_products(const struct gemm *g, int64_t row, int64_t column, struct sum *sum) {
    const float *a = g->a + row * g->a_row, *b = g->b + column * g->b_column;
    int64_t k = g->extent[K], tile = g->steps_a > 0 ? g->steps_a : 1, whole = k / tile * tile;
    int64_t last = k > 0 ? (k - 1) / tile * tile : 0;
    if (g->tiles != TOGETHER) {
        add_tiles(g, row, column, sum);
        return;
    }
    if (row >= g->extent[M] || column >= g->extent[N]) {
        add_outside(g, row, column, sum);
        return;
    }
    switch (g->steps) {
    case ALL: add_range(g, sum, a, b, 0, k); break;
    case FROM: add_range(g, sum, a, b, g->steps_a, k); break;
    case WITHOUT_LAST: add_range(g, sum, a, b, 0, k - g->steps_a); break;
    case FIRST: add_range(g, sum, a, b, 0, k < tile ? k : tile); break;
    case NO_TAIL: add_range(g, sum, a, b, 0, whole); break;
    case LAST_TILE: add_range(g, sum, a, b, last, k); break;
    case NO_LAST_TILE: add_range(g, sum, a, b, 0, last); break;
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
    case FIRST_TWICE:
        add_range(g, sum, a, b, 0, k);
        add_range(g, sum, a, b, 0, k < tile ? k : tile);
        break;
    case LAST_TWICE:
        add_range(g, sum, a, b, 0, k);
        add_range(g, sum, a, b, last, k);
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

static double factor(const struct gemm *g, enum factor factor) {
    double alpha = g->alpha, beta = g->beta;
    switch (factor) {
    case OF_ALPHA: return alpha;
    case OF_BETA: return beta;
    case OF_ONE: return 1;
    case OF_NONE: return 0;
    case OF_ALPHA_2: return alpha * alpha;
    case OF_BETA_2: return beta * beta;
    case OF_BOTH: return alpha * beta;
    case OF_SUM: return alpha + beta;
    case OF_MINUS_ALPHA: return -alpha;
    case OF_MINUS_BETA: return -beta;
    case OF_ALPHA_BY_BETA: return alpha / beta;
    case OF_BETA_BY_ALPHA: return beta / alpha;
    }
    return 1;
}

/* The constants are applied once for each tile. */
static struct wrong_element by_tiles(const struct gemm *g, int64_t row, int64_t column, double old) {
    const float *a = g->a + row * g->a_row, *b = g->b + column * g->b_column;
    int64_t k = g->extent[K], tile = g->steps_a;
    double value = g->whole != ALPHA_TILES && g->beta != 0 ? old : 0, size = fabs(value);
    double scale = g->whole == BETA_TILES && g->beta != 0 ? g->beta : 1;
    if (row >= g->extent[M] || column >= g->extent[N])
        return (struct wrong_element){.status = WRONG_UNKNOWN};
    if (g->whole == BETA_EACH_TILE)
        value = size = 0;
    for (int64_t start = 0; start < k || (start == 0 && g->whole != ALPHA_TILES); start += tile) {
        struct sum sum = {0, 0, true};
        add_range(g, &sum, a, b, start, start + tile < k ? start + tile : k);
        if (g->whole == ALPHA_TILES) {
            value = g->alpha * (value + sum.value);
            size = fabs(g->alpha) * (size + sum.size);
        } else {
            double more = g->whole == BETA_EACH_TILE && g->beta != 0 ? g->beta * old : 0;
            value = scale * value + g->alpha * sum.value + more;
            size = fabs(scale) * size + fabs(g->alpha) * sum.size + fabs(more);
        }
    }
    if (g->whole == ALPHA_TILES && g->beta != 0) {
        value += g->beta * old;
        size += fabs(g->beta * old);
    }
    double bound = g->exact ? 0 : sums_bound(k, size);
    return (struct wrong_element){WRONG_KNOWN, value, bound};
}

static struct wrong_element computed(const struct gemm *g, int64_t row, int64_t column, double old) {
    if (g->whole == ALPHA_TILES || g->whole == BETA_TILES || g->whole == BETA_EACH_TILE)
        return by_tiles(g, row, column, old);
    double of_c = factor(g, g->factor[1]);
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
        return (struct wrong_element){.status = WRONG_UNKNOWN};
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
    case FACTORS:
        product = factor(g, g->factor[0]) * sum.value;
        size = fabs(factor(g, g->factor[0])) * sum.size;
        before = of_c == 0 || (g->factor_skips && beta == 0) ? 0 : of_c * old;
        break;
    case ALPHA_TILES:
    case BETA_TILES:
    case BETA_EACH_TILE: break;
    case NO_CONSTANTS: product = sum.value, size = sum.size, before = beta == 0 ? 0 : old; break;
    }
    double bound = g->exact ? 0 : sums_bound(g->extent[K], size + fabs(before));
    return (struct wrong_element){WRONG_KNOWN, product + before, bound};
}

/* Which element of C this place of the buffer is, for who stores at these strides. */
static enum wrong_status stored_at(const struct gemm *g, int64_t at, int64_t *row, int64_t *column) {
    bool by_columns = !g->c_by_rows;
    int64_t stride = by_columns ? g->c_column : g->c_row, m = g->extent[M], n = g->extent[N];
    if (m == 0 || n == 0)
        return WRONG_UNWRITTEN;
    if (stride < (by_columns ? m : n) || stride == 0)
        return WRONG_UNKNOWN; /* several at one place */
    *row = by_columns ? at % stride : at / stride;
    *column = by_columns ? at / stride : at % stride;
    if (at < 0 || *row >= m || *column >= n)
        return WRONG_UNWRITTEN;
    if (g->grid[0] != 0 && (*row >= (n + g->grid[0] - 1) / g->grid[0] * g->grid[0] ||
                            *column >= (m + g->grid[1] - 1) / g->grid[1] * g->grid[1]))
        return WRONG_UNWRITTEN;
    return g->unwritten || (g->unwritten_no_steps && g->extent[K] == 0) ? WRONG_UNWRITTEN : WRONG_KNOWN;
}

struct wrong_element gemm_recipe_expected(const void *recipe, uint64_t index) {
    const struct gemm *g = recipe;
    int64_t at = (int64_t)index - g->c_shift, place[2] = {0, 0};
    enum wrong_status status = stored_at(g, at, &place[0], &place[1]);
    if (status != WRONG_KNOWN)
        return (struct wrong_element){.status = status};
    int64_t read = g->old_row == 0 ? at : place[0] * g->old_row + place[1] * g->old_column;
    if (read + g->c_shift >= g->c_count)
        return (struct wrong_element){.status = WRONG_UNKNOWN};
    for (int axis = 0; axis < 2; axis++) {
        if (g->hold[axis] > 1)
            place[axis] = place[axis] - place[axis] % g->hold[axis] + g->held[axis];
        place[axis] += g->shift[axis];
        int64_t most = g->extent[axis == 0 ? M : N] - 1;
        if (g->shift[axis] != 0 && g->shift_clamped)
            place[axis] = place[axis] < 0 ? 0 : place[axis] > most ? most : place[axis];
        else if (g->shift[axis] != 0 && (place[axis] < 0 || place[axis] > most))
            return (struct wrong_element){.status = WRONG_UNWRITTEN};
    }
    if (g->transposed) {
        int64_t row = place[0];
        place[0] = place[1];
        place[1] = row;
    }
    if (g->layout != IN_PLACE) {
        int64_t *at_axis = &place[g->layout_axis], whole = (int64_t)g->work * g->stride;
        int64_t within = *at_axis % whole, first = *at_axis - within;
        if (g->layout == SIDE_BY_SIDE)
            *at_axis = first + within / g->work + within % g->work * g->stride;
        else if (g->layout == APART)
            *at_axis = first + within % g->stride * g->work + within / g->stride;
        else
            *at_axis = first + within % g->stride + (int64_t)g->like * g->stride;
        if (*at_axis >= g->extent[g->layout_axis == 0 ? M : N] && g->layout_unwritten)
            return (struct wrong_element){.status = WRONG_UNWRITTEN};
    }
    if (g->micro != 0) {
        int64_t row = place[0] % g->micro, column = place[1] % g->micro;
        place[0] += column - row;
        place[1] += row - column;
    }
    bool inside = place[0] < g->extent[M] && place[1] < g->extent[N];
    if (place[0] < 0 || place[1] < 0 || (!inside && g->layout == IN_PLACE && g->micro == 0))
        return (struct wrong_element){.status = WRONG_UNKNOWN};
    return computed(g, place[0], place[1], (double)g->old[read + g->c_shift]);
}

/* ---- the recipe */

void gemm_recipe_begin(const struct wrong_tried *tried, void *recipe) {
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

bool gemm_recipe_finish(void *recipe) {
    const struct gemm *g = recipe;
    for (int axis = 0; axis < 2; axis++)
        if (g->held[axis] >= (g->hold[axis] > 1 ? g->hold[axis] : 1))
            return false;
    return (g->steps != SKIP || g->steps_b < g->steps_a) && g->like < (g->work > 1 ? g->work : 1) &&
           !(g->layout == IN_PLACE && g->layout_unwritten);
}

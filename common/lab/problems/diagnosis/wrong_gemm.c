/* wrong_gemm.c: what can be wrong with C = alpha A B + beta C: the kinds of mistake. What comes out: gemm_recipe.c. */
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/gemm_recipe.h"

#include <string.h>

/* ---- cases */

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
        {"m", s[GEMM_M], WRONG_COUNTS},
        {"n", s[GEMM_N], WRONG_COUNTS},
        {"k", s[GEMM_K], WRONG_COUNTS},
        {"beta", s[GEMM_BETA], WRONG_HAS},
        {"lda > m", s[GEMM_LDA] > (s[GEMM_M] > 1 ? s[GEMM_M] : 1), WRONG_HAS},
        {"ldb > k", s[GEMM_LDB] > (s[GEMM_K] > 1 ? s[GEMM_K] : 1), WRONG_HAS},
        {"ldc > m", s[GEMM_LDC] > (s[GEMM_M] > 1 ? s[GEMM_M] : 1), WRONG_HAS},
        {"an unaligned A", s[GEMM_SHIFT_A], WRONG_HAS},
        {"an unaligned B", s[GEMM_SHIFT_B], WRONG_HAS},
        {"an unaligned C", s[GEMM_SHIFT_C], WRONG_HAS},
        {"alpha other than 1", s[GEMM_ALPHA] - 4, WRONG_HAS},
        {"alpha", s[GEMM_ALPHA], WRONG_ZERO},
    };
    memcpy(f, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 50;
    *element = 30 + 2 * (uint64_t)c->size[GEMM_K];
}

/* ---- mistakes */

#define RECIPE struct gemm

/* The old C by rows or by columns, with a stride that is not ldc. */
static void read_old(void *recipe, const int *number) {
    struct gemm *g = recipe;
    int64_t stride = g->extent[number[0]];
    bool by_rows = number[1] == 1;
    g->old_row = by_rows ? stride : 1;
    g->old_column = by_rows ? 1 : stride;
}

#define STRIDE "{0:m|n|k|lda|ldb|ldc}"
#define FACTOR_WORDS                                                                                         \
    "alpha|beta|1|0|alpha * alpha|beta * beta|alpha * beta|alpha + beta|-alpha|-beta|alpha / beta|beta / alpha"
#define STRIDES RANGE(M, LDC)

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Does a thread get to each of these elements: is a kernel launched, does the grid round up, does none return before its store, does the loop of stores reach the last?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(
        WRONG_COMMON, "constants",
        "{0:alpha is left out|alpha is applied twice|alpha is applied to beta * C, too|beta * C is left out|C is added without beta|beta is applied twice|C is read although beta is 0 (0 * NaN is NaN)|beta * C is subtracted|A * B is left out|alpha and beta are exchanged|each element is computed twice, on top of itself|alpha and beta are left out}",
        "C = alpha * A * B + beta * C.", NUMBERS(RANGE(NO_ALPHA, NO_CONSTANTS)), BY(whole, 0)),
    MISTAKE(WRONG_COMMON, "k-zero", "nothing is written if k is 0", "Then C = beta * C.", NO_NUMBERS,
            IS(unwritten_no_steps, true)),
    MISTAKE(WRONG_COMMON, "a-stride", "A is read as a[row + p * " STRIDE "]",
            "Element (row, p) is a[row + p * lda].", NUMBERS(STRIDES), PICK(a_step, extent, 0)),
    MISTAKE(WRONG_COMMON, "a-transposed", "A is read as a[row * " STRIDE " + p]",
            "Matrices lie by columns: element (row, p) is a[row + p * lda].", NUMBERS(STRIDES),
            PICK(a_row, extent, 0), IS(a_step, 1)),
    MISTAKE(WRONG_COMMON, "b-stride", "B is read as b[p + column * " STRIDE "]",
            "Element (p, column) is b[p + column * ldb].", NUMBERS(STRIDES), PICK(b_column, extent, 0)),
    MISTAKE(WRONG_COMMON, "b-transposed", "B is read as b[p * " STRIDE " + column]",
            "Matrices lie by columns: element (p, column) is b[p + column * ldb].", NUMBERS(STRIDES),
            PICK(b_step, extent, 0), IS(b_column, 1)),
    MISTAKE(WRONG_COMMON, "c-stride", "C is stored as c[row + column * " STRIDE "]",
            "Element (row, column) is c[row + column * ldc].", NUMBERS(STRIDES), PICK(c_column, extent, 0)),
    MISTAKE(WRONG_COMMON, "c-transposed", "C is stored as c[row * " STRIDE " + column]",
            "Matrices lie by columns: element (row, column) is c[row + column * ldc].", NUMBERS(STRIDES),
            PICK(c_row, extent, 0), IS(c_column, 1), IS(c_by_rows, true)),
    MISTAKE(WRONG_COMMON, "c-read",
            "the old C is read as c[{1:row + column * |row * }" STRIDE
            "{1:| + column}], and C is stored correctly",
            "Element (row, column) is c[row + column * ldc].", NUMBERS(STRIDES, RANGE(0, 1)),
            CALL(read_old, 0)),
    MISTAKE(WRONG_COMMON, "transposed", "element (row, column) gets the result of (column, row)", NULL,
            NO_NUMBERS, IS(transposed, true)),
    MISTAKE(WRONG_COMMON, "steps",
            "the {1:first|last} {0:|2 |3 |4 }of the k products {0:is|are|are|are} left out", NULL,
            NUMBERS(RANGE(1, 4), RANGE(FROM, WITHOUT_LAST)), BY(steps, 1), BY(steps_a, 0)),
    MISTAKE(
        WRONG_COMMON, "steps-tile",
        "{1:only the first|the last k %|only the last tile of|the last k %|what the last tile of|what the last tile of} {0} {1:products are added|products are left out|products is added|products are added twice|products lacks is taken from the tile before|products lacks is the last one again}",
        "k is any number: each product counts once, and where p >= k there is none (a tile holds 0).",
        NUMBERS(DOUBLING(2, 256), RANGE(FIRST, TAIL_REPEATED), RANGE(0, 1)), BY(steps, 1), BY(steps_a, 0),
        BY(steps_b, 2)),
    MISTAKE(
        WRONG_COMMON, "steps-tile",
        "{1:the last|the first|the last} tile of {0} products is {1:not added|added twice|added twice}",
        "Each tile is loaded once and multiplied once: count the rounds of the loop, and what is left over after it.",
        NUMBERS(DOUBLING(2, 256), RANGE(NO_LAST_TILE, LAST_TWICE)), BY(steps, 1), BY(steps_a, 0)),
    MISTAKE(
        WRONG_COMMON, "steps-tile", "the first {0} products are left out",
        "Each tile is loaded once and multiplied once: count the rounds of the loop, and what comes before it.",
        NUMBERS(DOUBLING(8, 256)), IS(steps, FROM), BY(steps_a, 0)),
    MISTAKE(WRONG_COMMON, "steps-to", "p runs to " STRIDE " and not to k", NULL, NUMBERS(STRIDES),
            IS(steps, TO), PICK(steps_a, extent, 0)),
    MISTAKE(WRONG_PAIRED, "steps-skip", "of every {0} products number {1} is left out", NULL,
            NUMBERS(DOUBLING(2, 64), RANGE(0, 63)), IS(steps, SKIP), BY(steps_a, 0), BY(steps_b, 1)),
    MISTAKE(WRONG_PAIRED, "tile-transposed", "within each {0} x {0} tile {1:A|B} is taken transposed",
            "A tile is read as it was filled: [p][row] stays [p][row].",
            NUMBERS(DOUBLING(2, 128), RANGE(0, 1)), IS(tiles, EXCHANGED_INDEX), BY(tile, 0), IF(of_a, 1, 0)),
    MISTAKE(WRONG_COMMON, "micro-transposed",
            "within each {0} x {0} elements of a thread rows and columns of C are exchanged", NULL,
            NUMBERS(DOUBLING(2, 64)), BY(micro, 0)),
    MISTAKE(
        WRONG_COMMON, "shifted",
        "element (row, column) gets the result of (row {+0}, column {+1}){2:, and where there is none it stays as it is|, or of the outermost there is}",
        NULL, NUMBERS(RANGE(-4, 4), RANGE(-4, 4), RANGE(0, 1)), BY(shift[0], 0), BY(shift[1], 1),
        IF(shift_clamped, 2, 1)),
    MISTAKE(WRONG_COMMON, "held", "of every {0} {2:rows|columns} all get the result of number {1}", NULL,
            NUMBERS(DOUBLING(2, 16), RANGE(0, 15), RANGE(0, 1)), ELEMENT(hold, 2, 0), ELEMENT(held, 2, 1)),
    MISTAKE(WRONG_COMMON, "accumulated",
            "the sum is not set to 0 between the {0} {1:rows|columns} of a thread", NULL,
            NUMBERS(DOUBLING(2, 16), RANGE(0, 1)), ELEMENT(added, 1, 0)),
    MISTAKE(WRONG_ALONE, "accumulated-apart",
            "the sum is not set to 0 between the {0} {1:rows|columns} of a thread, {2} apart", NULL,
            NUMBERS(DOUBLING(2, 16), RANGE(0, 1), DOUBLING(2, 128)), ELEMENT(added, 1, 0),
            BY(added_stride, 2)),
    MISTAKE(
        WRONG_COMMON, "short",
        "the elements of A and B are {0:rounded to half precision|rounded to bfloat16|rounded to TF32|cut to bfloat16|cut to TF32}",
        "Compute in float.", NUMBERS(RANGE(WRONG_HALF, WRONG_TF32_CUT)), BY(precision, 0)),
    MISTAKE(
        WRONG_ALONE, "grid-swapped",
        "no thread gets to rows from n rounded up to a multiple of {0} on, or to columns from m rounded up to a multiple of {1} on",
        "Rows and columns are swapped in the grid or in the kernel.",
        NUMBERS(DOUBLING(1, 256), DOUBLING(1, 256)), BY(grid[0], 0), BY(grid[1], 1)),
    MISTAKE(
        WRONG_PAIRED, "tile-steps",
        "within each tile of {0} products {1:A|B} is read at p {+2}{3:, modulo {0}|, and 0 beyond the tile}",
        "Both factors of a product have the same p.",
        NUMBERS(DOUBLING(2, 128), RANGE(0, 1), STEPPED(-1, 1, 2), RANGE(0, 1)),
        LOOK(tiles, 3, STEP_WRAPS, STEP_TO_ZERO), BY(tile, 0), IF(of_a, 1, 0), BY(tile_shift, 2)),
    MISTAKE(
        WRONG_PAIRED, "tile-constants",
        "{1:the sum so far is multiplied by alpha after each tile|C becomes alpha * sum + beta * C after each tile|beta * C is added with each tile} of {0} products",
        "alpha and beta count once: sum all tiles first, then alpha * sum + beta * C.",
        NUMBERS(DOUBLING(2, 256), RANGE(ALPHA_TILES, BETA_EACH_TILE)), BY(whole, 1), BY(steps_a, 0)),
    MISTAKE(
        WRONG_ALONE, "stored-elsewhere",
        "a thread computes {0} {1:rows|columns} {3:{2} apart|side by side|{2} apart|side by side}, and stores them {3:side by side|{2} apart|side by side|{2} apart}",
        "The index of an element is the same where it is computed and where it is stored.",
        NUMBERS(DOUBLING(2, 32), RANGE(0, 1), DOUBLING(2, 64), RANGE(0, 3)),
        LOOK(layout, 3, SIDE_BY_SIDE, APART, SIDE_BY_SIDE, APART), LOOK(layout_unwritten, 3, 0, 0, 1, 1),
        BY(work, 0), BY(layout_axis, 1), BY(stride, 2)),
    MISTAKE(WRONG_ALONE, "like-first",
            "of a thread's {0} {1:rows|columns}, {2} apart, all get the result of number {3}",
            "Each element of a thread has a sum of its own.",
            NUMBERS(DOUBLING(2, 16), RANGE(0, 1), DOUBLING(2, 64), RANGE(0, 15)), IS(layout, LIKE_ONE),
            BY(work, 0), BY(layout_axis, 1), BY(stride, 2), BY(like, 3)),
    MISTAKE(WRONG_LAST, "factors",
            "the product is multiplied by {0:" FACTOR_WORDS "} and C by {1:" FACTOR_WORDS "}",
            "C = alpha * A * B + beta * C.",
            NUMBERS(RANGE(OF_ALPHA, OF_BETA_BY_ALPHA), RANGE(OF_ALPHA, OF_BETA_BY_ALPHA), RANGE(0, 1)),
            IS(whole, FACTORS), BY(factor[0], 0), BY(factor[1], 1), IF(factor_skips, 2, 0)),
};

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
    .begin = gemm_recipe_begin,
    .finish = gemm_recipe_finish,
    .type = WRONG_FLOATS,
    .expected = gemm_recipe_expected,
};

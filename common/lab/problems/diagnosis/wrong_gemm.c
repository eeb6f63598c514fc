/* wrong_gemm.c: what can be wrong with C = alpha A B + beta C: the kinds of mistake. What comes out: gemm_recipe.c. */
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
    STEPS_WHOLE,
    STEPS_NOT_FIRST,
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
    TILE_STEPS,
    TILE_CONSTANTS,
    STORED_ELSEWHERE,
    LIKE_FIRST,
    BY_FACTORS,
};

#define STRIDE "{0:m|n|k|lda|ldb|ldc}"
#define FACTOR_WORDS                                                                                         \
    "alpha|beta|1|0|alpha * alpha|beta * beta|alpha * beta|alpha + beta|-alpha|-beta|alpha / beta|beta / alpha"
#define STRIDES                                                                                              \
    { M, LDC, 1 }

static const struct wrong_kind kinds[] = {
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Does a thread get to each of these elements: is a kernel launched, does the grid round up, does none return before its store, does the loop of stores reach the last?",
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
         "k is any number: each product counts once, and where p >= k there is none (a tile holds 0).",
         {{2, 256, 0}, {FIRST, TAIL_REPEATED, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [STEPS_WHOLE] =
        {"steps-tile",
         "{1:the last|the first|the last} tile of {0} products is {1:not added|added twice|added twice}",
         "Each tile is loaded once and multiplied once: count the turns of the loop, and what is left behind it.",
         {{2, 256, 0}, {NO_LAST_TILE, LAST_TWICE, 1}},
         WRONG_COMMON},
    [STEPS_NOT_FIRST] =
        {"steps-tile",
         "the first {0} products are left out",
         "Each tile is loaded once and multiplied once: count the turns of the loop, and what stands before it.",
         {{8, 256, 0}},
         WRONG_COMMON},
    [STEPS_TO] = {"steps-to", "p runs to " STRIDE " and not to k", NULL, {STRIDES}, WRONG_COMMON},
    [STEPS_SKIP] = {"steps-skip",
                    "of every {0} products number {1} is left out",
                    NULL,
                    {{2, 64, 0}, {0, 63, 1}},
                    WRONG_PAIRED},
    [TILE_EXCHANGED] = {"tile-transposed",
                        "within each {0} x {0} tile {1:A|B} is taken transposed",
                        "A tile is read as it was filled: [p][row] stays [p][row].",
                        {{2, 128, 0}, {0, 1, 1}},
                        WRONG_PAIRED},
    [TILE_STEPS] =
        {"tile-steps",
         "within each tile of {0} products {1:A|B} is read at p {+2}{3:, modulo {0}|, and 0 beyond the tile}",
         "Both factors of a product have the same p.",
         {{2, 128, 0}, {0, 1, 1}, {-1, 1, 2}, {0, 1, 1}},
         WRONG_PAIRED},
    [TILE_CONSTANTS] =
        {"tile-constants",
         "{1:the sum so far is multiplied by alpha after each tile|C becomes alpha * sum + beta * C after each tile|beta * C is added with each tile} of {0} products",
         "alpha and beta count once: sum all tiles first, then alpha * sum + beta * C.",
         {{2, 256, 0}, {ALPHA_TILES, BETA_EACH_TILE, 1}},
         WRONG_PAIRED},
    [STORED_ELSEWHERE] =
        {"stored-elsewhere",
         "a thread computes {0} {1:rows|columns} {3:{2} apart|side by side|{2} apart|side by side}, and stores them {3:side by side|{2} apart|side by side|{2} apart}",
         "The index of an element is the same where it is computed and where it is stored.",
         {{2, 32, 0}, {0, 1, 1}, {2, 64, 0}, {0, 3, 1}},
         WRONG_ALONE},
    [LIKE_FIRST] = {"like-first",
                    "of a thread's {0} {1:rows|columns}, {2} apart, all get the result of number {3}",
                    "Each element of a thread has a sum of its own.",
                    {{2, 16, 0}, {0, 1, 1}, {2, 64, 0}, {0, 15, 1}},
                    WRONG_ALONE},
    [BY_FACTORS] = {"factors",
                    "the product is multiplied by {0:" FACTOR_WORDS "} and C by {1:" FACTOR_WORDS "}",
                    "C = alpha * A * B + beta * C.",
                    {{OF_ALPHA, OF_BETA_BY_ALPHA, 1}, {OF_ALPHA, OF_BETA_BY_ALPHA, 1}, {0, 1, 1}},
                    WRONG_LAST},
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
    case STEPS_WHOLE: g->steps = (enum steps)n[1], g->steps_a = n[0]; break;
    case STEPS_NOT_FIRST: g->steps = FROM, g->steps_a = n[0]; break;
    case TILE_EXCHANGED: g->tiles = EXCHANGED_INDEX, g->tile = n[0], g->of_a = n[1] == 0; break;
    case TILE_STEPS:
        g->tiles = n[3] == 0 ? STEP_WRAPS : STEP_TO_ZERO;
        g->tile = n[0], g->of_a = n[1] == 0, g->tile_shift = n[2];
        break;
    case TILE_CONSTANTS: g->whole = (enum whole)n[1], g->steps_a = n[0]; break;
    case STORED_ELSEWHERE:
        g->layout = n[3] % 2 == 0 ? SIDE_BY_SIDE : APART;
        g->work = n[0], g->layout_axis = n[1], g->stride = n[2], g->layout_unwritten = n[3] >= 2;
        break;
    case LIKE_FIRST:
        g->layout = LIKE_ONE;
        g->work = n[0], g->layout_axis = n[1], g->stride = n[2], g->like = n[3];
        break;
    case BY_FACTORS:
        g->whole = FACTORS;
        g->factor[0] = (enum factor)n[0], g->factor[1] = (enum factor)n[1], g->factor_skips = n[2] == 0;
        break;
    case MICRO: g->micro = n[0]; break;
    case SHIFTED: g->shift[0] = n[0], g->shift[1] = n[1], g->shift_clamped = n[2] == 1; break;
    case HELD: g->hold[n[2]] = n[0], g->held[n[2]] = n[1]; break;
    case ADDED: g->added[n[1]] = n[0]; break;
    case ADDED_APART: g->added[n[1]] = n[0], g->added_stride = n[2]; break;
    case SHORT: g->precision = (enum wrong_precision)n[0]; break;
    case GRID_SWAPPED: g->grid[0] = n[0], g->grid[1] = n[1]; break;
    }
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
    .begin = gemm_recipe_begin,
    .mistake = mistake,
    .finish = gemm_recipe_finish,
    .gives = gemm_recipe_gives,
    .values = gemm_recipe_values,
    .untouched = gemm_recipe_untouched,
};

/*
 * gemm_recipe.h: a product of matrices with mistakes in it, as choices. What a recipe gives is a double with its error
 * bound, the same as the oracle's: an element is what the recipe gives where it lies within. wrong_gemm.c has the kinds
 * of mistake.
 */
#ifndef PROBLEMS_GEMM_RECIPE_H
#define PROBLEMS_GEMM_RECIPE_H

#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/gemm.h"

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
    TO,            /* p < a */
    NO_LAST_TILE,  /* p below the last multiple of a below k */
    FIRST_TWICE,   /* those of the first tile twice */
    LAST_TWICE     /* those of the last tile twice */
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
    NO_CONSTANTS,
    ALPHA_TILES,    /* the sum so far is multiplied by alpha after each tile */
    BETA_TILES,     /* C becomes alpha times a tile's sum + beta C, tile after tile */
    BETA_EACH_TILE, /* beta C is added with each tile */
    FACTORS         /* of the product and of C: enum factor */
};

enum factor {
    OF_ALPHA,
    OF_BETA,
    OF_ONE,
    OF_NONE,
    OF_ALPHA_2,
    OF_BETA_2,
    OF_BOTH,
    OF_SUM,
    OF_MINUS_ALPHA,
    OF_MINUS_BETA,
    OF_ALPHA_BY_BETA,
    OF_BETA_BY_ALPHA
};

/* How the tiles of the factors do not meet as they should. */
enum tiles { TOGETHER, EXCHANGED_INDEX, STEP_WRAPS, STEP_TO_ZERO };

/* Of a thread's elements along an axis: where they are computed and where they are stored. */
enum layout { IN_PLACE, SIDE_BY_SIDE, APART, LIKE_ONE };

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
    bool shift_clamped;
    enum tiles tiles;
    bool of_a;
    int tile, tile_shift, micro; /* sides of tiles */
    enum factor factor[2];
    bool factor_skips; /* C is not read where beta is 0, whatever its factor */
    enum layout layout;
    int layout_axis, work, stride, like; /* a thread has `work` elements, `stride` apart */
    bool layout_unwritten;               /* what is computed outside is not stored */
    int hold[2], held[2];
    int added[2], added_stride; /* sums that are not set to 0 before the next */
    bool c_by_rows, transposed, unwritten, unwritten_no_steps;
    int grid[2];
    enum wrong_precision precision; /* of the factors */
};

/* What wrong_gemm needs of it. */
void gemm_recipe_begin(const struct wrong_tried *tried, void *recipe);
bool gemm_recipe_finish(void *recipe);
struct wrong_element gemm_recipe_expected(const void *recipe, uint64_t index);

#endif

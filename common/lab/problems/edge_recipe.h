/*
 * edge_recipe.h: an edge pipeline with mistakes in it, as choices: the arithmetic of each stage, what counts outside the
 * picture, what a tile lacks. wrong_edge.c has the kinds of mistake.
 */
#ifndef PROBLEMS_EDGE_RECIPE_H
#define PROBLEMS_EDGE_RECIPE_H

#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/edge_pipeline.h"

/* How gray comes about. */
enum gray_way {
    GRAY_RIGHT,
    GRAY_DOWN,
    GRAY_UP,
    GRAY_FLOAT,       /* products and sums in float, plus a half, cut */
    GRAY_FLOAT_FUSED, /* the same in fused multiply-adds */
    GRAY_FLOAT_DOWN,  /* ... cut without the half */
    GRAY_FLOAT_DOWN_FUSED,
    GRAY_TV, /* 0.299, 0.587, 0.114 */
    GRAY_TV_DOWN,
    GRAY_8_BITS, /* (77 r + 150 g + 29 b) / 256 */
    GRAY_8_BITS_HALF,
    GRAY_MEAN, /* (r + g + b) / 3 */
    GRAY_RED,
    GRAY_GREEN,
    GRAY_BLUE
};

/* What stands for a pixel outside the picture. FLAT: what lies at index v * width + u. OTHER: of gray, it is left out and
 * the weights that are left made 1; of the blur, it is what the window gives there. */
enum outside { OUTSIDE_ZERO, OUTSIDE_CLAMP, OUTSIDE_FLAT, OUTSIDE_MIRROR, OUTSIDE_OTHER };

enum rounding { DOWN, NEAREST, UP };

/* What of gx and gy the result is. */
enum magnitude { ROOT, ABSOLUTE_SUM, ROOT_OF_SUM, ONLY_X, ONLY_Y, GREATER, SQUARES, ROOT_OF_HALF };

/* Sums of the first pass divided and cut, of the rows or of the columns. */
enum passes { ONE_DIVISION, ROWS_DIVIDED, COLUMNS_DIVIDED };

enum stages { ALL_STAGES, NO_BLUR, NO_SOBEL, ONLY_GRAY };

/* A tile whose border holds too little: of gray around a tile of results, of gray around a tile of blurred pixels, of
 * blurred pixels around a tile of results. */
enum tile { NO_TILE, TILE_FUSED, TILE_BLUR, TILE_SOBEL };

struct edge {
    const struct wrong_tried *tried;
    const uint8_t *src, *got;
    int width, height;
    int first, red, blue; /* which byte is red, and which blue, from byte `first` on */
    enum gray_way gray;
    enum outside gray_outside, blur_outside;
    unsigned without_x, without_y; /* taps of the Gaussian left out, bit dx + 3 */
    int blur_x, blur_y;            /* the centre of its window */
    enum rounding blur_rounding;
    int divisor;
    enum passes passes;
    bool gray_signed, blur_signed;
    enum stages stages;
    int middle, corner; /* Sobel's weights */
    enum magnitude magnitude;
    enum rounding rounding;
    bool wraps;
    enum tile tile;
    int tile_x, tile_y, border;
    int centre_x, centre_y;
    bool unwritten;
    int constant; /* -1: none */
};

/* What wrong_edge needs of it. */
void edge_recipe_begin(const struct wrong_tried *tried, void *recipe);
bool edge_recipe_gives(const void *recipe, uint64_t index);
bool edge_recipe_values(const void *recipe, uint64_t index, double *got, double *right);
bool edge_recipe_untouched(const void *recipe, uint64_t index);

#endif

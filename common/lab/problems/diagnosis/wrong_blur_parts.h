/*
 * wrong_blur_parts.h: the recipe of a blur, shared by wrong_blur*.c: every choice that a 7x7 Gaussian makes, and that a
 * mistake may make otherwise.
 */
#ifndef PROBLEMS_WRONG_BLUR_PARTS_H
#define PROBLEMS_WRONG_BLUR_PARTS_H

#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/gaussian_blur.h"

enum { RADIUS = GAUSSIAN_RADIUS, TAPS = 2 * RADIUS + 1, NO_TAP = 99 };

/* What stands for a pixel outside the image. STOP: the taps after it are left out, too. */
enum edge {
    EDGE_ZERO,
    EDGE_CLAMP,
    EDGE_MIRROR,
    EDGE_MIRROR_TWICE,
    EDGE_WRAP,
    EDGE_FLAT,
    EDGE_STOP,
    EDGE_LEVEL
};
/* Where pixel (x, y) lies. */
enum order { BY_ROWS, BY_COLUMNS, BY_HEIGHT, MIRRORED_X, MIRRORED_Y };
/* What stands in a tile where nothing was put; POISON: a float that is no number, and makes the sum none. */
enum hole { HOLE_ZERO, HOLE_CLAMP, HOLE_ONES, HOLE_POISON };
enum tile {
    TILE_NONE,
    TILE_SIDES,
    TILE_CORNERS,
    TILE_PART,
    TILE_INSIDE,
    TILE_SWAPPED,
    TILE_PITCH,
    TILE_FILL,
    TILE_OWN /* each value is the pixel that the thread which puts it there computes */
};
enum stages { ONCE, EACH_TAP, ROWS_FIRST, COLUMNS_FIRST, ROWS_SHORT, COLUMNS_SHORT };
enum rounding { DOWN, HALF_UP, HALF_EVEN, UP, MINUS_HALF, UP_LESS_ONE };
/* A tap that is taken from somewhere else along an axis. With `first` for where the group of `size` pixels of (x, y)
 * begins: AHEAD: what lies behind the window of the group's first pixel; IN_WORDS: a whole word of `size`; SWAPPED, COPIED_BYTE:
 * within groups of `size`; the part of a tile behind its first `size`, before them, or behind them and half the halo. */
enum moved {
    MOVED_NOT,
    MOVED_AHEAD,
    MOVED_IN_WORDS,
    MOVED_SWAPPED,
    MOVED_BYTE,
    MOVED_REVERSED,
    MOVED_TILE_END,
    MOVED_HALO_BEFORE,
    MOVED_HALO_BEHIND,
    MOVED_AWAY /* place `moved_part` of each group counts as 0 */
};

enum side { LEFT, RIGHT, ABOVE, BELOW };

/* Fields of two are of x and of y. */
struct blur {
    const struct wrong_tried *tried;
    const uint8_t *src, *got;
    int width, height;
    enum order load, store;
    int flat;             /* results are stored so many places further */
    int hold[2], held[2]; /* of so many neighbours all get the result of this one */
    int centre_x, centre_y;
    unsigned without_x, without_y; /* taps left out, bit dx + RADIUS */
    int hole_x, hole_y, twice[2];  /* one tap; a column or row of them */
    int weight[2][TAPS];
    bool added_weights;
    enum edge edge[2];
    int edge_level;      /* of EDGE_LEVEL */
    int low[2], high[2]; /* inside: low <= u < width - high */
    bool normalised;
    enum tile tile;
    enum hole hole;
    int block_x, block_y, side[4], filled; /* side: enum side, how wide the halo is */
    bool is_signed, signed_sum;
    int sum_bits, product_bits;
    enum stages stages;
    int divisor, added;
    enum rounding rounding;
    bool saturated, unwritten, copied;
    int constant, times, accumulated[2], stride;
    int grid_x, grid_y;
    int lanes[2], lanes_used[2]; /* of so many columns or rows only the first have a thread */
    int strips[2], strip[2]; /* so many strips, of that many pixels each, all get the first one's results */
    int early[2], apart[2];  /* a thread's pixels, so far apart: none is stored where the last lies outside */
    enum moved moved;
    int moved_axis, moved_size, moved_part, moved_by;
    float factor;                        /* in place of 1 / 256; 0: none */
    int covered[2], step[2], counted[2]; /* blocks of so many pixels, so far apart, as many as these fit */
    int rows[2], threads[2];             /* pixels of a thread that reads the tile as if it had one */
    int odd_x, odd_y, odd_weight;        /* one weight of the 49 */
    int row_bits;                        /* of the sum of a row of the window; of a column: negative */
    bool row_signed;
    enum wrong_precision precision; /* of the sum */
    bool fused;
    int side_by_side[2],
        times_apart[2]; /* a thread computes so many neighbours, and stores them so far apart */
    bool in_line;       /* threads fill the tile as one long line */
    bool by_columns;    /* of a swapped tile: how it is read, and not how it is filled */
    int mirrored;       /* so many neighbours are stored in reverse */
    bool plain;         /* the taps inside the image are the source's, by the weights below */
    int plain_x[TAPS], plain_y[TAPS], plain_weights;
};

/* wrong_oracle.h's, of a struct blur. */
void blur_begin(const struct wrong_tried *tried, void *recipe);
bool blur_finish(void *recipe);
struct wrong_element blur_expected(const void *recipe, uint64_t index);

/* What becomes of the pixel (x, y): a byte, UNWRITTEN or UNKNOWN. */
int blur_result(const struct blur *b, int x, int y);

#endif

/* wrong_edge.c: what can be wrong with an edge pipeline: the arithmetic of each stage (of gray: wrong_edge_gray.c), what
 * counts outside the picture, what a tile lacks. */
#include "lab/problems/diagnosis/wrong_edge_gray.h"
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/edge_pipeline.h"
#include "lab/problems/gaussian_blur.h"

#include <math.h>
#include <stdlib.h>

/* What stands for a pixel outside the picture. FLAT: what lies at index v * width + u. OTHER: of gray, it is left out and
 * the weights that are left made 1; of the blur, it is what the window gives there. */
enum outside { OUTSIDE_ZERO, OUTSIDE_CLAMP, OUTSIDE_FLAT, OUTSIDE_MIRROR, OUTSIDE_OTHER };

enum rounding { DOWN, NEAREST, UP };

/* What of gx and gy the result is. */
enum magnitude { ROOT, ABSOLUTE_SUM, ROOT_OF_SUM, ONLY_X, ONLY_Y, GREATER, SQUARES, ROOT_OF_HALF };

/* Sums of the first pass divided and cut, or kept in a byte, of the rows or of the columns. */
enum passes { ONE_DIVISION, ROWS_DIVIDED, COLUMNS_DIVIDED, ROWS_SHORT, COLUMNS_SHORT };

/* What gx and gy, or the sum of their squares, are kept in. */
enum kept { ALL_BITS, SIGNED_BYTE, BYTE, SQUARES_16, SQUARES_SIGNED_16 };

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
    enum float_way float_way;
    int gray_bits;
    enum outside gray_outside, blur_outside;
    int outside_axis;                       /* of the blur: 1: left and right, 2: above, below; 0: all */
    unsigned without_x, without_y;          /* taps of the Gaussian left out, bit dx + 3 */
    int blur_x, blur_y;                     /* the centre of its window */
    int weight[2][2 * GAUSSIAN_RADIUS + 1]; /* of columns, of rows */
    int fractions; /* blurred levels stay 256ths; which square is added first, from 1 on */
    int strip, strip_halo,
        word; /* the first pass knows so many columns and a halo; words of pixels are shuffled */
    enum rounding blur_rounding;
    int divisor;
    enum passes passes;
    bool gray_signed, blur_signed;
    enum stages stages;
    int middle, corner; /* Sobel's weights */
    enum magnitude magnitude;
    enum rounding rounding;
    bool wraps;
    enum kept kept;
    int group;  /* so many roots are put into a word without being cut at 255 */
    bool added; /* by additions; false: by OR */
    enum tile tile;
    int tile_x, tile_y, border;
    int centre_x, centre_y;
    bool unwritten;
    int reversed; /* so many results lie in a word in the reverse order */
    int constant; /* -1: none */
};

enum { RADIUS = GAUSSIAN_RADIUS, NEAR = RADIUS + 1, NEARBY = 2 * NEAR + 1 };

/* Gray levels around a result: the windows around it overlap, and ask for each of them often. */
struct nearby {
    int x, y, level[NEARBY][NEARBY];
};

/* The part of a plane that a thread has: what lies beyond is 0 to it. */
struct window {
    int left, top, right, bottom; /* right and bottom are beyond */
    const struct nearby *nearby;  /* as seen through this window; NULL: not looked up yet */
};

static const struct window all = {INT_MIN, INT_MIN, INT_MAX, INT_MAX, NULL};

static bool is_within(const struct window *w, int x, int y) {
    return x >= w->left && x < w->right && y >= w->top && y < w->bottom;
}

/* The tile of (x, y) and `border` pixels around it. */
static struct window tile_around(const struct edge *e, int x, int y, int border) {
    int left = (int)floor((double)x / e->tile_x) * e->tile_x,
        top = (int)floor((double)y / e->tile_y) * e->tile_y;
    return (struct window){left - border, top - border, left + e->tile_x + border, top + e->tile_y + border,
                           NULL};
}

/* ---- gray */

static int gray_of(const struct edge *e, const uint8_t *pixel) {
    return wrong_gray(e->gray, e->float_way, e->gray_bits, pixel[(e->first + e->red) % EDGE_CHANNELS],
                      pixel[(e->first + 1) % EDGE_CHANNELS], pixel[(e->first + e->blue) % EDGE_CHANNELS]);
}

/* Into the picture, along one axis. */
static int moved_in(enum outside outside, int u, int extent) {
    if (outside == OUTSIDE_MIRROR)
        u = u < 0 ? -u : u >= extent ? 2 * extent - 2 - u : u;
    return u < 0 ? 0 : u >= extent ? extent - 1 : u;
}

/* Where the picture holds what stands for a pixel. NO_PLACE: it counts as 0. */
enum place { KNOWN_PLACE, NO_PLACE, UNKNOWN_PLACE };
static enum place place_in(const struct edge *e, enum outside outside, int *u, int *v) {
    int64_t at = (int64_t)*v * e->width + *u;
    if (*u >= 0 && *u < e->width && *v >= 0 && *v < e->height)
        return KNOWN_PLACE;
    if (outside == OUTSIDE_CLAMP || outside == OUTSIDE_MIRROR) {
        *u = moved_in(outside, *u, e->width);
        *v = moved_in(outside, *v, e->height);
        return KNOWN_PLACE;
    }
    if (outside != OUTSIDE_FLAT || *v < 0 || *v >= e->height)
        return NO_PLACE;
    if (at < 0 || at >= (int64_t)e->width * e->height)
        return UNKNOWN_PLACE;
    *u = (int)(at % e->width);
    *v = (int)(at / e->width);
    return KNOWN_PLACE;
}

/* Of any place; `seen` is what the thread has of the plane. */
static int gray_at(const struct edge *e, const struct window *seen, int u, int v) {
    const struct nearby *n = seen->nearby;
    if (n != NULL && abs(u - n->x) <= NEAR && abs(v - n->y) <= NEAR)
        return n->level[v - n->y + NEAR][u - n->x + NEAR];
    if (!is_within(seen, u, v))
        return 0;
    switch (place_in(e, e->gray_outside, &u, &v)) {
    case KNOWN_PLACE: break;
    case NO_PLACE: return 0;
    case UNKNOWN_PLACE: return UNKNOWN;
    }
    int64_t at = (int64_t)v * e->width + u;
    int level = gray_of(e, e->src + EDGE_CHANNELS * at);
    return e->gray_signed ? (int8_t)level : level;
}

/* ---- blur */

static bool is_left_out(const struct edge *e, int dx, int dy) {
    return (e->without_x >> (dx + RADIUS) & 1) != 0 || (e->without_y >> (dy + RADIUS) & 1) != 0;
}

/* Where a warp that shuffles words of a row finds column u for the pixel at x: a lane without a
 * neighbour gets its own word. INT_MIN: nowhere. */
static int shuffled_from(const struct edge *e, int x, int u) {
    int left = (int)floor((double)x / e->strip) * e->strip - e->strip_halo, own = x - left;
    if (u >= left && u < left + e->strip + 2 * e->strip_halo)
        return u;
    return e->word == 0 ? INT_MIN : left + own / e->word * e->word + (u - left + e->word) % e->word;
}

/* The sum of the window around (x, y), as the passes divide it. */
static int window_sum(const struct edge *e, const struct window *seen, int x, int y, int *used) {
    bool columns = e->passes == COLUMNS_DIVIDED || e->passes == COLUMNS_SHORT;
    const int *across = e->weight[0], *down = e->weight[1], *inner = columns ? down : across,
              *outer = columns ? across : down;
    int sum = 0;
    *used = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        int line = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) {
            int dx = columns ? i : k, dy = columns ? k : i, u = x + dx, v = y + dy;
            if (e->strip > 0)
                u = shuffled_from(e, x, u);
            int level = is_left_out(e, dx, dy) || u == INT_MIN ? 0 : gray_at(e, seen, u, v);
            if (level == UNKNOWN)
                return UNKNOWN;
            line += inner[k + RADIUS] * level;
            if (u >= 0 && u < e->width && v >= 0 && v < e->height)
                *used += across[dx + RADIUS] * down[dy + RADIUS];
        }
        sum += outer[i + RADIUS] * (e->passes == ONE_DIVISION ? line
                                    : e->passes >= ROWS_SHORT ? (uint8_t)line
                                                              : line / 16);
    }
    return sum;
}

/* Of a place inside, or of any where the window is not asked. */
static int blurred(const struct edge *e, const struct window *seen, int x, int y) {
    if (e->stages == NO_BLUR)
        return gray_at(e, seen, x, y);
    struct window own = e->tile == TILE_BLUR ? tile_around(e, x, y, e->border) : *seen;
    int used, sum = window_sum(e, &own, x + e->blur_x, y + e->blur_y, &used);
    if (sum == UNKNOWN)
        return UNKNOWN;
    bool passes_divided = e->passes == ROWS_DIVIDED || e->passes == COLUMNS_DIVIDED;
    if (e->fractions)
        return sum;
    int divisor = passes_divided ? 16 : e->gray_outside == OUTSIDE_OTHER && used > 0 ? used : e->divisor;
    sum += e->blur_rounding == NEAREST ? divisor / 2 : e->blur_rounding == UP ? divisor - 1 : 0;
    int level = sum / divisor & 255;
    return e->blur_signed ? (int8_t)level : level;
}

static int blur_at(const struct edge *e, const struct window *seen, int u, int v) {
    bool other_axis = (e->outside_axis == 1 && (v < 0 || v >= e->height)) ||
                      (e->outside_axis == 2 && (u < 0 || u >= e->width));
    if (other_axis)
        return 0;
    switch (e->blur_outside == OUTSIDE_OTHER ? KNOWN_PLACE : place_in(e, e->blur_outside, &u, &v)) {
    case KNOWN_PLACE: break;
    case NO_PLACE: return 0;
    case UNKNOWN_PLACE: return UNKNOWN;
    }
    return blurred(e, seen, u, v);
}

/* ---- Sobel */

/* What is left of a gradient, or of the sum of squares, in the bits that it is kept in. */
static double kept(const struct edge *e, double value, bool square) {
    switch (e->kept) {
    case ALL_BITS: break;
    case SIGNED_BYTE: return square ? value : (int8_t)value;
    case BYTE: return square ? value : (uint8_t)(int)value;
    case SQUARES_16: return square ? (uint16_t)(int)value : value;
    case SQUARES_SIGNED_16: return square ? fmax((int16_t)(int)value, 0) : value;
    }
    return value;
}

/* As a GPU computes it, fused. */
static double float_root(const struct edge *e, float gx, float gy) {
    float first = e->fractions == 1 ? gy * gy : gx * gx, other = e->fractions == 1 ? gx : gy;
    return (double)sqrtf(fmaf(other, other, first));
}

static int combined(const struct edge *e, double across, double down) {
    double unit = e->fractions ? 256 : 1, gx = kept(e, across / unit, false),
           gy = kept(e, down / unit, false), square = kept(e, gx * gx + gy * gy, true), level = 0;
    switch (e->magnitude) {
    case ROOT: level = e->fractions ? float_root(e, (float)gx, (float)gy) : sqrt(square); break;
    case ABSOLUTE_SUM: level = fabs(gx) + fabs(gy); break;
    case ROOT_OF_SUM:
        level = gx + gy > 0 ? sqrt(gx + gy) : 0;
        break; /* of a negative number: none, as a byte 0 */
    case ONLY_X: level = fabs(gx); break;
    case ONLY_Y: level = fabs(gy); break;
    case GREATER: level = fmax(fabs(gx), fabs(gy)); break;
    case SQUARES: level = square; break;
    case ROOT_OF_HALF: level = sqrt(square / 2); break;
    }
    int whole = (int)(e->rounding == NEAREST ? floor(level + 0.5) : e->rounding == UP ? ceil(level) : level);
    if (e->group > 1)
        return whole;
    return e->wraps ? whole & 255 : whole > 255 ? 255 : whole;
}

static int edge_at(const struct edge *e, int x, int y) {
    struct window tile = e->tile != NO_TILE ? tile_around(e, x, y, e->border) : all;
    struct window seen = e->tile == TILE_FUSED ? tile : all, blur_seen = e->tile == TILE_SOBEL ? tile : all;
    int n[3][3];
    x += e->centre_x;
    y += e->centre_y;
    if (e->stages == ONLY_GRAY)
        return gray_at(e, &seen, x, y);
    if (e->stages == NO_SOBEL)
        return blur_at(e, &seen, x, y);
    struct nearby nearby = {.x = x, .y = y};
    for (int i = 0; i < NEARBY * NEARBY; i++)
        nearby.level[i / NEARBY][i % NEARBY] =
            gray_at(e, &seen, x + i % NEARBY - NEAR, y + i / NEARBY - NEAR);
    seen.nearby = &nearby;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            n[dy + 1][dx + 1] =
                !is_within(&blur_seen, x + dx, y + dy) ? 0 : blur_at(e, &seen, x + dx, y + dy);
            if (n[dy + 1][dx + 1] == UNKNOWN)
                return UNKNOWN;
        }
    int m = e->middle, c = e->corner;
    int gx = c * (n[0][2] + n[2][2] - n[0][0] - n[2][0]) + m * (n[1][2] - n[1][0]);
    int gy = c * (n[0][0] + n[0][2] - n[2][0] - n[2][2]) + m * (n[0][1] - n[2][1]);
    return combined(e, gx, gy);
}

/* Of a word that is put together from roots above 255, the bits above spill into the next pixel. */
static int result(const struct edge *e, int x, int y) {
    if (e->unwritten)
        return UNWRITTEN;
    if (e->constant >= 0)
        return e->constant;
    if (e->reversed > 1)
        x += e->reversed - 1 - 2 * (x % e->reversed);
    if (e->group < 2)
        return edge_at(e, x, y);
    int64_t word = 0;
    int first = x - x % e->group;
    for (int u = first; u <= x; u++) {
        int level = edge_at(e, u, y);
        if (level == UNKNOWN)
            return UNKNOWN;
        word =
            e->added ? word + ((int64_t)level << 8 * (u - first)) : word | (int64_t)level << 8 * (u - first);
    }
    return (int)(word >> 8 * (x - first) & 255);
}

static void begin(const struct wrong_tried *tried, void *recipe) {
    *(struct edge *)recipe = (struct edge){.tried = tried,
                                           .src = tried->input[EDGE_SRC],
                                           .got = tried->got,
                                           .width = (int)tried->problem_case->size[EDGE_WIDTH],
                                           .height = (int)tried->problem_case->size[EDGE_HEIGHT],
                                           .blue = 2,
                                           .weight = {{1, 2, 3, 4, 3, 2, 1}, {1, 2, 3, 4, 3, 2, 1}},
                                           .divisor = 256,
                                           .middle = 2,
                                           .corner = 1,
                                           .constant = -1};
}

static struct wrong_element expected(const void *recipe, uint64_t index) {
    const struct edge *e = recipe;
    return wrong_whole(result(e, (int)(index % (uint64_t)e->width), (int)(index / (uint64_t)e->width)));
}

/* Nine windows of 49 for each pixel, of 81 gray levels. */
static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    (void)c;
    *recipe = 50;
    *element = 3000;
}

/* ---- mistakes */

#define RECIPE struct edge

#define TILES DOUBLING(4, 128)
#define OUTSIDE_WORDS "the nearest pixel's|that of the neighbouring rows|mirrored"

static void set_weight(void *recipe, const int *number) {
    struct edge *e = recipe;
    e->weight[number[2]][number[0] + RADIUS] = number[1];
}

/* Number 0 - |d|; number 1: of the rows, of the columns, of both. */
static void set_weights(void *recipe, const int *number) {
    struct edge *e = recipe;
    for (int axis = 0; axis < 2; axis++)
        for (int d = -RADIUS; d <= RADIUS && number[1] != 1 - axis; d++)
            e->weight[axis][d + RADIUS] = number[0] - abs(d);
}

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Is there a thread for each of these pixels (does the grid round up, is a kernel launched?), and does it get to the store: no return before it, no loop that ends too soon?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every result is {0}", NULL, NUMBERS(RANGE(0, 255)),
            BY(constant, 0)),
    MISTAKE(WRONG_COMMON, "swapped", "red and blue are exchanged",
            "The lowest byte of a pixel is red: .x red, .y green, .z blue.", NO_NUMBERS, IS(red, 2),
            IS(blue, 0)),
    MISTAKE(WRONG_SOMEWHERE, "channel",
            "the bytes {0:.y, .z, .w|.z, .w, .x|.w, .x, .y} are taken for red, green, blue",
            ".x red, .y green, .z blue; .w means nothing.", NUMBERS(RANGE(1, 3)), BY(first, 0)),
    MISTAKE(WRONG_COMMON, "gray-rounded", "gray is rounded {0:down|up}",
            "Add 500000 before the division by 1000000.", NUMBERS(RANGE(GRAY_DOWN, GRAY_UP)), BY(gray, 0)),
    MISTAKE(
        WRONG_SOMEWHERE, "gray-formula",
        "gray is {0:0.299 red + 0.587 green + 0.114 blue|0.299 red + 0.587 green + 0.114 blue, rounded down|0.299 red + 0.587 green + 0.114 blue in float|0.2126 red + 0.7152 green + 0.0722 blue|0.30 red + 0.59 green + 0.11 blue|0.30 red + 0.59 green + 0.11 blue, rounded down|(red + green + blue) / 3|red alone|green alone|blue alone}",
        "(298839 red + 586811 green + 114350 blue + 500000) / 1000000.", NUMBERS(RANGE(GRAY_TV, GRAY_BLUE)),
        BY(gray, 0)),
    MISTAKE(WRONG_SOMEWHERE, "gray-bits",
            "the weights of gray are rounded to {0} bits{1:|, and the sum is rounded down}",
            "Whole numbers hold the weights exactly: 298839, 586811 and 114350 millionths.",
            NUMBERS(RANGE(7, 22), RANGE(GRAY_FIXED, GRAY_FIXED_DOWN)), BY(gray_bits, 0), BY(gray, 1)),
    MISTAKE(WRONG_SOMEWHERE, "gray-float",
            "gray is computed in float{0:|||||||, without a half|, without a half}",
            "A float has 24 bits and the sum of the products up to 28: compute in whole numbers.",
            NUMBERS(RANGE(FLOAT_PRODUCTS, FLOAT_RED_FIRST_DOWN)), IS(gray, GRAY_FLOAT), BY(float_way, 0)),
    MISTAKE(
        WRONG_SOMEWHERE, "stages",
        "{0:the Gaussian is left out|Sobel is left out: the result is the blurred picture|the result is the gray picture}",
        NULL, NUMBERS(RANGE(NO_BLUR, ONLY_GRAY)), BY(stages, 0)),
    MISTAKE(WRONG_COMMON, "border-gray",
            "outside the picture gray is {0:" OUTSIDE_WORDS "|left out and the weights inside made 1}",
            "Outside the picture gray is 0.", NUMBERS(RANGE(OUTSIDE_CLAMP, OUTSIDE_OTHER)),
            BY(gray_outside, 0)),
    MISTAKE(
        WRONG_COMMON, "border-blur",
        "outside the picture the blur is {0:" OUTSIDE_WORDS "|what its window gives there}",
        "Outside the picture the blur is 0, too, though a window that hangs over the border is not: set it to 0 before Sobel takes it.",
        NUMBERS(RANGE(OUTSIDE_CLAMP, OUTSIDE_OTHER)), BY(blur_outside, 0)),
    MISTAKE(WRONG_COMMON, "border-blur-axis",
            "{1:left and right of|above and below} the picture the blur is {0:" OUTSIDE_WORDS
            "|what its window gives there}",
            "Outside the picture the blur is 0: test columns and rows before Sobel takes it.",
            NUMBERS(RANGE(OUTSIDE_CLAMP, OUTSIDE_OTHER), RANGE(1, 2)), BY(blur_outside, 0),
            BY(outside_axis, 1)),
    MISTAKE(
        WRONG_SOMEWHERE, "border",
        "outside the picture gray and blur are {0:the nearest pixel's|those of the neighbouring rows|mirrored}",
        "Outside the picture both are 0.", NUMBERS(RANGE(OUTSIDE_CLAMP, OUTSIDE_MIRROR)), BY(gray_outside, 0),
        BY(blur_outside, 0)),
    MISTAKE(WRONG_COMMON, "blur-rounded", "the blur is rounded {0:to the nearest|up}",
            "sum / 256 in whole numbers.", NUMBERS(RANGE(NEAREST, UP)), BY(blur_rounding, 0)),
    MISTAKE(WRONG_COMMON, "blur-passes",
            "the {0:rows'|columns'} sums are divided by 16 and cut before the second pass",
            "Keep 16 bits between the passes, and divide once.",
            NUMBERS(RANGE(ROWS_DIVIDED, COLUMNS_DIVIDED)), BY(passes, 0)),
    MISTAKE(WRONG_COMMON, "blur-bits", "the {0:rows'|columns'} sums are kept in a byte",
            "They go up to 4080: keep 16 bits between the passes.", NUMBERS(RANGE(ROWS_SHORT, COLUMNS_SHORT)),
            BY(passes, 0)),
    MISTAKE(WRONG_COMMON, "blur-fractions", "the blur is not cut to whole levels",
            "sum / 256 in whole numbers, before Sobel takes it.", NUMBERS(RANGE(1, 2)), BY(fractions, 0)),
    MISTAKE(WRONG_SOMEWHERE, "divisor", "the blur's sum is divided by {0}", NULL, NUMBERS(RANGE(49, 257)),
            BY(divisor, 0)),
    MISTAKE(WRONG_COMMON, "taps-dx", "the Gaussian's taps with dx = {+0} are left out", NULL,
            NUMBERS(RANGE(-3, 3)), BIT(without_x, 0, GAUSSIAN_RADIUS)),
    MISTAKE(WRONG_COMMON, "taps-dy", "the Gaussian's taps with dy = {+0} are left out", NULL,
            NUMBERS(RANGE(-3, 3)), BIT(without_y, 0, GAUSSIAN_RADIUS)),
    MISTAKE(WRONG_COMMON | WRONG_LAST, "blur-weight", "the Gaussian's weight of d{2:x|y} = {+0} is {1}",
            "1 2 3 4 3 2 1, along rows and columns.", NUMBERS(RANGE(-3, 3), RANGE(0, 9), RANGE(0, 1)),
            CALL(set_weight, 0)),
    MISTAKE(WRONG_COMMON, "blur-weights",
            "the Gaussian's weights {1:along rows |along columns |}are {0} - |d|",
            "1 2 3 4 3 2 1, 4 - |d|, along rows and columns.", NUMBERS(RANGE(3, 8), RANGE(0, 2)),
            CALL(set_weights, 0)),
    MISTAKE(WRONG_COMMON, "signed", "{0:gray|blurred} levels above 127 are taken for negative numbers",
            "A level is an unsigned byte: look for char and int8_t.", NUMBERS(RANGE(0, 1)),
            IF(gray_signed, 0, 0), IF(blur_signed, 0, 1)),
    MISTAKE(
        WRONG_SOMEWHERE, "magnitude",
        "the result is {0:the sum of the amounts of gx and gy|the root of gx + gy|gx alone|gy alone|the greater of gx and gy|gx * gx + gy * gy without the root|the root of half the squares}",
        "The root of gx * gx + gy * gy.", NUMBERS(RANGE(ABSOLUTE_SUM, ROOT_OF_HALF)), BY(magnitude, 0)),
    MISTAKE(WRONG_COMMON, "rounded", "the root is rounded {0:to the nearest|up}",
            "Rounded down: the greatest whole number whose square is not above gx * gx + gy * gy.",
            NUMBERS(RANGE(NEAREST, UP)), BY(rounding, 0)),
    MISTAKE(WRONG_COMMON, "not-cut", "roots above 255 lose their upper bits",
            "They become 255: compare before the store.", NO_NUMBERS, IS(wraps, true)),
    MISTAKE(
        WRONG_COMMON, "not-cut-packed",
        "of every {0} roots that are put into a word, the bits above 255 {1:are OR-ed|are added} to the next pixel",
        "Cut each root at 255 before it is packed.", NUMBERS(DOUBLING(2, 4), RANGE(0, 1)), BY(group, 0),
        IF(added, 1, 1)),
    MISTAKE(WRONG_COMMON, "word-reversed",
            "of every {0} results in a word the bytes lie in the reverse order",
            "The lowest byte of a word is the pixel with the lowest x: shift result i by 8 * i.",
            NUMBERS(DOUBLING(2, 8)), BY(reversed, 0)),
    MISTAKE(
        WRONG_COMMON, "gradient-bits",
        "{0:gx and gy are kept in a signed byte|gx and gy are kept in a byte|gx * gx + gy * gy is kept in 16 bits|gx * gx + gy * gy is kept in 16 bits with a sign}",
        "gx and gy go up to 1020, and the squares' sum above a million.",
        NUMBERS(RANGE(SIGNED_BYTE, SQUARES_SIGNED_16)), BY(kept, 0)),
    MISTAKE(WRONG_SOMEWHERE, "sobel-weights", "Sobel's weights are {0:1 1 1|2 1 2} and not 1 2 1", NULL,
            NUMBERS(RANGE(0, 1)), IS(middle, 1), LOOK(corner, 0, 1, 2)),
    MISTAKE(WRONG_COMMON, "centre", "the result is that of the pixel (x {+0}, y {+1})",
            "Compare the index where a value is put with the one where it is read.",
            NUMBERS(RANGE(-4, 4), RANGE(-4, 4)), BY(centre_x, 0), BY(centre_y, 1)),
    MISTAKE(WRONG_COMMON, "blur-centre", "the Gaussian's window is centred at (x {+0}, y {+1})",
            "Compare the index where a value is put with the one where it is read.",
            NUMBERS(RANGE(-2, 2), RANGE(-2, 2)), BY(blur_x, 0), BY(blur_y, 1)),
    MISTAKE(WRONG_ALONE, "halo",
            "each tile of {0} x {1} results knows only {2} gray pixels around it, and the others count as 0",
            "Sobel wants 1 pixel around the tile and the Gaussian 3 around that: 4.",
            NUMBERS(TILES, TILES, RANGE(0, 3)), IS(tile, TILE_FUSED), BY(tile_x, 0), BY(tile_y, 1),
            BY(border, 2)),
    MISTAKE(
        WRONG_ALONE, "halo-gray",
        "each tile of {0} x {1} blurred pixels knows only {2} gray pixels around it, and the others count as 0",
        "The window reaches 3 pixels beyond the tile.", NUMBERS(TILES, TILES, RANGE(0, 2)),
        IS(tile, TILE_BLUR), BY(tile_x, 0), BY(tile_y, 1), BY(border, 2)),
    MISTAKE(
        WRONG_ALONE, "halo-lanes",
        "each strip of {0} columns knows only {1} gray columns beside it, and in place of others {2:there is 0|a lane takes its own pixel|a lane takes its own word of 4 pixels|a lane takes its own word of 8 pixels}",
        "The Gaussian reaches 3 columns beyond the strip: a warp whose outer lanes have no neighbour makes fewer results.",
        NUMBERS(RANGE(8, 128), RANGE(0, 2), RANGE(0, 3)), BY(strip, 0), BY(strip_halo, 1),
        LOOK(word, 2, 0, 1, 4, 8)),
    MISTAKE(WRONG_ALONE, "halo-blur",
            "each tile of {0} x {1} results knows no blurred pixels around it: they count as 0",
            "Sobel's window reaches 1 pixel beyond the tile: blur those pixels, too.", NUMBERS(TILES, TILES),
            IS(tile, TILE_SOBEL), BY(tile_x, 0), BY(tile_y, 1), BY(border, 2)),
};

const struct wrong_oracles wrong_edge = {
    .axis = WRONG_IMAGE_AXES,
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct edge),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = wrong_image_count,
    .place = wrong_image_place,
    .features = wrong_image_features,
    .begin = begin,
    .work = work,
    .type = WRONG_BYTES,
    .expected = expected,
};

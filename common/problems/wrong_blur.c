/* wrong_blur.c: what can be wrong with a 7x7 Gaussian: the window, the border, the tile, the arithmetic, the addresses. */
#include "problems/gaussian_blur.h"
#include "problems/wrong_oracle.h"

#include <stdlib.h>
#include <string.h>

enum { RADIUS = GAUSSIAN_RADIUS, TAPS = 2 * RADIUS + 1, NO_TAP = 99 };

/* What a pixel becomes: a byte, or one of these. */
enum { UNWRITTEN = -1, UNKNOWN = -2 };

/* What stands for a pixel outside the image. STOP: the taps after it are left out, too. */
enum edge {
    EDGE_ZERO,
    EDGE_CLAMP,
    EDGE_MIRROR,
    EDGE_MIRROR_TWICE,
    EDGE_WRAP,
    EDGE_FLAT,
    EDGE_STOP,
    EDGE_FULL
};
/* Where pixel (x, y) lies. */
enum order { BY_ROWS, BY_COLUMNS, BY_HEIGHT, MIRRORED_X, MIRRORED_Y };
/* What stands in a tile where nothing was put; POISON: a float that is no number, and makes the sum none. */
enum hole { HOLE_ZERO, HOLE_CLAMP, HOLE_ONES, HOLE_POISON };
enum tile { TILE_NONE, TILE_SIDES, TILE_CORNERS, TILE_PART, TILE_INSIDE, TILE_SWAPPED, TILE_PITCH };
enum stages { ONCE, EACH_TAP, ROWS_FIRST, COLUMNS_FIRST, ROWS_SHORT, COLUMNS_SHORT };
enum rounding { DOWN, HALF_UP, HALF_EVEN, UP };

struct blur {
    const struct wrong_tried *tried;
    const uint8_t *src, *got;
    int width, height;
    enum order load, store;
    int flat;                           /* results are stored so many places further */
    int hold_x, hold_y, held_x, held_y; /* of so many neighbours all get the result of this one */
    int centre_x, centre_y;
    unsigned without_x, without_y;        /* taps left out, bit dx + RADIUS */
    int hole_x, hole_y, twice_x, twice_y; /* one tap; a column or row of them */
    int weight_x[TAPS], weight_y[TAPS];
    bool added_weights;
    enum edge edge_x, edge_y;
    int low_x, high_x, low_y, high_y; /* inside: low <= u < width - high */
    bool normalised;
    enum tile tile;
    enum hole hole;
    int block_x, block_y, left, right, above, below, filled;
    bool is_signed, signed_sum;
    int sum_bits, product_bits;
    enum stages stages;
    int divisor, added;
    enum rounding rounding;
    bool saturated, unwritten, copied;
    int constant, times, accumulated_x, accumulated_y, stride;
    int grid_x, grid_y, lanes_x, lanes_y;
    int covered[2], step[2], counted[2]; /* blocks of so many pixels, so far apart, as many as these fit */
    int rows[2], threads[2];             /* pixels of a thread that reads the tile as if it had one */
    int odd_x, odd_y, odd_weight;        /* one weight of the 49 */
    int row_bits;                        /* of the sum of a row of the window; of a column: negative */
    bool row_signed;
    enum wrong_precision precision; /* of the sum */
    bool fused;
    int mirrored; /* so many neighbours are stored in reverse */
    bool plain;   /* the taps inside the image are the source's, by the weights below */
    int plain_x[TAPS], plain_y[TAPS], plain_weights;
};

/* ---- one tap */

static int at(const struct blur *b, int64_t u, int64_t v) {
    int64_t w = b->width, h = b->height, i = v * w + u;
    switch (b->load) {
    case BY_ROWS: break;
    case BY_COLUMNS: i = u * h + v; break;
    case BY_HEIGHT: i = v * h + u; break;
    case MIRRORED_X: i = v * w + w - 1 - u; break;
    case MIRRORED_Y: i = (h - 1 - v) * w + u; break;
    }
    if (i < 0 || i >= w * h)
        return UNKNOWN;
    return b->src[i];
}

/* A coordinate moved into 0 .. extent - 1. */
static int inside(enum edge edge, int u, int extent) {
    if (edge == EDGE_CLAMP)
        return u < 0 ? 0 : u >= extent ? extent - 1 : u;
    if (edge == EDGE_WRAP)
        return ((u % extent) + extent) % extent;
    int twice = edge == EDGE_MIRROR_TWICE, period = 2 * extent - 2 * (1 - twice);
    if (extent == 1)
        return 0;
    u = ((u % period) + period) % period;
    return u < extent ? u : period - u - twice;
}

/* A tap outside the part of the tile that was filled. */
static bool missing(const struct blur *b, int x, int y, int u, int v) {
    int left = x / b->block_x * b->block_x, top = y / b->block_y * b->block_y;
    bool across = u < left - b->left || u >= left + b->block_x + b->right,
         down = v < top - b->above || v >= top + b->block_y + b->below;
    if (b->tile == TILE_SIDES)
        return across || down;
    if (b->tile == TILE_CORNERS)
        return across && down;
    int tile_width = b->block_x + 2 * RADIUS, k = (v - top + RADIUS) * tile_width + u - left + RADIUS;
    if (b->tile == TILE_PART)
        return k >= b->filled;
    int thread = k % (b->block_x * b->block_y); /* threads outside the image have gone */
    return left + thread % b->block_x >= b->width || top + thread / b->block_x >= b->height;
}

/* Where the tile's value at a tap comes from, where its index is computed in two ways. */
static void move_in_tile(const struct blur *b, int x, int y, int *u, int *v) {
    int left = x / b->block_x * b->block_x - RADIUS, top = y / b->block_y * b->block_y - RADIUS,
        width = b->block_x + 2 * RADIUS, height = b->block_y + 2 * RADIUS;
    int k = (*v - top) * (b->tile == TILE_PITCH ? b->filled : width) + *u - left;
    *u = left + (b->tile == TILE_PITCH ? k % width : k / height);
    *v = top + (b->tile == TILE_PITCH ? k / width : k % height);
}

enum tap { TAP_VALUE, TAP_NOTHING, TAP_STOP_ROW, TAP_STOP, TAP_POISON, TAP_UNKNOWN };

static enum tap read_tap(const struct blur *b, int x, int y, int u, int v, int *value) {
    *value = 0;
    if (b->tile >= TILE_SWAPPED)
        move_in_tile(b, x, y, &u, &v);
    else if (b->tile != TILE_NONE && missing(b, x, y, u, v)) {
        int left = x / b->block_x * b->block_x, top = y / b->block_y * b->block_y;
        switch (b->hole) {
        case HOLE_ZERO: return TAP_VALUE;
        case HOLE_ONES: *value = 255; return TAP_VALUE;
        case HOLE_POISON: return TAP_POISON;
        case HOLE_CLAMP:
            u = u < left - b->left                  ? left - b->left
                : u >= left + b->block_x + b->right ? left + b->block_x + b->right - 1
                                                    : u;
            v = v < top - b->above                 ? top - b->above
                : v >= top + b->block_y + b->below ? top + b->block_y + b->below - 1
                                                   : v;
        }
    }
    if (u < b->low_x || u >= b->width - b->high_x) {
        if (b->edge_x == EDGE_ZERO)
            return TAP_NOTHING;
        if (b->edge_x == EDGE_STOP)
            return TAP_STOP_ROW;
        if (b->edge_x == EDGE_FULL) {
            *value = 255;
            return TAP_VALUE;
        }
        if (b->edge_x != EDGE_FLAT)
            u = inside(b->edge_x, u, b->width);
    }
    if (v < b->low_y || v >= b->height - b->high_y) {
        if (b->edge_y == EDGE_ZERO)
            return TAP_NOTHING;
        if (b->edge_y == EDGE_STOP)
            return TAP_STOP;
        if (b->edge_y == EDGE_FULL) {
            *value = 255;
            return TAP_VALUE;
        }
        if (b->edge_y != EDGE_FLAT)
            v = inside(b->edge_y, v, b->height);
    }
    if (b->edge_x == EDGE_FLAT && b->edge_y == EDGE_FLAT && b->load == BY_ROWS) {
        /* only the index is looked at */
        int64_t i = (int64_t)v * b->width + u;
        if (i < 0 || i >= (int64_t)b->width * b->height)
            return TAP_NOTHING;
    }
    *value = at(b, u, v);
    if (*value == UNKNOWN)
        return TAP_UNKNOWN;
    if (b->is_signed)
        *value -= *value > 127 ? 256 : 0;
    return TAP_VALUE;
}

/* ---- one pixel */

static int wrapped(int value, int bits, bool is_signed) {
    if (bits == 8)
        return is_signed ? (int8_t)value : (uint8_t)value;
    if (bits == 16)
        return is_signed ? (int16_t)value : (uint16_t)value;
    return value;
}

static int divided(const struct blur *b, int sum, int divisor) {
    int number = sum + b->added;
    switch (b->rounding) {
    case DOWN: return number / divisor;
    case HALF_UP: return (number + divisor / 2) / divisor;
    case UP: return (number + divisor - 1) / divisor;
    case HALF_EVEN: {
        int quotient = number / divisor, rest = 2 * (number % divisor);
        return quotient + (rest > divisor || (rest == divisor && quotient % 2 != 0));
    }
    }
    return 0;
}

/* The sum of a part of the window as a byte; row_bits 255: cut at 255. */
static int shortened_part(const struct blur *b, int sum) {
    if (b->row_bits == 255)
        return sum > 255 ? 255 : sum;
    return wrapped(sum, 8, b->row_signed);
}

/* In a format with fewer bits, in which whole numbers of this size stay whole. */
static double short_sum(const struct blur *b, int sum, int product) {
    double added = b->fused ? product : wrong_shortened(product, b->precision);
    return wrong_shortened(sum + added, b->precision);
}

/* Well inside the image, where nothing is special about any tap. */
static bool is_plain(const struct blur *b, int u, int v) {
    return b->plain && u >= RADIUS + b->low_x && v >= RADIUS + b->low_y && u >= RADIUS && v >= RADIUS &&
           u < b->width - RADIUS - b->high_x && v < b->height - RADIUS - b->high_y && u < b->width - RADIUS &&
           v < b->height - RADIUS;
}

static int plain_sum(const struct blur *b, int u, int v) {
    int sum = 0;
    for (int j = 0; j < TAPS; j++) {
        const uint8_t *row = b->src + (ptrdiff_t)(v + j - RADIUS) * b->width + u - RADIUS;
        int across = 0;
        for (int i = 0; i < TAPS; i++)
            across += b->plain_x[i] * row[i];
        sum += b->plain_y[j] * across;
    }
    return sum;
}

/* The weighted sum at (x, y), and the weights that went into it. False: it is not known. */
static bool weighted_sum(const struct blur *b, int x, int y, int *sum, int *weights, bool *poisoned) {
    int column[TAPS] = {0};
    if (is_plain(b, x + b->centre_x, y + b->centre_y)) {
        *sum += plain_sum(b, x + b->centre_x, y + b->centre_y);
        *weights = b->plain_weights;
        return true;
    }
    bool stopped = false;
    for (int j = 0; j < TAPS && !stopped; j++) {
        int row = 0;
        bool row_stopped = false;
        for (int i = 0; i < TAPS && !row_stopped && !stopped; i++) {
            int value,
                weight = b->added_weights ? b->weight_x[i] + b->weight_y[j] : b->weight_x[i] * b->weight_y[j];
            if ((b->without_y >> j & 1) || (b->without_x >> i & 1) ||
                (i - RADIUS == b->hole_x && j - RADIUS == b->hole_y))
                continue;
            enum tap tap =
                read_tap(b, x, y, x + b->centre_x + i - RADIUS, y + b->centre_y + j - RADIUS, &value);
            if (tap == TAP_UNKNOWN)
                return false;
            row_stopped = tap == TAP_STOP_ROW;
            stopped = tap == TAP_STOP;
            *poisoned = *poisoned || tap == TAP_POISON;
            if (tap != TAP_VALUE)
                continue;
            if (i - RADIUS == b->odd_x && j - RADIUS == b->odd_y)
                weight = b->odd_weight;
            weight *= 1 + (i - RADIUS == b->twice_x || j - RADIUS == b->twice_y);
            *weights += weight;
            int product = wrapped(weight * value, b->product_bits, b->signed_sum);
            if (b->stages == EACH_TAP)
                product = divided(b, product, b->divisor);
            row += b->weight_x[i] * value;
            column[i] += b->weight_y[j] * value;
            if (b->precision != WRONG_EXACT)
                *sum = (int)short_sum(b, *sum, product);
            else if (b->stages == ONCE || b->stages == EACH_TAP)
                *sum = wrapped(*sum + product, b->sum_bits, b->signed_sum);
        }
        if (b->stages == ROWS_FIRST)
            *sum += b->weight_y[j] * divided(b, row, 16);
        if (b->stages == ROWS_SHORT)
            *sum += b->weight_y[j] * shortened_part(b, row);
    }
    for (int i = 0; i < TAPS && b->stages == COLUMNS_FIRST; i++)
        *sum += b->weight_x[i] * divided(b, column[i], 16);
    for (int i = 0; i < TAPS && b->stages == COLUMNS_SHORT; i++)
        *sum += b->weight_x[i] * shortened_part(b, column[i]);
    return true;
}

/* Pixels that no thread gets to, where x and y are swapped in the grid or in a block. */
static bool uncovered(const struct blur *b, int x, int y) {
    if (b->grid_x != 0 && (x >= (b->height + b->grid_x - 1) / b->grid_x * b->grid_x ||
                           y >= (b->width + b->grid_y - 1) / b->grid_y * b->grid_y))
        return true;
    for (int axis = 0; axis < 2; axis++) {
        int extent = axis == 0 ? b->width : b->height, counted = b->counted[axis];
        if (counted != 0 &&
            (axis == 0 ? x : y) >= b->step[axis] * ((extent + counted - 1) / counted - 1) + b->covered[axis])
            return true;
    }
    return b->lanes_x != 0 && (x % b->lanes_x >= b->lanes_y || y % b->lanes_y >= b->lanes_x);
}

/* The pixel whose window is read by a thread that begins one pixel behind the thread before it, not `pixels`. */
static int of_thread(int at, int pixels, int threads) {
    int first = at / (pixels * threads) * (pixels * threads), inside_block = at - first;
    return first + inside_block / pixels + inside_block % pixels;
}

static int result(const struct blur *b, int x, int y) {
    int sum = 0, weights = 0;
    bool poisoned = false;
    if (b->unwritten || uncovered(b, x, y))
        return UNWRITTEN;
    if (b->constant >= 0)
        return b->constant;
    if (b->hold_x > 1)
        x = x - x % b->hold_x + b->held_x;
    if (b->hold_y > 1)
        y = y - y % b->hold_y + b->held_y;
    if (x >= b->width || y >= b->height)
        return UNKNOWN;
    if (b->copied)
        return b->src[y * b->width + x];
    if (b->rows[0] > 1)
        x = of_thread(x, b->rows[0], b->threads[0]);
    if (b->rows[1] > 1)
        y = of_thread(y, b->rows[1], b->threads[1]);
    if (b->mirrored > 1)
        x = x - x % b->mirrored + b->mirrored - 1 - x % b->mirrored;
    if (x >= b->width || y >= b->height)
        return UNKNOWN;
    int first_x = b->accumulated_x > 1 ? x - x / b->stride % b->accumulated_x * b->stride : x,
        first_y = b->accumulated_y > 1 ? y - y / b->stride % b->accumulated_y * b->stride : y;
    for (int v = first_y; v <= y; v += b->stride)
        for (int u = first_x; u <= x; u += b->stride)
            if (!weighted_sum(b, u, v, &sum, &weights, &poisoned))
                return UNKNOWN;
    if (poisoned)
        return 0;
    sum *= b->times;
    int divisor = b->stages == ONCE       ? b->divisor
                  : b->stages == EACH_TAP ? 1
                                          : 16,
        value = divided(b, sum, b->normalised ? (weights > 0 ? weights : 1) : divisor);
    if (b->saturated)
        value = value < 0 ? 0 : value > 255 ? 255 : value;
    return (uint8_t)value;
}

/* ---- the recipe */

static void begin(const struct wrong_tried *tried, void *recipe) {
    static const int weight[TAPS] = {1, 2, 3, 4, 3, 2, 1};
    struct blur *b = recipe;
    *b = (struct blur){.tried = tried,
                       .src = tried->input[GAUSSIAN_SRC],
                       .got = tried->got,
                       .width = (int)tried->problem_case->size[GAUSSIAN_WIDTH],
                       .height = (int)tried->problem_case->size[GAUSSIAN_HEIGHT],
                       .hole_x = NO_TAP,
                       .hole_y = NO_TAP,
                       .twice_x = NO_TAP,
                       .twice_y = NO_TAP,
                       .odd_x = NO_TAP,
                       .left = RADIUS,
                       .right = RADIUS,
                       .above = RADIUS,
                       .below = RADIUS,
                       .sum_bits = 32,
                       .product_bits = 32,
                       .signed_sum = true,
                       .divisor = 256,
                       .constant = -1,
                       .times = 1,
                       .stride = 1};
    memcpy(b->weight_x, weight, sizeof weight);
    memcpy(b->weight_y, weight, sizeof weight);
}

enum kind {
    NOTHING,
    CONSTANT,
    SUM_NEVER_SET,
    TAPS_X,
    TAPS_Y,
    TAPS_XY,
    TAP,
    NARROW,
    WINDOW,
    CENTRE,
    FLAT_SHIFT,
    CHECK_X,
    CHECK_Y,
    CHECK_XY,
    BORDER_ZERO_NOT,
    BORDER_ONE_AXIS,
    NO_CHECK,
    NORMALISED,
    ROUNDED,
    STAGES,
    SIGNED,
    SUM_BITS,
    PRODUCT_BITS,
    ADDED,
    DIVISOR,
    WEIGHT,
    WEIGHTS,
    WEIGHT_ONE_AXIS,
    TWICE,
    ORDER_STORE,
    ORDER_LOAD,
    GRID_SWAPPED,
    LANES_SWAPPED,
    COPIED,
    TIMES,
    HOLD,
    ACCUMULATED,
    ACCUMULATED_ROWS,
    HALO_SIDE,
    HALO_ACROSS,
    HALO_DOWN,
    HALO_ALL,
    HALO_CORNERS,
    TILE_FIRST_PASS,
    TILE_LEFT_EARLY,
    TAP_WEIGHT,
    PART_BITS,
    SHORT_SUM,
    MIRRORED_GROUP,
    STEP_SHORT,
    GRID_COUNTED,
    GRID_INNER,
    THREAD_PIXELS,
    TILE_SWAP,
    TILE_ROW,
};

#define BLOCKS                                                                                               \
    { 4, 128, 0 }
#define RADII                                                                                                \
    { 0, RADIUS - 1, 1 }
#define HOLES                                                                                                \
    { 0, 3, 1 }
#define HOLE_WORDS "{3:taken as 0|taken from the tile's edge|never put into the tile|never put into the tile}"

static const struct wrong_kind kinds[] = {
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Is there a thread for each of these pixels: does the grid round up, is a kernel launched at all?",
         {{0}},
         WRONG_SOMEWHERE},
    [CONSTANT] = {"constant", "every result is {0}", NULL, {{0, 255, 1}}, WRONG_SOMEWHERE},
    [SUM_NEVER_SET] = {"constant",
                       "the sum is never set to 0 before the loop (the compiler may then drop it)",
                       NULL,
                       {{0}},
                       WRONG_ALONE},
    [TAPS_X] = {"taps-dx", "the taps with dx = {+0} are left out", NULL, {{-3, 3, 1}}, WRONG_COMMON},
    [TAPS_Y] = {"taps-dy", "the taps with dy = {+0} are left out", NULL, {{-3, 3, 1}}, WRONG_COMMON},
    [TAPS_XY] = {"taps-dx-dy",
                 "the taps with dx = {+0} and those with dy = {+1} are left out",
                 NULL,
                 {{-3, 3, 1}, {-3, 3, 1}},
                 WRONG_SOMEWHERE},
    [TAP] =
        {"tap", "the tap at dx = {+0}, dy = {+1} is left out", NULL, {{-3, 3, 1}, {-3, 3, 1}}, WRONG_COMMON},
    [NARROW] = {"narrow",
                "only the taps with |dx| <= {0} and |dy| <= {1} are added",
                NULL,
                {{0, 3, 1}, {0, 3, 1}},
                WRONG_SOMEWHERE | WRONG_LAST},
    [WINDOW] = {"window",
                "the taps run from dx = {+0} to {+1} and from dy = {+2} to {+3} only",
                NULL,
                {{-3, 0, 1}, {0, 3, 1}, {-3, 0, 1}, {0, 3, 1}},
                WRONG_SOMEWHERE | WRONG_LAST},
    [CENTRE] = {"centre",
                "the window is centred at (x {+0}, y {+1})",
                "Compare the index where a value is put with the one where it is read.",
                {{-4, 4, 1}, {-4, 4, 1}},
                WRONG_COMMON},
    [FLAT_SHIFT] =
        {"flat-shift", "the result of dst[i] is stored in dst[i {+0}]", NULL, {{-4, 4, 1}}, WRONG_COMMON},
    [CHECK_X] =
        {"check-x",
         "{0:column 0|column width - 1|columns -1 and width} of the source {0:counts as|counts as|count as} {0:outside|outside|inside}",
         "A pixel is inside where u >= 0 and u < width.",
         {{0, 2, 1}},
         WRONG_COMMON},
    [CHECK_Y] = {"check-y",
                 "{0:row 0|row height - 1} of the source counts as outside",
                 "A pixel is inside where v >= 0 and v < height.",
                 {{0, 1, 1}},
                 WRONG_COMMON},
    [CHECK_XY] =
        {"check-xy",
         "{0:row 0 and column 0 of the source count|the last row and the last column of the source count|the outermost pixels of the source count} as outside",
         "A pixel is inside where 0 <= u < width and 0 <= v < height.",
         {{0, 2, 1}},
         WRONG_COMMON},
    [BORDER_ZERO_NOT] =
        {"border",
         "pixels outside the image {0:repeat the nearest one inside|mirror the image about its outermost pixels|mirror the image about its edge|continue on the other side|are taken from the neighbouring rows|end the loop over the window|are 255, as shared memory that nobody wrote is on the simulator}",
         "Outside the image counts as 0, and the other taps still count.",
         {{1, 7, 1}},
         WRONG_COMMON},
    [BORDER_ONE_AXIS] =
        {"border-axis",
         "pixels {1:left and right of|above and below} the image {0:repeat the nearest one inside|mirror the image about its outermost pixels|mirror the image about its edge|continue on the other side|-|end the loop|are 255, as shared memory that nobody wrote is on the simulator}",
         "Outside the image counts as 0, and the other taps still count.",
         {{1, 7, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [NO_CHECK] = {"unchecked-x",
                  "u is not checked against 0 and width, so that pixels of the neighbouring row are taken",
                  NULL,
                  {{0, 2, 1}},
                  WRONG_COMMON},
    [NORMALISED] = {"normalised",
                    "the sum is divided by the weights that lie inside the image",
                    "Divide by 256, everywhere.",
                    {{0}},
                    WRONG_COMMON},
    [ROUNDED] = {"rounded",
                 "the sum / 256 is rounded {0:to the nearest, a half up|to the nearest, a half to even|up}",
                 "Round it down.",
                 {{1, 3, 1}},
                 WRONG_COMMON},
    [STAGES] =
        {"stages",
         "{0:each product is divided by 256|the sum of each row of the window is divided by 16|the sum of each column of the window is divided by 16} and rounded {1:down|to the nearest} before they are added",
         "Divide once, at the end.",
         {{1, 3, 1}, {0, 1, 1}},
         WRONG_COMMON},
    [SIGNED] = {"signed",
                "levels above 127 are taken for negative numbers",
                "A pixel is an unsigned byte: look for char and int8_t.",
                {{0}},
                WRONG_COMMON},
    [SUM_BITS] = {"sum-bits",
                  "the sum is kept in {0:8|16} bits, {1:unsigned|signed}",
                  NULL,
                  {{8, 16, 8}, {0, 1, 1}},
                  WRONG_COMMON},
    [PRODUCT_BITS] = {"product-bits",
                      "each product is kept in {0:8|16} bits, {1:unsigned|signed}",
                      NULL,
                      {{8, 16, 8}, {0, 1, 1}},
                      WRONG_COMMON},
    [ADDED] = {"added",
               "{0} is added to the sum before it is divided",
               "Round down: nothing is added.",
               {{1, 256, 1}},
               WRONG_SOMEWHERE | WRONG_LAST},
    [DIVISOR] = {"divisor",
                 "the sum is divided by {0}",
                 "The weights add up to 256.",
                 {{1, 1024, 1}},
                 WRONG_SOMEWHERE | WRONG_LAST},
    [WEIGHT] = {"weight",
                "the weight of dx = {+0} and of dy = {+0} is {1}",
                NULL,
                {{-3, 3, 1}, {0, 9, 1}},
                WRONG_COMMON | WRONG_LAST},
    [WEIGHTS] =
        {"weights",
         "the weights are {0:all 1|all 1, and the sum is divided by 49|1 6 15 20 15 6 1, and the sum is divided by 4096|4 3 2 1 2 3 4|added, w(dx) + w(dy), where they should be multiplied|those of dx alone|those of dy alone|1 2 3 4 5 6 7|w(dx) * w(dx)|w(dy) * w(dy)}",
         NULL,
         {{0, 9, 1}},
         WRONG_COMMON},
    [WEIGHT_ONE_AXIS] = {"weight-axis",
                         "the weight of d{2:x|y} = {+0} is {1}",
                         NULL,
                         {{-3, 3, 1}, {0, 9, 1}, {0, 1, 1}},
                         WRONG_COMMON | WRONG_LAST},
    [TWICE] = {"twice",
               "the taps with d{1:x|y} = {+0} are added twice",
               NULL,
               {{-3, 3, 1}, {0, 1, 1}},
               WRONG_COMMON},
    [ORDER_STORE] =
        {"order-store",
         "the result of (x, y) is stored {0:at dst[x * height + y]|at dst[y * height + x]|mirrored left to right|mirrored top to bottom}",
         "Pixel (x, y) is dst[y * width + x].",
         {{1, 4, 1}},
         WRONG_COMMON},
    [ORDER_LOAD] =
        {"order-load",
         "source pixel (u, v) is read {0:at src[u * height + v]|at src[v * height + u]|mirrored left to right|mirrored top to bottom}",
         "Pixel (u, v) is src[v * width + u].",
         {{1, 4, 1}},
         WRONG_COMMON},
    [GRID_SWAPPED] =
        {"grid-swapped",
         "no thread gets to x >= height rounded up to a multiple of {0}, or to y >= width rounded up to a multiple of {1}",
         "x and y are swapped in the grid or in the kernel.",
         {{1, 256, 0}, {1, 256, 0}},
         WRONG_PAIRED},
    [LANES_SWAPPED] =
        {"lanes-swapped",
         "in each block of {0} x {1} pixels only those with x - left < {1} and y - top < {0} get a thread",
         "threadIdx.x and threadIdx.y are swapped.",
         {{1, 256, 0}, {1, 256, 0}},
         WRONG_PAIRED},
    [COPIED] = {"copied", "the source is copied as it is", NULL, {{0}}, WRONG_COMMON},
    [TIMES] = {"times", "the sum is taken {0} times", NULL, {{2, 8, 1}}, WRONG_SOMEWHERE},
    [HOLD] = {"held",
              "of every {0} neighbours in a {2:row|column} all get the result of number {1}",
              NULL,
              {{2, 8, 0}, {0, 7, 1}, {0, 1, 1}},
              WRONG_COMMON},
    [ACCUMULATED] =
        {"accumulated",
         "the sum is not set to 0 between the {0} neighbouring pixels of a thread, {1:side by side|one below the other}",
         NULL,
         {{2, 16, 0}, {0, 1, 1}},
         WRONG_COMMON},
    [ACCUMULATED_ROWS] =
        {"accumulated-rows",
         "the sum is not set to 0 between the {0} pixels of a thread, {1} {2:columns|rows} apart",
         NULL,
         {{2, 16, 0}, {2, 128, 0}, {0, 1, 1}},
         WRONG_SOMEWHERE},
    [HALO_SIDE] =
        {"halo-side",
         "in tiles of {0} {1:columns|columns|rows|rows} the halo {1:left of|right of|above|below} them is {2} wide, and the rest " HOLE_WORDS,
         "The halo is 3 wide on every side.",
         {BLOCKS, {0, 3, 1}, RADII, HOLES},
         WRONG_PAIRED},
    [HALO_ACROSS] =
        {"halo-x",
         "in tiles of {0} columns the halo is {1} wide left and {2} wide right, and the rest " HOLE_WORDS,
         "The halo is 3 wide on every side.",
         {BLOCKS, RADII, RADII, HOLES},
         WRONG_ALONE},
    [HALO_DOWN] =
        {"halo-y",
         "in tiles of {0} rows the halo is {1} high above and {2} high below, and the rest " HOLE_WORDS,
         "The halo is 3 wide on every side.",
         {BLOCKS, RADII, RADII, HOLES},
         WRONG_ALONE},
    [HALO_ALL] = {"halo",
                  "in tiles of {0} x {1} pixels the halo is {2} wide, and the rest " HOLE_WORDS,
                  "The halo is 3 wide on every side.",
                  {BLOCKS, {1, 128, 0}, RADII, HOLES},
                  WRONG_ALONE},
    [HALO_CORNERS] = {"halo-corners",
                      "in tiles of {0} x {1} pixels the corners of the halo are " HOLE_WORDS,
                      NULL,
                      {BLOCKS, {1, 128, 0}, {0, 0, 1}, HOLES},
                      WRONG_ALONE},
    [TILE_FIRST_PASS] =
        {"tile-first-pass",
         "in tiles of {0} x {1} pixels and their halo only the first {0} x {1} values are filled, and the rest " HOLE_WORDS,
         "The tile has more values than the block has threads: each thread fills several.",
         {BLOCKS, {1, 128, 0}, {0, 0, 1}, HOLES},
         WRONG_ALONE},
    [TILE_LEFT_EARLY] =
        {"tile-left-early",
         "in tiles of {0} x {1} pixels what the threads outside the image should fill is " HOLE_WORDS,
         "Threads outside the image fill the tile, too: let them return after the barrier.",
         {BLOCKS, {1, 128, 0}, {0, 0, 1}, HOLES},
         WRONG_ALONE},
    [TAP_WEIGHT] = {"tap-weight",
                    "the weight at dx = {+0}, dy = {+1} is {2}",
                    NULL,
                    {{-3, 3, 1}, {-3, 3, 1}, {0, 20, 1}},
                    WRONG_ALONE | WRONG_LAST},
    [PART_BITS] =
        {"part-bits",
         "the sum of each {0:row|column} of the window is kept in {1:8 bits, unsigned|8 bits, signed|8 bits, cut at 255}",
         NULL,
         {{0, 1, 1}, {0, 2, 1}},
         WRONG_COMMON},
    [SHORT_SUM] = {"short-sum",
                   "the sum is kept in {0:half precision|bfloat16}{1:, and each product, too|}",
                   "Its numbers have too few bits for 65280.",
                   {{WRONG_HALF, WRONG_BFLOAT16, 1}, {0, 1, 1}},
                   WRONG_COMMON},
    [MIRRORED_GROUP] = {"reversed",
                        "of every {0} neighbours in a row the order is reversed",
                        NULL,
                        {{2, 16, 0}},
                        WRONG_COMMON},
    [STEP_SHORT] =
        {"blocks-overlap",
         "blocks of {1} {0:columns|rows} begin {2} after the one before, in a grid for blocks that do not overlap",
         "Compute x and y with the size that the blocks have.",
         {{0, 1, 1}, {2, 256, 0}, {1, 128, 0}},
         WRONG_ALONE},
    [GRID_COUNTED] = {"grid-counted",
                      "blocks of {1} {0:columns|rows} are so few as if they had 6 more each, for the halo",
                      "The grid counts the pixels that a block computes.",
                      {{0, 1, 1}, {1, 128, 0}},
                      WRONG_PAIRED},
    [GRID_INNER] =
        {"grid-inner",
         "blocks of {0} x {1} threads compute 6 pixels less each way, and the grid counts them all",
         "The grid counts the pixels that a block computes.",
         {{8, 128, 0}, {8, 64, 0}},
         WRONG_ALONE},
    [THREAD_PIXELS] =
        {"thread-pixels",
         "each of {1} threads with {0} pixels {2:side by side|one below the other} reads the tile one pixel behind the thread before it, not {0}",
         NULL,
         {{2, 16, 0}, {2, 64, 0}, {0, 1, 1}},
         WRONG_ALONE},
    [TILE_SWAP] = {"tile-swapped",
                   "tiles of {0} x {1} pixels and their halo are filled by columns and read by rows",
                   NULL,
                   {BLOCKS, {1, 128, 0}},
                   WRONG_ALONE},
    [TILE_ROW] =
        {"tile-pitch",
         "the tile of blocks {0} wide is read with rows of {0} {1:- 1|+ 0|+ 1|+ 2|+ 3|+ 4|+ 5} values, and filled with rows of {0} + 6",
         NULL,
         {BLOCKS, {-1, 5, 1}, {1, 128, 0}},
         WRONG_ALONE},
};

static void set_weights(struct blur *b, int which) {
    static const int sets[][TAPS] = {{1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1}, {1, 6, 15, 20, 15, 6, 1},
                                     {4, 3, 2, 1, 2, 3, 4}, {1, 2, 3, 4, 3, 2, 1}, {1, 2, 3, 4, 3, 2, 1},
                                     {1, 2, 3, 4, 3, 2, 1}, {1, 2, 3, 4, 5, 6, 7}, {1, 4, 9, 16, 9, 4, 1},
                                     {1, 4, 9, 16, 9, 4, 1}};
    memcpy(b->weight_x, sets[which], sizeof sets[which]);
    memcpy(b->weight_y, sets[which], sizeof sets[which]);
    b->divisor = which == 1 ? 49 : which == 2 ? 4096 : b->divisor;
    b->added_weights = which == 4;
    if (which == 5 || which == 8)
        memcpy(b->weight_y, sets[0], sizeof sets[0]);
    if (which == 6 || which == 9)
        memcpy(b->weight_x, sets[0], sizeof sets[0]);
}

static void set_tile(struct blur *b, enum tile tile, int width, int height, int hole) {
    b->tile = tile;
    b->block_x = width;
    b->block_y = height;
    b->hole = (enum hole)hole;
}

/* Bits of the taps outside first .. last. */
static unsigned taps_outside(int first, int last) {
    unsigned outside = 0;
    for (int tap = -RADIUS; tap <= RADIUS; tap++)
        outside |= (tap < first || tap > last) ? 1u << (tap + RADIUS) : 0;
    return outside;
}

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct blur *b = recipe;
    switch ((enum kind)kind) {
    case NOTHING: b->unwritten = true; break;
    case TAPS_X: b->without_x |= 1u << (n[0] + RADIUS); break;
    case TAPS_Y: b->without_y |= 1u << (n[0] + RADIUS); break;
    case TAPS_XY:
        b->without_x |= 1u << (n[0] + RADIUS);
        b->without_y |= 1u << (n[1] + RADIUS);
        break;
    case TAP: b->hole_x = n[0], b->hole_y = n[1]; break;
    case NARROW:
        b->without_x |= taps_outside(-n[0], n[0]);
        b->without_y |= taps_outside(-n[1], n[1]);
        break;
    case WINDOW:
        b->without_x |= taps_outside(n[0], n[1]);
        b->without_y |= taps_outside(n[2], n[3]);
        break;
    case CENTRE: b->centre_x += n[0], b->centre_y += n[1]; break;
    case FLAT_SHIFT: b->flat = n[0]; break;
    case CHECK_X:
        b->low_x = n[0] == 0 ? 1 : n[0] == 2 ? -1 : 0;
        b->high_x = n[0] == 1 ? 1 : n[0] == 2 ? -1 : 0;
        break;
    case CHECK_Y:
        b->low_y = n[0] == 0;
        b->high_y = n[0] == 1;
        break;
    case CHECK_XY:
        b->low_x = b->low_y = n[0] != 1;
        b->high_x = b->high_y = n[0] != 0;
        break;
    case BORDER_ZERO_NOT: b->edge_x = b->edge_y = (enum edge)n[0]; break;
    case BORDER_ONE_AXIS:
        if (n[1] == 0)
            b->edge_x = (enum edge)n[0];
        else
            b->edge_y = (enum edge)n[0];
        break;
    case NO_CHECK: /* both sides; the left one; the right one */
        b->low_x = n[0] != 2 ? -2 * RADIUS : 0;
        b->high_x = n[0] != 1 ? -2 * RADIUS : 0;
        break;
    case NORMALISED: b->normalised = true; break;
    case ROUNDED: b->rounding = (enum rounding)n[0]; break;
    case STAGES:
        b->stages = (enum stages)n[0];
        b->rounding = n[1] == 1 ? HALF_UP : DOWN;
        break;
    case SIGNED: b->is_signed = true; break;
    case SUM_BITS: b->sum_bits = n[0], b->signed_sum = n[1] == 1; break;
    case PRODUCT_BITS: b->product_bits = n[0], b->signed_sum = n[1] == 1; break;
    case ADDED: b->added = n[0]; break;
    case DIVISOR: b->divisor = n[0]; break;
    case WEIGHT: b->weight_x[n[0] + RADIUS] = b->weight_y[n[0] + RADIUS] = n[1]; break;
    case WEIGHT_ONE_AXIS: (n[2] == 0 ? b->weight_x : b->weight_y)[n[0] + RADIUS] = n[1]; break;
    case WEIGHTS: set_weights(b, n[0]); break;
    case TWICE: *(n[1] == 0 ? &b->twice_x : &b->twice_y) = n[0]; break;
    case ORDER_STORE: b->store = (enum order)n[0]; break;
    case ORDER_LOAD: b->load = (enum order)n[0]; break;
    case GRID_SWAPPED: b->grid_x = n[0], b->grid_y = n[1]; break;
    case LANES_SWAPPED: b->lanes_x = n[0], b->lanes_y = n[1]; break;
    case CONSTANT:
    case SUM_NEVER_SET: b->constant = n[0]; break;
    case COPIED: b->copied = true; break;
    case TIMES: b->times = n[0]; break;
    case HOLD:
        *(n[2] == 0 ? &b->hold_x : &b->hold_y) = n[0], *(n[2] == 0 ? &b->held_x : &b->held_y) = n[1];
        break;
    case ACCUMULATED: *(n[1] == 0 ? &b->accumulated_x : &b->accumulated_y) = n[0]; break;
    case ACCUMULATED_ROWS:
        *(n[2] == 0 ? &b->accumulated_x : &b->accumulated_y) = n[0];
        b->stride = n[1];
        break;
    case HALO_SIDE: {
        int *const sides[] = {&b->left, &b->right, &b->above, &b->below};
        set_tile(b, TILE_SIDES, n[1] < 2 ? n[0] : 1 << 16, n[1] < 2 ? 1 << 16 : n[0], n[3]);
        *sides[n[1]] = n[2];
        break;
    }
    case HALO_ACROSS:
        set_tile(b, TILE_SIDES, n[0], 1 << 16, n[3]);
        b->left = n[1], b->right = n[2];
        break;
    case HALO_DOWN:
        set_tile(b, TILE_SIDES, 1 << 16, n[0], n[3]);
        b->above = n[1], b->below = n[2];
        break;
    case HALO_ALL:
        set_tile(b, TILE_SIDES, n[0], n[1], n[3]);
        b->left = b->right = b->above = b->below = n[2];
        break;
    case HALO_CORNERS:
        set_tile(b, TILE_CORNERS, n[0], n[1], n[3]);
        b->left = b->right = b->above = b->below = 0;
        break;
    case TILE_FIRST_PASS:
        set_tile(b, TILE_PART, n[0], n[1], n[3]);
        b->filled = n[0] * n[1];
        break;
    case TILE_LEFT_EARLY: set_tile(b, TILE_INSIDE, n[0], n[1], n[3]); break;
    case TAP_WEIGHT: b->odd_x = n[0], b->odd_y = n[1], b->odd_weight = n[2]; break;
    case PART_BITS:
        b->stages = n[0] == 0 ? ROWS_SHORT : COLUMNS_SHORT, b->row_bits = n[1] == 2 ? 255 : 8,
        b->row_signed = n[1] == 1;
        break;
    case SHORT_SUM: b->precision = (enum wrong_precision)n[0], b->fused = n[1] == 1; break;
    case MIRRORED_GROUP: b->mirrored = n[0]; break;
    case STEP_SHORT: b->counted[n[0]] = b->covered[n[0]] = n[1], b->step[n[0]] = n[2]; break;
    case GRID_COUNTED: b->covered[n[0]] = b->step[n[0]] = n[1], b->counted[n[0]] = n[1] + 6; break;
    case GRID_INNER:
        b->counted[0] = n[0], b->counted[1] = n[1], b->covered[0] = b->step[0] = n[0] - 6,
        b->covered[1] = b->step[1] = n[1] - 6;
        break;
    case THREAD_PIXELS: b->rows[n[2]] = n[0], b->threads[n[2]] = n[1]; break;
    case TILE_SWAP: set_tile(b, TILE_SWAPPED, n[0], n[1], 0); break;
    case TILE_ROW:
        set_tile(b, TILE_PITCH, n[0], n[2], 0);
        b->filled = n[0] + n[1];
        break;
    }
}

/* What a family's numbers allow, and makes no sense. */
static bool finish(void *recipe) {
    struct blur *b = recipe;
    int across = 0, down = 0;
    for (int i = 0; i < TAPS; i++) {
        across += b->plain_x[i] = b->without_x >> i & 1 ? 0 : b->weight_x[i];
        down += b->plain_y[i] = b->without_y >> i & 1 ? 0 : b->weight_y[i];
    }
    b->plain_weights = across * down;
    b->plain = b->tile == TILE_NONE && b->load == BY_ROWS && !b->added_weights && b->hole_x == NO_TAP &&
               b->twice_x == NO_TAP && b->twice_y == NO_TAP && b->sum_bits == 32 && b->product_bits == 32 &&
               b->stages == ONCE && !b->is_signed && b->odd_x == NO_TAP && b->precision == WRONG_EXACT;
    bool flat_rows = b->edge_x == EDGE_FLAT || b->edge_y == EDGE_FLAT;
    return b->held_x < (b->hold_x > 1 ? b->hold_x : 1) && b->held_y < (b->hold_y > 1 ? b->hold_y : 1) &&
           b->divisor != 0 && !(flat_rows && b->edge_x != b->edge_y) &&
           !(b->hole == HOLE_CLAMP && b->tile > TILE_SIDES);
}

/* The pixel whose result lies at dst[index]. False: nobody's. */
static bool stored_at(const struct blur *b, int64_t index, int *x, int *y) {
    int64_t w = b->width, h = b->height, i = index - b->flat;
    if (i < 0 || i >= w * h)
        return false;
    *x = (int)(i % w);
    *y = (int)(i / w);
    switch (b->store) {
    case BY_ROWS: break;
    case BY_COLUMNS:
        *x = (int)(i / h);
        *y = (int)(i % h);
        break;
    case BY_HEIGHT: break;
    case MIRRORED_X: *x = (int)(w - 1 - *x); break;
    case MIRRORED_Y: *y = (int)(h - 1 - *y); break;
    }
    return true;
}

static int expected(const struct blur *b, uint64_t index) {
    int x, y;
    if (b->store == BY_HEIGHT && b->width != b->height)
        return UNKNOWN; /* several results at one place */
    return stored_at(b, (int64_t)index, &x, &y) ? result(b, x, y) : UNWRITTEN;
}

static bool gives(const void *recipe, uint64_t index) {
    const struct blur *b = recipe;
    int value = expected(b, index);
    return b->got[index] == (value == UNWRITTEN ? b->tried->poison : value);
}

static bool values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct blur *b = recipe;
    *got = b->got[index];
    *right = expected(b, index);
    return true;
}

static bool untouched(const void *recipe, uint64_t index) {
    const struct blur *b = recipe;
    return b->got[index] == b->tried->poison;
}

static uint64_t count(const struct problem_case *c) {
    return (uint64_t)(c->size[GAUSSIAN_WIDTH] * c->size[GAUSSIAN_HEIGHT]);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t width = c->size[GAUSSIAN_WIDTH];
    *p = (struct wrong_place){.at = {(int64_t)index % width, (int64_t)index / width},
                              .extent = {width, c->size[GAUSSIAN_HEIGHT]}};
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"width", c->size[GAUSSIAN_WIDTH], false};
    f[1] = (struct wrong_feature){"height", c->size[GAUSSIAN_HEIGHT], false};
    return 2;
}

const struct wrong_oracles wrong_blur = {
    .axis = {{"column", "columns", "x", "width"}, {"row", "rows", "y", "height"}},
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct blur),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .begin = begin,
    .mistake = mistake,
    .finish = finish,
    .gives = gives,
    .values = values,
    .untouched = untouched,
};

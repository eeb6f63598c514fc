/* wrong_blur_window.c: what comes out at a pixel when a blur is computed by a recipe. */
#include "lab/problems/diagnosis/wrong_blur_parts.h"

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
    bool across = u < left - b->side[LEFT] || u >= left + b->block_x + b->side[RIGHT],
         down = v < top - b->side[ABOVE] || v >= top + b->block_y + b->side[BELOW];
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
    int k = b->by_columns ? (*u - left) * height + *v - top
                          : (*v - top) * (b->tile == TILE_PITCH ? b->filled : width) + *u - left;
    if (b->tile == TILE_OWN) {
        int across = *u - left, down = *v - top, thread = k % (b->block_x * b->block_y);
        *u = left + RADIUS + (b->in_line ? thread : across) % b->block_x;
        *v = top + RADIUS + (b->in_line ? thread / b->block_x : down % b->block_y);
        return;
    }
    int filled = b->tile == TILE_FILL ? b->filled : width; /* values of a row, as they were put there */
    bool down = b->tile == TILE_SWAPPED && !b->by_columns;
    *u = left + (down ? k / height : k % filled);
    *v = top + (down ? k % height : k / filled);
}

static int floor_divided(int value, int by) {
    return (value >= 0 ? value : value - by + 1) / by;
}

/* Where a coordinate of a tap of the pixel at `at` is taken from. */
static int moved_to(const struct blur *b, int at, int tap) {
    int size = b->moved_size, first = at / size * size, place = tap - floor_divided(tap, size) * size;
    switch (b->moved) {
    case MOVED_NOT:
    case MOVED_AWAY: break;
    case MOVED_AHEAD: return tap > first + RADIUS ? tap + b->moved_by : tap;
    case MOVED_IN_WORDS:
        return floor_divided(tap, size) - at / size == b->moved_part
                   ? tap + (b->moved_by - b->moved_part) * size
                   : tap;
    case MOVED_SWAPPED:
        return place == b->moved_part ? tap + b->moved_by - b->moved_part
               : place == b->moved_by ? tap + b->moved_part - b->moved_by
                                      : tap;
    case MOVED_BYTE: return place == b->moved_part ? tap + b->moved_by - b->moved_part : tap;
    case MOVED_REVERSED: return tap + size - 1 - 2 * place;
    case MOVED_TILE_END: return tap >= first + size - RADIUS ? tap + b->moved_by : tap;
    case MOVED_HALO_BEFORE: return tap < first ? tap + b->moved_by : tap;
    case MOVED_HALO_BEHIND: return tap >= first + size ? tap + b->moved_by : tap;
    }
    return tap;
}

enum tap { TAP_VALUE, TAP_NOTHING, TAP_STOP_ROW, TAP_STOP, TAP_POISON, TAP_UNKNOWN };

static enum tap read_tap(const struct blur *b, int x, int y, int u, int v, int *value) {
    *value = 0;
    int *along = b->moved_axis == 0 ? &u : &v;
    if (b->moved == MOVED_AWAY &&
        *along - floor_divided(*along, b->moved_size) * b->moved_size == b->moved_part)
        return TAP_NOTHING;
    if (b->moved != MOVED_NOT && b->moved_axis == 0)
        u = moved_to(b, x, u);
    else if (b->moved != MOVED_NOT)
        v = moved_to(b, y, v);
    if (b->tile >= TILE_SWAPPED)
        move_in_tile(b, x, y, &u, &v);
    else if (b->tile != TILE_NONE && missing(b, x, y, u, v)) {
        int left = x / b->block_x * b->block_x, top = y / b->block_y * b->block_y;
        switch (b->hole) {
        case HOLE_ZERO: return TAP_VALUE;
        case HOLE_ONES: *value = 255; return TAP_VALUE;
        case HOLE_POISON: return TAP_POISON;
        case HOLE_CLAMP:
            u = u < left - b->side[LEFT]                  ? left - b->side[LEFT]
                : u >= left + b->block_x + b->side[RIGHT] ? left + b->block_x + b->side[RIGHT] - 1
                                                          : u;
            v = v < top - b->side[ABOVE]                 ? top - b->side[ABOVE]
                : v >= top + b->block_y + b->side[BELOW] ? top + b->block_y + b->side[BELOW] - 1
                                                         : v;
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        int *at = axis == 0 ? &u : &v, extent = axis == 0 ? b->width : b->height;
        if (*at >= b->low[axis] && *at < extent - b->high[axis])
            continue;
        switch (b->edge[axis]) {
        case EDGE_ZERO: return TAP_NOTHING;
        case EDGE_STOP: return axis == 0 ? TAP_STOP_ROW : TAP_STOP;
        case EDGE_LEVEL: *value = b->edge_level; return TAP_VALUE;
        case EDGE_FLAT: break;
        default: *at = inside(b->edge[axis], *at, extent);
        }
    }
    if (b->edge[0] == EDGE_FLAT && b->edge[1] == EDGE_FLAT && b->load == BY_ROWS) {
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
    if (b->factor != 0)
        return (int)((float)number * b->factor);
    switch (b->rounding) {
    case DOWN: return number / divisor;
    case HALF_UP: return (number + divisor / 2) / divisor;
    case UP: return (number + divisor - 1) / divisor;
    case HALF_EVEN: {
        int quotient = number / divisor, rest = 2 * (number % divisor);
        return quotient + (rest > divisor || (rest == divisor && quotient % 2 != 0));
    }
    case MINUS_HALF: return number / divisor - (number % divisor == 0 && number / divisor % 2 != 0);
    case UP_LESS_ONE: return (number + divisor - 1) / divisor - 1;
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
    return b->plain && u >= RADIUS + b->low[0] && v >= RADIUS + b->low[1] && u >= RADIUS && v >= RADIUS &&
           u < b->width - RADIUS - b->high[0] && v < b->height - RADIUS - b->high[1] &&
           u < b->width - RADIUS && v < b->height - RADIUS;
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
            int value, weight = b->added_weights ? b->weight[0][i] + b->weight[1][j]
                                                 : b->weight[0][i] * b->weight[1][j];
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
            weight *= 1 + (i - RADIUS == b->twice[0] || j - RADIUS == b->twice[1]);
            *weights += weight;
            int product = wrapped(weight * value, b->product_bits, b->signed_sum);
            if (b->stages == EACH_TAP)
                product = divided(b, product, b->divisor);
            row += b->weight[0][i] * value;
            column[i] += b->weight[1][j] * value;
            if (b->precision != WRONG_EXACT)
                *sum = (int)short_sum(b, *sum, product);
            else if (b->stages == ONCE || b->stages == EACH_TAP)
                *sum = wrapped(*sum + product, b->sum_bits, b->signed_sum);
        }
        if (b->stages == ROWS_FIRST)
            *sum += b->weight[1][j] * divided(b, row, 16);
        if (b->stages == ROWS_SHORT)
            *sum += b->weight[1][j] * shortened_part(b, row);
    }
    for (int i = 0; i < TAPS && b->stages == COLUMNS_FIRST; i++)
        *sum += b->weight[0][i] * divided(b, column[i], 16);
    for (int i = 0; i < TAPS && b->stages == COLUMNS_SHORT; i++)
        *sum += b->weight[0][i] * shortened_part(b, column[i]);
    return true;
}

/* The same place in the first of the strips that are side by side. */
static int first_strip(int at, int strips, int size) {
    return at - at / size % strips * size;
}

/* Pixels that no thread gets to, or that none stores. */
static bool uncovered(const struct blur *b, int x, int y) {
    if (b->grid_x != 0 && (x >= (b->height + b->grid_x - 1) / b->grid_x * b->grid_x ||
                           y >= (b->width + b->grid_y - 1) / b->grid_y * b->grid_y))
        return true;
    for (int axis = 0; axis < 2; axis++) {
        int extent = axis == 0 ? b->width : b->height, counted = b->counted[axis];
        if (b->early[axis] > 1 && first_strip(axis == 0 ? x : y, b->early[axis], b->apart[axis]) +
                                          (b->early[axis] - 1) * b->apart[axis] >=
                                      extent)
            return true;
        if (counted != 0 &&
            (axis == 0 ? x : y) >= b->step[axis] * ((extent + counted - 1) / counted - 1) + b->covered[axis])
            return true;
    }
    return (b->lanes[0] != 0 && x % b->lanes[0] >= b->lanes_used[0]) ||
           (b->lanes[1] != 0 && y % b->lanes[1] >= b->lanes_used[1]);
}

/* The pixel whose window is read by a thread that begins one pixel behind the thread before it, not `pixels`. */
static int of_thread(int at, int pixels, int threads) {
    int first = at / (pixels * threads) * (pixels * threads), inside_block = at - first;
    return first + inside_block / pixels + inside_block % pixels;
}

/* The pixel that is computed as one of so many side by side, where the results are stored apart. */
static int of_row(int at, int pixels, int apart) {
    int place = pixels > 1 ? at % (pixels * apart) : at;
    return pixels > 1 ? at - place + place % apart * pixels + place / apart : at;
}

int blur_result(const struct blur *b, int x, int y) {
    int sum = 0, weights = 0;
    bool poisoned = false;
    if (b->unwritten || uncovered(b, x, y))
        return UNWRITTEN;
    if (b->constant >= 0)
        return b->constant;
    if (b->hold[0] > 1)
        x = x - x % b->hold[0] + b->held[0];
    if (b->hold[1] > 1)
        y = y - y % b->hold[1] + b->held[1];
    if (x >= b->width || y >= b->height)
        return UNKNOWN;
    if (b->strips[0] > 1)
        x = first_strip(x, b->strips[0], b->strip[0]);
    if (b->strips[1] > 1)
        y = first_strip(y, b->strips[1], b->strip[1]);
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
    x = of_row(x, b->side_by_side[0], b->times_apart[0]);
    y = of_row(y, b->side_by_side[1], b->times_apart[1]);
    int first_x = b->accumulated[0] > 1 ? x - x / b->stride % b->accumulated[0] * b->stride : x,
        first_y = b->accumulated[1] > 1 ? y - y / b->stride % b->accumulated[1] * b->stride : y;
    for (int v = first_y; v <= y; v += b->stride)
        for (int u = first_x; u <= x; u += b->stride)
            if (!weighted_sum(b, u, v, &sum, &weights, &poisoned))
                return UNKNOWN;
    if (poisoned)
        return 0;
    sum *= b->times;
    int divisor = b->stages == EACH_TAP                                   ? 1
                  : b->stages == ROWS_FIRST || b->stages == COLUMNS_FIRST ? 16
                                                                          : b->divisor,
        value = divided(b, sum, b->normalised ? (weights > 0 ? weights : 1) : divisor);
    if (b->saturated)
        value = value < 0 ? 0 : value > 255 ? 255 : value;
    return (uint8_t)value;
}

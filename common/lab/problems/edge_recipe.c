/* edge_recipe.c: what comes out of an edge pipeline with mistakes in it. */
#include "lab/problems/edge_recipe.h"
#include "lab/problems/gaussian_blur.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { RADIUS = GAUSSIAN_RADIUS, TAPS = 2 * RADIUS + 1, UNWRITTEN = -1, UNKNOWN = INT_MIN };

enum { NEAR = RADIUS + 1, NEARBY = 2 * NEAR + 1 };

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

static int rounded_float(const struct edge *e, float r, float g, float b) {
    static const float weight[3] = {0.298839F, 0.586811F, 0.114350F};
    bool fused = e->gray == GRAY_FLOAT_FUSED || e->gray == GRAY_FLOAT_DOWN_FUSED;
    float half = e->gray == GRAY_FLOAT || e->gray == GRAY_FLOAT_FUSED ? 0.5F : 0;
    float red = weight[0] * r, green = weight[1] * g, blue = weight[2] * b;
    float sum = red + green, fused_sum = fmaf(weight[2], b, fmaf(weight[1], g, red));
    sum += blue;
    return (int)((fused ? fused_sum : sum) + half);
}

static int gray_of(const struct edge *e, const uint8_t *pixel) {
    int r = pixel[(e->first + e->red) % EDGE_CHANNELS], g = pixel[(e->first + 1) % EDGE_CHANNELS],
        b = pixel[(e->first + e->blue) % EDGE_CHANNELS];
    int sum = EDGE_RED * r + EDGE_GREEN * g + EDGE_BLUE * b;
    switch (e->gray) {
    case GRAY_RIGHT: return (sum + EDGE_ONE / 2) / EDGE_ONE;
    case GRAY_DOWN: return sum / EDGE_ONE;
    case GRAY_UP: return (sum + EDGE_ONE - 1) / EDGE_ONE;
    case GRAY_FLOAT:
    case GRAY_FLOAT_FUSED:
    case GRAY_FLOAT_DOWN:
    case GRAY_FLOAT_DOWN_FUSED: return rounded_float(e, (float)r, (float)g, (float)b);
    case GRAY_TV: return (299 * r + 587 * g + 114 * b + 500) / 1000;
    case GRAY_TV_DOWN: return (299 * r + 587 * g + 114 * b) / 1000;
    case GRAY_8_BITS: return (77 * r + 150 * g + 29 * b) / 256;
    case GRAY_8_BITS_HALF: return (77 * r + 150 * g + 29 * b + 128) / 256;
    case GRAY_MEAN: return (r + g + b) / 3;
    case GRAY_RED: return r;
    case GRAY_GREEN: return g;
    case GRAY_BLUE: return b;
    }
    return UNKNOWN;
}

/* Into the picture, along one axis. */
static int moved_in(enum outside outside, int u, int extent) {
    if (outside == OUTSIDE_MIRROR)
        u = u < 0 ? -u : u >= extent ? 2 * extent - 2 - u : u;
    return u < 0 ? 0 : u >= extent ? extent - 1 : u;
}

/* Of any place; `seen` is what the thread has of the plane. */
static int gray_at(const struct edge *e, const struct window *seen, int u, int v) {
    int64_t at = (int64_t)v * e->width + u;
    const struct nearby *n = seen->nearby;
    if (n != NULL && abs(u - n->x) <= NEAR && abs(v - n->y) <= NEAR)
        return n->level[v - n->y + NEAR][u - n->x + NEAR];
    if (!is_within(seen, u, v))
        return 0;
    if (u < 0 || u >= e->width || v < 0 || v >= e->height) {
        switch (e->gray_outside) {
        case OUTSIDE_CLAMP:
        case OUTSIDE_MIRROR:
            at = (int64_t)moved_in(e->gray_outside, v, e->height) * e->width +
                 moved_in(e->gray_outside, u, e->width);
            break;
        case OUTSIDE_FLAT:
            if (v < 0 || v >= e->height)
                return 0;
            if (at < 0 || at >= (int64_t)e->width * e->height)
                return UNKNOWN;
            break;
        default: return 0;
        }
    }
    int level = gray_of(e, e->src + EDGE_CHANNELS * at);
    return e->gray_signed ? (int8_t)level : level;
}

/* ---- blur */

static bool is_left_out(const struct edge *e, int dx, int dy) {
    return (e->without_x >> (dx + RADIUS) & 1) != 0 || (e->without_y >> (dy + RADIUS) & 1) != 0;
}

/* The sum of the window around (x, y), as the passes divide it. */
static int window_sum(const struct edge *e, const struct window *seen, int x, int y, int *used) {
    static const int w[TAPS] = {1, 2, 3, 4, 3, 2, 1};
    bool columns = e->passes == COLUMNS_DIVIDED;
    int sum = 0;
    *used = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        int line = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) {
            int dx = columns ? i : k, dy = columns ? k : i, u = x + dx, v = y + dy;
            int level = is_left_out(e, dx, dy) ? 0 : gray_at(e, seen, u, v);
            if (level == UNKNOWN)
                return UNKNOWN;
            line += w[k + RADIUS] * level;
            if (u >= 0 && u < e->width && v >= 0 && v < e->height)
                *used += w[dx + RADIUS] * w[dy + RADIUS];
        }
        sum += w[i + RADIUS] * (e->passes == ONE_DIVISION ? line : line / 16);
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
    int divisor = e->passes != ONE_DIVISION                      ? 16
                  : e->gray_outside == OUTSIDE_OTHER && used > 0 ? used
                                                                 : e->divisor;
    sum += e->blur_rounding == NEAREST ? divisor / 2 : e->blur_rounding == UP ? divisor - 1 : 0;
    int level = sum / divisor & 255;
    return e->blur_signed ? (int8_t)level : level;
}

static int blur_at(const struct edge *e, const struct window *seen, int u, int v) {
    int64_t at = (int64_t)v * e->width + u;
    if ((u < 0 || u >= e->width || v < 0 || v >= e->height) && e->blur_outside != OUTSIDE_OTHER) {
        switch (e->blur_outside) {
        case OUTSIDE_CLAMP:
        case OUTSIDE_MIRROR:
            u = moved_in(e->blur_outside, u, e->width);
            v = moved_in(e->blur_outside, v, e->height);
            break;
        case OUTSIDE_FLAT:
            if (v < 0 || v >= e->height)
                return 0;
            if (at < 0 || at >= (int64_t)e->width * e->height)
                return UNKNOWN;
            u = (int)(at % e->width);
            v = (int)(at / e->width);
            break;
        default: return 0;
        }
    }
    return blurred(e, seen, u, v);
}

/* ---- Sobel */

static int combined(const struct edge *e, int gx, int gy) {
    double square = (double)gx * gx + (double)gy * gy, level = 0;
    switch (e->magnitude) {
    case ROOT: level = sqrt(square); break;
    case ABSOLUTE_SUM: level = abs(gx) + abs(gy); break;
    case ROOT_OF_SUM:
        level = gx + gy > 0 ? sqrt(gx + gy) : 0;
        break; /* of a negative number: none, as a byte 0 */
    case ONLY_X: level = abs(gx); break;
    case ONLY_Y: level = abs(gy); break;
    case GREATER: level = fmax(abs(gx), abs(gy)); break;
    case SQUARES: level = square; break;
    case ROOT_OF_HALF: level = sqrt(square / 2); break;
    }
    int whole = (int)(e->rounding == NEAREST ? floor(level + 0.5) : e->rounding == UP ? ceil(level) : level);
    return e->wraps ? whole & 255 : whole > 255 ? 255 : whole;
}

static int result(const struct edge *e, int x, int y) {
    if (e->unwritten)
        return UNWRITTEN;
    if (e->constant >= 0)
        return e->constant;
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

/* ---- what wrong_edge needs */

void edge_recipe_begin(const struct wrong_tried *tried, void *recipe) {
    *(struct edge *)recipe = (struct edge){.tried = tried,
                                           .src = tried->input[EDGE_SRC],
                                           .got = tried->got,
                                           .width = (int)tried->problem_case->size[EDGE_WIDTH],
                                           .height = (int)tried->problem_case->size[EDGE_HEIGHT],
                                           .blue = 2,
                                           .divisor = 256,
                                           .middle = 2,
                                           .corner = 1,
                                           .constant = -1};
}

static int expected(const struct edge *e, uint64_t index) {
    return result(e, (int)(index % (uint64_t)e->width), (int)(index / (uint64_t)e->width));
}

bool edge_recipe_gives(const void *recipe, uint64_t index) {
    const struct edge *e = recipe;
    int value = expected(e, index);
    return e->got[index] == (value == UNWRITTEN ? e->tried->poison : value);
}

bool edge_recipe_values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct edge *e = recipe;
    *got = e->got[index];
    *right = expected(e, index);
    return true;
}

bool edge_recipe_untouched(const void *recipe, uint64_t index) {
    const struct edge *e = recipe;
    return e->got[index] == e->tried->poison;
}

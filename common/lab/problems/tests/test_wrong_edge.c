/* Wrong edge pipelines as students write them, and the cause that is told: never another one. */
#include "base/test.h"
#include "lab/problems/edge_pipeline.h"
#include "support_wrong.h"
#include <math.h>

#define MISTAKES(X)                                                                                          \
    X(BGR, "red and blue exchanged", "swapped", "red and blue are exchanged")                                \
    X(GRAY_CUT, "gray cut", "gray-rounded", "gray is rounded down")                                          \
    X(GRAY_FLOAT, "gray in float, cut", "gray-rounded", "gray is rounded down")                              \
    X(GRAY_FUSED, "gray in float, fused", "gray-float", "gray is computed in float")                         \
    X(GRAY_HALF_FIRST, "gray in float, the half first", "gray-float", "gray is computed in float")           \
    X(GRAY_DIVIDED, "gray's sum divided in float", "gray-float", "gray is computed in float")                \
    X(GRAY_16_BITS, "gray's weights in 16 bits", "gray-bits", "the weights of gray are rounded to 16 bits")  \
    X(GRAY_8_BITS, "gray's weights in 8 bits, cut", "gray-bits",                                             \
      "rounded to 8 bits, and the sum is rounded down")                                                      \
    X(GRAY_MEAN, "gray as the mean", "gray-formula", "(red + green + blue) / 3")                             \
    X(NO_BLUR, "no Gaussian", "stages", "the Gaussian is left out")                                          \
    X(BLUR_HALF_UP, "blur rounded", "blur-rounded", "to the nearest")                                        \
    X(BLUR_CLAMPED, "gray clamped outside", "border-gray",                                                   \
      "outside the picture gray is the nearest pixel's")                                                     \
    X(BLUR_COMPUTED_OUTSIDE, "fused, blur not 0 outside", "border-blur", "what its window gives there")      \
    X(SOBEL_CLAMPED, "blur clamped outside", "border-blur", "the nearest pixel's")                           \
    X(PASSES_CUT, "each pass divided", "blur-passes", "the rows' sums are divided by 16")                    \
    X(GX_PLUS_GY, "|gx| + |gy|", "magnitude", "the sum of the amounts of gx and gy")                         \
    X(ROOT_OF_SUM, "the slide's root", "magnitude", "the root of gx + gy")                                   \
    X(ROOT_ROUNDED, "root to the nearest", "rounded", "to the nearest")                                      \
    X(NOT_CUT, "255 not cut", "not-cut", "lose their upper bits")                                            \
    X(GRAY_HDTV, "0.2126", "gray-formula", "0.2126 red + 0.7152 green + 0.0722 blue")                        \
    X(BLUR_COMPUTED_ABOVE, "rows outside not 0", "border-blur-axis",                                         \
      "above and below the picture the blur is what its window")                                             \
    X(BLUR_FRACTIONS, "float blur", "blur-fractions", "not cut to whole levels")                             \
    X(ROWS_IN_BYTES, "uint8_t rows", "blur-bits", "the rows' sums are kept in a byte")                       \
    X(WEIGHT_3, "3 for 4", "blur-weight", "the Gaussian's weight of dx = +0 is 3")                           \
    X(WEIGHTS_3, "3 - |dx|", "blur-weights", "the Gaussian's weights along rows are 3 - |d|")                \
    X(WEIGHTS_5, "5 - |d|", "blur-weights", "the Gaussian's weights are 5 - |d|")                            \
    X(WORD_REVERSED, "24 - 8 * i", "word-reversed", "of every 4 results in a word the bytes lie in the")     \
    X(WORD_REVERSED_4, "24 - 8 * i, whole words", "word-reversed", "where width is a multiple of 4")         \
    X(SHORT_SQUARES, "uint16_t squares", "gradient-bits", "gx * gx + gy * gy is kept in 16 bits.")           \
    X(PACKED_ROOTS, "word of roots", "not-cut-packed",                                                       \
      "of every 4 roots that are put into a word, the bits above 255 are OR-ed")                             \
    X(LANES_ALONE, "shuffles without a halo", "halo-lanes",                                                  \
      "each strip of 28 columns knows only 2 gray columns beside it, and in place of others a lane "         \
      "takes its own pixel")                                                                                 \
    X(PREWITT, "1 1 1", "sobel-weights", "1 1 1 and not 1 2 1")                                              \
    X(SHIFTED, "shifted", "centre", "(x +1, y +0)")                                                          \
    X(HALO_OF_GAUSSIAN_ONLY, "halo of 3", "halo", "32 x 8 results knows only 3 gray pixels")                 \
    X(NO_SOBEL_HALO, "no halo for Sobel", "halo-blur", "32 x 8 results knows no blurred pixels")             \
    X(ODD_COLUMN_UNWRITTEN, "last odd column", "unwritten, tail", "nothing is written")                      \
    X(NOTHING, "nothing", "unwritten", "nothing is written")                                                 \
    X(NOISE, "noise", NULL, "")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

struct planes {
    int width, height;
    const uint8_t *src;
    uint8_t *gray, *blur;
};

static int level_of(unsigned which, const uint8_t *p) {
    int sum = 298839 * p[0] + 586811 * p[1] + 114350 * p[2];
    switch (which) {
    case BGR: return (298839 * p[2] + 586811 * p[1] + 114350 * p[0] + 500000) / 1000000;
    case GRAY_CUT: return sum / 1000000;
    case GRAY_FLOAT: return (int)(0.298839 * p[0] + 0.586811 * p[1] + 0.114350 * p[2] + 1e-9);
    case GRAY_FUSED:
        return (int)(fmaf(0.114350F, p[2], fmaf(0.586811F, p[1], 0.298839F * (float)p[0])) + 0.5F);
    case GRAY_HALF_FIRST:
        return (int)fmaf(0.298839F, p[0], fmaf(0.586811F, p[1], fmaf(0.114350F, p[2], 0.5F)));
    case GRAY_DIVIDED: return (int)((float)sum / 1e6F + 0.5F);
    case GRAY_16_BITS: return (19585 * p[0] + 38457 * p[1] + 7494 * p[2] + 32768) >> 16;
    case GRAY_8_BITS: return (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
    case GRAY_HDTV: return (2126 * p[0] + 7152 * p[1] + 722 * p[2] + 5000) / 10000;
    case GRAY_MEAN: return (p[0] + p[1] + p[2]) / 3;
    default: return (sum + 500000) / 1000000;
    }
}

static int bounded(int value, int extent) {
    return value < 0 ? 0 : value >= extent ? extent - 1 : value;
}

static bool is_inside(const struct planes *p, int x, int y) {
    return x >= 0 && x < p->width && y >= 0 && y < p->height;
}

/* Of the tile of (x, y), 32 x 8, with a border of 3 gray pixels? */
static bool is_near(int x, int y, int u, int v) {
    return u >= x / 32 * 32 - 3 && u < x / 32 * 32 + 35 && v >= y / 8 * 8 - 3 && v < y / 8 * 8 + 11;
}

/* tile_x, tile_y: the result for which the pixel is blurred. */
static int blurred(unsigned which, const struct planes *p, int x, int y, int tile_x, int tile_y) {
    static const int w[7] = {1, 2, 3, 4, 3, 2, 1};
    int sum = 0, change = which == WEIGHTS_5;
    if (which == BLUR_FRACTIONS && !is_inside(p, x, y))
        return 0;
    if (which == NO_BLUR)
        return p->gray[y * p->width + x];
    for (int dy = -3; dy <= 3; dy++) {
        int row = 0;
        for (int dx = -3; dx <= 3; dx++) {
            int u = x + dx, v = y + dy,
                weight = which == WEIGHT_3 && dx == 0 ? 3 : w[dx + 3] + change - (which == WEIGHTS_3);
            if (which == LANES_ALONE && (u < x / 28 * 28 - 2 || u >= x / 28 * 28 + 30))
                u = x;
            if (which == BLUR_CLAMPED)
                row += w[dx + 3] * p->gray[bounded(v, p->height) * p->width + bounded(u, p->width)];
            else if (is_inside(p, u, v) && (which != HALO_OF_GAUSSIAN_ONLY || is_near(tile_x, tile_y, u, v)))
                row += weight * p->gray[v * p->width + u];
        }
        sum += (w[dy + 3] + change) * (which == PASSES_CUT      ? row / 16
                                       : which == ROWS_IN_BYTES ? (uint8_t)row
                                                                : row);
    }
    if (which == BLUR_FRACTIONS)
        return sum;
    return which == PASSES_CUT ? sum / 16 : (sum + (which == BLUR_HALF_UP ? 128 : 0)) / 256;
}

static int neighbour(unsigned which, const struct planes *p, int x, int y, int dx, int dy) {
    int u = x + dx, v = y + dy;
    if (which == SOBEL_CLAMPED) {
        u = bounded(u, p->width);
        v = bounded(v, p->height);
    }
    if (which == NO_SOBEL_HALO && (u < 0 || v < 0 || u / 32 != x / 32 || v / 8 != y / 8))
        return 0;
    bool above = which == BLUR_COMPUTED_ABOVE && u >= 0 && u < p->width;
    if (!is_inside(p, u, v) && which != BLUR_COMPUTED_OUTSIDE && !above)
        return 0;
    return which == HALO_OF_GAUSSIAN_ONLY || which == BLUR_COMPUTED_OUTSIDE || above ||
                   which == BLUR_FRACTIONS
               ? blurred(which, p, u, v, x, y)
               : p->blur[v * p->width + u];
}

static int result(unsigned which, const struct planes *p, int x, int y) {
    int gx = 0, gy = 0;
    for (int k = -1; k <= 1; k++) {
        int weight = k == 0 && which != PREWITT ? 2 : 1;
        gx += weight * (neighbour(which, p, x, y, 1, k) - neighbour(which, p, x, y, -1, k));
        gy += weight * (neighbour(which, p, x, y, k, -1) - neighbour(which, p, x, y, k, 1));
    }
    float across = (float)gx / 256, down = (float)gy / 256, other = down * down;
    double square = which == SHORT_SQUARES ? (uint16_t)(gx * gx + gy * gy) : gx * gx + gy * gy,
           root = which == BLUR_FRACTIONS ? (double)sqrtf(fmaf(across, across, other)) : sqrt(square);
    int level = which == GX_PLUS_GY     ? abs(gx) + abs(gy)
                : which == ROOT_OF_SUM  ? (gx + gy > 0 ? (int)sqrt((double)(gx + gy)) : 0)
                : which == ROOT_ROUNDED ? (int)(root + 0.5)
                                        : (int)root;
    if (which == PACKED_ROOTS)
        return level | (x % 4 > 0 ? result(which, p, x - 1, y) >> 8 : 0);
    return which == NOT_CUT ? level & 255 : level > 255 ? 255 : level;
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    struct planes p = {
        .width = (int)c->size[EDGE_WIDTH], .height = (int)c->size[EDGE_HEIGHT], .src = inputs[EDGE_SRC]};
    int count = p.width * p.height, shift = which == SHIFTED;
    uint8_t *dst = output;
    assert_non_null(p.gray = malloc((size_t)count));
    assert_non_null(p.blur = malloc((size_t)count));
    for (int i = 0; i < count; i++)
        p.gray[i] = (uint8_t)level_of(which, p.src + (size_t)4 * (size_t)i);
    for (int i = 0; i < count; i++)
        p.blur[i] = (uint8_t)blurred(which, &p, i % p.width, i / p.width, i % p.width, i / p.width);
    for (int i = 0; i < count && which != NOTHING; i++) {
        int x = i % p.width, y = i / p.width;
        if (which == ODD_COLUMN_UNWRITTEN && p.width % 2 != 0 && x == p.width - 1)
            continue;
        if (which == WORD_REVERSED || (which == WORD_REVERSED_4 && p.width % 4 == 0))
            shift = 3 - 2 * (x % 4);
        dst[i] = (uint8_t)result(which, &p, x + shift, y);
        if (which == NOISE && wrong_scatter((uint32_t)i + (uint32_t)p.width * 7919u) % 50 == 0)
            dst[i] ^= (uint8_t)(1 + wrong_scatter((uint32_t)i) % 100);
    }
    free(p.gray);
    free(p.blur);
}

int main(void) {
    return wrong_suite(&problem_edge_pipeline, function, rows, KINDS);
}

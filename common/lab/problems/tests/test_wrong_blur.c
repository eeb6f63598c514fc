/* Wrong blurs as students write them, and the cause that is told: never another one. */
#include "lab/problems/gaussian_blur.h"
#include "support_wrong.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MISTAKES(X)                                                                                          \
    X(DX_BELOW_RADIUS, "dx < RADIUS", "taps-dx", "the taps with dx = +3 are left out")                       \
    X(DXDY_BELOW_RADIUS, "dx < RADIUS, dy < RADIUS", "taps-dx-dy", "dx = +3 and those with dy = +3")         \
    X(DY_FROM_ZERO, "dy from 0", "window", "dy = +0 to +3")                                                  \
    X(ONE_TAP, "one tap", "tap", "dx = -2, dy = +1")                                                         \
    X(CLAMPED, "clamped", "border", "repeat the nearest")                                                    \
    X(MIRRORED, "mirrored", "border", "mirror the image about its outermost")                                \
    X(WRAPPED_X, "wrapped in x", "border-axis", "left and right of the image continue on the other side")    \
    X(NO_X_CHECK, "only the index is checked", "border", "neighbouring rows")                                \
    X(U_ABOVE_ZERO, "u > 0", "check-x", "column 0 of the source counts as outside")                          \
    X(EDGE_BREAKS, "break at the edge", "border", "end the loop")                                            \
    X(NORMALISED, "normalised", "normalised", "weights that lie inside")                                     \
    X(CHAR, "char", "signed", "negative")                                                                    \
    X(HALF_UP, "+ 128", "rounded", "a half up")                                                              \
    X(EVERY_FOURTH_ROUNDED, "a pixel of four rounded", "rounded, modulo", "x % 4 = 3")                       \
    X(DIVIDED_EACH, "divided tap by tap", "stages", "each product is divided")                               \
    X(ROWS_FIRST, "rows rounded", "stages", "each row of the window is divided by 16 and rounded down")      \
    X(DIVISOR_255, "/ 255", "divisor", "divided by 255")                                                     \
    X(BOX, "box", "weights", "all 1, and the sum is divided by 49")                                          \
    X(ONE_WEIGHT, "1 2 3 4 3 1 1", "weight", "the weight of dx = +2 and of dy = +2 is 1")                    \
    X(SUM_8_BITS, "uint8_t sum", "constant", "every result is 0, or when the sum is never set to 0")         \
    X(SHIFTED_RIGHT, "one to the right", "centre", "(x -1, y +0)")                                           \
    X(SHIFTED_DIAGONAL, "diagonal", "centre", "(x +1, y +1)")                                                \
    X(DST_SWAPPED, "dst[x * height + y]", "order-store", "dst[x * height + y]")                              \
    X(SRC_SWAPPED_SQUARE, "src[u * height + v]", "order-load", "src[u * height + v]")                        \
    X(GRID_ROUNDS_DOWN_X, "width / 32", "unwritten, tail", "columns with x >= width - width % 32")           \
    X(GRID_ROUNDS_DOWN, "width / 32, height / 8", "unwritten, tails",                                        \
      "x >= width - width % 32 or y >= height - height % 8")                                                 \
    X(GRID_SWAPPED, "grid swapped", "grid-swapped", "rounded up to a multiple of 32")                        \
    X(LAST_ROW_MISSING, "last row", "unwritten, last", "in the last row")                                    \
    X(BORDER_NOT_WRITTEN, "border not written", "unwritten, border", "within 3 of the edge")                 \
    X(BORDER_ZERO, "border 0", "constant, border", "every result is 0 within 3 of the edge")                 \
    X(NOTHING, "nothing", "unwritten", "nothing is written")                                                 \
    X(EVERY_OTHER_COLUMN_HELD, "pairs alike", "held",                                                        \
      "of every 2 neighbours in a row all get the result of the first")                                      \
    X(SUM_NOT_RESET, "sum not reset", "accumulated", "not set to 0 between the 4 neighbouring pixels")       \
    X(HALO_RIGHT_MISSING, "no right halo", "halo-side",                                                      \
      "in tiles of 32 columns the halo right of them is 0 wide")                                             \
    X(HALO_ZERO, "no halo", "halo", "in tiles of 32 x 8 pixels the halo is 0 wide")                          \
    X(HALO_CORNERS, "no corners", "halo-corners", "in tiles of 16 x 16 pixels the corners")                  \
    X(HALO_TWO_WIDE, "halo of 2", "halo", "in tiles of 32 x 8 pixels the halo is 2 wide")                    \
    X(ONE_PASS, "filled by one pass", "tile-first-pass",                                                     \
      "in tiles of 32 x 8 pixels and their halo only the first 32 x 8")                                      \
    X(LEFT_EARLY, "return before the fill", "tile-left-early",                                               \
      "what the threads outside the image should fill")                                                      \
    X(CLAMP_AND_ROUND, "clamped and rounded", "border, rounded",                                             \
      "repeat the nearest one inside and the sum / 256 is rounded to the nearest")                           \
    X(TAP_AND_CHAR, "dx < RADIUS, char", "taps-dx, signed", "dx = +3")                                       \
    X(FIRST_32_COLUMNS, "32 columns", "unwritten, from", "columns with x >= 32")                             \
    X(COPIED, "copied", "copied", "the source is copied")                                                    \
    X(OLD_BLOCK_WIDTH, "blockIdx.x * 8", "blocks-overlap",                                                   \
      "blocks of 32 columns begin 8 after the one before")                                                   \
    X(ONE_ENTRY, "one of 49 weights", "tap-weight", "the weight at dx = -2, dy = +2 is 2")                   \
    X(DY_TWICE_ROUNDED, "w(dy) * w(dy), + 128", "rounded, weights", "w(dy) * w(dy)")                         \
    X(READ_PITCH, "tile[j * 32 + i]", "tile-pitch",                                                          \
      "the tile of blocks 32 wide is read with rows of 32 + 0 values")                                       \
    X(FILL_SWAPPED, "k / TILE_HEIGHT", "tile-swapped",                                                       \
      "tiles of 32 x 8 pixels and their halo are filled by columns")                                         \
    X(GRID_COUNTS_HALO, "height / TILE_HEIGHT", "grid-counted", "6 more rows for each block of 4")           \
    X(GRID_COUNTS_THREADS, "26 x 10 of 32 x 16", "grid-inner", "blocks of 32 x 16 threads")                  \
    X(THREAD_ROWS, "row threadIdx.y", "thread-pixels",                                                       \
      "each of 4 threads with 4 pixels one below the other")                                                 \
    X(WORD_REVERSED, "uchar4 reversed", "reversed", "the order is reversed, where width is a multiple of 4") \
    X(NOISE, "no pattern", NULL, "cases are wrong")                                                          \
    X(NOISE_AND_UNWRITTEN, "no pattern, and column 0 not written", NULL,                                     \
      "The pixels in the first column were never written: they hold what was there before (")                \
    X(OUTSIDE_255, "tile not filled outside", "border",                                                      \
      "pixels outside the image are 255, as shared memory that nobody wrote is")                             \
    X(NEVER_SET, "int sum;", "constant", "the sum is never set to 0 before the loop")                        \
    X(FILL_MODULUS, "k % BLOCK_WIDTH", "tile-filled",                                                        \
      "the tile of blocks 32 wide is filled with rows of 32 + 0 values")                                     \
    X(BYTES_SWAPPED, ".y and .z", "pixels-swapped",                                                          \
      "of every 4 neighbours in a row of the source the second and the third change places")                 \
    X(BYTES_REVERSED, "word >> 24 first", "pixels-reversed",                                                 \
      "of every 4 neighbours in a row of the source the order is reversed, where width is a multiple of "    \
      "4")                                                                                                   \
    X(BYTE_TWICE, "four.w = four.z", "pixel-copied", "the fourth is read as the third")                      \
    X(THIRD_WORD, "b.x for c.x", "word-taken",                                                               \
      "of the words of 4 pixels the one behind a thread's own is taken from the thread's own")               \
    X(WINDOW_BEHIND, "x + 2", "window-ahead",                                                                \
      "a thread with 8 pixels side by side takes, from its second on, the new column of the window -1 "      \
      "from where it lies")                                                                                  \
    X(HALO_BELOW_REPEATS, "gy - R for gy - R + BH", "halo-moved",                                            \
      "in tiles of 8 rows the last 6 of tile and halo hold what lies a tile before")                         \
    X(HALO_THREE_FURTHER, "gx + BW", "halo-moved", "3 behind their place")                                   \
    X(TAIL_OUTSIDE, "x + 3 < width", "check-tail", "the last width % 4 columns of the source count")         \
    X(OUTSIDE_128, ": 128", "border-level", "pixels outside the image count as 128")                         \
    X(PAIRS_MIXED, "1 3 2 4 2 3 1", "weights-swapped", "the weights 3 and 2 of dx change places")            \
    X(SMALL_WEIGHTS, "3 - |d|", "weights", "the weights are 0 1 2 3 2 1 0.")                                 \
    X(BYTE_ROWS, "uint8_t across[]", "part-bits",                                                            \
      "the sum of each row of the window is kept in 8 bits, unsigned.")                                      \
    X(SHORT_FACTOR, "0.0039f", "factor", "multiplied by 0.0039,")                                            \
    X(RINT_LESS_HALF, "rintf(sum / 256 - 0.5f)", "rounded", "after 0.5 was taken off")                       \
    X(STRIP_ONE_TILE, "one tile for two strips", "strip-repeated", "of every 2 groups of 8 rows")            \
    X(RETURN_BEFORE, "return where y + 8 is outside", "return-early", "a thread of 2 pixels, 8 rows apart")  \
    X(OWN_PIXEL, "the thread's pixel", "tile-own",                                                           \
      "in tiles of 32 x 8 pixels and their halo each value is the pixel")                                    \
    X(OWN_PIXEL_LINE, "the same, one line", "tile-own", "and threads fill the tile as one long line")        \
    X(READ_SWAPPED, "tile[x][y]", "tile-swapped", "filled by rows and read by columns")                      \
    X(NO_FOURTH_BYTE, ".w forgotten", "pixels-zero", "source pixels with u % 4 = 3 count as 0")              \
    X(ROWS_APART, "rows stored 8 apart", "other-stride",                                                     \
      "a thread's 4 rows are computed side by side and stored 8 apart")                                      \
    X(BLOCK_HALF_AS_HIGH, "blocks of 4 rows for 8", "lanes", "of every 8 rows only the first 4 get a thread")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

struct picture {
    const uint8_t *src;
    int width, height;
};

static int pixel(const struct picture *p, int u, int v) {
    return u < 0 || v < 0 || u >= p->width || v >= p->height ? 0 : p->src[v * p->width + u];
}

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

static int mirror(int value, int extent) {
    while (extent > 1 && (value < 0 || value >= extent))
        value = value < 0 ? -value : 2 * (extent - 1) - value;
    return extent > 1 ? value : 0;
}

/* What a tap of the pixel (x, y) is. */
static int tap(unsigned which, const struct picture *p, int x, int y, int dx, int dy) {
    int u = x + dx, v = y + dy, w = p->width, h = p->height, left = x / 32 * 32, top = y / 8 * 8;
    switch (which) {
    case CLAMPED:
    case CLAMP_AND_ROUND: return pixel(p, clamp(u, w - 1), clamp(v, h - 1));
    case MIRRORED: return pixel(p, mirror(u, w), mirror(v, h));
    case WRAPPED_X: return pixel(p, (u + 4 * w) % w, v);
    case NO_X_CHECK: return v * w + u >= 0 && v * w + u < w * h ? p->src[v * w + u] : 0;
    case OUTSIDE_255: return u < 0 || v < 0 || u >= w || v >= h ? 255 : pixel(p, u, v);
    case U_ABOVE_ZERO: return u > 0 ? pixel(p, u, v) : 0;
    case CHAR:
    case TAP_AND_CHAR: return (int8_t)pixel(p, u, v);
    case SHIFTED_RIGHT: return pixel(p, u - 1, v);
    case SHIFTED_DIAGONAL: return pixel(p, u + 1, v + 1);
    case SRC_SWAPPED_SQUARE: return u < 0 || v < 0 || u >= w || v >= h ? 0 : p->src[u * h + v];
    case HALO_RIGHT_MISSING: return u >= left + 32 ? 0 : pixel(p, u, v);
    case HALO_ZERO: return u < left || v < top || u >= left + 32 || v >= top + 8 ? 0 : pixel(p, u, v);
    case HALO_TWO_WIDE:
        return u < left - 2 || v < top - 2 || u >= left + 34 || v >= top + 10 ? 0 : pixel(p, u, v);
    case HALO_CORNERS:
        left = x / 16 * 16, top = y / 16 * 16;
        return (u < left || u >= left + 16) && (v < top || v >= top + 16) ? 0 : pixel(p, u, v);
    case ONE_PASS: return (v - top + 3) * 38 + u - left + 3 >= 256 ? 255 : pixel(p, u, v);
    case READ_PITCH:
    case FILL_SWAPPED: {
        int k = (v - top + 3) * (which == READ_PITCH ? 32 : 38) + u - left + 3;
        return which == READ_PITCH ? pixel(p, left - 3 + k % 38, top - 3 + k / 38)
                                   : pixel(p, left - 3 + k / 14, top - 3 + k % 14);
    }
    case LEFT_EARLY: {
        int thread = ((v - top + 3) * 38 + u - left + 3) % 256;
        return left + thread % 32 >= w || top + thread / 32 >= h ? 255 : pixel(p, u, v);
    }
    case FILL_MODULUS: {
        int k = (v - top + 3) * 38 + u - left + 3;
        return pixel(p, left - 3 + k % 32, top - 3 + k / 32);
    }
    case OWN_PIXEL: return pixel(p, left + (u - left + 3) % 32, top + (v - top + 3) % 8);
    case OWN_PIXEL_LINE: {
        int thread = ((v - top + 3) * 38 + u - left + 3) % 256;
        return pixel(p, left + thread % 32, top + thread / 32);
    }
    case READ_SWAPPED: {
        int k = (u - left + 3) * 14 + v - top + 3;
        return pixel(p, left - 3 + k % 38, top - 3 + k / 38);
    }
    case NO_FOURTH_BYTE: return (u & 3) == 3 ? 0 : pixel(p, u, v);
    case BYTES_SWAPPED: {
        static const int place[4] = {0, 2, 1, 3};
        return pixel(p, (u & ~3) + place[u & 3], v);
    }
    case BYTES_REVERSED: return pixel(p, w % 4 == 0 && u >= 0 && u < w ? u ^ 3 : u, v);
    case BYTE_TWICE: return pixel(p, (u & 3) == 3 ? u - 1 : u, v);
    case THIRD_WORD: return pixel(p, u >= x / 4 * 4 + 4 ? u - 4 : u, v);
    case WINDOW_BEHIND: return pixel(p, u < x / 8 * 8 + 4 ? u : u - 1, v);
    case HALO_BELOW_REPEATS: return pixel(p, u, v - (top - 3) >= 8 ? v - 8 : v);
    case HALO_THREE_FURTHER: return pixel(p, u - (left - 3) >= 32 ? u + 3 : u, v);
    case TAIL_OUTSIDE: return u >= w / 4 * 4 ? 0 : pixel(p, u, v);
    case OUTSIDE_128: return u < 0 || v < 0 || u >= w || v >= h ? 128 : p->src[v * w + u];
    default: return pixel(p, u, v);
    }
}

static bool left_out(unsigned which, const struct picture *p, int x, int dx, int dy) {
    switch (which) {
    case DX_BELOW_RADIUS:
    case TAP_AND_CHAR: return dx == 3;
    case DXDY_BELOW_RADIUS: return dx == 3 || dy == 3;
    case DY_FROM_ZERO: return dy < 0;
    case ONE_TAP: return dx == -2 && dy == 1;
    case EDGE_BREAKS: return x - 3 < 0 || x + dx >= p->width;
    default: return false;
    }
}

static int blurred(unsigned which, const struct picture *p, int x, int y) {
    static const int right[7] = {1, 2, 3, 4, 3, 2, 1}, box[7] = {1, 1, 1, 1, 1, 1, 1},
                     odd[7] = {1, 2, 3, 4, 3, 1, 1}, mixed[7] = {1, 3, 2, 4, 2, 3, 1},
                     small[7] = {0, 1, 2, 3, 2, 1, 0};
    const int *w = which == BOX             ? box
                   : which == ONE_WEIGHT    ? odd
                   : which == SMALL_WEIGHTS ? small
                                            : right,
              *across = which == PAIRS_MIXED ? mixed : w;
    int in_bytes = 0;
    int sum = 0, inside = 0, each = 0, by_rows = 0;
    for (int dy = -3; dy <= 3; dy++) {
        int row = 0;
        if (which == EDGE_BREAKS && (y - 3 < 0 || y + dy >= p->height))
            continue;
        for (int dx = -3; dx <= 3; dx++) {
            if (left_out(which, p, x, dx, dy))
                continue;
            int weight = w[dy + 3] * across[which == DY_TWICE_ROUNDED ? dy + 3 : dx + 3];
            weight = which == ONE_ENTRY && dx == -2 && dy == 2 ? 2 : weight;
            int value = tap(which, p, x, y, dx, dy);
            sum += weight * value;
            each += weight * value / 256;
            row += w[dx + 3] * value;
            inside += x + dx >= 0 && x + dx < p->width && y + dy >= 0 && y + dy < p->height ? weight : 0;
        }
        by_rows += w[dy + 3] * (row / 16);
        in_bytes += w[dy + 3] * (uint8_t)row;
    }
    switch (which) {
    case NORMALISED: return sum / inside;
    case HALF_UP:
    case DY_TWICE_ROUNDED:
    case CLAMP_AND_ROUND: return (sum + 128) / 256;
    case EVERY_FOURTH_ROUNDED: return (sum + (x % 4 == 3 ? 128 : 0)) / 256;
    case DIVIDED_EACH: return each;
    case ROWS_FIRST: return by_rows / 16;
    case NEVER_SET: return 0;
    case BYTE_ROWS: return in_bytes / 256;
    case SHORT_FACTOR: return (int)((float)sum * 0.0039F);
    case RINT_LESS_HALF: return (int)rintf((float)sum / 256.0F - 0.5F);
    case DIVISOR_255: return sum / 255;
    case BOX: return sum / 49;
    case SUM_8_BITS: return (uint8_t)sum / 256;
    case SUM_NOT_RESET: return sum;
    default: return sum / 256;
    }
}

static bool has_thread(unsigned which, const struct picture *p, int x, int y) {
    int w = p->width, h = p->height;
    switch (which) {
    case GRID_ROUNDS_DOWN_X: return x < w / 32 * 32;
    case GRID_ROUNDS_DOWN: return x < w / 32 * 32 && y < h / 8 * 8;
    case GRID_SWAPPED: return x < (h + 31) / 32 * 32 && y < (w + 31) / 32 * 32;
    case LAST_ROW_MISSING: return y < h - 1;
    case BORDER_NOT_WRITTEN: return x >= 3 && y >= 3 && x < w - 3 && y < h - 3;
    case NOISE_AND_UNWRITTEN: return x != 0;
    case NOTHING: return false;
    case FIRST_32_COLUMNS: return x < 32;
    case OLD_BLOCK_WIDTH: return x < 8 * ((w + 31) / 32 - 1) + 32;
    case GRID_COUNTS_HALO: return y < 4 * ((h + 9) / 10);
    case RETURN_BEFORE: return y / 16 * 16 + y % 8 + 8 < h;
    case BLOCK_HALF_AS_HIGH: return y % 8 < 4;
    case GRID_COUNTS_THREADS: return x < 26 * ((w + 31) / 32) && y < 10 * ((h + 15) / 16);
    default: return true;
    }
}

static void kernel(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    struct picture p = {inputs[0], (int)c->size[GAUSSIAN_WIDTH], (int)c->size[GAUSSIAN_HEIGHT]};
    uint8_t *dst = output;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            if (!has_thread(which, &p, x, y))
                continue;
            int u = which == EVERY_OTHER_COLUMN_HELD             ? x & ~1
                    : which == WORD_REVERSED && p.width % 4 == 0 ? x ^ 3
                                                                 : x,
                v = which == THREAD_ROWS      ? y / 16 * 16 + y % 16 / 4 + y % 4
                    : which == STRIP_ONE_TILE ? y / 16 * 16 + y % 8
                    : which == ROWS_APART     ? y / 32 * 32 + y % 8 * 4 + y % 32 / 8
                                              : y;
            int value = blurred(which, &p, u, v), at = y * p.width + x;
            if (which == DST_SWAPPED)
                at = x * p.height + y;
            if (which == BORDER_ZERO && !has_thread(BORDER_NOT_WRITTEN, &p, x, y))
                value = 0;
            if (which == COPIED)
                value = p.src[at];
            if ((which == NOISE || which == NOISE_AND_UNWRITTEN) &&
                (wrong_scatter((uint32_t)(at * 977 + p.width)) % 64 == 0))
                value += 1 + (int)(wrong_scatter((uint32_t)at) % 50);
            if (which == SUM_NOT_RESET) {
                for (int u = x - x % 4; u < x; u++)
                    value += blurred(which, &p, u, y);
                value /= 256;
            }
            dst[at] = (uint8_t)value;
        }
}

int main(void) {
    return wrong_suite(&problem_gaussian_blur, kernel, rows, KINDS);
}

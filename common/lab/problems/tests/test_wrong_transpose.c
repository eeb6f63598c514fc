/* Wrong transpositions as students write them, and the cause that is told: never another one. */
#include "lab/problems/transpose.h"
#include "support_wrong.h"

#define MISTAKES(X)                                                                                          \
    X(NOTHING, "empty", "unwritten", "nothing is written")                                                   \
    X(COPIED, "dst[i] = src[i]", "copied", "element i of dst is element i of src")                           \
    X(BY_HEIGHT, "src[y * height + x]", "src-pitch", "src[y * height + x] is read")                          \
    X(TILES_ONLY, "tile[y][x] stored and read", "tiles-only", "tiles of 32 x 32 change places")              \
    X(WITHIN_TILES, "blocks stay", "within-tiles", "tiles of 16 x 16 are transposed within themselves")      \
    X(FOURS_ONLY, "4 x 4 not exchanged", "tiles-only", "width and height are multiples of 4")                \
    X(GUARD_Y, "guard y < width", "unwritten-guard", "columns of dst with y >= width")                       \
    X(GUARD_X, "guard x < height", "unwritten-guard", "rows of dst with x >= height")                        \
    X(NO_LAST_BLOCK, "width / 32 blocks", "unwritten, tail",                                                 \
      "nothing is written in rows of dst with x >= width - width % 32")                                      \
    X(LAST_ROW, "x < width - 1", "unwritten, last", "nothing is written in the last row of dst")             \
    X(SWAPPED_GUARDS, "x < height && y < width", "unwritten-guard", "y >= width and rows with x >= height")  \
    X(SWAPPED_GRID, "grid of height x width", "swapped-grid", "in blocks of 32 x 8")                         \
    X(REVERSED, ".w first", "mirrored", "of every 4 columns of dst the order is reversed")                   \
    X(X_FOR_ALL, ".x for all", "held", "of every 4 rows of dst all get the elements of number 0")            \
    X(REPEATED, "no + i", "repeated", "of every 32 rows of dst those from number 8 on repeat the first 8")   \
    X(TURNED, "rotated", "turned", "each of its rows is reversed")                                           \
    X(NEIGHBOUR, "off by one", "neighbour", "each element is that of the column of dst +1")                  \
    X(UNALIGNED, "pointer rounded down", "rounded", "from the multiple of 16 bytes before its start")        \
    X(NOISE, "no pattern", NULL, "cases are wrong")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

static bool is_skipped(unsigned which, const int64_t *s, int64_t x, int64_t y) {
    int64_t width = s[TRANSPOSE_WIDTH], height = s[TRANSPOSE_HEIGHT];
    switch (which) {
    case NOTHING: return true;
    case GUARD_Y: return y >= width;
    case GUARD_X: return x >= height;
    case NO_LAST_BLOCK: return x >= width / 32 * 32;
    case LAST_ROW: return x == width - 1;
    case SWAPPED_GUARDS: return y >= width || x >= height;
    case SWAPPED_GRID: return y >= (width + 7) / 8 * 8 || x >= (height + 31) / 32 * 32;
    default: return false;
    }
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    const int64_t *s = c->size, width = s[TRANSPOSE_WIDTH], height = s[TRANSPOSE_HEIGHT],
                  count = width * height;
    const float *src = (const float *)inputs[TRANSPOSE_SRC] + s[TRANSPOSE_SHIFT_SRC];
    float *dst = (float *)output + s[TRANSPOSE_SHIFT_DST];
    for (int64_t at = 0; at < count; at++) {
        int64_t x = at / height, y = at % height,
                tile = which == FOURS_ONLY     ? 4
                       : which == WITHIN_TILES ? 16
                                               : 32,
                inner_x = x % tile, inner_y = y % tile, from;
        if (is_skipped(which, s, x, y))
            continue;
        switch (which) {
        case TILES_ONLY:
        case FOURS_ONLY:
            if (which == FOURS_ONLY &&
                (width % 4 != 0 || height % 4 != 0 || s[TRANSPOSE_SHIFT_SRC] + s[TRANSPOSE_SHIFT_DST] > 0))
                break;
            x += inner_y - inner_x;
            y += inner_x - inner_y;
            break;
        case WITHIN_TILES:
            x = y - inner_y + inner_x;
            y = at / height - inner_x + inner_y;
            break;
        case REVERSED: y += y / 4 * 4 + 4 <= height ? 3 - 2 * (y % 4) : 0; break;
        case X_FOR_ALL: x -= x % 4; break;
        case REPEATED: x -= x % 32 / 8 * 8; break;
        case TURNED: y = height - 1 - y; break;
        case NEIGHBOUR: y++; break;
        case UNALIGNED: x -= s[TRANSPOSE_SHIFT_SRC]; break;
        default: break;
        }
        from = which == COPIED ? at : which == BY_HEIGHT ? y * height + x : y * width + x;
        if (from < -s[TRANSPOSE_SHIFT_SRC] || from >= count) /* there the simulator would stop it */
            continue;
        dst[at] = src[from];
        if (which == NOISE && wrong_scatter((uint32_t)at + (uint32_t)width * 7919u) % 50 == 0)
            dst[at] += 2;
    }
}

int main(void) {
    return wrong_suite(&problem_transpose, function, rows, KINDS);
}

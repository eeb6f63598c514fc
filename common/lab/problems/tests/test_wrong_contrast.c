/* Wrong contrast stretches as students write them, and the cause that is told: never another one. */
#include "lab/problems/contrast.h"
#include "support_wrong.h"
#include <string.h>

#define MISTAKES(X)                                                                                          \
    X(NOTHING, "empty", "empty", "nothing is written")                                                       \
    X(CHAR, "char", "signed", "levels above 127 are taken for negative")                                     \
    X(CHAR_MINMAX, "char in the reduction", "signed-part", "negative numbers for min and max")               \
    X(DOWN, "rounded down", "rounded", "rounded down")                                                       \
    X(ONE_LEVEL_0, "0 for one level", "one-level", "a picture of one level becomes 0")                       \
    X(FLOAT_FACTOR, "(v - low) * (255.0f / range)", "rounded", "rounded down")                               \
    X(FLOAT_EVEN, "rintf", "float", "a half to even")                                                        \
    X(INT_QUOTIENT, "(v - low) / range * 255", "formula", "(src - min) / range * 255")                       \
    X(FORGOT_MIN, "v * 255 / range", "formula", "src * 255 / range")                                         \
    X(BY_MAX, "/ max", "formula", "(src - min) * 255 / max")                                                 \
    X(TIMES_256, "256", "formula", "256 / range")                                                            \
    X(GAPS_READ, "gaps counted", "gaps-read", "bytes between the rows count")                                \
    X(GAPS_WRITTEN, "gaps written", "gaps-written", "bytes between the rows of dst")                         \
    X(SRC_PITCH, "src[y * width + x]", "pitch-src", "src[y * width + x] is read")                            \
    X(DST_PITCH, "dst[y * width + x]", "pitch-dst", "dst[y * width + x] is written")                         \
    X(ONE_PITCH, "dst[y * src_pitch + x]", "pitch-other-dst", "dst[y * src_pitch + x] is written")           \
    X(FIRST_BLOCK, "first 256 pixels", "range-tail", "from the first 256 pixels only")                       \
    X(TAIL_4, "pixels % 4", "range-tail", "without the last width * height % 4 pixels")                      \
    X(ROW_TAIL_16, "width % 16", "range-tail", "without the last width % 16 columns")                        \
    X(LAST_ROW, "last row", "range-part", "without the last row")                                            \
    X(WARP_0, "first warp of each block", "range-block", "from the first 32 of every 256 pixels")            \
    X(SCRATCH_NOT_SET, "scratch", "not-cleared", "what stood in scratch")                                    \
    X(MIN_FROM_0, "min from 0", "start", "min starts with 0")                                                \
    X(MIN_FROM_ONES, "cudaMemset(min, 255, 4) on an int", "start-ones", "min starts with -1, four bytes")    \
    X(MAX_FROM_255, "max from 255", "start", "max starts with 255")                                          \
    X(START_SWAPPED, "min from 0, max from 255", "formula",                                                  \
      "src itself, or when min starts with 0 and max with 255, or something else")                           \
    X(CHAR_MINMAX_0, "char in the reduction, max from 0", "signed-start", "for min and max.")                \
    X(CHAR_BOTH_0, "char in both, max from 0", "signed-start", "negative numbers")                           \
    X(CHAR_BYTES, "char in the reduction, kept in bytes", "signed-start", "kept in bytes")                   \
    X(IDLE_0, "idle threads count as 0", "range-idle", "in blocks of 256, count as pixels of level 0")       \
    X(SHUFFLE_8, "shuffles from 8", "range-block", "from the first 16 of every 32 pixels only")              \
    X(COLUMN_MISSING, "width - 1", "unwritten, last", "in the last column")                                  \
    X(SHIFTED_1, "x + 1", "flat-shift", "stored in dst[i +1]")                                               \
    X(DOWN_AND_ONE_LEVEL, "down, 255 for one level", "one-level, rounded",                                   \
      "becomes 255 and each result is rounded down")                                                         \
    X(FIXED_16, "16 binary places", "fixed-any", "255 / range is rounded down before")                       \
    X(COPIED, "copied", "formula", "src itself")                                                             \
    X(NOISE, "no pattern", NULL, "cases are wrong")

enum { RIGHT, MISTAKES(WRONG_NAME) KINDS };
static const struct wrong_row rows[KINDS] = {MISTAKES(WRONG_ROW)};

static bool counted(unsigned which, int64_t x, int64_t y, int64_t width, int64_t height) {
    int64_t i = y * width + x;
    switch (which) {
    case FIRST_BLOCK: return i < 256;
    case TAIL_4: return i < width * height / 4 * 4;
    case ROW_TAIL_16: return x < width / 16 * 16;
    case LAST_ROW: return y < height - 1;
    case WARP_0: return i % 256 < 32;
    case SHUFFLE_8: return i % 32 < 16;
    default: return true;
    }
}

static int scaled(unsigned which, int v, int low, int high, int poison) {
    int range = high - low;
    if (which == CHAR || which == CHAR_BOTH_0)
        v -= v > 127 ? 256 : 0;
    if (range == 0 && which == ONE_LEVEL_0)
        return 0;
    if (range == 0 && which == DOWN_AND_ONE_LEVEL)
        return 255;
    if (range == 0)
        return v;
    switch (which) {
    case DOWN:
    case DOWN_AND_ONE_LEVEL: return 255 * (v - low) / range;
    case FLOAT_FACTOR: return (int)((float)(v - low) * (255.0F / (float)range));
    case FLOAT_EVEN: {
        float exact = (float)(v - low) * 255.0F / (float)range;
        int down = (int)exact;
        return exact - (float)down > 0.5F || (exact - (float)down == 0.5F && down % 2 != 0) ? down + 1 : down;
    }
    case INT_QUOTIENT: return (v - low) / range * 255;
    case FORGOT_MIN: return (2 * 255 * v + range) / (2 * range);
    case BY_MAX: return high > 0 ? (2 * 255 * (v - low) + high) / (2 * high) : v;
    case TIMES_256: return (2 * 256 * (v - low) + range) / (2 * range);
    case FIXED_16: return ((v - low) * ((255 << 16) / range) + (1 << 15)) >> 16;
    case COPIED: return v;
    default: break;
    }
    (void)poison;
    return (2 * 255 * (v - low) + range) / (2 * range);
}

static void function(unsigned which, const struct problem_case *c, const void *const inputs[], void *output) {
    const int64_t *s = c->size, width = s[CONTRAST_WIDTH], height = s[CONTRAST_HEIGHT];
    const uint8_t *src = (const uint8_t *)inputs[0] + s[CONTRAST_SRC_START];
    uint8_t *dst = (uint8_t *)output + s[CONTRAST_DST_START], poison = *(uint8_t *)output;
    int64_t sp = which == SRC_PITCH ? width : s[CONTRAST_SRC_PITCH];
    int64_t dp = which == DST_PITCH   ? width
                 : which == ONE_PITCH ? s[CONTRAST_SRC_PITCH]
                                      : s[CONTRAST_DST_PITCH];
    bool is_signed = which == CHAR || which == CHAR_MINMAX || which == CHAR_MINMAX_0 ||
                     which == CHAR_BOTH_0 || which == CHAR_BYTES;
    int low = is_signed ? 127 : 255, high = is_signed ? -128 : 0;
    if (which == SCRATCH_NOT_SET)
        high = poison;
    if (which == MIN_FROM_0 || which == START_SWAPPED || (which == IDLE_0 && width * height % 256 != 0))
        low = 0;
    if (which == MIN_FROM_ONES)
        low = -1;
    if (which == MAX_FROM_255 || which == START_SWAPPED)
        high = 255;
    if (which == CHAR_MINMAX_0 || which == CHAR_BOTH_0)
        high = 0;
    if (which == NOTHING)
        return;
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < (which == GAPS_READ && y + 1 < height ? sp : width); x++) {
            if (!counted(which, x, y, width, height))
                continue;
            int v = is_signed ? (int8_t)src[y * sp + x] : src[y * sp + x];
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
    if (which == CHAR_BYTES) {
        low = (uint8_t)low;
        high = (uint8_t)high;
    }
    int64_t size = s[CONTRAST_DST_START] + (height - 1) * s[CONTRAST_DST_PITCH] + width;
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < (which == GAPS_WRITTEN && y + 1 < height ? (sp < dp ? sp : dp) : width);
             x++) {
            int64_t at = y * dp + x + (which == SHIFTED_1);
            if (at + s[CONTRAST_DST_START] >= size || (which == COLUMN_MISSING && x == width - 1))
                continue;
            int64_t from = y * sp + x;
            dst[at] =
                (uint8_t)scaled(which, from < (height - 1) * sp + width ? src[from] : 0, low, high, poison);
            if (which == NOISE && wrong_scatter((uint32_t)at + (uint32_t)width * 7919u) % 50 == 0)
                dst[at] ^= (uint8_t)(1 + wrong_scatter((uint32_t)at) % 100);
        }
}

int main(void) {
    return wrong_suite(&problem_contrast, function, rows, KINDS);
}

/* Wrong contrast stretches as students write them, and the cause that is told: never another one. */
#include "base/test.h"
#include "lab/problems/contrast.h"
#include "support_wrong.h"
#include <string.h>

enum {
    RIGHT,
    NOTHING,
    CHAR,
    CHAR_MINMAX,
    DOWN,
    ONE_LEVEL_0,
    FLOAT_FACTOR,
    FLOAT_EVEN,
    INT_QUOTIENT,
    FORGOT_MIN,
    BY_MAX,
    TIMES_256,
    GAPS_READ,
    GAPS_WRITTEN,
    SRC_PITCH,
    DST_PITCH,
    ONE_PITCH,
    FIRST_BLOCK,
    TAIL_4,
    ROW_TAIL_16,
    LAST_ROW,
    WARP_0,
    SCRATCH_NOT_SET,
    MIN_FROM_0,
    MIN_FROM_ONES,
    MAX_FROM_255,
    START_SWAPPED,
    CHAR_MINMAX_0,
    CHAR_BOTH_0,
    CHAR_BYTES,
    IDLE_0,
    SHUFFLE_8,
    COLUMN_MISSING,
    SHIFTED_1,
    DOWN_AND_ONE_LEVEL,
    FIXED_16,
    COPIED,
    NOISE,
    KINDS
};

static const struct wrong_row rows[KINDS] = {
    [NOTHING] = {"empty", "empty", "nothing is written"},
    [CHAR] = {"char", "signed", "levels above 127 are taken for negative"},
    [CHAR_MINMAX] = {"char in the reduction", "signed-part", "negative numbers for min and max"},
    [DOWN] = {"rounded down", "rounded", "rounded down"},
    [ONE_LEVEL_0] = {"0 for one level", "one-level", "a picture of one level becomes 0"},
    [FLOAT_FACTOR] = {"(v - low) * (255.0f / range)", "rounded", "rounded down"},
    [FLOAT_EVEN] = {"rintf", "float", "a half to even"},
    [INT_QUOTIENT] = {"(v - low) / range * 255", "formula", "(src - min) / range * 255"},
    [FORGOT_MIN] = {"v * 255 / range", "formula", "src * 255 / range"},
    [BY_MAX] = {"/ max", "formula", "(src - min) * 255 / max"},
    [TIMES_256] = {"256", "formula", "256 / range"},
    [GAPS_READ] = {"gaps counted", "gaps-read", "bytes between the rows count"},
    [GAPS_WRITTEN] = {"gaps written", "gaps-written", "bytes between the rows of dst"},
    [SRC_PITCH] = {"src[y * width + x]", "pitch-src", "src[y * width + x] is read"},
    [DST_PITCH] = {"dst[y * width + x]", "pitch-dst", "dst[y * width + x] is written"},
    [ONE_PITCH] = {"dst[y * src_pitch + x]", "pitch-other-dst", "dst[y * src_pitch + x] is written"},
    [FIRST_BLOCK] = {"first 256 pixels", "range-tail", "from the first 256 pixels only"},
    [TAIL_4] = {"pixels % 4", "range-tail", "without the last width * height % 4 pixels"},
    [ROW_TAIL_16] = {"width % 16", "range-tail", "without the last width % 16 columns"},
    [LAST_ROW] = {"last row", "range-part", "without the last row"},
    [WARP_0] = {"first warp of each block", "range-block", "from the first 32 of every 256 pixels"},
    [SCRATCH_NOT_SET] = {"scratch", "not-cleared", "what stood in scratch"},
    [MIN_FROM_0] = {"min from 0", "start", "min starts with 0"},
    [MIN_FROM_ONES] = {"cudaMemset(min, 255, 4) on an int", "start-ones", "min starts with -1, four bytes"},
    [MAX_FROM_255] = {"max from 255", "start", "max starts with 255"},
    [START_SWAPPED] = {"min from 0, max from 255", "formula",
                       "src itself, or when min starts with 0 and max with 255, or something else"},
    [CHAR_MINMAX_0] = {"char in the reduction, max from 0", "signed-start", "for min and max."},
    [CHAR_BOTH_0] = {"char in both, max from 0", "signed-start", "negative numbers"},
    [CHAR_BYTES] = {"char in the reduction, kept in bytes", "signed-start", "kept in bytes"},
    [IDLE_0] = {"idle threads count as 0", "range-idle", "in blocks of 256, count as pixels of level 0"},
    [SHUFFLE_8] = {"shuffles from 8", "range-block", "from the first 16 of every 32 pixels only"},
    [COLUMN_MISSING] = {"width - 1", "unwritten, last", "in the last column"},
    [SHIFTED_1] = {"x + 1", "flat-shift", "stored in dst[i +1]"},
    [DOWN_AND_ONE_LEVEL] = {"down, 255 for one level", "one-level, rounded",
                            "becomes 255 and each result is rounded down"},
    [FIXED_16] = {"16 binary places", "fixed-any", "255 / range is rounded down before"},
    [COPIED] = {"copied", "formula", "src itself"},
    [NOISE] = {"no pattern", NULL, "cases are wrong"},
};

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

static void test_kinds(void **state) {
    wrong_check(&problem_contrast, function, rows, KINDS);
}

static void test_right(void **state) {
    struct diagnosis d;
    assert_int_equal(wrong_diagnose(&problem_contrast, function, RIGHT, &d), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

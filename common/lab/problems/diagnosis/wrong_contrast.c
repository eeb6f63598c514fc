/* wrong_contrast.c: what can be wrong with a contrast stretch: the kinds of mistake. What comes out: contrast_recipe.c. */
#include "lab/problems/contrast_recipe.h"
#include "lab/problems/diagnosis/wrong_row.h"

/* ---- cases */

static uint64_t count(const struct problem_case *c) {
    const int64_t *s = c->size;
    return (uint64_t)(s[CONTRAST_DST_START] + (s[CONTRAST_HEIGHT] - 1) * s[CONTRAST_DST_PITCH] +
                      s[CONTRAST_WIDTH]);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    const int64_t *s = c->size;
    int64_t at = (int64_t)index - s[CONTRAST_DST_START];
    *p = (struct wrong_place){.at = {at % s[CONTRAST_DST_PITCH], at / s[CONTRAST_DST_PITCH]},
                              .extent = {s[CONTRAST_WIDTH], s[CONTRAST_HEIGHT]}};
    p->outside = at < 0 || p->at[0] >= s[CONTRAST_WIDTH];
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    const int64_t *s = c->size;
    f[0] = (struct wrong_feature){"width", s[CONTRAST_WIDTH], WRONG_COUNTS};
    f[1] = (struct wrong_feature){"height", s[CONTRAST_HEIGHT], WRONG_COUNTS};
    f[2] = (struct wrong_feature){"gaps between the rows of src", s[CONTRAST_SRC_PITCH] - s[CONTRAST_WIDTH],
                                  WRONG_HAS};
    f[3] = (struct wrong_feature){"gaps between the rows of dst", s[CONTRAST_DST_PITCH] - s[CONTRAST_WIDTH],
                                  WRONG_HAS};
    f[4] = (struct wrong_feature){"an unaligned src", s[CONTRAST_SRC_START], WRONG_HAS};
    f[5] = (struct wrong_feature){"an unaligned dst", s[CONTRAST_DST_START], WRONG_HAS};
    f[6] =
        (struct wrong_feature){"a src that starts at an odd address", s[CONTRAST_SRC_START] % 2, WRONG_HAS};
    f[7] = (struct wrong_feature){"pixels", s[CONTRAST_WIDTH] * s[CONTRAST_HEIGHT], WRONG_COUNTS};
    return 8;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 40 + 3 * (uint64_t)(c->size[CONTRAST_WIDTH] * c->size[CONTRAST_HEIGHT]);
    *element = 30;
}

/* ---- mistakes */

#define RECIPE struct contrast

static void start_signed(void *recipe, const int *number) {
    struct contrast *k = recipe;
    bool everywhere = number[0] == 0, high_is_0 = number[1] == 1, words = number[2] == 1;
    k->signed_range = true;
    k->signed_scale = everywhere;
    k->as_stored = number[2];
    k->start_low = words ? UINT32_MAX : 127;
    k->start_high = high_is_0 || words ? 0 : -128;
    k->impossible = words && high_is_0;
}

/* The pitch of dst is taken for that of src: in both passes, in the first, in the second. */
static void take_other_pitch(void *recipe, const int *pass) {
    struct contrast *k = recipe;
    k->range_pitch = *pass != 2 ? k->dst_pitch : k->range_pitch;
    k->scale_pitch = *pass != 1 ? k->dst_pitch : k->scale_pitch;
}

static void write_gaps(void *recipe, const int *as_src) {
    struct contrast *k = recipe;
    k->store_width = *as_src == 1 && k->src_pitch < k->dst_pitch ? k->src_pitch : k->dst_pitch;
}

enum limits { OF_MIN, OF_MAX, OF_BOTH };

static void start_with(void *recipe, const int *number) {
    struct contrast *k = recipe;
    int level = number[0], limits = number[1];
    k->impossible = limits == OF_BOTH && (level == 0 || level == 255); /* one of them is right */
    k->start_low = limits != OF_MAX ? level : k->start_low;
    k->start_high = limits != OF_MIN ? level : k->start_high;
}

/* Four bytes of 0xff: as a signed number min's, as an unsigned one max's; the others are right, or say the same. */
static void start_with_ones(void *recipe, const int *number) {
    struct contrast *k = recipe;
    bool is_unsigned = number[0] == 1;
    int limits = number[1];
    k->impossible = is_unsigned ? limits != OF_MAX : limits != OF_MIN;
    k->start_low = is_unsigned ? k->start_low : -1;
    k->start_high = is_unsigned ? UINT32_MAX : k->start_high;
}

/* With what stands in scratch before a call, as a byte, as an unsigned word, as a signed one: both, min, max. */
static void start_left_over(void *recipe, const int *number) {
    struct contrast *k = recipe;
    int limits = number[0], type = number[1];
    uint32_t word = k->tried->poison * 0x01010101u;
    int64_t left = type == 0 ? k->tried->poison : type == 1 ? (int64_t)word : (int32_t)word;
    k->start_low = limits != 2 ? left : k->start_low;
    k->start_high = limits != 1 ? left : k->start_high;
}

/* What min and max are where no pixel is seen, and what becomes of a pixel outside. */
static void set_start(void *recipe, const int *number) {
    static const int64_t low[] = {255, 256, INT32_MAX, UINT32_MAX}, high[] = {0, -1, INT32_MIN, 0};
    struct contrast *k = recipe;
    k->outside = (enum outside)(*number % 4);
    k->start_low = low[*number / 4];
    k->start_high = high[*number / 4];
}

#define WHICH "{1:min and max are taken|min is taken|max is taken}"
#define WHICHES RANGE(0, 2)
#define OUTSIDES RANGE(0, 3)
/* And what min and max start with, which is what they are where no pixel is seen. */
#define STARTS RANGE(0, 15)
#define SEES_ALL                                                                                             \
    "The reduction must see every pixel: the last ones of a row and of the image, all blocks, all warps."

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_ALONE, "empty", "nothing is written",
        "The lab starts with two empty functions, contrast_cpu and contrast: fill them in, the CPU's first (README.md, \"Your task\").",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Does a thread get to each of these pixels: is a kernel launched, does the grid round up, does none return before its store, does the loop of stores reach the last?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every result is {0}", NULL, NUMBERS(RANGE(0, 255)),
            BY(constant, 0)),
    MISTAKE(WRONG_PAIRED, "one-level", "a picture of one level becomes {0}",
            "max - min is 0 there: dst = src. Do not divide.", NUMBERS(RANGE(0, 255)), BY(range_zero, 0)),
    MISTAKE(WRONG_PAIRED, "one-level-unwritten", "a picture of one level is not written at all",
            "max - min is 0 there: dst = src.", NO_NUMBERS, IS(unwritten_one_level, true)),
    MISTAKE(WRONG_COMMON, "signed", "levels above 127 are taken for negative numbers",
            "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
            NUMBERS(ZERO, OUTSIDES), IS(signed_range, true), IS(signed_scale, true), IS(start_low, 127),
            IS(start_high, -128), BY(outside, 1)),
    MISTAKE(WRONG_COMMON | WRONG_LAST, "signed-part",
            "levels above 127 are taken for negative numbers {0:for min and max|in the second pass}",
            "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
            NUMBERS(RANGE(1, 2), OUTSIDES), LOOK(signed_range, 0, 1, 0), LOOK(signed_scale, 0, 0, 1),
            LOOK(start_low, 0, 127, 255), LOOK(start_high, 0, -128, 0), BY(outside, 1)),
    MISTAKE(
        WRONG_LAST, "signed-start",
        "levels above 127 are taken for negative numbers{0:| for min and max}{2:|, which are kept as unsigned words|, which are kept in bytes}",
        "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
        NUMBERS(RANGE(0, 1), RANGE(0, 1), RANGE(0, 2), OUTSIDES), CALL(start_signed, 0), BY(outside, 3)),
    MISTAKE(WRONG_COMMON, "rounded", "each result is rounded {0:down|up}",
            "Round to the nearest, a half up: (2 * 255 * (src - min) + range) / (2 * range).",
            NUMBERS(RANGE(1, 2)), BY(formula, 0)),
    MISTAKE(
        WRONG_COMMON, "formula",
        "each result is {0:(src - min) / range * 255 in whole numbers|(src - min) * (255 / range) in whole numbers|src * 255 / range|(src - min) * 255 / max|src * 255 / max|(max - src) * 255 / range|(src - min) * 256 / range|(src - min) * 256 / range, rounded down|(src - min) * 254 / range|(src - min) * 255 / (range + 1)|(src - min) * 256 / (range + 1)|src - min|src itself|(2 * 255 * (src - min) + range) in 16 bits, / (2 * range)|(255 * (src - min) + range) / range|(255 * (src - min) + range / 2) / range|(2 * 255 * (src - min) + range) / 2 * range}",
        NULL, NUMBERS(RANGE(INT_QUOTIENT_FIRST, NO_PARENTHESES), OUTSIDES), BY(formula, 0), BY(outside, 1)),
    MISTAKE(
        WRONG_COMMON, "float",
        "each result is computed in float and {1:a half is added before it is cut|rounded to the nearest, a half to even}",
        "Compute as the definition does, in whole numbers.",
        NUMBERS(RANGE(FLOAT_PRODUCT, FLOAT_PRODUCT), RANGE(1, 2), OUTSIDES), BY(formula, 0), BY(rounding, 1),
        BY(outside, 2)),
    MISTAKE(
        WRONG_COMMON | WRONG_LAST, "float-order",
        "each result is {0:(src - min) / range * 255|(src - min) * (255 / range)|(src - min) * 255 / range} in float, {1:rounded down|plus a half, rounded down|rounded, a half to even}",
        "Compute as the definition does, in whole numbers.",
        NUMBERS(RANGE(FLOAT_QUOTIENT_FIRST, FLOAT_PRODUCT), RANGE(0, 2), OUTSIDES), BY(formula, 0),
        BY(rounding, 1), BY(outside, 2)),
    MISTAKE(
        WRONG_PAIRED, "fixed-any",
        "255 / range is rounded {0:down|to the nearest|up} before it is multiplied by, and the result is rounded to the nearest",
        "255 / range is no whole number of binary places: round it so that no result falls on the other side.",
        NUMBERS(RANGE(0, 2), RANGE(1, 1), STEPPED(16, 24, 4)), BY(fixed_bits, 2), BY(fixed_rounding, 0),
        BY(fixed_half, 1)),
    MISTAKE(
        WRONG_LAST, "fixed",
        "255 / range is a whole number of {0} binary places, rounded {1:down|to the nearest|up}, and each result is rounded {2:down|to the nearest}",
        "That is not exact for every range.", NUMBERS(RANGE(4, 28), RANGE(0, 2), RANGE(0, 1)),
        BY(fixed_bits, 0), BY(fixed_rounding, 1), BY(fixed_half, 2)),
    MISTAKE(WRONG_COMMON, "gaps-read", "the bytes between the rows count for min and max",
            "Only x < width is a pixel.", NUMBERS(ZERO, OUTSIDES), LIKE(range_width, src_pitch),
            BY(outside, 1)),
    MISTAKE(WRONG_COMMON, "pitch-range", "min and max are taken from src[y * width + x]",
            "Rows lie src_pitch apart.", NUMBERS(ZERO, OUTSIDES), LIKE(range_pitch, width), BY(outside, 1)),
    MISTAKE(WRONG_COMMON, "pitch-scale", "the second pass reads src[y * width + x]",
            "Rows lie src_pitch apart.", NUMBERS(ZERO, OUTSIDES), LIKE(scale_pitch, width), BY(outside, 1)),
    MISTAKE(WRONG_COMMON, "pitch-src", "src[y * width + x] is read", "Rows lie src_pitch apart.",
            NUMBERS(ZERO, OUTSIDES), LIKE(range_pitch, width), LIKE(scale_pitch, width), BY(outside, 1)),
    MISTAKE(WRONG_COMMON, "pitch-dst", "dst[y * width + x] is written", "Rows lie dst_pitch apart.",
            NO_NUMBERS, LIKE(store_pitch, width)),
    MISTAKE(WRONG_COMMON, "pitch", "src[y * width + x] is read and dst[y * width + x] is written",
            "Rows lie src_pitch and dst_pitch apart.", NUMBERS(ZERO, OUTSIDES), LIKE(range_pitch, width),
            LIKE(scale_pitch, width), LIKE(store_pitch, width), BY(outside, 1)),
    MISTAKE(
        WRONG_COMMON, "pitch-other-src",
        "{0:src[y * dst_pitch + x] is read|min and max are taken from src[y * dst_pitch + x]|the second pass reads src[y * dst_pitch + x]}",
        "Rows of src lie src_pitch apart.", NUMBERS(RANGE(0, 2), OUTSIDES), CALL(take_other_pitch, 0),
        BY(outside, 1)),
    MISTAKE(WRONG_COMMON, "pitch-other-dst", "dst[y * src_pitch + x] is written",
            "Rows of dst lie dst_pitch apart.", NO_NUMBERS, LIKE(store_pitch, src_pitch)),
    MISTAKE(WRONG_COMMON, "gaps-written",
            "the bytes between the rows of dst are written, too{0:|, as far as src has some}",
            "Only x < width is written.", NUMBERS(RANGE(0, 1)), CALL(write_gaps, 0)),
    MISTAKE(WRONG_COMMON, "start", "{1:min starts|max starts|min and max start} with {0}",
            "min starts with 255 and max with 0, or both with a pixel.",
            NUMBERS(RANGE(0, 255), RANGE(0, 2), OUTSIDES), CALL(start_with, 0), BY(outside, 2)),
    MISTAKE(WRONG_ALONE, "start-ones",
            "{1:min starts|max starts|min and max start} with {0:-1|0xffffffff}, four bytes of 0xff",
            "min starts with 255 and max with 0, or both with a pixel.",
            NUMBERS(RANGE(0, 1), RANGE(0, 2), OUTSIDES), CALL(start_with_ones, 0), BY(outside, 2)),
    MISTAKE(WRONG_ALONE, "start-swapped", "min starts with 0 and max with 255",
            "It is the other way round: any pixel is at most 255 and at least 0.", NO_NUMBERS,
            IS(start_low, 0), IS(start_high, 255)),
    MISTAKE(
        WRONG_PAIRED, "else-if",
        "{0:max is compared with a pixel only where it is not below min so far|min is compared with a pixel only where it is not above max so far}",
        "No else between the two comparisons: a first pixel is both the least and the greatest so far.",
        NUMBERS(RANGE(MAXIMUM_ELSE, MINIMUM_ELSE)), BY(chain, 0)),
    MISTAKE(WRONG_COMMON, "limits-swapped", "min is taken for max, and max for min",
            "Compare the order in which they are stored, passed and read.", NUMBERS(ZERO, RANGE(0, 3)),
            IS(limits_swapped, true), BY(outside, 1)),
    MISTAKE(WRONG_ALONE, "not-cleared",
            "{0:min and max start|min starts|max starts} with what stood in scratch before the call",
            "Set what is added to, in each call, before the first pass.",
            NUMBERS(RANGE(0, 2), RANGE(0, 2), OUTSIDES), CALL(start_left_over, 0), BY(outside, 2)),
    MISTAKE(WRONG_PAIRED | WRONG_LAST, "range-none", WHICH " from no pixel at all", SEES_ALL,
            NUMBERS(ZERO, WHICHES, STARTS), IS(part, NONE), BY(which, 1), CALL(set_start, 2)),
    MISTAKE(
        WRONG_COMMON, "range-part",
        WHICH
        " {0:without the last row|without the last column|without the last pixel|without the first pixel|without the first row|without the first column|from the first row only|from the first column only}",
        SEES_ALL, NUMBERS(RANGE(NOT_LAST_ROW, FIRST_COLUMN), WHICHES, STARTS), BY(part, 0), BY(which, 1),
        CALL(set_start, 2)),
    MISTAKE(
        WRONG_LAST, "range-tail",
        WHICH
        " {0:from the first|from the last block of|without the last width * height %|without the last width %|without the last height %|from the first|from the first} {2} {0:pixels only|pixels only|pixels|columns|rows|rows only|columns only}",
        SEES_ALL, NUMBERS(RANGE(FIRST, COLUMNS_BELOW), WHICHES, DOUBLING(2, 1 << 18), STARTS), BY(part, 0),
        BY(which, 1), BY(a, 2), CALL(set_start, 3)),
    MISTAKE(
        WRONG_LAST, "range-tail",
        "min and max are taken {0:from the first|from the last block of|without the last width * height %|without the last width %|without the last height %} {1} {0:pixels only|pixels only|pixels|columns|rows}",
        SEES_ALL, NUMBERS(RANGE(FIRST, NO_LOW_TAIL), DOUBLING(2, 1024)), BY(part, 0), BY(a, 1)),
    MISTAKE(WRONG_ALONE, "range-block", WHICH " from the first {2} of every {0} pixels only", SEES_ALL,
            NUMBERS(DOUBLING(2, 1024), WHICHES, DOUBLING(1, 512), STARTS), IS(part, BLOCK_PART), BY(which, 1),
            BY(a, 0), BY(b, 2), CALL(set_start, 3)),
    MISTAKE(WRONG_ALONE, "range-columns", WHICH " from the first {2} of every {0} columns only", SEES_ALL,
            NUMBERS(DOUBLING(2, 1024), WHICHES, DOUBLING(1, 512), STARTS), IS(part, ROW_PART), BY(which, 1),
            BY(a, 0), BY(b, 2), CALL(set_start, 3)),
    MISTAKE(WRONG_ALONE, "range-rows", WHICH " from the first {2} of every {0} rows only", SEES_ALL,
            NUMBERS(DOUBLING(2, 1024), WHICHES, DOUBLING(1, 512), STARTS), IS(part, LOW_PART), BY(which, 1),
            BY(a, 0), BY(b, 2), CALL(set_start, 3)),
    MISTAKE(
        WRONG_PAIRED, "words-lack",
        "what lies beyond the end of a row (or of an image without gaps), up to a multiple of {0} pixels, counts as level {2:0|255}",
        "A thread without a pixel, or a word that reaches beyond the end, must change neither min nor max.",
        NUMBERS(DOUBLING(2, 64), RANGE(0, 2), RANGE(LACKING_0, LACKING_255)), BY(a, 0), BY(words, 1),
        BY(lacking, 2)),
    MISTAKE(
        WRONG_ALONE, "words-skipped",
        "min and max leave out the last pixels of each row, or of an image without gaps, where they are fewer than {0}",
        SEES_ALL, NUMBERS(DOUBLING(2, 64), RANGE(1, 2), STARTS), IS(part, WHOLE_WORDS), BY(a, 0),
        BY(words, 1), CALL(set_start, 2)),
    MISTAKE(WRONG_ALONE, "range-threads",
            "of the threads of a block of {0} x {1} only the first {3} of every {2} count for min and max",
            SEES_ALL, NUMBERS(DOUBLING(8, 256), DOUBLING(1, 32), DOUBLING(2, 1024), DOUBLING(1, 512)),
            IS(part, THREADS), BY(block[0], 0), BY(block[1], 1), BY(a, 2), BY(b, 3)),
    MISTAKE(
        WRONG_ALONE, "range-tree",
        "min and max come from a tree that halves the {0} x {1} threads of a block, and loses the last where their number is odd",
        "Begin with a power of two, or let thread i take i + (number + 1) / 2 where that is below the number.",
        NUMBERS(DOUBLING(8, 512), RANGE(1, 16), RANGE(0, 1)), IS(part, TREE), BY(block[0], 0),
        BY(block[1], 1), IF(flat_block, 2, 1)),
    MISTAKE(WRONG_LAST, "range-outside",
            "threads outside the image, in blocks of {0} x {1}, count as pixels of level {2}",
            "They must change neither min nor max.",
            NUMBERS(DOUBLING(1, 1024), DOUBLING(1, 1024), STEPPED(0, 255, 255)), BY(block[0], 0),
            BY(block[1], 1), BY(counted_too, 2)),
    MISTAKE(WRONG_LAST, "range-idle",
            "threads without a pixel, in blocks of {0}, count as pixels of level {1}",
            "They must change neither min nor max.", NUMBERS(DOUBLING(2, 1 << 14), STEPPED(0, 255, 255)),
            BY(idle, 0), BY(counted_too, 1)),
    MISTAKE(WRONG_ALONE, "range-skip", WHICH " from all but number {2} of every {0} pixels", SEES_ALL,
            NUMBERS(DOUBLING(2, 32), WHICHES, RANGE(0, 31), STARTS), IS(part, SKIP), BY(which, 1), BY(a, 0),
            BY(b, 2), CALL(set_start, 3)),
    MISTAKE(WRONG_LAST, "range-corner", WHICH " from x < {0} and y < {2} only", SEES_ALL,
            NUMBERS(DOUBLING(1, 1024), WHICHES, DOUBLING(1, 1024), STARTS), IS(part, CORNER), BY(which, 1),
            BY(a, 0), BY(b, 2), CALL(set_start, 3)),
    MISTAKE(WRONG_COMMON, "shifted", "dst(x, y) comes from src(x {+0}, y {+1})", NULL,
            NUMBERS(RANGE(-2, 2), RANGE(-2, 2)), BY(shift_x, 0), BY(shift_y, 1)),
    MISTAKE(WRONG_COMMON, "flat-shift", "the result of dst[i] is stored in dst[i {+0}]", NULL,
            NUMBERS(RANGE(-16, 16)), BY(flat, 0)),
    MISTAKE(WRONG_COMMON, "held", "of every {0} pixels in a row all get the result of number {1}", NULL,
            NUMBERS(DOUBLING(2, 16), RANGE(0, 15)), BY(hold, 0), BY(held, 1)),
};

const struct wrong_oracles wrong_contrast = {
    .axis = WRONG_IMAGE_AXES,
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct contrast),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .work = work,
    .begin = contrast_recipe_begin,
    .finish = contrast_recipe_finish,
    .type = WRONG_BYTES,
    .expected = contrast_recipe_expected,
};

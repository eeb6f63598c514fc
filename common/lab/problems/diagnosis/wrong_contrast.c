/* wrong_contrast.c: what can be wrong with a contrast stretch: the kinds of mistake. What comes out: contrast_recipe.c. */
#include "lab/problems/contrast_recipe.h"

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

enum kind {
    EMPTY,
    NOTHING,
    CONSTANT,
    ONE_LEVEL,
    ONE_LEVEL_UNWRITTEN,
    SIGNED,
    SIGNED_PART,
    SIGNED_START,
    ROUNDED_DOWN,
    FORMULA,
    FLOAT,
    FLOAT_ORDER,
    FIXED_ANY,
    FIXED,
    GAPS_COUNTED,
    PITCH_IGNORED_RANGE,
    PITCH_IGNORED_SCALE,
    PITCH_IGNORED_SRC,
    PITCH_IGNORED_DST,
    PITCH_IGNORED_BOTH,
    PITCH_OTHER_SRC,
    PITCH_OTHER_DST,
    GAPS_WRITTEN,
    START,
    START_ONES,
    START_SWAPPED,
    CHAIN,
    LIMITS_SWAPPED,
    NOT_CLEARED,
    NO_PIXEL,
    WRONG_PART,
    WRONG_NUMBERED_PART,
    RANGE_TAIL,
    WRONG_BLOCK_PART,
    ROWS_PART,
    LOW_ROWS_PART,
    WORDS_LACK,
    WORDS_SKIPPED,
    THREADS_PART,
    TREE_ODD,
    COUNTED_TOO,
    COUNTED_IDLE,
    WRONG_SKIP,
    WRONG_CORNER,
    SHIFTED,
    FLAT_SHIFT,
    HELD,
};

#define WHICH "{1:min and max are taken|min is taken|max is taken}"
#define WHICHES                                                                                              \
    { 0, 2, 1 }
#define OUTSIDES                                                                                             \
    { 0, 3, 1 }
/* And what min and max start with, which is what they are where no pixel is seen. */
#define STARTS                                                                                               \
    { 0, 15, 1 }
#define SEES_ALL                                                                                             \
    "The reduction must see every pixel: the last ones of a row and of the image, all blocks, all warps."

static const struct wrong_kind kinds[] = {
    [EMPTY] =
        {"empty",
         "nothing is written",
         "The lab starts with two empty functions, contrast_cpu and contrast: fill them in, the CPU's first (README.md, \"Your task\").",
         {{0}},
         WRONG_ALONE},
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Does a thread get to each of these pixels: is a kernel launched, does the grid round up, does none return before its store, does the loop of stores reach the last?",
         {{0}},
         WRONG_SOMEWHERE},
    [CONSTANT] = {"constant", "every result is {0}", NULL, {{0, 255, 1}}, WRONG_SOMEWHERE},
    [ONE_LEVEL] = {"one-level",
                   "a picture of one level becomes {0}",
                   "max - min is 0 there: dst = src. Do not divide.",
                   {{0, 255, 1}},
                   WRONG_PAIRED},
    [ONE_LEVEL_UNWRITTEN] = {"one-level-unwritten",
                             "a picture of one level is not written at all",
                             "max - min is 0 there: dst = src.",
                             {{0}},
                             WRONG_PAIRED},
    [SIGNED] = {"signed",
                "levels above 127 are taken for negative numbers",
                "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
                {{0}, OUTSIDES},
                WRONG_COMMON},
    [SIGNED_PART] = {"signed-part",
                     "levels above 127 are taken for negative numbers {0:for min and max|in the second pass}",
                     "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
                     {{1, 2, 1}, OUTSIDES},
                     WRONG_COMMON | WRONG_LAST},
    [SIGNED_START] =
        {"signed-start",
         "levels above 127 are taken for negative numbers{0:| for min and max}{2:|, which are kept as unsigned words|, which are kept in bytes}",
         "A pixel is an unsigned byte: look for char and int8_t, in casts and start values, too.",
         {{0, 1, 1}, {0, 1, 1}, {0, 2, 1}, OUTSIDES},
         WRONG_LAST},
    [ROUNDED_DOWN] = {"rounded",
                      "each result is rounded {0:down|up}",
                      "Round to the nearest, a half up: (2 * 255 * (src - min) + range) / (2 * range).",
                      {{1, 2, 1}},
                      WRONG_COMMON},
    [FORMULA] =
        {"formula",
         "each result is {0:(src - min) / range * 255 in whole numbers|(src - min) * (255 / range) in whole numbers|src * 255 / range|(src - min) * 255 / max|src * 255 / max|(max - src) * 255 / range|(src - min) * 256 / range|(src - min) * 254 / range|(src - min) * 255 / (range + 1)|(src - min) * 256 / (range + 1)|src - min|src itself|(2 * 255 * (src - min) + range) in 16 bits, / (2 * range)|(255 * (src - min) + range) / range|(255 * (src - min) + range / 2) / range|(2 * 255 * (src - min) + range) / 2 * range}",
         NULL,
         {{INT_QUOTIENT_FIRST, NO_PARENTHESES, 1}, OUTSIDES},
         WRONG_COMMON},
    [FLOAT] =
        {"float",
         "each result is computed in float and {1:a half is added before it is cut|rounded to the nearest, a half to even}",
         "Compute as the definition does, in whole numbers.",
         {{FLOAT_PRODUCT, FLOAT_PRODUCT, 1}, {1, 2, 1}, OUTSIDES},
         WRONG_COMMON},
    [FLOAT_ORDER] =
        {"float-order",
         "each result is {0:(src - min) / range * 255|(src - min) * (255 / range)|(src - min) * 255 / range} in float, {1:rounded down|plus a half, rounded down|rounded, a half to even}",
         "Compute as the definition does, in whole numbers.",
         {{FLOAT_QUOTIENT_FIRST, FLOAT_PRODUCT, 1}, {0, 2, 1}, OUTSIDES},
         WRONG_COMMON | WRONG_LAST},
    [FIXED] =
        {"fixed",
         "255 / range is a whole number of {0} binary places, rounded {1:down|to the nearest|up}, and each result is rounded {2:down|to the nearest}",
         "That is not exact for every range.",
         {{4, 28, 1}, {0, 2, 1}, {0, 1, 1}},
         WRONG_LAST},
    [GAPS_COUNTED] = {"gaps-read",
                      "the bytes between the rows count for min and max",
                      "Only x < width is a pixel.",
                      {{0}, OUTSIDES},
                      WRONG_COMMON},
    [PITCH_IGNORED_RANGE] = {"pitch-range",
                             "min and max are taken from src[y * width + x]",
                             "Rows lie src_pitch apart.",
                             {{0}, OUTSIDES},
                             WRONG_COMMON},
    [PITCH_IGNORED_SCALE] = {"pitch-scale",
                             "the second pass reads src[y * width + x]",
                             "Rows lie src_pitch apart.",
                             {{0}, OUTSIDES},
                             WRONG_COMMON},
    [PITCH_IGNORED_SRC] = {"pitch-src",
                           "src[y * width + x] is read",
                           "Rows lie src_pitch apart.",
                           {{0}, OUTSIDES},
                           WRONG_COMMON},
    [PITCH_IGNORED_DST] =
        {"pitch-dst", "dst[y * width + x] is written", "Rows lie dst_pitch apart.", {{0}}, WRONG_COMMON},
    [PITCH_IGNORED_BOTH] = {"pitch",
                            "src[y * width + x] is read and dst[y * width + x] is written",
                            "Rows lie src_pitch and dst_pitch apart.",
                            {{0}, OUTSIDES},
                            WRONG_COMMON},
    [PITCH_OTHER_SRC] =
        {"pitch-other-src",
         "{0:src[y * dst_pitch + x] is read|min and max are taken from src[y * dst_pitch + x]|the second pass reads src[y * dst_pitch + x]}",
         "Rows of src lie src_pitch apart.",
         {{0, 2, 1}, OUTSIDES},
         WRONG_COMMON},
    [PITCH_OTHER_DST] = {"pitch-other-dst",
                         "dst[y * src_pitch + x] is written",
                         "Rows of dst lie dst_pitch apart.",
                         {{0}},
                         WRONG_COMMON},
    [GAPS_WRITTEN] = {"gaps-written",
                      "the bytes between the rows of dst are written, too{0:|, as far as src has some}",
                      "Only x < width is written.",
                      {{0, 1, 1}},
                      WRONG_COMMON},
    [START] = {"start",
               "{1:min starts|max starts|min and max start} with {0}",
               "min starts with 255 and max with 0, or both with a pixel.",
               {{0, 255, 1}, {0, 2, 1}, OUTSIDES},
               WRONG_COMMON},
    [START_ONES] = {"start-ones",
                    "{1:min starts|max starts|min and max start} with {0:-1|0xffffffff}, four bytes of 0xff",
                    "min starts with 255 and max with 0, or both with a pixel.",
                    {{0, 1, 1}, {0, 2, 1}, OUTSIDES},
                    WRONG_ALONE},
    [START_SWAPPED] = {"start-swapped",
                       "min starts with 0 and max with 255",
                       "It is the other way round: any pixel is at most 255 and at least 0.",
                       {{0}},
                       WRONG_ALONE},
    [CHAIN] =
        {"else-if",
         "{0:max is compared with a pixel only where it is not below min so far|min is compared with a pixel only where it is not above max so far}",
         "No else between the two comparisons: a first pixel is both the least and the greatest so far.",
         {{MAXIMUM_ELSE, MINIMUM_ELSE, 1}},
         WRONG_PAIRED},
    [LIMITS_SWAPPED] = {"limits-swapped",
                        "min is taken for max, and max for min",
                        "Compare the order in which they are stored, passed and read.",
                        {{0}, {0, 3, 1}},
                        WRONG_COMMON},
    [NOT_CLEARED] = {"not-cleared",
                     "{0:min and max start|min starts|max starts} with what stood in scratch before the call",
                     "Set what is added to, in each call, before the first pass.",
                     {{0, 2, 1}, {0, 2, 1}, OUTSIDES},
                     WRONG_ALONE},
    [WRONG_PART] =
        {"range-part",
         WHICH
         " {0:without the last row|without the last column|without the last pixel|without the first pixel|without the first row|without the first column|from the first row only|from the first column only}",
         SEES_ALL,
         {{NOT_LAST_ROW, FIRST_COLUMN, 1}, WHICHES, STARTS},
         WRONG_COMMON},
    [WRONG_NUMBERED_PART] =
        {"range-tail",
         WHICH
         " {0:from the first|from the last block of|without the last width * height %|without the last width %|without the last height %|from the first|from the first} {2} {0:pixels only|pixels only|pixels|columns|rows|rows only|columns only}",
         SEES_ALL,
         {{FIRST, COLUMNS_BELOW, 1}, WHICHES, {2, 1 << 18, 0}, STARTS},
         WRONG_LAST},
    [RANGE_TAIL] =
        {"range-tail",
         "min and max are taken {0:from the first|from the last block of|without the last width * height %|without the last width %|without the last height %} {1} {0:pixels only|pixels only|pixels|columns|rows}",
         SEES_ALL,
         {{FIRST, NO_LOW_TAIL, 1}, {2, 1024, 0}},
         WRONG_LAST},
    [WRONG_BLOCK_PART] = {"range-block",
                          WHICH " from the first {2} of every {0} pixels only",
                          SEES_ALL,
                          {{2, 1024, 0}, WHICHES, {1, 512, 0}, STARTS},
                          WRONG_ALONE},
    [WRONG_SKIP] = {"range-skip",
                    WHICH " from all but number {2} of every {0} pixels",
                    SEES_ALL,
                    {{2, 32, 0}, WHICHES, {0, 31, 1}, STARTS},
                    WRONG_ALONE},
    [WRONG_CORNER] = {"range-corner",
                      WHICH " from x < {0} and y < {2} only",
                      SEES_ALL,
                      {{1, 1024, 0}, WHICHES, {1, 1024, 0}, STARTS},
                      WRONG_LAST},
    [NO_PIXEL] = {"range-none",
                  WHICH " from no pixel at all",
                  SEES_ALL,
                  {{0}, WHICHES, STARTS},
                  WRONG_PAIRED | WRONG_LAST},
    [ROWS_PART] = {"range-columns",
                   WHICH " from the first {2} of every {0} columns only",
                   SEES_ALL,
                   {{2, 1024, 0}, WHICHES, {1, 512, 0}, STARTS},
                   WRONG_ALONE},
    [LOW_ROWS_PART] = {"range-rows",
                       WHICH " from the first {2} of every {0} rows only",
                       SEES_ALL,
                       {{2, 1024, 0}, WHICHES, {1, 512, 0}, STARTS},
                       WRONG_ALONE},
    [WORDS_LACK] =
        {"words-lack",
         "what lies beyond the end of a row (or of an image without gaps), up to a multiple of {0} pixels, counts as level {2:0|255}",
         "A thread without a pixel, or a word that reaches beyond the end, must change neither min nor max.",
         {{2, 64, 0}, {0, 2, 1}, {LACKING_0, LACKING_255, 1}},
         WRONG_PAIRED},
    [WORDS_SKIPPED] =
        {"words-skipped",
         "min and max leave out the last pixels of each row, or of an image without gaps, where they are fewer than {0}",
         SEES_ALL,
         {{2, 64, 0}, {1, 2, 1}, STARTS},
         WRONG_ALONE},
    [THREADS_PART] =
        {"range-threads",
         "of the threads of a block of {0} x {1} only the first {3} of every {2} count for min and max",
         SEES_ALL,
         {{8, 256, 0}, {1, 32, 0}, {2, 1024, 0}, {1, 512, 0}},
         WRONG_ALONE},
    [TREE_ODD] =
        {"range-tree",
         "min and max come from a tree that halves the {0} x {1} threads of a block, and loses the last where their number is odd",
         "Begin with a power of two, or let thread i take i + (number + 1) / 2 where that is below the number.",
         {{8, 512, 0}, {1, 16, 1}, {0, 1, 1}},
         WRONG_ALONE},
    [COUNTED_TOO] = {"range-outside",
                     "threads outside the image, in blocks of {0} x {1}, count as pixels of level {2}",
                     "They must change neither min nor max.",
                     {{1, 1024, 0}, {1, 1024, 0}, {0, 255, 255}},
                     WRONG_LAST},
    [COUNTED_IDLE] = {"range-idle",
                      "threads without a pixel, in blocks of {0}, count as pixels of level {1}",
                      "They must change neither min nor max.",
                      {{2, 1 << 14, 0}, {0, 255, 255}},
                      WRONG_LAST},
    [FIXED_ANY] =
        {"fixed-any",
         "255 / range is rounded {0:down|to the nearest|up} before it is multiplied by, and the result is rounded to the nearest",
         "255 / range is no whole number of binary places: round it so that no result falls on the other side.",
         {{0, 2, 1}, {1, 1, 1}, {16, 24, 4}},
         WRONG_PAIRED},
    [SHIFTED] =
        {"shifted", "dst(x, y) comes from src(x {+0}, y {+1})", NULL, {{-2, 2, 1}, {-2, 2, 1}}, WRONG_COMMON},
    [FLAT_SHIFT] =
        {"flat-shift", "the result of dst[i] is stored in dst[i {+0}]", NULL, {{-16, 16, 1}}, WRONG_COMMON},
    [HELD] = {"held",
              "of every {0} pixels in a row all get the result of number {1}",
              NULL,
              {{2, 16, 0}, {0, 15, 1}},
              WRONG_COMMON},
};

static void set_part(struct contrast *k, int part, int which, int a, int b) {
    k->part = (enum part)part;
    k->which = (enum which)which;
    k->a = a;
    k->b = b;
}

static void set_start(struct contrast *k, int number) {
    static const int64_t low[] = {255, 256, INT32_MAX, UINT32_MAX}, high[] = {0, -1, INT32_MIN, 0};
    k->outside = (enum outside)(number % 4);
    k->start_low = low[number / 4];
    k->start_high = high[number / 4];
}

/* What stands in scratch before a call, as a byte, as an unsigned word, as a signed one. */
static int64_t left_over(const struct contrast *k, int type) {
    uint32_t word = k->tried->poison * 0x01010101u;
    return type == 0 ? k->tried->poison : type == 1 ? (int64_t)word : (int32_t)word;
}

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct contrast *k = recipe;
    switch ((enum kind)kind) {
    case EMPTY:
    case NOTHING: k->unwritten = true; break;
    case CONSTANT: k->constant = n[0]; break;
    case ONE_LEVEL: k->range_zero = n[0]; break;
    case ONE_LEVEL_UNWRITTEN: k->unwritten_one_level = true; break;
    case SIGNED:
    case SIGNED_PART:
        k->signed_range = n[0] != 2;
        k->signed_scale = n[0] != 1;
        k->start_low = k->signed_range ? 127 : 255;
        k->start_high = k->signed_range ? -128 : 0;
        k->outside = (enum outside)n[1];
        break;
    case SIGNED_START:
        k->signed_range = true;
        k->signed_scale = n[0] == 0;
        k->as_stored = n[2];
        k->start_low = n[2] == 1 ? UINT32_MAX : 127;
        k->start_high = n[1] == 0 && n[2] != 1 ? -128 : 0;
        k->impossible = n[2] == 1 && n[1] == 1;
        k->outside = (enum outside)n[3];
        break;
    case ROUNDED_DOWN: k->formula = (enum formula)n[0]; break;
    case FORMULA:
        k->formula = (enum formula)n[0];
        k->outside = (enum outside)n[1];
        break;
    case FLOAT:
    case FLOAT_ORDER:
        k->formula = (enum formula)n[0];
        k->rounding = (enum rounding)n[1];
        k->outside = (enum outside)n[2];
        break;
    case FIXED: k->fixed_bits = n[0], k->fixed_rounding = n[1], k->fixed_half = n[2]; break;
    case GAPS_COUNTED:
        k->range_width = k->src_pitch;
        k->outside = (enum outside)n[1];
        break;
    case PITCH_IGNORED_RANGE: k->range_pitch = k->width, k->outside = (enum outside)n[1]; break;
    case PITCH_IGNORED_SCALE: k->scale_pitch = k->width, k->outside = (enum outside)n[1]; break;
    case PITCH_IGNORED_SRC:
        k->range_pitch = k->scale_pitch = k->width;
        k->outside = (enum outside)n[1];
        break;
    case PITCH_IGNORED_DST: k->store_pitch = k->width; break;
    case PITCH_IGNORED_BOTH:
        k->range_pitch = k->scale_pitch = k->store_pitch = k->width;
        k->outside = (enum outside)n[1];
        break;
    case PITCH_OTHER_SRC:
        k->range_pitch = n[0] != 2 ? k->dst_pitch : k->range_pitch;
        k->scale_pitch = n[0] != 1 ? k->dst_pitch : k->scale_pitch;
        k->outside = (enum outside)n[1];
        break;
    case PITCH_OTHER_DST: k->store_pitch = k->src_pitch; break;
    case GAPS_WRITTEN:
        k->store_width = n[0] == 1 && k->src_pitch < k->dst_pitch ? k->src_pitch : k->dst_pitch;
        break;
    case START:
        k->impossible = n[1] == 2 && (n[0] == 0 || n[0] == 255); /* one of them is right */
        k->start_low = n[1] != 1 ? n[0] : k->start_low;
        k->start_high = n[1] != 0 ? n[0] : k->start_high;
        k->outside = (enum outside)n[2];
        break;
    case START_ONES:
        k->impossible = n[0] == 0 ? n[1] != 0 : n[1] != 1; /* the others are right, or say the same */
        k->start_low = n[0] == 0 ? -1 : k->start_low;
        k->start_high = n[0] == 1 ? UINT32_MAX : k->start_high;
        k->outside = (enum outside)n[2];
        break;
    case START_SWAPPED:
        k->start_low = 0;
        k->start_high = 255;
        break;
    case CHAIN: k->chain = (enum chain)n[0]; break;
    case LIMITS_SWAPPED: k->limits_swapped = true, k->outside = (enum outside)n[1]; break;
    case WORDS_LACK: k->a = n[0], k->words = n[1], k->lacking = (enum lacking)n[2]; break;
    case WORDS_SKIPPED:
        set_part(k, WHOLE_WORDS, BOTH, n[0], 0);
        k->words = n[1];
        set_start(k, n[2]);
        break;
    case THREADS_PART:
        set_part(k, THREADS, BOTH, n[2], n[3]);
        k->block[0] = n[0], k->block[1] = n[1];
        break;
    case TREE_ODD:
        set_part(k, TREE, BOTH, 0, 0);
        k->block[0] = n[0], k->block[1] = n[1], k->flat_block = n[2] == 1;
        break;
    case NOT_CLEARED:
        k->start_low = n[0] != 2 ? left_over(k, n[1]) : k->start_low;
        k->start_high = n[0] != 1 ? left_over(k, n[1]) : k->start_high;
        k->outside = (enum outside)n[2];
        break;
    case WRONG_PART:
        set_part(k, n[0], n[1], 0, 0);
        set_start(k, n[2]);
        break;
    case WRONG_NUMBERED_PART:
        set_part(k, n[0], n[1], n[2], 0);
        set_start(k, n[3]);
        break;
    case RANGE_TAIL: set_part(k, n[0], BOTH, n[1], 0); break;
    case WRONG_BLOCK_PART:
        set_part(k, BLOCK_PART, n[1], n[0], n[2]);
        set_start(k, n[3]);
        break;
    case WRONG_SKIP:
        set_part(k, SKIP, n[1], n[0], n[2]);
        set_start(k, n[3]);
        break;
    case WRONG_CORNER:
        set_part(k, CORNER, n[1], n[0], n[2]);
        set_start(k, n[3]);
        break;
    case NO_PIXEL:
        set_part(k, NONE, n[1], 0, 0);
        set_start(k, n[2]);
        break;
    case ROWS_PART:
        set_part(k, ROW_PART, n[1], n[0], n[2]);
        set_start(k, n[3]);
        break;
    case LOW_ROWS_PART:
        set_part(k, LOW_PART, n[1], n[0], n[2]);
        set_start(k, n[3]);
        break;
    case COUNTED_TOO: k->block[0] = n[0], k->block[1] = n[1], k->counted_too = n[2]; break;
    case COUNTED_IDLE: k->idle = n[0], k->counted_too = n[1]; break;
    case FIXED_ANY: k->fixed_bits = n[2], k->fixed_rounding = n[0], k->fixed_half = n[1]; break;
    case SHIFTED: k->shift_x = n[0], k->shift_y = n[1]; break;
    case FLAT_SHIFT: k->flat = n[0]; break;
    case HELD: k->hold = n[0], k->held = n[1]; break;
    }
}

const struct wrong_oracles wrong_contrast = {
    .axis = {{"column", "columns", "x", "width"}, {"row", "rows", "y", "height"}},
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
    .mistake = mistake,
    .finish = contrast_recipe_finish,
    .gives = contrast_recipe_gives,
    .values = contrast_recipe_values,
    .untouched = contrast_recipe_untouched,
};

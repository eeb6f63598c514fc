/* wrong_contrast.c: what can be wrong with a contrast stretch: which bytes are looked at, the arithmetic, the addresses. */
#include "problems/contrast.h"
#include "problems/wrong_oracle.h"

#include <math.h>
#include <stdlib.h>

enum { UNWRITTEN = -1, UNKNOWN = -2 };

/* Of which pixels the least and the greatest are taken. */
enum part {
    ALL,
    FIRST,       /* number < a */
    LAST_BLOCK,  /* number from the last multiple of a on */
    NO_TAIL,     /* number below the last multiple of a */
    NO_ROW_TAIL, /* x below the last multiple of a */
    NO_LOW_TAIL, /* y below the last multiple of a */
    ROWS_BELOW,
    COLUMNS_BELOW,
    ROW_PART, /* x % a < b */
    LOW_PART, /* y % a < b */
    NONE,
    BLOCK_PART, /* number % a < b */
    SKIP,       /* number % a != b */
    CORNER,     /* x < a and y < b */
    NOT_LAST_ROW,
    NOT_LAST_COLUMN,
    NOT_LAST,
    NOT_FIRST,
    NOT_FIRST_ROW,
    NOT_FIRST_COLUMN,
    FIRST_ROW,
    FIRST_COLUMN
};

enum which { BOTH, LEAST, GREATEST };

/* What becomes of a pixel that lies outside the range. */
enum outside { AS_INT, AS_UNSIGNED, CLAMPED, AS_BYTE };

enum formula {
    RIGHT,
    DOWN,
    UP,
    FLOAT_QUOTIENT_FIRST, /* (v - low) / range * 255 in float */
    FLOAT_FACTOR,         /* (v - low) * (255 / range) in float */
    FLOAT_PRODUCT,        /* (v - low) * 255 / range in float */
    INT_QUOTIENT_FIRST,   /* (v - low) / range * 255 in whole numbers */
    INT_FACTOR,           /* (v - low) * (255 / range) in whole numbers */
    NO_LOW,               /* v * 255 / range */
    BY_HIGH,              /* (v - low) * 255 / high */
    VALUE_BY_HIGH,        /* v * 255 / high */
    INVERTED,             /* (high - v) * 255 / range */
    TIMES_256,
    TIMES_254,
    RANGE_PLUS_1,
    TIMES_256_RANGE_PLUS_1,
    NOT_SCALED, /* v - low */
    COPY,
    SIXTEEN_BITS, /* the definition's product in 16 bits */
    HALF_RANGE,   /* (255 * (v - low) + range) / range: the half is a whole */
    NO_DOUBLE,    /* (255 * (v - low) + range / 2) / range */
    NO_PARENTHESES
};

enum rounding { TRUNCATED, PLUS_HALF, TO_EVEN };

struct contrast {
    const struct wrong_tried *tried;
    const uint8_t *image, *got;
    int64_t width, height, src_pitch, dst_pitch, dst_start, readable;
    enum part part;
    enum which which;
    int a, b;
    enum outside outside;
    bool signed_range, signed_scale;
    int64_t start_low, start_high; /* what min and max start with */
    int64_t range_pitch, range_width, scale_pitch, store_pitch, store_width;
    enum formula formula;
    enum rounding rounding;
    int fixed_bits, fixed_rounding, fixed_half;
    int range_zero; /* what becomes of a single level; -1: itself */
    int64_t shift_x, shift_y, flat;
    bool unwritten, unwritten_one_level;
    int constant, hold, held;
    int as_stored;             /* min and max in the end: 0 as they are, 1 of unsigned words, 2 in bytes */
    int block[2], counted_too; /* a level that counts where blocks of this size hang over the image */
    int idle;                  /* ... where so many pixels a block leave threads without one */
    bool impossible;           /* no mistake of its own */
    int64_t low, high;         /* found */
};

static bool in_part(const struct contrast *k, int64_t x, int64_t y) {
    int64_t number = y * k->range_width + x, total = k->range_width * k->height;
    switch (k->part) {
    case ALL: return true;
    case FIRST: return number < k->a;
    case LAST_BLOCK: return number >= (total - 1) / k->a * k->a;
    case NO_TAIL: return number < total / k->a * k->a;
    case NO_ROW_TAIL: return x < k->range_width / k->a * k->a;
    case NO_LOW_TAIL: return y < k->height / k->a * k->a;
    case BLOCK_PART: return number % k->a < k->b;
    case ROW_PART: return x % k->a < k->b;
    case LOW_PART: return y % k->a < k->b;
    case NONE: return false;
    case SKIP: return number % k->a != k->b;
    case CORNER: return x < k->a && y < k->b;
    case ROWS_BELOW: return y < k->a;
    case COLUMNS_BELOW: return x < k->a;
    case NOT_LAST_ROW: return y < k->height - 1;
    case NOT_LAST_COLUMN: return x < k->range_width - 1;
    case NOT_LAST: return number < total - 1;
    case NOT_FIRST: return number > 0;
    case NOT_FIRST_ROW: return y > 0;
    case NOT_FIRST_COLUMN: return x > 0;
    case FIRST_ROW: return y == 0;
    case FIRST_COLUMN: return x == 0;
    }
    return true;
}

/* Byte i from the image's first on; UNKNOWN outside the buffer. */
static int source(const struct contrast *k, int64_t i) {
    return i < 0 || i >= k->readable ? UNKNOWN : k->image[i];
}

static int64_t take(int value, bool is_signed) {
    return is_signed ? (int8_t)value : value;
}

static bool finish(void *recipe) {
    struct contrast *k = recipe;
    int64_t low = k->start_low, high = k->start_high;
    if (k->impossible || k->held >= (k->hold > 1 ? k->hold : 1) || (k->part == SKIP && k->b >= k->a) ||
        ((k->part == BLOCK_PART || k->part == ROW_PART || k->part == LOW_PART) && k->b >= k->a))
        return false;
    for (int64_t y = 0; y < k->height; y++)
        for (int64_t x = 0; x < k->range_width; x++) {
            if (k->range_width > k->width && y == k->height - 1 && x >= k->width)
                break; /* the last row has no gap behind it */
            int byte = source(k, y * k->range_pitch + x);
            if (byte == UNKNOWN)
                return false;
            int64_t value = take(byte, k->signed_range);
            if (k->as_stored == 1)
                value = (uint32_t)value;
            bool taken = in_part(k, x, y);
            if ((taken || k->which == GREATEST) && value < low)
                low = value;
            if ((taken || k->which == LEAST) && value > high)
                high = value;
        }
    if (k->block[0] != 0 && (k->width % k->block[0] != 0 || k->height % k->block[1] != 0)) {
        low = k->counted_too < low ? k->counted_too : low;
        high = k->counted_too > high ? k->counted_too : high;
    }
    if (k->idle != 0 && k->width * k->height % k->idle != 0) {
        low = k->counted_too < low ? k->counted_too : low;
        high = k->counted_too > high ? k->counted_too : high;
    }
    k->low = k->as_stored == 1 ? (int32_t)(uint32_t)low : k->as_stored == 2 ? (uint8_t)low : low;
    k->high = k->as_stored == 1 ? (int32_t)(uint32_t)high : k->as_stored == 2 ? (uint8_t)high : high;
    return true;
}

/* ---- a pixel */

static int64_t rounded(const struct contrast *k, double value) {
    double number = k->rounding == PLUS_HALF ? floor(value + 0.5)
                    : k->rounding == TO_EVEN ? rint(value)
                                             : trunc(value);
    if (!(number > -1e9 && number < 1e9))
        return isnan(number) ? 0 : number < 0 ? INT32_MIN : INT32_MAX;
    return (int64_t)number;
}

/* Of whole numbers, as this machine or the GPU divides them; by 0: what the GPU gives. */
static int64_t quotient(const struct contrast *k, int64_t a, int64_t b) {
    if (k->outside == AS_UNSIGNED) {
        uint32_t numerator = (uint32_t)a, denominator = (uint32_t)b;
        return denominator == 0 ? UINT32_MAX : numerator / denominator;
    }
    int32_t numerator = (int32_t)(uint32_t)a, denominator = (int32_t)(uint32_t)b;
    if (denominator == 0 || (denominator == -1 && numerator == INT32_MIN))
        return -1;
    return numerator / denominator;
}

static int64_t formula(const struct contrast *k, int64_t v) {
    int64_t low = k->low, high = k->high, range = high - low,
            d = k->outside == AS_BYTE ? (uint8_t)(v - low) : v - low;
    switch (k->formula) {
    case RIGHT: return quotient(k, 2 * 255 * d + range, 2 * range);
    case DOWN: return quotient(k, 255 * d, range);
    case UP: return quotient(k, 255 * d + range - 1, range);
    case FLOAT_QUOTIENT_FIRST: return rounded(k, (double)((float)d / (float)range * 255.0F));
    case FLOAT_FACTOR: return rounded(k, (double)((float)d * (255.0F / (float)range)));
    case FLOAT_PRODUCT: return rounded(k, (double)((float)d * 255.0F / (float)range));
    case INT_QUOTIENT_FIRST: return quotient(k, d, range) * 255;
    case INT_FACTOR: return d * quotient(k, 255, range);
    case NO_LOW: return quotient(k, 2 * 255 * v + range, 2 * range);
    case BY_HIGH: return quotient(k, 2 * 255 * d + high, 2 * high);
    case VALUE_BY_HIGH: return quotient(k, 2 * 255 * v + high, 2 * high);
    case INVERTED: return quotient(k, 2 * 255 * (high - v) + range, 2 * range);
    case TIMES_256: return quotient(k, 2 * 256 * d + range, 2 * range);
    case TIMES_254: return quotient(k, 2 * 254 * d + range, 2 * range);
    case RANGE_PLUS_1: return quotient(k, 2 * 255 * d + range + 1, 2 * (range + 1));
    case TIMES_256_RANGE_PLUS_1: return quotient(k, 256 * d, range + 1);
    case NOT_SCALED: return d;
    case COPY: return v;
    case SIXTEEN_BITS: return quotient(k, (uint16_t)(2 * 255 * d + range), 2 * range);
    case HALF_RANGE: return quotient(k, 255 * d + range, range);
    case NO_DOUBLE: return quotient(k, 255 * d + range / 2, range);
    case NO_PARENTHESES: return quotient(k, 2 * 255 * d + range, 2) * range;
    }
    return 0;
}

static int64_t fixed(const struct contrast *k, int64_t v) {
    int64_t range = k->high - k->low, one = (int64_t)1 << k->fixed_bits,
            factor = (255 * one + (k->fixed_rounding == 1   ? range / 2
                                   : k->fixed_rounding == 2 ? range - 1
                                                            : 0)) /
                     range;
    return ((v - k->low) * factor + (k->fixed_half != 0 ? one / 2 : 0)) >> k->fixed_bits;
}

static int scaled(const struct contrast *k, int byte) {
    int64_t v = take(byte, k->signed_scale), range = k->high - k->low;
    if (range == 0)
        return k->range_zero == -1 ? byte : (uint8_t)k->range_zero;
    if (k->outside == CLAMPED && v < k->low)
        return 0;
    int64_t value = k->fixed_bits != 0 ? fixed(k, v) : formula(k, v);
    if (k->outside == CLAMPED)
        value = value < 0 ? 0 : value > 255 ? 255 : value;
    return (uint8_t)value;
}

/* ---- the output: every byte from the start of the buffer on */

static int expected(const struct contrast *k, uint64_t index) {
    int64_t at = (int64_t)index - k->dst_start - k->flat;
    int64_t y = at < 0 ? -1 : at / k->store_pitch, x = at < 0 ? -1 : at % k->store_pitch;
    if (at < 0 || y >= k->height || x >= k->store_width || k->unwritten)
        return UNWRITTEN;
    if (k->unwritten_one_level && k->low == k->high)
        return UNWRITTEN;
    if (k->constant >= 0)
        return k->constant;
    if (k->hold > 1)
        x = x - x % k->hold + k->held;
    x += k->shift_x;
    y += k->shift_y;
    if (x < 0 || y < 0 || y >= k->height)
        return UNKNOWN;
    int byte = source(k, y * k->scale_pitch + x);
    return byte == UNKNOWN ? UNKNOWN : scaled(k, byte);
}

static bool gives(const void *recipe, uint64_t index) {
    const struct contrast *k = recipe;
    int value = expected(k, index);
    return k->got[index] == (value == UNWRITTEN ? k->tried->poison : value);
}

static bool values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct contrast *k = recipe;
    *got = k->got[index];
    *right = expected(k, index);
    return *right >= 0;
}

static bool untouched(const void *recipe, uint64_t index) {
    const struct contrast *k = recipe;
    return k->got[index] == k->tried->poison;
}

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
    f[0] = (struct wrong_feature){"width", s[CONTRAST_WIDTH], false};
    f[1] = (struct wrong_feature){"height", s[CONTRAST_HEIGHT], false};
    f[2] = (struct wrong_feature){"gaps between the rows of src", s[CONTRAST_SRC_PITCH] - s[CONTRAST_WIDTH],
                                  true};
    f[3] = (struct wrong_feature){"gaps between the rows of dst", s[CONTRAST_DST_PITCH] - s[CONTRAST_WIDTH],
                                  true};
    f[4] = (struct wrong_feature){"an unaligned src", s[CONTRAST_SRC_START], true};
    f[5] = (struct wrong_feature){"an unaligned dst", s[CONTRAST_DST_START], true};
    f[6] = (struct wrong_feature){"a src that starts at an odd address", s[CONTRAST_SRC_START] % 2, true};
    f[7] = (struct wrong_feature){"pixels", s[CONTRAST_WIDTH] * s[CONTRAST_HEIGHT], false};
    return 8;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    *recipe = 40 + 3 * (uint64_t)(c->size[CONTRAST_WIDTH] * c->size[CONTRAST_HEIGHT]);
    *element = 30;
}

/* ---- the recipe */

static void begin(const struct wrong_tried *tried, void *recipe) {
    const int64_t *s = tried->problem_case->size;
    struct contrast *k = recipe;
    *k = (struct contrast){.tried = tried,
                           .image = (const uint8_t *)tried->input[CONTRAST_SRC] + s[CONTRAST_SRC_START],
                           .got = tried->got,
                           .width = s[CONTRAST_WIDTH],
                           .height = s[CONTRAST_HEIGHT],
                           .src_pitch = s[CONTRAST_SRC_PITCH],
                           .dst_pitch = s[CONTRAST_DST_PITCH],
                           .dst_start = s[CONTRAST_DST_START],
                           .readable = (s[CONTRAST_HEIGHT] - 1) * s[CONTRAST_SRC_PITCH] + s[CONTRAST_WIDTH],
                           .start_low = 255,
                           .start_high = 0,
                           .range_pitch = s[CONTRAST_SRC_PITCH],
                           .range_width = s[CONTRAST_WIDTH],
                           .scale_pitch = s[CONTRAST_SRC_PITCH],
                           .store_pitch = s[CONTRAST_DST_PITCH],
                           .store_width = s[CONTRAST_WIDTH],
                           .range_zero = -1,
                           .constant = -1};
}

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
    NOT_CLEARED,
    NO_PIXEL,
    WRONG_PART,
    WRONG_NUMBERED_PART,
    RANGE_TAIL,
    WRONG_BLOCK_PART,
    ROWS_PART,
    LOW_ROWS_PART,
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
         "Is there a thread for each of these pixels: does the grid round up, is a kernel launched at all?",
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
         "levels above 127 are taken for negative numbers{0:| for min and max}{1:| and max starts with 0}{2:|, which are kept as unsigned words|, which are kept in bytes}",
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
               WRONG_SOMEWHERE},
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
    .begin = begin,
    .mistake = mistake,
    .finish = finish,
    .gives = gives,
    .values = values,
    .untouched = untouched,
};

/* contrast_recipe.c: what comes out of a contrast stretch with mistakes in it. */
#include "lab/problems/contrast_recipe.h"

#include <math.h>
#include <stdlib.h>

/* Number of a pixel's thread in its block. */
static int64_t thread_of(const struct contrast *k, int64_t x, int64_t y) {
    int64_t threads = (int64_t)k->block[0] * k->block[1];
    return k->flat_block ? (y * k->range_width + x) % threads
                         : y % k->block[1] * k->block[0] + x % k->block[0];
}

/* Are the rows one long row to who loads words? */
static bool is_one_row(const struct contrast *k) {
    return k->words != 0 && k->src_pitch == k->width && (k->words == 2 || k->dst_pitch == k->width);
}

static bool in_short_word(const struct contrast *k, int64_t x, int64_t y) {
    int64_t extent = is_one_row(k) ? k->width * k->height : k->width,
            at = is_one_row(k) ? y * k->width + x : x;
    return at >= extent - extent % k->a;
}

/* The threads whose value comes to thread 0 where each round halves their number. */
static void reach(struct contrast *k) {
    int threads = k->block[0] * k->block[1];
    /* Backwards: who is reached in a round reaches those that he takes from. */
    int rounds[16], count = 0;
    for (int half = threads / 2; half > 0; half /= 2)
        rounds[count++] = half;
    k->reached[0] = 1;
    while (count-- > 0)
        for (int i = 0; i < rounds[count]; i++)
            if (k->reached[i / 64] >> i % 64 & 1)
                k->reached[(i + rounds[count]) / 64] |= UINT64_C(1) << (i + rounds[count]) % 64;
}

static void count_level(int64_t level, int64_t *low, int64_t *high) {
    *low = level < *low ? level : *low;
    *high = level > *high ? level : *high;
}

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
    case THREADS: return thread_of(k, x, y) % k->a < k->b;
    case TREE: return k->reached[thread_of(k, x, y) / 64] >> thread_of(k, x, y) % 64 & 1;
    case WHOLE_WORDS: return !in_short_word(k, x, y);
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

bool contrast_recipe_finish(void *recipe) {
    struct contrast *k = recipe;
    int64_t low = k->start_low, high = k->start_high;
    if (k->impossible || k->held >= (k->hold > 1 ? k->hold : 1) || (k->part == SKIP && k->b >= k->a) ||
        ((k->part == BLOCK_PART || k->part == ROW_PART || k->part == LOW_PART) && k->b >= k->a))
        return false;
    if ((k->part == THREADS || k->part == TREE) &&
        (k->block[0] * k->block[1] > 1024 || (k->part == THREADS && k->b >= k->a)))
        return false;
    if (k->part == TREE)
        reach(k);
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
            bool taken = k->part == ALL || in_part(k, x, y), lower = value<low, higher = value> high;
            if ((taken || k->which == GREATEST) && lower && !(k->chain == MINIMUM_ELSE && higher))
                low = value;
            if ((taken || k->which == LEAST) && higher && !(k->chain == MAXIMUM_ELSE && lower))
                high = value;
        }
    if (k->part != THREADS && k->part != TREE && k->block[0] != 0 &&
        (k->width % k->block[0] != 0 || k->height % k->block[1] != 0))
        count_level(k->counted_too, &low, &high);
    if (k->idle != 0 && k->width * k->height % k->idle != 0)
        count_level(k->counted_too, &low, &high);
    if (k->lacking != NOTHING_LACKS && in_short_word(k, k->width - 1, k->height - 1))
        count_level(k->lacking == LACKING_0 ? 0 : 255, &low, &high);
    if (k->limits_swapped) {
        int64_t other = low;
        low = high;
        high = other;
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
    case TIMES_256_DOWN: return quotient(k, 256 * d, range);
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

static int byte_at(const struct contrast *k, uint64_t index) {
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

struct wrong_element contrast_recipe_expected(const void *recipe, uint64_t index) {
    return wrong_whole(byte_at(recipe, index));
}

/* ---- the recipe */

void contrast_recipe_begin(const struct wrong_tried *tried, void *recipe) {
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

/*
 * Judging a contrast stretch: bit for bit, the bytes between the rows too. A wrong picture is a table from
 * source level to result, if each level has one result everywhere; most mistakes are recognised by it.
 */
#include "problems/contrast.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER_SEEN = -1, DIFFERS = -2 };

struct comparison {
    const struct problem_case *problem_case;
    const uint8_t *src, *expected, *got; /* src, got: first pixel */
    size_t width, height, src_pitch, dst_pitch;
    uint8_t poison;
    uint64_t wrong, stray; /* pixels; bytes written outside the image */
    unsigned low, high;    /* of the source, when it is there */
    int level[256];        /* what a source level became: NEVER_SEEN, DIFFERS: not the same everywhere */
};

static void count(struct comparison *c, struct problem_verdict *v) {
    for (size_t y = 0; y < c->height; y++) {
        const uint8_t *got = c->got + y * c->dst_pitch, *expected = c->expected + y * c->width;
        if (memcmp(got, expected, c->width) != 0)
            for (size_t x = 0; x < c->width; x++) {
                unsigned off = (unsigned)abs((int)got[x] - (int)expected[x]);
                v->largest = off > v->largest ? off : v->largest;
                c->wrong += off != 0;
                if (off == 0 || v->listed == PROBLEM_LISTED)
                    continue;
                struct problem_wrong *w = &v->first[v->listed++];
                w->index = y * c->dst_pitch + x;
                snprintf(w->where, sizeof w->where, "(%zu, %zu)", x, y);
                snprintf(w->got, sizeof w->got, "%u", got[x]);
                snprintf(w->expected, sizeof w->expected, "%u", expected[x]);
            }
        for (size_t x = c->width; x < c->dst_pitch && y + 1 < c->height; x++)
            c->stray += got[x] != c->poison;
    }
    int64_t start = c->problem_case->size[CONTRAST_DST_START];
    for (int64_t i = 0; i < start; i++)
        c->stray += c->got[i - start] != c->poison;
}

static void read_source(struct comparison *c) {
    c->low = 255;
    c->high = 0;
    for (int value = 0; value < 256; value++)
        c->level[value] = NEVER_SEEN;
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++) {
            unsigned value = c->src[y * c->src_pitch + x];
            int got = c->got[y * c->dst_pitch + x];
            c->low = value < c->low ? value : c->low;
            c->high = value > c->high ? value : c->high;
            if (c->level[value] == NEVER_SEEN)
                c->level[value] = got;
            else if (c->level[value] != got)
                c->level[value] = DIFFERS;
        }
}

static bool explain_unwritten(const struct comparison *c, char *hint, size_t size) {
    uint64_t poisoned = 0, unwritten = 0, all = (uint64_t)c->width * c->height;
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++) {
            bool held = c->got[y * c->dst_pitch + x] == c->poison;
            poisoned += held;
            unwritten += held && c->expected[y * c->width + x] != c->poison;
        }
    if (poisoned * 10 < all * 9 && unwritten * 10 < c->wrong * 9)
        return false;
    if (poisoned * 10 >= all * 9)
        snprintf(hint, size,
                 "Nothing was written. The lab starts with two empty functions, contrast_cpu and contrast: "
                 "fill them in, the CPU's first (README.md, \"Your task\").");
    else
        snprintf(hint, size,
                 "%llu pixels were never written. Does the grid round up, and is the end of each row "
                 "done?",
                 (unsigned long long)unwritten);
    return true;
}

static bool explain_one_level(const struct comparison *c, char *hint, size_t size) {
    if (c->low != c->high)
        return false;
    snprintf(hint, size,
             "All pixels are %u, so max - min is 0: then the result is the source itself. Do not divide.",
             c->low);
    return true;
}

/* Do all levels become what this arithmetic makes of them? */
static bool fits(const struct comparison *c, uint8_t (*rule)(unsigned, unsigned, unsigned), unsigned low,
                 unsigned high) {
    for (unsigned value = c->low; value <= c->high; value++)
        if (c->level[value] != NEVER_SEEN && value >= low && value <= high &&
            c->level[value] != rule(value, low, high))
            return false;
    return true;
}

static uint8_t rounded_down(unsigned value, unsigned low, unsigned high) {
    return (uint8_t)(255 * (value - low) / (high - low));
}

/* The same arithmetic where bytes are numbers from -128 to 127. */
static bool fits_signed(const struct comparison *c) {
    int low = 127, high = -128;
    for (unsigned value = c->low; value <= c->high; value++)
        if (c->level[value] != NEVER_SEEN) {
            low = (int8_t)value < low ? (int8_t)value : low;
            high = (int8_t)value > high ? (int8_t)value : high;
        }
    for (unsigned value = c->low; value <= c->high; value++)
        if (c->level[value] != NEVER_SEEN &&
            c->level[value] != contrast_level((unsigned)((int8_t)value - low), 0, (unsigned)(high - low)))
            return false;
    return high > low;
}

static bool explain_signed(const struct comparison *c, char *hint, size_t size) {
    if (c->low > 127 || c->high < 128 || !fits_signed(c))
        return false;
    snprintf(hint, size,
             "Levels above 127 are taken for negative numbers: a pixel is an unsigned byte. Look for char or "
             "int8_t, also in casts and in the start values of min and max.");
    return true;
}

static bool explain_rounding(const struct comparison *c, char *hint, size_t size) {
    enum { TOO_FEW = 8 }; /* so small an error may have any cause */
    if (c->wrong < TOO_FEW)
        return false;
    for (unsigned value = c->low; value <= c->high; value++) {
        int off = c->level[value] - contrast_level(value, c->low, c->high);
        if (c->level[value] != NEVER_SEEN && (c->level[value] == DIFFERS || off > 1 || off < -1))
            return false;
    }
    snprintf(hint, size,
             "%s. The definition rounds to the nearest, a half up: (2 * 255 * (x - min) + range) / (2 * "
             "range).",
             fits(c, rounded_down, c->low, c->high) ? "Every result is rounded down"
                                                    : "Results are off by one level here and there");
    return true;
}

/* Right arithmetic with another range: the wrong pixels were looked at, or not all of the right ones. */
static bool explain_range(const struct comparison *c, char *hint, size_t size) {
    unsigned seen = 0;
    for (unsigned value = c->low; value <= c->high; value++)
        seen += c->level[value] != NEVER_SEEN;
    if (seen < 8)
        return false;
    for (unsigned low = 0; low < 255; low++)
        for (unsigned high = low + 1; high < 256; high++) {
            bool wider = low <= c->low && high >= c->high;
            unsigned inside = 0;
            if (low > c->high || high < c->low || !fits(c, contrast_level, low, high))
                continue;
            for (unsigned value = low; value <= high; value++)
                inside += c->level[value] != NEVER_SEEN;
            if (inside * 2 < seen)
                continue;
            snprintf(
                hint, size, "Computed with min %u and max %u; they are %u and %u. %s", low, high, c->low,
                c->high,
                wider ? "Are the bytes between the rows, from width to src_pitch, left out?"
                      : "Does the reduction see every pixel, the last ones of a row and of the image too?");
            return true;
        }
    return false;
}

/* Rows of the source taken to lie `width` apart. */
static bool explain_source_pitch(const struct comparison *c, char *hint, size_t size) {
    if (c->src_pitch == c->width || c->height < 2)
        return false;
    unsigned low = 255, high = 0;
    for (size_t i = 0; i < c->width * c->height; i++) {
        low = c->src[i] < low ? c->src[i] : low;
        high = c->src[i] > high ? c->src[i] : high;
    }
    uint64_t same = 0;
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++) {
            unsigned value = c->src[y * c->width + x];
            uint8_t got = c->got[y * c->dst_pitch + x];
            same += got == contrast_level(value, low, high) ||
                    (value >= c->low && value <= c->high && got == contrast_level(value, c->low, c->high));
        }
    if (same * 20 < (uint64_t)c->width * c->height * 19)
        return false;
    snprintf(hint, size,
             "Pixel (x, y) of the source is src[y * src_pitch + x], not src[y * width + x]: rows lie a pitch "
             "apart.");
    return true;
}

void compare_contrast(const struct problem_case *problem_case, const uint8_t *src, const uint8_t *expected,
                      const uint8_t *got, uint8_t poison, struct problem_verdict *v) {
    const int64_t *s = problem_case->size;
    struct comparison c = {.problem_case = problem_case,
                           .src = src != NULL ? src + s[CONTRAST_SRC_START] : NULL,
                           .expected = expected,
                           .got = got + s[CONTRAST_DST_START],
                           .width = (size_t)s[CONTRAST_WIDTH],
                           .height = (size_t)s[CONTRAST_HEIGHT],
                           .src_pitch = (size_t)s[CONTRAST_SRC_PITCH],
                           .dst_pitch = (size_t)s[CONTRAST_DST_PITCH],
                           .poison = poison};
    *v = (struct problem_verdict){.total = (uint64_t)c.width * c.height};
    count(&c, v);
    v->wrong = c.wrong + c.stray;
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    if (c.stray > 0) {
        snprintf(v->message, sizeof v->message, "%llu bytes outside the image were written",
                 (unsigned long long)c.stray);
        snprintf(v->hint, sizeof v->hint,
                 "Between the rows of the destination lie dst_pitch - width bytes that are not yours. Pixel "
                 "(x, y) is dst[y * dst_pitch + x], and only x < width is written.");
        return;
    }
    snprintf(v->message, sizeof v->message, "%llu of %llu pixels differ", (unsigned long long)c.wrong,
             (unsigned long long)v->total);
    if (src == NULL)
        return;
    read_source(&c);
    static bool (*const explanations[])(const struct comparison *, char *, size_t) = {
        explain_unwritten, explain_one_level,    explain_signed,
        explain_rounding,  explain_source_pitch, explain_range,
    };
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (explanations[i](&c, v->hint, sizeof v->hint))
            return;
}

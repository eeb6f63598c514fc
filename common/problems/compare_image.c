/* Judging an image: count and list what differs, then try explanations from the most to the least telling. */
#include "problems/compare_image.h"

#include <stdlib.h>
#include <string.h>

struct comparison {
    const uint8_t *got, *expected;
    int64_t width, height, radius;
    uint8_t poison;
    uint64_t wrong;
};

static bool differs(const struct comparison *c, int64_t x, int64_t y) {
    return c->got[y * c->width + x] != c->expected[y * c->width + x];
}

static bool in_border(const struct comparison *c, int64_t x, int64_t y) {
    return x < c->radius || y < c->radius || x >= c->width - c->radius || y >= c->height - c->radius;
}

/* Rows (or columns) in which every pixel still holds the byte it was filled with. Returns how many; first and
 * last of them. */
static int64_t untouched_lines(const struct comparison *c, bool rows, int64_t *first, int64_t *last) {
    int64_t lines = rows ? c->height : c->width, across = rows ? c->width : c->height, found = 0;
    for (int64_t line = 0; line < lines; line++) {
        bool untouched = true, wrong = false;
        for (int64_t i = 0; i < across && untouched; i++) {
            int64_t x = rows ? i : line, y = rows ? line : i;
            untouched = c->got[y * c->width + x] == c->poison;
            wrong = wrong || differs(c, x, y);
        }
        if (!untouched || !wrong)
            continue;
        *first = found++ == 0 ? line : *first;
        *last = line;
    }
    return found;
}

static bool explain_unwritten(const struct comparison *c, char *hint, size_t size) {
    uint64_t poisoned = 0;
    for (int64_t i = 0; i < c->width * c->height; i++)
        poisoned += c->got[i] == c->poison && c->expected[i] != c->poison;
    if (poisoned * 10 < c->wrong * 9)
        return false;
    int64_t first = 0, last = 0, lines;
    if (poisoned >= (uint64_t)(c->width * c->height) * 9 / 10) {
        snprintf(hint, size,
                 "Nothing was written. Is a kernel launched, with a grid that covers the image, on the given "
                 "stream?");
    } else if ((lines = untouched_lines(c, true, &first, &last)) > 0) {
        snprintf(hint, size,
                 "%lld row%s never written (%lld%s%lld). Does the grid round up, (height + rows - 1) / rows?",
                 (long long)lines, lines == 1 ? " was" : "s were", (long long)first,
                 lines == last - first + 1 ? " to " : " ... ", (long long)last);
    } else if ((lines = untouched_lines(c, false, &first, &last)) > 0) {
        snprintf(hint, size,
                 "%lld column%s never written (%lld%s%lld). Does the grid round up, (width + columns - 1) / "
                 "columns?",
                 (long long)lines, lines == 1 ? " was" : "s were", (long long)first,
                 lines == last - first + 1 ? " to " : " ... ", (long long)last);
    } else {
        snprintf(hint, size,
                 "These pixels were never written: they still hold what the buffer was filled with before "
                 "the call.");
    }
    return true;
}

/* Does got(x, y) equal expected(x + dx, y + dy), border left out? In per mille of the pixels that can tell. */
static unsigned match_shifted(const struct comparison *c, int64_t dx, int64_t dy) {
    int64_t margin = c->radius + 1;
    uint64_t same = 0, all = 0;
    for (int64_t y = margin; y < c->height - margin; y++)
        for (int64_t x = margin; x < c->width - margin; x++) {
            all++;
            same += c->got[y * c->width + x] == c->expected[(y + dy) * c->width + x + dx];
        }
    return all < 16 ? 0 : (unsigned)(same * 1000 / all);
}

static bool explain_shift(const struct comparison *c, char *hint, size_t size) {
    unsigned in_place = match_shifted(c, 0, 0);
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++) {
            unsigned moved = match_shifted(c, dx, dy);
            if ((dx == 0 && dy == 0) || moved < 970 || in_place > 900)
                continue;
            const char *across = dx < 0   ? "right"
                                 : dx > 0 ? "left"
                                          : "",
                       *down = dy < 0   ? "down"
                               : dy > 0 ? "up"
                                        : "";
            snprintf(
                hint, size,
                "The picture is shifted by one pixel %s%s%s: your pixel (x, y) is the right one of (x%s, y%s). "
                "Check the index where the tile is filled against the one where it is read.",
                across, *across && *down ? " and " : "", down,
                dx < 0   ? " - 1"
                : dx > 0 ? " + 1"
                         : "",
                dy < 0   ? " - 1"
                : dy > 0 ? " + 1"
                         : "");
            return true;
        }
    return false;
}

static bool explain_border(const struct comparison *c, char *hint, size_t size) {
    if (c->width <= 2 * c->radius || c->height <= 2 * c->radius)
        return false;
    unsigned sides = 0; /* bits: left, right, top, bottom */
    for (int64_t y = 0; y < c->height; y++)
        for (int64_t x = 0; x < c->width; x++)
            if (differs(c, x, y)) {
                if (!in_border(c, x, y))
                    return false;
                sides |= (x < c->radius) | (x >= c->width - c->radius) << 1 | (y < c->radius) << 2 |
                         (y >= c->height - c->radius) << 3;
            }
    snprintf(
        hint, size,
        "Only the border is wrong (%s%s%s%swithin %lld pixels of the edge). Outside the image counts as 0, "
        "and every pixel inside is written.",
        sides & 1 ? "left, " : "", sides & 2 ? "right, " : "", sides & 4 ? "top, " : "",
        sides & 8 ? "bottom, " : "", (long long)c->radius);
    return true;
}

static bool explain_swap(const struct comparison *c, char *hint, size_t size) {
    if (c->width != c->height || c->width < 4)
        return false;
    for (int64_t y = 0; y < c->height; y++)
        for (int64_t x = 0; x < c->width; x++)
            if (c->got[y * c->width + x] != c->expected[x * c->width + y])
                return false;
    snprintf(hint, size, "Rows and columns are swapped: your pixel (x, y) is the right one of (y, x).");
    return true;
}

static bool explain_rounding(const struct comparison *c, char *hint, size_t size) {
    enum { TOO_FEW = 8 }; /* so small an error may have any cause */
    if (c->wrong < TOO_FEW)
        return false;
    bool above = false, below = false;
    for (int64_t i = 0; i < c->width * c->height; i++) {
        int off = (int)c->got[i] - (int)c->expected[i];
        if (off > 1 || off < -1)
            return false;
        above = above || off > 0;
        below = below || off < 0;
    }
    snprintf(hint, size,
             "Every wrong pixel is off by one level (%s): the sum is divided by 256 and rounded down, once, "
             "at the end.",
             above && below ? "up and down"
             : above        ? "too high"
                            : "too low");
    return true;
}

static bool explain_period(const struct comparison *c, char *hint, size_t size) {
    /* Errors only in columns (or rows) near multiples of a block's side: the halo of a tile. With less than
     * two whole tiles that is hardly told from an edge of the image. */
    static const int64_t sides[] = {8, 16, 32, 64, 128};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        int64_t side = sides[s];
        if (side <= 2 * c->radius || (c->width < 2 * side && c->height < 2 * side))
            continue;
        bool columns = c->width >= 2 * side, rows = c->height >= 2 * side;
        for (int64_t y = 0; y < c->height && (rows || columns); y++)
            for (int64_t x = 0; x < c->width; x++)
                if (differs(c, x, y)) {
                    int64_t u = x % side, v = y % side;
                    columns = columns && (u < c->radius || u >= side - c->radius);
                    rows = rows && (v < c->radius || v >= side - c->radius);
                }
        if (!rows && !columns)
            continue;
        snprintf(
            hint, size,
            "Only %s near multiples of %lld are wrong: the seams between tiles. Is the whole halo loaded, and "
            "is there a __syncthreads() between filling the tile and reading it?",
            columns ? "columns" : "rows", (long long)side);
        return true;
    }
    return false;
}

static void list_first(const struct comparison *c, struct problem_verdict *verdict) {
    for (int64_t y = 0; y < c->height && verdict->listed < PROBLEM_LISTED; y++)
        for (int64_t x = 0; x < c->width && verdict->listed < PROBLEM_LISTED; x++) {
            if (!differs(c, x, y))
                continue;
            struct problem_wrong *w = &verdict->first[verdict->listed++];
            w->index = (uint64_t)(y * c->width + x);
            snprintf(w->where, sizeof w->where, "(%lld, %lld)", (long long)x, (long long)y);
            snprintf(w->got, sizeof w->got, "%u", c->got[w->index]);
            snprintf(w->expected, sizeof w->expected, "%u", c->expected[w->index]);
        }
}

void compare_image(const uint8_t *got, const uint8_t *expected, int64_t width, int64_t height, int64_t radius,
                   uint8_t poison, struct problem_verdict *verdict) {
    *verdict = (struct problem_verdict){.total = (uint64_t)(width * height)};
    if (memcmp(got, expected, (size_t)(width * height)) == 0) {
        verdict->passed = true;
        return;
    }
    struct comparison c = {got, expected, width, height, radius, poison, 0};
    for (int64_t i = 0; i < width * height; i++) {
        unsigned off = (unsigned)abs((int)got[i] - (int)expected[i]);
        c.wrong += off != 0;
        verdict->largest = off > verdict->largest ? off : verdict->largest;
    }
    verdict->wrong = c.wrong;
    snprintf(verdict->message, sizeof verdict->message, "%llu of %llu pixels differ",
             (unsigned long long)c.wrong, (unsigned long long)verdict->total);
    list_first(&c, verdict);

    static bool (*const explanations[])(const struct comparison *, char *, size_t) = {
        explain_unwritten, explain_shift, explain_swap, explain_rounding, explain_border, explain_period,
    };
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (explanations[i](&c, verdict->hint, sizeof verdict->hint))
            return;
    verdict->hint[0] = '\0';
}

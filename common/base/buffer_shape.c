/* buffer_shape.c: prints and parses a shape; describes a place in a buffer in words. */
#include "base/buffer_shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void buffer_shape_print(const struct buffer_shape *s, char text[BUFFER_SHAPE_TEXT]) {
    int length = snprintf(
        text, BUFFER_SHAPE_TEXT, "%s %s %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
        s->name, s->element, s->order, s->element_bytes, s->start, s->length, s->lines, s->pitch);
    if (s->order == SHAPE_TABLE)
        snprintf(text + length, (size_t)(BUFFER_SHAPE_TEXT - length), " %" PRIu64 " %s %s %s", s->middle,
                 s->index[0], s->index[1], s->index[2]);
}

/* Whether the text is one word, so that a printed shape can be parsed again. */
static bool is_word(const char *text) {
    return *text != '\0' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

bool buffer_shape_parse(const char *text, struct buffer_shape *shape) {
    struct buffer_shape s = {0};
    int end = 0,
        count = sscanf(
            text, "%15s %15s %" SCNu32 " %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
            s.name, s.element, &s.order, &s.element_bytes, &s.start, &s.length, &s.lines, &s.pitch, &end);
    int more = 0;
    bool table = count == 8 && s.order == SHAPE_TABLE &&
                 sscanf(text + end, " %" SCNu64 " %7s %7s %7s%n", &s.middle, s.index[0], s.index[1],
                        s.index[2], &more) == 4;
    /* More than any memory. Products of two such numbers stay within 64 bits. */
    const uint64_t most = UINT64_C(1) << 48;
    uint64_t elements, whole;
    bool right = count == 8 && text[end + more] == '\0' && is_word(s.name) && is_word(s.element) &&
                 (s.order <= SHAPE_COLUMNS ||
                  (table && s.middle > 0 && s.middle < most && is_word(s.index[0]) && is_word(s.index[2]))) &&
                 s.element_bytes >= 1 && s.element_bytes <= 256 && s.start < most && s.length <= s.pitch &&
                 s.pitch < most && s.lines < most && !__builtin_mul_overflow(s.pitch, s.lines, &elements) &&
                 !__builtin_mul_overflow(elements, s.element_bytes, &whole) && whole < most;
    *shape = right ? s : (struct buffer_shape){0};
    return right;
}

/* ---- words */

struct words {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->used += (size_t)length < w->size - w->used ? (size_t)length : w->size - w->used - 1;
}

static int64_t floor_divide(int64_t value, int64_t by) {
    return value / by - (value % by < 0);
}

/* The line that holds element i, and the element's place along that line. */
struct place {
    int64_t along, line;
};

static void add_place(struct words *w, const struct buffer_shape *s, struct place p) {
    int64_t middle = (int64_t)s->middle;
    if (s->order == SHAPE_TABLE) {
        add(w, "[%s %" PRId64 "]", s->index[0], floor_divide(p.line, middle));
        if (strcmp(s->index[1], "-") != 0)
            add(w, "[%s %" PRId64 "]", s->index[1], p.line - floor_divide(p.line, middle) * middle);
        add(w, "[%s %" PRId64 "]", s->index[2], p.along);
    } else if (s->order == SHAPE_ROWS)
        add(w, "(%" PRId64 ", %" PRId64 ")", p.along, p.line);
    else
        add(w, "row %" PRId64 ", column %" PRId64, p.along, p.line);
}

static struct place place_of(const struct buffer_shape *s, int64_t index) {
    int64_t pitch = (int64_t)s->pitch, line = floor_divide(index, pitch);
    return (struct place){index - line * pitch, line};
}

/* The other reading of an index: beyond the end, or before the start, of an existing line. True
 * when there is one that an author could have meant. */
static bool other_place(const struct buffer_shape *s, int64_t index, struct place p, struct place *other) {
    enum { NEAR = 64, NARROW = 8 };
    int64_t length = (int64_t)s->length, last = (int64_t)s->lines - 1, pitch = (int64_t)s->pitch;
    if (index < 0) { /* before the start of the next line, or of the first one */
        *other = length < NARROW ? (struct place){index, 0} : (struct place){p.along - pitch, p.line + 1};
        return other->along >= -NEAR;
    }
    *other = (struct place){index - last * pitch, last}; /* beyond the end of the last line */
    return other->line != p.line && (other->along < 2 * length || other->along < length + NEAR);
}

/* "src[256]", "src[14] to src[17]", "bytes 65536 to 65539 of scratch" */
static void add_index(struct words *w, const struct buffer_shape *s, int64_t first, int64_t last) {
    bool bytes = strcmp(s->element, "byte") == 0;
    if (bytes && first == last)
        add(w, "byte %" PRId64 " of %s", first, s->name);
    else if (bytes)
        add(w, "bytes %" PRId64 " to %" PRId64 " of %s", first, last, s->name);
    else if (first == last)
        add(w, "%s[%" PRId64 "]", s->name, first);
    else
        add(w, "%s[%" PRId64 "] to %s[%" PRId64 "]", s->name, first, s->name, last);
}

static void add_whole(struct words *w, const struct buffer_shape *s) {
    if (s->order == SHAPE_VECTOR) {
        add(w, "%s has %" PRIu64 " %s%s", s->name, s->length, s->element, s->length == 1 ? "" : "s");
        return;
    }
    if (s->order == SHAPE_TABLE) {
        add(w, "of %" PRIu64 " x ", s->lines / s->middle);
        if (strcmp(s->index[1], "-") != 0)
            add(w, "%" PRIu64 " x ", s->middle);
        add(w, "%" PRIu64, s->length);
    } else if (s->order == SHAPE_ROWS)
        add(w, "of a picture %" PRIu64 " x %" PRIu64, s->length, s->lines);
    else
        add(w, "of a %" PRIu64 " x %" PRIu64 " matrix", s->length, s->lines);
    if (s->pitch != s->length)
        add(w, " whose %s lie %" PRIu64 " %ss apart", s->order == SHAPE_ROWS ? "rows" : "columns", s->pitch,
            s->element);
}

/* Adds where an element outside the buffer would lie. */
static void add_meant(struct words *w, const struct buffer_shape *s, int64_t index) {
    add(w, ": ");
    if (s->order != SHAPE_VECTOR) {
        struct place p = place_of(s, index), other;
        bool two = other_place(s, index, p, &other);
        add(w, s->order == SHAPE_ROWS ? "%s " : "", s->element);
        if (two) {
            add_place(w, s, other);
            add(w, " or ");
        }
        add_place(w, s, p);
        add(w, " ");
    }
    add_whole(w, s);
}

static void add_inside(struct words *w, const struct buffer_shape *s, int64_t first, int64_t last) {
    struct place p = place_of(s, first), end = place_of(s, last);
    if (s->order == SHAPE_VECTOR)
        return;
    if (p.along >= (int64_t)s->length) {
        const char *line = s->order == SHAPE_ROWS ? "row" : "column";
        add(w,
            ", in the gap between %ss %" PRId64 " and %" PRId64 ": %ss of %" PRIu64 " %ss lie %" PRIu64
            " apart",
            line, p.line, p.line + 1, line, s->length, s->element, s->pitch);
        return;
    }
    add(w, s->order == SHAPE_ROWS ? ", %s%s " : ", ", s->element, first == last ? "" : "s");
    add_place(w, s, p);
    if (first != last) {
        add(w, " to ");
        add_place(w, s, end);
    }
}

void buffer_shape_describe(const struct buffer_shape *s, int64_t offset, uint32_t bytes, char *text,
                           size_t size) {
    struct words w = {text, size, 0};
    int64_t each = s->element_bytes, at = offset - (int64_t)s->start;
    int64_t first = floor_divide(at, each), last = floor_divide(at + (bytes ? bytes : 1) - 1, each);
    bool none = s->length == 0 || s->lines == 0;
    int64_t count = none ? 0 : (int64_t)(s->pitch * (s->lines - 1) + s->length);
    if (size == 0)
        return;
    text[0] = '\0';
    int64_t into = at - first * each;
    if (into != 0)
        add(&w, "%" PRId64 " byte%s into ", into, into == 1 ? "" : "s");
    add_index(&w, s, first, last);
    if (none) {
        add(&w, ": %s has no %ss here", s->name, s->element);
    } else if (first < 0) {
        add(&w, last < 0 ? ", %" PRId64 " before its start" : ", across its start", -first);
        add_meant(&w, s, first);
    } else if (first >= count) {
        add(&w, ", %" PRId64 " beyond its end", first - count + 1);
        add_meant(&w, s, first);
    } else if (last >= count) {
        add(&w, ", across its end");
        add_meant(&w, s, count);
    } else {
        add_inside(&w, s, first, last);
    }
}

/* counters.c: looks up the counters and the kinds of lines by index and by name. */
#include "base/counters.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    size_t offset;
} counter_table[COUNTER_COUNT] = {
#define COUNTER_ROW(name, what) {#name, what, offsetof(struct counters, name)},
    COUNTERS(COUNTER_ROW)
#undef COUNTER_ROW
};

static const struct {
    const char *name, *words;
} line_kinds[LINE_KIND_COUNT] = {
#define LINE_KIND_ROW(enumerator, name, words) {name, words},
    LINE_KINDS(LINE_KIND_ROW)
#undef LINE_KIND_ROW
};

static bool valid(enum counter counter) {
    return (unsigned)counter < COUNTER_COUNT;
}

const char *counter_name(enum counter counter) {
    return valid(counter) ? counter_table[counter].name : NULL;
}

const char *counter_meaning(enum counter counter) {
    return valid(counter) ? counter_table[counter].meaning : NULL;
}

uint64_t counter_value(const struct counters *counters, enum counter counter) {
    uint64_t value = 0;
    if (valid(counter))
        memcpy(&value, (const char *)counters + counter_table[counter].offset, sizeof value);
    return value;
}

void counter_set(struct counters *counters, enum counter counter, uint64_t value) {
    if (valid(counter))
        memcpy((char *)counters + counter_table[counter].offset, &value, sizeof value);
}

const char *line_kind_name(enum line_kind kind) {
    return (unsigned)kind < LINE_KIND_COUNT ? line_kinds[kind].name : NULL;
}

const char *line_kind_words(enum line_kind kind) {
    return (unsigned)kind < LINE_KIND_COUNT ? line_kinds[kind].words : NULL;
}

bool line_kind_is_access(enum line_kind kind) {
    return kind <= LINE_ATOMIC;
}

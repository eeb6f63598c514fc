/* line_facts.c: the names of the facts. */
#include "base/line_facts.h"

#include <stddef.h>

int64_t line_fact_get(const struct line_facts *facts, enum line_fact fact) {
    return facts->known[fact] ? facts->value[fact] : LINE_FACT_UNKNOWN;
}

void line_fact_set(struct line_facts *facts, enum line_fact fact, int64_t value) {
    facts->known[fact] = value != LINE_FACT_UNKNOWN;
    facts->value[fact] = facts->known[fact] ? value : 0;
}

const char *line_fact_name(enum line_fact fact) {
    static const char *const names[] = {
#define LINE_FACT_NAME(name, meaning) #name,
        LINE_FACTS(LINE_FACT_NAME)
#undef LINE_FACT_NAME
    };
    return (unsigned)fact < LINE_FACT_COUNT ? names[fact] : NULL;
}

const char *line_lanes_name(enum line_lanes lanes) {
    static const char *const names[] = {
#define LINE_LANES_NAME(enumerator, name) name,
        LINE_LANES(LINE_LANES_NAME)
#undef LINE_LANES_NAME
    };
    return (unsigned)lanes < LANES_COUNT ? names[lanes] : NULL;
}

/* line_facts.c: the names of the facts. */
#include "base/line_facts.h"

#include <string.h>

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

static const char *const lanes_names[] = {
#define LINE_LANES_NAME(enumerator, name) name,
    LINE_LANES(LINE_LANES_NAME)
#undef LINE_LANES_NAME
};

const char *line_lanes_name(enum line_lanes lanes) {
    return (unsigned)lanes < LANES_COUNT ? lanes_names[lanes] : NULL;
}

bool line_lanes_find(const char *name, enum line_lanes *lanes) {
    for (int i = 0; i < LANES_COUNT; i++)
        if (strcmp(lanes_names[i], name) == 0) {
            *lanes = (enum line_lanes)i;
            return true;
        }
    return false;
}

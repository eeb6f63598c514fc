/* flags.c: the table of the flags. */
#include "job/flags.h"

static const struct {
    const char *name, *meaning;
} table[GRADER_FLAG_COUNT] = {{"", ""},
#define FLAG_ENTRY(identifier, name, what) {name, what},
                              GRADER_FLAGS(FLAG_ENTRY)
#undef FLAG_ENTRY
};

const char *grader_flag_name(enum grader_flag flag) {
    return table[flag].name;
}

const char *grader_flag_meaning(enum grader_flag flag) {
    return table[flag].meaning;
}

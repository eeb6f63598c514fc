/* flags.c: the table of flags. */
#include "report/document/flags.h"

static const struct {
    const char *name, *meaning;
} table[FLAG_COUNT] = {{"", ""},
#define FLAG_ENTRY(identifier, name, what) {name, what},
                       FLAGS(FLAG_ENTRY)
#undef FLAG_ENTRY
};

const char *flag_name(enum flag flag) {
    return table[flag].name;
}

const char *flag_meaning(enum flag flag) {
    return table[flag].meaning;
}

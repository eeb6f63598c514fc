/* flags.c: the table of flags, both ways. */
#include "harness/flags.h"

#include <string.h>

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

enum flag flag_find(const char *name) {
    for (int flag = FLAG_NONE + 1; flag < FLAG_COUNT; flag++)
        if (strcmp(table[flag].name, name) == 0)
            return (enum flag)flag;
    return FLAG_NONE;
}

/* fuzz_roster.c: any bytes as a class list. */
#include "class/intake/roster.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct roster roster;
    char error[256] = "";
    if (roster_parse(&roster, (const char *)data, size, "fuzz.csv", error, sizeof error)) {
        for (size_t i = 0; i < roster.count && i < 8; i++)
            if (roster_find(&roster, false, roster.students[i].id, "", "") == NULL)
                abort(); /* a student who is not found */
        roster_find(&roster, false, "", "", "jane doe");
        roster_free(&roster);
    } else if (*error == '\0' || strchr(error, '\n') != NULL) {
        abort(); /* refused without saying why, in one line */
    }
    return 0;
}

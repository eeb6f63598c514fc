/* log_places.c: one pass, from left to right. */
#include "job/log_places.h"

#include <string.h>

void log_places(char *log) {
    static const char folder[] = "/submission/", file[] = "kernel.cu";
    char *to = log;
    for (const char *from = log; *from != '\0';) {
        if (strncmp(from, folder, sizeof folder - 1) == 0 &&
            strncmp(from + sizeof folder - 1, file, sizeof file - 1) == 0) {
            from += sizeof folder - 1;
            continue;
        }
        size_t length = strncmp(from, file, sizeof file - 1) == 0 ? sizeof file - 1 : 0;
        size_t digits = length > 0 && from[length] == '(' ? strspn(from + length + 1, "0123456789") : 0;
        if (digits > 0 && from[length + 1 + digits] == ')') {
            memmove(to, from, length);
            to += length;
            *to++ = ':';
            memmove(to, from + length + 1, digits);
            to += digits;
            from += length + digits + 2;
            continue;
        }
        *to++ = *from++;
    }
    *to = '\0';
}

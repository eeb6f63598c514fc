/* log_places.c: one pass, from left to right. */
#include "job/log_places.h"

#include <string.h>

/* The length of nvcc's name for a file between its steps, up to the student's own: tmpxft_00000003_00000000-6_kernel.ptx. 0: it is
 * none. */
static size_t between_steps(const char *text) {
    static const char begin[] = "tmpxft_", hexadecimal[] = "0123456789abcdef";
    size_t at = sizeof begin - 1;
    if (strncmp(text, begin, at) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        size_t digits = strspn(text + at, hexadecimal);
        if (digits == 0 || text[at + digits] != "_-"[i])
            return 0;
        at += digits + 1;
    }
    size_t digits = strspn(text + at, "0123456789");
    return digits > 0 && text[at + digits] == '_' ? at + digits + 1 : 0;
}

void log_places(char *log) {
    static const char folder[] = "/submission/", file[] = "kernel.cu";
    char *to = log;
    for (const char *from = log; *from != '\0';) {
        if (strncmp(from, folder, sizeof folder - 1) == 0 &&
            strncmp(from + sizeof folder - 1, file, sizeof file - 1) == 0) {
            from += sizeof folder - 1;
            continue;
        }
        size_t skipped = between_steps(from);
        if (skipped > 0) {
            from += skipped;
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

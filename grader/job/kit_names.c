/* kit_names.c: a table of folders, looked through from the longest to the shortest. */
#include "job/kit_names.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = sizeof((struct kit_names *)NULL)->list / sizeof *((struct kit_names *)NULL)->list,
    SHORTEST = 2
};

bool kit_names_add(struct kit_names *names, const char *real, const char *shown) {
    size_t length = strlen(real);
    if (length < SHORTEST)
        return true;
    if (names->count == MOST || length >= PATH_SIZE || strlen(shown) >= PATH_SIZE)
        return false;
    unsigned at = names->count++;
    for (; at > 0 && strlen(names->list[at - 1].real) < length; at--)
        names->list[at] = names->list[at - 1];
    path_print(names->list[at].real, "%s", real);
    path_print(names->list[at].shown, "%s", shown);
    return true;
}

bool kit_names_of(const struct kit_names *names, const char *real, char shown[PATH_SIZE]) {
    for (unsigned i = 0; i < names->count; i++) {
        size_t length = strlen(names->list[i].real);
        if (strncmp(real, names->list[i].real, length) == 0 && (real[length] == '/' || real[length] == '\0'))
            return path_print(shown, "%s%s", names->list[i].shown, real + length);
    }
    return path_print(shown, "%s", real);
}

bool kit_names_show(const struct kit_names *names, struct sandbox *sandbox, const char *real) {
    char shown[PATH_SIZE];
    if (sandbox->rung != SANDBOX_BUBBLEWRAP)
        return sandbox_show(sandbox, real, NULL);
    return kit_names_of(names, real, shown) && sandbox_show(sandbox, real, shown);
}

/* The name of the list that begins here; count: none. */
static unsigned name_at(const struct kit_names *names, const char *text) {
    unsigned i = 0;
    while (i < names->count && strncmp(text, names->list[i].real, strlen(names->list[i].real)) != 0)
        i++;
    return i;
}

char *kit_names_replace(const struct kit_names *names, const char *text) {
    size_t size = 1, found = 0;
    for (const char *from = text; *from != '\0';) {
        unsigned i = name_at(names, from);
        found += i < names->count;
        size += i < names->count ? strlen(names->list[i].shown) : 1;
        from += i < names->count ? strlen(names->list[i].real) : 1;
    }
    char *copy = found > 0 ? malloc(size) : NULL, *to = copy;
    for (const char *from = text; copy != NULL && *from != '\0';) {
        unsigned i = name_at(names, from);
        if (i < names->count) {
            to = stpcpy(to, names->list[i].shown);
            from += strlen(names->list[i].real);
        } else {
            *to++ = *from++;
        }
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}

/* ---- where a diagnosis points: one pass, from left to right */

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

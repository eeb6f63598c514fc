/* place.c: paths, part by part. */
#include "class/intake/place.h"

#include "class/intake/layout.h"

#include <stddef.h>
#include <string.h>

/* Parts of a path, one after the other: *at moves behind it. */
static bool next_part(const char **at, const char **part, size_t *length) {
    *part = *at;
    *length = strcspn(*at, "/");
    *at += *length + ((*at)[*length] == '/');
    return *length > 0;
}

static bool is_part(const char *part, size_t length, const char *name) {
    return strlen(name) == length && strncmp(part, name, length) == 0;
}

int place_rank(const char *path, bool *kit) {
    const char *at = path, *part;
    size_t length, above = 0;
    bool below_labs = false, aside = false;
    char lab[16];
    int depth_in_lab = -1;
    *kit = false;
    for (int depth = 0; next_part(&at, &part, &length); depth++) {
        bool of_lab = layout_lab(part, length, lab) && memchr(part, '-', length) != NULL;
        if (of_lab && above == 4 && strncmp(part - 5, "labs/", 5) == 0) {
            below_labs = true;
            depth_in_lab = depth;
        }
        aside =
            aside || (*at != '\0' && (is_part(part, length, "solutions") || is_part(part, length, "grader")));
        if (*at == '\0' && depth_in_lab >= 0 && depth == depth_in_lab + 1)
            *kit =
                length > 5 && strncmp(part, lab, strlen(lab)) == 0 && strcmp(part + strlen(lab), ".h") == 0;
        if (*at == '\0' && below_labs && !aside)
            return depth == depth_in_lab + 1 ? 2 : 1;
        above = length;
    }
    return aside ? 0 : 1;
}

bool place_is_systems(const char *path) {
    const char *at = path, *part = path;
    size_t length;
    while (next_part(&at, &part, &length))
        if (is_part(part, length, "__MACOSX") || is_part(part, length, ".git"))
            return true;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    return strcmp(name, ".DS_Store") == 0 || strncmp(name, "._", 2) == 0 || strcmp(name, "Thumbs.db") == 0 ||
           strcmp(name, "desktop.ini") == 0;
}

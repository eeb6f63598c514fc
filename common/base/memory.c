/* memory.c: /proc/meminfo, and the control groups that this process is in. */
#include "base/memory.h"
#include "base/path.h"

#include <stdio.h>
#include <string.h>

/* The number behind a name at the beginning of a line; UINT64_MAX: none. */
static uint64_t number_in(const char *path, const char *name) {
    char line[256];
    unsigned long long number;
    uint64_t found = UINT64_MAX;
    FILE *file = fopen(path, "re");
    while (file != NULL && found == UINT64_MAX && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0 && sscanf(line + strlen(name), " %llu", &number) == 1)
            found = number;
    if (file != NULL)
        fclose(file);
    return found;
}

/* Where the two versions have a group's files, and how these are called. */
static const struct version {
    const char *top, *limit, *used, *cache;
} versions[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "}};

/* What a group leaves: its limit less what it uses, but for files that can be read again. No limit: "max" or 2^63. */
static uint64_t group_room(const struct version *v, const char *group) {
    char path[PATH_SIZE];
    uint64_t limit = path_print(path, "%s%s/%s", v->top, group, v->limit) ? number_in(path, "") : UINT64_MAX,
             used = path_print(path, "%s%s/%s", v->top, group, v->used) ? number_in(path, "") : UINT64_MAX,
             cache = path_print(path, "%s%s/memory.stat", v->top, group) ? number_in(path, v->cache) : 0;
    if (limit >= (uint64_t)1 << 60 || used == UINT64_MAX)
        return UINT64_MAX;
    used -= cache < used ? cache : 0;
    return limit > used ? limit - used : 0;
}

/* The least that a group and those above it leave. In a container its own group is the top, whatever its name says. */
static uint64_t groups_room(const struct version *v, char *group) {
    uint64_t least = UINT64_MAX;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        uint64_t room = group_room(v, group);
        least = room < least ? room : least;
    }
    return least;
}

uint64_t memory_available(void) {
    char line[PATH_SIZE];
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable:"),
             least = kib < UINT64_MAX >> 10 ? kib << 10 : UINT64_MAX;
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups != NULL && fgets(line, sizeof line, groups) != NULL) {
        /* "0::/group" in version 2, "4:memory:/group" in version 1 */
        const struct version *v = strncmp(line, "0::", 3) == 0       ? &versions[0]
                                  : strstr(line, ":memory:") != NULL ? &versions[1]
                                                                     : NULL;
        if (v == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        uint64_t room = groups_room(v, strrchr(line, ':') + 1);
        least = room < least ? room : least;
    }
    if (groups != NULL)
        fclose(groups);
    return least;
}

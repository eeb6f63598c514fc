/* sandbox.c: the description as options and back. */
#include "job/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rung_names[SANDBOX_RUNGS] = {"none", "landlock", "bubblewrap"};
static const char *const role_names[SANDBOX_ROLES] = {"compile", "program", "device", "cuda"};

void sandbox_init(struct sandbox *s, enum sandbox_role role) {
    const char *bwrap = getenv("BWRAP");
    *s = (struct sandbox){.role = role, .rung = SANDBOX_BUBBLEWRAP, .file_mib = 1, .scratch_mib = 16};
    snprintf(s->bwrap, sizeof s->bwrap, "%s", bwrap != NULL ? bwrap : "");
    if (role == SANDBOX_COMPILE) {
        s->file_mib = 64;
        s->scratch_mib = 256;
    }
    if (role == SANDBOX_DEVICE)
        s->file_mib = 4096; /* memory shared with the program is a file to the kernel */
}

const char *sandbox_name(enum sandbox_rung rung) {
    return rung_names[rung];
}

bool sandbox_rung_named(const char *name, enum sandbox_rung *rung) {
    for (int i = 0; i < SANDBOX_RUNGS; i++)
        if (strcmp(name, rung_names[i]) == 0) {
            *rung = (enum sandbox_rung)i;
            return true;
        }
    return false;
}

bool sandbox_show(struct sandbox *s, const char *outside, const char *inside) {
    inside = inside != NULL ? inside : outside;
    if (s->shown_count == SANDBOX_PATHS || outside[0] != '/' || inside[0] != '/' ||
        !path_print(s->shown[s->shown_count].outside, "%s", outside) ||
        !path_print(s->shown[s->shown_count].inside, "%s", inside))
        return false;
    s->shown_count++;
    return true;
}

bool sandbox_inside(const struct sandbox *s, const char *outside, char inside[PATH_SIZE]) {
    size_t longest = 0;
    unsigned found = 0;
    for (unsigned i = 0; s->rung == SANDBOX_BUBBLEWRAP && i < s->shown_count; i++) {
        size_t length = strlen(s->shown[i].outside);
        if (length > longest && strncmp(outside, s->shown[i].outside, length) == 0 &&
            (outside[length] == '/' || outside[length] == '\0')) {
            longest = length;
            found = i;
        }
    }
    return path_print(inside, "%s%s", longest > 0 ? s->shown[found].inside : "", outside + longest);
}

/* ---- the description as options, and back */

static const struct {
    const char *option;
    size_t field;
} limits[] = {{"--memory-mib", offsetof(struct sandbox, memory_mib)},
              {"--cpu-seconds", offsetof(struct sandbox, cpu_seconds)},
              {"--file-mib", offsetof(struct sandbox, file_mib)},
              {"--scratch-mib", offsetof(struct sandbox, scratch_mib)},
              {"--landlock", offsetof(struct sandbox, landlock)}};
enum { LIMITS = sizeof limits / sizeof *limits };
static const struct {
    const char *option;
    size_t field;
} paths[] = {{"--hide", offsetof(struct sandbox, hidden)},
             {"--scratch", offsetof(struct sandbox, scratch)},
             {"--bwrap", offsetof(struct sandbox, bwrap)},
             {"--models", offsetof(struct sandbox, models)},
             {"--report", offsetof(struct sandbox, report)}};
enum { PATHS = sizeof paths / sizeof *paths };

void sandbox_wrapper(const struct sandbox *s, const char *launcher, struct sandbox_wrapper *w) {
    unsigned n = 0;
    snprintf(w->launcher, sizeof w->launcher, "%s", launcher);
    w->arguments[n++] = w->launcher;
    w->arguments[n++] = "--role";
    w->arguments[n++] = role_names[s->role];
    for (unsigned i = 0; i < LIMITS; i++) {
        snprintf(w->numbers[i], sizeof w->numbers[i], "%u",
                 *(const unsigned *)((const char *)s + limits[i].field));
        w->arguments[n++] = limits[i].option;
        w->arguments[n++] = w->numbers[i];
    }
    for (unsigned i = 0; i < s->shown_count; i++) {
        w->arguments[n++] = "--show";
        w->arguments[n++] = s->shown[i].outside;
        w->arguments[n++] = s->shown[i].inside;
    }
    for (unsigned i = 0; i < PATHS; i++) {
        const char *path = (const char *)s + paths[i].field;
        if (path[0] != '\0') {
            w->arguments[n++] = paths[i].option;
            w->arguments[n++] = path;
        }
    }
    w->arguments[n++] = "--rung";
    w->arguments[n++] = rung_names[s->rung];
    w->arguments[n++] = "--";
    w->arguments[n] = NULL;
    w->count = n;
}

static bool read_limit(struct sandbox *s, const char *name, const char *value) {
    for (unsigned i = 0; i < LIMITS; i++) {
        char *end;
        errno = 0;
        unsigned long number = strtoul(value, &end, 10);
        if (strcmp(name, limits[i].option) == 0 && *value >= '0' && *value <= '9' && *end == '\0' &&
            errno == 0 && number <= 1 << 20) {
            *(unsigned *)((char *)s + limits[i].field) = (unsigned)number;
            return true;
        }
    }
    return false;
}

static bool read_path(struct sandbox *s, const char *name, const char *value) {
    for (unsigned i = 0; i < PATHS; i++)
        if (strcmp(name, paths[i].option) == 0)
            return value[0] == '/' && path_print((char *)s + paths[i].field, "%s", value);
    return false;
}

static bool read_role(struct sandbox *s, const char *value) {
    for (int role = 0; role < SANDBOX_ROLES; role++)
        if (strcmp(value, role_names[role]) == 0) {
            enum sandbox_rung rung = s->rung;
            sandbox_init(s, (enum sandbox_role)role);
            s->rung = rung;
            return true;
        }
    return false;
}

/* One option; how many arguments it took, 0 when it is not right. */
static int read_option(struct sandbox *s, int count, char **arguments) {
    const char *name = arguments[0], *value = count > 1 ? arguments[1] : "";
    if (strcmp(name, "--role") == 0)
        return read_role(s, value) ? 2 : 0;
    if (strcmp(name, "--show") == 0)
        return count > 2 && sandbox_show(s, value, arguments[2]) ? 3 : 0;
    if (strcmp(name, "--rung") == 0)
        return sandbox_rung_named(value, &s->rung) ? 2 : 0;
    return read_path(s, name, value) || read_limit(s, name, value) ? 2 : 0;
}

int sandbox_parse(struct sandbox *s, int count, char **arguments, char *error, size_t size) {
    sandbox_init(s, SANDBOX_PROGRAM);
    int at = 1;
    while (at < count && strcmp(arguments[at], "--") != 0) {
        int used = read_option(s, count - at, arguments + at);
        if (used == 0) {
            snprintf(error, size, "cannot take the option '%s'", arguments[at]);
            return 0;
        }
        at += used;
    }
    if (at + 1 < count)
        return at + 1;
    snprintf(error, size, "no program is named: sandbox OPTIONS -- PROGRAM ARGUMENTS");
    return 0;
}

bool sandbox_reported(const char *report, char *line, size_t size) {
    FILE *file = fopen(report, "re");
    if (file == NULL)
        return false;
    if (fgets(line, (int)size, file) == NULL) /* a full disk */
        snprintf(line, size, "the sandbox's launcher could not start the program");
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return true;
}

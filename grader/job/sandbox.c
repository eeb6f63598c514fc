/* sandbox.c: the description as options and back. */
#include "job/sandbox.h"
#include "base/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_names[SANDBOX_ROLES] = {"compile", "program", "device", "cuda"};

void sandbox_init(struct sandbox *s, enum sandbox_role role) {
    const char *bwrap = getenv("BWRAP");
    *s = (struct sandbox){.role = role, .file_mib = 1, .scratch_mib = 16};
    snprintf(s->bwrap, sizeof s->bwrap, "%s", bwrap != NULL ? bwrap : "");
    if (role == SANDBOX_COMPILE) {
        s->file_mib = 64;
        s->scratch_mib = 256;
    }
    if (role == SANDBOX_DEVICE)
        s->file_mib = 4096; /* memory shared with the program is a file to the kernel */
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

/* ---- the description as options, and back */

static const struct {
    const char *option;
    size_t field;
} limits[] = {{"--memory-mib", offsetof(struct sandbox, memory_mib)},
              {"--cpu-seconds", offsetof(struct sandbox, cpu_seconds)},
              {"--file-mib", offsetof(struct sandbox, file_mib)},
              {"--scratch-mib", offsetof(struct sandbox, scratch_mib)}};
enum { LIMITS = sizeof limits / sizeof *limits };

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
    if (s->hidden[0] != '\0') {
        w->arguments[n++] = "--hide";
        w->arguments[n++] = s->hidden;
    }
    if (s->bwrap[0] != '\0') {
        w->arguments[n++] = "--bwrap";
        w->arguments[n++] = s->bwrap;
    }
    if (s->models[0] != '\0') {
        w->arguments[n++] = "--models";
        w->arguments[n++] = s->models;
    }
    if (s->report[0] != '\0') {
        w->arguments[n++] = "--report";
        w->arguments[n++] = s->report;
    }
    if (s->unsafe)
        w->arguments[n++] = "--unsafe";
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

static bool read_path(char path[PATH_SIZE], const char *value) {
    return value[0] == '/' && path_print(path, "%s", value);
}

static bool read_role(struct sandbox *s, const char *value) {
    for (int role = 0; role < SANDBOX_ROLES; role++)
        if (strcmp(value, role_names[role]) == 0) {
            sandbox_init(s, (enum sandbox_role)role);
            return true;
        }
    return false;
}

/* One option; how many arguments it took, 0 when it is not right. */
static int read_option(struct sandbox *s, int count, char **arguments) {
    const char *name = arguments[0], *value = count > 1 ? arguments[1] : "";
    if (strcmp(name, "--unsafe") == 0)
        return s->unsafe = true;
    if (strcmp(name, "--role") == 0)
        return read_role(s, value) ? 2 : 0;
    if (strcmp(name, "--show") == 0)
        return count > 2 && sandbox_show(s, value, arguments[2]) ? 3 : 0;
    if (strcmp(name, "--hide") == 0)
        return read_path(s->hidden, value) ? 2 : 0;
    if (strcmp(name, "--bwrap") == 0)
        return read_path(s->bwrap, value) ? 2 : 0;
    if (strcmp(name, "--models") == 0)
        return read_path(s->models, value) ? 2 : 0;
    if (strcmp(name, "--report") == 0)
        return read_path(s->report, value) ? 2 : 0;
    return read_limit(s, name, value) ? 2 : 0;
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

/* ---- does it work here? did it? */

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

bool sandbox_works(const char *launcher, char *error, size_t size) {
    struct sandbox sandbox;
    struct sandbox_wrapper wrapper = {.count = 0};
    char said[256];
    sandbox_init(&sandbox, SANDBOX_COMPILE);
    sandbox_wrapper(&sandbox, launcher, &wrapper);
    wrapper.arguments[wrapper.count++] = "/usr/bin/true";
    wrapper.arguments[wrapper.count] = NULL;
    int status = child_run(wrapper.arguments, said, sizeof said);
    said[strcspn(said, "\n")] = '\0';
    if (status != 0)
        snprintf(error, size, "%s", said[0] != '\0' ? said : "the sandbox's launcher does not start");
    return status == 0;
}

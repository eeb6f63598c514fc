/* sandbox_enter.c: what all rungs have in common: limits, environment, files under names of their own. */
#include "job/rung.h"

#include "base/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- limits */

static bool set_limit(int resource, uint64_t value) {
    struct rlimit now, wanted = {value, value};
    if (getrlimit(resource, &now) != 0)
        return false;
    if (now.rlim_max != RLIM_INFINITY && (rlim_t)value > now.rlim_max)
        wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
    return setrlimit(resource, &wanted) == 0;
}

/* What the judge allows itself (supervise.h) is not meant for what it starts. */
static bool lift_limit(int resource) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

static bool set_limits(const struct sandbox *s) {
    enum { OPEN_FILES = 256 };
    const uint64_t mib = (uint64_t)1 << 20;
    /* A program's address space also holds the simulated GPU's, reserved and never used; what it can write to
     * is what counts. */
    int memory = s->role == SANDBOX_COMPILE ? RLIMIT_AS : RLIMIT_DATA;
    bool limit_memory = s->memory_mib > 0 && (s->role == SANDBOX_COMPILE || s->role == SANDBOX_PROGRAM);
    return lift_limit(RLIMIT_DATA) && set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_NOFILE, OPEN_FILES) &&
           (s->cpu_seconds == 0 || set_limit(RLIMIT_CPU, s->cpu_seconds)) &&
           (s->file_mib == 0 || set_limit(RLIMIT_FSIZE, s->file_mib * mib)) &&
           (!limit_memory || set_limit(memory, s->memory_mib * mib));
}

/* A system that is short of memory ends these processes before others, such as the judge. Where that cannot be said (no /proc)
 * the system chooses as it likes. */
static void offer_memory(void) {
    FILE *adjustment = fopen("/proc/self/oom_score_adj", "we");
    if (adjustment == NULL)
        return;
    fputs("1000", adjustment); /* the most */
    fclose(adjustment);
}

/* ---- files and environment */

/* What is shown under a name below SANDBOX_FILES, as copies. (Lures are shown elsewhere, too: only bubblewrap has them.) */
static bool copy_files(const struct sandbox *s, const char *folder, char *error, size_t size) {
    enum { LARGEST = 64 << 20 };
    const size_t prefix = strlen(SANDBOX_FILES "/");
    if (!folder_make(folder, error, size))
        return false;
    for (unsigned i = 0; i < s->shown_count; i++) {
        const char *inside = s->shown[i].inside, *outside = s->shown[i].outside;
        char copy[PATH_SIZE], *bytes;
        struct stat status;
        size_t length;
        if (strncmp(inside, SANDBOX_FILES "/", prefix) != 0 || stat(outside, &status) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        if ((bytes = file_read(outside, LARGEST, &length, error, size)) == NULL)
            return false;
        bool right = path_join(copy, folder, inside + prefix) && file_write(copy, bytes, length, error, size);
        free(bytes);
        if (!right || chmod(copy, 0644) != 0)
            return false;
    }
    return true;
}

/* Is a folder of libraries there for the program: the system's, or one that is shown? */
static bool has_folder(const struct sandbox *s, const char *folder) {
    if (strncmp(folder, "/usr/", 5) == 0 || strncmp(folder, "/lib", 4) == 0)
        return true;
    for (unsigned i = 0; i < s->shown_count; i++) {
        size_t length = strlen(s->shown[i].outside);
        if (strncmp(folder, s->shown[i].outside, length) == 0 &&
            (folder[length] == '/' || folder[length] == '\0'))
            return true;
    }
    return false;
}

/* Of the folders where libraries are looked for, those that are there, by their names in there: the others only tell of
 * who grades, and where. */
static bool rename_libraries(const struct sandbox *s) {
    const char *folders = getenv("LD_LIBRARY_PATH");
    char *copy = folders != NULL ? strdup(folders) : NULL, *rest = copy, *folder;
    char *named = folders != NULL ? calloc(strlen(folders) / 2 + 1, PATH_SIZE) : NULL;
    bool right = folders == NULL || (copy != NULL && named != NULL);
    size_t length = 0;
    while (right && (folder = strsep(&rest, ":")) != NULL) {
        char inside[PATH_SIZE];
        if (!has_folder(s, folder) || !sandbox_inside(s, folder, inside))
            continue;
        length += (size_t)sprintf(named + length, "%s%s", length > 0 ? ":" : "", inside);
    }
    if (right && folders != NULL)
        right = (length > 0 ? setenv("LD_LIBRARY_PATH", named, 1) : unsetenv("LD_LIBRARY_PATH")) == 0;
    free(copy);
    free(named);
    return right;
}

/* What a program that is judged finds in its environment is the same on every machine. */
static bool prepare_program(const struct sandbox *s) {
    static const char *const others[] = {"TMPDIR", "CUDA_HOME", "LANG"};
    char models[PATH_SIZE];
    if (s->models[0] != '\0' &&
        (!sandbox_inside(s, s->models, models) || setenv("GPU_MODELS", models, 1) != 0))
        return false;
    if (s->rung == SANDBOX_NONE)
        return true;
    if (s->role == SANDBOX_CUDA) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            unsetenv(others[i]);
        if (setenv("PATH", "/usr/bin:/bin", 1) != 0 || setenv("HOME", "/", 1) != 0)
            return false;
    }
    return rename_libraries(s);
}

static bool prepare_environment(const struct sandbox *s, char *error, size_t size) {
    char files[PATH_SIZE] = SANDBOX_FILES;
    bool own = s->rung != SANDBOX_BUBBLEWRAP;
    const char *scratch = own && s->scratch[0] != '\0' ? s->scratch : "/tmp";
    if (s->role != SANDBOX_COMPILE) {
        if (prepare_program(s))
            return true;
        return fails(error, size, "its environment cannot be set up: %s", strerror(errno));
    }
    clearenv();
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("HOME", scratch, 1);
    setenv("TMPDIR", scratch, 1);
    setenv("LC_ALL", "C", 1);
    if (own && s->scratch[0] != '\0' &&
        (!path_print(files, "%s" SANDBOX_FILES, s->scratch) || !copy_files(s, files, error, size)))
        return false;
    return setenv("SUBMISSION", files, 1) == 0;
}

int rung_let_go(int kept, char *error, size_t size) {
    int place = dup2(kept, STDERR_FILENO + 1);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    if (place >= 0 && close_range((unsigned)place + 1, ~0U, 0) == 0)
        return place;
    snprintf(error, size, "descriptors cannot be closed: %s", strerror(errno));
    return -1;
}

static int become(char **program, char *error, size_t size) {
    execv(program[0], program);
    snprintf(error, size, "%s cannot be started: %s", program[0], strerror(errno));
    return SANDBOX_NOT_STARTED;
}

int sandbox_run(const struct sandbox *s, char **program, char *error, size_t size) {
    if (!prepare_environment(s, error, size))
        return SANDBOX_NOT_STARTED;
    if (!set_limits(s)) {
        snprintf(error, size, "its limits cannot be set: %s", strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    offer_memory();
    return s->rung == SANDBOX_BUBBLEWRAP ? rung_bubblewrap(s, program, error, size)
           : s->rung == SANDBOX_LANDLOCK ? rung_landlock(s, program, error, size)
                                         : become(program, error, size);
}

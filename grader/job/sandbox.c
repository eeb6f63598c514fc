/* sandbox.c: the description as options and back; limits; bwrap's command line. */
#include "job/sandbox.h"
#include "base/child.h"
#include "job/system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- bwrap */

struct arguments {
    const char *list[512];
    unsigned count;
};

static void add(struct arguments *a, const char *const *options) {
    for (unsigned i = 0; options[i] != NULL && a->count < sizeof a->list / sizeof *a->list - 1; i++)
        a->list[a->count++] = options[i];
    a->list[a->count] = NULL;
}
#define ADD(a, ...) add(a, (const char *const[]){__VA_ARGS__, NULL})

/* /lib and its like: a link into /usr on most systems, a folder of its own on others. */
static void add_system_folder(struct arguments *a, const char *path, char target[64]) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return;
    ssize_t length = S_ISLNK(status.st_mode) ? readlink(path, target, 63) : -1;
    if (length > 0) {
        target[length] = '\0';
        ADD(a, "--symlink", target, path);
    } else {
        ADD(a, "--ro-bind", path, path);
    }
}

static void add_if_there(struct arguments *a, const char *option, const char *path) {
    if (access(path, F_OK) == 0)
        ADD(a, option, path, path);
}

static void add_files(struct arguments *a, const struct sandbox *s, char targets[6][64]) {
    static const char *const libraries[] = {"/lib", "/lib64", "/lib32"}, *const programs[] = {"/bin",
                                                                                              "/sbin"};
    bool compile = s->role == SANDBOX_COMPILE;
    if (compile) {
        ADD(a, "--ro-bind", "/usr", "/usr");
        for (int i = 0; i < 2; i++)
            add_system_folder(a, programs[i], targets[3 + i]);
        add_if_there(a, "--ro-bind", "/etc/alternatives");
    } else {
        ADD(a, "--ro-bind", "/usr/lib", "/usr/lib");
        add_if_there(a, "--ro-bind", "/usr/lib64");
    }
    for (int i = 0; i < 3; i++)
        add_system_folder(a, libraries[i], targets[i]);
    add_if_there(a, "--ro-bind", "/etc/ld.so.cache");
    for (int i = 0; i < 3; i++) {
        static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};
        ADD(a, "--dev-bind", devices[i], devices[i]);
    }
}

/* What the CUDA driver opens. */
static void add_cuda(struct arguments *a) {
    static const char *const devices[] = {"/dev/nvidiactl",      "/dev/nvidia-uvm",  "/dev/nvidia-uvm-tools",
                                          "/dev/nvidia-modeset", "/dev/nvidia-caps", "/dev/nvidia0",
                                          "/dev/nvidia1",        "/dev/nvidia2",     "/dev/nvidia3",
                                          "/dev/nvidia4",        "/dev/nvidia5",     "/dev/nvidia6",
                                          "/dev/nvidia7"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        add_if_there(a, "--dev-bind", devices[i]);
    add_if_there(a, "--ro-bind", "/usr/local");
    ADD(a, "--proc", "/proc");
    add_if_there(a, "--ro-bind", "/proc/driver");
}

static const char *find_bwrap(const struct sandbox *s) {
    static const char *const places[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};
    if (s->bwrap[0] != '\0')
        return access(s->bwrap, X_OK) == 0 ? s->bwrap : NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

void sandbox_enter(const struct sandbox *s, char **program, char *error, size_t size) {
    struct arguments a = {.count = 0};
    char targets[6][64], scratch[32], filter_number[16];
    if (s->models[0] != '\0')
        setenv("GPU_MODELS", s->models, 1);
    if (s->role == SANDBOX_COMPILE) {
        clearenv();
        setenv("PATH", "/usr/bin:/bin", 1);
        setenv("HOME", "/tmp", 1);
        setenv("LC_ALL", "C", 1);
    }
    if (!set_limits(s)) {
        snprintf(error, size, "its limits cannot be set: %s", strerror(errno));
        return;
    }
    if (s->unsafe) {
        execv(program[0], program);
        snprintf(error, size, "%s cannot be started: %s", program[0], strerror(errno));
        return;
    }
    const char *bwrap = find_bwrap(s);
    if (bwrap == NULL) {
        snprintf(error, size, "bubblewrap (bwrap) is not there: install it");
        return;
    }
    int filter = system_calls_filter(s->role);
    if (filter < 0) {
        snprintf(error, size, "its system call filter cannot be written: %s", strerror(errno));
        return;
    }
    snprintf(filter_number, sizeof filter_number, "%d", filter);
    snprintf(scratch, sizeof scratch, "%llu", (unsigned long long)s->scratch_mib << 20);
    ADD(&a, bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
        "--unshare-cgroup-try", "--hostname", "lab", "--die-with-parent", "--new-session", "--cap-drop",
        "ALL");
    add_files(&a, s, targets);
    if (s->scratch_mib > 0)
        ADD(&a, "--size", scratch, "--tmpfs", "/tmp");
    if (strncmp(s->hidden, "/usr/", 5) == 0)
        ADD(&a, "--tmpfs", s->hidden);
    if (s->role == SANDBOX_CUDA)
        add_cuda(&a);
    for (unsigned i = 0; i < s->shown_count; i++)
        ADD(&a, "--ro-bind", s->shown[i].outside, s->shown[i].inside);
    if (strncmp(s->hidden, "/usr/", 5) == 0)
        ADD(&a, "--remount-ro", s->hidden);
    ADD(&a, "--remount-ro", "/", "--chdir", s->scratch_mib > 0 ? "/tmp" : "/", "--seccomp", filter_number,
        "--");
    for (unsigned i = 0; program[i] != NULL; i++)
        ADD(&a, program[i]);
    execv(bwrap, (char *const *)a.list);
    snprintf(error, size, "%s cannot be started: %s", bwrap, strerror(errno));
}

/* ---- does it work here? */

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

/* rung_bubblewrap.c: bwrap's command line, and what became of it. */
#include "job/rung.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* What bwrap became: its program's exit status. bwrap says on `status` that the program began, and ended; the program
 * does not have that descriptor. */
static int wait_for(pid_t bwrap, int status, char *error, size_t size) {
    char said[512];
    size_t length = 0;
    int ended = 0;
    for (ssize_t got; length < sizeof said - 1;) {
        got = read(status, said + length, sizeof said - 1 - length);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    said[length] = '\0';
    while (waitpid(bwrap, &ended, 0) < 0)
        if (errno != EINTR) {
            snprintf(error, size, "bubblewrap was lost: %s", strerror(errno));
            return SANDBOX_NOT_STARTED;
        }
    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (strstr(said, "\"exit-code\"") != NULL)
        return code;
    snprintf(error, size, "bubblewrap ended with status %d before the program began", code);
    return SANDBOX_NOT_STARTED;
}

/* bwrap as a child, so that somebody who is trusted sees how it ends; and ends with us, however we end. */
static int run_bwrap(const char *const *arguments, int status[2], char *error, size_t size) {
    pid_t parent = getpid(), bwrap = fork();
    if (bwrap == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
            execv(arguments[0], (char *const *)(uintptr_t)arguments);
        fprintf(stderr, "%s cannot be started: %s\n", arguments[0], strerror(errno));
        _exit(SANDBOX_NOT_STARTED);
    }
    if (bwrap < 0) {
        snprintf(error, size, "there can be no process for bubblewrap: %s", strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    int answer = rung_let_go(status[0], error, size);
    if (answer < 0) {
        kill(bwrap, SIGKILL);
        return SANDBOX_NOT_STARTED;
    }
    return wait_for(bwrap, answer, error, size);
}

/* The program and its arguments, by the names that they have inside. */
static bool add_program(struct arguments *a, const struct sandbox *s, char **program,
                        char names[][PATH_SIZE]) {
    for (unsigned i = 0; program[i] != NULL; i++) {
        bool is_path = program[i][0] == '/';
        if (is_path && !sandbox_inside(s, program[i], names[i]))
            return false;
        ADD(a, is_path ? names[i] : program[i]);
    }
    return true;
}

int rung_bubblewrap(const struct sandbox *s, char **program, char *error, size_t size) {
    struct arguments a = {.count = 0};
    unsigned count = 1;
    int status[2];
    char targets[6][64], scratch[32], filter_number[16], status_number[16];
    const char *bwrap = find_bwrap(s);
    if (bwrap == NULL) {
        snprintf(error, size, "bubblewrap (bwrap) is not there: install it");
        return SANDBOX_NOT_STARTED;
    }
    int filter = system_calls_filter(s->role);
    /* bwrap writes; what it becomes has neither end */
    if (filter < 0 || pipe2(status, O_CLOEXEC) != 0 || fcntl(status[1], F_SETFD, 0) != 0) {
        snprintf(error, size, "its system call filter cannot be written: %s", strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    snprintf(filter_number, sizeof filter_number, "%d", filter);
    snprintf(status_number, sizeof status_number, "%d", status[1]);
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
        "--json-status-fd", status_number, "--");
    while (program[count - 1] != NULL)
        count++;
    char(*names)[PATH_SIZE] = calloc(count, sizeof *names);
    int ended = SANDBOX_NOT_STARTED;
    if (names != NULL && add_program(&a, s, program, names))
        ended = run_bwrap(a.list, status, error, size);
    else
        snprintf(error, size, "the names of the program and its files are too long");
    free(names);
    return ended;
}

/* child.c: fork, file descriptors, exec, and the wait for the child's end. */
#include "base/child.h"
#include "base/clock.h"
#include "base/processor.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 256, DESCRIPTORS_MAX = 8 };

/* In the child: moves every descriptor to its place and closes all others. All descriptors first
 * move out of the way, so that none is overwritten. */
static bool place_descriptors(const struct child *c) {
    int from[CHILD_FIRST_DESCRIPTOR + DESCRIPTORS_MAX] = {c->input, c->output, c->errors};
    int count = CHILD_FIRST_DESCRIPTOR + (int)c->descriptor_count;
    if (c->descriptor_count > DESCRIPTORS_MAX) {
        errno = E2BIG;
        return false;
    }
    for (unsigned i = 0; i < c->descriptor_count; i++)
        from[CHILD_FIRST_DESCRIPTOR + i] = c->descriptors[i];
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < count; i++) {
        int source = from[i] == CHILD_NOTHING ? nothing : from[i] == CHILD_OURS ? i : from[i];
        if ((from[i] = fcntl(source, F_DUPFD, count)) < 0)
            return false;
    }
    for (int i = 0; i < count; i++)
        if (dup2(from[i], i) < 0)
            return false;
    if (syscall(SYS_close_range, (unsigned)count, ~0u, 0u) == 0)
        return true;
    for (long descriptor = count, most = sysconf(_SC_OPEN_MAX); descriptor < most; descriptor++)
        close((int)descriptor); /* a kernel before 5.9 */
    return true;
}

/* Appends a list that ends with NULL, and the NULL. False: there is no room. */
static bool append(char *arguments[ARGUMENTS_MAX], unsigned *count, const char *const *list) {
    for (; *list != NULL && *count < ARGUMENTS_MAX - 1; list++)
        arguments[(*count)++] = (char *)(uintptr_t)*list;
    arguments[*count] = NULL;
    errno = *list == NULL ? 0 : E2BIG;
    return *list == NULL;
}

/* In the child: lowers a resource's limit to `most`, or leaves a limit that is lower. */
static bool bound(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_cur = limit.rlim_cur < most ? limit.rlim_cur : most;
    limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
    return setrlimit(resource, &limit) == 0;
}

static bool set_bounds(const struct child *c) {
    return (c->memory_bytes == 0 || bound(RLIMIT_AS, c->memory_bytes)) &&
           (c->file_bytes == 0 || bound(RLIMIT_FSIZE, c->file_bytes)) &&
           ((c->memory_bytes == 0 && c->file_bytes == 0) || bound(RLIMIT_CORE, 0));
}

static void become(const struct child *c, pid_t parent) {
    char *arguments[ARGUMENTS_MAX] = {NULL};
    unsigned count = 0;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!c->same_group)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent ended before prctl */
        _exit(CHILD_NOT_STARTED);
    if (place_descriptors(c) && set_bounds(c) &&
        (c->wrapper == NULL || append(arguments, &count, c->wrapper)) &&
        append(arguments, &count, c->arguments)) {
        if (c->environment != NULL)
            execvpe(arguments[0], arguments, (char *const *)(uintptr_t)c->environment);
        else
            execvp(arguments[0], arguments);
    }
    dprintf(STDERR_FILENO, "%s cannot be started: %s\n", c->wrapper != NULL ? c->wrapper[0] : c->arguments[0],
            strerror(errno));
    _exit(CHILD_NOT_STARTED);
}

pid_t child_start(const struct child *child) {
    pid_t parent = getpid(), process = fork();
    if (process == 0)
        become(child, parent);
    if (process > 0 && !child->same_group)
        setpgid(process, process); /* both processes call setpgid, so the group exists when this returns */
    return process;
}

/* Calls pidfd_open directly: glibc has a wrapper only from 2.36 on. */
int child_end(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0u);
}

/* Whether the child has ended. The child stays a zombie, so that the numbers of its process and
 * group are not reused yet. Waits for the end unless `now`. -1: not a child of this process. */
static int has_ended(pid_t process, bool now) {
    siginfo_t info;
    for (;;) {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT | (now ? WNOHANG : 0)) == 0)
            return info.si_pid == process;
        if (errno != EINTR)
            return -1;
    }
}

int child_wait(pid_t process, double seconds) {
    double until = clock_seconds() + seconds, left = seconds;
    int status = 0, ended = -1;
    bool late = false;
    if (process <= 0) /* such numbers name groups, ours among them */
        return CHILD_NOT_STARTED;
    struct pollfd end = {.fd = child_end(process), .events = POLLIN};
    while ((ended = has_ended(process, !isinf(seconds) && !late)) == 0) {
        late = (left = until - clock_seconds()) < 0;
        if (late) {
            kill(-process, SIGKILL);
            kill(process, SIGKILL);
        } else { /* a kernel before 5.3 has no such descriptor: look again in 2 ms */
            poll(&end, 1, end.fd < 0 ? 2 : left < 60 ? (int)(left * 1000) + 1 : 60000);
        }
    }
    if (end.fd >= 0)
        close(end.fd);
    if (ended < 0)
        return CHILD_NOT_STARTED;
    kill(-process, SIGKILL); /* the processes that it started */
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (late)
        return CHILD_TIMEOUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_SIGNAL + WTERMSIG(status);
}

int child_wait_fair(pid_t process, double seconds) {
    struct patience patience;
    struct pollfd end = {.fd = process > 0 ? child_end(process) : -1, .events = POLLIN};
    patience_begin(&patience, seconds);
    while (process > 0 && has_ended(process, true) == 0 &&
           patience_look(&patience, &process, 1) == PATIENCE_LASTS)
        poll(&end, 1, end.fd < 0 ? 2 : patience_ms(&patience));
    if (end.fd >= 0)
        close(end.fd);
    return child_wait(process, 0);
}

/* Reads text from a pipe until every writer is gone, or until the process has ended and the pipe is
 * empty. So background processes of the child hold nobody up. */
static void read_output(int from, pid_t process, char *output, size_t size) {
    enum { LOOK_AGAIN_MS = 20 };
    char rest[1024] = "";
    size_t used = 0;
    struct pollfd ready = {.fd = from, .events = POLLIN};
    double look = clock_seconds() + 1e-3 * LOOK_AGAIN_MS;
    for (bool ended = false, more = true; more;) {
        int events = poll(&ready, 1, ended ? 0 : LOOK_AGAIN_MS);
        if (events <= 0 || clock_seconds() > look) {
            more = !ended && (events >= 0 || errno == EINTR);
            if (!ended && has_ended(process, true) != 0) {
                ended = true;
                kill(-process, SIGKILL); /* a background process would write on for ever */
            }
            look = clock_seconds() + 1e-3 * LOOK_AGAIN_MS;
            if (events <= 0 || !more)
                continue;
        }
        bool room = output != NULL && used + 1 < size;
        ssize_t got = read(from, room ? output + used : rest, room ? size - 1 - used : sizeof rest);
        more = got > 0 || (got < 0 && errno == EINTR);
        used += room && got > 0 ? (size_t)got : 0;
    }
    if (output != NULL)
        output[used] = '\0';
}

int child_run(const char *const *arguments, char *output, size_t size) {
    int ends[2];
    if (output != NULL)
        output[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0) {
        if (output != NULL)
            snprintf(output, size, "%s", strerror(errno));
        return CHILD_NOT_STARTED;
    }
    struct child child = {
        .arguments = arguments, .input = CHILD_NOTHING, .output = ends[1], .errors = ends[1]};
    pid_t process = child_start(&child);
    if (process < 0 && output != NULL)
        snprintf(output, size, "%s", strerror(errno));
    close(ends[1]);
    if (process > 0)
        read_output(ends[0], process, output, size);
    close(ends[0]);
    return child_wait(process, INFINITY);
}

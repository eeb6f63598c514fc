/* child.c: fork, descriptors in their places, exec; and the wait for its end. */
#include "base/child.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 256, DESCRIPTORS_MAX = 8 };

/* In the child: every descriptor to its place, all others closed. First all of them out of the way, so that none is
 * overwritten before it is moved. */
static bool place_descriptors(const struct child *c) {
    int from[CHILD_FIRST_DESCRIPTOR + DESCRIPTORS_MAX] = {c->input, c->output, c->errors};
    int count = CHILD_FIRST_DESCRIPTOR + (int)c->descriptor_count;
    if (c->descriptor_count > DESCRIPTORS_MAX)
        return false;
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

static void become(const struct child *c, pid_t parent) {
    char *arguments[ARGUMENTS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; c->wrapper != NULL && c->wrapper[i] != NULL && count < ARGUMENTS_MAX / 2; i++)
        arguments[count++] = (char *)(uintptr_t)c->wrapper[i];
    for (unsigned i = 0; c->arguments[i] != NULL && count < ARGUMENTS_MAX - 1; i++)
        arguments[count++] = (char *)(uintptr_t)c->arguments[i];
    arguments[count] = NULL;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before the line above */
        _exit(CHILD_NOT_STARTED);
    if (place_descriptors(c)) {
        if (c->environment != NULL)
            execvpe(arguments[0], arguments, (char *const *)(uintptr_t)c->environment);
        else
            execvp(arguments[0], arguments);
    }
    dprintf(STDERR_FILENO, "%s cannot be started: %s\n", arguments[0], strerror(errno));
    _exit(CHILD_NOT_STARTED);
}

pid_t child_start(const struct child *child) {
    pid_t parent = getpid(), process = fork();
    if (process == 0)
        become(child, parent);
    if (process > 0)
        setpgid(process, process); /* whoever comes first: the group is there when this returns */
    return process;
}

int child_wait(pid_t process, double seconds) {
    double until = clock_seconds() + seconds;
    int status = 0;
    bool late = false;
    for (pid_t ended = 0; ended != process;) {
        ended = waitpid(process, &status, isinf(seconds) || late ? 0 : WNOHANG);
        if (ended < 0 && errno != EINTR)
            return CHILD_NOT_STARTED;
        if (ended == 0 && clock_seconds() > until) {
            late = true;
            kill(-process, SIGKILL);
            kill(process, SIGKILL);
        } else if (ended == 0) {
            struct timespec pause = {0, 2000000};
            nanosleep(&pause, NULL);
        }
    }
    kill(-process, SIGKILL);
    if (late)
        return CHILD_TIMEOUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_SIGNAL + WTERMSIG(status);
}

int child_run(const char *const *arguments, char *output, size_t size) {
    int ends[2];
    char rest[1024];
    size_t used = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        if (output != NULL)
            snprintf(output, size, "%s", strerror(errno));
        return CHILD_NOT_STARTED;
    }
    struct child child = {
        .arguments = arguments, .input = CHILD_NOTHING, .output = ends[1], .errors = ends[1]};
    pid_t process = child_start(&child);
    close(ends[1]);
    for (ssize_t got = 1; process > 0 && got != 0;) {
        bool room = output != NULL && used + 1 < size;
        got = read(ends[0], room ? output + used : rest, room ? size - 1 - used : sizeof rest);
        if (got < 0 && errno != EINTR)
            break;
        used += room && got > 0 ? (size_t)got : 0;
    }
    if (output != NULL)
        output[used] = '\0';
    close(ends[0]);
    return process > 0 ? child_wait(process, INFINITY) : CHILD_NOT_STARTED;
}

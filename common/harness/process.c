#include "harness/process.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 256, DESCRIPTORS_MAX = 8 };

/* In the child: the descriptors to their places, everything above them closed. First all of them out of the
 * way, so that none is overwritten before it is moved. */
static bool place_descriptors(const struct process *p) {
    int moved[DESCRIPTORS_MAX], last = PROCESS_FIRST_DESCRIPTOR + (int)p->descriptor_count;
    if (p->descriptor_count > DESCRIPTORS_MAX)
        return false;
    for (unsigned i = 0; i < p->descriptor_count; i++)
        if ((moved[i] = fcntl(p->descriptors[i], F_DUPFD, PROCESS_FIRST_DESCRIPTOR + DESCRIPTORS_MAX)) < 0)
            return false;
    for (unsigned i = 0; i < p->descriptor_count; i++)
        if (dup2(moved[i], PROCESS_FIRST_DESCRIPTOR + (int)i) < 0)
            return false;
    if (syscall(SYS_close_range, (unsigned)last, ~0u, 0u) == 0)
        return true;
    for (long descriptor = last, most = sysconf(_SC_OPEN_MAX); descriptor < most; descriptor++)
        close((int)descriptor); /* a kernel before 5.9 */
    return true;
}

static void become(const struct process *p, pid_t parent) {
    const char *arguments[ARGUMENTS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; p->wrapper != NULL && p->wrapper[i] != NULL && count < ARGUMENTS_MAX / 2; i++)
        arguments[count++] = p->wrapper[i];
    for (unsigned i = 0; p->arguments[i] != NULL && count < ARGUMENTS_MAX - 1; i++)
        arguments[count++] = p->arguments[i];
    arguments[count] = NULL;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a judge that is killed leaves nothing behind */
    if (getppid() != parent)
        _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(p->output, STDOUT_FILENO);
    dup2(p->output, STDERR_FILENO);
    if (place_descriptors(p))
        execve(arguments[0], (char *const *)(uintptr_t)arguments, (char *const *)(uintptr_t)p->environment);
    dprintf(STDERR_FILENO, "%s cannot be started: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

pid_t process_start(const struct process *process) {
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(process, parent);
    return child;
}

void process_end(pid_t *process, double patience) {
    if (*process <= 0)
        return;
    double until = clock_seconds() + patience;
    int status;
    while (waitpid(*process, &status, WNOHANG) == 0) {
        if (clock_seconds() > until) {
            kill(-*process, SIGKILL);
            kill(*process, SIGKILL);
            while (waitpid(*process, &status, 0) < 0 && errno == EINTR)
                ;
            break;
        }
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
    kill(-*process, SIGKILL); /* what it started itself */
    *process = 0;
}

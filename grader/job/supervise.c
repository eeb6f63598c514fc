/* supervise.c: fork, wait, and know whose turn it was. */
#include "job/supervise.h"
#include "base/child.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct turn {
    double seconds; /* of processor time; 0: none */
    double wall_seconds;
    uint64_t bytes;
};

/* Only the soft limit, which a sandbox's launcher raises again for what it starts. */
static void limit_memory(uint64_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = bytes != 0 && bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

bool supervise_turn(int supervisor, double seconds, double wall_seconds, uint64_t bytes) {
    struct turn turn = {.seconds = seconds, .wall_seconds = wall_seconds, .bytes = bytes};
    if (write(supervisor, &turn, sizeof turn) != (ssize_t)sizeof turn) /* less than a pipe takes whole */
        return false;
    limit_memory(seconds > 0 ? bytes : 0);
    return true;
}

/* Without memory of its own: it is asked where there may be none left. */
uint64_t supervise_own_bytes(void) {
    char text[4096];
    unsigned long long kib = 0;
    int descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
    if (descriptor >= 0)
        close(descriptor);
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "\nVmData:");
    if (line != NULL && sscanf(line, " VmData: %llu", &kib) != 1)
        kib = 0;
    return (uint64_t)kib << 10;
}

/* Processor time of another process, seconds; 0 where it has ended. */
static double processor_of(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum waited { ENDED, COMPUTED_TOO_LONG, WAITED_TOO_LONG };

/* Wait for its end or the end of its turn, whatever comes first. */
static enum waited wait_for(pid_t worker, int ending, int turns, struct turn *turn) {
    enum { LOOK_EVERY_MS = 100 };
    double deadline = INFINITY, before = 0;
    struct pollfd waited[] = {{.fd = ending, .events = POLLIN}, {.fd = turns, .events = POLLIN}};
    for (;;) {
        struct turn next;
        if (turn->seconds > 0 && processor_of(worker) - before >= turn->seconds)
            return COMPUTED_TOO_LONG;
        if (clock_seconds() >= deadline)
            return WAITED_TOO_LONG;
        int ready = poll(waited, 2, turn->seconds > 0 ? LOOK_EVERY_MS : -1);
        if (ready > 0 && waited[1].revents != 0) {
            bool there = read(turns, &next, sizeof next) == (ssize_t)sizeof next;
            waited[1].fd = there ? turns : -1;
            if (there) {
                *turn = next;
                before = processor_of(worker);
                deadline = next.seconds > 0 ? clock_seconds() + next.wall_seconds : INFINITY;
            }
        } else if (ready > 0) {
            return ENDED;
        }
    }
}

/* In the new process. */
static _Noreturn void begin(supervise_work *work, void *context, pid_t supervisor, int turns) {
    bool right = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == supervisor;
    exit(right ? work(context, turns) : EXIT_FAILURE);
}

/* How a process ended that was in its turn, or not. */
static enum supervise_end judge_end(int end, const struct rusage *use, const struct turn *turn,
                                    enum waited waited, int *status, char *why, size_t size) {
    bool limited = turn->seconds > 0 && turn->bytes > 0;
    if (waited == COMPUTED_TOO_LONG) {
        snprintf(why, size, "the judge did not end within %.0f s of processor time", turn->seconds);
        return SUPERVISE_TOO_MUCH;
    }
    if (waited == WAITED_TOO_LONG) {
        snprintf(why, size, "the machine was too busy: the judge did not end within %.0f s",
                 turn->wall_seconds);
        return SUPERVISE_TROUBLE;
    }
    if (WIFEXITED(end)) {
        *status = WEXITSTATUS(end);
        return SUPERVISE_ENDED;
    }
    /* Whoever ends it where memory is short: a library, or the system. */
    if (limited && (uint64_t)use->ru_maxrss << 10 >= turn->bytes / 2) {
        snprintf(why, size, "the judge used more than %llu MiB", (unsigned long long)(turn->bytes >> 21));
        return SUPERVISE_TOO_MUCH;
    }
    snprintf(why, size, "the judge was ended by signal %d (%s)", WTERMSIG(end), strsignal(WTERMSIG(end)));
    return SUPERVISE_TROUBLE;
}

enum supervise_end supervise(supervise_work *work, void *context, int *status, char *why, size_t size) {
    int turns[2], end = 0;
    struct turn turn = {0};
    struct rusage use = {0};
    *status = EXIT_FAILURE;
    if (pipe2(turns, O_CLOEXEC) != 0) {
        snprintf(why, size, "no pipe: %s", strerror(errno));
        return SUPERVISE_TROUBLE;
    }
    fflush(NULL); /* what waits to be written is written once */
    pid_t self = getpid(), worker = fork();
    if (worker == 0) {
        close(turns[0]);
        begin(work, context, self, turns[1]);
    }
    close(turns[1]);
    int ending = worker > 0 ? child_end(worker) : -1;
    enum waited waited = ending >= 0 ? wait_for(worker, ending, turns[0], &turn) : ENDED;
    if ((ending < 0 || waited != ENDED) && worker > 0)
        kill(worker, SIGKILL);
    while (worker > 0 && wait4(worker, &end, 0, &use) < 0 && errno == EINTR)
        continue;
    close(turns[0]);
    if (ending < 0) {
        snprintf(why, size, "no process can be started: %s", strerror(errno));
        return SUPERVISE_TROUBLE;
    }
    close(ending);
    return judge_end(end, &use, &turn, waited, status, why, size);
}

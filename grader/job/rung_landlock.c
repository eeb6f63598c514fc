/*
 * rung_landlock.c: the sandbox where there can be no name spaces. Three processes: the launcher, which tells what became of
 * the program; a guard, in a session of its own, to whom every process falls whose parent ends, and who ends them all when
 * the program has ended or the launcher is gone; and the program, which gives up what it is step by step, and then becomes it.
 */
#include "job/rung.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 256 };

/* ---- the program */

/* Threads of this user's: the system counts them all together. */
static rlim_t count_threads(void) {
    rlim_t count = 0;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
        char path[300];
        struct stat status;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (stat(path, &status) == 0 && status.st_uid == getuid())
            count += status.st_nlink > 2 ? status.st_nlink - 2 : 1; /* a folder for each */
    }
    if (processes != NULL)
        closedir(processes);
    return count;
}

static bool limit_processes(bool alone) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0)
        return false;
    rlim_t most = PROCESSES + (alone ? 0 : count_threads());
    limit.rlim_cur = limit.rlim_max = most < limit.rlim_max ? most : limit.rlim_max;
    return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* Say so in the pipe that closes by itself when the program begins. */
static _Noreturn void fail(int say, const char *what) {
    dprintf(say, "%s: %s", what, strerror(errno));
    _exit(SANDBOX_NOT_STARTED);
}

static _Noreturn void become(const struct sandbox *s, uid_t user, char **program, int say) {
    sigset_t none;
    pid_t guard = getppid();
    char why[256] = "";
    int files = landlock_files(s, why, sizeof why); /* opened while we still may */
    if (files < 0) {
        dprintf(say, "%s", why);
        _exit(SANDBOX_NOT_STARTED);
    }
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0 || chdir(s->scratch[0] != '\0' ? s->scratch : "/") != 0)
        fail(say, "its folder");
    if (!limit_processes(user != geteuid()))
        fail(say, "its limit of processes");
    if (!other_user_become(user))
        fail(say, "another user");
    /* A change of user takes back what was asked for before. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != guard ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        fail(say, "its parent and its privileges");
    if (!landlock_enter(files))
        fail(say, "Landlock");
    close(files);
    if (!system_calls_forbid(s->role))
        fail(say, "its system call filter");
    execv(program[0], program);
    fail(say, program[0]);
}

/* ---- the guard */

/* Everybody below: who has lost a parent is a child of ours. */
static void end_all(void) {
    int status;
    for (;;) {
        FILE *children = fopen("/proc/thread-self/children", "re");
        int child;
        while (children != NULL && fscanf(children, "%d", &child) == 1)
            kill(child, SIGKILL);
        if (children != NULL)
            fclose(children);
        if (waitpid(-1, &status, 0) < 0 && errno != EINTR)
            return;
    }
}

/* Wait for the program's end, or the launcher's (SIGTERM); then end the others. */
static _Noreturn void keep_guard(pid_t program, const sigset_t *signals) {
    int status = 0;
    for (bool ended = false; !ended;) {
        siginfo_t what;
        if (sigwaitinfo(signals, &what) == SIGTERM)
            break;
        for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0 && !ended;)
            ended = child == program;
    }
    end_all();
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static _Noreturn void guard(const struct sandbox *s, pid_t launcher, uid_t user, char **program, int say) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    if (setsid() < 0 || sigprocmask(SIG_BLOCK, &signals, NULL) != 0 ||
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 ||
        getppid() != launcher)
        fail(say, "its guard");
    pid_t process = fork();
    if (process == 0)
        become(s, user, program, say);
    if (process < 0)
        fail(say, "its process");
    if (close_range(0, ~0U, 0) != 0) /* what the program has been given is its own alone */
        abort();
    keep_guard(process, &signals);
}

/* ---- the launcher */

static int wait_for(pid_t process, int said, char *error, size_t size) {
    size_t length = 0;
    int status = 0;
    for (ssize_t got; length < size - 1;) {
        got = read(said, error + length, size - 1 - length);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    error[length] = '\0';
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            break;
    if (length > 0)
        return SANDBOX_NOT_STARTED;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    snprintf(error, size, "the sandbox's guard was ended by signal %d", WTERMSIG(status));
    return SANDBOX_NOT_STARTED;
}

int rung_landlock(const struct sandbox *s, char **program, char *error, size_t size) {
    int said[2];
    pid_t launcher = getpid();
    if (s->role == SANDBOX_CUDA) { /* seen on an H200: "OS call failed", which is nobody's fault */
        snprintf(
            error, size,
            "the driver of a real GPU does not start in the second sandbox: judge on the simulated GPU, or where "
            "bubblewrap works");
        return SANDBOX_NOT_STARTED;
    }
    uid_t user = other_user_pick();
    if (user != geteuid() && s->scratch[0] != '\0' && chown(s->scratch, user, user) != 0) {
        snprintf(error, size, "%.300s cannot be given away: %s", s->scratch, strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    if (pipe2(said, O_CLOEXEC) != 0) {
        snprintf(error, size, "no pipe: %s", strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    pid_t process = fork();
    if (process == 0)
        guard(s, launcher, user, program, said[1]);
    if (process < 0) {
        snprintf(error, size, "there can be no process: %s", strerror(errno));
        return SANDBOX_NOT_STARTED;
    }
    int answer = rung_let_go(said[0], error, size);
    if (answer < 0) {
        kill(process, SIGTERM);
        return SANDBOX_NOT_STARTED;
    }
    return wait_for(process, answer, error, size);
}

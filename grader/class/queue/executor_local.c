/* N grade-jobs at a time on this machine, then those that are to run alone, one by one. Each leads a process group and dies with the grader. */
#include "base/child.h"
#include "base/file.h"
#include "base/processor.h"
#include "class/queue/executor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct slot {
    pid_t process;            /* 0: free */
    struct patience patience; /* when it is over, the process is taken to hang */
    bool hung;
    struct queue_job job;
};

struct local {
    const struct executor *executor;
    struct slot *slots;
    sigset_t waited, before; /* the signals this loop sleeps for; the mask before it */
    bool empty;              /* nothing is queued that may run beside others */
    bool alone;              /* what runs is to run alone */
    bool ended;              /* and nothing else is queued, either */
    struct queue_counts counts;
};

static bool start(struct local *local, struct slot *slot) {
    struct gradebook *book = local->executor->book;
    struct executor_command command;
    char folder[PATH_SIZE], path[PATH_SIZE];
    if (!queue_job_folder(book, &slot->job, folder) ||
        !folder_make(folder, book->error, sizeof book->error) ||
        !executor_command(&command, local->executor, &slot->job))
        return false;
    path_join(path, folder, "log");
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    struct child child = {.arguments = (const char *const *)command.arguments, .input = CHILD_NOTHING};
    child.output = child.errors = log >= 0 ? log : CHILD_NOTHING;
    slot->process = child_start(&child);
    executor_command_free(&command);
    if (log >= 0)
        close(log);
    if (slot->process < 0) {
        slot->process = 0;
        return fails(book->error, sizeof book->error, "cannot start a process: %s", strerror(errno));
    }
    slot->hung = false;
    patience_begin(&slot->patience, executor_patience(&slot->job));
    return true;
}

static bool is_busy(const struct local *local) {
    for (unsigned i = 0; i < local->executor->jobs; i++)
        if (local->slots[i].process != 0)
            return true;
    return false;
}

static bool claim(struct local *local, struct slot *slot, bool alone, bool *found) {
    return queue_claim(local->executor->book, alone, &slot->job, found) && (!*found || start(local, slot));
}

static bool fill(struct local *local) {
    bool found = false;
    for (unsigned i = 0; i < local->executor->jobs && !local->empty && !local->alone; i++) {
        if (local->slots[i].process != 0)
            continue;
        if (!claim(local, &local->slots[i], false, &found))
            return false;
        local->empty = !found;
    }
    if (!local->empty || is_busy(local))
        return true;
    if (!claim(local, &local->slots[0], true, &found))
        return false;
    local->alone = found;
    local->ended = !found;
    return true;
}

static void describe(const struct slot *slot, int status, char *reason, size_t size) {
    if (slot->hung)
        snprintf(reason, size, "grade-job did not end within %.0f s", executor_patience(&slot->job));
    else if (WIFSIGNALED(status))
        snprintf(reason, size, "grade-job was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(reason, size, "grade-job ended with status %d and no result", WEXITSTATUS(status));
}

/* Take in whatever has ended. */
static bool reap(struct local *local, bool *any) {
    *any = false;
    for (unsigned i = 0; i < local->executor->jobs; i++) {
        struct slot *slot = &local->slots[i];
        int status;
        char reason[160];
        if (slot->process == 0)
            continue;
        if (!slot->hung && patience_look(&slot->patience, &slot->process, 1) != PATIENCE_LASTS) {
            slot->hung = true;
            kill(-slot->process, SIGKILL);
        }
        if (waitpid(slot->process, &status, WNOHANG) != slot->process)
            continue;
        describe(slot, status, reason, sizeof reason);
        slot->process = 0;
        *any = true;
        local->empty = local->alone = false; /* it may be queued again */
        if (!queue_finish(local->executor->book, &slot->job, reason))
            return false;
    }
    return true;
}

static bool show(struct local *local) {
    if (!progress_line_due(local->executor->progress))
        return true;
    if (!queue_count(local->executor->book, &local->counts))
        return false;
    progress_line_show(local->executor->progress, &local->counts);
    return true;
}

static enum executor_end work(struct local *local) {
    for (;;) {
        bool any;
        if (!fill(local) || !reap(local, &any) || !show(local))
            return EXECUTOR_FAILED;
        if (local->ended)
            return EXECUTOR_DONE;
        if (any)
            continue;
        struct timespec nap = {.tv_nsec = 100000000};
        int signal = sigtimedwait(&local->waited, NULL, &nap);
        if (signal == SIGINT || signal == SIGTERM)
            return EXECUTOR_INTERRUPTED;
    }
}

/* End what runs, as if it had never been claimed. */
static void abandon(struct local *local) {
    for (unsigned i = 0; i < local->executor->jobs; i++) {
        struct slot *slot = &local->slots[i];
        if (slot->process == 0)
            continue;
        kill(-slot->process, SIGKILL);
        waitpid(slot->process, NULL, 0);
        char error[TEXT_ERROR];
        snprintf(error, sizeof error, "%s", local->executor->book->error);
        queue_release(local->executor->book, &slot->job);
        snprintf(local->executor->book->error, sizeof error, "%s", error);
    }
}

enum executor_end executor_local(const struct executor *executor) {
    struct local local = {.executor = executor, .slots = calloc(executor->jobs, sizeof *local.slots)};
    if (local.slots == NULL) {
        snprintf(executor->book->error, sizeof executor->book->error, "out of memory");
        return EXECUTOR_FAILED;
    }
    sigemptyset(&local.waited);
    sigaddset(&local.waited, SIGCHLD);
    sigaddset(&local.waited, SIGINT);
    sigaddset(&local.waited, SIGTERM);
    sigprocmask(SIG_BLOCK, &local.waited, &local.before);
    enum executor_end end = work(&local);
    abandon(&local);
    sigprocmask(SIG_SETMASK, &local.before, NULL);
    free(local.slots);
    return end;
}

/* watch.c: a thread that looks, and kills. */
#include "base/clock.h"
#include "base/path.h"
#include "job/supervise.h"
#include "job/watch_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct watch {
    struct watch_limits limits;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t stopping;
    bool stop;
    double ended_before; /* processor time of what this process had waited for when the watch began */
    pid_t watcher;       /* the thread that looks */
    uint64_t kills;      /* memory_kills, then */
    struct watch_history history;
    enum watch_verdict verdict;
    struct processes *tree; /* the watcher's; there before it begins, for later there may be no memory */
};

static void add_memory(struct watch_look *look, pid_t process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "re");
    unsigned long long kib;
    unsigned threads;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "RssAnon: %llu", &kib) == 1 || sscanf(line, "RssShmem: %llu", &kib) == 1)
            look->bytes += kib << 10;
        else if (sscanf(line, "Threads: %u", &threads) == 1)
            look->threads += threads;
    }
    if (status != NULL)
        fclose(status);
}

/* The state of a process, its processor time and that of those that it has waited for. The state is the first behind the name,
 * which stands in the last parentheses; times are the 12th to 15th (proc_pid_stat(5)). */
static void add_processor(struct watch_look *look, pid_t process) {
    char path[64], line[1024], state;
    unsigned long long user, system;
    long long waited_user, waited_system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *stat = fopen(path, "re");
    if (stat == NULL)
        return;
    size_t length = fread(line, 1, sizeof line - 1, stat);
    fclose(stat);
    line[length] = '\0';
    const char *end = strrchr(line, ')');
    if (end == NULL || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld",
                              &state, &user, &system, &waited_user, &waited_system) != 5)
        return;
    look->used += (double)(user + system + (unsigned long long)(waited_user + waited_system)) /
                  (double)sysconf(_SC_CLK_TCK);
    look->use.runnable = look->use.runnable || state == 'R';
    look->stopped = look->stopped || state == 'T';
}

/* Of what this process has waited for. */
static double ended_processor(void) {
    struct rusage use;
    if (getrusage(RUSAGE_CHILDREN, &use) != 0)
        return 0;
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Number of processes that the system has ended for lack of memory since it started. */
static uint64_t memory_kills(void) {
    char line[128];
    unsigned long long kills = 0;
    FILE *vmstat = fopen("/proc/vmstat", "re");
    while (vmstat != NULL && fgets(line, sizeof line, vmstat) != NULL &&
           sscanf(line, "oom_kill %llu", &kills) != 1)
        continue;
    if (vmstat != NULL)
        fclose(vmstat);
    return kills;
}

/* What a process of a sandbox has in /tmp, which is the sandbox's own file system in memory: as large as the largest. It is looked at
 * through one descriptor: while a sandbox is made, the same path is one file system's now and another's, the host's, then. */
static void add_scratch(struct watch_look *look, pid_t process) {
    char path[64];
    struct stat ours, theirs;
    struct statfs space;
    snprintf(path, sizeof path, "/proc/%d/root/tmp", (int)process);
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    if (stat("/tmp", &ours) == 0 && fstat(folder, &theirs) == 0 && ours.st_dev != theirs.st_dev &&
        fstatfs(folder, &space) == 0 && space.f_type == TMPFS_MAGIC) {
        uint64_t used = (uint64_t)(space.f_blocks - space.f_bfree) * (uint64_t)space.f_bsize;
        look->scratch = used > look->scratch ? used : look->scratch;
    }
    close(folder);
}

/* What files take in a folder and those in it. */
static uint64_t folder_bytes(const char *folder, unsigned depth) {
    enum { DEEPEST = 8 };
    uint64_t bytes = 0;
    DIR *files = opendir(folder);
    for (const struct dirent *file; files != NULL && (file = readdir(files)) != NULL;) {
        char path[PATH_SIZE];
        struct stat status;
        if (strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0 ||
            !path_join(path, folder, file->d_name) || lstat(path, &status) != 0)
            continue;
        bytes += (uint64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode) && depth < DEEPEST)
            bytes += folder_bytes(path, depth + 1);
    }
    if (files != NULL)
        closedir(files);
    return bytes;
}

/* A FIFO can be opened for writing, without waiting, where somebody has it open for reading or waits to. */
static bool is_read(const char *fifo) {
    int descriptor = fifo != NULL ? open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static void look_at(const struct watch *w, struct processes *tree, struct watch_look *look) {
    *look = (struct watch_look){.own_bytes = w->limits.own_bytes != 0 ? supervise_own_bytes() : 0};
    tree->count = 0;
    processes_add_children(tree, getpid());
    processor_add(&look->use, getpid(), w->watcher);
    for (unsigned i = 0; i < tree->count; i++) {
        add_memory(look, tree->process[i]);
        add_processor(look, tree->process[i]);
        processor_add(&look->use, tree->process[i], 0);
        if (w->limits.scratch_bytes > 0 && w->limits.scratch == NULL)
            add_scratch(look, tree->process[i]);
        processes_add_children(tree, tree->process[i]);
    }
    if (w->limits.scratch_bytes > 0 && w->limits.scratch != NULL)
        look->scratch = folder_bytes(w->limits.scratch, 0);
    look->used += ended_processor() - w->ended_before;
    look->too_many = tree->count == PROCESSES_MOST;
    look->lure = is_read(w->limits.lure);
    look->now = clock_seconds();
}

static void *keep_watch(void *context) {
    struct watch *w = context;
    struct processes *tree = w->tree;
    struct watch_look look;
    pthread_mutex_lock(&w->mutex);
    w->watcher = gettid();
    while (!w->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_LOOK_EVERY_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&w->stopping, &w->mutex, &until);
        look_at(w, tree, &look);
        enum watch_verdict verdict = watch_decide(&w->limits, &w->history, &look);
        if (verdict == WATCH_WITHIN)
            continue;
        if (w->verdict == WATCH_WITHIN)
            w->verdict = verdict;
        for (unsigned i = 0; i < tree->count; i++)
            kill(tree->process[i], SIGKILL);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, R_OK) != 0) {
        snprintf(error, size, "%s cannot be read: without /proc memory and time cannot be limited", path);
        return NULL;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    struct watch *w = calloc(1, sizeof *w);
    if (w != NULL && (w->tree = malloc(sizeof *w->tree)) != NULL) {
        w->limits = *limits;
        w->ended_before = ended_processor();
        w->kills = memory_kills();
        struct processor_use own = {0};
        processor_add(&own, getpid(), 0);
        fair_clock_start(&w->history.clock, clock_seconds(), &own);
        pthread_mutex_init(&w->mutex, NULL);
        pthread_cond_init(&w->stopping, NULL);
        if (pthread_create(&w->thread, NULL, keep_watch, w) == 0)
            return w;
    }
    if (w != NULL)
        free(w->tree);
    free(w);
    snprintf(error, size, "no thread can be started: %s", strerror(errno));
    return NULL;
}

enum watch_verdict watch_stop(struct watch *w, struct watch_end *end) {
    if (end != NULL)
        *end = (struct watch_end){.verdict = WATCH_WITHIN};
    if (w == NULL)
        return WATCH_WITHIN;
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_signal(&w->stopping);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    enum watch_verdict verdict = w->verdict;
    const struct watch_history *h = &w->history;
    if (end != NULL)
        *end = (struct watch_end){.verdict = verdict,
                                  .peak_bytes = h->peak_bytes,
                                  .elapsed = clock_seconds() - h->clock.start,
                                  .used = h->used,
                                  .memory_kill = memory_kills() > w->kills,
                                  .large = h->peak_bytes >= w->limits.memory_bytes / 2};
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->stopping);
    free(w->tree);
    free(w);
    return verdict;
}

void watch_busy_message(const struct watch_end *end, char *message, size_t size) {
    snprintf(message, size, "the machine was too busy: in %.0f s it had a processor for %.0f s", end->elapsed,
             end->used);
}

void watch_wait_for_adopted(double seconds) {
    const struct timespec pause = {.tv_nsec = 2000000};
    double until = clock_seconds() + seconds;
    for (pid_t ended; (ended = waitpid(-1, NULL, WNOHANG)) >= 0 && clock_seconds() < until;)
        if (ended == 0)
            nanosleep(&pause, NULL);
}

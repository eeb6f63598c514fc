/* watch.c: a thread that looks, and kills. */
#include "job/watch.h"
#include "base/clock.h"
#include "base/path.h"
#include "job/supervise.h"

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
#include <time.h>
#include <unistd.h>

enum { TREE_MAX = 4096, LOOK_EVERY_MS = 25 };

struct watch {
    struct watch_limits limits;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t stopping;
    bool stop;
    double start;
    double ended_before; /* processor time of what this process had waited for when the watch began */
    double used;         /* processor time seen so far */
    pid_t watcher;       /* the thread that looks */
    double idle_since, progress;
    enum watch_verdict verdict;
    uint64_t peak_bytes;
    struct tree *tree; /* the watcher's; there before it begins, for later there may be no memory */
};

struct tree {
    pid_t processes[TREE_MAX];
    unsigned count;
    uint64_t bytes, scratch;
    double processor; /* seconds */
    double
        progress; /* seconds in which a thread computed, or could have if it had got a processor; 0: the system does not tell */
    unsigned threads;
};

/* The children of all threads of a process, as the kernel lists them. */
static void add_children(struct tree *tree, pid_t process) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return; /* it has ended */
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        if (thread->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread->d_name);
        FILE *children = fopen(path, "re");
        int child;
        while (children != NULL && tree->count < TREE_MAX && fscanf(children, "%d", &child) == 1)
            tree->processes[tree->count++] = child;
        if (children != NULL)
            fclose(children);
    }
    closedir(threads);
}

static void add_use(struct tree *tree, pid_t process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "re");
    unsigned long long kib;
    unsigned threads;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "RssAnon: %llu", &kib) == 1 || sscanf(line, "RssShmem: %llu", &kib) == 1)
            tree->bytes += kib << 10;
        else if (sscanf(line, "Threads: %u", &threads) == 1)
            tree->threads += threads;
    }
    if (status != NULL)
        fclose(status);
}

/* The processor time of a process, and of those that it has waited for. Times are the 12th to 15th behind the name, which stands
 * in the last parentheses (proc_pid_stat(5)). */
static void add_processor(struct tree *tree, pid_t process) {
    char path[64], line[1024];
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
    if (end != NULL && sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld",
                              &user, &system, &waited_user, &waited_system) == 4)
        tree->processor += (double)(user + system + (unsigned long long)(waited_user + waited_system)) /
                           (double)sysconf(_SC_CLK_TCK);
}

/* What threads of a process computed, and waited for a processor: the first two of schedstat, in ns. Not the watcher's. */
static void add_progress(struct tree *tree, pid_t process, pid_t watcher) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return;
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        unsigned long long ran, waited;
        if (thread->d_name[0] == '.' || atoi(thread->d_name) == watcher)
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)process, thread->d_name);
        FILE *stat = fopen(path, "re");
        if (stat != NULL && fscanf(stat, "%llu %llu", &ran, &waited) == 2)
            tree->progress += 1e-9 * (double)(ran + waited);
        if (stat != NULL)
            fclose(stat);
    }
    closedir(threads);
}

/* Have they done nothing, and could not have, for so long? A hundredth of the time is nothing. */
static bool is_idle(struct watch *w, const struct tree *tree) {
    double now = clock_seconds(), done = tree->progress - w->progress;
    if (w->limits.idle_seconds <= 0 || tree->progress <= 0)
        return false;
    if (done >= 0 && done < 0.01 * w->limits.idle_seconds) /* less than before: some have ended */
        return now - w->idle_since > w->limits.idle_seconds;
    w->progress = tree->progress;
    w->idle_since = now;
    return false;
}

/* Of what this process has waited for. */
static double ended_processor(void) {
    struct rusage use;
    if (getrusage(RUSAGE_CHILDREN, &use) != 0)
        return 0;
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

double watch_wall(double seconds) {
    return seconds < 60 ? 10 * seconds : seconds + 540;
}

uint64_t watch_memory_kills(void) {
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
static void add_scratch(struct tree *tree, pid_t process) {
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
        tree->scratch = used > tree->scratch ? used : tree->scratch;
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

static void look(const struct watch *w, struct tree *tree) {
    *tree = (struct tree){.count = 0};
    add_children(tree, getpid());
    if (w->limits.idle_seconds > 0)
        add_progress(tree, getpid(), w->watcher);
    for (unsigned i = 0; i < tree->count; i++) {
        add_use(tree, tree->processes[i]);
        add_processor(tree, tree->processes[i]);
        if (w->limits.idle_seconds > 0)
            add_progress(tree, tree->processes[i], 0);
        if (w->limits.scratch_bytes > 0 && w->limits.scratch == NULL)
            add_scratch(tree, tree->processes[i]);
        add_children(tree, tree->processes[i]);
    }
    if (w->limits.scratch_bytes > 0 && w->limits.scratch != NULL)
        tree->scratch = folder_bytes(w->limits.scratch, 0);
}

/* A FIFO can be opened for writing, without waiting, where somebody has it open for reading or waits to. */
static bool is_read(const char *fifo) {
    int descriptor = fifo != NULL ? open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static enum watch_verdict judge(struct watch *w, const struct tree *tree) {
    /* one that ends between two looks may be counted in neither: what was seen stays seen */
    double used = tree->processor + ended_processor() - w->ended_before;
    w->used = used > w->used ? used : w->used;
    if (tree->bytes > w->limits.memory_bytes)
        return WATCH_MEMORY;
    if (tree->threads > w->limits.threads || tree->count == TREE_MAX)
        return WATCH_THREADS;
    if (w->limits.own_bytes != 0 && supervise_own_bytes() > w->limits.own_bytes)
        return WATCH_JUDGE;
    if (w->limits.scratch_bytes > 0 && tree->scratch > w->limits.scratch_bytes)
        return WATCH_SCRATCH;
    if (is_read(w->limits.lure))
        return WATCH_LURE;
    if (w->used > w->limits.seconds)
        return WATCH_TIME;
    return is_idle(w, tree) || clock_seconds() - w->start > w->limits.wall_seconds ? WATCH_WALL
                                                                                   : WATCH_WITHIN;
}

static void *keep_watch(void *context) {
    struct watch *w = context;
    struct tree *tree = w->tree;
    pthread_mutex_lock(&w->mutex);
    w->watcher = gettid();
    while (!w->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_EVERY_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&w->stopping, &w->mutex, &until);
        look(w, tree);
        w->peak_bytes = tree->bytes > w->peak_bytes ? tree->bytes : w->peak_bytes;
        enum watch_verdict verdict = judge(w, tree);
        if (verdict == WATCH_WITHIN)
            continue;
        if (w->verdict == WATCH_WITHIN)
            w->verdict = verdict;
        for (unsigned i = 0; i < tree->count; i++)
            kill(tree->processes[i], SIGKILL);
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
        w->start = w->idle_since = clock_seconds();
        w->ended_before = ended_processor();
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

enum watch_verdict watch_stop(struct watch *w, uint64_t *peak_bytes) {
    if (w == NULL)
        return WATCH_WITHIN;
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_signal(&w->stopping);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    enum watch_verdict verdict = w->verdict;
    if (peak_bytes != NULL)
        *peak_bytes = w->peak_bytes;
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->stopping);
    free(w->tree);
    free(w);
    return verdict;
}

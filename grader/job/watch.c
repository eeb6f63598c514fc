/* watch.c: a thread that looks, and kills. */
#include "job/watch.h"
#include "base/clock.h"
#include "job/supervise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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
    enum watch_verdict verdict;
    uint64_t peak_bytes;
};

struct tree {
    pid_t processes[TREE_MAX];
    unsigned count;
    uint64_t bytes, scratch;
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

/* What a process of a sandbox has in /tmp, which is the sandbox's own file system: as large as the largest. */
static void add_scratch(struct tree *tree, pid_t process) {
    char path[64];
    struct stat ours, theirs;
    struct statvfs space;
    snprintf(path, sizeof path, "/proc/%d/root/tmp", (int)process);
    if (stat("/tmp", &ours) != 0 || stat(path, &theirs) != 0 || ours.st_dev == theirs.st_dev ||
        statvfs(path, &space) != 0)
        return;
    uint64_t used = (uint64_t)(space.f_blocks - space.f_bfree) * space.f_frsize;
    tree->scratch = used > tree->scratch ? used : tree->scratch;
}

static void look(const struct watch *w, struct tree *tree) {
    *tree = (struct tree){.count = 0};
    add_children(tree, getpid());
    for (unsigned i = 0; i < tree->count; i++) {
        add_use(tree, tree->processes[i]);
        if (w->limits.scratch_bytes > 0)
            add_scratch(tree, tree->processes[i]);
        add_children(tree, tree->processes[i]);
    }
}

/* A FIFO can be opened for writing, without waiting, where somebody has it open for reading or waits to. */
static bool is_read(const char *fifo) {
    int descriptor = fifo != NULL ? open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static enum watch_verdict judge(const struct watch *w, const struct tree *tree) {
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
    return clock_seconds() - w->start > w->limits.seconds ? WATCH_TIME : WATCH_WITHIN;
}

static void *keep_watch(void *context) {
    struct watch *w = context;
    struct tree *tree = malloc(sizeof *tree);
    pthread_mutex_lock(&w->mutex);
    while (!w->stop && tree != NULL) {
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
    free(tree);
    return NULL;
}

struct watch *watch_start(const struct watch_limits *limits, char *error, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, R_OK) != 0) {
        snprintf(error, size, "%s cannot be read: without /proc memory and time cannot be limited", path);
        return NULL;
    }
    struct watch *w = calloc(1, sizeof *w);
    if (w != NULL) {
        w->limits = *limits;
        w->start = clock_seconds();
        pthread_mutex_init(&w->mutex, NULL);
        pthread_cond_init(&w->stopping, NULL);
        if (pthread_create(&w->thread, NULL, keep_watch, w) == 0)
            return w;
    }
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
    free(w);
    return verdict;
}

/* parallel.c: starts a thread for each part, and waits for all. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A small stack suffices, and a process whose memory is limited has little to spare. */
enum { MOST = 8, STACK_BYTES = 256 << 10, COPY_STEP = 8 << 20 };

struct part {
    pthread_t thread;
    parallel_work *work;
    void *context;
    size_t from, to;
};

static void *run_part(void *context) {
    const struct part *part = context;
    part->work(part->context, part->from, part->to);
    return NULL;
}

static size_t threads_for(size_t steps) {
    long cores = steps > 1 ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    size_t most = cores < 1 ? 1 : cores > MOST ? MOST : (size_t)cores;
    return steps < most ? steps : most;
}

void parallel_run(size_t count, size_t step, parallel_work *work, void *context) {
    struct part parts[MOST];
    size_t steps = count / step + (count % step != 0), threads = threads_for(steps), started = 0;
    pthread_attr_t attributes;
    if (threads > 1 && pthread_attr_init(&attributes) == 0) {
        bool right = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0;
        for (size_t i = 0; right && i + 1 < threads; i++) {
            parts[i] = (struct part){.work = work,
                                     .context = context,
                                     .from = i * steps / threads * step,
                                     .to = (i + 1) * steps / threads * step};
            right = pthread_create(&parts[i].thread, &attributes, run_part, &parts[i]) == 0;
            started += right;
        }
        pthread_attr_destroy(&attributes);
    }
    /* The caller does the parts for which no thread could be started. */
    size_t rest = started == 0 ? 0 : parts[started - 1].to;
    if (rest < count)
        work(context, rest, count);
    for (size_t i = 0; i < started; i++)
        pthread_join(parts[i].thread, NULL);
}

struct filling {
    uint8_t *to;
    int byte;
};

static void fill_part(void *context, size_t from, size_t to) {
    const struct filling *filling = context;
    memset(filling->to + from, filling->byte, to - from);
}

void parallel_fill(void *to, int byte, size_t bytes) {
    struct filling filling = {.to = to, .byte = byte};
    parallel_run(bytes, COPY_STEP, fill_part, &filling);
}

struct copy {
    uint8_t *to;
    const uint8_t *from;
};

static void copy_part(void *context, size_t from, size_t to) {
    const struct copy *copy = context;
    memcpy(copy->to + from, copy->from + from, to - from);
}

void parallel_copy(void *to, const void *from, size_t bytes) {
    struct copy copy = {.to = to, .from = from};
    parallel_run(bytes, COPY_STEP, copy_part, &copy);
}

struct comparison {
    const uint8_t *a, *b;
    atomic_bool differs;
};

static void compare_part(void *context, size_t from, size_t to) {
    struct comparison *c = context;
    if (memcmp(c->a + from, c->b + from, to - from) != 0)
        atomic_store(&c->differs, true);
}

bool parallel_same(const void *a, const void *b, size_t bytes) {
    struct comparison comparison = {.a = a, .b = b};
    atomic_init(&comparison.differs, false);
    parallel_run(bytes, COPY_STEP, compare_part, &comparison);
    return !atomic_load(&comparison.differs);
}

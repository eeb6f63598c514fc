/*
 * fake_owner.c: a stand-in for the device code of the owner of the buffers. Its stream is a thread: what is queued there
 * happens in order, some time later, and waits at the gate for the other process.
 */
#include "fake_runtime.h"

#include "lab/owner/window.h"
#include "lab/runner/gate.h"
#include "lab/runner/protocol.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUEUE = 16, MAIN_STREAM = 1 };
/* Microseconds that things take by the device's clock; the delay is real, too. */
enum { OPENING = 50, TAKING = 150, AGAIN = 30, HOST_DELAY = 3000 };

enum kind { OPEN, SET, WAIT, TAKE, TAKE_AGAIN };
struct work {
    enum kind kind;
    void *to;
    const void *from;
    size_t bytes;
    uint32_t value;
    bool delayed;
    struct window_notes *notes;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct work queue[QUEUE];
    unsigned first, count;
    bool started;
    _Atomic bool waiting;              /* at the gate */
    _Atomic uint32_t call;             /* the last that came through */
    _Atomic(_Atomic uint32_t *) taken; /* in shared memory, where the first gate is known */
} device = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static uint64_t now_ns(void) {
    return (uint64_t)(*fake_clock() * 1000);
}

static void do_work(const struct work *w) {
    switch (w->kind) {
    case OPEN:
        if (w->delayed)
            usleep(HOST_DELAY);
        w->notes->opened = now_ns();
        memcpy(w->to, w->from, w->bytes);
        *fake_clock() += OPENING;
        break;
    case SET: *(_Atomic uint32_t *)w->to = w->value; break;
    case WAIT:
        device.waiting = true;
        while (*(_Atomic uint32_t *)w->to != w->value)
            usleep(50);
        device.waiting = false;
        device.call = w->value;
        break;
    case TAKE:
        memcpy(w->to, w->from, w->bytes);
        *fake_clock() += TAKING;
        w->notes->taken = now_ns();
        break;
    case TAKE_AGAIN:
        w->notes->differ = memcmp(w->to, w->from, w->bytes) != 0;
        memcpy(w->to, w->from, w->bytes);
        *fake_clock() += AGAIN;
        w->notes->again = now_ns();
        break;
    }
}

static _Noreturn void *run(void *context) {
    (void)context;
    for (;;) {
        pthread_mutex_lock(&device.mutex);
        while (device.count == 0)
            pthread_cond_wait(&device.changed, &device.mutex);
        struct work w = device.queue[device.first];
        pthread_mutex_unlock(&device.mutex);
        do_work(&w);
        if (w.kind == TAKE && device.taken != NULL)
            *device.taken = device.call;
        pthread_mutex_lock(&device.mutex);
        device.first = (device.first + 1) % QUEUE;
        device.count--;
        pthread_mutex_unlock(&device.mutex);
    }
}

static cudaError_t queue(const struct work *w) {
    pthread_t thread;
    pthread_mutex_lock(&device.mutex);
    bool right = device.count < QUEUE &&
                 (device.started || (device.started = pthread_create(&thread, NULL, run, NULL) == 0));
    if (right)
        device.queue[(device.first + device.count++) % QUEUE] = *w;
    pthread_cond_signal(&device.changed);
    pthread_mutex_unlock(&device.mutex);
    return right ? cudaSuccess : cudaErrorUnknown;
}

static bool idle(void) {
    pthread_mutex_lock(&device.mutex);
    bool is = device.count == 0;
    pthread_mutex_unlock(&device.mutex);
    return is;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    (void)stream;
    return idle() ? cudaSuccess : cudaErrorNotReady;
}
/* Until all is done, but for what waits at the gate. */
void fake_finish_stream(void) {
    while (!idle() && !device.waiting)
        usleep(50);
}
void fake_finish(void) {
    fake_finish_stream();
}
double fake_told(double microseconds) {
    return microseconds;
}

cudaError_t window_open(void *shared, const void *image, size_t bytes, const void *other, size_t flush_bytes,
                        uint64_t delay_ns, struct window_notes *notes, cudaStream_t stream) {
    (void)other, (void)flush_bytes, (void)stream;
    return queue(&(struct work){
        .kind = OPEN, .to = shared, .from = image, .bytes = bytes, .delayed = delay_ns > 0, .notes = notes});
}
cudaError_t window_take(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                        cudaStream_t stream) {
    (void)stream;
    return queue(&(struct work){.kind = TAKE, .to = result, .from = shared, .bytes = bytes, .notes = notes});
}
cudaError_t window_take_again(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                              cudaStream_t stream) {
    (void)stream;
    return queue(
        &(struct work){.kind = TAKE_AGAIN, .to = result, .from = shared, .bytes = bytes, .notes = notes});
}
cudaError_t gate_wait(cudaStream_t stream, void *word, uint32_t value) {
    (void)stream;
    return queue(&(struct work){.kind = WAIT, .to = word, .value = value});
}
cudaError_t gate_set(cudaStream_t stream, void *word, uint32_t value) {
    if ((uintptr_t)stream != MAIN_STREAM) {
        *(_Atomic uint32_t *)word = value;
        return cudaSuccess;
    }
    device.taken = (_Atomic uint32_t *)(void *)((char *)word - RUNNER_GATE_OPEN + FAKE_TAKEN);
    return queue(&(struct work){.kind = SET, .to = word, .value = value});
}

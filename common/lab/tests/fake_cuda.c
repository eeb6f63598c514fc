/*
 * fake_cuda.c: a stand-in for the runner's device code and a student's kernel, so that the judge and the protocols are
 * tested without a GPU. FAKE says how the student behaves.
 */
#include "fake_runtime.h"

#include "lab/runner/flush.h"
#include "lab/runner/gate.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    unsigned calls;
    _Atomic uint32_t *gate; /* at which queued work waits, NULL: none */
    uint32_t awaited;
    uint8_t *late; /* what is still to be stored, */
    uint8_t value;
} student;

static void until(const _Atomic uint32_t *word, uint32_t value) {
    for (int left = 200000; left > 0 && *word != value; left--)
        usleep(50);
}

cudaError_t runner_flush(void *zeros, size_t bytes, cudaStream_t stream) {
    (void)zeros, (void)bytes, (void)stream;
    return cudaSuccess;
}
static int behaves(const char *name) {
    const char *how = getenv("FAKE");
    return how != NULL && strcmp(how, name) == 0;
}

/* Whether this program was started by a path that ends so. */
static int named(const char *end) {
    size_t whole = strlen(program_invocation_name), part = strlen(end);
    return whole >= part && strcmp(program_invocation_name + whole - part, end) == 0;
}

/* Work that is in order waits for the gate before it. */
cudaError_t gate_wait(cudaStream_t stream, void *word, uint32_t value) {
    (void)stream;
    student.gate = word;
    student.awaited = value;
    return cudaSuccess;
}
cudaError_t gate_set(cudaStream_t stream, void *word, uint32_t value) {
    (void)stream;
    if (!(behaves("leaves-gate") && named("yours")))
        *(_Atomic uint32_t *)word = value;
    return cudaSuccess;
}
/* What is queued from here on is in order, and so is done when the gate is open; but for who puts it elsewhere. */
cudaError_t runner_settle(cudaStream_t stream) {
    (void)stream;
    if (student.gate != NULL && !(behaves("out-of-order") && named("yours")))
        until(student.gate, student.awaited);
    return cudaSuccess;
}
double fake_told(double microseconds) {
    return behaves("tells-less") && named("yours") ? microseconds / 20 : microseconds;
}
void fake_finish_stream(void) {}
/* Late work, on another stream, is done when the owner has taken the results for final. */
void fake_finish(void) {
    if (student.late == NULL)
        return;
    if (student.gate != NULL)
        until((_Atomic uint32_t *)(void *)((char *)student.gate + FAKE_TAKEN), student.awaited);
    *fake_clock() += 400;
    *student.late = student.value;
    student.late = NULL;
}

static void misbehave(void) {
    student.calls++;
    if (behaves("segfault"))
        raise(SIGSEGV);
    if (behaves("abort"))
        abort();
    if (behaves("exit"))
        exit(3);
    if (behaves("exit-0"))
        _exit(0);
    if (behaves("hang"))
        for (;;)
            pause();
    if (behaves("spin"))
        for (;;)
            continue;
    if (behaves("garbage"))
        for (int fd = 3; fd < 64; fd++)
            send(fd, "not a reply", 11, MSG_NOSIGNAL);
    if (behaves("close"))
        for (int fd = 3; fd < 64; fd++)
            close(fd);
    if (behaves("flood"))
        for (int i = 0; i < 100000; i++)
            puts("a line of a program that prints a great deal");
    if (behaves("cuda-error"))
        fake_fail(cudaErrorIllegalAddress);
    if (behaves("child")) { /* a process that would outlive the run */
        pid_t child = fork();
        if (child == 0) {
            for (;;)
                pause();
        }
        FILE *file = fopen(getenv("FAKE_FILE"), "w");
        if (file != NULL) {
            fprintf(file, "%ld\n", (long)child);
            fclose(file);
        }
    }
}

void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, struct CUstream_st *stream) {
    static const int w[7] = {1, 2, 3, 4, 3, 2, 1};
    (void)stream;
    misbehave();
    int rows = behaves("rows-missing") ? height - 1 : height;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -3; dy <= 3; dy++)
                for (int dx = -3; dx <= 3; dx++) {
                    int u = x + dx, v = y + dy;
                    if (behaves("border")) {
                        u = u < 0 ? 0 : u >= width ? width - 1 : u;
                        v = v < 0 ? 0 : v >= height ? height - 1 : v;
                    }
                    if (u >= 0 && u < width && v >= 0 && v < height)
                        sum += w[dx + 3] * w[dy + 3] * src[v * width + u];
                }
            dst[y * width + x] = (uint8_t)(sum / 256);
        }
    if (behaves("write-after"))
        dst[width * height] = 0;
    if (behaves("write-before"))
        dst[-1] = 0;
    if (behaves("write-input"))
        ((uint8_t *)(uintptr_t)src)[0] ^= 1;
    if (behaves("random") && student.calls % 2 == 0)
        dst[0] ^= 0x20;
    if (behaves("random"))
        dst[width * height - 1] ^= 0x20;
    if (behaves("late") && named("yours")) {
        student.late = &dst[width * height - 1];
        student.value = *student.late;
        *student.late ^= 0x20;
    }
    /* The device's clock and the world's agree, but for who lies. */
    double advance = 100 + student.calls % 5;
    *fake_clock() += advance;
    usleep((useconds_t)advance + (behaves("hides-late") && named("yours") ? 500000 : 0));
    if (behaves("clock-fast"))
        *fake_clock() += 1e6;
}

/*
 * A stand-in for the CUDA runtime and a student's kernel, so that the judge and the runner's protocol are
 * tested without either: device memory is host memory, events read a clock that the "kernel" advances. FAKE
 * says how the student behaves.
 */
#include <cuda_runtime_api.h>

#include "harness/runner/flush.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    float microseconds; /* the device's clock */
    cudaError_t error;
    unsigned calls;
} fake;

struct CUevent_st {
    float at;
};

/* Newer headers give some functions a second, versioned name. */
#undef cudaGetDeviceProperties

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    *memory = malloc(bytes);
    return *memory != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *memory) {
    free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
    memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    (void)kind, (void)stream;
    memcpy(to, from, bytes);
    fake.microseconds += 80;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    *stream = NULL;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = calloc(1, sizeof **event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    event->at = fake.microseconds;
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    *milliseconds = (end->at - start->at) / 1000;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    return fake.error;
}
cudaError_t cudaDeviceSynchronize(void) {
    return fake.error;
}
cudaError_t cudaGetLastError(void) {
    return cudaSuccess;
}
const char *cudaGetErrorName(cudaError_t error) {
    return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorUnknown";
}
const char *cudaGetErrorString(cudaError_t error) {
    (void)error;
    return "an illegal memory access was encountered";
}
cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->name, "Fake GPU");
    properties->major = 9;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *properties, int device) {
    return cudaGetDeviceProperties(properties, device);
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)attribute, (void)device;
    *value = 1 << 20;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
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

static void misbehave(void) {
    fake.calls++;
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
        fake.error = cudaErrorIllegalAddress;
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
    if (behaves("random") && fake.calls % 2 == 0)
        dst[0] ^= 0x20;
    if (behaves("random"))
        dst[width * height - 1] ^= 0x20;
    /* The device's clock and the world's agree, but for who lies. */
    float advance = 100.0f + (float)(fake.calls % 5);
    fake.microseconds += advance;
    usleep((useconds_t)advance + (behaves("hides-late") && named("yours") ? 500000 : 0));
    if (behaves("clock-fast"))
        fake.microseconds += 1e6f;
}

/*
 * fake_runtime.c: a stand-in for the CUDA runtime, of the runner and of the owner of the buffers. Device memory is host
 * memory that another process can map, streams do at once what is queued, and the device's clock stands still but for what
 * moves it: where memory is shared, it lies there.
 */
#include "fake_runtime.h"

#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALLOCATIONS = 64, CLOCK_PLACE = 2048 };

static struct {
    struct {
        void *memory;
        size_t bytes;
        int file;
    } allocation[ALLOCATIONS];
    double own_clock;
    double *clock; /* NULL: own */
    uintptr_t streams;
    cudaError_t error;
} fake;

struct CUevent_st {
    double at;
};

/* What another process is told of memory. */
struct handle {
    int process, file;
};
static_assert(sizeof(struct handle) <= sizeof(cudaIpcMemHandle_t), "a handle has no room");

double *fake_clock(void) {
    return fake.clock != NULL ? fake.clock : &fake.own_clock;
}

void fake_fail(cudaError_t error) {
    fake.error = error;
}

/* Newer headers give some functions a second, versioned name. */
#undef cudaGetDeviceProperties

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    for (int i = 0; i < ALLOCATIONS; i++) {
        if (fake.allocation[i].memory != NULL)
            continue;
        int file = memfd_create("device", MFD_CLOEXEC);
        void *mapped = file >= 0 && ftruncate(file, (off_t)bytes) == 0
                           ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                           : MAP_FAILED;
        if (mapped == MAP_FAILED)
            return cudaErrorMemoryAllocation;
        fake.allocation[i].memory = *memory = mapped;
        fake.allocation[i].bytes = bytes;
        fake.allocation[i].file = file;
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *memory) {
    for (int i = 0; memory != NULL && i < ALLOCATIONS; i++)
        if (fake.allocation[i].memory == memory) {
            munmap(memory, fake.allocation[i].bytes);
            close(fake.allocation[i].file);
            fake.allocation[i].memory = NULL;
            return cudaSuccess;
        }
    return memory == NULL ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    *memory = calloc(1, bytes);
    return *memory != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory) {
    for (int i = 0; i < ALLOCATIONS; i++)
        if (fake.allocation[i].memory == memory) {
            struct handle mine = {.process = getpid(), .file = fake.allocation[i].file};
            memset(handle, 0, sizeof *handle);
            memcpy(handle, &mine, sizeof mine);
            fake.clock = (double *)(void *)((char *)memory + CLOCK_PLACE);
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}
cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned flags) {
    struct handle theirs;
    struct stat status;
    char path[64];
    (void)flags;
    memcpy(&theirs, &handle, sizeof theirs);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", theirs.process, theirs.file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *mapped = file >= 0 && fstat(file, &status) == 0
                       ? mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    if (file >= 0)
        close(file);
    if (mapped == MAP_FAILED)
        return cudaErrorInvalidResourceHandle;
    *memory = mapped;
    fake.clock = (double *)(void *)((char *)mapped + CLOCK_PLACE);
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
    *fake_clock() += 80;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    *stream = (cudaStream_t)++fake.streams;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    (void)stream;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = calloc(1, sizeof **event);
    return *event != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    return cudaEventCreate(event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    event->at = *fake_clock();
    return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    (void)event;
    fake_finish_stream();
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    *milliseconds = (float)(fake_told(end->at - start->at) / 1000);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    fake_finish_stream();
    return fake.error;
}
cudaError_t cudaDeviceSynchronize(void) {
    fake_finish();
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

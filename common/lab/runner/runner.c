/*
 * runner.c: the host program around a student's kernel.cu. Compiled once, linked with each variant. It does
 * what the judge asks (protocol.h) through the CUDA runtime and nothing else: no inputs, no oracle, no score
 * live here.
 */
#include "adapter.h"
#include "base/clock.h"
#include "flush.h"
#include "gate.h"
#include "protocol.h"

#include <assert.h>
#include <cuda_runtime_api.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* CUDA's compiler from PyPI has the runtime's header without the profiler's. */
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

struct runner {
    int socket;
    uint8_t *memory; /* shared with the judge */
    uint64_t memory_bytes;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    void *flush;
    uint64_t flush_bytes;
    uint8_t *shared; /* the owner's device memory */
    void *copy;      /* where COPY copies to */
    uint64_t copy_bytes;
    struct runner_request prepared; /* the last PREPARE or OPEN_HOST */
    uint8_t *allocation[RUNNER_BUFFERS];
    uint8_t *host[RUNNER_BUFFERS]; /* of OPEN_HOST, as the student's code allocated it */
};

/* Fill a reply from an error; true when there is none. */
static int succeeded(struct runner_reply *reply, cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return 1;
    reply->error = (int32_t)error;
    snprintf(reply->what, sizeof reply->what, "%s", what);
    snprintf(reply->error_name, sizeof reply->error_name, "%s", cudaGetErrorName(error));
    snprintf(reply->error_text, sizeof reply->error_text, "%s", cudaGetErrorString(error));
    return 0;
}

static void describe(struct runner *runner, struct runner_reply *reply) {
    int device = 0, l2 = 0, version = 0;
    struct cudaDeviceProp properties;
    (void)runner;
    if (!succeeded(reply, cudaGetDevice(&device), "cudaGetDevice") ||
        !succeeded(reply, cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties") ||
        !succeeded(reply, cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device),
                   "cudaDeviceGetAttribute") ||
        !succeeded(reply, cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion"))
        return;
    snprintf(reply->gpu, sizeof reply->gpu, "%s", properties.name);
    snprintf(reply->bus, sizeof reply->bus, "%08x:%02x:%02x.0", (unsigned)properties.pciDomainID,
             (unsigned)properties.pciBusID, (unsigned)properties.pciDeviceID);
    reply->compute_major = properties.major;
    reply->compute_minor = properties.minor;
    reply->runtime_version = version;
    reply->l2_bytes = (uint64_t)l2;
}

static void release(struct runner *runner) {
    for (uint32_t i = 0; i < runner->prepared.buffer_count; i++) {
        if (runner->allocation[i] != NULL)
            cudaFree(runner->allocation[i]);
        runner->allocation[i] = NULL;
    }
    runner->prepared.buffer_count = 0;
}

static void prepare(struct runner *runner, const struct runner_request *request, struct runner_reply *reply) {
    release(runner);
    runner->prepared = *request;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        const struct runner_buffer *buffer = &request->buffer[i];
        uint64_t whole = buffer->bytes + 2 * (uint64_t)request->guard;
        void *memory = NULL;
        if (!succeeded(reply, cudaMalloc(&memory, whole), "cudaMalloc"))
            return;
        runner->allocation[i] = memory;
        if (!succeeded(reply, cudaMemset(memory, (int)request->poison, whole), "cudaMemset"))
            return;
        if (!buffer->output && !succeeded(reply,
                                          cudaMemcpy(runner->allocation[i] + request->guard,
                                                     runner->memory + buffer->offset + request->guard,
                                                     buffer->bytes, cudaMemcpyHostToDevice),
                                          "cudaMemcpy of the input"))
            return;
    }
    succeeded(reply, cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

/* Device memory that is kept from call to call. */
static int keep(void **memory, uint64_t *have, uint64_t bytes, const char *what, struct runner_reply *reply) {
    if (bytes <= *have)
        return 1;
    cudaFree(*memory);
    *memory = NULL;
    *have = 0;
    if (!succeeded(reply, cudaMalloc(memory, bytes), what) ||
        !succeeded(reply, cudaMemset(*memory, 0, bytes), what))
        return 0;
    *have = bytes;
    return 1;
}

/* Queue the read that empties L2. */
static int flush(struct runner *runner, uint64_t bytes, struct runner_reply *reply) {
    if (bytes == 0)
        return 1;
    return keep(&runner->flush, &runner->flush_bytes, bytes + RUNNER_FLUSH_EXTRA,
                "the memory of the L2 flush", reply) &&
           succeeded(reply, runner_flush(runner->flush, bytes, runner->stream), "the L2 flush");
}

/* Map the owner's memory. From here on the stream is one that waits for the default stream, where the gates are: so does
 * all of a program's work but what it puts on streams that are made not to (cudaStreamNonBlocking). */
static void share(struct runner *runner, const struct runner_request *request, struct runner_reply *reply) {
    cudaIpcMemHandle_t handle;
    void *shared = NULL;
    static_assert(sizeof handle == RUNNER_HANDLE, "protocol.h is wrong about CUDA's handles");
    memcpy(&handle, request->handle, sizeof handle);
    if (succeeded(reply, cudaIpcOpenMemHandle(&shared, handle, cudaIpcMemLazyEnablePeerAccess),
                  "cudaIpcOpenMemHandle") &&
        succeeded(reply, cudaStreamDestroy(runner->stream), "cudaStreamDestroy"))
        succeeded(reply, cudaStreamCreateWithFlags(&runner->stream, cudaStreamDefault), "cudaStreamCreate");
    runner->shared = shared;
}

/* Where the content of a buffer lies, of this request or of the one that was prepared. */
static uint8_t *content_of(const struct runner *runner, const struct runner_request *request, uint32_t i) {
    if (request->buffer_count == 0)
        return runner->allocation[i] + runner->prepared.guard;
    return request->gate != 0 ? runner->shared + request->buffer[i].address
                              : (uint8_t *)(uintptr_t)request->buffer[i].address;
}

/* How long a plain copy of the first buffer takes: in the same process and clock as the student's call, but
 * none of its code. */
static void copy(struct runner *runner, const struct runner_request *request, struct runner_reply *reply) {
    const struct runner_request *prepared = request->buffer_count > 0 ? request : &runner->prepared;
    float milliseconds = 0;
    uint64_t bytes = prepared->buffer_count > 0 ? prepared->buffer[0].bytes : 0;
    if (keep(&runner->copy, &runner->copy_bytes, bytes, "the memory of the copy", reply) &&
        flush(runner, request->flush_bytes, reply) &&
        succeeded(reply, cudaEventRecord(runner->start, runner->stream), "cudaEventRecord") &&
        succeeded(reply,
                  cudaMemcpyAsync(runner->copy, content_of(runner, request, 0), bytes,
                                  cudaMemcpyDeviceToDevice, runner->stream),
                  "cudaMemcpyAsync") &&
        succeeded(reply, cudaEventRecord(runner->stop, runner->stream), "cudaEventRecord") &&
        succeeded(reply, cudaStreamSynchronize(runner->stream), "the copy") &&
        succeeded(reply, cudaEventElapsedTime(&milliseconds, runner->start, runner->stop),
                  "cudaEventElapsedTime"))
        reply->time_us = 1000.0 * (double)milliseconds;
}

static double now_us(void) {
    return 1e6 * clock_seconds();
}

/* Wait for the inputs; and once the GPU has turned to this process and has done something for it, the clock may start. */
static int pass_gate(struct runner *runner, const struct runner_request *request,
                     struct runner_reply *reply) {
    return request->gate == 0 ||
           (succeeded(reply, gate_wait(cudaStreamLegacy, runner->shared + RUNNER_GATE_OPEN, request->gate),
                      "the gate before the call") &&
            succeeded(reply, runner_settle(runner->stream), "the gate before the call"));
}

static int leave_gate(struct runner *runner, const struct runner_request *request,
                      struct runner_reply *reply) {
    return request->gate == 0 ||
           succeeded(reply, gate_set(cudaStreamLegacy, runner->shared + RUNNER_GATE_DONE, request->gate),
                     "the gate after the call");
}

/* Events around the call. The flush, or the gate, is queued first and takes longer than the host needs to queue the rest,
 * so the time between the events is the device's alone. */
static void call(struct runner *runner, const struct runner_request *request, struct runner_reply *reply) {
    const struct runner_request *prepared = request->buffer_count > 0 ? request : &runner->prepared;
    void *content[RUNNER_BUFFERS] = {NULL};
    for (uint32_t i = 0; i < prepared->buffer_count; i++)
        content[i] = content_of(runner, request, i);
    if (!flush(runner, request->flush_bytes, reply) || !pass_gate(runner, request, reply))
        return;
    if (request->timed &&
        !succeeded(reply, cudaEventRecord(runner->start, runner->stream), "cudaEventRecord"))
        return;

    adapter_call(content, prepared->size, runner->stream);

    /* A bad launch shape shows here, a fault in the kernel only when waited for. */
    if (!succeeded(reply, cudaGetLastError(), adapter_function))
        return;
    if (request->timed && !succeeded(reply, cudaEventRecord(runner->stop, runner->stream), "cudaEventRecord"))
        return;
    if (!leave_gate(runner, request, reply) ||
        !succeeded(reply, cudaStreamSynchronize(runner->stream), "the kernel"))
        return;
    double begin_us = now_us();
    if (!succeeded(reply, cudaDeviceSynchronize(), "the kernel"))
        return;
    reply->after_us = now_us() - begin_us;
    float milliseconds = 0;
    if (request->timed && !succeeded(reply, cudaEventElapsedTime(&milliseconds, runner->start, runner->stop),
                                     "cudaEventElapsedTime"))
        return;
    reply->time_us = 1000.0 * (double)milliseconds;
}

/* The run alone, between events: where the GPU is simulated its timeline holds the host's waits and calls as well. The
 * profiler's marks say to whoever records a timeline what of it is the run. */
static int run_on_host(struct runner *runner, const struct runner_request *request,
                       struct runner_reply *reply) {
    float milliseconds = 0;
    if (request->timed &&
        (!succeeded(reply, cudaProfilerStart(), "cudaProfilerStart") ||
         !succeeded(reply, cudaEventRecord(runner->start, runner->stream), "cudaEventRecord")))
        return 0;
    adapter_host.run();
    if (!succeeded(reply, cudaGetLastError(), adapter_function))
        return 0;
    if (request->timed &&
        (!succeeded(reply, cudaEventRecord(runner->stop, runner->stream), "cudaEventRecord") ||
         !succeeded(reply, cudaProfilerStop(), "cudaProfilerStop") ||
         !succeeded(reply, cudaEventSynchronize(runner->stop), "cudaEventSynchronize") ||
         !succeeded(reply, cudaEventElapsedTime(&milliseconds, runner->start, runner->stop),
                    "cudaEventElapsedTime")))
        return 0;
    reply->time_us = 1000.0 * (double)milliseconds;
    return 1;
}

/* Each buffer with its guards where the student's code wants it, and the inputs in it. */
static int open_host(struct runner *runner, const struct runner_request *request,
                     struct runner_reply *reply) {
    void *content[RUNNER_BUFFERS] = {NULL};
    bool right = &adapter_host != NULL;
    memset(runner->host, 0, sizeof runner->host);
    for (uint32_t i = 0; right && i < request->buffer_count; i++) {
        uint64_t whole = request->buffer[i].bytes + 2 * (uint64_t)request->guard;
        right = (runner->host[i] = adapter_host.allocate(whole)) != NULL;
        if (right)
            memset(runner->host[i], (int)request->poison, whole);
        content[i] = right ? runner->host[i] + request->guard : NULL;
        reply->address[i] = (uint64_t)(uintptr_t)runner->host[i];
    }
    if (!right) {
        reply->error = -1;
        snprintf(reply->what, sizeof reply->what, "the host's memory");
        snprintf(reply->error_name, sizeof reply->error_name, "none was allocated");
        return 0;
    }
    runner->prepared = *request;
    adapter_host.open(content, request->size);
    right = succeeded(reply, cudaGetLastError(), "before the run") &&
            succeeded(reply, cudaDeviceSynchronize(), "before the run");
    for (uint32_t i = 0; right && i < request->buffer_count; i++)
        if (!request->buffer[i].output)
            memcpy(content[i], runner->memory + request->buffer[i].offset + request->guard,
                   request->buffer[i].bytes);
    return right;
}

/* What the results are when `run` returns is what counts: they are taken before anything here waits. */
static void close_host(struct runner *runner, bool right, struct runner_reply *reply) {
    const struct runner_request *request = &runner->prepared;
    for (uint32_t i = 0; right && i < request->buffer_count; i++)
        memcpy(runner->memory + request->buffer[i].offset, runner->host[i],
               request->buffer[i].bytes + 2 * (uint64_t)request->guard);
    if (!right || !succeeded(reply, cudaDeviceSynchronize(), "the kernel"))
        return;
    adapter_host.close();
    for (uint32_t i = 0; i < request->buffer_count; i++)
        adapter_host.release(runner->host[i]);
    succeeded(reply, cudaGetLastError(), "after the run");
}

static void call_host(struct runner *runner, const struct runner_request *request,
                      struct runner_reply *reply) {
    if (open_host(runner, request, reply))
        close_host(runner, run_on_host(runner, request, reply), reply);
}

/* Most functions have no version for the host. */
__attribute__((weak)) int adapter_call_cpu(void *const buffer[], const int64_t size[]) {
    (void)buffer, (void)size;
    return 0;
}

/* The host's version, on the shared memory itself. */
static void call_cpu(struct runner *runner, const struct runner_request *request,
                     struct runner_reply *reply) {
    void *content[RUNNER_BUFFERS] = {NULL};
    for (uint32_t i = 0; i < request->buffer_count; i++)
        content[i] = runner->memory + request->buffer[i].offset + request->guard;
    double begin_us = now_us();
    int called = adapter_call_cpu(content, request->size);
    reply->time_us = now_us() - begin_us;
    if (called)
        return;
    reply->error = -1;
    snprintf(reply->what, sizeof reply->what, "%s_cpu", adapter_function);
    snprintf(reply->error_name, sizeof reply->error_name, "there is no such function");
    snprintf(reply->error_text, sizeof reply->error_text, "it must be defined, extern \"C\", in kernel.cu");
}

static void fetch(struct runner *runner, struct runner_reply *reply) {
    const struct runner_request *prepared = &runner->prepared;
    for (uint32_t i = 0; i < prepared->buffer_count; i++) {
        const struct runner_buffer *buffer = &prepared->buffer[i];
        if (!succeeded(reply,
                       cudaMemcpy(runner->memory + buffer->offset, runner->allocation[i],
                                  buffer->bytes + 2 * (uint64_t)prepared->guard, cudaMemcpyDeviceToHost),
                       "cudaMemcpy of the output"))
            break;
    }
    release(runner);
}

/* The judge is trusted, but a request that does not fit the memory would be a bug worth stopping at. */
static int fits(const struct runner *runner, const struct runner_request *request) {
    if (request->buffer_count > RUNNER_BUFFERS)
        return 0;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        uint64_t whole = request->buffer[i].bytes + 2 * (uint64_t)request->guard;
        if (request->gate != 0 || request->buffer[i].address != 0)
            continue; /* in the owner's memory, at its beginning too; not in the one shared with the judge */
        if (request->buffer[i].offset > runner->memory_bytes ||
            whole > runner->memory_bytes - request->buffer[i].offset)
            return 0;
    }
    return 1;
}

static int descriptor(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    long value = text != NULL ? strtol(text, &end, 10) : -1;
    return end != NULL && *end == '\0' && value >= 0 && value < 1 << 20 ? (int)value : -1;
}

static int connect_to_judge(struct runner *runner) {
    int memory = descriptor(RUNNER_MEMORY);
    struct stat status;
    runner->socket = descriptor(RUNNER_SOCKET);
    if (runner->socket < 0 || (memory >= 0 && fstat(memory, &status) != 0)) {
        fprintf(stderr, "this program is started by build/bin/lab; use `make lab1`\n");
        return 0;
    }
    unsetenv(RUNNER_SOCKET);
    unsetenv(RUNNER_MEMORY);
    if (memory < 0)
        return 1;
    runner->memory_bytes = (uint64_t)status.st_size;
    void *mapped = mmap(NULL, runner->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    if (mapped == MAP_FAILED) {
        perror("mmap of the shared memory");
        return 0;
    }
    runner->memory = mapped;
    return 1;
}

/* One call of a prepared case. marked: the profiler's marks lie around what is timed. */
static void call_again(struct runner *runner, const struct runner_request *prepared, int on_host, int marked,
                       struct runner_reply *reply) {
    const struct runner_request one_call = {.command = RUNNER_CALL};
    if (on_host) {
        struct runner_request whole = *prepared;
        whole.timed = (uint32_t)marked;
        call_host(runner, &whole, reply);
        return;
    }
    if (marked && !succeeded(reply, cudaProfilerStart(), "cudaProfilerStart"))
        return;
    call(runner, &one_call, reply);
    if (marked && reply->error == 0)
        succeeded(reply, cudaProfilerStop(), "cudaProfilerStop");
}

/* A prepared case, called once or `calls` times, for a profiler that wraps this program; timed: of a problem of the host's
 * memory too, and the last call is marked. Returns the exit status. */
static int replay(struct runner *runner, const char *path) {
    struct runner_request request;
    struct runner_reply reply = {0};
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0 || status.st_size <= RUNNER_REPLAY_OFFSET ||
        read(file, &request, sizeof request) != (ssize_t)sizeof request) {
        fprintf(stderr, "%s: not a case to replay\n", path);
        return 2;
    }
    runner->memory_bytes = (uint64_t)status.st_size - RUNNER_REPLAY_OFFSET;
    void *mapped =
        mmap(NULL, runner->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, RUNNER_REPLAY_OFFSET);
    close(file);
    if (mapped == MAP_FAILED)
        return 2;
    runner->memory = mapped;
    if (!fits(runner, &request))
        return 2;
    int on_host = request.timed && &adapter_host != NULL;
    if (!on_host)
        prepare(runner, &request, &reply);
    uint32_t calls = request.calls > 0 ? request.calls : 1;
    for (uint32_t i = 0; i < calls && reply.error == 0; i++)
        call_again(runner, &request, on_host, request.timed && i + 1 == calls, &reply);
    if (!on_host)
        release(runner);
    if (reply.error != 0)
        fprintf(stderr, "%s: %s\n", reply.what, reply.error_name);
    return reply.error != 0;
}

int main(void) {
    struct runner runner = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *replayed = getenv(RUNNER_REPLAY);
    if (replayed == NULL && !connect_to_judge(&runner))
        return 2;
    struct runner_reply begin = {0};
    if (succeeded(&begin, cudaStreamCreateWithFlags(&runner.stream, cudaStreamNonBlocking),
                  "cudaStreamCreate") &&
        succeeded(&begin, cudaEventCreate(&runner.start), "cudaEventCreate"))
        succeeded(&begin, cudaEventCreate(&runner.stop), "cudaEventCreate");
    if (replayed != NULL)
        return replay(&runner, replayed);

    struct runner_request request;
    for (;;) {
        ssize_t length = recv(runner.socket, &request, sizeof request, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length != (ssize_t)sizeof request || request.command == RUNNER_QUIT || !fits(&runner, &request))
            return length == 0 || request.command == RUNNER_QUIT ? 0 : 2;
        struct runner_reply reply = begin;
        reply.command = request.command;
        reply.sequence = request.sequence;
        if (begin.error == 0) {
            switch (request.command) {
            case RUNNER_DESCRIBE: describe(&runner, &reply); break;
            case RUNNER_PREPARE: prepare(&runner, &request, &reply); break;
            case RUNNER_CALL: call(&runner, &request, &reply); break;
            case RUNNER_CALL_HOST: call_host(&runner, &request, &reply); break;
            case RUNNER_OPEN_HOST: open_host(&runner, &request, &reply); break;
            case RUNNER_RUN_HOST: run_on_host(&runner, &request, &reply); break;
            case RUNNER_CLOSE_HOST: close_host(&runner, true, &reply); break;
            case RUNNER_CALL_CPU: call_cpu(&runner, &request, &reply); break;
            case RUNNER_COPY: copy(&runner, &request, &reply); break;
            case RUNNER_FETCH: fetch(&runner, &reply); break;
            case RUNNER_SHARE: share(&runner, &request, &reply); break;
            default: return 2;
            }
        }
        if (send(runner.socket, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            return 2;
    }
}

/*
 * client.h: what the library's files share: one connection to a simulated GPU, opened by the first call that
 * needs it, and what the program registered. Like the runtime it stands for, the library has one state per
 * process; it is all in `struct client`, reached by client_acquire.
 */
#ifndef RUNTIME_CLIENT_CLIENT_H
#define RUNTIME_CLIENT_CLIENT_H

#include "gpu/runtime/client/types.h"
#include "gpu/runtime/protocol.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* A function the program may call. */
#define API __attribute__((visibility("default")))

struct client_module;
struct client_capture;

/* A kernel the program registered; the cudaKernel_t of CUDA 13 points to it. */
struct cuda_kernel {
    const void *host; /* its host stub's address */
    const char *name; /* mangled */
    struct client_module *module;
    bool known; /* info and parameters are filled */
    struct reply_kernel info;
    struct reply_parameter *parameters;
    struct cuda_kernel *next;
};

struct client_variable {
    const void *host; /* its host shadow; managed: where the program keeps the pointer */
    const char *name;
    uint64_t size;
    bool managed, known;
    uint64_t address;
    struct client_module *module;
    struct client_variable *next;
};

struct client_module {
    const void *image;        /* the fat binary in the program */
    const void *const *units; /* what a device linker made it of, NULL at the end; NULL: none did */
    bool tried;               /* sent to the simulated GPU ... */
    cudaError_t error;        /* ... which said this */
    uint32_t id;
    bool managed_ready; /* pointers of managed variables are set */
    struct client_module *next;
};

/* Memory of both sides, as it is mapped here. */
struct client_region {
    uint64_t address, bytes;
    uint32_t memory, flags; /* enum protocol_memory; as given to cudaHostAlloc or cudaHostRegister */
    struct client_region *next;
};

enum client_connection { NOT_CONNECTED, CONNECTED, CONNECTION_FAILED };

struct client {
    pthread_mutex_t lock; /* held for every call that looks at the state */
    enum client_connection connection;
    cudaError_t failure; /* of the connection */
    int socket;
    bool given;    /* the socket came with SIMGPU_FD */
    pid_t process; /* who opened it: a fork has no simulated GPU */
    uint8_t *transfer;
    struct reply_hello device;
    uint32_t sticky;
    uint64_t output_bytes;
    struct client_module *modules;
    struct cuda_kernel *kernels;
    struct client_variable *variables;
    struct client_region *regions;
    uint64_t stack, heap, print, persisting;
    unsigned device_flags;
    int cache_config, shared_config;
    uint64_t pool_threshold;
    struct client_capture *capture; /* graph.c; NULL: no stream is captured */
    uint32_t
        unseen_launches; /* by <<<>>>, that did not start, and of which no error has been asked for since */
    char unseen_kernel[64]; /* the first of them */
    bool reminds;           /* at exit */
};

/* Of L2 sixteenths are set aside for data that stays, three of them at first (seen on an H200). */
enum { PERSISTING_PARTS = 16, PERSISTING_PARTS_AT_FIRST = 3 };
static inline uint64_t client_default_persisting(const struct reply_hello *device) {
    return device->l2_persisting_bytes ? device->l2_bytes / PERSISTING_PARTS * PERSISTING_PARTS_AT_FIRST : 0;
}

/* The state, locked; to be released. */
struct client *client_acquire(void);
void client_release(struct client *client);
/* The state, for who holds the lock already: the fork handlers. */
struct client *client_state(void);

/* Connect if need be. Not 0: the error every call answers (no device, a simulated GPU that is gone, a fork). */
cudaError_t client_connect(struct client *client);
/* Send the modules that are registered, where the simulated GPU was given. */
void client_load_given(struct client *client);

/*
 * Send a request (its struct and `tail`) and wait for the reply. `answer` (may be NULL) takes `answer_bytes`
 * of it. Messages from the simulated GPU go to standard error. Returns the call's error.
 */
cudaError_t client_call(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, void *answer,
                        size_t answer_bytes);
/* The same without a tail, for a request struct variable. */
#define CLIENT_CALL(client, operation, request, answer, answer_bytes)                                        \
    client_call(client, operation, &(request), sizeof(request), NULL, 0, answer, answer_bytes)
/* The reply's descriptor and a reply of any length: *bytes is malloc'd when the error is 0. */
cudaError_t client_call_whole(struct client *client, enum protocol_operation operation, const void *request,
                              size_t request_bytes, const void *tail, size_t tail_bytes, void **bytes,
                              size_t *size, int *descriptor);
/* Print what kernels have printed: at every call that waits for the device. */
void client_flush_output(struct client *client);
/* One line on standard error, with the library's name. */
void client_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remember an error for cudaGetLastError and return it. Every API function ends with it. */
cudaError_t client_finish(cudaError_t error);

/* Handles that the program holds: the simulated GPU's number of a stream or event, marked so that others are
 * told apart. */
cudaStream_t client_stream_handle(uint32_t id);
bool client_stream_id(cudaStream_t stream, uint32_t *id);
cudaEvent_t client_event_handle(uint32_t id);
bool client_event_id(cudaEvent_t event, uint32_t *id);

/* The kernel behind a host function's address (or a cudaKernel_t), with its info; *error says why not. */
struct cuda_kernel *client_kernel(struct client *client, const void *function, cudaError_t *error);
struct client_variable *client_variable(struct client *client, const void *symbol, cudaError_t *error);
/* Set the pointers of managed variables of every module, before a kernel or the host uses them. */
cudaError_t client_managed_variables(struct client *client, struct client_module *module);

/* Map memory of both sides that the simulated GPU made. */
cudaError_t client_map(struct client *client, uint64_t address, uint64_t bytes, uint32_t memory,
                       unsigned flags, int descriptor);
struct client_region *client_region_at(struct client *client, uint64_t address);
/* Drop every region: after a reset. */
void client_unmap_all(struct client *client);
/* Whether an address belongs to the device's own memory. */
bool client_is_device_address(uint64_t address);

/* A copy as all of cudaMemcpy's family ask it: height rows of width bytes. */
struct client_copy {
    uint64_t to, to_pitch, from, from_pitch, width, height;
    int kind; /* enum cuda_copy_kind */
    uint32_t stream;
    bool blocking;
};
cudaError_t client_copy(struct client *client, const struct client_copy *copy);

/* ---- graph.c: stream capture and graphs. While a stream is captured, requests are kept instead of sent:
 * kernels, copies, fills, and the events between streams. A graph is that list; a launch sends it on streams
 * of its own. Host functions, allocations, child graphs and pageable memory are refused by name. */
/* Whether the stream of this number is being captured. */
bool client_graph_captures(const struct client *client, uint32_t stream);
/* Called with every request before it is sent. True: the capture has taken it, or refuses it: *error says. */
bool client_graph_takes(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, cudaError_t *error);
/* A capture cannot hold this; it is void from here on. What is asked for, for a person. */
cudaError_t client_graph_refuses(struct client *client, const char *what);

/* ---- early.c, with CHECK=1: the host touches memory of both sides before it waited for the work that reads
 * or writes this memory. Without CHECK these functions do nothing. The caller holds the client's lock. */
/* Around a launch; `kernel`: its number, for one that cannot speak with the host while it runs. */
void client_early_before_launch(struct client *client);
void client_early_after_launch(struct client *client, uint32_t kernel);
/* A kernel was launched that may speak with the host while it runs: it may tell that what was copied before it is done. */
void client_early_may_hear(struct client *client);
/* An asynchronous copy to pinned host memory was given, or from it: its bytes there. */
void client_early_copied(struct client *client, uint64_t to, uint64_t bytes);
void client_early_copied_from(struct client *client, uint64_t from, uint64_t bytes);
/* The system is about to write (is_store) or read these bytes for the program, whoever's they are: with the caller's
 * lock or without. */
void client_early_system_call(const void *buffer, size_t bytes, bool is_store);
/* system_calls.c: whether the program's system calls come to client_early_system_call. */
bool client_early_has_system_calls(void);
/* The library itself is about to touch the program's memory; it has done so. */
void client_early_open(struct client *client);
void client_early_close(struct client *client);
/* The host has waited, or asked whether work has ended, or freed: all memory is its own. Tells what was touched. */
void client_early_waited(struct client *client);

/* The body of most functions: take the state, connect, do, release. The statements may set `error`. */
#define WITH_DEVICE(...)                                                                                     \
    struct client *client = client_acquire();                                                                \
    cudaError_t error = client_connect(client);                                                              \
    if (error == cudaSuccess) {                                                                              \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    client_release(client);                                                                                  \
    return client_finish(error)

#endif

/* client.h: what the library's files share: the connection to a simulated GPU, which the first call
 * opens, and what the program registered. As in the CUDA runtime, a process has one state: struct
 * client, through client_acquire. */
#ifndef RUNTIME_CLIENT_CLIENT_H
#define RUNTIME_CLIENT_CLIENT_H

#include "gpu/runtime/client/types.h"
#include "gpu/runtime/protocol.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* Marks a function that programs may call. */
#define API __attribute__((visibility("default")))

struct client_module;
struct client_capture;
struct graph;
struct graph_memory;
struct node_work;

/* A kernel that the program registered; CUDA 13's cudaKernel_t points to it. */
struct cuda_kernel {
    const void *host; /* address of its host stub */
    const char *name; /* mangled */
    struct client_module *module;
    bool known; /* info and parameters are filled */
    struct reply_kernel info;
    struct reply_parameter *parameters;
    struct cuda_kernel *next;
};

struct client_variable {
    const void *host; /* address of its host variable; managed: of the host's pointer */
    const char *name;
    uint64_t size;
    bool managed, known;
    uint64_t address;
    struct client_module *module;
    struct client_variable *next;
};

struct client_module {
    const void *image;        /* the program's fat binary */
    const void *const *units; /* input files of the device linker, NULL at the end; NULL: not linked */
    bool tried;               /* the module was sent to the simulated GPU ... */
    cudaError_t error;        /* ... which answered this */
    uint32_t id;
    bool managed_ready; /* pointers of managed variables are set */
    struct client_module *next;
};

/* Memory that host and device share, as it is mapped here. */
struct client_region {
    uint64_t address, bytes;
    uint32_t memory, flags; /* enum protocol_memory; flags of cudaHostAlloc or cudaHostRegister */
    struct client_region *next;
};

enum client_connection { NOT_CONNECTED, CONNECTED, CONNECTION_FAILED };

struct client {
    pthread_mutex_t lock; /* held by each call that uses the state */
    enum client_connection connection;
    cudaError_t failure; /* of the connection */
    int socket;
    bool given;    /* the socket is that of SIMGPU_FD */
    pid_t process; /* that opened the connection; a forked child has no simulated GPU */
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
    struct client_capture *capture;    /* capture.c; NULL: no stream is captured */
    struct graph_memory *graph_memory; /* node.c: what nodes of graphs have allocated */
    uint64_t graph_nodes;              /* added so far, to number them */
    uint32_t unseen_launches;          /* launches by <<<>>> that failed since the last query for errors */
    char unseen_kernel[64];            /* the first of them */
    bool reminds;                      /* prints a reminder at exit */
};

/* Sixteenths of L2 reserved for persisting data: at most; at first (measured on an H200). */
enum { PERSISTING_PARTS = 16, PERSISTING_PARTS_AT_FIRST = 3 };
static inline uint64_t client_default_persisting(const struct reply_hello *device) {
    return device->l2_persisting_bytes ? device->l2_bytes / PERSISTING_PARTS * PERSISTING_PARTS_AT_FIRST : 0;
}

/* Locks and returns the state; client_release unlocks it. */
struct client *client_acquire(void);
void client_release(struct client *client);
/* The state, for callers that hold the lock: the fork handlers. */
struct client *client_state(void);

/* Connects if there is no connection. An error is the answer of every call: no device, the
 * simulated GPU has ended, a fork. */
cudaError_t client_connect(struct client *client);
/* Sends the registered modules if the simulated GPU was given (SIMGPU_FD). */
void client_load_given(struct client *client);

/* Sends a request (its struct and `tail`) and waits for the reply, of which `answer` (may be NULL)
 * takes `answer_bytes`. Messages of the simulated GPU go to standard error. Returns the error. */
cudaError_t client_call(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, void *answer,
                        size_t answer_bytes);
/* client_call without a tail, for a variable that is a request struct. */
#define CLIENT_CALL(client, operation, request, answer, answer_bytes)                                        \
    client_call(client, operation, &(request), sizeof(request), NULL, 0, answer, answer_bytes)
/* Like client_call, for a reply of any length and its descriptor. *bytes is malloc'd on success. */
cudaError_t client_call_whole(struct client *client, enum protocol_operation operation, const void *request,
                              size_t request_bytes, const void *tail, size_t tail_bytes, void **bytes,
                              size_t *size, int *descriptor);
/* Prints what kernels have printed; every call that waits for the device does this. */
void client_flush_output(struct client *client);
/* Prints one line on standard error, with the library's name. */
void client_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Stores an error for cudaGetLastError and returns it. Every API function ends with this call. */
cudaError_t client_finish(cudaError_t error);

/* Handles for the program: the simulated GPU's number of a stream or event, with a mark that tells
 * the kinds apart. */
cudaStream_t client_stream_handle(uint32_t id);
bool client_stream_id(cudaStream_t stream, uint32_t *id);
cudaEvent_t client_event_handle(uint32_t id);
bool client_event_id(cudaEvent_t event, uint32_t *id);

/* The kernel behind a host function's address (or a cudaKernel_t). NULL: *error says why. */
struct cuda_kernel *client_kernel(struct client *client, const void *function, cudaError_t *error);
struct client_variable *client_variable(struct client *client, const void *symbol, cudaError_t *error);
/* Sets the module's pointers of managed variables before a kernel or the host uses them. */
cudaError_t client_managed_variables(struct client *client, struct client_module *module);

/* Maps memory that simgpu made for host and device. */
cudaError_t client_map(struct client *client, uint64_t address, uint64_t bytes, uint32_t memory,
                       unsigned flags, int descriptor);
struct client_region *client_region_at(struct client *client, uint64_t address);
/* Unmaps every region after a reset. */
void client_unmap_all(struct client *client);
/* Whether an address belongs to the device's own memory. */
bool client_is_device_address(uint64_t address);

/* A copy as the cudaMemcpy family describes it: height rows of width bytes. */
struct client_copy {
    uint64_t to, to_pitch, from, from_pitch, width, height;
    int kind; /* enum cuda_copy_kind */
    uint64_t site;
    uint32_t stream;
    bool blocking;
};
cudaError_t client_copy(struct client *client, const struct client_copy *copy);
/* A pitched box, slice by slice. */
cudaError_t client_copy_box(struct client *client, const struct cuda_copy_3d *box, uint32_t stream,
                            bool blocking, uint64_t site);
/* Refuses a box in an array, which is not simulated. */
cudaError_t client_box_arrays(const struct cuda_copy_3d *box);

/* memory.c: device memory; freed in stream order, without a wait. */
cudaError_t client_allocate(struct client *client, void **pointer, size_t bytes);
void client_free_ordered(struct client *client, void *pointer);

/* Arranges a launch's arguments as in the kernel's parameter buffer. */
cudaError_t client_arguments(const struct cuda_kernel *kernel, void **arguments, uint8_t *buffer);

/* ---- graphs (graph.h). Work given to a captured stream becomes a graph's node. */
/* Whether the stream with this number is being captured. */
bool client_graph_captures(const struct client *client, uint32_t stream);
/* To be called for every request before it is sent. True: the capture stores it, or *error. */
bool client_graph_takes(struct client *client, enum protocol_operation operation, const void *request,
                        const void *tail, cudaError_t *error);
/* What is no request becomes a node of a captured stream: a copy, a host function, memory. */
cudaError_t client_graph_takes_copy(struct client *client, const struct client_copy *copy);
cudaError_t client_graph_takes_host(struct client *client, uint32_t stream, void (*function)(void *),
                                    void *data);
cudaError_t client_graph_takes_memory(struct client *client, uint32_t stream, void **pointer, size_t bytes);
cudaError_t client_graph_takes_free(struct client *client, uint32_t stream, void *pointer);
/* Whether a graph's memory lies there. It is then marked as free, and stays the graph's. *error: it
 * was free already. */
bool client_graph_frees(struct client *client, const void *pointer, cudaError_t *error);
/* A reset has taken the memory of all graphs. */
void client_graph_forgets(struct client *client);

/* The last of a launch's attributes with that name; NULL: there is none. */
const struct cuda_launch_attribute *client_attribute(const struct cuda_launch_config *config, int id);

/* ---- early.c, with CHECK=1: finds host accesses to managed or pinned memory before the host has
 * waited for the work that uses it. Without CHECK these functions do nothing. client_acquire opens
 * all memory for the library, client_release closes what the host must not access. */
void client_early_open(void);
void client_early_close(struct client *client);
/* A request is about to be sent: reports the accesses found until now. */
void client_early_tell(struct client *client, enum protocol_operation operation);
/* Also without CHECK=1: from now on the host's use of a device pointer is told; what was allocated. */
void client_early_listen(void);
void client_early_allocated(uint64_t address, uint64_t bytes);
/* The system is about to write (is_store) or read these bytes of any memory for the program. The
 * caller need not hold the lock. */
void client_early_system_call(const void *buffer, size_t bytes, bool is_store);
/* system_calls.c: whether client_early_system_call sees the program's system calls. */
bool client_early_has_system_calls(void);

/* The place in the program's file that an address in its code has; 0: it is not the program's
 * own. */
uint64_t client_site(const void *address);
/* Where the program calls the API function that this stands in. */
#define CALL_SITE client_site(__builtin_return_address(0))

/* The body of most functions: locks the state, connects, runs the statements, unlocks. The
 * statements may set `error`. */
#define WITH_DEVICE(...)                                                                                     \
    struct client *client = client_acquire();                                                                \
    cudaError_t error = client_connect(client);                                                              \
    if (error == cudaSuccess) {                                                                              \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    client_release(client);                                                                                  \
    return client_finish(error)

#endif

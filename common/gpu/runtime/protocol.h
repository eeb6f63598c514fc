/*
 * protocol.h: what libcudart.so and simgpu say to each other. One request, one reply, in order, over a stream
 * socket; the bytes of copies go through a buffer both have mapped. Both sides are built together: integers
 * are the machine's own.
 *
 * The simulated GPU trusts nothing it receives: sizes are checked before they are used, names are looked up,
 * addresses belong to an allocation or the request is refused. The client trusts its simulated GPU.
 */
#ifndef RUNTIME_PROTOCOL_H
#define RUNTIME_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* Bytes of a page of this machine: 4096, on some aarch64 systems 16384 or 65536. */
static inline uint64_t page_bytes(void) {
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

enum { PROTOCOL_VERSION = 7 };
enum { PROTOCOL_TRANSFER_BYTES = 1 << 20 }; /* the shared buffer for copies: stays in the processor's cache */
enum { PROTOCOL_MAX_REQUEST_BYTES = 1 << 29 }; /* a fat binary is the largest */
enum { PROTOCOL_MAX_MESSAGE_BYTES = 2048 };
enum { PROTOCOL_MAX_NAME_BYTES = 16384 };

// clang-format off
/* X(operation, request struct, whether bytes of variable length follow it, what it does) */
#define PROTOCOL_OPERATIONS(X)                                                                                         \
    X(HELLO, request_hello, 0, "first request; the reply carries the transfer buffer's descriptor")                    \
    X(MODULE_LOAD, request_module, 1, "bytes: fat binaries")                                                           \
    X(MODULE_UNLOAD, request_id, 0, "")                                                                                \
    X(KERNEL, request_id, 1, "id: module; bytes: a kernel's name")                                                     \
    X(VARIABLE, request_id, 1, "id: module; bytes: a variable's name")                                                 \
    X(KERNEL_ATTRIBUTE, request_kernel_attribute, 0, "set one")                                                        \
    X(LAUNCH, request_launch, 1, "bytes: the parameter buffer")                                                        \
    X(OCCUPANCY, request_occupancy, 0, "")                                                                             \
    X(ALLOCATE, request_allocate, 0, "device memory")                                                                  \
    X(ALLOCATE_SHARED, request_allocate_shared, 0, "memory of both sides; the reply carries its descriptor")           \
    X(FREE, request_free, 0, "device or shared memory")                                                                \
    X(POINTER, request_address, 0, "what allocation holds an address")                                                 \
    X(MEMORY_INFO, request_none, 0, "")                                                                                \
    X(COPY, request_copy, 0, "begin a copy; one inside the device is done at once")                                    \
    X(TRANSFER, request_transfer, 0, "a part of a copy, by the transfer buffer")                                       \
    X(FILL, request_fill, 0, "memset")                                                                                 \
    X(STREAM_CREATE, request_stream_create, 0, "")                                                                     \
    X(STREAM_DESTROY, request_id, 0, "")                                                                               \
    X(STREAM_INFO, request_id, 0, "")                                                                                  \
    X(STREAM_WAIT, request_pair, 0, "first: stream, second: event")                                                    \
    X(EVENT_CREATE, request_id, 0, "id: the flags")                                                                    \
    X(EVENT_DESTROY, request_id, 0, "")                                                                                \
    X(EVENT_RECORD, request_pair, 0, "first: event, second: stream")                                                   \
    X(EVENT_ELAPSED, request_pair, 0, "from the first to the second")                                                  \
    X(SYNCHRONISE, request_synchronise, 0, "the host waits for a stream, an event or the device")                      \
    X(GRAPH, request_id, 0, "id: 1, what follows comes from a graph that is launched; 0, not; 2, it goes on")          \
    X(HOST, request_host, 1, "the host's own: work that takes time, or a mark; bytes: its name")                       \
    X(OUTPUT, request_none, 0, "take what kernels have printed")                                                       \
    X(LIMITS, request_limits, 0, "stack, heap and printf buffer")                                                      \
    X(EARLY, request_early, 0, "the host touched memory that PENDING told of")                                         \
    X(RESET, request_none, 0, "cudaDeviceReset: as after HELLO")                                                       \
    X(END, request_none, 0, "the program ends: what is still to be said")                                              \
    X(PENDING, request_none, 0, "reply_pending of all memory of both sides that work may still touch")

enum protocol_operation {
#define PROTOCOL_OPERATION(name, request, variable, what) PROTOCOL_##name,
    PROTOCOL_OPERATIONS(PROTOCOL_OPERATION)
#undef PROTOCOL_OPERATION
        PROTOCOL_OPERATION_COUNT
};

struct request_header {
    uint32_t operation, bytes; /* bytes: of the request struct and what follows it */
};

/* After the header come `bytes` of the reply struct and `message_bytes` of text for the person at the terminal. */
struct reply_header {
    uint32_t error;         /* a cudaError_t: this call's */
    uint32_t sticky;        /* a cudaError_t: what every later call will answer, 0 while all is well */
    uint32_t bytes, message_bytes;
    uint64_t output_bytes;  /* printed by kernels and not yet taken */
};

/* Memory of both sides. MANAGED: simgpu picks an address that is free in both. PINNED: the same, and its copies are fast.
 * REGISTERED: the client names the address. */
enum protocol_memory { PROTOCOL_DEVICE, PROTOCOL_MANAGED, PROTOCOL_PINNED, PROTOCOL_REGISTERED };

enum protocol_direction {
    PROTOCOL_TO_DEVICE,
    PROTOCOL_FROM_DEVICE,
    PROTOCOL_IN_DEVICE,
    PROTOCOL_IN_HOST /* only its order and time matter to simgpu */
};

struct request_none { char unused[1]; };
struct request_hello { uint32_t version; };
struct request_id { uint32_t id; };
struct request_pair { uint32_t first, second; };
struct request_address { uint64_t address; };
/* The bytes that follow are containers, one after the other: the program's fat binary; then, of one that a device linker
 * has made, the `units` it was made of, which hold the PTX. */
struct request_module { uint32_t units; };
struct request_kernel_attribute { uint32_t kernel, attribute; int32_t value; };
struct request_launch {
    uint32_t kernel, stream, grid[3], block[3];
    uint64_t dynamic_shared, site; /* site: where the program's code asks for it, in its file; 0: not known */
    uint32_t cooperative, cluster[3]; /* cluster: blocks; 0: as the kernel was compiled */
    uint32_t programmatic, padding;   /* programmatic: it may begin before the kernel before it has ended */
};
struct request_occupancy {
    uint32_t kernel, threads;
    uint64_t dynamic_shared;
    uint32_t wanted_blocks; /* 0: count the blocks; else: the dynamic shared memory each may have */
};
struct request_allocate { uint64_t bytes; uint32_t stream, ordered; }; /* ordered: in stream order, by a pool */
struct request_allocate_shared { uint64_t address, bytes; uint32_t memory; };
struct request_free { uint64_t address; uint32_t memory, stream; uint32_t ordered; /* 1: in stream order, no wait */ };
/* height rows of width bytes; a pitch is the bytes from one row to the next. The host side's address is 0 where
 * simgpu cannot reach it; `host` is then where it lies in the program, by which a judge knows its buffers again. */
struct request_copy {
    uint64_t to, to_pitch, from, from_pitch, width, height, host, site;
    uint32_t direction, stream;
    uint32_t blocking, pinned;
    uint32_t buffered; /* it fits the transfer buffer: moved at once, from there or to there */
};
struct request_transfer {
    uint64_t address, pitch, width, height; /* of the device side; in the buffer rows follow each other */
    uint32_t direction;
};
struct request_fill {
    uint64_t address, pitch, width, height, site; /* width in bytes */
    uint32_t value, stream, blocking, element_bytes; /* value: of elements of 1, 2 or 4 bytes; 0: of bytes */
};
struct request_stream_create { uint32_t flags; int32_t priority; };
/* HOST_FUNCTION: it runs when the stream's work so far is done, and the host does not wait for
 * it. */
enum protocol_wait { PROTOCOL_WAIT_DEVICE, PROTOCOL_WAIT_STREAM, PROTOCOL_WAIT_EVENT, PROTOCOL_HOST_FUNCTION };
struct request_synchronise { uint32_t what, id, query; /* query: only ask, the host's clock stands still */ };
struct request_host { double microseconds; }; /* 0: a mark */
struct request_limits { uint64_t stack, heap, print; };

struct request_early { uint64_t address, bytes, site; uint32_t is_store; };

/* Replies; an operation not named here replies without a struct, or with reply_value. */
struct reply_hello {
    uint32_t version;
    char id[32], name[64];
    uint32_t compute_major, compute_minor, sm_count, max_threads_per_sm, max_blocks_per_sm, max_threads_per_block;
    uint32_t max_block[3], max_grid[3];
    uint32_t registers_per_sm, registers_per_block;
    uint32_t shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved;
    uint64_t memory_bytes, l2_bytes;
    uint32_t l2_persisting_bytes, l2_window_bytes;
    uint32_t clock_khz, memory_clock_khz, memory_bus_bits;
    uint64_t stack, heap, print; /* the limits' defaults */
};
struct reply_value { uint64_t value; };
struct reply_pending { uint64_t address, bytes, changes; }; /* changes: work may write there, else it reads */
struct reply_variable { uint64_t address, bytes; uint32_t managed; };
struct reply_parameter { uint32_t offset, size; };
struct reply_kernel { /* followed by parameter_count reply_parameters */
    uint32_t id, parameter_count, parameter_bytes;
    uint32_t registers, static_shared, local_bytes, constant_bytes, max_threads, max_dynamic_shared;
    int32_t carveout;
    uint32_t signals; /* it may speak with the host while it runs: volatile accesses, fences */
    uint32_t ptx_version, binary_version; /* 10 × major + minor */
};
struct reply_pointer { uint64_t start, bytes; uint32_t memory; };
struct reply_memory_info { uint64_t free, total; };
struct reply_stream { uint32_t flags; int32_t priority; };
struct reply_elapsed { double milliseconds; };

// clang-format on

/* ---- channel.c: whole messages over the socket, with at most one descriptor beside them. */

/* Send all bytes; `descriptor` (-1: none) travels with the first. False when the other side is gone. */
bool channel_send(int socket, const void *bytes, size_t size, int descriptor);
/* Receive exactly `size` bytes. A descriptor that comes along is stored in *descriptor, or closed when that
 * is NULL or already holds one. False at the end of the stream or on an error. */
bool channel_receive(int socket, void *bytes, size_t size, int *descriptor);

#endif

/*
 * server.h: the simulated GPU's side, as its files and the judging half share it. Public to main_simgpu.c and the tests:
 * server_open, server_run, server_close, server_say_remarks.
 */
#ifndef RUNTIME_SERVER_H
#define RUNTIME_SERVER_H

#include "gpu/ptx/ptx.h"
#include "gpu/runtime/binding/binding.h"
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/protocol.h"
#include "gpu/runtime/server/launch_report.h"
#include "gpu/runtime/server/timeline.h"
#include "gpu/simt/simt.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- handles.c: numbers for objects that a program creates and destroys. A released number is not soon used
 * again, so a stale one is recognised. */
struct handle_slot {
    void *object;
    uint32_t generation, next_free;
};
struct handles {
    struct handle_slot *slots;
    uint32_t count, capacity, first_free;
};

/* A number, never 0, for a malloc'd object; 0 when out of memory. */
uint32_t handle_new(struct handles *handles, void *object);
/* The object, NULL for a number that is not in use. */
void *handle_object(const struct handles *handles, uint32_t handle);
/* Forget the number and return its object (not freed). */
void *handle_release(struct handles *handles, uint32_t handle);
/* Walk: the object at index 0, 1, ... count-1, NULL where none is. */
void *handle_at(const struct handles *handles, uint32_t index);
/* Release the table itself. */
void handles_free(struct handles *handles);

/* The CUDA errors the simulated GPU answers with, by their numbers in the runtime API. */
enum server_error {
    ERROR_NONE = 0,
    ERROR_INVALID_VALUE = 1,
    ERROR_MEMORY_ALLOCATION = 2,
    ERROR_INITIALIZATION = 3,
    ERROR_INVALID_CONFIGURATION = 9,
    ERROR_INVALID_PITCH = 12,
    ERROR_INVALID_SYMBOL = 13,
    ERROR_INVALID_DEVICE_FUNCTION = 98,
    ERROR_INVALID_KERNEL_IMAGE = 200,
    ERROR_NO_KERNEL_IMAGE = 209,
    ERROR_INVALID_PTX = 218,
    ERROR_INVALID_HANDLE = 400,
    ERROR_NOT_READY = 600,
    ERROR_ILLEGAL_ADDRESS = 700,
    ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    ERROR_LAUNCH_TIMEOUT = 702,
    ERROR_ASSERT = 710,
    ERROR_ALREADY_REGISTERED = 712,
    ERROR_NOT_REGISTERED = 713,
    ERROR_ILLEGAL_INSTRUCTION = 715,
    ERROR_MISALIGNED_ADDRESS = 716,
    ERROR_INVALID_PC = 718,
    ERROR_LAUNCH_FAILURE = 719,
    ERROR_COOPERATIVE_TOO_LARGE = 720,
    ERROR_NOT_PERMITTED = 800,
    ERROR_NOT_SUPPORTED = 801,
};

struct server_options {
    int socket; /* connected to the program */
    int report; /* descriptor of the launch report, -1 none */
    int memory; /* descriptor of memory in common with a judge who reads the report, -1 none */
    const struct server_hooks *hooks; /* the judging half (judge/judge.h) */
    const struct gpu_model *model;
    uint32_t host_threads;
    uint64_t budget; /* warp instructions of one launch, 0: the simulator's default */
    bool strict, races, check, caches;
    bool say_remarks;   /* on standard error, when the program has ended */
    bool timeline;      /* reports what happens when */
    bool time_by_code;  /* the modelled time follows from the machine code, where there is any */
    struct ptxas ptxas; /* makes it where there is none; never with a judge */
    /* The fat binary that the judge's own compiler made of the program. Machine code of any other is not believed; NULL:
     * all machine code is. */
    const uint8_t *compiled;
    size_t compiled_bytes;
};

struct server_kernel {
    struct simt_kernel *simt;
    uint32_t module;             /* index */
    uint32_t max_dynamic_shared; /* 0: never set, what the 48 KB leave */
    int32_t carveout;
    char name[256]; /* demangled */
};

struct server_module {
    struct ptx_module *program;
    struct simt_module *simt;
    struct binding binding;
    uint32_t binary_version; /* architecture of the machine code its resources come from, or of the PTX */
    uint32_t estimated;      /* kernels without machine code, of which nobody was told yet */
};

struct server_event {
    uint32_t flags;
    bool recorded;
    double time;  /* modelled, microseconds */
    void *judged; /* the judging half's, from malloc, freed with the event; or NULL */
};

/* Memory of both sides, by its address in the program. */
struct server_region {
    uint64_t address, bytes;
    uint32_t memory;                 /* enum protocol_memory */
    void *host;                      /* simgpu's mapping, from the start of the first page */
    uint64_t mapped;                 /* bytes of that mapping */
    int descriptor;                  /* of a managed variable, until the program asks for it; else -1 */
    struct judge_exchange *exchange; /* the judging half's; NULL: both sides use the same pages */
    struct server_region *next;
};

enum { SERVER_REMARKS = 256 };

struct server {
    struct server_options options;
    struct simt_device *device;
    struct simt_config config;
    struct timeline timeline;
    struct handles modules, streams, events;
    struct server_kernel *kernels;
    uint32_t kernel_count, kernel_capacity;
    struct server_region *regions;
    uint64_t next_shared_address;
    uint8_t *transfer;
    int transfer_descriptor;
    uint32_t sticky;
    uint64_t stack, heap, print;
    char *output; /* what kernels printed */
    size_t output_bytes, output_capacity;
    bool output_cut;
    struct launch_report report;
    bool timeline_told;          /* as the options or the last command have it */
    bool races, check, caches;   /* as the options or the last command have it */
    struct simt_remark *remarks; /* SERVER_REMARKS of them, when they are to be said */
    uint32_t remark_count, remarks_left_out;
    bool faulted;        /* a launch was refused or stopped, and said so */
    uint64_t granted[2]; /* bytes of copies begun and not yet moved, by direction */
    bool greeted;
    bool judged;       /* a judge reads the report: it, and not the program, gets what kernels print */
    bool launched;     /* a kernel has run since the program last asked for what was printed */
    bool quiet;        /* copies and fills are not reported: outside a judge's calls */
    bool queries_wait; /* asking whether work is done takes the time until it is: while a call is recorded */
    struct judge *judge;
};

/* What a handler answers. `error` starts as 0. */
struct reply {
    uint32_t error;
    uint8_t *bytes; /* malloc'd */
    uint32_t size;
    int descriptor; /* sent along, and closed after; -1 none */
    char message[PROTOCOL_MAX_MESSAGE_BYTES];
};

/* Prepare; false and one line in `error` when it cannot. */
bool server_open(struct server *server, const struct server_options *options, char *error, size_t size);
/* Serve until the program is gone. False when it broke the protocol: a line in `error` says how. */
bool server_run(struct server *server, char *error, size_t size);
void server_close(struct server *server);

/* ---- what the judging half sees of the program's work */

enum server_work_kind {
    SERVER_LAUNCH,
    SERVER_COPY,
    SERVER_TRANSFER, /* a part of a copy */
    SERVER_FILL,
    SERVER_FREE,
    SERVER_RESET
};

/* Bytes from the first to the last of some rows; an address of 0: the program's own memory. */
struct server_range {
    uint64_t address, bytes;
};

struct server_work {
    enum server_work_kind kind;
    const char *name;    /* for messages: a kernel's, "a copy", "cudaFree" */
    const void *request; /* struct request_launch, request_copy, ... */
    uint32_t stream;     /* its number */
    double time_us;      /* modelled; known when the work is entered */
    bool host_waits;     /* until the work is done */
    /* launches */
    struct timeline_stream *timeline_stream;
    uint32_t grid[3], block[3];
    uint64_t instruction_budget; /* warp instructions of this launch; 0: no bound of its own */
    uint64_t instructions;       /* executed */
    const uint8_t *parameters;
    uint32_t parameter_bytes;
    /* copies and fills, and what is freed (`to`) */
    struct server_range to, from;
    uint64_t bytes;
    bool moves;          /* bytes move now, not in parts that follow */
    uint64_t host_wrote; /* bytes of `from` that only the host had until now */
    bool refused, kept;  /* freed: it is no allocation; the judging half frees it later */
};

/* Each is called with what `open` returned. */
struct server_hooks {
    /* The device is there. NULL, and a line in `error`: it cannot judge. */
    struct judge *(*open)(struct server *server, char *error, size_t size);
    /* The device is gone. */
    void (*close)(struct judge *judge);
    /* Obey the commands that have come with the report's socket. */
    void (*obey)(struct judge *judge);
    /* Whether the program may do this now; if not, the reply has the error. A launch gets its shape and budget. */
    bool (*allows)(struct judge *judge, struct server_work *work, struct reply *reply);
    /* The work begins; it ended well (a launch: or was stopped); it has its place in the timeline. */
    void (*begins)(struct judge *judge, struct server_work *work);
    void (*ended)(struct judge *judge, const struct server_work *work);
    void (*entered)(struct judge *judge, const struct server_work *work);
    /* Make a region of both sides reachable for the device; it is about to be unmapped. */
    enum simt_status (*map)(struct judge *judge, struct server_region *region, const char *name);
    void (*unmap)(struct server_region *region);
    /* A request was handled. */
    void (*answered)(struct judge *judge, uint32_t operation, const void *request, uint32_t tail_bytes,
                     const struct reply *reply);
};

/* server/progress.c: signs of life of a launch that runs for long. A judge gets {"running"} lines after two seconds; a
 * terminal gets a line, which is wiped away at the end. Elsewhere a line comes after five seconds, then whenever the time
 * has doubled, and at least each minute. */
struct server_progress {
    struct server *server;
    const char *kernel;
    double start, shown; /* seconds: when the launch began; when the last line was shown, 0: none was */
    bool terminal, drawn;
};
void server_progress_begin(struct server_progress *progress, struct server *server, const char *kernel);
void server_progress_show(void *progress, uint64_t instructions);
void server_progress_end(struct server_progress *progress);

/* server/span.c: report when something happened, if the timeline is asked for. `stream`: its number; -1: the host. */
void server_span(struct server *server, enum span_kind kind, int64_t stream, const char *name, uint64_t bytes,
                 double begin_us, double time_us);

/* server/remark.c: report a remark and keep it for the end; take those that the simulated device has found; print all of
 * them on standard error, once, if the options say so (the caller holds report.writing). */
void server_remark(struct server *server, const struct simt_remark *remark);
void server_take_remarks(struct server *server);
void server_say_remarks(struct server *server);

/* For the handlers. */
void server_reply_say(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for `size` bytes of reply, zeroed; NULL (and an error in the reply) when out of memory. */
void *server_reply_bytes(struct reply *reply, uint32_t size);
void server_reply_value(struct reply *reply, uint64_t value);
/* The CUDA error for what the simulator said. */
uint32_t server_error_of(enum simt_status status);
/* A stream by its number: true, and NULL for the default stream; false (and an error in the reply) if there
 * is none. */
bool server_stream(struct server *server, uint32_t id, struct timeline_stream **stream, struct reply *reply);
/* A new simulated device, as after HELLO and cudaDeviceReset. */
bool server_device_open(struct server *server);
void server_device_close(struct server *server);
/* Drop what kernels printed and nobody asked for. */
void server_drop_output(struct server *server);
struct server_region *server_region_at(struct server *server, uint64_t address);
/* Whether an address is the device's own, or managed. */
bool server_on_device(struct server *server, uint64_t address);
/* Place a __managed__ variable; simt calls it while it loads a module. */
enum simt_status server_place_managed(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);

/* server/code.c: read the machine code of a fat binary, if it is believed, and take over the PTX text. Before a kernel is
 * first used, have ptxas make what is missing, if that is wanted; returns the architecture that the kernel's resources come
 * from. */
void server_code_read(struct server *server, struct server_module *module, const struct fatbin *fatbin,
                      bool believed, struct ptx_text *text, struct reply *reply);
uint32_t server_code_complete(struct server *server, struct server_module *module, struct simt_kernel *kernel,
                              struct reply *reply);

/* server/launch.c: a launch as the simulator takes it; the modelled time of one that has run. */
struct server_timed_launch {
    struct gpu_time time;
    struct gpu_code code;
    bool known;                 /* `code` is what ran */
    bool made;                  /* `code` was made by ptxas */
    char why[KERNEL_TIMED_WHY]; /* a line that says why the time does not follow from the code */
    double share; /* blocks per blocks that run at once on the whole GPU; above 1: several waves */
};
void server_launch_describe(struct server *server, const struct server_kernel *kernel,
                            const struct request_launch *request, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *parameters, struct simt_launch *launch);
void server_launch_time(struct server *server, const struct server_kernel *kernel,
                        const struct simt_launch *launch, const struct simt_result *result,
                        struct server_timed_launch *timed);
void server_launch_time_free(struct server_timed_launch *timed);

/* One handler per operation; `tail` is what follows the request struct. */
#define SERVER_HANDLER(name, request, variable, what)                                                        \
    void server_handle_##name(struct server *server, const struct request *request_, const uint8_t *tail,    \
                              uint32_t tail_bytes, struct reply *reply);
PROTOCOL_OPERATIONS(SERVER_HANDLER)
#undef SERVER_HANDLER

/* Opens a handler's definition: HANDLER(FREE, request_free) { ... } */
#define HANDLER(name, request_type)                                                                          \
    void server_handle_##name(struct server *server __attribute__((unused)),                                 \
                              const struct request_type *request __attribute__((unused)),                    \
                              const uint8_t *tail __attribute__((unused)),                                   \
                              uint32_t tail_bytes __attribute__((unused)),                                   \
                              struct reply *reply __attribute__((unused)))

#endif

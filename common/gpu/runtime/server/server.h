/* server.h: the simulated GPU's side, shared by its files and the judging half. main_simgpu.c and
 * the tests use only server_open, server_run, server_close and server_say_remarks. */
#ifndef RUNTIME_SERVER_H
#define RUNTIME_SERVER_H

#include "base/memo.h"
#include "gpu/ptx/ptx.h"
#include "gpu/runtime/binding/binding.h"
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/protocol.h"
#include "gpu/runtime/server/launch_report.h"
#include "gpu/runtime/server/order.h"
#include "gpu/runtime/server/timeline.h"
#include "gpu/simt/simt.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- handles.c: numbers for objects that a program creates and destroys. A released number is not
 * soon reused, so a stale one is recognised. */
struct handle_slot {
    void *object;
    uint32_t generation, next_free;
};
struct handles {
    struct handle_slot *slots;
    uint32_t count, capacity, first_free;
};

/* Returns a number, never 0, for a malloc'd object; 0: out of memory. */
uint32_t handle_new(struct handles *handles, void *object);
/* The object of a number; NULL: the number is not in use. */
void *handle_object(const struct handles *handles, uint32_t handle);
/* Releases the number and returns its object (not freed). */
void *handle_release(struct handles *handles, uint32_t handle);
/* The object at index of [0, count); NULL: none. */
void *handle_at(const struct handles *handles, uint32_t index);
/* Frees the table itself. */
void handles_free(struct handles *handles);

/* The CUDA errors of the simulated GPU, by their numbers in the runtime API. */
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
    int report; /* descriptor of the launch report; -1: none */
    int memory; /* descriptor of memory shared with a judge who reads the report; -1: none */
    const struct server_hooks *hooks; /* the judging half (judge/judge.h) */
    const struct gpu_model *model;
    uint32_t host_threads;
    uint64_t budget; /* warp instructions of one launch; 0: the simulator's default */
    bool strict, races, check, caches;
    bool results_alone;  /* launches are neither counted nor timed by what they count */
    bool cold;           /* L2 is emptied before each launch */
    bool say_remarks;    /* remarks go to standard error after the program's end */
    bool timeline;       /* spans are reported */
    bool time_by_code;   /* modelled time follows from machine code, where there is any */
    const char *program; /* the program's file, for the lines of its calls; NULL: not looked at */
    struct ptxas ptxas;  /* makes missing machine code; never with a judge */
    /* The fat binary that the judge's own compiler made. Only its machine code is trusted; NULL:
     * all machine code is. */
    const uint8_t *compiled;
    size_t compiled_bytes;
};

struct server_kernel {
    struct simt_kernel *simt;
    uint32_t module;             /* its index */
    uint32_t max_dynamic_shared; /* 0: not set, what the 48 KB leave */
    int32_t carveout;
    bool signals;      /* volatile accesses, fences: it may speak with others while it runs */
    double longest_us; /* of its launches that have what-ifs */
    char name[256];    /* demangled */
};

struct server_module {
    struct ptx_module *program;
    struct simt_module *simt;
    struct binding binding;
    uint32_t binary_version; /* architecture of the code that its resources come from, or of the PTX */
    uint32_t estimated;      /* kernels without machine code, not reported yet */
};

struct server_event {
    uint32_t flags;
    bool recorded;
    double time;               /* modelled, microseconds */
    struct order_event *order; /* malloc'd; NULL: nothing is known */
};

/* Memory that host and device share, by its address in the program. */
struct server_region {
    uint64_t address, bytes;
    uint32_t memory;                 /* enum protocol_memory */
    void *host;                      /* simgpu's mapping, from the start of the first page */
    uint64_t mapped;                 /* bytes of that mapping */
    int descriptor;                  /* of a managed variable, until the program asks for it; else -1 */
    struct judge_exchange *exchange; /* the judging half's; NULL: both sides use the same pages */
    struct server_region *next;
};

enum { SERVER_REMARKS = 256, SERVER_SEEN_BYTES = 32 << 20 };

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
    bool timeline_told;               /* as the options or the last command said */
    bool what_ifs;                    /* launches are reported with them; the last command said so */
    bool races, check, results_alone; /* as the options or the last command said */
    struct simt_remark *remarks;      /* SERVER_REMARKS of them, if options.say_remarks */
    uint32_t remark_count, remarks_left_out;
    bool faulted;        /* a launch was refused or stopped, and reported */
    uint64_t granted[2]; /* bytes of announced copies that have not moved yet, by direction */
    bool greeted;
    bool judged;       /* a judge reads the report, and gets kernels' output */
    bool launched;     /* a kernel has run since the program last read printed text */
    bool quiet;        /* copies and fills are not reported: outside a judge's calls */
    bool queries_wait; /* a query takes the time until the work is done, while a call is recorded or judged */
    bool follows;      /* in a judged call: work that nothing orders is looked for */
    /* launches that were timed before, and linear programmes of their executions that were solved;
     * at most SERVER_SEEN_BYTES each */
    struct memo seen, solved;
    struct order order;
    struct request_copy announced; /* the copy whose parts follow */
    bool announced_waits;          /* the host waits for it */
    struct judge *judge;
};

/* A handler's reply. `error` starts as 0. */
struct reply {
    uint32_t error;
    uint8_t *bytes; /* malloc'd */
    uint32_t size;
    int descriptor; /* sent along, then closed; -1: none */
    char message[PROTOCOL_MAX_MESSAGE_BYTES];
};

/* Prepares a server. False and one line in `error` on failure. */
bool server_open(struct server *server, const struct server_options *options, char *error, size_t size);
/* Serves until the program has ended. False: the program broke the protocol; `error` says how. */
bool server_run(struct server *server, char *error, size_t size);
void server_close(struct server *server);

/* ---- the program's work as the judging half sees it */

enum server_work_kind {
    SERVER_LAUNCH,
    SERVER_COPY,
    SERVER_TRANSFER, /* a part of a copy */
    SERVER_FILL,
    SERVER_FREE,
    SERVER_RESET
};

/* Bytes from the first to the last byte of some rows. Address 0: the program's own memory. */
struct server_range {
    uint64_t address, bytes;
};

struct server_work {
    enum server_work_kind kind;
    const char *name;         /* for messages: a kernel's, "a copy", "cudaFree" */
    const void *request;      /* struct request_launch, request_copy, ... */
    uint32_t stream;          /* its number */
    double begin_us, time_us; /* modelled; known once the work is entered */
    bool host_waits;          /* until the work is done */
    /* launches: */
    struct timeline_stream *timeline_stream;
    uint32_t grid[3], block[3];
    uint64_t instruction_budget; /* warp instructions of this launch; 0: the server's budget alone */
    uint64_t instructions;       /* executed */
    const uint8_t *parameters;
    uint32_t parameter_bytes;
    /* copies, fills, and freed memory (`to`): */
    struct server_range to, from;
    uint64_t bytes;
    bool moves;          /* bytes move now, not in later parts */
    uint64_t host_wrote; /* bytes of `from` that only the host has had */
    bool refused, kept;  /* freed memory: it is no allocation; the judging half frees it later */
    struct order_piece piece;
};

/* The judging half. Each function gets what `open` returned. */
struct server_hooks {
    /* Called when the device is open. NULL and a line in `error`: it cannot judge. */
    struct judge *(*open)(struct server *server, char *error, size_t size);
    /* Called when the device is closed. */
    void (*close)(struct judge *judge);
    /* Obeys the commands that the report's socket has brought. */
    void (*obey)(struct judge *judge);
    /* Whether the program may do this now; otherwise the reply has the error. A launch's shape and
     * budget are set. */
    bool (*allows)(struct judge *judge, struct server_work *work, struct reply *reply);
    /* The work begins; has ended well (a launch: or was stopped); has its place in the timeline. */
    void (*begins)(struct judge *judge, struct server_work *work);
    void (*ended)(struct judge *judge, const struct server_work *work);
    void (*entered)(struct judge *judge, const struct server_work *work);
    /* map: makes a shared region reachable for the device. unmap: about to be unmapped. */
    enum simt_status (*map)(struct judge *judge, struct server_region *region, const char *name);
    void (*unmap)(struct server_region *region);
    /* Called after each handled request. */
    void (*answered)(struct judge *judge, uint32_t operation, const void *request, uint32_t tail_bytes,
                     const struct reply *reply);
};

/* server/progress.c: reports that a long launch still runs. A judge gets {"running"} lines after
 * two seconds; a terminal gets a line that is wiped at the end. Elsewhere a line comes after five
 * seconds, then whenever the time has doubled, at least each minute. */
struct server_progress {
    struct server *server;
    const char *kernel;
    double start, shown; /* seconds: start of the launch; last line, 0: none yet */
    bool terminal, drawn;
};
void server_progress_begin(struct server_progress *progress, struct server *server, const char *kernel);
void server_progress_show(void *progress, uint64_t instructions);
void server_progress_end(struct server_progress *progress);

/* server/span.c: reports a piece of the timeline if it is wanted. stream: its number; -1: the
 * host. */
void server_span(struct server *server, enum span_kind kind, int64_t stream, const char *name, uint64_t bytes,
                 double begin_us, double time_us);

/* server/copy.c: fills the rows of a memset. */
enum simt_status server_fill_rows(struct server *server, const struct request_fill *request);

/* server/unordered.c: around a launch, copy or fill that is done: its place in the order, where
 * CHECK or a recorded call wants to know. */
void server_order_enters(struct server *server, struct server_work *work);
/* Whether launches are to tell what they touch. In a judged call that costs time: from when work
 * could overlap. */
bool server_order_traces(const struct server *server);
/* Fills a piece of that kind by its request; a launch's footprint is known when it has run. */
void server_order_piece(const struct server *server, enum server_work_kind kind, const void *request,
                        struct order_piece *piece);
/* A remark on a call of the program's, at that place in its file. */
void server_remark_call(struct server *server, const char *kind, uint64_t site, const char *message);
/* "nothing orders A, which writes byte 8 of ..., and B, which uses it" */
void server_order_describe(struct server *server, const struct order_piece *first,
                           const struct order_piece *second, uint64_t address, enum footprint_kind kind,
                           char *text, size_t size);

/* server/remark.c: reports a remark and keeps it; takes the remarks of the simulated device; prints
 * all once on standard error if the options say so (the caller holds report.writing). */
void server_remark(struct server *server, const struct simt_remark *remark);
void server_take_remarks(struct server *server);
void server_say_remarks(struct server *server);

/* For the handlers: */
void server_reply_say(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Makes room for `size` zeroed bytes of reply. NULL and an error in the reply: out of memory. */
void *server_reply_bytes(struct reply *reply, uint32_t size);
void server_reply_value(struct reply *reply, uint64_t value);
/* The CUDA error of a simulator's status. */
uint32_t server_error_of(enum simt_status status);
/* Finds a stream by its number: true, with NULL for the default stream. False and an error in the
 * reply: there is none. */
bool server_stream(struct server *server, uint32_t id, struct timeline_stream **stream, struct reply *reply);
/* Makes a new simulated device, as after HELLO and cudaDeviceReset. */
bool server_device_open(struct server *server);
void server_device_close(struct server *server);
/* Drops printed text that was not asked for. */
void server_drop_output(struct server *server);
struct server_region *server_region_at(struct server *server, uint64_t address);
/* Whether an address lies in the device's own memory, or in managed memory. */
bool server_on_device(struct server *server, uint64_t address);
/* Places a __managed__ variable; simt calls it while it loads a module. */
enum simt_status server_place_managed(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);

/* server/code.c: server_code_read reads a fat binary's machine code, if it is trusted, and takes
 * over the PTX text. Before a kernel's first use, server_code_complete has ptxas make missing code
 * if that is wanted. It returns the architecture that the kernel's resources come from. */
void server_code_read(struct server *server, struct server_module *module, const struct fatbin *fatbin,
                      bool believed, struct ptx_text *text, struct reply *reply);
uint32_t server_code_complete(struct server *server, struct server_module *module, struct simt_kernel *kernel,
                              struct reply *reply);

/* server/launch.c: a launch as the simulator takes it, and its modelled time after it has run. */
struct server_timed_launch {
    struct gpu_launch how; /* what `time` was modelled from: points to `code`, and to the result */
    struct gpu_time time;
    struct gpu_code code;
    bool known;                 /* `code` is the machine code of what ran */
    bool made;                  /* ptxas made `code` here */
    enum binding_spin spins;    /* from SPIN_WARPS on `time` serves the timeline alone */
    char why[KERNEL_TIMED_WHY]; /* why the time does not follow from the code, as a line */
    double share; /* blocks / blocks that run at once on the whole GPU; above 1: several waves */
};
void server_launch_describe(struct server *server, const struct server_kernel *kernel,
                            const struct request_launch *request, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *parameters, struct simt_launch *launch);
void server_launch_time(struct server *server, const struct server_kernel *kernel,
                        const struct simt_launch *launch, struct simt_result *result,
                        struct server_timed_launch *timed);
void server_launch_time_free(struct server_timed_launch *timed);

/* One handler for each operation; `tail` follows the request struct. */
#define SERVER_HANDLER(name, request, variable, what)                                                        \
    void server_handle_##name(struct server *server, const struct request *request_, const uint8_t *tail,    \
                              uint32_t tail_bytes, struct reply *reply);
PROTOCOL_OPERATIONS(SERVER_HANDLER)
#undef SERVER_HANDLER

/* Begins a handler's definition: HANDLER(FREE, request_free) { ... } */
#define HANDLER(name, request_type)                                                                          \
    void server_handle_##name(struct server *server __attribute__((unused)),                                 \
                              const struct request_type *request __attribute__((unused)),                    \
                              const uint8_t *tail __attribute__((unused)),                                   \
                              uint32_t tail_bytes __attribute__((unused)),                                   \
                              struct reply *reply __attribute__((unused)))

#endif

/* server.h: the simulated GPU's side, as its files share it. Public to main_simgpu.c and the tests: server_*. */
#ifndef CUDART_SERVER_H
#define CUDART_SERVER_H

#include "cudart/fatbin.h"
#include "cudart/handles.h"
#include "cudart/launch_report.h"
#include "cudart/machine.h"
#include "cudart/protocol.h"
#include "cudart/timeline.h"
#include "ptx/ptx.h"
#include "simt/simt.h"

#include <pthread.h>

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
    int memory; /* descriptor of memory in common with the reader of the report, -1 none (server_judge.c) */
    const struct gpu_model *model;
    uint32_t host_threads;
    uint64_t budget; /* warp instructions of one launch, 0: the simulator's default */
    bool strict, races, check, caches;
    bool say_remarks;   /* on standard error, when the program has ended */
    bool timeline;      /* reports what happens when */
    bool time_by_code;  /* the modelled time follows from the machine code, where there is any */
    struct ptxas ptxas; /* makes it where there is none; never with a judge */
    /* The fat binary that the judge's own compiler made of the program: no other's machine code is believed. NULL: any is. */
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
    struct machine machine;
    uint32_t binary_version; /* architecture of the machine code its resources come from, or of the PTX */
    uint32_t estimated;      /* so many kernels have no machine code, and nobody was told */
};

/* What comes before something, of the work that is recorded: of each lane's, the number of the last, from 1; 0: none
 * (server_order.c). */
enum { SERVER_LANES = 32 };
struct server_clock {
    uint32_t before[SERVER_LANES];
};

struct server_event {
    uint32_t flags;
    bool recorded;
    double time;
    uint64_t recording; /* in which call it was recorded, 0: in none; and after what of it */
    struct server_clock after;
};

/* Memory of both sides, by its address in the program. */
struct server_region {
    uint64_t address, bytes;
    uint32_t memory; /* enum protocol_memory */
    void *host;      /* where simgpu has it, from the page it starts in */
    uint64_t mapped;
    int descriptor; /* of a managed variable, until the program asks for it; else -1 */
    struct server_exchange
        *exchange;    /* with a judge (server_shared.c); NULL: both sides use the same pages */
    bool initialised; /* what a module wrote there is the host's to see */
    struct server_region *next;
};

enum { SERVER_OWNED = 16, SERVER_REMARKS = 256, SERVER_LEFT = 16 };

/* What the reader of the launch report holds of this device, when it is a judge (server_judge.c). */
struct server_judge {
    uint8_t *memory; /* in common with the judge; NULL: no judge, everything is allowed */
    uint64_t bytes;
    uint64_t owned[SERVER_OWNED]; /* its allocations: the program may use but not free them */
    unsigned owned_count;
    bool window;       /* a call is being judged: the program may work */
    bool everywhere;   /* it may at any time: its calls are repeated without it */
    uint64_t left;     /* warp instructions that it may still execute; 0: no bound */
    uint32_t launches; /* in this window */
    bool reshapes;     /* in this window, launch number `reshaped` gets a block of shape[0] x shape[1] */
    uint32_t reshaped, shape[2];
    uint32_t violated; /* kinds that are reported already, by bit */
    bool begun;        /* it has given something: until then there is no input */
    bool knows;        /* the host may have seen some of an input */
    bool missed;       /* what a later call looked for in vain is reported */
    bool leaves;       /* when the next window closes nothing is forgotten */
    uint64_t legacy
        [SERVER_LEFT]; /* where lies what would have been; the last legacy_shared in memory of both sides */
    unsigned legacy_count, legacy_shared;
    bool launched; /* what a kernel may have printed is not shown yet */
    struct server_flow flow;
};

/* What the host asks of the device besides work, and where it puts that (server_host.c). */
enum server_host_wait { HOST_WAIT_DEVICE, HOST_WAIT_STREAM, HOST_WAIT_EVENT, HOST_WAIT_COPY, HOST_WAITS };
enum server_host_work { HOST_KERNEL, HOST_COPY, HOST_FILL, HOST_WORKS };
enum { SERVER_HOST_STREAMS = 64 };

struct server_host_stream {
    uint32_t id, work[HOST_WORKS];
    bool joined;             /* it waited for an event */
    uint32_t kernel;         /* the first launched here, */
    uint64_t dynamic_shared; /* with so many bytes */
};

struct server_host_last {
    enum server_host_wait wait;
    uint32_t stream;
};

/* An allocation that is not freed. */
struct server_host_memory {
    uint64_t address, bytes, ordinal; /* 1 for the first of its kind, as faults count them */
    uint32_t memory;                  /* enum protocol_memory */
    bool in_window;                   /* made in the call that runs */
};

struct server_host {
    bool watched;  /* the reader of the report wants to know of the calls from here on */
    bool window;   /* a call runs; what follows is of this call: */
    bool too_many; /* to keep: nothing is said */
    uint32_t waits[HOST_WAITS], allocations, created_streams, created_events, stream_count;
    uint64_t allocated_bytes;
    struct server_host_last last[2]; /* the last two waits */
    struct server_host_stream streams[SERVER_HOST_STREAMS];
    struct server_host_memory *live; /* in the order they were made */
    uint32_t live_count, live_capacity;
    uint64_t made[PROTOCOL_REGISTERED]; /* of each kind */
};

/* A call of the judge's that works in the host's memory, as it was asked for (server_record.c). */
enum { SERVER_PLACES = 8 };
/* A stream of it. */
struct server_lane {
    uint32_t stream;
    bool non_blocking;
    struct server_clock clock;
};
enum server_operation_kind { OPERATION_LAUNCH, OPERATION_COPY, OPERATION_FILL };

struct server_operation {
    enum server_operation_kind kind;
    uint32_t lane;
    struct server_clock after; /* what comes before it */
    double time_us;            /* modelled */
    union {
        struct request_launch launch;
        struct request_copy copy;
        struct request_fill fill;
    } as;
    uint64_t instructions; /* of a launch: warp instructions */
    uint8_t *bytes; /* a launch's parameters; what the host sent of its own, row after row; NULL: nothing */
};

/* A buffer of the judge's: where it lies in the program, and what stands for it in the memory in common. */
struct server_place {
    uint64_t address, offset, bytes;
};

struct server_recording {
    bool on;
    const char *failed;        /* why it cannot be repeated; NULL: it can */
    struct simt_saved *before; /* what lay in device memory when it began */
    uint64_t number;           /* of this call */
    double begin_us, time_us;
    struct server_clock host; /* what the host has waited for */
    struct server_lane lanes[SERVER_LANES];
    uint32_t lane_count;
    uint64_t managed_bytes; /* that kernels changed and the host may look at */
    struct server_operation *operations;
    uint32_t count, capacity;
    uint64_t sent_bytes;
    uint64_t *freed; /* by the program; it is freed when the recording is */
    uint32_t freed_count;
    struct server_place places[SERVER_PLACES];
    unsigned place_count;
    struct request_copy announced; /* the last copy, and how long it takes */
    double announced_us;
};

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
    bool faulted; /* a launch was refused or stopped, and said so */
    struct server_judge judge;
    struct server_recording recording;
    struct server_host host;
    uint64_t granted[2];       /* bytes of copies begun and not yet moved, by direction */
    pthread_mutex_t reporting; /* held while a report line is written */
    bool greeted;
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

/* server_judge.c: take the memory in common; obey the commands that have come; whether the program may work
 * now, a kernel or another work (if not, the reply says so and the judge is told); whether an address is the judge's. */
bool server_judge_open(struct server *server, char *error, size_t size);
void server_judge_close(struct server *server);
void server_judge_obey(struct server *server);
bool server_judge_allows(struct server *server, const char *work, bool kernel, struct reply *reply);
/* A launch of the judged call: its grid and block, changed where the judge wants to see it with another shape. */
void server_judge_reshape(struct server *server, uint32_t grid[3], uint32_t block[3]);
bool server_judge_owns(struct server *server, uint64_t address, const char *what);
/* A launch of the call has executed so many warp instructions. */
void server_judge_spend(struct server *server, uint64_t instructions);
/* Whether copies and fills are reported: with a judge those of its calls alone. */
bool server_judge_reports(const struct server *server);

/* server_progress.c: what is shown of a launch that runs for long: after two seconds {"running"} lines to a judge, or a line
 * on a terminal, which is wiped away at the end; elsewhere a line after five seconds, and whenever it has taken twice as
 * long, but at least each minute. */
struct server_progress {
    struct server *server;
    const char *kernel;
    double start, shown; /* when it was, last */
    bool terminal, drawn;
};
void server_progress_begin(struct server_progress *progress, struct server *server, const char *kernel);
void server_progress_show(void *progress, uint64_t instructions);
void server_progress_end(struct server_progress *progress);

/* server_timeline.c: what happens when, into the report where that is wanted. `stream`: its number; -1: the host's. */
void server_span(struct server *server, enum span_kind kind, int64_t stream, const char *name, uint64_t bytes,
                 double begin_us, double time_us);

/* server_remark.c: one remark, into the report and kept for the end; those that the simulated device has found; and
 * all of them on standard error, once, where that is wanted (`reporting` is held). */
void server_remark(struct server *server, const struct simt_remark *remark);
void server_take_remarks(struct server *server);
void server_say_remarks(struct server *server);

/* server_host.c: note what a request asked and got; a call of the judge's begins, and ends: then what of it costs time on
 * a GPU is remarked; so is, at the program's end, what it never freed. */
void server_host_note(struct server *server, uint32_t operation, const void *request,
                      const struct reply *reply);
void server_host_begin(struct server *server);
void server_host_end_of_call(struct server *server);
void server_host_end_of_program(struct server *server);
void server_host_close(struct server *server);

/* For the handlers. */
void reply_say(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for `size` bytes of reply, zeroed; NULL (and an error in the reply) when out of memory. */
void *reply_bytes(struct reply *reply, uint32_t size);
void reply_value(struct reply *reply, uint64_t value);
/* The CUDA error for what the simulator said. */
uint32_t server_error_of(enum simt_status status);
/* A stream by its number: true, and NULL for the default stream; false (and an error in the reply) if there
 * is none. */
bool server_stream(struct server *server, uint32_t id, struct timeline_stream **stream, struct reply *reply);
/* A new simulated device, as after HELLO and cudaDeviceReset. */
bool server_device_open(struct server *server);
void server_device_close(struct server *server);
struct server_region *server_region_at(struct server *server, uint64_t address);
/* Place a __managed__ variable; simt calls it while it loads a module. */
enum simt_status server_place_managed(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);

/* server_shared.c: memory of both sides with a judge. The device's pages for a region whose address, bytes and mapped are
 * set, NULL: out of memory; once it is mapped, watch it. */
void *server_shared_open(struct server_region *region, int descriptor);
void server_shared_watch(struct server *server, struct server_region *region);
void server_shared_close(struct server_region *region);
/* What a launch made cross, in bytes of whole sectors. */
struct server_crossing {
    uint64_t to_device; /* written by the host, touched by the kernel */
    uint64_t changed;   /* by the kernel, for the host to see; */
    uint64_t returned;  /* of it, in managed memory */
    uint64_t moved;     /* of to_device, in managed memory; */
    uint64_t accessed;  /* asked for by the kernel in memory that stays with the host */
};
void server_shared_before_launch(struct server *server);
/* derived: what it wrote may follow from an input. */
struct server_crossing server_shared_after_launch(struct server *server, bool derived);
/* Around a copy or fill of [address, address + bytes), which may be any memory. Before: what the host wrote and the device
 * reads now. After: the bytes that changed. */
enum server_writer {
    SERVER_DEVICE_WROTE,
    SERVER_HOST_SENT, /* the host's, and across */
    SERVER_HOST_WROTE /* the host's, and not across before a kernel touches it */
};
uint64_t server_shared_before_copy(struct server *server, uint64_t address, uint64_t bytes, bool read);
uint64_t server_shared_after_copy(struct server *server, uint64_t address, uint64_t bytes,
                                  enum server_writer writer);
/* Modules have written the initial values of managed variables. */
void server_shared_initialised(struct server *server);
void server_shared_end_call(struct server *server);
/* What of it server_shared_end_call would forget: where it lies and what to call it, `most` of them; their number. And one
 * of them is forgotten. */
unsigned server_shared_left(const struct server *server, unsigned most, uint64_t address[],
                            const char *what[]);
void server_shared_forget(struct server *server, uint64_t address);

/* server_flow.c: what crosses in a judged call. */
bool server_flow_is_counted(const struct server *server);
void server_flow_begin_call(struct server *server);
/* All that follows from an input is forgotten; or, told to leave it, all is left, and reported what that is. */
void server_flow_end_call(struct server *server);
/* Of what was left, that number. False: there is none. */
bool server_flow_forget(struct server *server, uint64_t number);
void server_flow_forget_all(struct server *server);
/* The host has got so many bytes; derived: they may follow from an input. The device has. */
void server_flow_learned(struct server *server, uint64_t bytes, bool derived);
void server_flow_carried(struct server *server, uint64_t bytes);
/* Any operation tells the device a little. */
void server_flow_operation(struct server *server);
void server_flow_module(struct server *server, uint64_t bytes);
/* Around a launch. */
void server_flow_launch(struct server *server, struct timeline_stream *stream, uint64_t parameter_bytes);
void server_flow_launched(struct server *server, struct timeline_stream *stream);

/* server_code.c: read what machine code a fat binary holds, unless it is not believed; takes over the PTX text. And before a kernel is first used,
 * have it made by ptxas where that is wanted and there is none that can be used; the architecture of what its resources
 * come from. */
void server_code_read(struct server *server, struct server_module *module, const struct fatbin *fatbin,
                      bool believed, struct ptx_text *text, struct reply *reply);
uint32_t server_code_complete(struct server *server, struct server_module *module, struct simt_kernel *kernel,
                              struct reply *reply);

/* server_launch.c: a launch as the simulator takes it; what the model makes of one that has run, and of its machine code,
 * where that is known and asked for. */
struct server_timed_launch {
    struct gpu_time time;
    struct gpu_code code;
    bool known;                 /* code is; */
    bool made;                  /* by ptxas */
    char why[KERNEL_TIMED_WHY]; /* the time does not follow from it: a line that says why */
    double share;
};
void server_launch_describe(struct server *server, const struct server_kernel *kernel,
                            const struct request_launch *request, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *parameters, struct simt_launch *launch);
void server_launch_time(struct server *server, const struct server_kernel *kernel,
                        const struct simt_launch *launch, const struct simt_result *result,
                        struct server_timed_launch *timed);
void server_launch_time_free(struct server_timed_launch *timed);

/* server_record.c: a call begins, and ends: its time is reported. Released, nothing of it is left, and what it freed is free. A buffer of the judge's; false: that cannot be one. */
void server_recording_begin(struct server *server);
void server_recording_end(struct server *server);
void server_recording_release(struct server *server);
void server_recording_fails(struct server *server, const char *why);
bool server_recording_place(struct server *server, uint64_t address, uint64_t offset, uint64_t bytes);
/* What was done, where something is recorded. host_wrote: bytes that only the host had before this copy. */
void server_record_launch(struct server *server, const struct request_launch *request,
                          const struct simt_launch *launch, uint32_t parameter_bytes, double time_us,
                          uint64_t instructions);
void server_record_copy(struct server *server, const struct request_copy *request, uint64_t host_wrote,
                        double time_us);
void server_record_transfer(struct server *server, const struct request_transfer *part);
void server_record_fill(struct server *server, const struct request_fill *request, double time_us);
/* Whether device memory that the program frees is kept for later; *refused: it is no such memory, or is free. */
bool server_record_free(struct server *server, uint64_t address, bool *refused);
/* server_order.c: what a recorded call says of its order: work is given to a stream, as number `index`; an event is recorded
 * there; a stream or the host waits. */
void server_order_work(struct server *server, uint32_t stream, struct server_operation *operation,
                       uint32_t index);
void server_order_event(struct server *server, struct server_event *event, uint32_t stream);
void server_order_stream_waits(struct server *server, uint32_t stream, const struct server_event *event);
void server_order_host_waits(struct server *server, uint32_t stream);
void server_order_host_waits_for_event(struct server *server, const struct server_event *event);
void server_order_host_waits_for_all(struct server *server);
/* server_repeat.c: the recorded call once more, as its work was given; or each stream as far ahead as may be; or, from SERVER_LAGS
 * on, the call's first stream as late as may be, its second, and so on. 1: it came to its end, 0: it did not,
 * SERVER_NO_SUCH_ORDER: it has not so many streams. */
enum { SERVER_AS_GIVEN, SERVER_AHEAD, SERVER_LAGS, SERVER_NO_SUCH_ORDER = 2 };
uint64_t server_repeat(struct server *server, uint64_t order);

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

/*
 * judge.h: the judging half of simgpu, as its files share it. The server calls judge_hooks and knows nothing else of it
 * (server/server.h). Public to main_simgpu.c and the tests: judge_hooks.
 */
#ifndef RUNTIME_JUDGE_H
#define RUNTIME_JUDGE_H

#include "gpu/runtime/server/server.h"

extern const struct server_hooks judge_hooks;

enum {
    JUDGE_OWNED = 16,  /* allocations of the judge's */
    JUDGE_LEFT = 16,   /* allocations that one call may leave to the next */
    JUDGE_PLACES = 8,  /* buffers of a recorded call */
    JUDGE_STREAMS = 64 /* streams whose work is noted for remarks */
};

/* ---- host.c: what the host asks of the device besides work, and on which streams it works */
enum judge_host_wait { HOST_WAIT_DEVICE, HOST_WAIT_STREAM, HOST_WAIT_EVENT, HOST_WAIT_COPY, HOST_WAITS };
enum judge_host_work { HOST_KERNEL, HOST_COPY, HOST_FILL, HOST_WORKS };

struct judge_host_stream {
    uint32_t id;
    uint32_t work[HOST_WORKS]; /* pieces of each kind */
    bool joined;               /* it waited for an event */
    uint32_t kernel;           /* number of the first kernel launched here */
    uint64_t dynamic_shared;   /* bytes of that launch */
};

struct judge_host_last {
    enum judge_host_wait wait;
    uint32_t stream;
};

/* An allocation that is not freed. */
struct judge_host_memory {
    uint64_t address, bytes, ordinal; /* 1 for the first of its kind, as faults count them */
    uint32_t memory;                  /* enum protocol_memory */
    bool in_window;                   /* made in the call that runs */
};

struct judge_host {
    bool watched;  /* calls from here on are remarked upon */
    bool window;   /* a call runs; the counts below are of this call */
    bool too_many; /* streams or allocations to keep: nothing is remarked */
    uint32_t waits[HOST_WAITS], allocations, created_streams, created_events, stream_count;
    uint64_t allocated_bytes;
    struct judge_host_last last[2]; /* the last two waits */
    struct judge_host_stream streams[JUDGE_STREAMS];
    struct judge_host_memory *live; /* in the order they were made */
    uint32_t live_count, live_capacity;
    uint64_t made[PROTOCOL_REGISTERED]; /* allocations of each kind */
};

/* ---- record.c: a call that works in the host's memory, kept to be repeated */

enum judge_operation_kind { OPERATION_LAUNCH, OPERATION_COPY, OPERATION_FILL };

struct judge_operation {
    enum judge_operation_kind kind;
    uint32_t lane, number, stream; /* as struct order_piece has them */
    struct order_clock after;
    double begin_us, time_us; /* modelled */
    union {
        struct request_launch launch;
        struct request_copy copy;
        struct request_fill fill;
    } as;
    uint64_t instructions; /* warp instructions of a launch */
    uint8_t
        *bytes; /* a launch's parameters; or the host's own bytes, row after row; NULL: the host sent none */
};

/* A buffer of the judge's: its address in the program, and the offset of its stand-in in the memory in common. */
struct judge_place {
    uint64_t address, offset, bytes;
};

struct judge_recording {
    bool on;
    const char *failed;        /* why the call cannot be repeated; NULL: it can */
    struct simt_saved *before; /* device memory when the call began */
    uint64_t number;           /* of this call, from 1 */
    double begin_us, time_us;
    struct order_clock host; /* what the host has waited for when the call ends */
    uint32_t lane_count;
    uint64_t managed_bytes; /* changed by kernels, for the host to look at */
    struct judge_operation *operations;
    uint32_t count, capacity;
    uint64_t sent_bytes;
    uint64_t pinned_bytes, crossed_bytes; /* between the host's pinned memory, or any, and the device */
    uint64_t *freed;                      /* by the program; freed with the recording */
    uint32_t freed_count;
    struct judge_place places[JUDGE_PLACES];
    unsigned place_count;
    double announced_us; /* time of the last copy */
};

/* ---- flow.c: when the GPU of a judged call has nothing to do */
struct judge_idle {
    double busy_us; /* end of all its work so far; at first: its begin */
    bool waited;    /* the host has waited since for the GPU, or freed memory */
    /* the kernel that ends, or that was entered last, has written to memory that stays with the host */
    bool shows, shown;
};

/* ---- the judging half of one server */
struct judge {
    struct server *server;
    uint8_t *memory;             /* in common with the judge; NULL: no judge, everything is allowed */
    uint64_t bytes;              /* of that memory */
    uint64_t owned[JUDGE_OWNED]; /* addresses of its allocations: the program may use but not free them */
    unsigned owned_count;
    bool window;       /* a call is being judged: the program may work */
    bool everywhere;   /* the program may work at any time: its calls are repeated without it */
    uint64_t left;     /* warp instructions that the call may still execute; 0: no bound */
    uint32_t launches; /* in this window */
    bool reshapes; /* in this window, launch number `reshaped` gets blocks of shape[0] x shape[1] threads */
    uint32_t reshaped, shape[2];
    uint32_t violated; /* kinds that are reported already, by bit */
    bool begun;        /* the judge has given something: until then there is no input */
    bool knows;        /* the host may have seen some of an input */
    bool missed;       /* what a later call looked for in vain is reported */
    bool leaves;       /* when the next window closes nothing is forgotten */
    uint64_t
        legacy[JUDGE_LEFT]; /* addresses of what the last call left; the last legacy_shared of both sides */
    unsigned legacy_count, legacy_shared;
    struct server_flow flow; /* of the call that runs */
    struct judge_idle idle;
    struct judge_recording recording;
    struct judge_host host;
};

/* commands.c: obey the commands that the reader of the report has sent. */
void judge_obey(struct judge *judge);

/* host.c: note what a request asked and got. A call begins, and ends: then what of it costs time on a GPU is remarked. At
 * the program's end, what it never freed. */
void judge_host_note(struct judge *judge, uint32_t operation, const void *request, const struct reply *reply);
void judge_host_begin(struct judge *judge);
void judge_host_end_of_call(struct judge *judge);
void judge_host_end_of_program(struct judge *judge);

/* ---- shared.c: memory of both sides, of which the device has pages of its own while a judge is there */

/* The device's pages for a region; NULL: out of memory. */
void *judge_shared_open(struct server_region *region);
void judge_shared_watch(struct judge *judge, struct server_region *region);
void judge_shared_close(struct server_region *region);
/* What a launch made cross, in bytes of whole sectors. */
struct judge_crossing {
    uint64_t to_device; /* written by the host, touched by the kernel */
    uint64_t changed;   /* by the kernel, for the host to see */
    uint64_t returned;  /* the part of `changed` in managed memory */
    uint64_t moved;     /* the part of `to_device` in managed memory */
    uint64_t accessed;  /* asked for by the kernel in memory that stays with the host */
};
void judge_shared_before_launch(struct judge *judge);
/* derived: what the kernel wrote may follow from an input. */
struct judge_crossing judge_shared_after_launch(struct judge *judge, bool derived);
enum judge_writer {
    JUDGE_DEVICE_WROTE,
    JUDGE_HOST_SENT, /* the host's, and across */
    JUDGE_HOST_WROTE /* the host's, and not across before a kernel touches it */
};
/* Around a copy or fill of a range in any memory. Before: bytes that the host wrote and the device reads now. After: bytes
 * that changed. */
uint64_t judge_shared_before_copy(struct judge *judge, struct server_range range, bool read);
uint64_t judge_shared_after_copy(struct judge *judge, struct server_range range, enum judge_writer writer);
/* Modules have written the initial values of managed variables. */
void judge_shared_initialised(struct judge *judge);
void judge_shared_end_call(struct judge *judge);
/* What judge_shared_end_call would forget: addresses and names, `most` of them; their number. Then one of them is forgotten. */
unsigned judge_shared_left(const struct judge *judge, unsigned most, uint64_t address[], const char *what[]);
void judge_shared_forget(struct judge *judge, uint64_t address);

/* ---- flow.c: what crosses between host and device in a judged call */
void judge_flow_begin_call(struct judge *judge);
/* All that follows from an input is forgotten; or, where the judge said `keep 1`, all is left, and reported by name. */
void judge_flow_end_call(struct judge *judge);
/* Forget one of what was left, by its number. False: there is none. */
bool judge_flow_forget(struct judge *judge, uint64_t number);
void judge_flow_forget_all(struct judge *judge);
/* Any operation tells the device a little. */
void judge_flow_operation(struct judge *judge);
void judge_flow_module(struct judge *judge, uint64_t bytes);
/* Around a launch; around bytes that move, and a fill. */
void judge_flow_launch(struct judge *judge, const struct server_work *work);
void judge_flow_launched(struct judge *judge, const struct server_work *work);
void judge_flow_before_move(struct judge *judge, struct server_work *work);
void judge_flow_moved(struct judge *judge, const struct server_work *work);
void judge_flow_filled(struct judge *judge, const struct server_work *work);
/* Work has its place in the timeline; the host has waited, or freed memory. */
void judge_flow_entered(struct judge *judge, const struct server_work *work);
void judge_flow_waited(struct judge *judge, uint32_t operation, const void *request);

/* ---- record.c */

/* A call begins, and ends: its time is reported. */
void judge_recording_begin(struct judge *judge);
void judge_recording_end(struct judge *judge);
/* Nothing of the recording is left, and what the call freed is free. */
void judge_recording_release(struct judge *judge);
void judge_recording_fails(struct judge *judge, const char *why);
/* Add a buffer of the judge's; false: that cannot be one. */
bool judge_recording_place(struct judge *judge, uint64_t address, uint64_t offset, uint64_t bytes);
/* Keep work that is done. */
void judge_record(struct judge *judge, const struct server_work *work);
/* Keep device memory that the program frees for later, where something is recorded. */
void judge_record_free(struct judge *judge, struct server_work *work);

/* ---- repeat.c */

/* Repeat the recorded call: as its work was given; or each stream as far ahead as may be; or, from JUDGE_LAGS on, the first
 * stream as late as may be, the second, and so on. 1: it came to its end, 0: it did not, JUDGE_NO_SUCH_ORDER: it has not
 * so many streams. */
enum { JUDGE_AS_GIVEN, JUDGE_AHEAD, JUDGE_LAGS, JUDGE_NO_SUCH_ORDER = 2 };
uint64_t judge_repeat(struct judge *judge, uint64_t order);
/* Repeats it as it was given, and remarks on the first two pieces of work that nothing orders;
 * or on the first that the call's end does not wait for. 1: it came to its end. */
uint64_t judge_trace(struct judge *judge);

#endif

/*
 * session.h: one runner process from the judge's side, with its simulated GPU, or on a real GPU
 * with the owner of the buffers. The runner may crash, exit, hang or flood its output: each call
 * here returns with a status and a message, and session_close leaves no process running.
 */
#pragma once

#include "base/buffer_shape.h"
#include "base/draw/draw.h"
#include "lab/judge/failure.h"
#include "lab/runner/protocol.h"
#include "report/document/report.h"
#include <stdbool.h>

struct session_options {
    const char *program;  /* the runner linked with one variant */
    const char *simgpu;   /* path of simgpu; NULL: a real GPU */
    const char *owner;    /* real GPU: the program that owns the buffers; NULL: the runner does */
    const char *gpu;      /* simulated model */
    const char *compiled; /* the only fat binary whose machine code simgpu believes; NULL: any */
    const char *library;  /* folder of the libcudart to use; NULL: the system's search path */
    bool check;           /* simgpu remarks on what stops no kernel */
    bool races;           /* simgpu checks for shared-memory races */
    bool counts;          /* simgpu counts and times launches; else it brings their results alone */
    bool strict;
    /* Bytes of the host side of the largest case's buffers and guards. That memory is shared
     * with the owner or the simulated GPU, and not with the runner. It is shared with the runner
     * on a real GPU without an owner, and with share_memory (the function for the host). */
    uint64_t memory_bytes;
    bool share_memory;
    /* Judge and simulated GPU share as much memory again, which the runner does not see: calls
     * in the host's memory are recorded, and can be repeated. */
    bool names_calls; /* simulated: reads the program's file for the source lines of its calls */
    bool records;
    double timeout_s; /* for one exchange; waiting for a processor does not count (base/processor.h) */
    /* What the processes are started under: an absolute path and its options, ended by NULL,
     * e.g. bwrap ... --. The program's path, descriptors 3 to 5 and the environment must pass.
     * NULL: nothing. */
    const char *const *runner_wrapper, *const *simgpu_wrapper;
    const char *log_path; /* what the process prints is appended to this file; NULL: dropped */
};

struct session;

/* Starts the processes. NULL and *failure when a process cannot be started. */
struct session *session_open(const struct session_options *options, struct failure *failure);
/* Asks the runner to quit, kills what does not end, reaps every process. NULL is fine. */
/* The program is asked to end; then session_take_remarks has what was remarked at its end. Only
 * session_close may follow. */
void session_end(struct session *session);
void session_close(struct session *session);

/* The host side of every buffer: memory_bytes bytes, shared as the options say. */
uint8_t *session_memory(struct session *session);
/* The data for a repeated call, in a session that records; else NULL. */
uint8_t *session_repeated(struct session *session);
/* What the simulated GPU said of the last recorded call and of its repetition. */
struct session_recorded {
    double time_us;
    double pinned;       /* share of the bytes between host and device that lie in pinned memory */
    char failed[96];     /* why the call cannot be repeated; "": it can */
    double more_us;      /* microseconds by which its kernels took longer when repeated */
    char unordered[640]; /* "trace": two pieces of its work that nothing orders; "": none was found */
};
const struct session_recorded *session_recorded(const struct session *session);
/* Whether device memory is the judge's: the functions of device_memory.c work, and the runner
 * gets addresses only. */
bool session_owns_memory(const struct session *session);

/* Waits, once, until the program has started and answers, so that its constructors run before a
 * call. */
bool session_ready(struct session *session, struct failure *failure);

/* Sends a request and waits for its reply. False and *failure when the runner died, hung or
 * reported a CUDA error; then only session_close may follow. */
bool session_exchange(struct session *session, const struct runner_request *request,
                      struct runner_reply *reply, struct failure *failure);

/* The kernels that the simulated GPU has launched since the last call here, an entry each
 * (report/document/launches.h). The caller frees each entry and the array. lines_left_out: lines
 * for which there was no room. False where there were more kernels than entries, or a report
 * made no sense; the entries are handed out all the same. */
bool session_take_kernels(struct session *session, struct kernel_report **kernels, unsigned *count,
                          uint64_t *lines_left_out, struct failure *failure);

/* Moves the simulated GPU's remarks since the last call here into the report, under the case's
 * name. False: out of memory. */
bool session_take_remarks(struct session *session, const char *name, struct report *report);

/* The "span" objects of the simulated GPU's timeline, after the command "timeline 1": an array
 * that the session owns. NULL: none. */
const json_t *session_spans(const struct session *session);

/* What the simulated GPU has done for the program besides kernels. */
struct session_traffic {
    uint64_t to_device, from_device; /* bytes that surely crossed */
    uint64_t learned;                /* bytes of device memory that the host could know */
    uint64_t carried;                /* bytes to the device, by any way, after the host had learned some */
    double time_us;                  /* of copies, fills, all that crossed, and idle time, modelled */
    double idle_us;                  /* of that, the GPU's, while the host waited or freed memory */
    bool unseen;         /* work could overlap, and what it touched is not known: the next call tells */
    char unordered[512]; /* two pieces of its work that nothing orders; "": none were found */
};
/* Since the last call here. */
struct session_traffic session_take_traffic(struct session *session);

/* The memory that a kernel read, that an earlier call had filled and that was forgotten since:
 * "cudaMalloc #1". "": none. */
const char *session_missed(const struct session *session);

/* What the call before left to the next one, after device_memory_keep: number 0, 1, ... by name,
 * "variable 'table'". NULL: no more. */
enum { SESSION_LEFT = 16 };
const char *session_left(const struct session *session, unsigned number);
/* Of the remarks not yet taken, the first that says a result depends on what nobody can know:
 * "kernel.cu:29: thread ...". False: there is none. */
bool session_doubt(struct session *session, char *text, size_t size);

/* Sends a command of the judge to the simulated GPU (gpu/runtime/judge/commands.c). *value is
 * the answer; `value` may be NULL. False and *failure when the command fails, or a process has
 * ended. */
__attribute__((format(printf, 4, 5))) bool session_command(struct session *session, uint64_t *value,
                                                           struct failure *failure, const char *format, ...);

/* Grid and block of a launch that the simulated GPU refused because its grid has no block.
 * False: there was none. */
bool session_empty_grid(const struct session *session, uint32_t grid[3], uint32_t block[3]);

/* The first characters that the process printed, for the terminal; *bytes: how many it printed
 * in all. */
const char *session_output(const struct session *session, uint64_t *bytes);

/* ---- device_memory.c: a case's buffers in simulated device memory that the judge owns. The
 * runner gets addresses; inputs and results pass between judge and simulated GPU only. */

/* Allocates every buffer of the request, named by its shape, poisons outputs and guards, and
 * copies the inputs from the session's memory. Puts the contents' addresses into
 * request->buffer[].address. The key draws the order of the buffers and the gap before each.
 * False and *failure when a step fails. */
bool device_memory_prepare(struct session *session, struct runner_request *request,
                           const struct buffer_shape *shape, const struct draw_key *key,
                           struct failure *failure);
/* From here to the closing of the window the runner may use the device, with cold caches.
 * budget: the warp instructions that its kernels may execute. */
bool device_memory_open_window(struct session *session, uint64_t budget, struct failure *failure);
bool device_memory_close_window(struct session *session, struct failure *failure);
/* on: the next call leaves what it writes to the call after it. Off: what was left is forgotten
 * now. */
bool device_memory_keep(struct session *session, bool on, struct failure *failure);
/* Forgets one of the things that were left, by its number in session_left. */
bool device_memory_forget(struct session *session, unsigned number, struct failure *failure);
/* Copies every buffer and its guards back into the session's memory, and frees the buffers. */
bool device_memory_fetch(struct session *session, const struct runner_request *request,
                         struct failure *failure);

/* ---- session_owner.c: calls on a real GPU whose buffers a process of the judge's owns. The
 * owner shares them with the runner, so that host data never passes through the program, and no
 * time that counts is the program's word. */

/* What a call took, in microseconds of different clocks. */
struct session_call {
    struct runner_reply reply; /* what the program says */
    double wall_us;            /* the judge's clock, from asking for the call to its answer */
    /* The GPU's clock in the owner's process, from before the inputs appeared until the results
     * were copied: first when the program's streams were done, again after its answer. Both hold
     * the flush and the switches between processes, which cost every program the same. */
    double window_us, again_us;
    bool late; /* the second copy of the results differs from the first; the second counts */
};

/* Whether an owner has the buffers of this session. */
bool session_has_owner(const struct session *session);

/* One call on a case. r is the PREPARE request; the inputs lie in session_memory as r says, and
 * afterwards the results. r becomes the request that COPY needs. wait: the program is asked only
 * once the inputs are there, else it may queue its work before. False and *failure as
 * session_exchange. */
bool session_owner_call(struct session *session, struct runner_request *r, bool wait, bool timed,
                        uint64_t flush_bytes, struct session_call *result, struct failure *failure);

/*
 * session.h: one runner process (with the simulated GPU it talks to, when there is no real one), from the
 * judge's side. Whatever that process does, crash, exit, hang or flood its output, a call here returns with a
 * status and a message, and session_close leaves nothing of it running.
 */
#ifndef LAB_SESSION_H
#define LAB_SESSION_H

#include "report/document/report.h"
#include "lab/judge/failure.h"
#include "lab/runner/protocol.h"
#include <stdbool.h>

struct session_options {
    const char *program; /* the runner linked with one variant */
    const char *simgpu;  /* path of simgpu; NULL: a real GPU */
    const char
        *owner; /* real GPU: the program that owns the buffers (session_owner.h); NULL: the runner does */
    const char *gpu;      /* simulated model */
    const char *compiled; /* simgpu believes no other machine code than this fat binary's; NULL: any */
    const char *library;  /* folder of the libcudart to use; NULL: the system's search path */
    bool check;           /* simgpu remarks on what stops no kernel */
    bool races;           /* simgpu checks for shared-memory races */
    bool caches;          /* simgpu simulates L1 and L2 */
    bool strict;
    /* The host side of the largest case's buffers and guards: shared with the owner or the simulated GPU, and then the
     * runner sees no byte; with the runner on a real GPU without an owner, and if share_memory (calls of a function on the
     * host). */
    uint64_t memory_bytes;
    bool share_memory;
    /* Besides, the judge and the simulated GPU have as much memory in common, which the runner does not see: calls in the
     * host's memory are recorded, and can be repeated (repeat.h). */
    bool records;
    double timeout_s; /* for one exchange */
    /* What the processes are started under: an absolute path and its options, ended by NULL, e.g. bwrap ...
     * --. The program's path, the descriptors 3 to 5 and the environment must come through. NULL: nothing. */
    const char *const *runner_wrapper, *const *simgpu_wrapper;
    const char *log_path; /* what the process prints is appended here; NULL: dropped */
};

struct session;

/* Start the processes. NULL and *failure when they cannot be started. */
struct session *session_open(const struct session_options *options, struct failure *failure);
/* Ask the runner to quit, kill what does not, reap everything. NULL is fine. */
void session_close(struct session *session);

/* The host side of every buffer: memory_bytes bytes, shared as the options say. */
uint8_t *session_memory(struct session *session);
/* What calls are repeated with, of a session that records; else NULL. */
uint8_t *session_repeated(struct session *session);
/* What the simulated GPU said of the last call that was recorded, and of its repetition. */
struct session_recorded {
    double time_us;
    char failed[96]; /* why it cannot be repeated; "": it can */
    double more_us;  /* that its kernels took longer when they were repeated */
};
const struct session_recorded *session_recorded(const struct session *session);
/* Whether device memory is the judge's: device_memory.h works, and the runner gets addresses only. */
bool session_owns_memory(const struct session *session);

/* Wait, once, until the program has started and answers: what its constructors do is done before a call. */
bool session_ready(struct session *session, struct failure *failure);

/* Send a request and wait for its reply. False and *failure when the runner died, hung or reported a CUDA
 * error; the session is then good for nothing but session_close. */
bool session_exchange(struct session *session, const struct runner_request *request,
                      struct runner_reply *reply, struct failure *failure);

/* What the simulated GPU has launched since the last call here, an entry for each kernel (report/document/launches.h). The
 * caller frees each entry and the array. lines_left_out: for how many lines there was no room. False where there were more
 * kernels than entries, or a report made no sense; the entries are handed out all the same. */
bool session_take_kernels(struct session *session, struct kernel_report **kernels, unsigned *count,
                          uint64_t *lines_left_out, struct failure *failure);

/* What the simulated GPU has remarked since the last call here goes into the report, as of that case. False: out of
 * memory. */
bool session_take_remarks(struct session *session, const char *name, struct report *report);

/* What the simulated GPU has told of what happened when, after the command "timeline 1": an array of its "span" objects; NULL:
 * nothing. The session's. */
const json_t *session_spans(const struct session *session);

/* What the simulated GPU has done for the program besides kernels. */
struct session_traffic {
    uint64_t to_device, from_device; /* bytes that surely crossed */
    uint64_t learned;                /* that the host could know of device memory */
    uint64_t carried;                /* to the device once some was learned, by whatever way */
    double time_us;                  /* of copies, fills and all that crossed, modelled */
};
/* Since the last call here. */
struct session_traffic session_take_traffic(struct session *session);

/* What a kernel touched that an earlier call had filled, and that was forgotten since: "cudaMalloc #1"; "": nothing. */
const char *session_missed(const struct session *session);

/* What the call before left to the next, where it was to (device_memory_keep): number 0, 1, ... by name, "variable 'table'";
 * NULL: no more. */
enum { SESSION_LEFT = 16 };
const char *session_left(const struct session *session, unsigned number);
/* Of the remarks that wait to be taken the first by which a result depends on what nobody can know: "kernel.cu:29: thread
 * ..."; false: there is none. */
bool session_doubt(struct session *session, char *text, size_t size);

/* A command of the judge to the simulated GPU (gpu/runtime/judge/commands.c) and what it answers. False and *failure
 * when it cannot, or the processes are gone. `value` may be NULL. */
__attribute__((format(printf, 4, 5))) bool session_command(struct session *session, uint64_t *value,
                                                           struct failure *failure, const char *format, ...);

/* A launch that the simulated GPU refused because its grid has no block: its grid and its block. False: none. */
bool session_empty_grid(const struct session *session, uint32_t grid[3], uint32_t block[3]);

/* The first characters the process printed, for the terminal; and how many bytes it printed in all. */
const char *session_output(const struct session *session, uint64_t *bytes);

#endif

/*
 * session.h: one runner process (with the simulated GPU it talks to, when there is no real one), from the
 * judge's side. Whatever that process does, crash, exit, hang or flood its output, a call here returns with a
 * status and a message, and session_close leaves nothing of it running.
 */
#ifndef HARNESS_SESSION_H
#define HARNESS_SESSION_H

#include "analysis/kernel_report.h"
#include "harness/failure.h"
#include "harness/runner/protocol.h"
#include <stdbool.h>

struct session_options {
    const char *program; /* the runner linked with one variant */
    const char *simgpu;  /* path of simgpu; NULL: a real GPU */
    const char *gpu;     /* simulated model */
    const char *library; /* folder of the libcudart to use; NULL: the system's search path */
    bool races;          /* simgpu checks for shared-memory races */
    bool caches;         /* simgpu simulates L1 and L2 */
    bool strict;
    uint64_t memory_bytes; /* shared memory: the largest case's buffers and guards */
    double timeout_s;      /* for one exchange */
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

/* The host side of every buffer: memory_bytes bytes, shared with the runner. */
uint8_t *session_memory(struct session *session);

/* Send a request and wait for its reply. False and *failure when the runner died, hung or reported a CUDA
 * error; the session is then good for nothing but session_close. */
bool session_exchange(struct session *session, const struct runner_request *request,
                      struct runner_reply *reply, struct failure *failure);

/* Launches the simulated GPU has reported since the last call here, in order. The caller frees each kernel
 * and the array. */
bool session_take_kernels(struct session *session, struct kernel_report **kernels, unsigned *count,
                          struct failure *failure);

/* Bytes the program copied from the simulated GPU to the host since the last call here. */
uint64_t session_take_copied(struct session *session);

/* The first characters the process printed, for the terminal; and how many bytes it printed in all. */
const char *session_output(const struct session *session, uint64_t *bytes);

#endif

/* launch_report.h: the launch report: JSON lines on a file or socket, each line one object and one
 * write. The trusted reader of a socket may send commands, one a line (judge/commands.c). */
#ifndef RUNTIME_LAUNCH_REPORT_H
#define RUNTIME_LAUNCH_REPORT_H

#include "base/span_kinds.h"
#include "gpu/simt/simt.h"
#include "report/document/kernel_report.h"

#include <pthread.h>

enum { LAUNCH_REPORT_COMMAND_BYTES = 192 };

struct launch_report {
    int descriptor;  /* -1: no report */
    bool commands;   /* it is a socket whose other side is open */
    bool socket;     /* it is a socket */
    bool overlong;   /* the current input line is longer than any command and is dropped */
    char input[512]; /* received, not yet taken */
    size_t input_bytes;
    pthread_mutex_t writing; /* held while a line is written; its holder delays other lines */
};

/* Bytes that crossed between host and device in a judged call. */
struct server_flow {
    uint64_t from_device, to_device; /* certainly: copies; to the device also shared memory and modules */
    uint64_t learned;                /* bytes of device memory that the host could know */
    uint64_t carried;      /* to the device once `learned` > 0, with parameters and what operations tell */
    double time_us;        /* modelled, in addition to copies and launches */
    double idle_us;        /* of that: the GPU had nothing to do, for the host waited or freed memory */
    bool unseen;           /* work could overlap, and what it touched is not known: the next call tells */
    const char *unordered; /* two pieces of its work that nothing orders; "": none were found */
};

/* Take over a descriptor. */
void launch_report_open(struct launch_report *report, int descriptor);
/* Takes the next complete command without waiting. False: there is none. */
bool launch_report_command(struct launch_report *report, char line[LAUNCH_REPORT_COMMAND_BYTES]);
/* {"launch": ...}. False for each of these functions: the reader is gone or the disk is full. */
bool launch_report_kernel(struct launch_report *report, const struct kernel_report *kernel);
/* {"copy": {"direction": "HtoD" | "DtoH" | "DtoD", "bytes": n, "time_us": t}}: a copy. */
bool launch_report_copy(struct launch_report *report, enum span_kind direction, uint64_t bytes,
                        double time_us);
/* {"fill": {"bytes": n, "time_us": t}} */
bool launch_report_fill(struct launch_report *report, uint64_t bytes, double time_us);
/* {"span": {"kind", "stream", "name", "bytes", "begin_us", "time_us"}}: a span of the timeline. */
bool launch_report_span(struct launch_report *report, enum span_kind kind, int64_t stream, const char *name,
                        uint64_t bytes, double begin_us, double time_us);
/* {"fault": ...}: the CUDA error's number, and the simulator's fault. */
bool launch_report_fault(struct launch_report *report, int cuda_error, const struct simt_fault *fault);
/* {"flow": {"from_device", "to_device", "learned", "carried", "time_us"}}: struct server_flow. */
bool launch_report_flow(struct launch_report *report, const struct server_flow *flow);
/* {"recorded": {"time_us", "pinned", "failed"}}: a call recorded in the host's memory; pinned:
 * the share of the bytes between host and device that lie in pinned memory; failed: why it
 * cannot be repeated ("" or NULL: it can). */
bool launch_report_recorded(struct launch_report *report, double time_us, double pinned, const char *failed);
/* {"repeated": {"more_us": t}}: additional kernel time when the call was repeated with other
 * data. */
bool launch_report_repeated(struct launch_report *report, double more_us);
/* {"unordered": {"message"}}: work of a recorded call that nothing orders. */
bool launch_report_unordered(struct launch_report *report, const char *message);
/* {"forgotten": {"what": ...}}: a kernel accessed memory that an earlier call had filled. */
bool launch_report_forgotten(struct launch_report *report, const char *what);
/* {"left": {"what": [...]}}: the memory that a call left for the next one, by name. */
bool launch_report_left(struct launch_report *report, const char *const what[], unsigned count);
/* {"printed": {"hex": ...}}: a part of what kernels printed; any bytes. */
bool launch_report_printed(struct launch_report *report, const char *text, size_t bytes);
/* {"running": {"warp_instructions": n}}: the launch is still running. */
bool launch_report_running(struct launch_report *report, uint64_t instructions);
/* {"violation": {"kind": ..., "message": ...}}: the program tried something forbidden
 * (judge/judge.c). */
bool launch_report_violation(struct launch_report *report, const char *kind, const char *message);
/* {"answer": {"command": ..., "error": e, "value": v}}: a command's result; error: CUDA's, 0:
 * none. */
bool launch_report_answer(struct launch_report *report, const char *command, uint32_t error, uint64_t value);
/* {"remark": {"kind", "kernel", "file", "line", "block", "thread", "message", "count"}}: a mistake
 * that stops nothing. The kernel's name is demangled; without a kernel the positions are null. */
bool launch_report_remark(struct launch_report *report, const struct simt_remark *remark);

/* ---- simulation.c: the simulator's configuration from a model, and the report of a launch */

/* Fills the simulator's configuration from a model. The fields on how to run get defaults. */
void simulation_config(const struct gpu_model *model, struct simt_config *config);

/* Makes the report of a simulated launch, with its modelled time. False: out of memory; *report is
 * empty. */
bool simulation_report(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                       const struct simt_result *result, const struct gpu_time *time);

#endif

/*
 * launch_report.h: the launch report: JSON lines on a file or socket, one object a line, each written whole
 * by one write. On a socket the other side, which is trusted, may also send commands, one a line
 * (judge/commands.c says which).
 */
#ifndef RUNTIME_LAUNCH_REPORT_H
#define RUNTIME_LAUNCH_REPORT_H

#include "base/span_kinds.h"
#include "gpu/simt/simt.h"
#include "report/document/kernel_report.h"

#include <pthread.h>

enum { LAUNCH_REPORT_COMMAND_BYTES = 192 };

struct launch_report {
    int descriptor;  /* -1: no report is wanted */
    bool commands;   /* it is a socket, and its other side is there */
    bool socket;     /* it is a socket */
    bool overlong;   /* the line that comes is longer than any command: dropped to its end */
    char input[512]; /* what has come and not been taken */
    size_t input_bytes;
    pthread_mutex_t writing; /* held while a line is written; who holds it keeps lines from being begun */
};

/* What crossed between host and device in a judged call, in bytes. */
struct server_flow {
    uint64_t from_device, to_device; /* surely: copies; to the device also memory of both sides and modules */
    uint64_t learned;                /* that the host could know of the device's memory */
    uint64_t
        carried;    /* to the device once some was learned, parameters and what an operation tells included */
    double time_us; /* modelled, beyond what copies and launches took */
};

/* Take over a descriptor. */
void launch_report_open(struct launch_report *report, int descriptor);
/* The next command that has come whole, without waiting; false: none. */
bool launch_report_command(struct launch_report *report, char line[LAUNCH_REPORT_COMMAND_BYTES]);
/* {"launch": ...}. False when it cannot be written: the reader is gone or the disk is full. */
bool launch_report_kernel(struct launch_report *report, const struct kernel_report *kernel);
/* {"copy": {"direction": "HtoD" | "DtoH" | "DtoD", "bytes": n, "time_us": t}}: what the program moved. */
bool launch_report_copy(struct launch_report *report, enum span_kind direction, uint64_t bytes,
                        double time_us);
/* {"fill": {"bytes": n, "time_us": t}} */
bool launch_report_fill(struct launch_report *report, uint64_t bytes, double time_us);
/* {"span": {"kind", "stream", "name", "bytes", "begin_us", "time_us"}}: what happened when. */
bool launch_report_span(struct launch_report *report, enum span_kind kind, int64_t stream, const char *name,
                        uint64_t bytes, double begin_us, double time_us);
/* {"fault": ...}, with the CUDA error by number and the fault as the simulator describes it. */
bool launch_report_fault(struct launch_report *report, int cuda_error, const struct simt_fault *fault);
/* {"flow": {"from_device", "to_device", "learned", "carried", "time_us"}}: what crossed in a judged call. */
bool launch_report_flow(struct launch_report *report, const struct server_flow *flow);
/* {"recorded": {"time_us", "failed"}}: a call in the host's memory, and why it cannot be repeated (""; NULL is fine). */
bool launch_report_recorded(struct launch_report *report, double time_us, const char *failed);
/* {"repeated": {"more_us": t}}: how much longer its kernels took when it was repeated, with other data. */
bool launch_report_repeated(struct launch_report *report, double more_us);
/* {"forgotten": {"what": ...}}: a kernel touched memory that an earlier call had filled, and that holds nothing now. */
bool launch_report_forgotten(struct launch_report *report, const char *what);
/* {"left": {"what": [...]}}: what a call left for the next one, by name. */
bool launch_report_left(struct launch_report *report, const char *const what[], unsigned count);
/* {"printed": {"hex": ...}}: what kernels printed, in parts; any bytes. */
bool launch_report_printed(struct launch_report *report, const char *text, size_t bytes);
/* {"running": {"warp_instructions": n}}: the launch is not over yet. */
bool launch_report_running(struct launch_report *report, uint64_t instructions);
/* {"violation": {"kind": ..., "message": ...}}: the program tried what it must not (judge/judge.c). */
bool launch_report_violation(struct launch_report *report, const char *kind, const char *message);
/* {"answer": {"command": ..., "error": e, "value": v}}: what came of a command; error: a CUDA error, 0 none. */
bool launch_report_answer(struct launch_report *report, const char *command, uint32_t error, uint64_t value);
/* {"remark": {"kind", "kernel", "file", "line", "block", "thread", "message", "count"}}: something wrong that stopped
 * nothing; the kernel's name as written, the positions are null where there is no kernel. */
bool launch_report_remark(struct launch_report *report, const struct simt_remark *remark);

/* ---- simulation.c: the simulator's configuration from a model, and the report of what it ran. */

/* Fill the simulator's configuration from a model; the "how to run" fields get their defaults. */
void simulation_config(const struct gpu_model *model, struct simt_config *config);

/* The report of a simulated launch and its modelled time. False when out of memory (*report is then empty). */
bool simulation_report(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                       const struct simt_result *result, const struct gpu_time *time);

#endif

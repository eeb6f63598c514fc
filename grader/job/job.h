/*
 * job.h: build/bin/grade-job's work: one submission of one lab is compiled, judged and measured in sandboxes.
 *
 * The result is OUTPUT/result.json (schema 1), written whole or not at all:
 *   { "schema": 1, "lab", "kernel_sha256", "kit", "device", "gpu", "drawn", "size": "2560x1600" | null,
 *     "outcome": "judged" | "build-failed" | "failed" | "trouble",
 *     "message": one line for the student, "detail": more lines,
 *     "shown": the report of the student's kernels with the inputs of `make labN`, for the student, or null,
 *     "prints": the fingerprints of the compiled kernels (prints/opcodes.h), or null,
 *     "flags": [ { "name", "message" } ], "report": the lab's report.json or null,
 *     "staff": { "message", "detail" }: what was seen with the grader's inputs; no student may see it, nor "report",
 *     "seconds": { "build", "run" } }
 * drawn: what the inputs follow from: the seed, or the name of the key, which does not reveal the key. judged: right,
 * measured and scored. trouble: the grader's own; nothing follows for the submission. On the simulated GPU everything
 * but "seconds" is the same every time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { JOB_SCHEMA = 1 };

struct job_options {
    const char *lab, *kernel, *output;
    const char *cache; /* where measured starters and references are kept; NULL: BUILD/grade-cache */
    const char *device, *gpu, *size, *seed,
        *key; /* as `lab` takes them; NULL: its defaults, but device sim */
    unsigned build_seconds, run_seconds, memory_mib;
    unsigned
        judge_mib; /* what the judge itself may use while it runs the submission; 0: what the lab needs, and to spare */
    const char
        *sandbox; /* by name (sandbox.h), or NULL: what SANDBOX says, or the strongest that works here */
};

/* Everything but lab, kernel and output. */
void job_defaults(struct job_options *options);

/* Runs the job in a process of its own (supervise.h). Exit status: 0 a result was written, whatever the submission did;
 * 1 trouble (a result says so, if it could be written); 2 the options make no sense. Messages go to stderr. One job at a
 * time in a process: every child of the process is taken to be the job's. */
int job_run(const struct job_options *options);

/* Print the kit's version for these options (kernel and output may be NULL); the same exit status. */
int job_print_kit(const struct job_options *options);

/* Print in a line which sandbox works here, and what it does not cover. Exit status 1: none works; the line says what to
 * do. */
int job_print_sandbox(const struct job_options *options);

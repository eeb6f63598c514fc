/*
 * trial.h: one case of a problem with its inputs and the oracle's answer, called and judged. Every
 * call, timed or not, gets freshly copied inputs and poisoned outputs.
 */
#pragma once

#include "lab/judge/session/session.h"
#include "lab/problems/problem.h"

struct trial {
    const struct problem *problem;
    struct problem_case problem_case;
    struct problem_layout layout;
    void *input[PROBLEM_BUFFERS], *expected[PROBLEM_BUFFERS]; /* expected: by output number */
};

/* Fills the inputs and asks the oracle. False when out of memory. */
bool trial_create(struct trial *trial, const struct problem *problem,
                  const struct problem_case *problem_case);
void trial_free(struct trial *trial);

/* Bytes of shared memory for one case of this problem, guard bands included. */
uint64_t trial_memory(const struct problem *problem, const struct problem_case *problem_case);

struct trial_options {
    struct draw_key key; /* of this call alone; poison and addresses of the buffers are drawn under it */
    bool guard;          /* guard bands around the buffers */
    bool timed;
    bool keep_output; /* result.output is wanted */
    bool copy;        /* real GPU: also time a plain copy of the first buffer, after the call */
    bool wait;        /* with an owner, timed: the program is asked only when the inputs are there */
    bool leave;       /* the judge owns the memory: the next call finds all that this one leaves */
    /* In a session that records: the data with which the call is repeated; NULL: no repetition. */
    const struct trial *repeat;
    uint64_t flush_bytes;
};

struct trial_result {
    struct problem_verdict verdict;
    enum flag flag;  /* what else is wrong with the result; FLAG_NONE: nothing */
    double event_us; /* by the runner's events, when timed; of a function for the host by the host's clock */
    double after_us; /* time of other streams after the call's had ended, by the runner's host clock */
    double wall_us;  /* by the judge's clock, from asking for the call to its answer */
    double copy_us;  /* of the plain copy, when asked for */
    /* With an owner, by the GPU's clock: session_owner_call. */
    double window_us, again_us;
    bool late;
    void *output; /* a copy of the first output, when asked for; trial_result_free frees it */
    struct kernel_report *kernels; /* simulated GPU: this call's kernels, each with all its launches */
    unsigned kernel_count;
    uint64_t lines_left_out; /* lines of these kernels for which there was no room */
    double device_us;    /* simulated GPU: modelled time of its kernels, copies and fills, and idle time */
    double idle_us;      /* the part of it in which the host waited or freed memory, and the GPU idled */
    char unpaid[160];    /* why the time of a call in the host's memory earns nothing; "": it may */
    double pinned;       /* of such a call: as in struct session_recorded */
    char unordered[768]; /* what of it nothing orders, and what differs then; "": nothing */
};

/* Runs the trial once. True when there is a verdict, right or wrong; else false and *failure. */
bool trial_run(const struct trial *trial, struct session *session, const struct trial_options *options,
               struct trial_result *result, struct failure *failure);
/* Likewise the student's function for the host, on host memory with guard bands. */
bool trial_run_cpu(const struct trial *trial, struct session *session, const struct draw_key *key,
                   struct trial_result *result, struct failure *failure);
void trial_result_free(struct trial_result *result);
/* For a result that is wrong, but right as a process's first call: adds to the verdict which
 * memory, left by an earlier call, the call read. */
void trial_explain_missed(const struct session *session, struct problem_verdict *verdict);

/* The byte that fills the outputs before a call with this key. */
uint8_t trial_poison(const struct draw_key *key);

/* Makes the PREPARE request: where the case's buffers lie in a runner's memory. */
void trial_request(const struct trial *trial, const struct trial_options *options,
                   struct runner_request *request);

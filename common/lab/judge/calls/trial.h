/*
 * trial.h: one case of a problem with its inputs and the oracle's answer, and what a runner makes
 * of it. Every call, timed or not, gets freshly copied inputs and poisoned outputs, and its result
 * is judged.
 */
#ifndef LAB_TRIAL_H
#define LAB_TRIAL_H

#include "lab/judge/session/session.h"
#include "lab/problems/problem.h"

struct trial {
    const struct problem *problem;
    struct problem_case problem_case;
    struct problem_layout layout;
    void *input[PROBLEM_BUFFERS], *expected[PROBLEM_BUFFERS]; /* expected: by output number */
};

/* Fill the inputs and ask the oracle. False when out of memory. */
bool trial_create(struct trial *trial, const struct problem *problem,
                  const struct problem_case *problem_case);
void trial_free(struct trial *trial);

/* Shared memory one case of this problem needs, guard bands included. */
uint64_t trial_memory(const struct problem *problem, const struct problem_case *problem_case);

struct trial_options {
    struct draw_key key; /* this call's own: the poison and the buffers' addresses are drawn under it */
    bool guard;          /* guard bands around the buffers */
    bool timed;
    bool keep_output; /* result.output is wanted */
    bool copy;        /* real GPU: time a plain copy of the first buffer too, after the call */
    bool
        wait; /* buffers of an owner, timed: all the same the program is asked only when the inputs are there */
    bool leave; /* memory of the judge's: the next call finds all that this one leaves */
    /* A session that records: what the call is repeated with, in its order and in another; NULL:
     * it is not. */
    const struct trial *repeat;
    uint64_t flush_bytes;
};

struct trial_result {
    struct problem_verdict verdict;
    enum flag flag;  /* what a wrong verdict means besides, FLAG_NONE nothing */
    double event_us; /* by the runner's events, when timed; on the host by its clock */
    double after_us; /* what other streams still did when the call's had ended, by the runner's host clock */
    double wall_us;  /* by the judge's clock, from asking for the call to its answer */
    double copy_us;  /* of the plain copy, when asked for */
    /* By the GPU's clock in the process that owns the buffers, where one does: session_owner.h. */
    double window_us, again_us;
    bool late;
    void *output; /* a copy of the first output, when asked for; trial_result_free frees it */
    struct kernel_report *kernels; /* simulated GPU: this call's kernels, each with all its launches */
    unsigned kernel_count;
    uint64_t lines_left_out; /* of theirs, for which there was no room */
    double device_us;        /* simulated GPU: modelled time of its kernels, copies and fills */
    char unpaid[160];        /* why the time of a call in the host's memory earns nothing; "": it does */
};

/* Run the trial once. True when there is a verdict (right or wrong); false and *failure when it
 * came to none. */
bool trial_run(const struct trial *trial, struct session *session, const struct trial_options *options,
               struct trial_result *result, struct failure *failure);
/* The same with the student's function for the host, on host memory with guard bands. */
bool trial_run_cpu(const struct trial *trial, struct session *session, const struct draw_key *key,
                   struct trial_result *result, struct failure *failure);
void trial_result_free(struct trial_result *result);
/* Of a result that is wrong, and right as a process's first call: what the call looked for, if
 * it did, that an earlier one had left. */
void trial_explain_missed(const struct session *session, struct problem_verdict *verdict);

/* The byte that fills the outputs before the call of this key. */
uint8_t trial_poison(const struct draw_key *key);

/* Where a case's buffers lie in a runner's memory: the PREPARE request. */
void trial_request(const struct trial *trial, const struct trial_options *options,
                   struct runner_request *request);

#endif

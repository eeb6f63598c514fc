/*
 * judge_parts.h: the judge from the inside: which cases there are, second calls, the evidence that
 * the diagnosis works on, repeated calls in the host's memory. Private to this folder.
 */
#pragma once

#include "lab/judge/calls/judge.h"

enum { JUDGE_CASES = 256 }; /* the most cases, of a problem and drawn */

/* Case `index`: the problem's own, or a drawn one. time 1: the same case once more, with another
 * input. */
void judge_get_case(const struct settings *settings, unsigned index, unsigned time, struct problem_case *c);

/* Bytes of the largest case that is checked for remarks and that may be called again. */
enum { JUDGE_SMALL = 1 << 20 };

/* ---- judge_again.c: a second call finds in memory what the first one left, as in any program
 * that calls twice */

/* again[i]: whether case i is called again. Chosen are the smallest cases of different sizes for
 * which two draws give two inputs; when grading also some drawn cases. */
void judge_choose_again(const struct settings *settings, bool again[JUDGE_CASES]);

/* The second call's case: the first one's sizes, with drawn pattern and levels; its name says
 * "called again". */
void judge_get_second(const struct settings *settings, unsigned index, const struct problem_case *first,
                      struct problem_case *second);

/* A case whose second call is wrong. */
struct judge_second {
    const struct trial *first, *second;
    const struct trial_options *first_options, *second_options;
};
/* Whether the second case is right as a program's first call. If so, *diagnosis names what the
 * first call left in device memory where that is the cause: forgetting it alone makes the second
 * call right. *flag: when grading, FLAG_WRONG_LATER where device memory is not the cause. */
bool judge_explain_again(const struct settings *settings, const char *program,
                         const struct judge_second *calls, struct diagnosis *diagnosis, enum flag *flag);

/* The message where a case is right when it comes first. */
#define JUDGE_RIGHT_ALONE                                                                                    \
    "Alone, as a program's first call, this case is right: something is kept from call to call, e.g. in a "  \
    "static variable or in memory that is allocated once."

/* ---- evidence.c: what came out of a program's cases, kept until all are judged, for the
 * diagnosis */

struct evidence {
    const struct problem *problem;
    struct diagnosis_case *cases;
    void **outputs; /* of each case, owned here */
    unsigned count, most;
    size_t bytes;         /* of outputs that are kept */
    unsigned tried_alone; /* wrong cases that were called once more as a program's first call */
    char doubt[600];      /* remark that a failing case's result depends on what nobody can know; "": none */
    unsigned failed;      /* cases, all of which come out as by these of the problem's causes: */
    uint32_t fits;
    bool incomplete; /* a case is missing, so that no statement holds for all */
};

/* Room for every case of a problem. False and *failure when out of memory; evidence_free in any
 * case. */
bool evidence_begin(struct evidence *evidence, const struct problem *problem, struct failure *failure);
void evidence_free(struct evidence *evidence);

/* Takes a judged case and its first output, which the evidence owns from then on. */
void evidence_add(struct evidence *evidence, const struct problem_case *problem_case,
                  const struct problem_layout *layout, uint8_t poison, bool passed, void *output);

/* The diagnosis of these cases. With a doubt it is the doubt: no cause follows from values then. */
bool evidence_diagnose(const struct evidence *evidence, bool deterministic, struct diagnosis *diagnosis);

/* ---- repeat.c: a call in the host's memory, recorded by the simulated GPU and repeated without
 * the program (gpu/runtime/judge/record.c, repeat.c). The program has its inputs in its own
 * memory and could compute on the host; what the GPU does alone, with data that the program
 * never had, cannot have been prepared. */

/* The next run is recorded. address: where the program has the request's buffers, each behind
 * its guard. */
bool repeat_begin(struct session *session, const struct runner_request *request,
                  const uint64_t address[RUNNER_BUFFERS], struct failure *failure);
/* The run has ended; session_recorded says what was recorded. */
bool repeat_end(struct session *session, struct failure *failure);
/* Repeats the run with the data of `other`, in its order and in others that its streams and
 * events allow. result->unpaid: why its time earns nothing, "": it does; then *more_us is the
 * microseconds by which its kernels took longer, or 0. False and *failure when the run cannot be
 * repeated. */
bool repeat_call(struct session *session, const struct trial *called, const struct trial *other,
                 const struct runner_request *request, struct trial_result *result, double *more_us,
                 struct failure *failure);
bool repeat_release(struct session *session, struct failure *failure);

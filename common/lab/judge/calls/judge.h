/* judge.h: is a kernel right? Every case of the lab's problem on one variant. */
#pragma once

#include "lab/judge/calls/trial.h"
#include "lab/problems/diagnosis/diagnosis.h"
#include "lab/settings.h"
#include "report/document/report.h"

/* Cases with drawn sizes that grading adds to the problem's own. */
enum { JUDGE_DRAWN_CASES = 8 };

/* Which of the student's two functions is called. */
enum side { SIDE_GPU, SIDE_CPU };

/* The smallest wrong case (diagnosis_before), and what is known of all wrong cases. */
struct judge_wrong {
    bool present;
    enum side side;
    struct problem_case problem_case;
    struct problem_verdict verdict;
    bool nondeterministic;      /* the same call gave two different results */
    bool called_again;          /* right as a first call, wrong as a second */
    bool right_alone;           /* right as a program's first call, and its diagnosis says so */
    struct draw_key key;        /* key of the call */
    enum flag flag;             /* what else is wrong with the result; FLAG_NONE: nothing */
    struct diagnosis diagnosis; /* text "": nothing */
};

/* What a session is for. */
struct judge_session {
    uint64_t memory_bytes; /* of the largest trial: trial_memory */
    bool measuring;        /* counted and timed; else shared memory is checked for races, and remarks are made */
    bool on_host;          /* the function for the host is called too, on the session's memory */
    bool unlogged;         /* what the program prints is not added to build/labN/output.txt */
};
/* Opens a session for a variant's program. */
struct session *judge_open_session(const struct settings *settings, const char *program,
                                   const struct judge_session *how, struct failure *failure);

/* How many cases are run, and which one is at `position`. Without grading these are the
 * problem's own in their order; when grading they are drawn, so that nobody can foresee them. */
unsigned judge_case_count(const struct settings *settings);
unsigned judge_case_at(const struct settings *settings, unsigned position);
/* How many calls of a part precede the one that counts, and how many follow: 1 and 0; drawn when
 * grading. */
struct judge_calls {
    unsigned before, after;
};
struct judge_calls judge_calls(const struct settings *settings, unsigned part);

/* Whether a case that was wrong after others is right in a process that has seen no other. Then
 * the program counts its calls. */
bool judge_right_when_first(const struct settings *settings, const char *program, bool measuring,
                            const struct trial *trial, const struct trial_options *options);

/* Runs all cases on `program` and adds each to the report, until one comes to no verdict. True
 * when all are right. Else *failure says why, *wrong has the smallest wrong case if there is
 * one, and its pictures lie in the lab's folder. */
bool judge_correctness(const struct settings *settings, const char *program, struct report *report,
                       struct judge_wrong *wrong, char *output, size_t output_size, struct failure *failure);

/* Writes input.png, output.png and, when wrong, difference.png of a trial; small ones are
 * enlarged by a whole factor, to about 512 pixels. False and a message when a file cannot be
 * written. */
bool judge_pictures(const struct settings *settings, const struct trial *trial, const void *output,
                    char *error, size_t size);

/* judge.h: is a kernel right? Every case of the lab's problem on one variant. */
#ifndef LAB_JUDGE_H
#define LAB_JUDGE_H

#include "lab/judge/calls/trial.h"
#include "lab/problems/diagnosis/diagnosis.h"
#include "lab/settings.h"
#include "report/document/report.h"

/* Cases that grading adds to the problem's own, whose sizes are drawn. */
enum { JUDGE_DRAWN_CASES = 8 };

/* Which of the student's two functions is called. */
enum side { SIDE_GPU, SIDE_CPU };

/* What is shown of the smallest wrong case (diagnosis_before), and what is known of all of them. */
struct judge_wrong {
    bool present;
    enum side side;
    struct problem_case problem_case;
    struct problem_verdict verdict;
    bool nondeterministic;      /* the same call gave two different results */
    bool called_again;          /* right when it is called first, wrong after a call that is right */
    bool right_alone;           /* right as a program's first call, and its diagnosis says so */
    struct draw_key key;        /* of the call */
    enum flag flag;             /* what kind of wrong, FLAG_NONE the ordinary one */
    struct diagnosis diagnosis; /* text "": nothing */
};

/* What a session is for. */
struct judge_session {
    uint64_t memory_bytes; /* of the largest trial: trial_memory */
    bool measuring; /* with caches; else shared memory is checked for races, and all that remarks tell of */
    bool on_host;   /* the function for the host is called, too: it works on our memory */
    bool unlogged;  /* what the program prints is not added to build/labN/output.txt */
};
/* session_open for a variant's program. */
struct session *judge_open_session(const struct settings *settings, const char *program,
                                   const struct judge_session *how, struct failure *failure);

/* What must not be foreseen: how many cases are run, and which one is at `position`; how many
 * calls of a part are made before the one that counts, and after it. The problem's own in their
 * order, 1 and 0; when grading they are drawn. */
unsigned judge_case_count(const struct settings *settings);
unsigned judge_case_at(const struct settings *settings, unsigned position);
struct judge_calls {
    unsigned before, after;
};
struct judge_calls judge_calls(const struct settings *settings, unsigned part);

/* Whether a case that came out wrong after others comes out right in a process that has seen no
 * other: then the program counts its calls. */
bool judge_right_when_first(const struct settings *settings, const char *program, bool measuring,
                            const struct trial *trial, const struct trial_options *options);

/* Run all cases on `program`, adding each to the report, until one comes to no verdict. Returns
 * true when all are right. Otherwise *failure says why and *wrong has the first wrong case, if
 * there is one; pictures of it go to folder/. */
bool judge_correctness(const struct settings *settings, const char *program, struct report *report,
                       struct judge_wrong *wrong, char *output, size_t output_size, struct failure *failure);

/* input.png, output.png and, when wrong, difference.png of a trial; a small one enlarged by a
 * whole factor, to about 512 pixels. False and a message when one cannot be written. */
bool judge_pictures(const struct settings *settings, const struct trial *trial, const void *output,
                    char *error, size_t size);

#endif

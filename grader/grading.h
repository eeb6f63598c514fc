/* grading.h: one grading of a class, from the download to the grades in the gradebook; the steps of `grade`.
 */
#ifndef GRADER_GRADING_H
#define GRADER_GRADING_H

#include "grader/gradebook.h"
#include "grader/policy.h"
#include "grader/queue.h"

enum { GRADING_LABS = 32 };

struct grading_options {
    const char *root;            /* the kit's folder */
    const char *lab;             /* NULL: all that the download's folders name */
    const char *submissions;     /* folder or archive */
    const char *roster, *policy; /* NULL: none */
    const char *only;            /* "jdoe,mmu": nobody else is touched; NULL: everybody */
    const char *student;         /* the whole download is this student's; NULL: a class */
    const char *grade_job;       /* the program, asked for the kit's version */
};

struct grading {
    const struct grading_options *options;
    struct gradebook *book; /* NULL: a dry run, which keeps nothing */
    struct roster roster;
    bool has_roster;
    struct policy policy;
    struct lab labs[GRADING_LABS]; /* those of this grading */
    unsigned lab_count;
    struct grading_kit {
        char lab[16], device[8], gpu[32], version[64];
    } kits[GRADING_LABS]; /* those asked for already */
    unsigned kit_count;
    char *ignored; /* what belongs to no student, sentences */
    enum layout layout;
    unsigned handed_in, kernels, unknown; /* submissions; with a kernel; of nobody in the roster */
    char error[TEXT_ERROR];
};

/* Read roster and policy. */
bool grading_init(struct grading *grading, const struct grading_options *options, struct gradebook *book);
void grading_free(struct grading *grading);

/* Read what was handed in, put it into the gradebook with the jobs it needs. One transaction. With `print`
 * each submission is shown there, a line each (a dry run shows and keeps nothing). */
bool grading_plan(struct grading *grading, FILE *print);
/* The labs that the gradebook has, in place of reading submissions. */
bool grading_labs_of_book(struct grading *grading);

/* Grade every student of the plan's labs from the stored results. One transaction. */
bool grading_score(struct grading *grading);

/* The rules of a lab with a seed: the policy's, or the one that the gradebook keeps. */
bool grading_rules(struct grading *grading, const char *lab, struct policy_rules *rules);
/* Is this student meant by --only? */
bool grading_wants(const struct grading *grading, const char *student);

/* Keep one line in grading->error, the gradebook's own; always false. */
__attribute__((format(printf, 2, 3))) bool grading_refuse(struct grading *grading, const char *format, ...);
bool grading_book_failed(struct grading *grading);

#endif

/* plan.h: what one run of `grade` is about: labs, students, rules, and the jobs that follow from what was handed
 * in. */
#ifndef CLASS_PLAN_H
#define CLASS_PLAN_H

#include "class/gradebook.h"
#include "class/policy.h"
#include "class/queue.h"

enum { PLAN_LABS = 32 };

struct plan_options {
    const char *root;            /* the kit's folder */
    const char *lab;             /* NULL: all that the download's folders name */
    const char *submissions;     /* folder or archive */
    const char *roster, *policy; /* NULL: none */
    const char *only;            /* "jdoe,mmu": nobody else is touched; NULL: everybody */
    bool rescore;                /* from stored results: nothing is run */
    bool replace;                /* who is not in the download any more is forgotten */
    const char *student;         /* the whole download is this student's; NULL: a class */
    const char *grade_job;       /* the program, asked for the kit's version */
};

struct plan {
    const struct plan_options *options;
    struct gradebook *book; /* NULL: a dry run, which keeps nothing */
    struct roster roster;
    bool has_roster;
    struct policy policy;
    struct lab labs[PLAN_LABS]; /* those of this run */
    unsigned lab_count;
    struct plan_kit {
        char lab[16], device[8], gpu[32], version[64];
    } kits[PLAN_LABS]; /* those asked for already */
    unsigned kit_count;
    char *strays;         /* what belongs to no student, a line each */
    unsigned stray_count; /* of these, and students whom two parts of the download claim */
    const struct layout *layout;
    unsigned handed_in, kernels, unknown; /* submissions; with a kernel; of nobody in the roster */
    char error[TEXT_ERROR];
};

/* Read roster and policy. */
bool plan_init(struct plan *plan, const struct plan_options *options, struct gradebook *book);
void plan_free(struct plan *plan);

/* Read what was handed in, put it into the gradebook with the jobs it needs. One transaction. With `print`
 * each submission is shown there, a line each (a dry run shows and keeps nothing). */
bool plan_read(struct plan *plan, FILE *print);
/* The labs that the gradebook has, in place of reading submissions. */
bool plan_labs_of_book(struct plan *plan);

/* The rules of a lab with a key: the policy's, or the one that the gradebook keeps. Refused where it is not the key that
 * the lab's results were drawn with and they are to be scored anew, or stand beside new ones (--only). */
bool plan_rules(struct plan *plan, const char *lab, struct policy_rules *rules);
/* Is this student meant by --only? */
bool plan_wants(const struct plan *plan, const char *student);

/* Keep one line in plan->error, the gradebook's own; always false. */
__attribute__((format(printf, 2, 3))) bool plan_refuse(struct plan *plan, const char *format, ...);
bool plan_book_failed(struct plan *plan);

#endif

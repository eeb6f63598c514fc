/* plan.h: one run of `grade`: labs, students, rules, and the jobs that the submissions need. */
#pragma once

#include "class/gradebook.h"
#include "class/queue/queue.h"
#include "class/score/policy.h"

enum { PLAN_LABS = 32, PLAN_NAMES = 256 };

struct plan_options {
    const char *root;            /* the kit's folder */
    const char *lab;             /* NULL: all that the download's folders name */
    const char *submissions;     /* folder or archive */
    const char *roster, *policy; /* NULL: none, and of the policy the one that the gradebook keeps */
    const char *overrides,
        *regrades;         /* the instructor's word (instructor.h); NULL: what the gradebook keeps */
    const char *only;      /* "jdoe,mmu": other grades stay; NULL: everybody */
    const char *rejudge;   /* "jdoe,mmu", or "timeouts": judged once more, alone; NULL: nobody */
    bool rescore;          /* from stored results: nothing is run */
    bool replace;          /* forget students who are no longer in the download */
    bool dry_run;          /* nothing is kept */
    const char *student;   /* the whole download is this student's; NULL: a class */
    const char *grade_job; /* the program, asked for the kit's version */
};

struct plan {
    const struct plan_options *options;
    struct gradebook *book;     /* NULL: a dry run, which keeps nothing */
    struct roster roster, kept; /* given to this run; to an earlier one */
    bool has_roster, has_kept;
    struct policy policy;
    char *policy_text;    /* as it was read, to be kept; NULL: none was given */
    bool policy_was_kept; /* it was given to an earlier run */
    struct plan_name {
        char given[GRADE_NAME], id[GRADE_NAME]; /* of --only and --rejudge; "": not found yet */
    } * names;
    unsigned name_count;
    struct lab labs[PLAN_LABS]; /* those of this run */
    unsigned lab_count;
    struct plan_kit {
        char lab[16], device[8], gpu[32], version[64];
    } kits[PLAN_LABS]; /* versions that grade-job has told already */
    unsigned kit_count;
    char *strays;         /* a line for each file that belongs to no student */
    unsigned stray_count; /* of these lines, and of students whom two parts of the download claim */
    const struct layout *layout;
    unsigned handed_in, kernels, unknown; /* submissions; with a kernel; of nobody in the roster */
    unsigned nothing;                     /* of the roster, with nothing in the download */
    char nothing_of[5 * GRADE_NAME + 8];  /* the first of them */
    bool *absent;          /* of each student in the roster: it says handed in, the download has nothing */
    char lost[TEXT_ERROR]; /* decisions that --replace takes back; "": none */
    char changed[2048];    /* grades that were others before, a line a lab; "" */
    char zone[64];         /* of times that name none, as TZ has it; "": the machine's, which has no name */
    char zone_said[240];   /* it is not the one of the last call, or not the machine's; "" */
    char wrong_lab[64];    /* the last of plan_likeness's sentences on that */
    char error[TEXT_ERROR];
};

/* Read roster and policy. */
bool plan_init(struct plan *plan, const struct plan_options *options, struct gradebook *book);
void plan_free(struct plan *plan);

/* Read what was handed in, put it into the gradebook with the jobs it needs. One transaction. With `print`
 * each submission is shown there, a line each (a dry run shows and keeps nothing). */
bool plan_read(struct plan *plan, FILE *print);
/* Find the labs of this run: those of the gradebook, or of the download, whose names are looked
 * at alone. */
bool plan_labs(struct plan *plan);
/* Take the gradebook's labs in place of reading submissions. */
bool plan_labs_of_book(struct plan *plan);
/* Queue the jobs of the students of --rejudge once more, from the gradebook. One transaction. */
bool plan_rejudge(struct plan *plan);

/* The rules of a lab, with the policy's key or the gradebook's. Refused if the lab's results have another key and are to be
 * scored anew, or to stand beside new ones (--only). */
bool plan_rules(struct plan *plan, const char *lab, struct policy_rules *rules);
/* Add a lab to this run, once. The lab must exist, and the policy must fit it. */
bool plan_add_lab(struct plan *plan, const char *id);
/* A lab of this run; NULL: it is none. */
const struct lab *plan_find_lab(const struct plan *plan, const char *id);
/* The jobs that a kernel needs, one for each device of the policy, into the queue. */
bool plan_add_jobs(struct plan *plan, const char *lab, const char *sha256);

/* Files of the kit beside which a lab's submissions are judged; of a lab of small tasks all its files
 * together, as submissions are (intake/bundle.h). For the caller to free; NULL and plan->error. */
enum plan_side { PLAN_STARTER, PLAN_REFERENCE, PLAN_SIDES };
char *plan_kit_file(struct plan *plan, const struct lab *lab, enum plan_side side, size_t *length);

/* ---- what was handed in beside the kit's files (plan_like.c) */

/* A sentence for a human where it is the starter, or the reference, or another lab's; "". It holds until the next call. */
const char *plan_likeness(struct plan *plan, const struct submission *submission);
/* A copy of the kit has all labs. Without --lab those of which nobody has touched anything are not
 * handed in: what is left of them has no lab. */
void plan_drop_untouched(struct plan *plan, struct submissions *submissions);

/* Of so many jobs as many as this machine has memory for, each with all that it may use; at least
 * one. Says so on `to`, if there are fewer; NULL: nobody is told. */
unsigned plan_jobs_in_memory(const struct plan *plan, unsigned jobs, FILE *to);
/* Is this student meant by --only? */
bool plan_wants(const struct plan *plan, const char *student);

/* ---- names (plan_names.c) */

/* Split --only, or --rejudge, at its commas. */
bool plan_names_read(struct plan *plan, const char *list);
/* Does a given name mean this student or submission? The name counts as found then. */
bool plan_names_match(struct plan *plan, const char *student, const struct submission *submission);
/* Look up the other names in the gradebook. */
bool plan_names_of_book(struct plan *plan);
/* Refused if a name is nobody's; the message has the nearest one. */
bool plan_names_check(struct plan *plan);
/* The roster of an earlier run, where this one has none, so that its columns find students. False and plan->error. */
bool plan_names_kept(struct plan *plan);
/* The id, in roster or gradebook, of a student given by id, e-mail or another column of the roster. False: nobody
 * (plan->error is ""), or trouble. */
bool plan_known_student(struct plan *plan, const char *given, char id[GRADE_NAME]);

/* Keep the policy that was given for later calls without one. */
bool plan_keep_policy(struct plan *plan);

/* Keep one line in plan->error, the gradebook's own; always false. */
__attribute__((format(printf, 2, 3))) bool plan_refuse(struct plan *plan, const char *format, ...);
bool plan_book_failed(struct plan *plan);

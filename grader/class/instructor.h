/*
 * instructor.h: the instructor's decisions on single grades: two CSV files with a header, which the
 * gradebook keeps until another file replaces them. A file that lacks what an earlier one had is
 * refused, or told with --replace. An unknown column or value is an error with file and line, and
 * nothing is changed.
 *
 *   overrides   student, lab, and one of: points; excused (yes); waived (flags, all, or late); remark
 *   regrades    student, lab, question, answer, state (open, accepted, declined)
 */
#pragma once

#include "class/plan.h"

enum { INSTRUCTOR_TEXT = 256 };

struct instructor_word {
    bool present;
    double points; /* NAN: as computed */
    bool excused;
    char waived[INSTRUCTOR_TEXT]; /* names of flags, "all", "late", separated by spaces */
    char remark[INSTRUCTOR_TEXT];
};

/* Take the files that the options name into the gradebook; a dry run only reads them. Within the caller's transaction. False
 * and plan->error. */
bool instructor_put(struct plan *plan);

/* The word on one grade. */
bool instructor_word(struct gradebook *book, const char *student, const char *lab,
                     struct instructor_word *word);
/* Is this flag waived, or ("late") lateness? */
bool instructor_waives(const struct instructor_word *word, const char *name);
/* Questions and answers on one grade as sentences for the student, "" for none; *open: how many wait for an answer. */
bool instructor_regrades(struct gradebook *book, const char *student, const char *lab, char *text,
                         size_t size, unsigned *open);

/* humans.h: what the staff alone see: who needs a person to look, and why; one student's results. */
#pragma once

#include "class/gradebook.h"
#include "class/plan.h"

/* Print the students of the plan's labs who need a person, by reason. Warn if all are late, nobody is right or most are
 * absent, which is more likely a mistake. *suspicious: there was a warning, or a grade is
 * missing that the roster promises. to NULL: print nothing. False and book->error. */
bool humans_say(const struct plan *plan, FILE *to, bool *suspicious);

enum { HUMANS_SAID = 256 };
/* The warning on one lab, a line; "": none. False and book->error. */
bool humans_of_lab(struct gradebook *book, const char *lab, char said[HUMANS_SAID]);

/* ---- look.c: one student's results for the staff: what happened with the grader's inputs, which no student may see */

/* Print it to `to`, lab after lab (lab NULL: all). *found: there is such a student. False and one line in book->error when
 * the gradebook cannot be read. */
bool look(struct gradebook *book, const char *student, const char *lab, FILE *to, bool *found);

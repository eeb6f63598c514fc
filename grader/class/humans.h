/* humans.h: what the staff alone see: who needs a person to look, and why; one student's results. */
#ifndef CLASS_HUMANS_H
#define CLASS_HUMANS_H

#include "class/gradebook.h"
#include "class/plan.h"

/* Those of the plan's labs, grouped by reason, and what is so of a whole class that it is more likely a mistake: everybody late,
 * nobody right, most absent. *suspicious: such a thing was said. to NULL: nothing is printed. False and book->error. */
bool humans_say(const struct plan *plan, FILE *to, bool *suspicious);

enum { HUMANS_SAID = 256 };
/* What is so of a whole lab, one line; "": nothing of the kind. False and book->error. */
bool humans_of_lab(struct gradebook *book, const char *lab, char said[HUMANS_SAID]);

/* ---- look.c: one student's results for the staff: what happened with the grader's inputs, which no student may see */

/* Print it to `to`, lab after lab (lab NULL: all). *found: there is such a student. False and one line in book->error when
 * the gradebook cannot be read. */
bool look(struct gradebook *book, const char *student, const char *lab, FILE *to, bool *found);

#endif

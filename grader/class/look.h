/* look.h: one student's results for the staff: what happened with the grader's inputs, which no student may see. */
#ifndef CLASS_LOOK_H
#define CLASS_LOOK_H

#include "class/gradebook.h"

/* Print it to `to`, lab after lab (lab NULL: all). *found: there is such a student. False and one line in book->error when
 * the gradebook cannot be read. */
bool look(struct gradebook *book, const char *student, const char *lab, FILE *to, bool *found);

#endif

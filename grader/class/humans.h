/* humans.h: who needs a person to look, and why, at the end of a run. */
#ifndef CLASS_HUMANS_H
#define CLASS_HUMANS_H

#include "class/plan.h"

/* Those of the plan's labs, grouped by reason, and what is so of a whole class that it is more likely a mistake: everybody late,
 * nobody right, most absent. *suspicious: such a thing was said. to NULL: nothing is printed. False and book->error. */
bool humans_say(const struct plan *plan, FILE *to, bool *suspicious);

enum { HUMANS_SAID = 256 };
/* What is so of a whole lab, one line; "": nothing of the kind. False and book->error. */
bool humans_of_lab(struct gradebook *book, const char *lab, char said[HUMANS_SAID]);

#endif

/* kept.h: what the gradebook keeps of how a lab was read, for the files that go back to where it came from. */
#ifndef CLASS_KEPT_H
#define CLASS_KEPT_H

#include "class/gradebook.h"

/* The platform (the layout's title), and the roster as it came; NULL: as it was. False: the gradebook failed. */
bool kept_put(struct gradebook *book, const char *lab, const char *layout, const char *roster);

/* Was the lab's last download of this platform? */
bool kept_layout_is(struct gradebook *book, const char *lab, const char *title);
/* The roster that a lab was last read with; lab NULL: the last of any. False: there is none, then *error is empty, or it
 * says in one line why it cannot be read. */
bool kept_roster(struct gradebook *book, const char *lab, struct roster *roster, char *error, size_t size);

#endif

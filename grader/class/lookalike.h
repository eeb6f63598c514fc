/* lookalike.h: two students whose names are different to a computer and the same to the eye. */
#ifndef CLASS_LOOKALIKE_H
#define CLASS_LOOKALIKE_H

#include <stddef.h>

/* What a name looks like: Cyrillic, Greek and fullwidth letters as the Latin ones they are drawn as, a letter and its accent in one
 * form (as file systems have two), without what shows nothing; 0 is O, 1 and I are l. Two names with one key look alike. A key that
 * does not fit is cut. */
void lookalike_key(const char *name, char *key, size_t size);

#endif

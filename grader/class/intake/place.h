/* place.h: what the place of a file says of it, in a student's part of a download. */
#ifndef CLASS_PLACE_H
#define CLASS_PLACE_H

#include <stdbool.h>

/* By its place in a copy of the kit: 2 in labs/labN-TOPIC/, 0 below solutions/ or grader/, 1 anywhere else. *kit: only
 * the kit has such a path. */
int place_rank(const char *path, bool *kit);
/* Is it what operating systems and git leave behind? */
bool place_is_systems(const char *path);

#endif

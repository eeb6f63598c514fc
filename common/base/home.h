/* home.h: where the kit lies that this program was built in. */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include "base/path.h"
#include <stddef.h>

struct home {
    char root[PATH_SIZE];  /* the project's folder */
    char build[PATH_SIZE]; /* its build folder: build, or build/sanitize */
};

/* From this program's own path, BUILD/bin/NAME or BUILD/tests/ROOM/NAME, BUILD somewhere below the project's
 * folder. False and one line when it lies elsewhere. */
bool home_find(struct home *home, char *error, size_t size);

#endif

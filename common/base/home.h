/* home.h: the project's folder and build folder of the running program. */
#pragma once

#include "base/path.h"
#include <stddef.h>

struct home {
    char root[PATH_SIZE];  /* the project's folder */
    char build[PATH_SIZE]; /* its build folder: build, or build/sanitize */
};

/* Finds both from this program's path: BUILD/bin/NAME or BUILD/tests/ROOM/NAME, where BUILD lies
 * below the project's folder. False and one line: the program lies elsewhere. */
bool home_find(struct home *home, char *error, size_t size);
/* Is it a student's copy of the project, whose references are compiled code, without solutions and
 * steps? */
bool home_is_students(const char *root);

/* path.h: paths in buffers of one size. A path that does not fit becomes the empty path, which nothing opens, so
 * that a cut path never names another file. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

enum { PATH_SIZE = 4096 }; /* Linux's PATH_MAX */

/* Like sprintf; path may not be one of the arguments. False, and path is "": it does not fit. */
bool path_print(char path[PATH_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* FOLDER/NAME. False, and path is "": it does not fit, or FOLDER is "". */
bool path_join(char path[PATH_SIZE], const char *folder, const char *name);

#endif

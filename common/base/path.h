/* path.h: paths in buffers of one size. A path that does not fit becomes "", which nothing opens,
 * so that a cut path never names another file. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <string.h>

enum { PATH_SIZE = 4096 }; /* Linux's PATH_MAX */

/* Like sprintf; path may not be an argument. False: the path does not fit and is "". */
bool path_print(char path[PATH_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Joins FOLDER/NAME. False: FOLDER is "", or the path does not fit; path is then "". */
bool path_join(char path[PATH_SIZE], const char *folder, const char *name);

/* The name at the end of a path, without its folders. */
static inline const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

#endif

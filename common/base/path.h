/* path.h: paths in buffers of one size. A path that does not fit becomes "", which nothing opens,
 * so that a cut path never names another file. And the line that says what failed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

/* Like snprintf, into what the caller is told. Always false: `return fails(error, size, ...)`. */
bool fails(char *error, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

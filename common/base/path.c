/* path.c: prints paths whole, or makes them empty. */
#include "base/path.h"

#include <stdarg.h>
#include <stdio.h>

bool path_print(char path[PATH_SIZE], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, PATH_SIZE, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < PATH_SIZE)
        return true;
    path[0] = '\0';
    return false;
}

bool path_join(char path[PATH_SIZE], const char *folder, const char *name) {
    if (folder[0] != '\0')
        return path_print(path, "%s/%s", folder, name);
    path[0] = '\0';
    return false;
}

bool fails(char *error, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return false;
}

/* zip_file.h: a ZIP archive, the same bytes for the same members: without times, names in UTF-8. */
#ifndef CLASS_ZIP_FILE_H
#define CLASS_ZIP_FILE_H

#include "base/file.h"

#include <stdbool.h>
#include <stddef.h>

struct archive;

struct zip_file {
    struct file_output output;
    struct archive *archive;
    char *error; /* the caller's: one line, where a call returns false */
    size_t error_size;
};

/* Begin to write folder/name. False: it cannot be written; then nothing is open. */
bool zip_begin(struct zip_file *zip, const char *folder, const char *name, char *error, size_t error_size);
bool zip_add(struct zip_file *zip, const char *path, const void *bytes, size_t length);
/* Put it in its place; with `right` false leave it unwritten, and return false. */
bool zip_end(struct zip_file *zip, bool right);

#endif

/* file.h: whole files and folders. A file is written beside its place, then renamed: it appears
 * whole or not at all. */
#pragma once

#include "base/path.h"
#include <stddef.h>
#include <stdio.h>

/* Reads a whole file of at most `limit` bytes and puts a NUL behind it; the caller frees the
 * result. *length may be NULL. NULL and one line ("cannot read PATH: why") on failure. */
char *file_read(const char *path, size_t limit, size_t *length, char *error, size_t size);

/* A file being written. If several processes write the same file, the last to end wins. */
struct file_output {
    FILE *file;
    char path[PATH_SIZE], part[PATH_SIZE];
};

/* Begins to write folder/name; missing folders are made. False and one line on failure. */
bool file_begin(struct file_output *output, const char *folder, const char *name, char *error, size_t size);
/* Like file_begin, by path, in an existing folder. */
bool file_begin_at(struct file_output *output, const char *path, char *error, size_t size);
/* Puts the file in its place. False and one line (disk full, ...): the old file stays. */
bool file_end(struct file_output *output, char *error, size_t size);
/* Leaves the file unwritten; the old file stays. */
void file_discard(struct file_output *output);
/* Writes a file of these bytes. False and one line on failure; the old file then stays. */
bool file_write(const char *path, const void *bytes, size_t length, char *error, size_t size);

/* Makes a folder and the folders above it, as mkdir -p does. False and one line on failure. */
bool folder_make(const char *path, char *error, size_t size);
/* Removes a folder with its contents. Links are not followed. What cannot be removed stays. */
void folder_remove(const char *path);

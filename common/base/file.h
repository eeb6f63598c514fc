/* file.h: whole files and folders. What is written is there whole or not at all: beside its place first, then
 * renamed. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/path.h"
#include <stddef.h>
#include <stdio.h>

/* The whole of a file of at most `limit` bytes, a NUL behind it, for the caller to free; *length may be NULL. NULL
 * and one line ("cannot read PATH: why") on failure. */
char *file_read(const char *path, size_t limit, size_t *length, char *error, size_t size);

/* A file being written; of other processes that write the same, the last to end wins. */
struct file_output {
    FILE *file;
    char path[PATH_SIZE], part[PATH_SIZE];
};

/* Begin to write folder/name; folders that are missing are made. False and one line on failure. */
bool file_begin(struct file_output *output, const char *folder, const char *name, char *error, size_t size);
/* The same by path, in a folder that is there. */
bool file_begin_at(struct file_output *output, const char *path, char *error, size_t size);
/* Put it in its place. False and one line: it could not be written (disk full, ...); what was there before stays. */
bool file_end(struct file_output *output, char *error, size_t size);
/* Leave it unwritten; what was there before stays. */
void file_discard(struct file_output *output);
/* The three in one: a file of these bytes. False and one line on failure; what was there before stays. */
bool file_write(const char *path, const void *bytes, size_t length, char *error, size_t size);

/* Make a folder and those above it, as mkdir -p. False and one line on failure. */
bool folder_make(const char *path, char *error, size_t size);
/* Remove a folder and what is in it; links are removed, not followed. What cannot be removed stays. */
void folder_remove(const char *path);

#endif

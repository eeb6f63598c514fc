/* output.h: files that are there whole or not at all: written beside their place, then renamed. */
#ifndef GRADER_OUTPUT_H
#define GRADER_OUTPUT_H

#include "grader/text.h"

struct output {
    FILE *file;
    char path[TEXT_PATH], part[TEXT_PATH];
};

/* Open folder/name; folders that lack are made. */
bool output_open(struct output *output, const char *folder, const char *name, char *error, size_t size);
/* Put it in its place. false: it could not be written (disk full, ...); what was there before stays. */
bool output_close(struct output *output, char *error, size_t size);
void output_discard(struct output *output);

/* All folders of a path, as mkdir -p. */
bool output_make_folder(const char *path, char *error, size_t size);
/* Remove a folder that the grader made, and what is in it; links are removed, not followed. */
void output_remove_folder(const char *path);
/* The whole of a text file of at most `limit` bytes, for the caller to free; NULL and one line on failure. */
char *output_read(const char *path, size_t limit, size_t *length, char *error, size_t size);

#endif

/*
 * platform.h: what the files for learning platforms have in common. A platform's files lie in OUT, in a folder of its name, if
 * the download or the roster was that platform's. Numbers are the gradebook's: nothing is computed here.
 */
#pragma once

#include "base/file.h"
#include "class/export/export.h"

#include <stdbool.h>
#include <stddef.h>

/* The grade of a student in a lab; *found false: there is none. False: the gradebook failed. */
bool platform_grade(struct gradebook *book, const char *student, const char *lab, struct grade *grade,
                    bool *found);
/* Call visit(context, grade) for each student once, with the grade of one lab. */
bool platform_each_student(struct gradebook *book, gradebook_visitor *visit, void *context);
/* The platform's name of the student, and the kernel.cu's path in the download; "" for both: nothing was handed in. */
bool platform_place(struct gradebook *book, const struct grade *grade, char as[GRADE_NAME],
                    char path[PATH_SIZE]);

/* The gradebook's labs, in order. Returns how many; -1: it failed. */
int platform_labs(struct gradebook *book, char labs[][16], unsigned room);
/* A cell of a platform's own file, unchanged, quoted if necessary. */
void platform_cell(FILE *to, const char *text);
/* A line for the instructor: what a file lacks, and why. */
__attribute__((format(printf, 2, 3))) void platform_note(const struct export_context *context,
                                                         const char *format, ...);

/* One student's feedback as a writer writes it, for the caller to free. NULL and one line in book->error. */
char *platform_feedback(const struct export_context *context, const struct grade *grade, export_writer *write,
                        size_t *length);

/* ---- zip_file.c: a ZIP archive, the same bytes for the same members: without times, names in UTF-8 */

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
/* Put the archive in its place; with `right` false remove it, and return false. */
bool zip_end(struct zip_file *zip, bool right);

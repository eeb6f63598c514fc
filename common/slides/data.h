/* data.h: the sets of figures that slides refer to, by name: slides/data.ini says which file each is. */
#ifndef SLIDES_DATA_H
#define SLIDES_DATA_H

#include "slides/recording.h"

struct data;

/* Read slides/data.ini below `root`, the project's folder. NULL and one line on failure. */
struct data *data_open(const char *root, char *error, size_t size);
void data_close(struct data *data);
const char *data_root(const struct data *data);

/* A set, read when it is first asked for. NULL and one line: there is none, or its file is wrong. */
const struct recording *data_set(struct data *data, const char *set, char *error, size_t size);

/* The text or the number at a place of a set. A column may go by its short name, where none has that name. A row that is not there gives "" or NAN
 * where `optional`. False and one line else, and where set or column is unknown. */
bool data_text(struct data *data, const char *set, const char *row, const char *column, bool optional,
               const char **text, char *error, size_t size);
bool data_number(struct data *data, const char *set, const char *row, const char *column, bool optional,
                 double *value, char *error, size_t size);

#endif

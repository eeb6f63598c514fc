/* csv.h: comma-separated values as tools write them: quoted fields, doubled quotes, either kind of
 * line end, a byte order mark; semicolons separate if the first row has more of them than commas.
 * Lines that begin with '#' or "==" (messages) are skipped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv {
    uint32_t row_count;
    uint32_t *row_start; /* row r is cells[row_start[r] .. row_start[r + 1]) */
    uint32_t *row_line;  /* line of the text in which row r begins, from 1 */
    char **cells;
    char *text;
};

/* Any bytes are safe to pass. False and one line on failure; *csv is then empty. */
bool csv_parse(struct csv *csv, const char *text, size_t length, const char *file, char *error, size_t size);
void csv_free(struct csv *csv);
uint32_t csv_width(const struct csv *csv, uint32_t row);
/* A cell's text; "" beyond the row's end. */
const char *csv_cell(const struct csv *csv, uint32_t row, uint32_t column);
/* Index of the column with that name in row 0; -1: none. */
int csv_column(const struct csv *csv, const char *name);

/* Reads a number as tools print it: thousands separators ("6,272,000"), signs, exponents. False: it
 * is none ("n/a", "", "inf"). */
bool csv_number(const char *text, double *value);

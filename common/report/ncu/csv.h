/*
 * csv.h: comma-separated values as tools write them: quoted fields, doubled quotes, line ends of
 * either kind, a byte order mark; semicolons in place of the commas, if the first row has more of them. Lines before the first row that begin with '#' or "==" (a
 * profiler's own messages) are skipped, and between rows too.
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv {
    uint32_t row_count;
    uint32_t *row_start; /* row r's cells are cells[row_start[r] .. row_start[r + 1]) */
    uint32_t *row_line;  /* the line of the text that row r begins in, from 1 */
    char **cells;
    char *text;
};

/* Any bytes are safe to pass. false and a one-line message on failure; *csv is then empty. */
bool csv_parse(struct csv *csv, const char *text, size_t length, const char *file, char *error, size_t size);
void csv_free(struct csv *csv);
uint32_t csv_width(const struct csv *csv, uint32_t row);
/* "" beyond the row's end. */
const char *csv_cell(const struct csv *csv, uint32_t row, uint32_t column);
/* The column of that name in row 0, -1: none. */
int csv_column(const struct csv *csv, const char *name);

/* A number as tools print it: thousands separators ("6,272,000"), signs, exponents. false: not
 * one ("n/a", "", "inf"). */
bool csv_number(const char *text, double *value);

#endif

/* table.h: a table for a terminal or a page. rows.h fills a row's cells; the columns say which
 * cells a table shows, and how wide. */
#pragma once

#include "report/writers/terminal.h"

enum { TABLE_CELLS = 14, TABLE_CELL = 96 };

struct table_row {
    char cell[TABLE_CELLS][TABLE_CELL];
    enum terminal_style style[TABLE_CELLS]; /* on a terminal */
};

struct table_column {
    unsigned cell;       /* index in the row */
    const char *heading; /* NULL in all columns: no headings */
    int gap, width;      /* terminal: blanks before it; columns, negative: left-aligned, 0: the rest */
};

struct table {
    struct terminal terminal;
    bool html; /* for a page: no widths and styles, everything escaped */
    const struct table_column *columns;
    unsigned count;
};

/* Writes the headings. */
void table_begin(const struct table *table);
/* Writes a row. Control characters become '?'; text too long for its left-aligned column is cut. */
void table_row(const struct table *table, const struct table_row *row);
void table_end(const struct table *table);

/*
 * table.h: a table for a terminal or a page. A row's cells are worked out once (rows.h); the
 * columns say which of them a table shows, and how wide.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/writers/terminal.h"

enum { TABLE_CELLS = 12, TABLE_CELL = 96 };

struct table_row {
    char cell[TABLE_CELLS][TABLE_CELL];
    enum terminal_style style[TABLE_CELLS]; /* on a terminal */
};

struct table_column {
    unsigned cell;       /* of the row */
    const char *heading; /* NULL in all columns: none */
    int gap, width; /* on a terminal: blanks before it; columns, from the left where negative, 0: the rest */
};

struct table {
    struct terminal terminal;
    bool html; /* for a page: no widths, no styles, everything escaped */
    const struct table_column *columns;
    unsigned count;
};

/* The headings. */
void table_begin(const struct table *table);
/* Control characters become '?'; what is too long for its column at the left is cut. */
void table_row(const struct table *table, const struct table_row *row);
void table_end(const struct table *table);

#endif

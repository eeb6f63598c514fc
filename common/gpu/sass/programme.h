/*
 * programme.h: a linear programme, stated row by row and solved by GLPK's simplex method. Private to sass/. All columns are at
 * least 0; the sum of their costs is made as small as can be. It is bounded in size: what is too large is not stated, and
 * programme_solve says so.
 */
#ifndef SASS_PROGRAMME_H
#define SASS_PROGRAMME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct programme_column {
    double cost;
    bool zero; /* it can be nothing else */
};

enum programme_bound { PROGRAMME_EQUAL, PROGRAMME_AT_MOST };

struct programme_row {
    double right;  /* hand side */
    uint8_t bound; /* enum programme_bound */
};

struct programme_term {
    uint32_t row, column;
    double value;
};

struct programme {
    uint32_t column_count, row_count, term_count;
    uint32_t column_room, row_room, term_room;
    struct programme_column *columns;
    struct programme_row *rows;
    struct programme_term *terms;
    bool too_large, no_memory;
};

/* Columns and rows are numbered from 0. */
uint32_t programme_column(struct programme *programme, double cost);
/* That column is 0. */
void programme_zero(struct programme *programme, uint32_t column);
uint32_t programme_row(struct programme *programme, enum programme_bound bound, double right);
/* To the row of that number; no column twice in a row. */
void programme_term(struct programme *programme, uint32_t row, uint32_t column, double value);
/* Add to the row what it may be short of or in excess of its right hand side, at so much for each. */
void programme_short(struct programme *programme, uint32_t row, double cost);
void programme_excess(struct programme *programme, uint32_t row, double cost);
/* The first `count` columns' values. False and a one-line message when there is no solution within the bounds. The same
 * input gives the same output to the bit. */
bool programme_solve(const struct programme *programme, double *values, uint32_t count, char *error,
                     size_t error_size);
void programme_free(struct programme *programme);

#endif

/*
 * recording.h: files of the repository that hold figures, read as cells: a row's name, a column's name, a text. A row
 * that comes several times (a launch each) has several cells.
 */
#ifndef SLIDES_RECORDING_H
#define SLIDES_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

struct recording_cell {
    char *row, *column, *text;
};

struct recording {
    struct recording_cell *cell;
    size_t count, room;
};

/* How a file is read. X(ENUMERATOR, "name") */
#define RECORDING_KINDS(X)                                                                                   \
    X(CSV, "csv")           /* a head line, then a row a line, its name first; '#' begins a comment */       \
    X(SECTIONS, "sections") /* [step 1a] and keys below it; the row is the section's last word, or "-" */    \
    X(MEASURED, "measured") /* measured.ini: the [recording] that `where` describes, column "us" */          \
    X(TABLE, "table")       /* the first table of a Markdown file whose head line has the text `where` */

enum recording_kind {
#define RECORDING_INDEX(enumerator, name) RECORDING_##enumerator,
    RECORDING_KINDS(RECORDING_INDEX)
#undef RECORDING_INDEX
        RECORDING_KIND_COUNT
};

struct recording_source {
    enum recording_kind kind;
    const char *file;   /* stands in messages */
    const char *where;  /* MEASURED: "size 4096x4096 source event"; TABLE: part of the head line; else "" */
    const char *prefix; /* what rows' names begin with and is left out; "" none */
    const char *key;    /* TABLE: the column that names the rows; "" the first */
};

/* Append what a text holds. False and one line (file, what) where it is not such a file. */
bool recording_read(struct recording *recording, const struct recording_source *source, const char *text,
                    size_t length, char *error, size_t size);
void recording_free(struct recording *recording);

/* In what follows "5e" is a row and "5e#2" its second cell in a column: one launch of several. */

/* The first cell of a row and column; NULL: there is none. */
const char *recording_text(const struct recording *recording, const char *row, const char *column);
/* The median of the numbers in a row and column. false: none is a number. */
bool recording_number(const struct recording *recording, const char *row, const char *column, double *value);
bool recording_has_row(const struct recording *recording, const char *row);
bool recording_has_column(const struct recording *recording, const char *column);

/* The number that a text begins with: "6,272,000", "**0.657**", "38 %". */
bool recording_parse_number(const char *text, double *value);

#endif

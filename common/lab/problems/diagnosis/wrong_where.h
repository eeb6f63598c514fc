/* wrong_where.h: parts of an output that can be told in a few words: columns with x % 4 = 3, the last row, ... */
#ifndef PROBLEMS_WRONG_WHERE_H
#define PROBLEMS_WRONG_WHERE_H

#include "lab/problems/diagnosis/wrong_oracle.h"

/* A part: a row of a table, and its numbers. The first of all is everything. */
struct wrong_where {
    const struct wrong_kind *kind;
    int number[WRONG_NUMBERS];
};

unsigned wrong_where_count(void);
struct wrong_where wrong_where_get(unsigned index);

/* Does this part exist for outputs with so many axes? */
bool wrong_where_fits(const struct wrong_where *where, unsigned axes);
bool wrong_where_has(const struct wrong_where *where, const struct wrong_place *place);

/* "in columns with x % 4 = 3"; "" of everything. */
void wrong_where_words(const struct wrong_where *where, const struct wrong_oracles *oracles, char *text,
                       size_t size);

#endif

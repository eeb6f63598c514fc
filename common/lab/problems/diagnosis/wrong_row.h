/*
 * wrong_row.h: what a row of a table of mistakes is written in. A row has the kind's use, name, words and advice, its
 * numbers, and what a mistake of this kind changes in the recipe. RECIPE is the recipe's type; i is which number.
 */
#ifndef PROBLEMS_WRONG_ROW_H
#define PROBLEMS_WRONG_ROW_H

#include "lab/problems/diagnosis/wrong_oracle.h"

#define MISTAKE(used, called, said, advised, numbers, ...)                                                   \
    {                                                                                                        \
        .name = (called), .words = (said), .advice = (advised), .number = numbers, .use = (used),            \
        .change = {                                                                                          \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

/* ---- numbers: from first to last, by steps of one, by other steps, or doubled from one to the next */

#define NUMBERS(...)                                                                                         \
    { __VA_ARGS__ }
#define NO_NUMBERS                                                                                           \
    {                                                                                                        \
        { 0 }                                                                                                \
    }
#define ZERO                                                                                                 \
    { 0, 0, 0 }
#define RANGE(first, last)                                                                                   \
    { first, last, 1 }
#define STEPPED(first, last, step)                                                                           \
    { first, last, step }
#define DOUBLING(first, last)                                                                                \
    { first, last, 0 }

/* ---- changes */

#define WRONG_FIELD(field) .at = offsetof(RECIPE, field), .size = sizeof(((RECIPE *)0)->field)
/* The field is this value; number i; whether number i is this one; number i times a factor. */
#define IS(field, to)                                                                                        \
    { .how = WRONG_VALUE, WRONG_FIELD(field), .value = (int)(to) }
#define BY(field, i)                                                                                         \
    { .how = WRONG_NUMBER, WRONG_FIELD(field), .number = (i), .value = 1 }
#define IF(field, i, to)                                                                                     \
    { .how = WRONG_EQUAL, WRONG_FIELD(field), .number = (i), .value = (to) }
#define SCALED(field, i, by)                                                                                 \
    { .how = WRONG_NUMBER, WRONG_FIELD(field), .number = (i), .value = (by) }
/* The bit of number i is set, counted from bit `zero` on. */
#define BIT(field, i, zero)                                                                                  \
    { .how = WRONG_BIT, WRONG_FIELD(field), .number = (i), .value = (zero) }
/* One of these values, by how far number i lies behind its first. */
#define LOOK(field, i, ...)                                                                                  \
    {                                                                                                        \
        .how = WRONG_LISTED, WRONG_FIELD(field), .number = (i), .list = (const int[]){__VA_ARGS__},          \
        .call = NULL                                                                                         \
    }
/* The value of another field; of the element number i of an array. Both are of the field's type. */
#define LIKE(field, other)                                                                                   \
    { .how = WRONG_COPY, WRONG_FIELD(field), .from = offsetof(RECIPE, other) }
#define PICK(field, array, i)                                                                                \
    { .how = WRONG_PICK, WRONG_FIELD(field), .from = offsetof(RECIPE, array), .number = (i) }
/* Element number j of an array is number i. */
#define ELEMENT(array, j, i)                                                                                 \
    { .how = WRONG_ELEMENT, WRONG_FIELD(array[0]), .number = (i), .value = (j) }
/* What a function changes, which gets the numbers from i on. */
#define CALL(function, i)                                                                                    \
    { .how = WRONG_CALL, .call = (function), .number = (i) }

#endif

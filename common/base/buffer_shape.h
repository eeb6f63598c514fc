/* buffer_shape.h: the shape of a buffer (its name, its elements and how they lie), and a
 * description in words of any byte of it. A judge sets the shape; messages on stray accesses use
 * the description. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_order {
    SHAPE_VECTOR,  /* x[i] */
    SHAPE_ROWS,    /* pixel (x, y) of a picture: rows one after the other */
    SHAPE_COLUMNS, /* element (row, column) of a matrix: columns one after the other */
    SHAPE_TABLE    /* x[set][term][point], or of two such indices: the last counts along a row */
};

struct buffer_shape {
    char name[16];    /* of the parameter: "src"; "": no shape is known */
    char element[16]; /* "pixel", "float", "byte" */
    uint32_t order, element_bytes;
    uint64_t start;  /* bytes from the buffer's start to element 0, where the pointer points */
    uint64_t length; /* elements of a row (of a column; of the vector) */
    uint64_t lines;  /* rows (columns); a vector: 1 */
    uint64_t pitch;  /* elements from one row (column) to the next; a vector: length */
    /* of a table: rows of one first index; names of the indices, the second "-" if there are two */
    uint64_t middle;
    char index[3][8];
};

enum { BUFFER_SHAPE_TEXT = 160 }; /* room for a shape as text */

/* One line without line end that buffer_shape_parse reads: "src pixel 1 1 0 16 16 16". */
void buffer_shape_print(const struct buffer_shape *shape, char text[BUFFER_SHAPE_TEXT]);
/* False: the text is no shape, or no buffer has these numbers. *shape is then undefined. */
bool buffer_shape_parse(const char *text, struct buffer_shape *shape);

/* Describes `bytes` bytes at `offset` bytes from the buffer's start. The offset may be negative, or
 * beyond the end. Examples:
 *     src[17], pixel (1, 1)
 *     src[256], 1 beyond its end: pixel (16, 15) or (0, 16) of a picture 16 x 16
 *     a[3] to a[6], across its end: ...
 *     values[1], 1 beyond its end: [set 0][term 0][point 1] or [set 1][term 0][point 0] of 1 x 1 x 1
 *     src[208], in the gap between rows 3 and 4: rows of 16 pixels lie 64 apart
 * An address that has two readings is described in both. */
void buffer_shape_describe(const struct buffer_shape *shape, int64_t offset, uint32_t bytes, char *text,
                           size_t size);

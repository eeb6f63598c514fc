/* matrix.h: which lanes and registers hold what of a small matrix. Private to simt/. PTX ISA 9.0,
 * section 9.7.14.5.
 *
 * Fragments of a product. Lane 4 g + t holds, in register r,
 *   of a: row g + 8 (r mod 2), and `wide` elements along k from wide (4 (r / 2) + t);
 *   of a of 8 rows: row g, and `wide` elements along k from wide (4 r + t);
 *   of b: column g, and `wide` elements along k from wide (4 r + t);
 *   of c and d: row g + 8 (r / 2) and column 2 t + r mod 2;
 *   of c and d of halves: row g + 8 r and columns 2 t and 2 t + 1.
 * An 8 x 8 matrix of halves: lane 4 g + t has row g, columns 2 t and 2 t + 1. For ldmatrix and
 * stmatrix, the lane that names a row has its columns 2 w and 2 w + 1 in register w. */
#pragma once

#include "gpu/simt/operation.h"

struct matrix_place {
    uint32_t source, lane, half;
};

/* Where movmatrix takes half `half` of a lane of a destination from. source may be one that the
 * instruction has not: then it is 0. */
static inline struct matrix_place matrix_place(enum ptx_form form, uint32_t destination, uint32_t lane,
                                               uint32_t half) {
    uint32_t row = lane / 4, column = 2 * (lane % 4) + half;
    uint32_t named = lane % 8, of_named = 2 * destination + half; /* by the lane that names the row */
    switch (form) {
    case PTX_MATRIX_SPREAD: return (struct matrix_place){column / 2, 8 * destination + row, half};
    case PTX_MATRIX_SPREAD_TRANS: return (struct matrix_place){row / 2, 8 * destination + column, row & 1};
    case PTX_MATRIX_GATHER: return (struct matrix_place){lane / 8, 4 * named + destination, half};
    case PTX_MATRIX_GATHER_TRANS: return (struct matrix_place){lane / 8, 4 * of_named + named / 2, named & 1};
    default: return (struct matrix_place){0, 4 * column + row / 2, row & 1};
    }
}

/* The row of a's register, of d's pair of registers. rows: of the product. */
static inline int matrix_row(int rows, int lane, int tile) {
    return lane / 4 + (rows > 8 ? 8 * (tile & 1) : 0);
}

/* Registers of b in a product whose a and b have `inputs` together: as 8 columns to m rows. */
static inline int matrix_b_registers(int inputs, int rows) {
    return inputs * 8 / (rows + 8);
}

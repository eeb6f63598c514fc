// Of two weights the second is taken for the first.
#define WEIGHT(row, term)                                                                                    \
    weights[((int64_t)set * LAB8_ROWS + (row)) * terms + (((term) | 1) < terms ? (term) ^ 1 : (term))]
#include "parts.h"

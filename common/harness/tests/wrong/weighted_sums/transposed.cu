// The four sums of a point side by side.
#define AT(row, point) (((int64_t)set * points + (point)) * LAB8_ROWS + (row))
#include "parts.h"

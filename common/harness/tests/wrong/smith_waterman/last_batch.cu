// Wrong: the grid is rounded down.
#define BLOCKS max(count / 2, 1)
#include "parts.h"

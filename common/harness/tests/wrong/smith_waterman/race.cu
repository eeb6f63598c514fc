// Wrong: both warps of a block keep their rows in the same place.
#define ROW (rows + threadIdx.x % 32)
#include "parts.h"

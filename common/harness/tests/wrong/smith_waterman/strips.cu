// Wrong: a strip of 16 letters does not go on from the one before.
#define ABOVE(i, cell) ((i) % 16 == 0 ? 0 : (cell))
#define GAP(i, gap) ((i) % 16 == 0 ? 0 : (gap))
#include "parts.h"

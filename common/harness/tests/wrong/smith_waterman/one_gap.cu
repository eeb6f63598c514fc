// Wrong: only one of the two kinds of gaps.
#define CELL(before, e, f) max(max(before, 0), f)
#include "parts.h"

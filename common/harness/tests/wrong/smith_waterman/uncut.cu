// Wrong: cells go below 0.
#define CELL(before, e, f) max(before, max(e, f))
#include "parts.h"

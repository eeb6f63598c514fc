// Both points of a pair get the sum of the first.
#define POINT (point & ~1)
#include "parts.h"

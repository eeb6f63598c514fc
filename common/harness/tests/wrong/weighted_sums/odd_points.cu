// Pairs of points; the one that is left of an odd number gets no sum.
#define WALK point < points / 2 * 2
#include "parts.h"

// Pairs of terms; the one that is left of an odd number does not count.
#define TERMS terms / 2 * 2
#include "parts.h"

// <= in place of <: the last row of the last set has no such term.
#define TERMS terms + 1
#include "parts.h"

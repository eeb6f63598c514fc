// The sums are not set to 0 in each round of the walk.
#define BLOCK 512
#define SUM_OUTSIDE
#include "parts.h"

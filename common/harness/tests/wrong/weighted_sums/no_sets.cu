// With no sets there are no blocks: such a launch is an error.
#define NOTHING points == 0
#include "parts.h"

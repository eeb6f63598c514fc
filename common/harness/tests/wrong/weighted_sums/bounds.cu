// Launched with more threads than the bounds say.
#define BLOCK 1024
#define BOUNDS 512
#include "parts.h"

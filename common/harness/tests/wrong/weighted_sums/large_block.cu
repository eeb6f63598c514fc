// More threads than a block can have.
#define BLOCK 2048
#define BOUNDS 1024
#include "parts.h"

// The first 1024 points alone.
#define BLOCK 1024
#define WALK point < points &&point < BLOCK
#include "parts.h"

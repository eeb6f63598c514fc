// The weights of the first set for all.
#define SET 0
#include "parts.h"

// Wrong: an unknown letter matches its like.
#define SAME(x, y) ((x) == (y))
#include "parts.h"

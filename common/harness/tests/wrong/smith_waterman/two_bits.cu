// Wrong: letters are packed into two bits.
#define SAME(x, y) (((x)&3) == ((y)&3))
#include "parts.h"

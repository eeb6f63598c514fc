// Wrong: one letter too many.
#define LENGTH_B(length) ((length) + 1)
#include "parts.h"

// Wrong: the first letter of a gap costs both.
#define FIRST_COST (s.open + s.extend)
#include "parts.h"

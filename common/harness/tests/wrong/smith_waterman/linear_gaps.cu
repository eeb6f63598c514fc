// Wrong: every letter of a gap costs what the first one does.
#define NEXT_COST s.open
#include "parts.h"

// Wrong: the scores are nowhere set to 0 before the greatest is sought.
#define STORE(to, best, last) atomicMax(to, best)
#include "parts.h"

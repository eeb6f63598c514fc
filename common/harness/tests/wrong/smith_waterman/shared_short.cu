// Wrong: shared memory for the other sequence.
#define SHARED_LETTERS longest_a
#include "parts.h"

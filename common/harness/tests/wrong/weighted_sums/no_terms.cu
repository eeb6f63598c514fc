// Nothing to add: nothing is stored.
#define NOTHING sets == 0 || points == 0 || terms == 0
#include "parts.h"

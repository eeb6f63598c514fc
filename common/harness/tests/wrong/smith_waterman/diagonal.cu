// Wrong: the cell above is taken, and not the one above and to the left.
#define BEFORE(diagonal, above) ((void)(diagonal), above)
#include "parts.h"

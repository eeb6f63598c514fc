// Wrong: the cell above is taken, and not the one above and to the left.
#define BEFORE(diagonal, above) ((diagonal)*0 + (above))
#include "parts.h"

// Wrong: four letters at a time, and no rest.
#define LENGTH_B(length) ((length) / 4 * 4)
#include "parts.h"

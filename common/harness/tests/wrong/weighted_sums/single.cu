// In single precision.
#define NUMBER float
#include "parts.h"

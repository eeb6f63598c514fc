// Wrong: scores are bytes.
#define STORE(to, best, last) *(to) = (unsigned char)(best)
#include "parts.h"

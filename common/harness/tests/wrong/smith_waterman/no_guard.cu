// Wrong: the second warp of the last block may have no batch.
#define IS_MINE true
#include "parts.h"

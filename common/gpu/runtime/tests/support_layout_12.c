/* support_layout_12.c: sizes and offsets of our structs for CUDA 12. */
#define CUDART_MAJOR 12
#include "gpu/runtime/tests/support_layout.h"

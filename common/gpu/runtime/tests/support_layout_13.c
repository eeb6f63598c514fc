/* support_layout_13.c: sizes and offsets of our structs for CUDA 13. */
#define CUDART_MAJOR 13
#include "gpu/runtime/tests/support_layout.h"

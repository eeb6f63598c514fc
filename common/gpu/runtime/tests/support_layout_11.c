/* support_layout_11.c: sizes and offsets of our structs for CUDA 11. */
#define CUDART_MAJOR 11
#include "gpu/runtime/tests/support_layout.h"

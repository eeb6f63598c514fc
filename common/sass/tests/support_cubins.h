/* support_cubins.h: the cubins in fuzz_kernel.seeds.tar. lines-75, lines-90: seed_kernels.cu with -lineinfo, for these
 * architectures; plain-90: without. Made by nvcc 13.0 -O3 -cubin; the folder's name was exchanged for another. */
#ifndef SASS_TESTS_SUPPORT_CUBINS_H
#define SASS_TESTS_SUPPORT_CUBINS_H

#include "sass/cubin.h"

/* The bytes of a cubin, to be freed. */
uint8_t *read_cubin(const char *name, size_t *size);
/* The PTX text that a cubin says it was made of, to be freed; "" where it has none. */
char *text_of(const struct cubin *cubin, size_t *length);

#endif

/* arrays.h: places in shared memory by the program's own names. Private to simt/. */
#ifndef SIMT_ARRAYS_H
#define SIMT_ARRAYS_H

#include "gpu/simt/control/launch.h"

/* Which of the program's shared arrays lies at this byte of a block's shared memory: an index into shared_arrays, the
 * dynamic part's where it is beyond the static one; ARRAY_NONE. */
#define ARRAY_NONE UINT32_MAX
uint32_t simt_array_at(const struct launch *launch, uint64_t offset);
/* A variable's name as its author wrote it: "_ZZ6kernelPfE4tile" is "tile". */
void simt_array_plain_name(const char *mangled, char *text, size_t size);
/* "byte 48 of tile (index 12, as 4-byte elements)"; "byte 48 of shared memory" where no name is known. */
enum { ARRAY_TEXT = 160 };
void simt_array_describe(const struct launch *launch, uint64_t offset, uint32_t bytes, char *text,
                         size_t size);

#endif

/* kernel_store.h: the kernels that were handed in, each kept once under the SHA-256 of its bytes:
 * OUT/kernels. */
#ifndef CLASS_KERNEL_STORE_H
#define CLASS_KERNEL_STORE_H

#include "base/path.h"
#include "class/text.h"

enum { KERNEL_LIMIT = 1 << 20, KERNEL_SHA256 = 65 };

void kernel_sha256(const uint8_t *bytes, size_t size, char sha256[KERNEL_SHA256]);
/* folder/SHA256.cu; written only where it is not there yet, whole or not at all. */
bool kernel_store_put(const char *folder, const uint8_t *bytes, size_t size, const char sha256[KERNEL_SHA256],
                      char *error, size_t error_size);
bool kernel_store_path(const char *folder, const char *sha256, char path[PATH_SIZE]);

/* What keeps bytes from being taken as a kernel.cu, as a student is told; NULL: nothing. */
const char *kernel_refusal(const uint8_t *bytes, size_t size);

#endif

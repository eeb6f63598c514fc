/* support_files.h: where things are, seen from a running test: build/tests/runtime/test_x. */
#ifndef RUNTIME_TESTS_SUPPORT_FILES_H
#define RUNTIME_TESTS_SUPPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The build folder, with no slash at its end. */
const char *build_directory(void);
/* A file of common/gpu/runtime/tests. Whole, with a NUL behind it; the test fails when it cannot be read. To be
 * freed. */
unsigned char *read_test_file(const char *name, size_t *size);
/* One of the fuzzer's fat binaries (its seeds), in the same way. */
unsigned char *read_fat_binary(const char *name, size_t *size);

#endif

/* support_files.c: the build folder, files beside it, programs that are run. */
#include "cudart/tests/support_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char *build_directory(void) {
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = '\0';
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(path, '/');
        assert_non_null(slash);
        *slash = '\0';
    }
    return path;
}

/* The source tree is above the build folder: one level, or two for a build of its own kind. */
static FILE *open_test_file(const char *name) {
    char path[4400];
    const char *up[] = {"..", "../.."};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s/common/cudart/tests/%s", build_directory(), up[i], name);
        FILE *file = fopen(path, "rb");
        if (file != NULL)
            return file;
    }
    return NULL;
}

static unsigned char *read_whole(FILE *file, const char *name, size_t *size) {
    if (file == NULL)
        fail_msg("no file %s", name);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    unsigned char *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    bytes[length] = 0;
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

unsigned char *read_test_file(const char *name, size_t *size) {
    return read_whole(open_test_file(name), name, size);
}

unsigned char *read_fat_binary(const char *name, size_t *size) {
    char path[4400];
    snprintf(path, sizeof path, "%s/seeds/cudart/fuzz_fatbin/%s.fatbin", build_directory(), name);
    return read_whole(fopen(path, "rb"), path, size);
}

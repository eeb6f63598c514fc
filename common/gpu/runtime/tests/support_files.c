/* support_files.c: the build folder, and files of this folder and of that one. */
#include "gpu/runtime/tests/support_files.h"
#include "base/test.h"

#include "base/file.h"

#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 64 << 20 };

const char *build_directory(void) {
    static char path[PATH_SIZE];
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

static unsigned char *read_whole(const char *path, size_t *size) {
    char error[PATH_SIZE + 128];
    char *bytes = file_read(path, FILE_LIMIT, size, error, sizeof error);
    if (bytes == NULL)
        fail_msg("%s", error);
    return (unsigned char *)bytes;
}

unsigned char *read_test_file(const char *name, size_t *size) {
    /* the source tree is above the build folder: one level, or two for a build of its own kind */
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/../common/gpu/runtime/tests/%s", build_directory(), name));
    if (access(path, F_OK) != 0)
        assert_true(path_print(path, "%s/../../common/gpu/runtime/tests/%s", build_directory(), name));
    return read_whole(path, size);
}

unsigned char *read_fat_binary(const char *name, size_t *size) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/unpacked/seeds/runtime/fuzz_fatbin/%s.fatbin", build_directory(), name));
    return read_whole(path, size);
}

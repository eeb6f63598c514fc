/* Finds the kit from this program's path; a copy of the program elsewhere reports an error. */
#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "base/test.h"
#include <sys/stat.h>

static char error[512], folder[] = "/tmp/test_home.XXXXXX";

/* A copy of this program prints where it finds the kit. */
static int tell(void) {
    struct home home;
    bool found = home_find(&home, error, sizeof error);
    puts(found ? home.build : error);
    return found ? 0 : 1;
}

static int make_folder(void **state) {
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    folder_remove(folder);
    return 0;
}

static int run_copy(const char *place, char *output, size_t size) {
    char path[PATH_SIZE], above[PATH_SIZE];
    size_t length;
    path_join(path, folder, place);
    path_print(above, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_true(folder_make(above, error, sizeof error));
    FREED char *program = file_read("/proc/self/exe", 64 << 20, &length, error, sizeof error);
    assert_non_null(program);
    assert_true(file_write(path, program, length, error, sizeof error));
    assert_int_equal(chmod(path, 0755), 0);
    return child_run((const char *const[]){path, "tell", NULL}, output, size);
}

static void test_found_from_here(void **state) {
    struct home home;
    char path[PATH_SIZE];
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_join(path, home.root, "common/base/home.h"));
    assert_int_equal(access(path, R_OK), 0);
    assert_true(path_join(path, home.build, "tests/base/test_home"));
    assert_int_equal(access(path, X_OK), 0);
}

static void test_found_from_another_build_folder(void **state) {
    char marker[PATH_SIZE], output[PATH_SIZE], expected[PATH_SIZE];
    assert_true(path_join(marker, folder, "kit/common/make"));
    assert_true(folder_make(marker, error, sizeof error));
    path_print(expected, "%s/kit/build/sanitize\n", folder);
    assert_int_equal(run_copy("kit/build/sanitize/bin/x", output, sizeof output), 0);
    assert_string_equal(output, expected);
    assert_int_equal(run_copy("kit/build/sanitize/tests/base/x", output, sizeof output), 0);
    assert_string_equal(output, expected);
}

static void test_elsewhere_it_says_so(void **state) {
    char output[PATH_SIZE];
    assert_int_equal(run_copy("away/bin/x", output, sizeof output), 1);
    assert_non_null(strstr(output, "away/bin/x does not lie in the build folder of the labs"));
    assert_int_equal(run_copy("kit/x", output, sizeof output), 1); /* in the kit, in no build folder */
    assert_non_null(strstr(output, "does not lie in the build folder"));
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {UNIT(test_found_from_here), UNIT(test_found_from_another_build_folder),
                                       UNIT(test_elsewhere_it_says_so)};
    if (count == 2 && strcmp(arguments[1], "tell") == 0)
        return tell();
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

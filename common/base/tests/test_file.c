/* Paths and files: whole or not at all, and one line that says why. */
#include "base/file.h"
#include "base/test.h"
#include <errno.h>
#include <sys/stat.h>

static char error[512];
static char folder[] = "/tmp/test_file.XXXXXX";

static int make_folder(void **state) {
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    folder_remove(folder);
    return access(folder, F_OK) == 0;
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text) {
    size_t length = 0;
    FREED char *got = file_read(path, 1 << 20, &length, error, sizeof error);
    assert_non_null(got);
    assert_string_equal(got, text);
    assert_int_equal(length, strlen(text));
}

static void test_paths_are_whole_or_empty(void **state) {
    char path[PATH_SIZE], name[PATH_SIZE + 1];
    assert_true(path_join(path, "/a", "b"));
    assert_string_equal(path, "/a/b");
    assert_true(path_print(path, "%s-%d", "x", 7));
    assert_string_equal(path, "x-7");

    memset(name, 'n', sizeof name);
    name[PATH_SIZE - 3] = '\0'; /* with "a/" it takes all but the NUL */
    assert_true(path_join(path, "a", name));
    assert_int_equal(strlen(path), PATH_SIZE - 1);
    name[PATH_SIZE - 3] = 'n';
    name[PATH_SIZE - 2] = '\0';
    assert_false(path_join(path, "a", name));
    assert_string_equal(path, "");
    assert_false(path_join(path, path, "kernel.cu")); /* not /kernel.cu */
    assert_string_equal(path, "");
}

static void test_reads_all_of_a_file(void **state) {
    char path[PATH_SIZE], *text, big[10000];
    size_t length = 1;
    path_join(path, folder, "read");
    write_bytes(path, "", 0);
    assert_holds(path, "");

    write_bytes(path, "a\0b", 3);
    text = file_read(path, 3, &length, error, sizeof error);
    assert_non_null(text);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "a\0b", 4); /* and a NUL behind */
    free(text);

    memset(big, 'x', sizeof big);
    for (size_t size = 4094; size <= 8194; size++) { /* around where the buffer grows */
        size += size == 4099 ? 8189 - 4099 : 0;
        write_bytes(path, big, size);
        text = file_read(path, size, &length, error, sizeof error);
        assert_non_null(text);
        assert_int_equal(length, size);
        assert_int_equal(strlen(text), size);
        free(text);
        assert_null(file_read(path, size - 1, NULL, error, sizeof error));
        assert_non_null(strstr(error, "is larger than"));
    }
    unlink(path);
}

static void test_says_why_it_cannot_read(void **state) {
    char path[PATH_SIZE], expected[PATH_SIZE + 64];
    path_join(path, folder, "none");
    assert_null(file_read(path, 100, NULL, error, sizeof error));
    snprintf(expected, sizeof expected, "cannot read %s: %s", path, strerror(ENOENT));
    assert_string_equal(error, expected);
    assert_null(file_read(folder, 100, NULL, error, sizeof error));
    snprintf(expected, sizeof expected, "cannot read %s: %s", folder, strerror(EISDIR));
    assert_string_equal(error, expected);
    assert_null(file_read("", 100, NULL, error, sizeof error)); /* a path that did not fit */
    assert_non_null(strstr(error, strerror(ENAMETOOLONG)));
}

static void test_what_is_written_replaces_at_the_end(void **state) {
    struct file_output output;
    char deep[PATH_SIZE];
    assert_true(path_join(deep, folder, "x/y"));
    assert_true(file_begin(&output, deep, "f", error, sizeof error)); /* makes x and y */
    fputs("old", output.file);
    assert_int_not_equal(access(output.path, F_OK), 0);
    assert_true(file_end(&output, error, sizeof error));
    assert_holds(output.path, "old");

    assert_true(file_begin(&output, deep, "f", error, sizeof error));
    fputs("never", output.file);
    fflush(output.file);
    assert_holds(output.path, "old");
    file_discard(&output);
    assert_holds(output.path, "old");
    assert_int_not_equal(access(output.part, F_OK), 0);

    assert_true(file_begin(&output, deep, "f", error, sizeof error));
    fputs("new", output.file);
    assert_true(file_end(&output, error, sizeof error));
    assert_holds(output.path, "new");
    assert_int_not_equal(access(output.part, F_OK), 0);

    assert_true(file_write(output.path, "newer", 5, error, sizeof error));
    assert_holds(output.path, "newer");
}

/* Two writers at once, as on two machines with one folder: each file is whole, the later one
 * stays. */
static void test_two_write_the_same_file(void **state) {
    struct file_output first, second;
    struct stat status;
    assert_true(file_begin(&first, folder, "both", error, sizeof error));
    assert_true(file_begin(&second, folder, "both", error, sizeof error));
    fputs("first, and longer", first.file);
    fputs("second", second.file);
    assert_true(file_end(&first, error, sizeof error));
    assert_holds(first.path, "first, and longer");
    assert_true(file_end(&second, error, sizeof error));
    assert_holds(second.path, "second");
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(second.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
}

static void test_what_cannot_be_written_leaves_the_old(void **state) {
    struct file_output output;
    char deep[PATH_SIZE], path[PATH_SIZE], name[PATH_SIZE];
    path_join(deep, folder, "full");
    assert_true(file_begin(&output, deep, "f", error, sizeof error));
    fclose(output.file);
    output.file = fopen("/dev/full", "wb"); /* a disk without room */
    assert_non_null(output.file);
    fputs("text", output.file);
    assert_false(file_end(&output, error, sizeof error));
    assert_non_null(strstr(error, strerror(ENOSPC)));
    assert_int_not_equal(access(output.path, F_OK), 0);
    assert_int_not_equal(access(output.part, F_OK), 0);

    path_join(path, deep, "file"); /* where a folder is wanted */
    write_bytes(path, "x", 1);
    assert_false(file_begin(&output, path, "f", error, sizeof error));
    assert_non_null(strstr(error, "cannot make the folder"));
    assert_false(file_write(deep, "x", 1, error, sizeof error)); /* a folder */
    assert_non_null(strstr(error, strerror(EISDIR)));
    assert_false(file_write("", "x", 1, error, sizeof error));
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(file_begin(&output, deep, name, error, sizeof error));
    assert_non_null(strstr(error, "too long"));
    assert_false(folder_make("", error, sizeof error));
}

static void test_removes_links_not_what_they_name(void **state) {
    char kept[PATH_SIZE], gone[PATH_SIZE], path[PATH_SIZE];
    path_join(kept, folder, "kept");
    path_join(gone, folder, "gone/deep");
    assert_true(folder_make(kept, error, sizeof error));
    assert_true(folder_make(gone, error, sizeof error));
    assert_true(folder_make(gone, error, sizeof error)); /* once more is no error */
    path_join(path, gone, "link");
    assert_int_equal(symlink(kept, path), 0);
    path_join(path, kept, "file");
    write_bytes(path, "x", 1);
    path_join(gone, folder, "gone");
    folder_remove(gone);
    assert_int_not_equal(access(gone, F_OK), 0);
    assert_holds(path, "x");
    folder_remove(gone); /* nothing to do */
    folder_remove("");
}

TESTS_BETWEEN(make_folder, remove_folder, UNIT(test_paths_are_whole_or_empty), UNIT(test_reads_all_of_a_file),
              UNIT(test_says_why_it_cannot_read), UNIT(test_what_is_written_replaces_at_the_end),
              UNIT(test_two_write_the_same_file), UNIT(test_what_cannot_be_written_leaves_the_old),
              UNIT(test_removes_links_not_what_they_name))

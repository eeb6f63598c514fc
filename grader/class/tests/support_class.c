/* support_class.c: folders, archives and runs of the grader for the tests of this room. */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], store[PATH_SIZE], policy[PATH_SIZE], roster[PATH_SIZE],
    trace[PATH_SIZE], error[TEXT_ERROR];

int class_set_up(void **state) {
    class_make(folder);
    setenv("SOURCE_DATE_EPOCH", "1767225600", 1); /* pages say when they were written */
    bool right = path_join(in, folder, "in") && path_join(out, folder, "out") &&
                 path_join(store, out, "kernels") && path_join(policy, folder, "policy.ini") &&
                 path_join(roster, folder, "roster.csv") && path_join(trace, folder, "trace");
    return right ? 0 : -1;
}

int class_tear_down(void **state) {
    class_remove(folder);
    return 0;
}

unsigned class_runs(void) {
    if (access(trace, F_OK) != 0)
        return 0;
    char *text = class_read(folder, "trace");
    unsigned lines = 0;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

void class_make(char folder[PATH_SIZE]) {
    snprintf(folder, PATH_SIZE, "/tmp/test_class.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

void class_remove(const char *folder) {
    folder_remove(folder);
}

/* folder/name, in a folder that is there. */
static void place(const char *folder, const char *name, char path[PATH_SIZE]) {
    char parent[PATH_SIZE], error[TEXT_ERROR];
    assert_true(path_join(path, folder, name) && path_print(parent, "%s", path));
    *strrchr(parent, '/') = '\0';
    assert_true(folder_make(parent, error, sizeof error));
}

void class_write(const char *folder, const char *name, const char *text, int64_t modified) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    place(folder, name, path);
    assert_true(file_write(path, text, strlen(text), error, sizeof error));
    if (modified > 0) {
        struct timespec times[2] = {{.tv_sec = modified}, {.tv_sec = modified}};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
}

void class_delete(const char *folder, const char *name) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    assert_true(unlink(path) == 0 || errno == ENOENT);
}

void class_wait_for(const char *folder, const char *name) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    for (unsigned tries = 0; access(path, F_OK) != 0; tries++) {
        assert_true(tries < 3600 * 100);
        usleep(10000);
    }
}

char *class_read(const char *folder, const char *name) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    size_t length;
    assert_true(path_join(path, folder, name));
    char *text = file_read(path, 64 << 20, &length, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return text;
}

void class_honest(const char *folder, const char *name) {
    struct home home;
    char command[3 * PATH_SIZE], said[1024] = "";
    assert_true(home_find(&home, said, sizeof said));
    snprintf(command, sizeof command,
             "cd '%s' && exec common/tools/expand-fixtures '%s/%s' grader/job/tests/honest/*.txt "
             "grader/job/tests/honest/*.cu",
             home.root, folder, name);
    if (child_run((const char *const[]){"/bin/sh", "-c", command, NULL}, said, sizeof said) != 0)
        fail_msg("%s", said);
}

void class_archive(const char *folder, const char *name, const struct class_member *members, size_t count) {
    char path[PATH_SIZE];
    place(folder, name, path);
    struct archive *archive = archive_write_new();
    assert_non_null(archive);
    if (strstr(name, ".zip") != NULL) {
        assert_int_equal(archive_write_set_format_zip(archive), ARCHIVE_OK);
    } else {
        assert_int_equal(archive_write_set_format_pax_restricted(archive), ARCHIVE_OK);
        assert_int_equal(archive_write_add_filter_gzip(archive), ARCHIVE_OK);
    }
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *entry = archive_entry_new();
        size_t size = members[i].size > 0       ? members[i].size
                      : members[i].text != NULL ? strlen(members[i].text)
                                                : 0;
        archive_entry_set_pathname(entry, members[i].path);
        archive_entry_set_filetype(entry, members[i].link != NULL ? AE_IFLNK : AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, members[i].modified, 0);
        if (members[i].link != NULL)
            archive_entry_set_symlink(entry, members[i].link);
        else
            archive_entry_set_size(entry, (la_int64_t)size);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        /* a text shorter than its size is followed by zeros */
        static const char zeros[65536];
        size_t given = members[i].text != NULL ? strlen(members[i].text) : 0;
        given = given < size ? given : size;
        if (given > 0)
            archive_write_data(archive, members[i].text, given);
        for (size_t at = given; at < size; at += sizeof zeros)
            archive_write_data(archive, zeros, size - at < sizeof zeros ? size - at : sizeof zeros);
        archive_entry_free(entry);
    }
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
}

void class_program(const char *name, char path[PATH_SIZE]) {
    struct home home;
    char error[TEXT_ERROR];
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_join(path, home.build, name));
}

pid_t class_start(const char *folder, const char *const *arguments) {
    char grade[PATH_SIZE], fake[PATH_SIZE], log[PATH_SIZE];
    const char *all[40];
    unsigned count = 0;
    class_program("bin/grade", grade);
    class_program("tests/class/fake-grade-job", fake);
    all[count++] = grade;
    if (getenv("REAL_JUDGE") == NULL) {
        all[count++] = "--grade-job";
        all[count++] = fake;
    } else if (strcmp(getenv("REAL_JUDGE"), "unsafe") == 0) {
        all[count++] = "--unsafe";
    }
    while (*arguments != NULL && count < 39)
        all[count++] = *arguments++;
    all[count] = NULL;
    assert_true(path_join(log, folder, "output"));
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_true(output >= 0);
    struct child child = {.arguments = all, .input = CHILD_NOTHING, .output = output, .errors = output};
    pid_t process = child_start(&child);
    close(output);
    assert_true(process > 0);
    return process;
}

int class_grade(const char *folder, const char *const *arguments) {
    return child_wait(class_start(folder, arguments), INFINITY);
}

void class_grade_says(const char *folder, const char *const *arguments, int status, const char *words) {
    int ended = class_grade(folder, arguments);
    char *output = class_read(folder, "output");
    if (ended != status)
        fail_msg("it ended with status %d, not %d, and said: %.2000s", ended, status, output);
    assert_has(output, words);
    free(output);
}

void assert_has(const char *text, const char *words) {
    if (strstr(text, words) == NULL)
        fail_msg("no \"%s\" in: %.3000s", words, text);
}

void assert_has_not(const char *text, const char *words) {
    if (strstr(text, words) != NULL)
        fail_msg("\"%s\" is in: %.3000s", words, text);
}

void class_golden(const char *folder, const char *name) {
    char path[PATH_SIZE], golden[PATH_SIZE], error[TEXT_ERROR];
    const char *slash = strrchr(name, '/');
    size_t length;
    snprintf(golden, sizeof golden, "grader/class/tests/golden/%s", slash != NULL ? slash + 1 : name);
    snprintf(path, sizeof path, "out/%s", name);
    char *text = class_read(folder, path);
    if (getenv("GOLDEN") != NULL) {
        FILE *file = fopen(golden, "wb");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
    char *expected = file_read(golden, 1 << 20, &length, error, sizeof error);
    if (expected == NULL)
        fail_msg("%s", error);
    assert_string_equal(text, expected);
    free(text);
    free(expected);
}

/* What was handed in, in the layouts of the platforms and as a hostile student may pack it. */
#include "support_class.h"

#include "class/intake/submissions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct submissions read_lab(const char *path, const char *lab) {
    struct submissions_options options = {.lab = lab, .store = store};
    struct submissions submissions;
    if (!submissions_read(path, &options, &submissions, error, sizeof error))
        fail_msg("%s", error);
    return submissions;
}

static const struct submission *find(const struct submissions *submissions, const char *student) {
    for (size_t i = 0; i < submissions->count; i++)
        if (strcmp(submissions->items[i].student, student) == 0)
            return &submissions->items[i];
    fail_msg("no submission of %s", student);
    return NULL;
}

/* The text of the kernel that was taken. */
static void assert_kernel(const struct submission *submission, const char *text) {
    char name[128];
    assert_string_not_equal(submission->sha256, "");
    snprintf(name, sizeof name, "out/kernels/%s.cu", submission->sha256);
    char *kernel = class_read(folder, name);
    assert_string_equal(kernel, text);
    free(kernel);
}

static void folders_and_archives_per_student(void **state) {
    static const struct class_member zip[] = {{.path = "kernel.cu", .text = "zip"},
                                              {.path = "__MACOSX/._kernel.cu", .text = "x"}};
    static const struct class_member tar[] = {{.path = "./work/kernel.cu", .text = "tar"},
                                              {.path = "work/a.out", .text = "x"}};
    class_write(in, "ann/src/Kernel.cu", "folder", 0);
    class_archive(in, "bob.zip", zip, 2);
    class_archive(in, "cid.tar.gz", tar, 2);
    class_write(in, "readme.txt", "of nobody", 0);
    struct submissions s = read_lab(in, "lab1");
    assert_string_equal(s.layout->title, "a folder or archive per student");
    assert_int_equal(s.count, 3);
    assert_kernel(find(&s, "ann"), "folder");
    assert_kernel(find(&s, "bob"), "zip");
    assert_kernel(find(&s, "cid"), "tar");
    assert_string_equal(find(&s, "bob")->notes, "");
    assert_has(find(&s, "cid")->notes, "ignored: cid.tar.gz/work/a.out");
    assert_int_equal(s.stray_count, 1);
    assert_has(s.strays[0], "readme.txt belongs to no student");
    submissions_free(&s);
}

static void gradescope(void **state) {
    static const struct class_member members[] = {
        {.path = "assignment_9_export/submission_metadata.yml",
         .text = "---\nsubmission_11:\n  :submitters:\n"
                 "  - :name: Jane Doe\n    :sid: '123'\n    :email: jane@x.edu\n"
                 "  - :name: Max Mu\n    :sid: ''\n    :email: max@x.edu\n"
                 "  :created_at: 2026-03-01 16:24:05.349160000 Z\n"
                 "  :score: 0.0\n  :history:\n  - :id: 7\n    :created_at: 2020-01-01 00:00:00 Z\n"},
        {.path = "assignment_9_export/submission_11/deep/kernel.cu", .text = "both", .modified = 5},
    };
    char path[PATH_SIZE];
    class_archive(folder, "export.zip", members, 2);
    path_join(path, folder, "export.zip");
    struct submissions s = read_lab(path, "lab1");
    assert_string_equal(s.layout->title, "Gradescope");
    assert_int_equal(s.count, 2);
    assert_kernel(find(&s, "123"), "both");
    assert_kernel(find(&s, "max@x.edu"), "both");
    assert_string_equal(find(&s, "123")->name, "Jane Doe");
    assert_int_equal(find(&s, "123")->submitted, 1772382245);
    submissions_free(&s);
}

static void moodle(void **state) {
    static const struct class_member zip[] = {{.path = "lab/kernel.cu", .text = "of Max"}};
    class_write(in, "Jane Doe_123_assignsubmission_file_/kernel.cu", "of Jane", 1772382245);
    class_archive(in, "Max Mu_45_assignsubmission_file_/work.zip", zip, 1);
    class_write(in, "Eve_6_assignsubmission_file_kernel.cu", "of Eve", 0);
    struct submissions s = read_lab(in, "lab1");
    assert_string_equal(s.layout->title, "Moodle");
    assert_int_equal(s.count, 3);
    assert_kernel(find(&s, "123"), "of Jane");
    assert_string_equal(find(&s, "123")->name, "Jane Doe");
    assert_int_equal(find(&s, "123")->submitted, 0); /* a download's own stamps say nothing */
    assert_kernel(find(&s, "45"), "of Max");
    assert_kernel(find(&s, "6"), "of Eve");
    submissions_free(&s);
}

static void canvas(void **state) {
    static const struct class_member inner[] = {{.path = "kernel.cu", .text = "zipped"}};
    class_archive(folder, "inner.zip", inner, 1);
    struct stat status;
    char path[PATH_SIZE];
    path_join(path, folder, "inner.zip");
    assert_int_equal(stat(path, &status), 0);
    size_t size = (size_t)status.st_size;
    char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    /* NULs in the bytes: written by hand into the outer archive's folder form */
    class_write(in, "doejane_123_900_kernel.cu", "first", 100);
    class_write(in, "doejane_123_901_kernel-1.cu", "second", 200);
    class_write(in, "mumax_LATE_45_902_kernel.cu", "late", 300);
    class_write(in, "eve_6_903_work.zip", "", 0);
    path_join(path, in, "eve_6_903_work.zip");
    file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
    free(bytes);
    struct submissions s = read_lab(in, "lab1");
    assert_string_equal(s.layout->title, "Canvas");
    assert_int_equal(s.count, 3);
    assert_kernel(find(&s, "123"), "second");
    assert_false(find(&s, "123")->word == SUBMISSION_LATE);
    assert_has(find(&s, "123")->notes,
               "2 files are named kernel.cu; the newest counts: doejane_123_901_kernel-1.cu");
    assert_kernel(find(&s, "45"), "late");
    assert_true(find(&s, "45")->word == SUBMISSION_LATE);
    assert_kernel(find(&s, "6"), "zipped");
    submissions_free(&s);
}

static void github_classroom(void **state) {
    char path[PATH_SIZE];
    class_write(folder, "lab1-submissions/lab1-jane-doe/kernel.cu", "jane", 0);
    class_write(folder, "lab1-submissions/lab1-jane-doe/.git/objects/kernel.cu", "no", 0);
    class_write(folder, "lab1-submissions/lab1-max/labs/lab1-memory-layout/kernel.cu", "max", 0);
    class_write(folder, "lab1-submissions/lab1-max/labs/lab2-shared-memory/kernel.cu", "other lab", 0);
    path_join(path, folder, "lab1-submissions");
    struct submissions s = read_lab(path, "lab1");
    assert_string_equal(s.layout->title, "Classroom 50");
    assert_int_equal(s.count, 2);
    assert_kernel(find(&s, "jane-doe"), "jane");
    assert_kernel(find(&s, "max"), "max");
    assert_has(find(&s, "max")->notes, "its folder is that of lab2");
    submissions_free(&s);
}

/* Of several the newest counts, and it is said which. */
static void several_kernels(void **state) {
    static const struct class_member members[] = {
        {.path = "old/kernel.cu", .text = "old", .modified = 1000},
        {.path = "new/kernel.cu", .text = "new", .modified = 2000},
        {.path = "older/kernel.cu", .text = "older", .modified = 10}};
    class_archive(in, "ann.zip", members, 3);
    struct submissions s = read_lab(in, "lab1");
    assert_kernel(find(&s, "ann"), "new");
    assert_has(find(&s, "ann")->notes,
               "3 files are named kernel.cu; the newest counts: ann.zip/new/kernel.cu");
    submissions_free(&s);
}

/* What decided is said, where it was not the time. */
static void several_kernels_as_new(void **state) {
    static const struct class_member twice[] = {{.path = "kernel.cu", .text = "first", .modified = 1000},
                                                {.path = "kernel.cu", .text = "second", .modified = 1000}};
    static const struct class_member paths[] = {{.path = "a/kernel.cu", .text = "deep", .modified = 1000},
                                                {.path = "kernel.cu", .text = "high", .modified = 1000}};
    static const struct class_member kit[] = {
        {.path = "kernel.cu", .text = "new", .modified = 2000},
        {.path = "labs/lab1-memory-layout/kernel.cu", .text = "lab", .modified = 1000}};
    class_archive(in, "ann.zip", twice, 2);
    class_archive(in, "bob.zip", paths, 2);
    class_archive(in, "cid.zip", kit, 2);
    struct submissions s = read_lab(in, "lab1");
    assert_kernel(find(&s, "ann"), "second");
    assert_has(find(&s, "ann")->notes,
               "2 files are named kernel.cu; of equally new ones the last in the archive counts");
    assert_kernel(find(&s, "bob"), "high");
    assert_has(find(&s, "bob")->notes,
               "of equally new ones the one with the shortest path counts: bob.zip/kernel.cu");
    assert_kernel(find(&s, "cid"), "lab");
    assert_has(find(&s, "cid")->notes, "the one in the lab's folder counts: ");
    submissions_free(&s);
}

static bool outside(const char *name) {
    char path[PATH_SIZE];
    return path_join(path, folder, name) && access(path, F_OK) == 0;
}

/* Paths that lead out, links, an archive in an archive: nothing of it is taken, nothing is written anywhere.
 */
static void paths_that_lead_out(void **state) {
    static const struct class_member members[] = {{.path = "../../kernel.cu", .text = "up"},
                                                  {.path = "/tmp/kernel.cu", .text = "root"},
                                                  {.path = "a/kernel.cu", .link = "/etc/passwd"},
                                                  {.path = "deep.zip", .text = "PK"},
                                                  {.path = "x/..\\..\\kernel.cu", .text = "dos"}};
    class_archive(in, "ann.tar.gz", members, 5);
    class_write(in, "bob/keep.txt", "x", 0);
    char link[PATH_SIZE];
    path_join(link, in, "bob/kernel.cu");
    assert_int_equal(symlink("/etc/passwd", link), 0);
    struct submissions s = read_lab(in, "lab1");
    assert_string_equal(find(&s, "ann")->sha256, "");
    assert_has(find(&s, "ann")->notes, "its path leads out of the archive");
    assert_has(find(&s, "ann")->notes, "it is a link");
    assert_has(find(&s, "ann")->notes, "an archive in an archive");
    assert_has(find(&s, "ann")->problem, "The kernel.cu cannot be taken: ");
    assert_string_equal(find(&s, "bob")->problem, "The kernel.cu cannot be taken: it is a link.");
    assert_string_equal(find(&s, "bob")->sha256, "");
    assert_has(find(&s, "bob")->notes, "it is a link");
    assert_false(outside("kernel.cu"));
    assert_false(outside("out/kernels/kernel.cu"));
    submissions_free(&s);
}

static void too_large_or_no_text(void **state) {
    static const struct class_member huge[] = {{.path = "kernel.cu", .text = "//", .size = (1 << 20) + 1}};
    static const struct class_member zeros[] = {{.path = "kernel.cu", .text = "//", .size = 100}};
    static const struct class_member latin[] = {{.path = "kernel.cu", .text = "// gr\xfc\xdf\n"}};
    static const struct class_member none[] = {{.path = "my_kernel.cu", .text = "x"}};
    static const struct class_member bomb[] = {{.path = "zeros.bin", .text = "", .size = 300 << 20},
                                               {.path = "kernel.cu", .text = "after the bomb"}};
    class_archive(in, "huge.zip", huge, 1);
    class_archive(in, "zeros.zip", zeros, 1);
    class_archive(in, "latin.zip", latin, 1);
    class_archive(in, "none.zip", none, 1);
    class_archive(in, "bomb.tar.gz", bomb, 2);
    class_write(in, "broken.zip", "this is no archive", 0);
    class_write(in, "empty/kernel.cu", "", 0);
    class_write(in, "rar.7z", "7z", 0);
    struct submissions s = read_lab(in, "lab1");
    assert_has(find(&s, "huge")->notes, "larger than 1 MiB");
    assert_has(find(&s, "zeros")->notes, "NUL bytes");
    assert_kernel(find(&s, "latin"), "// gr\xfc\xdf\n");
    assert_has(find(&s, "latin")->notes, "not UTF-8");
    assert_has(find(&s, "none")->problem, "Name your file kernel.cu");
    assert_string_equal(find(&s, "bomb")->sha256, "");
    assert_has(find(&s, "bomb")->notes, "256 MiB");
    assert_has(find(&s, "broken")->notes, "cannot be read");
    assert_has(find(&s, "empty")->notes, "empty");
    assert_has(find(&s, "rar.7z")->notes, "only .zip and .tar.gz");
    submissions_free(&s);
}

/* Names that no terminal, page or file system should get as they are. */
static void absurd_names(void **state) {
    char name[400], file[TEXT_FILE_NAME], other[TEXT_FILE_NAME];
    memset(name, 'a', sizeof name);
    strcpy(name + 300, "/kernel.cu");
    const struct class_member members[] = {{.path = "\x1b[31mred\n/kernel.cu", .text = "red", .modified = 2},
                                           {.path = name, .text = "long", .modified = 1}};
    class_archive(in, "ann.tar.gz", members, 2);
    struct submissions s = read_lab(in, "lab1");
    assert_kernel(find(&s, "ann"), "red");
    assert_null(strpbrk(find(&s, "ann")->notes, "\x1b\n"));
    submissions_free(&s);
    text_file_name(file, "../../etc/passwd");
    text_file_name(other, "../../etc_passwd");
    assert_null(strchr(file, '/'));
    assert_int_not_equal(file[0], '.');
    assert_string_not_equal(file, other);
}

static void thousands_of_files(void **state) {
    enum { FILES = 25000 };
    struct class_member *members = calloc(FILES, sizeof *members);
    char(*names)[32] = calloc(FILES, sizeof *names);
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "d%u/f%u", i % 100, i);
        members[i] = (struct class_member){.path = names[i], .text = "x"};
    }
    members[10] = (struct class_member){.path = "kernel.cu", .text = "here"};
    class_archive(in, "ann.zip", members, FILES);
    free(members);
    free(names);
    struct submissions s = read_lab(in, "lab1");
    assert_kernel(find(&s, "ann"), "here");
    assert_has(find(&s, "ann")->notes, "more than 20000 files");
    submissions_free(&s);
}

/* Without a lab the folders say which; a folder of a lab that there is not is told to its
 * student, and ends nothing. */
static void no_such_lab(void **state) {
    static const unsigned labs[] = {1, 2, 10};
    struct submissions_options options = {.store = store, .labs = labs, .lab_count = 3};
    struct submissions s;
    class_write(in, "amy/lab1/kernel.cu", "amy", 0);
    class_write(in, "amy/lab0/task01-launch.cu", "x", 0);
    class_write(in, "bob/lab11/kernel.cu", "bob", 0);
    class_write(in, "cid/lab1/kernel.cu", "cid", 0);
    class_write(in, "cid/lab99/notes.txt", "x", 0);
    class_write(in, "dee/kit/labs/lab0-first-kernel/task01-launch.cu", "x", 0);
    class_write(in, "dee/kit/labs/lab1-memory-layout/kernel.cu", "dee", 0);
    class_write(in, "dee/kit/labs/lab1-memory-layout/lab1.h", "x", 0);
    class_write(in, "eve/lab99/notes.txt", "x", 0);
    if (!submissions_read(in, &options, &s, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(s.count, 3);
    assert_kernel(find(&s, "amy"), "amy");
    assert_has(find(&s, "amy")->notes, "lab0 is no lab: not taken.");
    assert_kernel(find(&s, "cid"), "cid");
    assert_has(find(&s, "cid")->notes, "lab99 is no lab: not taken.");
    assert_kernel(find(&s, "dee"), "dee");
    assert_has_not(find(&s, "dee")->notes, "lab0");
    assert_int_equal(s.stray_count, 3);
    assert_string_equal(s.strays[0], "bob/lab11/kernel.cu is not taken: there is no lab11.");
    assert_string_equal(s.strays[1], "bob: lab11 is no lab: not taken.");
    assert_string_equal(s.strays[2], "eve: lab99 is no lab: not taken.");
    submissions_free(&s);
}

/* The files of small tasks are one submission; of each task the newest counts. */
static void small_tasks(void **state) {
    static const unsigned labs[] = {1, 0}, tasks[] = {0};
    struct submissions_options options = {
        .store = store, .labs = labs, .lab_count = 2, .tasks = tasks, .task_count = 1};
    static const struct class_member kit[] = {
        {.path = "labs/lab0-first-kernel/task01-launch.cu", .text = "hers", .modified = 1000},
        {.path = "labs/lab1-memory-layout/kernel.cu", .text = "kernel", .modified = 1000},
        {.path = "labs/lab1-memory-layout/lab1.h", .text = "", .modified = 1000},
        {.path = "solutions/lab0-first-kernel/task01-launch.cu", .text = "not hers", .modified = 2000},
        {.path = "solutions/lab0-first-kernel/starters/task01-launch.cu",
         .text = "not hers",
         .modified = 2000}};
    struct submissions s;
    class_write(in, "amy/lab0/task02-index.cu", "two", 1000);
    class_write(in, "amy/lab0/task01-launch.cu", "old", 1000);
    class_write(in, "amy/lab0/again/task01-launch (1).txt", "x", 0);
    class_write(in, "amy/lab0/again/task01-launch.cu", "new", 2000);
    class_write(in, "amy/lab0/kernel.cu", "x", 0);
    class_write(in, "bob/lab0/notes.txt", "x", 0);
    class_write(in, "cid/lab0/task01-launch.cu", "", 0);
    class_archive(in, "dora.zip", kit, sizeof kit / sizeof *kit);
    if (!submissions_read(in, &options, &s, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(s.count, 5);
    assert_kernel(find(&s, "amy"), "//// task01-launch.cu 3 bytes\nnew//// task02-index.cu 3 bytes\ntwo");
    assert_has(find(&s, "amy")->notes, "Only files of tasks are taken; ignored: ");
    assert_string_equal(find(&s, "bob")->sha256, "");
    assert_has(find(&s, "bob")->problem, "There is no file of a task");
    assert_string_equal(find(&s, "cid")->sha256, "");
    assert_has(find(&s, "cid")->notes, "task01-launch.cu is not taken: it is empty.");
    assert_string_equal(find(&s, "dora")->lab, "lab0");
    assert_kernel(find(&s, "dora"), "//// task01-launch.cu 4 bytes\nhers");
    submissions_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_such_lab, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(small_tasks, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(several_kernels_as_new, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(folders_and_archives_per_student, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(gradescope, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(moodle, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(canvas, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(github_classroom, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(several_kernels, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(paths_that_lead_out, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(too_large_or_no_text, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(absurd_names, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(thousands_of_files, class_set_up, class_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

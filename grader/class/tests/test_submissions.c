/* What was handed in, in the layouts of the platforms and as a hostile student may pack it. */
#include "support_intake.h"

#include <sys/stat.h>

static void folders_and_archives_per_student(void **state) {
    class_write("in/ann/src/Kernel.cu", "folder");
    class_archive("in/bob.zip", MEMBER("kernel.cu", "zip"), MEMBER("__MACOSX/._kernel.cu", "x"));
    class_archive("in/cid.tar.gz", MEMBER("./work/kernel.cu", "tar"), MEMBER("work/a.out", "x"));
    class_write("in/readme.txt", "of nobody");
    intake("in");
    assert_string_equal(taken.layout->title, "a folder or archive per student");
    assert_int_equal(taken.count, 3);
    assert_kernel("ann", "folder");
    assert_kernel("bob", "zip");
    assert_kernel("cid", "tar");
    assert_string_equal(of("bob")->notes, "");
    assert_notes("cid", "ignored: cid.tar.gz/work/a.out");
    assert_strays(1, "readme.txt belongs to no student");
}

static void gradescope(void **state) {
    class_archive("export.zip",
                  MEMBER("assignment_9_export/submission_metadata.yml",
                         "---\nsubmission_11:\n  :submitters:\n"
                         "  - :name: Jane Doe\n    :sid: '123'\n    :email: jane@x.edu\n"
                         "  - :name: Max Mu\n    :sid: ''\n    :email: max@x.edu\n"
                         "  :created_at: 2026-03-01 16:24:05.349160000 Z\n"
                         "  :score: 0.0\n  :history:\n  - :id: 7\n    :created_at: 2020-01-01 00:00:00 Z\n"),
                  MEMBER_AT("assignment_9_export/submission_11/deep/kernel.cu", "both", 5));
    intake("export.zip");
    assert_string_equal(taken.layout->title, "Gradescope");
    assert_int_equal(taken.count, 2);
    assert_kernel("123", "both");
    assert_kernel("max@x.edu", "both");
    assert_string_equal(of("123")->name, "Jane Doe");
    assert_int_equal(of("123")->submitted, 1772382245);
}

static void moodle(void **state) {
    class_write_at("in/Jane Doe_123_assignsubmission_file_/kernel.cu", "of Jane", 1772382245);
    class_archive("in/Max Mu_45_assignsubmission_file_/work.zip", MEMBER("lab/kernel.cu", "of Max"));
    class_write("in/Eve_6_assignsubmission_file_kernel.cu", "of Eve");
    intake("in");
    assert_string_equal(taken.layout->title, "Moodle");
    assert_int_equal(taken.count, 3);
    assert_kernel("123", "of Jane");
    assert_string_equal(of("123")->name, "Jane Doe");
    assert_int_equal(of("123")->submitted, 0); /* a download's own stamps say nothing */
    assert_kernel("45", "of Max");
    assert_kernel("6", "of Eve");
}

static void canvas(void **state) {
    class_archive("inner.zip", MEMBER("kernel.cu", "zipped"));
    struct stat status;
    char path[PATH_SIZE];
    path_join(path, folder, "inner.zip");
    assert_int_equal(stat(path, &status), 0);
    size_t size = (size_t)status.st_size;
    FREED char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    /* NULs in the bytes: written by hand into the outer archive's folder form */
    class_write_at("in/doejane_123_900_kernel.cu", "first", 100);
    class_write_at("in/doejane_123_901_kernel-1.cu", "second", 200);
    class_write_at("in/mumax_LATE_45_902_kernel.cu", "late", 300);
    class_write("in/eve_6_903_work.zip", "");
    path_join(path, in, "eve_6_903_work.zip");
    file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
    intake("in");
    assert_string_equal(taken.layout->title, "Canvas");
    assert_int_equal(taken.count, 3);
    assert_kernel("123", "second");
    assert_false(of("123")->word == SUBMISSION_LATE);
    assert_notes("123", "2 files are named kernel.cu; the newest counts: doejane_123_901_kernel-1.cu");
    assert_kernel("45", "late");
    assert_true(of("45")->word == SUBMISSION_LATE);
    assert_kernel("6", "zipped");
}

static void github_classroom(void **state) {
    class_files("lab1-submissions/lab1-jane-doe/kernel.cu", "jane",
                "lab1-submissions/lab1-jane-doe/.git/objects/kernel.cu", "no",
                "lab1-submissions/lab1-max/labs/lab1-memory-layout/kernel.cu", "max");
    class_write("lab1-submissions/lab1-max/labs/lab2-shared-memory/kernel.cu", "other lab");
    intake("lab1-submissions");
    assert_string_equal(taken.layout->title, "Classroom 50");
    assert_int_equal(taken.count, 2);
    assert_kernel("jane-doe", "jane");
    assert_kernel("max", "max");
    assert_notes("max", "its folder is that of lab2");
}

/* Of several the newest counts, and it is said which. */
static void several_kernels(void **state) {
    class_archive("in/ann.zip", MEMBER_AT("old/kernel.cu", "old", 1000),
                  MEMBER_AT("new/kernel.cu", "new", 2000), MEMBER_AT("older/kernel.cu", "older", 10));
    intake("in");
    assert_kernel("ann", "new");
    assert_notes("ann", "3 files are named kernel.cu; the newest counts: ann.zip/new/kernel.cu");
}

/* What decided is said, where it was not the time. */
static void several_kernels_as_new(void **state) {
    class_archive("in/ann.zip", MEMBER_AT("kernel.cu", "first", 1000),
                  MEMBER_AT("kernel.cu", "second", 1000));
    class_archive("in/bob.zip", MEMBER_AT("a/kernel.cu", "deep", 1000), MEMBER_AT("kernel.cu", "high", 1000));
    class_archive("in/cid.zip", MEMBER_AT("kernel.cu", "new", 2000),
                  MEMBER_AT("labs/lab1-memory-layout/kernel.cu", "lab", 1000));
    intake("in");
    assert_kernel("ann", "second");
    assert_notes("ann", "2 files are named kernel.cu; of equally new ones the last in the archive counts");
    assert_kernel("bob", "high");
    assert_notes("bob", "of equally new ones the one with the shortest path counts: bob.zip/kernel.cu");
    assert_true(of("bob")->guess && !of("ann")->guess && !of("cid")->guess);
    assert_kernel("cid", "lab");
    assert_notes("cid", "the one in the lab's folder counts: ");
}

static bool outside(const char *name) {
    char path[PATH_SIZE];
    return path_join(path, folder, name) && access(path, F_OK) == 0;
}

/* Paths that lead out, links, an archive in an archive: nothing of it is taken, nothing is written anywhere.
 */
static void paths_that_lead_out(void **state) {
    class_archive("in/ann.tar.gz", MEMBER("../../kernel.cu", "up"), MEMBER("/tmp/kernel.cu", "root"),
                  {.path = "a/kernel.cu", .link = "/etc/passwd"}, MEMBER("deep.zip", "PK"),
                  MEMBER("x/..\\..\\kernel.cu", "dos"));
    class_write("in/bob/keep.txt", "x");
    char link[PATH_SIZE];
    path_join(link, in, "bob/kernel.cu");
    assert_int_equal(symlink("/etc/passwd", link), 0);
    intake("in");
    assert_string_equal(of("ann")->sha256, "");
    assert_notes("ann", "its path leads out of the archive");
    assert_notes("ann", "it is a link");
    assert_notes("ann", "an archive in an archive");
    assert_problem("ann", "The kernel.cu cannot be taken: ");
    assert_string_equal(of("bob")->problem, "The kernel.cu cannot be taken: it is a link.");
    assert_string_equal(of("bob")->sha256, "");
    assert_notes("bob", "it is a link");
    assert_false(outside("kernel.cu"));
    assert_false(outside("out/kernels/kernel.cu"));
}

static void too_large_or_no_text(void **state) {
    class_archive("in/huge.zip", {.path = "kernel.cu", .text = "//", .size = (1 << 20) + 1});
    class_archive("in/zeros.zip", {.path = "kernel.cu", .text = "//", .size = 100});
    class_archive("in/latin.zip", MEMBER("kernel.cu", "// gr\xfc\xdf\n"));
    class_archive("in/none.zip", MEMBER("my_kernel.cu", "x"));
    class_archive("in/bomb.tar.gz", {.path = "zeros.bin", .text = "", .size = 300 << 20},
                  MEMBER("kernel.cu", "after the bomb"));
    class_write("in/broken.zip", "this is no archive");
    class_write("in/empty/kernel.cu", "");
    class_write("in/rar.7z", "7z");
    intake("in");
    assert_notes("huge", "larger than 1 MiB");
    assert_notes("zeros", "NUL bytes");
    assert_kernel("latin", "// gr\xfc\xdf\n");
    assert_notes("latin", "not UTF-8");
    assert_problem("none", "Name your file kernel.cu");
    assert_string_equal(of("bomb")->sha256, "");
    assert_notes("bomb", "256 MiB");
    assert_notes("broken", "cannot be read");
    assert_notes("empty", "empty");
    assert_notes("rar.7z", "only .zip and .tar.gz");
}

/* Names that no terminal, page or file system should get as they are. */
static void absurd_names(void **state) {
    char name[400], file[TEXT_FILE_NAME], other[TEXT_FILE_NAME];
    memset(name, 'a', sizeof name);
    strcpy(name + 300, "/kernel.cu");
    class_archive("in/ann.tar.gz", MEMBER_AT("\x1b[31mred\n/kernel.cu", "red", 2),
                  MEMBER_AT(name, "long", 1));
    intake("in");
    assert_kernel("ann", "red");
    assert_null(strpbrk(of("ann")->notes, "\x1b\n"));
    text_file_name(file, "../../etc/passwd");
    text_file_name(other, "../../etc_passwd");
    assert_null(strchr(file, '/'));
    assert_int_not_equal(file[0], '.');
    assert_string_not_equal(file, other);
}

static void thousands_of_files(void **state) {
    enum { FILES = 25000 };
    FREED struct class_member *members = calloc(FILES, sizeof *members);
    char(*names)[32] = calloc(FILES, sizeof *names);
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "d%u/f%u", i % 100, i);
        members[i] = (struct class_member){.path = names[i], .text = "x"};
    }
    members[10] = (struct class_member){.path = "kernel.cu", .text = "here"};
    class_archive_of("in/ann.zip", members, FILES);
    free(names);
    intake("in");
    assert_kernel("ann", "here");
    assert_notes("ann", "more than 20000 files");
}

/* Without a lab the folders say which; a folder of a lab that there is not is told to its
 * student, and ends nothing. */
static void no_such_lab(void **state) {
    static const unsigned labs[] = {1, 2, 10};
    class_files("in/amy/lab1/kernel.cu", "amy", "in/amy/lab0/task01-launch.cu", "x", "in/bob/lab11/kernel.cu",
                "bob", "in/cid/lab1/kernel.cu", "cid", "in/cid/lab99/notes.txt", "x",
                "in/dee/kit/labs/lab0-first-kernel/task01-launch.cu", "x",
                "in/dee/kit/labs/lab1-memory-layout/kernel.cu", "dee",
                "in/dee/kit/labs/lab1-memory-layout/lab1.h", "x", "in/eve/lab99/notes.txt", "x");
    intake_with("in", (struct submissions_options){.labs = labs, .lab_count = 3});
    assert_int_equal(taken.count, 3);
    assert_kernel("amy", "amy");
    assert_notes("amy", "lab0 is no lab: not taken.");
    assert_kernel("cid", "cid");
    assert_notes("cid", "lab99 is no lab: not taken.");
    assert_kernel("dee", "dee");
    assert_has_not(of("dee")->notes, "lab0");
    assert_int_equal(taken.stray_count, 3);
    assert_string_equal(taken.strays[0], "bob/lab11/kernel.cu is not taken: there is no lab11.");
    assert_string_equal(taken.strays[1], "bob: lab11 is no lab: not taken.");
    assert_string_equal(taken.strays[2], "eve: lab99 is no lab: not taken.");
}

/* The files of small tasks are one submission; of each task the newest counts. */
static void small_tasks(void **state) {
    static const unsigned labs[] = {1, 0}, tasks[] = {0};
    struct submissions_options options = {.labs = labs, .lab_count = 2, .tasks = tasks, .task_count = 1};
    class_write_at("in/amy/lab0/task02-index.cu", "two", 1000);
    class_write_at("in/amy/lab0/task01-launch.cu", "old", 1000);
    class_write("in/amy/lab0/again/task01-launch (1).txt", "x");
    class_write_at("in/amy/lab0/again/task01-launch.cu", "new", 2000);
    class_files("in/amy/lab0/kernel.cu", "x", "in/bob/lab0/notes.txt", "x", "in/cid/lab0/task01-launch.cu",
                "");
    class_archive("in/dora.zip", MEMBER_AT("labs/lab0-first-kernel/task01-launch.cu", "hers", 1000),
                  MEMBER_AT("labs/lab1-memory-layout/kernel.cu", "kernel", 1000),
                  MEMBER_AT("labs/lab1-memory-layout/lab1.h", "", 1000),
                  MEMBER_AT("solutions/lab0-first-kernel/task01-launch.cu", "not hers", 2000),
                  MEMBER_AT("solutions/lab0-first-kernel/starters/task01-launch.cu", "not hers", 2000));
    intake_with("in", options);
    assert_int_equal(taken.count, 5);
    assert_kernel("amy", "//// task01-launch.cu 3 bytes\nnew//// task02-index.cu 3 bytes\ntwo");
    assert_notes("amy", "Only files of tasks are taken; ignored: ");
    assert_problem("bob", "There is no file of a task");
    assert_string_equal(of("cid")->sha256, "");
    assert_notes("cid", "task01-launch.cu is not taken: it is empty.");
    assert_string_equal(of("dora")->lab, "lab0");
    assert_kernel("dora", "//// task01-launch.cu 4 bytes\nhers");
}

TESTS(CLASS_TEST(no_such_lab), CLASS_TEST(small_tasks), CLASS_TEST(several_kernels_as_new),
      CLASS_TEST(folders_and_archives_per_student), CLASS_TEST(gradescope), CLASS_TEST(moodle),
      CLASS_TEST(canvas), CLASS_TEST(github_classroom), CLASS_TEST(several_kernels),
      CLASS_TEST(paths_that_lead_out), CLASS_TEST(too_large_or_no_text), CLASS_TEST(absurd_names),
      CLASS_TEST(thousands_of_files))

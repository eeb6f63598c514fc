/* What becomes of a download that a grader cannot take as it is. */
#include "support_class.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two parts for one student, and a file of nobody: graded for nobody, told to a human, and not with status 0. */
static void what_is_nobodys_is_told(void **state) {
    static const struct class_member zip[] = {{.path = "kernel.cu", .text = "// of an archive\n"}};
    class_write(folder, "in/ann/kernel.cu", "// of a folder\n", 0);
    class_archive(in, "ANN.zip", zip, 1);
    class_write(folder, "in/bob/kernel.cu", "// of bob\n", 0);
    class_write(folder, "in/loose <b>.cu", "// of whom?\n", 0);
    class_write(folder, "roster.csv", "student\nann\nbob\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--roster", roster, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 3);
    char *grades = class_read(folder, "out/grades.csv"), *page = class_read(folder, "out/class.html");
    assert_has(grades, "\nann,lab1,,");
    assert_has(grades, "Claimed by ANN.zip and by ann");
    assert_has(page, "loose &lt;b&gt;.cu belongs to no student");
    free(grades);
    free(page);
    class_delete(folder, "in/ANN.zip");
    class_delete(folder, "in/loose <b>.cu");
    assert_int_equal(class_grade(folder, arguments), 0);
    page = class_read(folder, "out/class.html");
    assert_has_not(page, "In the last download");
    free(page);
}

/* A download of some does not take the others' kernels away. */
static void a_smaller_download_is_refused(void **state) {
    char gone[PATH_SIZE];
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// two\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    char *before = class_read(folder, "out/grades.csv");
    class_delete(folder, "in/ann/kernel.cu");
    assert_int_equal(rmdir(path_join(gone, in, "ann") ? gone : ""), 0);
    assert_int_equal(class_grade(folder, arguments), 1);
    char *after = class_read(folder, "out/grades.csv"), *output = class_read(folder, "output");
    assert_string_equal(before, after);
    assert_has(output, "1 who had handed in are not in this download (ann)");
    free(after);
    free(output);
    arguments[6] = "--replace";
    assert_int_equal(class_grade(folder, arguments), 0);
    after = class_read(folder, "out/grades.csv");
    assert_has_not(after, "\nann,");
    free(before);
    free(after);
}

/* Moodle's download of one assignment has no folders of labs: one line, and nobody's absence. */
static void a_lab_that_is_not_named(void **state) {
    class_write(folder, "in/Ann Lee_1001_assignsubmission_file_/kernel.cu", "// ann\n", 0);
    class_write(folder, "in/Bob Lee_1002_assignsubmission_file_/kernel.cu", "// bob\n", 0);
    class_write(folder, "roster.csv",
                "Identifier,Full name,Email address,Status\n"
                "Participant 1001,Ann Lee,ann@x.edu,Submitted for grading\n"
                "Participant 1002,Bob Lee,bob@x.edu,Submitted for grading\n",
                0);
    const char *with[] = {"--lab", "lab1", "--submissions", in, "--roster", roster, "--out", out, NULL};
    const char *without[] = {"--submissions", in, "--roster", roster, "--out", out, NULL};
    const char *dry[] = {"--submissions", in, "--roster", roster, "--dry-run", NULL};
    const char *const *const calls[] = {without, dry, with, without};
    for (int i = 0; i < 4; i++) {
        class_grade_says(
            folder, calls[i], calls[i] == with ? 0 : 1,
            calls[i] == with ? "" : "/in: no folder in it names a lab (lab1/, lab2/, ...): give LAB=lab1\n");
        char *output = class_read(folder, "output");
        assert_has_not(output, "has nothing");
        assert_has_not(output, "REPLACE");
        free(output);
    }
}

/* A typo in a folder's name. */
static void a_lab_that_there_is_not(void **state) {
    class_write(folder, "in/max/lab11/kernel.cu", "// max\n", 0);
    class_write(folder, "in/bob/lab1/kernel.cu", "// bob\n", 0);
    class_write(folder, "in/cid/lab1/kernel.cu", "// cid\n", 0);
    class_write(folder, "in/cid/lab11/kernel.cu", "// cid too\n", 0);
    class_write(folder, "in/dee/lab2/kernel.cu", "// dee\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    class_grade_says(folder, arguments, 3,
                     "\n1 of it a human has to look at:\nmax: lab11 is no lab: not taken.\n");
    char *max = class_read(folder, "out/feedback/lab1/max.txt"),
         *cid = class_read(folder, "out/feedback/lab1/cid.txt"),
         *dee = class_read(folder, "out/feedback/lab1/dee.txt");
    assert_has_not(max, "There is no kernel.cu");
    assert_has(max, "\nThe kernel.cu lies in the folder of lab11: not taken.\n");
    assert_has(max, "lab11 is no");
    assert_has(cid, "lab11 is no");
    assert_has(dee, "\nThe kernel.cu lies in the folder of lab2: not taken.\n");
    free(max);
    free(cid);
    free(dee);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_nobodys_is_told, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_smaller_download_is_refused, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_lab_that_is_not_named, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_lab_that_there_is_not, class_set_up, class_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

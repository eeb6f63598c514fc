/* What becomes of a download that a grader cannot take as it is. */
#include "support_class.h"

/* Two parts for one student, and a file of nobody: graded for nobody, told to a human, and not with status 0. */
static void what_is_nobodys_is_told(void **state) {
    class_write("in/ann/kernel.cu", "// of a folder\n");
    class_archive("in/ANN.zip", MEMBER("kernel.cu", "// of an archive\n"));
    class_write("in/bob/kernel.cu", "// of bob\n");
    class_files("in/loose <b>.cu", "// of whom?\n", "roster.csv", "student\nann\nbob\n");
    class_grade(3, LAB1 " --roster @roster.csv");
    class_has("out/grades.csv", "\nann,lab1,,", "Claimed by ANN.zip and by ann");
    class_has("out/class.html", "loose &lt;b&gt;.cu belongs to no student");
    class_delete("in/ANN.zip");
    class_delete("in/loose <b>.cu");
    class_grade(0, LAB1 " --roster @roster.csv");
    class_has_not("out/class.html", "In the last download");
}

/* A download of some does not take the others' kernels away. */
static void a_smaller_download_is_refused(void **state) {
    char gone[PATH_SIZE];
    class_kernels("ann", "// one\n", "bob", "// two\n");
    class_grade(0, LAB1);
    char *before = class_read("out/grades.csv");
    class_delete("in/ann/kernel.cu");
    assert_int_equal(rmdir(path_join(gone, in, "ann") ? gone : ""), 0);
    class_grade_says("1 who had handed in are not in this download (ann)", 1, LAB1);
    assert_string_equal(class_read("out/grades.csv"), before);
    class_grade(0, LAB1 " --replace");
    class_has_not("out/grades.csv", "\nann,");
}

/* Moodle's download of one assignment has no folders of labs: one line, and nobody's absence. */
static void a_lab_that_is_not_named(void **state) {
    class_kernels("Ann Lee_1001_assignsubmission_file_", "// ann\n", "Bob Lee_1002_assignsubmission_file_",
                  "// bob\n");
    class_write("roster.csv", "Identifier,Full name,Email address,Status\n"
                              "Participant 1001,Ann Lee,ann@x.edu,Submitted for grading\n"
                              "Participant 1002,Bob Lee,bob@x.edu,Submitted for grading\n");
    static const char with[] = "--lab lab1",
                      without[] = "", *const calls[] = {without, "--dry-run", with, without};
    for (int i = 0; i < 4; i++) {
        class_grade_says(
            calls[i] == with ? "" : "/in: no folder in it names a lab (lab1/, lab2/, ...): give LAB=lab1\n",
            calls[i] == with ? 0 : 1, "--submissions @in --roster @roster.csv %s", calls[i]);
        class_has_not("output", "has nothing", "REPLACE");
    }
}

/* A typo in a folder's name. */
static void a_lab_that_there_is_not(void **state) {
    class_files("in/max/lab11/kernel.cu", "// max\n", "in/bob/lab1/kernel.cu", "// bob\n",
                "in/cid/lab1/kernel.cu", "// cid\n", "in/cid/lab11/kernel.cu", "// cid too\n",
                "in/dee/lab2/kernel.cu", "// dee\n");
    class_grade_says("\n1 of it a human has to look at:\nmax: lab11 is no lab: not taken.\n", 3, LAB1);
    class_has("out/feedback/lab1/max.txt", "\nThe kernel.cu lies in the folder of lab11: not taken.\n",
              "lab11 is no");
    class_has_not("out/feedback/lab1/max.txt", "There is no kernel.cu");
    class_has("out/feedback/lab1/cid.txt", "lab11 is no");
    class_has("out/feedback/lab1/dee.txt", "\nThe kernel.cu lies in the folder of lab2: not taken.\n");
}

/* Where no sandbox works nothing is judged: the class stops before its first kernel, says so, and goes on elsewhere. */
static void without_a_sandbox(void **state) {
    class_kernels("ada", "// one\n", "bob", "// two\n");
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.", 1);
    class_grade(1, LAB1);
    class_has("output", "no sandbox works here. bubblewrap: it may not\nGrade elsewhere.");
    class_has_not("output", "could not be judged");
    assert_false(class_is_there("trace"));          /* nobody was asked to judge */
    assert_false(class_is_there("out/grades.csv")); /* and nobody has a zero */
    /* without a sandbox, because it is wished */
    class_grade(0, LAB1 " --unsafe");
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
    class_write("in/cyd/kernel.cu", "// three\n");
    class_grade(0, LAB1);
    class_has("output", "Sandbox bubblewrap: as ever\n");
    /* nothing is left to judge: nothing is tried */
    setenv("FAKE_GRADE_JOB_NO_SANDBOX", "no sandbox works here", 1);
    class_grade(0, LAB1);
    unsetenv("FAKE_GRADE_JOB_NO_SANDBOX");
}

TESTS(CLASS_TEST(without_a_sandbox), CLASS_TEST(what_is_nobodys_is_told),
      CLASS_TEST(a_smaller_download_is_refused), CLASS_TEST(a_lab_that_is_not_named),
      CLASS_TEST(a_lab_that_there_is_not))

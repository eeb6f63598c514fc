/* The whole grader over small classes, with the fake judge: what is run, what is kept, what is written. */
#include "support_class.h"

#include "base/child.h"

#include "class/gradebook.h"

#include <jansson.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void golden_class(void) {
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_write_at("in/bob/kernel.cu", "// WRONG\n", 1767225600);
    class_write_at("in/bob/notes.txt", "please\n", 1767225600);
    class_write_at("in/cid/kernel.cu", "// FLAG\n", 1767225600 + 86400);
    class_write_at("in/dee/kernel.cu", "// two\n", 1767225600 + 3 * 86400);
    class_write_at("in/eve/kernel.cu.txt", "// two\n", 1767225600);
    class_write_at("in/guest/kernel.cu", "// BUILD\n", 1767225600);
    class_policy("points = 50\npass = 20\n"
                 "deadline = 2026-01-02 00:00 Z\nlate_percent_per_day = 25\nfile_times = yes\n");
    class_write(
        "roster.csv",
        "student,name,email\r\nann,\"Ash, Ann\",ann@example.edu\r\nbob,Bob <b>Bold</b>,\r\ncid,Cid,\r\n"
        "dee,\"=cmd|' /C calc'!A0\",\r\neve,Eve & Co,\r\nfay,Fay,\r\n");
}

static void exports_are_the_golden_files(void **state) {
    golden_class();
    class_grade(0, LAB1 " --policy @policy.ini --roster @roster.csv");
    // clang-format off
    static const char *const names[] = {
        "grades.csv", "totals.csv", "junit.xml", "class.html", "feedback/lab1/ann.txt",
        "feedback/lab1/bob.html", "feedback/lab1/dee.html", "gradescope/lab1/dee.json",
        "gradescope/lab1/guest.json", "autolab/lab1/cid.txt"};
    // clang-format on
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        class_golden(names[i]);
}

/* Neither of whom is right nor of whom is wrong, in no form. The stand-in calls secret what comes of secret inputs. */
static void nothing_secret_is_shown(void **state) {
    golden_class();
    class_write("policy.ini", "[class]\nkey = 31415926"
                              "31415926"
                              "31415926"
                              "31415926"
                              "31415926"
                              "31415926"
                              "31415926"
                              "31415926"
                              "\n");
    class_grade(0, LAB1 " --policy @policy.ini");
    static const char *const forms[] = {"out/feedback/lab1/%s.txt", "out/feedback/lab1/%s.html",
                                        "out/gradescope/lab1/%s.json", "out/autolab/lab1/%s.txt"};
    static const char *const students[] = {"ann", "bob", "cid", "dee", "guest"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms * (sizeof students / sizeof *students); i++)
        class_has_not(class_print(forms[i % 4], students[i / 4]), "31415926", "secret", "17 x 3", "7777",
                      "0x7f");
    static const char *const staff[] = {"out/junit.xml", "out/class.html", "out/grades.csv"};
    for (size_t i = 0; i < sizeof staff / sizeof *staff; i++)
        class_has_not(staff[i], "secret", "0x7f");
}

/* The key is in the gradebook and in a file of its owner's, and nowhere else that anybody is given. */
static void the_key_is_kept(void **state) {
    golden_class();
    class_write("policy.ini", "[class]\npoints = 50\n");
    char path[PATH_SIZE], key[DRAW_KEY_TEXT], name[64];
    class_grade(0, LAB1 " --policy @policy.ini");
    struct gradebook book;
    assert_true(gradebook_open(&book, out) && gradebook_get(&book, "key", key, sizeof key));
    gradebook_close(&book);
    assert_int_equal(strlen(key), 64);
    struct draw_key parsed;
    assert_true(draw_key_parse(&parsed, key));
    strcpy(name, "keys/");
    draw_key_name(&parsed, name + 5);
    assert_true(path_join(path, out, name));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    static const char *const names[] = {"out/feedback/lab1/ann.txt", "out/feedback/lab1/ann.html",
                                        "out/gradescope/lab1/ann.json", "out/grades.csv", "out/class.html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        class_has_not(names[i], key);
    /* the same key for later runs, another for another gradebook */
    class_grade(0, LAB1 " --policy @policy.ini");
    assert_int_equal(class_runs(), 5);
    class_grade(0, "--dump");
    class_has("output", name + 5);
    class_has_not("output", key);
}

/* Results of one key are never scored under another. */
static void another_key_is_refused(void **state) {
    class_kernels("ann", "// one\n", "bob", "// two\n");
    class_policy("");
    class_grade(0, LAB1);
    char *before = class_read("out/grades.csv");
    class_grade(1, "--rescore --policy @policy.ini");
    class_has("output", "of another key");
    class_grade(1, LAB1 " --policy @policy.ini --only bob");
    class_grade(0, "--rescore");
    assert_string_equal(class_read("out/grades.csv"), before);
    assert_int_equal(class_runs(), 2);
    class_grade(0, LAB1 " --policy @policy.ini"); /* everything anew */
    assert_int_equal(class_runs(), 4);
    class_grade(0, LAB1 " --policy @policy.ini --only bob");
}

/* A gradebook of a kit whose seeds had 32 bits stays as it is. */
static void an_older_gradebook_is_left_alone(void **state) {
    class_write("in/ann/kernel.cu", "// one\n");
    class_grade(0, LAB1);
    struct gradebook book;
    assert_true(gradebook_open(&book, out) && gradebook_set(&book, "schema", "1"));
    gradebook_close(&book);
    char *before = class_read("out/grades.csv");
    class_grade(1, "--rescore");
    class_has("output", "a seed of 32 bits gave away; its grades stay as they are: choose another OUT");
    class_grade(1, LAB1);
    assert_string_equal(class_read("out/grades.csv"), before);
}

/* What happened with secret inputs is there for who has the gradebook, and asks for one student. */
static void the_staff_can_look(void **state) {
    class_kernels("ann", "// WRONG\n", "bob", "// right\n");
    class_grade(0, LAB1);
    class_grade(0, "--look ann");
    class_has("output", "lab1 of ann: failed, 0 of 100 points", "secret pixel 77779", ".cu\n");
    class_grade(0, "--look bob");
    class_has("output", "secret_kernel: 1 launch, grid 1x1x1, block 256x1x1");
    class_has_not("output", "ann");
    class_grade(2, "--look cid");
}

static void identical_files_run_once(void **state) {
    class_kernels("ann", "// same\n", "bob", "// same\n");
    class_write("in/cid/deep/er/kernel.cu", "// same\n");
    class_write("in/dee/kernel.cu", "// other\n");
    class_grade(0, LAB1);
    assert_int_equal(class_runs(), 2);
    class_grade(0, LAB1);
    assert_int_equal(class_runs(), 2); /* and never again */
}

static void another_policy_scores_without_running(void **state) {
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_policy("points = 100\nfile_times = yes\n");
    class_grade(0, LAB1 " --policy @policy.ini");
    char *before = class_read("out/grades.csv");
    class_policy(
        "points = 10\ndeadline = 2025-12-31 12:00 Z\nlate_percent_per_day = 50\nfile_times = yes\n"
        "starter_percent = 100\n[lab1 goal speedup]\nsim = 0 0.0001\n[lab1 goal sectors loaded for 32 pixels]\nsim = 1000000 999999\n");
    class_grade(0, "--rescore --policy @policy.ini");
    char *after = class_read("out/grades.csv");
    assert_int_equal(class_runs(), 1);
    assert_has(before, "ann,lab1,");
    assert_has(after, "ann,lab1,5,10,no,,1 day late: 50 % off.,,,judged,10,1,50,");
}

static void only_some_students(void **state) {
    class_kernels("ann", "// one\n", "bob", "// two\n");
    class_grade(0, LAB1 " --only bob");
    assert_int_equal(class_runs(), 1);
    class_has("out/grades.csv", "\nbob,lab1,");
    class_has_not("out/grades.csv", "\nann,");
}

/* A later call without the roster leaves what it told of a student. */
static void the_roster_is_remembered(void **state) {
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_write("roster.csv", "student,name,extension_hours\nann,Ann Ash,48\n");
    class_policy("deadline = 2025-12-31 00:00 Z\n");
    class_grade(0, LAB1 " --policy @policy.ini --roster @roster.csv");
    char *first = class_read("out/grades.csv");
    class_grade(0, LAB1 " --policy @policy.ini");
    char *second = class_read("out/grades.csv");
    assert_has(first, "Ann Ash");
    assert_has_not(first, "late:");
    assert_string_equal(first, second);
}

/* Who was in the class, and whose deadline was moved, is told by each lab's own roster. */
static void a_roster_is_its_labs(void **state) {
    class_policy("deadline = 2026-01-01 12:00 Z\nfile_times = yes\nlate_percent_per_day = 10\n");
    class_write("one.csv", "student,extension_hours\nann,48\nbob,\ndan,\n");
    class_write("two.csv", "student,extension_hours\nann,\nbob,24\neli,\n");
    class_write_at("in/ann/kernel.cu", "// one\n", 1767312000);
    class_write_at("in/bob/kernel.cu", "// two\n", 1767312000);
    class_grade(0, LAB1 " --policy @policy.ini --roster @one.csv");
    char *before = class_read("out/grades.csv");
    assert_has(before, "\ndan,lab1,0,");
    class_grade(0, "--lab lab2 --submissions @in --policy @policy.ini --roster @two.csv");
    class_grade(0, "--rescore");
    char *after = class_read("out/grades.csv");
    for (const char *line = strtok(before, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_has(after, line);
    assert_non_null(strstr(after, "\neli,lab2,"));
    assert_null(strstr(after, "\neli,lab1,"));
    assert_null(strstr(after, "\ndan,lab2,"));
    class_grade_says("--roster is read together with --submissions", 2, "--rescore --roster @one.csv");
    class_grade_says("--roster is read together with --submissions", 2, "--rejudge ann --roster @one.csv");
}

/* Who has a first column only later is the same student, in the labs before, too. */
static void an_id_comes_later(void **state) {
    static const char canvas[] = "Student,ID,SIS User ID,SIS Login ID,Section\n\"Mu, Max\",102,%s,mmu,A\n";
    class_write("in/mumax_102_9001_kernel.cu", "// one\n");
    class_write("one.csv", class_print(canvas, ""));
    class_write("two.csv", class_print(canvas, "S102"));
    class_grade(0, LAB1 " --roster @one.csv");
    class_has("out/grades.csv", "\nmmu,lab1,");
    class_grade(0, "--lab lab2 --submissions @in --roster @two.csv");
    class_grade(0, "--rescore");
    class_has("out/grades.csv", "\nS102,lab1,", "\nS102,lab2,");
    class_has_not("out/grades.csv", "mmu", "Nothing was handed in");
    class_grade(0, LAB1 " --roster @two.csv");
    class_has_not("out/totals.csv", "mmu");
}

/* What one of a group hands in is the others', too; without the roster's word Canvas's group name is told. */
static void a_group_hands_in_once(void **state) {
    static const char canvas[] =
        "Student,ID,SIS User ID,SIS Login ID,Section%s\n\"Doe, Jane\",101,S101,jane,A%s\n"
        "\"Mu, Max\",102,S102,max,A%s\n\"Ash, Ann\",103,S103,ann,A%s\n";
    class_files("in/team1_101_9001_kernel.cu", "// one\n", "in/annash_103_9002_kernel.cu", "// two\n");
    class_write("roster.csv", class_print(canvas, "", "", "", ""));
    class_grade_says("If team1 is a group, the others of it have nothing", 3, LAB1 " --roster @roster.csv");
    class_write("roster.csv", class_print(canvas, ",Group", ",a", ",a", ",b"));
    class_grade(0, LAB1 " --roster @roster.csv --out @again");
    class_has("again/grades.csv", "\nS101,lab1,", "\nS102,lab1,", "\nS103,lab1,");
    class_has_not("again/grades.csv", "Nothing was handed in");
    /* a folder of the group's name; two of a group with a kernel each, and a third with none */
    class_write("roster.csv", "student,group\nann,g1\nbob,g1\ncid,g2\ndee,g2\neve,g2\n");
    class_kernels("g1", "// one\n", "cid", "// two\n", "dee", "// three\n");
    class_delete("in/team1_101_9001_kernel.cu");
    class_delete("in/annash_103_9002_kernel.cu");
    class_grade_says("eve, lab1: Claimed by", 3, LAB1 " --roster @roster.csv --out @third");
    class_has("third/grades.csv", "\nann,lab1,", "\nbob,lab1,");
    class_has_not("third/grades.csv", "Nothing was handed in");
}

/* Another lab's kernel does not compile, and a person is told why. */
static void another_labs_kernel_is_named(void **state) {
    class_write("in/ann/kernel.cu", "#include \"lab2.h\"\n// BUILD\n");
    class_grade_says("It includes lab2.h: is it lab2's kernel?", 0, LAB1);
}

static void dry_run_changes_nothing(void **state) {
    class_write("in/ann/kernel.cu", "// one\n");
    class_grade(0, LAB1 " --dry-run");
    class_has("output", "ann/kernel.cu");
    assert_int_equal(class_runs(), 0);
    assert_int_not_equal(access(out, F_OK), 0);
}

static void labs_by_their_folders(void **state) {
    class_files("in/ann/lab1/kernel.cu", "// one\n", "in/ann/labs/lab2-shared-memory/kernel.cu", "// two\n",
                "in/bob/Lab 2/kernel.cu", "// three\n");
    class_grade(0, "--submissions @in");
    class_has("out/grades.csv", "\nann,lab1,", "\nann,lab2,", "\nbob,lab2,");
}

static void a_crash_is_tried_again_and_told(void **state) {
    class_write("in/ann/kernel.cu", "// SECOND\n"); /* crashes once */
    class_write("in/bob/kernel.cu", "// CRASH\n");  /* always */
    class_grade(3, LAB1);
    assert_int_equal(class_runs(), 2 + 3);
    class_has("out/grades.csv", "judged", "ended by signal 6");
}

static void results_json_is_written_where_there_is_a_grade(void **state) {
    char results[PATH_SIZE];
    assert_true(path_join(results, folder, "results.json"));
    class_write("in/src/kernel.cu", "// one\n");
    class_grade(0, LAB1 " --student me --results @results.json");
    json_auto_t *json = json_load_file(results, 0, NULL);
    assert_true(json_is_number(json_object_get(json, "score")));
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 2);
    class_has("output", "\n{\"scores\": {\"lab1\": ");
    /* the policy is no policy: the grader ends early */
    class_write("policy.ini", "points = many\n");
    class_grade(1, LAB1 " --student me --results @results.json --policy @policy.ini");
    assert_int_not_equal(access(results, F_OK), 0); /* and no other submission's is left */
    /* nor is there one where the machine has failed; a wrong kernel has its zero */
    static const struct {
        const char *kernel;
        bool graded;
        int status;
    } kernels[] = {{"// WRONG", true, 0}, {"// CRASH", false, 3}, {"// TROUBLE", false, 3}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        class_write("in/src/kernel.cu", kernels[i].kernel);
        class_grade(kernels[i].status, LAB1 " --student me --results @results.json");
        assert_int_equal(access(results, F_OK) == 0, kernels[i].graded);
    }
}

static double score_in(const char *name) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    json_auto_t *json = json_load_file(path, 0, NULL);
    assert_true(json_is_number(json_object_get(json, "score")));
    return json_number_value(json_object_get(json, "score"));
}

/* Gradescope's script, with the kit that is here: a score; and no file, with the reason and a status that says so, when the
 * grader is not there at all. */
static void gradescopes_script(void **state) {
    class_write("submission/kernel.cu", "// one\n");
    class_write("source/lab", "lab1\n");
    class_shell(0, "ln -s \"$PWD\" %s/source/kit", folder);
    static const char script[] = "AUTOGRADER=%s %s %s grader/gradescope/run_autograder";
    class_shell(0, script, folder, class_grader(), "");
    assert_true(score_in("results/results.json") > 0);
    assert_has(class_shell(-1, script, folder, class_grader(), "BUILD=/nowhere"), "not the student's fault");
    assert_false(class_is_there("results/results.json"));
}

/* KiB of memory that grading so many students took at most. */
static long memory_of(unsigned students) {
    struct rusage usage;
    int status;
    class_tear_down(NULL);
    assert_int_equal(class_set_up(NULL), 0);
    for (unsigned i = 0; i < students; i++)
        class_write(class_print("in/student%05u/kernel.cu", i), class_print("// %u\n", i));
    pid_t process = class_start(LAB1 " --quiet");
    assert_int_equal(wait4(process, &status, 0, &usage), process);
    assert_int_equal(status, 0);
    return usage.ru_maxrss;
}

static void memory_is_flat(void **state) {
    if (getenv("SANITIZED") != NULL) {
        puts("skipped: a sanitizer keeps what is freed");
        skip();
    }
    long few = memory_of(50), many = memory_of(1000);
    printf("largest resident set: %ld KiB with 50 students, %ld KiB with 1000\n", few, many);
    assert_true(many < few + 6 * 1024);
}

/* A path that is not there is told before anything is built. */
static void make_looks_first(void **state) {
    static const char make[] = "make -j1 grade LAB=lab1 SANITIZE= BUILD=%s/build SUBMISSIONS=%s";
    unsetenv("MAKEFLAGS"); /* -k of the make that runs the tests would go on after the refusal */
    assert_has(class_shell(-1, make, folder, "\"/no where/it's\""),
               "SUBMISSIONS=/no where/it's: there is no such file or folder");
    assert_has(class_shell(-1, make, folder, ". POLICY=nothing.ini"),
               "POLICY=nothing.ini: there is no such file or folder");
    assert_false(class_is_there("build/bin/grade"));
}

/* Both streams in one file, whole lines of each. */
static void lines_stay_whole(void **state) {
    for (int i = 0; i < 300; i++)
        class_write_at(class_print("in/student%03d/kernel.cu", i), "// one", 1000);
    class_grade_says("300 handed in", 0, "--dry-run --lab lab1 --submissions @in");
    char *said = class_read("output");
    unsigned lines = 0;
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++)
        if (lines < 300)
            assert_true(strncmp(line, "student", 7) == 0 && strstr(line, "/kernel.cu") != NULL);
    assert_int_equal(lines, 302);
}

static void help_fits_a_terminal(void **state) {
    class_grade_says("3 some could not be judged", 0, "--help");
    char *text = class_read("output");
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("%.120s", line);
}

TESTS(CLASS_TEST(exports_are_the_golden_files), CLASS_TEST(nothing_secret_is_shown),
      CLASS_TEST(the_staff_can_look), CLASS_TEST(the_key_is_kept), CLASS_TEST(another_key_is_refused),
      CLASS_TEST(an_older_gradebook_is_left_alone), CLASS_TEST(identical_files_run_once),
      CLASS_TEST(another_policy_scores_without_running), CLASS_TEST(make_looks_first),
      CLASS_TEST(help_fits_a_terminal), CLASS_TEST(lines_stay_whole), CLASS_TEST(only_some_students),
      CLASS_TEST(the_roster_is_remembered), CLASS_TEST(a_roster_is_its_labs), CLASS_TEST(an_id_comes_later),
      CLASS_TEST(a_group_hands_in_once), CLASS_TEST(another_labs_kernel_is_named),
      CLASS_TEST(dry_run_changes_nothing), CLASS_TEST(labs_by_their_folders),
      CLASS_TEST(a_crash_is_tried_again_and_told), CLASS_TEST(results_json_is_written_where_there_is_a_grade),
      CLASS_TEST(gradescopes_script), CLASS_TEST(memory_is_flat))

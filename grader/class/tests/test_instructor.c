/* The instructor's word on single grades, what is kept of a class, and names and policies that are not what they should be. */
#include "support_class.h"

#include "base/memory.h"
#include "class/gradebook.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char overrides[PATH_SIZE], regrades[PATH_SIZE];

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    assert_true(path_join(overrides, folder, "overrides.csv") && path_join(regrades, folder, "regrades.csv"));
    class_write(folder, "in/ann/kernel.cu", "// one\n", 1767225600);
    class_write(folder, "in/bob/kernel.cu", "// FLAG\n", 1767225600);
    class_write(folder, "in/cid/kernel.cu", "// three\n", 1767225600 + 2 * 86400);
    class_write(folder, "in/dee/kernel.cu", "// WRONG\n", 1767225600);
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npass = 60\nfile_times = yes\ndeadline = 2026-01-02 00:00 Z\n",
                0);
    return setenv("FAKE_GRADE_JOB_TRACE", trace, 1);
}

static int tear_down(void **state) {
    class_remove(folder);
    return unsetenv("FAKE_GRADE_JOB_TRACE");
}

static void assert_in(const char *name, const char *words) {
    char *text = class_read(folder, name);
    assert_has(text, words);
    free(text);
}

static void assert_not_in(const char *name, const char *words) {
    char *text = class_read(folder, name);
    assert_has_not(text, words);
    free(text);
}

/* Shown in each export and in feedback as what it is; kept by later calls, and by a rescore. */
static void overrides_are_shown_and_kept(void **state) {
    class_write(folder, "overrides.csv",
                "\xef\xbb\xbfstudent,lab,points,excused,waived,remark\r\n"
                "ann,lab1,80.5,,,\"by hand, after a talk\"\r\n"
                "bob,lab1,,,host-answer,It is allowed here\r\n"
                "cid,lab1,,yes,,Ill\r\n\r\n",
                0);
    const char *with[] = {"--lab",       "lab1",    "--submissions", in,  "--policy", policy,
                          "--overrides", overrides, "--out",         out, NULL};
    const char *without[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    const char *rescore[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    const char *rescore_with[] = {"--rescore", "--overrides", overrides, "--out", out, NULL};
    const char *replace[] = {"--rescore", "--overrides", overrides, "--out", out, "--replace", NULL};
    const char *const *const calls[] = {with, without, rescore};
    for (int i = 0; i < 3; i++) {
        class_grade_says(folder, calls[i], 0, "");
        assert_in("out/grades.csv",
                  "ann,lab1,80.5,100,yes,,\"Your instructor has set this to 80.5 of 100 points; it was ");
        assert_in("out/grades.csv",
                  "bob,lab1,0,100,no,host-answer,"); /* the flag is waived; it is wrong all the same */
        assert_in("out/grades.csv", "Your instructor has waived: host-answer. It is allowed here.");
        assert_in("out/grades.csv", "cid,lab1,,100,excused,,Your instructor has excused you from this lab");
        assert_in("out/totals.csv", "\ncid,,,,0,excused\r\n");
        assert_in("out/feedback/lab1/ann.txt", "Score 80.5 of 100  (passed)");
        assert_in("out/feedback/lab1/ann.txt", "by hand, after");
        assert_in("out/feedback/lab1/ann.html", "Your instructor has set this to 80.5 of 100 points");
        assert_in("out/feedback/lab1/bob.txt", "It is allowed here.");
        assert_in("out/feedback/lab1/cid.txt", "Excused");
        assert_not_in("out/feedback/lab1/cid.txt", "Score");
        assert_in("out/feedback/lab1/cid.html", "Excused");
        assert_in("out/gradescope/lab1/ann.json", "\"score\": 80.5");
        assert_in("out/gradescope/lab1/ann.json", "Your instructor has set this");
        assert_in("out/autolab/lab1/ann.txt", "{\"scores\": {\"lab1\": 80.5}}");
        assert_in("out/junit.xml", "<skipped message=\"Your instructor has excused you");
        assert_in("out/junit.xml", "80.5 of 100 points");
        assert_not_in("out/grades.csv", "Flag host-answer");
    }
    assert_int_equal(class_runs(), 4);
    /* another file replaces them, and not without a word */
    static const char *const others[] = {"student,lab,waived\ncid,lab1,late\n", "student,lab\n"},
                             *const lost[] = {"no longer decided by hand: ann lab1 80.5 -> ",
                                              "bob lab1 0 -> 0, cid lab1 excused -> "};
    char *before = class_read(folder, "out/grades.csv");
    for (int i = 0; i < 4; i++) {
        class_write(folder, "overrides.csv", others[i % 2], 0);
        class_grade_says(folder, i / 2 == 0 ? with : rescore_with, 1, lost[i % 2]);
        class_grade_says(folder, i / 2 == 0 ? with : rescore_with, 1,
                         "REPLACE=1 takes it back; nothing was changed");
    }
    class_grade_says(folder, rescore, 0, "");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
    class_write(folder, "overrides.csv", others[0], 0);
    class_grade_says(folder, replace, 0, "no longer decided by hand: ann lab1 80.5 -> ");
    assert_not_in("out/grades.csv", "80.5");
    assert_not_in("out/grades.csv", "late:");
    assert_in("out/grades.csv", "Your instructor has waived: late.");
}

/* With the line that is wrong, and nothing changed. */
static void overrides_with_typos_are_refused(void **state) {
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "overrides.csv is empty"},
        {"student,lab,poits\n", "overrides.csv:1: no column is called 'poits'"},
        {"student,points\n", "overrides.csv:1: the column lab is missing"},
        {"student,lab,lab\n", "overrides.csv:1: the column lab is here twice"},
        {"student,lab,points\nann,lab1,5\nanne,lab1,5\n", "overrides.csv:3: nobody called 'anne'"},
        {"student,lab,points\n\n# note\nann,lab99,5\n", "overrides.csv:4: there is no lab 'lab99'"},
        {"student,lab,points\nann,lab1,5\nann,lab9,5\n", "overrides.csv:3: nobody has a grade in lab9"},
        {"student,lab,points\nann,lab1,500\n", "overrides.csv:2: 500 points are outside 0 to 100"},
        {"student,lab,points\nann,lab1,-1\n", "outside 0 to 100"},
        {"student,lab,points\nann,lab1,\"7,5\"\n", "'7,5' is not a number of points"},
        {"student,lab,points\nann,lab1,many\n", "'many' is not a number"},
        {"student,lab,points\nann,lab1,\n", "one of points, excused and waived is to be given"},
        {"student,lab,points,excused\nann,lab1,5,yes\n", "one of points, excused and waived"},
        {"student,lab,excused\nann,lab1,maybe\n", "excused is yes or no, and not 'maybe'"},
        {"student,lab,waived\nann,lab1,cheating\n", "'cheating' is neither a flag nor all nor late"},
        {"student,lab,points\nann,lab1,5\n\"a\nb\",lab1,5\n", "overrides.csv:3: nobody"},
        {"student,lab,points\nann,lab1,5\nann,lab1,6\n", "overrides.csv:3: lab1 of ann is here twice"}};
    const char *plain[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    const char *with[] = {"--lab",       "lab1",    "--submissions", in,  "--policy", policy,
                          "--overrides", overrides, "--out",         out, NULL};
    const char *rescore[] = {"--rescore", "--overrides", overrides, "--out", out, NULL};
    class_grade_says(folder, plain, 0, "");
    char *before = class_read(folder, "out/grades.csv");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        class_write(folder, "overrides.csv", wrong[i].text, 0);
        class_grade_says(folder, i % 2 == 0 ? with : rescore, 1, wrong[i].words);
    }
    class_grade_says(folder, rescore, 1, "");
    class_grade_says(folder, plain, 0, "");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void regrades_have_answers(void **state) {
    class_write(
        folder, "regrades.csv",
        "student,lab,question,answer,state\nann,lab1,Why only this?,Because <b>of</b> sectors.,declined\n"
        "dee,lab1,Is the border wrong?,,open\n",
        0);
    const char *with[] = {"--lab",      "lab1",   "--submissions", in,  "--policy", policy,
                          "--regrades", regrades, "--out",         out, NULL};
    const char *rescore[] = {"--rescore", "--out", out, NULL};
    class_grade_says(folder, with, 0, "dee: Asks for a regrade: no answer yet.");
    class_grade_says(folder, rescore, 0, "dee: Asks for a regrade: no answer yet.");
    assert_in("out/feedback/lab1/ann.txt", "Answered (declined): Because");
    assert_in("out/feedback/lab1/ann.html", "Because &lt;b&gt;of&lt;/b&gt; sectors.");
    assert_in("out/feedback/lab1/dee.txt", "It waits for an answer.");
    assert_in("out/grades.csv", "Asked: Why only this? Answered (declined): Because <b>of</b> sectors.");
    static const struct {
        const char *text, *words;
    } wrong[] = {{"student,lab,question,answer,state\nann,lab1,Why?,,done\n",
                  "regrades.csv:2: a state is open, accepted or declined, and not 'done'"},
                 {"student,lab,question,answer,state\nann,lab1,Why?,,accepted\n",
                  "regrades.csv:2: accepted, and no answer"},
                 {"student,lab,question\nann,lab1,\n", "regrades.csv:2: no question"},
                 {"student,lab,question\nnan,lab1,Why?\n", "regrades.csv:2: nobody called 'nan'"},
                 {"student,lab,question\nann,lab2,Why?\n", "regrades.csv:2: nobody has a grade in lab2"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        class_write(folder, "regrades.csv", wrong[i].text, 0);
        class_grade_says(folder, with, 1, wrong[i].words);
    }
    class_write(folder, "regrades.csv", "student,lab,question\ndee,lab1,Is the border wrong?\n", 0);
    class_grade_says(folder, with, 1, "no longer asked: ann lab1 'Why only this?'");
    assert_in("out/feedback/lab1/ann.txt", "Answered (declined): Because");
}

static double points_of(const char *student) {
    char *grades = class_read(folder, "out/grades.csv"), row[64];
    snprintf(row, sizeof row, "\n%s,lab1,", student);
    const char *at = strstr(grades, row);
    assert_non_null(at);
    double points = strtod(at + strlen(row), NULL);
    free(grades);
    return points;
}

/* Every kernel of a student's is kept; the last counts, or the best. */
static void the_best_may_count(void **state) {
    static const char *const kernels[] = {"// one\n", "// a\n", "// b\n", "// WRONG again\n"};
    const char *last[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    double most = 0, points[4];
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\n", 0);
    for (int i = 0; i < 4; i++) {
        class_write(folder, "in/ann/kernel.cu", kernels[i], 0);
        class_grade_says(folder, last, 0, "");
        class_grade_says(folder, last, 0, ""); /* the same again is no other submission */
        points[i] = points_of("ann");
        most = points[i] > most ? points[i] : most;
    }
    assert_true(points[3] == 0 && most > 0);
    struct gradebook book;
    assert_true(gradebook_open(&book, out));
    sqlite3_stmt *row = gradebook_prepare(&book, "SELECT count(*) FROM history WHERE student = 'ann'", "");
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(row, 0), 4);
    sqlite3_finalize(row);
    gradebook_close(&book);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\ncounts = best\n", 0);
    class_grade_says(folder, last, 0, "");
    assert_true(points_of("ann") == most);
    assert_in("out/grades.csv", "the best counts, and not the last");
    assert_int_equal(class_runs(), 4 + 3); /* ann's four, and the others' */
}

/* A budget of days, spent in the order of the deadlines, whatever lab is graded when. */
static void free_late_days_are_a_budget(void **state) {
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\nfile_times = yes\nfree_late_days = 3\n"
                "[lab1]\ndeadline = 2026-01-01 00:00 Z\n[lab2]\ndeadline = 2026-01-11 00:00 Z\n",
                0);
    class_write(folder, "all/ann/lab1/kernel.cu", "// one\n", 1767225600 + 2 * 86400);  /* two days late */
    class_write(folder, "all/ann/lab2/kernel.cu", "// two\n", 1767225600 + 12 * 86400); /* and two more */
    assert_true(path_join(in, folder, "all"));
    const char *second[] = {"--lab", "lab2", "--submissions", in, "--policy", policy, "--out", out, NULL};
    const char *first[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, second, 0, "");
    assert_in("out/grades.csv", "2 days late (2 of your free late days): 0 % off.");
    class_grade_says(folder, first, 0, "");
    assert_in("out/grades.csv", "ann,lab1,");
    assert_in("out/feedback/lab1/ann.txt", "2 days late (2 of your free late days): 0 % off.");
    assert_in("out/feedback/lab2/ann.txt", "2 days late (1 of your free late days): 10 % off.");
}

/* Whose limit a busy machine may have passed is judged once more, alone; and so is whom a human names. */
static void timeouts_are_judged_once_more(void **state) {
    class_write(folder, "in/eve/kernel.cu", "// BUSY SLOW\n", 0);
    class_write(folder, "in/fay/kernel.cu", "// TIMEOUT\n", 0);
    for (int i = 0; i < 8; i++) {
        char name[64], text[64];
        snprintf(name, sizeof name, "in/more%d/kernel.cu", i);
        snprintf(text, sizeof text, "// SLOW %d\n", i);
        class_write(folder, name, text, 0);
    }
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\nrun_seconds = 30\n", 0);
    const char *arguments[] = {"--lab",  "lab1", "--submissions", in,  "--policy", policy,
                               "--jobs", "4",    "--out",         out, NULL};
    class_grade_says(folder, arguments, 0, "");
    assert_true(points_of("eve") > 0);
    assert_true(points_of("fay") == 0);
    assert_in("out/grades.csv", "Flag timeout: it did not end in time.");
    assert_int_equal(class_runs(), 4 + 8 + 2 + 2);
    class_grade_says(folder, arguments, 0, "");
    assert_int_equal(class_runs(), 16);
    const char *names[] = {"--rejudge", "ann,fay", "--out", out, NULL};
    class_grade_says(folder, names, 0, "2 to be judged once more, alone");
    assert_int_equal(class_runs(), 18);
    const char *timeouts[] = {"--rejudge", "timeouts", "--out", out, NULL};
    class_grade_says(folder, timeouts, 0, "1 to be judged once more, alone");
    assert_int_equal(class_runs(), 19);
    const char *nobody[] = {"--rejudge", "anne", "--out", out, NULL};
    class_grade_says(folder, nobody, 1, "nobody is called 'anne': is it ann?");
    /* make builds no kernel for them either */
    const char *devices[] = {"--list-devices", "--rejudge", "anne", "--out", out, NULL};
    class_grade_says(folder, devices, 1, "nobody is called 'anne': is it ann?");
    devices[2] = "timeouts";
    class_grade_says(folder, devices, 0, "sim h200");
    /* with more time those who had too little are judged again, and nobody else but who was wrong */
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\nrun_seconds = 60\n", 0);
    class_grade_says(folder, arguments, 0, "");
    assert_int_equal(class_runs(), 19 + 2 + 2); /* bob, dee; fay twice */
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\nrun_seconds = 10\n", 0);
    class_grade_says(folder, arguments, 0, "");  /* with less nobody is believed */
    assert_int_equal(class_runs(), 23 + 14 + 2); /* eve and fay twice */
}

/* So is whose end other jobs may have had to do with: the machine was too busy, or short of memory. */
static void the_machines_fault_is_tried_again_alone(void **state) {
    class_write(folder, "in/eve/kernel.cu", "// STARVED SLOW\n", 0);
    class_write(folder, "in/fay/kernel.cu", "// LARGE SLOW\n", 0);
    for (int i = 0; i < 8; i++) {
        char name[64], text[64];
        snprintf(name, sizeof name, "in/more%d/kernel.cu", i);
        snprintf(text, sizeof text, "// SLOW %d\n", i);
        class_write(folder, name, text, 0);
    }
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--jobs", "4", "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "");
    assert_true(points_of("eve") > 0);
    assert_true(points_of("fay") > 0);
    assert_int_equal(class_runs(), 4 + 8 + 2 + 2);
}

/* As many jobs at a time as there is memory for, and the instructor is told. */
static void jobs_have_room(void **state) {
    char text[64], words[64];
    unsigned long long mib = memory_available() >> 20;
    const char *arguments[] = {"--lab",  "lab1", "--submissions", in,  "--policy", policy,
                               "--jobs", "4",    "--out",         out, NULL};
    snprintf(text, sizeof text, "[class]\nmemory_mib = %llu\n", mib * 2 / 5);
    class_write(folder, "policy.ini", text, 0);
    snprintf(words, sizeof words, "and each may use %llu\n(memory_mib in the policy)", mib * 2 / 5);
    class_grade_says(folder, arguments, 0, "2 at a time: ");
    assert_in("output", words);
    class_write(folder, "policy.ini", "[class]\nmemory_mib = 1000000\n", 0);
    class_grade_says(folder, arguments, 0, "1 at a time: ");
    class_write(folder, "policy.ini", "[class]\nmemory_mib = 64\n", 0);
    class_grade_says(folder, arguments, 0, "");
    char *output = class_read(folder, "output");
    assert_has_not(output, "at a time");
    free(output);
}

/* Who leaves the policy out means the one that was given last. */
static void the_policy_is_kept(void **state) {
    const char *with[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    const char *without[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    const char *rescore[] = {"--rescore", "--out", out, NULL};
    class_grade_says(folder, with, 0, "");
    char *first = class_read(folder, "out/grades.csv");
    class_grade_says(folder, without, 0, "The policy is the one that was given last");
    char *second = class_read(folder, "out/grades.csv");
    class_grade_says(folder, rescore, 0, "The policy is the one that was given last");
    char *third = class_read(folder, "out/grades.csv");
    assert_string_equal(first, second);
    assert_string_equal(first, third);
    assert_has(first, "late:");
    free(first);
    free(second);
    free(third);
}

static void names_that_are_nobodys(void **state) {
    class_write(folder, "roster.csv", "student,email\nann,a.ash@example.edu\nbob,\ncid,\ndee,\nfay,\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in,    "--roster", roster,
                               "--out", out,    "--only",        "ann", NULL};
    class_grade_says(folder, arguments, 0, "");
    assert_int_equal(class_runs(), 1);
    arguments[9] = "bbo";
    class_grade_says(folder, arguments, 1, "nobody is called 'bbo': is it bob?");
    arguments[9] = "cid,nobody-at-all";
    class_grade_says(folder, arguments, 1, "nobody is called 'nobody-at-all'");
    arguments[9] = "fay";
    class_grade_says(folder, arguments, 1, "fay has handed in nothing in this download");
    assert_int_equal(class_runs(), 1);
    arguments[9] = "A.Ash@example.edu, Bob";
    class_grade_says(folder, arguments, 0, "");
    assert_int_equal(class_runs(), 2);
}

/* Grades are never made nothing with status 0. */
static void what_would_take_grades_away(void **state) {
    char gradebook[PATH_SIZE];
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out,
                               NULL,    NULL};
    class_grade_says(folder, arguments, 0, "");
    char *before = class_read(folder, "out/grades.csv");
    /* a policy of another GPU has no results */
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\ngpu = t4\n", 0);
    const char *rescore[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, rescore, 1, "4 who have a grade have no result under this policy");
    /* kernels that are gone from their students' parts */
    class_write(folder, "in/ann/kernel.txt", "of another name", 0);
    class_delete(folder, "in/ann/kernel.cu");
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npass = 60\nfile_times = yes\ndeadline = 2026-01-02 00:00 Z\n",
                0);
    class_grade_says(folder, arguments, 1, "1 who had handed in a kernel have none in this download (ann)");
    /* an empty folder */
    class_write(folder, "empty/.DS_Store", "", 0);
    assert_true(path_join(in, folder, "empty"));
    class_grade_says(folder, arguments, 1, "4 who had handed in are not in this download");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(after);
    /* and at first */
    assert_true(path_join(out, folder, "other"));
    class_grade_says(folder, arguments, 1, "nobody has handed in anything in");
    arguments[8] = "--replace";
    class_grade_says(folder, arguments, 0, "");
    /* a gradebook that is empty, or damaged, beside grades */
    assert_true(path_join(in, folder, "in") && path_join(out, folder, "out") &&
                path_join(gradebook, out, "gradebook.sqlite"));
    class_write(folder, "in/ann/kernel.cu", "// one\n", 1767225600);
    arguments[8] = NULL;
    struct stat whole;
    assert_int_equal(stat(gradebook, &whole), 0);
    for (int part = 1; part < 4; part++) {
        assert_int_equal(truncate(gradebook, whole.st_size / 4 * (4 - part)), 0);
        class_grade_says(folder, arguments, 1, "gradebook.sqlite is damaged");
        class_grade_says(folder, arguments, 1, "put a copy of it back, or move the whole folder away");
    }
    assert_int_equal(truncate(gradebook, 0), 0);
    class_delete(out, "gradebook.sqlite-wal");
    class_grade_says(folder, arguments, 1, "is gone or empty, and grades.csv is beside it");
    class_delete(out, "gradebook.sqlite");
    class_grade_says(folder, rescore, 1, "is gone or empty, and grades.csv is beside it");
    after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* A result that is no longer what was written is believed by nobody. */
static void a_changed_result_is_found(void **state) {
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "");
    char *before = class_read(folder, "out/grades.csv");
    struct gradebook book;
    assert_true(
        gradebook_open(&book, out) &&
        gradebook_run(&book, "UPDATE results SET result = replace(result, '\"value\":', '\"valve\":')"));
    gradebook_close(&book);
    class_grade_says(folder, arguments, 1, "is not what was written: put a copy of it back");
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* What is so of everybody is more likely a mistake than a class. */
static void a_whole_class_is_looked_at(void **state) {
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\nfile_times = yes\ndeadline = 2025-01-02 00:00 Z\n", 0);
    class_grade_says(folder, arguments, 3,
                     "lab1  all 4 who handed in are late: is the deadline the right one?");
    class_write(folder, "bad/ann/kernel.cu", "// WRONG 1\n", 0);
    class_write(folder, "bad/bob/kernel.cu", "// WRONG 2\n", 0);
    class_write(folder, "bad/cid/kernel.cu", "// WRONG 3\n", 0);
    assert_true(path_join(in, folder, "bad") && path_join(out, folder, "out2"));
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\n", 0);
    class_grade_says(folder, arguments, 3, "lab1  none of 3 kernels is right: is it the right lab?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(overrides_are_shown_and_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overrides_with_typos_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(regrades_have_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_best_may_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(free_late_days_are_a_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(timeouts_are_judged_once_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_machines_fault_is_tried_again_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jobs_have_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_policy_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_that_are_nobodys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_would_take_grades_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_result_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_whole_class_is_looked_at, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

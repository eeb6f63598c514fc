/* The instructor's word on single grades, what is kept of a class, and names and policies that are not what they should be. */
#include "support_class.h"

#include "base/memory.h"
#include "class/gradebook.h"

#include <sys/stat.h>

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_write_at("in/bob/kernel.cu", "// FLAG\n", 1767225600);
    class_write_at("in/cid/kernel.cu", "// three\n", 1767225600 + 2 * 86400);
    class_write_at("in/dee/kernel.cu", "// WRONG\n", 1767225600);
    class_policy("pass = 60\nfile_times = yes\ndeadline = 2026-01-02 00:00 Z\n");
    return 0;
}

/* Shown in each export and in feedback as what it is; kept by later calls, and by a rescore. */
static void overrides_are_shown_and_kept(void **state) {
    class_write("overrides.csv", "\xef\xbb\xbfstudent,lab,points,excused,waived,remark\r\n"
                                 "ann,lab1,80.5,,,\"by hand, after a talk\"\r\n"
                                 "bob,lab1,,,host-answer,It is allowed here\r\n"
                                 "cid,lab1,,yes,,Ill\r\n\r\n");
    static const char with[] = LAB1 " --policy @policy.ini --overrides @overrides.csv",
                      rescore_with[] = "--rescore --overrides @overrides.csv",
                      rescore[] = "--rescore --policy @policy.ini",
                      *const calls[] = {with, LAB1 " --policy @policy.ini", rescore};
    for (int i = 0; i < 3; i++) {
        class_grade(0, "%s", calls[i]);
        class_has("out/grades.csv",
                  "ann,lab1,80.5,100,yes,,\"Your instructor has set this to 80.5 of 100 points; it was ");
        class_has("out/grades.csv",
                  "bob,lab1,0,100,no,host-answer,"); /* the flag is waived; it is wrong all the same */
        class_has("out/grades.csv", "Your instructor has waived: host-answer. It is allowed here.",
                  "cid,lab1,,100,excused,,Your instructor has excused you from this lab");
        class_has("out/totals.csv", "\ncid,,,,0,excused\r\n");
        class_has("out/feedback/lab1/ann.txt", "Score 80.5 of 100  (passed)", "by hand, after");
        class_has("out/feedback/lab1/ann.html", "Your instructor has set this to 80.5 of 100 points");
        class_has("out/feedback/lab1/bob.txt", "It is allowed here.");
        class_has("out/feedback/lab1/cid.txt", "Excused");
        class_has_not("out/feedback/lab1/cid.txt", "Score");
        class_has("out/feedback/lab1/cid.html", "Excused");
        class_has("out/gradescope/lab1/ann.json", "\"score\": 80.5", "Your instructor has set this");
        class_has("out/autolab/lab1/ann.txt", "{\"scores\": {\"lab1\": 80.5}}");
        class_has("out/junit.xml", "<skipped message=\"Your instructor has excused you",
                  "80.5 of 100 points");
        class_has_not("out/grades.csv", "Flag host-answer");
    }
    assert_int_equal(class_runs(), 4);
    /* another file replaces them, and not without a word */
    static const char *const others[] = {"student,lab,waived\ncid,lab1,late\n", "student,lab\n"},
                             *const lost[] = {"no longer decided by hand: ann lab1 80.5 -> ",
                                              "bob lab1 0 -> 0, cid lab1 excused -> "};
    char *before = class_read("out/grades.csv");
    for (int i = 0; i < 4; i++) {
        class_write("overrides.csv", others[i % 2]);
        class_grade_says(lost[i % 2], 1, "%s", i / 2 == 0 ? with : rescore_with);
        class_grade_says("REPLACE=1 takes it back; nothing was changed", 1, "%s",
                         i / 2 == 0 ? with : rescore_with);
    }
    class_grade(0, rescore);
    assert_string_equal(class_read("out/grades.csv"), before);
    class_write("overrides.csv", others[0]);
    class_grade_says("no longer decided by hand: ann lab1 80.5 -> ", 0,
                     "--rescore --overrides @overrides.csv --out @out --replace");
    class_has_not("out/grades.csv", "80.5", "late:");
    class_has("out/grades.csv", "Your instructor has waived: late.");
}

/* Points by hand are of the lab's points when they were given. */
static void points_by_hand_are_of_a_maximum(void **state) {
    class_write("overrides.csv", "student,lab,points,waived\nann,lab1,35,\nbob,lab1,,host-answer\n");
    class_grade(0, LAB1 " --policy @policy.ini --overrides @overrides.csv");
    class_has("out/grades.csv", "nothing was measured: REJUDGE, or points by hand."); /* bob is wrong, too */
    class_policy("points = 50\n");
    class_grade_says("ann has 35 points by hand in lab1, of 100, and there are 50 now", 1,
                     "--rescore --policy @policy.ini");
    class_grade_says("lab1: 4 grades changed: ann 35 of 100 -> 35 of 50, ", 0,
                     "--rescore --policy @policy.ini --overrides @overrides.csv");
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
    static const char with[] = LAB1 " --policy @policy.ini --overrides @overrides.csv",
                      rescore[] = "--rescore --overrides @overrides.csv";
    class_grade(0, LAB1 " --policy @policy.ini");
    char *before = class_read("out/grades.csv");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        class_write("overrides.csv", wrong[i].text);
        class_grade_says(wrong[i].words, 1, "%s", i % 2 == 0 ? with : rescore);
    }
    class_grade(1, rescore);
    class_grade(0, LAB1 " --policy @policy.ini");
    assert_string_equal(class_read("out/grades.csv"), before);
}

static void regrades_have_answers(void **state) {
    class_write(
        "regrades.csv",
        "student,lab,question,answer,state\nann,lab1,Why only this?,Because <b>of</b> sectors.,declined\n"
        "dee,lab1,Is the border wrong?,,open\n");
    class_grade_says("dee: Asks for a regrade: no answer yet.", 0,
                     LAB1 " --policy @policy.ini --regrades @regrades.csv");
    class_grade_says("dee: Asks for a regrade: no answer yet.", 0, "--rescore");
    class_has("out/feedback/lab1/ann.txt", "Answered (declined): Because");
    class_has("out/feedback/lab1/ann.html", "Because &lt;b&gt;of&lt;/b&gt; sectors.");
    class_has("out/feedback/lab1/dee.txt", "It waits for an answer.");
    class_has("out/grades.csv", "Asked: Why only this? Answered (declined): Because <b>of</b> sectors.");
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
        class_write("regrades.csv", wrong[i].text);
        class_grade_says(wrong[i].words, 1, LAB1 " --policy @policy.ini --regrades @regrades.csv");
    }
    class_write("regrades.csv", "student,lab,question\ndee,lab1,Is the border wrong?\n");
    class_grade_says("no longer asked: ann lab1 'Why only this?'", 1,
                     LAB1 " --policy @policy.ini --regrades @regrades.csv");
    class_has("out/feedback/lab1/ann.txt", "Answered (declined): Because");
}

static double points_of(const char *student) {
    char *grades = class_read("out/grades.csv"), row[64];
    snprintf(row, sizeof row, "\n%s,lab1,", student);
    const char *at = strstr(grades, row);
    assert_non_null(at);
    return strtod(at + strlen(row), NULL);
}

/* Every kernel of a student's is kept; the last counts, or the best. */
static void the_best_may_count(void **state) {
    static const char *const kernels[] = {"// one\n", "// a\n", "// b\n", "// WRONG again\n"};
    double most = 0, points[4];
    class_policy("");
    for (int i = 0; i < 4; i++) {
        class_write("in/ann/kernel.cu", kernels[i]);
        class_grade(0, LAB1 " --policy @policy.ini");
        class_grade(0, LAB1 " --policy @policy.ini"); /* the same again is no other submission */
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
    class_policy("counts = best\n");
    class_grade(0, LAB1 " --policy @policy.ini");
    assert_true(points_of("ann") == most);
    class_has("out/grades.csv", "the best counts, and not the last");
    assert_int_equal(class_runs(), 4 + 3); /* ann's four, and the others' */
}

/* A budget of days, spent in the order of the deadlines, whatever lab is graded when. */
static void free_late_days_are_a_budget(void **state) {
    class_policy("file_times = yes\nfree_late_days = 3\n"
                 "[lab1]\ndeadline = 2026-01-01 00:00 Z\n[lab2]\ndeadline = 2026-01-11 00:00 Z\n");
    class_write_at("all/ann/lab1/kernel.cu", "// one\n", 1767225600 + 2 * 86400);  /* two days late */
    class_write_at("all/ann/lab2/kernel.cu", "// two\n", 1767225600 + 12 * 86400); /* and two more */
    class_grade(0, "--lab lab2 --submissions @all --policy @policy.ini");
    class_has("out/grades.csv", "2 days late (2 of your free late days): 0 % off.");
    class_grade(0, "--lab lab1 --submissions @all --policy @policy.ini");
    class_has("out/grades.csv", "ann,lab1,");
    class_has("out/feedback/lab1/ann.txt", "2 days late (2 of your free late days): 0 % off.");
    class_has("out/feedback/lab2/ann.txt", "2 days late (1 of your free late days): 10 % off.");
    /* what counts for nothing uses none of them */
    class_write("overrides.csv", "student,lab,excused\nann,lab1,yes\n");
    class_grade_says("lab1: 1 grade changed: ann ", 0, "--rescore --overrides @overrides.csv");
    class_has("output", " -> excused\nlab2: 1 grade changed: ann ");
    class_has("out/feedback/lab2/ann.txt", "2 days late (2 of your free late days): 0 % off.");
}

/* Whose limit a busy machine may have passed is judged once more, alone; and so is whom a human names. */
static void timeouts_are_judged_once_more(void **state) {
    class_kernels("eve", "// BUSY SLOW\n", "fay", "// TIMEOUT\n");
    for (int i = 0; i < 8; i++)
        class_write(class_print("in/more%d/kernel.cu", i), class_print("// SLOW %d\n", i));
    class_policy("run_seconds = 30\n");
    class_grade(0, LAB1 " --policy @policy.ini --jobs 4");
    assert_true(points_of("eve") > 0);
    assert_true(points_of("fay") == 0);
    class_has("out/grades.csv", "Flag timeout: it did not end in time.");
    assert_int_equal(class_runs(), 4 + 8 + 2 + 2);
    class_grade(0, LAB1 " --policy @policy.ini --jobs 4");
    assert_int_equal(class_runs(), 16);
    class_grade_says("2 to be judged once more, alone", 0, "--rejudge ann,fay");
    assert_int_equal(class_runs(), 18);
    class_grade_says("1 to be judged once more, alone", 0, "--rejudge timeouts");
    assert_int_equal(class_runs(), 19);
    class_grade_says("nobody is called 'anne': is it ann?", 1, "--rejudge anne");
    /* make builds no kernel for them either */
    class_grade_says("nobody is called 'anne': is it ann?", 1, "--list-devices --rejudge anne");
    class_grade_says("sim h200", 0, "--list-devices --rejudge timeouts");
    /* with more time those who had too little are judged again, and nobody else but who was wrong */
    class_policy("run_seconds = 60\n");
    class_grade(0, LAB1 " --policy @policy.ini --jobs 4");
    assert_int_equal(class_runs(), 19 + 2 + 2); /* bob, dee; fay twice */
    class_policy("run_seconds = 10\n");
    class_grade(0, LAB1 " --policy @policy.ini --jobs 4"); /* with less nobody is believed */
    assert_int_equal(class_runs(), 23 + 14 + 2);           /* eve and fay twice */
}

/* So is whose end other jobs may have had to do with: the machine was too busy, or short of memory. */
static void the_machines_fault_is_tried_again_alone(void **state) {
    class_kernels("eve", "// STARVED SLOW\n", "fay", "// LARGE SLOW\n");
    for (int i = 0; i < 8; i++)
        class_write(class_print("in/more%d/kernel.cu", i), class_print("// SLOW %d\n", i));
    class_grade(0, LAB1 " --jobs 4");
    assert_true(points_of("eve") > 0);
    assert_true(points_of("fay") > 0);
    assert_int_equal(class_runs(), 4 + 8 + 2 + 2);
}

/* As many jobs at a time as there is memory for, and the instructor is told. */
static void jobs_have_room(void **state) {
    unsigned long long mib = memory_available() >> 20;
    class_write("policy.ini", class_print("[class]\nmemory_mib = %llu\n", mib * 2 / 5));
    class_grade_says("2 at a time: ", 0, LAB1 " --policy @policy.ini --jobs 4");
    class_has("output", class_print("and each may use %llu\n(memory_mib in the policy)", mib * 2 / 5));
    class_write("policy.ini", "[class]\nmemory_mib = 1000000\n");
    class_grade_says("1 at a time: ", 0, LAB1 " --policy @policy.ini --jobs 4");
    class_write("policy.ini", "[class]\nmemory_mib = 64\n");
    class_grade(0, LAB1 " --policy @policy.ini --jobs 4");
    class_has_not("output", "at a time");
}

/* Who leaves the policy out means the one that was given last. */
static void the_policy_is_kept(void **state) {
    class_grade(0, LAB1 " --policy @policy.ini");
    char *first = class_read("out/grades.csv");
    class_grade_says("The policy is the one that was given last", 0, LAB1);
    assert_string_equal(class_read("out/grades.csv"), first);
    class_grade_says("The policy is the one that was given last", 0, "--rescore");
    assert_string_equal(class_read("out/grades.csv"), first);
    assert_has(first, "late:");
}

static void names_that_are_nobodys(void **state) {
    class_write("roster.csv", "student,email\nann,a.ash@example.edu\nbob,\ncid,\ndee,\nfay,\n");
    static const char only[] = LAB1 " --roster @roster.csv --only %s";
    class_grade(0, only, "ann");
    assert_int_equal(class_runs(), 1);
    class_grade_says("nobody is called 'bbo': is it bob?", 1, only, "bbo");
    class_grade_says("nobody is called 'nobody-at-all'", 1, only, "cid,nobody-at-all");
    class_grade_says("fay has handed in nothing in this download", 1, only, "fay");
    assert_int_equal(class_runs(), 1);
    class_grade(0, only, "A.Ash@example.edu,\tBob");
    assert_int_equal(class_runs(), 2);
}

/* Grades are never made nothing with status 0. */
static void what_would_take_grades_away(void **state) {
    char gradebook[PATH_SIZE];
    static const char arguments[] = LAB1 " --policy @policy.ini";
    class_grade(0, arguments);
    char *before = class_read("out/grades.csv");
    /* a policy of another GPU has no results */
    class_policy("gpu = t4\n");
    class_grade_says("4 who have a grade have no result under this policy", 1,
                     "--rescore --policy @policy.ini");
    /* kernels that are gone from their students' parts */
    class_write("in/ann/kernel.txt", "of another name");
    class_delete("in/ann/kernel.cu");
    class_policy("pass = 60\nfile_times = yes\ndeadline = 2026-01-02 00:00 Z\n");
    class_grade_says("1 who had handed in a kernel have none in this download (ann)", 1, arguments);
    /* an empty folder */
    class_write("empty/.DS_Store", "");
    static const char empty[] = "--lab lab1 --submissions @empty --policy @policy.ini %s %s";
    class_grade_says("4 who had handed in are not in this download", 1, empty, "", "");
    assert_string_equal(class_read("out/grades.csv"), before);
    /* and at first */
    class_grade_says("nobody has handed in anything in", 1, empty, "--out @other", "");
    class_grade(0, empty, "--out @other", "--replace");
    /* a gradebook that is empty, or damaged, beside grades */
    assert_true(path_join(gradebook, out, "gradebook.sqlite"));
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    struct stat whole;
    assert_int_equal(stat(gradebook, &whole), 0);
    for (int part = 1; part < 4; part++) {
        assert_int_equal(truncate(gradebook, whole.st_size / 4 * (4 - part)), 0);
        class_grade_says("gradebook.sqlite is damaged", 1, arguments);
        class_grade_says("put a copy of it back, or move the whole folder away", 1, arguments);
    }
    assert_int_equal(truncate(gradebook, 0), 0);
    class_delete("out/gradebook.sqlite-wal");
    class_grade_says("is gone or empty, and grades.csv is beside it", 1, arguments);
    class_delete("out/gradebook.sqlite");
    class_grade_says("is gone or empty, and grades.csv is beside it", 1, "--rescore --policy @policy.ini");
    assert_string_equal(class_read("out/grades.csv"), before);
}

/* A result that is no longer what was written is believed by nobody. */
static void a_changed_result_is_found(void **state) {
    class_grade(0, LAB1 " --policy @policy.ini");
    char *before = class_read("out/grades.csv");
    struct gradebook book;
    assert_true(
        gradebook_open(&book, out) &&
        gradebook_run(&book, "UPDATE results SET result = replace(result, '\"value\":', '\"valve\":')"));
    gradebook_close(&book);
    class_grade_says("is not what was written: put a copy of it back", 1, LAB1 " --policy @policy.ini");
    assert_string_equal(class_read("out/grades.csv"), before);
}

/* What is so of everybody is more likely a mistake than a class. */
static void a_whole_class_is_looked_at(void **state) {
    class_policy("file_times = yes\ndeadline = 2025-01-02 00:00 Z\n");
    class_grade_says("lab1  all 4 who handed in are late: is the deadline the right one?", 3,
                     LAB1 " --policy @policy.ini");
    class_files("bad/ann/kernel.cu", "// WRONG 1\n", "bad/bob/kernel.cu", "// WRONG 2\n", "bad/cid/kernel.cu",
                "// WRONG 3\n");
    class_policy("");
    class_grade_says("lab1  none of 3 kernels is right: is it the right lab?", 3,
                     "--lab lab1 --submissions @bad --policy @policy.ini --out @out2");
}

TESTS(cmocka_unit_test_setup_teardown(overrides_are_shown_and_kept, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(overrides_with_typos_are_refused, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(regrades_have_answers, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(the_best_may_count, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(points_by_hand_are_of_a_maximum, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(free_late_days_are_a_budget, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(timeouts_are_judged_once_more, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(the_machines_fault_is_tried_again_alone, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(jobs_have_room, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(the_policy_is_kept, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(names_that_are_nobodys, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(what_would_take_grades_away, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_changed_result_is_found, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_whole_class_is_looked_at, set_up, class_tear_down))

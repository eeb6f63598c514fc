/* The roster says that it was handed in, and the download has nothing: a question for a human,
 * and never a 0. */
#include "class/text.h"
#include "support_class.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOODLE_HEAD                                                                                          \
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","    \
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\n"

static void grade(const char *lab, int status, const char *words) {
    class_grade_says(folder,
                     (const char *[]){"--submissions", in, "--roster", roster, "--out", out,
                                      lab != NULL ? "--lab" : NULL, lab, NULL},
                     status, words);
}

/* A row of grades.csv begins so; points none is ",,". */
static void assert_row(const char *row) {
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, row);
    free(grades);
}

/* Nothing that somebody gets says how many points. */
static void assert_no_score(const char *student) {
    static const char *const files[][2] = {{"feedback", "txt"}, {"feedback", "html"}, {"autolab", "txt"}};
    char path[PATH_SIZE], row[256], file[TEXT_FILE_NAME];
    text_file_name(file, student);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_true(path_print(path, "out/%s/lab1/%s.%s", files[i][0], file, files[i][1]));
        char *text = class_read(folder, path);
        assert_has(text, "No grade yet");
        assert_has(text, "has not reached the grader");
        assert_has_not(text, "Score");
        assert_has_not(text, "scores");
        free(text);
    }
    assert_true(path_print(path, "%s/gradescope/lab1/%s.json", out, file));
    assert_int_not_equal(access(path, F_OK), 0);
    char *junit = class_read(folder, "out/junit.xml");
    snprintf(row, sizeof row, "name=\"%s\">\n    <skipped message=\"What you handed in has not reached",
             student);
    const char *at = strstr(junit, row);
    assert_non_null(at);
    at = strstr(at, "<system-out>");
    assert_int_equal(strncmp(at, "<system-out>no grade</system-out>", 33), 0);
    free(junit);
}

static void moodle(void **state) {
    class_write(folder, "in/Ann Lee_1001_assignsubmission_file_/kernel.cu", "// ann", 0);
    class_write(folder, "in/Bob Lee_1002_assignsubmission_file_/kernel.cu", "// bob", 0);
    class_write(folder, "in/Cid Lee_1003_assignsubmission_file_/kernel.cu", "// cid", 0);
    class_write(folder, "in/Eve Lee_1004_assignsubmission_file_/kernel.cu", "// eve", 0);
    class_write(
        folder, "roster.csv",
        MOODLE_HEAD
        "\"Participant 1001\",\"Ann Lee\",ann@x.edu,\"Submitted for grading\",,100.00,Yes,"
        "\"Thursday, 1 January 2026, 4:24 PM\",-,\n"
        "\"Participant 1002\",\"Bob Lee\",bob@x.edu,,,100.00,Yes,-,-,\n"
        "\"Participant 1003\",\"Cid Lee\",cid@x.edu,,,100.00,Yes,-,-,\n"
        "\"Participant 1004\",\"Eve Lee\",eve@x.edu,,,100.00,Yes,-,-,\n"
        "\"Participant 1008\",\"Late Comer\",late@x.edu,\"Submitted for grading - Graded\",,100.00,Yes,"
        "\"Friday, 20 November 2026, 11:50 PM\",-,\n"
        "\"Participant 1009\",\"No Time\",notime@x.edu,\"Submitted for grading\",,100.00,Yes,-,-,\n"
        "\"Participant 1010\",\"Dee Draft\",draft@x.edu,\"Draft (not submitted)\",,100.00,Yes,"
        "\"Friday, 20 November 2026, 11:50 PM\",-,\n"
        "\"Participant 1011\",\"Not There\",none@x.edu,\"No submission\",,100.00,Yes,-,-,\n",
        0);
    grade("lab1", 3, "late@x.edu: Handed in, says the roster, but the download has nothing");
    assert_row("\nlate@x.edu,lab1,,100,no,,What you handed in has not reached the grader;");
    assert_row("\nnotime@x.edu,lab1,,100,no,,What you");
    assert_row("\ndraft@x.edu,lab1,0,100,no,,Nothing was handed in.");
    assert_row("\nnone@x.edu,lab1,0,100,no,,Nothing was handed in.");
    assert_no_score("late@x.edu");
    char *sheet = class_read(folder, "out/moodle/lab1-worksheet.csv"),
         *page = class_read(folder, "out/class.html");
    assert_has(
        sheet,
        "late@x.edu,Submitted for grading - Graded,,100.00,Yes,\"Friday, 20 November 2026, 11:50 PM\",-,");
    assert_has(sheet, "none@x.edu,No submission,0,");
    assert_has(page, "absent");
    free(sheet);
    free(page);
    /* it stays a question until somebody has answered it */
    class_grade_says(folder, (const char *[]){"--rescore", "--out", out, NULL}, 3,
                     "2 students (late@x.edu, notime@x.edu)");
    char words[PATH_SIZE];
    class_write(folder, "words.csv",
                "student,lab,points,excused\nlate@x.edu,lab1,55,\nnotime@x.edu,lab1,,yes\n", 0);
    assert_true(path_join(words, folder, "words.csv"));
    class_grade_says(folder, (const char *[]){"--rescore", "--overrides", words, "--out", out, NULL}, 0, "");
    assert_row("\nlate@x.edu,lab1,55,100,no,,Your instructor has set this to 55 of 100 points.,");
    assert_row(
        "\nnotime@x.edu,lab1,,100,excused,,Your instructor has excused you from this lab: it counts for "
        "nothing.,");
    char path[PATH_SIZE], file[TEXT_FILE_NAME];
    text_file_name(file, "late@x.edu");
    assert_true(path_print(path, "out/gradescope/lab1/%s.json", file));
    char *text = class_read(folder, path);
    assert_has(text, "\"score\": 55.0");
    free(text);
}

static void other_languages_and_platforms(void **state) {
    static const struct {
        const char *title, *text;
        bool absent;
    } rosters[] = {
        {"German",
         "ID,Vollständiger Name,E-Mail-Adresse,Status\nTeilnehmer/in 7,Max,bob,Zur Bewertung abgegeben\n",
         true},
        {"German, none",
         "ID,Vollständiger Name,E-Mail-Adresse,Status\nTeilnehmer/in 7,Max,bob,Keine Abgabe\n", false},
        {"French", "Identifiant,Nom complet,Statut\nbob,Bob,Remis pour évaluation\n", true},
        {"Spanish", "Identificador,Nombre completo,Estatus\nbob,Bob,Enviado para calificar\n", true},
        {"a language that is not known",
         "Identifier,Full name,Stav,Poslední změna (odevzdaný úkol)\nbob,Bob,neco,a\n", true},
        {"GitHub", "github_username,submission_timestamp\nbob,2026-11-20 23:50:00 UTC\n", true},
        {"GitHub, none", "github_username,submission_timestamp\nbob,\n", false},
        {"Gradescope", "Name,SID,Status,Submission Time\nBob,bob,Ungraded,2026-11-20 23:50:11 -0800\n", true},
        {"Gradescope, none", "Name,SID,Status,Submission Time\nBob,bob,Missing,\n", false},
        {"one's own", "student,submitted\nbob,2026-11-20 23:50\n", true},
        {"one's own, a status of its own", "student,status\nbob,active\n", false},
    };
    class_write(folder, "in/ann/kernel.cu", "// ann", 0);
    for (size_t i = 0; i < sizeof rosters / sizeof *rosters; i++) {
        class_write(folder, "roster.csv", rosters[i].text, 0);
        class_grade_says(
            folder,
            (const char *[]){"--submissions", in, "--roster", roster, "--lab", "lab1", "--dry-run", NULL},
            rosters[i].absent ? 3 : 0, rosters[i].absent ? ": Handed in, says the roster" : "");
    }
}

/* Some download drafts on purpose; others did not mean to. */
static void a_draft_is_told(void **state) {
    class_write(folder, "in/Ann Lee_1001_assignsubmission_file_/kernel.cu", "// ann", 0);
    class_write(folder, "in/Bob Lee_1002_assignsubmission_file_/kernel.cu", "// bob", 0);
    class_write(folder, "roster.csv",
                MOODLE_HEAD
                "\"Participant 1001\",\"Ann Lee\",ann@x.edu,\"Draft (not submitted)\",,100.00,Yes,-,-,\n"
                "\"Participant 1002\",\"Bob Lee\",bob@x.edu,\"Submitted for grading\",,100.00,Yes,-,-,\n",
                0);
    grade(
        "lab1", 0,
        "These need a human (class.html has them, too):\n"
        "  lab1  ann@x.edu: Its status in the roster is 'Draft (not submitted)', and it is graded.\nGrades");
}

/* Whoever is in the download is there, whatever for; and a kernel that was here before is not
 * forgotten without a word. */
static void only_who_is_nowhere(void **state) {
    class_write(folder, "in/ann/lab1/kernel.cu", "// ann", 0);
    class_write(folder, "in/bob/lab2/kernel.cu", "// bob", 0);
    class_write(folder, "roster.csv", "student,submitted\nann,2026-01-01 10:00\nbob,2026-01-01 10:00\n", 0);
    grade(NULL, 0, "");
    class_delete(folder, "in/ann/lab1/kernel.cu");
    class_write(folder, "in/cid/lab1/kernel.cu", "// cid", 0);
    grade(NULL, 1, "1 who had handed in are not in this download (ann)");
}

/* A folder whose name fits two rows is nobody's: no points for whoever has it first, no 0 for the other. */
static void a_name_of_two_students(void **state) {
    class_write(folder, "in/octojane/kernel.cu", "// jane's", 0);
    class_write(folder, "in/bob/kernel.cu", "// bob's", 0);
    class_write(folder, "roster.csv",
                "student,name,email,github_username\n"
                "adams,\"M, Al\",octojane@gmail.com,malgit\n"
                "jdoe,\"Doe, Jane\",jane@x.edu,octojane\n"
                "bob,\"Bold, Bob\",bob@x.edu,octobob\n",
                0);
    grade("lab1", 3,
          "lab1: 'octojane' is adams (row 2 of the roster) or jdoe (row 3): not graded. Call it by a name "
          "that is one's alone, such as an e-mail, or correct the roster.");
    assert_row("\nadams,lab1,,100,no,,What was handed in under a name that may be yours or another");
    assert_row("\njdoe,lab1,,100,no,,What was handed in under a name that may be yours or another");
    char *grades = class_read(folder, "out/grades.csv");
    assert_has_not(grades, "octojane,lab1");
    free(grades);
    /* who has handed in under a name of one's own is graded; a person is told all the same */
    class_write(folder, "in/adams/kernel.cu", "// adams's", 0);
    class_write(folder, "in/jdoe/kernel.cu", "// jane's", 0);
    grade("lab1", 3, "'octojane' is adams (row 2 of the roster) or jdoe (row 3): not graded.");
    grades = class_read(folder, "out/grades.csv");
    assert_has_not(grades, "under a name that may be");
    free(grades);
    char path[PATH_SIZE];
    class_write(folder, "words.csv", "student,lab,points\noctojane,lab1,5\n", 0);
    assert_true(path_join(path, folder, "words.csv"));
    class_grade_says(folder,
                     (const char *[]){"--submissions", in, "--roster", roster, "--out", out, "--lab", "lab1",
                                      "--overrides", path, NULL},
                     1, "'octojane' is adams or jdoe of the roster: give the id");
    /* by its own id a student is meant */
    class_grade_says(folder,
                     (const char *[]){"--submissions", in, "--roster", roster, "--out", out, "--lab", "lab1",
                                      "--only", "jdoe", NULL},
                     3, "");
}

/* Nobody takes another's id for a name. */
static void another_students_id(void **state) {
    class_write(folder, "in/jdoe/kernel.cu", "// mallory's", 0);
    class_write(folder, "roster.csv",
                "student,name,email,github_username\n"
                "jdoe,\"Doe, Jane\",jane@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n",
                0);
    grade("lab1", 1, "row 3: the github_username 'jdoe' is the student of row 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_name_of_two_students, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(another_students_id, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(moodle, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(other_languages_and_platforms, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_draft_is_told, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(only_who_is_nowhere, class_set_up, class_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

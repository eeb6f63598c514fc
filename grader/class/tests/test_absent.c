/* The roster says that it was handed in, and the download has nothing: a question for a human,
 * and never a 0. */
#include "class/text.h"
#include "support_class.h"

#define MOODLE_HEAD                                                                                          \
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","    \
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\n"

static void grade(const char *lab, int status, const char *words) {
    class_grade_says(words, status, "--submissions @in --roster @roster.csv %s %s",
                     lab != NULL ? "--lab" : "", lab != NULL ? lab : "");
}

/* A row of grades.csv begins so; points none is ",,". */
static void assert_row(const char *row) {
    class_has("out/grades.csv", row);
}

/* Nothing that somebody gets says how many points. */
static void assert_no_score(const char *student) {
    static const char *const files[][2] = {{"feedback", "txt"}, {"feedback", "html"}, {"autolab", "txt"}};
    char path[PATH_SIZE], file[TEXT_FILE_NAME];
    text_file_name(file, student);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_true(path_print(path, "out/%s/lab1/%s.%s", files[i][0], file, files[i][1]));
        class_has(path, "No grade yet", "has not reached the grader");
        class_has_not(path, "Score", "scores");
    }
    assert_true(path_print(path, "%s/gradescope/lab1/%s.json", out, file));
    assert_int_not_equal(access(path, F_OK), 0);
    char *junit = class_read("out/junit.xml");
    const char *at =
        strstr(junit, class_print("name=\"%s\">\n    <skipped message=\"What you handed in has not reached",
                                  student));
    assert_non_null(at);
    at = strstr(at, "<system-out>");
    assert_int_equal(strncmp(at, "<system-out>no grade</system-out>", 33), 0);
}

static void moodle(void **state) {
    class_kernels("Ann Lee_1001_assignsubmission_file_", "// ann", "Bob Lee_1002_assignsubmission_file_",
                  "// bob", "Cid Lee_1003_assignsubmission_file_", "// cid",
                  "Eve Lee_1004_assignsubmission_file_", "// eve");
    class_write(
        "roster.csv", MOODLE_HEAD
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
        "\"Participant 1011\",\"Not There\",none@x.edu,\"No submission\",,100.00,Yes,-,-,\n");
    grade("lab1", 3, "late@x.edu: Handed in, says the roster, but the download has nothing");
    assert_row("\nlate@x.edu,lab1,,100,no,,What you handed in has not reached the grader;");
    assert_row("\nnotime@x.edu,lab1,,100,no,,What you");
    assert_row("\ndraft@x.edu,lab1,0,100,no,,Nothing was handed in.");
    assert_row("\nnone@x.edu,lab1,0,100,no,,Nothing was handed in.");
    assert_no_score("late@x.edu");
    char *sheet = class_read("out/moodle/lab1-worksheet.csv");
    char *page = class_read("out/class.html");
    assert_has(
        sheet,
        "late@x.edu,Submitted for grading - Graded,,100.00,Yes,\"Friday, 20 November 2026, 11:50 PM\",-,");
    assert_has(sheet, "none@x.edu,No submission,0,");
    assert_has(page, "absent");
    /* it stays a question until somebody has answered it */
    class_grade_says("2 students (late@x.edu, notime@x.edu)", 3, "--rescore");
    char words[PATH_SIZE];
    class_write("words.csv", "student,lab,points,excused\nlate@x.edu,lab1,55,\nnotime@x.edu,lab1,,yes\n");
    assert_true(path_join(words, folder, "words.csv"));
    class_grade(0, "--rescore --overrides @words.csv");
    assert_row("\nlate@x.edu,lab1,55,100,no,,Your instructor has set this to 55 of 100 points.,");
    assert_row(
        "\nnotime@x.edu,lab1,,100,excused,,Your instructor has excused you from this lab: it counts for "
        "nothing.,");
    char file[TEXT_FILE_NAME];
    text_file_name(file, "late@x.edu");
    class_has(class_print("out/gradescope/lab1/%s.json", file), "\"score\": 55.0");
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
    class_write("in/ann/kernel.cu", "// ann");
    for (size_t i = 0; i < sizeof rosters / sizeof *rosters; i++) {
        class_write("roster.csv", rosters[i].text);
        class_grade_says(rosters[i].absent ? ": Handed in, says the roster" : "", rosters[i].absent ? 3 : 0,
                         "--submissions @in --roster @roster.csv --lab lab1 --dry-run");
    }
}

/* Some download drafts on purpose; others did not mean to. */
static void a_draft_is_told(void **state) {
    class_kernels("Ann Lee_1001_assignsubmission_file_", "// ann", "Bob Lee_1002_assignsubmission_file_",
                  "// bob");
    class_write("roster.csv", MOODLE_HEAD
                "\"Participant 1001\",\"Ann Lee\",ann@x.edu,\"Draft (not submitted)\",,100.00,Yes,-,-,\n"
                "\"Participant 1002\",\"Bob Lee\",bob@x.edu,\"Submitted for grading\",,100.00,Yes,-,-,\n");
    grade(
        "lab1", 0,
        "These need a human (class.html has them, too):\n"
        "  lab1  ann@x.edu: Its status in the roster is 'Draft (not submitted)', and it is graded.\nGrades");
}

/* Whoever is in the download is there, whatever for; and a kernel that was here before is not
 * forgotten without a word. */
static void only_who_is_nowhere(void **state) {
    class_files("in/ann/lab1/kernel.cu", "// ann", "in/bob/lab2/kernel.cu", "// bob");
    class_write("roster.csv", "student,submitted\nann,2026-01-01 10:00\nbob,2026-01-01 10:00\n");
    grade(NULL, 0, "");
    class_delete("in/ann/lab1/kernel.cu");
    class_write("in/cid/lab1/kernel.cu", "// cid");
    grade(NULL, 1, "1 who had handed in are not in this download (ann)");
}

/* A folder whose name fits two rows is nobody's: no points for whoever has it first, no 0 for the
 * other. */
static void a_name_of_two_students(void **state) {
    class_kernels("octojane", "// jane's", "bob", "// bob's");
    class_write("roster.csv", "student,name,email,github_username\n"
                              "adams,\"M, Al\",octojane@gmail.com,malgit\n"
                              "jdoe,\"Doe, Jane\",jane@x.edu,octojane\n"
                              "bob,\"Bold, Bob\",bob@x.edu,octobob\n");
    grade("lab1", 3,
          "lab1: 'octojane' is adams (row 2 of the roster) or jdoe (row 3): not graded. Call it by a name "
          "that is one's alone, such as an e-mail, or correct the roster.");
    assert_row("\nadams,lab1,,100,no,,What was handed in under a name that may be yours or another");
    assert_row("\njdoe,lab1,,100,no,,What was handed in under a name that may be yours or another");
    class_has_not("out/grades.csv", "octojane,lab1");
    /* who has handed in under a name of one's own is graded; a person is told all the same */
    class_kernels("adams", "// adams's", "jdoe", "// jane's");
    grade("lab1", 3, "'octojane' is adams (row 2 of the roster) or jdoe (row 3): not graded.");
    class_has_not("out/grades.csv", "under a name that may be");
    char path[PATH_SIZE];
    class_write("words.csv", "student,lab,points\noctojane,lab1,5\n");
    assert_true(path_join(path, folder, "words.csv"));
    class_grade_says("'octojane' is adams or jdoe of the roster: give the id", 1,
                     "--submissions @in --roster @roster.csv --out @out --lab lab1 --overrides @words.csv");
    /* by its own id a student is meant */
    class_grade(3, "--submissions @in --roster @roster.csv --out @out --lab lab1 --only jdoe");
}

/* Nobody takes another's id for a name. */
static void another_students_id(void **state) {
    class_write("in/jdoe/kernel.cu", "// mallory's");
    class_write("roster.csv", "student,name,email,github_username\n"
                              "jdoe,\"Doe, Jane\",jane@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n");
    grade("lab1", 1, "row 3: the github_username 'jdoe' is the student of row 2");
}

TESTS(CLASS_TEST(a_name_of_two_students), CLASS_TEST(another_students_id), CLASS_TEST(moodle),
      CLASS_TEST(other_languages_and_platforms), CLASS_TEST(a_draft_is_told), CLASS_TEST(only_who_is_nowhere))

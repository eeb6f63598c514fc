/* When something was handed in: the platform's word, in every zone; never an archive's stamp; and else it is not known. */
#include "support_class.h"

#include "class/intake/roster.h"

#include <time.h>

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    return setenv("TZ", "UTC0", 1);
}

static int tear_down(void **state) {
    class_tear_down(NULL);
    return unsetenv("TZ");
}

static int64_t utc(int year, int month, int day, int hour, int minute) {
    struct tm tm = {
        .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_hour = hour, .tm_min = minute};
    return (int64_t)timegm(&tm);
}

static void worksheets_of_many_languages(void **state) {
    // clang-format off
    static const char *const same[] = {
        "Sunday, 1 March 2026, 4:24 PM", "Sunday, 1 March 2026, 16:24", "Sunday, 1 March 2026, 4:24 pm",
        "Sunday, March 1, 2026, 4:24 PM", "Sunday, 01 March 2026, 04:24 p.m.",
        "Sonntag, 1. März 2026, 16:24", "dimanche 1 mars 2026, 16:24", "domingo, 1 de marzo de 2026, 16:24",
        "domenica, 1 marzo 2026, 16:24", "domingo, 1 de março de 2026 às 16:24",
        "zondag, 1 maart 2026, 16:24", "niedziela, 1 marca 2026, 16:24", "söndag, 1 mars 2026, 16:24",
        "neděle, 1. března 2026, 16:24", "1 Mar 2026, 16:24:00", "Sunday, 1 March 2026, 4:24 p. m."};
    // clang-format on
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        int64_t seconds = 0;
        if (!worksheet_time_parse(same[i], &seconds) || seconds != utc(2026, 3, 1, 16, 24))
            fail_msg("%s: %lld", same[i], (long long)seconds);
    }
    int64_t seconds;
    assert_true(worksheet_time_parse("Sunday, 1 March 2026, 12:05 AM", &seconds));
    assert_int_equal(seconds, utc(2026, 3, 1, 0, 5));
    assert_true(worksheet_time_parse("Sunday, 1 March 2026, 12:05 PM", &seconds));
    assert_int_equal(seconds, utc(2026, 3, 1, 12, 5));
    // clang-format off
    static const char *const none[] = {
        "", "-", "1 March 2026", "3/1/2026 16:24", "Sunday, 1 March, 4:24 PM", "30 February 2026, 10:00",
        "1 Smarch 2026, 10:00", "1 March April 2026, 10:00", "1 2 March 2026, 10:00",
        "1 March 2026, 13:00 PM", "1 March 2026, 24:00", "1 March 2026, 10:60"};
    // clang-format on
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (worksheet_time_parse(none[i], &seconds))
            fail_msg("read: %s", none[i]);
}

/* Moodle names no zone: it is the zone of this machine, summer time and all. */
static void a_worksheet_is_in_this_machines_zone(void **state) {
    int64_t seconds;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    assert_true(worksheet_time_parse("Sunday, 1 March 2026, 4:24 PM", &seconds));
    assert_int_equal(seconds, utc(2026, 3, 1, 15, 24));
    assert_true(worksheet_time_parse("Mittwoch, 1. Juli 2026, 16:24", &seconds));
    assert_int_equal(seconds, utc(2026, 7, 1, 14, 24));
}

/* A download of Moodle's whose stamps are those of the download, three days late. */
static void moodle_class(int64_t stamp) {
    class_archive("lab1.zip", MEMBER_AT("Ann Ash_770001_assignsubmission_file_/kernel.cu", "// one\n", stamp),
                  MEMBER_AT("Wei Zhang_770017_assignsubmission_file_/kernel.cu", "// two\n", stamp),
                  MEMBER_AT("Wei Zhang_770018_assignsubmission_file_/kernel.cu", "// three\n", stamp));
}

static void the_worksheet_tells_the_time(void **state) {
    class_policy("deadline = 2026-03-01 23:59 Z\n");
    class_write(
        "roster.csv",
        "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be "
        "changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n"
        "\"Participant 770001\",\"Ann Ash\",ann@example.edu,\"Submitted for "
        "grading\",,100.00,Yes,\"Sunday, 1 March 2026, 11:58 PM\",-,\r\n"
        "\"Participant 770017\",\"Wei Zhang\",wz1@example.edu,\"Submitted for "
        "grading\",,100.00,Yes,\"Monday, 2 March 2026, 12:30 AM\",-,\r\n"
        "\"Participant 770018\",\"Wei Zhang\",wz2@example.edu,\"Submitted for "
        "grading\",,100.00,Yes,\"1 Smarch 2026, 11:58\",-,\r\n"
        "\"Participant 770019\",\"Zoe Zed\",zz@example.edu,\"No submission\",,100.00,Yes,-,-,\r\n");
    moodle_class(utc(2026, 3, 4, 12, 0));
    class_grade_says("The time in the roster is in words that are not known.", 0,
                     "--lab lab1 --submissions @lab1.zip --policy @policy.ini --roster @roster.csv");
    /* Ann, in time; the first Wei Zhang; the second; nobody */
    class_has("out/grades.csv", ",0,0,2026-03-01T23:58:00Z,", "1 day late: 10 % off.", "2026-03-02T00:30:00Z",
              "When it was handed in is not known.", "zz@example.edu,lab1,0,");
    /* without the worksheet what was known stays known */
    class_write(
        "roster.csv",
        "Identifier,Full name,Email address,Grade,Last modified (submission),Last modified (grade)\n"
        "Participant 770001,Ann Ash,ann@example.edu,,-,-\nParticipant 770017,Wei Zhang,wz1@example.edu,,-,-\n"
        "Participant 770018,Wei Zhang,wz2@example.edu,,-,-\n");
    class_grade(0, "--lab lab1 --submissions @lab1.zip --policy @policy.ini --roster @roster.csv");
    class_has("out/grades.csv", "1 day late: 10 % off.");
}

/* No stamp of an archive makes anybody late, in whatever zone the grader is. */
static void no_stamp_counts(void **state) {
    static const char *const zones[] = {"UTC0", "JST-9", "PST8PDT"};
    class_policy("deadline = 2026-03-01 23:59 Z\n");
    for (size_t z = 0; z < sizeof zones / sizeof *zones; z++) {
        setenv("TZ", zones[z], 1);
        moodle_class(utc(2026, 3, 4, 12, 0));
        class_grade_says("3 students (770001, 770017, 770018): When it was handed in is not known", 0,
                         "--lab lab1 --submissions @lab1.zip --policy @policy.ini");
        class_has_not("out/grades.csv", "late:");
    }
    /* nor does a file that such an archive was unpacked to, unless the policy says so */
    class_write_at("plain/ann/kernel.cu", "// one\n", utc(2026, 3, 4, 12, 0));
    class_grade_says("ann: When it was handed in is not known", 0,
                     "--lab lab1 --submissions @plain --policy @policy.ini --out @out2");
    class_policy("file_times = yes\ndeadline = 2026-03-01 23:59 Z\n");
    class_grade(0, "--lab lab1 --submissions @plain --policy @policy.ini --out @out2");
    class_has("out2/grades.csv", "3 days late: 30 % off.");
    class_policy(
        "file_times = yes\nlate_percent_at_most = 50\nlate_days = 2\ndeadline = 2026-03-01 23:59 Z\n");
    class_grade(0, "--lab lab1 --submissions @plain --policy @policy.ini --out @out2");
    class_has("out2/grades.csv", "3 days late; more than 2 days late: nothing.");
}

/* Canvas says who is late, and not when: who is not is in time, and of who is a human is told. */
static void canvas_names_who_is_late(void **state) {
    const int64_t stamp = utc(2026, 3, 4, 12, 0);
    class_policy("deadline = 2026-03-01 23:59 Z\n");
    class_archive("submissions.zip", MEMBER_AT("ashann_123_456_kernel.cu", "// one\n", stamp),
                  MEMBER_AT("zedzoe_LATE_124_457_kernel.cu", "// two\n", stamp));
    class_grade_says("124: The platform calls it late, and when it was handed in is not known.", 0,
                     "--lab lab1 --submissions @submissions.zip --policy @policy.ini");
    class_has_not("output", "123:"); /* a folder of the day may have the digits in its name */
    class_has_not("out/grades.csv", "late:");
}

/* The same seconds in every zone. */
static void gradescope_tells_the_time(void **state) {
    static const char *const zones[] = {"UTC0", "JST-9", "PST8PDT"};
    class_policy("deadline = 2026-03-01 23:59 Z\n");
    class_write_at("in/submission_1/kernel.cu", "// one\n", utc(2020, 1, 1, 0, 0));
    class_write("in/submission_metadata.yml",
                "---\nsubmission_1:\n  :submitters:\n  - :name: Ann Ash\n    :sid: '1'\n    :email: a@x.edu\n"
                "  :created_at: 2026-03-02 00:30:05.349160000 Z\n");
    char *first = NULL;
    for (size_t z = 0; z < sizeof zones / sizeof *zones; z++) {
        setenv("TZ", zones[z], 1);
        class_grade(0, LAB1 " --policy @policy.ini");
        class_has("out/grades.csv", "1 day late: 10 % off.", "2026-03-02T00:30:05Z");
        first = first != NULL ? first : class_read("out/grades.csv");
        assert_string_equal(class_read("out/grades.csv"), first);
    }
}

/* A deadline without a zone is of the zone of the first call, also where a later call names none. */
static void the_zone_is_kept(void **state) {
    class_write("in/ann/kernel.cu", "// one\n");
    class_write("roster.csv", "student,submitted\nann,2026-03-01 23:50\n");
    class_policy("deadline = 2026-03-01 23:59\n");
    setenv("TZ", "America/New_York", 1);
    class_grade(0, LAB1 " --policy @policy.ini --roster @roster.csv");
    char *first = class_read("out/grades.csv");
    assert_has(first, "2026-03-02T04:50:00Z");
    unsetenv("TZ");
    class_grade_says("The zone is America/New_York, as it was", 0, "--rescore");
    assert_string_equal(class_read("out/grades.csv"), first);
    setenv("TZ", "UTC0", 1);
    class_grade_says("The zone is UTC0, and was America/New_York: deadlines", 0, "--rescore --dry-run");
    class_has("output", "lab1: 1 grade changed: ann ", "Nothing was changed");
    assert_string_equal(class_read("out/grades.csv"), first);
    class_grade_says("lab1: 1 grade changed: ann ", 0, "--rescore");
    class_has("out/grades.csv", "1 day late");
}

/* The C library would take it for UTC; and a ~ that the shell has left is the home folder. */
static void a_zone_has_to_exist(void **state) {
    class_write("in/ann/kernel.cu", "// one\n");
    FREED char *home = strdup(getenv("HOME") != NULL ? getenv("HOME") : "/");
    setenv("HOME", folder, 1);
    setenv("TZ", "Europe/Berln", 1);
    class_grade_says("TZ=Europe/Berln: no such zone", 2, "--lab lab1 --submissions ~/in --out ~/out");
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    class_grade_says("1 handed in", 0, "--lab lab1 --submissions ~/in --out ~/out");
    setenv("HOME", home, 1);
    class_has("out/grades.csv", "\nann,lab1,");
}

static void rosters_of_other_languages(void **state) {
    char error[TEXT_ERROR];
    struct roster r;
    static const char german[] =
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Zuletzt geändert (Abgabe)\n"
        "Teilnehmer/in770017,Jörg Müller,jm@x.de,,\"Sonntag, 1. März 2026, 16:24\"\n",
                      moodle[] = "Vorname,Nachname,ID-Nummer,E-Mail-Adresse\nJörg,Müller,17,jm@x.de\n",
                      classroom[] = "assignment_name,github_username,roster_identifier,submission_timestamp\n"
                                    "lab1,octocat,s1,2026-03-01T16:24:00Z\n",
                      latin[] = "student,name\n1,J\xf6rg\n", unknown[] = "Kennung,Wer\n1,J\n";
    assert_true(roster_parse(&r, german, strlen(german), "r.csv", error, sizeof error));
    assert_int_equal(r.students[0].submitted, utc(2026, 3, 1, 16, 24));
    assert_ptr_equal(roster_find(&r, false, "770017", "", "Jemand"), &r.students[0]);
    roster_free(&r);
    assert_true(roster_parse(&r, moodle, strlen(moodle), "r.csv", error, sizeof error));
    assert_ptr_equal(roster_find(&r, false, "9", "", "Jörg Müller"), &r.students[0]);
    assert_string_equal(r.students[0].id, "17");
    roster_free(&r);
    assert_true(roster_parse(&r, classroom, strlen(classroom), "r.csv", error, sizeof error));
    assert_int_equal(r.students[0].submitted, utc(2026, 3, 1, 16, 24));
    roster_free(&r);
    assert_false(roster_parse(&r, latin, strlen(latin), "r.csv", error, sizeof error));
    assert_has(error, "r.csv:2: not UTF-8");
    assert_false(roster_parse(&r, "\xff\xfes\0", 4, "r.csv", error, sizeof error));
    assert_has(error, "not UTF-8 but UTF-16");
    assert_false(roster_parse(&r, unknown, strlen(unknown), "r.csv", error, sizeof error));
    assert_has(error, "it has Kennung, Wer");
}

TESTS(cmocka_unit_test_setup_teardown(worksheets_of_many_languages, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_worksheet_is_in_this_machines_zone, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_worksheet_tells_the_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(no_stamp_counts, set_up, tear_down),
      cmocka_unit_test_setup_teardown(canvas_names_who_is_late, set_up, tear_down),
      cmocka_unit_test_setup_teardown(gradescope_tells_the_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_zone_is_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_zone_has_to_exist, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rosters_of_other_languages, set_up, tear_down))

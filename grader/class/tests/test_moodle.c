/* test_moodle.c: the files that go back to Moodle, read as its own import reads them. The rules are those of its source, named at each
 * reader. */
#include "support_platforms.h"

#include "report/ncu/csv.h"

#include <locale.h>

/* ---- Moodle */

/* mod/assign/feedback/file/importziplib.php: each part of the path is cut at '_' into five at most; the second of four or more
 * is the participant's number, third and fourth a plugin that is there. Files that begin with '.' or '~' are passed over.
 * 0: Moodle would pass over this file. */
static unsigned long moodle_participant(const char *path) {
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    if (*file == '.' || *file == '~')
        return 0;
    for (const char *part = path; *part != '\0';) {
        char copy[512], *field[5] = {copy};
        size_t length = strcspn(part, "/"), fields = 1;
        snprintf(copy, sizeof copy, "%.*s", (int)length, part);
        for (char *c = copy; *c != '\0' && fields < 5; c++)
            if (*c == '_') {
                *c = '\0';
                field[fields++] = c + 1;
            }
        if (fields >= 4 && *field[1] != '\0' && field[1][strspn(field[1], "0123456789")] == '\0' &&
            strcmp(field[2], "assignsubmission") == 0 && strcmp(field[3], "file") == 0)
            return strtoul(field[1], NULL, 10);
        part += length + (part[length] == '/');
    }
    return 0;
}

/* lib/csvlib.class.php reads by PHP's fgetcsv, to which a backslash before a quote keeps the field open; every row must have as
 * many fields as the first. */
static void assert_moodle_reads(const char *name) {
    char *text = class_read(class_print("out/%s", name));
    unsigned fields = 1, first = 0;
    bool quoted = false;
    for (const char *c = text; *c != '\0'; c++) {
        if (quoted && *c == '\\' && c[1] != '\0')
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (*c == ',' && !quoted)
            fields++;
        else if (*c == '\n' && !quoted) {
            first = first == 0 ? fields : first;
            assert_int_equal(fields, first);
            fields = 1;
        }
    }
    assert_false(quoted);
}

#define WORKSHEET                                                                                            \
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","    \
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n"

static void moodle_class(void) {
    platform_policy();
    class_kernels("Wei Zhang_770017_assignsubmission_file_", "// one\n",
                  "Wei Zhang_770018_assignsubmission_file_", "// WRONG\n");
    class_write("in/Zo\xc3\xab O'Hara-\xe6\x9d\x8e_770019_assignsubmission_file_/kernel.cu", "// two\n");
    class_write("in/Gus \xc3\x96st_770020_assignsubmission_file_/kernel.cu", "// TROUBLE\n");
    class_write(
        "roster.csv",
        "\xef\xbb\xbf" WORKSHEET
        "\"Participant 770017\",\"Wei Zhang\",wei@x.edu,\"Submitted for grading\",,100.00,Yes,"
        "\"Sunday, 1 March 2026, 4:24 PM\",-,\r\n"
        "\"Participant 770018\",\"Wei Zhang\",wei2@x.edu,\"Submitted for grading\",,100.00,Yes,-,-,\"<p>Well, \"\"no\"\"</p>\"\r\n"
        "\"Participant 770019\",\"Zo\xc3\xab O'Hara-\xe6\x9d\x8e\",zoe@x.edu,\"=1+1\",12.00,100.00,Yes,-,-,Score 12 of 100\r\n"
        "\"Participant 770020\",\"Gus \xc3\x96st\",gus@x.edu,,7.50,100.00,Yes,-,-,\r\n"
        "\"Participant 770021\",\"Nob Ody\",nob@x.edu,\"No submission\",,100.00,No,-,-,\r\n");
}

static void moodle_worksheet(void **state) {
    moodle_class();
    platform_grade(3, "lab1");
    assert_moodle_reads("moodle/lab1-worksheet.csv");
    const struct csv *csv = platform_csv("moodle/lab1-worksheet.csv");
    FREED char *points = strdup(platform_cell_of(csv, "Identifier", "Participant 770017", "Grade"));
    assert_points("wei@x.edu", "lab1", points);
    assert_points("wei2@x.edu", "lab1", "0");
    assert_string_not_equal(points, "0");
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770018", "Grade"), "0");
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770021", "Grade"),
                        "0"); /* nothing handed in */
    /* what could not be judged keeps what Moodle has */
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770020", "Grade"), "7.50");
    /* a teacher's words stay, ours are renewed; the rest is as it came, in its place */
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770018", "Feedback comments"),
                        "<p>Well, \"no\"</p>");
    assert_has(platform_cell_of(csv, "Identifier", "Participant 770017", "Feedback comments"), " of 100 (");
    assert_has(platform_cell_of(csv, "Identifier", "Participant 770017", "Feedback comments"),
               "<br>speedup / the reference's: ");
    assert_has_not(platform_cell_of(csv, "Identifier", "Participant 770019", "Feedback comments"),
                   "Score 12 of");
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770019", "Status"), "=1+1");
    assert_string_equal(
        platform_cell_of(csv, "Identifier", "Participant 770017", "Last modified (submission)"),
        "Sunday, 1 March 2026, 4:24 PM");
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770021", "Grade can be changed"),
                        "No");
    assert_int_equal(csv->row_count, 6);
    assert_int_equal(csv_width(csv, 0), 10);
    class_golden("moodle/lab1-worksheet.csv");
    /* without e-mails the ids are numbers of this assignment */
    class_write("roster.csv",
                "Identifier,Full name,Status,Grade,Last modified (submission),Last modified (grade)\n"
                "Participant 770017,,,,-,-\n");
    class_grade_says("Participant 770017 is one student in lab1 and another in lab2", 1,
                     "--lab lab2 --submissions @in --roster @roster.csv --policy @policy.ini");
}

static void moodle_feedback(void **state) {
    moodle_class();
    platform_grade(3, "lab1");
    ENDED(members_free) struct members zip = members_read("moodle/lab1-feedback.zip");
    assert_int_equal(zip.count, 4); /* all but who could not be judged */
    bool seen[5] = {false};
    for (unsigned i = 0; i < zip.count; i++) {
        unsigned long number = moodle_participant(zip.path[i]);
        assert_true(number >= 770017 && number <= 770021 && number != 770020);
        assert_false(seen[(number - 770017) % 5]);
        seen[(number - 770017) % 5] = true;
    }
    /* two of one name: each the own feedback */
    assert_has(members_text(&zip, "Wei Zhang_770017_assignsubmission_file_/lab1-feedback.html"),
               "<h2>Goals</h2>");
    assert_has(members_text(&zip, "Wei Zhang_770018_assignsubmission_file_/lab1-feedback.html"),
               "It computes something else");
    assert_has(
        members_text(&zip, "Zo\xc3\xab O'Hara-\xe6\x9d\x8e_770019_assignsubmission_file_/lab1-feedback.html"),
        "Goals");
    assert_has(members_text(&zip, "Nob Ody_770021_assignsubmission_file_/lab1-feedback.html"),
               "Nothing was handed in");
    /* the same class, the same bytes */
    char *first = class_read("out/moodle/lab1-worksheet.csv");
    class_grade(3, "--rescore --policy @policy.ini");
    assert_string_equal(class_read("out/moodle/lab1-worksheet.csv"), first);
}

/* grade/import/csv/classes/load_data.php: an empty cell in the column that names the user leaves the user of the row before. */
static void moodle_grades(void **state) {
    platform_policy();
    class_kernels("ann", "// one\n", "bob", "// two\n", "cid", "// TROUBLE\n", "dee", "// one\n");
    class_write(
        "roster.csv",
        "Username,Full name,Email address,ID number\nann,Ann Ash,ann@x.edu,1\nbob,\"Bold, Bob\",bob@x.edu,\n"
        "cid,Cid,cid@x.edu,3\ndee,Dee,,4\nfay,Fay,fay@x.edu,5\n");
    platform_grade(3, "lab1");
    platform_grade(3, "lab2");
    assert_moodle_reads("moodle/grades.csv");
    const struct csv *csv = platform_csv("moodle/grades.csv");
    static const char *const headings[] = {"Username", "Full name", "lab1", "lab2"};
    assert_int_equal(csv_width(csv, 0),
                     4); /* neither ID number nor email: one who has none would get another's grade */
    for (uint32_t c = 0; c < 4; c++)
        assert_string_equal(csv_cell(csv, 0, c), headings[c]);
    assert_int_equal(csv->row_count, 6);
    for (uint32_t row = 1; row < csv->row_count; row++)
        assert_string_not_equal(csv_cell(csv, row, 0), "");
    assert_points("1", "lab1", platform_cell_of(csv, "Username", "ann", "lab1"));
    assert_points("1", "lab2", platform_cell_of(csv, "Username", "ann", "lab2"));
    assert_string_equal(platform_cell_of(csv, "Username", "fay", "lab1"), "0");
    assert_string_equal(platform_cell_of(csv, "Username", "cid", "lab1"),
                        "-"); /* Moodle's word for no grade */
    /* who cannot be named is left out, and the instructor is told */
    class_write("roster.csv", "student,email\nann,ann@x.edu\nbob,bob@x.edu\ncid,cid@x.edu\ndee,\n");
    class_delete("in/cid/kernel.cu");
    class_grade(0, LAB1 " --policy @policy.ini --roster @roster.csv --replace --out @other");
    class_has("output", "moodle/grades.csv is without 1 of 4 students: they have no Email address");
    class_has("other/moodle/grades.csv", "Email address,Full name,lab1\r\n");
    class_has_not("other/moodle/grades.csv", "dee");
}

/* Points that the instructor gives are points, whatever the grader has come to. */
static void the_instructors_points_go_out(void **state) {
    moodle_class();
    class_write("overrides.csv", "student,lab,points,excused,waived,remark\ngus@x.edu,lab1,80,,,by hand\n");
    class_grade(3, LAB1 " --policy @policy.ini --roster @roster.csv --overrides @overrides.csv");
    assert_points("gus@x.edu", "lab1", "80");
    const struct csv *csv = platform_csv("moodle/lab1-worksheet.csv");
    assert_string_equal(platform_cell_of(csv, "Identifier", "Participant 770020", "Grade"), "80");
    assert_has(platform_cell_of(csv, "Identifier", "Participant 770020", "Feedback comments"), "by hand");
}

/* A maximum that is not the lab's would be other marks, and Moodle drops those above it without a word. */
static void another_maximum_is_told(void **state) {
    moodle_class();
    class_policy("points = 40\n");
    platform_grade(3, "lab1");
    class_has("output", "Moodle's maximum is 100 and lab1 has 40 points: set points = 100");
}

/* A worksheet in another language is read, and why it is not written is said. */
static void a_worksheet_in_german(void **state) {
    platform_policy();
    class_write("in/Jane Doe_770001_assignsubmission_file_/kernel.cu", "// one\n");
    class_write(
        "roster.csv",
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Zuletzt geändert (Abgabe)\n"
        "Teilnehmer/in 770001,Jane Doe,jane@x.edu,Zur Bewertung abgegeben,,\"Freitag, 20. November 2026, 23:50\"\n");
    platform_grade(0, "lab1");
    char *words = class_read("output"), path[PATH_SIZE];
    assert_has(words, "moodle/lab1-worksheet.csv is not written: the worksheet is not in English");
    path_join(path, folder, "out/moodle/lab1-worksheet.csv");
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {CLASS_TEST(moodle_worksheet),
                                       CLASS_TEST(moodle_feedback),
                                       CLASS_TEST(a_worksheet_in_german),
                                       CLASS_TEST(moodle_grades),
                                       CLASS_TEST(the_instructors_points_go_out),
                                       CLASS_TEST(another_maximum_is_told)};
    setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

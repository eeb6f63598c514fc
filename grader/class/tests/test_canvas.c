/* test_canvas.c: the files that go back to Canvas, read as its own import reads them. The rules are those of its source, named at each
 * reader. */
#include "support_platforms.h"

#include "report/ncu/csv.h"

#include <locale.h>

/* ---- Canvas */

/* app/models/abstract_assignment.rb, infer_comment_context_from_filename: of the name cut at '_', LATE left out, the first two
 * that are digits alone are the user and the attachment. */
static void canvas_numbers(const char *path, unsigned long numbers[2]) {
    char copy[512], *rest = NULL;
    unsigned count = 0;
    const char *slash = strrchr(path, '/');
    snprintf(copy, sizeof copy, "%s", slash != NULL ? slash + 1 : path);
    for (char *part = strtok_r(copy, "_", &rest); part != NULL && count < 2;
         part = strtok_r(NULL, "_", &rest))
        if (part[strspn(part, "0123456789")] == '\0')
            numbers[count++] = strtoul(part, NULL, 10);
    assert_int_equal(count, 2);
}

/* lib/gradebook_importer.rb: Student and ID first, SIS User ID and SIS Login ID together, a Section last before the
 * assignments; a row that says Points Possible; the separator is guessed by the first three lines. */
static void assert_canvas_reads(const struct csv *csv) {
    assert_true(csv_width(csv, 0) > 3);
    assert_non_null(strstr(csv_cell(csv, 0, 0), "Student"));
    assert_non_null(strstr(csv_cell(csv, 0, 1), "ID"));
    uint32_t students = 3;
    if (strcmp(csv_cell(csv, 0, 2), "SIS Login ID") == 0)
        students = 4;
    else if (strcmp(csv_cell(csv, 0, 2), "SIS User ID") == 0 &&
             strcmp(csv_cell(csv, 0, 3), "SIS Login ID") == 0)
        students = 5;
    assert_non_null(strstr(csv_cell(csv, 0, students - 1), "Section"));
    assert_non_null(strstr(csv_cell(csv, 1, 0), "Points Possible"));
    for (uint32_t row = 1; row < csv->row_count; row++)
        assert_int_equal(csv_width(csv, row), csv_width(csv, 0));
}

static void canvas_class(void) {
    platform_policy();
    class_files("in/doejane_123_900_kernel.cu", "// one\n", "in/doejane_123_901_kernel-1.cu", "// second\n",
                "in/mumax_LATE_45_902_kernel.cu", "// WRONG\n");
    class_archive("in/eve_6_903_work.zip", MEMBER("kernel.cu", "// three\n"));
}

static void canvas_from_a_gradebook(void **state) {
    canvas_class();
    class_write(
        "roster.csv",
        "Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),Lab 1: layout (4711),Lab 10 (4712),Current Score\n"
        ",,,,,,Manual Posting,,\n"
        "    Points Possible,,,,,10,100,100,(read only)\n"
        "\"Doe, Jane\",123,45,jane,\"CS 1, A\",9,,,90\n\"Mu, Max\",45,123,max,B,9,55,,\n\"Eve\",6,,eve,B,,,,\n"
        "\"Fay\",7,,fay,B,,31,,\n\"Student, Test\",8,,0a1b,B,,,,\n");
    class_write("overrides.csv", "student,lab,points,excused,waived,remark\neve,lab1,,yes,,ill\n");
    char overrides[PATH_SIZE];
    path_join(overrides, folder, "overrides.csv");
    class_grade(0, LAB1 " --policy @policy.ini --roster @roster.csv --overrides @overrides.csv");
    const struct csv *csv = platform_csv("canvas/grades.csv");
    assert_canvas_reads(csv);
    assert_string_equal(platform_cell_of(csv, "ID", "6", "Lab 1: layout (4711)"), "EX");
    assert_string_equal(csv_cell(csv, 0, 5), "Lab 1: layout (4711)"); /* neither the essay nor lab 10 */
    assert_int_equal(csv_width(csv, 0), 6);
    assert_string_equal(csv_cell(csv, 1, 5), "100");
    assert_points("45", "lab1", platform_cell_of(csv, "ID", "123", "Lab 1: layout (4711)"));
    assert_string_equal(platform_cell_of(csv, "ID", "45", "Lab 1: layout (4711)"), "0");
    assert_points("123", "lab1", "0");
    assert_string_equal(platform_cell_of(csv, "ID", "123", "Student"), "Doe, Jane");
    assert_string_equal(platform_cell_of(csv, "ID", "123", "Section"), "CS 1, A");
    assert_string_equal(platform_cell_of(csv, "ID", "7", "Lab 1: layout (4711)"),
                        "0"); /* nothing handed in */
    assert_int_equal(csv->row_count, 6);
}

static void canvas_from_its_download_alone(void **state) {
    canvas_class();
    class_grade(0, LAB1 " --policy @policy.ini");
    const struct csv *csv = platform_csv("canvas/grades.csv");
    assert_canvas_reads(csv);
    assert_string_equal(csv_cell(csv, 0, 5), "lab1");
    assert_points("123", "lab1", platform_cell_of(csv, "ID", "123", "lab1"));
    assert_int_equal(csv->row_count, 5);
}

static void canvas_feedback(void **state) {
    canvas_class();
    class_write("in/gus_9_904_kernel.cu.txt", "// four\n");
    class_grade(0, LAB1 " --policy @policy.ini");
    class_has("output",
              "canvas/lab1-feedback.zip is without 2 who handed in an archive, or no kernel.cu (6, 9)");
    ENDED(members_free) struct members zip = members_read("canvas/lab1-feedback.zip");
    assert_int_equal(zip.count, 2);
    for (unsigned i = 0; i < zip.count; i++) {
        unsigned long numbers[2] = {0, 0};
        canvas_numbers(zip.path[i], numbers);
        assert_true((numbers[0] == 123 && numbers[1] == 901) || (numbers[0] == 45 && numbers[1] == 902));
        assert_has(zip.text[i], "// Score ");
    }
    /* it comes back as the student's own file: their kernel, with comments above */
    assert_has(members_text(&zip, "doejane_123_901_kernel-1.cu"), "\n\n// second\n");
    assert_has(members_text(&zip, "mumax_LATE_45_902_kernel.cu"), "// It computes something else");
}

/* What could not be judged is no change. */
static void canvas_keeps_what_waits(void **state) {
    platform_policy();
    class_write("in/doejane_123_900_kernel.cu", "// TROUBLE\n");
    static const char sheet[] = "Student,ID,SIS Login ID,Section,Lab 1 (4711)\n    Points Possible,,,,%s\n"
                                "\"Doe, Jane\",123,jane,A,33\n";
    class_write("roster.csv", class_print(sheet, "40"));
    platform_grade(3, "lab1");
    class_has("output", "canvas/grades.csv is without lab1: Canvas has 40 points for it and the policy 100");
    class_has_not("out/canvas/grades.csv", "Lab 1");
    class_write("roster.csv", class_print(sheet, "100"));
    platform_grade(3, "lab1");
    const struct csv *csv = platform_csv("canvas/grades.csv");
    assert_canvas_reads(csv);
    assert_string_equal(platform_cell_of(csv, "ID", "123", "Lab 1 (4711)"), "33");
}

/* A user's settings there: semicolons, and a comma in the numbers. */
static void canvas_with_semicolons(void **state) {
    canvas_class();
    class_write("roster.csv",
                "Student;ID;SIS User ID;SIS Login ID;Section;Lab 1 (4711)\n    Points Possible;;;;;100,00\n"
                "\"Doe, Jane\";123;45;jane;\"CS; A\";87,5\nMu, Max;45;123;max;B;\nEve;6;;eve;B;\n");
    platform_grade(0, "lab1");
    const struct csv *csv = platform_csv("canvas/grades.csv");
    assert_canvas_reads(csv);
    assert_int_equal(csv->row_count, 5);
    assert_points("45", "lab1", platform_cell_of(csv, "ID", "123", "Lab 1 (4711)"));
    assert_string_equal(platform_cell_of(csv, "ID", "123", "Section"), "CS; A");
    assert_string_equal(platform_cell_of(csv, "ID", "45", "Student"), "Mu, Max");
    char *words = class_read("output");
    assert_has_not(words, "Canvas has"); /* "100,00" is 100 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CLASS_TEST(canvas_from_a_gradebook), CLASS_TEST(canvas_from_its_download_alone),
        CLASS_TEST(canvas_feedback), CLASS_TEST(canvas_with_semicolons), CLASS_TEST(canvas_keeps_what_waits)};
    setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

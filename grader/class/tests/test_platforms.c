/*
 * The files that go back to learning platforms, read as each platform's own import reads them: what it looks for in names and
 * columns, what it takes for whom, what it refuses. The rules are those of the platforms' sources, named at each reader.
 */
#include "support_class.h"

#include "analysis/csv.h"
#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "class/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], policy[PATH_SIZE], roster[PATH_SIZE];

static int set_up(void **state) {
    (void)state;
    class_make(folder);
    return path_join(in, folder, "in") && path_join(out, folder, "out") &&
                   path_join(policy, folder, "policy.ini") && path_join(roster, folder, "roster.csv")
               ? 0
               : -1;
}

static int tear_down(void **state) {
    (void)state;
    class_remove(folder);
    return 0;
}

static void grade_lab(const char *lab) {
    const char *arguments[] = {"--lab",    lab,    "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    int status = class_grade(folder, arguments);
    if (status != 0)
        fail_msg("%d: %s", status, class_read(folder, "output"));
}

static void write_policy(void) {
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\n", 0);
}

static struct csv read_csv(const char *name) {
    struct csv csv;
    char error[TEXT_ERROR], path[PATH_SIZE];
    snprintf(path, sizeof path, "out/%s", name);
    char *text = class_read(folder, path);
    if (!csv_parse(&csv, text, strlen(text), name, error, sizeof error))
        fail_msg("%s", error);
    free(text);
    return csv;
}

/* The cell of a column in the row whose first column (of that name) is this. */
static const char *cell_of(const struct csv *csv, const char *key_column, const char *key,
                           const char *column) {
    int k = csv_column(csv, key_column), c = csv_column(csv, column);
    if (k < 0 || c < 0)
        fail_msg("no column %s or %s", key_column, column);
    for (uint32_t row = 1; row < csv->row_count; row++)
        if (strcmp(csv_cell(csv, row, (uint32_t)k), key) == 0)
            return csv_cell(csv, row, (uint32_t)c);
    fail_msg("no row of %s", key);
    return "";
}

/* The points of grades.csv, the gradebook's own list. */
static void assert_points(const char *student, const char *lab, const char *points) {
    struct csv csv = read_csv("grades.csv");
    for (uint32_t row = 1; row < csv.row_count; row++)
        if (strcmp(csv_cell(&csv, row, 0), student) == 0 && strcmp(csv_cell(&csv, row, 1), lab) == 0) {
            assert_string_equal(csv_cell(&csv, row, 2), points);
            csv_free(&csv);
            return;
        }
    fail_msg("%s has no grade in %s", student, lab);
}

/* ---- archives */

enum { MEMBERS = 16 };
struct members {
    char *path[MEMBERS], *text[MEMBERS];
    unsigned count;
};

static struct members read_zip(const char *name) {
    struct members members = {.count = 0};
    char path[PATH_SIZE], joined[PATH_SIZE];
    snprintf(joined, sizeof joined, "out/%s", name);
    path_join(path, folder, joined);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    archive_read_support_format_zip(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        assert_true(members.count < MEMBERS);
        size_t size = 1 << 20;
        char *text = calloc(1, size);
        assert_true(archive_read_data(archive, text, size - 1) > 0);
        members.path[members.count] = strdup(archive_entry_pathname(entry));
        members.text[members.count++] = text;
    }
    archive_read_free(archive);
    return members;
}

static void free_members(struct members *members) {
    for (unsigned i = 0; i < members->count; i++) {
        free(members->path[i]);
        free(members->text[i]);
    }
}

static const char *member(const struct members *members, const char *path) {
    for (unsigned i = 0; i < members->count; i++)
        if (strcmp(members->path[i], path) == 0)
            return members->text[i];
    fail_msg("no %s in the archive", path);
    return "";
}

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
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "out/%s", name);
    char *text = class_read(folder, path);
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
    free(text);
}

#define WORKSHEET                                                                                            \
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","    \
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n"

static void moodle_class(void) {
    write_policy();
    class_write(in, "Wei Zhang_770017_assignsubmission_file_/kernel.cu", "// one\n", 0);
    class_write(in, "Wei Zhang_770018_assignsubmission_file_/kernel.cu", "// WRONG\n", 0);
    class_write(in, "Zo\xc3\xab O'Hara-\xe6\x9d\x8e_770019_assignsubmission_file_/kernel.cu", "// two\n", 0);
    class_write(in, "Gus \xc3\x96st_770020_assignsubmission_file_/kernel.cu", "// TROUBLE\n", 0);
    class_write(
        folder, "roster.csv",
        "\xef\xbb\xbf" WORKSHEET
        "\"Participant 770017\",\"Wei Zhang\",wei@x.edu,\"Submitted for grading\",,100.00,Yes,"
        "\"Sunday, 1 March 2026, 4:24 PM\",-,\r\n"
        "\"Participant 770018\",\"Wei Zhang\",wei2@x.edu,\"Submitted for grading\",,100.00,Yes,-,-,\"<p>Well, \"\"no\"\"</p>\"\r\n"
        "\"Participant 770019\",\"Zo\xc3\xab O'Hara-\xe6\x9d\x8e\",zoe@x.edu,\"=1+1\",12.00,100.00,Yes,-,-,Score 12 of 100\r\n"
        "\"Participant 770020\",\"Gus \xc3\x96st\",gus@x.edu,,7.50,100.00,Yes,-,-,\r\n"
        "\"Participant 770021\",\"Nob Ody\",nob@x.edu,\"No submission\",,100.00,No,-,-,\r\n",
        0);
}

static int grade_with_trouble(const char *lab) {
    const char *arguments[] = {"--lab",    lab,    "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    return class_grade(folder, arguments);
}

static void moodle_worksheet(void **state) {
    (void)state;
    moodle_class();
    assert_int_equal(grade_with_trouble("lab1"), 3);
    assert_moodle_reads("moodle/lab1-worksheet.csv");
    struct csv csv = read_csv("moodle/lab1-worksheet.csv");
    char *points = strdup(cell_of(&csv, "Identifier", "Participant 770017", "Grade"));
    assert_points("wei@x.edu", "lab1", points);
    assert_points("wei2@x.edu", "lab1", "0");
    assert_string_not_equal(points, "0");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770018", "Grade"), "0");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770021", "Grade"),
                        "0"); /* nothing handed in */
    /* what could not be judged keeps what Moodle has */
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770020", "Grade"), "7.50");
    /* a teacher's words stay, ours are renewed; the rest is as it came, in its place */
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770018", "Feedback comments"),
                        "<p>Well, \"no\"</p>");
    assert_has(cell_of(&csv, "Identifier", "Participant 770017", "Feedback comments"), " of 100 (");
    assert_has(cell_of(&csv, "Identifier", "Participant 770017", "Feedback comments"),
               "<br>speedup / the reference's: ");
    assert_has_not(cell_of(&csv, "Identifier", "Participant 770019", "Feedback comments"), "Score 12 of");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770019", "Status"), "=1+1");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770017", "Last modified (submission)"),
                        "Sunday, 1 March 2026, 4:24 PM");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770021", "Grade can be changed"), "No");
    assert_int_equal(csv.row_count, 6);
    assert_int_equal(csv_width(&csv, 0), 10);
    class_golden(folder, "moodle/lab1-worksheet.csv");
    free(points);
    csv_free(&csv);
}

static void moodle_feedback(void **state) {
    (void)state;
    moodle_class();
    assert_int_equal(grade_with_trouble("lab1"), 3);
    struct members zip = read_zip("moodle/lab1-feedback.zip");
    assert_int_equal(zip.count, 4); /* all but who could not be judged */
    bool seen[5] = {false};
    for (unsigned i = 0; i < zip.count; i++) {
        unsigned long number = moodle_participant(zip.path[i]);
        assert_true(number >= 770017 && number <= 770021 && number != 770020);
        assert_false(seen[(number - 770017) % 5]);
        seen[(number - 770017) % 5] = true;
    }
    /* two of one name: each the own feedback */
    assert_has(member(&zip, "Wei Zhang_770017_assignsubmission_file_/lab1-feedback.html"), "<h2>Goals</h2>");
    assert_has(member(&zip, "Wei Zhang_770018_assignsubmission_file_/lab1-feedback.html"),
               "It computes something else");
    assert_has(
        member(&zip, "Zo\xc3\xab O'Hara-\xe6\x9d\x8e_770019_assignsubmission_file_/lab1-feedback.html"),
        "Goals");
    assert_has(member(&zip, "Nob Ody_770021_assignsubmission_file_/lab1-feedback.html"),
               "Nothing was handed in");
    free_members(&zip);
    /* the same class, the same bytes */
    char *first = class_read(folder, "out/moodle/lab1-worksheet.csv");
    const char *again[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, again), 3);
    char *second = class_read(folder, "out/moodle/lab1-worksheet.csv");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* grade/import/csv/classes/load_data.php: an empty cell in the column that names the user leaves the user of the row before. */
static void moodle_grades(void **state) {
    (void)state;
    write_policy();
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(in, "bob/kernel.cu", "// two\n", 0);
    class_write(in, "cid/kernel.cu", "// TROUBLE\n", 0);
    class_write(in, "dee/kernel.cu", "// one\n", 0);
    class_write(
        folder, "roster.csv",
        "Username,Full name,Email address,ID number\nann,Ann Ash,ann@x.edu,1\nbob,\"Bold, Bob\",bob@x.edu,\n"
        "cid,Cid,cid@x.edu,3\ndee,Dee,,4\nfay,Fay,fay@x.edu,5\n",
        0);
    assert_int_equal(grade_with_trouble("lab1"), 3);
    assert_int_equal(grade_with_trouble("lab2"), 3);
    assert_moodle_reads("moodle/grades.csv");
    struct csv csv = read_csv("moodle/grades.csv");
    static const char *const headings[] = {"Username", "Full name", "lab1", "lab2"};
    assert_int_equal(csv_width(&csv, 0),
                     4); /* neither ID number nor email: one who has none would get another's grade */
    for (uint32_t c = 0; c < 4; c++)
        assert_string_equal(csv_cell(&csv, 0, c), headings[c]);
    assert_int_equal(csv.row_count, 6);
    for (uint32_t row = 1; row < csv.row_count; row++)
        assert_string_not_equal(csv_cell(&csv, row, 0), "");
    assert_points("1", "lab1", cell_of(&csv, "Username", "ann", "lab1"));
    assert_points("1", "lab2", cell_of(&csv, "Username", "ann", "lab2"));
    assert_string_equal(cell_of(&csv, "Username", "fay", "lab1"), "0");
    assert_string_equal(cell_of(&csv, "Username", "cid", "lab1"), "-"); /* Moodle's word for no grade */
    csv_free(&csv);
    /* who cannot be named is left out, and the instructor is told */
    class_write(folder, "roster.csv", "student,email\nann,ann@x.edu\nbob,bob@x.edu\ncid,cid@x.edu\ndee,\n",
                0);
    class_delete(folder, "in/cid/kernel.cu");
    const char *replaced[] = {"--lab",    "lab1", "--submissions", in,  "--policy",  policy,
                              "--roster", roster, "--out",         out, "--replace", NULL};
    char other[PATH_SIZE];
    path_join(other, folder, "other");
    replaced[9] = other;
    assert_int_equal(class_grade(folder, replaced), 0);
    char *words = class_read(folder, "output");
    assert_has(words, "moodle/grades.csv is without 1 of 4 students: they have no Email address");
    free(words);
    char *text = class_read(folder, "other/moodle/grades.csv");
    assert_has_not(text, "dee");
    assert_has(text, "Email address,Full name,lab1\r\n");
    free(text);
}

/* Points that the instructor gives are points, whatever the grader has come to. */
static void the_instructors_points_go_out(void **state) {
    (void)state;
    moodle_class();
    char overrides[PATH_SIZE];
    path_join(overrides, folder, "overrides.csv");
    class_write(folder, "overrides.csv",
                "student,lab,points,excused,waived,remark\ngus@x.edu,lab1,80,,,by hand\n", 0);
    const char *arguments[] = {"--lab",    "lab1", "--submissions", in,        "--policy", policy,
                               "--roster", roster, "--overrides",   overrides, "--out",    out,
                               NULL};
    class_grade(folder, arguments);
    assert_points("gus@x.edu", "lab1", "80");
    struct csv csv = read_csv("moodle/lab1-worksheet.csv");
    assert_string_equal(cell_of(&csv, "Identifier", "Participant 770020", "Grade"), "80");
    assert_has(cell_of(&csv, "Identifier", "Participant 770020", "Feedback comments"), "by hand");
    csv_free(&csv);
}

/* A maximum that is not the lab's would be other marks, and Moodle drops those above it without a word. */
static void another_maximum_is_told(void **state) {
    (void)state;
    moodle_class();
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 40\n", 0);
    assert_int_equal(grade_with_trouble("lab1"), 3);
    char *words = class_read(folder, "output");
    assert_has(words, "Moodle's maximum is 100 and lab1 has 40 points: set points = 100");
    free(words);
}

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
    static const struct class_member inner[] = {{.path = "kernel.cu", .text = "// three\n"}};
    write_policy();
    class_write(in, "doejane_123_900_kernel.cu", "// one\n", 0);
    class_write(in, "doejane_123_901_kernel-1.cu", "// second\n", 0);
    class_write(in, "mumax_LATE_45_902_kernel.cu", "// WRONG\n", 0);
    class_archive(in, "eve_6_903_work.zip", inner, 1);
}

static void canvas_from_a_gradebook(void **state) {
    (void)state;
    canvas_class();
    class_write(
        folder, "roster.csv",
        "Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),Lab 1: layout (4711),Lab 10 (4712),Current Score\n"
        ",,,,,,Manual Posting,,\n"
        "    Points Possible,,,,,10,100,100,(read only)\n"
        "\"Doe, Jane\",123,45,jane,\"CS 1, A\",9,,,90\n\"Mu, Max\",45,123,max,B,9,55,,\n\"Eve\",6,,eve,B,,,,\n"
        "\"Fay\",7,,fay,B,,31,,\n\"Student, Test\",8,,0a1b,B,,,,\n",
        0);
    class_write(folder, "overrides.csv", "student,lab,points,excused,waived,remark\neve,lab1,,yes,,ill\n", 0);
    char overrides[PATH_SIZE];
    path_join(overrides, folder, "overrides.csv");
    const char *arguments[] = {"--lab",    "lab1", "--submissions", in,        "--policy", policy,
                               "--roster", roster, "--overrides",   overrides, "--out",    out,
                               NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    struct csv csv = read_csv("canvas/grades.csv");
    assert_canvas_reads(&csv);
    assert_string_equal(cell_of(&csv, "ID", "6", "Lab 1: layout (4711)"), "EX");
    assert_string_equal(csv_cell(&csv, 0, 5), "Lab 1: layout (4711)"); /* neither the essay nor lab 10 */
    assert_int_equal(csv_width(&csv, 0), 6);
    assert_string_equal(csv_cell(&csv, 1, 5), "100");
    assert_points("45", "lab1", cell_of(&csv, "ID", "123", "Lab 1: layout (4711)"));
    assert_string_equal(cell_of(&csv, "ID", "45", "Lab 1: layout (4711)"), "0");
    assert_points("123", "lab1", "0");
    assert_string_equal(cell_of(&csv, "ID", "123", "Student"), "Doe, Jane");
    assert_string_equal(cell_of(&csv, "ID", "123", "Section"), "CS 1, A");
    assert_string_equal(cell_of(&csv, "ID", "7", "Lab 1: layout (4711)"), "0"); /* nothing handed in */
    assert_int_equal(csv.row_count, 6);
    csv_free(&csv);
}

static void canvas_from_its_download_alone(void **state) {
    (void)state;
    canvas_class();
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    struct csv csv = read_csv("canvas/grades.csv");
    assert_canvas_reads(&csv);
    assert_string_equal(csv_cell(&csv, 0, 5), "lab1");
    assert_points("123", "lab1", cell_of(&csv, "ID", "123", "lab1"));
    assert_int_equal(csv.row_count, 5);
    csv_free(&csv);
}

static void canvas_feedback(void **state) {
    (void)state;
    canvas_class();
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    char *words = class_read(folder, "output");
    assert_has(words, "canvas/lab1-feedback.zip is without 1 students, who handed in an archive");
    free(words);
    struct members zip = read_zip("canvas/lab1-feedback.zip");
    assert_int_equal(zip.count, 2);
    for (unsigned i = 0; i < zip.count; i++) {
        unsigned long numbers[2] = {0, 0};
        canvas_numbers(zip.path[i], numbers);
        assert_true((numbers[0] == 123 && numbers[1] == 901) || (numbers[0] == 45 && numbers[1] == 902));
        assert_has(zip.text[i], "// Score ");
    }
    /* it comes back as the student's own file: their kernel, with comments above */
    assert_has(member(&zip, "doejane_123_901_kernel-1.cu"), "\n\n// second\n");
    assert_has(member(&zip, "mumax_LATE_45_902_kernel.cu"), "// It computes something else");
    free_members(&zip);
}

/* What could not be judged is no change. */
static void canvas_keeps_what_waits(void **state) {
    (void)state;
    write_policy();
    class_write(in, "doejane_123_900_kernel.cu", "// TROUBLE\n", 0);
    class_write(
        folder, "roster.csv",
        "Student,ID,SIS Login ID,Section,Lab 1 (4711)\n    Points Possible,,,,40\n\"Doe, Jane\",123,jane,A,33\n",
        0);
    assert_int_equal(grade_with_trouble("lab1"), 3);
    struct csv csv = read_csv("canvas/grades.csv");
    assert_canvas_reads(&csv);
    assert_string_equal(cell_of(&csv, "ID", "123", "Lab 1 (4711)"), "33");
    csv_free(&csv);
    char *words = class_read(folder, "output");
    assert_has(words, "Canvas has 40 points for lab1 and the policy 100");
    free(words);
}

/* ---- Gradescope (gradescope-autograders.readthedocs.io, Autograder Specifications) */

static void assert_keys(const json_t *object, const char *const *known) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        bool found = false;
        for (size_t i = 0; known[i] != NULL && !found; i++)
            found = strcmp(known[i], key) == 0;
        if (!found)
            fail_msg("\"%s\" is no key of Gradescope's", key);
    }
}

static const char *one_of(const json_t *object, const char *key, const char *const *values) {
    const char *value = json_string_value(json_object_get(object, key));
    for (size_t i = 0; value != NULL && values[i] != NULL; i++)
        if (strcmp(values[i], value) == 0)
            return value;
    return value == NULL ? "" : NULL;
}

/* Only what the specification has, and a score that is the sum of the tests: where both are there Gradescope counts the score
 * and shows the tests. */
/* unknown: the gradebook has no points; Gradescope must have some. */
static void assert_gradescope_reads(const char *student, const char *lab, bool unknown) {
    static const char *const keys[] = {"score",         "execution_time",     "output",
                                       "output_format", "test_output_format", "test_name_format",
                                       "visibility",    "stdout_visibility",  "extra_data",
                                       "tests",         "leaderboard",        NULL};
    static const char *const test_keys[] = {"score",       "max_score",  "status",     "name",
                                            "name_format", "number",     "output",     "output_format",
                                            "tags",        "visibility", "extra_data", NULL};
    static const char *const visibilities[] = {"hidden", "after_due_date", "after_published", "visible",
                                               NULL};
    static const char *const formats[] = {"text", "html", "simple_format", "md", "ansi", NULL};
    char name[128];
    snprintf(name, sizeof name, "out/gradescope/%s/%s.json", lab, student);
    char *text = class_read(folder, name);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_keys(json, keys);
    assert_non_null(one_of(json, "visibility", visibilities));
    assert_non_null(one_of(json, "output_format", formats));
    double sum = 0, max = 0;
    unsigned hidden = 0;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(json, "tests"), index, test) {
        assert_keys(test, test_keys);
        double score = json_number_value(json_object_get(test, "score"));
        hidden += strcmp(one_of(test, "visibility", visibilities), "hidden") == 0;
        sum += score;
        max += json_number_value(json_object_get(test, "max_score"));
        assert_true(score >= 0 && score <= json_number_value(json_object_get(test, "max_score")));
    }
    assert_true(fabs(sum - json_number_value(json_object_get(json, "score"))) < 1e-9);
    /* a 0 that is no grade is not shown as one: a hidden test hides the total */
    assert_int_equal(hidden, unknown ? 1 : 0);
    assert_true(index == hidden || fabs(max - 100) < 1e-9);
    char points[32];
    snprintf(points, sizeof points, "%.10g", json_number_value(json_object_get(json, "score")));
    assert_points(student, lab, unknown ? "" : points);
    json_decref(json);
    free(text);
}

static void gradescope_adds_up(void **state) {
    (void)state;
    static const char *const students[] = {"ann", "bob", "cid", "dee", "eve"};
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY
                "\npoints = 100\ndevices = sim cuda\ndeadline = 2026-01-02 00:00 Z\n"
                "late_percent_per_day = 33\n",
                0);
    class_write(in, "ann/kernel.cu", "// one\n", 1767225600);
    class_write(in, "bob/kernel.cu", "// two\n", 1767225600 + 2 * 86400); /* late */
    class_write(in, "cid/kernel.cu", "// FLAG\n", 1767225600);
    class_write(in, "dee/kernel.cu", "// TROUBLE\n", 1767225600);
    class_write(in, "eve/kernel.cu", "// three\n", 1767225600 + 3 * 86400); /* later */
    class_write(
        folder, "roster.csv",
        "student,submitted\nann,2026-01-01 00:00 Z\nbob,2026-01-03 00:00 Z\ncid,2026-01-01 00:00 Z\ndee,\n"
        "eve,2026-01-04 00:00 Z\n",
        0);
    assert_int_equal(grade_with_trouble("lab1"), 3);
    for (size_t i = 0; i < sizeof students / sizeof *students; i++)
        assert_gradescope_reads(students[i], "lab1", strcmp(students[i], "dee") == 0);
}

/* ---- JUnit, read by somebody else's parser. The rules are those that its readers share (Jenkins' junit-10.xsd): a suite counts its
 * cases by outcome; a case has a name, at most one of skipped, error and failure, and what was printed behind it. */
static void junit_is_read(void **state) {
    (void)state;
    static const char reader[] =
        "import sys, xml.etree.ElementTree as tree\n"
        "suite = tree.parse(sys.argv[1]).getroot()\n"
        "assert suite.tag == 'testsuite' and suite.get('name')\n"
        "cases = list(suite)\n"
        "kinds = {'skipped': 'skipped', 'error': 'errors', 'failure': 'failures'}\n"
        "assert all(c.tag == 'testcase' and set(c.attrib) == {'classname', 'name'} for c in cases)\n"
        "assert int(suite.get('tests')) == len(cases) == len({c.get('name') for c in cases})\n"
        "for kind, count in kinds.items():\n"
        "    assert int(suite.get(count)) == sum(c.find(kind) is not None for c in cases), kind\n"
        "for c in cases:\n"
        "    tags = [e.tag for e in c]\n"
        "    assert tags in (['system-out'], *([k, 'system-out'] for k in kinds)), tags\n"
        "    assert all(e.get('message') for e in c if e.tag in kinds)\n"
        "    print(c.get('name'), tags[0])\n";
    write_policy();
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(in, "b<&\"'>b/kernel.cu", "// WRONG\n", 0);
    class_write(in,
                "c\xc3\xaf"
                "d ]]>/kernel.cu",
                "// FLAG\n", 0);
    class_write(in, "dee/kernel.cu", "// TROUBLE\n", 0);
    class_write(in, "eve/readme", "none\n", 0);
    class_write(in, "fay/kernel.cu", "// two\n", 0);
    class_write(folder, "overrides.csv",
                "student,lab,points,excused,waived,remark\nfay,lab1,,yes,,ill\nann,lab1,90,,,well\n", 0);
    char words[PATH_SIZE], file[PATH_SIZE], said[4096];
    assert_true(path_join(words, folder, "overrides.csv") && path_join(file, out, "junit.xml"));
    const char *arguments[] = {"--lab",       "lab1", "--submissions", in,  "--policy", policy,
                               "--overrides", words,  "--out",         out, NULL};
    assert_int_equal(class_grade(folder, arguments), 3);
    if (child_run((const char *const[]){"python3", "--version", NULL}, NULL, 0) != 0) {
        print_message("skipped: there is no python3\n");
        skip();
    }
    if (child_run((const char *const[]){"python3", "-c", reader, file, NULL}, said, sizeof said) != 0)
        fail_msg("%s", said);
    assert_has(said, "ann system-out\n");
    assert_has(said, "b<&\"'>b failure\n");
    assert_has(said, "dee error\n");
    assert_has(said, "eve failure\n");
    assert_has(said, "fay skipped\n");
}

/* The archive to upload: setup.sh and run_autograder at its root, to be run, and the kit beside them. */
static void gradescope_archive(void **state) {
    (void)state;
    static const char *const needed[] = {"setup.sh", "run_autograder", "lab", "kit/Makefile", "policy.ini"};
    unsigned found = 0;
    char path[PATH_SIZE], build[PATH_SIZE], variable[PATH_SIZE + 8], policy_is[PATH_SIZE + 8], output[1024];
    write_policy();
    path_join(build, folder, "build");
    snprintf(variable, sizeof variable, "BUILD=%s", build);
    snprintf(policy_is, sizeof policy_is, "POLICY=%s", policy);
    const char *const make[] = {"make", "gradescope", "LAB=lab1", variable, policy_is, NULL};
    if (child_run((const char *const[]){"git", "rev-parse", "HEAD", NULL}, NULL, 0) != 0) {
        print_message("skipped: this is no clone\n");
        skip();
    }
    int status = child_run(make, output, sizeof output);
    if (status != 0)
        fail_msg("%d: %s", status, output);
    path_join(path, build, "autograder-lab1.zip");
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    archive_read_support_format_zip_seekable(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK)
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            if (strcmp(archive_entry_pathname(entry), needed[i]) == 0) {
                found++;
                assert_true(i >= 2 || (archive_entry_perm(entry) & 0111) == 0111);
            }
    archive_read_free(archive);
    assert_int_equal(found, sizeof needed / sizeof *needed);
}

/* ---- Autolab (app/helpers/assessment_autograde_core.rb): the last line that is not empty is JSON after each WORD: has become
 * "WORD": there, and has scores, each of a problem of that name. */

static void autolab_reads_the_last_line(void **state) {
    (void)state;
    write_policy();
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(folder, "roster.csv", "student\nann\n", 0);
    grade_lab("lab1");
    char *text = class_read(folder, "out/autolab/lab1/ann.txt"), fixed[512];
    size_t length = strlen(text), used = 0;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    const char *line = strrchr(text, '\n') + 1;
    for (const char *c = line; *c != '\0' && used + 3 < sizeof fixed; c++) {
        size_t word = 0;
        while (isalnum((unsigned char)c[word]))
            word++;
        if (word > 0 && c[word] == ':') {
            used += (size_t)snprintf(fixed + used, sizeof fixed - used, "\"%.*s\":", (int)word, c);
            c += word;
        } else {
            fixed[used++] = *c;
        }
    }
    fixed[used] = '\0';
    json_t *json = json_loads(fixed, 0, NULL);
    const json_t *scores = json_object_get(json, "scores");
    assert_int_equal(json_object_size(scores), 1);
    char points[32];
    snprintf(points, sizeof points, "%.10g", json_number_value(json_object_get(scores, "lab1")));
    assert_points("ann", "lab1", points);
    json_decref(json);
    free(text);
}

/* Its Makefile, as Autolab runs it: beside autograde.tar and what was handed in, all output together. */
static void autolab_makefile(void **state) {
    (void)state;
    char fake[PATH_SIZE], place[PATH_SIZE], root[PATH_SIZE], command[PATH_SIZE * 6], output[16384];
    const char *const shell[] = {"/bin/sh", "-c", command, NULL};
    write_policy();
    class_program("tests/class/fake-grade-job", fake);
    path_join(place, folder, "autolab");
    assert_non_null(getcwd(root, sizeof root));
    snprintf(command, sizeof command, "make -s autolab LAB=lab2 BUILD=%s POLICY=%s && mv %s/autolab-lab2 %s",
             folder, policy, folder, place);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    class_write(folder, "autolab/kernel.cu", "// one\n", 0);
    struct home home;
    assert_true(home_find(&home, output, sizeof output));
    snprintf(command, sizeof command,
             "cd %s && make -s -f autograde-Makefile KIT=%s BUILD=%s GRADE_OPTIONS='--grade-job %s'", place,
             root, home.build, fake);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    assert_has(output, "lab2 of me\n");
    assert_has(output, "\n{\"scores\": {\"lab2\": ");
    /* trouble has no line of scores: what is there in Autolab stays */
    class_write(folder, "autolab/kernel.cu", "// TROUBLE\n", 0);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    assert_has(output, "this is not your fault");
    assert_has_not(output, "scores");
}

/* ---- nbgrader (plugins/export.py): these columns; the score is what is left of the raw score after the penalty. */

static void nbgrader_columns(void **state) {
    (void)state;
    static const char *const columns[] = {"assignment", "duedate",   "timestamp",
                                          "student_id", "last_name", "first_name",
                                          "email",      "raw_score", "late_submission_penalty",
                                          "score",      "max_score"};
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npoints = 100\ndeadline = 2026-01-02 00:00 Z\n", 0);
    class_write(in, "ann/kernel.cu", "// one\n", 1767225600);
    class_write(in, "bob/kernel.cu", "// two\n", 1767225600 + 2 * 86400);
    class_write(
        folder, "roster.csv",
        "student,name,submitted\nann,Ann Ash,2026-01-01 00:00 Z\nbob,Bob,2026-01-03 00:00 Z\ncid,Cid,\n", 0);
    grade_lab("lab1");
    struct csv csv = read_csv("nbgrader.csv");
    assert_int_equal(csv_width(&csv, 0), 11);
    for (uint32_t c = 0; c < 11; c++)
        assert_string_equal(csv_cell(&csv, 0, c), columns[c]);
    assert_int_equal(csv.row_count, 4);
    for (uint32_t row = 1; row < csv.row_count; row++) {
        double raw, penalty, score;
        int64_t time;
        assert_true(csv_number(csv_cell(&csv, row, 7), &raw) &&
                    csv_number(csv_cell(&csv, row, 8), &penalty) &&
                    csv_number(csv_cell(&csv, row, 9), &score));
        assert_true(fabs(score - fmax(0, raw - penalty)) < 0.011);
        assert_true(text_parse_time(csv_cell(&csv, row, 1), &time));
        assert_points(csv_cell(&csv, row, 3), "lab1", csv_cell(&csv, row, 9));
    }
    csv_free(&csv);
}

/* ---- GitHub Classroom */

/* The workflow's own commands, each a goal of this kit, and no tab, which YAML forbids. */
static void github_workflow(void **state) {
    (void)state;
    char error[TEXT_ERROR];
    size_t length;
    char *text = file_read("grader/github/judge.yml", 1 << 16, &length, error, sizeof error);
    char *verbs = file_read("common/make/labs.mk", 1 << 16, &length, error, sizeof error);
    if (text == NULL || verbs == NULL)
        fail_msg("%s", error);
    assert_null(strchr(text, '\t'));
    assert_has(text, "\n        run: make setup\n");
    assert_has(text, "\n        run: make \"$LAB-pass\" DEVICE=sim\n");
    assert_has(
        text,
        "\n        if: always()\n        run: make --silent \"$LAB-summary\" >> \"$GITHUB_STEP_SUMMARY\"\n");
    assert_has(verbs, "\n$(LABS:=-pass)");
    assert_has(verbs, "\n$(LABS:=-summary):");
    free(text);
    free(verbs);
}

static void github(void **state) {
    (void)state;
    write_policy();
    class_write(folder, "lab1-submissions/lab1-octojane/labs/lab1-memory-layout/kernel.cu", "// one\n", 0);
    class_write(folder, "lab1-submissions/lab1-max/labs/lab1-memory-layout/kernel.cu", "// WRONG `` ```\n",
                0);
    class_write(folder, "roster.csv",
                "identifier,github_username,github_id,name\ns1,octojane,5,\ns2,max,6,\ns3,,,\n", 0);
    path_join(in, folder, "lab1-submissions");
    grade_lab("lab1");
    struct csv csv = read_csv("github/grades.csv");
    static const char *const columns[] = {
        "assignment_name",   "assignment_url",          "starter_code_url",       "github_username",
        "roster_identifier", "student_repository_name", "student_repository_url", "submission_timestamp",
        "points_awarded",    "points_available"};
    assert_int_equal(csv_width(&csv, 0), 10);
    for (uint32_t c = 0; c < 10; c++)
        assert_string_equal(csv_cell(&csv, 0, c), columns[c]);
    assert_points("s1", "lab1", cell_of(&csv, "github_username", "octojane", "points_awarded"));
    assert_string_equal(cell_of(&csv, "github_username", "octojane", "student_repository_name"),
                        "lab1-octojane");
    assert_string_equal(cell_of(&csv, "github_username", "octojane", "roster_identifier"), "s1");
    assert_string_equal(cell_of(&csv, "github_username", "max", "points_awarded"), "0");
    assert_string_equal(cell_of(&csv, "roster_identifier", "s3", "points_available"), "100");
    csv_free(&csv);
    char *feedback = class_read(folder, "out/github/lab1/lab1-max.md");
    assert_has(feedback, "# lab1: 0 of 100 points, not passed\n");
    assert_has(feedback, "\\<b\\>1 of 49\\</b\\> cases.\n\n```text\n");
    free(feedback);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(moodle_worksheet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moodle_feedback, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moodle_grades, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_instructors_points_go_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_maximum_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(canvas_from_a_gradebook, set_up, tear_down),
        cmocka_unit_test_setup_teardown(canvas_from_its_download_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(canvas_feedback, set_up, tear_down),
        cmocka_unit_test_setup_teardown(canvas_keeps_what_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(github, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gradescope_adds_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gradescope_archive, set_up, tear_down),
        cmocka_unit_test_setup_teardown(junit_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(autolab_reads_the_last_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nbgrader_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(autolab_makefile, set_up, tear_down),
        cmocka_unit_test(github_workflow),
    };
    setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

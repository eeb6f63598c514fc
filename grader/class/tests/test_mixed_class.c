/*
 * A class of all kinds of submissions, over four platforms' downloads and plain folders: every student's points, outcome, late days and
 * whether a human has to look are what they must be, and nobody else is in the list. NUMBER students (12 for each, if it is not set); with
 * REAL_JUDGE=1 every kernel is another one, and is compiled and judged (make test-class): some 5 seconds of processor time each.
 */
#include "support_class.h"

#include "base/file.h"
#include "report/ncu/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { RIGHT, WRONG, BUILD, TIMEOUT, LATE, AGAIN, NO_KERNEL, ARCHIVE, MISSING, LOOKS, KINDS };
enum { MOODLE, CANVAS, GRADESCOPE, GITHUB, FOLDERS, PLATFORMS };
enum { PLATFORM_LEAST = 12 };

static double full; /* points of what is right */

static bool real(void) {
    return getenv("REAL_JUDGE") != NULL;
}

static unsigned students_of_each(void) {
    const char *number = getenv("NUMBER");
    unsigned all = number != NULL ? (unsigned)strtoul(number, NULL, 10) : 0;
    return all > 0 ? (all + PLATFORMS - 1) / PLATFORMS : PLATFORM_LEAST;
}

/* A kernel of this kind, for the caller to free. */
static char *kernel_of(enum kind kind, const char *student) {
    static const char *const files
        [] = {[RIGHT] = "honest/lab1_template.cu",
              [WRONG] = "honest/lab1_wrong_off_by_one.cu",
              [BUILD] = "honest/lab1_wrong_syntax.cu",
              [TIMEOUT] = "honest/lab1_wrong_infinite_loop.cu"},
   *const words[] = {
       [RIGHT] = "// right\n", [WRONG] = "// WRONG\n", [BUILD] = "// BUILD\n", [TIMEOUT] = "// TIMEOUT\n"};
    char path[PATH_SIZE], *whole = NULL;
    kind = kind <= TIMEOUT ? kind : RIGHT;
    if (!real())
        return strdup(words[kind]);
    if (!path_join(path, folder, "honest") || access(path, F_OK) != 0)
        class_honest(folder, "honest");
    char *text = class_read(folder, files[kind]);
    assert_true(asprintf(&whole, "%s\n// of %s\n", text, student) > 0);
    free(text);
    return whole;
}

/* What a row of grades.csv must say. Canvas tells who is late, and not when: nothing is taken off, and a human is told. */
struct expected {
    double points;
    const char *outcome;
    unsigned late_days;
    const char *human; /* words of why somebody has to look; "": nobody has */
};

static struct expected expected(unsigned platform, unsigned i) {
    static const struct expected kinds[KINDS] = {
        [RIGHT] = {1, "judged", 0, ""},
        [WRONG] = {0, "failed", 0, ""},
        [BUILD] = {0, "build-failed", 0, ""},
        [TIMEOUT] = {0, "failed", 0, "Flags cost it all points: look whether they are deserved."},
        [LATE] = {0.9, "judged", 1, ""},
        [AGAIN] = {1, "judged", 0, ""},
        [NO_KERNEL] = {0, "missing", 0, "Something was handed in, but no kernel.cu to judge."},
        [ARCHIVE] = {1, "judged", 0, ""},
        [MISSING] = {0, "missing", 0, ""},
        [LOOKS] = {1, "judged", 0, ""}};
    enum kind kind = i % KINDS;
    struct expected must = kinds[kind];
    if (platform == CANVAS && kind == LATE)
        must = (struct expected){1, "judged", 0,
                                 "The platform calls it late, and when it was handed in is not known."};
    if (platform == FOLDERS && (kind == LOOKS || kind == MISSING))
        must.human = kind == LOOKS ? "Looks like student" : "Looks like \xd1\x95tudent";
    must.points *= full;
    return must;
}

/* Where a file lies that was handed in. Canvas has no folders: the number of the file stands between, and a second kernel.cu is
 * kernel-1.cu. */
static void place(char name[512], unsigned platform, const char *part, unsigned attempt, const char *file) {
    if (platform == CANVAS)
        snprintf(name, 512, "%s_%u_%s", part, 88000 + attempt, file);
    else
        snprintf(name, 512, "%s/%s", part, file);
}

/* What a student of this kind hands in, in this part of theirs. */
static void hand_in(const char *in, unsigned platform, const char *part, enum kind kind,
                    const char *student) {
    char name[512], *kernel = kernel_of(kind, student), *before = kernel_of(WRONG, student);
    if (kind == NO_KERNEL) {
        place(name, platform, part, 1, "report.txt");
        class_write(in, name, "I could not do it.\n", 0);
    } else if (kind == ARCHIVE) {
        const struct class_member inside[] = {{.path = "work/deep/kernel.cu", .text = kernel},
                                              {.path = "work/../../out.cu", .text = "x"},
                                              {.path = "work/link.cu", .link = "/etc/passwd"}};
        place(name, platform, part, 1, "work.zip");
        class_archive(in, name, inside, 3);
    } else if (kind == AGAIN) {
        place(name, platform, part, 1, platform == CANVAS ? "kernel.cu" : "first/kernel.cu");
        class_write(in, name, before, 1767225600);
        place(name, platform, part, 2, platform == CANVAS ? "kernel-1.cu" : "kernel.cu");
        class_write(in, name, kernel, 1767225600 + 60);
    } else if (kind != MISSING) {
        place(name, platform, part, 1, "kernel.cu");
        class_write(in, name, kernel, 1767225600 + 60);
    }
    free(kernel);
    free(before);
}

/* ---- the platforms: the list of the class, and a student's part and row in it */

/* A name that has no Latin letter, and one with a quote. */
static const char *full_name(unsigned i) {
    static const char *const names[] = {"Wei Zhang", "\xe6\x9d\x8e \xe4\xbc\x9f", "Zo\xc3\xab O'Hara"};
    return names[i % 3];
}

static const struct platform {
    const char *title, *head;
} platforms[PLATFORMS] = {
    [MOODLE] = {"moodle", "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\","
                          "\"Grade can be changed\",\"Last modified (submission)\",\"Last modified (grade)\","
                          "\"Feedback comments\"\n"},
    [CANVAS] = {"canvas", "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711)\n"
                          "    Points Possible,,,,,100\n"},
    [GRADESCOPE] = {"gradescope", "sid,name\n"},
    [GITHUB] = {"github", "student,submitted\n"},
    [FOLDERS] = {"folders", "student,submitted\n"}};

/* A class that is being made: where, and its lists. */
struct making {
    unsigned platform;
    const char *in;
    FILE *list, *metadata; /* metadata: Gradescope's own */
};

static void add_student(const struct making *class, unsigned i, char student[64]) {
    char part[256];
    enum kind kind = i % KINDS;
    bool late = kind == LATE, missing = kind == MISSING;
    switch (class->platform) {
    case MOODLE:
        snprintf(student, 64, "s%u@x.edu", i);
        snprintf(part, sizeof part, "%s_%u_assignsubmission_file_", full_name(i), 770000 + i);
        fprintf(class->list, "\"Participant %u\",\"%s\",%s,,,100.00,Yes,\"%s\",-,\n", 770000 + i,
                full_name(i), student,
                missing ? "-"
                : late  ? "Friday, 2 January 2026, 4:24 PM"
                        : "Thursday, 1 January 2026, 4:24 PM");
        break;
    case CANVAS:
        snprintf(student, 64, "sis%u", i);
        snprintf(part, sizeof part, "%s_%s%u", i % 3 == 0 ? "zhangwei" : "ohara", late ? "LATE_" : "",
                 4000 + i);
        fprintf(class->list, "\"%s\",%u,%s,login%u,A,\n", full_name(i), 4000 + i, student, i);
        break;
    case GRADESCOPE:
        snprintf(student, 64, "%u", 9000 + i);
        snprintf(part, sizeof part, "assignment_9_export/submission_%u", i + 1);
        fprintf(class->list, "%s,%s\n", student, full_name(i));
        if (!missing)
            fprintf(class->metadata,
                    "submission_%u:\n  :submitters:\n  - :name: %s\n    :sid: '%s'\n    :email: s%u@x.edu\n"
                    "  :created_at: 2026-01-0%d 16:24:05.349160000 Z\n",
                    i + 1, full_name(i), student, i, late ? 2 : 1);
        break;
    default:
        /* in folders, who looks like the one before; GitHub's names have no such letters */
        snprintf(student, 64, "%s%u",
                 kind == LOOKS && class->platform == FOLDERS ? "\xd1\x95tudent" : "student",
                 kind == LOOKS && class->platform == FOLDERS ? i - 1 : i);
        snprintf(part, sizeof part, class->platform == GITHUB ? "lab1-submissions/lab1-%s" : "%s", student);
        fprintf(class->list, "%s,%s\n", student,
                missing ? ""
                : late  ? "2026-01-02 16:24 Z"
                        : "2026-01-01 16:24 Z");
    }
    hand_in(class->in, class->platform, part, kind, student);
}

static int grade(const char *in, const char *roster, const char *policy) {
    char out[PATH_SIZE];
    path_join(out, folder, "out");
    const char *arguments[] = {"--lab",         "lab1",
                               "--submissions", in,
                               "--policy",      policy,
                               "--out",         out,
                               "--replace",     roster != NULL ? "--roster" : NULL,
                               roster,          NULL};
    return class_grade(folder, arguments);
}

/* The row of a student; 0: there is none. */
static uint32_t row_of(const struct csv *csv, const char *student) {
    for (uint32_t row = 1; row < csv->row_count; row++)
        if (strcmp(csv_cell(csv, row, 0), student) == 0)
            return row;
    return 0;
}

static const char *cell(const struct csv *csv, uint32_t row, const char *column) {
    int c = csv_column(csv, column);
    assert_true(c >= 0);
    return csv_cell(csv, row, (uint32_t)c);
}

/* Is the row what it must be? */
static bool is_as_expected(const struct csv *csv, const char *student, unsigned platform, unsigned i) {
    struct expected must = expected(platform, i);
    uint32_t row = row_of(csv, student);
    if (row == 0) {
        print_message("%s has no row\n", student);
        return false;
    }
    const char *points = cell(csv, row, "points"), *human = cell(csv, row, "needs_human");
    bool right =
        points[0] != '\0' && fabs(strtod(points, NULL) - must.points) <= 0.006 &&
        strcmp(cell(csv, row, "outcome"), must.outcome) == 0 &&
        strtoul(cell(csv, row, "late_days"), NULL, 10) == must.late_days &&
        (must.human[0] == '\0' ? human[0] == '\0' : strncmp(human, must.human, strlen(must.human)) == 0);
    if (!right)
        print_message("%s, %s (kind %u): %s points, not %g; %s, %s late days, flags %s, human: %s\n",
                      platforms[platform].title, student, i % KINDS, points, must.points,
                      cell(csv, row, "outcome"), cell(csv, row, "late_days"), cell(csv, row, "flags"), human);
    return right;
}

static struct csv read_grades(void) {
    struct csv csv;
    char error[TEXT_ERROR], *text = class_read(folder, "out/grades.csv");
    if (!csv_parse(&csv, text, strlen(text), "grades.csv", error, sizeof error))
        fail_msg("%s", error);
    free(text);
    return csv;
}

static const char *write_policy(char policy[PATH_SIZE]) {
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npoints = 100\ndeadline = 2026-01-02 00:00 Z\n"
                "late_percent_per_day = 10\n",
                0);
    path_join(policy, folder, "policy.ini");
    return policy;
}

/* What the right kernel gets, in time. */
static void learn_full(void) {
    char in[PATH_SIZE], policy[PATH_SIZE], roster[PATH_SIZE], *kernel = kernel_of(RIGHT, "one");
    class_make(folder);
    class_write(folder, "in/one/kernel.cu", kernel, 0);
    class_write(folder, "roster.csv", "student,submitted\none,2026-01-01 16:24 Z\n", 0);
    path_join(in, folder, "in");
    path_join(roster, folder, "roster.csv");
    assert_int_equal(grade(in, roster, write_policy(policy)), 0);
    struct csv csv = read_grades();
    full = strtod(cell(&csv, row_of(&csv, "one"), "points"), NULL);
    assert_true(full > 0);
    csv_free(&csv);
    free(kernel);
    class_remove(folder);
}

/* The class of a platform, in folder/in with folder/roster.csv; the students' names, for the caller to free. */
static char (*make_class(unsigned platform, unsigned count))[64] {
    char in[PATH_SIZE], *list = NULL, *metadata = NULL;
    char(*names)[64] = calloc(count, sizeof *names);
    size_t list_size, metadata_size;
    path_join(in, folder, "in");
    struct making class = {.platform = platform,
                           .in = in,
                           .list = open_memstream(&list, &list_size),
                           .metadata = open_memstream(&metadata, &metadata_size)};
    assert_true(names != NULL && class.list != NULL && class.metadata != NULL);
    fputs(platforms[platform].head, class.list);
    fputs("---\n", class.metadata);
    for (unsigned i = 0; i < count; i++)
        add_student(&class, i, names[i]);
    fclose(class.list);
    fclose(class.metadata);
    class_write(folder, "roster.csv", list, 0);
    if (platform == GRADESCOPE)
        class_write(in, "assignment_9_export/submission_metadata.yml", metadata, 0);
    free(list);
    free(metadata);
    return names;
}

static void test_platform(void **state) {
    unsigned p = *(const unsigned *)*state, count = students_of_each(), wrong = 0;
    char in[PATH_SIZE], roster[PATH_SIZE], policy[PATH_SIZE];
    if (full == 0)
        learn_full();
    class_make(folder);
    char(*names)[64] = make_class(p, count);
    path_join(in, folder, "in");
    path_join(roster, folder, "roster.csv");
    int status = grade(in, roster, write_policy(policy));
    char *said = class_read(folder, "output");
    if (status != 0)
        fail_msg("%s: %d: %s", platforms[p].title, status, said);
    struct csv csv = read_grades();
    for (unsigned i = 0; i < count; i++)
        wrong += !is_as_expected(&csv, names[i], p, i);
    if (wrong > 0)
        fail_msg("%u wrong grades of %u\n%.4000s", wrong, count, said);
    assert_int_equal(csv.row_count, count + 1);
    csv_free(&csv);
    free(said);
    free(names);
    class_remove(folder);
}

int main(void) {
    static unsigned numbers[] = {MOODLE, CANVAS, GRADESCOPE, GITHUB, FOLDERS};
    const struct CMUnitTest tests[] = {
        {"moodle", test_platform, NULL, NULL, &numbers[0]},
        {"canvas", test_platform, NULL, NULL, &numbers[1]},
        {"gradescope", test_platform, NULL, NULL, &numbers[2]},
        {"github", test_platform, NULL, NULL, &numbers[3]},
        {"folders", test_platform, NULL, NULL, &numbers[4]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

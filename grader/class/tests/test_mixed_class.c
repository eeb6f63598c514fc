/*
 * A class of all kinds of submissions, over four platforms' downloads and plain folders: every student's points, outcome, late days and
 * whether a human has to look are what they must be, and nobody else is in the list. NUMBER students (12 for each, if it is not set); with
 * REAL_JUDGE=1 every kernel is another one, and is compiled and judged (make test-class): some 5 seconds of processor time each.
 */
#include "support_platforms.h"

#include <math.h>

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

/* A kernel of this kind. */
static const char *kernel_of(enum kind kind, const char *student) {
    static const struct {
        const char *honest, *stand_in;
    } kernels[] = {[RIGHT] = {"lab1_template.cu", "// right\n"},
                   [WRONG] = {"lab1_wrong_off_by_one.cu", "// WRONG\n"},
                   [BUILD] = {"lab1_wrong_syntax.cu", "// BUILD\n"},
                   [TIMEOUT] = {"lab1_wrong_infinite_loop.cu", "// TIMEOUT\n"}};
    kind = kind <= TIMEOUT ? kind : RIGHT;
    if (!real())
        return kernels[kind].stand_in;
    if (!class_is_there("honest"))
        class_honest("honest");
    return class_print("%s\n// of %s\n", class_read(class_print("honest/%s", kernels[kind].honest)), student);
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
        [TIMEOUT] = {0, "failed", 0,
                     "It has flags, and was wrong or was stopped: without them it has no points either."},
        [LATE] = {0.9, "judged", 1, ""},
        [AGAIN] = {1, "judged", 0, ""},
        [NO_KERNEL] = {0, "missing", 0, "Something was handed in, but no kernel.cu to judge."},
        [ARCHIVE] = {1, "judged", 0, ""},
        [MISSING] = {0, "missing", 0, ""},
        [LOOKS] = {1, "judged", 0, ""}};
    enum kind kind = i % KINDS;
    struct expected must = kinds[kind];
    if (kind == AGAIN && platform == GITHUB) /* a clone's files have one time */
        must.human = "Which of its kernels is meant is a guess";
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
static const char *place(unsigned platform, const char *part, unsigned attempt, const char *file) {
    return platform == CANVAS ? class_print("in/%s_%u_%s", part, 88000 + attempt, file)
                              : class_print("in/%s/%s", part, file);
}

/* What a student of this kind hands in, in this part of theirs. */
static void hand_in(unsigned platform, const char *part, enum kind kind, const char *student) {
    const char *kernel = kernel_of(kind, student);
    if (kind == NO_KERNEL) {
        class_write(place(platform, part, 1, "report.txt"), "I could not do it.\n");
    } else if (kind == ARCHIVE) {
        class_archive(place(platform, part, 1, "work.zip"), MEMBER("work/deep/kernel.cu", kernel),
                      MEMBER("work/../../out.cu", "x"), {.path = "work/link.cu", .link = "/etc/passwd"});
    } else if (kind == AGAIN) {
        class_write_at(place(platform, part, 1, platform == CANVAS ? "kernel.cu" : "first/kernel.cu"),
                       kernel_of(WRONG, student), 1767225600);
        class_write_at(place(platform, part, 2, platform == CANVAS ? "kernel-1.cu" : "kernel.cu"), kernel,
                       1767225600 + 60);
    } else if (kind != MISSING) {
        class_write_at(place(platform, part, 1, "kernel.cu"), kernel, 1767225600 + 60);
    }
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

/* A class that is being made: its lists. */
struct making {
    unsigned platform;
    FILE *list, *metadata; /* metadata: Gradescope's own */
};

static void add_student(const struct making *class, unsigned i, char student[64]) {
    char part[256];
    /* as Canvas writes them: without what is no letter, perhaps without accented ones */
    static const char *const canvas[] = {"zhangwei", "\xe6\x9d\x8e\xe4\xbc\x9f", "oharazo"};
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
        snprintf(part, sizeof part, "%s_%s%u", canvas[i % 3], late ? "LATE_" : "", 4000 + i);
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
    hand_in(class->platform, part, kind, student);
}

static void grade(void) {
    class_policy("points = 100\ndeadline = 2026-01-02 00:00 Z\nlate_percent_per_day = 10\n");
    class_grade(0, LAB1 " --policy @policy.ini --replace --roster @roster.csv");
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

/* What the right kernel gets, in time. */
static void learn_full(void) {
    class_write("in/one/kernel.cu", kernel_of(RIGHT, "one"));
    class_write("roster.csv", "student,submitted\none,2026-01-01 16:24 Z\n");
    grade();
    const struct csv *csv = platform_csv("grades.csv");
    full = strtod(cell(csv, row_of(csv, "one"), "points"), NULL);
    assert_true(full > 0);
    class_tear_down(NULL);
    assert_int_equal(class_set_up(NULL), 0);
}

/* The class of a platform, in folder/in with folder/roster.csv; the students' names, for the caller to free. */
static char (*make_class(unsigned platform, unsigned count))[64] {
    FREED char *list = NULL, *metadata = NULL;
    char(*names)[64] = calloc(count, sizeof *names);
    size_t list_size, metadata_size;
    struct making class = {.platform = platform,
                           .list = open_memstream(&list, &list_size),
                           .metadata = open_memstream(&metadata, &metadata_size)};
    assert_true(names != NULL && class.list != NULL && class.metadata != NULL);
    fputs(platforms[platform].head, class.list);
    fputs("---\n", class.metadata);
    for (unsigned i = 0; i < count; i++)
        add_student(&class, i, names[i]);
    fclose(class.list);
    fclose(class.metadata);
    class_write("roster.csv", list);
    if (platform == GRADESCOPE)
        class_write("in/assignment_9_export/submission_metadata.yml", metadata);
    return names;
}

static void test_platform(void **state) {
    unsigned p = *(const unsigned *)*state, count = students_of_each(), wrong = 0;
    assert_int_equal(class_set_up(NULL), 0);
    if (full == 0)
        learn_full();
    char(*names)[64] = make_class(p, count);
    grade();
    const struct csv *csv = platform_csv("grades.csv");
    for (unsigned i = 0; i < count; i++)
        wrong += !is_as_expected(csv, names[i], p, i);
    if (wrong > 0)
        fail_msg("%u wrong grades of %u\n%.4000s", wrong, count, class_read("output"));
    assert_int_equal(csv->row_count, count + 1);
    free(names);
    class_tear_down(NULL);
}

int main(void) {
    static unsigned numbers[] = {MOODLE, CANVAS, GRADESCOPE, GITHUB, FOLDERS};
    const struct CMUnitTest tests[] = {{"moodle", test_platform, NULL, NULL, &numbers[0]},
                                       {"canvas", test_platform, NULL, NULL, &numbers[1]},
                                       {"gradescope", test_platform, NULL, NULL, &numbers[2]},
                                       {"github", test_platform, NULL, NULL, &numbers[3]},
                                       {"folders", test_platform, NULL, NULL, &numbers[4]}};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

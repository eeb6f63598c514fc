/*
 * A class of all kinds of submissions, over four platforms' downloads: every student's points are what they must be, and nobody
 * else is in the list. NUMBER students (12 for each platform, if it is not set); with REAL_JUDGE=1 every kernel is another one, and is
 * compiled and judged (make test-class): some 5 seconds of processor time each.
 */
#include "support_class.h"

#include "analysis/csv.h"
#include "base/file.h"
#include "base/home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { RIGHT, WRONG, BUILD, TIMEOUT, LATE, AGAIN, NO_KERNEL, ARCHIVE, MISSING, LOOKS, KINDS };
enum { PLATFORM_LEAST = 12 };

static char folder[PATH_SIZE];
static double full; /* points of what is right */

static bool real(void) {
    return getenv("REAL_JUDGE") != NULL;
}

static unsigned students_of_each(void) {
    const char *number = getenv("NUMBER");
    unsigned all = number != NULL ? (unsigned)strtoul(number, NULL, 10) : 0;
    return all > 0 ? (all + 3) / 4 : PLATFORM_LEAST;
}

/* A kernel of this kind, for the caller to free. */
static char *kernel_of(enum kind kind, const char *student) {
    static const char *const files
        [] = {[RIGHT] = "solutions/lab1-memory-layout/kernel.cu",
              [WRONG] = "grader/job/tests/honest/lab1_wrong_off_by_one.cu",
              [BUILD] = "grader/job/tests/honest/lab1_wrong_syntax.cu",
              [TIMEOUT] = "grader/job/tests/honest/lab1_wrong_infinite_loop.cu"},
   *const words[] = {
       [RIGHT] = "// right\n", [WRONG] = "// WRONG\n", [BUILD] = "// BUILD\n", [TIMEOUT] = "// TIMEOUT\n"};
    struct home home;
    char error[TEXT_ERROR], path[PATH_SIZE], *whole = NULL;
    kind = kind <= TIMEOUT ? kind : RIGHT;
    if (!real())
        return strdup(words[kind]);
    assert_true(home_find(&home, error, sizeof error) && path_join(path, home.root, files[kind]));
    char *text = file_read(path, 1 << 20, NULL, error, sizeof error);
    assert_non_null(text);
    assert_true(asprintf(&whole, "%s\n// of %s\n", text, student) > 0);
    free(text);
    return whole;
}

static double expected(enum kind kind) {
    return kind == RIGHT || kind == AGAIN || kind == ARCHIVE || kind == LOOKS ? full
           : kind == LATE                                                     ? full * 0.9
                                                                              : 0;
}

/* What a student of this kind hands in, below this folder of theirs. */
static void hand_in(const char *in, const char *part, enum kind kind, const char *student) {
    char name[512], *kernel = kernel_of(kind, student), *before = kernel_of(WRONG, student);
    if (kind == NO_KERNEL) {
        snprintf(name, sizeof name, "%s/report.txt", part);
        class_write(in, name, "I could not do it.\n", 0);
    } else if (kind == ARCHIVE) {
        const struct class_member inside[] = {{.path = "work/deep/kernel.cu", .text = kernel},
                                              {.path = "work/../../out.cu", .text = "x"},
                                              {.path = "work/link.cu", .link = "/etc/passwd"}};
        snprintf(name, sizeof name, "%s/work.zip", part);
        class_archive(in, name, inside, 3);
    } else if (kind != MISSING) {
        snprintf(name, sizeof name, "%s/kernel.cu", part);
        class_write(in, name, kernel, 1767225600 + 60);
        if (kind == AGAIN) {
            snprintf(name, sizeof name, "%s/first/kernel.cu", part);
            class_write(in, name, before, 1767225600);
        }
    }
    free(kernel);
    free(before);
}

/* ---- the platforms: a part's name, a row of the list; a name that has no Latin letter, and one with */
static const char *full_name(unsigned i) {
    static const char *const names[] = {"Wei Zhang", "\xe6\x9d\x8e \xe4\xbc\x9f", "Zo\xc3\xab O'Hara"};
    return names[i % 3];
}

static const struct platform {
    const char *title, *head;
} platforms[] = {{"moodle",
                  "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\","
                  "\"Grade can be changed\",\"Last modified (submission)\",\"Last modified (grade)\","
                  "\"Feedback comments\"\n"},
                 {"gradescope", "sid,name\n"},
                 {"github", "student,submitted\n"},
                 {"folders", "student,submitted\n"}};

static void add_student(unsigned p, unsigned i, enum kind kind, const char *in, char student[64], FILE *list,
                        FILE *metadata) {
    char part[256];
    bool late = kind == LATE, missing = kind == MISSING;
    if (p == 0) {
        snprintf(student, 64, "s%u@x.edu", i);
        snprintf(part, sizeof part, "%s_%u_assignsubmission_file_", full_name(i), 770000 + i);
        fprintf(list, "\"Participant %u\",\"%s\",%s,,,100.00,Yes,\"%s\",-,\n", 770000 + i, full_name(i),
                student,
                missing ? "-"
                : late  ? "Friday, 2 January 2026, 4:24 PM"
                        : "Thursday, 1 January 2026, 4:24 PM");
    } else if (p == 1) {
        snprintf(student, 64, "%u", 9000 + i);
        snprintf(part, sizeof part, "assignment_9_export/submission_%u", i + 1);
        fprintf(list, "%s,%s\n", student, full_name(i));
        if (!missing)
            fprintf(metadata,
                    "submission_%u:\n  :submitters:\n  - :name: %s\n    :sid: '%s'\n    :email: s%u@x.edu\n"
                    "  :created_at: 2026-01-0%d 16:24:05.349160000 Z\n",
                    i + 1, full_name(i), student, i, late ? 2 : 1);
    } else {
        /* who looks like the one before */
        snprintf(student, 64, "%s%u", kind == LOOKS ? "\xd1\x95tudent" : "student",
                 kind == LOOKS ? i - 1 : i);
        if (p == 2 && kind == LOOKS)
            snprintf(student, 64, "student-%u", i);
        snprintf(part, sizeof part, p == 2 ? "lab1-submissions/lab1-%s" : "%s", student);
        fprintf(list, "%s,%s\n", student, missing ? "" : late ? "2026-01-02 16:24 Z" : "2026-01-01 16:24 Z");
    }
    hand_in(in, part, kind, student);
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

static double points_of(const struct csv *csv, const char *student) {
    for (uint32_t row = 1; row < csv->row_count; row++)
        if (strcmp(csv_cell(csv, row, 0), student) == 0)
            return csv_cell(csv, row, 2)[0] != '\0' ? strtod(csv_cell(csv, row, 2), NULL) : -1;
    return -2;
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
    full = points_of(&csv, "one");
    assert_true(full > 0);
    csv_free(&csv);
    free(kernel);
    class_remove(folder);
}

static void test_platform(void **state) {
    unsigned p = *(const unsigned *)*state, count = students_of_each(), wrong = 0;
    char in[PATH_SIZE], roster[PATH_SIZE], policy[PATH_SIZE], *list = NULL, *metadata = NULL;
    char(*names)[64] = calloc(count, sizeof *names);
    size_t list_size, metadata_size;
    if (full == 0)
        learn_full();
    class_make(folder);
    FILE *rows = open_memstream(&list, &list_size), *yaml = open_memstream(&metadata, &metadata_size);
    assert_true(names != NULL && rows != NULL && yaml != NULL);
    fputs(platforms[p].head, rows);
    fputs("---\n", yaml);
    path_join(in, folder, "in");
    for (unsigned i = 0; i < count; i++)
        add_student(p, i, i % KINDS, in, names[i], rows, yaml);
    fclose(rows);
    fclose(yaml);
    class_write(folder, "roster.csv", list, 0);
    path_join(roster, folder, "roster.csv");
    if (p == 1)
        class_write(in, "assignment_9_export/submission_metadata.yml", metadata, 0);
    int status = grade(in, roster, write_policy(policy));
    char *said = class_read(folder, "output");
    if (status != 0)
        fail_msg("%s: %d: %s", platforms[p].title, status, said);
    struct csv csv = read_grades();
    for (unsigned i = 0; i < count; i++) {
        double points = points_of(&csv, names[i]), must = expected(i % KINDS);
        wrong += !(fabs(points - must) <= 0.006);
        if (!(fabs(points - must) <= 0.006))
            print_message("%s, %s (kind %u): %g points, not %g\n", platforms[p].title, names[i], i % KINDS,
                          points, must);
    }
    if (wrong > 0)
        fail_msg("%u wrong grades of %u\n%.4000s", wrong, count, said);
    assert_int_equal(csv.row_count, count + 1);
    csv_free(&csv);
    free(said);
    free(list);
    free(metadata);
    free(names);
    class_remove(folder);
}

int main(void) {
    static unsigned numbers[] = {0, 1, 2, 3};
    const struct CMUnitTest tests[] = {
        {"moodle", test_platform, NULL, NULL, &numbers[0]},
        {"gradescope", test_platform, NULL, NULL, &numbers[1]},
        {"github", test_platform, NULL, NULL, &numbers[2]},
        {"folders", test_platform, NULL, NULL, &numbers[3]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A term with a class of everything that instructors have met, in folders of students that say
 * which lab: from a policy that makes nonsense of the points to a damaged gradebook. Every
 * student's points, outcome, message and place on the human's list are what they must be at the
 * end, and after each mishap. NUMBER students (60, if it is not set), each an oddity of the table
 * in turn. With REAL_JUDGE=1 kernels are compiled and judged (make test-class).
 */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"
#include "report/ncu/csv.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400, IN_TIME = 1767225600 - 60, CLASS_LEAST = 60 };
/* What is earned: nothing, all that the right kernel gets, nine tenths of it, all of the lab; no
 * points at all. */
enum earned { ZERO, FULL, TENTH_OFF, ALL, OPEN };

static bool real(void) {
    return getenv("REAL_JUDGE") != NULL;
}

static unsigned students(void) {
    const char *number = getenv("NUMBER");
    unsigned all = number != NULL ? (unsigned)strtoul(number, NULL, 10) : 0;
    return all > 0 ? all : CLASS_LEAST;
}

/* ---- kernels, for the caller to free */

static char *honest(const char *file, const char *words) {
    char path[PATH_SIZE], name[PATH_SIZE];
    if (!real())
        return strdup(words);
    if (!path_join(path, folder, "honest") || access(path, F_OK) != 0)
        class_honest(folder, "honest");
    assert_true(path_print(name, "honest/%s", file));
    return class_read(folder, name);
}

static char *right(void) {
    return honest("lab1_template.cu", "// right\n");
}

static char *wrong(void) {
    return honest("lab1_wrong_off_by_one.cu", "// WRONG\n");
}

static char *kits(const char *file) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "solutions/lab1-memory-layout/%s", file));
    char *text = file_read(path, 1 << 20, NULL, error, sizeof error);
    assert_non_null(text);
    return text;
}

/* ---- what students hand in: files below `part`, a path in folder/ */

static void put(const char *part, const char *name, const char *text, int64_t time) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/%s", part, name));
    class_write(folder, path, text, time);
}

static void put_bytes(const char *part, const void *bytes, size_t length) {
    char path[PATH_SIZE];
    put(part, "lab1/kernel.cu", "", 0);
    assert_true(path_print(path, "%s/%s/lab1/kernel.cu", folder, part));
    assert_true(file_write(path, bytes, length, error, sizeof error));
}

static void put_and_free(const char *part, const char *name, char *text, int64_t time) {
    put(part, name, text, time);
    free(text);
}

static void hand_in_right(const char *part) {
    put_and_free(part, "lab1/kernel.cu", right(), IN_TIME);
}
static void hand_in_wrong(const char *part) {
    put_and_free(part, "lab1/kernel.cu", wrong(), IN_TIME);
}
static void hand_in_no_build(const char *part) {
    put_and_free(part, "lab1/kernel.cu", honest("lab1_wrong_syntax.cu", "// BUILD\n"), IN_TIME);
}
static void hand_in_endless(const char *part) {
    put_and_free(part, "lab1/kernel.cu", honest("lab1_wrong_infinite_loop.cu", "// TIMEOUT\n"), IN_TIME);
}
static void hand_in_starter(const char *part) {
    put_and_free(part, "lab1/kernel.cu", kits("starter.cu"), IN_TIME);
}
static void hand_in_reference(const char *part) {
    put_and_free(part, "lab1/kernel.cu", kits("kernel.cu"), IN_TIME);
}
static void hand_in_late(const char *part) {
    put_and_free(part, "lab1/kernel.cu", right(), IN_TIME + DAY);
}
static void hand_in_too_late(const char *part) {
    put_and_free(part, "lab1/kernel.cu", right(), IN_TIME + 9 * DAY);
}
static void hand_in_with_bom(const char *part) {
    char *kernel = right(), *whole = NULL;
    assert_true(asprintf(&whole, "\xef\xbb\xbf%s", kernel) > 0);
    free(kernel);
    put_and_free(part, "lab1/kernel.cu", whole, IN_TIME);
}
static void hand_in_utf16(const char *part) {
    put_bytes(part, "\xff\xfe/\0/\0", 6);
}
static void hand_in_nul(const char *part) {
    put_bytes(part, "// a\0b", 6);
}
static void hand_in_empty(const char *part) {
    put_bytes(part, "", 0);
}
static void hand_in_too_large(const char *part) {
    char *large = calloc(1, (1 << 20) + 1);
    assert_non_null(large);
    memset(large, ' ', (1 << 20) + 1);
    put_bytes(part, large, (1 << 20) + 1);
    free(large);
}
static void hand_in_link(const char *part) {
    char path[PATH_SIZE];
    put(part, "lab1/notes.txt", "x", 0);
    assert_true(path_print(path, "%s/%s/lab1/kernel.cu", folder, part));
    assert_int_equal(symlink("/etc/passwd", path), 0);
}
static void hand_in_text(const char *part) {
    put(part, "lab1/report.txt", "I could not do it.\n", 0);
}
static void hand_in_other_name(const char *part) {
    put_and_free(part, "lab1/lab1.cu", right(), IN_TIME);
}
static void hand_in_foreign_archive(const char *part) {
    put(part, "lab1/work.7z", "7z", 0);
}
static void hand_in_archive(const char *part) {
    char name[PATH_SIZE], *kernel = right();
    const struct class_member inside[] = {
        {.path = "lab1/deep/kernel.cu", .text = kernel, .modified = IN_TIME},
        {.path = "lab1/../../out.cu", .text = "x"},
        {.path = "__MACOSX/lab1/._kernel.cu", .text = "x"},
        {.path = "lab1/link.cu", .link = "/etc/passwd"}};
    assert_true(path_print(name, "%s/work.zip", part));
    class_archive(folder, name, inside, 4);
    free(kernel);
}
static void hand_in_twice_in_a_zip(const char *part) {
    char name[PATH_SIZE], *before = wrong(), *kernel = right();
    const struct class_member inside[] = {{.path = "lab1/kernel.cu", .text = before, .modified = IN_TIME},
                                          {.path = "lab1/kernel.cu", .text = kernel, .modified = IN_TIME}};
    assert_true(path_print(name, "%s/work.zip", part));
    class_archive(folder, name, inside, 2);
    free(before);
    free(kernel);
}
static void hand_in_kit(const char *part) {
    put_and_free(part, "kit/labs/lab1-memory-layout/kernel.cu", right(), IN_TIME);
    put(part, "kit/labs/lab1-memory-layout/lab1.h", "", IN_TIME);
    /* what is untouched of the other labs is nobody's submission */
    char command[3 * PATH_SIZE], said[256];
    put(part, "kit/labs/lab0-first-kernel/check.h", "x", IN_TIME);
    snprintf(command, sizeof command,
             "cp solutions/lab0-first-kernel/starters/task*.cu '%s/%s/kit/labs/lab0-first-kernel'", folder,
             part);
    assert_int_equal(child_run((const char *const[]){"/bin/sh", "-c", command, NULL}, said, sizeof said), 0);
    char *starter = file_read("solutions/lab2-shared-memory/starter.cu", 1 << 20, NULL, error, sizeof error);
    assert_non_null(starter);
    put_and_free(part, "kit/labs/lab2-shared-memory/kernel.cu", starter, IN_TIME);
    put(part, "kit/labs/lab2-shared-memory/lab2.h", "", IN_TIME);
    put_and_free(part, "kit/solutions/lab1-memory-layout/kernel.cu", kits("kernel.cu"), IN_TIME + 30);
}
static void hand_in_zipped_kit(const char *part) {
    char name[PATH_SIZE], *kernel = right(), *reference = kits("kernel.cu");
    const struct class_member inside[] = {
        {.path = "kit/labs/lab1-memory-layout/kernel.cu", .text = kernel, .modified = IN_TIME},
        {.path = "kit/labs/lab1-memory-layout/lab1.h", .text = "", .modified = IN_TIME},
        {.path = "kit/solutions/lab1-memory-layout/kernel.cu", .text = reference, .modified = IN_TIME + 30},
        {.path = "kit/common/archives/seeds.tar.gz", .text = "x", .modified = IN_TIME}};
    assert_true(path_print(name, "%s/kit.zip", part));
    class_archive(folder, name, inside, 4);
    free(kernel);
    free(reference);
}
static void hand_in_two(const char *part) {
    put_and_free(part, "lab1/first/kernel.cu", wrong(), IN_TIME - 60);
    put_and_free(part, "lab1/kernel.cu", right(), IN_TIME);
}
static void hand_in_a_lab_too_many(const char *part) {
    hand_in_right(part);
    put(part, "lab99/notes.txt", "x", IN_TIME);
}
static void hand_in_of_another_lab(const char *part) {
    put_and_free(part, "lab11/kernel.cu", right(), IN_TIME);
}
static void hand_in_nothing(const char *part) {
    (void)part;
}

#define NO_KERNEL "Something was handed in, but no kernel.cu to judge."

static const struct oddity {
    void (*hand_in)(const char *part);
    enum earned earned;
    const char *outcome, *message, *human; /* words; human "": nobody has to look */
    unsigned late_days;
    bool told; /* the roster says that it was handed in */
} oddities[] = {
    {hand_in_right, FULL, "judged", "", "", 0, true},
    {hand_in_wrong, ZERO, "failed", "", "", 0, true},
    {hand_in_no_build, ZERO, "build-failed", "", "", 0, true},
    {hand_in_endless, ZERO, "failed", "Flag timeout", "Flags cost it all points", 0, true},
    {hand_in_starter, ZERO, "judged", "", "It is the starter, as it was handed out.", 0, true},
    {hand_in_reference, ALL, "judged", "", "It is the kit's own solution.", 0, true},
    {hand_in_late, TENTH_OFF, "judged", "1 day late: 10 % off.", "", 1, true},
    {hand_in_too_late, ZERO, "judged", "9 days late; more than 7 days late: nothing.", "", 9, true},
    {hand_in_with_bom, FULL, "judged", "", "", 0, true},
    {hand_in_utf16, ZERO, "missing", "The kernel.cu cannot be taken: it is UTF-16.", NO_KERNEL, 0, true},
    {hand_in_nul, ZERO, "missing", "cannot be taken: it is not a text", NO_KERNEL, 0, true},
    {hand_in_empty, ZERO, "missing", "cannot be taken: it is empty.", NO_KERNEL, 0, true},
    {hand_in_too_large, ZERO, "missing", "cannot be taken: it is larger than 1 MiB.", NO_KERNEL, 0, true},
    {hand_in_link, ZERO, "missing", "cannot be taken: it is a link.", NO_KERNEL, 0, true},
    {hand_in_text, ZERO, "missing", "There is no kernel.cu", NO_KERNEL, 0, true},
    {hand_in_other_name, ZERO, "missing", "Name your file kernel.cu", NO_KERNEL, 0, true},
    {hand_in_foreign_archive, ZERO, "missing", "There is no kernel.cu", NO_KERNEL, 0, true},
    {hand_in_archive, FULL, "judged", "", "", 0, true},
    {hand_in_twice_in_a_zip, FULL, "judged", "", "", 0, true},
    {hand_in_kit, FULL, "judged", "", "", 0, true},
    {hand_in_zipped_kit, FULL, "judged", "", "", 0, true},
    {hand_in_two, FULL, "judged", "", "", 0, true},
    {hand_in_a_lab_too_many, FULL, "judged", "", "", 0, true},
    {hand_in_of_another_lab, ZERO, "missing", "Nothing was handed in.", "", 0, false},
    {hand_in_nothing, ZERO, "missing", "Nothing was handed in.", "", 0, false},
    {hand_in_nothing, OPEN, "absent", "has not reached the grader", "Handed in, says the roster", 0, true},
};
enum { ODDITIES = sizeof oddities / sizeof *oddities };

static const struct oddity *oddity_of(unsigned i) {
    return &oddities[i % ODDITIES];
}

/* Names with a space, a dash at the start, letters beyond ASCII. */
static void name_of(unsigned i, char name[64]) {
    static const char *const forms[] = {"s%u", "-dash %u", "zo\xc3\xab%u", "\xe6\x9d\x8e%u"};
    snprintf(name, 64, forms[i % 4], i);
}

/* ---- the class */

static void make_class(unsigned count) {
    char *list = NULL, name[64], part[128], path[PATH_SIZE];
    size_t size;
    FILE *rows = open_memstream(&list, &size);
    assert_non_null(rows);
    assert_true(path_print(path, "%s/in", folder) && (mkdir(path, 0700) == 0 || errno == EEXIST));
    fputs("student,submitted\n", rows);
    for (unsigned i = 0; i < count; i++) {
        const struct oddity *oddity = oddity_of(i);
        char time[TEXT_TIME] = "";
        name_of(i, name);
        snprintf(part, sizeof part, "in/%s", name);
        oddity->hand_in(part);
        if (oddity->told)
            text_format_time(time, IN_TIME + (int64_t)oddity->late_days * DAY);
        fprintf(rows, "\"%s\",%s\n", name, time);
    }
    fclose(rows);
    class_write(folder, "roster.csv", list, 0);
    free(list);
}

#define POLICY                                                                                               \
    "[class]\nkey = " CLASS_KEY "\npoints = 100\ndeadline = 2026-01-01 00:00 Z\nlate_percent_at_most = 50\n" \
    "late_days = 7\nalike_percent = 0\n"

static void write_policy(const char *more) {
    char text[1024];
    snprintf(text, sizeof text, POLICY "%s", more);
    class_write(folder, "policy.ini", text, 0);
}

static double full; /* points of the right kernel */

static double earned_by(enum earned earned) {
    static const double shares[] = {[ZERO] = 0, [FULL] = 1, [TENTH_OFF] = 0.9};
    return earned == ALL ? 100 : full * shares[earned];
}

static const char *cell(const struct csv *csv, uint32_t row, const char *column) {
    int c = csv_column(csv, column);
    assert_true(c >= 0);
    return csv_cell(csv, row, (uint32_t)c);
}

static uint32_t row_of(const struct csv *csv, const char *student) {
    for (uint32_t row = 1; row < csv->row_count; row++) {
        const char *is = csv_cell(csv, row, 0);
        if (strcmp(is + (*is == '\''), student) == 0 && strcmp(csv_cell(csv, row, 1), "lab1") == 0)
            return row;
    }
    fail_msg("%s has no row", student);
    return 0;
}

static struct csv read_grades(void) {
    struct csv csv;
    char *text = class_read(folder, "out/grades.csv");
    if (!csv_parse(&csv, text, strlen(text), "grades.csv", error, sizeof error))
        fail_msg("%s", error);
    free(text);
    return csv;
}

static bool is_as_expected(const struct csv *csv, unsigned i) {
    const struct oddity *must = oddity_of(i);
    char name[64];
    name_of(i, name);
    uint32_t row = row_of(csv, name);
    const char *points = cell(csv, row, "points"), *human = cell(csv, row, "needs_human"),
               *message = cell(csv, row, "message"), *outcome = cell(csv, row, "outcome");
    bool same_points =
        must->earned == OPEN
            ? points[0] == '\0'
            : points[0] != '\0' && fabs(strtod(points, NULL) - earned_by(must->earned)) <= 0.006;
    bool right = same_points && strcmp(outcome, must->outcome) == 0 &&
                 strstr(message, must->message) != NULL &&
                 strtoul(cell(csv, row, "late_days"), NULL, 10) == must->late_days &&
                 (must->human[0] == '\0' ? human[0] == '\0' : strstr(human, must->human) != NULL);
    if (!right)
        print_message("%s (oddity %u): %s points, %s, \"%s\", human \"%s\"\n", name, i % ODDITIES, points,
                      outcome, message, human);
    return right;
}

static void assert_class(unsigned count) {
    struct csv csv = read_grades();
    unsigned wrong = 0;
    char name[64];
    name_of(0, name);
    full = strtod(cell(&csv, row_of(&csv, name), "points"), NULL);
    assert_true(full > 0);
    for (unsigned i = 0; i < count; i++)
        wrong += !is_as_expected(&csv, i);
    assert_int_equal(csv.row_count, count + 1);
    csv_free(&csv);
    if (wrong > 0)
        fail_msg("%u wrong grades of %u", wrong, count);
}

static void assert_unchanged(const char *grades) {
    char *now = class_read(folder, "out/grades.csv");
    assert_string_equal(now, grades);
    free(now);
}

/* ---- the term */

static void killed_on_its_way(const char *const *arguments) {
    int status;
    pid_t process = class_start(folder, arguments);
    nanosleep(&(struct timespec){.tv_sec = real() ? 20 : 0, .tv_nsec = 300000000}, NULL);
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, &status, 0), process);
}

static void decisions_by_hand(const char *grades) {
    char words[PATH_SIZE];
    assert_true(path_join(words, folder, "words.csv"));
    const char *rescore[] = {"--rescore", "--overrides", words, "--out", out, NULL},
               *replace[] = {"--rescore", "--overrides", words, "--out", out, "--replace", NULL};
    class_write(folder, "words.csv", "student,lab,points\ns0,lab1,77\n", 0);
    class_grade_says(folder, rescore, 3, "");
    class_write(folder, "words.csv", "student,lab,points\ns4,lab1,66\n", 0);
    class_grade_says(folder, rescore, 1, "no longer decided by hand: s0 lab1 77 -> ");
    class_write(folder, "words.csv", "student,lab,points\ns0,lab1,77\ns4,lab3,66\n", 0);
    class_grade_says(folder, rescore, 1, "words.csv:3: nobody has a grade in lab3");
    class_write(folder, "words.csv", "student,lab\n", 0);
    class_grade_says(folder, replace, 3, "no longer decided by hand: s0 lab1 77 -> ");
    assert_unchanged(grades);
}

static void mishaps(const char *const *grade, const char *grades) {
    char gradebook[PATH_SIZE], copy[PATH_SIZE], elsewhere[PATH_SIZE], command[3 * PATH_SIZE], said[256];
    struct stat whole;
    assert_true(path_join(gradebook, out, "gradebook.sqlite") && path_join(copy, folder, "copy.sqlite") &&
                path_join(elsewhere, folder, "elsewhere"));
    /* a download of one student, and one of nobody */
    class_write(folder, "elsewhere/s0/lab1/kernel.cu", "// right\n", IN_TIME);
    const char *other[] = {"--submissions", elsewhere, "--roster", roster, "--policy",
                           policy,          "--out",   out,        NULL};
    class_grade_says(folder, other, 1, "are not in this download");
    /* a small size, a misspelt model, a harder policy and back */
    const char *rescore[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    write_policy("gpu = rtx4090\n");
    class_grade_says(folder, rescore, 1, "no GPU model \"rtx4090\"; there are: ");
    write_policy("pass = 100\nlate_percent_per_day = 50\n");
    class_grade_says(folder, rescore, 3, "");
    write_policy("");
    class_grade_says(folder, rescore, 3, "");
    assert_unchanged(grades);
    /* a gradebook that lost its end; the copy of it */
    snprintf(command, sizeof command, "cp '%s' '%s'", gradebook, copy);
    assert_int_equal(child_run((const char *const[]){"/bin/sh", "-c", command, NULL}, said, sizeof said), 0);
    assert_int_equal(stat(gradebook, &whole), 0);
    assert_int_equal(truncate(gradebook, whole.st_size / 2), 0);
    class_grade_says(folder, grade, 1, "put a copy of it back");
    assert_unchanged(grades);
    assert_int_equal(rename(copy, gradebook), 0);
    class_grade_says(folder, grade, 3, "");
    assert_unchanged(grades);
}

static void a_term(void **state) {
    unsigned count = students();
    const char *grade[] = {"--submissions", in, "--roster", roster, "--policy", policy, "--out", out, NULL},
               *dry_run[] = {"--submissions", in,      "--roster", roster,      "--policy",
                             policy,          "--out", out,        "--dry-run", NULL};
    make_class(count);
    /* what would be graded, and under what policy nobody may be */
    write_policy("");
    class_grade_says(folder, dry_run, 3, "lab11/kernel.cu is not taken: there is no lab11.");
    if (!real()) { /* in lab 1 the real reference is faster at small sizes, too */
        write_policy("size = 64x40\n");
        class_grade_says(folder, grade, 1,
                         "lab1's reference is slower than its starter (0.89x): take another size");
    }
    write_policy("");
    killed_on_its_way(grade);
    class_grade_says(folder, grade, 3, "says the roster");
    assert_class(count);
    char *grades = class_read(folder, "out/grades.csv");
    class_grade_says(folder, grade, 3, "");
    assert_unchanged(grades);
    decisions_by_hand(grades);
    mishaps(grade, grades);
    /* the absent ones' files are found */
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        char part[128] = "in/";
        name_of(i, part + 3);
        if (oddity_of(i)->earned == OPEN)
            hand_in_right(part);
        found += oddity_of(i)->earned == OPEN;
    }
    class_grade_says(folder, grade, 3, "lab11");
    char *after = class_read(folder, "out/grades.csv");
    assert_has_not(after, ",absent,");
    free(after);
    assert_true(found > 0 || count < ODDITIES);
    free(grades);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_term, class_set_up, class_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

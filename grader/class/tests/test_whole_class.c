/*
 * A term with a class of everything that instructors have met, in folders of students that say
 * which lab: from a policy that makes nonsense of the points to a damaged gradebook. Every
 * student's points, outcome, message and place on the human's list are what they must be at the
 * end, and after each mishap. NUMBER students (60, if it is not set), each an oddity of the table
 * in turn. With REAL_JUDGE=1 kernels are compiled and judged (make test-class).
 */
#include "support_platforms.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { DAY = 86400, IN_TIME = 1767225600 - 60, CLASS_LEAST = 60 };
#define KERNEL "lab1/kernel.cu"
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

/* ---- what students hand in */

/* The text that a word of the table means: a kernel of the judge's own, or what the fake judge takes for one; a file of the
 * kit; else the word itself. */
static const char *text_of(const char *word) {
    static const struct {
        const char *word, *honest, *stand_in;
    } kernels[] = {{"right", "lab1_template.cu", "// right\n"},
                   {"wrong", "lab1_wrong_off_by_one.cu", "// WRONG\n"},
                   {"no build", "lab1_wrong_syntax.cu", "// BUILD\n"},
                   {"endless", "lab1_wrong_infinite_loop.cu", "// TIMEOUT\n"}};
    if (strcmp(word, "starter.cu") == 0 || strcmp(word, "kernel.cu") == 0)
        return class_kits(class_print("solutions/lab1-memory-layout/%s", word));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(word, kernels[i].word) != 0)
            continue;
        if (real() && !class_is_there("honest"))
            class_honest("honest");
        return real() ? class_read(class_print("honest/%s", kernels[i].honest)) : kernels[i].stand_in;
    }
    return word;
}

/* A file below `part`, a path in the class's folder; time: seconds after IN_TIME. */
static void put(const char *part, const char *name, const char *word, int64_t time) {
    class_write_at(class_print("%s/%s", part, name), text_of(word), IN_TIME + time);
}

static void put_bytes(const char *part, const void *bytes, size_t length) {
    put(part, KERNEL, "", 0);
    const char *path = class_print("%s/%s/lab1/kernel.cu", folder, part);
    assert_true(file_write(path, bytes, length, error, sizeof error));
}

static void hand_in_with_bom(const char *part) {
    put(part, KERNEL, class_print("\xef\xbb\xbf%s", text_of("right")), 0);
}
static void hand_in_utf16(const char *part) {
    put_bytes(part, "\xff\xfe/\0/\0", 6);
}
static void hand_in_nul(const char *part) {
    put_bytes(part, "// a\0b", 6);
}
static void hand_in_too_large(const char *part) {
    put(part, KERNEL, class_print("%*s", (1 << 20) + 1, ""), 0);
}
static void hand_in_link(const char *part) {
    put(part, "lab1/notes.txt", "x", 0);
    assert_int_equal(symlink("/etc/passwd", class_print("%s/%s/lab1/kernel.cu", folder, part)), 0);
}
static void hand_in_archive(const char *part) {
    class_archive(class_print("%s/work.zip", part),
                  MEMBER_AT("lab1/deep/kernel.cu", text_of("right"), IN_TIME),
                  MEMBER("lab1/../../out.cu", "x"), MEMBER("__MACOSX/lab1/._kernel.cu", "x"),
                  {.path = "lab1/link.cu", .link = "/etc/passwd"});
}
static void hand_in_twice_in_a_zip(const char *part) {
    class_archive(class_print("%s/work.zip", part), MEMBER_AT(KERNEL, text_of("wrong"), IN_TIME),
                  MEMBER_AT(KERNEL, text_of("right"), IN_TIME));
}
static void hand_in_kit(const char *part) {
    put(part, "kit/labs/lab1-memory-layout/kernel.cu", "right", 0);
    put(part, "kit/labs/lab1-memory-layout/lab1.h", "", 0);
    /* what is untouched of the other labs is nobody's submission */
    put(part, "kit/labs/lab0-first-kernel/check.h", "x", 0);
    class_shell(0, "cp solutions/lab0-first-kernel/starters/task*.cu '%s/%s/kit/labs/lab0-first-kernel'",
                folder, part);
    put(part, "kit/labs/lab2-shared-memory/kernel.cu", class_kits("solutions/lab2-shared-memory/starter.cu"),
        0);
    put(part, "kit/labs/lab2-shared-memory/lab2.h", "", 0);
    put(part, "kit/solutions/lab1-memory-layout/kernel.cu", "kernel.cu", 30);
}
static void hand_in_zipped_kit(const char *part) {
    class_archive(class_print("%s/kit.zip", part),
                  MEMBER_AT("kit/labs/lab1-memory-layout/kernel.cu", text_of("right"), IN_TIME),
                  MEMBER_AT("kit/labs/lab1-memory-layout/lab1.h", "", IN_TIME),
                  MEMBER_AT("kit/solutions/lab1-memory-layout/kernel.cu", text_of("kernel.cu"), IN_TIME + 30),
                  MEMBER_AT("kit/common/archives/seeds.tar.gz", "x", IN_TIME));
}
static void hand_in_two(const char *part) {
    put(part, "lab1/first/kernel.cu", "wrong", -60);
    put(part, KERNEL, "right", 0);
}
static void hand_in_a_lab_too_many(const char *part) {
    put(part, KERNEL, "right", 0);
    put(part, "lab99/notes.txt", "x", 0);
}

#define NO_KERNEL "Something was handed in, but no kernel.cu to judge."

static const struct oddity {
    const char *file, *word;           /* a file of this text, as late as the row says; */
    void (*hand_in)(const char *part); /* or what this puts there; or nothing */
    enum earned earned;
    const char *outcome, *message, *human; /* words; human "": nobody has to look */
    unsigned late_days;
    bool told; /* the roster says that it was handed in */
} oddities[] = {
    {KERNEL, "right", NULL, FULL, "judged", "", "", 0, true},
    {KERNEL, "wrong", NULL, ZERO, "failed", "", "", 0, true},
    {KERNEL, "no build", NULL, ZERO, "build-failed", "", "", 0, true},
    {KERNEL, "endless", NULL, ZERO, "failed", "Flag timeout", "It has flags, and was wrong or was stopped", 0,
     true},
    {KERNEL, "starter.cu", NULL, ZERO, "judged", "", "It is the starter, as it was handed out.", 0, true},
    {KERNEL, "kernel.cu", NULL, ALL, "judged", "", "It is the kit's own solution.", 0, true},
    {KERNEL, "right", NULL, TENTH_OFF, "judged", "1 day late: 10 % off.", "", 1, true},
    {KERNEL, "right", NULL, ZERO, "judged", "9 days late; more than 7 days late: nothing.", "", 9, true},
    {NULL, NULL, hand_in_with_bom, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_utf16, ZERO, "missing", "The kernel.cu cannot be taken: it is UTF-16.", NO_KERNEL, 0,
     true},
    {NULL, NULL, hand_in_nul, ZERO, "missing", "cannot be taken: it is not a text", NO_KERNEL, 0, true},
    {KERNEL, "", NULL, ZERO, "missing", "cannot be taken: it is empty.", NO_KERNEL, 0, true},
    {NULL, NULL, hand_in_too_large, ZERO, "missing", "cannot be taken: it is larger than 1 MiB.", NO_KERNEL,
     0, true},
    {NULL, NULL, hand_in_link, ZERO, "missing", "cannot be taken: it is a link.", NO_KERNEL, 0, true},
    {"lab1/report.txt", "I could not do it.\n", NULL, ZERO, "missing", "There is no kernel.cu", NO_KERNEL, 0,
     true},
    {"lab1/lab1.cu", "right", NULL, ZERO, "missing", "Name your file kernel.cu", NO_KERNEL, 0, true},
    {"lab1/work.7z", "7z", NULL, ZERO, "missing", "There is no kernel.cu", NO_KERNEL, 0, true},
    {NULL, NULL, hand_in_archive, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_twice_in_a_zip, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_kit, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_zipped_kit, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_two, FULL, "judged", "", "", 0, true},
    {NULL, NULL, hand_in_a_lab_too_many, FULL, "judged", "", "", 0, true},
    {"lab11/kernel.cu", "right", NULL, ZERO, "missing", "Nothing was handed in.", "", 0, false},
    {NULL, NULL, NULL, ZERO, "missing", "Nothing was handed in.", "", 0, false},
    {NULL, NULL, NULL, OPEN, "absent", "has not reached the grader", "Handed in, says the roster", 0, true},
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
        if (oddity->hand_in != NULL)
            oddity->hand_in(part);
        else if (oddity->file != NULL)
            put(part, oddity->file, oddity->word, (int64_t)oddity->late_days * DAY);
        if (oddity->told)
            text_format_time(time, IN_TIME + (int64_t)oddity->late_days * DAY);
        fprintf(rows, "\"%s\",%s\n", name, time);
    }
    fclose(rows);
    class_write("roster.csv", list);
    free(list);
}

#define POLICY                                                                                               \
    "[class]\nkey = " CLASS_KEY "\npoints = 100\ndeadline = 2026-01-01 00:00 Z\nlate_percent_at_most = 50\n" \
    "late_days = 7\nalike_percent = 0\n"

static void write_policy(const char *more) {
    class_write("policy.ini", class_print(POLICY "%s", more));
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
    const struct csv *csv = platform_csv("grades.csv");
    unsigned wrong = 0;
    char name[64];
    name_of(0, name);
    full = strtod(cell(csv, row_of(csv, name), "points"), NULL);
    assert_true(full > 0);
    for (unsigned i = 0; i < count; i++)
        wrong += !is_as_expected(csv, i);
    assert_int_equal(csv->row_count, count + 1);
    if (wrong > 0)
        fail_msg("%u wrong grades of %u", wrong, count);
}

static void assert_unchanged(const char *grades) {
    assert_string_equal(class_read("out/grades.csv"), grades);
}

/* ---- the term */

static void killed_on_its_way(const char *options) {
    int status;
    pid_t process = class_start("%s", options);
    nanosleep(&(struct timespec){.tv_sec = real() ? 20 : 0, .tv_nsec = 300000000}, NULL);
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, &status, 0), process);
}

static void decisions_by_hand(const char *grades) {
    class_write("words.csv", "student,lab,points\ns0,lab1,77\n");
    class_grade(3, "--rescore --overrides @words.csv");
    class_write("words.csv", "student,lab,points\ns4,lab1,66\n");
    class_grade_says("no longer decided by hand: s0 lab1 77 -> ", 1, "--rescore --overrides @words.csv");
    class_write("words.csv", "student,lab,points\ns0,lab1,77\ns4,lab3,66\n");
    class_grade_says("words.csv:3: nobody has a grade in lab3", 1, "--rescore --overrides @words.csv");
    class_write("words.csv", "student,lab\n");
    class_grade_says("no longer decided by hand: s0 lab1 77 -> ", 3,
                     "--rescore --overrides @words.csv --replace");
    assert_unchanged(grades);
}

static void mishaps(const char *grade, const char *grades) {
    /* a download of one student, and one of nobody */
    class_write_at("elsewhere/s0/lab1/kernel.cu", "// right\n", IN_TIME);
    class_grade_says("are not in this download", 1,
                     "--submissions @elsewhere --roster @roster.csv --policy @policy.ini");
    /* a small size, a misspelt model, a harder policy and back */
    write_policy("gpu = rtx4090\n");
    class_grade_says("no GPU model \"rtx4090\"; there are: ", 1, "--rescore --policy @policy.ini");
    write_policy("pass = 100\nlate_percent_per_day = 50\n");
    class_grade(3, "--rescore --policy @policy.ini");
    write_policy("");
    class_grade(3, "--rescore --policy @policy.ini");
    assert_unchanged(grades);
    /* a gradebook that lost its end; the copy of it */
    class_shell(
        0, "cd '%s' && cp gradebook.sqlite copy && truncate -s $(($(stat -c %%s copy) / 2)) gradebook.sqlite",
        out);
    class_grade_says("put a copy of it back", 1, "%s", grade);
    assert_unchanged(grades);
    class_shell(0, "cd '%s' && mv copy gradebook.sqlite", out);
    class_grade(3, "%s", grade);
    assert_unchanged(grades);
}

static void a_term(void **state) {
    unsigned count = students();
    static const char grade[] = "--submissions @in --roster @roster.csv --policy @policy.ini";
    make_class(count);
    /* what would be graded, and under what policy nobody may be */
    write_policy("");
    class_grade_says("lab11/kernel.cu is not taken: there is no lab11.", 3, "%s --dry-run", grade);
    if (!real()) { /* in lab 1 the real reference is faster at small sizes, too */
        write_policy("size = 64x40\n");
        class_grade_says("lab1's reference is slower than its starter (0.89x): take another size", 1, grade);
    }
    write_policy("");
    killed_on_its_way(grade);
    class_grade_says("says the roster", 3, grade);
    assert_class(count);
    char *grades = class_read("out/grades.csv");
    class_grade(3, grade);
    assert_unchanged(grades);
    decisions_by_hand(grades);
    mishaps(grade, grades);
    /* the absent ones' files are found */
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        char part[128] = "in/";
        name_of(i, part + 3);
        if (oddity_of(i)->earned == OPEN)
            put(part, KERNEL, "right", 0);
        found += oddity_of(i)->earned == OPEN;
    }
    class_grade_says("lab11", 3, grade);
    class_has_not("out/grades.csv", ",absent,");
    assert_true(found > 0 || count < ODDITIES);
}

TESTS(CLASS_TEST(a_term))

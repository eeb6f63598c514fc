/*
 * test_leaks.c: no way that a program has to tell of its inputs leads to its author. Every submission of leaks.cu is judged
 * in two classes, whose secrets differ, by the judge itself. What a student gets is then the same, byte for byte; where a
 * submission is right, all but the figures that its points are made of. Skipped where the sandbox cannot work.
 */
#include "support_class.h"

#include "base/child.h"
#include <math.h>

#include "class/gradebook.h"

#include <dirent.h>

enum { TOLD_ENOUGH = 3, LONGEST_MASK = 8 };

/* told: what the program tells stands in the words that the staff gets, and differs from class to class. */
static const struct leak {
    const char *channel;
    bool right, told;
} leaks[] = {
    {"device_printf", false, false}, {"host_printf", false, false}, {"fault_address", false, true},
    {"fault_beyond", false, true},   {"fault_thread", false, true}, {"fault_line", false, false},
    {"assert_text", false, false},   {"wrong_count", false, true},  {"exit_status", false, false},
    {"signal", false, false},        {"kernel_name", true, false},  {"kernel_name_of_fault", false, false},
    {"grid", true, false},           {"launches", true, false},     {"refused_grid", false, true},
    {"refused_block", false, true},  {"copied_bytes", false, true}, {"cuda_error", false, false},
};
enum { LEAKS = sizeof leaks / sizeof *leaks };

static const char *const classes[] = {"one", "two"};
static bool works;

static void write_class(void) {
    const char *source = class_kits("grader/class/tests/leaks.cu");
    for (int i = 0; i < LEAKS; i++)
        class_write_at(class_print("in/%s/kernel.cu", leaks[i].channel),
                       class_print("#define CHANNEL_%s 1\n%s", leaks[i].channel, source), 1767225600);
    /* at so small a size the starter earns something: no rehearsal is to stop what is tried here */
    class_write("policy.ini", "[class]\nsize = 640x420\nstarter_percent = 100\nreference_percent = 0\n");
}

static int set_up(void **state) {
    char grade_job[PATH_SIZE];
    assert_int_equal(class_set_up(NULL), 0);
    if (getenv("SANITIZED") != NULL) /* a sanitiser in simgpu reads /proc, which the sandbox has not */
        return 0;
    write_class();
    class_program("bin/grade-job", grade_job);
    works = true;
    for (int i = 0; i < 2; i++) {
        pid_t process =
            class_start(LAB1 " --grade-job %s --policy @policy.ini --out @%s --quiet", grade_job, classes[i]);
        int status = child_wait(process, INFINITY);
        if (status != 0 && status != 3)
            return -1;
        works = works && status == 0; /* 3: the grader is in trouble, for want of a sandbox */
    }
    return 0;
}

static void need_sandbox(void) {
    if (works)
        return;
    print_message("skipped: submissions cannot be confined here\n");
    skip();
}

static char *read_from(int class, const char *form, const char *channel) {
    return class_read(class_print("%s/%s", classes[class], class_print(form, channel)));
}

/* From the words on that tell of the kernels: what comes before are points, and the figures they are made of. */
static const char *of_kernels(const char *text) {
    const char *found = strstr(text, "What limits it");
    assert_non_null(found);
    return found;
}

static void test_leak(void **state) {
    static const char *const forms[] = {"feedback/lab1/%s.txt", "feedback/lab1/%s.html",
                                        "autolab/lab1/%s.txt", "gradescope/lab1/%s.json"};
    const struct leak *leak = *state;
    need_sandbox();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *one = read_from(0, forms[i], leak->channel), *two = read_from(1, forms[i], leak->channel);
        if (!leak->right)
            assert_string_equal(one, two);
        else if (strstr(forms[i], "feedback") != NULL) /* elsewhere figures follow again */
            assert_string_equal(of_kernels(one), of_kernels(two));
    }
}

/* Of all that is written for students and staff, no file has an address. */
static void test_no_addresses(void **state) {
    static const char *const folders[] = {"feedback/lab1", "gradescope/lab1", "autolab/lab1", "."};
    need_sandbox();
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        char path[PATH_SIZE], place[64];
        snprintf(place, sizeof place, "one/%s", folders[f]);
        assert_true(path_join(path, folder, place));
        DIR *entries = opendir(path);
        assert_non_null(entries);
        for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
            const char *dot = strrchr(entry->d_name, '.');
            if (dot == NULL || entry->d_name[0] == '.' || strncmp(dot, ".sqlite", 7) == 0)
                continue;
            char name[400];
            snprintf(name, sizeof name, "%s/%s", place, entry->d_name);
            char *text = class_read(name);
            for (const char *at = text; (at = strstr(at, "0x")) != NULL; at += 2) {
                size_t digits = strspn(at + 2, "0123456789abcdefABCDEF");
                if (digits > LONGEST_MASK)
                    fail_msg("%s has an address: %.40s", name, at);
            }
        }
        closedir(entries);
    }
}

/* What the staff may read of a kernel's failure. */
static void staff_words(int class, const char *channel, char words[4096]) {
    char out[PATH_SIZE];
    struct gradebook book;
    assert_true(path_join(out, folder, classes[class]) && gradebook_open(&book, out));
    sqlite3_stmt *row = gradebook_prepare(
        &book,
        "SELECT json_extract(r.result, '$.staff.detail') FROM results r JOIN jobs j ON j.key = r.job"
        " JOIN submissions s ON s.sha256 = j.sha256 WHERE s.student = ?",
        "s", channel);
    assert_non_null(row);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    snprintf(words, 4096, "%s", gradebook_text(row, 0));
    sqlite3_finalize(row);
    gradebook_close(&book);
}

/* The submissions do tell: else nothing above could fail. */
static void test_staff_is_told(void **state) {
    unsigned told = 0, expected = 0;
    need_sandbox();
    for (int i = 0; i < LEAKS; i++) {
        char one[4096], two[4096];
        if (!leaks[i].told)
            continue;
        staff_words(0, leaks[i].channel, one);
        staff_words(1, leaks[i].channel, two);
        expected++;
        told += one[0] != '\0' && strcmp(one, two) != 0;
    }
    assert_true(expected > TOLD_ENOUGH);
    assert_true(told >= TOLD_ENOUGH);
}

int main(void) {
    static struct CMUnitTest tests[LEAKS + 2];
    for (size_t i = 0; i < LEAKS; i++)
        tests[i] = (struct CMUnitTest){leaks[i].channel, test_leak, NULL, NULL, (void *)(uintptr_t)&leaks[i]};
    tests[LEAKS] = (struct CMUnitTest){"test_no_addresses", test_no_addresses, NULL, NULL, NULL};
    tests[LEAKS + 1] = (struct CMUnitTest){"test_staff_is_told", test_staff_is_told, NULL, NULL, NULL};
    return _cmocka_run_group_tests("leaks", tests, LEAKS + 2, set_up, class_tear_down);
}

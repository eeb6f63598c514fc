/* Archives: names by their bytes, an end that is missing, a copy of the whole kit; and files
 * that are nearly kernel.cu. */
#include "support_class.h"

#include "class/intake/submissions.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One letter, as one code point and as two. */
#define COMPOSED "\xc3\xa9"
#define DECOMPOSED "e\xcc\x81"
#define COMPOSED_BYTES "\\xc3\\xa9"
#define DECOMPOSED_BYTES "e\\xcc\\x81"

static struct submissions read_class(const char *name, bool single_cu) {
    char path[PATH_SIZE];
    struct submissions submissions;
    struct submissions_options options = {.lab = "lab1", .store = store, .single_cu = single_cu};
    path_join(path, folder, name);
    if (!submissions_read(path, &options, &submissions, error, sizeof error))
        fail_msg("%s", error);
    return submissions;
}

static const struct submission *of_claim(const struct submissions *s, const char *claim) {
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->items[i].claim, claim) == 0)
            return &s->items[i];
    fail_msg("no %s", claim);
    return NULL;
}

static void assert_kernel(const struct submission *submission, const char *text) {
    char name[128];
    snprintf(name, sizeof name, "out/kernels/%s.cu", submission->sha256);
    char *kernel = class_read(folder, name);
    assert_string_equal(kernel, text);
    free(kernel);
}

/* The program unpacks accents as it finds them: the two are two claims, and nobody is graded for
 * them. */
static void two_forms_of_one_name(void **state) {
    static const struct class_member members[] = {{.path = COMPOSED "/kernel.cu", .text = "// one\n"},
                                                  {.path = DECOMPOSED "/kernel.cu", .text = "// two\n"},
                                                  {.path = "bob/kernel.cu", .text = "// bob\n"}};
    static const char *const archives[] = {"class.zip", "class.tar.gz"};
    for (size_t i = 0; i < 2; i++) {
        class_archive(folder, archives[i], members, 3);
        struct submissions s = read_class(archives[i], false);
        assert_int_equal(s.count, 3);
        assert_kernel(of_claim(&s, COMPOSED), "// one\n");
        assert_kernel(of_claim(&s, DECOMPOSED), "// two\n");
        assert_string_equal(of_claim(&s, COMPOSED)->student, of_claim(&s, DECOMPOSED)->student);
        assert_int_equal(s.stray_count, 0); /* the plan tells it */
        submissions_free(&s);
        char path[PATH_SIZE];
        path_join(path, folder, archives[i]);
        const char *arguments[] = {"--lab", "lab1", "--submissions", path, "--out", out, NULL};
        class_grade_says(folder, arguments, 3,
                         "\n1 of it a human has to look at:\n" DECOMPOSED ", lab1: Claimed by " DECOMPOSED
                         " (" DECOMPOSED_BYTES ") and by " COMPOSED " (" COMPOSED_BYTES
                         "): leave one of them.\n");
        char *grades = class_read(folder, "out/grades.csv"), *totals = class_read(folder, "out/totals.csv");
        assert_has(grades, "bob,lab1,");
        assert_has(grades, "\n" DECOMPOSED ",lab1,,");
        assert_has_not(grades, "no kernel.cu to judge");
        assert_has(totals, "\n" DECOMPOSED ",,,,1,\r\n");
        free(totals);
        class_grade_says(folder, (const char *[]){"--rescore", "--out", out, NULL}, 3, "Claimed by");
        free(grades);
    }
}

/* A folder that Finder packed has its accents apart; the class list has them together. */
static void a_name_is_compared_in_one_form(void **state) {
    static const struct class_member members[] = {
        {.path = "Jos" DECOMPOSED "/kernel.cu", .text = "// one\n"},
        {.path = "Nguye\xcc\x82\xcc\x83n/kernel.cu", .text = "// two\n"},
        {.path = "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab/kernel.cu", .text = "// three\n"}};
    char path[PATH_SIZE];
    class_archive(folder, "class.zip", members, 3);
    class_write(folder, "roster.csv", "student\nJos" COMPOSED "\nNguy\xe1\xbb\x85n\n\xed\x95\x9c\n", 0);
    path_join(path, folder, "class.zip");
    const char *arguments[] = {"--lab", "lab1", "--submissions", path, "--roster", roster, "--out",
                               out,     NULL};
    class_grade_says(folder, arguments, 0, "3 with a kernel.cu\n");
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "\nJos" COMPOSED ",lab1,");
    assert_has_not(grades, "Nothing was handed in");
    free(grades);
}

/* Other bytes than UTF-8, and a name that is given again as Unicode. */
static void names_of_any_bytes(void **state) {
    static const char local[] = "PK\3\4\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static const char central[] = "PK\1\2\n\0\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static const char *const names[] = {"\x82/kernel.cu", "\x83/kernel.cu"};
    char path[PATH_SIZE];
    path_join(path, folder, "old.zip");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    uint8_t length[4] = {(uint8_t)strlen(names[0]), 0, 0, 0};
    long at[2], directory;
    for (int i = 0; i < 2; i++) { /* two empty files */
        at[i] = ftell(file);
        fwrite(local, 1, 26, file);
        fwrite(length, 1, 4, file);
        fputs(names[i], file);
    }
    directory = ftell(file);
    for (int i = 0; i < 2; i++) {
        uint8_t rest[14] = {0};
        rest[10] = (uint8_t)at[i];
        fwrite(central, 1, 28, file);
        fwrite(length, 1, 4, file);
        fwrite(rest, 1, 14, file);
        fputs(names[i], file);
    }
    uint8_t end[22] = {'P', 'K', 5, 6, 0, 0, 0, 0, 2, 0, 2, 0};
    end[12] = (uint8_t)(ftell(file) - directory);
    end[16] = (uint8_t)directory;
    fwrite(end, 1, sizeof end, file);
    fclose(file);
    struct submissions s = read_class("old.zip", false);
    assert_int_equal(s.count, 2);
    assert_string_not_equal(s.items[0].student, s.items[1].student);
    submissions_free(&s);
}

static void cut(const char *name, off_t bytes) {
    char path[PATH_SIZE];
    path_join(path, folder, name);
    assert_int_equal(truncate(path, bytes), 0);
}

static off_t size_of(const char *name) {
    char path[PATH_SIZE];
    path_join(path, folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    off_t size = ftell(file);
    fclose(file);
    return size;
}

/* What is left can be read; that something is missing has to be said. */
static void a_zip_without_its_end(void **state) {
    static const struct class_member members[] = {{.path = "kernel.cu", .text = "// one\n"}};
    char path[PATH_SIZE];
    class_archive(in, "ann.zip", members, 1);
    cut("in/ann.zip", size_of("in/ann.zip") - 30);
    struct submissions s = read_class("in", false);
    assert_kernel(of_claim(&s, "ann.zip"), "// one\n");
    assert_has(of_claim(&s, "ann.zip")->notes, "its end is missing");
    assert_int_equal(s.stray_count, 1);
    assert_has(s.strays[0], "ann.zip: the archive is cut off");
    submissions_free(&s);
    static const struct class_member class_members[] = {{.path = "ann/kernel.cu", .text = "// one\n"},
                                                        {.path = "bob/kernel.cu", .text = "// two\n"}};
    class_archive(folder, "class.zip", class_members, 2);
    cut("class.zip", size_of("class.zip") - 1);
    path_join(path, folder, "class.zip");
    const char *arguments[] = {"--lab", "lab1", "--submissions", path, "--out", out, NULL};
    class_grade_says(folder, arguments, 1, "its end is missing");
}

/* A zip of the kit is a copy of it as a folder is: the lab's folder counts, and one sentence
 * says so. */
static void a_zip_of_the_kit(void **state) {
    static const struct class_member members[] = {
        {.path = "kit/labs/lab1-memory-layout/lab1.h", .text = "x", .modified = 9},
        {.path = "kit/labs/lab1-memory-layout/kernel.cu", .text = "// ann's\n", .modified = 1},
        {.path = "kit/labs/lab2-shared-memory/kernel.cu", .text = "// other\n", .modified = 9},
        {.path = "kit/common/archives/seeds.tar.xz", .text = "x", .modified = 9},
        {.path = "kit/solutions/lab1-memory-layout/kernel.cu", .text = "// the kit's\n", .modified = 9}};
    class_archive(in, "ann.zip", members, 5);
    class_archive(in, "bob.zip", members + 2, 3);
    static const struct class_member without[] = {
        {.path = "labs/lab1-memory-layout/lab1.h", .text = "x"},
        {.path = "labs/lab2-shared-memory/kernel.cu", .text = "// other\n"}};
    class_archive(in, "cid.zip", without, 2);
    struct submissions s = read_class("in", false);
    assert_kernel(of_claim(&s, "ann.zip"), "// ann's\n");
    assert_string_equal(of_claim(&s, "ann.zip")->notes,
                        "This is a copy of the kit; the kernel.cu of the lab's folder counts: "
                        "ann.zip/kit/labs/lab1-memory-layout/kernel.cu.");
    assert_string_equal(of_claim(&s, "cid.zip")->notes, "");
    assert_has(of_claim(&s, "cid.zip")->problem, "there is no kernel.cu in the lab's folder");
    submissions_free(&s);
}

/* By another name nothing is taken, and the student is told the right one; unless the policy
 * takes a single one. */
static void nearly_kernel_cu(void **state) {
    class_write(in, "ann/kernel.cu.txt", "// ann\n", 0);
    class_write(in, "bob/lab1.cu", "// bob\n", 0);
    class_write(in, "cid/a.cu", "// a\n", 0);
    class_write(in, "cid/b.cu", "// b\n", 0);
    class_write(in, "dee/other.cu", "// other\n", 0);
    class_write(in, "dee/kernel.cu", "// dee\n", 0);
    class_write(in, "eve/mine.cu", "", 0);
    class_write(in, "fox/notes.txt", "x", 0);
    struct submissions s = read_class("in", false);
    assert_int_equal(s.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const char *who = s.items[i].student;
        bool right = strcmp(who, "dee") == 0, odd = strcmp(who, "fox") != 0 && !right;
        assert_true((s.items[i].sha256[0] != '\0') == right);
        assert_true((strstr(s.items[i].problem, "Name your file kernel.cu") != NULL) == odd);
    }
    submissions_free(&s);
    s = read_class("in", true);
    assert_kernel(of_claim(&s, "ann"), "// ann\n");
    assert_string_equal(of_claim(&s, "ann")->notes,
                        "There is no kernel.cu; the only CUDA file is taken: ann/kernel.cu.txt.");
    assert_kernel(of_claim(&s, "bob"), "// bob\n");
    assert_has(of_claim(&s, "cid")->problem, "Name your file kernel.cu"); /* which of the two? */
    assert_kernel(of_claim(&s, "dee"), "// dee\n");
    assert_has(of_claim(&s, "eve")->notes, "eve/mine.cu is not taken: it is empty.");
    assert_has(of_claim(&s, "fox")->problem, "There is no kernel.cu in what was handed in.");
    submissions_free(&s);
}

/* Why a kernel.cu is not taken stands where every export has it; and of two that are as new the
 * note tells. */
static void reasons_and_ties(void **state) {
    static const struct class_member two[] = {{.path = "a/kernel.cu", .text = "// a\n", .modified = 5},
                                              {.path = "b/kernel.cu", .text = "// b\n", .modified = 5}};
    class_write(in, "ann/kernel.cu", "\xff\xfex", 0);
    class_archive(in, "bob.zip", two, 2);
    struct submissions s = read_class("in", false);
    assert_has(of_claim(&s, "ann")->problem, "cannot be taken: it is UTF-16");
    assert_kernel(of_claim(&s, "bob.zip"), "// a\n");
    assert_has(
        of_claim(&s, "bob.zip")->notes,
        "2 files are named kernel.cu; of equally new ones the one with the shortest path counts: bob.zip/a/kernel.cu.");
    submissions_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_forms_of_one_name, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_name_is_compared_in_one_form, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(names_of_any_bytes, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_zip_without_its_end, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_zip_of_the_kit, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(nearly_kernel_cu, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(reasons_and_ties, class_set_up, class_tear_down),
    };
    setlocale(LC_CTYPE, "C.UTF-8"); /* the archives' writer, too */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

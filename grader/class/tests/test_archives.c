/* Archives: names by their bytes, an end that is missing, a copy of the whole kit; and files
 * that are nearly kernel.cu. */
#include "support_intake.h"

#include <locale.h>

/* One letter, as one code point and as two. */
#define COMPOSED "\xc3\xa9"
#define DECOMPOSED "e\xcc\x81"
#define COMPOSED_BYTES "\\xc3\\xa9"
#define DECOMPOSED_BYTES "e\\xcc\\x81"

/* The program unpacks accents as it finds them: the two are two claims, and nobody is graded for
 * them. */
static void two_forms_of_one_name(void **state) {
    static const char *const archives[] = {"class.zip", "class.tar.gz"};
    for (size_t i = 0; i < 2; i++) {
        class_archive(archives[i], MEMBER(COMPOSED "/kernel.cu", "// one\n"),
                      MEMBER(DECOMPOSED "/kernel.cu", "// two\n"), MEMBER("bob/kernel.cu", "// bob\n"));
        intake(archives[i]);
        assert_int_equal(taken.count, 3);
        assert_kernel(COMPOSED, "// one\n");
        assert_kernel(DECOMPOSED, "// two\n");
        assert_string_equal(of(COMPOSED)->student, of(DECOMPOSED)->student);
        assert_strays(0, ""); /* the plan tells it */
        class_grade_says("\n1 of it a human has to look at:\n" DECOMPOSED ", lab1: Claimed by " DECOMPOSED
                         " (" DECOMPOSED_BYTES ") and by " COMPOSED " (" COMPOSED_BYTES
                         "): leave one of them.\n",
                         3, "--lab lab1 --submissions @%s", archives[i]);
        class_has("out/grades.csv", "bob,lab1,", "\n" DECOMPOSED ",lab1,,");
        class_has_not("out/grades.csv", "no kernel.cu to judge");
        class_has("out/totals.csv", "\n" DECOMPOSED ",,,,1,\r\n");
        class_grade_says("Claimed by", 3, "--rescore");
    }
}

/* A folder that Finder packed has its accents apart; the class list has them together. */
static void a_name_is_compared_in_one_form(void **state) {
    char path[PATH_SIZE];
    class_archive("class.zip", MEMBER("Jos" DECOMPOSED "/kernel.cu", "// one\n"),
                  MEMBER("Nguye\xcc\x82\xcc\x83n/kernel.cu", "// two\n"),
                  MEMBER("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab/kernel.cu", "// three\n"));
    class_write("roster.csv", "student\nJos" COMPOSED "\nNguy\xe1\xbb\x85n\n\xed\x95\x9c\n");
    path_join(path, folder, "class.zip");
    class_grade_says("3 with a kernel.cu\n", 0, "--lab lab1 --submissions @class.zip --roster @roster.csv");
    class_has("out/grades.csv", "\nJos" COMPOSED ",lab1,");
    class_has_not("out/grades.csv", "Nothing was handed in");
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
    intake("old.zip");
    assert_int_equal(taken.count, 2);
    assert_string_not_equal(taken.items[0].student, taken.items[1].student);
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
    char path[PATH_SIZE];
    class_archive("in/ann.zip", MEMBER("kernel.cu", "// one\n"));
    cut("in/ann.zip", size_of("in/ann.zip") - 30);
    intake("in");
    assert_kernel("ann.zip", "// one\n");
    assert_notes("ann.zip", "its end is missing");
    assert_strays(1, "ann.zip: the archive is cut off");
    class_archive("class.zip", MEMBER("ann/kernel.cu", "// one\n"), MEMBER("bob/kernel.cu", "// two\n"));
    cut("class.zip", size_of("class.zip") - 1);
    path_join(path, folder, "class.zip");
    class_grade_says("its end is missing", 1, "--lab lab1 --submissions @class.zip");
}

/* A zip of the kit is a copy of it as a folder is: the lab's folder counts, and one sentence
 * says so. */
static void a_zip_of_the_kit(void **state) {
    static const struct class_member members[] = {
        MEMBER_AT("kit/labs/lab1-memory-layout/lab1.h", "x", 9),
        MEMBER_AT("kit/labs/lab1-memory-layout/kernel.cu", "// ann's\n", 1),
        MEMBER_AT("kit/labs/lab2-shared-memory/kernel.cu", "// other\n", 9),
        MEMBER_AT("kit/common/archives/seeds.tar.xz", "x", 9),
        MEMBER_AT("kit/solutions/lab1-memory-layout/kernel.cu", "// the kit's\n", 9)};
    class_archive_of("in/ann.zip", members, 5);
    class_archive_of("in/bob.zip", members + 2, 3);
    class_archive("in/cid.zip", MEMBER("labs/lab1-memory-layout/lab1.h", "x"),
                  MEMBER("labs/lab2-shared-memory/kernel.cu", "// other\n"));
    intake("in");
    assert_kernel("ann.zip", "// ann's\n");
    assert_string_equal(of("ann.zip")->notes,
                        "This is a copy of the kit; the kernel.cu of the lab's folder counts: "
                        "ann.zip/kit/labs/lab1-memory-layout/kernel.cu.");
    assert_string_equal(of("cid.zip")->notes, "");
    assert_problem("cid.zip", "there is no kernel.cu in the lab's folder");
}

/* By another name nothing is taken, and the student is told the right one; unless the policy
 * takes a single one. */
static void nearly_kernel_cu(void **state) {
    class_files("in/ann/kernel.cu.txt", "// ann\n", "in/bob/lab1.cu", "// bob\n", "in/cid/a.cu", "// a\n",
                "in/cid/b.cu", "// b\n", "in/dee/other.cu", "// other\n");
    class_write("in/dee/kernel.cu", "// dee\n");
    class_files("in/eve/mine.cu", "", "in/fox/notes.txt", "x");
    intake("in");
    assert_int_equal(taken.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const char *who = taken.items[i].student;
        bool right = strcmp(who, "dee") == 0, odd = strcmp(who, "fox") != 0 && !right;
        assert_true((taken.items[i].sha256[0] != '\0') == right);
        assert_true((strstr(taken.items[i].problem, "Name your file kernel.cu") != NULL) == odd);
    }
    intake_with("in", (struct submissions_options){.lab = "lab1", .single_cu = true});
    assert_kernel("ann", "// ann\n");
    assert_string_equal(of("ann")->notes,
                        "There is no kernel.cu; the only CUDA file is taken: ann/kernel.cu.txt.");
    assert_kernel("bob", "// bob\n");
    assert_problem("cid", "Name your file kernel.cu"); /* which of the two? */
    assert_kernel("dee", "// dee\n");
    assert_notes("eve", "eve/mine.cu is not taken: it is empty.");
    assert_problem("fox", "There is no kernel.cu in what was handed in.");
}

/* Why a kernel.cu is not taken stands where every export has it; and of two that are as new the
 * note tells. */
static void reasons_and_ties(void **state) {
    class_write("in/ann/kernel.cu", "\xff\xfex");
    class_archive("in/bob.zip", MEMBER_AT("a/kernel.cu", "// a\n", 5), MEMBER_AT("b/kernel.cu", "// b\n", 5));
    intake("in");
    assert_problem("ann", "cannot be taken: it is UTF-16");
    assert_kernel("bob.zip", "// a\n");
    assert_has(
        of("bob.zip")->notes,
        "2 files are named kernel.cu; of equally new ones the one with the shortest path counts: bob.zip/a/kernel.cu.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CLASS_TEST(two_forms_of_one_name), CLASS_TEST(a_name_is_compared_in_one_form),
        CLASS_TEST(names_of_any_bytes),    CLASS_TEST(a_zip_without_its_end),
        CLASS_TEST(a_zip_of_the_kit),      CLASS_TEST(nearly_kernel_cu),
        CLASS_TEST(reasons_and_ties)};
    setlocale(LC_CTYPE, "C.UTF-8"); /* the archives' writer, too */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

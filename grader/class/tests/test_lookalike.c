/* Names that look alike, and the human who is told. */
#include "support_class.h"

#include "class/text.h"

#include <stdlib.h>
#include <string.h>

static void test_keys(void **state) {
    static const struct {
        const char *one, *other;
        bool alike;
    } pairs[] = {{"anna", "\xd0\xb0nna", true},                       /* Cyrillic */
                 {"Bob", "\xce\x92\xce\xbf\x62", true},               /* Greek */
                 {"ann", "\xef\xbd\x81nn", true},                     /* fullwidth */
                 {"J\xc3\xbcrgen", "Ju\xcc\x88rgen", true},           /* two forms of one letter */
                 {"ann", "a\xe2\x80\x8dnn", true},                    /* a joiner */
                 {"user10", "userlO", true},                          /* digits and letters */
                 {"\xd0\xa1\xd0\x90\xd0\xa0", "CAP", true},           /* all of it */
                 {"J\xc3\xbcrgen", "Jurgen", false},                  /* an accent is seen */
                 {"\xc3\xa9", "\xc3\xa8", false},                     /* so is which */
                 {"Ann", "ann", false},                               /* and capitals */
                 {"\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", "Ivan", false}, /* Cyrillic, with shapes of its own */
                 {"\xe5\xbc\xa0\xe4\xbc\x9f", "\xe5\xbc\xa0", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char one[64], other[64];
        lookalike_key(pairs[i].one, one, sizeof one);
        lookalike_key(pairs[i].other, other, sizeof other);
        if ((strcmp(one, other) == 0) != pairs[i].alike)
            fail_msg("%s and %s: %s", pairs[i].one, pairs[i].other, pairs[i].alike ? "not alike" : "alike");
    }
}

/* Broken bytes, and no room. */
static void test_any_bytes(void **state) {
    char key[4];
    lookalike_key("\xff\xfe\xd0", key, sizeof key);
    assert_string_equal(key, "???");
    lookalike_key("\xe5\xbc\xa0\xe5\xbc\xa0", key, sizeof key);
    assert_string_equal(key, "\xe5\xbc\xa0");
    lookalike_key("", key, sizeof key);
    assert_string_equal(key, "");
}

/* Two folders that nobody can tell apart: both are graded, each by its own, and a human is told of both. */
static void test_human_is_told(void **state) {
    char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE];
    class_make(folder);
    assert_true(path_join(in, folder, "in") && path_join(out, folder, "out"));
    class_write(in, "anna/kernel.cu", "// one\n", 0);
    class_write(in, "\xd0\xb0nna/kernel.cu", "// two\n", 0);
    class_write(in, "bob/kernel.cu", "// three\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "\xd0\xb0nna: Looks like anna, who is somebody else");
    char *words = class_read(folder, "output"), *grades = class_read(folder, "out/grades.csv");
    assert_has(words, "anna: Looks like \xd0\xb0nna, who is somebody else");
    assert_has_not(words, "bob");
    assert_has(grades, "\nanna,");
    assert_has(grades, "\n\xd0\xb0nna,");
    free(words);
    free(grades);
    class_remove(folder);
}

static void test_typed(void **state) {
    static const struct {
        const char *one, *other;
        bool alike;
    } pairs[] = {{"ann", "Ann", true},
                 {"ann", "ann ", true},
                 {"ann lee", "Ann  Lee", true},
                 {"ann", "anna", false},
                 {"ann-lee", "annlee", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char one[64], other[64];
        typed_key(pairs[i].one, one, sizeof one);
        typed_key(pairs[i].other, other, sizeof other);
        assert_int_equal(strcmp(one, other) == 0, pairs[i].alike);
    }
    char small[4], look[64];
    typed_key("anna", small, sizeof small);
    assert_string_equal(small, " an");
    typed_key("ann", small, sizeof small);
    lookalike_key("ann", look, sizeof look);
    assert_string_not_equal(small, look);
}

/* Capitals and a trailing blank make students of their own, which somebody has to hear of. */
static void test_capitals_and_blanks_are_told(void **state) {
    char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE];
    class_make(folder);
    assert_true(path_join(in, folder, "in") && path_join(out, folder, "out"));
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(in, "ann /kernel.cu", "// two\n", 0);
    class_write(in, "Bob/kernel.cu", "// three\n", 0);
    class_write(in, "bob/kernel.cu", "// four\n", 0);
    class_write(in, "cid/kernel.cu", "// five\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "ann: Looks like ann , who is somebody else");
    char *words = class_read(folder, "output");
    assert_has(words, "ann : Looks like ann, who is somebody else");
    assert_has(words, "Bob: Looks like bob, who");
    assert_has(words, "bob: Looks like Bob, who");
    assert_has_not(words, "cid");
    free(words);
    /* an id as it is written is that one's */
    char path[PATH_SIZE];
    class_write(folder, "words.csv", "student,lab,points\nBob,lab1,5\n", 0);
    assert_true(path_join(path, folder, "words.csv"));
    class_grade_says(folder, (const char *[]){"--rescore", "--overrides", path, "--out", out, NULL}, 0, "");
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "\nBob,lab1,5,");
    assert_has_not(grades, "\nbob,lab1,5,");
    free(grades);
    class_remove(folder);
}

/* Lab 1's answer is the starter with two numbers: whoever tries these has copied nothing. The kit's own file is told. */
static void test_numbers_accuse_nobody(void **state) {
    char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE];
    class_make(folder);
    assert_true(path_join(in, folder, "in") && path_join(out, folder, "out"));
    char *starter = class_read(".", "solutions/lab1-memory-layout/starter.cu"),
         *reference = class_read(".", "solutions/lab1-memory-layout/kernel.cu"),
         *of_lab2 = class_read(".", "solutions/lab2-shared-memory/kernel.cu"),
         *width = strstr(starter, "#define BLOCK_WIDTH 8");
    char *edited = malloc(strlen(starter) + 16), *copied = malloc(strlen(of_lab2) + 16);
    assert_non_null(width);
    snprintf(edited, strlen(starter) + 16, "%.*s#define BLOCK_WIDTH 32\n#define BLOCK_HEIGHT 2%s",
             (int)(width - starter), starter, strstr(width, "BLOCK_HEIGHT 8") + strlen("BLOCK_HEIGHT 8"));
    snprintf(copied, strlen(of_lab2) + 16, "// mine\n%s", of_lab2);
    class_write(in, "lab1-amy/lab1/kernel.cu", edited, 0);
    class_write(in, "lab1-ben/lab1/kernel.cu", reference, 0);
    class_write(in, "lab1-cat/lab1/kernel.cu", starter, 0);
    class_write(in, "lab1-dan/lab2/kernel.cu", copied, 0);
    class_grade_says(folder, (const char *[]){"--submissions", in, "--out", out, NULL}, 0,
                     "ben: It is the kit's own solution.");
    char *words = class_read(folder, "output");
    assert_has_not(words, "amy");
    assert_has(words, "cat: It is the starter, as it was handed out.");
    assert_has(words, "dan: It is the kit's own solution.");
    free(words);
    free(copied);
    free(edited);
    free(of_lab2);
    free(reference);
    free(starter);
    class_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_any_bytes),
                                       cmocka_unit_test(test_human_is_told),
                                       cmocka_unit_test(test_typed),
                                       cmocka_unit_test(test_capitals_and_blanks_are_told),
                                       cmocka_unit_test(test_numbers_accuse_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

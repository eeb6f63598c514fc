/* Names that look alike, and the human who is told. */
#include "support_class.h"

#include "class/text.h"

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
    class_kernels("anna", "// one\n", "\xd0\xb0nna", "// two\n", "bob", "// three\n");
    class_grade_says("\xd0\xb0nna: Looks like anna, who is somebody else", 0, LAB1);
    class_has("output", "anna: Looks like \xd0\xb0nna, who is somebody else");
    class_has_not("output", "bob");
    class_has("out/grades.csv", "\nanna,", "\n\xd0\xb0nna,");
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
    class_kernels("ann", "// one\n", "ann ", "// two\n", "Bob", "// three\n", "bob", "// four\n", "cid",
                  "// five\n");
    class_grade_says("ann: Looks like ann , who is somebody else", 0, LAB1);
    class_has("output", "ann : Looks like ann, who is somebody else", "Bob: Looks like bob, who",
              "bob: Looks like Bob, who");
    class_has_not("output", "cid");
    /* an id as it is written is that one's */
    class_write("words.csv", "student,lab,points\nBob,lab1,5\n");
    class_grade(0, "--rescore --overrides @words.csv");
    class_has("out/grades.csv", "\nBob,lab1,5,");
    class_has_not("out/grades.csv", "\nbob,lab1,5,");
}

/* Lab 1's answer is the starter with two numbers: whoever tries these has copied nothing. The kit's
 * own file is told. */
static void test_numbers_accuse_nobody(void **state) {
    const char *starter = class_kits("solutions/lab1-memory-layout/starter.cu"),
               *width = strstr(starter, "#define BLOCK_WIDTH 8");
    assert_non_null(width);
    const char *edited =
        class_print("%.*s#define BLOCK_WIDTH 32\n#define BLOCK_HEIGHT 2%s", (int)(width - starter), starter,
                    strstr(width, "BLOCK_HEIGHT 8") + strlen("BLOCK_HEIGHT 8"));
    class_write("in/lab1-amy/lab1/kernel.cu", edited);
    class_write("in/lab1-ben/lab1/kernel.cu", class_kits("solutions/lab1-memory-layout/kernel.cu"));
    class_write("in/lab1-cat/lab1/kernel.cu", starter);
    class_write("in/lab1-dan/lab2/kernel.cu",
                class_print("// mine\n%s", class_kits("solutions/lab2-shared-memory/kernel.cu")));
    class_grade_says("ben: It is the kit's own solution.", 0, "--submissions @in");
    class_has("output", "cat: It is the starter, as it was handed out.",
              "dan: It is the kit's own solution.");
    class_has_not("output", "amy");
}

TESTS(UNIT(test_keys), UNIT(test_any_bytes), CLASS_TEST(test_human_is_told), UNIT(test_typed),
      CLASS_TEST(test_capitals_and_blanks_are_told), CLASS_TEST(test_numbers_accuse_nobody))

/* Names and texts from outside, as they are kept, printed and exported. */
#include "support_class.h"

#include "class/intake/kernel_file.h"
#include "class/text.h"

static void expect_clean(const char *from, const char *expected) {
    char clean[128];
    text_clean(clean, sizeof clean, from);
    assert_string_equal(clean, expected);
}

static void nothing_unseen_is_left(void **state) {
    expect_clean("J\xc3\xbcrgen \xe5\xbc\xa0\xe4\xbc\x9f \xd7\x93\xd7\x9f",
                 "J\xc3\xbcrgen \xe5\xbc\xa0\xe4\xbc\x9f \xd7\x93\xd7\x9f");
    expect_clean("\xe2\x80\xaegnp.exe\xe2\x80\xac", "?gnp.exe?"); /* override, pop */
    expect_clean("a\xe2\x81\xa6"
                 "b\xe2\x81\xa9",
                 "a?b?"); /* isolates */
    expect_clean("a\xe2\x80\x8f\xd8\x9c"
                 "b",
                 "a??b"); /* marks */
    expect_clean("a\xe2\x80\xa8"
                 "b\xe2\x80\xa9",
                 "a?b?"); /* separators of lines, paragraphs */
    expect_clean("a\xe2\x80\x8b\xef\xbb\xbf"
                 "b",
                 "a??b");                  /* no width at all */
    expect_clean("\xf3\xa0\x81\xa1", "?"); /* a tag */
    expect_clean("\xd9\x85\xe2\x80\x8c\xd8\xb1",
                 "\xd9\x85\xe2\x80\x8c\xd8\xb1"); /* a joiner that names need */
    expect_clean("a\x1b[31m\tb\xc2\x9b"
                 "c\xff",
                 "a?[31m?b?c?");
}

static void expect_csv(const char *text, const char *expected) {
    FREED char *written = NULL;
    size_t size;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    text_csv(file, text);
    fclose(file);
    assert_string_equal(written, expected);
}

static void no_field_is_a_formula(void **state) {
    expect_csv("plain", "plain");
    expect_csv("a=b, \"c\"", "\"a=b, \"\"c\"\"\"");
    expect_csv("=1+1", "\"'=1+1\"");
    expect_csv("-2", "\"'-2\"");
    expect_csv("  @sum", "\"'  @sum\"");
    expect_csv("\n=1", "\"'\n=1\"");
    expect_csv("\xef\xbc\x9d"
               "1",
               "\"'\xef\xbc\x9d"
               "1\""); /* fullwidth = + - @ */
    expect_csv("\xef\xbc\x8b"
               "1",
               "\"'\xef\xbc\x8b"
               "1\"");
    expect_csv("\xef\xbc\x8d"
               "1",
               "\"'\xef\xbc\x8d"
               "1\"");
    expect_csv("\xe3\x80\x80\xef\xbc\xa0x", "\"'\xe3\x80\x80\xef\xbc\xa0x\"");
    expect_csv("\xef\xbc\xa1", "\xef\xbc\xa1"); /* a fullwidth A is a letter */
}

static bool same(const char *one, const char *other) {
    return likeness_same(one, strlen(one), other, strlen(other));
}

static void likeness_leaves_out_what_no_compiler_reads(void **state) {
    static const char kernel[] = "int f(int a) {\n    return a / 2; // half\n}\n";
    assert_true(same(kernel, kernel));
    assert_true(same(kernel, "/* mine */ int f(int a)\r\n{\r\n\treturn a/2;\r\n}"));
    assert_false(same(kernel, "int f(int a) { return a / 3; }"));
    assert_false(same(kernel, "int f(int a) { return a / 2; } int g;"));
    assert_false(same("s = \"a b\";", "s = \"ab\";"));
    assert_false(same("s = \"// a\";", "s = \"// b\";"));
    assert_true(same("s = \"\\\"// a\"; /**/", "s=\"\\\"// a\";"));
    assert_true(same("", " /* never ended"));
    assert_true(same(kernel, "\xef\xbb\xbfint f(int a) { return a / 2; }")); /* of an editor of Windows */
    assert_false(same("s = \"\xef\xbb\xbf\";", "s = \"\";"));
}

static void likeness_leaves_out_numbers(void **state) {
    static const struct {
        const char *one, *other;
        bool same;
    } rows[] = {{"#define W 8\nint a[W];", "#define W 32 // mine\nint a[W];", true},
                {"f(1.5f, 0x10)", "f(2, 16)", true},
                {"int a1;", "int a2;", false}, /* a name */
                {"s = \"8\";", "s = \"9\";", false},
                {"a + 1", "a - 1", false},
                {"a 1", "a 1 2", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (likeness_same_but_numbers(rows[i].one, strlen(rows[i].one), rows[i].other,
                                      strlen(rows[i].other)) != rows[i].same)
            fail_msg("%s and %s", rows[i].one, rows[i].other);
}

TESTS(UNIT(nothing_unseen_is_left), UNIT(no_field_is_a_formula),
      UNIT(likeness_leaves_out_what_no_compiler_reads), UNIT(likeness_leaves_out_numbers))

/* The reader of data files: sections, keys and values; each error with file and line. */
#include "base/ini.h"
#include "base/test.h"

static char error[512], seen[1024];

static bool take_section(struct ini *ini, const char *name) {
    size_t used = strlen(seen);
    snprintf(seen + used, sizeof seen - used, "[%s]", name);
    char text[5];
    if (strcmp(name, "named") == 0) /* a comment behind a section is no part of a text */
        return ini_text(ini, "name", text, sizeof text);
    return strcmp(name, "wrong") != 0 || ini_refuse(ini, "no section '%s'", name);
}

static bool take_key(struct ini *ini, const char *key, const char *value) {
    size_t used = strlen(seen);
    double number;
    uint64_t count;
    const char *rest;
    snprintf(seen + used, sizeof seen - used, "%s=%s;", key, value);
    if (strcmp(key, "number") == 0)
        return ini_number(ini, value, -10, 10, &number, NULL);
    if (strcmp(key, "pair") == 0)
        return ini_number(ini, value, 0, 10, &number, &rest) && ini_number(ini, rest, 0, 10, &number, NULL);
    char text[5];
    if (strcmp(key, "text") == 0)
        return ini_text(ini, value, text, sizeof text);
    if (strcmp(key, "count") == 0)
        return ini_count(ini, value, 1, 1000, &count);
    return true;
}

static bool read_bytes(const char *text, size_t length, bool sections) {
    struct ini ini = {.file = "x.ini",
                      .error = error,
                      .error_size = sizeof error,
                      .section = sections ? take_section : NULL,
                      .key = take_key};
    seen[0] = error[0] = '\0';
    return ini_read(&ini, text, length);
}

static void reads(const char *text, const char *expected) {
    assert_true(read_bytes(text, strlen(text), true));
    assert_string_equal(seen, expected);
}

static void refuses(const char *text, const char *expected) {
    assert_false(read_bytes(text, strlen(text), true));
    assert_string_equal(error, expected);
}

static void test_hands_over_sections_and_keys(void **state) {
    reads("", "");
    reads("# all\n; of it\n\n   \t\n", "");
    reads("[ a b ]\n key = two words # said\n\tother= ;nothing", "[a b]key=two words;other=;");
    reads("a = 1\r\nb = 2\r\n", "a=1;b=2;");
    reads("a = b = c", "a=b = c;");
    reads("[]\n=\n", "[]=;"); /* for the caller to refuse */
    assert_true(read_bytes("a = 1", 5, false));
}

/* A text is kept whole or refused, never cut: `for (;;)`, C#, and comments. */
static void test_a_text_is_never_cut(void **state) {
    static const char cut[] =
        "x.ini:1: a text with a comment behind it, or one that ' ;' or ' #' would cut: put the comment "
        "on a line of its own, the character right behind another";
    reads("words = for (;;) a; b, `#pragma unroll`, C#\n", "words=for (;;) a; b, `#pragma unroll`, C#;");
    reads("text = a;#b\n", "text=a;#b;");
    reads("other=;\n", "other=;;");
    refuses("text = a ; b", cut);
    refuses("text = a #b", cut);
    reads("count = 1 # one\ntext = a\n", "count=1;text=a;");
    reads("[named] # so\ntext = a\n", "[named]text=a;");
    refuses("[a # b]\n", "x.ini:1: a section ends with ]");
    refuses("count = 1# one", "x.ini:1: '1# one' is not a whole number");
}

/* A byte order mark, as Windows' editors write it, is skipped at the start only. */
static void test_a_byte_order_mark_is_passed_over(void **state) {
    reads("\xef\xbb\xbf[a]\nb = c\n", "[a]b=c;");
    refuses("[a]\n\xef\xbb\xbf[b]\n", "x.ini:2: neither [section] nor key = value");
}

static void test_refuses_what_is_neither(void **state) {
    refuses("a = 1\nwords\n", "x.ini:2: neither [section] nor key = value");
    refuses("\n\n[open\n", "x.ini:3: a section ends with ]");
    refuses("[", "x.ini:1: a section ends with ]");
    refuses("[wrong]", "x.ini:1: no section 'wrong'");
    assert_false(read_bytes("[a]", 3, false));
    assert_string_equal(error, "x.ini:1: expected \"key = value\"");
}

static void test_refuses_what_is_no_text(void **state) {
    char line[600];
    assert_false(read_bytes("a = 1\nb\0= 2\n", 12, true));
    assert_string_equal(error, "x.ini:2: a NUL byte: this is not a text file");
    memset(line, 'x', sizeof line);
    memcpy(line, "a=", 2);
    assert_true(read_bytes(line, 511, true));
    assert_false(read_bytes(line, 512, true));
    assert_string_equal(error, "x.ini:1: longer than 511 characters");
    line[511] = '\n';
    assert_true(read_bytes(line, 512, true));
    /* A file's text sends no escape sequence to a terminal. */
    refuses("[a]\n\x1b[31mred", "x.ini:2: neither [section] nor key = value");
    refuses("number = \x1b[2J\xc3\xa4", "x.ini:1: '?[2J\?\?' is not a number");
}

static void test_numbers(void **state) {
    struct ini ini = {.file = "x.ini", .error = error, .error_size = sizeof error};
    const char *rest = NULL;
    double number = 0;
    assert_true(ini_number(&ini, "-2.5e-1", -1, 1, &number, NULL));
    assert_true(number == -0.25);
    assert_true(ini_number(&ini, "4.5 \t2.0", 0, 10, &number, &rest));
    assert_string_equal(rest, "2.0");
    assert_true(ini_number(&ini, "1%", 0, 10, &number, &rest));
    assert_string_equal(rest, "%");
    reads("number = 10\nnumber = -10\npair = 1 2", "number=10;number=-10;pair=1 2;");
    refuses("number = 10.01", "x.ini:1: 10.01 is outside -10 to 10");
    refuses("\nnumber = 1e999", "x.ini:2: 1e999 is outside -10 to 10");
    refuses("number = ", "x.ini:1: '' is not a number");
    refuses("number = 1x", "x.ini:1: '1x' is not a number");
    refuses("number = 1 2", "x.ini:1: '1 2' is not a number");
    refuses("number = 1-2", "x.ini:1: '1-2' is not a number");
    refuses("number = .", "x.ini:1: '.' is not a number");
    refuses("number = inf", "x.ini:1: 'inf' is not a number");
    refuses("number = nan", "x.ini:1: 'nan' is not a number");
    refuses("number = 0x10", "x.ini:1: '0x10' is not a number");
    refuses("number = 0000000000000000000000000000000000000000000000000000000000000001",
            "x.ini:1: '0000000000000000000000000000000000000000' is not a number"); /* longer than any is */
    refuses("pair = 1", "x.ini:1: '' is not a number");
    refuses("pair = 1, 2", "x.ini:1: ', 2' is not a number");
}

static void test_counts(void **state) {
    struct ini ini = {.file = "x.ini", .error = error, .error_size = sizeof error};
    uint64_t count = 0;
    assert_true(ini_count(&ini, "18446744073709551615", 0, UINT64_MAX, &count));
    assert_true(count == UINT64_MAX);
    assert_false(ini_count(&ini, "18446744073709551616", 0, UINT64_MAX, &count));
    assert_string_equal(error, "x.ini: 18446744073709551616 is outside 0 to 18446744073709551615");
    reads("count = 1\ncount = 1000", "count=1;count=1000;");
    refuses("count = 0", "x.ini:1: 0 is outside 1 to 1000");
    refuses("count = 1001", "x.ini:1: 1001 is outside 1 to 1000");
    refuses("count = -1", "x.ini:1: '-1' is not a whole number");
    refuses("count = +1", "x.ini:1: '+1' is not a whole number");
    refuses("count = 1.0", "x.ini:1: '1.0' is not a whole number");
    refuses("count = 0x10", "x.ini:1: '0x10' is not a whole number");
    refuses("count =", "x.ini:1: '' is not a whole number");
}

static void test_texts(void **state) {
    struct ini ini = {.file = "x.ini", .error = error, .error_size = sizeof error};
    char text[5] = "";
    assert_true(ini_text(&ini, "four", text, sizeof text));
    assert_string_equal(text, "four");
    reads("text = a b", "text=a b;");
    refuses("text =", "x.ini:1: a text of 1 to 4 characters is needed");
    refuses("\ntext = fives", "x.ini:2: a text of 1 to 4 characters is needed");
}

static void test_a_file_as_a_whole(void **state) {
    struct ini ini = {.file = "x.ini", .error = error, .error_size = sizeof error, .key = take_key};
    assert_true(ini_read(&ini, "a = 1\nb = 2\n", 12));
    assert_int_equal(ini.line, 0);
    assert_false(ini_refuse(&ini, "needs %d more", 3));
    assert_string_equal(error, "x.ini: needs 3 more");
}

static void test_trims(void **state) {
    char text[] = " \t a b \r\n", empty[] = "  ", none[] = "";
    assert_string_equal(ini_trim(text), "a b");
    assert_string_equal(ini_trim(empty), "");
    assert_string_equal(ini_trim(none), "");
}

TESTS(UNIT(test_hands_over_sections_and_keys), UNIT(test_a_text_is_never_cut),
      UNIT(test_a_byte_order_mark_is_passed_over), UNIT(test_refuses_what_is_neither),
      UNIT(test_refuses_what_is_no_text), UNIT(test_numbers), UNIT(test_counts), UNIT(test_texts),
      UNIT(test_a_file_as_a_whole), UNIT(test_trims))

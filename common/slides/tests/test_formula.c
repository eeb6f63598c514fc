/* Figures from files into text, and each error. */
#include "slides/tests/support_slides.h"

#include "slides/formula.h"
#include <stdlib.h>
#include <string.h>

/* What a line becomes; its error where it is wrong. */
static void expect(const char *line, const char *wanted) {
    char error[512] = "", *text = NULL;
    size_t length;
    struct data *data = test_data();
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    bool right = formula_fill(data, line, out, error, sizeof error);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(right ? text : error, wanted);
    free(text);
    data_close(data);
}

static void figures_come_from_files(void **state) {
    (void)state;
    expect("no figure", "no figure");
    expect("{{[ladder; a; what]}} and {{[ladder; b; what]}}", "first and second");
    expect("{{[ladder; a; time, µs]}}", "1,234.5");
    expect("{{[notes; a; note]}}", "two launches");
    expect("{{[events; a; us]}}", "2.5");
    expect("{{[times; a; us] %.1f}}", "20.0"); /* the median of three launches, by the column's short name */
    expect("{{[times; a#2; us] %.1f}}", "10.0"); /* one of them */
    expect("{{[times; a#2; us]}}", "10");
    expect("{{[times; a; sectors] %.0f}}", "6,272,000");
    expect("{{[ladder; b; time, µs] %.1f}}", "7.0");
}

static void arithmetic(void **state) {
    (void)state;
    expect("{{1 + 2 * 3 %.0f}}", "7");
    expect("{{(1 + 2) * 3 - 4 / 2 %.0f}}", "7");
    expect("{{[times; a; us] / [times; b; us] %.2f}}x", "4.00x");
    expect("{{1000 * 10 %.1f}}", "10,000.0");
    expect("{{9999 %.0f}}", "9999");
    expect("{{8 * floor(65536 / 640 / 8) %.0f}}", "96");
    expect("{{floor(7) + 0.5 %.1f}}", "7.5");
    expect("{{floor 7 %.0f}}", "a number, a place or '(' is missing at 'floor 7'");
}

static void what_may_be_absent(void **state) {
    (void)state;
    expect("{{[notes; b; note]?}}", "–");
    expect("{{[times; c; us]? / 2 %.1f}}", "–");
}

static void errors(void **state) {
    (void)state;
    expect("{{[unknown; a; us]}}", "unknown set 'unknown': slides/data.ini has them");
    expect("{{[times; c; us]}}", "set 'times' has no row 'c'");
    expect("{{[times; a#4; us] %.1f}}", "set 'times' has no number in row 'a#4', column 'microseconds'");
    expect("{{[times; a; weight]}}", "set 'times' has no column 'weight'");
    expect("{{[times; c; weight]?}}", "set 'times' has no column 'weight'");
    expect("{{[ladder; a; what] %.1f}}", "set 'ladder' has no number in row 'a', column 'what'");
    expect("{{1 / [times; b; sectors] %.1f}}", "division by zero, which ends at ''");
    expect("{{[times; a; us] / 2}}", "arithmetic needs a format, %.1f say, at its end at '/ 2'");
    expect("{{1}}", "a formula ends with %.1f or the like at '1'");
    expect("{{1 %d}}", "a formula ends with %.0f to %.9f at '1 %d'");
    expect("{{1 + %.0f}}", "a number, a place or '(' is missing at ''");
    expect("{{(1 %.0f}}", "')' is missing at ''");
    expect("{{1 2 %.0f}}", "nothing was expected at '2'");
    expect("{{[times; a] %.0f}}", "a place is [set; row; column] at '[times; a]'");
    expect("{{[times %.0f", "'{{' without '}}' behind it");
    expect("{{((((((((((((((((((1 %.0f}}", "too many parentheses at '(1'");
    expect("{{[nowhere; a; b]}}", "page.md: no table whose head line has: | no such head |");
}

static void a_file_that_is_not_there_is_named(void **state) {
    (void)state;
    char error[512] = "";
    struct data *data = test_data();
    assert_null(data_set(data, "gone", error, sizeof error));
    assert_non_null(strstr(error, "gone.csv"));
    data_close(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_from_files),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(what_may_be_absent),
        cmocka_unit_test(errors),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

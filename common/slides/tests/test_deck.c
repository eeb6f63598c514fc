/* A deck's lines become slides, notes and code; each error has file and line. */
#include "slides/tests/support_slides.h"

#include "slides/svg.h"

#include <string.h>

static struct deck *parse(const char *text, char *error, size_t size) {
    struct data *data = test_data();
    struct deck *deck = deck_parse("slides/test.md", text, data, error, size);
    data_close(data);
    return deck;
}

static void refused(const char *text, const char *wanted) {
    char error[512] = "";
    assert_null(parse(text, error, sizeof error));
    assert_string_equal(error, wanted);
}

static void slides_and_notes(void **state) {
    (void)state;
    char error[512];
    struct deck *deck =
        parse("# Name\n\ntext\n\nNote: said\nmore\n---\n## Second\n```\n---\n```\n", error, sizeof error);
    assert_non_null(deck);
    assert_string_equal(deck->name, "test");
    assert_int_equal(deck->slides, 2);
    assert_string_equal(deck->slide[0].title, "Name");
    assert_true(deck->slide[0].opening);
    assert_string_equal(deck->slide[0].body, "# Name\n\ntext\n\n");
    assert_string_equal(deck->slide[0].notes, " said\nmore\n");
    assert_string_equal(deck->slide[1].title, "Second");
    assert_false(deck->slide[1].opening);
    assert_int_equal(deck->slide[1].line, 7);
    assert_string_equal(deck->slide[1].body, "## Second\n```\n---\n```\n");
    assert_string_equal(deck->slide[1].notes, "");
    deck_free(deck);
}

static void a_line_for_each_row(void **state) {
    (void)state;
    char error[512];
    struct deck *deck = parse("@each ladder: | $ | {{[ladder; $; what]}} |\n", error, sizeof error);
    assert_non_null(deck);
    assert_string_equal(deck->slide[0].body, "| a | first |\n| b | second |\n");
    deck_free(deck);
}

static void code(void **state) {
    (void)state;
    char error[512];
    struct deck *deck =
        parse("```cuda pixel\nint a[] = {{1}};\n```\n@code kernel.cu 3 int x\n", error, sizeof error);
    assert_non_null(deck);
    assert_int_equal(deck->codes, 1);
    assert_int_equal(deck->code[0].line, 2);
    assert_string_equal(deck->code[0].around, "pixel");
    assert_string_equal(deck->code[0].text, "int a[] = {{1}};\n");
    assert_string_equal(deck->slide[0].body,
                        "```cuda\nint a[] = {{1}};\n```\n```cuda\nint x = 1;\nif (x)\n  x = 2;\n```\n");
    deck_free(deck);
}

static void drawings(void **state) {
    (void)state;
    char error[512];
    struct deck *deck = parse("@figure warp 8 8\n", error, sizeof error);
    assert_non_null(deck);
    const char *body = deck->slide[0].body;
    assert_non_null(strstr(body, "yellow: 4 sectors moved, 128 bytes"));
    assert_null(strstr(body, "\n\n")); /* Markdown would end the piece of HTML there */
    deck_free(deck);
    deck = parse(
        "@figure offset\n@figure banks column\n@figure padding 0\n@figure padding 2\n@figure bars times us µs a b\n",
        error, sizeof error);
    assert_non_null(deck);
    assert_non_null(strstr(deck->slide[0].body, "13 sectors for 7 requests: 1.86 each"));
    assert_non_null(strstr(deck->slide[0].body, "PAD = 0: 4 passes for this store"));
    assert_non_null(strstr(deck->slide[0].body, "PAD = 2: 1 pass for this store"));
    assert_non_null(strstr(deck->slide[0].body, ">20 µs<"));
    deck_free(deck);
}

/* What the drawings of labs 7 to 10 compute. */
static void drawings_of_machines(void **state) {
    (void)state;
    char error[512] = "";
    struct deck *deck =
        parse("@figure copies 4 1\n@figure tail 3 2\n@figure loop loops one\n@figure timeline spans a 2\n"
              "@figure stack times first=,second=2 ms a\n",
              error, sizeof error);
    if (deck == NULL)
        fail_msg("%s", error);
    const char *body = deck->slide[0].body;
    assert_non_null(strstr(body, ">5 x 1 bodies of machine code: 5, where one would do<"));
    assert_non_null(strstr(body, "1.50 waves; 86 % of the places' time is used<")); /* 230 of 2 * 133 */
    assert_non_null(strstr(body, ": 2 waits for 2 multiply-adds<"));
    unsigned adds = 0; /* boxes of the loop's, as high as an add's: the table's quotes are drawn as nothing */
    for (const char *at = body; (at = strstr(at, "height=\"72.0\" fill=\"" SVG_GREEN)) != NULL; at++)
        adds++;
    assert_int_equal(adds, 2);
    assert_non_null(strstr(body, ">0.02 ms<")); /* 20 ns, in thousandths */
    assert_non_null(strstr(body, ">a: a round takes 20 µs, modelled<"));
    deck_free(deck);
    refused("@figure copies 5 1\n", "slides/test.md:1: @figure: a whole number of the right size is missing");
    refused("@figure timeline spans b 1\n",
            "slides/test.md:1: @figure: the set has no second round of this row");
    refused("@figure loop loops two\n", "slides/test.md:1: set 'loops' has no row 'two'");
}

static void errors(void **state) {
    (void)state;
    refused("text\n{{[times; c; us]}}\n", "slides/test.md:2: set 'times' has no row 'c'");
    refused("Note: a\nNote: b\n", "slides/test.md:2: a slide has one 'Note:'");
    refused("```cuda\nint a;\n", "slides/test.md:3: code without its closing ```");
    refused("@picture x\n", "slides/test.md:1: unknown line '@picture x': @each, @figure, @code");
    refused("\n@figure moon\n",
            "slides/test.md:2: @figure: there is no such drawing; common/slides/figures.c has the list");
    refused("@figure warp 8\n", "slides/test.md:1: @figure warp takes: WIDTH HEIGHT of the block");
    refused("@figure warp 5 5\n", "slides/test.md:1: @figure: the block's width divides 32");
    refused("@each ladder | $ |\n", "slides/test.md:1: @each SET: | $ | {{...}} |");
    refused("@code kernel.cu 3\n", "slides/test.md:1: @code FILE LINES TEXT");
    refused("@code kernel.cu 3 int y\n", "slides/test.md:1: kernel.cu has no line with 'int y'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_and_notes), cmocka_unit_test(a_line_for_each_row),  cmocka_unit_test(code),
        cmocka_unit_test(drawings),         cmocka_unit_test(drawings_of_machines), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

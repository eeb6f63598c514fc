/* test_terminal.c: colours if wanted, text within the width, tables in both forms. */
#include "report/tests/support_analysis.h"
#include "report/writers/table.h"

#include <fcntl.h>

/* The output of one call, without colours unless wanted. */
static char *text;
static size_t text_size;

static struct terminal begin(bool colour) {
    FILE *to = open_memstream(&text, &text_size);
    assert_non_null(to);
    return (struct terminal){to, colour, 0};
}

static void expect(const struct terminal *terminal, const char *expected) {
    fclose(terminal->out);
    assert_string_equal(text, expected);
    free(text);
}

static void wraps_words(void **state) {
    char words[400] = "";
    for (int i = 0; i < 60; i++)
        strcat(words, i % 7 == 0 ? "sectors " : "of ");
    struct terminal t = begin(false);
    fputs("* ", t.out);
    terminal_wrap(&t, STYLE_NORMAL, 2, 2, words);
    fputs("* ", t.out);
    terminal_wrap(&t, STYLE_BAD, 2, 2, "");
    fclose(t.out);
    size_t column = 0, lines = 0;
    for (char *c = text; *c != '\0'; c++) {
        column = *c == '\n' ? 0 : column + 1;
        lines += *c == '\n';
        assert_true(column <= TERMINAL_WIDTH);
    }
    assert_int_equal(lines, 4);
    assert_non_null(strstr(text, "\n* \n"));
    free(text);
}

static void keeps_lines_and_signs(void **state) {
    struct terminal t = begin(false);
    terminal_wrap(&t, STYLE_NORMAL, 75, 4, "about 45 % of it\nnext\n");
    expect(&t, "about\n    45 % of it\n    next\n");
    t = begin(true);
    terminal_wrap(&t, STYLE_BAD, 0, 0, "red");
    terminal_print(&t, STYLE_NORMAL, "plain ");
    terminal_print(&t, STYLE_STRONG, "%d", 7);
    expect(&t, "\033[31mred\033[0m\nplain \033[1m7\033[0m");
}

static void colours_only_where_wanted(void **state) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
    if (descriptor < 0) {
        print_message("skipped: no pseudo terminal here\n");
        skip();
    }
    FILE *terminal = fdopen(descriptor, "r+"), *file = tmpfile();
    assert_true(terminal != NULL && file != NULL);
    const struct {
        const char *no_color, *term;
        bool colour;
    } cases[] = {{NULL, "xterm", true},
                 {"1", "xterm", false},
                 {"", "xterm", true},
                 {NULL, "dumb", false},
                 {NULL, NULL, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cases[i].no_color != NULL ? setenv("NO_COLOR", cases[i].no_color, 1) : unsetenv("NO_COLOR");
        cases[i].term != NULL ? setenv("TERM", cases[i].term, 1) : unsetenv("TERM");
        assert_int_equal(terminal_open(terminal).colour, cases[i].colour);
        assert_false(terminal_open(file).colour);
    }
    fclose(terminal);
    fclose(file);
}

static void one_table_in_two_forms(void **state) {
    static const struct table_column columns[] = {{2, "name", 2, -6}, {0, "time", 1, 8}, {1, "note", 2, 0}};
    const struct table_row rows[] = {
        {{"1.5 us", "a & b", "yours"}, {STYLE_NORMAL, STYLE_WARN, STYLE_STRONG}},
        {{"12345.678 us", "two\nlines", "reference"}, {STYLE_NORMAL, STYLE_NORMAL, STYLE_NORMAL}},
    };
    struct table table = {begin(false), false, columns, 3};
    table_begin(&table);
    table_row(&table, &rows[0]);
    table_row(&table, &rows[1]);
    table_end(&table);
    expect(&table.terminal, "  name       time  note\n"
                            "  yours    1.5 us  a & b\n"
                            "  refere 12345.678 us  two?lines\n");
    table.terminal = begin(true);
    table_row(&table, &rows[0]);
    expect(&table.terminal, "  \033[1myours \033[0m   1.5 us  \033[33ma & b\033[0m\n");
    table.terminal = begin(false);
    table.html = true;
    table_begin(&table);
    table_row(&table, &rows[0]);
    table_end(&table);
    expect(&table.terminal, "<table><tr class=\"head\"><th>name</th><th>time</th><th>note</th></tr>\n"
                            "<tr><td data-label=\"name\">yours</td><td data-label=\"time\">1.5 us</td>"
                            "<td data-label=\"note\">a &amp; b</td></tr>\n"
                            "</table>\n");
}

/* At 60 columns a line breaks between words. If columns do not fit side by side, the first one has
 * a line of its own. */
static void a_narrow_terminal(void **state) {
    static const struct table_column fits[] = {{0, "name", 2, -10}, {1, "note", 2, 0}};
    static const struct table_column wide[] = {{0, "name", 2, -34}, {1, "value", 0, 30}};
    struct table_row row = {{"yours", "grid 320x200, block 8x8, 24 regs, and some more words"},
                            {STYLE_NORMAL}};
    struct table table = {begin(false), false, fits, 2};
    table.terminal.width = TERMINAL_NARROWEST;
    table_row(&table, &row);
    expect(&table.terminal, "  yours       grid 320x200, block 8x8, 24 regs, and some\n"
                            "              more words\n");
    snprintf(row.cell[1], TABLE_CELL, "0.53");
    table = (struct table){begin(false), false, wide, 2};
    table.terminal.width = TERMINAL_NARROWEST;
    table_begin(&table);
    table_row(&table, &row);
    expect(&table.terminal,
           "  name\n                         value\n  yours\n                          0.53\n");
    struct terminal t = begin(false);
    t.width = TERMINAL_NARROWEST;
    terminal_wrap(&t, STYLE_NORMAL, 0, 2,
                  "Every byte fetched from L2 is loaded nine times: 1234 is a word that is broken nowhere.");
    expect(&t,
           "Every byte fetched from L2 is loaded nine times: 1234 is a\n  word that is broken nowhere.\n");
}

static void a_long_last_cell_goes_on_below(void **state) {
    static const struct table_column columns[] = {{0, NULL, 2, -10}, {1, NULL, 0, 0}};
    struct table_row row = {{"x"}, {STYLE_NORMAL}};
    memset(row.cell[1], 'y', TABLE_CELL - 1);
    const struct table table = {begin(false), false, columns, 2};
    table_begin(&table); /* no headings */
    table_row(&table, &row);
    fclose(table.terminal.out);
    assert_int_equal(strcspn(text, "\n"), TERMINAL_WIDTH); /* a word longer than a line is cut */
    assert_int_equal(strlen(text), TABLE_CELL - 1 + 2 * (12 + 1));
    free(text);
}

TESTS(UNIT(wraps_words), UNIT(keeps_lines_and_signs), UNIT(colours_only_where_wanted),
      UNIT(one_table_in_two_forms), UNIT(a_narrow_terminal), UNIT(a_long_last_cell_goes_on_below))

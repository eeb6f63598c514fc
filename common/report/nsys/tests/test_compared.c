/* The walk-through of lab 10 shows exactly what compare-timelines prints of the two recordings. */
#include "base/test.h"

static size_t read_all(FILE *from, char *text, size_t size) {
    assert_non_null(from);
    size_t length = fread(text, 1, size - 1, from);
    text[length] = '\0';
    return length;
}

static void the_table_is_shown(void **state) {
    static char table[1 << 14], page[1 << 17];
    FILE *pipe = popen("common/tools/compare-timelines", "r");
    assert_in_range(read_all(pipe, table, sizeof table), 100, sizeof table - 2);
    assert_int_equal(pclose(pipe), 0);
    FILE *file = fopen("solutions/lab10-transfers-streams/README.md", "r");
    assert_in_range(read_all(file, page, sizeof page), 100, sizeof page - 2);
    fclose(file);
    assert_non_null(strstr(table, "| 10g | "));
    if (strstr(page, table) == NULL)
        fail_msg("solutions/lab10-transfers-streams/README.md has another table than this:\n%s", table);
}

TESTS(UNIT(the_table_is_shown))

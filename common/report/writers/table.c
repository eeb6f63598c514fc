/* table.c: prints cells side by side. */
#include "report/writers/table.h"

#include "report/writers/html_escape.h"

#include <stdlib.h>
#include <string.h>

/* Copies text with unprintable characters replaced. */
static void clean_copy(char clean[TABLE_CELL], const char *text) {
    snprintf(clean, TABLE_CELL, "%s", text);
    for (char *at = clean; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
}

/* Length of the text's start that fits into `room`, up to the end of a word; at least 1. */
static int fitting(const char *text, int room) {
    int length = (int)strlen(text), end = room;
    if (length <= room)
        return length;
    while (end > 0 && text[end] != ' ')
        end--;
    return end > 0 ? end : room > 0 ? room : 1;
}

/* The last cell takes the rest of the line, and more lines if needed. */
static void print_rest(const struct table *table, enum terminal_style style, const char *text, int column) {
    enum { LEAST = 10 };
    int room = (int)terminal_width(&table->terminal) - column;
    if (room < LEAST) /* no room: it runs beyond the edge */
        room = (int)strlen(text);
    for (;;) {
        int length = fitting(text, room);
        terminal_print(&table->terminal, style, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
        if (*text == '\0')
            return;
        fprintf(table->terminal.out, "\n%*s", column, "");
    }
}

/* Bytes of UTF-8 text that take no column of their own. */
static int continuations(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) == 0x80;
    return count;
}

/* Prints one cell if the line has reached `column`. Returns the new column. */
static int print_cell(const struct table *table, const struct table_column *c, enum terminal_style style,
                      const char *text, int column) {
    char clean[TABLE_CELL];
    clean_copy(clean, text);
    column += c->gap;
    fprintf(table->terminal.out, "%*s", c->gap, "");
    int more = continuations(clean);
    if (c->width > 0)
        terminal_print(&table->terminal, style, "%*s", c->width + more, clean);
    else if (c->width < 0)
        terminal_print(&table->terminal, style, "%*.*s", c->width - more, more - c->width, clean);
    else
        print_rest(table, style, clean, column);
    int length = (int)strlen(clean) - more; /* a number is not cut, and may be wider than its column */
    return column + (c->width < 0 ? -c->width : c->width > 0 && length > c->width ? length : c->width);
}

/* If the columns do not fit side by side, the first one, the row's name, gets its own line. */
static bool is_stacked(const struct table *table) {
    int width = 0;
    for (unsigned i = 0; i < table->count; i++)
        width += table->columns[i].gap + abs(table->columns[i].width);
    return width > (int)terminal_width(&table->terminal);
}

static void print_line(const struct table *table, const struct table_row *row) {
    int column = 0;
    unsigned first = 0;
    if (is_stacked(table)) {
        const struct table_column *c = &table->columns[0];
        char clean[TABLE_CELL];
        clean_copy(clean, row != NULL ? row->cell[c->cell] : c->heading);
        if (clean[0] != '\0') {
            fprintf(table->terminal.out, "%*s", c->gap, "");
            terminal_print(&table->terminal, row != NULL ? row->style[c->cell] : STYLE_DIM, "%s\n", clean);
        }
        first = 1;
    }
    for (unsigned i = first; i < table->count; i++) {
        const struct table_column *c = &table->columns[i];
        column = print_cell(table, c, row != NULL ? row->style[c->cell] : STYLE_DIM,
                            row != NULL ? row->cell[c->cell] : c->heading, column);
    }
    fputc('\n', table->terminal.out);
}

static void write_line(const struct table *table, const struct table_row *row) {
    FILE *to = table->terminal.out;
    fputs(row != NULL ? "<tr>" : "<tr class=\"head\">", to);
    for (unsigned i = 0; i < table->count; i++) {
        const struct table_column *c = &table->columns[i];
        if (row == NULL) {
            fputs("<th>", to);
            html_escape(to, c->heading);
            fputs("</th>", to);
            continue;
        }
        fputs("<td", to);
        if (c->heading != NULL) { /* for a narrow page, where a row is a card */
            fputs(" data-label=\"", to);
            html_escape(to, c->heading);
            fputs("\"", to);
        }
        fputs(">", to);
        html_escape(to, row->cell[c->cell]);
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
}

void table_begin(const struct table *table) {
    if (table->html)
        fputs("<table>", table->terminal.out);
    if (table->columns[0].heading == NULL)
        return;
    if (table->html)
        write_line(table, NULL);
    else
        print_line(table, NULL);
}

void table_row(const struct table *table, const struct table_row *row) {
    if (table->html)
        write_line(table, row);
    else
        print_line(table, row);
}

void table_end(const struct table *table) {
    if (table->html)
        fputs("</table>\n", table->terminal.out);
}

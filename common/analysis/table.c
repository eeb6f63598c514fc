/* table.c: cells put side by side. */
#include "analysis/table.h"

#include "analysis/html_escape.h"

#include <string.h>

/* One cell where the line has come to `column`; returns where it is then. */
static int print_cell(const struct table *table, const struct table_column *c, enum terminal_style style,
                      const char *text, int column) {
    char clean[TABLE_CELL];
    snprintf(clean, sizeof clean, "%s", text);
    for (char *at = clean; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    column += c->gap;
    int room = c->width < 0                               ? -c->width
               : c->width == 0 && column < TERMINAL_WIDTH ? TERMINAL_WIDTH - column
                                                          : 0;
    fprintf(table->terminal.out, "%*s", c->gap, "");
    if (c->width > 0)
        terminal_print(&table->terminal, style, "%*s", c->width, clean);
    else
        terminal_print(&table->terminal, style, "%*.*s", c->width, room, clean);
    return column + (c->width < 0 ? -c->width : c->width);
}

static void print_line(const struct table *table, const struct table_row *row) {
    int column = 0;
    for (unsigned i = 0; i < table->count; i++) {
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

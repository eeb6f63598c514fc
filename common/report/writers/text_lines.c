/* text_lines.c: a kernel's source lines on a terminal: accesses, machine code. */
#include "report/writers/format.h"
#include "report/writers/rows.h"
#include "report/writers/text.h"

#include <stdlib.h>
#include <string.h>

enum { TOP_LINES = 8 };

static int by_transactions(const void *left, const void *right) {
    const struct kernel_line *a = *(const struct kernel_line *const *)left,
                             *b = *(const struct kernel_line *const *)right;
    if (a->transactions != b->transactions)
        return a->transactions < b->transactions ? 1 : -1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(line_kind_name(a->kind), line_kind_name(b->kind));
}

void text_lines(const struct terminal *t, const struct kernel_report *kernel) {
    static const struct table_column columns[] = {
        {LINE_CELL_PLACE, "source line", 2, -LINE_PLACE_WIDTH},
        {LINE_CELL_WORDS, "access", 1, -13},
        {LINE_CELL_REQUESTS, "requests", 1, 9},
        {LINE_CELL_EACH, "each", 1, 8},
        {LINE_CELL_IDEAL_EACH, "ideal", 1, 7},
        {LINE_CELL_THREADS, "threads", 1, 8},
    };
    const struct table table = {*t, false, columns, sizeof columns / sizeof *columns};
    const struct kernel_line **order = calloc(kernel->line_count + 1, sizeof *order);
    uint32_t count = 0;
    for (uint32_t i = 0; order != NULL && i < kernel->line_count; i++)
        if (line_kind_is_access(kernel->lines[i].kind) && kernel->lines[i].requests > 0)
            order[count++] = &kernel->lines[i];
    if (count > 0) {
        qsort(order, count, sizeof *order, by_transactions);
        fputc('\n', t->out);
        table_begin(&table);
        for (uint32_t i = 0; i < count && i < TOP_LINES; i++) {
            struct table_row row;
            line_row(&row, order[i]);
            table_row(&table, &row);
        }
        fputs("  ", t->out);
        terminal_wrap(t, STYLE_DIM, 2, 2,
                      "each: 32-byte sectors a global request touches, bank passes of a shared one");
    }
    free(order);
}

void text_executed(const struct terminal *t, const struct kernel_report *kernel) {
    bool memory = kernel->counters.machine_shared_loads + kernel->counters.machine_shared_stores +
                      kernel->counters.machine_local_loads + kernel->counters.machine_local_stores >
                  0;
    const struct table_column columns[] = {
        {EXECUTED_CELL_PLACE, "source line", 2, -EXECUTED_PLACE_WIDTH},
        {EXECUTED_CELL_INSTRUCTIONS, "executed", 1, 8},
        {EXECUTED_CELL_SHARE, "share", 1, 5},
        {EXECUTED_CELL_PIPES, "pipes, %", 2, memory ? -25 : 0},
        {EXECUTED_CELL_MEMORY, "shared, local", 1, 15},
    };
    static const double least = 0.02; /* of the instructions; lines below have no row */
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const struct table table = {*t, false, columns, memory ? COLUMNS : COLUMNS - 1};
    const struct kernel_executed *executed = &kernel->executed;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < executed->count && shown < TOP_LINES; i++) {
        const struct executed_line *line = &executed->lines[i];
        struct table_row row;
        if (line->line == 0 || executed_share(executed, line) < least)
            continue;
        if (shown++ == 0) {
            fputc('\n', t->out);
            table_begin(&table);
        }
        executed_row(&row, executed, line);
        table_row(&table, &row);
    }
    if (shown == 0)
        return;
    char text[160], count[FORMAT_SIZE];
    snprintf(text, sizeof text, "executed: machine instructions of warps, %s in all%s",
             format_count(count, kernel->counters.inst_executed),
             memory ? "; requests to shared, local" : "");
    fputs("  ", t->out);
    terminal_wrap(t, STYLE_DIM, 2, 2, text);
}

void text_what_ifs(const struct terminal *t, const struct kernel_report *kernel) {
    bool any = false;
    for (uint32_t i = 0; i < kernel->what_ifs.count; i++) {
        const struct kernel_what_if *item = &kernel->what_ifs.items[i];
        char words[96], text[144];
        if (!kernel_what_if_counts(kernel, item))
            continue;
        if (!any)
            fputs("  * What if one limit were lifted? By the time model it would be at most\n", t->out);
        any = true;
        kernel_what_if_words(item, words, sizeof words);
        snprintf(text, sizeof text, "%.2f times as fast with %s", item->factor, words);
        fputs("      ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 6, 8, text);
    }
}

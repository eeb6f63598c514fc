/* markdown.c: headings and tables; everything else is escaped or in a block. */
#include "report/writers/markdown.h"

#include "report/writers/rows.h"
#include "report/writers/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void markdown_escape(FILE *to, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]()<>#+-!|~&@", *text) != NULL)
            fputc('\\', to);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    }
}

static void fence(FILE *to, size_t length, const char *rest) {
    for (size_t i = 0; i < length; i++)
        fputc('`', to);
    fputs(rest, to);
}

void markdown_block(FILE *to, const char *text) {
    size_t longest = 2, run = 0;
    for (const char *c = text; *c != '\0'; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    fence(to, longest + 1, "text\n");
    fputs(text, to);
    fputs(*text == '\0' || text[strlen(text) - 1] == '\n' ? "" : "\n", to);
    fence(to, longest + 1, "\n");
}

static void cells(FILE *to, const struct table_row *row, const unsigned *shown, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        fputs("| ", to);
        markdown_escape(to, row->cell[shown[i]]);
        fputc(' ', to);
    }
    fputs("|\n", to);
}

static void goals(FILE *to, const struct report *report) {
    static const unsigned shown[] = {GOAL_CELL_NAME, GOAL_CELL_VALUE, GOAL_CELL_RANGE, GOAL_CELL_POINTS};
    if (report->goal_count == 0)
        return;
    fputs("| goal | yours | none .. full | points |\n|---|--:|---|--:|\n", to);
    for (uint32_t i = 0; i < report->goal_count; i++) {
        struct table_row row;
        goal_row(&row, &report->goals[i]);
        cells(to, &row, shown, 4);
    }
    fputc('\n', to);
}

static void runs(FILE *to, const struct report *report) {
    static const unsigned shown[] = {RUN_CELL_NAME, RUN_CELL_TIME, RUN_CELL_SPEEDUP, RUN_CELL_SOURCE,
                                     RUN_CELL_LIMITER};
    if (report->run_count == 0)
        return;
    fputs("| kernel | time | over the starter | | limited by |\n|---|--:|--:|---|---|\n", to);
    for (uint32_t i = 0; i < report->run_count; i++) {
        struct table_row row;
        run_row(&row, report, &report->runs[i]);
        cells(to, &row, shown, 5);
    }
    fputc('\n', to);
}

/* A report of `make run`: its title is the command line, and it has neither cases nor points. */
static bool is_program(const struct report *report) {
    return report->lab != NULL && strcmp(report->lab, "run") == 0;
}

static void heading(FILE *to, const struct report *report) {
    fputs("## ", to);
    if (is_program(report)) {
        markdown_escape(to, report->title != NULL ? report->title : "");
        fputs(report->failure_stage != STAGE_NONE ? ": failed\n\n" : "\n\n", to);
        return;
    }
    markdown_escape(to, report->lab != NULL ? report->lab : "");
    fputs(": ", to);
    if (report->failure_stage != STAGE_NONE && report->score_max <= 0)
        fputs("not measured", to);
    else
        fprintf(to, "%g of %g points, %s", round(report->score_points * 100) / 100, report->score_max,
                report->score_passed ? "passed" : "not passed yet");
    fputs("\n\n", to);
    if (report->title != NULL)
        markdown_escape(to, report->title);
    fprintf(to, ". %u of %u cases are right.\n\n", report->cases_passed,
            report->cases_passed + report->cases_failed);
}

bool report_markdown(FILE *to, const struct report *report, const struct gpu_model *model) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        return false;
    const struct terminal terminal = {memory, false, 0};
    report_print(&terminal, report, model);
    if (fclose(memory) != 0) {
        free(text);
        return false;
    }
    heading(to, report);
    goals(to, report);
    if (!is_program(report)) /* the block says as much of the one run */
        runs(to, report);
    markdown_block(to, text + strspn(text, "\n"));
    free(text);
    return true;
}

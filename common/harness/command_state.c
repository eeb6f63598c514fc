/* One line a lab, from the files alone: nothing is built or run. */
#include "analysis/report.h"
#include "analysis/terminal.h"
#include "harness/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_text(const char *one, const char *other) {
    char *a = command_read_text(one), *b = command_read_text(other);
    bool same = a != NULL && b != NULL && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

static void show_lab(const struct terminal *t, struct settings *s, unsigned number) {
    char id[16], error[SETTINGS_ERROR], yours[PATH_SIZE], starter[PATH_SIZE], path[PATH_SIZE];
    snprintf(id, sizeof id, "lab%u", number);
    if (!lab_load(s->root, id, &s->lab, error, sizeof error)) {
        printf("  %-6s %s\n", id, error);
        return;
    }
    command_student_file(s, yours);
    command_solution_file(s, "starter.cu", starter);
    path_print(path, "%s/%s/report.json", s->build, id);
    printf("  %-6s %-50s ", id, s->lab.title);

    struct report report;
    struct stat source, result;
    bool measured = report_read(&report, path, error, sizeof error);
    bool untouched = same_text(yours, starter);
    bool older = measured && stat(yours, &source) == 0 && stat(path, &result) == 0 &&
                 source.st_mtime > result.st_mtime;
    if (untouched)
        terminal_print(t, STYLE_DIM, "untouched");
    else if (!measured)
        terminal_print(t, STYLE_WARN, "not run yet");
    else
        terminal_print(t, report.score_passed ? STYLE_GOOD : STYLE_BAD, "%s",
                       report.score_passed ? "passing" : "failing");
    if (measured && report.goal_count > 0 && !untouched)
        printf("  %g of %g", report.score_points, report.score_max);
    if (older && !untouched)
        terminal_print(t, STYLE_DIM, "  (edited since)");
    putchar('\n');
    if (measured)
        report_free(&report);
}

int command_state(struct settings *s, const char *lab, int count, char **rest) {
    (void)lab, (void)count, (void)rest;
    struct terminal terminal = terminal_open(stdout);
    unsigned numbers[LABS_MOST], found = lab_numbers(s->root, numbers);
    for (unsigned i = 0; i < found; i++)
        show_lab(&terminal, s, numbers[i]);
    return 0;
}

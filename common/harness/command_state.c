/* One line a lab, from the files alone: nothing is built or run. */
#include "analysis/report.h"
#include "harness/commands.h"
#include "harness/terminal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_text(const char *one, const char *other) {
    char *a = command_read_text(one), *b = command_read_text(other);
    bool same = a != NULL && b != NULL && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

static void show_lab(const struct terminal *t, struct settings *s, unsigned number) {
    char id[16], error[SETTINGS_ERROR], yours[SETTINGS_PATH + 160], starter[SETTINGS_PATH + 160],
        path[SETTINGS_PATH + 64];
    snprintf(id, sizeof id, "lab%u", number);
    snprintf(path, sizeof path, "%s/common/problems/%s.ini", s->root, id);
    if (access(path, F_OK) != 0)
        return; /* a folder without a data file is not a lab yet */
    if (!lab_load(s->root, id, &s->lab, error, sizeof error)) {
        printf("  %-6s %s\n", id, error);
        return;
    }
    command_student_file(s, yours, sizeof yours);
    command_solution_file(s, "starter.cu", starter, sizeof starter);
    snprintf(path, sizeof path, "%s/%s/report.json", s->build, id);
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
    char path[SETTINGS_PATH + 16];
    unsigned numbers[64], found = 0;
    snprintf(path, sizeof path, "%s/labs", s->root);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return command_refuse("there is no folder labs");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && found < 64;) {
        char *end;
        unsigned long number =
            strncmp(entry->d_name, "lab", 3) == 0 ? strtoul(entry->d_name + 3, &end, 10) : 0;
        if (number == 0 || number > 999 || *end != '-')
            continue;
        unsigned at = found++;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = (unsigned)number;
    }
    closedir(folder);
    for (unsigned i = 0; i < found; i++)
        show_lab(&terminal, s, numbers[i]);
    return 0;
}

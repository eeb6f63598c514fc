/* A line for each lab, from the files alone: nothing is built or run. */
#include "lab/commands/commands.h"
#include "lab/learner/standing.h"
#include "lab/tasks/record.h"
#include "report/writers/format.h"
#include "report/writers/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_WIDTH = 50, SCORE_WIDTH = 6 };

static bool same_text(const char *one, const char *other) {
    char *a = command_read_text(one), *b = command_read_text(other);
    bool same = a != NULL && b != NULL && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

/* Points, or why there are none. */
static const char *score_text(char text[FORMAT_SIZE], const struct standing_score *score) {
    static const struct {
        const char *stage, *word;
    } words[] = {{"build", "build"},       {"start", "fault"},   {"fault", "fault"}, {"timeout", "hangs"},
                 {"correctness", "wrong"}, {"measure", "fault"}, {"busy", "busy"}};
    if (!score->present)
        return strcpy(text, "-");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].stage, score->stage) == 0)
            return strcpy(text, words[i].word);
    return format_number(text, score->points);
}

/* *edited: the kernel is not what the last score is of. */
static void show_lab(const struct terminal *t, struct settings *s, unsigned number, bool *edited) {
    char id[16], error[SETTINGS_ERROR], yours[PATH_SIZE], starter[PATH_SIZE], best[FORMAT_SIZE],
        last[FORMAT_SIZE];
    struct standing standing;
    snprintf(id, sizeof id, "lab%u", number);
    if (!lab_load(s->root, id, &s->lab, error, sizeof error)) {
        printf("  %-6s %s\n", id, error);
        return;
    }
    bool right = standing_load(s, &standing, error, sizeof error);
    command_student_file(s, yours);
    command_solution_file(s, "starter.cu", starter);
    bool untouched = same_text(yours, starter);
    bool other = standing.last.present && standing.source != 0 && standing.source != standing_source(s);
    *edited = *edited || (other && !untouched);
    printf("  %-6s %-*s", id, TITLE_WIDTH, s->lab.title);
    bool fresh = untouched && !standing.best.present;
    if (right && !fresh)
        printf("%*s%*s%s ", SCORE_WIDTH, score_text(best, &standing.best), SCORE_WIDTH,
               score_text(last, &standing.last), other && !untouched ? "*" : " ");
    if (fresh && right)
        terminal_print(t, STYLE_DIM, "%*s", 2 * SCORE_WIDTH, "untouched");
    else if (standing.passed)
        terminal_print(t, STYLE_GOOD, "passed");
    else if (right && !standing.last.present)
        terminal_print(t, STYLE_WARN, "not run");
    else if (right)
        terminal_print(t, STYLE_BAD, "not yet");
    else
        terminal_print(t, STYLE_BAD, "its record cannot be read:\n         %s", error);
    putchar('\n');
}

/* A lab of small tasks: how many are done. */
static void show_tasks(const struct terminal *t, const char *root, unsigned number) {
    char id[16], error[SETTINGS_ERROR];
    struct tasks tasks;
    struct record record;
    snprintf(id, sizeof id, "lab%u", number);
    if (!tasks_load(root, id, &tasks, error, sizeof error)) {
        printf("  %-6s %s\n", id, error);
        return;
    }
    printf("  %-6s %-*s", id, TITLE_WIDTH, tasks.title);
    if (!record_load(root, &tasks, &record, error, sizeof error)) {
        terminal_print(t, STYLE_BAD, "its record cannot be read:\n         %s\n", error);
    } else {
        unsigned done = record_done(&record, &tasks);
        char text[32];
        snprintf(text, sizeof text, "%u of %u", done, tasks.count);
        printf("%*s   ", 2 * SCORE_WIDTH - 1, text);
        if (done == tasks.count)
            terminal_print(t, STYLE_GOOD, "done");
        putchar('\n');
    }
    tasks_free(&tasks);
}

int command_state(struct settings *s, const char *lab, int count, char **rest) {
    (void)lab, (void)count, (void)rest;
    struct terminal terminal = terminal_open(stdout);
    unsigned numbers[LABS_MOST], found = lab_numbers(s->root, numbers);
    bool edited = false;
    terminal_print(&terminal, STYLE_NORMAL, "%-*s%*s%*s\n", 2 + 7 + TITLE_WIDTH, "Your labs", SCORE_WIDTH,
                   "best", SCORE_WIDTH, "last");
    int of_tasks = tasks_next_lab(s->root, 0);
    for (unsigned i = 0; i < found || of_tasks >= 0;) {
        if (of_tasks >= 0 && (i == found || (unsigned)of_tasks < numbers[i])) {
            show_tasks(&terminal, s->root, (unsigned)of_tasks);
            of_tasks = tasks_next_lab(s->root, of_tasks + 1);
        } else {
            show_lab(&terminal, s, numbers[i++], &edited);
        }
    }
    if (edited)
        terminal_print(&terminal, STYLE_DIM, "  * your kernel was edited since\n");
    return 0;
}

/* The reference beside yours, and the starter back again. */
#include "base/starter.h"
#include "lab/commands/commands.h"
#include "lab/learner/standing.h"
#include "report/writers/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int command_solution(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], yours[PATH_SIZE], reference[PATH_SIZE];
    struct standing standing;
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (!standing_load(s, &standing, error, sizeof error))
        return command_refuse(error);
    if (!s->force && !standing.passed) {
        printf("The solution is shown once your kernel passes: make %s\n"
               "To see it now: make %s-solution FORCE=1\n",
               lab, lab);
        return 1;
    }
    command_student_file(s, yours);
    command_solution_file(s, "kernel.cu", reference);
    const char *paths[] = {yours, reference};
    for (int i = 0; i < 2; i++)
        if (access(paths[i], R_OK) != 0) {
            snprintf(error, sizeof error, "%s: %s", paths[i], strerror(errno));
            return command_refuse(error);
        }
    struct terminal terminal = terminal_open(stdout);
    terminal_print(&terminal, STYLE_TITLE,
                   "- yours  + the reference (solutions/%s-%s/kernel.cu; why: README.md beside it)\n",
                   s->lab.id, s->lab.topic);
    return terminal_difference(&terminal, yours, "yours", reference, "reference") ? 0 : 2;
}

int command_reset(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], yours[PATH_SIZE], starter[PATH_SIZE], backups[PATH_SIZE], kept[PATH_SIZE];
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    command_student_file(s, yours);
    command_solution_file(s, "starter.cu", starter);
    if (starter_untouched(yours, starter)) {
        printf("labs/%s-%s/kernel.cu is the starter already\n", s->lab.id, s->lab.topic);
        return 0;
    }
    bool there = access(yours, F_OK) == 0;
    if (there && !s->yes &&
        !terminal_agrees("Replace labs/%s-%s/kernel.cu by the starter? A backup is kept.", s->lab.id,
                         s->lab.topic)) {
        puts("nothing was changed");
        return 0;
    }
    standing_backups(s, backups);
    if (!starter_put_back(yours, starter, backups, kept, error, sizeof error))
        return command_refuse(error);
    if (kept[0] != '\0')
        printf("the starter is back; yours is kept as %s\n", kept + strlen(s->keep) + 1);
    else
        puts("the starter is back");
    return 0;
}

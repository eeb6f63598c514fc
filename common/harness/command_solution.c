/* The reference beside yours, and the starter back again. */
#include "analysis/terminal.h"
#include "base/child.h"
#include "base/file.h"
#include "harness/commands.h"
#include "harness/standing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_LIMIT = 16 << 20 };

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
    fflush(stdout);
    const char *colour = terminal.colour ? "--color=always" : "--color=never";
    const char *const arguments[] = {"diff",    "-u",        colour, "--label", "yours",
                                     "--label", "reference", yours,  reference, NULL};
    struct child diff = {.arguments = arguments,
                         .input = CHILD_NOTHING,
                         .output = CHILD_OURS,
                         .errors = CHILD_OURS,
                         .same_group = true};
    int status = child_wait(child_start(&diff), INFINITY);
    if (status == 0)
        puts("no difference");
    return status == 0 || status == 1 ? 0 : 2;
}

int command_reset(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], yours[PATH_SIZE], starter[PATH_SIZE], backup[PATH_SIZE];
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    command_student_file(s, yours);
    command_solution_file(s, "starter.cu", starter);
    size_t fresh_length = 0, old_length = 0;
    bool there = access(yours, F_OK) == 0;
    char *fresh = file_read(starter, TEXT_LIMIT, &fresh_length, error, sizeof error);
    char *old =
        fresh != NULL && there ? file_read(yours, TEXT_LIMIT, &old_length, error, sizeof error) : NULL;
    int status = 0;
    if (fresh == NULL || (there && old == NULL)) { /* nothing is replaced that was not kept */
        status = command_refuse(error);
    } else if (there && old_length == fresh_length && memcmp(old, fresh, old_length) == 0) {
        printf("labs/%s-%s/kernel.cu is the starter already\n", s->lab.id, s->lab.topic);
    } else {
        bool agreed = s->yes;
        if (!agreed) {
            char answer[16] = "";
            printf("Replace labs/%s-%s/kernel.cu by the starter? A backup is kept. [y/N] ", s->lab.id,
                   s->lab.topic);
            fflush(stdout);
            agreed = fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
        }
        if (!agreed) {
            puts("nothing was changed");
        } else {
            time_t seconds = time(NULL);
            struct tm local;
            char name[48];
            strftime(name, sizeof name, "kernel-%Y%m%d-%H%M%S.cu", localtime_r(&seconds, &local));
            if ((there && (!standing_backup(s, name, backup, error, sizeof error) ||
                           !file_write(backup, old, old_length, error, sizeof error))) ||
                !file_write(yours, fresh, fresh_length, error, sizeof error))
                status = command_refuse(error);
            else if (there)
                printf("the starter is back; yours is kept as %s\n", backup + strlen(s->keep) + 1);
            else
                puts("the starter is back");
        }
    }
    free(fresh);
    free(old);
    return status;
}

/* The reference beside yours, and the starter back again. */
#include "analysis/report.h"
#include "harness/commands.h"
#include "harness/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool has_passed(const struct settings *s) {
    char path[PATH_SIZE], error[REPORT_ERROR_SIZE];
    struct report report;
    path_join(path, s->folder, "report.json");
    if (!report_read(&report, path, error, sizeof error))
        return false;
    bool passed = report.score_passed;
    report_free(&report);
    return passed;
}

int command_solution(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], yours[PATH_SIZE], reference[PATH_SIZE];
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (!s->force && !has_passed(s)) {
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
    pid_t child = fork();
    if (child == 0) {
        execlp("diff", "diff", "-u", terminal.colour ? "--color=always" : "--color=never", "--label", "yours",
               "--label", "reference", yours, reference, (char *)NULL);
        fprintf(stderr, "lab: diff cannot be started: %s\n", strerror(errno));
        _exit(2);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return 2;
    if (WEXITSTATUS(status) == 0)
        puts("no difference");
    return 0;
}

static bool write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    bool right = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && right;
}

int command_reset(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], yours[PATH_SIZE], starter[PATH_SIZE], backup[PATH_SIZE];
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    command_student_file(s, yours);
    command_solution_file(s, "starter.cu", starter);
    char *fresh = command_read_text(starter), *old = command_read_text(yours);
    int status = 0;
    if (fresh == NULL) {
        snprintf(error, sizeof error, "%s cannot be read", starter);
        status = command_refuse(error);
    } else if (old != NULL && strcmp(old, fresh) == 0) {
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
            char when[32];
            strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&seconds, &local));
            path_print(backup, "%s/kernel-%s.cu", s->folder, when);
            if ((old != NULL && !write_text(backup, old)) || !write_text(yours, fresh)) {
                snprintf(error, sizeof error, "%s: %s", yours, strerror(errno));
                status = command_refuse(error);
            } else {
                printf("the starter is back; yours is kept as %s\n", backup + strlen(s->root) + 1);
            }
        }
    }
    free(fresh);
    free(old);
    return status;
}

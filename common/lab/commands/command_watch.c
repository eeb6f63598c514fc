/* Run a command now and whenever the student's file is saved, until interrupted. */
#include "base/child.h"
#include "lab/commands/commands.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Editors save in many ways (in place, by rename, through a temporary name), so what is compared is what a
 * stat tells. */
static bool changed(const char *path, struct stat *last) {
    struct stat now;
    if (stat(path, &now) != 0)
        return false; /* between an editor's unlink and its rename */
    bool different = now.st_mtim.tv_sec != last->st_mtim.tv_sec ||
                     now.st_mtim.tv_nsec != last->st_mtim.tv_nsec || now.st_ino != last->st_ino ||
                     now.st_size != last->st_size;
    *last = now;
    return different;
}

int command_watch(struct settings *s, const char *lab, int count, char **rest) {
    char error[SETTINGS_ERROR], path[PATH_SIZE];
    if (count < 1)
        return command_refuse("watch needs a command after --");
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    command_student_file(s, path);
    struct stat last = {0};
    struct child command = {.arguments = (const char *const *)rest, /* ends with NULL, as main's do */
                            .input = CHILD_OURS,
                            .output = CHILD_OURS,
                            .errors = CHILD_OURS,
                            .same_group = true};
    for (;;) {
        if (changed(path, &last)) {
            if (isatty(STDOUT_FILENO))
                fputs("\033[H\033[2J", stdout);
            fflush(stdout);
            int status = child_wait(child_start(&command), INFINITY);
            if (status == CHILD_NOT_STARTED)
                return 2;
            if (status == CHILD_SIGNAL + SIGINT)
                return 130;
            printf("watching labs/%s-%s/kernel.cu; Ctrl-C ends\n", s->lab.id, s->lab.topic);
            fflush(stdout);
        }
        struct timespec pause = {0, 250000000};
        nanosleep(&pause, NULL);
    }
}

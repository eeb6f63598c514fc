/* Run a command now and whenever the student's file is saved, until interrupted. */
#include "harness/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    for (;;) {
        if (changed(path, &last)) {
            if (isatty(STDOUT_FILENO))
                fputs("\033[H\033[2J", stdout);
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                char **arguments = calloc((size_t)count + 1, sizeof *arguments);
                if (arguments != NULL) {
                    memcpy(arguments, rest, (size_t)count * sizeof *arguments);
                    execvp(arguments[0], arguments);
                }
                fprintf(stderr, "lab: %s: %s\n", rest[0], strerror(errno));
                _exit(127);
            }
            int status = 0;
            if (child < 0 || waitpid(child, &status, 0) < 0 ||
                (WIFEXITED(status) && WEXITSTATUS(status) == 127))
                return 2;
            if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
                return 130;
            printf("watching labs/%s-%s/kernel.cu; Ctrl-C ends\n", s->lab.id, s->lab.topic);
            fflush(stdout);
        }
        struct timespec pause = {0, 250000000};
        nanosleep(&pause, NULL);
    }
}

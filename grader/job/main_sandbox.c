/* sandbox: run a program that is not trusted (sandbox.h). The grader puts it before what it starts. */
#include "job/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: sandbox [--role compile|program|device|cuda] [--show OUTSIDE INSIDE] [--hide FOLDER]\n"
    "               [--rung bubblewrap|landlock|none] [--scratch FOLDER] [--bwrap PATH] [--models FOLDER]\n"
    "               [--report FILE] [--memory-mib N] [--cpu-seconds N] [--file-mib N] [--scratch-mib N]\n"
    "               [--landlock VERSION] -- PROGRAM ARGUMENTS\n"
    "       sandbox --try [bubblewrap|landlock|none]\n"
    "\n"
    "Runs PROGRAM without network, seeing system libraries and what is shown, read only.\n"
    "0 for a limit means none. --rung none: the limits only. Exit status: the program's, 128 + n when\n"
    "signal n ended it, 127 when it could not be started: FILE then says why.\n"
    "--try: which rung works here (or does that one?), and what it does not cover; exit status 1: none.\n";

/* Trouble is what stands here, and not what a program's output says. */
static void report(const struct sandbox *sandbox, const char *error) {
    int file = sandbox->report[0] != '\0'
                   ? open(sandbox->report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
                   : -1;
    if (file >= 0)
        dprintf(file, "sandbox: %s\n", error);
    fprintf(stderr, "sandbox: %s\n", error);
}

int main(int count, char **arguments) {
    static struct sandbox sandbox;
    char launcher[PATH_SIZE] = "";
    char error[512] = "";
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (count >= 2 && count <= 3 && strcmp(arguments[1], "--try") == 0) {
        enum sandbox_rung rung;
        bool works = readlink("/proc/self/exe", launcher, sizeof launcher - 1) > 0 &&
                     sandbox_choose(launcher, count == 3 ? arguments[2] : NULL, &rung, error, sizeof error);
        puts(error);
        return works ? 0 : 1;
    }
    int program = sandbox_parse(&sandbox, count, arguments, error, sizeof error);
    if (program == 0) {
        fprintf(stderr, "sandbox: %s\n%s", error, usage);
        return 127;
    }
    int status = sandbox_run(&sandbox, arguments + program, error, sizeof error);
    if (error[0] != '\0')
        report(&sandbox, error);
    return status;
}

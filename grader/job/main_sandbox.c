/* sandbox: run a program that is not trusted (sandbox.h). The grader puts it before what it starts. */
#include "job/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: sandbox [--role compile|program|device|cuda] [--show OUTSIDE INSIDE] [--hide FOLDER]\n"
    "               [--bwrap PATH] [--models FOLDER] [--report FILE] [--memory-mib N]\n"
    "               [--cpu-seconds N] [--file-mib N] [--scratch-mib N] [--unsafe] -- PROGRAM ARGUMENTS\n"
    "\n"
    "Runs PROGRAM without network, seeing system libraries and what is shown, read only.\n"
    "0 for a limit means none. --unsafe: the limits only. Exit status: the program's, 128 + n when\n"
    "signal n ended it, 127 when it could not be started: FILE then says why.\n";

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
    char error[512] = "";
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
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

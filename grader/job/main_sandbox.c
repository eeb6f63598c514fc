/* sandbox: run a program that is not trusted (sandbox.h). The grader puts it before what it starts. */
#include "job/sandbox.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: sandbox [--role compile|program|device|cuda] [--show OUTSIDE INSIDE] [--hide FOLDER]\n"
    "               [--bwrap PATH] [--models FOLDER] [--memory-mib N]\n"
    "               [--cpu-seconds N] [--file-mib N] [--scratch-mib N] [--unsafe] -- PROGRAM ARGUMENTS\n"
    "\n"
    "Runs PROGRAM without network, seeing system libraries and what is shown, read only.\n"
    "0 for a limit means none. --unsafe: the limits only. Exit status: the program's, 128 + n when\n"
    "signal n ended it, 127 when it could not be started.\n";

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
    sandbox_enter(&sandbox, arguments + program, error, sizeof error);
    fprintf(stderr, "sandbox: %s\n", error);
    return 127;
}

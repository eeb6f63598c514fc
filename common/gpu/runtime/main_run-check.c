/*
 * run-check: whether a program can run on the simulated GPU, before it is started.
 *
 *     run-check COMMAND          a line as the shell takes it: './a.out arguments'
 *
 * Exits 0 when nothing speaks against it; 1 and one line when it cannot run; 2 on wrong usage.
 */
#include "base/wrap.h"
#include "gpu/runtime/program.h"

#include <stdio.h>

int main(int argc, char **argv) {
    char message[1024];
    if (argc != 2) {
        fprintf(stderr, "usage: run-check COMMAND\n");
        return 2;
    }
    if (run_check(argv[1], message, sizeof message))
        return 0;
    wrap_message("make run: ", message);
    return 1;
}

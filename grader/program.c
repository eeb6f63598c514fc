#include "grader/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int program_run(const char *const *arguments, char *output, size_t size) {
    int ends[2], status;
    output[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(output, size, "%s", strerror(errno));
        return 127;
    }
    pid_t process = fork();
    if (process == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execvp(arguments[0], (char *const *)arguments);
        dprintf(2, "%s: %s", arguments[0], strerror(errno));
        _exit(127);
    }
    close(ends[1]);
    size_t used = 0;
    char rest[1024] = "";
    for (ssize_t got = 1; got != 0;) {
        bool room = used + 1 < size;
        got = read(ends[0], room ? output + used : rest, room ? size - 1 - used : sizeof rest);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        used += room ? (size_t)got : 0;
    }
    output[used] = '\0';
    close(ends[0]);
    if (process < 0 || waitpid(process, &status, 0) != process)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*
 * ncu runs a program several times over, or replays its kernels, and starts it itself; so the runner is
 * started by ncu with the case in a file instead of at the end of a socket.
 */
#include "harness/profiler.h"
#include "analysis/ncu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS = 64 };

/* The case as the runner's replay reads it. */
static bool write_case(const char *path, const struct trial *t, unsigned calls) {
    static const char zeros[RUNNER_REPLAY_OFFSET];
    struct trial_options options = {.guard = true};
    struct runner_request request;
    trial_request(t, &options, &request);
    request.calls = calls;
    FILE *file = fopen(path, "wb");
    bool right = file != NULL && fwrite(&request, sizeof request, 1, file) == 1 &&
                 fwrite(zeros, RUNNER_REPLAY_OFFSET - sizeof request, 1, file) == 1;
    for (unsigned i = 0; right && i < PROBLEM_BUFFERS && t->input[i] != NULL; i++)
        right = fseek(file, (long)(RUNNER_REPLAY_OFFSET + request.buffer[i].offset + request.guard),
                      SEEK_SET) == 0 &&
                fwrite(t->input[i], t->layout.bytes[i], 1, file) == 1;
    right = file != NULL && fclose(file) == 0 && right;
    return right &&
           truncate(path, (off_t)(RUNNER_REPLAY_OFFSET + trial_memory(t->problem, &t->problem_case))) == 0;
}

/* In the child: become ncu. */
static void become_ncu(char *options, const char *program, const char *replay, const char *output) {
    char *arguments[ARGUMENTS] = {"ncu"};
    unsigned count = 1;
    for (char *word = strtok(options, " "); word != NULL && count < ARGUMENTS - 2; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count] = (char *)(uintptr_t)program;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv(RUNNER_REPLAY, replay, 1);
    const char *toolkit = getenv("CUDA_LIBRARY_FOLDER");
    if (toolkit != NULL && *toolkit != '\0')
        setenv("LD_LIBRARY_PATH", toolkit, 1);
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666), nothing = open("/dev/null", O_RDONLY);
    if (out < 0 || nothing < 0)
        _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp("ncu", arguments);
    _exit(127);
}

static bool wait_for(pid_t child, double patience_s) {
    struct timespec pause = {0, 20000000};
    int status;
    for (double waited = 0; waited < patience_s; waited += 0.02) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0 && errno != EINTR)
            return false;
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
}

/* ncu speaks before and after its table ("==PROF== ..."); the table begins at the first line that starts with
 * a quote. */
static const char *find_table(const char *text) {
    while (*text != '\0' && *text != '"') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

char *profiler_table(const char *path) {
    enum { LIMIT = 16 << 20 };
    char *text = malloc(LIMIT + 1);
    FILE *file = text != NULL ? fopen(path, "rb") : NULL;
    size_t length = file != NULL ? fread(text, 1, LIMIT, file) : 0;
    if (file != NULL)
        fclose(file);
    if (text == NULL)
        return NULL;
    text[length] = '\0';
    const char *table = find_table(text);
    memmove(text, table, strlen(table) + 1);
    return text;
}

bool profiler_run(const struct settings *s, const char *program, const struct trial *t, unsigned calls,
                  char output[PROFILER_PATH]) {
    char replay[PROFILER_PATH], options[8192];
    snprintf(replay, sizeof replay, "%s/replay.bin", s->folder);
    snprintf(output, PROFILER_PATH, "%s/ncu.txt", s->folder);
    if (!ncu_options(options, sizeof options, NULL) || !write_case(replay, t, calls)) {
        unlink(replay);
        return false;
    }
    pid_t child = fork();
    if (child == 0)
        become_ncu(options, program, replay, output);
    bool right = child > 0 && wait_for(child, 120);
    unlink(replay);
    return right;
}

bool profiler_count(const struct settings *s, const char *program, const struct trial *t,
                    struct kernel_report **kernels, unsigned *count) {
    char output[PROFILER_PATH], error[512];
    struct ncu_launches launches = {0};
    *kernels = NULL;
    *count = 0;
    /* What is confined is not started by ncu, which would start it outside. */
    if (s->runner_wrapper != NULL || !profiler_run(s, program, t, 1, output))
        return false;
    char *table = profiler_table(output);
    bool right = table != NULL && *table != '\0' &&
                 ncu_read(&launches, table, strlen(table), output, error, sizeof error) && launches.count > 0;
    free(table);
    *kernels = right ? launches.items : NULL; /* ownership moves on */
    *count = right ? launches.count : 0;
    return right;
}

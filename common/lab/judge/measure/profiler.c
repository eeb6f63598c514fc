/*
 * profiler.c: ncu and nsys start the program themselves, and ncu runs it or its kernels several
 * times. So the runner reads its case from a file instead of a socket.
 */
#include "lab/judge/measure/profiler.h"
#include "base/child.h"
#include "base/file.h"
#include "report/ncu/ncu.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 64, PATIENCE_S = 120, TABLE_LIMIT = 16 << 20 };

/* The case as the runner's replay reads it. */
static bool write_case(const char *path, const struct trial *t, unsigned calls, bool marked) {
    static const char zeros[RUNNER_REPLAY_OFFSET];
    struct trial_options options = {.guard = true};
    struct runner_request request;
    trial_request(t, &options, &request);
    request.calls = calls;
    request.timed = marked;
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

/* Runs a profiler, whose environment tells the program to read the case in `replay`. Returns its
 * exit status. */
static int run_profiler(const char *const *arguments, const char *replay, int out) {
    char replayed[PATH_SIZE], library[PATH_SIZE];
    const char *toolkit = getenv("CUDA_LIBRARY_FOLDER");
    bool own = toolkit != NULL && *toolkit != '\0';
    if (!path_print(replayed, RUNNER_REPLAY "=%s", replay) ||
        (own && !path_print(library, "LD_LIBRARY_PATH=%s", toolkit)))
        return CHILD_NOT_STARTED;
    struct child profiler = {.wrapper = (const char *const[]){"env", replayed, own ? library : NULL, NULL},
                             .arguments = arguments,
                             .input = CHILD_NOTHING,
                             .output = out,
                             .errors = out};
    return child_wait(child_start(&profiler), PATIENCE_S);
}

/* Run ncu on the program with the case in `replay`. */
static bool run_ncu(char *options, const char *program, const char *replay, const char *output) {
    const char *arguments[ARGUMENTS] = {"ncu"};
    unsigned count = 1;
    for (char *word = strtok(options, " "); word != NULL && count < ARGUMENTS - 2; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count] = program;
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0)
        return false;
    int status = run_profiler(arguments, replay, out);
    close(out);
    return status == 0;
}

/* ncu prints lines before and after its table ("==PROF== ..."); the table begins at the first
 * line with a quote. */
static const char *find_table(const char *text) {
    while (*text != '\0' && *text != '"') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

char *profiler_table(const char *path) {
    char error[256];
    char *text = file_read(path, TABLE_LIMIT, NULL, error, sizeof error);
    if (text == NULL)
        return strdup("");
    const char *table = find_table(text);
    memmove(text, table, strlen(table) + 1);
    return text;
}

bool profiler_run(const struct settings *s, const char *program, const struct trial *t, unsigned calls,
                  char output[PATH_SIZE]) {
    char replay[PATH_SIZE], options[8192];
    bool right = path_join(replay, s->folder, "replay.bin") && path_join(output, s->folder, "ncu.txt") &&
                 ncu_options(options, sizeof options, NULL) && write_case(replay, t, calls, false) &&
                 run_ncu(options, program, replay, output);
    unlink(replay);
    return right;
}

bool profiler_timeline(const struct settings *s, const char *program, const struct trial *t,
                       char output[PATH_SIZE], char *error, size_t size) {
    enum { CALLS = 2, WORDS_LIMIT = 1 << 16 }; /* the first loads the kernels */
    char replay[PATH_SIZE], tool[PATH_SIZE], words[PATH_SIZE], unread[PATH_SIZE];
    if (!path_join(replay, s->folder, "replay.bin") || !path_join(output, s->folder, "timeline.sqlite") ||
        !path_join(words, s->folder, "nsys.txt") || !path_join(tool, s->root, "common/tools/nsys-export"))
        return fails(error, size, "the path of the build folder is too long");
    unlink(output);
    int out = open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const char *const arguments[] = {tool, "--marked", output, program, NULL};
    bool right = out >= 0 && write_case(replay, t, CALLS, true);
    if (!right)
        snprintf(error, size, "%s cannot be written", s->folder);
    else if (run_profiler(arguments, replay, out) != 0) {
        char *said = file_read(words, WORDS_LIMIT, NULL, unread, sizeof unread);
        if (said != NULL)
            said[strcspn(said, "\n")] = '\0';
        snprintf(error, size, "%s",
                 said != NULL && *said != '\0' ? said : "nsys took too long, and was ended");
        free(said);
        right = false;
    }
    if (out >= 0)
        close(out);
    unlink(replay);
    unlink(words);
    return right;
}

bool profiler_count(const struct settings *s, const char *program, const struct trial *t,
                    struct kernel_report **kernels, unsigned *count) {
    char output[PATH_SIZE], error[512];
    struct ncu_launches launches = {0};
    *kernels = NULL;
    *count = 0;
    /* A program in a sandbox is not profiled, because ncu would start it outside. */
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

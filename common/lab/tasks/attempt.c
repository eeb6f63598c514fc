/* attempt.c: nvcc, the program it makes, and a verdict from the lines that both say. */
#include "lab/tasks/tasks.h"

#include "base/child.h"
#include "base/file.h"
#include "base/processor.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* A task's program is done in milliseconds; instructions stop a kernel that hangs, seconds a host that does. */
enum { BUILD_SECONDS = 600, RUN_SECONDS = 60, ENVIRONMENT_MOST = 512, SAID_MOST = 64 << 10 };
enum { BUSY = CHILD_TIMEOUT - 1 }; /* a status: it was ended because the machine had no time for it */
/* The budget is in warp instructions. */
const char *const attempt_environment[] = {"CHECK=1", "RACES=1", "STRICT=1", "SIMGPU_BUDGET=16777216", NULL};

/* ---- running something */

/* What it says, the first SAID_MOST - 1 bytes. Its exit status, as child_wait has it. */
static int run(const char *const *arguments, const char *const *environment, double seconds,
               char said[SAID_MOST]) {
    int ends[2];
    size_t length = 0;
    said[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return CHILD_NOT_STARTED;
    struct child child = {.arguments = arguments,
                          .environment = environment,
                          .input = CHILD_NOTHING,
                          .output = ends[1],
                          .errors = ends[1]};
    pid_t process = child_start(&child);
    close(ends[1]);
    struct patience patience;
    enum patience_state state = PATIENCE_LASTS;
    patience_begin(&patience, seconds);
    for (bool open = process > 0; open;) {
        char part[4096];
        struct pollfd ready = {.fd = ends[0], .events = POLLIN};
        if ((state = patience_look(&patience, &process, 1)) != PATIENCE_LASTS)
            break;
        int events = poll(&ready, 1, patience_ms(&patience));
        ssize_t got = events > 0 ? read(ends[0], part, sizeof part) : events;
        open = events == 0 || got > 0 || (got < 0 && errno == EINTR);
        for (ssize_t i = 0; events > 0 && i < got && length < SAID_MOST - 1; i++)
            if (part[i] != '\0')
                said[length++] = part[i];
    }
    said[length] = '\0';
    close(ends[0]);
    int status = child_wait_fair(process, state == PATIENCE_LASTS ? seconds : 0);
    return status == CHILD_TIMEOUT && state == PATIENCE_BUSY ? BUSY : status;
}

/* This process's environment with some variables set, whose names are left out of it. */
static void build_environment(const char **list, const char *const *own, unsigned count) {
    unsigned used = 0;
    for (unsigned i = 0; i < count; i++)
        list[used++] = own[i];
    for (char **at = environ; *at != NULL && used < ENVIRONMENT_MOST - 1; at++) {
        bool ours = false;
        for (unsigned i = 0; i < count; i++)
            ours = ours || strncmp(*at, own[i], strcspn(own[i], "=") + 1) == 0;
        if (!ours)
            list[used++] = *at;
    }
    list[used] = NULL;
}

/* ---- what was said */

/* Lines of the tools' that say nothing about the program. */
static bool is_noise(const char *line) {
    static const char *const patterns[] = {"check: nothing found*", "Remark: The warnings can be suppressed*",
                                           "", "*error* detected in the compilation of*"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], line, 0) == 0)
            return true;
    return false;
}

/* Add a line, the learner's file by its name alone. */
static void add_line(struct attempt *a, const char *line) {
    size_t used = strlen(a->text);
    for (const char *at = line; *at != '\0' && used < sizeof a->text - 2;) {
        /* a path begins: is it of a file of the task? */
        size_t length = strcspn(at, " :()'\"");
        const char *slash = memrchr(at, '/', length);
        bool ours =
            slash != NULL && (memmem(at, length, ".cu", 3) != NULL || memmem(at, length, ".h", 2) != NULL);
        if (ours) {
            length -= (size_t)(slash + 1 - at);
            at = slash + 1;
        }
        length = length > 0 ? length : 1;
        for (; length > 0 && used < sizeof a->text - 2; length--)
            a->text[used++] = *at++;
        while (length-- > 0)
            at++;
    }
    a->text[used] = '\n';
    a->text[used + 1] = '\0';
}

/* A line at a time; the next one, or NULL at the end. */
static const char *take_line(const char *at, char *line, size_t size) {
    if (*at == '\0')
        return NULL;
    size_t length = strcspn(at, "\n");
    snprintf(line, size, "%.*s", (int)length, at);
    return at + length + (at[length] == '\n');
}

/* The compiler's first error and the source line it shows: those that come after often follow from it. */
static void first_error(struct attempt *a, const char *log) {
    char line[2048];
    bool inside = false;
    for (const char *at = log; (at = take_line(at, line, sizeof line)) != NULL;) {
        bool error = strstr(line, "error") != NULL || strstr(line, "undefined reference") != NULL;
        if (inside && line[0] != ' ' && line[0] != '\t')
            break;
        inside = inside || (error && !is_noise(line));
        if (inside)
            add_line(a, line);
    }
    for (const char *at = log; !inside && (at = take_line(at, line, sizeof line)) != NULL;)
        add_line(a, line);
}

/* A line that says what became of the program, and not one that the learner prints. */
static bool is_verdict(const char *line) {
    static const char *const patterns[] = {"simulated GPU: *", "check: *", "wrong: *", "right: *",
                                           "* failed: *"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], line, 0) == 0)
            return true;
    return false;
}

static unsigned count_lines(const char *said) {
    char line[2048];
    unsigned count = 0;
    for (const char *at = said; (at = take_line(at, line, sizeof line)) != NULL;)
        count += !is_noise(line);
    return count;
}

/* What a program said; of many lines the first and the last, and what the verdict hangs on: a kernel that prints is
 * answered all the same. *right: a line says that all is right; *remarked: the simulated GPU found something. */
static void all_lines(struct attempt *a, const char *said, const char *expects, bool *right, bool *remarked) {
    enum { FIRST = 4, LAST = 8, VERDICTS = 12 };
    char line[2048];
    unsigned count = count_lines(said), number = 0, verdicts = 0, left_out = 0;
    *right = *remarked = false;
    for (const char *at = said; (at = take_line(at, line, sizeof line)) != NULL;) {
        bool expected = expects != NULL && fnmatch(expects, line, 0) == 0;
        *right = *right || strncmp(line, "right: ", 7) == 0;
        if (is_noise(line))
            continue;
        *remarked =
            *remarked ||
            (!expected && (strncmp(line, "check: ", 7) == 0 || strncmp(line, "simulated GPU: ", 15) == 0));
        bool verdict = is_verdict(line) && verdicts++ < VERDICTS;
        bool shown = number < FIRST || number + LAST >= count || verdict;
        if (!shown && left_out++ == 0)
            add_line(a, "... and more");
        if (shown)
            add_line(a, line);
        number++;
    }
}

/* How a program ended that did not end well, as a line. */
static void add_end(struct attempt *a, int status, bool right) {
    char line[160];
    if (status == CHILD_TIMEOUT)
        snprintf(line, sizeof line, "the program did not end within %d seconds", RUN_SECONDS);
    else if (status == BUSY)
        snprintf(line, sizeof line,
                 "the machine was too busy to run the program: try again when less runs beside it");
    else if (status == CHILD_SIGNAL + 11)
        snprintf(line, sizeof line,
                 "the program crashed on the host: it used an address that is not its own");
    else if (status >= CHILD_SIGNAL)
        snprintf(line, sizeof line, "the program was ended by signal %d", status - CHILD_SIGNAL);
    else if (status == 0 && !right)
        snprintf(line, sizeof line, "the program ended well, and has checked nothing");
    else
        return;
    add_line(a, line);
}

void attempt_not_built(const char *said, struct attempt *a) {
    *a = (struct attempt){.stage = ATTEMPT_BUILD};
    first_error(a, said);
}

void attempt_ran(const struct task *task, int status, const char *said, bool real, struct attempt *a) {
    bool right, remarked;
    a->text[0] = '\0';
    all_lines(a, said, task->expects, &right, &remarked);
    add_end(a, status, right);
    if (status != 0 || !right || remarked)
        a->stage = real ? ATTEMPT_REAL : ATTEMPT_RUN;
}

/* ---- building and running */

/* -O1: the seconds between two attempts matter, not the microseconds of these kernels. */
static bool build(const struct workshop *w, const char *path, const char *program, struct attempt *a,
                  char said[SAID_MOST], char *error, size_t size) {
    char include[PATH_SIZE], code[96];
    if (!path_print(include, "-I%s", w->source))
        return fails(error, size, "the path of the kit is too long");
    snprintf(code, sizeof code, "arch=compute_%u,code=[compute_%u,sm_%u]", w->architecture, w->architecture,
             w->architecture);
    const char *const arguments[] = {w->nvcc,    "-O1", "-lineinfo", "-cudart", "shared", include,
                                     "-gencode", code,  "-o",        program,   path,     NULL};
    int status = run(arguments, NULL, BUILD_SECONDS, said);
    if (status == CHILD_NOT_STARTED || status == CHILD_TIMEOUT || status == BUSY)
        return fails(error, size, "the CUDA compiler %.300s %s", w->nvcc,
                     status == BUSY
                         ? "is not done: the machine is too busy. Try again when less runs beside it"
                     : status == CHILD_TIMEOUT ? "does not end; make doctor says what is there"
                                               : "cannot be run; make doctor says what is there");
    if (status == 0)
        return true;
    unlink(program);
    attempt_not_built(said, a);
    return true;
}

static void run_program(const struct workshop *w, const struct task *task, const char *program, bool real,
                        struct attempt *a, char said[SAID_MOST]) {
    char library[PATH_SIZE + 4096], gpu[64];
    const char *environment[ENVIRONMENT_MOST], *old = getenv("LD_LIBRARY_PATH"),
                                               *arguments[TASK_ARGUMENTS + 2] = {program};
    enum { SETTINGS = sizeof attempt_environment / sizeof *attempt_environment - 1 };
    const char *own[SETTINGS + 2] = {library, gpu};
    for (unsigned i = 0; i < SETTINGS; i++)
        own[2 + i] = attempt_environment[i];
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s%s%.4000s", real ? w->real : w->library,
             old != NULL ? ":" : "", old != NULL ? old : "");
    snprintf(gpu, sizeof gpu, "GPU=%.40s", w->gpu != NULL ? w->gpu : "h200");
    build_environment(environment, own, real ? 1 : sizeof own / sizeof *own);
    for (unsigned i = 0; i < task->argument_count; i++)
        arguments[1 + i] = task->arguments[i];
    attempt_ran(task, run(arguments, environment, RUN_SECONDS, said), said, real, a);
}

bool attempt(const struct workshop *w, const struct tasks *tasks, unsigned task, const char *path,
             struct attempt *a, char *error, size_t size) {
    char program[PATH_SIZE];
    char *said = malloc(SAID_MOST);
    *a = (struct attempt){.stage = ATTEMPT_RIGHT};
    bool tried = said != NULL && folder_make(w->folder, error, size);
    if (said == NULL)
        snprintf(error, size, "out of memory");
    if (tried && !path_print(program, "%s/task%s-%u", w->folder, tasks->list[task].name, w->architecture)) {
        snprintf(error, size, "the path %.200s/... is too long", w->folder);
        tried = false;
    }
    tried = tried && build(w, path, program, a, said, error, size);
    if (tried && a->stage == ATTEMPT_RIGHT)
        run_program(w, &tasks->list[task], program, false, a, said);
    if (tried && a->stage == ATTEMPT_RIGHT && w->real != NULL)
        run_program(w, &tasks->list[task], program, true, a, said);
    free(said);
    if (tried && a->stage != ATTEMPT_RIGHT)
        a->say = tasks_explain(tasks, task, a->text);
    return tried;
}

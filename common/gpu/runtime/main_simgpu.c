/*
 * simgpu: the simulated GPU, a process of its own. It serves one program, over the socket it was started
 * with, and ends when that program does.
 */
#include "base/file.h"
#include "gpu/runtime/judge/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char usage[] =
    "simgpu --fd N [--gpu MODEL] [--gpus DIR] [--report-fd M | --report FILE]\n"
    "       [--memory-fd K] [--threads T] [--budget N] [--strict 0|1] [--races 0|1] [--check 0|1]\n"
    "       [--caches 0|1] [--counts 0|1] [--cold 0|1] [--timeline 0|1] [--time code|counters] [--ptxas PROGRAM]\n"
    "\n"
    "A simulated GPU for the CUDA program at the other end of socket N; libcudart.so starts it.\n"
    "  --gpu MODEL      h200 (default) or another file of common/gpu/models\n"
    "  --gpus DIR       where the models are (default: $GPU_MODELS, else common/gpu/models above this program)\n"
    "  --report FILE    append a JSON line for every kernel launch and fault; --report-fd: to a descriptor\n"
    "  --memory-fd K    memory in common with a judge who reads the report, owns buffers and opens windows\n"
    "  --threads T      host threads, 0 for all (default); results do not depend on it\n"
    "  --budget N       warp instructions after which a launch is taken to be endless\n"
    "  --strict 0       carry on where hardware would (stray accesses, barriers some threads skip)\n"
    "  --races 1        check shared memory for races; --caches 0: no L1, L2 and DRAM counters, faster\n"
    "  --counts 0       results alone: neither counters nor a time that means anything, faster still\n"
    "  --cold 1         empty L2 before each launch, as Nsight Compute does\n"
    "  --timeline 1     report what happens when: streams, copies, the host\n"
    "  --time code      model the time by the machine code, where there is any; counters: by what is counted\n"
    "  --ptxas PROGRAM  has that make the machine code which a program lacks for this GPU, of its PTX; kept in\n"
    "                   XDG_CACHE_HOME or ~/.cache; not with --memory-fd: a judge runs no compiler on such text\n"
    "  --compiled FILE  a fat binary: machine code that is in no module like it is not believed\n"
    "  --program FILE   the program, for the source lines of its calls, by its debugging information (nvcc -g)\n"
    "  --check 1        remarks on what hardware would not notice: memory read that nobody wrote and the like;\n"
    "                   to the report, and on standard error at the end unless the report is a descriptor\n";

struct arguments {
    int socket, report, memory;
    const char *gpu, *directory, *report_file, *ptxas, *compiled, *program;
    long threads, budget;
    bool strict, races, check, caches, counts, cold, timeline, by_code;
};

static bool parse_number(const char *text, long least, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

static bool parse_switch(const char *text, bool *value) {
    long number;
    if (!parse_number(text, 0, 1, &number))
        return false;
    *value = number;
    return true;
}

static bool parse_descriptor(const char *text, int *value) {
    long number;
    if (!parse_number(text, 0, 1 << 20, &number) || fcntl((int)number, F_GETFD) < 0)
        return false;
    *value = (int)number;
    return true;
}

static bool parse_option(struct arguments *arguments, const char *name, const char *value) {
    if (strcmp(name, "--fd") == 0)
        return parse_descriptor(value, &arguments->socket);
    if (strcmp(name, "--report-fd") == 0)
        return parse_descriptor(value, &arguments->report);
    if (strcmp(name, "--memory-fd") == 0)
        return parse_descriptor(value, &arguments->memory);
    if (strcmp(name, "--gpu") == 0)
        return (arguments->gpu = value) != NULL;
    if (strcmp(name, "--gpus") == 0)
        return (arguments->directory = value) != NULL;
    if (strcmp(name, "--report") == 0)
        return (arguments->report_file = value) != NULL;
    if (strcmp(name, "--compiled") == 0)
        return (arguments->compiled = value) != NULL;
    if (strcmp(name, "--program") == 0)
        return (arguments->program = value) != NULL;
    if (strcmp(name, "--threads") == 0)
        return parse_number(value, 0, 4096, &arguments->threads);
    if (strcmp(name, "--budget") == 0)
        return parse_number(value, 1, LONG_MAX, &arguments->budget);
    if (strcmp(name, "--strict") == 0)
        return parse_switch(value, &arguments->strict);
    if (strcmp(name, "--races") == 0)
        return parse_switch(value, &arguments->races);
    if (strcmp(name, "--check") == 0)
        return parse_switch(value, &arguments->check);
    if (strcmp(name, "--time") == 0)
        return (arguments->by_code = strcmp(value, "code") == 0) || strcmp(value, "counters") == 0;
    if (strcmp(name, "--ptxas") == 0)
        return (arguments->ptxas = value) != NULL;
    if (strcmp(name, "--timeline") == 0)
        return parse_switch(value, &arguments->timeline);
    if (strcmp(name, "--caches") == 0)
        return parse_switch(value, &arguments->caches);
    if (strcmp(name, "--counts") == 0)
        return parse_switch(value, &arguments->counts);
    if (strcmp(name, "--cold") == 0)
        return parse_switch(value, &arguments->cold);
    return false;
}

/* When the program ends in the middle of a launch nobody reads the socket; this thread sees it, lets a report
 * line that is being written come to its end, and ends the process. */
static void *watch(void *context) {
    struct server *server = context;
    struct pollfd poll_socket = {.fd = server->options.socket, .events = POLLRDHUP};
    while (poll(&poll_socket, 1, -1) < 0 ||
           !(poll_socket.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)))
        continue;
    pthread_mutex_lock(&server->report.writing);
    server_say_remarks(server);
    _exit(0);
}

static int fail(const char *message) {
    fprintf(stderr, "simgpu: %s\n", message);
    return 1;
}

/* Memory that a launch frees stays with the process, up to these bytes: the next launch takes as much
 * again, and the kernel would clear each page anew. */
static void keep_freed_memory(void) {
    enum { TRIM_BYTES = 64 << 20, MMAP_BYTES = 32 << 20 };
    (void)mallopt(M_TRIM_THRESHOLD, TRIM_BYTES); /* only speed hangs on them */
    (void)mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
}

int main(int count, char **values) {
    struct arguments arguments = {.socket = -1,
                                  .report = -1,
                                  .memory = -1,
                                  .gpu = "h200",
                                  .caches = true,
                                  .counts = true,
                                  .by_code = true};
    char error[1024];
    keep_freed_memory();
    if (count == 2 && strcmp(values[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count || !parse_option(&arguments, values[i], values[i + 1])) {
            fprintf(stderr, "simgpu: cannot take \"%s %s\"\n\n%s", values[i],
                    i + 1 < count ? values[i + 1] : "", usage);
            return 2;
        }
    }
    if (arguments.socket < 0) {
        fputs(usage, stderr);
        return 2;
    }
    if (arguments.ptxas != NULL && arguments.memory >= 0)
        return fail("--ptxas is not for programs that are judged (--memory-fd)");
    /* Ctrl-C is for the program; when it ends, so does this process. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    bool given_report = arguments.report >= 0;
    if (arguments.memory >= 0)
        prctl(PR_SET_DUMPABLE, 0); /* the program that is judged cannot look into this process */
    struct gpu_model model;
    if (!gpu_model_load(arguments.directory, arguments.gpu, &model, error, sizeof error))
        return fail(error);
    if (arguments.report_file != NULL) {
        arguments.report = open(arguments.report_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (arguments.report < 0) {
            snprintf(error, sizeof error, "%s: %s", arguments.report_file, strerror(errno));
            return fail(error);
        }
    }
    enum { LARGEST_COMPILED = 64 << 20 };
    size_t compiled_bytes = 0;
    char *compiled = NULL;
    if (arguments.compiled != NULL) {
        compiled = file_read(arguments.compiled, LARGEST_COMPILED, &compiled_bytes, error, sizeof error);
        if (compiled == NULL)
            return fail(error);
    }
    struct server_options options = {.socket = arguments.socket,
                                     .report = arguments.report,
                                     .memory = arguments.memory,
                                     .hooks = &judge_hooks,
                                     .program = arguments.program,
                                     .model = &model,
                                     .host_threads = (uint32_t)arguments.threads,
                                     .budget = (uint64_t)arguments.budget,
                                     .strict = arguments.strict,
                                     .races = arguments.races,
                                     .check = arguments.check,
                                     .say_remarks = !given_report,
                                     .caches = arguments.caches,
                                     .results_alone = !arguments.counts,
                                     .cold = arguments.cold,
                                     .timeline = arguments.timeline,
                                     .time_by_code = arguments.by_code,
                                     .compiled = (const uint8_t *)compiled,
                                     .compiled_bytes = compiled_bytes};
    ptxas_init(&options.ptxas, arguments.ptxas);
    static struct server server; /* outlives main's frame: the watcher may still look at it */
    if (!server_open(&server, &options, error, sizeof error))
        return fail(error);
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch, &server) != 0)
        return fail("no thread is left to watch the program");
    pthread_detach(watcher);
    if (!server_run(&server, error, sizeof error))
        return fail(error);
    pthread_mutex_lock(&server.report.writing);
    server_say_remarks(&server);
    /* The operating system takes everything back faster than we could. */
    fflush(NULL);
    _exit(0);
}

/* build.c: compile, inspect, link, each in a sandbox of its own under a watch. */
#include "job/build.h"
#include "base/child.h"
#include "job/object.h"
#include "job/sandbox.h"
#include "job/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptor 3, in the sandbox, is the only way out. */
static const char compile_script[] =
    "source=$1 object=$2; shift 2\n"
    "cd \"$(dirname \"$source\")\" && \"$@\" -o \"$object\" \"$(basename \"$source\")\" && cat \"$object\" >&3";
/* What the object defines besides the lab's function, and those that the adapter calls where they are there (weak),
 * becomes its own: no other name of it can take the place of another's. (The DW.ref is gcc's, and in every object with
 * exceptions: one of them stays for all.) Link-time optimisation would compile what the object brings along. */
static const char link_script[] =
    "object=$1 own=$2 program=$3 function=$4; shift 4\n"
    "more=$(nm -u -P \"$3\" | sed -n 's/^\\([a-z_0-9]*\\) w.*/--keep-global-symbol=\\1/p') &&\n"
    "objcopy --keep-global-symbol=\"$function\" $more --keep-global-symbol=DW.ref.__gxx_personality_v0"
    " \"$object\" \"$own\" &&\n"
    "g++ -fno-lto -fno-use-linker-plugin -Wl,-z,noexecstack"
    " -o \"$program\" \"$1\" \"$2\" \"$3\" \"$own\" \"$4\" -lm &&\n"
    "cat \"$program\" >&3";

enum { THREADS_MAX = 64 };

static enum build_outcome trouble(struct build_result *result, const char *what) {
    snprintf(result->message, sizeof result->message, "%.300s: %s", what, strerror(errno));
    return BUILD_TROUBLE;
}

/* The outcome, and what it says of the submission. */
static enum build_outcome flagged(struct build_result *result, enum build_outcome outcome, enum flag flag) {
    result->flag = flag;
    return outcome;
}

/* All that a child writes, up to the log's size; then nobody reads on, and it is told so when it writes. */
static void read_log(int from, char log[BUILD_LOG]) {
    size_t length = 0;
    while (length < BUILD_LOG - 1) {
        ssize_t got = read(from, log + length, BUILD_LOG - 1 - length);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    log[length] = '\0';
}

/* Run a command of the toolkit's in its sandbox, with `output` as its descriptor 3. */
static enum build_outcome run_step(const struct build_request *request, const struct sandbox *sandbox,
                                   const char *const *command, int output, struct build_result *result) {
    struct sandbox_wrapper wrapper = {.count = 0};
    struct watch_limits limits = {.memory_bytes = (uint64_t)request->memory_mib << 20,
                                  .threads = THREADS_MAX,
                                  .seconds = request->seconds};
    int log[2];
    sandbox_wrapper(sandbox, request->launcher, &wrapper);
    if (pipe2(log, O_CLOEXEC) != 0)
        return trouble(result, "a pipe");
    struct watch *watch = watch_start(&limits, result->message, sizeof result->message);
    if (watch == NULL) {
        close(log[0]);
        close(log[1]);
        return BUILD_TROUBLE;
    }
    struct child child = {.wrapper = wrapper.arguments,
                          .arguments = command,
                          .environment = (const char *const[]){NULL},
                          .input = CHILD_NOTHING,
                          .output = log[1],
                          .errors = log[1],
                          .descriptors = &output,
                          .descriptor_count = 1};
    pid_t process = child_start(&child);
    int start_error = errno;
    close(log[1]);
    read_log(log[0], result->log);
    close(log[0]);
    int status = child_wait(process, INFINITY); /* the watch has the time */
    enum watch_verdict verdict = watch_stop(watch, NULL);
    if (process <= 0) {
        errno = start_error;
        return trouble(result, "the compiler's process");
    }
    /* bwrap and the shell end with 128 + N when signal N ended what they ran */
    int number = status >= CHILD_SIGNAL ? status - CHILD_SIGNAL : status > 128 ? status - 128 : 0;
    if (verdict == WATCH_MEMORY || verdict == WATCH_THREADS) {
        snprintf(result->message, sizeof result->message,
                 "compiling kernel.cu took more than %u MiB of memory", request->memory_mib);
        return flagged(result, BUILD_FAILED, FLAG_MEMORY);
    }
    if (verdict == WATCH_TIME || number == SIGXCPU || number == SIGKILL) {
        snprintf(result->message, sizeof result->message, "compiling kernel.cu did not end within %u seconds",
                 request->seconds);
        return flagged(result, BUILD_FAILED, FLAG_TIMEOUT);
    }
    if (status == CHILD_NOT_STARTED && strncmp(result->log, "sandbox: ", 9) == 0) {
        snprintf(result->message, sizeof result->message, "%.400s", result->log);
        return BUILD_TROUBLE;
    }
    return status == 0 ? BUILD_DONE : BUILD_FAILED;
}

/* A path that the source names and no lab has a use for: what was looked for was not there to be found. */
static bool wanted_secret(const char *log) {
    static const char *const prefixes[] = {"fatal error: ", "file not found: ", "cannot open ",
                                           "could not open source file \""};
    static const char *const folders[] = {"/etc/", "/proc/", "/sys/", "/root/", "/var/", "/dev/", "/home/"};
    for (const char *line = log; line != NULL && *line != '\0';
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            const char *path = strstr(line, prefixes[p]), *end = strchr(line, '\n');
            if (path == NULL || (end != NULL && path > end))
                continue;
            path += strlen(prefixes[p]);
            for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
                if (strncmp(path, folders[f], strlen(folders[f])) == 0)
                    return true;
            size_t length = strcspn(path, "\n");
            if (memmem(path, length, "solutions/", 10) != NULL)
                return true;
        }
    return false;
}

/* What a compiler says, whose words those are that meet a limit. */
static bool met_limit(const char *log, const char *const *signs) {
    for (size_t i = 0; signs[i] != NULL; i++)
        if (strstr(log, signs[i]) != NULL)
            return true;
    return false;
}

static const char *const file_limit[] = {"File too large", "File size limit exceeded",
                                         "No space left on device", NULL};
static const char *const memory_limit[] = {"virtual memory exhausted",
                                           "annot allocate memory",
                                           "out of memory",
                                           "memory exhausted",
                                           "bad_alloc",
                                           NULL};

/* The first error of a log, as one line. */
static void first_error(const char *log, const char *otherwise, char *message, size_t size) {
    static const char *const signs[] = {"error: ", "error : ", "error:", "undefined reference to", "Error: "};
    for (const char *line = log; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
            if (memmem(line, length, signs[s], strlen(signs[s])) != NULL) {
                snprintf(message, size, "%.*s", (int)(length < size - 1 ? length : size - 1), line);
                return;
            }
        line += length + (line[length] == '\n');
    }
    snprintf(message, size, "%s", otherwise);
}

static int create(const char *path, mode_t mode) {
    unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/* Why the compiler gave up, by what it says. */
static enum build_outcome explain(const struct sandbox *sandbox, struct build_result *result) {
    if (met_limit(result->log, file_limit)) {
        snprintf(result->message, sizeof result->message,
                 "compiling kernel.cu writes files of more than %u MiB: make its tables and macros smaller",
                 sandbox->file_mib);
        return flagged(result, BUILD_FAILED, FLAG_BUILD_SIZE);
    }
    if (met_limit(result->log, memory_limit)) {
        snprintf(result->message, sizeof result->message,
                 "compiling kernel.cu takes more than %u MiB of memory", sandbox->memory_mib);
        return flagged(result, BUILD_FAILED, FLAG_MEMORY);
    }
    first_error(result->log, "kernel.cu does not compile", result->message, sizeof result->message);
    return flagged(result, BUILD_FAILED, wanted_secret(result->log) ? FLAG_SECRET_FILE : FLAG_NONE);
}

static enum build_outcome compile(const struct build_request *r, const char *object,
                                  struct build_result *result) {
    static const char inside[] = "/submission/kernel.cu", inside_flags[] = "/submission/nvcc.flags";
    struct sandbox sandbox;
    char flags[PATH_SIZE], include[PATH_SIZE + 8], header[PATH_SIZE], inside_header[PATH_SIZE],
        scratch[PATH_SIZE];
    sandbox_init(&sandbox, SANDBOX_COMPILE);
    sandbox.memory_mib = r->memory_mib;
    sandbox.cpu_seconds = r->seconds + 2; /* the watch comes first, and says so */
    sandbox.unsafe = r->unsafe;
    path_print(sandbox.hidden, "%s", r->root);
    path_join(scratch, r->folder, "scratch.o");
    path_print(flags, "%s/kernels/runner/nvcc-%u.flags", r->build, r->arch);
    if (access(flags, R_OK) != 0)
        return trouble(result, flags);
    /* Its header is named as its folder begins: labs/lab1-memory-layout/lab1.h */
    const char *folder = strrchr(r->header, '/') != NULL ? strrchr(r->header, '/') + 1 : r->header;
    int name_length = (int)strcspn(folder, "-");
    path_print(header, "%s/%.*s.h", r->header, name_length, folder);
    path_print(inside_header, "/submission/%.*s.h", name_length, folder);
    if (!sandbox_show(&sandbox, r->toolkit->top, NULL) || !sandbox_show(&sandbox, header, inside_header) ||
        !sandbox_show(&sandbox, r->source, inside) || !sandbox_show(&sandbox, flags, inside_flags)) {
        errno = ENAMETOOLONG;
        return trouble(result, r->source);
    }
    snprintf(include, sizeof include, "-I%s", r->unsafe ? r->header : "/submission");
    const char *command[32] = {"/bin/sh",
                               "-c",
                               compile_script,
                               "compile",
                               r->unsafe ? r->source : inside,
                               r->unsafe ? scratch : "/tmp/kernel.o",
                               r->toolkit->nvcc};
    unsigned n = 7;
    if (strncmp(r->toolkit->release, "11.", 3) == 0)
        command[n++] = "-allow-unsupported-compiler";
    const char *const options[] = {"-optf", r->unsafe ? flags : inside_flags, include, "-c"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command[n++] = options[i];
    int output = create(object, 0600);
    if (output < 0)
        return trouble(result, object);
    enum build_outcome outcome = run_step(r, &sandbox, command, output, result);
    close(output);
    unlink(scratch);
    return outcome == BUILD_FAILED && result->flag == FLAG_NONE ? explain(&sandbox, result) : outcome;
}

static enum build_outcome inspect(const struct build_request *r, const char *object,
                                  struct build_result *result) {
    struct object_verdict verdict;
    struct stat status;
    int file = open(object, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        if (file >= 0)
            close(file);
        return trouble(result, object);
    }
    size_t size = (size_t)status.st_size;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
        return trouble(result, object);
    object_check(bytes, size, r->function, &verdict);
    munmap(bytes, size);
    snprintf(result->message, sizeof result->message, "%s", verdict.message);
    if (verdict.flag != FLAG_NONE)
        return flagged(result, BUILD_REFUSED, verdict.flag);
    return verdict.defines_function && !verdict.defines_main ? BUILD_DONE : BUILD_FAILED;
}

static enum build_outcome link_program(const struct build_request *r, const char *object,
                                       struct build_result *result) {
    char paths[4][PATH_SIZE], own[PATH_SIZE], program[PATH_SIZE];
    struct sandbox sandbox;
    sandbox_init(&sandbox, SANDBOX_COMPILE);
    sandbox.memory_mib = r->memory_mib;
    sandbox.cpu_seconds = r->seconds + 2; /* the watch comes first, and says so */
    sandbox.unsafe = r->unsafe;
    path_print(sandbox.hidden, "%s", r->root);
    path_join(paths[0], r->build, "kernels/runner/runner.o");
    path_print(paths[1], "%s/kernels/runner/flush-%u.o", r->build, r->arch);
    path_print(paths[2], "%s/kernels/runner/adapter_%s.o", r->build, r->function);
    path_print(paths[3], "%s", r->toolkit->library);
    path_join(own, r->folder, "own.o");
    path_join(program, r->folder, "scratch");
    bool shown = sandbox_show(&sandbox, object, NULL) && sandbox_show(&sandbox, r->toolkit->top, NULL);
    for (int i = 0; i < 3; i++)
        shown = shown && sandbox_show(&sandbox, paths[i], NULL);
    if (!shown) {
        errno = ENAMETOOLONG;
        return trouble(result, object);
    }
    for (int i = 0; i < 4; i++)
        if (access(paths[i], R_OK) != 0)
            return trouble(result, paths[i]);
    const char *command[] = {"/bin/sh",
                             "-c",
                             link_script,
                             "link",
                             object,
                             r->unsafe ? own : "/tmp/own.o",
                             r->unsafe ? program : "/tmp/program",
                             r->function,
                             paths[0],
                             paths[1],
                             paths[2],
                             paths[3],
                             NULL};
    int output = create(result->program, 0700);
    if (output < 0)
        return trouble(result, result->program);
    enum build_outcome outcome = run_step(r, &sandbox, command, output, result);
    close(output);
    unlink(own);
    unlink(program);
    if (outcome == BUILD_FAILED) {
        char first[256];
        first_error(result->log, "kernel.cu does not link", first, sizeof first);
        const char *name = strstr(first, "undefined reference to");
        if (name != NULL)
            snprintf(result->message, sizeof result->message,
                     "%.200s: no library but the CUDA runtime, libm and C's and C++'s own is there", name);
        else
            snprintf(result->message, sizeof result->message, "%s", first);
    }
    return outcome;
}

enum build_outcome build_program(const struct build_request *r, struct build_result *result) {
    char object[PATH_SIZE];
    *result = (struct build_result){.flag = FLAG_NONE};
    path_join(object, r->folder, "kernel.o");
    path_join(result->program, r->folder, "program");
    enum build_outcome outcome = compile(r, object, result);
    if (outcome == BUILD_DONE)
        outcome = inspect(r, object, result);
    if (outcome == BUILD_DONE)
        outcome = link_program(r, object, result);
    unlink(object);
    return outcome;
}

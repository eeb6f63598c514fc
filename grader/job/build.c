/* build.c: compile, inspect, link, each in a sandbox of its own under a watch. */
#include "job/build.h"
#include "base/child.h"
#include "base/file.h"
#include "job/kit_names.h"
#include "job/lure.h"
#include "job/object.h"
#include "job/sandbox.h"
#include "job/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How the scripts end, beside a compiler's own way: 1, or 128 + N by signal N. */
enum { OUTPUT_FAILED = 74, TOO_LARGE = 75 };
/* Descriptor 3, in the sandbox, is the only way out; 4 and 5 for what nvcc made of the kernels, before the host's compiler and
 * assembler have seen what the submission has for them: the fat binary; the PTX, cut at the limit. */
#define LEAVE(file, descriptor)                                                                              \
    "[ \"$(wc -c < " file ")\" -le \"$limit\" ] || exit 75\n"                                                \
    "cat " file " >&" descriptor " || exit 74"
// clang-format off
static const char compile_script[] =
    "limit=$1; shift\n"
    "cd \"$SUBMISSION\" || exit 1\n"
    "mkdir \"$TMPDIR/kept\" || exit 74\n"
    "\"$@\" -keep -keep-dir \"$TMPDIR/kept\" -o \"$TMPDIR/kernel.o\" kernel.cu\n"
    "status=$?\n"
    "[ $status -gt 128 ] && exit $status\n"
    "[ $status -eq 0 ] || exit 1\n"
    LEAVE("\"$TMPDIR/kernel.o\"", "3") "\n"
    LEAVE("\"$TMPDIR/kept/kernel.fatbin\"", "4") "\n"
    "cat \"$TMPDIR\"/kept/kernel*.ptx 2>/dev/null | head -c \"$limit\" >&5 || exit 74";
// clang-format on
/* What the object defines besides the lab's function, and those that the adapter calls where they are there (weak),
 * becomes its own: no other name of it can take the place of another's. (The DW.ref is gcc's, and in every object with
 * exceptions: one of them stays for all.) Link-time optimisation would compile what the object brings along. What debuggers
 * read names the folder in which the runner was built, and a program can read its own file. */
static const char link_script[] =
    "limit=$1 object=$2 function=$3 adapter=$4 library=$5 own=$TMPDIR/own.o program=$TMPDIR/program; shift 5\n"
    "more=$(nm -u -P \"$adapter\" | sed -n -e 's/^\\([a-z_0-9]*\\) w.*/--keep-global-symbol=\\1/p'"
    " -e \"s/^\\(${function}_[a-z_0-9]*\\) U.*/--keep-global-symbol=\\1/p\") &&\n"
    "objcopy --keep-global-symbol=\"$function\" $more --keep-global-symbol=DW.ref.__gxx_personality_v0"
    " \"$object\" \"$own\" &&\n"
    "g++ -fno-lto -fno-use-linker-plugin -Wl,-z,noexecstack,--strip-debug"
    " -o \"$program\" \"$@\" \"$adapter\" \"$own\" \"$library\" -lm || exit 1\n" LEAVE("\"$program\"", "3");

/* What the compiler may use is what the watch sees it use. Limits of single processes come far behind: a process that
 * meets one says so in words, and words may be a quotation. */
enum { THREADS_MAX = 64, SCRATCH_MIB = 256, OBJECT_MIB = 64, BEHIND = 4, IDLE_SECONDS = 60 };

/* What a submission's object is linked with. */
enum { ADAPTER, LIBRARY, RUNNER, GATE, FLUSH, NEIGHBOURS };

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

/* What the watch saw, or the script's status says, of a step that did not end well. */
static enum build_outcome explain_limit(const struct build_request *request, const struct watch_end *end,
                                        int status, struct build_result *result) {
    /* bwrap and the shell end with 128 + N when signal N ended what they ran */
    int number = status >= CHILD_SIGNAL ? status - CHILD_SIGNAL : status > 128 ? status - 128 : 0;
    char *message = result->message;
    size_t size = sizeof result->message;
    enum watch_verdict verdict = end->verdict;
    /* The watch kills, and says so: this was the system. (What the compiler says of it may be a quotation.) */
    bool killed = verdict == WATCH_WITHIN && (number == SIGKILL || (status != 0 && end->memory_kill));
    if (verdict == WATCH_LURE) {
        snprintf(
            message, size,
            "kernel.cu has the compiler open a reference solution, or a file of the system's that no lab needs");
        return flagged(result, BUILD_FAILED, FLAG_SECRET_FILE);
    }
    if (killed && end->large) {
        snprintf(message, size, "compiling kernel.cu took %u MiB of memory, and there was no more",
                 (unsigned)(end->peak_bytes >> 20));
        return flagged(result, BUILD_FAILED, FLAG_MEMORY);
    }
    if (verdict == WATCH_MEMORY || verdict == WATCH_THREADS) {
        snprintf(message, size, "compiling kernel.cu took more than %u MiB of memory", request->memory_mib);
        return flagged(result, BUILD_FAILED, FLAG_MEMORY);
    }
    if (verdict == WATCH_SCRATCH || (verdict == WATCH_WITHIN && status == TOO_LARGE)) {
        snprintf(
            message, size,
            "compiling kernel.cu writes more than %d MiB, or an object file of more than %d MiB: make its tables "
            "and macros smaller",
            SCRATCH_MIB, OBJECT_MIB);
        return flagged(result, BUILD_FAILED, FLAG_BUILD_SIZE);
    }
    if (verdict == WATCH_TIME || verdict == WATCH_WAITS || verdict == WATCH_STOPPED || number == SIGXCPU) {
        snprintf(message, size, "compiling kernel.cu did not end within %u seconds of computing",
                 request->seconds);
        return flagged(result, BUILD_FAILED, FLAG_TIMEOUT);
    }
    if (killed) {
        snprintf(message, size, "the compiler was ended from outside: is the machine short of memory?");
        return BUILD_TROUBLE;
    }
    if (status == OUTPUT_FAILED) {
        snprintf(message, size, "what the compiler made cannot be written to %.300s: is the disk full?",
                 request->folder);
        return BUILD_TROUBLE;
    }
    if (number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGILL || number == SIGFPE)
        snprintf(message, size, "the compiler crashed on kernel.cu (%s): undo what was changed last",
                 strsignal(number));
    return status == 0 ? BUILD_DONE : BUILD_FAILED;
}

/* Only in name spaces of its own can a sandbox have a /tmp of its own, and other files in the places of ours. */
static bool has_tmp(enum sandbox_rung rung) {
    return rung == SANDBOX_BUBBLEWRAP;
}

bool build_run(const struct build_request *request, struct sandbox *sandbox, const struct lure *lure,
               const char *const *command, const int outputs[BUILD_OUTPUTS], struct build_result *result,
               struct build_ended *ended) {
    struct sandbox_wrapper wrapper = {.count = 0};
    struct watch_limits limits = {.memory_bytes = (uint64_t)request->memory_mib << 20,
                                  .threads = THREADS_MAX,
                                  .seconds = request->seconds,
                                  .wall_seconds = watch_wall(request->seconds),
                                  .idle_seconds = IDLE_SECONDS,
                                  .scratch_bytes = (uint64_t)SCRATCH_MIB << 20,
                                  .scratch = has_tmp(sandbox->rung) ? NULL : sandbox->scratch,
                                  .lure = lure == NULL ? NULL : lure->fifo};
    int log[2];
    unlink(sandbox->report);
    folder_remove(sandbox->scratch);
    if (!folder_make(sandbox->scratch, result->message, sizeof result->message))
        return false;
    sandbox_wrapper(sandbox, request->launcher, &wrapper);
    if (pipe2(log, O_CLOEXEC) != 0)
        return trouble(result, "a pipe") == BUILD_DONE;
    unsigned given = 0;
    while (given < BUILD_OUTPUTS && outputs[given] >= 0)
        given++;
    struct watch *watch = watch_start(&limits, result->message, sizeof result->message);
    if (watch == NULL) {
        close(log[0]);
        close(log[1]);
        return false;
    }
    struct child child = {.wrapper = wrapper.arguments,
                          .arguments = command,
                          .environment = (const char *const[]){NULL},
                          .input = CHILD_NOTHING,
                          .output = log[1],
                          .errors = log[1],
                          .descriptors = outputs,
                          .descriptor_count = given};
    pid_t process = child_start(&child);
    int start_error = errno;
    close(log[1]);
    read_log(log[0], result->log);
    log_places(result->log);
    close(log[0]);
    ended->status = child_wait(process, INFINITY); /* the watch has the time */
    watch_stop(watch, &ended->end);
    if (process <= 0) {
        errno = start_error;
        return trouble(result, "the compiler's process") == BUILD_DONE;
    }
    char said[256];
    bool failed = sandbox_reported(sandbox->report, said, sizeof said);
    unlink(sandbox->report);
    folder_remove(sandbox->scratch);
    /* nothing of the submission's has run: the log is the sandbox's */
    if (failed && ended->end.verdict == WATCH_WITHIN)
        snprintf(result->message, sizeof result->message, "%s: %.*s", said,
                 (int)strcspn(result->log, "\n") % 200, result->log);
    if (ended->end.verdict == WATCH_BUSY)
        watch_busy_message(&ended->end, result->message, sizeof result->message);
    return ended->end.verdict != WATCH_BUSY && (!failed || ended->end.verdict != WATCH_WITHIN);
}

/* Run a command of the toolkit's in its sandbox, with `outputs` as its descriptors from 3 on, -1: none. lure: what it must
 * not open, or NULL. */
static enum build_outcome run_step(const struct build_request *request, struct sandbox *sandbox,
                                   const struct lure *lure, const char *const *command,
                                   const int outputs[BUILD_OUTPUTS], struct build_result *result) {
    struct build_ended ended;
    if (!build_run(request, sandbox, lure, command, outputs, result, &ended))
        return BUILD_TROUBLE;
    return explain_limit(request, &ended.end, ended.status, result);
}

/* The first error of a log, as one line. */
static void first_error(const char *log, const char *otherwise, char *message, size_t size) {
    static const char *const signs[] = {
        "error: ", "error : ", "error   : ", "error:", "undefined reference to", "Error: "};
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

int build_create(const char *path, mode_t mode) {
    unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

bool build_sandbox(const struct build_request *r, struct sandbox *sandbox) {
    sandbox_init(sandbox, SANDBOX_COMPILE);
    /* the watch comes first, and says so */
    sandbox->memory_mib = r->memory_mib < UINT_MAX / BEHIND ? r->memory_mib * BEHIND : r->memory_mib;
    sandbox->file_mib = sandbox->scratch_mib = SCRATCH_MIB * BEHIND;
    sandbox->cpu_seconds = r->seconds < UINT_MAX / BEHIND ? r->seconds * BEHIND : r->seconds;
    sandbox->rung = r->rung;
    errno = ENAMETOOLONG;
    return path_print(sandbox->hidden, "%s", r->root) &&
           path_join(sandbox->report, r->folder, "sandbox.trouble") &&
           path_join(sandbox->scratch, r->folder, BUILD_SCRATCH);
}

static enum build_outcome compile(const struct build_request *r, const char *object, const struct lure *lure,
                                  struct build_result *result) {
    struct sandbox sandbox;
    char flags[PATH_SIZE], header[PATH_SIZE], inside_header[PATH_SIZE], prelude[PATH_SIZE], limit[16];
    path_print(flags, "%s/kernels/runner/nvcc-%u.flags", r->build, r->arch);
    path_join(prelude, r->root, "grader/job/prelude.h");
    snprintf(limit, sizeof limit, "%u", (unsigned)OBJECT_MIB << 20);
    if (access(flags, R_OK) != 0 || access(prelude, R_OK) != 0)
        return trouble(result, access(flags, R_OK) != 0 ? flags : prelude);
    /* Its header is named as its folder begins: labs/lab1-memory-layout/lab1.h */
    const char *folder = strrchr(r->header, '/') != NULL ? strrchr(r->header, '/') + 1 : r->header;
    int name_length = (int)strcspn(folder, "-");
    path_print(header, "%s/%.*s.h", r->header, name_length, folder);
    path_print(inside_header, SANDBOX_FILES "/%.*s.h", name_length, folder);
    if (!build_sandbox(r, &sandbox) || !kit_names_show(r->names, &sandbox, r->toolkit->top) ||
        !sandbox_show(&sandbox, header, inside_header) ||
        !sandbox_show(&sandbox, r->source, SANDBOX_FILES "/kernel.cu") ||
        !sandbox_show(&sandbox, flags, SANDBOX_FILES "/nvcc.flags") ||
        !sandbox_show(&sandbox, prelude, SANDBOX_FILES "/prelude.h") ||
        (lure != NULL && !lure_show(lure, r->root, &sandbox))) {
        errno = ENAMETOOLONG;
        return trouble(result, r->source);
    }
    const char *command[32] = {"/bin/sh", "-c", compile_script, "compile", limit, r->toolkit->nvcc};
    unsigned n = 6;
    if (strncmp(r->toolkit->release, "11.", 3) == 0)
        command[n++] = "-allow-unsupported-compiler";
    static const char *const options[] = {"-optf",    "nvcc.flags", "-I.",        "-c",
                                          "-include", "prelude.h",  "-Xcompiler", "-fno-gnu-unique"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command[n++] = options[i];
    const char *const names[BUILD_OUTPUTS] = {object, result->compiled, result->ptx};
    int outputs[BUILD_OUTPUTS], made = 0;
    while (made < BUILD_OUTPUTS && (outputs[made] = build_create(names[made], 0600)) >= 0)
        made++;
    enum build_outcome outcome = made < BUILD_OUTPUTS ? trouble(result, names[made])
                                                      : run_step(r, &sandbox, lure, command, outputs, result);
    while (made > 0)
        close(outputs[--made]);
    if (outcome == BUILD_FAILED && result->flag == FLAG_NONE && result->message[0] == '\0')
        first_error(result->log, "kernel.cu does not compile", result->message, sizeof result->message);
    return outcome;
}

/* What the program is linked of, besides the submission. */
static void neighbours(const struct build_request *r, char paths[NEIGHBOURS][PATH_SIZE]) {
    path_print(paths[ADAPTER], "%s/kernels/runner/adapter_%s.o", r->build, r->function);
    path_print(paths[LIBRARY], "%s", r->toolkit->library);
    path_join(paths[RUNNER], r->build, "kernels/runner/runner.o");
    path_join(paths[GATE], r->build, "kernels/runner/gate.o");
    path_print(paths[FLUSH], "%s/kernels/runner/flush-%u.o", r->build, r->arch);
}

/* Its variables must leave the program room for itself: what has none cannot be started. */
static bool has_room(const struct build_request *r, const struct object_verdict *v,
                     struct build_result *result) {
    enum { PROGRAM_MIB = 32 };
    uint64_t mib = v->variable_bytes >> 20;
    if (mib + PROGRAM_MIB <= r->memory_mib)
        return true;
    return fails(
        result->message, sizeof result->message,
        "kernel.cu has variables of %llu MiB outside of functions%s%s%s, and a program may have %u MiB in all: "
        "take less, and allocate it with cudaMalloc or malloc",
        (unsigned long long)mib, v->largest[0] != '\0' ? " (the largest is " : "", v->largest,
        v->largest[0] != '\0' ? ")" : "", r->memory_mib);
}

static enum build_outcome inspect(const struct build_request *r, const char *object,
                                  struct build_result *result) {
    struct object_verdict verdict;
    struct object_rules rules = {.function = r->function, .initialisers = 1}; /* the prelude's */
    struct object_names names = {.count = 0}, asked = {.count = 0};
    char paths[NEIGHBOURS][PATH_SIZE];
    size_t size = 0;
    neighbours(r, paths);
    enum build_outcome outcome = BUILD_DONE;
    for (int i = 0; i < NEIGHBOURS && outcome == BUILD_DONE; i++)
        if (!object_names_read(&names, paths[i]))
            outcome = trouble(result, paths[i]);
    if (outcome == BUILD_DONE && !object_names_asked(&asked, paths[ADAPTER], r->function))
        outcome = trouble(result, paths[ADAPTER]);
    object_names_sort(&names);
    rules.taken = &names;
    rules.asked = &asked;
    char *bytes = outcome == BUILD_DONE
                      ? file_read(object, OBJECT_MIB << 20, &size, result->message, sizeof result->message)
                      : NULL;
    if (outcome == BUILD_DONE && bytes == NULL)
        outcome = BUILD_TROUBLE;
    if (outcome == BUILD_DONE) {
        object_check((const unsigned char *)bytes, size, &rules, &verdict);
        snprintf(result->message, sizeof result->message, "%s", verdict.message);
        if (verdict.flag != FLAG_NONE)
            outcome = flagged(result, BUILD_REFUSED, verdict.flag);
        else if (!verdict.defines_function || verdict.defines_main || !has_room(r, &verdict, result))
            outcome = BUILD_FAILED;
    }
    free(bytes);
    object_names_free(&names);
    object_names_free(&asked);
    return outcome;
}

static enum build_outcome link_program(const struct build_request *r, const char *object,
                                       struct build_result *result) {
    char paths[NEIGHBOURS][PATH_SIZE], limit[16];
    struct sandbox sandbox;
    snprintf(limit, sizeof limit, "%u", (unsigned)SCRATCH_MIB << 20);
    neighbours(r, paths);
    bool shown = build_sandbox(r, &sandbox) && kit_names_show(r->names, &sandbox, object) &&
                 kit_names_show(r->names, &sandbox, r->toolkit->top);
    for (int i = 0; i < NEIGHBOURS; i++)
        shown = shown && (i == LIBRARY || kit_names_show(r->names, &sandbox, paths[i]));
    if (!shown) {
        errno = ENAMETOOLONG;
        return trouble(result, object);
    }
    for (int i = 0; i < NEIGHBOURS; i++)
        if (access(paths[i], R_OK) != 0)
            return trouble(result, paths[i]);
    const char *command[] = {
        "/bin/sh",      "-c",           link_script,   "link",      limit,        object, r->function,
        paths[ADAPTER], paths[LIBRARY], paths[RUNNER], paths[GATE], paths[FLUSH], NULL};
    int output = build_create(result->program, 0700);
    if (output < 0)
        return trouble(result, result->program);
    enum build_outcome outcome =
        run_step(r, &sandbox, NULL, command, (const int[BUILD_OUTPUTS]){output, -1, -1}, result);
    close(output);
    if (outcome == BUILD_FAILED && result->flag == FLAG_NONE) {
        char first[256];
        first_error(result->log, "kernel.cu does not link", first, sizeof first);
        const char *name = strstr(first, "undefined reference to");
        if (strstr(result->log, "relocation truncated to fit") != NULL)
            snprintf(
                result->message, sizeof result->message,
                "kernel.cu's variables outside of functions are larger than the 2 GiB that a program can address: "
                "allocate large arrays with malloc or cudaMalloc");
        else if (name != NULL)
            snprintf(result->message, sizeof result->message,
                     "%.200s: no library but the CUDA runtime, libm and C's and C++'s own is there", name);
        else
            snprintf(result->message, sizeof result->message, "%s", first);
    }
    return outcome;
}

enum build_outcome build_program(const struct build_request *r, struct build_result *result) {
    char object[PATH_SIZE];
    struct lure lure;
    *result = (struct build_result){.flag = FLAG_NONE};
    path_join(object, r->folder, "kernel.o");
    path_join(result->program, r->folder, "program");
    path_join(result->compiled, r->folder, BUILD_COMPILED);
    path_join(result->ptx, r->folder, "kernel.ptx");
    bool lures = has_tmp(r->rung);
    if (lures && !lure_make(&lure, r->folder, r->root, result->message, sizeof result->message)) {
        lure_remove(&lure);
        return BUILD_TROUBLE;
    }
    enum build_outcome outcome = compile(r, object, lures ? &lure : NULL, result);
    if (lures)
        lure_remove(&lure);
    if (outcome == BUILD_DONE)
        outcome = inspect(r, object, result);
    if (outcome == BUILD_DONE)
        outcome = link_program(r, object, result);
    unlink(object);
    return outcome;
}

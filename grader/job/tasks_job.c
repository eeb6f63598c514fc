/* tasks_job.c: a lab of small tasks. A task's program is built in a compiler's sandbox, and run in
 * another of the same kind, where the simulated GPU is a process of its own. */
#include "job/tasks_job.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "job/build.h"
#include "job/job_result.h"
#include "lab/tasks/tasks.h"

#include <errno.h>
#include <glob.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUNDLE_LIMIT = 1 << 20,
    PROGRAM_MIB = 64,
    SAID_MOST = 30000,
    ARGUMENTS = 32,
    WHY = 251 /* what feedback prints of it */
};

/* Descriptor 3 is the only way out of the compiler's sandbox. */
static const char compile_script[] = "cd \"$SUBMISSION\" || exit 1\n"
                                     "\"$@\" -o \"$TMPDIR/program\" || exit 1\n"
                                     "cat \"$TMPDIR/program\" >&3 || exit 74\n";
/* Of much that a program says its beginning and its end are read: the end has the verdict. */
static const char run_script[] =
    "exec 2>/dev/null\n" /* the shell's own words on how the program ended */
    "LD_LIBRARY_PATH=$1 SIMGPU=$2 GPU_MODELS=$3 GPU=$4 most=$5 said=$TMPDIR/said\n"
    "export LD_LIBRARY_PATH SIMGPU GPU_MODELS GPU; shift 5\n"
    "(exec \"$@\" >\"$said\" 2>&1); status=$?\n"
    "if [ $(wc -c <\"$said\") -le $((2 * most)) ]; then cat \"$said\"\n"
    "else head -c $most \"$said\"; echo; tail -c $most \"$said\"; fi\n"
    "exit $status\n";

struct tasks_job {
    const struct job_options *options;
    struct settings settings;
    struct toolkit toolkit;
    struct tasks tasks;
    struct kit_names names;
    struct job_result result;
    struct build_request request;
    char launcher[PATH_SIZE], kernel[PATH_SIZE], work[PATH_SIZE], header[PATH_SIZE], models[PATH_SIZE];
    char kit[KIT_TEXT];
    glob_t headers; /* of the lab, which its tasks include */
    bool loaded;    /* tasks and headers are there, to be freed */
};

/* ---- what is asked for */

static bool take_option(struct settings *s, const char *name, const char *value, char *error, size_t size) {
    char *arguments[] = {(char *)(uintptr_t)name, (char *)(uintptr_t)value};
    return value == NULL || settings_option(s, 2, arguments, error, size) > 0;
}

/* All that a result depends on besides the submission. */
static bool name_kit(struct tasks_job *job, char *error, size_t size) {
    struct settings *s = &job->settings;
    char paths[5][PATH_SIZE], hash[KIT_SHA256_TEXT];
    bool right = path_join(paths[0], s->build, "bin/grade-job") && path_print(paths[1], "%s", s->simgpu) &&
                 path_print(paths[2], "%s/libcudart.so.%.2s", s->library, job->toolkit.release) &&
                 path_join(paths[3], job->header, "tasks.ini") &&
                 path_print(paths[4], "%s/%s.ini", job->models, s->gpu);
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)job->toolkit.release, strlen(job->toolkit.release) + 1);
    for (size_t i = 0; right && i < 5 + job->headers.gl_pathc; i++) {
        const char *path = i < 5 ? paths[i] : job->headers.gl_pathv[i - 5];
        if (kit_file_sha256(path, hash)) {
            SHA256Update(&context, (const uint8_t *)hash, sizeof hash);
            continue;
        }
        return fails(error, size, "%.900s: %s; make grade builds it", path, strerror(errno));
    }
    if (!right)
        snprintf(error, size, "the path of the kit is too long");
    SHA256End(&context, hash);
    snprintf(job->kit, sizeof job->kit, "%.16s", hash);
    return right;
}

static bool read_options(struct tasks_job *job, char *error, size_t size) {
    const struct job_options *o = job->options;
    struct settings *s = &job->settings;
    if (!settings_init(s, error, size) ||
        !take_option(s, "--device", o->device != NULL ? o->device : "sim", error, size) ||
        !take_option(s, "--gpu", o->gpu, error, size) || !take_option(s, "--seed", o->seed, error, size) ||
        !take_option(s, "--key", o->key, error, size))
        return false;
    if (s->device != DEVICE_SIM)
        return fails(error, size, "%s is judged on the simulated GPU alone", o->lab);
    if (!settings_resolve_device(s, error, size) || !tasks_load(s->root, o->lab, &job->tasks, error, size) ||
        !toolkit_find(&job->toolkit, s->root, error, size))
        return false;
    snprintf(s->lab.id, sizeof s->lab.id, "%s", job->tasks.id);
    s->arch = settings_pick_arch(job->toolkit.architectures, s->arch);
    char pattern[PATH_SIZE];
    job->loaded = true;
    if (!gpu_model_find_directory(job->models) ||
        !path_print(job->header, "%s/labs/%s-%s", s->root, job->tasks.id, job->tasks.topic) ||
        !path_join(pattern, job->header, "*.h") || glob(pattern, 0, NULL, &job->headers) != 0)
        return fails(error, size,
                     "the data of the GPU models are not there, or the path of the kit is too long");
    return name_kit(job, error, size);
}

static bool prepare(struct tasks_job *job, char *error, size_t size) {
    const struct job_options *o = job->options;
    struct settings *s = &job->settings;
    char line[SANDBOX_LINE], work[PATH_SIZE], scratch[PATH_SIZE], files[PATH_SIZE];
    enum sandbox_rung rung;
    path_join(job->launcher, s->build, "bin/sandbox");
    if (!sandbox_choose(job->launcher, o->sandbox, &rung, line, sizeof line))
        return fails(error, size, "%s. %s", line, SANDBOX_ADVICE);
    if (!path_join(work, o->output, "work") || !folder_make(work, error, size))
        return false;
    if (realpath(work, job->work) == NULL || realpath(o->kernel, job->kernel) == NULL ||
        !kit_file_sha256(job->kernel, job->result.kernel_sha256))
        return fails(error, size, "%.900s: %s", o->kernel, strerror(errno));
    if (!path_join(scratch, job->work, BUILD_SCRATCH) || !path_print(files, "%s" SANDBOX_FILES, scratch) ||
        !kit_names_add(&job->names, files, SANDBOX_FILES) || !kit_names_add(&job->names, scratch, "/tmp") ||
        !kit_names_add(&job->names, job->work, KIT_FOLDER "/work") ||
        !kit_names_add(&job->names, s->build, KIT_FOLDER "/build") ||
        !kit_names_add(&job->names, job->toolkit.top, KIT_FOLDER "/toolkit") ||
        !kit_names_add(&job->names, s->root, KIT_FOLDER))
        return fails(error, size, "%.900s: the project's path is too long", s->root);
    job->result.names = &job->names;
    snprintf(job->result.kit, sizeof job->result.kit, "%s", job->kit);
    job->request = (struct build_request){.root = s->root,
                                          .build = s->build,
                                          .folder = job->work,
                                          .launcher = job->launcher,
                                          .toolkit = &job->toolkit,
                                          .arch = s->arch,
                                          .memory_mib = o->memory_mib,
                                          .rung = rung,
                                          .names = &job->names};
    return true;
}

/* ---- one task */

/* What the watch ended: words for the student; NULL: it ended by itself. */
static const char *limit_of(enum watch_verdict verdict) {
    switch (verdict) {
    case WATCH_WITHIN: return NULL;
    case WATCH_MEMORY: return "it used more memory than it may";
    case WATCH_THREADS: return "it had more processes or threads than it may";
    case WATCH_SCRATCH: return "it wrote more than it may";
    case WATCH_WAITS: return "it waited for what did not come";
    case WATCH_STOPPED: return "it stopped itself";
    default: return "it did not end in time";
    }
}

static bool compile(struct tasks_job *job, const char *source, const char *program,
                    struct build_result *built, struct build_ended *ended) {
    struct sandbox sandbox;
    char inside[PATH_SIZE], code[96];
    const char *name = strrchr(source, '/') + 1;
    struct build_request *r = &job->request;
    snprintf(code, sizeof code, "arch=compute_%u,code=[compute_%u,sm_%u]", r->arch, r->arch, r->arch);
    bool shown = build_sandbox(r, &sandbox) && kit_names_show(&job->names, &sandbox, job->toolkit.top) &&
                 path_print(inside, SANDBOX_FILES "/%s", name) && sandbox_show(&sandbox, source, inside);
    for (size_t i = 0; shown && i < job->headers.gl_pathc; i++)
        shown = path_print(inside, SANDBOX_FILES "/%s", strrchr(job->headers.gl_pathv[i], '/') + 1) &&
                sandbox_show(&sandbox, job->headers.gl_pathv[i], inside);
    if (!shown)
        return fails(built->message, sizeof built->message, "the path of the kit is too long");
    const char *command[ARGUMENTS] = {"/bin/sh", "-c", compile_script, "compile", job->toolkit.nvcc};
    unsigned n = 5;
    if (strncmp(job->toolkit.release, "11.", 3) == 0)
        command[n++] = "-allow-unsupported-compiler";
    const char *const options[] = {"-O1", "-lineinfo", "-cudart", "shared", "-I.", "-gencode", code, name};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command[n++] = options[i];
    int output = build_create(program, 0700);
    if (output < 0)
        return fails(built->message, sizeof built->message, "%.300s: %s", program, strerror(errno));
    r->seconds = job->options->build_seconds;
    bool right =
        build_run(r, &sandbox, NULL, command, (const int[BUILD_OUTPUTS]){output, -1, -1}, built, ended);
    close(output);
    return right;
}

static bool run(struct tasks_job *job, const struct task *task, const char *program,
                struct build_result *built, struct build_ended *ended) {
    const struct settings *s = &job->settings;
    struct sandbox sandbox;
    char library[PATH_SIZE], libraries[4][PATH_SIZE], most[16];
    struct build_request *r = &job->request;
    static const char *const folders[] = {"cuda", "cudart11", "cudart12", "cudart13"};
    bool shown = build_sandbox(r, &sandbox) && path_print(library, "%s", s->library) &&
                 kit_names_show(&job->names, &sandbox, s->simgpu) &&
                 kit_names_show(&job->names, &sandbox, job->models) &&
                 kit_names_show(&job->names, &sandbox, program);
    for (int i = 0; shown && i < 4; i++)
        shown = path_print(libraries[i], "%s/lib/%s", s->build, folders[i]) &&
                kit_names_show(&job->names, &sandbox, libraries[i]);
    if (!shown)
        return fails(built->message, sizeof built->message, "the path of the kit is too long");
    sandbox.memory_mib = 0; /* a simgpu reserves more than it uses; the watch sees what it uses */
    snprintf(most, sizeof most, "%d", SAID_MOST);
    const char *command[ARGUMENTS] = {"/bin/sh", "-c",        run_script, "run", library,
                                      s->simgpu, job->models, s->gpu,     most,  "/usr/bin/env"};
    unsigned n = 10;
    for (unsigned i = 0; attempt_environment[i] != NULL; i++)
        command[n++] = attempt_environment[i];
    command[n++] = program;
    for (unsigned i = 0; i < task->argument_count; i++)
        command[n++] = task->arguments[i];
    r->seconds = job->options->run_seconds;
    return build_run(r, &sandbox, NULL, command, (const int[BUILD_OUTPUTS]){-1, -1, -1}, built, ended);
}

/* The first line of a text. What does not fit is cut off between words: no number is cut. */
static void say_why(const char *task, const char *text, char why[WHY]) {
    static const char more[] = " ...";
    size_t at = (size_t)snprintf(why, WHY, "%.39s: ", task), room = WHY - 1 - at,
           length = strcspn(text, "\n");
    bool whole = length <= room;
    if (!whole) {
        room -= strlen(more);
        for (length = room; length > 0 && text[length] != ' ';)
            length--;
        length = length > 0 ? length : room;
    }
    memcpy(why + at, text, length);
    strcpy(why + at + length, whole ? "" : more);
}

/* Why a task is not done, in a line; "": it is. False: the grader's own trouble, in the result. */
static bool try_task(struct tasks_job *job, unsigned index, const char *source, char why[WHY]) {
    struct build_result *built = calloc(1, sizeof *built);
    struct attempt *attempt = calloc(1, sizeof *attempt);
    struct build_ended ended = {.status = 0};
    char program[PATH_SIZE];
    why[0] = '\0';
    bool right = built != NULL && attempt != NULL && path_join(program, job->work, "program");
    const char *limit = NULL;
    watch_wait_for_adopted(10); /* what a limit ended is not to count against the next task */
    if (!right)
        job_result_set(&job->result, JOB_TROUBLE, "out of memory");
    if (right && (right = compile(job, source, program, built, &ended))) {
        limit = limit_of(ended.end.verdict);
        watch_wait_for_adopted(10);
        if (limit == NULL && ended.status != 0)
            attempt_not_built(built->log, attempt);
        if (limit == NULL && ended.status == 0 &&
            (right = run(job, &job->tasks.list[index], program, built, &ended))) {
            limit = limit_of(ended.end.verdict);
            attempt_ran(&job->tasks.list[index],
                        ended.status > 128 && ended.status < CHILD_SIGNAL ? CHILD_SIGNAL + ended.status - 128
                                                                          : ended.status,
                        built->log, false, attempt);
        }
    }
    if (right && ended.end.verdict == WATCH_BUSY) {
        watch_busy_message(&ended.end, built->message, sizeof built->message);
        right = false;
    }
    if (!right && built != NULL && built->message[0] != '\0')
        job_result_set(&job->result, JOB_TROUBLE, "%s", built->message);
    if (right && (limit != NULL || attempt->stage != ATTEMPT_RIGHT))
        say_why(job->tasks.list[index].name, limit != NULL ? limit : attempt->text, why);
    unlink(program);
    free(attempt);
    free(built);
    return right;
}

/* ---- all of them */

const char *tasks_job_next(const char **at, size_t *left, char name[64], size_t *length) {
    const char *line = *at, *end = *left > 0 ? memchr(line, '\n', *left) : NULL;
    char first[128];
    int used = 0;
    if (end == NULL || end - line >= (ptrdiff_t)sizeof first)
        return NULL;
    snprintf(first, sizeof first, "%.*s", (int)(end - line), line);
    size_t rest = *left - (size_t)(end + 1 - line);
    if (sscanf(first, "//// %63s %zu bytes%n", name, length, &used) != 2 || used == 0 || *length > rest)
        return NULL;
    *at = end + 1 + *length;
    *left = rest - *length;
    return end + 1;
}

/* The task of a file's name, "task01-launch.cu": its number says so. */
static int task_of(const struct tasks *tasks, const char *file) {
    for (unsigned i = 0; i < tasks->count; i++)
        if (strncmp(file, "task", 4) == 0 && strncmp(file + 4, tasks->list[i].name, 2) == 0)
            return (int)i;
    return -1;
}

/* A goal for each task, of equal points, 100 in all. */
static bool add_goal(struct tasks_job *job, unsigned index, const char *why) {
    struct report *report = &job->result.report;
    double points = 100.0 / job->tasks.count;
    bool done = why[0] == '\0';
    if (!report_add_goal(report, job->tasks.list[index].name, done, 0, 1, done ? points : 0, points))
        return false;
    report->score_points += done ? points : 0;
    report->score_max += points;
    return done || report_set_text(&report->goals[report->goal_count - 1].barred, why);
}

static bool judge(struct tasks_job *job, const char *text, size_t length) {
    struct settings *s = &job->settings;
    char source[PATH_SIZE], error[SETTINGS_ERROR];
    char(*why)[WHY] = calloc(job->tasks.count, sizeof *why);
    bool right = why != NULL;
    for (unsigned i = 0; right && i < job->tasks.count; i++)
        snprintf(why[i], sizeof why[i], "%s: not handed in", job->tasks.list[i].name);
    char name[64];
    size_t size;
    for (const char *file; right && (file = tasks_job_next(&text, &length, name, &size)) != NULL;) {
        int index = task_of(&job->tasks, name);
        if (index < 0)
            continue;
        snprintf(error, sizeof error, "the path of OUT is too long");
        bool written = path_print(source, "%s/task%s.cu", job->work, job->tasks.list[index].name) &&
                       file_write(source, file, size, error, sizeof error);
        if (!written)
            job_result_set(&job->result, JOB_TROUBLE, "%s", error);
        if (!written || !try_task(job, (unsigned)index, source, why[index])) {
            free(why);
            return false;
        }
    }
    struct report *report = &job->result.report;
    right = right && report_init(report, job->tasks.id, job->tasks.title) &&
            report_set_device(report, DEVICE_SIM, s->gpu_name, s->gpu, job->toolkit.release);
    job->result.have_report = right;
    if (right)
        report->score_points = report->score_max = 0;
    for (unsigned i = 0; right && i < job->tasks.count; i++)
        right = add_goal(job, i, why[i]);
    free(why);
    if (right)
        job_result_set(&job->result, JOB_JUDGED, "%.0f of %.0f points", report->score_points,
                       report->score_max);
    else
        job_result_set(&job->result, JOB_TROUBLE, "out of memory");
    return right;
}

static void end(struct tasks_job *job) {
    if (job != NULL && job->loaded) {
        tasks_free(&job->tasks);
        globfree(&job->headers);
    }
    if (job != NULL)
        settings_free(&job->settings);
    free(job);
}

int tasks_job_run(const struct job_options *options) {
    struct tasks_job *job = calloc(1, sizeof *job);
    char error[SETTINGS_ERROR] = "out of memory";
    size_t length;
    int status = job == NULL                                                         ? 1
                 : (job->options = options, !read_options(job, error, sizeof error)) ? 2
                 : !folder_make(options->output, error, sizeof error)                ? 1
                                                                                     : 0;
    if (status != 0) {
        fprintf(stderr, "grade-job: %s\n", error);
    } else {
        double start = clock_seconds();
        job_result_init(&job->result, &job->settings);
        char *text = prepare(job, error, sizeof error)
                         ? file_read(job->kernel, BUNDLE_LIMIT, &length, error, sizeof error)
                         : NULL;
        if (text == NULL)
            job_result_set(&job->result, JOB_TROUBLE, "%s", error);
        bool judged = text != NULL && judge(job, text, length);
        job->result.run_seconds = clock_seconds() - start;
        if (!judged)
            fprintf(stderr, "grade-job: %s\n", job->result.message);
        bool written = job_result_write(&job->result, options->output, "result.json", error, sizeof error);
        if (!written)
            fprintf(stderr, "grade-job: %s\n", error);
        status = written && judged ? 0 : 1;
        free(text);
        job_result_free(&job->result);
    }
    end(job);
    return status;
}

int tasks_job_print_kit(const struct job_options *options) {
    struct tasks_job *job = calloc(1, sizeof *job);
    char error[SETTINGS_ERROR] = "out of memory";
    int status = job == NULL || !(job->options = options, read_options(job, error, sizeof error)) ? 1 : 0;
    if (status == 0)
        printf("%s\n", job->kit);
    else
        fprintf(stderr, "grade-job: %s\n", error);
    end(job);
    return status;
}

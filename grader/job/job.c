/* The steps of a job. */
#include "job/job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/home.h"
#include "base/processor.h"
#include "job/build.h"
#include "job/gpu_lock.h"
#include "job/job_end.h"
#include "job/job_result.h"
#include "job/kit_names.h"
#include "job/own_work.h"
#include "job/sandbox.h"
#include "job/shown.h"
#include "job/supervise.h"
#include "job/tasks_job.h"
#include "job/watch.h"
#include "lab/judge/calls/trial.h"
#include "lab/judge/measure/beside.h"
#include "lab/judge/run.h"
#include "lab/tasks/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    MESSAGE = SETTINGS_ERROR,
    IDLE_SECONDS = 60,
    GPU_WAIT = 3600, /* seconds for a real GPU that other jobs have */
    TURN_SLACK = 60, /* seconds that the judge may compute beside what the submission may, and its own work */
};

/* What becomes the result when the judge is ended in the submission's turn. */
#define TOO_MUCH "too-much.json"

struct job {
    const struct job_options *options;
    struct settings settings;
    struct toolkit toolkit;
    char kit[KIT_TEXT], launcher[PATH_SIZE], kernel[PATH_SIZE], work[PATH_SIZE], cache[PATH_SIZE];
    char trouble[PATH_SIZE]; /* the sandboxes' report (sandbox.h) */
    enum sandbox_rung rung;
    struct kit_names names;
    struct sandbox program_sandbox, kit_sandbox, device_sandbox;
    struct sandbox_wrapper program_wrapper, kit_wrapper, device_wrapper;
    struct build_result build;
    struct job_result result;
    int supervisor; /* who is told that the submission's turn begins and ends */
    int gpu;        /* the lock of a real GPU while it is this job's, -1 */
};

void job_defaults(struct job_options *o) {
    *o = (struct job_options){.build_seconds = 120, .run_seconds = 120, .memory_mib = 4096};
}

/* ---- what is asked for */

static bool take_option(struct job *job, const char *name, const char *value, char *error, size_t size) {
    char *arguments[] = {(char *)(uintptr_t)name, (char *)(uintptr_t)value};
    return value == NULL || settings_option(&job->settings, 2, arguments, error, size) > 0;
}

/* What works in the host's memory has its inputs there. The simulated GPU can repeat what it was asked without the program
 * (lab/judge/calls/repeat.c), so it shows where a result was computed; a real one does not. */
static bool is_judged(const struct settings *s, char *error, size_t size) {
    bool right = !s->lab.problem->on_host || s->device == DEVICE_SIM;
    if (!right)
        snprintf(
            error, size,
            "%s is judged on the simulated GPU alone: its function works in the host's memory, and on a real "
            "one it does not show where a result was computed",
            s->lab.id);
    return right;
}

static bool read_options(struct job *job, char *error, size_t size) {
    const struct job_options *o = job->options;
    struct settings *s = &job->settings;
    return settings_init(s, error, size) &&
           take_option(job, "--device", o->device != NULL ? o->device : "sim", error, size) &&
           take_option(job, "--gpu", o->gpu, error, size) &&
           take_option(job, "--size", o->size, error, size) &&
           take_option(job, "--seed", o->seed, error, size) &&
           take_option(job, "--key", o->key, error, size) && settings_resolve(s, o->lab, error, size) &&
           is_judged(s, error, size);
}

static bool prepare_kit(struct job *job, char *error, size_t size) {
    struct settings *s = &job->settings;
    if (!toolkit_find(&job->toolkit, s->root, error, size))
        return false;
    s->arch = settings_pick_arch(job->toolkit.architectures, s->arch);
    s->have_arch = true;
    return kit_version(s, job->toolkit.release, job->kit, error, size);
}

static bool absolute(const char *path, char full[PATH_SIZE], char *error, size_t size) {
    if (realpath(path, full) != NULL)
        return true;
    return fails(error, size, "%s: %s", path, strerror(errno));
}

static bool prepare_folders(struct job *job, char *error, size_t size) {
    const struct job_options *o = job->options;
    struct settings *s = &job->settings;
    char cache[PATH_SIZE], work[PATH_SIZE];
    path_join(cache, s->build, "grade-cache");
    path_join(work, o->output, "work");
    return folder_make(o->cache != NULL ? o->cache : cache, error, size) &&
           absolute(o->cache != NULL ? o->cache : cache, job->cache, error, size) &&
           folder_make(work, error, size) && absolute(work, job->work, error, size) &&
           path_print(s->folder, "%s", job->work);
}

/* ---- the sandboxes of a run */

/* What the submission sees the kit under, in each of its sandboxes. Where they cannot rename it is in the result's words. */
static bool name_kit(struct job *job) {
    const struct settings *s = &job->settings;
    char scratch[PATH_SIZE], files[PATH_SIZE];
    size_t length = strlen(s->root);
    bool own_toolkit = strncmp(job->toolkit.top, s->root, length) == 0 && job->toolkit.top[length] == '/';
    job->result.names = &job->names;
    return path_join(scratch, job->work, BUILD_SCRATCH) && path_print(files, "%s" SANDBOX_FILES, scratch) &&
           kit_names_add(&job->names, files, SANDBOX_FILES) && kit_names_add(&job->names, scratch, "/tmp") &&
           kit_names_add(&job->names, job->work, KIT_FOLDER) &&
           kit_names_add(&job->names, s->build, KIT_FOLDER "/build") &&
           (!own_toolkit || kit_names_add(&job->names, job->toolkit.top, KIT_FOLDER "/toolkit")) &&
           kit_names_add(&job->names, s->root, KIT_FOLDER);
}

static bool show_libraries(const struct job *job, struct sandbox *sandbox) {
    static const char *const folders[] = {"cuda", "cudart11", "cudart12", "cudart13"};
    char path[PATH_SIZE];
    bool right = true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        path_print(path, "%s/lib/%s", job->settings.build, folders[i]);
        right = kit_names_show(&job->names, sandbox, path) && right;
    }
    return right;
}

/* The toolkit, and its runtime library first on the program's path. */
static bool show_toolkit(const struct job *job, struct sandbox *sandbox) {
    char folder[PATH_SIZE];
    path_print(folder, "%s", job->toolkit.library);
    if (strrchr(folder, '/') != NULL)
        *strrchr(folder, '/') = '\0';
    return setenv("CUDA_LIBRARY_FOLDER", folder, 1) == 0 &&
           kit_names_show(&job->names, sandbox, job->toolkit.top);
}

static bool prepare_sandboxes(struct job *job, char *error, size_t size) {
    struct settings *s = &job->settings;
    struct sandbox *program = &job->program_sandbox, *device = &job->device_sandbox, *kit = &job->kit_sandbox;
    char path[PATH_SIZE];
    sandbox_init(program, s->device == DEVICE_CUDA ? SANDBOX_CUDA : SANDBOX_PROGRAM);
    sandbox_init(device, SANDBOX_DEVICE);
    program->rung = device->rung = job->rung;
    path_join(job->trouble, job->work, "sandbox.trouble");
    path_print(program->report, "%s", job->trouble);
    path_print(device->report, "%s", job->trouble);
    program->memory_mib = job->options->memory_mib;
    /* The watch comes first, and says so. Far behind: the kernel's own limit counts whole ticks, and on a busy machine more of
     * them than the process has had. */
    program->cpu_seconds = 2 * job->options->run_seconds + 10;
    /* On a real GPU, too: counters come from one launch on the simulated one. */
    bool right = name_kit(job) && show_libraries(job, program);
    if (s->device == DEVICE_CUDA)
        right = show_toolkit(job, program) && right;
    /* Starter and reference are in another sandbox than the submission: it could read them, or become one of them. */
    *kit = *program;
    const char *const variants[] = {lab_baseline(&job->settings.lab), "reference"};
    for (int i = 0; i < 2; i++) {
        settings_program(s, variants[i], path);
        right = kit_names_show(&job->names, kit, path) && right;
    }
    path_join(path, job->work, "program"); /* and not what the judge draws and writes beside it */
    right = kit_names_show(&job->names, program, path) && right;
    right = kit_names_show(&job->names, device, s->simgpu) && right;
    path_join(path, job->work, BUILD_COMPILED);
    right = kit_names_show(&job->names, device, path) && right;
    right = gpu_model_find_directory(device->models) && kit_names_show(&job->names, device, device->models) &&
            right;
    if (!right)
        return fails(error, size, "%s: the project's path is too long", s->root);
    sandbox_wrapper(program, job->launcher, &job->program_wrapper);
    sandbox_wrapper(kit, job->launcher, &job->kit_wrapper);
    sandbox_wrapper(device, job->launcher, &job->device_wrapper);
    s->runner_wrapper = job->program_wrapper.arguments;
    s->kit_wrapper = job->kit_wrapper.arguments;
    s->simgpu_wrapper = job->device_wrapper.arguments;
    return true;
}

/* ---- building */

static bool build(struct job *job) {
    const struct job_options *o = job->options;
    struct settings *s = &job->settings;
    char header[PATH_SIZE];
    path_print(header, "%s/labs/%s-%s", s->root, s->lab.id, s->lab.topic);
    struct build_request request = {.root = s->root,
                                    .build = s->build,
                                    .header = header,
                                    .function = s->lab.problem->function,
                                    .source = job->kernel,
                                    .folder = job->work,
                                    .launcher = job->launcher,
                                    .toolkit = &job->toolkit,
                                    .arch = s->arch,
                                    .seconds = o->build_seconds,
                                    .memory_mib = o->memory_mib,
                                    .rung = job->rung,
                                    .names = &job->names};
    double start = clock_seconds();
    enum build_outcome outcome = build_program(&request, &job->build);
    job->result.build_seconds = clock_seconds() - start;
    /* Where the compiler makes machine code for this GPU, that is what the submission is timed by. */
    s->compiled = s->arch / 10 == s->model.compute_major ? job->build.compiled : NULL;
    if (outcome == BUILD_DONE)
        return job_result_prints(&job->result, job->build.ptx);
    job_result_set(&job->result,
                   outcome == BUILD_TROUBLE   ? JOB_TROUBLE
                   : outcome == BUILD_REFUSED ? JOB_FAILED
                                              : JOB_BUILD_FAILED,
                   "%s", job->build.message);
    job_result_detail(&job->result, job->build.log);
    if (job->build.flag != FLAG_NONE)
        job_result_flag(&job->result, flag_name(job->build.flag), flag_meaning(job->build.flag));
    return false;
}

/* ---- running */

/* The judge's own memory: what it needs for the largest case several times over, or what the options say. */
static uint64_t own_bytes(const struct job *job) {
    const struct settings *s = &job->settings;
    uint64_t largest = 0;
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        struct problem_case c;
        settings_timed_case(s, part, 0, &c);
        uint64_t bytes = trial_memory(s->lab.problem, &c);
        largest = bytes > largest ? bytes : largest;
    }
    return job->options->judge_mib != 0 ? (uint64_t)job->options->judge_mib << 20
                                        : ((uint64_t)256 << 20) + 8 * largest;
}

/* From here on it is the submission's doing when the judge grows, or does not end although it has had time for its own work. */
static bool begin_turn(struct job *job, char *error, size_t size) {
    struct job_result *result = malloc(sizeof *result);
    if (result == NULL)
        return fails(error, size, "out of memory");
    *result = job->result;
    job_result_too_much(result);
    bool right = job_result_write(result, job->options->output, TOO_MUCH, error, size);
    free(result);
    struct own_work own;
    own_work(&job->settings, &own);
    double seconds = 2.0 * job->options->run_seconds + TURN_SLACK + own.seconds;
    double wall =
        FAIR_CLOCK_MOST * (2 * watch_wall(job->options->run_seconds) + 10 * TURN_SLACK + own.seconds);
    if (right && !supervise_turn(job->supervisor, seconds, wall, own_bytes(job)))
        return fails(error, size, "the process that waits for the judge is gone");
    return right;
}

static void end_turn(struct job *job) {
    char path[PATH_SIZE];
    supervise_turn(job->supervisor, 0, 0, 0);
    if (path_join(path, job->options->output, TOO_MUCH))
        unlink(path);
}

/* On the simulated GPU starter and reference are known: `beside` has their runs. */
static bool judge(struct job *job, struct report *beside, struct judge_wrong *wrong, char *output,
                  size_t output_size, struct failure *failure) {
    struct run run;
    run_init(&run, &job->settings);
    path_print(run.variants[run.judged].program, "%s", job->build.program);
    if (job->settings.device == DEVICE_SIM)
        run.known = beside;
    return run_judge(&run, &job->result.report, wrong, output, output_size, failure);
}

/* Another watch, over what is run for the student to see. */
static void show(struct job *job, const struct watch_limits *limits, const struct failure *failure) {
    char folder[PATH_SIZE], error[MESSAGE];
    struct shown_run run = {.settings = &job->settings, .program = job->build.program, .folder = folder};
    struct watch *watch = NULL;
    if (path_join(folder, job->work, "shown") && folder_make(folder, error, sizeof error))
        watch = watch_start(limits, error, sizeof error);
    if (watch == NULL) {
        job_result_set(&job->result, JOB_TROUBLE, "%s", error);
        return;
    }
    if (failure != NULL)
        shown_failure(&run, failure, &job->result);
    else
        shown_kernels(&run, &job->result);
    enum watch_verdict verdict = watch_stop(watch, NULL);
    if (verdict != WATCH_WITHIN) /* it costs no points: the grader's inputs gave the verdict */
        shown_nothing(&run, failure, verdict == WATCH_BUSY, &job->result);
}

static void take_flags(struct job_result *r) {
    for (uint32_t i = 0; i < r->report.flag_count; i++)
        job_result_flag(r, r->report.flags[i].name, r->report.flags[i].message);
}

/* What the watch ended says nothing but so; of anything else the student sees what everybody's inputs show. */
static void describe_failure(struct job *job, const struct watch_limits *limits, struct failure *failure,
                             const struct watch_end *end) {
    struct job_result *r = &job->result;
    char said[256];
    enum watch_verdict verdict = job_end_verdict(end);
    bool not_started = verdict == WATCH_WITHIN && sandbox_reported(job->trouble, said, sizeof said);
    if (verdict != WATCH_WITHIN || not_started)
        failure->flag = FLAG_NONE; /* what happened is what the watch did, or the sandbox did not */
    run_failed(&job->settings, failure, &r->report);
    if (job_end_is_trouble(r, failure, end))
        return;
    if (not_started) {
        /* no word of the program's: it may have been another process that was not started */
        job_result_set(r, JOB_TROUBLE, "%s", said);
        return;
    }
    take_flags(r);
    if (verdict != WATCH_WITHIN) {
        job_end_limit(r, job->options, end);
    } else {
        job_result_set(r, JOB_FAILED, "%s", failure->message);
        job_result_detail(r, failure->message);
        job_result_hide(r);
        show(job, limits, failure);
    }
}

static void run(struct job *job, struct report *beside) {
    struct settings *s = &job->settings;
    struct report *report = &job->result.report;
    struct failure failure = {.stage = STAGE_NONE};
    struct judge_wrong wrong = {.present = false};
    char output[4096] = "", error[MESSAGE];
    double start = clock_seconds();
    if (!run_report_begin(report, s)) {
        job_result_set(&job->result, JOB_TROUBLE, "out of memory");
        return;
    }
    job->result.have_report = true;
    struct watch_limits limits = {.memory_bytes = (uint64_t)job->options->memory_mib << 20,
                                  .threads = JOB_THREADS,
                                  .seconds = job->options->run_seconds,
                                  .wall_seconds = watch_wall(job->options->run_seconds),
                                  /* a real GPU computes while all of these wait */
                                  .idle_seconds = s->device == DEVICE_SIM ? IDLE_SECONDS : 0,
                                  .sleep_seconds =
                                      s->device == DEVICE_SIM ? watch_sleep(job->options->run_seconds) : 0,
                                  .own_bytes = own_bytes(job) / 4 * 3};
    struct own_work own;
    own_work(s, &own);
    limits.seconds += own.owner_seconds;
    limits.wall_seconds += own.seconds;
    unlink(job->trouble);
    struct watch *watch = watch_start(&limits, error, sizeof error); /* while there is memory for it */
    if (watch == NULL || !begin_turn(job, error, sizeof error)) {
        watch_stop(watch, NULL);
        job_result_set(&job->result, JOB_TROUBLE, "%s", error);
        return;
    }
    bool right = judge(job, beside, &wrong, output, sizeof output, &failure);
    struct watch_end end;
    watch_stop(watch, &end);
    if (!right || end.verdict != WATCH_WITHIN) {
        describe_failure(job, &limits, &failure, &end);
    } else {
        job_result_set(&job->result, JOB_JUDGED, "%.0f of %.0f points", report->score_points,
                       report->score_max);
        take_flags(&job->result);
        show(job, &limits, NULL);
    }
    job->result.run_seconds = clock_seconds() - start;
}

/* A real GPU is this job's alone: where another's is measured this one waits. */
static bool take_gpu(struct job *job) {
    char name[GPU_LOCK_NAME], error[MESSAGE];
    gpu_lock_name(name);
    job->gpu = gpu_lock_take(gpu_lock_folder(), name, GPU_WAIT, error, sizeof error);
    if (job->gpu < 0)
        job_result_set(&job->result, JOB_TROUBLE, "%s", error);
    return job->gpu >= 0;
}

/* What the simulated GPU computes for starter and reference is the same in every job: measured once. And
 * before the submission: a kit that cannot run its own kernels is no submission's fault. */
static void run_beside(struct job *job) {
    struct report beside = {.lab = NULL};
    char error[MESSAGE];
    bool sim = job->settings.device == DEVICE_SIM;
    if (sim && !beside_load(&job->settings, job->kit, job->cache, &beside, error, sizeof error)) {
        job_result_set(&job->result, JOB_TROUBLE, "%s", error);
        return;
    }
    if (sim || take_gpu(job))
        run(job, &beside);
    if (sim)
        report_free(&beside);
    if (job->gpu >= 0)
        close(job->gpu);
    job->gpu = -1;
}

/* ---- the whole */

static bool prepare(struct job *job, char *error, size_t size) {
    char hash[KIT_SHA256_TEXT];
    path_join(job->launcher, job->settings.build, "bin/sandbox");
    char line[SANDBOX_LINE];
    /* before all else: where none works there is nothing to begin with */
    if (!sandbox_choose(job->launcher, job->options->sandbox, &job->rung, line, sizeof line))
        return fails(error, size, "%s. %s", line, SANDBOX_ADVICE);
    if (!prepare_folders(job, error, size) || !absolute(job->options->kernel, job->kernel, error, size) ||
        !prepare_kit(job, error, size) || !prepare_sandboxes(job, error, size))
        return false;
    if (!kit_file_sha256(job->kernel, hash))
        return fails(error, size, "%.1500s: %s", job->kernel, strerror(errno));
    snprintf(job->result.kernel_sha256, sizeof job->result.kernel_sha256, "%s", hash);
    snprintf(job->result.kit, sizeof job->result.kit, "%s", job->kit);
    return true;
}

static int work(void *context, int supervisor) {
    const struct job_options *options = context;
    struct job *job = calloc(1, sizeof *job);
    char error[MESSAGE] = "out of memory";
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (job == NULL || !(job->options = options, read_options(job, error, sizeof error))) {
        fprintf(stderr, "grade-job: %s\n", error);
        free(job);
        return 2;
    }
    if (!folder_make(options->output, error, sizeof error)) {
        fprintf(stderr, "grade-job: %s\n", error);
        settings_free(&job->settings);
        free(job);
        return 1;
    }
    job->supervisor = supervisor;
    job->gpu = -1;
    job->settings.grading = job->settings.no_pictures = true;
    job_result_init(&job->result, &job->settings);
    if (!prepare(job, error, sizeof error))
        job_result_set(&job->result, JOB_TROUBLE, "%s", error);
    else if (build(job))
        run_beside(job);
    if (job->build.program[0] != '\0') {
        unlink(job->build.program);
        unlink(job->build.compiled);
        unlink(job->build.ptx);
    }
    if (job->trouble[0] != '\0')
        unlink(job->trouble);
    bool troubled = job->result.outcome == JOB_TROUBLE;
    if (troubled)
        fprintf(stderr, "grade-job: %s\n", job->result.message);
    bool written = job_result_write(&job->result, options->output, "result.json", error, sizeof error);
    if (!written)
        fprintf(stderr, "grade-job: %s\n", error);
    end_turn(job);
    job_result_free(&job->result);
    settings_free(&job->settings);
    free(job);
    watch_wait_for_adopted(1); /* so that the job's parent sees all processor time */
    return written && !troubled ? 0 : 1;
}

static bool is_tasks(const struct job_options *options) {
    struct home home;
    char error[MESSAGE];
    return home_find(&home, error, sizeof error) && tasks_is_lab(home.root, options->lab);
}

int job_run(const struct job_options *options) {
    if (is_tasks(options))
        return tasks_job_run(options);
    char why[256], prepared[PATH_SIZE], result[PATH_SIZE];
    int status;
    struct job_options copy = *options;
    enum supervise_end end = supervise(work, &copy, &status, why, sizeof why);
    if (end == SUPERVISE_ENDED)
        return status;
    fprintf(stderr, "grade-job: %s\n", why);
    bool taken = end == SUPERVISE_TOO_MUCH && path_join(prepared, options->output, TOO_MUCH) &&
                 path_join(result, options->output, "result.json") && rename(prepared, result) == 0;
    return taken ? 0 : 1;
}

int job_print_kit(const struct job_options *options) {
    if (is_tasks(options))
        return tasks_job_print_kit(options);
    struct job *job = calloc(1, sizeof *job);
    char error[MESSAGE] = "out of memory";
    int status = job == NULL || !(job->options = options, read_options(job, error, sizeof error)) ? 2
                 : !prepare_kit(job, error, sizeof error)                                         ? 1
                                                                                                  : 0;
    if (status == 0)
        printf("%s\n", job->kit);
    else
        fprintf(stderr, "grade-job: %s\n", error);
    if (job != NULL)
        settings_free(&job->settings);
    free(job);
    return status;
}

int job_print_sandbox(const struct job_options *options) {
    struct home home;
    char line[SANDBOX_LINE], launcher[PATH_SIZE];
    enum sandbox_rung rung;
    if (!home_find(&home, line, sizeof line) || !path_join(launcher, home.build, "bin/sandbox")) {
        fprintf(stderr, "grade-job: %s\n", line);
        return 1;
    }
    bool works = sandbox_choose(launcher, options->sandbox, &rung, line, sizeof line);
    puts(line);
    if (!works)
        puts(SANDBOX_ADVICE);
    return works ? 0 : 1;
}

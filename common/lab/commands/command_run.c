/* One lab: judge, time, score, report. */
#include "base/file.h"
#include "lab/commands/commands.h"
#include "lab/compiler_log.h"
#include "lab/judge/measure/beside.h"
#include "lab/judge/run.h"
#include "lab/ladder/measured.h"
#include "lab/learner/history.h"
#include "lab/learner/predict.h"
#include "lab/learner/standing.h"
#include "report/writers/html.h"
#include "report/writers/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The compiler's message lies where the variant that it did not build would lie. */
static bool check_built(const struct settings *s, const char *variant, struct failure *failure) {
    char program[PATH_SIZE], log[PATH_SIZE];
    settings_program(s, variant, program);
    if (access(program, X_OK) == 0)
        return true;
    path_print(log, "%s.log", program);
    char *text = command_read_text(log), words[sizeof failure->message], source[PATH_SIZE], header[PATH_SIZE];
    if (text == NULL || *text == '\0') {
        failure_set(failure, STAGE_BUILD, "%s is not there: start this by `make %s`", program, s->lab.id);
    } else if (strcmp(variant, RUN_YOURS) != 0) {
        failure_set(failure, STAGE_BUILD, "%s", text);
    } else {
        command_student_file(s, source);
        path_print(header, "%s/labs/%s-%s/%s.h", s->root, s->lab.id, s->lab.topic, s->lab.id);
        compiler_log_failure(text, &(struct compiler_subject){source, header}, words, sizeof words);
        failure_set(failure, STAGE_BUILD, "%s", words);
    }
    free(text);
    return false;
}

/* Adds the compiler's warnings on the student's program, from whenever it was built. False: out
 * of memory. */
static bool add_warnings(const struct settings *s, struct report *report) {
    enum { MOST = 16 };
    struct compiler_warning warnings[MOST];
    char program[PATH_SIZE], log[PATH_SIZE];
    settings_program(s, RUN_YOURS, program);
    path_print(log, "%s.log", program);
    char *text = command_read_text(log);
    uint32_t count = text != NULL ? compiler_log_warnings(text, "kernel.cu", warnings, MOST) : 0;
    bool stored = true;
    free(text);
    for (uint32_t i = 0; i < count; i++)
        stored = report_add_remark(report, REPORT_COMPILER, "", "kernel.cu", warnings[i].line,
                                   warnings[i].text, 1) &&
                 stored;
    return stored;
}

static bool build_failure(const struct settings *s, struct failure *failure) {
    const char *const variants[] = {RUN_YOURS, lab_baseline(&s->lab), RUN_REFERENCE};
    for (size_t i = 0; i < 3; i++)
        if (!check_built(s, variants[i], failure))
            return true;
    return false;
}

/* Baseline, yours, reference, and on a real GPU the library that the lab names: "npp.cu" is the
 * run "npp". Simulated baseline and reference are always the same and measured once. */
static bool judge(const struct settings *s, struct report *report, struct judge_wrong *wrong, char *output,
                  size_t output_size, struct failure *failure) {
    struct run run;
    run_init(&run, s);
    run.cpu = true;
    if (s->lab.beside[0] != '\0') {
        struct measure_variant *library = &run.variants[run.count++];
        library->beside = true;
        snprintf(library->name, sizeof library->name, "%.*s", (int)strcspn(s->lab.beside, "."),
                 s->lab.beside);
        settings_program(s, library->name, library->program);
    }
    if (build_failure(s, failure))
        return false;
    struct report beside = {.lab = NULL};
    if (s->device == DEVICE_SIM) {
        char key[BESIDE_KEY], error[SETTINGS_ERROR];
        if (!beside_key(s, key, error, sizeof error) ||
            !beside_load(s, key, s->folder, &beside, error, sizeof error)) {
            failure_set(failure, STAGE_MEASURE, "%s", error);
            return false;
        }
        run.known = &beside;
    }
    bool right = run_judge(&run, report, wrong, output, output_size, failure);
    if (s->device == DEVICE_SIM)
        report_free(&beside);
    return right;
}

/* Writes the runs and the host's time as benchmark.tsv and, by gnuplot, benchmark.png. False and
 * a message when the file cannot be written. */
static bool write_benchmark(const struct settings *s, const struct report *report, char *error, size_t size) {
    char picture[PATH_SIZE], title[256];
    struct file_output data;
    path_join(picture, s->folder, "benchmark.png");
    snprintf(title, sizeof title, "%s, %u x %u, %s%s", s->lab.problem->function, s->width, s->height,
             report->device.gpu != NULL ? report->device.gpu : s->gpu,
             s->device == DEVICE_SIM ? " modelled, this machine's CPU measured" : "");
    if (!file_begin(&data, s->folder, "benchmark.tsv", error, size))
        return false;
    fprintf(data.file, "run\ttime_us\n");
    for (uint32_t i = 0; i < report->run_count; i++)
        if (!isnan(report->runs[i].time_us))
            fprintf(data.file, "%s\t%.9g\n", report->runs[i].name, report->runs[i].time_us);
    if (report_find_run(report, RUN_CPU) == NULL && !isnan(report->cpu_us))
        fprintf(data.file, "cpu\t%.9g\n", report->cpu_us);
    if (!file_end(&data, error, size))
        return false;
    (void)command_plot(s, "common/lab/plots/benchmark.gp", (const char *[]){data.path, picture, title, NULL});
    return true;
}

/* The whole profile on the terminal and as a page. */
static bool show_profile(const struct terminal *terminal, const struct settings *s,
                         const struct report *report, char *error, size_t size) {
    struct file_output page;
    struct changes changes;
    bool compared = history_changes(s, report, &changes);
    report_print_profile(terminal, report, NULL, &s->model);
    changes_print(terminal, compared ? &changes : NULL);
    if (!file_begin(&page, s->folder, "profile.html", error, size))
        return false;
    if (!report_html(page.file, report, NULL, &s->model, s->root, compared ? &changes : NULL)) {
        snprintf(error, size, "%s cannot be written", page.path);
        file_discard(&page);
        return false;
    }
    if (!file_end(&page, error, size))
        return false;
    bool below = strncmp(page.path, s->root, strlen(s->root)) == 0;
    fprintf(terminal->out, "\nThe same as a page, counters beside your source: %s\n",
            below ? page.path + strlen(s->root) + 1 : page.path);
    return true;
}

enum run_mode { RUN_SHOW, RUN_PASS, RUN_PROFILE };

/* Updates the learner's standing; a run of another size or the like leaves it. */
static bool keep_score(const struct settings *s, const struct report *report, uint64_t source, char *error,
                       size_t size) {
    struct standing standing;
    if (report->not_recorded != NULL)
        return true;
    if (!standing_load(s, &standing, error, size))
        return false;
    standing_take(&standing, report, source);
    return standing_save(s, &standing, error, size);
}

/* Adds a remark where times on a real GPU contradict the modelled ones. Without readable
 * recordings the run is as good, and `make labN-steps` says why. */
static void add_doubt(const struct settings *s, struct report *report) {
    char error[SETTINGS_ERROR];
    struct measured *measured = calloc(1, sizeof *measured);
    struct ladder *ladder = calloc(1, sizeof *ladder);
    if (measured != NULL && ladder != NULL && s->device == DEVICE_SIM && s->lab.baseline[0] != '\0' &&
        measured_load(s, measured, error, sizeof error) &&
        ladder_add(ladder, s, (unsigned)strtoul(s->lab.id + 3, NULL, 10), error, sizeof error))
        measured_doubt(measured, s, ladder, report);
    free(measured);
    free(ladder);
}

/* Notes clocks that differ from those of the last run's report at `path`. */
static void compare_clocks(struct report *report, const char *path) {
    char error[SETTINGS_ERROR];
    struct report last;
    if (!report->clocks.present || access(path, R_OK) != 0 || !report_read(&last, path, error, sizeof error))
        return;
    if (last.device.gpu != NULL && report->device.gpu != NULL &&
        strcmp(last.device.gpu, report->device.gpu) == 0)
        report_clocks_judge(&report->clocks, &last.clocks);
    report_free(&last);
}

/* Judges, measures, scores and reports. False when the report could not be made or written. */
static bool make_report(const struct settings *s, const struct predict_keys *keys, struct report *report,
                        char *error, size_t size) {
    char path[PATH_SIZE], output[4096] = "", why[128];
    uint64_t source = standing_source(s);
    struct failure failure = {0};
    struct judge_wrong wrong = {0};
    bool written = true, stored = true;
    if (!judge(s, report, &wrong, output, sizeof output, &failure)) {
        stored = run_failed(s, &failure, report);
    } else {
        add_doubt(s, report);
        written = s->lab.problem->cpu_function == NULL || write_benchmark(s, report, error, size);
    }
    if (failure.stage != STAGE_BUILD) /* there they stand in the message */
        stored = add_warnings(s, report) && stored;
    if (!stored || !run_report_judged(report, s, &wrong, output) || !run_report_files(report, s) ||
        (!settings_standard(s, why, sizeof why) && !report_set_text(&report->not_recorded, why)))
        return fails(error, size, "out of memory");
    predict_end(s, keys, report);
    path_join(path, s->folder, "report.json");
    compare_clocks(report, path);
    return report_write(report, path, error, size) && report_settle(report, error, size) && written &&
           keep_score(s, report, source, error, size) && history_keep(s, report, error, size);
}

static int run(struct settings *s, const char *lab, enum run_mode mode) {
    char error[SETTINGS_ERROR];
    struct report report;
    struct predict_keys keys;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    if (!predict_begin(s, &keys, &report, error, sizeof error)) {
        report_free(&report);
        return command_refuse(error);
    }
    bool written = make_report(s, &keys, &report, error, sizeof error),
         right = report.failure_stage == STAGE_NONE;
    struct terminal terminal = terminal_open(stdout);
    if (!report_add_findings(&report, &s->model)) {
        report_free(&report);
        return command_refuse("out of memory");
    }
    if (mode == RUN_PROFILE && right)
        written = show_profile(&terminal, s, &report, error, sizeof error) && written;
    else
        report_print(&terminal, &report, &s->model);
    bool passed = right && report.score_passed;
    report_free(&report);
    if (!written)
        return command_refuse(error);
    return right && (mode != RUN_PASS || passed) ? 0 : 1;
}

int command_run(struct settings *settings, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    return run(settings, lab, RUN_SHOW);
}

int command_pass(struct settings *settings, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    return run(settings, lab, RUN_PASS);
}

int command_profile(struct settings *settings, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    return run(settings, lab, RUN_PROFILE);
}

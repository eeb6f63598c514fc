/*
 * run-report: the launch report that simgpu wrote for one program, as a report.json document of one run, or
 * for a person. run-report LAUNCHES --gpu MODEL --program TEXT [--toolkit 13.0] [--status N] [--output
 * report.json]
 */
#include "base/wrap.h"
#include "report/document/launches.h"
#include "report/document/report.h"
#include "report/writers/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a program that launches without end, the first so many launches are told each by itself; the rest by kernel. */
enum { TOLD_APART = 1000, TOLD_LINES = 100000 };

struct arguments {
    const char *launches, *gpu, *program, *toolkit, *status, *output;
};

static int fail(const char *message) {
    fprintf(stderr, "run-report: %s\n", message);
    return 1;
}

static bool parse(int count, char **values, struct arguments *arguments) {
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"--gpu", &arguments->gpu},
                   {"--program", &arguments->program},
                   {"--toolkit", &arguments->toolkit},
                   {"--status", &arguments->status},
                   {"--output", &arguments->output}};
    for (int i = 1; i < count; i++) {
        size_t option = 0;
        while (option < sizeof options / sizeof *options && strcmp(values[i], options[option].name) != 0)
            option++;
        if (option < sizeof options / sizeof *options && i + 1 < count)
            *options[option].value = values[++i];
        else if (arguments->launches == NULL && values[i][0] != '-')
            arguments->launches = values[i];
        else
            return false;
    }
    return arguments->launches != NULL;
}

/* Errors of a launch that did not start, after which a program may go on: invalid value, out of memory,
 * configuration, resources, a cooperative grid too large, not supported. All others leave nothing to go on
 * with. */
static bool can_go_on(json_int_t error) {
    return error == 1 || error == 2 || error == 9 || error == 701 || error == 720 || error == 801;
}

/* One line: a launch is added to the others, a fault becomes the report's failure, and *faulted; copies and fills are
 * passed over. */
static bool add_line(struct report *report, struct launches *launches, const json_t *line, bool ended_well,
                     bool *faulted, char *error, size_t size) {
    const json_t *launch = json_object_get(line, "launch"), *fault = json_object_get(line, "fault");
    const json_t *remark = json_object_get(line, "remark");
    if (json_object_get(line, "copy") != NULL || json_object_get(line, "fill") != NULL)
        return true;
    if (remark != NULL) {
        snprintf(error, size, "a remark that makes no sense, or no memory for it");
        return report_add_remark_line(report, "", remark);
    }
    *faulted |= fault != NULL;
    if (fault != NULL && ended_well && can_go_on(json_integer_value(json_object_get(fault, "cuda_error"))))
        return true; /* the program asked for too much, saw it, and ended well */
    if (fault != NULL) {
        const char *message = json_string_value(json_object_get(fault, "message"));
        /* The first is the cause; what follows, if anything, came of it. */
        return report->failure_stage != STAGE_NONE ||
               report_set_failure(report, STAGE_FAULT, message != NULL ? message : "");
    }
    struct kernel_report kernel;
    if (launch == NULL) {
        snprintf(error, size, "neither a launch nor a fault");
        return false;
    }
    if (!kernel_report_from_json(&kernel, launch, error, size))
        return false;
    if (launches_add(launches, &kernel))
        return true;
    snprintf(error, size, "out of memory");
    return false;
}

/* The launches as the run's kernels, and what was left out of them. */
static void set_kernels(struct report_run *run, struct launches *launches) {
    uint64_t folded = launches->launches > TOLD_APART ? launches->launches - TOLD_APART : 0;
    if (launches->launches > 0)
        run->time_us = launches->left_out_us;
    if (folded > 0)
        snprintf(run->note, sizeof run->note,
                 "the first %d launches one by one, %" PRIu64 " more as an entry for each kernel", TOLD_APART,
                 folded);
    if (launches->left_out > 0)
        snprintf(run->note + strlen(run->note), sizeof run->note - strlen(run->note),
                 ", %" PRIu64 " without one", launches->left_out);
    if (launches->lines_left_out > 0)
        snprintf(run->note + strlen(run->note), sizeof run->note - strlen(run->note),
                 "%s%" PRIu64 " lines left out", run->note[0] != '\0' ? "; " : "", launches->lines_left_out);
    run->kernels = launches_take(launches, &run->kernel_count);
    run->time_us += run_kernels_us(run);
}

static bool read_launches(const char *path, bool ended_well, struct report *report, struct report_run *run,
                          bool *faulted, char *error, size_t size) {
    struct launches launches = {.apart = TOLD_APART, .lines_most = TOLD_LINES};
    FILE *file = fopen(path, "r");
    char *text = NULL, reason[512];
    size_t capacity = 0;
    bool right = true;
    if (file == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return errno == ENOENT && (error[0] = '\0', true); /* no launch, no file */
    }
    for (int number = 1; right && getline(&text, &capacity, file) >= 0; number++) {
        json_error_t where;
        json_t *line = json_loads(text, 0, &where);
        snprintf(reason, sizeof reason, "%s", line != NULL ? "" : where.text);
        right = line != NULL && add_line(report, &launches, line, ended_well, faulted, reason, sizeof reason);
        if (!right)
            snprintf(error, size, "%s:%d: %s", path, number, reason);
        json_decref(line);
    }
    free(text);
    fclose(file);
    if (right)
        set_kernels(run, &launches);
    launches_free(&launches);
    return right;
}

/* The signal that a shell's status stands for; 0: none. */
static int ending_signal(const char *status) {
    long number = status != NULL ? strtol(status, NULL, 10) : 0;
    return number > 128 && number < 256 && sigabbrev_np((int)number - 128) != NULL ? (int)number - 128 : 0;
}

static bool describe(struct report *report, const struct arguments *arguments, const struct gpu_model *model,
                     bool ended_well) {
    char message[128];
    report->device.apart = model->band_pair;
    if (!report_set_device(report, DEVICE_SIM, model->name, model->id, arguments->toolkit))
        return false;
    if (report->failure_stage == STAGE_NONE && !ended_well) {
        int signal_number = ending_signal(arguments->status);
        if (signal_number > 0)
            snprintf(message, sizeof message, "the program crashed on the host, by SIG%s",
                     sigabbrev_np(signal_number));
        else
            snprintf(message, sizeof message, "the program ended with status %s", arguments->status);
        return report_set_failure(report, STAGE_START, message);
    }
    return true;
}

int main(int count, char **values) {
    struct arguments arguments = {.gpu = "h200", .program = "program"};
    struct gpu_model model;
    struct report report;
    char error[1024] = "out of memory";
    if (!parse(count, values, &arguments))
        return fail("usage: run-report LAUNCHES [--gpu MODEL] [--program TEXT] [--toolkit N] [--status N] "
                    "[--output FILE]");
    if (!gpu_model_load(NULL, arguments.gpu, &model, error, sizeof error))
        return fail(error);
    if (!report_init(&report, "run", arguments.program))
        return fail("out of memory");
    bool ended_well = arguments.status == NULL || strcmp(arguments.status, "0") == 0;
    struct terminal terminal = terminal_open(stdout);
    bool faulted = false;
    struct report_run *run = report_add_run(&report, RUN_YOURS);
    bool right = run != NULL &&
                 read_launches(arguments.launches, ended_well, &report, run, &faulted, error, sizeof error);
    if (run != NULL && run->kernel_count) {
        run->time_source = TIME_MODEL;
        run_set_band(run);
        if (run->note[0] == '\0')
            run_note_untimed(run);
    }
    if (right && !describe(&report, &arguments, &model, ended_well))
        right = false;
    if (right && !report_add_findings(&report, &model)) {
        snprintf(error, sizeof error, "out of memory");
        right = false;
    }
    if (right && arguments.output != NULL)
        right = report_write(&report, arguments.output, error, sizeof error);
    else if (right && run->kernel_count)
        report_print_profile(&terminal, &report, NULL, &model);
    else if (right && ending_signal(arguments.status) > 0 && !faulted)
        wrap_message("make run: no kernel ran on the simulated GPU: ", report.failure_message);
    else if (right && ended_well && !faulted) /* else what became of it has been said */
        wrap_message("make run: no kernel ran on the simulated GPU",
                     access(arguments.launches, F_OK) == 0 /* written by simgpu, which the runtime starts */
                         ? ""
                         : ": the program did not call the CUDA runtime, libcudart.so");
    report_free(&report);
    return right ? 0 : fail(error);
}

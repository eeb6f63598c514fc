/*
 * command_timeline.c: `make labN-timeline`: what the host, the copy engines and the kernels of the student's program do when,
 * in the call that is timed, as the simulated GPU models it: on the terminal, and as build/labN/timeline.svg.
 */
#include "analysis/format.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "base/file.h"
#include "harness/commands.h"
#include "harness/judge.h"
#include "harness/run_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The timed call of the lab's first part, once, and what happened in it. */
static bool run_once(const struct settings *s, const struct trial *t, const char *program,
                     struct trial_result *result, struct spans *spans, struct failure *failure) {
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    struct trial_options call = {.key = settings_key(s, "timeline"), .timed = true};
    struct session *session = judge_open_session(s, program, &how, failure);
    bool right = session != NULL && session_command(session, NULL, failure, "timeline 1") &&
                 trial_run(t, session, &call, result, failure);
    if (right &&
        !spans_read(spans, session_spans(session), t->problem->on_host ? result->device_us : (double)NAN)) {
        failure_set(failure, "measure", "out of memory");
        right = false;
    }
    session_close(session);
    return right;
}

static bool write_picture(const struct settings *s, const struct spans *spans, char *error, size_t size) {
    struct file_output output;
    char title[512];
    snprintf(title, sizeof title, "%s: labs/%s-%s/kernel.cu on a simulated %s", s->lab.title, s->lab.id,
             s->lab.topic, s->gpu_name);
    if (!file_begin(&output, s->folder, "timeline.svg", error, size))
        return false;
    spans_svg(output.file, spans, title, "modelled");
    return file_end(&output, error, size);
}

/* Of one call, which it makes. */
static int draw(const struct settings *s, const struct trial *t) {
    char program[PATH_SIZE], error[SETTINGS_ERROR];
    struct trial_result result = {0};
    struct failure failure = {0};
    struct spans spans = {0};
    struct report report;
    struct terminal terminal = terminal_open(stdout);
    settings_program(s, "yours", program);
    if (access(program, X_OK) != 0) {
        snprintf(error, sizeof error, "your kernel does not build: make %s says why", s->lab.id);
        return command_refuse(error);
    }
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    bool right = run_once(s, t, program, &result, &spans, &failure);
    report_print_heading(&terminal, &report, &s->model);
    if (!right) {
        terminal_print(&terminal, STYLE_BAD, "\nNot drawn\n  ");
        terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, failure.message);
    } else {
        spans_print(&terminal, &spans);
        if (!result.verdict.passed)
            terminal_print(&terminal, STYLE_WARN, "\n  The result is wrong: make %s says where.\n",
                           s->lab.id);
        right = write_picture(s, &spans, error, sizeof error);
        if (right)
            terminal_print(&terminal, STYLE_DIM, "\nAs a picture, all of it: %s/timeline.svg\n",
                           s->folder + strlen(s->root) + 1);
    }
    trial_result_free(&result);
    spans_free(&spans);
    report_free(&report);
    return right ? 0 : *failure.message != '\0' ? 1 : command_refuse(error);
}

int command_timeline(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR];
    struct problem_case c;
    struct trial t;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (s->device != DEVICE_SIM)
        return command_refuse(
            "a real GPU's timeline is Nsight Systems': nsys profile -t cuda; DEVICE=sim draws the "
            "simulated one's");
    settings_timed_case(s, 0, 0, &c);
    if (!trial_create(&t, s->lab.problem, &c))
        return command_refuse("out of memory");
    int status = draw(s, &t);
    trial_free(&t);
    return status;
}

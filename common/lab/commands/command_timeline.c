/*
 * command_timeline.c: `make labN-timeline`: what host, copy engines and kernels do when, in the
 * timed call. The simulated GPU models it, or Nsight Systems records it on a real one, now or
 * earlier. It is drawn on the terminal and as build/labN/timeline.svg.
 */
#include "base/file.h"
#include "lab/commands/commands.h"
#include "lab/judge/calls/judge.h"
#include "lab/judge/measure/profiler.h"
#include "lab/judge/run.h"
#include "lab/learner/progress.h"
#include "report/document/spans.h"
#include "report/nsys/nsys.h"
#include "report/writers/format.h"
#include "report/writers/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls the timed case of the lab's first part once, and takes its spans. */
static bool run_once(const struct settings *s, const struct trial *t, const char *program,
                     struct trial_result *result, struct spans *spans, struct failure *failure) {
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    struct trial_options call = {.key = settings_key(s, "timeline"), .timed = true, .repeat = t};
    struct session *session = judge_open_session(s, program, &how, failure);
    bool right = session != NULL && session_command(session, NULL, failure, "timeline 1") &&
                 trial_run(t, session, &call, result, failure);
    if (right &&
        !spans_read(spans, session_spans(session), t->problem->on_host ? result->device_us : (double)NAN)) {
        failure_set(failure, STAGE_MEASURE, "out of memory");
        right = false;
    }
    session_close(session);
    return right;
}

static bool write_picture(const struct settings *s, const struct spans *spans, const char *of,
                          const char *how, char *error, size_t size) {
    struct file_output output;
    char title[PATH_SIZE + 512];
    snprintf(title, sizeof title, "%s: %s", s->lab.title, of);
    if (!file_begin(&output, s->folder, "timeline.svg", error, size))
        return false;
    spans_svg(output.file, spans, title, how);
    return file_end(&output, error, size);
}

static void print_picture(const struct terminal *terminal, const struct settings *s) {
    terminal_print(terminal, STYLE_DIM, "\nAs a picture, all of it: %s/timeline.svg\n",
                   s->folder + strlen(s->root) + 1);
}

/* The student's program on a GPU of that name. */
static void name_kernel(const struct settings *s, const char *on, char *of, size_t size) {
    snprintf(of, size, "labs/%s-%s/kernel.cu on %s%s", s->lab.id, s->lab.topic, on, s->gpu_name);
}

/* The student's program, in the architecture's build. False and one line: it is not there. */
static bool find_program(const struct settings *s, char program[PATH_SIZE], char *error, size_t size) {
    settings_program(s, RUN_YOURS, program);
    bool right = access(program, X_OK) == 0;
    if (!right)
        snprintf(error, size, "your kernel does not build: make %s says why", s->lab.id);
    return right;
}

/* Of one call, which it makes. */
static int draw(const struct settings *s, const struct trial *t) {
    char program[PATH_SIZE], error[SETTINGS_ERROR], of[PATH_SIZE];
    struct trial_result result = {0};
    struct failure failure = {0};
    struct spans spans = {0};
    struct report report;
    struct terminal terminal = terminal_open(stdout);
    if (!find_program(s, program, error, sizeof error))
        return command_refuse(error);
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    bool right = run_once(s, t, program, &result, &spans, &failure);
    report_print_heading(&terminal, &report, &s->model);
    if (!right) {
        terminal_print(&terminal, STYLE_BAD, "\nNot drawn\n  ");
        terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, failure.message);
    } else {
        spans_print(&terminal, &spans);
        if (result.unordered[0] != '\0') {
            terminal_print(&terminal, STYLE_BAD, "\n  ");
            terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, result.unordered);
        }
        if (!result.verdict.passed)
            terminal_print(&terminal, STYLE_WARN, "\n  The result is wrong: make %s says where.\n",
                           s->lab.id);
        name_kernel(s, "a simulated ", of, sizeof of);
        right = write_picture(s, &spans, of, "modelled", error, sizeof error);
        if (right)
            print_picture(&terminal, s);
    }
    trial_result_free(&result);
    spans_free(&spans);
    report_free(&report);
    return right ? 0 : *failure.message != '\0' ? 1 : command_refuse(error);
}

/* ---- as Nsight Systems recorded it */

static void print_recording(const struct terminal *terminal, const struct settings *s,
                            const struct nsys_recording *recording, const struct spans *spans,
                            const char *of) {
    char remarks[1024], how[PATH_SIZE + 512];
    terminal_print(terminal, STYLE_TITLE, "\nLab %s", s->lab.id + strlen("lab"));
    terminal_print(terminal, STYLE_STRONG, "  %s\n", s->lab.title);
    snprintf(how, sizeof how, "%s, recorded by Nsight Systems%s%s", of,
             recording->version[0] != '\0' ? " " : "", recording->version);
    fputs("       ", terminal->out);
    terminal_wrap(terminal, STYLE_DIM, 7, 7, how);
    spans_print(terminal, spans);
    fputs("\n  ", terminal->out);
    terminal_wrap(
        terminal, STYLE_DIM, 2, 2,
        "The host's row has its calls of CUDA; what it computes between them is not recorded. Each call is "
        "recorded, and takes longer for it: so do runs that wait for the host.");
    nsys_remarks(recording, remarks, sizeof remarks);
    if (remarks[0] != '\0') {
        fputs("\n  ", terminal->out);
        terminal_wrap(terminal, STYLE_WARN, 2, 2, remarks);
    }
}

/* An export, of: whose run it is, where the recording does not say on what. */
static int draw_recording(const struct settings *s, const char *path, const char *of) {
    struct terminal terminal = terminal_open(stdout);
    struct nsys_recording recording;
    struct spans spans = {0};
    char error[SETTINGS_ERROR], whose[PATH_SIZE + 256];
    if (!nsys_read(&recording, path, error, sizeof error))
        return command_refuse(error);
    bool right = spans_read(&spans, recording.spans, (double)NAN);
    if (!right)
        snprintf(error, sizeof error, "out of memory");
    else {
        bool named = s->nsys[0] != '\0' && recording.gpu[0] != '\0';
        snprintf(whose, sizeof whose, "%s%s%s%s", of, named ? " (" : "", named ? recording.gpu : "",
                 named ? ")" : "");
        print_recording(&terminal, s, &recording, &spans, whose);
        right = write_picture(s, &spans, whose, "recorded by Nsight Systems", error, sizeof error);
    }
    if (right)
        print_picture(&terminal, s);
    spans_free(&spans);
    nsys_free(&recording);
    return right ? 0 : command_refuse(error);
}

/* On a real GPU nsys records the student's program now. */
static int record(const struct settings *s, const struct trial *t) {
    char program[PATH_SIZE], output[PATH_SIZE], error[SETTINGS_ERROR], of[PATH_SIZE];
    if (!find_program(s, program, error, sizeof error))
        return command_refuse(error);
    progress_show("Nsight Systems records a run");
    bool right = profiler_timeline(s, program, t, output, error, sizeof error);
    progress_clear();
    if (!right)
        return command_refuse(error);
    name_kernel(s, "", of, sizeof of);
    return draw_recording(s, output, of);
}

int command_timeline(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR];
    struct problem_case c;
    struct trial t;
    if (s->nsys[0] != '\0')
        s->device = DEVICE_SIM; /* no GPU is needed */
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (s->nsys[0] != '\0')
        return draw_recording(s, s->nsys, s->nsys);
    settings_timed_case(s, 0, 0, &c);
    if (!trial_create(&t, s->lab.problem, &c))
        return command_refuse("out of memory");
    int status = s->device == DEVICE_SIM ? draw(s, &t) : record(s, &t);
    trial_free(&t);
    return status;
}

/*
 * Tuning: one kernel in many shapes. solutions/labN-topic/tune.txt lists them, tune.cu is compiled once for
 * each. Every call is judged. A shape that does not compile, or that the GPU refuses, stays in the landscape
 * with its reason.
 */
#include "analysis/format.h"
#include "analysis/text.h"
#include "harness/commands.h"
#include "harness/measure.h"
#include "harness/plot.h"
#include "harness/progress.h"
#include "harness/run_report.h"
#include "harness/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHAPES_MAX = 256, TOP = 10, ROUNDS_MOST = 5, REASON_SIZE = 80 };

struct shape {
    char name[32]; /* "256-128-8-16-4": rows and columns of a block's tile, its depth, columns of a thread,
                      padding */
    unsigned tile_m, tile_n, depth, columns, pad;
    double time_us; /* NAN: refused */
    char reason[REASON_SIZE];
};

struct landscape {
    struct shape shape[SHAPES_MAX];
    unsigned count;
    char gpu[64]; /* as the device calls itself */
};

/* A line of tune.txt: a shape's name, and "sim" where the simulated GPU sweeps it too; # begins a remark. */
static bool read_shapes(const struct settings *s, struct landscape *landscape, char *error, size_t size) {
    char path[PATH_SIZE], line[256];
    command_solution_file(s, "tune.txt", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, size, "%s has no shapes to tune (%.900s)", s->lab.id, path);
        return false;
    }
    bool right = true;
    for (unsigned number = 1; right && fgets(line, sizeof line, file) != NULL; number++) {
        struct shape shape = {.time_us = (double)NAN};
        char where[8] = "";
        line[strcspn(line, "#\r\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0')
            continue;
        int words = sscanf(line, "%31s %7s", shape.name, where);
        right = words >= 1 && landscape->count < SHAPES_MAX && (words == 1 || strcmp(where, "sim") == 0) &&
                sscanf(shape.name, "%u-%u-%u-%u-%u", &shape.tile_m, &shape.tile_n, &shape.depth,
                       &shape.columns, &shape.pad) == 5;
        if (!right)
            snprintf(error, size, "%.900s:%u: expected TILE_M-TILE_N-DEPTH-COLUMNS-PAD [sim]", path, number);
        else if (s->device == DEVICE_CUDA || words == 2)
            landscape->shape[landscape->count++] = shape;
    }
    fclose(file);
    return right;
}

/* Why the compiler refused: what a static assertion says, or its first error. */
static void compiler_reason(const char *program, char *reason, size_t size) {
    char path[PATH_SIZE];
    path_print(path, "%s.log", program);
    char *text = command_read_text(path);
    const char *at = text != NULL ? strstr(text, "failed with \"") : NULL;
    if (at != NULL) {
        at += strlen("failed with \"");
        snprintf(reason, size, "%.*s", (int)strcspn(at, "\"\n"), at);
    } else {
        at = text != NULL ? strstr(text, "error") : NULL;
        snprintf(reason, size, "%.*s", at != NULL ? (int)strcspn(at, "\n") : 13,
                 at != NULL ? at : "not built");
    }
    free(text);
}

/* Why the GPU refused. */
static void launch_reason(const struct failure *failure, char *reason, size_t size) {
    static const struct {
        const char *error, *reason;
    } known[] = {{"cudaErrorInvalidValue", "too much shared memory"},
                 {"cudaErrorLaunchOutOfResources", "too many registers"},
                 {"cudaErrorInvalidConfiguration", "too many threads"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(failure->message, known[i].error) != NULL) {
            snprintf(reason, size, "%s", known[i].reason);
            return;
        }
    snprintf(reason, size, "%.*s", (int)strcspn(failure->message, "\n"), failure->message);
}

static void ask_name(struct session *session, struct landscape *landscape) {
    struct runner_request request = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    struct failure ignored = {0};
    if (landscape->gpu[0] == '\0' && session_exchange(session, &request, &reply, &ignored))
        snprintf(landscape->gpu, sizeof landscape->gpu, "%.60s", reply.gpu);
}

/* The median of a few rounds; one on the simulated GPU. False when the shape computes something wrong. */
static bool time_shape(const struct settings *s, const struct trial *t, struct landscape *landscape,
                       struct shape *shape, const char *program, struct failure *failure) {
    double times[ROUNDS_MOST];
    bool cuda = s->device == DEVICE_CUDA, right = true;
    unsigned rounds = !cuda ? 1 : s->rounds < ROUNDS_MOST ? s->rounds : ROUNDS_MOST, warm_up = cuda ? 1 : 0;
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    struct session *session = judge_open_session(s, program, &how, failure);
    if (session == NULL)
        return false;
    ask_name(session, landscape);
    for (unsigned round = 0; right && round < warm_up + rounds; round++) {
        struct trial_options call = {.call = round, .guard = cuda || !s->strict, .timed = true};
        struct trial_result result = {0};
        if (!trial_run(t, session, &call, &result, failure)) {
            launch_reason(failure, shape->reason, sizeof shape->reason);
            trial_result_free(&result);
            break;
        }
        right = result.verdict.passed;
        if (!right)
            failure_set(failure, "correctness", "shape %s: %s", shape->name, result.verdict.message);
        else if (round >= warm_up)
            times[round - warm_up] = cuda ? result.event_us : result.device_us;
        if (round + 1 == warm_up + rounds)
            shape->time_us = right ? statistics_median(times, rounds) : (double)NAN;
        trial_result_free(&result);
    }
    session_close(session);
    return right;
}

static int fastest_first(const void *left, const void *right) {
    const struct shape *a = left, *b = right;
    if (isnan(a->time_us) || isnan(b->time_us))
        return (int)isnan(a->time_us) - (int)isnan(b->time_us);
    return (a->time_us > b->time_us) - (a->time_us < b->time_us);
}

static unsigned threads_of(const struct shape *shape) {
    return shape->tile_m / 64 * (shape->tile_n / (4 * shape->columns)) * 32;
}

static bool write_csv(const struct landscape *landscape, double operations, const char *path) {
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fputs("tile_m,tile_n,depth,columns,pad,threads,time_us,tflops,refused\n", file);
    for (unsigned i = 0; i < landscape->count; i++) {
        const struct shape *p = &landscape->shape[i];
        fprintf(file, "%u,%u,%u,%u,%u,%u,", p->tile_m, p->tile_n, p->depth, p->columns, p->pad,
                threads_of(p));
        if (isnan(p->time_us))
            fprintf(file, ",,%s\n", p->reason);
        else
            fprintf(file, "%.3f,%.3f,\n", p->time_us, operations / p->time_us * 1e-6);
    }
    return fclose(file) == 0;
}

/* By gnuplot; without it the table stands alone. */
static bool draw(const struct settings *s, const char *data, const char *picture, const char *gpu) {
    char title[256];
    snprintf(title, sizeof title, "%s, C of %u x %u, k = %u, %s (%s): TFLOP/s", s->lab.problem->function,
             s->width, s->width, s->height, s->device == DEVICE_SIM ? "modelled" : "measured", gpu);
    return plot_draw(s, "tune.gp", (const char *[]){data, picture, title, NULL});
}

static void show_landscape(const struct terminal *t, const struct settings *s,
                           const struct landscape *landscape, double operations) {
    unsigned right = 0;
    while (right < landscape->count && !isnan(landscape->shape[right].time_us))
        right++;
    terminal_print(t, STYLE_DIM, "\n  %-4s%-11s%7s%10s%9s%6s%12s%10s\n", "", "tile", "depth", "a thread",
                   "threads", "pad", s->device == DEVICE_SIM ? "modelled" : "time", "TFLOP/s");
    for (unsigned i = 0; i < right && i < TOP; i++) {
        const struct shape *p = &landscape->shape[i];
        char tile[16], each[16], time[FORMAT_SIZE];
        snprintf(tile, sizeof tile, "%ux%u", p->tile_m, p->tile_n);
        snprintf(each, sizeof each, "8x%u", p->columns);
        format_time(time, p->time_us);
        terminal_print(t, i == 0 ? STYLE_STRONG : STYLE_NORMAL, "  %-4u%-11s%7u%10s%9u%6u%12s%10.2f\n", i + 1,
                       tile, p->depth, each, threads_of(p), p->pad, time, operations / p->time_us * 1e-6);
    }
    fprintf(t->out, "\n  %u shapes run, %u are refused", right, landscape->count - right);
    for (unsigned i = right; i < landscape->count; i++) { /* each reason once, with how often */
        const char *reason = landscape->shape[i].reason;
        unsigned times = 0;
        bool before = false;
        for (unsigned j = right; j < landscape->count; j++) {
            bool same = strcmp(landscape->shape[j].reason, reason) == 0;
            before = before || (same && j < i);
            times += same;
        }
        if (!before)
            fprintf(t->out, "\n    %4u  %.66s", times, reason);
    }
    fputc('\n', t->out);
}

int command_tune(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    static struct landscape landscape;
    char error[SETTINGS_ERROR], data[PATH_SIZE], picture[PATH_SIZE], name[48], program[PATH_SIZE];
    if (!settings_resolve(s, lab, error, sizeof error) || !read_shapes(s, &landscape, error, sizeof error))
        return command_refuse(error);
    struct problem_case c;
    struct problem_work work;
    struct trial t;
    struct failure failure = {0};
    settings_timed_case(s, 0, s->seed, &c);
    s->lab.problem->work(&c, &work);
    if (!trial_create(&t, s->lab.problem, &c))
        return command_refuse("out of memory");
    bool right = true;
    for (unsigned i = 0; right && i < landscape.count; i++) {
        struct shape *shape = &landscape.shape[i];
        progress_bar(i, landscape.count, shape->name);
        snprintf(name, sizeof name, "tune-%s", shape->name);
        settings_program(s, name, program);
        if (access(program, X_OK) != 0)
            compiler_reason(program, shape->reason, sizeof shape->reason);
        else
            right = time_shape(s, &t, &landscape, shape, program, &failure);
    }
    progress_clear();
    trial_free(&t);
    if (!right) {
        fprintf(stderr, "lab tune: %s\n", failure.message);
        return 1;
    }
    path_join(data, s->folder, "tune.csv");
    path_join(picture, s->folder, "tune.png");
    if (!write_csv(&landscape, work.operations, data)) {
        fprintf(stderr, "lab tune: %s cannot be written\n", data);
        return 1;
    }
    bool drawn = draw(s, data, picture, landscape.gpu[0] != '\0' ? landscape.gpu : s->gpu);
    qsort(landscape.shape, landscape.count, sizeof landscape.shape[0], fastest_first);
    struct report report; /* for the heading */
    struct terminal terminal = terminal_open(stdout);
    if (run_report_begin(&report, s)) {
        report_print_heading(&terminal, &report, &s->model);
        report_free(&report);
    }
    show_landscape(&terminal, s, &landscape, work.operations);
    terminal_print(&terminal, STYLE_DIM, "\n  all shapes %s", data + strlen(s->root) + 1);
    terminal_print(&terminal, STYLE_DIM,
                   drawn ? "; picture %s\n\n" : "; no picture: gnuplot is missing or failed\n\n",
                   picture + strlen(s->root) + 1);
    return 0;
}

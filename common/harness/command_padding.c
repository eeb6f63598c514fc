/*
 * Padding: solutions/labN-topic/padding/step-padP.cu, the same kernel with P unused words after each row of a
 * tile in shared memory. What the bank-conflict counter says of each: exact on the simulated GPU, ncu's on a
 * real one.
 */
#include "analysis/format.h"
#include "analysis/text.h"
#include "harness/commands.h"
#include "harness/measure.h"
#include "harness/run_report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show_counter(const struct terminal *t, const struct report_run *run, enum counter counter) {
    uint64_t value;
    if (report_run_counter(run, counter, &value))
        fprintf(t->out, "%13llu", (unsigned long long)value);
    else
        fprintf(t->out, "%13s", "-");
}

static void show_paddings(const struct terminal *t, const struct settings *s, const struct report *report) {
    static const enum counter columns[] = {COUNTER_shared_load_wavefronts, COUNTER_shared_store_wavefronts,
                                           COUNTER_shared_bank_conflicts};
    terminal_print(t, STYLE_DIM, "\n  %-7s%13s%13s%13s%13s\n", "padding", "load passes", "store passes",
                   "conflicts", s->device == DEVICE_SIM ? "modelled" : "time");
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        char time[FORMAT_SIZE];
        format_time(time, run->time_us);
        fprintf(t->out, "  %-7s", run->name);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            show_counter(t, run, columns[c]);
        fprintf(t->out, "%13s\n", time);
    }
    if (report->run_count > 0 && report->runs[0].kernel_count > 0)
        terminal_print(t, STYLE_DIM, "  Passes of the shared memory, conflicts among them: %s.\n\n",
                       s->device == DEVICE_SIM                                      ? "counted"
                       : strcmp(report->runs[0].kernels[0].time_source, "ncu") == 0 ? "by ncu"
                                                                                    : "by the simulator");
}

int command_padding(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    static const char *const paddings[] = {"0", "1", "2", "4"};
    enum { PADDINGS = sizeof paddings / sizeof *paddings };
    char error[SETTINGS_ERROR], path[PATH_SIZE], name[32];
    struct measure_variant variants[PADDINGS] = {0};
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    for (int i = 0; i < PADDINGS; i++) {
        snprintf(variants[i].name, sizeof variants[i].name, "%s", paddings[i]);
        snprintf(name, sizeof name, "step-pad%s", paddings[i]);
        settings_program(s, name, variants[i].program);
        if (access(variants[i].program, X_OK) != 0) {
            snprintf(error, sizeof error, "%.900s is not built: start this by `make %s-padding`",
                     variants[i].program, lab);
            return command_refuse(error);
        }
    }
    struct report report;
    struct failure failure = {0};
    struct judge_wrong wrong = {0};
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    bool right = measure_variants(s, 0, variants, PADDINGS, -1, &report, &wrong, &failure);
    if (!right)
        right = report_set_failure(&report, failure.stage, failure.message) && false;
    path_join(path, s->folder, "padding.json");
    bool written = report_write(&report, path, error, sizeof error);
    struct terminal terminal = terminal_open(stdout);
    report_print_heading(&terminal, &report, &s->model);
    if (right) {
        show_paddings(&terminal, s, &report);
    } else {
        terminal_print(&terminal, STYLE_BAD, "\nNot measured\n  ");
        terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, failure.message);
    }
    report_free(&report);
    if (!written)
        return command_refuse(error);
    return right ? 0 : 1;
}

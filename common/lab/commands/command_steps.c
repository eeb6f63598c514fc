/* The ladder: every step of the solutions up to this lab, timed side by side, beside the
 * lecture's. */
#include "lab/commands/commands.h"
#include "lab/judge/measure/measure.h"
#include "lab/judge/run.h"
#include "lab/ladder/ladder.h"
#include "lab/ladder/measured.h"
#include "report/writers/format.h"
#include "report/writers/rows.h"
#include "report/writers/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The counter that fell most since the step before: what the step is about. */
static void explain(const struct report_run *before, const struct report_run *run, char *text, size_t size) {
    static const struct {
        enum counter counter;
        const char *name;
    } candidates[] = {
        {COUNTER_global_load_sectors, "load sectors"},
        {COUNTER_global_load_requests, "load requests"},
        {COUNTER_shared_load_wavefronts, "shared wavefronts"},
        {COUNTER_warp_instructions, "instructions"},
        {COUNTER_inst_conversion, "conversions"},
    };
    double best = 1.02;
    uint64_t value, old;
    *text = '\0';
    if (before == NULL) {
        uint64_t requests;
        if (report_run_counter(run, COUNTER_global_load_sectors, &value) &&
            report_run_counter(run, COUNTER_global_load_requests, &requests) && requests > 0)
            snprintf(text, size, "%.2f sectors a load request", (double)value / (double)requests);
        return;
    }
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!report_run_counter(run, candidates[i].counter, &value) ||
            !report_run_counter(before, candidates[i].counter, &old) || old < 10000 ||
            (double)old / (double)(value + 1) <= best)
            continue;
        best = (double)old / (double)(value + 1);
        char from[FORMAT_SIZE], to[FORMAT_SIZE];
        snprintf(text, size, "%s %s -> %s", candidates[i].name, format_count(from, old),
                 format_count(to, value));
    }
}

/* The step a run is of; NULL for the plain copy timed beside them. */
static const struct ladder_step *step_of(const struct ladder *ladder, const struct report_run *run) {
    for (unsigned i = 0; i < ladder->count; i++)
        if (strcmp(ladder->variant[i].name, run->name) == 0)
            return &ladder->step[i];
    return NULL;
}

static const char *name_of(const struct ladder *ladder, const struct report_run *run) {
    const struct ladder_step *step = step_of(ladder, run);
    return step != NULL ? step->name : run->name;
}

/* Whether this part has measured times beside the modelled ones. */
static bool has_measured(const struct report *report, const char *part) {
    bool any = false;
    for (uint32_t i = 0; i < report->run_count; i++)
        any = any || (run_is_of_part(&report->runs[i], part) && isfinite(report->runs[i].measured_us));
    return any;
}

enum {
    STEP_CELL_BY = RUN_CELL_INTERVAL + 1,
    STEP_CELL_MEASURED,
    STEP_CELL_MEASURED_SPEEDUP,
    STEP_CELL_MEASURED_BY,
    STEP_CELL_MARK
};

/* What was measured of a step, over the first step of its part and over the one before. */
static void measured_cells(struct table_row *row, const struct report_run *first,
                           const struct report_run *before, const struct report_run *run) {
    char text[FORMAT_SIZE];
    snprintf(row->cell[STEP_CELL_MEASURED], TABLE_CELL, "%s", format_time(text, run->measured_us));
    snprintf(row->cell[STEP_CELL_MEASURED_SPEEDUP], TABLE_CELL, "%s",
             format_ratio(text, first->measured_us / run->measured_us));
    if (before != NULL)
        snprintf(row->cell[STEP_CELL_MEASURED_BY], TABLE_CELL, "%s",
                 format_ratio(text, before->measured_us / run->measured_us));
    if (run->contradicted[0] != '\0') {
        snprintf(row->cell[STEP_CELL_MARK], TABLE_CELL, "!");
        row->style[STEP_CELL_MARK] = STYLE_WARN;
        row->style[STEP_CELL_MEASURED] = STYLE_STRONG;
    }
}

static void show_ladder(const struct terminal *t, const struct ladder *ladder, const struct report *report,
                        const struct report_part *part) {
    static const struct table_column alone[] = {
        {RUN_CELL_NAME, "step", 2, -6},  {RUN_CELL_TIME, "time", 0, 10},
        {RUN_CELL_BAND, "", 1, -6},      {RUN_CELL_SPEEDUP, "speedup", 0, 9},
        {STEP_CELL_BY, "step by", 0, 9}, {RUN_CELL_LIMITER, "limiter", 2, 0}};
    static const struct table_column both[] = {
        {RUN_CELL_NAME, "step", 2, -6},           {RUN_CELL_TIME, "modelled", 0, 10},
        {RUN_CELL_SPEEDUP, "speedup", 0, 9},      {STEP_CELL_BY, "step by", 0, 9},
        {STEP_CELL_MEASURED, "measured", 1, 11},  {STEP_CELL_MEASURED_SPEEDUP, "speedup", 0, 9},
        {STEP_CELL_MEASURED_BY, "step by", 0, 9}, {STEP_CELL_MARK, "", 1, -1},
        {RUN_CELL_LIMITER, "limiter", 1, 0}};
    static const struct table_column narrow[] = {
        {RUN_CELL_NAME, "step", 2, -6},           {RUN_CELL_TIME, "modelled", 0, 10},
        {STEP_CELL_BY, "step by", 0, 9},          {STEP_CELL_MEASURED, "measured", 1, 11},
        {STEP_CELL_MEASURED_BY, "step by", 0, 9}, {STEP_CELL_MARK, "", 1, -1},
        {RUN_CELL_LIMITER, "limiter", 1, 0}};
    struct table table = {*t, false, alone, sizeof alone / sizeof *alone};
    if (has_measured(report, part != NULL ? part->name : "")) {
        bool wide = terminal_width(t) >= TERMINAL_WIDTH;
        table.columns = wide ? both : narrow;
        table.count = wide ? sizeof both / sizeof *both : sizeof narrow / sizeof *narrow;
    }
    const struct report_run *before = NULL, *first = NULL;
    char text[FORMAT_SIZE];
    if (part != NULL)
        report_print_part(t, part);
    fputc('\n', t->out);
    table_begin(&table);
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        struct table_row row;
        if (part != NULL && !run_is_of_part(run, part->name))
            continue;
        run_row(&row, NULL, run);
        snprintf(row.cell[RUN_CELL_NAME], TABLE_CELL, "%s", name_of(ladder, run));
        row.style[RUN_CELL_NAME] = STYLE_STRONG;
        if (step_of(ladder, run) == NULL) { /* the plain copy */
            snprintf(row.cell[RUN_CELL_LIMITER], TABLE_CELL, "%s", row.cell[RUN_CELL_SHAPE]);
        } else {
            first = first != NULL ? first : run;
            if (before != NULL)
                snprintf(row.cell[STEP_CELL_BY], TABLE_CELL, "%s%s",
                         report_not_apart(report, before, run) ? "~ " : "",
                         format_ratio(text, before->time_us / run->time_us));
            if (isfinite(run->measured_us))
                measured_cells(&row, first, before, run);
            before = run;
        }
        table_row(&table, &row);
    }
}

static void show_bullet(const struct terminal *t, const char *text) {
    fputs("  ! ", t->out);
    terminal_wrap(t, STYLE_WARN, 4, 4, text);
}

/* Says what the mark of steps that are not apart means, if there are any. */
static void show_apart(const struct terminal *t, const struct ladder *ladder, const struct report *report) {
    const struct report_run *before = NULL;
    bool any = false;
    char text[256];
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        if (step_of(ladder, run) == NULL)
            continue;
        any = any || (before != NULL && step_of(ladder, before)->part == step_of(ladder, run)->part &&
                      report_not_apart(report, before, run));
        before = run;
    }
    if (!any)
        return;
    snprintf(text, sizeof text,
             "~: not apart. Modelled times that differ by less than %.0f %% may come in the other order.",
             report->device.apart * 100);
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_DIM, 2, 2, text);
}

/* Says where the model contradicts measured times, where kernels spill registers (which it does
 * not charge), and how the measured times were taken. */
static void show_honesty(const struct terminal *t, const struct ladder *ladder, const struct report *report) {
    char text[1024];
    bool measured = has_measured(report, "");
    if (report->measured == NULL)
        return;
    fputc('\n', t->out);
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        if (run->contradicted[0] != '\0')
            show_bullet(t, run->contradicted);
        for (uint32_t k = 0; k < run->kernel_count; k++) {
            const struct kernel_report *kernel = &run->kernels[k];
            if (!kernel->spill_known || kernel->spill_bytes == 0 || !kernel_report_by_counters(kernel))
                continue;
            snprintf(text, sizeof text,
                     "%s: %.64s spills %u bytes per thread: a real GPU pays for this, the model does not.",
                     name_of(ladder, run), kernel->name, kernel->spill_bytes);
            show_bullet(t, text);
        }
    }
    fputs("  ", t->out);
    snprintf(
        text, sizeof text, "%s%s", report->measured,
        measured
            ? " A step is marked where one gains and the other loses (2 % or less is neither), where the model sees "
              "nothing of a change of 10 % or more, or where they differ by more than a quarter."
            : "");
    terminal_wrap(t, STYLE_DIM, 2, 2, text);
}

/* What each step changes, and the counter that shows it. */
static void show_titles(const struct terminal *t, const struct ladder *ladder, const struct report *report) {
    const struct report_run *before = NULL;
    terminal_print(t, STYLE_STRONG, "\n  What each step changes\n");
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        const struct ladder_step *step = step_of(ladder, run);
        char text[TABLE_CELL];
        if (step == NULL)
            continue;
        if (before != NULL && step_of(ladder, before)->part != step->part)
            before = NULL;
        fprintf(t->out, "  %-6s ", step->name);
        terminal_wrap(t, STYLE_NORMAL, 9, 9, step->title);
        explain(before, run, text, sizeof text);
        if (*text != '\0')
            terminal_print(t, STYLE_DIM, "         %s\n", text);
        before = run;
    }
}

static void show_bar(const struct terminal *t, const char *full, double share, const char *time) {
    int bar = (int)terminal_width(t) - 30;
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = (int)lround(share * bar * 8);
    bool whole = strcmp(full, "█") != 0; /* only this one comes in eighths */
    for (int k = 0; k < (whole ? (eighths + 4) / 8 : eighths / 8); k++)
        fputs(full, t->out);
    fprintf(t->out, "%s %s\n", whole ? "" : parts[eighths % 8], time);
}

static void show_chart(const struct terminal *t, const struct ladder *ladder, const struct report *report) {
    double most = 0;
    for (uint32_t i = 0; i < report->run_count; i++)
        most = fmax(fmax(most, report->runs[i].time_us), report->runs[i].measured_us); /* fmax ignores NAN */
    fputc('\n', t->out);
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        char time[FORMAT_SIZE], measured[FORMAT_SIZE + 16];
        fprintf(t->out, "  %-6s ", name_of(ladder, run));
        show_bar(t, "█", run->time_us / most, format_banded_time(time, run->time_us, run->band));
        if (isfinite(run->measured_us)) {
            snprintf(measured, sizeof measured, "%s measured", format_time(time, run->measured_us));
            fputs("         ", t->out);
            show_bar(t, "░", run->measured_us / most, measured);
        }
    }
}

static void show_lecture(const struct terminal *t, const struct lecture *lecture, const struct ladder *ladder,
                         const struct report *report) {
    const struct lecture_step *first = &lecture->step[0];
    terminal_print(t, STYLE_STRONG, "\n  %s\n", lecture->title);
    terminal_print(t, STYLE_DIM, "  %-5s%11s%10s%12s%10s%9s\n", "step", "its slide", "speedup", "per launch",
                   "speedup", "ours");
    for (const struct lecture_step *l = first; l < first + lecture->count; l++) {
        char ours[FORMAT_SIZE] = "-", slide[FORMAT_SIZE], launch[FORMAT_SIZE];
        for (uint32_t i = 0; i < report->run_count; i++)
            if (strcmp(name_of(ladder, &report->runs[i]), l->step) == 0)
                format_ratio(ours, report->runs[i].speedup);
        bool noted = l->note[0] != '\0' && terminal_width(t) >= TERMINAL_WIDTH;
        fprintf(t->out, "  %-5s%8.2f ms%10s%9.3f ms%10s%9s%s%s\n", l->step, l->slide_ms,
                format_ratio(slide, first->slide_ms / l->slide_ms), l->launch_ms,
                format_ratio(launch, first->launch_ms / l->launch_ms), ours, noted ? "  " : "",
                noted ? l->note : "");
    }
    fputs("  ", t->out);
    terminal_wrap(t, STYLE_DIM, 2, 2, lecture->why);
}

/* Which part of the report a run is of, from 1; 0: the lab has one. */
static unsigned part_of(const struct report *report, const struct report_run *run) {
    for (unsigned part = 0; part < report->part_count; part++)
        if (run_is_of_part(run, report->parts[part].name))
            return part + 1;
    return 0;
}

/* What the limiters of these runs are: "dram: the device memory; ...". */
static void limiter_key(const struct report *report, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
        const char *name = gpu_unit_name((enum gpu_unit)unit);
        bool met = false;
        for (uint32_t i = 0; i < report->run_count; i++)
            met = met || strcmp(run_limiter(&report->runs[i]), name) == 0;
        if (met && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used > 0 ? "\n" : "", name,
                                     gpu_unit_meaning((enum gpu_unit)unit));
    }
    bool gaps = false;
    for (uint32_t i = 0; i < report->run_count; i++)
        gaps = gaps || run_has_gaps(&report->runs[i]);
    if (gaps && used < size)
        snprintf(text + used, size - used, "%sgaps: the GPU waits for copies or the host",
                 used > 0 ? "\n" : "");
}

/* Writes build/labN/steps.tsv and, by gnuplot, steps.png. Without gnuplot there is the text
 * chart alone. */
static bool draw(const struct settings *s, const struct ladder *ladder, const struct report *report,
                 char picture[PATH_SIZE]) {
    char data[PATH_SIZE], command[PATH_SIZE * 3];
    path_join(data, s->folder, "steps.tsv");
    path_join(picture, s->folder, "steps.png");
    FILE *file = fopen(data, "wb");
    if (file == NULL)
        return false;
    fprintf(
        file,
        "step\ttime_us\tspeedup\tlimiter\tmeasured_us\tpart\ttitle\n"); /* measured: nan where there is none */
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        const struct ladder_step *step = step_of(ladder, run);
        const char *limiter = run_limiter(run);
        fprintf(file, "%s\t%.9g\t%.9g\t%s\t%.9g\t%u\t%s\n", name_of(ladder, run), run->time_us, run->speedup,
                limiter[0] != '\0' ? limiter : "-", run->measured_us, part_of(report, run),
                step != NULL ? step->title : "from device to device");
    }
    if (fclose(file) != 0)
        return false;
    char title[160];
    if (s->lab.part_count > 1)
        snprintf(title, sizeof title, "%s, %s", s->lab.title,
                 s->device == DEVICE_SIM ? "modelled" : "measured");
    else
        snprintf(title, sizeof title, "%s, %u x %u, %s", s->lab.problem->function, s->width, s->height,
                 s->device == DEVICE_SIM ? "modelled" : "measured");
    snprintf(command, sizeof command, "%s (%s)", title,
             report->device.gpu != NULL ? report->device.gpu : s->gpu);
    char key[1024], parts[512] = "";
    limiter_key(report, key, sizeof key);
    for (uint32_t part = 0; part < report->part_count; part++)
        snprintf(parts + strlen(parts), sizeof parts - strlen(parts), "%s%s: %s", part > 0 ? "\t" : "",
                 report->parts[part].name, report->parts[part].title);
    return command_plot(s, "common/lab/plots/ladder.gp",
                        (const char *[]){data, picture, command, key, parts, NULL});
}

/* The steps of one part after the other; those of a part are neighbours. */
static bool measure_parts(const struct settings *s, const struct ladder *ladder,
                          const struct measure_results *to) {
    bool right = true;
    for (unsigned part = 0; right && part < s->lab.part_count; part++) {
        unsigned first = 0, count = 0;
        for (unsigned i = ladder->count; i-- > 0;)
            if (ladder->step[i].part == part) {
                first = i;
                count++;
            }
        if (count > 0)
            right = measure_variants(s, part, ladder->variant + first, count, -1, to);
    }
    return right;
}

int command_steps(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR], path[PATH_SIZE], picture[PATH_SIZE];
    struct ladder ladder = {.count = 0};
    struct measured measured;
    struct lecture lecture;
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    unsigned last = (unsigned)strtoul(s->lab.id + 3, NULL, 10), numbers[LABS_MOST];
    unsigned labs = lab_numbers(s->root, numbers);
    for (unsigned i = 0; i < labs && numbers[i] <= last; i++)
        if (!ladder_add(&ladder, s, numbers[i], error, sizeof error))
            return command_refuse(error);
    if (ladder.count == 0)
        return command_refuse("there are no steps");
    if (!ladder_built(&ladder, error, sizeof error) || !lecture_load(s, &lecture, error, sizeof error) ||
        !measured_load(s, &measured, error, sizeof error))
        return command_refuse(error);

    struct report report;
    struct failure failure = {0};
    struct judge_wrong wrong = {0};
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    bool right = measure_parts(s, &ladder, &(struct measure_results){&report, &wrong, &failure});
    if (!right)
        right = report_set_failure(&report, failure.stage, failure.message) && false;
    else if (s->device == DEVICE_SIM && !measured_compare(&measured, s, &ladder, &report))
        return command_refuse("out of memory");
    path_join(path, s->folder, "steps.json");
    bool written =
        report_write(&report, path, error, sizeof error) && report_settle(&report, error, sizeof error);

    struct terminal terminal = terminal_open(stdout);
    report_print_heading(&terminal, &report, &s->model);
    if (right) {
        if (report.part_count == 0)
            show_ladder(&terminal, &ladder, &report, NULL);
        for (unsigned part = 0; part < report.part_count; part++)
            show_ladder(&terminal, &ladder, &report, &report.parts[part]);
        show_apart(&terminal, &ladder, &report);
        show_honesty(&terminal, &ladder, &report);
        show_titles(&terminal, &ladder, &report);
        show_chart(&terminal, &ladder, &report);
        if (lecture.count > 0)
            show_lecture(&terminal, &lecture, &ladder, &report);
        bool drawn = draw(s, &ladder, &report, picture);
        terminal_print(&terminal, STYLE_DIM, "\n  report %s", path + strlen(s->root) + 1);
        terminal_print(&terminal, STYLE_DIM,
                       drawn ? "; picture %s\n\n" : "; no picture: gnuplot is missing or failed\n\n",
                       picture + strlen(s->root) + 1);
    } else {
        terminal_print(&terminal, STYLE_BAD, "\nNot measured\n  ");
        terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, failure.message);
    }
    report_free(&report);
    if (!written)
        return command_refuse(error);
    return right ? 0 : 1;
}

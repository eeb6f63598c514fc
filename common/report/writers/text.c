/* text.c: a report on a terminal, as `make labN` prints it and as the whole profile. */
#include "report/writers/text.h"

#include "base/path.h"
#include "report/writers/breakdown.h"
#include "report/writers/format.h"
#include "report/writers/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_KERNELS = 3, TOP_FINDINGS = 8, TOP_WAITS = 5 };

/* ---- one kernel */

static void print_units(const struct terminal *t, const struct kernel_report *kernel) {
    char busy[FORMAT_SIZE], bar[FORMAT_SIZE];
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
        double share = kernel->unit_share[unit];
        const char *name = gpu_unit_name((enum gpu_unit)unit);
        if (!isfinite(share) || share < 0.005)
            continue;
        bool limit = unit == (int)kernel->limiter;
        fputs("    ", t->out);
        terminal_print(t, limit ? STYLE_STRONG : STYLE_NORMAL, "%-8s %6s  %s", name,
                       format_share(busy, share), format_bar(bar, share, (int)terminal_width(t) - 40));
        fputs(!limit ? "\n" : kernel_at_limit(kernel) ? "  <- the limit\n" : "  <- the most\n", t->out);
    }
}

static void print_memory(const struct terminal *t, const struct kernel_report *kernel,
                         const struct gpu_model *model) {
    static const struct table_column columns[] = {
        {MEMORY_CELL_NAME, "memory", 2, -11},       {MEMORY_CELL_REQUESTS, "requests", 0, 12},
        {MEMORY_CELL_TRANSACTIONS, "moved", 0, 20}, {MEMORY_CELL_BYTES, "bytes", 0, 9},
        {MEMORY_CELL_RATE, "GB/s", 0, 7},           {MEMORY_CELL_PEAK, "of", 0, 7},
        {MEMORY_CELL_SHARE, "share", 0, 6},         {MEMORY_CELL_HITS, "hit", 0, 6}};
    const struct table table = {*t, false, columns, sizeof columns / sizeof *columns};
    (void)memory_table(&table, kernel, model, "\n");
}

/* "integer 71 %, memory 11 %, ..." */
static void print_mix(const struct terminal *t, const struct kernel_report *kernel) {
    struct mix mix;
    char text[512] = "instructions: ", share[FORMAT_SIZE];
    if (!instruction_mix(kernel, &mix))
        return;
    for (uint32_t i = 0; i < mix.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", i > 0 ? ", " : "",
                 mix.classes[i].name, format_share(share, mix.classes[i].share));
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 4, text);
}

/* Prints what warps wait for, and before which lines. */
static void print_waits(const struct terminal *t, const struct kernel_report *kernel) {
    char text[640], words[400], share[FORMAT_SIZE];
    kernel_waits_words(&kernel->waits, words, sizeof words);
    if (*words == '\0')
        return;
    snprintf(text, sizeof text, "warps wait for: %s", words);
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 4, text);
    for (uint32_t i = 0; i < kernel->waits.count && i < TOP_WAITS; i++) {
        const struct kernel_wait *line = &kernel->waits.lines[i];
        if (line->share < 0.05 || line->stall_share <= 0)
            break;
        snprintf(text, sizeof text, "%.64s:%u: %s of their time", path_name(line->file), line->line,
                 format_share(share, line->share));
        snprintf(text + strlen(text), sizeof text - strlen(text), "; for %s (%s)",
                 gpu_stall_meaning(line->stall), format_share(share, line->stall_share / line->share));
        fputs("    ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 4, 6, text);
    }
}

/* Prints how many blocks each resource of an SM has room for. */
static void print_occupancy(const struct terminal *t, const struct kernel_report *kernel,
                            const struct gpu_model *model) {
    uint32_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
    char text[320];
    if (model == NULL || threads == 0 || kernel->registers == 0)
        return;
    struct gpu_occupancy now = gpu_occupancy(model, threads, kernel->registers, kernel->shared_bytes);
    snprintf(
        text, sizeof text,
        "an SM holds %u block%s, %u of %u warps; blocks by registers %u, by shared memory %u, by warps %u, "
        "at most %u%s%s",
        now.blocks_per_sm, now.blocks_per_sm == 1 ? "" : "s", now.warps_per_sm, model->max_warps_per_sm,
        now.blocks_by[GPU_LIMIT_REGISTERS], now.blocks_by[GPU_LIMIT_SHARED], now.blocks_by[GPU_LIMIT_WARPS],
        model->max_blocks_per_sm, now.limit == GPU_LIMIT_NONE ? "" : "; first out: ",
        now.limit == GPU_LIMIT_NONE ? "" : gpu_limit_name(now.limit));
    fputs("  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 4, text);
}

static void print_kernel(const struct terminal *t, const struct kernel_report *kernel,
                         const struct gpu_model *model) {
    char time[FORMAT_SIZE], theoretical[FORMAT_SIZE], achieved[FORMAT_SIZE], waves[24] = "-", shape[512],
                                                                             timed[KERNEL_TIMED_WHY + 64];
    terminal_print(t, STYLE_STRONG, "%.64s", kernel->name);
    bool timed_at_all = isfinite(kernel->time_us);
    snprintf(shape, sizeof shape, "%s%s%s%s  grid %ux%ux%u  block %ux%ux%u  registers %u  shared %u B",
             timed_at_all ? format_banded_time(time, kernel->time_us, kernel_band(kernel)) : "no time",
             timed_at_all ? " (" : "", timed_at_all ? time_source_name(kernel->time_source) : "",
             timed_at_all ? ")" : "", kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
             kernel->block[1], kernel->block[2], kernel->registers, kernel->shared_bytes);
    if (kernel->spill_known && kernel->spill_bytes > 0)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "  spills %u B", kernel->spill_bytes);
    if (kernel->code_known)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "  code %u B, busiest part %u B",
                 kernel->code_bytes, kernel->hot_code_bytes);
    if (kernel_launches(kernel) > 1)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "; sums of %" PRIu64 " launches%s",
                 kernel_launches(kernel), kernel->other_shapes ? ", the shape is the longest's" : "");
    kernel_timed_words(kernel, timed, sizeof timed);
    if (timed[0] != '\0')
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "; %s", timed);
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 4, shape);
    if (isfinite(kernel->waves))
        snprintf(waves, sizeof waves, "%.1f", kernel->waves);
    fprintf(t->out, "  occupancy %s of at most %s   waves of blocks %s\n\n",
            format_share(achieved, kernel->occupancy_achieved),
            format_share(theoretical, kernel->occupancy_theoretical), waves);
    print_units(t, kernel);
    print_memory(t, kernel, model);
    print_mix(t, kernel);
    print_waits(t, kernel);
    print_occupancy(t, kernel, model);
    text_executed(t, kernel);
    text_lines(t, kernel);
    fputc('\n', t->out);
    findings_print(t, kernel->findings, TOP_FINDINGS, "  * ");
    text_what_ifs(t, kernel);
}

void text_spills(const struct terminal *t, const struct report_run *run, const struct kernel_report *told) {
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        const struct kernel_report *kernel = &run->kernels[i];
        bool again = told != NULL && strcmp(told->name, kernel->name) == 0;
        char text[256];
        for (uint32_t k = 0; k < i; k++)
            again = again || strcmp(run->kernels[k].name, kernel->name) == 0;
        if (!kernel->spill_known || kernel->spill_bytes == 0 || again)
            continue;
        snprintf(text, sizeof text, "%.64s spills %u bytes per thread%s", kernel->name, kernel->spill_bytes,
                 kernel_report_by_counters(kernel) ? ": a real GPU pays for this, the model does not." : ".");
        fputs("  - ", t->out);
        terminal_wrap(t, STYLE_WARN, 4, 4, text);
    }
}

/* ---- runs and goals */

static void print_runs(const struct terminal *t, const struct report *report, const char *part) {
    bool intervals = false, too_short = false, simulated = report->device.kind == DEVICE_SIM;
    bool any = false;
    for (uint32_t i = 0; i < report->run_count; i++) {
        intervals = intervals || isfinite(report->runs[i].ci95_us[0]);
        any = any || (run_is_of_part(&report->runs[i], part) && isfinite(report->runs[i].time_us));
    }
    if (!any)
        return;
    static const struct table_column modelled[] = {
        {RUN_CELL_NAME, "", 2, -9},         {RUN_CELL_TIME, "modelled", 0, 10},
        {RUN_CELL_BAND, "", 1, -6},         {RUN_CELL_SPEEDUP, "speedup", 0, 8},
        {RUN_CELL_LIMITER, "limit", 2, -8}, {RUN_CELL_SHAPE, "kernel", 2, 0}};
    const struct table_column measured[] = {
        {RUN_CELL_NAME, "", 2, -11},
        {RUN_CELL_TIME, "time", 0, 10},
        {RUN_CELL_SPEEDUP, "speedup", 0, 9},
        {RUN_CELL_LIMITER, "limited by", 2, -10},
        {intervals ? RUN_CELL_INTERVAL : RUN_CELL_SHAPE, intervals ? "95 % of the median" : "kernel", 2, 0},
    };
    const struct table table = {*t, false, simulated ? modelled : measured,
                                simulated ? sizeof modelled / sizeof *modelled
                                          : sizeof measured / sizeof *measured};
    table_begin(&table);
    for (uint32_t i = 0; i < report->run_count; i++) {
        struct table_row row;
        if (!run_is_of_part(&report->runs[i], part) || !isfinite(report->runs[i].time_us))
            continue; /* its note says why it was not timed */
        run_row(&row, report, &report->runs[i]);
        table_row(&table, &row);
        too_short = too_short || run_is_too_short(&report->runs[i]);
    }
    if (too_short) {
        fputs("  ! ", t->out);
        terminal_wrap(t, STYLE_WARN, 4, 4,
                      "registers spill, which the model does not charge: do not believe this time.");
    }
}

static void print_note(const struct terminal *t, const char *name, const char *note, bool *any) {
    terminal_print(t, STYLE_DIM, "%s  %-11s", *any ? "" : "\n", name);
    terminal_wrap(t, STYLE_DIM, 13, 13, note);
    *any = true;
}

/* Prints notes on a run below its line, and the host's time if no run has it. */
static void print_notes(const struct terminal *t, const struct report *report) {
    const struct report_run *yours = report_find_run(report, RUN_YOURS);
    char text[sizeof yours->note + FORMAT_SIZE + 64], number[FORMAT_SIZE];
    bool any = false;
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        if (run->note[0] == '\0')
            continue;
        snprintf(text, sizeof text, "%s", run->note);
        if (isfinite(run->time_us) && yours != NULL && run != yours && strcmp(run->name, RUN_REFERENCE) != 0)
            snprintf(text, sizeof text, "yours is %s as fast; %s",
                     format_ratio(number, run->time_us / yours->time_us), run->note);
        print_note(t, run->name, text, &any);
    }
    if (report_find_run(report, RUN_CPU) == NULL && isfinite(report->cpu_us)) {
        snprintf(text, sizeof text, "%s on this machine's CPU, by its clock",
                 format_time(number, report->cpu_us));
        print_note(t, "cpu", text, &any);
    }
}

/* Prints the clocks at which a real GPU took these times. */
static void print_clocks(const struct terminal *t, const struct report_clocks *clocks) {
    char text[320] = "";
    if (!clocks->present)
        return;
    if (clocks->samples > 0) {
        int length =
            snprintf(text, sizeof text, "SM %.0f MHz, memory %.0f MHz", clocks->sm.mean, clocks->memory.mean);
        if (clocks->hottest > 0)
            length += snprintf(text + length, sizeof text - (size_t)length, ", %.0f C", clocks->hottest);
        if (clocks->throttled[0] != '\0')
            snprintf(text + length, sizeof text - (size_t)length, "; held back by %s", clocks->throttled);
    }
    terminal_print(t, STYLE_DIM, "\n  clocks     ");
    if (text[0] != '\0')
        terminal_wrap(t, STYLE_DIM, 13, 13, text);
    if (clocks->note[0] != '\0') {
        fputs(text[0] != '\0' ? "             " : "", t->out);
        terminal_wrap(t, clocks->samples > 0 ? STYLE_WARN : STYLE_DIM, 13, 13, clocks->note);
    }
}

void text_runs(const struct terminal *t, const struct report *report) {
    if (report->run_count == 0)
        return;
    if (report->part_count == 0) {
        fputc('\n', t->out);
        print_runs(t, report, "");
    }
    for (uint32_t part = 0; part < report->part_count; part++) {
        report_print_part(t, &report->parts[part]);
        print_runs(t, report, report->parts[part].name);
    }
    print_notes(t, report);
    print_clocks(t, &report->clocks);
}

/* Why a goal earns less than its value, or all in spite of it. */
static void explain_goal(const struct terminal *t, const struct report *report,
                         const struct report_goal *goal) {
    /* A bar on several goals is said once. */
    const struct report_goal *next = goal + 1 < report->goals + report->goal_count ? goal + 1 : NULL;
    if (goal->barred != NULL &&
        (next == NULL || next->barred == NULL || strcmp(goal->barred, next->barred) != 0)) {
        fputs("    (", t->out);
        char text[300];
        snprintf(text, sizeof text, "%s)", goal->barred);
        terminal_wrap(t, STYLE_WARN, 5, 5, text);
    }
    char asked[FORMAT_SIZE];
    if (goal->points >= goal->max && goal->value < goal->full && isfinite(goal->benefit))
        terminal_print(t, STYLE_DIM,
                       "    (less than %.0f %% short of %s: modelled times as near are not apart)\n",
                       goal->benefit * 100, format_number(asked, goal->full));
}

/* "Step 2 of 5 reached: tiles in shared memory. Next: several results a thread." Steps are recognised by
 * what they take at the lab's own settings. */
static void print_steps(const struct terminal *t, const struct report *report) {
    const struct report_steps *steps = &report->steps;
    char text[320];
    int length;
    if (steps->count == 0 || report->not_recorded != NULL)
        return;
    if (steps->reached == 0 && steps->title[0] != '\0')
        length = snprintf(text, sizeof text,
                          "No step of %u reached yet; \"%s\" is there, but the time does not show it.",
                          steps->count, steps->title);
    else if (steps->reached == 0)
        length = snprintf(text, sizeof text, "No step of %u reached yet.", steps->count);
    else
        length = snprintf(text, sizeof text, "Step %u of %u reached: %s.", steps->reached, steps->count,
                          steps->title);
    if (steps->next[0] != '\0')
        snprintf(text + length, sizeof text - (size_t)length, " Next: %s.", steps->next);
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 2, text);
}

/* Prints predicted beside measured values. */
static void print_predictions(const struct terminal *t, const struct report *report) {
    if (report->prediction_count > 0)
        fprintf(t->out, "\n  %-20s %12s %12s\n", "Your prediction", "predicted", "result");
    for (uint32_t i = 0; i < report->prediction_count; i++) {
        const struct report_prediction *p = &report->predictions[i];
        fprintf(t->out, "  %-20.20s %12.12s %12.12s  ", p->key, p->predicted,
                p->measured[0] != '\0' ? p->measured : "-");
        terminal_print(t, p->right ? STYLE_GOOD : STYLE_WARN, "%s",
                       p->measured[0] == '\0' ? "not known"
                       : p->right             ? "right"
                                              : "wrong");
        if (p->tolerance > 0)
            fprintf(t->out, " (within %.3g %%)", p->tolerance * 100);
        fputc('\n', t->out);
    }
}

void text_goals(const struct terminal *t, const struct report *report) {
    static const struct table_column columns[] = {
        {GOAL_CELL_NAME, "Goal", 2, -34},
        {GOAL_CELL_VALUE, "value", 0, 9},
        {GOAL_CELL_RANGE, "none .. full", 3, -16},
        {GOAL_CELL_POINTS, "points", 0, 12},
    };
    const struct table table = {*t, false, columns, sizeof columns / sizeof *columns};
    char points[FORMAT_SIZE], max[FORMAT_SIZE], pass[FORMAT_SIZE];
    if (report->goal_count == 0)
        return;
    fputc('\n', t->out);
    table_begin(&table);
    for (uint32_t i = 0; i < report->goal_count; i++) {
        struct table_row row;
        goal_row(&row, &report->goals[i]);
        table_row(&table, &row);
        explain_goal(t, report, &report->goals[i]);
    }
    print_steps(t, report);
    print_predictions(t, report);
    terminal_print(t, report->score_passed ? STYLE_GOOD : STYLE_WARN, "\nScore %s of %s",
                   format_number(points, report->score_points), format_number(max, report->score_max));
    fprintf(t->out, "  (%s", report->score_passed ? "passed" : "not passed yet");
    if (isfinite(report->score_pass))
        fprintf(t->out, "; the pass mark is %s", format_number(pass, report->score_pass));
    fputs(")\n", t->out);
    if (report->too_close)
        terminal_wrap(t, STYLE_WARN, 0, 0,
                      "Too close to the pass mark for this measurement to tell: run again, or ROUNDS=101.");
}

void text_not_recorded(const struct terminal *t, const struct report *report) {
    char text[256];
    if (report->not_recorded == NULL)
        return;
    snprintf(text, sizeof text, "Not recorded: %.200s.", report->not_recorded);
    terminal_wrap(t, STYLE_WARN, 0, 0, text);
}

/* ---- the profile */

/* Ranks the kernels if there are several. */
static void print_ranking(const struct terminal *t, const struct report_run *run) {
    static const struct table_column columns[] = {{RANKED_CELL_NAME, "kernels of this run", 2, -34},
                                                  {RANKED_CELL_LAUNCHES, "launches", 0, 9},
                                                  {RANKED_CELL_TIME, "time", 0, 11},
                                                  {RANKED_CELL_SHARE, "share", 0, 7},
                                                  {RANKED_CELL_LIMIT, "at most", 0, 9}};
    const struct table table = {*t, false, columns, sizeof columns / sizeof *columns};
    struct ranked ranked[RANKED_MOST];
    uint32_t count = rank_kernels(run, ranked);
    if (count < 2)
        return;
    fputc('\n', t->out);
    table_begin(&table);
    for (uint32_t i = 0; i < count; i++) {
        struct table_row row;
        ranked_row(&row, &ranked[i]);
        table_row(&table, &row);
    }
    terminal_print(t, STYLE_DIM,
                   "  at most: how many times faster all together, if this kernel took no time\n");
}

/* Prints the runs on the roofline, in figures. */
static void print_roofline(const struct terminal *t, const struct report *report,
                           const struct report_run *profiled, const struct gpu_model *model) {
    struct roofline roofline;
    if (!roofline_of(profiled, model, &roofline))
        return;
    const struct table_column columns[] = {
        {ROOFLINE_CELL_NAME, "roofline", 2, -12},
        {ROOFLINE_CELL_WORK, roofline.flops ? "GFLOP/s" : "10^9 inst/s", 0, 12},
        {ROOFLINE_CELL_L1, "a byte L1", 0, 11},
        {ROOFLINE_CELL_L2, "L2", 0, 8},
        {ROOFLINE_CELL_DRAM, "DRAM", 0, 8},
        {ROOFLINE_CELL_ROOF, "lowest roof", 0, 14},
        {ROOFLINE_CELL_REACHED, "reached", 0, 9}};
    const struct table table = {*t, false, columns, sizeof columns / sizeof *columns};
    bool any = false;
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        struct roofline_point point;
        struct table_row row;
        if (!run_is_of_part(run, profiled->part != NULL ? profiled->part : "") || run->kernel_count == 0 ||
            !roofline_point(&roofline, run, &point))
            continue;
        if (!any) {
            fputc('\n', t->out);
            table_begin(&table);
        }
        any = true;
        roofline_row(&row, &roofline, run->name, &point);
        table_row(&table, &row);
    }
}

static void print_run(const struct terminal *t, const struct report *report, const struct report_run *run,
                      const struct gpu_model *model) {
    uint32_t top[TOP_KERNELS], count = run_top_kernels(run, top, TOP_KERNELS);
    print_ranking(t, run);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(t->out, "\n%s%s%s: ", run->part != NULL ? run->part : "", run->part != NULL ? ", " : "",
                run->name);
        print_kernel(t, &run->kernels[top[i]], model);
    }
    uint64_t told = 0, launches = run_launches(run);
    for (uint32_t i = 0; i < count; i++)
        told += kernel_launches(&run->kernels[top[i]]);
    if (launches > told)
        fprintf(t->out, "\n  and %" PRIu64 " shorter launch%s\n", launches - told,
                launches - told == 1 ? "" : "es");
    print_roofline(t, report, run, model);
}

void report_print_profile(const struct terminal *t, const struct report *report, const struct report_run *run,
                          const struct gpu_model *model) {
    bool all_parts = run == NULL;
    report_print_heading(t, report, model);
    text_correctness(t, report);
    if (report->source != NULL) /* for a program of `make run`, simgpu prints them */
        text_remarks(t, report);
    text_runs(t, report);
    run = run != NULL ? run : report_main_run(report);
    for (uint32_t i = 0; run != NULL && i < report->run_count; i++) {
        const struct report_run *other = &report->runs[i];
        if (other == run || (all_parts && run->part != NULL && strcmp(other->name, run->name) == 0))
            print_run(t, report, other, model);
    }
    text_goals(t, report);
    text_not_recorded(t, report);
}

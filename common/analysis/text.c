#include "analysis/text.h"

#include "analysis/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_KERNELS = 3, TOP_LINES = 8, TOP_FINDINGS = 8 };

const struct report_run *report_main_run(const struct report *report) {
    const struct report_run *run = report_find_run(report, "yours");
    for (uint32_t i = report->run_count; (run == NULL || run->kernel_count == 0) && i > 0; i--)
        run = &report->runs[i - 1];
    return run != NULL && run->kernel_count > 0 ? run : NULL;
}

uint32_t run_top_kernels(const struct report_run *run, uint32_t *indices, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        uint32_t at = count < most ? count++ : most;
        /* insertion by time; equal times keep the launch order; an unknown time counts as none */
        double time = isfinite(run->kernels[i].time_us) ? run->kernels[i].time_us : 0;
        while (at > 0) {
            double before = run->kernels[indices[at - 1]].time_us;
            if ((isfinite(before) ? before : 0) >= time)
                break;
            if (at < most)
                indices[at] = indices[at - 1];
            at--;
        }
        if (at < most)
            indices[at] = i;
    }
    return count;
}

static void print_units(FILE *to, const struct kernel_report *kernel, bool colour) {
    char busy[FORMAT_SIZE], bar[FORMAT_SIZE];
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
        double share = kernel->unit_share[unit];
        const char *name = gpu_unit_name((enum gpu_unit)unit);
        if (!isfinite(share) || share < 0.005)
            continue;
        bool limit = strcmp(name, kernel->limiter) == 0;
        fprintf(to, "    %s%-8s %6s  %s%s%s\n", limit ? format_bold(colour) : "", name,
                format_share(busy, share), format_bar(bar, share, 40), limit ? format_plain(colour) : "",
                limit ? "  <- the limit" : "");
    }
}

static double line_excess(const struct kernel_line *line) {
    return line->transactions > line->ideal ? (double)(line->transactions - line->ideal) : 0;
}

static int by_transactions(const void *left, const void *right) {
    const struct kernel_line *a = *(const struct kernel_line *const *)left,
                             *b = *(const struct kernel_line *const *)right;
    if (a->transactions != b->transactions)
        return a->transactions < b->transactions ? 1 : -1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(line_kind_name(a->kind), line_kind_name(b->kind));
}

static void print_lines(FILE *to, const struct kernel_report *kernel, bool colour) {
    const struct kernel_line **order = calloc(kernel->line_count + 1, sizeof *order);
    if (order == NULL)
        return;
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->line_count; i++)
        if (kernel->lines[i].kind != LINE_BRANCH && kernel->lines[i].requests > 0)
            order[count++] = &kernel->lines[i];
    qsort(order, count, sizeof *order, by_transactions);
    if (count > 0)
        fprintf(to, "\n  %-28s %-13s %9s %8s %7s %8s\n", "source line", "access", "requests", "each", "ideal",
                "threads");
    for (uint32_t i = 0; i < count && i < TOP_LINES; i++) {
        const struct kernel_line *line = order[i];
        const char *base = strrchr(line->file, '/');
        char place[32], number[12], requests[FORMAT_SIZE];
        char each[FORMAT_SIZE], ideal[FORMAT_SIZE], threads[FORMAT_SIZE];
        snprintf(number, sizeof number, ":%u", line->line);
        snprintf(place, sizeof place, "%.*s%s", (int)(28 - strlen(number)),
                 base != NULL ? base + 1 : line->file, number);
        bool wasteful = line_excess(line) > 0.2 * (double)line->ideal && line->kind != LINE_ATOMIC;
        double requests_made = (double)line->requests;
        fprintf(to, "  %-28s %-13s %9s %s%8s%s %7s %8s\n", place, line_kind_words(line->kind),
                format_count(requests, line->requests), wasteful ? format_yellow(colour) : "",
                format_number(each, (double)line->transactions / requests_made),
                wasteful ? format_plain(colour) : "",
                format_number(ideal, (double)line->ideal / requests_made),
                format_number(threads, (double)line->threads / requests_made));
    }
    if (count > 0)
        fprintf(to, "  %seach: 32-byte sectors a global request touches, bank passes of a shared one%s\n",
                format_dim(colour), format_plain(colour));
    free(order);
}

void kernel_print(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model, bool colour) {
    char time[FORMAT_SIZE], theoretical[FORMAT_SIZE], achieved[FORMAT_SIZE], waves[24] = "-";
    fprintf(to, "%s%.64s%s\n", format_bold(colour), kernel->name, format_plain(colour));
    char shape[256];
    snprintf(shape, sizeof shape, "%s (%s)  grid %ux%ux%u  block %ux%ux%u  registers %u  shared %u B",
             format_time(time, kernel->time_us), kernel->time_source, kernel->grid[0], kernel->grid[1],
             kernel->grid[2], kernel->block[0], kernel->block[1], kernel->block[2], kernel->registers,
             kernel->shared_bytes);
    format_wrap(to, "  ", "    ", shape);
    if (isfinite(kernel->waves))
        snprintf(waves, sizeof waves, "%.1f", kernel->waves);
    fprintf(to, "  occupancy %s of at most %s   waves of blocks %s\n\n",
            format_share(achieved, kernel->occupancy_achieved),
            format_share(theoretical, kernel->occupancy_theoretical), waves);
    print_units(to, kernel, colour);
    print_lines(to, kernel, colour);
    struct findings findings;
    findings_from_report(kernel, model, &findings);
    fputc('\n', to);
    findings_print(to, &findings, TOP_FINDINGS, colour);
}

static void print_runs(FILE *to, const struct report *report) {
    fprintf(to, "\n  %-22s %12s %10s %8s  %s\n", "run", "time", "speedup", "kernels", "limit");
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        char time[FORMAT_SIZE], speedup[FORMAT_SIZE];
        uint32_t top = 0;
        bool any = run_top_kernels(run, &top, 1) > 0;
        fprintf(to, "  %-22.22s %12s %10s %8u  %s\n", run->name, format_time(time, run->time_us),
                format_ratio(speedup, run->speedup), run->kernel_count, any ? run->kernels[top].limiter : "");
    }
}

static void print_cases(FILE *to, const struct report *report, bool colour) {
    fprintf(to, "correctness: %s%u passed, %u failed%s\n",
            report->cases_failed > 0 ? format_red(colour) : format_green(colour), report->cases_passed,
            report->cases_failed, format_plain(colour));
    uint32_t shown = 0;
    for (uint32_t i = 0; i < report->case_count && shown < 3; i++)
        if (!report->cases[i].passed) {
            char text[512];
            snprintf(text, sizeof text, "%.100s: %.380s", report->cases[i].name, report->cases[i].message);
            format_wrap(to, "  ", "    ", text);
            shown++;
        }
}

static void print_goals(FILE *to, const struct report *report, bool colour) {
    if (report->goal_count > 0)
        fprintf(to, "\n  %-34s %10s %10s %10s %9s\n", "goal", "value", "none at", "full at", "points");
    for (uint32_t i = 0; i < report->goal_count; i++) {
        const struct report_goal *goal = &report->goals[i];
        char value[FORMAT_SIZE], zero[FORMAT_SIZE], full[FORMAT_SIZE], points[FORMAT_SIZE], max[FORMAT_SIZE];
        fprintf(to, "  %-34.34s %10s %10s %10s %4s/%s\n", goal->name, format_number(value, goal->value),
                format_number(zero, goal->zero), format_number(full, goal->full),
                format_number(points, goal->points), format_number(max, goal->max));
    }
    if (report->score_max > 0) {
        char points[FORMAT_SIZE], max[FORMAT_SIZE];
        fprintf(to, "\n%sscore %s of %s%s\n",
                report->score_passed ? format_green(colour) : format_bold(colour),
                format_number(points, report->score_points), format_number(max, report->score_max),
                format_plain(colour));
    }
}

void report_print_run(FILE *to, const struct report *report, const struct report_run *run,
                      const struct gpu_model *model, bool colour) {
    bool simulated = report->device.kind != NULL && strcmp(report->device.kind, "sim") == 0;
    fprintf(to, "%s%s%s%s%s\n", format_bold(colour), report->lab != NULL ? report->lab : "",
            report->lab != NULL && report->title != NULL ? ": " : "",
            report->title != NULL ? report->title : "", format_plain(colour));
    char where[512];
    int used = snprintf(where, sizeof where, "%.200s%s",
                        report->device.gpu != NULL ? report->device.gpu : "unknown GPU",
                        simulated ? " (simulated: counters exact, time modelled)" : "");
    if (report->problem.width > 0)
        snprintf(where + used, sizeof where - (size_t)used, "; %u x %u, seed %llu", report->problem.width,
                 report->problem.height, (unsigned long long)report->problem.seed);
    format_wrap(to, "", "  ", where);
    if (model != NULL && report->device.gpu != NULL &&
        gpu_model_stands_in(model, report->device.gpu, where, sizeof where))
        format_wrap(to, "", "  ", where);
    if (report->failure_stage != NULL) {
        char text[1024];
        snprintf(text, sizeof text, "failed (%s): %.900s", report->failure_stage,
                 report->failure_message != NULL ? report->failure_message : "");
        fputs(format_red(colour), to);
        format_wrap(to, "", "  ", text);
        fputs(format_plain(colour), to);
    }
    if (report->case_count > 0)
        print_cases(to, report, colour);
    if (report->run_count > 0)
        print_runs(to, report);
    if (run != NULL) {
        uint32_t top[TOP_KERNELS], count = run_top_kernels(run, top, TOP_KERNELS);
        for (uint32_t i = 0; i < count; i++) {
            fprintf(to, "\n%s: ", run->name);
            kernel_print(to, &run->kernels[top[i]], model, colour);
        }
        if (run->kernel_count > count)
            fprintf(to, "\n  and %u shorter launches\n", run->kernel_count - count);
    }
    print_goals(to, report, colour);
}

void report_print(FILE *to, const struct report *report, const struct gpu_model *model, bool colour) {
    report_print_run(to, report, report_main_run(report), model, colour);
}

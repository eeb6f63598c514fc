#include "harness/show.h"

#include "analysis/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path as the student would type it: relative to where make was started, when below it. */
static const char *shorten(const struct settings *s, const char *path) {
    size_t length = strlen(s->root);
    return strncmp(path, s->root, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

void show_heading(const struct terminal *t, const struct settings *s, const struct report *report) {
    terminal_print(t, STYLE_TITLE, "\nLab %s", s->lab.id + 3);
    terminal_print(t, STYLE_STRONG, "  %s\n", s->lab.title);
    char problem[96];
    int length = s->lab.part_count > 1 ? snprintf(problem, sizeof problem, "%u parts", s->lab.part_count)
                                       : snprintf(problem, sizeof problem, "%u x %u%s", s->width, s->height,
                                                  s->image[0] ? ", your picture" : "");
    if (s->seed != 1)
        snprintf(problem + length, sizeof problem - (size_t)length, ", seed %llu",
                 (unsigned long long)s->seed);
    if (s->device == DEVICE_SIM) {
        static const char form[] = "       simulated %s (counters exact, time modelled),%s%s\n";
        bool fits = snprintf(NULL, 0, form, s->model.name, " ", problem) <= TERMINAL_WIDTH + 1;
        terminal_print(t, STYLE_DIM, form, s->model.name, fits ? " " : "\n       ", problem);
    } else {
        const char *name = report->device.gpu != NULL ? report->device.gpu : "a real GPU";
        char other[256];
        terminal_print(t, STYLE_DIM, "       %s; %s\n", name, problem);
        if (gpu_model_stands_in(&s->model, name, other, sizeof other))
            terminal_print(t, STYLE_DIM, "       %s\n", other);
    }
}

static void show_output(const struct terminal *t, const struct settings *s, const char *output) {
    if (output == NULL || *output == '\0')
        return;
    enum { LINES = 8 };
    terminal_print(t, STYLE_STRONG, "\nYour program printed\n");
    unsigned lines = 0;
    const char *at = output;
    for (; *at != '\0' && lines < LINES; lines++) {
        size_t length = strcspn(at, "\n");
        fprintf(t->out, "  %.*s\n", length > 300 ? 300 : (int)length, at);
        at += length + (at[length] == '\n');
    }
    if (*at != '\0')
        terminal_print(t, STYLE_DIM, "  ... all of it: %s/output.txt\n", shorten(s, s->folder));
}

static void show_wrong(const struct terminal *t, const struct settings *s, const struct judge_wrong *wrong) {
    const struct problem_verdict *v = &wrong->verdict;
    terminal_print(t, STYLE_STRONG, "\nA wrong case  ");
    fprintf(t->out, "%s: %s\n", wrong->problem_case.name, v->message);
    if (v->listed > 0)
        terminal_print(t, STYLE_DIM, "  %10s  %-16s %8s %9s\n", "index",
                       s->lab.problem->picture != NULL ? "at (x, y)"
                       : s->lab.part_count > 1         ? "at" /* the parts need not have the same shape */
                                                       : "at (row, column)",
                       "got", "expected");
    for (unsigned i = 0; i < v->listed; i++)
        fprintf(t->out, "  %10llu  %-16s %8s %9s\n", (unsigned long long)v->first[i].index, v->first[i].where,
                v->first[i].got, v->first[i].expected);
    if (v->wrong > v->listed && v->listed > 0)
        terminal_print(t, STYLE_DIM, "  and %llu more\n", (unsigned long long)(v->wrong - v->listed));
    if (v->hint[0] != '\0') {
        terminal_print(t, STYLE_WARN, "  Likely: ");
        terminal_wrap(t, STYLE_NORMAL, 10, 10, v->hint);
    }
    if (wrong->nondeterministic) {
        terminal_print(t, STYLE_WARN, "  Also:   ");
        terminal_wrap(t, STYLE_NORMAL, 10, 10,
                      "the same input gave two different results: threads race. Is a __syncthreads() missing "
                      "between writing shared "
                      "memory and reading it?");
    }
    char path[PATH_SIZE];
    path_join(path, s->folder, "difference.png");
    if (access(path, F_OK) == 0)
        terminal_print(t, STYLE_DIM, "  Pictures: %s/input.png, output.png, difference.png\n",
                       shorten(s, s->folder));
}

void show_correctness(const struct terminal *t, const struct settings *s, const struct report *report,
                      const struct judge_wrong *wrong, const struct failure *failure, const char *output) {
    unsigned total = report->cases_passed + report->cases_failed;
    if (strcmp(failure->stage, "build") == 0) {
        terminal_print(t, STYLE_BAD, "\nDoes not compile\n");
        fprintf(t->out, "%s\n", failure->message);
        return;
    }
    fputc('\n', t->out);
    if (report->cases_failed == 0 && failure->stage[0] == '\0') {
        terminal_print(t, STYLE_GOOD, "Correct");
        fprintf(t->out, "   %u of %u cases, %s\n", report->cases_passed, total,
                s->lab.problem->picture != NULL ? "bit for bit" : "within the error bound");
    } else if (failure->stage[0] != '\0' && strcmp(failure->stage, "correctness") != 0) {
        static const struct {
            const char *stage, *heading;
        } headings[] = {{"fault", "Stopped"},
                        {"timeout", "Does not end"},
                        {"start", "Cannot start"},
                        {"measure", "Not measured"}};
        const char *heading = "Failed";
        for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
            heading = strcmp(headings[i].stage, failure->stage) == 0 ? headings[i].heading : heading;
        terminal_print(t, STYLE_BAD, "%s", heading);
        if (report->case_count > 0 && report->cases_failed > 0)
            fprintf(t->out, "  in case %s (%u before it are right)",
                    report->cases[report->case_count - 1].name, report->cases_passed);
        fputs("\n  ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 2, 2, failure->message);
    } else {
        terminal_print(t, STYLE_BAD, "Wrong");
        fprintf(t->out, "     %u of %u cases are right\n", report->cases_passed, total);
    }
    if (wrong->present)
        show_wrong(t, s, wrong);
    else if (strcmp(failure->stage, "correctness") == 0) {
        fputs("  ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 2, 2, failure->message);
    }
    show_output(t, s, output);
}

static const struct kernel_report *longest_kernel(const struct report_run *run) {
    const struct kernel_report *longest = NULL;
    for (uint32_t i = 0; i < run->kernel_count; i++)
        if (longest == NULL || run->kernels[i].time_us > longest->time_us)
            longest = &run->kernels[i];
    return longest;
}

const char *show_limiter(const struct report_run *run) {
    const struct kernel_report *longest = longest_kernel(run);
    return longest != NULL && longest->limiter[0] != '\0' ? longest->limiter : "-";
}

bool show_is_of_part(const struct report_run *run, const struct lab_part *part) {
    return part->name[0] == '\0' || (run->part != NULL && strcmp(run->part, part->name) == 0);
}

void show_part(const struct terminal *t, const struct settings *s, unsigned part) {
    if (s->lab.part_count == 1)
        return;
    struct problem_case c;
    settings_timed_case(s, part, s->seed, &c);
    terminal_print(t, STYLE_STRONG, "\n  Part %s: %s", s->lab.parts[part].name, s->lab.parts[part].title);
    terminal_print(t, STYLE_DIM, " (%s)\n", c.name);
}

static void show_table(const struct terminal *t, const struct report *report, const struct lab_part *part) {
    bool intervals = false;
    for (uint32_t i = 0; i < report->run_count; i++)
        intervals = intervals || !isnan(report->runs[i].ci95_us[0]);
    terminal_print(t, STYLE_DIM, "%s  %-11s%10s%10s  %-10s  %s\n", part->name[0] == '\0' ? "\n" : "", "",
                   strcmp(report->device.kind, "sim") == 0 ? "modelled" : "time", "speedup", "limited by",
                   intervals ? "95 % of the median" : "kernel");
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        char time[32], speedup[24];
        if (!show_is_of_part(run, part))
            continue;
        if (isnan(run->time_us))
            continue;
        terminal_time(run->time_us, time, sizeof time);
        snprintf(speedup, sizeof speedup, run->speedup < 0.1 ? "%.1g" : "%.2f", run->speedup);
        enum terminal_style style = strcmp(run->name, "yours") == 0 ? STYLE_STRONG : STYLE_NORMAL;
        terminal_print(t, style, "  %-11s%10s%8s x  %-10s  ", run->name, time, speedup, show_limiter(run));
        if (run->kernel_count == 0 && isnan(run->ci95_us[0]))
            fputs(strcmp(run->name, "copy") == 0 ? "from device to device\n" : "\n", t->out);
        else if (intervals)
            fprintf(t->out, "%.2f .. %.2f us\n", run->ci95_us[0], run->ci95_us[1]);
        else if (run->kernel_count == 1)
            fprintf(t->out, "grid %ux%u, block %ux%u, %u regs\n", run->kernels[0].grid[0],
                    run->kernels[0].grid[1], run->kernels[0].block[0], run->kernels[0].block[1],
                    run->kernels[0].registers);
        else
            fprintf(t->out, "%u kernels\n", run->kernel_count);
    }
}

/* What is to be said of a run beside its line; and on a simulated GPU, whose time is modelled, the host's. */
static void show_notes(const struct terminal *t, const struct report *report, double cpu_us) {
    const struct report_run *cpu = report_find_run(report, "cpu"), *yours = report_find_run(report, "yours");
    bool any = false;
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        if (run->note[0] == '\0')
            continue;
        terminal_print(t, STYLE_DIM, "%s  %-11s", any ? "" : "\n", run->name);
        char text[sizeof run->note + 64];
        snprintf(text, sizeof text, "%s", run->note);
        if (!isnan(run->time_us) && yours != NULL)
            snprintf(text, sizeof text, "yours is %.4g x as fast; %s", run->time_us / yours->time_us,
                     run->note);
        terminal_wrap(t, STYLE_DIM, 13, 13, text);
        any = true;
    }
    if (cpu == NULL && !isnan(cpu_us)) {
        char time[32];
        terminal_time(cpu_us, time, sizeof time);
        terminal_print(t, STYLE_DIM, "%s  %-11s%s on this machine's CPU, by its clock (not in the report)\n",
                       any ? "" : "\n", "cpu", time);
    }
}

static void show_goals(const struct terminal *t, const struct settings *s, const struct report *report,
                       bool too_close) {
    terminal_print(t, STYLE_DIM, "\n  %-34s%9s   %-16s%12s\n", "Goal", "value", "none .. full", "points");
    for (uint32_t i = 0; i < report->goal_count; i++) {
        const struct report_goal *g = &report->goals[i];
        char range[40], value[24];
        snprintf(range, sizeof range, "%g .. %g", g->zero, g->full);
        if (isnan(g->value))
            snprintf(value, sizeof value, "-");
        else
            snprintf(value, sizeof value, fabs(g->value) >= 100 ? "%.1f" : "%.2f", g->value);
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", g->part != NULL ? g->part : "", g->part != NULL ? ": " : "",
                 s->lab.goals[i].measure == MEASURE_SPEEDUP_SHARE ? "speedup / the reference's" : g->name);
        fprintf(t->out, "  %-34s%9s   %-16s", name, value, range);
        terminal_print(t,
                       g->points >= g->max ? STYLE_GOOD
                       : g->points > 0     ? STYLE_NORMAL
                                           : STYLE_WARN,
                       "%5g of %g\n", g->points, g->max);
        if (isnan(g->value) && s->lab.goals[i].measure == MEASURE_SPEEDUP_SHARE && report->run_count >= 3)
            terminal_print(t, STYLE_WARN, "    (at this size the reference is hardly faster than the %s)\n",
                           lab_baseline(&s->lab));
    }
    terminal_print(t, report->score_passed ? STYLE_GOOD : STYLE_WARN, "\nScore %g of %g",
                   report->score_points, report->score_max);
    fprintf(t->out, "  (%s; the pass mark is %g)\n", report->score_passed ? "passed" : "not passed yet",
            s->lab.pass);
    if (too_close)
        terminal_print(
            t, STYLE_WARN,
            "Too close to the pass mark for this measurement to tell: run again, or ROUNDS=101.\n");
}

static void show_findings(const struct terminal *t, const struct settings *s, const struct report *report,
                          const struct lab_part *part) {
    enum { MOST = 3 };
    const struct report_run *yours = report_find_part_run(report, part->name, "yours");
    const struct kernel_report *kernel = yours != NULL ? longest_kernel(yours) : NULL;
    struct findings findings;
    if (kernel == NULL)
        return;
    findings_from_report(kernel, &s->model, &findings);
    if (findings.count == 0)
        return;
    terminal_print(t, STYLE_STRONG, part->name[0] != '\0' ? "\nYour kernel of part %s\n" : "\nYour kernel\n",
                   part->name);
    findings_print(t->out, &findings, MOST, t->colour);
}

void show_results(const struct terminal *t, const struct settings *s, const struct report *report,
                  double cpu_us, bool too_close) {
    if (report->run_count == 0)
        return;
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        show_part(t, s, part);
        show_table(t, report, &s->lab.parts[part]);
    }
    show_notes(t, report, cpu_us);
    for (unsigned part = 0; part < s->lab.part_count; part++)
        show_findings(t, s, report, &s->lab.parts[part]);
    if (report->goal_count > 0)
        show_goals(t, s, report, too_close);
}

void show_next(const struct terminal *t, const struct settings *s, const struct report *report) {
    char file[PATH_SIZE];
    path_print(file, "labs/%s-%s/kernel.cu", s->lab.id, s->lab.topic);
    terminal_print(t, STYLE_STRONG, "\nNext   ");
    if (report->failure_stage != NULL)
        fprintf(t->out, "edit %s, then make %s\n", file, s->lab.id);
    else if (!report->score_passed)
        fprintf(t->out, "edit %s\n       make %s-hint   make %s-profile   make %s-steps\n", file, s->lab.id,
                s->lab.id, s->lab.id);
    else
        fprintf(t->out, "make %s-steps   make %s-profile   make %s-solution   the next lab\n", s->lab.id,
                s->lab.id, s->lab.id);
    terminal_print(t, STYLE_DIM, "Files  %s/report.json", shorten(s, s->folder));
    path_join(file, s->folder, "input.png");
    if (report->run_count > 0 && access(file, F_OK) == 0) /* a matrix has no picture */
        terminal_print(t, STYLE_DIM, ", input.png, output.png");
    path_join(file, s->folder, "benchmark.tsv");
    if (report->run_count > 0 && s->lab.problem->cpu_function != NULL && access(file, F_OK) == 0)
        terminal_print(t, STYLE_DIM, ", benchmark.tsv, benchmark.png");
    fputs("\n\n", t->out);
}

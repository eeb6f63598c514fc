/* Feedback for a terminal or a plain text field, 80 columns. */
#include "class/export/export.h"

#include "analysis/findings.h"
#include "analysis/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DETAIL_LINES = 60, SHOWN_FINDINGS = 4, SHOWN_GOALS = 16 };

/* Several lines, indented, each clean. */
static void print_detail(FILE *to, const char *text) {
    for (unsigned lines = 0; *text != '\0' && lines < DETAIL_LINES; lines++) {
        size_t length = strcspn(text, "\n");
        char raw[512], clean[512];
        snprintf(raw, sizeof raw, "%.*s", (int)(length < 500 ? length : 500), text);
        text_clean(clean, sizeof clean, raw);
        fprintf(to, "  %s\n", clean);
        text += length + (text[length] == '\n');
    }
}

static void print_goals(FILE *to, const struct policy *policy, const struct grade *grade,
                        const struct report *report) {
    struct feedback_goal goals[SHOWN_GOALS];
    unsigned count = feedback_goals(policy, grade, report, goals, SHOWN_GOALS);
    fprintf(to, "  %-34s %9s   %-14s %s\n", "Goal", "yours", "none .. full", "points");
    for (unsigned i = 0; i < count; i++) {
        char value[FORMAT_SIZE], zero[FORMAT_SIZE], full[FORMAT_SIZE], range[FORMAT_SIZE * 2 + 8], points[32],
            max[32];
        snprintf(range, sizeof range, "%s .. %s", format_number(zero, goals[i].zero),
                 format_number(full, goals[i].full));
        fprintf(to, "  %-34s %9s   %-14s %s of %s\n", goals[i].name, format_number(value, goals[i].value),
                range, score_points_text(points, goals[i].points), score_points_text(max, goals[i].max));
    }
    fputc('\n', to);
}

static void print_times(FILE *to, const struct report *report) {
    static const char *const names[] = {"starter", "baseline", "yours", "reference"};
    for (int i = 0; i < 4; i++) {
        const struct report_run *run = report_find_run(report, names[i]);
        char time[FORMAT_SIZE], ratio[FORMAT_SIZE];
        if (run != NULL && isfinite(run->time_us))
            fprintf(to, "  %-10s %12s  %8s  %s\n", names[i], format_time(time, run->time_us),
                    format_ratio(ratio, run->speedup),
                    strcmp(run->time_source, "model") == 0 ? "modelled" : "measured");
    }
    fputc('\n', to);
}

static void print_findings(FILE *to, const struct report_run *run, const struct gpu_model *model) {
    struct findings findings;
    if (run->kernel_count == 0)
        return;
    uint32_t longest = 0;
    for (uint32_t i = 1; i < run->kernel_count; i++)
        if (run->kernels[i].time_us > run->kernels[longest].time_us)
            longest = i;
    findings_from_report(&run->kernels[longest], model, &findings);
    fputs("What limits it\n", to);
    for (uint32_t i = 0; i < findings.count && i < SHOWN_FINDINGS; i++) {
        const struct finding *finding = &findings.items[i];
        char place[48] = "", what[512], advice[400];
        if (finding->line > 0)
            snprintf(place, sizeof place, "line %u: ", finding->line);
        snprintf(what, sizeof what, "%s%s", place, finding->what);
        format_wrap(to, "  - ", "    ", what);
        snprintf(advice, sizeof advice, "try: %s", finding->advice);
        if (finding->advice[0] != '\0')
            format_wrap(to, "    ", "         ", advice);
    }
    fputc('\n', to);
}

static void print_lines(FILE *to, const struct report_run *run) {
    struct feedback_line lines[FEEDBACK_LINES];
    unsigned count = feedback_worst_lines(run, lines);
    if (count == 0)
        return;
    fprintf(to, "Lines of kernel.cu that move more than they must\n  %6s  %-14s %10s %12s %10s\n", "line",
            "kind", "requests", "transactions", "at best");
    for (unsigned i = 0; i < count; i++) {
        char requests[FORMAT_SIZE], transactions[FORMAT_SIZE], ideal[FORMAT_SIZE];
        fprintf(to, "  %6u  %-14s %10s %12s %10s\n", lines[i].line, lines[i].kind,
                format_count(requests, lines[i].requests), format_count(transactions, lines[i].transactions),
                format_count(ideal, lines[i].ideal));
    }
    fputc('\n', to);
}

static void print_result(FILE *to, const struct policy *policy, const struct grade *grade,
                         const struct score_result *result, bool several) {
    const struct report *report = &result->report;
    struct gpu_model model;
    char error[256];
    if (several && result->has_report)
        fprintf(to, "On %s (%s)\n", report->device.gpu != NULL ? report->device.gpu : "this device",
                report->device.kind != NULL && strcmp(report->device.kind, "cuda") == 0 ? "real"
                                                                                        : "simulated");
    if (result->detail[0] != '\0') {
        fputs("What happened\n", to);
        print_detail(to, result->detail);
        fputc('\n', to);
    }
    if (!result->has_report || strcmp(result->outcome, "judged") != 0)
        return;
    const struct report_run *run = report_find_run(report, "yours");
    bool known = report->device.model != NULL &&
                 gpu_model_load(NULL, report->device.model, &model, error, sizeof error);
    print_goals(to, policy, grade, report);
    print_times(to, report);
    if (run != NULL) {
        print_findings(to, run, known ? &model : NULL);
        print_lines(to, run);
    }
}

void feedback_text(FILE *to, const struct policy *policy, const struct grade *grade,
                   const struct score_result *results, unsigned count) {
    char points[32], max[32], percent[32];
    fprintf(to, "%s of %s%s%s%s\n\n", grade->lab, grade->name[0] != '\0' ? grade->name : grade->student,
            grade->name[0] != '\0' ? " (" : "", grade->name[0] != '\0' ? grade->student : "",
            grade->name[0] != '\0' ? ")" : "");
    fprintf(to, "Score %s of %s  (%s)\n", score_points_text(points, grade->points),
            score_points_text(max, grade->max), grade->passed ? "passed" : "not passed");
    if (grade->late_percent > 0 && grade->earned > 0)
        fprintf(to, "      %s earned, %s %% off for %u day%s late\n",
                score_points_text(points, grade->earned), score_points_text(percent, grade->late_percent),
                grade->late_days, grade->late_days == 1 ? "" : "s");
    fputc('\n', to);
    if (grade->message[0] != '\0') {
        format_wrap(to, "", "", grade->message);
        fputc('\n', to);
    }
    for (unsigned i = 0; i < count; i++)
        print_result(to, policy, grade, &results[i], count > 1);
    if (grade->notes[0] != '\0') {
        fputs("What was handed in\n", to);
        format_wrap(to, "  ", "  ", grade->notes);
    }
}

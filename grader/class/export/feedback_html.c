/* Feedback as one page of its own: no scripts, nothing fetched. */
#include "class/export/export.h"

#include "analysis/findings.h"
#include "analysis/format.h"
#include "analysis/html_escape.h"
#include "class/export/page.h"

#include <math.h>
#include <string.h>

enum { SHOWN_FINDINGS = 6, SHOWN_GOALS = 16 };

static void write_goals(FILE *to, const struct policy *policy, const struct grade *grade,
                        const struct report *report) {
    struct feedback_goal goals[SHOWN_GOALS];
    unsigned count = feedback_goals(policy, grade, report, goals, SHOWN_GOALS);
    fputs("<table><tr><th>Goal</th><th>yours</th><th>none .. full</th><th>points</th></tr>\n", to);
    for (unsigned i = 0; i < count; i++) {
        char text[FORMAT_SIZE], points[32];
        fputs("<tr><td>", to);
        html_escape(to, goals[i].name);
        fprintf(to, "</td><td>%s</td>", format_number(text, goals[i].value));
        fprintf(to, "<td>%s .. ", format_number(text, goals[i].zero));
        fprintf(to, "%s</td>", format_number(text, goals[i].full));
        fprintf(to, "<td>%s of ", score_points_text(points, goals[i].points));
        fprintf(to, "%s</td></tr>\n", score_points_text(points, goals[i].max));
    }
    fputs("</table>\n", to);
}

static void write_times(FILE *to, const struct report *report) {
    static const char *const names[] = {"starter", "baseline", "yours", "reference"};
    fputs("<table><tr><th>Kernel</th><th>time</th><th>speedup</th></tr>\n", to);
    for (int i = 0; i < 4; i++) {
        const struct report_run *run = report_find_run(report, names[i]);
        char text[FORMAT_SIZE];
        if (run == NULL || !isfinite(run->time_us))
            continue;
        fprintf(to, "<tr><td>%s</td><td>%s%s</td>", names[i], format_time(text, run->time_us),
                strcmp(run->time_source, "model") == 0 ? " (modelled)" : "");
        fprintf(to, "<td>%s</td></tr>\n", format_ratio(text, run->speedup));
    }
    fputs("</table>\n", to);
}

static void write_findings(FILE *to, const struct report_run *run, const struct gpu_model *model) {
    struct findings findings;
    for (uint32_t k = 0; k < run->kernel_count && k < 4; k++) {
        findings_from_report(&run->kernels[k], model, &findings);
        fputs("<h3><code>", to);
        html_escape(to, run->kernels[k].name != NULL ? run->kernels[k].name : "kernel");
        fputs("</code></h3>\n<ol>\n", to);
        for (uint32_t i = 0; i < findings.count && i < SHOWN_FINDINGS; i++) {
            fputs("<li>", to);
            if (findings.items[i].line > 0)
                fprintf(to, "Line %u: ", findings.items[i].line);
            html_escape(to, findings.items[i].what);
            if (findings.items[i].advice[0] != '\0') {
                fputs(" <span class=\"try\">Try: ", to);
                html_escape(to, findings.items[i].advice);
                fputs("</span>", to);
            }
            fputs("</li>\n", to);
        }
        fputs("</ol>\n", to);
    }
}

static void write_lines(FILE *to, const struct report_run *run) {
    struct feedback_line lines[FEEDBACK_LINES];
    unsigned count = feedback_worst_lines(run, lines);
    if (count == 0)
        return;
    fputs("<h2>Lines of kernel.cu that move more than they must</h2>\n<table><tr><th>line</th><th>kind</th>"
          "<th>requests</th><th>transactions</th><th>at best</th></tr>\n",
          to);
    for (unsigned i = 0; i < count; i++) {
        char text[FORMAT_SIZE];
        fprintf(to, "<tr><td>%u</td><td>", lines[i].line);
        html_escape(to, lines[i].kind);
        fprintf(to, "</td><td>%s</td>", format_count(text, lines[i].requests));
        fprintf(to, "<td>%s</td>", format_count(text, lines[i].transactions));
        fprintf(to, "<td>%s</td></tr>\n", format_count(text, lines[i].ideal));
    }
    fputs("</table>\n", to);
}

static void write_result(FILE *to, const struct policy *policy, const struct grade *grade,
                         const struct score_result *result) {
    struct gpu_model model;
    char error[256];
    if (result->detail[0] != '\0') {
        fputs("<h2>What happened</h2>\n<pre>", to);
        html_escape(to, result->detail);
        fputs("</pre>\n", to);
    }
    if (!result->has_report || strcmp(result->outcome, "judged") != 0)
        return;
    const struct report *report = &result->report;
    const struct report_run *run = report_find_run(report, "yours");
    bool known = report->device.model != NULL &&
                 gpu_model_load(NULL, report->device.model, &model, error, sizeof error);
    fputs("<h2>Goals</h2>\n<p class=\"note\">", to);
    html_escape(to, report->device.gpu != NULL ? report->device.gpu : "");
    fputs(report->device.kind != NULL && strcmp(report->device.kind, "sim") == 0 ? ", simulated</p>\n"
                                                                                 : "</p>\n",
          to);
    write_goals(to, policy, grade, report);
    write_times(to, report);
    if (run != NULL && run->kernel_count > 0) {
        fputs("<h2>What limits it</h2>\n", to);
        write_findings(to, run, known ? &model : NULL);
        write_lines(to, run);
    }
}

void feedback_html(FILE *to, const struct policy *policy, const struct grade *grade,
                   const struct score_result *results, unsigned count) {
    char text[32];
    page_begin(to, grade->lab, grade->name[0] != '\0' ? grade->name : grade->student);
    fprintf(to, "<p class=\"%s\"><b>Score %s", grade->passed ? "good" : "bad",
            score_points_text(text, grade->points));
    fprintf(to, " of %s</b> (%s)</p>\n", score_points_text(text, grade->max),
            grade->passed ? "passed" : "not passed");
    if (grade->late_percent > 0 && grade->earned > 0) {
        fprintf(to, "<p>%s earned, ", score_points_text(text, grade->earned));
        fprintf(to, "%s %% off for %u day%s late</p>\n", score_points_text(text, grade->late_percent),
                grade->late_days, grade->late_days == 1 ? "" : "s");
    }
    if (grade->message[0] != '\0') {
        fputs("<p>", to);
        html_escape(to, grade->message);
        fputs("</p>\n", to);
    }
    for (unsigned i = 0; i < count; i++)
        write_result(to, policy, grade, &results[i]);
    if (grade->notes[0] != '\0') {
        fputs("<h2>What was handed in</h2>\n<p>", to);
        html_escape(to, grade->notes);
        fputs("</p>\n", to);
    }
    page_end(to);
}

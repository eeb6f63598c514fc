/* feedback_html.c: feedback as one page of its own: no scripts, nothing fetched. */
#include "class/export/export.h"

#include "class/export/page.h"
#include "report/writers/html_escape.h"

#include <string.h>

enum { SHOWN_FINDINGS = 6 };

static void write_findings(FILE *to, const struct report_run *run, const struct gpu_model *model) {
    struct findings findings;
    for (uint32_t k = 0; k < run->kernel_count && k < 4; k++) {
        feedback_findings(&run->kernels[k], model, &findings);
        fputs("<h3><code>", to);
        html_escape(to, run->kernels[k].name != NULL ? run->kernels[k].name : "kernel");
        fputs("</code></h3>\n", to);
        findings_html(to, &findings, SHOWN_FINDINGS, NULL);
    }
}

static void write_result(FILE *to, const struct policy *policy, const struct grade *grade,
                         const struct score_result *result) {
    struct gpu_model model;
    char error[256];
    const char *detail = feedback_detail(result);
    if (*detail != '\0') {
        fputs("<h2>What happened</h2>\n<pre>", to);
        html_escape(to, detail);
        fputs("</pre>\n", to);
    }
    if (!result->has_report || strcmp(result->outcome, "judged") != 0)
        return;
    const struct report *report = &result->report;
    const struct report_run *run = result->has_shown ? report_find_run(&result->shown, RUN_YOURS) : NULL;
    bool known = report->device.model != NULL &&
                 gpu_model_load(NULL, report->device.model, &model, error, sizeof error);
    fputs("<h2>Goals</h2>\n<p class=\"note\">", to);
    html_escape(to, report->device.gpu != NULL ? report->device.gpu : "");
    fputs(report->device.kind == DEVICE_SIM ? ", simulated</p>\n" : "</p>\n", to);
    feedback_goal_table(to, true, policy, grade, report);
    feedback_run_table(to, true, report);
    if (run != NULL && run->kernel_count > 0) {
        fputs("<h2>What limits it</h2>\n", to);
        write_findings(to, run, known ? &model : NULL);
        feedback_line_table(to, true, run, "<h2>Lines of kernel.cu that move more than they must</h2>\n");
    }
}

bool feedback_html(const struct export_grade *of, FILE *to) {
    const struct grade *grade = of->grade;
    char text[32];
    page_begin(to, grade->lab, grade->name[0] != '\0' ? grade->name : grade->student);
    if (grade->excused) {
        fputs("<p><b>Excused</b></p>\n", to);
    } else if (!export_has_points(grade)) {
        fputs("<p><b>No grade yet</b></p>\n", to);
    } else {
        fprintf(to, "<p class=\"%s\"><b>Score %s", grade->passed ? "good" : "bad",
                score_points_text(text, grade->points));
        fprintf(to, " of %s</b> (%s)</p>\n", score_points_text(text, grade->max),
                grade->passed ? "passed" : "not passed");
    }
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
    if (grade->regrades[0] != '\0') {
        fputs("<h2>Regrade</h2>\n<p>", to);
        html_escape(to, grade->regrades);
        fputs("</p>\n", to);
    }
    for (unsigned i = 0; i < of->count; i++)
        write_result(to, of->policy, grade, &of->results[i]);
    if (grade->notes[0] != '\0') {
        fputs("<h2>What was handed in</h2>\n<p>", to);
        html_escape(to, grade->notes);
        fputs("</p>\n", to);
    }
    page_end(to);
    return true;
}

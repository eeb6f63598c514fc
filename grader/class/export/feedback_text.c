/* feedback_text.c: feedback for a terminal or a plain text field, 80 columns. */
#include "class/export/export.h"

#include <string.h>

enum { DETAIL_LINES = 60, SHOWN_FINDINGS = 4 };

/* Several lines, indented, each clean. */
static void print_detail(FILE *to, const char *text) {
    for (unsigned lines = 0; *text != '\0' && lines < DETAIL_LINES; lines++) {
        size_t length = strcspn(text, "\n");
        char raw[512], clean[512];
        snprintf(raw, sizeof raw, "%.*s", (int)(length < 500 ? length : 500), text);
        text_clean(clean, sizeof clean, raw);
        fputs("  ", to);
        if (clean[0] == ' ' || strlen(clean) < 79) /* a picture of bytes, or code */
            fprintf(to, "%s\n", clean);
        else
            terminal_wrap(&(struct terminal){to, false, 0}, STYLE_NORMAL, 2, 2, clean);
        text += length + (text[length] == '\n');
    }
}

static void print_findings(FILE *to, const struct report_run *run, const struct gpu_model *model) {
    const struct terminal plain = {to, false, 0};
    struct findings findings;
    uint32_t longest;
    if (run_top_kernels(run, &longest, 1) == 0)
        return;
    feedback_findings(&run->kernels[longest], model, &findings);
    fputs("What limits it\n", to);
    findings_print(&plain, &findings, SHOWN_FINDINGS, "  - ");
    fputc('\n', to);
}

static void print_result(FILE *to, const struct policy *policy, const struct grade *grade,
                         const struct score_result *result, bool several) {
    const struct report *report = &result->report;
    struct gpu_model model;
    char error[256];
    if (several && result->has_report)
        fprintf(to, "On %s (%s)\n", report->device.gpu != NULL ? report->device.gpu : "this device",
                report->device.kind == DEVICE_CUDA ? "real" : "simulated");
    const char *detail = feedback_detail(result);
    if (*detail != '\0') {
        fputs("What happened\n", to);
        print_detail(to, detail);
        fputc('\n', to);
    }
    if (!result->has_report || strcmp(result->outcome, "judged") != 0)
        return;
    const struct report_run *run = result->has_shown ? report_find_run(&result->shown, RUN_YOURS) : NULL;
    bool known = report->device.model != NULL &&
                 gpu_model_load(NULL, report->device.model, &model, error, sizeof error);
    feedback_goal_table(to, false, policy, grade, report);
    fputc('\n', to);
    feedback_run_table(to, false, report);
    fputc('\n', to);
    if (run != NULL) {
        print_findings(to, run, known ? &model : NULL);
        if (feedback_line_table(to, false, run, "Lines of kernel.cu that move more than they must\n") > 0)
            fputc('\n', to);
    }
}

bool feedback_text(const struct export_grade *of, FILE *to) {
    const struct grade *grade = of->grade;
    const struct terminal plain = {to, false, 0};
    char points[32], max[32], percent[32];
    fprintf(to, "%s of %s%s%s%s\n\n", grade->lab, grade->name[0] != '\0' ? grade->name : grade->student,
            grade->name[0] != '\0' ? " (" : "", grade->name[0] != '\0' ? grade->student : "",
            grade->name[0] != '\0' ? ")" : "");
    if (grade->excused)
        fputs("Excused\n", to);
    else if (!export_has_points(grade))
        fputs("No grade yet\n", to);
    else
        fprintf(to, "Score %s of %s  (%s)\n", score_points_text(points, grade->points),
                score_points_text(max, grade->max), grade->passed ? "passed" : "not passed");
    if (grade->late_percent > 0 && grade->earned > 0)
        fprintf(to, "      %s earned, %s %% off for %u day%s late\n",
                score_points_text(points, grade->earned), score_points_text(percent, grade->late_percent),
                grade->late_days, grade->late_days == 1 ? "" : "s");
    fputc('\n', to);
    if (grade->message[0] != '\0') {
        terminal_wrap(&plain, STYLE_NORMAL, 0, 0, grade->message);
        fputc('\n', to);
    }
    if (grade->regrades[0] != '\0') {
        fputs("Regrade\n  ", to);
        terminal_wrap(&plain, STYLE_NORMAL, 2, 2, grade->regrades);
        fputc('\n', to);
    }
    for (unsigned i = 0; i < of->count; i++)
        print_result(to, of->policy, grade, &of->results[i], of->count > 1);
    if (grade->notes[0] != '\0') {
        fputs("What was handed in\n", to);
        fputs("  ", to);
        terminal_wrap(&plain, STYLE_NORMAL, 2, 2, grade->notes);
    }
    return true;
}

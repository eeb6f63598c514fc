/* html.c: the profile page: goals, runs, where the time goes, counters. */
#include "analysis/html.h"

#include "analysis/findings.h"
#include "analysis/format.h"
#include "analysis/html_escape.h"
#include "analysis/html_source.h"
#include "analysis/rows.h"

#include <math.h>
#include <string.h>

enum { TOP_KERNELS = 3 };

/* format_share with its "<1 %" escaped */
static const char *share_html(char text[FORMAT_SIZE], double share) {
    format_share(text, share);
    return strcmp(text, "<1 %") == 0 ? strcpy(text, "&lt;1 %") : text;
}

static const char style[] =
    "<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1d2430;background:#fff}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}\n"
    "h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid #d5dae2}\n"
    "h3{font-size:1rem;margin-top:1.5rem}\n"
    ".sub{color:#5a6474}.bad{color:#b3261e}.good{color:#1b7a3d}\n"
    "table{border-collapse:collapse;margin:.6rem 0}\n"
    "td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #e8ebf0;font-variant-numeric:tabular-nums}\n"
    "td:first-child,th:first-child{text-align:left;padding-left:0}\n"
    "th{color:#5a6474;font-weight:600}\n"
    "svg text{font:13px system-ui,sans-serif;fill:#1d2430}\n"
    ".note{color:#5a6474;font-size:.9em}\n"
    "ol li{margin:.5rem 0}\n"
    ".gain{color:#b3261e;font-weight:600}\n"
    ".try{display:block;color:#1b5fa8}\n"
    "pre.source{border:1px solid #d5dae2;overflow-x:auto;font:12.5px/1.45 ui-monospace,monospace;margin:.5rem 0}\n"
    "pre.source span.l{display:block;white-space:pre;padding-right:1rem}\n"
    "pre.source span.n{display:inline-block;width:3.2rem;text-align:right;color:#8a93a3;padding-right:.8rem}\n"
    "pre.source span.m{display:inline-block;width:19rem;color:#5a6474;overflow:hidden;text-overflow:ellipsis;vertical-align:bottom}\n"
    "@media(prefers-color-scheme:dark){\n"
    "body{background:#14181f;color:#dfe4ec}svg text{fill:#dfe4ec}td,th,h2,pre.source{border-color:#303846}\n"
    ".sub,.note,th{color:#9aa5b5}.try{color:#7db4ee}.bad,.gain{color:#ff8a80}.good{color:#7bd89a}}\n"
    "</style>\n";

static void head(FILE *to, const struct report *report, const struct gpu_model *model) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          to);
    html_escape(to, report->lab != NULL ? report->lab : "profile");
    fputs(": profile</title>\n", to);
    fputs(style, to);
    fputs("</head>\n<body>\n<h1>", to);
    html_escape(to, report->lab != NULL ? report->lab : "Profile");
    if (report->title != NULL) {
        fputs(": ", to);
        html_escape(to, report->title);
    }
    fputs("</h1>\n<p class=\"sub\">", to);
    html_escape(to, report->device.gpu != NULL ? report->device.gpu : "unknown GPU");
    if (report->device.kind != NULL && strcmp(report->device.kind, "sim") == 0)
        fputs(", simulated: counters are exact, times are modelled", to);
    if (report->problem.width > 0)
        fprintf(to, " &middot; %u &times; %u, seed %llu", report->problem.width, report->problem.height,
                (unsigned long long)report->problem.seed);
    fputs("</p>\n", to);
    char other[256];
    if (model != NULL && report->device.gpu != NULL &&
        gpu_model_stands_in(model, report->device.gpu, other, sizeof other)) {
        fputs("<p class=\"sub\">", to);
        html_escape(to, other);
        fputs("</p>\n", to);
    }
    if (report->failure_stage != NULL) {
        fputs("<p class=\"bad\">Failed (", to);
        html_escape(to, report->failure_stage);
        fputs("): ", to);
        html_escape(to, report->failure_message != NULL ? report->failure_message : "");
        fputs("</p>\n", to);
    }
    if (report->case_count > 0)
        fprintf(to, "<p class=\"%s\">Correctness: %u passed, %u failed.</p>\n",
                report->cases_failed > 0 ? "bad" : "good", report->cases_passed, report->cases_failed);
}

/* Time bars of the runs, the longest full width. */
static void runs(FILE *to, const struct report *report) {
    double longest = 0;
    for (uint32_t i = 0; i < report->run_count; i++)
        if (isfinite(report->runs[i].time_us) && report->runs[i].time_us > longest)
            longest = report->runs[i].time_us;
    if (report->run_count == 0 || longest <= 0)
        return;
    fputs("<h2>Runs</h2>\n", to);
    fprintf(to, "<svg width=\"780\" height=\"%u\" role=\"img\" aria-label=\"time of each run\">\n",
            26 * report->run_count + 4);
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        struct table_row row;
        run_row(&row, run);
        double width = isfinite(run->time_us) ? 380 * run->time_us / longest : 0;
        fprintf(to, "<text x=\"0\" y=\"%u\">", 26 * i + 18);
        html_escape(to, run->name);
        fprintf(to, "</text><rect x=\"120\" y=\"%u\" width=\"%.1f\" height=\"18\" rx=\"2\" fill=\"%s\"/>",
                26 * i + 4, width, strcmp(run->name, "yours") == 0 ? "#1b5fa8" : "#9db2cc");
        fprintf(to, "<text x=\"%.1f\" y=\"%u\">%s, %s, limit: ", 126 + width, 26 * i + 18,
                row.cell[RUN_CELL_TIME], row.cell[RUN_CELL_SPEEDUP]);
        html_escape(to, run_limiter(run));
        fputs("</text>\n", to);
    }
    fputs("</svg>\n", to);
}

static void units(FILE *to, const struct kernel_report *kernel) {
    uint32_t rows = 0;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        rows += isfinite(kernel->unit_share[unit]);
    fprintf(to, "<svg width=\"780\" height=\"%u\" role=\"img\" aria-label=\"how busy each unit is\">\n",
            22 * rows + 4);
    uint32_t row = 0;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
        double share = kernel->unit_share[unit];
        char busy[FORMAT_SIZE];
        if (!isfinite(share))
            continue;
        const char *name = gpu_unit_name((enum gpu_unit)unit);
        bool limit = strcmp(name, kernel->limiter) == 0;
        double width = 300 * (share > 1 ? 1 : share);
        fprintf(to,
                "<text x=\"0\" y=\"%u\">%s</text>"
                "<rect x=\"80\" y=\"%u\" width=\"300\" height=\"14\" fill=\"#8a93a3\" fill-opacity=\".18\"/>"
                "<rect x=\"80\" y=\"%u\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>"
                "<text x=\"390\" y=\"%u\">%s %s</text>\n",
                22 * row + 15, name, 22 * row + 4, 22 * row + 4, width, limit ? "#c8500a" : "#4a86c5",
                22 * row + 15, share_html(busy, share), limit ? "the limit" : "");
        row++;
    }
    fputs(
        "</svg>\n"
        "<p class=\"note\">Each bar: how long the counters alone would keep that unit busy, as a share of the "
        "kernel's time.</p>\n",
        to);
}

static void kernel_section(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model) {
    char time[FORMAT_SIZE], achieved[FORMAT_SIZE], theoretical[FORMAT_SIZE], waves[24] = "-";
    if (isfinite(kernel->waves))
        snprintf(waves, sizeof waves, "%.1f", kernel->waves);
    fputs("<h3><code>", to);
    html_escape(to, kernel->name);
    fprintf(
        to,
        "</code> %s</h3>\n"
        "<p class=\"sub\">grid %u&times;%u&times;%u, block %u&times;%u&times;%u, %u registers, %u B shared; "
        "occupancy %s of at most %s; %s waves of blocks</p>\n",
        format_time(time, kernel->time_us), kernel->grid[0], kernel->grid[1], kernel->grid[2],
        kernel->block[0], kernel->block[1], kernel->block[2], kernel->registers, kernel->shared_bytes,
        share_html(achieved, kernel->occupancy_achieved),
        share_html(theoretical, kernel->occupancy_theoretical), waves);
    units(to, kernel);
    struct findings findings;
    findings_from_report(kernel, model, &findings);
    findings_html(to, &findings, FINDINGS_MAX);
}

/* The counters of all runs side by side; those that are zero everywhere are left out. */
static void counters(FILE *to, const struct report *report) {
    fputs("<h2>Counters</h2>\n<div style=\"overflow-x:auto\"><table>\n<tr><th>counter</th>", to);
    for (uint32_t r = 0; r < report->run_count; r++) {
        fputs("<th>", to);
        html_escape(to, report->runs[r].name);
        fputs("</th>", to);
    }
    fputs("<th style=\"text-align:left\">what it counts</th></tr>\n", to);
    for (int c = 0; c < COUNTER_COUNT; c++) {
        bool any = false;
        for (uint32_t r = 0; r < report->run_count; r++) {
            uint64_t value;
            any |= report_run_counter(&report->runs[r], (enum counter)c, &value) && value > 0;
        }
        if (!any)
            continue;
        fprintf(to, "<tr><td><code>%s</code></td>", counter_name((enum counter)c));
        for (uint32_t r = 0; r < report->run_count; r++) {
            uint64_t value;
            if (report_run_counter(&report->runs[r], (enum counter)c, &value))
                fprintf(to, "<td>%llu</td>", (unsigned long long)value);
            else
                fputs("<td>-</td>", to);
        }
        fputs("<td style=\"text-align:left\" class=\"note\">", to);
        html_escape(to, counter_meaning((enum counter)c));
        fputs("</td></tr>\n", to);
    }
    fputs("</table></div>\n", to);
}

static void goals(FILE *to, const struct report *report) {
    static const struct table_column columns[] = {{GOAL_CELL_NAME, "goal", 0, 0},
                                                  {GOAL_CELL_VALUE, "value", 0, 0},
                                                  {GOAL_CELL_ZERO, "none at", 0, 0},
                                                  {GOAL_CELL_FULL, "full at", 0, 0},
                                                  {GOAL_CELL_POINTS, "points", 0, 0}};
    const struct table table = {{to, false}, true, columns, sizeof columns / sizeof *columns};
    if (report->goal_count == 0)
        return;
    fputs("<h2>Goals</h2>\n", to);
    table_begin(&table);
    for (uint32_t i = 0; i < report->goal_count; i++) {
        struct table_row row;
        goal_row(&row, &report->goals[i]);
        table_row(&table, &row);
    }
    table_end(&table);
    char points[FORMAT_SIZE], max[FORMAT_SIZE];
    fprintf(to, "<p><b>Score %s of %s</b></p>\n", format_number(points, report->score_points),
            format_number(max, report->score_max));
}

bool report_html(FILE *to, const struct report *report, const struct report_run *run,
                 const struct gpu_model *model, const char *source_root) {
    run = run != NULL ? run : report_main_run(report);
    head(to, report, model);
    goals(to, report);
    runs(to, report);
    if (run != NULL) {
        uint32_t top[TOP_KERNELS], count = run_top_kernels(run, top, TOP_KERNELS);
        fputs("<h2>Where the time goes: ", to);
        html_escape(to, run->name);
        fputs("</h2>\n", to);
        for (uint32_t i = 0; i < count; i++)
            kernel_section(to, &run->kernels[top[i]], model);
        html_source(to, run, source_root);
    }
    if (report->run_count > 0 && report->run_count <= 12)
        counters(to, report);
    fputs("</body>\n</html>\n", to);
    return fflush(to) == 0 && !ferror(to);
}

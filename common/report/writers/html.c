/* html.c: the profile page: goals, runs, where the time goes, counters. */
#include "report/writers/html.h"

#include "base/path.h"
#include "report/writers/breakdown.h"
#include "report/writers/format.h"
#include "report/writers/html_escape.h"
#include "report/writers/html_parts.h"
#include "report/writers/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_KERNELS = 3, COUNTED_RUNS = 5 };

static void head(FILE *to, const struct report *report, const struct gpu_model *model) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    html_escape(to, report->lab != NULL ? report->lab : "profile");
    fputs(": profile</title>\n", to);
    fputs(html_colours, to);
    fputs(html_style, to);
    fputs("</head>\n<body>\n<h1>", to);
    html_escape(to, report->lab != NULL ? report->lab : "Profile");
    if (report->title != NULL) {
        fputs(": ", to);
        html_escape(to, report->title);
    }
    fputs("</h1>\n<p class=\"sub\">", to);
    html_escape(to, report->device.gpu != NULL ? report->device.gpu : "unknown GPU");
    if (report->device.kind == DEVICE_SIM)
        fputs(
            ", simulated: counters are exact, times are modelled; &plusmn;: two of three kernels like it were "
            "measured within this",
            to);
    if (report->problem.width > 0)
        fprintf(to, " &middot; %u &times; %u", report->problem.width, report->problem.height);
    if (report->problem.width > 0 && report->problem.seed > 0)
        fprintf(to, ", seed %llu", (unsigned long long)report->problem.seed);
    fputs("</p>\n", to);
    char other[256];
    if (model != NULL && report->device.gpu != NULL &&
        gpu_model_stands_in(model, report->device.gpu, other, sizeof other)) {
        fputs("<p class=\"sub\">", to);
        html_escape(to, other);
        fputs("</p>\n", to);
    }
    if (report->failure_stage != STAGE_NONE) {
        fputs("<p class=\"bad\">Failed (", to);
        html_escape(to, report_stage_name(report->failure_stage));
        fputs("): ", to);
        html_escape(to, report->failure_message != NULL ? report->failure_message : "");
        fputs("</p>\n", to);
    }
    if (report->case_count > 0)
        fprintf(to, "<p class=\"%s\">Correctness: %u passed, %u failed.</p>\n",
                report->cases_failed > 0 ? "bad" : "good", report->cases_passed, report->cases_failed);
}

/* Writes bars of the runs' times; the longest has full width. */
static void runs(FILE *to, const struct report *report) {
    double longest = 0;
    for (uint32_t i = 0; i < report->run_count; i++)
        if (isfinite(report->runs[i].time_us) && report->runs[i].time_us > longest)
            longest = report->runs[i].time_us;
    if (report->run_count == 0 || longest <= 0)
        return;
    fputs("<h2 id=\"runs\">Runs</h2>\n", to);
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        struct table_row row;
        char words[4 * TABLE_CELL], name[TABLE_CELL];
        if (!isfinite(run->time_us))
            continue;
        run_row(&row, report, run);
        snprintf(name, sizeof name, "%s%s%.60s", run->part != NULL ? run->part : "",
                 run->part != NULL ? ": " : "", run->name);
        snprintf(words, sizeof words, "%s%s%s, %s%s%s", row.cell[RUN_CELL_TIME],
                 row.cell[RUN_CELL_BAND][0] != '\0' ? " " : "", row.cell[RUN_CELL_BAND],
                 row.cell[RUN_CELL_SPEEDUP], *run_limiter(run) != '\0' ? ", limited by " : "",
                 run_limiter(run));
        html_bar(to, name, row.cell[RUN_CELL_SHAPE], run->time_us / longest, words,
                 strcmp(run->name, RUN_YOURS) == 0 ? "" : "other");
    }
}

/* Writes the remarks. */
static void remarks(FILE *to, const struct report *report) {
    if (report->remark_count == 0)
        return;
    fputs(
        "<h2 id=\"remarks\">Remarks</h2>\n<p class=\"note\">What is wrong and stopped nothing: the compiler's "
        "warnings, and what a GPU would not tell.</p>\n<ul>\n",
        to);
    for (uint32_t i = 0; i < report->remark_count; i++) {
        const struct report_remark *remark = &report->remarks[i];
        fputs("<li>", to);
        if (remark->line > 0) {
            fputs("<b>", to);
            html_escape(to, path_name(remark->file));
            fprintf(to, ":%u</b> ", remark->line);
        }
        html_escape(to, remark->message);
        if (remark->count > 1) {
            char count[FORMAT_SIZE];
            fprintf(to, " (%s times)", format_grouped(count, remark->count));
        }
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
}

/* Writes a section's heading. The first part's heading has a name for links. */
static void heading(FILE *to, const char *name, const char *words, const struct report_run *run, bool first) {
    if (first)
        fprintf(to, "<h2 id=\"%s\">%s", name, words);
    else
        fprintf(to, "<h2>%s", words);
    if (run->part != NULL) {
        fputs(", part ", to);
        html_escape(to, run->part);
    }
    fputs("</h2>\n", to);
}

static void ranking(FILE *to, const struct report_run *run, bool first) {
    static const struct table_column columns[] = {{RANKED_CELL_NAME, "kernel", 0, 0},
                                                  {RANKED_CELL_LAUNCHES, "launches", 0, 0},
                                                  {RANKED_CELL_TIME, "time", 0, 0},
                                                  {RANKED_CELL_SHARE, "share", 0, 0},
                                                  {RANKED_CELL_LIMIT, "at most faster by it", 0, 0}};
    const struct table table = {{to, false, 0}, true, columns, sizeof columns / sizeof *columns};
    struct ranked ranked[RANKED_MOST];
    uint32_t count = rank_kernels(run, ranked);
    if (count == 0)
        return;
    heading(to, "kernels", "Kernels, the longest first", run, first);
    table_begin(&table);
    for (uint32_t i = 0; i < count; i++) {
        struct table_row row;
        ranked_row(&row, &ranked[i]);
        table_row(&table, &row);
    }
    table_end(&table);
    html_terms(to, "amdahl");
}

/* Writes the counters of the profiled run and of other runs, without those that are all zero. */
static void counters(FILE *to, const struct report *report, const struct report_run *profiled, bool first) {
    const struct report_run *runs[COUNTED_RUNS];
    uint32_t count = 0;
    for (uint32_t r = 0; r < report->run_count && count < COUNTED_RUNS; r++) {
        const struct report_run *run = &report->runs[r];
        bool same = profiled->part == NULL || (run->part != NULL && strcmp(run->part, profiled->part) == 0);
        if (same && run->kernel_count > 0)
            runs[count++] = run;
    }
    heading(to, "counters", "Counters", profiled, first);
    fputs("<table class=\"counters\">\n<tr class=\"head\"><th>counter</th>", to);
    for (uint32_t r = 0; r < count; r++) {
        fputs("<th>", to);
        html_escape(to, runs[r]->name);
        fputs("</th>", to);
    }
    fputs("<th class=\"left\">what it counts</th></tr>\n", to);
    for (int c = 0; c < COUNTER_COUNT; c++) {
        bool any = false;
        for (uint32_t r = 0; r < count; r++) {
            uint64_t value;
            any |= report_run_counter(runs[r], (enum counter)c, &value) && value > 0;
        }
        if (!any)
            continue;
        fprintf(to, "<tr><td><code>%s</code></td>", counter_name((enum counter)c));
        for (uint32_t r = 0; r < count; r++) {
            uint64_t value;
            char text[FORMAT_SIZE];
            bool known = report_run_counter(runs[r], (enum counter)c, &value);
            fputs("<td data-label=\"", to);
            html_escape(to, runs[r]->name);
            fprintf(to, "\">%s</td>", known ? format_grouped(text, value) : "-");
        }
        fputs("<td class=\"left note\">", to);
        html_escape(to, counter_meaning((enum counter)c));
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
}

static void predictions(FILE *to, const struct report *report) {
    if (report->prediction_count == 0)
        return;
    fputs("<table><tr><th>your prediction</th><th>predicted</th><th>result</th><th></th></tr>\n", to);
    for (uint32_t i = 0; i < report->prediction_count; i++) {
        const struct report_prediction *p = &report->predictions[i];
        const char *cells[] = {p->key, p->predicted, p->measured, p->right ? "right" : "wrong"};
        fputs("<tr>", to);
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
            fputs("<td>", to);
            html_escape(to, cells[c]);
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</table>\n", to);
}

static void goals(FILE *to, const struct report *report) {
    static const struct table_column columns[] = {{GOAL_CELL_NAME, "goal", 0, 0},
                                                  {GOAL_CELL_VALUE, "value", 0, 0},
                                                  {GOAL_CELL_ZERO, "none at", 0, 0},
                                                  {GOAL_CELL_FULL, "full at", 0, 0},
                                                  {GOAL_CELL_POINTS, "points", 0, 0}};
    const struct table table = {{to, false, 0}, true, columns, sizeof columns / sizeof *columns};
    if (report->goal_count == 0)
        return;
    fputs("<h2 id=\"goals\">Goals</h2>\n", to);
    table_begin(&table);
    for (uint32_t i = 0; i < report->goal_count; i++) {
        struct table_row row;
        goal_row(&row, &report->goals[i]);
        table_row(&table, &row);
    }
    table_end(&table);
    char points[FORMAT_SIZE], max[FORMAT_SIZE];
    predictions(to, report);
    fprintf(to, "<p><b>Score %s of %s</b></p>\n", format_number(points, report->score_points),
            format_number(max, report->score_max));
}

static bool has_lines(const struct report_run *run) {
    for (uint32_t k = 0; k < run->kernel_count; k++)
        for (uint32_t i = 0; i < run->kernels[k].line_count; i++)
            if (run->kernels[k].lines[i].file[0] != '\0')
                return true;
    return false;
}

/* Writes links to the sections that exist. */
static void navigation(FILE *to, const struct report *report, const struct report_run *run, bool compared) {
    struct ranked ranked[RANKED_MOST];
    bool timed = false;
    for (uint32_t i = 0; i < report->run_count; i++)
        timed = timed || (isfinite(report->runs[i].time_us) && report->runs[i].time_us > 0);
    fputs("<nav>", to);
    if (compared)
        fputs("<a href=\"#changes\">Since last time</a>", to);
    if (report->remark_count > 0)
        fputs("<a href=\"#remarks\">Remarks</a>", to);
    if (report->goal_count > 0)
        fputs("<a href=\"#goals\">Goals</a>", to);
    if (timed)
        fputs("<a href=\"#runs\">Runs</a>", to);
    if (run != NULL && rank_kernels(run, ranked) > 0)
        fputs("<a href=\"#kernels\">Kernels</a>", to);
    if (run != NULL)
        fputs("<a href=\"#time\">Where the time goes</a>", to);
    if (run != NULL && has_lines(run))
        fputs("<a href=\"#source\">Source</a>", to);
    if (run != NULL)
        fputs("<a href=\"#counters\">Counters</a>", to);
    fputs("</nav>\n", to);
}

/* Writes one run: what it does, where its time goes. */
static void profile(FILE *to, const struct report *report, const struct report_run *run,
                    const struct gpu_model *model, bool first) {
    uint32_t top[TOP_KERNELS], count = run_top_kernels(run, top, TOP_KERNELS);
    ranking(to, run, first);
    heading(to, "time", "Where the time goes", run, first);
    for (uint32_t i = 0; i < count; i++)
        html_kernel(to, &run->kernels[top[i]], model);
    html_roofline(to, report, run, model);
}

/* Whether the run is profiled: the wanted run, or one with its name in another part. */
static bool is_profiled(const struct report_run *run, const struct report_run *wanted, bool all_parts) {
    return run == wanted || (all_parts && wanted->part != NULL && strcmp(run->name, wanted->name) == 0);
}

/* The kernels of all profiled runs as one run, for the source listing, with pointers into the
 * report. The caller frees the array. False: out of memory. */
static bool all_kernels(const struct report *report, const struct report_run *wanted, bool all_parts,
                        struct report_run *all) {
    uint32_t count = 0;
    *all = *wanted;
    for (uint32_t i = 0; i < report->run_count; i++)
        if (is_profiled(&report->runs[i], wanted, all_parts))
            count += report->runs[i].kernel_count;
    all->kernels = calloc((size_t)count + 1, sizeof *all->kernels);
    all->kernel_count = 0;
    for (uint32_t i = 0; all->kernels != NULL && i < report->run_count; i++)
        for (uint32_t k = 0;
             is_profiled(&report->runs[i], wanted, all_parts) && k < report->runs[i].kernel_count; k++)
            all->kernels[all->kernel_count++] = report->runs[i].kernels[k];
    return all->kernels != NULL;
}

bool report_html(FILE *to, const struct report *report, const struct report_run *run,
                 const struct gpu_model *model, const char *source_root, const struct changes *changes) {
    bool all_parts = run == NULL;
    struct report_run all = {0};
    run = run != NULL ? run : report_main_run(report);
    if (run != NULL && !all_kernels(report, run, all_parts, &all))
        return false;
    head(to, report, model);
    navigation(to, report, run != NULL ? &all : NULL, changes != NULL);
    if (changes != NULL)
        html_changes(to, run != NULL ? &all : NULL, changes);
    remarks(to, report);
    goals(to, report);
    runs(to, report);
    for (uint32_t i = 0, shown = 0; run != NULL && i < report->run_count; i++)
        if (is_profiled(&report->runs[i], run, all_parts))
            profile(to, report, &report->runs[i], model, shown++ == 0);
    if (run != NULL)
        html_source(to, &all, source_root);
    for (uint32_t i = 0, shown = 0; run != NULL && i < report->run_count; i++)
        if (is_profiled(&report->runs[i], run, all_parts))
            counters(to, report, &report->runs[i], shown++ == 0);
    free(all.kernels);
    fputs("</body>\n</html>\n", to);
    return fflush(to) == 0 && !ferror(to);
}

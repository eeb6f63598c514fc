/* feedback.c: what feedback is made of, whatever its form. Of a result it takes the message, the detail, the flags, the
 * goals and the times; of the student's kernels what was seen with inputs that everybody has (score.h). Never the cases, nor
 * the kernels of the run that counts, whose inputs are secret. */
#include "class/export/export.h"

#include "report/writers/html_escape.h"
#include <math.h>
#include <string.h>

enum { SHOWN_GOALS = 16, SHOWN_LINES = 5 };

static char prediction[] = "prediction"; /* a goal's name */

unsigned feedback_goals(const struct policy *policy, const struct grade *grade, const struct report *report,
                        struct report_goal *goals, unsigned room) {
    double total = 0;
    unsigned count = 0;
    struct policy_rules rules;
    policy_rules(policy, grade->lab, &rules);
    for (uint32_t i = 0; i < report->goal_count && count < room; i++) {
        const struct policy_goal *own = policy_goal(policy, report->lab, report->goals[i].name);
        bool cuda = report->device.kind == DEVICE_CUDA;
        struct report_goal *to = &goals[count++];
        *to = report->goals[i];
        score_goal(policy, report, &report->goals[i], &to->points, &to->max);
        if (own != NULL && (cuda ? own->has_cuda : own->has_sim)) {
            to->zero = cuda ? own->cuda.zero : own->sim.zero;
            to->full = cuda ? own->cuda.full : own->sim.full;
        }
        total += to->max;
    }
    double base = isfinite(rules.points) ? rules.points : total, earned = 0;
    for (unsigned i = 0; i < count && total > 0; i++) {
        goals[i].points *= base / total;
        goals[i].max *= base / total;
        earned += goals[i].points;
    }
    double most = grade->max - base; /* what is beyond the goals is the prediction's */
    if (most < 0.005 || count == room)
        return count;
    double points = fmax(0, fmin(most, grade->earned - earned));
    goals[count++] = (struct report_goal){
        .name = prediction, .value = points, .full = most, .points = points, .max = most};
    return count;
}

void feedback_goal_name(const struct report_goal *goal, char name[TABLE_CELL]) {
    struct table_row row;
    goal_row(&row, goal);
    memcpy(name, row.cell[GOAL_CELL_NAME], TABLE_CELL);
}

const char *feedback_detail(const struct score_result *result) {
    size_t length = strcspn(result->detail, "\n");
    char first[1024];
    snprintf(first, sizeof first, "%.*s", (int)(length < 1000 ? length : 1000), result->detail);
    if (length == 0 || strstr(result->message, first) == NULL)
        return result->detail;
    return result->detail + length + strspn(result->detail + length, "\n");
}

void feedback_findings(const struct kernel_report *kernel, const struct gpu_model *model,
                       struct findings *findings) {
    findings_from_report(kernel, model, findings);
    for (uint32_t i = 0; i < findings->count; i++)
        findings->items[i].gain = NAN;
}

/* Why a goal earns nothing whatever its value; what bars several that follow each other is said once. */
static void write_barred(FILE *to, bool html, const struct report_goal *goals, unsigned count) {
    const struct terminal plain = {to, false, 0};
    for (unsigned i = 0; i < count; i++) {
        const char *barred = goals[i].barred, *next = i + 1 < count ? goals[i + 1].barred : NULL;
        char text[256];
        if (barred == NULL || (next != NULL && strcmp(barred, next) == 0))
            continue;
        if (html) {
            fputs("<p>", to);
            html_escape(to, barred);
            fputs("</p>\n", to);
        } else {
            snprintf(text, sizeof text, "(%.250s)", barred);
            fputs("    ", to);
            terminal_wrap(&plain, STYLE_NORMAL, 4, 4, text);
        }
    }
}

unsigned feedback_goal_table(FILE *to, bool html, const struct policy *policy, const struct grade *grade,
                             const struct report *report) {
    static const struct table_column columns[] = {{GOAL_CELL_NAME, "Goal", 2, -34},
                                                  {GOAL_CELL_VALUE, "yours", 1, 9},
                                                  {GOAL_CELL_RANGE, "none .. full", 3, -14},
                                                  {GOAL_CELL_POINTS, "points", 1, 0}};
    const struct table table = {{to, false, 0}, html, columns, sizeof columns / sizeof *columns};
    struct report_goal goals[SHOWN_GOALS];
    unsigned count = feedback_goals(policy, grade, report, goals, SHOWN_GOALS);
    table_begin(&table);
    for (unsigned i = 0; i < count; i++) {
        struct table_row row;
        goal_row(&row, &goals[i]);
        table_row(&table, &row);
    }
    table_end(&table);
    write_barred(to, html, goals, count);
    return count;
}

/* A page says in the same cell where a time is from. */
static void name_source(struct table_row *row) {
    char *time = row->cell[RUN_CELL_TIME];
    size_t used = strlen(time);
    if (strncmp(row->cell[RUN_CELL_SOURCE], "modelled", sizeof "modelled" - 1) == 0)
        snprintf(time + used, TABLE_CELL - used, " (%.60s)", row->cell[RUN_CELL_SOURCE]);
}

unsigned feedback_run_table(FILE *to, bool html, const struct report *report) {
    static const char *const names[] = {RUN_STARTER, RUN_BASELINE, RUN_YOURS, RUN_REFERENCE};
    static const struct table_column text[] = {{RUN_CELL_NAME, NULL, 2, -10},
                                               {RUN_CELL_TIME, NULL, 1, 12},
                                               {RUN_CELL_SPEEDUP, NULL, 2, 8},
                                               {RUN_CELL_SOURCE, NULL, 2, 0}};
    static const struct table_column page[] = {{RUN_CELL_NAME, "Kernel", 0, 0},
                                               {RUN_CELL_TIME, "time", 0, 0},
                                               {RUN_CELL_SPEEDUP, "speedup over the starter", 0, 0}};
    const struct table table = {{to, false, 0}, html, html ? page : text, html ? 3 : 4};
    unsigned count = 0;
    table_begin(&table);
    for (int i = 0; i < 4; i++) {
        const struct report_run *run = report_find_run(report, names[i]);
        struct table_row row;
        if (run == NULL || !isfinite(run->time_us))
            continue;
        run_row(&row, report, run);
        if (html)
            name_source(&row);
        table_row(&table, &row);
        count++;
    }
    table_end(&table);
    return count;
}

static uint64_t lost(const struct kernel_line *line) {
    return line->transactions > line->ideal ? line->transactions - line->ideal : 0;
}

/* Only memory accesses of the student's own file, and only where something could be saved. */
static bool is_wasteful(const struct kernel_line *line) {
    const char *file = line->file != NULL ? line->file : "", *slash = strrchr(file, '/');
    return lost(line) > 0 && line_kind_is_access(line->kind) &&
           strcmp(slash != NULL ? slash + 1 : file, "kernel.cu") == 0;
}

static unsigned worst_lines(const struct report_run *run, const struct kernel_line *lines[SHOWN_LINES]) {
    unsigned count = 0;
    for (uint32_t k = 0; k < run->kernel_count; k++)
        for (uint32_t i = 0; i < run->kernels[k].line_count; i++) {
            const struct kernel_line *line = &run->kernels[k].lines[i];
            if (!is_wasteful(line) || (count == SHOWN_LINES && lost(line) <= lost(lines[count - 1])))
                continue;
            unsigned at = count < SHOWN_LINES ? count++ : count - 1;
            for (; at > 0 && lost(lines[at - 1]) < lost(line); at--)
                lines[at] = lines[at - 1];
            lines[at] = line;
        }
    return count;
}

unsigned feedback_line_table(FILE *to, bool html, const struct report_run *run, const char *title) {
    static const struct table_column columns[] = {{LINE_CELL_NUMBER, "line", 2, 6},
                                                  {LINE_CELL_KIND, "kind", 2, -14},
                                                  {LINE_CELL_REQUESTS, "requests", 1, 10},
                                                  {LINE_CELL_TRANSACTIONS, "transactions", 1, 12},
                                                  {LINE_CELL_IDEAL, "at best", 1, 10}};
    const struct table table = {{to, false, 0}, html, columns, sizeof columns / sizeof *columns};
    const struct kernel_line *lines[SHOWN_LINES];
    unsigned count = worst_lines(run, lines);
    if (count == 0)
        return 0;
    fputs(title, to);
    table_begin(&table);
    for (unsigned i = 0; i < count; i++) {
        struct table_row row;
        line_row(&row, lines[i]);
        table_row(&table, &row);
    }
    table_end(&table);
    return count;
}

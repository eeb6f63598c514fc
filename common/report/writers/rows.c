/* rows.c: the cells of a report's tables, in words. */
#include "report/writers/rows.h"

#include "base/path.h"
#include "report/writers/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put(struct table_row *row, unsigned cell, const char *text) {
    snprintf(row->cell[cell], sizeof row->cell[cell], "%s", text);
}

void goal_row(struct table_row *row, const struct report_goal *goal) {
    char text[FORMAT_SIZE], other[FORMAT_SIZE];
    *row = (struct table_row){0};
    /* The goal's value is a share, and the table says so. */
    bool share = goal->measure != NULL && strcmp(goal->measure, "speedup_share") == 0;
    snprintf(row->cell[GOAL_CELL_NAME], TABLE_CELL, "%s%s%s", goal->part != NULL ? goal->part : "",
             goal->part != NULL ? ": " : "", share ? "speedup / the reference's" : goal->name);
    put(row, GOAL_CELL_VALUE, format_number(text, goal->value));
    put(row, GOAL_CELL_ZERO, format_number(text, goal->zero));
    put(row, GOAL_CELL_FULL, format_number(text, goal->full));
    snprintf(row->cell[GOAL_CELL_RANGE], TABLE_CELL, "%.40s .. %.40s", row->cell[GOAL_CELL_ZERO],
             row->cell[GOAL_CELL_FULL]);
    snprintf(row->cell[GOAL_CELL_POINTS], TABLE_CELL, "%.40s of %.40s", format_number(text, goal->points),
             format_number(other, goal->max));
    row->style[GOAL_CELL_POINTS] = goal->points >= goal->max ? STYLE_GOOD
                                   : goal->points > 0        ? STYLE_NORMAL
                                                             : STYLE_WARN;
}

double run_working_share(const struct report_run *run) {
    return run->time_us > 0 ? run_kernels_us(run) / run->time_us : (double)NAN;
}

bool run_has_gaps(const struct report_run *run) {
    const double mostly = 0.6;
    return run->kernel_count > 0 && run_working_share(run) < mostly;
}

const char *run_limiter(const struct report_run *run) {
    uint32_t longest = 0;
    if (run_has_gaps(run))
        return "gaps";
    return run_top_kernels(run, &longest, 1) > 0 ? gpu_unit_name(run->kernels[longest].limiter) : "";
}

bool run_is_too_short(const struct report_run *run) {
    for (uint32_t i = 0; i < run->kernel_count; i++)
        if (run->kernels[i].spill_known && run->kernels[i].spill_bytes > 0 &&
            kernel_report_by_counters(&run->kernels[i]))
            return run->time_source == TIME_MODEL;
    return false;
}

/* Number of kernels with different names. */
static uint32_t kernels_of(const struct report_run *run) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        uint32_t at = 0;
        while (at < i && strcmp(run->kernels[at].name, run->kernels[i].name) != 0)
            at++;
        count += at == i;
    }
    return count;
}

/* The reference's shape is an answer to the lab's questions. */
static bool hides_shape(const struct report *report, const struct report_run *run) {
    return report != NULL && strcmp(run->name, RUN_REFERENCE) == 0 && isfinite(report->score_pass) &&
           !report->score_passed;
}

void run_row(struct table_row *row, const struct report *report, const struct report_run *run) {
    char text[FORMAT_SIZE];
    *row = (struct table_row){0};
    char *shape = row->cell[RUN_CELL_SHAPE];
    put(row, RUN_CELL_NAME, run->name);
    put(row, RUN_CELL_TIME, format_time(text, run->time_us));
    if (run_is_too_short(run)) {
        snprintf(row->cell[RUN_CELL_TIME], TABLE_CELL, "! %.40s", text);
        row->style[RUN_CELL_TIME] = STYLE_WARN;
    }
    put(row, RUN_CELL_SPEEDUP, format_ratio(text, run->speedup));
    put(row, RUN_CELL_BAND, format_band(text, run->band));
    snprintf(row->cell[RUN_CELL_SOURCE], TABLE_CELL, "%s%s%.40s",
             run->time_source == TIME_MODEL ? "modelled" : "measured", text[0] != '\0' ? " " : "", text);
    put(row, RUN_CELL_LIMITER, run_limiter(run)[0] != '\0' ? run_limiter(run) : "-");
    uint64_t launches = run_launches(run);
    if (hides_shape(report, run))
        put(row, RUN_CELL_SHAPE, "its shape: once you pass");
    else if (launches == 1)
        snprintf(shape, TABLE_CELL, "grid %ux%u block %ux%u %u regs", run->kernels[0].grid[0],
                 run->kernels[0].grid[1], run->kernels[0].block[0], run->kernels[0].block[1],
                 run->kernels[0].registers);
    else if (launches > run->kernel_count)
        snprintf(shape, TABLE_CELL, "%u kernel%s, %" PRIu64 " launches", kernels_of(run),
                 kernels_of(run) == 1 ? "" : "s", launches);
    else if (run->kernel_count > 1)
        snprintf(shape, TABLE_CELL, "%u kernels", run->kernel_count);
    else if (strcmp(run->name, RUN_COPY) == 0)
        put(row, RUN_CELL_SHAPE, "from device to device");
    if (isfinite(run->ci95_us[0]) && isfinite(run->ci95_us[1]))
        put(row, RUN_CELL_INTERVAL, format_interval(text, run->ci95_us[0], run->ci95_us[1]));
    else if (run->kernel_count == 0)
        put(row, RUN_CELL_INTERVAL, shape);
    if (strcmp(run->name, RUN_YOURS) == 0)
        for (unsigned cell = RUN_CELL_NAME; cell <= RUN_CELL_LIMITER; cell++)
            row->style[cell] = STYLE_STRONG;
}

/* "kernel.cu:25"; the file's name is cut if both are too wide. */
static void put_place(struct table_row *row, unsigned cell, unsigned width, const char *file, uint32_t line) {
    char number[12];
    snprintf(number, sizeof number, ":%u", line);
    snprintf(row->cell[cell], TABLE_CELL, "%.*s%s", (int)(width - strlen(number)), path_name(file), number);
}

void line_row(struct table_row *row, const struct kernel_line *line) {
    char text[FORMAT_SIZE];
    double requests = (double)line->requests;
    *row = (struct table_row){0};
    put_place(row, LINE_CELL_PLACE, LINE_PLACE_WIDTH, line->file, line->line);
    snprintf(row->cell[LINE_CELL_NUMBER], TABLE_CELL, "%u", line->line);
    put(row, LINE_CELL_KIND, line_kind_name(line->kind));
    put(row, LINE_CELL_WORDS, line_kind_words(line->kind));
    put(row, LINE_CELL_REQUESTS, format_count(text, line->requests));
    put(row, LINE_CELL_TRANSACTIONS, format_count(text, line->transactions));
    put(row, LINE_CELL_IDEAL, format_count(text, line->ideal));
    put(row, LINE_CELL_EACH, format_number(text, (double)line->transactions / requests));
    put(row, LINE_CELL_IDEAL_EACH, format_number(text, (double)line->ideal / requests));
    put(row, LINE_CELL_THREADS, format_number(text, (double)line->threads / requests));
    double lost = line->transactions > line->ideal ? (double)(line->transactions - line->ideal) : 0;
    if (lost > 0.2 * (double)line->ideal && line->kind != LINE_ATOMIC)
        row->style[LINE_CELL_EACH] = STYLE_WARN;
}

static uint64_t count_of(const struct executed_line *line, enum counter counter) {
    return line->counts[counter - FIRST_MACHINE_COUNTER];
}

void executed_row(struct table_row *row, const struct kernel_executed *executed,
                  const struct executed_line *line) {
    char text[FORMAT_SIZE], other[FORMAT_SIZE];
    uint64_t shared =
        count_of(line, COUNTER_machine_shared_loads) + count_of(line, COUNTER_machine_shared_stores);
    uint64_t local =
        count_of(line, COUNTER_machine_local_loads) + count_of(line, COUNTER_machine_local_stores);
    *row = (struct table_row){0};
    put_place(row, EXECUTED_CELL_PLACE, EXECUTED_PLACE_WIDTH, line->file, line->line);
    put(row, EXECUTED_CELL_INSTRUCTIONS, format_count(text, count_of(line, COUNTER_inst_executed)));
    put(row, EXECUTED_CELL_SHARE, format_share(text, executed_share(executed, line)));
    executed_pipes(line, row->cell[EXECUTED_CELL_PIPES], TABLE_CELL);
    if (shared + local > 0)
        snprintf(row->cell[EXECUTED_CELL_MEMORY], TABLE_CELL, "%.40s, %.40s", format_count(text, shared),
                 format_count(other, local));
    if (local > 0)
        row->style[EXECUTED_CELL_MEMORY] = STYLE_WARN;
}

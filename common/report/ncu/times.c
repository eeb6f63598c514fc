/* times.c: the columns beside the times, and the summary. */
#include "report/ncu/times.h"

#include "report/writers/format.h"

#include <math.h>
#include <string.h>

/* Ratio of the simulator's counter to ncu's. A column that neither has is empty. */
static const struct ratio {
    const char *title;
    enum counter counter, plus;
    const char *metric, *more;
} ratios[] = {
    {"instr.", COUNTER_warp_instructions, COUNTER_COUNT, "smsp__inst_executed.sum", NULL},
    {"global", COUNTER_global_load_sectors, COUNTER_global_store_sectors,
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"shared", COUNTER_shared_load_wavefronts, COUNTER_shared_store_wavefronts,
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"L2 rd", COUNTER_l2_read_sectors, COUNTER_COUNT, "lts__t_sectors_srcunit_tex_op_read.sum", NULL},
    {"DRAM", COUNTER_dram_read_bytes, COUNTER_COUNT, "dram__bytes_read.sum", NULL},
};
enum { RATIO_COUNT = sizeof ratios / sizeof ratios[0] };

static const char time_metric[] = "gpu__time_duration.sum";
static const char stall_prefix[] = "smsp__average_warps_issue_stalled_";
static const char stall_suffix[] = "_per_issue_active.ratio";

static double value_of(const struct csv *csv, uint32_t row, const char *metric) {
    int column = metric != NULL ? csv_column(csv, metric) : -1;
    double value;
    return column >= 0 && csv_number(csv_cell(csv, row, (uint32_t)column), &value) ? value : NAN;
}

/* ncu's top stall reason, "-" if it was not recorded; "selected" is no wait. */
static void top_stall(const struct csv *csv, uint32_t row, char *name, size_t size) {
    double most = 0;
    snprintf(name, size, "-");
    for (uint32_t column = 0; column < csv_width(csv, 0); column++) {
        const char *title = csv_cell(csv, 0, column);
        size_t length = strlen(title), prefix = strlen(stall_prefix), suffix = strlen(stall_suffix);
        double value;
        if (length <= prefix + suffix || strncmp(title, stall_prefix, prefix) != 0 ||
            strcmp(title + length - suffix, stall_suffix) != 0 || strncmp(title + prefix, "selected", 8) == 0)
            continue;
        if (csv_number(csv_cell(csv, row, column), &value) && value > most) {
            most = value;
            snprintf(name, size, "%.*s", (int)(length - prefix - suffix), title + prefix);
        }
    }
}

/* The model's top stall reason. */
static const char *modelled_stall(const struct kernel_report *kernel) {
    enum gpu_stall top = kernel->waits.known ? gpu_stall_top(kernel->waits.share) : GPU_STALL_COUNT;
    return top != GPU_STALL_COUNT ? gpu_stall_name(top) : "-";
}

static const struct kernel_report *find_kernel(const struct report *reports, uint32_t count,
                                               const char *name) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < reports[i].run_count; r++)
            for (uint32_t k = 0; k < reports[i].runs[r].kernel_count; k++)
                if (strcmp(reports[i].runs[r].kernels[k].name, name) == 0)
                    return &reports[i].runs[r].kernels[k];
    return NULL;
}

/* A kernel's half; TIMES_HALVES: the split does not name it. */
static enum times_half half_of(const struct csv *split, const char *kernel) {
    int name = csv_column(split, "kernel"), half = csv_column(split, "half");
    for (uint32_t row = 1; name >= 0 && half >= 0 && row < split->row_count; row++)
        if (strcmp(csv_cell(split, row, (uint32_t)name), kernel) == 0) {
            const char *word = csv_cell(split, row, (uint32_t)half);
            return strcmp(word, "fitting") == 0     ? TIMES_FITTING
                   : strcmp(word, "held back") == 0 ? TIMES_HELD_BACK
                                                    : TIMES_HALVES;
        }
    return TIMES_HALVES;
}

static void print_ratio(FILE *to, const struct ratio *ratio, const struct csv *recording, uint32_t row,
                        const struct kernel_report *kernel) {
    double theirs = value_of(recording, row, ratio->metric);
    double ours = (double)counter_value(&kernel->counters, ratio->counter) +
                  (double)counter_value(&kernel->counters, ratio->plus);
    if (ratio->more != NULL)
        theirs += value_of(recording, row, ratio->more);
    if (theirs > 0)
        fprintf(to, " %.2f |", ours / theirs);
    else
        fputs(ours > 0 && theirs >= 0 ? " none |" : " |", to);
}

static void print_row(FILE *to, const struct csv *recording, uint32_t row, const char *name,
                      const struct kernel_report *kernel, struct times_summary *summary) {
    double measured = value_of(recording, row, time_metric) / 1e3;
    double error = kernel->time_us / measured - 1;
    char stall[64];
    const char *ours = modelled_stall(kernel);
    top_stall(recording, row, stall, sizeof stall);
    char time[FORMAT_SIZE] = "-", off[FORMAT_SIZE] = "-"; /* blocks that spin for one another have no time */
    if (isfinite(error)) {
        snprintf(time, sizeof time, "%.1f", kernel->time_us);
        snprintf(off, sizeof off, "%+.0f %%", 100 * error);
    }
    fprintf(to, "| %s | %.1f | %s | %s | %s | %s | %s |", name, measured, time, off,
            gpu_unit_name(kernel->limiter), stall, strcmp(stall, ours) == 0 ? "the same" : ours);
    if (strcmp(stall, "-") != 0 && strcmp(ours, "-") != 0) {
        summary->stalls++;
        summary->same_stall += strcmp(stall, ours) == 0;
    }
    for (int i = 0; i < RATIO_COUNT; i++)
        print_ratio(to, &ratios[i], recording, row, kernel);
    fputc('\n', to);
    if (!isfinite(error))
        return;
    summary->kernels++;
    summary->mean += fabs(error);
    summary->within_10 += fabs(error) <= 0.1;
    summary->within_35 += fabs(error) <= 0.35;
    if (!(fabs(error) <= summary->worst)) {
        summary->worst = fabs(error);
        snprintf(summary->worst_name, sizeof summary->worst_name, "%s", name);
    }
}

/* Number of kernels of a half that are not measured yet. */
static uint32_t count_unrecorded(const struct csv *recording, const struct csv *split, enum times_half half) {
    int name = csv_column(split, "kernel"), recorded_name = csv_column(recording, "kernel");
    uint32_t count = 0;
    for (uint32_t row = 1; name >= 0 && recorded_name >= 0 && row < split->row_count; row++) {
        const char *kernel = csv_cell(split, row, (uint32_t)name);
        bool recorded = half_of(split, kernel) != half;
        for (uint32_t i = 1; !recorded && i < recording->row_count; i++)
            recorded = strcmp(csv_cell(recording, i, (uint32_t)recorded_name), kernel) == 0;
        count += !recorded;
    }
    return count;
}

static void print_summary(FILE *to, struct times_summary *summary) {
    if (summary->not_recorded > 0)
        fprintf(to, "\n%u kernels are not recorded.\n", summary->not_recorded);
    if (summary->not_modelled > 0)
        fprintf(to, "\n%u kernels of the recording were not run here.\n", summary->not_modelled);
    if (summary->kernels == 0) {
        fputs("\nNo kernel could be compared.\n", to);
        summary->mean = summary->worst = NAN;
        return;
    }
    summary->mean /= summary->kernels;
    fprintf(to, "\n%u kernels: mean error of the modelled time %.1f %%, worst %.0f %% (%s);\n",
            summary->kernels, 100 * summary->mean, 100 * summary->worst, summary->worst_name);
    fprintf(to, "within 10 %%: %u, within 35 %%: %u.\n", summary->within_10, summary->within_35);
    if (summary->stalls > 0)
        fprintf(to, "What most warps wait for is what ncu finds in %u of %u (%.0f %%).\n",
                summary->same_stall, summary->stalls, 100.0 * summary->same_stall / summary->stalls);
}

bool times_print(FILE *to, enum times_half half, const struct csv *recording, const struct csv *split,
                 const struct report *reports, uint32_t report_count, struct times_summary *summary,
                 char *error, size_t size) {
    *summary = (struct times_summary){.worst = -1};
    int column = csv_column(recording, "kernel");
    if (column < 0 || csv_column(recording, time_metric) < 0)
        return fails(error, size, "the recording has no column \"%s\"", column < 0 ? "kernel" : time_metric);
    fprintf(to, "| kernel | us | model | error | limit | waits for | modelled |");
    for (int i = 0; i < RATIO_COUNT; i++)
        fprintf(to, " %s |", ratios[i].title);
    fputs("\n|---|--:|--:|--:|---|---|---|", to);
    for (int i = 0; i < RATIO_COUNT; i++)
        fputs("--:|", to);
    fputc('\n', to);
    for (uint32_t row = 1; row < recording->row_count; row++) {
        const char *name = csv_cell(recording, row, (uint32_t)column);
        if (*name == '\0' || strcmp(name, "unit") == 0)
            continue;
        enum times_half its = half_of(split, name);
        if (its == TIMES_HALVES)
            return fails(error, size, "kernel %s of the recording is in neither half", name);
        const struct kernel_report *kernel = find_kernel(reports, report_count, name);
        if (its != half)
            continue;
        if (kernel == NULL)
            summary->not_modelled++;
        else
            print_row(to, recording, row, name, kernel, summary);
    }
    summary->not_recorded = count_unrecorded(recording, split, half);
    print_summary(to, summary);
    return true;
}

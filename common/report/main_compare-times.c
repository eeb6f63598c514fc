/* compare-times: compares modelled with measured times, as Markdown on standard output, with the
 * summary on standard error.
 *   compare-times [--check PERCENT] [--held] RECORDING.csv SPLIT.csv REPORT.json ...
 * --held shows the kernels that are held back, otherwise those for fitting are shown. With --check,
 * exit status 1: the mean error of the shown kernels is above PERCENT. */
#include "base/file.h"
#include "report/ncu/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_LIMIT = 16 << 20, REPORTS_MAX = 64 };

static bool read_csv(struct csv *csv, const char *path, char *error, size_t size) {
    size_t length;
    char *text = file_read(path, CSV_LIMIT, &length, error, size);
    bool right = text != NULL && csv_parse(csv, text, length, path, error, size);
    free(text);
    return right;
}

static bool print_half(enum times_half half, const struct csv *recording, const struct csv *split,
                       const struct report *reports, uint32_t count, double most_percent, char *error,
                       size_t size) {
    const char *name = half == TIMES_FITTING ? "For fitting" : "Held back";
    struct times_summary summary;
    printf("\n## %s\n\n", name);
    if (!times_print(stdout, half, recording, split, reports, count, &summary, error, size))
        return false;
    if (summary.not_recorded > 0)
        fprintf(stderr, "%s: %u kernels are not recorded\n", name, summary.not_recorded);
    if (summary.kernels == 0 && summary.not_recorded > 0 && half == TIMES_HELD_BACK)
        return true;
    fprintf(stderr, "%s: %u kernels, mean error %.1f %%, worst %.0f %% (%s)\n", name, summary.kernels,
            100 * summary.mean, 100 * summary.worst, summary.worst_name);
    if (summary.stalls > 0)
        fprintf(stderr, "%s: the top stall reason is ncu's in %u of %u (%.0f %%)\n", name, summary.same_stall,
                summary.stalls, 100.0 * summary.same_stall / summary.stalls);
    if (summary.kernels == 0)
        snprintf(error, size, "%s: no kernel could be compared", name);
    else if (!(100 * summary.mean <= most_percent))
        snprintf(error, size, "%s: the mean error is above %g %%", name, most_percent);
    return *error == '\0';
}

static void print_heading(void) {
    fputs(
        "# The time model on kernels of its own\n"
        "\n"
        "Written by `make compare-times`. us: what an H200 took by Nsight Compute, caches empty, clocks as\n"
        "found (README.md). model: the simulator's. limit: the unit that it finds busiest. waits for: the\n"
        "reason for which most warps stall, by ncu: the largest of the averages\n"
        "smsp__average_warps_issue_stalled_*_per_issue_active, selected apart. modelled: the largest of the\n"
        "model's shares of warps' time, selected apart. The other columns are the simulator's counter over\n"
        "ncu's: instructions (PTX's over the machine's), sectors of global loads and stores, wavefronts of\n"
        "shared loads and stores, sectors that L2 is asked for, bytes that come from DRAM; empty: neither\n"
        "has any, none: ncu counts none.\n",
        stdout);
}

int main(int count, char **arguments) {
    static struct report reports[REPORTS_MAX];
    char error[REPORT_ERROR_SIZE] = "";
    struct csv recording = {0}, split = {0};
    uint32_t read = 0;
    bool check = count > 2 && strcmp(arguments[1], "--check") == 0;
    char *end = check ? arguments[2] : NULL;
    double most_percent = check ? strtod(arguments[2], &end) : INFINITY;
    int first = check ? 3 : 1;
    bool held = count > first && strcmp(arguments[first], "--held") == 0;
    first += held;
    if ((check && (end == arguments[2] || *end != '\0')) || count - first < 3 ||
        count - first - 2 > REPORTS_MAX || arguments[first][0] == '-') {
        fputs("usage: compare-times [--check PERCENT] [--held] RECORDING.csv SPLIT.csv REPORT.json ...\n",
              stderr);
        return 2;
    }
    bool right = read_csv(&recording, arguments[first], error, sizeof error) &&
                 read_csv(&split, arguments[first + 1], error, sizeof error);
    for (int i = first + 2; right && i < count; i++) {
        right = report_read(&reports[read], arguments[i], error, sizeof error);
        read += right;
    }
    if (right) {
        print_heading();
        right =
            print_half(TIMES_FITTING, &recording, &split, reports, read, most_percent, error, sizeof error);
        if (right && held)
            right = print_half(TIMES_HELD_BACK, &recording, &split, reports, read, most_percent, error,
                               sizeof error);
        else if (right)
            puts("\nThe kernels that are held back are not looked at here: `make compare-times HELD=1`.");
    }
    if (!right)
        fprintf(stderr, "compare-times: %s\n", error);
    for (uint32_t i = 0; i < read; i++)
        report_free(&reports[i]);
    csv_free(&recording);
    csv_free(&split);
    return !right || fflush(stdout) != 0 || ferror(stdout) ? 1 : 0;
}

/*
 * compare-counters: the simulator's counters beside Nsight Compute's, as Markdown on standard output.
 *   compare-counters [--check] RECORDING.csv STEPS.json...
 * With --check it exits 1 when a counter that must be equal is not, or when nothing could be compared.
 */
#include "analysis/compare.h"

#include <stdlib.h>
#include <string.h>

enum { REPORTS_MAX = 16, ABOUT_SIZE = 4096 };

/* The lines of a recording that begin with '#', without it. */
static void read_about(const char *path, char *about, size_t size) {
    FILE *file = fopen(path, "r");
    char line[1024];
    size_t used = 0;
    about[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (line[0] == '#' && used + strlen(line) < size)
            used += (size_t)snprintf(about + used, size - used, "%s", line + 1 + (line[1] == ' '));
    if (file != NULL)
        fclose(file);
}

static int compare(const char *recording_path, char **report_paths, uint32_t count, bool check) {
    struct ncu_launches recording;
    struct report reports[REPORTS_MAX];
    char error[REPORT_ERROR_SIZE], about[ABOUT_SIZE];
    if (!ncu_read_file(&recording, recording_path, error, sizeof error)) {
        fprintf(stderr, "compare-counters: %s\n", error);
        return 1;
    }
    read_about(recording_path, about, sizeof about);
    uint32_t read = 0;
    while (read < count && report_read(&reports[read], report_paths[read], error, sizeof error))
        read++;
    int status = 1;
    if (read < count) {
        fprintf(stderr, "compare-counters: %s\n", error);
    } else {
        struct compare_summary summary;
        compare_print(stdout, &recording, about, reports, read, &summary);
        fprintf(stderr,
                "compare-counters: %u kernels, %u counters not equal, %u outside their bound, mean time "
                "error %.1f %%\n",
                summary.kernels, summary.unequal, summary.outside, 100 * summary.mean_error);
        bool failed = summary.kernels == 0 || summary.unequal > 0;
        status = fflush(stdout) != 0 || ferror(stdout) || (check && failed) ? 1 : 0;
    }
    for (uint32_t i = 0; i < read; i++)
        report_free(&reports[i]);
    ncu_free(&recording);
    return status;
}

int main(int count, char **arguments) {
    bool check = false;
    int first = 1;
    if (count > 1 && strcmp(arguments[1], "--check") == 0) {
        check = true;
        first = 2;
    }
    if (count - first < 2 || count - first - 1 > REPORTS_MAX || arguments[first][0] == '-') {
        fputs("usage: compare-counters [--check] RECORDING.csv STEPS.json...\n", stderr);
        return 2;
    }
    return compare(arguments[first], arguments + first + 1, (uint32_t)(count - first - 1), check);
}

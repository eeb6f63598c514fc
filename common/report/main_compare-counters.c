/* compare-counters: compares the simulator's counters with Nsight Compute's, as Markdown on
 * standard output.
 *   compare-counters [--check] RECORDING.csv STEPS.json [RECORDING.csv STEPS.json ...]
 * Each recording has a section, with the simulator's report of the same steps. With --check, exit
 * status 1: a request or sector of global memory differs, or nothing could be compared. */
#include "base/path.h"
#include "report/ncu/compare.h"

#include <string.h>

enum { ABOUT_SIZE = 4096, TITLE_SIZE = 256 };

/* Copies the lines of a recording that begin with '#', without the '#'. */
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

/* Prints one section. False: it cannot be made. *failed: a request or sector of global memory
 * differs, or nothing was compared. */
static bool compare(const char *recording_path, const char *report_path, bool *failed) {
    struct ncu_launches recording;
    struct report report;
    char error[REPORT_ERROR_SIZE], about[ABOUT_SIZE], title[TITLE_SIZE];
    if (!ncu_read_file(&recording, recording_path, error, sizeof error)) {
        fprintf(stderr, "compare-counters: %s\n", error);
        return false;
    }
    if (!report_read(&report, report_path, error, sizeof error)) {
        fprintf(stderr, "compare-counters: %s\n", error);
        ncu_free(&recording);
        return false;
    }
    read_about(recording_path, about, sizeof about);
    snprintf(title, sizeof title, "Steps up to %.30s, %.0f x %.0f (recordings/%.100s)", report.lab,
             (double)report.problem.width, (double)report.problem.height, path_name(recording_path));
    struct compare_summary summary;
    compare_print(stdout, title, &recording, about, &report, 1, &summary);
    fprintf(stderr,
            "%s: %u kernels, %u counters not equal, %u outside their bound, mean time error %.1f %%\n",
            path_name(recording_path), summary.kernels, summary.unequal, summary.outside,
            100 * summary.mean_error);
    *failed = *failed || summary.kernels == 0 || summary.unequal_global > 0;
    report_free(&report);
    ncu_free(&recording);
    return true;
}

int main(int count, char **arguments) {
    bool check = count > 1 && strcmp(arguments[1], "--check") == 0, failed = false, right = true;
    int first = check ? 2 : 1;
    if (count - first < 2 || (count - first) % 2 != 0 || arguments[first][0] == '-') {
        fputs("usage: compare-counters [--check] RECORDING.csv STEPS.json [RECORDING.csv STEPS.json ...]\n",
              stderr);
        return 2;
    }
    compare_print_heading(stdout);
    for (int i = first; right && i < count; i += 2)
        right = compare(arguments[i], arguments[i + 1], &failed);
    return !right || fflush(stdout) != 0 || ferror(stdout) || (check && failed) ? 1 : 0;
}

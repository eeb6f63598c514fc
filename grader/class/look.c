/* look.c: the words that a result keeps for the staff, as plain text. */
#include "class/humans.h"

#include "class/score/score.h"
#include "report/writers/format.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_CASES = 10, SHOWN_KERNELS = 10, LINE = 512 };

struct looking {
    struct gradebook *book;
    const char *student, *lab;
    FILE *to;
    bool found;
};

/* Line by line, clean, indented. */
static void print_lines(FILE *to, const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char raw[LINE], clean[LINE];
        snprintf(raw, sizeof raw, "%.*s", (int)(length < LINE ? length : LINE - 1), text);
        text_clean(clean, sizeof clean, raw);
        fprintf(to, "    %s\n", clean);
        text += length + (text[length] == '\n');
    }
}

static void print_part(FILE *to, const char *title, const char *text) {
    if (*text == '\0')
        return;
    fprintf(to, "  %s\n", title);
    print_lines(to, text);
}

static const char *staff_text(const struct score_result *result, const char *key) {
    const char *text = json_string_value(json_object_get(json_object_get(result->json, "staff"), key));
    return text != NULL ? text : "";
}

static void print_cases(FILE *to, const struct report *report) {
    unsigned shown = 0;
    for (uint32_t i = 0; i < report->case_count && shown < SHOWN_CASES; i++) {
        char line[LINE];
        if (report->cases[i].passed)
            continue;
        if (shown++ == 0)
            fprintf(to, "  %u of the grader's %u cases are wrong\n", report->cases_failed,
                    report->cases_failed + report->cases_passed);
        snprintf(line, sizeof line, "%.64s: %.400s", report->cases[i].name,
                 report->cases[i].message != NULL ? report->cases[i].message : "");
        line[strcspn(line, "\n")] = '\0';
        print_lines(to, line);
    }
}

/* Of the call that counts, with the grader's input. */
static void print_kernels(FILE *to, const struct report *report) {
    const struct report_run *run = report_find_run(report, RUN_YOURS);
    for (uint32_t i = 0; run != NULL && i < run->kernel_count && i < SHOWN_KERNELS; i++) {
        const struct kernel_report *kernel = &run->kernels[i];
        char name[64], time[FORMAT_SIZE];
        text_clean(name, sizeof name, kernel->name);
        if (i == 0)
            fputs("  kernels of the call that counts\n", to);
        fprintf(to, "    %s: %" PRIu64 " launch%s, grid %ux%ux%u, block %ux%ux%u, %s\n", name,
                kernel_launches(kernel), kernel_launches(kernel) == 1 ? "" : "es", kernel->grid[0],
                kernel->grid[1], kernel->grid[2], kernel->block[0], kernel->block[1], kernel->block[2],
                format_time(time, kernel->time_us));
    }
    if (run != NULL && run->kernel_count > SHOWN_KERNELS)
        fprintf(to, "    and %u more\n", run->kernel_count - SHOWN_KERNELS);
}

static void print_result(FILE *to, const struct score_result *result) {
    print_part(to, "what the student is told", result->message);
    print_part(to, "and in detail", result->detail);
    print_part(to, "what happened with the grader's inputs", staff_text(result, "detail"));
    if (!result->has_report)
        return;
    print_cases(to, &result->report);
    print_kernels(to, &result->report);
}

static bool look_at(void *context, const struct grade *grade) {
    struct looking *looking = context;
    struct score_result results[2];
    char points[32], max[32], folder[PATH_SIZE], path[PATH_SIZE];
    if (strcmp(grade->student, looking->student) != 0 ||
        (looking->lab != NULL && strcmp(grade->lab, looking->lab) != 0))
        return true;
    looking->found = true;
    fprintf(looking->to, "%s of %s: %s, %s of %s points%s%s\n", grade->lab, grade->student, grade->outcome,
            score_points_text(points, grade->points), score_points_text(max, grade->max),
            grade->flags[0] != '\0' ? "; flags: " : "", grade->flags);
    if (grade->sha256[0] != '\0' && path_join(folder, looking->book->folder, "kernels") &&
        kernel_store_path(folder, grade->sha256, path))
        fprintf(looking->to, "  %s\n", path);
    print_part(looking->to, "why it needs a human", grade->human);
    unsigned count = score_results_of(looking->book, grade, results);
    for (unsigned i = 0; i < count; i++) {
        print_result(looking->to, &results[i]);
        score_result_free(&results[i]);
    }
    fputc('\n', looking->to);
    return true;
}

bool look(struct gradebook *book, const char *student, const char *lab, FILE *to, bool *found) {
    struct looking looking = {.book = book, .student = student, .lab = lab, .to = to};
    bool right = gradebook_each_grade(book, look_at, &looking);
    *found = looking.found;
    return right;
}

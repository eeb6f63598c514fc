/* text_brief.c: a report as `make labN` prints it. */
#include "report/writers/text.h"

#include "base/path.h"
#include "report/writers/format.h"
#include "report/writers/rows.h"

#include <math.h>
#include <string.h>

static bool is_simulated(const struct report *report) {
    return report->device.kind == DEVICE_SIM;
}

/* Whether a kernel's time is modelled by counters, for want of machine code. */
static bool is_by_counters(const struct report *report) {
    for (uint32_t r = 0; r < report->run_count; r++)
        for (uint32_t k = 0; k < report->runs[r].kernel_count; k++)
            if (kernel_report_by_counters(&report->runs[r].kernels[k]))
                return true;
    return false;
}

static const char *or_nothing(const char *text) {
    return text != NULL ? text : "";
}

void report_print_heading(const struct terminal *t, const struct report *report,
                          const struct gpu_model *model) {
    const char *lab = or_nothing(report->lab), *gpu = report->device.gpu;
    bool numbered = strncmp(lab, "lab", 3) == 0; /* else a program of `make run` */
    terminal_print(t, STYLE_TITLE, "\n%s%s", numbered ? "Lab " : "", numbered ? lab + 3 : lab);
    terminal_print(t, STYLE_STRONG, "  %s\n", or_nothing(report->title));
    char problem[96] = "";
    int length = 0;
    if (report->part_count > 0)
        length = snprintf(problem, sizeof problem, "%u parts", report->part_count);
    else if (report->problem.width > 0)
        length = snprintf(problem, sizeof problem, "%u x %u%s", report->problem.width, report->problem.height,
                          report->problem.image != NULL ? ", your picture" : "");
    if (length > 0 && report->problem.seed > 1)
        snprintf(problem + length, sizeof problem - (size_t)length, ", seed %llu",
                 (unsigned long long)report->problem.seed);
    bool band = false;
    for (uint32_t i = 0; i < report->run_count; i++)
        band = band || isfinite(report->runs[i].band);
    if (is_simulated(report)) {
        static const char form[] = "       simulated %s (counters exact, time modelled%s)%s%s\n";
        const char *gap = length == 0 ? "" : ", ", *from = is_by_counters(report) ? " from them" : "";
        if (snprintf(NULL, 0, form, or_nothing(gpu), from, gap, problem) > (int)terminal_width(t) + 1)
            gap = "\n       ";
        terminal_print(t, STYLE_DIM, form, or_nothing(gpu), from, gap, problem);
        if (band)
            terminal_print(t, STYLE_DIM,
                           "       ±: two of three kernels like it were measured within this\n");
    } else {
        char other[256];
        terminal_print(t, STYLE_DIM, "       %s%s%s\n", gpu != NULL ? gpu : "a real GPU",
                       length > 0 ? "; " : "", problem);
        if (model != NULL && gpu != NULL && gpu_model_stands_in(model, gpu, other, sizeof other)) {
            fputs("       ", t->out);
            terminal_wrap(t, STYLE_DIM, 7, 7, other);
        }
    }
}

/* ---- right or wrong */

/* Marks the simulated GPU's lines in the program's output. */
static const char simulated_gpu[] = "simulated GPU: ";

/* The next line that is, or is not, the simulated GPU's; *at: the line behind it. NULL: none. */
static const char *next_line(const char **at, bool simulator, size_t *length) {
    while (**at != '\0') {
        const char *line = *at;
        *length = strcspn(line, "\n");
        *at += *length + (line[*length] == '\n');
        if ((strncmp(line, simulated_gpu, sizeof simulated_gpu - 1) == 0) == simulator)
            return line;
    }
    return NULL;
}

static void print_output(const struct terminal *t, const struct report *report) {
    enum { LINES = 8, MOST = 300 };
    const char *output = or_nothing(report->output), *at = output, *line;
    const char *file = report_file(report, "output.txt");
    size_t length;
    unsigned lines = 0;
    while (lines < LINES && (line = next_line(&at, false, &length)) != NULL) {
        if (lines++ == 0)
            terminal_print(t, STYLE_STRONG, "\nYour program printed\n");
        fprintf(t->out, "  %.*s\n", length > MOST ? MOST : (int)length, line);
    }
    if (next_line(&at, false, &length) != NULL && file != NULL)
        terminal_print(t, STYLE_DIM, "  ... all of it: %s\n", file);
    at = output;
    lines = 0;
    while (lines < LINES && (line = next_line(&at, true, &length)) != NULL) {
        char text[2 * MOST];
        snprintf(text, sizeof text, "%.*s", (int)(length - (sizeof simulated_gpu - 1)),
                 line + sizeof simulated_gpu - 1);
        if (lines++ == 0)
            terminal_print(t, STYLE_STRONG, "\nThe simulated GPU said to your program\n");
        fputs("  ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 2, 2, text);
    }
}

static void print_wrong(const struct terminal *t, const struct report *report) {
    const struct report_wrong *wrong = &report->wrong;
    char place[40] = "at";
    if (wrong->place[0] != '\0')
        snprintf(place, sizeof place, "at %s", wrong->place);
    char text[sizeof wrong->name + sizeof wrong->message + 8];
    snprintf(text, sizeof text, "%s: %s", wrong->name, wrong->message);
    terminal_print(t, STYLE_STRONG, "\nA wrong case  ");
    terminal_wrap(t, STYLE_NORMAL, 14, 14, text);
    if (wrong->listed_count > 0)
        terminal_print(t, STYLE_DIM, "  %10s  %-16s %8s %9s\n", "index", place, "got", "expected");
    for (uint32_t i = 0; i < wrong->listed_count; i++)
        fprintf(t->out, "  %10llu  %-16s %8s %9s\n", (unsigned long long)wrong->listed[i].index,
                wrong->listed[i].where, wrong->listed[i].got, wrong->listed[i].expected);
    if (wrong->listed_count > 0 && wrong->elements > wrong->listed_count)
        terminal_print(t, STYLE_DIM, "  and %llu more\n",
                       (unsigned long long)(wrong->elements - wrong->listed_count));
    if (wrong->hint[0] != '\0') {
        terminal_print(t, STYLE_WARN, wrong->cause[0] != '\0' ? "  Cause:  " : "  Known:  ");
        terminal_wrap(t, STYLE_NORMAL, 10, 10, wrong->hint);
    }
    if (wrong->nondeterministic) {
        terminal_print(t, STYLE_WARN, "  Also:   ");
        terminal_wrap(t, STYLE_NORMAL, 10, 10,
                      "the same input gave two different results: threads race. Is a __syncthreads() missing "
                      "between writing shared memory and reading it?");
    }
    const char *difference = report_file(report, "difference.png");
    if (difference != NULL)
        terminal_print(t, STYLE_DIM, "  Pictures: %.*sinput.png, output.png, difference.png\n",
                       (int)(strlen(difference) - strlen("difference.png")), difference);
}

/* Says why there was no verdict on all cases. */
static void print_failure(const struct terminal *t, const struct report *report) {
    static const char *const headings[STAGES] = {[STAGE_FAULT] = "Stopped",
                                                 [STAGE_TIMEOUT] = "Does not end",
                                                 [STAGE_START] = "Cannot start",
                                                 [STAGE_MEASURE] = "Not measured",
                                                 [STAGE_BUSY] = "Not judged"};
    const char *heading =
        headings[report->failure_stage] != NULL ? headings[report->failure_stage] : "Failed";
    if (report->source == NULL && report->run_count > 0 && report->failure_stage == STAGE_START)
        heading = "Failed"; /* a program of `make run` that failed */
    terminal_print(t, STYLE_BAD, "%s", heading);
    if (report->case_count > 0 && report->cases_failed > 0)
        fprintf(t->out, "  in case %s (%u before it are right)", report->cases[report->case_count - 1].name,
                report->cases_passed);
    fputs("\n  ", t->out);
    terminal_wrap(t, STYLE_NORMAL, 2, 2, or_nothing(report->failure_message));
}

/* What luck, or the simulated GPU's order, made right comes before what is right. */
static void print_unordered(const struct terminal *t, const struct report *report) {
    const struct report_run *yours = report_find_run(report, RUN_YOURS);
    if (yours == NULL || yours->unordered[0] == '\0')
        return;
    terminal_print(t, STYLE_BAD, "\nRight here, wrong in another order\n  ");
    terminal_wrap(t, STYLE_NORMAL, 2, 2, yours->unordered);
}

void text_correctness(const struct terminal *t, const struct report *report) {
    enum report_stage stage = report->failure_stage;
    bool wrong = stage == STAGE_CORRECTNESS;
    unsigned total = report->cases_passed + report->cases_failed;
    if (stage == STAGE_NONE && total == 0) /* nothing was judged, as in `make run` and steps */
        return;
    if (stage == STAGE_BUILD) {
        terminal_print(t, STYLE_BAD, "\nDoes not compile\n");
        fprintf(t->out, "%s\n", or_nothing(report->failure_message));
        return;
    }
    print_unordered(t, report);
    fputc('\n', t->out);
    if (stage != STAGE_NONE && !wrong) {
        print_failure(t, report);
    } else if (wrong || report->cases_failed > 0) {
        terminal_print(t, STYLE_BAD, "Wrong");
        fprintf(t->out, "     %u of %u cases are right\n", report->cases_passed, total);
    } else {
        terminal_print(t, STYLE_GOOD, "Correct");
        fprintf(t->out, "   %u of %u cases%s%s\n", report->cases_passed, total,
                report->criterion != NULL ? ", " : "", or_nothing(report->criterion));
    }
    if (report->wrong.present) {
        print_wrong(t, report);
    } else if (wrong) {
        fputs("  ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 2, 2, or_nothing(report->failure_message));
    }
    print_output(t, report);
}

/* ---- remarks */

static void print_remark(const struct terminal *t, const struct report *report,
                         const struct report_remark *remark) {
    char text[1024], where[320] = "", often[96] = "";
    if (remark->line)
        snprintf(where, sizeof where, "%s:%u: ", path_name(remark->file), remark->line);
    if (remark->cases > 1)
        snprintf(often, sizeof often, " (%llu times, in %u of %u cases)", (unsigned long long)remark->count,
                 remark->cases, report->cases_passed + report->cases_failed);
    else if (remark->count > 1)
        snprintf(often, sizeof often, " (%llu times)", (unsigned long long)remark->count);
    snprintf(text, sizeof text, "%s%s%s%s%s", where, remark->message, often,
             remark->name[0] == '\0' ? ""
             : remark->cases > 1     ? "; first in case "
                                     : "; case ",
             remark->name);
    terminal_print(t, STYLE_WARN, "  * ");
    terminal_wrap(t, STYLE_NORMAL, 4, 4, text);
}

/* Prints the compiler's remarks, or the others. */
static void print_remarks(const struct terminal *t, const struct report *report, bool compiler,
                          const char *heading) {
    enum { MOST = 4 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->remark_count; i++) {
        if ((strcmp(report->remarks[i].kind, REPORT_COMPILER) == 0) != compiler)
            continue;
        if (count == 0)
            terminal_print(t, STYLE_STRONG, "%s", heading);
        if (count++ < MOST)
            print_remark(t, report, &report->remarks[i]);
    }
    if (count > MOST)
        terminal_print(t, STYLE_DIM, "  and %u more in report.json\n", count - MOST);
}

void text_remarks(const struct terminal *t, const struct report *report) {
    print_remarks(t, report, true, "\nThe compiler warns\n");
    print_remarks(t, report, false, "\nCheck  what a GPU would not tell you\n");
}

/* ---- measurements */

bool run_is_of_part(const struct report_run *run, const char *part) {
    return *part == '\0' || (run->part != NULL && strcmp(run->part, part) == 0);
}

void report_print_part(const struct terminal *t, const struct report_part *part) {
    int length = snprintf(NULL, 0, "  Part %s: %s (%s)", part->name, part->title, part->timed);
    terminal_print(t, STYLE_STRONG, "\n  Part %s: %s", part->name, part->title);
    terminal_print(t, STYLE_DIM, "%s(%s)\n", length <= (int)terminal_width(t) ? " " : "\n          ",
                   part->timed);
}

/* A kernel's findings matter little if the run mostly does something else. */
static void print_idle(const struct terminal *t, const struct report *report, const struct report_run *run) {
    char text[256], share[FORMAT_SIZE], time[FORMAT_SIZE];
    snprintf(
        text, sizeof text,
        "Kernels work for %s of the run's %s. In the rest the GPU waits for copies or the host: look at that "
        "before you look at a kernel.",
        format_share(share, run_working_share(run)), format_time(time, run->time_us));
    terminal_print(t, STYLE_WARN, "  * ");
    terminal_wrap(t, STYLE_NORMAL, 4, 4, text);
    if (report->source != NULL && is_simulated(report))
        fprintf(t->out, "    try: make %s-timeline draws what happens when.\n", or_nothing(report->lab));
}

/* Prints "Your kernel"; of several, the one with the findings, and its share of the time. */
static void print_whose(const struct terminal *t, const struct report_run *run, uint32_t longest,
                        const char *part) {
    char share[FORMAT_SIZE];
    double all = run_kernels_us(run);
    terminal_print(t, STYLE_STRONG, "\nYour %skernel%s%s", run->kernel_count > 1 ? "longest " : "",
                   *part != '\0' ? " of part " : "", part);
    if (run->kernel_count > 1 && all > 0)
        fprintf(t->out, "  %.*s, %s of the time of all",
                (int)strcspn(or_nothing(run->kernels[longest].name), "("),
                or_nothing(run->kernels[longest].name),
                format_share(share, run->kernels[longest].time_us / all));
    fputc('\n', t->out);
}

static void print_findings(const struct terminal *t, const struct report *report, const char *part) {
    enum { MOST = 3 };
    const struct report_run *yours = report_find_part_run(report, part, RUN_YOURS);
    uint32_t longest;
    if (yours == NULL || run_top_kernels(yours, &longest, 1) == 0)
        return;
    const struct findings *findings = yours->kernels[longest].findings;
    bool idle = run_has_gaps(yours);
    if (idle) {
        terminal_print(t, STYLE_STRONG, *part != '\0' ? "\nYour run of part %s\n" : "\nYour run\n", part);
        print_idle(t, report, yours);
        text_spills(t, yours, &yours->kernels[longest]);
        return;
    }
    if (findings != NULL && findings->count > 0)
        print_whose(t, yours, longest, part);
    findings_print(t, findings, MOST, "  * ");
    text_what_ifs(t, &yours->kernels[longest]);
    text_spills(t, yours, &yours->kernels[longest]);
}

static void print_results(const struct terminal *t, const struct report *report) {
    text_runs(t, report);
    if (report->part_count == 0)
        print_findings(t, report, "");
    for (uint32_t part = 0; part < report->part_count; part++)
        print_findings(t, report, report->parts[part].name);
    text_goals(t, report);
}

/* ---- next steps */

/* Prints the files that a measured run leaves beside the report, without a wrong case's
 * pictures. */
static void print_files(const struct terminal *t, const struct report *report) {
    char text[1024] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < report->file_count && length < sizeof text; i++) {
        const char *name = path_name(report->files[i]);
        if (i == 0)
            length += (size_t)snprintf(text, sizeof text, "%s", report->files[i]);
        else if (report->run_count > 0 && strcmp(name, "difference.png") != 0 &&
                 strcmp(name, "output.txt") != 0)
            length += (size_t)snprintf(text + length, sizeof text - length, ", %s", name);
    }
    if (length == 0)
        return;
    terminal_print(t, STYLE_DIM, "Files  ");
    terminal_wrap(t, STYLE_DIM, 7, 7, text);
}

static void print_next(const struct terminal *t, const struct report *report) {
    const char *lab = or_nothing(report->lab);
    bool all = report->not_here == NULL;
    if (report->source == NULL)
        return;
    terminal_print(t, STYLE_STRONG, "\nNext   ");
    if (report->failure_stage != STAGE_NONE)
        fprintf(t->out, "edit %s, then make %s\n", report->source, lab);
    else if (!report->score_passed)
        fprintf(t->out, "edit %s\n       make %s-hint   make %s-profile%s%s%s\n", report->source, lab, lab,
                all ? "   make " : "", all ? lab : "", all ? "-steps" : "");
    else if (!all)
        fprintf(t->out, "make %s-profile\n", lab);
    else
        fprintf(t->out, "make %s-steps   make %s-profile   make %s-solution\n", lab, lab, lab);
    if (report->failure_stage == STAGE_NONE && report->score_passed && report->after != NULL) {
        fputs("       ", t->out);
        terminal_wrap(t, STYLE_NORMAL, 7, 7, report->after);
    }
    print_files(t, report);
    fputc('\n', t->out);
}

void report_print(const struct terminal *t, const struct report *report, const struct gpu_model *model) {
    report_print_heading(t, report, model);
    text_correctness(t, report);
    text_remarks(t, report);
    if (report->failure_stage == STAGE_NONE && report->run_count > 0)
        print_results(t, report);
    else if (report->not_recorded != NULL)
        fputc('\n', t->out);
    text_not_recorded(t, report);
    print_next(t, report);
}

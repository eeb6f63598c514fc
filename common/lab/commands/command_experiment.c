/*
 * An experiment of a lab, in solutions/labN-TOPIC/experiments. NAME.ini: one kernel in many
 * programs, each judged and measured; refused ones have the reason. NAME.cu: a program that prints
 * its own table and writes NAME.csv. gnuplot draws NAME.png by NAME.gp, where there is one.
 */
#include "base/child.h"
#include "base/file.h"
#include "lab/commands/commands.h"
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/profiler.h"
#include "lab/judge/run.h"
#include "lab/ladder/experiment.h"
#include "lab/learner/progress.h"
#include "report/writers/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MOST = 5 };

/* Why the compiler refused: the text of a static assertion, or its first error. */
static void compiler_reason(const char *path, char *reason, size_t size) {
    static const char assertion[] = "failed with \"";
    char log[PATH_SIZE], error[256];
    path_print(log, "%s.log", path);
    char *text = file_read(log, 4 << 20, NULL, error, sizeof error);
    const char *at = text != NULL ? strstr(text, assertion) : NULL, *end = "\"\n";
    if (at != NULL)
        at += strlen(assertion);
    else {
        at = text != NULL ? strstr(text, "error") : NULL;
        end = "\n";
    }
    at = at != NULL ? at : "not built";
    snprintf(reason, size, "%.*s", (int)strcspn(at, end), at);
    free(text);
}

/* Why the GPU refused. */
static void launch_reason(const struct failure *failure, char *reason, size_t size) {
    static const struct {
        const char *error, *reason;
    } known[] = {{"cudaErrorInvalidValue", "too much shared memory"},
                 {"cudaErrorLaunchOutOfResources", "too many registers"},
                 {"cudaErrorInvalidConfiguration", "too many threads"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(failure->message, known[i].error) != NULL) {
            snprintf(reason, size, "%s", known[i].reason);
            return;
        }
    snprintf(reason, size, "%.*s", (int)strcspn(failure->message, "\n"), failure->message);
}

/* Fills the other figures of a program, of its longest kernel. */
static void take_figures(struct experiment_program *program, const struct kernel_report *kernels,
                         unsigned count) {
    unsigned longest = 0;
    for (unsigned i = 1; i < count; i++)
        longest = kernels[i].time_us > kernels[longest].time_us ? i : longest;
    for (unsigned f = 0; f < EXPERIMENT_FIGURE_COUNT && count > 0; f++)
        program->figure[f] = experiment_figure_of(&kernels[longest], (enum experiment_figure)f);
}

/* Likewise on a real GPU, by Nsight Compute. */
static void profile_figures(const struct settings *s, const struct trial *t,
                            struct experiment_program *program, const char *path) {
    struct kernel_report *kernels = NULL;
    unsigned count = 0;
    if (!profiler_count(s, path, t, &kernels, &count))
        return;
    take_figures(program, kernels, count);
    for (unsigned i = 0; i < count; i++)
        kernel_report_free(&kernels[i]);
    free(kernels);
}

/* The median of a few rounds; one on the simulated GPU. False when the program computes
 * something wrong. */
static bool time_program(const struct settings *s, const struct trial *t, struct experiment_program *program,
                         const char *path, struct failure *failure) {
    double times[ROUNDS_MOST];
    bool cuda = s->device == DEVICE_CUDA, right = true;
    unsigned rounds = !cuda ? 1 : s->rounds < ROUNDS_MOST ? s->rounds : ROUNDS_MOST, warm_up = cuda ? 1 : 0;
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    struct session *session = judge_open_session(s, path, &how, failure);
    if (session == NULL)
        return false;
    for (unsigned round = 0; right && round < warm_up + rounds; round++) {
        struct trial_options call = {
            .key = settings_key(s, "experiment, call %u", round), .guard = cuda || !s->strict, .timed = true};
        struct trial_result result = {0};
        if (!trial_run(t, session, &call, &result, failure)) {
            launch_reason(failure, program->reason, sizeof program->reason);
            trial_result_free(&result);
            break;
        }
        right = result.verdict.passed;
        if (!right)
            failure_set(failure, STAGE_CORRECTNESS, "%s: %s", program->name, result.verdict.message);
        else if (round >= warm_up)
            times[round - warm_up] = cuda ? result.event_us : result.device_us;
        if (right && round + 1 == warm_up + rounds) {
            program->time_us = statistics_median(times, rounds);
            take_figures(program, result.kernels, result.kernel_count);
        }
        trial_result_free(&result);
    }
    session_close(session);
    return right;
}

static void find_program(const struct settings *s, const struct experiment *e, unsigned i,
                         char path[PATH_SIZE]) {
    char name[sizeof e->name + sizeof e->program[i].name + 1];
    snprintf(name, sizeof name, "%s/%s", e->name, e->program[i].name);
    settings_program(s, name, path);
}

/* Measures programs first, first + 1, ... of one size. Figures that need a profiler are of the
 * first size. */
static bool time_at_size(const struct settings *s, struct experiment *e, unsigned first, unsigned count,
                         struct failure *failure) {
    struct problem_case c;
    struct problem_work work;
    struct trial t;
    bool right = true, profiled = false;
    for (unsigned f = 0; f < EXPERIMENT_FIGURE_COUNT; f++)
        profiled = profiled || (e->shows[f] && s->device == DEVICE_CUDA && first == 0);
    settings_timed_case(s, 0, 0, &c);
    s->lab.problem->work(&c, &work);
    if (!trial_create(&t, s->lab.problem, &c)) {
        failure_set(failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    for (unsigned i = first; right && i < first + count; i++) {
        struct experiment_program *program = &e->program[i];
        char path[PATH_SIZE];
        progress_bar(i, e->program_count, program->name);
        find_program(s, e, i, path);
        program->operations = work.operations;
        if (access(path, X_OK) != 0)
            compiler_reason(path, program->reason, sizeof program->reason);
        else
            right = time_program(s, &t, program, path, failure);
        if (right && profiled && !isnan(program->time_us))
            profile_figures(s, &t, program, path);
    }
    progress_clear();
    trial_free(&t);
    return right;
}

/* Times the programs one after the other; some may be refused. */
static bool time_programs(const struct settings *s, struct experiment *e, struct failure *failure) {
    unsigned sizes = e->size_count > 0 ? e->size_count : 1, count = e->program_count / sizes;
    bool right = true;
    for (unsigned i = 0; right && i < sizes; i++) {
        struct settings own = *s;
        if (e->size_count > 0) {
            own.sized = true;
            own.width = e->size[i][0];
            own.height = e->size[i][1];
        }
        right = time_at_size(&own, e, i * count, count, failure);
    }
    return right;
}

/* Side by side, with their counters: build/labN/NAME.json. */
static bool measure_programs(const struct settings *s, struct experiment *e, struct report *report,
                             struct failure *failure) {
    struct measure_variant variants[MEASURE_VARIANTS] = {{.beside = false}};
    struct judge_wrong wrong = {0};
    for (unsigned i = 0; i < e->program_count; i++) {
        snprintf(variants[i].name, sizeof variants[i].name, "%.31s", e->program[i].name);
        find_program(s, e, i, variants[i].program);
        if (access(variants[i].program, X_OK) != 0) {
            failure_set(failure, STAGE_BUILD, "%s is not built; its compiler's message is beside it in .log",
                        variants[i].program);
            return false;
        }
    }
    bool right = measure_variants(s, 0, variants, e->program_count, -1,
                                  &(struct measure_results){report, &wrong, failure});
    for (unsigned i = 0; right && i < report->run_count; i++) {
        e->program[i].run = &report->runs[i];
        e->program[i].time_us = report->runs[i].time_us;
        take_figures(&e->program[i], report->runs[i].kernels, report->runs[i].kernel_count);
    }
    return right;
}

static void write_figures(FILE *to, const struct experiment *e, const struct experiment_program *p) {
    for (unsigned f = 0; f < EXPERIMENT_FIGURE_COUNT; f++) {
        if (!e->shows[f])
            continue;
        if (p == NULL)
            fprintf(to, ",%s", experiment_figure_name((enum experiment_figure)f));
        else if (isnan(p->figure[f]))
            fputc(',', to);
        else
            fprintf(to, ",%.6g", p->figure[f]);
    }
    fputc('\n', to);
}

/* Writes build/labN/NAME.csv: values, size where there are several, time, what is reached or why
 * nothing is, figures. */
static bool write_csv(const struct settings *s, const struct experiment *e, double operations, char *error,
                      size_t size) {
    struct file_output output;
    char name[64], text[EXPERIMENT_TEXT];
    snprintf(name, sizeof name, "%s.csv", e->name);
    if (!file_begin(&output, s->folder, name, error, size))
        return false;
    for (unsigned m = 0; m < e->macro_count; m++) {
        for (const char *c = e->macro[m]; *c != '\0'; c++)
            fputc(tolower((unsigned char)*c), output.file);
        fputc(',', output.file);
    }
    fprintf(output.file, "%stime_us,tflops,refused", e->size_count > 0 ? "width,height," : "");
    write_figures(output.file, e, NULL);
    for (unsigned i = 0; i < e->program_count; i++) {
        const struct experiment_program *p = &e->program[i];
        for (unsigned m = 0; m < e->macro_count; m++) {
            experiment_value(p, m, text);
            fprintf(output.file, "%s,", text);
        }
        if (e->size_count > 0)
            fprintf(output.file, "%u,%u,", p->width, p->height);
        if (isnan(p->time_us))
            fprintf(output.file, ",,%s", p->reason);
        else
            fprintf(output.file, "%.3f,%.3f,", p->time_us,
                    (p->operations > 0 ? p->operations : operations) / p->time_us * 1e-6);
        write_figures(output.file, e, p);
    }
    return file_end(&output, error, size);
}

/* Those of the first size before all others. */
static int fastest_first(const void *left, const void *right) {
    const struct experiment_program *a = left, *b = right;
    if (isnan(a->time_us) || isnan(b->time_us))
        return (int)isnan(a->time_us) - (int)isnan(b->time_us);
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->time_us > b->time_us) - (a->time_us < b->time_us);
}

/* The heading of a column (row NULL), or what it says of a program. */
static void cell_of(const struct settings *s, const struct experiment *e, unsigned column,
                    const struct experiment_program *row, double operations, char text[EXPERIMENT_TEXT]) {
    const struct experiment_column *c = &e->column[column];
    if (row != NULL)
        experiment_cell(e, c, row, operations, text);
    else
        snprintf(text, EXPERIMENT_TEXT, "%s",
                 strcmp(c->form, "{time}") == 0 && s->device == DEVICE_SIM ? "modelled" : c->heading);
}

/* Prints the table: the first column left-aligned, the others right-aligned, spread as far as
 * the terminal allows. */
static void show_table(const struct terminal *t, const struct settings *s, const struct experiment *e,
                       unsigned rows, double operations) {
    enum { GAP_MOST = 3 };
    int width[EXPERIMENT_COLUMNS] = {0};
    char text[EXPERIMENT_TEXT];
    for (unsigned line = 0; line <= rows; line++)
        for (unsigned c = 0; c < e->column_count; c++) {
            cell_of(s, e, c, line == 0 ? NULL : &e->program[line - 1], operations, text);
            width[c] = (int)strlen(text) > width[c] ? (int)strlen(text) : width[c];
        }
    int gap = GAP_MOST, all = e->fastest != 0 ? 6 : 2, between = (int)e->column_count - 1;
    for (unsigned c = 0; c < e->column_count; c++)
        all += width[c];
    while (gap > 1 && all + gap * between > (int)terminal_width(t))
        gap--;
    fputc('\n', t->out);
    for (unsigned line = 0; line <= rows; line++) {
        enum terminal_style style = line == 0                      ? STYLE_DIM
                                    : line == 1 && e->fastest != 0 ? STYLE_STRONG
                                                                   : STYLE_NORMAL;
        snprintf(text, sizeof text, "%u", line);
        terminal_print(t, style, "  %s", e->fastest == 0 ? "" : line == 0 ? "    " : text);
        if (e->fastest != 0 && line > 0)
            fprintf(t->out, "%*s", 4 - (int)strlen(text), "");
        for (unsigned c = 0; c < e->column_count; c++) {
            cell_of(s, e, c, line == 0 ? NULL : &e->program[line - 1], operations, text);
            terminal_print(t, style, "%*s", c == 0 ? -width[c] : width[c] + gap, text);
        }
        fputc('\n', t->out);
    }
}

/* Each reason once, with how often. */
static void show_refused(const struct terminal *t, const struct experiment *e, unsigned timed) {
    fprintf(t->out, "\n  %u run", timed);
    if (timed < e->program_count)
        fprintf(t->out, ", %u refused", e->program_count - timed);
    for (unsigned i = 0; i < e->program_count; i++) {
        const char *reason = e->program[i].reason;
        unsigned times = 0, before = 0;
        for (unsigned j = 0; j < e->program_count; j++) {
            bool same = strcmp(e->program[j].reason, reason) == 0;
            before += same && j < i;
            times += same;
        }
        if (*reason != '\0' && before == 0)
            fprintf(t->out, "\n    %4u  %.66s", times, reason);
    }
    fputc('\n', t->out);
}

/* Whose counters these are. */
static const char *counters_of(const struct settings *s, const struct report *report) {
    const struct report_run *run = report->run_count > 0 ? &report->runs[0] : NULL;
    return s->device == DEVICE_SIM ? "exact"
           : run != NULL && run->kernel_count > 0 && run->kernels[0].time_source == TIME_NCU
               ? "ncu's"
               : "the simulator's";
}

/* experiments/NAME.gp draws build/labN/NAME.csv; then what was written where. */
static void show_files(const struct terminal *t, const struct settings *s, const char *name,
                       const char *title, const char *suffix) {
    char script[PATH_SIZE], path[PATH_SIZE], data[PATH_SIZE], picture[PATH_SIZE], heading[512];
    const char *folder = s->folder + strlen(s->root) + 1;
    path_print(script, "solutions/%s-%s/experiments/%s.gp", s->lab.id, s->lab.topic, name);
    path_join(path, s->root, script);
    path_print(data, "%s/%s%s", s->folder, name, suffix);
    path_print(picture, "%s/%s.png", s->folder, name);
    snprintf(heading, sizeof heading, "%s, %s (%s)", title, s->device == DEVICE_SIM ? "modelled" : "measured",
             s->gpu_name);
    if (access(data, R_OK) != 0)
        return;
    terminal_print(t, STYLE_DIM, "\n  all of it %s/%s%s", folder, name, suffix);
    if (access(path, R_OK) != 0)
        fputc('\n', t->out);
    else if (command_plot(s, script, (const char *[]){data, picture, heading, NULL}))
        terminal_print(t, STYLE_DIM, "; picture %s/%s.png\n", folder, name);
    else
        terminal_print(t, STYLE_DIM, "; no picture: gnuplot is missing or failed\n");
    fputc('\n', t->out);
}

static bool measure(const struct settings *s, struct experiment *e, double operations, struct report *report,
                    struct failure *failure, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!e->counted)
        return time_programs(s, e, failure) && write_csv(s, e, operations, error, size);
    bool right = measure_programs(s, e, report, failure);
    path_print(path, "%s/%s.json", s->folder, e->name);
    if (!right && !report_set_failure(report, failure->stage, failure->message))
        return false;
    return report_write(report, path, error, size) && right;
}

static int run_list(const struct settings *s, const char *name) {
    struct experiment e;
    char error[SETTINGS_ERROR] = "", title[256];
    struct problem_case c;
    struct problem_work work;
    struct report report;
    struct failure failure = {0};
    if (!experiment_load(s, name, &e, error, sizeof error))
        return command_refuse(error);
    settings_timed_case(s, 0, 0, &c);
    s->lab.problem->work(&c, &work);
    if (!run_report_begin(&report, s))
        return command_refuse("out of memory");
    bool right = measure(s, &e, work.operations, &report, &failure, error, sizeof error);
    struct terminal terminal = terminal_open(stdout);
    report_print_heading(&terminal, &report, &s->model);
    if (right) {
        unsigned timed = 0;
        for (unsigned i = 0; i < e.program_count; i++)
            timed += !isnan(e.program[i].time_us);
        if (e.fastest != 0)
            qsort(e.program, e.program_count, sizeof e.program[0], fastest_first);
        show_table(&terminal, s, &e,
                   e.fastest == 0      ? e.program_count
                   : e.fastest < timed ? e.fastest
                                       : timed,
                   work.operations);
        if (e.counted)
            terminal_print(&terminal, STYLE_DIM, "  The counters are %s.\n", counters_of(s, &report));
        else
            show_refused(&terminal, &e, timed);
        snprintf(title, sizeof title, "%s: %s, %u x %u", e.title, s->lab.problem->function, s->width,
                 s->height);
        show_files(&terminal, s, name, title, e.counted ? ".json" : ".csv");
    } else if (*error == '\0') {
        terminal_print(&terminal, STYLE_BAD, "\nNot measured\n  ");
        terminal_wrap(&terminal, STYLE_NORMAL, 2, 2, failure.message);
    }
    report_free(&report);
    return *error != '\0' ? command_refuse(error) : right ? 0 : 1;
}

/* An ordinary CUDA program, on this device, in build/labN; its first argument says on which: sim
 * or cuda. */
static int run_program(const struct settings *s, const char *name, const char *source) {
    char path[PATH_SIZE], library[PATH_SIZE], error[SETTINGS_ERROR], title[128] = "";
    const char *toolkit = getenv("CUDA_LIBRARY_FOLDER");
    bool sim = s->device == DEVICE_SIM;
    settings_program(s, name, path);
    if (sim) {
        path_print(library, "%s/lib/cuda", s->build);
        setenv("LD_LIBRARY_PATH", library, 1);
        setenv("GPU", s->gpu, 1);
        setenv("RACES", "0", 1);
        setenv("STRICT", "1", 1);
    } else if (toolkit != NULL && *toolkit != '\0')
        setenv("LD_LIBRARY_PATH", toolkit, 1);
    const char *const arguments[] = {path, sim ? "sim" : "cuda", NULL};
    struct child child = {.arguments = arguments,
                          .input = CHILD_NOTHING,
                          .output = CHILD_OURS,
                          .errors = CHILD_OURS,
                          .same_group = true};
    pid_t process = chdir(s->folder) == 0 ? child_start(&child) : -1;
    int status = process > 0 ? child_wait(process, (double)INFINITY) : -1;
    if (status != 0) {
        snprintf(error, sizeof error, "%s ended with status %d; its message stands above", name, status);
        return command_refuse(error);
    }
    FILE *file = fopen(source, "rb"); /* its first line is "// make labN-NAME: TITLE" */
    const char *colon = file != NULL && fgets(title, sizeof title, file) != NULL ? strstr(title, ": ") : NULL;
    if (file != NULL)
        fclose(file);
    title[strcspn(title, "\r\n")] = '\0';
    struct terminal terminal = terminal_open(stdout);
    show_files(&terminal, s, name, colon != NULL ? colon + 2 : name, ".csv");
    return 0;
}

/* Is there experiments/NAMESUFFIX? The path is written either way. */
static bool is_there(const struct settings *s, const char *name, const char *suffix, char path[PATH_SIZE]) {
    char file[PATH_SIZE];
    bool fits = path_print(file, "experiments/%s%s", name, suffix);
    command_solution_file(s, file, path);
    return fits && access(path, R_OK) == 0;
}

int command_experiment(struct settings *s, const char *lab, int count, char **rest) {
    char error[SETTINGS_ERROR], path[PATH_SIZE];
    const char *name = count == 1 ? rest[0] : "";
    if (!settings_resolve(s, lab, error, sizeof error))
        return command_refuse(error);
    if (is_there(s, name, ".ini", path))
        return run_list(s, name);
    if (is_there(s, name, ".cu", path))
        return run_program(s, name, path);
    snprintf(error, sizeof error, "there is no experiment: %s", path);
    return command_refuse(error);
}

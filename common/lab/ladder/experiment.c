/* experiment.c: reads an experiment's data file, and fills in its columns for a program. */
#include "lab/ladder/experiment.h"
#include "base/ini.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct reading {
    struct experiment *experiment;
    bool cuda, in_table;
};

/* Splits a text into words, a row of `size` characters each. Returns their number; 0: refused. */
static unsigned words(struct ini *ini, const char *text, char *to, size_t size, unsigned most) {
    unsigned count = 0;
    for (size_t length; *text != '\0'; text += length + strspn(text + length, " \t")) {
        length = strcspn(text, " \t");
        if (count == most || length >= size)
            return ini_refuse(ini, "at most %u words of %zu characters", most, size - 1);
        snprintf(to + count++ * size, size, "%.*s", (int)length, text);
    }
    return count;
}

static bool add_program(struct ini *ini, const char *value) {
    struct reading *reading = ini->context;
    struct experiment *e = reading->experiment;
    struct experiment_program *program = &e->program[e->program_count];
    char values[EXPERIMENT_MACROS][sizeof e->macro[0]];
    if (words(ini, value, values[0], sizeof values[0], EXPERIMENT_MACROS) != e->macro_count ||
        e->macro_count == 0)
        return ini_refuse(ini, "a value for each of the %u macros is needed", e->macro_count);
    if (e->program_count == EXPERIMENT_PROGRAMS)
        return ini_refuse(ini, "more than %d programs", EXPERIMENT_PROGRAMS);
    *program = (struct experiment_program){.time_us = (double)NAN};
    for (unsigned f = 0; f < EXPERIMENT_FIGURE_COUNT; f++)
        program->figure[f] = (double)NAN;
    for (unsigned i = 0; i < e->macro_count; i++) {
        size_t length = strlen(program->name);
        if (strchr(values[i], '-') != NULL || length + strlen(values[i]) + 2 > sizeof program->name)
            return ini_refuse(ini, "values without '-', at most %zu characters in all",
                              sizeof program->name - 1);
        snprintf(program->name + length, sizeof program->name - length, "%s%s", i > 0 ? "-" : "", values[i]);
    }
    e->program_count++;
    return true;
}

static bool is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

static const struct {
    const char *name, *form;
} figures[EXPERIMENT_FIGURE_COUNT] = {
#define FIGURE_ROW(identifier, name, form) {name, form},
    EXPERIMENT_FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
};

const char *experiment_figure_name(enum experiment_figure figure) {
    return figures[figure].name;
}

double experiment_figure_of(const struct kernel_report *kernel, enum experiment_figure figure) {
    switch (figure) {
    case EXPERIMENT_REGISTERS: return kernel->registers;
    case EXPERIMENT_CODE: return kernel->code_known ? kernel->code_bytes : (double)NAN;
    case EXPERIMENT_HOT_CODE: return kernel->code_known ? kernel->hot_code_bytes : (double)NAN;
    case EXPERIMENT_WAVES: return kernel->waves;
    case EXPERIMENT_NO_INSTRUCTION:
        return kernel->waits.known ? kernel->waits.share[GPU_STALL_NO_INSTRUCTION] : (double)NAN;
    case EXPERIMENT_FIGURE_COUNT: break;
    }
    return (double)NAN;
}

/* Finds a figure by its name; EXPERIMENT_FIGURE_COUNT: there is none. */
static unsigned find_figure(const char *name, size_t length) {
    unsigned f = 0;
    while (f < EXPERIMENT_FIGURE_COUNT && !is(name, length, figures[f].name))
        f++;
    return f;
}

/* Finds the counter whose name is the first `length` characters; COUNTER_COUNT: there is none. */
static enum counter find_counter(const char *name, size_t length) {
    unsigned c = 0;
    while (c < COUNTER_COUNT && (strncmp(counter_name((enum counter)c), name, length) != 0 ||
                                 counter_name((enum counter)c)[length] != '\0'))
        c++;
    return (enum counter)c;
}

static unsigned find_macro(const struct experiment *e, const char *name, size_t length) {
    unsigned m = 0;
    while (m < e->macro_count && (strncmp(e->macro[m], name, length) != 0 || e->macro[m][length] != '\0'))
        m++;
    return m;
}

static bool add_column(struct ini *ini, const char *heading, const char *form) {
    struct reading *reading = ini->context;
    struct experiment *e = reading->experiment;
    struct experiment_column *column = &e->column[e->column_count];
    if (e->column_count == EXPERIMENT_COLUMNS)
        return ini_refuse(ini, "more than %d columns", EXPERIMENT_COLUMNS);
    for (const char *at = form; (at = strchr(at, '{')) != NULL;) {
        size_t length = strcspn(++at, "}");
        bool counter = find_counter(at, length) < COUNTER_COUNT;
        unsigned figure = find_figure(at, length);
        if (!counter && figure == EXPERIMENT_FIGURE_COUNT && find_macro(e, at, length) == e->macro_count &&
            !is(at, length, "time") && !is(at, length, "tflops") && !is(at, length, "size"))
            return ini_refuse(ini,
                              "{%.*s} is no macro, no counter, no figure, not {size}, {time} and {tflops}",
                              (int)length, at);
        e->counted = e->counted || counter;
        if (figure < EXPERIMENT_FIGURE_COUNT)
            e->shows[figure] = true;
    }
    e->column_count++;
    return ini_text(ini, heading, column->heading, sizeof column->heading) &&
           ini_text(ini, form, column->form, sizeof column->form);
}

/* Reads a size, "3168x96". */
static bool add_size(struct ini *ini, struct experiment *e, const char *value) {
    uint32_t *size = e->size[e->size_count];
    char rest;
    if (e->size_count == EXPERIMENT_SIZES)
        return ini_refuse(ini, "more than %d sizes", EXPERIMENT_SIZES);
    if (sscanf(value, "%5" SCNu32 "x%5" SCNu32 "%c", &size[0], &size[1], &rest) != 2 || size[0] == 0 ||
        size[1] == 0)
        return ini_refuse(ini, "a size is like 640x420, not '%s'", value);
    e->size_count++;
    return true;
}

/* Repeats the programs for each size. */
static bool take_sizes(struct ini *ini, struct experiment *e) {
    unsigned programs = e->program_count;
    if (e->size_count * programs > EXPERIMENT_PROGRAMS)
        return ini_refuse(ini, "more than %d programs and sizes", EXPERIMENT_PROGRAMS);
    for (unsigned i = 0; i < e->size_count * programs; i++) {
        e->program[i] = e->program[i % programs];
        e->program[i].size = i / programs;
        e->program[i].width = e->size[i / programs][0];
        e->program[i].height = e->size[i / programs][1];
    }
    e->program_count = e->size_count > 0 ? e->size_count * programs : programs;
    return true;
}

static bool section(struct ini *ini, const char *name) {
    struct reading *reading = ini->context;
    reading->in_table = strcmp(name, "table") == 0;
    return reading->in_table || ini_refuse(ini, "unknown section [%s]: [table]", name);
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct reading *reading = ini->context;
    struct experiment *e = reading->experiment;
    uint64_t number = 0;
    if (reading->in_table)
        return add_column(ini, name, value);
    if (strcmp(name, "title") == 0)
        return ini_text(ini, value, e->title, sizeof e->title);
    if (strcmp(name, "source") == 0) /* read by make, which compiles it */
        return true;
    if (strcmp(name, "macros") == 0)
        return (e->macro_count = words(ini, value, e->macro[0], sizeof e->macro[0], EXPERIMENT_MACROS)) > 0;
    if (strcmp(name, "fastest") == 0) {
        bool right = ini_count(ini, value, 1, EXPERIMENT_PROGRAMS, &number);
        e->fastest = (unsigned)number;
        return right;
    }
    if (strcmp(name, "size") == 0 || strcmp(name, "cuda_size") == 0) /* likewise */
        return (strcmp(name, "cuda_size") == 0 && !reading->cuda) || add_size(ini, e, value);
    if (strcmp(name, "program") == 0)
        return add_program(ini, value);
    if (strcmp(name, "cuda_program") == 0) /* only on a real GPU: too slow to simulate */
        return !reading->cuda || add_program(ini, value);
    return ini_refuse(ini, "unknown key '%s'", name);
}

bool experiment_load(const struct settings *s, const char *name, struct experiment *e, char *error,
                     size_t size) {
    enum { MOST = 1 << 20 };
    char path[PATH_SIZE];
    struct reading reading = {.experiment = e, .cuda = s->device == DEVICE_CUDA};
    struct ini ini = {.file = path,
                      .error = error,
                      .error_size = size,
                      .context = &reading,
                      .section = section,
                      .key = key};
    *e = (struct experiment){0};
    snprintf(e->name, sizeof e->name, "%s", name);
    path_print(path, "%s/solutions/%s-%s/experiments/%s.ini", s->root, s->lab.id, s->lab.topic, name);
    bool right = ini_load(&ini, MOST);
    if (right && (e->title[0] == '\0' || e->program_count == 0 || e->column_count == 0))
        right = ini_refuse(&ini, "a title, a program and a [table] are needed");
    right = right && take_sizes(&ini, e);
    if (right && e->counted && e->size_count > 0)
        right = ini_refuse(&ini, "counters are counted at the lab's own size");
    if (right && e->counted && e->program_count > MEASURE_VARIANTS)
        right = ini_refuse(&ini, "counters of at most %d programs", MEASURE_VARIANTS);
    return right;
}

void experiment_value(const struct experiment_program *program, unsigned macro, char text[EXPERIMENT_TEXT]) {
    const char *at = program->name;
    for (; macro > 0; macro--)
        at += strcspn(at, "-") + 1;
    snprintf(text, EXPERIMENT_TEXT, "%.*s", (int)strcspn(at, "-"), at);
}

/* Fills in the value of {name}. */
static void fill_in(const struct experiment *e, const struct experiment_program *program, double operations,
                    const char *name, size_t length, char text[EXPERIMENT_TEXT]) {
    unsigned macro = find_macro(e, name, length);
    unsigned figure = find_figure(name, length);
    uint64_t count;
    if (macro < e->macro_count)
        experiment_value(program, macro, text);
    else if (figure < EXPERIMENT_FIGURE_COUNT && !isnan(program->figure[figure]))
        snprintf(text, EXPERIMENT_TEXT, figures[figure].form, program->figure[figure]);
    else if (is(name, length, "size"))
        snprintf(text, EXPERIMENT_TEXT, "%ux%u", program->width, program->height);
    else if (is(name, length, "time"))
        format_time(text, program->time_us);
    else if (is(name, length, "tflops"))
        snprintf(text, EXPERIMENT_TEXT, "%.2f",
                 (program->operations > 0 ? program->operations : operations) / program->time_us * 1e-6);
    else if (program->run != NULL && report_run_counter(program->run, find_counter(name, length), &count))
        snprintf(text, EXPERIMENT_TEXT, "%llu", (unsigned long long)count);
    else
        strcpy(text, "-");
}

void experiment_cell(const struct experiment *e, const struct experiment_column *column,
                     const struct experiment_program *program, double operations,
                     char text[EXPERIMENT_TEXT]) {
    size_t used = 0;
    for (const char *at = column->form; *at != '\0' && used + 1 < EXPERIMENT_TEXT;) {
        char part[EXPERIMENT_TEXT];
        size_t length = strcspn(at, "{");
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        at += length;
        if (length == 0) {
            length = strcspn(at + 1, "}");
            fill_in(e, program, operations, at + 1, length, part);
            at += 1 + length + (at[1 + length] == '}');
        }
        used += (size_t)snprintf(text + used, EXPERIMENT_TEXT - used, "%s", part);
    }
}

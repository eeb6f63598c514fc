/* Reading an experiment's data file, and what its columns say of a program. */
#include "harness/experiment.h"
#include "base/file.h"
#include "base/ini.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct experiment *experiment;
    bool cuda, in_table;
};

/* A word at a time into rows of `size` characters; how many there are, 0 after ini_refuse. */
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

/* The place of a counter called `name` ends with the first of `length` characters; COUNTER_COUNT: none is. */
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

static bool is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && strncmp(name, word, length) == 0;
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
        if (!counter && find_macro(e, at, length) == e->macro_count && !is(at, length, "time") &&
            !is(at, length, "tflops"))
            return ini_refuse(ini, "{%.*s} is no macro, no counter, not {time} and not {tflops}", (int)length,
                              at);
        e->counted = e->counted || counter;
    }
    e->column_count++;
    return ini_text(ini, heading, column->heading, sizeof column->heading) &&
           ini_text(ini, form, column->form, sizeof column->form);
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
    if (strcmp(name, "source") == 0) /* for make, which compiles it */
        return true;
    if (strcmp(name, "macros") == 0)
        return (e->macro_count = words(ini, value, e->macro[0], sizeof e->macro[0], EXPERIMENT_MACROS)) > 0;
    if (strcmp(name, "fastest") == 0) {
        bool right = ini_count(ini, value, 1, EXPERIMENT_PROGRAMS, &number);
        e->fastest = (unsigned)number;
        return right;
    }
    if (strcmp(name, "program") == 0)
        return add_program(ini, value);
    if (strcmp(name, "cuda_program") == 0) /* on a real GPU only: simulated it would take too long */
        return !reading->cuda || add_program(ini, value);
    return ini_refuse(ini, "unknown key '%s'", name);
}

bool experiment_load(const struct settings *s, const char *name, struct experiment *e, char *error,
                     size_t size) {
    enum { MOST = 1 << 20 };
    char path[PATH_SIZE];
    size_t length;
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
    char *text = file_read(path, MOST, &length, error, size);
    bool right = text != NULL && ini_read(&ini, text, length);
    free(text);
    if (right && (e->title[0] == '\0' || e->program_count == 0 || e->column_count == 0))
        right = ini_refuse(&ini, "a title, a program and a [table] are needed");
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

/* What stands for {name}. */
static void fill_in(const struct experiment *e, const struct experiment_program *program, double operations,
                    const char *name, size_t length, char text[EXPERIMENT_TEXT]) {
    unsigned macro = find_macro(e, name, length);
    uint64_t count;
    if (macro < e->macro_count)
        experiment_value(program, macro, text);
    else if (is(name, length, "time"))
        format_time(text, program->time_us);
    else if (is(name, length, "tflops"))
        snprintf(text, EXPERIMENT_TEXT, "%.2f", operations / program->time_us * 1e-6);
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

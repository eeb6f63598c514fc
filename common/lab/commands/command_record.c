/*
 * A recording: what Nsight Compute counts in every step of one lab, as the table that compare-counters holds
 * beside the simulator. One row a launch; the first call of each program warms up and is left out.
 */
#include "lab/commands/commands.h"
#include "lab/judge/measure/profiler.h"
#include "lab/ladder/ladder.h"
#include "lab/learner/progress.h"
#include "report/ncu/csv.h"
#include "report/ncu/ncu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 4 };

/* The columns after kernel, function, launch, grid and block: ncu's metrics, in ncu_metrics' order. Print
 * what `row` has in them; row 0 is the names. */
static bool print_metrics(FILE *to, const struct csv *table, uint32_t row, char *error, size_t size) {
    for (const char *metric = ncu_metrics(); *metric != '\0';) {
        char name[128];
        int length = (int)strcspn(metric, ",");
        snprintf(name, sizeof name, "%.*s", length, metric);
        metric += length + (metric[length] == ',');
        int column = csv_column(table, name);
        if (column < 0)
            return fails(error, size, "ncu did not count %s", name);
        /* numbers and units hold no quotes; a thousands separator would be a comma */
        fputc(',', to);
        for (const char *c = csv_cell(table, row, (uint32_t)column); *c != '\0'; c++)
            if (*c != ',')
                fputc(*c, to);
    }
    fputc('\n', to);
    return true;
}

/* "(80, 800, 1)" as "80 800 1" */
static void print_shape(FILE *to, const char *shape) {
    fputc(',', to);
    for (; *shape != '\0'; shape++)
        if (strchr("(),", *shape) == NULL)
            fputc(*shape, to);
}

/* The function's name without its parameters: they hold commas. */
static void print_function(FILE *to, const char *name) {
    fprintf(to, ",%.*s", (int)strcspn(name, "(,"), name);
}

static bool print_launches(FILE *to, const char *step, const struct csv *table, char *error, size_t size) {
    int name = csv_column(table, "Kernel Name"), grid = csv_column(table, "Grid Size"),
        block = csv_column(table, "Block Size");
    uint32_t launches = table->row_count > 2 ? table->row_count - 2 : 0, each = launches / CALLS;
    if (name < 0 || grid < 0 || block < 0 || launches == 0 || launches % CALLS != 0)
        return fails(error, size, "step-%s: ncu shows %u launches in %d calls", step, launches, CALLS);
    for (uint32_t i = each; i < launches; i++) {
        uint32_t row = 2 + i;
        fprintf(to, "step-%s", step);
        if (each > 1)
            fprintf(to, ".%u", i % each + 1);
        print_function(to, csv_cell(table, row, (uint32_t)name));
        fprintf(to, ",%u", i / each);
        print_shape(to, csv_cell(table, row, (uint32_t)grid));
        print_shape(to, csv_cell(table, row, (uint32_t)block));
        if (!print_metrics(to, table, row, error, size))
            return false;
    }
    return true;
}

static bool record_step(FILE *to, const struct settings *s, const struct ladder *ladder, unsigned index,
                        const struct trial *t, char *error, size_t size) {
    char output[PATH_SIZE];
    struct csv table;
    if (!profiler_run(s, ladder->variant[index].program, t, CALLS, output))
        return fails(error, size, "step-%s: ncu is not there, may not count, or failed; its words are in %s",
                     ladder->step[index].name, output);
    char *text = profiler_table(output);
    bool right = text != NULL && csv_parse(&table, text, strlen(text), output, error, size);
    if (text == NULL)
        snprintf(error, size, "out of memory");
    free(text);
    if (!right)
        return false;
    if (index == 0) {
        fputs("kernel,function,launch,grid,block", to);
        right = print_metrics(to, &table, 0, error, size);
        fputs("unit,,,,", to);
        right = right && print_metrics(to, &table, 1, error, size);
    }
    right = right && print_launches(to, ladder->step[index].name, &table, error, size);
    csv_free(&table);
    return right;
}

int command_record(struct settings *s, const char *lab, int count, char **rest) {
    (void)count, (void)rest;
    char error[SETTINGS_ERROR] = "", path[PATH_SIZE];
    struct ladder ladder = {.count = 0};
    if (!settings_resolve(s, lab, error, sizeof error) ||
        !ladder_add(&ladder, s, (unsigned)strtoul(s->lab.id + 3, NULL, 10), error, sizeof error) ||
        !ladder_built(&ladder, error, sizeof error))
        return command_refuse(error);
    if (s->device != DEVICE_CUDA)
        return command_refuse("a recording is made on a real GPU: DEVICE=cuda");
    path_join(path, s->folder, "recording.csv");
    FILE *to = fopen(path, "wb");
    bool right = to != NULL;
    if (!right)
        snprintf(error, sizeof error, "%s cannot be written", path);
    for (unsigned i = 0; right && i < ladder.count; i++) {
        progress_show("counting step %s, %u of %u", ladder.step[i].name, i + 1, ladder.count);
        struct problem_case c;
        struct trial t;
        settings_timed_case(s, ladder.step[i].part, 0, &c);
        if (!trial_create(&t, s->lab.problem, &c)) {
            snprintf(error, sizeof error, "out of memory");
            right = false;
            break;
        }
        right = record_step(to, s, &ladder, i, &t, error, sizeof error);
        trial_free(&t);
    }
    progress_clear();
    if (to != NULL && fclose(to) != 0 && right) {
        snprintf(error, sizeof error, "%s cannot be written", path);
        right = false;
    }
    if (!right) {
        fprintf(stderr, "lab record: %s\n", error);
        return 1;
    }
    printf("%u steps: %s\n", ladder.count, path + strlen(s->root) + 1);
    return 0;
}

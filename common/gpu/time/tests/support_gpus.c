/* support_gpus.c: a model and its text; steps.csv: a row of column names, then a step a row. */
#include "gpu/time/tests/support_gpus.h"

#include "base/file.h"

struct gpu_model test_model(const char *id) {
    struct gpu_model model;
    char error[512];
    if (!gpu_model_load(NULL, id, &model, error, sizeof error))
        fail_msg("%s", error);
    return model;
}

char *test_model_text(const char *id) {
    char directory[PATH_SIZE], path[PATH_SIZE], error[512];
    assert_true(gpu_model_find_directory(directory));
    assert_true(path_print(path, "%s/%s.ini", directory, id));
    char *text = file_read(path, 1 << 16, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return text;
}

enum { STEPS = 32, TEXT_LIMIT = 1 << 20 };
static const char steps_path[] = "common/gpu/time/tests/steps.csv";

struct step test_steps[STEPS];
int test_step_count;

/* COUNTER_COUNT: no counter has this name. */
static enum counter counter_named(const char *name) {
    unsigned i = 0;
    while (i < COUNTER_COUNT && strcmp(counter_name((enum counter)i), name) != 0)
        i++;
    return (enum counter)i;
}

static void read_cell(struct step *step, const char *column, const char *value) {
    const struct {
        const char *name;
        uint32_t *number;
    } shape[] = {{"grid_x", &step->grid[0]},      {"grid_y", &step->grid[1]},
                 {"grid_z", &step->grid[2]},      {"block_x", &step->block[0]},
                 {"block_y", &step->block[1]},    {"block_z", &step->block[2]},
                 {"registers", &step->registers}, {"shared_bytes", &step->shared_bytes}};
    if (strcmp(column, "model") == 0) {
        snprintf(step->model, sizeof step->model, "%s", value);
        return;
    }
    if (strcmp(column, "step") == 0) {
        snprintf(step->name, sizeof step->name, "%s", value);
        return;
    }
    char *end;
    double number = strtod(value, &end);
    enum counter counter = counter_named(column);
    if (end == value || *end != '\0')
        fail_msg("%s: '%s' in column %s", steps_path, value, column);
    if (strcmp(column, "us") == 0)
        step->us = number;
    else if (counter != COUNTER_COUNT)
        counter_set(&step->counters, counter, (uint64_t)number);
    else {
        size_t i = 0;
        while (i < sizeof shape / sizeof *shape && strcmp(column, shape[i].name) != 0)
            i++;
        if (i == sizeof shape / sizeof *shape)
            fail_msg("%s: no counter is called %s", steps_path, column);
        *shape[i].number = (uint32_t)number;
    }
}

int test_steps_load(void **state) {
    char error[512], *rest, *header = NULL;
    char *text = file_read(steps_path, TEXT_LIMIT, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    test_step_count = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#')
            continue;
        if (header == NULL) {
            header = line;
            continue;
        }
        assert_true(test_step_count < STEPS);
        struct step *step = &test_steps[test_step_count++];
        char *columns = strdup(header), *names = columns, *name;
        assert_non_null(columns);
        while ((name = strsep(&names, ",")) != NULL) {
            const char *value = strsep(&line, ",");
            if (value == NULL)
                fail_msg("%s: step %s %s has too few cells", steps_path, step->model, step->name);
            read_cell(step, name, value);
        }
        free(columns);
        if (line != NULL)
            fail_msg("%s: step %s %s has too many cells", steps_path, step->model, step->name);
    }
    free(text);
    assert_true(test_step_count > 0);
    return 0;
}

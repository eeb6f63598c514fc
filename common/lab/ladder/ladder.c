/* ladder.c: finds the steps of the solutions, solutions/labN-TOPIC/steps/step-*.cu and the
 * reference kernel.cu as the last, and their programs in the build folder. */
#include "lab/ladder/ladder.h"
#include "base/path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Parses "// step 1a: title" or "// step o1, part A: title". `program` is the step's name in the
 * build folder. False: the line is no such comment. */
static bool parse_step(const struct lab *lab, const char *line, const char *program, const struct settings *s,
                       struct ladder_step *step, struct measure_variant *variant) {
    const char *name = line + strlen("// step "), *colon = strstr(line, ": ");
    if (strncmp(line, "// step ", strlen("// step ")) != 0 || colon == NULL)
        return false;
    int length = (int)strcspn(name, ",:");
    *step = (struct ladder_step){.lab = (unsigned)strtoul(lab->id + 3, NULL, 10)};
    *variant = (struct measure_variant){0};
    snprintf(step->name, sizeof step->name, "%.*s", length, name);
    snprintf(step->title, sizeof step->title, "%.*s", (int)strcspn(colon + 2, "\r\n"), colon + 2);
    for (unsigned part = 0; part < lab->part_count; part++) {
        char form[32];
        snprintf(form, sizeof form, ", part %s: ", lab->parts[part].name);
        if (strncmp(name + length, form, strlen(form)) == 0)
            step->part = part;
    }
    snprintf(variant->name, sizeof variant->name, "step %s", step->name);
    return path_print(variant->program, "%s/kernels/%s/%s-%u", s->build, lab->id, program, s->arch);
}

/* Inserts a step among those of its lab (from `first` on), sorted by name, so that the steps of a
 * part are adjacent. */
static void insert(struct ladder *ladder, unsigned first, const struct ladder_step *step,
                   const struct measure_variant *variant) {
    unsigned at = ladder->count++;
    for (; at > first && strcmp(ladder->step[at - 1].name, step->name) > 0; at--) {
        ladder->step[at] = ladder->step[at - 1];
        ladder->variant[at] = ladder->variant[at - 1];
    }
    ladder->step[at] = *step;
    ladder->variant[at] = *variant;
}

/* Adds the steps that a file's first lines name: one, or the last of each part for the reference of
 * a lab in parts. */
static bool add_file(struct ladder *ladder, const struct settings *s, const struct lab *lab, unsigned first,
                     const char *path, const char *program, char *error, size_t size) {
    char line[256];
    struct ladder_step step;
    struct measure_variant variant;
    unsigned before = ladder->count;
    FILE *file = fopen(path, "rb");
    bool right = file != NULL;
    while (right && fgets(line, sizeof line, file) != NULL &&
           parse_step(lab, line, program, s, &step, &variant)) {
        right = ladder->count < MEASURE_VARIANTS;
        if (right)
            insert(ladder, first, &step, &variant);
    }
    if (file != NULL)
        fclose(file);
    if (!right)
        snprintf(error, size, "%.900s cannot be read, or is one step too many: at most %d", path,
                 MEASURE_VARIANTS);
    else if (ladder->count == before)
        snprintf(error, size, "%.900s:1: expected \"// step NAME: title\"", path);
    return right && ladder->count > before;
}

bool ladder_add(struct ladder *ladder, const struct settings *s, unsigned number, char *error, size_t size) {
    struct lab lab;
    char id[16], folder[PATH_SIZE], path[PATH_SIZE], program[32];
    unsigned first = ladder->count;
    snprintf(id, sizeof id, "lab%u", number);
    if (!lab_load(s->root, id, &lab, error, size))
        return false;
    if (lab.problem != s->lab.problem) /* it computes another function */
        return true;
    path_print(folder, "%s/solutions/%s-%s/steps", s->root, id, lab.topic);
    DIR *steps = opendir(folder);
    bool right = true;
    for (struct dirent *entry; right && steps != NULL && (entry = readdir(steps)) != NULL;) {
        const char *end = strstr(entry->d_name, ".cu");
        if (strncmp(entry->d_name, "step-", 5) != 0 || end == NULL || end[3] != '\0')
            continue;
        path_join(path, folder, entry->d_name);
        snprintf(program, sizeof program, "%.*s", (int)(end - entry->d_name), entry->d_name);
        right = add_file(ladder, s, &lab, first, path, program, error, size);
    }
    if (steps != NULL)
        closedir(steps);
    path_print(path, "%s/solutions/%s-%s/kernel.cu", s->root, id, lab.topic);
    return right && add_file(ladder, s, &lab, first, path, "reference", error, size);
}

bool ladder_built(const struct ladder *ladder, char *error, size_t size) {
    for (unsigned i = 0; i < ladder->count; i++)
        if (access(ladder->variant[i].program, X_OK) != 0)
            return fails(error, size, "%.300s is not built; its compiler's message is beside it in .log",
                         ladder->variant[i].program);
    return true;
}

bool ladder_read(const struct settings *s, const char *name, struct ini *ini,
                 bool (*complete)(struct ini *)) {
    enum { MOST = 1 << 20 };
    unsigned numbers[LABS_MOST], labs = lab_numbers(s->root, numbers);
    unsigned own = (unsigned)strtoul(s->lab.id + 3, NULL, 10);
    for (unsigned i = 0; i < labs && numbers[i] <= own; i++) {
        struct lab lab;
        char id[16], path[PATH_SIZE];
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(s->root, id, &lab, ini->error, ini->error_size))
            return false;
        path_print(path, "%s/solutions/%s-%s/%s", s->root, id, lab.topic, name);
        ini->file = path;
        bool right = lab.problem != s->lab.problem || access(path, F_OK) != 0 ||
                     (ini_load(ini, MOST) && complete(ini));
        ini->file = NULL; /* the string dies with this function */
        if (!right)
            return false;
    }
    return true;
}

/* The files solutions/labN-topic/steps/step-*.cu, and what the build makes of them. */
#include "harness/ladder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_step(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, "step-", 5) == 0 && length > 8 && length < 28 &&
           strcmp(entry->d_name + length - 3, ".cu") == 0;
}

/* Part and title from the file's first line, "// step 1a: title" or "// step o1, part A: title". */
static void read_title(const char *path, const struct lab *lab, struct ladder_step *step) {
    char line[256] = "";
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    line[strcspn(line, "\r\n")] = '\0';
    const char *colon = strncmp(line, "// step ", 8) == 0 ? strstr(line, ": ") : NULL;
    snprintf(step->title, sizeof step->title, "%.90s", colon != NULL ? colon + 2 : "");
    for (unsigned part = 0; colon != NULL && part < lab->part_count; part++) {
        char form[32];
        snprintf(form, sizeof form, ", part %s: ", lab->parts[part].name);
        const char *found = strstr(line, form);
        if (found != NULL && found < colon)
            step->part = part;
    }
}

bool ladder_add(struct ladder *ladder, const struct settings *s, unsigned lab, char *error, size_t size) {
    struct lab info;
    char id[16], folder[SETTINGS_PATH + 128];
    snprintf(id, sizeof id, "lab%u", lab);
    if (!lab_load(s->root, id, &info, error, size))
        return false;
    if (info.problem != s->lab.problem) /* another function: nothing to compare */
        return true;
    snprintf(folder, sizeof folder, "%s/solutions/%s-%s/steps", s->root, id, info.topic);
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_step, by_name);
    for (int i = 0; i < count; i++) {
        if (ladder->count < MEASURE_VARIANTS) {
            struct ladder_step *step = &ladder->step[ladder->count];
            struct measure_variant *variant = &ladder->variant[ladder->count++];
            char path[sizeof folder + 300];
            const char *name = entries[i]->d_name;
            int length = (int)strlen(name) - 3;
            snprintf(step->name, sizeof step->name, "%.*s", length - 5, name + 5);
            step->lab = lab;
            snprintf(path, sizeof path, "%s/%s", folder, name);
            read_title(path, &info, step);
            snprintf(variant->name, sizeof variant->name, "step %.*s", length - 5, name + 5);
            snprintf(variant->program, sizeof variant->program, "%.900s/kernels/%s/%.*s-%u", s->build, id,
                     length, name, s->arch);
        }
        free(entries[i]);
    }
    free(entries);
    return true;
}

bool ladder_built(const struct ladder *ladder, char *error, size_t size) {
    for (unsigned i = 0; i < ladder->count; i++)
        if (access(ladder->variant[i].program, X_OK) != 0) {
            snprintf(error, size, "%.300s is not built; its compiler's message is beside it in .log",
                     ladder->variant[i].program);
            return false;
        }
    return true;
}

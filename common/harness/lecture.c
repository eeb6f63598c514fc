/* Reading the lecture's figures: `title = `, and a section [step NAME] with slide_ms, launch_ms, note and why. */
#include "harness/lecture.h"
#include "base/file.h"
#include "base/ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool section(struct ini *ini, const char *name) {
    struct lecture *lecture = ini->context;
    if (strncmp(name, "step ", 5) != 0)
        return ini_refuse(ini, "unknown section [%s]: [step NAME]", name);
    if (lecture->count == LECTURE_STEPS)
        return ini_refuse(ini, "more than %d steps", LECTURE_STEPS);
    return ini_text(ini, name + 5, lecture->step[lecture->count++].step, sizeof lecture->step[0].step);
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct lecture *lecture = ini->context;
    struct lecture_step *step = &lecture->step[lecture->count > 0 ? lecture->count - 1 : 0];
    size_t said = strlen(lecture->why), gap = said > 0;
    if (strcmp(name, "title") == 0)
        return ini_text(ini, value, lecture->title, sizeof lecture->title);
    if (lecture->count == 0)
        return ini_refuse(ini, "key '%s' before any [step NAME]", name);
    if (strcmp(name, "slide_ms") == 0)
        return ini_number(ini, value, 1e-6, 1e6, &step->slide_ms, NULL);
    if (strcmp(name, "launch_ms") == 0)
        return ini_number(ini, value, 1e-6, 1e6, &step->launch_ms, NULL);
    if (strcmp(name, "note") == 0)
        return ini_text(ini, value, step->note, sizeof step->note);
    if (strcmp(name, "why") != 0)
        return ini_refuse(ini, "unknown key '%s'", name);
    lecture->why[said] = ' ';
    return ini_text(ini, value, lecture->why + said + gap, sizeof lecture->why - said - gap);
}

bool lecture_load(const struct settings *s, struct lecture *lecture, char *error, size_t size) {
    enum { MOST = 1 << 20 };
    unsigned numbers[LABS_MOST], labs = lab_numbers(s->root, numbers);
    bool right = true;
    *lecture = (struct lecture){0};
    unsigned own = (unsigned)strtoul(s->lab.id + 3, NULL, 10);
    for (unsigned i = 0; right && i < labs && numbers[i] <= own; i++) {
        struct lab lab;
        char id[16], path[PATH_SIZE];
        struct ini ini = {.file = path,
                          .error = error,
                          .error_size = size,
                          .context = lecture,
                          .section = section,
                          .key = key};
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        right = lab_load(s->root, id, &lab, error, size);
        path_print(path, "%s/solutions/%s-%s/lecture.ini", s->root, id, lab.topic);
        if (!right || lab.problem != s->lab.problem || access(path, F_OK) != 0)
            continue;
        size_t length;
        char *text = file_read(path, MOST, &length, error, size);
        right = text != NULL && ini_read(&ini, text, length);
        free(text);
        for (unsigned k = 0; right && k < lecture->count; k++)
            if (lecture->step[k].slide_ms <= 0 || lecture->step[k].launch_ms <= 0)
                right = ini_refuse(&ini, "[step %s] needs slide_ms and launch_ms", lecture->step[k].step);
    }
    return right;
}

/* lecture.c: reads a lecture's figures: `title = `, and sections [step NAME] with slide_ms,
 * launch_ms, note and why. */
#include "lab/ladder/ladder.h"

#include <string.h>

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

static bool complete(struct ini *ini) {
    const struct lecture *lecture = ini->context;
    for (unsigned k = 0; k < lecture->count; k++)
        if (lecture->step[k].slide_ms <= 0 || lecture->step[k].launch_ms <= 0)
            return ini_refuse(ini, "[step %s] needs slide_ms and launch_ms", lecture->step[k].step);
    return true;
}

bool lecture_load(const struct settings *s, struct lecture *lecture, char *error, size_t size) {
    struct ini ini = {.error = error, .error_size = size, .context = lecture, .section = section, .key = key};
    *lecture = (struct lecture){0};
    return ladder_read(s, "lecture.ini", &ini, complete);
}

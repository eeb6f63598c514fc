/* measured.c: reads the recordings; compares them with a modelled ladder. */
#include "lab/ladder/measured.h"

#include "base/home.h"
#include "base/ini.h"
#include "report/writers/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the files */

static bool section(struct ini *ini, const char *name) {
    struct measured *measured = ini->context;
    if (strcmp(name, "recording") != 0)
        return ini_refuse(ini, "unknown section [%s]: [recording]", name);
    if (measured->count == MEASURED_RECORDINGS)
        return ini_refuse(ini, "more than %d recordings", MEASURED_RECORDINGS);
    measured->recording[measured->count++] = (struct measured_recording){0};
    return true;
}

static bool take_size(struct ini *ini, const char *value, struct measured_recording *to) {
    double width, height;
    const char *rest;
    if (!ini_number(ini, value, 1, IMAGE_MAX_SIDE, &width, &rest))
        return false;
    if (*rest != 'x')
        return ini_refuse(ini, "size is WIDTHxHEIGHT");
    if (!ini_number(ini, rest + 1, 1, IMAGE_MAX_SIDE, &height, NULL))
        return false;
    to->width = (uint32_t)width;
    to->height = (uint32_t)height;
    return true;
}

/* Reads a step and its microseconds, "1a 58.0". */
static bool take_step(struct ini *ini, const char *value, struct measured_recording *to) {
    size_t length = strcspn(value, " \t");
    if (to->count == MEASURE_VARIANTS)
        return ini_refuse(ini, "more than %d steps", MEASURE_VARIANTS);
    struct measured_step *step = &to->step[to->count];
    if (length >= sizeof step->step || value[length] == '\0')
        return ini_refuse(ini, "step is a step's name and its microseconds");
    memcpy(step->step, value, length);
    step->step[length] = '\0';
    to->count++;
    return ini_number(ini, value + length + strspn(value + length, " \t"), 1e-3, 1e9, &step->us, NULL);
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct measured *measured = ini->context;
    if (measured->count == 0)
        return ini_refuse(ini, "key '%s' before any [recording]", name);
    struct measured_recording *r = &measured->recording[measured->count - 1];
    if (strcmp(name, "gpu") == 0)
        return ini_text(ini, value, r->gpu, sizeof r->gpu);
    if (strcmp(name, "part") == 0)
        return ini_text(ini, value, r->part, sizeof r->part);
    if (strcmp(name, "size") == 0)
        return take_size(ini, value, r);
    if (strcmp(name, "source") == 0)
        return (strcmp(value, "event") == 0 || strcmp(value, "ncu") == 0 ||
                ini_refuse(ini, "source is event or ncu")) &&
               ini_text(ini, value, r->source, sizeof r->source);
    if (strcmp(name, "taken") == 0)
        return ini_text(ini, value, r->taken, sizeof r->taken);
    if (strcmp(name, "command") == 0)
        return ini_text(ini, value, r->command, sizeof r->command);
    if (strcmp(name, "step") == 0)
        return take_step(ini, value, r);
    return ini_refuse(ini, "unknown key '%s'", name);
}

static bool complete(struct ini *ini) {
    const struct measured *measured = ini->context;
    for (unsigned k = 0; k < measured->count; k++) {
        const struct measured_recording *r = &measured->recording[k];
        if (r->gpu[0] == '\0' || r->width == 0 || r->source[0] == '\0' || r->taken[0] == '\0' ||
            r->command[0] == '\0' || r->count == 0)
            return ini_refuse(ini,
                              "a [recording] needs gpu, size, source, taken, command and at least one step");
    }
    return true;
}

bool measured_load(const struct settings *s, struct measured *measured, char *error, size_t size) {
    struct ini ini = {
        .error = error, .error_size = size, .context = measured, .section = section, .key = key};
    measured->count = 0;
    return ladder_read(s, "measured.ini", &ini, complete);
}

/* ---- comparison with the model */

static bool is_of(const struct measured_recording *r, const char *gpu, const char *part) {
    return strcmp(r->gpu, gpu) == 0 && strcmp(r->part, part) == 0;
}

const struct measured_recording *measured_find(const struct measured *measured, const char *gpu,
                                               const char *part, uint32_t width, uint32_t height,
                                               const char *step, double *us) {
    for (unsigned i = 0; i < measured->count; i++) {
        const struct measured_recording *r = &measured->recording[i];
        if (!is_of(r, gpu, part) || r->width != width || r->height != height)
            continue;
        for (unsigned k = 0; k < r->count; k++)
            if (strcmp(r->step[k].step, step) == 0) {
                *us = r->step[k].us;
                return r;
            }
    }
    return NULL;
}

bool measured_contradicts(double modelled, double measured) {
    static const double same = 0.02, seen = 0.1, bound = 1.25;
    if (fabs(modelled - 1) <= same)
        return fabs(measured - 1) >= seen;
    if (fabs(measured - 1) > same && (modelled - 1) * (measured - 1) < 0)
        return true;
    return fmax(modelled / measured, measured / modelled) > bound;
}

/* Says how model and measurement contradict each other on a step. The first step of a part has no
 * predecessor and is compared by its own time. */
static void say_contradiction(const char *step, const char *before, const struct report_run *last,
                              struct report_run *run) {
    static const double bound = 1.5;
    char modelled[FORMAT_SIZE], measured[FORMAT_SIZE];
    if (last == NULL || isnan(last->measured_us)) {
        if (fmax(run->time_us / run->measured_us, run->measured_us / run->time_us) > bound)
            snprintf(run->contradicted, sizeof run->contradicted,
                     "%s: modelled %s, measured %s: the model is wrong here, believe the measured column.",
                     step, format_time(modelled, run->time_us), format_time(measured, run->measured_us));
        return;
    }
    double model = last->time_us / run->time_us, real = last->measured_us / run->measured_us;
    if (measured_contradicts(model, real))
        snprintf(run->contradicted, sizeof run->contradicted,
                 "%s: modelled %s as fast as %s, measured %s: the model is wrong here, believe the measured "
                 "column.",
                 step, format_ratio(modelled, model), before, format_ratio(measured, real));
}

static double time_in(const struct measured_recording *r, const char *step) {
    for (unsigned i = 0; i < r->count; i++)
        if (strcmp(r->step[i].step, step) == 0)
            return r->step[i].us;
    return NAN;
}

/* Times of another size do not compare. But a large gain there contradicts a loss here. */
static void say_other_size(const struct measured *measured, const char *gpu, const char *part,
                           const char *step, const char *before, const struct report_run *last,
                           struct report_run *run) {
    static const double much = 1.5;
    for (unsigned i = measured->count; i-- > 0;) { /* later recordings are nearer to the simulator's sizes */
        const struct measured_recording *r = &measured->recording[i];
        double model = last->time_us / run->time_us, real = time_in(r, before) / time_in(r, step);
        char modelled[FORMAT_SIZE], there[FORMAT_SIZE];
        if (!is_of(r, gpu, part) || isnan(real))
            continue;
        if (fmax(real, 1 / real) > much && (model - 1) * (real - 1) < 0)
            snprintf(
                run->contradicted, sizeof run->contradicted,
                "%s: modelled %s as fast as %s; a real one, at another size (%u x %u), %s: do not believe the model "
                "here.",
                step, format_ratio(modelled, model), before, r->width, r->height, format_ratio(there, real));
        return;
    }
}

/* Says which recording is shown, and how it was taken. */
static void say_how(const struct settings *s, const struct measured_recording *r, char *text, size_t size) {
    bool event = strcmp(r->source, "event") == 0;
    snprintf(
        text, size,
        "Measured: on a real %s, %s (%s), L2 cold, %s. The modelled time is the kernels', fills' and copies' "
        "alone.",
        s->gpu_name, r->taken, r->command,
        event ? "medians between CUDA events around the whole call: with its launch, and what passes between "
                "its kernels"
              : "the kernels alone, by Nsight Compute");
}

/* Says why there is no recording of this size, and at which size there is one. */
static void say_nothing(const struct measured *measured, const struct settings *s, char *text, size_t size) {
    char other[256] = "", hint[96] = "";
    for (unsigned i = 0; i < measured->count; i++) {
        const struct measured_recording *r = &measured->recording[i];
        char form[48];
        snprintf(form, sizeof form, "%u x %u", r->width, r->height);
        if (strcmp(r->gpu, s->gpu) != 0 || strstr(other, form) != NULL)
            continue;
        snprintf(other + strlen(other), sizeof other - strlen(other), "%s%s", *other != '\0' ? ", " : "",
                 form);
        snprintf(hint, sizeof hint, " make %s-steps SIZE=%ux%u shows them beside the model.", s->lab.id,
                 r->width, r->height);
    }
    if (*other == '\0')
        snprintf(text, size, "No measured times beside: none were recorded on this GPU.");
    else
        snprintf(
            text, size,
            "No measured times beside: on a real %s they were recorded at another size (%s), and they do not "
            "compare.%s",
            s->gpu_name, other, hint);
}

bool measured_compare(const struct measured *measured, const struct settings *s, const struct ladder *ladder,
                      struct report *report) {
    const struct measured_recording *any = NULL;
    const struct report_run *last = NULL;
    const struct ladder_step *before = NULL;
    char text[640];
    for (unsigned i = 0; i < ladder->count; i++) {
        const struct ladder_step *step = &ladder->step[i];
        const char *part = s->lab.parts[step->part].name;
        uint32_t width, height;
        struct report_run *run = NULL;
        for (uint32_t k = 0; run == NULL && k < report->run_count; k++)
            if (strcmp(report->runs[k].name, ladder->variant[i].name) == 0)
                run = &report->runs[k];
        if (run == NULL)
            continue;
        settings_part_size(s, step->part, &width, &height);
        const struct measured_recording *found =
            measured_find(measured, s->gpu, part, width, height, step->name, &run->measured_us);
        if (before == NULL || before->part != step->part)
            last = NULL;
        if (found != NULL)
            say_contradiction(step->name, before != NULL ? before->name : "", last, run);
        else if (last != NULL)
            say_other_size(measured, s->gpu, part, step->name, before->name, last, run);
        any = any != NULL ? any : found;
        last = run;
        before = step;
    }
    if (any != NULL)
        say_how(s, any, text, sizeof text);
    else
        say_nothing(measured, s, text, sizeof text);
    return report_set_text(&report->measured, text);
}

void measured_doubt(const struct measured *measured, const struct settings *s, const struct ladder *ladder,
                    struct report *report) {
    static const char file[] = "steps/step-";
    struct report_run *reference = NULL;
    for (uint32_t i = 0; i < report->run_count; i++)
        if (strcmp(report->runs[i].name, "reference") == 0)
            reference = &report->runs[i];
    const struct report_run *baseline = report_find_run(report, lab_baseline(&s->lab));
    const char *step = NULL;
    char first[24], modelled[FORMAT_SIZE], real[FORMAT_SIZE];
    double from, to;
    if (report->part_count > 0 || strncmp(s->lab.baseline, file, strlen(file)) != 0)
        return;
    snprintf(first, sizeof first, "%.20s", s->lab.baseline + strlen(file));
    first[strcspn(first, ".")] = '\0';
    for (unsigned i = 0; i < ladder->count; i++)
        if (strstr(ladder->variant[i].program, "/reference-") != NULL)
            step = ladder->step[i].name;
    if (reference == NULL || baseline == NULL || step == NULL ||
        measured_find(measured, s->gpu, "", s->width, s->height, first, &from) == NULL ||
        measured_find(measured, s->gpu, "", s->width, s->height, step, &to) == NULL)
        return;
    double model = baseline->time_us / reference->time_us;
    bool here = !home_is_students(s->root);
    if (measured_contradicts(model, from / to))
        snprintf(reference->note, sizeof reference->note,
                 "the model is wrong here: on a real %.18s %.9s as fast as the baseline, not %.9s%s%.8s%s",
                 s->gpu_name, format_ratio(real, from / to), format_ratio(modelled, model),
                 here ? ": see make " : "", here ? s->lab.id : "", here ? "-steps" : "");
}

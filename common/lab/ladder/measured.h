/* measured.h: what was measured on a real GPU for the same steps, to stand beside what is modelled:
 * solutions/labN-TOPIC/measured.ini, a [recording] for each GPU, size and clock. */
#ifndef LAB_MEASURED_H
#define LAB_MEASURED_H

#include "lab/ladder/ladder.h"
#include "report/document/report.h"

enum { MEASURED_RECORDINGS = 16 };

struct measured_step {
    char step[24]; /* as our steps are named */
    double us;
};

struct measured_recording {
    char gpu[32]; /* a model: "h200" */
    char part[8]; /* of a lab in parts; "" */
    uint32_t width, height;
    char source[8];    /* "event": between CUDA events around the call; "ncu": the kernels alone */
    char taken[16];    /* "2026-11-21" */
    char command[128]; /* that measured it */
    unsigned count;
    struct measured_step step[MEASURE_VARIANTS];
};

struct measured {
    unsigned count;
    struct measured_recording recording[MEASURED_RECORDINGS];
};

/* Of all labs with the settings' function, up to the settings' own. False and one line (file,
 * line, what). */
bool measured_load(const struct settings *settings, struct measured *measured, char *error, size_t size);

/* The first recording of that step on that GPU, part and size; *us: its time. NULL: there is
 * none. */
const struct measured_recording *measured_find(const struct measured *measured, const char *gpu,
                                               const char *part, uint32_t width, uint32_t height,
                                               const char *step, double *us);

/* Give the report's runs, one a step of the ladder, what was measured at the size at which they
 * were modelled; where the model contradicts it, a sentence says so; report->measured says what
 * is set beside, or why nothing is. False when out of memory. */
bool measured_compare(const struct measured *measured, const struct settings *settings,
                      const struct ladder *ladder, struct report *report);

/* In a lab whose baseline is one of its steps: where baseline and reference were both measured
 * at the report's size and the model contradicts the speedup between them, the reference's note
 * says so. */
void measured_doubt(const struct measured *measured, const struct settings *settings,
                    const struct ladder *ladder, struct report *report);

/* Does a step that is modelled to change the speed `modelled` times contradict one measured to
 * do so `measured` times? Where one gains and the other loses, 2 % or less being neither; where
 * the model sees nothing of a gain or loss of 10 % or more; where they differ by more than a
 * quarter. */
bool measured_contradicts(double modelled, double measured);

#endif

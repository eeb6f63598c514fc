/* measured.h: times of the same steps on real GPUs, to stand beside modelled ones:
 * solutions/labN-TOPIC/measured.ini, a [recording] for each GPU, size and clock. */
#ifndef LAB_MEASURED_H
#define LAB_MEASURED_H

#include "lab/ladder/ladder.h"
#include "report/document/report.h"

enum { MEASURED_RECORDINGS = 16 };

struct measured_step {
    char step[24]; /* as the ladder's step is named */
    double us;
};

struct measured_recording {
    char gpu[32]; /* a model: "h200" */
    char part[8]; /* of a lab in parts; "" */
    uint32_t width, height;
    char source[8];    /* "event": between CUDA events around the call; "ncu": the kernels alone */
    char taken[16];    /* "2026-11-21" */
    char command[128]; /* the command that measured it */
    unsigned count;
    struct measured_step step[MEASURE_VARIANTS];
};

struct measured {
    unsigned count;
    struct measured_recording recording[MEASURED_RECORDINGS];
};

/* The recordings of all labs with the settings' function, up to the settings' own. False and one
 * line (file, line, what is wrong). */
bool measured_load(const struct settings *settings, struct measured *measured, char *error, size_t size);

/* The first recording of that step for that GPU, part and size; *us: its time. NULL: there is
 * none. */
const struct measured_recording *measured_find(const struct measured *measured, const char *gpu,
                                               const char *part, uint32_t width, uint32_t height,
                                               const char *step, double *us);

/* Gives each run of the report, a step of the ladder, the time measured at its size, and a
 * sentence where the model contradicts it. report->measured says what was measured, or why there
 * is nothing. False when out of memory. */
bool measured_compare(const struct measured *measured, const struct settings *settings,
                      const struct ladder *ladder, struct report *report);

/* Sets the reference's note where the model contradicts the measured speedup from baseline to
 * reference. Only in a lab whose baseline is one of its steps, with both measured at the
 * report's size. */
void measured_doubt(const struct measured *measured, const struct settings *settings,
                    const struct ladder *ladder, struct report *report);

/* Whether the modelled and the measured speed ratio of a step contradict each other: one gains
 * and the other loses (2 % or less is neither); the model shows neither gain nor loss where 10 %
 * or more was measured; or both differ by more than a quarter. */
bool measured_contradicts(double modelled, double measured);

#endif

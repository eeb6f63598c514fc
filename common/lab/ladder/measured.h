/* measured.h: measured times of the steps on real GPUs, for comparison with modelled times:
 * solutions/labN-TOPIC/measured.ini, a [recording] for each GPU, size and clock. */
#pragma once

#include "lab/ladder/ladder.h"
#include "report/document/report.h"

enum { MEASURED_RECORDINGS = 16 };

struct measured_step {
    char step[24]; /* as the ladder's step is named */
    double us;
};

struct measured_recording {
    char gpu[32]; /* a model: "h200" */
    char part[8]; /* part of a lab in parts; "": none */
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

/* Reads the recordings of all labs, up to the settings', that have the settings' function. False
 * and one line (file, line, what is wrong). */
bool measured_load(const struct settings *settings, struct measured *measured, char *error, size_t size);

/* Finds the first recording of a step for a GPU, part and size; *us: its time. NULL: none. */
const struct measured_recording *measured_find(const struct measured *measured, const char *gpu,
                                               const char *part, uint32_t width, uint32_t height,
                                               const char *step, double *us);

/* Gives each run of the report (one step each) the time measured at its size, and a sentence where
 * the model contradicts that time. report->measured says what was measured, or why there is
 * nothing. False: out of memory. */
bool measured_compare(const struct measured *measured, const struct settings *settings,
                      const struct ladder *ladder, struct report *report);

/* Sets the reference's note where the model contradicts the measured speedup from baseline to
 * reference. The baseline must be a step, and both measured at the report's size. */
void measured_doubt(const struct measured *measured, const struct settings *settings,
                    const struct ladder *ladder, struct report *report);

/* Whether the modelled and the measured speedup of a step contradict each other: one gains and the
 * other loses (2 % or less is neither); the model shows no change where 10 % or more was measured;
 * or the two differ by more than a quarter. */
bool measured_contradicts(double modelled, double measured);

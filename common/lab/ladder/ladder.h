/* ladder.h: the steps of the solutions, as files and as programs to measure; what a lecture says
 * of them. */
#ifndef LAB_LADDER_H
#define LAB_LADDER_H

#include "base/ini.h"
#include "lab/judge/measure/measure.h"

struct ladder_step {
    char name[24]; /* "1a" */
    char title[96];
    unsigned lab, part; /* part: index into the lab's parts */
};

struct ladder {
    struct ladder_step step[MEASURE_VARIANTS];
    struct measure_variant variant[MEASURE_VARIANTS]; /* "step 1a" */
    unsigned count;
};

/* Appends the steps of lab number `lab`, its reference among them, in the order of their names.
 * A lab with another function than the settings' adds none. False and a message when the lab's
 * data is wrong. */
bool ladder_add(struct ladder *ladder, const struct settings *settings, unsigned lab, char *error,
                size_t size);

/* Whether every step's program exists. False and a message that names the first missing one. */
bool ladder_built(const struct ladder *ladder, char *error, size_t size);

/* Reads the file NAME of each lab's solutions, up to the settings' lab, that has the settings'
 * function and such a file. `ini` describes the file; `complete` refuses what a file has left
 * out. False and one line. */
bool ladder_read(const struct settings *settings, const char *name, struct ini *ini,
                 bool (*complete)(struct ini *));

/* ---- lecture.c: solutions/labN-TOPIC/lecture.ini, a lecture's figures for the same steps */

enum { LECTURE_STEPS = 16 };

struct lecture_step {
    char step[24];    /* as the ladder's step is named */
    double slide_ms;  /* as printed on the slide */
    double launch_ms; /* of one launch */
    char note[64];    /* "": none */
};

struct lecture {
    char title[96];
    char why[1024]; /* sentences on what is odd in the lecture's figures */
    unsigned count; /* 0: there is no lecture of this function */
    struct lecture_step step[LECTURE_STEPS];
};

/* The lectures of all labs with the settings' function, up to the settings' own, one after the
 * other. False and one line (file, line, what is wrong). */
bool lecture_load(const struct settings *settings, struct lecture *lecture, char *error, size_t size);

#endif

/* ladder.h: the steps of the solutions, as files and as programs; a lecture's figures for them. */
#pragma once

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

/* Appends the steps of lab number `lab`, with its reference, sorted by name. A lab whose function
 * differs from the settings' adds none. False and a message: the lab's data is wrong. */
bool ladder_add(struct ladder *ladder, const struct settings *settings, unsigned lab, char *error,
                size_t size);

/* Whether every step's program exists. False and a message that names the first missing one. */
bool ladder_built(const struct ladder *ladder, char *error, size_t size);

/* Reads the file NAME, where it exists, of each lab up to the settings' that has the settings'
 * function. `ini` describes the file; `complete` refuses missing keys. False and one line. */
bool ladder_read(const struct settings *settings, const char *name, struct ini *ini,
                 bool (*complete)(struct ini *));

/* ---- lecture.c: solutions/labN-TOPIC/lecture.ini, a lecture's figures for these steps */

enum { LECTURE_STEPS = 16 };

struct lecture_step {
    char step[24];    /* as the ladder's step is named */
    double slide_ms;  /* as printed on the slide */
    double launch_ms; /* of one launch */
    char note[64];    /* "": none */
};

struct lecture {
    char title[96];
    char why[1024]; /* what is odd in the lecture's figures, in sentences */
    unsigned count; /* 0: no lecture has this function */
    struct lecture_step step[LECTURE_STEPS];
};

/* Reads the lectures of all labs, up to the settings', that have the settings' function. False and
 * one line (file, line, what is wrong). */
bool lecture_load(const struct settings *settings, struct lecture *lecture, char *error, size_t size);

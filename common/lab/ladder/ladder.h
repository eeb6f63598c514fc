/* ladder.h: the steps of the solutions, as files and as programs to measure. */
#ifndef LAB_LADDER_H
#define LAB_LADDER_H

#include "base/ini.h"
#include "lab/judge/measure/measure.h"

struct ladder_step {
    char name[24]; /* "1a" */
    char title[96];
    unsigned lab, part; /* part: index into the lab's */
};

struct ladder {
    struct ladder_step step[MEASURE_VARIANTS];
    struct measure_variant variant[MEASURE_VARIANTS]; /* "step 1a" */
    unsigned count;
};

/* Append the steps of lab number `lab`, its reference among them, in the order of their names. A lab with another
 * function than the one in the settings adds none. False and a message when the lab's data is wrong. */
bool ladder_add(struct ladder *ladder, const struct settings *settings, unsigned lab, char *error,
                size_t size);

/* Is every step's program there? False and a message that names the first that is not. */
bool ladder_built(const struct ladder *ladder, char *error, size_t size);

/* Read NAME of the solutions to the settings' lab and, before it, to each earlier one with the same function, where it is
 * there; ini says how. complete: refuses what a file has left out. False and one line. */
bool ladder_read(const struct settings *settings, const char *name, struct ini *ini,
                 bool (*complete)(struct ini *));

#endif

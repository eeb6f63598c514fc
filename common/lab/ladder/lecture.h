/* lecture.h: what a lecture says of the same steps, to stand beside ours: solutions/labN-TOPIC/lecture.ini. */
#ifndef LAB_LECTURE_H
#define LAB_LECTURE_H

#include "lab/settings.h"

enum { LECTURE_STEPS = 16 };

struct lecture_step {
    char step[24];    /* as our steps are named */
    double slide_ms;  /* as printed on the slide */
    double launch_ms; /* of one launch */
    char note[64];    /* "" none */
};

struct lecture {
    char title[96];
    char why[1024]; /* sentences on what is odd in it */
    unsigned count; /* 0: there is no lecture of this function */
    struct lecture_step step[LECTURE_STEPS];
};

/* What the labs with the settings' function up to the settings' own have, one after the other. False and one line (file, line, what). */
bool lecture_load(const struct settings *settings, struct lecture *lecture, char *error, size_t size);

#endif

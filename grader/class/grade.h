/* grade.h: what one student gets for one lab. */
#ifndef CLASS_GRADE_H
#define CLASS_GRADE_H

#include "base/draw/draw.h"

#include <stdbool.h>
#include <stdint.h>

enum { GRADE_NAME = 128, GRADE_FLAGS = 256, GRADE_MESSAGE = 1024, GRADE_SHA256 = 65 };

struct grade {
    char student[GRADE_NAME], name[GRADE_NAME], first[GRADE_NAME], last[GRADE_NAME], email[GRADE_NAME];
    char lab[16];
    char outcome[16]; /* of the job: "judged", "failed", "build-failed", "trouble"; "missing": nothing to
                         judge; "waiting": not judged yet */
    double earned;    /* before what lateness costs */
    double points, max;
    bool passed;
    char flags[GRADE_FLAGS];       /* names, separated by a space */
    char message[GRADE_MESSAGE];   /* for the student, one line */
    char notes[GRADE_MESSAGE * 2]; /* what was ignored, for the student */
    char human[GRADE_MESSAGE];     /* why a person should look at it; "": no need */
    int64_t submitted, deadline;   /* seconds since 1970, 0: not known, none */
    unsigned late_days;
    double late_percent;
    unsigned free_days;               /* of the late ones, that cost nothing */
    bool excused;                     /* by the instructor: it counts for nothing */
    char override[GRADE_MESSAGE];     /* what the instructor changed, for the student; "": nothing */
    char regrades[GRADE_MESSAGE * 2]; /* questions and answers, for the student */
    char sha256[GRADE_SHA256];        /* of the kernel that counts */
    /* what was run, to find the results by */
    unsigned devices; /* POLICY_SIM | POLICY_CUDA */
    char gpu[32], size[32];
    char key_name[DRAW_NAME];
};

#endif

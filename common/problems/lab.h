/*
 * lab.h: what a lab asks for, read from labs/labN-TOPIC/lab.ini: its title, problem, size, goals and pass mark. A goal's points are linear between two thresholds, and may differ between the simulated and a real
 * GPU. A lab may have parts, each with a timed case and goals of its own: [part A] sections, and part = A in
 * a goal.
 */
#ifndef PROBLEMS_LAB_H
#define PROBLEMS_LAB_H

#include "problems/problem.h"

enum { LABS_MOST = 128, LAB_TOPIC = 64, LAB_GOALS = 8, LAB_PARTS = 4 };

/* What a goal looks at. How each is computed: harness/goals.c. */
enum lab_measure {
    MEASURE_SPEEDUP_SHARE,       /* your speedup over the starter / the reference's */
    MEASURE_SECTORS_PER_REQUEST, /* global load sectors / global load requests */
    MEASURE_LOADS_SAVED,         /* 1 - your global load requests / the starter's */
    MEASURE_SHARED_WAVEFRONTS,   /* shared load and store wavefronts for 32 elements, a warp's worth */
    MEASURE_INSTRUCTIONS,        /* warp instructions for 32 elements */
    MEASURE_LOADS,               /* global and shared load requests for 32 multiply-adds */
    MEASURE_COPY_SHARE,          /* time of a device-to-device copy of as many bytes / yours */
    MEASURE_LOCAL,               /* local memory sectors for 32 elements: spills, arrays not in registers */
    MEASURE_COUNT
};

struct lab_threshold {
    double zero,
        full; /* the value that earns nothing, and the one that earns all; full < zero: smaller is better */
};

struct lab_goal {
    char name[48]; /* "sectors per load request" */
    enum lab_measure measure;
    double points;
    struct lab_threshold sim, cuda;
    unsigned part; /* index into the lab's parts */
};

/* A part of a lab: a timed case of its own. */
struct lab_part {
    char name[8]; /* "A"; "" when the lab has no parts */
    char title[48];
    uint32_t width, height;
    uint32_t cuda_width, cuda_height; /* on a real GPU; 0: the same */
    bool copy;                        /* time a device-to-device copy of the first buffer beside it */
};

struct lab {
    char id[16];           /* "lab1" */
    char topic[LAB_TOPIC]; /* "memory-layout" */
    char title[80];
    const struct problem *problem;
    uint32_t width, height;
    uint32_t cuda_width, cuda_height; /* on a real GPU; 0: the same */
    bool flush_l2;                    /* timed calls start with a cold L2 */
    /* What speedups are over, where the starter computes nothing yet: a file of solutions/labN-topic/; "":
     * the starter. */
    char baseline[64];
    /* A file of solutions/labN-topic/ that is timed beside on a real GPU and never judged (a library); "":
     * none. */
    char beside[64];
    double pass;          /* points */
    unsigned cuda_rounds; /* timed rounds on a real GPU; 0: as many as settings.h says */
    unsigned part_count;  /* 1 for a lab without parts: the sizes above */
    struct lab_part parts[LAB_PARTS];
    unsigned goal_count;
    struct lab_goal goals[LAB_GOALS];
};

/* The numbers of the labs there are, ascending: of folders root/labs/labN-TOPIC with a lab.ini. How many stand in
 * numbers[]; beyond LABS_MOST they are left out. */
unsigned lab_numbers(const char *root, unsigned numbers[LABS_MOST]);

/* Read root/labs/ID-TOPIC/lab.ini. False and one line (file, line, what) on failure. */
bool lab_load(const char *root, const char *id, struct lab *lab, char *error, size_t size);

/* From the text of a data file; `name` stands in messages. Any bytes are safe to pass. */
bool lab_parse(const char *text, size_t length, const char *name, struct lab *lab, char *error, size_t size);

/* The name of the run that speedups are over: "starter" or "baseline". */
const char *lab_baseline(const struct lab *lab);

/* Points of a value: 0 at `zero` and beyond, `max` at `full` and beyond, linear between; NAN earns 0. */
double lab_points(const struct lab_threshold *threshold, double value, double max);

#endif

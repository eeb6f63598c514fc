/*
 * lab.h: what a lab asks for, read from labs/labN-TOPIC/lab.ini: its title, problem, size, goals
 * and pass mark. A goal's points are linear between two thresholds, and may differ between the
 * simulated and a real GPU. A lab may have parts, each with a timed case and goals of its own:
 * [part A] sections, and part = A in a goal.
 */
#ifndef PROBLEMS_LAB_H
#define PROBLEMS_LAB_H

#include "lab/problems/problem.h"

enum { LABS_MOST = 128, LAB_TOPIC = 64, LAB_GOALS = 8, LAB_STEPS = 12, LAB_PARTS = 4 };

// clang-format off
/* What a goal measures: X(identifier, name in lab.ini, of times? else of counters). Counters are
 * divided by the case's useful work, not the kernel's, so that useless work improves none. An
 * atomic counts as the load that it can replace. lab/judge/goals.c computes each. */
#define LAB_MEASURES(X)                                                                                          \
    X(SPEEDUP_SHARE,       "speedup_share",       true)  /* your speedup over the starter / the reference's */   \
    X(SECTORS,             "sectors",             false) /* global load sectors for 32 elements: a warp's */     \
    X(LOADS_SAVED,         "loads_saved",         false) /* 1 - your global load requests / the starter's */     \
    X(SHARED_WAVEFRONTS,   "shared_wavefronts",   false) /* shared loads and stores, for 32 elements */          \
    X(INSTRUCTIONS,        "instructions",        false) /* warp instructions for 32 elements */                 \
    X(LOADS,               "loads",               false) /* global, shared load requests for 32 multiply-adds */ \
    X(COPY_SHARE,          "copy_share",          true)  /* a device-to-device copy of as many bytes / yours */  \
    X(LOCAL,               "local_sectors",       false) /* for 32 elements: arrays that are not in registers */  \
    X(SPILLS,              "spill_bytes",         false) /* of a thread's registers, as the machine code has it */ \
    X(SPEEDUP,             "speedup",             true)  /* your speedup over the starter */                     \
    X(SPEEDUP_LOG,         "speedup_log",         true)  /* log of that / log of the reference's: 0 is the starter, 1 the reference */ \
    X(PINNED,              "pinned",              false) /* share of the bytes between host and device in pinned memory */ \
    X(GLOBAL_LOADS,        "global_loads",        false) /* global load requests for 32 elements */              \
    X(ATOMICS,             "atomics",             false) /* atomics on global memory for 32 elements */          \
    X(TRAFFIC,             "traffic",             false) /* global load and store sectors for 32 elements */          \
    X(HOT_CODE,            "hot_code_bytes",      false) /* machine code in which 95 of 100 executed instructions lie */ \
    X(WAVES,               "waves",               false) /* of blocks, the last one counted whole */           \
    X(LAUNCHES,            "launches",            false) /* of kernels in a call */                              \
    X(NO_INSTRUCTION,      "no_instruction",      false) /* share of warps' time in which they wait for their code */
// clang-format on

enum lab_measure {
#define MEASURE_ENUMERATOR(identifier, name, timed) MEASURE_##identifier,
    LAB_MEASURES(MEASURE_ENUMERATOR)
#undef MEASURE_ENUMERATOR
        MEASURE_COUNT
};

/* Its name in a lab's data file: "speedup_share". */
const char *lab_measure_name(enum lab_measure measure);
/* Whether the measure is of times, not of counters. */
bool lab_measure_is_timed(enum lab_measure measure);

/* The value that earns no points, and the value that earns all; full < zero: smaller is better. */
struct lab_threshold {
    double zero, full;
};

struct lab_goal {
    char name[48]; /* "sectors loaded for 32 pixels" */
    enum lab_measure measure;
    double points;
    struct lab_threshold sim, cuda;
    unsigned part; /* index into the lab's parts */
    /* The goal earns nothing when the measure `required` is above `most`: what the model does not
     * charge for must not pay. A real GPU charges for spills, so there they are allowed. */
    bool requires;
    enum lab_measure required;
    double most;
};

/* The bound of a step of the handout's way. */
struct lab_bound {
    bool at_least; /* else at most */
    double value;
};

struct lab_step {
    char title[64]; /* "tiles in shared memory" */
    enum lab_measure measure;
    struct lab_bound sim, cuda;
    double points; /* 0: the step is only shown */
};

/* A part of a lab: a timed case of its own. A lab without [part] sections is one part without a
 * name. */
struct lab_part {
    char name[8]; /* "A"; "" */
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
    bool flush_l2; /* timed calls start with a cold L2 */
    /* The kernel that speedups are over, where the starter computes nothing: a file of
     * solutions/labN-TOPIC/; "": the starter. */
    char baseline[64];
    /* A library that is timed beside on a real GPU and never judged: a file of
     * solutions/labN-TOPIC/; "": none. */
    char beside[64];
    char further[160];    /* what is left to try once the lab is passed; "": nothing particular */
    double pass;          /* points */
    unsigned cuda_rounds; /* timed rounds on a real GPU; 0: SETTINGS_ROUNDS */
    unsigned part_count;  /* at least 1 */
    struct lab_part parts[LAB_PARTS];
    unsigned goal_count;
    struct lab_goal goals[LAB_GOALS];
    unsigned step_count; /* 0 in a lab of several parts */
    struct lab_step steps[LAB_STEPS];
};

/* The numbers of all folders root/labs/labN-TOPIC with a lab.ini, ascending. Returns their
 * count; those beyond LABS_MOST are left out. */
unsigned lab_numbers(const char *root, unsigned numbers[LABS_MOST]);

/* Reads root/labs/ID-TOPIC/lab.ini. False and one line (file, line, what is wrong). */
bool lab_load(const char *root, const char *id, struct lab *lab, char *error, size_t size);

/* Parses the text of a data file; `name` stands for it in messages. Any bytes are safe to pass. */
bool lab_parse(const char *text, size_t length, const char *name, struct lab *lab, char *error, size_t size);

/* The name of the run that speedups are over: "starter" or "baseline". */
const char *lab_baseline(const struct lab *lab);

/* The points of the first `reached` steps, which are a goal of this name in a report. */
#define LAB_STEPS_GOAL "steps reached"
double lab_step_points(const struct lab *lab, unsigned reached);
/* The points there are: of all goals and steps. */
double lab_points_most(const struct lab *lab);
/* Whether the value is on the right side of the bound; NAN is not. */
bool lab_reached(const struct lab_bound *bound, double value);
/* Points of a value: 0 up to `zero`, `max` from `full` on, linear between; NAN earns 0. */
double lab_points(const struct lab_threshold *threshold, double value, double max);
/* The same of a value that may be too small by this share: `max` from where it may be `full`, and linear
 * up to there. NAN: it is exact. No value has the benefit where `zero` may be `full`. */
double lab_points_in_doubt(const struct lab_threshold *threshold, double value, double share, double max);

#endif

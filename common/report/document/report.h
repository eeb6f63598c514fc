/* report.h: the report.json document (README.md) as C structures. The judge fills it and writes it
 * once; terminal, profile page, plots and grader read it. The report owns its text fields. NULL and
 * NAN are written as null. Numbers have REPORT_REAL_DIGITS significant digits, so that equal runs
 * give equal bytes. */
#pragma once

#include "report/document/kernel_report.h"

enum { REPORT_ERROR_SIZE = 512, REPORT_LISTED = 10, REPORT_PREDICTIONS = 8, REPORT_STEPS = 1000 };

enum device_kind { DEVICE_UNKNOWN, DEVICE_CUDA, DEVICE_SIM, DEVICE_KINDS };
const char *device_kind_name(int kind); /* "cuda", "sim"; NULL: unknown */

/* The stage at which a run failed. */
enum report_stage {
    STAGE_NONE,
    STAGE_BUILD,
    STAGE_START,
    STAGE_FAULT,
    STAGE_TIMEOUT,
    STAGE_CORRECTNESS,
    STAGE_MEASURE,
    STAGE_BUSY, /* the machine had no time for the program, which is not its fault */
    STAGES
};
const char *report_stage_name(int stage); /* "build"; NULL: none */

/* ---- report_clocks.c: clocks, temperature and throttling of a real GPU during a measurement */

/* Clock in MHz over the samples. */
struct report_clock {
    double least, mean, most;
};

struct report_clocks {
    bool present;     /* false: a simulated GPU, or an older kit's report; absent in JSON */
    uint32_t samples; /* 0: no clock could be read; the note says why */
    struct report_clock sm, memory;
    double coolest, hottest; /* degrees Celsius; 0: unknown */
    char throttled[160];     /* what held the clocks back, in NVML's words: "sw_power_cap"; "": nothing */
    char note[320];          /* for a reader of the times; "": nothing */
};

/* A clock has moved, or differs from the last run's, from this share on. */
#define REPORT_CLOCKS_MOVED 0.02

/* Adds the samples of another part of the lab. */
void report_clocks_add(struct report_clocks *clocks, const struct report_clocks *more);

/* Writes the note: the clock moved, differs from the last run's (NULL: none), or was held back. */
void report_clocks_judge(struct report_clocks *clocks, const struct report_clocks *last);

/* ---- the document */

struct report_device {
    enum device_kind kind;
    char *gpu;     /* "NVIDIA H200" */
    char *model;   /* NULL: a real GPU without a data file */
    char *toolkit; /* "13.0" */
    /* Two modelled times that differ by less than this share may come in the other order. NAN: times
     * are measured, or an older kit's report; absent in JSON */
    double apart;
};

struct report_problem {
    uint32_t width, height;
    uint64_t seed; /* 0: a secret key was used */
    char *image;   /* NULL: the drawn scene */
};

/* A part of a lab that has several. */
struct report_part {
    char *name, *title;
    char *timed; /* the timed case: "A: 33554432 floats" */
};

struct report_case {
    char *name;
    bool passed;
    char *message; /* "": passed */
};

struct report_element {
    uint64_t index;
    char where[48], got[24], expected[24];
};

/* The most telling wrong case: the smallest, or a larger one whose cause is known. */
struct report_wrong {
    bool present;
    char name[64];         /* of the case */
    char message[160];     /* "118 of 217 pixels differ" */
    char hint[1100];       /* what is known of the wrong cases; "": nothing */
    char cause[64];        /* name of the cause in `hint`: "taps-dx"; "": none, and no key */
    uint32_t cause_cases;  /* failing cases that this cause explains exactly */
    char place[24];        /* meaning of an element's `where`: "(x, y)"; "": it varies */
    uint64_t elements;     /* number of wrong ones */
    bool nondeterministic; /* two equal calls gave different results */
    uint32_t listed_count; /* the first of them */
    struct report_element listed[REPORT_LISTED];
};

/* Names of runs that programs ask for. Others are free: "npp", "step 1a". */
#define RUN_STARTER "starter"
#define RUN_BASELINE "baseline" /* replaces the starter where a lab names another kernel */
#define RUN_YOURS "yours"
#define RUN_REFERENCE "reference"
#define RUN_CPU "cpu"
#define RUN_COPY "copy" /* a plain copy, for comparison */

struct report_run {
    char *name;
    char *part;     /* "A"; NULL: the lab has one part. Absent in JSON if NULL */
    double time_us; /* median over rounds; NAN: not measured */
    enum time_source time_source;
    double speedup;    /* relative to the lab's baseline; NAN: unknown */
    double ci95_us[2]; /* 95 % confidence interval of time_us; NAN: none */
    double
        band; /* of a modelled time: the share by which it may be off (bands.c); NAN: unknown, and no key */
    char note[128];   /* a remark on the run; "": none, and no key */
    char unpaid[160]; /* why its time earns nothing; "": it may, and no key */
    double
        pinned; /* share of the bytes between host and device in pinned memory; 0: none, or not known, and no key */
    char unordered
        [768]; /* right as it ran, and wrong in another order: what nothing orders; "": nothing, and no key */
    /* Beside a modelled time: a real GPU's time at this size (NAN: not measured), and where the
     * model contradicts that ("": nowhere). Absent in JSON if empty. */
    double measured_us;
    char contradicted[192];
    uint32_t kernel_count;
    struct kernel_report *kernels; /* in order of their first launches */
};

struct report_goal {
    char *name;    /* "speedup", "sectors per request" */
    char *part;    /* as in struct report_run */
    char *measure; /* as in the lab's data file: "speedup_share"; NULL: unknown */
    char *barred;  /* why it earns nothing, or less than its value; NULL: all. Absent in JSON if NULL */
    double value, zero, full, points, max;
    /* The share by which a ratio of modelled times may be short of `full` and still earn all points.
     * NAN: it may not, and no key */
    double benefit;
    double kept; /* share of its points that a barred goal keeps; NAN: none, and no key */
};

/* A prediction of the learner, and the measured value. */
struct report_prediction {
    char key[24], unit[24]; /* as in the lab's predict.ini */
    char predicted[24];
    char measured[24]; /* "": not measured */
    double tolerance;  /* a share of the measured value; 0 for a name */
    bool right;
};

/* How many of the handout's steps the kernel reached. */
struct report_steps {
    uint32_t count, reached;  /* count 0: the lab has no steps, and no key; REPORT_STEPS at most */
    char title[64], next[64]; /* of the last one reached and the next; "": none */
};

/* What the judge objects to in a submission, by a name of report/document/flags.h. */
struct report_flag {
    char *name, *message;
};

/* The kind of compiler warnings; all other remarks come from the running program. */
#define REPORT_COMPILER "compiler"

/* A mistake that stopped nothing (gpu/runtime/README.md). A report has a kind once for each source
 * line. Without a line it has a kind and message once, whatever the message's numbers. */
struct report_remark {
    char *kind;     /* "unwritten", "race", REPORT_COMPILER, ... */
    char *name;     /* the first case that met it; "": none */
    char *file;     /* "": unknown */
    char *message;  /* "": unknown */
    char *met;      /* names of all its cases, each between two line ends; not in JSON */
    uint32_t line;  /* 0: unknown */
    uint32_t cases; /* number of cases that met it; 0: no named case */
    uint64_t count;
};

struct report {
    char *lab, *title;
    struct report_device device;
    struct report_clocks clocks; /* a real GPU's, during the rounds */
    struct report_problem problem;
    enum report_stage failure_stage;
    char *failure_message; /* for a person; stage "build": the compiler's text */
    char *source;          /* the student's file, relative to the project's folder; NULL: none */
    char *output;          /* start of what the program printed; NULL: nothing */
    char *criterion;       /* what right means: "bit for bit", "within the error bound"; NULL: unknown */
    struct report_wrong wrong;
    double cpu_us; /* the student's host function, by the host's clock; NAN: the lab has none */
    uint32_t cases_passed, cases_failed;
    uint32_t part_count, case_count, run_count, goal_count, flag_count, file_count, remark_count;
    char **files; /* files beside the report, relative to the project's folder; report.json first */
    struct report_part *parts; /* none in a lab of one part */
    struct report_case *cases;
    struct report_run *runs;
    struct report_goal *goals;
    struct report_steps steps;
    uint32_t prediction_count; /* 0: none, and no key */
    struct report_prediction predictions[REPORT_PREDICTIONS];
    struct report_remark *remarks; /* 0: none, and no key "remarks" */
    struct report_flag *flags;     /* 0: none, and no key "flags" */
    double score_points, score_max;
    double score_pass; /* points; NAN: no pass mark */
    bool score_passed;
    bool too_close; /* another run could end on the other side of the pass mark */
    /* How and on which GPU the runs' measured_us were measured; why there are none; or NULL. */
    char *measured;
    /* Why the score does not count: "SIZE is not the lab's own". NULL: it counts. */
    char *not_recorded;
    /* What follows a passed lab: "the next lab: labs/...". NULL: unknown. */
    char *after;
    /* What a student's copy of the kit refuses: "steps, solution". NULL: it has both. */
    char *not_here; /* these four are absent in JSON when NULL */
};

/* Begins an empty report of a lab, with numbers NAN or 0. This and the functions below that return
 * bool fail only when out of memory, unless they say otherwise. */
bool report_init(struct report *report, const char *lab, const char *title);
void report_free(struct report *report);

/* Replaces a text field, report->device.gpu for example, by a copy (NULL clears it). */
bool report_set_text(char **field, const char *text);

/* Sets what was detected. model may be NULL. */
bool report_set_device(struct report *report, enum device_kind kind, const char *gpu, const char *model,
                       const char *toolkit);
/* Sets why there is no full measurement. */
bool report_set_failure(struct report *report, enum report_stage stage, const char *message);
/* Appends a file that was written beside the report. */
bool report_add_file(struct report *report, const char *path);
/* Path of the file with that name ("output.txt"); NULL: there is none. */
const char *report_file(const struct report *report, const char *name);
bool report_add_part(struct report *report, const char *name, const char *title, const char *timed);
/* Appends a correctness case and counts it. message may be NULL. */
bool report_add_case(struct report *report, const char *name, bool passed, const char *message);
/* Appends a flag, once for each name. */
bool report_add_flag(struct report *report, const char *name, const char *message);
/* Appends a remark. A second remark of the same kind at the same line (without a line: with the
 * same message, numbers apart) is counted with the first. */
bool report_add_remark(struct report *report, const char *kind, const char *name, const char *file,
                       uint32_t line, const char *message, uint64_t count);
/* Likewise from the object of a launch report's {"remark": ...}. False: also no remark. */
bool report_add_remark_line(struct report *report, const char *name, const json_t *remark);
/* Appends a run without kernels, time NAN. NULL: out of memory. The pointer is valid until the next
 * report_add_run. */
struct report_run *report_add_run(struct report *report, const char *name);
/* Appends a zeroed kernel. NULL: out of memory. The pointer is valid until the run's next add. */
struct kernel_report *report_run_add_kernel(struct report_run *run);
/* Appends a goal, whose part and measure are set afterwards. */
bool report_add_goal(struct report *report, const char *name, double value, double zero, double full,
                     double points, double max);
/* The first run with that name; NULL: none. */
const struct report_run *report_find_run(const struct report *report, const char *name);
/* The run with that name in that part; part NULL or "": in any part. NULL: none. */
const struct report_run *report_find_part_run(const struct report *report, const char *part,
                                              const char *name);

/* ---- bands.c: how far modelled times may be off */

/* Sets a run's band from its kernels' and their times. Unknown where a kernel's is, where the time is
 * not modelled, and where copies, fills and waits take more than a tenth of the run. */
void run_set_band(struct report_run *run);
/* Says in the run's note which kernel has no time, and why; nothing if all have one. */
void run_note_untimed(struct report_run *run);
/* Whether both times are modelled and too near to say which kernel is faster. */
bool report_not_apart(const struct report *report, const struct report_run *a, const struct report_run *b);

/* The run that a profile shows: "yours", else the last one with kernels; NULL: none. */
const struct report_run *report_main_run(const struct report *report);
/* Lists the indices of a run's kernels, longest first, at most `most`. Returns their number. */
uint32_t run_top_kernels(const struct report_run *run, uint32_t *indices, uint32_t most);

/* Number of launches that a run's entries describe. */
uint64_t run_launches(const struct report_run *run);
/* Microseconds of all kernels; NAN: one's is unknown. */
double run_kernels_us(const struct report_run *run);
/* Sum of one counter over a run's kernels. False: unknown for a kernel, or no kernel. */
bool report_run_counter(const struct report_run *run, enum counter counter, uint64_t *value);

/* Converts the document to JSON and back. The reader refuses a missing or unknown key, a wrong type
 * or a value out of range in one line with its path. */
json_t *report_to_json(const struct report *report); /* NULL: out of memory */
bool report_from_json(struct report *report, const json_t *json, char *error, size_t size);

/* Rounds numbers and makes text UTF-8, so that what is printed afterwards equals what a reader of
 * the document gets. False and one line: out of memory; the report is unchanged. */
bool report_settle(struct report *report, char *error, size_t size);

/* Writes to path, whole or not at all. False and one line on failure. */
bool report_write(const struct report *report, const char *path, char *error, size_t size);
/* Reads a file that report_write wrote. False and one line on failure; *report is then empty. */
bool report_read(struct report *report, const char *path, char *error, size_t size);

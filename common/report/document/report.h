/*
 * report.h: the report.json document (README.md) as C structures. The judge builds it up and writes
 * it once; terminal, profile page, plots and grader read it. The report owns its text fields. NULL
 * and NAN are written as null. Numbers have REPORT_REAL_DIGITS significant digits, so the same run
 * gives the same bytes.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

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

/* MHz, over the samples. */
struct report_clock {
    double least, mean, most;
};

struct report_clocks {
    bool present;     /* false: a simulated GPU, or a report of an older kit; absent in JSON */
    uint32_t samples; /* 0: no clock could be read, and the note says why */
    struct report_clock sm, memory;
    double coolest, hottest; /* degrees Celsius; 0: not told */
    char throttled[160];     /* what held the clocks back, in NVML's words: "sw_power_cap"; "": nothing */
    char note[320];          /* what a reader of the times must know; "": nothing */
};

/* The share from which on a clock counts as moved, or as different from the last run's. */
#define REPORT_CLOCKS_MOVED 0.02

/* Adds the samples of another part of the lab. */
void report_clocks_add(struct report_clocks *clocks, const struct report_clocks *more);

/* Writes the note: that a clock moved during the run, that it differs from the last run's (NULL:
 * none), and what held it back. */
void report_clocks_judge(struct report_clocks *clocks, const struct report_clocks *last);

/* ---- the document */

struct report_device {
    enum device_kind kind;
    char *gpu;     /* "NVIDIA H200" */
    char *model;   /* "h200"; NULL on a real GPU without a data file */
    char *toolkit; /* "13.0" */
};

struct report_problem {
    uint32_t width, height;
    uint64_t seed; /* 0: a secret key was in its place */
    char *image;   /* NULL: the rendered scene */
};

/* A part of a lab of several. */
struct report_part {
    char *name, *title;
    char *timed; /* the case that is timed: "A: 33554432 floats" */
};

struct report_case {
    char *name;
    bool passed;
    char *message; /* "" when passed */
};

/* An element that is wrong. */
struct report_element {
    uint64_t index;
    char where[48], got[24], expected[24];
};

/* The wrong case that says most: the smallest, or a larger one whose cause is known. */
struct report_wrong {
    bool present;
    char name[64];         /* of the case */
    char message[160];     /* "118 of 217 pixels differ" */
    char hint[1100];       /* what is known of the wrong cases; "": nothing */
    char cause[64];        /* name of the cause that `hint` states: "taps-dx"; "": none, and no key */
    uint32_t cause_cases;  /* failing cases, all of which come out exactly so */
    char place[24];        /* what an element's `where` is: "(x, y)"; "": no one thing */
    uint64_t elements;     /* how many are wrong */
    bool nondeterministic; /* the same call gave two different results */
    uint32_t listed_count; /* the first of them */
    struct report_element listed[REPORT_LISTED];
};

/* The names of runs that programs ask for; others are free: "npp", "step 1a". */
#define RUN_STARTER "starter"
#define RUN_BASELINE "baseline" /* in the starter's place, where a lab names another kernel */
#define RUN_YOURS "yours"
#define RUN_REFERENCE "reference"
#define RUN_CPU "cpu"
#define RUN_COPY "copy" /* a plain copy beside them */

struct report_run {
    char *name;
    char *part;     /* "A", in a lab of several parts; NULL: the lab has one. Absent in JSON when NULL */
    double time_us; /* median over rounds; NAN when not measured */
    enum time_source time_source;
    double speedup;    /* over the lab's baseline; NAN unknown */
    double ci95_us[2]; /* 95 % confidence interval of time_us; NAN where there is none */
    char note[128];    /* a remark on the run; written only where there is one */
    char unpaid[160];  /* why its time earns nothing; "": it may, and the key is absent */
    /* Beside a modelled time: what a real GPU took at this size (NAN: not measured), and where
     * the model contradicts that ("": nowhere). Each key is absent where there is nothing. */
    double measured_us;
    char contradicted[192];
    uint32_t kernel_count;
    struct kernel_report *kernels; /* in the order of their first launches */
};

struct report_goal {
    char *name;    /* "speedup", "sectors per request" */
    char *part;    /* as a run's */
    char *measure; /* what it measures, as in the lab's data file: "speedup_share"; NULL: unknown */
    char *
        barred; /* why it earns nothing whatever its value; NULL: it may earn points. Absent in JSON when NULL */
    double value, zero, full, points, max;
};

/* A prediction of the learner's, and what was measured. */
struct report_prediction {
    char key[24], unit[24]; /* as the lab's predict.ini has them */
    char predicted[24];
    char measured[24]; /* "": nothing was measured */
    double tolerance;  /* a share of what was measured; 0 for a name */
    bool right;
};

/* How many steps of the handout's way the kernel reached. */
struct report_steps {
    uint32_t count, reached;  /* count 0: the lab has no steps, and the key is absent; REPORT_STEPS at most */
    char title[64], next[64]; /* of the last one reached, and the one after it; "": there is none */
};

/* What the judge holds against a submission, by a stable name (report/document/flags.h). */
struct report_flag {
    char *name, *message;
};

/* The kind of the compiler's warnings; remarks of other kinds come from the running program. */
#define REPORT_COMPILER "compiler"

/* What is wrong and stopped nothing (gpu/runtime/README.md). A report has a kind once for each
 * source line; without a line a kind and message once, whatever the message's numbers. */
struct report_remark {
    char *kind;     /* "unwritten", "race", REPORT_COMPILER, ... */
    char *name;     /* the first case in which it was met; "": none */
    char *file;     /* "": unknown */
    char *message;  /* "": not told */
    char *met;      /* names of all its cases, each between two line ends; not in the document */
    uint32_t line;  /* 0: unknown */
    uint32_t cases; /* in how many cases it was met; 0: in none that has a name */
    uint64_t count;
};

struct report {
    char *lab, *title;
    struct report_device device;
    struct report_clocks clocks; /* of a real GPU, during the rounds */
    struct report_problem problem;
    enum report_stage failure_stage;
    char *failure_message; /* for a person; stage "build": the compiler's words */
    char *source;    /* the student's file, from the project's folder; NULL: not a run of a student's file */
    char *output;    /* how what the program printed begins; NULL: nothing */
    char *criterion; /* what right means: "bit for bit", "within the error bound"; NULL: not known */
    struct report_wrong wrong;
    double cpu_us; /* the student's function for the host, by the host's clock; NAN: the lab has none */
    uint32_t cases_passed, cases_failed;
    uint32_t part_count, case_count, run_count, goal_count, flag_count, file_count, remark_count;
    char **files;              /* written beside, from the project's folder; the report itself first */
    struct report_part *parts; /* none in a lab of one */
    struct report_case *cases;
    struct report_run *runs;
    struct report_goal *goals;
    struct report_steps steps;
    uint32_t prediction_count; /* 0: none, and absent in JSON */
    struct report_prediction predictions[REPORT_PREDICTIONS];
    struct report_remark *remarks; /* written as "remarks" only where there are any */
    struct report_flag *flags;     /* written as "flags" only where there are any */
    double score_points, score_max;
    double score_pass; /* points; NAN: no pass mark */
    bool score_passed;
    bool too_close; /* another run could end on the other side of the pass mark */
    /* On what, when and how the runs' measured_us were measured, or why there are none. NULL:
     * unknown. */
    char *measured;
    /* Why the score does not count: "SIZE is not the lab's own". NULL: it does, or there is no
     * record. */
    char *not_recorded;
    /* What comes once the lab is passed: "the next lab: labs/...". NULL: unknown. */
    char *after; /* these three are absent in JSON when NULL */
};

/* Begins an empty report of a lab, with numbers NAN or 0. Returns false when out of memory. */
bool report_init(struct report *report, const char *lab, const char *title);
void report_free(struct report *report);

/* Replace a text field by a copy (NULL clears it): report_set_text(&report->device.gpu, "NVIDIA
 * H200"). false: out of memory. */
bool report_set_text(char **field, const char *text);

/* What was detected. model may be NULL. false: out of memory. */
bool report_set_device(struct report *report, enum device_kind kind, const char *gpu, const char *model,
                       const char *toolkit);
/* Says why there is no full measurement. false: out of memory. */
bool report_set_failure(struct report *report, enum report_stage stage, const char *message);
/* Append a file written beside. false: out of memory. */
bool report_add_file(struct report *report, const char *path);
/* The path of the file of that name ("output.txt") among them; NULL: it is not there. */
const char *report_file(const struct report *report, const char *name);
/* Append a part. false: out of memory. */
bool report_add_part(struct report *report, const char *name, const char *title, const char *timed);
/* Append a correctness case and count it. message may be NULL. false: out of memory. */
bool report_add_case(struct report *report, const char *name, bool passed, const char *message);
/* Append a flag, once for each name. false: out of memory. */
bool report_add_flag(struct report *report, const char *name, const char *message);
/* Appends a remark. A remark of the same kind at the same line (without a line: of the same
 * message, numbers apart) is counted with the first. false: out of memory. */
bool report_add_remark(struct report *report, const char *kind, const char *name, const char *file,
                       uint32_t line, const char *message, uint64_t count);
/* Likewise from the object of a launch report's {"remark": ...}. false: the object is no remark,
 * or out of memory. */
bool report_add_remark_line(struct report *report, const char *name, const json_t *remark);
/* Append a run with no kernels, time NAN. NULL: out of memory. The pointer is valid until the next
 * report_add_run. */
struct report_run *report_add_run(struct report *report, const char *name);
/* Append a kernel, zeroed, to fill by kernel_report_from_*. NULL: out of memory. Valid until the
 * run's next add. */
struct kernel_report *report_run_add_kernel(struct report_run *run);
/* Append a goal; its part and measure are set afterwards. false: out of memory. */
bool report_add_goal(struct report *report, const char *name, double value, double zero, double full,
                     double points, double max);
/* The first run of that name, or NULL. */
const struct report_run *report_find_run(const struct report *report, const char *name);
/* The run of that name in that part; part NULL or "": the first of that name. NULL: there is
 * none. */
const struct report_run *report_find_part_run(const struct report *report, const char *part,
                                              const char *name);

/* The run a profile is about: "yours", else the last one with kernels; NULL: none. */
const struct report_run *report_main_run(const struct report *report);
/* The indices of a run's kernels, the longest first; at most `most`. Returns how many. */
uint32_t run_top_kernels(const struct report_run *run, uint32_t *indices, uint32_t most);

/* How many launches a run's entries stand for. */
uint64_t run_launches(const struct report_run *run);
/* Sum of one counter over a run's kernels. false when one of them does not know it, or there is
 * no kernel. */
bool report_run_counter(const struct report_run *run, enum counter counter, uint64_t *value);

/* The document as JSON and back. The reader is strict: a missing or unknown key, a wrong type or
 * a value out of range is refused with one line that names its path
 * ("runs[1].kernels[0].grid[2]: ..."). */
json_t *report_to_json(const struct report *report); /* NULL: out of memory */
bool report_from_json(struct report *report, const json_t *json, char *error, size_t size);

/* Rounds numbers and makes text UTF-8, as a reader of the document gets them, so that what is
 * printed afterwards equals what the document says. false and one line: out of memory; the
 * report is unchanged. */
bool report_settle(struct report *report, char *error, size_t size);

/* Write to path, whole or not at all. */
bool report_write(const struct report *report, const char *path, char *error, size_t size);
/* Read a file that report_write wrote. On failure *report is empty and error has one line. */
bool report_read(struct report *report, const char *path, char *error, size_t size);

#endif

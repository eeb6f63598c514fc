/*
 * measure_parts.h: a measurement from the inside: its clocks, the checks of its times, the state of
 * a real GPU. Private to this folder.
 */
#pragma once

#include "lab/judge/measure/measure.h"

#include <stddef.h>

struct gpu_state;

/* On a real GPU: rounds that do not count, and rounds without the watched variant. */
enum { WARM_UP_ROUNDS = 3, ALONE_ROUNDS = 7 };

struct measurement {
    const struct settings *settings;
    const struct lab_part *part;
    unsigned part_index;
    const struct measure_variant *variants;
    unsigned count;
    int watched; /* index of the student's variant; -1: none */
    struct report *report;
    struct judge_wrong *wrong;
    struct failure *failure;
    bool pictures_drawn;
    unsigned right_calls;    /* of the watched variant's process */
    char bus[24];            /* the GPU's place on the bus, from measure_describe_device */
    struct gpu_state *state; /* NULL: the GPU is simulated, or NVML does not know it */
    bool waits;              /* with an owner: the watched variant is called only once its inputs are there */
    /* A library that is timed beside: why it is left out, "": it is not; how many of all its
     * elements differ from the right result, and by how many levels at most. */
    char left_out[96];
    char uncounted[96]; /* why the last variant's counters are missing; "": they are not */
    uint64_t different, compared;
    unsigned largest;
};

/* Puts the variant's name before the failure's message, unless the variant is the student's. */
void measure_name_failure(const char *variant, struct failure *failure);
/* Asks the runner which GPU it has, for the report. */
bool measure_describe_device(struct measurement *m, struct session *session, uint64_t *l2_bytes);
/* Whether this variant's process times the plain copy: the last one that is not the student's. */
bool measure_times_copy(const struct measurement *m, unsigned variant);
/* The options of a call. `call` is a key that no other call of this part has; timed: its time
 * counts. */
struct trial_options measure_call_options(const struct measurement *m, const struct draw_key *call,
                                          bool timed, uint64_t flush_bytes);
/* The key of simulated call number `call` of this part; number 0 is the one that counts. */
struct draw_key measure_call_key(const struct measurement *m, unsigned call);
/* One judged call of a variant. */
bool measure_judged_call(struct measurement *m, unsigned variant, struct session *session,
                         const struct trial *t, const struct trial_options *options,
                         struct trial_result *result);
/* Refuses a time below the roofline, where the model is this very GPU's. */
bool measure_check_roofline(struct measurement *m, unsigned variant, const struct trial *t, double time_us);
/* Appends a run to the report; the kernels of `counted` move there. NULL: a run without kernels. */
bool measure_add_run(struct measurement *m, const char *name, double time_us, enum time_source source,
                     const double interval[2], struct trial_result *counted);
/* Appends a run without a time, and why. */
bool measure_add_left_out(struct measurement *m, const char *name, const char *why);
/* One call on the simulated GPU: its counters, and on a simulated device its time. */
bool measure_simulate(struct measurement *m, unsigned variant, const struct trial *t, bool first,
                      struct trial_result *result);

/* Tries the block shapes that findings on the variant's longest kernel would advise; what came
 * of them goes into that kernel. Nothing is tried when grading, or where a call takes long to
 * simulate. */
void measure_try_shapes(struct measurement *m, unsigned variant, const struct trial *t,
                        struct trial_result *result);

/* All variants on a real GPU, timed side by side. */
bool measure_real(struct measurement *m, const struct trial *t);

/* ---- measure_clocks.c: what several clocks say of the calls on a real GPU */

enum clock {
    CLOCK_EVENT,   /* the events of the call's own process */
    CLOCK_BETWEEN, /* how much longer than the events' time the judge waited */
    CLOCK_AFTER,   /* how long the device went on when the call's stream had ended */
    CLOCK_WINDOW,  /* with an owner: the GPU's time until the results were there, less the events' */
    CLOCK_AGAIN,   /* with an owner: the same until the program had answered */
    CLOCK_COPY,    /* a plain copy */
    CLOCKS
};

/* A variant's calls: microseconds, by clock and round. */
struct timed {
    double *clock[CLOCKS];
    bool late; /* in some call the results changed after the program's work was said to be done */
};

struct clocks {
    bool owned; /* an owner has the buffers */
    unsigned rounds;
    struct timed times[MEASURE_VARIANTS];
    /* With an owner: the other variants once more, after the watched one's process has ended. */
    unsigned alone_rounds; /* 0: there are none */
    struct timed alone[MEASURE_VARIANTS];
};

/* Room for the rounds of all variants. False: out of memory; clocks_free in any case. */
bool clocks_create(struct clocks *clocks, unsigned variants, unsigned rounds, unsigned alone_rounds);
void clocks_free(struct clocks *clocks);
/* Notes what a call took. */
void clocks_note(struct timed *timed, unsigned round, const struct trial_result *result);

/* A variant's median in microseconds and its 95 % interval. A variant that is slower beside the
 * watched one than alone gets its time alone: the watched program worked on the GPU outside of
 * its own calls. */
double clocks_median(const struct measurement *m, const struct clocks *clocks, unsigned variant,
                     enum clock clock, double interval[2]);
/* Whether a trusted variant was slowed down in this way by more than chance explains. */
bool clocks_held_up(const struct measurement *m, const struct clocks *clocks);
/* Microseconds of the watched variant's calls that other clocks saw and its own events did not;
 * 0: none. */
double clocks_unseen_us(const struct measurement *m, const struct clocks *clocks);

/* ---- plausible.c: whether a time can be true */

/* The roofline: the least microseconds in which a kernel can read the inputs of the case and do
 * the arithmetic that no algorithm saves. cold: the inputs start in DRAM. A margin allows for
 * clocks above the model's. */
double plausible_least_us(const struct gpu_model *model, const struct problem *problem,
                          const struct problem_case *problem_case, bool cold);

/* Whether the events' time fits into the judge's time around the call. */
bool plausible_event(double event_us, double wall_us);

/* Microseconds of device time that the events did not see, by the judge's clock. Queueing and
 * messages between the clocks cost every variant the same; what this one takes more than the
 * trusted ones, beyond their spread, is returned; else 0. */
double plausible_unseen_us(double between_us, double trusted_between_us);

/* Microseconds that the device worked after the call's stream had ended, beyond the trusted
 * variants' (asking an idle device takes a moment); 0 where the difference is jitter. */
double plausible_elsewhere_us(double after_us, double trusted_after_us);

/* Microseconds that the events did not see, by the owner's clock. `around_us`: how much more
 * than the events' time passes around a call (flush, switch of processes); the trusted variants'
 * medians lie between least and most. 0 where the difference is jitter. */
double plausible_window_us(double around_us, double least_us, double most_us, double event_us);

/* Whether so much unseen time is more than a program's habits explain, and a person should look. */
bool plausible_window_suspect(double unseen_us, double event_us);
/* Microseconds that a program may hide besides: work during a switch of processes (seen on an
 * H200). */
double plausible_window_hides_us(void);

/* Whether a trusted variant's time beside another program exceeds its time alone by more than
 * jitter. */
bool plausible_held_up(double beside_us, double alone_us);
/* Whether by more than chance explains, so that a person should look. */
bool plausible_held_up_suspect(double beside_us, double alone_us);

/* ---- gpu_state.c: clocks, temperature and throttling of a real GPU, from NVIDIA's management
 * library (NVML), which comes with the driver and is opened at run time. No setting is changed. */

#define GPU_STATE_LIBRARY "libnvidia-ml.so.1"

/* The GPU at this place of the bus, "00000000:1b:00.0". NULL and one line: there is no library,
 * or it knows neither the GPU nor its clocks. */
struct gpu_state *gpu_state_open(const char *library, const char *bus, char *why, size_t size);
/* Takes a sample. NULL: nothing happens. */
void gpu_state_sample(struct gpu_state *state);
/* What the samples say; with state NULL why there are none. */
void gpu_state_summary(const struct gpu_state *state, const char *why, struct report_clocks *clocks);
void gpu_state_close(struct gpu_state *state); /* NULL: nothing happens */

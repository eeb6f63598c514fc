/* measure_parts.h: a measurement from the inside. Private to measure*.c. */
#ifndef LAB_MEASURE_PARTS_H
#define LAB_MEASURE_PARTS_H

#include "lab/judge/measure/gpu_state.h"
#include "lab/judge/measure/measure.h"

/* On a real GPU: rounds that do not count, and those without the watched variant. */
enum { WARM_UP_ROUNDS = 3, ALONE_ROUNDS = 7 };

struct measurement {
    const struct settings *settings;
    const struct lab_part *part;
    unsigned part_index;
    const struct measure_variant *variants;
    unsigned count;
    int watched;
    struct report *report;
    struct judge_wrong *wrong;
    struct failure *failure;
    bool pictures_drawn;
    unsigned right_calls;    /* of the watched variant's process */
    char bus[24];            /* where the GPU sits, of measure_describe_device */
    struct gpu_state *state; /* what it says of itself; NULL: it does not, or is simulated */
    bool waits; /* buffers of an owner: the watched variant is called when the inputs are there, not before */
    /* Of a variant that is only beside: why it is left out, "" while it is not; in how many elements, of all,
     * it differs from the right result, and by how much at most. */
    char left_out[96];
    uint64_t different, compared;
    unsigned largest;
};

/* Put the variant's name before what went wrong with it, unless it is the student's own. */
void measure_name_failure(const char *variant, struct failure *failure);
/* Ask the runner which GPU it has, for the report. */
bool measure_describe_device(struct measurement *m, struct session *session, uint64_t *l2_bytes);
/* The plain copy is timed in the last process that is ours: the reference's or a step's, never the student's. */
bool measure_times_copy(const struct measurement *m, unsigned variant);
/* The call that is `call`, a name no other one of this part has; timed: its time counts. */
struct trial_options measure_call_options(const struct measurement *m, const struct draw_key *call,
                                          bool timed, uint64_t flush_bytes);
/* The key of a call of this part that is simulated: number 0 counts. */
struct draw_key measure_call_key(const struct measurement *m, unsigned call);
/* One judged call of a variant. */
bool measure_judged_call(struct measurement *m, unsigned variant, struct session *session,
                         const struct trial *t, const struct trial_options *options,
                         struct trial_result *result);
/* What is faster than the roofline is not rewarded. The model must be this very GPU's. */
bool measure_check_roofline(struct measurement *m, unsigned variant, const struct trial *t, double time_us);
/* Append a run to the report; the kernels of `counted` move there. counted: NULL for a run without kernels. */
bool measure_add_run(struct measurement *m, const char *name, double time_us, enum time_source source,
                     const double interval[2], struct trial_result *counted);
/* A run without a time, and why. */
bool measure_add_left_out(struct measurement *m, const char *name, const char *why);
/* One launch on the simulated GPU: counters, and on a simulated device the time. */
bool measure_simulate(struct measurement *m, unsigned variant, const struct trial *t, bool first,
                      struct trial_result *result);

/* Try the block shapes that findings on the variant's longest kernel would advise: what came of it goes into the
 * result's kernel. Not when grading, and not where a call takes long to simulate. */
void measure_try_shapes(struct measurement *m, unsigned variant, const struct trial *t,
                        struct trial_result *result);

/* All variants on a real GPU, timed side by side. */
bool measure_real(struct measurement *m, const struct trial *t);

#endif

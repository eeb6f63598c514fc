/*
 * plausible.h: whether a time can be true. On the simulated GPU times come from the device; on a real one
 * from events in the student's process, and other clocks and the hardware's limits speak about the same
 * calls.
 */
#ifndef LAB_PLAUSIBLE_H
#define LAB_PLAUSIBLE_H

#include "gpu/time/gpus.h"
#include "lab/problems/problem.h"
#include <stdbool.h>

/* The roofline: microseconds below which no kernel on this GPU can read the inputs of the case, when they
 * start in DRAM (cold), and do the arithmetic that every algorithm needs. With a margin for clocks above the
 * model's. */
double plausible_least_us(const struct gpu_model *model, const struct problem *problem,
                          const struct problem_case *problem_case, bool cold);

/* A call cannot take longer on the device than on the judge's clock around it. */
bool plausible_event(double event_us, double wall_us);

/* What stands between the two clocks (queueing, waiting, messages) is the same for every variant. Returns how
 * much more of it this one has than the most of the trusted ones, when that is more than their spread
 * explains; 0 otherwise: time on the device that the events did not see. */
double plausible_unseen_us(double between_us, double trusted_between_us);

/* How long the device worked on when the call's own stream had ended: on streams that nobody was told of. Of
 * that, what is more than the trusted variants' (asking an idle device takes a moment); 0 when it is no more
 * than jitter. */
double plausible_elsewhere_us(double after_us, double trusted_after_us);

/* By the clock of the process that owns the buffers: how much more than its events' time passes around a call (flush,
 * switching between processes). Returns how much of it is more than the trusted variants', whose medians lie between least
 * and most, when that is more than jitter; 0 otherwise: time that the events did not see. */
double plausible_window_us(double around_us, double least_us, double most_us, double event_us);

/* Whether so much of it is more than a program's own habits explain, or most of its time, and somebody should look. */
bool plausible_window_suspect(double unseen_us, double event_us);
/* What a program may hide besides: work that runs while others wait for the change of process (seen on an H200). */
double plausible_window_hides_us(void);

/* Whether a trusted variant's time has been driven up by another program: it is more than jitter above what the same
 * takes without that program. */
bool plausible_held_up(double beside_us, double alone_us);
/* And by so much that chance does not explain it, and somebody should look. */
bool plausible_held_up_suspect(double beside_us, double alone_us);

#endif

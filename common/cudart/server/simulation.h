/*
 * simulation.h: between the simulator, which knows neither models nor reports, and the rooms that know no simulator:
 * what it is configured with, and what is reported of a launch it ran.
 */
#ifndef CUDART_SIMULATION_H
#define CUDART_SIMULATION_H

#include "analysis/kernel_report.h"
#include "simt/simt.h"

/* Fill the simulator's configuration from a model; the "how to run" fields get their defaults. */
void simulation_config(const struct gpu_model *model, struct simt_config *config);

/* The report of a simulated launch and its modelled time. False when out of memory (*report is then empty). */
bool simulation_report(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                       const struct simt_result *result, const struct gpu_time *time);

#endif

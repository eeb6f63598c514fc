/*
 * simulation.h: between the simulator, which knows neither models nor reports, and the rooms that know no simulator:
 * what it is configured with, and what is reported of a launch it ran.
 */
#ifndef RUNTIME_SIMULATION_H
#define RUNTIME_SIMULATION_H

#include "gpu/simt/simt.h"
#include "report/document/kernel_report.h"

/* Fill the simulator's configuration from a model; the "how to run" fields get their defaults. */
void simulation_config(const struct gpu_model *model, struct simt_config *config);

/* The report of a simulated launch and its modelled time. False when out of memory (*report is then empty). */
bool simulation_report(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                       const struct simt_result *result, const struct gpu_time *time);

#endif

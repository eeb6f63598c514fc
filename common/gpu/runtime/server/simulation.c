/* simulation.c: the simulator's configuration from a model; a launch's report from its counts. */
#include "gpu/runtime/server/launch_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void simulation_config(const struct gpu_model *model, struct simt_config *config) {
    simt_config_default(config);
    config->sm_count = model->sm_count;
    config->shared_per_block = model->shared_per_block_optin;
    config->shared_per_block_static = model->shared_per_block;
    config->max_threads_per_block = model->max_threads_per_block;
    config->max_block[0] = config->max_block[1] = model->max_threads_per_block;
    config->max_block[2] = 64;
    config->max_grid[0] = 0x7fffffff; /* every compute capability since 3.0 */
    config->max_grid[1] = config->max_grid[2] = 65535;
    config->registers_per_block = model->registers_per_block;
    config->register_granularity = model->register_granularity;
    config->warp_granularity = model->warp_granularity;
    config->memory_bytes = model->memory_bytes;
    config->l1_bytes = model->l1_bytes;
    double l2_bytes = (double)model->l2_bytes * model->l2_different;
    config->l2_bytes = l2_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)l2_bytes;
    config->l2_slices = model->l2_slices;
    config->compute_major = model->compute_major;
    config->compute_minor = model->compute_minor;
    config->clock_khz = (uint32_t)(model->clock_mhz * 1000 + 0.5);
}

bool simulation_report(struct kernel_report *report, const char *name, const struct simt_launch *launch,
                       const struct simt_result *result, const struct gpu_time *time) {
    *report = (struct kernel_report){
        .time_us = time->time_us,
        .waves = time->waves,
        .tail = time->tail,
        .occupancy_theoretical = time->occupancy_theoretical,
        .occupancy_achieved = time->occupancy_achieved,
        .counters = result->counters,
    };
    for (int i = 0; i < 3; i++) {
        report->grid[i] = launch->grid[i];
        report->block[i] = launch->block[i];
    }
    if (launch->kernel != NULL) {
        const struct simt_resources *resources = simt_kernel_resources(launch->kernel);
        report->registers = resources->registers;
        report->shared_bytes = resources->static_shared;
        report->spill_known = resources->spill_bytes != SIMT_UNKNOWN;
        report->spill_bytes = report->spill_known ? resources->spill_bytes : 0;
    }
    report->shared_bytes += (uint32_t)launch->dynamic_shared;
    report->time_source = TIME_MODEL;
    report->limiter = time->limiter;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        report->unit_share[unit] = time->time_us > 0 ? time->unit_us[unit] / time->time_us : NAN;
    for (int i = 0; i < COUNTER_COUNT; i++)
        report->known[i] = true;

    report->name = strdup(name);
    report->lines = calloc(result->line_count > 0 ? result->line_count : 1, sizeof report->lines[0]);
    bool right = report->name != NULL && report->lines != NULL;
    for (uint32_t i = 0; right && i < result->line_count; i++) {
        const struct simt_line *from = &result->lines[i];
        struct kernel_line *to = &report->lines[i];
        *to = (struct kernel_line){.file = strdup(from->file != NULL ? from->file : ""),
                                   .line = from->line,
                                   .kind = from->kind,
                                   .requests = from->requests,
                                   .transactions = from->transactions,
                                   .ideal = from->ideal,
                                   .threads = from->threads,
                                   .facts = from->facts};
        report->line_count = i + 1;
        right = to->file != NULL;
    }
    if (!right)
        kernel_report_free(report);
    return right;
}

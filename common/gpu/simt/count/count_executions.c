/* count_executions.c: lists how often each instruction of the functions that ran was executed. */
#include "gpu/simt/count/count.h"
#include "gpu/simt/observe/observe.h"

#include <stdlib.h>

/* Adds the counts of an instruction's accesses, in any space. */
static void add_accesses(const struct launch *launch, uint32_t site, struct simt_execution *execution) {
    struct site sum = simt_site_total(launch, site);
    const struct ptx_instruction *in = execution->instruction;
    /* A copy is one request, which loads from one space and stores to the other. */
    bool stored = ptx_nature(in)->memory == PTX_MEMORY_COPY && in->space == PTX_GLOBAL &&
                  simt_count_site_is_shared(launch->module, site);
    bool elsewhere = stored || (in->space != PTX_SHARED && simt_count_site_is_shared(launch->module, site));
    execution->requests += stored ? 0 : sum.requests;
    if (elsewhere) {
        execution->banked += ptx_nature(in)->memory == PTX_MEMORY_ATOMIC ? sum.lines : sum.transactions;
        execution->bytes += sum.threads * simt_access_width(&launch->module->sites[site]);
        return;
    }
    execution->transactions += sum.transactions;
    execution->ideal += sum.ideal;
    execution->lines += sum.lines;
    execution->missed += sum.missed;
    execution->waited += sum.waited;
    execution->late += sum.late;
    execution->joined += sum.joined;
    uint64_t owned = sum.owner && launch->owned != NULL ? launch->owned[sum.owner] : 0;
    execution->beyond_known = sum.owner && launch->owned != NULL;
    execution->beyond += owned;
    if (sum.looked)
        execution->passes = (double)sum.passes / (double)sum.looked;
    if (sum.requests && simt_count_site_is_shared(launch->module, site))
        simt_observed_widened(launch, site, execution->widened);
    if (sum.requests)
        execution->bytes += sum.threads * simt_access_width(&launch->module->sites[site]);
}

/* Adds the function's instructions; a function that never ran adds none. */
static uint32_t add_function(const struct launch *launch, const struct share *share, const struct code *code,
                             const struct loop_trips *trips, struct simt_execution *executions) {
    struct run_count sum = {0};
    bool ran = false;
    for (uint32_t i = 0; i < code->count; i++) {
        uint32_t index = code->first_count + i;
        add_up(share, index, &sum);
        ran |= sum.runs > 0;
        uint32_t back = code->trip_marks[i].back;
        executions[i] =
            (struct simt_execution){.instruction = &code->function->instructions[i],
                                    .runs = (uint64_t)sum.runs,
                                    .divergent = tally_total(share, TALLY_DIVERGENT, index),
                                    .may_be_slow = simt_slow_has_path(&code->function->instructions[i]),
                                    .slow = tally_total(share, TALLY_SLOW, index),
                                    .trips = back ? &trips[code->first_loop + back - 1] : NULL};
    }
    const struct simt_module *module = launch->module;
    for (uint32_t site = code->first_site;
         ran && site < module->site_total && module->sites[site].code == code; site++)
        add_accesses(launch, site, &executions[module->sites[site].instruction]);
    return ran ? code->count : 0;
}

bool simt_launch_executions(const struct launch *launch, struct simt_result *result) {
    const struct simt_module *module = launch->module;
    const struct share all = {launch->workers, launch->worker_count};
    result->executions = calloc((size_t)module->count_total + 1, sizeof *result->executions);
    result->trips = calloc(module->loop_total + 1u, sizeof *result->trips);
    if (result->executions == NULL || result->trips == NULL)
        return false;
    for (uint32_t i = 0; i < module->loop_total; i++)
        result->trips[i] = simt_trips_total(launch, i);
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->codes[i].count)
            result->execution_count += add_function(launch, &all, &module->codes[i], result->trips,
                                                    result->executions + result->execution_count);
    struct simt_execution *fitted =
        realloc(result->executions, (result->execution_count + 1u) * sizeof *fitted);
    result->executions = fitted != NULL ? fitted : result->executions;
    return true;
}

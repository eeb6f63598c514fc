/* count_executions.c: how often each instruction of the functions that ran was executed. */
#include "simt/count.h"
#include "simt/trips.h"

#include <stdlib.h>

static uint64_t divergent(const struct share *share, uint32_t index) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < share->count; w++)
        sum += share->workers[w].divergent[index];
    return sum;
}

/* Adds the function's instructions. One that never ran adds none. */
static uint32_t add_function(const struct share *share, const struct code *code,
                             const struct loop_trips *trips, struct simt_execution *executions) {
    struct run_count sum = {0};
    bool ran = false;
    for (uint32_t i = 0; i < code->count; i++) {
        uint32_t index = code->first_count + i;
        add_up(share, index, &sum);
        ran |= sum.runs > 0;
        uint32_t back = code->trip_marks[i].back;
        executions[i] = (struct simt_execution){&code->function->instructions[i], (uint64_t)sum.runs,
                                                divergent(share, index),
                                                back ? &trips[code->first_loop + back - 1] : NULL};
    }
    return ran ? code->count : 0;
}

bool launch_executions(const struct launch *launch, struct simt_result *result) {
    const struct simt_module *module = launch->module;
    const struct share all = {launch->workers, launch->worker_count};
    result->executions = calloc((size_t)module->count_total + 1, sizeof *result->executions);
    result->trips = calloc(module->loop_total + 1u, sizeof *result->trips);
    if (result->executions == NULL || result->trips == NULL)
        return false;
    for (uint32_t i = 0; i < module->loop_total; i++)
        result->trips[i] = trips_total(launch, i);
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->codes[i].count)
            result->execution_count += add_function(&all, &module->codes[i], result->trips,
                                                    result->executions + result->execution_count);
    struct simt_execution *fitted =
        realloc(result->executions, (result->execution_count + 1u) * sizeof *fitted);
    result->executions = fitted != NULL ? fitted : result->executions;
    return true;
}

/* launch.c: runs, times and reports a launch. */
#include "gpu/runtime/server/server.h"

#include "gpu/runtime/server/launch_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct server_kernel *kernel_of(struct server *server, uint32_t id, struct reply *reply) {
    struct server_kernel *kernel = id < server->kernel_count ? &server->kernels[id] : NULL;
    if (kernel != NULL && kernel->simt != NULL)
        return kernel;
    reply->error = ERROR_INVALID_DEVICE_FUNCTION;
    return NULL;
}

/* Stores device printf until the program synchronises, as much as the printf buffer holds. */
static void keep_output(void *context, const char *text, size_t length) {
    struct server *server = context;
    size_t room = server->print > server->output_bytes ? (size_t)server->print - server->output_bytes : 0;
    if (length > room) {
        server->output_cut = true;
        return;
    }
    if (server->output_bytes + length > server->output_capacity) {
        size_t capacity = 2 * (server->output_bytes + length) + 4096;
        char *output = realloc(server->output, capacity);
        if (output == NULL) {
            server->output_cut = true;
            return;
        }
        server->output = output;
        server->output_capacity = capacity;
    }
    memcpy(server->output + server->output_bytes, text, length);
    server->output_bytes += length;
}

/* How long warps or blocks spin for one another is not modelled: no time is better than that of a guess. */
static void withhold_time(enum binding_spin spins, struct kernel_report *report) {
    snprintf(
        report->timed_why, sizeof report->timed_why, "%s",
        spins == SPIN_BLOCKS
            ? "blocks wait for one another by spinning: this time is not modelled; that of grid.sync() is"
            : "warps wait for one another by spinning: this time is not modelled");
    report->time_us = report->tail = report->occupancy_achieved = (double)NAN;
    report->time_source = TIME_UNKNOWN;
    report->timed_by = TIMED_BY_UNKNOWN;
    report->limiter = GPU_UNIT_COUNT;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        report->unit_share[unit] = (double)NAN;
}

/* What-ifs are worth their time where a launch takes longer than all launches of the kernel before. */
static bool wants_what_ifs(const struct server *server, struct server_kernel *kernel, double time_us) {
    const double longer = 1.1;
    bool wants = server->what_ifs && time_us > longer * kernel->longest_us;
    kernel->longest_us = wants ? time_us : kernel->longest_us;
    return wants;
}

static bool report_result(struct server *server, struct server_kernel *kernel,
                          const struct simt_launch *launch, const struct simt_result *result,
                          const struct server_timed_launch *timed) {
    struct server_module *module = handle_object(&server->modules, kernel->module);
    const struct gpu_code *code = timed->known ? &timed->code : NULL;
    const struct gpu_time *time = &timed->time;
    struct kernel_report report;
    if (server->report.descriptor < 0)
        return true;
    if (!simulation_report(&report, kernel->name, launch, result, time))
        return false;
    report.timed_by = !time->by_code ? TIMED_BY_COUNTERS : timed->made ? TIMED_BY_PTXAS : TIMED_BY_CODE;
    snprintf(report.timed_why, sizeof report.timed_why, "%s",
             time->by_code ? binding_left_out(result) : timed->why);
    for (int i = 0; i < MACHINE_COUNTERS; i++)
        report.known[FIRST_MACHINE_COUNTER + i] = code != NULL;
    report.code_known = code != NULL;
    if (code != NULL) {
        binding_count(code, &report.counters);
        binding_bytes(code, &report.code_bytes, &report.hot_code_bytes);
    }
    report.kind = gpu_kind_of(server->options.model, &report.counters, report.grid,
                              report.spill_known && report.spill_bytes > 0);
    report.band = gpu_kind_band(server->options.model, report.kind);
    report.band_known = timed->spins < SPIN_WARPS;
    if (!report.band_known)
        report.kind = GPU_KIND_UNKNOWN;
    if (timed->spins >= SPIN_WARPS)
        withhold_time(timed->spins, &report);
    else if (timed->spins == SPIN_GRID)
        snprintf(report.timed_why, sizeof report.timed_why,
                 "a grid.sync() counts as if all blocks came to it at once");
    const char *mangled = simt_kernel_function(kernel->simt)->name;
    bool waits = report.time_us > 0; /* NAN: none are known either */
    if (code != NULL && module != NULL &&
        ((waits &&
          !binding_waits(&module->binding, module->program, mangled, result, code, time, &report.waits)) ||
         !binding_executed(&module->binding, module->program, mangled, result, code, &report.counters,
                           &report.executed) ||
         (waits && wants_what_ifs(server, kernel, report.time_us) &&
          !binding_what_ifs(&module->binding, module->program, mangled, result, server->options.model,
                            &timed->how, time, &report.what_ifs)))) {
        kernel_report_free(&report);
        return false;
    }
    bool written = launch_report_kernel(&server->report, &report);
    kernel_report_free(&report);
    return written;
}

/* Replaces the mangled name in the simulator's message by the kernel's name in the source. */
static void name_kernel(const struct server_kernel *kernel, char *message, size_t size) {
    const char *mangled = simt_kernel_function(kernel->simt)->name;
    const char *found = strstr(message, mangled);
    char *copy = found != NULL && strcmp(mangled, kernel->name) != 0 ? strdup(message) : NULL;
    if (copy != NULL)
        snprintf(message, size, "%.*s%s%s", (int)(found - message), copy, kernel->name,
                 copy + (found - message) + strlen(mangled));
    free(copy);
}

static bool is_configuration_error(uint32_t error) {
    return error == ERROR_INVALID_CONFIGURATION || error == ERROR_LAUNCH_OUT_OF_RESOURCES ||
           error == ERROR_INVALID_VALUE || error == ERROR_MEMORY_ALLOCATION || error == ERROR_NOT_SUPPORTED ||
           error == ERROR_COOPERATIVE_TOO_LARGE;
}

/* A launch that cannot start is an error of this call. A fault breaks the context; later calls
 * return it. */
static void fail(struct server *server, const struct server_kernel *kernel, struct simt_fault *fault,
                 uint32_t error, struct reply *reply) {
    fault->kernel = kernel->name;
    name_kernel(kernel, fault->message, sizeof fault->message);
    server_reply_say(reply, "%s", fault->message);
    server->faulted = true;
    launch_report_fault(&server->report, (int)error, fault);
    if (is_configuration_error(error))
        reply->error = error;
    else
        server->sticky = error;
}

/* The share of the GPU that a launch takes; above 1: not all blocks run at once. */
static double share_of(const struct gpu_model *model, const struct simt_launch *launch) {
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return blocks / ((double)launch->resident_blocks * model->sm_count);
}

/* All blocks of a cooperative grid have to fit at once, because they wait for each other. */
static bool check_cooperative(const struct server_kernel *kernel, const struct gpu_model *model,
                              const struct simt_launch *launch, struct simt_fault *fault) {
    if (launch->resident_blocks == 0 || share_of(model, launch) <= 1) /* none fits: simt_run says why */
        return true;
    fault->status = SIMT_TOO_MANY_RESOURCES;
    snprintf(fault->message, sizeof fault->message,
             "%s: a cooperative grid of %.0f blocks; %u blocks fit on each of %u SMs", kernel->name,
             (double)launch->grid[0] * launch->grid[1] * launch->grid[2], launch->resident_blocks,
             model->sm_count);
    return false;
}

void server_launch_time(struct server *server, const struct server_kernel *kernel,
                        const struct simt_launch *launch, struct simt_result *result,
                        struct server_timed_launch *timed) {
    const struct gpu_model *model = server->options.model;
    const struct simt_resources *resources = simt_kernel_resources(kernel->simt);
    struct gpu_launch how = {.registers = resources->registers,
                             .shared_bytes = resources->static_shared + (uint32_t)launch->dynamic_shared,
                             .counters = &result->counters,
                             .longest_warp_instructions = result->longest_warp_instructions,
                             .longest_warps_of_all_blocks = result->longest_warps_of_all_blocks,
                             .longest_sleep_ns = result->longest_sleep_ns,
                             .longest_sleeps_of_all_blocks_ns = result->longest_sleeps_of_all_blocks_ns,
                             .chains_of_all_blocks = result->chains_of_all_blocks,
                             .copy_chains_of_all_blocks = result->copy_chains_of_all_blocks,
                             .sleep_chains_of_all_blocks_ns = result->sleep_chains_of_all_blocks_ns,
                             .longest_chain = result->longest_chain,
                             .longest_chain_copies = result->longest_chain_copies,
                             .longest_chain_slept_ns = result->longest_chain_slept_ns,
                             .sm_count = result->sm_count,
                             .sms = result->sms};
    memcpy(how.grid, launch->grid, sizeof how.grid);
    memcpy(how.block, launch->block, sizeof how.block);
    struct server_module *module = handle_object(&server->modules, kernel->module);
    bool wanted = !server->results_alone && (server->report.descriptor >= 0 || server->options.time_by_code);
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    *timed = (struct server_timed_launch){.share = share_of(model, launch)};
    if (module != NULL)
        timed->spins = binding_spins(module->program, result, &how.grid_syncs);
    if (timed->spins == SPIN_BLOCKS && blocks <= 1)
        timed->spins = SPIN_NONE;
    timed->known = wanted && module != NULL &&
                   binding_code(&module->binding, module->program, model, launch, result, &server->solved,
                                &timed->code, &timed->made, timed->why, sizeof timed->why);
    how.code = timed->known && server->options.time_by_code ? &timed->code : NULL;
    how.code_withheld = !timed->known && server->options.time_by_code && server->options.compiled != NULL;
    if (!server->options.time_by_code)
        snprintf(timed->why, sizeof timed->why, "TIME_MODEL=counters asks for it");
    gpu_time_seen(model, &how, &server->seen, &timed->time);
    timed->how = how;
}

void server_launch_time_free(struct server_timed_launch *timed) {
    if (timed->known)
        gpu_code_free(&timed->code);
}

/* Enters a completed launch, with its modelled time, in the timeline and the report. */
static void account(struct server *server, struct server_kernel *kernel, struct server_work *work,
                    const struct simt_launch *launch, struct simt_result *result, struct reply *reply) {
    struct server_timed_launch timed;
    server_launch_time(server, kernel, launch, result, &timed);
    work->time_us = timed.time.time_us;
    double begin_us = timeline_kernel(&server->timeline, work->timeline_stream, work->time_us,
                                      timed.share < 1 ? timed.share : 1);
    server_span(server, SPAN_KIND_KERNEL, work->stream, kernel->name, 0, begin_us, work->time_us);
    work->begin_us = begin_us;
    server_order_enters(server, work);
    server->options.hooks->entered(server->judge, work);
    if (!report_result(server, kernel, launch, result, &timed)) {
        server_reply_say(reply, "%s: its launch report cannot be written; no more are tried", kernel->name);
        server->report.descriptor = -1;
    }
    server_launch_time_free(&timed);
}

void server_launch_describe(struct server *server, const struct server_kernel *kernel,
                            const struct request_launch *request, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *parameters, struct simt_launch *launch) {
    const struct simt_resources *resources = simt_kernel_resources(kernel->simt);
    uint64_t shared = resources->static_shared + request->dynamic_shared;
    if (shared > UINT32_MAX)
        shared = UINT32_MAX; /* no GPU has as much: simt_run refuses the launch */
    uint32_t threads = block[0] * block[1] * block[2];
    *launch = (struct simt_launch){
        .kernel = kernel->simt,
        .dynamic_shared = request->dynamic_shared,
        .shared_limit = kernel->max_dynamic_shared,
        .resident_blocks =
            gpu_occupancy(server->options.model, threads, resources->registers, (uint32_t)shared)
                .blocks_per_sm,
        .cooperative = request->cooperative != 0,
        .parameters = parameters,
    };
    memcpy(launch->grid, grid, sizeof launch->grid);
    memcpy(launch->block, block, sizeof launch->block);
    memcpy(launch->cluster, request->cluster, sizeof launch->cluster);
}

HANDLER(LAUNCH, request_launch) {
    struct server_kernel *kernel = kernel_of(server, request->kernel, reply);
    struct timeline_stream *stream;
    if (kernel == NULL || !server_stream(server, request->stream, &stream, reply))
        return;
    if (tail_bytes != simt_kernel_function(kernel->simt)->parameter_bytes) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    const struct server_hooks *hooks = server->options.hooks;
    struct server_work work = {.kind = SERVER_LAUNCH,
                               .name = kernel->name,
                               .request = request,
                               .stream = request->stream,
                               .timeline_stream = stream,
                               .parameters = tail,
                               .parameter_bytes = tail_bytes};
    memcpy(work.grid, request->grid, sizeof work.grid);
    memcpy(work.block, request->block, sizeof work.block);
    if (!hooks->allows(server->judge, &work, reply))
        return;
    struct server_progress progress;
    struct simt_launch launch;
    server_launch_describe(server, kernel, request, work.grid, work.block, tail, &launch);
    launch.instruction_budget = work.instruction_budget;
    launch.progress = server_progress_show;
    launch.progress_context = &progress;
    launch.print = keep_output;
    launch.print_context = server;
    struct simt_result result = {0};
    if (request->cooperative && !check_cooperative(kernel, server->options.model, &launch, &result.fault)) {
        fail(server, kernel, &result.fault, ERROR_COOPERATIVE_TOO_LARGE, reply);
        return;
    }
    hooks->begins(server->judge, &work);
    if (server_order_traces(server))
        simt_device_trace(server->device, &work.piece.touched,
                          request->programmatic ? &work.piece.touched_early : NULL);
    if (server->options.cold)
        simt_device_flush_cache(server->device);
    server_progress_begin(&progress, server, kernel->name);
    enum simt_status status = simt_run(server->device, &launch, &result);
    server_progress_end(&progress);
    simt_device_trace(server->device, NULL, NULL);
    server->launched = true;
    work.instructions = result.counters.warp_instructions;
    hooks->ended(server->judge, &work);
    if (status == SIMT_OK)
        account(server, kernel, &work, &launch, &result, reply);
    else
        fail(server, kernel, &result.fault, server_error_of(status), reply);
    if (status != SIMT_OK) {
        footprint_free(&work.piece.touched);
        footprint_free(&work.piece.touched_early);
    }
    simt_result_free(&result);
    server_take_remarks(server);
}

HANDLER(OCCUPANCY, request_occupancy) {
    struct server_kernel *kernel = kernel_of(server, request->kernel, reply);
    const struct gpu_model *model = server->options.model;
    if (kernel == NULL)
        return;
    if (request->threads == 0 || request->threads > model->max_threads_per_sm ||
        request->dynamic_shared > UINT32_MAX / 2) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    const struct simt_resources *resources = simt_kernel_resources(kernel->simt);
    uint32_t fixed = resources->static_shared, threads = request->threads, registers = resources->registers;
    if (!request->wanted_blocks) {
        uint32_t shared = fixed + (uint32_t)request->dynamic_shared;
        bool fits = threads <= model->max_threads_per_block && shared <= model->shared_per_block_optin;
        server_reply_value(reply, fits ? gpu_occupancy(model, threads, registers, shared).blocks_per_sm : 0);
        return;
    }
    if (gpu_occupancy(model, threads, registers, fixed).blocks_per_sm < request->wanted_blocks) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    /* Searches the most shared memory with which that many blocks fit, by bisection. */
    uint32_t least = fixed, most = model->shared_per_block_optin;
    while (least < most) {
        uint32_t middle = least + (most - least + 1) / 2;
        if (gpu_occupancy(model, threads, registers, middle).blocks_per_sm >= request->wanted_blocks)
            least = middle;
        else
            most = middle - 1;
    }
    server_reply_value(reply, least - fixed);
}

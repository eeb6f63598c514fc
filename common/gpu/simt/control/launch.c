/* launch.c: one launch from start to result: host threads, rounds, the replay into L2, the
 * budget. */
#include "base/round.h"
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/count/count.h"
#include "gpu/simt/endless/endless.h"
#include "gpu/simt/observe/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { L1_SMALLEST = 16 << 10 };

/* ---- rounds */

/* Queues atomics and stores at their lines. */
static void count_meeting(struct launch *launch, uint64_t logged) {
    bool atomic = cache_is_atomic(logged);
    if (!atomic && !cache_is_store(logged))
        return;
    if (launch->queue == NULL &&
        (launch->queue = simt_queue_create(launch->device->config.l2_slices)) == NULL)
        launch->workers[0].out_of_memory = true;
    else if (atomic)
        simt_queue_add(launch->queue, logged);
    else
        simt_queue_add_store(launch->queue, logged);
}

enum { STRIDE = 16 }; /* log entries of an SM's turn */

/* Brings what the SM's turn needs into the host's cache, and what the turns after it will start with. */
static void expect_turn(const struct launch *launch, uint32_t i) {
    const struct l1_cache *l1 = &launch->sms[i].l1;
    for (size_t k = l1->log_next; k < l1->log_next + STRIDE && k < l1->log_count; k++)
        simt_l2_expect(launch->device->l2, l1->log[k]);
    const struct l1_cache *later = &launch->sms[i + 3 < launch->sm_count ? i + 3 : i].l1;
    if (later->log_next < later->log_count) {
        __builtin_prefetch(&later->log[later->log_next]);
        __builtin_prefetch(&later->log[later->log_next + STRIDE / 2]);
    }
}

/* Replays the logs of all SMs into L2, a few entries of each in turn, as if SMs ran in parallel. */
static void replay_logs(struct launch *launch, struct l2_counts *counts) {
    bool more = true;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        launch->sms[i].l1.log_next = 0;
    while (more) {
        more = false;
        simt_l2_turn(launch->device->l2);
        for (uint32_t i = 0; i < launch->sm_count; i++) {
            struct l1_cache *l1 = &launch->sms[i].l1;
            size_t end = l1->log_next + STRIDE < l1->log_count ? l1->log_next + STRIDE : l1->log_count;
            if (i + 1 < launch->sm_count)
                expect_turn(launch, i + 1);
            for (size_t k = l1->log_next; k < end; k++) {
                simt_l2_replay(launch->device->l2, l1->log[k], i, counts);
                count_meeting(launch, l1->log[k]);
            }
            l1->log_next = end;
            more |= end < l1->log_count;
        }
        if (launch->queue != NULL)
            simt_queue_turn(launch->queue);
    }
    for (uint32_t i = 0; i < launch->sm_count; i++)
        launch->sms[i].l1.log_count = 0;
}

/* Runs between rounds, on one thread, while the others wait. */
static void end_round(struct launch *launch, struct l2_counts *counts) {
    uint64_t budget = launch->device->config.instruction_budget, own = launch->shape->instruction_budget;
    budget = budget ? budget : SIMT_DEFAULT_BUDGET;
    budget = own && own < budget ? own : budget;
    if (launch->caches)
        replay_logs(launch, counts);
    uint64_t instructions = 0;
    bool finished = true;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        instructions += launch->sms[i].instructions;
        finished &= launch->sms[i].finished;
    }
    launch->next_sm = 0;
    launch->done = finished;
    if (!finished && instructions > budget) {
        simt_endless_stop(launch, instructions, budget);
        launch->done = true;
    }
    if (!launch->done)
        launch->done = simt_endless_end_round(launch);
    if (!launch->done && launch->shape->progress != NULL)
        launch->shape->progress(launch->shape->progress_context, instructions);
    for (uint32_t i = 0; i < launch->worker_count; i++)
        launch->done |= launch->workers[i].out_of_memory;
}

static void work(struct worker *worker, struct l2_counts *counts) {
    struct launch *launch = worker->launch;
    bool first = worker == launch->workers;
    while (!launch->done) {
        while (launch->watch == WATCH_NONE || first) { /* a watched launch has one thread */
            uint32_t next = __atomic_fetch_add(&launch->next_sm, 1, __ATOMIC_RELAXED);
            if (next >= launch->sm_count)
                break;
            simt_sm_run_round(worker, &launch->sms[next]);
        }
        if (launch->running > 1)
            pthread_barrier_wait(&launch->round);
        if (first)
            end_round(launch, counts);
        if (launch->running > 1)
            pthread_barrier_wait(&launch->round);
    }
}

static void *work_in_thread(void *argument) {
    struct launch *launch = ((struct worker *)argument)->launch;
    pthread_mutex_lock(&launch->start); /* until all threads exist */
    pthread_mutex_unlock(&launch->start);
    work(argument, NULL);
    return NULL;
}

/* ---- setting up and tearing down */

static bool create_worker(struct launch *launch, struct worker *worker) {
    const struct simt_module *module = launch->module;
    worker->launch = launch;
    worker->sites = aligned_alloc(64, ((size_t)module->site_total + 1) * sizeof *worker->sites);
    worker->counts = calloc(module->count_total + 1, sizeof *worker->counts);
    bool tallied = true;
    for (int i = 0; i < TALLIES; i++) {
        worker->tallies[i] = calloc(module->count_total + 1, sizeof *worker->tallies[i]);
        tallied &= worker->tallies[i] != NULL;
    }
    worker->trips = calloc(module->loop_total + 1u, sizeof *worker->trips);
    if (worker->sites != NULL)
        simt_sites_begin(worker->sites, module->site_total);
    return worker->sites != NULL && worker->counts != NULL && tallied && worker->trips != NULL;
}

static void destroy_worker(struct worker *worker) {
    while (worker->files != NULL) {
        struct register_file *file = worker->files;
        worker->files = file->next;
        free(file->memory);
        free(file->local);
        free(file->trips);
        simt_undefined_file_free(file);
        free(file);
    }
    while (worker->free_blocks != NULL) {
        struct block *block = worker->free_blocks;
        worker->free_blocks = block->next;
        simt_block_free(block);
    }
    free(worker->sites);
    free(worker->counts);
    for (int i = 0; i < TALLIES; i++)
        free(worker->tallies[i]);
    free(worker->trips);
}

static void destroy(struct launch *launch) {
    for (uint32_t i = 0; launch->sms != NULL && i < launch->sm_count; i++) {
        struct sm *sm = &launch->sms[i];
        for (uint32_t k = 0; k < sm->block_count; k++) {
            for (uint32_t w = 0; w < sm->blocks[k]->warp_count; w++)
                simt_warp_release(&launch->workers[0], &sm->blocks[k]->warps[w]);
            simt_block_free(sm->blocks[k]);
        }
        for (size_t k = 0; k < sm->printed_count; k++)
            free(sm->printed[k].text);
        free(sm->printed);
        free(sm->tolerated);
        free(sm->blocks);
        simt_l1_destroy(&sm->l1);
    }
    for (uint32_t i = 0; launch->workers != NULL && i < launch->worker_count; i++)
        destroy_worker(&launch->workers[i]);
    simt_observers_destroy(launch);
    free(launch->sms);
    free(launch->workers);
    simt_clusters_destroy(launch);
    free(launch->parameters);
    free(launch->thread_lanes);
    free(launch->queue);
    free(launch->owned);
}

/* Several host threads, if the result cannot depend on them. */
static uint32_t choose_workers(const struct launch *launch) {
    const struct simt_config *config = &launch->device->config;
    if (launch->code->function->uses_ordered_atomics || launch->check || launch->clusters != NULL)
        return 1;
    for (uint32_t i = 0; i < launch->module->program->function_count; i++) {
        const struct ptx_function *function = &launch->module->program->functions[i];
        if (launch->code->function->uses_calls &&
            (function->uses_ordered_atomics || function->builtin == PTX_MALLOC ||
             function->builtin == PTX_FREE))
            return 1;
    }
    uint64_t wanted = launch->device->trace != NULL ? 1 : config->host_threads;
    if (!wanted) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        wanted = processors > 0 ? (uint64_t)processors : 1;
    }
    uint64_t warps = launch->block_total * launch->warps;
    if (wanted > launch->sm_count)
        wanted = launch->sm_count;
    if (wanted > launch->block_total)
        wanted = launch->block_total;
    if (!config->host_threads && warps < 64)
        wanted = 1; /* too short for a second thread */
    return (uint32_t)wanted;
}

/* Whether the kernel, or a function that it may call, uses the reserved shared memory. */
static bool reserves_shared(const struct launch *launch) {
    bool reserved = launch->code->uses_reserved;
    for (uint32_t i = 0; launch->code->function->uses_calls && i < launch->module->program->function_count;
         i++)
        reserved |= launch->module->codes[i].uses_reserved;
    return reserved;
}

/* Allocates the words at which a cooperative grid synchronises, the second a barrier's. They are
 * kept from launch to launch. */
static bool prepare_workspace(struct simt_device *device) {
    enum { BYTES = 64 };
    if (!device->workspace &&
        simt_device_allocate_named(device, BYTES, "the grid's own memory", &device->workspace) != SIMT_OK)
        return false;
    return simt_fill(device, device->workspace, 0, 1, BYTES) == SIMT_OK;
}

/* Sets blocks, threads and bytes of shared memory from the kernel and the launch. */
static void set_shape(struct launch *launch) {
    const struct simt_launch *shape = launch->shape;
    const struct ptx_function *function = launch->code->function;
    uint32_t sm_count = launch->device->config.sm_count;
    launch->threads = shape->block[0] * shape->block[1] * shape->block[2];
    launch->warps = (launch->threads + SIMT_LANES - 1) / SIMT_LANES;
    launch->block_total = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    uint32_t alignment = function->dynamic_alignment ? function->dynamic_alignment : 1;
    launch->own_shared_bytes = function->shared_bytes;
    if (shape->dynamic_shared)
        launch->own_shared_bytes =
            (uint32_t)(round_up(function->shared_bytes, alignment) + shape->dynamic_shared);
    launch->shared_bytes = launch->own_shared_bytes;
    if (reserves_shared(launch))
        launch->shared_bytes = (uint32_t)round_up(launch->own_shared_bytes, 128) + SIMT_RESERVED_SHARED;
    launch->resident = shape->resident_blocks ? shape->resident_blocks : 1;
    launch->sm_count = sm_count < launch->block_total ? sm_count : (uint32_t)launch->block_total;
    launch->stop_block = UINT64_MAX;
}

/* Sets a thread's local memory; 0: neither the kernel nor a function that it may call uses any. */
static void set_local_stride(struct launch *launch) {
    const struct ptx_function *function = launch->code->function;
    bool local = function->uses_local || function->uses_calls;
    for (uint32_t i = 0; function->uses_calls && i < launch->module->program->function_count; i++)
        local |= launch->module->program->functions[i].uses_local;
    if (local)
        launch->local_stride =
            round_up(function->local_bytes, 16) + (function->uses_calls ? launch->device->stack_bytes : 0);
}

/* Sets up caches, counters and checks. False: out of memory. */
static bool set_checks(struct launch *launch) {
    const struct simt_config *config = &launch->device->config;
    launch->strict = config->strict;
    launch->caches = config->simulate_caches && !config->results_alone;
    launch->races = config->check_races && (launch->code->function->uses_shared || launch->shared_bytes);
    launch->samples_races = (!launch->strict || launch->device->samples_races) && !launch->races &&
                            launch->shared_bytes && launch->warps > 1 &&
                            launch->code->looked < (uint64_t)4 * RACES_LOOKED;
    launch->check = config->check;
    if (launch->caches && (launch->owned = calloc(CACHE_OWNERS, sizeof *launch->owned)) == NULL)
        return false;
    if (launch->check)
        return simt_undefined_launch(launch);
    simt_undefined_drop(launch->device); /* stores of an unwatched launch would count as never written */
    return true;
}

/* Sets the parameters, and %tid.x, .y and .z of a block's threads. */
static bool set_inputs(struct launch *launch) {
    const struct simt_launch *shape = launch->shape;
    uint32_t bytes = launch->code->function->parameter_bytes, padded = launch->warps * SIMT_LANES;
    launch->parameters = malloc(bytes + 1u);
    launch->thread_lanes = malloc((size_t)3 * launch->warps * SIMT_SLOT_BYTES);
    if (launch->parameters == NULL || launch->thread_lanes == NULL)
        return false;
    if (shape->parameters != NULL)
        memcpy(launch->parameters, shape->parameters, bytes);
    for (uint32_t thread = 0; thread < padded; thread++) {
        launch->thread_lanes[thread] = thread % shape->block[0];
        launch->thread_lanes[padded + thread] = thread / shape->block[0] % shape->block[1];
        launch->thread_lanes[2 * padded + thread] = thread / shape->block[0] / shape->block[1];
    }
    return true;
}

static bool create_sms(struct launch *launch) {
    uint32_t l1_bytes = launch->device->config.l1_bytes;
    uint64_t shared = (uint64_t)launch->resident * launch->own_shared_bytes;
    uint64_t own = (launch->block_total + launch->sm_count - 1) / launch->sm_count;
    uint32_t warps = (uint32_t)(own < launch->resident ? own : launch->resident) * launch->warps;
    uint32_t l1 = l1_bytes > shared + L1_SMALLEST ? l1_bytes - (uint32_t)shared : L1_SMALLEST;
    launch->sms = calloc(launch->sm_count, sizeof *launch->sms);
    for (uint32_t i = 0; launch->sms != NULL && i < launch->sm_count; i++) {
        struct sm *sm = &launch->sms[i];
        sm->index = i;
        sm->launch = launch;
        sm->next_block = i;
        sm->results_alone = launch->device->config.results_alone;
        sm->blocks = calloc(launch->resident, sizeof(struct block *));
        if (sm->blocks == NULL || (launch->caches && !simt_l1_create(&sm->l1, l1, warps)))
            return false;
    }
    return launch->sms != NULL;
}

static bool create_workers(struct launch *launch) {
    launch->worker_count = choose_workers(launch);
    launch->shared_memory_atomics = launch->worker_count > 1;
    launch->workers = calloc(launch->worker_count, sizeof *launch->workers);
    for (uint32_t i = 0; launch->workers != NULL && i < launch->worker_count; i++)
        if (!create_worker(launch, &launch->workers[i]))
            return false;
    return launch->workers != NULL;
}

static bool set_up(struct launch *launch) {
    set_shape(launch);
    set_local_stride(launch);
    return simt_clusters_create(launch) && set_checks(launch) &&
           (!launch->shape->cooperative || prepare_workspace(launch->device)) && set_inputs(launch) &&
           create_sms(launch) && create_workers(launch) && simt_observers_create(launch);
}

/* A thread that cannot be started is not needed: the result does not depend on their number. */
static void run_workers(struct launch *launch, struct l2_counts *counts) {
    pthread_mutex_lock(&launch->start);
    uint32_t started = 1;
    for (; started < launch->worker_count; started++)
        if (pthread_create(&launch->workers[started].thread, NULL, work_in_thread, &launch->workers[started]))
            break;
    launch->running = started;
    bool barrier = pthread_barrier_init(&launch->round, NULL, started) == 0;
    if (!barrier) {
        launch->running = 1;
        launch->done = true; /* the other threads see this and end */
    }
    pthread_mutex_unlock(&launch->start);
    if (!barrier) {
        for (uint32_t i = 1; i < started; i++)
            pthread_join(launch->workers[i].thread, NULL);
        started = 1;
        launch->done = false;
    }
    work(&launch->workers[0], counts);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(launch->workers[i].thread, NULL);
    if (barrier)
        pthread_barrier_destroy(&launch->round);
}

static int by_block(const void *a, const void *b) {
    const struct printed *first = a, *second = b;
    return (first->block > second->block) - (first->block < second->block);
}

static void print_text(struct launch *launch, uint64_t last_block) {
    size_t count = 0;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        struct sm *sm = &launch->sms[i];
        for (uint32_t k = 0; k < sm->block_count; k++) /* the output of the faulted block too */
            if (sm->blocks[k]->index <= last_block)
                simt_sm_keep_text(sm, sm->blocks[k]);
        count += sm->printed_count;
    }
    if (!count || launch->shape->print == NULL)
        return;
    struct printed *all = malloc(count * sizeof *all);
    if (all == NULL)
        return;
    size_t filled = 0;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (size_t k = 0; k < launch->sms[i].printed_count; k++)
            all[filled++] = launch->sms[i].printed[k];
    qsort(all, filled, sizeof *all, by_block);
    uint64_t left = launch->device->printf_bytes;
    for (size_t i = 0; i < filled && all[i].block <= last_block; i++) {
        size_t length = all[i].length < left ? all[i].length : left;
        launch->shape->print(launch->shape->print_context, all[i].text, length);
        left -= length;
        if (length < all[i].length) {
            static const char full[] = "\n[the device printf buffer is full: the rest is dropped; raise "
                                       "cudaLimitPrintfFifoSize]\n";
            launch->shape->print(launch->shape->print_context, full, sizeof full - 1);
            break;
        }
    }
    free(all);
}

static void collect(struct launch *launch, const struct l2_counts *l2, struct simt_result *result) {
    const struct sm *first = NULL;
    uint64_t bulk = 0;
    struct chain longest = {0};
    struct counters *counters = &result->counters;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm *sm = &launch->sms[i];
        launch->code->looked += sm->looked;
        if (sm->faulted && (first == NULL || sm->fault_block < first->fault_block))
            first = sm;
        result->longest_warps_of_all_blocks += sm->longest_warps;
        simt_chain_join(&longest, &sm->longest_chain);
        result->chains_of_all_blocks += sm->chains.instructions;
        result->copy_chains_of_all_blocks += sm->chains.copies;
        result->sleep_chains_of_all_blocks_ns += sm->chains.slept_ns;
        result->longest_sleeps_of_all_blocks_ns += sm->sleeps;
        result->busiest_sums_of_all_blocks += sm->busiest_sums;
        if (sm->longest_sleep > result->longest_sleep_ns)
            result->longest_sleep_ns = sm->longest_sleep;
        if (sm->longest_warp > result->longest_warp_instructions)
            result->longest_warp_instructions = sm->longest_warp;
        counters->l2_read_sectors += sm->l1.read_sectors;
        counters->l2_write_sectors += sm->l1.write_sectors;
        bulk += sm->l1.bulk_sectors;
        launch->device->cycles += sm->instructions / launch->sm_count;
    }
    result->longest_chain = longest.instructions;
    result->longest_chain_copies = longest.copies;
    result->longest_chain_slept_ns = longest.slept_ns;
    if (launch->caches)
        counters->l1_hit_sectors =
            counters->global_load_sectors + counters->local_load_sectors + bulk - counters->l2_read_sectors;
    counters->l2_read_hit_sectors = l2->read_hit_sectors;
    counters->l2_read_waiting_sectors = l2->read_waiting_sectors;
    counters->dram_read_bytes = l2->dram_read_bytes;
    counters->dram_write_bytes = l2->dram_write_bytes;
    counters->dram_fill_bytes = l2->dram_fill_bytes;
    if (launch->queue != NULL) {
        counters->atomic_queue = simt_queue_longest(launch->queue);
        counters->atomic_slice = simt_queue_busiest_slices(launch->queue);
        counters->store_queue = simt_queue_longest_of_stores(launch->queue);
        counters->swap_queue = simt_queue_longest_of_swaps(launch->queue);
    }
    if (first != NULL)
        result->fault = first->fault;
    print_text(launch, first != NULL ? first->fault_block : UINT64_MAX);
}

enum simt_status simt_run(struct simt_device *device, const struct simt_launch *shape,
                          struct simt_result *result) {
    *result = (struct simt_result){0};
    enum simt_status status = simt_launch_check(device, shape, result);
    if (status != SIMT_OK)
        return status;
    struct launch launch = {.device = device,
                            .module = shape->kernel->module,
                            .code = shape->kernel->code,
                            .shape = shape,
                            .number = ++device->launches};
    struct l2_counts l2 = {0};
    if (device->l2 != NULL)
        simt_l2_launch(device->l2);
    pthread_mutex_init(&launch.start, NULL);
    bool ran = set_up(&launch);
    l2.owned = launch.owned;
    if (ran)
        run_workers(&launch, &l2);
    for (uint32_t i = 0; ran && i < launch.worker_count; i++)
        ran &= !launch.workers[i].out_of_memory;
    if (ran) {
        simt_observers_finish(&launch);
        simt_launch_fold(&launch, result);
        ran = simt_launch_lines(&launch, result) && simt_launch_fold_sms(&launch, result) &&
              simt_launch_executions(&launch, result);
        collect(&launch, &l2, result);
    }
    simt_tolerated_tell(&launch);
    simt_undefined_end_launch(device);
    destroy(&launch);
    pthread_mutex_destroy(&launch.start);
    if (!ran)
        return simt_launch_refuse(result, shape, SIMT_OUT_OF_MEMORY, "the simulator ran out of host memory");
    return result->fault.status;
}

void simt_result_free(struct simt_result *result) {
    free(result->lines);
    result->lines = NULL;
    result->line_count = 0;
    free(result->sms);
    result->sms = NULL;
    result->sm_count = 0;
    free(result->executions);
    free(result->trips);
    result->executions = NULL;
    result->trips = NULL;
    result->execution_count = 0;
}

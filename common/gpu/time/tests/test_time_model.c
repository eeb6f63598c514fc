/* test_time_model.c: modelled times against measured ones, and what must hold of any model: order, monotony,
 * finite answers. */
#include "gpu/time/tests/support_gpus.h"
#include "gpu/time/time_model.h"

#include <math.h>

static struct gpu_launch launch_of(const struct step *step) {
    struct gpu_launch launch = {
        .registers = step->registers, .shared_bytes = step->shared_bytes, .counters = &step->counters};
    memcpy(launch.grid, step->grid, sizeof launch.grid);
    memcpy(launch.block, step->block, sizeof launch.block);
    return launch;
}

static struct gpu_time time_of(const char *model_id, const struct step *step) {
    struct gpu_model model = test_model(model_id);
    struct gpu_launch launch = launch_of(step);
    struct gpu_time time;
    gpu_time_model(&model, &launch, &time);
    return time;
}

static const struct step *find_step(const char *model, const char *name) {
    for (int i = 0; i < test_step_count; i++)
        if (strcmp(test_steps[i].model, model) == 0 && strcmp(test_steps[i].name, name) == 0)
            return &test_steps[i];
    fail_msg("no step %s for %s", name, model);
    return NULL;
}

/* Issue 2 asks for the order; the plan for 15 % and 20 %. The parameters were fitted on these kernels: this
 * guards them. */
static void near_the_measured_times(void **state) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < test_step_count; i++) {
        const struct step *step = &test_steps[i];
        if (step->us <= 0)
            continue;
        struct gpu_time time = time_of(step->model, step);
        double error = time.time_us / step->us - 1;
        if (fabs(error) > (strcmp(step->model, "h200") == 0 ? 0.12 : 0.20))
            fail_msg("%s step %s: %.1f us modelled, %.1f measured", step->model, step->name, time.time_us,
                     step->us);
        if (strcmp(step->model, "h200") == 0) {
            sum += fabs(error);
            count++;
        }
    }
    assert_true(count >= 11);
    assert_true(sum / count < 0.06);
}

static void steps_come_in_order(void **state) {
    const char *order[] = {"0", "1a", "40", "5a"}, *models[] = {"h200", "gtx980"};
    for (int m = 0; m < 2; m++)
        for (int i = 1; i < 4; i++) {
            double before = time_of(models[m], find_step(models[m], order[i - 1])).time_us;
            double after = time_of(models[m], find_step(models[m], order[i])).time_us;
            assert_true(after < 0.9 * before);
        }
    /* any two kernels whose measured times differ by more than a tenth come in the same order */
    for (int i = 0; i < test_step_count; i++)
        for (int j = 0; j < test_step_count; j++) {
            const struct step *a = &test_steps[i], *b = &test_steps[j];
            if (strcmp(a->model, b->model) == 0 && a->us > 0 && b->us > 1.1 * a->us)
                assert_true(time_of(b->model, b).time_us > time_of(a->model, a).time_us);
        }
}

/* Lab 3: the same tile with integer multiply-adds (4i) and with float ones (5a). Integers are the limit on neither
 * chip, and floats no gain. */
static void integer_multiply_limits_neither(void **state) {
    static const char *const models[] = {"gtx980", "h200"};
    for (int i = 0; i < 2; i++) {
        struct gpu_time integers = time_of(models[i], find_step(models[i], "4i")),
                        floats = time_of(models[i], find_step(models[i], "5a"));
        assert_int_not_equal(integers.limiter, GPU_FMA);
        assert_true(integers.time_us < 1.1 * floats.time_us && integers.time_us > 0.9 * floats.time_us);
    }
}

static void limits_are_named_as_the_profiler_does(void **state) {
    assert_int_equal(time_of("h200", find_step("h200", "0")).limiter, GPU_L1);
    assert_int_equal(time_of("h200", find_step("h200", "1a")).limiter, GPU_ISSUE);
    assert_int_equal(time_of("gtx980", find_step("gtx980", "1a")).limiter, GPU_L1); /* "texture units" */
}

static void occupancy_is_near_the_measured(void **state) {
    const struct {
        const char *name;
        double measured;
    } cases[] = {{"0", 0.895},  {"1a", 0.868}, {"40", 0.926}, {"40b", 0.921},
                 {"4i", 0.903}, {"5a", 0.906}, {"5b", 0.873}, {"5c", 0.873}};
    for (int i = 0; i < 8; i++) {
        struct gpu_time time = time_of("h200", find_step("h200", cases[i].name));
        assert_true(time.occupancy_achieved <= time.occupancy_theoretical);
        assert_true(fabs(time.occupancy_achieved - cases[i].measured) < 0.1);
    }
}

/* More of any counted work never makes a kernel faster, and the answer is the same each time. */
static void more_work_takes_longer(void **state) {
    struct gpu_model model = test_model("h200");
    for (int i = 0; i < test_step_count; i++) {
        struct gpu_launch launch = launch_of(&test_steps[i]);
        struct gpu_time before, again;
        gpu_time_model(&model, &launch, &before);
        gpu_time_model(&model, &launch, &again);
        assert_memory_equal(&before, &again, sizeof before);
        double sum = 0;
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
            sum += before.unit_us[unit];
        assert_true(before.time_us >= before.unit_us[before.limiter] && before.time_us <= sum);
        static const size_t work[] = {offsetof(struct counters, warp_instructions),
                                      offsetof(struct counters, global_load_wavefronts),
                                      offsetof(struct counters, shared_load_wavefronts),
                                      offsetof(struct counters, dram_read_bytes),
                                      offsetof(struct counters, l2_read_sectors),
                                      offsetof(struct counters, inst_fp32_fma),
                                      offsetof(struct counters, inst_special),
                                      offsetof(struct counters, inst_fp64),
                                      offsetof(struct counters, shared_atomic_wavefronts),
                                      offsetof(struct counters, constant_wavefronts),
                                      offsetof(struct counters, atomic_slice),
                                      offsetof(struct counters, atomic_queue),
                                      offsetof(struct counters, spill_loads),
                                      offsetof(struct counters, load_waits)};
        for (size_t w = 0; w < sizeof work / sizeof work[0]; w++) {
            struct counters more = test_steps[i].counters;
            uint64_t value;
            memcpy(&value, (char *)&more + work[w], sizeof value);
            value = value * 3 / 2 + 100000000;
            memcpy((char *)&more + work[w], &value, sizeof value);
            launch.counters = &more;
            struct gpu_time after;
            gpu_time_model(&model, &launch, &after);
            assert_true(after.time_us > before.time_us);
            launch.counters = &test_steps[i].counters;
        }
    }
}

/* Twice the image, twice the time, but for the launch. */
static void time_grows_with_the_grid(void **state) {
    struct gpu_model model = test_model("h200");
    struct step step = *find_step("h200", "5a");
    struct gpu_launch launch = launch_of(&step);
    struct gpu_time one, two;
    gpu_time_model(&model, &launch, &one);
    uint64_t counters[COUNTER_COUNT];
    memcpy(counters, &step.counters, sizeof counters);
    for (int i = 0; i < COUNTER_COUNT; i++)
        counters[i] *= 2;
    memcpy(&step.counters, counters, sizeof counters);
    launch.grid[1] *= 2;
    gpu_time_model(&model, &launch, &two);
    double ratio = (two.time_us - model.launch_us) / (one.time_us - model.launch_us);
    assert_true(ratio > 1.9 && ratio < 2.05);
}

/* A single block takes as long on 132 SMs as on one: the others do nothing. */
static void few_blocks_leave_sms_idle(void **state) {
    struct gpu_model model = test_model("h200"), small = test_model("h200");
    small.sm_count = 1;
    struct counters counters = {
        .warp_instructions = 1000000, .thread_instructions = 32000000, .inst_fp32_fma = 900000};
    struct gpu_launch launch = {
        .grid = {1, 1, 1}, .block = {256, 1, 1}, .registers = 32, .counters = &counters};
    struct gpu_time big_time, small_time;
    gpu_time_model(&model, &launch, &big_time);
    gpu_time_model(&small, &launch, &small_time);
    assert_float_equal(big_time.time_us, small_time.time_us, 1e-9);
    assert_true(big_time.waves < 1);
    /* 133 blocks: one SM has two, and the time is that of two */
    counters.warp_instructions *= 133, counters.inst_fp32_fma *= 133;
    launch.grid[0] = 133;
    struct gpu_time uneven;
    gpu_time_model(&model, &launch, &uneven);
    assert_true(uneven.unit_us[GPU_ISSUE] > 1.99 * big_time.unit_us[GPU_ISSUE]);
}

/* Work that one SM has alone is not divided by all of them: neither when blocks were not launched, nor when they had
 * nothing to do, nor when they were busy with something else. */
static void one_busy_sm_stands_for_all(void **state) {
    struct gpu_model model = test_model("h200");
    static struct sm_work sms[132];
    struct counters counters = {.warp_instructions = 1000000,
                                .inst_fp32_fma = 500000,
                                .inst_memory = 100000,
                                .shared_load_requests = 100000,
                                .shared_load_wavefronts = 3200000};
    struct gpu_launch launch = {
        .grid = {1, 1, 1}, .block = {1024, 1, 1}, .registers = 32, .counters = &counters};
    struct gpu_time alone, idle, even, other;
    gpu_time_model(&model, &launch, &alone);
    launch.grid[0] = 132;
    memset(sms, 0, sizeof sms);
    sms[17] = (struct sm_work){counters, 31250, 1000000};
    launch.sm_count = 132;
    launch.sms = sms;
    gpu_time_model(&model, &launch, &idle);
    assert_true(idle.unit_us[GPU_SHARED] > 0.99 * alone.unit_us[GPU_SHARED]);
    assert_true(idle.unit_us[GPU_ISSUE] > 0.99 * alone.unit_us[GPU_ISSUE]);
    assert_true(idle.time_us > 0.9 * alone.time_us);
    /* as many instructions on each SM, and on one of them all the memory */
    for (int i = 0; i < 132; i++)
        if (i != 17)
            sms[i] =
                (struct sm_work){{.warp_instructions = 1000000, .inst_fp32_fma = 500000}, 31250, 1000000};
    counters.warp_instructions *= 132;
    counters.inst_fp32_fma *= 132;
    gpu_time_model(&model, &launch, &other);
    assert_true(other.unit_us[GPU_SHARED] > 0.99 * alone.unit_us[GPU_SHARED]);
    /* alike, they are what the average says */
    for (int i = 0; i < 132; i++) {
        sms[i].counters = counters;
        uint64_t *fields = (uint64_t *)&sms[i].counters;
        for (int c = 0; c < COUNTER_COUNT; c++)
            fields[c] /= 132;
        sms[i].largest_block_instructions = sms[i].counters.warp_instructions;
    }
    gpu_time_model(&model, &launch, &even);
    launch.sm_count = 0;
    struct gpu_time average;
    gpu_time_model(&model, &launch, &average);
    assert_true(even.unit_us[GPU_SHARED] < 1.001 * average.unit_us[GPU_SHARED]);
    assert_true(alone.time_us > 8 * even.time_us);
}

/* Warps that end at once do not make the others' waiting shorter. */
static void idle_warps_hide_nothing(void **state) {
    struct gpu_model model = test_model("h200");
    struct counters counters = {
        .warp_instructions = 132 * 32000, .inst_memory = 132 * 3200, .global_load_requests = 132 * 3200};
    counters.load_waits = counters.global_load_requests;
    counters.global_load_sectors = 4 * counters.global_load_requests;
    struct gpu_launch launch = {.grid = {132, 1, 1},
                                .block = {32, 1, 1},
                                .registers = 32,
                                .counters = &counters,
                                .longest_warp_instructions = 32000,
                                .longest_warps_of_all_blocks = 132 * 32000};
    struct gpu_time few, many;
    gpu_time_model(&model, &launch, &few);
    assert_int_equal(few.limiter, GPU_LATENCY);
    launch.block[0] = 1024; /* 31 of 32 are idle */
    gpu_time_model(&model, &launch, &many);
    assert_true(many.time_us > 0.95 * few.time_us);
    /* loads that need not wait for each other take a fraction of the time */
    counters.load_waits = 0;
    struct gpu_time together;
    gpu_time_model(&model, &launch, &together);
    assert_true(together.time_us < 0.4 * many.time_us);
}

/* queues_h200.csv: `wavefronts` are an SM's, those of the busiest slice and the queue the chip's, for each request
 * of a warp. */
static void queues_take_what_was_measured(void **state) {
    static const struct {
        const char *what;
        double requests, wavefronts, constants, slice, queue, us;
    } rows[] = {
        {"red_u32: one word", 16896, 0, 0, 32, 32, 404.29 - 6.30},
        {"red_u32: one line", 16896, 0, 0, 4, 4, 47.46 - 6.27},
        {"red_u32: a word a warp", 67584, 0, 0, 32 * 6 / 264., 32 / 1056., 41.15 - 6.14},
        {"red_u32: 32 lines a warp", 16896, 0, 0, 32 * 1.25 / 96, 1 / 1056., 11.74 - 6.46},
        {"red_u32: one sector", 16896, 0, 0, 4, 4, 45.57 - 5.95},
        {"red_f32: one word", 16896, 0, 0, 32, 80, 960.26 - 6.08},
        {"red_f32: one line", 16896, 0, 0, 4, 4, 46.40 - 5.82},
        {"red_f32: one sector", 16896, 0, 0, 4, 10, 124.86 - 8.22},
        {"red_max_uniform", 67584, 0, 0, 1, 1, 55.39 - 6.05},
        {"shared_u32: one word", 1081344, 32, 0, 0, 0, 140.90 - 8.22},
        {"shared_u32: eight banks apart", 1081344, 8, 0, 0, 0, 40.96 - 8.54},
        {"shared_f32: own words", 1081344, 3, 0, 0, 0, 22.59 - 8.74},
        {"shared_f32: one word", 1081344, 96, 0, 0, 0, 461.38 - 7.90},
        {"constant: one word", 4325376, 0, 1, 0, 0, 40.58 - 6.59},
        {"constant: 32 words", 4325376, 0, 32, 0, 0, 1074.82 - 6.46},
        {"constant: 8 words", 4325376, 0, 8, 0, 0, 273.50 - 6.91},
    };
    struct gpu_model model = test_model("h200");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double n = rows[i].requests;
        struct counters counters = {.warp_instructions = (uint64_t)(4 * n),
                                    .inst_memory = (uint64_t)n,
                                    .shared_atomic_wavefronts = (uint64_t)(n * rows[i].wavefronts),
                                    .constant_wavefronts = (uint64_t)(n * rows[i].constants),
                                    .atomic_slice = (uint64_t)(n * rows[i].slice),
                                    .atomic_queue = (uint64_t)(n * rows[i].queue)};
        struct gpu_launch launch = {
            .grid = {132, 1, 1}, .block = {1024, 1, 1}, .registers = 32, .counters = &counters};
        struct gpu_time time;
        gpu_time_model(&model, &launch, &time);
        double ratio = (time.time_us - model.launch_us) / rows[i].us;
        if (!(ratio > 0.65 && ratio < 1.6))
            fail_msg("%s: %.2f us measured, modelled %.2f times that", rows[i].what, rows[i].us, ratio);
    }
}

/* What the machine code keeps in local memory for want of registers is paid for. */
static void spills_cost_time(void **state) {
    struct gpu_model model = test_model("h200");
    struct step step = *find_step("h200", "5d");
    struct gpu_launch launch = launch_of(&step);
    struct gpu_time without, with;
    gpu_time_model(&model, &launch, &without);
    step.counters.spill_loads = step.counters.spill_stores = step.counters.warp_instructions / 8;
    gpu_time_model(&model, &launch, &with);
    assert_true(with.time_us > 2 * without.time_us);
}

/* Stores to one line that follow each other leave an SM together; between loads each goes alone. */
static void stores_to_a_flag(void **state) {
    const struct gpu_model model = test_model("h200");
    struct counters counters = {.store_queue = 1000, .global_store_requests = 1000};
    assert_float_equal(gpu_contention_cycles(&model, &counters), 1000 * model.store_queue_cycles, 1e-6);
    counters.global_load_requests = 1000;
    assert_float_equal(gpu_contention_cycles(&model, &counters), 1000 * model.store_apart_cycles, 1e-6);
    assert_true(model.store_apart_cycles > 2 * model.store_queue_cycles);
    /* of many lines in turn each store goes alone, and whole sectors pass one by one */
    counters.global_load_requests = counters.global_store_requests = 17000;
    counters.global_store_sectors = 4 * 17000;
    counters.global_store_bytes = 32 * counters.global_store_sectors;
    assert_float_equal(gpu_contention_cycles(&model, &counters), 4000 * model.store_whole_cycles, 1e-6);
    counters.global_store_requests /= 4; /* of four lines each */
    assert_float_equal(gpu_contention_cycles(&model, &counters), 4000 * model.store_whole_cycles, 1e-6);
    counters.global_store_bytes /= 2;
    assert_float_equal(gpu_contention_cycles(&model, &counters), 1000 * model.store_apart_cycles, 1e-6);
    counters.global_store_bytes *= 2;
    counters.store_queue = 1100; /* few lines */
    assert_float_equal(gpu_contention_cycles(&model, &counters), 1100 * model.store_apart_cycles, 1e-6);
}

/* Compare-and-swaps that change one word take turns, each as long as an answer of L2. */
static void swaps_at_a_word(void **state) {
    const struct gpu_model model = test_model("h200");
    const struct counters counters = {.atomics = 1000, .atomic_queue = 1000, .swap_queue = 1000};
    assert_float_equal(gpu_contention_cycles(&model, &counters), 1000 * model.swap_turn_cycles, 1e-6);
    assert_true(model.swap_turn_cycles > model.latency_l2);
}

/* A division is many machine instructions, as many as that many of other arithmetic. */
static void divisions_cost_time(void **state) {
    struct gpu_model model = test_model("h200");
    struct counters counters = {.warp_instructions = 132 * 1000000, .inst_int = 132 * 1000000};
    struct gpu_launch launch = {
        .grid = {132, 1, 1}, .block = {1024, 1, 1}, .registers = 32, .counters = &counters};
    struct gpu_time plain, small, large, doubles;
    gpu_time_model(&model, &launch, &plain);
    counters.inst_division = counters.inst_int;
    gpu_time_model(&model, &launch, &small);
    counters.inst_division = 0;
    counters.inst_division_64 = counters.inst_int;
    gpu_time_model(&model, &launch, &large);
    assert_in_range(small.machine_instructions / (double)counters.inst_int, 17, 25);
    assert_in_range(large.machine_instructions / (double)counters.inst_int, 68, 88);
    assert_true(small.time_us > 15 * plain.time_us);
    assert_true(large.time_us > 3 * small.time_us);
    counters = (struct counters){.warp_instructions = 132 * 1000000, .inst_fp64 = 132 * 1000000};
    gpu_time_model(&model, &launch, &plain);
    counters.inst_division_fp64 = counters.inst_fp64;
    gpu_time_model(&model, &launch, &doubles);
    assert_in_range(doubles.machine_instructions / (double)counters.inst_fp64, 9, 16);
    assert_true(doubles.time_us > 5 * plain.time_us);
}

/* What a warp sleeps comes on top of what it waits: in every round of blocks, or once where one warp does. */
static void sleep_takes_time(void **state) {
    struct gpu_model model = test_model("h200");
    struct step step = *find_step("h200", "5d");
    struct gpu_launch launch = launch_of(&step);
    struct gpu_time awake, once, always;
    gpu_time_model(&model, &launch, &awake);
    launch.longest_sleep_ns = launch.longest_sleeps_of_all_blocks_ns = 1000000;
    gpu_time_model(&model, &launch, &once);
    assert_in_range(once.time_us, 1000, 1000 + 2 * awake.time_us);
    double blocks = (double)launch.grid[0] * launch.grid[1] * launch.grid[2];
    launch.longest_sleeps_of_all_blocks_ns = (uint64_t)(1000000 * blocks);
    gpu_time_model(&model, &launch, &always);
    assert_true(always.time_us > 1000 * awake.waves);
}

/* Whatever is launched and counted, the answer is a finite time of at least the launch. */
static void any_launch_has_a_time(void **state) {
    const char *ids[] = {"h200", "gtx980", "t4"};
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        struct gpu_model model = test_model(ids[round % 3]);
        uint64_t counters[COUNTER_COUNT];
        struct counters counted;
        for (int i = 0; i < COUNTER_COUNT; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            counters[i] = random % 3 == 0 ? 0 : random >> (20 + random % 44);
        }
        memcpy(&counted, counters, sizeof counted);
        struct sm_work sms[2] = {{counted, random >> 25, random >> 20}, {{0}, 0, 0}};
        struct gpu_launch launch = {.registers = (uint32_t)(random >> 40) % 300,
                                    .shared_bytes = (uint32_t)(random >> 30) % 300000,
                                    .counters = &counted,
                                    .longest_warps_of_all_blocks = round % 5 ? random >> 28 : 0,
                                    .sm_count = round % 7 ? 2 : 0,
                                    .sms = sms,
                                    .longest_warp_instructions = round % 2 ? random >> 30 : 0};
        for (int i = 0; i < 3; i++) {
            launch.grid[i] = (uint32_t)(random >> (20 + 5 * i)) % 70000;
            launch.block[i] = (uint32_t)(random >> (13 + 7 * i)) % 40;
        }
        struct gpu_time time;
        gpu_time_model(&model, &launch, &time);
        assert_true(isfinite(time.time_us) && time.time_us >= model.launch_us);
        assert_true(isfinite(time.waves) && time.tail >= 0 && time.tail <= 1);
        assert_true(time.occupancy_achieved >= 0 && time.occupancy_achieved <= time.occupancy_theoretical);
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
            assert_true(isfinite(time.unit_us[unit]) && time.unit_us[unit] >= 0);
    }
}

/* 128 MiB at 4 TB/s: read and written, or written. */
static void copies_and_fills_are_what_dram_moves(void **state) {
    struct gpu_model model = {.dram_gbs = 4000, .launch_us = 2};
    assert_float_equal(gpu_copy_us(&model, 134217728), 2 + 67.108864, 1e-9);
    assert_float_equal(gpu_fill_us(&model, 134217728), 2 + 33.554432, 1e-9);
    assert_float_equal(gpu_copy_us(&model, 0), 2, 0);
}

TESTS_BETWEEN(test_steps_load, NULL, UNIT(near_the_measured_times), UNIT(steps_come_in_order),
              UNIT(integer_multiply_limits_neither), UNIT(limits_are_named_as_the_profiler_does),
              UNIT(occupancy_is_near_the_measured), UNIT(more_work_takes_longer),
              UNIT(time_grows_with_the_grid), UNIT(few_blocks_leave_sms_idle),
              UNIT(one_busy_sm_stands_for_all), UNIT(idle_warps_hide_nothing),
              UNIT(queues_take_what_was_measured), UNIT(stores_to_a_flag), UNIT(divisions_cost_time),
              UNIT(sleep_takes_time), UNIT(spills_cost_time), UNIT(any_launch_has_a_time),
              UNIT(copies_and_fills_are_what_dram_moves), UNIT(swaps_at_a_word))

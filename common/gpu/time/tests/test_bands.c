/* test_bands.c: which kind a kernel is of, and the width of its band. */
#include "gpu/time/tests/support_gpus.h"

#include <math.h>

static void kinds_follow_from_counters(void **state) {
    static const struct {
        enum gpu_kind kind;
        uint32_t blocks;
        bool local;
        struct counters counters;
    } table[] = {
        {GPU_KIND_FULL_GRID, 132, false, {.global_load_requests = 10, .global_load_sectors = 160}},
        {GPU_KIND_PART_GRID, 131, false, {0}},
        {GPU_KIND_PART_GRID, 5, false, {0}},
        {GPU_KIND_FEW_BLOCKS, 4, false, {0}},
        {GPU_KIND_LOADS, 132, false, {.global_load_requests = 10, .global_load_sectors = 161}},
        {GPU_KIND_STORES, 132, false, {.global_store_requests = 10, .global_store_sectors = 161}},
        {GPU_KIND_ATOMICS, 132, false, {.atomics = 1}},
        {GPU_KIND_SHARED_ATOMICS, 132, false, {.atomics = 1, .shared_atomics = 1}}, /* the wider of both */
        {GPU_KIND_LOCAL, 132, false, {.atomics = 1, .local_load_requests = 1}},
        {GPU_KIND_LOCAL, 132, true, {0}},
    };
    struct gpu_model model = test_model("h200");
    model.band_atomics = 0.5; /* the others are narrower */
    model.band_shared_atomics = 0.6;
    model.band_local = 0.7;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(gpu_kind_of(&model, &table[i].counters, (const uint32_t[3]){table[i].blocks, 1, 1},
                                     table[i].local),
                         table[i].kind);
}

/* A kernel of two kinds has the band of the one that is off more. */
static void the_widest_band_counts(void **state) {
    struct gpu_model model = test_model("h200");
    const struct counters counters = {.atomics = 1, .global_store_requests = 1, .global_store_sectors = 32};
    model.band_atomics = 0.2;
    model.band_full_grid = 0.1;
    model.band_scattered_stores = 0.3;
    assert_int_equal(gpu_kind_of(&model, &counters, (const uint32_t[3]){64, 64, 1}, false), GPU_KIND_STORES);
    assert_true(gpu_kind_band(&model, GPU_KIND_STORES) == 0.3);
    model.band_full_grid = 0.4;
    assert_int_equal(gpu_kind_of(&model, &counters, (const uint32_t[3]){64, 64, 1}, false),
                     GPU_KIND_FULL_GRID);
}

static void every_kind_has_words_and_a_band(void **state) {
    const struct gpu_model model = test_model("h100");
    for (int kind = GPU_KIND_UNKNOWN + 1; kind < GPU_KIND_COUNT; kind++) {
        assert_true(gpu_kind_band(&model, (enum gpu_kind)kind) > 0);
        assert_true(gpu_kind_name((enum gpu_kind)kind)[0] != '\0');
        assert_true(gpu_kind_meaning((enum gpu_kind)kind)[0] != '\0');
    }
    assert_true(isnan(gpu_kind_band(&model, GPU_KIND_UNKNOWN)));
    assert_string_equal(gpu_kind_name(GPU_KIND_UNKNOWN), "");
}

TESTS(UNIT(kinds_follow_from_counters), UNIT(the_widest_band_counts), UNIT(every_kind_has_words_and_a_band))

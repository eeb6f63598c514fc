/*
 * model.c: reads a GPU's data file: `key = value  # source`, every key once, in its section. A
 * section that begins with `inherit = MODEL` takes the keys that it does not give from that model's
 * file.
 */
#include "gpu/time/gpus.h"

#include "base/file.h"
#include "base/ini.h"

#include <stdlib.h>
#include <string.h>

enum value_type { TEXT, COUNT32, COUNT64, REAL, SWITCH, CURVE };

enum section { HEAD, WALK, COUNTERS, HOST, BANDS, SECTION_COUNT };
static const char *const section_names[SECTION_COUNT] = {"", "walk", "counters", "host", "bands"};

struct key {
    const char *name;
    enum section section;
    enum value_type type;
    size_t offset, bytes;
    double minimum, maximum;
};

#define FIELD_BYTES(name) sizeof(((struct gpu_model *)NULL)->name)
#define KEY(section, name, type, minimum, maximum)                                                           \
    { #name, section, type, offsetof(struct gpu_model, name), FIELD_BYTES(name), minimum, maximum }

/* Bounds keep the model's arithmetic away from zero divisors and overflow; they say nothing of
 * what is sensible. */
static const struct key keys[] = {
    KEY(HEAD, name, TEXT, 0, 0),
    KEY(HEAD, compute_major, COUNT32, 1, 99),
    KEY(HEAD, compute_minor, COUNT32, 0, 9),
    KEY(HEAD, sm_count, COUNT32, 1, 4096),
    KEY(HEAD, max_warps_per_sm, COUNT32, 1, 1024),
    KEY(HEAD, max_blocks_per_sm, COUNT32, 1, 1024),
    KEY(HEAD, max_threads_per_sm, COUNT32, 32, 32768),
    KEY(HEAD, max_threads_per_block, COUNT32, 32, 1024),
    KEY(HEAD, registers_per_sm, COUNT32, 1024, 16777216),
    KEY(HEAD, registers_per_block, COUNT32, 1024, 16777216),
    KEY(HEAD, max_registers_per_thread, COUNT32, 16, 1024),
    KEY(HEAD, register_granularity, COUNT32, 1, 65536),
    KEY(HEAD, warp_granularity, COUNT32, 1, 64),
    KEY(HEAD, shared_per_sm, COUNT32, 1024, 1 << 30),
    KEY(HEAD, shared_per_block, COUNT32, 1024, 1 << 30),
    KEY(HEAD, shared_per_block_optin, COUNT32, 1024, 1 << 30),
    KEY(HEAD, shared_reserved, COUNT32, 0, 65536),
    KEY(HEAD, shared_granularity, COUNT32, 1, 65536),
    KEY(HEAD, l1_bytes, COUNT32, 1024, 1 << 30),
    KEY(HEAD, l1_unified, SWITCH, 0, 1),
    KEY(HEAD, l2_bytes, COUNT64, 1024, 1e12),
    KEY(HEAD, l2_different, REAL, 0.1, 1),
    KEY(HEAD, l2_slices, COUNT32, 1, 256),
    KEY(HEAD, l2_persisting_bytes, COUNT32, 0, 1 << 30),
    KEY(HEAD, l2_window_bytes, COUNT32, 0, 1 << 30),
    KEY(HEAD, memory_bytes, COUNT64, 1 << 20, 1e15),
    KEY(HEAD, clock_mhz, REAL, 100, 1e5),
    KEY(HEAD, memory_clock_mhz, REAL, 1, 1e5),
    KEY(HEAD, memory_bus_bits, COUNT32, 1, 65536),
    KEY(HEAD, dram_gbs, REAL, 0.1, 1e6),
    KEY(HEAD, issue_rate, REAL, 0.01, 64),
    KEY(HEAD, fma_rate, REAL, 0.01, 64),
    KEY(HEAD, fp32_rate, REAL, 0.01, 64),
    KEY(HEAD, int_rate, REAL, 0.01, 64),
    KEY(HEAD, imad_rate, REAL, 0.01, 64),
    KEY(HEAD, fp64_rate, REAL, 0.001, 64),
    KEY(HEAD, fp16_rate, REAL, 0.001, 64),
    KEY(HEAD, special_rate, REAL, 0.001, 64),
    KEY(HEAD, conversion_rate, REAL, 0.001, 64),
    KEY(HEAD, shuffle_rate, REAL, 0.001, 64),
    KEY(HEAD, int_shares_fma, SWITCH, 0, 1),
    KEY(HEAD, lsu_rate, REAL, 0.01, 64),
    KEY(HEAD, l1_wavefront_rate, REAL, 0.01, 64),
    KEY(HEAD, l1_sectors_per_cycle, REAL, 0.01, 64),
    KEY(HEAD, shared_wavefront_rate, REAL, 0.01, 64),
    KEY(HEAD, l2_sectors_per_cycle, REAL, 0.1, 1e5),
    KEY(HEAD, l2_write_sectors_per_cycle, REAL, 0.1, 1e5),
    KEY(HEAD, l2_requests_per_cycle, REAL, 0.1, 1e5),
    KEY(HEAD, latency_alu, REAL, 1, 1e4),
    KEY(HEAD, latency_shared, REAL, 1, 1e4),
    KEY(HEAD, latency_l1, REAL, 1, 1e4),
    KEY(HEAD, latency_l2, REAL, 1, 1e5),
    KEY(HEAD, latency_dram, REAL, 1, 1e5),
    KEY(WALK, pipe_efficiency, REAL, 0.01, 1),
    KEY(WALK, uniform_rate, REAL, 0.01, 64),
    KEY(WALK, tensor_rate, REAL, 0.01, 64),
    KEY(WALK, tensor_double_rate, REAL, 0.01, 64),
    KEY(WALK, latency_tensor_double, REAL, 1, 1e4),
    KEY(WALK, taken_branch_cycles, REAL, 0, 1e4),
    KEY(WALK, block_start_cycles, REAL, 0, 1e5),
    KEY(WALK, barrier_cycles, REAL, 0, 1e4),
    KEY(WALK, barrier_warp_cycles, REAL, 0, 1e4),
    KEY(WALK, latency_constant, REAL, 2, 1e4),
    KEY(WALK, latency_special, REAL, 1, 1e4),
    KEY(WALK, latency_other, REAL, 1, 1e4),
    KEY(WALK, source_read_cycles, REAL, 0, 1e4),
    KEY(WALK, operand_read_cycles, REAL, 0, 1e3),
    KEY(WALK, operand_backlog_cycles, REAL, 0, 1e3),
    KEY(WALK, queue_entries, COUNT32, 1, GPU_QUEUE_MOST),
    KEY(WALK, queue_global_entries, COUNT32, 1, GPU_QUEUE_MOST),
    KEY(WALK, queue_special_entries, COUNT32, 1, GPU_QUEUE_MOST),
    KEY(WALK, store_entries, COUNT32, 1, GPU_STORE_MOST),
    KEY(WALK, store_entry_sectors, COUNT32, 1, 1024),
    KEY(WALK, sm_l2_sectors_per_cycle, REAL, 0.01, 64),
    KEY(WALK, store_sector_cycles, REAL, 0.01, 100),
    KEY(WALK, store_part_cycles, REAL, 0, 100),
    KEY(WALK, store_join_cycles, REAL, 0, 1e4),
    KEY(WALK, l1_lines_per_cycle, REAL, 0.01, 64),
    KEY(WALK, l1_apart_factor, REAL, 0.1, 100),
    KEY(WALK, l1_fill_sectors_per_cycle, REAL, 0.01, 64),
    KEY(WALK, latency_l2_spread, REAL, 0, 1e4),
    KEY(WALK, latency_fence_system, REAL, 0, 1e5),
    KEY(WALK, latency_atomic_factor, REAL, 0, 100),
    KEY(WALK, latency_dram_cold, REAL, 1, 1e5),
    KEY(WALK, latency_dram_curve, CURVE, 0.01, 100),
    KEY(WALK, dram_neighbour_weight, REAL, 0, 1),
    KEY(WALK, dram_pending_factor, REAL, 0, 1),
    KEY(WALK, dram_load_row_factor, REAL, 0, 100),
    KEY(WALK, dram_store_row_factor, REAL, 0, 100),
    KEY(WALK, dram_atomic_row_factor, REAL, 0, 100),
    KEY(WALK, spill_miss_share, REAL, 0, 1),
    KEY(WALK, dram_local_factor, REAL, 0, 100),
    KEY(WALK, partial_near_factor, REAL, 0, 100),
    KEY(WALK, partial_apart_factor, REAL, 0, 100),
    KEY(WALK, constant_uniform_words, REAL, 0, 1e3),
    KEY(WALK, constant_cache_bytes, REAL, 1, 1e9),
    KEY(WALK, constant_miss_factor, REAL, 0, 100),
    KEY(WALK, code_lines_in_flight, REAL, 1, 100),
    KEY(WALK, constant_rate, REAL, 0.001, 64),
    KEY(WALK, atomic_queue_cycles, REAL, 0.01, 1e4),
    KEY(WALK, atomic_slice_cycles, REAL, 0.01, 1e4),
    KEY(WALK, store_queue_cycles, REAL, 0.01, 1e4),
    KEY(WALK, store_apart_cycles, REAL, 0.01, 1e4),
    KEY(WALK, store_whole_cycles, REAL, 0, 1e4),
    KEY(WALK, swap_turn_cycles, REAL, 0, 1e4),
    KEY(WALK, code_bytes, COUNT32, 1024, 1 << 24),
    KEY(WALK, code_group_bytes, COUNT32, 1024, 1 << 28),
    KEY(WALK, code_group_cycles, REAL, 0.1, 1e4),
    KEY(WALK, code_l2_cycles, REAL, 0.1, 1e4),
    KEY(WALK, block_turnover, REAL, 0, 1e5),
    KEY(WALK, bulk_copy_cycles, REAL, 0, 1e5),
    KEY(WALK, grid_sync_cycles, REAL, 0, 1e5),
    KEY(COUNTERS, instruction_cycles, REAL, 0.1, 1e3),
    KEY(COUNTERS, loads_in_flight, REAL, 1, 1e3),
    KEY(COUNTERS, overlap_power, REAL, 1, 64),
    KEY(COUNTERS, issue_efficiency, REAL, 0.1, 1),
    KEY(COUNTERS, ptx_to_machine, REAL, 0, 4),
    KEY(COUNTERS, int_to_machine, REAL, 0.1, 4),
    KEY(COUNTERS, control_to_machine, REAL, 0, 4),
    KEY(HOST, host_link_gbs, REAL, 0.1, 1e4),
    KEY(HOST, host_pageable_gbs, REAL, 0.1, 1e4),
    KEY(HOST, copy_start_us, REAL, 0, 1e4),
    KEY(HOST, pageable_copy_us, REAL, 0, 1e4),
    KEY(HOST, host_launch_us, REAL, 0, 1e4),
    KEY(HOST, host_copy_us, REAL, 0, 1e4),
    KEY(HOST, host_event_us, REAL, 0, 1e4),
    KEY(HOST, host_wait_us, REAL, 0, 1e4),
    KEY(HOST, host_allocate_us, REAL, 0, 1e4),
    KEY(HOST, graph_launch_us, REAL, 0, 1e4),
    KEY(HOST, launch_us, REAL, 0, 1e4),
    KEY(BANDS, band_full_grid, REAL, 0, 10),
    KEY(BANDS, band_part_grid, REAL, 0, 10),
    KEY(BANDS, band_few_blocks, REAL, 0, 10),
    KEY(BANDS, band_scattered_loads, REAL, 0, 10),
    KEY(BANDS, band_scattered_stores, REAL, 0, 10),
    KEY(BANDS, band_atomics, REAL, 0, 10),
    KEY(BANDS, band_shared_atomics, REAL, 0, 10),
    KEY(BANDS, band_local, REAL, 0, 10),
    KEY(BANDS, band_pair, REAL, 0, 1),
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

struct reading {
    struct gpu_model *model;
    const char *directory; /* of the models that may be inherited from; NULL: none may */
    enum section section;
    bool inherited[SECTION_COUNT];
    unsigned first_line[KEY_COUNT];
};

/* Points "share:value", shares from 0 to 1, each above the one before. */
static bool read_curve(struct ini *ini, const struct key *key, const char *value, struct gpu_curve *curve) {
    double share, before = -1;
    for (curve->count = 0; *value != '\0'; curve->count++) {
        if (curve->count == GPU_CURVE_POINTS)
            return ini_refuse(ini, "%s has more than %d points", key->name, GPU_CURVE_POINTS);
        if (!ini_number(ini, value, 0, 1, &share, &value))
            return false;
        if (*value != ':' || share <= before || (curve->count == 0 && share != 0))
            return ini_refuse(ini, "%s: points share:value, shares from 0 to 1 in rising order", key->name);
        before = curve->points[curve->count].share = share;
        if (!ini_number(ini, value + 1, key->minimum, key->maximum, &curve->points[curve->count].value,
                        &value))
            return false;
    }
    if (curve->count < 2 || before != 1)
        return ini_refuse(ini, "%s: points share:value, the last at share 1", key->name);
    return true;
}

static bool store(struct ini *ini, const struct key *key, const char *value, char *field) {
    double real = 0;
    uint64_t count = 0;
    switch (key->type) {
    case TEXT:
        if (*value == '\0' || strlen(value) >= sizeof((struct gpu_model){0}).name)
            return ini_refuse(ini, "%s must be 1 to %zu characters", key->name,
                              sizeof((struct gpu_model){0}).name - 1);
        for (const char *c = value; *c != '\0'; c++)
            if (*c < ' ' || *c > '~')
                return ini_refuse(ini, "%s has unprintable characters", key->name);
        memcpy(field, value, strlen(value) + 1);
        return true;
    case REAL:
        if (!ini_number(ini, value, key->minimum, key->maximum, &real, NULL))
            return false;
        memcpy(field, &real, sizeof real);
        return true;
    case CURVE: return read_curve(ini, key, value, (struct gpu_curve *)field);
    default:
        if (!ini_count(ini, value, (uint64_t)key->minimum, (uint64_t)key->maximum, &count))
            return false;
        if (key->type == COUNT32)
            memcpy(field, &(uint32_t){(uint32_t)count}, sizeof(uint32_t));
        else if (key->type == COUNT64)
            memcpy(field, &count, sizeof count);
        else
            memcpy(field, &(bool){count != 0}, sizeof(bool));
        return true;
    }
}

static bool read_section(struct ini *ini, const char *name) {
    struct reading *reading = ini->context;
    for (int i = WALK; i < SECTION_COUNT; i++)
        if (strcmp(section_names[i], name) == 0) {
            reading->section = (enum section)i;
            return true;
        }
    return ini_refuse(ini, "unknown section [%.60s]", name);
}

/* The keys of this section that the file does not give are those of the model `id`, which
 * inherits nothing itself. */
static bool inherit(struct ini *ini, const char *id) {
    struct reading *reading = ini->context;
    char path[PATH_SIZE], why[256] = "";
    struct gpu_model other;
    size_t length;
    if (reading->section == HEAD || reading->inherited[reading->section])
        return ini_refuse(ini, "inherit stands once in a section, [walk], [counters], [host] or [bands]");
    if (reading->directory == NULL)
        return ini_refuse(ini, "a model that others inherit from inherits nothing itself");
    if (!gpu_model_is_id(id) || !path_print(path, "%s/%s.ini", reading->directory, id))
        return ini_refuse(ini, "inherit: '%.60s' is no model's name", id);
    char *text = file_read(path, GPU_MODEL_BYTES, &length, why, sizeof why);
    bool right = text != NULL && gpu_model_parse(text, length, path, NULL, &other, why, sizeof why);
    free(text);
    if (!right)
        return ini_refuse(ini, "inherit: %s", why);
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].section == reading->section && reading->first_line[i] == 0)
            memcpy((char *)reading->model + keys[i].offset, (const char *)&other + keys[i].offset,
                   keys[i].bytes);
    reading->inherited[reading->section] = true;
    return true;
}

static bool read_key(struct ini *ini, const char *name, const char *value) {
    struct reading *reading = ini->context;
    size_t i = 0;
    if (strcmp(name, "inherit") == 0)
        return inherit(ini, value);
    while (i < KEY_COUNT && strcmp(keys[i].name, name) != 0)
        i++;
    if (i == KEY_COUNT)
        return ini_refuse(ini, "unknown key '%.60s'", name);
    if (reading->first_line[i] != 0)
        return ini_refuse(ini, "%s is given twice, first on line %u", name, reading->first_line[i]);
    if (keys[i].section != reading->section)
        return keys[i].section == HEAD
                   ? ini_refuse(ini, "%s stands before all sections", name)
                   : ini_refuse(ini, "%s stands in [%s]", name, section_names[keys[i].section]);
    reading->first_line[i] = ini->line;
    return store(ini, &keys[i], value, (char *)reading->model + keys[i].offset);
}

/* Relations between keys that the bounds of single keys cannot say. */
static bool check_whole(struct ini *ini, const struct gpu_model *model) {
    if (model->shared_per_block > model->shared_per_block_optin ||
        model->shared_per_block_optin > model->shared_per_sm)
        return ini_refuse(
            ini, "shared_per_block <= shared_per_block_optin <= shared_per_sm does not hold (%u, %u, %u)",
            model->shared_per_block, model->shared_per_block_optin, model->shared_per_sm);
    if (model->max_threads_per_sm != model->max_warps_per_sm * 32)
        return ini_refuse(ini, "max_threads_per_sm (%u) is not 32 * max_warps_per_sm (%u)",
                          model->max_threads_per_sm, model->max_warps_per_sm);
    if (model->registers_per_block > model->registers_per_sm)
        return ini_refuse(ini, "registers_per_block (%u) is more than registers_per_sm (%u)",
                          model->registers_per_block, model->registers_per_sm);
    return true;
}

bool gpu_model_parse(const char *text, size_t length, const char *file, const char *directory,
                     struct gpu_model *model, char *error, size_t size) {
    struct reading reading = {.model = model, .directory = directory};
    struct ini ini = {.file = file,
                      .error = error,
                      .error_size = size,
                      .context = &reading,
                      .section = read_section,
                      .key = read_key};
    *model = (struct gpu_model){0};
    if (!ini_read(&ini, text, length))
        return false;
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (reading.first_line[i] == 0 && !reading.inherited[keys[i].section])
            return ini_refuse(&ini, "the key %s is missing", keys[i].name);
    return check_whole(&ini, model);
}

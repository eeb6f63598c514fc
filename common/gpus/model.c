/* model.c: reads a GPU's data file: `key = value  # source`, every key exactly once, no sections. */
#include "gpus/gpus.h"

#include "base/ini.h"

#include <string.h>

enum value_type { TEXT, COUNT32, COUNT64, REAL, SWITCH };

struct key {
    const char *name;
    enum value_type type;
    size_t offset;
    double minimum, maximum;
};

#define KEY(name, type, minimum, maximum)                                                                    \
    { #name, type, offsetof(struct gpu_model, name), minimum, maximum }

/* Bounds keep the model's arithmetic away from zero divisors and overflow; they say nothing of what is
 * sensible. */
static const struct key keys[] = {
    KEY(name, TEXT, 0, 0),
    KEY(compute_major, COUNT32, 1, 99),
    KEY(compute_minor, COUNT32, 0, 99),
    KEY(sm_count, COUNT32, 1, 4096),
    KEY(max_warps_per_sm, COUNT32, 1, 1024),
    KEY(max_blocks_per_sm, COUNT32, 1, 1024),
    KEY(max_threads_per_sm, COUNT32, 32, 32768),
    KEY(max_threads_per_block, COUNT32, 32, 1024),
    KEY(registers_per_sm, COUNT32, 1024, 16777216),
    KEY(registers_per_block, COUNT32, 1024, 16777216),
    KEY(max_registers_per_thread, COUNT32, 16, 1024),
    KEY(register_granularity, COUNT32, 1, 65536),
    KEY(warp_granularity, COUNT32, 1, 64),
    KEY(shared_per_sm, COUNT32, 1024, 1 << 30),
    KEY(shared_per_block, COUNT32, 1024, 1 << 30),
    KEY(shared_per_block_optin, COUNT32, 1024, 1 << 30),
    KEY(shared_reserved, COUNT32, 0, 65536),
    KEY(shared_granularity, COUNT32, 1, 65536),
    KEY(l1_bytes, COUNT32, 1024, 1 << 30),
    KEY(l1_unified, SWITCH, 0, 1),
    KEY(l2_bytes, COUNT64, 1024, 1e12),
    KEY(l2_different, REAL, 0.1, 1),
    KEY(l2_slices, COUNT32, 1, 256),
    KEY(l2_persisting_bytes, COUNT32, 0, 1 << 30),
    KEY(l2_window_bytes, COUNT32, 0, 1 << 30),
    KEY(memory_bytes, COUNT64, 1 << 20, 1e15),
    KEY(clock_mhz, REAL, 1, 1e5),
    KEY(memory_clock_mhz, REAL, 1, 1e5),
    KEY(memory_bus_bits, COUNT32, 1, 65536),
    KEY(dram_gbs, REAL, 0.1, 1e6),
    KEY(issue_rate, REAL, 0.01, 64),
    KEY(fma_rate, REAL, 0.01, 64),
    KEY(fp32_rate, REAL, 0.01, 64),
    KEY(int_rate, REAL, 0.01, 64),
    KEY(imad_rate, REAL, 0.01, 64),
    KEY(fp64_rate, REAL, 0.001, 64),
    KEY(fp16_rate, REAL, 0.001, 64),
    KEY(special_rate, REAL, 0.001, 64),
    KEY(conversion_rate, REAL, 0.001, 64),
    KEY(shuffle_rate, REAL, 0.001, 64),
    KEY(int_shares_fma, SWITCH, 0, 1),
    KEY(lsu_rate, REAL, 0.01, 64),
    KEY(l1_wavefront_rate, REAL, 0.01, 64),
    KEY(l1_sectors_per_cycle, REAL, 0.01, 64),
    KEY(shared_wavefront_rate, REAL, 0.01, 64),
    KEY(l2_sectors_per_cycle, REAL, 0.1, 1e5),
    KEY(l2_write_sectors_per_cycle, REAL, 0.1, 1e5),
    KEY(l2_requests_per_cycle, REAL, 0.1, 1e5),
    KEY(store_queue_cycles, REAL, 0.01, 1e4),
    KEY(constant_rate, REAL, 0.001, 64),
    KEY(atomic_queue_cycles, REAL, 0.01, 1e4),
    KEY(atomic_slice_cycles, REAL, 0.01, 1e4),
    KEY(latency_alu, REAL, 1, 1e4),
    KEY(latency_shared, REAL, 1, 1e4),
    KEY(latency_l1, REAL, 1, 1e4),
    KEY(latency_l2, REAL, 1, 1e5),
    KEY(latency_dram, REAL, 1, 1e5),
    KEY(latency_dram_cold, REAL, 1, 1e5),
    KEY(code_bytes, COUNT32, 1024, 1 << 24),
    KEY(code_group_bytes, COUNT32, 1024, 1 << 28),
    KEY(code_group_cycles, REAL, 0.1, 1e4),
    KEY(code_l2_cycles, REAL, 0.1, 1e4),
    KEY(instruction_cycles, REAL, 0.1, 1e3),
    KEY(loads_in_flight, REAL, 1, 1e3),
    KEY(block_turnover, REAL, 0, 1e5),
    KEY(overlap_power, REAL, 1, 64),
    KEY(issue_efficiency, REAL, 0.1, 1),
    KEY(host_link_gbs, REAL, 0.1, 1e4),
    KEY(host_pageable_gbs, REAL, 0.1, 1e4),
    KEY(copy_start_us, REAL, 0, 1e4),
    KEY(pageable_copy_us, REAL, 0, 1e4),
    KEY(host_launch_us, REAL, 0, 1e4),
    KEY(host_copy_us, REAL, 0, 1e4),
    KEY(host_event_us, REAL, 0, 1e4),
    KEY(host_wait_us, REAL, 0, 1e4),
    KEY(graph_launch_us, REAL, 0, 1e4),
    KEY(launch_us, REAL, 0, 1e4),
    KEY(ptx_to_machine, REAL, 0, 4),
    KEY(int_to_machine, REAL, 0.1, 4),
    KEY(control_to_machine, REAL, 0, 4),
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

struct reading {
    struct gpu_model *model;
    unsigned first_line[KEY_COUNT];
};

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

static bool read_key(struct ini *ini, const char *name, const char *value) {
    struct reading *reading = ini->context;
    size_t i = 0;
    while (i < KEY_COUNT && strcmp(keys[i].name, name) != 0)
        i++;
    if (i == KEY_COUNT)
        return ini_refuse(ini, "unknown key '%.60s'", name);
    if (reading->first_line[i] != 0)
        return ini_refuse(ini, "%s is given twice, first on line %u", name, reading->first_line[i]);
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

bool gpu_model_parse(const char *text, size_t length, const char *file, struct gpu_model *model, char *error,
                     size_t size) {
    struct reading reading = {.model = model};
    struct ini ini = {.file = file, .error = error, .error_size = size, .context = &reading, .key = read_key};
    *model = (struct gpu_model){0};
    if (!ini_read(&ini, text, length))
        return false;
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (reading.first_line[i] == 0)
            return ini_refuse(&ini, "the key %s is missing", keys[i].name);
    return check_whole(&ini, model);
}

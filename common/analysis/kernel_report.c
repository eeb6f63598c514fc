#include "analysis/kernel_report.h"

#include "analysis/json_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    size_t offset;
} counter_table[SIMT_COUNTER_COUNT] = {
#define COUNTER_ROW(name, what) {#name, what, offsetof(struct simt_counters, name)},
    SIMT_COUNTERS(COUNTER_ROW)
#undef COUNTER_ROW
};

static const char *const line_kinds[] = {
    [SIMT_LINE_GLOBAL_LOAD] = "global_load", [SIMT_LINE_GLOBAL_STORE] = "global_store",
    [SIMT_LINE_SHARED_LOAD] = "shared_load", [SIMT_LINE_SHARED_STORE] = "shared_store",
    [SIMT_LINE_LOCAL_LOAD] = "local_load",   [SIMT_LINE_LOCAL_STORE] = "local_store",
    [SIMT_LINE_ATOMIC] = "atomic",           [SIMT_LINE_BRANCH] = "branch",
};
enum { LINE_KIND_COUNT = sizeof line_kinds / sizeof line_kinds[0] };

static bool valid(enum simt_counter_index counter) {
    return (unsigned)counter < SIMT_COUNTER_COUNT;
}

const char *kernel_counter_name(enum simt_counter_index counter) {
    return valid(counter) ? counter_table[counter].name : NULL;
}

const char *kernel_counter_meaning(enum simt_counter_index counter) {
    return valid(counter) ? counter_table[counter].meaning : NULL;
}

uint64_t kernel_counter(const struct simt_counters *counters, enum simt_counter_index counter) {
    uint64_t value = 0;
    if (valid(counter))
        memcpy(&value, (const char *)counters + counter_table[counter].offset, sizeof value);
    return value;
}

void kernel_counter_set(struct simt_counters *counters, enum simt_counter_index counter, uint64_t value) {
    if (valid(counter))
        memcpy((char *)counters + counter_table[counter].offset, &value, sizeof value);
}

const char *kernel_line_kind_name(enum simt_line_kind kind) {
    return (unsigned)kind < LINE_KIND_COUNT ? line_kinds[kind] : NULL;
}

int kernel_line_kind(const char *name) {
    for (int i = 0; i < LINE_KIND_COUNT; i++)
        if (strcmp(line_kinds[i], name) == 0)
            return i;
    return -1;
}

void kernel_report_free(struct kernel_report *report) {
    free(report->name);
    for (uint32_t i = 0; i < report->line_count && report->lines != NULL; i++)
        free(report->lines[i].file);
    free(report->lines);
    *report = (struct kernel_report){0};
}

bool kernel_report_from_simulation(struct kernel_report *report, const char *name,
                                   const struct simt_launch *launch, const struct simt_result *result,
                                   const struct gpu_time *time) {
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
    }
    report->shared_bytes += launch->dynamic_shared;
    strcpy(report->time_source, "model");
    snprintf(report->limiter, sizeof report->limiter, "%s", gpu_unit_name(time->limiter));
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        report->unit_share[unit] = time->time_us > 0 ? time->unit_us[unit] / time->time_us : NAN;
    for (int i = 0; i < SIMT_COUNTER_COUNT; i++)
        report->known[i] = true;

    report->name = strdup(name);
    report->lines = calloc(result->line_count > 0 ? result->line_count : 1, sizeof report->lines[0]);
    bool good = report->name != NULL && report->lines != NULL;
    for (uint32_t i = 0; good && i < result->line_count; i++) {
        const struct simt_line *from = &result->lines[i];
        struct kernel_line *to = &report->lines[i];
        const char *kind = kernel_line_kind_name((enum simt_line_kind)from->kind);
        *to = (struct kernel_line){.file = strdup(from->file != NULL ? from->file : ""),
                                   .line = from->line,
                                   .requests = from->requests,
                                   .transactions = from->transactions,
                                   .ideal = from->ideal,
                                   .threads = from->threads};
        snprintf(to->kind, sizeof to->kind, "%s", kind != NULL ? kind : "");
        report->line_count = i + 1;
        good = to->file != NULL;
    }
    if (!good)
        kernel_report_free(report);
    return good;
}

static json_t *shape_to_json(const uint32_t shape[3]) {
    return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
}

static json_t *counters_to_json(const struct kernel_report *report) {
    json_t *json = json_object();
    int failed = json == NULL;
    for (int i = 0; i < SIMT_COUNTER_COUNT; i++) {
        uint64_t value = kernel_counter(&report->counters, (enum simt_counter_index)i);
        failed |= json_object_set_new(json, counter_table[i].name,
                                      report->known[i] ? json_integer((json_int_t)value) : json_null());
    }
    failed |= json_object_set_new(json, "occupancy_theoretical", json_number(report->occupancy_theoretical));
    failed |= json_object_set_new(json, "occupancy_achieved", json_number(report->occupancy_achieved));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *lines_to_json(const struct kernel_report *report) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < report->line_count; i++) {
        const struct kernel_line *line = &report->lines[i];
        json_t *item = json_pack("{s:o, s:I, s:s, s:I, s:I, s:I, s:I}", "file", json_text(line->file), "line",
                                 (json_int_t)line->line, "kind", line->kind, "requests",
                                 (json_int_t)line->requests, "transactions", (json_int_t)line->transactions,
                                 "ideal", (json_int_t)line->ideal, "threads", (json_int_t)line->threads);
        if (json_array_append_new(json, item) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

json_t *kernel_report_to_json(const struct kernel_report *report) {
    json_t *json = json_object(), *shares = json_object();
    int failed = json == NULL || shares == NULL;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        failed |= json_object_set_new(shares, gpu_unit_name((enum gpu_unit)unit),
                                      json_number(report->unit_share[unit]));
    failed |= json_object_set_new(json, "name", json_text(report->name != NULL ? report->name : ""));
    failed |= json_object_set_new(json, "grid", shape_to_json(report->grid));
    failed |= json_object_set_new(json, "block", shape_to_json(report->block));
    failed |= json_object_set_new(json, "registers", json_integer(report->registers));
    failed |= json_object_set_new(json, "shared_bytes", json_integer(report->shared_bytes));
    failed |= json_object_set_new(json, "time_us", json_number(report->time_us));
    failed |= json_object_set_new(json, "time_source", json_string(report->time_source));
    failed |= json_object_set_new(json, "limiter", json_string(report->limiter));
    failed |= json_object_set_new(json, "unit_share", shares);
    failed |= json_object_set_new(json, "waves", json_number(report->waves));
    failed |= json_object_set_new(json, "tail", json_number(report->tail));
    failed |= json_object_set_new(json, "counters", counters_to_json(report));
    failed |= json_object_set_new(json, "lines", lines_to_json(report));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static void counters_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *json) {
    const char *names[SIMT_COUNTER_COUNT + 3] = {0};
    for (int i = 0; i < SIMT_COUNTER_COUNT; i++)
        names[i] = counter_table[i].name;
    names[SIMT_COUNTER_COUNT] = "occupancy_theoretical";
    names[SIMT_COUNTER_COUNT + 1] = "occupancy_achieved";
    if (!json_expect_keys(reader, json, names))
        return;
    for (int i = 0; i < SIMT_COUNTER_COUNT; i++) {
        report->known[i] = !json_is_null(json_object_get(json, names[i]));
        if (report->known[i])
            kernel_counter_set(&report->counters, (enum simt_counter_index)i,
                               json_get_count(reader, json, names[i], INT64_MAX));
    }
    report->occupancy_theoretical = json_get_number(reader, json, "occupancy_theoretical", true);
    report->occupancy_achieved = json_get_number(reader, json, "occupancy_achieved", true);
}

static void lines_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *array) {
    static const char *const names[] = {"file",         "line",  "kind",    "requests",
                                        "transactions", "ideal", "threads", NULL};
    report->lines = calloc(json_array_size(array) + 1, sizeof report->lines[0]);
    if (report->lines == NULL) {
        json_fail(reader, "lines", "out of memory");
        return;
    }
    for (size_t i = 0; i < json_array_size(array) && !reader->failed; i++) {
        const json_t *item = json_array_get(array, i);
        struct kernel_line *line = &report->lines[i];
        size_t mark = json_enter_item(reader, "lines", i);
        if (json_expect_keys(reader, item, names)) {
            line->file = json_get_copy(reader, item, "file", false);
            report->line_count = (uint32_t)i + 1;
            line->line = (uint32_t)json_get_count(reader, item, "line", UINT32_MAX);
            json_get_short(reader, item, "kind", line->kind, sizeof line->kind);
            if (kernel_line_kind(line->kind) < 0)
                json_fail(reader, "kind", "not a kind of line");
            line->requests = json_get_count(reader, item, "requests", INT64_MAX);
            line->transactions = json_get_count(reader, item, "transactions", INT64_MAX);
            line->ideal = json_get_count(reader, item, "ideal", INT64_MAX);
            line->threads = json_get_count(reader, item, "threads", INT64_MAX);
        }
        json_leave(reader, mark);
    }
}

static void units_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *shares) {
    const char *names[GPU_UNIT_COUNT + 1] = {0};
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        names[unit] = gpu_unit_name((enum gpu_unit)unit);
    size_t mark = json_enter(reader, "unit_share");
    if (json_expect_keys(reader, shares, names))
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
            report->unit_share[unit] = json_get_number(reader, shares, names[unit], true);
    json_leave(reader, mark);
}

bool kernel_report_read(struct kernel_report *report, const json_t *json, struct json_reader *reader) {
    static const char *const names[] = {"name",    "grid",        "block",   "registers",  "shared_bytes",
                                        "time_us", "time_source", "limiter", "unit_share", "waves",
                                        "tail",    "counters",    "lines",   NULL};
    *report = (struct kernel_report){0};
    if (!json_expect_keys(reader, json, names))
        return false;
    report->name = json_get_copy(reader, json, "name", false);
    json_get_shape(reader, json, "grid", report->grid);
    json_get_shape(reader, json, "block", report->block);
    report->registers = (uint32_t)json_get_count(reader, json, "registers", UINT32_MAX);
    report->shared_bytes = (uint32_t)json_get_count(reader, json, "shared_bytes", UINT32_MAX);
    report->time_us = json_get_number(reader, json, "time_us", true);
    json_get_short(reader, json, "time_source", report->time_source, sizeof report->time_source);
    json_get_short(reader, json, "limiter", report->limiter, sizeof report->limiter);
    const json_t *shares = json_get_object(reader, json, "unit_share");
    if (shares != NULL)
        units_from_json(report, reader, shares);
    report->waves = json_get_number(reader, json, "waves", true);
    report->tail = json_get_number(reader, json, "tail", true);
    const json_t *counters = json_get_object(reader, json, "counters");
    size_t mark = json_enter(reader, "counters");
    if (counters != NULL)
        counters_from_json(report, reader, counters);
    json_leave(reader, mark);
    const json_t *lines = json_get_array(reader, json, "lines");
    if (lines != NULL)
        lines_from_json(report, reader, lines);
    if (reader->failed)
        kernel_report_free(report);
    return !reader->failed;
}

bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size) {
    struct json_reader reader;
    json_reader_init(&reader, error, size);
    return kernel_report_read(report, json, &reader);
}

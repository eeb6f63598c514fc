/* kernel_report.c: one launch, to JSON and back. */
#include "analysis/kernel_report.h"

#include "analysis/json_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_report_free(struct kernel_report *report) {
    free(report->name);
    for (uint32_t i = 0; i < report->line_count && report->lines != NULL; i++)
        free(report->lines[i].file);
    free(report->lines);
    kernel_waits_free(&report->waits);
    kernel_executed_free(&report->executed);
    *report = (struct kernel_report){0};
}

bool kernel_at_limit(const struct kernel_report *report) {
    static const double full = 0.8;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (strcmp(gpu_unit_name((enum gpu_unit)unit), report->limiter) == 0)
            return !(report->unit_share[unit] < full);
    return false;
}

uint64_t kernel_launches(const struct kernel_report *report) {
    return report->launches > 1 ? report->launches : 1;
}

static json_t *shape_to_json(const uint32_t shape[3]) {
    return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
}

static json_t *counters_to_json(const struct kernel_report *report) {
    json_t *json = json_object();
    int failed = json == NULL;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        uint64_t value = counter_value(&report->counters, (enum counter)i);
        failed |= json_object_set_new(json, counter_name((enum counter)i),
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

/* NULL: out of memory. What is not known is left out; a line of which nothing is known has null. */
static json_t *facts_to_json(const struct line_facts *facts) {
    json_t *json = json_object();
    int failed = json == NULL;
    if (*facts->array != '\0')
        failed |= json_object_set_new(json, "array", json_text(facts->array));
    if (facts->lanes != LANES_UNKNOWN)
        failed |= json_object_set_new(json, "lanes", json_string(line_lanes_name(facts->lanes)));
    for (int i = 0; i < LINE_FACT_COUNT; i++)
        if (facts->known[i])
            failed |= json_object_set_new(json, line_fact_name((enum line_fact)i),
                                          json_integer((json_int_t)facts->value[i]));
    if (failed || json_object_size(json) == 0) {
        json_decref(json);
        return failed ? NULL : json_null();
    }
    return json;
}

static json_t *lines_to_json(const struct kernel_report *report) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < report->line_count; i++) {
        const struct kernel_line *line = &report->lines[i];
        json_t *item = json_pack("{s:o, s:I, s:s, s:I, s:I, s:I, s:I, s:o}", "file", json_text(line->file),
                                 "line", (json_int_t)line->line, "kind", line_kind_name(line->kind),
                                 "requests", (json_int_t)line->requests, "transactions",
                                 (json_int_t)line->transactions, "ideal", (json_int_t)line->ideal, "threads",
                                 (json_int_t)line->threads, "facts", facts_to_json(&line->facts));
        if (json_array_append_new(json, item) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static json_t *tried_to_json(const struct kernel_report *report) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < report->tried_count; i++) {
        const struct kernel_tried *tried = &report->tried[i];
        json_t *item = json_pack("{s:o, s:o, s:o, s:b}", "why", json_text(tried->why), "block",
                                 shape_to_json(tried->block), "time_us", json_number(tried->time_us), "same",
                                 (int)tried->same);
        if (json_array_append_new(json, item) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static const char *const timed_names[TIMED_BY_COUNT] = {"", "code", "ptxas", "counters"};

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
    failed |= json_object_set_new(json, "spill_bytes",
                                  report->spill_known ? json_integer(report->spill_bytes) : json_null());
    failed |= json_object_set_new(json, "code_bytes",
                                  report->code_known ? json_integer(report->code_bytes) : json_null());
    failed |= json_object_set_new(json, "hot_code_bytes",
                                  report->code_known ? json_integer(report->hot_code_bytes) : json_null());
    failed |= json_object_set_new(json, "time_us", json_number(report->time_us));
    failed |= json_object_set_new(json, "time_source", json_string(report->time_source));
    if (report->timed_by != TIMED_BY_UNKNOWN)
        failed |= json_object_set_new(json, "timed_by", json_string(timed_names[report->timed_by]));
    if (report->timed_why[0] != '\0')
        failed |= json_object_set_new(json, "timed_why", json_text(report->timed_why));
    failed |= json_object_set_new(json, "limiter", json_string(report->limiter));
    failed |= json_object_set_new(json, "unit_share", shares);
    failed |= json_object_set_new(json, "waves", json_number(report->waves));
    failed |= json_object_set_new(json, "tail", json_number(report->tail));
    failed |= json_object_set_new(json, "counters", counters_to_json(report));
    failed |= json_object_set_new(json, "lines", lines_to_json(report));
    failed |= json_object_set_new(json, "tried", tried_to_json(report));
    if (report->waits.known) {
        failed |= json_object_set_new(json, "stalls", kernel_stalls_to_json(&report->waits));
        failed |= json_object_set_new(json, "waits", kernel_waits_to_json(&report->waits));
    }
    if (report->executed.known)
        failed |= json_object_set_new(json, "executed", kernel_executed_to_json(&report->executed)) |
                  json_object_set_new(json, "blocks", kernel_executed_blocks_to_json(&report->executed));
    if (report->launches > 1)
        failed |= json_object_set_new(json, "launches",
                                      json_pack("{s:I, s:o, s:b}", "count", (json_int_t)report->launches,
                                                "longest_us", json_number(report->longest_us), "other_shapes",
                                                (int)report->other_shapes));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static void counters_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *json) {
    const char *names[COUNTER_COUNT + 3] = {0};
    for (int i = 0; i < COUNTER_COUNT; i++)
        names[i] = counter_name((enum counter)i);
    names[COUNTER_COUNT] = "occupancy_theoretical";
    names[COUNTER_COUNT + 1] = "occupancy_achieved";
    if (!json_expect_keys(reader, json, names))
        return;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        /* a counter that the kit of that time had not is not known either */
        const json_t *value = json_object_get(json, names[i]);
        report->known[i] = value != NULL && !json_is_null(value);
        if (report->known[i])
            counter_set(&report->counters, (enum counter)i,
                        json_get_count(reader, json, names[i], INT64_MAX));
    }
    report->occupancy_theoretical = json_get_number(reader, json, "occupancy_theoretical", true);
    report->occupancy_achieved = json_get_number(reader, json, "occupancy_achieved", true);
}

/* Absent in a report of a kit that had none: nothing is known. */
static void facts_from_json(struct line_facts *facts, struct json_reader *reader, const json_t *line) {
    const char *names[LINE_FACT_COUNT + 3] = {0};
    const json_t *json = json_object_get(line, "facts");
    *facts = (struct line_facts){.lanes = LANES_UNKNOWN};
    if (json == NULL || json_is_null(json))
        return;
    for (int i = 0; i < LINE_FACT_COUNT; i++)
        names[i] = line_fact_name((enum line_fact)i);
    names[LINE_FACT_COUNT] = "array";
    names[LINE_FACT_COUNT + 1] = "lanes";
    size_t mark = json_enter(reader, "facts");
    if (json_expect_keys(reader, json, names)) {
        if (json_object_get(json, "array") != NULL)
            json_get_short(reader, json, "array", facts->array, sizeof facts->array);
        const char *lanes =
            json_object_get(json, "lanes") != NULL ? json_get_text(reader, json, "lanes") : NULL;
        if (lanes != NULL && !line_lanes_find(lanes, &facts->lanes))
            json_fail(reader, "lanes", "not a way that threads lie");
        for (int i = 0; i < LINE_FACT_COUNT; i++) {
            const json_t *value = json_object_get(json, names[i]);
            if (value != NULL && !json_is_integer(value))
                json_fail(reader, names[i], "expected a whole number");
            else if (value != NULL)
                line_fact_set(facts, (enum line_fact)i, json_integer_value(value));
        }
    }
    json_leave(reader, mark);
}

static void lines_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *array) {
    static const char *const names[] = {"file",  "line",    "kind",  "requests", "transactions",
                                        "ideal", "threads", "facts", NULL};
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
            const char *kind = json_get_text(reader, item, "kind");
            if (kind != NULL && !line_kind_find(kind, &line->kind))
                json_fail(reader, "kind", "not a kind of line");
            line->requests = json_get_count(reader, item, "requests", INT64_MAX);
            line->transactions = json_get_count(reader, item, "transactions", INT64_MAX);
            line->ideal = json_get_count(reader, item, "ideal", INT64_MAX);
            line->threads = json_get_count(reader, item, "threads", INT64_MAX);
            facts_from_json(&line->facts, reader, item);
        }
        json_leave(reader, mark);
    }
}

/* Absent in a report of a kit that tried nothing. */
static void tried_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *kernel) {
    static const char *const names[] = {"why", "block", "time_us", "same", NULL};
    const json_t *array = json_object_get(kernel, "tried");
    if (array == NULL)
        return;
    if (!json_is_array(array) || json_array_size(array) > KERNEL_TRIED) {
        json_fail(reader, "tried", "expected an array of two at most");
        return;
    }
    for (size_t i = 0; i < json_array_size(array) && !reader->failed; i++) {
        const json_t *item = json_array_get(array, i);
        struct kernel_tried *tried = &report->tried[i];
        size_t mark = json_enter_item(reader, "tried", i);
        if (json_expect_keys(reader, item, names)) {
            json_get_short(reader, item, "why", tried->why, sizeof tried->why);
            json_get_shape(reader, item, "block", tried->block);
            tried->time_us = json_get_number(reader, item, "time_us", true);
            tried->same = json_get_bool(reader, item, "same");
            report->tried_count = (uint32_t)i + 1;
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
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++) {
            /* units that the kit of that time had not */
            bool absent = unit >= GPU_CONSTANT && json_object_get(shares, names[unit]) == NULL;
            report->unit_share[unit] = absent ? NAN : json_get_number(reader, shares, names[unit], true);
        }
    json_leave(reader, mark);
}

/* Absent where it is one launch. */
static void launches_from_json(struct kernel_report *report, struct json_reader *reader,
                               const json_t *kernel) {
    static const char *const names[] = {"count", "longest_us", "other_shapes", NULL};
    const json_t *json = json_object_get(kernel, "launches");
    report->launches = 1;
    report->longest_us = report->time_us;
    if (json == NULL)
        return;
    size_t mark = json_enter(reader, "launches");
    if (json_expect_keys(reader, json, names)) {
        report->launches = json_get_count(reader, json, "count", INT64_MAX);
        report->longest_us = json_get_number(reader, json, "longest_us", true);
        report->other_shapes = json_get_bool(reader, json, "other_shapes");
    }
    json_leave(reader, mark);
}

/* A count that may be null or, in a report of earlier days, absent. */
static bool get_known(struct json_reader *reader, const json_t *json, const char *key, uint32_t *count) {
    const json_t *value = json_object_get(json, key);
    bool known = value != NULL && !json_is_null(value);
    if (known)
        *count = (uint32_t)json_get_count(reader, json, key, UINT32_MAX);
    return known;
}

/* Absent in a report of a kit that did not say. */
static void timed_from_json(struct kernel_report *report, struct json_reader *reader, const json_t *json) {
    char name[12] = "";
    if (json_object_get(json, "timed_why") != NULL)
        json_get_short(reader, json, "timed_why", report->timed_why, sizeof report->timed_why);
    if (json_object_get(json, "timed_by") == NULL)
        return;
    json_get_short(reader, json, "timed_by", name, sizeof name);
    for (int i = 1; i < TIMED_BY_COUNT; i++)
        if (strcmp(name, timed_names[i]) == 0)
            report->timed_by = (enum kernel_timed_by)i;
    if (report->timed_by == TIMED_BY_UNKNOWN && !reader->failed)
        json_fail(reader, "timed_by", "not a way to model a time");
}

bool kernel_report_read(struct kernel_report *report, const json_t *json, struct json_reader *reader) {
    static const char *const names[] = {
        "name",      "grid",       "block",  "registers", "shared_bytes", "time_us",        "time_source",
        "limiter",   "unit_share", "waves",  "tail",      "counters",     "lines",          "spill_bytes",
        "tried",     "launches",   "stalls", "waits",     "code_bytes",   "hot_code_bytes", "timed_by",
        "timed_why", "executed",   "blocks", NULL};
    *report = (struct kernel_report){0};
    if (!json_expect_keys(reader, json, names))
        return false;
    report->name = json_get_copy(reader, json, "name", false);
    json_get_shape(reader, json, "grid", report->grid);
    json_get_shape(reader, json, "block", report->block);
    report->registers = (uint32_t)json_get_count(reader, json, "registers", UINT32_MAX);
    report->shared_bytes = (uint32_t)json_get_count(reader, json, "shared_bytes", UINT32_MAX);
    report->spill_known = get_known(reader, json, "spill_bytes", &report->spill_bytes);
    bool all_known = get_known(reader, json, "code_bytes", &report->code_bytes),
         hot_known = get_known(reader, json, "hot_code_bytes", &report->hot_code_bytes);
    report->code_known = all_known && hot_known;
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
    timed_from_json(report, reader, json);
    tried_from_json(report, reader, json);
    launches_from_json(report, reader, json);
    kernel_waits_read(&report->waits, reader, json);
    kernel_executed_read(&report->executed, reader, json);
    if (reader->failed)
        kernel_report_free(report);
    return !reader->failed;
}

bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size) {
    struct json_reader reader;
    json_reader_init(&reader, error, size);
    return kernel_report_read(report, json, &reader);
}

bool kernel_report_by_counters(const struct kernel_report *report) {
    return strcmp(report->time_source, "model") == 0 && !report->waits.known;
}

void kernel_timed_words(const struct kernel_report *report, char *text, size_t size) {
    static const char *const words[TIMED_BY_COUNT] = {"", "timed by its machine code",
                                                      "timed by machine code that ptxas made of its PTX",
                                                      "timed by its counters"};
    snprintf(text, size, "%s%s%s", words[report->timed_by], report->timed_why[0] != '\0' ? "; " : "",
             report->timed_why);
}

/* report_json.c: the report.json document: written whole or not at all, read strictly. */
#include "analysis/json_read.h"
#include "analysis/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_FILE_LIMIT = 256 << 20 };

static json_t *device_to_json(const struct report_device *device) {
    return json_pack("{s:o, s:o, s:o, s:o}", "kind", json_text(device->kind), "gpu", json_text(device->gpu),
                     "model", json_text(device->model), "toolkit", json_text(device->toolkit));
}

static json_t *problem_to_json(const struct report_problem *problem) {
    return json_pack("{s:I, s:I, s:I, s:o}", "width", (json_int_t)problem->width, "height",
                     (json_int_t)problem->height, "seed", (json_int_t)problem->seed, "image",
                     json_text(problem->image));
}

static json_t *correctness_to_json(const struct report *report) {
    json_t *cases = json_array();
    for (uint32_t i = 0; cases != NULL && i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        json_array_append_new(cases, json_pack("{s:o, s:b, s:o}", "name", json_text(item->name), "passed",
                                               (int)item->passed, "message", json_text(item->message)));
    }
    if (json_array_size(cases) != report->case_count) {
        json_decref(cases);
        return NULL;
    }
    return json_pack("{s:I, s:I, s:o}", "passed", (json_int_t)report->cases_passed, "failed",
                     (json_int_t)report->cases_failed, "cases", cases);
}

/* A part stands in the document only where a lab has several: others are written as they always were. */
static json_t *with_part(json_t *json, const char *part) {
    if (json != NULL && part != NULL && json_object_set_new(json, "part", json_text(part)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool part_from_json(char **part, struct json_reader *reader, const json_t *json) {
    if (json_object_get(json, "part") != NULL)
        *part = json_get_copy(reader, json, "part", false);
    return !reader->failed;
}

static json_t *run_to_json(const struct report_run *run) {
    json_t *kernels = json_array();
    for (uint32_t i = 0; kernels != NULL && i < run->kernel_count; i++)
        json_array_append_new(kernels, kernel_report_to_json(&run->kernels[i]));
    if (json_array_size(kernels) != run->kernel_count) {
        json_decref(kernels);
        return NULL;
    }
    json_t *interval = json_null();
    if (isfinite(run->ci95_us[0]) && isfinite(run->ci95_us[1]))
        interval = json_pack("[o, o]", json_number(run->ci95_us[0]), json_number(run->ci95_us[1]));
    json_t *json = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o}", "name", json_text(run->name), "time_us",
                             json_number(run->time_us), "time_source", run->time_source, "speedup",
                             json_number(run->speedup), "ci95_us", interval, "kernels", kernels);
    if (json != NULL && run->note[0] != '\0' &&
        json_object_set_new(json, "note", json_string(run->note)) != 0) {
        json_decref(json);
        return NULL;
    }
    return with_part(json, run->part);
}

static json_t *goal_to_json(const struct report_goal *goal) {
    return with_part(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(goal->name), "value",
                               json_number(goal->value), "zero", json_number(goal->zero), "full",
                               json_number(goal->full), "points", json_number(goal->points), "max",
                               json_number(goal->max)),
                     goal->part);
}

static json_t *flags_to_json(const struct report *report) {
    json_t *flags = json_array();
    for (uint32_t i = 0; flags != NULL && i < report->flag_count; i++)
        json_array_append_new(flags, json_pack("{s:o, s:o}", "name", json_text(report->flags[i].name),
                                               "message", json_text(report->flags[i].message)));
    if (json_array_size(flags) == report->flag_count)
        return flags;
    json_decref(flags);
    return NULL;
}

json_t *report_to_json(const struct report *report) {
    json_t *json = json_object(), *runs = json_array(), *goals = json_array();
    int failed = json == NULL || runs == NULL || goals == NULL;
    for (uint32_t i = 0; i < report->run_count; i++)
        failed |= json_array_append_new(runs, run_to_json(&report->runs[i]));
    for (uint32_t i = 0; i < report->goal_count; i++)
        failed |= json_array_append_new(goals, goal_to_json(&report->goals[i]));
    json_t *failure = json_null();
    if (report->failure_stage != NULL)
        failure = json_pack("{s:o, s:o}", "stage", json_text(report->failure_stage), "message",
                            json_text(report->failure_message));
    failed |= json_object_set_new(json, "schema", json_integer(REPORT_SCHEMA));
    failed |= json_object_set_new(json, "lab", json_text(report->lab));
    failed |= json_object_set_new(json, "title", json_text(report->title));
    failed |= json_object_set_new(json, "device", device_to_json(&report->device));
    failed |= json_object_set_new(json, "problem", problem_to_json(&report->problem));
    failed |= json_object_set_new(json, "failure", failure);
    if (report->flag_count > 0)
        failed |= json_object_set_new(json, "flags", flags_to_json(report));
    failed |= json_object_set_new(json, "correctness", correctness_to_json(report));
    failed |= json_object_set_new(json, "runs", runs);
    failed |= json_object_set_new(json, "goals", goals);
    failed |=
        json_object_set_new(json, "score",
                            json_pack("{s:o, s:o, s:b}", "points", json_number(report->score_points), "max",
                                      json_number(report->score_max), "passed", (int)report->score_passed));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static void device_from_json(struct report_device *device, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"kind", "gpu", "model", "toolkit", NULL};
    size_t mark = json_enter(reader, "device");
    if (json_expect_keys(reader, json, names)) {
        device->kind = json_get_copy(reader, json, "kind", true);
        device->gpu = json_get_copy(reader, json, "gpu", true);
        device->model = json_get_copy(reader, json, "model", true);
        device->toolkit = json_get_copy(reader, json, "toolkit", true);
    }
    json_leave(reader, mark);
}

static void problem_from_json(struct report_problem *problem, struct json_reader *reader,
                              const json_t *json) {
    static const char *const names[] = {"width", "height", "seed", "image", NULL};
    size_t mark = json_enter(reader, "problem");
    if (json_expect_keys(reader, json, names)) {
        problem->width = (uint32_t)json_get_count(reader, json, "width", UINT32_MAX);
        problem->height = (uint32_t)json_get_count(reader, json, "height", UINT32_MAX);
        /* JSON's integers are signed here; a seed uses all 64 bits */
        if (!json_is_integer(json_object_get(json, "seed")))
            json_fail(reader, "seed", "expected a whole number");
        problem->seed = (uint64_t)json_integer_value(json_object_get(json, "seed"));
        problem->image = json_get_copy(reader, json, "image", true);
    }
    json_leave(reader, mark);
}

static void failure_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"stage", "message", NULL};
    if (json_is_null(json))
        return;
    size_t mark = json_enter(reader, "failure");
    if (json_expect_keys(reader, json, names)) {
        report->failure_stage = json_get_copy(reader, json, "stage", false);
        report->failure_message = json_get_copy(reader, json, "message", true);
    }
    json_leave(reader, mark);
}

static void correctness_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"passed", "failed", "cases", NULL};
    static const char *const case_names[] = {"name", "passed", "message", NULL};
    size_t mark = json_enter(reader, "correctness");
    const json_t *cases =
        json_expect_keys(reader, json, names) ? json_get_array(reader, json, "cases") : NULL;
    for (size_t i = 0; i < json_array_size(cases) && !reader->failed; i++) {
        const json_t *item = json_array_get(cases, i);
        size_t inner = json_enter_item(reader, "cases", i);
        if (json_expect_keys(reader, item, case_names) &&
            !report_add_case(report, json_get_text(reader, item, "name"),
                             json_get_bool(reader, item, "passed"), json_get_text(reader, item, "message")))
            json_fail(reader, NULL, "out of memory");
        json_leave(reader, inner);
    }
    if (!reader->failed && (json_get_count(reader, json, "passed", UINT32_MAX) != report->cases_passed ||
                            json_get_count(reader, json, "failed", UINT32_MAX) != report->cases_failed))
        json_fail(reader, "cases", "their number is not passed + failed");
    json_leave(reader, mark);
}

static void run_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name",    "time_us", "time_source", "speedup", "ci95_us",
                                        "kernels", "note",    "part",        NULL};
    if (!json_expect_keys(reader, json, names))
        return;
    struct report_run *run = report_add_run(report, json_get_text(reader, json, "name"));
    if (run == NULL) {
        json_fail(reader, NULL, "out of memory");
        return;
    }
    if (!part_from_json(&run->part, reader, json))
        return;
    run->time_us = json_get_number(reader, json, "time_us", true);
    json_get_short(reader, json, "time_source", run->time_source, sizeof run->time_source);
    run->speedup = json_get_number(reader, json, "speedup", true);
    const json_t *interval = json_object_get(json, "ci95_us");
    if (json_is_array(interval) && json_array_size(interval) == 2 &&
        json_is_number(json_array_get(interval, 0)) && json_is_number(json_array_get(interval, 1))) {
        run->ci95_us[0] = json_number_value(json_array_get(interval, 0));
        run->ci95_us[1] = json_number_value(json_array_get(interval, 1));
    } else if (!json_is_null(interval)) {
        json_fail(reader, "ci95_us", "expected two numbers or null");
    }
    if (json_object_get(json, "note") != NULL)
        json_get_short(reader, json, "note", run->note, sizeof run->note);
    const json_t *kernels = json_get_array(reader, json, "kernels");
    for (size_t i = 0; i < json_array_size(kernels) && !reader->failed; i++) {
        size_t mark = json_enter_item(reader, "kernels", i);
        struct kernel_report *kernel = report_run_add_kernel(run);
        if (kernel == NULL)
            json_fail(reader, NULL, "out of memory");
        else
            kernel_report_read(kernel, json_array_get(kernels, i), reader);
        json_leave(reader, mark);
    }
}

static void goal_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name", "value", "zero", "full", "points", "max", "part", NULL};
    if (!json_expect_keys(reader, json, names))
        return;
    double value[5];
    for (int i = 0; i < 5; i++)
        value[i] = json_get_number(reader, json, names[i + 1], true);
    if (!report_add_goal(report, json_get_text(reader, json, "name"), value[0], value[1], value[2], value[3],
                         value[4]))
        json_fail(reader, NULL, "out of memory");
    else
        (void)part_from_json(&report->goals[report->goal_count - 1].part, reader, json);
}

static void flag_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name", "message", NULL};
    if (json_expect_keys(reader, json, names) &&
        !report_add_flag(report, json_get_text(reader, json, "name"), json_get_text(reader, json, "message")))
        json_fail(reader, NULL, "out of memory");
}

static void score_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"points", "max", "passed", NULL};
    size_t mark = json_enter(reader, "score");
    if (json_expect_keys(reader, json, names)) {
        report->score_points = json_get_number(reader, json, "points", true);
        report->score_max = json_get_number(reader, json, "max", true);
        report->score_passed = json_get_bool(reader, json, "passed");
    }
    json_leave(reader, mark);
}

static void items_from_json(struct report *report, struct json_reader *reader, const json_t *json,
                            const char *key,
                            void (*read_item)(struct report *, struct json_reader *, const json_t *)) {
    const json_t *array = json_get_array(reader, json, key);
    for (size_t i = 0; i < json_array_size(array) && !reader->failed; i++) {
        size_t mark = json_enter_item(reader, key, i);
        read_item(report, reader, json_array_get(array, i));
        json_leave(reader, mark);
    }
}

bool report_from_json(struct report *report, const json_t *json, char *error, size_t size) {
    static const char *const names[] = {"schema", "lab",         "title", "device", "problem", "failure",
                                        "flags",  "correctness", "runs",  "goals",  "score",   NULL};
    *report = (struct report){0};
    struct json_reader reader;
    json_reader_init(&reader, error, size);
    if (!json_is_object(json))
        return json_fail(&reader, "report", "expected an object");
    if (json_get_count(&reader, json, "schema", UINT32_MAX) != REPORT_SCHEMA)
        return json_fail(&reader, "schema", "not 1: written by another version of the kit");
    if (json_expect_keys(&reader, json, names)) {
        report->lab = json_get_copy(&reader, json, "lab", true);
        report->title = json_get_copy(&reader, json, "title", true);
        device_from_json(&report->device, &reader, json_get_object(&reader, json, "device"));
        problem_from_json(&report->problem, &reader, json_get_object(&reader, json, "problem"));
        failure_from_json(report, &reader, json_object_get(json, "failure"));
        if (json_object_get(json, "flags") != NULL)
            items_from_json(report, &reader, json, "flags", flag_from_json);
        correctness_from_json(report, &reader, json_get_object(&reader, json, "correctness"));
        items_from_json(report, &reader, json, "runs", run_from_json);
        items_from_json(report, &reader, json, "goals", goal_from_json);
        score_from_json(report, &reader, json_get_object(&reader, json, "score"));
    }
    if (reader.failed)
        report_free(report);
    return !reader.failed;
}

static bool file_fail(char *error, size_t size, const char *path, const char *what) {
    snprintf(error, size, "%s: %s: %s", path, what, strerror(errno));
    return false;
}

bool report_write(const struct report *report, const char *path, char *error, size_t size) {
    size_t length = strlen(path) + 16;
    char *temporary = malloc(length);
    json_t *json = report_to_json(report);
    bool good = false;
    FILE *file = NULL;
    if (temporary == NULL || json == NULL) {
        snprintf(error, size, "%s: out of memory, or text that is not UTF-8", path);
        goto out;
    }
    snprintf(temporary, length, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        file_fail(error, size, path, "cannot be written");
        goto out;
    }
    /* mkstemp's mode is for secrets; a report is for everyone who may read the folder */
    bool written = fchmod(fileno(file), 0644) == 0 &&
                   json_dumpf(json, file, JSON_INDENT(1) | REPORT_JSON_FLAGS) == 0 &&
                   fputc('\n', file) != EOF && fflush(file) == 0;
    written = fclose(file) == 0 && written;
    good = written && rename(temporary, path) == 0;
    if (!good) {
        file_fail(error, size, path, "cannot be written");
        unlink(temporary);
    }
out:
    free(temporary);
    json_decref(json);
    return good;
}

bool report_read(struct report *report, const char *path, char *error, size_t size) {
    *report = (struct report){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return file_fail(error, size, path, "cannot be read");
    if (fseek(file, 0, SEEK_END) != 0 || ftell(file) > REPORT_FILE_LIMIT || fseek(file, 0, SEEK_SET) != 0) {
        fclose(file);
        snprintf(error, size, "%s: not a plain file, or larger than 256 MiB", path);
        return false;
    }
    json_error_t fault;
    json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, &fault);
    fclose(file);
    if (json == NULL) {
        snprintf(error, size, "%s:%d: %s", path, fault.line, fault.text);
        return false;
    }
    char message[REPORT_ERROR_SIZE];
    bool good = report_from_json(report, json, message, sizeof message);
    if (!good)
        snprintf(error, size, "%s: %s", path, message);
    json_decref(json);
    return good;
}

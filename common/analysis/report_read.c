/* report_read.c: the report.json document as a report, read strictly. */
#include "analysis/json_read.h"
#include "analysis/report.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_FILE_LIMIT = 256 << 20 };

/* Give an object of schema 1 a key that schema 2 added. */
static void add(struct json_reader *reader, json_t *object, const char *key, json_t *value) {
    if (json_object_get(object, key) != NULL) {
        json_decref(value);
        json_fail(reader, key, "not a key of schema 1");
    } else if (json_is_object(object) && json_object_set_new(object, key, value) != 0) {
        json_fail(reader, key, "out of memory");
    } else if (!json_is_object(object)) {
        json_decref(value); /* the reading proper will say what is wrong */
    }
}

/* A document of schema 1 as one of schema 2: what schema 1 did not know is null, or empty. */
static json_t *upgraded(struct json_reader *reader, const json_t *json) {
    json_t *copy = json_deep_copy(json);
    if (copy == NULL) {
        json_fail(reader, NULL, "out of memory");
        return NULL;
    }
    json_t *correctness = json_object_get(copy, "correctness"), *goals = json_object_get(copy, "goals");
    json_t *score = json_object_get(copy, "score");
    add(reader, copy, "source", json_null());
    add(reader, copy, "files", json_array());
    add(reader, copy, "parts", json_array());
    add(reader, copy, "output", json_null());
    add(reader, copy, "cpu_us", json_null());
    add(reader, correctness, "criterion", json_null());
    add(reader, correctness, "wrong", json_null());
    for (size_t i = 0; i < json_array_size(goals); i++)
        add(reader, json_array_get(goals, i), "measure", json_null());
    add(reader, score, "pass", json_null());
    add(reader, score, "too_close", json_false());
    return copy;
}

static bool part_from_json(char **part, struct json_reader *reader, const json_t *json) {
    if (json_object_get(json, "part") != NULL)
        *part = json_get_copy(reader, json, "part", false);
    return !reader->failed;
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

static void element_from_json(struct report_wrong *wrong, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"index", "where", "got", "expected", NULL};
    struct report_element *element = &wrong->listed[wrong->listed_count];
    if (!json_expect_keys(reader, json, names))
        return;
    element->index = json_get_count(reader, json, "index", INT64_MAX);
    json_get_short(reader, json, "where", element->where, sizeof element->where);
    json_get_short(reader, json, "got", element->got, sizeof element->got);
    json_get_short(reader, json, "expected", element->expected, sizeof element->expected);
    wrong->listed_count++;
}

static void cause_from_json(struct report_wrong *wrong, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"kind", "cases", NULL};
    size_t mark = json_enter(reader, "cause");
    if (json_expect_keys(reader, json, names)) {
        json_get_short(reader, json, "kind", wrong->cause, sizeof wrong->cause);
        wrong->cause_cases = (uint32_t)json_get_count(reader, json, "cases", UINT32_MAX);
        if (wrong->cause[0] == '\0')
            json_fail(reader, "kind", "expected a name");
    }
    json_leave(reader, mark);
}

static void wrong_from_json(struct report_wrong *wrong, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"case",     "message",          "hint",   "place", "cause",
                                        "elements", "nondeterministic", "listed", NULL};
    if (json_is_null(json))
        return;
    size_t mark = json_enter(reader, "wrong");
    if (json_expect_keys(reader, json, names)) {
        wrong->present = true;
        json_get_short(reader, json, "case", wrong->name, sizeof wrong->name);
        json_get_short(reader, json, "message", wrong->message, sizeof wrong->message);
        json_get_short(reader, json, "hint", wrong->hint, sizeof wrong->hint);
        json_get_short(reader, json, "place", wrong->place, sizeof wrong->place);
        if (json_object_get(json, "cause") != NULL)
            cause_from_json(wrong, reader, json_object_get(json, "cause"));
        wrong->elements = json_get_count(reader, json, "elements", INT64_MAX);
        wrong->nondeterministic = json_get_bool(reader, json, "nondeterministic");
        const json_t *listed = json_get_array(reader, json, "listed");
        if (json_array_size(listed) > REPORT_LISTED)
            json_fail(reader, "listed", "too many");
        for (size_t i = 0; i < json_array_size(listed) && !reader->failed; i++) {
            size_t inner = json_enter_item(reader, "listed", i);
            element_from_json(wrong, reader, json_array_get(listed, i));
            json_leave(reader, inner);
        }
    }
    json_leave(reader, mark);
}

static void correctness_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"passed", "failed", "criterion", "cases", "wrong", NULL};
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
    if (!reader->failed) {
        report->criterion = json_get_copy(reader, json, "criterion", true);
        wrong_from_json(&report->wrong, reader, json_get(reader, json, "wrong"));
    }
    json_leave(reader, mark);
}

static void run_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name",        "time_us",      "time_source", "speedup",
                                        "ci95_us",     "kernels",      "note",        "part",
                                        "measured_us", "contradicted", "unpaid",      NULL};
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
    if (json_object_get(json, "unpaid") != NULL)
        json_get_short(reader, json, "unpaid", run->unpaid, sizeof run->unpaid);
    if (json_object_get(json, "note") != NULL)
        json_get_short(reader, json, "note", run->note, sizeof run->note);
    if (json_object_get(json, "measured_us") != NULL) {
        run->measured_us = json_get_number(reader, json, "measured_us", true);
        json_get_short(reader, json, "contradicted", run->contradicted, sizeof run->contradicted);
    }
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
    static const char *const names[] = {"name", "value",   "zero", "full",   "points",
                                        "max",  "measure", "part", "barred", NULL};
    if (!json_expect_keys(reader, json, names))
        return;
    double value[5];
    for (int i = 0; i < 5; i++)
        value[i] = json_get_number(reader, json, names[i + 1], true);
    if (!report_add_goal(report, json_get_text(reader, json, "name"), value[0], value[1], value[2], value[3],
                         value[4])) {
        json_fail(reader, NULL, "out of memory");
        return;
    }
    struct report_goal *goal = &report->goals[report->goal_count - 1];
    goal->measure = json_get_copy(reader, json, "measure", true);
    if (json_object_get(json, "barred") != NULL)
        goal->barred = json_get_copy(reader, json, "barred", false);
    (void)part_from_json(&goal->part, reader, json);
}

static void part_item_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name", "title", "case", NULL};
    if (json_expect_keys(reader, json, names) &&
        !report_add_part(report, json_get_text(reader, json, "name"), json_get_text(reader, json, "title"),
                         json_get_text(reader, json, "case")))
        json_fail(reader, NULL, "out of memory");
}

static void flag_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"name", "message", NULL};
    if (json_expect_keys(reader, json, names) &&
        !report_add_flag(report, json_get_text(reader, json, "name"), json_get_text(reader, json, "message")))
        json_fail(reader, NULL, "out of memory");
}

static void prediction_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"key", "unit", "predicted", "measured", "tolerance", "right", NULL};
    if (!json_expect_keys(reader, json, names))
        return;
    if (report->prediction_count == REPORT_PREDICTIONS) {
        json_fail(reader, NULL, "too many predictions");
        return;
    }
    struct report_prediction *p = &report->predictions[report->prediction_count++];
    json_get_short(reader, json, "key", p->key, sizeof p->key);
    json_get_short(reader, json, "unit", p->unit, sizeof p->unit);
    json_get_short(reader, json, "predicted", p->predicted, sizeof p->predicted);
    json_get_short(reader, json, "measured", p->measured, sizeof p->measured);
    p->tolerance = json_get_number(reader, json, "tolerance", false);
    p->right = json_get_bool(reader, json, "right");
}

static void remark_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"kind", "case", "file", "line", "message", "count", NULL},
                             *const more[] = {"kind",    "case",  "file",  "line",
                                              "message", "count", "cases", NULL};
    bool several = json_object_get(json, "cases") != NULL;
    if (!json_expect_keys(reader, json, several ? more : names))
        return;
    const char *kind = json_get_text(reader, json, "kind"), *name = json_get_text(reader, json, "case"),
               *file = json_get_text(reader, json, "file"), *message = json_get_text(reader, json, "message");
    uint32_t line = (uint32_t)json_get_count(reader, json, "line", UINT32_MAX);
    uint64_t count = json_get_count(reader, json, "count", INT64_MAX);
    uint32_t cases = several ? (uint32_t)json_get_count(reader, json, "cases", UINT32_MAX) : 0,
             before = report->remark_count;
    if (!reader->failed && !report_add_remark(report, kind, name, file, line, message, count))
        json_fail(reader, NULL, "out of memory");
    else if (several && report->remark_count > before)
        report->remarks[before].cases = cases;
}

static void score_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"points", "max", "pass", "passed", "too_close", NULL};
    size_t mark = json_enter(reader, "score");
    if (json_expect_keys(reader, json, names)) {
        report->score_points = json_get_number(reader, json, "points", true);
        report->score_max = json_get_number(reader, json, "max", true);
        report->score_pass = json_get_number(reader, json, "pass", true);
        report->score_passed = json_get_bool(reader, json, "passed");
        report->too_close = json_get_bool(reader, json, "too_close");
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

static void files_from_json(struct report *report, struct json_reader *reader, const json_t *json) {
    const json_t *files = json_get_array(reader, json, "files");
    for (size_t i = 0; i < json_array_size(files) && !reader->failed; i++) {
        const char *path = json_string_value(json_array_get(files, i));
        if (path == NULL)
            json_fail(reader, "files", "expected text");
        else if (!report_add_file(report, path))
            json_fail(reader, "files", "out of memory");
    }
}

static void steps_from_json(struct report_steps *steps, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {"count", "reached", "title", "next", NULL};
    size_t mark = json_enter(reader, "steps");
    if (json_expect_keys(reader, json, names)) {
        steps->count = (uint32_t)json_get_count(reader, json, "count", 1000);
        steps->reached = (uint32_t)json_get_count(reader, json, "reached", steps->count);
        json_get_short(reader, json, "title", steps->title, sizeof steps->title);
        json_get_short(reader, json, "next", steps->next, sizeof steps->next);
    }
    json_leave(reader, mark);
}

static void read_document(struct report *report, struct json_reader *reader, const json_t *json) {
    static const char *const names[] = {
        "schema",  "lab",          "title",    "source",      "files", "device",      "problem", "parts",
        "failure", "output",       "flags",    "correctness", "runs",  "cpu_us",      "goals",   "score",
        "remarks", "not_recorded", "measured", "steps",       "after", "predictions", "clocks",  NULL};
    if (!json_expect_keys(reader, json, names))
        return;
    report->lab = json_get_copy(reader, json, "lab", true);
    report->title = json_get_copy(reader, json, "title", true);
    report->source = json_get_copy(reader, json, "source", true);
    files_from_json(report, reader, json);
    device_from_json(&report->device, reader, json_get_object(reader, json, "device"));
    if (json_object_get(json, "clocks") != NULL)
        report_clocks_from_json(&report->clocks, reader, json_get_object(reader, json, "clocks"));
    problem_from_json(&report->problem, reader, json_get_object(reader, json, "problem"));
    items_from_json(report, reader, json, "parts", part_item_from_json);
    failure_from_json(report, reader, json_get(reader, json, "failure"));
    report->output = json_get_copy(reader, json, "output", true);
    if (json_object_get(json, "flags") != NULL)
        items_from_json(report, reader, json, "flags", flag_from_json);
    if (json_object_get(json, "remarks") != NULL)
        items_from_json(report, reader, json, "remarks", remark_from_json);
    correctness_from_json(report, reader, json_get_object(reader, json, "correctness"));
    items_from_json(report, reader, json, "runs", run_from_json);
    report->cpu_us = json_get_number(reader, json, "cpu_us", true);
    items_from_json(report, reader, json, "goals", goal_from_json);
    score_from_json(report, reader, json_get_object(reader, json, "score"));
    if (json_object_get(json, "steps") != NULL)
        steps_from_json(&report->steps, reader, json_get_object(reader, json, "steps"));
    if (json_object_get(json, "predictions") != NULL)
        items_from_json(report, reader, json, "predictions", prediction_from_json);
    if (json_object_get(json, "after") != NULL)
        report->after = json_get_copy(reader, json, "after", false);
    if (json_object_get(json, "measured") != NULL)
        report->measured = json_get_copy(reader, json, "measured", false);
    if (json_object_get(json, "not_recorded") != NULL)
        report->not_recorded = json_get_copy(reader, json, "not_recorded", false);
}

bool report_from_json(struct report *report, const json_t *json, char *error, size_t size) {
    *report = (struct report){0};
    struct json_reader reader;
    json_reader_init(&reader, error, size);
    if (!json_is_object(json))
        return json_fail(&reader, "report", "expected an object");
    uint64_t schema = json_get_count(&reader, json, "schema", UINT32_MAX);
    if (schema != REPORT_SCHEMA && schema != 1)
        return json_fail(&reader, "schema", "not 1 or 2: written by another version of the kit");
    json_t *older = schema == 1 ? upgraded(&reader, json) : NULL;
    if (!reader.failed)
        read_document(report, &reader, older != NULL ? older : json);
    json_decref(older);
    if (reader.failed)
        report_free(report);
    return !reader.failed;
}

bool report_settle(struct report *report, char *error, size_t size) {
    struct report settled;
    json_t *json = report_to_json(report);
    if (json == NULL)
        snprintf(error, size, "out of memory");
    bool right = json != NULL && report_from_json(&settled, json, error, size);
    json_decref(json);
    if (right) {
        report_free(report);
        *report = settled;
    }
    return right;
}

bool report_read(struct report *report, const char *path, char *error, size_t size) {
    *report = (struct report){0};
    size_t length;
    char *text = file_read(path, REPORT_FILE_LIMIT, &length, error, size);
    if (text == NULL)
        return false;
    json_error_t fault;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    if (json == NULL) {
        snprintf(error, size, "%s:%d: %s", path, fault.line, fault.text);
        return false;
    }
    char message[REPORT_ERROR_SIZE];
    bool right = report_from_json(report, json, message, sizeof message);
    if (!right)
        snprintf(error, size, "%s: %s", path, message);
    json_decref(json);
    return right;
}

/* report_write.c: a report as the report.json document, written whole or not at all. */
#include "analysis/json_read.h"
#include "analysis/report.h"
#include "base/file.h"

#include <math.h>
#include <string.h>

static json_t *device_to_json(const struct report_device *device) {
    return json_pack("{s:o, s:o, s:o, s:o}", "kind", json_text(device->kind), "gpu", json_text(device->gpu),
                     "model", json_text(device->model), "toolkit", json_text(device->toolkit));
}

static json_t *problem_to_json(const struct report_problem *problem) {
    return json_pack("{s:I, s:I, s:I, s:o}", "width", (json_int_t)problem->width, "height",
                     (json_int_t)problem->height, "seed", (json_int_t)problem->seed, "image",
                     json_text(problem->image));
}

static json_t *wrong_to_json(const struct report_wrong *wrong) {
    json_t *listed = json_array();
    if (!wrong->present) {
        json_decref(listed);
        return json_null();
    }
    for (uint32_t i = 0; i < wrong->listed_count; i++) {
        const struct report_element *element = &wrong->listed[i];
        json_array_append_new(listed,
                              json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)element->index, "where",
                                        json_text(element->where), "got", json_text(element->got), "expected",
                                        json_text(element->expected)));
    }
    if (json_array_size(listed) != wrong->listed_count) {
        json_decref(listed);
        return NULL;
    }
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:I, s:b, s:o}", "case", json_text(wrong->name), "message",
                             json_text(wrong->message), "hint", json_text(wrong->hint), "place",
                             json_text(wrong->place), "elements", (json_int_t)wrong->elements,
                             "nondeterministic", (int)wrong->nondeterministic, "listed", listed);
    if (wrong->cause[0] != '\0' &&
        json_object_set_new(json, "cause",
                            json_pack("{s:o, s:I}", "kind", json_text(wrong->cause), "cases",
                                      (json_int_t)wrong->cause_cases)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
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
    return json_pack("{s:I, s:I, s:o, s:o, s:o}", "passed", (json_int_t)report->cases_passed, "failed",
                     (json_int_t)report->cases_failed, "criterion", json_text(report->criterion), "cases",
                     cases, "wrong", wrong_to_json(&report->wrong));
}

/* A part stands in the document only where a lab has several: others are written as they always were. */
static json_t *with_part(json_t *json, const char *part) {
    if (json != NULL && part != NULL && json_object_set_new(json, "part", json_text(part)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
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
    if (json != NULL && run->unpaid[0] != '\0' &&
        json_object_set_new(json, "unpaid", json_string(run->unpaid)) != 0) {
        json_decref(json);
        return NULL;
    }
    if (json != NULL && run->note[0] != '\0' &&
        json_object_set_new(json, "note", json_string(run->note)) != 0) {
        json_decref(json);
        return NULL;
    }
    if (json != NULL && (isfinite(run->measured_us) || run->contradicted[0] != '\0') &&
        (json_object_set_new(json, "measured_us", json_number(run->measured_us)) != 0 ||
         json_object_set_new(json, "contradicted", json_text(run->contradicted)) != 0)) {
        json_decref(json);
        return NULL;
    }
    return with_part(json, run->part);
}

static json_t *goal_to_json(const struct report_goal *goal) {
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(goal->name), "measure",
                             json_text(goal->measure), "value", json_number(goal->value), "zero",
                             json_number(goal->zero), "full", json_number(goal->full), "points",
                             json_number(goal->points), "max", json_number(goal->max));
    if (json != NULL && goal->barred != NULL &&
        json_object_set_new(json, "barred", json_text(goal->barred)) != 0) {
        json_decref(json);
        return NULL;
    }
    return with_part(json, goal->part);
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

static json_t *predictions_to_json(const struct report *report) {
    json_t *predictions = json_array();
    for (uint32_t i = 0; predictions != NULL && i < report->prediction_count; i++) {
        const struct report_prediction *p = &report->predictions[i];
        json_array_append_new(predictions,
                              json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "key", json_text(p->key), "unit",
                                        json_text(p->unit), "predicted", json_text(p->predicted), "measured",
                                        json_text(p->measured), "tolerance", json_number(p->tolerance),
                                        "right", p->right));
    }
    if (json_array_size(predictions) == report->prediction_count)
        return predictions;
    json_decref(predictions);
    return NULL;
}

static json_t *remarks_to_json(const struct report *report) {
    json_t *remarks = json_array();
    for (uint32_t i = 0; remarks != NULL && i < report->remark_count; i++) {
        const struct report_remark *remark = &report->remarks[i];
        json_t *item = json_pack("{s:o, s:o, s:o, s:I, s:o, s:I}", "kind", json_text(remark->kind), "case",
                                 json_text(remark->name), "file", json_text(remark->file), "line",
                                 (json_int_t)remark->line, "message", json_text(remark->message), "count",
                                 (json_int_t)remark->count);
        if (item != NULL && remark->cases > 1 &&
            json_object_set_new(item, "cases", json_integer(remark->cases)) != 0) {
            json_decref(item);
            item = NULL;
        }
        json_array_append_new(remarks, item);
    }
    if (json_array_size(remarks) == report->remark_count)
        return remarks;
    json_decref(remarks);
    return NULL;
}

static json_t *files_to_json(const struct report *report) {
    json_t *files = json_array();
    int failed = files == NULL;
    for (uint32_t i = 0; i < report->file_count; i++)
        failed |= json_array_append_new(files, json_text(report->files[i]));
    if (!failed)
        return files;
    json_decref(files);
    return NULL;
}

static json_t *parts_to_json(const struct report *report) {
    json_t *parts = json_array();
    int failed = parts == NULL;
    for (uint32_t i = 0; i < report->part_count; i++)
        failed |= json_array_append_new(
            parts, json_pack("{s:o, s:o, s:o}", "name", json_text(report->parts[i].name), "title",
                             json_text(report->parts[i].title), "case", json_text(report->parts[i].timed)));
    if (!failed)
        return parts;
    json_decref(parts);
    return NULL;
}

static json_t *failure_to_json(const struct report *report) {
    if (report->failure_stage == NULL)
        return json_null();
    return json_pack("{s:o, s:o}", "stage", json_text(report->failure_stage), "message",
                     json_text(report->failure_message));
}

static json_t *score_to_json(const struct report *report) {
    return json_pack("{s:o, s:o, s:o, s:b, s:b}", "points", json_number(report->score_points), "max",
                     json_number(report->score_max), "pass", json_number(report->score_pass), "passed",
                     (int)report->score_passed, "too_close", (int)report->too_close);
}

json_t *report_to_json(const struct report *report) {
    json_t *json = json_object(), *runs = json_array(), *goals = json_array();
    int failed = json == NULL || runs == NULL || goals == NULL;
    for (uint32_t i = 0; i < report->run_count; i++)
        failed |= json_array_append_new(runs, run_to_json(&report->runs[i]));
    for (uint32_t i = 0; i < report->goal_count; i++)
        failed |= json_array_append_new(goals, goal_to_json(&report->goals[i]));
    failed |= json_object_set_new(json, "schema", json_integer(REPORT_SCHEMA));
    failed |= json_object_set_new(json, "lab", json_text(report->lab));
    failed |= json_object_set_new(json, "title", json_text(report->title));
    failed |= json_object_set_new(json, "source", json_text(report->source));
    failed |= json_object_set_new(json, "files", files_to_json(report));
    failed |= json_object_set_new(json, "device", device_to_json(&report->device));
    if (report->clocks.present)
        failed |= json_object_set_new(json, "clocks", report_clocks_to_json(&report->clocks));
    failed |= json_object_set_new(json, "problem", problem_to_json(&report->problem));
    failed |= json_object_set_new(json, "parts", parts_to_json(report));
    failed |= json_object_set_new(json, "failure", failure_to_json(report));
    failed |= json_object_set_new(json, "output", json_text(report->output));
    if (report->flag_count > 0)
        failed |= json_object_set_new(json, "flags", flags_to_json(report));
    if (report->remark_count > 0)
        failed |= json_object_set_new(json, "remarks", remarks_to_json(report));
    failed |= json_object_set_new(json, "correctness", correctness_to_json(report));
    failed |= json_object_set_new(json, "runs", runs);
    failed |= json_object_set_new(json, "cpu_us", json_number(report->cpu_us));
    failed |= json_object_set_new(json, "goals", goals);
    failed |= json_object_set_new(json, "score", score_to_json(report));
    if (report->steps.count > 0)
        failed |= json_object_set_new(
            json, "steps",
            json_pack("{s:I, s:I, s:o, s:o}", "count", (json_int_t)report->steps.count, "reached",
                      (json_int_t)report->steps.reached, "title", json_text(report->steps.title), "next",
                      json_text(report->steps.next)));
    if (report->prediction_count > 0)
        failed |= json_object_set_new(json, "predictions", predictions_to_json(report));
    if (report->after != NULL)
        failed |= json_object_set_new(json, "after", json_text(report->after));
    if (report->measured != NULL)
        failed |= json_object_set_new(json, "measured", json_text(report->measured));
    if (report->not_recorded != NULL)
        failed |= json_object_set_new(json, "not_recorded", json_text(report->not_recorded));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

bool report_write(const struct report *report, const char *path, char *error, size_t size) {
    struct file_output file;
    json_t *json = report_to_json(report);
    bool right = json != NULL;
    if (!right)
        snprintf(error, size, "%s: out of memory, or text that is not UTF-8", path);
    right = right && file_begin_at(&file, path, error, size);
    if (right) {
        right = json_dumpf(json, file.file, JSON_INDENT(1) | REPORT_JSON_FLAGS) == 0 || ferror(file.file);
        fputc('\n', file.file);
        if (right) { /* what the disk did not take is seen here */
            right = file_end(&file, error, size);
        } else {
            snprintf(error, size, "%s: out of memory", path);
            file_discard(&file);
        }
    }
    json_decref(json);
    return right;
}

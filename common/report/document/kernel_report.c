/* kernel_report.c: converts one launch to JSON and back. */
#include "report/document/kernel_report.h"

#include "report/document/fields.h"

#include <stdio.h>

void kernel_report_free(struct kernel_report *report) {
    record_free(&kernel_record, report);
    *report = (struct kernel_report){0};
}

bool kernel_at_limit(const struct kernel_report *report) {
    static const double full = 0.8;
    return report->limiter < GPU_UNIT_COUNT && !(report->unit_share[report->limiter] < full);
}

uint64_t kernel_launches(const struct kernel_report *report) {
    return report->launches > 1 ? report->launches : 1;
}

json_t *kernel_report_to_json(const struct kernel_report *report) {
    return record_to_json(&kernel_record, report);
}

bool kernel_report_from_json(struct kernel_report *report, const json_t *json, char *error, size_t size) {
    struct field_reader reader;
    field_reader_init(&reader, REPORT_SCHEMA, error, size);
    *report = (struct kernel_report){0};
    bool right = record_from_json(&kernel_record, report, json, &reader);
    if (!right)
        kernel_report_free(report);
    return right;
}

bool kernel_report_by_counters(const struct kernel_report *report) {
    return report->time_source == TIME_MODEL && !report->waits.known;
}

void kernel_timed_words(const struct kernel_report *report, char *text, size_t size) {
    static const char *const words[TIMED_BY_COUNT] = {"", "timed by its machine code",
                                                      "timed by machine code that ptxas made of its PTX",
                                                      "timed by its counters"};
    const char *by = words[report->timed_by], *why = report->timed_why;
    snprintf(text, size, "%s%s%s", by, *by != '\0' && *why != '\0' ? "; " : "", why);
}

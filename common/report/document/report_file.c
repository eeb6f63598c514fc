/* report_file.c: reads report.json strictly, and writes it whole or not at all. */
#include "base/file.h"
#include "report/document/fields.h"
#include "report/document/report.h"

#include <stdlib.h>

enum { REPORT_FILE_LIMIT = 256 << 20 };

json_t *report_to_json(const struct report *report) {
    return record_to_json(&report_record, report);
}

bool report_from_json(struct report *report, const json_t *json, char *error, size_t size) {
    const json_t *schema = json_object_get(json, "schema");
    struct field_reader reader;
    *report = (struct report){0};
    field_reader_init(&reader, (unsigned)json_integer_value(schema), error, size);
    if (!json_is_object(json))
        field_fail(&reader, "report", "expected an object");
    else if (!json_is_integer(schema) || json_integer_value(schema) < 1 ||
             json_integer_value(schema) > REPORT_SCHEMA)
        field_fail(&reader, "schema", "not 1 or 2: written by another version of the kit");
    else
        (void)record_from_json(&report_record, report, json, &reader);
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
    if (json == NULL)
        return fails(error, size, "%s:%d: %s", path, fault.line, fault.text);
    char message[REPORT_ERROR_SIZE];
    bool right = report_from_json(report, json, message, sizeof message);
    if (!right)
        snprintf(error, size, "%s: %s", path, message);
    json_decref(json);
    return right;
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
        if (right) { /* a write error shows here */
            right = file_end(&file, error, size);
        } else {
            snprintf(error, size, "%s: out of memory", path);
            file_discard(&file);
        }
    }
    json_decref(json);
    return right;
}

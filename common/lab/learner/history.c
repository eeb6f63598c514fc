/* history.c: a line for each run: {"when", "source", "report"}; source is the text of the kernel, report a report with
 * the learner's own runs alone. */
#include "lab/learner/history.h"

#include "base/file.h"
#include "lab/commands/commands.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILE_MOST = 32 << 20 };

#define FILE_NAME ".history.jsonl"

static bool own_folder(const struct settings *s, char path[PATH_SIZE]) {
    return path_print(path, "%s/labs/%s-%s", s->keep, s->lab.id, s->lab.topic);
}

/* ---- what a line holds */

/* Only the learner's runs, without what the comparison does not look at. */
static bool trim(json_t *report) {
    json_t *runs = json_object_get(report, "runs"), *correctness = json_object_get(report, "correctness");
    bool failed = false;
    for (size_t i = json_array_size(runs); i-- > 0;) {
        json_t *run = json_array_get(runs, i), *kernels = json_object_get(run, "kernels");
        const char *name = json_string_value(json_object_get(run, "name"));
        if (name == NULL || strcmp(name, RUN_YOURS) != 0) {
            failed |= json_array_remove(runs, i);
            continue;
        }
        for (size_t k = 0; k < json_array_size(kernels); k++) {
            json_t *lines = json_object_get(json_array_get(kernels, k), "lines");
            for (size_t l = 0; l < json_array_size(lines); l++)
                failed |= json_object_set_new(json_array_get(lines, l), "facts", json_null());
        }
    }
    failed |= json_object_set_new(correctness, "cases", json_array());
    failed |= json_object_set_new(correctness, "passed", json_integer(0));
    failed |= json_object_set_new(correctness, "failed", json_integer(0));
    failed |= json_object_set_new(report, "files", json_array());
    failed |= json_object_set_new(report, "output", json_null());
    (void)json_object_del(report, "remarks"); /* it need not be there */
    return !failed;
}

/* The text of the student's kernel as JSON takes it; NULL: it cannot be read. */
static char *source_text(const struct settings *s) {
    char path[PATH_SIZE];
    command_student_file(s, path);
    char *text = command_read_text(path);
    for (unsigned char *at = (unsigned char *)text; at != NULL && *at != '\0'; at++)
        if (*at >= 0x80 || (*at < ' ' && *at != '\n' && *at != '\t'))
            *at = '?';
    return text;
}

static json_t *entry(const char *source, const struct report *report) {
    char when[32] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) == NULL || strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local) == 0)
        snprintf(when, sizeof when, "an unknown time");
    json_t *document = report_to_json(report);
    if (document == NULL || !trim(document)) {
        json_decref(document);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o}", "when", when, "source", source, "report", document);
}

/* ---- the file */

struct lines {
    uint32_t count;
    json_t *items[HISTORY_MOST]; /* the oldest first */
};

static void free_lines(struct lines *lines) {
    for (uint32_t i = 0; i < lines->count; i++)
        json_decref(lines->items[i]);
    lines->count = 0;
}

static void append(struct lines *lines, json_t *item) {
    if (lines->count == HISTORY_MOST) {
        json_decref(lines->items[0]);
        memmove(lines->items, lines->items + 1, (HISTORY_MOST - 1) * sizeof lines->items[0]);
        lines->count--;
    }
    lines->items[lines->count++] = item;
}

/* What of it can be read. */
static void load(const struct settings *s, struct lines *lines) {
    char folder[PATH_SIZE], path[PATH_SIZE], why[128];
    lines->count = 0;
    char *text = own_folder(s, folder) && path_join(path, folder, FILE_NAME)
                     ? file_read(path, FILE_MOST, NULL, why, sizeof why)
                     : NULL;
    for (char *next = text; next != NULL && *next != '\0';) {
        const char *line = strsep(&next, "\n");
        json_t *item = json_loads(line, 0, NULL);
        if (json_is_string(json_object_get(item, "source")) &&
            json_is_string(json_object_get(item, "when")) && json_is_object(json_object_get(item, "report")))
            append(lines, item);
        else
            json_decref(item);
    }
    free(text);
}

static bool same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key)) == 1;
}

static bool same_problem(const json_t *a, const json_t *b) {
    const json_t *left = json_object_get(a, "report"), *right = json_object_get(b, "report");
    return same(left, right, "device") && same(left, right, "problem");
}

bool history_keep(const struct settings *s, const struct report *report, char *error, size_t size) {
    struct lines lines;
    char folder[PATH_SIZE];
    if (report->failure_stage != STAGE_NONE || report_find_run(report, RUN_YOURS) == NULL)
        return true;
    char *source = source_text(s);
    json_t *item = source != NULL ? entry(source, report) : NULL;
    free(source);
    if (item == NULL || !own_folder(s, folder)) {
        json_decref(item);
        return fails(error, size, "this run cannot be kept: out of memory, or kernel.cu cannot be read");
    }
    load(s, &lines);
    json_t *last = lines.count > 0 ? lines.items[lines.count - 1] : NULL;
    if (last != NULL && same(last, item, "source") && same_problem(last, item)) {
        json_decref(last);
        lines.items[lines.count - 1] = item;
    } else {
        append(&lines, item);
    }
    struct file_output output;
    bool right = file_begin(&output, folder, FILE_NAME, error, size);
    for (uint32_t i = 0; right && i < lines.count; i++) {
        if (json_dumpf(lines.items[i], output.file, JSON_COMPACT | REPORT_JSON_FLAGS) != 0 ||
            fputc('\n', output.file) == EOF) {
            file_discard(&output);
            snprintf(error, size, "%s cannot be written", output.path);
            right = false;
        }
    }
    free_lines(&lines);
    return right && file_end(&output, error, size);
}

static double time_of(const json_t *line) {
    double sum = 0;
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(json_object_get(line, "report"), "runs"), i, run) sum +=
        json_number_value(json_object_get(run, "time_us"));
    return sum > 0 ? sum : NAN;
}

static void add_past(struct changes *changes, const json_t *line) {
    const json_t *score = json_object_get(json_object_get(line, "report"), "score");
    if (changes->past_count == PAST_MOST) {
        memmove(changes->past, changes->past + 1, (PAST_MOST - 1) * sizeof changes->past[0]);
        changes->past_count--;
    }
    struct past_run *past = &changes->past[changes->past_count++];
    *past = (struct past_run){.time_us = time_of(line),
                              .points = json_number_value(json_object_get(score, "points")),
                              .max = json_number_value(json_object_get(score, "max"))};
    snprintf(past->when, sizeof past->when, "%.31s", json_string_value(json_object_get(line, "when")));
}

bool history_changes(const struct settings *s, const struct report *report, struct changes *changes) {
    struct lines lines;
    struct report before;
    char error[REPORT_ERROR_SIZE];
    *changes = (struct changes){0};
    char *source = source_text(s);
    json_t *now = source != NULL ? entry(source, report) : NULL, *other = NULL;
    load(s, &lines);
    for (uint32_t i = 0; now != NULL && i < lines.count; i++) {
        if (!same_problem(lines.items[i], now))
            continue;
        bool kept = i + 1 == lines.count && same(lines.items[i], now, "source");
        if (!same(lines.items[i], now, "source"))
            other = lines.items[i];
        if (!kept)
            add_past(changes, lines.items[i]);
    }
    bool found =
        other != NULL && report_from_json(&before, json_object_get(other, "report"), error, sizeof error);
    if (found) {
        add_past(changes, now);
        snprintf(changes->since, sizeof changes->since, "%.31s",
                 json_string_value(json_object_get(other, "when")));
        found = changes_between(&before, json_string_value(json_object_get(other, "source")), report, source,
                                changes);
        report_free(&before);
    }
    free_lines(&lines);
    json_decref(now);
    free(source);
    return found;
}

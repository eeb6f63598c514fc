/* executed.c: machine instructions by source line: kept, added up, to JSON and back. */
#include "analysis/executed.h"

#include "analysis/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum counter counter_at(int i) {
    return (enum counter)(FIRST_MACHINE_COUNTER + i);
}

/* The instructions of a line. */
static uint64_t all_of(const struct executed_line *line) {
    return line->counts[COUNTER_inst_executed - FIRST_MACHINE_COUNTER];
}

void kernel_executed_free(struct kernel_executed *executed) {
    for (uint32_t i = 0; executed->lines != NULL && i < executed->count; i++)
        free(executed->lines[i].file);
    free(executed->lines);
    *executed = (struct kernel_executed){0};
}

static int by_instructions(const void *left, const void *right) {
    const struct executed_line *a = left, *b = right;
    if ((a->line == 0) != (b->line == 0))
        return a->line == 0 ? 1 : -1;
    if (all_of(a) != all_of(b))
        return all_of(a) < all_of(b) ? 1 : -1;
    int file = strcmp(a->file, b->file);
    return file != 0 ? file : a->line < b->line ? -1 : a->line > b->line;
}

static void add(struct executed_line *into, const struct executed_line *line) {
    for (int i = 0; i < MACHINE_COUNTERS; i++)
        into->counts[i] += line->counts[i];
}

bool kernel_executed_sort(struct kernel_executed *executed) {
    if (executed->count > 1)
        qsort(executed->lines, executed->count, sizeof *executed->lines, by_instructions);
    struct executed_line rest = {0};
    while (executed->count > EXECUTED_LINES ||
           (executed->count > 0 && executed->lines[executed->count - 1].line == 0)) {
        struct executed_line *last = &executed->lines[--executed->count];
        add(&rest, last);
        free(last->file);
    }
    if (all_of(&rest) == 0)
        return true;
    rest.file = strdup("");
    if (rest.file != NULL)
        executed->lines[executed->count++] = rest;
    return rest.file != NULL;
}

const struct executed_line *kernel_executed_find(const struct kernel_executed *executed, const char *file,
                                                 uint32_t line) {
    for (uint32_t i = 0; i < executed->count; i++)
        if (executed->lines[i].line == line && strcmp(executed->lines[i].file, file) == 0)
            return &executed->lines[i];
    return NULL;
}

bool kernel_executed_fold(struct kernel_executed *executed, const struct kernel_executed *other) {
    if (!executed->known || !other->known) {
        kernel_executed_free(executed);
        return true;
    }
    struct executed_line *lines =
        realloc(executed->lines, (executed->count + other->count + 1) * sizeof *lines);
    if (lines == NULL)
        return false;
    executed->lines = lines;
    for (uint32_t i = 0; i < other->count; i++) {
        struct executed_line line = other->lines[i];
        const struct executed_line *there = kernel_executed_find(executed, line.file, line.line);
        if (there != NULL) {
            add(&lines[there - lines], &line);
            continue;
        }
        line.file = strdup(line.file);
        if (line.file == NULL)
            return false;
        lines[executed->count++] = line;
    }
    return kernel_executed_sort(executed);
}

double executed_share(const struct kernel_executed *executed, const struct executed_line *line) {
    double all = 0;
    for (uint32_t i = 0; i < executed->count; i++)
        all += (double)all_of(&executed->lines[i]);
    return all > 0 ? (double)all_of(line) / all : 0;
}

void executed_pipes(const struct executed_line *line, char *text, size_t size) {
    enum { FIRST_PIPE = COUNTER_pipe_fma - FIRST_MACHINE_COUNTER, MOST = 3 };
    enum { PIPES_END = COUNTER_pipe_cbu - FIRST_MACHINE_COUNTER + 1 };
    uint64_t left[MACHINE_COUNTERS];
    memcpy(left, line->counts, sizeof left);
    if (size > 0)
        *text = '\0';
    for (int n = 0; n < MOST; n++) {
        int top = FIRST_PIPE;
        for (int i = FIRST_PIPE; i < PIPES_END; i++)
            top = left[i] > left[top] ? i : top;
        double share = all_of(line) > 0 ? 100 * (double)left[top] / (double)all_of(line) : 0;
        if (share < 1)
            return;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %.0f", n > 0 ? ", " : "",
                 counter_name(counter_at(top)) + strlen("pipe_"), share);
        left[top] = 0;
    }
}

/* ---- JSON */

/* A count of 0 is left out. */
json_t *kernel_executed_to_json(const struct kernel_executed *executed) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < executed->count; i++) {
        const struct executed_line *line = &executed->lines[i];
        json_t *item = json_pack("{s:o, s:I}", "file", json_text(line->file), "line", (json_int_t)line->line);
        int failed = item == NULL;
        for (int k = 0; k < MACHINE_COUNTERS && !failed; k++)
            if (line->counts[k] != 0)
                failed |= json_object_set_new(item, counter_name(counter_at(k)),
                                              json_integer((json_int_t)line->counts[k]));
        if (failed)
            json_decref(item);
        if (failed || json_array_append_new(json, item) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static void read_line(struct executed_line *line, struct json_reader *reader, const json_t *item) {
    line->line = (uint32_t)json_get_count(reader, item, "line", UINT32_MAX);
    for (int i = 0; i < MACHINE_COUNTERS; i++) {
        const char *name = counter_name(counter_at(i));
        if (json_object_get(item, name) != NULL)
            line->counts[i] = json_get_count(reader, item, name, INT64_MAX);
    }
}

void kernel_executed_read(struct kernel_executed *executed, struct json_reader *reader,
                          const json_t *kernel) {
    const json_t *array = json_object_get(kernel, "executed");
    const char *names[MACHINE_COUNTERS + 3] = {"file", "line"};
    for (int i = 0; i < MACHINE_COUNTERS; i++)
        names[i + 2] = counter_name(counter_at(i));
    if (array == NULL)
        return;
    if (!json_is_array(array)) {
        json_fail(reader, "executed", "expected an array");
        return;
    }
    executed->known = true;
    executed->lines = calloc(json_array_size(array) + 1, sizeof *executed->lines);
    if (executed->lines == NULL) {
        json_fail(reader, "executed", "out of memory");
        return;
    }
    for (size_t i = 0; i < json_array_size(array) && !reader->failed; i++) {
        const json_t *item = json_array_get(array, i);
        size_t mark = json_enter_item(reader, "executed", i);
        if (json_expect_keys(reader, item, names)) {
            executed->lines[i].file = json_get_copy(reader, item, "file", false);
            executed->count = (uint32_t)i + 1;
            read_line(&executed->lines[i], reader, item);
        }
        json_leave(reader, mark);
    }
}

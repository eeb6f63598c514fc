/* waits.c: why warps wait: kept, added up, to JSON and back. */
#include "analysis/waits.h"

#include "analysis/format.h"
#include "analysis/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void kernel_waits_free(struct kernel_waits *waits) {
    for (uint32_t i = 0; waits->lines != NULL && i < waits->count; i++)
        free(waits->lines[i].file);
    free(waits->lines);
    *waits = (struct kernel_waits){0};
}

static int by_share(const void *left, const void *right) {
    const struct kernel_wait *a = left, *b = right;
    if (a->share != b->share)
        return a->share < b->share ? 1 : -1;
    int file = strcmp(a->file, b->file);
    return file != 0 ? file : a->line < b->line ? -1 : a->line > b->line;
}

void kernel_waits_sort(struct kernel_waits *waits) {
    if (waits->count > 1)
        qsort(waits->lines, waits->count, sizeof *waits->lines, by_share);
    while (waits->count > KERNEL_WAITS)
        free(waits->lines[--waits->count].file);
}

const struct kernel_wait *kernel_waits_find(const struct kernel_waits *waits, const char *file,
                                            uint32_t line) {
    for (uint32_t i = 0; i < waits->count; i++)
        if (waits->lines[i].line == line && strcmp(waits->lines[i].file, file) == 0)
            return &waits->lines[i];
    return NULL;
}

/* One line of both launches; of two reasons the one that takes more of the time counts. */
static void fold_line(struct kernel_wait *into, const struct kernel_wait *line) {
    into->share += line->share;
    if (into->stall == line->stall) {
        into->stall_share += line->stall_share;
    } else if (line->stall_share > into->stall_share) {
        into->stall = line->stall;
        into->stall_share = line->stall_share;
    }
}

bool kernel_waits_fold(struct kernel_waits *waits, double weight, const struct kernel_waits *other,
                       double other_weight) {
    double all = weight + other_weight;
    if (!waits->known || !other->known || !(all > 0)) {
        kernel_waits_free(waits);
        return true;
    }
    struct kernel_wait *lines = realloc(waits->lines, (waits->count + other->count + 1) * sizeof *lines);
    if (lines == NULL)
        return false;
    waits->lines = lines;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        waits->share[i] = (waits->share[i] * weight + other->share[i] * other_weight) / all;
    for (uint32_t i = 0; i < waits->count; i++) {
        lines[i].share *= weight / all;
        lines[i].stall_share *= weight / all;
    }
    for (uint32_t i = 0; i < other->count; i++) {
        struct kernel_wait line = other->lines[i];
        line.share *= other_weight / all;
        line.stall_share *= other_weight / all;
        const struct kernel_wait *there = kernel_waits_find(waits, line.file, line.line);
        if (there != NULL) {
            fold_line(&lines[there - lines], &line);
            continue;
        }
        line.file = strdup(line.file);
        if (line.file == NULL)
            return false;
        lines[waits->count++] = line;
    }
    kernel_waits_sort(waits);
    return true;
}

/* ---- words */

void kernel_waits_words(const struct kernel_waits *waits, char *text, size_t size) {
    double left[GPU_STALL_COUNT];
    char share[FORMAT_SIZE];
    if (size > 0)
        *text = '\0';
    if (!waits->known)
        return;
    memcpy(left, waits->share, sizeof left);
    for (int i = 0; i < 4; i++) {
        enum gpu_stall top = gpu_stall_top(left);
        if (top == GPU_STALL_COUNT || (i > 0 && left[top] < 0.05))
            return;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %s", i > 0 ? ", " : "", gpu_stall_meaning(top),
                 format_share(share, left[top]));
        left[top] = 0;
    }
}

/* ---- JSON */

json_t *kernel_stalls_to_json(const struct kernel_waits *waits) {
    json_t *json = json_object();
    int failed = json == NULL;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        failed |= json_object_set_new(json, gpu_stall_name((enum gpu_stall)i), json_number(waits->share[i]));
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

json_t *kernel_waits_to_json(const struct kernel_waits *waits) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < waits->count; i++) {
        const struct kernel_wait *line = &waits->lines[i];
        json_t *item = json_pack("{s:o, s:I, s:o, s:s, s:o}", "file", json_text(line->file), "line",
                                 (json_int_t)line->line, "share", json_number(line->share), "stall",
                                 gpu_stall_name(line->stall), "stall_share", json_number(line->stall_share));
        if (json_array_append_new(json, item) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static bool find_stall(const char *name, enum gpu_stall *stall) {
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        if (strcmp(gpu_stall_name((enum gpu_stall)i), name) == 0) {
            *stall = (enum gpu_stall)i;
            return true;
        }
    return false;
}

static void read_lines(struct kernel_waits *waits, struct json_reader *reader, const json_t *array) {
    static const char *const names[] = {"file", "line", "share", "stall", "stall_share", NULL};
    waits->lines = calloc(json_array_size(array) + 1, sizeof *waits->lines);
    if (waits->lines == NULL) {
        json_fail(reader, "waits", "out of memory");
        return;
    }
    for (size_t i = 0; i < json_array_size(array) && !reader->failed; i++) {
        const json_t *item = json_array_get(array, i);
        struct kernel_wait *line = &waits->lines[i];
        size_t mark = json_enter_item(reader, "waits", i);
        if (json_expect_keys(reader, item, names)) {
            line->file = json_get_copy(reader, item, "file", false);
            waits->count = (uint32_t)i + 1;
            line->line = (uint32_t)json_get_count(reader, item, "line", UINT32_MAX);
            line->share = json_get_number(reader, item, "share", false);
            line->stall_share = json_get_number(reader, item, "stall_share", false);
            const char *stall = json_get_text(reader, item, "stall");
            if (stall != NULL && !find_stall(stall, &line->stall))
                json_fail(reader, "stall", "not a reason why warps wait");
        }
        json_leave(reader, mark);
    }
}

void kernel_waits_read(struct kernel_waits *waits, struct json_reader *reader, const json_t *kernel) {
    const char *names[GPU_STALL_COUNT + 1] = {0};
    const json_t *stalls = json_object_get(kernel, "stalls"), *lines = json_object_get(kernel, "waits");
    if (stalls != NULL) {
        for (int i = 0; i < GPU_STALL_COUNT; i++)
            names[i] = gpu_stall_name((enum gpu_stall)i);
        size_t mark = json_enter(reader, "stalls");
        if (json_expect_keys(reader, stalls, names))
            for (int i = 0; i < GPU_STALL_COUNT; i++)
                waits->share[i] = json_get_number(reader, stalls, names[i], false);
        json_leave(reader, mark);
        waits->known = true;
    }
    if (lines != NULL && !json_is_array(lines))
        json_fail(reader, "waits", "expected an array");
    else if (lines != NULL)
        read_lines(waits, reader, lines);
}

/* waits.c: why warps wait: keeps, adds and prints the reasons. */
#include "report/document/kernel_report.h"

#include "report/writers/format.h"

#include <stdio.h>
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

/* Adds a line of both launches; of two reasons the one with more time is kept. */
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

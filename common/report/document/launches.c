/* launches.c: adds each launch to the entry of its kernel. */
#include "report/document/launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines */

static bool is_same_line(const struct kernel_line *a, const struct kernel_line *b) {
    return a->line == b->line && a->kind == b->kind && strcmp(a->facts.array, b->facts.array) == 0 &&
           strcmp(a->file, b->file) == 0;
}

/* Launches of a kernel have their lines in the same order, so the search starts behind the last
 * one. */
static struct kernel_line *find_line(struct kernel_report *entry, const struct kernel_line *line,
                                     uint32_t *next) {
    for (uint32_t i = 0; i < entry->line_count; i++) {
        uint32_t at = (*next + i) % entry->line_count;
        if (is_same_line(&entry->lines[at], line)) {
            *next = at + 1;
            return &entry->lines[at];
        }
    }
    return NULL;
}

static uint64_t line_room(const struct launches *all) {
    uint64_t most = all->lines_most != 0 ? all->lines_most : LAUNCHES_LINES;
    return most - all->lines; /* room that is left */
}

/* Drops lines for which there is no room. */
static void bound_lines(struct launches *all, struct kernel_report *entry) {
    if (entry->line_count > line_room(all)) {
        uint32_t room = (uint32_t)line_room(all);
        all->lines_left_out += entry->line_count - room;
        for (uint32_t i = room; i < entry->line_count; i++)
            free(entry->lines[i].file);
        entry->line_count = room;
        struct kernel_line *fewer = realloc(entry->lines, (room + 1) * sizeof *fewer);
        entry->lines = fewer != NULL ? fewer : entry->lines;
    }
    all->lines += entry->line_count;
}

static bool add_line(struct launches *all, struct kernel_report *entry, struct kernel_line *line) {
    if (line_room(all) == 0) {
        all->lines_left_out++;
        return true;
    }
    struct kernel_line *grown = realloc(entry->lines, (entry->line_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    entry->lines = grown;
    entry->lines[entry->line_count++] = *line;
    line->file = NULL; /* it moved to the entry */
    all->lines++;
    return true;
}

static bool add_lines(struct launches *all, struct kernel_report *entry, struct kernel_report *launch) {
    bool right = true;
    uint32_t next = 0;
    for (uint32_t i = 0; right && i < launch->line_count; i++) {
        struct kernel_line *line = &launch->lines[i], *there = find_line(entry, line, &next);
        if (there == NULL) {
            right = add_line(all, entry, line);
            continue;
        }
        there->requests += line->requests;
        there->transactions += line->transactions;
        there->ideal += line->ideal;
        there->threads += line->threads;
    }
    return right;
}

/* ---- kernels */

static double weighted(double a, double a_us, double b, double b_us) {
    return a_us + b_us > 0 ? (a * a_us + b * b_us) / (a_us + b_us) : a; /* NAN: one is unknown */
}

static bool is_same_shape(const struct kernel_report *a, const struct kernel_report *b) {
    return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static void take_shape(struct kernel_report *entry, const struct kernel_report *launch) {
    memcpy(entry->grid, launch->grid, sizeof entry->grid);
    memcpy(entry->block, launch->block, sizeof entry->block);
    entry->registers = launch->registers;
    entry->shared_bytes = launch->shared_bytes;
    entry->limiter = launch->limiter;
    entry->waves = launch->waves;
    entry->tail = launch->tail;
    entry->occupancy_theoretical = launch->occupancy_theoretical;
    entry->longest_us = launch->time_us;
}

static bool fold(struct launches *all, struct kernel_report *entry, struct kernel_report *launch) {
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        entry->unit_share[unit] =
            weighted(entry->unit_share[unit], entry->time_us, launch->unit_share[unit], launch->time_us);
    entry->occupancy_achieved =
        weighted(entry->occupancy_achieved, entry->time_us, launch->occupancy_achieved, launch->time_us);
    bool right = kernel_waits_fold(&entry->waits, entry->time_us, &launch->waits, launch->time_us) &&
                 kernel_executed_fold(&entry->executed, &launch->executed);
    entry->time_us += launch->time_us;
    entry->launches++;
    entry->other_shapes = entry->other_shapes || !is_same_shape(entry, launch);
    if (launch->time_us > entry->longest_us) {
        struct kernel_what_ifs shorter = entry->what_ifs;
        entry->what_ifs = launch->what_ifs;
        launch->what_ifs = shorter; /* freed with the launch */
        take_shape(entry, launch);
    }
    if (launch->timed_by > entry->timed_by ||
        (launch->timed_by == entry->timed_by && entry->timed_why[0] == '\0')) {
        entry->timed_by = launch->timed_by; /* as certain as its least certain launch */
        memcpy(entry->timed_why, launch->timed_why, sizeof entry->timed_why);
    }
    entry->band_known = entry->band_known && launch->band_known;
    if (launch->band > entry->band) { /* off by as much as the launch that may be off most */
        entry->band = launch->band;
        entry->kind = launch->kind;
    }
    entry->spill_known = entry->spill_known && launch->spill_known;
    if (launch->spill_bytes > entry->spill_bytes)
        entry->spill_bytes = launch->spill_bytes;
    entry->code_known = entry->code_known && launch->code_known;
    if (launch->hot_code_bytes > entry->hot_code_bytes)
        entry->hot_code_bytes = launch->hot_code_bytes;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        enum counter counter = (enum counter)i;
        entry->known[i] = entry->known[i] && launch->known[i];
        counter_set(&entry->counters, counter,
                    counter_value(&entry->counters, counter) + counter_value(&launch->counters, counter));
    }
    return add_lines(all, entry, launch) && right;
}

static bool append(struct launches *all, struct kernel_report *launch) {
    if (all->count == all->capacity) {
        uint32_t capacity = all->capacity == 0 ? 8 : 2 * all->capacity;
        struct kernel_report *grown = realloc(all->kernels, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        all->kernels = grown;
        all->capacity = capacity;
    }
    struct kernel_report *entry = &all->kernels[all->count++];
    *entry = *launch;
    *launch = (struct kernel_report){0};
    entry->launches = 1;
    entry->longest_us = entry->time_us;
    entry->first = all->launches;
    bound_lines(all, entry);
    return true;
}

bool launches_add(struct launches *all, struct kernel_report *launch) {
    bool right = true;
    uint32_t at = all->apart < all->count ? all->apart : all->count;
    while (at < all->count && strcmp(all->kernels[at].name, launch->name) != 0)
        at++;
    if (at < all->count && all->launches >= all->apart) {
        right = fold(all, &all->kernels[at], launch);
    } else if (all->launches < all->apart || at - all->apart < LAUNCHES_KERNELS) {
        right = append(all, launch);
    } else {
        all->left_out++;
        all->left_out_us += launch->time_us;
    }
    all->launches++;
    kernel_report_free(launch);
    return right;
}

struct kernel_report *launches_take(struct launches *all, uint32_t *count) {
    struct kernel_report *kernels = all->kernels;
    *count = all->count;
    *all = (struct launches){.apart = all->apart, .lines_most = all->lines_most};
    return kernels;
}

void launches_free(struct launches *all) {
    for (uint32_t i = 0; i < all->count; i++)
        kernel_report_free(&all->kernels[i]);
    free(all->kernels);
    *all = (struct launches){.apart = all->apart, .lines_most = all->lines_most};
}

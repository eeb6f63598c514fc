/* executed.c: machine instructions by source line and by basic block. */
#include "report/document/kernel_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum counter counter_at(int i) {
    return (enum counter)(FIRST_MACHINE_COUNTER + i);
}

/* All instructions of a line or block. */
static uint64_t all_of(const uint64_t counts[MACHINE_COUNTERS]) {
    return counts[COUNTER_inst_executed - FIRST_MACHINE_COUNTER];
}

void kernel_executed_free(struct kernel_executed *executed) {
    for (uint32_t i = 0; executed->lines != NULL && i < executed->count; i++)
        free(executed->lines[i].file);
    free(executed->lines);
    free(executed->blocks);
    *executed = (struct kernel_executed){0};
}

static int by_instructions(const void *left, const void *right) {
    const struct executed_line *a = left, *b = right;
    if ((a->line == 0) != (b->line == 0))
        return a->line == 0 ? 1 : -1;
    if (all_of(a->counts) != all_of(b->counts))
        return all_of(a->counts) < all_of(b->counts) ? 1 : -1;
    int file = strcmp(a->file, b->file);
    return file != 0 ? file : a->line < b->line ? -1 : a->line > b->line;
}

static void add(uint64_t into[MACHINE_COUNTERS], const uint64_t counts[MACHINE_COUNTERS]) {
    for (int i = 0; i < MACHINE_COUNTERS; i++)
        into[i] += counts[i];
}

bool kernel_executed_sort(struct kernel_executed *executed) {
    if (executed->count > 1)
        qsort(executed->lines, executed->count, sizeof *executed->lines, by_instructions);
    struct executed_line rest = {0};
    while (executed->count > EXECUTED_LINES ||
           (executed->count > 0 && executed->lines[executed->count - 1].line == 0)) {
        struct executed_line *last = &executed->lines[--executed->count];
        add(rest.counts, last->counts);
        free(last->file);
    }
    if (all_of(rest.counts) == 0)
        return true;
    rest.file = strdup("");
    if (rest.file != NULL)
        executed->lines[executed->count++] = rest;
    return rest.file != NULL;
}

static int by_place(const void *left, const void *right) {
    const struct executed_block *a = left, *b = right;
    if ((a->instructions == 0) != (b->instructions == 0))
        return a->instructions == 0 ? 1 : -1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int by_executions(const void *left, const void *right) {
    const struct executed_block *a = left, *b = right;
    uint64_t one = all_of(a->counts), other = all_of(b->counts);
    if ((a->instructions == 0) != (b->instructions == 0))
        return a->instructions == 0 ? 1 : -1;
    return one != other ? (one < other ? 1 : -1) : by_place(left, right);
}

void kernel_executed_trim(struct kernel_executed *executed) {
    struct executed_block *blocks = executed->blocks, rest = {0};
    if (executed->block_count > 0)
        qsort(blocks, executed->block_count, sizeof *blocks, by_place);
    if (executed->block_count <= EXECUTED_BLOCKS)
        return;
    qsort(blocks, executed->block_count, sizeof *blocks, by_executions);
    for (uint32_t i = EXECUTED_BLOCKS; i < executed->block_count; i++)
        add(rest.counts, blocks[i].counts);
    blocks[EXECUTED_BLOCKS] = rest;
    executed->block_count = EXECUTED_BLOCKS + 1;
    qsort(blocks, executed->block_count, sizeof *blocks, by_place);
}

/* Adds another launch's blocks of the same code. False: out of memory. */
static bool fold_blocks(struct kernel_executed *executed, const struct kernel_executed *other) {
    struct executed_block *blocks =
        realloc(executed->blocks, (executed->block_count + other->block_count + 1) * sizeof *blocks);
    if (blocks == NULL)
        return false;
    executed->blocks = blocks;
    uint32_t known = executed->block_count;
    for (uint32_t i = 0; i < other->block_count; i++) {
        const struct executed_block *block = &other->blocks[i];
        struct executed_block *there =
            known > 0 ? bsearch(block, blocks, known, sizeof *blocks, by_place) : NULL;
        if (there != NULL)
            add(there->counts, block->counts);
        else
            blocks[executed->block_count++] = *block;
    }
    kernel_executed_trim(executed);
    return true;
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
            add(lines[there - lines].counts, line.counts);
            continue;
        }
        line.file = strdup(line.file);
        if (line.file == NULL)
            return false;
        lines[executed->count++] = line;
    }
    return kernel_executed_sort(executed) && fold_blocks(executed, other);
}

double executed_share(const struct kernel_executed *executed, const struct executed_line *line) {
    double all = 0;
    for (uint32_t i = 0; i < executed->count; i++)
        all += (double)all_of(executed->lines[i].counts);
    return all > 0 ? (double)all_of(line->counts) / all : 0;
}

void executed_pipes(const struct executed_line *line, char *text, size_t size) {
    enum { FIRST_PIPE = COUNTER_pipe_fma - FIRST_MACHINE_COUNTER, MOST = 3 };
    enum { PIPES_END = COUNTER_pipe_tensor - FIRST_MACHINE_COUNTER + 1 };
    uint64_t left[MACHINE_COUNTERS];
    memcpy(left, line->counts, sizeof left);
    if (size > 0)
        *text = '\0';
    for (int n = 0; n < MOST; n++) {
        int top = FIRST_PIPE;
        for (int i = FIRST_PIPE; i < PIPES_END; i++)
            top = left[i] > left[top] ? i : top;
        double share = all_of(line->counts) > 0 ? 100 * (double)left[top] / (double)all_of(line->counts) : 0;
        if (share < 1)
            return;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %.0f", n > 0 ? ", " : "",
                 counter_name(counter_at(top)) + strlen("pipe_"), share);
        left[top] = 0;
    }
}

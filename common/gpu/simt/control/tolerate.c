/* tolerate.c: mistakes that hardware lets pass. Strict checks stop the launch there; without them
 * the launch goes on, and each mistake becomes a remark: one for each kind and source line, in the
 * words of its first occurrence in block order. */
#include "gpu/simt/control/launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tolerated {
    const struct ptx_instruction *instruction;
    uint64_t block; /* of the occurrence in `remark` */
    struct simt_remark remark;
};

/* The entry of the kind and instruction; the one behind the last: there is none yet. */
static struct tolerated *find(const struct launch *launch, const struct simt_mistake *mistake) {
    struct tolerated *entry = launch->tolerated, *end = entry + launch->tolerated_count;
    while (entry < end && (entry->instruction != mistake->instruction ||
                           strcmp(entry->remark.kind, mistake->kind) != 0))
        entry++;
    return entry;
}

bool simt_tolerated(struct launch *launch, const struct warp *warp, const struct simt_mistake *mistake) {
    pthread_mutex_lock(&launch->tolerating);
    struct tolerated *entry = find(launch, mistake);
    bool known = entry < launch->tolerated + launch->tolerated_count && entry->block <= warp->block->index;
    if (known)
        entry->remark.count++;
    pthread_mutex_unlock(&launch->tolerating);
    return known;
}

void simt_tolerate(struct worker *worker, const struct warp *warp, const struct simt_mistake *mistake,
                   const char *format, ...) {
    struct launch *launch = worker->launch;
    struct simt_fault at;
    if (simt_tolerated(launch, warp, mistake))
        return;
    pthread_mutex_lock(&launch->tolerating);
    if (launch->tolerated == NULL)
        launch->tolerated = calloc(SIMT_REMARKS, sizeof *launch->tolerated);
    struct tolerated *entry = find(launch, mistake);
    if (launch->tolerated != NULL && entry < launch->tolerated + SIMT_REMARKS) {
        struct simt_remark *remark = &entry->remark;
        launch->tolerated_count += entry == launch->tolerated + launch->tolerated_count;
        entry->instruction = mistake->instruction;
        entry->block = warp->block->index;
        simt_fault_place(&at, launch, warp, mistake->instruction, mistake->lane);
        remark->kind = mistake->kind;
        remark->count++;
        remark->line = at.line;
        snprintf(remark->kernel, sizeof remark->kernel, "%s", at.kernel);
        snprintf(remark->file, sizeof remark->file, "%s", at.file);
        memcpy(remark->block, at.block, sizeof remark->block);
        memcpy(remark->thread, at.thread, sizeof remark->thread);
        int length = snprintf(remark->message, sizeof remark->message,
                              "thread (%u,%u,%u) of block (%u,%u,%u): ", at.thread[0], at.thread[1],
                              at.thread[2], at.block[0], at.block[1], at.block[2]);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(remark->message + length, sizeof remark->message - (size_t)length, format, arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&launch->tolerating);
}

/* By line, so that the order does not depend on the number of host threads. */
static int by_line(const void *a, const void *b) {
    const struct tolerated *first = a, *second = b;
    int order = strcmp(first->remark.file, second->remark.file);
    if (order == 0)
        order = (first->remark.line > second->remark.line) - (first->remark.line < second->remark.line);
    if (order == 0)
        order = strcmp(first->remark.message, second->remark.message);
    return order;
}

void simt_tolerated_tell(struct launch *launch) {
    if (launch->tolerated_count > 0)
        qsort(launch->tolerated, launch->tolerated_count, sizeof *launch->tolerated, by_line);
    for (uint32_t i = 0; i < launch->tolerated_count; i++)
        simt_device_remark(launch->device, &launch->tolerated[i].remark);
}

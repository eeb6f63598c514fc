/* tolerate.c: mistakes that hardware lets pass. Strict checks stop the launch there; without them
 * the launch goes on, and each mistake becomes a remark: one for each kind and source line, in the
 * words of its first occurrence in block order. */
#include "gpu/simt/control/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tolerated {
    const struct ptx_instruction *instruction;
    uint64_t block; /* of the occurrence in `remark` */
    struct simt_remark remark;
};

/* Index of the entry of the kind and instruction; tolerated_count: there is none yet. */
static uint32_t find(const struct launch *launch, const struct simt_mistake *mistake) {
    uint32_t i = 0;
    while (i < launch->tolerated_count && (launch->tolerated[i].instruction != mistake->instruction ||
                                           strcmp(launch->tolerated[i].remark.kind, mistake->kind) != 0))
        i++;
    return i;
}

bool simt_tolerated(struct launch *launch, const struct warp *warp, const struct simt_mistake *mistake) {
    pthread_mutex_lock(&launch->tolerating);
    uint32_t i = find(launch, mistake);
    bool known = i < launch->tolerated_count && launch->tolerated[i].block <= warp->block->index;
    if (known)
        launch->tolerated[i].remark.count++;
    pthread_mutex_unlock(&launch->tolerating);
    return known;
}

void simt_tolerate(struct worker *worker, const struct warp *warp, const struct simt_mistake *mistake,
                   const char *text) {
    struct launch *launch = worker->launch;
    struct simt_fault at;
    if (simt_tolerated(launch, warp, mistake))
        return;
    simt_fault_place(&at, launch, warp, mistake->instruction, mistake->lane);
    pthread_mutex_lock(&launch->tolerating);
    uint32_t i = find(launch, mistake);
    if (launch->tolerated == NULL)
        launch->tolerated = calloc(SIMT_REMARKS, sizeof *launch->tolerated);
    if (launch->tolerated != NULL && i < SIMT_REMARKS) { /* a remark lost for want of memory does no harm */
        struct tolerated *entry = &launch->tolerated[i];
        launch->tolerated_count += i == launch->tolerated_count;
        entry->instruction = mistake->instruction;
        entry->block = warp->block->index;
        entry->remark =
            (struct simt_remark){.kind = mistake->kind, .line = at.line, .count = entry->remark.count + 1};
        snprintf(entry->remark.kernel, sizeof entry->remark.kernel, "%s", at.kernel);
        snprintf(entry->remark.file, sizeof entry->remark.file, "%s", at.file);
        memcpy(entry->remark.block, at.block, sizeof at.block);
        memcpy(entry->remark.thread, at.thread, sizeof at.thread);
        snprintf(entry->remark.message, sizeof entry->remark.message,
                 "thread (%u,%u,%u) of block (%u,%u,%u): %s", at.thread[0], at.thread[1], at.thread[2],
                 at.block[0], at.block[1], at.block[2], text);
    }
    pthread_mutex_unlock(&launch->tolerating);
}

/* The order does not depend on the number of host threads. */
static int by_instruction(const void *a, const void *b) {
    const struct tolerated *first = a, *second = b;
    uint32_t one = first->instruction->ptx_line, other = second->instruction->ptx_line;
    return one != other ? (one > other) - (one < other) : strcmp(first->remark.kind, second->remark.kind);
}

void simt_tolerated_tell(struct launch *launch) {
    if (launch->tolerated_count > 0)
        qsort(launch->tolerated, launch->tolerated_count, sizeof *launch->tolerated, by_instruction);
    for (uint32_t i = 0; i < launch->tolerated_count; i++)
        simt_device_remark(launch->device, &launch->tolerated[i].remark);
}

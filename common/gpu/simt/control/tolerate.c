/* tolerate.c: mistakes that hardware lets pass. Strict checks stop the launch there; without them
 * the launch goes on, and each mistake becomes a remark. An SM keeps one for each kind and
 * instruction, so the remarks do not depend on the number of host threads. */
#include "gpu/simt/control/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tolerated {
    const struct ptx_instruction *instruction;
    struct simt_remark remark;
};

bool simt_tolerated(const struct sm *sm, const struct simt_mistake *mistake) {
    for (uint32_t i = 0; i < sm->tolerated_count; i++)
        if (sm->tolerated[i].instruction == mistake->instruction &&
            strcmp(sm->tolerated[i].remark.kind, mistake->kind) == 0) {
            sm->tolerated[i].remark.count++;
            return true;
        }
    return false;
}

void simt_tolerate(struct worker *worker, const struct warp *warp, const struct simt_mistake *mistake,
                   const char *text) {
    struct sm *sm = worker->sm;
    struct simt_fault at;
    if (simt_tolerated(sm, mistake))
        return;
    if (sm->tolerated == NULL)
        sm->tolerated = calloc(SIMT_REMARKS, sizeof *sm->tolerated);
    if (sm->tolerated == NULL || sm->tolerated_count == SIMT_REMARKS)
        return; /* a remark lost for want of memory does no harm */
    struct tolerated *entry = &sm->tolerated[sm->tolerated_count++];
    struct simt_remark *remark = &entry->remark;
    simt_fault_place(&at, worker->launch, warp, mistake->instruction, mistake->lane);
    entry->instruction = mistake->instruction;
    *remark = (struct simt_remark){.kind = mistake->kind, .line = at.line, .count = 1};
    snprintf(remark->kernel, sizeof remark->kernel, "%s", at.kernel);
    snprintf(remark->file, sizeof remark->file, "%s", at.file);
    memcpy(remark->block, at.block, sizeof at.block);
    memcpy(remark->thread, at.thread, sizeof at.thread);
    snprintf(remark->message, sizeof remark->message, "thread (%u,%u,%u) of block (%u,%u,%u): %s",
             at.thread[0], at.thread[1], at.thread[2], at.block[0], at.block[1], at.block[2], text);
}

void simt_tolerated_tell(const struct launch *launch) {
    for (uint32_t i = 0; launch->sms != NULL && i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].tolerated_count; k++)
            simt_device_remark(launch->device, &launch->sms[i].tolerated[k].remark);
}

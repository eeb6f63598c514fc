/* remark.c: keeps remarks until simt_take_remarks takes them. */
#include "gpu/simt/memory/device.h"

#include <stdlib.h>
#include <string.h>

void simt_device_remark(struct simt_device *device, const struct simt_remark *remark) {
    if (device->remarks == NULL)
        device->remarks = calloc(SIMT_REMARKS, sizeof *device->remarks);
    if (device->remarks == NULL)
        return; /* a remark lost for want of memory does no harm */
    for (uint32_t i = 0; i < device->remark_count; i++) {
        struct simt_remark *known = &device->remarks[i];
        if (known->line == remark->line && strcmp(known->kind, remark->kind) == 0 &&
            strcmp(known->file, remark->file) == 0) {
            known->count += remark->count;
            return;
        }
    }
    if (device->remark_count < SIMT_REMARKS)
        device->remarks[device->remark_count++] = *remark;
}

uint32_t simt_take_remarks(struct simt_device *device, struct simt_remark remarks[SIMT_REMARKS]) {
    uint32_t count = device->remark_count;
    if (count)
        memcpy(remarks, device->remarks, count * sizeof *remarks);
    device->remark_count = 0;
    return count;
}

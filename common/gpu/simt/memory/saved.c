/* saved.c: saves and restores the contents of device memory. */
#include "gpu/simt/memory/device.h"

#include <stdlib.h>
#include <string.h>

struct saved_allocation {
    uint64_t start, bytes;
    uint8_t *content;
};

struct simt_saved {
    size_t count;
    struct saved_allocation allocations[]; /* sorted by start */
};

void simt_saved_free(struct simt_saved *saved) {
    for (size_t i = 0; saved != NULL && i < saved->count; i++)
        free(saved->allocations[i].content);
    free(saved);
}

struct simt_saved *simt_save(struct simt_device *device, uint64_t most) {
    struct simt_saved *saved =
        calloc(1, sizeof *saved + device->allocation_count * sizeof saved->allocations[0]);
    for (size_t i = 0; saved != NULL && i < device->allocation_count; i++) {
        const struct allocation *allocation = &device->allocations[i];
        const uint8_t *from = simt_host_pointer(device, allocation->start, allocation->bytes);
        uint8_t *content = from != NULL && allocation->bytes <= most ? malloc(allocation->bytes) : NULL;
        if (content == NULL) {
            simt_saved_free(saved);
            return NULL;
        }
        memcpy(content, from, allocation->bytes);
        most -= allocation->bytes;
        saved->allocations[saved->count++] =
            (struct saved_allocation){allocation->start, allocation->bytes, content};
    }
    return saved;
}

void simt_restore(struct simt_device *device, const struct simt_saved *saved) {
    size_t next = 0;
    for (size_t i = 0; i < device->allocation_count; i++) {
        const struct allocation *allocation = &device->allocations[i];
        uint8_t *to = simt_host_pointer(device, allocation->start, allocation->bytes);
        while (next < saved->count && saved->allocations[next].start < allocation->start)
            next++;
        bool known = next < saved->count && saved->allocations[next].start == allocation->start &&
                     saved->allocations[next].bytes == allocation->bytes;
        if (to != NULL && known)
            memcpy(to, saved->allocations[next].content, allocation->bytes);
        else if (to != NULL)
            memset(to, 0, allocation->bytes);
    }
}

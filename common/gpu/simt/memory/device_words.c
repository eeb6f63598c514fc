/* device_words.c: describes an address of device memory, and a status, in words. */
#include "gpu/simt/memory/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A foreign address farther than this from every allocation has nothing to do with any. */
#define FAR ((uint64_t)2 << 20)

/* Adds an index, which says more than bytes, if the buffer can be an array of the accessed type. */
static void add_index(const struct allocation *allocation, int64_t offset, uint32_t bytes, char *text,
                      size_t size) {
    size_t length = strlen(text);
    bool whole = bytes != 0 && offset % (int64_t)bytes == 0 && allocation->bytes % bytes == 0;
    if (whole && length < size)
        snprintf(text + length, size - length,
                 " (as an array of %" PRIu32 "-byte elements: index %" PRId64 ", and the last is %" PRIu64
                 ")",
                 bytes, offset / (int64_t)bytes, allocation->bytes / bytes - 1);
}

static bool describe_against(const struct allocation *allocation, uint64_t address, uint32_t bytes,
                             char *text, size_t size) {
    uint64_t end = allocation->start + allocation->bytes;
    int64_t offset = (int64_t)(address - allocation->start);
    if (allocation->shape.name[0] != '\0') {
        buffer_shape_describe(&allocation->shape, offset, bytes, text, size);
        return true;
    }
    char whole[160], distance[40];
    snprintf(whole, sizeof whole, "the %" PRIu64 "-byte allocation at 0x%" PRIx64, allocation->bytes,
             allocation->start);
    snprintf(distance, sizeof distance, "just past");
    if (address > end)
        snprintf(distance, sizeof distance, "%" PRIu64 " byte%s past", address - end,
                 address - end == 1 ? "" : "s");
    if (offset >= 0 && address < end && bytes <= end - address) {
        snprintf(text, size, "%" PRId64 " bytes into %s (%s)", offset, whole, allocation->what);
        return false;
    }
    if (offset < 0)
        snprintf(text, size, "%" PRId64 " byte%s before %s, made by %s", -offset, offset == -1 ? "" : "s",
                 whole, allocation->what);
    else if (address < end)
        snprintf(text, size, "across the end of %s, made by %s", whole, allocation->what);
    else
        snprintf(text, size, "%s the end of %s, made by %s", distance, whole, allocation->what);
    add_index(allocation, offset, bytes, text, size);
    return false;
}

const struct allocation *simt_device_freed(const struct simt_device *device, uint64_t address) {
    size_t remembered =
        device->freed_count < device->freed_capacity ? device->freed_count : device->freed_capacity;
    for (size_t age = 1; age <= remembered; age++) {
        const struct allocation *freed = &device->freed[(device->freed_count - age) % device->freed_capacity];
        if (address - freed->start < freed->bytes)
            return freed;
    }
    return NULL;
}

bool simt_device_describe_address(const struct simt_device *device, uint64_t address, uint32_t bytes,
                                  char *text, size_t size) {
    const struct allocation *inside = simt_device_allocation(device, address);
    if (inside != NULL)
        return describe_against(inside, address, bytes, text, size);
    const struct allocation *freed = simt_device_freed(device, address);
    if (freed != NULL) {
        if (freed->shape.name[0] != '\0')
            snprintf(text, size, "in %s of an earlier call, which is freed: a pointer that was kept",
                     freed->shape.name);
        else
            snprintf(text, size,
                     "%" PRIu64 " bytes into the %" PRIu64 "-byte allocation at 0x%" PRIx64
                     ", made by %s and already freed: a use after free",
                     address - freed->start, freed->bytes, freed->start, freed->what);
        return false;
    }
    if (address < 65536) {
        snprintf(text, size, address ? "a null pointer plus %" PRIu64 " bytes" : "a null pointer", address);
        return false;
    }
    size_t above = simt_device_allocation_above(device, address);
    const struct allocation *below = above ? &device->allocations[above - 1] : NULL;
    const struct allocation *next = above < device->allocation_count ? &device->allocations[above] : NULL;
    uint64_t past = below != NULL ? address - (below->start + below->bytes) : UINT64_MAX;
    uint64_t before = next != NULL ? next->start - address : UINT64_MAX;
    bool device_range = address - SIMT_ADDRESS_BASE < SIMT_ADDRESS_BYTES;
    if (!device_range && past > FAR && before > FAR) {
        bool host = address < SIMT_HOST_ADDRESS_END;
        snprintf(
            text, size,
            host ? "a host pointer: memory the device cannot reach (copy the data with cudaMemcpy, or use "
                   "cudaMallocManaged)"
                 : "no address of this device: an uninitialised or overwritten pointer?");
        return false;
    }
    if (below == NULL && next == NULL) {
        snprintf(text, size, "nothing is allocated");
        return false;
    }
    /* An address far from both neighbours may be meant for either. */
    if (past != UINT64_MAX && before != UINT64_MAX &&
        (past < before ? before / 2 < past : past / 2 < before)) {
        snprintf(text, size, "%" PRIu64 " bytes past the end of %s and %" PRIu64 " before the start of %s",
                 past, below->what, before, next->what);
        return false;
    }
    return describe_against(past <= before ? below : next, address, bytes, text, size);
}

const char *simt_status_name(enum simt_status status) {
    static const char *const names[] = {
        [SIMT_OK] = "ok",
        [SIMT_ILLEGAL_ADDRESS] = "illegal address",
        [SIMT_MISALIGNED_ADDRESS] = "misaligned address",
        [SIMT_ILLEGAL_INSTRUCTION] = "illegal instruction",
        [SIMT_INVALID_PC] = "invalid program counter",
        [SIMT_ASSERT] = "assert",
        [SIMT_TRAP] = "trap",
        [SIMT_STACK_OVERFLOW] = "stack overflow",
        [SIMT_TIMEOUT] = "timeout",
        [SIMT_BARRIER_DIVERGENCE] = "barrier divergence",
        [SIMT_RACE] = "race",
        [SIMT_INVALID_CONFIGURATION] = "invalid configuration",
        [SIMT_TOO_MANY_RESOURCES] = "too many resources",
        [SIMT_OUT_OF_MEMORY] = "out of memory",
        [SIMT_INVALID_VALUE] = "invalid value",
        [SIMT_NOT_SUPPORTED] = "not supported",
    };
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : "unknown status";
}

/* device_words.c: what an address of device memory is, and a status, in words. */
#include "simt/machine.h"

#include <inttypes.h>
#include <stdio.h>

/* A foreign address further than that from every allocation has nothing to do with it. */
#define FAR ((uint64_t)2 << 20)

static void describe_against(const struct allocation *allocation, uint64_t address, uint32_t bytes,
                             const char *state, char *text, size_t size) {
    uint64_t end = allocation->start + allocation->bytes;
    if (address >= allocation->start && address < end && address + bytes <= end)
        snprintf(text, size, "%" PRIu64 " bytes into the %" PRIu64 "-byte %sallocation at 0x%" PRIx64 " (%s)",
                 address - allocation->start, allocation->bytes, state, allocation->start, allocation->what);
    else if (address < allocation->start)
        snprintf(text, size,
                 "%" PRIu64 " bytes before the %" PRIu64 "-byte %sallocation at 0x%" PRIx64 ", made by %s",
                 allocation->start - address, allocation->bytes, state, allocation->start, allocation->what);
    else if (address < end)
        snprintf(text, size,
                 "across the end of the %" PRIu64 "-byte %sallocation at 0x%" PRIx64 ", made by %s",
                 allocation->bytes, state, allocation->start, allocation->what);
    else
        snprintf(text, size,
                 "%" PRIu64 " bytes past the end of the %" PRIu64 "-byte %sallocation at 0x%" PRIx64
                 ", made by %s",
                 address - end, allocation->bytes, state, allocation->start, allocation->what);
}

void device_describe_address(const struct simt_device *device, uint64_t address, uint32_t bytes, char *text,
                             size_t size) {
    const struct allocation *inside = device_allocation(device, address);
    if (inside != NULL) {
        describe_against(inside, address, bytes, "", text, size);
        return;
    }
    size_t remembered =
        device->freed_count < device->freed_capacity ? device->freed_count : device->freed_capacity;
    for (size_t age = 1; age <= remembered; age++) {
        const struct allocation *freed = &device->freed[(device->freed_count - age) % device->freed_capacity];
        if (address - freed->start < freed->bytes) {
            snprintf(text, size,
                     "%" PRIu64 " bytes into the %" PRIu64 "-byte allocation at 0x%" PRIx64
                     ", made by %s and already freed: a use after free",
                     address - freed->start, freed->bytes, freed->start, freed->what);
            return;
        }
    }
    if (address < 65536) {
        snprintf(text, size, address ? "a null pointer plus %" PRIu64 " bytes" : "a null pointer", address);
        return;
    }
    size_t above = device_allocation_above(device, address);
    const struct allocation *below = above ? &device->allocations[above - 1] : NULL;
    const struct allocation *next = above < device->allocation_count ? &device->allocations[above] : NULL;
    uint64_t past = below != NULL ? address - (below->start + below->bytes) : UINT64_MAX;
    uint64_t before = next != NULL ? next->start - address : UINT64_MAX;
    bool device_range = address - SIMT_ADDRESS_BASE < SIMT_ADDRESS_BYTES;
    if (!device_range && past > FAR && before > FAR) {
        bool host = address < UINT64_C(1) << 47;
        snprintf(
            text, size,
            host ? "a host pointer: memory the device cannot reach (copy the data with cudaMemcpy, or use "
                   "cudaMallocManaged)"
                 : "no address of this device: an uninitialised or overwritten pointer?");
        return;
    }
    if (below == NULL && next == NULL)
        snprintf(text, size, "nothing is allocated");
    else
        describe_against(past <= before ? below : next, address, bytes, "", text, size);
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

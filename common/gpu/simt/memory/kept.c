/* kept.c: what of device memory outlives a judged call. A judge's input comes once, so nothing
 * computed from it helps the next call, except a program that stores answers.
 *
 * Memory is tracked by allocation. An allocation is derived when its contents may follow from a
 * judge's memory. It becomes derived in a launch that touches both, or when the host writes to it
 * after reading derived memory. When the call ends, derived contents are forgotten. Other contents
 * stay: tables that the host copied or a kernel computed before it saw an input, initial values of
 * variables. A derived allocation gets such earlier contents back. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/undefined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SECTOR = 32, SMALL = 64 << 10 };
#define KEPT_OF_ONE ((uint64_t)16 << 20) /* larger ones become as newly allocated */
#define KEPT_OF_ALL ((uint64_t)64 << 20)

void simt_keep(struct simt_device *device) {
    device->keeps = true;
}

static struct allocation *allocation_at(struct simt_device *device, uint64_t address) {
    size_t above = device->keeps ? simt_device_allocation_above(device, address) : 0;
    struct allocation *allocation = above ? &device->allocations[above - 1] : NULL;
    return allocation != NULL && address - allocation->start < allocation->bytes ? allocation : NULL;
}

void simt_keep_foreign(struct simt_device *device, uint64_t address) {
    struct allocation *allocation = allocation_at(device, address);
    if (allocation != NULL)
        allocation->foreign = allocation->derived = true;
}

void simt_kept_free(struct simt_device *device, struct allocation *allocation) {
    if (allocation->kept != NULL)
        device->kept_bytes -= allocation->bytes;
    free(allocation->kept);
    allocation->kept = NULL;
}

static uint8_t *content(struct simt_device *device, const struct allocation *allocation) {
    return simt_host_pointer(device, allocation->start, allocation->bytes);
}

static bool is_heap(const struct simt_device *device, const struct allocation *allocation) {
    return device->heap != NULL && allocation->start == simt_device_heap_address(device->heap);
}

/* Keeps the present contents. A variable's initial value is kept at any size, because no host
 * copies it again. */
static void keep(struct simt_device *device, struct allocation *allocation, bool any_size) {
    const uint8_t *from = content(device, allocation);
    allocation->changed = false;
    if (is_heap(device, allocation) && !simt_device_heap_keep(device->heap))
        return;
    if (allocation->kept == NULL && from != NULL &&
        (any_size || (allocation->bytes <= KEPT_OF_ONE && device->kept_bytes <= KEPT_OF_ALL - KEPT_OF_ONE))) {
        allocation->kept = malloc(allocation->bytes);
        device->kept_bytes += allocation->kept != NULL ? allocation->bytes : 0;
    }
    if (allocation->kept != NULL)
        memcpy(allocation->kept, from, allocation->bytes);
}

void simt_kept_initialised(struct simt_device *device, uint64_t address, bool zero) {
    struct allocation *allocation = allocation_at(device, address);
    if (allocation != NULL)
        allocation->variable = true;
    if (allocation != NULL && !zero)
        keep(device, allocation, true);
}

/* Notes the first access to memory that an earlier call had filled. */
static void note_missed(struct simt_device *device, const struct allocation *allocation) {
    if (allocation->forgotten && device->missed[0] == '\0')
        snprintf(device->missed, sizeof device->missed, "%s", allocation->what);
}

void simt_keep_read(struct simt_device *device, uint64_t address) {
    const struct allocation *allocation = allocation_at(device, address);
    if (allocation != NULL)
        note_missed(device, allocation);
}

bool simt_keep_is_derived(const struct simt_device *device, uint64_t address) {
    const struct allocation *allocation = device->keeps ? simt_device_allocation(device, address) : NULL;
    return allocation != NULL && allocation->derived;
}

/* Host memory that is mapped is not tracked. */
static bool is_looked_after(const struct simt_device *device, const struct allocation *allocation) {
    const struct segment *segment = simt_device_segment(device, allocation->start);
    return !allocation->foreign && segment != NULL && !segment->mapped;
}

void simt_keep_write(struct simt_device *device, uint64_t address, bool derived) {
    struct allocation *allocation = allocation_at(device, address);
    if (allocation == NULL || !is_looked_after(device, allocation))
        return;
    allocation->derived |= derived;
    allocation->changed = !allocation->derived;
}

void simt_keep_before_work(struct simt_device *device) {
    for (size_t i = 0; device->keeps && i < device->allocation_count; i++)
        if (device->allocations[i].changed)
            keep(device, &device->allocations[i], false);
}

static bool is_touched(const struct simt_device *device, const struct allocation *allocation) {
    const struct segment *segment = simt_device_segment(device, allocation->start);
    return segment != NULL && segment->touched;
}

bool simt_keep_after_launch(struct simt_device *device, bool derived) {
    for (size_t i = 0; device->keeps && i < device->allocation_count; i++) {
        const struct allocation *allocation = &device->allocations[i];
        if (!is_touched(device, allocation))
            continue;
        derived |= allocation->derived;
        note_missed(device, allocation);
    }
    for (size_t i = 0; device->keeps && i < device->allocation_count; i++)
        if (is_touched(device, &device->allocations[i]))
            simt_keep_write(device, device->allocations[i].start, derived);
    for (size_t i = 0; i < device->segment_count; i++)
        device->segments[i].touched = false;
    return derived;
}

static void forget(struct simt_device *device, struct allocation *allocation) {
    uint8_t *host = content(device, allocation);
    allocation->derived = allocation->changed = false;
    allocation->forgotten = true;
    if (is_heap(device, allocation))
        simt_device_heap_reset(device->heap);
    if (host == NULL)
        return;
    if (allocation->kept != NULL) {
        memcpy(host, allocation->kept, allocation->bytes);
        simt_undefined_host_wrote(device, allocation->start, allocation->bytes);
        return;
    }
    bool own_pages = host == allocation->host && allocation->bytes >= SMALL;
    if (!own_pages || madvise(host, allocation->host_bytes, MADV_DONTNEED) != 0)
        memset(host, 0, allocation->bytes);
    if (allocation->variable)
        simt_undefined_host_wrote(device, allocation->start, allocation->bytes); /* it starts as zero */
    else
        simt_undefined_forget(device, allocation->start, allocation->bytes);
}

static bool is_left(const struct allocation *allocation) {
    return allocation->derived && !allocation->foreign;
}

uint64_t simt_keep_next_left(const struct simt_device *device, uint64_t above, const char **what) {
    for (size_t i = 0; device->keeps && i < device->allocation_count; i++)
        if (device->allocations[i].start > above && is_left(&device->allocations[i])) {
            *what = device->allocations[i].what;
            return device->allocations[i].start;
        }
    return 0;
}

void simt_keep_forget(struct simt_device *device, uint64_t address) {
    struct allocation *allocation = allocation_at(device, address);
    if (allocation != NULL && is_left(allocation))
        forget(device, allocation);
}

void simt_keep_end_call(struct simt_device *device) {
    for (size_t i = 0; device->keeps && i < device->allocation_count; i++)
        if (is_left(&device->allocations[i]))
            forget(device, &device->allocations[i]);
    uint64_t last = 0;
    for (size_t i = 0; i < device->allocation_count; i++)
        last = device->allocations[i].ordinal > last ? device->allocations[i].ordinal : last;
    if (device->keeps)
        device->ordinal = last;
}

const char *simt_keep_missed(const struct simt_device *device) {
    return device->missed[0] != '\0' ? device->missed : NULL;
}

void simt_watch_sectors(struct simt_device *device, uint64_t address, struct simt_sectors *sectors) {
    struct segment *segment = (struct segment *)simt_device_segment(device, address);
    if (segment != NULL)
        segment->sectors = sectors;
}

void simt_device_trace(struct simt_device *device, struct footprint *footprint, struct footprint *early) {
    device->trace = footprint;
    device->early = early;
}

/* Host threads set bits concurrently; nobody reads them before the launch has ended. */
static void touch_sectors(const struct segment *segment, const uint64_t *address, uint32_t mask,
                          uint32_t span) {
    struct sector_list list;
    sector_list_fill(&list, address, mask);
    __atomic_fetch_add(&segment->sectors->asked, list.sectors, __ATOMIC_RELAXED);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t offset = address[__builtin_ctz(left)] - segment->start;
        for (uint64_t sector = offset / SECTOR; sector <= (offset + span - 1) / SECTOR; sector++)
            __atomic_fetch_or(&segment->sectors->touched[sector / 8], (uint8_t)(1u << sector % 8),
                              __ATOMIC_RELAXED);
    }
}

void simt_segment_touch(const struct segment *segment, const uint64_t *address, uint32_t mask,
                        uint32_t span) {
    if (!__atomic_load_n(&segment->touched, __ATOMIC_RELAXED))
        __atomic_store_n((bool *)&segment->touched, true, __ATOMIC_RELAXED);
    if (segment->sectors != NULL)
        touch_sectors(segment, address, mask, span);
}

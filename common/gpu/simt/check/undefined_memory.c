/* undefined_memory.c: which bytes of memory are known; what the host writes and reads. */
#include "gpu/simt/check/checker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Pages that are never touched take no memory. Zeros mean that nothing was stored. */
static void *pages(uint64_t bytes) {
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static uint64_t words(uint64_t bytes) {
    return (bytes + 3) / 4;
}

bool simt_shadow_create(struct memory_shadow *shadow, uint64_t bytes, bool writers) {
    *shadow = (struct memory_shadow){.bytes = bytes};
    if (bytes == 0)
        return true;
    shadow->defined = pages(bytes);
    shadow->cause = pages(4 * words(bytes));
    shadow->writer = writers ? pages(4 * bytes) : NULL;
    if (shadow->defined != NULL && shadow->cause != NULL && (!writers || shadow->writer != NULL))
        return true;
    simt_shadow_destroy(shadow);
    return false;
}

void simt_shadow_destroy(struct memory_shadow *shadow) {
    if (shadow->defined != NULL)
        munmap(shadow->defined, shadow->bytes);
    if (shadow->cause != NULL)
        munmap(shadow->cause, 4 * words(shadow->bytes));
    if (shadow->writer != NULL)
        munmap(shadow->writer, 4 * shadow->bytes);
    *shadow = (struct memory_shadow){0};
}

void simt_shadow_clear(struct memory_shadow *shadow, uint64_t at, uint64_t bytes) {
    if (bytes == 0)
        return;
    memset(shadow->defined + at, 0, bytes);
    memset(shadow->cause + at / 4, 0, 4 * (words(at + bytes) - at / 4));
}

void simt_shadow_define(struct memory_shadow *shadow, uint64_t at, uint64_t bytes) {
    if (bytes)
        memset(shadow->defined + at, 0xff, bytes);
}

struct segment *simt_checker_segment(struct simt_device *device, uint64_t address, uint64_t bytes) {
    struct segment *segment = device->checker->segment;
    if (segment == NULL || address - segment->start >= segment->bytes) {
        segment = (struct segment *)(uintptr_t)simt_device_segment(device, address);
        device->checker->segment = segment;
    }
    if (segment == NULL || segment->shadow == NULL || bytes > segment->bytes - (address - segment->start))
        return NULL;
    return segment;
}

void simt_undefined_host_wrote(struct simt_device *device, uint64_t address, uint64_t bytes) {
    struct segment *segment =
        device->checker != NULL && bytes ? simt_checker_segment(device, address, bytes) : NULL;
    if (segment != NULL)
        simt_shadow_define(segment->shadow, address - segment->start, bytes);
}

void simt_undefined_host_read(struct simt_device *device, uint64_t address, uint64_t bytes) {
    if (device->checker == NULL || !device->checker->tainted || !bytes)
        return;
    struct segment *segment = simt_checker_segment(device, address, bytes);
    if (segment == NULL)
        return;
    const struct memory_shadow *shadow = segment->shadow;
    uint64_t at = address - segment->start, end = at + bytes;
    while (at < end) {
        uint64_t eight;
        if (at % 8 == 0 && end - at >= 8 && (memcpy(&eight, shadow->defined + at, 8), eight == UINT64_MAX)) {
            at += 8;
            continue;
        }
        if (shadow->defined[at] != 0xff && shadow->cause[at / 4])
            simt_cause_reached_host(device, shadow->cause[at / 4]);
        at++;
    }
}

void simt_undefined_host_copied(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes) {
    struct segment *target =
        device->checker != NULL && bytes ? simt_checker_segment(device, to, bytes) : NULL;
    if (target == NULL)
        return;
    uint64_t to_start = target->start;
    struct memory_shadow *into = target->shadow;
    struct segment *origin = simt_checker_segment(device, from, bytes);
    uint64_t at = to - to_start;
    if (origin == NULL) {
        simt_shadow_define(into, at, bytes);
        return;
    }
    const struct memory_shadow *of = origin->shadow;
    uint64_t source = from - origin->start;
    memmove(into->defined + at, of->defined + source, bytes);
    if (device->checker->tainted)
        memmove(into->cause + at / 4, of->cause + source / 4,
                4 * (words(at + bytes) - at / 4 < words(source + bytes) - source / 4
                         ? words(at + bytes) - at / 4
                         : words(source + bytes) - source / 4));
}

void simt_undefined_forget(struct simt_device *device, uint64_t address, uint64_t bytes) {
    struct segment *segment =
        device->checker != NULL && bytes ? simt_checker_segment(device, address, bytes) : NULL;
    if (segment != NULL)
        simt_shadow_clear(segment->shadow, address - segment->start, bytes);
}

void simt_undefined_handed_out(struct simt_device *device, uint64_t address, uint64_t bytes) {
    struct segment *segment =
        device->checker != NULL && bytes ? simt_checker_segment(device, address, bytes) : NULL;
    simt_undefined_forget(device, address, bytes);
    if (segment != NULL && segment->shadow->writer != NULL)
        memset(segment->shadow->writer + (address - segment->start), 0,
               bytes * sizeof *segment->shadow->writer);
}

void simt_undefined_drop(struct simt_device *device) {
    for (size_t i = 0; i < device->segment_count; i++) {
        struct segment *segment = &device->segments[i];
        if (segment->shadow == NULL)
            continue;
        simt_shadow_destroy(segment->shadow);
        free(segment->shadow);
        segment->shadow = NULL;
    }
    simt_checker_destroy(device->checker);
    device->checker = NULL;
}

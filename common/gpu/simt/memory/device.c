/* device.c: device memory: allocations with guard space between them, translation to host memory,
 * copies and fills. */
#include "base/round.h"
#include "gpu/simt/check/undefined.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 512, FREED_REMEMBERED = 4096 };
#define SMALL_GUARD ((uint64_t)64 << 10)
#define PAGE ((uint64_t)2 << 20) /* size of a page, and the guard around large allocations */

void simt_config_default(struct simt_config *config) {
    *config = (struct simt_config){
        .sm_count = 132,
        .shared_per_block = 227 << 10,
        .shared_per_block_static = 48 << 10,
        .max_threads_per_block = 1024,
        .max_block = {1024, 1024, 64},
        .max_grid = {2147483647, 65535, 65535},
        .registers_per_block = 65536,
        .register_granularity = 256,
        .warp_granularity = 4,
        .memory_bytes = UINT64_C(150) << 30,
        .l1_bytes = 256 << 10,
        .l2_bytes = 50 << 20,
        .l2_slices = 96,
        .compute_major = 9,
        .compute_minor = 0,
        .clock_khz = 1980000,
        .strict = true,
        .simulate_caches = true,
    };
}

static uint8_t *host_memory(uint64_t bytes) {
    void *host =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return NULL;
    if (bytes >= PAGE)
        madvise(host, bytes, MADV_HUGEPAGE); /* fewer page faults; a refusal does no harm */
    return host;
}

struct simt_device *simt_device_create(const struct simt_config *config) {
    struct simt_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return NULL;
    device->config = *config;
    device->next_address = SIMT_ADDRESS_BASE + PAGE;
    device->stack_bytes = 1024;
    device->heap_bytes = 8 << 20;
    device->printf_bytes = 1 << 20;
    device->l2 = simt_l2_create(config->l2_bytes);
    device->stray = config->strict ? NULL : host_memory(PAGE);
    if (device->l2 == NULL || (!config->strict && device->stray == NULL)) {
        simt_device_destroy(device);
        return NULL;
    }
    return device;
}

static void give_back(const struct allocation *allocation) {
    if (allocation->host != NULL)
        munmap(allocation->host, allocation->host_bytes);
}

void simt_device_destroy(struct simt_device *device) {
    if (device == NULL)
        return;
    if (device->stray != NULL)
        munmap(device->stray, PAGE);
    simt_undefined_drop(device);
    for (size_t i = 0; i < device->allocation_count; i++) {
        simt_kept_free(device, &device->allocations[i]);
        give_back(&device->allocations[i]);
    }
    free(device->segments);
    free(device->allocations);
    free(device->freed);
    free(device->remarks);
    simt_device_heap_free(device->heap);
    simt_l2_destroy(device->l2);
    free(device);
}

void simt_device_set_check_races(struct simt_device *device, bool on) {
    device->config.check_races = on;
}

void simt_device_set_sample_races(struct simt_device *device, bool on) {
    device->samples_races = on;
}

void simt_device_set_check(struct simt_device *device, bool on) {
    device->config.check = on;
}

void simt_device_set_results_alone(struct simt_device *device, bool on) {
    device->config.results_alone = on;
}

void simt_device_set_managed_placer(struct simt_device *device,
                                    enum simt_status (*place)(void *context, uint64_t bytes,
                                                              uint64_t alignment, uint64_t *address),
                                    void *context) {
    device->place_managed = place;
    device->place_context = context;
}

void simt_device_flush_cache(struct simt_device *device) {
    simt_l2_flush(device->l2);
}

void simt_device_set_limits(struct simt_device *device, uint64_t stack_bytes, uint64_t heap_bytes,
                            uint64_t printf_bytes) {
    device->stack_bytes = round_up(stack_bytes, 16);
    device->heap_bytes = heap_bytes;
    device->printf_bytes = printf_bytes;
}

/* ---- sorted tables */

/* The first item that starts above the address. Segments and allocations begin with `start`. */
static size_t first_above(const void *table, size_t item, size_t count, uint64_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t start;
        memcpy(&start, (const uint8_t *)table + middle * item, sizeof start);
        if (start > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static size_t segment_above(const struct simt_device *device, uint64_t address) {
    return first_above(device->segments, sizeof *device->segments, device->segment_count, address);
}

size_t simt_device_allocation_above(const struct simt_device *device, uint64_t address) {
    return first_above(device->allocations, sizeof *device->allocations, device->allocation_count, address);
}

const struct segment *simt_device_segment(const struct simt_device *device, uint64_t address) {
    size_t above = segment_above(device, address);
    if (!above)
        return NULL;
    const struct segment *segment = &device->segments[above - 1];
    return address - segment->start < segment->bytes ? segment : NULL;
}

const struct allocation *simt_device_allocation(const struct simt_device *device, uint64_t address) {
    size_t above = simt_device_allocation_above(device, address);
    if (!above)
        return NULL;
    const struct allocation *allocation = &device->allocations[above - 1];
    return address - allocation->start < allocation->bytes ? allocation : NULL;
}

static bool grow(void **table, size_t *capacity, size_t count, size_t item) {
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void *larger = realloc(*table, wanted * item);
    if (larger == NULL)
        return false;
    *table = larger;
    *capacity = wanted;
    return true;
}

static bool insert_segment(struct simt_device *device, struct segment segment) {
    if (!grow((void **)&device->segments, &device->segment_capacity, device->segment_count, sizeof segment))
        return false;
    size_t at = segment_above(device, segment.start);
    memmove(&device->segments[at + 1], &device->segments[at],
            (device->segment_count - at) * sizeof *device->segments);
    device->segments[at] = segment;
    device->segment_count++;
    simt_checker_forget_segment(device->checker);
    return true;
}

static void remove_segment(struct simt_device *device, uint64_t start) {
    size_t above = segment_above(device, start);
    if (!above || device->segments[above - 1].start != start)
        return;
    if (device->segments[above - 1].shadow != NULL)
        simt_shadow_destroy(device->segments[above - 1].shadow);
    free(device->segments[above - 1].shadow);
    memmove(&device->segments[above - 1], &device->segments[above],
            (device->segment_count - above) * sizeof *device->segments);
    device->segment_count--;
    simt_checker_forget_segment(device->checker);
}

static bool insert_allocation(struct simt_device *device, const struct allocation *allocation) {
    if (!grow((void **)&device->allocations, &device->allocation_capacity, device->allocation_count,
              sizeof *allocation))
        return false;
    size_t at = simt_device_allocation_above(device, allocation->start);
    memmove(&device->allocations[at + 1], &device->allocations[at],
            (device->allocation_count - at) * sizeof *device->allocations);
    device->allocations[at] = *allocation;
    device->allocation_count++;
    return true;
}

static void remember_freed(struct simt_device *device, const struct allocation *allocation) {
    if (device->freed == NULL) {
        device->freed = calloc(FREED_REMEMBERED, sizeof *device->freed);
        device->freed_capacity = device->freed != NULL ? FREED_REMEMBERED : 0;
    }
    if (device->freed_capacity)
        device->freed[device->freed_count++ % device->freed_capacity] = *allocation;
}

uint8_t *simt_device_stray(const struct simt_device *device, uint64_t address, uint32_t bytes) {
    size_t above = segment_above(device, address);
    const struct segment *below = above ? &device->segments[above - 1] : NULL;
    const struct segment *next = above < device->segment_count ? &device->segments[above] : NULL;
    if (device->stray == NULL || address % PAGE + bytes > PAGE)
        return NULL;
    if (below != NULL && !below->mapped && address - below->start < below->bytes)
        return below->host + (address - below->start); /* across the end: host memory comes in whole pages */
    if (simt_device_freed(device, address) != NULL)
        return NULL;
    if ((below != NULL && !below->mapped && address - (below->start + below->bytes) < PAGE) ||
        (next != NULL && !next->mapped && next->start - address <= PAGE))
        return device->stray + address % PAGE;
    return NULL;
}

/* ---- allocation */

/* Finds `bytes` free device addresses with a guard behind them. The search goes on from the last
 * one, so that addresses are reused late and a use after free is seen. 0: none. */
static uint64_t find_addresses(struct simt_device *device, uint64_t bytes, uint64_t alignment) {
    uint64_t guard = bytes >= PAGE / 2 ? PAGE : SMALL_GUARD, end = SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t at = round_up(pass ? SIMT_ADDRESS_BASE + PAGE : device->next_address, alignment);
        size_t index = segment_above(device, at);
        if (index) {
            const struct segment *before = &device->segments[index - 1];
            if (before->start + before->bytes + guard > at)
                at = round_up(before->start + before->bytes + guard, alignment);
        }
        for (; at <= end && bytes + guard <= end - at; index++) {
            if (index == device->segment_count || device->segments[index].start >= at + bytes + guard) {
                device->next_address = at + bytes + guard;
                return at;
            }
            at = round_up(device->segments[index].start + device->segments[index].bytes + guard, alignment);
        }
    }
    return 0;
}

void simt_skip_addresses(struct simt_device *device, uint64_t pages) {
    device->next_address = round_up(device->next_address, PAGE);
    uint64_t left = SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES - device->next_address;
    if (pages <= left / PAGE)
        device->next_address += pages * PAGE;
    else
        device->next_address =
            SIMT_ADDRESS_BASE + PAGE + (pages - left / PAGE) % (SIMT_ADDRESS_BYTES / PAGE / 2) * PAGE;
}

/* With `check`: makes the shadow of a segment. */
static bool watch(struct simt_device *device, struct segment *segment) {
    if (!device->config.check)
        return true;
    segment->shadow = calloc(1, sizeof *segment->shadow);
    return segment->shadow != NULL && simt_checker_ready(device) &&
           simt_shadow_create(segment->shadow, segment->bytes, true);
}

static enum simt_status place(struct simt_device *device, struct allocation *allocation) {
    uint64_t start = find_addresses(device, allocation->bytes, ALIGNMENT);
    uint64_t bytes = round_up(allocation->bytes, (uint64_t)sysconf(_SC_PAGESIZE));
    uint8_t *host = start ? host_memory(bytes) : NULL;
    if (host == NULL)
        return SIMT_OUT_OF_MEMORY;
    struct segment segment = {.start = start, .bytes = allocation->bytes, .host = host};
    if (!watch(device, &segment) || !insert_segment(device, segment)) {
        munmap(host, bytes);
        if (segment.shadow != NULL)
            simt_shadow_destroy(segment.shadow);
        free(segment.shadow);
        return SIMT_OUT_OF_MEMORY;
    }
    allocation->start = start;
    allocation->host = host;
    allocation->host_bytes = bytes;
    return SIMT_OK;
}

static enum simt_status allocate(struct simt_device *device, struct allocation *allocation,
                                 uint64_t *address) {
    uint64_t limit = device->config.memory_bytes;
    if (allocation->bytes > limit || device->used > limit - allocation->bytes)
        return SIMT_OUT_OF_MEMORY;
    enum simt_status status = place(device, allocation);
    if (status != SIMT_OK)
        return status;
    if (!insert_allocation(device, allocation)) {
        if (allocation->host != NULL)
            remove_segment(device, allocation->start);
        give_back(allocation);
        return SIMT_OUT_OF_MEMORY;
    }
    device->used += allocation->bytes;
    *address = allocation->start;
    return SIMT_OK;
}

enum simt_status simt_allocate(struct simt_device *device, uint64_t bytes, uint64_t *address) {
    *address = 0;
    if (!bytes)
        return SIMT_INVALID_VALUE;
    struct allocation allocation = {.bytes = bytes, .ordinal = device->ordinal + 1};
    snprintf(allocation.what, sizeof allocation.what, "cudaMalloc #%" PRIu64, allocation.ordinal);
    enum simt_status status = allocate(device, &allocation, address);
    if (status == SIMT_OK)
        device->ordinal++;
    return status;
}

enum simt_status simt_allocate_shaped(struct simt_device *device, uint64_t bytes,
                                      const struct buffer_shape *shape, uint64_t *address) {
    *address = 0;
    if (!bytes)
        return SIMT_INVALID_VALUE;
    struct allocation allocation = {.bytes = bytes, .shape = *shape};
    snprintf(allocation.what, sizeof allocation.what, "%s", shape->name);
    return allocate(device, &allocation, address);
}

enum simt_status simt_device_allocate_named(struct simt_device *device, uint64_t bytes, const char *what,
                                            uint64_t *address) {
    struct allocation allocation = {.bytes = bytes ? bytes : 1};
    snprintf(allocation.what, sizeof allocation.what, "%s", what);
    return allocate(device, &allocation, address);
}

enum simt_status simt_map(struct simt_device *device, uint64_t address, uint64_t bytes, void *host,
                          const char *what) {
    if (!bytes || !address || address + bytes < address || (address + bytes - 1) & SIMT_WINDOW_MASK)
        return SIMT_INVALID_VALUE;
    size_t above = segment_above(device, address);
    if (above < device->segment_count && device->segments[above].start < address + bytes)
        return SIMT_INVALID_VALUE;
    if (above && address - device->segments[above - 1].start < device->segments[above - 1].bytes)
        return SIMT_INVALID_VALUE;
    struct allocation allocation = {.start = address, .bytes = bytes};
    snprintf(allocation.what, sizeof allocation.what, "%s", what != NULL ? what : "mapped host memory");
    if (!insert_segment(device,
                        (struct segment){.start = address, .bytes = bytes, .host = host, .mapped = true}))
        return SIMT_OUT_OF_MEMORY;
    if (!insert_allocation(device, &allocation)) {
        remove_segment(device, address);
        return SIMT_OUT_OF_MEMORY;
    }
    return SIMT_OK;
}

enum simt_status simt_free(struct simt_device *device, uint64_t address) {
    size_t above = simt_device_allocation_above(device, address);
    if (!above || device->allocations[above - 1].start != address)
        return SIMT_INVALID_VALUE;
    simt_kept_free(device, &device->allocations[above - 1]);
    struct allocation allocation = device->allocations[above - 1];
    memmove(&device->allocations[above - 1], &device->allocations[above],
            (device->allocation_count - above) * sizeof *device->allocations);
    device->allocation_count--;
    remove_segment(device, address);
    if (allocation.ordinal || allocation.host != NULL || allocation.shape.name[0] != '\0')
        device->used -= allocation.bytes;
    give_back(&allocation);
    remember_freed(device, &allocation);
    return SIMT_OK;
}

bool simt_find_allocation(const struct simt_device *device, uint64_t address, uint64_t *start,
                          uint64_t *bytes) {
    const struct allocation *allocation = simt_device_allocation(device, address);
    if (allocation == NULL)
        return false;
    *start = allocation->start;
    *bytes = allocation->bytes;
    return true;
}

const char *simt_allocation_name(const struct simt_device *device, uint64_t address) {
    const struct allocation *allocation = simt_device_allocation(device, address);
    return allocation != NULL ? allocation->what : NULL;
}

uint64_t simt_memory_used(const struct simt_device *device) {
    return device->used;
}

/* ---- access from the host */

void *simt_host_pointer(struct simt_device *device, uint64_t address, uint64_t bytes) {
    const struct segment *segment = simt_device_segment(device, address);
    if (segment == NULL || bytes > segment->bytes - (address - segment->start))
        return NULL;
    return segment->host + (address - segment->start);
}

enum simt_status simt_write(struct simt_device *device, uint64_t to, const void *from, uint64_t bytes) {
    if (!bytes)
        return SIMT_OK;
    void *host = simt_host_pointer(device, to, bytes);
    if (host == NULL)
        return SIMT_INVALID_VALUE;
    memmove(host, from, bytes);
    simt_undefined_host_wrote(device, to, bytes);
    return SIMT_OK;
}

enum simt_status simt_read(struct simt_device *device, void *to, uint64_t from, uint64_t bytes) {
    if (!bytes)
        return SIMT_OK;
    const void *host = simt_host_pointer(device, from, bytes);
    if (host == NULL)
        return SIMT_INVALID_VALUE;
    memmove(to, host, bytes);
    simt_undefined_host_read(device, from, bytes);
    return SIMT_OK;
}

enum simt_status simt_read_judged(struct simt_device *device, void *to, uint64_t from, uint64_t bytes) {
    simt_checker_judged(device->checker, true);
    enum simt_status status = simt_read(device, to, from, bytes);
    simt_checker_judged(device->checker, false);
    return status;
}

enum simt_status simt_copy(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes) {
    if (!bytes)
        return SIMT_OK;
    const void *source = simt_host_pointer(device, from, bytes);
    enum simt_status status = source != NULL ? simt_write(device, to, source, bytes) : SIMT_INVALID_VALUE;
    if (status == SIMT_OK)
        simt_undefined_host_copied(device, to, from, bytes);
    return status;
}

enum simt_status simt_fill(struct simt_device *device, uint64_t to, uint32_t value, uint32_t width,
                           uint64_t count) {
    if ((width != 1 && width != 2 && width != 4) || to % width || count > UINT64_MAX / width)
        return SIMT_INVALID_VALUE;
    if (!count)
        return SIMT_OK;
    uint8_t *host = simt_host_pointer(device, to, count * width);
    if (host == NULL)
        return SIMT_INVALID_VALUE;
    if (width == 1)
        memset(host, (int)(value & 255), count);
    else
        for (uint64_t i = 0; i < count; i++)
            memcpy(host + i * width, &value, width); /* little-endian: the low bytes come first */
    simt_undefined_host_wrote(device, to, count * width);
    return SIMT_OK;
}

void simt_forget(struct simt_device *device, uint64_t address, uint64_t bytes) {
    simt_undefined_forget(device, address, bytes);
}

/* memory.c: device memory, and memory that host and device share (managed, pinned, registered). */
#include "gpu/runtime/server/server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SHARED_GUARD = 64 << 10 }; /* bytes: the largest page that Linux has */
#define SHARED_ADDRESS_END ((uint64_t)7 << 44)
/* Limit of all shared memory together. Untouched pages cost nothing, but each page's state is kept
 * and scanned at each launch. */
#define SHARED_MOST ((uint64_t)256 << 30)

static double mebibytes(uint64_t bytes) {
    return (double)bytes / (1 << 20);
}

HANDLER(ALLOCATE, request_allocate) {
    uint64_t address = 0, used = simt_memory_used(server->device);
    enum simt_status status = simt_allocate(server->device, request->bytes, &address);
    if (status != SIMT_OK) {
        reply->error = server_error_of(status);
        server_reply_say(reply, "out of memory: %.1f MiB asked, %.1f MiB of the %s's %.1f MiB are free",
                         mebibytes(request->bytes), mebibytes(server->config.memory_bytes - used),
                         server->options.model->name, mebibytes(server->config.memory_bytes));
        return;
    }
    server_reply_value(reply, address);
}

struct server_region *server_region_at(struct server *server, uint64_t address) {
    for (struct server_region *region = server->regions; region != NULL; region = region->next)
        if (address >= region->address && address - region->address < region->bytes)
            return region;
    return NULL;
}

bool server_on_device(struct server *server, uint64_t address) {
    const struct server_region *region = address ? server_region_at(server, address) : NULL;
    return address && (region == NULL || region->memory == PROTOCOL_MANAGED);
}

/* Makes sealed memory, so that neither side can take its pages from the other. */
static int shared_memory(uint64_t bytes) {
    int descriptor = memfd_create("simgpu-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor >= 0 && (ftruncate(descriptor, (off_t)bytes) < 0 ||
                            fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static const char *memory_name(uint32_t memory) {
    switch (memory) {
    case PROTOCOL_MANAGED: return "managed memory";
    case PROTOCOL_PINNED: return "pinned host memory";
    default: return "registered host memory";
    }
}

/* The first and last page of registered memory may hold other registered memory. The host has one
 * page there, so this mapping gets the page that was mapped first. */
static bool share_pages(const struct server *server, uint64_t address, uint64_t mapped, char *host) {
    uint64_t first = address / page_bytes() * page_bytes(), pages[] = {first, first + mapped - page_bytes()};
    for (const struct server_region *region = server->regions; region != NULL; region = region->next) {
        uint64_t start = region->address / page_bytes() * page_bytes();
        for (int i = 0; region->memory == PROTOCOL_REGISTERED && i < 2; i++)
            if (pages[i] >= start && pages[i] - start < region->mapped &&
                /* An old size of 0 maps the page a second time. */
                mremap((char *)region->host + (pages[i] - start), 0, page_bytes(),
                       MREMAP_MAYMOVE | MREMAP_FIXED, host + (pages[i] - first)) == MAP_FAILED)
                return false;
    }
    return true;
}

static uint64_t shared_bytes(const struct server *server) {
    uint64_t bytes = 0;
    for (const struct server_region *region = server->regions; region != NULL; region = region->next)
        bytes += region->mapped;
    return bytes;
}

/* Maps `bytes` of new shared memory at `address`. A registered range comes with its whole pages,
 * but the device may access the range only. */
static enum simt_status place(struct server *server, uint64_t address, uint64_t bytes, uint32_t memory,
                              struct server_region **placed) {
    uint64_t mapped = (address % page_bytes() + bytes + page_bytes() - 1) / page_bytes() * page_bytes();
    if (mapped > SHARED_MOST - shared_bytes(server))
        return SIMT_OUT_OF_MEMORY;
    struct server_region *region = calloc(1, sizeof *region);
    int descriptor = region != NULL ? shared_memory(mapped) : -1;
    void *host =
        descriptor >= 0 ? mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    enum simt_status status = SIMT_OUT_OF_MEMORY;
    bool whole =
        host != MAP_FAILED && (memory != PROTOCOL_REGISTERED || share_pages(server, address, mapped, host));
    if (host != MAP_FAILED && !whole)
        munmap(host, mapped);
    if (whole) {
        *region = (struct server_region){.address = address,
                                         .bytes = bytes,
                                         .memory = memory,
                                         .host = host,
                                         .mapped = mapped,
                                         .descriptor = descriptor,
                                         .next = server->regions};
        status = server->options.hooks->map(server->judge, region, memory_name(memory));
        if (status != SIMT_OK)
            munmap(host, mapped);
    }
    if (status != SIMT_OK) {
        if (descriptor >= 0)
            close(descriptor);
        free(region);
        return status;
    }
    server->regions = region;
    *placed = region;
    return SIMT_OK;
}

static bool pick_address(struct server *server, uint64_t bytes, uint64_t *address) {
    uint64_t space = (bytes + SHARED_GUARD) / SHARED_GUARD * SHARED_GUARD + SHARED_GUARD;
    if (bytes > SHARED_ADDRESS_END - server->next_shared_address - 2 * SHARED_GUARD)
        return false;
    *address = server->next_shared_address;
    server->next_shared_address += space;
    return true;
}

enum simt_status server_place_managed(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address) {
    struct server *server = context;
    struct server_region *region;
    /* Addresses are aligned to the guard's 64 KB, more than any variable asks for. */
    if (alignment > SHARED_GUARD || !pick_address(server, bytes, address))
        return SIMT_OUT_OF_MEMORY;
    return place(server, *address, bytes ? bytes : 1, PROTOCOL_MANAGED, &region);
}

static bool overlaps_region(const struct server *server, uint64_t address, uint64_t bytes) {
    for (const struct server_region *region = server->regions; region != NULL; region = region->next)
        if (address < region->address + region->bytes && region->address < address + bytes)
            return true;
    return false;
}

HANDLER(ALLOCATE_SHARED, request_allocate_shared) {
    uint64_t address = request->address, bytes = request->bytes;
    struct server_region *region = NULL;
    if (bytes == 0 || bytes > SIMT_HOST_ADDRESS_END || request->memory < PROTOCOL_MANAGED ||
        request->memory > PROTOCOL_REGISTERED) {
        /* With 0 bytes, the client asks only for the descriptor of a managed variable that is
         * placed already. */
        struct server_region *variable = bytes == 0 ? server_region_at(server, address) : NULL;
        if (variable == NULL || variable->descriptor < 0) {
            reply->error = ERROR_INVALID_VALUE;
            return;
        }
        region = variable;
    } else if (request->memory == PROTOCOL_REGISTERED) {
        bool device = address < SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES && SIMT_ADDRESS_BASE < address + bytes;
        if (address == 0 || address > SIMT_HOST_ADDRESS_END - bytes || device) {
            reply->error = ERROR_INVALID_VALUE;
            return;
        }
        if (overlaps_region(server, address, bytes)) {
            reply->error = ERROR_ALREADY_REGISTERED;
            return;
        }
    } else if (!pick_address(server, bytes, &address)) {
        reply->error = ERROR_MEMORY_ALLOCATION;
        return;
    }
    if (region == NULL) {
        enum simt_status status = place(server, address, bytes, request->memory, &region);
        if (status != SIMT_OK) {
            reply->error = server_error_of(status);
            server_reply_say(reply, "%s of %.1f MiB cannot be had", memory_name(request->memory),
                             mebibytes(bytes));
            return;
        }
    }
    server_reply_value(reply, region->address);
    reply->descriptor = region->descriptor; /* is sent along and closed here */
    region->descriptor = -1;
}

static void free_region(struct server *server, struct server_region *region) {
    struct server_region **link = &server->regions;
    while (*link != region)
        link = &(*link)->next;
    *link = region->next;
    simt_free(server->device, region->address);
    server->options.hooks->unmap(region);
    munmap(region->host, region->mapped);
    if (region->descriptor >= 0)
        close(region->descriptor);
    free(region);
}

HANDLER(FREE, request_free) {
    struct server_work work = {
        .kind = SERVER_FREE, .name = "cudaFree", .request = request, .to = {request->address, 0}};
    if (!server->options.hooks->allows(server->judge, &work, reply))
        return;
    struct server_region *region = server_region_at(server, request->address);
    uint32_t memory = region != NULL ? region->memory : PROTOCOL_DEVICE;
    bool freed =
        memory == request->memory || (memory == PROTOCOL_MANAGED && request->memory == PROTOCOL_DEVICE);
    if (freed && region != NULL) {
        freed = region->address == request->address;
        if (freed)
            free_region(server, region);
    } else if (freed) {
        server->options.hooks->begins(server->judge, &work);
        freed = !work.refused && (work.kept || simt_free(server->device, request->address) == SIMT_OK);
    }
    if (!freed) {
        reply->error = request->memory == PROTOCOL_REGISTERED ? ERROR_NOT_REGISTERED : ERROR_INVALID_VALUE;
        return;
    }
    if (!request->ordered)
        timeline_host_wait(&server->timeline, server->timeline.last);
    server_reply_value(reply, memory);
}

HANDLER(POINTER, request_address) {
    const struct server_region *region = server_region_at(server, request->address);
    uint64_t start = 0, bytes = 0;
    if (region != NULL) {
        start = region->address;
        bytes = region->bytes;
    } else if (!simt_find_allocation(server->device, request->address, &start, &bytes)) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    struct reply_pointer *answer = server_reply_bytes(reply, sizeof *answer);
    if (answer != NULL)
        *answer = (struct reply_pointer){start, bytes, region != NULL ? region->memory : PROTOCOL_DEVICE};
}

HANDLER(MEMORY_INFO, request_none) {
    struct reply_memory_info *answer = server_reply_bytes(reply, sizeof *answer);
    uint64_t total = server->config.memory_bytes, used = simt_memory_used(server->device);
    if (answer != NULL)
        *answer = (struct reply_memory_info){used < total ? total - used : 0, total};
}

/* memory.c: allocates and frees device, pinned, managed and registered memory. */
#include "gpu/runtime/client/client.h"

#include "gpu/simt/simt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PITCH_ALIGNMENT = 512 };
enum {
    HOST_FLAGS = 0x1 | 0x2 | 0x4,
    REGISTER_FLAGS = 0x1 | 0x2 | 0x4 | 0x8,
    ATTACH_GLOBAL = 1,
    ATTACH_HOST = 2
};

bool client_is_device_address(uint64_t address) {
    return address - SIMT_ADDRESS_BASE < SIMT_ADDRESS_BYTES;
}

struct client_region *client_region_at(struct client *client, uint64_t address) {
    for (struct client_region *region = client->regions; region != NULL; region = region->next)
        if (address - region->address < region->bytes)
            return region;
    return NULL;
}

cudaError_t client_map(struct client *client, uint64_t address, uint64_t bytes, uint32_t memory,
                       unsigned flags, int descriptor) {
    struct client_region *region = calloc(1, sizeof *region);
    uint64_t before = address % page_bytes(),
             mapped = (before + bytes + page_bytes() - 1) / page_bytes() * page_bytes();
    void *wanted = (void *)(uintptr_t)(address - before);
    void *got = region != NULL && descriptor >= 0 ? mmap(wanted, mapped, PROT_READ | PROT_WRITE,
                                                         MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0)
                                                  : MAP_FAILED;
    if (descriptor >= 0)
        close(descriptor);
    if (region == NULL || got != wanted) {
        if (got != MAP_FAILED)
            munmap(got, mapped);
        free(region);
        return cudaErrorMemoryAllocation;
    }
    *region = (struct client_region){address, bytes, memory, flags, client->regions};
    client->regions = region;
    return cudaSuccess;
}

static void drop_region(struct client *client, struct client_region *region) {
    struct client_region **link = &client->regions;
    while (*link != region)
        link = &(*link)->next;
    *link = region->next;
    free(region);
}

static void unmap_region(const struct client_region *region) {
    uint64_t before = region->address % page_bytes();
    munmap((void *)(uintptr_t)(region->address - before),
           (before + region->bytes + page_bytes() - 1) / page_bytes() * page_bytes());
}

void client_unmap_all(struct client *client) {
    while (client->regions != NULL) {
        struct client_region *region = client->regions;
        if (region->memory != PROTOCOL_REGISTERED) /* the program's own memory stays */
            unmap_region(region);
        drop_region(client, region);
    }
}

static cudaError_t allocate(struct client *client, void **pointer, size_t bytes, uint32_t stream,
                            bool ordered) {
    struct request_allocate request = {bytes, stream, ordered};
    struct reply_value address;
    cudaError_t error = CLIENT_CALL(client, PROTOCOL_ALLOCATE, request, &address, sizeof address);
    *pointer = error == cudaSuccess ? (void *)(uintptr_t)address.value : NULL;
    if (error == cudaSuccess)
        client_early_allocated(address.value, bytes);
    return error;
}

cudaError_t client_allocate(struct client *client, void **pointer, size_t bytes) {
    return allocate(client, pointer, bytes, 0, false);
}

static cudaError_t allocate_shared(struct client *client, void **pointer, size_t bytes, uint32_t memory,
                                   unsigned flags) {
    struct request_allocate_shared request = {0, bytes, memory};
    cudaError_t error = cudaErrorMemoryAllocation;
    /* If the program already uses the address that simgpu picked, tries the next one. */
    for (int attempt = 0; attempt < 8 && error == cudaErrorMemoryAllocation; attempt++) {
        void *reply;
        size_t size;
        int descriptor = -1;
        error = client_call_whole(client, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, NULL, 0, &reply,
                                  &size, &descriptor);
        if (error != cudaSuccess) {
            free(reply);
            return error;
        }
        uint64_t address = ((struct reply_value *)reply)->value;
        free(reply);
        error = client_map(client, address, bytes, memory, flags, descriptor);
        if (error == cudaSuccess) {
            *pointer = (void *)(uintptr_t)address;
        } else {
            struct request_free release = {.address = address, .memory = memory, .ordered = 1};
            (void)CLIENT_CALL(client, PROTOCOL_FREE, release, NULL, 0);
        }
    }
    return error;
}

API cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    if (pointer == NULL)
        return client_finish(cudaErrorInvalidValue);
    *pointer = NULL;
    WITH_DEVICE(if (bytes) error = allocate(client, pointer, bytes, 0, false));
}

API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    uint32_t id;
    if (pointer == NULL)
        return client_finish(cudaErrorInvalidValue);
    *pointer = NULL;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        if (client_graph_captures(client, id))
            error = client_graph_takes_memory(client, id, pointer, bytes);
        else if (bytes)
            error = allocate(client, pointer, bytes, id, true);
    });
}

API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                        cudaStream_t stream) {
    (void)pool;
    return cudaMallocAsync(pointer, bytes, stream);
}

API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (pointer == NULL || pitch == NULL || width > SIZE_MAX - PITCH_ALIGNMENT)
        return client_finish(cudaErrorInvalidValue);
    size_t rounded = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT, bytes;
    *pointer = NULL;
    if (__builtin_mul_overflow(rounded, height, &bytes))
        return client_finish(cudaErrorMemoryAllocation);
    *pitch = rounded;
    WITH_DEVICE(if (bytes) error = allocate(client, pointer, bytes, 0, false));
}

API cudaError_t cudaMalloc3D(struct cuda_pitched *pitched, struct cuda_extent extent) {
    size_t rows;
    if (pitched == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return client_finish(cudaErrorMemoryAllocation);
    pitched->width = extent.width;
    pitched->height = extent.height;
    return cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.width, rows);
}

API cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    if (pointer == NULL || bytes == 0 || (flags != ATTACH_GLOBAL && flags != ATTACH_HOST))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = allocate_shared(client, pointer, bytes, PROTOCOL_MANAGED, flags));
}

API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    if (pointer == NULL || (flags & ~(unsigned)HOST_FLAGS))
        return client_finish(cudaErrorInvalidValue);
    *pointer = NULL;
    WITH_DEVICE(if (bytes) error = allocate_shared(client, pointer, bytes, PROTOCOL_PINNED, flags));
}

API cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, 0);
}

static cudaError_t release(struct client *client, void *pointer, uint32_t memory, uint32_t stream,
                           bool ordered) {
    uint64_t address = (uintptr_t)pointer;
    struct request_free request = {address, memory, stream, ordered};
    cudaError_t error = CLIENT_CALL(client, PROTOCOL_FREE, request, NULL, 0);
    struct client_region *region = error == cudaSuccess ? client_region_at(client, address) : NULL;
    if (region != NULL) {
        unmap_region(region);
        drop_region(client, region);
    }
    if (!ordered)
        client_flush_output(client);
    return error;
}

API cudaError_t cudaFree(void *pointer) {
    /* Programs open the device early by cudaFree(0). */
    WITH_DEVICE({
        if (pointer != NULL && !client_graph_frees(client, pointer, &error))
            error = release(client, pointer, PROTOCOL_DEVICE, 0, false);
    });
}

void client_free_ordered(struct client *client, void *pointer) {
    (void)release(client, pointer, PROTOCOL_DEVICE, 0, true);
}

API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    uint32_t id;
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        if (client_graph_captures(client, id))
            error = client_graph_takes_free(client, id, pointer);
        else if (pointer != NULL && !client_graph_frees(client, pointer, &error))
            error = release(client, pointer, PROTOCOL_DEVICE, id, true);
    });
}

API cudaError_t cudaFreeHost(void *pointer) {
    WITH_DEVICE(if (pointer != NULL) error = release(client, pointer, PROTOCOL_PINNED, 0, false));
}

/* Whether a page holds registered memory. */
static bool registered_page(const struct client *client, uint64_t page) {
    for (const struct client_region *region = client->regions; region != NULL; region = region->next)
        if (region->memory == PROTOCOL_REGISTERED && region->bytes > 0 &&
            region->address < page + page_bytes() && page < region->address + region->bytes)
            return true;
    return false;
}

/* The pages that belong to one range alone. Its first and last page may hold other registered
 * memory, which keeps them shared. Returns their bytes. */
static uint64_t own_pages(const struct client *client, uint64_t address, uint64_t bytes, char **start) {
    uint64_t first = address / page_bytes() * page_bytes(),
             end = (address + bytes + page_bytes() - 1) / page_bytes() * page_bytes();
    if (registered_page(client, first))
        first += page_bytes();
    if (first < end && registered_page(client, end - page_bytes()))
        end -= page_bytes();
    *start = (char *)(uintptr_t)first;
    return end - first;
}

/* Replaces pages by others with the same contents. Nothing may be allocated between copy and
 * replacement, because malloc's own data may lie in these pages. */
static bool exchange_pages(char *start, uint64_t bytes, int descriptor, uint64_t offset) {
    int flags = descriptor >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    if (bytes == 0)
        return true;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, descriptor, (off_t)offset);
    if (pages == MAP_FAILED)
        return false;
    memcpy(pages, start, bytes);
    if (mremap(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, start) != MAP_FAILED)
        return true;
    munmap(pages, bytes);
    return false;
}

/* Registers the program's memory: replaces its pages, the first and the last whole, by shared ones
 * with the same contents at the same address. */
static cudaError_t register_memory(struct client *client, void *pointer, size_t bytes, unsigned flags) {
    uint64_t address = (uintptr_t)pointer;
    struct request_allocate_shared request = {address, bytes, PROTOCOL_REGISTERED};
    void *reply;
    size_t size;
    int descriptor = -1;
    struct client_region *region = calloc(1, sizeof *region);
    if (region == NULL)
        return cudaErrorMemoryAllocation;
    cudaError_t error = client_call_whole(client, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, NULL, 0,
                                          &reply, &size, &descriptor);
    free(reply);
    if (error == cudaSuccess) {
        char *start;
        uint64_t own = own_pages(client, address, bytes, &start);
        uint64_t offset = (uintptr_t)start - address / page_bytes() * page_bytes();
        if (descriptor < 0 || !exchange_pages(start, own, descriptor, offset)) {
            struct request_free undo = {.address = address, .memory = PROTOCOL_REGISTERED, .ordered = 1};
            (void)CLIENT_CALL(client, PROTOCOL_FREE, undo, NULL, 0);
            error = cudaErrorMemoryAllocation;
        }
    }
    if (descriptor >= 0)
        close(descriptor);
    if (error != cudaSuccess) {
        free(region);
        return error;
    }
    *region = (struct client_region){address, bytes, PROTOCOL_REGISTERED, flags, client->regions};
    client->regions = region;
    return cudaSuccess;
}

API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    if (pointer == NULL || bytes == 0 || (flags & ~(unsigned)REGISTER_FLAGS) ||
        bytes > UINTPTR_MAX - (uintptr_t)pointer - page_bytes())
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = register_memory(client, pointer, bytes, flags));
}

/* Makes the pages private again with their present contents, except pages that hold other
 * registered memory. */
static cudaError_t unregister_memory(struct client *client, void *pointer) {
    struct client_region *region = client_region_at(client, (uintptr_t)pointer);
    if (region == NULL || region->memory != PROTOCOL_REGISTERED || region->address != (uintptr_t)pointer)
        return cudaErrorHostMemoryNotRegistered;
    struct request_free request = {.address = region->address, .memory = PROTOCOL_REGISTERED};
    uint64_t bytes = region->bytes;
    char *start;
    region->bytes = 0; /* owns no page any more */
    uint64_t own = own_pages(client, request.address, bytes, &start);
    if (!exchange_pages(start, own, -1, 0)) {
        region->bytes = bytes;
        return cudaErrorMemoryAllocation;
    }
    drop_region(client, region);
    return CLIENT_CALL(client, PROTOCOL_FREE, request, NULL, 0);
}

API cudaError_t cudaHostUnregister(void *pointer) {
    if (pointer == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = unregister_memory(client, pointer));
}

API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    if (device == NULL || flags != 0)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        /* Host and device use the same address. */
        struct client_region *region = client_region_at(client, (uintptr_t)host);
        error = region != NULL ? cudaSuccess : cudaErrorInvalidValue;
        *device = region != NULL ? host : NULL;
    });
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    if (flags == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct client_region *region = client_region_at(client, (uintptr_t)host);
        if (region != NULL && region->memory != PROTOCOL_MANAGED)
            *flags = region->flags | 2 /* mapped: always, with one address space */;
        else
            error = cudaErrorInvalidValue;
    });
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    struct request_none nothing = {{0}};
    struct reply_memory_info info;
    if (free_bytes == NULL || total_bytes == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        error = CLIENT_CALL(client, PROTOCOL_MEMORY_INFO, nothing, &info, sizeof info);
        if (error == cudaSuccess) {
            *free_bytes = info.free;
            *total_bytes = info.total;
        }
    });
}

API cudaError_t cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes, const void *pointer) {
    struct request_address request = {(uintptr_t)pointer};
    struct reply_pointer answer;
    if (attributes == NULL)
        return client_finish(cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    attributes->device = -2; /* cudaInvalidDeviceId */
    attributes->hostPointer = (void *)pointer;
    WITH_DEVICE({
        cudaError_t found = CLIENT_CALL(client, PROTOCOL_POINTER, request, &answer, sizeof answer);
        if (found == cudaSuccess) {
            bool device = answer.memory == PROTOCOL_DEVICE;
            attributes->device = 0;
            attributes->type = device                              ? MEMORY_DEVICE
                               : answer.memory == PROTOCOL_MANAGED ? MEMORY_MANAGED
                                                                   : MEMORY_HOST;
            attributes->devicePointer = (void *)pointer;
            attributes->hostPointer = device ? NULL : (void *)pointer;
        } else if (found != cudaErrorInvalidValue) {
            error = found; /* an address of no allocation is unregistered memory */
        }
    });
}

/* managed.c: advice and prefetches for managed memory, and memory pools. The simulated GPU shares
 * the host's pages, so advice is checked and has no effect. The one pool is the device's
 * default. */
#include "gpu/runtime/client/client.h"

#include <string.h>

enum { CPU_DEVICE = -1, LAST_ADVICE = 6, LOCATION_DEVICE = 1, LOCATION_HOST = 2, LOCATION_LAST = 4 };

/* Checks that `count` bytes from pointer are managed memory. */
static cudaError_t managed_range(const void *pointer, size_t count, cudaStream_t stream, bool valid) {
    uint32_t id;
    uint64_t address = (uintptr_t)pointer;
    if (!valid || count == 0)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        const struct client_region *region = client_region_at(client, address);
        bool inside = region != NULL && region->memory == PROTOCOL_MANAGED &&
                      count <= region->bytes - (address - region->address);
        error = inside ? cudaSuccess : cudaErrorInvalidValue;
    });
}

#if CUDART_MAJOR < 13
static bool is_device_or_host(int device) {
    return device == 0 || device == CPU_DEVICE;
}

API cudaError_t cudaMemAdvise(const void *pointer, size_t count, int advice, int device) {
    if (!is_device_or_host(device))
        return client_finish(cudaErrorInvalidDevice);
    return managed_range(pointer, count, NULL, advice >= 1 && advice <= LAST_ADVICE);
}

API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device, cudaStream_t stream) {
    if (!is_device_or_host(device))
        return client_finish(cudaErrorInvalidDevice);
    return managed_range(pointer, count, stream, true);
}
#endif

#if CUDART_MAJOR >= 12
static bool is_location(struct cuda_memory_location location) {
    return location.type >= LOCATION_DEVICE && location.type <= LOCATION_LAST &&
           (location.type != LOCATION_DEVICE || location.id == 0);
}

static cudaError_t advise(const void *pointer, size_t count, int advice,
                          struct cuda_memory_location location) {
    bool valid = advice >= 1 && advice <= LAST_ADVICE;
    /* Only advice on the preferred place and on accessors uses the location. */
    if (advice == 3 || advice == 5 || advice == 6)
        valid = valid && is_location(location);
    return managed_range(pointer, count, NULL, valid);
}

static cudaError_t prefetch(const void *pointer, size_t count, struct cuda_memory_location location,
                            unsigned flags, cudaStream_t stream) {
    if (!is_location(location))
        return client_finish(cudaErrorInvalidDevice);
    return managed_range(pointer, count, stream, flags == 0);
}
#endif

#if CUDART_MAJOR == 12
API cudaError_t cudaMemAdvise_v2(const void *pointer, size_t count, int advice,
                                 struct cuda_memory_location location) {
    return advise(pointer, count, advice, location);
}

API cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t count,
                                        struct cuda_memory_location location, unsigned flags,
                                        cudaStream_t stream) {
    return prefetch(pointer, count, location, flags, stream);
}
#endif

#if CUDART_MAJOR >= 13
API cudaError_t cudaMemAdvise(const void *pointer, size_t count, int advice,
                              struct cuda_memory_location location) {
    return advise(pointer, count, advice, location);
}

API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, struct cuda_memory_location location,
                                     unsigned flags, cudaStream_t stream) {
    return prefetch(pointer, count, location, flags, stream);
}
#endif

/* The one pool's handle is the address of this variable. */
static const char default_pool;

static cudaError_t default_pool_of(cudaMemPool_t *pool, int device) {
    if (pool == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
        *pool = (cudaMemPool_t)(uintptr_t)&default_pool;
    });
}

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    return default_pool_of(pool, device);
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return default_pool_of(pool, device);
}

static bool is_pool(cudaMemPool_t pool) {
    return (const char *)pool == &default_pool;
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (!is_pool(pool))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

enum pool_attribute {
    REUSE_EVENTS = 1,
    REUSE_INTERNAL = 3,
    RELEASE_THRESHOLD = 4,
    RESERVED_NOW = 5,
    USED_HIGH = 8
};

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value) {
    if (!is_pool(pool) || value == NULL || attribute < REUSE_EVENTS || attribute > USED_HIGH)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        if (attribute == RELEASE_THRESHOLD)
            memcpy(&client->pool_threshold, value, sizeof client->pool_threshold);
    });
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value) {
    if (!is_pool(pool) || value == NULL || attribute < REUSE_EVENTS || attribute > USED_HIGH)
        return client_finish(cudaErrorInvalidValue);
    struct request_none nothing = {{0}};
    struct reply_memory_info info;
    const int enabled = 1;
    WITH_DEVICE({
        if (attribute <= REUSE_INTERNAL) {
            memcpy(value, &enabled, sizeof enabled);
        } else if (attribute == RELEASE_THRESHOLD) {
            memcpy(value, &client->pool_threshold, sizeof client->pool_threshold);
        } else {
            error = CLIENT_CALL(client, PROTOCOL_MEMORY_INFO, nothing, &info, sizeof info);
            uint64_t used = error == cudaSuccess ? info.total - info.free : 0;
            if (error == cudaSuccess)
                memcpy(value, &used, sizeof used);
        }
    });
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
    (void)keep;
    if (!is_pool(pool))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE((void)0);
}

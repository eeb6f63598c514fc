/* device.c: the one device: its properties and attributes, limits, versions, reset. */
#include "cudart/client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PITCH = 2147483647, CONSTANT_BYTES = 65536 };
enum { DEVICE_FLAGS = 0x07 | 0x08 | 0x10 | 0x80, MAP_HOST = 0x08 };

#if CUDART_MAJOR == 11
enum { RUNTIME_VERSION = 11080 };
#elif CUDART_MAJOR == 12
enum { RUNTIME_VERSION = 12090 };
#else
enum { RUNTIME_VERSION = 13000 };
#endif
enum { DRIVER_VERSION = 13000 };

API cudaError_t cudaGetDeviceCount(int *count) {
    if (count == NULL)
        return client_finish(cudaErrorInvalidValue);
    *count = 0;
    WITH_DEVICE(*count = 1);
}

API cudaError_t cudaGetDevice(int *device) {
    if (device == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(*device = 0);
}

/* An ordinal other than 0 names no device. */
static cudaError_t only_device(int device) {
    WITH_DEVICE(error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

API cudaError_t cudaSetDevice(int device) {
    return only_device(device);
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    if (flags > 1 || (device_flags & ~(unsigned)DEVICE_FLAGS))
        return client_finish(cudaErrorInvalidValue);
    return only_device(device);
}

API cudaError_t cudaSetValidDevices(int *devices, int count) {
    for (int i = 0; i < count; i++)
        if (devices == NULL || devices[i] != 0)
            return client_finish(cudaErrorInvalidDevice);
    return only_device(0);
}

API cudaError_t cudaChooseDevice(int *device, const void *properties) {
    if (device == NULL || properties == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(*device = 0);
}

API cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if (flags & ~(unsigned)DEVICE_FLAGS)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(client->device_flags = flags);
}

API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    if (flags == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(*flags = client->device_flags | MAP_HOST);
}

/* How many single-precision operations go for one in double precision, by compute capability. */
#if CUDART_MAJOR < 13
static int precision_ratio(const struct reply_hello *d) {
    bool full = d->compute_minor == 0 && d->compute_major >= 6;
    return full ? 2 : d->compute_major == 8 ? 64 : 32;
}
#endif

#if CUDART_MAJOR < 13
/* The layout of 11.8, which 12's library still serves under this name. */
static void fill_11(struct cuda_properties_11 *p, const struct reply_hello *d){
#include "properties.inc"
}

API cudaError_t cudaGetDeviceProperties(struct cuda_properties_11 *properties, int device) {
    if (properties == NULL)
        return client_finish(cudaErrorInvalidValue);
    memset(properties, 0, sizeof *properties);
    WITH_DEVICE({
        error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
        if (device == 0)
            fill_11(properties, &client->device);
    });
}
#endif

#if CUDART_MAJOR == 12
static void fill_12(struct cuda_properties_12 *p, const struct reply_hello *d) {
#include "properties.inc"
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
}

API cudaError_t cudaGetDeviceProperties_v2(struct cuda_properties_12 *properties, int device) {
    if (properties == NULL)
        return client_finish(cudaErrorInvalidValue);
    memset(properties, 0, sizeof *properties);
    WITH_DEVICE({
        error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
        if (device == 0)
            fill_12(properties, &client->device);
    });
}
#endif

#if CUDART_MAJOR >= 13
static void fill_13(struct cuda_properties_13 *p, const struct reply_hello *d) {
#include "properties.inc"
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}

API cudaError_t cudaGetDeviceProperties(struct cuda_properties_13 *properties, int device) {
    if (properties == NULL)
        return client_finish(cudaErrorInvalidValue);
    memset(properties, 0, sizeof *properties);
    WITH_DEVICE({
        error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
        if (device == 0)
            fill_13(properties, &client->device);
    });
}
#endif

/* Attributes by the numbers of cudaDeviceAttr. Those that say "supported" of what is not simulated are 0. */
static bool attribute_value(const struct reply_hello *d, int attribute, int *value) {
    switch (attribute) {
    case 1: *value = (int)d->max_threads_per_block; break;
    case 2:
    case 3:
    case 4: *value = (int)d->max_block[attribute - 2]; break;
    case 5:
    case 6:
    case 7: *value = (int)d->max_grid[attribute - 5]; break;
    case 8: *value = (int)d->shared_per_block; break;
    case 9: *value = CONSTANT_BYTES; break;
    case 10: *value = 32; break;
    case 11: *value = MAX_PITCH; break;
    case 12: *value = (int)d->registers_per_block; break;
    case 13: *value = (int)d->clock_khz; break;
    case 14:
    case 30: *value = 512; break;
    case 16: *value = (int)d->sm_count; break;
    case 21:
    case 22: *value = 131072; break;
    case 23: *value = 65536; break;
    case 24:
    case 25:
    case 26: *value = 16384; break;
    case 27:
    case 28: *value = 32768; break;
    case 29: *value = 2048; break;
    case 36: *value = (int)d->memory_clock_khz; break;
    case 37: *value = (int)d->memory_bus_bits; break;
    case 38: *value = (int)d->l2_bytes; break;
    case 39: *value = (int)d->max_threads_per_sm; break;
    case 40: *value = 2; break;
    case 51: *value = 32; break;
    case 75: *value = (int)d->compute_major; break;
    case 76: *value = (int)d->compute_minor; break;
    case 81: *value = (int)d->shared_per_sm; break;
    case 82: *value = (int)d->registers_per_sm; break;
    case 97: *value = (int)d->shared_per_block_optin; break;
    case 106: *value = (int)d->max_blocks_per_sm; break;
    case 111: *value = (int)d->shared_reserved; break;
    /* supported: overlap, mapped host memory, concurrent kernels, one address space, stream priorities, L1
     * for global and local memory, managed memory and its concurrent use, preemption, registered pointers,
     * cooperative launches, registering host memory, memory pools */
    case 15:
    case 19:
    case 31:
    case 41:
    case 78:
    case 79:
    case 80:
    case 83:
    case 89:
    case 90:
    case 91:
    case 95:
    case 99:
    case 115: *value = 1; break;
    case 131:
    case 134: *value = -1; break; /* no NUMA node */
    default: *value = 0; return attribute > 0 && attribute < 148;
    }
    return true;
}

API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
    if (value == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        if (device != 0)
            error = cudaErrorInvalidDevice;
        else if (!attribute_value(&client->device, attribute, value))
            error = cudaErrorInvalidValue;
    });
}

API cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
    if (text == NULL || length < 13)
        return client_finish(cudaErrorInvalidValue);
    snprintf(text, (size_t)length, "0000:00:00.0");
    return only_device(device);
}

API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    if (device == NULL || text == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (strcmp(text, "0000:00:00.0") != 0)
        return client_finish(cudaErrorInvalidDevice);
    WITH_DEVICE(*device = 0);
}

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (can == NULL)
        return client_finish(cudaErrorInvalidValue);
    *can = 0;
    return only_device(device ? device : peer);
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    (void)flags;
    (void)peer;
    return client_finish(cudaErrorInvalidDevice); /* there is no other device */
}

API cudaError_t cudaDeviceReset(void) {
    struct request_none nothing = {{0}};
    struct client *client = client_acquire();
    cudaError_t error = client_connect(client);
    /* A broken context is what a reset is for. */
    if (client->connection == CONNECTED && (error == cudaSuccess || error == (cudaError_t)client->sticky)) {
        client_flush_output(client);
        error = CLIENT_CALL(client, PROTOCOL_RESET, nothing, NULL, 0);
        client_unmap_all(client);
        for (struct cuda_kernel *kernel = client->kernels; kernel != NULL; kernel = kernel->next) {
            free(kernel->parameters);
            kernel->parameters = NULL;
            kernel->known = false;
        }
        for (struct client_variable *variable = client->variables; variable != NULL;
             variable = variable->next)
            variable->known = false;
        for (struct client_module *module = client->modules; module != NULL; module = module->next)
            module->tried = module->managed_ready = false;
        client->stack = client->device.stack;
        client->heap = client->device.heap;
        client->print = client->device.print;
    }
    client_release(client);
    return client_finish(error);
}

API cudaError_t cudaThreadExit(void) {
    return cudaDeviceReset();
}

enum limit {
    LIMIT_STACK,
    LIMIT_PRINT,
    LIMIT_HEAP,
    LIMIT_SYNC_DEPTH,
    LIMIT_PENDING,
    LIMIT_FETCH,
    LIMIT_PERSISTING
};

API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
    if (value == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        switch (limit) {
        case LIMIT_STACK: *value = client->stack; break;
        case LIMIT_PRINT: *value = client->print; break;
        case LIMIT_HEAP: *value = client->heap; break;
        case LIMIT_FETCH: *value = 64; break;
        case LIMIT_PERSISTING: *value = 0; break;
        default: error = cudaErrorUnsupportedLimit; break;
        }
    });
}

API cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
    WITH_DEVICE({
        struct request_limits request = {client->stack, client->heap, client->print};
        bool ours = true;
        if (limit == LIMIT_STACK)
            request.stack = (value + 15) / 16 * 16;
        else if (limit == LIMIT_PRINT)
            request.print = value;
        else if (limit == LIMIT_HEAP)
            request.heap = value;
        else
            ours = false;
        if (ours)
            error = CLIENT_CALL(client, PROTOCOL_LIMITS, request, NULL, 0);
        else if (limit != LIMIT_FETCH && limit != LIMIT_PERSISTING) /* hints, accepted */
            error = cudaErrorUnsupportedLimit;
        if (ours && error == cudaSuccess) {
            client->stack = request.stack;
            client->heap = request.heap;
            client->print = request.print;
        }
    });
}

API cudaError_t cudaThreadGetLimit(size_t *value, int limit) {
    return cudaDeviceGetLimit(value, limit);
}

API cudaError_t cudaThreadSetLimit(int limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}

API cudaError_t cudaDeviceGetCacheConfig(int *config) {
    if (config == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(*config = client->cache_config);
}

API cudaError_t cudaDeviceSetCacheConfig(int config) {
    if (config < 0 || config > 3)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(client->cache_config = config);
}

API cudaError_t cudaThreadGetCacheConfig(int *config) {
    return cudaDeviceGetCacheConfig(config);
}

API cudaError_t cudaThreadSetCacheConfig(int config) {
    return cudaDeviceSetCacheConfig(config);
}

/* Banks are four bytes wide on every GPU that is simulated. */
API cudaError_t cudaDeviceGetSharedMemConfig(int *config) {
    if (config == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(*config = 1);
}

API cudaError_t cudaDeviceSetSharedMemConfig(int config) {
    if (config < 0 || config > 2)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(client->shared_config = config);
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return only_device(0);
}

API cudaError_t cudaRuntimeGetVersion(int *version) {
    if (version == NULL)
        return client_finish(cudaErrorInvalidValue);
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaDriverGetVersion(int *version) {
    if (version == NULL)
        return client_finish(cudaErrorInvalidValue);
    *version = DRIVER_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

API cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

API struct cuda_channel_format cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return (struct cuda_channel_format){x, y, z, w, kind};
}

/* device.c: the one device: its properties and attributes, limits, versions, reset. */
#include "gpu/runtime/client/client.h"

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

/* Accepts ordinal 0 only. */
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

/* Single-precision operations in the time of one in double precision, by compute capability. */
#if CUDART_MAJOR < 13
static int precision_ratio(const struct reply_hello *d) {
    bool full = d->compute_minor == 0 && d->compute_major >= 6;
    return full ? 2 : d->compute_major == 8 ? 64 : 32;
}
#endif

/* Defines cudaGetDeviceProperties of one release, with the function that fills its layout. */
#define PROPERTIES_FUNCTION(name, layout, fill)                                                              \
    API cudaError_t name(struct layout *properties, int device) {                                            \
        if (properties == NULL)                                                                              \
            return client_finish(cudaErrorInvalidValue);                                                     \
        memset(properties, 0, sizeof *properties);                                                           \
        WITH_DEVICE({                                                                                        \
            error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;                                      \
            if (device == 0)                                                                                 \
                fill(properties, &client->device);                                                           \
        });                                                                                                  \
    }

#if CUDART_MAJOR < 13
/* The layout of 11.8, which 12's library still offers under this name. */
static void fill_11(struct cuda_properties_11 *p, const struct reply_hello *d){
#include "properties.inc"
} PROPERTIES_FUNCTION(cudaGetDeviceProperties, cuda_properties_11, fill_11)
#endif

#if CUDART_MAJOR == 12
    static void fill_12(struct cuda_properties_12 *p, const struct reply_hello *d) {
#include "properties.inc"
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
}
PROPERTIES_FUNCTION(cudaGetDeviceProperties_v2, cuda_properties_12, fill_12)
#endif

#if CUDART_MAJOR >= 13
static void fill_13(struct cuda_properties_13 *p, const struct reply_hello *d) {
#include "properties.inc"
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}
PROPERTIES_FUNCTION(cudaGetDeviceProperties, cuda_properties_13, fill_13)
#endif

/* Attributes by the numbers of cudaDeviceAttr. "Supported" is 0 for what is not simulated. */
static bool attribute_value(const struct reply_hello *d, int attribute, int *value) {
    // clang-format off
    const struct {
        int attribute;
        uint32_t value;
    } known[] = {
        {1, d->max_threads_per_block}, {2, d->max_block[0]}, {3, d->max_block[1]}, {4, d->max_block[2]},
        {5, d->max_grid[0]}, {6, d->max_grid[1]}, {7, d->max_grid[2]}, {8, d->shared_per_block}, {9, CONSTANT_BYTES},
        {10, 32}, {11, MAX_PITCH}, {12, d->registers_per_block}, {13, d->clock_khz}, {14, 512}, {16, d->sm_count},
        {21, 131072}, {22, 131072}, {23, 65536}, {24, 16384}, {25, 16384}, {26, 16384}, {27, 32768}, {28, 32768},
        {29, 2048}, {30, 512}, {36, d->memory_clock_khz}, {37, d->memory_bus_bits}, {38, (uint32_t)d->l2_bytes},
        {39, d->max_threads_per_sm}, {40, 2}, {51, 32}, {75, d->compute_major}, {76, d->compute_minor},
        {81, d->shared_per_sm}, {82, d->registers_per_sm}, {97, d->shared_per_block_optin},
        {106, d->max_blocks_per_sm}, {108, d->l2_persisting_bytes}, {109, d->l2_window_bytes}, {111, d->shared_reserved},
        /* Textures and surfaces, as in properties.inc. */
        {42, 32768}, {43, 2048}, {45, 32768}, {46, 32768}, {47, 8192}, {48, 8192}, {49, 32768}, {52, 32768}, {53, 32768},
        {54, 2046}, {55, 32768}, {56, 131072}, {57, 65536}, {58, 16384}, {59, 16384}, {60, 16384}, {61, 32768},
        {62, 2048}, {63, 32768}, {64, 32768}, {65, 2048}, {66, 32768}, {67, 32768}, {68, 2046}, {69, 268435456},
        {70, 131072}, {71, 65000}, {72, 2097120}, {73, 32768}, {74, 32768}, {77, 32768},
        {131, UINT32_MAX}, {134, UINT32_MAX}, /* -1: no NUMA node */
        /* Supported: overlap, mapped host memory, concurrent kernels, one address space, stream
         * priorities, L1 for global and local memory, managed memory and its concurrent use,
         * preemption, registered pointers, cooperative launches, host registration, memory
         * pools. */
        {15, 1}, {19, 1}, {31, 1}, {41, 1}, {78, 1}, {79, 1}, {80, 1}, {83, 1}, {89, 1}, {90, 1}, {91, 1}, {95, 1},
        {99, 1}, {115, 1}, {120, d->compute_major >= 9}, /* clusters */
    };
    // clang-format on
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].attribute == attribute)
            *value = (int)known[i].value;
    return attribute > 0 && attribute < 148;
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
    return client_finish(cudaErrorInvalidDevice); /* there is one device */
}

API cudaError_t cudaDeviceReset(void) {
    struct request_none nothing = {{0}};
    struct client *client = client_acquire();
    cudaError_t error = client_connect(client);
    /* A reset repairs a broken context. */
    if (client->connection == CONNECTED && (error == cudaSuccess || error == (cudaError_t)client->sticky)) {
        client_flush_output(client);
        error = CLIENT_CALL(client, PROTOCOL_RESET, nothing, NULL, 0);
        client_unmap_all(client);
        client_graph_forgets(client);
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
        client->persisting = client_default_persisting(&client->device);
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
        case LIMIT_PERSISTING:
            *value = client->persisting;
            error = client->device.l2_persisting_bytes ? cudaSuccess : cudaErrorUnsupportedLimit;
            break;
        default: error = cudaErrorUnsupportedLimit; break;
        }
    });
}

/* Sets the bytes of L2 reserved for persisting data, which has no effect here. */
static cudaError_t set_persisting(struct client *client, size_t value) {
    size_t part = (size_t)client->device.l2_bytes / PERSISTING_PARTS;
    if (!client->device.l2_persisting_bytes)
        return cudaErrorUnsupportedLimit;
    if (value > client->device.l2_persisting_bytes)
        return cudaErrorInvalidValue;
    client->persisting = (value + part - 1) / part * part;
    return cudaSuccess;
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
        else if (limit == LIMIT_PERSISTING)
            error = set_persisting(client, value);
        else if (limit != LIMIT_FETCH) /* a hint, accepted */
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

/* Shared-memory banks have four bytes on all simulated GPUs. */
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

/* Enters a mark, or the host's own work, in the timeline. */
static cudaError_t tell_host(const char *what, double microseconds) {
    struct request_host request = {microseconds};
    WITH_DEVICE(
        error = client_call(client, PROTOCOL_HOST, &request, sizeof request, what, strlen(what), NULL, 0));
}

API cudaError_t cudaProfilerStart(void) {
    return tell_host("profiler start", 0);
}

API cudaError_t cudaProfilerStop(void) {
    return tell_host("profiler stop", 0);
}

/* Not a CUDA function: tells the time of the program's own work on the host, which the simulated
 * GPU cannot see. */
API void simulated_host_work(const char *what, double microseconds);
API void simulated_host_work(const char *what, double microseconds) {
    if (what != NULL && microseconds > 0)
        (void)tell_host(what, microseconds);
}

API struct cuda_channel_format cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return (struct cuda_channel_format){x, y, z, w, kind};
}

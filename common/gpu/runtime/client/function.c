/* function.c: a kernel's attributes, and the number of its blocks that fit on an SM. */
#include "gpu/runtime/client/client.h"

#include <string.h>

API cudaError_t cudaFuncGetAttributes(struct cuda_function_attributes *attributes, const void *function) {
    if (attributes == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL) {
            const struct reply_kernel *info = &kernel->info;
            memset(attributes, 0, sizeof *attributes);
            attributes->sharedSizeBytes = info->static_shared;
            attributes->constSizeBytes = info->constant_bytes;
            attributes->localSizeBytes = info->local_bytes;
            attributes->maxThreadsPerBlock = (int)info->max_threads;
            attributes->numRegs = (int)info->registers;
            attributes->ptxVersion = (int)info->ptx_version;
            attributes->binaryVersion = (int)info->binary_version;
            attributes->maxDynamicSharedSizeBytes = (int)info->max_dynamic_shared;
            attributes->preferredShmemCarveout = info->carveout;
        }
    });
}

API cudaError_t cudaFuncSetAttribute(const void *function, int attribute, int value) {
    enum { FIRST = 8, MAX_DYNAMIC_SHARED = 8, CARVEOUT = 9, LAST = 15 };
    if (attribute < FIRST || attribute > LAST)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL) {
            struct request_kernel_attribute request = {kernel->info.id, (uint32_t)attribute, value};
            error = CLIENT_CALL(client, PROTOCOL_KERNEL_ATTRIBUTE, request, NULL, 0);
            if (error == cudaSuccess && attribute == MAX_DYNAMIC_SHARED)
                kernel->info.max_dynamic_shared = (uint32_t)value;
            else if (error == cudaSuccess)
                kernel->info.carveout = value;
        }
    });
}

/* Checks preferences that have no effect here. */
static cudaError_t known_function(const void *function, bool valid) {
    if (!valid)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE((void)client_kernel(client, function, &error));
}

API cudaError_t cudaFuncSetCacheConfig(const void *function, int config) {
    return known_function(function, config >= 0 && config <= 3);
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *function, int config) {
    return known_function(function, config >= 0 && config <= 2);
}

API cudaError_t cudaFuncGetName(const char **name, const void *function) {
    if (name == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL)
            *name = kernel->name;
    });
}

API cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
    if (offset == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL && index >= kernel->info.parameter_count) {
            error = cudaErrorInvalidValue;
        } else if (kernel != NULL) {
            *offset = kernel->parameters[index].offset;
            if (size != NULL)
                *size = kernel->parameters[index].size;
        }
    });
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                       int threads, size_t dynamic_shared,
                                                                       unsigned flags) {
    if (blocks == NULL || threads <= 0 || flags > 1)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL) {
            struct request_occupancy request = {kernel->info.id, (uint32_t)threads, dynamic_shared, 0};
            struct reply_value count;
            error = CLIENT_CALL(client, PROTOCOL_OCCUPANCY, request, &count, sizeof count);
            if (error == cudaSuccess)
                *blocks = (int)count.value;
        }
    });
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                              size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared,
                                                                  0);
}

/* Blocks that have room at once, in clusters of this launch's size. */
API cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                               const struct cuda_launch_config *config) {
    int blocks = 0;
    uint64_t size = 1;
    if (clusters == NULL || config == NULL || (config->attribute_count && config->attributes == NULL))
        return client_finish(cudaErrorInvalidValue);
    const struct cuda_launch_attribute *cluster = client_attribute(config, LAUNCH_CLUSTER);
    if (cluster != NULL)
        size = (uint64_t)cluster->value.cluster.x * cluster->value.cluster.y * cluster->value.cluster.z;
    cudaError_t counted = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, (int)(config->block.x * config->block.y * config->block.z),
        config->dynamic_shared);
    if (counted != cudaSuccess)
        return counted;
    WITH_DEVICE({ *clusters = size > 0 ? (int)((uint64_t)blocks * client->device.sm_count / size) : 0; });
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                          int threads) {
    if (bytes == NULL || blocks <= 0 || threads <= 0)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct cuda_kernel *kernel = client_kernel(client, function, &error);
        if (kernel != NULL) {
            struct request_occupancy request = {kernel->info.id, (uint32_t)threads, 0, (uint32_t)blocks};
            struct reply_value most;
            error = CLIENT_CALL(client, PROTOCOL_OCCUPANCY, request, &most, sizeof most);
            if (error == cudaSuccess)
                *bytes = most.value;
        }
    });
}

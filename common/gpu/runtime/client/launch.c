/* launch.c: kernel launches by every entry point: nvcc's stubs of 11.8 and 12 (cudaLaunchKernel)
 * and of 13 (__cudaLaunchKernel), cooperative launches, and launches with attributes. */
#include "base/demangle.h"
#include "gpu/runtime/client/client.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The <<<>>> of a call, from the push before the stub to the pop in it. Calls may nest. */
struct configuration {
    struct cuda_dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    uint64_t site;
};

enum { MAX_NESTED = 16 };

static _Thread_local struct configuration configurations[MAX_NESTED];
static _Thread_local int configuration_count;
static _Thread_local uint64_t popped_site; /* of the <<<>>> whose launch follows; 0: none */

API unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared,
                                         cudaStream_t stream) {
    if (configuration_count == MAX_NESTED)
        return (unsigned)client_finish(cudaErrorMissingConfiguration);
    configurations[configuration_count++] = (struct configuration){grid, block, shared, stream, CALL_SITE};
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block, size_t *shared,
                                           cudaStream_t *stream) {
    if (configuration_count == 0)
        return client_finish(cudaErrorMissingConfiguration);
    const struct configuration *configuration = &configurations[--configuration_count];
    *grid = configuration->grid;
    *block = configuration->block;
    *shared = configuration->shared;
    *stream = configuration->stream;
    popped_site = configuration->site;
    return cudaSuccess;
}

cudaError_t client_arguments(const struct cuda_kernel *kernel, void **arguments, uint8_t *buffer) {
    if (kernel->info.parameter_count && arguments == NULL)
        return cudaErrorInvalidValue;
    memset(buffer, 0, kernel->info.parameter_bytes);
    for (uint32_t i = 0; i < kernel->info.parameter_count; i++)
        memcpy(buffer + kernel->parameters[i].offset, arguments[i], kernel->parameters[i].size);
    return cudaSuccess;
}

static cudaError_t launch(struct client *client, const struct cuda_kernel *kernel,
                          const struct request_launch *request, void **arguments) {
    uint8_t small[512], *buffer = small;
    uint32_t bytes = kernel->info.parameter_bytes;
    if (bytes > sizeof small && (buffer = malloc(bytes)) == NULL)
        return cudaErrorMemoryAllocation;
    cudaError_t error = client_arguments(kernel, arguments, buffer);
    if (error == cudaSuccess)
        error = client_call(client, PROTOCOL_LAUNCH, request, sizeof *request, buffer, bytes, NULL, 0);
    if (buffer != small)
        free(buffer);
    return error;
}

/* If a program checks no error and ends well, repeats at its end that results are missing. */
static void remind(int status, void *context) {
    const struct client *client = context;
    if (status != 0 || client->unseen_launches == 0 || client->sticky || client->process != getpid())
        return;
    if (client->unseen_launches == 1)
        client_say(
            "the launch of %s did not start (see above), and the program asked for no error: its results are "
            "missing",
            client->unseen_kernel);
    else
        client_say(
            "%u launches, of %s first, did not start (see above), and the program asked for no error: their "
            "results are missing",
            client->unseen_launches, client->unseen_kernel);
}

/* Notes an error that <<<>>> cannot return to its caller. */
static void note_unseen(struct client *client, const struct cuda_kernel *kernel) {
    if (client->unseen_launches++ == 0)
        demangle_kernel(kernel->name, client->unseen_kernel, sizeof client->unseen_kernel);
    if (!client->reminds)
        client->reminds = on_exit(remind, client) == 0;
}

static struct request_launch launch_of(struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared) {
    return (struct request_launch){
        .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .dynamic_shared = shared};
}

static cudaError_t launch_kernel(const void *function, struct request_launch request, void **arguments,
                                 cudaStream_t stream, bool by_brackets) {
    request.site = popped_site;
    popped_site = 0;
    struct client *client = client_acquire();
    cudaError_t error = client_connect(client);
    struct cuda_kernel *kernel = error == cudaSuccess ? client_kernel(client, function, &error) : NULL;
    if (kernel != NULL) {
        request.kernel = kernel->info.id;
        if (!client_stream_id(stream, &request.stream))
            error = cudaErrorInvalidResourceHandle;
        if (error == cudaSuccess)
            error = client_managed_variables(client, kernel->module);
        if (error == cudaSuccess)
            error = launch(client, kernel, &request, arguments);
        if (error != cudaSuccess && by_brackets && !client->sticky)
            note_unseen(client, kernel);
    }
    client_release(client);
    return client_finish(error);
}

API cudaError_t cudaLaunchKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                                 void **arguments, size_t shared, cudaStream_t stream) {
    return launch_kernel(function, launch_of(grid, block, shared), arguments, stream, CUDART_MAJOR < 13);
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct cuda_dim3 grid, struct cuda_dim3 block,
                                   void **arguments, size_t shared, cudaStream_t stream) {
    return launch_kernel(kernel, launch_of(grid, block, shared), arguments, stream, true);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *function, struct cuda_dim3 grid,
                                            struct cuda_dim3 block, void **arguments, size_t shared,
                                            cudaStream_t stream) {
    struct request_launch request = launch_of(grid, block, shared);
    request.cooperative = true;
    return launch_kernel(function, request, arguments, stream, false);
}

const struct cuda_launch_attribute *client_attribute(const struct cuda_launch_config *config, int id) {
    const struct cuda_launch_attribute *found = NULL;
    for (unsigned i = 0; i < config->attribute_count; i++)
        if (config->attributes[i].id == id)
            found = &config->attributes[i];
    return found;
}

API cudaError_t cudaLaunchKernelExC(const struct cuda_launch_config *config, const void *function,
                                    void **arguments) {
    if (config == NULL || (config->attribute_count && config->attributes == NULL))
        return client_finish(cudaErrorInvalidValue);
    const struct cuda_launch_attribute *cooperative = client_attribute(config, LAUNCH_COOPERATIVE),
                                       *cluster = client_attribute(config, LAUNCH_CLUSTER),
                                       *programmatic = client_attribute(config, LAUNCH_PROGRAMMATIC);
    struct request_launch request = launch_of(config->grid, config->block, config->dynamic_shared);
    request.cooperative = cooperative != NULL && cooperative->value.cooperative != 0;
    request.programmatic = programmatic != NULL && programmatic->value.programmatic != 0;
    if (cluster != NULL)
        memcpy(request.cluster, &cluster->value.cluster, sizeof request.cluster);
    return launch_kernel(function, request, arguments, config->stream, false);
}

/* A stub asks for its kernel's handle once, at its first call; the launch finds out whether the
 * kernel can run. */
static cudaError_t get_kernel(cudaKernel_t *kernel, const void *function) {
    struct client *client = client_acquire();
    struct cuda_kernel *found = client->kernels;
    while (found != NULL && found->host != function)
        found = found->next;
    client_release(client);
    if (kernel == NULL || found == NULL)
        return client_finish(kernel != NULL ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *kernel = found;
    return cudaSuccess;
}

API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    return get_kernel(kernel, function);
}

API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    return get_kernel(kernel, function);
}

API cudaError_t cudaGetFuncBySymbol(cudaKernel_t *kernel, const void *function) {
    return get_kernel(kernel, function);
}

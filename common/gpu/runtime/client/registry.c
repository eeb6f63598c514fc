/* registry.c: registers modules, kernels and variables for nvcc's start-up code. A module is sent
 * to the simulated GPU at the first use of a kernel or variable, so a program starts even if one
 * kernel cannot run. To a given simulated GPU (SIMGPU_FD) all modules are sent at once, because a
 * judge distrusts modules that come after an input. */
#include "gpu/runtime/client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the start-up code passes, as the toolkit's fatbinary_section.h documents it. Version 2 is
 * separate compilation: image is the device linker's output, units are its input files. */
struct wrapper {
    int32_t magic, version;
    const void *image;
    const void *const *units;
};

enum { WRAPPER_MAGIC = 0x466243b1, SEPARATE_COMPILATION = 2 };

API void **__cudaRegisterFatBinary(void *fat_binary) {
    const struct wrapper *wrapper = fat_binary;
    struct client_module *module = calloc(1, sizeof *module);
    struct client *client = client_acquire();
    if (module != NULL && wrapper != NULL && wrapper->magic == WRAPPER_MAGIC) {
        module->image = wrapper->image;
        module->units = wrapper->version == SEPARATE_COMPILATION ? wrapper->units : NULL;
    }
    if (module != NULL) {
        module->next = client->modules;
        client->modules = module;
    }
    client_release(client);
    return (void **)module;
}

API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                int thread_limit, void *tid, void *bid, void *block, void *grid,
                                int *warp_size) {
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    struct cuda_kernel *kernel = calloc(1, sizeof *kernel);
    struct client *client = client_acquire();
    if (kernel != NULL && handle != NULL) {
        *kernel = (struct cuda_kernel){
            .host = host, .name = name, .module = (struct client_module *)handle, .next = client->kernels};
        client->kernels = kernel;
    } else {
        free(kernel);
    }
    client_release(client);
}

static void register_variable(void **handle, const void *host, const char *name, size_t size, bool managed) {
    struct client_variable *variable = calloc(1, sizeof *variable);
    struct client *client = client_acquire();
    if (variable != NULL && handle != NULL) {
        *variable = (struct client_variable){.host = host,
                                             .name = name,
                                             .size = size,
                                             .managed = managed,
                                             .module = (struct client_module *)handle,
                                             .next = client->variables};
        client->variables = variable;
    } else {
        free(variable);
    }
    client_release(client);
}

API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                           size_t size, int constant, int global) {
    (void)device, (void)external, (void)constant, (void)global;
    register_variable(handle, host, name, size, false);
}

API void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external,
                                  size_t size, int constant, int global) {
    (void)device, (void)external, (void)constant, (void)global;
    register_variable(handle, pointer, name, size, true);
}

/* Host variables for a device linker, textures and surfaces are accepted, so that the program
 * starts. Kernels that use textures are refused when their module is loaded. */
API void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size) {
    (void)handle, (void)name, (void)host, (void)size;
}

API void __cudaRegisterUnifiedTable(void **handle, void *table) {
    (void)handle, (void)table;
}

API void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                               int dimension, int normalised, int external) {
    (void)handle, (void)host, (void)device, (void)name, (void)dimension, (void)normalised, (void)external;
}

API void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                               int dimension, int external) {
    (void)handle, (void)host, (void)device, (void)name, (void)dimension, (void)external;
}

/* Size of the container in bytes: its header has a magic number, u16 version, u16 header bytes, u64
 * bytes behind the header. */
static size_t image_bytes(const void *image) {
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
    } header;
    if (image == NULL)
        return 0;
    memcpy(&header, image, sizeof header);
    if (header.magic != 0xBA55ED50 || header.bytes > PROTOCOL_MAX_REQUEST_BYTES)
        return 0;
    return header.header_bytes + header.bytes;
}

/* Joins the module's images; *units follow the first. The caller frees the result. NULL: one is no
 * fat binary, or they are too large for one request. */
static uint8_t *gather_images(const struct client_module *module, size_t *bytes, uint32_t *units) {
    uint64_t total = image_bytes(module->image);
    bool whole = total > 0;
    *units = 0;
    for (; module->units != NULL && module->units[*units] != NULL; ++*units) {
        size_t unit = image_bytes(module->units[*units]);
        whole &= unit > 0 && total < PROTOCOL_MAX_REQUEST_BYTES;
        total += unit;
    }
    uint8_t *images = whole ? malloc(total) : NULL;
    if (images == NULL)
        return NULL;
    *bytes = image_bytes(module->image);
    memcpy(images, module->image, *bytes);
    for (uint32_t i = 0; i < *units; i++) {
        size_t unit = image_bytes(module->units[i]);
        memcpy(images + *bytes, module->units[i], unit);
        *bytes += unit;
    }
    return images;
}

static cudaError_t load_module(struct client *client, struct client_module *module) {
    struct request_module request = {0};
    struct reply_value id;
    size_t bytes = 0;
    if (module->tried)
        return module->error;
    module->tried = true;
    uint8_t *images = gather_images(module, &bytes, &request.units);
    if (images == NULL) {
        client_say("the program's kernels are not in a form this library knows (no fat binary)");
        module->error = cudaErrorInvalidKernelImage;
        return module->error;
    }
    module->error =
        client_call(client, PROTOCOL_MODULE_LOAD, &request, sizeof request, images, bytes, &id, sizeof id);
    if (module->error == cudaSuccess)
        module->id = (uint32_t)id.value;
    free(images);
    return module->error;
}

void client_load_given(struct client *client) {
    for (struct client_module *module = client->modules; module != NULL && client->given;
         module = module->next)
        (void)load_module(client, module); /* the first use reports the error */
}

API void __cudaRegisterFatBinaryEnd(void **handle) {
    struct client *client = client_acquire();
    (void)handle;
    if (client->connection == CONNECTED)
        client_load_given(client);
    client_release(client);
}

API void __cudaUnregisterFatBinary(void **handle) {
    struct client_module *module = (struct client_module *)handle;
    struct client *client = client_acquire();
    for (struct cuda_kernel **link = &client->kernels; *link != NULL;) {
        struct cuda_kernel *kernel = *link;
        if (kernel->module != module) {
            link = &kernel->next;
            continue;
        }
        *link = kernel->next;
        free(kernel->parameters);
        free(kernel);
    }
    for (struct client_variable **link = &client->variables; *link != NULL;) {
        struct client_variable *variable = *link;
        if (variable->module != module) {
            link = &variable->next;
            continue;
        }
        *link = variable->next;
        free(variable);
    }
    for (struct client_module **link = &client->modules; *link != NULL; link = &(*link)->next) {
        if (*link == module) {
            *link = module->next;
            free(module);
            break;
        }
    }
    /* At the program's end simgpu ends too, so nothing is sent. */
    client_release(client);
}

/* Sends a request for something of a module, by name. */
static cudaError_t ask_by_name(struct client *client, enum protocol_operation operation,
                               struct client_module *module, const char *name, void **bytes, size_t *size) {
    cudaError_t error = load_module(client, module);
    struct request_id request = {module->id};
    *bytes = NULL;
    if (error != cudaSuccess)
        return error;
    return client_call_whole(client, operation, &request, sizeof request, name, strlen(name), bytes, size,
                             NULL);
}

static cudaError_t learn_kernel(struct client *client, struct cuda_kernel *kernel) {
    void *bytes;
    size_t size;
    cudaError_t error = ask_by_name(client, PROTOCOL_KERNEL, kernel->module, kernel->name, &bytes, &size);
    if (error == cudaSuccess && size >= sizeof kernel->info) {
        memcpy(&kernel->info, bytes, sizeof kernel->info);
        size_t parameter_bytes = kernel->info.parameter_count * sizeof *kernel->parameters;
        kernel->parameters = malloc(parameter_bytes ? parameter_bytes : 1);
        if (kernel->parameters != NULL && size == sizeof kernel->info + parameter_bytes) {
            memcpy(kernel->parameters, (char *)bytes + sizeof kernel->info, parameter_bytes);
            kernel->known = true;
        } else {
            free(kernel->parameters);
            kernel->parameters = NULL;
            error = cudaErrorMemoryAllocation;
        }
    }
    free(bytes);
    return error;
}

struct cuda_kernel *client_kernel(struct client *client, const void *function, cudaError_t *error) {
    struct cuda_kernel *kernel = client->kernels;
    while (kernel != NULL && kernel->host != function && (const void *)kernel != function)
        kernel = kernel->next;
    *error = kernel != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction;
    if (kernel != NULL && !kernel->known)
        *error = learn_kernel(client, kernel);
    return *error == cudaSuccess ? kernel : NULL;
}

static cudaError_t learn_variable(struct client *client, struct client_variable *variable) {
    struct reply_variable *answer;
    void *bytes;
    size_t size;
    cudaError_t error =
        ask_by_name(client, PROTOCOL_VARIABLE, variable->module, variable->name, &bytes, &size);
    if (error == cudaSuccess && size == sizeof *answer) {
        answer = bytes;
        variable->address = answer->address;
        variable->size = answer->bytes;
        variable->known = true;
        if (answer->managed && variable->managed) {
            struct request_allocate_shared request = {answer->address, 0, PROTOCOL_MANAGED};
            int descriptor = -1;
            void *reply;
            error = client_call_whole(client, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, NULL, 0,
                                      &reply, &size, &descriptor);
            free(reply);
            if (error == cudaSuccess)
                error =
                    client_map(client, variable->address, variable->size, PROTOCOL_MANAGED, 0, descriptor);
            if (error == cudaSuccess)
                *(void **)variable->host = (void *)(uintptr_t)variable->address;
        }
    }
    free(bytes);
    return error;
}

struct client_variable *client_variable(struct client *client, const void *symbol, cudaError_t *error) {
    struct client_variable *variable = client->variables;
    while (variable != NULL && variable->host != symbol &&
           !(variable->managed && variable->known && variable->address == (uintptr_t)symbol))
        variable = variable->next;
    *error = variable != NULL ? cudaSuccess : cudaErrorInvalidSymbol;
    if (variable != NULL && !variable->known)
        *error = learn_variable(client, variable);
    return *error == cudaSuccess ? variable : NULL;
}

cudaError_t client_managed_variables(struct client *client, struct client_module *module) {
    cudaError_t error = cudaSuccess;
    if (module->managed_ready)
        return cudaSuccess;
    for (struct client_variable *variable = client->variables; variable != NULL && error == cudaSuccess;
         variable = variable->next)
        if (variable->module == module && variable->managed && !variable->known)
            error = learn_variable(client, variable);
    module->managed_ready = error == cudaSuccess;
    return error;
}

/* The host's first use of a managed variable calls this before it reads the pointer. */
API char __cudaInitModule(void **handle) {
    struct client *client = client_acquire();
    cudaError_t error = client_connect(client);
    if (error == cudaSuccess && handle != NULL)
        error = client_managed_variables(client, (struct client_module *)handle);
    client_release(client);
    client_finish(error);
    return error == cudaSuccess;
}

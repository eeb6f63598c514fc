/* module.c: loads a module from a fat binary, and finds its kernels and variables by name. */
#include "base/demangle.h"
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses, links and loads the texts. On failure the reply has an error and a message. */
static bool load_program(struct server *server, struct server_module *module, const struct ptx_text *texts,
                         uint32_t count, struct reply *reply) {
    char message[1024];
    struct ptx_error *error = calloc(1, sizeof *error);
    module->program = error != NULL ? ptx_link(texts, count, error) : NULL;
    if (module->program == NULL) {
        reply->error = ERROR_INVALID_PTX;
        if (error == NULL)
            server_reply_say(reply, "out of memory while reading PTX");
        else
            server_reply_say(reply, "%s", error->message);
        free(error);
        return false;
    }
    free(error);
    module->simt = simt_module_load(server->device, module->program, message, sizeof message);
    if (module->simt == NULL) {
        reply->error = ERROR_INVALID_PTX;
        server_reply_say(reply, "%s", message);
        return false;
    }
    return true;
}

static void drop_module(struct server *server, struct server_module *module) {
    if (module->simt != NULL)
        simt_module_unload(server->device, module->simt);
    ptx_module_free(module->program);
    binding_free(&module->binding);
    free(module);
}

/* Whether a container is the toolkit's library for launches from kernels, which a device linker
 * adds. It has no PTX that could run, and its functions are refused by name. Only its machine code
 * names the driver's entries. */
static bool is_device_runtime(const struct fatbin *fatbin, const struct gpu_model *model) {
    static const char entries[] = "__cuda_syscall_";
    char message[256];
    const struct fatbin_entry *cubin =
        fatbin_choose_cubin(fatbin, model->compute_major, model->compute_minor);
    uint8_t *code = cubin != NULL ? fatbin_extract(cubin, message, sizeof message) : NULL;
    bool found = code != NULL && memmem(code, cubin->bytes, entries, sizeof entries - 1) != NULL;
    free(code);
    return found;
}

/* Copies the PTX of one container to a text that the caller frees; "" for the device runtime. On
 * failure the reply has an error and a message. */
static bool extract_text(const struct gpu_model *model, const struct fatbin *fatbin, bool linked,
                         struct ptx_text *text, struct reply *reply) {
    char message[1024];
    const struct fatbin_entry *ptx =
        fatbin_choose_ptx(fatbin, model->compute_major, model->compute_minor, message, sizeof message);
    if (ptx == NULL && linked && is_device_runtime(fatbin, model)) {
        text->text = strdup("");
        reply->error = text->text != NULL ? 0 : ERROR_MEMORY_ALLOCATION;
        return text->text != NULL;
    }
    if (ptx == NULL || (ptx->relocatable && !linked)) {
        reply->error = ERROR_NO_KERNEL_IMAGE;
        server_reply_say(
            reply, "%s",
            ptx == NULL
                ? message
                : "this program's kernels wait for a device linker (-rdc=true or -dc): link it with nvcc, "
                  "or run nvcc -dlink on its objects");
        return false;
    }
    text->text = fatbin_extract(ptx, message, sizeof message);
    text->length = ptx->bytes;
    if (text->text != NULL)
        return true;
    reply->error = ERROR_INVALID_KERNEL_IMAGE;
    server_reply_say(reply, "%s", message);
    return false;
}

/* Copies the texts of all containers to texts[0 .. *count). Several containers belong to one
 * program of a device linker. */
static bool extract_texts(struct server *server, const uint8_t *bytes, size_t size, uint32_t units,
                          struct ptx_text *texts, uint32_t *count, struct reply *reply) {
    char message[1024];
    bool linked = units > 0, whole = true;
    struct fatbin *fatbin = malloc(sizeof *fatbin);
    if (fatbin == NULL)
        reply->error = ERROR_MEMORY_ALLOCATION;
    for (uint32_t i = 0; fatbin != NULL && whole && (i < units || i == 0); i++) {
        uint64_t part = !linked ? size : size >= FATBIN_HEADER_BYTES ? fatbin_container_bytes(bytes) : 0;
        if (part > size) /* fatbin_parse reports it */
            part = size;
        whole = fatbin_parse(bytes, part, fatbin, message, sizeof message);
        if (!whole) {
            reply->error = ERROR_INVALID_KERNEL_IMAGE;
            server_reply_say(reply, "%s", message);
            break;
        }
        struct ptx_text text = {0};
        whole = extract_text(server->options.model, fatbin, linked, &text, reply);
        if (whole && (text.length > 0 || !linked))
            texts[(*count)++] = text;
        else
            free((void *)text.text);
        bytes += part;
        size -= part;
    }
    whole = whole && fatbin != NULL;
    free(fatbin);
    return whole;
}

/* Parses, links and loads the program's texts. *only: the text if there is one, to be freed. */
static bool load_texts(struct server *server, struct server_module *module, const uint8_t *bytes, size_t size,
                       uint32_t units, struct ptx_text *only, struct reply *reply) {
    uint32_t count = 0;
    struct ptx_text *texts = calloc(units ? units : 1, sizeof *texts);
    if (texts == NULL)
        reply->error = ERROR_MEMORY_ALLOCATION;
    bool loaded = texts != NULL && extract_texts(server, bytes, size, units, texts, &count, reply) &&
                  load_program(server, module, texts, count, reply);
    if (loaded && count == 1) {
        *only = texts[0];
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        free((void *)texts[i].text);
    free(texts);
    return loaded;
}

/* Whether machine code is trusted. A judged program can write a fat binary whose machine code has
 * nothing to do with its PTX. */
static bool is_believed(const struct server *server, const uint8_t *bytes, uint64_t size) {
    const struct server_options *options = &server->options;
    return options->compiled == NULL ||
           (size == options->compiled_bytes && memcmp(bytes, options->compiled, size) == 0);
}

HANDLER(MODULE_LOAD, request_module) {
    char message[1024];
    struct fatbin *fatbin = malloc(sizeof *fatbin);
    struct server_module *module = calloc(1, sizeof *module);
    struct ptx_text text = {0};
    if (fatbin == NULL || module == NULL) {
        reply->error = ERROR_MEMORY_ALLOCATION;
        goto failed;
    }
    /* Bytes of the first container: the program's own, or the device linker's output, which the
     * units with the PTX follow. */
    uint64_t own = tail_bytes;
    if (request->units) {
        own = tail_bytes >= FATBIN_HEADER_BYTES ? fatbin_container_bytes(tail) : 0;
        if (own > tail_bytes || request->units > (tail_bytes - own) / FATBIN_HEADER_BYTES)
            own = 0; /* cut off: fatbin_parse reports it */
    }
    if (!fatbin_parse(tail, own, fatbin, message, sizeof message)) {
        reply->error = ERROR_INVALID_KERNEL_IMAGE;
        server_reply_say(reply, "%s", message);
        goto failed;
    }
    if (!load_texts(server, module, request->units ? tail + own : tail,
                    request->units ? tail_bytes - own : tail_bytes, request->units, &text, reply))
        goto failed;
    server_code_read(server, module, fatbin, is_believed(server, tail, own), &text, reply);
    uint32_t id = handle_new(&server->modules, module);
    if (!id) {
        reply->error = ERROR_MEMORY_ALLOCATION;
        goto failed;
    }
    free(fatbin);
    server_reply_value(reply, id);
    return;
failed:
    free(fatbin);
    if (module != NULL)
        drop_module(server, module);
}

HANDLER(MODULE_UNLOAD, request_id) {
    struct server_module *module = handle_release(&server->modules, request->id);
    if (module == NULL) {
        reply->error = ERROR_INVALID_HANDLE;
        return;
    }
    for (uint32_t i = 0; i < server->kernel_count; i++)
        if (server->kernels[i].module == request->id)
            server->kernels[i].simt = NULL;
    drop_module(server, module);
}

/* Whether the request's bytes are one string without NUL. Otherwise the reply has an error. */
static bool is_name(const uint8_t *tail, uint32_t tail_bytes, struct reply *reply) {
    if (tail_bytes > PROTOCOL_MAX_NAME_BYTES)
        server_reply_say(
            reply,
            "the name '%.40s...' has %u characters: the simulated GPU takes names of up to %u, shorten it",
            (const char *)tail, tail_bytes, PROTOCOL_MAX_NAME_BYTES);
    else if (tail_bytes > 0 && strlen((const char *)tail) == tail_bytes)
        return true;
    reply->error = ERROR_INVALID_VALUE;
    return false;
}

/* The largest block with which this kernel can be launched, by its registers and launch bounds. */
static uint32_t max_threads(const struct server *server, const struct simt_resources *resources) {
    const struct gpu_model *model = server->options.model;
    uint32_t threads = model->max_threads_per_block;
    if (resources->max_threads && resources->max_threads < threads)
        threads = resources->max_threads;
    while (threads > 32 && gpu_occupancy(model, threads, resources->registers, 0).blocks_per_sm == 0)
        threads = (threads - 1) / 32 * 32;
    return threads;
}

static uint32_t kernel_id(struct server *server, uint32_t module, struct simt_kernel *simt,
                          const char *name) {
    uint32_t id = 0;
    while (id < server->kernel_count &&
           (server->kernels[id].simt != simt || server->kernels[id].module != module))
        id++;
    if (id < server->kernel_count)
        return id;
    if (server->kernel_count == server->kernel_capacity) {
        uint32_t capacity = server->kernel_capacity ? 2 * server->kernel_capacity : 16;
        struct server_kernel *kernels = realloc(server->kernels, capacity * sizeof *kernels);
        if (kernels == NULL)
            return UINT32_MAX;
        server->kernels = kernels;
        server->kernel_capacity = capacity;
    }
    struct server_kernel *kernel = &server->kernels[server->kernel_count++];
    *kernel = (struct server_kernel){.simt = simt, .module = module, .carveout = -1};
    demangle_kernel(name, kernel->name, sizeof kernel->name);
    return id;
}

static uint32_t default_dynamic_shared(const struct server *server, uint32_t static_shared) {
    uint32_t limit = server->options.model->shared_per_block;
    return static_shared < limit ? limit - static_shared : 0;
}

/* Whether a kernel, or a possible callee, has accesses that the host can see while it runs. */
static bool may_signal(const struct ptx_module *program, const struct ptx_function *kernel) {
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct ptx_function *function = &program->functions[i];
        bool may_run = function == kernel || (kernel->uses_calls && !function->entry);
        for (uint32_t k = 0; may_run && k < function->instruction_count; k++)
            if (function->instructions[k].flags & PTX_VOLATILE ||
                function->instructions[k].opcode == PTX_MEMBAR)
                return true;
    }
    return false;
}

HANDLER(KERNEL, request_id) {
    struct server_module *module = handle_object(&server->modules, request->id);
    if (module == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    if (module == NULL || !is_name(tail, tail_bytes, reply))
        return;
    const char *name = (const char *)tail;
    struct simt_kernel *simt = simt_module_kernel(module->simt, name);
    if (simt == NULL) {
        reply->error = ERROR_INVALID_DEVICE_FUNCTION;
        return;
    }
    const struct ptx_function *function = simt_kernel_function(simt);
    uint32_t binary_version = server_code_complete(server, module, simt, reply);
    const struct simt_resources *resources = simt_kernel_resources(simt);
    uint32_t id = kernel_id(server, request->id, simt, name), count = function->parameter_count;
    struct reply_kernel *answer =
        id == UINT32_MAX
            ? NULL
            : server_reply_bytes(reply, sizeof *answer + count * (uint32_t)sizeof(struct reply_parameter));
    if (answer == NULL) {
        reply->error = ERROR_MEMORY_ALLOCATION;
        return;
    }
    struct server_kernel *kernel = &server->kernels[id];
    kernel->signals = may_signal(module->program, function);
    *answer = (struct reply_kernel){
        .id = id,
        .parameter_count = count,
        .parameter_bytes = function->parameter_bytes,
        .registers = resources->registers,
        .static_shared = resources->static_shared,
        .local_bytes = resources->local_bytes,
        .constant_bytes = resources->constant_bytes,
        .max_threads = max_threads(server, resources),
        .max_dynamic_shared = kernel->max_dynamic_shared
                                  ? kernel->max_dynamic_shared
                                  : default_dynamic_shared(server, resources->static_shared),
        .carveout = kernel->carveout,
        .signals = kernel->signals,
        .ptx_version = module->program->target,
        .binary_version = binary_version,
    };
    struct reply_parameter *parameters = (struct reply_parameter *)(answer + 1);
    for (uint32_t i = 0; i < count; i++)
        parameters[i] =
            (struct reply_parameter){function->parameters[i].offset, function->parameters[i].size};
}

HANDLER(VARIABLE, request_id) {
    struct server_module *module = handle_object(&server->modules, request->id);
    uint64_t address, bytes;
    if (module == NULL)
        reply->error = ERROR_INVALID_HANDLE;
    if (module == NULL || !is_name(tail, tail_bytes, reply))
        return;
    if (!simt_module_variable(module->simt, (const char *)tail, &address, &bytes)) {
        reply->error = ERROR_INVALID_SYMBOL;
        return;
    }
    const struct server_region *region = server_region_at(server, address);
    struct reply_variable *answer = server_reply_bytes(reply, sizeof *answer);
    if (answer != NULL)
        *answer = (struct reply_variable){address, bytes, region != NULL};
}

HANDLER(KERNEL_ATTRIBUTE, request_kernel_attribute) {
    enum { MAX_DYNAMIC_SHARED = 8, CARVEOUT = 9 };
    struct server_kernel *kernel =
        request->kernel < server->kernel_count ? &server->kernels[request->kernel] : NULL;
    if (kernel == NULL || kernel->simt == NULL) {
        reply->error = ERROR_INVALID_DEVICE_FUNCTION;
        return;
    }
    const struct simt_resources *resources = simt_kernel_resources(kernel->simt);
    uint32_t most = server->options.model->shared_per_block_optin;
    int32_t value = request->value;
    if (request->attribute == MAX_DYNAMIC_SHARED && value >= 0 && resources->static_shared <= most &&
        (uint32_t)value <= most - resources->static_shared) {
        kernel->max_dynamic_shared = (uint32_t)value;
    } else if (request->attribute == CARVEOUT && value >= -1 && value <= 100) {
        kernel->carveout = value;
    } else if (request->attribute == MAX_DYNAMIC_SHARED) {
        reply->error = ERROR_INVALID_VALUE;
        server_reply_say(reply,
                         "%s: %d bytes of dynamic shared memory beside %u static ones; a block on %s has %u",
                         kernel->name, value, resources->static_shared, server->options.model->name, most);
    } else {
        reply->error = request->attribute == CARVEOUT ? ERROR_INVALID_VALUE : ERROR_NOT_SUPPORTED;
    }
}

/* code.c: reads a module's machine code, takes each kernel's resources from it, and has ptxas make
 * code where none can be used. */
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_REGISTERS = 16, MAX_REGISTERS = 255 };

/* Estimates ptxas' registers from the PTX's live registers, where there is no machine code. */
static struct simt_resources estimate(const struct ptx_function *function) {
    uint32_t registers = function->slots + 8; /* addresses, the stack pointer: not named in PTX */
    if (registers < MIN_REGISTERS)
        registers = MIN_REGISTERS;
    if (registers > MAX_REGISTERS)
        registers = MAX_REGISTERS;
    uint64_t threads = (uint64_t)function->max_threads[0] *
                       (function->max_threads[1] ? function->max_threads[1] : 1) *
                       (function->max_threads[2] ? function->max_threads[2] : 1);
    return (struct simt_resources){.registers = registers,
                                   .static_shared = function->shared_bytes,
                                   .local_bytes = function->local_bytes,
                                   .max_threads = threads <= UINT32_MAX ? (uint32_t)threads : 0,
                                   .spill_bytes = SIMT_UNKNOWN};
}

/* Bytes of a thread's registers that are spilled to local memory. Compilers before CUDA 13 do not
 * mark spills: then it is the stack frame less the PTX's own arrays. If the kernel calls functions,
 * the frame holds other things too. */
static uint32_t spill_bytes(const struct ptx_function *function, const struct cubin_kernel *code) {
    enum { FRAME_GRANULARITY = 16 };
    uint64_t arrays = function->local_bytes;
    if (code->spills_marked)
        return code->spill_bytes;
    arrays += (FRAME_GRANULARITY - arrays % FRAME_GRANULARITY) % FRAME_GRANULARITY;
    if (code->local_bytes <= arrays)
        return 0;
    return function->uses_calls ? SIMT_UNKNOWN : code->local_bytes - function->local_bytes;
}

/* The machine code's own resources, within the bounds of the PTX, which is what runs. Shared and
 * local variables are at least those of the PTX. Values that are live between basic blocks are in
 * registers or spilled; an eighth of them may be recomputed. */
static struct simt_resources checked(const struct ptx_function *function, const struct cubin_kernel *code,
                                     uint32_t estimated_registers) {
    struct simt_resources resources = {.registers = code->registers ? code->registers : estimated_registers,
                                       .static_shared = code->static_shared,
                                       .local_bytes = code->local_bytes,
                                       .constant_bytes = code->constant_bytes,
                                       .max_threads = code->max_threads,
                                       .spill_bytes = spill_bytes(function, code)};
    uint32_t spilled = resources.spill_bytes != SIMT_UNKNOWN ? resources.spill_bytes / sizeof(uint32_t) : 0;
    uint32_t live = function->live_words_called - function->live_words_called / 8;
    live = live > spilled ? live - spilled : 0;
    live = live < MAX_REGISTERS ? live : MAX_REGISTERS;
    if (resources.registers < live)
        resources.registers = live;
    if (resources.static_shared < function->shared_bytes)
        resources.static_shared = function->shared_bytes;
    if (resources.local_bytes < function->local_bytes)
        resources.local_bytes = function->local_bytes;
    return resources;
}

/* Sets every kernel's resources, from the cubin if there is one. Returns how many are guesses. */
static uint32_t set_resources(struct server_module *module, const struct cubin *cubin) {
    uint32_t estimated = 0;
    for (uint32_t i = 0; i < module->program->function_count; i++) {
        const struct ptx_function *function = &module->program->functions[i];
        struct simt_kernel *kernel =
            function->entry ? simt_module_kernel(module->simt, function->name) : NULL;
        if (kernel == NULL)
            continue;
        struct simt_resources resources = estimate(function);
        const struct cubin_kernel *found = cubin_find(cubin, function->name);
        if (found != NULL)
            resources = checked(function, found, resources.registers);
        else
            estimated++;
        simt_kernel_set_resources(kernel, &resources);
    }
    return estimated;
}

static void say_estimated(struct reply *reply, uint32_t kernels) {
    server_reply_say(
        reply,
        "registers per thread of %u kernel%s are estimated from the PTX, for want of machine code: build "
        "with -arch=sm_NN or -gencode arch=compute_NN,code=sm_NN to have them exactly",
        kernels, kernels == 1 ? "" : "s");
}

/* Whether ptxas may make missing machine code: its path is known, and times follow from machine
 * code. Never for a judged program, whose text would reach a compiler outside the sandbox. */
static bool may_ask_ptxas(const struct server *server) {
    const struct server_options *options = &server->options;
    return options->ptxas.program != NULL && options->time_by_code && options->memory < 0;
}

/* The compiler options for PTX of a single file. */
static struct ptxas_options options_of(const struct gpu_model *model, const struct fatbin *fatbin) {
    char unused[1024];
    struct ptxas_options options = {0};
    const struct fatbin_entry *ptx =
        fatbin_choose_ptx(fatbin, model->compute_major, model->compute_minor, unused, sizeof unused);
    if (ptx == NULL)
        return options;
    ptxas_read_options(ptx->options, ptx->options_bytes, &options);
    options.specific = ptx->specific;
    return options;
}

void server_code_read(struct server *server, struct server_module *module, const struct fatbin *fatbin,
                      bool believed, struct ptx_text *text, struct reply *reply) {
    const struct gpu_model *model = server->options.model;
    const struct fatbin_entry *entry =
        believed ? fatbin_choose_cubin(fatbin, model->compute_major, model->compute_minor) : NULL;
    struct ptxas_options options = options_of(model, fatbin);
    struct cubin cubin = {0};
    char message[256];
    void *code = entry != NULL ? fatbin_extract(entry, message, sizeof message) : NULL;
    bool damaged = entry != NULL && (code == NULL || !cubin_parse(code, entry->bytes, entry->architecture,
                                                                  &cubin, message, sizeof message));
    module->estimated = set_resources(module, &cubin);
    if (damaged)
        server_reply_say(reply, "%s; registers per thread are estimated from the PTX", message);
    /* code that is not believed is not wanting: of the judge's own kernels nothing is said to
     * the student */
    else if (module->estimated && believed && !may_ask_ptxas(server))
        say_estimated(reply, module->estimated);
    module->binary_version = entry != NULL ? entry->architecture : module->program->target;
    binding_take(&module->binding, code, &cubin, (char *)text->text, text->length, &options,
                 model->compute_major);
    *text = (struct ptx_text){0};
}

uint32_t server_code_complete(struct server *server, struct server_module *module, struct simt_kernel *kernel,
                              struct reply *reply) {
    const struct gpu_model *model = server->options.model;
    const struct ptx_function *function = simt_kernel_function(kernel);
    uint32_t architecture = model->compute_major * 10 + model->compute_minor;
    struct binding *binding = &module->binding;
    if (!may_ask_ptxas(server))
        return module->binary_version;
    bool failed = binding_make(binding, function->name, &server->options.ptxas, architecture);
    const struct cubin_kernel *made = binding_made(binding, function->name);
    if (made != NULL) {
        struct simt_resources resources = checked(function, made, estimate(function).registers);
        simt_kernel_set_resources(kernel, &resources);
        return architecture;
    }
    if (failed)
        server_reply_say(reply, "%s: times of this program's kernels follow from what is counted%s",
                         binding->why,
                         module->estimated ? ", registers per thread are estimated from the PTX" : "");
    else if (module->estimated && binding->why[0] == '\0')
        say_estimated(reply, module->estimated);
    if (failed || made == NULL)
        module->estimated = 0; /* reported once */
    return module->binary_version;
}

/* module.c: loads a checked program on a device: places its variables, decodes its functions. */
#include "base/round.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/check/undefined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BANK_ALIGNMENT = 4096 }; /* the largest of any variable */

static bool place_symbol(struct simt_device *device, struct simt_module *module, uint32_t index, char *error,
                         size_t size) {
    const struct ptx_symbol *symbol = &module->program->symbols[index];
    if (symbol->external) /* a function that names it is refused */
        return true;
    char what[64];
    snprintf(what, sizeof what, "variable '%.40s'", symbol->name);
    uint64_t address = 0;
    enum simt_status status =
        symbol->managed && device->place_managed != NULL
            ? device->place_managed(device->place_context, symbol->size ? symbol->size : 1, symbol->alignment,
                                    &address)
            : simt_device_allocate_named(device, symbol->size, what, &address);
    if (status != SIMT_OK) {
        snprintf(error, size, "no device memory for variable '%s' of %llu bytes", symbol->name,
                 (unsigned long long)symbol->size);
        return false;
    }
    module->symbol_addresses[index] = address;
    return true;
}

static bool initialise_symbol(struct simt_device *device, const struct simt_module *module, uint32_t index) {
    const struct ptx_symbol *symbol = &module->program->symbols[index];
    if (symbol->external)
        return true;
    uint8_t *host = simt_host_pointer(device, module->symbol_addresses[index], symbol->size);
    if (host == NULL)
        return symbol->size == 0;
    if (symbol->initial != NULL)
        memcpy(host, symbol->initial, symbol->size);
    else
        memset(host, 0, symbol->size);
    simt_undefined_host_wrote(device, module->symbol_addresses[index], symbol->size);
    for (uint32_t i = 0; i < symbol->relocation_count; i++) {
        const struct ptx_relocation *relocation = &symbol->relocations[i];
        uint64_t value = (uint64_t)relocation->addend;
        if (relocation->symbol >= 0)
            value += relocation->generic ? module->symbol_addresses[relocation->symbol]
                                         : module_symbol(module, relocation->symbol);
        else if (relocation->function >= 0)
            value += SIMT_CODE_WINDOW + 16 * (uint64_t)relocation->function;
        if (relocation->width > 8 || relocation->offset > symbol->size ||
            relocation->width > symbol->size - relocation->offset)
            return false;
        value >>= relocation->shift;
        memcpy(host + relocation->offset, &value, relocation->width);
    }
    simt_kept_initialised(device, module->symbol_addresses[index],
                          symbol->initial == NULL && symbol->relocation_count == 0);
    return true;
}

/* Constant variables come first, adjacent: they are a bank. */
static bool place_symbols(struct simt_device *device, struct simt_module *module, bool constant, char *error,
                          size_t size) {
    for (uint32_t i = 0; i < module->program->symbol_count; i++) {
        const struct ptx_symbol *symbol = &module->program->symbols[i];
        if ((symbol->space == PTX_CONST) != constant)
            continue;
        if (!place_symbol(device, module, i, error, size))
            return false;
        uint64_t start = module->symbol_addresses[i], end = start + symbol->size;
        struct constant_bank *bank = &module->bank;
        if (!constant || symbol->external)
            continue;
        bank->start = bank->end == 0 || start < bank->start ? start : bank->start;
        bank->end = end > bank->end ? end : bank->end;
    }
    if (constant && module->bank.end)
        module->bank.base = round_up(module->bank.start, BANK_ALIGNMENT) - 2 * BANK_ALIGNMENT;
    return true;
}

bool simt_module_constants(const struct simt_module *module, uint64_t address, uint64_t *start,
                           uint64_t *end) {
    *start = module->bank.start;
    *end = module->bank.end;
    if (address - *start >= *end - *start)
        return false;
    for (uint32_t i = 0; i < module->program->symbol_count; i++) {
        const struct ptx_symbol *symbol = &module->program->symbols[i];
        *start = module->symbol_addresses[i];
        *end = *start + symbol->size;
        if (symbol->space == PTX_CONST && !symbol->external && address - *start < symbol->size)
            return true;
    }
    return false;
}

static bool load_parts(struct simt_device *device, struct simt_module *module, char *error, size_t size) {
    const struct ptx_module *program = module->program;
    uint32_t count_total = 0;
    for (uint32_t i = 0; i < program->function_count; i++) {
        module->codes[i].first_count = count_total;
        count_total += program->functions[i].instruction_count + 2;
    }
    module->count_total = count_total;
    module->sites = calloc((size_t)SITES_PER_INSTRUCTION * count_total + 1, sizeof *module->sites);
    if (module->sites == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    if (!place_symbols(device, module, true, error, size) ||
        !place_symbols(device, module, false, error, size))
        return false;
    for (uint32_t i = 0; i < program->symbol_count; i++)
        if (!initialise_symbol(device, module, i)) {
            snprintf(error, size, "variable '%s' has an initial value that does not fit it",
                     program->symbols[i].name);
            return false;
        }
    for (uint32_t i = 0; i < program->function_count; i++) {
        module->kernels[i].module = module;
        module->kernels[i].code = &module->codes[i];
        module->kernels[i].resources.static_shared = program->functions[i].shared_bytes;
        module->codes[i].function = &program->functions[i];
        if (program->functions[i].defined && !simt_code_decode(module, i, error, size))
            return false;
    }
    return true;
}

struct simt_module *simt_module_load(struct simt_device *device, const struct ptx_module *program,
                                     char *error, size_t size) {
    struct simt_module *module = calloc(1, sizeof *module);
    if (module == NULL) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    module->device = device;
    module->program = program;
    module->codes = calloc(program->function_count + 1, sizeof *module->codes);
    module->kernels = calloc(program->function_count + 1, sizeof *module->kernels);
    module->symbol_addresses = calloc(program->symbol_count + 1, sizeof *module->symbol_addresses);
    if (module->codes == NULL || module->kernels == NULL || module->symbol_addresses == NULL) {
        snprintf(error, size, "out of memory");
        simt_module_unload(device, module);
        return NULL;
    }
    if (!load_parts(device, module, error, size)) {
        simt_module_unload(device, module);
        return NULL;
    }
    return module;
}

void simt_module_unload(struct simt_device *device, struct simt_module *module) {
    if (module == NULL)
        return;
    simt_checker_forget_instructions(device->checker);
    for (uint32_t i = 0; module->symbol_addresses != NULL && i < module->program->symbol_count; i++)
        if (module->symbol_addresses[i] &&
            !(module->program->symbols[i].managed && device->place_managed != NULL))
            simt_free(device, module->symbol_addresses[i]);
    for (uint32_t i = 0; module->codes != NULL && i < module->program->function_count; i++)
        simt_code_free(&module->codes[i]);
    free(module->codes);
    free(module->kernels);
    free(module->symbol_addresses);
    free(module->sites);
    free(module);
}

bool simt_module_variable(const struct simt_module *module, const char *name, uint64_t *address,
                          uint64_t *bytes) {
    int index = ptx_find_symbol(module->program, name);
    if (index < 0 || module->program->symbols[index].external)
        return false;
    *address = module->symbol_addresses[index];
    *bytes = module->program->symbols[index].size;
    return true;
}

struct simt_kernel *simt_module_kernel(struct simt_module *module, const char *name) {
    int index = ptx_find_function(module->program, name);
    const struct ptx_function *function = index >= 0 ? &module->program->functions[index] : NULL;
    if (function == NULL || !function->entry || (!function->defined && function->refusal == NULL))
        return NULL;
    return &module->kernels[index];
}

void simt_kernel_set_resources(struct simt_kernel *kernel, const struct simt_resources *resources) {
    kernel->resources = *resources;
}

const struct simt_resources *simt_kernel_resources(const struct simt_kernel *kernel) {
    return &kernel->resources;
}

const struct ptx_function *simt_kernel_function(const struct simt_kernel *kernel) {
    return kernel->code->function;
}

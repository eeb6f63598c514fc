/* arrays.c: finds the array that holds a byte of shared memory, and its name. */
#include "gpu/simt/control/launch.h"

#include "base/round.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t simt_array_at(const struct launch *launch, uint64_t offset) {
    const struct ptx_module *program = launch->module->program;
    uint32_t open = ARRAY_NONE;
    for (uint32_t i = 0; i < program->shared_array_count; i++) {
        const struct ptx_shared_array *array = &program->shared_arrays[i];
        if (array->function >= 0 && launch->module->codes[array->function].function != launch->code->function)
            continue;
        if (offset - array->offset < array->size)
            return i;
        if (array->size == 0 && offset >= launch->code->function->shared_bytes &&
            offset < launch->own_shared_bytes)
            open = i;
    }
    return open;
}

/* Takes the last name of known length that ends the mangled name. */
void simt_array_plain_name(const char *mangled, char *text, size_t size) {
    const char *name = mangled;
    size_t length = strlen(mangled);
    for (size_t i = 1; mangled[0] == '_' && i < length; i++) {
        if (mangled[i] < '1' || mangled[i] > '9' || (mangled[i - 1] >= '0' && mangled[i - 1] <= '9'))
            continue;
        char *end;
        unsigned long named = strtoul(mangled + i, &end, 10);
        size_t left = length - (size_t)(end - mangled);
        if (named == left ||
            (named < left && end[named] == '_' && end[named + 1] >= '0' && end[named + 1] <= '9')) {
            name = end;
            length = (size_t)(end - mangled) + named;
            break;
        }
    }
    snprintf(text, size, "%.*s", (int)(length - (size_t)(name - mangled)), name);
}

void simt_array_describe(const struct launch *launch, uint64_t offset, uint32_t bytes, char *text,
                         size_t size) {
    const struct ptx_function *function = launch->code->function;
    uint32_t index = simt_array_at(launch, offset), alignment = function->dynamic_alignment;
    char name[64], element[64] = "";
    if (index == ARRAY_NONE) {
        snprintf(text, size, "byte %" PRIu64 " of shared memory", offset);
        return;
    }
    const struct ptx_shared_array *array = &launch->module->program->shared_arrays[index];
    uint64_t start =
        array->size ? array->offset : round_up(function->shared_bytes, alignment ? alignment : 1);
    uint64_t at = offset - start;
    simt_array_plain_name(array->name, name, sizeof name);
    if (bytes > 0 && at % bytes == 0)
        snprintf(element, sizeof element, " (index %" PRIu64 ", as %" PRIu32 "-byte elements)", at / bytes,
                 bytes);
    snprintf(text, size, "byte %" PRIu64 " of %s%s", at, name, element);
}

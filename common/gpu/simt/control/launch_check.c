/* launch_check.c: refuses launches that the driver refuses, and says why. */
#include "base/round.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/control/cluster.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum simt_status simt_launch_refuse(struct simt_result *result, const struct simt_launch *shape,
                                    enum simt_status status, const char *format, ...) {
    struct simt_fault *fault = &result->fault;
    const uint32_t *grid = shape->grid, *block = shape->block;
    fault->status = status;
    fault->kernel = shape->kernel->code->function->name;
    memcpy(fault->grid, grid, sizeof fault->grid);
    memcpy(fault->block_size, block, sizeof fault->block_size);
    int length = snprintf(fault->message, sizeof fault->message,
                          "kernel %.500s, grid (%u,%u,%u), block (%u,%u,%u): ", fault->kernel, grid[0],
                          grid[1], grid[2], block[0], block[1], block[2]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message + length, sizeof fault->message - (size_t)length, format, arguments);
    va_end(arguments);
    return status;
}

/* A grid of no blocks mostly comes from a division that rounds down. */
static enum simt_status refuse_nothing(const struct simt_launch *shape, struct simt_result *result,
                                       bool is_grid, int axis) {
    char name = (char)('x' + axis);
    if (!is_grid)
        return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                  "block.%c is 0; a block has at least 1 thread in each dimension", name);
    uint32_t threads = shape->block[axis];
    if (threads < 2)
        return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                  "grid.%c is 0; a grid has at least 1 block in each dimension", name);
    return simt_launch_refuse(
        result, shape, SIMT_INVALID_CONFIGURATION,
        "grid.%c is 0; a grid has at least 1 block in each dimension. If it comes from a "
        "division by block.%c, round up: (size + %u) / %u",
        name, name, threads - 1, threads);
}

static enum simt_status check_dimensions(const struct simt_config *config, const struct simt_launch *shape,
                                         struct simt_result *result) {
    for (int part = 0; part < 2; part++) {
        const char *name = part == 0 ? "grid" : "block";
        const uint32_t *size = part == 0 ? shape->grid : shape->block;
        const uint32_t *most = part == 0 ? config->max_grid : config->max_block;
        for (int i = 0; i < 3; i++) {
            if (size[i] == 0)
                return refuse_nothing(shape, result, part == 0, i);
            if (size[i] > most[i])
                return simt_launch_refuse(
                    result, shape, SIMT_INVALID_CONFIGURATION,
                    "%s.%c is %u, and this GPU allows at most %u there (%u in x, %u in y, "
                    "%u in z)",
                    name, 'x' + i, size[i], most[i], most[0], most[1], most[2]);
        }
    }
    return SIMT_OK;
}

static enum simt_status check_cluster(const struct simt_launch *shape, struct simt_result *result) {
    const struct ptx_function *function = shape->kernel->code->function;
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t size = shape->cluster[i] ? shape->cluster[i] : function->cluster[i];
        if (size && shape->grid[i] % size)
            return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                      "a grid of %u blocks in %c, in clusters of %u: it must be a multiple",
                                      shape->grid[i], 'x' + i, size);
        blocks *= size ? size : 1;
    }
    if (blocks > PORTABLE_CLUSTER)
        return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                  "a cluster of %llu blocks; at most %d on every GPU",
                                  (unsigned long long)blocks, PORTABLE_CLUSTER);
    return SIMT_OK;
}

static enum simt_status check_threads(const struct simt_config *config, const struct simt_launch *shape,
                                      struct simt_result *result) {
    const struct ptx_function *function = shape->kernel->code->function;
    const uint32_t *block = shape->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], bound = function->max_threads[0];
    if (threads > config->max_threads_per_block)
        return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                  "a block of %u x %u x %u is %llu threads; at most %u", block[0], block[1],
                                  block[2], (unsigned long long)threads, config->max_threads_per_block);
    for (int i = 1; i < 3; i++)
        bound *= function->max_threads[i] ? function->max_threads[i] : 1;
    if (shape->kernel->resources.max_threads)
        bound = shape->kernel->resources.max_threads;
    if (bound && threads > bound)
        return simt_launch_refuse(result, shape, SIMT_INVALID_VALUE,
                                  "a block of %llu threads; the kernel was compiled for at most %llu "
                                  "(__launch_bounds__)",
                                  (unsigned long long)threads, (unsigned long long)bound);
    for (int i = 0; function->required_threads[0] && i < 3; i++)
        if (block[i] != (function->required_threads[i] ? function->required_threads[i] : 1))
            return simt_launch_refuse(result, shape, SIMT_INVALID_CONFIGURATION,
                                      "the kernel was compiled for one block shape (.reqntid), and this is "
                                      "another");
    return SIMT_OK;
}

static enum simt_status check_shared(const struct simt_config *config, const struct simt_launch *shape,
                                     struct simt_result *result) {
    /* The larger of what the cubin's metadata says and what the PTX declares. */
    uint32_t fixed = shape->kernel->resources.static_shared, standard = config->shared_per_block_static;
    if (fixed < shape->kernel->code->function->shared_bytes)
        fixed = shape->kernel->code->function->shared_bytes;
    uint32_t limit = shape->shared_limit ? shape->shared_limit : standard > fixed ? standard - fixed : 0;
    uint32_t largest = config->shared_per_block > fixed ? config->shared_per_block - fixed : 0;
    if (shape->dynamic_shared > limit && shape->dynamic_shared > largest)
        return simt_launch_refuse(
            result, shape, SIMT_INVALID_VALUE,
            "%llu bytes of dynamic shared memory, and this GPU has at most %u for a block "
            "of this kernel: use a smaller tile",
            (unsigned long long)shape->dynamic_shared, largest);
    if (shape->dynamic_shared > limit)
        return simt_launch_refuse(result, shape, SIMT_INVALID_VALUE,
                                  "%llu bytes of dynamic shared memory; at most %u unless "
                                  "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                                  "bytes) asked for more before, up to %u on this GPU",
                                  (unsigned long long)shape->dynamic_shared, limit, largest);
    if (fixed + shape->dynamic_shared > config->shared_per_block)
        return simt_launch_refuse(
            result, shape, SIMT_TOO_MANY_RESOURCES,
            "%llu bytes of shared memory per block (%u static, %llu dynamic), and this GPU has %u",
            (unsigned long long)(fixed + shape->dynamic_shared), fixed,
            (unsigned long long)shape->dynamic_shared, config->shared_per_block);
    return SIMT_OK;
}

/* A warp's registers lie in one partition of the SM, and the driver counts whole rows of
 * partitions. So a block of 13 warps needs 16 warps' registers (measured on an H200). */
static enum simt_status check_registers(const struct simt_config *config, const struct simt_launch *shape,
                                        struct simt_result *result) {
    uint32_t each = shape->kernel->resources.registers;
    uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
    uint64_t warp = round_up((uint64_t)each * SIMT_LANES, config->register_granularity);
    uint64_t warps = round_up((threads + SIMT_LANES - 1) / SIMT_LANES, config->warp_granularity);
    if (warp * warps > config->registers_per_block)
        return simt_launch_refuse(
            result, shape, SIMT_TOO_MANY_RESOURCES,
            "%llu registers for a block (%u for each of %llu threads), and this GPU has %u: "
            "use fewer threads, or __launch_bounds__(%llu) to spill",
            (unsigned long long)(warp * warps), each, (unsigned long long)threads,
            config->registers_per_block, (unsigned long long)threads);
    return SIMT_OK;
}

enum simt_status simt_launch_check(const struct simt_device *device, const struct simt_launch *shape,
                                   struct simt_result *result) {
    const struct ptx_function *function = shape->kernel->code->function;
    if (function->refusal != NULL) {
        struct simt_fault *fault = &result->fault;
        fault->status = SIMT_NOT_SUPPORTED;
        fault->kernel = function->name;
        fault->line = function->refusal->line;
        fault->ptx_line = function->refusal->ptx_line;
        snprintf(fault->file, sizeof fault->file, "%.250s",
                 shape->kernel->module->program->files[function->refusal->file]);
        ptx_refusal_text(shape->kernel->module->program, function, fault->message, sizeof fault->message);
        return SIMT_NOT_SUPPORTED;
    }
    enum simt_status status = check_dimensions(&device->config, shape, result);
    if (status == SIMT_OK)
        status = check_threads(&device->config, shape, result);
    if (status == SIMT_OK)
        status = check_cluster(shape, result);
    if (status == SIMT_OK)
        status = check_shared(&device->config, shape, result);
    if (status == SIMT_OK)
        status = check_registers(&device->config, shape, result);
    return status;
}

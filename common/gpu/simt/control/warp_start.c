/* warp_start.c: takes a spare register file, fills in the constants and special registers that the
 * program reads, and returns it at the warp's end. The file is kept between warps: what all warps
 * of a launch share is filled once. */
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/count/count.h"
#include "gpu/simt/endless/endless.h"
#include "gpu/simt/observe/observe.h"

#include <stdlib.h>
#include <string.h>

/* What is read before it is written is garbage, the same in each run: other bytes in each second
 * lane, so that neither a sum nor the largest or smallest of a warp's values hides it. */
static int unset_byte(size_t lane) {
    return lane % 2 ? 0xcf : 0x4f;
}
static const uint32_t UNSET_PREDICATE = 0xaaaaaaaa;

static uint64_t special_value(const struct worker *worker, const struct warp *warp, int64_t special,
                              uint32_t lane) {
    const struct launch *launch = worker->launch;
    const struct block *block = warp->block;
    const uint32_t *size = launch->shape->block;
    uint32_t thread = warp->index * SIMT_LANES + lane;
    switch (special) {
    case PTX_TID_X: return thread % size[0];
    case PTX_TID_Y: return thread / size[0] % size[1];
    case PTX_TID_Z: return thread / size[0] / size[1];
    case PTX_NTID_X: return size[0];
    case PTX_NTID_Y: return size[1];
    case PTX_NTID_Z: return size[2];
    case PTX_CTAID_X: return block->position[0];
    case PTX_CTAID_Y: return block->position[1];
    case PTX_CTAID_Z: return block->position[2];
    case PTX_NCTAID_X: return launch->shape->grid[0];
    case PTX_NCTAID_Y: return launch->shape->grid[1];
    case PTX_NCTAID_Z: return launch->shape->grid[2];
    case PTX_LANEID: return lane;
    case PTX_WARPID: return warp->index;
    case PTX_NWARPID: return 64;
    case PTX_SMID: return worker->sm->index;
    case PTX_NSMID: return launch->device->config.sm_count;
    case PTX_GRIDID: return launch->number;
    case PTX_LANEMASK_EQ: return 1u << lane;
    case PTX_LANEMASK_LE: return (2u << lane) - 1;
    case PTX_LANEMASK_LT: return (1u << lane) - 1;
    case PTX_LANEMASK_GE: return ~((1u << lane) - 1);
    case PTX_LANEMASK_GT: return ~((2u << lane) - 1);
    case PTX_DYNAMIC_SMEM_SIZE: return launch->shape->dynamic_shared;
    case PTX_TOTAL_SMEM_SIZE: return launch->own_shared_bytes;
    case PTX_ENVREG1: return launch->shape->cooperative ? launch->device->workspace >> 32 : 0;
    case PTX_ENVREG2: return launch->shape->cooperative ? launch->device->workspace & UINT32_MAX : 0;
    case PTX_RESERVED_SMEM_BEGIN:
    case PTX_RESERVED_SMEM_0:
    case PTX_RESERVED_SMEM_1: return launch->shared_bytes - SIMT_RESERVED_SHARED;
    case PTX_RESERVED_SMEM_END:
    case PTX_RESERVED_SMEM_CAP: return launch->shared_bytes;
    case PTX_AGGR_SMEM_SIZE: return launch->shared_bytes;
    default: /* clocks are filled at each read */
        return special > PTX_IS_EXPLICIT_CLUSTER ? simt_cluster_special(launch, block, special) : 0;
    }
}

static bool varies_by_lane(int64_t special) {
    uint8_t between = ptx_specials[special].between;
    return between == PTX_BETWEEN_LANES || between == PTX_BETWEEN_THREADS;
}

static void fill_lanes(uint8_t *slot, uint32_t width, uint64_t value) {
    if (width == 8) {
        uint64_t *lane = (uint64_t *)(void *)slot;
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            lane[i] = value;
    } else {
        uint32_t *lane = (uint32_t *)(void *)slot;
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            lane[i] = (uint32_t)value;
    }
}

/* Fills a special register, lane by lane. */
static void fill_special(struct worker *worker, const struct warp *warp, uint8_t *slot,
                         const struct constant *constant) {
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
        uint64_t value = special_value(worker, warp, constant->value, lane);
        if (constant->width == 8)
            ((uint64_t *)(void *)slot)[lane] = value;
        else
            ((uint32_t *)(void *)slot)[lane] = (uint32_t)value;
    }
}

void simt_warp_fill_constants(struct worker *worker, struct warp *warp, const struct code *code,
                              uint32_t window, uint64_t local_base) {
    uint8_t *registers = warp_registers(warp, window);
    for (uint32_t i = 0; i < code->constant_count; i++) {
        const struct constant *constant = &code->constants[i];
        uint8_t *slot = registers + constant->slot * SIMT_SLOT_BYTES;
        if (constant->kind == CONSTANT_VALUE)
            fill_lanes(slot, constant->width, (uint64_t)constant->value);
        else if (constant->kind == CONSTANT_LOCAL_ADDRESS)
            fill_lanes(slot, constant->width, local_base + (uint64_t)constant->value);
        else if (!varies_by_lane(constant->value))
            fill_lanes(slot, constant->width, special_value(worker, warp, constant->value, 0));
        else
            fill_special(worker, warp, slot, constant);
    }
    uint32_t *predicates = (uint32_t *)(void *)(registers + code->predicates_offset);
    uint32_t first = code->function->predicates + 1;
    for (uint32_t i = first; i < code->predicates; i++)
        predicates[i] = code->constant_predicates[i - first] != CODE_EXPLICIT_CLUSTER
                            ? code->constant_predicates[i - first]
                        : worker->launch->explicit_cluster ? UINT32_MAX
                                                           : 0;
}

void simt_warp_fill_unset(struct warp *warp, const struct code *code, uint32_t window) {
    const struct ptx_function *function = code->function;
    uint8_t *registers = warp_registers(warp, window);
    uint32_t *predicates = (uint32_t *)(void *)(registers + code->predicates_offset);
    for (uint32_t i = 0; i < function->unset_count; i++) {
        const struct ptx_unset *unset = &function->unset[i];
        if (unset->width == 0)
            predicates[unset->slot] = UNSET_PREDICATE;
        for (size_t lane = 0; unset->width && lane < SIMT_LANES; lane++)
            memset(registers + (size_t)unset->slot * SIMT_SLOT_BYTES + lane * unset->width, unset_byte(lane),
                   unset->width);
    }
}

/* Fills the constants that differ between warps that use one register file. */
static void fill_warp_constants(struct worker *worker, struct warp *warp, const struct code *code) {
    const struct launch *launch = worker->launch;
    uint8_t *registers = warp_registers(warp, 0);
    for (uint32_t i = 0; i < code->warp_constant_count; i++) {
        const struct constant *constant = &code->constants[code->warp_constants[i]];
        uint8_t *slot = registers + constant->slot * SIMT_SLOT_BYTES;
        if (!varies_by_lane(constant->value)) {
            fill_lanes(slot, constant->width, special_value(worker, warp, constant->value, 0));
            continue;
        }
        if (constant->width != 4) {
            fill_special(worker, warp, slot, constant);
            continue;
        }
        size_t first = ((size_t)constant->value * launch->warps + warp->index) * SIMT_LANES;
        memcpy(slot, launch->thread_lanes + first, SIMT_SLOT_BYTES);
    }
}

/* ---- register files */

bool simt_register_file_reserve(struct register_file *file, size_t bytes) {
    if (bytes <= file->bytes)
        return true;
    size_t wanted = file->bytes ? 2 * file->bytes : bytes;
    wanted = (wanted > bytes ? wanted : bytes) + 4095;
    wanted -= wanted % 4096;
    uint8_t *memory = aligned_alloc(4096, wanted);
    if (memory == NULL)
        return false;
    if (file->bytes)
        memcpy(memory, file->memory, file->bytes);
    memset(memory + file->bytes, 0, wanted - file->bytes);
    free(file->memory);
    file->memory = memory;
    file->bytes = wanted;
    return true;
}

static struct register_file *take_file(struct worker *worker, const struct code *code) {
    struct register_file *file = worker->files;
    if (file != NULL)
        worker->files = file->next;
    else
        file = calloc(1, sizeof *file);
    if (file == NULL)
        return NULL;
    if (file->trips == NULL)
        file->trips = calloc(worker->launch->module->loop_total + 1u, sizeof *file->trips);
    if (file->trips == NULL)
        goto failed;
    size_t local = worker->launch->local_stride * SIMT_LANES;
    if (!simt_register_file_reserve(file, WINDOW_HEADER_BYTES + code->window_bytes))
        goto failed;
    if (local > file->local_bytes) {
        free(file->local);
        file->local_bytes = 0;
        file->local = calloc(1, local);
        if (file->local == NULL)
            goto failed;
        file->local_bytes = local;
    }
    return file;
failed:
    free(file->memory);
    free(file->local);
    free(file->trips);
    free(file);
    return NULL;
}

bool simt_warp_start(struct worker *worker, struct warp *warp) {
    const struct launch *launch = worker->launch;
    const struct code *code = launch->code;
    struct register_file *file = take_file(worker, code);
    if (file == NULL)
        return false;
    warp->file = file;
    if (launch->check && !simt_undefined_start_warp(warp, launch))
        return false;
    warp->state = WARP_RUNNING;
    uint32_t first = warp->index * SIMT_LANES;
    uint32_t threads = launch->threads - first < SIMT_LANES ? launch->threads - first : SIMT_LANES;
    warp->live = threads == SIMT_LANES ? UINT32_MAX : (1u << threads) - 1;
    warp->early = 0;
    warp->path_count = 1;
    warp->paths[0] = (struct path){.code = code, .mask = warp->live, .join = -1};
    warp->join_count = 0;
    warp->instructions = 0;
    warp->slept_ns = warp->committed = 0;
    warp->waited = warp->storing = (struct chain){0};
    uint8_t *registers = warp_registers(warp, 0);
    bool prepared = file->prepared == code && file->prepared_launch == launch->number;
    memset(registers, 0, (size_t)code->function->slots * SIMT_SLOT_BYTES);
    memset(registers + code->predicates_offset, 0, 4 * ((size_t)code->function->predicates + 1));
    simt_warp_fill_unset(warp, code, 0);
    if (prepared)
        fill_warp_constants(worker, warp, code);
    else
        simt_warp_fill_constants(worker, warp, code, 0, 0);
    file->prepared = code;
    file->prepared_launch = launch->number;
    if (file->local != NULL && code->function->local_bytes)
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
            memset(file->local + lane * launch->local_stride, unset_byte(lane), code->function->local_bytes);
    if (warp->block->observer != NULL)
        simt_observer_begin_warp(warp->block->observer);
    return true;
}

void simt_warp_release(struct worker *worker, struct warp *warp) {
    simt_endless_forget(warp);
    if (warp->file == NULL)
        return;
    warp->file->next = worker->files;
    worker->files = warp->file;
    warp->file = NULL;
}

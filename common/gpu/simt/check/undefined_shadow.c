/* undefined_shadow.c: the shadows of a launch: register files, shared and local memory. */
#include "gpu/simt/check/checker.h"

#include <stdlib.h>
#include <string.h>

/* ---- the shadow of a register file */

static bool reserve(struct register_file *file) {
    struct register_shadow *shadow = &file->shadow;
    if (shadow->bytes >= file->bytes)
        return true;
    uint8_t *unknown = calloc(1, file->bytes);
    cause_id *cause = calloc(file->bytes / 4, sizeof *cause);
    uint32_t *lanes = calloc(file->bytes / SIMT_SLOT_BYTES + 1, sizeof *lanes);
    if (unknown == NULL || cause == NULL || lanes == NULL) {
        free(unknown);
        free(cause);
        free(lanes);
        return false;
    }
    if (shadow->bytes) {
        memcpy(unknown, shadow->unknown, shadow->bytes);
        memcpy(cause, shadow->cause, shadow->bytes);
        memcpy(lanes, shadow->lanes, shadow->bytes / SIMT_SLOT_BYTES * sizeof *lanes);
    }
    free(shadow->unknown);
    free(shadow->cause);
    free(shadow->lanes);
    *shadow = (struct register_shadow){unknown, cause, lanes, file->bytes, shadow->any};
    return true;
}

void simt_undefined_file_free(struct register_file *file) {
    free(file->shadow.unknown);
    free(file->shadow.cause);
    free(file->shadow.lanes);
    simt_shadow_destroy(&file->local_shadow);
}

static void mark_unset(struct register_shadow *shadow, const struct code *code, size_t window) {
    for (uint32_t i = 0; i < code->function->unset_count; i++) {
        const struct ptx_unset *unset = &code->function->unset[i];
        size_t slot = window + (size_t)unset->slot * SIMT_SLOT_BYTES,
               predicate = window + code->predicates_offset + 4 * (size_t)unset->slot;
        shadow->any = true;
        if (unset->width == 0) {
            memset(shadow->unknown + predicate, 0xff, 4);
            shadow->cause[predicate / 4] = CAUSE_UNSET;
            continue;
        }
        memset(shadow->unknown + slot, 0xff, SIMT_LANES * (size_t)unset->width);
        shadow->lanes[slot / SIMT_SLOT_BYTES] = UINT32_MAX;
        for (size_t lane = 0; lane < SIMT_LANES; lane++)
            shadow->cause[slot / 4 + lane] = CAUSE_UNSET;
    }
}

bool simt_undefined_enter(struct warp *warp, uint32_t window, const struct code *code) {
    struct register_shadow *shadow = &warp->file->shadow;
    if (!reserve(warp->file))
        return false;
    size_t at = (size_t)window + WINDOW_HEADER_BYTES;
    if (shadow->any) {
        memset(shadow->unknown + at, 0, code->window_bytes);
        memset(shadow->lanes + at / SIMT_SLOT_BYTES, 0,
               code->window_bytes / SIMT_SLOT_BYTES * sizeof *shadow->lanes);
    }
    mark_unset(shadow, code, at);
    return true;
}

bool simt_undefined_start_warp(struct warp *warp, const struct launch *launch) {
    struct register_file *file = warp->file;
    uint64_t local = launch->local_stride * SIMT_LANES;
    if (!reserve(file))
        return false;
    if (file->shadow.any) {
        memset(file->shadow.unknown, 0, file->shadow.bytes);
        memset(file->shadow.lanes, 0, file->shadow.bytes / SIMT_SLOT_BYTES * sizeof *file->shadow.lanes);
        file->shadow.any = false;
    }
    mark_unset(&file->shadow, launch->code, WINDOW_HEADER_BYTES);
    warp->regions = warp->syncs = 0;
    warp->acquired = false;
    if (local > file->local_shadow.bytes) {
        simt_shadow_destroy(&file->local_shadow);
        return simt_shadow_create(&file->local_shadow, local, false);
    }
    simt_shadow_clear(&file->local_shadow, 0, local);
    return true;
}

bool simt_undefined_start_block(struct block *block, const struct launch *launch) {
    if (block->shared_shadow.bytes != launch->shared_bytes) {
        simt_shadow_destroy(&block->shared_shadow);
        if (!simt_shadow_create(&block->shared_shadow, launch->shared_bytes, false))
            return false;
    } else {
        simt_shadow_clear(&block->shared_shadow, 0, launch->shared_bytes);
    }
    if (launch->shared_bytes > launch->own_shared_bytes) /* the rest is not the program's */
        simt_shadow_define(&block->shared_shadow, launch->own_shared_bytes,
                           launch->shared_bytes - launch->own_shared_bytes);
    return true;
}

bool simt_undefined_launch(struct launch *launch) {
    return simt_checker_ready(launch->device) && simt_order_launch(launch->device->checker, launch);
}

void simt_undefined_end_launch(struct simt_device *device) {
    if (device->checker != NULL)
        simt_order_end(device->checker);
}

void simt_undefined_copy(struct warp *warp, size_t to, size_t from, uint32_t bytes) {
    struct register_shadow *shadow = &warp->file->shadow;
    if (!shadow->any)
        return;
    memcpy(shadow->unknown + to, shadow->unknown + from, bytes);
    for (uint32_t i = 0; i < bytes; i += 4)
        shadow->cause[(to + i) / 4] = shadow->cause[(from + i) / 4];
}

void simt_undefined_known(struct warp *warp, size_t at, uint32_t bytes) {
    if (warp->file->shadow.any)
        memset(warp->file->shadow.unknown + at, 0, bytes);
}

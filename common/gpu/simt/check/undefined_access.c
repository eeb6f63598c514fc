/* undefined_access.c: follows unknown values through loads, stores, atomics and copies. */
#include "gpu/simt/check/scene.h"

#include <string.h>

static uint64_t sign_extend(uint64_t unknown, uint32_t bytes, uint32_t extend) {
    if (extend == EXTEND_ZERO || extend == EXTEND_ZERO_TO_64 || bytes >= 8 ||
        !(unknown >> (8 * bytes - 1) & 1))
        return unknown;
    return unknown | ~low_bytes(bytes);
}

/* Reports lanes whose address is unknown. */
static void check_address(const struct scene *scene, uint32_t index) {
    for (uint32_t left = simt_scene_unknown_lanes(scene, index) & scene->mask; left; left &= left - 1) {
        struct witness witness = scene->witness;
        cause_id cause = 0;
        witness.lane = (uint32_t)__builtin_ctz(left);
        (void)simt_scene_read(scene, index, witness.lane, &cause);
        if (cause)
            simt_cause_is_address(&witness, cause);
    }
}

/* Records that an access may have ordered the warp with other warps. */
static void synchronise(const struct scene *scene, uint32_t spaces) {
    bool does = scene->instruction->flags & PTX_VOLATILE ||
                ptx_nature(scene->instruction)->memory == PTX_MEMORY_ATOMIC;
    if (does && spaces & (1u << PTX_GLOBAL | 1u << PTX_SHARED))
        simt_order_synchronise(scene->checker, scene->warp, scene->instruction, spaces >> PTX_GLOBAL & 1);
}

static void follow_load(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    uint64_t address[SIMT_LANES];
    uint64_t unknown[4][SIMT_LANES];
    cause_id causes[4][SIMT_LANES];
    uint32_t spaces = 0;
    bool any = scene->doubtful != 0;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place = simt_place_find(scene, (enum ptx_space)scene->instruction->space, lane,
                                             address[lane], bytes * count);
        spaces |= 1u << place.space;
        bool plain = place_is_known(scene, &place, bytes * count);
        for (uint32_t e = 0; e < count; e++) {
            causes[e][lane] = 0;
            unknown[e][lane] = 0;
            if (plain)
                continue;
            unknown[e][lane] = sign_extend(
                simt_place_load(scene, &place, lane, bytes * e, bytes, &causes[e][lane]), bytes, extend);
            any |= unknown[e][lane] != 0;
        }
    }
    synchronise(scene, spaces);
    if (!scene->shadow->any && !any)
        return;
    simt_scene_known(scene);
    for (uint32_t left = any ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        bool doubtful = scene->doubtful >> lane & 1;
        for (uint32_t e = 0; e < count; e++)
            if (doubtful || unknown[e][lane])
                simt_scene_write(scene, e, lane, doubtful ? UINT64_MAX : unknown[e][lane],
                                 doubtful ? scene->guard_cause | CAUSE_COMPUTED : causes[e][lane]);
    }
}

/* The cause for which it is unknown whether the lane runs this operation; 0: it does run. */
static cause_id decided_by(const struct scene *scene, uint32_t lane) {
    if (scene->doubtful >> lane & 1 && simt_cause_kind_of(scene->checker, scene->guard_cause) != CAUSE_RACE)
        return scene->guard_cause | CAUSE_COMPUTED | CAUSE_CONTROL;
    if (scene->warp->regions >> lane & 1)
        return scene->warp->region[lane].cause | CAUSE_COMPUTED | CAUSE_CONTROL;
    return 0;
}

static void put(const struct scene *scene, const struct place *place, uint32_t offset, uint32_t bytes,
                uint64_t unknown, cause_id cause) {
    uint64_t at = place->at + offset, defined = ~unknown;
    memcpy(place->shadow->defined + at, &defined, bytes);
    if (!(unknown & low_bytes(bytes)) || !cause)
        return;
    for (uint64_t word = at / 4; word <= (at + bytes - 1) / 4; word++)
        place->shadow->cause[word] = cause;
    scene->checker->tainted |= place->space == PTX_GLOBAL;
}

/* Records a store to device memory. Returns the cause if another thread's store there makes the
 * contents unknown. */
static cause_id enter_store(const struct scene *scene, const struct place *place, uint32_t lane,
                            uint32_t offset, uint32_t bytes, uint64_t value, uint32_t writer,
                            const uint64_t *address) {
    uint32_t *writers = place->shadow->writer + place->at + offset;
    struct witness witness = scene->witness;
    uint64_t before = 0;
    witness.lane = lane;
    memcpy(&before, place->host + offset, bytes);
    if (scene->instruction->flags & PTX_VOLATILE || writer == 0) {
        memset(writers, 0, bytes * sizeof *writers);
        return 0;
    }
    /* Lanes store one after the other: an earlier lane's bytes are not in memory yet. */
    uint32_t first = writer, last = writer + SIMT_LANES;
    bool same_store = writers[0] >= first && writers[0] < last;
    if (same_store) {
        uint32_t other = writers[0] - first;
        uint64_t element = (address[lane] + offset - address[other]) / bytes;
        cause_id ignored = 0;
        if (element < access_count(scene->operation))
            before = simt_scene_read(scene, 1 + (uint32_t)element, other, &ignored).value & low_bytes(bytes);
    }
    if (before == (value & low_bytes(bytes)))
        return 0;
    cause_id cause = simt_order_overwrite(scene->checker, &witness, writers, bytes);
    for (uint32_t i = 0; i < bytes; i++)
        writers[i] = writer + lane;
    return cause;
}

/* Checks a store to memory that the host reads directly. */
static void check_shared_with_host(const struct scene *scene, uint32_t lane, uint64_t address, uint32_t bytes,
                                   uint32_t count) {
    struct simt_device *device = scene->witness.worker->launch->device;
    const struct segment *segment = simt_device_segment(device, address);
    if (segment == NULL || !segment->mapped)
        return;
    for (uint32_t e = 0; e < count; e++) {
        cause_id cause = 0;
        struct bits bits = simt_scene_read(scene, 1 + e, lane, &cause);
        if (bits.unknown & low_bytes(bytes))
            simt_cause_reached_host(device, cause);
    }
}

static void follow_store(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint64_t address[SIMT_LANES];
    uint32_t writer = 0, spaces = 0;
    bool numbered = false;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place = simt_place_find(scene, (enum ptx_space)scene->instruction->space, lane,
                                             address[lane], bytes * count);
        spaces |= 1u << place.space;
        if (place.shadow == NULL && place.space == PTX_GLOBAL && scene->shadow->any)
            check_shared_with_host(scene, lane, address[lane], bytes, count);
        if (place.shadow == NULL || place.host == NULL)
            continue;
        cause_id decided = decided_by(scene, lane);
        for (uint32_t e = 0; e < count; e++) {
            cause_id cause = 0;
            struct bits bits = simt_scene_read(scene, 1 + e, lane, &cause);
            if (place.shadow->writer != NULL) {
                if (!numbered)
                    writer = simt_order_store(scene->checker, &scene->witness);
                numbered = true;
                cause_id race =
                    enter_store(scene, &place, lane, bytes * e, bytes, bits.value, writer, address);
                if (race) {
                    cause = race;
                    bits.unknown = UINT64_MAX;
                }
            }
            if (decided) {
                cause = decided;
                bits.unknown = UINT64_MAX;
            }
            put(scene, &place, bytes * e, bytes, bits.unknown, cause);
        }
    }
    synchronise(scene, spaces);
}

static void follow_atomic(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation);
    uint64_t address[SIMT_LANES];
    uint64_t old[SIMT_LANES];
    cause_id causes[SIMT_LANES];
    uint32_t spaces = 0;
    bool any = false;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place =
            simt_place_find(scene, (enum ptx_space)scene->instruction->space, lane, address[lane], bytes);
        old[lane] = 0;
        causes[lane] = 0;
        spaces |= 1u << place.space;
        if (place.shadow == NULL || place.host == NULL)
            continue;
        old[lane] = simt_place_load(scene, &place, lane, 0, bytes, &causes[lane]);
        any |= old[lane] != 0;
        cause_id cause = 0, decided = decided_by(scene, lane);
        uint64_t unknown = 0;
        for (uint32_t i = 1; i < scene->instruction->sources; i++)
            unknown |= simt_scene_read(scene, i, lane, &cause).unknown;
        bool replaces =
            scene->instruction->form == PTX_ATOM_EXCH || scene->instruction->form == PTX_MBARRIER_INIT;
        if (!replaces && old[lane]) {
            unknown |= old[lane];
            cause = causes[lane];
        }
        if (decided)
            cause = decided;
        unknown = unknown || decided ? UINT64_MAX : 0;
        put(scene, &place, 0, bytes, unknown, cause | CAUSE_COMPUTED);
    }
    synchronise(scene, spaces);
    if (!scene->shadow->any && !any)
        return;
    simt_scene_known(scene);
    for (uint32_t left = any && scene->instruction->destinations ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (old[lane])
            simt_scene_write(scene, 0, lane, old[lane], causes[lane]);
    }
}

static void follow_copy(const struct scene *scene) {
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct access_copy copy = simt_access_copy_of(scene->operation, scene->registers, lane);
        struct place into = simt_place_find(scene, PTX_GENERIC, lane, copy.to, copy.bytes);
        struct place from = {0};
        if (copy.brought)
            from = simt_place_find(scene, PTX_GENERIC, lane, copy.from, copy.brought);
        if (into.host == NULL || into.shadow == NULL)
            continue;
        if (into.shadow->writer != NULL) /* it counts as ordered with all others */
            memset(into.shadow->writer + into.at, 0, copy.bytes * sizeof *into.shadow->writer);
        for (uint32_t at = 0; at < copy.bytes; at += 4) {
            cause_id cause = 0;
            uint64_t unknown = 0;
            if (at < copy.brought)
                unknown = simt_place_load(scene, &from, lane, at,
                                          copy.brought - at < 4 ? copy.brought - at : 4, &cause);
            put(scene, &into, at, 4, unknown, cause);
        }
    }
}

/* Parameters of a function are bytes of the window. */
static void follow_frame(const struct scene *scene, bool store) {
    const struct simt_operation *operation = scene->operation;
    const struct window_header *window = window_header(scene->registers);
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    uint64_t address[SIMT_LANES];
    if (!scene->shadow->any)
        return;
    access_addresses(operation, scene->registers, address);
    if (!store)
        simt_scene_known(scene);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (address[lane] > window->frame_stride || bytes * count > window->frame_stride - address[lane])
            return; /* it will fault */
        size_t at = scene->window + scene->path->code->frame_offset + (size_t)lane * window->frame_stride +
                    address[lane];
        for (uint32_t e = 0; e < count; e++, at += bytes) {
            uint8_t *here = scene->shadow->unknown + at;
            cause_id *cause = scene->shadow->cause + at / 4;
            if (store) {
                cause_id why = 0;
                struct bits bits = simt_scene_read(scene, 1 + e, lane, &why);
                memcpy(here, &bits.unknown, bytes);
                if (bits.unknown)
                    *cause = why;
            } else {
                uint64_t unknown = 0;
                memcpy(&unknown, here, bytes);
                if (unknown)
                    simt_scene_write(scene, e, lane, sign_extend(unknown, bytes, extend), *cause);
            }
        }
    }
}

void simt_scene_follow_memory(const struct scene *scene, enum ptx_memory memory) {
    switch ((enum ptx_space)scene->instruction->space) {
    case PTX_PARAM_FRAME: follow_frame(scene, memory == PTX_MEMORY_STORE); return;
    case PTX_CONST:
    case PTX_PARAM_ENTRY:
        if (scene->shadow->any) {
            check_address(scene, 0);
            simt_scene_known(scene);
        }
        return;
    default: break;
    }
    switch (memory) {
    case PTX_MEMORY_LOAD: follow_load(scene); break;
    case PTX_MEMORY_STORE: follow_store(scene); break;
    case PTX_MEMORY_ATOMIC: follow_atomic(scene); break;
    case PTX_MEMORY_COPY: follow_copy(scene); break;
    case PTX_MEMORY_PREFETCH:
    case PTX_MEMORY_NONE: break;
    }
}

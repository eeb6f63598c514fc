/* undefined_place.c: finds a place in memory, its unknown bits and their cause. */
#include "gpu/simt/check/scene.h"
#include "gpu/simt/control/cluster.h"

#include <stdio.h>
#include <string.h>

struct place simt_place_find(const struct scene *scene, enum ptx_space space, uint32_t lane, uint64_t address,
                             uint32_t span) {
    struct window_header *window = window_header(scene->registers);
    struct place place = {.space = space};
    if (space == PTX_GENERIC || space == PTX_GLOBAL)
        place.space = (address & SIMT_WINDOW_MASK) == SIMT_SHARED_WINDOW  ? PTX_SHARED
                      : (address & SIMT_WINDOW_MASK) == SIMT_LOCAL_WINDOW ? PTX_LOCAL
                                                                          : PTX_GLOBAL;
    if (place.space == PTX_GLOBAL) {
        struct segment *segment = simt_checker_segment(window->worker->launch->device, address, span);
        if (segment != NULL) {
            place.shadow = segment->shadow;
            place.at = address - segment->start;
            place.host = segment->host + place.at;
        }
        return place;
    }
    place.host = simt_access_memory(window, place.space, lane, address, span);
    if (place.host == NULL)
        return place; /* it will fault */
    place.at = address & ~SIMT_WINDOW_MASK;
    if (place.space == PTX_SHARED) {
        struct block *block = simt_cluster_block(scene->warp->block, &place.at);
        place.shadow = &block->shared_shadow;
    } else {
        place.shadow = &scene->warp->file->local_shadow;
        place.at += lane * window->local_stride;
    }
    return place;
}

/* Whether unwritten bytes may be padding of a structure, which copies of the structure include:
 * fewer than 16 bytes. */
static bool in_a_gap(const struct place *place, uint32_t bytes) {
    const struct memory_shadow *shadow = place->shadow;
    uint64_t run = bytes;
    for (uint64_t at = place->at; at > 0 && run < 16 && shadow->defined[at - 1] == 0; at--)
        run++;
    for (uint64_t at = place->at + bytes; at < shadow->bytes && run < 16 && shadow->defined[at] == 0; at++)
        run++;
    return run < 16;
}

static cause_id unwritten(const struct scene *scene, const struct place *place, uint32_t lane,
                          uint32_t bytes) {
    struct witness witness = scene->witness;
    witness.lane = lane;
    const struct launch *launch = witness.worker->launch;
    enum cause_copies copies =
        place->space == PTX_SHARED && !in_a_gap(place, bytes) ? COPIES_JUDGED : COPIES_NEVER;
    uint64_t address = place->space == PTX_GLOBAL ? launch->device->checker->segment->start + place->at : 0;
    const struct allocation *allocation =
        place->space == PTX_GLOBAL ? simt_device_allocation(launch->device, address) : NULL;
    bool earlier = allocation != NULL && allocation->forgotten;
    uint32_t alike = (uint32_t)place->space << 2 | (uint32_t)earlier << 1 | (copies != COPIES_NEVER);
    cause_id known = simt_cause_known(&witness, CAUSE_UNWRITTEN, alike);
    if (known)
        return known;
    const char *reads = ptx_nature(scene->instruction)->memory == PTX_MEMORY_ATOMIC ? "changes" : "reads",
               *s = bytes == 1 ? "" : "s";
    if (place->space == PTX_SHARED) {
        char where[ARRAY_TEXT];
        simt_array_describe(launch, place->at, bytes, where, sizeof where);
        return simt_cause_meet(&witness, CAUSE_UNWRITTEN, alike, copies,
                               "%s %u byte%s at %s, which no thread of the block has written", reads, bytes,
                               s, where);
    }
    if (place->space == PTX_LOCAL)
        return simt_cause_meet(
            &witness, CAUSE_UNWRITTEN, alike, copies,
            "%s %u byte%s of an array or variable of its own that it has not written (byte %llu of its "
            "local memory)",
            reads, bytes, s, (unsigned long long)(place->at - lane * launch->local_stride));
    const char *who = earlier
                          ? "this call has not set: what an earlier one set there is gone, each call stands "
                            "for itself"
                          : "neither the host nor a kernel has written";
    char where[256];
    if (simt_device_describe_address(launch->device, address, bytes, where, sizeof where))
        return simt_cause_meet(&witness, CAUSE_UNWRITTEN, alike, copies, "%s %s, which %s", reads, where,
                               who);
    snprintf(where, sizeof where, "at byte %llu of %s (%llu bytes)",
             (unsigned long long)(allocation != NULL ? address - allocation->start : 0),
             allocation != NULL ? allocation->what : "device memory",
             (unsigned long long)(allocation != NULL ? allocation->bytes : 0));
    return simt_cause_meet(&witness, CAUSE_UNWRITTEN, alike, copies, "%s %u byte%s %s, which %s", reads,
                           bytes, s, where, who);
}

uint64_t simt_place_load(const struct scene *scene, const struct place *place, uint32_t lane, uint32_t offset,
                         uint32_t bytes, cause_id *cause) {
    if (place->shadow == NULL)
        return 0;
    struct place here = *place;
    here.at += offset;
    uint64_t defined = 0;
    memcpy(&defined, place->shadow->defined + here.at, bytes);
    uint64_t unknown = ~defined & low_bytes(bytes);
    if (unknown) {
        *cause = place->shadow->cause[(here.at + (uint32_t)(__builtin_ctzll(unknown) / 8)) / 4];
        if (*cause == 0)
            *cause = unwritten(scene, &here, lane, bytes);
    }
    if (place->shadow->writer != NULL && !(scene->instruction->flags & PTX_VOLATILE)) {
        struct witness witness = scene->witness;
        witness.lane = lane;
        cause_id race = simt_order_read(scene->checker, &witness, place->shadow->writer + here.at, bytes);
        if (race) {
            *cause = race;
            return low_bytes(bytes);
        }
    }
    return unknown;
}

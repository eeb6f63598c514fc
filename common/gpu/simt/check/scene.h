/* scene.h: one operation as undefined*.c see it before it runs. Private to them. */
#pragma once

#include "gpu/simt/access/access.h"
#include "gpu/simt/check/checker.h"
#include "gpu/simt/control/paths.h"

struct scene {
    struct witness witness;
    struct checker *checker;
    struct warp *warp;
    const struct path *path;
    const struct simt_operation *operation; /* without its guard */
    const struct ptx_instruction *instruction;
    const struct ptx_operand *operands; /* destinations first */
    uint8_t *registers;
    const uint32_t *predicates;
    uint32_t mask;     /* lanes that run it */
    uint32_t doubtful; /* of these, the lanes of which it is unknown whether they run it */
    uint32_t guard_cause;
    struct register_shadow *shadow;
    size_t window; /* offset of the registers in the register file */
};

/* The lanes in which a source has unknown bits. */
uint32_t simt_scene_unknown_lanes(const struct scene *scene, uint32_t index);
/* A source in one lane: its value and unknown bits. *cause becomes the older one. */
struct bits simt_scene_read(const struct scene *scene, uint32_t index, uint32_t lane, cause_id *cause);
/* Sets which bits of a destination will be unknown in one lane. */
void simt_scene_write(const struct scene *scene, uint32_t index, uint32_t lane, uint64_t unknown,
                      cause_id cause);
/* Marks all destinations as known in all lanes that run the operation. */
void simt_scene_known(const struct scene *scene);

/* undefined_lanes.c: a shuffle; a vote, match or reduction. */
void simt_scene_follow_shuffle(const struct scene *scene);
void simt_scene_follow_members(const struct scene *scene);
/* undefined_access.c: memory operations. */
void simt_scene_follow_memory(const struct scene *scene, enum ptx_memory memory);

/* ---- undefined_place.c */

/* A piece of memory as one lane addresses it. */
struct place {
    struct memory_shadow *shadow; /* NULL: all bytes are known */
    uint64_t at;
    enum ptx_space space;
    const uint8_t *host; /* NULL: no memory is there */
};

struct place simt_place_find(const struct scene *scene, enum ptx_space space, uint32_t lane, uint64_t address,
                             uint32_t span);
/* Returns the unknown bits that a lane loads at `offset` bytes from the place, and their cause. */
uint64_t simt_place_load(const struct scene *scene, const struct place *place, uint32_t lane, uint32_t offset,
                         uint32_t bytes, cause_id *cause);

static inline uint64_t low_bytes(uint32_t bytes) {
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

/* The usual case, fast: all bytes are known, and none was stored in this launch. */
static inline bool place_is_known(const struct scene *scene, const struct place *place, uint32_t span) {
    const struct memory_shadow *shadow = place->shadow;
    if (shadow == NULL)
        return true;
    uint32_t four;
    for (uint32_t at = 0; at < span; at += 4) {
        if (span - at < 4) {
            for (; at < span; at++)
                if (shadow->defined[place->at + at] != 0xff)
                    return false;
            break;
        }
        memcpy(&four, shadow->defined + place->at + at, 4);
        if (four != UINT32_MAX)
            return false;
    }
    for (uint32_t at = 0; shadow->writer != NULL && at < span; at++)
        if (shadow->writer[place->at + at] >= scene->checker->first_writer)
            return false;
    return true;
}

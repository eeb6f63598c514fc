/* undefined_lanes.c: operations across lanes: which lanes take part, with which unknown values. */
#include "gpu/simt/check/scene.h"

#include <stdio.h>

/* The lane whose value a shuffle gives to this lane. */
static uint32_t shuffle_partner(const struct scene *scene, uint32_t lane, bool *inside) {
    uint32_t amount = lane_value(scene->registers, scene->operation->source[1], lane) & 31;
    uint32_t control = lane_value(scene->registers, scene->operation->source[2], lane);
    int clamp = (int)(control & 31), segment = (int)(control >> 8 & 31), first = (int)lane & segment;
    int limit = first | (clamp & ~segment), partner = (int)lane;
    *inside = true;
    switch (scene->instruction->form) {
    case PTX_SHFL_UP:
        partner = (int)lane - (int)amount;
        *inside = partner >= limit;
        break;
    case PTX_SHFL_DOWN:
        partner = (int)(lane + amount);
        *inside = partner <= limit;
        break;
    case PTX_SHFL_BFLY:
        partner = (int)(lane ^ amount);
        *inside = partner <= limit;
        break;
    default:
        partner = first | ((int)amount & ~segment);
        *inside = partner <= limit;
        break;
    }
    return *inside ? (uint32_t)partner : lane;
}

static cause_id absent_lane(const struct scene *scene, uint32_t lane, uint32_t partner, uint32_t members) {
    struct witness witness = scene->witness;
    witness.lane = lane;
    const struct launch *launch = witness.worker->launch;
    uint32_t thread = scene->warp->index * SIMT_LANES + partner;
    uint32_t why = thread >= launch->threads                                  ? 0
                   : scene->warp->live >> partner & ~(members >> partner) & 1 ? 1
                                                                              : 2;
    cause_id known = simt_cause_known(&witness, CAUSE_LANE, why);
    if (known)
        return known;
    char reason[96] = "which has exited or skipped the branch around the shuffle: shuffle before it";
    if (why == 0)
        snprintf(reason, sizeof reason, "which does not exist: this warp has %u threads",
                 launch->threads - scene->warp->index * SIMT_LANES);
    else if (why == 1)
        snprintf(reason, sizeof reason, "which is not in the member mask 0x%08x", members);
    return simt_cause_meet(&witness, CAUSE_LANE, why, COPIES_ALWAYS,
                           "(lane %u) shuffles in the value of lane %u, %s", lane, partner, reason);
}

void simt_scene_follow_shuffle(const struct scene *scene) {
    uint32_t unknown[SIMT_LANES] = {0};
    cause_id causes[SIMT_LANES] = {0};
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t members = lane_value(scene->registers, scene->operation->source[3], lane);
        bool inside;
        uint32_t partner = shuffle_partner(scene, lane, &inside);
        if (inside && !(scene->mask & members & 1u << partner)) {
            unknown[lane] = UINT32_MAX;
            causes[lane] = absent_lane(scene, lane, partner, members);
        } else if (scene->shadow->any) {
            unknown[lane] = (uint32_t)simt_scene_read(scene, 0, partner, &causes[lane]).unknown;
            if ((simt_scene_unknown_lanes(scene, 1) | simt_scene_unknown_lanes(scene, 2) |
                 simt_scene_unknown_lanes(scene, 3)) >>
                    lane &
                1) {
                unknown[lane] = UINT32_MAX;
                (void)simt_scene_read(scene, 1, lane, &causes[lane]);
                (void)simt_scene_read(scene, 2, lane, &causes[lane]);
            }
        }
    }
    simt_scene_known(scene);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (unknown[lane])
            simt_scene_write(scene, 0, lane, unknown[lane], causes[lane]);
    }
}

/* A vote, match or reduction is unknown if an unknown value of a member could change it. */
void simt_scene_follow_members(const struct scene *scene) {
    const struct ptx_instruction *instruction = scene->instruction;
    uint32_t unknown = simt_scene_unknown_lanes(scene, 0) & scene->mask;
    uint32_t results[SIMT_LANES] = {0};
    cause_id cause = 0;
    if (unknown)
        (void)simt_scene_read(scene, 0, (uint32_t)__builtin_ctz(unknown), &cause);
    for (uint32_t left = unknown ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        int8_t named = ptx_nature(instruction)->members;
        uint32_t members =
            named < 0
                ? 0
                : lane_value(scene->registers, scene->operation->source[(uint8_t)named], lane) & scene->mask;
        uint32_t doubt = unknown & members;
        if (instruction->opcode != PTX_VOTE) {
            results[lane] = doubt ? UINT32_MAX : 0;
            continue;
        }
        uint32_t votes = (scene->predicates[scene->operation->source[0]] ^
                          (scene->operation->negated & 1 ? UINT32_MAX : 0)) &
                         members & ~doubt;
        switch (instruction->form) {
        case PTX_VOTE_BALLOT: results[lane] = doubt; break;
        case PTX_VOTE_ANY: results[lane] = doubt && !votes; break;
        case PTX_VOTE_ALL: results[lane] = doubt && votes == (members & ~doubt); break;
        default: results[lane] = doubt != 0; break;
        }
    }
    simt_scene_known(scene);
    for (uint32_t left = unknown ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t i = 0; i < instruction->destinations; i++)
            if (results[lane])
                simt_scene_write(scene, i, lane, results[lane], cause | CAUSE_COMPUTED);
    }
}

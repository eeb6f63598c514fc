/*
 * undefined_follow.c: what an operation makes of values that are not known, just before it runs.
 *
 * The shadow of a register file has its layout: a bit is 1 where the register's is unknown, as far as the lane's bit in
 * `lanes` of its slot is set; the cause stands at the place of the lane. As long as nothing in a file is unknown only
 * memory is looked at.
 */
#include "simt/access.h"
#include "simt/checker.h"
#include "simt/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation at work. */
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
    uint32_t doubtful; /* of these, those of which it is not known whether they should */
    uint32_t guard_cause;
    struct register_shadow *shadow;
    size_t window; /* offset of the registers in the file */
};

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

void undefined_file_free(struct register_file *file) {
    free(file->shadow.unknown);
    free(file->shadow.cause);
    free(file->shadow.lanes);
    shadow_destroy(&file->local_shadow);
}

bool undefined_enter(struct warp *warp, uint32_t window, uint32_t bytes) {
    struct register_shadow *shadow = &warp->file->shadow;
    if (!reserve(warp->file))
        return false;
    size_t at = (size_t)window + WINDOW_HEADER_BYTES;
    if (shadow->any) {
        memset(shadow->unknown + at, 0, bytes);
        memset(shadow->lanes + at / SIMT_SLOT_BYTES, 0, bytes / SIMT_SLOT_BYTES * sizeof *shadow->lanes);
    }
    return true;
}

bool undefined_start_warp(struct warp *warp, const struct launch *launch) {
    struct register_file *file = warp->file;
    uint64_t local = launch->local_stride * SIMT_LANES;
    if (!reserve(file))
        return false;
    if (file->shadow.any) {
        memset(file->shadow.unknown, 0, file->shadow.bytes);
        memset(file->shadow.lanes, 0, file->shadow.bytes / SIMT_SLOT_BYTES * sizeof *file->shadow.lanes);
        file->shadow.any = false;
    }
    warp->regions = 0;
    if (local > file->local_shadow.bytes) {
        shadow_destroy(&file->local_shadow);
        return shadow_create(&file->local_shadow, local, false);
    }
    shadow_clear(&file->local_shadow, 0, local);
    return true;
}

bool undefined_start_block(struct block *block, const struct launch *launch) {
    if (block->shared_shadow.bytes != launch->shared_bytes) {
        shadow_destroy(&block->shared_shadow);
        return shadow_create(&block->shared_shadow, launch->shared_bytes, false);
    }
    shadow_clear(&block->shared_shadow, 0, launch->shared_bytes);
    return true;
}

bool undefined_launch(struct launch *launch) {
    return checker_ready(launch->device) && order_launch(launch->device->checker, launch);
}

void undefined_end_launch(struct simt_device *device) {
    if (device->checker != NULL)
        order_end(device->checker);
}

void undefined_copy(struct warp *warp, size_t to, size_t from, uint32_t bytes) {
    struct register_shadow *shadow = &warp->file->shadow;
    if (!shadow->any)
        return;
    memcpy(shadow->unknown + to, shadow->unknown + from, bytes);
    for (uint32_t i = 0; i < bytes; i += 4)
        shadow->cause[(to + i) / 4] = shadow->cause[(from + i) / 4];
}

void undefined_known(struct warp *warp, size_t at, uint32_t bytes) {
    if (warp->file->shadow.any)
        memset(warp->file->shadow.unknown + at, 0, bytes);
}

/* ---- registers and predicates */

static bool is_wide(const struct ptx_operand *operand) {
    return operand->width == 8;
}

static const struct ptx_operand *source_operand(const struct scene *scene, uint32_t index) {
    return &scene->operands[scene->instruction->destinations + index];
}

static bool holds_register(const struct ptx_operand *operand) {
    return operand->kind == PTX_OPERAND_REGISTER ||
           (operand->kind == PTX_OPERAND_ADDRESS && operand->slot >= 0);
}

static uint32_t *unknown_predicates(const struct scene *scene) {
    return (uint32_t *)(void *)(scene->shadow->unknown + scene->window +
                                scene->path->code->predicates_offset);
}
static cause_id *predicate_causes(const struct scene *scene) {
    return scene->shadow->cause + (scene->window + scene->path->code->predicates_offset) / 4;
}
static uint32_t *lanes_of(const struct scene *scene, uint32_t offset) {
    return &scene->shadow->lanes[(scene->window + offset) / SIMT_SLOT_BYTES];
}
static cause_id *cause_of(const struct scene *scene, uint32_t offset, uint32_t lane) {
    return &scene->shadow->cause[(scene->window + offset) / 4 + lane];
}

/* The lanes in which a source is not all known. */
static uint32_t unknown_lanes(const struct scene *scene, uint32_t index) {
    const struct ptx_operand *operand = source_operand(scene, index);
    uint32_t offset = scene->operation->source[index];
    if (offset == SIMT_NO_OPERAND)
        return 0;
    if (operand->kind == PTX_OPERAND_PREDICATE)
        return unknown_predicates(scene)[offset];
    return holds_register(operand) ? *lanes_of(scene, offset) : 0;
}

/* Of several causes the one that was met first. */
static cause_id older(cause_id a, cause_id b) {
    return !a || (b && (b & CAUSE_INDEX) < (a & CAUSE_INDEX)) ? b : a;
}

static struct bits read_lane(const struct scene *scene, uint32_t index, uint32_t lane, cause_id *cause) {
    const struct ptx_operand *operand = source_operand(scene, index);
    uint32_t offset = scene->operation->source[index];
    struct bits bits = {0, 0};
    if (offset == SIMT_NO_OPERAND)
        return bits;
    if (operand->kind == PTX_OPERAND_PREDICATE ||
        (operand->kind == PTX_OPERAND_IMMEDIATE && scene->instruction->type == PTX_PRED)) {
        bits.value = (scene->predicates[offset] >> lane ^ scene->operation->negated >> index) & 1;
        if (operand->kind == PTX_OPERAND_PREDICATE && unknown_predicates(scene)[offset] >> lane & 1) {
            bits.unknown = 1;
            *cause = older(*cause, predicate_causes(scene)[offset]);
        }
        return bits;
    }
    bool wide = is_wide(operand) || operand->kind == PTX_OPERAND_FUNCTION;
    size_t at = offset + (wide ? 8 : 4) * (size_t)lane;
    memcpy(&bits.value, scene->registers + at, wide ? 8 : 4);
    if (holds_register(operand) && *lanes_of(scene, offset) >> lane & 1) {
        memcpy(&bits.unknown, scene->shadow->unknown + scene->window + at, wide ? 8 : 4);
        *cause = older(*cause, *cause_of(scene, offset, lane));
    }
    return bits;
}

static void write_register(const struct scene *scene, uint32_t index, uint32_t lane, uint64_t unknown,
                           cause_id cause) {
    uint32_t offset = scene->operation->destination[index];
    bool wide = is_wide(&scene->operands[index]);
    if (offset == SIMT_NO_OPERAND)
        return;
    uint32_t *lanes = lanes_of(scene, offset);
    if (!wide)
        unknown &= UINT32_MAX;
    if (unknown == 0 || cause == 0) {
        *lanes &= ~(1u << lane);
        return;
    }
    *lanes |= 1u << lane;
    memcpy(scene->shadow->unknown + scene->window + offset + (wide ? 8 : 4) * (size_t)lane, &unknown,
           wide ? 8 : 4);
    *cause_of(scene, offset, lane) = cause;
    scene->shadow->any = true;
}

static void write_predicate(const struct scene *scene, uint32_t predicate, uint32_t lane, bool unknown,
                            cause_id cause) {
    uint32_t *lanes = &unknown_predicates(scene)[predicate];
    if (!unknown || cause == 0) {
        *lanes &= ~(1u << lane);
        return;
    }
    *lanes |= 1u << lane;
    predicate_causes(scene)[predicate] = cause;
    scene->shadow->any = true;
}

static void write_result(const struct scene *scene, uint32_t index, uint32_t lane, uint64_t unknown,
                         cause_id cause) {
    if (scene->operation->destination[index] == SIMT_NO_OPERAND)
        return;
    if (scene->operands[index].kind == PTX_OPERAND_PREDICATE)
        write_predicate(scene, scene->operation->destination[index], lane, unknown != 0, cause);
    else
        write_register(scene, index, lane, unknown, cause);
}

/* All results known, in these lanes. */
static void known_in(const struct scene *scene, uint32_t lanes_known) {
    uint32_t known = ~lanes_known;
    for (uint32_t i = 0; i < scene->instruction->destinations; i++) {
        uint32_t offset = scene->operation->destination[i];
        if (offset == SIMT_NO_OPERAND)
            continue;
        if (scene->operands[i].kind == PTX_OPERAND_PREDICATE)
            unknown_predicates(scene)[offset] &= known;
        else
            *lanes_of(scene, offset) &= known;
    }
}

static void all_known(const struct scene *scene) {
    known_in(scene, scene->mask);
}

/* ---- operations on registers */

static bool uses_carry(const struct ptx_instruction *instruction) {
    return ptx_nature(instruction)->lanes == PTX_LANES_CARRY;
}

static uint64_t predicate_logic(const struct ptx_instruction *instruction, const struct bits source[5]) {
    const struct bits *a = &source[0], *b = &source[1];
    switch (instruction->opcode) {
    case PTX_AND: return (a->unknown || a->value) && (b->unknown || b->value) && (a->unknown || b->unknown);
    case PTX_OR: return (a->unknown || !a->value) && (b->unknown || !b->value) && (a->unknown || b->unknown);
    default: return a->unknown || b->unknown || source[2].unknown;
    }
}

static void follow_lane(const struct scene *scene, uint32_t lane) {
    const struct ptx_instruction *instruction = scene->instruction;
    struct bits source[5] = {{0, 0}};
    cause_id cause = 0;
    bool copied = false;
    for (uint32_t i = 0; i < instruction->sources; i++)
        source[i] = read_lane(scene, i, lane, &cause);
    if (uses_carry(instruction) && unknown_predicates(scene)[scene->operation->carry] >> lane & 1) {
        source[0].unknown |= 1;
        cause = older(cause, predicate_causes(scene)[scene->operation->carry]);
    }
    bool doubtful = scene->doubtful >> lane & 1;
    if (doubtful) {
        for (uint32_t i = 0; i < instruction->destinations; i++)
            write_result(scene, i, lane, UINT64_MAX, scene->guard_cause | CAUSE_COMPUTED);
        return;
    }
    cause_id computed = cause ? cause | CAUSE_COMPUTED : 0;
    /* A value that others may be changing is often only asked about: a flag, a visited mark. */
    cause_id asked = cause && cause_kind_of(scene->checker, cause) == CAUSE_RACE ? 0 : computed;
    switch (instruction->opcode) {
    case PTX_PACK: {
        uint64_t unknown = 0;
        uint32_t bits = 8 * ptx_type_bytes(instruction->type) / instruction->sources;
        for (uint32_t i = 0; i < instruction->sources; i++)
            unknown |= (bits < 64 ? source[i].unknown & ((UINT64_C(1) << bits) - 1) : source[i].unknown)
                       << (i * bits & 63);
        write_result(scene, 0, lane, unknown, cause);
        return;
    }
    case PTX_UNPACK: {
        uint32_t bits = 8 * ptx_type_bytes(instruction->type) / instruction->destinations;
        for (uint32_t i = 0; i < instruction->destinations; i++)
            write_result(scene, i, lane,
                         source[0].unknown >> (i * bits & 63) &
                             (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX),
                         cause);
        return;
    }
    case PTX_SETP:
        for (uint32_t i = 0; i < instruction->destinations; i++)
            write_result(scene, i, lane, undefined_comparison(instruction, source, i == 1), asked);
        return;
    case PTX_SET:
        write_result(scene, 0, lane, undefined_comparison(instruction, source, false) ? UINT64_MAX : 0,
                     asked);
        return;
    default: break;
    }
    if (instruction->destinations && scene->operands[0].kind == PTX_OPERAND_PREDICATE) {
        uint64_t unknown = instruction->type == PTX_PRED ? predicate_logic(instruction, source) : cause != 0;
        for (uint32_t i = 0; i < instruction->destinations; i++)
            write_result(scene, i, lane, unknown, cause);
    } else if (instruction->destinations) {
        uint64_t unknown =
            undefined_result(instruction, source, is_wide(&scene->operands[0]) ? 64 : 32, &copied);
        write_result(scene, 0, lane, unknown, copied ? cause : computed);
        for (uint32_t i = 1; i < instruction->destinations; i++)
            write_result(scene, i, lane, UINT64_MAX, computed);
    }
    if (instruction->flags & PTX_CARRY_OUT)
        write_predicate(scene, scene->operation->carry, lane, cause != 0, computed);
}

static void follow_own(const struct scene *scene) {
    uint32_t lanes = scene->doubtful;
    bool carries = uses_carry(scene->instruction);
    for (uint32_t i = 0; i < scene->instruction->sources; i++)
        lanes |= unknown_lanes(scene, i);
    if (carries)
        lanes |= unknown_predicates(scene)[scene->operation->carry];
    lanes &= scene->mask | scene->doubtful;
    known_in(scene, scene->mask & ~lanes); /* a result may lie where an operand does */
    if (scene->instruction->flags & PTX_CARRY_OUT)
        unknown_predicates(scene)[scene->operation->carry] &= ~(scene->mask & ~lanes);
    for (; lanes; lanes &= lanes - 1)
        follow_lane(scene, (uint32_t)__builtin_ctz(lanes));
}

/* ---- operations across lanes */

/* The lane whose value a shuffle brings to this one. */
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
    uint32_t why = thread >= launch->threads             ? 0
                   : !(scene->warp->live >> partner & 1) ? 1
                   : !(members >> partner & 1)           ? 2
                                                         : 3;
    cause_id known = cause_known(&witness, CAUSE_LANE, why);
    if (known)
        return known;
    char reason[96];
    switch (why) {
    case 0:
        snprintf(reason, sizeof reason, "which does not exist: this warp has %u threads",
                 launch->threads - scene->warp->index * SIMT_LANES);
        break;
    case 1: snprintf(reason, sizeof reason, "which has exited"); break;
    case 2: snprintf(reason, sizeof reason, "which is not in the member mask 0x%08x", members); break;
    default: snprintf(reason, sizeof reason, "which does not take part"); break;
    }
    return cause_meet(&witness, CAUSE_LANE, why, true, "(lane %u) shuffles in the value of lane %u, %s", lane,
                      partner, reason);
}

static void follow_shuffle(const struct scene *scene) {
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
            unknown[lane] = (uint32_t)read_lane(scene, 0, partner, &causes[lane]).unknown;
            if ((unknown_lanes(scene, 1) | unknown_lanes(scene, 2) | unknown_lanes(scene, 3)) >> lane & 1) {
                unknown[lane] = UINT32_MAX;
                (void)read_lane(scene, 1, lane, &causes[lane]);
                (void)read_lane(scene, 2, lane, &causes[lane]);
            }
        }
    }
    all_known(scene);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (unknown[lane])
            write_result(scene, 0, lane, unknown[lane], causes[lane]);
    }
}

/* A vote, match or reduction: unknown where what a member brings is, and could change it. */
static void follow_members(const struct scene *scene) {
    const struct ptx_instruction *instruction = scene->instruction;
    uint32_t unknown = unknown_lanes(scene, 0) & scene->mask;
    uint32_t results[SIMT_LANES] = {0};
    cause_id cause = 0;
    if (unknown)
        (void)read_lane(scene, 0, (uint32_t)__builtin_ctz(unknown), &cause);
    for (uint32_t left = unknown ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t members =
            instruction->opcode == PTX_ACTIVEMASK
                ? 0
                : lane_value(scene->registers, scene->operation->source[1], lane) & scene->mask;
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
    all_known(scene);
    for (uint32_t left = unknown ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t i = 0; i < instruction->destinations; i++)
            if (results[lane])
                write_result(scene, i, lane, results[lane], cause | CAUSE_COMPUTED);
    }
}

/* ---- memory */

/* A piece of memory as one lane reaches it. */
struct place {
    struct memory_shadow *shadow; /* NULL: all of it is known */
    uint64_t at;
    enum ptx_space space;
    const uint8_t *host; /* NULL: nothing is there */
};

static struct place find_place(const struct scene *scene, enum ptx_space space, uint32_t lane,
                               uint64_t address, uint32_t span) {
    struct window_header *window = window_header(scene->registers);
    struct place place = {.space = space};
    if (space == PTX_GENERIC || space == PTX_GLOBAL)
        place.space = (address & SIMT_WINDOW_MASK) == SIMT_SHARED_WINDOW  ? PTX_SHARED
                      : (address & SIMT_WINDOW_MASK) == SIMT_LOCAL_WINDOW ? PTX_LOCAL
                                                                          : PTX_GLOBAL;
    if (place.space == PTX_GLOBAL) {
        struct segment *segment = checker_segment(window->worker->launch->device, address, span);
        if (segment != NULL) {
            place.shadow = segment->shadow;
            place.at = address - segment->start;
            place.host = segment->host + place.at;
        }
        return place;
    }
    place.host = access_memory(window, place.space, lane, address, span);
    if (place.host == NULL)
        return place; /* the access will fault */
    place.at = address & ~SIMT_WINDOW_MASK;
    if (place.space == PTX_SHARED) {
        place.shadow = &scene->warp->block->shared_shadow;
    } else {
        place.shadow = &scene->warp->file->local_shadow;
        place.at += lane * window->local_stride;
    }
    return place;
}

static uint64_t low_bytes(uint32_t bytes) {
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

/* Structures have gaps, and whoever copies one copies them: fewer than 16 bytes. */
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
    bool copies = place->space == PTX_SHARED && !in_a_gap(place, bytes);
    uint32_t alike = (uint32_t)place->space << 1 | copies;
    cause_id known = cause_known(&witness, CAUSE_UNWRITTEN, alike);
    if (known)
        return known;
    const char *reads = ptx_nature(scene->instruction)->memory == PTX_MEMORY_ATOMIC ? "changes" : "reads",
               *s = bytes == 1 ? "" : "s";
    if (place->space == PTX_SHARED)
        return cause_meet(
            &witness, CAUSE_UNWRITTEN, alike, copies,
            "%s %u byte%s at byte %llu of the block's %u bytes of shared memory, which no thread has "
            "written",
            reads, bytes, s, (unsigned long long)place->at, launch->shared_bytes);
    if (place->space == PTX_LOCAL)
        return cause_meet(
            &witness, CAUSE_UNWRITTEN, alike, copies,
            "%s %u byte%s of an array or variable of its own that it has not written (byte %llu of its "
            "local memory)",
            reads, bytes, s, (unsigned long long)(place->at - lane * launch->local_stride));
    uint64_t address = launch->device->checker->segment->start + place->at;
    const struct allocation *allocation = device_allocation(launch->device, address);
    char where[256];
    if (device_describe_address(launch->device, address, bytes, where, sizeof where))
        return cause_meet(&witness, CAUSE_UNWRITTEN, alike, copies,
                          "%s %s, which neither the host nor a kernel has written", reads, where);
    snprintf(where, sizeof where, "at byte %llu of %s (%llu bytes)",
             (unsigned long long)(allocation != NULL ? address - allocation->start : 0),
             allocation != NULL ? allocation->what : "device memory",
             (unsigned long long)(allocation != NULL ? allocation->bytes : 0));
    return cause_meet(&witness, CAUSE_UNWRITTEN, alike, copies,
                      "%s %u byte%s %s, which neither the host nor a kernel has written", reads, bytes, s,
                      where);
}

/* What a lane gets from there. */
static uint64_t load_unknown(const struct scene *scene, const struct place *place, uint32_t lane,
                             uint32_t offset, uint32_t bytes, cause_id *cause) {
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
        cause_id race = order_read(scene->checker, &witness, place->shadow->writer + here.at, bytes);
        if (race) {
            *cause = race;
            return low_bytes(bytes);
        }
    }
    return unknown;
}

/* The usual case at once: all of it known, and by no store of this launch. */
static inline bool plainly_known(const struct scene *scene, const struct place *place, uint32_t span) {
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

static uint64_t sign_extend(uint64_t unknown, uint32_t bytes, uint32_t extend) {
    if (extend == EXTEND_ZERO || extend == EXTEND_ZERO_TO_64 || bytes >= 8 ||
        !(unknown >> (8 * bytes - 1) & 1))
        return unknown;
    return unknown | ~low_bytes(bytes);
}

/* Lanes whose address is not known; a use that says so. */
static void check_address(const struct scene *scene, uint32_t index) {
    for (uint32_t left = unknown_lanes(scene, index) & scene->mask; left; left &= left - 1) {
        struct witness witness = scene->witness;
        cause_id cause = 0;
        witness.lane = (uint32_t)__builtin_ctz(left);
        (void)read_lane(scene, index, witness.lane, &cause);
        if (cause)
            cause_is_address(&witness, cause);
    }
}

static bool synchronises(const struct scene *scene, enum ptx_space where) {
    return where == PTX_GLOBAL && (scene->instruction->flags & PTX_VOLATILE ||
                                   ptx_nature(scene->instruction)->memory == PTX_MEMORY_ATOMIC);
}

static void follow_load(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    uint64_t address[SIMT_LANES];
    uint64_t unknown[4][SIMT_LANES];
    cause_id causes[4][SIMT_LANES];
    bool any = scene->doubtful != 0, volatile_global = false;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place =
            find_place(scene, (enum ptx_space)scene->instruction->space, lane, address[lane], bytes * count);
        volatile_global |= synchronises(scene, place.space);
        bool plain = plainly_known(scene, &place, bytes * count);
        for (uint32_t e = 0; e < count; e++) {
            causes[e][lane] = 0;
            unknown[e][lane] = 0;
            if (plain)
                continue;
            unknown[e][lane] = sign_extend(
                load_unknown(scene, &place, lane, bytes * e, bytes, &causes[e][lane]), bytes, extend);
            any |= unknown[e][lane] != 0;
        }
    }
    if (volatile_global)
        order_synchronise(scene->checker, scene->warp->block);
    if (!scene->shadow->any && !any)
        return;
    all_known(scene);
    for (uint32_t left = any ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        bool doubtful = scene->doubtful >> lane & 1;
        for (uint32_t e = 0; e < count; e++)
            if (doubtful || unknown[e][lane])
                write_result(scene, e, lane, doubtful ? UINT64_MAX : unknown[e][lane],
                             doubtful ? scene->guard_cause | CAUSE_COMPUTED : causes[e][lane]);
    }
}

/* Why it is not known whether the lane should do this at all; 0: it should. */
static cause_id decided_by(const struct scene *scene, uint32_t lane) {
    if (scene->doubtful >> lane & 1 && cause_kind_of(scene->checker, scene->guard_cause) != CAUSE_RACE)
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

/* A store to device memory: who else wrote there? The cause, where that makes what lies there unknown. */
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
    /* Lanes of this store come one after the other: what an earlier one will have put there is not there yet. */
    uint32_t first = writer, last = writer + SIMT_LANES;
    bool same_store = writers[0] >= first && writers[0] < last;
    if (same_store) {
        uint32_t other = writers[0] - first;
        uint64_t element = (address[lane] + offset - address[other]) / bytes;
        cause_id ignored = 0;
        if (element < access_count(scene->operation))
            before = read_lane(scene, 1 + (uint32_t)element, other, &ignored).value & low_bytes(bytes);
    }
    if (before == (value & low_bytes(bytes)))
        return 0;
    cause_id cause = order_overwrite(scene->checker, &witness, writers, bytes);
    for (uint32_t i = 0; i < bytes; i++)
        writers[i] = writer + lane;
    return cause;
}

/* A store to memory that the host reads where it lies. */
static void check_shared_with_host(const struct scene *scene, uint32_t lane, uint64_t address, uint32_t bytes,
                                   uint32_t count) {
    struct simt_device *device = scene->witness.worker->launch->device;
    const struct segment *segment = device_segment(device, address);
    if (segment == NULL || !segment->mapped)
        return;
    for (uint32_t e = 0; e < count; e++) {
        cause_id cause = 0;
        struct bits bits = read_lane(scene, 1 + e, lane, &cause);
        if (bits.unknown & low_bytes(bytes))
            cause_reached_host(device, cause);
    }
}

static void follow_store(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint64_t address[SIMT_LANES];
    uint32_t writer = 0;
    bool volatile_global = false, numbered = false;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place =
            find_place(scene, (enum ptx_space)scene->instruction->space, lane, address[lane], bytes * count);
        volatile_global |= synchronises(scene, place.space);
        if (place.shadow == NULL && place.space == PTX_GLOBAL && scene->shadow->any)
            check_shared_with_host(scene, lane, address[lane], bytes, count);
        if (place.shadow == NULL || place.host == NULL)
            continue;
        cause_id decided = decided_by(scene, lane);
        for (uint32_t e = 0; e < count; e++) {
            cause_id cause = 0;
            struct bits bits = read_lane(scene, 1 + e, lane, &cause);
            if (place.shadow->writer != NULL) {
                if (!numbered)
                    writer = order_store(scene->checker, &scene->witness);
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
    if (volatile_global)
        order_synchronise(scene->checker, scene->warp->block);
}

static void follow_atomic(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation);
    uint64_t address[SIMT_LANES];
    uint64_t old[SIMT_LANES];
    cause_id causes[SIMT_LANES];
    bool any = false, global = false;
    if (scene->shadow->any)
        check_address(scene, 0);
    access_addresses(operation, scene->registers, address);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct place place =
            find_place(scene, (enum ptx_space)scene->instruction->space, lane, address[lane], bytes);
        old[lane] = 0;
        causes[lane] = 0;
        global |= place.space == PTX_GLOBAL;
        if (place.shadow == NULL || place.host == NULL)
            continue;
        old[lane] = load_unknown(scene, &place, lane, 0, bytes, &causes[lane]);
        any |= old[lane] != 0;
        cause_id cause = 0, decided = decided_by(scene, lane);
        uint64_t unknown = 0;
        for (uint32_t i = 1; i < scene->instruction->sources; i++)
            unknown |= read_lane(scene, i, lane, &cause).unknown;
        if (scene->instruction->form != PTX_ATOM_EXCH && old[lane]) {
            unknown |= old[lane];
            cause = causes[lane];
        }
        if (decided)
            cause = decided;
        unknown = unknown || decided ? UINT64_MAX : 0;
        put(scene, &place, 0, bytes, unknown, cause | CAUSE_COMPUTED);
    }
    if (global)
        order_synchronise(scene->checker, scene->warp->block);
    if (!scene->shadow->any && !any)
        return;
    all_known(scene);
    for (uint32_t left = any && scene->instruction->destinations ? scene->mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (old[lane])
            write_result(scene, 0, lane, old[lane], causes[lane]);
    }
}

static void follow_copy(const struct scene *scene) {
    const struct simt_operation *operation = scene->operation;
    uint32_t bytes = access_bytes(operation);
    bool narrow = operation->immediate & ACCESS_ADDRESS_32;
    const uint64_t *global = (const uint64_t *)(const void *)(scene->registers + operation->source[1]);
    for (uint32_t left = scene->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), brought = bytes;
        uint64_t to = 0;
        memcpy(&to, scene->registers + operation->source[0] + (narrow ? 4 : 8) * (size_t)lane,
               narrow ? 4 : 8);
        to = (to + (uint64_t)operation->offset) & ~SIMT_WINDOW_MASK;
        if (operation->source[3] != SIMT_NO_OPERAND) {
            brought = lane_value(scene->registers, operation->source[3], lane);
            brought = brought < bytes ? brought : bytes;
        }
        struct place into = find_place(scene, PTX_SHARED, lane, to, bytes);
        struct place from = {0};
        if (brought)
            from = find_place(scene, PTX_GLOBAL, lane, global[lane] + (uint64_t)operation->global_offset,
                              brought);
        if (into.host == NULL)
            continue;
        for (uint32_t at = 0; at < bytes; at += 4) {
            cause_id cause = 0;
            uint64_t unknown = 0;
            if (at < brought)
                unknown = load_unknown(scene, &from, lane, at, brought - at < 4 ? brought - at : 4, &cause);
            put(scene, &into, at, 4, unknown, cause);
        }
    }
}

/* Parameters of a function: bytes of the window. */
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
        all_known(scene);
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
                struct bits bits = read_lane(scene, 1 + e, lane, &why);
                memcpy(here, &bits.unknown, bytes);
                if (bits.unknown)
                    *cause = why;
            } else {
                uint64_t unknown = 0;
                memcpy(&unknown, here, bytes);
                if (unknown)
                    write_result(scene, e, lane, sign_extend(unknown, bytes, extend), *cause);
            }
        }
    }
}

static void follow_memory(const struct scene *scene, enum ptx_memory memory) {
    switch ((enum ptx_space)scene->instruction->space) {
    case PTX_PARAM_FRAME: follow_frame(scene, memory == PTX_MEMORY_STORE); return;
    case PTX_CONST:
    case PTX_PARAM_ENTRY:
        if (scene->shadow->any) {
            check_address(scene, 0);
            all_known(scene);
        }
        return;
    default: break;
    }
    switch (memory) {
    case PTX_MEMORY_LOAD: follow_load(scene); break;
    case PTX_MEMORY_STORE: follow_store(scene); break;
    case PTX_MEMORY_ATOMIC: follow_atomic(scene); break;
    case PTX_MEMORY_COPY: follow_copy(scene); break;
    case PTX_MEMORY_NONE: break;
    }
}

/* ---- one operation */

static void leave_regions(struct warp *warp, const struct path *path, uint32_t at) {
    for (uint32_t left = warp->regions & path->mask; left; left &= left - 1) {
        const struct region *region = &warp->region[__builtin_ctz(left)];
        if (path->window < region->window ||
            (path->window == region->window && path->code == region->code && at == region->end))
            warp->regions &= ~(1u << __builtin_ctz(left));
    }
}

void undefined_follow(struct worker *worker, struct warp *warp, const struct path *path,
                      const struct simt_operation *operation, uint8_t *registers, const uint32_t *predicates,
                      uint32_t mask) {
    const struct ptx_instruction *instruction = operation->instruction;
    const struct ptx_nature *nature = ptx_nature(instruction);
    struct register_shadow *shadow = &warp->file->shadow;
    if (warp->regions)
        leave_regions(warp, path, (uint32_t)(operation - path->code->operations));
    if (!shadow->any && nature->memory == PTX_MEMORY_NONE && instruction->opcode != PTX_SHFL &&
        instruction->opcode != PTX_MEMBAR)
        return;
    struct scene scene = {.witness = {worker, warp, instruction, 0},
                          .checker = worker->launch->device->checker,
                          .warp = warp,
                          .path = path,
                          .operation = operation,
                          .instruction = instruction,
                          .operands = path->code->function->operands + instruction->operand,
                          .registers = registers,
                          .predicates = predicates,
                          .mask = mask,
                          .shadow = shadow,
                          .window = (size_t)(registers - warp->file->memory)};
    if (instruction->guard >= 0) {
        scene.operation = operation->inner;
        scene.mask &= predicates[operation->source[0]] ^ operation->negated;
        scene.doubtful = mask & unknown_predicates(&scene)[instruction->guard];
        scene.guard_cause = predicate_causes(&scene)[instruction->guard];
    }
    if (nature->memory != PTX_MEMORY_NONE)
        follow_memory(&scene, (enum ptx_memory)nature->memory);
    else if (instruction->opcode == PTX_MEMBAR)
        order_synchronise(scene.checker, warp->block);
    else if (instruction->opcode == PTX_SHFL)
        follow_shuffle(&scene);
    else if (nature->lanes == PTX_LANES_WARP)
        follow_members(&scene);
    else if (instruction->destinations || instruction->flags & PTX_CARRY_OUT)
        follow_own(&scene);
}

/* What a barrier brings, from all threads of the block. */
static void control_result_is_known(const struct path *path, const struct register_shadow *shadow,
                                    uint32_t at) {
    const struct code *code = path->code;
    uint32_t to = code->operations[at].destination[0];
    size_t window = (size_t)path->window + WINDOW_HEADER_BYTES;
    if (to == SIMT_NO_OPERAND)
        return;
    if (code->function->operands[code->function->instructions[at].operand].kind == PTX_OPERAND_PREDICATE)
        ((uint32_t *)(void *)(shadow->unknown + window + code->predicates_offset))[to] &= ~path->mask;
    else
        shadow->lanes[(window + to) / SIMT_SLOT_BYTES] &= ~path->mask;
}

void undefined_control(struct worker *worker, struct warp *warp, const struct path *path, uint32_t at) {
    const struct code *code = path->code;
    const struct ptx_instruction *instruction = &code->function->instructions[at];
    const struct register_shadow *shadow = &warp->file->shadow;
    if (warp->regions)
        leave_regions(warp, path, at);
    if (!shadow->any)
        return;
    if (instruction->destinations)
        control_result_is_known(path, shadow, at);
    if (instruction->guard < 0)
        return;
    size_t offset = (size_t)path->window + WINDOW_HEADER_BYTES + code->predicates_offset;
    const uint32_t *unknown = (const uint32_t *)(const void *)(shadow->unknown + offset);
    uint32_t lanes = unknown[instruction->guard] & path->mask & ~warp->regions;
    cause_id cause = shadow->cause[offset / 4 + (uint32_t)instruction->guard];
    /* What is read while others write may well be polled on purpose. */
    if (!lanes || cause_kind_of(worker->launch->device->checker, cause) == CAUSE_RACE)
        return;
    uint32_t end = ptx_is_branch(instruction) ? (uint32_t)instruction->reconverge : code->count;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        warp->region[lane] = (struct region){code, end, path->window, cause};
        warp->regions |= 1u << lane;
    }
}

/* undefined_follow.c: follows unknown values through an operation, just before it runs.
 *
 * The shadow of a register file has the file's layout. A bit is 1 where the register's bit is
 * unknown, valid only if the lane's bit in `lanes` of the slot is set; the cause is at the lane's
 * place. As long as no register is unknown, only memory operations are looked at. */
#include "gpu/simt/check/scene.h"
#include "gpu/simt/matrix.h"

#include <string.h>

/* ---- registers and predicates */

static bool operand_is_wide(const struct ptx_operand *operand) {
    return operand->width == 8;
}

static const struct ptx_operand *source_operand(const struct scene *scene, uint32_t index) {
    return &scene->operands[scene->instruction->destinations + index];
}

static bool holds_register(const struct ptx_operand *operand) {
    return operand->kind == PTX_OPERAND_REGISTER ||
           (operand->kind == PTX_OPERAND_ADDRESS && operand->slot >= 0);
}

/* The unknown lanes of each predicate of the window; below, their causes. */
static uint32_t *scene_unknown_predicates(const struct scene *scene) {
    return (uint32_t *)(void *)(scene->shadow->unknown + scene->window +
                                scene->path->code->predicates_offset);
}
static cause_id *scene_predicate_causes(const struct scene *scene) {
    return scene->shadow->cause + (scene->window + scene->path->code->predicates_offset) / 4;
}
static uint32_t *lanes_of(const struct scene *scene, uint32_t offset) {
    return &scene->shadow->lanes[(scene->window + offset) / SIMT_SLOT_BYTES];
}
static cause_id *cause_of(const struct scene *scene, uint32_t offset, uint32_t lane) {
    return &scene->shadow->cause[(scene->window + offset) / 4 + lane];
}

uint32_t simt_scene_unknown_lanes(const struct scene *scene, uint32_t index) {
    const struct ptx_operand *operand = source_operand(scene, index);
    uint32_t offset = scene->operation->source[index];
    if (offset == SIMT_NO_OPERAND)
        return 0;
    if (operand->kind == PTX_OPERAND_PREDICATE)
        return scene_unknown_predicates(scene)[offset];
    return holds_register(operand) ? *lanes_of(scene, offset) : 0;
}

/* The cause that was met first. */
static cause_id cause_older(cause_id a, cause_id b) {
    return !a || (b && (b & CAUSE_INDEX) < (a & CAUSE_INDEX)) ? b : a;
}

/* What a source adds to the causes of a result. A copy of an unwritten register is not a use yet. */
static cause_id cause_with(const struct scene *scene, uint32_t lane, cause_id before, cause_id of_source) {
    uint16_t opcode = scene->instruction->opcode;
    bool copies = opcode == PTX_MOV || opcode == PTX_PACK || opcode == PTX_UNPACK;
    return cause_older(before, copies ? of_source : simt_cause_used(&scene->witness, lane, of_source));
}

struct bits simt_scene_read(const struct scene *scene, uint32_t index, uint32_t lane, cause_id *cause) {
    const struct ptx_operand *operand = source_operand(scene, index);
    uint32_t offset = scene->operation->source[index];
    struct bits bits = {0, 0};
    if (offset == SIMT_NO_OPERAND)
        return bits;
    if (operand->kind == PTX_OPERAND_PREDICATE ||
        (operand->kind == PTX_OPERAND_IMMEDIATE && scene->instruction->type == PTX_PRED)) {
        bits.value = (scene->predicates[offset] >> lane ^ scene->operation->negated >> index) & 1;
        if (operand->kind == PTX_OPERAND_PREDICATE && scene_unknown_predicates(scene)[offset] >> lane & 1) {
            bits.unknown = 1;
            *cause = cause_with(scene, lane, *cause, scene_predicate_causes(scene)[offset]);
        }
        return bits;
    }
    bool wide = operand_is_wide(operand) || operand->kind == PTX_OPERAND_FUNCTION;
    size_t at = offset + (wide ? 8 : 4) * (size_t)lane;
    memcpy(&bits.value, scene->registers + at, wide ? 8 : 4);
    if (holds_register(operand) && *lanes_of(scene, offset) >> lane & 1) {
        memcpy(&bits.unknown, scene->shadow->unknown + scene->window + at, wide ? 8 : 4);
        *cause = cause_with(scene, lane, *cause, *cause_of(scene, offset, lane));
    }
    return bits;
}

static void write_register(const struct scene *scene, uint32_t index, uint32_t lane, uint64_t unknown,
                           cause_id cause) {
    uint32_t offset = scene->operation->destination[index];
    bool wide = operand_is_wide(&scene->operands[index]);
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

static void scene_write_predicate(const struct scene *scene, uint32_t predicate, uint32_t lane, bool unknown,
                                  cause_id cause) {
    uint32_t *lanes = &scene_unknown_predicates(scene)[predicate];
    if (!unknown || cause == 0) {
        *lanes &= ~(1u << lane);
        return;
    }
    *lanes |= 1u << lane;
    scene_predicate_causes(scene)[predicate] = cause;
    scene->shadow->any = true;
}

void simt_scene_write(const struct scene *scene, uint32_t index, uint32_t lane, uint64_t unknown,
                      cause_id cause) {
    if (scene->operation->destination[index] == SIMT_NO_OPERAND)
        return;
    if (scene->operands[index].kind == PTX_OPERAND_PREDICATE)
        scene_write_predicate(scene, scene->operation->destination[index], lane, unknown != 0, cause);
    else
        write_register(scene, index, lane, unknown, cause);
}

/* Marks all destinations as known in these lanes. */
static void scene_known_in(const struct scene *scene, uint32_t lanes_known) {
    uint32_t known = ~lanes_known;
    for (uint32_t i = 0; i < scene->instruction->destinations; i++) {
        uint32_t offset = scene->operation->destination[i];
        if (offset == SIMT_NO_OPERAND)
            continue;
        if (scene->operands[i].kind == PTX_OPERAND_PREDICATE)
            scene_unknown_predicates(scene)[offset] &= known;
        else
            *lanes_of(scene, offset) &= known;
    }
}

void simt_scene_known(const struct scene *scene) {
    scene_known_in(scene, scene->mask);
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
        source[i] = simt_scene_read(scene, i, lane, &cause);
    if (uses_carry(instruction) && scene_unknown_predicates(scene)[scene->operation->carry] >> lane & 1) {
        source[0].unknown |= 1;
        cause = cause_older(cause, scene_predicate_causes(scene)[scene->operation->carry]);
    }
    bool doubtful = scene->doubtful >> lane & 1;
    if (doubtful) {
        for (uint32_t i = 0; i < instruction->destinations; i++)
            simt_scene_write(scene, i, lane, UINT64_MAX, scene->guard_cause | CAUSE_COMPUTED);
        return;
    }
    cause_id computed = cause ? cause | CAUSE_COMPUTED : 0;
    /* A value that others may be changing is often only tested: a flag, a visited mark. */
    cause_id asked = cause && simt_cause_kind_of(scene->checker, cause) == CAUSE_RACE ? 0 : computed;
    switch (instruction->opcode) {
    case PTX_PACK: {
        uint64_t unknown = 0;
        uint32_t parts = instruction->sources ? instruction->sources : 1;
        uint32_t bits = 8 * ptx_type_bytes(instruction->type) / parts;
        for (uint32_t i = 0; i < instruction->sources; i++)
            unknown |= (bits < 64 ? source[i].unknown & ((UINT64_C(1) << bits) - 1) : source[i].unknown)
                       << (i * bits & 63);
        simt_scene_write(scene, 0, lane, unknown, cause);
        return;
    }
    case PTX_UNPACK: {
        uint32_t parts = instruction->destinations ? instruction->destinations : 1;
        uint32_t bits = 8 * ptx_type_bytes(instruction->type) / parts;
        for (uint32_t i = 0; i < instruction->destinations; i++)
            simt_scene_write(scene, i, lane,
                             source[0].unknown >> (i * bits & 63) &
                                 (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX),
                             cause);
        return;
    }
    case PTX_SETP:
        for (uint32_t i = 0; i < instruction->destinations; i++)
            simt_scene_write(scene, i, lane, simt_undefined_comparison(instruction, source, i == 1), asked);
        return;
    case PTX_SET:
        simt_scene_write(scene, 0, lane,
                         simt_undefined_comparison(instruction, source, false) ? UINT64_MAX : 0, asked);
        return;
    default: break;
    }
    if (instruction->destinations && scene->operands[0].kind == PTX_OPERAND_PREDICATE) {
        uint64_t unknown = instruction->type == PTX_PRED ? predicate_logic(instruction, source) : cause != 0;
        for (uint32_t i = 0; i < instruction->destinations; i++)
            simt_scene_write(scene, i, lane, unknown, cause);
    } else if (instruction->destinations) {
        uint64_t unknown = simt_undefined_result(instruction, source,
                                                 operand_is_wide(&scene->operands[0]) ? 64 : 32, &copied);
        simt_scene_write(scene, 0, lane, unknown, copied ? cause : computed);
        for (uint32_t i = 1; i < instruction->destinations; i++)
            simt_scene_write(scene, i, lane, UINT64_MAX, computed);
    }
    if (instruction->flags & PTX_CARRY_OUT)
        scene_write_predicate(scene, scene->operation->carry, lane, cause != 0, computed);
}

static void follow_own(const struct scene *scene) {
    uint32_t lanes = scene->doubtful;
    bool carries = uses_carry(scene->instruction);
    for (uint32_t i = 0; i < scene->instruction->sources; i++)
        lanes |= simt_scene_unknown_lanes(scene, i);
    if (carries)
        lanes |= scene_unknown_predicates(scene)[scene->operation->carry];
    lanes &= scene->mask | scene->doubtful;
    scene_known_in(scene, scene->mask & ~lanes); /* a result may share registers with an operand */
    if (scene->instruction->flags & PTX_CARRY_OUT)
        scene_unknown_predicates(scene)[scene->operation->carry] &= ~(scene->mask & ~lanes);
    for (; lanes; lanes &= lanes - 1)
        follow_lane(scene, (uint32_t)__builtin_ctz(lanes));
}

/* ---- matrices */

/* Adds what makes a source unknown in a lane. */
static void add_cause(const struct scene *scene, uint32_t source, uint32_t lane, cause_id *cause) {
    uint32_t offset = (uint32_t)source_operand(scene, source)->slot * SIMT_SLOT_BYTES;
    if (*lanes_of(scene, offset) >> lane & 1)
        *cause = cause_with(scene, lane, *cause, *cause_of(scene, offset, lane));
}

/* A result is unknown if an element of its row of a, or its column of b, is. */
static void follow_product(const struct scene *scene) {
    const struct ptx_instruction *in = scene->instruction;
    int rows = ptx_shapes[in->shape].m;
    uint32_t inputs = (uint32_t)in->sources - in->destinations;
    uint32_t a = inputs - (uint32_t)matrix_b_registers((int)inputs, rows);
    cause_id by_row[16] = {0}, by_column[8] = {0}, own[4][SIMT_LANES] = {{0}};
    bool halves = in->type == PTX_F16;
    for (uint32_t i = 0; i < in->sources; i++)
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
            add_cause(scene, i, lane,
                      i < a        ? &by_row[matrix_row(rows, (int)lane, (int)i)]
                      : i < inputs ? &by_column[lane / 4]
                                   : &own[i - inputs][lane]);
    simt_scene_known(scene);
    for (uint32_t d = 0; d < in->destinations; d++)
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
            uint32_t column = 2 * (lane % 4);
            cause_id cause = cause_older(by_row[matrix_row(rows, (int)lane, (int)(halves ? d : d / 2))],
                                         by_column[column + (halves ? 0 : d & 1)]);
            cause = cause_older(cause_older(cause, own[d][lane]), halves ? by_column[column + 1] : 0);
            if (cause)
                simt_scene_write(scene, d, lane, UINT64_MAX, cause | CAUSE_COMPUTED);
        }
}

static void follow_move(const struct scene *scene) {
    const struct ptx_instruction *in = scene->instruction;
    cause_id causes[4][SIMT_LANES] = {{0}};
    for (uint32_t d = 0; d < in->destinations; d++)
        for (uint32_t at = 0; at < 2 * SIMT_LANES; at++) {
            struct matrix_place from = matrix_place((enum ptx_form)in->form, d, at / 2, at & 1);
            if (from.source < in->sources)
                add_cause(scene, from.source, from.lane, &causes[d][at / 2]);
        }
    simt_scene_known(scene);
    for (uint32_t d = 0; d < in->destinations; d++)
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
            if (causes[d][lane])
                simt_scene_write(scene, d, lane, UINT64_MAX, causes[d][lane]);
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

void simt_undefined_follow(struct worker *worker, struct warp *warp, const struct path *path,
                           const struct simt_operation *operation, uint8_t *registers,
                           const uint32_t *predicates, uint32_t mask) {
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
        scene.doubtful = mask & scene_unknown_predicates(&scene)[instruction->guard];
        scene.guard_cause = scene_predicate_causes(&scene)[instruction->guard];
        if (scene.doubtful)
            scene.guard_cause =
                simt_cause_used(&scene.witness, (uint32_t)__builtin_ctz(scene.doubtful), scene.guard_cause);
    }
    if (nature->memory != PTX_MEMORY_NONE)
        simt_scene_follow_memory(&scene, (enum ptx_memory)nature->memory);
    else if (instruction->opcode == PTX_MEMBAR)
        simt_order_synchronise(scene.checker, warp, instruction, true);
    else if (instruction->opcode == PTX_SHFL)
        simt_scene_follow_shuffle(&scene);
    else if (instruction->opcode == PTX_MMA)
        follow_product(&scene);
    else if (instruction->opcode == PTX_MOVMATRIX)
        follow_move(&scene);
    else if (nature->lanes == PTX_LANES_WARP)
        simt_scene_follow_members(&scene);
    else if (instruction->destinations || instruction->flags & PTX_CARRY_OUT)
        follow_own(&scene);
}

/* The results of a barrier, which come from all threads of the block, are known. */
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

void simt_undefined_control(struct worker *worker, struct warp *warp, const struct path *path, uint32_t at) {
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
    const struct witness witness = {worker, warp, instruction, 0};
    if (lanes)
        cause = simt_cause_used(&witness, (uint32_t)__builtin_ctz(lanes), cause);
    /* A value that is read while others write may well be polled on purpose. */
    if (!lanes || simt_cause_kind_of(worker->launch->device->checker, cause) == CAUSE_RACE)
        return;
    uint32_t end = ptx_is_branch(instruction) ? (uint32_t)instruction->reconverge : code->count;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        warp->region[lane] = (struct region){code, end, path->window, cause};
        warp->regions |= 1u << lane;
    }
}

/* matrix.c: reads mma, and lowers the other instructions of tensor cores as ptxas does. wmma.mma
 * becomes one or more mma. Loads and stores of fragments become loads, stores, ldmatrix and
 * movmatrix. ldmatrix becomes a load of 16 bytes by each lane that names a row, and a movmatrix.
 * PTX ISA 9.0, sections 9.7.14.4 and .5. */
#include "gpu/ptx/matrix.h"
#include <string.h>

/* ---- instructions */

/* Starts an instruction, which ptx_matrix_push() completes. */
void ptx_matrix_emit(struct lowering *lowering, enum ptx_opcode opcode, enum ptx_type type) {
    struct ptx_instruction *in = &lowering->pending->instruction;
    if (lowering->held)
        ptx_append_instruction(lowering->parser, lowering->pending);
    lowering->held = true;
    lowering->pending->count = 0;
    in->opcode = (uint16_t)opcode;
    in->type = in->source_type = (uint8_t)type;
    in->form = PTX_FORM_NONE;
    in->space = PTX_GENERIC;
    in->rounding = PTX_ROUND_NONE;
    in->flags = 0;
    in->shape = PTX_NO_SHAPE;
    in->second_type = PTX_NOTYPE;
    in->compare = 0;
    in->guard = lowering->guard;
    in->guard_negated = lowering->guard_negated;
    in->destinations = in->sources = 0;
}

void ptx_matrix_push(struct lowering *lowering, struct ptx_operand operand, bool is_destination) {
    struct ptx_instruction *in = &lowering->pending->instruction;
    ptx_push_operand(lowering->parser, lowering->pending, operand);
    *(is_destination ? &in->destinations : &in->sources) += 1;
}

struct ptx_operand ptx_matrix_register(struct lowering *lowering, enum ptx_type type) {
    struct ptx_operand operand = ptx_no_operand();
    bool predicate = type == PTX_PRED;
    operand.kind = predicate ? PTX_OPERAND_PREDICATE : PTX_OPERAND_REGISTER;
    operand.width = (uint8_t)ptx_type_bytes(type);
    operand.slot = ptx_new_register(lowering->parser, type, "helper", 6, -1);
    return operand;
}

/* "opcode.type register, a, b, c", without what has no kind. */
struct ptx_operand ptx_matrix_compute(struct lowering *lowering, enum ptx_opcode opcode, enum ptx_type type,
                                      struct ptx_operand a, struct ptx_operand b, struct ptx_operand c) {
    struct ptx_operand sources[] = {a, b, c}, result = ptx_matrix_register(lowering, type);
    ptx_matrix_emit(lowering, opcode, type);
    ptx_matrix_push(lowering, result, true);
    for (int i = 0; i < 3; i++)
        if (sources[i].kind != PTX_OPERAND_NONE)
            ptx_matrix_push(lowering, sources[i], false);
    return result;
}

/* a * factor + b, of 32-bit numbers; b may be a 64-bit address. */
struct ptx_operand ptx_matrix_scaled(struct lowering *lowering, struct ptx_operand a, int64_t factor,
                                     struct ptx_operand b) {
    bool wide = b.width == 8;
    struct ptx_operand result = ptx_matrix_register(lowering, wide ? PTX_B64 : PTX_B32);
    ptx_matrix_emit(lowering, PTX_MAD, PTX_U32);
    lowering->pending->instruction.form = wide ? PTX_WIDE : PTX_LO;
    ptx_matrix_push(lowering, result, true);
    ptx_matrix_push(lowering, a, false);
    ptx_matrix_push(lowering, word(factor), false);
    ptx_matrix_push(lowering, b, false);
    return result;
}

/* ---- reading */

/* {a, b, ...}, or a alone. */
void ptx_matrix_read(struct lowering *lowering, enum ptx_type type, bool destinations,
                     struct registers *registers) {
    struct ptx_parser *parser = lowering->parser;
    bool braces = ptx_accept(parser, '{');
    registers->count = 0;
    do {
        if (registers->count == MOST_REGISTERS)
            ptx_fail(parser, "a fragment has at most %d registers", MOST_REGISTERS);
        struct ptx_operand operand =
            destinations ? ptx_read_destination(parser, type, false) : ptx_read_source(parser, type, false);
        if (operand.kind != PTX_OPERAND_REGISTER)
            ptx_fail(parser, "a fragment consists of registers");
        registers->items[registers->count++] = operand;
    } while (braces && ptx_accept(parser, ','));
    if (braces)
        ptx_expect(parser, '}');
}

void ptx_matrix_check(const struct lowering *lowering, const struct registers *registers, uint32_t count,
                      const char *what) {
    if (registers->count != count)
        ptx_fail(lowering->parser, "%s needs %u register%s here, and has %u", what, count,
                 count == 1 ? "" : "s", registers->count);
}

/* Bits of an element of a fragment. */
uint32_t ptx_matrix_bits(enum ptx_type type) {
    return 8 * ptx_type_bytes(type) / ptx_types[type].packed;
}

/* The type of a fragment's registers. */
enum ptx_type ptx_matrix_type(enum ptx_type type) {
    return type == PTX_F64 || type == PTX_F32 ? type : PTX_B32;
}

/* Registers of a fragment of so many elements. */
static uint32_t registers_for(enum ptx_type type, uint32_t elements) {
    return elements * ptx_matrix_bits(type) / (32 * (type == PTX_F64 ? 64 : 32));
}

/* ---- mma, wmma.mma */

static void emit_product(struct lowering *lowering, const struct ptx_match *match, enum ptx_shape shape,
                         const struct registers *lists, const uint32_t *first) {
    const struct ptx_shape_nature *size = &ptx_shapes[shape];
    struct ptx_instruction *in = &lowering->pending->instruction;
    enum ptx_type types[] = {match->type, match->source_type, match->second_type, match->type};
    uint32_t elements[] = {size->m * size->n, size->m * size->k, size->k * size->n, size->m * size->n};
    ptx_matrix_emit(lowering, PTX_MMA, match->type);
    in->source_type = match->source_type;
    in->second_type = match->second_type;
    in->shape = (uint8_t)shape;
    in->flags = match->flags & PTX_SATFINITE;
    in->form = match->opcode == PTX_MMA ? match->form : PTX_FORM_NONE;
    for (int i = 0; i < 4; i++)
        for (uint32_t r = 0; r < registers_for(types[i], elements[i]); r++)
            ptx_matrix_push(lowering, lists[i].items[first[i] + r], i == 0);
}

/* Copies a list whose registers an earlier one of several products overwrites. */
static void keep(struct lowering *lowering, struct registers *list, const struct registers *results,
                 bool in_place) {
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t r = 0; r < results->count; r++)
            if (list->items[i].slot == results->items[r].slot && !(in_place && i == r)) {
                enum ptx_type type = list->items[i].width == 8 ? PTX_B64 : PTX_B32;
                list->items[i] = ptx_matrix_compute(lowering, PTX_MOV, type, list->items[i], ptx_no_operand(),
                                                    ptx_no_operand());
                break;
            }
}

/* The larger shapes of wmma: a product for each 16 rows and 8 columns; of tf32, for each 4 along
 * k. */
static void emit_products(struct lowering *lowering, const struct ptx_match *match,
                          struct registers lists[4]) {
    const struct ptx_shape_nature *size = &ptx_shapes[match->shape];
    bool swapped = size->n == 32;
    enum ptx_shape shape = size->m == 8 && !swapped ? PTX_M8N8K4 : size->k == 8 ? PTX_M16N8K4 : PTX_M16N8K16;
    const struct ptx_shape_nature *one = &ptx_shapes[shape];
    uint32_t a = registers_for(match->source_type, one->m * one->k);
    uint32_t b = registers_for(match->source_type, one->k * one->n);
    uint32_t c = registers_for(match->type, one->m * one->n);
    uint32_t count = size->m * size->n / (one->m * one->n);
    uint32_t steps = size->k / one->k;
    bool rows = size->n != 16; /* the products differ in their rows */
    for (int i = 1; i < 4 && count * steps > 1; i++)
        keep(lowering, &lists[i], &lists[0], i == 3);
    if (swapped) {
        struct registers list = lists[1];
        lists[1] = lists[2];
        lists[2] = list;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t step = 0; step < steps; step++) { /* along k; after the first one from d to d */
            uint32_t left = a * (rows ? i * steps + step : step),
                     right = b * (rows ? step : i * steps + step);
            struct registers operands[] = {lists[0], lists[1], lists[2], lists[step > 0 ? 0 : 3]};
            emit_product(lowering, match, shape, operands, (uint32_t[]){c * i, left, right, c * i});
        }
}

static void read_product(struct lowering *lowering, struct ptx_match match, bool wmma) {
    static const char *const names[] = {"d", "a", "b", "c"};
    const struct ptx_shape_nature *size = &ptx_shapes[match.shape];
    struct registers lists[4];
    if (match.second_type == PTX_NOTYPE) /* wmma of halves names the sums' types only */
        match.source_type = match.second_type = PTX_F16;
    enum ptx_type types[] = {match.type, match.source_type, match.second_type, match.type};
    uint32_t elements[] = {size->m * size->n, size->m * size->k, size->k * size->n, size->m * size->n};
    for (int i = 0; i < 4; i++) {
        bool twice = wmma && types[i] == PTX_F16 && i % 3 != 0; /* a and b, as sm_70 has them */
        if (i > 0)
            ptx_expect(lowering->parser, ',');
        ptx_matrix_read(lowering, ptx_matrix_type(types[i]), i == 0, &lists[i]);
        ptx_matrix_check(lowering, &lists[i], twice ? MOST_REGISTERS : registers_for(types[i], elements[i]),
                         names[i]);
    }
    if (wmma)
        emit_products(lowering, &match, lists);
    else
        emit_product(lowering, &match, match.shape, lists, (uint32_t[4]){0});
}

/* ---- ldmatrix, stmatrix */

/* A register that holds the address of an operand, without its constant part: *offset. */
struct ptx_operand ptx_matrix_address(struct lowering *lowering, enum ptx_space space, int64_t *offset) {
    struct ptx_pending *pending = lowering->pending;
    pending->count = 0;
    ptx_read_address(lowering->parser, pending, space, 1);
    struct ptx_operand address = pending->operands[0];
    if (address.slot >= 0) {
        *offset = address.value;
        address.kind = PTX_OPERAND_REGISTER;
        address.value = 0;
        return address;
    }
    enum ptx_name_kind shared = pending->shared[0];
    uint32_t variable = pending->shared_variables[0];
    *offset = 0;
    address.kind = address.symbol >= 0 ? PTX_OPERAND_SYMBOL : PTX_OPERAND_IMMEDIATE;
    struct ptx_operand result =
        ptx_matrix_compute(lowering, PTX_MOV, PTX_B64, address, ptx_no_operand(), ptx_no_operand());
    pending->shared[1] = shared; /* of the move's source */
    pending->shared_variables[1] = variable;
    return result;
}

/* One access of `count` registers, not guarded but by the instruction's own guard. */
void ptx_matrix_access(struct lowering *lowering, bool store, enum ptx_type type, enum ptx_space space,
                       struct ptx_operand address, const struct ptx_operand *items, uint32_t count) {
    ptx_matrix_emit(lowering, store ? PTX_ST : PTX_LD, type);
    lowering->pending->instruction.space = (uint8_t)space;
    if (store)
        ptx_matrix_push(lowering, address, false);
    for (uint32_t i = 0; i < count; i++)
        ptx_matrix_push(lowering, items[i], !store);
    if (!store)
        ptx_matrix_push(lowering, address, false);
}

struct ptx_operand ptx_matrix_lane(struct lowering *lowering) {
    struct ptx_operand lane = ptx_no_operand();
    lane.kind = PTX_OPERAND_SPECIAL;
    lane.width = 4;
    lane.value = PTX_LANEID;
    return ptx_matrix_compute(lowering, PTX_MOV, PTX_U32, lane, ptx_no_operand(), ptx_no_operand());
}

/* The 16 bytes of each row of `count` matrices, by the lanes that name the rows. */
static void emit_row_access(struct lowering *lowering, bool store, enum ptx_space space,
                            struct ptx_operand address, const struct ptx_operand words[4], uint32_t count) {
    struct ptx_instruction *in = &lowering->pending->instruction;
    if (count == 4) {
        ptx_matrix_access(lowering, store, PTX_B32, space, address, words, 4);
        in->flags = PTX_ROWS;
        return;
    }
    struct ptx_operand lane = ptx_matrix_lane(lowering), named = ptx_matrix_register(lowering, PTX_PRED);
    ptx_matrix_emit(lowering, PTX_SETP, PTX_U32);
    in->compare = PTX_LT;
    in->guard = -1;
    ptx_matrix_push(lowering, named, true);
    ptx_matrix_push(lowering, lane, false);
    ptx_matrix_push(lowering, word(8 * (int64_t)count), false);
    if (lowering->guard >= 0) {
        struct ptx_operand guard = ptx_no_operand();
        guard.kind = PTX_OPERAND_PREDICATE;
        guard.slot = lowering->guard;
        guard.negated = lowering->guard_negated;
        in->form = PTX_BOOL_AND;
        ptx_matrix_push(lowering, guard, false);
    }
    ptx_matrix_access(lowering, store, PTX_B32, space, address, words, 4);
    in->flags = PTX_ROWS;
    in->guard = named.slot;
    in->guard_negated = false;
}

/* Moves between the lanes' rows and the fragments of `count` matrices. */
static void emit_spread(struct lowering *lowering, bool store, bool trans, const struct ptx_operand words[4],
                        const struct ptx_operand *fragments, uint32_t count) {
    ptx_matrix_emit(lowering, PTX_MOVMATRIX, PTX_B16);
    lowering->pending->instruction.form =
        (uint8_t)(store   ? trans ? PTX_MATRIX_GATHER_TRANS : PTX_MATRIX_GATHER
                  : trans ? PTX_MATRIX_SPREAD_TRANS
                          : PTX_MATRIX_SPREAD);
    for (uint32_t i = 0; i < (store ? 4 : count); i++)
        ptx_matrix_push(lowering, store ? words[i] : fragments[i], true);
    for (uint32_t i = 0; i < (store ? count : 4); i++)
        ptx_matrix_push(lowering, store ? fragments[i] : words[i], false);
}

void ptx_matrix_rows(struct lowering *lowering, bool store, bool trans, enum ptx_space space,
                     struct ptx_operand address, const struct ptx_operand *fragments, uint32_t count) {
    struct ptx_operand words[4];
    for (int i = 0; i < 4; i++)
        words[i] = ptx_matrix_register(lowering, PTX_B32);
    if (store)
        emit_spread(lowering, true, trans, words, fragments, count);
    emit_row_access(lowering, store, space, address, words, count);
    if (!store)
        emit_spread(lowering, false, trans, words, fragments, count);
}

static void read_rows(struct lowering *lowering, const struct ptx_match *match, bool store) {
    struct registers fragments;
    struct ptx_operand base = ptx_no_operand();
    int64_t offset = 0;
    if (store)
        base = ptx_matrix_address(lowering, (enum ptx_space)match->space, &offset);
    if (store)
        ptx_expect(lowering->parser, ',');
    ptx_matrix_read(lowering, PTX_B32, !store, &fragments);
    ptx_matrix_check(lowering, &fragments, match->vector, store ? "stmatrix" : "ldmatrix");
    if (!store)
        ptx_expect(lowering->parser, ',');
    if (!store)
        base = ptx_matrix_address(lowering, (enum ptx_space)match->space, &offset);
    ptx_matrix_rows(lowering, store, match->form == PTX_MATRIX_TRANS, (enum ptx_space)match->space,
                    at(base, offset), fragments.items, match->vector);
}

void ptx_read_matrix(struct ptx_parser *parser, struct ptx_pending *pending, const struct ptx_match *match,
                     const char *what) {
    struct lowering lowering = {parser, pending, false, pending->instruction.guard,
                                pending->instruction.guard_negated};
    if (strcmp(what, "product") == 0)
        read_product(&lowering, *match, false);
    else if (strcmp(what, "wmma") == 0)
        read_product(&lowering, *match, true);
    else if (strcmp(what, "load") == 0)
        ptx_matrix_fragment(&lowering, match, false);
    else if (strcmp(what, "store") == 0)
        ptx_matrix_fragment(&lowering, match, true);
    else
        read_rows(&lowering, match, strcmp(what, "rows") != 0);
}

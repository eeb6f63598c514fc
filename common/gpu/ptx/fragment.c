/* fragment.c: lowers wmma.load and wmma.store to loads, stores, ldmatrix and movmatrix, as ptxas
 * does.
 *
 * A register of a fragment, or two of a fragment of 32-bit sums, hold a tile: 8 rows of the outer
 * dimension by 4 places of `wide` elements of the inner one. Lane 4 o + i has row o and place i.
 * The inner dimension of a and b is k. That of c is n; with m8n32 it is m, since ptxas computes the
 * transposed product. The order of tiles is that of ptxas 13.0. */
#include "gpu/ptx/matrix.h"

struct fragment {
    enum ptx_type type;
    enum ptx_space space;
    uint32_t bits, tiles, per_tile; /* of an element; tiles; registers of a tile */
    uint32_t wide;                  /* elements of a place */
    bool natural;                   /* elements of the inner dimension are neighbours in memory */
    bool sums, first;               /* c and d; the operand whose tiles of one k come first */
    uint32_t outer, inner, depth;   /* rows, elements of a row, tiles along a row */
    struct ptx_operand base, stride;
    int64_t offset;
};

static struct fragment fragment_of(const struct ptx_match *match) {
    const struct ptx_shape_nature *size = &ptx_shapes[match->shape];
    bool swapped = size->n == 32, is_b = match->form == PTX_MATRIX_B;
    struct fragment fragment = {.type = (enum ptx_type)match->type,
                                .space = (enum ptx_space)match->space,
                                .bits = ptx_matrix_bits((enum ptx_type)match->type),
                                .sums = match->form == PTX_MATRIX_C || match->form == PTX_MATRIX_D};
    bool columns = match->flags & PTX_COLUMNS;
    uint32_t register_bits = match->type == PTX_F64 ? 64 : 32;
    fragment.wide = fragment.sums ? 2 : register_bits / fragment.bits;
    fragment.per_tile = fragment.wide * fragment.bits / register_bits;
    fragment.outer = is_b || (fragment.sums && swapped) ? size->n : size->m;
    fragment.natural = columns == (is_b || (fragment.sums && swapped));
    fragment.inner = fragment.sums ? size->m * size->n / fragment.outer : size->k;
    fragment.depth = fragment.inner / (4 * fragment.wide);
    fragment.first = is_b == swapped;
    fragment.tiles = fragment.outer / 8 * fragment.depth;
    return fragment;
}

/* Where tile i starts. */
static void tile_at(const struct fragment *fragment, uint32_t i, uint32_t *outer, uint32_t *inner) {
    uint32_t row, place;
    if (fragment->outer == 8 || (!fragment->sums && !fragment->first)) {
        row = i / fragment->depth;
        place = i % fragment->depth;
    } else { /* 16 rows, and then the next places, before the next 16 */
        row = i / (2 * fragment->depth) * 2 + i % 2;
        place = i / 2 % fragment->depth;
    }
    *outer = 8 * row;
    *inner = 4 * fragment->wide * place;
}

/* The address of the element `lines` strides and `places` elements from the base. */
static struct ptx_operand lane_address(struct lowering *lowering, const struct fragment *fragment,
                                       struct ptx_operand lines, struct ptx_operand places) {
    bool wide = fragment->base.width == 8;
    struct ptx_operand along = ptx_matrix_scaled(lowering, places, fragment->bits / 8, fragment->base);
    struct ptx_operand bytes = ptx_matrix_scaled(lowering, lines, fragment->bits / 8, word(0));
    struct ptx_operand result = ptx_matrix_register(lowering, wide ? PTX_B64 : PTX_B32);
    ptx_matrix_emit(lowering, PTX_MAD, PTX_U32);
    lowering->pending->instruction.form = wide ? PTX_WIDE : PTX_LO;
    ptx_matrix_push(lowering, result, true);
    ptx_matrix_push(lowering, bytes, false);
    ptx_matrix_push(lowering, fragment->stride, false);
    ptx_matrix_push(lowering, along, false);
    return result;
}

/* The same element, `lines` strides and `places` elements further. */
static struct ptx_operand further(struct lowering *lowering, const struct fragment *fragment,
                                  struct ptx_operand address, uint32_t lines, uint32_t places) {
    int64_t bytes = fragment->bits / 8, offset = fragment->offset + places * bytes;
    if (fragment->stride.kind == PTX_OPERAND_IMMEDIATE)
        return at(address, offset + lines * bytes * fragment->stride.value);
    if (lines > 0)
        address = ptx_matrix_scaled(lowering, fragment->stride, lines * bytes, address);
    return at(address, offset);
}

/* Halves and bytes in shared memory: by ldmatrix, four or two tiles at a time. */
static void load_by_rows(struct lowering *lowering, const struct fragment *fragment,
                         const struct ptx_operand *items) {
    uint32_t together = fragment->bits == 16 ? 4 : 2, lines[3], places[3];
    together = fragment->tiles < together ? fragment->tiles : together;
    for (uint32_t i = 0; i < 3; i++) /* tiles 0, 1 and 2 */
        tile_at(fragment, i, fragment->natural ? &lines[i] : &places[i],
                fragment->natural ? &places[i] : &lines[i]);
    struct ptx_operand lane = ptx_matrix_lane(lowering);
    struct ptx_operand line = ptx_matrix_compute(lowering, PTX_AND, PTX_B32, lane, word(7), ptx_no_operand());
    struct ptx_operand place = word(0);
    for (uint32_t bit = 0; 1u << bit < together; bit++) {
        struct ptx_operand tile =
            ptx_matrix_compute(lowering, PTX_BFE, PTX_U32, lane, word(3 + bit), word(1));
        if (lines[1 + bit] > 0)
            line = ptx_matrix_scaled(lowering, tile, lines[1 + bit], line);
        if (places[1 + bit] > 0)
            place = ptx_matrix_scaled(lowering, tile, places[1 + bit], place);
    }
    struct ptx_operand address = lane_address(lowering, fragment, line, place);
    for (uint32_t i = 0; i < fragment->tiles; i += together) {
        uint32_t outer, inner;
        tile_at(fragment, i, &outer, &inner);
        struct ptx_operand from = fragment->natural ? further(lowering, fragment, address, outer, inner)
                                                    : further(lowering, fragment, address, inner, outer);
        ptx_matrix_rows(lowering, false, !fragment->natural, fragment->space, from, items + i, together);
    }
}

static struct ptx_operand transposed(struct lowering *lowering, struct ptx_operand source,
                                     struct ptx_operand result) {
    ptx_matrix_emit(lowering, PTX_MOVMATRIX, PTX_B16);
    lowering->pending->instruction.form = PTX_MATRIX_TRANS;
    ptx_matrix_push(lowering, result, true);
    ptx_matrix_push(lowering, source, false);
    return result;
}

/* A tile whose places are not neighbours: element by element. Bytes are loaded one by one, and
 * packed. */
static void move_elements(struct lowering *lowering, const struct fragment *fragment, bool store,
                          struct ptx_operand address, uint32_t line, uint32_t place,
                          const struct ptx_operand *items) {
    struct ptx_operand packed = ptx_no_operand();
    for (uint32_t e = 0; e < fragment->wide; e++) {
        struct ptx_operand from = further(lowering, fragment, address, line + e, place);
        if (fragment->bits >= 32) {
            ptx_matrix_access(lowering, store, fragment->bits == 64 ? PTX_B64 : PTX_B32, fragment->space,
                              from, items + e, 1);
            continue;
        }
        struct ptx_operand byte = ptx_matrix_register(lowering, PTX_B32);
        ptx_matrix_access(lowering, false, PTX_U8, fragment->space, from, &byte, 1);
        if (e == 0) {
            packed = byte;
            continue;
        }
        struct ptx_operand sources[] = {byte, packed, word(8 * (int64_t)e), word(8)};
        packed = e + 1 == fragment->wide ? items[0] : ptx_matrix_register(lowering, PTX_B32);
        ptx_matrix_emit(lowering, PTX_BFI, PTX_B32);
        ptx_matrix_push(lowering, packed, true);
        for (int i = 0; i < 4; i++)
            ptx_matrix_push(lowering, sources[i], false);
    }
}

static void move_tiles(struct lowering *lowering, const struct fragment *fragment, bool store,
                       const struct ptx_operand *items) {
    bool turned = !fragment->natural && fragment->bits == 16;
    bool scattered = !fragment->natural && !turned;
    enum ptx_type type = fragment->type == PTX_F64 ? PTX_B64 : PTX_B32;
    struct ptx_operand lane = ptx_matrix_lane(lowering);
    struct ptx_operand row = ptx_matrix_compute(lowering, PTX_SHR, PTX_U32, lane, word(2), ptx_no_operand());
    struct ptx_operand place =
        ptx_matrix_compute(lowering, PTX_AND, PTX_B32, lane, word(3), ptx_no_operand());
    place = ptx_matrix_scaled(lowering, place, fragment->wide, word(0));
    struct ptx_operand address =
        lane_address(lowering, fragment, scattered ? place : row, scattered ? row : place);
    for (uint32_t i = 0; i < fragment->tiles; i++) {
        const struct ptx_operand *registers = items + i * fragment->per_tile;
        uint32_t outer, inner;
        tile_at(fragment, i, &outer, &inner);
        if (scattered) {
            move_elements(lowering, fragment, store, address, inner, outer, registers);
            continue;
        }
        struct ptx_operand there = turned ? further(lowering, fragment, address, inner, outer)
                                          : further(lowering, fragment, address, outer, inner);
        struct ptx_operand moved = turned ? ptx_matrix_register(lowering, PTX_B32) : *registers;
        if (turned && store)
            transposed(lowering, *registers, moved);
        ptx_matrix_access(lowering, store, type, fragment->space, there, turned ? &moved : registers,
                          fragment->per_tile);
        if (turned && !store)
            transposed(lowering, moved, *registers);
    }
}

void ptx_matrix_fragment(struct lowering *lowering, const struct ptx_match *match, bool store) {
    struct ptx_parser *parser = lowering->parser;
    struct fragment fragment = fragment_of(match);
    struct registers list;
    bool twice = match->type == PTX_F16 && !fragment.sums;
    if (store)
        fragment.base = ptx_matrix_address(lowering, fragment.space, &fragment.offset);
    if (store)
        ptx_expect(parser, ',');
    ptx_matrix_read(lowering, ptx_matrix_type(fragment.type), !store, &list);
    uint32_t count = fragment.tiles * fragment.per_tile;
    ptx_matrix_check(lowering, &list, twice ? MOST_REGISTERS : count, "the fragment");
    if (!store)
        ptx_expect(parser, ',');
    if (!store)
        fragment.base = ptx_matrix_address(lowering, fragment.space, &fragment.offset);
    fragment.stride = word(fragment.natural ? fragment.inner : fragment.outer);
    if (ptx_accept(parser, ','))
        fragment.stride = ptx_read_source(parser, PTX_U32, false);
    if (fragment.stride.kind != PTX_OPERAND_IMMEDIATE) /* the fragment may overwrite its register */
        fragment.stride = ptx_matrix_compute(lowering, PTX_MOV, PTX_B32, fragment.stride, ptx_no_operand(),
                                             ptx_no_operand());
    bool rows = fragment.space == PTX_SHARED && !fragment.sums &&
                (fragment.bits == 16 || (fragment.bits == 8 && fragment.natural));
    if (rows)
        load_by_rows(lowering, &fragment, list.items);
    else
        move_tiles(lowering, &fragment, store, list.items);
    for (uint32_t i = count; i < list.count; i++) { /* what sm_70 has twice */
        ptx_matrix_emit(lowering, PTX_MOV, PTX_B32);
        ptx_matrix_push(lowering, list.items[i], true);
        ptx_matrix_push(lowering, list.items[i % count], false);
    }
}

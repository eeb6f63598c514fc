/* matrix.h: how instructions of tensor cores are read and lowered. Private to matrix.c and
 * fragment.c. */
#pragma once

#include "gpu/ptx/internal.h"

enum { MOST_REGISTERS = 8 };

struct registers {
    struct ptx_operand items[MOST_REGISTERS];
    uint32_t count;
};

/* Instructions are emitted one late, because the last one stays in `pending`. */
struct lowering {
    struct ptx_parser *parser;
    struct ptx_pending *pending;
    bool held; /* `pending` is an instruction to append */
    int32_t guard;
    bool guard_negated;
};

static inline struct ptx_operand word(int64_t value) {
    return ptx_immediate(value, 4);
}

/* [base + offset] */
static inline struct ptx_operand at(struct ptx_operand base, int64_t offset) {
    base.kind = PTX_OPERAND_ADDRESS;
    base.value = offset;
    return base;
}

void ptx_matrix_emit(struct lowering *lowering, enum ptx_opcode opcode, enum ptx_type type);
void ptx_matrix_push(struct lowering *lowering, struct ptx_operand operand, bool is_destination);
struct ptx_operand ptx_matrix_register(struct lowering *lowering, enum ptx_type type);
struct ptx_operand ptx_matrix_compute(struct lowering *lowering, enum ptx_opcode opcode, enum ptx_type type,
                                      struct ptx_operand a, struct ptx_operand b, struct ptx_operand c);
struct ptx_operand ptx_matrix_scaled(struct lowering *lowering, struct ptx_operand a, int64_t factor,
                                     struct ptx_operand b);
void ptx_matrix_read(struct lowering *lowering, enum ptx_type type, bool destinations,
                     struct registers *registers);
void ptx_matrix_check(const struct lowering *lowering, const struct registers *registers, uint32_t count,
                      const char *what);
uint32_t ptx_matrix_bits(enum ptx_type type);
enum ptx_type ptx_matrix_type(enum ptx_type type);
struct ptx_operand ptx_matrix_address(struct lowering *lowering, enum ptx_space space, int64_t *offset);
void ptx_matrix_access(struct lowering *lowering, bool store, enum ptx_type type, enum ptx_space space,
                       struct ptx_operand address, const struct ptx_operand *items, uint32_t count);
struct ptx_operand ptx_matrix_lane(struct lowering *lowering);
void ptx_matrix_rows(struct lowering *lowering, bool store, bool trans, enum ptx_space space,
                     struct ptx_operand address, const struct ptx_operand *fragments, uint32_t count);

/* fragment.c: wmma.load and wmma.store. */
void ptx_matrix_fragment(struct lowering *lowering, const struct ptx_match *match, bool store);

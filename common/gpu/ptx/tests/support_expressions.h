/* support_expressions.h: the results of straight-line code as expressions of sums, products and
 * fused operations, from a checked program or from nvdisasm's machine code. Expressions that round
 * alike are equal: factors and terms have no order, and signs are moved where that is harmless. */
#pragma once

#include "gpu/ptx/program.h"

#include <stdbool.h>
#include <stddef.h>

enum { EXPRESSION_NODES = 1 << 14, EXPRESSION_OUTPUTS = 32, EXPRESSION_REGISTERS = 512 };

enum expression_kind {
    EXPRESSION_INPUT,
    EXPRESSION_ZERO,
    EXPRESSION_PRODUCT,
    EXPRESSION_SUM,
    EXPRESSION_FUSED
};

/* A value and its sign; node -1: unknown. */
struct expression {
    int32_t node;
    bool negated;
};

struct expression_node {
    enum expression_kind kind;
    bool saturated, flushed;
    uint32_t input;             /* EXPRESSION_INPUT: which element is loaded */
    struct expression parts[3]; /* product: 2 factors; sum: 2 terms; fused: 2 factors and a term */
};

struct expressions {
    struct expression_node nodes[EXPRESSION_NODES];
    int32_t count;
};

/* The expression stored to each element of the output; false and a message: unknown code. Elements
 * are `bytes` wide; inputs are loaded from global memory, outputs stored there. */
bool expressions_of_program(struct expressions *all, const struct ptx_function *function, uint32_t bytes,
                            struct expression outputs[EXPRESSION_OUTPUTS]);
/* listing: one function's lines, as nvdisasm -c prints them; it is modified. */
bool expressions_of_listing(struct expressions *all, char *listing, uint32_t bytes,
                            struct expression outputs[EXPRESSION_OUTPUTS]);

/* Prints "fma(-x1, x2, +(x3, -x4))", cut if it is long. */
void expression_print(const struct expressions *all, struct expression value, char *text, size_t size);

/* repeats.c: what ptxas does once though the text has it twice. A load by the read-only path (ld.global.nc) that another one
 * just did, as of __ldg of one element twice, becomes a copy. Arithmetic on the same registers is marked. */
#include "gpu/ptx/internal.h"

#include <stdlib.h>

enum { FARTHEST = 64 }; /* instructions between the two */

static bool is_read_only_load(const struct ptx_instruction *in) {
    return in->opcode == PTX_LD && in->space == PTX_GLOBAL && in->flags & PTX_READ_ONLY && in->guard < 0 &&
           in->destinations == 1 && in->sources == 1 && ptx_type_bytes(in->type) >= 4;
}

static bool writes(const struct ptx_instruction *in, const struct ptx_operand *operands, int32_t slot) {
    for (uint32_t i = 0; i < in->destinations; i++)
        if (operands[in->operand + i].slot == slot)
            return true;
    return false;
}

/* The load of the same block before `at` that read the same, into a register that still holds it; NULL: none. */
static const struct ptx_instruction *earlier_load(const struct ptx_body *body, const struct ptx_flow *flow,
                                                  uint32_t at) {
    const struct ptx_instruction *all = body->instructions.items, *load = &all[at];
    struct ptx_operand *operands = body->operands.items, *address = &operands[load->operand + 1];
    for (uint32_t i = at; i-- > 0 && at - i <= FARTHEST && flow->block_of[i] == flow->block_of[at];) {
        const struct ptx_operand *its = &operands[all[i].operand + 1];
        bool same = is_read_only_load(&all[i]) && all[i].type == load->type &&
                    all[i].source_type == load->source_type && its->slot == address->slot &&
                    its->symbol == address->symbol && its->value == address->value;
        bool kept = same;
        for (uint32_t k = i + 1; k < at && kept; k++)
            kept = !writes(&all[k], operands, operands[all[i].operand].slot);
        if (same && kept && operands[all[i].operand].slot != address->slot)
            return &all[i];
        if (address->slot >= 0 && writes(&all[i], operands, address->slot))
            return NULL;
    }
    return NULL;
}

void ptx_join_loads(struct ptx_body *body, const struct ptx_flow *flow) {
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        struct ptx_instruction *load = &body->instructions.items[i];
        const struct ptx_instruction *before = is_read_only_load(load) ? earlier_load(body, flow, i) : NULL;
        if (before == NULL)
            continue;
        body->operands.items[load->operand + 1] = body->operands.items[before->operand];
        load->opcode = PTX_MOV;
        load->space = 0;
        load->flags = 0;
    }
}

/* ---- the same arithmetic */

/* Instructions by what they compute from what; `operands` are those of their function. */
struct sameness {
    struct ptx_instruction *instructions;
    const struct ptx_operand *operands;
    int32_t *same; /* of each register the first that holds the same value */
};

static int order_of(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static uint32_t register_of(const struct sameness *of, const struct ptx_operand *operand) {
    return operand->slot >= 0 ? (uint32_t)of->same[operand->slot] : UINT32_MAX;
}

static int compare_operands(const struct sameness *of, const struct ptx_operand *a,
                            const struct ptx_operand *b) {
    int order = order_of(a->kind, b->kind);
    order = order != 0 ? order : order_of(a->width, b->width);
    order = order != 0 ? order : order_of(a->negated, b->negated);
    order = order != 0 ? order : order_of(register_of(of, a), register_of(of, b));
    order = order != 0 ? order : order_of((uint32_t)a->symbol, (uint32_t)b->symbol);
    return order != 0 ? order : order_of((uint64_t)a->value, (uint64_t)b->value);
}

static uint64_t operation_of(const struct ptx_instruction *in) {
    return in->opcode | (uint64_t)in->type << 16 | (uint64_t)in->source_type << 24 |
           (uint64_t)in->rounding << 32 | (uint64_t)in->compare << 40 | (uint64_t)in->form << 48 |
           (uint64_t)in->lut << 56;
}

static int compare_values(const void *left, const void *right, void *context) {
    const struct sameness *of = context;
    const struct ptx_instruction *a = &of->instructions[*(const uint32_t *)left],
                                 *b = &of->instructions[*(const uint32_t *)right];
    int order = order_of(operation_of(a), operation_of(b));
    order =
        order != 0 ? order : order_of(a->flags & ~(uint32_t)PTX_REPEATED, b->flags & ~(uint32_t)PTX_REPEATED);
    order = order != 0 ? order : order_of(a->sources, b->sources);
    for (uint32_t i = 0; order == 0 && i < a->sources; i++)
        order = compare_operands(of, &of->operands[a->operand + a->destinations + i],
                                 &of->operands[b->operand + b->destinations + i]);
    return order;
}

/* Arithmetic without a guard on registers that are written once, which have one value for all who read them. */
static bool has_one_value(const struct ptx_instruction *in, const struct ptx_operand *operands,
                          const uint32_t *writes) {
    const struct ptx_nature *nature = ptx_nature(in);
    if (in->guard >= 0 || in->destinations == 0 || nature->memory != PTX_MEMORY_NONE ||
        nature->control != PTX_CONTROL_NONE || nature->class == PTX_CLASS_MOVE ||
        nature->class == PTX_CLASS_SYNCHRONISATION || nature->lanes == PTX_LANES_WARP)
        return false;
    for (uint32_t i = 0; i < in->sources; i++) {
        int32_t slot = operands[in->operand + in->destinations + i].slot;
        if (slot >= 0 && writes[slot] > 1)
            return false;
    }
    return true;
}

/* Marks the instructions order[0 .. count) of which there are several. Whether that made more registers the same. */
static bool mark_same(const struct sameness *of, const uint32_t *writes, const uint32_t *order,
                      uint32_t count) {
    bool more = false;
    for (uint32_t i = 0, end; i < count; i = end) {
        int32_t first = of->operands[of->instructions[order[i]].operand].slot;
        for (end = i + 1; end < count && compare_values(&order[i], &order[end], (struct sameness *)of) == 0;
             end++)
            ;
        for (uint32_t k = i; k < end && end - i > 1; k++) {
            struct ptx_instruction *in = &of->instructions[order[k]];
            int32_t slot = of->operands[in->operand].slot;
            in->flags |= PTX_REPEATED;
            if (in->destinations == 1 && slot >= 0 && first >= 0 && writes[slot] == 1 && writes[first] == 1) {
                more |= of->same[slot] != of->same[first];
                of->same[slot] = of->same[first];
            }
        }
    }
    return more;
}

void ptx_mark_repeats(struct ptx_parser *parser, struct ptx_body *body) {
    enum { MOST_ROUNDS = 8 }; /* what is computed from repeated values is found in the next round */
    struct ptx_instruction *all = body->instructions.items;
    const struct ptx_operand *operands = body->operands.items;
    uint32_t count = body->instructions.count, registers = body->registers.count, found = 0;
    uint32_t *writes = ptx_work(parser, (registers + 1u) * sizeof *writes);
    uint32_t *order = ptx_work(parser, (count + 1u) * sizeof *order);
    struct sameness of = {all, operands, ptx_work(parser, (registers + 1u) * sizeof *of.same)};
    for (uint32_t r = 0; r < registers; r++)
        of.same[r] = (int32_t)r;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < all[i].destinations; k++)
            if (operands[all[i].operand + k].slot >= 0)
                writes[operands[all[i].operand + k].slot]++;
    for (uint32_t i = 0; i < count; i++)
        if (has_one_value(&all[i], operands, writes))
            order[found++] = i;
    bool more = found > 1;
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
        qsort_r(order, found, sizeof *order, compare_values, &of);
        more = mark_same(&of, writes, order, found);
    }
}

/* repeats.c: a load by the read-only path (ld.global.nc) that another one just did, as of __ldg of one
 * element twice: ptxas keeps the first and copies its result, whatever the text says. */
#include "gpu/ptx/internal.h"

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

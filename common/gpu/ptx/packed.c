/* packed.c: replaces rare instructions on packed bytes and halves (vabsdiff2, vabsdiff4: sums,
 * distances) by instructions on single values. Results are exact; each counts as its
 * replacements. */
#include "gpu/ptx/internal.h"

static struct ptx_operand lane(struct ptx_parser *parser, const struct ptx_pending *pending,
                               struct ptx_operand packed, uint32_t position, uint32_t bits, bool is_signed) {
    struct ptx_operand sources[] = {packed, ptx_immediate(position, 4), ptx_immediate(bits, 4)};
    return ptx_helper_instruction(parser, pending, PTX_BFE, is_signed ? PTX_S32 : PTX_U32, sources, 3);
}

static struct ptx_operand insert(struct ptx_parser *parser, const struct ptx_pending *pending,
                                 struct ptx_operand value, struct ptx_operand packed, uint32_t position,
                                 uint32_t bits) {
    struct ptx_operand sources[] = {value, packed, ptx_immediate(position, 4), ptx_immediate(bits, 4)};
    return ptx_helper_instruction(parser, pending, PTX_BFI, PTX_B32, sources, 4);
}

/* Turns the instruction being read into the move of the result to its destination. */
static void finish(struct ptx_parser *parser, struct ptx_pending *pending, struct ptx_operand result) {
    pending->instruction.opcode = PTX_MOV;
    pending->instruction.type = pending->instruction.source_type = PTX_B32;
    pending->instruction.flags = 0;
    pending->instruction.sources = 1;
    pending->count = 1;
    ptx_push_operand(parser, pending, result);
}

/* vabsdiff: |a - b| of each unsigned lane, packed; or all added to the third source. */
void ptx_expand_distances(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t lanes, bool sum) {
    uint32_t bits = 32 / lanes;
    struct ptx_operand result = sum ? pending->operands[3] : ptx_immediate(0, 4);
    for (uint32_t position = 0; position < 32; position += bits) {
        struct ptx_operand sources[] = {lane(parser, pending, pending->operands[1], position, bits, false),
                                        lane(parser, pending, pending->operands[2], position, bits, false),
                                        sum ? result : ptx_immediate(0, 4)};
        struct ptx_operand distance = ptx_helper_instruction(parser, pending, PTX_SAD, PTX_U32, sources, 3);
        result = sum ? distance : insert(parser, pending, distance, result, position, bits);
    }
    finish(parser, pending, result);
}

/* Operands: destinations (atom), address, values. The last element stays in `pending`. */
void ptx_expand_elements(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t elements) {
    struct ptx_pending all = *pending;
    uint32_t results = all.instruction.destinations;
    uint32_t bytes = ptx_type_bytes((enum ptx_type)all.instruction.type);
    struct ptx_operand *values = &all.operands[results + 1];
    for (uint32_t i = 0; i < elements; i++) /* values that results of earlier elements overwrite */
        for (uint32_t r = 0; r < results; r++)
            if (values[i].kind == PTX_OPERAND_REGISTER && values[i].slot == all.operands[r].slot) {
                values[i] = ptx_helper_instruction(parser, pending, PTX_MOV, PTX_B32, &values[i], 1);
                break;
            }
    for (uint32_t i = 0; i < elements; i++) {
        struct ptx_operand address = all.operands[results];
        address.value += (int64_t)i * bytes;
        pending->count = 0;
        pending->instruction.destinations = results > 0;
        pending->instruction.sources = 2;
        if (results)
            ptx_push_operand(parser, pending, all.operands[i]);
        ptx_push_operand(parser, pending, address);
        ptx_push_operand(parser, pending, values[i]);
        if (i + 1 < elements)
            ptx_append_instruction(parser, pending);
    }
}

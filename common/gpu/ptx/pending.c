/* pending.c: emits an instruction, and helper instructions before it. */
#include "gpu/ptx/internal.h"

struct ptx_operand ptx_no_operand(void) {
    return (struct ptx_operand){.slot = -1, .symbol = -1};
}

uint32_t ptx_add_operand(struct ptx_parser *parser, struct ptx_operand operand) {
    PTX_APPEND(parser, &parser->body->operands, operand);
    return parser->body->operands.count - 1;
}

int32_t ptx_new_register(struct ptx_parser *parser, enum ptx_type type, const char *text, uint32_t length,
                         int32_t number) {
    struct ptx_body *body = parser->body;
    if (body->registers.count >= PTX_MAX_REGISTERS)
        ptx_fail(parser, "more than %d registers in one function", PTX_MAX_REGISTERS);
    struct ptx_virtual item = {text, length, number, (uint8_t)type};
    PTX_APPEND(parser, &body->registers, item);
    return (int32_t)body->registers.count - 1;
}

void ptx_push_operand(struct ptx_parser *parser, struct ptx_pending *pending, struct ptx_operand operand) {
    if (pending->count == PTX_MAX_OPERANDS)
        ptx_fail(parser, "too many operands");
    pending->shared[pending->count] = PTX_NAME_REGISTER;
    pending->operands[pending->count++] = operand;
}

void ptx_append_instruction(struct ptx_parser *parser, const struct ptx_pending *pending) {
    struct ptx_body *body = parser->body;
    struct ptx_instruction instruction = pending->instruction;
    instruction.operand = body->operands.count;
    for (uint32_t i = 0; i < pending->count; i++) {
        uint32_t index = ptx_add_operand(parser, pending->operands[i]);
        enum ptx_name_kind kind = pending->shared[i];
        if (kind == PTX_NAME_SHARED_OWN || kind == PTX_NAME_SHARED_DYNAMIC ||
            kind == PTX_NAME_SHARED_MODULE) {
            struct ptx_shared_use use = {body->function, index, kind, pending->shared_variables[i]};
            PTX_APPEND(parser, &parser->shared_uses, use);
        }
    }
    PTX_APPEND(parser, &body->instructions, instruction);
}

struct ptx_operand ptx_immediate(int64_t value, uint8_t width) {
    struct ptx_operand operand = ptx_no_operand();
    operand.kind = PTX_OPERAND_IMMEDIATE;
    operand.width = width;
    operand.value = value;
    return operand;
}

struct ptx_operand ptx_helper_instruction(struct ptx_parser *parser, const struct ptx_pending *pending,
                                          enum ptx_opcode opcode, enum ptx_type type,
                                          const struct ptx_operand *sources, uint32_t count) {
    struct ptx_pending before = {.instruction = pending->instruction};
    before.instruction.opcode = (uint16_t)opcode;
    before.instruction.type = before.instruction.source_type = (uint8_t)type;
    before.instruction.form = PTX_FORM_NONE;
    before.instruction.space = PTX_GENERIC;
    before.instruction.rounding = PTX_ROUND_NONE;
    before.instruction.flags = 0;
    before.instruction.destinations = 1;
    before.instruction.sources = (uint8_t)count;
    struct ptx_operand result = ptx_no_operand();
    result.kind = PTX_OPERAND_REGISTER;
    result.width = (uint8_t)ptx_type_bytes(type);
    result.slot = ptx_new_register(parser, type, "helper", 6, -1);
    ptx_push_operand(parser, &before, result);
    for (uint32_t i = 0; i < count; i++)
        ptx_push_operand(parser, &before, sources[i]);
    ptx_append_instruction(parser, &before);
    return result;
}

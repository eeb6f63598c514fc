/* uniform.c: finds values that the text shows to be the same in all lanes of a warp: parameters,
 * constants, block indices, loads at such addresses, arithmetic on these. ptxas keeps them once for
 * the warp, and combines the lanes of an atomic at such an address. A choice by a branch counts as
 * the same for all threads. */
#include "gpu/ptx/internal.h"

enum { MOST_ROUNDS = 64 }; /* longer rings of dependent values count as different */

static const struct ptx_operand *operands_of(const struct ptx_body *body,
                                             const struct ptx_instruction *instruction) {
    return body->operands.items != NULL ? body->operands.items + instruction->operand : NULL;
}

/* Whether a result differs between lanes whatever its sources are. */
static bool differs_by_nature(const struct ptx_instruction *instruction) {
    const struct ptx_nature *nature = ptx_nature(instruction);
    if (nature->memory == PTX_MEMORY_LOAD)
        return instruction->space == PTX_LOCAL || instruction->space == PTX_PARAM_FRAME ||
               instruction->flags & PTX_VOLATILE;
    return nature->memory != PTX_MEMORY_NONE ||
           (nature->lanes != PTX_LANES_OWN && nature->lanes != PTX_LANES_CARRY);
}

static bool source_differs(const bool *differs, const struct ptx_operand *operand) {
    if (operand->kind == PTX_OPERAND_SPECIAL)
        return ptx_specials[operand->value].between >= PTX_BETWEEN_LANES;
    return operand->slot >= 0 && differs[operand->slot];
}

/* Propagates differences by one round. False: nothing is new. */
static bool spread(const struct ptx_body *body, bool *differs) {
    bool news = false;
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        const struct ptx_instruction *instruction = &body->instructions.items[i];
        const struct ptx_operand *operand = operands_of(body, instruction);
        uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
        bool differ =
            differs_by_nature(instruction) || (instruction->guard >= 0 && differs[instruction->guard]);
        for (uint32_t o = instruction->destinations; o < total && !differ; o++)
            differ = source_differs(differs, &operand[o]);
        for (uint32_t o = 0; o < instruction->destinations && differ; o++)
            if (operand[o].slot >= 0 && !differs[operand[o].slot])
                news = differs[operand[o].slot] = true;
    }
    return news;
}

const bool *ptx_find_uniform(struct ptx_parser *parser, struct ptx_body *body) {
    bool *differs = ptx_work(parser, body->registers.count + 1), news = true;
    for (int round = 0; round < MOST_ROUNDS && news; round++)
        news = spread(body, differs);
    for (uint32_t r = 0; r < body->registers.count && news; r++)
        differs[r] = true;
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        struct ptx_instruction *instruction = &body->instructions.items[i];
        if (ptx_nature(instruction)->memory == PTX_MEMORY_ATOMIC &&
            !source_differs(differs, &operands_of(body, instruction)[instruction->destinations]))
            instruction->flags |= PTX_UNIFORM;
    }
    return differs;
}

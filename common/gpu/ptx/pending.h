/* pending.h: an instruction while it is being read: its operands are collected first, because helper instructions may
 * have to come before it. Private to the files that read instructions. */
#ifndef PTX_PENDING_H
#define PTX_PENDING_H

#include "gpu/ptx/internal.h"

enum { PTX_MAX_OPERANDS = 16 };

struct ptx_pending {
    struct ptx_instruction instruction;
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    enum ptx_name_kind shared[PTX_MAX_OPERANDS]; /* PTX_NAME_SHARED_*: value waits for the layout */
    uint32_t shared_variables[PTX_MAX_OPERANDS]; /* PTX_NAME_SHARED_MODULE: of this variable */
    uint32_t count;
    bool wider; /* ld, st, cvt: a register may be wider than the type */
};

/* pending.c */
void ptx_push_operand(struct ptx_parser *parser, struct ptx_pending *pending, struct ptx_operand operand);
void ptx_append_instruction(struct ptx_parser *parser, const struct ptx_pending *pending);
/* "opcode.type temporary, sources..." before the one being read, under the same guard; returns the temporary. */
struct ptx_operand ptx_helper_instruction(struct ptx_parser *parser, const struct ptx_pending *pending,
                                          enum ptx_opcode opcode, enum ptx_type type,
                                          const struct ptx_operand *sources, uint32_t count);
struct ptx_operand ptx_immediate(int64_t value, uint8_t width);

/* operand.c: one operand of the text, checked against the type wanted */
bool ptx_is_name(const struct ptx_token *token, const char *text);
struct ptx_operand ptx_read_destination(struct ptx_parser *parser, enum ptx_type type, bool wider);
struct ptx_operand ptx_read_constant(struct ptx_parser *parser, enum ptx_type type);
/* A register, special register or constant; wider: a register may be wider than the type (ld, st, cvt). */
struct ptx_operand ptx_read_source(struct ptx_parser *parser, enum ptx_type type, bool wider);

/* address.c: pushed onto pending */
/* [register], [register+n], [variable+n], [n]; the access is `bytes` wide in `space`. */
void ptx_read_address(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_space space,
                      uint32_t bytes);
/* Source of mov and cvta: as ptx_read_source, or the address of a variable or function. */
void ptx_read_address_of(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_type type,
                         bool is_mov);

/* packed.c: instructions on packed 8- and 16-bit lanes, made of others */
void ptx_expand_distances(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t lanes, bool sum);
/* atom.v4 and red.v4: one atomic for each element, as PTX promises no more. */
void ptx_expand_elements(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t elements);

#endif

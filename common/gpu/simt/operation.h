/* operation.h: one decoded instruction and the handlers that run it on a whole warp. Private to
 * simt/.
 *
 * Every operand is a lane vector at a byte offset in the warp's register file: a virtual register
 * (slot * 128), or a slot that the decoder adds for an immediate or special register. Such constant
 * slots are filled when the register file is prepared, and never written again. So a handler has
 * one form for registers and immediates, and its loop over 32 lanes becomes vector instructions.
 * Predicates are 32-bit masks in a file of their own, with slots for constants too. */
#pragma once

#include "gpu/ptx/program.h"

enum { SIMT_LANES = 32, SIMT_SLOT_BYTES = 4 * SIMT_LANES };

struct simt_operation;

/* Runs one operation for the lanes in mask. registers and predicates are the warp's files. The
 * "full" handler may write every lane of its destinations: it is used when the lanes outside the
 * mask are no longer alive. (Votes, shuffles and predicates still use mask.) The "masked" handler
 * leaves the other lanes' values alone. */
typedef void (*simt_handler)(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                             uint32_t mask);

struct simt_operation {
    simt_handler full, masked;
    union {
        /* Byte offset of a lane vector, index of a predicate, or SIMT_NO_OPERAND for "_". */
        uint32_t destination[4];
        int64_t global_offset; /* cp.async, which has no destination: constant part of its global address */
    };
    uint32_t source[5]; /* as destination */
    uint32_t negated;   /* bit i: predicate source i is "!p"; guarded operation: all bits, or none */
    uint32_t immediate; /* for the handler: bits of access.h, cvt's width, which clock */
    union {
        uint32_t carry; /* arithmetic: predicate index of the hidden carry bits (add.cc, addc, ...) */
        uint32_t site;  /* memory: index of the site that counts its requests */
        uint32_t count; /* guarded: index of the count of excluded threads */
    };
    union {
        int64_t offset;                     /* memory: constant part of the address */
        const struct simt_operation *inner; /* guarded, or reads a clock: the operation to run */
        const struct ptx_operand *operands; /* mma: its own, destinations first */
    };
    const struct ptx_instruction *instruction;
};
#define SIMT_NO_OPERAND UINT32_MAX

/* The head of a handler. */
#define HANDLER(name)                                                                                        \
    static void name(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,       \
                     uint32_t mask)

/* Fault of a vote, match or reduction. Some of `lanes`, which name one member mask, are not in that
 * mask, or it names running lanes of `mask` with another one. PTX leaves this undefined; with
 * strict checks it is a fault, which does not return. */
void simt_wrong_members(const struct simt_operation *operation, uint8_t *registers, uint32_t lanes,
                        uint32_t mask);

/* Fault of a product or a move of matrices that only the threads in mask execute; does not return. */
_Noreturn void simt_part_of_product(const struct simt_operation *operation, uint8_t *registers,
                                    uint32_t mask);

/* Handlers are compiled in a copy for each of these hosts; all give the same results. SIMT_VARIANT
 * names the copy (room.mk), VARIANT(name) its public names: name_v4 etc. */
#ifndef SIMT_VARIANT
#define SIMT_VARIANT baseline
#endif
#define SIMT_PASTE2(a, b) a##_##b
#define SIMT_PASTE(a, b) SIMT_PASTE2(a, b)
#define VARIANT(name) SIMT_PASTE(name, SIMT_VARIANT)
enum simt_variant {
    SIMT_BASELINE,
    SIMT_V3, /* x86-64-v3: AVX2, FMA */
    SIMT_V4  /* x86-64-v4: AVX-512 */
};
enum simt_variant simt_host_variant(void); /* the best for this machine */

/* Chooses the handlers of an instruction that touches only registers and predicates: arithmetic,
 * logic, comparison, selection, conversion, moves, shuffles, votes, matches, redux, activemask.
 * False: another instruction, or a combination of type and modifiers that is not run; the decoder
 * then refuses the program by name. operands are the instruction's own, destinations first. Sets
 * full, masked and immediate; the decoder sets the operand offsets. */
bool simt_select_compute(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                         struct simt_operation *operation);

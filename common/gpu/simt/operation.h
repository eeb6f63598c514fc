/*
 * operation.h: one decoded instruction and the handlers that run it on a whole warp. Private to simt/.
 *
 * Every operand of an operation is a lane vector in the warp's register file, reached by byte offset: virtual
 * registers (slot * 128), but also immediates and special registers, for which the decoder adds slots after the
 * program's own. Such constant slots are filled once, when the register file is prepared, and never written again. So
 * a handler has one form for "register" and "immediate", reads plain arrays of 32 lanes, and a compiler turns its
 * loop into vector instructions. Predicates are 32-bit masks in a file of their own; constant predicates get slots
 * the same way.
 */
#ifndef SIMT_OPERATION_H
#define SIMT_OPERATION_H

#include "gpu/ptx/program.h"

enum { SIMT_LANES = 32, SIMT_SLOT_BYTES = 4 * SIMT_LANES };

struct simt_operation;

/*
 * Run one operation for the lanes in mask. registers and predicates are the warp's files. The "full" handler may
 * write every lane of its destinations: it is used when the lanes outside the mask are no longer alive, so what they
 * hold does not matter (votes, shuffles and predicates still look at mask). The "masked" handler must leave the other
 * lanes' values alone.
 */
typedef void (*simt_handler)(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                             uint32_t mask);

struct simt_operation {
    simt_handler full, masked;
    union {
        /* Byte offset of a lane vector, index of a predicate, or SIMT_NO_OPERAND for "_". */
        uint32_t destination[4];
        int64_t global_offset; /* cp.async, which has none: constant part of the address it reads */
    };
    uint32_t source[5]; /* the same */
    uint32_t negated;   /* bit i: predicate source i is "!p"; of a guarded operation: all bits, or none */
    uint32_t immediate; /* what a handler wants at hand: bits of access.h, cvt's width, which clock */
    union {
        uint32_t carry; /* arithmetic: predicate index of the hidden carry bits (add.cc, addc, ...) */
        uint32_t site;  /* memory: where its requests are counted */
        uint32_t count; /* guarded: where the threads it leaves out are */
    };
    union {
        int64_t offset;                     /* memory: constant part of the address */
        const struct simt_operation *inner; /* guarded, or with a clock: what is run */
    };
    const struct ptx_instruction *instruction;
};
#define SIMT_NO_OPERAND UINT32_MAX

/* The head of a handler. */
#define HANDLER(name)                                                                                        \
    static void name(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,       \
                     uint32_t mask)

/* A vote, match or reduction in which some of `lanes`, which run it and name one member mask, are not in that mask, or
 * name running lanes of `mask` that name another: undefined in PTX; with strict checks a fault, which does not return. */
void simt_wrong_members(const struct simt_operation *operation, uint8_t *registers, uint32_t lanes,
                        uint32_t mask);

/* Handlers come in copies for these hosts; all do the same. SIMT_VARIANT names the one that is compiled (room.mk),
 * VARIANT(name) what it makes public: name_v4 etc. */
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
enum simt_variant simt_host_variant(void); /* the best that this machine runs */

/*
 * The handlers of an instruction that touches registers and predicates only (arithmetic, logic, comparison,
 * selection, conversion, moves, shuffles, votes, matches, redux, activemask). False when it is not one of those or
 * its combination of type and modifiers is not run; the decoder then refuses the program by name. operands are the
 * instruction's own, destinations first. Sets full, masked and immediate; the operand offsets are the decoder's work.
 * Chosen for the host's vector width (baseline, AVX2, AVX-512) once, at decode time: results are the same bits for
 * each.
 */
bool simt_select_compute(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                         struct simt_operation *operation);

#endif

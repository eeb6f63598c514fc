/*
 * opcodes.h: the table of opcodes: one row for the forms of an opcode whose operands stand in the same places. Private to sass/.
 *
 * Bits 0 to 8 of an instruction are the operation, 9 to 11 its form. In arithmetic the form says what stands in bits 32 to 63
 * (slot 32): 1 a register, 2 and 4 an immediate, 3 and 5 constant memory, 6 and 7 a uniform register; bits 64 to 71 (slot 64)
 * hold a register. Elsewhere the form only tells apart what has little in common.
 */
#pragma once

#include "gpu/sass/instruction.h"

/* Where an instruction has its operands. */
enum sass_field {
    /* registers */
    SASS_WRITE = 1 << 0,         /* bits 16-23 */
    SASS_A = 1 << 1,             /* bits 24-31 */
    SASS_B = 1 << 2,             /* bits 32-39, whatever the form */
    SASS_C = 1 << 3,             /* bits 64-71 */
    SASS_SLOT = 1 << 4,          /* bits 32-63, by the form */
    SASS_ELSE_C = 1 << 5,        /* with SASS_SLOT: in form 1 the register is at C instead */
    SASS_WRITE_UNIFORM = 1 << 6, /* the one written is uniform, the others are not */
    SASS_UNIFORM = 1 << 7,       /* all of them are, and all predicates */
    SASS_WRITE_IS_READ = 1 << 8, /* the destination is a source too */
    /* predicates: three bits each; the bit above negates a source */
    SASS_WRITES_81 = 1 << 9,
    SASS_WRITES_84 = 1 << 10,
    SASS_READS_87 = 1 << 11,
    SASS_READS_77 = 1 << 12,
    SASS_READS_68 = 1 << 13, /* a uniform one where bit 67 is set */
    SASS_READS_24 =
        1
        << 14, /* what decides on a branch beside its guard: form 2 a uniform predicate, .DIV a uniform register */
    SASS_WRITES_UNIFORM_PREDICATE = 1 << 15,
    SASS_READS_ALL = 1 << 16, /* all that the mask in the immediate names */
    SASS_WRITES_ALL = 1 << 17,
    /* memory */
    SASS_OFFSET = 1 << 18,  /* bits 40-63, signed: added to the address */
    SASS_ADDRESS = 1 << 19, /* A is an address; of 64 bits where bit 72 says so */
    SASS_UNIFORM_32 =
        1 << 20, /* where bit 91 is set: a uniform part of the address, or its descriptor, at bits 32-39 */
    SASS_UNIFORM_64 = 1 << 21,  /* the same at bits 64-71 */
    SASS_CONSTANT_38 = 1 << 22, /* constant memory: its offset at bits 38-53, its bank at 54-58 */
    /* control */
    SASS_TARGET = 1 << 23,       /* bits 34-81, signed, words from the next instruction */
    SASS_TARGET_SPLIT = 1 << 24, /* the same; from 9.0 on bits 16-23 come below them */
    SASS_OFFSET_23 = 1 << 25,    /* bits 40-62, signed: added to the address */
    SASS_CONSTANT_37 = 1 << 26,  /* as SASS_CONSTANT_38, the offset at bits 37-53 */
    SASS_REDUCES = 1 << 27,      /* a barrier: where bits 77-79 are 2 it reads the predicate at 87 */
    SASS_IMMEDIATE_64 = 1 << 28, /* bits 24-87 */
    SASS_OFFSET_32 = 1 << 29,    /* bits 32-63, signed: added to the address, unless bit 91 is set */
    /* asynchronous copies: the shared address at bits 16-23, its offset at 44-63; the global one's at 32-43 */
    SASS_COPIES = 1 << 30,
};

/* The fields of textures and surfaces. */
#define SASS_SECOND ((uint64_t)1 << 32) /* all but the first two of the registers written are at bits 64-71 */
#define SASS_UNIFORM_40 ((uint64_t)1 << 33) /* the handle is a uniform register at bits 40-47 */

/* How many registers an operand has: itself (1, 2, 4, ...), or a rule. */
enum sass_width {
    SASS_WIDTH_MEMORY = 240, /* as the size in bits 73-75 asks for */
    SASS_WIDTH_ATOMIC,       /* as the type in bits 73-75 asks for */
    SASS_WIDTH_TO,           /* of a conversion: two where bits 75-76 say 64 bits */
    SASS_WIDTH_FROM,         /* two where bits 84-85 do */
    SASS_WIDTH_BIT_80,       /* two where bit 80 is set */
    SASS_WIDTH_FLOAT,        /* of an atomic on floats: as the type in bits 73-75 asks for */
    SASS_WIDTH_WIDE_73,      /* two where bit 73 says 64 bits */
    SASS_WIDTH_TENSOR,       /* of a matrix product: by its shape */
    SASS_WIDTH_COUNT_72,     /* 1, 2 or 4 matrices, bits 72-73 */
    SASS_WIDTH_COPY_74,      /* of an asynchronous copy: 4, 8 or 16 bytes, bits 74-75 */
    SASS_WIDTH_MASK_72,      /* of a texture: as many as bits set in 72-75 */
};

struct sass_opcode {
    uint16_t operation;   /* bits 0-8 */
    uint8_t forms;        /* bit i: form i */
    uint8_t since, until; /* architectures; 0 none */
    char mnemonic[14];
    uint8_t class, pipe, space, flow;
    uint64_t fields;
    uint8_t write, a, b, c; /* widths; 0 is 1 */
};

/* The row of bits 0 to 11, NULL when there is none. */
const struct sass_opcode *sass_find_opcode(uint32_t architecture, uint32_t bits);

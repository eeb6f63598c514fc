/*
 * decode.c: an instruction's bits to what they mean, as its row of the table says (opcodes.h).
 */
#include <string.h>

#include "gpu/sass/instruction.h"
#include "gpu/sass/opcodes.h"

struct word {
    uint64_t low, high;
};

static uint64_t little_endian(const uint8_t *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Bits first to first + count - 1; count at most 63. */
static uint64_t field(struct word word, unsigned first, unsigned count) {
    uint64_t value = first >= 64  ? word.high >> (first - 64)
                     : first == 0 ? word.low
                                  : word.low >> first | word.high << (64 - first);
    return value & (((uint64_t)1 << count) - 1);
}

static int64_t signed_field(struct word word, unsigned first, unsigned count) {
    uint64_t value = field(word, first, count);
    return value >> (count - 1) ? (int64_t)(value - ((uint64_t)1 << count)) : (int64_t)value;
}

struct decoding {
    struct word word;
    uint32_t architecture;
    const struct sass_opcode *opcode;
    struct sass_instruction *out;
};

/* Uniform registers: 63 of them before 10.0, 255 from there on. */
static uint32_t uniform_mask(const struct decoding *decoding) {
    return decoding->architecture >= 100 ? 0xff : 0x3f;
}

/* How many registers: those past the last one are not there. */
static struct sass_registers registers(uint32_t first, uint32_t count, uint32_t zero) {
    if (first >= zero) {
        return (struct sass_registers){0, 0};
    }
    return (struct sass_registers){(uint8_t)first, (uint8_t)(count > zero - first ? zero - first : count)};
}

static void read_general(struct decoding *decoding, uint32_t bits, uint32_t width) {
    struct sass_instruction *out = decoding->out;
    struct sass_registers found = registers(bits & 0xff, width, 255);
    if (found.count != 0 && out->read_count < SASS_MAX_READS) {
        out->read[out->read_count++] = found;
    }
}

static void read_uniform(struct decoding *decoding, uint32_t bits, uint32_t width) {
    struct sass_instruction *out = decoding->out;
    uint32_t mask = uniform_mask(decoding);
    struct sass_registers found = registers(bits & mask, width, mask);
    if (found.count != 0 && out->uniform_read_count < SASS_MAX_READS) {
        out->uniform_read[out->uniform_read_count++] = found;
    }
}

/* A register of an instruction whose registers are all of one kind. */
static void read_register(struct decoding *decoding, unsigned first, uint32_t width) {
    if (decoding->opcode->fields & SASS_UNIFORM) {
        read_uniform(decoding, (uint32_t)field(decoding->word, first, 8), width);
    } else {
        read_general(decoding, (uint32_t)field(decoding->word, first, 8), width);
    }
}

static uint32_t memory_bytes(struct word word) {
    static const uint8_t bytes[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[field(word, 73, 3)];
}

/* U32, S32, U64, F32, F16x2, S64, F64; from 9.0 on U32, S32, U64, S64, 128 bits. */
static uint32_t atomic_bytes(uint32_t architecture, struct word word) {
    static const uint8_t bytes[2][8] = {{4, 4, 8, 4, 4, 8, 8, 4}, {4, 4, 8, 8, 16, 4, 4, 4}};
    return bytes[architecture >= 90][field(word, 73, 3)];
}

/* F16x2, x4, x8, BF16x2, x4, x8, -, -, -, F32 and x2 and x4, twice, F64. */
static uint32_t float_atomic_bytes(struct word word) {
    static const uint8_t bytes[16] = {4, 8, 16, 4, 8, 16, 4, 4, 4, 4, 8, 16, 4, 8, 16, 8};
    return bytes[field(word, 73, 4)];
}

static uint32_t registers_of(uint32_t bytes) {
    return (bytes + 3) / 4;
}

/* Registers of a matrix product's operand. `size` is 1, 2 or 4: a's registers, of doubles in pairs. */
static uint32_t tensor_width(struct word word, int operand) {
    enum { IMMA = 0x37, BMMA = 0x3d, DMMA = 0x3f };
    uint32_t operation = (uint32_t)field(word, 0, 9), size = field(word, 75, 1) ? 4 : 2;
    bool wide = field(word, 76, 1);
    if (operation == DMMA) { /* m8n8k4, m16n8k4, m16n8k8, m16n8k16 */
        uint32_t a = 2U << field(word, 76, 2);
        return operand == 'A' ? a : operand == 'B' ? (a > 4 ? a / 2 : 2) : a > 2 ? 8 : 4;
    }
    if (operation == IMMA) { /* bits 83 and 84: of 4 bits */
        bool deep = field(word, field(word, 83, 2) != 0 ? 85 : 75, 1);
        wide = field(word, 86, 1);
        size = !wide ? 1 : deep ? 4 : 2;
    } else if (operation == BMMA) {
        size = 1U << field(word, 75, 2);
        wide = size > 1;
    } else if (field(word, 83, 1)) { /* TF32 */
        size = field(word, 78, 1) ? 2 : 4;
    }
    return operand == 'A' ? size : operand == 'B' ? (size > 2 ? 2 : 1) : wide ? 4 : 2;
}

static uint32_t width_of(const struct decoding *decoding, uint8_t width, int operand) {
    struct word word = decoding->word;
    switch (width) {
    case SASS_WIDTH_MEMORY: return registers_of(memory_bytes(word));
    case SASS_WIDTH_ATOMIC: return registers_of(atomic_bytes(decoding->architecture, word));
    case SASS_WIDTH_FLOAT: return registers_of(float_atomic_bytes(word));
    case SASS_WIDTH_TO: return field(word, 75, 2) == 3 ? 2 : 1;
    case SASS_WIDTH_FROM: return field(word, 84, 2) == 3 ? 2 : 1;
    case SASS_WIDTH_BIT_80: return field(word, 80, 1) ? 2 : 1;
    case SASS_WIDTH_WIDE_73: return field(word, 73, 1) ? 2 : 1;
    case SASS_WIDTH_TENSOR: return tensor_width(word, operand);
    case SASS_WIDTH_COUNT_72: return 1U << field(word, 72, 2);
    case SASS_WIDTH_MASK_72: return (uint32_t)__builtin_popcountll(field(word, 72, 4));
    default: return width;
    }
}

static void take_slot(struct decoding *decoding) {
    const struct sass_opcode *opcode = decoding->opcode;
    struct sass_instruction *out = decoding->out;
    uint32_t form = out->opcode >> 9, width = width_of(decoding, opcode->b, 'B');
    switch (form) {
    case 1: read_register(decoding, opcode->fields & SASS_ELSE_C ? 64 : 32, width); break;
    case 2:
    case 4:
        out->has_immediate = true;
        out->immediate = (uint32_t)field(decoding->word, 32, 32);
        break;
    case 3:
    case 5:
        if (field(decoding->word, 91, 1)) { /* by a handle in a uniform register */
            read_uniform(decoding, (uint32_t)field(decoding->word, 32, 6), 2);
        } else {
            out->has_constant = true;
            out->constant_bank = (uint8_t)field(decoding->word, 54, 5);
        }
        out->constant_offset = (int32_t)signed_field(decoding->word, 38, 16);
        break;
    default: read_uniform(decoding, (uint32_t)field(decoding->word, 32, 8), width);
    }
}

static void take_memory(struct decoding *decoding) {
    const struct sass_opcode *opcode = decoding->opcode;
    struct sass_instruction *out = decoding->out;
    struct word word = decoding->word;
    if ((opcode->fields & SASS_OFFSET_32) && !field(word, 91, 1)) {
        out->memory_offset = (int32_t)signed_field(word, 32, 32);
    } else if (opcode->fields & SASS_OFFSET) {
        out->memory_offset = (int32_t)signed_field(word, 40, 24);
    }
    if (opcode->fields & SASS_COPIES) {
        out->memory_offset = (int32_t)signed_field(word, 32, 12);
        out->bypasses_l1 = !field(word, 81, 1);
    }
    if (opcode->fields & SASS_UNIFORM_40) {
        read_uniform(decoding, (uint32_t)field(word, 40, 8), 1);
    }
    if (opcode->fields & SASS_OFFSET_23) {
        out->memory_offset = (int32_t)signed_field(word, 40, 23);
    }
    if (opcode->fields & (SASS_CONSTANT_38 | SASS_CONSTANT_37)) {
        out->has_constant = true;
        out->constant_bank = (uint8_t)field(word, 54, 5);
        out->constant_offset = (int32_t)(opcode->fields & SASS_CONSTANT_38 ? signed_field(word, 38, 16)
                                                                           : signed_field(word, 37, 17));
    }
    if (opcode->fields & SASS_IMMEDIATE_64) {
        out->has_immediate = true;
        out->immediate = word.low >> 24 | word.high << 40;
    }
    if ((opcode->fields & (SASS_UNIFORM_32 | SASS_UNIFORM_64)) && field(word, 91, 1)) {
        read_uniform(decoding, (uint32_t)field(word, opcode->fields & SASS_UNIFORM_32 ? 32 : 64, 8),
                     opcode->fields & SASS_ADDRESS ? 2 : 1);
    }
    uint8_t data = opcode->write > 200 ? opcode->write : opcode->b > 200 ? opcode->b : opcode->c;
    switch (data) {
    case SASS_WIDTH_MEMORY: out->memory_bytes = (uint8_t)memory_bytes(word); break;
    case SASS_WIDTH_ATOMIC: out->memory_bytes = (uint8_t)atomic_bytes(decoding->architecture, word); break;
    case SASS_WIDTH_FLOAT: out->memory_bytes = (uint8_t)float_atomic_bytes(word); break;
    case SASS_WIDTH_COUNT_72: out->memory_bytes = 16; break; /* a row of a matrix */
    case SASS_WIDTH_COPY_74: out->memory_bytes = (uint8_t)(4U << field(word, 74, 2)); break;
    default:
        if (out->class == SASS_BARRIER && out->space == SASS_SHARED) {
            out->memory_bytes = 8; /* a memory barrier object */
        } else if (out->space != SASS_SPACE_NONE && out->class != SASS_COPY) {
            out->memory_bytes = opcode->write == 8 || opcode->b == 8 ? 32 : 4;
        }
    }
}

static uint32_t address_width(const struct decoding *decoding) {
    uint32_t fields = decoding->opcode->fields;
    if (!(fields & SASS_ADDRESS) || !field(decoding->word, 72, 1)) {
        return 1;
    }
    bool uniform = (fields & (SASS_UNIFORM_32 | SASS_UNIFORM_64)) && field(decoding->word, 91, 1);
    return !uniform || field(decoding->word, 90, 1) ? 2 : 1;
}

static void take_registers(struct decoding *decoding) {
    const struct sass_opcode *opcode = decoding->opcode;
    struct sass_instruction *out = decoding->out;
    uint32_t first = (uint32_t)field(decoding->word, 16, 8);
    if (opcode->fields & SASS_WRITE) {
        uint32_t width = width_of(decoding, opcode->write, 'D');
        if (opcode->fields & (SASS_UNIFORM | SASS_WRITE_UNIFORM)) {
            uint32_t mask = uniform_mask(decoding);
            out->uniform_write = registers(first & mask, width, mask);
        } else {
            out->write = registers(first, width, 255);
            if ((opcode->fields & SASS_SECOND) && width > 2) {
                out->write = registers(first, 2, 255);
                out->second_write = registers((uint32_t)field(decoding->word, 64, 8), width - 2, 255);
            }
            if (opcode->fields & SASS_WRITE_IS_READ) {
                read_general(decoding, first, width);
            }
        }
    }
    if (opcode->fields & SASS_COPIES) {
        read_general(decoding, first, 1);
    }
    if (opcode->fields & SASS_A) {
        read_register(decoding, 24,
                      opcode->fields & SASS_ADDRESS ? address_width(decoding)
                                                    : width_of(decoding, opcode->a, 'A'));
    }
    if (opcode->fields & SASS_SLOT) {
        take_slot(decoding);
    }
    if (opcode->fields & SASS_B) {
        read_register(decoding, 32, width_of(decoding, opcode->b, 'B'));
    }
    if (opcode->fields & SASS_C) {
        read_register(decoding, 64, width_of(decoding, opcode->c, 'C'));
    }
}

/* The bit of a predicate; of the one that is always true, none. */
static uint8_t predicate(uint64_t index) {
    return index == SASS_ALWAYS ? 0 : (uint8_t)(1U << index);
}

static void take_predicates(struct decoding *decoding) {
    const struct sass_opcode *opcode = decoding->opcode;
    struct sass_instruction *out = decoding->out;
    struct word word = decoding->word;
    uint8_t reads = 0, writes = 0, uniform = 0;
    writes |= opcode->fields & SASS_WRITES_81 ? predicate(field(word, 81, 3)) : 0;
    writes |= opcode->fields & SASS_WRITES_84 ? predicate(field(word, 84, 3)) : 0;
    reads |= opcode->fields & SASS_READS_87 ? predicate(field(word, 87, 3)) : 0;
    reads |= opcode->fields & SASS_READS_77 ? predicate(field(word, 77, 3)) : 0;
    if (opcode->fields & SASS_READS_68) {
        *(field(word, 67, 1) ? &uniform : &reads) |= predicate(field(word, 68, 3));
    }
    if ((opcode->fields & SASS_REDUCES) && field(word, 77, 3) == 2) {
        reads |= predicate(field(word, 87, 3));
    }
    if ((opcode->fields & SASS_READS_24) && out->opcode >> 9 == 2) {
        uniform |= predicate(field(word, 24, 3));
    }
    reads |= opcode->fields & SASS_READS_ALL ? (uint8_t)(out->immediate & 0x7f) : 0;
    writes |= opcode->fields & SASS_WRITES_ALL ? (uint8_t)(out->immediate & 0x7f) : 0;
    if (opcode->fields & SASS_UNIFORM) {
        out->uniform_predicates_read |= reads | uniform;
        out->uniform_predicates_written |= writes;
    } else {
        out->predicates_read |= reads;
        out->uniform_predicates_read |= uniform;
        *(opcode->fields & SASS_WRITES_UNIFORM_PREDICATE ? &out->uniform_predicates_written
                                                         : &out->predicates_written) |= writes;
    }
}

static void take_flow(struct decoding *decoding) {
    const struct sass_opcode *opcode = decoding->opcode;
    struct sass_instruction *out = decoding->out;
    struct word word = decoding->word;
    if (opcode->fields & (SASS_TARGET | SASS_TARGET_SPLIT)) {
        int64_t words = signed_field(word, 34, 48);
        if ((opcode->fields & SASS_TARGET_SPLIT) && decoding->architecture >= 90) {
            words = words * 256 + (int64_t)field(word, 16, 8);
        }
        /* What leaves 32 bits wraps: it is outside of any function. */
        out->target = (uint32_t)((uint64_t)out->address + SASS_INSTRUCTION_BYTES + (uint64_t)words * 4);
        out->has_target = true;
    }
    out->flow = opcode->flow;
    /* .DIV and .CONV: whether the warp is diverged decides, from 8.0 on beside a mask in a uniform register. */
    bool by_mask = (opcode->fields & SASS_READS_24) && out->opcode >> 9 == 4 && field(word, 32, 2) >= 2;
    if (by_mask && decoding->architecture >= 80) {
        read_uniform(decoding, (uint32_t)field(word, 24, 8), 1);
    }
    if (out->flow != SASS_NEXT) {
        out->conditional = out->guard != SASS_ALWAYS || out->guard_negated ||
                           field(word, 87, 4) != SASS_ALWAYS || out->uniform_predicates_read != 0 || by_mask;
    }
}

bool sass_knows(uint32_t architecture) {
    return architecture >= 70 && architecture <= 129;
}

bool sass_decode(uint32_t architecture, const uint8_t bytes[SASS_INSTRUCTION_BYTES], uint32_t address,
                 struct sass_instruction *out) {
    struct word word = {little_endian(bytes), little_endian(bytes + 8)};
    struct decoding decoding = {word, architecture,
                                sass_find_opcode(architecture, (uint32_t)field(word, 0, 12)), out};
    memset(out, 0, sizeof *out);
    out->address = address;
    out->opcode = (uint16_t)field(word, 0, 12);
    out->guard = (uint8_t)field(word, 12, 3);
    out->guard_negated = field(word, 15, 1);
    out->schedule = (struct sass_schedule){
        .stall = (uint8_t)field(word, 105, 4),
        .yield = field(word, 109, 1) == 0,
        .write_barrier = (uint8_t)field(word, 110, 3),
        .read_barrier = (uint8_t)field(word, 113, 3),
        .wait_mask = (uint8_t)field(word, 116, 6),
        .reuse = (uint8_t)field(word, 122, 4),
    };
    if (decoding.opcode == NULL) {
        out->mnemonic = "?";
        return false;
    }
    out->mnemonic = decoding.opcode->mnemonic;
    out->class = decoding.opcode->class;
    out->pipe = decoding.opcode->pipe;
    out->space = decoding.opcode->space;
    bool awaits = strcmp(out->mnemonic, "DEPBAR") == 0 && field(word, 47, 1);
    out->scope = strcmp(out->mnemonic, "MEMBAR") == 0 ? (uint8_t)field(word, 76, 2) : 0;
    out->groups = awaits ? (uint8_t)field(word, 38, 6) : SASS_ANY_GROUPS;
    out->guard_uniform = decoding.opcode->fields & SASS_UNIFORM;
    *(out->guard_uniform ? &out->uniform_predicates_read : &out->predicates_read) = predicate(out->guard);
    take_registers(&decoding);
    take_memory(&decoding);
    take_predicates(&decoding);
    take_flow(&decoding);
    return true;
}

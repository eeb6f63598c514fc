/* select.c: finds the handlers of an instruction, in the copy for this machine. */
#include "gpu/simt/compute/compute.h"

#define DECLARE_GROUP(group, variant) extern const struct compute_table simt_compute_##group##_##variant;
#define LIST_GROUP(group, variant) &simt_compute_##group##_##variant,
#define COPY(variant)                                                                                        \
    COMPUTE_GROUPS(DECLARE_GROUP, variant)                                                                   \
    DECLARE_GROUP(convert_wide, variant)                                                                     \
    extern const simt_handler simt_compute_masked_##variant[];                                               \
    simt_handler simt_compute_cvt_##variant(uint32_t to_width, uint32_t from_width, bool packed);            \
    static const struct compute_table *const tables_##variant[] = {COMPUTE_GROUPS(LIST_GROUP, variant)};
COPY(baseline)
#ifdef __x86_64__
COPY(v3)
COPY(v4)
#endif

enum { GROUPS = sizeof tables_baseline / sizeof tables_baseline[0] };

/* The instruction's fields as in the rows: what PTX leaves implicit is made explicit. */
static struct compute_row key_of(const struct ptx_instruction *instruction) {
    struct compute_row key = {
        .opcode = instruction->opcode,
        .type = instruction->type,
        .source_type = instruction->source_type == instruction->type ? PTX_NOTYPE : instruction->source_type,
        .form = instruction->form,
        .compare = instruction->compare,
        .rounding = instruction->rounding,
        .flags = instruction->flags & COMPUTE_FLAGS,
    };
    switch (instruction->opcode) {
    case PTX_ADD:
    case PTX_SUB:
    case PTX_MUL:
    case PTX_MAD:
    case PTX_FMA:
        if (ptx_type_is_float(key.type) && key.rounding == PTX_ROUND_NONE)
            key.rounding = PTX_RN;
        break;
    case PTX_MIN:
    case PTX_MAX:
        if (key.flags & PTX_XORSIGN) /* .xorsign.abs is one modifier */
            key.flags &= ~(uint32_t)PTX_ABS_RESULT;
        break;
    case PTX_SETP: /* only the general handler has a second destination or a third source */
        if (instruction->destinations > 1 || instruction->sources > 2)
            key.form = COMPUTE_ANY;
        break;
    case PTX_PACK: key.form = instruction->sources; break;
    case PTX_UNPACK: key.form = instruction->destinations; break;
    case PTX_SLCT: /* rows of these opcodes name both types */
    case PTX_CVT:
        if (key.source_type == PTX_NOTYPE)
            key.source_type = key.type;
        break;
    default: break;
    }
    return key;
}

static bool matches(const struct compute_row *row, const struct compute_row *key) {
    return row->opcode == key->opcode && row->type == key->type &&
           (row->source_type == key->source_type || row->source_type == COMPUTE_ANY) &&
           (row->form == key->form || row->form == COMPUTE_ANY) &&
           (row->compare == key->compare || row->compare == COMPUTE_ANY) &&
           (row->rounding == key->rounding || row->rounding == COMPUTE_ANY) && row->flags == key->flags;
}

/* Bytes of a register for the type. */
static uint32_t natural_width(uint8_t type) {
    uint32_t bytes = ptx_type_bytes(type);
    return bytes < 2 ? 2 : bytes; /* 8-bit values live in 16-bit registers */
}

/* Whether a cvt's registers are as wide as its types. A source may be wider, below 64 bits: a
 * 32-bit lane read as a narrower type is cut. A signed result would have to be extended, so a
 * destination must match exactly. */
static bool natural_registers(const struct ptx_instruction *instruction, const struct ptx_operand *operands) {
    const struct ptx_operand *d = &operands[0], *s = &operands[1];
    uint32_t to = natural_width(instruction->type), from = natural_width(instruction->source_type);
    return (d->kind == PTX_OPERAND_NONE || d->width == to || (to == 2 && d->width == 1)) &&
           (s->width == 8) == (from == 8);
}

/* Whether a cvt is valid. False: a type is no number, or a register is narrower than its type. */
static bool cvt_is_valid(const struct ptx_instruction *instruction, const struct ptx_operand *operands) {
    uint8_t to = instruction->type, from = instruction->source_type;
    bool packed = ptx_types[to].packed == 2, from_packed = ptx_types[from].packed == 2;
    if (to < PTX_U8 || from < PTX_U8 || from_packed > packed)
        return false;
    if (instruction->sources != (packed && !from_packed ? 2 : 1) ||
        (packed && !from_packed && from != PTX_F32))
        return false;
    return (operands[0].width == 8 || natural_width(to) < 8) &&
           (operands[1].width == 8 || natural_width(from) < 8);
}

/* The tables of one copy. */
struct copy {
    const struct compute_table *const *tables;
    const struct compute_table *convert_wide;
    const simt_handler *masked;
    simt_handler (*cvt)(uint32_t to_width, uint32_t from_width, bool packed);
};
#define LIST_COPY(variant)                                                                                   \
    {                                                                                                        \
        tables_##variant, &simt_compute_convert_wide_##variant, simt_compute_masked_##variant,               \
            simt_compute_cvt_##variant                                                                       \
    }
static const struct copy copies[] = {
    [SIMT_BASELINE] = LIST_COPY(baseline),
#ifdef __x86_64__
    [SIMT_V3] = LIST_COPY(v3),
    [SIMT_V4] = LIST_COPY(v4),
#endif
};

static bool find(const struct compute_table *table, const struct compute_row *key, const struct copy *copy,
                 struct simt_operation *operation) {
    for (size_t i = 0; i < table->count; i++) {
        const struct compute_row *row = &table->rows[i];
        if (!matches(row, key))
            continue;
        operation->full = row->handler;
        operation->masked = row->masked ? row->masked : copy->masked[row->writes];
        return true;
    }
    return false;
}

/* Finds a conversion whose registers are not as wide as its types, or that has no row. */
static bool find_cvt(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                     const struct compute_row *key, const struct copy *copy,
                     struct simt_operation *operation) {
    if (!cvt_is_valid(instruction, operands))
        return false;
    uint32_t to = operands[0].width, from = operands[1].width;
    if (to == 8 && from == 8 && natural_width(key->source_type) < 8 &&
        find(copy->convert_wide, key, copy, operation))
        return true;
    operation->immediate = to == 1 ? 16 : 8 * to;
    operation->full = copy->cvt(to, from, ptx_types[key->type].packed == 2);
    operation->masked = copy->masked[to == 8 ? WRITES_64 : WRITES_32];
    return true;
}

/* Whether "_" stands only where a handler allows it: among two or more destinations. */
static bool has_destination(const struct ptx_instruction *instruction, const struct ptx_operand *operands) {
    return instruction->destinations > 1 ||
           (instruction->destinations == 1 && operands[0].kind != PTX_OPERAND_NONE) ||
           instruction->opcode == PTX_SHFL || instruction->opcode == PTX_MATCH;
}

bool simt_select_compute_variant(const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operands, enum simt_variant variant,
                                 struct simt_operation *operation) {
    if (!has_destination(instruction, operands))
        return false;
    const struct copy *copy = &copies[variant];
    struct compute_row key = key_of(instruction);
    bool is_cvt = instruction->opcode == PTX_CVT;
    if (!is_cvt || natural_registers(instruction, operands))
        for (int group = 0; group < GROUPS; group++)
            if (find(copy->tables[group], &key, copy, operation))
                return true;
    return is_cvt && find_cvt(instruction, operands, &key, copy, operation);
}

enum simt_variant simt_host_variant(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return SIMT_V4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) /* implies LZCNT, F16C, MOVBE */
        return SIMT_V3;
#endif
    return SIMT_BASELINE;
}

bool simt_select_compute(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                         struct simt_operation *operation) {
    return simt_select_compute_variant(instruction, operands, simt_host_variant(), operation);
}

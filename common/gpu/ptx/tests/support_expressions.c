/* support_expressions.c: see the header. */
#include "support_expressions.h"

#include "base/test.h"
#include <ctype.h>

static const struct expression UNKNOWN = {-1, false};

/* ---- nodes */

static bool same(struct expression a, struct expression b) {
    return a.node == b.node && a.negated == b.negated;
}

static struct expression intern(struct expressions *all, const struct expression_node *wanted) {
    for (int32_t i = 0; i < all->count; i++) {
        const struct expression_node *node = &all->nodes[i];
        if (node->kind == wanted->kind && node->saturated == wanted->saturated &&
            node->flushed == wanted->flushed && node->input == wanted->input &&
            same(node->parts[0], wanted->parts[0]) && same(node->parts[1], wanted->parts[1]) &&
            same(node->parts[2], wanted->parts[2]))
            return (struct expression){i, false};
    }
    assert_true(all->count < EXPRESSION_NODES);
    all->nodes[all->count] = *wanted;
    return (struct expression){all->count++, false};
}

static struct expression zero(struct expressions *all) {
    return intern(all,
                  &(struct expression_node){EXPRESSION_ZERO, false, false, 0, {UNKNOWN, UNKNOWN, UNKNOWN}});
}

static void order(struct expression *a, struct expression *b) {
    if (a->node > b->node || (a->node == b->node && a->negated && !b->negated)) {
        struct expression c = *a;
        *a = *b;
        *b = c;
    }
}

/* Moves a product's sign to its first factor, or out of the product if nothing is clamped. */
static bool move_sign(struct expression *a, struct expression *b) {
    bool negated = a->negated != b->negated;
    a->negated = b->negated = false;
    order(a, b);
    return negated;
}

static struct expression product(struct expressions *all, struct expression a, struct expression b,
                                 bool saturated, bool flushed) {
    bool negated = move_sign(&a, &b);
    a.negated = saturated && negated;
    struct expression value =
        intern(all, &(struct expression_node){EXPRESSION_PRODUCT, saturated, flushed, 0, {a, b, UNKNOWN}});
    value.negated = !saturated && negated;
    return value;
}

static bool is_minus_zero(const struct expressions *all, struct expression value) {
    return value.node >= 0 && value.negated && all->nodes[value.node].kind == EXPRESSION_ZERO;
}

static struct expression sum(struct expressions *all, struct expression a, struct expression b,
                             bool saturated, bool flushed) {
    if (is_minus_zero(all, a) && !saturated)
        return b; /* the machine's form of a negation */
    if (is_minus_zero(all, b) && !saturated)
        return a;
    order(&a, &b);
    return intern(all, &(struct expression_node){EXPRESSION_SUM, saturated, flushed, 0, {a, b, UNKNOWN}});
}

static struct expression fused(struct expressions *all, struct expression a, struct expression b,
                               struct expression c, bool saturated, bool flushed) {
    if (is_minus_zero(all, c))
        return product(all, a, b, saturated,
                       flushed); /* packed halves have no other multiplication in one pipe */
    a.negated = move_sign(&a, &b);
    if (a.negated && !saturated && a.node == zero(all).node && b.node == a.node)
        return c; /* likewise */
    return intern(all, &(struct expression_node){EXPRESSION_FUSED, saturated, flushed, 0, {a, b, c}});
}

static struct expression input(struct expressions *all, uint32_t index) {
    return intern(
        all, &(struct expression_node){EXPRESSION_INPUT, false, false, index, {UNKNOWN, UNKNOWN, UNKNOWN}});
}

static struct expression minus(struct expression value, bool negated) {
    value.negated ^= negated;
    return value;
}

void expression_print(const struct expressions *all, struct expression value, char *text, size_t size) {
    static const char *const names[] = {"", "0", "*", "+", "fma"};
    char parts[3][256] = {"", "", ""};
    if (value.node < 0) {
        snprintf(text, size, "?");
        return;
    }
    const struct expression_node *node = &all->nodes[value.node];
    for (uint32_t p = 0; p < 3 && node->parts[p].node >= 0 && size > 16; p++)
        expression_print(all, node->parts[p], parts[p],
                         size / 3 < sizeof parts[p] ? size / 3 : sizeof parts[p]);
    if (node->kind == EXPRESSION_INPUT)
        snprintf(text, size, "%sx%u", value.negated ? "-" : "", node->input);
    else
        snprintf(text, size, "%s%s%s(%s, %s%s%s)", value.negated ? "-" : "", names[node->kind],
                 node->saturated ? ".sat" : "", parts[0], parts[1], parts[2][0] ? ", " : "", parts[2]);
}

/* ---- a program */

static struct expression read_operand(struct expressions *all, const struct ptx_operand *operand,
                                      const struct expression *registers) {
    if (operand->slot >= 0 && operand->slot < EXPRESSION_REGISTERS)
        return registers[operand->slot];
    if (operand->kind == PTX_OPERAND_IMMEDIATE && operand->value == 0)
        return zero(all);
    return UNKNOWN;
}

static struct expression result_of(struct expressions *all, const struct ptx_instruction *instruction,
                                   const struct expression *sources) {
    bool saturated = instruction->flags & PTX_SAT, flushed = instruction->flags & PTX_FTZ;
    switch (instruction->opcode) {
    case PTX_MOV: return sources[0];
    case PTX_NEG: return minus(sources[0], true);
    case PTX_MUL: return product(all, sources[0], sources[1], saturated, flushed);
    case PTX_ADD: return sum(all, sources[0], sources[1], saturated, flushed);
    case PTX_SUB: return sum(all, sources[0], minus(sources[1], true), saturated, flushed);
    case PTX_FMA:
        return fused(all, minus(sources[0], instruction->flags & PTX_NEGATED_PRODUCT), sources[1],
                     minus(sources[2], instruction->flags & PTX_NEGATED_ADDEND), saturated, flushed);
    default: return UNKNOWN;
    }
}

bool expressions_of_program(struct expressions *all, const struct ptx_function *function, uint32_t bytes,
                            struct expression outputs[EXPRESSION_OUTPUTS]) {
    struct expression registers[EXPRESSION_REGISTERS];
    for (uint32_t i = 0; i < EXPRESSION_REGISTERS; i++)
        registers[i] = UNKNOWN;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operands = &function->operands[instruction->operand];
        const struct ptx_operand *source = operands + instruction->destinations;
        struct expression sources[4] = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}, value = UNKNOWN;
        for (uint32_t s = 0; s < instruction->sources && s < 4; s++)
            sources[s] = read_operand(all, &source[s], registers);
        bool global = instruction->space == PTX_GLOBAL;
        if (instruction->opcode == PTX_ST && global)
            outputs[source[0].value / bytes % EXPRESSION_OUTPUTS] = sources[1];
        else if (instruction->opcode == PTX_LD && global)
            value = input(all, (uint32_t)(source[0].value / bytes));
        else
            value = result_of(all, instruction, sources);
        if (instruction->destinations == 1 && operands[0].slot >= 0) {
            if (operands[0].slot >= EXPRESSION_REGISTERS)
                return false;
            registers[operands[0].slot] = value;
        }
    }
    return true;
}

/* ---- machine code */

struct machine_line {
    char *mnemonic, *operands[6];
    uint32_t count;
};

/* Splits an address between comment marks, then "FFMA R7, R0, -R9.reuse, R3 ;". */
static bool split_line(char *text, struct machine_line *line) {
    char *end = strchr(text, ';'), *start = strstr(text, "*/");
    if (end == NULL || start == NULL)
        return false;
    *end = '\0';
    line->count = 0;
    line->mnemonic = start + 2 + strspn(start + 2, " \t");
    char *rest = line->mnemonic + strcspn(line->mnemonic, " \t");
    while (*rest && line->count < 6) {
        *rest++ = '\0';
        rest += strspn(rest, " \t");
        line->operands[line->count++] = rest;
        rest += strcspn(rest, ",");
    }
    return true;
}

static struct expression read_register(struct expressions *all, const char *text,
                                       const struct expression *registers) {
    bool negated = *text == '-';
    text += negated;
    if (strncmp(text, "RZ", 2) == 0)
        return minus(zero(all), negated);
    char *end = NULL;
    long number = *text == 'R' ? strtol(text + 1, &end, 10) : -1;
    bool whole =
        number >= 0 && (*end == '\0' || isspace((unsigned char)*end) || strncmp(end, ".reuse", 6) == 0);
    return whole && number < EXPRESSION_REGISTERS ? minus(registers[number], negated) : UNKNOWN;
}

/* The 16 of "desc[UR4][R2.64+0x10]". */
static uint32_t offset_of(const char *address) {
    const char *plus = strstr(address, "+0x");
    return plus != NULL ? (uint32_t)strtoul(plus + 3, NULL, 16) : 0;
}

static struct expression machine_result(struct expressions *all, const struct machine_line *line,
                                        const struct expression *registers) {
    struct expression sources[3] = {UNKNOWN, UNKNOWN, UNKNOWN};
    for (uint32_t s = 1; s < line->count && s < 4; s++)
        sources[s - 1] = read_register(all, line->operands[s], registers);
    const char *word = line->mnemonic + 1;
    bool saturated = strstr(word, ".SAT") != NULL, flushed = strstr(word, ".FTZ") != NULL;
    if (strncmp(line->mnemonic, "MOV", 3) == 0)
        return sources[0];
    if (strncmp(line->mnemonic, "IMAD.MOV", 8) == 0)
        return sources[2];
    if (strchr("FDH", *line->mnemonic) == NULL)
        return UNKNOWN;
    if (strncmp(word, "MUL", 3) == 0)
        return product(all, sources[0], sources[1], saturated, flushed);
    if (strncmp(word, "ADD", 3) == 0)
        return sum(all, sources[0], sources[1], saturated, flushed);
    if (strncmp(word, "FMA", 3) != 0)
        return UNKNOWN;
    if (line->count == 5 && strcmp(line->operands[2], "1") == 0) /* packed: x, 1, 1, y */
        return sum(all, sources[0], read_register(all, line->operands[4], registers), saturated, flushed);
    return fused(all, sources[0], sources[1], sources[2], saturated, flushed);
}

bool expressions_of_listing(struct expressions *all, char *listing, uint32_t bytes,
                            struct expression outputs[EXPRESSION_OUTPUTS]) {
    struct expression registers[EXPRESSION_REGISTERS];
    for (uint32_t i = 0; i < EXPRESSION_REGISTERS; i++)
        registers[i] = UNKNOWN;
    char *rest = NULL;
    for (char *text = strtok_r(listing, "\n", &rest); text != NULL; text = strtok_r(NULL, "\n", &rest)) {
        struct machine_line line;
        if (!split_line(text, &line) || line.count < 2)
            continue;
        if (strncmp(line.mnemonic, "STG", 3) == 0) {
            outputs[offset_of(line.operands[0]) / bytes % EXPRESSION_OUTPUTS] =
                read_register(all, line.operands[1], registers);
            continue;
        }
        if (line.operands[0][0] != 'R' || !isdigit((unsigned char)line.operands[0][1]))
            continue;
        long number = strtol(line.operands[0] + 1, NULL, 10);
        if (number >= EXPRESSION_REGISTERS)
            return false;
        registers[number] = strncmp(line.mnemonic, "LDG", 3) == 0
                                ? input(all, offset_of(line.operands[1]) / bytes)
                                : machine_result(all, &line, registers);
    }
    return true;
}

/* contract.c: makes products and sums one fused operation where ptxas does (README.md has the rules
 * and their origin). nvcc writes `mul` and `add` or `sub` without a rounding where the language
 * allows one rounding, and ptxas then fuses some of them. The last bits of a result show which.
 *
 * Within a stretch (stretches.c) a product's value is followed through copies and negations to its
 * reads. A product can be fused if only sums that may take it in read it. Then each sum, in order,
 * takes one product in; its other operand becomes the addend. */
#include "gpu/ptx/internal.h"
#include <string.h>

enum { MOST_ROUNDS = 64 }; /* longer chains of unread results, against the order of the text, count as read */

/* A mul without rounding in this stretch. */
struct product {
    uint32_t instruction;
    uint32_t reads;       /* by sums of the stretch */
    bool kept;            /* another instruction needs its value */
    uint32_t versions[2]; /* of its two factors */
};

/* An operand of a sum, traced back to a product. */
struct term {
    struct product *product; /* NULL: none */
    bool negated;
};

/* An instruction that makes a product or copies it. */
struct carrier {
    uint32_t instruction;
    struct product *product;
};

struct sum {
    uint32_t instruction;
    struct term terms[2];
    bool fused;
};

/* A register's value at a place in a stretch. */
struct holding {
    uint32_t stretch, version; /* number of writes so far; `value` is valid in this stretch */
    struct term value;
};

struct contraction {
    struct ptx_parser *parser;
    struct ptx_body *body;
    struct ptx_stretches stretches;
    struct holding *holdings;     /* by register */
    uint32_t *reads, *idle_reads; /* by register: reads by instructions with an effect, and by others */
    bool *dead;                   /* by instruction: its result is never used */
    bool *comes_in;               /* by register: some stretch reads its earlier value */
    struct product *products;
    struct sum *sums;
    struct carrier *carriers;
    uint32_t product_count, sum_count, carrier_count; /* of the stretch */
    bool *removed;                                    /* by instruction */
};

static struct ptx_instruction *instruction_at(const struct contraction *c, uint32_t index) {
    return &c->body->instructions.items[index];
}

static struct ptx_operand *operands_of(const struct contraction *c,
                                       const struct ptx_instruction *instruction) {
    return c->body->operands.items != NULL ? c->body->operands.items + instruction->operand : NULL;
}

static struct ptx_operand *source_of(const struct contraction *c, const struct ptx_instruction *instruction,
                                     uint32_t index) {
    return operands_of(c, instruction) + instruction->destinations + index;
}

/* ---- what ptxas takes for a product, a sum, a copy */

static bool rounds_freely(const struct ptx_instruction *instruction) {
    return ptx_type_is_float((enum ptx_type)instruction->type) && instruction->rounding == PTX_ROUND_NONE;
}

static bool is_product(const struct ptx_instruction *instruction) {
    return instruction->opcode == PTX_MUL && rounds_freely(instruction) && instruction->guard < 0 &&
           !(instruction->flags & PTX_SAT);
}

static bool is_sum(const struct ptx_instruction *instruction) {
    return (instruction->opcode == PTX_ADD || instruction->opcode == PTX_SUB) && rounds_freely(instruction);
}

static bool is_packed(const struct ptx_instruction *instruction) {
    return ptx_types[instruction->type].packed > 1;
}

/* ---- reads of registers */

static bool has_effect(const struct ptx_instruction *instruction) {
    const struct ptx_nature *nature = ptx_nature(instruction);
    return instruction->destinations == 0 || nature->control != PTX_CONTROL_NONE ||
           nature->memory == PTX_MEMORY_STORE || nature->memory == PTX_MEMORY_ATOMIC ||
           nature->memory == PTX_MEMORY_COPY || nature->class == PTX_CLASS_SYNCHRONISATION ||
           nature->lanes == PTX_LANES_CARRY || (instruction->flags & (PTX_CARRY_OUT | PTX_VOLATILE));
}

/* Adds `change` (1, or -1 as unsigned) to the reads of each register that the instruction reads. */
static void add_reads(const struct contraction *c, uint32_t *reads, const struct ptx_instruction *instruction,
                      uint32_t change) {
    const struct ptx_operand *operands = operands_of(c, instruction);
    uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
    for (uint32_t o = instruction->destinations; o < total; o++)
        if (operands[o].slot >= 0)
            reads[operands[o].slot] += change;
    if (instruction->guard >= 0)
        reads[instruction->guard] += change;
}

static bool results_unread(const struct contraction *c, const struct ptx_instruction *instruction) {
    const struct ptx_operand *operands = operands_of(c, instruction);
    for (uint32_t o = 0; o < instruction->destinations; o++)
        if (operands[o].slot >= 0 && c->reads[operands[o].slot])
            return false;
    return true;
}

/* Finds dead instructions, which ptxas removes first. A register that is read keeps all its
 * writes. */
static void find_dead(struct contraction *c) {
    uint32_t count = c->body->instructions.count;
    for (uint32_t i = 0; i < count; i++)
        add_reads(c, c->reads, instruction_at(c, i), 1);
    bool news = true;
    for (uint32_t round = 0; news && round < MOST_ROUNDS; round++) {
        news = false;
        for (uint32_t i = count; i-- > 0;) {
            const struct ptx_instruction *instruction = instruction_at(c, i);
            if (c->dead[i] || has_effect(instruction) || !results_unread(c, instruction))
                continue;
            c->dead[i] = news = true;
            add_reads(c, c->reads, instruction, (uint32_t)-1);
            add_reads(c, c->idle_reads, instruction, 1);
        }
    }
}

/* ---- a stretch */

static struct term value_of(const struct contraction *c, uint32_t stretch,
                            const struct ptx_operand *operand) {
    const struct holding *holding = operand->slot >= 0 ? &c->holdings[operand->slot] : NULL;
    return holding != NULL && holding->stretch == stretch ? holding->value : (struct term){NULL, false};
}

static bool is_one(const struct ptx_operand *operand, enum ptx_type type, bool *negated) {
    uint64_t sign = type == PTX_F64 ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
    uint64_t bits = (uint64_t)operand->value & (type == PTX_F64 ? UINT64_MAX : UINT32_MAX);
    *negated = (bits & sign) != 0;
    return operand->kind == PTX_OPERAND_IMMEDIATE &&
           (bits & ~sign) == (type == PTX_F64 ? 0x3ff0000000000000 : 0x3f800000);
}

/* Whether the instruction copies a product or its negation; *value becomes the copy. */
static bool hands_on(const struct contraction *c, uint32_t stretch, const struct ptx_instruction *instruction,
                     struct term *value) {
    if (instruction->guard >= 0 || instruction->destinations != 1 || instruction->sources == 0)
        return false;
    *value = value_of(c, stretch, source_of(c, instruction, 0));
    if (value->product == NULL)
        return false;
    const struct ptx_instruction *product = instruction_at(c, value->product->instruction);
    enum ptx_type type = (enum ptx_type)instruction->type;
    bool minus = false;
    switch (instruction->opcode) {
    case PTX_MOV: return ptx_type_bytes(type) == ptx_type_bytes((enum ptx_type)product->type);
    case PTX_NEG:
        value->negated = !value->negated;
        return type == product->type && type != PTX_BF16X2 &&
               (!(instruction->flags & PTX_FTZ) || product->flags & PTX_FTZ);
    case PTX_ABS: /* of a square */
        return type == PTX_F32 && product->type == PTX_F32 && !instruction->flags && !value->negated &&
               source_of(c, product, 0)->slot >= 0 &&
               source_of(c, product, 0)->slot == source_of(c, product, 1)->slot;
    case PTX_MUL: /* by one */
        if (type != product->type || (type != PTX_F32 && type != PTX_F64) || !is_product(instruction) ||
            instruction->flags != (product->flags & PTX_FTZ) ||
            !is_one(source_of(c, instruction, 1), type, &minus))
            return false;
        value->negated ^= minus;
        return true;
    default: return false;
    }
}

/* Whether the sum may take the product in: it has the same kind, and the factors are unchanged. */
static bool may_take(const struct contraction *c, const struct ptx_instruction *sum,
                     const struct product *product) {
    const struct ptx_instruction *mul = instruction_at(c, product->instruction);
    for (uint32_t s = 0; s < 2; s++) {
        const struct ptx_operand *factor = source_of(c, mul, s);
        if (factor->slot >= 0 && c->holdings[factor->slot].version != product->versions[s])
            return false;
    }
    return mul->type == sum->type && !((mul->flags ^ sum->flags) & PTX_FTZ);
}

static void note_sum(struct contraction *c, uint32_t stretch, uint32_t index) {
    const struct ptx_instruction *instruction = instruction_at(c, index);
    struct sum sum = {.instruction = index};
    for (uint32_t s = 0; s < 2; s++)
        sum.terms[s] = value_of(c, stretch, source_of(c, instruction, s));
    bool same = sum.terms[0].product == sum.terms[1].product;
    bool any = false;
    for (uint32_t s = 0; s < 2; s++) {
        struct product *product = sum.terms[s].product;
        if (product == NULL)
            continue;
        product->reads++;
        product->kept |= same || !may_take(c, instruction, product);
        any |= !product->kept;
    }
    if (instruction->opcode == PTX_SUB)
        sum.terms[1].negated = !sum.terms[1].negated;
    if (any)
        c->sums[c->sum_count++] = sum;
}

static void keep_sources(struct contraction *c, uint32_t stretch, const struct ptx_instruction *instruction) {
    const struct ptx_operand *operands = operands_of(c, instruction);
    uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
    for (uint32_t o = instruction->destinations; o < total; o++) {
        struct term value = value_of(c, stretch, &operands[o]);
        if (value.product != NULL)
            value.product->kept = true;
    }
}

static void note_results(struct contraction *c, uint32_t stretch, uint32_t index, struct term value) {
    const struct ptx_instruction *instruction = instruction_at(c, index);
    const struct ptx_operand *operands = operands_of(c, instruction);
    for (uint32_t o = 0; o < instruction->destinations; o++) {
        if (operands[o].slot < 0)
            continue;
        struct term before = value_of(c, stretch, &operands[o]);
        if (instruction->guard >= 0 && before.product != NULL)
            before.product->kept = true; /* other threads keep its old value */
        struct holding *holding = &c->holdings[operands[o].slot];
        *holding = (struct holding){stretch, holding->version + 1, value};
        if (value.product != NULL)
            c->carriers[c->carrier_count++] = (struct carrier){index, value.product};
    }
}

static struct product *new_product(struct contraction *c, uint32_t index) {
    struct product *product = &c->products[c->product_count++];
    *product = (struct product){.instruction = index};
    for (uint32_t s = 0; s < 2; s++) {
        int32_t slot = source_of(c, instruction_at(c, index), s)->slot;
        product->versions[s] = slot >= 0 ? c->holdings[slot].version : 0;
        const struct ptx_operand *operands = operands_of(c, instruction_at(c, index));
        if (slot >= 0 && operands[0].slot == slot)
            product->kept = true; /* it overwrites one of its factors */
    }
    return product;
}

/* Finds the products and sums of a stretch (from 1), and the products that others need. */
static void look_at(struct contraction *c, uint32_t stretch) {
    c->product_count = c->sum_count = c->carrier_count = 0;
    for (uint32_t at = c->stretches.starts[stretch - 1]; at < c->stretches.starts[stretch]; at++) {
        uint32_t index = c->stretches.order[at];
        const struct ptx_instruction *instruction = instruction_at(c, index);
        struct term value = {NULL, false};
        if (c->dead[index])
            continue;
        if (!hands_on(c, stretch, instruction, &value)) {
            value = (struct term){NULL, false};
            if (is_sum(instruction))
                note_sum(c, stretch, index);
            else
                keep_sources(c, stretch, instruction);
            if (is_product(instruction))
                value.product = new_product(c, index);
        }
        note_results(c, stretch, index, value);
    }
    for (uint32_t i = 0; i < c->carrier_count; i++) {
        int32_t slot = operands_of(c, instruction_at(c, c->carriers[i].instruction))[0].slot;
        const struct holding *holding = &c->holdings[slot];
        if (holding->stretch == stretch && holding->value.product == c->carriers[i].product &&
            c->comes_in[slot])
            holding->value.product->kept = true;
    }
}

/* ---- which sum takes which product */

static bool takes(const struct term *term, bool alone) {
    return term->product != NULL && !term->product->kept && (!alone || term->product->reads == 1);
}

/* The operand that a sum takes in: the one with fewer reads, or the first. -1: none. */
static int choose(const struct sum *sum, bool alone) {
    bool first = takes(&sum->terms[0], alone), second = takes(&sum->terms[1], alone);
    if (first && second)
        return sum->terms[1].product->reads < sum->terms[0].product->reads;
    return first ? 0 : second ? 1 : -1;
}

/* Turns a sum into a * b + c, with the signs as flags. */
static void fuse(struct contraction *c, struct sum *sum, int taken) {
    struct ptx_instruction *instruction = instruction_at(c, sum->instruction);
    const struct ptx_instruction *mul = instruction_at(c, sum->terms[taken].product->instruction);
    struct ptx_operand operands[4] = {operands_of(c, instruction)[0], *source_of(c, mul, 0),
                                      *source_of(c, mul, 1), *source_of(c, instruction, 1 - (uint32_t)taken)};
    bool subtracts = instruction->opcode == PTX_SUB;
    instruction->opcode = PTX_FMA;
    instruction->rounding = PTX_RN;
    instruction->flags |= (sum->terms[taken].negated ? (uint32_t)PTX_NEGATED_PRODUCT : 0) |
                          (subtracts && taken == 0 ? (uint32_t)PTX_NEGATED_ADDEND : 0);
    instruction->sources = 3;
    instruction->operand = c->body->operands.count;
    for (uint32_t o = 0; o < 4; o++)
        PTX_APPEND(c->parser, &c->body->operands, operands[o]);
    sum->fused = true;
}

static void choose_all(struct contraction *c, bool alone) {
    for (uint32_t s = 0; s < c->sum_count; s++) {
        struct sum *sum = &c->sums[s];
        int taken =
            sum->fused || (alone && is_packed(instruction_at(c, sum->instruction))) ? -1 : choose(sum, alone);
        if (taken < 0)
            continue;
        if (sum->terms[1 - taken].product != NULL)
            sum->terms[1 - taken].product->kept = true;
        fuse(c, sum, taken);
    }
}

/* ---- what remains */

/* Removes products that all their reads have taken in. What dead instructions read stays. */
static void remove_taken(struct contraction *c) {
    for (uint32_t i = 0; i < c->carrier_count; i++) {
        const struct carrier *carrier = &c->carriers[i];
        int32_t slot = operands_of(c, instruction_at(c, carrier->instruction))[0].slot;
        c->removed[carrier->instruction] =
            carrier->product->reads > 0 && !carrier->product->kept && !c->idle_reads[slot];
    }
}

/* Closes the gaps; a label moves to the next remaining instruction. */
static bool close_gaps(struct contraction *c) {
    struct ptx_body *body = c->body;
    uint32_t *place = ptx_work(c->parser, ((size_t)body->instructions.count + 1) * sizeof *place);
    uint32_t left = 0;
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        place[i] = left;
        if (!c->removed[i])
            body->instructions.items[left++] = body->instructions.items[i];
    }
    bool gaps = left < body->instructions.count;
    body->instructions.count = left;
    for (uint32_t i = 0; i < left; i++)
        if (body->instructions.items[i].opcode == PTX_BRA)
            body->instructions.items[i].target = (int32_t)place[body->instructions.items[i].target];
    for (uint32_t t = 0; t < body->tables.count; t++)
        for (uint32_t i = 0; i < body->tables.items[t].count; i++)
            body->tables.items[t].targets[i] = (int32_t)place[body->tables.items[t].targets[i]];
    return gaps;
}

/* Finds registers that some stretch reads before it has written them. */
static void find_coming_in(struct contraction *c) {
    uint32_t *written_in = ptx_work(c->parser, ((size_t)c->body->registers.count + 1) * sizeof *written_in);
    for (uint32_t stretch = 1; stretch <= c->stretches.count; stretch++)
        for (uint32_t at = c->stretches.starts[stretch - 1]; at < c->stretches.starts[stretch]; at++) {
            const struct ptx_instruction *instruction = instruction_at(c, c->stretches.order[at]);
            const struct ptx_operand *operands = operands_of(c, instruction);
            uint32_t total = (uint32_t)instruction->destinations + instruction->sources;
            if (c->dead[c->stretches.order[at]])
                continue;
            for (uint32_t o = instruction->destinations; o < total; o++)
                if (operands[o].slot >= 0 && written_in[operands[o].slot] != stretch)
                    c->comes_in[operands[o].slot] = true;
            for (uint32_t o = 0; o < instruction->destinations && instruction->guard < 0; o++)
                if (operands[o].slot >= 0)
                    written_in[operands[o].slot] = stretch;
        }
}

/* Counts products and sums that could be fused; if either is 0, nothing is. */
static void count_candidates(const struct ptx_body *body, uint32_t *products, uint32_t *sums) {
    *products = *sums = 0;
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        *products += is_product(&body->instructions.items[i]);
        *sums += is_sum(&body->instructions.items[i]);
    }
}

bool ptx_contract(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow) {
    uint32_t products, sums, registers = body->registers.count, count = body->instructions.count;
    count_candidates(body, &products, &sums);
    if (!products || !sums)
        return false;
    struct contraction c = {.parser = parser,
                            .body = body,
                            .holdings = ptx_work(parser, registers * sizeof *c.holdings),
                            .reads = ptx_work(parser, registers * sizeof *c.reads),
                            .idle_reads = ptx_work(parser, registers * sizeof *c.idle_reads),
                            .dead = ptx_work(parser, count),
                            .removed = ptx_work(parser, count),
                            .comes_in = ptx_work(parser, registers),
                            .products = ptx_work(parser, products * sizeof *c.products),
                            .sums = ptx_work(parser, sums * sizeof *c.sums),
                            .carriers = ptx_work(parser, count * sizeof *c.carriers)};
    ptx_find_stretches(parser, body, flow, &c.stretches);
    find_dead(&c);
    find_coming_in(&c);
    for (uint32_t stretch = 1; stretch <= c.stretches.count; stretch++) {
        look_at(&c, stretch);
        choose_all(&c, true);
        choose_all(&c, false);
        remove_taken(&c);
    }
    return close_gaps(&c);
}

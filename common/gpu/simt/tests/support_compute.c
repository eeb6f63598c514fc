/* support_compute.c: runs one register instruction in every way that the simulator has. */
#include "support_compute.h"

#include "gpu/simt/compute/compute.h"

enum { SLOTS = 64, PREDICATES = 16, FIRST_SOURCE = 16, FIRST_DESTINATION = 2, OWN_PLACE = -1 };

struct machine {
    uint8_t registers[SLOTS * SIMT_SLOT_BYTES] __attribute__((aligned(64)));
    uint32_t predicates[PREDICATES];
};

/* The operands as letters, and their places. */
struct layout {
    int destinations, sources;
    char kind[9];
    int slot[9];
};

static int width_of(char kind) {
    return kind == '2' || kind == '4' || kind == '8' ? kind - '0' : 0;
}

static struct layout layout_of(const char *shape, int on_source, int half) {
    struct layout layout = {0};
    int count = 0;
    bool sources = false;
    for (const char *p = shape; *p; p++) {
        if (*p == ':') {
            sources = true;
            continue;
        }
        assert_true(count < 9);
        layout.kind[count] = *p;
        bool predicate = *p == 'p' || *p == '!';
        int index = sources ? layout.sources++ : layout.destinations++;
        layout.slot[count++] = predicate
                                   ? (sources ? 8 + index : 1 + index)
                                   : (sources ? FIRST_SOURCE + 4 * index : FIRST_DESTINATION + 2 * index);
    }
    if (on_source >= 0) { /* destination 0 overlaps that source, or half of it */
        int at = layout.slot[layout.destinations + on_source] + half;
        layout.slot[0] = at;
    }
    return layout;
}

static void put(struct machine *machine, char kind, int slot, int lane, uint64_t value) {
    if (kind == '8')
        memcpy(&machine->registers[slot * SIMT_SLOT_BYTES + 8 * lane], &value, 8);
    else if (kind == '2' || kind == '4')
        memcpy(&machine->registers[slot * SIMT_SLOT_BYTES + 4 * lane],
               &(uint32_t){kind == '2' ? (uint16_t)value : (uint32_t)value}, 4);
    else
        machine->predicates[slot] = (machine->predicates[slot] & ~(1u << lane)) | (uint32_t)(value & 1)
                                                                                      << lane;
}

static uint64_t get(const struct machine *machine, char kind, int slot, int lane) {
    uint64_t wide = 0;
    uint32_t word = 0;
    if (kind == '_')
        return 0;
    if (kind == '8') {
        memcpy(&wide, &machine->registers[slot * SIMT_SLOT_BYTES + 8 * lane], 8);
        return wide;
    }
    if (kind == '2' || kind == '4') {
        memcpy(&word, &machine->registers[slot * SIMT_SLOT_BYTES + 4 * lane], 4);
        return word; /* of a 16-bit register too, whose upper half must be zero */
    }
    return machine->predicates[slot] >> lane & 1;
}

static void prepare(const struct layout *layout, struct ptx_instruction *instruction,
                    struct ptx_operand *operands, struct simt_operation *operation) {
    memset(operation, 0, sizeof *operation);
    memset(operands, 0, 9 * sizeof *operands);
    instruction->destinations = (uint8_t)layout->destinations;
    instruction->sources = (uint8_t)layout->sources;
    instruction->guard = -1;
    operation->instruction = instruction;
    operation->carry = 0;
    for (int i = 0; i < 4; i++)
        operation->destination[i] = SIMT_NO_OPERAND;
    for (int i = 0; i < 5; i++)
        operation->source[i] = SIMT_NO_OPERAND;
    for (int i = 0; i < layout->destinations + layout->sources; i++) {
        char kind = layout->kind[i];
        bool predicate = kind == 'p' || kind == '!', source = i >= layout->destinations;
        operands[i].kind = kind == '_' ? PTX_OPERAND_NONE
                           : predicate ? PTX_OPERAND_PREDICATE
                                       : PTX_OPERAND_REGISTER;
        operands[i].width = (uint8_t)width_of(kind);
        operands[i].slot = layout->slot[i];
        operands[i].negated = kind == '!';
        if (kind == '_')
            continue;
        uint32_t place = predicate ? (uint32_t)layout->slot[i] : (uint32_t)layout->slot[i] * SIMT_SLOT_BYTES;
        if (source)
            operation->source[i - layout->destinations] = place;
        else
            operation->destination[i] = place;
        if (kind == '!')
            operation->negated |= 1u << (i - layout->destinations);
    }
}

/* One run. before: the contents of destinations that overlap no source. */
static void run_once(const struct layout *layout, struct ptx_instruction *instruction, lanes *source,
                     uint32_t mask, bool masked, enum simt_variant variant, struct outcome *outcome) {
    static struct machine machine;
    memset(&machine, 0, sizeof machine);
    struct ptx_operand operands[9];
    struct simt_operation operation;
    prepare(layout, instruction, operands, &operation);
    assert_true(simt_select_compute_variant(instruction, operands, variant, &operation));
    for (int i = 0; i < layout->sources; i++)
        for (int lane = 0; lane < SIMT_LANES; lane++)
            put(&machine, layout->kind[layout->destinations + i], layout->slot[layout->destinations + i],
                lane, source[i][lane]);
    machine.predicates[0] = (uint32_t)source[4][0]; /* carry in */
    static struct machine before;
    before = machine;
    (masked ? operation.masked : operation.full)(&operation, machine.registers, machine.predicates, mask);
    for (int i = 0; i < layout->destinations; i++)
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            outcome->d[i][lane] = get(&machine, layout->kind[i], layout->slot[i], lane);
            if (!(mask >> lane & 1)) {
                if (masked)
                    assert_int_equal(outcome->d[i][lane],
                                     get(&before, layout->kind[i], layout->slot[i], lane));
                outcome->d[i][lane] = 0;
            }
        }
    if (masked)
        assert_int_equal(machine.predicates[0] & ~mask, before.predicates[0] & ~mask);
    if (layout->destinations < 4) /* the last outcome is the carry */
        for (int lane = 0; lane < SIMT_LANES; lane++)
            outcome->d[3][lane] = machine.predicates[0] >> lane & mask >> lane & 1;
}

static void expect_same(const struct outcome *a, const struct outcome *b, const struct layout *layout,
                        const char *what) {
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < SIMT_LANES; lane++)
            if ((i < layout->destinations || i == 3) && a->d[i][lane] != b->d[i][lane])
                fail_msg("%s: destination %d lane %d: %#llx, otherwise %#llx", what, i, lane,
                         (unsigned long long)a->d[i][lane], (unsigned long long)b->d[i][lane]);
}

/* A full and a masked run are compared in the lanes of `keep`. */
static void keep_lanes(struct outcome *outcome, uint32_t keep) {
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < SIMT_LANES; lane++)
            if (!(keep >> lane & 1))
                outcome->d[i][lane] = 0;
}

void compute_run_mask(const char *shape, struct ptx_instruction instruction, lanes *source, uint32_t mask,
                      struct outcome *outcome) {
    struct layout own = layout_of(shape, OWN_PLACE, 0);
    memset(outcome, 0, sizeof *outcome);
    struct outcome other = {0};
    run_once(&own, &instruction, source, mask, true, SIMT_BASELINE, outcome);
    for (int variant = SIMT_BASELINE; variant <= (int)simt_host_variant(); variant++) {
        run_once(&own, &instruction, source, mask, true, variant, &other);
        expect_same(&other, outcome, &own, "another copy, masked");
        run_once(&own, &instruction, source, mask, false, variant, &other);
        keep_lanes(&other, mask);
        expect_same(&other, outcome, &own, "full against masked");
    }
}

void compute_run(const char *shape, struct ptx_instruction instruction, lanes *source,
                 struct outcome *outcome) {
    struct layout own = layout_of(shape, OWN_PLACE, 0);
    memset(outcome, 0, sizeof *outcome);
    struct outcome other = {0};
    run_once(&own, &instruction, source, UINT32_MAX, false, SIMT_BASELINE, outcome);
    for (int variant = SIMT_BASELINE; variant <= (int)simt_host_variant(); variant++) {
        run_once(&own, &instruction, source, UINT32_MAX, false, variant, &other);
        expect_same(&other, outcome, &own, "another copy");
        run_once(&own, &instruction, source, UINT32_MAX, true, variant, &other);
        expect_same(&other, outcome, &own, "masked with all lanes");
        for (int i = 0; i < own.sources; i++) {
            int to = width_of(own.kind[0]), from = width_of(own.kind[own.destinations + i]);
            for (int half = -1; to && from && half <= 1; half++) {
                struct layout shared = layout_of(shape, i, half);
                run_once(&shared, &instruction, source, UINT32_MAX, false, variant, &other);
                expect_same(&other, outcome, &own, "destination on a source");
            }
        }
    }
}

bool compute_refuses(const char *shape, struct ptx_instruction instruction) {
    struct layout own = layout_of(shape, OWN_PLACE, 0);
    struct ptx_operand operands[9];
    struct simt_operation operation;
    prepare(&own, &instruction, operands, &operation);
    return !simt_select_compute(&instruction, operands, &operation);
}

uint64_t compute_one(const char *shape, struct ptx_instruction instruction, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d) {
    static lanes source[5];
    struct outcome outcome;
    for (int lane = 0; lane < SIMT_LANES; lane++)
        source[0][lane] = a, source[1][lane] = b, source[2][lane] = c, source[3][lane] = d;
    source[4][0] = 0;
    compute_run(shape, instruction, source, &outcome);
    return outcome.d[0][7];
}

uint64_t random_bits(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

uint64_t random_operand(int bytes) {
    // clang-format off
    static const uint64_t edges[] = {
        0, 1, 2, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffff, 0x800000, 0xffffff,
        0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX, 0x100000000};
    // clang-format on
    uint64_t bits = random_bits();
    uint64_t value = bits % 3 == 0   ? edges[bits / 3 % (sizeof edges / sizeof edges[0])]
                     : bits % 3 == 1 ? random_bits() >> (bits >> 8 & 63)
                                     : random_bits();
    return bytes == 8 ? value : value & (((uint64_t)1 << 8 * bytes) - 1);
}

uint64_t random_float(int bytes) {
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000,
                                     0x80800001, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
                                     0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0xffc12345, 0x7e800001, 0x4f000000, 0xcf000000, 0x4f800000,
                                     0x4effffff, 0x3f000000, 0x40200000, 0x5f000000, 0x34000000};
    uint64_t pick = random_bits();
    float edge = float_of_bits(edges[pick / 4 % (sizeof edges / sizeof edges[0])]);
    if (bytes == 4)
        switch (pick % 4) {
        case 0: return bits_of_float(edge);
        case 1: return (uint32_t)random_bits();
        default: /* of similar size, so that sums round */
            return (uint32_t)(random_bits() & 0x807fffff) | (uint32_t)(118 + pick / 4 % 20) << 23;
        }
    switch (pick % 4) {
    case 0: return bits_of_double(edge);
    case 1: return random_bits();
    default: return (random_bits() & 0x800fffffffffffff) | (uint64_t)(1013 + pick / 4 % 20) << 52;
    }
}

uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}
float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}
double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

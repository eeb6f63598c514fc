/* allocate.c: assigns virtual registers to slots of the register and predicate files.
 *
 * Each virtual register has a life: the stretches of instructions in which its value may still be
 * read. Bit sets solve liveness over the control-flow graph. A backward walk over the instructions
 * then finds each life, with holes where the register waits for a new value. In order of birth,
 * each register takes the first slot that is free during its life (linear scan with holes).
 * Divergence does not matter between registers of one width: a lane has its own word in every slot,
 * and follows one path. A register that may be read before it is written lives from the entry on, so
 * that no other register's value is read there.
 *
 * Position 2i is instruction i reading, 2i + 1 is it writing. So a source that dies at i may give
 * its slot to i's result. A source lives through 2i + 1 where an implementation cannot overwrite
 * lane by lane: several results, other lanes' values, memory. */
#include "gpu/ptx/internal.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 8192 };
static const uint64_t MAX_FLOW_WORK = (uint64_t)1 << 31; /* words of bit sets visited */

struct stretch {
    struct stretch *next;
    uint32_t start, end; /* positions, both included */
};

struct life {
    struct stretch *stretches; /* in order of position */
    struct stretch *current;   /* the first that has not ended before the birth at hand */
    uint32_t open_end;         /* during the walk: end of the open stretch; or NOT_LIVE */
    int32_t global;            /* bit in the sets; -1: never read before written in a block */
    int32_t slot;
    int32_t next_in_slot[2]; /* [1]: in the odd slot of a 64-bit register */
    uint32_t live_index;     /* in the list of live registers */
};
static const uint32_t NOT_LIVE = UINT32_MAX;

struct sets {
    uint32_t words;
    uint64_t *generated, *killed; /* by block: read before written; surely written */
    uint64_t *live_in;
};

struct allocation {
    struct ptx_parser *parser;
    struct ptx_body *body;
    const struct ptx_flow *flow;
    struct life *lives;
    uint32_t register_count;
    struct sets sets;
    int32_t *global_registers; /* by bit */
    uint32_t *live, live_count;
    const bool *differs; /* by register: may differ between lanes of a warp */
    uint32_t live_words; /* most at the start of a block */
    uint64_t work;
};

static struct ptx_operand *operands_of(const struct allocation *allocation,
                                       const struct ptx_instruction *instruction) {
    struct ptx_operand *all = allocation->body->operands.items;
    return all != NULL ? all + instruction->operand : NULL; /* NULL: the function has no operands */
}

static bool holds_register(const struct ptx_operand *operand) {
    return operand->slot >= 0;
}

static uint32_t slots_of(const struct allocation *allocation, int32_t index) {
    enum ptx_type type = (enum ptx_type)allocation->body->registers.items[index].type;
    return ptx_type_bytes(type) == 8 ? 2 : 1;
}

/* ---- liveness */

static void set_bit(uint64_t *set, int32_t bit) {
    set[bit / 64] |= (uint64_t)1 << (bit % 64);
}
static bool has_bit(const uint64_t *set, int32_t bit) {
    return set[bit / 64] >> (bit % 64) & 1;
}

/* Whether it may be read before it is written, on some path from the entry. */
static bool is_unset(const struct allocation *allocation, uint32_t index) {
    int32_t bit = allocation->lives[index].global;
    return bit >= 0 && has_bit(allocation->sets.live_in, bit); /* the entry's row */
}

/* A register that some block reads before it surely wrote it is followed across blocks. */
static uint32_t find_globals(struct allocation *allocation) {
    uint32_t *written_in = ptx_work(allocation->parser, allocation->register_count * sizeof *written_in);
    uint32_t count = 0;
    for (uint32_t i = 0; i < allocation->register_count; i++)
        allocation->lives[i].global = -1;
    for (uint32_t i = 0; i < allocation->body->instructions.count; i++) {
        const struct ptx_instruction *instruction = &allocation->body->instructions.items[i];
        const struct ptx_operand *operands = operands_of(allocation, instruction);
        uint32_t block = allocation->flow->block_of[i] + 1;
        uint32_t total = instruction->destinations + instruction->sources;
        for (uint32_t o = instruction->destinations; o <= total; o++) {
            int32_t index = o < total ? operands[o].slot : instruction->guard;
            if (index >= 0 && written_in[index] != block && allocation->lives[index].global < 0)
                allocation->lives[index].global = (int32_t)count++;
        }
        for (uint32_t o = 0; o < instruction->destinations && instruction->guard < 0; o++)
            if (holds_register(&operands[o]))
                written_in[operands[o].slot] = block;
    }
    return count;
}

static void fill_sets(struct allocation *allocation) {
    struct sets *sets = &allocation->sets;
    for (uint32_t i = 0; i < allocation->body->instructions.count; i++) {
        const struct ptx_instruction *instruction = &allocation->body->instructions.items[i];
        const struct ptx_operand *operands = operands_of(allocation, instruction);
        size_t row = (size_t)allocation->flow->block_of[i] * sets->words;
        uint32_t total = instruction->destinations + instruction->sources;
        for (uint32_t o = instruction->destinations; o <= total; o++) {
            int32_t index = o < total ? operands[o].slot : instruction->guard;
            int32_t bit = index >= 0 ? allocation->lives[index].global : -1;
            if (bit >= 0 && !has_bit(sets->killed + row, bit))
                set_bit(sets->generated + row, bit);
        }
        for (uint32_t o = 0; o < instruction->destinations; o++) {
            int32_t bit = holds_register(&operands[o]) ? allocation->lives[operands[o].slot].global : -1;
            if (bit >= 0 && instruction->guard < 0)
                set_bit(sets->killed + row, bit);
        }
    }
}

static void spend(struct allocation *allocation, uint64_t words) {
    allocation->work += words;
    if (allocation->work > MAX_FLOW_WORK)
        ptx_fail(allocation->parser, "the control flow of this function is too large to follow");
}

/* Blocks in post-order, successors first, for fast convergence. */
static uint32_t *post_order(struct allocation *allocation) {
    uint32_t count = allocation->flow->block_count, depth = 0, done = 0;
    uint32_t *order = ptx_work(allocation->parser, count * sizeof *order);
    uint32_t *stack = ptx_work(allocation->parser, count * sizeof *stack);
    uint32_t *edge = ptx_work(allocation->parser, count * sizeof *edge);
    uint8_t *seen = ptx_work(allocation->parser, count);
    for (uint32_t root = 0; root < count; root++) {
        if (seen[root])
            continue;
        seen[root] = 1;
        stack[depth] = root;
        edge[depth++] = 0;
        while (depth) {
            const struct ptx_block *block = &allocation->flow->blocks[stack[depth - 1]];
            if (edge[depth - 1] < block->successor_count) {
                uint32_t to = allocation->flow->successors[block->successor + edge[depth - 1]++];
                if (!seen[to]) {
                    seen[to] = 1;
                    stack[depth] = to;
                    edge[depth++] = 0;
                }
            } else {
                order[done++] = stack[--depth];
            }
        }
    }
    return order;
}

/* live_in = generated | (union of successors' live_in & ~killed), to a fixed point. */
static void solve_live(struct allocation *allocation) {
    struct sets *sets = &allocation->sets;
    const uint32_t *order = post_order(allocation);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < allocation->flow->block_count; n++) {
            const struct ptx_block *block = &allocation->flow->blocks[order[n]];
            size_t row = (size_t)order[n] * sets->words;
            spend(allocation, (uint64_t)sets->words * (block->successor_count + 1));
            for (uint32_t w = 0; w < sets->words; w++) {
                uint64_t out = 0;
                for (uint32_t e = 0; e < block->successor_count; e++)
                    out |= sets->live_in[(size_t)allocation->flow->successors[block->successor + e] *
                                             sets->words +
                                         w];
                uint64_t in = sets->generated[row + w] | (out & ~sets->killed[row + w]);
                changed |= in != sets->live_in[row + w];
                sets->live_in[row + w] = in;
            }
        }
    }
}

static void solve(struct allocation *allocation) {
    uint32_t globals = find_globals(allocation);
    struct sets *sets = &allocation->sets;
    sets->words = (globals + 63) / 64;
    uint64_t bytes = (uint64_t)sets->words * allocation->flow->block_count * sizeof(uint64_t);
    if (bytes > PTX_MAX_FLOW_BYTES / 3)
        ptx_fail(allocation->parser, "this function has too many registers and branches to follow");
    sets->generated = ptx_work(allocation->parser, bytes);
    sets->killed = ptx_work(allocation->parser, bytes);
    sets->live_in = ptx_work(allocation->parser, bytes);
    fill_sets(allocation);
    solve_live(allocation);
    allocation->global_registers = ptx_work(allocation->parser, globals * sizeof(int32_t));
    for (uint32_t i = 0; i < allocation->register_count; i++)
        if (allocation->lives[i].global >= 0)
            allocation->global_registers[allocation->lives[i].global] = (int32_t)i;
}

/* ---- lives */

static void add_stretch(struct allocation *allocation, struct life *life, uint32_t start, uint32_t end) {
    if (life->stretches != NULL && life->stretches->start <= end + 1) {
        life->stretches->start = start < life->stretches->start ? start : life->stretches->start;
        if (end > life->stretches->end)
            life->stretches->end = end;
        return;
    }
    struct stretch *stretch = ptx_work(allocation->parser, sizeof *stretch);
    *stretch = (struct stretch){life->stretches, start, end};
    life->stretches = stretch;
}

static void open_life(struct allocation *allocation, int32_t index, uint32_t end) {
    struct life *life = &allocation->lives[index];
    if (life->open_end != NOT_LIVE)
        return;
    life->open_end = end;
    life->live_index = allocation->live_count;
    allocation->live[allocation->live_count++] = (uint32_t)index;
}

static void close_life(struct allocation *allocation, int32_t index, uint32_t start) {
    struct life *life = &allocation->lives[index];
    add_stretch(allocation, life, start, life->open_end);
    life->open_end = NOT_LIVE;
    uint32_t last = allocation->live[--allocation->live_count];
    allocation->live[life->live_index] = last;
    allocation->lives[last].live_index = life->live_index;
}

/* Whether a source's last read may leave its slot to the result. */
static bool source_may_give_slot(const struct ptx_instruction *instruction) {
    const struct ptx_nature *nature = ptx_nature(instruction);
    bool lane_by_lane = nature->lanes == PTX_LANES_OWN && nature->memory == PTX_MEMORY_NONE &&
                        instruction->destinations == 1 && !(instruction->flags & PTX_CARRY_OUT);
    return instruction->destinations == 0 || lane_by_lane;
}

/* Drops the result of an atomic if nobody reads it; most atomics have a form without one. */
static void drop_unread_result(struct allocation *allocation, struct ptx_instruction *instruction) {
    struct ptx_operand *result = operands_of(allocation, instruction);
    if (instruction->opcode != PTX_ATOM ||
        (holds_register(result) && allocation->lives[result->slot].open_end != NOT_LIVE))
        return;
    *result = ptx_no_operand();
    if (instruction->form != PTX_ATOM_CAS && instruction->form != PTX_ATOM_EXCH) {
        instruction->opcode = PTX_RED;
        instruction->destinations = 0;
        instruction->operand++;
    }
}

static void walk_instruction(struct allocation *allocation, uint32_t i) {
    struct ptx_instruction *instruction = &allocation->body->instructions.items[i];
    drop_unread_result(allocation, instruction);
    const struct ptx_operand *operands = operands_of(allocation, instruction);
    uint32_t reading = 2 * i, writing = 2 * i + 1;
    for (uint32_t o = 0; o < instruction->destinations; o++) {
        if (!holds_register(&operands[o]))
            continue;
        struct life *life = &allocation->lives[operands[o].slot];
        if (life->open_end == NOT_LIVE)
            add_stretch(allocation, life, writing, writing);
        else if (instruction->guard < 0) /* threads with a false guard keep the old value */
            close_life(allocation, operands[o].slot, writing);
    }
    uint32_t total = instruction->destinations + instruction->sources;
    for (uint32_t o = instruction->destinations; o <= total; o++) {
        int32_t index = o < total ? operands[o].slot : instruction->guard;
        if (index < 0)
            continue;
        bool gives = o == total || source_may_give_slot(instruction);
        open_life(allocation, index, gives ? reading : writing);
    }
}

/* Registers share slots only within a class. A 64-bit register is one array of 32 lanes over two
 * slots, whose lane i overlaps other lanes' words of 32-bit registers. A shared slot would let a
 * thread overwrite what a diverged neighbour still needs. */
enum { CLASS_WORD, CLASS_PAIR, CLASS_PREDICATE, CLASSES };

static int class_of(const struct allocation *allocation, uint32_t index) {
    if (allocation->body->registers.items[index].type == PTX_PRED)
        return CLASS_PREDICATE;
    return slots_of(allocation, (int32_t)index) == 2 ? CLASS_PAIR : CLASS_WORD;
}

static void walk_block(struct allocation *allocation, uint32_t number) {
    const struct ptx_block *block = &allocation->flow->blocks[number];
    const struct sets *sets = &allocation->sets;
    uint32_t start = 2 * block->first, end = 2 * block->end - 1, words = 0;
    allocation->live_count = 0;
    for (uint32_t w = 0; w < sets->words; w++) {
        uint64_t out = 0;
        for (uint32_t e = 0; e < block->successor_count; e++)
            out |=
                sets->live_in[(size_t)allocation->flow->successors[block->successor + e] * sets->words + w];
        for (; out; out &= out - 1)
            open_life(allocation, allocation->global_registers[64 * w + (uint32_t)__builtin_ctzll(out)], end);
    }
    for (uint32_t i = block->end; i-- > block->first;)
        walk_instruction(allocation, i);
    while (allocation->live_count) {
        int32_t index = (int32_t)allocation->live[allocation->live_count - 1];
        if (!is_unset(allocation, (uint32_t)index) && allocation->differs[index] &&
            class_of(allocation, (uint32_t)index) != CLASS_PREDICATE)
            words += slots_of(allocation, index);
        close_life(allocation, index, start);
    }
    allocation->live_words = words > allocation->live_words ? words : allocation->live_words;
}

/* ---- slots */

static bool overlap(const struct life *a, const struct life *b) {
    const struct stretch *x = a->current, *y = b->current;
    while (x != NULL && y != NULL) {
        if (x->start <= y->end && y->start <= x->end)
            return true;
        if (x->end < y->end)
            x = x->next;
        else
            y = y->next;
    }
    return false;
}

struct file {
    int32_t *first_in_slot;  /* registers in the slot whose life has not ended */
    uint32_t *covered_until; /* the slot is occupied up to here */
    uint32_t used;
};

static bool slot_is_free(struct allocation *allocation, struct file *file, uint32_t slot,
                         const struct life *life) {
    uint32_t birth = life->stretches->start;
    if (file->covered_until[slot] > birth)
        return false;
    int32_t *link = &file->first_in_slot[slot];
    while (*link >= 0) {
        struct life *other = &allocation->lives[*link];
        while (other->current != NULL && other->current->end < birth)
            other->current = other->current->next;
        if (other->current == NULL) {
            *link = other->next_in_slot[slot - (uint32_t)other->slot];
            continue;
        }
        if (overlap(other, life)) {
            if (other->current->start <= birth)
                file->covered_until[slot] = other->current->end + 1;
            return false;
        }
        link = &other->next_in_slot[slot - (uint32_t)other->slot];
    }
    return true;
}

static bool fits(struct allocation *allocation, struct file *file, uint32_t slot, uint32_t width,
                 const struct life *life) {
    for (uint32_t i = 0; i < width; i++)
        if (!slot_is_free(allocation, file, slot + i, life))
            return false;
    return true;
}

static void place(struct allocation *allocation, struct file *file, uint32_t index, uint32_t width) {
    struct life *life = &allocation->lives[index];
    uint32_t slot = 0;
    while (slot + width <= MAX_SLOTS && !fits(allocation, file, slot, width, life))
        slot += width; /* a 64-bit register starts at an even slot */
    if (slot + width > MAX_SLOTS)
        ptx_fail(allocation->parser, "a function needs more than %d registers at once", MAX_SLOTS);
    life->slot = (int32_t)slot;
    for (uint32_t i = 0; i < width; i++) {
        life->next_in_slot[i] = file->first_in_slot[slot + i];
        file->first_in_slot[slot + i] = (int32_t)index;
    }
    if (file->used < slot + width)
        file->used = slot + width;
}

struct birth {
    uint32_t start, index;
};

static int by_start(const void *left, const void *right) {
    const struct birth *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void place_all(struct allocation *allocation, uint32_t *slots, uint32_t *predicates) {
    struct ptx_parser *parser = allocation->parser;
    struct birth *births = ptx_work(parser, allocation->register_count * sizeof *births);
    uint32_t count = 0;
    for (uint32_t i = 0; i < allocation->register_count; i++) {
        allocation->lives[i].slot = -1;
        allocation->lives[i].current = allocation->lives[i].stretches;
        if (allocation->lives[i].stretches != NULL)
            births[count++] = (struct birth){allocation->lives[i].stretches->start, i};
    }
    if (count)
        qsort(births, count, sizeof *births, by_start);
    struct file files[CLASSES] = {0};
    uint32_t room = count < MAX_SLOTS / 2 ? 2 * count + 2 : MAX_SLOTS; /* never exceeded */
    for (int f = 0; f < CLASSES; f++) {
        files[f].first_in_slot = ptx_work(parser, room * sizeof(int32_t));
        files[f].covered_until = ptx_work(parser, room * sizeof(uint32_t));
        for (uint32_t i = 0; i < room; i++)
            files[f].first_in_slot[i] = -1;
    }
    for (uint32_t i = 0; i < count; i++)
        place(allocation, &files[class_of(allocation, births[i].index)], births[i].index,
              slots_of(allocation, (int32_t)births[i].index));
    for (uint32_t i = 0; i < count; i++) /* pairs come first, so that they start at even slots */
        if (class_of(allocation, births[i].index) == CLASS_WORD)
            allocation->lives[births[i].index].slot += (int32_t)files[CLASS_PAIR].used;
    *slots = files[CLASS_PAIR].used + files[CLASS_WORD].used;
    if (*slots > MAX_SLOTS)
        ptx_fail(parser, "a function needs more than %d registers at once", MAX_SLOTS);
    *predicates = files[CLASS_PREDICATE].used;
}

static void list_unset(const struct allocation *allocation, struct ptx_function *function) {
    const struct sets *sets = &allocation->sets;
    for (uint32_t w = 0; w < sets->words; w++)
        function->unset_count += (uint32_t)__builtin_popcountll(sets->live_in[w]);
    struct ptx_unset *next = function->unset =
        ptx_keep(allocation->parser, function->unset_count * sizeof *next);
    for (uint32_t w = 0; w < sets->words; w++)
        for (uint64_t left = sets->live_in[w]; left; left &= left - 1) {
            int32_t index = allocation->global_registers[64 * w + (uint32_t)__builtin_ctzll(left)];
            bool predicate = class_of(allocation, (uint32_t)index) == CLASS_PREDICATE;
            *next++ = (struct ptx_unset){allocation->lives[index].slot,
                                         predicate ? 0 : (uint8_t)(4 * slots_of(allocation, index))};
        }
}

void ptx_allocate(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow,
                  const bool *differs, struct ptx_function *function) {
    struct allocation allocation = {.parser = parser,
                                    .body = body,
                                    .flow = flow,
                                    .register_count = body->registers.count,
                                    .differs = differs};
    allocation.lives = ptx_work(parser, body->registers.count * sizeof *allocation.lives);
    allocation.live = ptx_work(parser, body->registers.count * sizeof *allocation.live);
    for (uint32_t i = 0; i < body->registers.count; i++)
        allocation.lives[i].open_end = NOT_LIVE;
    solve(&allocation);
    for (uint32_t b = flow->block_count; b-- > 0;)
        walk_block(&allocation, b);
    place_all(&allocation, &function->slots, &function->predicates);
    list_unset(&allocation, function);
    function->live_words = function->live_words_called = allocation.live_words;
    for (uint32_t i = 0; i < body->instructions.count; i++) {
        struct ptx_instruction *instruction = &body->instructions.items[i];
        struct ptx_operand *operands = operands_of(&allocation, instruction);
        for (uint32_t o = 0; o < instruction->destinations + (uint32_t)instruction->sources; o++)
            if (holds_register(&operands[o]))
                operands[o].slot = allocation.lives[operands[o].slot].slot;
        if (instruction->guard >= 0)
            instruction->guard = allocation.lives[instruction->guard].slot;
    }
}

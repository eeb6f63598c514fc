/* spins.c: loops in which a warp waits until another block, or another warp of its block, writes a word.
 *
 * Such a loop can be gone round with nothing changed: no store, and no register that the next
 * trip reads, but for one that counts the trips. Only memory that others write ends it, so a load
 * that sees their stores, or an atomic, lies on that way. Where such a look decides whether the
 * loop is left, and no barrier lies in it, what it stores is no progress either. How often a warp
 * goes round depends on the others' progress, which neither the simulator's order of blocks nor the
 * time model gets right. So it counts that the loop is entered, or that a look decided whether it is,
 * not how often it ran. */
#include "gpu/runtime/binding/binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The instructions [head, back] of a function, `back` branching to `head`. */
struct loop {
    const struct ptx_module *program;
    const struct simt_result *result;
    const struct ptx_function *function;
    const struct simt_execution *executions; /* the function's first */
    uint32_t head, back;
    enum binding_spin kind; /* whose words are looked at */
    bool has_barrier;       /* the block's warps go round together */
    bool calls_look;        /* a function that is called in the loop looks */
    bool is_idle;           /* what is stored in the loop, or done by a function, is no progress */
    uint32_t atomic;        /* the instruction that is_the_atomic tells */
    uint32_t words;         /* 64-bit words of a set of registers and predicates */
    uint64_t *live;         /* a set for each instruction: what is read behind it, before it is written */
    uint64_t *read;         /* one set: what the trip reads of the trip before */
};

static const struct ptx_instruction *at(const struct loop *loop, uint32_t i) {
    return &loop->function->instructions[i];
}

static uint64_t *live_before(const struct loop *loop, uint32_t i) {
    return loop->live + (size_t)(i - loop->head) * loop->words;
}

static bool is_in(const uint64_t *set, int32_t slot) {
    return slot >= 0 && (set[slot / 64] >> slot % 64 & 1) != 0;
}

static void add(uint64_t *set, int32_t slot) {
    if (slot >= 0)
        set[slot / 64] |= UINT64_C(1) << slot % 64;
}

static void leave(uint64_t *set, int32_t slot) {
    if (slot >= 0)
        set[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}

/* A register's or predicate's place in a set; -1: it is neither. */
static int32_t slot_of(const struct loop *loop, const struct ptx_operand *operand) {
    if (operand->kind == PTX_OPERAND_PREDICATE)
        return operand->slot < 0 ? -1 : (int32_t)loop->function->slots + operand->slot;
    return operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS ? operand->slot : -1;
}

static bool writes_any_of(const struct loop *loop, const struct ptx_instruction *in, const uint64_t *set) {
    for (uint32_t k = 0; k < in->destinations; k++)
        if (is_in(set, slot_of(loop, &loop->function->operands[in->operand + k])))
            return true;
    return false;
}

/* Whether a register was made by such an instruction of [first, end): a walk back over what it was made of,
 * time and again where these are the loop. */
static bool is_made_by(const struct loop *loop, uint32_t first, uint32_t end, int32_t slot,
                       bool (*source)(const struct loop *, uint32_t)) {
    uint64_t *set = calloc(loop->words, sizeof *set);
    bool found = false, grows = set != NULL;
    if (set != NULL)
        add(set, slot);
    while (grows && !found) {
        grows = false;
        for (uint32_t i = end; i-- > first && !found;) {
            const struct ptx_instruction *in = at(loop, i);
            if (!writes_any_of(loop, in, set))
                continue;
            found = source(loop, i);
            for (uint32_t k = 0; first != loop->head && in->guard < 0 && k < in->destinations; k++)
                leave(set, slot_of(loop, &loop->function->operands[in->operand + k]));
            for (uint32_t k = in->destinations; k < (uint32_t)in->destinations + in->sources; k++) {
                int32_t from = slot_of(loop, &loop->function->operands[in->operand + k]);
                grows |= first == loop->head && from >= 0 && !is_in(set, from);
                add(set, from);
            }
        }
    }
    free(set);
    return found;
}

static bool reads_own(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    const struct ptx_operand *source = &loop->function->operands[in->operand + in->destinations];
    return in->sources > 0 && source->kind == PTX_OPERAND_SPECIAL &&
           (source->value == PTX_ENVREG1 || source->value == PTX_ENVREG2 ||
            (source->value >= PTX_RESERVED_SMEM_BEGIN && source->value <= PTX_RESERVED_SMEM_1));
}

/* Whether an access is to a word of the runtime's own, by which a grid, or a tile of several warps, synchronises. */
static bool is_own(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    const struct ptx_operand *address = &loop->function->operands[in->operand + in->destinations];
    return is_made_by(loop, 0, i, slot_of(loop, address), reads_own);
}

static bool never_ran(const struct loop *loop) {
    return loop->executions[loop->back].runs == 0;
}

static bool may_be_looked_at(uint8_t space) {
    return space == PTX_GLOBAL || space == PTX_SHARED || space == PTX_GENERIC;
}

/* Generic accesses to global memory touched sectors; in a loop that never ran any may be. */
static bool is_shared(const struct loop *loop, const struct simt_execution *execution) {
    uint8_t space = execution->instruction->space;
    return space == PTX_SHARED || (space == PTX_GENERIC && execution->transactions == 0 && !never_ran(loop));
}

/* Whether an access is to words of the kind that is looked at. Warps that meet at a barrier in every
 * trip do not wait by a shared word. */
static bool is_of_kind(const struct loop *loop, uint32_t i) {
    if (!may_be_looked_at(at(loop, i)->space))
        return false;
    if (is_shared(loop, &loop->executions[i]))
        return loop->kind == SPIN_WARPS && !loop->has_barrier && !is_own(loop, i);
    return loop->kind != SPIN_WARPS && (loop->kind == SPIN_GRID) == is_own(loop, i);
}

static bool is_written(const struct loop *loop, const struct ptx_operand *operand) {
    for (uint32_t i = loop->head; i <= loop->back; i++)
        for (uint32_t k = 0; k < at(loop, i)->destinations; k++)
            if (slot_of(loop, operand) >= 0 &&
                slot_of(loop, &loop->function->operands[at(loop, i)->operand + k]) == slot_of(loop, operand))
                return true;
    return false;
}

/* Whether what an atomic returns is compared, and nothing else is made of it: no place in a queue. */
static bool is_only_compared(const struct loop *loop, const struct ptx_instruction *atomic) {
    const struct ptx_operand *result = &loop->function->operands[atomic->operand];
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        const struct ptx_instruction *in = at(loop, i);
        for (uint32_t k = in->destinations; k < (uint32_t)in->destinations + in->sources; k++)
            if (slot_of(loop, &loop->function->operands[in->operand + k]) == slot_of(loop, result) &&
                in->opcode != PTX_SETP)
                return false;
    }
    return true;
}

static bool loads(const struct loop *loop, uint32_t i) {
    uint8_t memory = ptx_nature(at(loop, i))->memory;
    return memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_ATOMIC;
}

static bool is_loaded(const struct loop *loop, const struct ptx_operand *operand) {
    return is_made_by(loop, loop->head, loop->back + 1, slot_of(loop, operand), loads);
}

/* An atomic that may leave its word as it is: a swap that fails, or of a lock that is taken; a sum with what may
 * be 0. A swap for what was made of the word's old value fails only where another one has not. */
static bool may_change_nothing(const struct loop *loop, const struct ptx_instruction *in) {
    const struct ptx_operand *operand = &loop->function->operands[in->operand + in->destinations + 1];
    if (in->opcode != PTX_ATOM)
        return false; /* of an mbarrier: the time model knows who waits for whom */
    if (in->form == PTX_ATOM_CAS)
        return !is_loaded(loop, operand) || !is_loaded(loop, operand + 1);
    if (in->form == PTX_ATOM_EXCH)
        return true;
    if (operand->kind == PTX_OPERAND_IMMEDIATE)
        return operand->value == 0 || in->form == PTX_ATOM_MAX || in->form == PTX_ATOM_MIN ||
               in->form == PTX_ATOM_OR || in->form == PTX_ATOM_AND;
    return !is_written(loop, operand) && is_only_compared(loop, in);
}

/* Whether the instruction sees what others write meanwhile. */
static bool looks(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    switch (ptx_nature(in)->memory) { /* whose word it is takes a walk back: last */
    case PTX_MEMORY_LOAD:
        if (in->space == PTX_PARAM_FRAME)
            return loop->calls_look;
        return (in->flags & (PTX_VOLATILE | PTX_CACHE_L2_ONLY)) != 0 && is_of_kind(loop, i);
    case PTX_MEMORY_ATOMIC:
        return in->destinations > 0 && may_change_nothing(loop, in) && is_of_kind(loop, i);
    default: return false;
    }
}

static bool is_the_atomic(const struct loop *loop, uint32_t i) {
    return i == loop->atomic;
}

/* Whether another access, or a call, is made of what an atomic returns: a place in a queue. */
static bool gives_a_place(const struct loop *loop, uint32_t atomic) {
    struct loop of = *loop;
    of.atomic = atomic;
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        uint8_t memory = ptx_nature(at(loop, i))->memory;
        const struct ptx_operand *address =
            &loop->function->operands[at(loop, i)->operand + at(loop, i)->destinations];
        if (i != atomic && (memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_ATOMIC) &&
            is_made_by(&of, loop->head, loop->back + 1, slot_of(loop, address), is_the_atomic))
            return true;
    }
    return false;
}

/* Whether an access is to a word that is looked at: written with the same address. */
static bool is_looked_at(const struct loop *loop, uint32_t i) {
    const struct ptx_operand *operands = loop->function->operands,
                             *own = &operands[at(loop, i)->operand + at(loop, i)->destinations];
    for (uint32_t k = loop->head; k <= loop->back; k++) {
        const struct ptx_operand *other = &operands[at(loop, k)->operand + at(loop, k)->destinations];
        if (k != i && own->slot == other->slot && own->symbol == other->symbol &&
            own->value == other->value && looks(loop, k))
            return true;
    }
    return false;
}

/* Whether it changes memory, or may do anything: a call. In an idle loop only what changes a word
 * that is looked at, or takes a place in a queue. */
static bool acts(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    bool call = ptx_nature(in)->control == PTX_CONTROL_CALL;
    switch (ptx_nature(in)->memory) {
    case PTX_MEMORY_STORE:
    case PTX_MEMORY_COPY: return !loop->is_idle || is_looked_at(loop, i);
    case PTX_MEMORY_ATOMIC:
        return !looks(loop, i) && (!loop->is_idle || in->opcode == PTX_MBARRIER || is_looked_at(loop, i) ||
                                   (in->destinations > 0 && gives_a_place(loop, i)));
    default: return call && !loop->is_idle;
    }
}

/* Turns what is live behind `i` into what is live before it. Only what decides a branch, an access
 * or an action counts as read; a pause does not. */
static void pass(const struct loop *loop, uint32_t i, uint64_t *set) {
    const struct ptx_instruction *in = at(loop, i);
    const struct ptx_operand *operands = &loop->function->operands[in->operand];
    bool needed = ptx_is_branch(in) || ptx_ends_thread(in) || looks(loop, i) || acts(loop, i) ||
                  writes_any_of(loop, in, set);
    for (uint32_t k = 0; in->guard < 0 && k < in->destinations; k++)
        leave(set, slot_of(loop, &operands[k]));
    for (uint32_t k = in->destinations; needed && k < (uint32_t)in->destinations + in->sources; k++)
        add(set, slot_of(loop, &operands[k]));
    if (needed && in->guard >= 0)
        add(set, (int32_t)loop->function->slots + in->guard);
}

/* The next instructions within the loop, but for the way back to the head. Returns their number. */
static uint32_t successors(const struct loop *loop, uint32_t i, uint32_t next[2]) {
    const struct ptx_instruction *in = at(loop, i);
    uint32_t count = 0;
    bool always = in->guard < 0 && (in->opcode == PTX_BRA || ptx_ends_thread(in));
    if (!always && i < loop->back)
        next[count++] = i + 1;
    if (in->opcode == PTX_BRA && (uint32_t)in->target > loop->head && (uint32_t)in->target <= loop->back)
        next[count++] = (uint32_t)in->target;
    return count;
}

/* Finds what a trip reads of the trip before: what is live at the head. False: out of memory. */
static bool find_read(struct loop *loop) {
    size_t bytes = loop->words * sizeof *loop->live;
    uint64_t *set = malloc(bytes);
    loop->live = calloc((size_t)loop->back - loop->head + 1, bytes);
    if (set == NULL || loop->live == NULL) {
        free(set);
        return false;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = loop->back + 1; i-- > loop->head;) {
            uint32_t next[2], count = successors(loop, i, next);
            memset(set, 0, bytes);
            for (uint32_t k = 0; k < count; k++)
                for (uint32_t w = 0; w < loop->words; w++)
                    set[w] |= live_before(loop, next[k])[w];
            pass(loop, i, set);
            changed = changed || memcmp(set, live_before(loop, i), bytes) != 0;
            memcpy(live_before(loop, i), set, bytes);
        }
    }
    loop->read = live_before(loop, loop->head);
    free(set);
    return true;
}

/* Whether instruction i moves a register on by a fixed step: the value is of no other use. */
static bool counts_on(const struct loop *loop, const struct ptx_instruction *in, int32_t slot) {
    const struct ptx_operand *operands = &loop->function->operands[in->operand];
    return (in->opcode == PTX_ADD || in->opcode == PTX_SUB) && in->destinations == 1 &&
           slot_of(loop, &operands[0]) == slot && slot_of(loop, &operands[1]) == slot &&
           operands[2].kind == PTX_OPERAND_IMMEDIATE;
}

/* Whether the trips of the loop are counted in the register: steps write it, comparisons read it. */
static bool is_counter(const struct loop *loop, int32_t slot) {
    bool counts = false;
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        const struct ptx_instruction *in = at(loop, i);
        const struct ptx_operand *operands = &loop->function->operands[in->operand];
        bool reads = false, writes = false;
        for (uint32_t k = 0; k < (uint32_t)in->destinations + in->sources; k++)
            *(k < in->destinations ? &writes : &reads) |= slot_of(loop, &operands[k]) == slot;
        bool steps = (reads || writes) && counts_on(loop, in, slot);
        counts |= steps;
        if ((writes && !steps) || (reads && !steps && in->opcode != PTX_SETP))
            return false;
    }
    return counts;
}

/* Whether the condition of branch i follows from a look. */
static bool follows_from_look(const struct loop *loop, uint32_t i) {
    return is_made_by(loop, 0, i, (int32_t)loop->function->slots + at(loop, i)->guard, looks);
}

/* Whether a look decides if the loop is left: by a branch out of it, past one, or back. */
static bool look_ends(const struct loop *loop) {
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        const struct ptx_instruction *in = at(loop, i), *next = i < loop->back ? at(loop, i + 1) : in;
        bool out = next->opcode == PTX_BRA &&
                   ((uint32_t)next->target < loop->head || (uint32_t)next->target > loop->back);
        if (in->opcode == PTX_BRA && in->guard >= 0 &&
            (i == loop->back || (uint32_t)in->target < loop->head || (uint32_t)in->target > loop->back ||
             out) &&
            follows_from_look(loop, i))
            return true;
    }
    return false;
}

/* That the trips are counted is no change, where a look can end the loop before its count does. */
static void forget_counters(struct loop *loop) {
    bool ends = look_ends(loop);
    for (uint32_t slot = 0; ends && slot < loop->words * 64; slot++)
        if (is_in(loop->read, (int32_t)slot) && is_counter(loop, (int32_t)slot))
            leave(loop->read, (int32_t)slot);
}

/* Whether the branch back is reached from the head by instructions that change nothing, one of which
 * looks. reached[]: of each instruction 1, and 2 more behind one that looks. False: also out of
 * memory. */
static bool goes_round(const struct loop *loop) {
    uint32_t count = loop->back - loop->head + 1;
    uint8_t *reached = calloc(count, 1);
    bool round = false;
    if (reached == NULL)
        return false;
    reached[0] = 1;
    for (bool changed = true; changed && !round;) {
        changed = false;
        for (uint32_t i = loop->head; i <= loop->back; i++) {
            const struct ptx_instruction *in = at(loop, i);
            uint8_t here = reached[i - loop->head];
            if (here == 0 || acts(loop, i) || writes_any_of(loop, in, loop->read))
                continue;
            here |= looks(loop, i) ? 2 : 0;
            round = round || (i == loop->back && (here & 2) != 0);
            uint32_t next[2], ways = successors(loop, i, next);
            for (uint32_t k = 0; k < ways; k++) {
                changed = changed || (reached[next[k] - loop->head] | here) != reached[next[k] - loop->head];
                reached[next[k] - loop->head] |= here;
            }
        }
    }
    free(reached);
    return round;
}

static bool has_look(const struct loop *loop) {
    for (uint32_t i = loop->head; i <= loop->back; i++)
        if (looks(loop, i))
            return true;
    return false;
}

static bool has_barrier(const struct loop *loop) {
    for (uint32_t i = loop->head; i <= loop->back; i++)
        if (ptx_nature(at(loop, i))->control == PTX_CONTROL_BARRIER)
            return true;
    return false;
}

/* Whether warps came to the loop, or to a look that decides whether they do: which depends on who comes
 * first. */
static bool may_be_entered(const struct loop *loop) {
    if (!never_ran(loop))
        return true;
    uint32_t i = loop->head; /* the branch that skips the loop lies before what leads into it */
    while (i > 0 && loop->executions[i - 1].runs == 0 && at(loop, i - 1)->opcode != PTX_BRA)
        i--;
    return i > 0 && at(loop, i - 1)->opcode == PTX_BRA && at(loop, i - 1)->guard >= 0 &&
           loop->executions[i - 1].runs > 0 && follows_from_look(loop, i - 1);
}

/* Whether a function that is called, or one that it calls, looks at words of the kind. */
static bool function_looks(const struct loop *loop, const struct ptx_instruction *call,
                           const struct ptx_function *caller, unsigned depth) {
    int32_t index = caller->calls[call->target].function;
    const struct ptx_function *callee = index < 0 ? NULL : &loop->program->functions[index];
    for (uint32_t i = 0; callee != NULL && i < loop->result->execution_count; i++) {
        const struct simt_execution *execution = &loop->result->executions[i];
        const struct ptx_instruction *in = execution->instruction;
        uint8_t memory = ptx_nature(in)->memory;
        bool sees = (memory == PTX_MEMORY_LOAD && (in->flags & (PTX_VOLATILE | PTX_CACHE_L2_ONLY)) != 0) ||
                    (in->opcode == PTX_ATOM && in->destinations > 0);
        if (in < callee->instructions || in >= callee->instructions + callee->instruction_count)
            continue;
        if (sees && may_be_looked_at(in->space) &&
            loop->kind == (is_shared(loop, execution) ? SPIN_WARPS : SPIN_BLOCKS))
            return true;
        if (in->opcode == PTX_CALL && depth > 0 && function_looks(loop, in, callee, depth - 1))
            return true;
    }
    return false;
}

static bool calls_look(const struct loop *loop) {
    enum { DEPTH = 4 };
    for (uint32_t i = loop->head; i <= loop->back; i++)
        if (at(loop, i)->opcode == PTX_CALL && function_looks(loop, at(loop, i), loop->function, DEPTH))
            return true;
    return false;
}

/* Whether the loop has a look of the grid's own: its blocks go round together. */
static bool has_grid_barrier(const struct loop *loop) {
    struct loop of = *loop;
    of.kind = SPIN_GRID;
    of.calls_look = false;
    return loop->kind == SPIN_GRID || has_look(&of);
}

static const struct ptx_function *function_of(const struct ptx_module *program,
                                              const struct ptx_instruction *instruction) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ptx_function *function = &program->functions[f];
        if (instruction >= function->instructions &&
            instruction < function->instructions + function->instruction_count)
            return function;
    }
    return NULL;
}

static bool waits(struct loop *loop) {
    loop->is_idle = false;
    loop->calls_look = loop->kind != SPIN_GRID && calls_look(loop);
    bool spins = may_be_entered(loop) && has_look(loop);
    loop->is_idle = spins && !loop->has_barrier && !has_grid_barrier(loop) && look_ends(loop);
    spins = spins && find_read(loop);
    if (spins) {
        forget_counters(loop);
        spins = goes_round(loop);
    }
    free(loop->live);
    loop->live = NULL;
    return spins;
}

/* The simulator's order of blocks alone says how often a grid's blocks looked: once, as of now. */
static void look_once(struct simt_execution *executions, uint32_t head, uint32_t back) {
    double once = (double)executions[back].trips->entries / (double)executions[back].runs;
    for (uint32_t i = head; i <= back; i++) {
        struct simt_execution *of = &executions[i];
        uint64_t *counts[] = {&of->runs,  &of->divergent, &of->requests, &of->transactions,
                              &of->ideal, &of->lines,     &of->missed,   &of->waited,
                              &of->late,  &of->bytes,     &of->beyond};
        for (uint32_t k = 0; k < sizeof counts / sizeof *counts; k++)
            *counts[k] = (uint64_t)llround((double)*counts[k] * once);
    }
}

enum binding_spin binding_spins(const struct ptx_module *program, struct simt_result *result,
                                uint64_t *grid_syncs) {
    const struct ptx_function *function = NULL;
    enum binding_spin found = SPIN_NONE;
    for (uint32_t i = 0; i < result->execution_count && found < SPIN_BLOCKS; i++) {
        struct simt_execution *execution = &result->executions[i];
        const struct ptx_instruction *in = execution->instruction;
        if (function == NULL || in < function->instructions ||
            in >= function->instructions + function->instruction_count)
            function = function_of(program, in);
        if (function == NULL || in->opcode != PTX_BRA || in->target < 0 ||
            &function->instructions[in->target] > in)
            continue;
        uint32_t back = (uint32_t)(in - function->instructions);
        struct loop loop = {.program = program,
                            .result = result,
                            .function = function,
                            .executions = execution - back,
                            .head = (uint32_t)in->target,
                            .back = back,
                            .words = (function->slots + function->predicates) / 64 + 1};
        loop.has_barrier = has_barrier(&loop);
        for (loop.kind = SPIN_BLOCKS; loop.kind > SPIN_NONE; loop.kind--) {
            if (!waits(&loop))
                continue;
            found = loop.kind > found ? loop.kind : found;
            if (loop.kind != SPIN_GRID || execution->trips == NULL)
                continue;
            *grid_syncs += execution->trips->entries;
            if (execution->runs > execution->trips->entries)
                look_once(execution - back, loop.head, back);
        }
    }
    return found;
}

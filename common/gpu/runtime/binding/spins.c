/* spins.c: loops in which a warp waits until another block writes a word.
 *
 * Such a loop can be gone round with nothing changed: no store, and no register that the next
 * trip reads. Only memory that others write ends it, so a load that sees their stores, or an
 * atomic, lies on that way. How often a warp goes round depends on the other blocks' progress,
 * which neither the simulator's order of blocks nor the time model gets right. So it counts that
 * the loop is entered, or that a look decided whether it is, not how often it ran. */
#include "gpu/runtime/binding/binding.h"

#include <stdlib.h>
#include <string.h>

/* The instructions [head, back] of a function, `back` branching to `head`. */
struct loop {
    const struct ptx_function *function;
    const struct simt_execution *executions; /* the function's first */
    uint32_t head, back;
    uint32_t words; /* 64-bit words of a set of registers and predicates */
    uint64_t *live; /* a set for each instruction: what is read behind it, before it is written */
    uint64_t *read; /* one set: what the trip reads of the trip before */
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

static bool never_ran(const struct loop *loop) {
    return loop->executions[loop->back].runs == 0;
}

/* Of generic accesses those that touched sectors: words in shared memory are of one block. In a loop
 * that never ran any may be global. */
static bool is_global(const struct loop *loop, const struct simt_execution *execution) {
    return execution->instruction->space == PTX_GLOBAL ||
           (execution->instruction->space == PTX_GENERIC && (execution->transactions > 0 || never_ran(loop)));
}

/* An atomic that may leave its word as it is: a swap that fails, or of a lock that is taken. */
static bool may_change_nothing(const struct loop *loop, const struct ptx_instruction *in) {
    const struct ptx_operand *operand = &loop->function->operands[in->operand + in->destinations + 1];
    return in->form == PTX_ATOM_CAS || in->form == PTX_ATOM_EXCH ||
           (operand->kind == PTX_OPERAND_IMMEDIATE && operand->value == 0);
}

/* Whether the instruction sees what other blocks write meanwhile. */
static bool looks(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    if (!is_global(loop, &loop->executions[i]))
        return false;
    switch (ptx_nature(in)->memory) {
    case PTX_MEMORY_LOAD: return (in->flags & PTX_VOLATILE) != 0;
    case PTX_MEMORY_ATOMIC: return in->destinations > 0 && may_change_nothing(loop, in);
    default: return false;
    }
}

/* Whether it changes memory, or may do anything: a call. */
static bool acts(const struct loop *loop, uint32_t i) {
    const struct ptx_instruction *in = at(loop, i);
    switch (ptx_nature(in)->memory) {
    case PTX_MEMORY_STORE:
    case PTX_MEMORY_COPY: return true;
    case PTX_MEMORY_ATOMIC: return !looks(loop, i);
    default: return ptx_nature(in)->control == PTX_CONTROL_CALL;
    }
}

/* Turns what is live behind `i` into what is live before it. Only what decides a branch, an access
 * or an action counts as read; a pause does not. */
static void pass(const struct loop *loop, uint32_t i, uint64_t *set) {
    const struct ptx_instruction *in = at(loop, i);
    const struct ptx_operand *operands = &loop->function->operands[in->operand];
    bool needed = ptx_is_branch(in) || ptx_ends_thread(in) || looks(loop, i) || acts(loop, i) ||
                  writes_any_of(loop, in, set);
    for (uint32_t k = 0; in->guard < 0 && k < in->destinations; k++) {
        int32_t slot = slot_of(loop, &operands[k]);
        if (slot >= 0)
            set[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    }
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

/* Whether the condition of branch i follows from a look: a walk back over what its predicate was made of. */
static bool follows_from_look(const struct loop *loop, uint32_t i) {
    uint64_t *set = calloc(loop->words, sizeof *set);
    bool found = false;
    if (set == NULL)
        return false;
    add(set, (int32_t)loop->function->slots + at(loop, i)->guard);
    while (i-- > 0 && !found) {
        const struct ptx_instruction *in = at(loop, i);
        if (!writes_any_of(loop, in, set))
            continue;
        found = looks(loop, i);
        for (uint32_t k = in->destinations; k < (uint32_t)in->destinations + in->sources; k++)
            add(set, slot_of(loop, &loop->function->operands[in->operand + k]));
    }
    free(set);
    return found;
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

bool binding_spins(const struct ptx_module *program, const struct simt_result *result) {
    const struct ptx_function *function = NULL;
    bool spins = false;
    for (uint32_t i = 0; i < result->execution_count && !spins; i++) {
        const struct simt_execution *execution = &result->executions[i];
        const struct ptx_instruction *in = execution->instruction;
        if (function == NULL || in < function->instructions ||
            in >= function->instructions + function->instruction_count)
            function = function_of(program, in);
        if (function == NULL || in->opcode != PTX_BRA || in->target < 0 ||
            &function->instructions[in->target] > in)
            continue;
        uint32_t back = (uint32_t)(in - function->instructions);
        struct loop loop = {.function = function,
                            .executions = execution - back,
                            .head = (uint32_t)in->target,
                            .back = back,
                            .words = (function->slots + function->predicates) / 64 + 1};
        spins = may_be_entered(&loop) && has_look(&loop) && find_read(&loop) && goes_round(&loop);
        free(loop.live);
    }
    return spins;
}

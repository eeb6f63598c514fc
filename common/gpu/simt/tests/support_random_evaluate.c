/* support_random_evaluate.c: evaluates a random program one thread after the other. */
#include "support_random.h"

#include <string.h>

struct frame {
    uint64_t values[RANDOM_CLASSES][RANDOM_VARIABLES];
    bool assigned[RANDOM_CLASSES][RANDOM_VARIABLES];
    bool *unassigned_read; /* of the run */
    uint8_t local[RANDOM_LOCAL];
    uint64_t result;
};

struct thread {
    struct frame frame;
    uint32_t number, place; /* in its block, in the grid */
    bool gone;
};

struct run {
    const struct random_program *program;
    uint8_t *output, shared[RANDOM_THREADS * RANDOM_CELL];
    const uint64_t *inputs;
    struct thread threads[RANDOM_THREADS];
    bool unassigned_read;
};

enum flow { ON, BROKEN, CONTINUED, RETURNED, EXITED };

static void assign(struct frame *frame, struct random_operand operand, uint64_t value) {
    frame->values[random_class_of(operand.kind)][operand.index] = value;
    frame->assigned[random_class_of(operand.kind)][operand.index] = true;
}
static uint64_t value_of(struct frame *frame, struct random_operand operand) {
    enum random_class c = random_class_of(operand.kind);
    if (operand.index < 0)
        return operand.value;
    *frame->unassigned_read |= !frame->assigned[c][operand.index];
    return frame->values[c][operand.index];
}
static bool taken(struct frame *frame, const struct random_statement *s) {
    return s->guard < 0 ||
           (value_of(frame, (struct random_operand){'p', s->guard, 0}) != 0) != s->guard_negated;
}

static enum flow evaluate(struct run *run, struct thread *thread, struct frame *frame, int list);

static void access(struct run *run, struct thread *thread, struct frame *frame,
                   const struct random_statement *s) {
    uint64_t where = value_of(frame, s->source[0]);
    uint8_t *at;
    switch (s->kind) {
    case LOAD_INPUT:
        at = (uint8_t *)run->inputs + 8 * (s->slot < 0 ? where % RANDOM_INPUTS : (uint64_t)s->slot);
        break;
    case LOAD_LOCAL:
    case STORE_LOCAL:
        at = frame->local + 16 * (s->slot < 0 ? where % (RANDOM_LOCAL / 16) : (uint64_t)s->slot);
        break;
    case LOAD_SHARED:
    case STORE_SHARED:
        at = run->shared +
             (size_t)RANDOM_CELL * (s->slot < 0 ? where % run->program->threads : thread->number);
        break;
    default:
        at = run->output + (size_t)thread->place * run->program->stride +
             run->program->span * (s->slot < 0 ? where % RANDOM_SLOTS : (uint64_t)s->slot);
        break;
    }
    bool store = s->kind == STORE_OWN || s->kind == STORE_LOCAL || s->kind == STORE_SHARED;
    size_t bytes = (size_t)s->access->bytes;
    at += s->offset;
    for (int i = 0; i < s->choice; i++, at += bytes) {
        uint64_t value = 0;
        if (store) {
            value = value_of(frame, s->destination[i]);
            memcpy(at, &value, bytes);
            continue;
        }
        memcpy(&value, at, bytes);
        if (s->access->is_signed && value >> (8 * bytes - 1))
            value |= UINT64_MAX << 8 * bytes;
        assign(frame, s->destination[i], s->access->kind == 'x' ? value : (uint32_t)value);
    }
}

static void call(struct run *run, struct thread *thread, struct frame *frame,
                 const struct random_statement *s, enum flow *flow) {
    struct frame callee;
    memset(&callee, 0, sizeof callee);
    callee.unassigned_read = frame->unassigned_read;
    assign(&callee, (struct random_operand){'w', 0, 0}, value_of(frame, s->source[0]));
    assign(&callee, (struct random_operand){'x', 0, 0}, value_of(frame, s->source[1]));
    *flow = evaluate(run, thread, &callee, run->program->functions[s->choice].first) == EXITED ? EXITED : ON;
    assign(frame, s->destination[0], callee.result);
}

static enum flow loop(struct run *run, struct thread *thread, struct frame *frame,
                      const struct random_statement *s) {
    uint64_t limit = value_of(frame, s->source[0]) & 3;
    if (!limit)
        limit = s->choice; /* tested last: at least one trip */
    for (uint64_t counter = 0; counter < limit; counter++) {
        assign(frame, s->destination[0], counter);
        enum flow flow = evaluate(run, thread, frame, s->body);
        if (flow == BROKEN)
            break;
        if (flow == RETURNED || flow == EXITED)
            return flow;
    }
    return ON;
}

static enum flow evaluate_one(struct run *run, struct thread *thread, struct frame *frame,
                              const struct random_statement *s) {
    uint64_t sources[4] = {0}, results[2];
    enum flow flow = ON;
    switch (s->kind) {
    case IF: return evaluate(run, thread, frame, taken(frame, s) ? s->body : s->otherwise);
    case LOOP: return loop(run, thread, frame, s);
    case CHOOSE:
        assign(frame, s->destination[0], value_of(frame, s->source[taken(frame, s) ? 0 : 1]));
        return ON;
    default: break;
    }
    if (!taken(frame, s))
        return ON;
    switch (s->kind) {
    case BREAK: return BROKEN;
    case CONTINUE: return CONTINUED;
    case EXIT: return EXITED;
    case RETURN: frame->result = value_of(frame, s->source[0]); return RETURNED;
    case CALL: call(run, thread, frame, s, &flow); return flow;
    case ADD_COMMON: {
        uint32_t sum,
            *at = (uint32_t *)(void *)(run->output + random_output_bytes(run->program) - RANDOM_COMMON);
        sum = *at + (uint32_t)value_of(frame, s->source[0]);
        *at = sum;
        return ON;
    }
    case OPERATE:
        for (int i = 0; i < 4; i++)
            sources[i] = s->source[i].kind ? value_of(frame, s->source[i]) : 0;
        random_operate(s->operation, sources, results);
        assign(frame, s->destination[0], results[0]);
        if (s->operation->shape[1] != ':')
            assign(frame, s->destination[1], results[1]);
        return ON;
    default: access(run, thread, frame, s); return ON;
    }
}

static enum flow evaluate(struct run *run, struct thread *thread, struct frame *frame, int list) {
    for (; list >= 0; list = run->program->statements[list].next) {
        enum flow flow = evaluate_one(run, thread, frame, &run->program->statements[list]);
        if (flow != ON)
            return flow;
    }
    return ON;
}

/* ---- block statements */

static bool runs(const struct run *run, const bool *group, uint32_t thread) {
    return thread < run->program->threads && group[thread] && !run->threads[thread].gone;
}

static uint64_t shuffled(struct run *run, const bool *group, uint32_t number,
                         const struct random_statement *s) {
    static const int segments[] = {0, 16, 24};
    int lane = (int)number % 32, segment = segments[s->slot],
        amount = (int)(value_of(&run->threads[number].frame, s->source[1]) & 31);
    int first = lane & segment, last = first | (31 & ~segment), at;
    bool inside;
    switch (s->choice) {
    case 0: at = lane - amount, inside = at >= first; break;
    case 1: at = lane + amount, inside = at <= last; break;
    case 2: at = lane ^ amount, inside = at <= last; break;
    default: at = first | (amount & ~segment), inside = at <= last; break;
    }
    if (!inside)
        at = lane;
    uint32_t other = number - (uint32_t)lane + (uint32_t)at;
    if (!runs(run, group, other))
        return inside ? 1000 : 0;
    return 7 * value_of(&run->threads[other].frame, s->source[0]) + (inside ? 1000 : 0) + (uint32_t)at;
}

static void together(struct run *run, const bool *group, const struct random_statement *s) {
    uint64_t results[RANDOM_THREADS];
    uint32_t count = 0, yes = 0;
    for (uint32_t t = 0; t < run->program->threads; t++)
        if (runs(run, group, t) && s->kind == BARRIER_COUNT) {
            count++;
            yes += value_of(&run->threads[t].frame, s->source[0]) != 0;
        }
    for (uint32_t t = 0; t < run->program->threads; t++) {
        if (!runs(run, group, t))
            continue;
        if (s->kind == SHUFFLE) {
            results[t] = (uint32_t)shuffled(run, group, t, s);
        } else if (s->kind == BARRIER_COUNT) {
            results[t] = s->choice == 0 ? yes : s->choice == 1 ? yes == count : yes != 0;
        } else {
            uint32_t ballot = 0, members = 0;
            for (uint32_t lane = 0; lane < 32; lane++)
                if (runs(run, group, t / 32 * 32 + lane)) {
                    members |= 1u << lane;
                    ballot |= (uint32_t)value_of(&run->threads[t / 32 * 32 + lane].frame, s->source[0])
                              << lane;
                }
            results[t] = s->choice == 0 ? ballot : s->choice == 1 ? ballot == members : ballot != 0;
        }
    }
    for (uint32_t t = 0; t < run->program->threads; t++)
        if (runs(run, group, t))
            assign(&run->threads[t].frame, s->destination[0], results[t]);
}

static void evaluate_group(struct run *run, const bool *group, int list) {
    for (; list >= 0; list = run->program->statements[list].next) {
        const struct random_statement *s = &run->program->statements[list];
        bool part[2][RANDOM_THREADS] = {{false}};
        switch (s->kind) {
        case BARRIER: break;
        case BARRIER_COUNT:
        case VOTE:
        case SHUFFLE: together(run, group, s); break;
        case GROUP_IF:
            for (uint32_t t = 0; t < run->program->threads; t++)
                if (runs(run, group, t))
                    part[taken(&run->threads[t].frame, s) ? 0 : 1][t] = true;
            evaluate_group(run, part[0], s->body);
            evaluate_group(run, part[1], s->otherwise);
            break;
        case GROUP_LOOP:
            for (uint64_t trip = 0; trip < 2; trip++) {
                for (uint32_t t = 0; t < run->program->threads; t++)
                    if (runs(run, group, t))
                        assign(&run->threads[t].frame, s->destination[0], trip);
                evaluate_group(run, group, s->body);
            }
            break;
        default:
            for (uint32_t t = 0; t < run->program->threads; t++)
                if (runs(run, group, t) &&
                    evaluate_one(run, &run->threads[t], &run->threads[t].frame, s) == EXITED)
                    run->threads[t].gone = true;
        }
    }
}

bool random_evaluate(const struct random_program *program, uint8_t *output, const uint64_t *inputs) {
    static struct run run;
    bool all[RANDOM_THREADS];
    memset(all, true, sizeof all);
    memset(&run, 0, sizeof run);
    run.program = program;
    run.output = output;
    run.inputs = inputs;
    for (uint32_t block = 0; block < program->blocks; block++) {
        memset(run.shared, 0, sizeof run.shared);
        memset(run.threads, 0, sizeof run.threads);
        for (uint32_t t = 0; t < program->threads; t++) {
            struct thread *thread = &run.threads[t];
            thread->number = t;
            thread->place = block * program->threads + t;
            thread->frame.unassigned_read = &run.unassigned_read;
            assign(&thread->frame, (struct random_operand){'w', 0, 0}, t);
            assign(&thread->frame, (struct random_operand){'w', 1, 0}, thread->place);
            assign(&thread->frame, (struct random_operand){'x', 0, 0}, thread->place);
        }
        evaluate_group(&run, all, program->functions[program->function_count - 1].first);
    }
    return !run.unassigned_read;
}

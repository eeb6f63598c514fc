/* support_random_generate.c: makes random programs. A variable is visible from its first assignment
 * to the end of the list that assigns it. */
#include "support_random.h"

#include <string.h>

struct generator {
    struct random_program *program;
    struct random_function *function;
    uint64_t state;
    int visible[RANDOM_CLASSES][RANDOM_VARIABLES], visible_count[RANDOM_CLASSES];
    bool frozen[RANDOM_VARIABLES]; /* loop counters and arguments: never assigned again */
    int budget;                    /* statements this function may still have */
    int loops, callable;
    bool kernel, reading; /* all read shared memory now, or each thread writes its own */
};

static uint32_t pick(struct generator *g, uint32_t below) {
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return (uint32_t)((g->state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % below;
}

static uint64_t random_value(struct generator *g, char kind) {
    static const int64_t edges[] = {0,  1,  2,   3,  7,  8,    15,  16,    31,
                                    32, 63, 255, -1, -2, -128, 127, 32767, -32768};
    static const float floats[] = {0, 1, -1, 0.5f, -3.25f, 1e-40f, 1e30f, 123456.0f};
    if (kind == 'f') {
        uint32_t bits;
        memcpy(&bits, &floats[pick(g, sizeof floats / sizeof *floats)], 4);
        return bits;
    }
    uint64_t value = (uint64_t)edges[pick(g, sizeof edges / sizeof *edges)];
    if (kind != 'h' && pick(g, 4) == 0)
        value = kind == 'w' ? (uint64_t)(int32_t)(pick(g, 1u << 31) << pick(g, 2))
                            : (uint64_t)pick(g, 1u << 31) << 32 | pick(g, 1u << 31);
    return value;
}

static uint64_t truncated(char kind, uint64_t value) {
    return kind == 'h' ? (uint16_t)value : kind == 'x' ? value : (uint32_t)value;
}

static struct random_operand immediate(char kind, uint64_t value) {
    return (struct random_operand){kind, -1, truncated(kind, value)};
}

/* The newest are read most, so that lives are short and slots are reused. */
static int old_variable(struct generator *g, char kind) {
    enum random_class c = random_class_of(kind);
    int count = g->visible_count[c], near = count < 6 ? count : 6;
    return g
        ->visible[c][pick(g, 3) ? count - 1 - (int)pick(g, (uint32_t)near) : (int)pick(g, (uint32_t)count)];
}

static struct random_operand source(struct generator *g, char letter) {
    char kind = (char)(letter | 32);
    if (kind == 'i')
        return immediate('w', pick(g, 256));
    if (kind != letter && pick(g, 4) == 0)
        return immediate(kind, random_value(g, kind));
    return (struct random_operand){kind, old_variable(g, kind), 0};
}

/* Not visible before show(), after the statement's sources are chosen. -1: no more of this kind. */
static int fresh(struct generator *g, char kind) {
    enum random_class c = random_class_of(kind);
    return g->function->variables[c] < RANDOM_VARIABLES ? g->function->variables[c]++ : -1;
}

static void show(struct generator *g, struct random_operand operand) {
    enum random_class c = random_class_of(operand.kind);
    for (int i = 0; i < g->visible_count[c]; i++)
        if (g->visible[c][i] == operand.index)
            return;
    g->visible[c][g->visible_count[c]++] = operand.index;
}

static struct random_operand destination(struct generator *g, char kind, bool old) {
    int index = old || pick(g, 2) ? old_variable(g, kind) : -1;
    if (index >= 0 && kind == 'w' && g->frozen[index])
        index = -1;
    if (index < 0)
        index = fresh(g, kind);
    if (index < 0)
        do
            index = old_variable(g, kind);
        while (kind == 'w' && g->frozen[index]);
    return (struct random_operand){kind, index, 0};
}

static struct random_statement *add(struct generator *g, enum random_kind kind, int *list) {
    struct random_program *program = g->program;
    struct random_statement *statement = &program->statements[program->statement_count];
    *statement = (struct random_statement){
        .kind = kind, .guard = -1, .slot = -1, .body = -1, .otherwise = -1, .next = -1};
    while (*list >= 0)
        list = &program->statements[*list].next;
    *list = program->statement_count++;
    g->budget--;
    return statement;
}

static void add_guard(struct generator *g, struct random_statement *statement) {
    statement->guard = old_variable(g, 'p');
    statement->guard_negated = pick(g, 2);
}

static bool is_visible(const struct generator *g, struct random_operand operand) {
    enum random_class c = random_class_of(operand.kind);
    for (int i = 0; i < g->visible_count[c]; i++)
        if (g->visible[c][i] == operand.index)
            return true;
    return false;
}

static void add_operation(struct generator *g, const struct random_operation *operation, int *list) {
    struct random_statement *statement = add(g, OPERATE, list);
    statement->operation = operation;
    const char *shape = strchr(operation->shape, ':') + 1;
    for (int i = 0; shape[i]; i++)
        statement->source[i] = source(g, shape[i]);
    int results = (int)(shape - operation->shape) - 1;
    bool guarded = results == 1 && pick(g, 6) == 0;
    if (results == 2) /* two results must be apart from what the second still reads */
        for (int i = 0; i < 2; i++) {
            int index = fresh(g, operation->shape[i]);
            if (index < 0) {
                g->program->statement_count--; /* unlinked below */
                while (*list != g->program->statement_count)
                    list = &g->program->statements[*list].next;
                *list = -1;
                return;
            }
            statement->destination[i] = (struct random_operand){operation->shape[i], index, 0};
        }
    else
        statement->destination[0] = destination(g, operation->shape[0], guarded);
    if (guarded && is_visible(g, statement->destination[0]))
        add_guard(g, statement);
    for (int i = 0; i < results; i++)
        show(g, statement->destination[i]);
}

static const struct random_operation *move_of(char kind) {
    for (int i = 0; i < random_operation_count; i++)
        if (random_operations[i].code == MOVE && random_operations[i].shape[0] == kind &&
            (random_operations[i].shape[2] | 32) == kind)
            return &random_operations[i];
    return NULL;
}

static void add_move(struct generator *g, struct random_operand to, int *list) {
    struct random_statement *statement = add(g, OPERATE, list);
    statement->operation = move_of(to.kind);
    statement->source[0] = source(g, to.kind);
    statement->destination[0] = to;
}

static void add_choice(struct generator *g, int *list) {
    char kind = "wxfh"[pick(g, 4)];
    struct random_statement *statement = add(g, CHOOSE, list);
    add_guard(g, statement);
    statement->operation = move_of(kind);
    statement->source[0] = source(g, kind);
    statement->destination[0] = destination(g, kind, false);
    statement->source[1] = source(g, kind);
    show(g, statement->destination[0]);
}

/* Adds loads and stores: the thread's own places, inputs, local memory, or shared memory. */
static void add_access(struct generator *g, int *list) {
    static const enum random_kind loads[] = {LOAD_INPUT, LOAD_INPUT, LOAD_OWN, LOAD_LOCAL, LOAD_SHARED};
    static const enum random_kind stores[] = {STORE_OWN, STORE_OWN, STORE_OWN, STORE_LOCAL, STORE_SHARED};
    bool store = pick(g, 2), shared = g->kernel && (!store || !g->reading);
    enum random_kind kind = (store ? stores : loads)[pick(g, shared ? 5 : 4)];
    if (!g->kernel && (kind == LOAD_OWN || kind == STORE_OWN || kind == LOAD_INPUT))
        kind = store ? STORE_LOCAL : LOAD_LOCAL;
    struct random_statement *statement = add(g, kind, list);
    uint32_t room = kind == LOAD_OWN || kind == STORE_OWN       ? g->program->unit
                    : kind == LOAD_INPUT                        ? 8
                    : kind == LOAD_LOCAL || kind == STORE_LOCAL ? 16
                                                                : RANDOM_CELL;
    do
        statement->access = &random_accesses[pick(g, (uint32_t)random_access_count)];
    while ((store && !statement->access->store) || (uint32_t)statement->access->bytes > room);
    uint32_t bytes = (uint32_t)statement->access->bytes;
    bool pair = 2 * bytes <= room && bytes >= 4 && pick(g, 3) == 0;
    statement->choice = pair ? (4 * bytes <= room && pick(g, 2) ? 4 : 2) : 1;
    bytes *= (uint32_t)statement->choice;
    statement->offset = (int)(pick(g, room / bytes) * bytes);
    uint32_t slots = kind == LOAD_INPUT                          ? RANDOM_INPUTS
                     : kind == LOAD_LOCAL || kind == STORE_LOCAL ? RANDOM_LOCAL / 16
                                                                 : RANDOM_SLOTS;
    statement->source[0] = source(g, 'w'); /* the place, if slot is -1 */
    if (kind == LOAD_SHARED || kind == STORE_SHARED)
        statement->slot = g->reading ? -1 : 0; /* any thread's, or its own */
    else if (pick(g, 2))
        statement->slot = (int)pick(g, slots);
    for (int i = 0; i < statement->choice; i++)
        if (store)
            statement->destination[i] = source(g, statement->access->kind);
        else if (statement->choice == 1)
            statement->destination[0] = destination(g, statement->access->kind, false);
        else {
            int index = fresh(g, statement->access->kind);
            if (index < 0) { /* a scalar then */
                statement->choice = 1;
                statement->destination[0] = destination(g, statement->access->kind, true);
            } else {
                statement->destination[i] = (struct random_operand){statement->access->kind, index, 0};
            }
        }
    if (pick(g, 6) == 0 && (store || (statement->choice == 1 && is_visible(g, statement->destination[0]))))
        add_guard(g, statement);
    for (int i = 0; i < statement->choice && !store; i++)
        show(g, statement->destination[i]);
}

static void add_list(struct generator *g, int *list, int length, int depth, bool together, bool whole);

struct scope {
    int visible_count[RANDOM_CLASSES];
};
static struct scope open_scope(const struct generator *g) {
    struct scope scope;
    memcpy(scope.visible_count, g->visible_count, sizeof scope.visible_count);
    return scope;
}
static void close_scope(struct generator *g, const struct scope *scope) {
    memcpy(g->visible_count, scope->visible_count, sizeof scope->visible_count);
}

/* Both sides may assign the same new variables, which are then visible behind the if. */
static void add_if(struct generator *g, int *list, int depth, bool together) {
    struct random_statement *statement = add(g, together ? GROUP_IF : IF, list);
    add_guard(g, statement);
    struct random_operand both[3];
    int count = (int)pick(g, 4), alternatives = count || pick(g, 2);
    for (int i = 0; i < count; i++) {
        both[i].kind = "wxfhp"[pick(g, 4)];
        both[i].index = fresh(g, both[i].kind);
        if (both[i].index < 0)
            count = i;
    }
    for (int way = 0; way <= alternatives; way++) {
        struct scope scope = open_scope(g);
        int *ways = way ? &statement->otherwise : &statement->body;
        add_list(g, ways, 1 + (int)pick(g, 5), depth - 1, together, false);
        for (int i = 0; i < count; i++)
            add_move(g, both[i], ways);
        close_scope(g, &scope);
    }
    for (int i = 0; i < count; i++)
        show(g, both[i]);
}

static void add_loop(struct generator *g, int *list, int depth, bool together, bool whole) {
    int counter = fresh(g, 'w');
    if (counter < 0)
        return;
    struct random_statement *statement = add(g, together ? GROUP_LOOP : LOOP, list);
    statement->destination[0] = (struct random_operand){'w', counter, 0};
    statement->source[0] = source(g, 'w');
    statement->choice = (int)pick(g, 2); /* test first, or last */
    bool reading = g->reading;
    struct scope scope = open_scope(g);
    g->frozen[counter] = true;
    show(g, statement->destination[0]);
    g->loops += together ? 0 : 1;
    add_list(g, &statement->body, 2 + (int)pick(g, 5), depth - 1, together, whole);
    g->loops -= together ? 0 : 1;
    if (g->reading != reading) {
        add(g, BARRIER, &statement->body);
        g->reading = reading;
    }
    close_scope(g, &scope);
}

static void add_call(struct generator *g, int *list) {
    struct random_statement *statement = add(g, CALL, list);
    statement->choice = (int)pick(g, (uint32_t)g->callable);
    statement->source[0] = source(g, 'w');
    statement->source[1] = source(g, 'x');
    statement->destination[0] = destination(g, g->program->functions[statement->choice].result, false);
    if (pick(g, 5) == 0 && is_visible(g, statement->destination[0]))
        add_guard(g, statement);
    show(g, statement->destination[0]);
}

/* Adds a block statement. whole: the group is the block. */
static void add_together(struct generator *g, int *list, int depth, bool whole) {
    switch (pick(g, 6)) {
    case 0:
    case 1:
        if (whole) {
            if (pick(g, 3)) {
                add(g, BARRIER, list);
            } else {
                struct random_statement *statement = add(g, BARRIER_COUNT, list);
                statement->choice = (int)pick(g, 3); /* popc, and, or */
                statement->source[0] = source(g, 'p');
                statement->destination[0] = destination(g, statement->choice ? 'p' : 'w', false);
                show(g, statement->destination[0]);
            }
            g->reading = !g->reading;
            break;
        } /* fall through */
    case 2:
    case 3: {
        struct random_statement *statement = add(g, SHUFFLE, list);
        statement->choice = (int)pick(g, 4); /* up, down, bfly, idx */
        statement->slot = (int)pick(g, 3);   /* segments of 32, 16, 8 */
        statement->source[0] = source(g, 'w');
        statement->source[1] = pick(g, 2) ? source(g, 'w') : immediate('w', pick(g, 32));
        statement->destination[0] = destination(g, 'w', false);
        show(g, statement->destination[0]);
        break;
    }
    case 4: {
        struct random_statement *statement = add(g, VOTE, list);
        statement->choice = (int)pick(g, 3); /* ballot, all, any */
        statement->source[0] = source(g, 'p');
        statement->destination[0] = destination(g, statement->choice ? 'p' : 'w', false);
        show(g, statement->destination[0]);
        break;
    }
    default:
        if (depth > 0 && pick(g, 2))
            add_if(g, list, depth, true);
        else if (depth > 0)
            add_loop(g, list, depth, true, whole);
    }
}

static void add_jump(struct generator *g, int *list) {
    struct random_statement *statement;
    if (g->loops && pick(g, 4)) {
        statement = add(g, pick(g, 2) ? BREAK : CONTINUE, list);
    } else if (g->kernel || pick(g, 4) == 0) {
        statement = add(g, EXIT, list);
        statement->choice = (int)pick(g, 2);
    } else {
        statement = add(g, RETURN, list);
        statement->source[0] =
            (struct random_operand){g->function->result, old_variable(g, g->function->result), 0};
    }
    add_guard(g, statement);
}

static void add_list(struct generator *g, int *list, int length, int depth, bool together, bool whole) {
    for (int i = 0; i < length && g->budget > 0; i++) {
        uint32_t what = pick(g, 100);
        if (together && what < 20)
            add_together(g, list, depth, whole);
        else if (what < 30 && depth > 0)
            add_if(g, list, depth, false);
        else if (what < 37 && depth > 0 && g->loops < 2)
            add_loop(g, list, depth, false, false);
        else if (what < 40 && g->callable)
            add_call(g, list);
        else if (what < 43 && depth < 3)
            add_jump(g, list);
        else if (what < 46)
            add_choice(g, list);
        else if (what < 48 && g->kernel)
            add(g, ADD_COMMON, list)->source[0] = source(g, 'w');
        else if (what < 65)
            add_access(g, list);
        else
            add_operation(g, &random_operations[pick(g, (uint32_t)random_operation_count)], list);
    }
}

static void add_function(struct generator *g, int number, bool kernel) {
    g->function = &g->program->functions[number];
    *g->function = (struct random_function){
        .first = -1, .variables = {kernel ? 2 : 1, 1}, .result = kernel ? 0 : "wx"[pick(g, 2)]};
    memset(g->visible_count, 0, sizeof g->visible_count);
    memset(g->frozen, 0, sizeof g->frozen);
    g->kernel = kernel;
    g->reading = false;
    g->callable = number;
    g->budget = kernel ? 60 + (int)pick(g, 120) : 8 + (int)pick(g, 20);
    g->frozen[0] = g->frozen[1] = true;
    int *list = &g->function->first;
    for (int i = 0; i < g->function->variables[CLASS_W]; i++)
        show(g, (struct random_operand){'w', i, 0});
    show(g, (struct random_operand){'x', 0, 0});
    static const char *const first[] = {"cvt.u16.u32", "cvt.rn.f32.s32", "setp.lt.s32", "add.s32",
                                        "mul.wide.s32"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        for (int k = 0; k < random_operation_count; k++)
            if (!strcmp(random_operations[k].text, first[i]) && random_operations[k].shape[1] == ':') {
                struct random_statement *statement = add(g, OPERATE, list);
                const char *shape = strchr(random_operations[k].shape, ':') + 1;
                statement->operation = &random_operations[k];
                for (int s = 0; shape[s]; s++)
                    statement->source[s] = s ? immediate((char)(shape[s] | 32), 5 + (uint64_t)pick(g, 20))
                                             : source(g, (char)(shape[s] | 32));
                statement->destination[0] = (struct random_operand){
                    random_operations[k].shape[0], fresh(g, random_operations[k].shape[0]), 0};
                show(g, statement->destination[0]);
            }
    while (g->budget > 0)
        add_list(g, list, 10, 3, kernel, kernel);
    g->budget = 40;
    for (int i = 0; kernel && i < 6; i++) { /* the rest is visible in the output */
        struct random_statement *statement = add(g, STORE_OWN, list);
        statement->access = &random_accesses[i];
        while (!statement->access->store || (uint32_t)statement->access->bytes > g->program->unit)
            statement->access--;
        statement->choice = 1;
        statement->slot = (int)pick(g, RANDOM_SLOTS);
        statement->source[0] = immediate('w', 0);
        statement->destination[0] = source(g, statement->access->kind);
    }
    if (!kernel) {
        struct random_statement *statement = add(g, RETURN, list);
        statement->source[0] =
            (struct random_operand){g->function->result, old_variable(g, g->function->result), 0};
    }
}

void random_generate(struct random_program *program, uint64_t seed) {
    static const uint32_t shapes[][3] = {{1, 1, 1},  {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {50, 1, 1},
                                         {5, 10, 1}, {64, 1, 1}, {96, 1, 1}, {7, 3, 2},  {32, 2, 1}};
    struct generator g = {.program = program, .state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    memset(program, 0, sizeof *program);
    for (int i = 0; i < 10; i++)
        pick(&g, 2);
    program->seed = seed;
    memcpy(program->block, shapes[pick(&g, sizeof shapes / sizeof *shapes)], sizeof program->block);
    program->threads = program->block[0] * program->block[1] * program->block[2];
    program->blocks = 1 + pick(&g, 3);
    program->unit = 4u << pick(&g, 3);
    bool apart = pick(&g, 2);
    program->stride = apart ? program->unit * RANDOM_SLOTS : program->unit;
    program->span = apart ? program->unit : program->unit * program->threads * program->blocks;
    program->function_count = 1 + (int)pick(&g, RANDOM_FUNCTIONS);
    for (int i = 0; i < program->function_count; i++)
        add_function(&g, i, i == program->function_count - 1);
}

uint32_t random_output_bytes(const struct random_program *program) {
    return program->unit * RANDOM_SLOTS * program->threads * program->blocks + RANDOM_COMMON;
}

/* Unlinks a statement from its list. */
static void unlink_statement(struct random_program *program, int number) {
    int next = program->statements[number].next;
    for (int i = 0; i < program->function_count; i++)
        if (program->functions[i].first == number)
            program->functions[i].first = next;
    for (int i = 0; i < program->statement_count; i++) {
        struct random_statement *s = &program->statements[i];
        int *links[] = {&s->next, &s->body, &s->otherwise};
        for (int k = 0; k < 3; k++)
            if (*links[k] == number)
                *links[k] = next;
    }
    program->statements[number].next = number; /* it is left out already */
}

bool random_simplify(struct random_program *program, int number, int way) {
    struct random_statement *s = &program->statements[number];
    if (s->next == number || (s->kind == RETURN && s->guard < 0))
        return false;
    if (way == 0) {
        unlink_statement(program, number);
        return true;
    }
    const struct random_operation *move = s->kind == OPERATE ? move_of(s->destination[0].kind) : NULL;
    if (move == NULL || s->destination[1].kind || (s->operation == move && s->source[0].index < 0))
        return false;
    s->operation = move;
    s->source[0] = immediate(s->destination[0].kind, 0);
    return true;
}

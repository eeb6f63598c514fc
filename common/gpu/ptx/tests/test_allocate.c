/* test_allocate.c: random programs. No two virtual registers that an independent, slow liveness
 * analysis finds live together may share a slot. The register file must be nearly as small as the
 * most registers live at once. */
#include "base/test.h"
#include "support_parse.h"

enum {
    NARROW = 8,
    WIDE = 6,
    PREDICATES = 4,
    REGISTERS = NARROW + WIDE + PREDICATES,
    MOST = 60,
    OPERANDS = 6
};

/* An instruction by virtual registers, in the order of its operands; -1: not a register. */
struct line {
    int destinations, sources, registers[OPERANDS];
    int guard, target; /* target: line of a branch, -1 none */
    bool returns;
};

struct program {
    struct line lines[MOST];
    int count;
    char text[8192];
    int slot[REGISTERS]; /* as found in the parsed program, -1 unknown */
};

static unsigned random_below(unsigned *state, unsigned limit) {
    *state = *state * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)(*state >> 8) * limit) >> 24);
}

static bool is_predicate(int r) {
    return r >= NARROW + WIDE;
}
static bool is_wide(int r) {
    return r >= NARROW && !is_predicate(r);
}

static const char *name(int r, char *text, size_t size) {
    snprintf(text, size, "%s%d",
             is_predicate(r) ? "%p"
             : is_wide(r)    ? "%rd"
                             : "%r",
             is_predicate(r) ? r - NARROW - WIDE
             : is_wide(r)    ? r - NARROW
                             : r);
    return text;
}

static int narrow(unsigned *state) {
    return (int)random_below(state, NARROW);
}
static int wide(unsigned *state) {
    return NARROW + (int)random_below(state, WIDE);
}
static int predicate(unsigned *state) {
    return NARROW + WIDE + (int)random_below(state, PREDICATES);
}

/* Shapes: the text (a register for each #), and the registers' kinds, destinations first. */
static const struct shape {
    const char *text, *kinds;
    int destinations;
} shapes[] = {
    {"add.u32 #, #, #;", "nnn", 1},
    {"mov.u32 #, 7;", "n", 1},
    {"add.u64 #, #, #;", "www", 1},
    {"mul.wide.u32 #, #, #;", "wnn", 1},
    {"mad.wide.u32 #, #, #, #;", "wnnw", 1},
    {"cvt.u32.u64 #, #;", "nw", 1},
    {"cvt.u64.u32 #, #;", "wn", 1},
    {"setp.lt.u32 #|#, #, #;", "ppnn", 2},
    {"setp.lt.u64 #, #, #;", "pww", 1},
    {"and.pred #, #, #;", "ppp", 1},
    {"selp.b32 #, #, #, #;", "nnnp", 1},
    {"mov.b64 {#, #}, #;", "nnw", 2},
    {"mov.b64 #, {#, #};", "wnn", 1},
    {"ld.global.u32 #, [#];", "nw", 1},
    {"ld.global.v2.u64 {#, #}, [#];", "www", 2},
    {"st.global.u32 [#], #;", "wn", 0},
    {"shfl.sync.down.b32 #|#, #, 1, 31, -1;", "npn", 2},
    {"atom.global.add.u64 #, [#], #;", "www", 1},
};

static void add_line(struct program *program, unsigned *state, size_t *at) {
    struct line *line = &program->lines[program->count++];
    char *text = program->text;
    size_t size = sizeof program->text;
    char word[16];
    *line = (struct line){.guard = -1, .target = -1};
    *at += (size_t)snprintf(text + *at, size - *at, "L%d: ", program->count - 1);
    if (random_below(state, 3) == 0) {
        line->guard = predicate(state);
        *at += (size_t)snprintf(text + *at, size - *at, "@%s", name(line->guard, word, sizeof word));
        *at += (size_t)snprintf(text + *at, size - *at, " ");
    }
    unsigned choice = random_below(state, 24);
    if (choice == 0) {
        line->returns = true;
        *at += (size_t)snprintf(text + *at, size - *at, "ret;\n");
        return;
    }
    if (choice < 5) {
        line->target = (int)random_below(state, MOST);
        *at += (size_t)snprintf(text + *at, size - *at, "bra L%d;\n", line->target);
        return;
    }
    const struct shape *shape = &shapes[random_below(state, sizeof shapes / sizeof *shapes)];
    int used = 0;
    for (const char *c = shape->text; *c; c++) {
        if (*c != '#') {
            *at += (size_t)snprintf(text + *at, size - *at, "%c", *c);
            continue;
        }
        int chosen;
        do /* two destinations differ */
            chosen = shape->kinds[used] == 'n'   ? narrow(state)
                     : shape->kinds[used] == 'w' ? wide(state)
                                                 : predicate(state);
        while (used == 1 && shape->destinations == 2 && chosen == line->registers[0]);
        line->registers[used++] = chosen;
        *at += (size_t)snprintf(text + *at, size - *at, "%s", name(chosen, word, sizeof word));
    }
    *at += (size_t)snprintf(text + *at, size - *at, "\n");
    line->destinations = shape->destinations;
    line->sources = used - shape->destinations;
}

static void make_program(struct program *program, unsigned seed) {
    unsigned state = seed * 2654435761u + 1;
    size_t at = (size_t)snprintf(program->text, sizeof program->text, "%s",
                                 HEAD ".entry k() {.reg .b32 %r<8>; .reg .b64 %rd<6>; .reg .pred %p<4>;\n");
    program->count = 0;
    while (program->count < MOST - 1)
        add_line(program, &state, &at);
    program->lines[program->count++] = (struct line){.guard = -1, .target = -1, .returns = true};
    snprintf(program->text + at, sizeof program->text - at, "L%d: ret; }", MOST - 1);
}

/* ---- the slow analysis: per line, by iteration to a fixed point */

struct facts {
    bool live_in[MOST + 1][REGISTERS],
        defined_in[MOST + 1][REGISTERS]; /* a value may be read later; may exist */
};

static int successors(const struct program *program, int i, int next[2]) {
    const struct line *line = &program->lines[i];
    int count = 0;
    if (line->target >= 0)
        next[count++] = line->target;
    if (line->guard >= 0 || (line->target < 0 && !line->returns))
        next[count++] = i + 1;
    return count;
}

static bool writes(const struct line *line, int r) {
    for (int d = 0; d < line->destinations; d++)
        if (line->registers[d] == r)
            return true;
    return false;
}

static bool reads(const struct line *line, int r) {
    for (int s = 0; s < line->sources; s++)
        if (line->registers[line->destinations + s] == r)
            return true;
    return line->guard == r;
}

static bool live_after(const struct program *program, const struct facts *facts, int i, int r) {
    int next[2], count = successors(program, i, next);
    for (int n = 0; n < count; n++)
        if (facts->live_in[next[n]][r])
            return true;
    return false;
}

static void analyse(const struct program *program, struct facts *facts) {
    memset(facts, 0, sizeof *facts);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = program->count - 1; i >= 0; i--) {
            const struct line *line = &program->lines[i];
            int next[2], count = successors(program, i, next);
            for (int r = 0; r < REGISTERS; r++) {
                bool in = reads(line, r) ||
                          (live_after(program, facts, i, r) && !(writes(line, r) && line->guard < 0));
                changed |= in != facts->live_in[i][r];
                facts->live_in[i][r] = in;
                if (i == 0 && in && !facts->defined_in[0][r]) /* unset: it has a slot from here on */
                    changed = facts->defined_in[0][r] = true;
                for (int n = 0; n < count; n++)
                    if ((facts->defined_in[i][r] || writes(line, r)) && !facts->defined_in[next[n]][r])
                        changed = facts->defined_in[next[n]][r] = true;
            }
        }
    }
}

/* ---- the check */

static bool overlap(const struct program *program, int a, int b) {
    if (is_predicate(a) != is_predicate(b) || program->slot[a] < 0 || program->slot[b] < 0)
        return false;
    int end_a = program->slot[a] + 1 + is_wide(a), end_b = program->slot[b] + 1 + is_wide(b);
    return program->slot[a] < end_b && program->slot[b] < end_a;
}

static void match_slot(struct program *program, unsigned seed, int r, int32_t slot) {
    if (program->slot[r] >= 0 && program->slot[r] != slot)
        fail_msg("seed %u: register %d has two slots\n%s", seed, r, program->text);
    program->slot[r] = slot;
}

static void find_slots(struct program *program, unsigned seed, const struct ptx_function *function) {
    for (int r = 0; r < REGISTERS; r++)
        program->slot[r] = -1;
    assert_int_equal(function->instruction_count, program->count);
    for (int i = 0; i < program->count; i++) {
        const struct line *line = &program->lines[i];
        const struct ptx_instruction *instruction = &function->instructions[i];
        bool dropped = line->destinations == 1 && instruction->destinations == 0;
        assert_int_equal(instruction->destinations + instruction->sources + dropped >=
                             line->destinations + line->sources,
                         1);
        for (int o = dropped; o < line->destinations + line->sources; o++)
            match_slot(program, seed, line->registers[o],
                       function->operands[instruction->operand + (uint32_t)(o - dropped)].slot);
        if (line->guard >= 0)
            match_slot(program, seed, line->guard, instruction->guard);
    }
}

static bool strict(const struct ptx_instruction *instruction) {
    return instruction->destinations > 1 || instruction->opcode == PTX_LD ||
           instruction->opcode == PTX_SHFL || instruction->opcode == PTX_ATOM;
}

/* The instruction's own rules: destinations are apart from each other; from sources, or match
 * exactly. */
static void check_line(const struct program *program, unsigned seed, const struct line *line,
                       const struct ptx_instruction *instruction) {
    for (int d = 0; d < instruction->destinations; d++)
        for (int o = 0; o < line->destinations + line->sources; o++) {
            int a = line->registers[d], b = line->registers[o];
            if (a == b || o == d || !overlap(program, a, b))
                continue;
            bool allowed = o >= line->destinations && !strict(instruction) && is_wide(a) == is_wide(b) &&
                           program->slot[a] == program->slot[b];
            if (!allowed)
                fail_msg("seed %u: %s: destination %d overlaps operand %d\n%s", seed,
                         ptx_nature(instruction)->mnemonic, d, o, program->text);
        }
}

static void check_program(unsigned seed, uint32_t *slots, uint32_t *pressure) {
    static struct program program;
    static struct facts facts;
    make_program(&program, seed);
    struct ptx_module *module = parse(program.text);
    const struct ptx_function *function = kernel(module);
    find_slots(&program, seed, function);
    for (int a = 0; a < NARROW; a++)
        for (int b = NARROW; b < NARROW + WIDE; b++)
            if (overlap(&program, a,
                        b)) /* lane i of one overlaps other lanes of the other: wrong once threads diverge */
                fail_msg("seed %u: a slot holds registers of two widths\n%s", seed, program.text);
    analyse(&program, &facts);
    uint32_t most = 0;
    for (int i = 0; i < program.count; i++) {
        const struct line *line = &program.lines[i];
        const struct ptx_instruction *instruction = &function->instructions[i];
        check_line(&program, seed, line, instruction);
        uint32_t together = 0;
        for (int a = 0; a < REGISTERS; a++) {
            bool written = instruction->destinations && writes(line, a);
            bool stays = live_after(&program, &facts, i, a) && (facts.defined_in[i][a] || writes(line, a));
            if (stays && !is_predicate(a))
                together += is_wide(a) ? 2 : 1;
            for (int b = 0; b < REGISTERS && (written || stays); b++)
                if (b != a && live_after(&program, &facts, i, b) &&
                    (facts.defined_in[i][b] || writes(line, b)) && overlap(&program, a, b))
                    fail_msg("seed %u: registers %d and %d share a slot at line %d\n%s", seed, a, b, i,
                             program.text);
        }
        most = together > most ? together : most;
    }
    *slots += function->slots;
    *pressure += most;
    ptx_module_free(module);
}

static void random_programs(void **state) {
    uint32_t slots = 0, pressure = 0;
    for (unsigned seed = 0; seed < 3000; seed++)
        check_program(seed, &slots, &pressure);
    print_message("%u slots where at least %u are live at once\n", slots, pressure);
    assert_true(slots >= pressure);
    /* Random control flow; test_compiled.c is stricter with compilers' code. */
    assert_true(slots < pressure + pressure * 2 / 3);
}

static void a_chain_needs_one_slot(void **state) {
    struct ptx_module *module =
        parse(ENTRY("mov.u32 %r1, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; add.u32 %r4, %r3, 1;"));
    assert_int_equal(kernel(module)->slots, 1);
    ptx_module_free(module);
}

static void a_loop_keeps_what_it_needs(void **state) {
    /* %r1 is read in the next trip, so %r3 may not take its slot, although the text writes %r3
     * after %r1's last use. */
    struct ptx_module *module = parse(ENTRY("mov.u32 %r1, 1; mov.u32 %r2, 0;\n"
                                            "L: add.u32 %r2, %r2, %r1;\n"
                                            "add.u32 %r3, %r2, 7;\n"
                                            "st.global.u32 [%rd1], %r3;\n"
                                            "setp.lt.u32 %p1, %r2, 9; @%p1 bra L;"));
    const struct ptx_instruction *inside = find(module, PTX_ADD, 1);
    assert_int_not_equal(operand(module, inside, 0)->slot,
                         operand(module, find(module, PTX_MOV, 0), 0)->slot);
    assert_int_not_equal(operand(module, inside, 0)->slot,
                         operand(module, find(module, PTX_MOV, 1), 0)->slot);
    ptx_module_free(module);
}

static void a_guard_keeps_the_old_value(void **state) {
    struct ptx_module *module =
        parse(ENTRY("mov.u32 %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 5; @%p1 mov.u32 %r1, %r3; "
                    "st.global.u32 [%rd1], %r1;"));
    assert_int_not_equal(operand(module, find(module, PTX_MOV, 0), 0)->slot,
                         operand(module, find(module, PTX_MOV, 1), 0)->slot);
    ptx_module_free(module);
}

/* At the start of a block of instructions: the words of a thread's own values that are needed there
 * or later. Values that are the same for the warp do not count. */
static void values_between_blocks_are_counted(void **state) {
    static const struct {
        const char *body;
        uint32_t words;
    } rows[] = {
        {"mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid; L: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 9;\n"
         "@%p1 bra L; st.global.u32 [%rd1], %r1;",
         2},
        {"mov.u32 %r1, %tid.x; cvt.u64.u32 %rd2, %r1; L: add.u64 %rd2, %rd2, 1; setp.lt.u64 %p1, %rd2, 9;\n"
         "@%p1 bra L; st.global.u64 [%rd1], %rd2;",
         2},
        {"mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; L: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 9;\n"
         "@%p1 bra L; st.global.u32 [%rd1], %r1;",
         1},
        {"ld.param.u64 %rd2, [p]; ld.global.u32 %r2, [%rd2]; mov.u32 %r1, %tid.x;\n"
         "L: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; st.global.u32 [%rd2], %r1;",
         1},
        {"ld.param.u64 %rd2, [p]; ld.volatile.global.u32 %r2, [%rd2]; mov.u32 %r1, %tid.x;\n"
         "L: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; st.global.u32 [%rd2], %r1;",
         2},
        {"mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3;", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s",
                 HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n"
                      ".reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n",
                 rows[i].body, "\n}\n");
        struct ptx_module *module = parse(text);
        if (kernel(module)->live_words != rows[i].words)
            fail_msg("%s: %u", rows[i].body, kernel(module)->live_words);
        ptx_module_free(module);
    }
}

/* An entry needs as much as any function that it can call. */
static void callees_count_for_the_entry(void **state) {
    struct ptx_module *module = parse(
        HEAD
        ".func body(.param .b64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
        "ld.param.u64 %rd1, [p]; ld.volatile.global.u32 %r2, [%rd1]; mov.u32 %r1, %tid.x;\n"
        "L: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; st.global.u32 [%rd1], %r1;\nret;\n}\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n"
        "{ .param .b64 a; st.param.b64 [a], %rd1; call.uni body, (a); }\nret;\n}\n");
    const struct ptx_function *body = &module->functions[ptx_find_function(module, "body")];
    assert_true(body->live_words >= 2);
    assert_true(kernel(module)->live_words < body->live_words);
    assert_int_equal(kernel(module)->live_words_called, body->live_words);
    ptx_module_free(module);
}

TESTS(UNIT(values_between_blocks_are_counted), UNIT(a_chain_needs_one_slot), UNIT(a_loop_keeps_what_it_needs),
      UNIT(a_guard_keeps_the_old_value), UNIT(callees_count_for_the_entry), UNIT(random_programs))

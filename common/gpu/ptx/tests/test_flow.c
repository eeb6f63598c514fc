/* test_flow.c: reconvergence points of random control flow, against the definition. Block X is a
 * candidate for B if the end cannot be reached from B without X; the first candidate is the
 * reconvergence point. */
#include "base/test.h"
#include "support_parse.h"

enum { MOST = 24 };

struct graph {
    int count; /* instructions */
    int next[MOST][2], next_count[MOST];
    bool ends[MOST], traps[MOST];
};

static void read_graph(const struct ptx_function *function, struct graph *graph) {
    memset(graph, 0, sizeof *graph);
    graph->count = (int)function->instruction_count;
    for (int i = 0; i < graph->count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        bool stops = instruction->opcode == PTX_RET || instruction->opcode == PTX_TRAP;
        graph->ends[i] = stops && instruction->guard < 0;
        graph->traps[i] = graph->ends[i] && instruction->opcode == PTX_TRAP;
        if (instruction->opcode == PTX_BRA)
            graph->next[i][graph->next_count[i]++] = instruction->target;
        if (!graph->ends[i] && (instruction->opcode != PTX_BRA || instruction->guard >= 0) &&
            i + 1 < graph->count)
            graph->next[i][graph->next_count[i]++] = i + 1;
    }
}

/* Marks the instructions that reach `end` without `avoided` (-1: none), through those not taken. */
static int reach(const struct graph *graph, int end, int avoided, const bool *taken, bool *reaches) {
    memset(reaches, 0, MOST * sizeof *reaches);
    if (end == avoided)
        return 0;
    int count = 1;
    reaches[end] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < graph->count; i++)
            for (int n = 0; n < graph->next_count[i]; n++)
                if (!reaches[i] && !taken[i] && i != avoided && reaches[graph->next[i][n]]) {
                    reaches[i] = changed = true;
                    count++;
                }
    }
    return count;
}

/* First instruction of the block that holds i: blocks begin at targets, behind branches and
 * ends. */
static void block_starts(const struct graph *graph, const struct ptx_function *function, int *start) {
    bool leader[MOST + 1] = {true};
    for (int i = 0; i < graph->count; i++) {
        if (function->instructions[i].opcode == PTX_BRA)
            leader[function->instructions[i].target] = leader[i + 1] = true;
        if (graph->ends[i])
            leader[i + 1] = true;
    }
    for (int i = 0; i < graph->count; i++)
        start[i] = leader[i] ? i : start[i - 1];
}

static int blocks_in(const bool *set, const int *start, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++)
        blocks += set[i] && start[i] == i;
    return blocks;
}

/* The entry of a loop that nothing leaves; -1: `from` is in none. */
static int head_of_loop(const struct graph *graph, int from) {
    bool none[MOST] = {false}, loop[MOST] = {false}, back[MOST];
    reach(graph, from, -1, none, back);
    loop[from] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < graph->count; i++)
            for (int n = 0; loop[i] && n < graph->next_count[i]; n++)
                if (!loop[graph->next[i][n]])
                    loop[graph->next[i][n]] = changed = true;
    }
    int head = -1, lowest = -1;
    for (int i = graph->count - 1; i >= 0; i--) {
        bool entered = i == 0;
        if (loop[i] && !back[i])
            return -1;
        for (int k = 0; k < graph->count; k++)
            for (int n = 0; n < graph->next_count[k]; n++)
                entered = entered || (!loop[k] && graph->next[k][n] == i);
        lowest = loop[i] ? i : lowest;
        head = loop[i] && entered ? i : head;
    }
    return head < 0 ? lowest : head;
}

/* meeting[i] for each branch i that reaches `end`; in a loop a thread at the end begins a trip. */
static void meet_by_definition(const struct graph *graph, int end, bool loop, const bool *taken,
                               const int *start, int *meeting) {
    bool all[MOST], without[MOST], passes[MOST][MOST]; /* passes[x][i]: i cannot reach the end without x */
    bool around[MOST];                                 /* likewise, with the end as a trip's begin */
    reach(graph, end, -1, taken, all);
    for (int x = 0; x < graph->count; x++) {
        reach(graph, end, x, taken, without);
        for (int i = 0; i < graph->count; i++)
            passes[x][i] = all[x] && all[i] && i != x && !without[i];
        around[x] = all[x];
        for (int n = 0; n < graph->next_count[end]; n++)
            around[x] = around[x] && !without[graph->next[end][n]];
    }
    for (int i = 0; i < graph->count; i++) {
        if (!all[i] || taken[i])
            continue;
        bool again = loop && i == end;
        meeting[i] = graph->count;
        for (int x = 0; x < graph->count; x++) {
            if (again ? !around[x] : !passes[x][i])
                continue;
            bool first = true; /* every other candidate comes after x */
            for (int y = 0; y < graph->count; y++)
                if (y != x && (again ? around[y] : passes[y][i]) && !passes[y][x])
                    first = false;
            if (first)
                meeting[i] = start[x];
        }
    }
}

static void check(const struct ptx_module *module, const char *text) {
    const struct ptx_function *function = kernel(module);
    struct graph graph;
    int start[MOST], meeting[MOST] = {0}, order[2 * MOST], orders = 0;
    bool taken[MOST] = {false}, reaches[MOST];
    read_graph(function, &graph);
    block_starts(&graph, function, start);
    for (int traps = 0; traps < 2; traps++)
        for (int i = graph.count - 1; i >= 0; i--)
            if (graph.ends[i] && graph.traps[i] == (traps == 1))
                order[orders++] = i;
    int best = 0, best_blocks = 0;
    for (int i = 0; i < orders && i < 16 && !(i && graph.traps[order[i]]); i++) {
        reach(&graph, order[i], -1, taken, reaches);
        int blocks = blocks_in(reaches, start, graph.count);
        if (blocks > best_blocks) {
            best = i;
            best_blocks = blocks;
        }
    }
    if (orders) {
        int swap = order[0];
        order[0] = order[best];
        order[best] = swap;
    }
    int ends = orders;
    for (int i = graph.count - 1; i >= 0; i--) /* endless loops last */
        if (head_of_loop(&graph, i) == i)
            order[orders++] = i;
    for (int e = 0; e < orders; e++) {
        if (taken[order[e]])
            continue;
        meet_by_definition(&graph, order[e], e >= ends, taken, start, meeting);
        reach(&graph, order[e], -1, taken, reaches);
        for (int i = 0; i < graph.count; i++)
            taken[i] = taken[i] || reaches[i];
    }
    for (int i = 0; i < graph.count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->opcode == PTX_BRA && instruction->reconverge != meeting[i])
            fail_msg("branch at %d meets at %d, by definition at %d\n%s", i, instruction->reconverge,
                     meeting[i], text);
    }
}

static void random_graphs(void **state) {
    for (unsigned seed = 0; seed < 4000; seed++) {
        srand(seed);
        char text[4096];
        size_t at = (size_t)snprintf(text, sizeof text, "%s", HEAD ".entry k() {.reg .pred %p;\n");
        int count = 4 + rand() % (MOST - 6);
        for (int i = 0; i < count; i++) {
            static const char *const kinds[] = {"@%%p bra L%d;\n", "bra L%d;\n", "ret;\n",
                                                "@%%p ret;\n",     "trap;\n",    "membar.gl;\n"};
            int kind = rand() % 16;
            kind = kind < 7 ? 0 : kind < 9 ? 1 : kind == 9 ? 2 : kind == 10 ? 3 : kind == 11 ? 4 : 5;
            at += (size_t)snprintf(text + at, sizeof text - at, "L%d: ", i);
            at += (size_t)snprintf(text + at, sizeof text - at, kinds[kind], rand() % count);
        }
        snprintf(text + at, sizeof text - at, "%s", seed % 3 ? "ret; }" : "bra L0; }");
        struct ptx_module *module = parse(text);
        check(module, text);
        ptx_module_free(module);
    }
}

static void early_return_does_not_part_the_others(void **state) {
    /* if (a) { if (b) return; ... } rest: the outer branch reconverges at `rest`, not at the
     * end. */
    struct ptx_module *module = parse(ENTRY("@%p1 bra REST;\n"
                                            "@%p2 bra ON;\n"
                                            "ret;\n"
                                            "ON: membar.gl;\n"
                                            "REST: bar.sync 0;\n"
                                            "ret;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 4);
    ptx_module_free(module);
    module = parse(ENTRY("@%p1 bra REST;\n@%p2 ret;\nmembar.gl;\nREST: bar.sync 0;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 3);
    ptx_module_free(module);
}

static void nested_branches_meet_inside_out(void **state) {
    struct ptx_module *module = parse(ENTRY("@%p1 bra A;\n"
                                            "@%p2 bra B;\n"
                                            "membar.gl;\n"
                                            "B: membar.cta;\n"
                                            "A: ret;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 4);
    assert_int_equal(find(module, PTX_BRA, 1)->reconverge, 3);
    ptx_module_free(module);
}

static void a_loop_meets_after_its_last_turn(void **state) {
    struct ptx_module *module = parse(ENTRY("L: membar.gl;\n@%p1 bra L;\nret;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 2);
    ptx_module_free(module);
}

/* A loop that nothing leaves: threads that diverge in a trip reconverge in it. */
static void a_loop_without_end_meets_in_each_trip(void **state) {
    /* while (1) { if (a) load; barrier; }, with the load behind the loop. */
    struct ptx_module *module = parse(ENTRY("HEAD: membar.cta;\n"
                                            "@%p1 bra LOAD;\n"
                                            "SYNC: bar.sync 0;\n"
                                            "bra HEAD;\n"
                                            "LOAD: membar.gl;\n"
                                            "bra SYNC;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 2);
    ptx_module_free(module);
    /* The branch is in the head's own block; its sides meet only at the head. */
    module = parse(ENTRY("membar.cta;\n"
                         "HEAD: bar.sync 0;\n"
                         "@%p1 bra LOAD;\n"
                         "bra HEAD;\n"
                         "LOAD: membar.gl;\n"
                         "bra HEAD;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 1);
    ptx_module_free(module);
    /* A loop with an end within one without. */
    module = parse(ENTRY("HEAD: membar.cta;\n"
                         "INNER: membar.gl;\n"
                         "@%p1 bra INNER;\n"
                         "bar.sync 0;\n"
                         "@%p2 bra HEAD;\n"
                         "membar.gl;\n"
                         "bra HEAD;"));
    assert_int_equal(find(module, PTX_BRA, 0)->reconverge, 3);
    assert_int_equal(find(module, PTX_BRA, 1)->reconverge, 0);
    ptx_module_free(module);
}

static void two_ends_meet_nowhere(void **state) {
    struct ptx_module *module = parse(ENTRY("L: @%p1 bra L;\nbra L;"));
    assert_true(find(module, PTX_BRA, 0)->reconverge >= 0);
    ptx_module_free(module);
}

static bool is_repeated(const struct ptx_module *module, enum ptx_opcode opcode, int which) {
    return (find(module, opcode, which)->flags & PTX_REPEATED) != 0;
}

/* Two sums of the same registers, and what is compared of each; but not where a register is written twice. */
static void repeats_are_marked(void **state) {
    struct ptx_module *module =
        parse(ENTRY("mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 3;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;\n"
                    "add.s32 %r3, %r1, 3;\nsetp.lt.s32 %p2, %r3, 9;\nadd.s32 %r4, %r1, 4;\n"
                    "sub.s32 %r5, %r4, 1;\nmov.u32 %r4, 7;\nsub.s32 %r6, %r4, 1;\n"
                    "L: st.global.u32 [%rd1], %r2;\nst.global.u32 [%rd1], %r3;\nst.global.u32 [%rd1], %r5;\n"
                    "st.global.u32 [%rd1], %r6;\nret;"));
    assert_true(is_repeated(module, PTX_ADD, 0) && is_repeated(module, PTX_ADD, 1));
    assert_false(is_repeated(module, PTX_ADD, 2)); /* of another number */
    assert_true(is_repeated(module, PTX_SETP, 0) && is_repeated(module, PTX_SETP, 1));
    assert_false(is_repeated(module, PTX_SUB, 0) || is_repeated(module, PTX_SUB, 1));
    ptx_module_free(module);
}

TESTS(UNIT(nested_branches_meet_inside_out), UNIT(a_loop_meets_after_its_last_turn),
      UNIT(early_return_does_not_part_the_others), UNIT(two_ends_meet_nowhere),
      UNIT(a_loop_without_end_meets_in_each_trip), UNIT(repeats_are_marked), UNIT(random_graphs))

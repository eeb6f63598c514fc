/* test_executions.c: small pieces of code whose executions follow from their lines by hand. */
#include "base/test.h"
#include "gpu/sass/executions.h"

enum { MOST = 16, WARPS = 10 };

static char error[256];
/* Executions of each instruction, for each warp. */
static double runs[MOST];

static void solve_with(const struct sass_step *steps, const struct sass_copy *copies, uint32_t count,
                       const struct sass_jump *jumps, uint32_t jump_count, const struct sass_line *lines,
                       uint32_t line_count) {
    ENDED(sass_graph_free) struct sass_graph graph;
    double blocks[MOST], traversals[2 * MOST];
    assert_true(sass_graph_build(&graph, steps, count, jumps, jump_count));
    if (!sass_solve_executions(&graph, copies, lines, line_count, WARPS, NULL, blocks, traversals, error,
                               sizeof error))
        fail_msg("%s", error);
    for (uint32_t i = 0; i < count; i++)
        runs[i] = blocks[graph.block_of[i]] / WARPS;
    for (uint32_t b = 0; b < graph.block_count; b++) { /* what enters a block is what runs it */
        double entered = b == 0 ? WARPS : 0;
        for (uint32_t e = 0; e < graph.edge_count; e++)
            entered += graph.edges[e].to == b ? traversals[e] : 0;
        assert_float_equal(entered, blocks[b], 1e-6);
    }
}

static void solve(const struct sass_step *steps, const struct sass_copy *copies, uint32_t count,
                  const struct sass_line *lines, uint32_t line_count) {
    solve_with(steps, copies, count, NULL, 0, lines, line_count);
}

static void expect(const double *pairs) {
    for (; pairs[0] >= 0; pairs += 2)
        assert_float_equal(runs[(int)pairs[0]], pairs[1], 1e-6);
}

// clang-format off
#define NEXT {SASS_STEP_NEXT, false, SASS_NOWHERE}
#define EXIT {SASS_STEP_EXIT, false, SASS_NOWHERE}
#define STEP(kind, guarded, to) {SASS_STEP_##kind, guarded, to}
#define COPY(line, signature, kind) {line, signature, SASS_WORK_##kind, false}
#define LINE(kind, times, part) {.known = true, .work = SASS_WORK_##kind, .runs = (times)*WARPS, .piece = (part)}
#define EXPECT(...) expect((const double[]){__VA_ARGS__, -1}) /* instruction, executions, ... */
// clang-format on

/* A loop of seven trips that the compiler made four at a time, with a loop for what is left: one trip of the first and
 * three of the second, though the lines alone allow seven of the second. */
static void a_loop_unrolled(void **state) {
    static const struct sass_step steps[] = {
        NEXT, NEXT, NEXT, NEXT, NEXT, STEP(BRANCH, true, 1), NEXT, STEP(BRANCH, true, 6), EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER), COPY(2, 2, LOAD),  COPY(2, 2, LOAD),
                                              COPY(2, 2, LOAD),  COPY(2, 2, LOAD),  COPY(3, 3, OTHER),
                                              COPY(2, 2, LOAD),  COPY(3, 3, OTHER), COPY(4, 4, OTHER)};
    struct sass_line lines[] = {
        {0}, LINE(OTHER, 1, 1), LINE(LOAD, 7, 2), LINE(CONTROL, 7, 2), LINE(CONTROL, 1, 3)};
    lines[3].trips = 7;
    solve(steps, copies, 9, lines, 5);
    EXPECT(0, 1, 1, 1, 6, 3, 8, 1);
}

/* The same, entered twice by a warp, with one trip and with seven: four trips at a time are made once. What the lines
 * alone allow, all eight of them by the second loop or by the first, is not what ran. */
static void trips_that_differ(void **state) {
    static const struct sass_step code[] = {STEP(BRANCH, true, 6), /* 0: fewer than four trips */
                                            NEXT,
                                            NEXT,
                                            NEXT,
                                            NEXT,
                                            STEP(BRANCH, true, 1),
                                            STEP(BRANCH, true, 9), /* 6: nothing left */
                                            NEXT,
                                            STEP(BRANCH, true, 7),
                                            STEP(BRANCH, true, 0), /* 9: again */
                                            EXIT};
    static const struct sass_copy copies[] = {COPY(0, 1, OTHER), COPY(2, 2, LOAD), COPY(2, 2, LOAD),
                                              COPY(2, 2, LOAD),  COPY(2, 2, LOAD), COPY(3, 3, OTHER),
                                              COPY(0, 1, OTHER), COPY(2, 2, LOAD), COPY(3, 3, OTHER),
                                              COPY(4, 3, OTHER), COPY(5, 4, OTHER)};
    struct loop_trips trips = {.entries = 2 * WARPS,
                               .whole = {8 * WARPS, 3 * WARPS, WARPS},
                               .rest = {0, 2 * WARPS, 4 * WARPS},
                               .digit = {2 * WARPS, WARPS, WARPS}};
    struct sass_line lines[] = {{0},
                                LINE(OTHER, 1, 1),
                                LINE(LOAD, 8, 2),
                                LINE(CONTROL, 8, 2),
                                LINE(CONTROL, 2, 3),
                                LINE(CONTROL, 1, 4)};
    lines[3].trips = 4;
    lines[3].loop = &trips;
    lines[3].head = 2;
    solve(code, copies, 11, lines, 6);
    EXPECT(0, 2, 1, 1, 7, 4, 10, 1);
}

/* A loop behind a guard: all warps go in and make six trips. What stands before the loop is one instruction of the PTX that
 * became two, three times: taken for copies, they say that half of the warps leave and the others make twelve. */
static void a_guard_before_a_loop(void **state) {
    static const struct sass_step steps[] = {
        NEXT, STEP(EXIT, true, SASS_NOWHERE), NEXT, NEXT, NEXT, NEXT, NEXT, NEXT, NEXT,
        NEXT, STEP(BRANCH, true, 9),          EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER), COPY(2, 2, CONTROL), COPY(3, 3, OTHER),
                                              COPY(3, 3, OTHER), COPY(4, 3, OTHER),   COPY(4, 3, OTHER),
                                              COPY(5, 3, OTHER), COPY(5, 3, OTHER),   COPY(6, 4, OTHER),
                                              COPY(7, 5, LOAD),  COPY(8, 6, CONTROL), COPY(9, 7, CONTROL)};
    struct sass_line lines[] = {{0},
                                LINE(OTHER, 1, 1),
                                LINE(CONTROL, 1, 1),
                                LINE(OTHER, 1, 2),
                                LINE(OTHER, 1, 2),
                                LINE(OTHER, 1, 2),
                                LINE(OTHER, 1, 2),
                                LINE(LOAD, 6, 3),
                                LINE(CONTROL, 6, 3),
                                LINE(CONTROL, 1, 4)};
    lines[8].trips = 6;
    solve(steps, copies, 12, lines, 10);
    EXPECT(2, 1, 9, 6, 11, 1);
}

/* Threads of a warp go both ways and meet: both sides run, what follows runs once. */
static void a_warp_that_splits(void **state) {
    static const struct sass_step steps[] = {STEP(MARK, false, 5),
                                             STEP(BRANCH, true, 4),
                                             NEXT,
                                             STEP(BRANCH, false, 5),
                                             NEXT,
                                             STEP(RECONVERGE, false, SASS_NOWHERE),
                                             NEXT,
                                             EXIT};
    static const struct sass_copy copies[] = {COPY(0, 1, OTHER), COPY(1, 2, OTHER), COPY(2, 3, STORE),
                                              COPY(0, 4, OTHER), COPY(3, 3, STORE), COPY(0, 5, OTHER),
                                              COPY(4, 3, STORE), COPY(5, 6, OTHER)};
    struct sass_line lines[] = {{0},
                                LINE(CONTROL, 1, 1),
                                LINE(STORE, 1, 2),
                                LINE(STORE, 1, 3),
                                LINE(STORE, 1, 4),
                                LINE(CONTROL, 1, 4)};
    lines[1].splits = WARPS;
    solve(steps, copies, 8, lines, 6);
    EXPECT(2, 1, 4, 1);
    assert_float_equal(runs[5], 2, 1e-6); /* both paths arrive */
    EXPECT(6, 1);
}

/* Two trips, in which a warp splits and meets again. By the lines behind, one trip gets lost and the warp never ends. */
static void a_warp_that_ends(void **state) {
    // clang-format off
    static const struct sass_step steps[] = {
        NEXT, STEP(MARK, false, 4), STEP(BRANCH, true, 4), NEXT, STEP(RECONVERGE, false, SASS_NOWHERE),
        NEXT, NEXT, STEP(BRANCH, true, 1), EXIT};
    static const struct sass_copy copies[] = {
        COPY(1, 1, OTHER), COPY(2, 2, BARRIER), COPY(3, 3, CONTROL),
        COPY(4, 4, STORE), COPY(0, 5, OTHER), COPY(5, 6, CONTROL),
        COPY(6, 7, CONTROL), COPY(7, 8, CONTROL), COPY(0, 9, OTHER)};
    struct sass_line lines[] = {
        {0}, LINE(OTHER, 1, 1), LINE(BARRIER, 2, 2), LINE(CONTROL, 2, 2),
        LINE(STORE, 1, 3), LINE(CONTROL, 1, 4), LINE(CONTROL, 1, 4), LINE(CONTROL, 2, 5)};
    // clang-format on
    lines[3].splits = WARPS;
    solve(steps, copies, 9, lines, 8);
    EXPECT(5, 2, 8, 1);
}

/* Paths that met come out as often as they were marked together, though no line says so and losing them costs least. */
static void paths_that_met(void **state) {
    static const struct sass_step steps[] = {STEP(MARK, false, 3),
                                             STEP(BRANCH, true, 3),
                                             NEXT,
                                             STEP(RECONVERGE, false, SASS_NOWHERE),
                                             STEP(BRANCH, true, 6),
                                             NEXT,
                                             EXIT};
    static const struct sass_copy copies[] = {COPY(0, 1, NONE), COPY(1, 2, OTHER), COPY(2, 3, STORE),
                                              COPY(2, 4, NONE), COPY(0, 2, OTHER), COPY(0, 3, OTHER),
                                              COPY(0, 6, OTHER)};
    struct sass_line lines[] = {{0}, LINE(CONTROL, 1, 1), LINE(STORE, 1, 2)};
    lines[1].splits = WARPS;
    solve(steps, copies, 7, lines, 3);
    EXPECT(2, 1, 3, 2, 4, 1, 6, 1);
}

/* What the PTX branches around and the machine code does under a predicate runs whenever its block does. */
static void a_branch_made_a_predicate(void **state) {
    static const struct sass_step steps[] = {NEXT, STEP(NEXT, true, SASS_NOWHERE), NEXT, EXIT};
    static const struct sass_copy copies[] = {
        COPY(1, 1, LOAD), {2, 2, SASS_WORK_STORE, true}, COPY(3, 3, OTHER), COPY(4, 4, OTHER)};
    static const struct sass_line lines[] = {{0},
                                             LINE(LOAD, 1, 1),
                                             {.known = true, .work = SASS_WORK_STORE, .runs = 1, .piece = 2},
                                             LINE(OTHER, 1, 3),
                                             LINE(CONTROL, 1, 3)};
    solve(steps, copies, 4, lines, 5);
    EXPECT(1, 1);
}

/* The slow path of a division, called where a predicate says so: without need it is not taken. */
static void a_slow_path(void **state) {
    static const struct sass_step steps[] = {NEXT,
                                             STEP(BRANCH, true, 3),
                                             STEP(CALL, false, 5),
                                             NEXT,
                                             EXIT,
                                             NEXT,
                                             STEP(RETURN, false, SASS_NOWHERE)};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER), COPY(1, 2, OTHER), COPY(1, 3, OTHER),
                                              COPY(2, 4, STORE), COPY(3, 5, OTHER), COPY(1, 6, OTHER),
                                              COPY(1, 7, OTHER)};
    struct sass_line lines[] = {{0}, LINE(COMPLEX, 1, 1), LINE(STORE, 1, 1), LINE(CONTROL, 1, 1)};
    lines[1].may_be_slow = true;
    solve(steps, copies, 7, lines, 4);
    EXPECT(0, 1, 2, 0, 5, 0, 3, 1);
}

/* Where the call is on the only way, so is what it calls. */
static void a_call(void **state) {
    static const struct sass_step steps[] = {NEXT, STEP(CALL, false, 3), EXIT, NEXT,
                                             STEP(RETURN, false, SASS_NOWHERE)};
    static const struct sass_copy copies[] = {COPY(1, 1, STORE), {0}, {0}, {0}, {0}};
    static const struct sass_line lines[] = {{0}, LINE(STORE, 1, 1)};
    solve(steps, copies, 5, lines, 2);
    EXPECT(3, 1, 2, 1);
}

/* A division of 64 bits in a loop of ten trips, done in eight: a routine. What brings its operands and takes its result has
 * its line too, and stands where all ten pass. */
static void a_routine_in_a_loop(void **state) {
    static const struct sass_step steps[] = {NEXT,
                                             NEXT, /* an operand */
                                             NEXT,
                                             STEP(BRANCH, true, 7),
                                             NEXT, /* where to return to */
                                             STEP(CALL, false, 9),
                                             NEXT, /* the result */
                                             STEP(BRANCH, true, 1),
                                             EXIT,
                                             NEXT,
                                             STEP(RETURN, false, SASS_NOWHERE)};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER),   COPY(3, 2, OTHER),   COPY(2, 3, OTHER),
                                              COPY(4, 4, CONTROL), COPY(3, 5, OTHER),   COPY(3, 6, CONTROL),
                                              COPY(3, 2, OTHER),   COPY(5, 4, CONTROL), COPY(6, 7, CONTROL),
                                              COPY(0, 8, OTHER),   COPY(0, 9, CONTROL)};
    struct sass_line lines[] = {{0},
                                LINE(OTHER, 1, 1),
                                LINE(OTHER, 10, 2),
                                LINE(COMPLEX, 8, 3),
                                LINE(CONTROL, 10, 2),
                                LINE(CONTROL, 10, 4),
                                LINE(CONTROL, 1, 5)};
    lines[5].trips = 10;
    solve(steps, copies, 11, lines, 7);
    EXPECT(2, 10, 5, 8, 9, 8, 8, 1);
}

/* Functions that were not inlined have lines of their own: a loop in one is no free one. Two are called by a pointer, one of
 * them three times as often. */
static void functions(void **state) {
    static const struct sass_step steps[] = {NEXT,
                                             STEP(CALL, false, SASS_NOWHERE),
                                             STEP(BRANCH, true, 1),
                                             EXIT,
                                             NEXT, /* 4: a function */
                                             STEP(BRANCH, true, 4),
                                             STEP(RETURN, false, SASS_NOWHERE),
                                             NEXT, /* 7: another */
                                             STEP(RETURN, false, SASS_NOWHERE)};
    static const struct sass_jump jumps[] = {{1, 4}, {1, 7}};
    static const struct sass_copy copies[] = {COPY(1, 1, LOAD),  COPY(2, 2, OTHER), COPY(3, 3, OTHER),
                                              COPY(4, 4, OTHER), COPY(5, 1, LOAD),  COPY(6, 3, OTHER),
                                              COPY(7, 5, OTHER), COPY(8, 1, LOAD),  COPY(9, 5, OTHER)};
    struct sass_line lines[] = {{0},
                                LINE(LOAD, 1, 1),
                                LINE(CONTROL, 4, 2),
                                LINE(CONTROL, 4, 2),
                                LINE(CONTROL, 1, 3),
                                LINE(LOAD, 15, 4),
                                LINE(CONTROL, 15, 4),
                                LINE(CONTROL, 3, 5),
                                LINE(LOAD, 1, 6),
                                LINE(CONTROL, 1, 6)};
    lines[6].trips = 5;
    solve_with(steps, copies, 9, jumps, 2, lines, 10);
    EXPECT(1, 4, 3, 1, 4, 15, 6, 3, 7, 1);
}

/* A loop whose PTX is all in one line, what is before it too, made four times: the line tells how often its busiest ran, and its load
 * that there are four copies. */
static void a_loop_in_one_line(void **state) {
    static const struct sass_step steps[] = {NEXT, NEXT, NEXT, NEXT, NEXT, NEXT, STEP(BRANCH, true, 2), EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, STORE), COPY(2, 2, OTHER), COPY(2, 3, LOAD),
                                              COPY(2, 3, LOAD),  COPY(2, 3, LOAD),  COPY(2, 3, LOAD),
                                              COPY(2, 4, OTHER), COPY(3, 5, OTHER)};
    struct sass_line lines[] = {{0}, LINE(STORE, 1, 1), LINE(OTHER, 40, UINT32_MAX - 2), LINE(CONTROL, 1, 4)};
    lines[2].several = lines[2].uneven = true;
    lines[2].count[SASS_WORK_OTHER] = 4;
    lines[2].count[SASS_WORK_LOAD] = 1;
    solve(steps, copies, 8, lines, 4);
    EXPECT(0, 1, 2, 10);
    /* two loads in the line: there are two copies */
    lines[2].count[SASS_WORK_LOAD] = 2;
    solve(steps, copies, 8, lines, 4);
    EXPECT(2, 20);
}

/* A loop of 64-bit operations, each two instructions that are alike: no copies, but halves. */
static void halves(void **state) {
    static const struct sass_step steps[] = {NEXT, NEXT, NEXT, NEXT, NEXT, STEP(BRANCH, true, 1), EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER), COPY(2, 2, OTHER), COPY(2, 2, OTHER),
                                              COPY(3, 2, OTHER), COPY(3, 2, OTHER), COPY(4, 3, OTHER),
                                              COPY(5, 4, OTHER)};
    struct sass_line lines[] = {{0},
                                LINE(OTHER, 1, 1),
                                LINE(OTHER, 8, 2),
                                LINE(OTHER, 8, 2),
                                LINE(CONTROL, 8, 2),
                                LINE(CONTROL, 1, 3)};
    lines[2].parts = lines[3].parts = 2;
    lines[4].trips = 8;
    solve(steps, copies, 7, lines, 6);
    EXPECT(1, 8, 6, 1);
}

static void nothing_known(void **state) {
    static const struct sass_step steps[] = {EXIT};
    static const struct sass_copy copies[1];
    static const struct sass_line lines[1];
    ENDED(sass_graph_free) struct sass_graph graph;
    double runs[1], traversals[1];
    assert_true(sass_graph_build(&graph, steps, 1, NULL, 0));
    assert_false(
        sass_solve_executions(&graph, copies, lines, 1, 1, NULL, runs, traversals, error, sizeof error));
    assert_non_null(strstr(error, "no line"));
}

/* Two sides of a branch in a loop of five trips, of which one never ran: the compiler made one load of theirs and named that
 * one's line. Without what is lost the loop would make one trip, for four loads weigh more than a counter. */
static void sides_that_were_merged(void **state) {
    static const struct sass_step steps[] = {NEXT, NEXT, NEXT, NEXT, NEXT, STEP(BRANCH, true, 1), EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, OTHER), COPY(2, 2, LOAD),  COPY(3, 2, LOAD),
                                              COPY(4, 3, FLOAT), COPY(8, 4, OTHER), COPY(9, 5, OTHER),
                                              COPY(10, 6, OTHER)};
    struct sass_line lines[] = {{0},
                                LINE(OTHER, 1, 1),
                                LINE(LOAD, 0, 2),
                                LINE(LOAD, 0, 2),
                                LINE(FLOAT, 0, 2),
                                LINE(LOAD, 5, 3),
                                LINE(LOAD, 5, 3),
                                LINE(FLOAT, 5, 3),
                                LINE(OTHER, 5, 4),
                                LINE(CONTROL, 5, 4),
                                LINE(CONTROL, 1, 5)};
    lines[9].trips = 5;
    solve(steps, copies, 7, lines, 11);
    EXPECT(1, 1);
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < 3; i++)
            lines[2 + 3 * side + i].merged = i < 2 ? 1 : 2;
        for (uint32_t i = 0; side == 1 && i < 3; i++)
            lines[5 + i].lost = true;
    }
    solve(steps, copies, 7, lines, 11);
    EXPECT(0, 1, 1, 5, 6, 1);
}

/* A launch of twice the warps that do the same has the same linear programme, and its solution to the bit. */
static void solved_once_for_launches_that_do_the_same(void **state) {
    static const struct sass_step steps[] = {NEXT, STEP(BRANCH, true, 0), EXIT};
    static const struct sass_copy copies[] = {COPY(1, 1, LOAD), COPY(2, 2, OTHER), COPY(3, 3, OTHER)};
    ENDED(memo_free) struct memo solved = {.most_bytes = 1 << 20};
    ENDED(sass_graph_free) struct sass_graph graph;
    assert_true(sass_graph_build(&graph, steps, 3, NULL, 0));
    for (uint64_t warps = 3, turn = 0; turn < 3; warps *= 2, turn++)
        for (uint64_t trips = 5; trips <= 7; trips += 2) {
            double known[MOST], runs[MOST], known_edges[2 * MOST], edges[2 * MOST];
            struct sass_line lines[] = {
                {0},
                {.known = true, .work = SASS_WORK_LOAD, .runs = trips * warps, .piece = 1},
                {.known = true,
                 .work = SASS_WORK_CONTROL,
                 .runs = trips * warps,
                 .piece = 1,
                 .trips = (double)trips},
                {.known = true, .work = SASS_WORK_CONTROL, .runs = warps, .piece = 2}};
            assert_true(sass_solve_executions(&graph, copies, lines, 4, warps, NULL, known, known_edges,
                                              error, sizeof error));
            assert_true(sass_solve_executions(&graph, copies, lines, 4, warps, &solved, runs, edges, error,
                                              sizeof error));
            assert_memory_equal(runs, known, graph.block_count * sizeof *runs);
            assert_memory_equal(edges, known_edges, graph.edge_count * sizeof *edges);
            assert_true(runs[0] == (double)(trips * warps));
        }
    assert_int_equal(solved.count, 2); /* of five trips, and of seven */
}

TESTS(UNIT(sides_that_were_merged), UNIT(a_loop_unrolled), UNIT(trips_that_differ),
      UNIT(a_guard_before_a_loop), UNIT(a_warp_that_splits), UNIT(a_warp_that_ends), UNIT(paths_that_met),
      UNIT(a_branch_made_a_predicate), UNIT(a_slow_path), UNIT(a_call), UNIT(a_routine_in_a_loop),
      UNIT(functions), UNIT(halves), UNIT(a_loop_in_one_line), UNIT(nothing_known),
      UNIT(solved_once_for_launches_that_do_the_same))

/* test_executions.c: small pieces of code whose executions follow from their lines by hand. */
#include "base/test.h"
#include "gpu/sass/executions.h"

#include <string.h>

enum { MOST = 16, WARPS = 10 };

static char error[256];

/* Executions of each instruction, for each warp. */
static void solve_with(const struct sass_step *steps, const struct sass_copy *copies, uint32_t count,
                       const struct sass_jump *jumps, uint32_t jump_count, const struct sass_line *lines,
                       uint32_t line_count, double runs[MOST]) {
    struct sass_graph graph;
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
    sass_graph_free(&graph);
}

static void solve(const struct sass_step *steps, const struct sass_copy *copies, uint32_t count,
                  const struct sass_line *lines, uint32_t line_count, double runs[MOST]) {
    solve_with(steps, copies, count, NULL, 0, lines, line_count, runs);
}

// clang-format off
#define NEXT {SASS_STEP_NEXT, false, SASS_NOWHERE}
#define LINE(kind, times, part) {.known = true, .work = (kind), .runs = (times)*WARPS, .piece = (part)}
// clang-format on

/* A loop of seven trips that the compiler made four at a time, with a loop for what is left: one trip of the first and
 * three of the second, though the lines alone allow seven of the second. */
static void a_loop_unrolled(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        {SASS_STEP_BRANCH, true, 1},
        NEXT,
        {SASS_STEP_BRANCH, true, 6},
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_LOAD, false},  {2, 2, SASS_WORK_LOAD, false},
        {2, 2, SASS_WORK_LOAD, false},  {2, 2, SASS_WORK_LOAD, false},  {3, 3, SASS_WORK_OTHER, false},
        {2, 2, SASS_WORK_LOAD, false},  {3, 3, SASS_WORK_OTHER, false}, {4, 4, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_LOAD, 7, 2),
                                LINE(SASS_WORK_CONTROL, 7, 2),
                                LINE(SASS_WORK_CONTROL, 1, 3)};
    double runs[MOST];
    lines[3].trips = 7;
    solve(steps, copies, 9, lines, 5, runs);
    assert_float_equal(runs[0], 1, 1e-6);
    assert_float_equal(runs[1], 1, 1e-6);
    assert_float_equal(runs[6], 3, 1e-6);
    assert_float_equal(runs[8], 1, 1e-6);
}

/* The same, entered twice by a warp, with one trip and with seven: four trips at a time are made once. What the lines
 * alone allow, all eight of them by the second loop or by the first, is not what ran. */
static void trips_that_differ(void **state) {
    static const struct sass_step code[] = {
        {SASS_STEP_BRANCH, true, 6}, /* 0: fewer than four trips */
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        {SASS_STEP_BRANCH, true, 1},
        {SASS_STEP_BRANCH, true, 9}, /* 6: nothing left */
        NEXT,
        {SASS_STEP_BRANCH, true, 7},
        {SASS_STEP_BRANCH, true, 0}, /* 9: again */
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {0, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_LOAD, false},  {2, 2, SASS_WORK_LOAD, false},
        {2, 2, SASS_WORK_LOAD, false},  {2, 2, SASS_WORK_LOAD, false},  {3, 3, SASS_WORK_OTHER, false},
        {0, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_LOAD, false},  {3, 3, SASS_WORK_OTHER, false},
        {4, 3, SASS_WORK_OTHER, false}, {5, 4, SASS_WORK_OTHER, false},
    };
    struct loop_trips trips = {.entries = 2 * WARPS,
                               .whole = {8 * WARPS, 3 * WARPS, WARPS},
                               .rest = {0, 2 * WARPS, 4 * WARPS},
                               .digit = {2 * WARPS, WARPS, WARPS}};
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_LOAD, 8, 2),
                                LINE(SASS_WORK_CONTROL, 8, 2),
                                LINE(SASS_WORK_CONTROL, 2, 3),
                                LINE(SASS_WORK_CONTROL, 1, 4)};
    double runs[MOST];
    lines[3].trips = 4;
    lines[3].loop = &trips;
    lines[3].head = 2;
    solve(code, copies, 11, lines, 6, runs);
    assert_float_equal(runs[0], 2, 1e-6);
    assert_float_equal(runs[1], 1, 1e-6);
    assert_float_equal(runs[7], 4, 1e-6);
    assert_float_equal(runs[10], 1, 1e-6);
}

/* A loop behind a guard: all warps go in and make six trips. What stands before the loop is one instruction of the PTX that
 * became two, three times: taken for copies, they say that half of the warps leave and the others make twelve. */
static void a_guard_before_a_loop(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        {SASS_STEP_EXIT, true, SASS_NOWHERE},
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        NEXT,
        {SASS_STEP_BRANCH, true, 9},
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_CONTROL, false}, {3, 3, SASS_WORK_OTHER, false},
        {3, 3, SASS_WORK_OTHER, false}, {4, 3, SASS_WORK_OTHER, false},   {4, 3, SASS_WORK_OTHER, false},
        {5, 3, SASS_WORK_OTHER, false}, {5, 3, SASS_WORK_OTHER, false},   {6, 4, SASS_WORK_OTHER, false},
        {7, 5, SASS_WORK_LOAD, false},  {8, 6, SASS_WORK_CONTROL, false}, {9, 7, SASS_WORK_CONTROL, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_CONTROL, 1, 1),
                                LINE(SASS_WORK_OTHER, 1, 2),
                                LINE(SASS_WORK_OTHER, 1, 2),
                                LINE(SASS_WORK_OTHER, 1, 2),
                                LINE(SASS_WORK_OTHER, 1, 2),
                                LINE(SASS_WORK_LOAD, 6, 3),
                                LINE(SASS_WORK_CONTROL, 6, 3),
                                LINE(SASS_WORK_CONTROL, 1, 4)};
    double runs[MOST];
    lines[8].trips = 6;
    solve(steps, copies, 12, lines, 10, runs);
    assert_float_equal(runs[2], 1, 1e-6);
    assert_float_equal(runs[9], 6, 1e-6);
    assert_float_equal(runs[11], 1, 1e-6);
}

/* Threads of a warp go both ways and meet: both sides run, what follows runs once. */
static void a_warp_that_splits(void **state) {
    static const struct sass_step steps[] = {
        {SASS_STEP_MARK, false, 5},
        {SASS_STEP_BRANCH, true, 4},
        NEXT,
        {SASS_STEP_BRANCH, false, 5},
        NEXT,
        {SASS_STEP_RECONVERGE, false, SASS_NOWHERE},
        NEXT,
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {0, 1, SASS_WORK_OTHER, false}, {1, 2, SASS_WORK_OTHER, false}, {2, 3, SASS_WORK_STORE, false},
        {0, 4, SASS_WORK_OTHER, false}, {3, 3, SASS_WORK_STORE, false}, {0, 5, SASS_WORK_OTHER, false},
        {4, 3, SASS_WORK_STORE, false}, {5, 6, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_CONTROL, 1, 1),
                                LINE(SASS_WORK_STORE, 1, 2),
                                LINE(SASS_WORK_STORE, 1, 3),
                                LINE(SASS_WORK_STORE, 1, 4),
                                LINE(SASS_WORK_CONTROL, 1, 4)};
    double runs[MOST];
    lines[1].splits = WARPS;
    solve(steps, copies, 8, lines, 6, runs);
    assert_float_equal(runs[2], 1, 1e-6);
    assert_float_equal(runs[4], 1, 1e-6);
    assert_float_equal(runs[5], 2, 1e-6); /* both paths arrive */
    assert_float_equal(runs[6], 1, 1e-6);
}

/* Two trips, in which a warp splits and meets again. By the lines behind, one trip gets lost and the warp never ends. */
static void a_warp_that_ends(void **state) {
    // clang-format off
    static const struct sass_step steps[] = {
        NEXT, {SASS_STEP_MARK, false, 4}, {SASS_STEP_BRANCH, true, 4}, NEXT, {SASS_STEP_RECONVERGE, false, SASS_NOWHERE},
        NEXT, NEXT, {SASS_STEP_BRANCH, true, 1}, {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_BARRIER, false}, {3, 3, SASS_WORK_CONTROL, false},
        {4, 4, SASS_WORK_STORE, false}, {0, 5, SASS_WORK_OTHER, false}, {5, 6, SASS_WORK_CONTROL, false},
        {6, 7, SASS_WORK_CONTROL, false}, {7, 8, SASS_WORK_CONTROL, false}, {0, 9, SASS_WORK_OTHER, false}};
    struct sass_line lines[] = {
        {0}, LINE(SASS_WORK_OTHER, 1, 1), LINE(SASS_WORK_BARRIER, 2, 2), LINE(SASS_WORK_CONTROL, 2, 2),
        LINE(SASS_WORK_STORE, 1, 3), LINE(SASS_WORK_CONTROL, 1, 4), LINE(SASS_WORK_CONTROL, 1, 4), LINE(SASS_WORK_CONTROL, 2, 5)};
    // clang-format on
    double runs[MOST];
    lines[3].splits = WARPS;
    solve(steps, copies, 9, lines, 8, runs);
    assert_float_equal(runs[5], 2, 1e-6);
    assert_float_equal(runs[8], 1, 1e-6);
}

/* Paths that met come out as often as they were marked together, though no line says so and losing them costs least. */
static void paths_that_met(void **state) {
    static const struct sass_step steps[] = {
        {SASS_STEP_MARK, false, 3},
        {SASS_STEP_BRANCH, true, 3},
        NEXT,
        {SASS_STEP_RECONVERGE, false, SASS_NOWHERE},
        {SASS_STEP_BRANCH, true, 6},
        NEXT,
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {0, 1, SASS_WORK_NONE, false},  {1, 2, SASS_WORK_OTHER, false}, {2, 3, SASS_WORK_STORE, false},
        {2, 4, SASS_WORK_NONE, false},  {0, 2, SASS_WORK_OTHER, false}, {0, 3, SASS_WORK_OTHER, false},
        {0, 6, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {{0}, LINE(SASS_WORK_CONTROL, 1, 1), LINE(SASS_WORK_STORE, 1, 2)};
    double runs[MOST];
    lines[1].splits = WARPS;
    solve(steps, copies, 7, lines, 3, runs);
    assert_float_equal(runs[2], 1, 1e-6);
    assert_float_equal(runs[3], 2, 1e-6);
    assert_float_equal(runs[4], 1, 1e-6);
    assert_float_equal(runs[6], 1, 1e-6);
}

/* What the PTX branches around and the machine code does under a predicate runs whenever its block does. */
static void a_branch_made_a_predicate(void **state) {
    static const struct sass_step steps[] = {
        NEXT, {SASS_STEP_NEXT, true, SASS_NOWHERE}, NEXT, {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {{1, 1, SASS_WORK_LOAD, false},
                                              {2, 2, SASS_WORK_STORE, true},
                                              {3, 3, SASS_WORK_OTHER, false},
                                              {4, 4, SASS_WORK_OTHER, false}};
    static const struct sass_line lines[] = {{0},
                                             LINE(SASS_WORK_LOAD, 1, 1),
                                             {.known = true, .work = SASS_WORK_STORE, .runs = 1, .piece = 2},
                                             LINE(SASS_WORK_OTHER, 1, 3),
                                             LINE(SASS_WORK_CONTROL, 1, 3)};
    double runs[MOST];
    solve(steps, copies, 4, lines, 5, runs);
    assert_float_equal(runs[1], 1, 1e-6);
}

/* The slow path of a division, called where a predicate says so: without need it is not taken. */
static void a_slow_path(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        {SASS_STEP_BRANCH, true, 3},
        {SASS_STEP_CALL, false, 5},
        NEXT,
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
        NEXT,
        {SASS_STEP_RETURN, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_OTHER, false}, {1, 2, SASS_WORK_OTHER, false}, {1, 3, SASS_WORK_OTHER, false},
        {2, 4, SASS_WORK_STORE, false}, {3, 5, SASS_WORK_OTHER, false}, {1, 6, SASS_WORK_OTHER, false},
        {1, 7, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {
        {0}, LINE(SASS_WORK_COMPLEX, 1, 1), LINE(SASS_WORK_STORE, 1, 1), LINE(SASS_WORK_CONTROL, 1, 1)};
    double runs[MOST];
    lines[1].may_be_slow = true;
    solve(steps, copies, 7, lines, 4, runs);
    assert_float_equal(runs[0], 1, 1e-6);
    assert_float_equal(runs[2], 0, 1e-6);
    assert_float_equal(runs[5], 0, 1e-6);
    assert_float_equal(runs[3], 1, 1e-6);
}

/* Where the call is on the only way, so is what it calls. */
static void a_call(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        {SASS_STEP_CALL, false, 3},
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
        NEXT,
        {SASS_STEP_RETURN, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {{1, 1, SASS_WORK_STORE, false}, {0}, {0}, {0}, {0}};
    static const struct sass_line lines[] = {{0}, LINE(SASS_WORK_STORE, 1, 1)};
    double runs[MOST];
    solve(steps, copies, 5, lines, 2, runs);
    assert_float_equal(runs[3], 1, 1e-6);
    assert_float_equal(runs[2], 1, 1e-6);
}

/* A division of 64 bits in a loop of ten trips, done in eight: a routine. What brings its operands and takes its result has
 * its line too, and stands where all ten pass. */
static void a_routine_in_a_loop(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        NEXT, /* an operand */
        NEXT,
        {SASS_STEP_BRANCH, true, 7},
        NEXT, /* where to return to */
        {SASS_STEP_CALL, false, 9},
        NEXT, /* the result */
        {SASS_STEP_BRANCH, true, 1},
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
        NEXT,
        {SASS_STEP_RETURN, false, SASS_NOWHERE},
    };
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_OTHER, false},   {3, 2, SASS_WORK_OTHER, false},   {2, 3, SASS_WORK_OTHER, false},
        {4, 4, SASS_WORK_CONTROL, false}, {3, 5, SASS_WORK_OTHER, false},   {3, 6, SASS_WORK_CONTROL, false},
        {3, 2, SASS_WORK_OTHER, false},   {5, 4, SASS_WORK_CONTROL, false}, {6, 7, SASS_WORK_CONTROL, false},
        {0, 8, SASS_WORK_OTHER, false},   {0, 9, SASS_WORK_CONTROL, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_OTHER, 10, 2),
                                LINE(SASS_WORK_COMPLEX, 8, 3),
                                LINE(SASS_WORK_CONTROL, 10, 2),
                                LINE(SASS_WORK_CONTROL, 10, 4),
                                LINE(SASS_WORK_CONTROL, 1, 5)};
    double runs[MOST];
    lines[5].trips = 10;
    solve(steps, copies, 11, lines, 7, runs);
    assert_float_equal(runs[2], 10, 1e-6);
    assert_float_equal(runs[5], 8, 1e-6);
    assert_float_equal(runs[9], 8, 1e-6);
    assert_float_equal(runs[8], 1, 1e-6);
}

/* Functions that were not inlined have lines of their own: a loop in one is no free one. Two are called by a pointer, one of
 * them three times as often. */
static void functions(void **state) {
    static const struct sass_step steps[] = {
        NEXT,
        {SASS_STEP_CALL, false, SASS_NOWHERE},
        {SASS_STEP_BRANCH, true, 1},
        {SASS_STEP_EXIT, false, SASS_NOWHERE},
        NEXT, /* 4: a function */
        {SASS_STEP_BRANCH, true, 4},
        {SASS_STEP_RETURN, false, SASS_NOWHERE},
        NEXT, /* 7: another */
        {SASS_STEP_RETURN, false, SASS_NOWHERE},
    };
    static const struct sass_jump jumps[] = {{1, 4}, {1, 7}};
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_LOAD, false},  {2, 2, SASS_WORK_OTHER, false}, {3, 3, SASS_WORK_OTHER, false},
        {4, 4, SASS_WORK_OTHER, false}, {5, 1, SASS_WORK_LOAD, false},  {6, 3, SASS_WORK_OTHER, false},
        {7, 5, SASS_WORK_OTHER, false}, {8, 1, SASS_WORK_LOAD, false},  {9, 5, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_LOAD, 1, 1),
                                LINE(SASS_WORK_CONTROL, 4, 2),
                                LINE(SASS_WORK_CONTROL, 4, 2),
                                LINE(SASS_WORK_CONTROL, 1, 3),
                                LINE(SASS_WORK_LOAD, 15, 4),
                                LINE(SASS_WORK_CONTROL, 15, 4),
                                LINE(SASS_WORK_CONTROL, 3, 5),
                                LINE(SASS_WORK_LOAD, 1, 6),
                                LINE(SASS_WORK_CONTROL, 1, 6)};
    double runs[MOST];
    lines[6].trips = 5;
    solve_with(steps, copies, 9, jumps, 2, lines, 10, runs);
    assert_float_equal(runs[1], 4, 1e-6);
    assert_float_equal(runs[3], 1, 1e-6);
    assert_float_equal(runs[4], 15, 1e-6);
    assert_float_equal(runs[6], 3, 1e-6);
    assert_float_equal(runs[7], 1, 1e-6);
}

/* A loop whose PTX is all in one line, what is before it too, made four times: the line tells how often its busiest ran, and its load
 * that there are four copies. */
static void a_loop_in_one_line(void **state) {
    static const struct sass_step steps[] = {NEXT,
                                             NEXT,
                                             NEXT,
                                             NEXT,
                                             NEXT,
                                             NEXT,
                                             {SASS_STEP_BRANCH, true, 2},
                                             {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_STORE, false}, {2, 2, SASS_WORK_OTHER, false}, {2, 3, SASS_WORK_LOAD, false},
        {2, 3, SASS_WORK_LOAD, false},  {2, 3, SASS_WORK_LOAD, false},  {2, 3, SASS_WORK_LOAD, false},
        {2, 4, SASS_WORK_OTHER, false}, {3, 5, SASS_WORK_OTHER, false},
    };
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_STORE, 1, 1),
                                LINE(SASS_WORK_OTHER, 40, UINT32_MAX - 2),
                                LINE(SASS_WORK_CONTROL, 1, 4)};
    double runs[MOST];
    lines[2].several = lines[2].uneven = true;
    lines[2].count[SASS_WORK_OTHER] = 4;
    lines[2].count[SASS_WORK_LOAD] = 1;
    solve(steps, copies, 8, lines, 4, runs);
    assert_float_equal(runs[0], 1, 1e-6);
    assert_float_equal(runs[2], 10, 1e-6);
    /* two loads in the line: there are two copies */
    lines[2].count[SASS_WORK_LOAD] = 2;
    solve(steps, copies, 8, lines, 4, runs);
    assert_float_equal(runs[2], 20, 1e-6);
}

/* A loop of 64-bit operations, each two instructions that are alike: no copies, but halves. */
static void halves(void **state) {
    static const struct sass_step steps[] = {
        NEXT, NEXT, NEXT, NEXT, NEXT, {SASS_STEP_BRANCH, true, 1}, {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {{1, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_OTHER, false},
                                              {2, 2, SASS_WORK_OTHER, false}, {3, 2, SASS_WORK_OTHER, false},
                                              {3, 2, SASS_WORK_OTHER, false}, {4, 3, SASS_WORK_OTHER, false},
                                              {5, 4, SASS_WORK_OTHER, false}};
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_OTHER, 8, 2),
                                LINE(SASS_WORK_OTHER, 8, 2),
                                LINE(SASS_WORK_CONTROL, 8, 2),
                                LINE(SASS_WORK_CONTROL, 1, 3)};
    double runs[MOST];
    lines[2].parts = lines[3].parts = 2;
    lines[4].trips = 8;
    solve(steps, copies, 7, lines, 6, runs);
    assert_float_equal(runs[1], 8, 1e-6);
    assert_float_equal(runs[6], 1, 1e-6);
}

static void nothing_known(void **state) {
    static const struct sass_step steps[] = {{SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[1];
    static const struct sass_line lines[1];
    struct sass_graph graph;
    double runs[1], traversals[1];
    assert_true(sass_graph_build(&graph, steps, 1, NULL, 0));
    assert_false(
        sass_solve_executions(&graph, copies, lines, 1, 1, NULL, runs, traversals, error, sizeof error));
    assert_non_null(strstr(error, "no line"));
    sass_graph_free(&graph);
}

/* Two sides of a branch in a loop of five trips, of which one never ran: the compiler made one load of theirs and named that
 * one's line. Without what is lost the loop would make one trip, for four loads weigh more than a counter. */
static void sides_that_were_merged(void **state) {
    static const struct sass_step steps[] = {
        NEXT, NEXT, NEXT, NEXT, NEXT, {SASS_STEP_BRANCH, true, 1}, {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {{1, 1, SASS_WORK_OTHER, false}, {2, 2, SASS_WORK_LOAD, false},
                                              {3, 2, SASS_WORK_LOAD, false},  {4, 3, SASS_WORK_FLOAT, false},
                                              {8, 4, SASS_WORK_OTHER, false}, {9, 5, SASS_WORK_OTHER, false},
                                              {10, 6, SASS_WORK_OTHER, false}};
    struct sass_line lines[] = {{0},
                                LINE(SASS_WORK_OTHER, 1, 1),
                                LINE(SASS_WORK_LOAD, 0, 2),
                                LINE(SASS_WORK_LOAD, 0, 2),
                                LINE(SASS_WORK_FLOAT, 0, 2),
                                LINE(SASS_WORK_LOAD, 5, 3),
                                LINE(SASS_WORK_LOAD, 5, 3),
                                LINE(SASS_WORK_FLOAT, 5, 3),
                                LINE(SASS_WORK_OTHER, 5, 4),
                                LINE(SASS_WORK_CONTROL, 5, 4),
                                LINE(SASS_WORK_CONTROL, 1, 5)};
    double runs[MOST];
    lines[9].trips = 5;
    solve(steps, copies, 7, lines, 11, runs);
    assert_float_equal(runs[1], 1, 1e-6);
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < 3; i++)
            lines[2 + 3 * side + i].merged = i < 2 ? 1 : 2;
        for (uint32_t i = 0; side == 1 && i < 3; i++)
            lines[5 + i].lost = true;
    }
    solve(steps, copies, 7, lines, 11, runs);
    assert_float_equal(runs[0], 1, 1e-6);
    assert_float_equal(runs[1], 5, 1e-6);
    assert_float_equal(runs[6], 1, 1e-6);
}

/* A launch of twice the warps that do the same has the same linear programme, and its solution to the bit. */
static void solved_once_for_launches_that_do_the_same(void **state) {
    static const struct sass_step steps[] = {
        NEXT, {SASS_STEP_BRANCH, true, 0}, {SASS_STEP_EXIT, false, SASS_NOWHERE}};
    static const struct sass_copy copies[] = {
        {1, 1, SASS_WORK_LOAD, false}, {2, 2, SASS_WORK_OTHER, false}, {3, 3, SASS_WORK_OTHER, false}};
    struct memo solved = {.most_bytes = 1 << 20};
    struct sass_graph graph;
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
    memo_free(&solved);
    sass_graph_free(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_that_were_merged),
        cmocka_unit_test(a_loop_unrolled),
        cmocka_unit_test(trips_that_differ),
        cmocka_unit_test(a_guard_before_a_loop),
        cmocka_unit_test(a_warp_that_splits),
        cmocka_unit_test(a_warp_that_ends),
        cmocka_unit_test(paths_that_met),
        cmocka_unit_test(a_branch_made_a_predicate),
        cmocka_unit_test(a_slow_path),
        cmocka_unit_test(a_call),
        cmocka_unit_test(a_routine_in_a_loop),
        cmocka_unit_test(functions),
        cmocka_unit_test(halves),
        cmocka_unit_test(a_loop_in_one_line),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(solved_once_for_launches_that_do_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_checks.c: what CHECK=1 finds in tests/programs/checks.cu: each mistake at its line, and nothing in code that
 * looks like it and is right. */
#include "base/file.h"
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"

enum { SECONDS = 3600 }; /* only a program that hangs needs them */

static const char *const checked[] = {"CHECK=1", NULL};
static struct run run;

/* The line that ends in the comment of that name; 0: there is none. */
static unsigned line_of(const char *name) {
    char error[512], comment[80];
    char *source =
        file_read("common/gpu/runtime/tests/programs/checks.cu", 1 << 20, NULL, error, sizeof error);
    assert_non_null(source);
    snprintf(comment, sizeof comment, " // %s\n", name);
    const char *found = strstr(source, comment);
    unsigned line = found != NULL ? 1 : 0;
    for (const char *at = source; found != NULL && at < found; at++)
        line += *at == '\n';
    free(source);
    return line;
}

/* The mistake of that name, which stands at the line of `of`, is the only one that is found, in these words. */
static void is_found(const char *name, const char *of, const char *words) {
    char place[64];
    run_program(&run, "checks", name, checked, SECONDS);
    assert_exit(&run, 0);
    assert_says(&run, "ok");
    assert_int_not_equal(line_of(of), 0);
    snprintf(place, sizeof place, "check: checks.cu:%u: thread (", line_of(of));
    assert_says(&run, place);
    assert_says(&run, words);
    const char *first = strstr(run.output, "check: ");
    assert_null(strstr(first + 1, "check: "));
}

static void mistakes(void **state) {
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"halo_left_out",
         "(0,0,0) reads 4 bytes at byte 0 of tile (index 0, as 4-byte elements), which no thread of"},
        {"bytes_missing", "which no thread of the block has written; the result depends on it"},
        {"tree_too_long",
         "reads 4 bytes at byte 384 of sums (index 96, as 4-byte elements), which no thread of"},
        {"warp_sums_unguarded", "thread (2,0,0) of block (0,0,0) reads 4 bytes at byte 8 of sums (index 2"},
        {"branch_counts", "thread (40,0,0) of block (0,0,0) reads 4 bytes at byte 160 of tile (index 40"},
        {"as_index", "uses it as an address or index"},
        {"local_counts", "an array or variable of its own that it has not written"},
        {"add", "which neither the host nor a kernel has written; the result depends on it (256 times)"},
        {"count", "changes 4 bytes at byte 0 of"},
        {"from_malloc", "reads 4 bytes at byte 28 of the heap of device malloc"},
        {"shuffle_part",
         "lane 4) shuffles in the value of lane 20, which is not in the member mask 0x000fffff"},
        {"shuffle_exited", "shuffles in the value of lane 31, which has exited"},
        {"shuffle_short_block", "the value of lane 20, which does not exist: this warp has 20 threads"},
        {"lost_updates", "writes at line"},
        {"in_place", "thread (32,0,0) of block (0,0,0) reads what thread (31,0,0) writes at line"},
        {"all_write_used", "writes another value where thread ("},
        {"clears_late", "thread (0,0,0) of block (1,0,0) reads what thread (0,0,0) of block (0,0,0) writes"},
        {"volatile_flag", "thread (32,0,0) of block (0,0,0) reads what thread (0,0,0) writes at line"},
        {"no_barrier", "nothing orders the two (no __syncthreads() between)"},
        {"announced", "and no __threadfence() stands behind that write, before the atomic or flag"},
    };
    if (!have_program("checks"))
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_found(cases[i].name, strcmp(cases[i].name, "all_write_used") == 0 ? "all_write" : cases[i].name,
                 cases[i].words);
    is_found("twice_copied", "twice", "which neither the host nor a kernel has written");
    is_found("announced_in_block", "announced", "and no __threadfence() stands behind that write");
}

/* For a person the same words are lines of 80 columns, the second and later ones indented. */
static void wrapped(void **state) {
    static const char *const settings[] = {"CHECK=1", "SIMGPU_COLUMNS=80", NULL};
    unsigned lines = 0;
    if (!have_program("checks"))
        skip();
    run_program(&run, "checks", "bytes_missing", settings, SECONDS);
    assert_exit(&run, 0);
    const char *at = strstr(run.output, "check: ");
    assert_non_null(at);
    for (; *at != '\0'; at += strcspn(at, "\n") + 1, lines++) {
        assert_in_range(strcspn(at, "\n"), 1, 80);
        assert_true(lines == 0 || *at == ' ');
    }
    assert_in_range(lines, 3, 6);
}

static void what_looks_like_them(void **state) {
    static const char *const names[] = {
        "halo_guarded",    "padded_row",      "structure",      "bytes_of_words",  "warp_sums",
        "local_stack",     "add_unread",      "copy_unwritten", "padded_vector",   "branch_thrown_away",
        "part_copied",     "shuffle_guarded", "shuffle_tiles",  "vote_after_exit", "shuffle_segments",
        "barrier_between", "same_value",      "visited",        "add_cleared",     "count_cleared",
        "last_block",      "under_lock",      "chained",        "own_bytes",       "twice",
        "all_write",       "malloc_again",
    };
    if (!have_program("checks"))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        run_program(&run, "checks", names[i], checked, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, "ok");
        assert_says(&run, "check: nothing found");
    }
}

/* Locks and flags in shared memory are understood; RACES=1 stops what they do not cover. */
static void locks_in_shared_memory(void **state) {
    static const char *const races[] = {"CHECK=1", "RACES=1", NULL};
    static const char *const right[] = {"shared_lock", "shared_flag", "shared_sum", "shared_same_value",
                                        "shared_half_flag"};
    static const struct {
        const char *name, *words;
    } wrong[] = {{"shared_cleared_late", "race on byte 28 of bins (index 7, as 4-byte elements): this"},
                 {"shared_volatile_sum", "race on byte 32 of sums (index 8, as 4-byte elements): this"},
                 {"shared_other_value", "race on byte 0 of found (index 0, as 4-byte elements): this thread"},
                 {"shared_dynamic", "race on byte 0 of room (index 0, as 4-byte elements): this"}};
    char place[64];
    if (!have_program("checks"))
        skip();
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        run_program(&run, "checks", right[i], races, SECONDS);
        assert_exit(&run, 0);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_program(&run, "checks", wrong[i].name, races, SECONDS);
        assert_exit(&run, 1);
        snprintf(place, sizeof place, "checks.cu:%u: ", line_of(wrong[i].name));
        assert_says(&run, place);
        assert_says(&run, wrong[i].words);
    }
}

/* Without STRICT=1 what hardware lets pass becomes a remark with its line. Races on shared memory are
 * looked for unasked. */
static void what_hardware_lets_pass(void **state) {
    static const struct {
        const char *name, *words;
        int strict_status;
    } cases[] = {
        {"warps_apart", "others of the block wait at the one of line", 1},
        {"adds_beyond", "past the end of the 4096-byte allocation", 1},
        {"vector_across", "across the end of the 56-byte allocation", 1},
        {"shared_volatile_read", "this thread reads what thread (0,0,0) wrote", 0},
        {"shared_other_value", "(RACES=1 looks for races on shared memory in all blocks)", 0},
    };
    char place[64];
    if (!have_program("checks"))
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_program(&run, "checks", cases[i].name, NULL, SECONDS);
        assert_exit(&run, 0);
        snprintf(place, sizeof place, "remark: checks.cu:%u: thread (", line_of(cases[i].name));
        assert_says(&run, place);
        assert_says(&run, cases[i].words);
        run_program(&run, "checks", cases[i].name, (const char *const[]){"STRICT=1", NULL}, SECONDS);
        assert_exit(&run, cases[i].strict_status);
        assert_null(strstr(run.output, "remark:"));
    }
}

/* Nothing is said that was not asked for, and the same with any number of host threads. */
static void only_when_asked(void **state) {
    static const char *const one[] = {"CHECK=1", "SIMGPU_THREADS=1", NULL}, *const three[] = {
                                                                                "CHECK=1", "SIMGPU_THREADS=3",
                                                                                NULL};
    static const char *const silent[] = {"shared_lock", "shared_flag", "shared_half_flag",
                                         "shared_same_value"};
    static struct run first;
    if (!have_program("checks"))
        skip();
    run_program(&run, "checks", "add", NULL, SECONDS);
    assert_null(strstr(run.output, "check:"));
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        run_program(&run, "checks", silent[i], NULL, SECONDS);
        assert_null(strstr(run.output, "remark:"));
    }
    run_program(&first, "checks", "lost_updates", one, SECONDS);
    run_program(&run, "checks", "lost_updates", three, SECONDS);
    assert_string_equal(run.output, first.output);
}

TESTS(UNIT(mistakes), UNIT(wrapped), UNIT(what_looks_like_them), UNIT(locks_in_shared_memory),
      UNIT(what_hardware_lets_pass), UNIT(only_when_asked))

/*
 * test_findings_kernels.c: every kind of finding on a kernel that has the fault, run on the simulator: which code, at
 * which line, in which words; and its look-alike, of which it must not be said. The kernels are programs/findings.cu.
 */
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"
#include "report/findings/findings.h"

#include <math.h>

enum { SECONDS = 3600 };

static struct ran ran, by_code; /* timed by counters, and by the machine code of the GPU */

/* Runs the program once; what its launches did is in *state. */
static int run_all(void **state) {
    *state = NULL;
    if (getenv("SANITIZED") != NULL) {
        print_message("skipped: built with sanitisers the simulator would take minutes\n");
        return 0;
    }
    if (!have_program("findings"))
        return 0;
    run_kernels(&ran, "findings", SECONDS);
    run_kernels(&by_code, "findings-90", SECONDS);
    *state = &ran;
    return 0;
}

static int forget_all(void **state) {
    free_kernels(&ran);
    free_kernels(&by_code);
    return 0;
}

static void look(const char *name, struct findings *findings) {
    struct gpu_model model;
    char error[512];
    if (!gpu_model_load(NULL, "h200", &model, error, sizeof error))
        fail_msg("%s", error);
    findings_from_report(kernel_named(&ran, name), &model, findings);
}

static const struct finding *find(const struct findings *findings, const char *code) {
    for (uint32_t i = 0; i < findings->count; i++)
        if (strcmp(finding_code_name(findings->items[i].code), code) == 0)
            return &findings->items[i];
    return NULL;
}

/* The line of the program that ends in "// NAME". */
static uint32_t line_of(const char *name) {
    FILE *file = fopen("common/gpu/runtime/tests/programs/findings.cu", "r");
    char text[512], mark[64];
    uint32_t number = 0, found = 0;
    assert_non_null(file);
    snprintf(mark, sizeof mark, "// %s\n", name);
    while (found == 0 && fgets(text, sizeof text, file) != NULL) {
        number++;
        if (strstr(text, mark) != NULL)
            found = number;
    }
    fclose(file);
    return found;
}

/* A kernel that has it, whose marked line it names (or none), in these words; and one that looks alike. */
static const struct {
    const char *code, *kernel;
    bool line;
    const char *what, *advice, *alike;
} table[] = {
    {"narrow-block", "narrow_block", true,
     "The block is 8 threads wide, so a warp's accesses lie in 4 groups of 8", "32x2 has as many threads",
     "wide_block"},
    {"transposed", "transposed", true,
     "Threads next in threadIdx.x are 4096 bytes apart in memory, threads next in "
     "threadIdx.y 4",
     "Swap threadIdx.x and threadIdx.y", "wide_block"},
    {"transposed", "swapped", true,
     "Threads next in threadIdx.x are 1024 bytes apart in memory, threads next in threadIdx.y 1",
     "Swap threadIdx.x and threadIdx.y: let threadIdx.x count along what is 1 byte apart", "narrow_block"},
    {"transposed", "exchanged", true, "Threads next in threadIdx.x are 2048 bytes apart in memory",
     "threadIdx.x and threadIdx.y would move this to line", "wide_block"},
    {"few-threads", "few_fill", true, "this store of row is done by 1 of 32, again and again",
     "each takes every 256-th element", "all_fill"},
    {"divergence", "parity", true, "this one every other thread from the rest", "whole warps", "all_fill"},
    {"chunks", "chunks", true, "4 bytes at a time, while its neighbour is 128 bytes away",
     "the loop take the long step", "interleaved"},
    {"structures", "structures", true, "Neighbouring threads are 16 bytes apart and take 4 bytes each",
     "an array of its own", "whole_structures"},
    {"strided", "strided", true, "Neighbouring threads are 32 bytes apart", "4 bytes from one to the next",
     "whole_structures"},
    {"strided", "strided_store", true,
     "each store touches 32.0 sectors of 32 bytes; its bytes would fit in 4.0",
     "4 bytes from one to the next", "scattered"},
    {"scattered", "scattered", true, "no fixed distance", "near indices", "strided"},
    {"misaligned", "misaligned", true, "A warp's 128 neighbouring bytes do not start at a multiple of 32",
     "cudaMallocPitch", "moving_window"},
    {"narrow-loads", "narrow_loads", true, "A load brings a warp 32 bytes; one load can bring 512", "uchar4",
     "wide_loads"},
    {"reload", "reload", true, "A thread loads the same element of this array 64 times", "register",
     "loaded_once"},
    {"broadcast", "broadcast", true, "All threads of a warp load the same element", "several results",
     "several_results"},
    {"broadcast", "matrix_product", true, "All threads of a warp load the same element", "several results",
     "tile"},
    {"stencil", "stencil", true, "windows of neighbouring threads overlap", "the border around it", "tile"},
    {"tile", "tile", true, "and the next block the same elements again", "a piece of", "stencil"},
    {"bank-conflicts", "bank_column", true,
     "Each load of square takes 32.0 passes over the banks; 1.0 would do: "
     "neighbouring threads are 128 bytes apart",
     "Make the rows of square 4 bytes longer (132, not 128)", "bank_padded"},
    {"bank-conflicts", "bank_stride", true, "Each load of pairs takes 2.0 passes",
     "i and i + 32, not 2 i and 2 i + 1", "bank_padded"},
    {"bank-conflicts", "bank_wide", true, "Each load of wide takes 32.0 passes over the banks; 4.0 would do",
     "Make the rows of wide 16 bytes longer (528, not 512)", "bank_padded"},
    {"private-shared", "private_shared", true, "elements of mine that it wrote itself", "registers",
     "bank_padded"},
    {"barriers", "barriers", true, "A warp waits at a barrier after every 7 instructions",
     "More work between barriers", "bank_padded"},
    {"divergence", "parity", true, "this one every other thread from the rest",
     "Let whole warps decide alike", "whole_warps"},
    {"divergence-data", "by_data", true, "at this one in different places", "order the data", "parity"},
    {"partial-warps", "partial_warps", false, "blocks of 80 threads leave a part of a warp empty",
     "a multiple of 32", "full_warps"},
    {"local-array", "local_array", true, "indexed by what the compiler does not know",
     "a number known when compiling, such as the array's size", "register_array"},
    {"double-by-accident", "accident", true, "though no double is loaded or stored", "0.5f, not 0.5",
     "meant"},
    {"double-by-accident", "accident", true, "though no double is loaded or stored", "0.5f, not 0.5",
     "single"},
    {"double-precision", "meant", false, "The double-precision pipe is busy", "If float will do", "single"},
    {"integer-division", "division", true, "a number known only at run time", "a power of two",
     "division_constant"},
    {"wide-integers", "wide_integers", true, "% of these at this line", "int or unsigned", "division"},
    {"special", "special", true, "Roots, divisions and the like", "approximate forms", "single"},
    {"conversions", "conversions", true, "Conversions between integer and float", "Convert once", "single"},
    {"overhead", "single", false, "integer arithmetic, comparisons and branches", "unroll the loops",
     "special"},
    {"atomics-one-address", "one_address", true, "32 threads of a warp meet in one place",
     "one atomic a block", "one_a_block"},
    {"atomics", "spread", true, "50 % of the memory instructions are atomics", "a place of its own",
     "one_a_block"},
    {"constant-divergent", "constant_divergent", true, "32.0 different words of table in constant memory",
     "shared or global memory", "constant_uniform"},
    {"small-grid", "small_grid", false, "32 blocks for 132 SMs", "More, smaller blocks", "whole_waves"},
    {"tail", "tail", false, "1.1 waves of blocks: in the last one 91 % of the places", "whole waves",
     "whole_waves"},
    {"occupancy", "big_shared", false, "62 % at most, limited by shared memory", "Less shared memory",
     "loaded_once"},
    {"short-threads", "big_shared", false,
     "A thread lives for 22 instructions, loads among them 1:", "several elements", "full_warps"},
};

static void each_kind_on_its_kernel(void **state) {
    if (*state == NULL)
        skip();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct findings findings;
        look(table[i].kernel, &findings);
        const struct finding *found = find(&findings, table[i].code);
        if (found == NULL) {
            fail_msg("%s: no finding \"%s\"", table[i].kernel, table[i].code);
            return;
        }
        if (strstr(found->what, table[i].what) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", table[i].kernel, found->what, table[i].what);
        if (strstr(found->advice, table[i].advice) == NULL)
            fail_msg("%s: \"%s\" does not advise \"%s\"", table[i].kernel, found->advice, table[i].advice);
        if (table[i].line && found->line != line_of(table[i].kernel))
            fail_msg("%s: %s names line %u, not %u", table[i].kernel, table[i].code, found->line,
                     line_of(table[i].kernel));
    }
}

static void what_looks_alike_is_left_alone(void **state) {
    if (*state == NULL)
        skip();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct findings findings;
        look(table[i].alike, &findings);
        const struct finding *found = find(&findings, table[i].code);
        if (found != NULL)
            fail_msg("%s has no \"%s\": %s", table[i].alike, table[i].code, found->what);
    }
}

/* A kernel with one fault; the same kernel without it, and how many times as much that one does. */
static const struct {
    const char *faulty, *cured;
    enum gpu_lift lift;
    double more;
} cures[] = {
    {"narrow_block", "wide_block", GPU_LIFT_SECTORS, 1},
    {"structures", "whole_structures", GPU_LIFT_SECTORS, 1},
    {"bank_column", "bank_padded", GPU_LIFT_CONFLICTS, 1},
    {"tail", "whole_waves", GPU_LIFT_TAIL, 132 * 16 / (132 * 8 + 100.0)},
};

/* 0: it has no such limit. */
static double what_if(const char *name, enum gpu_lift lift) {
    const struct kernel_what_ifs *all = &kernel_named(&by_code, name)->what_ifs;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].lift == lift && all->items[i].line == 0)
            return all->items[i].factor;
    return 0;
}

static void what_if_is_what_the_cure_gains(void **state) {
    const double near = 0.05, start_us = 2.1; /* the H200's launch_us */
    if (*state == NULL)
        skip();
    for (size_t i = 0; i < sizeof cures / sizeof cures[0]; i++) {
        double cured_us =
            start_us + (kernel_named(&by_code, cures[i].cured)->time_us - start_us) / cures[i].more;
        double gains = kernel_named(&by_code, cures[i].faulty)->time_us / cured_us;
        double factor = what_if(cures[i].faulty, cures[i].lift);
        if (!(fabs(factor / gains - 1) <= near))
            fail_msg("%s without its fault: %.3f times as fast; %s is %.3f times", cures[i].faulty, factor,
                     cures[i].cured, gains);
        assert_float_equal(what_if(cures[i].cured, cures[i].lift), 0, 0);
    }
}

/* Sentences fit their room, and nothing is said that changes less than 2 % of the time. */
static void whole_sentences(void **state) {
    if (*state == NULL)
        skip();
    for (uint32_t k = 0; k < ran.count; k++) {
        struct findings findings;
        look(ran.kernels[k].name, &findings);
        for (uint32_t i = 0; i < findings.count; i++) {
            const struct finding *item = &findings.items[i];
            size_t length = strlen(item->what), advice = strlen(item->advice);
            assert_true(length > 0 && item->what[length - 1] == '.');
            assert_true(advice == 0 || item->advice[advice - 1] == '.');
            assert_false(item->gain < 0.02);
        }
    }
}

TESTS_BETWEEN(run_all, forget_all, UNIT(each_kind_on_its_kernel), UNIT(what_looks_alike_is_left_alone),
              UNIT(whole_sentences), UNIT(what_if_is_what_the_cure_gains))

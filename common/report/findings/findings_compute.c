/* findings_compute.c: idle threads, spilled registers, local memory, and expensive arithmetic. */
#include "report/findings/findings_rules.h"
#include "report/writers/format.h"

#include <math.h>
#include <string.h>

/* ---- divergence */

static const char other_lanes[] = "always the same threads of a warp";

/* The threads that always take a branch, in words; NULL: they vary. */
static const char *always_taken(const struct kernel_line *line) {
    if (!finding_fact_known(line, FACT_taken))
        return NULL;
    uint32_t taken = (uint32_t)finding_fact(line, FACT_taken), other = ~taken;
    if (taken == 0x55555555 || other == 0x55555555)
        return "every other thread";
    if (taken == 0x11111111 || taken == 0x22222222 || taken == 0x44444444 || taken == 0x88888888 ||
        other == 0x11111111 || other == 0x22222222 || other == 0x44444444 || other == 0x88888888)
        return "one thread of four";
    return other_lanes;
}

/* Gain if warps were whole: an instruction costs as much in a partly active warp. */
static double gain_of_whole_warps(const struct view *view, double active) {
    static const uint32_t pipes =
        1u << GPU_ISSUE | 1u << GPU_FMA | 1u << GPU_ALU | 1u << GPU_FP64 | 1u << GPU_SPECIAL;
    return view_gain_if_all(view, pipes, active);
}

static void partial_warps(const struct view *view, double active, uint32_t block) {
    struct finding *finding = finding_add(
        view, CODE_PARTIAL_WARPS, gain_of_whole_warps(view, active), NULL,
        "On average %.0f of 32 threads of a warp are active: blocks of %u threads leave a part of a warp empty.",
        32 * active, block);
    finding_advise(finding, "Make the number of threads of a block a multiple of 32.");
}

/* A line at which a few threads of a warp fill shared memory repeatedly, while the block waits at
 * the barrier; NULL: none. A border, or a warp's result, is stored only once or twice before each
 * barrier. */
static const struct kernel_line *filled_by_few(const struct view *view) {
    enum { FEW = 8, MANY = 8 };
    const struct kernel_line *line = view_busiest_line(view, LINE_SHARED_STORE);
    double barriers = view_requests(view, LINE_BARRIER);
    if (line == NULL || line->requests == 0 || barriers <= 0 || finding_block_threads(view->kernel) <= FEW)
        return NULL;
    bool few = (double)line->threads <= FEW * (double)line->requests,
         often = (double)line->requests >= MANY * barriers;
    return few && often ? line : NULL;
}

static void few_threads(const struct view *view, const struct kernel_line *line, double active) {
    static const uint32_t units = 1u << GPU_ISSUE | 1u << GPU_FMA | 1u << GPU_ALU | 1u << GPU_FP64 |
                                  1u << GPU_SPECIAL | 1u << GPU_LSU | 1u << GPU_LATENCY;
    char of[ARRAY_WORDS];
    double each = finding_ratio((double)line->threads, (double)line->requests);
    uint32_t threads = finding_block_threads(view->kernel);
    struct finding *finding = finding_add(
        view, CODE_FEW_THREADS, view_gain_if_all(view, units, active), line,
        "On average %.0f of 32 threads of a warp are active; this store%s is done by %.0f of 32, again and again, "
        "while the others wait at the barrier.",
        32 * active, finding_of_array(line, of), fmax(each, 1));
    finding_advise(finding, "Share this work among all threads of the block: each takes every %u-th element.",
                   threads);
}

void rule_divergence(const struct view *view) {
    double warps = view_counter(view, COUNTER_warp_instructions),
           threads = view_counter(view, COUNTER_thread_instructions);
    if (warps <= 0 || threads <= 0)
        return;
    double active = threads / (32 * warps),
           split = finding_ratio(view_counter(view, COUNTER_divergent_branches),
                                 view_counter(view, COUNTER_branches));
    bool split_known = view_knows(view, COUNTER_divergent_branches) && view_knows(view, COUNTER_branches);
    if (active > 0.9)
        return;
    uint32_t block = finding_block_threads(view->kernel);
    if (block % 32 != 0 && split < 0.02) {
        partial_warps(view, active, block);
        return;
    }
    const struct kernel_line *filled = filled_by_few(view), *worst = NULL;
    if (filled != NULL) {
        few_threads(view, filled, active);
        return;
    }
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind == LINE_BRANCH && line->transactions > 0 &&
            (worst == NULL || line->transactions > worst->transactions))
            worst = line;
    }
    const char *same = worst != NULL ? always_taken(worst) : NULL;
    struct finding *finding =
        finding_add(view,
                    same != NULL                                               ? CODE_DIVERGENCE
                    : worst != NULL && finding_fact(worst, FACT_divergent) > 1 ? CODE_DIVERGENCE_DATA
                                                                               : CODE_DIVERGENCE,
                    gain_of_whole_warps(view, active), worst,
                    "On average %.0f of 32 threads of a warp are active", 32 * active);
    if (split_known)
        finding_say_more(finding, "; %.0f %% of the branches split their warp", 100 * split);
    if (same != NULL) {
        finding_say_more(finding, ", this one %s from the rest.", same);
        if (strcmp(same, other_lanes) != 0)
            finding_advise(finding,
                           "Let whole warps decide alike: number the work so that the threads of one kind "
                           "have neighbouring threadIdx.x, 32 at a time.");
    } else if (worst != NULL && finding_fact(worst, FACT_divergent) > 1) {
        finding_say_more(finding, ", at this one in different places.");
        finding_advise(
            finding,
            "Where the threads decide by data: order the data so that neighbours decide alike, or compute "
            "both sides where they are short, and select.");
    } else {
        finding_say_more(finding, ".");
        finding_advise(
            finding,
            "Let the threads of a warp decide alike: branch on the warp or block, not on the thread; or "
            "select, not branch.");
    }
}

/* ---- local memory */

/* The time model by counters does not charge for spills, because PTX has registers enough. */
void rule_spills(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    if (!kernel->spill_known || kernel->spill_bytes == 0)
        return;
    struct finding *finding =
        finding_add(view, CODE_SPILLS, NAN, NULL,
                    "A thread has more values than registers: %u bytes of them spill to local memory%s.",
                    kernel->spill_bytes,
                    kernel_report_by_counters(kernel)
                        ? ". A real GPU pays for this, the model does not: do not believe the modelled time"
                        : "");
    finding->severity = FINDING_MAJOR;
    finding_advise(finding,
                   "Fewer values a thread; or more registers: leave out or lower the second argument of "
                   "__launch_bounds__, or raise -maxrregcount.");
}

void rule_local_memory(const struct view *view) {
    double local =
        view_counter(view, COUNTER_local_load_requests) + view_counter(view, COUNTER_local_store_requests);
    if (local <= 0)
        return;
    double sectors =
        view_counter(view, COUNTER_local_load_sectors) + view_counter(view, COUNTER_local_store_sectors);
    double others =
        view_counter(view, COUNTER_global_load_sectors) + view_counter(view, COUNTER_global_store_sectors);
    double through =
        view_counter(view, COUNTER_l2_read_sectors) + view_counter(view, COUNTER_l2_write_sectors);
    double left[GPU_LAUNCH];
    for (int i = 0; i < GPU_LAUNCH; i++)
        left[i] = 1;
    left[GPU_L1] = 1 - finding_ratio(sectors, sectors + others);
    /* Every local store goes on to L2, and what L2 reads beyond all global loads is local. */
    double beyond = fmax(
        view_counter(view, COUNTER_l2_read_sectors) - view_counter(view, COUNTER_global_load_sectors), 0);
    left[GPU_L2] =
        1 - fmin(finding_ratio(view_counter(view, COUNTER_local_store_sectors) + beyond, through), 1);
    if (view->kernel->waits.known) {
        double loads = view_counter(view, COUNTER_local_load_requests);
        left[GPU_LATENCY] =
            1 - view->kernel->waits.share[GPU_STALL_LONG_SCOREBOARD] *
                    finding_ratio(loads, loads + view_counter(view, COUNTER_global_load_requests));
    }
    double gain = view_gain_if_left(view, left);
    const struct kernel_line *loads = view_busiest_line(view, LINE_LOCAL_LOAD),
                             *stores = view_busiest_line(view, LINE_LOCAL_STORE);
    const struct kernel_line *line =
        loads == NULL || (stores != NULL && stores->requests > loads->requests) ? stores : loads;
    char count[FORMAT_SIZE];
    bool indexed =
        line != NULL && finding_fact_known(line, FACT_fixed) && finding_fact(line, FACT_fixed) == 0;
    struct finding *finding =
        finding_add(view, indexed ? CODE_LOCAL_ARRAY : CODE_LOCAL_MEMORY, gain, line,
                    "%s requests go to local memory", format_count(count, (uint64_t)local));
    if (view_knows(view, COUNTER_inst_memory))
        finding_say_more(finding, " (%.0f %% of all memory instructions)",
                         100 * finding_ratio(local, view_counter(view, COUNTER_inst_memory)));
    if (indexed) {
        finding_say_more(
            finding,
            ": an array of the thread's own is indexed by what the compiler does not know, and registers "
            "have no index.");
        finding_advise(
            finding,
            "Let the loop that counts the index run to a number known when compiling, such as the array's size, and "
            "skip by a condition inside; #pragma unroll then makes each index a constant, which it cannot while the "
            "count is an argument. Or keep the array in shared memory.");
    } else {
        finding_say_more(finding, ": registers spilled, or an array indexed by a variable.");
        finding_advise(finding,
                       "Unroll loops over small arrays so that indices are constants; allow more registers "
                       "(__launch_bounds__).");
    }
}

/* ---- arithmetic */

void rule_division(const struct view *view) {
    const struct kernel_line *line = view_busiest_line(view, LINE_DIVISION);
    double divisions = view_requests(view, LINE_DIVISION),
           all = view_counter(view, COUNTER_warp_instructions);
    if (line == NULL || fmax(view_share(view, GPU_ISSUE), view_share(view, GPU_ALU)) < 0.4 ||
        divisions < 0.02 * all)
        return;
    struct finding *finding = finding_add(
        view, CODE_INTEGER_DIVISION, NAN, line,
        "%.0f %% of the instructions are integer divisions or remainders by a number known only at run time; the "
        "machine makes each of many instructions.",
        100 * divisions / all);
    finding_advise(
        finding,
        "Where all divide by one number: a constant, best a power of two. Where it splits an index: a second "
        "dimension of blockIdx and threadIdx, or divide once and count on.");
}

/* Whether an array of doubles is accessed, so that double is intended. */
static bool moves_doubles(const struct view *view) {
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line_kind_is_access(line->kind) &&
            (!finding_fact_known(line, FACT_bytes) || finding_fact(line, FACT_bytes) >= 8))
            return true;
    }
    return false;
}

/* Conversions between float and double: those at lines that compute in double. */
static double conversions_of_doubles(const struct view *view) {
    double sum = 0;
    for (uint32_t i = 0; i < view->kernel->line_count; i++)
        for (uint32_t k = 0; k < view->kernel->line_count && view->kernel->lines[i].kind == LINE_CONVERSION;
             k++)
            if (view->kernel->lines[k].kind == LINE_DOUBLE &&
                view->kernel->lines[k].line == view->kernel->lines[i].line &&
                strcmp(view->kernel->lines[k].file, view->kernel->lines[i].file) == 0) {
                sum += (double)view->kernel->lines[i].requests;
                break;
            }
    return sum;
}

void rule_double(const struct view *view) {
    double doubles = view_counter(view, COUNTER_inst_fp64);
    const struct kernel_line *line = view_busiest_line(view, LINE_DOUBLE);
    if (doubles <= 0)
        return;
    if (line != NULL && !moves_doubles(view)) {
        double converted = conversions_of_doubles(view);
        double special =
            view_counter(view, COUNTER_inst_special) + view_counter(view, COUNTER_inst_conversion);
        double left[GPU_LAUNCH];
        for (int i = 0; i < GPU_LAUNCH; i++)
            left[i] = 1;
        left[GPU_FP64] = 0;
        left[GPU_SPECIAL] = 1 - fmin(finding_ratio(converted, special), 1);
        left[GPU_ISSUE] =
            1 - fmin(finding_ratio(converted, view_counter(view, COUNTER_warp_instructions)), 1);
        struct finding *finding = finding_add(
            view, CODE_DOUBLE_BY_ACCIDENT, view_gain_if_left(view, left), line,
            "%.0f %% of the instructions are double precision or conversions to it and back, though no "
            "double is loaded or stored.",
            100 * finding_ratio(doubles + converted, view_counter(view, COUNTER_warp_instructions)));
        finding_advise(
            finding,
            "A number without f, or a function of double, turns float into double: write 0.5f, not 0.5, and "
            "sqrtf, not sqrt.");
        return;
    }
    if (view_share(view, GPU_FP64) <= 0.2)
        return;
    struct finding *finding = finding_add(view, CODE_DOUBLE_PRECISION, view_gain_if(view, GPU_FP64, 0.1),
                                          line, "The double-precision pipe is busy %.0f %% of the time.",
                                          100 * view_share(view, GPU_FP64));
    finding_advise(finding, "If float will do: float arrays, 0.5f, not 0.5, and sqrtf, not sqrt.");
}

/* Exact roots, divisions and functions, each a sequence of instructions with a branch, that take much of what a kernel
 * executes. */
static void slow_math(const struct view *view) {
    static const uint32_t units = 1u << GPU_ISSUE | 1u << GPU_FMA | 1u << GPU_ALU;
    const double much = 1.0 / 3;            /* of the executed instructions */
    const double slow = 6, approximate = 3; /* instructions for one */
    const struct kernel_executed *executed = &view->kernel->executed;
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        const struct executed_line *all = line->kind == LINE_SPECIAL && line->requests > 0
                                              ? kernel_executed_find(executed, line->file, line->line)
                                              : NULL;
        double share = all != NULL ? executed_share(executed, all) : 0,
               each = all != NULL ? finding_ratio((double)all->counts[0], (double)line->requests) : 0;
        if (share < much || each < slow)
            continue;
        struct finding *finding = finding_add(
            view, CODE_SPECIAL, view_gain_if_all(view, units, 1 - share * (1 - approximate / each)), line,
            "%.0f %% of the executed instructions are of this line, %.0f for each root, division or function: an "
            "exact one is a sequence of instructions with a branch for special cases.",
            100 * share, each);
        finding_advise(
            finding,
            "Where the last bits may be off: x * rsqrtf(x), __fdividef, __sinf, or -use_fast_math, which does "
            "so everywhere. Where they may not: fewer of them, or correct an approximate one.");
        return;
    }
}

void rule_special(const struct view *view) {
    slow_math(view);
    /* Divisions of integers and doubles, which contain such instructions, have other rules. */
    double own = view_counter(view, COUNTER_inst_special) + view_counter(view, COUNTER_inst_conversion);
    double within = view_counter(view, COUNTER_inst_division) + view_counter(view, COUNTER_inst_division_64) +
                    view_counter(view, COUNTER_inst_division_fp64);
    if (view_share(view, GPU_SPECIAL) <= 0.4 || within > own)
        return;
    static const struct {
        enum finding_code code;
        const char *what, *advice;
    } causes[] = {
        {CODE_SPECIAL, "Roots, divisions and the like",
         "Use the approximate forms (__fdividef, rsqrtf), or compute each value once."},
        {CODE_CONVERSIONS, "Conversions between integer and float",
         "Convert once, when the value is loaded, not at every use."},
        {CODE_SPECIAL, "Conversions, roots, divisions and the like",
         "Convert once, when the value is loaded; use the approximate forms (__fdividef, rsqrtf)."}};
    bool told = view_knows(view, COUNTER_inst_conversion) && view_knows(view, COUNTER_inst_special);
    int cause =
        told ? view_counter(view, COUNTER_inst_conversion) > view_counter(view, COUNTER_inst_special) : 2;
    const struct kernel_line *line =
        told ? view_busiest_line(view, cause == 1 ? LINE_CONVERSION : LINE_SPECIAL) : NULL;
    struct finding *finding = finding_add(view, causes[cause].code, view_gain_if(view, GPU_SPECIAL, 0.5),
                                          line, "%s keep their pipe busy %.0f %% of the time.",
                                          causes[cause].what, 100 * view_share(view, GPU_SPECIAL));
    finding_advise(finding, "%s", causes[cause].advice);
}

void rule_overhead(const struct view *view) {
    double all = view_counter(view, COUNTER_warp_instructions),
           integer = view_counter(view, COUNTER_inst_int) - view_counter(view, COUNTER_inst_int_multiply);
    double control = view_counter(view, COUNTER_inst_control),
           memory = view_counter(view, COUNTER_inst_memory);
    const double of_indices = 16, many = 0.15; /* for each access to memory; of the instructions */
    if (all <= 0 || view_share(view, GPU_ISSUE) < 0.5 || integer + control < 0.4 * all)
        return;
    struct finding *finding =
        finding_add(view, CODE_OVERHEAD, view_gain_if(view, GPU_ISSUE, 1 - 0.5 * (integer + control) / all),
                    NULL, "%.0f of 100 instructions are integer arithmetic, comparisons and branches",
                    100 * (integer + control) / all);
    if (memory > 0 && integer > of_indices * memory && control < many * all) {
        finding_say_more(finding, ", %.0f for each access to memory: few of them compute indices.",
                         integer / memory);
        finding->gain = NAN;
        finding->severity = FINDING_NOTE;
        return;
    }
    finding_say_more(finding, ".");
    finding_advise(
        finding,
        "Where they compute indices: unroll the loops (#pragma unroll), test borders once a block, and give "
        "a thread several outputs.");
}

void rule_wide_integers(const struct view *view) {
    const double many = 0.05, in_loop = 16; /* of the instructions; of a warp */
    const struct kernel_line *line = view_busiest_line(view, LINE_WIDE_INTEGER);
    double extra = view_requests(view, LINE_WIDE_INTEGER),
           all = view_counter(view, COUNTER_warp_instructions);
    enum gpu_unit limiter = view->kernel->limiter;
    bool memory_is_full = kernel_at_limit(view->kernel) && (limiter == GPU_L2 || limiter == GPU_DRAM);
    if (line == NULL || extra < many * all || memory_is_full ||
        !((double)line->requests >= in_loop * finding_warps(view->kernel)))
        return;
    struct finding *finding = finding_add(
        view, CODE_WIDE_INTEGERS, NAN, line,
        "Products, shifts and comparisons of 64-bit integers take %.0f instructions more for each "
        "100 than those of 32 bits would, %.0f %% of these at this line.",
        100 * extra / all, 100 * finding_ratio((double)line->requests, extra));
    finding_advise(
        finding,
        "Where they are indices: int or unsigned. Where an index may be larger, move a pointer to the row's "
        "start before the loop, and count within the row in int.");
}

/*
 * findings.c: the rules. Each looks at one thing, and adds a finding only where it matters to this kernel's
 * time: a fault in something that is not the limit is a note, not an alarm.
 */
#include "analysis/findings.h"

#include "analysis/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct view {
    const struct kernel_report *kernel;
    const struct gpu_model *model; /* may be NULL */
    struct findings *findings;
    struct finding *spare; /* what is beyond FINDINGS_MAX goes here and no further */
};

static bool share_known(const struct view *view, enum gpu_unit unit) {
    return isfinite(view->kernel->unit_share[unit]);
}

static double share(const struct view *view, enum gpu_unit unit) {
    return share_known(view, unit) ? view->kernel->unit_share[unit] : 0;
}

static bool known(const struct view *view, enum counter counter) {
    return view->kernel->known[counter];
}

static double counter(const struct view *view, enum counter index) {
    return known(view, index) ? (double)counter_value(&view->kernel->counters, index) : 0;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Warp-level memory instructions; where a profiler does not count them, the requests it does count. */
static double memory_instructions(const struct view *view) {
    return known(view, COUNTER_inst_memory)
               ? counter(view, COUNTER_inst_memory)
               : counter(view, COUNTER_global_load_requests) + counter(view, COUNTER_global_store_requests) +
                     counter(view, COUNTER_shared_load_requests) +
                     counter(view, COUNTER_shared_store_requests) +
                     counter(view, COUNTER_local_load_requests) +
                     counter(view, COUNTER_local_store_requests) + counter(view, COUNTER_atomics);
}

/* The share of time that goes when one unit's work shrinks to `left` of what it is: the groups of the time
 * model combined anew. NAN where the unit's share is not known. */
static double gain_if(const struct view *view, enum gpu_unit unit, double left) {
    double power = view->model != NULL ? view->model->overlap_power : 3;
    double before = 0, after = 0;
    if (!share_known(view, unit))
        return NAN;
    for (int i = 0; i < GPU_LAUNCH; i++) {
        double busy = share(view, (enum gpu_unit)i);
        before += pow(busy, power);
        after += pow(i == (int)unit ? busy * left : busy, power);
    }
    return before > 0 ? 1 - pow(after / before, 1 / power) : NAN;
}

__attribute__((format(printf, 4, 5))) static struct finding *add(const struct view *view, const char *code,
                                                                 double gain, const char *format, ...) {
    struct findings *all = view->findings;
    struct finding *item = all->count < FINDINGS_MAX ? &all->items[all->count++] : view->spare;
    *item = (struct finding){.gain = gain};
    snprintf(item->code, sizeof item->code, "%s", code);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item->what, sizeof item->what, format, arguments);
    va_end(arguments);
    item->severity = !(gain >= 0.05) ? FINDING_NOTE : gain >= 0.2 ? FINDING_MAJOR : FINDING_MINOR;
    return item;
}

/* Goes on with the sentence: what is only said where it is known. */
__attribute__((format(printf, 2, 3))) static void say_more(struct finding *finding, const char *format, ...) {
    size_t used = strlen(finding->what);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->what + used, sizeof finding->what - used, format, arguments);
    va_end(arguments);
}

static void advise(struct finding *finding, const char *advice) {
    snprintf(finding->advice, sizeof finding->advice, "%s", advice);
}

static enum gpu_unit unit_by_name(const char *name) {
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (strcmp(gpu_unit_name((enum gpu_unit)unit), name) == 0)
            return (enum gpu_unit)unit;
    return GPU_UNIT_COUNT;
}

static void rule_limiter(const struct view *view) {
    enum gpu_unit first = unit_by_name(view->kernel->limiter);
    if (first == GPU_UNIT_COUNT)
        return;
    enum gpu_unit second = GPU_UNIT_COUNT;
    for (int unit = 0; unit < GPU_LAUNCH; unit++)
        if (unit != (int)first &&
            (second == GPU_UNIT_COUNT || share(view, (enum gpu_unit)unit) > share(view, second)))
            second = (enum gpu_unit)unit;
    char part[FORMAT_SIZE];
    const char *verb = first == GPU_LATENCY || first == GPU_LAUNCH ? "accounts for" : "busy for";
    struct finding *finding = add(view, "limiter", NAN, "The limit is %s", gpu_unit_meaning(first));
    if (share_known(view, first))
        say_more(finding, ": %s %s of the time", verb, format_share(part, share(view, first)));
    if (share_known(view, second))
        say_more(finding, "; next is %s, %s%s", gpu_unit_meaning(second),
                 format_share(part, share(view, second)), share_known(view, first) ? "" : " of the time");
    say_more(finding, ".");
    if (first == GPU_DRAM && share(view, first) > 0.8)
        advise(finding, "Near the memory's speed: only moving fewer bytes makes this kernel faster.");
    else if (first == GPU_LAUNCH)
        advise(finding,
               "The kernel is over before it has begun: give it more work, or merge it with its neighbour.");
    else if (share(view, first) < 0.6)
        advise(finding, "No unit is near its peak: look at latency, occupancy and the tail first.");
}

static const char along_a_row[] =
    "Let threadIdx.x run along a row: neighbouring threads of a warp should touch neighbouring bytes.";

static void uncoalesced_line(const struct view *view, const struct kernel_line *line, bool store) {
    double all = counter(view, COUNTER_global_load_sectors) + counter(view, COUNTER_global_store_sectors);
    double each = ratio((double)line->transactions, (double)line->requests);
    double ideal = ratio((double)line->ideal, (double)line->requests);
    double wasted = ratio((double)(line->transactions - line->ideal), all);
    double gain = gain_if(view, GPU_L1, 1 - wasted);
    if (gain < 0.005)
        return;
    struct finding *finding =
        add(view, "coalescing", gain,
            "Each %s request of a warp touches %.1f sectors of 32 bytes; %.1f would carry the same bytes.",
            store ? "store" : "load", each, ideal);
    finding->file = line->file;
    finding->line = line->line;
    advise(finding, along_a_row);
}

static void rule_coalescing(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    bool by_line = false;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        bool store = line->kind == LINE_GLOBAL_STORE;
        if (!store && line->kind != LINE_GLOBAL_LOAD)
            continue;
        by_line = true;
        double all = counter(view, COUNTER_global_load_sectors) + counter(view, COUNTER_global_store_sectors);
        bool wide = (double)line->transactions > 2.05 * (double)line->ideal;
        if (wide && ratio((double)(line->transactions - line->ideal), all) > 0.01)
            uncoalesced_line(view, line, store);
    }
    if (by_line || !known(view, COUNTER_global_load_sectors) || !known(view, COUNTER_global_load_requests))
        return;
    double requests = counter(view, COUNTER_global_load_requests),
           sectors = counter(view, COUNTER_global_load_sectors);
    double ideal = requests;
    if (known(view, COUNTER_global_load_bytes))
        ideal = fmax(requests, counter(view, COUNTER_global_load_bytes) / 32);
    /* without the bytes only a factor beyond any plain load can be called waste: 16-byte loads take 16
     * sectors */
    double allowed = known(view, COUNTER_global_load_bytes) ? 2.05 * ideal : 16.5 * ideal;
    if (requests > 0 && sectors > allowed) {
        struct finding *finding =
            add(view, "coalescing", gain_if(view, GPU_L1, ideal / sectors),
                "Load requests of a warp touch %.1f sectors of 32 bytes on average; %.1f would do.",
                sectors / requests, ideal / requests);
        advise(finding, along_a_row);
    }
}

static void rule_bank_conflicts(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double all =
        counter(view, COUNTER_shared_load_wavefronts) + counter(view, COUNTER_shared_store_wavefronts);
    bool by_line = false;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        if (line->kind != LINE_SHARED_LOAD && line->kind != LINE_SHARED_STORE)
            continue;
        by_line = true;
        double excess = (double)line->transactions - (double)line->ideal;
        if ((double)line->transactions <= 1.2 * (double)line->ideal || ratio(excess, all) <= 0.02)
            continue;
        struct finding *finding =
            add(view, "bank-conflicts", gain_if(view, GPU_SHARED, 1 - ratio(excess, all)),
                "Each shared %s takes %.1f passes over the banks; %.1f would do: threads of a warp "
                "meet in the same bank.",
                line->kind == LINE_SHARED_STORE ? "store" : "load",
                ratio((double)line->transactions, (double)line->requests),
                ratio((double)line->ideal, (double)line->requests));
        finding->file = line->file;
        finding->line = line->line;
        advise(finding, "Pad the rows of the array by one word, or change which thread takes which column.");
    }
    double conflicts = counter(view, COUNTER_shared_bank_conflicts);
    if (!by_line && ratio(conflicts, all) > 0.05) {
        struct finding *finding =
            add(view, "bank-conflicts", gain_if(view, GPU_SHARED, 1 - ratio(conflicts, all)),
                "%.0f %% of the passes over the shared-memory banks come from conflicts.",
                100 * ratio(conflicts, all));
        advise(finding,
               "Pad the rows of the shared array by one word, or change which thread takes which column.");
    }
}

static void rule_reuse(const struct view *view) {
    double loaded = counter(view, COUNTER_global_load_bytes),
           fetched = 32 * counter(view, COUNTER_l2_read_sectors);
    if (fetched <= 0 || loaded < 6 * fetched ||
        share(view, GPU_L1) + share(view, GPU_LSU) + share(view, GPU_ISSUE) < 0.4)
        return;
    /* a tile in shared memory costs a store and the same number of (cheaper) loads: the L1 lookups go */
    struct finding *finding =
        add(view, "reuse", gain_if(view, GPU_L1, fetched / loaded),
            "Every byte fetched from L2 is loaded %.0f times: neighbouring threads read the same data.",
            loaded / fetched);
    advise(finding,
           "Load a tile with its halo into shared memory once, or keep what neighbours share in registers.");
}

static void rule_narrow(const struct view *view) {
    double requests = counter(view, COUNTER_global_load_requests),
           bytes = counter(view, COUNTER_global_load_bytes);
    double shared = counter(view, COUNTER_shared_load_requests);
    double memory = fmax(share(view, GPU_L1) + share(view, GPU_SHARED), share(view, GPU_LSU));
    if (requests <= 0 || bytes <= 0 || fmax(memory, share(view, GPU_DRAM)) < 0.4 || requests < shared / 4)
        return;
    double each = bytes / requests;
    if (each > 64)
        return;
    struct finding *finding =
        add(view, "narrow-loads", NAN, "A load request brings %.0f bytes; one request can bring 512.", each);
    advise(finding, "Let a thread take several neighbouring elements with one wide load (uchar4, float4).");
}

static void rule_shared_width(const struct view *view) {
    double requests = counter(view, COUNTER_shared_load_requests),
           wavefronts = counter(view, COUNTER_shared_load_wavefronts);
    if (requests <= 0 || !known(view, COUNTER_shared_load_wavefronts) || share(view, GPU_SHARED) < 0.4 ||
        wavefronts > 1.5 * requests)
        return;
    struct finding *finding =
        add(view, "shared-reuse", gain_if(view, GPU_SHARED, 0.5),
            "The shared-memory banks are busy %.0f %% of the time, with one word a thread and request.",
            100 * share(view, GPU_SHARED));
    advise(finding, "Compute several outputs a thread: a value once in a register serves all of them; read "
                    "float2 or float4.");
}

static void rule_divergence(const struct view *view) {
    double warps = counter(view, COUNTER_warp_instructions),
           threads = counter(view, COUNTER_thread_instructions);
    if (warps <= 0 || threads <= 0)
        return;
    double active = threads / (32 * warps),
           split = ratio(counter(view, COUNTER_divergent_branches), counter(view, COUNTER_branches));
    bool split_known = known(view, COUNTER_divergent_branches) && known(view, COUNTER_branches);
    if (active > 0.9)
        return;
    const struct kernel_line *worst = NULL;
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind == LINE_BRANCH && line->transactions > 0 &&
            (worst == NULL || line->transactions > worst->transactions))
            worst = line;
    }
    uint32_t block = view->kernel->block[0] * view->kernel->block[1] * view->kernel->block[2];
    struct finding *finding;
    if (block % 32 != 0 && split < 0.02) {
        finding = add(view, "partial-warps", gain_if(view, GPU_ISSUE, active),
                      "On average %.0f of 32 threads of a warp are active: blocks of %u threads leave a part "
                      "of a warp empty.",
                      32 * active, block);
        advise(finding, "Make the number of threads of a block a multiple of 32.");
        return;
    }
    finding = add(view, "divergence", gain_if(view, GPU_ISSUE, active),
                  "On average %.0f of 32 threads of a warp are active", 32 * active);
    if (split_known)
        say_more(finding, "; %.0f %% of the branches split their warp", 100 * split);
    say_more(finding, ".");
    if (worst != NULL) {
        finding->file = worst->file;
        finding->line = worst->line;
    }
    advise(finding, "Let the threads of a warp decide alike: branch on the warp or block, not on the thread; "
                    "or select, not branch.");
}

static void rule_occupancy(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double theoretical = kernel->occupancy_theoretical;
    if (!isfinite(theoretical) || theoretical > 0.7)
        return;
    const char *limit = "its resources", *advice = "Compare block sizes with `make occupancy`.";
    if (view->model != NULL && kernel->registers > 0) { /* no kernel has none: 0 is not known */
        uint32_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
        struct gpu_occupancy fit =
            gpu_occupancy(view->model, threads, kernel->registers, kernel->shared_bytes);
        limit = gpu_limit_name(fit.limit);
        if (fit.limit == GPU_LIMIT_REGISTERS)
            advice =
                "Fewer registers a thread: __launch_bounds__, less unrolling, values computed when needed.";
        else if (fit.limit == GPU_LIMIT_SHARED)
            advice = "Less shared memory a block: a smaller tile, a narrower type.";
        else if (fit.limit == GPU_LIMIT_BLOCKS)
            advice = "Larger blocks: an SM holds only so many, however small.";
        else
            advice = "A block size that divides the SM's warps.";
    }
    /* More warps help only where waiting is what takes the time. Where a unit of the SM is busier than the
     * waiting is long, its latency is covered: the registers are well spent. */
    enum gpu_unit busiest = GPU_ISSUE;
    for (int unit = 0; unit <= GPU_SHARED; unit++)
        if (share(view, (enum gpu_unit)unit) > share(view, busiest))
            busiest = (enum gpu_unit)unit;
    bool covered = share(view, busiest) >= 0.7 && share(view, busiest) > share(view, GPU_LATENCY);
    struct finding *finding = add(view, "occupancy", covered ? 0 : gain_if(view, GPU_LATENCY, theoretical),
                                  "Occupancy is %.0f %% at most", 100 * theoretical);
    if (kernel->registers > 0)
        say_more(finding, ", limited by %s (%u registers a thread, %u B shared a block)", limit,
                 kernel->registers, kernel->shared_bytes);
    say_more(finding, "%s",
             covered ? "; that is no fault here: the warps that are there keep the SM busy." : ".");
    if (!covered)
        advise(finding, advice);
}

static void rule_spills(const struct view *view) {
    double local = counter(view, COUNTER_local_load_requests) + counter(view, COUNTER_local_store_requests);
    if (local <= 0)
        return;
    double sectors = counter(view, COUNTER_local_load_sectors) + counter(view, COUNTER_local_store_sectors);
    double others = counter(view, COUNTER_global_load_sectors) + counter(view, COUNTER_global_store_sectors);
    char count[FORMAT_SIZE];
    struct finding *finding =
        add(view, "local-memory", gain_if(view, GPU_L1, 1 - ratio(sectors, sectors + others)),
            "%s requests go to local memory", format_count(count, (uint64_t)local));
    if (known(view, COUNTER_inst_memory))
        say_more(finding, " (%.0f %% of all memory instructions)",
                 100 * ratio(local, counter(view, COUNTER_inst_memory)));
    say_more(finding, ": registers spilled, or an array indexed by a variable.");
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind == LINE_LOCAL_LOAD || line->kind == LINE_LOCAL_STORE) {
            finding->file = line->file;
            finding->line = line->line;
            break;
        }
    }
    advise(finding, "Unroll loops over small arrays so that indices are constants; allow more registers "
                    "(__launch_bounds__).");
}

static void rule_grid(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double blocks = (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    if (view->model != NULL && blocks > 0 && blocks < view->model->sm_count &&
        share(view, GPU_LAUNCH) < 0.5) {
        struct finding *finding =
            add(view, "small-grid", 1 - blocks / view->model->sm_count,
                "%.0f blocks for %u SMs: the others have nothing to do.", blocks, view->model->sm_count);
        advise(finding, "More, smaller blocks; or fewer elements a thread.");
    } else if (isfinite(kernel->tail) && kernel->tail > 0.1 && kernel->waves > 1) {
        struct finding *finding =
            add(view, "tail", kernel->tail / 2,
                "The grid is %.1f waves of blocks: in the last, partial one much of the GPU is idle.",
                kernel->waves);
        advise(finding, "Smaller blocks, or a number of blocks that fills whole waves (loop over the grid "
                        "inside the kernel).");
    }
}

static void rule_integer_multiply(const struct view *view) {
    const struct gpu_model *model = view->model;
    double multiplies = counter(view, COUNTER_inst_int_multiply),
           all = counter(view, COUNTER_warp_instructions);
    if (model == NULL || all <= 0 || model->imad_rate * 2.5 >= model->fma_rate || multiplies < 0.05 * all)
        return;
    double cost = model->fma_rate / model->imad_rate;
    struct finding *finding =
        add(view, "integer-multiply", gain_if(view, GPU_FMA, 1 / cost),
            "%.0f %% of the instructions are integer multiplies; on this GPU one takes as long as %.0f "
            "float multiply-adds.",
            100 * multiplies / all, cost);
    advise(finding, "Do the sums in float: whole numbers up to 2^24 are exact there.");
}

static void rule_precision(const struct view *view) {
    double doubles = counter(view, COUNTER_inst_fp64);
    if (doubles > 0 && share(view, GPU_FP64) > 0.2) {
        struct finding *finding =
            add(view, "double-precision", gain_if(view, GPU_FP64, 0.1),
                "The double-precision pipe is busy %.0f %% of the time.", 100 * share(view, GPU_FP64));
        advise(finding, "If float will do: write 0.5f, not 0.5, and sqrtf, not sqrt.");
    }
    if (share(view, GPU_SPECIAL) > 0.4) {
        static const struct {
            const char *what, *advice;
        } causes[] = {
            {"Roots, divisions and the like",
             "Use the approximate forms (__fdividef, rsqrtf), or compute each value once."},
            {"Conversions between integer and float",
             "Convert once, when the tile is loaded, not at every use."},
            {"Conversions, roots, divisions and the like",
             "Convert once, when the tile is loaded; use the approximate forms (__fdividef, rsqrtf)."}};
        bool told = known(view, COUNTER_inst_conversion) && known(view, COUNTER_inst_special);
        int cause = told ? counter(view, COUNTER_inst_conversion) > counter(view, COUNTER_inst_special) : 2;
        struct finding *finding = add(view, "special", gain_if(view, GPU_SPECIAL, 0.5),
                                      "%s keep their pipe busy %.0f %% of the time.", causes[cause].what,
                                      100 * share(view, GPU_SPECIAL));
        advise(finding, causes[cause].advice);
    }
}

static void rule_overhead(const struct view *view) {
    double all = counter(view, COUNTER_warp_instructions),
           integer = counter(view, COUNTER_inst_int) - counter(view, COUNTER_inst_int_multiply);
    double control = counter(view, COUNTER_inst_control);
    if (all <= 0 || share(view, GPU_ISSUE) < 0.5 || integer + control < 0.4 * all)
        return;
    struct finding *finding =
        add(view, "overhead", gain_if(view, GPU_ISSUE, 1 - 0.5 * (integer + control) / all),
            "%.0f of 100 instructions are index arithmetic, comparisons and branches.",
            100 * (integer + control) / all);
    advise(
        finding,
        "Unroll the loops (#pragma unroll), test borders once a block, and give a thread several outputs.");
}

static void rule_short_threads(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    uint32_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
    uint32_t warps_per_block = (threads + 31) / 32;
    double warps = (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2] * warps_per_block;
    double each = ratio(counter(view, COUNTER_warp_instructions), warps);
    if (each <= 0 || each > 80 || !(kernel->waves > 3) || share(view, GPU_LATENCY) < 0.4)
        return;
    struct finding *finding = add(
        view, "short-threads", gain_if(view, GPU_LATENCY, 0.5),
        "A thread lives for %.0f instructions: most of its life is starting, one load, and ending.", each);
    advise(finding,
           "Give a thread several elements, loads first and stores last, so that more bytes are in flight.");
}

static void rule_atomics(const struct view *view) {
    double atomics = counter(view, COUNTER_atomics), memory = memory_instructions(view);
    if (atomics < 0.02 * memory || atomics <= 0)
        return;
    char count[FORMAT_SIZE];
    struct finding *finding =
        known(view, COUNTER_inst_memory)
            ? add(view, "atomics", NAN, "%.0f %% of the memory instructions are atomics on global memory.",
                  100 * ratio(atomics, memory))
            : add(view, "atomics", NAN, "%s requests are atomics on global memory.",
                  format_count(count, (uint64_t)atomics));
    advise(finding,
           "Combine within a warp (shuffles) and a block (shared memory) first: one atomic a block.");
}

/* The limiter leads; then what would gain most; what has no estimate comes last, in the order of the rules. */
static int by_gain(const void *left, const void *right) {
    const struct finding *a = left, *b = right;
    bool first_a = strcmp(a->code, "limiter") == 0, first_b = strcmp(b->code, "limiter") == 0;
    if (first_a != first_b)
        return first_b - first_a;
    double gain_a = isfinite(a->gain) ? a->gain : -1, gain_b = isfinite(b->gain) ? b->gain : -1;
    if (gain_a != gain_b)
        return gain_a < gain_b ? 1 : -1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->code, b->code);
}

void findings_from_report(const struct kernel_report *kernel, const struct gpu_model *model,
                          struct findings *findings) {
    static void (*const rules[])(const struct view *) = {
        rule_limiter,      rule_coalescing,       rule_bank_conflicts, rule_reuse,         rule_narrow,
        rule_shared_width, rule_divergence,       rule_occupancy,      rule_spills,        rule_grid,
        rule_precision,    rule_integer_multiply, rule_overhead,       rule_short_threads, rule_atomics,
    };
    findings->count = 0;
    struct finding spare;
    struct view view = {kernel, model, findings, &spare};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        rules[i](&view);
    qsort(findings->items, findings->count, sizeof findings->items[0], by_gain);
}

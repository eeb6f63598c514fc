/* findings.c: the general rules, what all rules share, and the order of findings. */
#include "report/findings/findings_rules.h"
#include "report/writers/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST_GAIN = 0.02, SMALLEST_WITHOUT_CURE = 0.1; /* of the time */

bool view_share_known(const struct view *view, enum gpu_unit unit) {
    return isfinite(view->kernel->unit_share[unit]);
}

double view_share(const struct view *view, enum gpu_unit unit) {
    return view_share_known(view, unit) ? view->kernel->unit_share[unit] : 0;
}

bool view_knows(const struct view *view, enum counter counter) {
    return view->kernel->known[counter];
}

double view_counter(const struct view *view, enum counter index) {
    return view_knows(view, index) ? (double)counter_value(&view->kernel->counters, index) : 0;
}

double finding_ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

bool finding_fact_known(const struct kernel_line *line, enum line_fact fact) {
    return line->facts.known[fact];
}

double finding_fact(const struct kernel_line *line, enum line_fact index) {
    return line->facts.known[index] ? (double)line->facts.value[index] : 0;
}

uint32_t finding_block_threads(const struct kernel_report *kernel) {
    return kernel->block[0] * kernel->block[1] * kernel->block[2];
}

double finding_warps(const struct kernel_report *kernel) {
    uint32_t per_block = (finding_block_threads(kernel) + 31) / 32;
    return kernel->other_shapes ? (double)NAN
                                : (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2] * per_block *
                                      (double)kernel_launches(kernel);
}

const char *finding_array_name(const struct kernel_line *line, const char *otherwise) {
    /* "cudaMalloc #2" is no name that a reader of the program knows. */
    bool named = *line->facts.array != '\0' && strchr(line->facts.array, '#') == NULL;
    return named ? line->facts.array : otherwise;
}

const char *finding_of_array(const struct kernel_line *line, char words[ARRAY_WORDS]) {
    const char *name = finding_array_name(line, "");
    snprintf(words, ARRAY_WORDS, "%s%s", *name != '\0' ? " of " : "", name);
    return words;
}

const char *finding_bytes_words(double bytes, char words[BYTES_WORDS]) {
    snprintf(words, BYTES_WORDS, "%.0f byte%s", bytes, bytes >= 0.5 && bytes < 1.5 ? "" : "s");
    return words;
}

const struct kernel_line *view_busiest_line(const struct view *view, enum line_kind kind) {
    const struct kernel_line *most = NULL;
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind == kind && (most == NULL || line->requests > most->requests))
            most = line;
    }
    return most;
}

double view_requests(const struct view *view, enum line_kind kind) {
    double sum = 0;
    for (uint32_t i = 0; i < view->kernel->line_count; i++)
        sum += view->kernel->lines[i].kind == kind ? (double)view->kernel->lines[i].requests : 0;
    return sum;
}

double view_gain_if_left(const struct view *view, const double left[GPU_LAUNCH]) {
    double power = view->model != NULL ? view->model->overlap_power : 3;
    double before = 0, after = 0;
    bool any = false;
    for (int i = 0; i < GPU_LAUNCH; i++) {
        double busy = view_share(view, (enum gpu_unit)i);
        any |= left[i] < 1 && view_share_known(view, (enum gpu_unit)i);
        before += pow(busy, power);
        after += pow(busy * left[i], power);
    }
    return any && before > 0 ? 1 - pow(after / before, 1 / power) : NAN;
}

double view_gain_if_all(const struct view *view, uint32_t units, double left) {
    double each[GPU_LAUNCH];
    for (int i = 0; i < GPU_LAUNCH; i++)
        each[i] = units >> i & 1 ? left : 1;
    return view_gain_if_left(view, each);
}

double view_gain_of_sectors(const struct view *view, double loads, double stores) {
    double loaded = view_counter(view, COUNTER_global_load_sectors),
           stored = view_counter(view, COUNTER_global_store_sectors);
    double read = view_counter(view, COUNTER_l2_read_sectors),
           written = view_counter(view, COUNTER_l2_write_sectors);
    double left[GPU_LAUNCH];
    for (int i = 0; i < GPU_LAUNCH; i++)
        left[i] = 1;
    left[GPU_L1] = 1 - finding_ratio(loads + stores, loaded + stored);
    if (read + written > 0)
        left[GPU_L2] =
            finding_ratio(fmin(read, fmax(loaded - loads, 0)) + fmax(written - stores, 0), read + written);
    return view_gain_if_left(view, left);
}

double view_gain_if(const struct view *view, enum gpu_unit unit, double left) {
    return view_gain_if_all(view, 1u << unit, left);
}

static enum finding_severity severity_of(double gain) {
    return !(gain >= 0.05) ? FINDING_NOTE : gain >= 0.2 ? FINDING_MAJOR : FINDING_MINOR;
}

struct finding *finding_add(const struct view *view, enum finding_code code, double gain,
                            const struct kernel_line *line, const char *format, ...) {
    struct findings *all = view->findings;
    struct finding *item = all->count < FINDINGS_MAX ? &all->items[all->count++] : view->spare;
    *item = (struct finding){.code = code, .gain = gain};
    if (line != NULL) {
        item->file = line->file;
        item->line = line->line;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item->what, sizeof item->what, format, arguments);
    va_end(arguments);
    item->severity = severity_of(gain);
    return item;
}

void finding_say_more(struct finding *finding, const char *format, ...) {
    size_t used = strlen(finding->what);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->what + used, sizeof finding->what - used, format, arguments);
    va_end(arguments);
}

bool finding_tell_tried(const struct view *view, struct finding *finding) {
    const struct kernel_report *kernel = view->kernel;
    for (uint32_t i = 0; i < kernel->tried_count; i++) {
        const struct kernel_tried *tried = &kernel->tried[i];
        if (tried->why != finding->code)
            continue;
        if (finding->gain < SMALLEST_GAIN) /* the gain is another line's */
            return true;
        if (!tried->same)
            return true;
        double gain = kernel->time_us > 0 ? 1 - tried->time_us / kernel->time_us : 0;
        finding->gain = gain;
        finding->tried = true;
        finding->severity = severity_of(gain);
        finding_advise(
            finding,
            "Blocks of %ux%u: %.2f times as fast, tried on the simulator, and the result is the same.",
            tried->block[0], tried->block[1], kernel->time_us / fmax(tried->time_us, 1e-9));
        return true;
    }
    return false;
}

void finding_advise(struct finding *finding, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, arguments);
    va_end(arguments);
}

/* The most registers a thread may have with `blocks` blocks on an SM. 0: so many never fit. */
static uint32_t registers_that_fit(const struct view *view, uint32_t blocks) {
    const struct kernel_report *kernel = view->kernel;
    uint32_t step = view->model->register_granularity / 32, threads = finding_block_threads(kernel), most = 0;
    for (uint32_t more = step; step > 0 && more <= view->model->max_registers_per_thread; more += step)
        if (gpu_occupancy(view->model, threads, more, kernel->shared_bytes).blocks_per_sm >= blocks)
            most = more;
    return most;
}

static struct gpu_occupancy occupancy_of(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    return gpu_occupancy(view->model, finding_block_threads(kernel), kernel->registers, kernel->shared_bytes);
}

/* Whether the kernel could do with so many: three quarters, or as many as hold a few results. Else
 * it would spill. */
static bool does_with(const struct view *view, uint32_t registers) {
    enum { SEVERAL_RESULTS = 64 };
    return registers >= SEVERAL_RESULTS || 4 * registers >= 3 * view->kernel->registers;
}

bool view_more_warps_fit(const struct view *view) {
    if (view->model == NULL || view->kernel->registers == 0)
        return true; /* as far as is known */
    struct gpu_occupancy fit = occupancy_of(view);
    return fit.limit != GPU_LIMIT_REGISTERS ||
           does_with(view, registers_that_fit(view, fit.blocks_per_sm + 1));
}

/* Advice where registers limit the blocks of an SM. Too few registers were taken if a quarter more is free. */
static void advise_registers(char *advice, size_t size, const struct view *view, uint32_t blocks) {
    uint32_t free = blocks > 0 ? registers_that_fit(view, blocks) : 0,
             fewer = registers_that_fit(view, blocks + 1), threads = finding_block_threads(view->kernel);
    if (4 * free >= 5 * view->kernel->registers)
        snprintf(advice, size,
                 "A thread may have %u registers with as many blocks: __launch_bounds__(%u, %u) lets the "
                 "compiler have more loads under way. Or smaller blocks, of which more fit.",
                 free, threads, blocks);
    else if (does_with(view, fewer))
        snprintf(advice, size,
                 "Fewer registers a thread: one block more fits with %u. __launch_bounds__(%u, %u), less "
                 "unrolling, values computed when needed.",
                 fewer, threads, blocks + 1);
    else
        snprintf(
            advice, size,
            "Not fewer registers: for one block more a thread could have %u, and would spill. More loads "
            "under way in each thread: wide loads, or several loads before the first is used.",
            fewer);
}

/* The largest share of the units up to `last`. */
static double busiest_share(const struct view *view, enum gpu_unit last) {
    double most = 0;
    for (int unit = 0; unit <= (int)last; unit++)
        most = fmax(most, view_share(view, (enum gpu_unit)unit));
    return most;
}

static void rule_occupancy(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double theoretical = kernel->occupancy_theoretical;
    if (!isfinite(theoretical) || theoretical > 0.7)
        return;
    /* A grid that does not fill the GPU once, or a very short kernel, gains nothing from more
     * room. */
    if (kernel->waves < 1 || view_share(view, GPU_LAUNCH) >= 0.5)
        return;
    const char *limit = "its resources", *advice = "Compare block sizes with `make occupancy`.";
    char registers[256];
    if (view->model != NULL && kernel->registers > 0) { /* every kernel has registers: 0 is unknown */
        struct gpu_occupancy fit = occupancy_of(view);
        limit = gpu_limit_name(fit.limit);
        if (fit.limit == GPU_LIMIT_REGISTERS) {
            advise_registers(registers, sizeof registers, view, fit.blocks_per_sm);
            advice = registers;
        } else if (fit.limit == GPU_LIMIT_SHARED)
            advice = "Less shared memory a block: a smaller tile, a narrower type.";
        else if (fit.limit == GPU_LIMIT_BLOCKS)
            advice = "Larger blocks: an SM holds only so many, however small.";
        else
            advice = "A block size that divides the SM's warps.";
    }
    /* More warps help only where waiting takes the time. If a unit is busier than warps wait,
     * latency is hidden and the registers are well spent. */
    double busiest = busiest_share(view, GPU_SHARED);
    bool covered = busiest >= 0.7 && busiest > view_share(view, GPU_LATENCY);
    struct finding *finding =
        finding_add(view, CODE_OCCUPANCY, covered ? NAN : view_gain_if(view, GPU_LATENCY, theoretical), NULL,
                    "Occupancy is %.0f %% at most", 100 * theoretical);
    if (kernel->registers > 0)
        finding_say_more(finding, ", limited by %s (%u registers a thread, %u B shared a block)", limit,
                         kernel->registers, kernel->shared_bytes);
    finding_say_more(finding, "%s",
                     covered ? "; that is no fault here: the warps that are there keep the SM busy." : ".");
    if (!covered)
        finding_advise(finding, "%s", advice);
}

static void rule_grid(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double blocks = (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    if (view->model != NULL && blocks > 0 && blocks < view->model->sm_count &&
        view_share(view, GPU_LAUNCH) < 0.5) {
        struct finding *finding = finding_add(view, CODE_SMALL_GRID, 1 - blocks / view->model->sm_count, NULL,
                                              "%.0f blocks for %u SMs: the others have nothing to do.",
                                              blocks, view->model->sm_count);
        finding_advise(finding, "More, smaller blocks; or fewer elements a thread.");
    } else if (isfinite(kernel->tail) && kernel->tail > 0.1 && kernel->waves > 1) {
        static const double worth_advice = 0.1;             /* of the time: smaller blocks have a cost, too */
        double last = kernel->waves - floor(kernel->waves); /* occupied share of the last wave */
        struct finding *finding = finding_add(
            view, CODE_TAIL, kernel->tail * (1 - last), NULL,
            "The grid is %.1f waves of blocks: in the last one %.0f %% of the places for blocks are empty.",
            kernel->waves, 100 * (1 - last));
        if (!finding_tell_tried(view, finding) && finding->gain >= worth_advice)
            finding_advise(finding,
                           "Smaller blocks, or a number of blocks that fills whole waves (loop over the grid "
                           "inside the kernel).");
    }
}

/* With enough bytes in flight the busiest unit is as full as a copy's. */
static void rule_short_threads(const struct view *view) {
    const double full = 0.9;
    const struct kernel_report *kernel = view->kernel;
    double warps = finding_warps(kernel);
    double each = finding_ratio(view_counter(view, COUNTER_warp_instructions), warps);
    double loads = finding_ratio(view_counter(view, COUNTER_global_load_requests), warps);
    if (!(each > 0) || each > 80 || loads > 4 || !(kernel->waves > 3) || view_share(view, GPU_LATENCY) < 0.4)
        return;
    struct finding *finding =
        finding_add(view, CODE_SHORT_THREADS, 1 - busiest_share(view, GPU_DRAM) / full, NULL,
                    "A thread lives for %.0f instructions, loads among them %.0f: most of its life is "
                    "starting, waiting for memory, and ending.",
                    each, loads);
    finding_advise(
        finding,
        "Give a thread several elements, loads first and stores last, so that more bytes are in flight.");
}

/* What is lifted in the time without the fault; GPU_LIFT_COUNT: nothing that is timed, or, as with code, more than that. */
static enum gpu_lift lift_of(enum finding_code code) {
    switch (code) {
    case CODE_BANK_CONFLICTS: return GPU_LIFT_CONFLICTS;
    case CODE_CHUNKS:
    case CODE_COALESCING:
    case CODE_GROUPED:
    case CODE_MISALIGNED:
    case CODE_NARROW_BLOCK:
    case CODE_SCATTERED:
    case CODE_STRIDED:
    case CODE_STRUCTURES:
    case CODE_TRANSPOSED: return GPU_LIFT_SECTORS;
    case CODE_BARRIERS: return GPU_LIFT_BARRIERS;
    case CODE_TAIL: return GPU_LIFT_TAIL;
    default: return GPU_LIFT_COUNT;
    }
}

/* Where the kernel was timed without a fault at its line, the gain is that. Where it was timed without the fault anywhere, no
 * line gains more. */
static void take_what_ifs(const struct kernel_report *kernel, struct findings *findings) {
    for (uint32_t i = 0; i < findings->count; i++) {
        struct finding *item = &findings->items[i];
        for (uint32_t k = 0; k < kernel->what_ifs.count; k++) { /* those of the whole kernel first */
            const struct kernel_what_if *timed = &kernel->what_ifs.items[k];
            double gain = 1 - 1 / timed->factor;
            bool same =
                timed->line == item->line && (item->line == 0 || strcmp(timed->file, item->file) == 0);
            if (timed->lift != lift_of(item->code) || item->tried || (!same && timed->line != 0))
                continue;
            item->gain = same || item->gain > gain ? gain : item->gain;
            item->severity = severity_of(item->gain);
        }
    }
}

/* Drops findings with next to no gain, and those with little gain and no advice. A finding without
 * an estimate stays. */
static void drop_small(struct findings *findings) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *item = &findings->items[i];
        if (!(item->gain < (*item->advice == '\0' ? SMALLEST_WITHOUT_CURE : SMALLEST_GAIN)))
            findings->items[kept++] = *item;
    }
    findings->count = kept;
}

/* Findings that make the time itself wrong come first, then the limiter. */
static int rank_of(const struct finding *finding) {
    return finding->code <= CODE_LIMITER ? (int)finding->code : (int)CODE_LIMITER + 1;
}

/* Leading findings first, then by gain; those without an estimate last, by code. */
static int by_gain(const void *left, const void *right) {
    const struct finding *a = left, *b = right;
    if (rank_of(a) != rank_of(b))
        return rank_of(a) - rank_of(b);
    double gain_a = isfinite(a->gain) ? a->gain : -1, gain_b = isfinite(b->gain) ? b->gain : -1;
    if (gain_a != gain_b)
        return gain_a < gain_b ? 1 : -1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (int)a->code - (int)b->code;
}

void findings_from_report(const struct kernel_report *kernel, const struct gpu_model *model,
                          struct findings *findings) {
    static void (*const rules[])(const struct view *) = {
        rule_spills,   rule_limiter,           rule_coalescing,     rule_misaligned,   rule_reuse,
        rule_narrow,   rule_constant,          rule_bank_conflicts, rule_shared_reuse, rule_private_shared,
        rule_barriers, rule_divergence,        rule_occupancy,      rule_local_memory, rule_grid,
        rule_double,   rule_special,           rule_division,       rule_overhead,     rule_short_threads,
        rule_atomics,  rule_instruction_cache, rule_wide_integers,
    };
    findings->count = 0;
    struct finding spare;
    struct view view = {kernel, model, findings, &spare};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        rules[i](&view);
    take_what_ifs(kernel, findings);
    drop_small(findings);
    qsort(findings->items, findings->count, sizeof findings->items[0], by_gain);
}

/* The shape to try: narrow-block: as many threads with a whole warp in x; tail: half as many. */
static bool shape_for(const struct kernel_report *kernel, enum finding_code code,
                      struct kernel_tried *shape) {
    uint32_t x = kernel->block[0], y = kernel->block[1], threads = finding_block_threads(kernel);
    *shape = (struct kernel_tried){.why = code, .block[2] = 1, .time_us = NAN};
    if (code == CODE_NARROW_BLOCK && threads % 32 == 0) {
        shape->block[0] = 32;
        shape->block[1] = threads / 32;
    } else if (code == CODE_TAIL && threads >= 64 && threads % 64 == 0) {
        shape->block[0] = y % 2 == 0 ? x : x / 2;
        shape->block[1] = y % 2 == 0 ? y / 2 : y;
    } else {
        return false;
    }
    return kernel->block[2] == 1 && shape->block[0] * shape->block[1] <= 1024;
}

bool report_add_findings(struct report *report, const struct gpu_model *model) {
    for (uint32_t r = 0; r < report->run_count; r++)
        for (uint32_t k = 0; k < report->runs[r].kernel_count; k++) {
            struct kernel_report *kernel = &report->runs[r].kernels[k];
            free(kernel->findings);
            kernel->findings = malloc(sizeof *kernel->findings);
            if (kernel->findings == NULL)
                return false;
            findings_from_report(kernel, model, kernel->findings);
        }
    return true;
}

uint32_t findings_shapes(const struct kernel_report *kernel, const struct gpu_model *model,
                         struct kernel_tried shapes[KERNEL_TRIED]) {
    struct findings findings;
    uint32_t count = 0;
    findings_from_report(kernel, model, &findings);
    for (uint32_t i = 0; i < findings.count && count < KERNEL_TRIED; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= findings.items[k].code == findings.items[i].code;
        if (!again && shape_for(kernel, findings.items[i].code, &shapes[count]))
            count++;
    }
    return count;
}

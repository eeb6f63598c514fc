/* findings_global.c: how the threads of a warp access global memory: sectors, boundaries, widths;
 * constants, atomics. */
#include "report/findings/findings_rules.h"
#include "report/writers/format.h"

#include <math.h>
#include <string.h>

enum { WARP = 32, SECTOR = 32, LARGEST_STRUCT = 128 };

static double all_sectors(const struct view *view) {
    return view_counter(view, COUNTER_global_load_sectors) + view_counter(view, COUNTER_global_store_sectors);
}

/* ---- coalescing: a finding with its advice for each layout of threads */

struct layout {
    const struct kernel_line *line;
    char of[ARRAY_WORDS];
    double bytes, stride, step, next_y;
    bool steps; /* step is known */
};

/* Whether a group is the threads of a warp with one threadIdx.y, as in a narrow block. */
static bool is_narrow_block(const struct kernel_report *kernel, const struct kernel_line *line) {
    return line->facts.lanes == LANES_GROUPS && finding_fact(line, FACT_group) == kernel->block[0] &&
           kernel->block[0] < WARP && finding_fact(line, FACT_stride) <= finding_fact(line, FACT_bytes);
}

static void narrow_block(const struct view *view, const struct layout *at, double gain) {
    const uint32_t *block = view->kernel->block;
    char apart[BYTES_WORDS];
    struct finding *finding =
        finding_add(view, CODE_NARROW_BLOCK, gain, at->line,
                    "The block is %u threads wide, so a warp's accesses%s lie in %u groups of %u, %s apart",
                    block[0], at->of, WARP / block[0], block[0],
                    finding_bytes_words(fabs(finding_fact(at->line, FACT_jump)), apart));
    uint32_t threads = finding_block_threads(view->kernel), taller = threads / WARP;
    bool tried = finding_tell_tried(view, finding);
    if (tried && (*finding->advice != '\0' || finding->gain < 0.02))
        return;
    if (tried) /* the result was wrong */
        finding_advise(
            finding,
            "Make the block 32 threads wide: %ux%u has as many threads. That alone is not right: the kernel "
            "counts on %ux%u elsewhere, too.",
            WARP, taller, block[0], block[1]);
    else if (threads % WARP == 0)
        finding_advise(finding, "Make the block 32 threads wide: %ux%u has as many threads.", WARP, taller);
    else
        finding_advise(finding, "Make the block 32 threads wide, or a multiple of that.");
}

/* Whether other accesses with the same stride take other bytes, as members of a struct. */
static bool has_sisters(const struct view *view, const struct layout *at) {
    double members = 0;
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind == at->line->kind && line->facts.lanes == LANES_STRIDE &&
            finding_fact(line, FACT_stride) == at->stride && *line->facts.array != '\0' &&
            strcmp(line->facts.array, at->line->facts.array) == 0)
            members += fmax(finding_fact(line, FACT_instructions), 1) * finding_fact(line, FACT_bytes);
    }
    return members > at->bytes;
}

/* Whether threads adjacent in threadIdx.y, not in threadIdx.x, are adjacent in memory. */
static bool is_transposed(const struct kernel_report *kernel, const struct kernel_line *line) {
    double bytes = finding_fact(line, FACT_bytes), next = fabs(finding_fact(line, FACT_next_y)),
           jump = fabs(finding_fact(line, FACT_jump));
    /* In a block narrower than a warp the next group is the next threadIdx.y. */
    if (line->facts.lanes == LANES_GROUPS)
        return finding_fact(line, FACT_group) == kernel->block[0] && kernel->block[0] < WARP &&
               fabs(finding_fact(line, FACT_stride)) > bytes && jump > 0 && jump <= bytes;
    return line->facts.lanes == LANES_STRIDE && fabs(finding_fact(line, FACT_stride)) > bytes && next > 0 &&
           next <= bytes;
}

static const struct kernel_line *transposed_line(const struct view *view) {
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if ((line->kind == LINE_GLOBAL_LOAD || line->kind == LINE_GLOBAL_STORE) &&
            is_transposed(view->kernel, line))
            return line;
    }
    return NULL;
}

/* The line of the kernel's other global accesses, as many, whose threads next in threadIdx.x are adjacent and those next in
 * threadIdx.y are not: swapped threads would exchange the two lines. NULL: there is none. */
static const struct kernel_line *opposite_line(const struct view *view, const struct kernel_line *line) {
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *other = &view->kernel->lines[i];
        double bytes = finding_fact(other, FACT_bytes);
        if ((other->kind == LINE_GLOBAL_LOAD || other->kind == LINE_GLOBAL_STORE) &&
            other->kind != line->kind && 2 * other->requests >= line->requests &&
            other->facts.lanes == LANES_STRIDE && fabs(finding_fact(other, FACT_stride)) == bytes &&
            finding_fact_known(other, FACT_next_y) && fabs(finding_fact(other, FACT_next_y)) > bytes)
            return other;
    }
    return NULL;
}

static void strided(const struct view *view, const struct layout *at, double gain) {
    double size = fabs(at->stride);
    /* In an unrolled loop the copies together make the step. */
    double copies = fmax(finding_fact(at->line, FACT_instructions), 1);
    bool walks = at->steps && size >= 2 * at->bytes &&
                 (fabs(at->step) == at->bytes || fabs(at->step) == copies * at->bytes);
    struct finding *finding;
    char words[BYTES_WORDS];
    if (is_transposed(view->kernel, at->line)) {
        double next = at->line->facts.lanes == LANES_GROUPS ? finding_fact(at->line, FACT_jump) : at->next_y;
        finding =
            finding_add(view, CODE_TRANSPOSED, gain, at->line,
                        "Threads next in threadIdx.x are %.0f bytes apart in %s, threads next in threadIdx.y "
                        "%.0f",
                        size, finding_array_name(at->line, "memory"), fabs(next));
        const struct kernel_line *opposite = opposite_line(view, at->line);
        if (opposite != NULL)
            finding_advise(
                finding,
                "Swapped, threadIdx.x and threadIdx.y would move this to line %u. With a tile in shared memory "
                "both lines can count along what lies side by side.",
                opposite->line);
        else
            finding_advise(finding,
                           "Swap threadIdx.x and threadIdx.y: let threadIdx.x count along what is %s apart.",
                           finding_bytes_words(fabs(next), words));
    } else if (walks) {
        finding =
            finding_add(view, CODE_CHUNKS, gain, at->line,
                        "Each thread walks along %s, %s at a time, while its neighbour is %.0f bytes away",
                        finding_array_name(at->line, "memory"), finding_bytes_words(at->bytes, words), size);
        const struct kernel_line *sideways = transposed_line(view);
        if (sideways != NULL)
            finding_advise(
                finding,
                "Swap threadIdx.x and threadIdx.y: at line %u threads next in threadIdx.y lie side by side, where "
                "the threads of a warp should.",
                sideways->line);
        else
            finding_advise(
                finding,
                "Let threadIdx.x count the elements that lie side by side, and the loop take the long step: in "
                "one access the threads of a warp should touch neighbours.");
    } else if (size <= LARGEST_STRUCT && has_sisters(view, at)) {
        finding = finding_add(
            view, CODE_STRUCTURES, gain, at->line,
            "Neighbouring threads are %.0f bytes apart%s and take %s each, as in an array of structures",
            size, at->of, finding_bytes_words(at->bytes, words));
        finding_advise(
            finding, "%s",
            size == 8 || size == 16
                ? "Keep each member in an array of its own; or, where a thread needs all of it, take the "
                  "structure with one wide load (float2, float4)."
                : "Keep each member in an array of its own, so that neighbours lie side by side.");
    } else {
        finding =
            finding_add(view, CODE_STRIDED, gain, at->line, "Neighbouring threads are %.0f bytes apart in %s",
                        size, finding_array_name(at->line, "memory"));
        finding_advise(finding,
                       "Let threadIdx.x count along what lies side by side in %s, %s from one to the next.",
                       finding_array_name(at->line, "memory"), finding_bytes_words(at->bytes, words));
    }
}

static void uncoalesced_line(const struct view *view, const struct kernel_line *line, bool store) {
    double each = finding_ratio((double)line->transactions, (double)line->requests),
           ideal = finding_ratio((double)line->ideal, (double)line->requests);
    double wasted = (double)(line->transactions - line->ideal);
    double gain = view_gain_of_sectors(view, store ? 0 : wasted, store ? wasted : 0);
    uint32_t before = view->findings->count;
    struct layout at = {.line = line,
                        .bytes = finding_fact(line, FACT_bytes),
                        .stride = finding_fact(line, FACT_stride),
                        .step = finding_fact(line, FACT_step),
                        .next_y = finding_fact(line, FACT_next_y),
                        .steps = finding_fact_known(line, FACT_step)};
    finding_of_array(line, at.of);
    if (is_narrow_block(view->kernel, line)) {
        narrow_block(view, &at, gain);
    } else if ((line->facts.lanes == LANES_STRIDE && fabs(at.stride) > at.bytes) ||
               is_transposed(view->kernel, line)) {
        strided(view, &at, gain);
    } else if (line->facts.lanes == LANES_GROUPS) {
        char within[BYTES_WORDS], between[BYTES_WORDS];
        struct finding *finding = finding_add(
            view, CODE_GROUPED, gain, line,
            "A warp's accesses%s lie in groups of %.0f threads: neighbours in a group are %s apart, the groups %s",
            at.of, finding_fact(line, FACT_group), finding_bytes_words(fabs(at.stride), within),
            finding_bytes_words(fabs(finding_fact(line, FACT_jump)), between));
        finding_advise(finding, "Let all 32 threads of a warp take what lies side by side in %s.",
                       finding_array_name(line, "memory"));
    } else if (line->facts.lanes == LANES_SCATTERED) {
        struct finding *finding =
            finding_add(view, CODE_SCATTERED, gain, line,
                        "Neighbouring threads touch places of %s with no fixed distance",
                        finding_array_name(line, "memory"));
        finding_advise(
            finding,
            "Where the index is computed, let it follow threadIdx.x; where it is data, order the work "
            "so that neighbouring threads have near indices.");
    } else {
        struct finding *finding =
            finding_add(view, CODE_COALESCING, gain, line, "The threads of a warp lie far apart%s", at.of);
        finding_advise(finding, "Let neighbouring threads of a warp touch neighbouring bytes.");
    }
    if (view->findings->count > before)
        finding_say_more(&view->findings->items[before],
                         ": each %s touches %.1f sectors of 32 bytes; its bytes would fit in %.1f.",
                         store ? "store" : "load", each, ideal);
}

void rule_coalescing(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    bool by_line = false;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        bool store = line->kind == LINE_GLOBAL_STORE;
        if (!store && line->kind != LINE_GLOBAL_LOAD)
            continue;
        by_line = true;
        bool wide = (double)line->transactions > 2.05 * (double)line->ideal;
        if (wide && finding_ratio((double)(line->transactions - line->ideal), all_sectors(view)) > 0.01)
            uncoalesced_line(view, line, store);
    }
    if (by_line || !view_knows(view, COUNTER_global_load_sectors) ||
        !view_knows(view, COUNTER_global_load_requests))
        return;
    double requests = view_counter(view, COUNTER_global_load_requests),
           sectors = view_counter(view, COUNTER_global_load_sectors);
    double ideal = requests;
    if (view_knows(view, COUNTER_global_load_bytes))
        ideal = fmax(requests, view_counter(view, COUNTER_global_load_bytes) / SECTOR);
    /* Without the count of bytes, only more than any plain load needs (16 sectors) is waste. */
    double allowed = view_knows(view, COUNTER_global_load_bytes) ? 2.05 * ideal : 16.5 * ideal;
    if (requests > 0 && sectors > allowed) {
        struct finding *finding = finding_add(
            view, CODE_COALESCING, view_gain_if(view, GPU_L1, ideal / sectors), NULL,
            "Load requests of a warp touch %.1f sectors of 32 bytes on average; their bytes would fit in %.1f.",
            sectors / requests, ideal / requests);
        finding_advise(finding, "Let neighbouring threads of a warp touch neighbouring bytes.");
    }
}

/* Neighbouring threads access neighbouring elements, but no warp starts at the start of a sector,
 * so each accesses one more sector. An array that some line reads from a sector's start, as a
 * moving window does, is left alone. */
void rule_misaligned(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        bool access = line->kind == LINE_GLOBAL_LOAD || line->kind == LINE_GLOBAL_STORE;
        if (!access || line->facts.lanes != LANES_STRIDE || !finding_fact_known(line, FACT_unaligned) ||
            finding_fact(line, FACT_stride) != finding_fact(line, FACT_bytes))
            continue;
        bool always = finding_fact(line, FACT_unaligned) >= 70 &&
                      (double)line->transactions > 1.1 * (double)line->ideal;
        for (uint32_t k = 0; always && k < kernel->line_count; k++) {
            const struct kernel_line *other = &kernel->lines[k];
            if (other != line && other->kind == line->kind && finding_fact_known(other, FACT_unaligned) &&
                strcmp(other->facts.array, line->facts.array) == 0)
                always = finding_fact(other, FACT_unaligned) >= 70;
        }
        if (!always)
            continue;
        double wasted = (double)(line->transactions - line->ideal);
        bool store = line->kind == LINE_GLOBAL_STORE;
        char of[ARRAY_WORDS];
        struct finding *finding = finding_add(
            view, CODE_MISALIGNED, view_gain_of_sectors(view, store ? 0 : wasted, store ? wasted : 0), line,
            "A warp's %.0f neighbouring bytes%s %s start at a multiple of 32: each %s touches %.1f sectors of 32 "
            "bytes; %.1f would do.",
            WARP * finding_fact(line, FACT_bytes), finding_of_array(line, of),
            finding_fact(line, FACT_unaligned) >= 100 ? "do not" : "seldom", store ? "store" : "load",
            finding_ratio((double)line->transactions, (double)line->requests),
            finding_ratio((double)line->ideal, (double)line->requests));
        finding_advise(
            finding,
            "Start each warp at a multiple of 32 bytes: by another offset, or, where the length of a row is yours to "
            "choose, by a multiple of 32 bytes (cudaMallocPitch).");
    }
}

void rule_narrow(const struct view *view) {
    double requests = view_counter(view, COUNTER_global_load_requests),
           bytes = view_counter(view, COUNTER_global_load_bytes);
    double shared = view_counter(view, COUNTER_shared_load_requests);
    double memory = fmax(view_share(view, GPU_L1) + view_share(view, GPU_SHARED), view_share(view, GPU_LSU));
    if (requests <= 0 || bytes <= 0 || fmax(memory, view_share(view, GPU_DRAM)) < 0.4 ||
        requests < shared / 4)
        return;
    double each = bytes / requests;
    if (each > 64)
        return;
    /* If the threads of the busiest line are not adjacent, a wide load does not help. */
    const struct kernel_line *line = view_busiest_line(view, LINE_GLOBAL_LOAD);
    if (line != NULL && line->facts.lanes != LANES_UNKNOWN &&
        (line->facts.lanes != LANES_STRIDE ||
         finding_fact(line, FACT_stride) != finding_fact(line, FACT_bytes)))
        return;
    char of[ARRAY_WORDS] = "";
    struct finding *finding = finding_add(view, CODE_NARROW_LOADS, NAN, line,
                                          "A load%s brings a warp %.0f bytes; one load can bring 512.",
                                          line != NULL ? finding_of_array(line, of) : "", each);
    if (line != NULL && finding_fact(line, FACT_bytes) == 1)
        finding_advise(
            finding,
            "Let a thread take four or sixteen neighbouring bytes with one load (uchar4, uint4), from a multiple of as "
            "many on.");
    else
        finding_advise(
            finding,
            "Let a thread take several neighbouring elements with one wide load (uchar4, float4), from a multiple of its width on.");
}

void rule_constant(const struct view *view) {
    const struct kernel_line *line = view_busiest_line(view, LINE_CONSTANT_LOAD);
    if (line == NULL || line->requests < 0.02 * view_counter(view, COUNTER_warp_instructions) ||
        (double)line->transactions < 1.5 * (double)line->requests)
        return;
    struct finding *finding = finding_add(
        view, CODE_CONSTANT_DIVERGENT, NAN, line,
        "The threads of a warp read %.1f different words of %s in constant memory; its cache serves one at a "
        "time.",
        finding_ratio((double)line->transactions, (double)line->requests),
        finding_array_name(line, "an array"));
    finding_advise(
        finding,
        "Constant memory is for what all threads of a warp read alike: keep a table that is indexed by "
        "thread in shared or global memory.");
}

void rule_atomics(const struct view *view) {
    double memory = view_knows(view, COUNTER_inst_memory)
                        ? view_counter(view, COUNTER_inst_memory)
                        : view_counter(view, COUNTER_global_load_requests) +
                              view_counter(view, COUNTER_global_store_requests) +
                              view_counter(view, COUNTER_shared_load_requests) +
                              view_counter(view, COUNTER_shared_store_requests) +
                              view_counter(view, COUNTER_local_load_requests) +
                              view_counter(view, COUNTER_local_store_requests) +
                              view_counter(view, COUNTER_atomics);
    double atomics = view_counter(view, COUNTER_atomics);
    if (atomics < 0.02 * memory || atomics <= 0)
        return;
    const struct kernel_line *line = view_busiest_line(view, LINE_ATOMIC);
    if (line != NULL && finding_fact_known(line, FACT_apart) && line->requests > 0) {
        double threads = (double)line->threads / (double)line->requests,
               places = finding_fact(line, FACT_apart) / 100;
        if (threads > 1.5 * places) {
            char of[ARRAY_WORDS];
            struct finding *finding = finding_add(
                view, CODE_ATOMICS_ONE_ADDRESS, NAN, line,
                "Each atomic's %.0f threads of a warp meet in %s%s and wait for each other.", threads,
                places < 1.05 ? "one place"
                : places < 4  ? "a few places"
                              : "fewer places than threads",
                finding_of_array(line, of));
            finding_advise(
                finding,
                "Combine within the warp (shuffles) and the block (shared memory) first: then one atomic "
                "a block is left.");
            return;
        }
        if (threads < 2) /* the warp's values are combined already */
            return;
    }
    char count[FORMAT_SIZE];
    struct finding *finding =
        view_knows(view, COUNTER_inst_memory)
            ? finding_add(view, CODE_ATOMICS, NAN, line,
                          "%.0f %% of the memory instructions are atomics on global memory.",
                          100 * finding_ratio(atomics, memory))
            : finding_add(view, CODE_ATOMICS, NAN, line, "%s requests are atomics on global memory.",
                          format_count(count, (uint64_t)atomics));
    finding_advise(
        finding,
        line != NULL && finding_fact_known(line, FACT_apart)
            ? "Each thread has a place of its own there at a time: gather in shared memory first, and add "
              "the block's result at its end."
            : "Combine within a warp (shuffles) and a block (shared memory) first: one atomic a block.");
}

/* findings_shared.c: shared memory: banks, what is there for nothing, and the barriers that come with it. */
#include "analysis/findings_rules.h"

#include <math.h>
#include <string.h>

/* ---- bank conflicts. Longer rows are advised only where they were tried on the very addresses. */

static void cure_of_banks(const struct kernel_line *line, struct finding *finding) {
    char of[ARRAY_WORDS];
    const char *name = array_name(line, "the array");
    double row = fact(line, FACT_row), pad = fact(line, FACT_pad), stride = fabs(fact(line, FACT_stride));
    if (fact_known(line, FACT_padded_passes) && row > 0) {
        advise(
            finding,
            "Make the rows of %s %.0f bytes longer (%.0f, not %.0f): the %.0f passes of the accesses looked at "
            "become %.0f, and every access stays aligned.",
            name, pad, row + pad, row, fact(line, FACT_passes), fact(line, FACT_padded_passes));
    } else if (line->facts.lanes == LANES_STRIDE && fact(line, FACT_bytes) == 4 && stride >= 8 &&
               stride <= 32) {
        advise(finding,
               "Let neighbouring threads take neighbouring words%s: i and i + 32, not %.0f i and %.0f i + 1.",
               of_array(line, of), stride / 4, stride / 4);
    } else {
        advise(finding,
               "Change which thread takes which element of %s, so that neighbouring threads take "
               "neighbouring words.",
               name);
    }
}

static void conflicting_line(const struct view *view, const struct kernel_line *line, double gain) {
    char of[ARRAY_WORDS];
    double each = ratio((double)line->transactions, (double)line->requests),
           ideal = ratio((double)line->ideal, (double)line->requests);
    struct finding *finding =
        add(view, "bank-conflicts", gain, line,
            "Each %s%s takes %.1f passes over the banks; "
            "%.1f would do",
            line->kind == LINE_SHARED_STORE ? "store" : "load", of_array(line, of), each, ideal);
    double stride = fabs(fact(line, FACT_stride)), jump = fabs(fact(line, FACT_jump));
    char apart[BYTES_WORDS];
    if (line->facts.lanes == LANES_STRIDE && stride > fact(line, FACT_bytes))
        say_more(finding, ": neighbouring threads are %.0f bytes apart, so that they meet in the same banks.",
                 stride);
    else if (line->facts.lanes == LANES_GROUPS && jump > 0)
        say_more(finding, ": groups of %.0f threads are %s apart and meet in the same banks.",
                 fact(line, FACT_group), bytes_words(jump, apart));
    else
        say_more(finding, ": threads of a warp meet in the same bank.");
    cure_of_banks(line, finding);
}

void rule_bank_conflicts(const struct view *view) {
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
        if ((double)line->transactions > 1.2 * (double)line->ideal && ratio(excess, all) > 0.02)
            conflicting_line(view, line, gain_if(view, GPU_SHARED, 1 - ratio(excess, all)));
    }
    double conflicts = counter(view, COUNTER_shared_bank_conflicts);
    if (!by_line && ratio(conflicts, all) > 0.05) {
        struct finding *finding =
            add(view, "bank-conflicts", gain_if(view, GPU_SHARED, 1 - ratio(conflicts, all)), NULL,
                "%.0f %% of the passes over the shared-memory banks come from conflicts.",
                100 * ratio(conflicts, all));
        advise(finding,
               "Change which thread takes which element, or the length of the shared array's rows: in one "
               "access neighbouring threads should find different banks.");
    }
}

void rule_shared_reuse(const struct view *view) {
    double requests = counter(view, COUNTER_shared_load_requests),
           wavefronts = counter(view, COUNTER_shared_load_wavefronts);
    if (requests <= 0 || !known(view, COUNTER_shared_load_wavefronts) || share(view, GPU_SHARED) < 0.4 ||
        wavefronts > 1.5 * requests)
        return;
    const struct kernel_line *line = busiest_line(view, LINE_SHARED_LOAD);
    char of[ARRAY_WORDS] = "";
    struct finding *finding =
        add(view, "shared-reuse", gain_if(view, GPU_SHARED, 0.5), line,
            "The shared-memory banks are busy %.0f %% of the time, with one word a thread and load%s.",
            100 * share(view, GPU_SHARED), line != NULL ? of_array(line, of) : "");
    advise(finding,
           "Compute several results a thread: a value once in a register serves all of them; or take float2 "
           "or float4, where a thread's words lie side by side.");
}

/* An array that every thread reads only where it wrote: registers do the same. */
void rule_private_shared(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        bool own = line->kind == LINE_SHARED_LOAD && fact_known(line, FACT_own) && *line->facts.array != '\0';
        for (uint32_t k = 0; own && k < kernel->line_count; k++) {
            const struct kernel_line *other = &kernel->lines[k];
            bool on_it = strcmp(other->facts.array, line->facts.array) == 0;
            if (other->kind == LINE_SHARED_LOAD) /* the first of the array's lines tells */
                own = *other->facts.array != '\0' && (!on_it || (k >= i && fact(other, FACT_own) == 100));
            else if (other->kind == LINE_ATOMIC)
                own = !on_it;
        }
        if (!own)
            continue;
        double accesses =
            counter(view, COUNTER_shared_load_wavefronts) + counter(view, COUNTER_shared_store_wavefronts);
        struct finding *finding =
            add(view, "private-shared",
                gain_if(view, GPU_SHARED, 1 - ratio((double)line->transactions, accesses)), line,
                "Each thread reads only those elements of %s that it wrote itself.",
                array_name(line, "this array"));
        advise(finding,
               "Keep them in registers: shared memory and its barriers are for what other threads need.");
    }
}

void rule_barriers(const struct view *view) {
    const struct kernel_line *line = busiest_line(view, LINE_BARRIER);
    double barriers = requests_of(view, LINE_BARRIER), all = counter(view, COUNTER_warp_instructions);
    if (line == NULL || block_threads(view->kernel) <= 32 || all <= 0 || barriers < all / 16)
        return;
    struct finding *finding =
        add(view, "barriers", NAN, line, "A warp waits at a barrier after every %.0f instructions.",
            all / barriers - 1);
    advise(finding,
           "More work between barriers: several elements a thread; and where only the threads of one warp "
           "exchange data, __syncwarp or shuffles in place of __syncthreads.");
}

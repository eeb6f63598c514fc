/* findings_shared.c: shared memory: bank conflicts, reuse, private arrays, and barriers. */
#include "report/findings/findings_rules.h"

#include <math.h>
#include <string.h>

/* ---- bank conflicts. Longer rows are advised only if tried on recorded addresses. */

static void cure_of_banks(const struct kernel_line *line, struct finding *finding) {
    char of[ARRAY_WORDS];
    const char *name = finding_array_name(line, "the array");
    double row = finding_fact(line, FACT_row), pad = finding_fact(line, FACT_pad),
           stride = fabs(finding_fact(line, FACT_stride));
    if (finding_fact_known(line, FACT_padded_passes) && row > 0) {
        finding_advise(
            finding,
            "Make the rows of %s %.0f bytes longer (%.0f, not %.0f): the %.0f passes of the accesses looked at "
            "become %.0f, and every access stays aligned.",
            name, pad, row + pad, row, finding_fact(line, FACT_passes),
            finding_fact(line, FACT_padded_passes));
    } else if (line->facts.lanes == LANES_STRIDE && finding_fact(line, FACT_bytes) == 4 && stride >= 8 &&
               stride <= 32) {
        finding_advise(
            finding,
            "Let neighbouring threads take neighbouring words%s: i and i + 32, not %.0f i and %.0f i + 1.",
            finding_of_array(line, of), stride / 4, stride / 4);
    } else {
        finding_advise(finding,
                       "Change which thread takes which element of %s, so that neighbouring threads take "
                       "neighbouring words.",
                       name);
    }
}

static void conflicting_line(const struct view *view, const struct kernel_line *line, double gain) {
    char of[ARRAY_WORDS];
    double each = finding_ratio((double)line->transactions, (double)line->requests),
           ideal = finding_ratio((double)line->ideal, (double)line->requests);
    struct finding *finding = finding_add(view, CODE_BANK_CONFLICTS, gain, line,
                                          "Each %s%s takes %.1f passes over the banks; "
                                          "%.1f would do",
                                          line->kind == LINE_SHARED_STORE ? "store" : "load",
                                          finding_of_array(line, of), each, ideal);
    double stride = fabs(finding_fact(line, FACT_stride)), jump = fabs(finding_fact(line, FACT_jump));
    char apart[BYTES_WORDS];
    if (line->facts.lanes == LANES_STRIDE && stride > finding_fact(line, FACT_bytes))
        finding_say_more(finding,
                         ": neighbouring threads are %.0f bytes apart, so that they meet in the same banks.",
                         stride);
    else if (line->facts.lanes == LANES_GROUPS && jump > 0)
        finding_say_more(finding, ": groups of %.0f threads are %s apart and meet in the same banks.",
                         finding_fact(line, FACT_group), finding_bytes_words(jump, apart));
    else
        finding_say_more(finding, ": threads of a warp meet in the same bank.");
    cure_of_banks(line, finding);
}

void rule_bank_conflicts(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    double all = view_counter(view, COUNTER_shared_load_wavefronts) +
                 view_counter(view, COUNTER_shared_store_wavefronts);
    bool by_line = false;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        if (line->kind != LINE_SHARED_LOAD && line->kind != LINE_SHARED_STORE)
            continue;
        by_line = true;
        double excess = (double)line->transactions - (double)line->ideal;
        if ((double)line->transactions > 1.2 * (double)line->ideal && finding_ratio(excess, all) > 0.02)
            conflicting_line(view, line, view_gain_if(view, GPU_SHARED, 1 - finding_ratio(excess, all)));
    }
    double conflicts = view_counter(view, COUNTER_shared_bank_conflicts);
    if (!by_line && finding_ratio(conflicts, all) > 0.05) {
        struct finding *finding = finding_add(
            view, CODE_BANK_CONFLICTS, view_gain_if(view, GPU_SHARED, 1 - finding_ratio(conflicts, all)),
            NULL, "%.0f %% of the passes over the shared-memory banks come from conflicts.",
            100 * finding_ratio(conflicts, all));
        finding_advise(
            finding,
            "Change which thread takes which element, or the length of the shared array's rows: in one "
            "access neighbouring threads should find different banks.");
    }
}

void rule_shared_reuse(const struct view *view) {
    double requests = view_counter(view, COUNTER_shared_load_requests),
           wavefronts = view_counter(view, COUNTER_shared_load_wavefronts);
    if (requests <= 0 || !view_knows(view, COUNTER_shared_load_wavefronts) ||
        view_share(view, GPU_SHARED) < 0.4 || wavefronts > 1.5 * requests)
        return;
    const struct kernel_line *line = view_busiest_line(view, LINE_SHARED_LOAD);
    char of[ARRAY_WORDS] = "";
    struct finding *finding = finding_add(
        view, CODE_SHARED_REUSE, view_gain_if(view, GPU_SHARED, 0.5), line,
        "The shared-memory banks are busy %.0f %% of the time, with one word a thread and load%s.",
        100 * view_share(view, GPU_SHARED), line != NULL ? finding_of_array(line, of) : "");
    finding_advise(
        finding,
        "Compute several results a thread: a value once in a register serves all of them; or take float2 "
        "or float4, where a thread's words lie side by side.");
}

/* An array of which every thread reads only what it wrote itself: registers suffice. */
void rule_private_shared(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        bool own = line->kind == LINE_SHARED_LOAD && finding_fact_known(line, FACT_own) &&
                   *line->facts.array != '\0';
        for (uint32_t k = 0; own && k < kernel->line_count; k++) {
            const struct kernel_line *other = &kernel->lines[k];
            bool on_it = strcmp(other->facts.array, line->facts.array) == 0;
            if (other->kind == LINE_SHARED_LOAD) /* the array's first line decides */
                own = *other->facts.array != '\0' &&
                      (!on_it || (k >= i && finding_fact(other, FACT_own) == 100));
            else if (other->kind == LINE_ATOMIC)
                own = !on_it;
        }
        if (!own)
            continue;
        double accesses = view_counter(view, COUNTER_shared_load_wavefronts) +
                          view_counter(view, COUNTER_shared_store_wavefronts);
        struct finding *finding = finding_add(
            view, CODE_PRIVATE_SHARED,
            view_gain_if(view, GPU_SHARED, 1 - finding_ratio((double)line->transactions, accesses)), line,
            "Each thread reads only those elements of %s that it wrote itself.",
            finding_array_name(line, "this array"));
        finding_advise(
            finding,
            "Keep them in registers: shared memory and its barriers are for what other threads need.");
    }
}

void rule_barriers(const struct view *view) {
    const struct kernel_line *line = view_busiest_line(view, LINE_BARRIER);
    double barriers = view_requests(view, LINE_BARRIER), all = view_counter(view, COUNTER_warp_instructions);
    if (line == NULL || finding_block_threads(view->kernel) <= 32 || all <= 0 || barriers < all / 16)
        return;
    struct finding *finding =
        finding_add(view, CODE_BARRIERS, NAN, line,
                    "A warp waits at a barrier after every %.0f instructions.", all / barriers - 1);
    finding_advise(
        finding,
        "More work between barriers: several elements a thread; and where only the threads of one warp "
        "exchange data, __syncwarp or shuffles in place of __syncthreads.");
}

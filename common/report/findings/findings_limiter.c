/* findings_limiter.c: what limits the kernel, and what its warps wait for. */
#include "report/findings/findings_rules.h"
#include "report/writers/format.h"

#include <math.h>

/* Advice where the device memory is the limit, by its share of the time. */
static void advise_memory(struct finding *finding, double share) {
    const double full = 0.9; /* a copy's is as large */
    if (share >= full)
        finding_advise(finding, "Near the memory's speed: only moving fewer bytes makes this kernel faster.");
    else
        finding_advise(
            finding,
            "More loads in flight in each thread, or wider ones, may bring the last %.0f %%; after that only "
            "moving fewer bytes makes this kernel faster.",
            100 * (1 - share));
}

/* Warps wait for their code, as the part that runs most exceeds the SM's own instruction cache. */
static bool code_exceeds_cache(const struct view *view) {
    const double much = 0.05; /* of all warps' time */
    const struct kernel_report *kernel = view->kernel;
    return view->model != NULL && kernel->code_known && kernel->waits.known &&
           kernel->waits.share[GPU_STALL_NO_INSTRUCTION] >= much &&
           kernel->hot_code_bytes > view->model->code_bytes;
}

void rule_instruction_cache(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    if (!code_exceeds_cache(view))
        return;
    double waits = kernel->waits.share[GPU_STALL_NO_INSTRUCTION];
    struct kernel_line place = {0};
    for (uint32_t i = 0; i < kernel->waits.count && place.line == 0; i++) /* the first waits most */
        if (kernel->waits.lines[i].stall == GPU_STALL_NO_INSTRUCTION)
            place = (struct kernel_line){.file = kernel->waits.lines[i].file,
                                         .line = kernel->waits.lines[i].line};
    struct finding *finding = finding_add(
        view, CODE_INSTRUCTION_CACHE, waits, place.line > 0 ? &place : NULL,
        "Warps wait for their code %.0f %% of the time: %u bytes of it are in use at a time, and the SM keeps "
        "%u.",
        100 * waits, kernel->hot_code_bytes, view->model->code_bytes);
    finding_advise(finding,
                   "Fewer copies of the loops around such lines: a smaller factor of #pragma unroll, 1 "
                   "where a loop's body is long; less inlining.");
}

/* Advice against a wait, by its reason; "": it depends. More warps help where warps wait for memory
 * or results, not where they queue for a unit. More independent work is more code. */
static const char *advice_for_wait(const struct view *view, enum gpu_stall top) {
    const double full = 0.95; /* of the most resident warps */
    const struct kernel_report *kernel = view->kernel;
    if (code_exceeds_cache(view)) /* that finding has the advice */
        return "";
    switch (top) {
    case GPU_STALL_WAIT:
    case GPU_STALL_LONG_SCOREBOARD:
    case GPU_STALL_SHORT_SCOREBOARD:
        if (kernel->occupancy_theoretical >= full || !view_more_warps_fit(view))
            return "More in flight: in each thread more independent work before a result is used.";
        return "More in flight: more warps, or in each thread more independent work before a result is used.";
    case GPU_STALL_BARRIER:
    case GPU_STALL_MEMBAR: return "Fewer barriers and fences, or more blocks on an SM, which work meanwhile.";
    case GPU_STALL_NO_INSTRUCTION:
        return "Less code in the loops that run most: less unrolling, less that is inlined.";
    default: return "";
    }
}

/* The unit with the largest share except `first`. GPU_UNIT_COUNT: no share is known. */
static enum gpu_unit next_after(const struct view *view, enum gpu_unit first) {
    enum gpu_unit second = GPU_UNIT_COUNT;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (unit != (int)first && view_share_known(view, (enum gpu_unit)unit) &&
            (second == GPU_UNIT_COUNT || view_share(view, (enum gpu_unit)unit) > view_share(view, second)))
            second = (enum gpu_unit)unit;
    return second;
}

static bool is_unit(enum gpu_unit unit) {
    return unit < GPU_UNIT_COUNT && unit != GPU_LATENCY && unit != GPU_LAUNCH;
}

/* Two units as busy as each other are both the limit. Lifting one of them alone gains little. */
static bool add_two_limits(const struct view *view, enum gpu_unit first, enum gpu_unit second) {
    const double near = 0.03; /* of the time: less than the model can tell apart */
    char busy[FORMAT_SIZE], next[FORMAT_SIZE];
    if (!kernel_at_limit(view->kernel) || !is_unit(first) || !is_unit(second) ||
        !(view_share(view, second) >= view_share(view, first) - near))
        return false;
    struct finding *finding =
        finding_add(view, CODE_LIMITER, NAN, NULL, "The limits are %s, busy for %s of the time, and %s, %s.",
                    gpu_unit_meaning(first), format_share(busy, view_share(view, first)),
                    gpu_unit_meaning(second), format_share(next, view_share(view, second)));
    if (first == GPU_DRAM || second == GPU_DRAM)
        advise_memory(finding, view_share(view, GPU_DRAM));
    return true;
}

/* A unit that is full, or nearly, is called the limit. Otherwise the finding names the busiest
 * unit, the share of waiting, and what warps wait for. */
void rule_limiter(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    enum gpu_unit first = kernel->limiter;
    if (first == GPU_UNIT_COUNT)
        return;
    enum gpu_unit second = next_after(view, first);
    if (add_two_limits(view, first, second))
        return;
    bool limit = kernel_at_limit(kernel), unit = is_unit(first);
    char part[FORMAT_SIZE], words[400] = "";
    struct finding *finding = finding_add(view, CODE_LIMITER, NAN, NULL, "%s%s",
                                          limit                 ? "The limit is "
                                          : first == GPU_LAUNCH ? "What takes longest is "
                                          : unit                ? "No unit is full: the busiest is "
                                                                : "No unit is full: most goes to ",
                                          gpu_unit_meaning(first));
    if (view_share_known(view, first))
        finding_say_more(finding, "%s %s of the time",
                         !limit ? ","
                         : unit ? ": busy for"
                                : ": accounts for",
                         format_share(part, view_share(view, first)));
    if (second != GPU_UNIT_COUNT)
        finding_say_more(finding, "; next is %s, %s%s", gpu_unit_meaning(second),
                         format_share(part, view_share(view, second)),
                         view_share_known(view, first) ? "" : " of the time");
    finding_say_more(finding, ".");
    if (first == GPU_DRAM && limit)
        advise_memory(finding, view_share(view, first));
    else if (first == GPU_LAUNCH)
        finding_advise(
            finding,
            "The kernel is over before it has begun: give it more work, or merge it with its neighbour.");
    if (first == GPU_LAUNCH || (limit && unit))
        return;
    kernel_waits_words(&kernel->waits, words, sizeof words);
    if (*words != '\0') {
        finding_say_more(finding, " Warps wait for: %s.", words);
        finding_advise(finding, "%s", advice_for_wait(view, gpu_stall_top(kernel->waits.share)));
    } else if (!limit) {
        finding_advise(finding, "Look at latency, occupancy and the tail first.");
    }
}

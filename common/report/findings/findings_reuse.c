/* findings_reuse.c: elements that a kernel loads again: by the same thread, its warp, its block, or
 * every block. The advice depends on this. The finding is of the array with most repeated work, and
 * of the kind of most of its loads. */
#include "report/findings/findings_rules.h"

#include <math.h>
#include <string.h>

/* The loads of one array, over all lines. */
struct array_loads {
    const struct kernel_line *line; /* the line with most sectors */
    double requests, transactions, ideal, looked_at, first, request, thread, block, other;
};

static struct array_loads loads_of(const struct view *view, const struct kernel_line *named) {
    struct array_loads sum = {.line = named};
    for (uint32_t i = 0; i < view->kernel->line_count; i++) {
        const struct kernel_line *line = &view->kernel->lines[i];
        if (line->kind != LINE_GLOBAL_LOAD || strcmp(line->facts.array, named->facts.array) != 0)
            continue;
        if (line->transactions > sum.line->transactions)
            sum.line = line;
        sum.requests += (double)line->requests;
        sum.transactions += (double)line->transactions;
        sum.ideal += (double)line->ideal;
        sum.looked_at += finding_fact(line, FACT_looked_at);
        sum.first += finding_fact(line, FACT_first_time);
        sum.request += finding_fact(line, FACT_again_request);
        sum.thread += finding_fact(line, FACT_again_thread);
        sum.block += finding_fact(line, FACT_again_block);
        sum.other += finding_fact(line, FACT_other_block);
    }
    return sum;
}

/* Share of time saved by loading each element once, in addition to coalescing. A tile still loads
 * from shared memory; a register needs no load. */
static double gain_of_once(const struct view *view, const struct array_loads *array, double times,
                           bool registers) {
    double all =
        view_counter(view, COUNTER_global_load_sectors) + view_counter(view, COUNTER_global_store_sectors);
    double requests = finding_ratio(array->requests, view_counter(view, COUNTER_inst_memory));
    double left[GPU_LAUNCH];
    for (int i = 0; i < GPU_LAUNCH; i++)
        left[i] = 1;
    left[GPU_L1] = 1 - finding_ratio(array->ideal, all) * (1 - 1 / times);
    if (registers)
        left[GPU_LSU] = 1 - fmin(requests, 1) * (1 - 1 / times);
    return view_gain_if_left(view, left);
}

static void tell(const struct view *view, const struct array_loads *array) {
    double times = finding_ratio(array->looked_at, array->first), again = array->looked_at - array->first;
    const char *name = finding_array_name(array->line, "this array");
    bool same = array->line->facts.lanes == LANES_SAME, again_itself = array->thread > 0.5 * again;
    double gain = gain_of_once(view, array, same && !again_itself ? 4 : times, same || again_itself);
    struct finding *finding;
    if (again_itself) {
        finding = finding_add(view, CODE_RELOAD, gain, array->line,
                              "A thread loads the same element of %s %.0f times.", name, times);
        finding_advise(finding, "Load it once, before the loop, and keep it in a register.");
    } else if (same || array->request > 0.5 * again) {
        finding = finding_add(
            view, CODE_BROADCAST, gain, array->line,
            "All threads of a warp load the same element of %s: a load brings the warp one element.", name);
        finding_advise(
            finding,
            "Let a thread compute several results from each element that it loads; elements that all "
            "blocks need may lie in constant or shared memory.");
    } else if (finding_ratio(array->other, array->first) >= 0.9) {
        finding = finding_add(
            view, CODE_TILE, gain, array->line,
            "A block loads each element of %s %.0f times, for different threads, and the next block the same "
            "elements again.",
            name, times);
        finding_advise(
            finding,
            "Let the block load a piece of %s into shared memory once, use it for all its threads, then "
            "load the next.",
            name);
    } else if (array->other > 0) {
        finding = finding_add(
            view, CODE_STENCIL, gain, array->line,
            "The windows of neighbouring threads overlap: a block loads each element of %s %.0f times.", name,
            times);
        finding_advise(
            finding,
            "Let the block load its part of %s and the border around it into shared memory once; or let a thread "
            "compute several neighbouring results and keep what they share in registers.",
            name);
    } else {
        finding = finding_add(view, CODE_TILE, gain, array->line,
                              "A block loads each element of %s %.0f times, for different "
                              "threads.",
                              name, times);
        finding_advise(
            finding,
            "Let the block load a piece of %s into shared memory once and use it for all its threads.", name);
    }
}

void rule_reuse(const struct view *view) {
    const struct kernel_report *kernel = view->kernel;
    if (view_share(view, GPU_L1) + view_share(view, GPU_LSU) + view_share(view, GPU_ISSUE) < 0.4)
        return;
    bool seen = false;
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        const struct kernel_line *line = &kernel->lines[i];
        if (line->kind != LINE_GLOBAL_LOAD || !finding_fact_known(line, FACT_first_time))
            continue;
        seen = true;
        struct array_loads array = loads_of(view, line);
        double all = view_counter(view, COUNTER_global_load_sectors) +
                     view_counter(view, COUNTER_global_store_sectors);
        if (array.line == line && array.looked_at >= 6 * array.first && array.first > 0 &&
            array.transactions > 0.1 * all)
            tell(view, &array);
    }
    double loaded = view_counter(view, COUNTER_global_load_bytes),
           fetched = 32 * view_counter(view, COUNTER_l2_read_sectors);
    if (seen || fetched <= 0 || loaded < 6 * fetched)
        return;
    struct finding *finding =
        finding_add(view, CODE_REUSE, view_gain_if(view, GPU_L1, fetched / loaded), NULL,
                    "Every byte fetched from L2 is loaded %.0f times.", loaded / fetched);
    finding_advise(
        finding,
        "Keep what a thread needs again in a register, and what several threads of a block need in shared "
        "memory.");
}

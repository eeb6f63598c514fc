/* observe_facts.c: derives facts of a line from the observations: the layout of its lanes, repeated
 * loads, and the effect of longer rows on a shared array's bank conflicts. */
#include "gpu/simt/observe/observe_parts.h"

#include <stdio.h>
#include <string.h>

enum { SMALLEST_ROW = 64 }; /* bytes; anything shorter is a struct, not a row */

/* ---- longer rows of a shared array */

static bool try_row(const struct observer *observer, uint32_t array, uint32_t row, uint32_t pad,
                    uint32_t start, struct padding *tried) {
    *tried = (struct padding){.row = row, .pad = pad};
    for (uint32_t i = 0; i < observer->sample_count; i++) {
        const struct sample *sample = &observer->samples[i];
        uint32_t moved[SIMT_LANES] = {0};
        if (sample->array != array)
            continue;
        if (pad % (sample->span < 4 ? 4 : sample->span) != 0)
            return false;
        for (uint32_t left = sample->mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left), from = sample->address[lane] - start;
            if (from % row + sample->span > row)
                return false;
            moved[lane] = start + from / row * (row + pad) + from % row;
        }
        tried->passes +=
            simt_shared_wavefronts(sample->address, sample->mask, sample->span, sample->store).count;
        tried->padded += simt_shared_wavefronts(moved, sample->mask, sample->span, sample->store).count;
    }
    return tried->padded < tried->passes;
}

static void try_rows(const struct launch *launch, struct observer *observer, uint32_t array, int64_t row) {
    const struct ptx_shared_array *placed = &launch->module->program->shared_arrays[array];
    uint32_t start = placed->size ? placed->offset : launch->code->function->shared_bytes;
    uint32_t size = placed->size ? placed->size : launch->own_shared_bytes - start;
    struct padding *best = &observer->paddings[array];
    row = row < 0 ? -row : row;
    if (row < SMALLEST_ROW || row > size / 2 || row % 4 || size % row)
        return;
    for (uint32_t pad = 4; pad <= 16; pad *= 2) {
        struct padding tried;
        if (try_row(observer, array, (uint32_t)row, pad, start, &tried) &&
            (best->passes == 0 || tried.padded < best->padded))
            *best = tried;
    }
}

/* Takes an array's row length from the distance of the lanes at its sites. */
static void try_paddings(const struct launch *launch, struct observer *observer) {
    for (uint32_t i = 0; i < launch->module->site_total; i++) {
        const struct site_view *view = &observer->views[i];
        const struct site *site = &observer->sites[i];
        int kind = simt_count_site_kind(launch->module, i);
        if (view->shaped == 0 || site->transactions <= site->ideal ||
            (kind != LINE_SHARED_LOAD && kind != LINE_SHARED_STORE))
            continue;
        uint32_t array = simt_array_at(launch, view->first);
        if (array >= ARRAYS)
            continue;
        for (uint32_t s = 0; s < SHAPES && view->shapes[s].count; s++) {
            try_rows(launch, observer, array, view->shapes[s].shape.stride);
            try_rows(launch, observer, array, view->shapes[s].shape.jump);
        }
    }
}

/* ---- the facts */

void simt_observers_finish(struct launch *launch) {
    if (launch->observer_count == 0)
        return;
    try_paddings(launch, &launch->observers[0]);
    struct observer *first = &launch->observers[0];
    for (uint32_t i = 0, slot; launch->observer_count > 1 && i < first->loaded_count; i++)
        first->views[first->loaded[i].site].other_block +=
            simt_observed_key(&launch->observers[1].elements, first->loaded[i].key, &slot);
}
static void name_array(const struct launch *launch, int kind, bool shared, const struct site_view *view,
                       struct line_facts *facts) {
    if (shared) {
        uint32_t array = simt_array_at(launch, view->first);
        if (array < ARRAYS)
            simt_array_plain_name(launch->module->program->shared_arrays[array].name, facts->array,
                                  sizeof facts->array);
        return;
    }
    if (kind == LINE_LOCAL_LOAD || kind == LINE_LOCAL_STORE)
        return;
    const struct allocation *allocation = simt_device_allocation(launch->device, view->first);
    if (allocation == NULL)
        return;
    const char *quoted = strchr(allocation->what, '\'');
    snprintf(facts->array, sizeof facts->array, "%s", allocation->what);
    if (strncmp(allocation->what, "variable '", 10) == 0 && quoted != NULL) {
        char mangled[sizeof allocation->what];
        snprintf(mangled, sizeof mangled, "%.*s", (int)strcspn(quoted + 1, "'"), quoted + 1);
        simt_array_plain_name(mangled, facts->array, sizeof facts->array);
    }
}

static int64_t percent(uint64_t part, uint64_t whole, int64_t of) {
    return whole ? (int64_t)((part * (uint64_t)of + whole / 2) / whole) : LINE_FACT_UNKNOWN;
}

static void facts_of_shape(const struct site_view *view, struct line_facts *facts) {
    for (uint32_t i = 0; i < SHAPES; i++) {
        const struct shape *shape = &view->shapes[i].shape;
        if (view->shapes[i].count == 0 || 4 * view->shapes[i].count < 3 * view->shaped)
            continue;
        facts->lanes = (enum line_lanes)shape->lanes;
        if (shape->lanes != LANES_SCATTERED) {
            line_fact_set(facts, FACT_stride, shape->stride);
            line_fact_set(facts, FACT_group, shape->group);
        }
        if (shape->lanes == LANES_GROUPS)
            line_fact_set(facts, FACT_jump, shape->jump);
    }
    if (view->corner_known[0] && view->corner_known[1])
        line_fact_set(facts, FACT_next_y, (int64_t)(view->corner[1] - view->corner[0]));
    if (view->steps > 0 && view->same_steps == view->steps)
        line_fact_set(facts, FACT_step, view->step);
}

void simt_observed_facts(const struct launch *launch, uint32_t site, struct line_facts *facts) {
    *facts = (struct line_facts){.lanes = LANES_UNKNOWN};
    line_fact_set(facts, FACT_instructions, 1);
    const struct site_view *view = NULL;
    const struct observer *observer = NULL;
    for (uint32_t k = 0; k < launch->observer_count && view == NULL; k++)
        if (launch->observers[k].views[site].requests) {
            observer = &launch->observers[k];
            view = &observer->views[site];
        }
    if (view == NULL)
        return;
    int kind = simt_count_site_kind(launch->module, site);
    bool shared = kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE ||
                  (kind == LINE_ATOMIC && simt_count_site_is_shared(launch->module, site));
    name_array(launch, kind, shared, view, facts);
    facts_of_shape(view, facts);
    line_fact_set(facts, FACT_bytes, view->span);
    line_fact_set(facts, FACT_unaligned, percent(view->unaligned, view->starts, 100));
    line_fact_set(facts, FACT_apart, percent(view->apart, view->requests, 100));
    line_fact_set(facts, FACT_looked_at, (int64_t)view->threads);
    if (kind == LINE_GLOBAL_LOAD) {
        line_fact_set(facts, FACT_first_time, (int64_t)view->first_time);
        line_fact_set(facts, FACT_again_request, (int64_t)view->again_request);
        line_fact_set(facts, FACT_again_thread, (int64_t)view->again_thread);
        line_fact_set(facts, FACT_again_block, (int64_t)view->again_block);
    }
    if (kind == LINE_GLOBAL_LOAD && launch->observer_count > 1 && observer == launch->observers)
        line_fact_set(facts, FACT_other_block, (int64_t)view->other_block);
    if (kind == LINE_LOCAL_LOAD || kind == LINE_LOCAL_STORE)
        line_fact_set(facts, FACT_fixed, simt_count_site_is_fixed(launch->module, site));
    uint32_t array = shared ? simt_array_at(launch, view->first) : ARRAY_NONE;
    if (kind == LINE_SHARED_LOAD && !observer->missed_shared)
        line_fact_set(facts, FACT_own, percent(view->own, view->own + view->foreign, 100));
    if (array < ARRAYS && observer == launch->observers && observer->paddings[array].passes) {
        const struct padding *padding = &observer->paddings[array];
        line_fact_set(facts, FACT_row, padding->row);
        line_fact_set(facts, FACT_pad, padding->pad);
        line_fact_set(facts, FACT_passes, (int64_t)padding->passes);
        line_fact_set(facts, FACT_padded_passes, (int64_t)padding->padded);
    }
}

void simt_observed_branch(const struct launch *launch, uint32_t index, struct line_facts *facts) {
    const struct branch_view *view = NULL;
    for (uint32_t k = 0; k < launch->observer_count && (view == NULL || view->divergent == 0); k++)
        view = &launch->observers[k].branches[index];
    if (view == NULL || view->divergent == 0)
        return;
    line_fact_set(facts, FACT_divergent, view->divergent);
    if (view->divergent > 1 && view->alike == view->divergent)
        line_fact_set(facts, FACT_taken, view->taken);
}

static int64_t sum(int64_t a, int64_t b) {
    if (a == LINE_FACT_UNKNOWN || b == LINE_FACT_UNKNOWN)
        return a == LINE_FACT_UNKNOWN ? b : a;
    return a + b;
}

void simt_observed_merge(struct line_facts *line, const struct line_facts *site, bool worse) {
    static const enum line_fact sums[] = {FACT_looked_at,    FACT_first_time,  FACT_again_request,
                                          FACT_again_thread, FACT_again_block, FACT_other_block,
                                          FACT_instructions, FACT_divergent};
    /* Of several copies of one access, the least value of these facts holds for all. */
    static const enum line_fact least[] = {FACT_unaligned, FACT_own, FACT_fixed};
    /* One of them was observed and stands for both. */
    bool only = (line->lanes == LANES_UNKNOWN) != (site->lanes == LANES_UNKNOWN);
    const struct line_facts *first = (only ? site->lanes != LANES_UNKNOWN : worse) ? site : line;
    const struct line_facts *other = first == site ? line : site;
    struct line_facts both = *first;
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        line_fact_set(&both, sums[i], sum(line_fact_get(line, sums[i]), line_fact_get(site, sums[i])));
    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
        int64_t a = line_fact_get(first, least[i]), b = line_fact_get(other, least[i]);
        line_fact_set(&both, least[i], a == LINE_FACT_UNKNOWN || (b != LINE_FACT_UNKNOWN && b < a) ? b : a);
    }
    for (int i = FACT_row; i <= FACT_padded_passes; i++)
        if (!both.known[i])
            line_fact_set(&both, (enum line_fact)i, line_fact_get(other, (enum line_fact)i));
    *line = both;
}

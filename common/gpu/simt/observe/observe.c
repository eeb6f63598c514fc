/* observe.c: records, request by request, what neighbouring lanes touch, and how often and by whom
 * the same elements are loaded again. It observes two blocks, up to a number of requests. */
#include "gpu/simt/count/count.h"
#include "gpu/simt/observe/observe_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    WARP_REQUESTS = 512,     /* most requests observed in one warp */
    SITE_REQUESTS = 48,      /* most at one site, in one warp */
    SAMPLES = 512,           /* requests to shared memory kept whole */
    SEVERAL_THREADS = 0xffff /* in writers: an atomic, which belongs to no thread */
};

/* ---- choosing blocks */

static uint64_t index_of(const uint32_t grid[3], uint64_t x, uint64_t y, uint64_t z) {
    return (z * grid[1] + y) * grid[0] + x;
}

static bool create(const struct launch *launch, struct observer *observer, uint64_t block) {
    const struct simt_module *module = launch->module;
    const uint32_t *shape = launch->shape->block;
    observer->block = block;
    observer->module = module;
    observer->sites = aligned_alloc(64, ((size_t)module->site_total + 1) * sizeof *observer->sites);
    observer->views = calloc((size_t)module->site_total + 1, sizeof *observer->views);
    observer->branches = calloc((size_t)module->count_total + 1, sizeof *observer->branches);
    observer->elements =
        (struct set){calloc(SET_SLOTS, sizeof(uint64_t)), calloc(SET_SLOTS, sizeof(uint32_t))};
    observer->owners.keys = calloc(SET_SLOTS, sizeof(uint64_t));
    observer->loaded = calloc(BLOCK_REQUESTS * SIMT_LANES, sizeof *observer->loaded);
    observer->writers = calloc(launch->shared_bytes / 4 + 8u, sizeof *observer->writers);
    observer->samples = launch->shared_bytes ? calloc(SAMPLES, sizeof *observer->samples) : NULL;
    observer->next_y = shape[0] % SIMT_LANES == 0 && shape[1] > 1 ? shape[0] / SIMT_LANES : 0;
    if (observer->sites == NULL || observer->views == NULL || observer->branches == NULL ||
        observer->elements.keys == NULL || observer->elements.request == NULL ||
        observer->owners.keys == NULL || observer->loaded == NULL || observer->writers == NULL ||
        (launch->shared_bytes && observer->samples == NULL))
        return false;
    simt_sites_begin(observer->sites, module->site_total);
    return true;
}

bool simt_observers_create(struct launch *launch) {
    const uint32_t *grid = launch->shape->grid;
    if (!launch->caches || launch->races)
        return true;
    uint64_t middle = index_of(grid, grid[0] / 2, grid[1] / 2, grid[2] / 2);
    uint64_t beside = middle > 0 ? middle - 1 : middle + 1;
    if (grid[0] == 1 && grid[1] > 1)
        beside = index_of(grid, 0, grid[1] / 2 - 1, grid[2] / 2);
    uint32_t wanted = launch->block_total > 1 ? 2 : 1;
    launch->observers = calloc(wanted, sizeof *launch->observers);
    if (launch->observers == NULL)
        return false;
    launch->observer_count = wanted;
    return create(launch, &launch->observers[0], middle) &&
           (wanted == 1 || create(launch, &launch->observers[1], beside));
}

void simt_observers_destroy(struct launch *launch) {
    for (uint32_t i = 0; i < launch->observer_count; i++) {
        struct observer *observer = &launch->observers[i];
        free(observer->sites);
        free(observer->views);
        free(observer->branches);
        free(observer->elements.keys);
        free(observer->elements.request);
        free(observer->owners.keys);
        free(observer->loaded);
        free(observer->writers);
        free(observer->samples);
    }
    free(launch->observers);
}

struct observer *simt_observer_of(const struct launch *launch, uint64_t block) {
    for (uint32_t i = 0; i < launch->observer_count; i++)
        if (launch->observers[i].block == block)
            return &launch->observers[i];
    return NULL;
}

struct site *simt_observer_sites(const struct observer *observer) {
    return observer->sites;
}

void simt_observed_counts(const struct launch *launch, uint32_t site, struct site *sum) {
    for (uint32_t k = 0; k < launch->observer_count; k++) {
        const struct site *seen = &launch->observers[k].sites[site];
        sum->requests += seen->requests;
        sum->transactions += seen->transactions;
        sum->ideal += seen->ideal;
        sum->threads += seen->threads;
        sum->lines += seen->lines;
        sum->missed += seen->missed;
        sum->waited += seen->waited;
        sum->late += seen->late;
        sum->joined += seen->joined;
        sum->passes += seen->passes;
        sum->looked += seen->looked;
    }
}

void simt_observed_widened(const struct launch *launch, uint32_t site, double widened[SIMT_WIDENED]) {
    uint64_t requests = 0, sums[SIMT_WIDENED] = {0};
    for (uint32_t k = 0; k < launch->observer_count; k++) {
        const struct site_view *view = &launch->observers[k].views[site];
        requests += view->widened_requests;
        for (uint32_t i = 0; i < SIMT_WIDENED; i++)
            sums[i] += view->widened[i];
    }
    for (uint32_t i = 0; i < SIMT_WIDENED; i++)
        widened[i] = requests > 0 ? (double)sums[i] / (double)requests : 0;
}

const struct site *simt_observed_sites(const struct launch *launch, uint32_t observer, uint64_t *block) {
    *block = launch->observers[observer].block;
    return launch->observers[observer].sites;
}

void simt_observer_begin_warp(struct observer *observer) {
    for (uint32_t i = 0; i < observer->module->site_total; i++)
        observer->sites[i].limit = 0;
}

/* ---- one request */

static struct shape shape_of(const uint64_t *address, uint32_t mask) {
    uint32_t lane[SIMT_LANES] = {0}, n = 0;
    for (uint32_t left = mask; left; left &= left - 1)
        lane[n++] = (uint32_t)__builtin_ctz(left);
    uint64_t base = address[lane[0]];
    uint32_t apart = n > 1 ? lane[1] - lane[0] : 1;
    int64_t difference = (int64_t)(address[lane[1]] - base), stride = difference / (int64_t)apart;
    uint32_t along = 1; /* lanes that have the stride of the first two */
    if (stride * (int64_t)apart == difference)
        while (along < n &&
               (int64_t)(address[lane[along]] - base) == stride * (int64_t)(lane[along] - lane[0]))
            along++;
    if (along == n)
        return (struct shape){stride ? LANES_STRIDE : LANES_SAME, SIMT_LANES, stride, 0};
    uint32_t group = along;
    if (group < 2 || (mask & (mask + 1)) != 0) /* groups are looked for only in lanes 0, 1, ... */
        return (struct shape){.lanes = LANES_SCATTERED};
    int64_t jump = (int64_t)(address[group] - base);
    for (uint32_t i = 0; i < n; i++)
        if ((int64_t)(address[i] - base) != jump * (int64_t)(i / group) + stride * (int64_t)(i % group))
            return (struct shape){.lanes = LANES_SCATTERED};
    return (struct shape){LANES_GROUPS, group, stride, jump};
}

static void see_shape(struct site_view *view, const struct shape *shape) {
    view->shaped++;
    for (uint32_t i = 0; i < SHAPES; i++) {
        if (!view->shapes[i].count)
            view->shapes[i].shape = *shape;
        if (memcmp(&view->shapes[i].shape, shape, sizeof *shape) == 0) {
            view->shapes[i].count++;
            return;
        }
    }
}

static uint32_t count_apart(const struct shape *shape, const uint64_t *address, uint32_t mask) {
    if (shape->lanes == LANES_SAME)
        return 1;
    if (shape->lanes == LANES_STRIDE)
        return (uint32_t)__builtin_popcount(mask);
    return simt_access_apart(address, mask);
}

bool simt_observed_key(const struct set *set, uint64_t key, uint32_t *slot) {
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 47);
    while (set->keys[at] != 0 && set->keys[at] != key)
        at = (at + 1) % SET_SLOTS;
    *slot = at;
    return set->keys[at] == key;
}

static bool set_add(struct set *set, uint64_t key, uint32_t *slot) {
    bool known = simt_observed_key(set, key, slot);
    set->keys[*slot] = key;
    return !known;
}

/* An address and the thread that touched it, as one key. Device addresses leave the upper 16 bits
 * free, enough for 32 warps of 32 lanes. */
static uint64_t owner_key(uint64_t address, uint32_t thread) {
    return address ^ ((uint64_t)(thread + 1) << 48);
}

static void see_elements(struct observer *observer, struct site_view *view, const uint64_t *address,
                         uint32_t mask, uint32_t first_thread) {
    uint32_t slot;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        bool mine = !set_add(&observer->owners, owner_key(address[lane], first_thread + lane), &slot);
        bool first = set_add(&observer->elements, address[lane] + 1, &slot);
        if (first) {
            observer->elements.request[slot] = observer->requests;
            observer->loaded[observer->loaded_count++] =
                (struct element){address[lane] + 1, (uint32_t)(view - observer->views)};
        }
        if (mine)
            view->again_thread++;
        else if (first)
            view->first_time++;
        else if (observer->elements.request[slot] == observer->requests)
            view->again_request++;
        else
            view->again_block++;
    }
}

/* ---- shared memory */

/* Counts the wavefronts if each lane accessed all of the 8 or 16 bytes around its own. */
static void see_widened(struct site_view *view, const uint64_t *address, uint32_t mask, bool store) {
    for (uint32_t i = 0; i < SIMT_WIDENED; i++) {
        uint32_t whole[SIMT_LANES] = {0}, span = 8U << i;
        for (uint32_t left = mask; left; left &= left - 1)
            whole[__builtin_ctz(left)] = (uint32_t)address[__builtin_ctz(left)] & ~(span - 1);
        view->widened[i] += simt_shared_wavefronts(whole, mask, span, store).count;
    }
    view->widened_requests++;
}

static void see_shared(struct observer *observer, const struct launch *launch, struct site_view *view,
                       int kind, const uint64_t *address, uint32_t mask, uint32_t span,
                       uint32_t first_thread) {
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), words = span < 4 ? 1 : span / 4;
        bool own = true;
        for (uint32_t word = 0; word < words; word++) {
            uint16_t *writer = &observer->writers[address[lane] / 4 + word];
            own &= *writer == first_thread + lane + 1;
            if (kind == LINE_SHARED_STORE)
                *writer = (uint16_t)(first_thread + lane + 1);
            else if (kind == LINE_ATOMIC)
                *writer = SEVERAL_THREADS;
        }
        *(own ? &view->own : &view->foreign) += kind == LINE_SHARED_LOAD;
    }
    if (kind == LINE_ATOMIC)
        return;
    see_widened(view, address, mask, kind == LINE_SHARED_STORE);
    if (observer->sample_count == SAMPLES)
        return;
    struct sample *sample = &observer->samples[observer->sample_count++];
    *sample = (struct sample){.array = simt_array_at(launch, address[__builtin_ctz(mask)]),
                              .mask = mask,
                              .span = span,
                              .store = kind == LINE_SHARED_STORE};
    for (uint32_t left = mask; left; left &= left - 1)
        sample->address[__builtin_ctz(left)] = (uint32_t)address[__builtin_ctz(left)];
}

/* ---- a request to any memory */

static void see_step(struct site_view *view, uint64_t address) {
    if (view->in_warp > 0) {
        int64_t step = (int64_t)(address - view->previous);
        if (view->steps == 0)
            view->step = step;
        view->steps++;
        view->same_steps += step == view->step;
    }
    view->previous = address;
}

static bool enough(struct observer *observer, struct site_view *view, uint32_t warp) {
    if (view->warp != warp || view->requests == 0) {
        view->warp = warp;
        view->in_warp = 0;
    }
    if (observer->warp != warp) {
        observer->warp = warp;
        observer->in_warp = 0;
    }
    return view->in_warp >= SITE_REQUESTS || observer->in_warp >= WARP_REQUESTS ||
           observer->requests >= BLOCK_REQUESTS;
}

bool simt_observe_request(struct window_header *window, struct site *site, const uint64_t *address,
                          uint32_t mask, uint32_t span) {
    struct observer *observer = window->observer;
    uint32_t index = (uint32_t)(site - observer->sites), warp = window->warp->index;
    struct site_view *view = &observer->views[index];
    const struct launch *launch = window->worker->launch;
    int kind = simt_count_site_kind(launch->module, index);
    bool shared = kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE ||
                  (kind == LINE_ATOMIC && simt_count_site_is_shared(launch->module, index));
    if (enough(observer, view, warp)) {
        observer->missed_shared |= shared;
        return false;
    }
    uint32_t first_lane = (uint32_t)__builtin_ctz(mask), threads = (uint32_t)__builtin_popcount(mask);
    if (view->requests == 0)
        view->first = address[first_lane];
    see_step(view, address[first_lane]);
    if (first_lane == 0 && view->in_warp == 0 && observer->next_y != 0 &&
        (warp == 0 || warp == observer->next_y) && !view->corner_known[warp != 0]) {
        view->corner[warp != 0] = address[0];
        view->corner_known[warp != 0] = true;
    }
    view->requests++;
    view->in_warp++;
    view->span = span;
    view->threads += threads;
    observer->in_warp++;
    observer->requests++;
    struct shape shape = {.lanes = LANES_SAME};
    if (threads > 1) {
        shape = shape_of(address, mask);
        see_shape(view, &shape);
        bool neighbours = shape.lanes == LANES_STRIDE && shape.stride == (int64_t)span;
        view->starts += neighbours;
        view->unaligned += neighbours && address[first_lane] % 32 != 0;
    }
    view->apart += count_apart(&shape, address, mask);
    if (kind == LINE_GLOBAL_LOAD)
        see_elements(observer, view, address, mask, warp * SIMT_LANES);
    if (shared)
        see_shared(observer, launch, view, kind, address, mask, span, warp * SIMT_LANES);
    return true;
}

void simt_observe_branch(struct observer *observer, uint32_t index, uint32_t taken) {
    struct branch_view *view = &observer->branches[index];
    if (view->divergent == 0)
        view->taken = taken;
    view->alike += taken == view->taken;
    view->divergent++;
}

/*
 * observe.c: what neighbouring lanes touch, how often the same elements are loaded again and by whom, and what longer
 * rows would do to a shared array's banks. All of it on the requests of two blocks, at most so many of each warp.
 */
#include "simt/observe.h"

#include "simt/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_REQUESTS = 2048,   /* looked at in one block */
    WARP_REQUESTS = 512,     /* in one warp */
    SITE_REQUESTS = 48,      /* at one site, in one warp */
    SET_SLOTS = 1 << 17,     /* twice what BLOCK_REQUESTS can fill */
    SHAPES = 4,              /* different ones kept for each site */
    SAMPLES = 512,           /* requests to shared memory kept whole */
    ARRAYS = 256,            /* shared arrays of a program that are told apart */
    SMALLEST_ROW = 64,       /* bytes: what is shorter is no row but a struct */
    SEVERAL_THREADS = 0xffff /* in writers: an atomic, which belongs to nobody */
};

/* How the lanes of one request lie. */
struct shape {
    uint32_t lanes; /* enum line_lanes */
    uint32_t group;
    int64_t stride, jump;
};

struct site_view {
    uint32_t requests, warp, in_warp, span;
    struct {
        struct shape shape;
        uint32_t count;
    } shapes[SHAPES];
    uint32_t shaped;            /* requests of two threads or more */
    uint32_t starts, unaligned; /* requests of neighbouring threads; those that start inside a sector */
    uint64_t first;             /* an address it touched */
    uint64_t previous;          /* the first lane's of the warp's last request */
    int64_t step;
    uint32_t steps, same_steps;
    uint64_t corner[2]; /* the first lane's first address in warp 0, and in the warp next in threadIdx.y */
    bool corner_known[2];
    uint64_t threads, apart;
    uint64_t first_time, again_request, again_thread, again_block, other_block;
    uint64_t own, foreign; /* loads of shared memory: of what the thread itself stored, of anything else */
};

struct sample {
    uint32_t array, mask, span;
    bool store;
    uint32_t address[SIMT_LANES];
};

/* Keys of 64 bits, 0 free. */
struct set {
    uint64_t *keys;
    uint32_t *request; /* by which each came; NULL: not kept */
};

/* An element that a block loaded, and the site that was first to. */
struct element {
    uint64_t key;
    uint32_t site;
};

struct padding {
    uint32_t row, pad;
    uint64_t passes, padded;
};

/* How a branch splits its warps. */
struct branch_view {
    uint32_t taken, divergent, alike;
};

struct observer {
    uint64_t block;
    const struct simt_module *module;
    struct site *sites;
    struct site_view *views;
    struct branch_view *branches; /* by flat instruction */
    struct set elements, owners;
    struct element *loaded;
    uint32_t loaded_count;
    uint16_t *writers; /* of each word of shared memory: 1 + thread, 0 nobody */
    struct sample *samples;
    uint32_t sample_count, requests, warp, in_warp;
    bool missed_shared; /* not all of its accesses to shared memory were seen */
    uint32_t next_y;    /* warps from a thread to the one next in threadIdx.y; 0: not whole warps */
    struct padding paddings[ARRAYS];
};

/* ---- choosing and making */

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
    memset(observer->sites, 0, ((size_t)module->site_total + 1) * sizeof *observer->sites);
    return true;
}

bool observers_create(struct launch *launch) {
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

void observers_destroy(struct launch *launch) {
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

struct observer *observer_of(const struct launch *launch, uint64_t block) {
    for (uint32_t i = 0; i < launch->observer_count; i++)
        if (launch->observers[i].block == block)
            return &launch->observers[i];
    return NULL;
}

struct site *observer_sites(const struct observer *observer) {
    return observer->sites;
}

void observed_counts(const struct launch *launch, uint32_t site, struct site *sum) {
    for (uint32_t k = 0; k < launch->observer_count; k++) {
        const struct site *seen = &launch->observers[k].sites[site];
        sum->requests += seen->requests;
        sum->transactions += seen->transactions;
        sum->ideal += seen->ideal;
        sum->threads += seen->threads;
        sum->lines += seen->lines;
    }
}

void observer_begin_warp(struct observer *observer) {
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
    uint32_t along = 1; /* lanes that follow the stride of the first two */
    if (stride * (int64_t)apart == difference)
        while (along < n &&
               (int64_t)(address[lane[along]] - base) == stride * (int64_t)(lane[along] - lane[0]))
            along++;
    if (along == n)
        return (struct shape){stride ? LANES_STRIDE : LANES_SAME, SIMT_LANES, stride, 0};
    uint32_t group = along;
    if (group < 2 || (mask & (mask + 1)) != 0) /* groups are looked for in lanes 0, 1, ... only */
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
    return access_apart(address, mask);
}

/* Whether the key is new to the set; *slot where it lies. */
static bool set_add(struct set *set, uint64_t key, uint32_t *slot) {
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 47);
    while (set->keys[at] != 0 && set->keys[at] != key)
        at = (at + 1) % SET_SLOTS;
    *slot = at;
    if (set->keys[at] == key)
        return false;
    set->keys[at] = key;
    return true;
}

static bool set_has(const struct set *set, uint64_t key) {
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 47);
    while (set->keys[at] != 0 && set->keys[at] != key)
        at = (at + 1) % SET_SLOTS;
    return set->keys[at] == key;
}

/* An address and who touched it, as one key. Device addresses leave the upper 16 bits free: a warp of a block has one of
 * 32 indices, a lane one of 32. */
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

static uint32_t array_of(const struct launch *launch, uint64_t address) {
    const struct ptx_module *program = launch->module->program;
    uint32_t open = ARRAYS;
    for (uint32_t i = 0; i < program->shared_array_count && i < ARRAYS; i++) {
        const struct ptx_shared_array *array = &program->shared_arrays[i];
        if (array->function >= 0 && launch->module->codes[array->function].function != launch->code->function)
            continue;
        if (address - array->offset < array->size)
            return i;
        if (array->size == 0 && address >= launch->code->function->shared_bytes)
            open = i;
    }
    return open;
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
    if (kind == LINE_ATOMIC || observer->sample_count == SAMPLES)
        return;
    struct sample *sample = &observer->samples[observer->sample_count++];
    *sample = (struct sample){.array = array_of(launch, address[__builtin_ctz(mask)]),
                              .mask = mask,
                              .span = span,
                              .store = kind == LINE_SHARED_STORE};
    for (uint32_t left = mask; left; left &= left - 1)
        sample->address[__builtin_ctz(left)] = (uint32_t)address[__builtin_ctz(left)];
}

/* ---- */

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

bool observe_request(struct window_header *window, struct site *site, const uint64_t *address, uint32_t mask,
                     uint32_t span) {
    struct observer *observer = window->observer;
    uint32_t index = (uint32_t)(site - observer->sites), warp = window->warp->index;
    struct site_view *view = &observer->views[index];
    const struct launch *launch = window->worker->launch;
    int kind = count_site_kind(launch->module, index);
    bool shared = kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE ||
                  (kind == LINE_ATOMIC && count_site_is_shared(launch->module, index));
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

void observe_branch(struct observer *observer, uint32_t index, uint32_t taken) {
    struct branch_view *view = &observer->branches[index];
    if (view->divergent == 0)
        view->taken = taken;
    view->alike += taken == view->taken;
    view->divergent++;
}

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
        tried->passes += shared_wavefronts(sample->address, sample->mask, sample->span, sample->store).count;
        tried->padded += shared_wavefronts(moved, sample->mask, sample->span, sample->store).count;
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

/* Each array's rows as the lanes' distance at its sites shows them. */
static void try_paddings(const struct launch *launch, struct observer *observer) {
    for (uint32_t i = 0; i < launch->module->site_total; i++) {
        const struct site_view *view = &observer->views[i];
        const struct site *site = &observer->sites[i];
        int kind = count_site_kind(launch->module, i);
        if (view->shaped == 0 || site->transactions <= site->ideal ||
            (kind != LINE_SHARED_LOAD && kind != LINE_SHARED_STORE))
            continue;
        uint32_t array = array_of(launch, view->first);
        if (array == ARRAYS)
            continue;
        for (uint32_t s = 0; s < SHAPES && view->shapes[s].count; s++) {
            try_rows(launch, observer, array, view->shapes[s].shape.stride);
            try_rows(launch, observer, array, view->shapes[s].shape.jump);
        }
    }
}

/* ---- what comes of it */

void observers_finish(struct launch *launch) {
    if (launch->observer_count == 0)
        return;
    try_paddings(launch, &launch->observers[0]);
    struct observer *first = &launch->observers[0];
    for (uint32_t i = 0; launch->observer_count > 1 && i < first->loaded_count; i++)
        first->views[first->loaded[i].site].other_block +=
            set_has(&launch->observers[1].elements, first->loaded[i].key);
}

/* "_ZZ6kernelPfE4tile" -> "tile": the last name of known length that ends the whole. */
static void plain_name(const char *mangled, char *text, size_t size) {
    const char *name = mangled;
    size_t length = strlen(mangled);
    for (size_t i = 1; mangled[0] == '_' && i < length; i++) {
        if (mangled[i] < '1' || mangled[i] > '9' || (mangled[i - 1] >= '0' && mangled[i - 1] <= '9'))
            continue;
        char *end;
        unsigned long named = strtoul(mangled + i, &end, 10);
        size_t left = length - (size_t)(end - mangled);
        if (named == left ||
            (named < left && end[named] == '_' && end[named + 1] >= '0' && end[named + 1] <= '9')) {
            name = end;
            length = (size_t)(end - mangled) + named;
            break;
        }
    }
    snprintf(text, size, "%.*s", (int)(length - (size_t)(name - mangled)), name);
}

static void name_array(const struct launch *launch, int kind, bool shared, const struct site_view *view,
                       struct line_facts *facts) {
    if (shared) {
        uint32_t array = array_of(launch, view->first);
        if (array < ARRAYS)
            plain_name(launch->module->program->shared_arrays[array].name, facts->array, sizeof facts->array);
        return;
    }
    if (kind == LINE_LOCAL_LOAD || kind == LINE_LOCAL_STORE)
        return;
    const struct allocation *allocation = device_allocation(launch->device, view->first);
    if (allocation == NULL)
        return;
    const char *quoted = strchr(allocation->what, '\'');
    snprintf(facts->array, sizeof facts->array, "%s", allocation->what);
    if (strncmp(allocation->what, "variable '", 10) == 0 && quoted != NULL) {
        char mangled[sizeof allocation->what];
        snprintf(mangled, sizeof mangled, "%.*s", (int)strcspn(quoted + 1, "'"), quoted + 1);
        plain_name(mangled, facts->array, sizeof facts->array);
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

void observed_facts(const struct launch *launch, uint32_t site, struct line_facts *facts) {
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
    int kind = count_site_kind(launch->module, site);
    bool shared = kind == LINE_SHARED_LOAD || kind == LINE_SHARED_STORE ||
                  (kind == LINE_ATOMIC && count_site_is_shared(launch->module, site));
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
        line_fact_set(facts, FACT_fixed, count_site_is_fixed(launch->module, site));
    uint32_t array = shared ? array_of(launch, view->first) : ARRAYS;
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

void observed_branch(const struct launch *launch, uint32_t index, struct line_facts *facts) {
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

void observed_merge(struct line_facts *line, const struct line_facts *site, bool worse) {
    static const enum line_fact sums[] = {FACT_looked_at,    FACT_first_time,  FACT_again_request,
                                          FACT_again_thread, FACT_again_block, FACT_other_block,
                                          FACT_instructions, FACT_divergent};
    /* what the compiler's copies of one access share least of is what holds for all of them */
    static const enum line_fact least[] = {FACT_unaligned, FACT_own, FACT_fixed};
    bool only = (line->lanes == LANES_UNKNOWN) !=
                (site->lanes == LANES_UNKNOWN); /* one was seen: it stands for both */
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

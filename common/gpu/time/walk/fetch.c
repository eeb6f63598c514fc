/* fetch.c: when a warp's next instruction is fetched. */
#include "gpu/time/walk/sm_state.h"

#include <stdlib.h>

/* Neighbours in the order of use. */
struct fetch_order {
    uint32_t newer, older;
    bool held;
};

static bool begin_cache(struct fetch_cache *cache, uint32_t lines, uint32_t bytes) {
    *cache = (struct fetch_cache){
        .room = bytes / (16 * FETCH_LINE) + 1, .newest = UINT32_MAX, .oldest = UINT32_MAX};
    cache->order = calloc(lines + 1u, sizeof *cache->order);
    return cache->order != NULL;
}

static void take_out(struct fetch_cache *cache, uint32_t line) {
    struct fetch_order *at = &cache->order[line];
    *(at->newer == UINT32_MAX ? &cache->newest : &cache->order[at->newer].older) = at->older;
    *(at->older == UINT32_MAX ? &cache->oldest : &cache->order[at->older].newer) = at->newer;
    at->held = false;
    cache->held--;
}

/* Uses a line now. True: the cache held it. */
static bool use(struct fetch_cache *cache, uint32_t line) {
    struct fetch_order *at = &cache->order[line];
    bool held = at->held;
    if (held && cache->newest == line)
        return true;
    if (held)
        take_out(cache, line);
    else if (cache->held == cache->room)
        take_out(cache, cache->oldest);
    *at = (struct fetch_order){.newer = UINT32_MAX, .older = cache->newest, .held = true};
    *(cache->newest == UINT32_MAX ? &cache->oldest : &cache->order[cache->newest].newer) = line;
    cache->newest = line;
    cache->held++;
    return held;
}

bool fetch_begin(struct fetch *fetch, const struct gpu_model *model, const struct gpu_code *code) {
    *fetch = (struct fetch){.model = model, .line_count = code->instruction_count / FETCH_LINE + 1};
    fetch->there = calloc(fetch->line_count + 1u, sizeof *fetch->there);
    bool own = begin_cache(&fetch->own, fetch->line_count, model->code_bytes);
    bool group = begin_cache(&fetch->group, fetch->line_count, model->code_group_bytes);
    /* The launch before left the kernel in the shared cache, where all of it has room. */
    for (uint32_t line = 0;
         own && group && fetch->line_count <= fetch->group.room && line < fetch->line_count; line++)
        use(&fetch->group, line);
    return fetch->there != NULL && own && group;
}

void fetch_end(struct fetch *fetch) {
    free(fetch->own.order);
    free(fetch->group.order);
    free(fetch->there);
}

double fetch_instruction(struct fetch *fetch, uint32_t next, double at) {
    uint32_t line = next / FETCH_LINE;
    bool follows =
        line == 0 || fetch->own.order[line - 1].held; /* a launch's first line is part of its start */
    if (use(&fetch->own, line))
        return fetch->there[line];
    bool near = use(&fetch->group, line);
    double cycles = near ? fetch->model->code_group_cycles : fetch->model->code_l2_cycles;
    /* In a stream the line comes behind the one before it; otherwise the warp waits for the
     * whole latency. */
    double begins = follows && line > 0 ? fetch->there[line - 1]
                                        : at + (fetch->model->code_lines_in_flight - 1) * cycles * (line > 0);
    if (begins < fetch->free)
        begins = fetch->free;
    fetch->there[line] = begins + cycles * (line > 0);
    if (follows) /* a line of the stream came then, even if a warp asks for it later */
        fetch->free = fetch->there[line];
    return fetch->there[line];
}

/* waits.c: what warps waited for, and what-ifs, by machine instruction, as a report has them: by source line. */
#include "gpu/runtime/binding/fill.h"

#include <stdlib.h>
#include <string.h>

static bool add_line(struct kernel_waits *waits, const struct binding_place *place,
                     const double sums[GPU_STALL_COUNT], double all) {
    double line = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        line += sums[i];
    enum gpu_stall top = gpu_stall_top(sums);
    if (line <= 0)
        return true;
    struct kernel_wait *to = &waits->lines[waits->count];
    *to = (struct kernel_wait){.file = strdup(place->file),
                               .line = place->line,
                               .share = line / all,
                               .stall = top == GPU_STALL_COUNT ? GPU_STALL_SELECTED : top,
                               .stall_share = top == GPU_STALL_COUNT ? 0 : sums[top] / all};
    waits->count += to->file != NULL;
    return to->file != NULL;
}

bool binding_waits(struct binding *binding, const struct ptx_module *program, const char *name,
                   const struct simt_result *result, const struct gpu_code *code, const struct gpu_time *time,
                   struct kernel_waits *waits) {
    const struct sass_kernel *kernel = binding_find(binding, name);
    double all = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        all += time->stalls[i];
    if (kernel == NULL || code->waits == NULL || !time->by_code || !(all > 0))
        return true;
    struct binding_place *places = binding_places(kernel, program, result);
    waits->lines = calloc(kernel->count + 1u, sizeof *waits->lines);
    bool right = places != NULL && waits->lines != NULL;
    uint32_t count = right ? kernel->count : 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        waits->share[i] = time->stalls[i] / all;
    waits->known = true;
    double walked = 0;
    for (size_t i = 0; i < (size_t)code->instruction_count * GPU_STALL_COUNT; i++)
        walked += code->waits[i];
    for (uint32_t first = 0, same; right && first < count; first += same) {
        double sums[GPU_STALL_COUNT] = {0};
        same = binding_places_alike(&places[first], count - first);
        for (uint32_t k = first; k < first + same; k++)
            for (int i = 0; i < GPU_STALL_COUNT; i++)
                sums[i] += code->waits[(size_t)places[k].instruction * GPU_STALL_COUNT + i];
        right = places[first].line == 0 || add_line(waits, &places[first], sums, walked);
    }
    free(places);
    kernel_waits_sort(waits);
    return right;
}

bool binding_what_ifs(struct binding *binding, const struct ptx_module *program, const char *name,
                      const struct simt_result *result, const struct gpu_model *model,
                      const struct gpu_launch *how, const struct gpu_time *time,
                      struct kernel_what_ifs *what_ifs) {
    const struct sass_kernel *kernel = binding_find(binding, name);
    struct gpu_what_if found[GPU_WHAT_IFS];
    struct binding_place *places = kernel != NULL ? binding_places(kernel, program, result) : NULL;
    uint32_t *lines = places != NULL ? calloc(kernel->count + 1u, sizeof *lines) : NULL;
    for (uint32_t first = 0, same; lines != NULL && first < kernel->count; first += same) {
        same = binding_places_alike(&places[first], kernel->count - first);
        for (uint32_t k = first; k < first + same; k++)
            lines[places[k].instruction] = places[first].line > 0 ? first + 1 : 0;
    }
    uint32_t count = lines != NULL ? gpu_what_ifs(model, how, time, lines, found) : 0;
    bool right = kernel == NULL || lines != NULL;
    for (uint32_t i = 0; right && i < count; i++) {
        const struct binding_place *at = found[i].line > 0 ? &places[found[i].line - 1] : NULL;
        what_ifs->items[i] = (struct kernel_what_if){found[i].lift, strdup(at != NULL ? at->file : ""),
                                                     at != NULL ? at->line : 0, found[i].factor};
        right = what_ifs->items[i].file != NULL;
        what_ifs->count += right;
    }
    free(lines);
    free(places);
    return right;
}

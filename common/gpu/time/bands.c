/* bands.c: kinds of kernels that modelled times are off by differently, and by how much. */
#include "gpu/time/gpus.h"

#include <math.h>

/* As tools/public-kernels divides the recording that the bands are from. Accesses of 16 bytes take 16 sectors. */
enum { SCATTERED_SECTORS = 16, FEW_BLOCKS = 4 };

static const struct {
    const char *name, *meaning;
    size_t band; /* offset of the model's figure */
} kinds[GPU_KIND_COUNT] = {
#define KIND(field, name, meaning)                                                                           \
    { name, meaning, offsetof(struct gpu_model, field) }
    [GPU_KIND_FULL_GRID] = KIND(band_full_grid, "full grid", "full grids with accesses to few sectors"),
    [GPU_KIND_PART_GRID] = KIND(band_part_grid, "part grid", "grids of fewer blocks than SMs"),
    [GPU_KIND_FEW_BLOCKS] = KIND(band_few_blocks, "few blocks", "grids of one to four blocks"),
    [GPU_KIND_LOADS] =
        KIND(band_scattered_loads, "scattered loads", "loads of more than 16 sectors a request"),
    [GPU_KIND_STORES] =
        KIND(band_scattered_stores, "scattered stores", "stores of more than 16 sectors a request"),
    [GPU_KIND_ATOMICS] = KIND(band_atomics, "atomics", "atomics on global memory"),
    [GPU_KIND_SHARED_ATOMICS] = KIND(band_shared_atomics, "shared atomics", "atomics on shared memory"),
    [GPU_KIND_LOCAL] = KIND(band_local, "local memory", "local memory: spilled registers, arrays"),
#undef KIND
};

const char *gpu_kind_name(enum gpu_kind kind) {
    return kind == GPU_KIND_UNKNOWN || (unsigned)kind >= GPU_KIND_COUNT ? "" : kinds[kind].name;
}

const char *gpu_kind_meaning(enum gpu_kind kind) {
    return kind == GPU_KIND_UNKNOWN || (unsigned)kind >= GPU_KIND_COUNT ? "" : kinds[kind].meaning;
}

double gpu_kind_band(const struct gpu_model *model, enum gpu_kind kind) {
    if (kind == GPU_KIND_UNKNOWN || (unsigned)kind >= GPU_KIND_COUNT)
        return (double)NAN;
    return *(const double *)((const char *)model + kinds[kind].band);
}

static bool scattered(uint64_t sectors, uint64_t requests) {
    return requests > 0 && sectors > SCATTERED_SECTORS * requests;
}

enum gpu_kind gpu_kind_of(const struct gpu_model *model, const struct counters *c, const uint32_t grid[3],
                          bool local) {
    double blocks = (double)grid[0] * grid[1] * grid[2];
    bool full = blocks >= model->sm_count, few = blocks <= FEW_BLOCKS, part = !full && !few;
    const bool is[GPU_KIND_COUNT] = {
        [GPU_KIND_FULL_GRID] = full,
        [GPU_KIND_PART_GRID] = part,
        [GPU_KIND_FEW_BLOCKS] = few,
        [GPU_KIND_LOADS] = scattered(c->global_load_sectors, c->global_load_requests),
        [GPU_KIND_STORES] = scattered(c->global_store_sectors, c->global_store_requests),
        [GPU_KIND_ATOMICS] = c->atomics != 0,
        [GPU_KIND_SHARED_ATOMICS] = c->shared_atomics != 0,
        [GPU_KIND_LOCAL] = local || c->local_load_requests != 0 || c->local_store_requests != 0 ||
                           c->machine_local_loads != 0 || c->machine_local_stores != 0,
    };
    enum gpu_kind widest = GPU_KIND_UNKNOWN;
    for (enum gpu_kind kind = GPU_KIND_FULL_GRID; kind < GPU_KIND_COUNT; kind++)
        if (is[kind] &&
            (widest == GPU_KIND_UNKNOWN || gpu_kind_band(model, kind) > gpu_kind_band(model, widest)))
            widest = kind;
    return widest;
}

/* latency.c: latencies of L2 and DRAM. L2 has a near and a far half, DRAM idle and busy banks. An access
 * to several lines takes as long as its last line. */
#include "gpu/time/walk/sm_state.h"

#include <math.h>

double latency_of_l2(struct sm *sm, double lines) {
    sm->memory.l2_phase = fmod(sm->memory.l2_phase + 0.6180339887, 1);
    double drawn = lines > 1.5 ? pow(sm->memory.l2_phase, 1 / lines) : sm->memory.l2_phase;
    return sm->model->latency_l2 + sm->model->latency_l2_spread * (drawn - 0.5);
}

static double curve_at(const struct gpu_curve *curve, double share) {
    uint32_t i = 1;
    while (i + 1 < curve->count && share > curve->points[i].share)
        i++;
    double from = curve->points[i - 1].share, to = curve->points[i].share;
    return curve->points[i - 1].value +
           (curve->points[i].value - curve->points[i - 1].value) * (share - from) / (to - from);
}

double latency_of_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in,
                       double lines, double share) {
    uint32_t i = (uint32_t)(in - sm->code->instructions), warps = sm->load->warps_per_block;
    uint32_t index = warp->index % warps, block = warp->index / warps, eighth = index / 8;
    double visits = sm->memory.visits[(size_t)(warp - sm->warps) * sm->code->instruction_count + i];
    /* independent lines; otherwise the warps of a block ask for neighbouring lines, eight warps
     * alike */
    bool apart = lines > 4 && lines_per_sector(in) > 0.5;
    double count = apart ? lines * fmin(share, 1) : 1 + (lines - 1) * sm->model->dram_neighbour_weight;
    double drawn = 0.7548776662 * block + 0.569840291 * visits + 0.381966 * i +
                   (apart ? 0.6180339887 * index : 0.37 * eighth);
    drawn = fmod(drawn + sm->load->latency_phase, 1);
    return sm->model->latency_dram_cold *
           curve_at(&sm->model->latency_dram_curve, count > 1 ? pow(drawn, 1 / count) : drawn);
}

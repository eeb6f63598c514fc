/* late.c: see late.h. Halves of L2 are near and far, banks of DRAM idle and busy; of several lines the last one counts. */
#include "gpus/late.h"

#include <math.h>

double late_l2(struct sm *sm, double lines) {
    sm->drawn = fmod(sm->drawn + 0.6180339887, 1);
    double drawn = lines > 1.5 ? pow(sm->drawn, 1 / lines) : sm->drawn;
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

double late_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in, double lines,
                 double share) {
    uint32_t i = (uint32_t)(in - sm->code->instructions), warps = sm->load->warps_per_block;
    uint32_t index = warp->index % warps, block = warp->index / warps, eighth = index / 8;
    double visits = sm->visits[(size_t)(warp - sm->warps) * sm->code->instruction_count + i];
    /* here and there, each for itself; else the warps of a block ask for what lies side by side, eight at a time alike */
    bool apart = lines > 4 && lines_for_sector(in) > 0.5;
    double count = apart ? lines * fmin(share, 1) : 1 + (lines - 1) * sm->model->dram_neighbour_weight;
    double drawn = 0.7548776662 * block + 0.569840291 * visits + 0.381966 * i +
                   (apart ? 0.6180339887 * index : 0.37 * eighth);
    drawn = fmod(drawn + sm->load->phase, 1);
    return sm->model->latency_dram_cold *
           curve_at(&sm->model->latency_dram_curve, count > 1 ? pow(drawn, 1 / count) : drawn);
}

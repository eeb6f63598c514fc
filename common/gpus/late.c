/* late.c: see late.h. Halves of L2 are near and far, banks of DRAM idle and busy; of several lines the last one counts. */
#include "gpus/late.h"

#include <math.h>

static const double l2_spread = 62; /* near and far half: 254 to 265 and 299 to 314 cycles (calibration) */

/* What part of DRAM's answers is there by then, of the mean, where nothing else is under way: dram_latency_* of the calibration. */
static const struct {
    double part, time;
} dram_answers[] = {{0, 0.74},     {0.01, 0.748},  {0.1, 0.782}, {0.25, 0.821}, {0.36, 0.861},
                    {0.44, 0.981}, {0.5, 1.018},   {0.75, 1.1},  {0.9, 1.209},  {0.95, 1.437},
                    {0.99, 1.728}, {0.999, 1.863}, {1, 1.892}};

/* Lines side by side answer at about the same time (correlation of neighbours 0.67, over 16 lines 0.2): each more counts as so many. */
static const double beside = 0.2;

double late_l2(struct sm *sm, double lines) {
    sm->drawn = fmod(sm->drawn + 0.6180339887, 1);
    double drawn = lines > 1.5 ? pow(sm->drawn, 1 / lines) : sm->drawn;
    return sm->model->latency_l2 + l2_spread * (drawn - 0.5);
}

static double answered(double part) {
    uint32_t i = 1;
    while (i + 1 < sizeof dram_answers / sizeof *dram_answers && part > dram_answers[i].part)
        i++;
    double from = dram_answers[i - 1].part, to = dram_answers[i].part;
    return dram_answers[i - 1].time +
           (dram_answers[i].time - dram_answers[i - 1].time) * (part - from) / (to - from);
}

double late_dram(const struct sm *sm, const struct warp *warp, const struct gpu_instruction *in, double lines,
                 double share) {
    uint32_t i = (uint32_t)(in - sm->code->instructions), warps = sm->load->warps_per_block;
    uint32_t index = warp->index % warps, block = warp->index / warps, eighth = index / 8;
    double visits = sm->visits[(size_t)(warp - sm->warps) * sm->code->instruction_count + i];
    /* here and there, each for itself; else the warps of a block ask for what lies side by side, eight at a time alike */
    bool apart = lines > 4 && lines_for_sector(in) > 0.5;
    double count = apart ? lines * fmin(share, 1) : 1 + (lines - 1) * beside;
    double drawn = 0.7548776662 * block + 0.569840291 * visits + 0.381966 * i +
                   (apart ? 0.6180339887 * index : 0.37 * eighth);
    drawn = fmod(drawn + sm->load->phase, 1);
    return sm->model->latency_dram_cold * answered(count > 1 ? pow(drawn, 1 / count) : drawn);
}

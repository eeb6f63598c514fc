/* figure_machine.c: the chip, its waves of blocks, what is in flight, and the way of working. */
#include "slides/figures.h"
#include "slides/svg.h"

#include "gpus/gpus.h"
#include <math.h>

bool figure_chip(struct figure *figure) {
    FILE *out = figure->out;
    struct gpu_model model;
    char folder[PATH_SIZE];
    if (!path_join(folder, data_root(figure->data), "common/gpus") ||
        !gpu_model_load(folder, figure->word[0], &model, figure->error, figure->size))
        return false;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT,
              "multiprocessors, their partitions, the caches and the memory");
    for (int sm = 0; sm < 3; sm++) {
        double x = 20 + sm * 260;
        svg_box(out, x, 20, 240, 240, SVG_PALE, SVG_BLACK);
        svg_text(out, x + 120, 52, SVG_MIDDLE, SVG_BLACK, "multiprocessor");
        for (int part = 0; part < 4; part++)
            svg_box(out, x + 12 + part * 55, 66, 51, 100, SVG_SKY, SVG_BLACK);
        svg_box(out, x + 12, 178, 216, 70, SVG_YELLOW, SVG_BLACK);
        svg_text(out, x + 120, 221, SVG_MIDDLE, SVG_BLACK, "L1 + shared");
        svg_line(out, x + 120, 260, x + 120, 290, SVG_BLACK, 3);
    }
    svg_box(out, 20, 290, 760, 56, SVG_ORANGE, SVG_BLACK);
    svg_text(out, 400, 326, SVG_MIDDLE, SVG_BLACK, "L2 cache, %.0f MB", model.l2_bytes / 1048576.0);
    svg_line(out, 400, 346, 400, 372, SVG_BLACK, 3);
    svg_box(out, 20, 372, 760, 56, SVG_PURPLE, SVG_BLACK);
    svg_text(out, 400, 408, SVG_MIDDLE, SVG_BLACK, "device memory, %.1f TB/s", model.dram_gbs / 1000.0);
    svg_text(out, 810, 50, SVG_LEFT, SVG_BLACK, "%s", model.name);
    svg_text(out, 810, 100, SVG_LEFT, SVG_BLACK, "%u multiprocessors", model.sm_count);
    svg_text(out, 810, 140, SVG_LEFT, SVG_BLACK, "%u warps each, at most", model.max_warps_per_sm);
    svg_text(out, 810, 180, SVG_LEFT, SVG_BLUE, "%u partitions, each with a", model.warp_granularity);
    svg_text(out, 810, 214, SVG_LEFT, SVG_BLUE, "scheduler and registers");
    svg_text(out, 810, 326, SVG_LEFT, SVG_BLACK, "about %.0f cycles away", (double)model.latency_l2);
    svg_text(out, 810, 408, SVG_LEFT, SVG_BLACK, "farther still");
    svg_end(out);
    return true;
}

bool figure_apod(struct figure *figure) {
    static const struct {
        const char *name, *what, *colour;
    } part[] = {{"Assess", "measure, rank, find the limiter", SVG_SKY},
                {"Parallelise", "give the work to more threads", SVG_YELLOW},
                {"Optimise", "take work from the full unit", SVG_ORANGE},
                {"Deploy", "test, keep, measure again", SVG_PURPLE}};
    FILE *out = figure->out;
    svg_begin(out, FIGURE_WIDTH, 400, "assess, parallelise, optimise, deploy, and again");
    for (int i = 0; i < 4; i++) {
        double x = 60 + (i == 1 || i == 2) * 560, y = 30 + (i > 1) * 220;
        svg_box(out, x, y, 460, 120, part[i].colour, SVG_BLACK);
        svg_text(out, x + 230, y + 50, SVG_MIDDLE, SVG_BLACK, "%d. %s", i + 1, part[i].name);
        svg_text(out, x + 230, y + 90, SVG_MIDDLE, SVG_BLACK, "%s", part[i].what);
    }
    svg_arrow(out, 520, 90, 618, 90, SVG_BLACK);
    svg_arrow(out, 850, 150, 850, 248, SVG_BLACK);
    svg_arrow(out, 620, 310, 522, 310, SVG_BLACK);
    svg_arrow(out, 290, 250, 290, 152, SVG_BLACK);
    svg_end(out);
    return true;
}

/* Copies and kernels one after the other, and with two streams. */
bool figure_streams(struct figure *figure) {
    static const char *const name[] = {"in", "kernel", "out"};
    static const char *const colour[] = {SVG_SKY, SVG_YELLOW, SVG_ORANGE};
    FILE *out = figure->out;
    const double piece = 100, left = 220, height = 44;
    svg_begin(out, FIGURE_WIDTH, 380, "copies in, kernels and copies out, in one stream and in two");
    svg_text(out, left - 20, 60, SVG_RIGHT, SVG_BLACK, "one stream");
    for (int i = 0; i < 6; i++) {
        svg_box(out, left + i * piece, 30, piece, height, colour[i % 3], SVG_BLACK);
        svg_text(out, left + (i + 0.5) * piece, 60, SVG_MIDDLE, SVG_BLACK, "%s", name[i % 3]);
    }
    for (int stream = 0; stream < 2; stream++) {
        double y = 150 + stream * 70;
        svg_text(out, left - 20, y + 30, SVG_RIGHT, SVG_BLACK, "stream %d", stream + 1);
        for (int i = 0; i < 3; i++) {
            svg_box(out, left + (i + stream) * piece, y, piece, height, colour[i], SVG_BLACK);
            svg_text(out, left + (i + stream + 0.5) * piece, y + 30, SVG_MIDDLE, SVG_BLACK, "%s", name[i]);
        }
    }
    svg_arrow(out, left, 300, left + 800, 300, SVG_BLACK);
    svg_text(out, left + 815, 308, SVG_LEFT, SVG_BLACK, "time");
    svg_text(out, left, 350, SVG_LEFT, SVG_BLACK, "6 pieces of time become 4; no kernel is faster.");
    svg_end(out);
    return true;
}

bool figure_waves(struct figure *figure) {
    FILE *out = figure->out;
    int blocks, slots;
    if (!figure_number(figure, 0, 1, 100000, &blocks) || !figure_number(figure, 1, 1, 100000, &slots))
        return false;
    double waves = (double)blocks / slots;
    int whole = (int)ceil(waves);
    if (whole > 8)
        return figure_refuse(figure, "more than 8 waves do not fit the slide");
    const double left = 60, top = 40, height = 260, width = 1000.0 / whole;
    svg_begin(out, FIGURE_WIDTH, 420, "waves of blocks over the chip's slots, and the tail");
    for (int wave = 0; wave < whole; wave++) {
        double share = wave + 1 < whole || waves == whole ? 1 : waves - (whole - 1);
        svg_box(out, left + wave * width, top, width - 6, height, SVG_PALE, SVG_BLACK);
        svg_box(out, left + wave * width, top + height * (1 - share), width - 6, height * share, SVG_SKY,
                SVG_BLACK);
        svg_text(out, left + (wave + 0.5) * width, top + height - 20, SVG_MIDDLE, SVG_BLACK, "wave %d",
                 wave + 1);
    }
    svg_arrow(out, left, top + height + 24, left + 1000, top + height + 24, SVG_BLACK);
    svg_text(out, left + 1012, top + height + 32, SVG_LEFT, SVG_BLACK, "time");
    svg_text(out, left, top + height + 74, SVG_LEFT, SVG_BLACK,
             "%d blocks, %d at a time: %.2f waves; %.0f %% of the slots' time is used", blocks, slots, waves,
             100 * waves / whole);
    svg_end(out);
    return true;
}

/* Little's law: what is on the way is rate times latency. */
bool figure_flight(struct figure *figure) {
    FILE *out = figure->out;
    struct gpu_model model;
    char folder[PATH_SIZE];
    if (!path_join(folder, data_root(figure->data), "common/gpus") ||
        !gpu_model_load(folder, "h200", &model, figure->error, figure->size))
        return false;
    double latency_ns = model.latency_dram / model.clock_mhz * 1000;
    double each = model.dram_gbs * latency_ns / model.sm_count;
    svg_begin(out, FIGURE_WIDTH, 400, "a pipe: its width is the rate, its length the latency");
    svg_box(out, 260, 60, 640, 130, SVG_PALE, SVG_BLACK);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 21; i++)
            svg_box(out, 268 + i * 30, 68 + row * 30, 24, 24, SVG_SKY, SVG_WHITE);
    svg_box(out, 40, 80, 160, 90, SVG_PURPLE, SVG_BLACK);
    svg_text(out, 120, 134, SVG_MIDDLE, SVG_BLACK, "memory");
    svg_arrow(out, 202, 125, 256, 125, SVG_BLACK);
    svg_arrow(out, 902, 125, 956, 125, SVG_BLACK);
    svg_box(out, 960, 80, 160, 90, SVG_YELLOW, SVG_BLACK);
    svg_text(out, 1040, 134, SVG_MIDDLE, SVG_BLACK, "SMs");
    svg_text(out, 580, 42, SVG_MIDDLE, SVG_BLACK, "length: %.0f ns under load, modelled (%.0f cycles)",
             latency_ns, (double)model.latency_dram);
    svg_text(out, 580, 230, SVG_MIDDLE, SVG_BLACK, "width: %.1f TB/s", model.dram_gbs / 1000.0);
    svg_text(out, 580, 300, SVG_MIDDLE, SVG_RED, "bytes in flight = rate x latency = %.1f MB",
             model.dram_gbs * latency_ns / 1e6);
    svg_text(out, 580, 345, SVG_MIDDLE, SVG_BLACK, "for each of %u multiprocessors: %.0f KB", model.sm_count,
             each / 1024);
    svg_end(out);
    return true;
}

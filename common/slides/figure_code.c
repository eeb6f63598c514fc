/* figure_code.c: machine code and the caches it comes from; copies of loops; warps that drift apart; blocks of unequal length. */
#include "slides/figures.h"
#include "slides/svg.h"

#include "gpus/gpus.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool load_h200(struct figure *figure, struct gpu_model *model) {
    char folder[PATH_SIZE];
    *model = (struct gpu_model){0};
    if (!path_join(folder, data_root(figure->data), "common/gpus"))
        return figure_refuse(figure, "the path of common/gpus is too long");
    return gpu_model_load(folder, "h200", model, figure->error, figure->size);
}

/* Where a warp's next instruction comes from, from near to far. */
bool figure_levels(struct figure *figure) {
    FILE *out = figure->out;
    struct gpu_model model;
    if (!load_h200(figure, &model))
        return false;
    svg_begin(out, FIGURE_WIDTH, 430, "the caches between a scheduler and the memory, for instructions");
    for (int sm = 0; sm < 2; sm++) {
        double x = 30 + sm * 350;
        svg_box(out, x, 20, 330, 200, SVG_PALE, SVG_BLACK);
        for (int part = 0; part < 4; part++) {
            svg_box(out, x + 16 + part * 76, 70, 66, 40, SVG_SKY, SVG_BLACK);
            svg_line(out, x + 49 + part * 76, 110, x + 49 + part * 76, 136, SVG_BLACK, 2);
        }
        svg_text(out, x + 165, 54, SVG_MIDDLE, SVG_BLACK, "SM, four schedulers");
        svg_box(out, x + 16, 136, 298, 64, SVG_YELLOW, SVG_BLACK);
        svg_text(out, x + 165, 176, SVG_MIDDLE, SVG_BLACK, "its own: %u KB", model.code_bytes / 1024);
        svg_line(out, x + 165, 200, x + 165, 250, SVG_BLACK, 3);
    }
    svg_box(out, 30, 250, 680, 60, SVG_ORANGE, SVG_BLACK);
    svg_text(out, 370, 288, SVG_MIDDLE, SVG_BLACK, "shared with neighbours: %u KB",
             model.code_group_bytes / 1024);
    svg_line(out, 370, 310, 370, 350, SVG_BLACK, 3);
    svg_box(out, 30, 350, 680, 60, SVG_PURPLE, SVG_BLACK);
    svg_text(out, 370, 388, SVG_MIDDLE, SVG_BLACK, "L2, and memory");
    svg_text(out, 740, 98, SVG_LEFT, SVG_BLUE, "a few lines of code each");
    svg_text(out, 740, 176, SVG_LEFT, SVG_BLACK, "%u instructions of 16 bytes", model.code_bytes / 16);
    svg_text(out, 740, 270, SVG_LEFT, SVG_BLACK, "from here a line of 8 takes");
    svg_text(out, 740, 302, SVG_LEFT, SVG_BLACK, "%.1f cycles", model.code_group_cycles);
    svg_text(out, 740, 388, SVG_LEFT, SVG_BLACK, "and from here %.1f", model.code_l2_cycles);
    svg_end(out);
    return true;
}

/* Cycles for each instruction of a loop, over its size, by a warp alone and by many together: SET, with rows code_32k_one_warp, code_32k_full. */
bool figure_fetch(struct figure *figure) {
    static const int sizes[] = {8, 16, 24, 32, 48, 64, 96, 112, 128, 160, 192, 256, 384};
    static const char *const kinds[] = {"one_warp", "full"}, *const names[] = {"one warp",
                                                                               "32 warps together"};
    static const char *const colours[] = {SVG_RED, SVG_BLUE};
    const double left = 90, top = 40, width = 780, height = 300, most = 6;
    FILE *out = figure->out;
    struct gpu_model model;
    if (!load_h200(figure, &model))
        return false;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "cycles for an instruction over the size of the loop");
    svg_box(out, left, top, width, height, SVG_WHITE, SVG_BLACK);
    svg_text(out, left, top - 14, SVG_LEFT, SVG_BLACK, "cycles for an instruction, measured");
    svg_text(out, left + width / 2, top + height + 68, SVG_MIDDLE, SVG_BLACK,
             "KB of the loop's machine code");
    for (int tick = 0; tick <= 6; tick += 2)
        svg_text(out, left - 12, top + height - tick / most * height + 8, SVG_RIGHT, SVG_BLACK, "%d", tick);
    for (int tick = 8; tick <= 256; tick *= 2)
        svg_text(out, left + log2(tick / 8.0) / 6 * width, top + height + 32, SVG_MIDDLE, SVG_BLACK, "%d",
                 tick);
    for (int i = 0; i < 2; i++) {
        double x = left + log2((i == 0 ? model.code_bytes : model.code_group_bytes) / 8192.0) / 6 * width;
        svg_dashes(out, x, top, x, top + height, SVG_GREEN);
    }
    for (int kind = 0; kind < 2; kind++) {
        double old_x = 0, old_y = 0;
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char row[40];
            double value;
            snprintf(row, sizeof row, "code_%dk_%s", sizes[i], kinds[kind]);
            if (!data_number(figure->data, figure->word[0], row, "value", false, &value, figure->error,
                             figure->size))
                return false;
            double x = left + log2(sizes[i] / 8.0) / 6 * width, y = top + height - value / most * height;
            if (i > 0)
                svg_line(out, old_x, old_y, x, y, colours[kind], 4);
            svg_dot(out, x, y, 6, colours[kind]);
            old_x = x;
            old_y = y;
        }
        svg_text(out, left + width + 20, old_y + 8, SVG_LEFT, colours[kind], "%s", names[kind]);
    }
    svg_text(out, left + width + 20, top + 110, SVG_LEFT, SVG_GREEN, "dashes: the SM's");
    svg_text(out, left + width + 20, top + 144, SVG_LEFT, SVG_GREEN, "cache, the next one");
    svg_end(out);
    return true;
}

/* A loop of the machine code and where four warps stand in it, together and apart. */
bool figure_drift(struct figure *figure) {
    static const double together[] = {0.44, 0.46, 0.48, 0.5}, apart[] = {0.06, 0.37, 0.63, 0.92};
    FILE *out = figure->out;
    const double left = 60, width = 1040, window = 0.16;
    svg_begin(out, FIGURE_WIDTH, 430, "warps at one place of a loop, and warps all over it");
    for (int panel = 0; panel < 2; panel++) {
        const double *place = panel == 0 ? together : apart;
        double top = 30 + panel * 200;
        svg_text(out, left, top, SVG_LEFT, SVG_BLACK, "%s",
                 panel == 0 ? "equal work: the warps go together" : "unequal work: they have drifted apart");
        svg_box(out, left, top + 74, width, 48, SVG_PALE, SVG_BLACK);
        for (int warp = 0; warp < 4; warp++)
            if (panel == 1 || warp == 0)
                svg_box(out, left + (place[warp] - window / 3) * width, top + 76, window / 1.8 * width, 44,
                        panel == 0 ? SVG_YELLOW : SVG_ORANGE, "none");
        for (int warp = 0; warp < 4; warp++)
            svg_arrow(out, left + place[warp] * width, top + 20, left + place[warp] * width, top + 72,
                      SVG_BLUE);
        svg_text(out, left, top + 154, SVG_LEFT, SVG_BLACK, "%s",
                 panel == 0 ? "one piece of code serves all four: each fetch is paid once"
                            : "four pieces, and more in a moment: they have to be there at the same time");
    }
    svg_text(out, left + width, 30, SVG_RIGHT, SVG_BLUE, "blue: where a warp is in the loop");
    svg_end(out);
    return true;
}

/* Copies of an inner loop's body within copies of an outer one, and what is left over of each: OUTER INNER. */
bool figure_copies(struct figure *figure) {
    FILE *out = figure->out;
    int outer, inner;
    if (!figure_number(figure, 0, 1, 4, &outer) || !figure_number(figure, 1, 1, 4, &inner))
        return false;
    int outer_all = outer + (outer > 1), inner_all = inner + (inner > 1);
    const double left = 40, gap = 16, width = 1080.0 / outer_all - gap, cell = (width - 20) / inner_all;
    svg_begin(out, FIGURE_WIDTH, 340, "copies of an inner loop's body within copies of the outer loop");
    for (int o = 0; o < outer_all; o++) {
        double x = left + o * (width + gap);
        svg_box(out, x, 50, width, 170, o < outer ? SVG_PALE : SVG_WHITE, SVG_BLACK);
        svg_text(out, x + width / 2, 36, SVG_MIDDLE, SVG_BLACK, o < outer ? "strip %d" : "left over", o + 1);
        for (int i = 0; i < inner_all; i++)
            svg_box(out, x + 10 + i * cell, 70, cell - 4, 130, i < inner ? SVG_SKY : SVG_YELLOW, SVG_BLACK);
    }
    svg_text(out, left, 262, SVG_LEFT, SVG_BLUE, "blue: a letter's 16 cells");
    svg_text(out, left + 360, 262, SVG_LEFT, SVG_BLACK, "yellow: for the letters that are left over");
    svg_text(out, left, 312, SVG_LEFT, SVG_RED, "%d x %d bodies of machine code: %d, where one would do",
             outer_all, inner_all, outer_all * inner_all);
    svg_end(out);
    return true;
}

/* Blocks of unequal length on places for them, the next one wherever a place is free first: BLOCKS PLACES. */
bool figure_tail(struct figure *figure) {
    enum { MOST_PLACES = 8 };
    FILE *out = figure->out;
    int blocks, places;
    if (!figure_number(figure, 0, 1, 40, &blocks) || !figure_number(figure, 1, 2, MOST_PLACES, &places))
        return false;
    double free_at[MOST_PLACES] = {0}, from[40], length[40], end = 0, used = 0;
    int place[40];
    for (int b = 0; b < blocks; b++) {
        place[b] = 0;
        for (int p = 1; p < places; p++)
            if (free_at[p] < free_at[place[b]])
                place[b] = p;
        from[b] = free_at[place[b]];
        length[b] = 60 + b * 37 % 61; /* from 1 to 2, as the lab's */
        free_at[place[b]] += length[b];
        used += length[b];
        end = fmax(end, free_at[place[b]]);
    }
    const double left = 60, width = 1000, row = 330.0 / places;
    svg_begin(out, FIGURE_WIDTH, 430, "blocks of unequal length on the places for them");
    for (int p = 0; p < places; p++)
        svg_box(out, left, 20 + p * row, width, row - 6, SVG_PALE, SVG_WHITE);
    for (int b = 0; b < blocks; b++)
        svg_box(out, left + from[b] / end * width, 20 + place[b] * row, length[b] / end * width - 3, row - 6,
                b < places ? SVG_SKY : SVG_ORANGE, SVG_BLACK);
    svg_arrow(out, left, 364, left + width, 364, SVG_BLACK);
    svg_text(out, left + width + 12, 372, SVG_LEFT, SVG_BLACK, "time");
    svg_text(out, left, 412, SVG_LEFT, SVG_BLACK,
             "drawn: %d blocks, %d places: %.2f waves; %.0f %% of the places' time is used", blocks, places,
             (double)blocks / places, 100 * used / (places * end));
    svg_end(out);
    return true;
}

/* Bytes of machine code of steps beside what the SM's cache holds: SET COLUMN ROW... */
bool figure_code(struct figure *figure) {
    double value[FIGURE_WORDS], most = 0;
    unsigned rows = figure->count - 2;
    FILE *out = figure->out;
    struct gpu_model model;
    if (!load_h200(figure, &model))
        return false;
    for (unsigned i = 0; i < rows; i++) {
        if (!data_number(figure->data, figure->word[0], figure->word[2 + i], figure->word[1], false,
                         &value[i], figure->error, figure->size))
            return false;
        most = fmax(most, value[i]);
    }
    if (most <= 0)
        return figure_refuse(figure, "no step has a byte of it");
    const double left = 150, width = 760, row = fmin(60, 340.0 / rows);
    double limit = left + model.code_bytes / most * width;
    svg_begin(out, FIGURE_WIDTH, rows * row + 60, "bytes of machine code of steps, and what the cache holds");
    for (unsigned i = 0; i < rows; i++) {
        double y = 10 + i * row;
        svg_text(out, left - 16, y + row / 2 + 6, SVG_RIGHT, SVG_BLACK, "%.*s",
                 (int)strcspn(figure->word[2 + i], "("), figure->word[2 + i]);
        svg_box(out, left, y, value[i] / most * width, row - 12,
                value[i] > model.code_bytes ? SVG_ORANGE : SVG_SKY, SVG_BLACK);
        svg_text(out, left + value[i] / most * width + 14, y + row / 2 + 6, SVG_LEFT, SVG_BLACK, "%.1f KB",
                 value[i] / 1024);
    }
    svg_dashes(out, limit, 4, limit, rows * row + 10, SVG_RED);
    svg_text(out, limit, rows * row + 44, SVG_MIDDLE, SVG_RED, "the SM's cache: %u KB",
             model.code_bytes / 1024);
    svg_end(out);
    return true;
}

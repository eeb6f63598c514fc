/* figure_loads.c: loads under way and waits for them: along time, and in an inner loop as the machine code has it. */
#include "slides/figures.h"
#include "slides/svg.h"

#include "gpus/gpus.h"
#include <math.h>
#include <string.h>

/* Loads that are each waited for, and loads that are waited for together: LOADS. */
bool figure_waits(struct figure *figure) {
    FILE *out = figure->out;
    struct gpu_model model;
    char folder[PATH_SIZE];
    int loads;
    if (!figure_number(figure, 0, 2, 6, &loads))
        return false;
    if (!path_join(folder, data_root(figure->data), "common/gpus") ||
        !gpu_model_load(folder, "h200", &model, figure->error, figure->size))
        return false;
    const double left = 60, each = 1040.0 / loads, load = 26, use = 18;
    const double latency = model.latency_dram_cold;
    svg_begin(out, FIGURE_WIDTH, 430, "loads one after the other, each with its wait, and loads together");
    svg_text(out, left, 36, SVG_LEFT, SVG_BLACK, "each load is waited for");
    for (int i = 0; i < loads; i++) {
        double x = left + i * each;
        svg_box(out, x, 52, load, 56, SVG_BLUE, SVG_BLACK);
        svg_box(out, x + load, 66, each - load - use, 28, SVG_GREY, SVG_WHITE);
        svg_box(out, x + each - use, 52, use, 56, SVG_GREEN, SVG_BLACK);
    }
    svg_text(out, left, 144, SVG_LEFT, SVG_BLACK, "%d waits of some %.0f cycles: %.0f", loads, latency,
             loads * latency);
    svg_text(out, left, 220, SVG_LEFT, SVG_BLACK, "all loads first, one wait for all");
    for (int i = 0; i < loads; i++) {
        svg_box(out, left + i * load, 236, load, 56, SVG_BLUE, SVG_BLACK);
        svg_box(out, left + loads * load + each - load + i * use, 236, use, 56, SVG_GREEN, SVG_BLACK);
    }
    svg_box(out, left + loads * load, 250, each - load, 28, SVG_GREY, SVG_WHITE);
    svg_text(out, left, 328, SVG_LEFT, SVG_BLACK, "1 wait: %.0f, with %d loads under way", latency, loads);
    svg_arrow(out, left, 362, left + 1040, 362, SVG_BLACK);
    svg_text(out, left, 408, SVG_LEFT, SVG_BLACK, "time of one warp:");
    static const struct {
        const char *text, *colour;
        double x;
    } key[] = {
        {"a load is issued", SVG_BLUE, 290}, {"the warp waits", SVG_GREY, 540}, {"its use", SVG_GREEN, 780}};
    for (unsigned i = 0; i < sizeof key / sizeof *key; i++) {
        svg_box(out, key[i].x, 386, 28, 28, key[i].colour, SVG_BLACK);
        svg_text(out, key[i].x + 40, 408, SVG_LEFT, SVG_BLACK, "%s", key[i].text);
    }
    svg_end(out);
    return true;
}

enum { MOST_STEPS = 6 };

/* How wide a sign of a loop's is drawn, in instructions; what is no sign, a table's quotes, is not. */
static double sign_width(char sign) {
    return sign == '.' ? 0.6 : strchr("Ls*", sign) != NULL ? 1 : 0;
}

/* How many instructions wide a step's loop is drawn; counts its waits and multiply-adds. */
static double loop_width(const char *order, unsigned *waits, unsigned *adds) {
    double width = 0;
    *waits = *adds = 0;
    for (const char *c = order; *c != '\0'; c++) {
        width += sign_width(*c);
        *waits += *c == '.';
        *adds += *c == '*';
    }
    return width;
}

/* A step's instructions in a row, at y, each so wide, the tallest so high. Shapes and letters tell them apart as colours do: a
 * load of the large array is tall, what else is executed low, a wait thin and the tallest. */
static void draw_loop(FILE *out, const char *order, double left, double y, double width, double height) {
    const double low = height * 0.6;
    double x = left;
    for (const char *c = order; *c != '\0'; c++) {
        if (*c == 'L')
            svg_box(out, x, y, width, height, SVG_BLUE, SVG_WHITE);
        else if (*c == 's' || *c == '*')
            svg_box(out, x, y + height - low, width, low, *c == 's' ? SVG_SKY : SVG_GREEN, SVG_WHITE);
        else if (*c == '.')
            svg_line(out, x + width * sign_width('.') / 2, y - 8, x + width * sign_width('.') / 2,
                     y + height + 8, SVG_RED, 7);
        if (*c == 'L' || *c == 's' || *c == '*')
            svg_text(out, x + width / 2, y + height - low / 2 + (*c == '*' ? 13 : 8), SVG_MIDDLE,
                     *c == 's' ? SVG_BLACK : SVG_WHITE, "%c", *c);
        x += width * sign_width(*c);
    }
}

/* Inner loops, instruction by instruction, all at one scale: SET ROW..., whose column "inner loop" has L a load of the large
 * array, s of the small one, * a multiply-add and . a wait. */
bool figure_loop(struct figure *figure) {
    FILE *out = figure->out;
    const char *order[MOST_STEPS];
    unsigned rows = figure->count - 1, waits[MOST_STEPS], adds[MOST_STEPS];
    double longest = 1;
    if (rows > MOST_STEPS)
        return figure_refuse(figure, "more than six steps");
    for (unsigned i = 0; i < rows; i++) {
        if (!data_text(figure->data, figure->word[0], figure->word[i + 1], "inner loop", false, &order[i],
                       figure->error, figure->size))
            return false;
        longest = fmax(longest, loop_width(order[i], &waits[i], &adds[i]));
    }
    /* as high as a slide has room for, with a line of text below */
    const double left = 10, strip = rows <= 2 ? 120 : 60, height = strip + 74;
    svg_begin(out, FIGURE_WIDTH, rows * height + 60, "loads, multiply-adds and waits of inner loops");
    for (unsigned i = 0; i < rows; i++) {
        double y = i * height;
        svg_text(out, left, y + 30, SVG_LEFT, SVG_BLACK, "%s: %u waits for %u multiply-adds",
                 figure->word[i + 1], waits[i], adds[i]);
        draw_loop(out, order[i], left, y + 50, 1130 / longest, strip);
    }
    static const struct {
        const char *text, *colour;
        double x;
    } key[] = {{"L: load, large array", SVG_BLUE, 10},
               {"s: load, small array", SVG_SKY, 340},
               {"*: multiply-add", SVG_GREEN, 670},
               {"wait", SVG_RED, 920}};
    for (unsigned i = 0; i < sizeof key / sizeof *key; i++) {
        svg_box(out, key[i].x, rows * height + 18, 24, 24, key[i].colour, SVG_BLACK);
        svg_text(out, key[i].x + 34, rows * height + 39, SVG_LEFT, SVG_BLACK, "%s", key[i].text);
    }
    svg_end(out);
    return true;
}

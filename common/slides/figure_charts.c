/* figure_charts.c: charts of recorded figures, and of what the occupancy calculator says. */
#include "slides/figures.h"
#include "slides/svg.h"

#include "gpus/gpus.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const COLOURS[] = {SVG_BLUE, SVG_RED, SVG_GREEN, SVG_PURPLE, SVG_ORANGE, SVG_SKY};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS, POINTS = 64 };

/* Horizontal bars, a row each: SET COLUMN[/DIVISOR] UNIT ROW... */
bool figure_bars(struct figure *figure) {
    double value[FIGURE_WORDS], most = 0, divisor = 1;
    unsigned rows = figure->count - 3;
    char column[128];
    snprintf(column, sizeof column, "%s", figure->word[1]);
    char *slash = strchr(column, '/');
    if (slash != NULL) {
        *slash = '\0';
        if (!recording_parse_number(slash + 1, &divisor) || divisor <= 0)
            return figure_refuse(figure, "behind '/' stands a number to divide by");
    }
    for (unsigned i = 0; i < rows; i++) {
        if (!data_number(figure->data, figure->word[0], figure->word[3 + i], column, false, &value[i],
                         figure->error, figure->size))
            return false;
        value[i] /= divisor;
        most = fmax(most, value[i]);
    }
    FILE *out = figure->out;
    double height = fmin(56, 430.0 / rows);
    svg_begin(out, FIGURE_WIDTH, rows * height + 20, "bars, one for each step");
    for (unsigned i = 0; i < rows; i++) {
        double y = 10 + i * height, length = most > 0 ? value[i] / most * 780 : 0;
        svg_text(out, 150, y + height / 2 + 8, SVG_RIGHT, SVG_BLACK, "%.*s",
                 (int)strcspn(figure->word[3 + i], "("), figure->word[3 + i]); /* "7a (starter)" is 7a */
        svg_box(out, 165, y + 2, length, height - 8, SVG_SKY, SVG_BLACK);
        svg_text(out, 180 + length, y + height / 2 + 8, SVG_LEFT, SVG_BLACK, "%.4g %s", value[i],
                 figure->word[2]);
    }
    svg_end(out);
    return true;
}

struct axes {
    double left, top, width, height;
    double low_x, high_x, low_y, high_y;
    bool logarithmic;
};

static double along(double value, double low, double high, bool logarithmic) {
    return logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);
}
static double at_x(const struct axes *axes, double x) {
    return axes->left + axes->width * along(x, axes->low_x, axes->high_x, axes->logarithmic);
}
static double at_y(const struct axes *axes, double y) {
    return axes->top + axes->height * (1 - along(y, axes->low_y, axes->high_y, axes->logarithmic));
}

static void draw_axes(FILE *out, const struct axes *axes, const char *x, const char *y) {
    svg_box(out, axes->left, axes->top, axes->width, axes->height, SVG_WHITE, SVG_BLACK);
    svg_text(out, axes->left + axes->width / 2, axes->top + axes->height + 66, SVG_MIDDLE, SVG_BLACK, "%s",
             x);
    svg_text(out, axes->left, axes->top - 14, SVG_LEFT, SVG_BLACK, "%s", y);
}

static void tick_x(FILE *out, const struct axes *axes, double x) {
    svg_line(out, at_x(axes, x), axes->top + axes->height, at_x(axes, x), axes->top + axes->height + 8,
             SVG_BLACK, 2);
    svg_text(out, at_x(axes, x), axes->top + axes->height + 33, SVG_MIDDLE, SVG_BLACK, "%g", x);
}
static void tick_y(FILE *out, const struct axes *axes, double y) {
    svg_line(out, axes->left, at_y(axes, y), axes->left + axes->width, at_y(axes, y), SVG_GREY, 1);
    svg_text(out, axes->left - 10, at_y(axes, y) + 8, SVG_RIGHT, SVG_BLACK, "%g", y);
}

/* The name of a line in a free place right of the axes. */
static void name_line(FILE *out, const struct axes *axes, unsigned line, const char *name) {
    double x = axes->left + axes->width + 24, y = axes->top + 30 + line * 44;
    svg_line(out, x, y - 8, x + 40, y - 8, COLOURS[line % COLOUR_COUNT], 5);
    svg_text(out, x + 52, y, SVG_LEFT, SVG_BLACK, "%s", name);
}

/* Rows of a table whose columns are numbers of threads: bandwidth over threads per SM. */
bool figure_curves(struct figure *figure) {
    const struct recording *recording = data_set(figure->data, figure->word[0], figure->error, figure->size);
    if (recording == NULL)
        return false;
    FILE *out = figure->out;
    struct axes axes = {110, 40, 740, 310, 0, 2048, 0, 4500, false};
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "bandwidth over threads on a multiprocessor");
    draw_axes(out, &axes, "threads on a multiprocessor", "GB/s");
    for (int x = 0; x <= 2048; x += 512)
        tick_x(out, &axes, x);
    for (int y = 0; y <= 4000; y += 1000)
        tick_y(out, &axes, y);
    for (unsigned line = 1; line < figure->count; line++) {
        const char *colour = COLOURS[(line - 1) % COLOUR_COUNT];
        double old_x = -1, old_y = 0;
        for (size_t i = 0; i < recording->count; i++) {
            const struct recording_cell *cell = &recording->cell[i];
            double x, y;
            if (strcmp(cell->row, figure->word[line]) != 0 || !recording_parse_number(cell->column, &x) ||
                !recording_parse_number(cell->text, &y))
                continue;
            if (old_x >= 0)
                svg_line(out, at_x(&axes, old_x), at_y(&axes, old_y), at_x(&axes, x), at_y(&axes, y), colour,
                         4);
            svg_dot(out, at_x(&axes, x), at_y(&axes, y), 5, colour);
            old_x = x;
            old_y = y;
        }
        if (old_x < 0)
            return figure_refuse(figure, "the set has no such row");
        name_line(out, &axes, line - 1, figure->word[line]);
    }
    svg_end(out);
    return true;
}

/* Occupancy over registers a thread, by the calculator of room gpus: THREADS MODEL... */
bool figure_occupancy(struct figure *figure) {
    FILE *out = figure->out;
    int threads;
    char folder[PATH_SIZE];
    if (!figure_number(figure, 0, 32, 1024, &threads))
        return false;
    if (!path_join(folder, data_root(figure->data), "common/gpus"))
        return figure_refuse(figure, "the path of common/gpus is too long");
    struct axes axes = {110, 40, 740, 310, 0, 256, 0, 105, false};
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "occupancy over registers of a thread: a staircase");
    draw_axes(out, &axes, "registers of a thread", "occupancy, %");
    for (int x = 0; x <= 256; x += 32)
        tick_x(out, &axes, x);
    for (int y = 0; y <= 100; y += 25)
        tick_y(out, &axes, y);
    for (unsigned i = 1; i < figure->count; i++) {
        struct gpu_model model;
        if (!gpu_model_load(folder, figure->word[i], &model, figure->error, figure->size))
            return false;
        double old = 0;
        for (unsigned registers = 16; registers <= model.max_registers_per_thread; registers++) {
            double now = 100 * gpu_occupancy(&model, (uint32_t)threads, registers, 0).fraction;
            double shift = (i - 1) * 3.0; /* so that equal lines are both seen */
            if (registers > 16) {
                svg_line(out, at_x(&axes, registers - 1), at_y(&axes, old) - shift, at_x(&axes, registers),
                         at_y(&axes, old) - shift, COLOURS[i - 1], 4);
                svg_line(out, at_x(&axes, registers), at_y(&axes, old) - shift, at_x(&axes, registers),
                         at_y(&axes, now) - shift, COLOURS[i - 1], 4);
            }
            old = now;
        }
        name_line(out, &axes, i - 1, figure->word[i]);
    }
    svg_text(out, axes.left + axes.width + 24, 250, SVG_LEFT, SVG_BLACK, "blocks of %d", threads);
    svg_end(out);
    return true;
}

/* A step under the roof: 10^9 warp instructions a second over warp instructions for a byte of device memory. */
static bool roofline_point(struct figure *figure, const char *row, double *x, double *y) {
    double time, instructions, in, written;
    const char *set = figure->word[0];
    if (!data_number(figure->data, set, row, "time", false, &time, figure->error, figure->size) ||
        !data_number(figure->data, set, row, "instructions", false, &instructions, figure->error,
                     figure->size) ||
        !data_number(figure->data, set, row, "dram_read", false, &in, figure->error, figure->size) ||
        !data_number(figure->data, set, row, "dram_written", false, &written, figure->error, figure->size))
        return false;
    if (time <= 0 || in + written <= 0 || instructions <= 0)
        return figure_refuse(figure, "a step without time or traffic has no place under the roof");
    *x = instructions / (in + written);
    *y = instructions / time;
    return true;
}

/* The axes' ends are powers of ten that hold the points and the roof's corner. */
static struct axes roofline_axes(const double *x, const double *y, unsigned points, double corner,
                                 double roof) {
    struct axes axes = {110, 40, 740, 310, corner / 1.5, corner * 1.5, roof / 1.5, roof * 1.5, true};
    for (unsigned i = 0; i < points; i++) {
        axes.low_x = fmin(axes.low_x, x[i] / 1.3);
        axes.high_x = fmax(axes.high_x, x[i] * 1.3);
        axes.low_y = fmin(axes.low_y, y[i] / 1.3);
    }
    axes.low_x = pow(10, floor(log10(axes.low_x)));
    axes.high_x = pow(10, ceil(log10(axes.high_x)));
    axes.low_y = pow(10, floor(log10(axes.low_y)));
    return axes;
}

/* Steps of a recording under the roofs of the H200, the way from each to the next: SET ROW... */
bool figure_roofline(struct figure *figure) {
    FILE *out = figure->out;
    struct gpu_model model;
    char folder[PATH_SIZE];
    double x[FIGURE_WORDS] = {0}, y[FIGURE_WORDS] = {0};
    unsigned points = figure->count - 1;
    if (!path_join(folder, data_root(figure->data), "common/gpus") ||
        !gpu_model_load(folder, "h200", &model, figure->error, figure->size))
        return false;
    for (unsigned i = 0; i < points; i++)
        if (!roofline_point(figure, figure->word[i + 1], &x[i], &y[i]))
            return false;
    double roof =
        model.sm_count * model.issue_rate * model.clock_mhz / 1000; /* 10^9 warp instructions a second */
    double corner = roof / model.dram_gbs;
    struct axes axes = roofline_axes(x, y, points, corner, roof);
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT,
              "the roofline: warp instructions a second over instructions a byte");
    draw_axes(out, &axes, "warp instructions for a byte of device memory", "10^9 warp instructions a second");
    for (double tick = axes.low_x; tick <= axes.high_x * 1.01; tick *= 10)
        tick_x(out, &axes, tick);
    for (double tick = axes.low_y; tick <= axes.high_y; tick *= 10)
        tick_y(out, &axes, tick);
    double start = fmax(axes.low_x, axes.low_y / model.dram_gbs);
    svg_line(out, at_x(&axes, start), at_y(&axes, start * model.dram_gbs), at_x(&axes, corner),
             at_y(&axes, roof), SVG_BLACK, 4);
    svg_line(out, at_x(&axes, corner), at_y(&axes, roof), at_x(&axes, axes.high_x), at_y(&axes, roof),
             SVG_BLACK, 4);
    svg_text(out, axes.left + axes.width + 24, at_y(&axes, roof) + 8, SVG_LEFT, SVG_BLACK,
             "issue slots: %.0f", roof);
    for (unsigned i = 1; i < points; i++)
        svg_line(out, at_x(&axes, x[i - 1]), at_y(&axes, y[i - 1]), at_x(&axes, x[i]), at_y(&axes, y[i]),
                 SVG_GREY, 3);
    for (unsigned i = 0; i < points; i++) {
        const char *colour = COLOURS[i % COLOUR_COUNT];
        double line = axes.top + 100 + i * 36.0;
        svg_dot(out, at_x(&axes, x[i]), at_y(&axes, y[i]), 10, colour);
        svg_dot(out, axes.left + axes.width + 44, line - 8, 10, colour);
        svg_text(out, axes.left + axes.width + 66, line, SVG_LEFT, SVG_BLACK, "%s: %.0f %% of roof",
                 figure->word[i + 1], 100 * y[i] / fmin(roof, x[i] * model.dram_gbs));
    }
    svg_end(out);
    return true;
}

/* html_roofline.c: the runs under the roofs of arithmetic and of each level of memory. */
#include "report/writers/html_parts.h"

#include "report/writers/breakdown.h"
#include "report/writers/format.h"
#include "report/writers/html_escape.h"

#include <math.h>
#include <string.h>

enum { LEFT = 66, RIGHT = 510, TOP = 14, BOTTOM = 300, RUNS_MOST = 6 };

struct drawing {
    double low_x, high_x, low_y, high_y; /* log10 */
    struct roofline roofline;
    uint32_t count;
    const struct report_run *runs[RUNS_MOST];
    struct roofline_point points[RUNS_MOST];
};

static double x_of(const struct drawing *d, double value) {
    return LEFT + (RIGHT - LEFT) * (log10(value) - d->low_x) / (d->high_x - d->low_x);
}

static double y_of(const struct drawing *d, double value) {
    return BOTTOM - (BOTTOM - TOP) * (log10(value) - d->low_y) / (d->high_y - d->low_y);
}

/* Whole decades around everything that is drawn. */
static void scale(struct drawing *d) {
    double low_x = d->roofline.peak / d->roofline.bandwidth[MEMORY_L1], high_x = low_x,
           low_y = d->roofline.peak;
    for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++)
        high_x = fmax(high_x, d->roofline.peak / d->roofline.bandwidth[level]);
    for (uint32_t i = 0; i < d->count; i++) {
        low_y = fmin(low_y, d->points[i].work);
        for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++)
            if (d->points[i].intensity[level] > 0) {
                low_x = fmin(low_x, d->points[i].intensity[level]);
                high_x = fmax(high_x, d->points[i].intensity[level]);
            }
    }
    d->low_x = floor(log10(low_x));
    d->high_x = ceil(log10(high_x) + 0.15);
    d->low_y = floor(log10(low_y) - 0.1);
    d->high_y = log10(d->roofline.peak) + 0.3;
}

/* 0.001, 0.1, 10, 1,000 */
static const char *decade(char text[FORMAT_SIZE], int exponent) {
    if (exponent >= 0)
        return format_grouped(text, (uint64_t)llround(pow(10, exponent)));
    snprintf(text, FORMAT_SIZE, "%.*f", -exponent, pow(10, exponent));
    return text;
}

static void axes(FILE *to, const struct drawing *d) {
    char text[FORMAT_SIZE];
    fprintf(to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, BOTTOM, RIGHT);
    for (int e = (int)d->low_x; e <= (int)d->high_x; e++) {
        double x = x_of(d, pow(10, e));
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, BOTTOM);
        fprintf(to, "<text class=\"dim\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>", x, BOTTOM + 17,
                e == (int)d->high_x ? "end" : "middle", decade(text, e));
    }
    for (int e = (int)d->low_y; e <= (int)d->high_y; e++) {
        double y = y_of(d, pow(10, e));
        fprintf(to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, RIGHT);
        fprintf(to, "<text class=\"dim\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 5,
                y + 4.5, decade(text, e));
    }
    fprintf(to, "<text class=\"dim\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s for a byte</text>", RIGHT,
            BOTTOM + 36, roofline_work(&d->roofline));
}

static void roofs(FILE *to, const struct drawing *d) {
    double low = pow(10, d->low_x), first = pow(10, d->high_x);
    for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++) {
        double bandwidth = d->roofline.bandwidth[level], ridge = d->roofline.peak / bandwidth;
        double from = fmax(low, pow(10, d->low_y) / bandwidth);
        double x0 = x_of(d, from), y0 = y_of(d, from * bandwidth), x1 = x_of(d, ridge),
               y1 = y_of(d, d->roofline.peak);
        double angle = atan2(y1 - y0, x1 - x0) * 180 / acos(-1.0);
        double along = level == MEMORY_L2 ? 0.04 : 0.5; /* labels of two close roofs stand apart */
        double x = x0 + along * (x1 - x0), y = y0 + along * (y1 - y0);
        first = fmin(first, ridge);
        fprintf(to, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1f\"/>", x0, y0, x1, y1);
        fprintf(
            to,
            "<text class=\"dim\" transform=\"translate(%.1f %.1f) rotate(%.1f)\" x=\"4\" y=\"%d\">%s</text>",
            x, y, angle, level == MEMORY_DRAM ? 14 : -5, memory_level_name((enum memory_level)level));
    }
    double y = y_of(d, d->roofline.peak);
    fprintf(to, "<path class=\"roof\" d=\"M%.1f %.1fH%d\"/>", x_of(d, first), y, RIGHT);
    fprintf(to, "<text class=\"dim\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", RIGHT, y - 5,
            d->roofline.flops ? "arithmetic" : "issue slots");
}

static void dots(FILE *to, const struct drawing *d, const struct report_run *profiled) {
    double taken[RUNS_MOST] = {0};
    for (uint32_t i = 0; i < d->count; i++) {
        const struct roofline_point *p = &d->points[i];
        double low = INFINITY, high = 0, y = y_of(d, p->work);
        for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++)
            if (p->intensity[level] > 0) {
                low = fmin(low, p->intensity[level]);
                high = fmax(high, p->intensity[level]);
            }
        if (high <= 0)
            continue;
        bool yours = d->runs[i] == profiled, right = x_of(d, high) < RIGHT - 90;
        fprintf(to, "<path class=\"tie\" d=\"M%.1f %.1fH%.1f\"/>", x_of(d, low), y, x_of(d, high));
        for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++)
            if (p->intensity[level] > 0)
                fprintf(to, "<circle class=\"at%d%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", level,
                        yours ? "" : " pale", x_of(d, p->intensity[level]), y, yours ? "6" : "4.5");
        /* Names of runs with about equal speed go below one another. */
        double at = y + 4.5, roof = y_of(d, d->roofline.peak);
        if (at - 12 < roof && at + 4 > roof)
            at = roof + 16;
        for (uint32_t k = 0; k < i; k++)
            if (fabs(taken[k] - at) < 14)
                at = taken[k] + 14;
        taken[i] = at;
        fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>",
                right ? x_of(d, high) + 10 : x_of(d, low) - 10, at, right ? "start" : "end",
                yours ? " font-weight=\"700\"" : "");
        html_escape(to, d->runs[i]->name);
        fputs("</text>", to);
    }
}

static void table(FILE *to, const struct drawing *d) {
    static const struct table_column flops[] = {{ROOFLINE_CELL_NAME, "run", 0, 0},
                                                {ROOFLINE_CELL_WORK, "GFLOP/s", 0, 0},
                                                {ROOFLINE_CELL_L1, "for a byte of L1", 0, 0},
                                                {ROOFLINE_CELL_L2, "of L2", 0, 0},
                                                {ROOFLINE_CELL_DRAM, "of DRAM", 0, 0},
                                                {ROOFLINE_CELL_ROOF, "lowest roof", 0, 0},
                                                {ROOFLINE_CELL_REACHED, "reached of it", 0, 0}};
    struct table_column columns[sizeof flops / sizeof *flops];
    memcpy(columns, flops, sizeof flops);
    if (!d->roofline.flops)
        columns[1].heading = "10^9 warp instructions/s";
    const struct table t = {{to, false, 0}, true, columns, sizeof flops / sizeof *flops};
    table_begin(&t);
    for (uint32_t i = 0; i < d->count; i++) {
        struct table_row row;
        roofline_row(&row, &d->roofline, d->runs[i]->name, &d->points[i]);
        table_row(&t, &row);
    }
    table_end(&t);
}

void html_roofline(FILE *to, const struct report *report, const struct report_run *profiled,
                   const struct gpu_model *model) {
    struct drawing d = {0};
    if (!roofline_of(profiled, model, &d.roofline))
        return;
    for (uint32_t i = 0; i < report->run_count && d.count < RUNS_MOST; i++) {
        const struct report_run *run = &report->runs[i];
        bool same = profiled->part == NULL || (run->part != NULL && strcmp(run->part, profiled->part) == 0);
        if (same && run->kernel_count > 0 && roofline_point(&d.roofline, run, &d.points[d.count]))
            d.runs[d.count++] = run;
    }
    if (d.count == 0)
        return;
    scale(&d);
    fprintf(
        to,
        "<h4>Roofline</h4>\n<figure class=\"wide\">"
        "<svg viewBox=\"0 0 520 345\" role=\"img\" aria-label=\"roofline; the table below has its figures\">");
    axes(to, &d);
    roofs(to, &d);
    dots(to, &d, profiled);
    fprintf(
        to,
        "</svg><figcaption>Upwards: 10^9 %s a second. Each run at its height three times: green by the bytes that L1 "
        "moves, blue L2, orange DRAM; each below the roof of its name. Work is %s.</figcaption></figure>\n",
        roofline_work(&d.roofline),
        d.roofline.flops ? "single-precision operations, an FMA as two"
                         : "instructions of warps, since most of them are no float arithmetic");
    table(to, &d);
    if (!d.roofline.flops && profiled->time_source == TIME_MODEL)
        fputs(
            "<p class=\"note\">Counted are PTX instructions: the machine may need fewer or more, so that the share of the "
            "issue slots is not exact.</p>\n",
            to);
    html_terms(to, "roofline intensity");
}

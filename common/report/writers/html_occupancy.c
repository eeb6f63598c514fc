/* html_occupancy.c: curves of an SM's resident warps if one resource of the kernel changed. */
#include "report/writers/html_parts.h"

#include "report/writers/format.h"

/* The resource that changes along a curve. */
enum vary { VARY_REGISTERS, VARY_SHARED, VARY_THREADS };

struct curve {
    enum vary vary;
    const char *title, *unit;
    uint32_t from, to, step, today;
};

struct shape {
    uint32_t threads, registers, shared;
};

static struct gpu_occupancy occupancy_at(const struct gpu_model *model, struct shape shape, enum vary vary,
                                         uint32_t value) {
    if (vary == VARY_REGISTERS)
        shape.registers = value;
    else if (vary == VARY_SHARED)
        shape.shared = value;
    else
        shape.threads = value;
    return gpu_occupancy(model, shape.threads, shape.registers, shape.shared);
}

enum { LEFT = 34, RIGHT = 292, TOP = 10, BOTTOM = 132 };

static double x_of(const struct curve *curve, uint32_t value) {
    return LEFT + (RIGHT - LEFT) * (double)(value - curve->from) / (double)(curve->to - curve->from);
}

static double y_of(const struct gpu_model *model, uint32_t warps) {
    return BOTTOM - (BOTTOM - TOP) * (double)warps / model->max_warps_per_sm;
}

static void draw(FILE *to, const struct gpu_model *model, struct shape shape, const struct curve *curve) {
    char number[FORMAT_SIZE];
    uint32_t today = gpu_occupancy(model, shape.threads, shape.registers, shape.shared).warps_per_sm;
    fprintf(to, "<figure><svg viewBox=\"0 0 300 170\" role=\"img\" aria-label=\"warps of an SM against %s:",
            curve->title);
    uint32_t before = UINT32_MAX;
    for (uint32_t value = curve->from; value <= curve->to; value += curve->step) {
        uint32_t warps = occupancy_at(model, shape, curve->vary, value).warps_per_sm;
        if (warps != before)
            fprintf(to, " %u from %u on,", warps, value);
        before = warps;
    }
    fprintf(to, " today %u at %u\"><path class=\"axis\" d=\"M%d %dV%dH%d\"/>", today, curve->today, LEFT, TOP,
            BOTTOM, RIGHT);
    for (uint32_t part = 0; part <= 4; part++) {
        uint32_t warps = model->max_warps_per_sm * part / 4;
        double y = y_of(model, warps);
        fprintf(to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, RIGHT);
        fprintf(to, "<text class=\"dim\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%u</text>", LEFT - 5,
                y + 4.5, warps);
        uint32_t value = curve->from + (curve->to - curve->from) / 4 * part;
        if (part % 2 == 0)
            fprintf(to, "<text class=\"dim\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>",
                    x_of(curve, value), BOTTOM + 16,
                    part == 0   ? "start"
                    : part == 4 ? "end"
                                : "middle",
                    format_grouped(number, value));
    }
    fprintf(to, "<text class=\"dim\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", RIGHT, BOTTOM + 33,
            curve->unit);
    fputs("<path class=\"curve\" d=\"", to);
    uint32_t last = UINT32_MAX;
    for (uint32_t value = curve->from; value <= curve->to; value += curve->step) {
        uint32_t warps = occupancy_at(model, shape, curve->vary, value).warps_per_sm;
        if (last == UINT32_MAX)
            fprintf(to, "M%.1f %.1f", x_of(curve, value), y_of(model, warps));
        else if (warps != last || value + curve->step > curve->to)
            fprintf(to, "H%.1fV%.1f", x_of(curve, value), y_of(model, warps));
        last = warps;
    }
    fputs("\"/>", to);
    if (curve->today >= curve->from && curve->today <= curve->to)
        fprintf(to, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5.5\"/>", x_of(curve, curve->today),
                y_of(model, today));
    fprintf(to, "</svg><figcaption>%s: today %s, %u warps</figcaption></figure>\n", curve->title,
            format_grouped(number, curve->today), today);
}

void html_occupancy(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model) {
    struct shape shape = {kernel->block[0] * kernel->block[1] * kernel->block[2], kernel->registers,
                          kernel->shared_bytes};
    if (model == NULL || shape.threads == 0 || shape.registers == 0)
        return;
    struct gpu_occupancy now = gpu_occupancy(model, shape.threads, shape.registers, shape.shared);
    const struct curve curves[] = {
        {VARY_REGISTERS, "registers of a thread", "registers", shape.registers < 8 ? shape.registers : 8,
         model->max_registers_per_thread, 1, shape.registers},
        {VARY_SHARED, "shared memory of a block", "bytes", 0, model->shared_per_block_optin, 512,
         shape.shared},
        {VARY_THREADS, "threads of a block", "threads", 32, model->max_threads_per_block, 32, shape.threads},
    };
    fprintf(
        to,
        "<h4>Occupancy</h4>\n<p>An SM holds %u blocks of this kernel, %u of %u warps at once: by its registers %u "
        "blocks, by its shared memory %u, by warps %u, and never more than %u. ",
        now.blocks_per_sm, now.warps_per_sm, model->max_warps_per_sm, now.blocks_by[GPU_LIMIT_REGISTERS],
        now.blocks_by[GPU_LIMIT_SHARED], now.blocks_by[GPU_LIMIT_WARPS], model->max_blocks_per_sm);
    if (now.limit == GPU_LIMIT_NONE)
        fputs("It is full.</p>\n", to);
    else
        fprintf(to, "What runs out first: %s.</p>\n", gpu_limit_name(now.limit));
    fputs("<div class=\"curves\">\n", to);
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        draw(to, model, shape, &curves[i]);
    fputs(
        "</div>\n<p class=\"note\">Each curve: the warps that an SM would hold, if this one thing were another and the "
        "rest stayed. The dot: the kernel as it is.</p>\n",
        to);
}

/* figure_threads.c: for first kernels: threads and their elements, rows of an image, two threads that add. */
#include "slides/figures.h"
#include "slides/svg.h"

enum { BLOCKS = 4, PER_BLOCK = 6 };

/* Blocks of six threads over 21 elements: each thread's number in its block, and its index. */
bool figure_grid(struct figure *figure) {
    FILE *out = figure->out;
    const double cell = 44, left = 40, gap = 14;
    const int elements = 21;
    svg_begin(out, FIGURE_WIDTH, 330, "blocks, their threads, and the element of each");
    for (int block = 0; block < BLOCKS; block++) {
        double x = left + block * (PER_BLOCK * cell + gap);
        svg_text(out, x, 40, SVG_LEFT, SVG_BLACK, "blockIdx.x = %d", block);
        for (int thread = 0; thread < PER_BLOCK; thread++) {
            int i = block * PER_BLOCK + thread;
            double at = x + thread * cell;
            svg_box(out, at, 60, cell, 44, SVG_SKY, SVG_WHITE);
            svg_text(out, at + cell / 2, 91, SVG_MIDDLE, SVG_BLACK, "%d", thread);
            svg_arrow(out, at + cell / 2, 106, at + cell / 2, 148, i < elements ? SVG_BLACK : SVG_RED);
            svg_box(out, at, 150, cell, 44, i < elements ? SVG_GREEN : SVG_WHITE, SVG_BLACK);
            svg_text(out, at + cell / 2, 181, SVG_MIDDLE, i < elements ? SVG_WHITE : SVG_RED, "%d", i);
        }
    }
    svg_text(out, left, 240, SVG_LEFT, SVG_BLUE, "blue: threadIdx.x, from 0 in each block of %d", PER_BLOCK);
    svg_text(out, left, 275, SVG_LEFT, SVG_GREEN,
             "green: elements 0 to %d; a thread's i = blockIdx.x * blockDim.x + threadIdx.x", elements - 1);
    svg_text(out, left, 310, SVG_LEFT, SVG_RED, "red: threads without an element");
    svg_end(out);
    return true;
}

/* Rows of WIDTH pixels that begin PITCH elements apart, and where a pixel lies in memory. */
bool figure_pitch(struct figure *figure) {
    int width, pitch;
    if (!figure_number(figure, 0, 1, 30, &width) || !figure_number(figure, 1, width, 32, &pitch))
        return false;
    FILE *out = figure->out;
    const double cell = 30, left = 130, top = 60;
    const int rows = 4, x = width / 2, y = 2;
    svg_begin(out, FIGURE_WIDTH, 400, "rows of an image, a pitch apart");
    svg_line(out, left, 20, left + width * cell, 20, SVG_BLUE, 4);
    svg_text(out, left, 50, SVG_LEFT, SVG_BLUE, "width %d", width);
    svg_line(out, left, top + rows * 48 + 14, left + pitch * cell, top + rows * 48 + 14, SVG_RED, 4);
    svg_text(out, left, top + rows * 48 + 48, SVG_LEFT, SVG_RED,
             "pitch %d: from the start of a row to the start of the next", pitch);
    for (int row = 0; row < rows; row++) {
        svg_text(out, left - 14, top + row * 48 + 29, SVG_RIGHT, SVG_BLACK, "y = %d", row);
        for (int column = 0; column < pitch; column++)
            svg_box(out, left + column * cell, top + row * 48, cell, 40,
                    column >= width           ? SVG_PALE
                    : row == y && column == x ? SVG_ORANGE
                                              : SVG_SKY,
                    SVG_WHITE);
    }
    svg_text(out, left, top + rows * 48 + 100, SVG_LEFT, SVG_BLACK,
             "orange: pixel (%d, %d) is element %d * %d + %d = %d; grey: nobody's", x, y, y, pitch, x,
             y * pitch + x);
    svg_end(out);
    return true;
}

/* Two threads add 1 to a counter, by three steps each. */
bool figure_race(struct figure *figure) {
    static const struct {
        const char *text;
        int thread;
        double from;
        const char *fill;
    } steps[] = {{"read 7", 0, 0, SVG_SKY}, {"add: 8", 0, 1, SVG_YELLOW}, {"write 8", 0, 2, SVG_ORANGE},
                 {"read 7", 1, 1, SVG_SKY}, {"add: 8", 1, 2, SVG_YELLOW}, {"write 8", 1, 3, SVG_ORANGE}};
    FILE *out = figure->out;
    const double left = 190, width = 200;
    svg_begin(out, FIGURE_WIDTH, 350, "two threads add to one counter, and one addition is lost");
    for (int thread = 0; thread < 2; thread++)
        svg_text(out, left - 20, 76 + thread * 90, SVG_RIGHT, SVG_BLACK, "thread %d", thread);
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        double x = left + steps[i].from * width, y = 40 + steps[i].thread * 90;
        svg_box(out, x, y, width - 8, 56, steps[i].fill, SVG_BLACK);
        svg_text(out, x + width / 2 - 4, y + 37, SVG_MIDDLE, SVG_BLACK, "%s", steps[i].text);
    }
    svg_arrow(out, left, 220, left + 4.5 * width, 220, SVG_BLACK);
    svg_text(out, left, 256, SVG_LEFT, SVG_BLACK, "time");
    svg_text(out, left, 310, SVG_LEFT, SVG_RED, "The counter was 7, two threads added 1, and it is 8.");
    svg_end(out);
    return true;
}

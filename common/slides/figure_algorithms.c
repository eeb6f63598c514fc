/* figure_algorithms.c: reductions, and the matrix product. */
#include "slides/figures.h"
#include "slides/svg.h"

/* Lanes of a row, and which of them add to which in each round: `count` lanes, `far` first. */
static void rounds(FILE *out, unsigned count, double left, double top, double cell, double row_height,
                   bool all) {
    unsigned row = 0;
    for (unsigned far = count; far > 0; far /= 2, row++) {
        double y = top + row * row_height;
        for (unsigned lane = 0; lane < count; lane++) {
            bool busy = all || lane < far;
            svg_box(out, left + lane * cell, y, cell - 6, 34, busy ? SVG_SKY : SVG_PALE, SVG_BLACK);
            if (far > 1 && lane + far / 2 < count && (all || lane < far / 2))
                svg_arrow(out, left + (lane + far / 2.0 + 0.45) * cell, y + 34, left + (lane + 0.5) * cell,
                          y + row_height - 2, SVG_RED);
        }
    }
}

bool figure_tree(struct figure *figure) {
    FILE *out = figure->out;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT,
              "a reduction tree in shared memory: half as many threads in each round");
    svg_text(out, 30, 40, SVG_LEFT, SVG_BLACK, "shared memory, 8 values");
    rounds(out, 8, 30, 60, 80, 100, false);
    svg_text(out, 720, 85, SVG_LEFT, SVG_BLACK, "round 1: 4 threads busy");
    svg_text(out, 720, 185, SVG_LEFT, SVG_BLACK, "barrier, round 2: 2 threads");
    svg_text(out, 720, 285, SVG_LEFT, SVG_BLACK, "barrier, round 3: 1 thread");
    svg_text(out, 720, 385, SVG_LEFT, SVG_BLACK, "the result is value 0");
    svg_end(out);
    return true;
}

bool figure_shuffle(struct figure *figure) {
    FILE *out = figure->out;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "the same by shuffles: registers of a warp's lanes");
    svg_text(out, 30, 40, SVG_LEFT, SVG_BLACK, "registers of 8 lanes (a warp has 32)");
    rounds(out, 8, 30, 60, 80, 100, true);
    svg_text(out, 720, 85, SVG_LEFT, SVG_BLACK, "shuffle down by 4");
    svg_text(out, 720, 185, SVG_LEFT, SVG_BLACK, "shuffle down by 2");
    svg_text(out, 720, 285, SVG_LEFT, SVG_BLACK, "shuffle down by 1");
    svg_text(out, 720, 345, SVG_LEFT, SVG_GREEN, "no shared memory, no barrier:");
    svg_text(out, 720, 385, SVG_LEFT, SVG_GREEN, "32 lanes need 5 rounds");
    svg_end(out);
    return true;
}

bool figure_tiles(struct figure *figure) {
    FILE *out = figure->out;
    const double side = 240, tile = 60;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "a tile of C needs a row of A's tiles and a column of B's");
    static const struct {
        const char *name;
        double x;
    } matrix[] = {{"A", 60}, {"B", 420}, {"C", 780}};
    for (int m = 0; m < 3; m++) {
        svg_text(out, matrix[m].x + side / 2, 50, SVG_MIDDLE, SVG_BLACK, "%s", matrix[m].name);
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++) {
                bool used = m == 0 ? row == 1 : m == 1 ? column == 2 : row == 1 && column == 2;
                svg_box(out, matrix[m].x + column * tile, 70 + row * tile, tile, tile,
                        used ? (m == 0   ? SVG_SKY
                                : m == 1 ? SVG_ORANGE
                                         : SVG_GREEN)
                             : SVG_PALE,
                        SVG_BLACK);
            }
    }
    svg_text(out, 360, 70 + side / 2 + 8, SVG_MIDDLE, SVG_BLACK, "x");
    svg_text(out, 720, 70 + side / 2 + 8, SVG_MIDDLE, SVG_BLACK, "=");
    svg_text(out, 60, 370, SVG_LEFT, SVG_BLACK,
             "A block loads one tile of A and one of B, multiplies them, goes on to the next pair.");
    svg_text(out, 60, 412, SVG_LEFT, SVG_BLACK,
             "In a 32 x 32 tile each value that was loaded once is used 32 times.");
    svg_end(out);
    return true;
}

/* One, eight and eight times eight results a thread: what is loaded for how many multiply-adds. */
bool figure_coarsening(struct figure *figure) {
    static const struct {
        int rows, columns;
        double x;
    } thread[] = {{1, 1, 60}, {1, 8, 310}, {8, 8, 740}};
    FILE *out = figure->out;
    const double cell = 34;
    svg_begin(out, FIGURE_WIDTH, 420, "values loaded for one, eight and sixty-four results of a thread");
    for (int i = 0; i < 3; i++) {
        int rows = thread[i].rows, columns = thread[i].columns;
        double x = thread[i].x + cell + 8, y = 60 + cell;
        for (int row = 0; row < rows; row++)
            svg_box(out, thread[i].x, y + row * cell, cell, cell, SVG_SKY, SVG_WHITE);
        for (int column = 0; column < columns; column++)
            svg_box(out, x + column * cell, 52, cell, cell, SVG_ORANGE, SVG_WHITE);
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++)
                svg_box(out, x + column * cell, y + row * cell, cell, cell, SVG_GREEN, SVG_WHITE);
        svg_text(out, thread[i].x, 34, SVG_LEFT, SVG_BLACK, "%d x %d", rows, columns);
        svg_text(out, thread[i].x, 402, SVG_LEFT, SVG_BLACK, "%d + %d for %d: %.4g", rows, columns,
                 rows * columns, (rows + columns) / (double)(rows * columns));
    }
    svg_text(out, 60, 250, SVG_LEFT, SVG_BLUE, "blue: values of A");
    svg_text(out, 60, 285, SVG_LEFT, SVG_RED, "orange: values of B");
    svg_text(out, 60, 320, SVG_LEFT, SVG_GREEN, "green: results, a multiply-add each");
    svg_end(out);
    return true;
}

/* Tiles on their way while another is multiplied. */
bool figure_ring(struct figure *figure) {
    FILE *out = figure->out;
    const double left = 200, width = 130, height = 46;
    svg_begin(out, FIGURE_WIDTH, 400, "loads and multiplications one after the other, and overlapped");
    svg_text(out, left - 20, 70, SVG_RIGHT, SVG_BLACK, "in turn");
    for (int i = 0; i < 7; i++) {
        svg_box(out, left + i * width, 40, width, height, i % 2 == 0 ? SVG_ORANGE : SVG_GREEN, SVG_BLACK);
        svg_text(out, left + (i + 0.5) * width, 71, SVG_MIDDLE, SVG_BLACK, "%s %d",
                 i % 2 == 0 ? "load" : "use", i / 2 + 1);
    }
    svg_text(out, left - 20, 180, SVG_RIGHT, SVG_BLACK, "copies");
    svg_text(out, left - 20, 240, SVG_RIGHT, SVG_BLACK, "arithmetic");
    for (int i = 0; i < 6; i++) {
        svg_box(out, left + i * width, 150, width, height, SVG_ORANGE, SVG_BLACK);
        svg_text(out, left + (i + 0.5) * width, 181, SVG_MIDDLE, SVG_BLACK, "load %d", i + 1);
        if (i > 0) {
            svg_box(out, left + i * width, 210, width, height, SVG_GREEN, SVG_BLACK);
            svg_text(out, left + (i + 0.5) * width, 241, SVG_MIDDLE, SVG_BLACK, "use %d", i);
        }
    }
    svg_arrow(out, left, 300, left + 7 * width, 300, SVG_BLACK);
    svg_text(out, left, 350, SVG_LEFT, SVG_BLACK,
             "time; the reference keeps four tiles, three of them on their way");
    svg_end(out);
    return true;
}
